//! What the manager knows of an allocation, and of a process.

use std::sync::Arc;

use heapstone_spec::SegmentGroup;

use crate::allocation::{AllocationDesc, Managed, Placement};
use crate::budget::{ProcessBudgets, ProcessRole, node_and_group};
use crate::range_allocator::Owner;
use crate::segment::SegmentId;
use crate::usage::UsageCounters;

use super::error::ProcessRemoval;
use super::links::{List, Slot};
use super::offer::OfferPriority;
use super::policy::{ObjectFacts, ResidencyPolicy};
use super::priority::ResidencyPriority;
use super::trim::{TrimCookie, TrimNotification};

/// An allocation that the manager knows.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) managed: Arc<Managed>,
    /// Its process's place in the table.
    pub(crate) process: usize,
    pub(crate) owner: Owner,
    pub(crate) desc: AllocationDesc,
    /// Bytes committed.
    pub(crate) size: u64,
    /// How often it is resident: MakeResident less Evict.
    pub(crate) count: u32,
    /// Submissions in flight that use it.
    pub(crate) pins: u32,
    pub(crate) priority: ResidencyPriority,
    /// Whether its bytes differ from what the backing store would give back.
    pub(crate) is_dirty: bool,
    /// Whether the backing store has a copy; without one, it gives zeros.
    pub(crate) has_copy: bool,
    /// Where it is, where it is anywhere.
    pub(crate) segment: Option<SegmentId>,
    pub(crate) is_demoted: bool,
    pub(crate) membership: Membership,
    pub(crate) offered: Option<Offered>,
    /// Whether it is to leave as soon as no submission uses it: evicted at once, not only where necessary.
    pub(crate) leaves_when_idle: bool,
    /// When what pages it in is done, in virtual nanoseconds.
    pub(crate) ready_at_ns: u64,
    /// The fence value that tells so.
    pub(crate) fence: u64,
    /// The batch that looked at it last: an object may stand in a batch twice.
    pub(crate) mark: u64,
}

/// The list that an allocation is in: that of whoever may take its place from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Membership {
    /// In none: in flight, not in memory, or not to be moved.
    #[default]
    None,
    /// A candidate of the policy: nobody needs it.
    Candidate(SegmentId),
    /// Needed, in the segment it asked for: may be demoted.
    Required(SegmentId, usize),
    /// Needed, and demoted: may be promoted.
    Demoted(SegmentId, usize),
    /// Offered.
    Offered(SegmentId, OfferPriority),
}

/// An offer, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Offered {
    pub(crate) priority: OfferPriority,
    pub(crate) is_lost: bool,
}

impl Entry {
    pub(crate) fn facts(&self) -> ObjectFacts {
        ObjectFacts { bytes: self.size, priority: self.priority, is_dirty: self.is_dirty }
    }

    pub(crate) const fn is_demotable(&self) -> bool {
        matches!(self.desc.placement, Placement::L1 { demotable: true })
    }

    /// The list it belongs in.
    pub(crate) fn rightful_membership(&self) -> Membership {
        let Some(segment) = self.segment else { return Membership::None };
        if self.pins > 0 {
            return Membership::None;
        }
        if let Some(offered) = self.offered {
            return Membership::Offered(segment, offered.priority);
        }
        let class = self.priority.class();
        if self.count == 0 {
            Membership::Candidate(segment)
        } else if self.is_demoted {
            Membership::Demoted(segment, class)
        } else if self.is_demotable() {
            Membership::Required(segment, class)
        } else {
            Membership::None
        }
    }
}

/// Lists by priority class.
pub(crate) type ClassLists = [List; ResidencyPriority::CLASS_COUNT];

/// A process's part of a segment.
#[derive(Debug)]
pub(crate) struct SegmentState {
    pub(crate) policy: Box<dyn ResidencyPolicy>,
    pub(crate) required: ClassLists,
    pub(crate) demoted: ClassLists,
}

/// A process, once a residency call came from it.
pub(crate) struct ProcessState {
    pub(crate) owner: Owner,
    pub(crate) role: ProcessRole,
    pub(crate) usage: Arc<UsageCounters>,
    pub(crate) budgets: Arc<ProcessBudgets>,
    pub(crate) segments: Box<[SegmentState]>,
    /// Bytes of each group in memory that nobody needs.
    pub(crate) evictable: Box<[u64]>,
    pub(crate) suspended_until_ns: Option<u64>,
    /// What it needs and was taken from it while it is suspended.
    pub(crate) taken: Vec<Slot>,
    pub(crate) removed: Option<ProcessRemoval>,
    pub(crate) notifications: Vec<(TrimCookie, TrimNotification)>,
    /// Submissions at the last periodic trim.
    pub(crate) trimmed_at_submission: u64,
    pub(crate) trim_restarts: bool,
    /// Allocations of it that are known.
    pub(crate) entry_count: usize,
}

impl ProcessState {
    /// Whether it has allocations that were demoted and may be promoted.
    pub(crate) fn has_demoted(&self) -> bool {
        self.segments.iter().flat_map(|segment| &segment.demoted).any(|list| list.newest().is_some())
    }

    /// Whether it uses more than its budget of any node's part of a group.
    pub(crate) fn is_over_budget(&self, group: SegmentGroup) -> bool {
        let mut groups = (0..self.evictable.len()).filter(|index| node_and_group(*index).1 == group);
        groups.any(|index| self.usage.get(index) > self.budgets.budget(index))
    }
}

impl core::fmt::Debug for ProcessState {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ProcessState")
            .field("owner", &self.owner)
            .field("role", &self.role)
            .field("suspended_until_ns", &self.suspended_until_ns)
            .field("removed", &self.removed)
            .finish_non_exhaustive()
    }
}
