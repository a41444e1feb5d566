//! What heaps of every backing share, and the heap that has no bytes.

use core::any::Any;
use core::ptr::NonNull;

use std::sync::{Arc, Weak};

use heapstone_driver::engine::{RowPitches, SurfaceBox};
use heapstone_driver::{Backing, DriverError, DriverHeap};
use heapstone_units::ByteRange;
use parking_lot::Mutex;

use crate::bytes::HeapBytes;
use crate::device::{HeapBacking, HeapRegion};
use crate::host::{OwnHeap, SegmentHeap};
use crate::paged::PagedHeap;
use crate::shared::SharedHeap;

/// Checks that `count` bytes at `offset` lie in a heap of `size` bytes, whose bytes are addressable;
/// returns `offset`. `None`: no byte is asked for, which every heap has.
///
/// # Errors
/// `OutOfRange`. Where the end leaves 64 bits, the range in the error ends at the last number.
#[inline]
pub(crate) fn check_range(size: usize, offset: u64, count: usize) -> Result<Option<usize>, DriverError> {
    if count == 0 {
        return Ok(None);
    }
    let start = usize::try_from(offset).ok();
    match start.filter(|start| start.checked_add(count).is_some_and(|end| end <= size)) {
        Some(start) => Ok(Some(start)),
        None => Err(out_of_range(size, offset, count)),
    }
}

#[cold]
fn out_of_range(size: usize, offset: u64, count: usize) -> DriverError {
    DriverError::OutOfRange {
        range: ByteRange::new(offset, offset.saturating_add(in_u64(count))),
        size: in_u64(size),
    }
}

/// A count of bytes in memory, as heaps count them.
pub(crate) fn in_u64(size: usize) -> u64 {
    u64::try_from(size).expect("invariant: a usize has at most 64 bits")
}

/// Makes a region that shows memory in that segment; `None`: of a heap that is evicted.
pub(crate) type MakeRegion<'a> =
    dyn FnMut(Option<(usize, HeapBacking)>) -> Result<Arc<HeapRegion>, DriverError> + 'a;

/// What a device asks of a heap of this driver.
pub(crate) trait SoftHeap {
    /// Shows its bytes, touched, in a region that `make` makes.
    ///
    /// # Errors
    /// `OutOfMemory`, and those of `make`: no region shows it then.
    fn show(&self, make: &mut MakeRegion<'_>) -> Result<(), DriverError>;
}

/// A heap behind the driver interface as one of this driver.
pub(crate) fn soft_heap(heap: &dyn DriverHeap) -> Option<&dyn SoftHeap> {
    let heap = heap.as_any();
    if let Some(heap) = heap.downcast_ref::<SegmentHeap>() {
        return Some(heap);
    }
    if let Some(heap) = heap.downcast_ref::<PhantomHeap>() {
        return Some(heap);
    }
    if let Some(heap) = heap.downcast_ref::<OwnHeap>() {
        return Some(heap);
    }
    if let Some(heap) = heap.downcast_ref::<PagedHeap>() {
        return Some(heap);
    }
    heap.downcast_ref::<SharedHeap>().map(|heap| heap as &dyn SoftHeap)
}

/// The regions of devices that show a heap. They show nothing from its end on, also where nobody unmapped
/// it: its pages may be another heap's then.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    by: Mutex<Vec<Weak<HeapRegion>>>,
}

impl Shown {
    pub(crate) const fn new() -> Shown {
        Shown { by: Mutex::new(Vec::new()) }
    }

    pub(crate) fn add(&self, region: &Arc<HeapRegion>) {
        let mut by = self.by.lock();
        by.retain(|region| region.strong_count() > 0);
        by.push(Arc::downgrade(region));
    }

    /// Shows `bytes`, which lie in that segment, in a region that `make` makes.
    pub(crate) fn show(
        &self,
        bytes: HeapBytes,
        segment: usize,
        make: &mut MakeRegion<'_>,
    ) -> Result<(), DriverError> {
        self.add(&make(Some((segment, HeapBacking::Bytes(bytes))))?);
        Ok(())
    }

    /// The regions that are there.
    pub(crate) fn regions(&self) -> Vec<Arc<HeapRegion>> {
        self.by.lock().iter().filter_map(Weak::upgrade).collect()
    }

    /// The heap goes: waits for commands that use it.
    #[inline]
    pub(crate) fn end(&mut self) {
        for region in self.by.get_mut().drain(..) {
            if let Some(region) = region.upgrade() {
                region.retire();
            }
        }
    }
}

/// A heap of [`Backing::Phantom`]. It has no size either.
#[derive(Debug)]
pub(crate) struct PhantomHeap {
    segment: usize,
}

impl PhantomHeap {
    pub(crate) const fn new(segment: usize) -> PhantomHeap {
        PhantomHeap { segment }
    }
}

impl SoftHeap for PhantomHeap {
    /// Nothing of it is lost with it: no region is noted.
    fn show(&self, make: &mut MakeRegion<'_>) -> Result<(), DriverError> {
        make(Some((self.segment, HeapBacking::Phantom))).map(drop)
    }
}

impl DriverHeap for PhantomHeap {
    fn map(&self) -> Result<Option<NonNull<u8>>, DriverError> {
        Ok(None)
    }

    fn unmap(&self) {}

    fn read(&self, _: u64, _: &mut [u8]) -> Result<(), DriverError> {
        Err(DriverError::NoBytes)
    }

    fn write(&self, _: u64, _: &[u8]) -> Result<(), DriverError> {
        Err(DriverError::NoBytes)
    }

    fn read_box(&self, _: &SurfaceBox<'_>, _: &mut [u8], _: RowPitches) -> Result<(), DriverError> {
        Err(DriverError::NoBytes)
    }

    fn write_box(&self, _: &SurfaceBox<'_>, _: &[u8], _: RowPitches) -> Result<(), DriverError> {
        Err(DriverError::NoBytes)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn backing(&self) -> Backing {
        Backing::Phantom
    }
}
