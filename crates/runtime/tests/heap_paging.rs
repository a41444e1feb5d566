//! Heaps whose bytes move as the memory manager decides: what it wants is carried out, in order with GPU work.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;
#[path = "common/rig.rs"]
mod rig;

use core::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use common::counting::CountingFactory;
use common::*;
use heapstone::spec::commands::FenceFlags;
use heapstone::spec::tiles::{TileRegionSize, TiledResourceCoordinate};
use heapstone::*;
use heapstone_driver_soft::SoftDriverFactory;
use rig::{MODES, Rig, moving_adapter};

use SegmentGroup::Local;

const MIB: u64 = 1 << 20;
const TILE: u64 = 64 << 10;

fn pattern(seed: u8, size: u64) -> Vec<u8> {
    (0..size).map(|at| u8::try_from(at % 251).unwrap() ^ seed).collect()
}

fn moved(device: &Device) -> HeapPagingStatistics {
    device.adapter().heap_paging_statistics().unwrap()
}

/// A profile whose segments have so many bytes each.
fn small(size: u64) -> Profile {
    let mut profile = profile("discrete-8g");
    for segment in &mut profile.memory.segments {
        (segment.size, segment.cpu_visible_size) = (size, size);
    }
    profile
}

fn fill(rig: &Rig, to: &Resource, offset: u64, bytes: &[u8]) {
    let upload = rig.upload(bytes);
    rig.run(|list| list.copy_buffer_region(to, offset, &upload, 0, bytes.len() as u64).unwrap());
}

#[test]
fn evicted_bytes_leave_and_come_back_while_others_have_their_place() {
    for mode in MODES {
        let rig = Rig::moving(profile("discrete-8g"), mode);
        let heap = rig.heap(MIB);
        let placed = PlacedResourceDesc::new(ResourceDesc::buffer(MIB));
        let first = rig.device.create_placed_resource(&heap, 0, &placed).unwrap();
        fill(&rig, &first, 0, &pattern(0x5a, MIB));
        let place: Vec<_> = heap.physical_ranges().collect();
        rig.device.evict(&[(&heap).into()]).unwrap();
        assert_eq!(moved(&rig.device).bytes_written_back, MIB);
        // Another has its place, is zero there, and is written.
        let other = rig.heap(MIB);
        assert_eq!(other.physical_ranges().collect::<Vec<_>>(), place);
        let other_buffer = rig.device.create_placed_resource(&other, 0, &placed).unwrap();
        assert_eq!(rig.bytes(&other_buffer, 0, MIB), vec![0; 1 << 20], "{mode:?}");
        fill(&rig, &other_buffer, 0, &pattern(0xff, MIB));
        rig.device.make_resident(&[(&heap).into()]).unwrap();
        assert_eq!(rig.bytes(&first, 0, MIB), pattern(0x5a, MIB), "{mode:?}");
        assert_eq!(rig.bytes(&other_buffer, 0, MIB), pattern(0xff, MIB), "{mode:?}");
        let statistics = moved(&rig.device);
        assert_eq!((statistics.bytes_paged_in, statistics.bytes_written_back), (MIB, MIB));
        assert!(statistics.busy_ns > 0);
    }
}

/// What was not written since it came back is dropped: the store's copy is good. What was written is not.
#[test]
fn what_is_clean_is_dropped_and_what_is_written_is_saved() {
    for mode in MODES {
        let rig = Rig::moving(profile("discrete-8g"), mode);
        let buffer = rig.buffer(HeapType::Default, MIB);
        fill(&rig, &buffer, 0, &pattern(1, MIB));
        let around = || {
            rig.device.evict(&[(&buffer).into()]).unwrap();
            rig.device.make_resident(&[(&buffer).into()]).unwrap();
        };
        around();
        around();
        assert_eq!(moved(&rig.device).bytes_written_back, MIB, "the second time there is a copy");
        assert_eq!(rig.bytes(&buffer, 0, MIB), pattern(1, MIB));
        around();
        assert_eq!(moved(&rig.device).bytes_written_back, MIB, "reading makes nothing dirty");
        fill(&rig, &buffer, MIB / 2, &pattern(2, 256));
        around();
        assert_eq!(moved(&rig.device).bytes_written_back, 2 * MIB);
        assert_eq!(rig.bytes(&buffer, MIB / 2, 256), pattern(2, 256), "{mode:?}");
        assert_eq!(rig.bytes(&buffer, 0, 256), pattern(1, 256), "{mode:?}");
    }
}

/// Tiles show the heap wherever it comes back to, and what is written through them is kept.
#[test]
fn tiles_follow_their_heap_and_writes_through_them_are_saved() {
    for mode in MODES {
        let rig = Rig::moving(profile("discrete-8g"), mode);
        let buffer = rig.reserved(ResourceDesc::buffer(2 * TILE));
        let heap = rig.heap(MIB);
        let start = TiledResourceCoordinate { x: 1, ..TiledResourceCoordinate::default() };
        let desc = UpdateTileMappingsDesc {
            region_start_coordinates: Some(&[start]),
            region_sizes: Some(&[TileRegionSize::tiles(1)]),
            heap: Some(&heap),
            heap_range_start_offsets: Some(&[3]),
            ..UpdateTileMappingsDesc::default()
        };
        rig.queue.update_tile_mappings(&buffer, &desc).unwrap();
        for seed in 1..4 {
            fill(&rig, &buffer, TILE, &pattern(seed, TILE));
            rig.device.evict(&[(&heap).into()]).unwrap();
            let _in_its_place = rig.heap(MIB);
            rig.device.make_resident(&[(&heap).into()]).unwrap();
            assert_eq!(rig.bytes(&buffer, TILE, TILE), pattern(seed, TILE), "{mode:?}, round {seed}");
        }
        rig.device.evict(&[(&heap).into()]).unwrap();
        let upload = rig.upload(&pattern(9, 256));
        let result = rig.try_run(|list| list.copy_buffer_region(&buffer, TILE, &upload, 0, 256).unwrap());
        let Err(Error::DeviceRemoved(reason)) = &result else { panic!("{mode:?}: {result:?}") };
        let RemovalReason::Fault(fault) = &**reason else { panic!("{mode:?}: {reason}") };
        let EngineFault::PageFault { reason, .. } = &fault.fault else { panic!("{fault}") };
        assert_eq!(*reason, PageFaultReason::HeapEvicted, "{mode:?}");
    }
}

/// Submitted before residency knew of the heap, and evicted before it ran: it leaves when the work has ended.
#[test]
fn what_is_in_flight_stays_though_residency_hears_of_it_later() {
    let rig = Rig::moving(profile("discrete-8g"), GpuMode::Stepped);
    let buffer = rig.buffer(HeapType::Default, MIB);
    let upload = rig.upload(&pattern(7, MIB));
    let fence = rig.device.create_fence(0, FenceFlags::empty()).unwrap();
    let mut list = rig.list();
    list.copy_buffer_region(&buffer, 0, &upload, 0, MIB).unwrap();
    list.close().unwrap();
    rig.queue.execute_command_lists(&[&list]).unwrap();
    rig.queue.signal(&fence, 1).unwrap();
    rig.device.evict(&[(&buffer).into()]).unwrap();
    assert_eq!(moved(&rig.device).bytes_written_back, 0, "the work has not begun");
    rig.device.run_until(&fence, 1).unwrap();
    assert_eq!(moved(&rig.device).bytes_written_back, MIB);
    rig.device.make_resident(&[(&buffer).into()]).unwrap();
    assert_eq!(rig.bytes(&buffer, 0, MIB), pattern(7, MIB));
    // And of one that residency knows.
    let mut list = rig.list();
    list.copy_buffer_region(&buffer, 0, &upload, 1, MIB - 1).unwrap();
    list.close().unwrap();
    rig.queue.execute_command_lists(&[&list]).unwrap();
    rig.queue.signal(&fence, 2).unwrap();
    rig.device.evict(&[(&buffer).into()]).unwrap();
    assert_eq!(moved(&rig.device).bytes_written_back, MIB);
    rig.device.run_until(&fence, 2).unwrap();
    assert_eq!(moved(&rig.device).bytes_written_back, 2 * MIB);
    rig.device.make_resident(&[(&buffer).into()]).unwrap();
    assert_eq!(rig.bytes(&buffer, 0, MIB - 1), pattern(7, MIB)[1..]);
}

/// Demotion moves bytes to system memory, promotion back; and textures keep their texels.
#[test]
fn demoted_and_promoted_heaps_keep_their_bytes() {
    for mode in MODES {
        let adapter = moving_adapter(small(64 * MIB));
        let on = |role| Device::builder().adapter(&adapter).role(role).gpu_mode(mode).build().unwrap();
        let (hog, game) = (Rig::on(on(ProcessRole::Background)), on(ProcessRole::Foreground));
        hog.device.set_budget(0, Local, Some(16 * MIB)).unwrap();
        game.set_budget(0, Local, Some(64 * MIB)).unwrap();
        let buffers: Vec<Resource> = (0..6).map(|_| hog.buffer(HeapType::Default, 8 * MIB)).collect();
        for (seed, buffer) in (1..).zip(&buffers) {
            fill(&hog, buffer, 8 * MIB - TILE, &pattern(seed, TILE));
        }
        let mine = game.create_heap(&HeapDesc::new(40 * MIB, HeapType::Default)).unwrap();
        let check = |what: &str| {
            for (seed, buffer) in (1..).zip(&buffers) {
                let bytes = hog.bytes(buffer, 8 * MIB - TILE, TILE);
                assert_eq!(bytes, pattern(seed, TILE), "{mode:?}: buffer {seed}, {what}");
            }
        };
        let statistics = adapter.paging_statistics();
        assert!(statistics.demotion_count >= 3, "{statistics:?}");
        assert_eq!(moved(&game).bytes_moved, statistics.bytes_demoted);
        check("demoted");
        drop(mine);
        hog.device.set_budget(0, Local, Some(64 * MIB)).unwrap();
        adapter.advance_clock(60_000_000_000);
        let statistics = adapter.paging_statistics();
        assert_eq!(statistics.promotion_count, statistics.demotion_count);
        assert_eq!(moved(&game).bytes_moved, statistics.bytes_demoted + statistics.bytes_promoted);
        check("promoted");
    }
}

/// The system has no memory for what is to come back: the call fails, and all is as before.
#[test]
fn a_page_in_that_finds_no_memory_leaves_the_state_before() {
    let factory = CountingFactory::default();
    factory.watch.moves_heaps.store(true, Ordering::SeqCst);
    let device = Device::builder().profile(profile("discrete-8g")).driver(&factory).build().unwrap();
    let rig = Rig::on(device);
    let heaps: Vec<Resource> = (0..3).map(|_| rig.buffer(HeapType::Default, MIB)).collect();
    for (seed, heap) in (1..).zip(&heaps) {
        fill(&rig, heap, 0, &pattern(seed, MIB));
    }
    let all: Vec<Pageable<'_>> = heaps.iter().map(Pageable::from).collect();
    rig.device.evict(&all).unwrap();
    for failing in 1..=3 {
        let before = footprint(&rig.device);
        // The first `failing` operations fail: those after them succeed, and are undone.
        factory.watch.failing_page_ins.store(failing, Ordering::SeqCst);
        let error = rig.device.make_resident(&all).unwrap_err();
        assert!(
            matches!(&error, Error::OutOfMemory(reason) if matches!(**reason, OutOfMemory::System(_))),
            "{error}"
        );
        assert_eq!(factory.watch.failing_page_ins.load(Ordering::SeqCst), 0);
        assert_eq!(footprint(&rig.device), before);
        assert!(all.iter().all(|heap| rig.device.residency_count(*heap).unwrap() == 0));
    }
    rig.device.make_resident(&all).unwrap();
    for (seed, heap) in (1..).zip(&heaps) {
        assert_eq!(rig.bytes(heap, 0, MIB), pattern(seed, MIB));
    }
}

/// What the CPU can access stays where its address is, and what processes share where all have it.
#[test]
fn heaps_with_an_address_stay() {
    let rig = Rig::moving(profile("discrete-8g"), GpuMode::Immediate);
    let upload = rig.upload(&pattern(3, MIB));
    let address = upload.map(0, None, MapPointer::Wanted).unwrap().pointer.unwrap();
    let shared = HeapDesc::new(MIB, HeapType::Default).with_flags(HeapFlags::SHARED);
    let shared = rig.device.create_heap(&shared).unwrap();
    let placed = PlacedResourceDesc::new(ResourceDesc::buffer(MIB));
    let placed = rig.device.create_placed_resource(&shared, 0, &placed).unwrap();
    rig.run(|list| list.copy_buffer_region(&placed, 0, &upload, 0, MIB).unwrap());
    let both: [Pageable<'_>; 2] = [(&upload).into(), (&shared).into()];
    rig.device.evict(&both).unwrap();
    upload.write(0, &pattern(4, 256)).unwrap();
    assert_eq!(upload.map(0, None, MapPointer::Wanted).unwrap().pointer, Some(address));
    rig.device.make_resident(&both).unwrap();
    assert_eq!(rig.bytes(&placed, 0, MIB), pattern(3, MIB));
    assert_eq!(rig.bytes(&upload, 0, 256), pattern(4, 256));
    assert_eq!(moved(&rig.device), HeapPagingStatistics::default());
    assert_eq!(rig.device.adapter().paging_statistics().bytes_paged_in, 2 * MIB, "decided all the same");
}

#[test]
fn bytes_stay_in_place_unless_asked_and_phantoms_have_none() {
    let in_place = Rig::new(profile("discrete-8g"), GpuMode::Immediate);
    assert!(!in_place.device.adapter().moves_heaps());
    let options = heapstone_driver_soft::SoftDriverOptions {
        paging_bytes: heapstone_driver_soft::PagingBytes::Moved,
        ..Default::default()
    };
    let phantom =
        Adapter::open(profile("discrete-8g"), &SoftDriverFactory { options }, Backing::Phantom).unwrap();
    assert_eq!(phantom.heap_paging_statistics(), None);
}

#[test]
fn a_heap_that_is_created_evicted_begins_as_zeros_and_keeps_what_it_gets() {
    for mode in MODES {
        let rig = Rig::moving(profile("discrete-8g"), mode);
        let desc = HeapDesc::new(MIB, HeapType::Default).with_flags(HeapFlags::CREATE_NOT_RESIDENT);
        let heap = rig.device.create_heap(&desc).unwrap();
        let placed = PlacedResourceDesc::new(ResourceDesc::buffer(MIB));
        let buffer = rig.device.create_placed_resource(&heap, 0, &placed).unwrap();
        let fence = rig.device.create_fence(0, FenceFlags::empty()).unwrap();
        rig.device.enqueue_make_resident(MakeResidentFlags::NONE, &[(&heap).into()], &fence, 1).unwrap();
        rig.queue.wait(&fence, 1).unwrap();
        if mode == GpuMode::Stepped {
            rig.device.run_until(&fence, 1).unwrap();
        }
        assert_eq!(rig.bytes(&buffer, 0, MIB), vec![0; 1 << 20], "{mode:?}");
        assert_eq!(moved(&rig.device).bytes_filled, MIB);
        fill(&rig, &buffer, 0, &pattern(5, MIB));
        rig.device.evict(&[(&heap).into()]).unwrap();
        rig.device.make_resident(&[(&heap).into()]).unwrap();
        assert_eq!(rig.bytes(&buffer, 0, MIB), pattern(5, MIB), "{mode:?}");
    }
}

struct Listener(Mutex<Vec<HeapPagingStatistics>>);

impl Observer for Listener {
    fn observe(&self, _: &Call<'_>) {}

    fn paged(&self, statistics: &HeapPagingStatistics) {
        self.0.lock().unwrap().push(*statistics);
    }
}

#[test]
fn an_observer_hears_what_was_paged() {
    let listener = Arc::new(Listener(Mutex::default()));
    let adapter = moving_adapter(profile("discrete-8g"));
    let observer: Arc<dyn Observer> = Arc::<Listener>::clone(&listener);
    let device = Device::builder().adapter(&adapter).observer(observer).build().unwrap();
    let rig = Rig::on(device);
    let heap = rig.heap(MIB);
    assert!(listener.0.lock().unwrap().is_empty(), "nothing was paged");
    rig.device.evict(&[(&heap).into()]).unwrap();
    rig.device.make_resident(&[(&heap).into()]).unwrap();
    let heard = listener.0.lock().unwrap();
    let bytes: Vec<_> = heard.iter().map(|now| (now.bytes_written_back, now.bytes_paged_in)).collect();
    assert_eq!(bytes, [(MIB, 0), (MIB, MIB)]);
}

/// Heaps come and go on threads of their own while engines work on others: every byte is where it should be.
#[test]
fn threads_page_while_engines_work() {
    let adapter = moving_adapter(small(32 * MIB));
    std::thread::scope(|scope| {
        for thread in 0..3_u8 {
            let adapter = &adapter;
            scope.spawn(move || {
                let device = Device::builder().adapter(adapter).gpu_mode(GpuMode::Threaded).build().unwrap();
                let rig = Rig::on(device);
                let scratch = rig.buffer(HeapType::Default, MIB);
                let buffers: Vec<Resource> = (0..4).map(|_| rig.buffer(HeapType::Default, MIB)).collect();
                for (index, buffer) in (0..).zip(&buffers) {
                    fill(&rig, buffer, 0, &pattern(thread * 16 + index, MIB));
                }
                for round in 0..24_usize {
                    let (out, work) = (&buffers[round % 4], &buffers[(round + 1) % 4]);
                    rig.device.evict(&[out.into()]).unwrap();
                    rig.run(|list| list.copy_buffer_region(&scratch, 0, work, 0, MIB).unwrap());
                    rig.device.make_resident(&[out.into()]).unwrap();
                    let index = u8::try_from(round % 4).unwrap();
                    assert_eq!(rig.bytes(out, 0, MIB), pattern(thread * 16 + index, MIB));
                }
            });
        }
    });
}
