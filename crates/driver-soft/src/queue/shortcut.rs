//! The short way of the commonest copy: rows in a heap to or from a swizzled surface in a heap.
//!
//! An upload of many small boxes must not look at the same surface for each. What is not the common case goes
//! the general way, and so does whatever is wrong: the general way says what.

use heapstone_driver::dma::{BoxCopy, BoxDirection, DmaAllocation};
use heapstone_driver::engine::RowPitches;
use heapstone_layout::swizzle::Storage;

use super::operand::surface;
use super::tlb::{KnownSurface, Slot, Tlb};
use super::traffic::Meter;
use crate::bytes::{Rows, SurfaceBytes, View};
use crate::device::{DeviceShared, HeapBacking};

/// Makes the copy, if it is of the common case; whether it did.
#[inline(always)]
pub(super) fn copy_box(
    tlb: &mut Tlb,
    meter: &mut Meter,
    device: &DeviceShared,
    allocations: &[DmaAllocation],
    copy: &BoxCopy,
) -> bool {
    let [width, height, depth] = copy.size;
    let shift = copy.element_bytes_log2;
    if width == 0 || height == 0 || depth == 0 || shift > 4 {
        return false;
    }
    let Some((index, allocation)) =
        usize::try_from(copy.rows.allocation).ok().and_then(|index| Some((index, allocations.get(index)?)))
    else {
        return false;
    };
    if !tlb.knows_box(copy, index) && learn(tlb, device, allocations, copy, index).is_none() {
        return false;
    }
    let Some((known, slot)) = tlb.box_sides(copy, index) else { return false };
    let Some((linear, segment)) = linear_view(slot, allocation, copy) else { return false };
    let rows = Rows { width: u64::from(width) << shift, height, depth };
    let pitches = RowPitches { row: u64::from(copy.row_pitch), slice: copy.slice_pitch };
    let [x, y, z] = copy.surface_origin;
    let at = (u64::from(x) << shift, y, z);
    let bytes = match copy.direction {
        BoxDirection::ToSurface => known.bytes.copy::<true>(at, rows, linear, pitches),
        BoxDirection::ToRows => known.bytes.copy::<false>(at, rows, linear, pitches),
    };
    let Some(bytes) = bytes else { return false };
    meter.copy([known.segment, segment], bytes);
    true
}

/// The bytes of the rows' allocation from the box's first on, and the segment that they lie in.
#[inline(always)]
fn linear_view<'m>(slot: &'m Slot, allocation: &DmaAllocation, copy: &BoxCopy) -> Option<(View<'m>, usize)> {
    let Slot::Heap { memory, offset } = slot else { return None };
    let HeapBacking::Bytes(bytes) = &memory.backing else { return None };
    let [x, y, z] = copy.rows_origin;
    let begin = u64::from(y) * u64::from(copy.row_pitch) + (u64::from(x) << copy.element_bytes_log2);
    let begin = begin.checked_add(u64::from(z).checked_mul(copy.slice_pitch)?)?;
    let begin = copy.rows.at.checked_offset_from(allocation.address)?.checked_add(begin)?;
    let left = allocation.size.checked_sub(begin)?;
    let begin = offset.checked_add(begin)?;
    let size = memory.reachable().checked_sub(begin)?.min(left);
    Some((bytes.view().part(begin, size)?, memory.segment))
}

/// Looks the surface and the rows, the allocation `rows`, up; `None` where one is not such, or not all right.
#[cold]
fn learn(
    tlb: &mut Tlb,
    device: &DeviceShared,
    allocations: &[DmaAllocation],
    copy: &BoxCopy,
    rows: usize,
) -> Option<()> {
    tlb.look_up(rows, allocations.get(rows)?, device);
    if tlb.knows_box(copy, rows) {
        return Some(());
    }
    let BoxCopy { allocation, subresource, base, element_bytes_log2, .. } = *copy;
    let surface = surface(allocations, allocation, subresource).ok()?;
    let Storage::Swizzled { pattern, strides } = surface.storage else { return None };
    if surface.samples_log2 != 0 || surface.element_bytes_log2 != element_bytes_log2 {
        return None;
    }
    let index = usize::try_from(allocation).ok()?;
    let entry = allocations.get(index)?;
    let begin = base.checked_offset_from(entry.address)?.checked_add(surface.offset)?;
    if begin.checked_add(surface.size)? > entry.size {
        return None;
    }
    let Slot::Heap { memory, offset } = tlb.look_up(index, entry, device) else { return None };
    let HeapBacking::Bytes(bytes) = &memory.backing else { return None };
    let begin = offset.checked_add(begin)?;
    if begin.checked_add(surface.size)? > memory.reachable() {
        return None;
    }
    let width = surface.elements.width.checked_mul(1 << element_bytes_log2)?;
    let all = Rows { width, height: surface.elements.height, depth: surface.elements.depth };
    let bytes = SurfaceBytes::new(bytes.part(begin, surface.size)?, pattern, strides, all)?;
    let segment = memory.segment;
    tlb.learn(KnownSurface { allocation, subresource, base, element_bytes_log2, bytes, segment });
    Some(())
}
