//! Subresource arithmetic, and where each subresource lies in its resource.

use heapstone_spec::{ResourceDesc, ResourceDimension};

use crate::planes;
use crate::rules::LayoutRules;
use crate::swizzle::Storage;
use crate::texture_surfaces;

/// D3D12CalcSubresource (spec/2-resource-heaps.txt 404-408); arguments of a legal description cannot
/// wrap, others saturate.
#[must_use]
pub const fn calc_subresource(
    mip_slice: u32,
    array_slice: u32,
    plane_slice: u32,
    mip_levels: u32,
    array_size: u32,
) -> u32 {
    mip_slice
        .saturating_add(array_slice.saturating_mul(mip_levels))
        .saturating_add(plane_slice.saturating_mul(mip_levels).saturating_mul(array_size))
}

/// D3D12DecomposeSubresource: (mip, slice, plane), the inverse of [`calc_subresource`]. A count of 0
/// is taken as 1.
#[must_use]
pub const fn decompose_subresource(subresource: u32, mip_levels: u32, array_size: u32) -> (u32, u32, u32) {
    let mips = if mip_levels == 0 { 1 } else { mip_levels };
    let slices = if array_size == 0 { 1 } else { array_size };
    (subresource % mips, subresource / mips % slices, subresource / mips / slices)
}

/// Slices of a description: the array size, or 1 of a 3D texture.
#[must_use]
pub const fn array_size(desc: &ResourceDesc) -> u16 {
    match desc.dimension {
        ResourceDimension::Texture3D => 1,
        _ => desc.depth_or_array_size,
    }
}

/// Subresources of a description with resolved mips: mips x slices x planes. Exact for every value of
/// the fields, of which not all are legal.
#[must_use]
pub fn subresource_count(desc: &ResourceDesc) -> u64 {
    if desc.is_buffer() {
        return 1;
    }
    u64::from(desc.mip_levels) * u64::from(array_size(desc)) * u64::from(planes::of(desc.format).count())
}

/// D3D12DDI_SUBRESOURCE_INFO (spec/2-resource-heaps.txt 777-794), and the size beside it: where a subresource lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SubresourceInfo {
    /// Of the subresource's first byte, from the resource's.
    pub offset: u64,
    /// Bytes from there to its end: of whole blocks, or of its rows where it shares blocks with other mips
    /// (chosen: D3D12's drivers do not tell it, but Map bounds its ranges by it).
    pub size: u64,
    /// Bytes from a row of elements to the next. Where a pattern swizzles, those of a row of whole
    /// blocks, one element high.
    pub row_stride: u64,
    /// Bytes from a depth slice to the next. Where blocks are several slices deep, those of one slice of
    /// whole blocks.
    pub depth_stride: u64,
}

/// Where `subresource` of a legal description lies, as the profile's driver lays it out at the alignment
/// that the description gets; `None` where there is no such subresource or the place leaves 64 bits.
#[must_use]
pub fn subresource_info(
    rules: &LayoutRules,
    desc: &ResourceDesc,
    subresource: u32,
) -> Option<SubresourceInfo> {
    if desc.is_buffer() {
        return (subresource == 0).then_some(SubresourceInfo {
            offset: 0,
            size: desc.width,
            row_stride: desc.width,
            depth_stride: desc.width,
        });
    }
    let surface = texture_surfaces::surface(rules, desc, subresource)?;
    let (row_stride, depth_stride) = match surface.storage {
        Storage::Linear { row_pitch, slice_pitch } => (row_pitch, slice_pitch),
        Storage::Swizzled { pattern, strides } => {
            let block = pattern.block();
            let row = strides.row >> (block.y_log2 + block.z_log2);
            let depth = if strides.stacked_rows == 0 {
                strides.slice >> block.z_log2
            } else {
                row.checked_mul(u64::from(strides.stacked_rows))?
            };
            (row, depth)
        }
    };
    Some(SubresourceInfo { offset: surface.offset, size: surface.size, row_stride, depth_stride })
}
