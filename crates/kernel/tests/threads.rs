//! Several threads at once.
#![allow(clippy::unwrap_used, reason = "a test or bench stops at what it did not expect")]

use heapstone_kernel::*;
use heapstone_spec::SegmentGroup;
use heapstone_units::{Alignment, ByteRange, GIB, KIB, MIB};

/// A small generator, so that every thread has its own fixed sequence.
struct Sequence(u64);

impl Sequence {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

fn check_disjoint(allocations: &[Allocation]) {
    let mut physical: Vec<(SegmentId, ByteRange)> = Vec::new();
    let mut addresses: Vec<ByteRange> = Vec::new();
    for allocation in allocations {
        let ranges: Vec<ByteRange> = allocation.physical_ranges().collect();
        assert_eq!(ranges.iter().map(|range| range.size()).sum::<u64>(), allocation.size());
        physical.extend(ranges.into_iter().map(|range| (allocation.segment(), range)));
        if let Some(address) = allocation.virtual_address() {
            addresses.push(ByteRange::at(address.0, allocation.size()).unwrap());
        }
    }
    physical.sort_by_key(|(segment, range)| (*segment, range.begin));
    addresses.sort_by_key(|range| range.begin);
    for pair in physical.windows(2) {
        assert!(pair[0].0 != pair[1].0 || pair[0].1.end <= pair[1].1.begin, "{pair:?}");
    }
    for pair in addresses.windows(2) {
        assert!(pair[0].end <= pair[1].begin, "{pair:?}");
    }
}

fn work(process: &Process, seed: u64) -> Vec<Allocation> {
    let mut sequence = Sequence(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut live = Vec::new();
    for _ in 0..20_000 {
        if sequence.next(100) < 52 {
            let size = match sequence.next(20) {
                0 => sequence.next(200 * MIB) + 1,
                1..4 => (sequence.next(64) + 1) * MIB,
                _ => (sequence.next(32) + 1) * 64 * KIB,
            };
            let desc = AllocationDesc {
                size,
                alignment: Alignment::new(1 << (12 + sequence.next(11))).unwrap(),
                page_size: if sequence.next(4) == 0 { PageSize::FourKib } else { PageSize::SixtyFourKib },
                contiguous: sequence.next(4) == 0,
                with_virtual_address: sequence.next(5) != 0,
                ..AllocationDesc::heap(size)
            };
            match process.allocate(&desc) {
                Ok(allocation) => live.push(allocation),
                Err(AllocateError::OutOfVideoMemory(_) | AllocateError::OutOfVirtualAddress(_)) => {}
                Err(other) => panic!("{other}"),
            }
        } else if !live.is_empty() {
            let which = usize::try_from(sequence.next(u64::try_from(live.len()).unwrap())).unwrap();
            process.free(live.swap_remove(which));
        }
    }
    live
}

#[test]
fn threads_never_share_a_byte_and_leave_nothing() {
    // Little memory and few addresses: every slow path is walked while others allocate.
    let manager = MemoryManager::new(AdapterMemory::discrete(&[GIB], 512 * MIB, 31)).unwrap();
    let process = manager.create_process(ProcessDesc::default()).unwrap();
    let other = manager.create_process(ProcessDesc::default()).unwrap();
    let (mine, theirs) = std::thread::scope(|scope| {
        let mine: Vec<_> = (1..=3)
            .map(|seed| {
                scope.spawn({
                    let p = &process;
                    move || work(p, seed)
                })
            })
            .collect();
        let theirs = scope.spawn(|| work(&other, 9));
        let mine = mine.into_iter().flat_map(|thread| thread.join().unwrap());
        (mine.collect::<Vec<_>>(), theirs.join().unwrap())
    });
    check_disjoint(&mine);
    check_disjoint(&theirs);
    let bytes = |allocations: &[Allocation]| allocations.iter().map(Allocation::size).sum::<u64>();
    let usage = |process: &Process| {
        SegmentGroup::ALL.iter().map(|group| process.usage(0, *group).unwrap()).sum::<u64>()
    };
    assert_eq!((usage(&process), usage(&other)), (bytes(&mine), bytes(&theirs)));
    let statistics: Vec<_> =
        manager.segments().map(|segment| manager.segment_statistics(segment.id)).collect();
    assert_eq!(statistics.iter().map(|segment| segment.used).sum::<u64>(), bytes(&mine) + bytes(&theirs));

    // Freed from another thread than the one that allocated.
    std::thread::scope(|scope| {
        scope.spawn(|| mine.into_iter().for_each(|allocation| process.free(allocation)));
        scope.spawn(|| theirs.into_iter().for_each(|allocation| other.free(allocation)));
    });
    assert_eq!((usage(&process), usage(&other)), (0, 0));
    for segment in manager.segments() {
        let statistics = manager.segment_statistics(segment.id);
        assert_eq!((statistics.used, statistics.free_range_count), (0, 1), "{}", segment.name);
        assert_eq!(statistics.largest_free_range, segment.size);
        assert!(statistics.used_peak <= segment.size && statistics.used_peak > 0);
    }
    for process in [&process, &other] {
        let statistics = process.virtual_address_statistics();
        assert_eq!((statistics.used, statistics.free_range_count), (0, 1));
    }
}

#[test]
fn budgets_and_processes_change_while_others_allocate() {
    let manager = MemoryManager::new(AdapterMemory::discrete(&[GIB], GIB, 40)).unwrap();
    let process = manager.create_process(ProcessDesc::default()).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..2000 {
                let heap = process.allocate(&AllocationDesc::heap(MIB)).unwrap();
                process.free(heap);
            }
        });
        for _ in 0..200 {
            let passing = manager.create_process(ProcessDesc { role: ProcessRole::Background }).unwrap();
            let _left_behind = passing.allocate(&AllocationDesc::heap(MIB)).unwrap();
            process.set_role(ProcessRole::Foreground);
            let info = passing.query_video_memory_info(0, SegmentGroup::Local).unwrap();
            assert_eq!(info.current_usage, MIB);
        }
    });
    assert_eq!(manager.process_count(), 1);
    assert!(manager.segments().all(|segment| manager.segment_statistics(segment.id).used == 0));
}
