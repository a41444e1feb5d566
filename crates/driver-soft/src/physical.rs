//! Physical memory of engines without virtual addresses.
//!
//! ```text
//!   PhysicalMemory (one for each driver)
//!     |- segment 0, 1, ...   a reservation each, made when first used; offsets are the kernel's
//!     '- backing store       by allocation: the copy that eviction left
//!   SoftPagingEngine         moves bytes between them: [`crate::paging`]
//! ```
//! Freed ranges are filled with [`POISON`] where the driver poisons: a plan that sends an engine there shows as wrong
//! bytes. They are not closed, as those of heaps are, because an engine's mistake is to be seen in its results and must
//! not end the process.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapstone_driver::{Backing, DriverError};
use heapstone_kernel::{AllocationKey, PagingPlace};
use heapstone_units::ByteRange;
use parking_lot::Mutex;

use crate::bytes::{Access, HeapBytes, Reservation, in_address_space};
use crate::device::{HeapBacking, HeapMemory};

/// What freed bytes are.
const POISON: u8 = 0xcd;
/// Freed bytes, piece by piece: a range may be larger than what the system has left.
static POISONED: [u8; 64 << 10] = [POISON; 64 << 10];

const SEGMENT: &str = "the memory of a segment";
pub(crate) const TRANSFER: &str = "the bytes of a transfer";

/// The segments of an adapter, as the memory manager's offsets reach them, and the backing store.
#[derive(Debug)]
pub(crate) struct PhysicalMemory {
    segments: Box<[PhysicalSegment]>,
    /// `None`: there are no bytes, only their number.
    store: Option<Mutex<BTreeMap<AllocationKey, Vec<u8>>>>,
    poisons: bool,
}

#[derive(Debug)]
struct PhysicalSegment {
    size: u64,
    reservation: Mutex<Option<Arc<Reservation>>>,
}

impl PhysicalMemory {
    pub(crate) fn new(sizes: impl Iterator<Item = u64>, backing: Backing, poisons: bool) -> PhysicalMemory {
        let segments = sizes.map(|size| PhysicalSegment { size, reservation: Mutex::new(None) });
        let store = (backing != Backing::Phantom).then(Mutex::default);
        PhysicalMemory { segments: segments.collect(), store, poisons }
    }

    fn segment(&self, index: usize) -> Result<&PhysicalSegment, DriverError> {
        self.segments.get(index).ok_or_else(|| DriverError::Unsupported {
            what: format!("segment {index}; the adapter has {}, counted from 0", self.segments.len()),
        })
    }

    /// All of a segment, for an engine.
    pub(crate) fn memory(&self, index: usize) -> Result<HeapMemory, DriverError> {
        let segment = self.segment(index)?;
        let backing = if self.store.is_some() {
            let reservation = segment.reservation()?;
            HeapBacking::Bytes(HeapBytes::new(&reservation, 0, reservation.size()))
        } else {
            HeapBacking::Phantom
        };
        Ok(HeapMemory::new(backing, index, segment.size))
    }

    /// Checks a place of so many bytes.
    pub(crate) fn check(&self, place: &PagingPlace, bytes: u64) -> Result<(), DriverError> {
        let PagingPlace::Segment { segment, ranges } = place else { return Ok(()) };
        let size = self.segment(segment.index())?.size;
        if let Some(range) = ranges.iter().find(|range| range.end > size || range.end < range.begin) {
            return Err(DriverError::OutOfRange { range: *range, size });
        }
        let there = ranges.iter().try_fold(0_u64, |sum, range| sum.checked_add(range.size()));
        if there == Some(bytes) {
            return Ok(());
        }
        let what = format!("paging of {bytes} bytes to or from ranges of {}", there.unwrap_or(u64::MAX));
        Err(DriverError::Unsupported { what })
    }

    /// Makes the memory of a place.
    pub(crate) fn reserve(&self, place: &PagingPlace) -> Result<(), DriverError> {
        match place {
            PagingPlace::Segment { segment, .. } => self.segment(segment.index())?.reservation().map(drop),
            PagingPlace::BackingStore => Ok(()),
        }
    }

    /// Whether there are bytes, and not only their number.
    pub(crate) const fn has_bytes(&self) -> bool {
        self.store.is_some()
    }

    /// Reads bytes of a segment.
    pub(crate) fn read(&self, segment: usize, offset: u64, to: &mut [u8]) -> Result<(), DriverError> {
        self.segment(segment)?.reservation()?.read(in_address_space(offset, TRANSFER)?, to);
        Ok(())
    }

    /// Writes bytes of a segment.
    pub(crate) fn write(&self, segment: usize, offset: u64, from: &[u8]) -> Result<(), DriverError> {
        self.segment(segment)?.reservation()?.write(in_address_space(offset, TRANSFER)?, from);
        Ok(())
    }

    /// A range of a segment holds nothing any more.
    pub(crate) fn leave(&self, segment: usize, range: ByteRange) -> Result<(), DriverError> {
        if !self.poisons {
            return Ok(());
        }
        let reservation = self.segment(segment)?.reservation()?;
        let (offset, size) = in_memory(range)?;
        for begin in (offset..offset + size).step_by(POISONED.len()) {
            let count = POISONED.len().min(offset + size - begin);
            reservation.write(begin, &POISONED[..count]);
        }
        Ok(())
    }

    /// Makes room for an allocation of so many bytes in the backing store.
    pub(crate) fn reserve_store(&self, allocation: AllocationKey, bytes: u64) -> Result<(), DriverError> {
        let Some(store) = &self.store else { return Ok(()) };
        let size = in_address_space(bytes, TRANSFER)?;
        let mut store = store.lock();
        let mut kept = store.remove(&allocation).unwrap_or_default();
        let result = kept.try_reserve_exact(size.saturating_sub(kept.len()));
        if result.is_ok() && kept.len() < size {
            kept.resize(size, 0);
        }
        store.insert(allocation, kept);
        result.map_err(|error| out_of_memory(bytes, &error))
    }

    /// Writes bytes of an allocation's copy, which has room for `size`.
    pub(crate) fn write_store(
        &self,
        allocation: AllocationKey,
        offset: u64,
        from: &[u8],
        size: u64,
    ) -> Result<(), DriverError> {
        let Some(store) = &self.store else { return Ok(()) };
        let (offset, size) = (in_address_space(offset, TRANSFER)?, in_address_space(size, TRANSFER)?);
        let mut store = store.lock();
        let kept = store.entry(allocation).or_default();
        kept.resize(size, 0);
        if let Some(to) = kept.get_mut(offset..).and_then(|rest| rest.get_mut(..from.len())) {
            to.copy_from_slice(from);
        }
        Ok(())
    }

    /// Drops an allocation's copy.
    pub(crate) fn forget(&self, allocation: AllocationKey) {
        if let Some(store) = &self.store {
            store.lock().remove(&allocation);
        }
    }

    /// Makes bytes the backing store's copy.
    pub(crate) fn keep(&self, allocation: AllocationKey, bytes: Vec<u8>) {
        if let Some(store) = &self.store {
            store.lock().insert(allocation, bytes);
        }
    }

    /// Reads an allocation's copy from `offset` on: zero where there is none.
    pub(crate) fn load(&self, allocation: AllocationKey, offset: u64, to: &mut [u8]) {
        to.fill(0);
        let Ok(offset) = usize::try_from(offset) else { return };
        if let Some(store) = &self.store
            && let Some(bytes) = store.lock().get(&allocation).and_then(|bytes| bytes.get(offset..))
        {
            let count = bytes.len().min(to.len());
            to[..count].copy_from_slice(&bytes[..count]);
        }
    }
}

impl PhysicalSegment {
    fn reservation(&self) -> Result<Arc<Reservation>, DriverError> {
        let mut reservation = self.reservation.lock();
        if let Some(made) = &*reservation {
            return Ok(Arc::clone(made));
        }
        let made = Arc::new(Reservation::new(self.size, Access::Open, SEGMENT)?);
        Ok(Arc::clone(reservation.insert(made)))
    }
}

/// Offset and bytes of a checked range.
fn in_memory(range: ByteRange) -> Result<(usize, usize), DriverError> {
    Ok((in_address_space(range.begin, TRANSFER)?, in_address_space(range.size(), TRANSFER)?))
}

pub(crate) fn out_of_memory(bytes: u64, error: &std::collections::TryReserveError) -> DriverError {
    DriverError::OutOfMemory { what: TRANSFER, size: bytes, reason: error.to_string() }
}
