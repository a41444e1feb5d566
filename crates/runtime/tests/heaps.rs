//! CreateHeap: sizes, alignments, types and properties, flags, nodes (spec/2-resource-heaps.txt 12-74;
//! facts/behaviour.md, Creation).
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use common::*;
use heapstone::spec::caps::{CrossNodeSharingTier, ResourceHeapTier};
use heapstone::spec::rules::heap as rules;
use heapstone::{
    Backing, CpuPageProperty, Device, HeapDesc, HeapFlags, HeapProperties, HeapType, MemoryPool, SdkVersion,
    SegmentGroup,
};

use CpuPageProperty::{NotAvailable, WriteBack, WriteCombine};
use MemoryPool::{L0, L1};

const TYPES: [HeapType; 5] =
    [HeapType::Default, HeapType::Upload, HeapType::Readback, HeapType::Custom, HeapType::GpuUpload];
const PAGES: [CpuPageProperty; 4] = [CpuPageProperty::Unknown, NotAvailable, WriteCombine, WriteBack];
const POOLS: [MemoryPool; 3] = [MemoryPool::Unknown, L0, L1];

/// The greatest size of a heap that the CPU maps.
const CPU_VISIBLE_MAX: u64 = 0xFFFF_0000;

#[test]
fn sizes_of_nothing_and_of_everything() {
    let device = device("discrete-8g");
    let violation = refused(device.create_heap(&HeapDesc::new(0, HeapType::Default)), &rules::SIZE_ZERO);
    says(&violation, "SizeInBytes", &["0"], &["1"]);
    let violation =
        refused(device.create_heap(&HeapDesc::new(u64::MAX, HeapType::Default)), &rules::SIZE_ADDRESSES);
    says(&violation, "SizeInBytes", &["18446744073709551615"], &[]);
    for size in [1 << 63, u64::MAX - 65_535] {
        let error = device.create_heap(&HeapDesc::new(size, HeapType::Default)).unwrap_err();
        assert!(error.is_out_of_memory(), "{size}: {error}");
    }
    assert_empty(&device);
}

#[test]
fn four_gibibytes_are_an_ordinary_size() {
    let device = device("discrete-8g");
    let heap = device.create_heap(&HeapDesc::new(1 << 32, HeapType::Default)).unwrap();
    assert_eq!((heap.committed_size(), heap.desc().size), (4 * GIB, 4 * GIB));
    assert_eq!(usage(&device), [4 * GIB, 0]);
    drop(heap);
    assert_empty(&device);
}

#[test]
fn a_heap_commits_whole_pages_of_64_kib() {
    let device = device("discrete-8g");
    for (size, committed) in [(1, 65_536), (65_535, 65_536), (65_536, 65_536), (65_537, 131_072)] {
        let heap = device.create_heap(&HeapDesc::new(size, HeapType::Default)).unwrap();
        assert_eq!((heap.desc().size, heap.committed_size()), (size, committed));
    }
    assert_empty(&device);
}

#[test]
fn heaps_that_the_cpu_maps_end_before_4_gib() {
    let device = device("discrete-8g");
    let visible = [
        HeapProperties::new(HeapType::Upload),
        HeapProperties::new(HeapType::Readback),
        HeapProperties::new(HeapType::GpuUpload),
        HeapProperties::custom(WriteCombine, L0),
        HeapProperties::custom(WriteBack, L0),
        HeapProperties::custom(WriteCombine, L1),
    ];
    for properties in visible {
        let heap = heap_of(CPU_VISIBLE_MAX, properties, HeapFlags::empty());
        assert_eq!(device.create_heap(&heap).unwrap().committed_size(), CPU_VISIBLE_MAX, "{properties:?}");
        for size in [CPU_VISIBLE_MAX + 1, 1 << 32, 1 << 63, u64::MAX] {
            let heap = heap_of(size, properties, HeapFlags::empty());
            let violation = refused(device.create_heap(&heap), &rules::SIZE_CPU_VISIBLE);
            says(&violation, "SizeInBytes", &[&size.to_string()], &["4294901760"]);
        }
    }
    for pool in [L0, L1] {
        let hidden =
            heap_of(CPU_VISIBLE_MAX + 1, HeapProperties::custom(NotAvailable, pool), HeapFlags::empty());
        assert_eq!(device.create_heap(&hidden).unwrap().committed_size(), 4 * GIB, "{pool}");
    }
    assert_empty(&device);
}

#[test]
fn alignments_are_64_kib_or_4_mib() {
    let device = device("discrete-8g");
    for (given, told) in [(0, 65_536), (65_536, 65_536), (4_194_304, 4_194_304)] {
        let desc = HeapDesc::new(MIB, HeapType::Default).with_alignment(given);
        let heap = device.create_heap(&desc).unwrap();
        assert_eq!(heap.desc().alignment, told, "GetDesc fills the alignment in");
        assert_eq!(heap.gpu_virtual_address().0 % told, 0);
    }
    for given in [1, 4096, 131_072, 8_388_608, 65_537, 1 << 63, u64::MAX] {
        let desc = HeapDesc::new(MIB, HeapType::Default).with_alignment(given);
        let violation = refused(device.create_heap(&desc), &rules::ALIGNMENT);
        says(&violation, "Alignment", &[&given.to_string()], &["65536", "4194304"]);
    }
    assert_empty(&device);
}

/// What an abstraction stands for: discrete, UMA, cache-coherent UMA (spec/2-resource-heaps.txt 354-355,
/// 470; Microsoft's documentation of GetCustomHeapProperties).
#[test]
fn abstractions_stand_for_custom_properties() {
    let table = [
        ("discrete-8g", HeapType::Default, NotAvailable, L1),
        ("discrete-8g", HeapType::Upload, WriteCombine, L0),
        ("discrete-8g", HeapType::Readback, WriteBack, L0),
        ("discrete-8g", HeapType::GpuUpload, WriteCombine, L1),
        ("integrated-uma", HeapType::Default, NotAvailable, L0),
        ("integrated-uma", HeapType::Upload, WriteCombine, L0),
        ("integrated-uma", HeapType::Readback, WriteBack, L0),
        ("cache-coherent-uma", HeapType::Default, NotAvailable, L0),
        ("cache-coherent-uma", HeapType::Upload, WriteBack, L0),
        ("cache-coherent-uma", HeapType::Readback, WriteBack, L0),
    ];
    for (profile, heap_type, page, pool) in table {
        let device = device(profile);
        let told = device.get_custom_heap_properties(0, heap_type).unwrap();
        assert_eq!(told, HeapProperties::custom(page, pool).with_nodes(1, 1), "{profile} {heap_type}");
        let heap = device.create_heap(&heap_of(MIB, told, HeapFlags::empty())).unwrap();
        let abstraction = device.create_heap(&HeapDesc::new(MIB, heap_type)).unwrap();
        assert_eq!(heap.segment_group(), abstraction.segment_group(), "{profile} {heap_type}");
        let resolved = abstraction.resolved_properties();
        assert_eq!((resolved.cpu_page_property, resolved.memory_pool_preference), (page, pool));
    }
    let device = device("discrete-8g");
    let violation =
        refused(device.get_custom_heap_properties(0, HeapType::Custom), &rules::CUSTOM_PROPERTIES_TYPE);
    says(&violation, "HeapType", &["CUSTOM"], &["DEFAULT", "UPLOAD", "READBACK"]);
}

#[test]
fn custom_properties_are_of_one_node() {
    let linked = device("linked-two-nodes");
    let told = linked.get_custom_heap_properties(2, HeapType::Default).unwrap();
    assert_eq!((told.creation_node_mask, told.visible_node_mask), (2, 2));
    let query_node = &heapstone::spec::rules::mapping::QUERY_NODE;
    for (device, mask) in [(&linked, 4), (&linked, 3), (&device("discrete-8g"), 2)] {
        let violation = refused(device.get_custom_heap_properties(mask, HeapType::Default), query_node);
        says(&violation, "odeMask", &[&format!("{mask:#x}")], &[]);
    }
}

/// Abstractions decide page and pool themselves; CUSTOM names both.
fn expected(
    device: &Device,
    heap_type: HeapType,
    page: CpuPageProperty,
    pool: MemoryPool,
) -> Option<&'static str> {
    let has_gpu_upload = device.sdk() >= SdkVersion::V614 && device.profile().caps.gpu_upload_heap;
    if heap_type != HeapType::Custom {
        let is_unknown = page == CpuPageProperty::Unknown && pool == MemoryPool::Unknown;
        return match heap_type {
            _ if !is_unknown => Some("heap.properties.abstract"),
            HeapType::GpuUpload if !has_gpu_upload => Some("heap.type.gpu_upload"),
            _ => None,
        };
    }
    match (page, pool) {
        (CpuPageProperty::Unknown, _) | (_, MemoryPool::Unknown) => Some("heap.properties.custom_unknown"),
        (_, L0) => None,
        _ if device.profile().architecture.uma => Some("heap.properties.custom_l1_uma"),
        (WriteBack, L1) => Some("heap.properties.custom_l1_write_back"),
        (WriteCombine, L1) if !has_gpu_upload => Some("heap.properties.custom_l1_write_combine"),
        (_, L1) => None,
    }
}

#[test]
fn every_type_page_property_and_pool() {
    for name in ["discrete-8g", "discrete-no-msaa64k", "integrated-uma", "cache-coherent-uma", "software"] {
        for sdk in [SdkVersion::Inbox, SdkVersion::V606, SdkVersion::V614, SdkVersion::LATEST] {
            let device = device_under(name, sdk);
            for heap_type in TYPES {
                for (page, pool) in PAGES.iter().flat_map(|page| POOLS.map(|pool| (*page, pool))) {
                    let properties = HeapProperties {
                        cpu_page_property: page,
                        memory_pool_preference: pool,
                        ..HeapProperties::new(heap_type)
                    };
                    let result = device.create_heap(&heap_of(65_536, properties, HeapFlags::empty()));
                    let rule = result.as_ref().err().map(|error| error.violation().unwrap().rule.id);
                    let case = format!("{name} under {sdk}: {heap_type} {page} {pool}");
                    assert_eq!(rule, expected(&device, heap_type, page, pool), "{case}");
                }
            }
            assert_empty(&device);
        }
    }
}

#[test]
fn custom_write_back_in_l1_is_refused_everywhere() {
    for name in heapstone::Profile::builtin_names() {
        let device = device(name);
        let heap = heap_of(MIB, HeapProperties::custom(WriteBack, L1), HeapFlags::ALLOW_ONLY_BUFFERS);
        let rule = if device.profile().architecture.uma {
            &rules::CUSTOM_L1_UMA
        } else {
            &rules::CUSTOM_L1_WRITE_BACK
        };
        let violation = refused(device.create_heap(&heap), rule);
        assert!(violation.given.contains("L1"), "{violation}");
    }
}

#[test]
fn a_heap_lies_where_its_type_says() {
    let table = [
        ("discrete-8g", HeapType::Default, SegmentGroup::Local),
        ("discrete-8g", HeapType::Upload, SegmentGroup::NonLocal),
        ("discrete-8g", HeapType::Readback, SegmentGroup::NonLocal),
        ("discrete-8g", HeapType::GpuUpload, SegmentGroup::Local),
        ("integrated-uma", HeapType::Default, SegmentGroup::Local),
        ("integrated-uma", HeapType::Upload, SegmentGroup::Local),
        ("integrated-uma", HeapType::GpuUpload, SegmentGroup::Local),
    ];
    for (name, heap_type, group) in table {
        let device = device(name);
        let heap = device.create_heap(&HeapDesc::new(MIB, heap_type)).unwrap();
        assert_eq!((heap.segment_group(), heap.is_demoted()), (group, false), "{name} {heap_type}");
        let own = device.query_video_memory_info(0, group).unwrap().current_usage;
        assert_eq!(own, MIB, "{name} {heap_type}");
    }
}

#[test]
fn heap_tier_1_wants_exactly_two_kinds_denied() {
    let denies =
        [HeapFlags::DENY_BUFFERS, HeapFlags::DENY_RT_DS_TEXTURES, HeapFlags::DENY_NON_RT_DS_TEXTURES];
    let device = device("discrete-tier1-2g");
    assert_eq!(device.profile().caps.resource_heap_tier, ResourceHeapTier::Tier1);
    for combination in 0_u32..8 {
        let flags =
            (0_u32..).zip(denies).filter(|(bit, _)| combination >> bit & 1 == 1).map(|(_, flag)| flag);
        let flags: HeapFlags = flags.collect();
        let result = device.create_heap(&HeapDesc::new(MIB, HeapType::Default).with_flags(flags));
        match combination.count_ones() {
            2 => assert_eq!(result.unwrap().desc().flags, flags),
            3 => {
                refused(result, &rules::FLAGS_DENY_ALL);
            }
            count => {
                let violation = refused(result, &rules::FLAGS_TIER1);
                says(&violation, "Flags", &[&format!("denies {count} of")], &["0xC0", "0x44", "0x84"]);
                assert!(violation.rule.remedy.contains("ALLOW_ONLY_BUFFERS"), "it says what to change");
            }
        }
    }
    assert_empty(&device);
}

#[test]
fn heap_tier_2_takes_all_but_all_three_denied() {
    let device = device("discrete-8g");
    for bits in [0, 0x4, 0x40, 0x80, 0x44, 0x84, 0xc0] {
        let flags = HeapFlags::from_bits(bits).unwrap();
        device.create_heap(&HeapDesc::new(MIB, HeapType::Default).with_flags(flags)).unwrap();
    }
    let all = HeapDesc::new(MIB, HeapType::Default).with_flags(HeapFlags::from_bits(0xc4).unwrap());
    says(&refused(device.create_heap(&all), &rules::FLAGS_DENY_ALL), "Flags", &["DENY_BUFFERS"], &["two"]);
}

#[test]
fn flags_beside_each_other() {
    let device = device("discrete-8g");
    let heap = |heap_type, flags| device.create_heap(&HeapDesc::new(MIB, heap_type).with_flags(flags));
    let default = |flags| heap(HeapType::Default, flags);
    refused(default(HeapFlags::SHARED_CROSS_ADAPTER), &rules::FLAGS_CROSS_ADAPTER);
    default(HeapFlags::SHARED | HeapFlags::SHARED_CROSS_ADAPTER).unwrap();
    default(HeapFlags::SHARED).unwrap();
    refused(default(HeapFlags::ALLOW_DISPLAY), &rules::FLAGS_DISPLAY);
    refused(default(HeapFlags::HARDWARE_PROTECTED), &rules::FLAGS_PROTECTED);
    refused(default(HeapFlags::ALLOW_WRITE_WATCH), &rules::FLAGS_WRITE_WATCH);
    heap(HeapType::Upload, HeapFlags::ALLOW_WRITE_WATCH).unwrap();
    default(HeapFlags::CREATE_NOT_RESIDENT | HeapFlags::CREATE_NOT_ZEROED).unwrap();
    let unknown = HeapFlags::from_bits_retain(0x8000_0002);
    says(&refused(default(unknown), &rules::FLAGS_UNRECOGNIZED), "Flags", &["0x80000002"], &["0x"]);
    assert_empty(&device);
}

#[test]
fn protected_heaps_need_protected_sessions() {
    let mut profile = profile("discrete-8g");
    profile.caps.protected_resource_sessions = true;
    let device = device_of(profile, SdkVersion::LATEST, Backing::Phantom);
    let desc = HeapDesc::new(MIB, HeapType::Default).with_flags(HeapFlags::HARDWARE_PROTECTED);
    device.create_heap(&desc).unwrap();
}

#[test]
fn nodes_of_a_card_alone() {
    let device = device("discrete-8g");
    let with = |creation, visible| {
        let properties = HeapProperties::new(HeapType::Default).with_nodes(creation, visible);
        device.create_heap(&heap_of(MIB, properties, HeapFlags::empty()))
    };
    for (creation, visible) in [(0, 0), (1, 1), (1, 0), (0, 1)] {
        let heap = with(creation, visible).unwrap();
        let told = heap.desc().properties;
        // spec/2-resource-heaps.txt 1516: 0 is converted to 0x1.
        assert_eq!((told.creation_node_mask, told.visible_node_mask), (1, 1));
    }
    for creation in [2, 3, 0x8000_0000] {
        let violation = refused(with(creation, creation), &rules::NODE_CREATION);
        says(&violation, "CreationNodeMask", &[&format!("{creation:#x}")], &["0x1"]);
    }
    for visible in [2, 3] {
        let violation = refused(with(1, visible), &rules::NODE_VISIBLE);
        says(&violation, "VisibleNodeMask", &[&format!("{visible:#x}")], &["0x1"]);
    }
}

#[test]
fn nodes_of_linked_cards() {
    let device = device("linked-two-nodes");
    let with = |creation, visible| {
        let properties = HeapProperties::new(HeapType::Default).with_nodes(creation, visible);
        device.create_heap(&heap_of(MIB, properties, HeapFlags::empty()))
    };
    let first = with(1, 3).unwrap();
    let second = with(2, 2).unwrap();
    let third = with(2, 3).unwrap();
    assert_eq!(usage(&device), [MIB, 0, 2 * MIB, 0], "each heap is its creation node's");
    drop((first, second, third));
    for (creation, visible) in [(2, 0), (2, 1), (1, 2), (1, 5)] {
        refused(with(creation, visible), &rules::NODE_VISIBLE);
    }
    for creation in [3, 4, 7] {
        refused(with(creation, 3), &rules::NODE_CREATION);
    }
    assert_empty(&device);
}

#[test]
fn nodes_that_share_nothing_see_no_peers_video_memory() {
    let mut profile = profile("linked-two-nodes");
    profile.caps.cross_node_sharing_tier = CrossNodeSharingTier::NotSupported;
    profile.caps.cross_node_atomic_shader_instructions = false;
    let device = device_of(profile, SdkVersion::LATEST, Backing::Phantom);
    let peer = |heap_type| {
        let properties = HeapProperties::new(heap_type).with_nodes(1, 3);
        device.create_heap(&heap_of(MIB, properties, HeapFlags::empty()))
    };
    says(&refused(peer(HeapType::Default), &rules::NODE_SHARING), "VisibleNodeMask", &["0x3"], &["0x1"]);
    peer(HeapType::Upload).unwrap();
}

#[test]
fn the_software_adapter_refuses_heaps_above_4_gib() {
    let device = device("software");
    let heap = |size| device.create_heap(&HeapDesc::new(size, HeapType::Default));
    assert_eq!(heap(4 * GIB).unwrap().committed_size(), 4 * GIB);
    let violation = refused(heap(4 * GIB + 1), &rules::SIZE_DRIVER);
    says(&violation, "SizeInBytes", &["4294967297"], &["4294967296", "software"]);
}

#[test]
fn handles_of_one_heap_are_equal_and_free_it_together() {
    let device = device("discrete-8g");
    let heap = device.create_heap(&HeapDesc::new(MIB, HeapType::Default)).unwrap();
    let other = device.create_heap(&HeapDesc::new(MIB, HeapType::Default)).unwrap();
    let clone = heap.clone();
    assert!(heap == clone && heap != other);
    assert!(heap.device() == device);
    drop(other);
    drop(heap);
    assert_eq!(usage(&device), [MIB, 0]);
    drop(clone);
    assert_empty(&device);
}

#[test]
fn heaps_lie_apart() {
    let device = device("discrete-8g");
    let heaps: Vec<_> =
        (1..64).map(|n| device.create_heap(&HeapDesc::new(n * 65_536, HeapType::Default)).unwrap()).collect();
    for (index, a) in heaps.iter().enumerate() {
        assert_eq!(a.physical_ranges().map(|range| range.size()).sum::<u64>(), a.committed_size());
        for b in &heaps[..index] {
            let overlap = a.physical_ranges().any(|a| b.physical_ranges().any(|b| a.overlaps(b)));
            assert!(!overlap);
            let (a_begin, b_begin) = (a.gpu_virtual_address().0, b.gpu_virtual_address().0);
            assert!(a_begin + a.committed_size() <= b_begin || b_begin + b.committed_size() <= a_begin);
        }
    }
}
