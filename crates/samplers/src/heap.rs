//! One heap of deduplicated samplers: slots, who holds them, and when they may be written again.
//!
//! ```text
//!            acquire                release, count 0               the GPU has passed its uses
//!   fresh ------------> held ----------------------> waiting -----------------------> idle
//!                        ^  <----------- acquire -------'                              | |
//!                        |  <----------- acquire of the same sampler ------------------' |
//!                        '-------------- written with another sampler <-- the longest idle
//! ```
//! A slot keeps its sampler until it is written anew, so that what is destroyed and created again is found. Only
//! idle slots are written: nobody holds them, and no list in flight reads them.

use heapstone_descriptors::{Deferred, UnknownQueue, UsePoint, Uses};
use heapstone_spec::views::SamplerDesc;
use rustc_hash::FxHashMap;

use crate::error::HeapFull;
use crate::key::NormalizedSampler;

/// The end of a list of slots.
const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Slot {
    sampler: NormalizedSampler,
    /// Up to where the GPU may read it, of those that let go of it.
    uses: Uses,
    /// Who holds it.
    count: u32,
    /// Neighbours in the list of idle slots, by how long they are idle; meaningless outside it.
    older: u32,
    newer: u32,
    is_idle: bool,
    /// It is among those that wait, maybe for less than its uses by now.
    is_waiting: bool,
    /// Its descriptor is not yet what it should be.
    is_unwritten: bool,
    /// The last batch that counted it.
    batch: u64,
}

/// The slots of a heap.
#[derive(Clone, Debug)]
pub(crate) struct SamplerHeap {
    capacity: u32,
    slots: Vec<Slot>,
    by_sampler: FxHashMap<NormalizedSampler, u32>,
    idle_oldest: u32,
    idle_newest: u32,
    idle_count: u32,
    held_count: u32,
    waiting: Deferred<u32>,
    unwritten: Vec<u32>,
    batches: u64,
}

impl SamplerHeap {
    pub(crate) fn new(capacity: u32) -> SamplerHeap {
        SamplerHeap {
            capacity,
            slots: Vec::new(),
            by_sampler: FxHashMap::default(),
            idle_oldest: NONE,
            idle_newest: NONE,
            idle_count: 0,
            held_count: 0,
            waiting: Deferred::default(),
            unwritten: Vec::new(),
            batches: 0,
        }
    }

    /// Tells a heap without slots what queues have completed.
    pub(crate) fn begin_at(&mut self, completed: &Uses) {
        debug_assert!(self.slots.is_empty());
        self.waiting = Deferred::since(*completed);
    }

    /// Slots that somebody holds.
    pub(crate) const fn held_count(&self) -> u32 {
        self.held_count
    }

    /// Slots that may be written now.
    pub(crate) fn free_count(&self) -> u32 {
        self.capacity - self.slot_count() + self.idle_count
    }

    /// Slots that nobody holds, but that the GPU may read.
    pub(crate) fn waiting_count(&self) -> u32 {
        self.slot_count() - self.held_count - self.idle_count
    }

    fn slot_count(&self) -> u32 {
        u32::try_from(self.slots.len()).expect("invariant: at most the capacity")
    }

    /// Whether `slot` is held for `sampler`.
    #[inline]
    pub(crate) fn holds(&self, slot: u32, sampler: &NormalizedSampler) -> bool {
        self.slots.get(at(slot)).is_some_and(|slot| slot.count != 0 && slot.sampler == *sampler)
    }

    /// Holds a slot of that sampler.
    #[inline]
    pub(crate) fn acquire(&mut self, sampler: &NormalizedSampler) -> Result<u32, HeapFull> {
        if let Some(slot) = self.by_sampler.get(sampler).copied() {
            self.hold(slot);
            return Ok(slot);
        }
        if self.free_count() == 0 {
            return Err(self.full(1, 1));
        }
        Ok(self.write_new(*sampler))
    }

    /// Holds a slot of each, and puts them into `slots`; or, where the heap is too full, none.
    pub(crate) fn acquire_all<'a>(
        &mut self,
        samplers: impl Iterator<Item = &'a NormalizedSampler> + Clone,
        slots: &mut [u32],
    ) -> Result<(), HeapFull> {
        let wanted = u32::try_from(slots.len()).unwrap_or(u32::MAX);
        // Each takes one free slot at most: only near the end it matters which are equal.
        if self.free_count() < wanted {
            let new = self.count_new(samplers.clone());
            if self.free_count() < new {
                return Err(self.full(wanted, new));
            }
        }
        // Those that are there first: a slot that is idle now must not be written for another of the batch.
        for (sampler, slot) in samplers.clone().zip(slots.iter_mut()) {
            *slot = self.by_sampler.get(sampler).copied().unwrap_or(NONE);
            if *slot != NONE {
                self.hold(*slot);
            }
        }
        for (sampler, slot) in samplers.zip(slots.iter_mut()) {
            if *slot == NONE {
                *slot = match self.by_sampler.get(sampler).copied() {
                    Some(equal) => {
                        self.hold(equal);
                        equal
                    }
                    None => self.write_new(*sampler),
                };
            }
        }
        Ok(())
    }

    /// How many free slots a batch takes: one for each sampler that has no slot, or an idle one.
    fn count_new<'a>(&mut self, samplers: impl Iterator<Item = &'a NormalizedSampler>) -> u32 {
        self.batches += 1;
        let mut missing = FxHashMap::default();
        let mut revived = 0;
        for sampler in samplers {
            match self.by_sampler.get(sampler) {
                None => {
                    missing.insert(*sampler, ());
                }
                Some(slot) => {
                    let slot = &mut self.slots[at(*slot)];
                    if slot.is_idle && slot.batch != self.batches {
                        revived += 1;
                    }
                    slot.batch = self.batches;
                }
            }
        }
        u32::try_from(missing.len()).unwrap_or(u32::MAX).saturating_add(revived)
    }

    /// Holds a slot that is held already, or was found by its sampler.
    #[inline]
    pub(crate) fn hold(&mut self, index: u32) {
        let slot = &mut self.slots[at(index)];
        slot.count += 1;
        if slot.count == 1 {
            self.held_count += 1;
            if slot.is_idle {
                self.unlink(index);
            }
        }
    }

    /// A slot that is free, for a sampler that has none.
    fn write_new(&mut self, sampler: NormalizedSampler) -> u32 {
        let index = if self.slot_count() < self.capacity {
            self.slots.push(Slot {
                sampler,
                uses: Uses::NONE,
                count: 0,
                older: NONE,
                newer: NONE,
                is_idle: false,
                is_waiting: false,
                is_unwritten: false,
                batch: 0,
            });
            self.slot_count() - 1
        } else {
            let index = self.idle_oldest;
            self.unlink(index);
            let slot = &mut self.slots[at(index)];
            self.by_sampler.remove(&slot.sampler);
            slot.sampler = sampler;
            slot.uses = Uses::NONE;
            index
        };
        self.by_sampler.insert(sampler, index);
        let slot = &mut self.slots[at(index)];
        slot.count = 1;
        self.held_count += 1;
        if !slot.is_unwritten {
            slot.is_unwritten = true;
            self.unwritten.push(index);
        }
        index
    }

    /// Lets go of a slot that was used as `uses` say.
    #[inline]
    pub(crate) fn release(&mut self, index: u32, uses: Uses) {
        let slot = &mut self.slots[at(index)];
        assert!(slot.count != 0, "bug: slot {index} is let go of more often than it was held");
        slot.uses = slot.uses.and(uses);
        slot.count -= 1;
        if slot.count == 0 {
            self.held_count -= 1;
            self.let_rest(index);
        }
    }

    /// Makes a slot that nobody holds wait, or idle.
    fn let_rest(&mut self, index: u32) {
        let slot = &mut self.slots[at(index)];
        // Where it waits for less by now, it waits again when that is passed.
        if slot.is_waiting {
            return;
        }
        if self.waiting.defer(index, slot.uses).is_some() {
            self.link(index);
        } else {
            slot.is_waiting = true;
        }
    }

    /// A queue has completed that value.
    pub(crate) fn complete(&mut self, point: UsePoint) -> Result<(), UnknownQueue> {
        let mut ready = Vec::new();
        self.waiting.complete(point, |slot| ready.push(slot))?;
        for index in ready {
            let slot = &mut self.slots[at(index)];
            slot.is_waiting = false;
            if slot.count == 0 {
                self.let_rest(index);
            }
        }
        Ok(())
    }

    fn link(&mut self, index: u32) {
        let newest = self.idle_newest;
        let slot = &mut self.slots[at(index)];
        (slot.is_idle, slot.older, slot.newer) = (true, newest, NONE);
        match newest {
            NONE => self.idle_oldest = index,
            newest => self.slots[at(newest)].newer = index,
        }
        self.idle_newest = index;
        self.idle_count += 1;
    }

    fn unlink(&mut self, index: u32) {
        let slot = &mut self.slots[at(index)];
        slot.is_idle = false;
        let (older, newer) = (slot.older, slot.newer);
        match older {
            NONE => self.idle_oldest = newer,
            older => self.slots[at(older)].newer = newer,
        }
        match newer {
            NONE => self.idle_newest = older,
            newer => self.slots[at(newer)].older = older,
        }
        self.idle_count -= 1;
    }

    /// Hands out each slot whose descriptor must be written, with what belongs there.
    pub(crate) fn take_writes(&mut self, mut write: impl FnMut(u32, &SamplerDesc)) {
        for index in self.unwritten.drain(..) {
            let slot = &mut self.slots[at(index)];
            slot.is_unwritten = false;
            write(index, &slot.sampler.desc());
        }
    }

    #[cold]
    fn full(&self, wanted: u32, new: u32) -> HeapFull {
        HeapFull {
            wanted,
            new,
            free: self.free_count(),
            held: self.held_count,
            waiting: self.waiting_count(),
            capacity: self.capacity,
        }
    }
}

#[inline]
fn at(slot: u32) -> usize {
    // Slots are at most 2^32 - 1, and usize has 32 bits at least where there is memory for them.
    usize::try_from(slot).unwrap_or(usize::MAX)
}
