//! What can go wrong, with the numbers. After an error nothing has changed.

use crate::timeline::UnknownQueue;

/// How full an allocator is. All in descriptors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shortage {
    /// Those wanted, side by side.
    pub wanted: u32,
    /// Those that are free, wherever they are.
    pub free: u32,
    /// The longest run of them.
    pub longest: u32,
    /// Those that wait for the GPU.
    pub waiting: u32,
    /// All that the allocator hands out.
    pub capacity: u32,
}

/// Why a call is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DescriptorsError {
    /// No descriptors were asked for.
    #[error("descriptors.count: count is 0; allowed: at least 1")]
    NoDescriptors,
    /// Nowhere are so many free.
    #[error(
        "descriptors.full: count is {}; allowed: at most {} side by side; {} of {} are free, and {} wait for the GPU",
        .0.wanted, .0.longest, .0.free, .0.capacity, .0.waiting
    )]
    Full(Shortage),
    /// The range holds no descriptors, or ends behind the heap.
    #[error(
        "descriptors.range: descriptors {first} to {first} + {count} of a heap of {heap}; allowed: at least 1, within \
         the heap"
    )]
    Range {
        /// The first.
        first: u32,
        /// How many.
        count: u32,
        /// Those of the heap.
        heap: u32,
    },
    /// A block of another allocator.
    #[error("descriptors.block: block is one of another allocator; allowed: blocks of this one")]
    ForeignBlock,
    /// No such queue.
    #[error(transparent)]
    Queue(#[from] UnknownQueue),
}
