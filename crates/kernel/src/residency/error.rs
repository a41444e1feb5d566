//! Why a residency call is refused. After an error nothing has changed.

use heapstone_spec::SegmentGroup;
use heapstone_units::Bytes;

use crate::error::OutOfVideoMemory;

/// Why a residency call is refused. `index` is the object's place in the call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResidencyError {
    /// Evict of an object whose count is 0, or would be before its turn comes.
    #[error(
        "object {index} is evicted more often than it was made resident: its count is {count}; allowed: at least 1"
    )]
    NotResident {
        /// The object.
        index: usize,
        /// Its count before the call.
        count: u32,
    },
    /// MakeResident more often than 32 bits count.
    #[error("object {index} was made resident {count} times; allowed: at most {max}", max = u32::MAX)]
    CountOverflow {
        /// The object.
        index: usize,
        /// Its count before the call.
        count: u32,
    },
    /// A submission uses an object that is evicted: it is refused, and the device is in error
    /// (facts/dma-splitting.md, Two regimes).
    #[error("object {index} is used and not resident: its count is 0; allowed: at least 1, by MakeResident")]
    UsedEvicted {
        /// The object.
        index: usize,
    },
    /// An object that is offered is used, or made resident, or offered again.
    #[error("object {index} is offered; allowed: after it was reclaimed")]
    Offered {
        /// The object.
        index: usize,
    },
    /// An object in flight is offered.
    #[error("object {index} is used by work in flight; allowed: once the work is done")]
    InFlight {
        /// The object.
        index: usize,
    },
    /// With DENY_OVERBUDGET: the objects would take the process over its budget.
    #[error(transparent)]
    OverBudget(Box<OverBudget>),
    /// Memory is gone, after all that could be evicted, demoted or suspended.
    #[error(transparent)]
    OutOfVideoMemory(Box<OutOfVideoMemory>),
    /// The process is suspended: memory was taken from it for a while.
    #[error("the process is suspended until {until_ns} ns of virtual time")]
    Suspended {
        /// When it goes on.
        until_ns: u64,
    },
    /// The process has lost its device.
    #[error("the process's device was removed: {0}")]
    Removed(ProcessRemoval),
}

/// What DENY_OVERBUDGET refused. In bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "over budget: {} more in node {node}'s {group:?} group, of which {} are needed already; the budget is {}; trim {}",
    Bytes(*requested), Bytes(*needed), Bytes(*budget), Bytes(*bytes_to_trim)
)]
pub struct OverBudget {
    /// The node.
    pub node: u32,
    /// The group.
    pub group: SegmentGroup,
    /// What the call would add.
    pub requested: u64,
    /// What the process needs already: its usage, without what it has evicted.
    pub needed: u64,
    /// Its budget.
    pub budget: u64,
    /// NumBytesToTrim: how far over the budget the call would go.
    pub bytes_to_trim: u64,
}

/// Why a process lost its device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum ProcessRemoval {
    /// What it needs could not be placed anywhere when it was to go on (spec/2-resource-heaps.txt 1625).
    #[error("memory pressure left no place for what it needs")]
    OutOfMemory,
    /// With unified memory, which has no other segment to go to: as many bytes are free as it needs, in no range that
    /// holds them, and compaction makes none (spec/2-resource-heaps.txt 1622).
    #[error(
        "what it needs finds no range in unified memory, though as many bytes are free: it is fragmented"
    )]
    Fragmentation,
    /// A fault that was injected.
    #[error("a fault was injected")]
    Injected,
}
