//! What a closed list was compiled to.

use core::ops::Deref;
use std::sync::Arc;

use heapstone_driver::dma::DmaBuffer;
use heapstone_spec::Violation;
use heapstone_spec::rules::queue as rules;

use super::allocator::{AllocatorInner, StreamMemory};
use crate::address::{MemoryHold, MemoryReference};
use crate::descriptor::WeakDescriptorHeap;
use crate::observer::ObjectId;

/// A closed list: what queues execute. Its memory goes back to its allocator when nobody has it any more.
pub(crate) struct ClosedList {
    pub(crate) dma: DmaBuffer,
    /// What the stream refers to, in the order of its allocation list. It keeps nothing alive.
    pub(crate) references: Vec<MemoryReference>,
    /// The descriptor heaps that it sets, each once; kept alive by nobody here.
    pub(crate) descriptor_heaps: Vec<WeakDescriptorHeap>,
    /// The list's number on an observed device.
    pub(crate) list: ObjectId,
    pub(super) allocator: Arc<AllocatorInner>,
    /// Of the allocator, when it was recorded.
    pub(super) generation: u64,
}

impl ClosedList {
    /// Whether its allocator was not reset since.
    pub(super) fn check_current(&self) -> Result<(), Box<Violation>> {
        self.allocator.check_generation(self.generation)
    }

    /// Whether a command writes the reference of that index.
    pub(crate) fn is_written(&self, index: usize) -> bool {
        self.dma.allocations().get(index).is_some_and(|allocation| allocation.is_written)
    }

    /// Keeps alive what it refers to.
    ///
    /// # Errors
    /// `queue.execute.destroyed`.
    pub(crate) fn hold_all(&self) -> Result<Vec<MemoryHold>, Box<Violation>> {
        let mut holds = Vec::with_capacity(self.references.len());
        for reference in &self.references {
            let hold = reference.hold().ok_or_else(|| {
                let allocation = self.dma.allocations().get(holds.len());
                let address = allocation.map_or(0, |allocation| allocation.address.0);
                rules::EXECUTE_DESTROYED.violated(
                    "ppCommandLists",
                    format_args!("a list that refers to memory at {address:#x}, which was destroyed"),
                    "lists whose resources and heaps are alive",
                )
            })?;
            holds.push(hold);
        }
        Ok(holds)
    }

    /// For a queue: its execution is submitted. Until the guard is dropped its allocator is not reset.
    ///
    /// # Errors
    /// `list.execute.allocator_reset`.
    pub(crate) fn enter_flight(self: &Arc<ClosedList>) -> Result<InFlight, Box<Violation>> {
        self.allocator.enter_flight(self.generation)?;
        Ok(InFlight { list: Arc::clone(self) })
    }
}

impl Drop for ClosedList {
    fn drop(&mut self) {
        self.allocator.recycle(StreamMemory {
            dma: core::mem::take(&mut self.dma),
            references: core::mem::take(&mut self.references),
        });
    }
}

/// An execution that was submitted and has not ended.
pub(crate) struct InFlight {
    list: Arc<ClosedList>,
}

impl Deref for InFlight {
    type Target = ClosedList;

    fn deref(&self) -> &ClosedList {
        &self.list
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.list.allocator.leave_flight();
    }
}
