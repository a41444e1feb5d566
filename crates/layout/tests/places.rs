//! Where subresources lie, and the explanation of a size: numbers by hand.

#![allow(clippy::unwrap_used)] // Helpers of tests are tests.

mod support;

use heapstone_layout::{
    LayoutRules, Purpose, SubresourceInfo, calc_subresource, decompose_subresource, explain,
    subresource_count, subresource_info,
};
use heapstone_spec::profile::SwizzleFamily;
use heapstone_spec::{Format, ResourceDesc, ResourceFlags, SdkVersion, TextureLayout};
use heapstone_units::Extent;
use support::{profile, rules};

fn place(offset: u64, size: u64, row_stride: u64, depth_stride: u64) -> Option<SubresourceInfo> {
    Some(SubresourceInfo { offset, size, row_stride, depth_stride })
}

/// RGBA8 100x100 with 3 mips and 2 slices in blocks of 32x32: mip 0 has 4x4 blocks, mip 1 2x2, mip 2 of
/// 25x25 is the tail, 2500 bytes in one block. A slice is 21 blocks.
#[test]
fn mips_and_slices_in_blocks_of_4_kib() {
    let desc =
        ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 100, 100).with_mip_levels(3).with_array_size(2);
    let at = |subresource| subresource_info(&rules(SwizzleFamily::Standard4Kb), &desc, subresource);
    assert_eq!(at(0), place(0, 16 * 4096, 512, 512 * 128));
    assert_eq!(at(1), place(16 * 4096, 4 * 4096, 256, 256 * 64));
    assert_eq!(at(2), place(20 * 4096, 2500, 100, 2500));
    assert_eq!(at(3), place(21 * 4096, 16 * 4096, 512, 512 * 128));
    assert_eq!(at(6), None);
    assert_eq!(at(u32::MAX), None);
}

/// NV12 128x64: 2 blocks of 64x64 bytes, then one of 64x32 texels of 2 bytes.
#[test]
fn a_plane_follows_the_other() {
    let desc = ResourceDesc::texture_2d(Format::NV12, 128, 64);
    let at = |subresource| subresource_info(&rules(SwizzleFamily::Standard4Kb), &desc, subresource);
    assert_eq!(at(0), place(0, 2 * 4096, 128, 128 * 64));
    assert_eq!(at(1).unwrap().offset, 2 * 4096);
    assert_eq!(at(2), None);
}

#[test]
fn rows_and_buffers() {
    let rows = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 100, 10)
        .with_layout(TextureLayout::RowMajor)
        .with_flags(ResourceFlags::ALLOW_CROSS_ADAPTER);
    let rules = rules(SwizzleFamily::Amd256Kb);
    assert_eq!(subresource_info(&rules, &rows, 0), place(0, 5120, 512, 5120));
    assert_eq!(subresource_info(&rules, &ResourceDesc::buffer(1000), 0), place(0, 1000, 1000, 1000));
    assert_eq!(subresource_info(&rules, &ResourceDesc::buffer(1000), 1), None);
}

/// RGBA8 256x256 in tiles of 128x128: mip 0 has 2x2, mip 1 one.
#[test]
fn tiles_of_standard_swizzle() {
    let desc = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 256, 256)
        .with_mip_levels(2)
        .with_layout(TextureLayout::Standard64KbSwizzle);
    let at = |subresource| subresource_info(&rules(SwizzleFamily::Linear), &desc, subresource);
    assert_eq!(at(0), place(0, 4 * 65_536, 1024, 1024 * 256));
    assert_eq!(at(1), place(4 * 65_536, 65_536, 512, 512 * 128));
}

/// spec/2-resource-heaps.txt 404-408.
#[test]
fn subresource_arithmetic() {
    // Mip 2 of slice 1 of plane 1, of 5 mips and 3 slices.
    assert_eq!(calc_subresource(2, 1, 1, 5, 3), 2 + 5 + 15);
    assert_eq!(decompose_subresource(22, 5, 3), (2, 1, 1));
    assert_eq!(calc_subresource(u32::MAX, u32::MAX, u32::MAX, u32::MAX, u32::MAX), u32::MAX);
    assert_eq!(decompose_subresource(7, 0, 0), (0, 0, 7));
    let depth =
        ResourceDesc::texture_2d(Format::D24_UNORM_S8_UINT, 8, 8).with_mip_levels(4).with_array_size(6);
    assert_eq!(subresource_count(&depth), 48);
    assert_eq!(subresource_count(&ResourceDesc::texture_3d(Format::R8_UNORM, 8, 8, 8)), 1);
    assert_eq!(subresource_count(&ResourceDesc::buffer(1)), 1);
}

/// The full-HD render target of `golden.rs`, from its texels to its size.
#[test]
fn an_explanation_adds_up() {
    let mut profile = profile(SwizzleFamily::Standard4Kb);
    profile.layout.render_target_metadata_ratio = 256;
    let rules = LayoutRules::new(&profile, SdkVersion::LATEST);
    let desc = ResourceDesc::texture_2d(Format::B8G8R8A8_UNORM, 1920, 1080)
        .with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
    let explanation = explain(&rules, &desc, Purpose::Committed).unwrap();
    let plane = &explanation.planes[0];
    assert_eq!(plane.mips[0].texels, Extent::new(1920, 1080, 1));
    assert_eq!(plane.mips[0].blocks, Some(Extent::new(60, 34, 1)));
    assert_eq!((plane.slice_size, plane.tail_size, plane.slices), (8_355_840, 0, 1));
    assert_eq!(explanation.metadata_size, 32_640);
    assert_eq!(explanation.rounding, 128);
    assert_eq!(explanation.allocation.size, 8_388_608);
    let text = explanation.reasons.join("\n");
    for words in
        ["default alignment is 64 KiB", "2040 tiles of 4 KiB", "at most 16", "2040 blocks", "32640 B"]
    {
        assert!(text.contains(words), "`{words}` in\n{text}");
    }
}

#[test]
fn an_explanation_of_padding_and_of_a_floor() {
    let texture = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 256, 256).with_mip_levels(0);
    let explanation = explain(&rules(SwizzleFamily::Amd256Kb), &texture, Purpose::Placed).unwrap();
    assert_eq!(explanation.driver_padding, 196_608);
    assert_eq!(explanation.desc.mip_levels, 9);
    assert!(explanation.reasons.iter().any(|reason| reason.contains("256 KiB")), "{:?}", explanation.reasons);

    let buffer = ResourceDesc::buffer(100).with_flags(ResourceFlags::USE_TIGHT_ALIGNMENT).with_alignment(8);
    let explanation = explain(&rules(SwizzleFamily::Linear), &buffer, Purpose::Placed).unwrap();
    assert!(explanation.allocation.alignment_overridden);
    assert!(
        explanation.reasons.iter().any(|reason| reason.contains("8 B was clamped up to 16 B")),
        "{:?}",
        explanation.reasons
    );
}

/// A query is answered as a structure of the one member is sized: a tightly aligned buffer takes its width,
/// and GetResourceAllocationInfo says a multiple of the alignment (spec/1, Runtime changes).
#[test]
fn a_query_is_explained_as_it_is_answered() {
    // The driver of these rules aligns buffers at 16 bytes.
    let rules = support::rules_of(SdkVersion::LATEST);
    let desc = ResourceDesc::buffer(25_601).with_flags(ResourceFlags::USE_TIGHT_ALIGNMENT);
    let query = explain(&rules, &desc, Purpose::Query).unwrap();
    assert_eq!((query.allocation.size, query.data_size, query.rounding), (25_616, 25_601, 15));
    let placed = explain(&rules, &desc, Purpose::Placed).unwrap();
    assert_eq!((placed.allocation.size, placed.rounding), (25_601, 0));
}
