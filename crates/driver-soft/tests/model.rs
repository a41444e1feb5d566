//! The driver against a naive model, and under threads.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::collections::HashMap;

use common::{Adapter, BOTH_OPTIONS, Heap, Random};
use heapstone_driver::Backing;
use heapstone_driver_soft::SoftDriverOptions;
use heapstone_kernel::PageSize;
use heapstone_spec::HeapFlags;

const PAGE: u64 = 64 << 10;
const STEPS: u32 = if cfg!(miri) { 40 } else { 800 };
const HEAP_SIZE_MAX: u64 = if cfg!(miri) { 10_000 } else { 4 * PAGE };

/// Heaps are created, written, read and destroyed at random; each must hold what a vector holds.
fn against_vectors(seed: u64, backing: Backing, options: SoftDriverOptions) {
    let mut random = Random(seed);
    let adapter = Adapter::new(backing, 128 * PAGE, options);
    let mut alive: Vec<u32> = Vec::new();
    let mut heaps: HashMap<u32, (Heap, Vec<u8>)> = HashMap::new();
    for step in 0..STEPS {
        let where_ = format!("seed {seed} step {step} {backing:?} {options:?}");
        match random.below(8) {
            0 | 1 if alive.len() < 24 => {
                let size = 1 + random.below(HEAP_SIZE_MAX);
                let pages = [PageSize::FourKib, PageSize::SixtyFourKib][random.index(2)];
                let flags = [HeapFlags::empty(), HeapFlags::CREATE_NOT_ZEROED][random.index(2)];
                let heap = adapter.create_at(adapter.allocate(size, pages), size, flags).unwrap();
                alive.push(step);
                heaps.insert(step, (heap, vec![0; usize::try_from(size).unwrap()]));
            }
            2 if !alive.is_empty() => {
                let key = alive.swap_remove(random.index(alive.len()));
                let (heap, model) = heaps.remove(&key).unwrap();
                assert_eq!(heap.read(0, model.len()), model, "{where_}");
                adapter.destroy(heap);
            }
            kind if !alive.is_empty() => {
                let (heap, model) = heaps.get_mut(&alive[random.index(alive.len())]).unwrap();
                let begin = random.index(model.len());
                let count = random.index(model.len() - begin + 1);
                let offset = u64::try_from(begin).unwrap();
                if kind < 5 {
                    assert_eq!(heap.read(offset, count), model[begin..begin + count], "{where_}");
                } else {
                    let byte = random.next().to_le_bytes()[0];
                    let bytes: Vec<u8> = (byte..=255).chain(0..byte).cycle().take(count).collect();
                    heap.bytes.write(offset, &bytes).unwrap();
                    model[begin..begin + count].copy_from_slice(&bytes);
                }
            }
            _ => {}
        }
    }
    for (heap, model) in heaps.into_values() {
        assert_eq!(heap.read(0, model.len()), model, "seed {seed} at the end");
        adapter.destroy(heap);
    }
}

#[test]
fn heaps_hold_what_vectors_hold() {
    for options in BOTH_OPTIONS {
        for seed in 0..4 {
            against_vectors(seed, Backing::Host, options);
        }
    }
}

#[cfg(not(miri))]
#[test]
fn shared_heaps_hold_what_vectors_hold() {
    against_vectors(4, Backing::Shared, SoftDriverOptions::default());
}

/// Threads write their own bytes, interleaved in lines so that they share words and pages.
#[test]
fn threads_write_disjoint_bytes_of_one_heap() {
    const THREADS: u8 = 4;
    const LINE: usize = 13;
    let lines = if cfg!(miri) { 40 } else { 800 };
    for options in BOTH_OPTIONS {
        let adapter = Adapter::new(Backing::Host, 16 * PAGE, options);
        let heap = adapter.create(16 * PAGE, HeapFlags::empty()).unwrap();
        let offset = |line: usize| u64::try_from(line * LINE).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let heap = &heap;
                scope.spawn(move || {
                    for line in (usize::from(thread)..lines).step_by(usize::from(THREADS)) {
                        heap.bytes.write(offset(line), &[thread + 1; LINE]).unwrap();
                        assert_eq!(heap.read(offset(line), LINE), [thread + 1; LINE]);
                    }
                });
            }
        });
        for line in 0..lines {
            let thread = u8::try_from(line % usize::from(THREADS)).unwrap();
            assert_eq!(heap.read(offset(line), LINE), [thread + 1; LINE], "line {line}");
        }
        adapter.destroy(heap);
    }
}

/// Threads of safe code may race for the same bytes: each byte read was written by one of them.
#[test]
fn racing_copies_mix_bytes_and_invent_none() {
    let rounds = if cfg!(miri) { 4 } else { 2000 };
    let adapter = Adapter::new(Backing::Host, PAGE, SoftDriverOptions::default());
    let heap = adapter.create(PAGE, HeapFlags::empty()).unwrap();
    std::thread::scope(|scope| {
        for byte in [0xAA, 0x55] {
            let heap = &heap;
            scope.spawn(move || {
                for _ in 0..rounds {
                    heap.bytes.write(3, &[byte; 101]).unwrap();
                }
            });
        }
        for _ in 0..rounds {
            let seen = heap.read(5, 90);
            assert!(seen.iter().all(|byte| [0, 0xAA, 0x55].contains(byte)), "{seen:?}");
        }
    });
}

/// Creating and destroying from threads at once, touched and not: places are disjoint, so no thread
/// sees another's bytes.
#[test]
fn threads_create_and_destroy_at_once() {
    let rounds = if cfg!(miri) { 3 } else { 300 };
    for options in BOTH_OPTIONS {
        let adapter = Adapter::new(Backing::Host, 64 * PAGE, options);
        std::thread::scope(|scope| {
            for thread in 1..=4_u8 {
                let adapter = &adapter;
                scope.spawn(move || {
                    let mut random = Random(u64::from(thread));
                    for _ in 0..rounds {
                        let size = 1 + random.below(4096);
                        let length = usize::try_from(size).unwrap();
                        let place = adapter.allocate(size, PageSize::FourKib);
                        let heap = adapter.create_at(place, size, HeapFlags::empty()).unwrap();
                        if random.below(2) == 0 {
                            heap.address();
                            assert_eq!(heap.read(0, length), vec![0; length]);
                            heap.bytes.write(0, &vec![thread; length]).unwrap();
                            assert_eq!(heap.read(0, length), vec![thread; length]);
                        }
                        adapter.destroy(heap);
                    }
                });
            }
        });
    }
}

/// Threads that touch a scattered heap first at the same time get one mapping.
#[test]
fn threads_that_map_first_get_one_address() {
    // No reservation has 2^62 bytes, so that the heap has a mapping of its own.
    let adapter = Adapter::new(Backing::Host, 1 << 62, SoftDriverOptions::default());
    let heap = adapter.create(PAGE, HeapFlags::empty()).unwrap();
    let addresses: Vec<usize> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| heap.address().addr())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(addresses.iter().all(|address| *address == addresses[0]), "{addresses:?}");
}
