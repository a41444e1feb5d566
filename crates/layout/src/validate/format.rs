//! Rules of the format.

use heapstone_spec::rules::description as rule;
use heapstone_spec::{
    Format, FormatInfo, FormatKind, FormatUses, ResourceDesc, ResourceDimension, ResourceFlags, Rule,
    Violation,
};

use super::Checked;
use crate::planes;
use crate::rules::LayoutRules;

/// Checks the format against dimension, flags and extents, and answers what it may be used for: of a
/// typeless format what any member of its family may. What a flag needs, one of the `castable` formats may have in its place.
#[inline]
pub(super) fn check(
    rules: &LayoutRules,
    desc: &ResourceDesc,
    castable: &[Format],
) -> Result<FormatUses, Box<Violation>> {
    if desc.format == Format::UNKNOWN {
        return Err(rule::FORMAT_UNKNOWN.violated("D3D12_RESOURCE_DESC.Format", desc.format, "a format"));
    }
    let uses = desc.format.uses();
    let info = desc.format.info();
    let (needed, uses_of) = match desc.dimension {
        ResourceDimension::Texture1D => (FormatUses::TEXTURE1D, "a 1D texture"),
        ResourceDimension::Texture3D => (FormatUses::TEXTURE3D, "a 3D texture"),
        _ => (FormatUses::TEXTURE2D, "a 2D texture"),
    };
    if desc.dimension == ResourceDimension::Texture1D && info.kind.contains(FormatKind::BLOCK_COMPRESSED) {
        return Err(rule::FORMAT_BLOCK_1D.violated(
            "D3D12_RESOURCE_DESC.Format",
            format!("{} of a TEXTURE1D", desc.format),
            "a format that is not block-compressed",
        ));
    }
    // A sampler-feedback map has rules of its own.
    if !planes::of(desc.format).feedback {
        need(&rule::FORMAT_DIMENSION, desc, uses, needed, uses_of)?;
        if !desc.flags.is_empty() {
            for (flag, needed, rule, uses_of) in FLAG_USES {
                if desc.flags.contains(flag)
                    && !uses.contains(needed)
                    && !castable.iter().any(|format| format.uses().contains(needed))
                {
                    need(rule, desc, uses, needed, uses_of)?;
                }
            }
        }
    }
    if info.width_alignment > 1 || info.height_alignment > 1 {
        extents(rules, desc, info)?;
    }
    Ok(uses)
}

type FlagUse = (ResourceFlags, FormatUses, &'static Rule, &'static str);

/// What each flag needs of the format.
static FLAG_USES: [FlagUse; 3] = [
    (
        ResourceFlags::ALLOW_RENDER_TARGET,
        FormatUses::RENDER_TARGET,
        &rule::FORMAT_RENDER_TARGET,
        "a render target",
    ),
    (
        ResourceFlags::ALLOW_DEPTH_STENCIL,
        FormatUses::DEPTH_STENCIL,
        &rule::FORMAT_DEPTH_STENCIL,
        "a depth-stencil",
    ),
    (
        ResourceFlags::ALLOW_UNORDERED_ACCESS,
        FormatUses::TYPED_UAV,
        &rule::FORMAT_UNORDERED_ACCESS,
        "an unordered-access view",
    ),
];

#[inline]
fn need(
    rule: &'static Rule,
    desc: &ResourceDesc,
    uses: FormatUses,
    needed: FormatUses,
    uses_of: &'static str,
) -> Checked {
    if uses.contains(needed) {
        return Ok(());
    }
    Err(rule.violated(
        "D3D12_RESOURCE_DESC.Format",
        desc.format,
        format!("a format that can be that of {uses_of}"),
    ))
}

/// Extents of formats whose texels share bytes.
fn extents(rules: &LayoutRules, desc: &ResourceDesc, info: &FormatInfo) -> Checked {
    let (width, height) = (u32::from(info.width_alignment), u32::from(info.height_alignment));
    if desc.width.is_multiple_of(u64::from(width)) && desc.height.is_multiple_of(height) {
        return Ok(());
    }
    let rule = if !info.kind.contains(FormatKind::BLOCK_COMPRESSED) {
        &rule::FORMAT_ALIGNMENT
    } else if rule::FORMAT_BLOCK_ALIGNMENT_INBOX.holds_in(rules.sdk) {
        &rule::FORMAT_BLOCK_ALIGNMENT_INBOX
    } else if rules.caps.unaligned_block_textures {
        return Ok(());
    } else {
        &rule::FORMAT_BLOCK_ALIGNMENT
    };
    Err(rule.violated(
        "D3D12_RESOURCE_DESC.Width, Height",
        format!("{}x{} of {}", desc.width, desc.height, desc.format),
        format!("multiples of {width}x{height}"),
    ))
}

/// Of a description with resolved mips.
#[inline]
pub(super) fn mips(desc: &ResourceDesc, uses: FormatUses) -> Checked {
    if desc.mip_levels == 1 || uses.contains(FormatUses::MIP) || planes::of(desc.format).feedback {
        return Ok(());
    }
    Err(rule::FORMAT_MIPS.violated(
        "D3D12_RESOURCE_DESC.MipLevels",
        format!("{} of {}", desc.mip_levels, desc.format),
        1,
    ))
}
