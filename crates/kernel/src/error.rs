//! What can go wrong, with the operands. Sizes are in bytes. After an error nothing has changed.

use heapstone_units::{Alignment, ByteRange, Bytes, GpuVirtualAddress};

use crate::config::{AdapterMemory, MemoryPool, PageSize};
use crate::segment::SegmentId;

/// Why [`crate::MemoryManager::new`] refuses an adapter's memory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// No node, or too many.
    #[error("node_count is {given}; allowed: 1 to {max}", max = AdapterMemory::NODE_COUNT_MAX)]
    NodeCount {
        /// The count.
        given: u32,
    },
    /// A node that reaches no local segment could not place anything.
    #[error("node {node} reaches no local segment; every node needs one")]
    NodeWithoutLocalSegment {
        /// The node.
        node: u32,
    },
    /// A segment that pages do not fill, or that is too large.
    #[error("size of segment \"{segment}\" is {given}; allowed: multiples of 65536 from 65536 to 2^63")]
    SegmentSize {
        /// The segment's name.
        segment: String,
        /// Its size.
        given: u64,
    },
    /// A segment of a node that does not exist.
    #[error("segment \"{segment}\" is of node {given}; allowed: below {node_count}")]
    SegmentNode {
        /// The segment's name.
        segment: String,
        /// The node.
        given: u32,
        /// Nodes of the adapter.
        node_count: u32,
    },
    /// An address space that is too small or does not end in 64 bits.
    #[error("gpu_va_bits_per_process is {given}; allowed: {min} to {max}",
        min = AdapterMemory::GPU_VA_BITS_MIN, max = AdapterMemory::GPU_VA_BITS_MAX)]
    GpuVaBits {
        /// The bits.
        given: u32,
    },
    /// A weight or percentage that breaks the budget formula's laws.
    #[error("budget policy: {field} is {given}; allowed: {min} to {max}")]
    BudgetPolicy {
        /// The field's name.
        field: &'static str,
        /// Its value.
        given: u32,
        /// The least allowed.
        min: u32,
        /// The greatest allowed.
        max: u32,
    },
    /// A value that residency cannot work with.
    #[error("residency: {field} is {given}; allowed: {min} to {max}")]
    Residency {
        /// The field's name.
        field: &'static str,
        /// Its value.
        given: u64,
        /// The least allowed.
        min: u64,
        /// The greatest allowed.
        max: u64,
    },
}

/// A node that the adapter does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("node {given} does not exist; allowed: below {node_count}")]
pub struct UnknownNode {
    /// The node.
    pub given: u32,
    /// Nodes of the adapter.
    pub node_count: u32,
}

/// Why an allocation is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AllocateError {
    /// A heap of no bytes.
    #[error("size is 0; allowed: at least 1 byte")]
    SizeIsZero,
    /// The node does not exist.
    #[error(transparent)]
    UnknownNode(#[from] UnknownNode),
    /// The node reaches no segment of the pool that was asked first. A runtime does not ask L1 with unified
    /// memory (spec/2-resource-heaps.txt 470).
    #[error("node {node} has no memory of pool {pool:?}")]
    NoSuchPool {
        /// The node.
        node: u32,
        /// The pool.
        pool: MemoryPool,
    },
    /// No segment has a place.
    #[error(transparent)]
    OutOfVideoMemory(Box<OutOfVideoMemory>),
    /// The process's GPU virtual address space has no place.
    #[error(transparent)]
    OutOfVirtualAddress(Box<OutOfVirtualAddress>),
    /// The addresses that were asked for cannot be had.
    #[error(transparent)]
    AddressUnavailable(#[from] Box<AddressUnavailable>),
}

/// Why a space cannot serve a request now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortage {
    /// The request is larger than the space: it can never be served.
    ExceedsCapacity,
    /// Fewer bytes are free than were asked.
    Exhausted,
    /// Enough bytes are free, but not as the request needs them: in one range, or in whole pages.
    Fragmented,
    /// An [`crate::AllocationFaults`] refused.
    Injected,
}

/// No segment that the request may lie in has a place for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfVideoMemory {
    /// Bytes asked, before rounding.
    pub requested: u64,
    /// The pages they would have been rounded up to.
    pub page_size: PageSize,
    /// Whether one physical range was demanded.
    pub contiguous: bool,
    /// The segments that were tried, in that order.
    pub segments: Box<[SegmentShortage]>,
}

/// What a segment had when it could not serve a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentShortage {
    /// The segment.
    pub segment: SegmentId,
    /// Its name.
    pub name: String,
    /// Why it did not do.
    pub shortage: Shortage,
    /// Its free bytes.
    pub free: u64,
    /// Its largest contiguous free range.
    pub largest_free_range: u64,
    /// All its bytes.
    pub capacity: u64,
}

impl OutOfVideoMemory {
    /// The bytes that were lacking where the fewest were: what the request is beyond the free bytes of the segment
    /// with most of them. 0 where enough are free, but not as the request needs them.
    #[must_use]
    pub fn bytes_lacking(&self) -> u64 {
        let free = self.segments.iter().map(|segment| segment.free).max().unwrap_or(0);
        self.requested.saturating_sub(free)
    }

    /// Whether no segment could hold the request even if it were empty.
    #[must_use]
    pub fn can_never_fit(&self) -> bool {
        self.segments.iter().all(|segment| segment.shortage == Shortage::ExceedsCapacity)
    }
}

impl core::error::Error for OutOfVideoMemory {}

impl core::fmt::Display for OutOfVideoMemory {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let how = if self.contiguous { "contiguous " } else { "" };
        let page = self.page_size.alignment();
        write!(f, "out of video memory: {} asked in {how}pages of {page}", Bytes(self.requested))?;
        for segment in &self.segments {
            write!(
                f,
                "; {} {}: {} free, {} in one range, of {}",
                segment.name,
                match segment.shortage {
                    Shortage::ExceedsCapacity => "is too small",
                    Shortage::Exhausted => "is too full",
                    Shortage::Fragmented => "is fragmented",
                    Shortage::Injected => "was made to refuse",
                },
                Bytes(segment.free),
                Bytes(segment.largest_free_range),
                Bytes(segment.capacity),
            )?;
        }
        Ok(())
    }
}

/// The process's GPU virtual address space has no place for a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "out of GPU virtual address space: {} asked at a multiple of {alignment}; {} free, {} in one range, of {} \
     ({limit_bits} bits)",
    Bytes(*requested), Bytes(*free), Bytes(*largest_free_range), Bytes(*capacity)
)]
pub struct OutOfVirtualAddress {
    /// Bytes asked, before rounding.
    pub requested: u64,
    /// The alignment asked, at least a page's.
    pub alignment: Alignment,
    /// Why there is no place.
    pub shortage: Shortage,
    /// Free bytes of the space.
    pub free: u64,
    /// Its largest free range.
    pub largest_free_range: u64,
    /// All its bytes: without those that are never handed out.
    pub capacity: u64,
    /// The profile's limit: addresses are below `2^limit_bits`.
    pub limit_bits: u32,
}

/// Why an address range cannot be reserved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReserveAddressError {
    /// A range of no bytes.
    #[error("size is 0; allowed: at least 1 byte")]
    SizeIsZero,
    /// The space has no place.
    #[error(transparent)]
    OutOfVirtualAddress(#[from] Box<OutOfVirtualAddress>),
    /// The addresses that were asked for cannot be had.
    #[error(transparent)]
    AddressUnavailable(#[from] Box<AddressUnavailable>),
}

/// A given range of GPU virtual addresses that a process cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressUnavailable {
    /// The first address asked.
    pub address: GpuVirtualAddress,
    /// Bytes from there, in whole pages; as asked where rounding them up leaves 64 bits.
    pub size: u64,
    /// Why not.
    pub obstacle: AddressObstacle,
}

/// Why a given range of addresses cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressObstacle {
    /// It does not begin at a multiple of the alignment.
    Misaligned {
        /// The alignment asked, at least a page's.
        alignment: Alignment,
    },
    /// It does not lie in what the process can get.
    OutsideSpace {
        /// From [`crate::GPU_VA_BEGIN`] up to the limit.
        space: ByteRange,
    },
    /// Part of it is taken.
    Taken {
        /// The lowest range that is in the way; of one that lies across shards, its part in the first.
        by: ByteRange,
    },
}

impl core::error::Error for AddressUnavailable {}

impl core::fmt::Display for AddressUnavailable {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let AddressUnavailable { address, size, obstacle } = self;
        write!(f, "{} at GPU virtual address {address} cannot be had: ", Bytes(*size))?;
        match obstacle {
            AddressObstacle::Misaligned { alignment } => {
                write!(f, "the address is no multiple of {alignment}")
            }
            AddressObstacle::OutsideSpace { space } => {
                write!(f, "addresses are from {:#x} up to {:#x}", space.begin, space.end)
            }
            AddressObstacle::Taken { by } => {
                write!(f, "{:#x} up to {:#x} is taken", by.begin, by.end)
            }
        }
    }
}

/// Why a reservation of video memory is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReservationError {
    /// The node does not exist.
    #[error(transparent)]
    UnknownNode(#[from] UnknownNode),
    /// More than [`crate::VideoMemoryInfo::available_for_reservation`].
    #[error("reservation is {given}; allowed: at most {available}")]
    ExceedsAvailable {
        /// Bytes asked.
        given: u64,
        /// Bytes that could be reserved.
        available: u64,
    },
}

/// Why a process is not created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the manager has handed out all its process identifiers")]
pub struct OutOfProcessIdentifiers;
