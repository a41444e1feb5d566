//! Ranges of descriptors that stay, freed in any order.

use heapstone_kernel::range_allocator::Block;
use heapstone_kernel::{Owner, RangeAllocator};
use heapstone_units::{Alignment, ByteRange};

use crate::error::{DescriptorsError, Shortage};
use crate::heap_range::HeapRange;
use crate::ring::DescriptorSpan;
use crate::timeline::{Deferred, UnknownQueue, UsePoint, Uses};

/// Descriptors that belong to whoever has this, until they are freed.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a block that is dropped stays allocated"]
pub struct DescriptorBlock {
    block: Block,
    range: HeapRange,
}

impl DescriptorBlock {
    /// Which they are.
    #[must_use]
    pub fn span(&self) -> DescriptorSpan {
        DescriptorSpan { first: small(self.block.offset()), count: small(self.block.size()) }
    }
}

/// The kernel's allocator of ranges over descriptors in place of bytes (two-level segregated fit: constant
/// time, neighbours merge), with what was freed waiting for the GPU.
#[derive(Debug)]
pub struct DescriptorAllocator {
    range: HeapRange,
    free: RangeAllocator,
    waiting: Deferred<Block>,
    waiting_count: u32,
}

impl DescriptorAllocator {
    /// An allocator of that range, all of it free.
    #[must_use]
    pub fn new(range: HeapRange) -> DescriptorAllocator {
        let begin = u64::from(range.first());
        let space = ByteRange::new(begin, begin + u64::from(range.count()));
        DescriptorAllocator {
            range,
            free: RangeAllocator::new(space),
            waiting: Deferred::default(),
            waiting_count: 0,
        }
    }

    /// The range that it hands out.
    #[must_use]
    pub const fn range(&self) -> &HeapRange {
        &self.range
    }

    /// `count` descriptors side by side.
    ///
    /// # Errors
    /// [`DescriptorsError::NoDescriptors`], [`DescriptorsError::Full`].
    pub fn allocate(&mut self, count: u32) -> Result<DescriptorBlock, DescriptorsError> {
        if count == 0 {
            return Err(DescriptorsError::NoDescriptors);
        }
        match self.free.allocate(u64::from(count), Alignment::ONE, Owner::MIN) {
            Some(block) => Ok(DescriptorBlock { block, range: self.range }),
            None => Err(DescriptorsError::Full(Shortage {
                wanted: count,
                free: small(self.free.free_bytes()),
                longest: small(self.free.largest_free()),
                waiting: self.waiting_count,
                capacity: self.range.count(),
            })),
        }
    }

    /// Takes descriptors back: they are handed out again when all `points` are passed.
    ///
    /// # Errors
    /// The block and [`DescriptorsError::ForeignBlock`] or [`DescriptorsError::Queue`]; it stays allocated.
    pub fn free(
        &mut self,
        block: DescriptorBlock,
        points: &[UsePoint],
    ) -> Result<(), (DescriptorBlock, DescriptorsError)> {
        if block.range != self.range || !self.free.has_made(&block.block) {
            return Err((block, DescriptorsError::ForeignBlock));
        }
        let uses = match Uses::of(points) {
            Ok(uses) => uses,
            Err(error) => return Err((block, error.into())),
        };
        let count = small(block.block.size());
        match self.waiting.defer(block.block, uses) {
            Some(block) => self.free.free(block),
            None => self.waiting_count += count,
        }
        Ok(())
    }

    /// A queue has completed that value.
    ///
    /// # Errors
    /// [`UnknownQueue`].
    pub fn complete(&mut self, point: UsePoint) -> Result<(), UnknownQueue> {
        self.waiting.complete(point, |block| {
            self.waiting_count -= small(block.size());
            self.free.free(block);
        })
    }

    /// Descriptors that are free now.
    #[must_use]
    pub fn free_count(&self) -> u32 {
        small(self.free.free_bytes())
    }

    /// Descriptors that were freed and wait for the GPU.
    #[must_use]
    pub const fn waiting_count(&self) -> u32 {
        self.waiting_count
    }
}

fn small(count: u64) -> u32 {
    u32::try_from(count).expect("invariant: at most the descriptors of the range")
}
