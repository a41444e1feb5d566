//! Heaps: physical placement and virtual addresses together.
#![allow(clippy::unwrap_used, reason = "a test or bench stops at what it did not expect")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use heapstone_kernel::*;
use heapstone_spec::SegmentGroup;
use heapstone_units::{Alignment, ByteRange, GIB, GpuVirtualAddress, KIB, MIB};

const PAGE: Alignment = Alignment::constant(64 * KIB);

fn process_of(memory: AdapterMemory) -> (MemoryManager, Process) {
    let manager = MemoryManager::new(memory).unwrap();
    let process = manager.create_process(ProcessDesc::default()).unwrap();
    (manager, process)
}

fn segment(manager: &MemoryManager, name: &str) -> SegmentId {
    manager.segments().find(|segment| segment.name == name).unwrap().id
}

fn local() -> AllocationDesc {
    AllocationDesc { placement: Placement::L1 { demotable: false }, ..AllocationDesc::heap(64 * KIB) }
}

/// All that an allocation could change.
#[derive(Debug, PartialEq)]
struct State {
    segments: Vec<Vec<RangeView>>,
    addresses: Vec<RangeView>,
    usage: Vec<u64>,
}

fn state(manager: &MemoryManager, process: &Process) -> State {
    let usage =
        |node| [SegmentGroup::Local, SegmentGroup::NonLocal].map(|group| process.usage(node, group).unwrap());
    State {
        segments: manager.segments().map(|segment| manager.segment_ranges(segment.id)).collect(),
        addresses: process.virtual_ranges(),
        usage: (0..manager.node_count()).flat_map(usage).collect(),
    }
}

fn oom(error: AllocateError) -> OutOfVideoMemory {
    match error {
        AllocateError::OutOfVideoMemory(error) => *error,
        other => panic!("{other}"),
    }
}

fn shortages(error: &OutOfVideoMemory) -> Vec<(&str, Shortage)> {
    error.segments.iter().map(|segment| (segment.name.as_str(), segment.shortage)).collect()
}

// spec/2-resource-heaps.txt 1642: a reserved resource of 32 MiB and a heap of 32 MiB take 64 MiB.
#[test]
fn a_heap_alone_takes_virtual_addresses() {
    let (_manager, process) = process_of(AdapterMemory::discrete(&[8 * GIB], 16 * GIB, 31));
    assert_eq!(process.virtual_address_statistics().capacity, 2 * GIB - 64 * KIB);
    let heap = process.allocate(&AllocationDesc::heap(32 * MIB)).unwrap();
    let reserved = process.reserve_virtual_address(32 * MIB, PAGE).unwrap();
    assert_eq!(process.virtual_address_statistics().used, 64 * MIB);
    assert_eq!(process.usage(0, SegmentGroup::Local), Ok(32 * MIB));
    let (heap_va, reserved_va) = (heap.virtual_address().unwrap(), reserved.address());
    assert!(heap_va >= GPU_VA_BEGIN && reserved_va >= GPU_VA_BEGIN && heap_va != reserved_va);
    process.free(heap);
    process.release_virtual_address(reserved);
    assert_eq!(process.virtual_address_statistics().used, 0);
}

#[test]
fn virtual_addresses_run_out_before_memory() {
    let (manager, process) = process_of(AdapterMemory::discrete(&[8 * GIB], 16 * GIB, 31));
    let desc = AllocationDesc { size: 32 * MIB, ..local() };
    // 64 ranges of 32 MiB would be all of 2 GiB, of which the first page is never handed out.
    let heaps: Vec<Allocation> = (0..63).map(|_| process.allocate(&desc).unwrap()).collect();
    let before = state(&manager, &process);
    let error = process.allocate(&desc).unwrap_err();
    let AllocateError::OutOfVirtualAddress(error) = error else { panic!("{error}") };
    assert_eq!(
        (error.requested, error.shortage, error.free, error.limit_bits),
        (32 * MIB, Shortage::Exhausted, 32 * MIB - 64 * KIB, 31)
    );
    assert_eq!(error.largest_free_range, 32 * MIB - 64 * KIB);
    assert_eq!(state(&manager, &process), before);
    // Without addresses of its own it still fits, and so does a smaller one.
    let bare = process.allocate(&AllocationDesc { with_virtual_address: false, ..desc }).unwrap();
    assert_eq!(bare.virtual_address(), None);
    let small = process.allocate(&AllocationDesc { size: 16 * MIB, ..desc }).unwrap();
    assert!(small.virtual_address().unwrap() < GpuVirtualAddress(1 << 31));
    for heap in heaps.into_iter().chain([bare, small]) {
        process.free(heap);
    }
    assert_eq!(manager.segment_statistics(segment(&manager, "L1 of node 0")).used, 0);
}

#[test]
fn an_address_range_larger_than_the_space_is_named_so() {
    let (_manager, process) = process_of(AdapterMemory::discrete(&[8 * GIB], 16 * GIB, 31));
    for size in [2 * GIB, 4 * GIB, 1 << 63, u64::MAX] {
        let Err(ReserveAddressError::OutOfVirtualAddress(error)) =
            process.reserve_virtual_address(size, PAGE)
        else {
            panic!("{size} was reserved")
        };
        assert_eq!((error.shortage, error.requested), (Shortage::ExceedsCapacity, size));
        assert_eq!((error.free, error.capacity), (2 * GIB - 64 * KIB, 2 * GIB - 64 * KIB));
    }
    assert_eq!(process.reserve_virtual_address(0, PAGE).unwrap_err(), ReserveAddressError::SizeIsZero);
    // An alignment that no address has but 0, which is never handed out.
    let error = process.reserve_virtual_address(64 * KIB, Alignment::constant(1 << 40)).unwrap_err();
    let ReserveAddressError::OutOfVirtualAddress(error) = error else { panic!("{error}") };
    assert_eq!(error.shortage, Shortage::Fragmented);
    assert_eq!(process.virtual_address_statistics().used, 0);
}

#[test]
fn ranges_across_shards_are_had_whole() {
    // 2 GiB - 64 KiB is everything: across all shards of the address space.
    let (_manager, process) = process_of(AdapterMemory::discrete(&[8 * GIB], 16 * GIB, 31));
    let all = process.reserve_virtual_address(2 * GIB - 64 * KIB, PAGE).unwrap();
    assert_eq!((all.address(), all.size()), (GPU_VA_BEGIN, 2 * GIB - 64 * KIB));
    let statistics = process.virtual_address_statistics();
    assert_eq!((statistics.free, statistics.free_range_count), (0, 0));
    process.release_virtual_address(all);
    let statistics = process.virtual_address_statistics();
    assert_eq!((statistics.free_range_count, statistics.largest_free_range), (1, 2 * GIB - 64 * KIB));

    // And a contiguous heap of 7 of 8 GiB, next to a small one.
    let (manager, process) = process_of(AdapterMemory::discrete(&[8 * GIB], 16 * GIB, 48));
    let small = process.allocate(&local()).unwrap();
    let desc = AllocationDesc { size: 7 * GIB, contiguous: true, ..local() };
    let large = process.allocate(&desc).unwrap();
    assert_eq!(large.physical_ranges().map(ByteRange::size).collect::<Vec<_>>(), [7 * GIB]);
    assert!(!large.is_demoted());
    assert!(process.allocate(&AllocationDesc { size: GIB, contiguous: true, ..local() }).is_err());
    process.free(small);
    process.free(large);
    assert_eq!(manager.segment_statistics(segment(&manager, "L1 of node 0")).free_range_count, 1);
}

#[test]
fn a_broken_up_segment_scatters_what_may_be_scattered() {
    let (manager, process) = process_of(AdapterMemory::discrete(&[64 * MIB], 64 * MIB, 40));
    let id = segment(&manager, "L1 of node 0");
    let pages: Vec<Allocation> = (0..1024).map(|_| process.allocate(&local()).unwrap()).collect();
    assert_eq!(manager.segment_statistics(id).free, 0);
    let (kept, freed): (Vec<_>, Vec<_>) =
        pages.into_iter().partition(|page| page.physical_ranges().next().unwrap().begin % (128 * KIB) == 0);
    freed.into_iter().for_each(|page| process.free(page));
    let statistics = manager.segment_statistics(id);
    assert_eq!(
        (statistics.free, statistics.largest_free_range, statistics.free_range_count),
        (32 * MIB, 64 * KIB, 512)
    );

    let before = state(&manager, &process);
    let contiguous = AllocationDesc { size: 128 * KIB, contiguous: true, ..local() };
    let error = oom(process.allocate(&contiguous).unwrap_err());
    assert_eq!(shortages(&error), [("L1 of node 0", Shortage::Fragmented)]);
    assert_eq!(
        (error.segments[0].free, error.segments[0].largest_free_range, error.segments[0].capacity),
        (32 * MIB, 64 * KIB, 64 * MIB)
    );
    assert!(error.contiguous && !error.can_never_fit());
    assert_eq!(state(&manager, &process), before);

    // The same bytes scattered: 16 ranges of a page each, none of which overlaps what was kept.
    let scattered = process.allocate(&AllocationDesc { size: MIB, ..local() }).unwrap();
    let ranges: Vec<ByteRange> = scattered.physical_ranges().collect();
    assert_eq!(ranges.len(), 16);
    assert!(ranges.iter().all(|range| range.size() == 64 * KIB && range.begin % (128 * KIB) == 64 * KIB));
    assert!(ranges.is_sorted_by_key(|range| range.begin));
    // More than is left is refused, exactly what is left is not.
    let error = process.allocate(&AllocationDesc { size: 31 * MIB + 1, ..local() }).unwrap_err();
    assert_eq!(shortages(&oom(error)), [("L1 of node 0", Shortage::Exhausted)]);
    let rest = process.allocate(&AllocationDesc { size: 31 * MIB, ..local() }).unwrap();
    assert_eq!(manager.segment_statistics(id).free, 0);
    for allocation in kept.into_iter().chain([scattered, rest]) {
        process.free(allocation);
    }
    let statistics = manager.segment_statistics(id);
    assert_eq!((statistics.used, statistics.free_range_count), (0, 1));
    assert_eq!(statistics.used_peak, 64 * MIB);
    assert_eq!(process.virtual_address_statistics().free_range_count, 1);
}

#[test]
fn small_pages_leave_holes_that_large_pages_cannot_use() {
    let (manager, process) = process_of(AdapterMemory::discrete(&[64 * KIB], 64 * KIB, 40));
    let small = AllocationDesc { size: 1, page_size: PageSize::FourKib, ..local() };
    let page = process.allocate(&small).unwrap();
    assert_eq!(page.size(), 4 * KIB);
    let error = oom(process.allocate(&AllocationDesc { size: 4 * KIB, ..local() }).unwrap_err());
    assert_eq!(shortages(&error), [("L1 of node 0", Shortage::Fragmented)]);
    assert_eq!(error.segments[0].free, 60 * KIB);
    let rest = process.allocate(&AllocationDesc { size: 60 * KIB, ..small }).unwrap();
    assert_eq!(rest.size(), 60 * KIB);
    process.free(page);
    process.free(rest);
    let whole = process.allocate(&local()).unwrap();
    assert_eq!(process.usage(0, SegmentGroup::Local), Ok(64 * KIB));
    process.free(whole);
    assert_eq!(manager.segment_statistics(segment(&manager, "L1 of node 0")).used, 0);
}

// spec/2-resource-heaps.txt 1622: demoted to system memory; refused when that is full as well.
#[test]
fn full_video_memory_demotes_and_full_system_memory_refuses() {
    let (manager, process) = process_of(AdapterMemory::discrete(&[128 * MIB], 64 * MIB, 40));
    let desc = AllocationDesc::heap(64 * MIB);
    let first = process.allocate(&desc).unwrap();
    let second = process.allocate(&desc).unwrap();
    let third = process.allocate(&desc).unwrap();
    assert_eq!([&first, &second, &third].map(Allocation::is_demoted), [false, false, true]);
    assert_eq!(third.segment(), segment(&manager, "L0"));
    assert_eq!(process.usage(0, SegmentGroup::Local), Ok(128 * MIB));
    assert_eq!(process.usage(0, SegmentGroup::NonLocal), Ok(64 * MIB));

    let before = state(&manager, &process);
    let error = oom(process.allocate(&AllocationDesc::heap(1)).unwrap_err());
    assert_eq!(shortages(&error), [("L1 of node 0", Shortage::Exhausted), ("L0", Shortage::Exhausted)]);
    assert_eq!((error.requested, error.page_size), (1, PageSize::SixtyFourKib));
    assert_eq!(
        error.to_string(),
        "out of video memory: 1 B asked in pages of 64 KiB; L1 of node 0 is too full: 0 B free, 0 B in one range, \
         of 128 MiB; L0 is too full: 0 B free, 0 B in one range, of 64 MiB"
    );
    assert_eq!(state(&manager, &process), before);

    // Not demotable: refused although system memory has room again.
    process.free(third);
    let error = oom(process.allocate(&AllocationDesc { size: MIB, ..local() }).unwrap_err());
    assert_eq!(shortages(&error), [("L1 of node 0", Shortage::Exhausted)]);
    // System memory asked outright is no demotion.
    let system = process.allocate(&AllocationDesc { placement: Placement::L0, ..desc }).unwrap();
    assert!(!system.is_demoted());
    for allocation in [first, second, system] {
        process.free(allocation);
    }
    assert_eq!(process.usage(0, SegmentGroup::NonLocal), Ok(0));
}

#[test]
fn sizes_that_can_never_be_are_refused_without_change() {
    let (manager, process) = process_of(AdapterMemory::discrete(&[8 * GIB], 16 * GIB, 48));
    let before = state(&manager, &process);
    for contiguous in [false, true] {
        assert_eq!(
            process.allocate(&AllocationDesc { contiguous, ..AllocationDesc::heap(0) }).unwrap_err(),
            AllocateError::SizeIsZero
        );
        for size in [16 * GIB + 1, 1 << 48, 1 << 63, u64::MAX - 1, u64::MAX] {
            let desc = AllocationDesc { contiguous, ..AllocationDesc::heap(size) };
            let error = oom(process.allocate(&desc).unwrap_err());
            assert!(error.can_never_fit(), "{size}");
            assert_eq!((error.requested, error.segments[1].capacity), (size, 16 * GIB));
            // An alignment beyond the space, too, is an ordinary refusal.
            let aligned = AllocationDesc { size: 1, alignment: Alignment::constant(1 << 63), ..desc };
            assert!(process.allocate(&aligned).is_err());
        }
    }
    assert_eq!(state(&manager, &process), before);
}

#[test]
fn two_nodes_have_their_own_local_memory_and_share_the_rest() {
    let (manager, process) = process_of(AdapterMemory::discrete(&[64 * MIB, 128 * MIB], 64 * MIB, 40));
    assert_eq!(manager.node_count(), 2);
    let on = |node, size| AllocationDesc { node, ..AllocationDesc::heap(size) };
    let zero = process.allocate(&on(0, 64 * MIB)).unwrap();
    let one = process.allocate(&on(1, 128 * MIB)).unwrap();
    assert_eq!(zero.segment(), segment(&manager, "L1 of node 0"));
    assert_eq!(one.segment(), segment(&manager, "L1 of node 1"));
    let demoted = process.allocate(&on(1, 48 * MIB)).unwrap();
    assert_eq!((demoted.is_demoted(), demoted.node()), (true, 1));
    let usage = |node, group| process.usage(node, group).unwrap();
    assert_eq!([usage(0, SegmentGroup::Local), usage(1, SegmentGroup::Local)], [64 * MIB, 128 * MIB]);
    assert_eq!([usage(0, SegmentGroup::NonLocal), usage(1, SegmentGroup::NonLocal)], [0, 48 * MIB]);
    // Node 0 finds in system memory what node 1 has left.
    let error = oom(process.allocate(&on(0, 17 * MIB)).unwrap_err());
    assert_eq!(error.segments[1].free, 16 * MIB);
    let unknown = UnknownNode { given: 2, node_count: 2 };
    assert_eq!(process.allocate(&on(2, MIB)).unwrap_err(), AllocateError::UnknownNode(unknown));
    assert_eq!(process.usage(2, SegmentGroup::Local), Err(unknown));
    [zero, one, demoted].into_iter().for_each(|allocation| process.free(allocation));
}

// facts/residency.md: on UMA the non-local group is 0. spec/2-resource-heaps.txt 470: L1 is not asked there.
#[test]
fn unified_memory_is_local_system_memory() {
    let (manager, process) = process_of(AdapterMemory::uma(4 * GIB, 40));
    assert!(manager.is_uma());
    let error = process.allocate(&AllocationDesc::heap(MIB)).unwrap_err();
    assert_eq!(error, AllocateError::NoSuchPool { node: 0, pool: MemoryPool::L1 });
    let heap =
        process.allocate(&AllocationDesc { placement: Placement::L0, ..AllocationDesc::heap(MIB) }).unwrap();
    assert!(!heap.is_demoted());
    assert_eq!(process.query_video_memory_info(0, SegmentGroup::Local).unwrap().current_usage, MIB);
    assert_eq!(process.query_video_memory_info(0, SegmentGroup::NonLocal), Ok(VideoMemoryInfo::default()));
    process.free(heap);
}

#[test]
fn alignment_holds_for_addresses_and_for_contiguous_memory() {
    let (_manager, process) = process_of(AdapterMemory::discrete(&[8 * GIB], 16 * GIB, 40));
    let odd = process.allocate(&local()).unwrap();
    let alignment = Alignment::constant(4 * MIB);
    let desc = AllocationDesc { size: 4 * MIB, alignment, contiguous: true, ..local() };
    let heap = process.allocate(&desc).unwrap();
    assert!(alignment.is_aligned(heap.virtual_address().unwrap().0));
    assert!(alignment.is_aligned(heap.physical_ranges().next().unwrap().begin));
    process.free(heap);
    process.free(odd);
}

/// Lets the n-th step fail.
struct NthFails {
    n: usize,
    asked: AtomicUsize,
}

impl AllocationFaults for NthFails {
    fn refuses(&self, _: AllocationStep) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) == self.n
    }
}

#[test]
fn every_step_can_fail_and_leaves_nothing_behind() {
    let mut failures = Vec::new();
    for n in 0.. {
        let faults = Arc::new(NthFails { n, asked: AtomicUsize::new(0) });
        let memory = AdapterMemory::discrete(&[8 * GIB], 16 * GIB, 40);
        let manager = MemoryManager::with_faults(memory, Some(faults)).unwrap();
        let process = manager.create_process(ProcessDesc::default()).unwrap();
        let before = state(&manager, &process);
        let heap = process.allocate(&local());
        match heap {
            Ok(heap) => process.free(heap),
            Err(error) => {
                assert_eq!(state(&manager, &process), before, "step {n}");
                failures.push(match error {
                    AllocateError::OutOfVideoMemory(error) => error.segments[0].shortage,
                    AllocateError::OutOfVirtualAddress(error) => error.shortage,
                    other => panic!("{other}"),
                });
            }
        }
        if n > failures.len() {
            break;
        }
    }
    // One segment to be placed in, then one address range.
    assert_eq!(failures, [Shortage::Injected, Shortage::Injected]);
}

#[test]
fn an_injected_failure_in_video_memory_demotes() {
    let faults = Arc::new(NthFails { n: 0, asked: AtomicUsize::new(0) });
    let memory = AdapterMemory::discrete(&[8 * GIB], 16 * GIB, 40);
    let manager = MemoryManager::with_faults(memory, Some(faults)).unwrap();
    let process = manager.create_process(ProcessDesc::default()).unwrap();
    let heap = process.allocate(&AllocationDesc::heap(MIB)).unwrap();
    assert!(heap.is_demoted());
    process.free(heap);
}

#[test]
fn a_process_that_ends_leaves_nothing() {
    let (manager, process) = process_of(AdapterMemory::discrete(&[256 * MIB], 256 * MIB, 40));
    let stays = process.allocate(&AllocationDesc::heap(MIB)).unwrap();
    let other = manager.create_process(ProcessDesc::default()).unwrap();
    for _ in 0..3 {
        let _leaked = other.allocate(&AllocationDesc::heap(80 * MIB)).unwrap();
        let _leaked =
            other.allocate(&AllocationDesc { placement: Placement::L0, ..AllocationDesc::heap(MIB) });
        // Freed last, and so merged only later: it must not be freed twice.
        other.free(other.allocate(&AllocationDesc::heap(64 * KIB)).unwrap());
    }
    assert_eq!(manager.process_count(), 2);
    drop(other);
    assert_eq!(manager.process_count(), 1);
    assert_eq!(manager.segment_statistics(segment(&manager, "L1 of node 0")).used, MIB);
    assert_eq!(manager.segment_statistics(segment(&manager, "L0")).used, 0);
    process.free(stays);
    assert_eq!(manager.segment_statistics(segment(&manager, "L1 of node 0")).free_range_count, 1);
}

#[test]
fn the_same_calls_give_the_same_places() {
    let run = || {
        let (manager, process) = process_of(AdapterMemory::discrete(&[GIB], GIB, 40));
        let mut live = Vec::new();
        let mut places = Vec::new();
        for step in 1..3000u64 {
            let size = (step * 7919 % 61 + 1) * 64 * KIB;
            let heap = process.allocate(&AllocationDesc::heap(size)).unwrap();
            places.push((heap.segment(), heap.physical_ranges().collect::<Vec<_>>(), heap.virtual_address()));
            live.push(heap);
            if step % 3 != 0 {
                let which = usize::try_from(step * 31).unwrap() % live.len();
                process.free(live.swap_remove(which));
            }
        }
        drop(manager);
        places
    };
    let here = run();
    assert_eq!(here, run());
    // Nor does it matter which thread makes them.
    assert_eq!(here, std::thread::spawn(run).join().unwrap());
}

#[test]
fn configurations_are_checked() {
    let good = AdapterMemory::discrete(&[GIB], GIB, 40);
    let new = |memory: AdapterMemory| MemoryManager::new(memory).map(|_| ());
    assert_eq!(new(good.clone()), Ok(()));
    assert_eq!(new(AdapterMemory::discrete(&[], GIB, 40)), Err(ConfigError::NodeCount { given: 0 }));
    assert_eq!(new(AdapterMemory::discrete(&[GIB; 33], GIB, 40)), Err(ConfigError::NodeCount { given: 33 }));
    for bits in [0, 16, 64] {
        let memory = AdapterMemory { gpu_va_bits_per_process: bits, ..good.clone() };
        assert_eq!(new(memory), Err(ConfigError::GpuVaBits { given: bits }));
    }
    for bits in [17, 31, 47, 63] {
        assert_eq!(new(AdapterMemory { gpu_va_bits_per_process: bits, ..good.clone() }), Ok(()));
    }
    for size in [0, 4096, GIB + 1, (1 << 63) + 65_536] {
        let error = ConfigError::SegmentSize { segment: "L1 of node 0".to_owned(), given: size };
        assert_eq!(new(AdapterMemory::discrete(&[size], GIB, 40)), Err(error));
    }
    assert_eq!(
        new(AdapterMemory { node_count: 2, ..good.clone() }),
        Err(ConfigError::NodeWithoutLocalSegment { node: 1 })
    );
    let mut foreign = good.clone();
    foreign.segments.push(SegmentDesc {
        name: "stray".to_owned(),
        nodes: SegmentNodes::One(7),
        pool: MemoryPool::L1,
        size: GIB,
    });
    assert_eq!(
        new(foreign),
        Err(ConfigError::SegmentNode { segment: "stray".to_owned(), given: 7, node_count: 1 })
    );
    let policy = BudgetPolicy { usable_permille: 1001, ..BudgetPolicy::default() };
    assert_eq!(
        new(AdapterMemory { budget_policy: policy, ..good.clone() }).unwrap_err().to_string(),
        "budget policy: usable_permille is 1001; allowed: 0 to 1000"
    );
    let policy = BudgetPolicy { weight_foreground: 1, weight_background: 2, ..BudgetPolicy::default() };
    assert!(new(AdapterMemory { budget_policy: policy, ..good }).is_err());
}

#[test]
fn the_largest_segment_and_address_space_work() {
    let (manager, process) = process_of(AdapterMemory::discrete(&[1 << 63], 1 << 63, 63));
    let heap = process.allocate(&AllocationDesc { size: 1 << 62, contiguous: true, ..local() }).unwrap();
    assert_eq!(heap.size(), 1 << 62);
    let error = oom(process.allocate(&AllocationDesc { size: (1 << 63) - 1, ..local() }).unwrap_err());
    assert_eq!(shortages(&error), [("L1 of node 0", Shortage::Exhausted)]);
    process.free(heap);
    assert_eq!(manager.segment_statistics(segment(&manager, "L1 of node 0")).largest_free_range, 1 << 63);
}
