//! A range of addresses that shows a heap.

use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

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
    /// `None`: the heap is unmapped or destroyed.
    memory: Mutex<Option<Arc<HeapMemory>>>,
    /// Whether the memory manager evicted it: its bytes are kept, and tiles may not reach them.
    is_evicted: AtomicBool,
}

impl HeapRegion {
    pub(super) fn new(
        id: HeapId,
        address: GpuVirtualAddress,
        size: u64,
        segment: usize,
        backing: HeapBacking,
    ) -> HeapRegion {
        let memory = Arc::new(HeapMemory::new(backing, segment, size));
        HeapRegion { id, address, size, memory: Mutex::new(Some(memory)), is_evicted: AtomicBool::new(false) }
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

    /// Keeps the memory from going; `None` where it is gone.
    pub(crate) fn hold(&self) -> Option<Arc<HeapMemory>> {
        self.memory.lock().clone()
    }

    /// Takes the memory away. Returns when no engine uses it.
    pub(crate) fn retire(&self) {
        let Some(memory) = self.memory.lock().take() else { return };
        let gone = Arc::clone(&memory.gone);
        drop(memory);
        let mut is_gone = gone.is_gone.lock();
        while !*is_gone {
            gone.went.wait(&mut is_gone);
        }
    }
}

impl fmt::Debug for HeapRegion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HeapRegion { id, address, size, .. } = self;
        write!(f, "HeapRegion({id:?}, {size} bytes at {address})")
    }
}
