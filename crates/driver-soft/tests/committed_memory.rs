//! What heaps cost the process. One test, because it measures the process.
#![cfg(all(target_os = "linux", not(miri)))]
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use common::{Adapter, BOTH_OPTIONS, Heap};
use heapstone_driver::Backing;
use heapstone_driver_soft::SoftDriverOptions;
use heapstone_spec::HeapFlags;

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// Bytes of memory that the process has: the second number of statm, in pages.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = statm.split_ascii_whitespace().nth(1).unwrap().parse().unwrap();
    pages * u64::try_from(rustix::param::page_size()).unwrap()
}

/// How much more the process has than `before`.
fn grown(before: u64) -> u64 {
    resident().saturating_sub(before)
}

#[test]
fn memory_is_that_of_the_heaps_touched() {
    for options in BOTH_OPTIONS {
        two_pages_of_six_gib(options);
        heaps_never_touched(options);
        a_destroyed_heap_returns_its_pages_at_once(options);
        reading_commits_nothing(options);
    }
    phantom_heaps_cost_nothing();
    a_shared_heap_returns_its_pages_at_once();
}

fn two_pages_of_six_gib(options: SoftDriverOptions) {
    let before = resident();
    let adapter = Adapter::new(Backing::Host, 8 * GIB, options);
    let heap = adapter.create(6 * GIB, HeapFlags::empty()).unwrap();
    heap.bytes.write(0, &[1]).unwrap();
    heap.bytes.write(5 * GIB, &[2]).unwrap();
    assert_eq!([heap.read(0, 1), heap.read(5 * GIB, 1)], [[1], [2]]);
    // Two pages may be huge ones of 2 MiB each.
    assert!(grown(before) < 16 * MIB, "{}", grown(before));
    adapter.destroy(heap);
}

fn heaps_never_touched(options: SoftDriverOptions) {
    let adapter = Adapter::new(Backing::Host, 128 * GIB, options);
    let before = resident();
    let heaps: Vec<Heap> = (0..1000).map(|_| adapter.create(64 * MIB, HeapFlags::empty()).unwrap()).collect();
    assert!(grown(before) < 16 * MIB, "{}", grown(before));
    heaps.into_iter().for_each(|heap| adapter.destroy(heap));
}

fn a_destroyed_heap_returns_its_pages_at_once(options: SoftDriverOptions) {
    let adapter = Adapter::new(Backing::Host, GIB, options);
    let before = resident();
    let heap = adapter.create(128 * MIB, HeapFlags::empty()).unwrap();
    let chunk = vec![7; 1 << 20];
    (0..128).for_each(|index| heap.bytes.write(index * MIB, &chunk).unwrap());
    assert!(grown(before) > 120 * MIB, "{}", grown(before));
    adapter.destroy(heap);
    assert!(grown(before) < 16 * MIB, "{}", grown(before));
}

fn reading_commits_nothing(options: SoftDriverOptions) {
    let adapter = Adapter::new(Backing::Host, GIB, options);
    let heap = adapter.create(128 * MIB, HeapFlags::empty()).unwrap();
    let mut chunk = vec![7; 1 << 20];
    let before = resident();
    (0..128).for_each(|index| heap.bytes.read(index * MIB, &mut chunk).unwrap());
    assert!(grown(before) < 16 * MIB, "{}", grown(before));
    adapter.destroy(heap);
}

fn phantom_heaps_cost_nothing() {
    let adapter = Adapter::new(Backing::Phantom, 1 << 60, SoftDriverOptions::default());
    let before = resident();
    let heaps: Vec<Heap> = (0..100).map(|_| adapter.create(1 << 40, HeapFlags::empty()).unwrap()).collect();
    assert!(grown(before) < MIB, "{}", grown(before));
    heaps.into_iter().for_each(|heap| adapter.destroy(heap));
}

fn a_shared_heap_returns_its_pages_at_once() {
    let adapter = Adapter::new(Backing::Shared, 8 * GIB, SoftDriverOptions::default());
    let before = resident();
    let heap = adapter.create(6 * GIB, HeapFlags::empty()).unwrap();
    let chunk = vec![7; 1 << 20];
    (0..32).for_each(|index| heap.bytes.write(5 * GIB + index * MIB, &chunk).unwrap());
    assert!((30 * MIB..64 * MIB).contains(&grown(before)), "{}", grown(before));
    adapter.destroy(heap);
    assert!(grown(before) < 16 * MIB, "{}", grown(before));
}
