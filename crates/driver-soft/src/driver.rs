//! The driver and its factory.

use core::any::Any;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use heapstone_driver::cost::CostModel;
use heapstone_driver::engine::{DriverDevice, DriverQueueDesc};
use heapstone_driver::paging::{HeapPaging, PagingEngine, PatchedQueue};
use heapstone_driver::{
    Backing, CreateHeap, CreateResource, Driver, DriverError, DriverFactory, DriverHeap, DriverResource,
    HeapAndResource, OpenAdapter, ResourcePlace,
};
use heapstone_kernel::Allocation;
use heapstone_layout::swizzle::Surface;
use heapstone_layout::{
    DriverAllocationInfo, LayoutRules, ProfileSizer, ResourceSizer, SubresourceInfo, subresource_info,
    surfaces,
};
use heapstone_spec::profile::{Caps, Engines};
use heapstone_spec::{CpuPageProperty, HeapFlags, Profile, ResourceDesc, SdkVersion};
use heapstone_units::{Alignment, ByteRange};

use crate::bytes::{Access, ExistingMemory, in_address_space};
use crate::device::{DeviceShared, SoftDevice};
use crate::heap::PhantomHeap;
use crate::host::{OwnHeap, Segment};
use crate::paged::{PagedHeap, PagedHeaps, SoftHeapPaging};
use crate::paging::SoftPagingEngine;
use crate::physical::PhysicalMemory;
use crate::queue::SoftPatchedQueue;
use crate::shared::{SharedHeap, SharedHeaps};

/// How the software driver behaves beyond what the interface asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoftDriverOptions {
    /// Poison memory that belongs to no heap: with backing Host an access through a stale pointer, or
    /// past the end of a heap's pages, faults at once instead of reading zeros or another heap's bytes.
    /// Chosen over filling with a pattern, because pages go back to the system with their heap,
    /// and a pattern in them would be seen by nobody. Costs a system call when a heap is first touched,
    /// and one when a touched heap is destroyed.
    pub poison: bool,
    /// Whether the bytes of heaps follow what the memory manager decides.
    pub paging_bytes: PagingBytes,
}

/// Whether the bytes of a heap move when it is evicted, demoted, or made resident.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PagingBytes {
    /// They stay where they were when the heap was created: residency is a matter of numbers alone, and costs no more.
    InPlace,
    /// They move, with backing Host: of an evicted heap to a copy that the GPU does not reach, and its pages go; of a
    /// moved one to where the memory manager placed it. Heaps that the CPU can access, that are shared, or are memory of the
    /// program's stay where they are, as their pages are system memory.
    Moved,
}

impl Default for SoftDriverOptions {
    /// Poison where debug assertions are on; bytes stay in place.
    fn default() -> Self {
        SoftDriverOptions { poison: cfg!(debug_assertions), paging_bytes: PagingBytes::InPlace }
    }
}

/// Opens [`SoftDriver`]s.
#[derive(Clone, Copy, Debug, Default)]
pub struct SoftDriverFactory {
    /// For every driver that it opens.
    pub options: SoftDriverOptions,
}

impl DriverFactory for SoftDriverFactory {
    fn open(&self, adapter: OpenAdapter) -> Result<Arc<dyn Driver>, DriverError> {
        Ok(Arc::new(SoftDriver::new(adapter, self.options)))
    }
}

/// The software driver of one adapter. The kernel's segments are the profile's, in the profile's order.
#[derive(Debug)]
pub struct SoftDriver {
    rules: LayoutRules,
    sizer: ProfileSizer,
    backing: Backing,
    segments: Arc<[Segment]>,
    /// `None`: heaps stay where they are.
    paged: Option<Arc<PagedHeaps>>,
    shared: Arc<SharedHeaps>,
    cost: Arc<CostModel>,
    node_count: u32,
    engines: Engines,
    physical: Arc<PhysicalMemory>,
}

impl SoftDriver {
    /// A driver for the adapter. It serves every profile, and has no memory until a heap is created.
    #[must_use]
    pub fn new(adapter: OpenAdapter, options: SoftDriverOptions) -> SoftDriver {
        let OpenAdapter { profile, backing } = adapter;
        // A driver does not know the SDK of the program; versions differ in rules, not in layouts.
        let rules = LayoutRules::new(&profile, SdkVersion::LATEST);
        let segments = segments(&profile, if options.poison { Access::Closed } else { Access::Open });
        let moves = options.paging_bytes == PagingBytes::Moved && backing == Backing::Host;
        // No bound: what the system has.
        let paged = moves.then(|| Arc::new(PagedHeaps::new(Arc::clone(&segments), u64::MAX)));
        SoftDriver {
            rules,
            sizer: ProfileSizer { rules },
            backing,
            segments,
            paged,
            shared: Arc::default(),
            cost: Arc::new(CostModel::new(&profile)),
            node_count: profile.memory.node_count,
            engines: profile.engines,
            physical: Arc::new(PhysicalMemory::new(
                profile.memory.segments.iter().map(|segment| segment.size),
                backing,
                options.poison,
            )),
        }
    }

    fn create_heap(&self, heap: &CreateHeap<'_>) -> Result<Box<dyn DriverHeap>, DriverError> {
        let segment = heap.allocation.segment().index();
        match self.backing {
            Backing::Phantom => Ok(Box::new(PhantomHeap::new(segment))),
            Backing::Shared => Ok(Box::new(self.shared.create(heap.size, segment)?)),
            Backing::Host if heap.flags.contains(HeapFlags::SHARED) => {
                Ok(Box::new(self.shared.create(heap.size, segment)?))
            }
            Backing::Host => self.create_host_heap(heap),
        }
    }

    #[inline]
    fn create_host_heap(&self, heap: &CreateHeap<'_>) -> Result<Box<dyn DriverHeap>, DriverError> {
        let CreateHeap { size, allocation, .. } = *heap;
        let segment = self.segments.get(allocation.segment().index());
        let segment = segment.ok_or_else(|| no_such_place(heap, "the profile has no such segment"))?;
        if size > allocation.size() {
            return Err(no_such_place(heap, "the allocation is smaller"));
        }
        let size_in_memory = in_address_space(size, "a heap")?;
        let room = in_address_space(allocation.size(), "a heap")?;
        if let Some(paged) = &self.paged
            && heap.cpu_page_property == CpuPageProperty::NotAvailable
        {
            return Ok(Box::new(PagedHeap::new(paged, allocation, size_in_memory, room)));
        }
        let own = || Box::new(OwnHeap::new(size_in_memory, room, allocation.segment().index()));
        let Some(place) = single_range(allocation) else {
            return Ok(own());
        };
        if place.end > segment.size() {
            return Err(no_such_place(heap, "it does not lie in the segment"));
        }
        Ok(match segment.heap(place, size_in_memory) {
            Some(heap) => Box::new(heap),
            None => own(),
        })
    }
}

impl ResourceSizer for SoftDriver {
    fn check_resource_allocation_info(
        &self,
        desc: &ResourceDesc,
        alignment_restriction: Alignment,
    ) -> Option<DriverAllocationInfo> {
        self.sizer.check_resource_allocation_info(desc, alignment_restriction)
    }
}

impl Driver for SoftDriver {
    fn name(&self) -> &str {
        "software"
    }

    /// All that the profile asks for.
    fn caps(&self) -> Caps {
        self.rules.caps
    }

    /// The driver remembers nothing of a resource: all that it tells of one follows from the
    /// description, which each call hands it. So it makes no [`DriverResource`].
    fn create_heap_and_resource(
        &self,
        heap: Option<CreateHeap<'_>>,
        resource: Option<CreateResource<'_>>,
    ) -> Result<HeapAndResource, DriverError> {
        if heap.is_none() && matches!(resource, Some(CreateResource { place: ResourcePlace::WithHeap, .. })) {
            return Err(DriverError::Unsupported {
                what: "a resource at offset 0 of the heap of the same call, which creates none".to_owned(),
            });
        }
        let heap = heap.map(|heap| self.create_heap(&heap)).transpose()?;
        Ok(HeapAndResource { heap, resource: None })
    }

    fn destroy_heap_and_resource(&self, heap: Option<Box<dyn DriverHeap>>, _: Option<DriverResource>) {
        drop(heap);
    }

    fn check_subresource_info(
        &self,
        desc: &ResourceDesc,
        _: Option<DriverResource>,
        subresource: u32,
    ) -> Option<SubresourceInfo> {
        subresource_info(&self.rules, desc, subresource)
    }

    fn surfaces(&self, desc: &ResourceDesc, _: Option<DriverResource>) -> Option<Arc<[Surface]>> {
        surfaces(&self.rules, desc).map(Arc::from)
    }

    fn share_heap(&self, heap: &dyn DriverHeap) -> Result<OwnedFd, DriverError> {
        self.shared.handle(heap)
    }

    /// With phantom backing too: the bytes are there, in the file.
    fn open_shared_heap(
        &self,
        heap: &CreateHeap<'_>,
        file: OwnedFd,
    ) -> Result<Box<dyn DriverHeap>, DriverError> {
        Ok(Box::new(self.shared.open(file, heap.size, heap.allocation.segment().index())?))
    }

    /// `memory` is an [`ExistingMemory`]. With phantom backing too: the bytes are there.
    fn open_existing_heap(
        &self,
        heap: &CreateHeap<'_>,
        memory: Box<dyn Any + Send + Sync>,
    ) -> Result<Box<dyn DriverHeap>, DriverError> {
        let memory = memory.downcast::<ExistingMemory>().map_err(|_| DriverError::Unsupported {
            what: "a heap of existing memory that is no ExistingMemory of this driver".to_owned(),
        })?;
        let segment = heap.allocation.segment().index();
        Ok(Box::new(SharedHeap::of_existing(*memory, heap.size, segment)?))
    }

    fn create_device(&self) -> Result<Arc<dyn DriverDevice>, DriverError> {
        Ok(Arc::new(SoftDevice::new(Arc::clone(&self.cost), self.node_count, self.engines)))
    }

    fn create_paging_engine(&self) -> Result<Box<dyn PagingEngine>, DriverError> {
        Ok(Box::new(SoftPagingEngine::new(Arc::clone(&self.physical), Arc::clone(&self.cost))))
    }

    fn heap_paging(&self) -> Option<Box<dyn HeapPaging>> {
        let heaps = Arc::clone(self.paged.as_ref()?);
        Some(Box::new(SoftHeapPaging::new(heaps, Arc::clone(&self.cost))))
    }

    fn create_patched_queue(&self, desc: &DriverQueueDesc) -> Result<Box<dyn PatchedQueue>, DriverError> {
        // It has no addresses: its directory stays empty.
        let device = Arc::new(DeviceShared::new(Arc::clone(&self.cost), self.node_count, self.engines));
        device.check_node(desc)?;
        Ok(Box::new(SoftPatchedQueue::new(device, Arc::clone(&self.physical))))
    }
}

fn segments(profile: &Profile, access: Access) -> Arc<[Segment]> {
    let segments = profile.memory.segments.iter().enumerate();
    segments.map(|(index, segment)| Segment::new(index, segment.size, access)).collect()
}

/// The allocation's range in its segment; `None` where it is scattered over several.
fn single_range(allocation: &Allocation) -> Option<ByteRange> {
    let mut ranges = allocation.physical_ranges();
    let first = ranges.next()?;
    ranges.next().is_none().then_some(first)
}

#[cold]
fn no_such_place(heap: &CreateHeap<'_>, reason: &str) -> DriverError {
    let ranges: Vec<String> = heap.allocation.physical_ranges().map(|range| range.to_string()).collect();
    DriverError::Unsupported {
        what: format!(
            "a heap of {} bytes in an allocation of {} bytes at {} of segment {}: {reason}",
            heap.size,
            heap.allocation.size(),
            ranges.join(", "),
            heap.allocation.segment().index()
        ),
    }
}
