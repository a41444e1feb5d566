//! Applications that make residency calls of their own.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use heapstone_kernel::AdapterMemory;
use heapstone_kernel::residency::ResidencyPriority;
use heapstone_kernel::residency::policy::PolicyKind;
use heapstone_simulate::workload::{Frame, WorkObject, Workload, WorldEvent};
use heapstone_simulate::{Outcome, RunDesc, RunError, run};
use heapstone_units::{GIB, MIB};

/// Of 1 MiB each, loaded: each first use pages in.
fn run_on(budget: u64, objects: usize, frames: Vec<Frame>) -> Result<Outcome, RunError> {
    let objects = vec![WorkObject { bytes: MIB, is_loaded: true }; objects];
    let workload = Workload { name: "by hand".to_owned(), objects, frames };
    let memory = AdapterMemory::discrete(&[GIB], GIB, 40);
    run(&workload, &RunDesc { memory, policy: PolicyKind::Lru, budget, faults: None })
}

fn frame(events: Vec<WorldEvent>, uses: &[u32]) -> Frame {
    Frame { uses: uses.to_vec(), writes: Some(Vec::new()), events }
}

fn needs(objects: &[u32]) -> WorldEvent {
    WorldEvent::MakeResident { objects: objects.into(), waits: false, denies_over_budget: false }
}

/// Object 0 is used, and then six frames use 1 and 2 by turns under a budget of two objects: LRU evicts 0.
fn turns(first: Vec<WorldEvent>) -> Outcome {
    let mut frames = vec![frame(first, &[0])];
    frames.extend((0..6).map(|turn| frame(Vec::new(), &[1 + turn % 2])));
    frames.push(frame(Vec::new(), &[0]));
    run_on(2 * MIB, 3, frames).unwrap()
}

#[test]
fn what_the_application_needs_stays() {
    let outcome = turns(Vec::new());
    assert_eq!((outcome.paging.bytes_paged_in, outcome.residency_call_count), (4 * MIB, 0));
    // Kept, so that nobody has a place for 1 and 2 but by going over the budget.
    let outcome = turns(vec![needs(&[0])]);
    assert_eq!((outcome.paging.bytes_paged_in, outcome.residency_call_count), (3 * MIB, 1));
    assert!(outcome.over_budget_count > 0);
    // A priority alone: 1 and 2 are evicted for each other rather than 0.
    let outcome = turns(vec![WorldEvent::Priority([0].into(), ResidencyPriority::MAXIMUM)]);
    assert_eq!((outcome.over_budget_count, outcome.residency_call_count), (0, 0));
}

#[test]
fn what_the_application_evicts_leaves_though_there_is_room() {
    let evicts = WorldEvent::Evict([0].into());
    let laps = |events: fn() -> Vec<WorldEvent>| {
        let one = |number: u32| frame(if number % 4 == 1 { events() } else { Vec::new() }, &[number % 4 / 2]);
        run_on(GIB / 2, 2, (0..12).map(one).collect()).unwrap()
    };
    // Frames use 0 0 1 1 0 0 1 1 ...: each comes in once.
    assert_eq!(laps(Vec::new).paging.bytes_paged_in, 2 * MIB);
    // Evicted before the second use of each turn, which needs it still; gone after that, three times.
    let outcome = laps(|| vec![WorldEvent::Evict([0].into())]);
    assert_eq!((outcome.paging.bytes_paged_in, outcome.residency_call_count), (4 * MIB, 3));
    // Never made resident by the application: nothing to count down, and no error.
    let outcome = run_on(GIB, 1, vec![frame(vec![evicts.clone(), evicts], &[0])]).unwrap();
    assert_eq!((outcome.residency_call_count, outcome.residency_refused_count), (2, 0));
}

#[test]
fn calls_that_deny_going_over_the_budget_are_refused_and_change_nothing() {
    let denies = WorldEvent::MakeResident { objects: [1].into(), waits: true, denies_over_budget: true };
    let frames = vec![
        frame(vec![needs(&[0]), WorldEvent::BudgetAtMost(Some(MIB)), denies.clone()], &[0]),
        // What was refused is not evicted either.
        frame(vec![WorldEvent::Evict([1].into()), WorldEvent::BudgetAtMost(None), denies], &[0]),
    ];
    let outcome = run_on(2 * MIB, 2, frames).unwrap();
    assert_eq!((outcome.residency_call_count, outcome.residency_refused_count), (4, 1));
    assert_eq!(outcome.paging.bytes_paged_in, 2 * MIB);
    assert!(outcome.residency_wait_ns > 0);
}

#[test]
fn events_of_objects_that_are_not_there_are_told() {
    for event in [needs(&[0, 7]), WorldEvent::Evict([7].into()), WorldEvent::Created(7)] {
        let error = run_on(GIB, 1, vec![frame(vec![event], &[0])]).unwrap_err();
        assert!(matches!(error, RunError::Object { frame: 0, object: 7 }), "{error}");
    }
}
