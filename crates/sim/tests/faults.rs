//! Random programs under faults: bytes, refusals and their order are as without.

use heapstone::{BudgetFault, FaultPlan, FaultStatistics, SlowPaging};
use heapstone_sim::{Mode, Source, generate, run, run_with_faults};

#[test]
fn programs_under_faults_do_what_they_do_without() {
    let mut seen = FaultStatistics::default();
    for seed in 0..60 {
        let program = generate(&mut Source::from_seed(seed));
        let number = |number: u64| number.try_into().expect("invariant: not 0");
        let plan = FaultPlan {
            allocations: Some(heapstone::AllocationFault::OneIn(number(3))),
            budgets: Some(BudgetFault::Storm { period: number(2), permille_min: 0 }),
            focus_period: Some(number(3)),
            slow_paging: Some(SlowPaging { period: number(2), times_max: 8 }),
            ..FaultPlan::of_seed(seed)
        };
        let mode = Mode::Stepped(seed);
        let calm = run(&program, mode);
        let calm = calm.unwrap_or_else(|mismatch| panic!("seed {seed}: {mismatch}"));
        let faulted = run_with_faults(&program, mode, Some(plan));
        let (report, faults) =
            faulted.unwrap_or_else(|mismatch| panic!("seed {seed} with {plan}: {mismatch}"));
        assert_eq!(report, calm, "seed {seed} with {plan}");
        let again = run_with_faults(&program, mode, Some(plan)).map(|(_, faults)| faults);
        assert_eq!(again.ok(), Some(faults), "one seed, one run");
        seen.refused_count += faults.refused_count;
        seen.budget_count += faults.budget_count;
        seen.focus_count += faults.focus_count;
    }
    assert!(seen.refused_count > 60 && seen.budget_count > 60 && seen.focus_count > 0, "{seen:?}");
}
