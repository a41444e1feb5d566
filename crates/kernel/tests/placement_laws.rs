//! What a whole segment refuses and grants, across its shards, against what its free ranges allow.
#![allow(clippy::unwrap_used, reason = "a test or bench stops at what it did not expect")]

use heapstone_kernel::*;
use heapstone_spec::SegmentGroup;
use heapstone_units::{Alignment, ByteRange, KIB, MIB};
use proptest::prelude::*;

/// Four shards of 64 MiB: large requests lie across them.
const SEGMENT_SIZE: u64 = 256 * MIB;

#[derive(Clone, Debug)]
enum Step {
    Allocate(AllocationDesc),
    Free(prop::sample::Index),
}

fn descs() -> impl Strategy<Value = AllocationDesc> {
    let sizes = prop_oneof![
        4 => 1..4 * MIB,
        4 => 1..64 * MIB,
        2 => 60 * MIB..260 * MIB,
        1 => any::<u64>(),
    ];
    let page_sizes = prop_oneof![Just(PageSize::FourKib), Just(PageSize::SixtyFourKib)];
    (sizes, 0u32..28, page_sizes, any::<bool>()).prop_map(|(size, alignment_log2, page_size, contiguous)| {
        AllocationDesc {
            size,
            alignment: Alignment::new(1 << alignment_log2).unwrap(),
            page_size,
            contiguous,
            with_virtual_address: false,
            placement: Placement::L1 { demotable: false },
            ..AllocationDesc::heap(size)
        }
    })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        5 => descs().prop_map(Step::Allocate),
        3 => any::<prop::sample::Index>().prop_map(Step::Free),
    ];
    prop::collection::vec(step, 1..80)
}

/// The largest part of `range` whose both ends are multiples of `alignment`.
fn whole_pages(range: &RangeView, alignment: Alignment) -> u64 {
    let begin = alignment.align_up(range.offset).unwrap();
    alignment.align_down(range.offset + range.size).saturating_sub(begin)
}

fn should_be_placed(ranges: &[RangeView], desc: &AllocationDesc) -> bool {
    let page = desc.page_size.alignment();
    let Some(size) = page.align_up(desc.size) else { return false };
    let mut free = ranges.iter().filter(|range| range.owner.is_none());
    if desc.contiguous {
        let alignment = desc.alignment.max(page);
        free.any(|range| {
            let begin = alignment.align_up(range.offset).unwrap();
            let whole = ByteRange::new(range.offset, range.offset + range.size);
            ByteRange::at(begin, size).is_some_and(|placed| whole.contains(placed))
        })
    } else {
        free.map(|range| whole_pages(range, page)).sum::<u64>() >= size
    }
}

fn check_placed(before: &[RangeView], allocation: &Allocation, desc: &AllocationDesc) {
    let page = desc.page_size.alignment();
    let ranges: Vec<ByteRange> = allocation.physical_ranges().collect();
    assert_eq!(ranges.iter().map(|range| range.size()).sum::<u64>(), page.align_up(desc.size).unwrap());
    for range in &ranges {
        assert!(page.is_aligned(range.begin) && page.is_aligned(range.size()));
        let was_free = before.iter().any(|free| {
            free.owner.is_none() && ByteRange::new(free.offset, free.offset + free.size).contains(*range)
        });
        assert!(was_free, "{range} was not free");
    }
    if desc.contiguous {
        assert_eq!(ranges.len(), 1);
        assert!(desc.alignment.is_aligned(ranges[0].begin));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_request_is_refused_only_when_nothing_holds_it(steps in steps()) {
        let manager = MemoryManager::new(AdapterMemory::discrete(&[SEGMENT_SIZE], 64 * KIB, 40)).unwrap();
        let process = manager.create_process(ProcessDesc::default()).unwrap();
        let segment = manager.segments().next().unwrap().id;
        let mut live: Vec<Allocation> = Vec::new();
        let mut peak = 0;
        for step in steps {
            match step {
                Step::Allocate(desc) => {
                    let before = manager.segment_ranges(segment);
                    match process.allocate(&desc) {
                        Ok(allocation) => {
                            check_placed(&before, &allocation, &desc);
                            live.push(allocation);
                        }
                        Err(AllocateError::OutOfVideoMemory(error)) => {
                            prop_assert!(!should_be_placed(&before, &desc), "{}", error);
                            prop_assert_eq!(manager.segment_ranges(segment), before);
                        }
                        Err(other) => panic!("{other}"),
                    }
                }
                Step::Free(which) if !live.is_empty() => process.free(live.swap_remove(which.index(live.len()))),
                Step::Free(_) => {}
            }
            let used: u64 = live.iter().map(Allocation::size).sum();
            peak = peak.max(used);
            let statistics = manager.segment_statistics(segment);
            prop_assert_eq!((statistics.used, statistics.free), (used, SEGMENT_SIZE - used));
            prop_assert_eq!(statistics.used_peak, peak);
            prop_assert_eq!(process.usage(0, SegmentGroup::Local), Ok(used));
        }
        live.into_iter().for_each(|allocation| process.free(allocation));
        let statistics = manager.segment_statistics(segment);
        prop_assert_eq!((statistics.largest_free_range, statistics.free_range_count), (SEGMENT_SIZE, 1));
    }
}
