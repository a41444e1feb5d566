//! Allocations: physical memory in a segment, and with it, ordinarily, GPU virtual addresses.

use std::sync::{Arc, OnceLock};

use heapstone_units::{Alignment, ByteRange, GpuVirtualAddress};
use parking_lot::Mutex;

use crate::config::{MemoryPool, PageSize};
use crate::paging::AllocationKey;
use crate::range_allocator::Owner;
use crate::residency::Slot;
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

    /// The pools in which it may lie, in the order of preference.
    pub(crate) const fn pools(self) -> &'static [MemoryPool] {
        match self {
            Placement::L0 => &[MemoryPool::L0],
            Placement::L1 { demotable: false } => &[MemoryPool::L1],
            Placement::L1 { demotable: true } => &[MemoryPool::L1, MemoryPool::L0],
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
///
/// It lies where it was placed until a call of [`crate::residency`] names it; from then on the manager knows it
/// and may evict it, demote it and bring it back. Its addresses stay the same.
#[derive(Debug)]
#[must_use = "an allocation that is dropped stays taken until its process ends"]
pub struct Allocation {
    pub(crate) owner: Owner,
    pub(crate) size: u64,
    pub(crate) node: u32,
    pub(crate) alignment: Alignment,
    pub(crate) page_size: PageSize,
    pub(crate) placement: Placement,
    pub(crate) contiguous: bool,
    pub(crate) addresses: Option<Blocks>,
    pub(crate) place: Mutex<Place>,
    pub(crate) managed: OnceLock<Arc<Managed>>,
}

/// Where an allocation is.
#[derive(Debug)]
pub(crate) struct Place {
    /// Where it is, or was when it last was anywhere.
    pub(crate) segment: SegmentId,
    /// Whether video memory was asked and system memory given.
    pub(crate) demoted: bool,
    /// `None`: in no segment.
    pub(crate) blocks: Option<Blocks>,
}

/// What the manager shares with the allocation once it knows it.
#[derive(Debug)]
pub(crate) struct Managed {
    pub(crate) key: AllocationKey,
    pub(crate) slot: Slot,
    /// Changed by the manager alone, under its lock of residency.
    pub(crate) place: Mutex<Place>,
}

impl Allocation {
    /// Bytes committed: those asked, rounded up to pages.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The segment it lies in, or lay in before it was evicted.
    #[must_use]
    pub fn segment(&self) -> SegmentId {
        self.place().lock().segment
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

    /// Whether video memory was asked and system memory given. Not of what is in no segment.
    #[must_use]
    pub fn is_demoted(&self) -> bool {
        self.place().lock().demoted
    }

    /// Whether it lies in a segment. Always, unless it was evicted or created evicted.
    #[must_use]
    pub fn is_in_memory(&self) -> bool {
        self.place().lock().blocks.is_some()
    }

    /// Its ranges in the segment at this moment, as offsets from the segment's base, in ascending order; more than
    /// one where it is scattered, none where it is in no segment. The n-th page of the allocation is the n-th page of
    /// the ranges in this order.
    pub fn physical_ranges(&self) -> impl Iterator<Item = ByteRange> + '_ {
        let place = self.place().lock();
        place.blocks.iter().flat_map(Blocks::ranges).collect::<Vec<_>>().into_iter()
    }

    /// What paging operations call it; `None` until a call of [`crate::residency`] has named it.
    #[must_use]
    pub fn key(&self) -> Option<AllocationKey> {
        self.managed.get().map(|managed| managed.key)
    }

    /// Its first GPU virtual address, where it has any.
    #[must_use]
    pub fn virtual_address(&self) -> Option<GpuVirtualAddress> {
        self.addresses.as_ref().map(|blocks| GpuVirtualAddress(blocks.begin()))
    }

    fn place(&self) -> &Mutex<Place> {
        self.managed.get().map_or(&self.place, |managed| &managed.place)
    }
}
