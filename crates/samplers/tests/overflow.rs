//! Partitions over several heaps: valid, no worse than the bound says, and the best on small frames.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use std::collections::BTreeSet;

use heapstone_samplers::overflow::{Frame, Partition, PartitionError, PartitionLimits, partition};
use proptest::prelude::*;

fn limits(heap_samplers: u32, heaps_max: u32) -> PartitionLimits {
    PartitionLimits { heap_samplers, heaps_max, ..PartitionLimits::default() }
}

fn at(number: u32) -> usize {
    usize::try_from(number).unwrap()
}

/// What a draw needs.
fn need(frame: &Frame, draw: usize) -> BTreeSet<u32> {
    frame.draws[draw].iter().flat_map(|group| frame.groups[at(*group)].iter().copied()).collect()
}

/// That a partition does what it says.
#[track_caller]
fn validate(frame: &Frame, limits: &PartitionLimits, partition: &Partition) {
    assert!(partition.heaps.len() <= at(limits.heaps_max));
    for heap in &partition.heaps {
        assert!(heap.len() <= at(limits.heap_samplers) && heap.is_sorted());
    }
    assert_eq!(partition.draws.len(), frame.draws.len());
    for (draw, heap) in partition.draws.iter().enumerate() {
        let held: BTreeSet<u32> = partition.heaps[at(*heap)].iter().copied().collect();
        assert!(need(frame, draw).is_subset(&held), "draw {draw} is not in heap {heap}");
        for group in &frame.draws[draw] {
            assert!(partition.groups[at(*group)].contains(heap));
        }
    }
    let switches = partition.draws.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert_eq!(at(partition.switches), switches);
    assert!(partition.switches_min <= partition.switches);
}

/// Every assignment of draws to heaps, one after the other; the fewest switches.
fn brute_force(frame: &Frame, limits: &PartitionLimits) -> Option<u32> {
    let (draws, heaps) = (frame.draws.len(), at(limits.heaps_max));
    let mut best = None;
    for code in 0..heaps.pow(u32::try_from(draws).unwrap()) {
        let assigned: Vec<usize> =
            (0..draws).map(|draw| code / heaps.pow(u32::try_from(draw).unwrap()) % heaps).collect();
        let mut held = vec![BTreeSet::new(); heaps];
        assigned.iter().enumerate().for_each(|(draw, heap)| held[*heap].extend(need(frame, draw)));
        if held.iter().all(|heap| heap.len() <= at(limits.heap_samplers)) {
            let switches = assigned.windows(2).filter(|pair| pair[0] != pair[1]).count();
            let switches = u32::try_from(switches).unwrap();
            best = Some(best.map_or(switches, |best: u32| best.min(switches)));
        }
    }
    best
}

fn frames(groups: usize, draws: usize, samplers: u32) -> impl Strategy<Value = Frame> {
    let group = prop::collection::vec(0..samplers, 1..4);
    prop::collection::vec(group, 1..=groups).prop_flat_map(move |groups| {
        let group = 0..u32::try_from(groups.len()).unwrap();
        let draw = prop::collection::vec(group, 0..3);
        prop::collection::vec(draw, 0..=draws).prop_map(move |draws| Frame { groups: groups.clone(), draws })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn small_frames_are_partitioned_best(frame in frames(5, 6, 9), capacity in 2..7_u32, heaps in 1..4_u32) {
        let limits = limits(capacity, heaps);
        match (partition(&frame, &limits), brute_force(&frame, &limits)) {
            (Ok(found), Some(best)) => {
                validate(&frame, &limits, &found);
                prop_assert!(found.is_optimal);
                prop_assert_eq!(found.switches, best);
            }
            (Err(PartitionError::None { is_proven, .. }), None) => prop_assert!(is_proven),
            (Err(PartitionError::DrawTooLarge { .. }), None) => {}
            (found, best) => prop_assert!(false, "{:?} where {:?}", found, best),
        }
    }

    #[test]
    fn large_frames_are_partitioned_validly(frame in frames(60, 300, 80), capacity in 20..60_u32) {
        let limits = PartitionLimits { search_steps: 500, ..limits(capacity, 6) };
        match partition(&frame, &limits) {
            Ok(found) => validate(&frame, &limits, &found),
            Err(PartitionError::None { samplers, .. }) => prop_assert!(samplers > capacity),
            Err(other) => prop_assert!(false, "{}", other),
        }
    }
}

/// What fits one heap never switches, however many groups there are.
#[test]
fn one_heap_is_enough_where_samplers_fit_it() {
    let frame = Frame {
        groups: (0..2032).map(|number| vec![number, (number * 7) % 2032]).collect(),
        draws: (0..2032).map(|group| vec![group]).collect(),
    };
    let found = partition(&frame, &PartitionLimits::default()).unwrap();
    validate(&frame, &PartitionLimits::default(), &found);
    assert_eq!((found.switches, found.heaps.len(), found.is_optimal), (0, 1, true));
    assert_eq!(found.heaps[0], (0..2032).collect::<Vec<u32>>());
}

/// Two passes of 1500 materials each, and a few samplers that both use: one switch, which is the least.
#[test]
fn passes_take_a_heap_each() {
    let group = |number: u32| vec![number, 10_000, 10_001];
    let frame =
        Frame { groups: (0..3000).map(group).collect(), draws: (0..3000).map(|group| vec![group]).collect() };
    let found = partition(&frame, &PartitionLimits::default()).unwrap();
    validate(&frame, &PartitionLimits::default(), &found);
    assert_eq!((found.switches, found.switches_min, found.is_optimal), (1, 1, true));
    assert!(found.heaps.iter().all(|heap| heap.contains(&10_000)), "a sampler may be in both");
}

/// The same 3000 materials, drawn in a random order: two heaps switch about every other draw, and the bound, which any number of
/// heaps must meet, is 1. What is answered is no worse than a switch each.
#[test]
fn an_order_without_pattern_is_partitioned_all_the_same() {
    let frame = Frame {
        groups: (0..3000).map(|number| vec![number]).collect(),
        draws: (0..3000_u32).chain(0..3000).map(|number| vec![number * 1069 % 3000]).collect(),
    };
    let limits = limits(2032, 2);
    let found = partition(&frame, &limits).unwrap();
    validate(&frame, &limits, &found);
    assert!(found.switches_min >= 2, "6000 draws of 3000 samplers twice are cut at 2032, and again");
    assert!(found.switches < 6000);
}

#[test]
fn what_cannot_be_is_said_with_numbers() {
    let frame = Frame {
        groups: (0..10).map(|number| vec![number]).collect(),
        draws: (0..10).map(|g| vec![g]).collect(),
    };
    let refused = partition(&frame, &limits(3, 3)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "partition.heaps: 10 samplers, 1 of which some draws need together, in 3 heaps of 3: there is no partition; allowed: \
         more or larger heaps"
    );
    let draw = Frame { draws: vec![vec![0], vec![1, 2, 3]], ..frame.clone() };
    let large = PartitionError::DrawTooLarge { draw: 1, samplers: 3, allowed: 2 };
    assert_eq!(partition(&draw, &limits(2, 9)), Err(large));
    let unknown = Frame { draws: vec![vec![10]], ..frame.clone() };
    let error = PartitionError::UnknownGroup { draw: 0, group: 10, groups: 10 };
    assert_eq!(partition(&unknown, &limits(2, 9)), Err(error));
    assert_eq!(partition(&frame, &limits(0, 1)), Err(PartitionError::Limits { field: "heap_samplers" }));
    assert_eq!(partition(&frame, &limits(1, 0)), Err(PartitionError::Limits { field: "heaps_max" }));
    let found = partition(&Frame::default(), &limits(1, 1)).unwrap();
    assert_eq!((found.switches, found.draws.len(), found.is_optimal), (0, 0, true));
}
