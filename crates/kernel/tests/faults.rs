//! Plans of faults: what they make happen, where, and that it ends with them.
#![allow(clippy::unwrap_used, reason = "a test or bench stops at what it did not expect")]

use heapstone_kernel::residency::*;
use heapstone_kernel::*;
use heapstone_spec::SegmentGroup;
use heapstone_units::MIB;

const LOCAL: SegmentGroup = SegmentGroup::Local;

fn manager() -> MemoryManager {
    MemoryManager::new(AdapterMemory::discrete(&[64 * MIB], 64 * MIB, 40)).unwrap()
}

fn process(manager: &MemoryManager) -> Process {
    manager.create_process(ProcessDesc { role: ProcessRole::Foreground }).unwrap()
}

fn plan(text: &str) -> Option<FaultPlan> {
    Some(text.parse().unwrap())
}

fn budget(process: &Process) -> u64 {
    process.query_video_memory_info(0, LOCAL).unwrap().budget
}

/// Passes a point: a call that changes nothing.
fn pass(process: &Process) {
    let _ = process.make_resident(&[], MakeResidentFlags::NONE);
}

#[test]
fn a_budget_step_comes_at_its_point_and_goes_with_the_plan() {
    let manager = manager();
    let process = process(&manager);
    let whole = budget(&process);
    manager.inject(plan("budget-step:3:250"));
    pass(&process);
    pass(&process);
    assert_eq!(budget(&process), whole);
    pass(&process);
    assert_eq!(budget(&process), whole / 4);
    // One that was set outright falls alike.
    process.set_budget(0, LOCAL, Some(40 * MIB)).unwrap();
    assert_eq!(budget(&process), 10 * MIB);
    manager.inject(None);
    assert_eq!(budget(&process), 40 * MIB);
    assert_eq!(manager.fault_statistics(), FaultStatistics::default());
}

#[test]
fn a_storm_stays_between_its_bounds_and_is_of_its_seed() {
    let storm = |seed: u64| {
        let manager = manager();
        let process = process(&manager);
        process.set_budget(0, LOCAL, Some(1000)).unwrap();
        manager.inject(Some(FaultPlan { seed, ..plan("budget-storm:4:300").unwrap() }));
        let budgets: Vec<u64> = (0..400)
            .map(|_| {
                pass(&process);
                budget(&process)
            })
            .collect();
        assert!(budgets.iter().all(|budget| (300..=1000).contains(budget)));
        // About every fourth point: each change after 1 to 7.
        let changes = manager.fault_statistics().budget_count;
        assert!((400 / 7..=400).contains(&changes), "{changes}");
        budgets
    };
    assert_eq!(storm(1), storm(1));
    assert_ne!(storm(1), storm(2));
}

#[test]
fn lost_focus_is_the_background_until_it_comes_back() {
    let manager = manager();
    let (game, other) = (process(&manager), process(&manager));
    other.set_role(ProcessRole::Background);
    let in_front = budget(&game);
    // After every point: a period of 1 has no spread.
    manager.inject(plan("focus:1"));
    pass(&game);
    assert_eq!(game.role(), ProcessRole::Background);
    assert!(budget(&game) < in_front);
    assert_eq!(budget(&game), budget(&other));
    pass(&game);
    assert_eq!((game.role(), budget(&game)), (ProcessRole::Foreground, in_front));
    assert_eq!(manager.fault_statistics().focus_count, 2);
}

#[test]
fn allocations_fail_by_number() {
    let manager = manager();
    let process = process(&manager);
    // One segment each, and addresses: two steps an allocation.
    let desc = AllocationDesc { placement: Placement::L1 { demotable: false }, ..AllocationDesc::heap(MIB) };
    let fails = |text: &str| -> Vec<usize> {
        manager.inject(plan(text));
        (0..8).filter(|_| process.allocate(&desc).map(|made| process.free(made)).is_err()).collect()
    };
    assert_eq!(fails("fail-nth:5"), [2]);
    assert_eq!(fails("fail-nth:6"), [2]);
    // Steps 3, 6, ...; a refused placement takes no addresses: 1 2 | 3 | 4 5 | 6 | ...
    assert_eq!(fails("fail-every:3"), [1, 3, 5, 7]);
    assert_eq!(fails("fail-one-in:1"), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(manager.fault_statistics().refused_count, 8);
}

/// The device goes at every point of a program in turn; whatever was done is given back all the same.
#[test]
fn a_device_is_removed_at_any_point() {
    let mut last = 0;
    for at in 1.. {
        let manager = manager();
        let process = process(&manager);
        let desc = AllocationDesc::heap(8 * MIB);
        manager.inject(plan(&format!("remove:{at}")));
        let heaps: Vec<Allocation> = (0..4).map(|_| process.allocate(&desc).unwrap()).collect();
        let all: Vec<&Allocation> = heaps.iter().collect();
        let uses: Vec<SubmissionUse<'_>> =
            heaps.iter().map(|allocation| SubmissionUse { allocation, writes: true }).collect();
        let removed = Err(ResidencyError::Removed(ProcessRemoval::Injected));
        let mut results = Vec::new();
        for _ in 0..3 {
            results.push(process.evict(&all, EvictFlags::NONE).map(drop));
            results.push(process.make_resident(&all, MakeResidentFlags::NONE).map(|_| ()));
            let flight = process.begin_use(&uses);
            results.push(flight.map(|flight| process.end_use(flight)));
        }
        let first = results.iter().position(|result| *result == removed);
        let points = manager.fault_statistics().point_count;
        // The four allocations come first.
        let want = usize::try_from(at).unwrap().saturating_sub(5);
        if at > points {
            assert_eq!(first, None);
            last = at;
        } else {
            assert_eq!(first, Some(want), "at {at}");
            assert!(results[want..].iter().all(|result| *result == removed));
            assert!(results[..want].iter().all(Result::is_ok));
        }
        heaps.into_iter().for_each(|heap| process.free(heap));
        let used: u64 = manager.segments().map(|segment| manager.segment_statistics(segment.id).used).sum();
        assert_eq!(used, 0);
        if last > 0 {
            break;
        }
    }
    assert_eq!(last, 4 + 9 + 1);
}
