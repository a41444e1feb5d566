//! Policies against the offline bound: the figures that the adaptive one must reach, and LRU's, which are known
//! (facts/residency.md, What exists).
#![allow(clippy::unwrap_used, reason = "a test or bench stops at what it did not expect")]

use heapstone_kernel::AdapterMemory;
use heapstone_kernel::residency::policy::PolicyKind;
use heapstone_simulate::workload::{Workload, WorkloadKind};
use heapstone_simulate::{Outcome, RunDesc, run};
use heapstone_units::GIB;

fn outcome(workload: &Workload, policy: PolicyKind, budget_permille: u64) -> Outcome {
    let memory = AdapterMemory::discrete(&[16 * GIB], 32 * GIB, 40);
    let budget = workload.footprint() / 1000 * budget_permille;
    run(workload, &RunDesc { memory, policy, budget, faults: None }).unwrap()
}

fn show(name: &str, permille: u64, policy: PolicyKind, outcome: &Outcome) -> u64 {
    let ratio = outcome.ratio_permille().unwrap();
    println!(
        "{name} at {permille}: {policy} {ratio} permille, stall max {} us, {} over",
        outcome.paging.stall_ns_max / 1000,
        outcome.over_budget_count
    );
    ratio
}

#[test]
fn on_three_laps_the_adaptive_policy_is_near_the_bound_and_lru_is_not() {
    for seed in [1, 2] {
        let laps = WorkloadKind::CameraLap.generate(seed);
        for (permille, lru_known) in [(300, 1260), (500, 1510), (700, 1890), (900, 2500)] {
            let lru = outcome(&laps, PolicyKind::Lru, permille);
            let own = outcome(&laps, PolicyKind::Adaptive, permille);
            let lru_ratio = show("lap", permille, PolicyKind::Lru, &lru);
            let own_ratio = show("lap", permille, PolicyKind::Adaptive, &own);
            assert!(lru_ratio.abs_diff(lru_known) <= lru_known / 20, "LRU's figure is known: {lru_known}");
            assert!(own_ratio <= 1150);
            assert!(own.paging.stall_ns_max <= lru.paging.stall_ns_max);
        }
    }
}

#[test]
fn on_a_plane_the_adaptive_policy_is_lru() {
    let walk = WorkloadKind::PlaneWalk.generate(1);
    for permille in [300, 700] {
        let lru = outcome(&walk, PolicyKind::Lru, permille);
        let own = outcome(&walk, PolicyKind::Adaptive, permille);
        let lru_ratio = show("plane", permille, PolicyKind::Lru, &lru);
        let own_ratio = show("plane", permille, PolicyKind::Adaptive, &own);
        assert!(own_ratio <= lru_ratio + lru_ratio / 100);
    }
}

#[test]
fn on_random_walks_nothing_is_lost() {
    for seed in [1, 2, 4] {
        let walk = WorkloadKind::RandomWalk.generate(seed);
        for permille in [300, 500, 700, 900] {
            let lru = outcome(&walk, PolicyKind::Lru, permille);
            let own = outcome(&walk, PolicyKind::Adaptive, permille);
            show("walk", permille, PolicyKind::Lru, &lru);
            let own_ratio = show("walk", permille, PolicyKind::Adaptive, &own);
            assert!(own_ratio <= 1070);
            assert!(own.paging.stall_ns_max <= lru.paging.stall_ns_max);
        }
    }
}
