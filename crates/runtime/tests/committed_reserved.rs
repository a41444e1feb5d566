//! CreateCommittedResource and CreateReservedResource (spec/2-resource-heaps.txt 152-186;
//! spec/1-tight-placed-resource-alignment.txt, Committed Resources; facts/behaviour.md, Creation).
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use core::sync::atomic::Ordering;

use common::counting::CountingFactory;
use common::*;
use heapstone::spec::rules::{description, heap as heap_rules, mapping, placement as rules};
use heapstone::{
    Backing, CommittedResourceDesc, CpuPageProperty, Device, Error, Format, HeapDesc, HeapFlags,
    HeapProperties, HeapType, MapPointer, MemoryPool, ReservedResourceDesc, Resource, ResourceDesc,
    ResourceFlags, ResourceKind, SdkVersion, TextureLayout, Violation,
};

fn commit(device: &Device, desc: ResourceDesc) -> Result<Resource, Error> {
    device.create_committed_resource(&CommittedResourceDesc::new(HeapType::Default, desc))
}

fn commit_with(device: &Device, heap_flags: HeapFlags, desc: ResourceDesc) -> Result<Resource, Error> {
    let desc = CommittedResourceDesc { heap_flags, ..CommittedResourceDesc::new(HeapType::Default, desc) };
    device.create_committed_resource(&desc)
}

fn reserve(device: &Device, desc: ResourceDesc) -> Result<Resource, Error> {
    device.create_reserved_resource(&ReservedResourceDesc::new(desc))
}

/// A texture that can be reserved.
fn tiled(width: u64, height: u32) -> ResourceDesc {
    rgba8(width, height).with_layout(TextureLayout::Undefined64KbSwizzle)
}

#[test]
fn an_implicit_heap_fits_its_resource() {
    let device = device("discrete-8g");
    for (width, size) in [(1, 65_536), (65_536, 65_536), (65_537, 131_072), (25_600, 65_536)] {
        let buffer = commit(&device, ResourceDesc::buffer(width)).unwrap();
        assert_eq!((buffer.size(), buffer.committed_size(), buffer.alignment()), (size, size, 65_536));
        assert_eq!(usage(&device), [size, 0]);
        assert_eq!((buffer.kind(), buffer.heap_offset()), (ResourceKind::Committed, Some(0)));
        assert!(buffer.heap().is_none() && buffer.gpu_virtual_address().0 != 0);
    }
    let texture = commit(&device, rgba8(64, 64)).unwrap();
    assert_eq!((texture.size(), texture.gpu_virtual_address().0), (65_536, 0));
    drop(texture);
    assert_empty(&device);
}

#[test]
fn tight_committed_buffers_are_aligned_to_4_kib() {
    for name in ["discrete-8g", "integrated-uma", "cache-coherent-uma"] {
        let device = device(name);
        for (width, committed) in [(1, 4096), (4096, 4096), (4097, 8192), (25_600, 28_672), (65_536, 65_536)]
        {
            let buffer = commit(&device, tight_buffer(width)).unwrap();
            assert_eq!((buffer.alignment(), buffer.committed_size()), (4096, committed), "{name} {width}");
            assert_eq!(buffer.desc().alignment, 4096);
            assert_eq!(usage(&device)[0], committed, "{name} {width}");
        }
        assert_empty(&device);
    }
}

#[test]
fn implicit_heaps_have_no_deny_flags() {
    let device = device("discrete-8g");
    for flag in [
        HeapFlags::DENY_BUFFERS,
        HeapFlags::DENY_RT_DS_TEXTURES,
        HeapFlags::DENY_NON_RT_DS_TEXTURES,
        HeapFlags::ALLOW_ONLY_BUFFERS,
        HeapFlags::DENY_ALL,
    ] {
        let violation =
            refused(commit_with(&device, flag, ResourceDesc::buffer(1000)), &heap_rules::COMMITTED_DENY);
        says(&violation, "HeapFlags", &["DENY"], &["no DENY"]);
    }
    let tier1 = common::device("discrete-tier1-2g");
    for desc in [ResourceDesc::buffer(1000), rgba8(64, 64), render_target(64, 64)] {
        commit(&tier1, desc).unwrap();
    }
    let unknown = HeapFlags::from_bits_retain(0x10);
    refused(commit_with(&device, unknown, ResourceDesc::buffer(1000)), &heap_rules::FLAGS_UNRECOGNIZED);
    let alone = HeapFlags::SHARED_CROSS_ADAPTER;
    refused(commit_with(&device, alone, ResourceDesc::buffer(1000)), &heap_rules::FLAGS_CROSS_ADAPTER);
    assert_empty(&device);
}

#[test]
fn implicit_heaps_keep_the_rules_of_properties() {
    let device = device("discrete-8g");
    let with = |heap_properties| {
        let desc = CommittedResourceDesc::new(HeapType::Default, ResourceDesc::buffer(1000));
        device.create_committed_resource(&CommittedResourceDesc { heap_properties, ..desc })
    };
    let custom = HeapProperties::custom;
    refused(with(custom(CpuPageProperty::WriteBack, MemoryPool::L1)), &heap_rules::CUSTOM_L1_WRITE_BACK);
    refused(with(custom(CpuPageProperty::Unknown, MemoryPool::L0)), &heap_rules::CUSTOM_UNKNOWN);
    refused(with(HeapProperties::new(HeapType::Default).with_nodes(2, 2)), &heap_rules::NODE_CREATION);
    let buffer = with(custom(CpuPageProperty::WriteBack, MemoryPool::L0)).unwrap();
    let (properties, flags) = buffer.heap_properties().unwrap();
    assert_eq!(properties, custom(CpuPageProperty::WriteBack, MemoryPool::L0).with_nodes(1, 1));
    assert_eq!(flags, HeapFlags::empty());
}

#[test]
fn committed_buffers_that_the_cpu_maps_end_before_4_gib() {
    let device = device("discrete-8g");
    let upload = |width| {
        device.create_committed_resource(&CommittedResourceDesc::new(
            HeapType::Upload,
            ResourceDesc::buffer(width),
        ))
    };
    assert_eq!(upload(0xFFFF_0000).unwrap().size(), 0xFFFF_0000);
    let violation = refused(upload(0xFFFF_0001), &heap_rules::SIZE_CPU_VISIBLE);
    says(&violation, "the size that it takes", &["4294967296"], &["4294901760"]);
    assert_empty(&device);
}

#[test]
fn enormous_resources_are_errors_and_no_wraps() {
    for name in heapstone::Profile::builtin_names() {
        let device = device(name);
        for width in [1 << 63, u64::MAX, u64::MAX - 65_535] {
            for desc in [ResourceDesc::buffer(width), rgba8(width, 1)] {
                assert!(commit(&device, desc).is_err(), "{name} {width}");
                assert!(reserve(&device, desc).is_err(), "{name} {width}");
            }
        }
        assert_empty(&device);
    }
}

#[test]
fn shader_atomics_pair_with_unordered_access() {
    let device = device("discrete-8g");
    let atomics = HeapFlags::ALLOW_SHADER_ATOMICS;
    let plain = ResourceDesc::buffer(1000);
    let violation = refused(commit_with(&device, atomics, plain), &heap_rules::ATOMICS_COMMITTED_UAV);
    says(&violation, "Flags", &["ALLOW_SHADER_ATOMICS"], &["ALLOW_UNORDERED_ACCESS"]);
    commit_with(&device, atomics, plain.with_flags(ResourceFlags::ALLOW_UNORDERED_ACCESS)).unwrap();
}

#[test]
fn displayed_resources_are_2d_textures_of_scan_out_formats() {
    let device = device("discrete-8g");
    let display = |desc| commit_with(&device, HeapFlags::ALLOW_DISPLAY, desc);
    for format in [
        Format::R16G16B16A16_FLOAT,
        Format::B8G8R8A8_UNORM,
        Format::R8G8B8A8_UNORM,
        Format::R10G10B10A2_UNORM,
        Format::R8G8B8A8_UNORM_SRGB,
    ] {
        let desc = ResourceDesc::texture_2d(format, 64, 64).with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
        display(desc).unwrap();
        display(desc.with_array_size(2)).unwrap();
    }
    for (desc, field) in [
        (ResourceDesc::buffer(1000), "Dimension"),
        (render_target(64, 64).with_mip_levels(2), "MipLevels"),
        (render_target(64, 64).with_array_size(3), "DepthOrArraySize"),
        (render_target(64, 64).with_samples(4), "Count"),
        (ResourceDesc::texture_2d(Format::R8_UNORM, 64, 64), "Format"),
    ] {
        assert!(refused(display(desc), &rules::PRIMARY_SHAPE).field.ends_with(field));
    }
    assert_empty(&device);
}

#[test]
fn the_driver_is_told_that_a_heap_is_implicit() {
    let factory = CountingFactory::default();
    let profile = profile("discrete-8g");
    let device =
        Device::builder().profile(profile).driver(&factory).backing(Backing::Phantom).build().unwrap();
    let buffer = commit(&device, ResourceDesc::buffer(1000)).unwrap();
    assert!(factory.watch.last_heap().implicit);
    assert_eq!(factory.watch.last_heap().size, 65_536);
    let heap = device.create_heap(&heapstone::HeapDesc::new(MIB, HeapType::Default)).unwrap();
    assert!(!factory.watch.last_heap().implicit);
    assert_eq!(factory.watch.heaps.load(Ordering::SeqCst), 2);
    drop((buffer, heap));
    assert!(factory.watch.is_empty());
}

#[test]
fn reserved_resources_take_addresses_and_no_memory() {
    let device = device("discrete-8g");
    let buffer = reserve(&device, ResourceDesc::buffer(65_537)).unwrap();
    assert_eq!((buffer.size(), buffer.kind()), (131_072, ResourceKind::Reserved));
    assert_eq!(usage(&device), [0, 0]);
    assert_eq!(device.gpu_virtual_address_statistics().used, 131_072);
    assert_eq!((buffer.heap_offset(), buffer.committed_size()), (None, 0));
    assert!(buffer.heap().is_none() && buffer.segment_group().is_none() && !buffer.is_demoted());
    assert!(buffer.gpu_virtual_address().0 != 0 && buffer.gpu_virtual_address().0.is_multiple_of(65_536));
    let texture = reserve(&device, tiled(512, 512)).unwrap();
    assert_eq!(texture.gpu_virtual_address().0, 0);
    drop((buffer, texture));
    assert_empty(&device);
}

#[test]
fn reserved_textures_have_a_64_kb_layout() {
    let device = device("discrete-8g");
    let violation = refused(reserve(&device, rgba8(512, 512)), &description::RESERVED_LAYOUT);
    says(&violation, "Layout", &["UNKNOWN"], &["64KB_UNDEFINED_SWIZZLE"]);
    reserve(&device, tiled(512, 512)).unwrap();
    let standard = rgba8(512, 512).with_layout(TextureLayout::Standard64KbSwizzle);
    reserve(&device, standard).unwrap();
    let without = common::device("discrete-no-msaa64k");
    refused(reserve(&without, standard), &description::STANDARD_SWIZZLE_CAP);
    reserve(&without, tiled(512, 512)).unwrap();
}

#[test]
fn what_cannot_be_reserved() {
    let device = device("discrete-8g");
    let d32s8 = ResourceDesc::texture_2d(Format::D32_FLOAT_S8X24_UINT, 512, 512)
        .with_layout(TextureLayout::Undefined64KbSwizzle)
        .with_flags(ResourceFlags::ALLOW_DEPTH_STENCIL);
    says(
        &refused(reserve(&device, d32s8), &description::RESERVED_FORMAT),
        "Format",
        &["D32_FLOAT_S8X24"],
        &[],
    );
    let line = ResourceDesc::texture_1d(Format::R8G8B8A8_UNORM, 512)
        .with_layout(TextureLayout::Undefined64KbSwizzle);
    says(
        &refused(reserve(&device, line), &description::RESERVED_DIMENSION),
        "Dimension",
        &["TEXTURE1D"],
        &[],
    );
    let none = common::device("limited-va");
    refused(reserve(&none, ResourceDesc::buffer(1000)), &description::RESERVED_TIER);
    assert_empty(&device);
    assert_empty(&none);
}

/// 512x512 RGBA8 is 4x4 tiles of 128x128: mips 0 to 2 fill tiles, mip 3 does not.
#[test]
fn arrays_with_packed_mips_are_for_tier_4() {
    for (name, tier_4) in [("discrete-8g", true), ("discrete-tier1-2g", false), ("cache-coherent-uma", false)]
    {
        let device = device(name);
        let array = tiled(512, 512).with_array_size(4);
        reserve(&device, array.with_mip_levels(3)).unwrap();
        reserve(&device, tiled(512, 512).with_mip_levels(10)).unwrap();
        let packed = reserve(&device, array.with_mip_levels(10));
        if tier_4 {
            packed.unwrap();
        } else {
            let violation = refused(packed, &description::RESERVED_ARRAY_PACKED);
            says(&violation, "MipLevels", &["10 mips", "4 slices"], &["3"]);
        }
    }
}

#[test]
fn three_dimensions_are_for_tier_3() {
    let volume = ResourceDesc::texture_3d(Format::R8G8B8A8_UNORM, 64, 64, 64)
        .with_layout(TextureLayout::Undefined64KbSwizzle);
    for (name, tier_3) in [("discrete-8g", true), ("discrete-tier1-2g", true), ("cache-coherent-uma", false)]
    {
        let result = reserve(&device(name), volume);
        if tier_3 {
            result.unwrap();
        } else {
            refused(result, &description::RESERVED_3D_TIER);
        }
    }
}

#[test]
fn the_tight_flag_goes_with_reserved_buffers_and_not_with_64_kb_layouts() {
    for sdk in [SdkVersion::V618, SdkVersion::V619_3, SdkVersion::V619_4] {
        let device = device_under("discrete-8g", sdk);
        let buffer = reserve(&device, tight_buffer(25_600)).unwrap();
        assert_eq!((buffer.size(), buffer.alignment()), (65_536, 65_536), "a tile is mapped whole");
        for layout in [TextureLayout::Undefined64KbSwizzle, TextureLayout::Standard64KbSwizzle] {
            let texture = rgba8(512, 512).with_layout(layout).with_flags(ResourceFlags::USE_TIGHT_ALIGNMENT);
            let violation = refused(reserve(&device, texture), &description::TIGHT_ALIGNMENT_LAYOUT);
            says(&violation, "Flags", &["USE_TIGHT_ALIGNMENT", "64KB"], &["UNKNOWN"]);
            refused(commit(&device, texture), &description::TIGHT_ALIGNMENT_LAYOUT);
            let info = device.get_resource_allocation_info(0, &[texture]);
            assert_eq!((info.size, info.alignment), (u64::MAX, 65_536));
        }
    }
    for sdk in [SdkVersion::Inbox, SdkVersion::V606, SdkVersion::V614] {
        let device = device_under("discrete-8g", sdk);
        refused(reserve(&device, tight_buffer(25_600)), &description::TIGHT_ALIGNMENT_SDK);
        refused(commit(&device, tight_buffer(25_600)), &description::TIGHT_ALIGNMENT_SDK);
    }
    let without = device("discrete-no-msaa64k");
    refused(commit(&without, tight_buffer(25_600)), &description::TIGHT_ALIGNMENT_TIER);
}

#[test]
fn a_reserved_resource_has_no_heap_to_tell_or_map() {
    let device = device("discrete-8g");
    for desc in [ResourceDesc::buffer(1000), tiled(512, 512)] {
        let resource = reserve(&device, desc).unwrap();
        refused(resource.heap_properties(), &mapping::HEAP_PROPERTIES_RESERVED);
        for pointer in [MapPointer::Wanted, MapPointer::Null] {
            refused(resource.map(0, None, pointer), &mapping::MAP_RESERVED);
        }
        refused(resource.read(0, &mut [0]), &mapping::MAP_RESERVED);
        refused(resource.write(0, &[0]), &mapping::MAP_RESERVED);
        assert_eq!(resource.map_count(), 0, "a refused Map touches nothing");
    }
}

/// facts/layout.md, Tiling: RGBA8 512x512 with 4 slices and 3 mips has 84 tiles; with 10 mips 3 are
/// standard, and there are at least 21 tiles.
#[test]
fn tilings_of_reserved_resources() {
    let device = device("discrete-8g");
    let array = reserve(&device, tiled(512, 512).with_array_size(4).with_mip_levels(3)).unwrap();
    let tiling = device.get_resource_tiling(&array, 0, &mut []).unwrap();
    assert_eq!((tiling.total_tiles, tiling.packed.standard_mips, tiling.packed.packed_mips), (84, 3, 0));
    let shape = tiling.tile_shape;
    assert_eq!((shape.width_in_texels, shape.height_in_texels, shape.depth_in_texels), (128, 128, 1));
    assert_eq!(array.size(), 84 * 65_536);
    let mips = reserve(&device, tiled(512, 512).with_mip_levels(10)).unwrap();
    let tiling = device.get_resource_tiling(&mips, 0, &mut []).unwrap();
    assert!(tiling.packed.standard_mips == 3 && tiling.total_tiles >= 21, "{tiling:?}");
    assert_eq!(mips.size(), u64::from(tiling.total_tiles) * 65_536);
    let buffer = reserve(&device, ResourceDesc::buffer(200_000)).unwrap();
    let tiling = device.get_resource_tiling(&buffer, 0, &mut []).unwrap();
    assert_eq!((tiling.total_tiles, tiling.packed.standard_mips, tiling.packed.packed_mips), (4, 0, 0));
    let shape = tiling.tile_shape;
    assert_eq!((shape.width_in_texels, shape.height_in_texels, shape.depth_in_texels), (65_536, 1, 1));
}

#[test]
fn only_reserved_resources_of_the_device_have_tilings() {
    let device = device("discrete-8g");
    let committed = commit(&device, tiled(512, 512)).unwrap();
    let violation = refused(device.get_resource_tiling(&committed, 0, &mut []), &mapping::TILING_RESERVED);
    says(&violation, "pTiledResource", &["committed"], &["reserved"]);
    assert_eq!(mapping::TILING_RESERVED.message.unwrap().number, 504);
    let heap = device.create_heap(&heapstone::HeapDesc::new(4 * MIB, HeapType::Default)).unwrap();
    let placed = heapstone::PlacedResourceDesc::new(ResourceDesc::buffer(1000));
    let placed = device.create_placed_resource(&heap, 0, &placed).unwrap();
    let violation = refused(device.get_resource_tiling(&placed, 0, &mut []), &mapping::TILING_RESERVED);
    says(&violation, "pTiledResource", &["placed"], &["reserved"]);

    let other = common::device("discrete-8g");
    let foreign = reserve(&other, tiled(512, 512)).unwrap();
    let mut grid = [heapstone::SubresourceTiling::PACKED];
    let violation =
        refused(device.get_resource_tiling(&foreign, 0, &mut grid), &mapping::QUERY_RESOURCE_DEVICE);
    says(&violation, "pTiledResource", &["another device"], &["this device"]);
    assert_eq!(grid, [heapstone::SubresourceTiling::PACKED], "nothing is written");
    other.get_resource_tiling(&foreign, 0, &mut grid).unwrap();
}

/// The runtime fills Alignment in, which 618 does not take back beside the flag: the resource has tiles all the
/// same.
#[test]
fn a_tight_reserved_buffer_has_tiles_under_every_sdk() {
    for sdk in [SdkVersion::V618, SdkVersion::V619_3, SdkVersion::V619_4] {
        let device = device_under("discrete-8g", sdk);
        let buffer = reserve(&device, tight_buffer(200_000)).unwrap();
        assert_eq!(device.get_resource_tiling(&buffer, 0, &mut []).unwrap().total_tiles, 4, "{sdk}");
    }
}

/// The same rule of a heap is one message of CreateHeap and another of CreateCommittedResource, whose caller
/// gave no heap description (D3D12's public header d3d12sdklayers.h).
#[test]
fn an_implicit_heap_breaks_rules_with_its_own_messages() {
    let device = device("discrete-8g");
    let number = |violation: &Violation| violation.message.map(|message| message.number);
    let l1_cached = HeapProperties::custom(CpuPageProperty::WriteBack, MemoryPool::L1);
    let explicit = device.create_heap(&heap_of(65_536, l1_cached, HeapFlags::empty()));
    assert_eq!(number(&refused(explicit, &heap_rules::CUSTOM_L1_WRITE_BACK)), Some(628));
    let mut desc = CommittedResourceDesc::new(HeapType::Default, ResourceDesc::buffer(100));
    desc.heap_properties = l1_cached;
    let implicit = device.create_committed_resource(&desc);
    assert_eq!(number(&refused(implicit, &heap_rules::CUSTOM_L1_WRITE_BACK)), Some(638));

    let explicit = device.create_heap(&HeapDesc::new(0xffff_0001, HeapType::Upload));
    let violation = refused(explicit, &heap_rules::SIZE_CPU_VISIBLE);
    assert_eq!((number(&violation), violation.field), (Some(624), "D3D12_HEAP_DESC.SizeInBytes"));
    let desc = CommittedResourceDesc::new(HeapType::Upload, ResourceDesc::buffer(0xffff_0001));
    let violation = refused(device.create_committed_resource(&desc), &heap_rules::SIZE_CPU_VISIBLE);
    assert_eq!(number(&violation), Some(597));
    assert!(violation.field.starts_with("D3D12_RESOURCE_DESC"), "{}", violation.field);

    let mut desc = CommittedResourceDesc::new(HeapType::Default, ResourceDesc::buffer(100));
    desc.heap_flags = HeapFlags::SHARED_CROSS_ADAPTER;
    let violation = refused(device.create_committed_resource(&desc), &heap_rules::FLAGS_CROSS_ADAPTER);
    assert_eq!((number(&violation), violation.field), (Some(640), "HeapFlags"));
}
