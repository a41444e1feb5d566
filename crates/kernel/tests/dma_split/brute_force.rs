//! Plans are the best there are: every small case, and many of anything.

use heapstone_kernel::dma_split::{SegmentPlacement, SplitError};

use super::case::{Binding, CONTIGUOUS, Case, PAGED, Random};
use super::laws::check;
use super::naive;

fn compare(case: &Case) {
    let best = naive::best(case);
    match case.plan() {
        Ok(plan) => {
            assert_eq!(best, Some((plan.parts.len(), plan.bytes_paged_in)), "{case:?}\n{plan:?}");
            assert!(plan.is_minimal, "the search of a small case ends: {case:?}");
            check(case, &plan);
        }
        Err(SplitError::OutOfMemory(error)) => {
            assert_eq!(best, None, "{case:?}: {error}");
            assert!(error.is_certain, "{case:?}: {error}");
        }
        Err(error) => panic!("{case:?}: {error}"),
    }
}

/// Every sequence of groups of two slots, each set to NULL or one of `allocation_count`, or left alone.
fn all_groups(allocation_count: u32, group_count: usize) -> Vec<Vec<Vec<Binding>>> {
    let mut options: Vec<Vec<Binding>> = Vec::new();
    let values = || (0..=allocation_count).map(|value| value.checked_sub(1));
    for first in core::iter::once(None).chain(values().map(Some)) {
        for second in core::iter::once(None).chain(values().map(Some)) {
            let bindings = [first.map(|value| (0, value)), second.map(|value| (1, value))];
            options.push(bindings.into_iter().flatten().collect());
        }
    }
    options.retain(|group| !group.is_empty());
    let mut all = vec![Vec::new()];
    for _ in 0..group_count {
        let longer = all.iter().flat_map(|groups| {
            options.iter().map(|group| groups.iter().cloned().chain([group.clone()]).collect::<Vec<_>>())
        });
        all = longer.collect();
    }
    all
}

fn compare_all(placement: SegmentPlacement, size: u64, shapes: &[(u64, u64)], group_count: usize) {
    for groups in all_groups(u32::try_from(shapes.len()).unwrap(), group_count) {
        let groups: Vec<&[Binding]> = groups.iter().map(Vec::as_slice).collect();
        compare(&Case::new(placement, size, shapes, &groups));
    }
}

#[test]
fn every_case_of_three_groups_paged() {
    compare_all(PAGED, 3, &[(1, 1), (2, 1), (3, 1)], 3);
}

#[test]
fn every_case_of_three_groups_contiguous() {
    compare_all(CONTIGUOUS, 3, &[(1, 1), (2, 2)], 3);
    compare_all(CONTIGUOUS, 4, &[(1, 1), (1, 2), (2, 2)], 2);
}

#[test]
fn anything_small_paged() {
    let mut random = Random(0x5eed_0001);
    (0..3_000).for_each(|_| compare(&random.case(PAGED)));
}

#[test]
fn anything_small_contiguous() {
    let mut random = Random(0x5eed_0002);
    (0..2_000).for_each(|_| compare(&random.case(CONTIGUOUS)));
}
