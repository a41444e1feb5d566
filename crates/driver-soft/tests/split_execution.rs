//! DMA buffers that are split to fit a small segment, against a model with all the memory there is: every byte of every
//! allocation is compared, with freed memory poisoned.
#![cfg(not(miri))]
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::sync::Arc;

use common::gpu::{at, buffer, bytes_at, direct, pitched, subresource, surfaces_of, texture_at};
use common::memory_model::Model;
use common::{Adapter, Random};
use heapstone_driver::dma::patched::{PatchedBuffer, PatchedError, PatchedOptions, SlotBinding};
use heapstone_driver::dma::{Command, DmaAllocation, DmaBuffer};
use heapstone_driver::engine::EngineFault;
use heapstone_driver::paging::{PagingEngine, PatchedQueue, SplitRun};
use heapstone_driver::{Backing, Driver, DriverError};
use heapstone_driver_soft::{PagingBytes, SoftDriverOptions};
use heapstone_kernel::dma_split::{
    PlannedPaging, PlannedPagingKind, SearchLimits, SegmentPlacement, SplitAllocation, SplitPlan,
    SplitRequest, SplitSegment, plan,
};
use heapstone_kernel::{AllocationKey, PageSize, PagingOperation, PagingPlace, SegmentId};
use heapstone_layout::swizzle::Surface;
use heapstone_spec::commands::{PredicationOp, WriteBufferImmediateMode};
use heapstone_spec::{Format, ResourceDesc};
use heapstone_units::{Alignment, ByteRange};

const PAGE: u64 = 4 << 10;
const SEGMENT: u64 = 1 << 20;

fn key(allocation: u32) -> AllocationKey {
    AllocationKey(NonZeroU64::new(u64::from(allocation) + 1).unwrap())
}

fn address(allocation: u32) -> u64 {
    0x1_0000_0000 * (u64::from(allocation) + 1)
}

/// Engines over an adapter, and the bytes of the program's allocations.
struct World {
    segment: SegmentId,
    paging: Box<dyn PagingEngine>,
    queue: Box<dyn PatchedQueue>,
    random: Random,
    list: Vec<DmaAllocation>,
    model: Model,
}

impl World {
    fn new(seed: u64) -> World {
        let adapter = Adapter::new(
            Backing::Host,
            SEGMENT,
            SoftDriverOptions { poison: true, paging_bytes: PagingBytes::InPlace },
        );
        let allocation = adapter.allocate(1 << 16, PageSize::SixtyFourKib);
        let segment = allocation.segment();
        adapter.free(allocation);
        World {
            segment,
            paging: adapter.driver.create_paging_engine().unwrap(),
            queue: adapter.driver.create_patched_queue(&direct()).unwrap(),
            random: Random(seed),
            list: Vec::new(),
            model: Model::default(),
        }
    }

    fn below(&mut self, bound: u32) -> u32 {
        u32::try_from(self.random.below(u64::from(bound))).unwrap()
    }

    /// Adds an allocation of random bytes, which the backing store has.
    fn add(&mut self, size: u64, surfaces: Option<&Arc<[Surface]>>) -> u32 {
        let index = u32::try_from(self.list.len()).unwrap();
        let entry = match surfaces {
            Some(surfaces) => DmaAllocation { size, ..texture_at(address(index), surfaces) },
            None => bytes_at(address(index), size),
        };
        let bytes: Vec<u8> = (0..size).map(|_| self.random.next().to_le_bytes()[0]).collect();
        self.paging.store(key(index), &bytes);
        self.list.push(entry);
        self.model.heaps.push((address(index), bytes));
        index
    }

    fn size(&self, allocation: u32) -> u64 {
        self.list[allocation as usize].size
    }

    /// Random commands on the buffers below `buffers`, and between texture `texture` and them.
    fn commands(&mut self, count: usize, buffers: u32, texture: u32, surface: &Surface) -> Vec<Command> {
        (0..count).map(|_| self.command(buffers, texture, surface)).collect()
    }

    fn command(&mut self, buffers: u32, texture: u32, surface: &Surface) -> Command {
        let (to, from) = (self.below(buffers), self.below(buffers));
        let place = |world: &mut World, allocation: u32, size: u64, step: u64| {
            let room = (world.size(allocation) - size) / step + 1;
            at(allocation, address(allocation) + world.random.below(room) * step)
        };
        match self.below(10) {
            0..=4 => {
                let size = 1 + self.random.below(self.size(to).min(self.size(from)));
                let destination = place(self, to, size, 1);
                Command::CopyBuffer { destination, source: place(self, from, size, 1), size }
            }
            5 => Command::Write {
                destination: place(self, to, 4, 4),
                value: self.below(u32::MAX),
                mode: WriteBufferImmediateMode::Default,
            },
            6 => {
                let is_set = self.below(2) == 0;
                let op =
                    if self.below(2) == 0 { PredicationOp::EqualZero } else { PredicationOp::NotEqualZero };
                Command::SetPredication { value: is_set.then(|| place(self, from, 8, 8)), op }
            }
            7 => Command::Fill {
                destination: pitched(to, address(to), 256, 1024),
                origin: [self.below(8), self.below(2), 0],
                size: [8, 2, 1],
                element_bytes_log2: 2,
                samples_log2: 0,
                value: [self.below(u32::MAX); 4],
                period: 1,
            },
            kind => {
                let image = subresource(texture, address(texture), 0);
                let rows = pitched(to, address(to), 256, 4096);
                let (destination, source) = if kind == 8 { (image, rows) } else { (rows, image) };
                let (width, height) =
                    (u32::try_from(surface.elements.width).unwrap(), surface.elements.height);
                let size = [1 + self.below(width.min(16)), 1 + self.below(height.min(8)), 1];
                let origin = [self.below(width - size[0] + 1), self.below(height - size[1] + 1), 0];
                let none = [0; 3];
                let (to, from) = if kind == 8 { (origin, none) } else { (none, origin) };
                Command::CopyRegion {
                    destination,
                    destination_origin: to,
                    source,
                    source_origin: from,
                    size,
                    element_bytes_log2: surface.element_bytes_log2,
                    samples_log2: 0,
                    mask: u32::MAX,
                }
            }
        }
    }

    fn plan(&self, buffer: &PatchedBuffer, size: u64, occupied: &[ByteRange]) -> Option<SplitPlan> {
        let allocation = |allocation: &DmaAllocation| SplitAllocation {
            size: allocation.size,
            alignment: Alignment::constant(PAGE),
            residency: None,
        };
        let allocations: Vec<SplitAllocation> = buffer.allocations().iter().map(allocation).collect();
        let segment =
            SplitSegment { size, placement: SegmentPlacement::Contiguous, occupied: occupied.to_vec() };
        let request = SplitRequest {
            dma_buffer_size: buffer.size(),
            allocation_list: buffer.allocation_list(),
            patch_locations: buffer.patch_locations(),
            slot_count: buffer.slot_count(),
            allocations: &allocations,
            segment: &segment,
            limits: SearchLimits { steps_max: 50_000 },
        };
        plan(&request).ok()
    }

    fn run(&mut self, plan: &SplitPlan, buffer: &PatchedBuffer) -> Result<(), EngineFault> {
        // A page of paging buffer: long batches take several passes.
        let mut run = SplitRun::new(plan, buffer.clone(), self.segment).with_paging_buffers(4 << 10);
        while run.run_part(self.paging.as_mut(), self.queue.as_mut(), key)? {}
        self.page_out(plan);
        Ok(())
    }

    /// Writes what is resident back.
    fn page_out(&mut self, plan: &SplitPlan) {
        for (allocation, residency) in (0..).zip(&plan.residency) {
            let Some(residency) = residency else { continue };
            let place = PagingPlace::Segment { segment: self.segment, ranges: residency.ranges.clone() };
            let (allocation, bytes) = (key(allocation), self.size(allocation));
            let operation = if residency.is_dirty {
                PagingOperation::Transfer { allocation, from: place, to: PagingPlace::BackingStore, bytes }
            } else {
                PagingOperation::Discard { allocation, place, bytes }
            };
            self.paging.page(&[operation]).unwrap();
        }
    }

    /// The allocations whose bytes are not the model's.
    fn wrong(&self) -> Vec<u32> {
        let bytes = |allocation: u32| {
            let mut bytes = vec![0; usize::try_from(self.size(allocation)).unwrap()];
            self.paging.load(key(allocation), &mut bytes);
            bytes
        };
        let all = (0..).zip(&self.model.heaps);
        all.filter(|(allocation, (_, want))| bytes(*allocation) != *want)
            .map(|(allocation, _)| allocation)
            .collect()
    }

    fn run_model(&mut self, commands: &[Command]) {
        self.model.leaves_out = false;
        for command in commands {
            self.model.run(&self.list, command);
        }
    }
}

/// A world of buffers of 1 to 4 pages and one texture.
fn random_world(seed: u64, buffers: u32) -> (World, u32, Surface) {
    let mut world = World::new(seed);
    for _ in 0..buffers {
        let pages = 1 + world.random.below(4);
        world.add(pages * PAGE, None);
    }
    let desc = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 40, 20);
    let surfaces = surfaces_of("integrated-uma", &desc);
    let size = surfaces.iter().map(|surface| surface.offset + surface.size).max().unwrap();
    let texture = world.add(size.next_multiple_of(PAGE), Some(&surfaces));
    (world, texture, surfaces[0].clone())
}

fn options(slot_count: u32, large_size: u64) -> PatchedOptions {
    PatchedOptions { slot_count, large_size, page: Alignment::ONE, binding: SlotBinding::UntilLastUse }
}

#[test]
fn split_execution_leaves_what_an_unsplit_one_leaves() {
    let (mut split_count, mut part_count, mut moved) = (0, 0, 0);
    for seed in 0..60 {
        let (mut world, texture, surface) = random_world(seed, 12);
        let commands = world.commands(60, 12, texture, &surface);
        let dma = buffer(&world.list, &commands);
        let slot_count = 2 + world.below(6);
        let large = [PAGE, 3 * PAGE, u64::MAX][world.random.index(3)];
        let binding = [SlotBinding::UntilLastUse, SlotBinding::ForOneCommand][world.random.index(2)];
        let options = PatchedOptions { binding, ..options(slot_count, large) };
        let patched = PatchedBuffer::compile(&dma, options).unwrap();
        // From as little as any two allocations need to room for everything.
        let pages = world.size(texture) / PAGE + 6 + world.random.below(24);
        let occupied = [ByteRange::new(2 * PAGE, 3 * PAGE)];
        let Some(plan) = world.plan(&patched, pages * PAGE, &occupied) else { continue };
        world.run(&plan, &patched).unwrap();
        world.run_model(&commands);
        assert_eq!(world.wrong(), [], "seed {seed}: {} parts", plan.parts.len());
        split_count += usize::from(plan.parts.len() > 1);
        part_count += plan.parts.len();
        moved += plan.bytes_moved;
        let statistics = world.paging.statistics();
        assert!(statistics.bytes_paged_in >= plan.bytes_paged_in);
        assert!(world.queue.time_ns() >= statistics.busy_ns / 2 && statistics.busy_ns > 0);
    }
    assert!(split_count > 30 && part_count > 100 && moved > 0, "{split_count} {part_count} {moved}");
}

#[test]
fn an_unsplit_run_is_one_part() {
    let (mut world, texture, surface) = random_world(7, 12);
    let commands = world.commands(200, 12, texture, &surface);
    let patched = PatchedBuffer::compile(&buffer(&world.list, &commands), options(16, u64::MAX)).unwrap();
    let plan = world.plan(&patched, SEGMENT, &[]).unwrap();
    assert_eq!((plan.parts.len(), plan.bytes_written_back), (1, 0));
    world.run(&plan, &patched).unwrap();
    world.run_model(&commands);
    assert_eq!(world.wrong(), []);
}

/// Copies A to B and B to C, in room for two.
fn copies() -> (World, DmaBuffer, Vec<Command>) {
    let mut world = World::new(3);
    let [a, b, c] = [0; 3].map(|_| world.add(PAGE, None));
    let copy = |to: u32, from: u32| Command::CopyBuffer {
        destination: at(to, address(to)),
        source: at(from, address(from)),
        size: PAGE,
    };
    let commands = vec![copy(b, a), copy(c, b)];
    let dma = buffer(&world.list, &commands);
    (world, dma, commands)
}

#[test]
fn a_wrong_plan_shows_as_wrong_bytes() {
    type Break = fn(&mut SplitPlan);
    let wrongs: [(Break, &[u32]); 3] = [
        // Nothing is paged in: the engine copies what was there before.
        (|plan| plan.parts[0].paging.clear(), &[1, 2]),
        // B moves although it is pinned: its slot register still has the old address, where there is poison now.
        (
            |plan| {
                let residency = plan.residency[1].as_mut().unwrap();
                let to: Box<[ByteRange]> = Box::new([ByteRange::new(5 * PAGE, 6 * PAGE)]);
                let from = core::mem::replace(&mut residency.ranges, to.clone());
                let kind = PlannedPagingKind::Move { from, to };
                plan.parts[1].paging.push(PlannedPaging { allocation: 1, kind });
            },
            &[2],
        ),
        // The second part is patched with addresses where nothing is.
        (
            |plan| {
                plan.parts[1].addresses.iter_mut().for_each(|a| a.range = ByteRange::new(8 * PAGE, 9 * PAGE))
            },
            &[2],
        ),
    ];
    for (index, (break_plan, want)) in wrongs.into_iter().enumerate() {
        let (mut world, dma, commands) = copies();
        let patched = PatchedBuffer::compile(&dma, options(2, u64::MAX)).unwrap();
        let mut plan = world.plan(&patched, 2 * PAGE, &[]).unwrap();
        assert_eq!(plan.parts.len(), 2);
        break_plan(&mut plan);
        world.run(&plan, &patched).unwrap();
        world.run_model(&commands);
        assert_eq!(world.wrong(), want, "wrong plan {index}");
    }
}

#[test]
fn freed_memory_is_poisoned() {
    let mut world = World::new(5);
    let a = world.add(PAGE, None);
    let place = |page: u64| PagingPlace::Segment {
        segment: world.segment,
        ranges: Box::new([ByteRange::new(page * PAGE, (page + 1) * PAGE)]),
    };
    let (here, there, store) = (place(0), place(1), PagingPlace::BackingStore);
    let transfer = |from: &PagingPlace, to: &PagingPlace| PagingOperation::Transfer {
        allocation: key(a),
        from: from.clone(),
        to: to.clone(),
        bytes: PAGE,
    };
    let load = |world: &World| {
        let mut bytes = vec![0; usize::try_from(PAGE).unwrap()];
        world.paging.load(key(a), &mut bytes);
        bytes
    };
    let content = load(&world);
    // In, aside, out: the bytes come along.
    world.paging.page(&[transfer(&store, &here), transfer(&here, &there), transfer(&there, &store)]).unwrap();
    assert_eq!(load(&world), content);
    // Where they were, there is nothing any more.
    for left in [&here, &there] {
        world.paging.page(&[transfer(left, &store)]).unwrap();
        assert!(load(&world).iter().all(|byte| *byte == 0xcd));
    }
    let fill =
        PagingOperation::Fill { allocation: key(a), place: here.clone(), bytes: PAGE, pattern: 0x0403_0201 };
    world.paging.page(&[fill, transfer(&here, &store)]).unwrap();
    assert_eq!(load(&world)[..6], [1, 2, 3, 4, 1, 2]);
    world.paging.page(&[PagingOperation::Discard { allocation: key(a), place: store, bytes: PAGE }]).unwrap();
    assert!(load(&world).iter().all(|byte| *byte == 0), "an allocation that was never stored is zero");
}

#[test]
fn overlapping_moves_and_scattered_ranges_arrive_whole() {
    let mut world = World::new(6);
    let a = world.add(3 * PAGE, None);
    let segment = world.segment;
    let ranges = |pages: &[(u64, u64)]| PagingPlace::Segment {
        segment,
        ranges: pages.iter().map(|(begin, end)| ByteRange::new(begin * PAGE, end * PAGE)).collect(),
    };
    let places = [
        PagingPlace::BackingStore,
        ranges(&[(0, 3)]),
        ranges(&[(1, 4)]),
        ranges(&[(0, 1), (3, 4), (7, 8)]),
        ranges(&[(0, 2), (3, 4)]),
        PagingPlace::BackingStore,
    ];
    for pair in places.windows(2) {
        let (from, to) = (pair[0].clone(), pair[1].clone());
        world
            .paging
            .page(&[PagingOperation::Transfer { allocation: key(a), from, to, bytes: 3 * PAGE }])
            .unwrap();
    }
    assert_eq!(world.wrong(), []);
    let statistics = world.paging.statistics();
    assert_eq!((statistics.bytes_paged_in, statistics.bytes_written_back), (3 * PAGE, 3 * PAGE));
    assert_eq!((statistics.bytes_moved, statistics.operations), (9 * PAGE, 5));
}

#[test]
fn what_paging_refuses() {
    let mut world = World::new(8);
    let a = world.add(PAGE, None);
    let place = |range: ByteRange| PagingPlace::Segment { segment: world.segment, ranges: Box::new([range]) };
    let discard = |place: PagingPlace| PagingOperation::Discard { allocation: key(a), place, bytes: PAGE };
    let outside = ByteRange::new(SEGMENT - 1, SEGMENT + PAGE - 1);
    let error = DriverError::OutOfRange { range: outside, size: SEGMENT };
    assert_eq!(world.paging.page(&[discard(place(outside))]), Err(error));
    let short = discard(place(ByteRange::new(0, 1)));
    assert!(matches!(world.paging.page(&[short]), Err(DriverError::Unsupported { .. })));
}

/// Preemption at a part's boundary: another context's buffer runs between the parts of one that is split. What is
/// pinned stays because it is occupied for the other.
#[test]
fn another_context_runs_between_two_parts() {
    let (mut world, dma, commands) = copies();
    let other_allocation = world.add(PAGE, None);
    let patched = PatchedBuffer::compile(&dma, options(2, u64::MAX)).unwrap();
    let plan = world.plan(&patched, 2 * PAGE, &[]).unwrap();
    let write = Command::Write {
        destination: at(0, address(other_allocation)),
        value: 0x1234_5678,
        mode: WriteBufferImmediateMode::Default,
    };
    let entry = bytes_at(address(other_allocation), PAGE);
    let other = PatchedBuffer::compile(&buffer(&[entry], &[write]), options(4, u64::MAX)).unwrap();
    let other_plan = world.plan(&other, 3 * PAGE, &[ByteRange::new(0, 2 * PAGE)]).unwrap();
    let key_of_other = |_| key(other_allocation);
    let mut run = SplitRun::new(&plan, patched, world.segment);
    while run.run_part(world.paging.as_mut(), world.queue.as_mut(), key).unwrap() {
        let context = world.queue.save_context();
        let mut between = SplitRun::new(&other_plan, other.clone(), world.segment);
        while between.run_part(world.paging.as_mut(), world.queue.as_mut(), key_of_other).unwrap() {}
        let place = PagingPlace::Segment {
            segment: world.segment,
            ranges: other_plan.residency[0].as_ref().unwrap().ranges.clone(),
        };
        let allocation = key(other_allocation);
        let back =
            PagingOperation::Transfer { allocation, from: place, to: PagingPlace::BackingStore, bytes: PAGE };
        world.paging.page(&[back]).unwrap();
        world.queue.restore_context(context);
    }
    world.page_out(&plan);
    world.run_model(&commands);
    world.model.heaps[other_allocation as usize].1[..4].copy_from_slice(&[0x78, 0x56, 0x34, 0x12]);
    assert_eq!(world.wrong(), []);
}

#[test]
fn slots_are_bound_when_needed_and_unbound_after_the_last_use() {
    let (_, dma, _) = copies();
    let patched = PatchedBuffer::compile(&dma, options(4, u64::MAX)).unwrap();
    // B is written in slot 0, A read in slot 1; then A goes, and C takes its slot.
    let bound: Vec<(u32, u32)> =
        patched.patch_locations().iter().map(|l| (l.slot_id, l.allocation_index)).collect();
    assert_eq!(bound, [(0, 2), (1, 1), (1, 3)]);
    let by_offset: BTreeMap<u32, usize> =
        patched.patch_locations().iter().fold(BTreeMap::new(), |mut counts, location| {
            *counts.entry(location.split_offset).or_default() += 1;
            counts
        });
    assert_eq!(by_offset.into_values().collect::<Vec<_>>(), [2, 1]);
    // A large allocation is bound again by each command that uses it.
    let large = PatchedBuffer::compile(&dma, options(4, PAGE)).unwrap();
    let bound: Vec<(u32, u32)> =
        large.patch_locations().iter().map(|l| (l.slot_id, l.allocation_index)).collect();
    assert_eq!(bound, [(0, 2), (1, 1), (1, 3), (0, 2)]);
    // For one command, it is bound and goes.
    let short = PatchedOptions { binding: SlotBinding::ForOneCommand, ..options(2, u64::MAX) };
    let short = PatchedBuffer::compile(&dma, short).unwrap();
    let bound: Vec<u32> = short.patch_locations().iter().map(|location| location.allocation_index).collect();
    assert_eq!(bound, [2, 1, 3, 2]);
    let error = PatchedBuffer::compile(&dma, options(1, PAGE)).unwrap_err();
    assert_eq!(error, PatchedError::SlotCount { given: 1 });
}
