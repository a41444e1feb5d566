//! What goes wrong on purpose.

use core::fmt;
use core::num::NonZeroU64;
use core::str::FromStr;

/// Which steps of allocations fail, counted from 1 since the plan was injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllocationFault {
    /// One: the step of this number.
    Nth(NonZeroU64),
    /// Those of all multiples of this number.
    Every(NonZeroU64),
    /// One in so many, at random.
    OneIn(NonZeroU64),
}

/// How budgets fall. All processes' alike, those that were set outright too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetFault {
    /// From a point on, they are so many thousandths of what they would be, at most 1000.
    Step {
        /// The point, from 1 on.
        at: NonZeroU64,
        /// Thousandths.
        permille: u32,
    },
    /// About every `period` points they are other ones at random, from `permille_min` thousandths up to all.
    Storm {
        /// Points: the next change comes after one to twice as many less one.
        period: NonZeroU64,
        /// Thousandths, at most 1000.
        permille_min: u32,
    },
}

/// How paging becomes slow, and fast again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlowPaging {
    /// About every so many points: as of [`BudgetFault::Storm`].
    pub period: NonZeroU64,
    /// It takes 1 to so many times as long, at random; at least 1.
    pub times_max: u32,
}

/// Faults, as data: what [`crate::MemoryManager::inject`] makes happen. Without any, nothing happens.
///
/// Its text is what `heapstone simulate --faults` takes: parts with `+` between them.
/// ```text
///   fail-nth:N  fail-every:N  fail-one-in:N      AllocationFault
///   budget-step:AT:PERMILLE                      BudgetFault::Step
///   budget-storm:PERIOD:PERMILLE                 BudgetFault::Storm
///   focus:PERIOD                                 about every so many points the focus is lost, or comes back
///   slow:PERIOD:TIMES                            SlowPaging
///   remove:AT                                    the process that comes to this point loses its device
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultPlan {
    /// What all that is random depends on.
    pub seed: u64,
    /// Allocations that fail.
    pub allocations: Option<AllocationFault>,
    /// Budgets that fall.
    pub budgets: Option<BudgetFault>,
    /// About every so many points processes in the foreground are in the background, or there again.
    pub focus_period: Option<NonZeroU64>,
    /// Paging that is slow.
    pub slow_paging: Option<SlowPaging>,
    /// The point, from 1 on, at which the process that comes to it loses its device.
    pub removal_at: Option<NonZeroU64>,
}

impl FaultPlan {
    /// Some of everything but removal, as a seed has it: allocations, a storm of budgets, focus and slow paging.
    #[must_use]
    pub fn of_seed(seed: u64) -> FaultPlan {
        // Chosen: rare enough for work to be done between two faults, and often enough to be met in a thousand calls.
        let at_least = |least: u64, salt: u64| {
            let drawn = super::inject::mixed(seed ^ salt) % (3 * least);
            NonZeroU64::new(least + drawn).expect("invariant: at least 1 was added to")
        };
        FaultPlan {
            seed,
            allocations: Some(AllocationFault::OneIn(at_least(50, 1))),
            budgets: Some(BudgetFault::Storm { period: at_least(20, 2), permille_min: 200 }),
            focus_period: Some(at_least(60, 3)),
            slow_paging: Some(SlowPaging { period: at_least(40, 4), times_max: 8 }),
            removal_at: None,
        }
    }
}

/// What a plan's text may not be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultPlanError {
    /// A part that is none.
    #[error("`{part}` is no fault; allowed: {}", NAMES.join(", "))]
    Unknown {
        /// The part.
        part: String,
    },
    /// A number that is none, or out of range.
    #[error("{field} of `{part}`: given `{given}`; allowed: {allowed}")]
    Number {
        /// The part.
        part: String,
        /// Which of its numbers.
        field: &'static str,
        /// As given.
        given: String,
        /// What may stand there.
        allowed: &'static str,
    },
    /// A fault that stands there twice.
    #[error("`{part}` is the second of its kind; allowed: one of each")]
    Twice {
        /// The part.
        part: String,
    },
}

const NAMES: [&str; 8] = [
    "fail-nth:N",
    "fail-every:N",
    "fail-one-in:N",
    "budget-step:AT:PERMILLE",
    "budget-storm:PERIOD:PERMILLE",
    "focus:PERIOD",
    "slow:PERIOD:TIMES",
    "remove:AT",
];

/// The numbers of a part.
struct Numbers<'a> {
    part: &'a str,
    rest: core::str::Split<'a, char>,
}

impl Numbers<'_> {
    fn next<T: FromStr>(
        &mut self,
        field: &'static str,
        allowed: &'static str,
        is_allowed: impl Fn(&T) -> bool,
    ) -> Result<T, FaultPlanError> {
        let given = self.rest.next().unwrap_or_default();
        let error =
            || FaultPlanError::Number { part: self.part.to_owned(), field, given: given.to_owned(), allowed };
        given.parse().ok().filter(is_allowed).ok_or_else(error)
    }

    fn count(&mut self, field: &'static str) -> Result<NonZeroU64, FaultPlanError> {
        self.next(field, "a whole number from 1 to 2^64 - 1", |_| true)
    }

    fn permille(&mut self) -> Result<u32, FaultPlanError> {
        self.next("PERMILLE", "0 to 1000", |permille| *permille <= 1000)
    }

    fn end(mut self) -> Result<(), FaultPlanError> {
        match self.rest.next() {
            None => Ok(()),
            Some(_) => Err(FaultPlanError::Unknown { part: self.part.to_owned() }),
        }
    }
}

impl FromStr for FaultPlan {
    type Err = FaultPlanError;

    /// Of seed 0.
    fn from_str(text: &str) -> Result<FaultPlan, FaultPlanError> {
        let mut plan = FaultPlan::default();
        for part in text.split('+') {
            let mut rest = part.split(':');
            let name = rest.next().unwrap_or_default();
            let mut numbers = Numbers { part, rest };
            let is_first = match name {
                "fail-nth" => put(&mut plan.allocations, AllocationFault::Nth(numbers.count("N")?)),
                "fail-every" => put(&mut plan.allocations, AllocationFault::Every(numbers.count("N")?)),
                "fail-one-in" => put(&mut plan.allocations, AllocationFault::OneIn(numbers.count("N")?)),
                "budget-step" => {
                    let (at, permille) = (numbers.count("AT")?, numbers.permille()?);
                    put(&mut plan.budgets, BudgetFault::Step { at, permille })
                }
                "budget-storm" => {
                    let (period, permille_min) = (numbers.count("PERIOD")?, numbers.permille()?);
                    put(&mut plan.budgets, BudgetFault::Storm { period, permille_min })
                }
                "focus" => put(&mut plan.focus_period, numbers.count("PERIOD")?),
                "slow" => {
                    let period = numbers.count("PERIOD")?;
                    let times_max =
                        numbers.next("TIMES", "a whole number from 1 to 2^32 - 1", |times| *times > 0)?;
                    put(&mut plan.slow_paging, SlowPaging { period, times_max })
                }
                "remove" => put(&mut plan.removal_at, numbers.count("AT")?),
                _ => return Err(FaultPlanError::Unknown { part: part.to_owned() }),
            };
            if !is_first {
                return Err(FaultPlanError::Twice { part: part.to_owned() });
            }
            numbers.end()?;
        }
        Ok(plan)
    }
}

fn put<T>(place: &mut Option<T>, value: T) -> bool {
    place.replace(value).is_none()
}

impl fmt::Display for FaultPlan {
    /// What it is read from, but for the seed; `nothing` where nothing happens.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.allocations.map(|fault| match fault {
            AllocationFault::Nth(n) => format!("fail-nth:{n}"),
            AllocationFault::Every(n) => format!("fail-every:{n}"),
            AllocationFault::OneIn(n) => format!("fail-one-in:{n}"),
        }));
        parts.extend(self.budgets.map(|fault| match fault {
            BudgetFault::Step { at, permille } => format!("budget-step:{at}:{permille}"),
            BudgetFault::Storm { period, permille_min } => format!("budget-storm:{period}:{permille_min}"),
        }));
        parts.extend(self.focus_period.map(|period| format!("focus:{period}")));
        parts.extend(self.slow_paging.map(|slow| format!("slow:{}:{}", slow.period, slow.times_max)));
        parts.extend(self.removal_at.map(|at| format!("remove:{at}")));
        f.write_str(if parts.is_empty() { "nothing".to_owned() } else { parts.join("+") }.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_as_it_is_shown() {
        let text = "fail-every:7+budget-storm:20:250+focus:60+slow:40:8+remove:1000";
        let plan: FaultPlan = text.parse().expect("all parts are faults");
        let number = |number| NonZeroU64::new(number).expect("invariant: not 0");
        assert_eq!(
            plan,
            FaultPlan {
                seed: 0,
                allocations: Some(AllocationFault::Every(number(7))),
                budgets: Some(BudgetFault::Storm { period: number(20), permille_min: 250 }),
                focus_period: Some(number(60)),
                slow_paging: Some(SlowPaging { period: number(40), times_max: 8 }),
                removal_at: Some(number(1000)),
            }
        );
        assert_eq!(plan.to_string(), text);
        for seed in 0..32 {
            let plan = FaultPlan::of_seed(seed);
            assert_eq!(plan.to_string().parse(), Ok(FaultPlan { seed: 0, ..plan }));
        }
    }

    #[test]
    fn what_is_no_fault_is_named() {
        for (text, want) in [
            ("fire:3", "`fire:3` is no fault; allowed: fail-nth:N"),
            ("", "`` is no fault"),
            ("fail-nth:0", "N of `fail-nth:0`: given `0`; allowed: a whole number from 1 to 2^64 - 1"),
            (
                "remove:18446744073709551616",
                "AT of `remove:18446744073709551616`: given `18446744073709551616`; allowed: a whole number from 1 to 2^64 - 1",
            ),
            (
                "slow:1:4294967296",
                "TIMES of `slow:1:4294967296`: given `4294967296`; allowed: a whole number from 1 to 2^32 - 1",
            ),
            ("budget-step:4:1001", "PERMILLE of `budget-step:4:1001`: given `1001`; allowed: 0 to 1000"),
            ("slow:4", "TIMES of `slow:4`: given ``"),
            ("focus:4:5", "`focus:4:5` is no fault"),
            ("focus:4+focus:5", "`focus:5` is the second of its kind"),
        ] {
            let error = text.parse::<FaultPlan>().expect_err(text).to_string();
            assert!(error.starts_with(want), "{error}");
        }
    }
}
