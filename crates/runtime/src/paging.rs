//! What the memory manager decides of heaps, carried out by a driver whose heaps' bytes move
//! ([`heapstone_driver::paging::HeapPaging`]).
//!
//! ```text
//!   call --> memory manager: decides, queues operations        (its lock)
//!    '----> carry_out: takes them, in order, and has the       (the pager's lock, from before they are taken until
//!             driver carry them out                             they are done)
//! ```
//! - MakeResident, Evict and the calls that make room for others return when the bytes are where the manager has them.
//! - A submission pins what it uses and then passes through the pager's lock: what was queued before is done when its
//!   work begins, and nothing that it uses is queued until it ends. That is what the paging fence orders: transfers are
//!   over before it has its value.
//! - What was submitted before residency knew a heap is counted on the heap ([`Naming`]), and handed over when it is
//!   named.
//! - A heap that finds no memory to come back to is tried again before it is used; MakeResident undoes itself.

use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::BTreeMap;

use heapstone_driver::DriverError;
use heapstone_driver::paging::{HeapPaging, PagingStatistics};
use heapstone_kernel::{Allocation, AllocationKey, PagingOperation, PagingPlace, Process};
use parking_lot::Mutex;

use crate::adapter::{Adapter, AdapterInner};
use crate::device::DeviceInner;

/// Carries out what the memory manager of an adapter decides.
pub(crate) struct HeapPager {
    work: Mutex<Work>,
}

struct Work {
    engine: Box<dyn HeapPaging>,
    /// What found no memory to come back to, and why.
    failed: BTreeMap<AllocationKey, (PagingOperation, DriverError)>,
}

impl HeapPager {
    pub(crate) fn new(engine: Box<dyn HeapPaging>) -> HeapPager {
        HeapPager { work: Mutex::new(Work { engine, failed: BTreeMap::new() }) }
    }
}

impl Work {
    /// Carries one operation out. What is away for lack of memory cannot leave, and comes in where it was to be moved.
    fn carry_out(&mut self, operation: PagingOperation) {
        let key = operation.allocation();
        let operation = match (self.failed.remove(&key), operation) {
            (Some(_), PagingOperation::Discard { .. })
            | (Some(_), PagingOperation::Transfer { to: PagingPlace::BackingStore, .. }) => return,
            (Some((failed, _)), PagingOperation::Transfer { from: PagingPlace::Segment { .. }, to, .. }) => {
                redirected(failed, to)
            }
            (_, operation) => operation,
        };
        if let Err(error) = self.engine.page(&operation) {
            self.failed.insert(key, (operation, error));
        }
    }

    /// Tries again what failed before.
    fn retry(&mut self) {
        for (_, (operation, _)) in core::mem::take(&mut self.failed) {
            self.carry_out(operation);
        }
    }
}

/// What brings the same bytes elsewhere.
fn redirected(operation: PagingOperation, to: PagingPlace) -> PagingOperation {
    match operation {
        PagingOperation::Transfer { allocation, from, bytes, .. } => {
            PagingOperation::Transfer { allocation, from, to, bytes }
        }
        PagingOperation::Fill { allocation, bytes, pattern, .. } => {
            PagingOperation::Fill { allocation, place: to, bytes, pattern }
        }
        discard @ PagingOperation::Discard { .. } => discard,
    }
}

impl AdapterInner {
    /// Whether heaps' bytes move.
    pub(crate) const fn moves_heaps(&self) -> bool {
        self.pager.is_some()
    }

    /// Has all done that the memory manager has decided so far.
    ///
    /// # Errors
    /// Why one of `used` is not in memory though it should be.
    pub(crate) fn carry_out<'a>(
        &self,
        used: impl IntoIterator<Item = &'a Allocation>,
    ) -> Result<(), DriverError> {
        let Some(pager) = &self.pager else { return Ok(()) };
        let mut work = pager.work.lock();
        if !work.failed.is_empty() {
            work.retry();
        }
        if self.memory.has_paging_operations() {
            for operation in self.memory.take_paging_operations() {
                work.carry_out(operation);
            }
        }
        if work.failed.is_empty() {
            return Ok(());
        }
        let failure = |allocation: &Allocation| work.failed.get(&allocation.key()?).map(|(_, error)| error);
        used.into_iter().find_map(failure).map_or(Ok(()), |error| Err(error.clone()))
    }

    /// The same, where there is something to do. What another thread is just doing is not waited for, and what fails is
    /// told to who uses it.
    #[inline]
    pub(crate) fn carry_out_if_any(&self) {
        if self.pager.is_some() && self.memory.has_paging_operations() {
            let _ = self.carry_out([]);
        }
    }
}

impl DeviceInner {
    /// [`AdapterInner::carry_out`], of which an observer hears.
    pub(crate) fn carry_out<'a>(
        &self,
        used: impl IntoIterator<Item = &'a Allocation>,
    ) -> Result<(), DriverError> {
        let has_operations = self.adapter.memory.has_paging_operations();
        let result = self.adapter.carry_out(used);
        if has_operations {
            self.tell_paging();
        }
        result
    }

    /// [`AdapterInner::carry_out_if_any`], of which an observer hears.
    #[inline]
    pub(crate) fn carry_out_if_any(&self) {
        if self.adapter.moves_heaps() && self.adapter.memory.has_paging_operations() {
            self.adapter.carry_out_if_any();
            self.tell_paging();
        }
    }

    #[cold]
    fn tell_paging(&self) {
        let Some(pager) = self.adapter.pager.as_ref().filter(|_| self.is_observed()) else { return };
        let statistics = pager.work.lock().engine.statistics();
        self.observe_paging(&statistics);
    }
}

impl Adapter {
    /// Whether the bytes of heaps move as the memory manager decides; else residency is a matter of numbers alone.
    #[must_use]
    pub fn moves_heaps(&self) -> bool {
        self.inner.moves_heaps()
    }

    /// What was really moved for it, and the time that it took on the profile's engine; `None` where bytes stay in place.
    /// [`Adapter::paging_statistics`] tells what was decided, of allocations without bytes too.
    #[must_use]
    pub fn heap_paging_statistics(&self) -> Option<PagingStatistics> {
        self.inner.pager.as_ref().map(|pager| pager.work.lock().engine.statistics())
    }
}

/// Whether residency knows a heap, and the submissions in flight that began before it did.
#[derive(Default)]
pub(crate) struct Naming {
    is_named: AtomicBool,
    flights: Mutex<u32>,
}

impl Naming {
    /// Calls `name` with the submissions in flight, unless it did so before.
    #[inline]
    pub(crate) fn enter(&self, name: impl FnOnce(u32)) {
        if !self.is_named.load(Ordering::Acquire) {
            self.enter_first(name);
        }
    }

    #[cold]
    fn enter_first(&self, name: impl FnOnce(u32)) {
        let flights = self.flights.lock();
        if !self.is_named.load(Ordering::Relaxed) {
            name(*flights);
            self.is_named.store(true, Ordering::Release);
        }
    }

    /// A submission begins of which residency does not know; `false`: it knows the heap, and is to be told.
    pub(crate) fn begin_flight(&self) -> bool {
        let mut flights = self.flights.lock();
        if self.is_named.load(Ordering::Relaxed) {
            return false;
        }
        *flights = flights.checked_add(1).expect("invariant: fewer than 2^32 submissions are in flight");
        true
    }

    /// A submission ends for which [`Naming::begin_flight`] answered `true`.
    pub(crate) fn end_flight(&self, process: &Process, allocation: &Allocation) {
        let mut flights = self.flights.lock();
        if self.is_named.load(Ordering::Relaxed) {
            process.end_use_of(allocation);
        } else {
            *flights -= 1;
        }
    }
}
