//! Failures that are injected.
//!
//! ```text
//!   FaultPlan (data, a seed) --inject--> Injector: counts points and allocation steps
//!     point   a call that allocates, makes resident, evicts, or begins to use    -> budgets, focus, paging, removal
//!     step    placing an allocation in a segment, taking addresses for it        -> refused
//! ```
//! One plan, one seed and the same calls in the same order give the same faults.

mod inject;
mod plan;

use crate::segment::SegmentId;

pub use inject::FaultStatistics;
pub(crate) use inject::{FaultEvent, Injector};
pub use plan::{AllocationFault, BudgetFault, FaultPlan, FaultPlanError, SlowPaging};

/// A step of an allocation that can be made to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllocationStep {
    /// Placing the request in a segment. When refused, the next segment of the preference is tried.
    Place(SegmentId),
    /// Taking GPU virtual addresses.
    TakeVirtualAddress,
}

/// Decides which steps fail, so that every error path can be walked: for every `n`, let the `n`-th step
/// fail. It is asked before each step, from the thread that allocates, with no lock held.
pub trait AllocationFaults: Send + Sync {
    /// Whether `step` fails now.
    fn refuses(&self, step: AllocationStep) -> bool;
}
