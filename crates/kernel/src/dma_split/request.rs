//! What is to be split, and where it is to fit.

use heapstone_units::{Alignment, ByteRange};

/// D3DDDI_PATCHLOCATIONLIST (facts/dma-splitting.md, Structures): where an address stands in a DMA buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatchLocation {
    /// Index in the allocation list.
    pub allocation_index: u32,
    /// The slot that is bound, in the lower 24 bits; the upper 8 are reserved and 0.
    pub slot_id: u32,
    /// The driver's own word.
    pub driver_id: u32,
    /// Bytes from the allocation's first to the address.
    pub allocation_offset: u64,
    /// Byte of the DMA buffer at which the address stands.
    pub patch_offset: u32,
    /// Byte of the DMA buffer before which it may be split: up to here it runs without this allocation.
    pub split_offset: u32,
}

/// DXGK_ALLOCATIONLIST (facts/dma-splitting.md, Structures): what a patch location binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocationListEntry {
    /// Index in [`SplitRequest::allocations`]; `None` unbinds (hDeviceSpecificAllocation is NULL). Several
    /// entries may name one allocation.
    pub allocation: Option<u32>,
    /// WriteOperation: the DMA buffer writes it, in whichever part.
    pub is_written: bool,
}

/// An allocation that may lie in the segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitAllocation {
    /// Bytes, at least 1; where the segment is paged, whole pages.
    pub size: u64,
    /// Of its first byte in a contiguous segment.
    pub alignment: Alignment,
    /// Where it lies before the DMA buffer runs; `None`: in the backing store.
    pub residency: Option<Residency>,
}

/// Where an allocation lies in a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Residency {
    /// Offsets from the segment's base, as many bytes as the allocation has; the n-th byte of the allocation
    /// is the n-th byte of the ranges in this order. One range in a contiguous segment.
    pub ranges: Box<[ByteRange]>,
    /// Whether the backing store has no copy of these bytes.
    pub is_dirty: bool,
}

/// How allocations lie in a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentPlacement {
    /// One range each: the engine reads physical addresses.
    Contiguous,
    /// In pages wherever they are, which a table shows to the engine: only their number matters, and
    /// nothing is ever pinned, because the engine's addresses are the table's.
    Paged,
}

/// The memory that the engine reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitSegment {
    /// Bytes.
    pub size: u64,
    /// How allocations lie in it.
    pub placement: SegmentPlacement,
    /// What of it is not to be had: memory of others that cannot leave. In any order.
    pub occupied: Vec<ByteRange>,
}

/// How long to look for a better plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Steps of the exhaustive search, each some comparison of a placement or a cut; 0 leaves it out.
    pub steps_max: u64,
}

impl Default for SearchLimits {
    /// A million: some tens of milliseconds (chosen, so that a buffer of a few groups is always decided).
    fn default() -> Self {
        SearchLimits { steps_max: 1_000_000 }
    }
}

/// A DMA buffer of a patched engine, before its first submission.
#[derive(Clone, Copy, Debug)]
pub struct SplitRequest<'a> {
    /// DmaBufferSize, in bytes.
    pub dma_buffer_size: u32,
    /// The allocation list.
    pub allocation_list: &'a [AllocationListEntry],
    /// The patch-location list, in the order of the stream.
    pub patch_locations: &'a [PatchLocation],
    /// MaxAllocationListSlotId: slots are numbered below it. At most 2^24.
    pub slot_count: u32,
    /// What the allocation list names, and whatever else of the segment may be evicted.
    pub allocations: &'a [SplitAllocation],
    /// Where it must fit.
    pub segment: &'a SplitSegment,
    /// How long to look.
    pub limits: SearchLimits,
}
