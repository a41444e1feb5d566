//! Rules of the flags.

use heapstone_spec::caps::TightAlignmentTier;
use heapstone_spec::rules::description as rule;
use heapstone_spec::{ResourceDesc, ResourceDimension, ResourceFlags as Flags};

use super::Checked;
use crate::rules::LayoutRules;

const FIELD: &str = "D3D12_RESOURCE_DESC.Flags";
const VIDEO: Flags = Flags::VIDEO_DECODE_REFERENCE_ONLY.union(Flags::VIDEO_ENCODE_REFERENCE_ONLY);
/// Flags that need no look of their own beside each other: whether the format can have them is the
/// format's rule.
const PLAIN: Flags = Flags::ALLOW_RENDER_TARGET.union(Flags::ALLOW_UNORDERED_ACCESS);

/// Of textures.
#[inline]
pub(super) fn check(rules: &LayoutRules, desc: &ResourceDesc) -> Checked {
    if PLAIN.contains(desc.flags) {
        return Ok(());
    }
    known(desc)?;
    depth_stencil(desc)?;
    deny_shader_resource(desc)?;
    video_reference(desc)?;
    acceleration_structure(desc)?;
    tight(rules, desc)
}

pub(super) fn known(desc: &ResourceDesc) -> Checked {
    let unknown = desc.flags.bits() & !Flags::all().bits();
    if unknown == 0 {
        return Ok(());
    }
    Err(rule::FLAGS_UNKNOWN.violated(
        FIELD,
        format!("{:#x}, of which {unknown:#x} has no name", desc.flags.bits()),
        format!("bits of {:#x}", Flags::all().bits()),
    ))
}

/// What a depth-stencil cannot be besides.
fn depth_stencil(desc: &ResourceDesc) -> Checked {
    if !desc.flags.contains(Flags::ALLOW_DEPTH_STENCIL) {
        return Ok(());
    }
    if desc.flags.contains(Flags::ALLOW_RENDER_TARGET) {
        return Err(rule::FLAGS_RENDER_TARGET_DEPTH_STENCIL.violated(
            FIELD,
            desc.flags,
            "ALLOW_RENDER_TARGET or ALLOW_DEPTH_STENCIL",
        ));
    }
    if desc.flags.contains(Flags::ALLOW_UNORDERED_ACCESS) {
        return Err(rule::FLAGS_DEPTH_STENCIL_UNORDERED_ACCESS.violated(
            FIELD,
            desc.flags,
            "ALLOW_DEPTH_STENCIL or ALLOW_UNORDERED_ACCESS",
        ));
    }
    if desc.flags.contains(Flags::ALLOW_SIMULTANEOUS_ACCESS) {
        return Err(rule::FLAGS_SIMULTANEOUS_ACCESS.violated(
            FIELD,
            desc.flags,
            "ALLOW_DEPTH_STENCIL or ALLOW_SIMULTANEOUS_ACCESS",
        ));
    }
    if desc.flags.contains(Flags::ALLOW_CROSS_ADAPTER) {
        return Err(rule::FLAGS_CROSS_ADAPTER.violated(
            FIELD,
            desc.flags,
            "ALLOW_DEPTH_STENCIL or ALLOW_CROSS_ADAPTER",
        ));
    }
    if desc.dimension == ResourceDimension::Texture3D {
        return Err(rule::FLAGS_DEPTH_STENCIL_DIMENSION.violated(
            "D3D12_RESOURCE_DESC.Dimension",
            desc.dimension,
            "TEXTURE1D or TEXTURE2D beside ALLOW_DEPTH_STENCIL",
        ));
    }
    Ok(())
}

fn deny_shader_resource(desc: &ResourceDesc) -> Checked {
    if !desc.flags.contains(Flags::DENY_SHADER_RESOURCE)
        || desc.flags.intersects(VIDEO.union(Flags::ALLOW_DEPTH_STENCIL))
    {
        return Ok(());
    }
    Err(rule::FLAGS_DENY_SHADER_RESOURCE.violated(
        FIELD,
        desc.flags,
        "DENY_SHADER_RESOURCE only beside ALLOW_DEPTH_STENCIL or VIDEO_*_REFERENCE_ONLY",
    ))
}

fn video_reference(desc: &ResourceDesc) -> Checked {
    let video = desc.flags & VIDEO;
    if video.is_empty() {
        return Ok(());
    }
    let others = desc.flags - VIDEO - Flags::DENY_SHADER_RESOURCE - Flags::USE_TIGHT_ALIGNMENT;
    if video != VIDEO && others.is_empty() && desc.dimension == ResourceDimension::Texture2D {
        return Ok(());
    }
    Err(rule::FLAGS_VIDEO_REFERENCE.violated(
        FIELD,
        format!("{} on a {}", desc.flags, desc.dimension),
        "one VIDEO_*_REFERENCE_ONLY flag on a TEXTURE2D, beside it only DENY_SHADER_RESOURCE and USE_TIGHT_ALIGNMENT",
    ))
}

/// Of buffers and textures.
pub(super) fn acceleration_structure(desc: &ResourceDesc) -> Checked {
    if !desc.flags.contains(Flags::RAYTRACING_ACCELERATION_STRUCTURE)
        || (desc.is_buffer() && desc.flags.contains(Flags::ALLOW_UNORDERED_ACCESS))
    {
        return Ok(());
    }
    Err(rule::FLAGS_ACCELERATION_STRUCTURE.violated(
        FIELD,
        format!("{} on a {}", desc.flags, desc.dimension),
        "RAYTRACING_ACCELERATION_STRUCTURE on a BUFFER with ALLOW_UNORDERED_ACCESS",
    ))
}

/// Whether USE_TIGHT_ALIGNMENT is legal at all (spec/1, Validation); of buffers and textures.
pub(super) fn tight(rules: &LayoutRules, desc: &ResourceDesc) -> Checked {
    if !desc.flags.contains(Flags::USE_TIGHT_ALIGNMENT) {
        return Ok(());
    }
    if rule::TIGHT_ALIGNMENT_SDK.holds_in(rules.sdk) {
        return Err(rule::TIGHT_ALIGNMENT_SDK.violated(
            FIELD,
            format!("{} under SDK {}", desc.flags, rules.sdk),
            "no USE_TIGHT_ALIGNMENT before SDK 618",
        ));
    }
    if rules.caps.tight_alignment_tier == TightAlignmentTier::NotSupported {
        return Err(rule::TIGHT_ALIGNMENT_TIER.violated(
            FIELD,
            desc.flags,
            "no USE_TIGHT_ALIGNMENT on an adapter of D3D12_TIGHT_ALIGNMENT_TIER_NOT_SUPPORTED",
        ));
    }
    if desc.layout.is_64kb() {
        return Err(rule::TIGHT_ALIGNMENT_LAYOUT.violated(
            FIELD,
            format!("{} with layout {}", desc.flags, desc.layout),
            "USE_TIGHT_ALIGNMENT with layout UNKNOWN or ROW_MAJOR",
        ));
    }
    Ok(())
}
