//! What heaps of every backing share, and the heap that has no bytes.

use core::any::Any;
use core::ptr::NonNull;

use heapstone_driver::engine::{RowPitches, SurfaceBox};
use heapstone_driver::{Backing, DriverError, DriverHeap};
use heapstone_units::ByteRange;

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

/// A heap of [`Backing::Phantom`]. It has no size either: creating one allocates nothing.
#[derive(Debug)]
pub(crate) struct PhantomHeap;

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
        Err(DriverError::Unsupported { what: "boxes".to_owned() })
    }

    fn write_box(&self, _: &SurfaceBox<'_>, _: &[u8], _: RowPitches) -> Result<(), DriverError> {
        Err(DriverError::Unsupported { what: "boxes".to_owned() })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn backing(&self) -> Backing {
        Backing::Phantom
    }
}
