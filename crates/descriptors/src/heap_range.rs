//! The descriptors of a heap that an allocator hands out.

use heapstone_spec::views::{CpuDescriptorHandle, GpuDescriptorHandle};

use crate::error::DescriptorsError;

/// A part of a descriptor heap, or the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeapRange {
    cpu_start: CpuDescriptorHandle,
    gpu_start: Option<GpuDescriptorHandle>,
    increment: u32,
    heap_count: u32,
    first: u32,
    count: u32,
}

impl HeapRange {
    /// All `count` descriptors of a heap: its first handles, `gpu_start` where shaders see it, and
    /// GetDescriptorHandleIncrementSize of its type.
    ///
    /// # Errors
    /// [`DescriptorsError::Range`] of a heap without descriptors.
    pub const fn of_heap(
        cpu_start: CpuDescriptorHandle,
        gpu_start: Option<GpuDescriptorHandle>,
        increment: u32,
        count: u32,
    ) -> Result<HeapRange, DescriptorsError> {
        let range = HeapRange { cpu_start, gpu_start, increment, heap_count: count, first: 0, count };
        range.part(0, count)
    }

    /// `count` of them, the first of which is descriptor `first` of this range.
    ///
    /// # Errors
    /// [`DescriptorsError::Range`] where there are not so many, or none are asked for.
    pub const fn part(self, first: u32, count: u32) -> Result<HeapRange, DescriptorsError> {
        if count == 0 || first > self.count || count > self.count - first {
            return Err(DescriptorsError::Range { first, count, heap: self.count });
        }
        Ok(HeapRange { first: self.first + first, count, ..self })
    }

    /// The first, counted from the heap's beginning.
    #[must_use]
    pub const fn first(&self) -> u32 {
        self.first
    }

    /// How many.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// The CPU's handle of a descriptor, counted from the heap's beginning; `None` behind its end.
    #[must_use]
    pub const fn cpu(&self, index: u32) -> Option<CpuDescriptorHandle> {
        if index < self.heap_count { Some(self.cpu_start.offset(index, self.increment)) } else { None }
    }

    /// The GPU's handle; `None` also where shaders do not see the heap.
    #[must_use]
    pub const fn gpu(&self, index: u32) -> Option<GpuDescriptorHandle> {
        match self.gpu_start {
            Some(start) if index < self.heap_count => Some(start.offset(index, self.increment)),
            _ => None,
        }
    }
}
