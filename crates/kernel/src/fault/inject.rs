//! A plan as it happens.

use core::num::NonZeroU64;

use super::plan::{AllocationFault, BudgetFault, FaultPlan};

/// What a plan has made happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultStatistics {
    /// Points that were passed: calls that allocate, make resident, evict, or begin to use.
    pub point_count: u64,
    /// Steps of allocations that were asked about.
    pub step_count: u64,
    /// Of those, the ones that were refused.
    pub refused_count: u64,
    /// Changes of budgets.
    pub budget_count: u64,
    /// Times that the focus was lost or came back.
    pub focus_count: u64,
    /// Changes of paging's speed.
    pub slowdown_count: u64,
    /// Devices that were removed.
    pub removal_count: u64,
}

/// What happens at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultEvent {
    /// Budgets are so many thousandths of what they would be.
    Budgets { permille: u32 },
    /// Whether processes in the foreground are there.
    Focus { has_focus: bool },
    /// Paging takes so many times as long.
    Paging { times: u32 },
    /// Who comes to the point loses its device.
    Removal,
}

/// A plan, and how far it is.
#[derive(Debug)]
pub(crate) struct Injector {
    plan: FaultPlan,
    random: u64,
    pub(crate) statistics: FaultStatistics,
    budgets_at: Option<u64>,
    focus_at: Option<u64>,
    paging_at: Option<u64>,
    has_focus: bool,
}

impl Injector {
    pub(crate) fn new(plan: FaultPlan) -> Injector {
        let mut injector = Injector {
            plan,
            random: plan.seed,
            statistics: FaultStatistics::default(),
            budgets_at: None,
            focus_at: None,
            paging_at: None,
            has_focus: true,
        };
        injector.budgets_at = plan.budgets.map(|fault| match fault {
            BudgetFault::Step { at, .. } => at.get(),
            BudgetFault::Storm { period, .. } => injector.after(period),
        });
        injector.focus_at = plan.focus_period.map(|period| injector.after(period));
        injector.paging_at = plan.slow_paging.map(|slow| injector.after(slow.period));
        injector
    }

    /// A point is passed: what happens there.
    pub(crate) fn pass(&mut self) -> Vec<FaultEvent> {
        self.statistics.point_count += 1;
        let now = Some(self.statistics.point_count);
        let mut events = Vec::new();
        if let Some(fault) = self.plan.budgets.filter(|_| self.budgets_at == now) {
            self.statistics.budget_count += 1;
            let permille = match fault {
                BudgetFault::Step { permille, .. } => permille,
                BudgetFault::Storm { period, permille_min } => {
                    self.budgets_at = Some(self.after(period));
                    1000 - self.below_u32(1001 - permille_min.min(1000))
                }
            };
            events.push(FaultEvent::Budgets { permille });
        }
        if let Some(period) = self.plan.focus_period.filter(|_| self.focus_at == now) {
            self.statistics.focus_count += 1;
            self.focus_at = Some(self.after(period));
            self.has_focus = !self.has_focus;
            events.push(FaultEvent::Focus { has_focus: self.has_focus });
        }
        if let Some(slow) = self.plan.slow_paging.filter(|_| self.paging_at == now) {
            self.statistics.slowdown_count += 1;
            self.paging_at = Some(self.after(slow.period));
            events.push(FaultEvent::Paging { times: 1 + self.below_u32(slow.times_max.max(1)) });
        }
        if self.plan.removal_at.map(NonZeroU64::get) == now {
            self.statistics.removal_count += 1;
            events.push(FaultEvent::Removal);
        }
        events
    }

    /// Whether the next step is refused.
    pub(crate) fn refuses(&mut self) -> bool {
        self.statistics.step_count += 1;
        let step = self.statistics.step_count;
        let is_refused = match self.plan.allocations {
            None => false,
            Some(AllocationFault::Nth(n)) => step == n.get(),
            Some(AllocationFault::Every(n)) => step.is_multiple_of(n.get()),
            Some(AllocationFault::OneIn(n)) => self.below(n) == 0,
        };
        self.statistics.refused_count += u64::from(is_refused);
        is_refused
    }

    /// A point that comes after one to `2 * period - 1` others.
    fn after(&mut self, period: NonZeroU64) -> u64 {
        let spread = NonZeroU64::new(period.get().saturating_mul(2) - 1).unwrap_or(NonZeroU64::MIN);
        let points = 1 + self.below(spread);
        self.statistics.point_count.saturating_add(points)
    }

    fn below(&mut self, end: NonZeroU64) -> u64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed(self.random) % end
    }

    fn below_u32(&mut self, end: u32) -> u32 {
        let end = NonZeroU64::new(u64::from(end)).unwrap_or(NonZeroU64::MIN);
        u32::try_from(self.below(end)).expect("invariant: below 32 bits")
    }
}

/// SplitMix64's mixing (Steele, Lea, Flood, 2014).
pub(super) const fn mixed(state: u64) -> u64 {
    let mut mixed = state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
