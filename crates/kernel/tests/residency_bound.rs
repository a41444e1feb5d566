//! The offline bound against an exhaustive search, and policies against the bound, on small instances.
#![allow(clippy::unwrap_used, reason = "a test or bench stops at what it did not expect")]

use std::collections::BTreeMap;

use heapstone_kernel::residency::bound::{LowerBound, Step, lower_bound};
use proptest::prelude::*;

/// The least page-ins, by trying every way to evict: after each step any number of units of any object not needed
/// by it may go. `present` are the units of each object in memory.
fn exhaustive(
    sizes: &[u64],
    steps: &[Step],
    present: &[u64],
    known: &mut BTreeMap<(usize, Vec<u64>), u64>,
) -> u64 {
    let Some((step, rest)) = steps.split_first() else { return 0 };
    let key = (steps.len(), present.to_vec());
    if let Some(cost) = known.get(&key) {
        return *cost;
    }
    let mut now = present.to_vec();
    let mut paged = 0;
    for object in &step.objects {
        let index = *object as usize;
        paged += sizes[index] - now[index];
        now[index] = sizes[index];
    }
    let needed: u64 = step.objects.iter().map(|object| sizes[*object as usize]).sum();
    let capacity = step.capacity.max(needed);
    let mut best = u64::MAX;
    let mut choices = vec![Vec::new()];
    for (index, units) in now.iter().enumerate() {
        let is_needed = step.objects.iter().any(|object| *object as usize == index);
        let kept = if is_needed { *units..=*units } else { 0..=*units };
        choices = choices
            .into_iter()
            .flat_map(|choice: Vec<u64>| {
                kept.clone().map(move |units| choice.iter().copied().chain([units]).collect())
            })
            .collect();
    }
    for choice in choices.into_iter().filter(|choice| choice.iter().sum::<u64>() <= capacity) {
        best = best.min(exhaustive(sizes, rest, &choice, known));
    }
    known.insert(key, paged + best);
    paged + best
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_bound_is_the_least_that_any_choice_pages_in(
        sizes in prop::collection::vec(1u64..=3, 1..=4),
        uses in prop::collection::vec((prop::collection::btree_set(0u32..4, 1..=2), 1u64..=6), 1..=7),
    ) {
        let count = u32::try_from(sizes.len()).unwrap();
        let steps: Vec<Step> = uses
            .into_iter()
            .map(|(objects, capacity)| {
                let mut objects: Vec<u32> = objects.into_iter().map(|object| object % count).collect();
                objects.sort_unstable();
                objects.dedup();
                Step { objects, capacity }
            })
            .collect();
        let least = exhaustive(&sizes, &steps, &vec![0; sizes.len()], &mut BTreeMap::new());
        prop_assert_eq!(lower_bound(&sizes, &steps).bytes_paged_in, least);
    }
}

#[test]
fn a_lap_keeps_what_fits_and_parts_of_objects_count() {
    let lap =
        |capacity| -> Vec<Step> { (0..9).map(|step| Step { objects: vec![step % 3], capacity }).collect() };
    // Three objects of 2 units, three laps, room for 4 units. The first lap pages 6; in each later one the object in
    // use takes 2 and 2 are kept of the others, of which 4 would be needed: every other use pages 2.
    let bound = lower_bound(&[2, 2, 2], &lap(4));
    assert_eq!(bound, LowerBound { bytes_paged_in: 6 + 3 * 2, bytes_compulsory: 6 });
    // With room for 5, one unit more of each lap's misses is kept.
    assert_eq!(lower_bound(&[2, 2, 2], &lap(5)).bytes_paged_in, 6 + 3);
    // With room for all, each is paged in once.
    assert_eq!(lower_bound(&[2, 2, 2], &lap(6)).bytes_paged_in, 6);
    // Without any room a step still has what it needs.
    assert_eq!(lower_bound(&[2, 2, 2], &lap(0)).bytes_paged_in, 18);
}
