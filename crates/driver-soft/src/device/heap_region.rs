//! A range of addresses that shows a heap.

use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use heapstone_driver::engine::PageFaultReason;
use heapstone_units::GpuVirtualAddress;
use parking_lot::{Condvar, Mutex};

use crate::bytes::HeapBytes;
use crate::heap::in_u64;

/// A heap's number in its device, from 1 on; never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct HeapId(pub(crate) u32);

/// What a region of a heap shows.
#[derive(Debug)]
pub(crate) enum HeapBacking {
    Bytes(HeapBytes),
    /// No bytes: zero to read, dropped to write.
    Phantom,
}

/// The backing of a mapped heap. An engine that uses it has an [`Arc`] of it; who takes it away waits for
/// the last.
#[derive(Debug)]
pub(crate) struct HeapMemory {
    pub(crate) backing: HeapBacking,
    /// The heap's segment, by its index.
    pub(crate) segment: usize,
    /// Bytes of the heap's range.
    pub(crate) size: u64,
    gone: Arc<Gone>,
}

/// Whether a memory is used no more.
#[derive(Debug, Default)]
struct Gone {
    is_gone: Mutex<bool>,
    went: Condvar,
}

impl HeapMemory {
    pub(crate) fn new(backing: HeapBacking, segment: usize, size: u64) -> HeapMemory {
        HeapMemory { backing, segment, size, gone: Arc::default() }
    }

    /// Bytes of the range that can be accessed.
    #[inline]
    pub(crate) fn reachable(&self) -> u64 {
        match &self.backing {
            HeapBacking::Bytes(bytes) => self.size.min(in_u64(bytes.view().size())),
            HeapBacking::Phantom => self.size,
        }
    }
}

impl Drop for HeapMemory {
    fn drop(&mut self) {
        *self.gone.is_gone.lock() = true;
        self.gone.went.notify_all();
    }
}

/// A range of addresses that shows a heap.
pub(crate) struct HeapRegion {
    id: HeapId,
    address: GpuVirtualAddress,
    size: u64,
    shows: Mutex<Shows>,
    settled: Condvar,
    /// Whether the memory manager evicted a heap whose bytes stay where they are: tiles may not reach them.
    is_evicted: AtomicBool,
}

/// What a region shows.
#[derive(Debug)]
enum Shows {
    Memory(Arc<HeapMemory>),
    /// Memory that is just being moved: it will be there in a moment.
    Moving,
    /// Nothing: the heap's bytes are in no segment.
    Evicted,
    /// Nothing ever again: the heap is unmapped or destroyed.
    Gone,
}

impl HeapRegion {
    /// Without `memory`, of a heap that is evicted.
    pub(super) fn new(
        id: HeapId,
        address: GpuVirtualAddress,
        size: u64,
        memory: Option<(usize, HeapBacking)>,
    ) -> HeapRegion {
        let shows = memory.map_or(Shows::Evicted, |(segment, backing)| {
            Shows::Memory(Arc::new(HeapMemory::new(backing, segment, size)))
        });
        HeapRegion {
            id,
            address,
            size,
            shows: Mutex::new(shows),
            settled: Condvar::new(),
            is_evicted: AtomicBool::new(false),
        }
    }

    pub(crate) const fn id(&self) -> HeapId {
        self.id
    }

    pub(crate) const fn address(&self) -> GpuVirtualAddress {
        self.address
    }

    /// In bytes.
    pub(crate) const fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn set_resident(&self, is_resident: bool) {
        self.is_evicted.store(!is_resident, Ordering::Release);
    }

    pub(crate) fn is_evicted(&self) -> bool {
        self.is_evicted.load(Ordering::Acquire)
    }

    /// Keeps the memory from going; why not, where it is not there. Memory that is being moved is waited for.
    pub(crate) fn hold(&self) -> Result<Arc<HeapMemory>, PageFaultReason> {
        let mut shows = self.shows.lock();
        loop {
            match &*shows {
                Shows::Memory(memory) => return Ok(Arc::clone(memory)),
                Shows::Moving => self.settled.wait(&mut shows),
                Shows::Evicted => return Err(PageFaultReason::HeapEvicted),
                Shows::Gone => return Err(PageFaultReason::HeapDestroyed),
            }
        }
    }

    /// Takes the memory away for good. Returns when no engine uses it.
    pub(crate) fn retire(&self) {
        self.take(Shows::Gone);
    }

    /// Takes the memory away while it is moved. Returns when no engine uses it.
    pub(crate) fn suspend(&self) {
        self.take(Shows::Moving);
    }

    /// Takes the memory away: engines fault. Returns when no engine uses it.
    pub(crate) fn evict(&self) {
        self.take(Shows::Evicted);
    }

    fn take(&self, instead: Shows) {
        let taken = {
            let mut shows = self.shows.lock();
            if matches!(*shows, Shows::Gone) {
                return;
            }
            core::mem::replace(&mut *shows, instead)
        };
        self.settled.notify_all();
        let Shows::Memory(memory) = taken else { return };
        let gone = Arc::clone(&memory.gone);
        drop(memory);
        let mut is_gone = gone.is_gone.lock();
        while !*is_gone {
            gone.went.wait(&mut is_gone);
        }
    }

    /// Shows memory again, unless it is gone.
    pub(crate) fn resume(&self, segment: usize, backing: HeapBacking) {
        let memory = Arc::new(HeapMemory::new(backing, segment, self.size));
        {
            let mut shows = self.shows.lock();
            if matches!(*shows, Shows::Gone) {
                return;
            }
            *shows = Shows::Memory(memory);
        }
        self.settled.notify_all();
    }
}

impl fmt::Debug for HeapRegion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HeapRegion { id, address, size, .. } = self;
        write!(f, "HeapRegion({id:?}, {size} bytes at {address})")
    }
}
