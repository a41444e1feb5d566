//! GetResourceTiling: the known answers of facts/layout.md, and every tier.
#![allow(clippy::unwrap_used)] // Helpers of tests are tests.

mod support;

use heapstone_layout::{
    LayoutRules, PackedMipInfo, Purpose, SubresourceTiling, TileShape, legal_resource_tiling,
    resource_tiling, subresource_count,
};
use heapstone_spec::caps::TiledResourcesTier as Tier;
use heapstone_spec::profile::SwizzleFamily;
use heapstone_spec::{Format, ResourceDesc, ResourceFlags, SdkVersion, TextureLayout};
use support::{broken, profile, size};

fn rules(tier: Tier) -> LayoutRules {
    let mut profile = profile(SwizzleFamily::BlockLinear);
    profile.caps.tiled_resources_tier = tier;
    LayoutRules::new(&profile, SdkVersion::LATEST)
}

fn rgba8(width: u64, height: u32) -> ResourceDesc {
    ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, width, height)
        .with_layout(TextureLayout::Undefined64KbSwizzle)
}

fn grids(
    rules: &LayoutRules,
    desc: &ResourceDesc,
) -> (heapstone_layout::ResourceTiling, Vec<SubresourceTiling>) {
    let count = usize::try_from(subresource_count(desc)).unwrap();
    let mut grids = vec![SubresourceTiling::PACKED; count];
    let tiling = resource_tiling(rules, desc, 0, &mut grids).unwrap();
    (tiling, grids)
}

fn grid(width_in_tiles: u32, height_in_tiles: u16, depth_in_tiles: u16, start: u32) -> SubresourceTiling {
    SubresourceTiling { width_in_tiles, height_in_tiles, depth_in_tiles, start_tile_index: start }
}

#[test]
fn a_full_chain_packs_what_is_below_a_tile() {
    let (tiling, grids) = grids(&rules(Tier::Tier2), &rgba8(512, 512).with_mip_levels(10));
    assert_eq!(grids[..3], [grid(4, 4, 1, 0), grid(2, 2, 1, 16), grid(1, 1, 1, 20)]);
    assert!(grids[3..].iter().all(|grid| *grid == SubresourceTiling::PACKED));
    assert_eq!(SubresourceTiling::PACKED.start_tile_index, 0xffff_ffff);
    assert_eq!(
        tiling.packed,
        PackedMipInfo { standard_mips: 3, packed_mips: 7, tiles_for_packed_mips: 1, start_tile_index: 21 }
    );
    assert_eq!(tiling.total_tiles, 22);
    assert_eq!(
        tiling.tile_shape,
        TileShape { width_in_texels: 128, height_in_texels: 128, depth_in_texels: 1 }
    );
}

#[test]
fn slices_follow_each_other() {
    let desc = rgba8(512, 512).with_mip_levels(3).with_array_size(4);
    let (tiling, grids) = grids(&rules(Tier::Tier1), &desc);
    assert_eq!(tiling.total_tiles, 84);
    assert_eq!(tiling.packed.packed_mips, 0);
    assert_eq!(grids[3], grid(4, 4, 1, 21));
    assert_eq!(grids[11], grid(1, 1, 1, 83));
}

#[test]
fn a_3d_texture() {
    let desc = ResourceDesc::texture_3d(Format::R32G32B32A32_FLOAT, 64, 64, 64)
        .with_mip_levels(3)
        .with_layout(TextureLayout::Undefined64KbSwizzle);
    let (tiling, grids) = grids(&rules(Tier::Tier3), &desc);
    assert_eq!(tiling.total_tiles, 73);
    assert_eq!(grids, [grid(4, 4, 4, 0), grid(2, 2, 2, 64), grid(1, 1, 1, 72)]);
    assert_eq!(
        tiling.tile_shape,
        TileShape { width_in_texels: 16, height_in_texels: 16, depth_in_texels: 16 }
    );
    assert_eq!(broken(&rules(Tier::Tier2), &desc, Purpose::Reserved), Some("resource.reserved.3d_tier"));
}

#[test]
fn blocks_of_4x4_texels() {
    let desc = ResourceDesc::texture_2d(Format::BC1_UNORM, 1024, 512)
        .with_layout(TextureLayout::Undefined64KbSwizzle);
    let (tiling, grids) = grids(&rules(Tier::Tier2), &desc);
    assert_eq!(
        tiling.tile_shape,
        TileShape { width_in_texels: 512, height_in_texels: 256, depth_in_texels: 1 }
    );
    assert_eq!(grids, [grid(2, 2, 1, 0)]);
}

#[test]
fn a_buffer_is_rounded_up_to_whole_tiles() {
    let mut one = [SubresourceTiling::PACKED];
    let tiling = resource_tiling(&rules(Tier::Tier1), &ResourceDesc::buffer(65_537), 0, &mut one).unwrap();
    assert_eq!(tiling.total_tiles, 2);
    assert_eq!(one, [grid(2, 1, 1, 0)]);
    assert_eq!((tiling.packed.standard_mips, tiling.packed.packed_mips), (0, 0));
    assert_eq!(
        tiling.tile_shape,
        TileShape { width_in_texels: 65_536, height_in_texels: 1, depth_in_texels: 1 }
    );
    // A resource that exists has its alignment filled in, which before 619.4 no call takes beside the flag.
    let told =
        ResourceDesc::buffer(65_537).with_flags(ResourceFlags::USE_TIGHT_ALIGNMENT).with_alignment(65_536);
    let old = LayoutRules::new(&profile(SwizzleFamily::BlockLinear), SdkVersion::V618);
    assert!(resource_tiling(&old, &told, 0, &mut one).is_err());
    assert_eq!(legal_resource_tiling(&old, &told, 0, &mut one).unwrap(), tiling);
    // 2^48 bytes are 2^32 tiles, one more than 32 bits count.
    let wide = resource_tiling(&rules(Tier::Tier1), &ResourceDesc::buffer(1 << 48), 0, &mut one).unwrap_err();
    assert_eq!((wide.rule.id, wide.field), ("resource.size", "D3D12_RESOURCE_DESC.Width"));
}

/// Tier 1 packs from the first mip that is no multiple of a tile; tier 2 never packs a mip that fills one.
#[test]
fn the_first_packed_mip_of_each_tier() {
    // 384 = 3 tiles, 192 = 1.5 tiles, 96 < 1 tile.
    let desc = rgba8(384, 384).with_mip_levels(3);
    for (tier, standard, grids_of_tier) in
        [(Tier::Tier1, 1, vec![grid(3, 3, 1, 0)]), (Tier::Tier2, 2, vec![grid(3, 3, 1, 0), grid(2, 2, 1, 9)])]
    {
        let (tiling, grids) = grids(&rules(tier), &desc);
        assert_eq!(tiling.packed.standard_mips, standard, "{tier:?}");
        assert_eq!(grids[..usize::from(standard)], grids_of_tier[..], "{tier:?}");
        assert!(tiling.packed.tiles_for_packed_mips >= 1);
    }
}

#[test]
fn the_shape_is_told_even_where_everything_is_packed() {
    let (tiling, grids) = grids(&rules(Tier::Tier2), &rgba8(100, 100).with_mip_levels(7));
    assert_eq!(tiling.packed.standard_mips, 0);
    assert_eq!(tiling.packed.start_tile_index, 0);
    assert_eq!(tiling.tile_shape.width_in_texels, 128);
    assert!(grids.iter().all(|grid| *grid == SubresourceTiling::PACKED));
}

/// A heap for packed mips, and the size of the resource, are whole tiles.
#[test]
fn the_size_is_all_tiles() {
    for tier in [Tier::Tier1, Tier::Tier2, Tier::Tier3, Tier::Tier4] {
        for (width, height, mips) in
            [(512, 512, 10), (1000, 777, 10), (128, 128, 1), (1, 1, 1), (2048, 1, 12)]
        {
            let desc = rgba8(width, height).with_mip_levels(mips);
            let (tiling, _) = grids(&rules(tier), &desc);
            assert_eq!(size(&rules(tier), &desc), u64::from(tiling.total_tiles) * 65_536, "{desc:?}");
        }
    }
}

#[test]
fn arrays_with_packed_mips_need_tier_4() {
    let desc = rgba8(512, 512).with_mip_levels(10).with_array_size(2);
    for tier in [Tier::Tier1, Tier::Tier2, Tier::Tier3] {
        assert_eq!(
            broken(&rules(tier), &desc, Purpose::Reserved),
            Some("resource.reserved.array_packed_mips")
        );
    }
    let (tiling, grids) = grids(&rules(Tier::Tier4), &desc);
    assert_eq!(tiling.total_tiles, 44);
    assert_eq!(grids[10], grid(4, 4, 1, 22));
    let standard = desc.with_layout(TextureLayout::Standard64KbSwizzle);
    assert_eq!(
        broken(&rules(Tier::Tier4), &standard, Purpose::Reserved),
        Some("resource.reserved.array_packed_mips")
    );
}

#[test]
fn a_multisampled_tile_is_divided() {
    let desc = rgba8(256, 256).with_samples(4).with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
    let (tiling, grids) = grids(&rules(Tier::Tier2), &desc);
    assert_eq!(
        tiling.tile_shape,
        TileShape { width_in_texels: 64, height_in_texels: 64, depth_in_texels: 1 }
    );
    assert_eq!(grids, [grid(4, 4, 1, 0)]);
    assert_eq!(broken(&rules(Tier::Tier1), &desc, Purpose::Reserved), Some("resource.reserved.msaa_tier"));
}

#[test]
fn subresources_that_are_not_there() {
    let desc = rgba8(512, 512).with_mip_levels(3);
    let mut grids = [grid(9, 9, 9, 9); 2];
    for first in [2, 3, u32::MAX] {
        let violation = resource_tiling(&rules(Tier::Tier2), &desc, first, &mut grids).unwrap_err();
        assert_eq!(violation.rule.id, "tiling.subresources");
    }
    assert_eq!(grids, [grid(9, 9, 9, 9); 2], "nothing is written");
    assert!(resource_tiling(&rules(Tier::Tier2), &desc, 3, &mut []).is_ok());
    assert!(resource_tiling(&rules(Tier::Tier2), &desc, 1, &mut grids).is_ok());
    assert_eq!(grids, [grid(2, 2, 1, 16), grid(1, 1, 1, 20)]);
}
