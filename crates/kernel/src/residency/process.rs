//! The calls of a process, and those of the manager.

use crate::allocation::{Allocation, AllocationDesc, Place};
use crate::error::AllocateError;
use crate::manager::{ManagerInner, MemoryManager};
use crate::paging::{AllocationKey, PagingOperation};
use crate::process::Process;
use crate::residency::links::Slot;

use super::error::{ProcessRemoval, ResidencyError};
use super::offer::{OfferPriority, Reclaimed};
use super::pager::Pager;
use super::priority::ResidencyPriority;
use super::queue::PagingStatistics;
use super::trim::{TrimCalls, TrimCookie, TrimNotification};
use super::{
    EvictFlags, Evicted, InFlight, InitialContent, MadeResident, MakeResidentFlags, ResidencyView,
    SubmissionUse,
};

impl Process {
    /// An allocation that is created evicted (D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT): addresses where asked, and no memory
    /// until it is made resident.
    ///
    /// # Errors
    /// As [`Process::allocate`], but for memory.
    pub fn allocate_evicted(
        &self,
        desc: &AllocationDesc,
        content: InitialContent,
    ) -> Result<Allocation, AllocateError> {
        let allocation = self.allocate_addresses(desc)?;
        let process = self.inner();
        self.pager(|pager, memory| pager.adopt_evicted(memory, process, &allocation, content));
        Ok(allocation)
    }

    /// MakeResident: counts the objects up, and brings into memory what is not there. All or nothing.
    ///
    /// # Errors
    /// [`ResidencyError::OverBudget`] with DENY_OVERBUDGET, [`ResidencyError::OutOfVideoMemory`], and those of the objects
    /// and the process. With unified memory the process loses its device where memory is not gone but fragmented
    /// ([`ProcessRemoval::Fragmentation`]).
    ///
    /// # Panics
    /// As all calls here, when an allocation is of another process: a bug of the caller.
    pub fn make_resident(
        &self,
        objects: &[&Allocation],
        flags: MakeResidentFlags,
    ) -> Result<MadeResident, ResidencyError> {
        self.memory().pass_point(self.inner());
        self.named(objects, |pager, memory, index, slots| pager.make_resident(memory, index, slots, flags))
    }

    /// Evict: counts the objects down. An object that stands there several times is counted so often.
    ///
    /// # Errors
    /// [`ResidencyError::NotResident`] where a count would fall below 0; [`ResidencyError::Removed`].
    pub fn evict(&self, objects: &[&Allocation], flags: EvictFlags) -> Result<Evicted, ResidencyError> {
        self.memory().pass_point(self.inner());
        self.named(objects, |pager, memory, index, slots| pager.evict(memory, index, slots, flags))
    }

    /// SetResidencyPriority of one object.
    pub fn set_residency_priority(&self, object: &Allocation, priority: ResidencyPriority) {
        self.named(&[object], |pager, _, _, slots| {
            for slot in slots {
                pager.unlist(*slot);
                pager.entry_mut(*slot).priority = priority;
                pager.relist(*slot);
            }
        });
    }

    /// Offers the objects' content: it may be discarded when memory is short, and they may not be used before they
    /// are reclaimed.
    ///
    /// # Errors
    /// [`ResidencyError::Offered`], [`ResidencyError::InFlight`].
    pub fn offer(&self, objects: &[&Allocation], priority: OfferPriority) -> Result<(), ResidencyError> {
        self.named(objects, |pager, _, _, slots| pager.offer(slots, priority))
    }

    /// Takes offers back; tells of each object whether its content is as it was.
    ///
    /// # Errors
    /// [`ResidencyError::OutOfVideoMemory`] where what was discarded, and is needed, finds no place: all stay offered.
    pub fn reclaim(&self, objects: &[&Allocation]) -> Result<Vec<Reclaimed>, ResidencyError> {
        self.named(objects, |pager, memory, _, slots| pager.reclaim(memory, slots))
    }

    /// Makes an allocation known to residency, which may move it from now on; what paging operations call it.
    /// `in_flight_count` submissions use it that began while it was not known: it stays where it is until as many calls of
    /// [`Process::end_use_of`]. Of one that is known the count is not looked at.
    pub fn make_known(&self, object: &Allocation, in_flight_count: u32) -> AllocationKey {
        let process = self.inner();
        self.pager(|pager, memory| {
            let is_known = object.key().is_some();
            let slot = pager.adopt(memory, process, object);
            if !is_known && in_flight_count > 0 {
                pager.entry_mut(slot).pins = in_flight_count;
                pager.relist(slot);
            }
            pager.entry(slot).managed.key
        })
    }

    /// A submission has ended that began before the allocation was known ([`Process::make_known`]).
    ///
    /// # Panics
    /// When none of them is in flight: a bug of the caller.
    pub fn end_use_of(&self, object: &Allocation) {
        self.named(&[object], |pager, memory, _, slots| pager.end_use(memory, slots.iter().copied()));
    }

    /// A submission begins that may use some of these, as its tiles show them. Those that are in memory stay where they are
    /// until it ends; of each it is told whether it is. Unlike [`Process::begin_use`] it is no error to show what is
    /// evicted: the submission may never reach it.
    pub fn begin_use_where_resident(&self, uses: &[SubmissionUse<'_>]) -> (InFlight, Vec<bool>) {
        let process = self.inner();
        self.pager(|pager, memory| {
            let slots: Vec<(Slot, bool)> = uses
                .iter()
                .map(|used| (pager.adopt(memory, process, used.allocation), used.writes))
                .collect();
            let resident: Vec<bool> =
                slots.iter().map(|(slot, _)| pager.entry(*slot).segment.is_some()).collect();
            let there = slots.into_iter().zip(&resident).filter(|(_, is_there)| **is_there);
            let there: Vec<(Slot, bool)> = there.map(|(used, _)| used).collect();
            let ready_at_ns = pager.pin(&there);
            let slots = there.into_iter().map(|(slot, _)| slot).collect();
            (InFlight { owner: process.id, slots, ready_at_ns }, resident)
        })
    }

    /// A submission begins.
    ///
    /// # Errors
    /// [`ResidencyError::UsedEvicted`] and [`ResidencyError::Offered`]; [`ResidencyError::Suspended`],
    /// [`ResidencyError::Removed`].
    pub fn begin_use(&self, uses: &[SubmissionUse<'_>]) -> Result<InFlight, ResidencyError> {
        let process = self.inner();
        self.memory().pass_point(process);
        self.pager(|pager, memory| {
            let index = pager.process_of(memory, process);
            let uses: Vec<(Slot, bool)> = uses
                .iter()
                .map(|used| (pager.adopt(memory, process, used.allocation), used.writes))
                .collect();
            let ready_at_ns = pager.begin_use(index, &uses)?;
            let slots = uses.into_iter().map(|(slot, _)| slot).collect();
            Ok(InFlight { owner: process.id, slots, ready_at_ns })
        })
    }

    /// A submission has ended.
    ///
    /// # Panics
    /// When it is of another process: a bug of the caller.
    pub fn end_use(&self, in_flight: InFlight) {
        assert!(in_flight.owner == self.id(), "bug: a submission is ended by another process");
        self.pager(|pager, memory| pager.end_use(memory, in_flight.slots));
    }

    /// How it stands with an allocation.
    #[must_use]
    pub fn residency(&self, object: &Allocation) -> ResidencyView {
        self.named(&[object], |pager, _, _, slots| {
            let entry = pager.entry(slots[0]);
            ResidencyView {
                count: entry.count,
                segment: entry.segment,
                is_demoted: entry.segment.is_some() && entry.is_demoted,
                is_dirty: entry.is_dirty,
                in_flight_count: entry.pins,
                priority: entry.priority,
                offered: entry.offered.map(|offered| offered.priority),
            }
        })
    }

    /// Has `notification` called when the process is to trim: periodically on the virtual clock, and when it is over
    /// budget after a change of budgets. Several are called one after the other, with no lock held.
    pub fn register_trim_notification(&self, notification: TrimNotification) -> TrimCookie {
        let process = self.inner();
        self.pager(|pager, memory| {
            let index = pager.process_of(memory, process);
            pager.register_trim(index, notification)
        })
    }

    /// Ends the calls of a notification; whether `cookie` named one of this process.
    pub fn unregister_trim_notification(&self, cookie: TrimCookie) -> bool {
        let process = self.inner();
        let removed = self.pager(|pager, memory| {
            let index = pager.process_of(memory, process);
            pager.unregister_trim(index, cookie)
        });
        // What the closure owned is dropped here, without the lock.
        removed.is_some()
    }

    /// Whether the process lost its device, and why.
    #[must_use]
    pub fn removal(&self) -> Option<ProcessRemoval> {
        self.pager(|pager, _| pager.find_process(self.id()).and_then(|index| pager.processes[index].removed))
    }

    /// The same, where a plan of faults was ever injected; else nobody asks, and nothing is locked. A device that is
    /// taken at a point within an allocation is told of so.
    #[must_use]
    #[inline]
    pub fn removal_by_fault(&self) -> Option<ProcessRemoval> {
        if self.memory().is_injecting() { self.removal() } else { None }
    }

    /// A submission that the memory manager hears nothing else of comes to a point at which faults can happen
    /// ([`crate::FaultPlan`]). `Some`: the process has lost its device.
    #[must_use]
    #[inline]
    pub fn meet_faults(&self) -> Option<ProcessRemoval> {
        if !self.memory().is_injecting() {
            return None;
        }
        self.memory().pass_point(self.inner());
        self.removal()
    }

    /// Until when the process is suspended, in virtual nanoseconds.
    #[must_use]
    pub fn suspended_until_ns(&self) -> Option<u64> {
        self.pager(|pager, _| {
            pager.find_process(self.id()).and_then(|index| pager.processes[index].suspended_until_ns)
        })
    }

    /// Takes the device from the process: a fault on purpose.
    pub fn remove_device(&self) {
        let process = self.inner();
        self.pager(|pager, memory| {
            let index = pager.process_of(memory, process);
            pager.remove_device(index, ProcessRemoval::Injected);
        });
    }

    fn pager<R>(&self, call: impl FnOnce(&mut Pager, &ManagerInner) -> R) -> R {
        let memory = self.memory();
        memory.is_paging.store(true, core::sync::atomic::Ordering::Relaxed);
        call(&mut memory.pager.lock(), memory)
    }

    fn named<R>(
        &self,
        objects: &[&Allocation],
        mut call: impl FnMut(&mut Pager, &ManagerInner, usize, &[Slot]) -> R,
    ) -> R {
        let process = self.inner();
        self.pager(|pager, memory| {
            let index = pager.process_of(memory, process);
            // Most calls name one: those take no memory.
            if let [object] = objects {
                let slot = pager.adopt(memory, process, object);
                return call(pager, memory, index, &[slot]);
            }
            let slots: Vec<Slot> =
                objects.iter().map(|object| pager.adopt(memory, process, object)).collect();
            call(pager, memory, index, &slots)
        })
    }
}

impl MemoryManager {
    /// Lets virtual time pass: paging gets done, trims are asked for, demoted allocations come back, suspended
    /// processes go on. At most 64 periodic trims are made up for.
    pub fn advance_clock(&self, ns: u64) {
        let memory = self.inner();
        let calls = memory.pager.lock().advance(memory, ns);
        call_all(calls);
    }

    /// The virtual time in nanoseconds.
    #[must_use]
    pub fn clock_ns(&self) -> u64 {
        self.inner().pager.lock().now_ns
    }

    /// The value that the paging fence has.
    #[must_use]
    pub fn paging_fence_value(&self) -> u64 {
        let mut pager = self.inner().pager.lock();
        let now_ns = pager.now_ns;
        pager.queue.reached(now_ns)
    }

    /// Lets the time pass that it takes until all paging that was asked for is done, as [`Self::advance_clock`] does;
    /// returns it in nanoseconds.
    pub fn wait_for_paging(&self) -> u64 {
        let memory = self.inner();
        let (duration_ns, calls) = {
            let mut pager = memory.pager.lock();
            let duration_ns = pager.queue.idle_at_ns().saturating_sub(pager.now_ns);
            (duration_ns, pager.advance(memory, duration_ns))
        };
        call_all(calls);
        duration_ns
    }

    /// When all paging that was asked for is done, in virtual nanoseconds.
    #[must_use]
    pub fn paging_idle_at_ns(&self) -> u64 {
        self.inner().pager.lock().queue.idle_at_ns()
    }

    /// From now on paging operations are kept for who carries them out, as with
    /// [`ResidencyConfig::keeps_operations`](super::ResidencyConfig::keeps_operations).
    pub fn keep_paging_operations(&self) {
        self.inner().pager.lock().queue.keep_operations();
    }

    /// Whether there are paging operations to take. It takes no lock: what a call of the same thread has queued is seen.
    #[must_use]
    pub fn has_paging_operations(&self) -> bool {
        self.inner().has_paging_operations.load(core::sync::atomic::Ordering::Acquire)
    }

    /// The paging operations since the last call, in the order in which they are to be carried out.
    #[must_use]
    pub fn take_paging_operations(&self) -> Vec<PagingOperation> {
        self.inner().pager.lock().queue.take_operations()
    }

    /// What paging has done.
    #[must_use]
    pub fn paging_statistics(&self) -> PagingStatistics {
        self.inner().pager.lock().queue.statistics
    }

    /// Makes paging take so many times as long: a fault on purpose.
    pub fn set_paging_slowdown(&self, times: u32) {
        self.inner().pager.lock().queue.set_slowdown(times);
    }
}

impl ManagerInner {
    /// Lets an allocation go that residency knows; returns where it was.
    #[cold]
    pub(crate) fn forget(&self, managed: &crate::allocation::Managed) -> Place {
        self.pager.lock().forget(managed)
    }

    /// Budgets may be other ones: those over theirs are trimmed.
    pub(crate) fn trim_to_budgets(&self) {
        if !self.is_paging.load(core::sync::atomic::Ordering::Relaxed) {
            return;
        }
        let mut calls = TrimCalls::new();
        self.pager.lock().trim_to_budgets(self, &mut calls);
        call_all(calls);
    }
}

fn call_all(calls: TrimCalls) {
    for (notification, request) in calls {
        notification(request);
    }
}
