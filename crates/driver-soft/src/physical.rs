//! Physical memory of engines without virtual addresses, and the paging engine.
//!
//! ```text
//!   PhysicalMemory (one for each driver)
//!     |- segment 0, 1, ...   a reservation each, made when first used; offsets are the kernel's
//!     '- backing store       by allocation: the copy that eviction left
//!   SoftPagingEngine         moves bytes between them, and takes time for it
//! ```
//! Freed ranges are filled with [`POISON`] where the driver poisons: a plan that sends an engine there shows as wrong
//! bytes. They are not closed, as those of heaps are, because an engine's mistake is to be seen in its results and must
//! not end the process.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapstone_driver::cost::{COMMAND_NS, CostModel};
use heapstone_driver::paging::{PagingEngine, PagingStatistics};
use heapstone_driver::{Backing, DriverError};
use heapstone_kernel::{AllocationKey, PagingOperation, PagingPlace};
use heapstone_units::ByteRange;
use parking_lot::Mutex;

use crate::bytes::{Access, HeapBytes, Reservation, in_address_space};
use crate::device::{HeapBacking, HeapMemory};

/// What freed bytes are.
const POISON: u8 = 0xcd;
/// Freed bytes, piece by piece: a range may be larger than what the system has left.
static POISONED: [u8; 64 << 10] = [POISON; 64 << 10];

const SEGMENT: &str = "the memory of a segment";
const TRANSFER: &str = "the bytes of a transfer";

/// The segments of an adapter, as the memory manager's offsets reach them, and the backing store.
#[derive(Debug)]
pub(crate) struct PhysicalMemory {
    segments: Box<[PhysicalSegment]>,
    /// `None`: there are no bytes, only their number.
    store: Option<Mutex<BTreeMap<AllocationKey, Box<[u8]>>>>,
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
    fn check(&self, place: &PagingPlace, bytes: u64) -> Result<(), DriverError> {
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
    fn reserve(&self, place: &PagingPlace) -> Result<(), DriverError> {
        match place {
            PagingPlace::Segment { segment, .. } => self.segment(segment.index())?.reservation().map(drop),
            PagingPlace::BackingStore => Ok(()),
        }
    }

    fn read(&self, allocation: AllocationKey, place: &PagingPlace, to: &mut [u8]) -> Result<(), DriverError> {
        match place {
            PagingPlace::Segment { segment, ranges } => {
                let reservation = self.segment(segment.index())?.reservation()?;
                let mut rest = to;
                for range in ranges {
                    let (offset, size) = in_memory(*range)?;
                    let (now, behind) = rest.split_at_mut(size);
                    reservation.read(offset, now);
                    rest = behind;
                }
            }
            PagingPlace::BackingStore => self.load(allocation, to),
        }
        Ok(())
    }

    fn write(
        &self,
        allocation: AllocationKey,
        place: &PagingPlace,
        from: Vec<u8>,
    ) -> Result<(), DriverError> {
        match place {
            PagingPlace::Segment { segment, ranges } => {
                let reservation = self.segment(segment.index())?.reservation()?;
                let mut rest = &from[..];
                for range in ranges {
                    let (offset, size) = in_memory(*range)?;
                    let (now, behind) = rest.split_at(size);
                    reservation.write(offset, now);
                    rest = behind;
                }
            }
            PagingPlace::BackingStore => self.keep(allocation, from.into()),
        }
        Ok(())
    }

    /// A place holds nothing any more.
    fn leave(&self, allocation: AllocationKey, place: &PagingPlace) -> Result<(), DriverError> {
        match place {
            PagingPlace::Segment { segment, ranges } if self.poisons => {
                let reservation = self.segment(segment.index())?.reservation()?;
                for range in ranges {
                    let (offset, size) = in_memory(*range)?;
                    for begin in (offset..offset + size).step_by(POISONED.len()) {
                        let count = POISONED.len().min(offset + size - begin);
                        reservation.write(begin, &POISONED[..count]);
                    }
                }
            }
            PagingPlace::Segment { .. } => {}
            PagingPlace::BackingStore => {
                if let Some(store) = &self.store {
                    store.lock().remove(&allocation);
                }
            }
        }
        Ok(())
    }

    fn keep(&self, allocation: AllocationKey, bytes: Box<[u8]>) {
        if let Some(store) = &self.store {
            store.lock().insert(allocation, bytes);
        }
    }

    fn load(&self, allocation: AllocationKey, to: &mut [u8]) {
        to.fill(0);
        if let Some(store) = &self.store
            && let Some(bytes) = store.lock().get(&allocation)
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

/// The paging engine of the software driver.
#[derive(Debug)]
pub(crate) struct SoftPagingEngine {
    memory: Arc<PhysicalMemory>,
    cost: Arc<CostModel>,
    statistics: PagingStatistics,
    time_ns: u64,
}

impl SoftPagingEngine {
    pub(crate) fn new(memory: Arc<PhysicalMemory>, cost: Arc<CostModel>) -> SoftPagingEngine {
        SoftPagingEngine { memory, cost, statistics: PagingStatistics::default(), time_ns: 0 }
    }

    fn operation(&mut self, operation: &PagingOperation) -> Result<(), DriverError> {
        let (allocation, bytes) = (operation.allocation(), operation.bytes());
        match operation {
            PagingOperation::Transfer { from, to, .. } => {
                self.memory.check(from, bytes)?;
                self.memory.check(to, bytes)?;
                self.transfer(allocation, from, to, bytes)?;
                self.count_transfer(from, to, bytes);
                self.passes(self.ns(from, bytes).max(self.ns(to, bytes)));
            }
            PagingOperation::Fill { place, pattern, .. } => {
                self.memory.check(place, bytes)?;
                if self.memory.store.is_some() {
                    let content = filled(bytes, *pattern)?;
                    self.memory.write(allocation, place, content)?;
                }
                self.statistics.bytes_filled = self.statistics.bytes_filled.saturating_add(bytes);
                self.passes(self.ns(place, bytes));
            }
            PagingOperation::Discard { place, .. } => {
                self.memory.check(place, bytes)?;
                if self.memory.store.is_some() {
                    self.memory.leave(allocation, place)?;
                }
                self.passes(0);
            }
        }
        Ok(())
    }

    fn transfer(
        &self,
        allocation: AllocationKey,
        from: &PagingPlace,
        to: &PagingPlace,
        bytes: u64,
    ) -> Result<(), DriverError> {
        if self.memory.store.is_none() {
            return Ok(());
        }
        let mut content = room(bytes)?;
        content.resize(in_address_space(bytes, TRANSFER)?, 0);
        self.memory.read(allocation, from, &mut content)?;
        // What can fail, before bytes are gone where they were.
        self.memory.reserve(to)?;
        if matches!(from, PagingPlace::Segment { .. }) {
            self.memory.leave(allocation, from)?;
        }
        self.memory.write(allocation, to, content)
    }

    fn count_transfer(&mut self, from: &PagingPlace, to: &PagingPlace, bytes: u64) {
        let count = match (from, to) {
            (PagingPlace::Segment { .. }, PagingPlace::Segment { .. }) => &mut self.statistics.bytes_moved,
            (_, PagingPlace::Segment { .. }) => &mut self.statistics.bytes_paged_in,
            (_, PagingPlace::BackingStore) => &mut self.statistics.bytes_written_back,
        };
        *count = count.saturating_add(bytes);
    }

    fn ns(&self, place: &PagingPlace, bytes: u64) -> u64 {
        match place {
            PagingPlace::Segment { segment, .. } => self.cost.transfer_ns(segment.index(), bytes),
            PagingPlace::BackingStore => self.cost.store_ns(bytes),
        }
    }

    fn passes(&mut self, transfer_ns: u64) {
        let ns = COMMAND_NS.saturating_add(transfer_ns);
        self.statistics.operations += 1;
        self.statistics.busy_ns = self.statistics.busy_ns.saturating_add(ns);
        self.time_ns = self.time_ns.saturating_add(ns);
    }
}

/// Bytes of a pattern.
fn filled(bytes: u64, pattern: u32) -> Result<Vec<u8>, DriverError> {
    let mut content = room(bytes)?;
    content.extend(pattern.to_le_bytes().into_iter().cycle().take(in_address_space(bytes, TRANSFER)?));
    Ok(content)
}

/// Room for that many bytes.
fn room(bytes: u64) -> Result<Vec<u8>, DriverError> {
    let mut content = Vec::new();
    content.try_reserve_exact(in_address_space(bytes, TRANSFER)?).map_err(|error| {
        DriverError::OutOfMemory { what: TRANSFER, size: bytes, reason: error.to_string() }
    })?;
    Ok(content)
}

impl PagingEngine for SoftPagingEngine {
    fn page(&mut self, operations: &[PagingOperation]) -> Result<(), DriverError> {
        operations.iter().try_for_each(|operation| self.operation(operation))
    }

    fn store(&mut self, allocation: AllocationKey, bytes: &[u8]) {
        self.memory.keep(allocation, bytes.into());
    }

    fn load(&self, allocation: AllocationKey, to: &mut [u8]) {
        self.memory.load(allocation, to);
    }

    fn statistics(&self) -> PagingStatistics {
        self.statistics
    }

    fn time_ns(&self) -> u64 {
        self.time_ns
    }

    fn wait_until(&mut self, time_ns: u64) {
        self.time_ns = self.time_ns.max(time_ns);
    }
}
