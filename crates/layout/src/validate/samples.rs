//! Rules of multisampling.

use heapstone_spec::rules::description as rule;
use heapstone_spec::{
    FormatUses, ResourceDesc, ResourceDimension, ResourceFlags, SampleDesc, TextureLayout, limits,
};

use super::Checked;
use crate::rules::LayoutRules;

/// DXGI_STANDARD_MULTISAMPLE_QUALITY_PATTERN.
const STANDARD_PATTERN: u32 = 0xffff_ffff;

#[inline]
pub(super) fn check(rules: &LayoutRules, desc: &ResourceDesc, uses: FormatUses) -> Checked {
    if desc.sample_desc == SampleDesc::SINGLE {
        return Ok(());
    }
    let SampleDesc { count, quality } = desc.sample_desc;
    if count == 0 {
        return Err(rule::SAMPLE_COUNT_ZERO.violated(
            "D3D12_RESOURCE_DESC.SampleDesc.Count",
            0,
            "at least 1",
        ));
    }
    if !rules.caps.takes_sample_count(count) {
        let max = rules.caps.sample_count_max.min(limits::SAMPLE_COUNT_MAX);
        return Err(rule::SAMPLE_COUNT.violated(
            "D3D12_RESOURCE_DESC.SampleDesc.Count",
            count,
            format!("a power of two, at most {max} on this adapter"),
        ));
    }
    if quality != 0 && (count == 1 || quality != STANDARD_PATTERN) {
        return Err(rule::SAMPLE_QUALITY.violated(
            "D3D12_RESOURCE_DESC.SampleDesc.Quality",
            format!("{quality} of {count} samples"),
            "0, or 4294967295 of several samples",
        ));
    }
    if count > 1 { multisampled(rules, desc, uses) } else { Ok(()) }
}

fn multisampled(rules: &LayoutRules, desc: &ResourceDesc, uses: FormatUses) -> Checked {
    let count = desc.sample_desc.count;
    if desc.dimension != ResourceDimension::Texture2D {
        return Err(rule::MSAA_DIMENSION.violated(
            "D3D12_RESOURCE_DESC.Dimension",
            format!("{} with {count} samples", desc.dimension),
            ResourceDimension::Texture2D,
        ));
    }
    if !uses.contains(FormatUses::MULTISAMPLE) {
        return Err(rule::FORMAT_MULTISAMPLE.violated(
            "D3D12_RESOURCE_DESC.Format",
            format!("{} with {count} samples", desc.format),
            "a format that can be multisampled",
        ));
    }
    if desc.mip_levels != 1 {
        return Err(rule::MSAA_MIPS.violated(
            "D3D12_RESOURCE_DESC.MipLevels",
            format!("{} with {count} samples", desc.mip_levels),
            1,
        ));
    }
    if !desc.is_rt_ds() {
        return Err(rule::MSAA_FLAGS.violated(
            "D3D12_RESOURCE_DESC.Flags",
            format!("{} with {count} samples", desc.flags),
            "ALLOW_RENDER_TARGET or ALLOW_DEPTH_STENCIL",
        ));
    }
    if desc.flags.contains(ResourceFlags::ALLOW_SIMULTANEOUS_ACCESS) {
        return Err(rule::MSAA_SIMULTANEOUS_ACCESS.violated(
            "D3D12_RESOURCE_DESC.Flags",
            format!("{} with {count} samples", desc.flags),
            "no ALLOW_SIMULTANEOUS_ACCESS",
        ));
    }
    if desc.flags.contains(ResourceFlags::ALLOW_UNORDERED_ACCESS) && !rules.caps.writeable_msaa_textures {
        return Err(rule::MSAA_UNORDERED_ACCESS.violated(
            "D3D12_RESOURCE_DESC.Flags",
            format!("{} with {count} samples", desc.flags),
            "no ALLOW_UNORDERED_ACCESS without WriteableMSAATexturesSupported",
        ));
    }
    if !matches!(desc.layout, TextureLayout::Unknown | TextureLayout::Undefined64KbSwizzle) {
        return Err(rule::MSAA_LAYOUT.violated(
            "D3D12_RESOURCE_DESC.Layout",
            format!("{} with {count} samples", desc.layout),
            "UNKNOWN, or 64KB_UNDEFINED_SWIZZLE",
        ));
    }
    Ok(())
}
