//! A million calls against a naive model and a GPU that reads what was bound when it gets there: at random, on
//! two queues, later than the program destroys and creates.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use heapstone_samplers::{GroupId, Sampler, Samplers, SamplersDesc, SamplersError, UsePoint};
use heapstone_spec::views::{
    BorderColor, ComparisonFunc, Filter, FilterReduction, SamplerDesc, TextureAddressMode,
};

const QUEUES: usize = 2;

/// splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound).unwrap()).unwrap()
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// Descriptions that differ here and there, also where it does not count.
fn description(random: &mut Random) -> SamplerDesc {
    let filter = random.pick(&[
        Filter::MIN_MAG_MIP_POINT,
        Filter::MIN_MAG_MIP_LINEAR,
        Filter::ANISOTROPIC,
        Filter::MIN_MAG_MIP_LINEAR.with_reduction(FilterReduction::Comparison),
    ]);
    let modes = [TextureAddressMode::Wrap, TextureAddressMode::Clamp, TextureAddressMode::Border];
    SamplerDesc {
        filter,
        address_u: random.pick(&modes),
        address_v: TextureAddressMode::Clamp,
        address_w: TextureAddressMode::Clamp,
        mip_lod_bias: random.pick(&[0.0, -0.0]),
        max_anisotropy: random.pick(&[4, 16]),
        comparison_func: random.pick(&[ComparisonFunc::Less, ComparisonFunc::Always]),
        border_color: random.pick(&[
            BorderColor::Float([0.0; 4]),
            BorderColor::Float([-0.0, 0.0, 0.0, -0.0]),
            BorderColor::Float([f32::NAN, 0.0, 0.0, 0.0]),
            BorderColor::Float([f32::from_bits(0x7f80_0001), 0.0, 0.0, 0.0]),
            BorderColor::Uint([0, 0, 0, 7]),
        ]),
        min_lod: random.pick(&[0.0, 1.0, 2.0]),
        max_lod: 8.0,
    }
}

/// Whether both sample alike, field by field.
fn alike(a: &SamplerDesc, b: &SamplerDesc) -> bool {
    let number = |a: f32, b: f32| a == b || (a.is_nan() && b.is_nan());
    let borders = |desc: &SamplerDesc| {
        [desc.address_u, desc.address_v, desc.address_w].contains(&TextureAddressMode::Border)
    };
    let border = match (&a.border_color, &b.border_color) {
        (BorderColor::Float(a), BorderColor::Float(b)) => a.iter().zip(b).all(|(a, b)| number(*a, *b)),
        (BorderColor::Uint(a), BorderColor::Uint(b)) => a == b,
        _ => false,
    };
    a.filter == b.filter
        && (a.address_u, a.address_v, a.address_w) == (b.address_u, b.address_v, b.address_w)
        && (number(a.mip_lod_bias, b.mip_lod_bias)
            && number(a.min_lod, b.min_lod)
            && number(a.max_lod, b.max_lod))
        && (!a.filter.anisotropic || a.max_anisotropy == b.max_anisotropy)
        && (a.filter.reduction != FilterReduction::Comparison || a.comparison_func == b.comparison_func)
        && (!borders(a) || border)
}

/// What a list in flight reads: a group as it was bound.
struct Bound {
    heap: u32,
    buffer: u32,
    first: u32,
    /// For each sampler what must be found.
    kinds: Vec<usize>,
    slots: Vec<u32>,
}

struct Group {
    id: GroupId,
    heap: u32,
    kinds: Vec<usize>,
    slots: Vec<u32>,
    last_use: [u64; QUEUES],
}

/// The program, the model, and the GPU.
struct World {
    random: Random,
    pool: Vec<SamplerDesc>,
    /// Of each description the first that is alike.
    kind: Vec<usize>,
    capacity: u32,
    samplers: Samplers,
    alive: Vec<(Sampler, usize)>,
    groups: Vec<Group>,
    /// The GPU's memory.
    descriptors: BTreeMap<(u32, u32), SamplerDesc>,
    indices: BTreeMap<(u32, u32), u32>,
    /// How many lists in flight read a descriptor, or an element of a buffer.
    reading: BTreeMap<(u32, u32), u32>,
    reading_indices: BTreeMap<(u32, u32), u32>,
    in_flight: [VecDeque<(u64, Vec<Bound>)>; QUEUES],
    submitted: [u64; QUEUES],
    /// What the program knows of.
    completed: [u64; QUEUES],
    /// Until when a descriptor is read by groups that are gone.
    last_use: BTreeMap<(u32, u32), [u64; QUEUES]>,
    refused: u32,
    executed: u32,
}

impl World {
    fn new(seed: u64, desc: SamplersDesc) -> World {
        let mut random = Random(seed);
        let pool: Vec<SamplerDesc> = (0..400).map(|_| description(&mut random)).collect();
        let kind =
            pool.iter().map(|desc| pool.iter().position(|other| alike(desc, other)).unwrap()).collect();
        World {
            random,
            pool,
            kind,
            capacity: desc.heap_samplers,
            samplers: Samplers::new(desc).unwrap(),
            alive: Vec::new(),
            groups: Vec::new(),
            descriptors: BTreeMap::new(),
            indices: BTreeMap::new(),
            reading: BTreeMap::new(),
            reading_indices: BTreeMap::new(),
            in_flight: Default::default(),
            submitted: [0; QUEUES],
            completed: [0; QUEUES],
            last_use: BTreeMap::new(),
            refused: 0,
            executed: 0,
        }
    }

    fn step(&mut self) {
        match self.random.below(16) {
            0..4 => self.create_sampler(),
            4..7 => self.destroy_sampler(),
            7..10 => self.create_group(),
            10..12 => self.destroy_group(),
            12..14 => self.submit(),
            14 => self.run(),
            _ => self.learn(),
        }
    }

    fn create_sampler(&mut self) {
        if self.alive.len() == 60 {
            return self.destroy_sampler();
        }
        let at = self.random.below(self.pool.len());
        match self.samplers.create_sampler(&self.pool[at]) {
            Ok(sampler) => self.alive.push((sampler, self.kind[at])),
            Err(error) => self.check_full(&error),
        }
    }

    /// Refused where every heap that may be is full, with numbers that are true of one.
    fn check_full(&mut self, error: &SamplersError) {
        let SamplersError::Full { full, heaps, heaps_max } = error else { panic!("{error}") };
        assert_eq!((*heaps, full.capacity), (*heaps_max, self.capacity));
        assert!(full.new <= full.wanted && full.free < full.new);
        assert_eq!(full.free + full.held + full.waiting, full.capacity);
        let matches = |heap| (self.held(heap), self.waiting(heap)) == (full.held, full.waiting);
        assert!((0..*heaps).any(matches), "{full:?} is true of no heap");
        self.refused += 1;
    }

    fn destroy_sampler(&mut self) {
        if !self.alive.is_empty() {
            let at = self.random.below(self.alive.len());
            let (sampler, _) = self.alive.swap_remove(at);
            self.samplers.destroy_sampler(sampler, &[]).unwrap();
        }
    }

    fn create_group(&mut self) {
        if self.alive.is_empty() || self.groups.len() == 40 {
            return;
        }
        let count = 1 + self.random.below(6);
        let members: Vec<usize> = (0..count).map(|_| self.random.below(self.alive.len())).collect();
        let bound: Vec<&Sampler> = members.iter().map(|at| &self.alive[*at].0).collect();
        match self.samplers.create_group(&bound) {
            Ok(id) => {
                let view = self.samplers.group(id).unwrap();
                let kinds = members.iter().map(|at| self.alive[*at].1).collect();
                let (heap, slots) = (view.heap, view.indices.to_vec());
                self.groups.push(Group { id, heap, kinds, slots, last_use: [0; QUEUES] });
            }
            Err(error) => self.check_full(&error),
        }
    }

    fn destroy_group(&mut self) {
        if self.groups.is_empty() {
            return;
        }
        let at = self.random.below(self.groups.len());
        let group = self.groups.swap_remove(at);
        self.samplers.destroy_group(group.id, &[]).unwrap();
        for slot in group.slots {
            let last = self.last_use.entry((group.heap, slot)).or_default();
            for (last, used) in last.iter_mut().zip(group.last_use) {
                *last = used.max(*last);
            }
        }
    }

    /// Writes what must be written, and submits work that uses some groups.
    fn submit(&mut self) {
        self.write();
        let queue = self.random.below(QUEUES);
        if self.in_flight[queue].len() == 6 {
            return self.run();
        }
        self.submitted[queue] += 1;
        let value = self.submitted[queue];
        let mut list = Vec::new();
        for _ in 0..self.random.below(4).min(self.groups.len()) {
            let at = self.random.below(self.groups.len());
            let group = &mut self.groups[at];
            self.samplers.mark_used(group.id, UsePoint { queue, value }).unwrap();
            group.last_use[queue] = value;
            let range = self.samplers.group(group.id).unwrap().range;
            for (number, slot) in (0..).zip(&group.slots) {
                *self.reading.entry((group.heap, *slot)).or_default() += 1;
                *self.reading_indices.entry((range.buffer, range.first + number)).or_default() += 1;
            }
            list.push(Bound {
                heap: group.heap,
                buffer: range.buffer,
                first: range.first,
                kinds: group.kinds.clone(),
                slots: group.slots.clone(),
            });
        }
        self.in_flight[queue].push_back((value, list));
    }

    /// Nothing is written that a list in flight reads.
    fn write(&mut self) {
        let World { samplers, descriptors, indices, reading, reading_indices, .. } = self;
        samplers.take_sampler_writes(|write| {
            let place = (write.heap, write.slot);
            assert!(!reading.contains_key(&place), "{place:?} is written while it is read");
            descriptors.insert(place, write.desc);
        });
        samplers.take_index_writes(|range, content| {
            for (at, index) in (range.first..).zip(content) {
                let place = (range.buffer, at);
                assert!(!reading_indices.contains_key(&place), "{place:?} is written while it is read");
                indices.insert(place, *index);
            }
        });
    }

    /// A queue runs its next list: it finds what was bound.
    fn run(&mut self) {
        let queue = self.random.below(QUEUES);
        let Some((_, list)) = self.in_flight[queue].pop_front() else { return };
        for bound in list {
            for ((number, kind), slot) in (0..).zip(&bound.kinds).zip(&bound.slots) {
                let element = (bound.buffer, bound.first + number);
                let index = self.indices[&element];
                assert_eq!(index, *slot);
                assert!(alike(&self.descriptors[&(bound.heap, index)], &self.pool[*kind]));
                release(&mut self.reading, (bound.heap, index));
                release(&mut self.reading_indices, element);
                self.executed += 1;
            }
        }
    }

    /// The program hears how far a queue has come.
    fn learn(&mut self) {
        let queue = self.random.below(QUEUES);
        let value = self.in_flight[queue].front().map_or(self.submitted[queue], |(value, _)| value - 1);
        self.completed[queue] = value;
        self.samplers.complete(UsePoint { queue, value }).unwrap();
    }

    fn held_slots(&self, heap: u32) -> BTreeSet<u32> {
        let of_groups = self
            .groups
            .iter()
            .filter(|group| group.heap == heap)
            .flat_map(|group| group.slots.iter().copied());
        let places = self.alive.iter().map(|(sampler, _)| sampler.place());
        of_groups.chain(places.filter(|place| place.0 == heap).map(|place| place.1)).collect()
    }

    fn held(&self, heap: u32) -> u32 {
        u32::try_from(self.held_slots(heap).len()).unwrap()
    }

    fn waiting(&self, heap: u32) -> u32 {
        let held = self.held_slots(heap);
        let is_waiting = |((of, slot), last): &(&(u32, u32), &[u64; QUEUES])| {
            *of == heap
                && !held.contains(slot)
                && last.iter().zip(self.completed).any(|(last, now)| *last > now)
        };
        u32::try_from(self.last_use.iter().filter(is_waiting).count()).unwrap()
    }

    /// Equal samplers of a heap have one slot, different ones different ones.
    fn check(&self) {
        let statistics = self.samplers.statistics();
        let mut slot_of = BTreeMap::new();
        let mut kind_of = BTreeMap::new();
        let of_samplers = self.alive.iter().map(|(sampler, kind)| (sampler.place(), *kind));
        let of_groups = self.groups.iter().flat_map(|group| {
            group.slots.iter().zip(&group.kinds).map(|(slot, kind)| ((group.heap, *slot), *kind))
        });
        for ((heap, slot), kind) in of_samplers.chain(of_groups) {
            assert!(slot < self.capacity);
            assert_eq!(*slot_of.entry((heap, kind)).or_insert(slot), slot, "a sampler has two slots");
            assert_eq!(*kind_of.entry((heap, slot)).or_insert(kind), kind, "a slot has two samplers");
        }
        assert_eq!(statistics.held, u64::try_from(slot_of.len()).unwrap());
        let waiting: u32 = (0..statistics.heaps).map(|heap| self.waiting(heap)).sum();
        assert_eq!(statistics.waiting, u64::from(waiting));
        assert_eq!(statistics.groups, u64::try_from(self.groups.len()).unwrap());
    }
}

fn release(reading: &mut BTreeMap<(u32, u32), u32>, place: (u32, u32)) {
    let count = reading.get_mut(&place).unwrap();
    *count -= 1;
    if *count == 0 {
        reading.remove(&place);
    }
}

fn run(seed: u64, steps: u32, desc: SamplersDesc) -> World {
    let mut world = World::new(seed, desc);
    for step in 0..steps {
        world.step();
        if step % 64 == 0 {
            world.check();
        }
    }
    world.check();
    world
}

#[test]
fn a_million_calls_agree_with_the_model() {
    let mut refused = 0;
    for (seed, heap_samplers, heaps_max) in [(1, 24, 1), (2, 24, 2), (3, 40, 1), (4, 2032, 1)] {
        let desc = SamplersDesc { heap_samplers, heaps_max, buffer_indices: 40, ..SamplersDesc::default() };
        let world = run(seed, 250_000, desc);
        assert!(world.executed > 50_000, "the GPU read {} samplers", world.executed);
        refused += world.refused;
    }
    assert!(refused > 1000, "heaps were full {refused} times");
}
