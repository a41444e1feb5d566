//! The page directory: what each range of addresses is.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use heapstone_driver::DriverError;
use heapstone_driver::engine::NullTileAccess;
use heapstone_units::{ByteRange, GpuVirtualAddress};

use super::heap_region::{HeapBacking, HeapId, HeapRegion};
use super::tile_table::{ReservedRegion, TILE_SIZE};

/// What a range of addresses is.
#[derive(Clone, Debug)]
pub(crate) enum Region {
    Heap(Arc<HeapRegion>),
    Reserved(Arc<ReservedRegion>),
}

impl Region {
    fn range(&self) -> ByteRange {
        let (address, size) = match self {
            Region::Heap(region) => (region.address(), region.size()),
            Region::Reserved(region) => (region.address(), region.size()),
        };
        ByteRange::at(address.0, size).expect("invariant: a region's end fits 64 bits")
    }
}

/// The ranges of one address space; they do not overlap.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    by_address: BTreeMap<u64, Region>,
    heaps: HashMap<HeapId, Arc<HeapRegion>>,
    /// The number that was given last.
    last_heap: u32,
}

impl Directory {
    /// The region that `address` lies in.
    pub(crate) fn find(&self, address: GpuVirtualAddress) -> Option<Region> {
        let (_, region) = self.by_address.range(..=address.0).next_back()?;
        (address.0 < region.range().end).then(|| region.clone())
    }

    /// The heap of that number, where it is still mapped.
    pub(crate) fn heap(&self, id: HeapId) -> Option<Arc<HeapRegion>> {
        self.heaps.get(&id).cloned()
    }

    /// The heap whose first address is `address`.
    pub(crate) fn heap_at(&self, address: GpuVirtualAddress) -> Option<&HeapRegion> {
        match self.by_address.get(&address.0)? {
            Region::Heap(region) => Some(region),
            Region::Reserved(_) => None,
        }
    }

    /// The reserved resource whose first address is `address`.
    pub(crate) fn reserved_at(&self, address: GpuVirtualAddress) -> Option<&Arc<ReservedRegion>> {
        match self.by_address.get(&address.0)? {
            Region::Reserved(region) => Some(region),
            Region::Heap(_) => None,
        }
    }

    pub(crate) fn map_heap(
        &mut self,
        address: GpuVirtualAddress,
        size: u64,
        memory: Option<(usize, HeapBacking)>,
    ) -> Result<Arc<HeapRegion>, DriverError> {
        self.check_free(address, size)?;
        let id = self.last_heap.checked_add(1).map(HeapId).ok_or_else(|| DriverError::Unsupported {
            what: "more than 4294967295 mappings of heaps in the life of a device".to_owned(),
        })?;
        let region = Arc::new(HeapRegion::new(id, address, size, memory));
        self.last_heap = id.0;
        self.by_address.insert(address.0, Region::Heap(Arc::clone(&region)));
        self.heaps.insert(id, Arc::clone(&region));
        Ok(region)
    }

    pub(super) fn reserve(
        &mut self,
        address: GpuVirtualAddress,
        tile_count: u32,
        null: NullTileAccess,
    ) -> Result<(), DriverError> {
        self.check_free(address, u64::from(tile_count) * TILE_SIZE)?;
        let region = Arc::new(ReservedRegion::new(address, tile_count, null));
        self.by_address.insert(address.0, Region::Reserved(region));
        Ok(())
    }

    pub(super) fn remove_heap(&mut self, address: GpuVirtualAddress) -> Option<Arc<HeapRegion>> {
        let id = self.heap_at(address)?.id();
        self.by_address.remove(&address.0);
        self.heaps.remove(&id)
    }

    pub(super) fn remove_reserved(&mut self, address: GpuVirtualAddress) -> Option<Arc<ReservedRegion>> {
        let region = Arc::clone(self.reserved_at(address)?);
        self.by_address.remove(&address.0);
        Some(region)
    }

    fn check_free(&self, address: GpuVirtualAddress, size: u64) -> Result<(), DriverError> {
        let wanted = ByteRange::at(address.0, size).filter(|range| !range.is_empty());
        let Some(wanted) = wanted else {
            return Err(DriverError::Unsupported {
                what: format!("a region of {size} bytes at GPU virtual address {address}"),
            });
        };
        // The last region that begins before the wanted end is the only one that can reach into it.
        let last = self.by_address.range(..wanted.end).next_back().map(|(_, region)| region.range());
        match last.filter(|last| last.end > wanted.begin) {
            None => Ok(()),
            Some(last) => Err(DriverError::Unsupported {
                what: format!("a region at GPU virtual addresses {wanted} over another at {last}"),
            }),
        }
    }
}
