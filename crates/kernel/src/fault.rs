//! Failures that a test injects.

use crate::segment::SegmentId;

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
