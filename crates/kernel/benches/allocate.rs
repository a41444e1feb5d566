//! Allocation and release of heaps, on one thread and on two.
//!
//! `two_threads` measures the time in which each of two threads does one pair on the same process: the
//! scaling is `2 * one_thread / two_threads`.
#![allow(clippy::unwrap_used, reason = "a test or bench stops at what it did not expect")]

use std::hint::black_box;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use heapstone_kernel::{AdapterMemory, AllocationDesc, MemoryManager, Process, ProcessDesc};
use heapstone_units::{GIB, KIB, MIB};

fn process() -> Process {
    let manager = MemoryManager::new(AdapterMemory::discrete(&[8 * GIB], 16 * GIB, 40)).unwrap();
    manager.create_process(ProcessDesc::default()).unwrap()
}

fn pair(process: &Process, desc: &AllocationDesc) {
    let allocation = process.allocate(black_box(desc)).unwrap();
    process.free(black_box(allocation));
}

fn two_threads(process: &Process, desc: &AllocationDesc, iterations: u64) -> Duration {
    let barrier = Barrier::new(2);
    let run = || {
        barrier.wait();
        let start = Instant::now();
        for _ in 0..iterations {
            pair(process, desc);
        }
        start.elapsed()
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(run);
        run().max(other.join().unwrap())
    })
}

fn benches(c: &mut Criterion) {
    for (name, size) in [("64KiB", 64 * KIB), ("64MiB", 64 * MIB)] {
        let desc = AllocationDesc::heap(size);
        c.bench_function(&format!("heap_{name}/one_thread"), |b| {
            let process = process();
            b.iter(|| pair(&process, &desc));
        });
        c.bench_function(&format!("heap_{name}/two_threads"), |b| {
            let process = process();
            b.iter_custom(|iterations| two_threads(&process, &desc, iterations));
        });
    }
    // A segment that has been used for a while: ten thousand live heaps with holes between them.
    c.bench_function("heap_64KiB/among_holes", |b| {
        let process = process();
        let desc = AllocationDesc::heap(64 * KIB);
        let live: Vec<_> = (0..20_000).map(|_| process.allocate(&desc).unwrap()).collect();
        let mut index = 0;
        let (kept, freed): (Vec<_>, Vec<_>) = live.into_iter().partition(|_| {
            index += 1;
            index % 2 == 0
        });
        freed.into_iter().for_each(|allocation| process.free(allocation));
        b.iter(|| pair(&process, &desc));
        drop(kept);
    });
}

criterion_group!(all, benches);
criterion_main!(all);
