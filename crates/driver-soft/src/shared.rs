//! Heaps that other processes can map: each is a file in memory.

use core::any::Any;
use core::ptr::NonNull;
use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use heapstone_driver::engine::{RowPitches, SurfaceBox};
use heapstone_driver::{Backing, DriverError, DriverHeap};
use parking_lot::Mutex;

use crate::boxes;
use crate::bytes::{ExistingMemory, HeapBytes, Mapping, SharedFile};
use crate::heap::{MakeRegion, Shown, SoftHeap, check_range, in_u64};

const HEAP: &str = "a shared heap";

/// The shared heaps that are alive, by the address of their first byte: what leads from a heap behind
/// the driver interface to its file.
#[derive(Debug, Default)]
pub(crate) struct SharedHeaps {
    by_address: Mutex<BTreeMap<usize, Arc<SharedFile>>>,
}

impl SharedHeaps {
    /// A heap of `size` bytes that was placed in a segment. The file and its mapping are made at once, so that a heap that exists
    /// can be shared.
    ///
    /// # Errors
    /// `OutOfMemory`.
    pub(crate) fn create(self: &Arc<Self>, size: u64, segment: usize) -> Result<SharedHeap, DriverError> {
        self.show(SharedFile::create(size, HEAP)?, segment)
    }

    /// A heap whose bytes another process, or another heap, has too.
    ///
    /// # Errors
    /// Those of [`SharedFile::open`].
    pub(crate) fn open(
        self: &Arc<Self>,
        file: OwnedFd,
        size: u64,
        segment: usize,
    ) -> Result<SharedHeap, DriverError> {
        self.show(SharedFile::open(file, size, HEAP)?, segment)
    }

    fn show(self: &Arc<Self>, file: SharedFile, segment: usize) -> Result<SharedHeap, DriverError> {
        let mapping = Arc::new(Mapping::of_file(&file, HEAP)?);
        let size = file.size();
        self.by_address.lock().insert(mapping.address(0).addr().get(), Arc::new(file));
        Ok(SharedHeap { heaps: Some(Arc::clone(self)), mapping, size, segment, shown: Shown::new() })
    }

    /// A handle of `heap`'s file, another each time.
    ///
    /// # Errors
    /// `Unsupported` where `heap` is no shared heap of this driver; `OutOfMemory`.
    pub(crate) fn handle(&self, heap: &dyn DriverHeap) -> Result<OwnedFd, DriverError> {
        let address = match heap.backing() {
            Backing::Shared => heap.map()?,
            Backing::Host | Backing::Phantom => None,
        };
        let file = address.and_then(|first| self.by_address.lock().get(&first.addr().get()).cloned());
        file.ok_or_else(|| DriverError::Unsupported {
            what: format!(
                "shared handles of a heap with backing {:?}; the heap must be created with HEAP_FLAG_SHARED \
                 or on a device with backing Shared, by this driver",
                heap.backing()
            ),
        })?
        .duplicate()
    }
}

/// A heap of [`Backing::Shared`]. Its bytes are gone when it and every handle of it are.
#[derive(Debug)]
pub(crate) struct SharedHeap {
    /// Where its file is known; `None`: its memory was the program's before, and has no handle.
    heaps: Option<Arc<SharedHeaps>>,
    mapping: Arc<Mapping>,
    size: usize,
    /// The segment's index.
    segment: usize,
    shown: Shown,
}

impl SharedHeap {
    /// A heap of the first `size` bytes of what a program has already.
    ///
    /// # Errors
    /// `Unsupported` where there are fewer.
    pub(crate) fn of_existing(
        memory: ExistingMemory,
        size: u64,
        segment: usize,
    ) -> Result<SharedHeap, DriverError> {
        let there_are = memory.size();
        let size = usize::try_from(size).ok().filter(|size| *size <= there_are).ok_or_else(|| {
            DriverError::Unsupported { what: format!("a heap of {size} bytes of memory of {there_are}") }
        })?;
        let mapping = Arc::new(memory.into_mapping());
        Ok(SharedHeap { heaps: None, mapping, size, segment, shown: Shown::new() })
    }

    fn bytes(&self) -> HeapBytes {
        HeapBytes::new(&self.mapping, 0, self.size)
    }
}

impl SoftHeap for SharedHeap {
    fn show(&self, make: &mut MakeRegion<'_>) -> Result<(), DriverError> {
        self.shown.show(self.bytes(), self.segment, make)
    }
}

impl DriverHeap for SharedHeap {
    #[inline]
    fn map(&self) -> Result<Option<NonNull<u8>>, DriverError> {
        Ok(Some(self.mapping.address(0)))
    }

    #[inline]
    fn unmap(&self) {}

    fn read(&self, offset: u64, to: &mut [u8]) -> Result<(), DriverError> {
        if let Some(start) = check_range(self.size, offset, to.len())? {
            self.mapping.read(start, to);
        }
        Ok(())
    }

    fn write(&self, offset: u64, from: &[u8]) -> Result<(), DriverError> {
        if let Some(start) = check_range(self.size, offset, from.len())? {
            self.mapping.write(start, from);
        }
        Ok(())
    }

    fn read_box(&self, from: &SurfaceBox<'_>, to: &mut [u8], pitches: RowPitches) -> Result<(), DriverError> {
        boxes::read(Some(self.bytes().view()), in_u64(self.size), from, to, pitches)
    }

    fn write_box(&self, to: &SurfaceBox<'_>, from: &[u8], pitches: RowPitches) -> Result<(), DriverError> {
        boxes::check(in_u64(self.size), to, from.len(), pitches)?;
        boxes::write(self.bytes().view(), to, from, pitches)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn backing(&self) -> Backing {
        Backing::Shared
    }
}

impl Drop for SharedHeap {
    fn drop(&mut self) {
        self.shown.end();
        let Some(heaps) = &self.heaps else { return };
        // Before the mapping goes: its address may be another heap's the moment after.
        let file = heaps.by_address.lock().remove(&self.mapping.address(0).addr().get());
        debug_assert!(file.is_some(), "bug: a shared heap was not in its table");
    }
}
