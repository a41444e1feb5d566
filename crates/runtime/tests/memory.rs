//! Usage, budgets, running out of memory and of addresses (spec/2-resource-heaps.txt 1533-1571, 1641-1642;
//! facts/residency.md).
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::sync::{Arc, Mutex};

use common::*;
use heapstone::spec::caps::TiledResourcesTier;
use heapstone::spec::rules::mapping as rules;
use heapstone::{
    Adapter, Backing, BudgetChange, BuildError, CommittedResourceDesc, Device, Error, Heap, HeapDesc,
    HeapFlags, HeapProperties, HeapType, OutOfMemory, PlacedResourceDesc, ProcessRole, ReservedResourceDesc,
    Resource, ResourceDesc, SdkVersion, SegmentGroup, VideoMemoryInfo,
};

use SegmentGroup::{Local, NonLocal};

fn told(device: &Device, node: u32, group: SegmentGroup) -> VideoMemoryInfo {
    device.query_video_memory_info(node, group).unwrap()
}

fn budget(device: &Device) -> u64 {
    told(device, 0, Local).budget
}

fn commit(device: &Device, heap_type: HeapType, width: u64) -> Result<Resource, Error> {
    device.create_committed_resource(&CommittedResourceDesc::new(heap_type, ResourceDesc::buffer(width)))
}

fn heap(device: &Device, size: u64) -> Result<Heap, Error> {
    device.create_heap(&HeapDesc::new(size, HeapType::Default))
}

#[track_caller]
fn shortage<T: core::fmt::Debug>(result: Result<T, Error>) -> (OutOfMemory, String) {
    let error = result.expect_err("there is no memory left");
    let text = error.to_string();
    assert!(error.violation().is_none() && error.is_out_of_memory(), "{text}");
    match error {
        Error::OutOfMemory(shortage) => (*shortage, text),
        _ => panic!("{text}"),
    }
}

/// A process alone is budgeted the share of the profile: 95 per cent of 8 and 16 GiB; 90 of 16 GiB.
#[test]
fn budgets_of_a_process_alone() {
    let discrete = device("discrete-8g");
    assert_eq!(
        (told(&discrete, 0, Local).budget, told(&discrete, 0, NonLocal).budget),
        (8_160_437_862, 16_320_875_724)
    );
    let uma = device("integrated-uma");
    assert_eq!(told(&uma, 0, Local).budget, 15_461_882_265);
    for name in ["integrated-uma", "cache-coherent-uma", "software", "limited-va"] {
        let device = device(name);
        let _heap = device
            .create_heap(&HeapDesc::new(MIB, HeapType::Upload).with_flags(HeapFlags::ALLOW_ONLY_BUFFERS))
            .unwrap();
        assert_eq!(
            told(&device, 0, NonLocal),
            VideoMemoryInfo::default(),
            "{name}: UMA has no non-local group"
        );
        assert_eq!(told(&device, 0, Local).current_usage, MIB, "{name}");
    }
}

#[test]
fn usage_rises_and_returns_exactly() {
    let device = device("discrete-8g");
    let mut objects: Vec<Box<dyn core::any::Any>> = Vec::new();
    let mut expected = (0, 0);
    for step in 1..=20_u64 {
        objects.push(Box::new(heap(&device, step * 100_000).unwrap()));
        expected.0 += (step * 100_000).next_multiple_of(65_536);
        objects.push(Box::new(commit(&device, HeapType::Upload, step).unwrap()));
        expected.1 += 65_536;
        let tight = CommittedResourceDesc::new(HeapType::Default, tight_buffer(step * 1000));
        objects.push(Box::new(device.create_committed_resource(&tight).unwrap()));
        expected.0 += (step * 1000).next_multiple_of(4096);
        assert_eq!(
            (told(&device, 0, Local).current_usage, told(&device, 0, NonLocal).current_usage),
            expected
        );
    }
    drop(objects);
    assert_empty(&device);
}

#[test]
fn nodes_have_memory_of_their_own() {
    let device = device("linked-two-nodes");
    let on = |mask, heap_type| {
        let properties = HeapProperties::new(heap_type).with_nodes(mask, mask);
        device.create_heap(&heap_of(MIB, properties, HeapFlags::empty())).unwrap()
    };
    let heaps = [
        on(1, HeapType::Default),
        on(2, HeapType::Default),
        on(2, HeapType::Default),
        on(2, HeapType::Upload),
    ];
    let usage = |node, group| told(&device, node, group).current_usage;
    assert_eq!(
        [usage(0, Local), usage(0, NonLocal), usage(1, Local), usage(1, NonLocal)],
        [MIB, 0, 2 * MIB, MIB]
    );
    for (node, group) in [(2, Local), (u32::MAX, NonLocal)] {
        let violation = refused(device.query_video_memory_info(node, group), &rules::QUERY_NODE);
        says(&violation, "NodeIndex", &[&node.to_string()], &["0 to 1"]);
        refused(device.set_budget(node, group, None), &rules::QUERY_NODE);
        refused(device.set_video_memory_reservation(node, group, 0), &rules::QUERY_NODE);
        refused(device.adapter().set_external_usage(node, group, 0), &rules::QUERY_NODE);
    }
    drop(heaps);
    assert_empty(&device);
}

#[test]
fn processes_share_memory_and_budgets() {
    let adapter: Adapter = adapter(profile("discrete-8g"));
    let build = |role| Device::builder().adapter(&adapter).role(role).build().unwrap();
    let game = build(ProcessRole::Foreground);
    let alone = budget(&game);
    let other = build(ProcessRole::Background);
    let (favoured, background) = (budget(&game), budget(&other));
    assert!(alone > favoured && favoured > background && background > 0);
    assert!(favoured + background <= alone);
    game.set_role(ProcessRole::Background);
    assert!(budget(&game) < favoured, "going to the background never raises a budget");
    game.set_role(ProcessRole::Foreground);
    let heap = heap(&other, GIB).unwrap();
    assert_eq!((usage(&game), usage(&other)), (vec![0, 0], vec![GIB, 0]), "usage is each process's own");
    adapter.set_external_usage(0, Local, GIB).unwrap();
    assert!(budget(&game) < favoured, "less free memory, less budget");
    adapter.set_external_usage(0, Local, 0).unwrap();
    drop((heap, other));
    assert_eq!(budget(&game), alone);
}

#[test]
fn a_budget_set_outright_is_told_once_for_each_change() {
    let device = device("discrete-8g");
    let formula = budget(&device);
    let changes = Arc::new(Mutex::new(Vec::<BudgetChange>::new()));
    let list = Arc::clone(&changes);
    let cookie = device.register_video_memory_budget_change_notification(Arc::new(move |change| {
        list.lock().unwrap().push(change);
    }));
    let take = || -> Vec<(u64, u64)> {
        let changes = core::mem::take(&mut *changes.lock().unwrap());
        changes.iter().map(|change| (change.previous, change.current)).collect()
    };
    device.set_budget(0, Local, Some(100 * MIB)).unwrap();
    assert_eq!(take(), [(formula, 100 * MIB)]);
    assert_eq!(budget(&device), 100 * MIB);
    device.set_budget(0, Local, Some(100 * MIB)).unwrap();
    assert_eq!(take(), [], "the same budget is no change");
    let over = heap(&device, GIB).unwrap();
    assert_eq!(
        (take(), budget(&device)),
        (vec![], 100 * MIB),
        "a budget is no limit, and usage changes none"
    );
    device.set_budget(0, Local, Some(0)).unwrap();
    device.set_budget(0, NonLocal, Some(5)).unwrap();
    device.set_budget(0, Local, None).unwrap();
    assert_eq!(take(), [(100 * MIB, 0), (16_320_875_724, 5), (0, formula)]);
    assert!(device.unregister_video_memory_budget_change_notification(cookie));
    assert!(!device.unregister_video_memory_budget_change_notification(cookie));
    device.set_budget(0, Local, Some(1)).unwrap();
    assert_eq!(take(), []);
    drop(over);
    assert_empty(&device);
}

#[test]
fn a_reservation_raises_no_budget() {
    let device = device("discrete-8g");
    let before = told(&device, 0, Local);
    assert!(before.available_for_reservation > 0 && before.available_for_reservation <= before.budget);
    device.set_video_memory_reservation(0, Local, before.available_for_reservation).unwrap();
    let after = told(&device, 0, Local);
    assert_eq!((after.current_reservation, after.budget), (before.available_for_reservation, before.budget));
    let over = before.available_for_reservation + 1;
    let violation = refused(device.set_video_memory_reservation(0, Local, over), &rules::RESERVATION);
    says(&violation, "Reservation", &[&over.to_string()], &[&before.available_for_reservation.to_string()]);
    assert_eq!(told(&device, 0, Local), after);
}

/// 2 GiB of video memory and 8 GiB of system memory: what does not fit is demoted, then refused.
#[test]
fn a_full_card_demotes_and_then_refuses() {
    let device = device("discrete-tier1-2g");
    let mut buffers: Vec<Resource> =
        (0..32).map(|_| commit(&device, HeapType::Default, 64 * MIB).unwrap()).collect();
    assert!(buffers.iter().all(|buffer| !buffer.is_demoted() && buffer.segment_group() == Some(Local)));
    assert_eq!(usage(&device), [2 * GIB, 0]);
    for _ in 0..128 {
        let buffer = commit(&device, HeapType::Default, 64 * MIB).unwrap();
        assert!(buffer.is_demoted() && buffer.segment_group() == Some(NonLocal));
        buffers.push(buffer);
    }
    assert_eq!(usage(&device), [2 * GIB, 8 * GIB]);
    let before = footprint(&device);
    for heap_type in [HeapType::Default, HeapType::Upload] {
        let (reason, text) = shortage(commit(&device, heap_type, 1));
        assert!(matches!(reason, OutOfMemory::VideoMemory(_)), "{text}");
        assert!(text.contains("system"), "it names the segments: {text}");
        assert!(heap_type == HeapType::Upload || text.contains("video"), "{text}");
        assert_eq!(footprint(&device), before, "nothing is taken");
    }
    drop(buffers.remove(0));
    let buffer = commit(&device, HeapType::Default, 64 * MIB).unwrap();
    assert!(!buffer.is_demoted(), "freed memory is there at once");
    assert!(commit(&device, HeapType::Upload, 1).is_err(), "UPLOAD never lies in video memory");
    drop((buffers, buffer));
    assert_empty(&device);
}

#[test]
fn a_heap_larger_than_everything_is_refused_with_figures() {
    let device = device("discrete-tier1-2g");
    let desc = HeapDesc::new(9 * GIB, HeapType::Default).with_flags(HeapFlags::ALLOW_ONLY_BUFFERS);
    let (reason, text) = shortage(device.create_heap(&desc));
    assert!(matches!(reason, OutOfMemory::VideoMemory(_)), "{text}");
    for figure in ["9 GiB", "2 GiB", "8 GiB"] {
        assert!(text.contains(figure), "{text}");
    }
    assert_empty(&device);
}

/// An adapter of 31 bits of address that can reserve.
fn limited_va() -> Device {
    let mut profile = profile("limited-va");
    profile.caps.tiled_resources_tier = TiledResourcesTier::Tier1;
    device_of(profile, SdkVersion::LATEST, Backing::Phantom)
}

/// spec/2-resource-heaps.txt 1642: a heap of 32 MiB and a reserved resource of 32 MiB consume 64 MiB.
#[test]
fn a_heap_alone_takes_addresses() {
    let device = limited_va();
    let used = || device.gpu_virtual_address_statistics().used;
    let buffers = HeapDesc::new(32 * MIB, HeapType::Default).with_flags(HeapFlags::ALLOW_ONLY_BUFFERS);
    let heap = device.create_heap(&buffers).unwrap();
    assert_eq!(used(), 32 * MIB);
    let reserved =
        device.create_reserved_resource(&ReservedResourceDesc::new(ResourceDesc::buffer(32 * MIB))).unwrap();
    assert_eq!(used(), 64 * MIB);
    let placed = PlacedResourceDesc::new(ResourceDesc::buffer(MIB));
    let placed = device.create_placed_resource(&heap, 0, &placed).unwrap();
    assert_eq!(used(), 64 * MIB, "a placed buffer has its heap's addresses");
    drop((heap, placed));
    assert_eq!(used(), 32 * MIB);
    drop(reserved);
    assert_empty(&device);
}

#[test]
fn addresses_of_31_bits_run_out_before_memory() {
    let device = limited_va();
    let buffers = HeapDesc::new(32 * MIB, HeapType::Default).with_flags(HeapFlags::ALLOW_ONLY_BUFFERS);
    // 64 would be all of 2 GiB, of which the first page is never handed out.
    let mut heaps: Vec<Heap> = (0..63).map(|_| device.create_heap(&buffers).unwrap()).collect();
    let before = footprint(&device);
    let reserved =
        || device.create_reserved_resource(&ReservedResourceDesc::new(ResourceDesc::buffer(32 * MIB)));
    for (reason, text) in [
        shortage(device.create_heap(&buffers)),
        shortage(reserved()),
        shortage(commit(&device, HeapType::Default, 32 * MIB)),
    ] {
        assert!(matches!(reason, OutOfMemory::VirtualAddress(_)), "{text}");
        assert!(text.contains("32 MiB") && text.contains("31"), "{text}");
    }
    assert_eq!(footprint(&device), before);
    heaps.pop();
    let buffer = reserved().unwrap();
    assert!(buffer.gpu_virtual_address().0 + 32 * MIB <= 1 << 31);
    drop((heaps, buffer));
    assert_empty(&device);
}

#[test]
fn a_resource_larger_than_its_addresses_is_refused() {
    let device = limited_va();
    let violation = refused(
        commit(&device, HeapType::Default, (1 << 31) + 1),
        &heapstone::spec::rules::description::SIZE,
    );
    says(&violation, "", &["2147483649"], &["2 GiB", "31"]);
    assert_empty(&device);
}

#[test]
fn devices_of_one_adapter_have_addresses_of_their_own() {
    let adapter: Adapter = adapter(profile("limited-va"));
    let build = || Device::builder().adapter(&adapter).build().unwrap();
    let (first, second) = (build(), build());
    let desc = HeapDesc::new(GIB, HeapType::Default).with_flags(HeapFlags::ALLOW_ONLY_BUFFERS);
    let heaps = [first.create_heap(&desc).unwrap(), second.create_heap(&desc).unwrap()];
    assert_eq!(first.gpu_virtual_address_statistics().used, GIB);
    assert_eq!(adapter.segments().map(|(_, statistics)| statistics.used).sum::<u64>(), 2 * GIB);
    drop(heaps);
    assert_empty(&first);
    assert_empty(&second);
}

#[test]
fn a_builder_says_what_it_lacks() {
    let adapter: Adapter = adapter(profile("discrete-8g"));
    let factory = heapstone_driver_soft::SoftDriverFactory::default();
    for builder in [
        Device::builder(),
        Device::builder().profile(profile("discrete-8g")),
        Device::builder().driver(&factory),
        Device::builder().adapter(&adapter).profile(profile("software")),
    ] {
        let error = builder.build().unwrap_err();
        let Error::Build(error) = error else { panic!("{error}") };
        assert!(matches!(*error, BuildError::Incomplete { .. }), "{error}");
    }
    let mut broken = profile("discrete-8g");
    broken.gpu_va.bits_per_process = 12;
    let error = Device::builder().profile(broken).driver(&factory).build().unwrap_err();
    let Error::Build(error) = error else { panic!("{error}") };
    assert!(matches!(*error, BuildError::Profile(_)) && error.to_string().contains("31 to 57"), "{error}");
    let device = Device::builder().adapter(&adapter).build().unwrap();
    assert_eq!((device.sdk(), device.profile().name.as_str()), (SdkVersion::LATEST, "discrete-8g"));
}
