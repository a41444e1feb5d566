//! The device driver interface: what the runtime asks of any driver, in the shape of the user-mode
//! DDI of spec/2-resource-heaps.txt 431-845.
//!
//! ```text
//!   runtime (validation, objects, lifetimes)
//!      |  asks kernel for physical ranges and addresses, then
//!      v
//!   trait Driver ---- check_resource_allocation_info   how large, how aligned, which pattern
//!      |          ---- create_heap_and_resource        one call for heap, resource or both
//!      |          ---- destroy_heap_and_resource
//!      |          ---- check_subresource_info          where a subresource lies in its resource
//!      |          ---- caps                            what it can do
//!      v
//!   trait DriverHeap -- map / unmap / read / write     the bytes
//!      |             '- read_box / write_box            the same of a texture, in rows
//!   trait DriverDevice, DriverQueue                    addresses and engines: [`engine`]
//!   trait HeapPaging                                   heaps whose bytes move: [`paging`]
//!   trait PagingEngine, PatchedQueue                   paging, engines without virtual addresses: [`paging`]
//!      '---- dma                                       what engines run: [`dma`]
//! ```
//!
//! Policy stands above this seam: a driver is handed only what the runtime found legal and the
//! kernel placed, so that no driver repeats a rule. In WDDM a driver allocates through a callback
//! into the runtime from inside CreateHeapAndResource (spec/2-resource-heaps.txt 477); here the
//! runtime allocates first and hands the [`Allocation`] in, so that undoing a failure is the
//! runtime's business alone.
#![forbid(unsafe_code)]

pub mod cost;
pub mod dma;
pub mod engine;
pub mod paging;

use core::any::Any;
use core::fmt;
use core::ptr::NonNull;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use heapstone_kernel::{Allocation, AllocationKey};
use heapstone_layout::swizzle::Surface;
use heapstone_layout::{DriverAllocationInfo, ResourceSizer, SubresourceInfo};
use heapstone_spec::profile::Caps;
use heapstone_spec::{ClearValue, CpuPageProperty, HeapFlags, MemoryPool, Profile, ResourceDesc};
use heapstone_units::{Alignment, ByteRange};

use engine::{DriverDevice, DriverQueueDesc, RowPitches, SurfaceBox};
use paging::{HeapPaging, PagingEngine, PatchedQueue};

/// Where the bytes of a heap are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Backing {
    /// Memory of this process, committed when first touched.
    #[default]
    Host,
    /// A memory file that other processes can map; heaps created SHARED have it under `Host` too.
    Shared,
    /// Nowhere: sizes, placement and addresses only, so that 24 GB replay on a laptop.
    Phantom,
}

/// What a driver needs to know to open an adapter.
#[derive(Clone, Debug)]
pub struct OpenAdapter {
    /// The adapter.
    pub profile: Arc<Profile>,
    /// Where its heaps' bytes are to be.
    pub backing: Backing,
}

/// Opens drivers: the one thing that a program names of a concrete driver.
pub trait DriverFactory: Send + Sync {
    /// Opens a driver for the adapter.
    ///
    /// # Errors
    /// Where the driver cannot serve the profile, or the world gives it no memory.
    fn open(&self, adapter: OpenAdapter) -> Result<Arc<dyn Driver>, DriverError>;
}

/// Why a driver failed. A driver is never handed what is illegal; what is left is the world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DriverError {
    /// The system gave no memory.
    OutOfMemory {
        /// What for.
        what: &'static str,
        /// Bytes asked for.
        size: u64,
        /// The system's word.
        reason: String,
    },
    /// The driver does not do this.
    Unsupported {
        /// What it does not do.
        what: String,
    },
    /// The heap has no bytes (phantom backing).
    NoBytes,
    /// A range of bytes outside the heap.
    OutOfRange {
        /// The range asked for, in bytes of the heap.
        range: ByteRange,
        /// The heap's size in bytes.
        size: u64,
    },
    /// The heap is evicted: its bytes are in no segment.
    NotResident,
}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DriverError::OutOfMemory { what, size, reason } => {
                write!(f, "no memory for {what} ({size} bytes): {reason}")
            }
            DriverError::Unsupported { what } => write!(f, "the driver does not do {what}"),
            DriverError::NoBytes => f.write_str("the heap has no bytes: its backing is phantom"),
            DriverError::OutOfRange { range, size } => {
                write!(f, "bytes {range} do not lie in a heap of {size} bytes")
            }
            DriverError::NotResident => f.write_str("the heap is evicted: its bytes are in no segment"),
        }
    }
}

impl core::error::Error for DriverError {}

/// Bytes at the end of a shared heap's file that describe what is shared: chosen, because a handle must carry the
/// description (spec/2-resource-heaps.txt 90), and a page keeps it apart from what is mapped.
pub const SHARED_DESCRIPTION_SIZE: u64 = 4096;

/// D3D12DDIARG_CREATEHEAP (spec/2-resource-heaps.txt 455-462, 469-477): a heap that the runtime found
/// legal and the kernel placed.
#[derive(Clone, Copy, Debug)]
pub struct CreateHeap<'a> {
    /// In bytes.
    pub size: u64,
    /// In bytes; 4 KiB for implicit heaps of tightly aligned resources, else 64 KiB or 4 MiB.
    pub alignment: Alignment,
    /// L0 or L1, never UNKNOWN.
    pub memory_pool: MemoryPool,
    /// NOT_AVAILABLE, WRITE_COMBINE or WRITE_BACK, never UNKNOWN.
    pub cpu_page_property: CpuPageProperty,
    /// The API's flags; DENY flags are hints to the driver.
    pub flags: HeapFlags,
    /// D3D12DDI_HEAP_FLAG_0115_IMPLICIT: the heap of a committed resource (spec/1, Addendum).
    pub implicit: bool,
    /// The driver must not let it be demoted to system memory: an ALLOW_SHADER_ATOMICS heap in L1
    /// that a peer sees (spec/2-resource-heaps.txt 1515-1519).
    pub deny_demotion: bool,
    /// Where the kernel placed it.
    pub allocation: &'a Allocation,
}

/// D3D12DDIARG_CREATERESOURCE (spec/2-resource-heaps.txt 566-582).
#[derive(Clone, Copy, Debug)]
pub struct CreateResource<'a> {
    /// The description; mip levels are resolved. The alignment is `info`'s.
    pub desc: &'a ResourceDesc,
    /// What [`ResourceSizer::check_resource_allocation_info`] answered for it.
    pub info: &'a DriverAllocationInfo,
    /// The optimised clear value.
    pub clear_value: Option<&'a ClearValue>,
    /// Where it lies.
    pub place: ResourcePlace<'a>,
}

/// Where a resource lies (spec/2-resource-heaps.txt 646-663).
#[derive(Clone, Copy)]
pub enum ResourcePlace<'a> {
    /// At offset 0 of the heap that the same call creates.
    WithHeap,
    /// In an existing heap.
    InHeap {
        /// The heap.
        heap: &'a dyn DriverHeap,
        /// In bytes from the heap's start.
        offset: u64,
    },
    /// Nowhere: addresses only.
    Reserved,
}

impl fmt::Debug for ResourcePlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResourcePlace::WithHeap => f.write_str("WithHeap"),
            ResourcePlace::InHeap { offset, .. } => write!(f, "InHeap({offset})"),
            ResourcePlace::Reserved => f.write_str("Reserved"),
        }
    }
}

/// The words that the runtime keeps in each resource for the driver, as
/// pfnCalcPrivateHeapAndResourceSizes asks it to (spec/2-resource-heaps.txt 605-614): no allocation
/// for a resource that the driver has little to remember of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DriverResource {
    /// The driver's own.
    pub private: [u64; 2],
}

/// What [`Driver::create_heap_and_resource`] made.
pub struct HeapAndResource {
    /// There where a heap was asked for.
    pub heap: Option<Box<dyn DriverHeap>>,
    /// There where a resource was asked for of which the driver keeps something: it is told of the
    /// resource's end then.
    pub resource: Option<DriverResource>,
}

/// A driver's heap. Dropping it without [`Driver::destroy_heap_and_resource`] leaks nothing: the
/// call exists for the driver's own bookkeeping.
pub trait DriverHeap: Any + Send + Sync {
    /// MapHeap (spec/2-resource-heaps.txt 527-540): the address of the heap's first byte, the same
    /// for as long as the heap lives. `Ok(None)`: the backing has no bytes.
    ///
    /// # Errors
    /// Where the system gives no memory.
    fn map(&self) -> Result<Option<NonNull<u8>>, DriverError>;

    /// UnmapHeap: the runtime needs the address no longer.
    fn unmap(&self);

    /// Copies the bytes at `offset` out of the heap, as the paging and copy engines do.
    ///
    /// # Errors
    /// [`DriverError::NoBytes`], [`DriverError::OutOfRange`], [`DriverError::NotResident`]; nothing is copied then.
    fn read(&self, offset: u64, to: &mut [u8]) -> Result<(), DriverError>;

    /// Copies bytes into the heap at `offset`.
    ///
    /// # Errors
    /// As [`DriverHeap::read`].
    fn write(&self, offset: u64, from: &[u8]) -> Result<(), DriverError>;

    /// Copies a box of a texture in the heap into rows (ReadFromSubresource). `to` holds the box's rows and
    /// slices at their pitches, the last row without padding; the runtime checked it.
    ///
    /// # Errors
    /// As [`DriverHeap::read`].
    fn read_box(&self, from: &SurfaceBox<'_>, to: &mut [u8], pitches: RowPitches) -> Result<(), DriverError>;

    /// Copies rows into a box of a texture in the heap (WriteToSubresource).
    ///
    /// # Errors
    /// As [`DriverHeap::read`].
    fn write_box(&self, to: &SurfaceBox<'_>, from: &[u8], pitches: RowPitches) -> Result<(), DriverError>;

    /// Where its bytes are.
    fn backing(&self) -> Backing;

    /// The memory manager may move the heap from now on, and place others where it was; it calls it `key` in paging
    /// operations. A driver that does not carry them out ([`Driver::heap_paging`]) and whose bytes lie where heaps are
    /// placed keeps others off them. Called once, before the first move.
    fn enter_paging(&self, key: AllocationKey) {
        let _ = key;
    }

    /// Itself, for the driver to know its own heaps by.
    fn as_any(&self) -> &dyn Any;
}

/// What the runtime asks of a driver. All methods may be called by many threads at once
/// (spec/2-resource-heaps.txt 467, 647).
pub trait Driver: ResourceSizer + Send + Sync {
    /// The driver's name, for reports.
    fn name(&self) -> &str;

    /// What it can do on this adapter, as pfnGetCaps tells (spec/2-resource-heaps.txt 413-430; spec/1,
    /// DDI): mostly the profile's capabilities, or fewer. The
    /// runtime refuses by these; together with the rest of the profile they must make sense.
    fn caps(&self) -> Caps;

    /// Creates a heap, a resource in an existing heap, a reserved resource, or heap and resource
    /// together. All or nothing.
    ///
    /// # Errors
    /// Where the world fails; nothing is created then.
    fn create_heap_and_resource(
        &self,
        heap: Option<CreateHeap<'_>>,
        resource: Option<CreateResource<'_>>,
    ) -> Result<HeapAndResource, DriverError>;

    /// Destroys what the call above made, together or apart; not called for a resource alone of which the
    /// driver keeps nothing. The memory is free at once: no
    /// destruction is deferred (spec/2-resource-heaps.txt 949-951).
    fn destroy_heap_and_resource(&self, heap: Option<Box<dyn DriverHeap>>, resource: Option<DriverResource>);

    /// CheckSubresourceInfo (spec/2-resource-heaps.txt 777-794): where a subresource lies in its
    /// resource. `None`: there is no such subresource, or the layout has no strides to tell.
    fn check_subresource_info(
        &self,
        desc: &ResourceDesc,
        resource: Option<DriverResource>,
        subresource: u32,
    ) -> Option<SubresourceInfo>;

    /// Where all subresources of a texture lie and in which pattern, in their order: what pfnGetCaps
    /// (TEXTURE_LAYOUT, SWIZZLE_PATTERN) and CheckSubresourceInfo tell together
    /// (spec/2-resource-heaps.txt 1056-1459), so that the runtime and engines can reach its elements. `None`: the
    /// driver keeps it opaque, or it is a buffer.
    fn surfaces(&self, desc: &ResourceDesc, resource: Option<DriverResource>) -> Option<Arc<[Surface]>>;

    /// A handle of the file that holds a heap's bytes, for another process: the heap's bytes from offset 0 on, and
    /// in the last [`SHARED_DESCRIPTION_SIZE`] bytes room for whoever shares it to say what it is. Its size is sealed.
    /// The bytes live until the heap is destroyed and every handle is closed (spec/2-resource-heaps.txt 75-101).
    ///
    /// # Errors
    /// [`DriverError::Unsupported`] for a heap without such a file; where the process has no more handles.
    fn share_heap(&self, heap: &dyn DriverHeap) -> Result<OwnedFd, DriverError> {
        let what = format!("shared handles of a heap with backing {:?}", heap.backing());
        Err(DriverError::Unsupported { what })
    }

    /// A heap whose bytes are those of a file that [`Driver::share_heap`] gave out, here or in another process.
    ///
    /// # Errors
    /// [`DriverError::Unsupported`] where the driver cannot, or where the file is not as one that it made: the size,
    /// or no seals; where the system gives no memory.
    fn open_shared_heap(
        &self,
        heap: &CreateHeap<'_>,
        file: OwnedFd,
    ) -> Result<Box<dyn DriverHeap>, DriverError> {
        drop(file);
        Err(DriverError::Unsupported { what: format!("opening a shared heap of {} bytes", heap.size) })
    }

    /// A heap whose bytes are memory that the program has already (ID3D12Device3::OpenExistingHeapFromAddress). `memory` is
    /// of a type of the driver's own, of which its crate alone makes values.
    ///
    /// # Errors
    /// [`DriverError::Unsupported`] where the driver cannot, or where `memory` is of another type or too small.
    fn open_existing_heap(
        &self,
        heap: &CreateHeap<'_>,
        memory: Box<dyn Any + Send + Sync>,
    ) -> Result<Box<dyn DriverHeap>, DriverError> {
        drop(memory);
        Err(DriverError::Unsupported { what: format!("a heap of {} bytes of existing memory", heap.size) })
    }

    /// A device: an address space, whose addresses the runtime gives out.
    ///
    /// # Errors
    /// Where the system gives no memory.
    fn create_device(&self) -> Result<Arc<dyn DriverDevice>, DriverError>;

    /// The engine that moves bytes between segments, and pages for engines without virtual addresses.
    ///
    /// # Errors
    /// [`DriverError::Unsupported`] where the driver has none.
    fn create_paging_engine(&self) -> Result<Box<dyn PagingEngine>, DriverError> {
        Err(DriverError::Unsupported { what: "paging".to_owned() })
    }

    /// What pages the driver's heaps: one for each driver. `None`: their bytes stay where they are, and residency is a
    /// matter of numbers alone.
    fn heap_paging(&self) -> Option<Box<dyn HeapPaging>> {
        None
    }

    /// A queue on an engine without virtual addresses.
    ///
    /// # Errors
    /// [`DriverError::Unsupported`] where the driver has none, or no such segment.
    fn create_patched_queue(&self, _: &DriverQueueDesc) -> Result<Box<dyn PatchedQueue>, DriverError> {
        Err(DriverError::Unsupported { what: "engines without GPU virtual addresses".to_owned() })
    }
}
