//! What of a request is refused (facts/dma-splitting.md, Edge cases).

use heapstone_units::ByteRange;

use super::error::SplitError;
use super::request::{PatchLocation, Residency, SegmentPlacement, SplitRequest};
use super::room::Room;

/// Slots at most: SlotId has 24 bits (facts/dma-splitting.md, Structures).
const SLOT_COUNT_MAX: u32 = 1 << 24;

pub(super) fn validate(request: &SplitRequest<'_>) -> Result<(), SplitError> {
    if request.slot_count > SLOT_COUNT_MAX {
        return Err(SplitError::SlotCount { given: request.slot_count });
    }
    let count = request.allocations.len();
    for (entry, listed) in request.allocation_list.iter().enumerate() {
        if let Some(given) = listed.allocation
            && given as usize >= count
        {
            return Err(SplitError::UnknownAllocation { entry, given, count });
        }
    }
    let mut before = 0;
    for (entry, location) in request.patch_locations.iter().enumerate() {
        validate_location(request, entry, location, before)?;
        before = location.split_offset;
    }
    validate_memory(request)
}

fn validate_location(
    request: &SplitRequest<'_>,
    entry: usize,
    location: &PatchLocation,
    before: u32,
) -> Result<(), SplitError> {
    let PatchLocation { allocation_index, slot_id, allocation_offset, patch_offset, split_offset, .. } =
        *location;
    let Some(listed) = request.allocation_list.get(allocation_index as usize) else {
        let count = request.allocation_list.len();
        return Err(SplitError::AllocationIndex { entry, given: allocation_index, count });
    };
    if slot_id >= SLOT_COUNT_MAX {
        return Err(SplitError::ReservedBits { entry, given: slot_id });
    }
    if slot_id >= request.slot_count {
        return Err(SplitError::SlotId { entry, given: slot_id, slot_count: request.slot_count });
    }
    if patch_offset >= request.dma_buffer_size {
        let dma_buffer_size = request.dma_buffer_size;
        return Err(SplitError::PatchOffset { entry, given: patch_offset, dma_buffer_size });
    }
    if split_offset > patch_offset {
        return Err(SplitError::SplitBehindPatch { entry, split_offset, patch_offset });
    }
    if split_offset < before {
        return Err(SplitError::SplitOffsetDecreases { entry, given: split_offset, before });
    }
    if let Some(allocation) = listed.allocation {
        // The end of an allocation is an address too: of nothing behind it.
        let size = request.allocations[allocation as usize].size;
        if allocation_offset > size {
            return Err(SplitError::AllocationOffset { entry, given: allocation_offset, size });
        }
    }
    Ok(())
}

fn validate_memory(request: &SplitRequest<'_>) -> Result<(), SplitError> {
    let segment = request.segment;
    let whole = ByteRange::new(0, segment.size);
    for (index, range) in segment.occupied.iter().enumerate() {
        if range.end < range.begin || !whole.contains(*range) {
            return Err(SplitError::Occupied { index, given: *range, size: segment.size });
        }
    }
    let free = Room::new(segment).free;
    let mut taken: Vec<(ByteRange, usize)> = Vec::new();
    for (index, allocation) in request.allocations.iter().enumerate() {
        if allocation.size == 0 {
            return Err(SplitError::SizeIsZero { allocation: index });
        }
        let Some(residency) = &allocation.residency else { continue };
        validate_residency(request, index, residency)?;
        for range in &residency.ranges {
            let before = free.partition_point(|free| free.begin <= range.begin);
            if before == 0 || !free[before - 1].contains(*range) {
                let (given, allowed) = (range.to_string(), "ranges that are not occupied".to_owned());
                return Err(SplitError::Residency { allocation: index, given, allowed });
            }
            taken.push((*range, index));
        }
    }
    taken.sort_by_key(|(range, _)| range.begin);
    for pair in taken.windows(2) {
        let ((a, first), (b, allocation)) = (pair[0], pair[1]);
        if a.overlaps(b) {
            let (given, allowed) =
                (b.to_string(), format!("ranges beside {a}, which allocation {first} has"));
            return Err(SplitError::Residency { allocation, given, allowed });
        }
    }
    Ok(())
}

fn validate_residency(
    request: &SplitRequest<'_>,
    index: usize,
    residency: &Residency,
) -> Result<(), SplitError> {
    let allocation = &request.allocations[index];
    let segment = request.segment;
    let refuse = |given: String, allowed: String| SplitError::Residency { allocation: index, given, allowed };
    let mut bytes = 0_u64;
    for range in &residency.ranges {
        if range.is_empty() || range.end > segment.size {
            return Err(refuse(
                range.to_string(),
                format!("ranges within the segment's {} bytes", segment.size),
            ));
        }
        bytes = bytes.saturating_add(range.size());
    }
    if bytes != allocation.size {
        return Err(refuse(format!("{bytes} bytes"), format!("{}, the allocation's bytes", allocation.size)));
    }
    if segment.placement == SegmentPlacement::Contiguous {
        let [range] = *residency.ranges else {
            let count = residency.ranges.len();
            return Err(refuse(format!("{count} ranges"), "1 range, in a contiguous segment".to_owned()));
        };
        if !allocation.alignment.is_aligned(range.begin) {
            return Err(refuse(range.to_string(), format!("a multiple of {}", allocation.alignment)));
        }
    }
    Ok(())
}
