//! Budgets: the formula's laws, reservations, notifications.
#![allow(clippy::unwrap_used, reason = "a test or bench stops at what it did not expect")]

use std::sync::{Arc, Mutex};

use heapstone_kernel::*;
use heapstone_spec::SegmentGroup;
use heapstone_units::{GIB, MIB};
use proptest::prelude::*;

const LOCAL: SegmentGroup = SegmentGroup::Local;
const NON_LOCAL: SegmentGroup = SegmentGroup::NonLocal;

fn manager() -> MemoryManager {
    MemoryManager::new(AdapterMemory::discrete(&[8 * GIB], 16 * GIB, 40)).unwrap()
}

fn process(manager: &MemoryManager, role: ProcessRole) -> Process {
    manager.create_process(ProcessDesc { role }).unwrap()
}

fn budget(process: &Process) -> u64 {
    process.query_video_memory_info(0, LOCAL).unwrap().budget
}

/// Percent of 8 GiB, rounded down; the figures of `BudgetPolicy::default` are in the callers.
fn usable() -> u64 {
    8 * GIB * 90 / 100
}

#[test]
fn a_process_alone_has_all_that_is_usable() {
    let manager = manager();
    for role in [ProcessRole::Foreground, ProcessRole::Background, ProcessRole::Compositor] {
        let process = process(&manager, role);
        assert_eq!(budget(&process), usable());
        assert_eq!(process.query_video_memory_info(0, NON_LOCAL).unwrap().budget, 16 * GIB * 90 / 100);
    }
}

#[test]
fn the_foreground_and_the_compositor_are_favoured() {
    let manager = manager();
    let foreground = process(&manager, ProcessRole::Foreground);
    let compositor = process(&manager, ProcessRole::Compositor);
    let background = process(&manager, ProcessRole::Background);
    // Weights 16, 4, 1.
    assert_eq!(budget(&foreground), usable() * 16 / 21);
    assert_eq!(budget(&compositor), usable() * 4 / 21);
    assert_eq!(budget(&background), usable() / 21);
    foreground.set_role(ProcessRole::Background);
    assert_eq!(budget(&foreground), usable() / 6);
    drop(compositor);
    drop(background);
    assert_eq!(budget(&foreground), usable());
    assert_eq!(foreground.role(), ProcessRole::Background);
}

#[test]
fn a_reservation_bounds_others_and_never_raises_its_own_budget() {
    let manager = manager();
    let one = process(&manager, ProcessRole::Foreground);
    let before = budget(&one);
    let available = one.query_video_memory_info(0, LOCAL).unwrap().available_for_reservation;
    assert_eq!(available, before / 2);
    assert_eq!(
        one.set_video_memory_reservation(0, LOCAL, available + 1),
        Err(ReservationError::ExceedsAvailable { given: available + 1, available })
    );
    one.set_video_memory_reservation(0, LOCAL, available).unwrap();
    let info = one.query_video_memory_info(0, LOCAL).unwrap();
    assert_eq!((info.budget, info.current_reservation), (before, available));
    // Half is reserved: the other, whose weight is sixteen seventeenths, has the rest.
    one.set_role(ProcessRole::Background);
    let other = process(&manager, ProcessRole::Foreground);
    assert_eq!(budget(&other), usable() - available);
    one.set_video_memory_reservation(0, LOCAL, 0).unwrap();
    assert_eq!(budget(&other), usable() * 16 / 17);
    assert_eq!(
        one.set_video_memory_reservation(1, LOCAL, 0),
        Err(ReservationError::UnknownNode(UnknownNode { given: 1, node_count: 1 }))
    );
}

#[test]
fn an_override_is_the_budget() {
    let manager = manager();
    let process = process(&manager, ProcessRole::Foreground);
    process.set_budget(0, LOCAL, Some(100 * MIB)).unwrap();
    let info = process.query_video_memory_info(0, LOCAL).unwrap();
    assert_eq!((info.budget, info.available_for_reservation), (100 * MIB, 50 * MIB));
    manager.set_external_usage(0, LOCAL, GIB).unwrap();
    assert_eq!(budget(&process), 100 * MIB);
    process.set_budget(0, LOCAL, None).unwrap();
    assert_eq!(budget(&process), 7 * GIB * 90 / 100);
    assert!(process.set_budget(1, LOCAL, None).is_err() && manager.set_external_usage(1, LOCAL, 0).is_err());
}

#[test]
fn allocations_change_usage_and_no_budget() {
    let manager = manager();
    let process = process(&manager, ProcessRole::Foreground);
    let before = budget(&process);
    let heap = process.allocate(&AllocationDesc::heap(GIB)).unwrap();
    let info = process.query_video_memory_info(0, LOCAL).unwrap();
    assert_eq!((info.budget, info.current_usage), (before, GIB));
    process.free(heap);
}

#[test]
fn notifications_tell_changes_and_only_changes() {
    let manager = manager();
    let one = process(&manager, ProcessRole::Foreground);
    let heard = Arc::new(Mutex::new(Vec::new()));
    let cookie = one.register_budget_notification({
        let heard = Arc::clone(&heard);
        Arc::new(move |change| heard.lock().unwrap().push(change))
    });
    let take = || std::mem::take(&mut *heard.lock().unwrap());

    one.set_budget(0, LOCAL, Some(usable())).unwrap();
    one.set_budget(0, LOCAL, None).unwrap();
    one.set_role(ProcessRole::Background);
    assert_eq!(take(), [], "every value was the same as before");

    let two = process(&manager, ProcessRole::Background);
    let changes = take();
    assert_eq!(changes.len(), 2, "one of each group");
    assert_eq!(
        (changes[0].node, changes[0].group, changes[0].previous, changes[0].current),
        (0, LOCAL, usable(), usable() / 2)
    );
    assert_eq!((changes[1].group, changes[1].previous), (NON_LOCAL, 16 * GIB * 90 / 100));
    assert_eq!(budget(&one), changes[0].current);

    drop(two);
    let later = take();
    assert_eq!((later.len(), later[0].current), (2, usable()));
    assert!(later[0].sequence > changes[0].sequence);

    assert!(one.unregister_budget_notification(cookie));
    assert!(!one.unregister_budget_notification(cookie));
    one.set_budget(0, LOCAL, Some(1)).unwrap();
    assert_eq!(take(), []);
}

#[test]
fn a_notification_may_call_the_manager() {
    let manager = manager();
    let process = process(&manager, ProcessRole::Foreground);
    let seen = Arc::new(Mutex::new(Vec::new()));
    process.register_budget_notification({
        let (manager, seen) = (manager.clone(), Arc::clone(&seen));
        let others = Mutex::new(Vec::new());
        Arc::new(move |change: BudgetChange| {
            // Creating a process changes budgets again, from within a change.
            if change.current == MIB {
                let other = manager.create_process(ProcessDesc { role: ProcessRole::Background }).unwrap();
                others.lock().unwrap().push(other);
            }
            seen.lock().unwrap().push((manager.process_count(), change.current));
        })
    });
    process.set_budget(0, LOCAL, Some(MIB)).unwrap();
    let seen = seen.lock().unwrap().clone();
    // The change that the new process made is heard within the first one.
    assert_eq!(seen, [(2, 16 * GIB * 90 / 100 * 16 / 17), (2, MIB)]);
}

#[derive(Clone, Debug)]
struct Situation {
    roles: Vec<ProcessRole>,
    reserved_percent: Vec<u64>,
    external: u64,
    policy: BudgetPolicy,
}

fn roles() -> impl Strategy<Value = ProcessRole> {
    prop_oneof![Just(ProcessRole::Foreground), Just(ProcessRole::Background), Just(ProcessRole::Compositor)]
}

fn situations() -> impl Strategy<Value = Situation> {
    let policies = (1u32..20, 0u32..100, 0u32..100, 0u32..=1000, 0u32..=1000).prop_map(
        |(weight_background, more_foreground, more_compositor, usable_permille, reservable_permille)| {
            BudgetPolicy {
                weight_background,
                weight_foreground: weight_background + more_foreground,
                weight_compositor: weight_background + more_compositor,
                usable_permille,
                reservable_permille,
            }
        },
    );
    let processes = prop::collection::vec((roles(), 0u64..=100), 1..8);
    (processes, 0..=9 * GIB, policies).prop_map(|(processes, external, policy)| {
        let (roles, reserved_percent) = processes.into_iter().unzip();
        Situation { roles, reserved_percent, external, policy }
    })
}

fn enter(situation: &Situation) -> (MemoryManager, Vec<Process>) {
    let memory = AdapterMemory {
        budget_policy: situation.policy,
        ..AdapterMemory::discrete(&[8 * GIB], 16 * GIB, 40)
    };
    let manager = MemoryManager::new(memory).unwrap();
    manager.set_external_usage(0, LOCAL, situation.external).unwrap();
    let processes: Vec<Process> = situation.roles.iter().map(|role| process(&manager, *role)).collect();
    for (process, percent) in processes.iter().zip(&situation.reserved_percent) {
        let available = process.query_video_memory_info(0, LOCAL).unwrap().available_for_reservation;
        process.set_video_memory_reservation(0, LOCAL, available / 100 * percent).unwrap();
    }
    (manager, processes)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    // facts/residency.md: more free memory never lowers anyone's budget.
    #[test]
    fn more_free_memory_lowers_nobody(situation in situations(), less in 0..=9 * GIB) {
        let (manager, processes) = enter(&situation);
        let before: Vec<u64> = processes.iter().map(budget).collect();
        manager.set_external_usage(0, LOCAL, situation.external.saturating_sub(less)).unwrap();
        for (process, before) in processes.iter().zip(before) {
            prop_assert!(budget(process) >= before);
        }
    }

    // facts/residency.md: going to the background never raises it.
    #[test]
    fn going_to_the_background_raises_no_own_budget(situation in situations(), which in any::<prop::sample::Index>()) {
        let (_manager, processes) = enter(&situation);
        let process = which.get(&processes);
        let before = budget(process);
        process.set_role(ProcessRole::Background);
        let behind = budget(process);
        prop_assert!(behind <= before);
        process.set_role(ProcessRole::Foreground);
        prop_assert!(budget(process) >= behind);
    }

    #[test]
    fn a_reservation_raises_no_own_budget(situation in situations(), which in any::<prop::sample::Index>()) {
        let (_manager, processes) = enter(&situation);
        let process = which.get(&processes);
        let before = process.query_video_memory_info(0, LOCAL).unwrap();
        process.set_video_memory_reservation(0, LOCAL, before.available_for_reservation).unwrap();
        prop_assert_eq!(budget(process), before.budget);
    }

    #[test]
    fn budgets_are_dealt_out_once(situation in situations()) {
        let (_manager, processes) = enter(&situation);
        let all: u64 = processes.iter().map(budget).sum();
        prop_assert!(all <= (8 * GIB).saturating_sub(situation.external));
    }
}
