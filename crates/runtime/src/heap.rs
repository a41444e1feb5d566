//! Heaps: the public handle, and the memory that explicit and implicit heaps have in common.

use core::fmt;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::Arc;

use heapstone_driver::{DriverError, DriverHeap};
use heapstone_kernel::{Allocation, Process};
use heapstone_spec::{HeapDesc, HeapFlags, HeapProperties, SegmentGroup};
use heapstone_units::{Alignment, ByteRange, GpuVirtualAddress};
use parking_lot::Mutex;

use crate::address::deleted_in_use;
use crate::device::{DeviceInner, DeviceRef};
use crate::gpu::{Gpu, Residence};
use crate::object::{Labels, shared_object};
use crate::observer::{Call, ObjectId};
use crate::paging::Naming;
use crate::validate::heap::ResolvedHeap;

/// A heap: physical memory, and the addresses it takes (spec/2-resource-heaps.txt 61-69, 1641-1642).
#[derive(Clone)]
pub struct Heap {
    pub(crate) inner: Arc<HeapInner>,
}

pub(crate) struct HeapInner {
    pub(crate) device: DeviceRef,
    pub(crate) core: HeapCore,
    /// As GetDesc tells it: alignment and node masks are filled in.
    pub(crate) desc: HeapDesc,
    pub(crate) id: ObjectId,
    pub(crate) labels: Labels,
}

/// The memory of an explicit or implicit heap.
///
/// ```text
///   HeapCore
///     |-- Allocation          the kernel's: ranges of a segment, addresses
///     '-- Box<dyn DriverHeap> the driver's: bytes, or none
/// ```
/// Both are given back by [`HeapCore::release`], which its owner calls when it drops: it has no device
/// of its own to give them back to.
pub(crate) struct HeapCore {
    allocation: Option<Allocation>,
    driver: Option<Box<dyn DriverHeap>>,
    pub(crate) resolved: ResolvedHeap,
    /// What the resources in it may reach: the size asked, in whole pages.
    pub(crate) usable_size: u64,
    mapping: HeapMapping,
    residence: Residence,
    pub(crate) naming: Naming,
}

/// The driver's mapping: made at the first Map of a resource in the heap and kept until the heap dies.
/// Chosen, because spec/2-resource-heaps.txt 249 wants redundant calls into the driver avoided, and
/// the address never changes; Map and Unmap then cost one atomic operation each.
struct HeapMapping {
    is_known: AtomicBool,
    pointer: AtomicPtr<u8>,
    /// Held while the driver is asked, so that it is asked once (spec/2-resource-heaps.txt 249).
    asking: Mutex<()>,
}

impl HeapCore {
    pub(crate) fn new(
        allocation: Allocation,
        driver: Box<dyn DriverHeap>,
        resolved: ResolvedHeap,
        usable_size: u64,
    ) -> HeapCore {
        let mapping = HeapMapping {
            is_known: AtomicBool::new(false),
            pointer: AtomicPtr::new(ptr::null_mut()),
            asking: Mutex::new(()),
        };
        HeapCore {
            allocation: Some(allocation),
            driver: Some(driver),
            resolved,
            usable_size,
            mapping,
            residence: Residence::new(),
            naming: Naming::default(),
        }
    }

    pub(crate) fn allocation(&self) -> &Allocation {
        self.allocation.as_ref().expect("invariant: a heap has its memory until it is released")
    }

    pub(crate) fn driver(&self) -> &dyn DriverHeap {
        &**self.driver.as_ref().expect("invariant: a heap has its driver's part until it is released")
    }

    pub(crate) fn gpu_virtual_address(&self) -> GpuVirtualAddress {
        self.allocation().virtual_address().expect("invariant: every heap is allocated with addresses")
    }

    /// The addresses that it takes.
    pub(crate) fn addresses(&self) -> ByteRange {
        ByteRange::at(self.gpu_virtual_address().0, self.allocation().size())
            .expect("invariant: the kernel gave the addresses out")
    }

    /// The address of the first byte; `None` where the backing has no bytes.
    pub(crate) fn map(&self) -> Result<Option<NonNull<u8>>, DriverError> {
        if !self.mapping.is_known.load(Ordering::Acquire) {
            self.map_first()?;
        }
        Ok(NonNull::new(self.mapping.pointer.load(Ordering::Relaxed)))
    }

    /// Of threads that come here together the first asks, and the others find what it was told.
    #[cold]
    fn map_first(&self) -> Result<(), DriverError> {
        let _asking = self.mapping.asking.lock();
        if self.mapping.is_known.load(Ordering::Relaxed) {
            return Ok(());
        }
        let pointer = self.driver().map()?;
        self.mapping.pointer.store(pointer.map_or(ptr::null_mut(), NonNull::as_ptr), Ordering::Relaxed);
        self.mapping.is_known.store(true, Ordering::Release);
        Ok(())
    }

    /// Shows the heap's bytes at its addresses, where they are not shown yet: the GPU is about to use it.
    pub(crate) fn make_resident(&self, gpu: &Gpu) -> Result<(), DriverError> {
        self.residence.enter(|| {
            gpu.driver.map_heap(self.gpu_virtual_address(), self.allocation().size(), self.driver())
        })
    }

    /// Its allocation, for the memory manager to know: what it knows it may move.
    #[inline]
    pub(crate) fn named(&self, process: &Process) -> &Allocation {
        let allocation = self.allocation();
        // The driver knows it before an operation can name it.
        self.naming.enter(|flights| self.driver().enter_paging(process.make_known(allocation, flights)));
        allocation
    }

    /// Gives everything back.
    pub(crate) fn release(&mut self, device: &DeviceInner) {
        if let Some(heap) = self.driver.take() {
            if self.residence.is_resident()
                && let Some(gpu) = device.gpu.made()
            {
                gpu.driver.unmap_heap(self.gpu_virtual_address());
            }
            if *self.mapping.is_known.get_mut() {
                heap.unmap();
            }
            device.adapter.driver.destroy_heap_and_resource(Some(heap), None);
        }
        if let Some(allocation) = self.allocation.take() {
            device.atomics.discharge(self.resolved.deny_demotion, allocation.size());
            device.process.free(allocation);
        }
    }
}

impl Heap {
    /// ID3D12Heap::GetDesc: as created, with the alignment and node masks of 0 filled in.
    #[must_use]
    pub fn desc(&self) -> HeapDesc {
        self.inner.desc
    }

    /// A number that all handles of one heap have in common, and no other heap's while it lives.
    #[must_use]
    pub fn identity(&self) -> usize {
        Arc::as_ptr(&self.inner).addr()
    }

    /// How many handles there are of it: this one and its clones, one of each resource that is placed in it, and those of
    /// GPU work in flight.
    #[must_use]
    pub fn handle_count(&self) -> usize {
        Arc::strong_count(&self.inner)
    }

    /// Bytes that the kernel committed: the size in whole pages.
    #[must_use]
    pub fn committed_size(&self) -> u64 {
        self.inner.core.allocation().size()
    }

    /// The segment group that its bytes count in.
    #[must_use]
    pub fn segment_group(&self) -> SegmentGroup {
        self.inner.device.segment_group_of(self.inner.core.allocation())
    }

    /// Whether it asked for video memory and lies in system memory.
    #[must_use]
    pub fn is_demoted(&self) -> bool {
        self.inner.core.allocation().is_demoted()
    }

    /// Ranges of its segment where it lies, in bytes from the segment's base; more than one where it is
    /// scattered.
    pub fn physical_ranges(&self) -> impl Iterator<Item = heapstone_units::ByteRange> + '_ {
        self.inner.core.allocation().physical_ranges()
    }

    /// The first GPU virtual address that the heap takes. D3D12 does not tell it; tools want it.
    #[must_use]
    pub fn gpu_virtual_address(&self) -> GpuVirtualAddress {
        self.inner.core.gpu_virtual_address()
    }

    /// Page property, pool and nodes, with UNKNOWN resolved to what the heap type stands for.
    #[must_use]
    pub fn resolved_properties(&self) -> HeapProperties {
        self.inner.core.resolved.properties
    }
}

shared_object!(Heap);

impl fmt::Debug for Heap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Heap")
            .field("id", &self.inner.id)
            .field("desc", &self.inner.desc)
            .finish_non_exhaustive()
    }
}

impl HeapInner {
    /// Tells an observer where work in flight refers to tiles that show the heap: it goes all the same, as a mapping
    /// keeps no heap alive, and the work will fault. Tiles show what they show now: mappings that are pending
    /// hold their heap.
    fn tell_if_shown(&self) {
        let Some(gpu) = self.device.gpu.made().filter(|_| self.device.is_observed()) else { return };
        let heap = self.core.gpu_virtual_address();
        let is_shown = |resource: &GpuVirtualAddress| gpu.driver.shows(*resource, heap);
        if self.device.tiles_in_flight.resources().iter().any(is_shown) {
            self.device.notice(|| deleted_in_use(self.id));
        }
    }
}

impl Drop for HeapInner {
    fn drop(&mut self) {
        self.tell_if_shown();
        self.device.observe(|| Call::Destroy { object: self.id });
        self.device.addresses.remove(self.core.addresses());
        self.core.release(&self.device);
    }
}

impl HeapCore {
    pub(crate) fn alignment(&self) -> Alignment {
        self.resolved.alignment
    }

    pub(crate) fn flags(&self) -> HeapFlags {
        self.resolved.flags
    }
}
