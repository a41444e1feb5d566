//! MakeResident, Evict, and the submissions that use what is resident.

use crate::manager::ManagerInner;

use super::error::{OverBudget, ResidencyError};
use super::fence::newest_paging_fence;
use super::links::Slot;
use super::pager::Pager;
use super::policy::Use;
use super::room::Transaction;
use super::{EvictFlags, Evicted, MadeResident, MakeResidentFlags};

/// What a call adds to a budget group.
#[derive(Clone, Copy, Debug)]
struct Demand {
    node: u32,
    group: usize,
    /// Bytes that come into memory.
    absent: u64,
    /// Bytes that are there, and that nobody needed so far.
    evictable: u64,
}

impl Pager {
    pub(crate) fn check_process(&self, index: usize) -> Result<(), ResidencyError> {
        let process = &self.processes[index];
        if let Some(removal) = process.removed {
            return Err(ResidencyError::Removed(removal));
        }
        match process.suspended_until_ns {
            Some(until_ns) => Err(ResidencyError::Suspended { until_ns }),
            None => Ok(()),
        }
    }

    /// MakeResident: all or nothing.
    pub(crate) fn make_resident(
        &mut self,
        memory: &ManagerInner,
        index: usize,
        slots: &[Slot],
        flags: MakeResidentFlags,
    ) -> Result<MadeResident, ResidencyError> {
        self.check_process(index)?;
        let demands = self.demands(memory, slots)?;
        if flags.contains(MakeResidentFlags::DENY_OVERBUDGET) {
            self.check_budgets(index, &demands)?;
        }
        let mut transaction = Transaction::default();
        // Counted first, so that no one of them is evicted for another.
        for slot in slots {
            self.entry_mut(*slot).count += 1;
            self.relist(*slot);
        }
        for demand in &demands {
            if demand.absent > 0 {
                self.trim_own(memory, index, demand.node, demand.group, demand.absent, &mut transaction);
            }
        }
        for slot in slots {
            if self.entry(*slot).segment.is_none()
                && let Err(error) = self.page_in(memory, *slot, &mut transaction)
            {
                self.undo(memory, transaction);
                for slot in slots {
                    self.entry_mut(*slot).count -= 1;
                    self.relist(*slot);
                }
                return Err(match self.removal_by(memory, &error) {
                    Some(removal) => {
                        self.remove_device(index, removal);
                        ResidencyError::Removed(removal)
                    }
                    None => ResidencyError::OutOfVideoMemory(error),
                });
            }
        }
        self.commit(&mut transaction);
        Ok(MadeResident {
            paging_fence: self.pending_fence(slots),
            bytes_to_trim: self.bytes_over_budget(index),
        })
    }

    /// Checks the objects, and sums what they add. An object that stands there twice adds once.
    fn demands(&mut self, memory: &ManagerInner, slots: &[Slot]) -> Result<Vec<Demand>, ResidencyError> {
        let mark = self.new_mark();
        let mut demands: Vec<Demand> = Vec::new();
        for (index, slot) in slots.iter().enumerate() {
            let entry = self.entry_mut(*slot);
            if entry.offered.is_some() {
                return Err(ResidencyError::Offered { index });
            }
            // Conservative for objects that stand in the call several times.
            if u64::from(entry.count) + slots.len() as u64 > u64::from(u32::MAX) {
                return Err(ResidencyError::CountOverflow { index, count: entry.count });
            }
            if entry.mark == mark {
                continue;
            }
            entry.mark = mark;
            let (node, size, is_evictable) = (entry.desc.node, entry.size, entry.count == 0);
            let (segment, is_absent) = match entry.segment {
                Some(segment) => (segment, false),
                None => (memory.preferred_segment(&entry.desc), true),
            };
            if !is_absent && !is_evictable {
                continue;
            }
            let group = self.group_of(*slot, segment);
            let demand = match demands.iter_mut().find(|demand| demand.group == group) {
                Some(demand) => demand,
                None => {
                    demands.push(Demand { node, group, absent: 0, evictable: 0 });
                    demands.last_mut().expect("invariant: it was pushed")
                }
            };
            let sum = if is_absent { &mut demand.absent } else { &mut demand.evictable };
            *sum = sum.saturating_add(size);
        }
        Ok(demands)
    }

    fn check_budgets(&self, index: usize, demands: &[Demand]) -> Result<(), ResidencyError> {
        let process = &self.processes[index];
        for demand in demands {
            let usage = process.usage.get(demand.group);
            let needed = usage.saturating_sub(process.evictable[demand.group]);
            let budget = process.budgets.budget(demand.group);
            let requested = demand.absent.saturating_add(demand.evictable);
            let over = needed.saturating_add(requested).saturating_sub(budget);
            if over > 0 {
                let (node, group) = crate::budget::node_and_group(demand.group);
                return Err(ResidencyError::OverBudget(Box::new(OverBudget {
                    node,
                    group,
                    requested,
                    needed,
                    budget,
                    bytes_to_trim: over,
                })));
            }
        }
        Ok(())
    }

    /// Evicts what the process does not need, until `more` bytes fit into its budget or nothing is left.
    pub(crate) fn trim_own(
        &mut self,
        memory: &ManagerInner,
        index: usize,
        node: u32,
        group: usize,
        more: u64,
        transaction: &mut Transaction,
    ) {
        loop {
            let process = &self.processes[index];
            let wanted = process.usage.get(group).saturating_add(more);
            let over = wanted.saturating_sub(process.budgets.budget(group));
            if over == 0 || process.evictable[group] == 0 {
                return;
            }
            let segments = memory.segments.iter().filter(|segment| {
                segment.info.nodes.contains(node)
                    && crate::budget::group_index(node, segment.info.group) == group
            });
            let ids: Vec<_> = segments.map(|segment| segment.info.id).collect();
            let process = &mut self.processes[index];
            let victim = ids.iter().find_map(|id| process.segments[id.index()].policy.choose(over));
            let Some(victim) = victim else { return };
            self.page_out(memory, victim, transaction);
        }
    }

    /// How far the process is over its budgets, in bytes: NumBytesToTrim.
    pub(crate) fn bytes_over_budget(&self, index: usize) -> u64 {
        let process = &self.processes[index];
        let groups = 0..process.evictable.len();
        groups
            .map(|group| process.usage.get(group).saturating_sub(process.budgets.budget(group)))
            .fold(0, u64::saturating_add)
    }

    /// The fence value to wait for before the objects are used; `None` where all is there.
    pub(crate) fn pending_fence(&self, slots: &[Slot]) -> Option<u64> {
        let pending =
            slots.iter().map(|slot| self.entry(*slot)).filter(|entry| entry.ready_at_ns > self.now_ns);
        newest_paging_fence(pending.map(|entry| entry.fence))
            .expect("invariant: fewer than 2^31 batches are in flight")
    }

    /// Evict.
    pub(crate) fn evict(
        &mut self,
        memory: &ManagerInner,
        index: usize,
        slots: &[Slot],
        flags: EvictFlags,
    ) -> Result<Evicted, ResidencyError> {
        if let Some(removal) = self.processes[index].removed {
            return Err(ResidencyError::Removed(removal));
        }
        self.check_counts(slots)?;
        let mut transaction = Transaction::default();
        for slot in slots {
            let entry = self.entry_mut(*slot);
            entry.count -= 1;
            if entry.count > 0 {
                continue;
            }
            if flags.contains(EvictFlags::NOT_WRITTEN_TO) && entry.has_copy {
                entry.is_dirty = false;
            }
            entry.leaves_when_idle = !flags.contains(EvictFlags::EVICT_ONLY_IF_NECESSARY);
            self.leave_or_relist(memory, *slot, &mut transaction);
        }
        self.commit(&mut transaction);
        Ok(Evicted { bytes_to_trim: self.bytes_over_budget(index) })
    }

    /// Whether each object's count stands as many evictions as the call has for it.
    fn check_counts(&mut self, slots: &[Slot]) -> Result<(), ResidencyError> {
        for (index, slot) in slots.iter().enumerate() {
            let entry = self.entry_mut(*slot);
            if entry.count == 0 {
                self.restore_counts(&slots[..index]);
                let count = self.entry(*slot).count;
                return Err(ResidencyError::NotResident { index, count });
            }
            entry.count -= 1;
        }
        self.restore_counts(slots);
        Ok(())
    }

    fn restore_counts(&mut self, slots: &[Slot]) {
        for slot in slots {
            self.entry_mut(*slot).count += 1;
        }
    }

    /// What an allocation does that is needed no more: it leaves memory at once, where that was asked and nothing in
    /// flight uses it; else it goes to the list it belongs in.
    fn leave_or_relist(&mut self, memory: &ManagerInner, slot: Slot, transaction: &mut Transaction) {
        let entry = self.entry(slot);
        let leaves = entry.count == 0 && entry.pins == 0 && entry.leaves_when_idle && entry.offered.is_none();
        if leaves && entry.segment.is_some() {
            self.page_out(memory, slot, transaction);
        } else {
            self.relist(slot);
        }
    }

    /// A submission begins: what it uses stays where it is until it ends. Returns when all of it is in memory, in
    /// virtual nanoseconds.
    pub(crate) fn begin_use(&mut self, index: usize, uses: &[(Slot, bool)]) -> Result<u64, ResidencyError> {
        self.check_process(index)?;
        for (index, (slot, _)) in uses.iter().enumerate() {
            let entry = self.entry(*slot);
            if entry.offered.is_some() {
                return Err(ResidencyError::Offered { index });
            }
            if entry.count == 0 || entry.segment.is_none() {
                return Err(ResidencyError::UsedEvicted { index });
            }
        }
        Ok(self.pin(uses))
    }

    /// Keeps where it is what a submission uses, all of it in memory. Returns when it is there, in virtual nanoseconds.
    pub(crate) fn pin(&mut self, uses: &[(Slot, bool)]) -> u64 {
        self.submission += 1;
        let at = Use { submission: self.submission, now_ns: self.now_ns };
        let mut ready_at_ns = self.now_ns;
        for (slot, writes) in uses {
            let entry = self.entry_mut(*slot);
            entry.pins += 1;
            entry.is_dirty |= *writes;
            ready_at_ns = ready_at_ns.max(entry.ready_at_ns);
            let (facts, process, segment) = (entry.facts(), entry.process, entry.segment);
            self.unlist(*slot);
            if let Some(segment) = segment {
                self.processes[process].segments[segment.index()].policy.used(*slot, &facts, at);
            }
        }
        let stall_ns = ready_at_ns - self.now_ns;
        if stall_ns > 0 {
            let statistics = &mut self.queue.statistics;
            statistics.stall_count += 1;
            statistics.stall_ns = statistics.stall_ns.saturating_add(stall_ns);
            statistics.stall_ns_max = statistics.stall_ns_max.max(stall_ns);
        }
        ready_at_ns
    }

    /// A submission has ended.
    pub(crate) fn end_use(&mut self, memory: &ManagerInner, slots: impl IntoIterator<Item = Slot>) {
        let mut transaction = Transaction::default();
        for slot in slots {
            let entry = self.entry_mut(slot);
            entry.pins -= 1;
            if entry.pins == 0 {
                self.leave_or_relist(memory, slot, &mut transaction);
            }
        }
        self.commit(&mut transaction);
    }
}
