//! Why a DMA buffer is refused, or cannot be split so that it fits.

use heapstone_units::{ByteRange, Bytes};

/// Why there is no plan. Nothing of the buffer has run, and nothing was paged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    /// More slots than a slot's number has bits for.
    #[error("slot_count is {given}; allowed: 0 to 16777216, because SlotId has 24 bits")]
    SlotCount {
        /// As given.
        given: u32,
    },
    /// AllocationIndex beyond the allocation list.
    #[error(
        "patch location {entry}: AllocationIndex is {given}; allowed: below {count}, the allocation list's entries"
    )]
    AllocationIndex {
        /// Index in the patch-location list.
        entry: usize,
        /// As given.
        given: u32,
        /// Entries of the list.
        count: usize,
    },
    /// An entry of the allocation list names no allocation.
    #[error("allocation list entry {entry}: allocation is {given}; allowed: below {count}, or none")]
    UnknownAllocation {
        /// Index in the allocation list.
        entry: usize,
        /// As given.
        given: u32,
        /// Allocations that there are.
        count: usize,
    },
    /// Reserved bits of SlotId are set.
    #[error("patch location {entry}: SlotId is {given:#010x}; its upper 8 bits are reserved and must be 0")]
    ReservedBits {
        /// Index in the patch-location list.
        entry: usize,
        /// As given.
        given: u32,
    },
    /// SlotId at or above MaxAllocationListSlotId.
    #[error(
        "patch location {entry}: SlotId is {given}; allowed: below {slot_count}, MaxAllocationListSlotId"
    )]
    SlotId {
        /// Index in the patch-location list.
        entry: usize,
        /// As given.
        given: u32,
        /// The number of slots.
        slot_count: u32,
    },
    /// SplitOffset behind PatchOffset: the address would be read before it may be split off.
    #[error(
        "patch location {entry}: SplitOffset is {split_offset}; allowed: at most {patch_offset}, its PatchOffset"
    )]
    SplitBehindPatch {
        /// Index in the patch-location list.
        entry: usize,
        /// As given.
        split_offset: u32,
        /// As given.
        patch_offset: u32,
    },
    /// PatchOffset outside the DMA buffer.
    #[error(
        "patch location {entry}: PatchOffset is {given}; allowed: below {dma_buffer_size}, DmaBufferSize"
    )]
    PatchOffset {
        /// Index in the patch-location list.
        entry: usize,
        /// As given.
        given: u32,
        /// Bytes of the buffer.
        dma_buffer_size: u32,
    },
    /// SplitOffset below the one before it.
    #[error(
        "patch location {entry}: SplitOffset is {given}; allowed: {before} or more, that of the location before it"
    )]
    SplitOffsetDecreases {
        /// Index in the patch-location list.
        entry: usize,
        /// As given.
        given: u32,
        /// Of the entry before.
        before: u32,
    },
    /// AllocationOffset beyond the allocation.
    #[error(
        "patch location {entry}: AllocationOffset is {given}; allowed: at most {size}, the allocation's bytes"
    )]
    AllocationOffset {
        /// Index in the patch-location list.
        entry: usize,
        /// As given.
        given: u64,
        /// Of the allocation.
        size: u64,
    },
    /// An allocation of no bytes.
    #[error("allocation {allocation}: size is 0; allowed: at least 1 byte")]
    SizeIsZero {
        /// Index of the allocation.
        allocation: usize,
    },
    /// An allocation does not lie as its segment wants it.
    #[error("allocation {allocation}: residency is {given}; allowed: {allowed}")]
    Residency {
        /// Index of the allocation.
        allocation: usize,
        /// What is given.
        given: String,
        /// What is allowed.
        allowed: String,
    },
    /// A range of the segment that lies outside.
    #[error("occupied range {index} is {given}; allowed: within the segment's {size} bytes")]
    Occupied {
        /// Index in the list.
        index: usize,
        /// As given.
        given: ByteRange,
        /// Bytes of the segment.
        size: u64,
    },
    /// No way of splitting makes the buffer fit (*chosen*: facts/dma-splitting.md, Edge cases).
    #[error(transparent)]
    OutOfMemory(#[from] Box<SplitOutOfMemory>),
}

/// A group of patch locations that fits the segment in no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitOutOfMemory {
    /// The group, counted from 0 in the order of the SplitOffsets.
    pub group: usize,
    /// Its SplitOffset.
    pub split_offset: u32,
    /// Bytes that must be there at once.
    pub needed: u64,
    /// Bytes that there are.
    pub available: u64,
    /// The greatest single range that there is.
    pub largest_range: u64,
    /// Bytes that stand in slots which the group does not re-program, and so cannot move, in the best of the
    /// plans that reached it.
    pub pinned: u64,
    /// Whether it is certain that there is no plan; else the search ended at its limit.
    pub is_certain: bool,
}

impl core::error::Error for SplitOutOfMemory {}

impl core::fmt::Display for SplitOutOfMemory {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let SplitOutOfMemory { group, split_offset, needed, available, largest_range, pinned, is_certain } =
            self;
        let lead = if *is_certain { "does not fit" } else { "was not made to fit within the search's limit" };
        write!(
            f,
            "out of memory: the DMA buffer {lead}: group {group} at SplitOffset {split_offset} needs {} at once; \
             the segment has {}, {} in one range",
            Bytes(*needed),
            Bytes(*available),
            Bytes(*largest_range)
        )?;
        if *pinned > 0 {
            write!(f, "; {} are pinned by slots that it does not re-program", Bytes(*pinned))?;
        }
        Ok(())
    }
}
