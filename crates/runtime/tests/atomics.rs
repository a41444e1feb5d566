//! ALLOW_SHADER_ATOMICS in all its cases, and the cap on what peers reach (spec/2-resource-heaps.txt
//! 1460-1522).
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use common::counting::CountingFactory;
use common::*;
use heapstone::spec::rules::heap as rules;
use heapstone::{
    Adapter, Backing, CommittedResourceDesc, CpuPageProperty, Device, Error, Heap, HeapFlags, HeapProperties,
    HeapType, MemoryPool, OutOfMemory, Profile, ResourceDesc, ResourceFlags, SdkVersion,
};

const ATOMICS: HeapFlags = HeapFlags::ALLOW_SHADER_ATOMICS;
/// On node 0, seen by node 1 as well.
const PEER: (u32, u32) = (1, 3);

/// Two linked cards whose shaders' atomics do not reach each other.
fn without_atomics() -> Profile {
    let mut profile = profile("linked-two-nodes");
    profile.caps.cross_node_atomic_shader_instructions = false;
    profile
}

/// A device, and what its driver was told.
fn watched(profile: Profile) -> (Device, CountingFactory) {
    let factory = CountingFactory::default();
    let device = Device::builder().profile(profile).driver(&factory).backing(Backing::Phantom).build();
    (device.unwrap(), factory)
}

fn create(
    device: &Device,
    size: u64,
    properties: HeapProperties,
    (creation, visible): (u32, u32),
    flags: HeapFlags,
) -> Result<Heap, Error> {
    device.create_heap(&heap_of(size, properties.with_nodes(creation, visible), flags))
}

const DEFAULT: HeapProperties = HeapProperties::new(HeapType::Default);
const CUSTOM_L0: HeapProperties = HeapProperties::custom(CpuPageProperty::WriteBack, MemoryPool::L0);
const CUSTOM_L1: HeapProperties = HeapProperties::custom(CpuPageProperty::NotAvailable, MemoryPool::L1);

/// 1509-1510: the most common heaps succeed everywhere, and the driver does not see the flag.
#[test]
fn a_default_heap_of_one_node_succeeds_everywhere() {
    for name in heapstone::Profile::builtin_names() {
        let (device, factory) = watched(profile(name));
        let heap =
            create(&device, 128 * MIB, DEFAULT, (0, 0), ATOMICS | HeapFlags::ALLOW_ONLY_BUFFERS).unwrap();
        assert!(!factory.watch.last_heap().deny_demotion, "{name}");
        drop(heap);
        assert_empty(&device);
    }
}

/// 1511-1512: peer-visible DEFAULT heaps succeed only with the tier; the driver sees the flag.
#[test]
fn a_peer_visible_default_heap_needs_atomics_between_nodes() {
    let (device, factory) = watched(profile("linked-two-nodes"));
    create(&device, MIB, DEFAULT, PEER, ATOMICS).unwrap();
    assert!(factory.watch.last_heap().deny_demotion);
    create(&device, MIB, DEFAULT, (2, 3), ATOMICS).unwrap();
    assert!(factory.watch.last_heap().deny_demotion);
    create(&device, MIB, DEFAULT, PEER, HeapFlags::empty()).unwrap();
    assert!(!factory.watch.last_heap().deny_demotion, "without the flag");

    let (device, _) = watched(without_atomics());
    let violation = refused(create(&device, MIB, DEFAULT, PEER, ATOMICS), &rules::ATOMICS_PEER);
    says(&violation, "Flags", &["ALLOW_SHADER_ATOMICS", "0x3"], &["0x1", "FALSE"]);
    create(&device, MIB, DEFAULT, PEER, HeapFlags::empty()).unwrap();
    create(&device, MIB, DEFAULT, (2, 2), ATOMICS).unwrap();
    assert_empty(&device);
}

/// 1513-1514: CPU-visible abstractions fail.
#[test]
fn upload_and_readback_heaps_fail() {
    for name in ["linked-two-nodes", "discrete-8g", "integrated-uma"] {
        let device = device(name);
        for heap_type in [HeapType::Upload, HeapType::Readback] {
            let heap = create(&device, MIB, HeapProperties::new(heap_type), (0, 0), ATOMICS);
            let violation = refused(heap, &rules::ATOMICS_CPU_ABSTRACTION);
            says(&violation, "Flags", &["ALLOW_SHADER_ATOMICS", heap_type.name()], &["DEFAULT", "CUSTOM"]);
            let committed = device.create_committed_resource(&CommittedResourceDesc {
                heap_flags: ATOMICS,
                ..CommittedResourceDesc::new(heap_type, ResourceDesc::buffer(1000))
            });
            refused(committed, &rules::ATOMICS_CPU_ABSTRACTION);
        }
    }
}

/// 1515-1517: custom heaps succeed; the driver sees the flag only in L1 with peer visibility.
#[test]
fn custom_heaps_succeed() {
    for profile in [profile("linked-two-nodes"), without_atomics()] {
        let (device, factory) = watched(profile);
        for (properties, nodes, denied) in [
            (CUSTOM_L0, (0, 0), false),
            (CUSTOM_L0, PEER, false),
            (CUSTOM_L1, (0, 0), false),
            (CUSTOM_L1, (2, 2), false),
            (CUSTOM_L1, PEER, true),
        ] {
            create(&device, MIB, properties, nodes, ATOMICS).unwrap();
            assert_eq!(factory.watch.last_heap().deny_demotion, denied, "{properties:?} {nodes:?}");
        }
    }
}

/// 1518: cross-adapter heaps succeed; they are system memory, which nothing demotes and no cap counts.
#[test]
fn cross_adapter_heaps_succeed() {
    let flags = ATOMICS | HeapFlags::SHARED | HeapFlags::SHARED_CROSS_ADAPTER;
    for profile in [profile("linked-two-nodes"), without_atomics(), profile("discrete-8g")] {
        let (device, factory) = watched(profile);
        let nodes = if device.profile().memory.node_count == 2 { PEER } else { (0, 0) };
        let heaps: Vec<Heap> =
            (0..3).map(|_| create(&device, 64 * MIB, DEFAULT, nodes, flags).unwrap()).collect();
        assert!(!factory.watch.last_heap().deny_demotion);
        drop(heaps);
        assert_empty(&device);
    }
}

/// 1519: committed resources must have unordered access.
#[test]
fn committed_resources_need_unordered_access() {
    let device = device("linked-two-nodes");
    let commit = |resource, nodes: (u32, u32)| {
        device.create_committed_resource(&CommittedResourceDesc {
            heap_properties: DEFAULT.with_nodes(nodes.0, nodes.1),
            heap_flags: ATOMICS,
            ..CommittedResourceDesc::new(HeapType::Default, resource)
        })
    };
    let buffer = ResourceDesc::buffer(1000);
    for nodes in [(0, 0), PEER] {
        refused(commit(buffer, nodes), &rules::ATOMICS_COMMITTED_UAV);
        refused(commit(render_target(64, 64), nodes), &rules::ATOMICS_COMMITTED_UAV);
        commit(buffer.with_flags(ResourceFlags::ALLOW_UNORDERED_ACCESS), nodes).unwrap();
    }
    assert_empty(&device);
}

#[track_caller]
fn over_the_cap(result: Result<Heap, Error>) -> (u64, u64, u64) {
    let error = result.unwrap_err();
    let text = error.to_string();
    let Error::OutOfMemory(shortage) = error else { panic!("{text}") };
    let OutOfMemory::ShaderAtomics { requested, taken, maximum } = *shortage else { panic!("{text}") };
    for bytes in [requested, taken, maximum] {
        assert!(text.contains(&heapstone::units::Bytes(bytes).to_string()), "{text}");
    }
    (requested, taken, maximum)
}

/// 1465, 1520-1521: 64 MB on a 2 GB adapter; creation and destruction count, whole pages.
#[test]
fn peers_reach_64_mib_on_a_2_gib_adapter() {
    let device = device("linked-two-nodes");
    let peer = |size| create(&device, size, DEFAULT, PEER, ATOMICS);
    let heap = peer(48 * MIB).unwrap();
    let rest = peer(16 * MIB).unwrap();
    let before = footprint(&device);
    assert_eq!(over_the_cap(peer(1)), (65_536, 64 * MIB, 64 * MIB));
    assert_eq!(over_the_cap(peer(1 << 62)).1, 64 * MIB);
    assert_eq!(over_the_cap(create(&device, MIB, DEFAULT, (2, 3), ATOMICS)).1, 64 * MIB, "of all nodes");
    assert_eq!(over_the_cap(create(&device, MIB, CUSTOM_L1, PEER, ATOMICS)).1, 64 * MIB);
    assert_eq!(footprint(&device), before, "a refusal takes nothing");

    // What no peer's atomics reach is not capped.
    create(&device, 128 * MIB, DEFAULT, (1, 1), ATOMICS).unwrap();
    create(&device, 128 * MIB, DEFAULT, PEER, HeapFlags::empty()).unwrap();
    create(&device, 128 * MIB, CUSTOM_L0, PEER, ATOMICS).unwrap();

    drop(heap);
    let heap = peer(48 * MIB).unwrap();
    assert_eq!(over_the_cap(peer(65_536)).0, 65_536);
    drop((heap, rest));
    let all = peer(64 * MIB).unwrap();
    assert_eq!(over_the_cap(peer(1)).1, 64 * MIB);
    drop(all);
    assert_empty(&device);
}

#[test]
fn the_cap_is_each_processes_own() {
    let adapter: Adapter = adapter(profile("linked-two-nodes"));
    let build = || Device::builder().adapter(&adapter).build().unwrap();
    let (first, second) = (build(), build());
    let _first = create(&first, 64 * MIB, DEFAULT, PEER, ATOMICS).unwrap();
    over_the_cap(create(&first, MIB, DEFAULT, PEER, ATOMICS));
    let _second = create(&second, 64 * MIB, DEFAULT, PEER, ATOMICS).unwrap();
    over_the_cap(create(&second, MIB, DEFAULT, PEER, ATOMICS));
}

#[test]
fn what_fails_after_the_cap_was_charged_gives_it_back() {
    let (device, factory) = watched(profile("linked-two-nodes"));
    let peer = |size| create(&device, size, DEFAULT, PEER, ATOMICS);
    factory.watch.failing_creation.store(1, core::sync::atomic::Ordering::SeqCst);
    assert!(peer(64 * MIB).unwrap_err().is_out_of_memory(), "the driver fails");
    assert_empty(&device);
    // Node 0 is full: a heap that may not be demoted finds no place.
    let full = create(&device, 2 * GIB, DEFAULT, (1, 1), HeapFlags::empty()).unwrap();
    assert!(!full.is_demoted());
    let error = peer(64 * MIB).unwrap_err();
    assert!(
        matches!(&error, Error::OutOfMemory(shortage) if matches!(**shortage, OutOfMemory::VideoMemory(_)))
    );
    drop(full);
    assert_eq!(peer(64 * MIB).unwrap().committed_size(), 64 * MIB);
    assert_empty(&device);
}

/// spec/2-resource-heaps.txt 1519: custom heaps with the flag succeed; where nodes have no atomics between them
/// there is nothing to bound.
#[test]
fn custom_heaps_succeed_without_atomics_between_nodes() {
    let mut profile = profile("linked-two-nodes");
    profile.caps.cross_node_atomic_shader_instructions = false;
    profile.memory.shader_atomics_heap_bytes_max = 0;
    let device = device_of(profile, SdkVersion::LATEST, Backing::Phantom);
    let properties = CUSTOM_L1.with_nodes(1, 3);
    let heap = heap_of(65_536, properties, HeapFlags::ALLOW_SHADER_ATOMICS);
    drop(device.create_heap(&heap).unwrap());
    let abstraction = HeapProperties::new(HeapType::Default).with_nodes(1, 3);
    let heap = heap_of(65_536, abstraction, HeapFlags::ALLOW_SHADER_ATOMICS);
    refused(device.create_heap(&heap), &rules::ATOMICS_PEER);
}
