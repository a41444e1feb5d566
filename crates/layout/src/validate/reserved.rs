//! Rules of reserved resources.

use heapstone_spec::caps::TiledResourcesTier as Tier;
use heapstone_spec::rules::description as rule;
use heapstone_spec::{FormatUses, ResourceDesc, ResourceDimension, ResourceFlags, TextureLayout, limits};
use heapstone_units::Alignment;

use super::Checked;
use crate::rules::LayoutRules;
use crate::surface::{self, Geometry, Plan};

/// Of buffers and textures.
pub(super) fn any(rules: &LayoutRules, desc: &ResourceDesc) -> Checked {
    if rules.caps.tiled_resources_tier == Tier::NotSupported {
        return Err(rule::RESERVED_TIER.violated(
            "TiledResourcesTier",
            "NOT_SUPPORTED",
            "TIER_1 or higher for a reserved resource",
        ));
    }
    if desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER) {
        return Err(rule::RESERVED_CROSS_ADAPTER.violated(
            "D3D12_RESOURCE_DESC.Flags",
            desc.flags,
            "no ALLOW_CROSS_ADAPTER on a reserved resource",
        ));
    }
    Ok(())
}

/// Of a texture with resolved mips.
pub(super) fn texture(rules: &LayoutRules, desc: &ResourceDesc, uses: FormatUses) -> Checked {
    any(rules, desc)?;
    if !desc.layout.is_64kb() {
        return Err(rule::RESERVED_LAYOUT.violated(
            "D3D12_RESOURCE_DESC.Layout",
            desc.layout,
            "64KB_UNDEFINED_SWIZZLE or 64KB_STANDARD_SWIZZLE of a reserved texture",
        ));
    }
    let tier = u32::from(rules.caps.tiled_resources_tier);
    if desc.dimension == ResourceDimension::Texture1D {
        return Err(rule::RESERVED_DIMENSION.violated(
            "D3D12_RESOURCE_DESC.Dimension",
            desc.dimension,
            "TEXTURE2D, or TEXTURE3D from tier 3 on",
        ));
    }
    if desc.dimension == ResourceDimension::Texture3D && rules.caps.tiled_resources_tier < Tier::Tier3 {
        return Err(rule::RESERVED_3D_TIER.violated(
            "D3D12_RESOURCE_DESC.Dimension",
            format!("{} on tier {tier}", desc.dimension),
            "TEXTURE2D below tier 3",
        ));
    }
    let planes = desc.format.info().plane_count;
    if planes != 1 || !uses.contains(FormatUses::TILED) {
        return Err(rule::RESERVED_FORMAT.violated(
            "D3D12_RESOURCE_DESC.Format",
            format!("{} of {planes} planes", desc.format),
            "a format of one plane that can be tiled",
        ));
    }
    if desc.sample_desc.count > 1 && rules.caps.tiled_resources_tier < Tier::Tier2 {
        return Err(rule::RESERVED_MSAA_TIER.violated(
            "D3D12_RESOURCE_DESC.SampleDesc.Count",
            format!("{} on tier {tier}", desc.sample_desc.count),
            "1 below tier 2",
        ));
    }
    array_of_packed_mips(rules, desc)
}

/// Several slices together with mips that are packed (facts/layout.md, Tiling).
fn array_of_packed_mips(rules: &LayoutRules, desc: &ResourceDesc) -> Checked {
    let tier_4 =
        rules.caps.tiled_resources_tier >= Tier::Tier4 && desc.layout == TextureLayout::Undefined64KbSwizzle;
    let geometry = Geometry::new(desc);
    if geometry.slices == 1 || tier_4 {
        return Ok(());
    }
    let plan = Plan::new(rules, desc, &geometry, Alignment::constant(limits::TILE_SIZE));
    let first_packed = surface::texture_bytes(&geometry, &plan).map_or(0, |(_, tail_mip)| tail_mip);
    if first_packed == geometry.mips {
        return Ok(());
    }
    Err(rule::RESERVED_ARRAY_PACKED.violated(
        "D3D12_RESOURCE_DESC.MipLevels",
        format!(
            "{} mips of {} slices with layout {} on tier {}",
            desc.mip_levels,
            desc.depth_or_array_size,
            desc.layout,
            u32::from(rules.caps.tiled_resources_tier)
        ),
        format!("at most {first_packed} mips, or one slice"),
    ))
}
