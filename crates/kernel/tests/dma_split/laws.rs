//! What holds of every plan: it tiles the buffer and the list, fits, pins what stands in slots, and its paging leads from
//! one part to the next.

use std::collections::BTreeSet;

use heapstone_kernel::dma_split::{PlannedPagingKind, SearchLimits, SegmentPlacement, SplitError, SplitPlan};
use heapstone_units::ByteRange;
use proptest::prelude::*;

use super::case::{CONTIGUOUS, Case, PAGED, Random};

/// What a simulated segment holds: an allocation's byte at each offset.
struct Memory {
    bytes: Vec<Option<(u32, u64)>>,
    /// By allocation: whether the backing store has a copy.
    is_stored: Vec<bool>,
}

impl Memory {
    fn take(&mut self, allocation: u32, ranges: &[ByteRange]) -> Vec<Option<(u32, u64)>> {
        let offsets: Vec<u64> = ranges.iter().flat_map(|range| range.begin..range.end).collect();
        let bytes =
            offsets.iter().map(|offset| self.bytes[usize::try_from(*offset).unwrap()].take()).collect();
        let want: Vec<_> =
            (0..u64::try_from(offsets.len()).unwrap()).map(|byte| Some((allocation, byte))).collect();
        assert_eq!(bytes, want, "what leaves is the allocation, whole and in order");
        bytes
    }

    fn put(&mut self, allocation: u32, ranges: &[ByteRange]) {
        for (byte, offset) in (0..).zip(ranges.iter().flat_map(|range| range.begin..range.end)) {
            let place = &mut self.bytes[usize::try_from(offset).unwrap()];
            assert_eq!(*place, None, "offset {offset} is free for allocation {allocation}");
            *place = Some((allocation, byte));
        }
    }
}

/// Checks everything that a plan promises, byte by byte.
pub(crate) fn check(case: &Case, plan: &SplitPlan) {
    check_tiling(case, plan);
    let tables = case.tables();
    let mut memory = Memory {
        bytes: vec![None; usize::try_from(case.segment.size).unwrap()],
        is_stored: case
            .allocations
            .iter()
            .map(|a| a.residency.as_ref().is_none_or(|r| !r.is_dirty))
            .collect(),
    };
    for (index, allocation) in (0..).zip(&case.allocations) {
        if let Some(residency) = &allocation.residency {
            memory.put(index, &residency.ranges);
        }
    }
    let (mut paged_in, mut written_back) = (0, 0);
    let mut before: Vec<(u32, u64, ByteRange)> = Vec::new();
    for part in &plan.parts {
        let mut circling = BTreeSet::new();
        for paging in &part.paging {
            let allocation = paging.allocation;
            let is_written = case.written.contains(&allocation);
            let size = case.allocations[allocation as usize].size;
            match &paging.kind {
                PlannedPagingKind::WriteBack { from } => {
                    memory.take(allocation, from);
                    memory.is_stored[allocation as usize] = true;
                    circling.insert(allocation);
                    written_back += size;
                }
                PlannedPagingKind::Discard { from } => {
                    memory.take(allocation, from);
                    assert!(memory.is_stored[allocation as usize], "what is dropped has a copy");
                    assert!(!is_written, "what is written is never dropped");
                }
                PlannedPagingKind::PageIn { to } => {
                    assert!(memory.is_stored[allocation as usize], "what comes has a copy");
                    memory.put(allocation, to);
                    if circling.contains(&allocation) {
                        // It was out of another's way: a move.
                        written_back -= size;
                    } else {
                        paged_in += size;
                    }
                }
                PlannedPagingKind::Move { from, to } => {
                    memory.take(allocation, from);
                    memory.put(allocation, to);
                }
            }
        }
        let addresses: Vec<_> =
            part.addresses.iter().map(|a| (a.allocation, a.allocation_offset, a.range)).collect();
        for (allocation, first, range) in &addresses {
            for (byte, offset) in (*first..).zip(range.begin..range.end) {
                let there = memory.bytes[usize::try_from(offset).unwrap()];
                assert_eq!(there, Some((*allocation, byte)), "allocation {allocation} is at its address");
                assert!(
                    !case.segment.occupied.iter().any(|o| o.contains(ByteRange::new(offset, offset + 1)))
                );
            }
            if case.written.contains(allocation) {
                memory.is_stored[*allocation as usize] = false;
            }
        }
        let needed: BTreeSet<u32> = tables[part.groups.clone()].iter().flatten().flatten().copied().collect();
        let there: BTreeSet<u32> = addresses.iter().map(|(allocation, ..)| *allocation).collect();
        assert_eq!(there, needed, "a part's addresses are of what its groups have in slots");
        for pinned in &part.pinned {
            let of = |all: &[(u32, u64, ByteRange)]| {
                all.iter().copied().filter(|(allocation, ..)| allocation == pinned).collect::<Vec<_>>()
            };
            assert_eq!(of(&addresses), of(&before), "allocation {pinned} stays where it was");
        }
        before = addresses;
    }
    assert_eq!((plan.bytes_paged_in, plan.bytes_written_back), (paged_in, written_back));
    assert!(plan.bytes_paged_in_bound <= plan.bytes_paged_in && plan.part_count_bound <= plan.parts.len());
    for (index, residency) in (0..).zip(&plan.residency) {
        if let Some(residency) = residency {
            memory.take(index, &residency.ranges);
            assert!(residency.is_dirty || memory.is_stored[index as usize]);
        }
    }
    assert!(memory.bytes.iter().all(Option::is_none), "the plan knows all that is resident at its end");
}

fn check_tiling(case: &Case, plan: &SplitPlan) {
    let (mut byte, mut entry) = (0, 0);
    let entries = case.entries();
    let tables = case.tables();
    let programmed = case.programmed();
    for (index, part) in plan.parts.iter().enumerate() {
        assert_eq!(part.submission.start, byte);
        assert_eq!(part.patch_locations.start, entry);
        assert!(part.submission.end > byte, "no part is empty");
        (byte, entry) = (part.submission.end, part.patch_locations.end);
        for location in &entries[part.patch_locations.clone()] {
            assert!(part.submission.contains(&location.split_offset));
        }
        let first = part.groups.start;
        let pinned: BTreeSet<u32> = if index == 0 || case.segment.placement == SegmentPlacement::Paged {
            BTreeSet::new()
        } else {
            let left_alone =
                (0..).zip(&tables[first - 1]).filter(|(slot, _)| !programmed[first].contains(slot));
            left_alone.filter_map(|(_, allocation)| *allocation).collect()
        };
        assert_eq!(part.pinned.iter().copied().collect::<BTreeSet<_>>(), pinned);
    }
    assert_eq!((byte, entry), (case.dma_buffer_size, entries.len()));
}

/// A case too large for brute force. Where `re_programs`, every fourth group binds all slots and the segment holds any
/// four groups, so that there is a plan whatever else is.
fn large(seed: u64, placement: SegmentPlacement, re_programs: bool) -> Case {
    let mut random = Random(seed);
    let size = if re_programs { 300 } else { 60 + random.below(60) };
    let allocation_count = if re_programs { 300 } else { 30 + random.below(60) };
    let shapes: Vec<(u64, u64)> =
        (0..allocation_count).map(|_| (1 + random.below(9), [1, 1, 2, 4, 8][random.index(5)])).collect();
    let slots = 1 + random.below(6);
    let groups: Vec<Vec<(u32, Option<u32>)>> = (0..100)
        .map(|group| {
            let value = |random: &mut Random| {
                let allocation = u32::try_from(random.below(allocation_count + 3)).unwrap();
                Some(allocation).filter(|allocation| u64::from(*allocation) < allocation_count)
            };
            let slots = u32::try_from(slots).unwrap();
            if re_programs && group % 4 == 0 {
                return (0..slots).map(|slot| (slot, value(&mut random))).collect();
            }
            let count = 1 + random.below(3);
            (0..count)
                .map(|_| (u32::try_from(random.below(u64::from(slots))).unwrap(), value(&mut random)))
                .collect()
        })
        .collect();
    let groups: Vec<_> = groups.iter().map(Vec::as_slice).collect();
    let mut case = Case::new(placement, size, &shapes, &groups);
    case.written = (0..u32::try_from(allocation_count).unwrap()).filter(|_| random.below(3) == 0).collect();
    case.limits = SearchLimits { steps_max: 20_000 };
    case
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn plans_of_large_buffers_keep_what_they_promise(seed: u64, is_paged: bool) {
        let case = large(seed, if is_paged { PAGED } else { CONTIGUOUS }, true);
        let plan = case.plan().unwrap();
        check(&case, &plan);
        if is_paged {
            // Pure capacity: the greedy's parts are the fewest.
            prop_assert_eq!(plan.parts.len(), plan.part_count_bound);
        }
        prop_assert_eq!(case.plan().unwrap(), plan, "the same request has the same plan");
    }

    #[test]
    fn plans_among_many_pins_keep_what_they_promise(seed: u64) {
        let case = large(seed, CONTIGUOUS, false);
        match case.plan() {
            Ok(plan) => check(&case, &plan),
            Err(SplitError::OutOfMemory(error)) => prop_assert!(!error.is_certain && error.needed <= error.available),
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}
