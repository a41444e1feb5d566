//! Samplers and the bind groups that bind them, over one heap or several.

use heapstone_descriptors::{Deferred, UsePoint, Uses};
use heapstone_spec::views::SamplerDesc;
use heapstone_spec::{SdkVersion, limits};

use crate::error::{HeapFull, SamplersError};
use crate::heap::SamplerHeap;
use crate::index_buffers::{IndexBuffers, IndexRange, Run};
use crate::key::NormalizedSampler;

/// What a program's samplers live in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplersDesc {
    /// Descriptors of a heap that are filled: D3D12's 2048 less the 16 that the system keeps
    /// (spec/4-sampler-heap.txt, "it's really 2032").
    pub heap_samplers: u32,
    /// Heaps that there may be, at least 1. With 1 a creation that finds no slot fails.
    pub heaps_max: u32,
    /// Elements of 32 bits of a buffer of indices.
    pub buffer_indices: u32,
    /// The device's, which decides which descriptions are legal.
    pub sdk: SdkVersion,
}

impl Default for SamplersDesc {
    /// One heap of D3D12's size, buffers of 256 KiB (chosen: 4096 groups of 16), the newest SDK.
    fn default() -> SamplersDesc {
        SamplersDesc {
            heap_samplers: limits::SHADER_VISIBLE_SAMPLERS_MAX - 16,
            heaps_max: 1,
            buffer_indices: 1 << 16,
            sdk: SdkVersion::LATEST,
        }
    }
}

/// A sampler, which holds a slot until it is destroyed.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a sampler that is dropped holds its slot for ever"]
pub struct Sampler {
    key: NormalizedSampler,
    heap: u32,
    slot: u32,
}

impl Sampler {
    /// Which heap, and which descriptor of it.
    #[must_use]
    pub const fn place(&self) -> (u32, u32) {
        (self.heap, self.slot)
    }

    /// What makes it what it is.
    #[must_use]
    pub const fn key(&self) -> &NormalizedSampler {
        &self.key
    }
}

/// The number of a bind group. Numbers of groups that are gone name no other group until 2^32 have been at
/// their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId {
    place: u32,
    generation: u32,
}

impl core::fmt::Display for GroupId {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}.{}", self.place, self.generation)
    }
}

/// What a bind group binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupView<'a> {
    /// The heap that must be bound.
    pub heap: u32,
    /// Where its indices lie.
    pub range: IndexRange,
    /// The indices, in the order of its samplers.
    pub indices: &'a [u32],
}

/// A sampler that must be written to a heap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplerWrite {
    /// Which heap; where there is none of that number yet, it is new.
    pub heap: u32,
    /// Which descriptor.
    pub slot: u32,
    /// What it is to hold.
    pub desc: SamplerDesc,
}

/// How full it is. In descriptors, groups, buffers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SamplersStatistics {
    /// Heaps.
    pub heaps: u32,
    /// Slots that samplers or groups hold, over all heaps.
    pub held: u64,
    /// Slots that nobody holds, but that the GPU may read.
    pub waiting: u64,
    /// Bind groups that are alive.
    pub groups: u64,
    /// Runs of indices of groups that are gone, but that the GPU may read.
    pub waiting_groups: u64,
    /// Buffers of indices.
    pub buffers: u64,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    run: Run,
    heap: u32,
    generation: u32,
    uses: Uses,
    is_alive: bool,
}

/// Groups of a piece of the table, which never moves: a table that doubles would hold as many places again.
const PIECE: usize = 1 << 12;

/// A program's samplers and bind groups.
///
/// It writes nothing itself. Before work is submitted the program writes what
/// [`take_sampler_writes`](Self::take_sampler_writes) and [`take_index_writes`](Self::take_index_writes) hand
/// out; none of it is read by work that was submitted before, as long as the program tells of every use and
/// of nothing that is not complete.
#[derive(Debug)]
pub struct Samplers {
    desc: SamplersDesc,
    heaps: Vec<SamplerHeap>,
    indices: IndexBuffers,
    groups: Vec<Box<[Group]>>,
    group_count: u64,
    /// Places that were used and are free; behind the last piece's `next_place` all are.
    free_places: Vec<u32>,
    next_place: u32,
    waiting: Deferred<Run>,
    /// Slots of the group that is being created.
    slots: Vec<u32>,
}

impl Samplers {
    /// Nothing yet, on a GPU that has done nothing.
    ///
    /// # Errors
    /// [`SamplersError::Desc`] where one of the counts is 0.
    pub fn new(desc: SamplersDesc) -> Result<Samplers, SamplersError> {
        for (field, given) in [
            ("heap_samplers", desc.heap_samplers),
            ("heaps_max", desc.heaps_max),
            ("buffer_indices", desc.buffer_indices),
        ] {
            // The greatest number stands for "none" in lists.
            if given == 0 || given == u32::MAX {
                return Err(SamplersError::Desc { field, given, allowed: "1 to 4294967294" });
            }
        }
        Ok(Samplers {
            desc,
            heaps: vec![SamplerHeap::new(desc.heap_samplers)],
            indices: IndexBuffers::new(desc.buffer_indices),
            groups: Vec::new(),
            group_count: 0,
            free_places: Vec::new(),
            next_place: 0,
            waiting: Deferred::default(),
            slots: Vec::new(),
        })
    }

    /// A sampler: the slot of an equal one, or a new one in the first heap that has room.
    ///
    /// # Errors
    /// [`SamplersError::Sampler`], [`SamplersError::Full`].
    #[inline]
    pub fn create_sampler(&mut self, desc: &SamplerDesc) -> Result<Sampler, SamplersError> {
        desc.check(self.desc.sdk)?;
        let key = NormalizedSampler::of(desc);
        let (heap, slot) = match self.heaps[0].acquire(&key) {
            Ok(slot) => (0, slot),
            Err(full) => self.acquire_elsewhere(&key, full)?,
        };
        Ok(Sampler { key, heap, slot })
    }

    #[cold]
    fn acquire_elsewhere(
        &mut self,
        key: &NormalizedSampler,
        full: HeapFull,
    ) -> Result<(u32, u32), SamplersError> {
        for (heap, slots) in (1..).zip(&mut self.heaps[1..]) {
            if let Ok(slot) = slots.acquire(key) {
                return Ok((heap, slot));
            }
        }
        let heap = self.add_heap(full)?;
        let slot = self.newest().acquire(key).expect("invariant: an empty heap has a slot");
        Ok((heap, slot))
    }

    /// A sampler of each description, all of them in one heap: the first one that has room for all, else a new
    /// one. Or none at all.
    ///
    /// # Errors
    /// [`SamplersError::Sampler`] of the first description that is none; [`SamplersError::Full`].
    pub fn create_samplers(&mut self, descs: &[SamplerDesc]) -> Result<Vec<Sampler>, SamplersError> {
        descs.iter().try_for_each(|desc| desc.check(self.desc.sdk))?;
        let keys: Vec<NormalizedSampler> = descs.iter().map(NormalizedSampler::of).collect();
        let heap = self.acquire_together(keys.iter(), 0)?;
        Ok(keys.into_iter().zip(&self.slots).map(|(key, slot)| Sampler { key, heap, slot: *slot }).collect())
    }

    /// Lets go of a sampler. Groups that bind it keep its slots. `points` are uses that no group tells of; most
    /// programs have none.
    ///
    /// # Errors
    /// The sampler, and [`SamplersError::UnknownSampler`] or [`SamplersError::Queue`].
    #[inline]
    pub fn destroy_sampler(
        &mut self,
        sampler: Sampler,
        points: &[UsePoint],
    ) -> Result<(), (Sampler, SamplersError)> {
        let uses = match Uses::of(points) {
            Ok(uses) => uses,
            Err(error) => return Err((sampler, error.into())),
        };
        match self.heaps.get_mut(at(sampler.heap)) {
            Some(heap) if heap.holds(sampler.slot, &sampler.key) => {
                heap.release(sampler.slot, uses);
                Ok(())
            }
            _ => Err((sampler, SamplersError::UnknownSampler)),
        }
    }

    /// A bind group of those samplers, in the order of their indices: by ascending binding, arrays element by
    /// element. All of them get a slot in one heap, or none does.
    ///
    /// The heap is the first sampler's if the others are there or find room; else the first one that has room for
    /// all of them; else a new one.
    ///
    /// # Errors
    /// [`SamplersError::EmptyGroup`], [`SamplersError::GroupTooLarge`], [`SamplersError::UnknownSampler`],
    /// [`SamplersError::Full`], [`SamplersError::TooMany`].
    pub fn create_group(&mut self, samplers: &[&Sampler]) -> Result<GroupId, SamplersError> {
        let Some(first) = samplers.first() else { return Err(SamplersError::EmptyGroup) };
        let count = match u32::try_from(samplers.len()) {
            Ok(count) if count <= self.indices.elements() => count,
            _ => {
                let allowed = self.indices.elements();
                return Err(SamplersError::GroupTooLarge { given: samplers.len(), allowed });
            }
        };
        let mut in_one_heap = true;
        for sampler in samplers {
            let heap = self.heaps.get(at(sampler.heap));
            if !heap.is_some_and(|heap| heap.holds(sampler.slot, &sampler.key)) {
                return Err(SamplersError::UnknownSampler);
            }
            in_one_heap &= sampler.heap == first.heap;
        }
        // What can fail for another reason than slots does so before they are held.
        let place = self.free_place()?;
        let run = self.indices.allocate(count)?;
        let heap = if in_one_heap {
            let heap = &mut self.heaps[at(first.heap)];
            samplers.iter().for_each(|sampler| heap.hold(sampler.slot));
            first.heap
        } else {
            match self.acquire_together(samplers.iter().map(|sampler| &sampler.key), first.heap) {
                Ok(heap) => heap,
                Err(error) => {
                    self.indices.free(run);
                    return Err(error);
                }
            }
        };
        let indices = self.indices.write(self.indices.range(run));
        if in_one_heap {
            for (index, sampler) in indices.iter_mut().zip(samplers) {
                *index = sampler.slot;
            }
        } else {
            indices.copy_from_slice(&self.slots);
        }
        Ok(self.add_group(place, run, heap))
    }

    /// Slots of all of them in one heap, which are put into `self.slots`.
    fn acquire_together<'a>(
        &mut self,
        keys: impl ExactSizeIterator<Item = &'a NormalizedSampler> + Clone,
        preferred: u32,
    ) -> Result<u32, SamplersError> {
        self.slots.clear();
        self.slots.resize(keys.len(), 0);
        let count = u32::try_from(self.heaps.len()).expect("invariant: heaps are at most heaps_max");
        let mut least: Option<HeapFull> = None;
        for heap in core::iter::once(preferred).chain((0..count).filter(|heap| *heap != preferred)) {
            match self.heaps[at(heap)].acquire_all(keys.clone(), &mut self.slots) {
                Ok(()) => return Ok(heap),
                Err(full) => {
                    let missing = |full: &HeapFull| full.new - full.free;
                    if least.is_none_or(|least| missing(&full) < missing(&least)) {
                        least = Some(full);
                    }
                }
            }
        }
        let full = least.expect("invariant: there is a heap");
        let heap = self.add_heap(full)?;
        match self.heaps[at(heap)].acquire_all(keys, &mut self.slots) {
            Ok(()) => Ok(heap),
            // More different ones than any heap has slots: the new one is not kept.
            Err(full) => {
                self.heaps.pop();
                Err(self.full(full))
            }
        }
    }

    fn full(&self, full: HeapFull) -> SamplersError {
        let heaps = u32::try_from(self.heaps.len()).expect("invariant: heaps are at most heaps_max");
        SamplersError::Full { full, heaps, heaps_max: self.desc.heaps_max }
    }

    fn newest(&mut self) -> &mut SamplerHeap {
        self.heaps.last_mut().expect("invariant: there is a heap")
    }

    /// A new heap, where another is allowed beside one that is as full as that.
    fn add_heap(&mut self, full: HeapFull) -> Result<u32, SamplersError> {
        let heap = u32::try_from(self.heaps.len()).expect("invariant: heaps are at most heaps_max");
        if heap == self.desc.heaps_max {
            return Err(self.full(full));
        }
        let mut new = SamplerHeap::new(self.desc.heap_samplers);
        new.begin_at(self.waiting.completed());
        self.heaps.push(new);
        Ok(heap)
    }

    /// A place for a group; it stays free.
    fn free_place(&mut self) -> Result<u32, SamplersError> {
        if let Some(place) = self.free_places.last() {
            return Ok(*place);
        }
        if self.next_place == u32::MAX {
            return Err(SamplersError::TooMany { what: "groups" });
        }
        if at(self.next_place) / PIECE == self.groups.len() {
            let none = Group { run: Run::NONE, heap: 0, generation: 0, uses: Uses::NONE, is_alive: false };
            self.groups.push(vec![none; PIECE].into_boxed_slice());
        }
        Ok(self.next_place)
    }

    fn add_group(&mut self, place: u32, run: Run, heap: u32) -> GroupId {
        if self.free_places.pop().is_none() {
            self.next_place += 1;
        }
        self.group_count += 1;
        let group = &mut self.groups[at(place) / PIECE][at(place) % PIECE];
        let generation = group.generation;
        *group = Group { run, heap, generation, uses: Uses::NONE, is_alive: true };
        GroupId { place, generation }
    }

    #[inline]
    fn alive(&self, id: GroupId) -> Result<&Group, SamplersError> {
        let group = self.groups.get(at(id.place) / PIECE).map(|piece| &piece[at(id.place) % PIECE]);
        group
            .filter(|group| group.is_alive && group.generation == id.generation)
            .ok_or(SamplersError::UnknownGroup(id))
    }

    /// What a group binds.
    ///
    /// # Errors
    /// [`SamplersError::UnknownGroup`].
    pub fn group(&self, id: GroupId) -> Result<GroupView<'_>, SamplersError> {
        let group = self.alive(id)?;
        let range = self.indices.range(group.run);
        Ok(GroupView { heap: group.heap, range, indices: self.indices.indices(range) })
    }

    /// Work that uses the group was submitted: it reads the group until `point`. A list that is recorded and not
    /// submitted is the program's to wait for.
    ///
    /// # Errors
    /// [`SamplersError::UnknownGroup`], [`SamplersError::Queue`].
    #[inline]
    pub fn mark_used(&mut self, id: GroupId, point: UsePoint) -> Result<(), SamplersError> {
        self.alive(id)?;
        self.groups[at(id.place) / PIECE][at(id.place) % PIECE].uses.add(point)?;
        Ok(())
    }

    /// Destroys a group: its slots and its indices are used for others when the GPU has passed what
    /// [`mark_used`](Self::mark_used) told and `points`.
    ///
    /// # Errors
    /// [`SamplersError::UnknownGroup`], [`SamplersError::Queue`].
    pub fn destroy_group(&mut self, id: GroupId, points: &[UsePoint]) -> Result<(), SamplersError> {
        let Group { run, heap, uses, .. } = *self.alive(id)?;
        let uses = Uses::of(points)?.and(uses);
        let heap = &mut self.heaps[at(heap)];
        for slot in self.indices.indices(self.indices.range(run)) {
            heap.release(*slot, uses);
        }
        if let Some(run) = self.waiting.defer(run, uses) {
            self.indices.free(run);
        }
        let group = &mut self.groups[at(id.place) / PIECE][at(id.place) % PIECE];
        group.is_alive = false;
        group.generation = group.generation.wrapping_add(1);
        self.group_count -= 1;
        self.free_places.push(id.place);
        Ok(())
    }

    /// A queue has completed that value. One that is below an earlier one changes nothing.
    ///
    /// # Errors
    /// [`SamplersError::Queue`].
    pub fn complete(&mut self, point: UsePoint) -> Result<(), SamplersError> {
        self.waiting.complete(point, |run| self.indices.free(run))?;
        for heap in &mut self.heaps {
            heap.complete(point)?;
        }
        Ok(())
    }

    /// Hands out each descriptor that must be written before work is submitted that uses what was created.
    pub fn take_sampler_writes(&mut self, mut write: impl FnMut(SamplerWrite)) {
        for (heap, slots) in (0..).zip(&mut self.heaps) {
            slots.take_writes(|slot, desc| write(SamplerWrite { heap, slot, desc: *desc }));
        }
    }

    /// Hands out each run of indices that must be written before work is submitted that uses what was created.
    /// A run may come twice, with the same content.
    pub fn take_index_writes(&mut self, write: impl FnMut(IndexRange, &[u32])) {
        self.indices.take_writes(write);
    }

    /// How full it is.
    #[must_use]
    pub fn statistics(&self) -> SamplersStatistics {
        let sum = |count: fn(&SamplerHeap) -> u32| self.heaps.iter().map(|heap| u64::from(count(heap))).sum();
        let long = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        SamplersStatistics {
            heaps: u32::try_from(self.heaps.len()).expect("invariant: heaps are at most heaps_max"),
            held: sum(SamplerHeap::held_count),
            waiting: sum(SamplerHeap::waiting_count),
            groups: self.group_count,
            waiting_groups: long(self.waiting.len()),
            buffers: long(self.indices.buffer_count()),
        }
    }
}

#[inline]
fn at(index: u32) -> usize {
    // usize has 32 bits at least wherever there is memory for as many.
    usize::try_from(index).unwrap_or(usize::MAX)
}
