//! Sizes, alignments, footprints, and what GetDesc tells of them (spec/2-resource-heaps.txt 214-230;
//! spec/1-tight-placed-resource-alignment.txt; facts/layout.md; facts/behaviour.md). Users reported what these
//! tests hold.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use common::*;
use heapstone::spec::rules::{description as rules, mapping};
use heapstone::{
    CommittedResourceDesc, Device, Error, FootprintOutputs, Format, HeapDesc, HeapFlags, HeapType,
    PlacedFootprint, PlacedResourceDesc, ReservedResourceDesc, Resource, ResourceAllocationInfo,
    ResourceAllocationInfo1, ResourceDesc, ResourceFlags, ResourceKind, SampleDesc, SdkVersion,
    TextureLayout,
};

/// What GetResourceAllocationInfo answers where it refuses.
const INVALID: ResourceAllocationInfo = ResourceAllocationInfo { size: u64::MAX, alignment: 65_536 };

fn info(device: &Device, descs: &[ResourceDesc]) -> (u64, u64) {
    let ResourceAllocationInfo { size, alignment } = device.get_resource_allocation_info(0, descs);
    (size, alignment)
}

fn query(device: &Device, desc: ResourceDesc) -> Result<ResourceAllocationInfo, Error> {
    device.try_resource_allocation_info(0, &[desc], None)
}

fn commit(device: &Device, desc: ResourceDesc) -> Result<Resource, Error> {
    device.create_committed_resource(&CommittedResourceDesc::new(HeapType::Default, desc))
}

fn place(device: &Device, desc: ResourceDesc) -> Result<Resource, Error> {
    // Of one category, as heap tier 1 wants it.
    let flags = HeapFlags::DENY_ALL.difference(desc.denied_by());
    let heap = HeapDesc::new(64 * MIB, HeapType::Default).with_alignment(4 * MIB).with_flags(flags);
    device.create_placed_resource(&device.create_heap(&heap).unwrap(), 0, &PlacedResourceDesc::new(desc))
}

#[test]
fn the_tight_flag_wants_alignment_0_before_619_4() {
    for sdk in [SdkVersion::V618, SdkVersion::V619_3] {
        let device = device_under("discrete-8g", sdk);
        assert_eq!(info(&device, &[tight_buffer(25_600)]), (25_600, 256));
        for alignment in [8, 256, 4096, 65_536] {
            let desc = tight_buffer(25_600).with_alignment(alignment);
            assert_eq!(device.get_resource_allocation_info(0, &[desc]), INVALID, "{sdk} {alignment}");
            for result in [
                query(&device, desc).map(drop),
                commit(&device, desc).map(drop),
                place(&device, desc).map(drop),
            ] {
                let violation = refused(result, &rules::TIGHT_ALIGNMENT_NON_ZERO);
                says(&violation, "Alignment", &[&alignment.to_string(), sdk.name()], &["0", "619.4"]);
            }
        }
        assert_empty(&device);
    }
}

#[test]
fn from_619_4_alignment_is_a_floor() {
    let device = device("discrete-8g");
    let with = |alignment| tight_buffer(25_600).with_alignment(alignment);
    for alignment in [8, 256] {
        assert_eq!(info(&device, &[with(alignment)]), (25_600, 256));
        let placed = place(&device, with(alignment)).unwrap();
        assert_eq!((placed.alignment(), placed.size(), placed.desc().alignment), (256, 25_600, 256));
        let committed = commit(&device, with(alignment)).unwrap();
        assert_eq!((committed.alignment(), committed.desc().alignment), (4096, 4096));
    }
    // 4096 is above the placed buffers' 256, and is the committed ones' own.
    assert_eq!(info(&device, &[with(4096)]), (28_672, 4096));
    assert_eq!(commit(&device, with(4096)).unwrap().alignment(), 4096);
    let violation = refused(place(&device, with(4096)), &rules::TIGHT_ALIGNMENT_MAX);
    says(&violation, "Alignment", &["4096"], &["256"]);

    assert_eq!(device.get_resource_allocation_info(0, &[with(65_536)]), INVALID);
    refused(place(&device, with(65_536)), &rules::TIGHT_ALIGNMENT_MAX);
    for result in [query(&device, with(65_536)).map(drop), commit(&device, with(65_536)).map(drop)] {
        says(&refused(result, &rules::TIGHT_ALIGNMENT_MAX), "Alignment", &["65536"], &["4096"]);
    }
    for alignment in [3, 48, 257] {
        let violation = refused(query(&device, with(alignment)), &rules::TIGHT_ALIGNMENT_POWER_OF_TWO);
        says(&violation, "Alignment", &[&alignment.to_string()], &["power of two"]);
    }
    assert_empty(&device);
}

/// The driver of this adapter aligns buffers at 8 bytes, so that the floor shows.
#[test]
fn a_floor_is_honoured_and_clamped_up_to_8() {
    let device = device("cache-coherent-uma");
    for (floor, alignment) in [(0, 8), (1, 8), (4, 8), (8, 8), (16, 16), (64, 64), (128, 128), (256, 256)] {
        let placed = place(&device, tight_buffer(100).with_alignment(floor)).unwrap();
        assert_eq!((placed.alignment(), placed.size()), (alignment, 100), "floor {floor}");
        let size = 100_u64.next_multiple_of(alignment);
        assert_eq!(info(&device, &[tight_buffer(100).with_alignment(floor)]), (size, alignment), "{floor}");
    }
}

#[test]
fn tight_alignment_is_never_worse() {
    for name in ["discrete-8g", "integrated-uma", "cache-coherent-uma", "discrete-256k-images", "software"] {
        let device = device(name);
        let descs = [
            ResourceDesc::buffer(100_000),
            rgba8(64, 64),
            rgba8(1024, 1024).with_mip_levels(0),
            render_target(500, 300),
            render_target(32, 32).with_samples(4),
            render_target(2000, 1000).with_samples(4),
            depth_stencil(256, 256),
        ];
        for desc in descs {
            let (classic_size, classic_alignment) = info(&device, &[desc]);
            let tight = desc.with_flags(desc.flags | ResourceFlags::USE_TIGHT_ALIGNMENT);
            let (size, alignment) = info(&device, &[tight]);
            assert!(
                alignment <= classic_alignment && size <= classic_size,
                "{name} {desc:?}: {size} {alignment}"
            );
            if desc.is_buffer() {
                assert!(alignment <= 256, "{name}");
            }
            let crossing = tight.with_flags(tight.flags | ResourceFlags::ALLOW_CROSS_ADAPTER);
            if !desc.flags.contains(ResourceFlags::ALLOW_DEPTH_STENCIL) {
                let least = if desc.sample_desc.count > 1 { 4 * MIB } else { 65_536 };
                assert_eq!(info(&device, &[crossing]).1, least, "{name} {desc:?}: between adapters");
            }
        }
    }
}

#[test]
fn what_get_desc_tells_is_accepted_again() {
    let device = device("discrete-8g");
    let tight = ResourceFlags::USE_TIGHT_ALIGNMENT;
    for desc in [
        tight_buffer(25_600),
        rgba8(64, 64).with_flags(tight),
        rgba8(1024, 1024).with_mip_levels(0).with_flags(tight),
        render_target(256, 256).with_flags(tight | ResourceFlags::ALLOW_RENDER_TARGET),
        rgba8(64, 64),
        ResourceDesc::buffer(25_600),
        render_target(32, 32).with_samples(4),
    ] {
        let placed = place(&device, desc).unwrap();
        let told = *placed.desc();
        assert!(told.alignment != 0 && told.mip_levels != 0);
        assert_eq!(*place(&device, told).unwrap().desc(), told);
        assert_eq!(query(&device, told).unwrap(), query(&device, desc).unwrap());
        let footprint =
            |desc| device.get_copyable_footprints(desc, 0, 1, 0, FootprintOutputs::default()).unwrap();
        assert_eq!(footprint(&told), footprint(&desc));
        let committed = *commit(&device, told).unwrap().desc();
        assert_eq!(*commit(&device, committed).unwrap().desc(), committed);
        query(&device, committed).unwrap();
        footprint(&committed);
    }
}

fn reserve(device: &Device, desc: ResourceDesc) -> Result<Resource, Error> {
    device.create_reserved_resource(&ReservedResourceDesc::new(desc))
}

/// A resource as another adapter could open it.
fn share(device: &Device, desc: ResourceDesc) -> Result<Resource, Error> {
    device.create_committed_resource(&CommittedResourceDesc {
        heap_flags: HeapFlags::SHARED | HeapFlags::SHARED_CROSS_ADAPTER,
        ..CommittedResourceDesc::new(HeapType::Default, desc)
    })
}

/// spec/1, Non-zero Alignment as a target floor: GetDesc's description is accepted by the call that made the
/// resource, which gives the same again, and by both queries. One exception: the queries do not know that a
/// tight buffer of 65536 was reserved.
#[test]
fn get_desc_goes_round_for_every_kind() {
    type Create = fn(&Device, ResourceDesc) -> Result<Resource, Error>;
    let calls: [Create; 4] = [commit, place, reserve, share];
    let plain = [
        ResourceDesc::buffer(25_600),
        rgba8(16, 16),
        rgba8(16, 16).with_alignment(4096),
        rgba8(1024, 1024).with_mip_levels(0),
        ResourceDesc::texture_1d(Format::R8_UNORM, 64),
        ResourceDesc::texture_3d(Format::R8_UNORM, 64, 64, 64),
        render_target(256, 256),
        render_target(32, 32).with_samples(4),
        render_target(2000, 1000).with_samples(4),
        depth_stencil(64, 64),
        rgba8(64, 64).with_layout(TextureLayout::RowMajor),
        rgba8(512, 512).with_layout(TextureLayout::Undefined64KbSwizzle),
        rgba8(512, 512).with_layout(TextureLayout::Standard64KbSwizzle),
    ];
    let more = [
        ResourceFlags::empty(),
        ResourceFlags::USE_TIGHT_ALIGNMENT,
        ResourceFlags::ALLOW_CROSS_ADAPTER,
        ResourceFlags::USE_TIGHT_ALIGNMENT | ResourceFlags::ALLOW_CROSS_ADAPTER,
    ];
    let mut made = 0;
    for name in heapstone::Profile::builtin_names() {
        for sdk in SdkVersion::ALL.iter().filter(|sdk| **sdk >= SdkVersion::V619_4) {
            let device = device_under(name, *sdk);
            for (desc, flags) in plain.iter().flat_map(|desc| more.map(|flags| (desc, flags))) {
                let desc = desc.with_flags(desc.flags | flags);
                for create in calls {
                    let Ok(resource) = create(&device, desc) else { continue };
                    made += 1;
                    let told = *resource.desc();
                    let again = create(&device, told).unwrap();
                    assert_eq!((*again.desc(), again.size()), (told, resource.size()), "{name} {told:?}");
                    let is_tight = told.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT);
                    if told.is_buffer() && is_tight && resource.kind() == ResourceKind::Reserved {
                        assert_eq!(device.get_resource_allocation_info(0, &[told]), INVALID, "{name}");
                        continue;
                    }
                    query(&device, told).unwrap();
                    device.get_copyable_footprints(&told, 0, 1, 0, FootprintOutputs::default()).unwrap();
                }
            }
        }
    }
    assert!(made > 300, "{made} resources");
}

#[test]
fn an_output_that_is_too_short_is_refused() {
    let device = device("discrete-8g");
    let mut short = [ResourceAllocationInfo1::default()];
    let two = [ResourceDesc::buffer(1000); 2];
    let violation = refused(
        device.try_resource_allocation_info(0, &two, Some(&mut short)),
        &rules::ALLOCATION_INFO_OUTPUT,
    );
    says(&violation, "pResourceAllocationInfo1", &["1"], &["2"]);
    assert_eq!(short, [ResourceAllocationInfo1::default()]);
}

#[test]
fn alignments_that_get_desc_tells() {
    let device = device("discrete-8g");
    let small = rgba8(128, 128).with_alignment(4096);
    let msaa = render_target(32, 32).with_samples(4);
    for (desc, alignment) in [
        (ResourceDesc::buffer(1), 65_536),
        (rgba8(64, 64), 65_536),
        (small, 4096),
        (msaa, 4_194_304),
        (msaa.with_alignment(65_536), 65_536),
        (msaa.with_alignment(4_194_304), 4_194_304),
    ] {
        assert_eq!(commit(&device, desc).unwrap().desc().alignment, alignment);
        assert_eq!(place(&device, desc).unwrap().desc().alignment, alignment);
    }
}

#[test]
fn small_textures_may_lie_at_4_kib() {
    let device = device("discrete-8g");
    let small = |width, height| rgba8(width, height).with_alignment(4096);
    let violation = refused(query(&device, small(1024, 1024)), &rules::SMALL_ALIGNMENT_TILES);
    says(&violation, "Alignment", &["1024 tiles of 4 KiB"], &["at most 16"]);
    assert_eq!(device.get_resource_allocation_info(0, &[small(1024, 1024)]), INVALID);
    // 4x4 tiles of 32x32 texels: 16.
    assert_eq!(info(&device, &[small(128, 128)]), (65_536, 4096));
    assert_eq!(info(&device, &[small(64, 64)]), (16_384, 4096));
    refused(query(&device, small(129, 128)), &rules::SMALL_ALIGNMENT_TILES);
    // Slices and mips do not count.
    query(&device, small(128, 128).with_array_size(100).with_mip_levels(0)).unwrap();
    let target = small(64, 64).with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
    says(&refused(query(&device, target), &rules::SMALL_ALIGNMENT_KIND), "Alignment", &["4096"], &["65536"]);
    says(
        &refused(query(&device, rgba8(64, 64).with_alignment(8192)), &rules::TEXTURE_ALIGNMENT),
        "Alignment",
        &["8192"],
        &["4096", "65536"],
    );
}

#[test]
fn small_multisampled_textures_may_lie_at_64_kib() {
    let msaa = render_target(256, 256).with_samples(4);
    let with = common::device("discrete-8g");
    assert_eq!(info(&with, &[msaa]).1, 4_194_304);
    assert_eq!(info(&with, &[msaa.with_alignment(65_536)]).1, 65_536);
    // Of 4 samples a tile of 64 KiB has 64x64 texels: 64 tiles are 512x512.
    let at_64_kib = |width, height| render_target(width, height).with_samples(4).with_alignment(65_536);
    query(&with, at_64_kib(512, 512)).unwrap();
    let violation = refused(query(&with, at_64_kib(513, 512)), &rules::MSAA_SMALL_ALIGNMENT_TILES);
    says(&violation, "Alignment", &["72 tiles of 64 KiB"], &["64"]);
    says(
        &refused(query(&with, msaa.with_alignment(4096)), &rules::MSAA_ALIGNMENT),
        "Alignment",
        &["4096"],
        &["65536", "4194304"],
    );
    let without = common::device("discrete-no-msaa64k");
    refused(query(&without, msaa.with_alignment(65_536)), &rules::MSAA_SMALL_ALIGNMENT_CAP);
    assert_eq!(info(&without, &[msaa]).1, 4_194_304);
}

#[test]
fn buffers() {
    for name in heapstone::Profile::builtin_names() {
        let device = device(name);
        for (width, size) in [(1, 65_536), (25_600, 65_536), (65_536, 65_536), (65_537, 131_072)] {
            assert_eq!(info(&device, &[ResourceDesc::buffer(width)]), (size, 65_536), "{name} {width}");
        }
        for alignment in [1, 256, 4096, 4_194_304] {
            let desc = ResourceDesc::buffer(1000).with_alignment(alignment);
            let violation = refused(query(&device, desc), &rules::BUFFER_ALIGNMENT);
            says(&violation, "Alignment", &[&alignment.to_string()], &["0", "65536"]);
            assert_eq!(device.get_resource_allocation_info(0, &[desc]), INVALID);
        }
        query(&device, ResourceDesc::buffer(1000).with_flags(ResourceFlags::ALLOW_RENDER_TARGET)).unwrap();
        for flag in [ResourceFlags::ALLOW_DEPTH_STENCIL, ResourceFlags::ALLOW_SIMULTANEOUS_ACCESS] {
            refused(query(&device, ResourceDesc::buffer(1000).with_flags(flag)), &rules::BUFFER_FLAGS);
        }
        refused(query(&device, ResourceDesc::buffer(1000).with_mip_levels(0)), &rules::BUFFER_MIP_LEVELS);
    }
}

#[test]
fn no_descriptions_are_size_0_alignment_1() {
    assert_eq!(info(&device("discrete-8g"), &[]), (0, 1));
}

/// spec/2-resource-heaps.txt 230: 12 MB with the 4 MB aligned texture in the middle, else 8 MB.
#[test]
fn the_order_of_an_array_counts() {
    let device = device("discrete-8g");
    let (texel, msaa) = (rgba8(1, 1), render_target(1, 1).with_samples(4));
    assert_eq!(info(&device, &[texel, msaa, texel]), (12 * MIB, 4 * MIB));
    for order in [[texel, texel, msaa], [msaa, texel, texel]] {
        assert_eq!(info(&device, &order), (8 * MIB, 4 * MIB));
    }
    let mut places = [ResourceAllocationInfo1::default(); 3];
    device.try_resource_allocation_info(0, &[texel, msaa, texel], Some(&mut places)).unwrap();
    assert_eq!(places.map(|place| place.offset), [0, 4 * MIB, 8 * MIB]);
    assert_eq!(places.map(|place| place.alignment), [65_536, 4 * MIB, 65_536]);
    let before = places;
    let illegal = ResourceDesc::buffer(0);
    device.try_resource_allocation_info(0, &[texel, illegal], Some(&mut places)).unwrap_err();
    assert_eq!(places, before, "nothing is written on refusal");
    assert_eq!(device.get_resource_allocation_info(0, &[texel, illegal]), INVALID);
}

#[test]
fn a_mask_of_nodes_that_are_not_there() {
    let alone = device("discrete-8g");
    let buffer = [ResourceDesc::buffer(1000)];
    for mask in [0, 1] {
        assert_eq!(alone.get_resource_allocation_info(mask, &buffer).size, 65_536);
    }
    let violation = refused(alone.try_resource_allocation_info(2, &buffer, None), &mapping::QUERY_NODE);
    says(&violation, "isibleMask", &["0x2"], &["0x1"]);
    assert_eq!(alone.get_resource_allocation_info(2, &buffer), INVALID);
    assert_eq!(device("linked-two-nodes").get_resource_allocation_info(3, &buffer).size, 65_536);
}

#[test]
fn mip_levels() {
    let device = device("discrete-8g");
    let mips = |desc: ResourceDesc| commit(&device, desc).unwrap().desc().mip_levels;
    assert_eq!(mips(rgba8(32, 32).with_mip_levels(10)), 10, "more than the chain are kept");
    for (width, height, full) in [(1, 1, 1), (32, 32, 6), (1024, 1024, 11), (1000, 777, 10), (1, 16_384, 15)]
    {
        assert_eq!(mips(rgba8(width, height).with_mip_levels(0)), full, "{width}x{height}");
    }
    let volume = ResourceDesc::texture_3d(Format::R8_UNORM, 4, 4, 64);
    assert_eq!(mips(volume.with_mip_levels(0)), 7);
    refused(query(&device, rgba8(32, 32).with_mip_levels(16)), &rules::MIP_LEVELS_MAX);
}

#[test]
fn samples_and_blocks() {
    let device = device("discrete-8g");
    let none = ResourceDesc { sample_desc: SampleDesc { count: 0, quality: 0 }, ..rgba8(64, 64) };
    refused(query(&device, none), &rules::SAMPLE_COUNT_ZERO);
    let inbox = device_under("discrete-8g", SdkVersion::Inbox);
    let old = common::device("limited-va");
    for (width, height) in [(32, 31), (30, 30), (2, 2)] {
        let blocks = ResourceDesc::texture_2d(Format::BC7_UNORM, width, height);
        query(&device, blocks).unwrap();
        refused(query(&inbox, blocks), &rules::FORMAT_BLOCK_ALIGNMENT_INBOX);
        refused(query(&old, blocks), &rules::FORMAT_BLOCK_ALIGNMENT);
    }
    refused(query(&device, ResourceDesc::texture_1d(Format::BC1_UNORM, 64)), &rules::FORMAT_BLOCK_1D);
}

/// facts/behaviour.md, Sizes: what real implementations gave; not the only right ones, but plausible.
#[test]
fn sizes_are_plausible() {
    let table = [
        (rgba8(256, 256).with_mip_levels(9), 393_216),
        (rgba8(1024, 1024).with_mip_levels(11), 5_636_096),
        (rgba8(1000, 777).with_mip_levels(10), 4_259_840),
        (render_target(1920, 1080), 8_323_072),
        (render_target(1920, 1080).with_samples(4), 33_554_432),
        (ResourceDesc::texture_2d(Format::BC7_UNORM, 4096, 4096).with_mip_levels(13), 22_413_312),
        (ResourceDesc::texture_3d(Format::R8G8B8A8_UNORM, 128, 128, 128).with_mip_levels(8), 9_633_792),
        (ResourceDesc::texture_2d(Format::NV12, 1920, 1080), 3_145_728),
    ];
    for name in ["discrete-8g", "integrated-uma", "discrete-no-msaa64k", "linked-two-nodes"] {
        let device = device(name);
        for (desc, seen) in table {
            let size = query(&device, desc).unwrap().size;
            assert!(size >= seen * 3 / 4 && size <= seen * 3 / 2, "{name} {desc:?}: {size}, seen {seen}");
        }
    }
}

/// facts/layout.md: NV12 1920x1080 has its second plane at 2211840, pitch 2048, and takes 3317632 bytes.
#[test]
fn footprints_of_planes() {
    let device = device("discrete-8g");
    let nv12 = ResourceDesc::texture_2d(Format::NV12, 1920, 1080);
    let mut layouts = [PlacedFootprint::EMPTY; 2];
    let mut rows = [0; 2];
    let mut sizes = [0; 2];
    let outputs = FootprintOutputs {
        layouts: Some(&mut layouts),
        row_counts: Some(&mut rows),
        row_sizes: Some(&mut sizes),
    };
    assert_eq!(device.get_copyable_footprints(&nv12, 0, 2, 0, outputs).unwrap(), 3_317_632);
    assert_eq!((layouts[0].offset, layouts[0].row_pitch, layouts[0].format), (0, 2048, Format::R8_TYPELESS));
    assert_eq!(
        (layouts[1].offset, layouts[1].row_pitch, layouts[1].format),
        (2_211_840, 2048, Format::R8G8_TYPELESS)
    );
    assert_eq!((layouts[1].width, layouts[1].height), (960, 540));
    assert_eq!((rows, sizes), ([1080, 540], [1920, 1920]));
}

#[test]
fn footprints_wrap_leave_the_base_out_and_know_one_sample() {
    let device = device("discrete-8g");
    let mut layouts = [PlacedFootprint::EMPTY; 2];
    let desc = rgba8(64, 64).with_mip_levels(2);
    let outputs = FootprintOutputs { layouts: Some(&mut layouts), ..FootprintOutputs::default() };
    let total = device.get_copyable_footprints(&desc, 0, 2, u64::MAX, outputs).unwrap();
    // 64 rows of 256; then 32 rows, 31 at a pitch of 256 and the last of 128 bytes.
    assert_eq!(total, 64 * 256 + 31 * 256 + 128);
    assert_eq!((layouts[0].offset, layouts[1].offset), (u64::MAX, 64 * 256 - 1));
    let total = |desc| device.get_copyable_footprints(&desc, 0, 1, 0, FootprintOutputs::default()).unwrap();
    assert_eq!(total(render_target(64, 64).with_samples(4)), total(render_target(64, 64)));
}

/// In C an output may be a field of the description itself; here, of the caller's own copy of it.
#[test]
fn footprints_are_written_last_and_only_on_success() {
    let device = device("discrete-8g");
    let mut desc = rgba8(64, 64);
    let given = desc;
    let outputs = FootprintOutputs {
        row_sizes: Some(core::slice::from_mut(&mut desc.width)),
        row_counts: Some(core::slice::from_mut(&mut desc.height)),
        ..FootprintOutputs::default()
    };
    assert_eq!(device.get_copyable_footprints(&given, 0, 1, 0, outputs).unwrap(), 64 * 256);
    assert_eq!((desc.width, desc.height), (256, 64));

    let mut sizes = [7];
    for (desc, first, count) in [(rgba8(64, 64), 1, 1), (rgba8(64, 64), 0, 2), (rgba8(0, 64), 0, 1)] {
        let outputs = FootprintOutputs { row_sizes: Some(&mut sizes), ..FootprintOutputs::default() };
        device.get_copyable_footprints(&desc, first, count, 0, outputs).unwrap_err();
        assert_eq!(sizes, [7]);
    }
    let result = device.get_copyable_footprints(&rgba8(64, 64), 1, 1, 0, FootprintOutputs::default());
    says(&refused(result, &rules::FOOTPRINTS_RANGE), "NumSubresources", &["1"], &["1"]);
}
