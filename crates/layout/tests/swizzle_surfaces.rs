//! Surfaces: where every byte of a texture lies.
#![allow(clippy::unwrap_used)] // Helpers of tests are tests.

mod support;

#[path = "support/textures.rs"]
mod textures;

use heapstone_layout::swizzle::{BlockStrides, Storage, Surface, SwizzleAddress, reference_offset};
use heapstone_layout::{
    LayoutRules, ProfileSizer, Purpose, ResourceSizer, metadata_range, resource_allocation,
    subresource_count, subresource_info, surface, surfaces, validate,
};
use heapstone_spec::profile::SwizzleFamily;
use heapstone_spec::{Format, ResourceDesc, ResourceFlags, SdkVersion, TextureLayout};
use heapstone_units::{Alignment, ByteRange};
use proptest::prelude::*;
use support::{profile, rules};

/// The byte of a surface at which an element of a sample begins.
fn element_offset(surface: &Surface, x: u64, y: u32, z: u32, sample: u32) -> u64 {
    match surface.storage {
        Storage::Linear { row_pitch, slice_pitch } => {
            let samples = 1 << surface.samples_log2;
            let element = (x * samples + u64::from(sample)) << surface.element_bytes_log2;
            u64::from(z) * slice_pitch + u64::from(y) * row_pitch + element
        }
        Storage::Swizzled { pattern, strides } => {
            let at = SwizzleAddress { x_bytes: x << surface.element_bytes_log2, y, z, sample };
            reference_offset(pattern.pattern(), at, &strides)
        }
    }
}

/// Every element of every sample of every subresource has bytes of its own, inside its subresource and
/// inside what the driver asked for.
fn elements_do_not_meet(rules: &LayoutRules, desc: &ResourceDesc) {
    let desc = validate(rules, desc, Purpose::Query).unwrap();
    let sizer = ProfileSizer { rules: *rules };
    let allocation = resource_allocation(rules, &sizer, &desc, Purpose::Query).unwrap();
    let size = allocation.driver.resource_data_size;
    let mut taken = vec![false; usize::try_from(size).unwrap()];
    for (index, surface) in surfaces(rules, &desc).unwrap().iter().enumerate() {
        let context = format!("{} {desc:?}, subresource {index}", rules.layout.unknown_pattern);
        for z in 0..surface.elements.depth {
            for y in 0..surface.elements.height {
                for x in 0..surface.elements.width {
                    for sample in 0..1 << surface.samples_log2 {
                        let begin = element_offset(surface, x, y, z, sample);
                        let end = begin + (1 << surface.element_bytes_log2);
                        assert!(
                            end <= surface.size,
                            "{context}: ({x}, {y}, {z}) ends at {end} of {}",
                            surface.size
                        );
                        let bytes = usize::try_from(surface.offset + begin).unwrap()
                            ..usize::try_from(surface.offset + end).unwrap();
                        for byte in &mut taken[bytes] {
                            assert!(
                                !std::mem::replace(byte, true),
                                "{context}: ({x}, {y}, {z}) meets another"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn elements_of_odd_textures_do_not_meet() {
    let textures = [
        ResourceDesc::texture_3d(Format::R8_UNORM, 33, 33, 33).with_mip_levels(0),
        ResourceDesc::texture_3d(Format::R8G8B8A8_UNORM, 5, 7, 3),
        ResourceDesc::texture_3d(Format::R16_FLOAT, 66, 33, 5).with_mip_levels(3),
        ResourceDesc::texture_3d(Format::BC1_UNORM, 36, 20, 5).with_mip_levels(2),
        ResourceDesc::texture_2d(Format::R8_UNORM, 1, 1),
        ResourceDesc::texture_2d(Format::R8_UNORM, 513, 66).with_mip_levels(0).with_array_size(2),
        ResourceDesc::texture_2d(Format::R32G32B32_FLOAT, 100, 9).with_mip_levels(2).with_array_size(3),
        ResourceDesc::texture_2d(Format::R32G32B32A32_FLOAT, 67, 65).with_mip_levels(2),
        ResourceDesc::texture_2d(Format::BC7_UNORM, 260, 36).with_mip_levels(0),
        ResourceDesc::texture_2d(Format::NV12, 130, 66),
        ResourceDesc::texture_2d(Format::R8G8_B8G8_UNORM, 34, 5),
        ResourceDesc::texture_1d(Format::R16G16_UNORM, 3001).with_mip_levels(4).with_array_size(2),
        ResourceDesc::texture_2d(Format::D32_FLOAT_S8X24_UINT, 131, 34)
            .with_mip_levels(3)
            .with_flags(ResourceFlags::ALLOW_DEPTH_STENCIL),
        ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 70, 19)
            .with_samples(8)
            .with_flags(ResourceFlags::ALLOW_RENDER_TARGET),
        ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 9, 3)
            .with_samples(4)
            .with_flags(ResourceFlags::ALLOW_RENDER_TARGET),
    ];
    for family in SwizzleFamily::ALL {
        let rules = rules(family);
        for texture in &textures {
            elements_do_not_meet(&rules, texture);
            elements_do_not_meet(
                &rules,
                &texture.with_flags(texture.flags | ResourceFlags::USE_TIGHT_ALIGNMENT),
            );
        }
        let tiled = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 260, 140).with_mip_levels(0);
        elements_do_not_meet(&rules, &tiled.with_layout(TextureLayout::Standard64KbSwizzle));
        elements_do_not_meet(&rules, &tiled.with_layout(TextureLayout::Undefined64KbSwizzle));
    }
}

/// R8 100x40x3 of tile4, whose blocks are 128 bytes x 32 rows: a slice is one block across and two down.
#[test]
fn stacked_slices_of_tile4() {
    // Beside 4 KiB tiles this texture is small: 7x3x1 of them. A render target is never small.
    let desc =
        ResourceDesc::texture_3d(Format::R8_UNORM, 100, 40, 3).with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
    let surface = surface(&rules(SwizzleFamily::Tile4), &desc, 0).unwrap();
    assert_eq!((surface.offset, surface.size), (0, 6 * 4096));
    let Storage::Swizzled { pattern, strides } = surface.storage else { panic!("{surface:?}") };
    assert!(pattern.pattern().stack_depth_slices);
    assert_eq!(strides, BlockStrides { row: 4096, slice: 0, stacked_rows: 64 });
    assert_eq!(element_offset(&surface, 0, 0, 1, 0), 2 * 4096);
    // Row 33 of slice 2: row 161 of all, the second row of block 5, whose first rows are 16 bytes apart.
    assert_eq!(element_offset(&surface, 0, 33, 2, 0), 5 * 4096 + 16);
}

/// RGBA8 300x200 in tiles of 128x128, 3 across and 2 down; mip 1, 150x100, fills none and is in the tail.
#[test]
fn tiles_and_their_tail() {
    let desc = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 300, 200)
        .with_mip_levels(2)
        .with_layout(TextureLayout::Standard64KbSwizzle);
    let all = surfaces(&rules(SwizzleFamily::Linear), &desc).unwrap();
    let Storage::Swizzled { strides, .. } = all[0].storage else { panic!("{:?}", all[0]) };
    assert_eq!(strides, BlockStrides { row: 3 * 65_536, slice: 6 * 65_536, stacked_rows: 0 });
    assert_eq!((all[0].offset, all[0].size), (0, 6 * 65_536));
    let Storage::Linear { row_pitch, slice_pitch } = all[1].storage else { panic!("{:?}", all[1]) };
    assert_eq!((row_pitch, slice_pitch), (600, 60_000));
    assert_eq!((all[1].offset, all[1].size), (6 * 65_536, 60_000));
}

/// A texel of 96 bits is three elements of 32; a BC1 block is one of 64; NV12's chroma one of two bytes.
#[test]
fn elements_of_formats() {
    let rules = rules(SwizzleFamily::Standard4Kb);
    let first = |desc: &ResourceDesc, subresource| surface(&rules, desc, subresource).unwrap();
    let triple = first(&ResourceDesc::texture_2d(Format::R32G32B32_FLOAT, 100, 90), 0);
    assert_eq!((triple.elements.width, triple.element_bytes_log2, triple.repeat), (300, 2, 3));
    let block = first(&ResourceDesc::texture_2d(Format::BC1_UNORM, 100, 90 + 2), 0);
    assert_eq!((block.elements.width, block.elements.height, block.element_bytes_log2), (25, 23, 3));
    assert_eq!((block.element_width_log2, block.element_height_log2, block.repeat), (2, 2, 1));
    let chroma = first(&ResourceDesc::texture_2d(Format::NV12, 128, 64), 1);
    assert_eq!((chroma.elements.width, chroma.elements.height, chroma.element_bytes_log2), (64, 32, 1));
}

/// Linear rows have a pitch of 256 bytes; the samples of an element are beside each other.
#[test]
fn linear_surfaces() {
    let rules = rules(SwizzleFamily::Linear);
    let desc = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 100, 10)
        .with_flags(ResourceFlags::ALLOW_RENDER_TARGET)
        .with_samples(4);
    let all = surface(&rules, &desc, 0).unwrap();
    // 100 x 4 samples x 4 bytes = 1600, in steps of 256: 1792.
    let Storage::Linear { row_pitch, slice_pitch } = all.storage else { panic!("{all:?}") };
    assert_eq!((row_pitch, slice_pitch, all.size), (1792, 17_920, 17_920));
    assert_eq!(element_offset(&all, 2, 1, 0, 3), 1792 + 2 * 16 + 12);
}

/// The full-HD render target of `golden.rs`: 8,355,840 bytes in blocks of 4 KiB, and one byte for each 256.
#[test]
fn metadata_lies_behind_the_data() {
    let mut profile = profile(SwizzleFamily::Standard4Kb);
    profile.layout.render_target_metadata_ratio = 256;
    let rules = LayoutRules::new(&profile, SdkVersion::LATEST);
    let target = ResourceDesc::texture_2d(Format::B8G8R8A8_UNORM, 1920, 1080)
        .with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
    assert_eq!(metadata_range(&rules, &target), Some(ByteRange::new(8_355_840, 8_355_840 + 32_640)));
    assert_eq!(metadata_range(&rules, &target.with_flags(ResourceFlags::empty())), None);
    assert_eq!(metadata_range(&rules, &ResourceDesc::buffer(1000)), None);

    // Padding comes before it: blocks of 256 KiB at a start of 64 KiB ask for 192 KiB more.
    let mut profile = support::profile(SwizzleFamily::Amd256Kb);
    profile.layout.render_target_metadata_ratio = 256;
    let rules = LayoutRules::new(&profile, SdkVersion::LATEST);
    // 8 x 5 blocks of 256x256.
    assert_eq!(
        metadata_range(&rules, &target),
        Some(ByteRange::new(40 * 262_144 + 196_608, 40 * 262_144 + 196_608 + 40_960))
    );
}

#[test]
fn what_has_no_surface() {
    let rules = rules(SwizzleFamily::Standard64Kb);
    assert!(surfaces(&rules, &ResourceDesc::buffer(100)).is_none());
    assert!(surface(&rules, &ResourceDesc::buffer(100), 0).is_none());
    let texture = ResourceDesc::texture_2d(Format::R8_UNORM, 16, 16);
    assert!(surface(&rules, &texture, 1).is_none());
    assert!(surface(&rules, &texture, u32::MAX).is_none());
    let beyond = ResourceDesc::texture_2d(Format::R8_UNORM, 1 << 62, u32::MAX);
    assert!(surface(&rules, &beyond, 0).is_none());
    assert!(surfaces(&rules, &beyond).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// One at a time and all together, and what CheckSubresourceInfo tells.
    #[test]
    fn surfaces_agree(drawn in textures::drawn(), family in 0..6_usize) {
        let rules = rules(SwizzleFamily::ALL[family]);
        let Some(desc) = textures::texture(&rules, drawn) else { return Ok(()) };
        let all = surfaces(&rules, &desc).unwrap();
        prop_assert_eq!(u64::try_from(all.len()).unwrap(), subresource_count(&desc));
        let mut end = 0;
        for (subresource, in_list) in (0..).zip(&all) {
            let alone = surface(&rules, &desc, subresource).unwrap();
            prop_assert_eq!(format!("{alone:?}"), format!("{in_list:?}"));
            let info = subresource_info(&rules, &desc, subresource).unwrap();
            prop_assert_eq!((info.offset, info.size), (alone.offset, alone.size));
            prop_assert!(alone.offset >= end);
            end = alone.offset + alone.size;
            let last = [alone.elements.width - 1, alone.elements.height.into(), alone.elements.depth.into()];
            let [x, y, z] = [last[0], last[1] - 1, last[2] - 1];
            let (y, z) = (u32::try_from(y).unwrap(), u32::try_from(z).unwrap());
            let begin = element_offset(&alone, x, y, z, (1 << alone.samples_log2) - 1);
            prop_assert!(begin + (1 << alone.element_bytes_log2) <= alone.size);
            // Slices and rows of whole blocks take exactly the subresource, but for rows cut short below.
            prop_assert!(info.depth_stride * u64::from(alone.elements.depth) <= alone.size);
            prop_assert!(info.row_stride * u64::from(alone.elements.height) <= info.depth_stride);
            match alone.storage {
                Storage::Linear { row_pitch, slice_pitch } => {
                    prop_assert_eq!((info.row_stride, info.depth_stride), (row_pitch, slice_pitch));
                    prop_assert_eq!(slice_pitch * u64::from(alone.elements.depth), alone.size);
                }
                Storage::Swizzled { pattern, strides } => {
                    let block = pattern.block();
                    let layers = u64::from(alone.elements.depth).div_ceil(1 << block.z_log2);
                    let layer = if pattern.pattern().stack_depth_slices {
                        prop_assert_eq!(strides.slice, 0);
                        prop_assert_eq!(strides.stacked_rows % (1 << block.y_log2), 0);
                        strides.row * u64::from(strides.stacked_rows >> block.y_log2)
                    } else {
                        strides.slice
                    };
                    prop_assert_eq!(layer * layers, alone.size);
                    prop_assert_eq!(strides.row % block.bytes(), 0);
                }
            }
        }
        let sizer = ProfileSizer { rules };
        let restriction = Alignment::new(1 << 16).unwrap();
        if let Some(answer) = sizer.check_resource_allocation_info(&desc, restriction) && desc.alignment == 0
            && !desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT)
        {
            prop_assert!(end <= answer.resource_data_size);
            prop_assert!(answer.metadata_range().is_none_or(|range| range.begin >= end));
        }
    }
}
