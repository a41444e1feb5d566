//! The state of residency, and the calls that change it.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapstone_spec::SegmentGroup;
use parking_lot::Mutex;

use crate::allocation::{Allocation, AllocationDesc, Managed, Place};
use crate::budget::group_index;
use crate::manager::ManagerInner;
use crate::paging::AllocationKey;
use crate::process::ProcessInner;
use crate::range_allocator::Owner;
use crate::segment::SegmentId;

use super::InitialContent;
use super::config::ResidencyConfig;
use super::entry::{ClassLists, Entry, Membership, ProcessState, SegmentState};
use super::links::{Links, List, Slot};
use super::offer::OfferPriority;
use super::priority::ResidencyPriority;
use super::queue::PagingQueue;

/// The lists of offered allocations of a segment, by priority.
pub(crate) type OfferLists = [List; OfferPriority::ALL.len()];

/// All that the manager knows of residency. Under one lock; it is only taken by calls of [`crate::residency`], and
/// by allocations that find no place.
#[derive(Debug)]
pub(crate) struct Pager {
    pub(crate) config: ResidencyConfig,
    pub(crate) entries: Vec<Option<Entry>>,
    vacant: Vec<Slot>,
    last_key: u64,
    pub(crate) processes: Vec<ProcessState>,
    vacant_processes: Vec<usize>,
    by_owner: BTreeMap<Owner, usize>,
    /// Of all lists but those of policies: an allocation is in at most one.
    pub(crate) links: Links,
    /// By segment.
    pub(crate) offered: Vec<OfferLists>,
    /// The group of each segment.
    groups: Vec<SegmentGroup>,
    pub(crate) queue: PagingQueue,
    pub(crate) now_ns: u64,
    pub(crate) submission: u64,
    last_mark: u64,
    pub(crate) promotion_credit: u64,
    pub(crate) next_trim_ns: u64,
    pub(crate) last_cookie: u64,
}

impl Pager {
    pub(crate) fn new(config: ResidencyConfig, groups: Vec<SegmentGroup>) -> Pager {
        Pager {
            offered: vec![[List::EMPTY; OfferPriority::ALL.len()]; groups.len()],
            groups,
            config,
            entries: Vec::new(),
            vacant: Vec::new(),
            last_key: 0,
            processes: Vec::new(),
            vacant_processes: Vec::new(),
            by_owner: BTreeMap::new(),
            links: Links::new(),
            queue: PagingQueue::new(config.costs, config.paging_fence_first, config.keeps_operations),
            now_ns: 0,
            submission: 0,
            last_mark: 0,
            promotion_credit: 0,
            next_trim_ns: config.trim_period_ns,
            last_cookie: 0,
        }
    }

    pub(crate) fn entry(&self, slot: Slot) -> &Entry {
        self.entries[slot as usize].as_ref().expect("invariant: an allocation is entered until it is freed")
    }

    pub(crate) fn entry_mut(&mut self, slot: Slot) -> &mut Entry {
        self.entries[slot as usize].as_mut().expect("invariant: an allocation is entered until it is freed")
    }

    /// The process's place in the table; it is entered at its first call.
    pub(crate) fn process_of(&mut self, memory: &ManagerInner, process: &ProcessInner) -> usize {
        if let Some(index) = self.by_owner.get(&process.id) {
            return *index;
        }
        let lists: ClassLists = [List::EMPTY; ResidencyPriority::CLASS_COUNT];
        let segments = memory.segments.iter().map(|_| SegmentState {
            policy: self.config.policy.build(),
            required: lists,
            demoted: lists,
        });
        let state = ProcessState {
            owner: process.id,
            role: memory.budgets.role(process.id),
            usage: Arc::clone(&process.usage),
            budgets: Arc::clone(&process.budgets),
            segments: segments.collect(),
            evictable: vec![0; group_index(memory.node_count(), SegmentGroup::Local)].into(),
            suspended_until_ns: None,
            taken: Vec::new(),
            removed: None,
            notifications: Vec::new(),
            trimmed_at_submission: self.submission,
            trim_restarts: false,
            entry_count: 0,
        };
        let index = match self.vacant_processes.pop() {
            Some(index) => {
                self.processes[index] = state;
                index
            }
            None => {
                self.processes.push(state);
                self.processes.len() - 1
            }
        };
        self.by_owner.insert(process.id, index);
        self.set_capacities(memory, index);
        index
    }

    pub(crate) fn find_process(&self, owner: Owner) -> Option<usize> {
        self.by_owner.get(&owner).copied()
    }

    pub(crate) fn live_processes(&self) -> impl Iterator<Item = usize> + '_ {
        self.by_owner.values().copied()
    }

    /// Tells the policies how much their process should use.
    pub(crate) fn set_capacities(&mut self, memory: &ManagerInner, index: usize) {
        let process = &mut self.processes[index];
        for (segment, state) in memory.segments.iter().zip(&mut process.segments) {
            let nodes = (0..memory.node_count()).filter(|node| segment.info.nodes.contains(*node));
            let budgets = nodes.map(|node| process.budgets.budget(group_index(node, segment.info.group)));
            state.policy.set_capacity(budgets.max().unwrap_or(0).min(segment.info.size));
        }
    }

    /// Lets a process go, with all it has.
    pub(crate) fn remove_process(&mut self, owner: Owner) {
        let Some(index) = self.by_owner.remove(&owner) else { return };
        for slot in 0..self.entries.len() {
            let slot = Slot::try_from(slot).expect("invariant: slots are counted in 32 bits");
            let is_its = self.entries[slot as usize].as_ref().is_some_and(|entry| entry.owner == owner);
            if is_its {
                self.unlist(slot);
                self.entries[slot as usize] = None;
                self.vacant.push(slot);
            }
        }
        self.processes[index].notifications.clear();
        self.vacant_processes.push(index);
    }

    /// The allocation's slot; it is entered at the first call that names it.
    pub(crate) fn adopt(
        &mut self,
        memory: &ManagerInner,
        process: &ProcessInner,
        allocation: &Allocation,
    ) -> Slot {
        assert!(
            allocation.owner == process.id,
            "bug: residency of an allocation is asked by another process"
        );
        if let Some(managed) = allocation.managed.get() {
            return managed.slot;
        }
        let index = self.process_of(memory, process);
        let slot = self.new_slot();
        let placed = {
            let mut place = allocation.place.lock();
            let emptied = Place { segment: place.segment, demoted: place.demoted, blocks: None };
            core::mem::replace(&mut *place, emptied)
        };
        let segment = placed.blocks.is_some().then_some(placed.segment);
        let is_demoted = placed.demoted;
        let managed = Arc::new(Managed { key: self.new_key(), slot, place: Mutex::new(placed) });
        let count = u32::from(segment.is_some());
        let entry = Entry {
            managed: Arc::clone(&managed),
            process: index,
            owner: allocation.owner,
            desc: desc_of(allocation),
            size: allocation.size,
            count,
            pins: 0,
            priority: ResidencyPriority::NORMAL,
            // Nobody knows what was written before.
            is_dirty: true,
            has_copy: false,
            segment,
            is_demoted,
            membership: Membership::None,
            offered: None,
            leaves_when_idle: false,
            ready_at_ns: 0,
            fence: 0,
            mark: 0,
        };
        self.entries[slot as usize] = Some(entry);
        self.processes[index].entry_count += 1;
        allocation.managed.set(managed).expect("invariant: allocations are entered under the pager's lock");
        self.relist(slot);
        slot
    }

    /// Enters an allocation that was created evicted.
    pub(crate) fn adopt_evicted(
        &mut self,
        memory: &ManagerInner,
        process: &ProcessInner,
        allocation: &Allocation,
        content: InitialContent,
    ) {
        let slot = self.adopt(memory, process, allocation);
        let entry = self.entry_mut(slot);
        entry.is_dirty = false;
        entry.has_copy = content == InitialContent::Stored;
    }

    /// Lets an allocation go; returns where it was.
    ///
    /// # Panics
    /// When it is in flight: a bug of the caller.
    pub(crate) fn forget(&mut self, managed: &Managed) -> Place {
        let slot = managed.slot;
        assert!(self.entry(slot).pins == 0, "bug: an allocation is freed while submissions use it");
        self.unlist(slot);
        let entry = self.entries[slot as usize].take().expect("invariant: it was entered");
        let process = &mut self.processes[entry.process];
        process.entry_count -= 1;
        process.taken.retain(|taken| *taken != slot);
        for segment in &mut process.segments {
            segment.policy.forget(slot);
        }
        self.vacant.push(slot);
        let mut place = managed.place.lock();
        let emptied = Place { segment: place.segment, demoted: false, blocks: None };
        core::mem::replace(&mut *place, emptied)
    }

    fn new_slot(&mut self) -> Slot {
        self.vacant.pop().unwrap_or_else(|| {
            self.entries.push(None);
            Slot::try_from(self.entries.len() - 1).expect("invariant: slots are counted in 32 bits")
        })
    }

    fn new_key(&mut self) -> AllocationKey {
        self.last_key += 1;
        AllocationKey(self.last_key.try_into().expect("invariant: it was raised from 0"))
    }

    pub(crate) fn new_mark(&mut self) -> u64 {
        self.last_mark += 1;
        self.last_mark
    }

    /// Puts the allocation into the list it belongs in, as the newest.
    pub(crate) fn relist(&mut self, slot: Slot) {
        let rightful = self.entry(slot).rightful_membership();
        if self.entry(slot).membership == rightful {
            return;
        }
        self.unlist(slot);
        self.enlist(slot, rightful, false);
    }

    /// As [`relist`](Self::relist), as the next to be chosen: its eviction was undone.
    pub(crate) fn relist_as_oldest(&mut self, slot: Slot) {
        self.unlist(slot);
        let rightful = self.entry(slot).rightful_membership();
        self.enlist(slot, rightful, true);
    }

    fn enlist(&mut self, slot: Slot, membership: Membership, as_oldest: bool) {
        let now_ns = self.now_ns;
        let entry = self.entries[slot as usize].as_mut().expect("invariant: it was entered");
        entry.membership = membership;
        let process = &mut self.processes[entry.process];
        let list = match membership {
            Membership::None => return,
            Membership::Candidate(segment) => {
                process.evictable[group_index(entry.desc.node, self.groups[segment.index()])] += entry.size;
                let policy = &mut process.segments[segment.index()].policy;
                if as_oldest {
                    policy.restore(slot, &entry.facts());
                } else {
                    policy.add(slot, &entry.facts(), now_ns);
                }
                return;
            }
            Membership::Required(segment, class) => &mut process.segments[segment.index()].required[class],
            Membership::Demoted(segment, class) => &mut process.segments[segment.index()].demoted[class],
            Membership::Offered(segment, priority) => &mut self.offered[segment.index()][priority as usize],
        };
        if as_oldest {
            self.links.push_oldest(list, slot);
        } else {
            self.links.push_newest(list, slot);
        }
    }

    /// Takes the allocation out of its list.
    pub(crate) fn unlist(&mut self, slot: Slot) {
        let entry = self.entries[slot as usize].as_mut().expect("invariant: it was entered");
        let process = &mut self.processes[entry.process];
        let list = match core::mem::take(&mut entry.membership) {
            Membership::None => return,
            Membership::Candidate(segment) => {
                process.evictable[group_index(entry.desc.node, self.groups[segment.index()])] -= entry.size;
                process.segments[segment.index()].policy.remove(slot);
                return;
            }
            Membership::Required(segment, class) => &mut process.segments[segment.index()].required[class],
            Membership::Demoted(segment, class) => &mut process.segments[segment.index()].demoted[class],
            Membership::Offered(segment, priority) => &mut self.offered[segment.index()][priority as usize],
        };
        self.links.unlink(list, slot);
    }
}

impl Pager {
    /// The group that an allocation counts in while it is in `segment`.
    pub(crate) fn group_of(&self, slot: Slot, segment: SegmentId) -> usize {
        group_index(self.entry(slot).desc.node, self.groups[segment.index()])
    }

    pub(crate) fn group_of_segment(&self, segment: SegmentId) -> SegmentGroup {
        self.groups[segment.index()]
    }
}

/// What asks for the allocation's memory again.
fn desc_of(allocation: &Allocation) -> AllocationDesc {
    AllocationDesc {
        size: allocation.size,
        alignment: allocation.alignment,
        page_size: allocation.page_size,
        node: allocation.node,
        placement: allocation.placement,
        contiguous: allocation.contiguous,
        with_virtual_address: false,
    }
}
