//! CreateHeap and the three ways to create a resource (spec/2-resource-heaps.txt 61-64, 152-186).
//!
//! The order is the same in each: rules first, then the kernel's memory and addresses, then the
//! driver. What a later step refuses, the earlier ones get back.

use core::any::Any;
use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU64};
use std::os::fd::OwnedFd;
use std::sync::{Arc, OnceLock};

use heapstone_driver::{CreateHeap, CreateResource, DriverError, DriverHeap, DriverResource, ResourcePlace};
use heapstone_kernel::residency::{EvictFlags, InitialContent};
use heapstone_kernel::{Allocation, AllocationDesc, PageSize, Placement};
use heapstone_layout::{AllocationQuestion, DriverAllocationInfo, Purpose, legal_cast};
use heapstone_spec::rules::description as description_rules;
use heapstone_spec::{HeapDesc, HeapFlags, MemoryPool, ResourceDesc, Violation, limits};
use heapstone_units::{Alignment, GpuVirtualAddress};

use super::next_address::check_placed_address;
use super::{Device, DeviceInner};
use crate::address::MemoryReference;
use crate::desc::{Beginning, CommittedResourceDesc, PlacedResourceDesc, ReservedResourceDesc};
use crate::descriptor::KeptKey;
use crate::error::Error;
use crate::heap::{Heap, HeapCore, HeapInner};
use crate::object::Labels;
use crate::observer::{Call, ObjectId, Outcome};
use crate::resource::{KeptBeginning, Place, RareBeginning, Reservation, Resource, ResourceInner};
use crate::validate::heap::{ResolvedHeap, check_committed_atomics};
use crate::validate::placement::{check_heap_takes, check_place};

/// Bytes that are there before their heap is.
pub(crate) enum GivenBytes {
    /// A shared heap's file.
    File(OwnedFd),
    /// Memory of the program, as the driver takes it.
    Existing(Box<dyn Any + Send + Sync>),
}

/// 64 KiB: the page and the placement alignment of explicit heaps.
const DEFAULT_PAGE: Alignment = Alignment::constant(limits::DEFAULT_RESOURCE_ALIGNMENT);

/// `described!(let described = device.describe(desc, purpose))`: checks and sizes a description of a creation, or
/// returns the error. A macro, because what it borrows lives in the caller.
macro_rules! described {
    (let $described:ident = $device:ident.describe($desc:expr, $purpose:expr)) => {
        let mut resolved = None;
        let legal = legal_cast(
            &$device.layout_rules,
            &$desc.resource,
            $desc.castable_formats,
            $purpose,
            &mut resolved,
        )?;
        let rules = &$device.layout_rules;
        let question = AllocationQuestion::new(rules, legal, $purpose);
        let answer = $device.adapter.driver.check_resource_allocation_info(legal, question.restriction);
        let (size, alignment) = question.judge(rules, legal, $purpose, answer.as_ref())?;
        let driver = answer.as_ref().expect("invariant: no size follows from no answer");
        let $described = Described { desc: legal, driver, size, alignment };
    };
}

impl Device {
    /// ID3D12Device::CreateHeap 0 and 1: takes physical memory, and addresses for it
    /// (spec/2-resource-heaps.txt 61-64, 1641-1642).
    ///
    /// With CREATE_NOT_RESIDENT it takes addresses only, until it is made resident.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `heap.*`; [`Error::OutOfMemory`]; [`Error::Driver`].
    pub fn create_heap(&self, desc: &HeapDesc) -> Result<Heap, Error> {
        if !self.inner.is_observed() {
            return self.create_heap_unobserved(desc, None, ObjectId::default());
        }
        let id = self.inner.new_object();
        let result = self.create_heap_unobserved(desc, None, id);
        self.inner.observe(|| Call::CreateHeap { object: id, desc, outcome: outcome(&result) });
        result
    }

    /// ID3D12Device::CreateCommittedResource 0 to 3: a resource with an implicit heap of its own.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `resource.*`, `heap.*` or `placement.*`; [`Error::OutOfMemory`];
    /// [`Error::Driver`].
    pub fn create_committed_resource(&self, desc: &CommittedResourceDesc<'_>) -> Result<Resource, Error> {
        if !self.inner.is_observed() {
            return self.create_committed_unobserved(desc, None, ObjectId::default());
        }
        let id = self.inner.new_object();
        let result = self.create_committed_unobserved(desc, None, id);
        self.inner.observe(|| Call::CreateCommittedResource { object: id, desc, outcome: outcome(&result) });
        let heap_type = desc.heap_properties.heap_type;
        self.inner.notify(&desc.resource, desc.initial, Some(heap_type), &result);
        result
    }

    /// ID3D12Device::CreatePlacedResource 0 to 2: a resource at `offset` bytes of a heap. It keeps the heap
    /// alive. Resources may overlap.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `resource.*` or `placement.*`; [`Error::Driver`].
    pub fn create_placed_resource(
        &self,
        heap: &Heap,
        offset: u64,
        desc: &PlacedResourceDesc<'_>,
    ) -> Result<Resource, Error> {
        if !self.inner.is_observed() {
            return self.create_placed_unobserved(heap, offset, desc, ObjectId::default());
        }
        let id = self.inner.new_object();
        let result = self.create_placed_unobserved(heap, offset, desc, id);
        self.inner.observe(|| Call::CreatePlacedResource {
            object: id,
            heap: heap.id(),
            offset,
            desc,
            outcome: outcome(&result),
        });
        let heap_type = heap.inner.core.resolved.heap_type;
        self.inner.notify(&desc.resource, desc.initial, Some(heap_type), &result);
        result
    }

    /// ID3D12Device::CreateReservedResource 0 to 2: addresses without memory.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `resource.*` or `placement.*`; [`Error::OutOfMemory`] without addresses;
    /// [`Error::Driver`].
    pub fn create_reserved_resource(&self, desc: &ReservedResourceDesc<'_>) -> Result<Resource, Error> {
        if !self.inner.is_observed() {
            return self.create_reserved_unobserved(desc, ObjectId::default());
        }
        let id = self.inner.new_object();
        let result = self.create_reserved_unobserved(desc, id);
        self.inner.observe(|| Call::CreateReservedResource { object: id, desc, outcome: outcome(&result) });
        self.inner.notify(&desc.resource, desc.initial, None, &result);
        result
    }

    // Never inlined: called in tail position, it writes its result where the caller wants it.
    #[inline(never)]
    pub(super) fn create_heap_unobserved(
        &self,
        desc: &HeapDesc,
        given: Option<GivenBytes>,
        id: ObjectId,
    ) -> Result<Heap, Error> {
        let device = &*self.inner;
        device.gpu.removal.check()?;
        let (resolved, usable_size) = device.heap_rules().check_explicit(desc)?;
        let at = device.next_addresses.get();
        let allocation = device.allocate(&resolved, usable_size, PageSize::SixtyFourKib, at)?;
        device.check_faults()?;
        // What existing memory is said to be (facts/behaviour.md, Lists, queues, fences); handles of it there are none.
        let added_flags = match given {
            Some(GivenBytes::Existing(_)) => HeapFlags::SHARED | HeapFlags::SHARED_CROSS_ADAPTER,
            Some(GivenBytes::File(_)) | None => HeapFlags::empty(),
        };
        let (driver, _) =
            device.create_heap_in_driver(&resolved, usable_size, allocation_of(&allocation), None, given)?;
        let core = HeapCore::new(allocation.keep(), driver, resolved, usable_size);
        device.next_addresses.used(at);
        let desc = HeapDesc {
            properties: resolved.described(&desc.properties),
            alignment: resolved.alignment.bytes(),
            flags: desc.flags | added_flags,
            ..*desc
        };
        let addresses = core.addresses();
        let inner = HeapInner { device: self.reference(), core, desc, id, labels: Labels::default() };
        let inner = Arc::new(inner);
        device.addresses.insert(addresses, addresses.size(), MemoryReference::Heap(Arc::downgrade(&inner)));
        Ok(Heap { inner })
    }

    #[inline(never)]
    pub(crate) fn create_committed_unobserved(
        &self,
        desc: &CommittedResourceDesc<'_>,
        given: Option<GivenBytes>,
        id: ObjectId,
    ) -> Result<Resource, Error> {
        let device = &*self.inner;
        device.gpu.removal.check()?;
        described!(let described = device.describe(desc, Purpose::Committed));
        let Described { desc: resource, size, alignment, .. } = described;
        let resolved =
            device.heap_rules().check_implicit(&desc.heap_properties, desc.heap_flags, size, alignment)?;
        check_heap_takes(&resolved, resource)?;
        check_committed_atomics(desc.heap_flags, resource)?;
        device.beginning_rules().check(resource, Some(desc.heap_properties.heap_type), &desc.beginning())?;

        // VidMm's granularity of 4 KiB is for what is aligned below 64 KiB (spec/1, Committed Resources).
        let page = if alignment < DEFAULT_PAGE { PageSize::FourKib } else { PageSize::SixtyFourKib };
        let at = device.next_buffer_address(resource)?;
        let allocation = device.allocate(&resolved, size, page, at)?;
        device.check_faults()?;
        let create = described.create(desc.clear_value.as_ref(), ResourcePlace::WithHeap);
        let (driver, made) =
            device.create_heap_in_driver(&resolved, size, allocation_of(&allocation), Some(create), given)?;
        let properties = resolved.described(&desc.heap_properties);
        let core = Box::new(HeapCore::new(allocation.keep(), driver, resolved, size));
        device.next_addresses.used(at);
        let address = core.gpu_virtual_address();
        let place = || Place::Committed { device: self.reference(), core, properties };
        Ok(device.registered(described.into_resource(place, made, address, &desc.beginning(), id)))
    }

    #[inline(never)]
    fn create_placed_unobserved(
        &self,
        heap: &Heap,
        offset: u64,
        desc: &PlacedResourceDesc<'_>,
        id: ObjectId,
    ) -> Result<Resource, Error> {
        let device = &*self.inner;
        device.gpu.removal.check()?;
        if !Arc::ptr_eq(heap.inner.device.inner(), &self.inner) {
            return Err(heapstone_spec::rules::placement::HEAP_DEVICE
                .violated("pHeap", "a heap of another device", "a heap of this device")
                .into());
        }
        described!(let described = device.describe(desc, Purpose::Placed));
        let core = &heap.inner.core;
        check_heap_takes(&core.resolved, described.desc)?;
        check_place(core, offset, described.size, described.alignment)?;
        let heap_type = core.resolved.heap_type;
        device.beginning_rules().check(described.desc, Some(heap_type), &desc.beginning())?;

        // No overflow: the kernel's address range covers the heap, and the resource lies within.
        let address = GpuVirtualAddress(core.gpu_virtual_address().0 + offset);
        let at = device.next_buffer_address(described.desc)?;
        check_placed_address(at, address)?;
        let place = ResourcePlace::InHeap { heap: core.driver(), offset };
        let create = described.create(desc.clear_value.as_ref(), place);
        let made = device.create_resource_in_driver(create)?;
        device.next_addresses.used(at);
        let place = || Place::Placed { heap: heap.clone(), offset };
        Ok(described.into_resource(place, made, address, &desc.beginning(), id))
    }

    #[inline(never)]
    fn create_reserved_unobserved(
        &self,
        desc: &ReservedResourceDesc<'_>,
        id: ObjectId,
    ) -> Result<Resource, Error> {
        let device = &*self.inner;
        device.gpu.removal.check()?;
        described!(let described = device.describe(desc, Purpose::Reserved));
        let Described { size, alignment, .. } = described;
        check_tile_count(size)?;
        device.beginning_rules().check(described.desc, None, &desc.beginning())?;
        let at = device.next_buffer_address(described.desc)?;
        let addresses = match at {
            None => device.process.reserve_virtual_address(size, alignment),
            Some(at) => device.process.reserve_virtual_address_at(at, size, alignment),
        }?;
        let create = described.create(desc.clear_value.as_ref(), ResourcePlace::Reserved);
        let made = match device.create_resource_in_driver(create) {
            Ok(made) => made,
            Err(error) => {
                device.process.release_virtual_address(addresses);
                return Err(error.into());
            }
        };
        device.next_addresses.used(at);
        let address = addresses.address();
        let reservation = Box::new(Reservation::new(addresses));
        let place = || Place::Reserved { device: self.reference(), reservation };
        Ok(device.registered(described.into_resource(place, made, address, &desc.beginning(), id)))
    }
}

/// Tiles of a reserved resource are counted in 32 bits, in every call that names some.
#[inline]
fn check_tile_count(size: u64) -> Result<(), Box<Violation>> {
    let tiles = size.div_ceil(limits::TILE_SIZE);
    if tiles <= u64::from(u32::MAX) {
        return Ok(());
    }
    Err(description_rules::SIZE.violated(
        "D3D12_RESOURCE_DESC.Width",
        format_args!("a reserved resource of {size} bytes, {tiles} tiles"),
        format_args!("at most {} tiles of {} bytes", u32::MAX, limits::TILE_SIZE),
    ))
}

/// A legal description with resolved mips, and its size and alignment, where they were computed.
///
/// Borrowed, because these are the calls that programs make most: a result that is moved right after it
/// was stored waits for the stores, which costs more than the rules that are checked on it.
#[derive(Clone, Copy)]
struct Described<'a> {
    desc: &'a ResourceDesc,
    /// The driver's answer.
    driver: &'a DriverAllocationInfo,
    size: u64,
    alignment: Alignment,
}

impl<'a> Described<'a> {
    fn create(
        self,
        clear_value: Option<&'a heapstone_spec::ClearValue>,
        place: ResourcePlace<'a>,
    ) -> CreateResource<'a> {
        CreateResource { desc: self.desc, info: self.driver, clear_value, place }
    }

    // Inlined by force, for the same reason: what it is handed was stored just before.
    #[inline(always)]
    fn into_resource(
        self,
        place: impl FnOnce() -> Place,
        driver: Option<DriverResource>,
        gpu_virtual_address: GpuVirtualAddress,
        beginning: &Beginning<'_>,
        id: ObjectId,
    ) -> Resource {
        let inner = ResourceInner {
            desc: ResourceDesc { alignment: self.alignment.bytes(), ..*self.desc },
            size: self.size,
            alignment: self.alignment,
            driver,
            gpu_virtual_address,
            map_count: AtomicU64::new(0),
            mapped: AtomicPtr::new(ptr::null_mut()),
            surfaces: OnceLock::new(),
            view_key: KeptKey::default(),
            beginning: KeptBeginning { initial: beginning.initial, rare: rare_beginning(beginning) },
            id,
            labels: Labels::default(),
            // Last, so that nothing that may fail comes between: it is made where it stays then.
            place: place(),
        };
        Resource { inner: Arc::new(inner) }
    }
}

/// An allocation of the kernel that goes back when it is dropped, unless it is kept.
struct Allocated<'a> {
    device: &'a DeviceInner,
    deny_demotion: bool,
    allocation: Option<Allocation>,
}

impl Allocated<'_> {
    fn keep(mut self) -> Allocation {
        self.allocation.take().expect("invariant: an allocation is kept once")
    }
}

impl Drop for Allocated<'_> {
    fn drop(&mut self) {
        if let Some(allocation) = self.allocation.take() {
            self.device.atomics.discharge(self.deny_demotion, allocation.size());
            self.device.process.free(allocation);
        }
    }
}

fn allocation_of<'a>(allocated: &'a Allocated<'_>) -> &'a Allocation {
    allocated.allocation.as_ref().expect("invariant: an allocation is there until it is kept")
}

impl DeviceInner {
    /// The resource, after its addresses lead to it.
    #[inline]
    fn registered(&self, resource: Resource) -> Resource {
        if let Some(range) = resource.inner.own_addresses() {
            let owner = MemoryReference::Resource(Arc::downgrade(&resource.inner));
            self.addresses.insert(range, resource.inner.desc.width, owner);
        }
        resource
    }

    fn allocate(
        &self,
        heap: &ResolvedHeap,
        size: u64,
        page_size: PageSize,
        at: Option<GpuVirtualAddress>,
    ) -> Result<Allocated<'_>, Error> {
        let charged = page_size.alignment().align_up(size).unwrap_or(u64::MAX);
        self.atomics.charge(heap.deny_demotion, charged)?;
        let desc = AllocationDesc {
            size,
            alignment: heap.alignment,
            page_size,
            node: heap.node,
            placement: placement_of(heap),
            // A displayed surface is read by physical address (facts/residency.md, Placement).
            contiguous: heap.flags.contains(HeapFlags::ALLOW_DISPLAY),
            with_virtual_address: true,
        };
        if let Some(at) = at {
            return self.allocate_at(heap, &desc, charged, at);
        }
        if heap.flags.contains(HeapFlags::CREATE_NOT_RESIDENT) {
            return self.allocate_evicted(heap, &desc, charged);
        }
        let allocated = self.process.allocate(&desc);
        // What made room leaves it before the driver hears of the heap.
        self.carry_out_if_any();
        match allocated {
            Ok(allocation) => Ok(Allocated {
                device: self,
                deny_demotion: heap.deny_demotion,
                allocation: Some(allocation),
            }),
            Err(error) => {
                self.atomics.discharge(heap.deny_demotion, charged);
                Err(error.into())
            }
        }
    }

    // Apart, so that the way that programs take is as short as without it.
    #[cold]
    #[inline(never)]
    fn allocate_at(
        &self,
        heap: &ResolvedHeap,
        desc: &AllocationDesc,
        charged: u64,
        at: GpuVirtualAddress,
    ) -> Result<Allocated<'_>, Error> {
        let deny_demotion = heap.deny_demotion;
        let allocated = self.process.allocate_at(desc, at);
        self.carry_out_if_any();
        let allocation = allocated.inspect_err(|_| {
            self.atomics.discharge(deny_demotion, charged);
        })?;
        let allocated = Allocated { device: self, deny_demotion, allocation: Some(allocation) };
        if heap.flags.contains(HeapFlags::CREATE_NOT_RESIDENT) {
            self.residency.track();
            // Created with a count of 1, it can be evicted, unless a fault has taken the device.
            self.process
                .evict(&[allocation_of(&allocated)], EvictFlags::NOT_WRITTEN_TO)
                .map_err(|error| self.residency_error(error))?;
        }
        Ok(allocated)
    }

    #[cold]
    #[inline(never)]
    fn allocate_evicted(
        &self,
        heap: &ResolvedHeap,
        desc: &AllocationDesc,
        charged: u64,
    ) -> Result<Allocated<'_>, Error> {
        let deny_demotion = heap.deny_demotion;
        self.residency.track();
        let allocation = self.process.allocate_evicted(desc, InitialContent::Zero).inspect_err(|_| {
            self.atomics.discharge(deny_demotion, charged);
        })?;
        Ok(Allocated { device: self, deny_demotion, allocation: Some(allocation) })
    }

    fn create_heap_in_driver(
        &self,
        heap: &ResolvedHeap,
        size: u64,
        allocation: &Allocation,
        resource: Option<CreateResource<'_>>,
        given: Option<GivenBytes>,
    ) -> Result<(Box<dyn DriverHeap>, Option<DriverResource>), DriverError> {
        let create = CreateHeap {
            size,
            alignment: heap.alignment,
            memory_pool: heap.properties.memory_pool_preference,
            cpu_page_property: heap.properties.cpu_page_property,
            flags: heap.flags,
            implicit: resource.is_some(),
            deny_demotion: heap.deny_demotion,
            allocation,
        };
        if let Some(given) = given {
            return self.open_heap_in_driver(&create, resource, given);
        }
        let made = self.adapter.driver.create_heap_and_resource(Some(create), resource)?;
        let heap = made.heap.expect("invariant: a driver makes the heap it was asked for");
        Ok((heap, made.resource))
    }

    #[cold]
    #[inline(never)]
    fn open_heap_in_driver(
        &self,
        create: &CreateHeap<'_>,
        resource: Option<CreateResource<'_>>,
        given: GivenBytes,
    ) -> Result<(Box<dyn DriverHeap>, Option<DriverResource>), DriverError> {
        let driver = &self.adapter.driver;
        let heap = match given {
            GivenBytes::File(file) => driver.open_shared_heap(create, file)?,
            GivenBytes::Existing(memory) => driver.open_existing_heap(create, memory)?,
        };
        let Some(resource) = resource else { return Ok((heap, None)) };
        let place = ResourcePlace::InHeap { heap: &*heap, offset: 0 };
        let made = driver.create_heap_and_resource(None, Some(CreateResource { place, ..resource }));
        match made {
            Ok(made) => Ok((heap, made.resource)),
            Err(error) => {
                driver.destroy_heap_and_resource(Some(heap), None);
                Err(error)
            }
        }
    }

    // Inlined by force: what it answers is three words.
    #[inline(always)]
    fn create_resource_in_driver(
        &self,
        resource: CreateResource<'_>,
    ) -> Result<Option<DriverResource>, DriverError> {
        let made = self.adapter.driver.create_heap_and_resource(None, Some(resource))?;
        // Looked at where it is: moved as a whole right after the driver has stored its parts, it would wait for them.
        let (is_there, private) = made.resource.as_ref().map_or((false, [0; 2]), |kept| (true, kept.private));
        Ok(is_there.then_some(DriverResource { private }))
    }
}

/// Where a heap's memory may be. Other adapters reach system memory only, so that is where
/// cross-adapter heaps go (chosen; the kind of pool that they were asked for stays in the description).
fn placement_of(heap: &ResolvedHeap) -> Placement {
    match heap.properties.memory_pool_preference {
        MemoryPool::L1 if !heap.flags.contains(HeapFlags::SHARED_CROSS_ADAPTER) => {
            Placement::L1 { demotable: !heap.deny_demotion }
        }
        MemoryPool::L1 | MemoryPool::L0 | MemoryPool::Unknown => Placement::L0,
    }
}

#[inline]
fn rare_beginning(beginning: &Beginning<'_>) -> Option<Box<RareBeginning>> {
    if beginning.clear_value.is_none() && beginning.castable_formats.is_empty() {
        return None;
    }
    Some(Box::new(RareBeginning {
        clear_value: beginning.clear_value.copied(),
        castable_formats: beginning.castable_formats.into(),
    }))
}

pub(super) fn outcome<T>(result: &Result<T, Error>) -> Outcome<'_> {
    result.as_ref().map(|_| ())
}
