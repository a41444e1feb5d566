//! Rules of the format.

use heapstone_spec::rules::description as rule;
use heapstone_spec::views::{ViewKind, plane_of_view};
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
            for FlagUse { flag, needed, view, rule, uses_of } in FLAG_USES {
                if desc.flags.contains(flag)
                    && !uses.contains(needed)
                    && !is_seen_as(desc.format, castable, needed, view)
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

/// What a flag needs of the format, and the views that it is for.
#[derive(Clone, Copy)]
struct FlagUse {
    flag: ResourceFlags,
    needed: FormatUses,
    view: ViewKind,
    rule: &'static Rule,
    uses_of: &'static str,
}

static FLAG_USES: [FlagUse; 3] = [
    FlagUse {
        flag: ResourceFlags::ALLOW_RENDER_TARGET,
        needed: FormatUses::RENDER_TARGET,
        view: ViewKind::RenderTarget,
        rule: &rule::FORMAT_RENDER_TARGET,
        uses_of: "a render target",
    },
    FlagUse {
        flag: ResourceFlags::ALLOW_DEPTH_STENCIL,
        needed: FormatUses::DEPTH_STENCIL,
        view: ViewKind::DepthStencil,
        rule: &rule::FORMAT_DEPTH_STENCIL,
        uses_of: "a depth-stencil",
    },
    FlagUse {
        flag: ResourceFlags::ALLOW_UNORDERED_ACCESS,
        needed: FormatUses::TYPED_UAV,
        view: ViewKind::UnorderedAccess,
        rule: &rule::FORMAT_UNORDERED_ACCESS,
        uses_of: "an unordered-access view",
    },
];

/// Whether a castable format has the use, or one that it or the resource's own casts to, as native D3D12 counts (of which
/// a list then allows fewer views): R8G8B8A8_UNORM_SRGB is written as UNORM, R32_FLOAT is cleared as D32_FLOAT. Of depth and
/// video it is not known, and refused.
#[cold]
fn is_seen_as(own: Format, castable: &[Format], needed: FormatUses, view: ViewKind) -> bool {
    core::iter::once(&own).chain(castable).any(|from| {
        let is_color = !from.info().kind.intersects(FormatKind::DEPTH | FormatKind::YUV | FormatKind::OPAQUE);
        let casts = |to: &Format| is_color && plane_of_view(*from, *to, view, 0).is_some();
        from.uses().contains(needed) || Format::ALL.iter().any(|to| to.uses().contains(needed) && casts(to))
    })
}

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
