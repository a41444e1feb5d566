//! One shard's state: its ranges, and the block that was freed last.

use heapstone_units::Alignment;

use crate::range_allocator::{Block, Owner, RangeAllocator};

/// A range allocator that puts off the merging of the block that was freed last, in case the next request
/// is for one like it, as when buffers are made and destroyed each frame. Any other request merges
/// it first, so that no request sees the space more broken up than it is.
#[derive(Debug)]
pub(crate) struct ShardState {
    ranges: RangeAllocator,
    /// Free for everybody, but still a used range of `ranges`.
    freed_last: Option<Block>,
}

impl ShardState {
    pub(crate) const fn new(ranges: RangeAllocator) -> ShardState {
        ShardState { ranges, freed_last: None }
    }

    /// As [`RangeAllocator::allocate_quickly`].
    #[inline]
    pub(crate) fn allocate_quickly(
        &mut self,
        size: u64,
        alignment: Alignment,
        owner: Owner,
    ) -> Option<Block> {
        if let Some(block) = self.freed_last.take() {
            if block.size() == size && alignment.is_aligned(block.offset()) {
                self.ranges.set_owner(&block, owner);
                return Some(block);
            }
            self.ranges.free(block);
        }
        self.ranges.allocate_quickly(size, alignment, owner)
    }

    /// Gives `block` back.
    #[inline]
    pub(crate) fn free(&mut self, block: Block) {
        if let Some(before) = self.freed_last.replace(block) {
            self.ranges.free(before);
        }
    }

    /// Bytes that are allocated.
    #[inline]
    pub(crate) fn used(&self) -> u64 {
        self.ranges.used() - self.freed_last.as_ref().map_or(0, Block::size)
    }

    /// [`RangeAllocator::free_levels`], without the block that was freed last.
    #[inline]
    pub(crate) const fn free_levels(&self) -> u64 {
        self.ranges.free_levels()
    }

    /// The ranges, with everything merged that is free.
    pub(crate) fn settle(&mut self) -> &mut RangeAllocator {
        if let Some(block) = self.freed_last.take() {
            self.ranges.free(block);
        }
        &mut self.ranges
    }

    /// As [`settle`](Self::settle), where that was done already.
    pub(crate) fn settled(&self) -> &RangeAllocator {
        debug_assert!(self.freed_last.is_none(), "bug: read before settling");
        &self.ranges
    }
}
