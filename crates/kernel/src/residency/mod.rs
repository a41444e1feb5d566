//! Residency: which allocations are in memory, and who decides it (facts/residency.md; spec/2-resource-heaps.txt 486-526,
//! 1523-1663).
//!
//! ```text
//!                    MakeResident: count 0 -> 1
//!      +-----------------------------------------------------+
//!      |                                                     v
//!   evicted            required (count >= 1) <--promotion-- demoted (count >= 1)
//!   in no segment      in the segment it asked --pressure-> in system memory
//!      ^                                                     |
//!      |   Evict: count 1 -> 0, at once or                   |
//!      +-- evictable (count 0, in memory) <------------------+
//!          where necessary: the policy chooses
//!
//!   in flight: used by a submission; stays where it is, whatever its count
//!   offered: not to be used, and discarded before anything is evicted
//! ```
//! - An allocation is created resident, with a count of 1, or evicted, with 0.
//! - MakeResident counts up, Evict counts down; neither changes anything when it is refused.
//! - Until a call here names an allocation, the manager does not know it: it has a count of 1 and stays where it is.
//!   So creation costs what it costs without residency.
//! - `room` tells what happens when there is no room, [`policy`] who is evicted, [`bound`] what the best policy could do.
//! - Time is virtual: [`crate::MemoryManager::advance_clock`] lets it pass.

pub mod bound;
mod calls;
mod compact;
mod config;
mod entry;
mod error;
mod fence;
mod keep;
mod links;
mod offer;
pub(crate) mod pager;
pub mod policy;
mod priority;
mod process;
mod queue;
mod room;
mod trim;

use core::ops::BitOr;

use crate::segment::SegmentId;

pub use config::{PagingCosts, ResidencyConfig};
pub use error::{OverBudget, ProcessRemoval, ResidencyError};
pub use fence::{AmbiguousFences, newest_paging_fence};
pub use links::Slot;
pub use offer::{OfferPriority, Reclaimed};
pub use priority::ResidencyPriority;
pub use queue::PagingStatistics;
pub use trim::{PeriodicTrim, TrimCookie, TrimNotification, TrimRequest};

/// How MakeResident is to go about it (D3D12_RESIDENCY_FLAGS).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MakeResidentFlags(u32);

impl MakeResidentFlags {
    /// Over budget is no failure; only memory that is gone is.
    pub const NONE: MakeResidentFlags = MakeResidentFlags(0);
    /// Fails where the process would go over its budget.
    pub const DENY_OVERBUDGET: MakeResidentFlags = MakeResidentFlags(1);

    /// Whether all of `flags` are set.
    #[must_use]
    pub const fn contains(self, flags: MakeResidentFlags) -> bool {
        self.0 & flags.0 == flags.0
    }
}

/// How Evict is to go about it (D3DDDI_EVICT_FLAGS).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EvictFlags(u32);

impl EvictFlags {
    /// What is needed no more leaves memory at once, or when no submission uses it any more.
    pub const NONE: EvictFlags = EvictFlags(0);
    /// It leaves only where its room is needed; the policy chooses when.
    pub const EVICT_ONLY_IF_NECESSARY: EvictFlags = EvictFlags(1);
    /// Nothing was written to it since it was last resident: its copy in the backing store is good.
    pub const NOT_WRITTEN_TO: EvictFlags = EvictFlags(2);

    /// Whether all of `flags` are set.
    #[must_use]
    pub const fn contains(self, flags: EvictFlags) -> bool {
        self.0 & flags.0 == flags.0
    }
}

impl BitOr for EvictFlags {
    type Output = EvictFlags;

    fn bitor(self, other: EvictFlags) -> EvictFlags {
        EvictFlags(self.0 | other.0)
    }
}

/// What an allocation that is created evicted holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InitialContent {
    /// Zeros: the first MakeResident fills it.
    #[default]
    Zero,
    /// What the backing store has: the first MakeResident transfers it.
    Stored,
}

/// What MakeResident did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use = "the paging fence value is to be waited for before the objects are used"]
pub struct MadeResident {
    /// The paging fence value to wait for; `None` where all objects are in memory already (the call was not pending).
    pub paging_fence: Option<u64>,
    /// NumBytesToTrim: how far the process is over its budgets now, in bytes.
    pub bytes_to_trim: u64,
}

/// What Evict did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evicted {
    /// NumBytesToTrim: how far the process is over its budgets still, in bytes.
    pub bytes_to_trim: u64,
}

/// How it stands with an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResidencyView {
    /// How often it is resident.
    pub count: u32,
    /// Where it is; `None` in no segment.
    pub segment: Option<SegmentId>,
    /// Whether it is in system memory and asked for video memory.
    pub is_demoted: bool,
    /// Whether evicting it would write it back.
    pub is_dirty: bool,
    /// Submissions in flight that use it.
    pub in_flight_count: u32,
    /// Its priority.
    pub priority: ResidencyPriority,
    /// The offer, where it is offered.
    pub offered: Option<OfferPriority>,
}

/// What a submission uses.
#[derive(Clone, Copy, Debug)]
pub struct SubmissionUse<'a> {
    /// The allocation.
    pub allocation: &'a crate::Allocation,
    /// Whether it is written.
    pub writes: bool,
}

/// A submission in flight: what it uses stays where it is until [`crate::Process::end_use`].
#[derive(Debug)]
#[must_use = "what it uses stays in memory until its use is ended"]
pub struct InFlight {
    pub(crate) owner: crate::Owner,
    pub(crate) slots: Box<[Slot]>,
    pub(crate) ready_at_ns: u64,
}

impl InFlight {
    /// When all that it uses is in memory, in virtual nanoseconds: it begins no earlier.
    #[must_use]
    pub const fn ready_at_ns(&self) -> u64 {
        self.ready_at_ns
    }
}
