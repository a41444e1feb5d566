//! What happens as virtual time passes: trims, promotion, and the return of who was suspended.

use core::cmp::Reverse;

use crate::budget::ProcessRole;
use crate::config::MemoryPool;
use crate::manager::ManagerInner;
use crate::segment::SegmentId;

use super::error::ProcessRemoval;
use super::links::Slot;
use super::pager::Pager;
use super::room::Transaction;
use super::trim::TrimCalls;

/// Periodic trims that are made up for at most when much time passes at once.
const MADE_UP_TRIMS: u64 = 64;

impl Pager {
    /// Lets virtual time pass.
    pub(crate) fn advance(&mut self, memory: &ManagerInner, ns: u64) -> TrimCalls {
        let mut calls = TrimCalls::new();
        let until_ns = self.now_ns.saturating_add(ns);
        let made_up_ns = self.config.trim_period_ns.saturating_mul(MADE_UP_TRIMS);
        self.next_trim_ns = self.next_trim_ns.max(until_ns.saturating_sub(made_up_ns));
        while self.next_trim_ns <= until_ns {
            self.pass_to(memory, self.next_trim_ns);
            self.trim_periodically(memory, &mut calls);
            let Some(next) = self.next_trim_ns.checked_add(self.config.trim_period_ns) else { break };
            self.next_trim_ns = next;
        }
        self.pass_to(memory, until_ns);
        calls
    }

    fn pass_to(&mut self, memory: &ManagerInner, now_ns: u64) {
        let passed_ns = now_ns.saturating_sub(self.now_ns);
        self.now_ns = self.now_ns.max(now_ns);
        self.resume(memory);
        if passed_ns == 0 {
            return self.promote(memory);
        }
        let earned =
            u128::from(passed_ns) * u128::from(self.config.promotion_bytes_per_second) / 1_000_000_000;
        // A second's worth can be saved, so that what is larger than a step's share is promoted at all.
        self.promotion_credit = self
            .promotion_credit
            .saturating_add(u64::try_from(earned).unwrap_or(u64::MAX))
            .min(self.config.promotion_bytes_per_second);
        self.promote(memory);
    }

    /// Brings back who was suspended long enough. What it needs comes back, or it loses its device.
    fn resume(&mut self, memory: &ManagerInner) {
        if self.live_processes().all(|index| self.processes[index].suspended_until_ns.is_none()) {
            return;
        }
        let due: Vec<usize> = self
            .live_processes()
            .filter(|index| {
                self.processes[*index].suspended_until_ns.is_some_and(|until_ns| until_ns <= self.now_ns)
            })
            .collect();
        for index in due {
            let process = &mut self.processes[index];
            process.suspended_until_ns = None;
            process.trim_restarts = true;
            let taken = core::mem::take(&mut process.taken);
            let mut transaction = Transaction::default();
            let is_back = taken.iter().try_for_each(|slot| {
                let entry = self.entry(*slot);
                let is_wanted = entry.count > 0 && entry.segment.is_none();
                if is_wanted { self.page_in(memory, *slot, &mut transaction) } else { Ok(()) }
            });
            match is_back {
                Ok(()) => self.commit(&mut transaction),
                Err(shortage) => {
                    self.undo(memory, transaction);
                    let removal = self.removal_by(memory, &shortage);
                    self.remove_device(index, removal.unwrap_or(ProcessRemoval::OutOfMemory));
                }
            }
        }
    }

    /// Takes the device from a process: its calls are refused from now on. What it has is its until it is freed.
    pub(crate) fn remove_device(&mut self, index: usize, removal: ProcessRemoval) {
        let process = &mut self.processes[index];
        process.removed.get_or_insert(removal);
    }

    /// Brings demoted allocations back, those of the foreground first, of each process those of the highest class
    /// that were used last, as long as there is credit, room and budget.
    fn promote(&mut self, memory: &ManagerInner) {
        if self.live_processes().all(|index| !self.processes[index].has_demoted()) {
            return;
        }
        let mut order: Vec<usize> = self.live_processes().collect();
        order.sort_by_key(|index| {
            let process = &self.processes[*index];
            (Reverse(process.role == ProcessRole::Foreground), process.owner)
        });
        let mut transaction = Transaction::default();
        let system = memory.segments.iter().filter(|segment| segment.info.pool == MemoryPool::L0);
        let system: Vec<SegmentId> = system.map(|segment| segment.info.id).collect();
        for index in order {
            for segment in &system {
                while let Some(slot) = self.next_promotion(index, *segment) {
                    if !self.promote_one(memory, index, slot, &mut transaction) {
                        break;
                    }
                }
            }
        }
        self.commit(&mut transaction);
    }

    fn next_promotion(&self, index: usize, segment: SegmentId) -> Option<Slot> {
        let lists = self.processes[index].segments[segment.index()].demoted.iter().rev();
        lists.filter_map(super::links::List::newest).next()
    }

    /// Promotes one allocation; whether credit, budget and room allowed it.
    fn promote_one(
        &mut self,
        memory: &ManagerInner,
        index: usize,
        slot: Slot,
        transaction: &mut Transaction,
    ) -> bool {
        let entry = self.entry(slot);
        let (desc, size, owner) = (entry.desc, entry.size, entry.owner);
        // What is larger than a second's credit goes when all of that was saved.
        if self.promotion_credit < size.min(self.config.promotion_bytes_per_second)
            || self.config.promotion_bytes_per_second == 0
        {
            return false;
        }
        for id in memory.candidates_in(&desc, MemoryPool::L1) {
            let space = &memory.segment(*id).space;
            let headroom =
                u128::from(space.capacity()) * u128::from(self.config.promotion_headroom_permille) / 1000;
            let left = space.capacity().saturating_sub(space.used()).checked_sub(size);
            let has_room = left.is_some_and(|left| u128::from(left) >= headroom);
            let group = self.group_of(slot, *id);
            let process = &self.processes[index];
            let fits = process.usage.get(group).saturating_add(size) <= process.budgets.budget(group);
            if has_room
                && fits
                && let Some(placed) = memory.place_in_segment(*id, &desc, size, owner)
            {
                self.promotion_credit = self.promotion_credit.saturating_sub(size);
                transaction.moves.promotion_count += 1;
                transaction.moves.bytes_promoted = transaction.moves.bytes_promoted.saturating_add(size);
                self.move_to(memory, slot, placed, transaction);
                return true;
            }
        }
        false
    }
}
