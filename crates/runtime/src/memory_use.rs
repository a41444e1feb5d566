//! What a command list needs in memory, heap by heap: for whoever makes residency calls of it.

use heapstone_units::GpuVirtualAddress;

use crate::address::MemoryHold;
use crate::command::CommandList;
use crate::error::Error;
use crate::resource::Resource;

/// A heap that a command list refers to, explicit or implicit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryUse {
    /// The first address that the heap takes: [`crate::Heap::gpu_virtual_address`], [`Resource::heap_address`].
    pub heap: GpuVirtualAddress,
    /// Whether a command writes into it.
    pub is_written: bool,
}

impl CommandList {
    /// The heaps that the list refers to, each once, in the order of their first mention: what must be resident when it
    /// is executed (spec/2-resource-heaps.txt 948-951). The heaps behind a reserved resource's tiles are those that its
    /// tiles show now.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `list.execute.*` or `queue.execute.destroyed`: the list cannot be executed.
    pub fn memory_uses(&self) -> Result<Vec<MemoryUse>, Error> {
        let closed = self.closed()?;
        let mut uses: Vec<MemoryUse> = Vec::new();
        for (index, hold) in closed.hold_all()?.iter().enumerate() {
            let is_written = closed.is_written(index);
            for heap in heaps_of(hold) {
                match uses.iter_mut().find(|used| used.heap == heap) {
                    Some(used) => used.is_written |= is_written,
                    None => uses.push(MemoryUse { heap, is_written }),
                }
            }
        }
        Ok(uses)
    }
}

impl Resource {
    /// The first address that the heap takes in which the resource lies; `None` of a reserved resource, whose tiles may
    /// show many. D3D12 does not tell it; tools want it.
    #[must_use]
    pub fn heap_address(&self) -> Option<GpuVirtualAddress> {
        self.inner.heap_core().map(crate::heap::HeapCore::gpu_virtual_address)
    }
}

/// The heaps whose bytes are read or written through what is held.
fn heaps_of(hold: &MemoryHold) -> Vec<GpuVirtualAddress> {
    match (hold.heap_core(), hold) {
        (Some(core), _) => vec![core.gpu_virtual_address()],
        (None, MemoryHold::Resource(resource)) => {
            let gpu = resource.inner.device().gpu.made();
            gpu.map_or_else(Vec::new, |gpu| gpu.driver.shown(resource.inner.gpu_virtual_address))
        }
        (None, MemoryHold::Heap(_)) => Vec::new(),
    }
}
