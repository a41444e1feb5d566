//! What the kernel asks a paging engine to do. The kernel moves no bytes: residency decides, these operations
//! say what follows from it, a driver carries them out in order (DXGK_OPERATION's transfer, fill and discard of
//! WDDM's BuildPagingBuffer; facts/dma-splitting.md, facts/residency.md).

use core::fmt;
use core::num::NonZeroU64;

use heapstone_units::ByteRange;

use crate::segment::SegmentId;

/// Names an allocation in paging operations: never used twice by a manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AllocationKey(pub NonZeroU64);

impl fmt::Display for AllocationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "allocation {}", self.0)
    }
}

/// Where the bytes of an allocation are, or go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PagingPlace {
    /// In a segment: the n-th page of the allocation is the n-th page of the ranges in this order. The ranges
    /// are offsets in bytes from the segment's base.
    Segment {
        /// The segment.
        segment: SegmentId,
        /// The ranges, in ascending order, as many bytes as the allocation.
        ranges: Box<[ByteRange]>,
    },
    /// Nowhere in the adapter's memory: system memory or disk, which the GPU does not reach.
    BackingStore,
}

/// Work for the paging engine. What a place was left by is free for others once the operation is carried out,
/// and not before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PagingOperation {
    /// The bytes move. What they leave holds nothing afterwards.
    Transfer {
        /// Whose bytes.
        allocation: AllocationKey,
        /// From where.
        from: PagingPlace,
        /// To where.
        to: PagingPlace,
        /// How many.
        bytes: u64,
    },
    /// The place is filled with a value of 32 bits: content that there is no copy of.
    Fill {
        /// Whose bytes.
        allocation: AllocationKey,
        /// Where.
        place: PagingPlace,
        /// How many.
        bytes: u64,
        /// The value, repeated.
        pattern: u32,
    },
    /// The bytes are dropped: there is a copy elsewhere, or nobody wants them.
    Discard {
        /// Whose bytes.
        allocation: AllocationKey,
        /// Where.
        place: PagingPlace,
        /// How many.
        bytes: u64,
    },
}

impl PagingOperation {
    /// Whose bytes.
    #[must_use]
    pub const fn allocation(&self) -> AllocationKey {
        match self {
            PagingOperation::Transfer { allocation, .. }
            | PagingOperation::Fill { allocation, .. }
            | PagingOperation::Discard { allocation, .. } => *allocation,
        }
    }

    /// How many bytes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        match self {
            PagingOperation::Transfer { bytes, .. }
            | PagingOperation::Fill { bytes, .. }
            | PagingOperation::Discard { bytes, .. } => *bytes,
        }
    }

    /// Bytes that cross a bus: those of a transfer.
    #[must_use]
    pub const fn bytes_moved(&self) -> u64 {
        match self {
            PagingOperation::Transfer { bytes, .. } => *bytes,
            PagingOperation::Fill { .. } | PagingOperation::Discard { .. } => 0,
        }
    }
}
