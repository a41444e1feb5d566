//! Extents, mips and subresources of textures.

use heapstone_spec::rules::description as rule;
use heapstone_spec::{FormatUses, ResourceDesc, ResourceDimension, limits};

use super::Checked;
use crate::{planes, subresource};

#[inline]
pub(super) fn extents(desc: &ResourceDesc) -> Checked {
    if desc.width == 0 || desc.height == 0 || desc.depth_or_array_size == 0 {
        return zero(desc);
    }
    match desc.dimension {
        ResourceDimension::Texture1D => {
            if desc.height != 1 {
                return Err(rule::TEXTURE_1D_HEIGHT.violated("D3D12_RESOURCE_DESC.Height", desc.height, 1));
            }
            axis("D3D12_RESOURCE_DESC.Width", desc.width, limits::TEXTURE1D_WIDTH_MAX)?;
            slices(desc.depth_or_array_size, limits::TEXTURE1D_ARRAY_SIZE_MAX)
        }
        ResourceDimension::Texture3D => {
            axis("D3D12_RESOURCE_DESC.Width", desc.width, limits::TEXTURE3D_DIMENSION_MAX)?;
            axis("D3D12_RESOURCE_DESC.Height", u64::from(desc.height), limits::TEXTURE3D_DIMENSION_MAX)?;
            axis(
                "D3D12_RESOURCE_DESC.DepthOrArraySize",
                u64::from(desc.depth_or_array_size),
                limits::TEXTURE3D_DIMENSION_MAX,
            )
        }
        ResourceDimension::Texture2D | ResourceDimension::Buffer | ResourceDimension::Unknown => {
            axis("D3D12_RESOURCE_DESC.Width", desc.width, limits::TEXTURE2D_WIDTH_HEIGHT_MAX)?;
            axis("D3D12_RESOURCE_DESC.Height", u64::from(desc.height), limits::TEXTURE2D_WIDTH_HEIGHT_MAX)?;
            slices(desc.depth_or_array_size, limits::TEXTURE2D_ARRAY_SIZE_MAX)
        }
    }
}

#[cold]
fn zero(desc: &ResourceDesc) -> Checked {
    let field = if desc.width == 0 {
        "D3D12_RESOURCE_DESC.Width"
    } else if desc.height == 0 {
        "D3D12_RESOURCE_DESC.Height"
    } else {
        "D3D12_RESOURCE_DESC.DepthOrArraySize"
    };
    Err(rule::TEXTURE_EXTENT_ZERO.violated(field, 0, "at least 1"))
}

#[inline]
fn axis(field: &'static str, given: u64, max: u64) -> Checked {
    if given <= max {
        return Ok(());
    }
    Err(rule::TEXTURE_EXTENT_MAX.violated(field, format!("{given} texels"), format!("at most {max}")))
}

#[inline]
fn slices(given: u16, max: u16) -> Checked {
    if given <= max {
        return Ok(());
    }
    Err(rule::TEXTURE_ARRAY_SIZE.violated(
        "D3D12_RESOURCE_DESC.DepthOrArraySize",
        format!("{given} slices"),
        format!("at most {max}"),
    ))
}

/// MipLevels 0 becomes the full chain (facts/behaviour.md, Creation): 1 where several mips are not
/// legal, that is with several samples or a format without mips (chosen).
pub(super) fn resolve_mips(desc: &ResourceDesc) -> ResourceDesc {
    let has_mips = desc.format.uses().contains(FormatUses::MIP) || planes::of(desc.format).feedback;
    let single = desc.sample_desc.count > 1 || !has_mips;
    ResourceDesc { mip_levels: if single { 1 } else { full_chain(desc) }, ..*desc }
}

/// The mips from mip 0 down to one texel.
fn full_chain(desc: &ResourceDesc) -> u16 {
    let depth = match desc.dimension {
        ResourceDimension::Texture3D => u64::from(desc.depth_or_array_size),
        _ => 1,
    };
    let longest = desc.width.max(u64::from(desc.height)).max(depth).max(1);
    u16::try_from(longest.ilog2() + 1).unwrap_or(u16::MAX)
}

/// Of a description with resolved mips.
#[inline]
pub(super) fn subresources(desc: &ResourceDesc) -> Checked {
    if desc.mip_levels > limits::MIP_LEVELS_MAX {
        return Err(rule::MIP_LEVELS_MAX.violated(
            "D3D12_RESOURCE_DESC.MipLevels",
            desc.mip_levels,
            format!("0 to {}", limits::MIP_LEVELS_MAX),
        ));
    }
    let count = subresource::subresource_count(desc);
    if count <= u64::from(limits::SUBRESOURCES_MAX) {
        return Ok(());
    }
    Err(rule::SUBRESOURCES_MAX.violated(
        "D3D12_RESOURCE_DESC.MipLevels, DepthOrArraySize",
        format!("{count} subresources"),
        format!("at most {}", limits::SUBRESOURCES_MAX),
    ))
}
