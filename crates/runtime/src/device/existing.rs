//! Heaps of memory that a program has already: ID3D12Device3 and 13.

use core::any::Any;

use heapstone_driver::DriverError;
use heapstone_spec::caps::ResourceHeapTier;
use heapstone_spec::rules::sharing as rules;
use heapstone_spec::{CpuPageProperty, HeapDesc, HeapFlags, HeapProperties, MemoryPool, limits};

use super::Device;
use super::create::{GivenBytes, outcome};
use crate::error::Error;
use crate::heap::Heap;
use crate::observer::{Call, ObjectId};

impl Device {
    /// ID3D12Device3::OpenExistingHeapFromAddress and FromFileMapping, ID3D12Device13::OpenExistingHeapFromAddress1: a heap
    /// whose bytes are memory of the program, `size` bytes of it. `memory` is what the adapter's driver takes: of the
    /// software driver, a `heapstone_driver_soft::ExistingMemory`.
    ///
    /// The heap is a custom one in L0, WRITE_BACK (chosen: it is the CPU's own memory), and says of itself that it is SHARED
    /// and SHARED_CROSS_ADAPTER (facts/behaviour.md, Lists, queues, fences). It takes buffers and, from heap tier 2 on,
    /// textures. A trace has it as a heap of that description.
    ///
    /// # Errors
    /// [`Error::Invalid`]: `existing.support`; `existing.memory` where `size` is no multiple of 64 KiB, or the driver does not
    /// take the memory; a rule of `heap.*`. [`Error::OutOfMemory`].
    pub fn open_existing_heap(&self, size: u64, memory: Box<dyn Any + Send + Sync>) -> Result<Heap, Error> {
        if !self.caps().existing_heaps {
            return Err(rules::EXISTING_SUPPORT
                .violated("D3D12_FEATURE_EXISTING_HEAPS", "an existing heap", "none on this adapter")
                .into());
        }
        if size == 0 || !size.is_multiple_of(limits::DEFAULT_RESOURCE_ALIGNMENT) {
            return Err(rules::EXISTING_MEMORY.violated("Size", size, "a multiple of 65536, not 0").into());
        }
        let flags = match self.caps().resource_heap_tier {
            ResourceHeapTier::Tier1 => HeapFlags::ALLOW_ONLY_BUFFERS,
            ResourceHeapTier::Tier2 => HeapFlags::empty(),
        };
        let desc = HeapDesc {
            size,
            properties: HeapProperties::custom(CpuPageProperty::WriteBack, MemoryPool::L0),
            alignment: limits::DEFAULT_RESOURCE_ALIGNMENT,
            flags,
        };
        let id = if self.inner.is_observed() { self.inner.new_object() } else { ObjectId::default() };
        let given = Some(GivenBytes::Existing(memory));
        let result = self.create_heap_unobserved(&desc, given, id).map_err(not_taken);
        self.inner.observe(|| Call::CreateHeap { object: id, desc: &desc, outcome: outcome(&result) });
        result
    }
}

fn not_taken(error: Error) -> Error {
    match error {
        Error::Driver(reason) if matches!(*reason, DriverError::Unsupported { .. }) => {
            rules::EXISTING_MEMORY.violated("pAddress", reason, "memory that the driver takes").into()
        }
        error => error,
    }
}
