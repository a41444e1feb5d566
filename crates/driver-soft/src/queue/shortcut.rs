//! The short way of the commonest copy: rows in a heap to or from a swizzled surface in a heap.
//!
//! An upload of many small boxes must not look at the same surface for each. What is not the common case goes
//! the general way, and so does whatever is wrong: the general way says what.

use heapstone_driver::dma::{Address, Image, Origin};
use heapstone_driver::engine::RowPitches;
use heapstone_layout::swizzle::Storage;
use heapstone_units::GpuVirtualAddress;

use super::copy::CopyRegion;
use super::operand::{Pins, surface};
use super::tlb::{KnownSurface, Slot};
use crate::bytes::{Rows, SurfaceBytes, View};
use crate::device::HeapBacking;

/// Makes the copy, if it is such; whether it did.
#[inline(always)]
pub(super) fn copy_region_shortly(pins: &mut Pins<'_>, copy: &CopyRegion<'_>) -> bool {
    if copy.mask != u32::MAX || copy.samples_log2 != 0 || copy.element_bytes_log2 > 4 {
        return false;
    }
    match (*copy.destination, *copy.source) {
        (
            Image::Surface { allocation, subresource, base },
            Image::Pitched { address, row_pitch, slice_pitch },
        ) => {
            let rows = PitchedBox { address, row_pitch, slice_pitch, origin: *copy.source_origin };
            let origin = *copy.destination_origin;
            copy_short::<true>(pins, copy, (allocation, subresource, base), origin, &rows)
        }
        (
            Image::Pitched { address, row_pitch, slice_pitch },
            Image::Surface { allocation, subresource, base },
        ) => {
            let rows = PitchedBox { address, row_pitch, slice_pitch, origin: *copy.destination_origin };
            let origin = *copy.source_origin;
            copy_short::<false>(pins, copy, (allocation, subresource, base), origin, &rows)
        }
        _ => false,
    }
}

/// Rows, and where in them the box begins.
struct PitchedBox {
    address: Address,
    row_pitch: u32,
    slice_pitch: u64,
    origin: Origin,
}

/// Rows into a surface if `WRITE`, else a surface into rows.
#[inline(always)]
fn copy_short<const WRITE: bool>(
    pins: &mut Pins<'_>,
    copy: &CopyRegion<'_>,
    (allocation, subresource, base): (u32, u32, GpuVirtualAddress),
    origin: Origin,
    rows: &PitchedBox,
) -> bool {
    let [width, height, depth] = *copy.size;
    if width == 0 || height == 0 || depth == 0 {
        return false;
    }
    if pins.tlb.surface(allocation, subresource, base).is_none()
        && learn(pins, allocation, subresource, base).is_none()
    {
        return false;
    }
    let Some(index) =
        usize::try_from(rows.address.allocation).ok().filter(|index| *index < pins.allocations.len())
    else {
        return false;
    };
    pins.tlb.look_up(index, &pins.allocations[index], pins.device);
    let Some((linear, segment)) = linear_view(pins, index, rows, copy.element_bytes_log2) else {
        return false;
    };
    let Some(known) = pins.tlb.surface(allocation, subresource, base) else { return false };
    if known.element_bytes_log2 != copy.element_bytes_log2 {
        return false;
    }
    let shift = copy.element_bytes_log2;
    let box_rows = Rows { width: u64::from(width) << shift, height, depth };
    let [x, y, z] = origin.map(u64::from);
    let pitches = RowPitches { row: u64::from(rows.row_pitch), slice: rows.slice_pitch };
    if !known.bytes.copy::<WRITE>([x << shift, y, z], box_rows, linear, pitches) {
        return false;
    }
    let bytes = box_rows.width.saturating_mul(u64::from(height)).saturating_mul(u64::from(depth));
    let segments = [known.segment, segment];
    pins.meter.copy(segments, bytes);
    true
}

/// The bytes of the rows' allocation from the box's first on, and the segment that they lie in.
#[inline(always)]
fn linear_view<'m>(
    pins: &'m Pins<'_>,
    index: usize,
    rows: &PitchedBox,
    element_bytes_log2: u8,
) -> Option<(View<'m>, usize)> {
    let Slot::Heap { memory, offset } = pins.tlb.slot(index) else { return None };
    let HeapBacking::Bytes(bytes) = &memory.backing else { return None };
    let allocation = &pins.allocations[index];
    let [x, y, z] = rows.origin.map(u64::from);
    let begin = y * u64::from(rows.row_pitch) + (x << element_bytes_log2);
    let begin = begin.checked_add(z.checked_mul(rows.slice_pitch)?)?;
    let begin = rows.address.at.checked_offset_from(allocation.address)?.checked_add(begin)?;
    let left = allocation.size.checked_sub(begin)?;
    let begin = offset.checked_add(begin)?;
    let size = memory.reachable().checked_sub(begin)?.min(left);
    Some((bytes.view().part(begin, size)?, memory.segment))
}

/// Looks a surface up; `None` where it is not such a one, or not all right.
#[cold]
fn learn(pins: &mut Pins<'_>, allocation: u32, subresource: u32, base: GpuVirtualAddress) -> Option<()> {
    let surface = surface(pins.allocations, allocation, subresource).ok()?;
    let Storage::Swizzled { pattern, strides } = surface.storage else { return None };
    if surface.samples_log2 != 0 || surface.element_bytes_log2 > 4 {
        return None;
    }
    let index = usize::try_from(allocation).ok()?;
    let entry = &pins.allocations[index];
    let begin = base.checked_offset_from(entry.address)?.checked_add(surface.offset)?;
    if begin.checked_add(surface.size)? > entry.size {
        return None;
    }
    let Slot::Heap { memory, offset } = pins.tlb.look_up(index, entry, pins.device) else { return None };
    let HeapBacking::Bytes(bytes) = &memory.backing else { return None };
    let begin = offset.checked_add(begin)?;
    if begin.checked_add(surface.size)? > memory.reachable() {
        return None;
    }
    let width = surface.elements.width.checked_mul(1 << surface.element_bytes_log2)?;
    let rows = Rows { width, height: surface.elements.height, depth: surface.elements.depth };
    let bytes = SurfaceBytes::new(bytes.part(begin, surface.size)?, pattern, strides, rows)?;
    let segment = memory.segment;
    let element_bytes_log2 = surface.element_bytes_log2;
    pins.tlb.learn(KnownSurface { allocation, subresource, base, element_bytes_log2, bytes, segment });
    Some(())
}
