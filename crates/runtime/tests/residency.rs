//! MakeResident, Evict, EnqueueMakeResident, priorities, trims: on D3D12's objects, with bytes.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;
#[path = "common/rig.rs"]
mod rig;

use std::sync::{Arc, Mutex};

use common::*;
use heapstone::spec::commands::{FenceFlags, QueryHeapDesc, QueryHeapType};
use heapstone::spec::rules::residency as rules;
use heapstone::spec::tiles::{TileRegionSize, TiledResourceCoordinate};
use heapstone::spec::views::{DescriptorHeapDesc, DescriptorHeapFlags, DescriptorHeapType};
use heapstone::*;
use rig::{MODES, Rig};

use SegmentGroup::Local;

const MIB: u64 = 1 << 20;

fn local(device: &Device) -> u64 {
    device.query_video_memory_info(0, Local).unwrap().current_usage
}

fn pattern(seed: u8, size: usize) -> Vec<u8> {
    (0..size).map(|at| u8::try_from(at % 251).unwrap() ^ seed).collect()
}

#[test]
fn what_was_evicted_comes_back_byte_equal() {
    for mode in MODES {
        let rig = Rig::new(profile("discrete-8g"), mode);
        let first = rig.buffer(HeapType::Default, MIB);
        let bytes = pattern(0x5a, 1 << 20);
        let upload = rig.upload(&bytes);
        rig.run(|list| list.copy_buffer_region(&first, 0, &upload, 0, MIB).unwrap());
        let before = local(&rig.device);
        rig.device.evict(&[(&first).into()]).unwrap();
        assert_eq!(local(&rig.device), before - MIB);
        // Others take its place, and write it.
        let others: Vec<Resource> = (0..4).map(|_| rig.buffer(HeapType::Default, MIB)).collect();
        let other_bytes = rig.upload(&pattern(0xff, 1 << 20));
        for other in &others {
            rig.run(|list| list.copy_buffer_region(other, 0, &other_bytes, 0, MIB).unwrap());
        }
        rig.device.make_resident(&[(&first).into()]).unwrap();
        assert_eq!(rig.bytes(&first, 0, MIB), bytes, "{mode:?}");
        for other in &others {
            assert_eq!(rig.bytes(other, 0, MIB), pattern(0xff, 1 << 20), "{mode:?}");
        }
    }
}

#[test]
fn a_list_that_refers_to_what_is_evicted_removes_the_device() {
    for mode in MODES {
        let rig = Rig::new(profile("discrete-8g"), mode);
        let (from, to) = (rig.buffer(HeapType::Default, MIB), rig.buffer(HeapType::Default, MIB));
        rig.run(|list| list.copy_buffer_region(&to, 0, &from, 0, MIB).unwrap());
        rig.device.evict(&[(&from).into()]).unwrap();
        let error = rig.try_run(|list| list.copy_buffer_region(&to, 0, &from, 0, MIB).unwrap()).unwrap_err();
        let Error::DeviceRemoved(reason) = &error else { panic!("{error}") };
        let RemovalReason::InvalidCall(violation) = &**reason else { panic!("{error}") };
        assert_eq!(*violation.rule, rules::EXECUTE_EVICTED);
        assert!(rig.device.removed_reason().is_some());
    }
}

#[test]
fn heaps_stand_for_what_is_placed_in_them() {
    let rig = Rig::new(profile("discrete-8g"), GpuMode::Immediate);
    let heap = rig.heap(MIB);
    let placed = PlacedResourceDesc::new(ResourceDesc::buffer(MIB));
    let placed = rig.device.create_placed_resource(&heap, 0, &placed).unwrap();
    let reserved = rig.reserved(ResourceDesc::buffer(MIB));
    for resource in [&placed, &reserved] {
        let violation = refused(rig.device.evict(&[resource.into()]), &rules::RESIDENCY_PAGEABLE);
        says(
            &violation,
            "ppObjects",
            &["Placed", "Reserved"][usize::from(resource == &reserved)..][..1],
            &[],
        );
    }
    rig.device.evict(&[(&heap).into()]).unwrap();
    let to = rig.buffer(HeapType::Default, MIB);
    assert!(rig.try_run(|list| list.copy_buffer_region(&to, 0, &placed, 0, MIB).unwrap()).is_err());
}

#[test]
fn counts_begin_at_one_and_refusals_change_nothing() {
    let device = device("discrete-8g");
    let heap = device.create_heap(&HeapDesc::new(MIB, HeapType::Default)).unwrap();
    let late = HeapDesc::new(MIB, HeapType::Default).with_flags(HeapFlags::CREATE_NOT_RESIDENT);
    let late = device.create_heap(&late).unwrap();
    let queries = device
        .create_query_heap(&QueryHeapDesc { heap_type: QueryHeapType::Timestamp, count: 8, node_mask: 0 })
        .unwrap();
    let descriptors = device
        .create_descriptor_heap(&DescriptorHeapDesc {
            heap_type: DescriptorHeapType::CbvSrvUav,
            descriptor_count: 16,
            flags: DescriptorHeapFlags::empty(),
            node_mask: 0,
        })
        .unwrap();
    let all: [Pageable<'_>; 4] = [(&heap).into(), (&late).into(), (&queries).into(), (&descriptors).into()];
    let counts = || all.map(|object| device.residency_count(object).unwrap());
    assert_eq!(counts(), [1, 0, 1, 1]);
    let violation = refused(device.evict(&all), &rules::RESIDENCY_EVICT);
    says(&violation, "ppObjects", &["object 1", "count is 0"], &[]);
    assert_eq!(counts(), [1, 0, 1, 1]);
    device.make_resident(&all).unwrap();
    assert_eq!(counts(), [2, 1, 2, 2]);
    device.evict(&all).unwrap();
    device.evict(&[all[0], all[2], all[3]]).unwrap();
    assert_eq!(counts(), [0, 0, 0, 0]);
    assert_eq!(local(&device), 0);

    let other = common::device("discrete-8g");
    refused(other.evict(&all[..1]), &rules::RESIDENCY_DEVICE);
    refused(other.make_resident(&all[3..]), &rules::RESIDENCY_DEVICE);
    drop((heap, late, queries, descriptors));
    assert_empty(&device);
}

#[test]
fn an_enqueued_call_signals_in_call_order_and_only_when_it_succeeds() {
    for mode in MODES {
        let rig = Rig::new(profile("discrete-8g"), mode);
        let device = &rig.device;
        let desc = HeapDesc::new(4 * MIB, HeapType::Default).with_flags(HeapFlags::CREATE_NOT_RESIDENT);
        let heaps: Vec<Heap> = (0..3).map(|_| device.create_heap(&desc).unwrap()).collect();
        let fence = device.create_fence(0, FenceFlags::empty()).unwrap();
        device.set_budget(0, Local, Some(8 * MIB)).unwrap();
        for (value, heap) in (1..).zip(&heaps[..2]) {
            let deny = MakeResidentFlags::DENY_OVERBUDGET;
            device.enqueue_make_resident(deny, &[heap.into()], &fence, value).unwrap();
        }
        if mode == GpuMode::Stepped {
            assert_eq!(fence.completed_value(), 0, "nothing runs by itself");
            device.run_until(&fence, 1).unwrap();
            assert_eq!(fence.completed_value(), 1);
            device.run_until(&fence, 2).unwrap();
        }
        fence.wait(2).unwrap();
        let third = [(&heaps[2]).into()];
        let error =
            device.enqueue_make_resident(MakeResidentFlags::DENY_OVERBUDGET, &third, &fence, 3).unwrap_err();
        let Error::OutOfMemory(shortage) = &error else { panic!("{error}") };
        let OutOfMemory::Budget(over) = &**shortage else { panic!("{error}") };
        assert_eq!((over.budget, over.needed, over.bytes_to_trim), (8 * MIB, 8 * MIB, 4 * MIB));
        let counts: Vec<u32> =
            heaps.iter().map(|heap| device.residency_count(heap.into()).unwrap()).collect();
        assert_eq!(counts, [1, 1, 0]);
        // Without the flag, over budget is no failure.
        device.enqueue_make_resident(MakeResidentFlags::NONE, &third, &fence, 4).unwrap();
        if mode == GpuMode::Stepped {
            device.run_until(&fence, 4).unwrap();
        }
        fence.wait(4).unwrap();
        assert_eq!(local(device), 12 * MIB);
    }
}

#[test]
fn priorities_have_defaults_and_zero_is_none() {
    let device = device("discrete-8g");
    assert_eq!(Device::residency_priority(0x7800_0000).unwrap(), ResidencyPriority::NORMAL);
    refused(Device::residency_priority(0), &rules::RESIDENCY_PRIORITY);
    let heap = device.create_heap(&HeapDesc::new(MIB, HeapType::Default)).unwrap();
    device.set_residency_priority(&[((&heap).into(), ResidencyPriority::HIGH)]).unwrap();
    let reserved =
        device.create_reserved_resource(&ReservedResourceDesc::new(ResourceDesc::buffer(MIB))).unwrap();
    let wrong = [((&reserved).into(), ResidencyPriority::LOW)];
    refused(device.set_residency_priority(&wrong), &rules::RESIDENCY_PAGEABLE);
}

/// A process over its budget is demoted for another on the same adapter: render targets last, as their default
/// priority is high; and comes back once there is room.
#[test]
fn pressure_demotes_by_priority_and_goes_away() {
    let adapter = adapter(profile("discrete-8g"));
    let on = |role| Device::builder().adapter(&adapter).role(role).build().unwrap();
    let (hog, game) = (on(ProcessRole::Background), on(ProcessRole::Foreground));
    let capacity = 8 << 30;
    hog.set_budget(0, Local, Some(capacity / 2)).unwrap();
    game.set_budget(0, Local, Some(capacity)).unwrap();
    let target = CommittedResourceDesc::new(HeapType::Default, render_target(8192, 8192));
    let target = hog.create_committed_resource(&target).unwrap();
    let heaps: Vec<Heap> =
        (0..7).map(|_| hog.create_heap(&HeapDesc::new(1 << 30, HeapType::Default)).unwrap()).collect();
    // Named, so that the manager knows them.
    for heap in &heaps {
        assert_eq!(hog.residency_count(heap.into()).unwrap(), 1);
    }
    assert_eq!(hog.residency_count((&target).into()).unwrap(), 1);
    let mine = game.create_heap(&HeapDesc::new(3 << 30, HeapType::Default)).unwrap();
    assert!(!mine.is_demoted() && !target.is_demoted());
    assert!(heaps.iter().filter(|heap| heap.is_demoted()).count() >= 2);
    let statistics = adapter.paging_statistics();
    assert!(statistics.demotion_count >= 2 && statistics.bytes_demoted >= 2 << 30);
    drop(mine);
    hog.set_budget(0, Local, Some(capacity)).unwrap();
    adapter.advance_clock(60_000_000_000);
    assert!(heaps.iter().all(|heap| !heap.is_demoted()), "nothing stays in system memory for ever");
    drop((heaps, target));
    assert_empty(&hog);
}

#[test]
fn trims_are_told_until_their_cookie_is_given_back() {
    let device = device("discrete-8g");
    let heard = Arc::new(Mutex::new(Vec::new()));
    let cookie = device.register_trim_notification({
        let heard = Arc::clone(&heard);
        Arc::new(move |request: TrimRequest| heard.lock().unwrap().push(request))
    });
    let _heap = device.create_heap(&HeapDesc::new(4 * MIB, HeapType::Default)).unwrap();
    device.set_budget(0, Local, Some(MIB)).unwrap();
    assert_eq!(*heard.lock().unwrap(), [TrimRequest { periodic: None, bytes_to_trim: 3 * MIB }]);
    device.adapter().advance_clock(1_000_000_000);
    assert_eq!(heard.lock().unwrap().len(), 2);
    device.unregister_trim_notification(cookie).unwrap();
    refused(device.unregister_trim_notification(cookie), &rules::RESIDENCY_TRIM_COOKIE);
    device.adapter().advance_clock(1_000_000_000);
    assert_eq!(heard.lock().unwrap().len(), 2);
}

/// Maps tiles 0 and 1 of a buffer to the first tile of a heap each.
fn two_heaps_behind_tiles(rig: &Rig) -> (Resource, [Heap; 2]) {
    const TILE: u64 = 64 << 10;
    let buffer = rig.reserved(ResourceDesc::buffer(2 * TILE));
    let heaps = [rig.heap(MIB), rig.heap(MIB)];
    for (heap, first) in heaps.iter().zip([0, 1]) {
        let start = TiledResourceCoordinate { x: first, ..TiledResourceCoordinate::default() };
        let desc = UpdateTileMappingsDesc {
            region_start_coordinates: Some(&[start]),
            region_sizes: Some(&[TileRegionSize::tiles(1)]),
            heap: Some(heap),
            heap_range_start_offsets: Some(&[0]),
            ..UpdateTileMappingsDesc::default()
        };
        rig.queue.update_tile_mappings(&buffer, &desc).unwrap();
    }
    rig.finish().unwrap();
    (buffer, heaps)
}

#[test]
fn work_that_reaches_an_evicted_heap_through_a_tile_faults_and_other_tiles_do_not() {
    const TILE: u64 = 64 << 10;
    for mode in MODES {
        let rig = Rig::new(profile("discrete-8g"), mode);
        let (buffer, heaps) = two_heaps_behind_tiles(&rig);
        let bytes = rig.upload(&pattern(0x33, 256));
        rig.run(|list| list.copy_buffer_region(&buffer, TILE, &bytes, 0, 256).unwrap());
        rig.device.evict(&[(&heaps[1]).into()]).unwrap();
        // The first tile's heap is in memory.
        rig.run(|list| list.copy_buffer_region(&buffer, 0, &bytes, 0, 256).unwrap());
        // Back again it holds what it held.
        rig.device.make_resident(&[(&heaps[1]).into()]).unwrap();
        assert_eq!(rig.bytes(&buffer, TILE, 256), pattern(0x33, 256), "{mode:?}");
        rig.device.evict(&[(&heaps[1]).into()]).unwrap();
        let result = rig.try_run(|list| list.copy_buffer_region(&buffer, TILE, &bytes, 0, 256).unwrap());
        let Err(Error::DeviceRemoved(reason)) = &result else { panic!("{mode:?}: {result:?}") };
        let RemovalReason::Fault(fault) = &**reason else { panic!("{mode:?}: {reason}") };
        let EngineFault::PageFault { is_write, reason, .. } = &fault.fault else { panic!("{fault}") };
        assert_eq!((*is_write, *reason), (true, PageFaultReason::HeapEvicted), "{mode:?}");
    }
}

#[test]
fn a_list_that_sets_an_evicted_descriptor_heap_removes_the_device() {
    let rig = Rig::new(profile("discrete-8g"), GpuMode::Immediate);
    let heap = || {
        rig.device
            .create_descriptor_heap(&DescriptorHeapDesc {
                heap_type: DescriptorHeapType::CbvSrvUav,
                descriptor_count: 16,
                flags: DescriptorHeapFlags::SHADER_VISIBLE,
                node_mask: 0,
            })
            .unwrap()
    };
    let (set, other) = (heap(), heap());
    rig.device.evict(&[(&set).into(), (&other).into()]).unwrap();
    rig.device.make_resident(&[(&set).into()]).unwrap();
    rig.run(|list| list.set_descriptor_heaps(&[&set]).unwrap());
    rig.device.evict(&[(&set).into()]).unwrap();
    let error = rig.try_run(|list| list.set_descriptor_heaps(&[&set]).unwrap()).unwrap_err();
    let Error::DeviceRemoved(reason) = &error else { panic!("{error}") };
    let RemovalReason::InvalidCall(violation) = &**reason else { panic!("{error}") };
    assert_eq!(*violation.rule, rules::EXECUTE_EVICTED);
    assert!(violation.given.contains("CBV_SRV_UAV"), "{violation}");
}

#[test]
fn a_list_tells_the_heaps_that_it_needs() {
    let rig = Rig::new(profile("discrete-8g"), GpuMode::Immediate);
    let (buffer, heaps) = two_heaps_behind_tiles(&rig);
    let (from, to) = (rig.buffer(HeapType::Default, MIB), rig.buffer(HeapType::Default, MIB));
    let mut list = rig.list();
    list.copy_buffer_region(&to, 0, &from, 0, 256).unwrap();
    list.copy_buffer_region(&to, 0, &buffer, 0, 256).unwrap();
    list.close().unwrap();
    // A tiled resource is touched first when the list runs.
    rig.queue.execute_command_lists(&[&list]).unwrap();
    let mut uses: Vec<(GpuVirtualAddress, bool)> =
        list.memory_uses().unwrap().iter().map(|used| (used.heap, used.is_written)).collect();
    uses.sort_unstable();
    let mut wanted = vec![
        (to.heap_address().unwrap(), true),
        (from.heap_address().unwrap(), false),
        (heaps[0].gpu_virtual_address(), false),
        (heaps[1].gpu_virtual_address(), false),
    ];
    wanted.sort_unstable();
    assert_eq!(uses, wanted);
    assert_eq!(buffer.heap_address(), None);
}
