//! Making room: the pressure ladder, and how what it did is undone.
//!
//! ```text
//!   place --no room--> 1 discard what is offered: low, normal, high
//!                      2 evict what nobody needs, as the policies say
//!                      3 demote what is needed less to system memory
//!                      4 place it in system memory itself, after 1 and 2 there
//!                      5 suspend processes in the background
//!                      6 refuse: out of video memory; or, with unified memory that is only fragmented, take the device
//! ```
//! Before 2 to 4 take anything for a contiguous range, compaction tries to make one of the bytes that are free.
//!
//! Processes give in this order: those over their budget before those within; of each, background, then compositor,
//! then foreground. Only processes over their budget are demoted for others; a process's own allocations are demoted
//! for those of a higher priority class: among equals who is there stays, so that nothing is swapped back and forth. What may not be demoted, or is in flight, stays.
//! All that a call did is undone when it fails in the end.

use heapstone_units::ByteRange;

use crate::allocation::Place;
use crate::budget::ProcessRole;
use crate::config::MemoryPool;
use crate::error::{AllocateError, OutOfVideoMemory, Shortage};
use crate::home::Home;
use crate::manager::{ManagerInner, Placed};
use crate::paging::{PagingOperation, PagingPlace};
use crate::range_allocator::Owner;
use crate::segment::SegmentId;
use crate::sharded::Blocks;

use super::error::ProcessRemoval;
use super::links::Slot;
use super::offer::OfferPriority;
use super::pager::Pager;
use crate::AllocationDesc;

/// What a call has done so far: to be queued, or to be undone.
#[derive(Debug, Default)]
pub(crate) struct Transaction {
    operations: Vec<PagingOperation>,
    steps: Vec<Step>,
    pub(crate) moves: Moves,
    /// Bit n: an injected fault kept what is placed now out of segment n.
    refused: u64,
}

/// What the operations alone do not tell.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    pub(crate) demotion_count: u64,
    pub(crate) bytes_demoted: u64,
    pub(crate) promotion_count: u64,
    pub(crate) bytes_promoted: u64,
    pub(crate) suspension_count: u64,
}

/// What can be undone.
#[derive(Debug)]
enum Step {
    /// An allocation came into memory.
    In {
        slot: Slot,
        /// The segment that it was in before it was evicted.
        segment: SegmentId,
    },
    /// An allocation left memory.
    Out { slot: Slot, before: Before },
    /// An allocation went elsewhere within memory.
    Moved { slot: Slot, before: Before },
    /// A process was suspended.
    Suspended { index: usize },
}

/// What an allocation was before it left its place.
#[derive(Debug)]
struct Before {
    segment: SegmentId,
    is_demoted: bool,
    ranges: Box<[ByteRange]>,
    is_dirty: bool,
    has_copy: bool,
    is_lost: bool,
}

impl Before {
    fn place(&self) -> PagingPlace {
        PagingPlace::Segment { segment: self.segment, ranges: self.ranges.clone() }
    }
}

/// For whom room is made.
#[derive(Clone, Copy, Debug)]
struct Asker {
    /// Its process's place in the table, where it has one.
    process: Option<usize>,
    /// The priority class of what it wants to place.
    class: usize,
}

/// What is to be placed.
#[derive(Clone, Copy, Debug)]
struct Wanted<'a> {
    desc: &'a AllocationDesc,
    /// Bytes, in whole pages.
    size: u64,
    owner: Owner,
    asker: Asker,
}

impl Pager {
    /// Queues what was done, as one batch.
    #[inline]
    pub(crate) fn commit(&mut self, transaction: &mut Transaction) {
        // Most calls find everything as they want it.
        if !transaction.operations.is_empty() {
            self.commit_batch(core::mem::take(transaction));
        }
    }

    #[inline(never)]
    fn commit_batch(&mut self, transaction: Transaction) {
        let Transaction { operations, steps, moves, .. } = transaction;
        let (value, at_ns) = self.queue.submit(operations, self.now_ns);
        for step in steps {
            if let Step::In { slot, .. } | Step::Moved { slot, .. } = step {
                let entry = self.entry_mut(slot);
                entry.fence = value;
                entry.ready_at_ns = at_ns;
            }
        }
        let statistics = &mut self.queue.statistics;
        statistics.demotion_count += moves.demotion_count;
        statistics.bytes_demoted = statistics.bytes_demoted.saturating_add(moves.bytes_demoted);
        statistics.promotion_count += moves.promotion_count;
        statistics.bytes_promoted = statistics.bytes_promoted.saturating_add(moves.bytes_promoted);
        statistics.suspension_count += moves.suspension_count;
    }

    /// Makes everything as it was. What finds its place taken by an allocation of another thread stays away.
    pub(crate) fn undo(&mut self, memory: &ManagerInner, transaction: Transaction) {
        let mut lost = Transaction::default();
        for step in transaction.steps.into_iter().rev() {
            match step {
                Step::In { slot, segment } => {
                    self.take_away(memory, slot);
                    self.entry(slot).managed.place.lock().segment = segment;
                    self.relist(slot);
                }
                Step::Out { slot, before } => self.put_back(memory, slot, before, &mut lost),
                Step::Moved { slot, before } => {
                    self.take_away(memory, slot);
                    self.put_back(memory, slot, before, &mut lost);
                }
                Step::Suspended { index } => {
                    self.processes[index].suspended_until_ns = None;
                    self.processes[index].taken.clear();
                }
            }
        }
        self.commit(&mut lost);
    }

    fn put_back(&mut self, memory: &ManagerInner, slot: Slot, before: Before, lost: &mut Transaction) {
        let owner = self.entry(slot).owner;
        let space = &memory.segment(before.segment).space;
        let mut parts = Vec::with_capacity(before.ranges.len());
        for range in &before.ranges {
            match space.allocate_at(*range, owner) {
                Ok(blocks) => parts.push(blocks),
                Err(_) => break,
            }
        }
        if parts.len() < before.ranges.len() {
            parts.into_iter().for_each(|blocks| space.free(blocks));
            let key = self.entry(slot).managed.key;
            let bytes = self.entry(slot).size;
            let from = PagingPlace::Segment { segment: before.segment, ranges: before.ranges };
            lost.operations.push(PagingOperation::Transfer {
                allocation: key,
                from,
                to: PagingPlace::BackingStore,
                bytes,
            });
            let entry = self.entry_mut(slot);
            entry.has_copy = true;
            entry.is_dirty = false;
            return;
        }
        let blocks = Blocks::joined(parts);
        self.set_place(memory, slot, before.segment, before.is_demoted, blocks);
        let entry = self.entry_mut(slot);
        entry.is_dirty = before.is_dirty;
        entry.has_copy = before.has_copy;
        if let Some(offered) = &mut entry.offered {
            offered.is_lost = before.is_lost;
        }
        self.relist_as_oldest(slot);
    }

    /// Notes where an allocation is from now on.
    fn set_place(
        &mut self,
        memory: &ManagerInner,
        slot: Slot,
        segment: SegmentId,
        is_demoted: bool,
        blocks: Option<Blocks>,
    ) {
        let group = self.group_of(slot, segment);
        let entry = self.entry_mut(slot);
        entry.segment = blocks.is_some().then_some(segment);
        entry.is_demoted = is_demoted;
        let (process, size) = (entry.process, entry.size);
        *entry.managed.place.lock() = Place { segment, demoted: is_demoted, blocks };
        self.processes[process].usage.add(Home::in_manager(memory.identity), group, size);
    }

    /// Takes an allocation's memory; returns what it was.
    fn take_away(&mut self, memory: &ManagerInner, slot: Slot) -> Before {
        self.unlist(slot);
        let entry = self.entry_mut(slot);
        let segment = entry.segment.take().expect("invariant: it is in memory");
        let is_demoted = core::mem::take(&mut entry.is_demoted);
        let (process, size) = (entry.process, entry.size);
        let blocks = {
            let mut place = entry.managed.place.lock();
            place.demoted = false;
            place.blocks.take().expect("invariant: it is in memory")
        };
        let before = Before {
            segment,
            is_demoted,
            ranges: blocks.ranges().collect(),
            is_dirty: entry.is_dirty,
            has_copy: entry.has_copy,
            is_lost: entry.offered.is_some_and(|offered| offered.is_lost),
        };
        memory.segment(segment).space.free(blocks);
        let group = self.group_of(slot, segment);
        self.processes[process].usage.subtract(Home::in_manager(memory.identity), group, size);
        before
    }

    /// An allocation leaves memory, which it is in.
    pub(crate) fn page_out(&mut self, memory: &ManagerInner, slot: Slot, transaction: &mut Transaction) {
        let before = self.take_away(memory, slot);
        let entry = self.entry_mut(slot);
        let (allocation, bytes) = (entry.managed.key, entry.size);
        let from = before.place();
        let operation = match &mut entry.offered {
            Some(offered) => {
                offered.is_lost = true;
                entry.has_copy = false;
                entry.is_dirty = false;
                PagingOperation::Discard { allocation, place: from, bytes }
            }
            None if entry.is_dirty => {
                entry.has_copy = true;
                entry.is_dirty = false;
                PagingOperation::Transfer { allocation, from, to: PagingPlace::BackingStore, bytes }
            }
            None => PagingOperation::Discard { allocation, place: from, bytes },
        };
        transaction.operations.push(operation);
        transaction.steps.push(Step::Out { slot, before });
    }

    /// An allocation comes into memory, in which it is not; room is made.
    pub(crate) fn page_in(
        &mut self,
        memory: &ManagerInner,
        slot: Slot,
        transaction: &mut Transaction,
    ) -> Result<(), Box<OutOfVideoMemory>> {
        let entry = self.entry(slot);
        let (desc, size, owner) = (entry.desc, entry.size, entry.owner);
        let asker = Asker { process: Some(entry.process), class: entry.priority.class() };
        let last_segment = entry.managed.place.lock().segment;
        let wanted = Wanted { desc: &desc, size, owner, asker };
        transaction.refused = 0;
        let placed = self.place(memory, wanted, transaction);
        let placed = placed.ok_or_else(|| shortage(memory, &desc, transaction.refused))?;
        let ranges = placed.blocks.ranges().collect();
        let place = PagingPlace::Segment { segment: placed.segment, ranges };
        self.set_place(memory, slot, placed.segment, placed.demoted, Some(placed.blocks));
        let entry = self.entry(slot);
        let (allocation, bytes) = (entry.managed.key, entry.size);
        transaction.operations.push(if entry.has_copy {
            PagingOperation::Transfer { allocation, from: PagingPlace::BackingStore, to: place, bytes }
        } else {
            PagingOperation::Fill { allocation, place, bytes, pattern: 0 }
        });
        transaction.steps.push(Step::In { slot, segment: last_segment });
        self.relist(slot);
        Ok(())
    }

    /// Climbs the ladder for an allocation that is being created and found no place in `pools`.
    pub(crate) fn place_created(
        &mut self,
        memory: &ManagerInner,
        desc: &AllocationDesc,
        size: u64,
        owner: Owner,
        is_last_resort: bool,
    ) -> Option<Placed> {
        let class = super::priority::ResidencyPriority::NORMAL.class();
        let asker = Asker { process: self.find_process(owner), class };
        let wanted = Wanted { desc, size, owner, asker };
        let mut transaction = Transaction::default();
        let placed = if is_last_resort {
            self.place(memory, wanted, &mut transaction)
        } else {
            self.place_in_pool(memory, wanted, desc.placement.pool(), &mut transaction)
        };
        match placed {
            Some(placed) => {
                self.commit(&mut transaction);
                Some(placed)
            }
            None => {
                self.undo(memory, transaction);
                None
            }
        }
    }

    /// Places `size` bytes, making room by every rung of the ladder.
    fn place(
        &mut self,
        memory: &ManagerInner,
        wanted: Wanted<'_>,
        transaction: &mut Transaction,
    ) -> Option<Placed> {
        loop {
            for pool in wanted.desc.placement.pools() {
                let placed = self.place_in_pool(memory, wanted, *pool, transaction);
                if placed.is_some() {
                    return placed;
                }
            }
            if !self.suspend_somebody(memory, wanted.asker, transaction) {
                return None;
            }
        }
    }

    fn place_in_pool(
        &mut self,
        memory: &ManagerInner,
        wanted: Wanted<'_>,
        pool: MemoryPool,
        transaction: &mut Transaction,
    ) -> Option<Placed> {
        let Wanted { desc, size, owner, asker } = wanted;
        for id in memory.candidates_in(desc, pool) {
            if memory.refuses(crate::AllocationStep::Place(*id)) {
                transaction.refused |= 1 << id.index().min(63);
                continue;
            }
            if let Some(placed) = memory.place_in_segment(*id, desc, size, owner) {
                return Some(placed);
            }
            // What is larger than the segment is not worth a victim.
            if size > memory.segment(*id).info.size {
                continue;
            }
            loop {
                if desc.contiguous {
                    self.compact(memory, *id, size, desc, transaction);
                }
                if let Some(placed) = memory.place_in_segment(*id, desc, size, owner) {
                    return Some(placed);
                }
                if !self.make_room(memory, *id, size, asker, transaction) {
                    break;
                }
            }
        }
        None
    }

    /// Takes victims out of a segment until `size` bytes of it are free, at least one. Whether any was taken.
    fn make_room(
        &mut self,
        memory: &ManagerInner,
        segment: SegmentId,
        size: u64,
        asker: Asker,
        transaction: &mut Transaction,
    ) -> bool {
        let order = self.giving_order(segment);
        let mut is_any_taken = false;
        loop {
            let space = &memory.segment(segment).space;
            let free = space.capacity().saturating_sub(space.used());
            if is_any_taken && free >= size {
                return true;
            }
            let need = size.saturating_sub(free);
            if let Some(victim) = self.victim(segment, need, &order) {
                self.page_out(memory, victim, transaction);
            } else if !self.demote_one(memory, segment, asker, &order, transaction) {
                return is_any_taken && free >= size;
            }
            is_any_taken = true;
        }
    }

    /// Processes in the order in which they give: see the module's documentation.
    fn giving_order(&self, segment: SegmentId) -> Vec<usize> {
        let group = self.group_of_segment(segment);
        let mut order: Vec<usize> = self.live_processes().collect();
        order.sort_by_key(|index| {
            let process = &self.processes[*index];
            (!process.is_over_budget(group), giving_rank(process.role), process.owner)
        });
        order
    }

    /// Rungs 1 and 2.
    fn victim(&mut self, segment: SegmentId, need: u64, order: &[usize]) -> Option<Slot> {
        let lists = &self.offered[segment.index()];
        if let Some(offered) = OfferPriority::ALL.iter().find_map(|level| lists[*level as usize].oldest()) {
            return Some(offered);
        }
        order.iter().find_map(|index| self.processes[*index].segments[segment.index()].policy.choose(need))
    }

    /// Rung 3: demotes one allocation; whether there was one, and a place for it.
    fn demote_one(
        &mut self,
        memory: &ManagerInner,
        segment: SegmentId,
        asker: Asker,
        order: &[usize],
        transaction: &mut Transaction,
    ) -> bool {
        if memory.segment(segment).info.pool != MemoryPool::L1 {
            return false;
        }
        let Some(slot) = self.demotion_victim(segment, asker, order) else { return false };
        let entry = self.entry(slot);
        let (desc, size, owner) = (entry.desc, entry.size, entry.owner);
        let Some(placed) = self.place_demoted(memory, &desc, size, owner, transaction) else { return false };
        transaction.moves.demotion_count += 1;
        transaction.moves.bytes_demoted = transaction.moves.bytes_demoted.saturating_add(size);
        self.move_to(memory, slot, placed, transaction);
        true
    }

    fn demotion_victim(&self, segment: SegmentId, asker: Asker, order: &[usize]) -> Option<Slot> {
        let group = self.group_of_segment(segment);
        for index in order {
            let process = &self.processes[*index];
            let is_asker = asker.process == Some(*index);
            if !is_asker && !process.is_over_budget(group) {
                continue;
            }
            let lists = process.segments[segment.index()].required.iter().enumerate();
            let mut allowed = lists.filter(|(class, _)| !is_asker || *class < asker.class);
            if let Some(slot) = allowed.find_map(|(_, list)| list.oldest()) {
                return Some(slot);
            }
        }
        None
    }

    /// A place in system memory for what is demoted; what nobody needs there gives way.
    fn place_demoted(
        &mut self,
        memory: &ManagerInner,
        desc: &AllocationDesc,
        size: u64,
        owner: Owner,
        transaction: &mut Transaction,
    ) -> Option<Placed> {
        for id in memory.candidates_in(desc, MemoryPool::L0) {
            if memory.refuses(crate::AllocationStep::Place(*id)) {
                continue;
            }
            loop {
                if let Some(placed) = memory.place_in_segment(*id, desc, size, owner) {
                    return Some(placed);
                }
                let space = &memory.segment(*id).space;
                let need = size.saturating_sub(space.capacity().saturating_sub(space.used()));
                let order = self.giving_order(*id);
                let Some(victim) = self.victim(*id, need, &order) else { break };
                self.page_out(memory, victim, transaction);
            }
        }
        None
    }

    /// Rung 5: takes all from a process in the background; whether there was one.
    fn suspend_somebody(
        &mut self,
        memory: &ManagerInner,
        asker: Asker,
        transaction: &mut Transaction,
    ) -> bool {
        let mut background: Vec<usize> = self
            .live_processes()
            .filter(|index| {
                let process = &self.processes[*index];
                asker.process != Some(*index)
                    && process.role == ProcessRole::Background
                    && process.suspended_until_ns.is_none()
                    && process.removed.is_none()
            })
            .collect();
        background.sort_by_key(|index| self.processes[*index].owner);
        for index in background {
            let slots = self.slots_of(index, |entry| entry.segment.is_some() && entry.pins == 0);
            if slots.is_empty() {
                continue;
            }
            self.processes[index].suspended_until_ns =
                Some(self.now_ns.saturating_add(self.config.suspension_ns));
            transaction.steps.push(Step::Suspended { index });
            transaction.moves.suspension_count += 1;
            for slot in slots {
                if self.entry(slot).count > 0 {
                    self.processes[index].taken.push(slot);
                }
                self.page_out(memory, slot, transaction);
            }
            return true;
        }
        false
    }

    /// The slots of a process that fulfil a condition, in order.
    pub(crate) fn slots_of(
        &self,
        index: usize,
        mut condition: impl FnMut(&super::entry::Entry) -> bool,
    ) -> Vec<Slot> {
        let entries = (0..).zip(&self.entries);
        entries
            .filter_map(|(slot, entry)| Some((slot, entry.as_ref()?)))
            .filter(|(_, entry)| entry.process == index && condition(entry))
            .map(|(slot, _)| slot)
            .collect()
    }

    /// Why a process loses its device that needs what found no place. With unified memory there is no segment to demote
    /// anything to, so that fragmentation ends it (facts/residency.md, Pressure ladder). Not while work is in flight:
    /// what that uses stays where it is now, and moves later (chosen). `None`: it does not lose it.
    pub(crate) fn removal_by(
        &self,
        memory: &ManagerInner,
        shortage: &OutOfVideoMemory,
    ) -> Option<ProcessRemoval> {
        let of_kind = |kind| shortage.segments.iter().any(|segment| segment.shortage == kind);
        let is_fragmented = memory.is_uma() && of_kind(Shortage::Fragmented) && !of_kind(Shortage::Injected);
        let is_in_flight = || self.entries.iter().flatten().any(|entry| entry.pins > 0);
        (is_fragmented && !is_in_flight()).then_some(ProcessRemoval::Fragmentation)
    }

    /// Moves an allocation within memory, to `placed`.
    pub(crate) fn move_to(
        &mut self,
        memory: &ManagerInner,
        slot: Slot,
        placed: Placed,
        transaction: &mut Transaction,
    ) {
        let allocation = self.entry(slot).managed.key;
        let bytes = self.entry(slot).size;
        let before = self.take_away(memory, slot);
        let from = before.place();
        let to = PagingPlace::Segment { segment: placed.segment, ranges: placed.blocks.ranges().collect() };
        transaction.operations.push(PagingOperation::Transfer { allocation, from, to, bytes });
        transaction.steps.push(Step::Moved { slot, before });
        self.set_place(memory, slot, placed.segment, placed.demoted, Some(placed.blocks));
        self.relist(slot);
    }

    /// Whether an allocation may be moved within its segment now.
    pub(crate) fn is_movable(&self, slot: Slot) -> bool {
        self.entry(slot).pins == 0
    }
}

fn giving_rank(role: ProcessRole) -> u8 {
    match role {
        ProcessRole::Background => 0,
        ProcessRole::Compositor => 1,
        ProcessRole::Foreground => 2,
    }
}

/// `refused`: as of [`Transaction`].
fn shortage(memory: &ManagerInner, desc: &AllocationDesc, refused: u64) -> Box<OutOfVideoMemory> {
    let candidates = memory.candidates(desc).unwrap_or_default();
    let of_candidates = candidates
        .iter()
        .enumerate()
        .fold(0, |bits, (candidate, id)| bits | (refused >> id.index().min(63) & 1) << candidate.min(63));
    match memory.out_of_video_memory(desc, of_candidates) {
        AllocateError::OutOfVideoMemory(shortage) => shortage,
        error => unreachable!("bug: an allocation that was placed before has nowhere to be: {error}"),
    }
}
