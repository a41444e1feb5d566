//! Subresource arithmetic, and where each subresource lies in its resource.

use heapstone_spec::{ResourceDesc, ResourceDimension};
use heapstone_units::Alignment;

use crate::alignment;
use crate::planes;
use crate::rules::{LayoutRules, Purpose};
use crate::surface::{self, Geometry, Plan};

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
    let geometry = Geometry::new(desc);
    let (mip, slice, plane_index) =
        decompose_subresource(subresource, u32::from(geometry.mips), u32::from(geometry.slices));
    let plan = Plan::new(rules, desc, &geometry, restriction(desc));

    let mut plane_offset = 0_u64;
    for (index, plane) in geometry.planes.iter().enumerate() {
        let block = plan.block(&geometry, plane)?;
        let mut place = None;
        let totals = surface::walk_slice(&geometry, plane, block, plan.rule, |placement| {
            if u32::from(placement.mip) == mip {
                place = Some(placement);
            }
        })?;
        if u32::try_from(index) != Ok(plane_index) {
            plane_offset = plane_offset.checked_add(totals.bytes.checked_mul(u64::from(geometry.slices))?)?;
            continue;
        }
        let place = place?;
        let offset = plane_offset
            .checked_add(totals.bytes.checked_mul(u64::from(slice))?)?
            .checked_add(place.offset)?;
        let row = surface::row_bytes(place.elements, plane, geometry.samples_log2)?;
        let (row_stride, rows) = if place.in_tail {
            (row, u64::from(place.elements.height))
        } else {
            let across =
                Alignment::new(1 << (block.width_log2 + plane.bytes_log2 + geometry.samples_log2)).ok()?;
            let down = Alignment::new(1 << block.height_log2).ok()?;
            (across.align_up(row)?, down.align_up(u64::from(place.elements.height))?)
        };
        let depth_stride = row_stride.checked_mul(rows)?;
        return Some(SubresourceInfo { offset, size: place.bytes, row_stride, depth_stride });
    }
    None
}

/// What the runtime restricted the driver to when it sized the resource: only whether it is 4 KiB or
/// less decides the blocks.
fn restriction(desc: &ResourceDesc) -> Alignment {
    if alignment::is_tight(desc) { alignment::KIB_4 } else { alignment::classic(desc, Purpose::Query) }
}
