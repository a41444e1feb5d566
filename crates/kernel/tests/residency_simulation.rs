//! Residency simulated from one seed: several processes, faults, paging carried out on pages that know whose they are.
//!
//! After every step what the calls answered agrees with a model that only counts; every so often all of memory is
//! looked at: nothing overlaps, used and free make the whole, usage is the sum of what is in memory, budgets stay within
//! the segments, what is in flight did not move, and every page holds what its owner wrote last, wherever it was
//! meanwhile. A failure prints the command that runs it again.
#![allow(clippy::unwrap_used, reason = "a test or bench stops at what it did not expect")]

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use heapstone_kernel::residency::*;
use heapstone_kernel::*;
use heapstone_spec::SegmentGroup;
use heapstone_units::{ByteRange, KIB, MIB};

const PAGE: u64 = 64 * KIB;
const LOCAL_SIZE: u64 = 24 * MIB;
const SYSTEM_SIZE: u64 = 16 * MIB;
const GROUPS: [SegmentGroup; 2] = [SegmentGroup::Local, SegmentGroup::NonLocal];

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn index(&mut self, len: usize) -> usize {
        usize::try_from(self.below(u64::try_from(len).unwrap())).unwrap()
    }
}

/// A page's content: whose, which one, and of which write.
type Content = (u64, u64, u64);

/// What a page of zeros holds: nobody's.
const ZERO: Content = (0, 0, 0);
/// What a page holds that was left.
const POISON: Content = (u64::MAX, 0, 0);

/// The paging engine: moves contents.
struct Engine {
    segments: Vec<Vec<Content>>,
    store: BTreeMap<AllocationKey, Vec<Content>>,
}

impl Engine {
    fn new() -> Engine {
        let pages = |size: u64| vec![POISON; usize::try_from(size / PAGE).unwrap()];
        Engine { segments: vec![pages(LOCAL_SIZE), pages(SYSTEM_SIZE)], store: BTreeMap::new() }
    }

    fn pages(place: &PagingPlace) -> Vec<(usize, usize)> {
        let PagingPlace::Segment { segment, ranges } = place else { return Vec::new() };
        ranges.iter().flat_map(|range| page_numbers(*range)).map(|page| (segment.index(), page)).collect()
    }

    fn carry_out(&mut self, operations: Vec<PagingOperation>) {
        for operation in operations {
            let bytes = operation.bytes();
            match operation {
                PagingOperation::Transfer { allocation, from, to, .. } => {
                    let (from_pages, to_pages) = (Engine::pages(&from), Engine::pages(&to));
                    let contents: Vec<Content> = match from {
                        PagingPlace::BackingStore => self.store[&allocation].clone(),
                        PagingPlace::Segment { .. } => {
                            from_pages.iter().map(|(segment, page)| self.segments[*segment][*page]).collect()
                        }
                    };
                    assert_eq!(u64::try_from(contents.len()).unwrap() * PAGE, bytes);
                    for (segment, page) in from_pages {
                        self.segments[segment][page] = POISON;
                    }
                    match to {
                        PagingPlace::BackingStore => drop(self.store.insert(allocation, contents)),
                        PagingPlace::Segment { .. } => {
                            assert_eq!(to_pages.len(), contents.len());
                            for ((segment, page), content) in to_pages.into_iter().zip(contents) {
                                self.segments[segment][page] = content;
                            }
                        }
                    }
                }
                PagingOperation::Fill { place, pattern, .. } => {
                    assert_eq!(pattern, 0);
                    for (segment, page) in Engine::pages(&place) {
                        self.segments[segment][page] = ZERO;
                    }
                }
                PagingOperation::Discard { place, .. } => {
                    for (segment, page) in Engine::pages(&place) {
                        self.segments[segment][page] = POISON;
                    }
                }
            }
        }
    }
}

fn page_numbers(range: ByteRange) -> impl Iterator<Item = usize> {
    assert!(range.begin.is_multiple_of(PAGE) && range.end.is_multiple_of(PAGE));
    (range.begin / PAGE..range.end / PAGE).map(|page| usize::try_from(page).unwrap())
}

struct Object {
    id: u64,
    allocation: Allocation,
    count: u32,
    pins: u32,
    /// Where it was when it came into flight.
    pinned: Vec<ByteRange>,
    /// Which write its pages hold; 0: zeros.
    version: u64,
    offered: bool,
}

struct Actor {
    process: Process,
    objects: Vec<Object>,
    /// Submissions, with the numbers of what they use.
    flights: Vec<(InFlight, Vec<u64>)>,
}

struct World {
    manager: MemoryManager,
    engine: Engine,
    actors: Vec<Actor>,
    random: Random,
    last_id: u64,
    last_version: u64,
    newest_fence: u64,
}

/// What a refused call must leave as it was.
type Snapshot = Vec<(u32, bool, Vec<ByteRange>)>;

impl World {
    fn new(seed: u64) -> World {
        let policy = policy::PolicyKind::ALL[usize::try_from(seed % 4).unwrap()];
        let residency = ResidencyConfig {
            policy,
            paging_fence_first: u64::from(u32::MAX) - 1000,
            ..ResidencyConfig::default()
        };
        let memory = AdapterMemory { residency, ..AdapterMemory::discrete(&[LOCAL_SIZE], SYSTEM_SIZE, 40) };
        let manager = MemoryManager::new(memory).unwrap();
        let roles = [ProcessRole::Foreground, ProcessRole::Background, ProcessRole::Background];
        let actors = roles.map(|role| Actor {
            process: manager.create_process(ProcessDesc { role }).unwrap(),
            objects: Vec::new(),
            flights: Vec::new(),
        });
        World {
            manager,
            engine: Engine::new(),
            actors: actors.into(),
            random: Random(seed),
            last_id: 0,
            last_version: 0,
            newest_fence: 0,
        }
    }

    fn page(&mut self) {
        self.engine.carry_out(self.manager.take_paging_operations());
    }

    /// Writes all pages of an object in memory.
    fn write(&mut self, actor: usize, object: usize) {
        self.last_version += 1;
        let Object { id, allocation, version, .. } = &mut self.actors[actor].objects[object];
        *version = self.last_version;
        let segment = allocation.segment().index();
        let pages = allocation.physical_ranges().flat_map(page_numbers);
        for (number, page) in (0..).zip(pages) {
            self.engine.segments[segment][page] = (*id, number, self.last_version);
        }
    }

    fn check_content(&self, object: &Object) {
        if object.offered || !object.allocation.is_in_memory() {
            return;
        }
        let segment = object.allocation.segment().index();
        let pages = object.allocation.physical_ranges().flat_map(page_numbers);
        for (number, page) in (0..).zip(pages) {
            let expected = if object.version == 0 { ZERO } else { (object.id, number, object.version) };
            assert_eq!(self.engine.segments[segment][page], expected, "object {} page {number}", object.id);
        }
    }

    fn snapshot(&self) -> Snapshot {
        let objects = self.actors.iter().flat_map(|actor| {
            actor.objects.iter().map(|object| {
                let ranges = object.allocation.physical_ranges().collect();
                (actor.process.residency(&object.allocation).count, object.allocation.is_demoted(), ranges)
            })
        });
        objects.collect()
    }

    /// Budgets and roles that a plan changed: it does so before the call that comes to the point.
    fn changes_of_faults(&self) -> u64 {
        let faults = self.manager.fault_statistics();
        faults.budget_count + faults.focus_count
    }

    /// A few objects of an actor, some perhaps twice.
    fn some(&mut self, actor: usize) -> Vec<usize> {
        let len = self.actors[actor].objects.len();
        if len == 0 {
            return Vec::new();
        }
        (0..=self.random.below(4)).map(|_| self.random.index(len)).collect()
    }

    fn step(&mut self) {
        let actor = self.random.index(self.actors.len());
        if self.actors[actor].process.removal().is_some() {
            self.restart(actor);
        }
        match self.random.below(100) {
            0..12 => self.allocate(actor),
            12..18 => self.free(actor),
            18..45 => self.make_resident(actor),
            45..65 => self.evict(actor),
            65..78 => self.begin(actor),
            78..89 => self.end(actor),
            89 => self.offer(actor),
            90 => self.reclaim(actor),
            91 => self.prioritise(actor),
            92..95 => self.manager.advance_clock(self.random.below(50_000_000)),
            95 => self.manager.advance_clock(self.random.below(3_000_000_000)),
            96..98 => self.budget(actor),
            98 => self.fault(),
            _ => self.world(actor),
        }
        self.page();
    }

    fn allocate(&mut self, actor: usize) {
        if self.actors[actor].objects.len() >= 24 {
            return;
        }
        let size = PAGE * (1 + self.random.below(48));
        let contiguous = self.random.below(8) == 0;
        let placement = match self.random.below(8) {
            0 => Placement::L0,
            1 => Placement::L1 { demotable: false },
            _ => Placement::L1 { demotable: true },
        };
        let desc = AllocationDesc { contiguous, placement, ..AllocationDesc::heap(size) };
        let process = &self.actors[actor].process;
        let evicted = self.random.below(2) == 0;
        let made = if evicted {
            process.allocate_evicted(&desc, InitialContent::Zero)
        } else {
            process.allocate(&desc)
        };
        let Ok(allocation) = made else { return };
        self.page();
        assert_eq!(self.actors[actor].process.residency(&allocation).count, u32::from(!evicted));
        self.last_id += 1;
        let id = self.last_id;
        let object = Object {
            id,
            allocation,
            count: u32::from(!evicted),
            pins: 0,
            pinned: Vec::new(),
            version: 0,
            offered: false,
        };
        self.actors[actor].objects.push(object);
        if !evicted {
            let last = self.actors[actor].objects.len() - 1;
            self.write(actor, last);
        }
    }

    fn free(&mut self, actor: usize) {
        let len = self.actors[actor].objects.len();
        if len == 0 {
            return;
        }
        let index = self.random.index(len);
        if self.actors[actor].objects[index].pins == 0 {
            let object = self.actors[actor].objects.swap_remove(index);
            self.actors[actor].process.free(object.allocation);
        }
    }

    fn make_resident(&mut self, actor: usize) {
        let some = self.some(actor);
        let watched = self.random.below(16) == 0;
        let before = watched.then(|| (self.snapshot(), self.changes_of_faults()));
        let flags = match self.random.below(3) {
            0 => MakeResidentFlags::DENY_OVERBUDGET,
            _ => MakeResidentFlags::NONE,
        };
        let Actor { process, objects, .. } = &mut self.actors[actor];
        let named: Vec<&Allocation> = some.iter().map(|index| &objects[*index].allocation).collect();
        match process.make_resident(&named, flags) {
            Ok(made) => {
                self.newest_fence = self.newest_fence.max(made.paging_fence.unwrap_or(0));
                for index in some {
                    objects[index].count += 1;
                    assert!(objects[index].allocation.is_in_memory());
                }
            }
            Err(_) => {
                if let Some((before, changes)) = before
                    && self.changes_of_faults() == changes
                {
                    assert_eq!(self.snapshot(), before, "a refused MakeResident changed something");
                }
            }
        }
    }

    fn evict(&mut self, actor: usize) {
        let some = self.some(actor);
        let flags = match self.random.below(2) {
            0 => EvictFlags::NONE,
            _ => EvictFlags::EVICT_ONLY_IF_NECESSARY,
        };
        let Actor { process, objects, .. } = &mut self.actors[actor];
        let named: Vec<&Allocation> = some.iter().map(|index| &objects[*index].allocation).collect();
        let mut counts: Vec<u32> = objects.iter().map(|object| object.count).collect();
        let is_allowed = some.iter().all(|index| {
            let is_counted = counts[*index] > 0;
            counts[*index] = counts[*index].saturating_sub(1);
            is_counted
        });
        match process.evict(&named, flags) {
            Ok(_) => {
                assert!(is_allowed);
                some.into_iter().for_each(|index| objects[index].count -= 1);
            }
            Err(ResidencyError::NotResident { .. }) => assert!(!is_allowed),
            Err(ResidencyError::Removed(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }

    fn begin(&mut self, actor: usize) {
        let mut some = self.some(actor);
        some.sort_unstable();
        some.dedup();
        let writes = self.random.below(2) == 0;
        let Actor { process, objects, flights } = &mut self.actors[actor];
        let uses: Vec<SubmissionUse<'_>> = some
            .iter()
            .map(|index| SubmissionUse { allocation: &objects[*index].allocation, writes })
            .collect();
        let is_evicted = some.iter().any(|index| objects[*index].count == 0);
        match process.begin_use(&uses) {
            Ok(flight) => {
                assert!(!is_evicted);
                flights.push((flight, some.iter().map(|index| objects[*index].id).collect()));
                for index in &some {
                    let object = &mut objects[*index];
                    object.pins += 1;
                    object.pinned = object.allocation.physical_ranges().collect();
                }
                for index in some {
                    self.check_content(&self.actors[actor].objects[index]);
                    if writes {
                        self.write(actor, index);
                    }
                }
            }
            Err(ResidencyError::UsedEvicted { .. }) => assert!(is_evicted),
            Err(_) => {}
        }
    }

    fn end(&mut self, actor: usize) {
        let len = self.actors[actor].flights.len();
        if len == 0 {
            return;
        }
        let index = self.random.index(len);
        let (flight, used) = self.actors[actor].flights.swap_remove(index);
        for object in &mut self.actors[actor].objects {
            if used.contains(&object.id) {
                let now: Vec<ByteRange> = object.allocation.physical_ranges().collect();
                assert_eq!(now, object.pinned, "what is in flight was moved");
                object.pins -= 1;
            }
        }
        self.actors[actor].process.end_use(flight);
    }

    fn offer(&mut self, actor: usize) {
        let len = self.actors[actor].objects.len();
        if len == 0 {
            return;
        }
        let index = self.random.index(len);
        let priority = OfferPriority::ALL[self.random.index(3)];
        let Actor { process, objects, .. } = &mut self.actors[actor];
        let object = &mut objects[index];
        let is_allowed = !object.offered && object.pins == 0;
        assert_eq!(process.offer(&[&object.allocation], priority).is_ok(), is_allowed);
        object.offered |= is_allowed;
    }

    fn reclaim(&mut self, actor: usize) {
        let Actor { process, objects, .. } = &mut self.actors[actor];
        for object in objects.iter_mut().filter(|object| object.offered) {
            if let Ok(reclaimed) = process.reclaim(&[&object.allocation]) {
                object.offered = false;
                if reclaimed[0] == Reclaimed::Lost {
                    object.version = 0;
                }
            }
        }
    }

    fn prioritise(&mut self, actor: usize) {
        let named = [ResidencyPriority::MINIMUM, ResidencyPriority::NORMAL, ResidencyPriority::MAXIMUM];
        let priority = named[self.random.index(3)];
        for index in self.some(actor) {
            let Actor { process, objects, .. } = &self.actors[actor];
            process.set_residency_priority(&objects[index].allocation, priority);
        }
    }

    fn budget(&mut self, actor: usize) {
        let budget = match self.random.below(4) {
            0 => None,
            _ => Some(self.random.below(LOCAL_SIZE)),
        };
        self.actors[actor].process.set_budget(0, SegmentGroup::Local, budget).unwrap();
    }

    fn fault(&mut self) {
        let number = |number| NonZeroU64::new(number).unwrap();
        let allocations = match self.random.below(3) {
            0 => None,
            1 => Some(AllocationFault::Nth(number(1 + self.random.below(8)))),
            _ => Some(AllocationFault::Every(number(2 + self.random.below(6)))),
        };
        let removal_at = (self.random.below(4) == 0).then(|| number(1 + self.random.below(100)));
        let plan = FaultPlan { allocations, removal_at, ..FaultPlan::of_seed(self.random.next()) };
        self.manager.inject(Some(plan));
    }

    fn world(&mut self, actor: usize) {
        match self.random.below(10) {
            0..4 => {
                let bytes = self.random.below(LOCAL_SIZE);
                self.manager.set_external_usage(0, SegmentGroup::Local, bytes).unwrap();
            }
            4..8 => {
                // Lost focus: another one is in the foreground.
                for (index, other) in self.actors.iter().enumerate() {
                    let role = if index == actor { ProcessRole::Foreground } else { ProcessRole::Background };
                    other.process.set_role(role);
                }
            }
            8 => self.actors[actor].process.remove_device(),
            _ => {}
        }
    }

    /// A program that lost its device begins again.
    fn restart(&mut self, actor: usize) {
        let role = self.actors[actor].process.role();
        while !self.actors[actor].flights.is_empty() {
            self.end(actor);
        }
        let old = std::mem::replace(
            &mut self.actors[actor],
            Actor {
                process: self.manager.create_process(ProcessDesc { role }).unwrap(),
                objects: Vec::new(),
                flights: Vec::new(),
            },
        );
        // Half of the programs give back what they had; of the others it goes with the process.
        if self.random.below(2) == 0 {
            old.objects.into_iter().for_each(|object| old.process.free(object.allocation));
        }
    }

    fn check(&mut self) {
        let sizes = [LOCAL_SIZE, SYSTEM_SIZE];
        let ids: Vec<SegmentId> = self.manager.segments().map(|segment| segment.id).collect();
        let mut taken: Vec<Vec<bool>> =
            sizes.iter().map(|size| vec![false; usize::try_from(size / PAGE).unwrap()]).collect();
        for actor in &self.actors {
            let mut usage = [0; 2];
            for object in &actor.objects {
                let view = actor.process.residency(&object.allocation);
                assert_eq!((view.count, view.in_flight_count), (object.count, object.pins));
                let size: u64 = object.allocation.physical_ranges().map(ByteRange::size).sum();
                assert_eq!(size, if object.allocation.is_in_memory() { object.allocation.size() } else { 0 });
                let segment = object.allocation.segment().index();
                usage[segment] += size;
                for page in object.allocation.physical_ranges().flat_map(page_numbers) {
                    assert!(!std::mem::replace(&mut taken[segment][page], true), "two allocations overlap");
                }
                let is_suspended = actor.process.suspended_until_ns().is_some();
                let is_gone = actor.process.removal().is_some();
                if object.count > 0 && !object.offered && !is_suspended && !is_gone {
                    assert!(object.allocation.is_in_memory(), "what is resident is in memory");
                }
                self.check_content(object);
            }
            for (group, usage) in GROUPS.iter().zip(usage) {
                let info = actor.process.query_video_memory_info(0, *group).unwrap();
                assert_eq!(info.current_usage, usage, "usage is the sum of what is in memory");
                assert!(info.budget <= sizes[*group as usize], "no budget is above its segment");
            }
        }
        for (id, (size, taken)) in ids.into_iter().zip(sizes.into_iter().zip(taken)) {
            let statistics = self.manager.segment_statistics(id);
            let used = u64::try_from(taken.into_iter().filter(|taken| *taken).count()).unwrap() * PAGE;
            assert_eq!((statistics.used, statistics.used + statistics.free), (used, size));
        }
    }

    /// Every fence signals.
    fn finish(&mut self) {
        let idle = self.manager.paging_idle_at_ns();
        self.manager.advance_clock(idle.saturating_sub(self.manager.clock_ns()));
        assert!(self.manager.paging_fence_value() >= self.newest_fence);
        self.page();
        self.check();
    }
}

fn simulate(seed: u64, steps: u64) -> PagingStatistics {
    let mut world = World::new(seed);
    for step in 0..steps {
        world.step();
        if step % 256 == 0 {
            world.check();
        }
    }
    world.finish();
    world.manager.paging_statistics()
}

/// Tells how to run a seed again, where it fails.
struct Replay(u64, u64);

impl Drop for Replay {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "to run it again: HEAPSTONE_SEED={} HEAPSTONE_STEPS={} cargo test -p heapstone-kernel --test \
                 residency_simulation given",
                self.0, self.1
            );
        }
    }
}

fn run(seeds: std::ops::Range<u64>, steps: u64) {
    let mut seen = PagingStatistics::default();
    for seed in seeds {
        let replay = Replay(seed, steps);
        let statistics = simulate(seed, steps);
        seen.demotion_count += statistics.demotion_count;
        seen.promotion_count += statistics.promotion_count;
        seen.suspension_count += statistics.suspension_count;
        seen.bytes_compacted += statistics.bytes_compacted;
        seen.bytes_written_back += statistics.bytes_written_back;
        seen.operation_count += statistics.operation_count;
        drop(replay);
    }
    // Programs paged, instead of being refused all the time; and every rung of the ladder was stood on.
    assert!(seen.operation_count > steps / 10, "{seen:?}");
    assert!(seen.demotion_count > 0 && seen.promotion_count > 0 && seen.suspension_count > 0, "{seen:?}");
    assert!(seen.bytes_compacted > 0 && seen.bytes_written_back > 0, "{seen:?}");
}

#[test]
fn a_million_steps_hold_first_half() {
    run(0..4, 125_000);
}

#[test]
fn a_million_steps_hold_second_half() {
    run(4..8, 125_000);
}

/// The seed and the steps of the environment, where a failure named some.
#[test]
fn given() {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    if let Some(seed) = number("HEAPSTONE_SEED") {
        let replay = Replay(seed, number("HEAPSTONE_STEPS").unwrap_or(10_000));
        simulate(replay.0, replay.1);
    }
}

#[test]
fn a_seed_gives_the_same_run_twice() {
    assert_eq!(simulate(11, 4_000), simulate(11, 4_000));
}

/// For every n, the n-th placement fails: what MakeResident had done is undone.
#[test]
fn whichever_placement_fails_the_state_is_as_before() {
    let mut failures = 0;
    for n in 1.. {
        let mut world = World::new(0);
        let process = world.actors[0].process.clone();
        let heap = |size| process.allocate(&AllocationDesc::heap(size)).unwrap();
        process.set_budget(0, SegmentGroup::Local, Some(8 * MIB)).unwrap();
        let kept: Vec<Allocation> = (0..6).map(|_| heap(4 * MIB)).collect();
        let idle: Vec<&Allocation> = kept[..2].iter().collect();
        process.evict(&idle, EvictFlags::EVICT_ONLY_IF_NECESSARY).unwrap();
        // Not demotable, so that a refusal is final.
        let desc =
            AllocationDesc { placement: Placement::L1 { demotable: false }, ..AllocationDesc::heap(4 * MIB) };
        let late: Vec<Allocation> =
            (0..4).map(|_| process.allocate_evicted(&desc, InitialContent::Zero).unwrap()).collect();
        for allocation in &late {
            process.set_residency_priority(allocation, ResidencyPriority::MAXIMUM);
        }
        process.set_budget(0, SegmentGroup::Local, Some(24 * MIB)).unwrap();
        let all = || kept.iter().chain(&late);
        let state = || {
            all()
                .map(|object| (process.residency(object), object.physical_ranges().collect::<Vec<_>>()))
                .collect::<Vec<_>>()
        };
        let before = (state(), process.usage(0, SegmentGroup::Local).unwrap());
        world.page();
        let statistics = world.manager.paging_statistics();
        let allocations = Some(AllocationFault::Nth(NonZeroU64::new(n).unwrap()));
        world.manager.inject(Some(FaultPlan { allocations, ..FaultPlan::default() }));
        let named: Vec<&Allocation> = late.iter().collect();
        let result = process.make_resident(&named, MakeResidentFlags::NONE);
        let is_reached = world.manager.fault_statistics().step_count >= n;
        if result.is_err() {
            failures += 1;
            assert_eq!((state(), process.usage(0, SegmentGroup::Local).unwrap()), before, "n = {n}");
            assert_eq!(world.manager.take_paging_operations(), []);
            assert_eq!(world.manager.paging_statistics(), statistics);
        }
        if !is_reached {
            assert!(result.is_ok());
            break;
        }
    }
    assert!(failures > 0, "no placement that failed was one that the call needed");
}
