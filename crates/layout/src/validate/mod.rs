//! The rules that a description must keep by itself, in the order in which they are looked at: the
//! dimension, then each field alone, then fields together.
//!
//! Every rule stands in [`heapstone_spec::rules::description`] and is decided in one function here.

mod alignment;
mod buffer;
mod feedback;
mod flags;
mod format;
mod layout;
mod reserved;
mod samples;
mod texture;

use heapstone_spec::rules::description as rule;
use heapstone_spec::{Format, ResourceDesc, ResourceDimension, Violation};

use crate::rules::{LayoutRules, Purpose};

/// What a check answers.
type Checked = Result<(), Box<Violation>>;

/// Checks every rule that a description must keep by itself, and answers it with MipLevels 0 resolved to
/// the full chain; the other fields are as given.
///
/// # Errors
/// The first rule that is broken: which, by which field, what was given and what is allowed.
#[inline]
pub fn validate(
    rules: &LayoutRules,
    desc: &ResourceDesc,
    purpose: Purpose,
) -> Result<ResourceDesc, Box<Violation>> {
    let mut resolved = None;
    legal(rules, desc, purpose, &mut resolved).copied()
}

/// As [`validate`], without a copy of a description that says its mips: `resolved` keeps the copy of
/// one that does not.
///
/// # Errors
/// As [`validate`].
#[inline(always)]
pub fn legal<'a>(
    rules: &LayoutRules,
    desc: &'a ResourceDesc,
    purpose: Purpose,
    resolved: &'a mut Option<ResourceDesc>,
) -> Result<&'a ResourceDesc, Box<Violation>> {
    legal_cast(rules, desc, &[], purpose, resolved)
}

/// As [`legal`], for a resource that may be seen as `castable` formats: what its flags need of a format, one of
/// those may have in its place. So does native D3D12, which takes blocks with ALLOW_UNORDERED_ACCESS where they may
/// be seen as texels. Whether the formats fit the resource's own is the caller's to check.
///
/// # Errors
/// As [`validate`].
#[inline(always)]
pub fn legal_cast<'a>(
    rules: &LayoutRules,
    desc: &'a ResourceDesc,
    castable: &[Format],
    purpose: Purpose,
    resolved: &'a mut Option<ResourceDesc>,
) -> Result<&'a ResourceDesc, Box<Violation>> {
    match desc.dimension {
        ResourceDimension::Buffer => {
            buffer::check(rules, desc, purpose)?;
            Ok(desc)
        }
        ResourceDimension::Texture1D | ResourceDimension::Texture2D | ResourceDimension::Texture3D => {
            let desc = match desc.mip_levels {
                0 => &*resolved.insert(texture::resolve_mips(desc)),
                _ => desc,
            };
            texture(rules, desc, castable, purpose)?;
            Ok(desc)
        }
        ResourceDimension::Unknown => Err(rule::DIMENSION.violated(
            "D3D12_RESOURCE_DESC.Dimension",
            desc.dimension,
            "BUFFER, TEXTURE1D, TEXTURE2D or TEXTURE3D",
        )),
    }
}

/// Of a texture with resolved mips. A call of its own, so that buffers do not set up its stack.
#[inline(never)]
fn texture(rules: &LayoutRules, desc: &ResourceDesc, castable: &[Format], purpose: Purpose) -> Checked {
    texture::extents(desc)?;
    flags::check(rules, desc)?;
    let uses = format::check(rules, desc, castable)?;
    texture::subresources(desc)?;
    feedback::check(rules, desc)?;
    samples::check(rules, desc, uses)?;
    format::mips(desc, uses)?;
    layout::check(rules, desc)?;
    if purpose == Purpose::Reserved {
        reserved::texture(rules, desc, uses)?;
    }
    alignment::check(rules, desc, purpose)
}
