//! Faults of a plan: one seed gives one run, and whatever happens the workload goes on.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use heapstone_kernel::residency::policy::PolicyKind;
use heapstone_kernel::{AdapterMemory, FaultPlan};
use heapstone_simulate::workload::{Frame, WorkObject, Workload};
use heapstone_simulate::{Outcome, RunDesc, run};
use heapstone_units::{GIB, MIB};

/// 64 objects of 16 MiB, of which each frame uses eight, in turn.
fn workload() -> Workload {
    let objects = vec![WorkObject { bytes: 16 * MIB, is_loaded: true }; 64];
    let frame = |number: u32| Frame {
        uses: (0..8).map(|index| (number * 3 + index) % 64).collect(),
        writes: Some(Vec::new()),
        ..Frame::default()
    };
    Workload { name: "by hand".to_owned(), objects, frames: (0..600).map(frame).collect() }
}

fn outcome(faults: Option<FaultPlan>) -> Outcome {
    let memory = AdapterMemory::discrete(&[2 * GIB], 2 * GIB, 40);
    run(&workload(), &RunDesc { memory, policy: PolicyKind::Lru, budget: GIB, faults }).unwrap()
}

fn plan(text: &str, seed: u64) -> Option<FaultPlan> {
    Some(FaultPlan { seed, ..text.parse().unwrap() })
}

#[test]
fn one_seed_gives_one_run() {
    let text = "fail-one-in:90+budget-storm:30:200+focus:70+slow:50:6+remove:700";
    let (first, again, other) = (outcome(plan(text, 3)), outcome(plan(text, 3)), outcome(plan(text, 4)));
    assert_eq!(first, again);
    assert_ne!(first, other);
    assert_eq!((first.removal_count, first.faults.removal_count), (1, 1));
    let faults = first.faults;
    assert!(faults.budget_count > 0 && faults.focus_count > 0 && faults.slowdown_count > 0, "{faults:?}");
    assert!(faults.refused_count > 0 && faults.step_count > faults.refused_count, "{faults:?}");
}

#[test]
fn a_budget_that_falls_is_paged_for_and_slow_paging_takes_time() {
    let calm = outcome(None);
    // All objects are 1 GiB together; at 300 thousandths the budget holds less than a third of them.
    let fallen = outcome(plan("budget-step:1:300", 0));
    assert_eq!(calm.faults, Default::default());
    assert!(fallen.paging.bytes_paged_in > calm.paging.bytes_paged_in);
    assert_eq!(fallen.faults.budget_count, 1);
    let slow = outcome(plan("slow:1:8", 1));
    assert_eq!(slow.paging.bytes_paged_in, calm.paging.bytes_paged_in);
    assert!(slow.paging.stall_ns > calm.paging.stall_ns && slow.duration_ns > calm.duration_ns);
}

/// Wherever the device is lost, all frames but the one that it was lost in are rendered.
#[test]
fn a_device_is_lost_at_any_point_and_the_run_goes_on() {
    for at in (1..1800).step_by(83) {
        let outcome = outcome(plan(&format!("remove:{at}"), 0));
        assert_eq!((outcome.removal_count, outcome.frame_count), (1, 600), "at {at}");
        assert!(outcome.refused_count <= 1, "at {at}");
    }
}
