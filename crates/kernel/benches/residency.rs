//! Residency events: MakeResident, a use, its end and Evict of allocations under pressure. An element is one event.
//!
//! `uses/N` has N allocations of which half fit; each submission uses 32 of them, in an order that a generator gives.
//! The time of an event is to grow no faster than log N.
#![allow(clippy::unwrap_used, reason = "a test or bench stops at what it did not expect")]

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use heapstone_kernel::residency::policy::PolicyKind;
use heapstone_kernel::residency::{
    EvictFlags, InitialContent, MakeResidentFlags, ResidencyConfig, SubmissionUse,
};
use heapstone_kernel::{AdapterMemory, Allocation, AllocationDesc, MemoryManager, Process, ProcessDesc};
use heapstone_units::KIB;

const BATCH: usize = 32;
/// Of a batch: MakeResident, begin, end, Evict of each.
const EVENTS: u64 = 4 * 32;

struct Bench {
    _manager: MemoryManager,
    process: Process,
    objects: Vec<Allocation>,
    state: u64,
}

impl Bench {
    fn new(count: u64, policy: PolicyKind) -> Bench {
        let residency = ResidencyConfig { policy, keeps_operations: false, ..ResidencyConfig::default() };
        // The mean size is 2.5 pages of 64 KiB: half of all fits.
        let local = (count * 160 * KIB / 2).next_multiple_of(64 * KIB);
        let memory = AdapterMemory { residency, ..AdapterMemory::discrete(&[local], local, 46) };
        let manager = MemoryManager::new(memory).unwrap();
        let process = manager.create_process(ProcessDesc::default()).unwrap();
        let objects = (0..count)
            .map(|index| {
                let desc = AllocationDesc::heap(64 * KIB * (1 + index % 4));
                process.allocate_evicted(&desc, InitialContent::Stored).unwrap()
            })
            .collect();
        Bench { _manager: manager, process, objects, state: 1 }
    }

    fn next(&mut self) -> usize {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.state >> 33).unwrap() % self.objects.len()
    }

    fn batch(&mut self) {
        // Neighbours, as of a scene: what is used together lies together.
        let first = self.next();
        let named: Vec<&Allocation> =
            (0..BATCH).map(|at| &self.objects[(first + at) % self.objects.len()]).collect();
        let _ = self.process.make_resident(&named, MakeResidentFlags::NONE).unwrap();
        let uses: Vec<SubmissionUse<'_>> =
            named.iter().map(|allocation| SubmissionUse { allocation, writes: false }).collect();
        let work = self.process.begin_use(&uses).unwrap();
        self.process.end_use(work);
        self.process.evict(&named, EvictFlags::EVICT_ONLY_IF_NECESSARY).unwrap();
    }
}

fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("uses");
    group.throughput(Throughput::Elements(EVENTS));
    for (policy, count) in [
        (PolicyKind::Lru, 1_000),
        (PolicyKind::Lru, 100_000),
        (PolicyKind::Lru, 1_000_000),
        (PolicyKind::Adaptive, 1_000),
        (PolicyKind::Adaptive, 100_000),
        (PolicyKind::Adaptive, 1_000_000),
    ] {
        let mut bench = Bench::new(count, policy);
        // Memory fills first.
        for _ in 0..count / 16 {
            bench.batch();
        }
        group.bench_function(BenchmarkId::new(policy.name(), count), |b| {
            b.iter_custom(|iterations| {
                let start = Instant::now();
                (0..iterations).for_each(|_| bench.batch());
                start.elapsed().max(Duration::from_nanos(1))
            });
        });
    }
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
