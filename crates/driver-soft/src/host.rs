//! Heaps in memory of this process: in a segment's reservation, or in a mapping of their own.

use core::any::Any;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use heapstone_driver::engine::{RowPitches, SurfaceBox};
use heapstone_driver::{Backing, DriverError, DriverHeap};
use heapstone_kernel::AllocationKey;
use heapstone_units::ByteRange;
use parking_lot::Mutex;

use crate::boxes;
use crate::bytes::{Access, HeapBytes, Mapping, Reservation, page_size};
use crate::heap::{MakeRegion, Shown, SoftHeap, check_range, in_u64};

const HEAP: &str = "the bytes of a heap";

/// Reference counts of a reservation (chosen: as many as the kernel has shards of a segment).
const STRIPES: usize = 16;

static THREADS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The count that this thread's heaps use. Only how fast threads are depends on it.
    static STRIPE: usize = THREADS.fetch_add(1, Ordering::Relaxed) % STRIPES;
}

/// A reservation with a reference count of its own: threads that create heaps at once would otherwise
/// take turns at one count. Padded to two cache lines, because processors prefetch them in pairs.
#[derive(Debug)]
#[repr(align(128))]
struct Stripe(Arc<Reservation>, Arc<LeftPlaces>);

impl AsRef<Mapping> for Stripe {
    fn as_ref(&self) -> &Mapping {
        &self.0
    }
}

/// Where bytes of heaps are that the memory manager has moved, or may have. Their bytes stay; what is placed there
/// meanwhile has a mapping of its own.
#[derive(Debug, Default)]
struct LeftPlaces {
    /// Whether there ever was one: creation looks no further where there was none.
    is_any: AtomicBool,
    /// Begin and end of each. They do not overlap.
    places: Mutex<BTreeMap<usize, usize>>,
}

impl LeftPlaces {
    fn add(&self, offset: usize, room: usize) {
        self.places.lock().insert(offset, offset + room);
        self.is_any.store(true, Ordering::Release);
    }

    fn remove(&self, offset: usize) {
        self.places.lock().remove(&offset);
    }

    fn overlaps(&self, offset: usize, room: usize) -> bool {
        self.is_any.load(Ordering::Acquire)
            && self.places.lock().range(..offset + room).next_back().is_some_and(|(_, end)| *end > offset)
    }
}

/// A segment of the profile: where bytes are when a heap lies in it.
#[derive(Debug)]
pub(crate) struct Segment {
    index: usize,
    size: u64,
    access: Access,
    /// Made by the first heap. `None` inside: the system gives no such range of addresses, and each heap
    /// has a mapping of its own.
    reservation: OnceLock<Option<[Arc<Stripe>; STRIPES]>>,
}

impl Segment {
    /// The segment `index` of the profile, of `size` bytes. Its pages are `access` until a heap touches them, and again when it
    /// is gone.
    pub(crate) const fn new(index: usize, size: u64, access: Access) -> Segment {
        Segment { index, size, access, reservation: OnceLock::new() }
    }

    pub(crate) const fn size(&self) -> u64 {
        self.size
    }

    /// A heap of `size` bytes at `place`, which lies in the segment and holds them; `None` where it
    /// needs a mapping of its own.
    #[inline]
    pub(crate) fn heap(&self, place: ByteRange, size: usize) -> Option<SegmentHeap> {
        let stripes = self.reservation.get_or_init(|| self.reserve()).as_ref()?;
        let (offset, room) = (usize::try_from(place.begin).ok()?, usize::try_from(place.size()).ok()?);
        if stripes[0].1.overlaps(offset, room) {
            return None;
        }
        // Heaps are 4 KiB-grained (spec/1-tight-placed-resource-alignment.txt, FAQ); where this
        // machine's pages are larger, only heaps of whole pages can give theirs back alone.
        let in_page = page_size() - 1;
        (offset & in_page == 0 && room & in_page == 0).then(|| SegmentHeap {
            stripe: Arc::clone(&stripes[STRIPE.with(|stripe| *stripe)]),
            offset,
            room,
            size,
            access: self.access,
            segment: self.index,
            touched: AtomicBool::new(false),
            has_left: AtomicBool::new(false),
            shown: Shown::new(),
        })
    }

    #[cold]
    fn reserve(&self) -> Option<[Arc<Stripe>; STRIPES]> {
        let made = Reservation::new(self.size, self.access, "the reservation of a segment").ok()?;
        let made = Arc::new(made);
        let left = Arc::<LeftPlaces>::default();
        Some(core::array::from_fn(|_| Arc::new(Stripe(Arc::clone(&made), Arc::clone(&left)))))
    }
}

/// A heap in a segment's reservation.
#[derive(Debug)]
pub(crate) struct SegmentHeap {
    stripe: Arc<Stripe>,
    /// Of its first byte in the reservation.
    offset: usize,
    /// Bytes placed: whole pages, at least `size`.
    room: usize,
    /// Bytes that the heap has.
    size: usize,
    /// Of its pages while it has not touched them.
    access: Access,
    /// The segment's index.
    segment: usize,
    /// Whether any of its pages may be committed. Never false again.
    touched: AtomicBool,
    /// Whether its place may be another's by now.
    has_left: AtomicBool,
    shown: Shown,
}

impl SegmentHeap {
    #[inline]
    fn reservation(&self) -> &Reservation {
        &self.stripe.0
    }

    #[inline]
    fn touch(&self) -> Result<(), DriverError> {
        if self.is_touched() { Ok(()) } else { self.touch_first() }
    }

    /// Several threads may do this at once: opening twice does no harm.
    #[cold]
    fn touch_first(&self) -> Result<(), DriverError> {
        if self.access == Access::Closed {
            // Ranges of open pages are counted (some 65,000 on Linux). Where they run out, the poison
            // gives way: a reservation that is open throughout is one range.
            let opened = self.reservation().open(self.offset, self.room, HEAP);
            opened.or_else(|_| self.reservation().open(0, self.reservation().size(), HEAP))?;
        }
        self.touched.store(true, Ordering::Release);
        Ok(())
    }

    #[inline]
    fn is_touched(&self) -> bool {
        self.touched.load(Ordering::Acquire)
    }

    /// All that was placed, of a heap that is touched.
    fn bytes(&self) -> HeapBytes {
        HeapBytes::new(&self.stripe, self.offset, self.room)
    }

    /// All that was placed.
    ///
    /// # Errors
    /// `OutOfMemory`.
    pub(crate) fn touched_bytes(&self) -> Result<HeapBytes, DriverError> {
        self.touch()?;
        Ok(self.bytes())
    }

    /// All that was placed; `None`: all of it is zero, and none committed.
    pub(crate) fn known_bytes(&self) -> Option<HeapBytes> {
        self.is_touched().then(|| self.bytes())
    }

    pub(crate) const fn segment(&self) -> usize {
        self.segment
    }

    /// Others may be placed where it is, while its bytes are there: they are kept off until it goes.
    pub(crate) fn claim_place(&self) {
        if !self.has_left.swap(true, Ordering::AcqRel) {
            self.stripe.1.add(self.offset, self.room);
        }
    }
}

impl SoftHeap for SegmentHeap {
    fn show(&self, make: &mut MakeRegion<'_>) -> Result<(), DriverError> {
        self.shown.show(self.touched_bytes()?, self.segment, make)
    }
}

impl DriverHeap for SegmentHeap {
    #[inline]
    fn map(&self) -> Result<Option<NonNull<u8>>, DriverError> {
        self.touch()?;
        Ok(Some(self.reservation().address(self.offset)))
    }

    #[inline]
    fn unmap(&self) {}

    fn read(&self, offset: u64, to: &mut [u8]) -> Result<(), DriverError> {
        let Some(start) = check_range(self.size, offset, to.len())? else { return Ok(()) };
        if self.is_touched() {
            self.reservation().read(self.offset + start, to);
        } else {
            // Reading must not commit pages.
            to.fill(0);
        }
        Ok(())
    }

    fn write(&self, offset: u64, from: &[u8]) -> Result<(), DriverError> {
        let Some(start) = check_range(self.size, offset, from.len())? else { return Ok(()) };
        self.touch()?;
        self.reservation().write(self.offset + start, from);
        Ok(())
    }

    fn read_box(&self, from: &SurfaceBox<'_>, to: &mut [u8], pitches: RowPitches) -> Result<(), DriverError> {
        // What is not touched is zero, and reading must not commit pages.
        let bytes = self.is_touched().then(|| self.bytes());
        boxes::read(bytes.as_ref().map(HeapBytes::view), in_u64(self.size), from, to, pitches)
    }

    fn write_box(&self, to: &SurfaceBox<'_>, from: &[u8], pitches: RowPitches) -> Result<(), DriverError> {
        boxes::check(in_u64(self.size), to, from.len(), pitches)?;
        self.touch()?;
        boxes::write(self.bytes().view(), to, from, pitches)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn backing(&self) -> Backing {
        Backing::Host
    }

    fn enter_paging(&self, _: AllocationKey) {
        self.claim_place();
    }
}

impl Drop for SegmentHeap {
    #[inline]
    fn drop(&mut self) {
        self.give_back();
        if *self.has_left.get_mut() {
            self.stripe.1.remove(self.offset);
        }
    }
}

impl SegmentHeap {
    #[inline]
    fn give_back(&mut self) {
        // Only touched heaps are shown.
        if *self.touched.get_mut() {
            self.shown.end();
            self.reservation().discard(self.offset, self.room);
            if self.access == Access::Closed {
                self.reservation().close(self.offset, self.room);
            }
        }
    }
}

/// A heap with a mapping of its own, so that its addresses are contiguous wherever it was placed.
#[derive(Debug)]
pub(crate) struct OwnHeap {
    size: usize,
    /// Bytes placed: at least `size`.
    room: usize,
    /// The segment's index.
    segment: usize,
    mapping: OnceLock<Arc<Reservation>>,
    shown: Shown,
    /// Held while the mapping is made, so that one thread makes it.
    making: Mutex<()>,
}

impl OwnHeap {
    /// A heap of `size` bytes, placed as `room` in a segment, mapped when it is first touched.
    pub(crate) const fn new(size: usize, room: usize, segment: usize) -> OwnHeap {
        OwnHeap { size, room, segment, mapping: OnceLock::new(), shown: Shown::new(), making: Mutex::new(()) }
    }

    pub(crate) const fn segment(&self) -> usize {
        self.segment
    }

    fn bytes(&self, mapping: &Arc<Reservation>) -> HeapBytes {
        HeapBytes::new(mapping, 0, self.room)
    }

    fn touch(&self) -> Result<&Arc<Reservation>, DriverError> {
        if let Some(mapping) = self.mapping.get() {
            return Ok(mapping);
        }
        let _making = self.making.lock();
        if let Some(mapping) = self.mapping.get() {
            return Ok(mapping);
        }
        let made = Reservation::new(in_u64(self.room), Access::Open, HEAP)?;
        Ok(self.mapping.get_or_init(|| Arc::new(made)))
    }

    /// All that was placed.
    ///
    /// # Errors
    /// `OutOfMemory`.
    pub(crate) fn touched_bytes(&self) -> Result<HeapBytes, DriverError> {
        Ok(self.bytes(self.touch()?))
    }

    /// All that was placed; `None`: all of it is zero, and none committed.
    pub(crate) fn known_bytes(&self) -> Option<HeapBytes> {
        self.mapping.get().map(|mapping| self.bytes(mapping))
    }
}

impl SoftHeap for OwnHeap {
    fn show(&self, make: &mut MakeRegion<'_>) -> Result<(), DriverError> {
        self.shown.show(self.touched_bytes()?, self.segment, make)
    }
}

impl Drop for OwnHeap {
    fn drop(&mut self) {
        self.shown.end();
    }
}

impl DriverHeap for OwnHeap {
    fn map(&self) -> Result<Option<NonNull<u8>>, DriverError> {
        Ok(Some(self.touch()?.address(0)))
    }

    fn unmap(&self) {}

    fn read(&self, offset: u64, to: &mut [u8]) -> Result<(), DriverError> {
        let Some(start) = check_range(self.size, offset, to.len())? else { return Ok(()) };
        match self.mapping.get() {
            Some(mapping) => mapping.read(start, to),
            None => to.fill(0),
        }
        Ok(())
    }

    fn write(&self, offset: u64, from: &[u8]) -> Result<(), DriverError> {
        let Some(start) = check_range(self.size, offset, from.len())? else { return Ok(()) };
        self.touch()?.write(start, from);
        Ok(())
    }

    fn read_box(&self, from: &SurfaceBox<'_>, to: &mut [u8], pitches: RowPitches) -> Result<(), DriverError> {
        let bytes = self.mapping.get().map(|mapping| self.bytes(mapping));
        boxes::read(bytes.as_ref().map(HeapBytes::view), in_u64(self.size), from, to, pitches)
    }

    fn write_box(&self, to: &SurfaceBox<'_>, from: &[u8], pitches: RowPitches) -> Result<(), DriverError> {
        boxes::check(in_u64(self.size), to, from.len(), pitches)?;
        boxes::write(self.bytes(self.touch()?).view(), to, from, pitches)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn backing(&self) -> Backing {
        Backing::Host
    }
}
