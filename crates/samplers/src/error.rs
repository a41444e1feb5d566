//! What can go wrong, with the numbers. After an error nothing has changed.

use heapstone_descriptors::UnknownQueue;
use heapstone_spec::Violation;

use crate::groups::GroupId;

/// A heap that has no room. All in descriptors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeapFull {
    /// Samplers that were asked for at once.
    pub wanted: u32,
    /// Free slots that they take: those that nobody holds yet, equal ones counted once.
    pub new: u32,
    /// Free slots.
    pub free: u32,
    /// Slots that somebody holds.
    pub held: u32,
    /// Slots that nobody holds, but that the GPU may read still.
    pub waiting: u32,
    /// All slots.
    pub capacity: u32,
}

/// Why a call is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SamplersError {
    /// The description is no sampler's.
    #[error(transparent)]
    Sampler(#[from] Box<Violation>),
    /// No heap has room, and no further one is allowed.
    #[error(
        "samplers.full: {} samplers take {} new slots; allowed: {}, the free ones of a heap of {} ({} are held, {} wait for \
         the GPU), one of {heaps} heaps; at most {heaps_max} heaps",
        .full.wanted, .full.new, .full.free, .full.capacity, .full.held, .full.waiting
    )]
    Full {
        /// Of the heap in which the fewest are missing.
        full: HeapFull,
        /// Heaps that there are.
        heaps: u32,
        /// Heaps that may be.
        heaps_max: u32,
    },
    /// A group that binds no sampler needs no indices.
    #[error("samplers.group: samplers are 0; allowed: at least 1, no group where nothing is bound")]
    EmptyGroup,
    /// More samplers than a buffer has indices.
    #[error("samplers.group: samplers are {given}; allowed: at most {allowed}, the indices of a buffer")]
    GroupTooLarge {
        /// Samplers of the group.
        given: usize,
        /// Indices of a buffer.
        allowed: u32,
    },
    /// A sampler of somebody else.
    #[error("samplers.sampler: sampler is none that was created here; allowed: samplers that are alive")]
    UnknownSampler,
    /// A group that is no more, or was never.
    #[error("samplers.group: group is {0}, which does not exist; allowed: groups that are alive")]
    UnknownGroup(GroupId),
    /// Numbers have run out: 2^32 groups, buffers or heaps.
    #[error("samplers.count: {what} are 2^32; allowed: fewer")]
    TooMany {
        /// Of what.
        what: &'static str,
    },
    /// A limit of the description is 0.
    #[error("samplers.desc: {field} is {given}; allowed: {allowed}")]
    Desc {
        /// Which.
        field: &'static str,
        /// What was given.
        given: u32,
        /// What may be.
        allowed: &'static str,
    },
    /// No such queue.
    #[error(transparent)]
    Queue(#[from] UnknownQueue),
}
