//! Allocations: physical memory in a segment, and with it, ordinarily, GPU virtual addresses.

use heapstone_units::{Alignment, ByteRange, GpuVirtualAddress};

use crate::config::{MemoryPool, PageSize};
use crate::range_allocator::Owner;
use crate::segment::SegmentId;
use crate::sharded::Blocks;

/// Where an allocation may lie: pools in the order of preference. Segments of one pool are tried in the
/// order of the adapter's configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Placement {
    /// System memory: the non-local group, with unified memory the local one.
    L0,
    /// Video memory; if `demotable`, system memory when video memory has no place
    /// (spec/2-resource-heaps.txt 1622).
    L1 {
        /// Whether system memory will do. Peer-visible heaps with shader atomics must not be demoted
        /// (facts/residency.md).
        demotable: bool,
    },
}

impl Placement {
    /// The pool asked first.
    #[must_use]
    pub const fn pool(self) -> MemoryPool {
        match self {
            Placement::L0 => MemoryPool::L0,
            Placement::L1 { .. } => MemoryPool::L1,
        }
    }
}

/// What a process asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocationDesc {
    /// Bytes, at least 1. Rounded up to pages.
    pub size: u64,
    /// Alignment of the virtual addresses, and of the physical range where `contiguous`; at least a
    /// page's. Physical ranges that only page tables refer to are aligned to pages (chosen: nothing sees
    /// more, and they pack better).
    pub alignment: Alignment,
    /// The pages.
    pub page_size: PageSize,
    /// The node whose memory it is, and whose usage counts it.
    pub node: u32,
    /// Where it may lie.
    pub placement: Placement,
    /// Whether it must be one physical range: what the GPU reads by physical address, and primaries
    /// (facts/residency.md). Others are scattered over several when no single one is free.
    pub contiguous: bool,
    /// Whether it takes virtual addresses. A heap does, even when nothing lies in it
    /// (spec/2-resource-heaps.txt 1642).
    pub with_virtual_address: bool,
}

impl AllocationDesc {
    /// A heap of `size` bytes in video memory of node 0: 64 KiB pages, demotable, with virtual addresses.
    #[must_use]
    pub const fn heap(size: u64) -> AllocationDesc {
        AllocationDesc {
            size,
            alignment: PageSize::SixtyFourKib.alignment(),
            page_size: PageSize::SixtyFourKib,
            node: 0,
            placement: Placement::L1 { demotable: true },
            contiguous: false,
            with_virtual_address: true,
        }
    }
}

/// Memory that a process has. It stays taken until the process frees it or ends.
#[derive(Debug)]
#[must_use = "an allocation that is dropped stays taken until its process ends"]
pub struct Allocation {
    pub(crate) owner: Owner,
    pub(crate) size: u64,
    pub(crate) segment: SegmentId,
    pub(crate) node: u32,
    pub(crate) page_size: PageSize,
    pub(crate) demoted: bool,
    pub(crate) physical: Blocks,
    pub(crate) addresses: Option<Blocks>,
}

impl Allocation {
    /// Bytes committed: those asked, rounded up to pages.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The segment it lies in.
    #[must_use]
    pub const fn segment(&self) -> SegmentId {
        self.segment
    }

    /// The node whose usage counts it.
    #[must_use]
    pub const fn node(&self) -> u32 {
        self.node
    }

    /// Its pages.
    #[must_use]
    pub const fn page_size(&self) -> PageSize {
        self.page_size
    }

    /// Whether video memory was asked and system memory given.
    #[must_use]
    pub const fn is_demoted(&self) -> bool {
        self.demoted
    }

    /// Its ranges in the segment, as offsets from the segment's base, in ascending order; more than one
    /// where it is scattered. The n-th page of the allocation is the n-th page of the ranges in this order.
    pub fn physical_ranges(&self) -> impl Iterator<Item = ByteRange> + '_ {
        self.physical.ranges()
    }

    /// Its first GPU virtual address, where it has any.
    #[must_use]
    pub fn virtual_address(&self) -> Option<GpuVirtualAddress> {
        self.addresses.as_ref().map(|blocks| GpuVirtualAddress(blocks.begin()))
    }
}
