//! A device: one GPU virtual address space.
//!
//! ```text
//!   Directory (RwLock)                     address ranges, which do not overlap
//!     |-- HeapRegion     (Arc)             a heap
//!     |      '-- Arc<HeapMemory>             its bytes; an engine that uses them has the Arc while a buffer runs
//!     '-- ReservedRegion (Arc)             a reserved resource
//!            '-- RwLock<TileTable>           per tile of 64 KiB: nothing, or a heap's number and tile;
//!                                            held for reading while a command uses it
//! ```
//! Whoever holds a table may wait for the directory, and nobody who holds the directory waits for anything. Heaps
//! have numbers that are never used again, so that an entry of a heap that is gone shows no later one.

mod directory;
mod heap_region;
mod tile_table;
mod tiled;

use std::sync::Arc;

use heapstone_driver::cost::CostModel;
use heapstone_driver::engine::{DriverDevice, DriverQueue, DriverQueueDesc, NullTileAccess, Translation};
use heapstone_driver::{DriverError, DriverHeap};
use heapstone_spec::commands::CommandListType;
use heapstone_spec::profile::{EngineAddressing, Engines};
use heapstone_units::GpuVirtualAddress;
use parking_lot::RwLock;

use crate::heap::soft_heap;
use crate::queue::{SoftApertureQueue, SoftQueue};

pub(crate) use directory::{Directory, Region};
pub(crate) use heap_region::{HeapBacking, HeapId, HeapMemory, HeapRegion};
pub(crate) use tile_table::{EntryRun, ReservedRegion, TILE_SIZE, TableHold, TileEntry};
pub(crate) use tiled::{HeldHeaps, Tiled};

/// A device of the software driver.
#[derive(Debug)]
pub(crate) struct SoftDevice {
    shared: Arc<DeviceShared>,
}

/// What a device and its queues share.
#[derive(Debug)]
pub(crate) struct DeviceShared {
    pub(crate) directory: RwLock<Directory>,
    pub(crate) cost: Arc<CostModel>,
    node_count: u32,
    engines: Engines,
}

impl DeviceShared {
    pub(crate) fn new(cost: Arc<CostModel>, node_count: u32, engines: Engines) -> DeviceShared {
        DeviceShared { directory: RwLock::default(), cost, node_count, engines }
    }

    /// How the engine of a kind of queue reaches memory.
    fn addressing(&self, list_type: CommandListType) -> EngineAddressing {
        match list_type {
            CommandListType::Compute => self.engines.compute,
            CommandListType::Copy => self.engines.copy,
            _ => self.engines.direct,
        }
    }

    /// Refuses a queue on a node that there is not.
    pub(crate) fn check_node(&self, desc: &DriverQueueDesc) -> Result<(), DriverError> {
        if desc.node < self.node_count {
            return Ok(());
        }
        Err(DriverError::Unsupported {
            what: format!(
                "a queue on node {}; the adapter has {} nodes, counted from 0",
                desc.node, self.node_count
            ),
        })
    }
}

impl SoftDevice {
    pub(crate) fn new(cost: Arc<CostModel>, node_count: u32, engines: Engines) -> SoftDevice {
        SoftDevice { shared: Arc::new(DeviceShared::new(cost, node_count, engines)) }
    }
}

impl DriverDevice for SoftDevice {
    fn map_heap(
        &self,
        address: GpuVirtualAddress,
        size: u64,
        heap: &dyn DriverHeap,
    ) -> Result<(), DriverError> {
        let heap = soft_heap(heap).ok_or_else(|| DriverError::Unsupported {
            what: "addresses that show a heap of another driver".to_owned(),
        })?;
        heap.show(&mut |memory| self.shared.directory.write().map_heap(address, size, memory))
    }

    fn unmap_heap(&self, address: GpuVirtualAddress) {
        let region = self.shared.directory.write().remove_heap(address);
        if let Some(region) = region {
            region.retire();
        }
    }

    fn reserve(
        &self,
        address: GpuVirtualAddress,
        tile_count: u32,
        null: NullTileAccess,
    ) -> Result<(), DriverError> {
        self.shared.directory.write().reserve(address, tile_count, null)
    }

    fn release(&self, address: GpuVirtualAddress) {
        let region = self.shared.directory.write().remove_reserved(address);
        if let Some(region) = region {
            region.release();
        }
    }

    fn shows(&self, resource: GpuVirtualAddress, heap: GpuVirtualAddress) -> bool {
        let (resource, heap) = {
            let directory = self.shared.directory.read();
            (directory.reserved_at(resource).cloned(), directory.heap_at(heap).map(|region| region.id()))
        };
        // The directory is not held while commands are waited for.
        resource.zip(heap).is_some_and(|(resource, heap)| resource.hold().shows(heap))
    }

    fn shown(&self, resource: GpuVirtualAddress) -> Vec<GpuVirtualAddress> {
        let resource = self.shared.directory.read().reserved_at(resource).cloned();
        // As above: the directory is not held while commands are waited for.
        let heaps = resource.map(|resource| resource.hold().heaps()).unwrap_or_default();
        let directory = self.shared.directory.read();
        // A heap that is gone is shown by tiles still, and faults.
        let heaps = heaps.into_iter().filter_map(|heap| directory.heap(heap));
        let mut shown: Vec<GpuVirtualAddress> = heaps.map(|heap| heap.address()).collect();
        shown.sort_unstable();
        shown
    }

    fn set_resident(&self, heap: GpuVirtualAddress, is_resident: bool) {
        if let Some(region) = self.shared.directory.read().heap_at(heap) {
            region.set_resident(is_resident);
        }
    }

    fn translate(&self, address: GpuVirtualAddress) -> Option<Translation> {
        let region = self.shared.directory.read().find(address)?;
        match region {
            Region::Heap(region) => {
                let offset = address.checked_offset_from(region.address())?;
                Some(Translation::Heap { heap: region.address(), offset })
            }
            Region::Reserved(region) => {
                let offset = address.checked_offset_from(region.address())?;
                let tile = u32::try_from(offset / TILE_SIZE).ok()?;
                let Some((id, heap_tile)) = region.entry(tile).heap() else {
                    return Some(Translation::NullTile);
                };
                let heap = self.shared.directory.read().heap(id)?;
                let offset = u64::from(heap_tile) * TILE_SIZE + offset % TILE_SIZE;
                Some(Translation::Heap { heap: heap.address(), offset })
            }
        }
    }

    fn create_queue(&self, desc: &DriverQueueDesc) -> Result<Box<dyn DriverQueue>, DriverError> {
        self.shared.check_node(desc)?;
        let device = Arc::clone(&self.shared);
        Ok(match device.addressing(desc.list_type) {
            EngineAddressing::GpuVa => Box::new(SoftQueue::new(device)),
            EngineAddressing::Patched => Box::new(SoftApertureQueue::new(device, self.shared.engines)),
        })
    }
}
