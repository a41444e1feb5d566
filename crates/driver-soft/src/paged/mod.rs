//! Heaps whose bytes move: what the memory manager decides of them is carried out.
//!
//! ```text
//!   PagedHeap ---> Paged <--- PagedHeaps (by the memory manager's key, once it may move the heap)
//!                    |  window    where its bytes are: a range of its segment as the kernel placed it, or, where that
//!                    |            is several or another's bytes are still there, a mapping that stands for it
//!                    |  store     the copy that eviction left
//!                    '- shown     regions of devices: they show the window, or fault
//!
//!              page out: copy to the store, window goes, its pages are poison
//!     in memory ----------------------------------------------------------> evicted
//!        | ^   <----------------------------------------------------------
//!        '-'   page in: a window where it is placed now, filled from the store or with a pattern
//!       move: another window, in the same segment or another
//! ```
//! What a program has the address of stays where it is, and so does what finds no memory for its copy: it is evicted for
//! engines all the same. Heaps that the CPU can access are none of these to begin with; those that processes share, and
//! memory of the program's, have pages of files and of the program.

mod account;
mod engine;
mod store;

use core::any::Any;
use core::ptr::NonNull;
use std::sync::Arc;

use heapstone_driver::engine::{RowPitches, SurfaceBox};
use heapstone_driver::{Backing, DriverError, DriverHeap};
use heapstone_kernel::{Allocation, AllocationKey};
use heapstone_units::ByteRange;
use parking_lot::{Mutex, MutexGuard};

use crate::boxes;
use crate::bytes::{HeapBytes, View};
use crate::device::HeapBacking;
use crate::heap::{MakeRegion, Shown, SoftHeap, check_range, in_u64};
use crate::host::{OwnHeap, Segment, SegmentHeap};

pub(crate) use engine::{PagedHeaps, SoftHeapPaging};
use store::{Stored, copy_all};

/// A heap whose bytes the memory manager moves.
#[derive(Debug)]
pub(crate) struct PagedHeap(Arc<Paged>);

/// What the heap and who pages it share.
#[derive(Debug)]
struct Paged {
    /// Bytes that the heap has.
    size: usize,
    /// Bytes placed: at least `size`.
    room: usize,
    heaps: Arc<PagedHeaps>,
    shown: Shown,
    /// Held while bytes move.
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    key: Option<AllocationKey>,
    /// Where the bytes are; `None`: in the store, or the heap is gone.
    window: Option<Window>,
    is_evicted: bool,
    /// Whether the heap is gone: nothing comes back.
    is_gone: bool,
    /// Whether a program has its address.
    is_mapped: bool,
    /// Whether the window has what the store should, and could not take.
    is_unsaved: bool,
    store: Stored,
}

/// Where bytes are.
#[derive(Debug)]
enum Window {
    /// Where the kernel placed them.
    Place(SegmentHeap),
    /// In a mapping that stands for the place.
    Own(OwnHeap),
}

/// A place of the memory manager.
#[derive(Clone, Copy, Debug)]
struct Placed<'a> {
    segment: usize,
    ranges: &'a [ByteRange],
}

impl Window {
    fn new(segments: &[Segment], placed: Placed<'_>, room: usize) -> Window {
        let segment = segments.get(placed.segment);
        if let (Some(segment), [range]) = (segment, placed.ranges)
            && range.end <= segment.size()
            && range.size() == in_u64(room)
            && let Some(heap) = segment.heap(*range, room)
        {
            return Window::Place(heap);
        }
        Window::Own(OwnHeap::new(room, room, placed.segment))
    }

    fn segment(&self) -> usize {
        match self {
            Window::Place(heap) => heap.segment(),
            Window::Own(heap) => heap.segment(),
        }
    }

    fn known_bytes(&self) -> Option<HeapBytes> {
        match self {
            Window::Place(heap) => heap.known_bytes(),
            Window::Own(heap) => heap.known_bytes(),
        }
    }

    fn touched_bytes(&self) -> Result<HeapBytes, DriverError> {
        match self {
            Window::Place(heap) => heap.touched_bytes(),
            Window::Own(heap) => heap.touched_bytes(),
        }
    }

    /// Keeps others off its place until it goes.
    fn claim_place(&self) {
        if let Window::Place(heap) = self {
            heap.claim_place();
        }
    }
}

impl PagedHeap {
    /// A heap of `size` bytes where the kernel placed `room` of them, or nowhere, in an allocation that is evicted.
    pub(crate) fn new(
        heaps: &Arc<PagedHeaps>,
        allocation: &Allocation,
        size: usize,
        room: usize,
    ) -> PagedHeap {
        let is_evicted = !allocation.is_in_memory();
        let window = (!is_evicted).then(|| {
            let ranges: Vec<ByteRange> = allocation.physical_ranges().collect();
            let placed = Placed { segment: allocation.segment().index(), ranges: &ranges };
            Window::new(heaps.segments(), placed, room)
        });
        let state = State {
            key: None,
            window,
            is_evicted,
            is_gone: false,
            is_mapped: false,
            is_unsaved: false,
            store: Stored::zero(Arc::clone(heaps.store_room())),
        };
        let (heaps, state) = (Arc::clone(heaps), Mutex::new(state));
        PagedHeap(Arc::new(Paged { size, room, heaps, shown: Shown::new(), state }))
    }

    /// The state of a heap that is in memory.
    fn resident(&self) -> Result<MutexGuard<'_, State>, DriverError> {
        let state = self.0.state.lock();
        if state.is_evicted { Err(DriverError::NotResident) } else { Ok(state) }
    }
}

impl State {
    /// # Errors
    /// `OutOfMemory`.
    fn touched_bytes(&self) -> Result<HeapBytes, DriverError> {
        self.window.as_ref().expect("invariant: a heap in memory has its bytes somewhere").touched_bytes()
    }

    fn known_bytes(&self) -> Option<HeapBytes> {
        self.window.as_ref().and_then(Window::known_bytes)
    }

    /// Saves the window's bytes in the store, where it takes them.
    fn save(&mut self, heaps: &PagedHeaps) {
        match Stored::copy_of(self.known_bytes().as_ref(), heaps.store_room()) {
            Ok(stored) => {
                self.store = stored;
                self.is_unsaved = false;
            }
            Err(_) => self.is_unsaved = true,
        }
    }
}

impl Paged {
    /// The bytes leave memory: to the store where `is_saved`, which else has them, or nobody wants them. Whether they
    /// moved.
    fn page_out(&self, is_saved: bool) -> bool {
        let mut state = self.state.lock();
        if state.is_evicted {
            return false;
        }
        for region in self.shown.regions() {
            region.evict();
        }
        state.is_evicted = true;
        if state.is_mapped {
            return false;
        }
        if is_saved || state.is_unsaved {
            state.save(&self.heaps);
        }
        if state.is_unsaved {
            return false;
        }
        state.window = None;
        true
    }

    /// The bytes come into memory: from the store, or of a pattern.
    ///
    /// # Errors
    /// `OutOfMemory`: the heap is evicted still.
    fn page_in(&self, placed: Placed<'_>, pattern: Option<u32>) -> Result<bool, DriverError> {
        let mut state = self.state.lock();
        if !state.is_evicted || state.is_gone {
            return Ok(false);
        }
        let moves = state.window.is_none();
        let made = if moves { Some(self.filled_window(&state.store, placed, pattern)?) } else { None };
        let window = made.as_ref().or(state.window.as_ref());
        let window = window.expect("invariant: a window was made where there was none");
        let regions = self.shown.regions();
        let shown = if regions.is_empty() { None } else { Some(window.touched_bytes()?) };
        if !moves && let Some(pattern) = pattern {
            fill(&window.touched_bytes()?, pattern);
        }
        if let Some(made) = made {
            state.window = Some(made);
        }
        if pattern.is_some() {
            state.store = Stored::zero(Arc::clone(self.heaps.store_room()));
            state.is_unsaved = false;
        }
        state.is_evicted = false;
        for (region, bytes) in regions.iter().zip(shown.iter().cycle()) {
            region.resume(placed.segment, HeapBacking::Bytes(bytes.clone()));
        }
        Ok(moves)
    }

    fn filled_window(
        &self,
        store: &Stored,
        placed: Placed<'_>,
        pattern: Option<u32>,
    ) -> Result<Window, DriverError> {
        let window = Window::new(self.heaps.segments(), placed, self.room);
        window.claim_place();
        match pattern {
            // A new window is zero.
            Some(0) => {}
            Some(pattern) => fill(&window.touched_bytes()?, pattern),
            None if store.is_zero() => {}
            None => store.write_to(&window.touched_bytes()?),
        }
        Ok(window)
    }

    /// The bytes go elsewhere within memory. Whether they did.
    fn move_to(&self, placed: Placed<'_>) -> bool {
        let mut state = self.state.lock();
        let Some(old) = state.window.as_ref().filter(|_| !state.is_evicted && !state.is_mapped) else {
            return false;
        };
        let regions = self.shown.regions();
        let new = Window::new(self.heaps.segments(), placed, self.room);
        new.claim_place();
        let is_needed = old.known_bytes().is_some() || !regions.is_empty();
        let Ok(bytes) = (if is_needed { new.touched_bytes().map(Some) } else { Ok(None) }) else {
            return false;
        };
        for region in &regions {
            region.suspend();
        }
        if let (Some(from), Some(to)) = (old.known_bytes(), &bytes) {
            copy_all(&from, to);
        }
        let old = state.window.replace(new);
        for (region, bytes) in regions.iter().zip(bytes.iter().cycle()) {
            region.resume(placed.segment, HeapBacking::Bytes(bytes.clone()));
        }
        drop(old);
        true
    }

    /// The heap goes: waits for commands that use it, and for who moves it.
    fn end(&self) {
        for region in self.shown.regions() {
            region.retire();
        }
        let key = {
            let mut state = self.state.lock();
            (state.is_evicted, state.is_gone) = (true, true);
            state.window = None;
            state.store = Stored::zero(Arc::clone(self.heaps.store_room()));
            state.key
        };
        if let Some(key) = key {
            self.heaps.forget(key);
        }
    }
}

fn fill(bytes: &HeapBytes, pattern: u32) {
    let pattern: Vec<u8> = pattern.to_le_bytes().into_iter().cycle().take(4096).collect();
    let size = bytes.view().size();
    for begin in (0..size).step_by(pattern.len()) {
        let count = pattern.len().min(size - begin);
        let to = bytes.view().part(in_u64(begin), in_u64(count));
        to.expect("invariant: a piece lies in its heap").copy_from(pattern[..count].into());
    }
}

impl SoftHeap for PagedHeap {
    fn show(&self, make: &mut MakeRegion<'_>) -> Result<(), DriverError> {
        // Held, so that nobody moves the bytes before the region is known.
        let state = self.0.state.lock();
        let region = match state.window.as_ref().filter(|_| !state.is_evicted) {
            Some(window) => make(Some((window.segment(), HeapBacking::Bytes(window.touched_bytes()?))))?,
            None => make(None)?,
        };
        self.0.shown.add(&region);
        Ok(())
    }
}

impl DriverHeap for PagedHeap {
    /// From now on its bytes stay where they are.
    fn map(&self) -> Result<Option<NonNull<u8>>, DriverError> {
        let mut state = self.0.state.lock();
        if state.window.is_none() {
            let nowhere = Placed { segment: 0, ranges: &[] };
            state.window = Some(self.0.filled_window(&state.store, nowhere, None)?);
        }
        let address = match state.window.as_ref().expect("invariant: it was made") {
            Window::Place(heap) => heap.map(),
            Window::Own(heap) => heap.map(),
        }?;
        state.is_mapped = true;
        Ok(address)
    }

    fn unmap(&self) {}

    fn read(&self, offset: u64, to: &mut [u8]) -> Result<(), DriverError> {
        let state = self.resident()?;
        let Some(start) = check_range(self.0.size, offset, to.len())? else { return Ok(()) };
        match state.known_bytes() {
            Some(bytes) => {
                let from = bytes.view().part(in_u64(start), in_u64(to.len()));
                View::from(to).copy_from(from.expect("invariant: the range was checked").source());
            }
            // Reading must not commit pages.
            None => to.fill(0),
        }
        Ok(())
    }

    fn write(&self, offset: u64, from: &[u8]) -> Result<(), DriverError> {
        let state = self.resident()?;
        let Some(start) = check_range(self.0.size, offset, from.len())? else { return Ok(()) };
        let bytes = state.touched_bytes()?;
        let to = bytes.view().part(in_u64(start), in_u64(from.len()));
        to.expect("invariant: the range was checked").copy_from(from.into());
        Ok(())
    }

    fn read_box(&self, from: &SurfaceBox<'_>, to: &mut [u8], pitches: RowPitches) -> Result<(), DriverError> {
        let bytes = self.resident()?.known_bytes();
        boxes::read(bytes.as_ref().map(HeapBytes::view), in_u64(self.0.size), from, to, pitches)
    }

    fn write_box(&self, to: &SurfaceBox<'_>, from: &[u8], pitches: RowPitches) -> Result<(), DriverError> {
        boxes::check(in_u64(self.0.size), to, from.len(), pitches)?;
        let state = self.resident()?;
        boxes::write(state.touched_bytes()?.view(), to, from, pitches)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn backing(&self) -> Backing {
        Backing::Host
    }

    fn enter_paging(&self, key: AllocationKey) {
        {
            let mut state = self.0.state.lock();
            state.key = Some(key);
            if let Some(window) = &state.window {
                window.claim_place();
            }
        }
        self.0.heaps.know(key, &self.0);
    }
}

impl Drop for PagedHeap {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[cfg(test)]
mod tests;
