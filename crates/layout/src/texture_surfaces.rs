//! Every subresource of a texture as it lies in memory, and its metadata.

use heapstone_spec::ResourceDesc;
use heapstone_units::{Alignment, ByteRange};

use crate::alignment;
use crate::allocation::{ProfileSizer, resource_allocation};
use crate::blocks::BlockShape;
use crate::planes::Plane;
use crate::rules::{LayoutRules, Purpose};
use crate::subresource::{decompose_subresource, subresource_count};
use crate::surface::{self, Geometry, MipPlacement, Plan};
use crate::swizzle::engine::CompiledPattern;
use crate::swizzle::{self, BlockStrides, Storage, Surface};

/// How `subresource` of a legal texture description lies, as the profile's driver lays it out at the
/// alignment that the description gets (CheckSubresourceInfo, spec/2-resource-heaps.txt 777-794); `None` of
/// buffers, where there is no such subresource, and where its place leaves 64 bits.
///
/// Mips in the tail, row-major and linear layouts and 1D textures are [`Storage::Linear`].
#[must_use]
pub fn surface(rules: &LayoutRules, desc: &ResourceDesc, subresource: u32) -> Option<Surface> {
    if desc.is_buffer() {
        return None;
    }
    let geometry = Geometry::new(desc);
    let (mip, slice, plane_index) =
        decompose_subresource(subresource, u32::from(geometry.mips), u32::from(geometry.slices));
    let plan = Plan::new(rules, desc, &geometry, restriction(desc));

    let mut plane_offset = 0_u64;
    for (index, plane) in (0_u32..).zip(geometry.planes.iter()) {
        let cut = PlaneCut::new(&plan, &geometry, plane)?;
        let mut place = None;
        let slice_bytes = surface::walk_slice(&geometry, plane, cut.block, plan.rule, |placement| {
            if u32::from(placement.mip) == mip {
                place = Some(placement);
            }
        })?
        .bytes;
        if index == plane_index {
            let offset = plane_offset.checked_add(slice_bytes.checked_mul(u64::from(slice))?)?;
            return cut.surface(place?, offset);
        }
        plane_offset = plane_offset.checked_add(slice_bytes.checked_mul(u64::from(geometry.slices))?)?;
    }
    None
}

/// [`surface`] of every subresource, in order; `None` of buffers, and where a place leaves 64 bits.
#[must_use]
pub fn surfaces(rules: &LayoutRules, desc: &ResourceDesc) -> Option<Vec<Surface>> {
    if desc.is_buffer() {
        return None;
    }
    let geometry = Geometry::new(desc);
    let plan = Plan::new(rules, desc, &geometry, restriction(desc));

    // Every size is known to fit 64 bits before anything is allocated for it.
    surface::texture_bytes(&geometry, &plan)?;
    let mut all = Vec::with_capacity(usize::try_from(subresource_count(desc)).ok()?);
    let mut offset = 0_u64;
    for plane in geometry.planes.iter() {
        let cut = PlaneCut::new(&plan, &geometry, plane)?;
        for _ in 0..geometry.slices {
            let mut legal = Some(());
            let slice = surface::walk_slice(&geometry, plane, cut.block, plan.rule, |placement| {
                match cut.surface(placement, offset) {
                    Some(surface) => all.push(surface),
                    None => legal = None,
                }
            })?;
            legal?;
            offset = offset.checked_add(slice.bytes)?;
        }
    }
    Some(all)
}

/// Where the metadata of a legal render target or depth-stencil lies, from the resource's first byte, as
/// GetResourceAllocationInfo counts it; `None` where it has none. A resource that was created has it where
/// its own allocation says: [`DriverAllocationInfo::metadata_range`](crate::DriverAllocationInfo::metadata_range).
#[must_use]
pub fn metadata_range(rules: &LayoutRules, desc: &ResourceDesc) -> Option<ByteRange> {
    let sizer = ProfileSizer { rules: *rules };
    resource_allocation(rules, &sizer, desc, Purpose::Query).ok()?.driver.metadata_range()
}

/// What the runtime restricted the driver to when it sized the resource: only whether it is 4 KiB or
/// less decides the blocks.
pub(crate) fn restriction(desc: &ResourceDesc) -> Alignment {
    if alignment::is_tight(desc) { alignment::KIB_4 } else { alignment::classic(desc, Purpose::Query) }
}

/// How the mips of one plane are cut and swizzled.
struct PlaneCut<'a> {
    geometry: &'a Geometry,
    plane: &'a Plane,
    block: BlockShape,
    /// `None` where the blocks are runs of rows.
    pattern: Option<&'static CompiledPattern>,
}

impl<'a> PlaneCut<'a> {
    fn new(plan: &Plan, geometry: &'a Geometry, plane: &'a Plane) -> Option<PlaneCut<'a>> {
        Some(PlaneCut {
            geometry,
            plane,
            block: plan.block(geometry, plane)?,
            pattern: swizzle::pattern_of(plan.plane_pattern(geometry, plane)?, geometry.cut(plane)),
        })
    }

    /// The surface of a mip of the slice that begins at `slice_offset`.
    fn surface(&self, place: MipPlacement, slice_offset: u64) -> Option<Surface> {
        Some(Surface {
            offset: slice_offset.checked_add(place.offset)?,
            size: place.bytes,
            elements: place.elements,
            element_bytes_log2: self.plane.bytes_log2,
            repeat: self.plane.repeat,
            element_width_log2: self.plane.element_width_log2,
            element_height_log2: self.plane.element_height_log2,
            samples_log2: self.geometry.samples_log2,
            storage: self.storage(place)?,
        })
    }

    fn storage(&self, place: MipPlacement) -> Option<Storage> {
        let blocks = surface::grid(place.elements, self.block);
        let row_of_blocks = blocks.width.checked_mul(self.block.bytes())?;
        let Some(pattern) = self.pattern.filter(|_| !place.in_tail) else {
            // Tails pack their rows; elsewhere a block is a run of a row.
            let row_pitch = if place.in_tail {
                surface::row_bytes(place.elements, self.plane, self.geometry.samples_log2)?
            } else {
                row_of_blocks
            };
            let slice_pitch = row_pitch.checked_mul(u64::from(place.elements.height))?;
            return Some(Storage::Linear { row_pitch, slice_pitch });
        };
        let strides = if pattern.pattern().stack_depth_slices {
            // Slices are whole rows of blocks, which is what the subresource's size counts.
            let stacked_rows = blocks.height.checked_mul(self.block.elements().height)?;
            BlockStrides { row: row_of_blocks, slice: 0, stacked_rows }
        } else {
            let slice = row_of_blocks.checked_mul(u64::from(blocks.height))?;
            BlockStrides { row: row_of_blocks, slice, stacked_rows: 0 }
        };
        Some(Storage::Swizzled { pattern, strides })
    }
}
