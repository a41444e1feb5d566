//! Rules of buffers.

use heapstone_spec::rules::description as rule;
use heapstone_spec::{
    Format, MipRegion, ResourceDesc, ResourceFlags, SampleDesc, TextureLayout, Violation, limits,
};

use super::{Checked, alignment, flags, reserved};
use crate::rules::{LayoutRules, Purpose};

/// Flags that no buffer has; ALLOW_RENDER_TARGET is accepted (facts/behaviour.md, Creation).
const FORBIDDEN: ResourceFlags = ResourceFlags::ALLOW_DEPTH_STENCIL
    .union(ResourceFlags::DENY_SHADER_RESOURCE)
    .union(ResourceFlags::ALLOW_SIMULTANEOUS_ACCESS)
    .union(ResourceFlags::VIDEO_DECODE_REFERENCE_ONLY)
    .union(ResourceFlags::VIDEO_ENCODE_REFERENCE_ONLY);

/// Flags without which a buffer's flags need no look.
const PLAIN: ResourceFlags = ResourceFlags::ALLOW_RENDER_TARGET.union(ResourceFlags::ALLOW_UNORDERED_ACCESS);

#[inline(always)]
pub(super) fn check(rules: &LayoutRules, desc: &ResourceDesc, purpose: Purpose) -> Checked {
    // `&`, not `&&`: all of it is compared in a row, which is cheaper than a branch for each.
    let shape = (desc.width > 0)
        & (desc.height == 1)
        & (desc.depth_or_array_size == 1)
        & (desc.mip_levels == 1)
        & (desc.format == Format::UNKNOWN)
        & (desc.sample_desc == SampleDesc::SINGLE)
        & (desc.layout == TextureLayout::RowMajor)
        & (desc.sampler_feedback_mip_region == MipRegion::default());
    if !shape {
        return Err(shape_violation(desc));
    }
    if !PLAIN.contains(desc.flags) {
        flags::known(desc)?;
        if desc.flags.intersects(FORBIDDEN) {
            return Err(rule::BUFFER_FLAGS.violated(
                "D3D12_RESOURCE_DESC.Flags",
                desc.flags,
                "no ALLOW_DEPTH_STENCIL, DENY_SHADER_RESOURCE, ALLOW_SIMULTANEOUS_ACCESS or VIDEO_*_REFERENCE_ONLY",
            ));
        }
        flags::acceleration_structure(desc)?;
        flags::tight(rules, desc)?;
    }
    if purpose == Purpose::Reserved {
        reserved::any(rules, desc)?;
    }
    if desc.alignment == 0 {
        return Ok(());
    }
    if desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT) {
        return alignment::tight(rules, desc, purpose);
    }
    if desc.alignment == limits::DEFAULT_RESOURCE_ALIGNMENT {
        return Ok(());
    }
    Err(rule::BUFFER_ALIGNMENT.violated("D3D12_RESOURCE_DESC.Alignment", desc.alignment, "0 or 65536"))
}

/// The first field that is not a buffer's.
#[cold]
fn shape_violation(desc: &ResourceDesc) -> Box<Violation> {
    if desc.width == 0 {
        rule::BUFFER_WIDTH.violated("D3D12_RESOURCE_DESC.Width", 0, "at least 1 byte")
    } else if desc.height != 1 {
        rule::BUFFER_HEIGHT.violated("D3D12_RESOURCE_DESC.Height", desc.height, 1)
    } else if desc.depth_or_array_size != 1 {
        rule::BUFFER_DEPTH.violated("D3D12_RESOURCE_DESC.DepthOrArraySize", desc.depth_or_array_size, 1)
    } else if desc.mip_levels != 1 {
        rule::BUFFER_MIP_LEVELS.violated("D3D12_RESOURCE_DESC.MipLevels", desc.mip_levels, 1)
    } else if desc.format != Format::UNKNOWN {
        rule::BUFFER_FORMAT.violated("D3D12_RESOURCE_DESC.Format", desc.format, Format::UNKNOWN)
    } else if desc.sample_desc != SampleDesc::SINGLE {
        let given = format!("count {}, quality {}", desc.sample_desc.count, desc.sample_desc.quality);
        rule::BUFFER_SAMPLES.violated("D3D12_RESOURCE_DESC.SampleDesc", given, "count 1, quality 0")
    } else if desc.layout != TextureLayout::RowMajor {
        rule::BUFFER_LAYOUT.violated("D3D12_RESOURCE_DESC.Layout", desc.layout, TextureLayout::RowMajor)
    } else {
        super::feedback::region_violation(desc)
    }
}
