//! The examples and edge cases of facts/dma-splitting.md, typed.

use heapstone_kernel::dma_split::{PlannedPagingKind, SplitError, SplitPlan};
use heapstone_units::ByteRange;

use super::case::{CONTIGUOUS, Case, PAGED};
use super::laws::check;

const A: u32 = 0;
const B: u32 = 1;
const X: u32 = 1;
const V: u32 = 2;
const W: u32 = 3;

fn planned(case: &Case) -> SplitPlan {
    let plan = case.plan().unwrap();
    check(case, &plan);
    plan
}

fn submissions(plan: &SplitPlan) -> Vec<(u32, u32)> {
    plan.parts.iter().map(|part| (part.submission.start, part.submission.end)).collect()
}

fn offset(plan: &SplitPlan, part: usize, allocation: u32) -> u64 {
    let addresses = &plan.parts[part].addresses;
    addresses.iter().find(|address| address.allocation == allocation).unwrap().range.begin
}

fn out_of_memory(case: &Case) -> heapstone_kernel::dma_split::SplitOutOfMemory {
    match case.plan() {
        Err(SplitError::OutOfMemory(error)) => *error,
        other => panic!("out of memory is expected: {other:?}"),
    }
}

/// Greedy splitting fails: cut at 200, A stays at 4, where V or W must be (facts/dma-splitting.md, Algorithm).
#[test]
fn greedy_fails_where_an_earlier_cut_does() {
    let groups: &[&[_]] =
        &[&[(0, Some(A)), (1, Some(X))], &[(0, Some(A)), (1, None)], &[(1, Some(V)), (2, Some(W))]];
    let case = Case::new(CONTIGUOUS, 5, &[(1, 1), (4, 4), (1, 4), (1, 4)], groups);
    let plan = planned(&case);
    assert_eq!(submissions(&plan), [(0, 100), (100, 300)]);
    assert!(plan.is_minimal);
    assert_eq!((offset(&plan, 0, X), offset(&plan, 0, A)), (0, 4));
    let mut others = [offset(&plan, 1, V), offset(&plan, 1, W)];
    others.sort_unstable();
    assert_eq!(others, [0, 4]);
    assert!((1..4).contains(&offset(&plan, 1, A)));
}

/// Greedy pages 3 bytes, the plan 2 (facts/dma-splitting.md, Algorithm): {A, X} and {Y, B}, not {A, X, Y} and {B}.
#[test]
fn greedy_pages_more_bytes_than_must_be() {
    const Y: u32 = 3;
    let groups: &[&[_]] = &[&[(0, Some(A))], &[(0, Some(2))], &[(0, Some(Y))], &[(0, Some(B))]];
    for placement in [PAGED, CONTIGUOUS] {
        let case = Case::new(placement, 3, &[(1, 1); 4], groups).resident(0, 0, false).resident(1, 1, false);
        let plan = planned(&case);
        assert_eq!(submissions(&plan), [(0, 200), (200, 400)]);
        assert_eq!((plan.bytes_paged_in, plan.part_count_bound), (2, 2));
        assert!(plan.is_minimal);
    }
}

#[test]
fn what_fits_is_one_part() {
    let groups: &[&[_]] = &[&[(0, Some(A)), (1, Some(B))], &[(0, None)]];
    let plan = planned(&Case::new(CONTIGUOUS, 3, &[(1, 1), (2, 1)], groups));
    assert_eq!(submissions(&plan), [(0, 200)]);
    assert_eq!((plan.bytes_paged_in, plan.bytes_written_back, plan.bytes_moved), (3, 0, 0));
}

#[test]
fn an_empty_buffer_has_no_part_and_one_without_allocations_one() {
    let mut case = Case::new(CONTIGUOUS, 3, &[], &[]);
    assert_eq!(planned(&case).parts, []);
    case.dma_buffer_size = 64;
    assert_eq!(submissions(&planned(&case)), [(0, 64)]);
    // A segment of no bytes does for it.
    case.segment.size = 0;
    assert_eq!(submissions(&planned(&case)), [(0, 64)]);
}

#[test]
fn the_bytes_before_the_first_split_offset_run_with_an_empty_table() {
    let mut case = Case::new(CONTIGUOUS, 1, &[(1, 1)], &[&[(0, Some(A))]]);
    case.groups[0].0 = 40;
    let plan = planned(&case);
    assert_eq!(submissions(&plan), [(0, 100)]);
    assert_eq!(plan.parts[0].groups, 0..2, "the prefix is a group of its own");
}

#[test]
fn the_last_binding_of_a_slot_at_one_offset_wins() {
    // B, which does not fit, is never in the table.
    let plan = planned(&Case::new(CONTIGUOUS, 1, &[(1, 1), (2, 1)], &[&[(0, Some(B)), (0, Some(A))]]));
    assert_eq!((plan.parts.len(), plan.bytes_paged_in), (1, 1));
}

#[test]
fn an_allocation_in_two_slots_is_there_once_until_the_last_unbind() {
    let groups: &[&[_]] = &[&[(0, Some(A)), (1, Some(A))], &[(0, None)], &[(1, None)], &[(0, Some(B))]];
    let plan = planned(&Case::new(CONTIGUOUS, 2, &[(2, 1), (2, 1)], groups));
    assert_eq!(plan.bytes_paged_in, 4);
    // It leaves where nothing holds it: at 200, not at 100.
    assert!(plan.parts[1].submission.start >= 200);
}

#[test]
fn a_slot_that_is_not_re_programmed_pins_what_another_slot_frees() {
    // A in slots 0 and 1; the last group re-programs slot 0 only, so A stays, and V finds no multiple of 4.
    let last: &[_] = &[(0, Some(V)), (2, Some(W))];
    let groups: &[&[_]] = &[&[(0, Some(A)), (1, Some(A)), (3, Some(X))], &[(3, None)], last];
    let case = Case::new(CONTIGUOUS, 5, &[(1, 1), (4, 4), (1, 4), (1, 4)], groups);
    let error = out_of_memory(&case);
    assert!(error.is_certain);
    assert_eq!((error.group, error.split_offset), (2, 200));
    assert_eq!((error.needed, error.available, error.largest_range, error.pinned), (3, 5, 5, 1));
    // Bound again to the same allocation at the cut, it may move.
    let again: &[_] = &[(0, Some(V)), (1, Some(A)), (2, Some(W))];
    let groups: &[&[_]] = &[&[(0, Some(A)), (1, Some(A)), (3, Some(X))], &[(3, None)], again];
    let case = Case::new(CONTIGUOUS, 5, &[(1, 1), (4, 4), (1, 4), (1, 4)], groups);
    assert_eq!(planned(&case).parts.len(), 2);
}

#[test]
fn unbinding_an_unused_slot_or_twice_does_nothing() {
    let groups: &[&[_]] = &[&[(3, None)], &[(0, Some(A))], &[(0, None), (1, None)], &[(0, None)]];
    let plan = planned(&Case::new(CONTIGUOUS, 1, &[(1, 1)], groups));
    assert_eq!((plan.parts.len(), plan.bytes_paged_in), (1, 1));
}

#[test]
fn a_group_that_fails_midway_goes_to_the_next_part_whole() {
    // Of the second group's two allocations the first would fit beside A.
    let groups: &[&[_]] = &[&[(0, Some(A))], &[(0, None), (1, Some(1)), (2, Some(2))]];
    let plan = planned(&Case::new(CONTIGUOUS, 3, &[(2, 1), (1, 1), (2, 1)], groups));
    assert_eq!(submissions(&plan), [(0, 100), (100, 200)]);
    assert_eq!(plan.parts[1].patch_locations, 1..4);
}

#[test]
fn a_group_larger_than_the_segment_is_out_of_memory() {
    let groups: &[&[_]] = &[&[(0, Some(A))], &[(1, Some(B))]];
    for placement in [PAGED, CONTIGUOUS] {
        let mut case = Case::new(placement, 6, &[(2, 1), (3, 1)], groups);
        case.segment.occupied = vec![ByteRange::new(1, 3), ByteRange::new(2, 3)];
        let error = out_of_memory(&case);
        assert_eq!((error.group, error.split_offset, error.needed, error.available), (1, 100, 5, 4));
        assert!(error.is_certain);
        let text = error.to_string();
        assert!(text.contains("group 1 at SplitOffset 100 needs 5 B") && text.contains("has 4 B"), "{text}");
    }
}

#[test]
fn an_allocation_that_no_range_holds_is_out_of_memory_unless_it_lies_in_pages() {
    let mut case = Case::new(CONTIGUOUS, 5, &[(3, 1)], &[&[(0, Some(A))]]);
    case.segment.occupied = vec![ByteRange::new(2, 3)];
    assert_eq!(out_of_memory(&case).largest_range, 2);
    case.segment.placement = PAGED;
    let plan = planned(&case);
    let ranges: Vec<_> = plan.parts[0].addresses.iter().map(|address| address.range).collect();
    assert_eq!(ranges, [ByteRange::new(0, 2), ByteRange::new(3, 4)]);
}

#[test]
fn what_is_written_is_transferred_and_what_has_a_copy_dropped() {
    let groups: &[&[_]] = &[&[(0, Some(A))], &[(0, Some(1))], &[(0, Some(2))]];
    for placement in [PAGED, CONTIGUOUS] {
        let mut case = Case::new(placement, 1, &[(1, 1); 3], groups);
        case.written = vec![1];
        let plan = planned(&case);
        let kinds =
            |part: usize| plan.parts[part].paging.iter().map(|paging| &paging.kind).collect::<Vec<_>>();
        assert!(matches!(
            kinds(1)[..],
            [PlannedPagingKind::Discard { .. }, PlannedPagingKind::PageIn { .. }]
        ));
        assert!(matches!(
            kinds(2)[..],
            [PlannedPagingKind::WriteBack { .. }, PlannedPagingKind::PageIn { .. }]
        ));
        assert_eq!((plan.bytes_paged_in, plan.bytes_written_back), (3, 1));
    }
}

#[test]
fn what_is_dirty_before_is_transferred_also_where_the_buffer_does_not_name_it() {
    let case = Case::new(CONTIGUOUS, 2, &[(2, 1), (1, 1)], &[&[(0, Some(A))]]).resident(1, 1, true);
    assert_eq!(planned(&case).bytes_written_back, 1);
}

#[test]
fn what_is_resident_stays_where_it_is() {
    let groups: &[&[_]] = &[&[(0, Some(0)), (1, Some(1)), (2, Some(2))]];
    let shapes = [(2, 4), (2, 2), (2, 2)];
    let case = Case::new(CONTIGUOUS, 6, &shapes, groups).resident(0, 4, true).resident(1, 0, true);
    let plan = planned(&case);
    assert_eq!((plan.bytes_paged_in, plan.bytes_written_back, plan.bytes_moved), (2, 0, 0));
}

#[test]
fn what_is_in_the_way_moves() {
    // X needs 0 to 4, where A is; A has room at 4.
    let case =
        Case::new(CONTIGUOUS, 5, &[(1, 1), (4, 4)], &[&[(0, Some(A)), (1, Some(X))]]).resident(0, 2, true);
    let plan = planned(&case);
    assert_eq!((plan.bytes_paged_in, plan.bytes_written_back, plan.bytes_moved), (4, 0, 1));
}

#[test]
fn sizes_near_the_end_of_64_bits() {
    let groups: &[&[_]] = &[&[(0, Some(A)), (1, Some(B))], &[(0, None)]];
    let huge = 1 << 63;
    let error = out_of_memory(&Case::new(PAGED, u64::MAX, &[(huge, 1), (huge, 1)], groups));
    assert_eq!((error.needed, error.available), (u64::MAX, u64::MAX));
    let groups: &[&[_]] = &[&[(0, Some(A))], &[(0, Some(B))]];
    for placement in [PAGED, CONTIGUOUS] {
        let plan = Case::new(placement, u64::MAX, &[(huge, 1), (huge, huge)], groups).plan().unwrap();
        assert_eq!(
            (plan.parts.len(), plan.bytes_paged_in),
            (2, u64::MAX),
            "2^64 bytes are counted as 2^64 - 1"
        );
    }
}
