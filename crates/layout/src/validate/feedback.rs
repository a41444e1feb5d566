//! Rules of sampler-feedback maps.

use heapstone_spec::caps::SamplerFeedbackTier;
use heapstone_spec::rules::description as rule;
use heapstone_spec::{MipRegion, ResourceDesc, ResourceDimension, ResourceFlags, TextureLayout, Violation};

use super::Checked;
use crate::planes;
use crate::rules::LayoutRules;

/// The least side of a mip region, in texels.
const REGION_MIN: u32 = 4;

#[inline]
pub(super) fn check(rules: &LayoutRules, desc: &ResourceDesc) -> Checked {
    if planes::of(desc.format).feedback {
        return map(rules, desc);
    }
    if desc.sampler_feedback_mip_region == MipRegion::default() {
        return Ok(());
    }
    Err(region_violation(desc))
}

/// A mip region on a resource that has none.
#[cold]
pub(super) fn region_violation(desc: &ResourceDesc) -> Box<Violation> {
    rule::MIP_REGION_WITHOUT_FEEDBACK.violated(
        "D3D12_RESOURCE_DESC.SamplerFeedbackMipRegion",
        format!("{} of {}", region_text(desc.sampler_feedback_mip_region), desc.format),
        "0x0x0 of any format but the two sampler-feedback ones",
    )
}

fn region_text(region: MipRegion) -> String {
    format!("{}x{}x{}", region.width, region.height, region.depth)
}

fn map(rules: &LayoutRules, desc: &ResourceDesc) -> Checked {
    if rules.caps.sampler_feedback_tier == SamplerFeedbackTier::NotSupported {
        return Err(rule::FEEDBACK_CAP.violated(
            "D3D12_RESOURCE_DESC.Format",
            desc.format,
            "another format on an adapter without sampler feedback",
        ));
    }
    if desc.dimension != ResourceDimension::Texture2D {
        return Err(rule::FEEDBACK_DIMENSION.violated(
            "D3D12_RESOURCE_DESC.Dimension",
            desc.dimension,
            ResourceDimension::Texture2D,
        ));
    }
    if desc.sample_desc.count != 1 {
        return Err(rule::FEEDBACK_SAMPLE_COUNT.violated(
            "D3D12_RESOURCE_DESC.SampleDesc.Count",
            desc.sample_desc.count,
            1,
        ));
    }
    if desc.sample_desc.quality != 0 {
        return Err(rule::FEEDBACK_SAMPLE_QUALITY.violated(
            "D3D12_RESOURCE_DESC.SampleDesc.Quality",
            desc.sample_desc.quality,
            0,
        ));
    }
    if desc.layout != TextureLayout::Unknown {
        return Err(rule::FEEDBACK_LAYOUT.violated(
            "D3D12_RESOURCE_DESC.Layout",
            desc.layout,
            TextureLayout::Unknown,
        ));
    }
    if !desc.flags.contains(ResourceFlags::ALLOW_UNORDERED_ACCESS) {
        return Err(rule::FEEDBACK_UNORDERED_ACCESS.violated(
            "D3D12_RESOURCE_DESC.Flags",
            desc.flags,
            "ALLOW_UNORDERED_ACCESS",
        ));
    }
    region(desc)
}

fn region(desc: &ResourceDesc) -> Checked {
    let MipRegion { width, height, depth } = desc.sampler_feedback_mip_region;
    let side = |side: u32, extent: u64| {
        side.is_power_of_two() && side >= REGION_MIN && u64::from(side) <= extent / 2
    };
    if side(width, desc.width) && side(height, u64::from(desc.height)) && depth <= 1 {
        return Ok(());
    }
    Err(rule::FEEDBACK_MIP_REGION.violated(
        "D3D12_RESOURCE_DESC.SamplerFeedbackMipRegion",
        region_text(desc.sampler_feedback_mip_region),
        format!(
            "powers of two from {REGION_MIN} to {} along x and to {} along y, 0 or 1 along z",
            desc.width / 2,
            desc.height / 2
        ),
    ))
}
