//! Bounds: never above what brute force finds.

use super::case::{CONTIGUOUS, Case, PAGED, Random};
use super::naive;

#[test]
fn bounds_are_below_the_best_plan() {
    let mut random = Random(0x5eed_0003);
    for _ in 0..500 {
        let case = random.case(PAGED);
        if let (Some((parts, bytes)), Ok(plan)) = (naive::best(&case), case.plan()) {
            assert!(plan.part_count_bound == parts && plan.bytes_paged_in_bound <= bytes, "{case:?}");
        }
    }
}

/// Typed: 3 units of room; A, B, C of 2 units in turn, twice. In pages, half of one stays each time.
#[test]
fn the_bound_evicts_in_part() {
    let groups: &[&[_]] = &[&[(0, Some(0))], &[(0, Some(1))], &[(0, Some(0))], &[(0, Some(1))]];
    let plan = Case::new(CONTIGUOUS, 3, &[(2, 1), (2, 1)], groups).plan().unwrap();
    // 2, then 2 with 1 left of A, then 1 of A with 1 left of B, then 1 of B.
    assert_eq!(plan.bytes_paged_in_bound, 6);
    assert_eq!((plan.parts.len(), plan.bytes_paged_in), (4, 8));
}
