//! CreatePlacedResource: what a heap takes, where, and for how long (spec/2-resource-heaps.txt 166-186,
//! 369-372; facts/behaviour.md, Creation; spec/1-tight-placed-resource-alignment.txt).
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use common::*;
use heapstone::spec::rules::{description, placement as rules};
use heapstone::{
    CommittedResourceDesc, CpuPageProperty, Device, Error, Format, Heap, HeapDesc, HeapFlags, HeapProperties,
    HeapType, InitialState, MemoryPool, PlacedResourceDesc, Resource, ResourceDesc, ResourceFlags,
    ResourceKind, ResourceStates, TextureLayout,
};

fn heap(device: &Device, size: u64, flags: HeapFlags) -> Heap {
    device.create_heap(&HeapDesc::new(size, HeapType::Default).with_flags(flags)).unwrap()
}

fn place(device: &Device, heap: &Heap, offset: u64, desc: ResourceDesc) -> Result<Resource, Error> {
    device.create_placed_resource(heap, offset, &PlacedResourceDesc::new(desc))
}

#[test]
fn on_heap_tier_1_each_kind_lies_in_its_own_heap() {
    let device = device("discrete-tier1-2g");
    let heaps = [
        HeapFlags::ALLOW_ONLY_BUFFERS,
        HeapFlags::ALLOW_ONLY_RT_DS_TEXTURES,
        HeapFlags::ALLOW_ONLY_NON_RT_DS_TEXTURES,
    ];
    let denied_by = ["DENY_BUFFERS", "DENY_RT_DS_TEXTURES", "DENY_NON_RT_DS_TEXTURES"];
    // Two of the second kind; each with the index of its kind.
    let resources = [
        (0, ResourceDesc::buffer(1000)),
        (1, render_target(256, 256)),
        (1, depth_stencil(256, 256)),
        (2, rgba8(256, 256)),
    ];
    for (heap_kind, flags) in heaps.iter().enumerate() {
        let heap = heap(&device, 16 * MIB, *flags);
        for (kind, desc) in resources {
            let result = place(&device, &heap, 0, desc);
            if kind == heap_kind {
                assert_eq!(result.unwrap().heap(), Some(&heap));
            } else {
                let violation = refused(result, &rules::HEAP_CATEGORY);
                assert!(violation.allowed.contains(denied_by[kind]), "{violation}");
            }
        }
    }
    assert_empty(&device);
}

#[test]
fn on_heap_tier_2_one_flag_denies_one_kind() {
    let device = device("discrete-8g");
    let all = heap(&device, 16 * MIB, HeapFlags::empty());
    let resources = [ResourceDesc::buffer(1000), render_target(256, 256), rgba8(256, 256)];
    let flags = [HeapFlags::DENY_BUFFERS, HeapFlags::DENY_RT_DS_TEXTURES, HeapFlags::DENY_NON_RT_DS_TEXTURES];
    for (kind, desc) in resources.iter().enumerate() {
        place(&device, &all, 0, *desc).unwrap();
        for (denied, flag) in flags.iter().enumerate() {
            let result = place(&device, &heap(&device, 16 * MIB, *flag), 0, *desc);
            if kind == denied {
                refused(result, &rules::HEAP_CATEGORY);
            } else {
                result.unwrap();
            }
        }
    }
}

#[test]
fn upload_and_readback_heaps_hold_buffers_that_the_gpu_does_not_write_by_views() {
    for name in ["discrete-8g", "integrated-uma", "cache-coherent-uma"] {
        let device = device(name);
        for heap_type in [HeapType::Upload, HeapType::Readback] {
            let heap = device.create_heap(&HeapDesc::new(16 * MIB, heap_type)).unwrap();
            let place = |desc| {
                let initial = InitialState::for_heap_type(heap_type);
                let desc = PlacedResourceDesc { initial, ..PlacedResourceDesc::new(desc) };
                device.create_placed_resource(&heap, 0, &desc)
            };
            let commit =
                |desc| device.create_committed_resource(&CommittedResourceDesc::new(heap_type, desc));
            for texture in [
                rgba8(64, 64),
                render_target(64, 64),
                ResourceDesc::texture_1d(Format::R8_UNORM, 64),
                ResourceDesc::texture_3d(Format::R8_UNORM, 4, 4, 4),
            ] {
                let violation = refused(place(texture), &rules::TEXTURE_HEAP_TYPE);
                says(&violation, "Dimension", &["TEXTURE", heap_type.name()], &["BUFFER"]);
                refused(commit(texture), &rules::TEXTURE_HEAP_TYPE);
            }
            for flag in [ResourceFlags::ALLOW_RENDER_TARGET, ResourceFlags::ALLOW_UNORDERED_ACCESS] {
                let buffer = ResourceDesc::buffer(1000).with_flags(flag);
                let violation = refused(place(buffer), &rules::BUFFER_HEAP_TYPE);
                says(&violation, "Flags", &["ALLOW_", heap_type.name()], &["ALLOW_RENDER_TARGET"]);
                refused(commit(buffer), &rules::BUFFER_HEAP_TYPE);
            }
            place(ResourceDesc::buffer(1000)).unwrap();
            commit(ResourceDesc::buffer(1000)).unwrap();
        }
        assert_empty(&device);
    }
}

#[test]
fn custom_heaps_take_what_upload_heaps_do_not() {
    let device = device("discrete-8g");
    let properties = HeapProperties::custom(CpuPageProperty::WriteCombine, MemoryPool::L0);
    let heap = device.create_heap(&heap_of(MIB, properties, HeapFlags::empty())).unwrap();
    place(&device, &heap, 0, rgba8(64, 64)).unwrap();
    let written = ResourceDesc::buffer(1000).with_flags(ResourceFlags::ALLOW_UNORDERED_ACCESS);
    place(&device, &heap, 0, written).unwrap();
}

#[test]
fn offsets_are_multiples_of_the_alignment() {
    let device = device("discrete-8g");
    let heap = heap(&device, 16 * MIB, HeapFlags::empty());
    for desc in [ResourceDesc::buffer(1000), rgba8(256, 256)] {
        for offset in [0, 65_536, 15 * MIB] {
            assert_eq!(place(&device, &heap, offset, desc).unwrap().heap_offset(), Some(offset));
        }
        for offset in [1, 256, 4096, 32_768, 65_535, 65_537, 15 * MIB + 8] {
            let violation = refused(place(&device, &heap, offset, desc), &rules::OFFSET_ALIGNMENT);
            says(&violation, "HeapOffset", &[&offset.to_string()], &["65536"]);
        }
    }
    let small = rgba8(128, 128).with_alignment(4096);
    place(&device, &heap, 4096, small).unwrap();
    let violation = refused(place(&device, &heap, 2048, small), &rules::OFFSET_ALIGNMENT);
    says(&violation, "HeapOffset", &["2048"], &["4096"]);
}

/// The driver's alignment of tight buffers is the profile's: 256, 64 and 8 bytes.
#[test]
fn tight_buffers_lie_at_small_offsets() {
    for (name, alignment) in [("discrete-8g", 256), ("integrated-uma", 64), ("cache-coherent-uma", 8)] {
        let device = device(name);
        let heap = heap(&device, MIB, HeapFlags::empty());
        for multiple in [0, 1, 3, 100] {
            let buffer = place(&device, &heap, multiple * alignment, tight_buffer(100)).unwrap();
            assert_eq!((buffer.size(), buffer.alignment()), (100, alignment), "{name}: its width exactly");
            assert_eq!(buffer.desc().alignment, alignment, "GetDesc fills the alignment in");
        }
        for offset in [1, alignment / 2, alignment + alignment / 2] {
            let result = place(&device, &heap, offset, tight_buffer(100));
            says(
                &refused(result, &rules::OFFSET_ALIGNMENT),
                "HeapOffset",
                &[&offset.to_string()],
                &[&alignment.to_string()],
            );
        }
    }
}

#[test]
fn a_resource_may_end_where_its_heap_ends() {
    let device = device("discrete-8g");
    let heap = heap(&device, 4 * 65_536, HeapFlags::empty());
    let buffer = |pages: u64| ResourceDesc::buffer(pages * 65_536);
    for (offset, pages) in [(0, 4), (3, 1), (2, 2)] {
        place(&device, &heap, offset * 65_536, buffer(pages)).unwrap();
    }
    for (offset, pages) in [(0, 5), (4, 1), (3, 2), (1 << 40, 1), ((1 << 48) - 1, 1)] {
        let violation = refused(place(&device, &heap, offset * 65_536, buffer(pages)), &rules::HEAP_RANGE);
        says(&violation, "HeapOffset", &[&(pages * 65_536).to_string()], &["262144"]);
    }
    // One byte more than the last page takes a page that the heap does not have.
    refused(place(&device, &heap, 3 * 65_536, ResourceDesc::buffer(65_537)), &rules::HEAP_RANGE);
    // Tight buffers end at their width.
    place(&device, &heap, 4 * 65_536 - 256, tight_buffer(256)).unwrap();
    refused(place(&device, &heap, 4 * 65_536 - 256, tight_buffer(257)), &rules::HEAP_RANGE);
}

#[test]
fn a_heap_of_an_odd_size_holds_its_last_page() {
    let device = host_device("discrete-8g");
    let heap = device.create_heap(&HeapDesc::new(1000, HeapType::Upload)).unwrap();
    let desc = PlacedResourceDesc {
        initial: InitialState::State(ResourceStates::GENERIC_READ),
        ..PlacedResourceDesc::new(ResourceDesc::buffer(65_536))
    };
    let buffer = device.create_placed_resource(&heap, 0, &desc).unwrap();
    buffer.write(65_535, &[7]).unwrap();
    let mut byte = [0];
    buffer.read(65_535, &mut byte).unwrap();
    assert_eq!(byte, [7]);
}

#[test]
fn multisampled_textures_want_a_heap_of_4_mib_alignment() {
    let device = device("discrete-8g");
    let small = heap(&device, 16 * MIB, HeapFlags::empty());
    let large =
        device.create_heap(&HeapDesc::new(16 * MIB, HeapType::Default).with_alignment(4 * MIB)).unwrap();
    let msaa = render_target(32, 32).with_samples(4);
    let violation = refused(place(&device, &small, 0, msaa), &rules::HEAP_ALIGNMENT);
    says(&violation, "Alignment", &["64 KiB"], &["4 MiB"]);
    assert_eq!(place(&device, &large, 4 * MIB, msaa).unwrap().alignment(), 4 * MIB);
    says(
        &refused(place(&device, &large, 65_536, msaa), &rules::OFFSET_ALIGNMENT),
        "HeapOffset",
        &[],
        &["4194304"],
    );
    let asked = msaa.with_alignment(65_536);
    assert_eq!(place(&device, &small, 65_536, asked).unwrap().desc().alignment, 65_536);
}

#[test]
fn a_heap_of_another_device_is_refused() {
    let adapter = adapter(profile("discrete-8g"));
    let build = || Device::builder().adapter(&adapter).build().unwrap();
    let (device, other) = (build(), build());
    let heap = heap(&other, MIB, HeapFlags::empty());
    let violation = refused(place(&device, &heap, 0, ResourceDesc::buffer(100)), &rules::HEAP_DEVICE);
    says(&violation, "Heap", &["another"], &["this device"]);
    place(&other, &heap, 0, ResourceDesc::buffer(100)).unwrap();
}

#[test]
fn a_placed_resource_keeps_its_heap() {
    let device = device("discrete-8g");
    let heap = heap(&device, MIB, HeapFlags::empty());
    let first = place(&device, &heap, 0, ResourceDesc::buffer(100)).unwrap();
    let second = place(&device, &heap, 65_536, rgba8(64, 64)).unwrap();
    assert_eq!(usage(&device), [MIB, 0], "a placed resource takes nothing of its own");
    assert_eq!(first.committed_size(), 0);
    drop(heap);
    assert_eq!(usage(&device), [MIB, 0]);
    drop(first);
    assert_eq!((usage(&device), second.heap().unwrap().desc().size), (vec![MIB, 0], MIB));
    drop(second);
    assert_empty(&device);
}

#[test]
fn a_device_lives_as_long_as_its_objects() {
    let resource = {
        let device = device("discrete-8g");
        let heap = heap(&device, MIB, HeapFlags::empty());
        place(&device, &heap, 0, ResourceDesc::buffer(100)).unwrap()
    };
    let device = resource.device().clone();
    assert_eq!(usage(&device), [MIB, 0]);
    drop(resource);
    assert_empty(&device);
}

#[test]
fn resources_may_overlap_and_see_each_others_bytes() {
    let device = host_device("discrete-8g");
    let heap = device.create_heap(&HeapDesc::new(MIB, HeapType::Upload)).unwrap();
    let at = |offset| {
        let initial = InitialState::State(ResourceStates::GENERIC_READ);
        let desc = PlacedResourceDesc { initial, ..PlacedResourceDesc::new(ResourceDesc::buffer(131_072)) };
        device.create_placed_resource(&heap, offset, &desc).unwrap()
    };
    let (low, same, high) = (at(0), at(0), at(65_536));
    low.write(65_536, b"alias").unwrap();
    for (resource, offset) in [(&same, 65_536), (&high, 0)] {
        let mut bytes = [0; 5];
        resource.read(offset, &mut bytes).unwrap();
        assert_eq!(&bytes, b"alias");
    }
    assert_eq!(low.gpu_virtual_address(), same.gpu_virtual_address());
}

#[test]
fn buffers_have_addresses_and_textures_do_not() {
    let device = device("discrete-8g");
    let heap = heap(&device, 16 * MIB, HeapFlags::empty());
    let base = place(&device, &heap, 0, ResourceDesc::buffer(100)).unwrap().gpu_virtual_address();
    assert!(base.0 != 0);
    for offset in [65_536, 131_072, 15 * MIB] {
        let buffer = place(&device, &heap, offset, ResourceDesc::buffer(100)).unwrap();
        assert_eq!(buffer.gpu_virtual_address().0, base.0 + offset, "stable for the same place");
        assert_eq!(buffer.gpu_virtual_address().0 % 65_536, 0);
    }
    for texture in [rgba8(64, 64), render_target(64, 64), depth_stencil(64, 64)] {
        assert_eq!(place(&device, &heap, 0, texture).unwrap().gpu_virtual_address().0, 0);
    }
}

/// ROW_MAJOR: 2D, one mip, one slice, ALLOW_CROSS_ADAPTER, on a SHARED and SHARED_CROSS_ADAPTER heap
/// without CPU access.
#[test]
fn row_major_textures() {
    let device = device("discrete-8g");
    let shared = HeapFlags::SHARED | HeapFlags::SHARED_CROSS_ADAPTER;
    let good =
        rgba8(64, 64).with_layout(TextureLayout::RowMajor).with_flags(ResourceFlags::ALLOW_CROSS_ADAPTER);
    let cross = heap(&device, MIB, shared);
    assert_eq!(place(&device, &cross, 0, good).unwrap().desc().layout, TextureLayout::RowMajor);

    let visible = HeapProperties::custom(CpuPageProperty::WriteBack, MemoryPool::L0);
    let visible = device.create_heap(&heap_of(MIB, visible, shared)).unwrap();
    for heap in [&heap(&device, MIB, HeapFlags::empty()), &heap(&device, MIB, HeapFlags::SHARED), &visible] {
        let violation = refused(place(&device, heap, 0, good), &rules::ROW_MAJOR_HEAP);
        says(&violation, "Layout", &["ROW_MAJOR"], &["SHARED_CROSS_ADAPTER", "NOT_AVAILABLE"]);
    }
    refused(
        place(&device, &cross, 0, good.with_flags(ResourceFlags::empty())),
        &description::ROW_MAJOR_CROSS_ADAPTER,
    );
    let plain = |desc: ResourceDesc| {
        desc.with_layout(TextureLayout::RowMajor).with_flags(ResourceFlags::ALLOW_CROSS_ADAPTER)
    };
    for shape in [
        good.with_mip_levels(2),
        good.with_mip_levels(0),
        good.with_array_size(2),
        plain(ResourceDesc::texture_1d(Format::R8G8B8A8_UNORM, 64)),
        plain(ResourceDesc::texture_3d(Format::R8G8B8A8_UNORM, 8, 8, 8)),
    ] {
        refused(place(&device, &cross, 0, shape), &description::ROW_MAJOR_SHAPE);
    }
    let device = common::device("discrete-no-msaa64k");
    let cross = heap(&device, MIB, shared);
    refused(place(&device, &cross, 0, good), &description::ROW_MAJOR_CAP);
}

#[test]
fn what_other_adapters_access_lies_on_a_heap_that_they_see() {
    let device = device("discrete-8g");
    let buffer = ResourceDesc::buffer(1000).with_flags(ResourceFlags::ALLOW_CROSS_ADAPTER);
    for flags in [HeapFlags::empty(), HeapFlags::SHARED] {
        let violation =
            refused(place(&device, &heap(&device, MIB, flags), 0, buffer), &rules::CROSS_ADAPTER_HEAP);
        says(&violation, "Flags", &["ALLOW_CROSS_ADAPTER"], &["SHARED_CROSS_ADAPTER"]);
    }
    let shared = HeapFlags::SHARED | HeapFlags::SHARED_CROSS_ADAPTER;
    place(&device, &heap(&device, MIB, shared), 0, buffer).unwrap();
}

#[test]
fn a_placed_resource_tells_its_heaps_properties() {
    let device = device("discrete-8g");
    let heap = device
        .create_heap(&HeapDesc::new(MIB, HeapType::Default).with_flags(HeapFlags::ALLOW_ONLY_BUFFERS))
        .unwrap();
    let buffer = place(&device, &heap, 65_536, ResourceDesc::buffer(1000)).unwrap();
    let (properties, flags) = buffer.heap_properties().unwrap();
    assert_eq!(properties, HeapProperties::new(HeapType::Default).with_nodes(1, 1));
    assert_eq!(flags, HeapFlags::ALLOW_ONLY_BUFFERS);
    assert_eq!((buffer.kind(), buffer.size()), (ResourceKind::Placed, 65_536));
    assert_eq!(
        buffer.allocation_info(),
        device.get_resource_allocation_info(0, &[ResourceDesc::buffer(1000)])
    );
    assert_eq!(buffer.initial_state(), InitialState::State(ResourceStates::COMMON));
}

#[test]
fn a_small_texture_takes_no_more_than_its_texels() {
    for name in ["discrete-8g", "integrated-uma", "discrete-no-msaa64k", "software", "cache-coherent-uma"] {
        let device = device(name);
        for (width, height, slices) in [(64, 64, 1), (128, 128, 1), (64, 64, 3), (32, 32, 1)] {
            let desc = rgba8(width, height).with_array_size(slices).with_alignment(4096);
            let info = device.get_resource_allocation_info(0, &[desc]);
            let texels = width * u64::from(height) * 4 * u64::from(slices);
            let (size, alignment) = (info.size, info.alignment);
            assert!(
                alignment == 4096 && size <= texels.max(4096),
                "{name} {width}x{height}x{slices}: {size}"
            );
            let mips = device.get_resource_allocation_info(0, &[desc.with_mip_levels(0)]);
            assert!(
                mips.size <= 2 * texels.max(4096),
                "{name} {width}x{height}x{slices} mips: {}",
                mips.size
            );
        }
    }
}
