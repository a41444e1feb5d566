//! A driver that counts what lives, notes what it was told, and fails where a test wants it to.

use core::any::Any;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use heapstone::{
    Backing, Driver, DriverError, DriverFactory, GpuVirtualAddress, HeapFlags, OpenAdapter, ResourceDesc,
};
use heapstone_driver::dma::{Cursor, DmaBuffer};
use heapstone_driver::engine::{
    DriverDevice, DriverQueue, DriverQueueDesc, EngineFault, ExecuteLimit, NullTileAccess, QueueStatistics,
    RowPitches, SurfaceBox, TileCopyRun, TileRun, Translation,
};
use heapstone_driver::paging::{HeapPaging, PagingStatistics};
use heapstone_driver::{CreateHeap, CreateResource, DriverHeap, DriverResource, HeapAndResource};
use heapstone_driver_soft::{PagingBytes, SoftDriverFactory, SoftDriverOptions};
use heapstone_kernel::{AllocationKey, PagingOperation, PagingPlace};
use heapstone_layout::swizzle::Surface;
use heapstone_layout::{DriverAllocationInfo, ResourceSizer, SubresourceInfo};
use heapstone_spec::caps::TightAlignmentTier;
use heapstone_spec::profile::Caps;
use heapstone_units::Alignment;

/// What a driver was told of a heap that it was to create.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeapTold {
    pub size: u64,
    pub alignment: u64,
    pub flags: HeapFlags,
    pub implicit: bool,
    pub deny_demotion: bool,
}

/// Shared by the test and the drivers of its factory.
#[derive(Debug, Default)]
pub struct Watch {
    /// Whether the driver reports less than the profile asks for.
    pub lacks_tight_alignment: AtomicBool,
    /// Heaps that exist.
    pub heaps: AtomicI64,
    /// Resources that exist.
    pub resources: AtomicI64,
    /// Heaps that are mapped.
    pub mapped: AtomicI64,
    /// Calls of create so far.
    pub creations: AtomicU64,
    /// The call of create, from 1, that fails; 0: none.
    pub failing_creation: AtomicU64,
    /// How many of the next calls of map fail.
    pub failing_maps: AtomicU64,
    /// Whether bytes of heaps move.
    pub moves_heaps: AtomicBool,
    /// How many of the next operations fail that bring bytes into memory.
    pub failing_page_ins: AtomicU64,
    /// Whether the queues of devices panic when they are to execute.
    pub panics: AtomicBool,
    /// Every heap, in the order of creation.
    pub told: Mutex<Vec<HeapTold>>,
}

impl Watch {
    /// Whether nothing that a driver made is left.
    pub fn is_empty(&self) -> bool {
        [&self.heaps, &self.resources, &self.mapped].iter().all(|count| count.load(Ordering::SeqCst) == 0)
    }

    pub fn last_heap(&self) -> HeapTold {
        *self.told.lock().unwrap().last().unwrap()
    }
}

/// Opens software drivers that are watched.
#[derive(Clone, Debug, Default)]
pub struct CountingFactory {
    pub watch: Arc<Watch>,
}

impl DriverFactory for CountingFactory {
    fn open(&self, adapter: OpenAdapter) -> Result<Arc<dyn Driver>, DriverError> {
        let moves = self.watch.moves_heaps.load(Ordering::SeqCst);
        let paging_bytes = if moves { PagingBytes::Moved } else { PagingBytes::InPlace };
        let options = SoftDriverOptions { paging_bytes, ..SoftDriverOptions::default() };
        let inner = SoftDriverFactory { options }.open(adapter)?;
        Ok(Arc::new(CountingDriver { inner, watch: Arc::clone(&self.watch) }))
    }
}

struct CountingDriver {
    inner: Arc<dyn Driver>,
    watch: Arc<Watch>,
}

struct CountingHeap {
    inner: Box<dyn DriverHeap>,
    watch: Arc<Watch>,
}

fn no_memory(what: &'static str) -> DriverError {
    DriverError::OutOfMemory { what, size: 1, reason: "the test wants it so".to_owned() }
}

impl ResourceSizer for CountingDriver {
    fn check_resource_allocation_info(
        &self,
        desc: &ResourceDesc,
        alignment_restriction: Alignment,
    ) -> Option<DriverAllocationInfo> {
        self.inner.check_resource_allocation_info(desc, alignment_restriction)
    }
}

impl Driver for CountingDriver {
    fn name(&self) -> &str {
        "counting"
    }

    fn caps(&self) -> Caps {
        let mut caps = self.inner.caps();
        if self.watch.lacks_tight_alignment.load(Ordering::SeqCst) {
            caps.tight_alignment_tier = TightAlignmentTier::NotSupported;
        }
        caps
    }

    fn create_heap_and_resource(
        &self,
        heap: Option<CreateHeap<'_>>,
        resource: Option<CreateResource<'_>>,
    ) -> Result<HeapAndResource, DriverError> {
        let creation = self.watch.creations.fetch_add(1, Ordering::SeqCst) + 1;
        if creation == self.watch.failing_creation.load(Ordering::SeqCst) {
            return Err(no_memory("an object"));
        }
        if let Some(heap) = &heap {
            self.watch.told.lock().unwrap().push(HeapTold {
                size: heap.size,
                alignment: heap.alignment.bytes(),
                flags: heap.flags,
                implicit: heap.implicit,
                deny_demotion: heap.deny_demotion,
            });
        }
        let asks_resource = resource.is_some();
        let HeapAndResource { heap, .. } = self.inner.create_heap_and_resource(heap, resource)?;
        self.watch.heaps.fetch_add(i64::from(heap.is_some()), Ordering::SeqCst);
        self.watch.resources.fetch_add(i64::from(asks_resource), Ordering::SeqCst);
        let watched = |inner| -> Box<dyn DriverHeap> {
            Box::new(CountingHeap { inner, watch: Arc::clone(&self.watch) })
        };
        // This driver keeps count, and so is told of each end.
        let resource = asks_resource.then_some(DriverResource { private: [1, 0] });
        Ok(HeapAndResource { heap: heap.map(watched), resource })
    }

    fn destroy_heap_and_resource(&self, heap: Option<Box<dyn DriverHeap>>, resource: Option<DriverResource>) {
        self.watch.heaps.fetch_sub(i64::from(heap.is_some()), Ordering::SeqCst);
        self.watch.resources.fetch_sub(i64::from(resource.is_some()), Ordering::SeqCst);
        drop(heap);
    }

    fn check_subresource_info(
        &self,
        desc: &ResourceDesc,
        resource: Option<DriverResource>,
        subresource: u32,
    ) -> Option<SubresourceInfo> {
        self.inner.check_subresource_info(desc, resource, subresource)
    }

    fn surfaces(&self, desc: &ResourceDesc, resource: Option<DriverResource>) -> Option<Arc<[Surface]>> {
        self.inner.surfaces(desc, resource)
    }

    fn heap_paging(&self) -> Option<Box<dyn HeapPaging>> {
        let inner = self.inner.heap_paging()?;
        Some(Box::new(FailingPaging { inner, watch: Arc::clone(&self.watch) }))
    }

    fn create_device(&self) -> Result<Arc<dyn DriverDevice>, DriverError> {
        let inner = self.inner.create_device()?;
        Ok(if self.watch.panics.load(Ordering::SeqCst) { Arc::new(PanickingDevice { inner }) } else { inner })
    }
}

/// What pages heaps, and fails where a test wants it to.
struct FailingPaging {
    inner: Box<dyn HeapPaging>,
    watch: Arc<Watch>,
}

impl HeapPaging for FailingPaging {
    fn page(&mut self, operation: &PagingOperation) -> Result<(), DriverError> {
        let comes_in = match operation {
            PagingOperation::Transfer { from, .. } => *from == PagingPlace::BackingStore,
            PagingOperation::Fill { .. } => true,
            PagingOperation::Discard { .. } => false,
        };
        let fails = || {
            let failing = &self.watch.failing_page_ins;
            failing.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
        };
        if comes_in && fails() { Err(no_memory("a heap")) } else { self.inner.page(operation) }
    }

    fn statistics(&self) -> PagingStatistics {
        self.inner.statistics()
    }
}

/// A device whose queues panic when they are to execute.
struct PanickingDevice {
    inner: Arc<dyn DriverDevice>,
}

impl DriverDevice for PanickingDevice {
    fn map_heap(
        &self,
        address: GpuVirtualAddress,
        size: u64,
        heap: &dyn DriverHeap,
    ) -> Result<(), DriverError> {
        self.inner.map_heap(address, size, heap)
    }

    fn unmap_heap(&self, address: GpuVirtualAddress) {
        self.inner.unmap_heap(address);
    }

    fn reserve(
        &self,
        address: GpuVirtualAddress,
        tile_count: u32,
        null: NullTileAccess,
    ) -> Result<(), DriverError> {
        self.inner.reserve(address, tile_count, null)
    }

    fn release(&self, address: GpuVirtualAddress) {
        self.inner.release(address);
    }

    fn shows(&self, resource: GpuVirtualAddress, heap: GpuVirtualAddress) -> bool {
        self.inner.shows(resource, heap)
    }

    fn shown(&self, resource: GpuVirtualAddress) -> Vec<GpuVirtualAddress> {
        self.inner.shown(resource)
    }

    fn set_resident(&self, heap: GpuVirtualAddress, is_resident: bool) {
        self.inner.set_resident(heap, is_resident);
    }

    fn translate(&self, address: GpuVirtualAddress) -> Option<Translation> {
        self.inner.translate(address)
    }

    fn create_queue(&self, _desc: &DriverQueueDesc) -> Result<Box<dyn DriverQueue>, DriverError> {
        Ok(Box::new(PanickingQueue))
    }
}

struct PanickingQueue;

impl DriverQueue for PanickingQueue {
    fn execute(&mut self, _: &DmaBuffer, _: &mut Cursor, _: ExecuteLimit) -> Result<(), EngineFault> {
        panic!("the test wants it so")
    }

    fn update_tile_mappings(&mut self, _: GpuVirtualAddress, _: &[TileRun]) -> Result<(), EngineFault> {
        panic!("the test wants it so")
    }

    fn copy_tile_mappings(
        &mut self,
        _: GpuVirtualAddress,
        _: GpuVirtualAddress,
        _: &[TileCopyRun],
    ) -> Result<(), EngineFault> {
        panic!("the test wants it so")
    }

    fn statistics(&self) -> QueueStatistics {
        QueueStatistics::default()
    }

    fn time_ns(&self) -> u64 {
        0
    }

    fn wait_until(&mut self, _: u64) {}
}

impl DriverHeap for CountingHeap {
    fn map(&self) -> Result<Option<NonNull<u8>>, DriverError> {
        let fails = self
            .watch
            .failing_maps
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if fails.is_ok() {
            return Err(no_memory("a mapping"));
        }
        let pointer = self.inner.map()?;
        self.watch.mapped.fetch_add(1, Ordering::SeqCst);
        Ok(pointer)
    }

    fn unmap(&self) {
        self.watch.mapped.fetch_sub(1, Ordering::SeqCst);
        self.inner.unmap();
    }

    fn read(&self, offset: u64, to: &mut [u8]) -> Result<(), DriverError> {
        self.inner.read(offset, to)
    }

    fn write(&self, offset: u64, from: &[u8]) -> Result<(), DriverError> {
        self.inner.write(offset, from)
    }

    fn read_box(&self, from: &SurfaceBox<'_>, to: &mut [u8], pitches: RowPitches) -> Result<(), DriverError> {
        self.inner.read_box(from, to, pitches)
    }

    fn write_box(&self, to: &SurfaceBox<'_>, from: &[u8], pitches: RowPitches) -> Result<(), DriverError> {
        self.inner.write_box(to, from, pitches)
    }

    fn backing(&self) -> Backing {
        self.inner.backing()
    }

    fn enter_paging(&self, key: AllocationKey) {
        self.inner.enter_paging(key);
    }

    fn as_any(&self) -> &dyn Any {
        self.inner.as_any()
    }
}
