//! Residency: MakeResident, Evict, EnqueueMakeResident, priorities, trim notifications
//! (spec/2-resource-heaps.txt 486-526, 1644-1663; facts/residency.md).
//!
//! The memory manager decides ([`heapstone_kernel::residency`]); here its calls get D3D12's objects, and GPU work is
//! checked: a list that refers to what is evicted is not executed, and the device is removed; of a reserved resource only the
//! tiles count that its commands reach, and those that show an evicted heap fault. What is named in a
//! residency call is known to the manager from then on; once a device made such a call, or set a budget, so is all that
//! its lists refer to. Until then no submission takes a lock of residency.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use heapstone_driver::engine::DriverQueueDesc;
use heapstone_kernel::residency::{
    EvictFlags, InFlight, MakeResidentFlags, PagingStatistics, ProcessRemoval, ResidencyError,
    ResidencyPriority, SubmissionUse, TrimCookie, TrimNotification,
};
use heapstone_kernel::{Allocation, Process};
use heapstone_scheduler::{EngineId, QueueDesc};
use heapstone_spec::commands::CommandListType;
use heapstone_spec::rules::queue as queue_rules;
use heapstone_spec::rules::residency as rules;
use heapstone_spec::{ResourceFlags, Violation};
use heapstone_units::GpuVirtualAddress;

use crate::adapter::Adapter;
use crate::address::MemoryHold;
use crate::command::QueryHeap;
use crate::descriptor::{DescriptorHeap, WeakDescriptorHeap};
use crate::device::{Device, DeviceInner};
use crate::error::{Error, OutOfMemory, RemovalReason};
use crate::fence::Fence;
use crate::gpu::queue_error;
use crate::heap::Heap;
use crate::observer::{Call, ObjectId};
use crate::resource::{Resource, ResourceKind};
use crate::submission::{QueueContext, Submission};

/// ID3D12Pageable, as far as residency is a matter of it: what owns memory.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Pageable<'a> {
    /// A heap.
    Heap(&'a Heap),
    /// A committed resource. Others own no memory, and are refused.
    Resource(&'a Resource),
    /// A descriptor heap. Its memory counts from the first residency call that names it (chosen: until then it is
    /// the driver's).
    DescriptorHeap(&'a DescriptorHeap),
    /// A query heap.
    QueryHeap(&'a QueryHeap),
}

impl<'a> From<&'a Heap> for Pageable<'a> {
    fn from(heap: &'a Heap) -> Self {
        Pageable::Heap(heap)
    }
}

impl<'a> From<&'a Resource> for Pageable<'a> {
    fn from(resource: &'a Resource) -> Self {
        Pageable::Resource(resource)
    }
}

impl<'a> From<&'a DescriptorHeap> for Pageable<'a> {
    fn from(heap: &'a DescriptorHeap) -> Self {
        Pageable::DescriptorHeap(heap)
    }
}

impl<'a> From<&'a QueryHeap> for Pageable<'a> {
    fn from(heap: &'a QueryHeap) -> Self {
        Pageable::QueryHeap(heap)
    }
}

/// What a device has for residency.
#[derive(Default)]
pub(crate) struct DeviceResidency {
    /// Whether the manager is to know what lists refer to.
    is_tracked: AtomicBool,
}

/// What a submission uses stays where it is until this goes.
pub(crate) struct ResidentUse {
    process: Process,
    in_flight: Option<InFlight>,
}

impl ResidentUse {
    fn new(process: &Process, in_flight: InFlight) -> ResidentUse {
        ResidentUse { process: process.clone(), in_flight: Some(in_flight) }
    }
}

impl Drop for ResidentUse {
    fn drop(&mut self) {
        if let Some(in_flight) = self.in_flight.take() {
            self.process.end_use(in_flight);
        }
    }
}

/// How the memory that a submission uses is kept where it is.
pub(crate) enum Kept {
    /// Not at all: the memory manager does not know it, or it moves no bytes.
    Unwatched,
    /// Counted on the heaps of what it holds, as the memory manager did not know them.
    ByHeaps,
    /// By the memory manager.
    ByManager(ResidentUse),
}

impl Device {
    /// ID3D12Device::MakeResident: counts the objects up, and returns once all are in memory. All or nothing. Over budget
    /// is no failure.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] where memory is gone; [`Error::Invalid`]: `residency.pageable`, `residency.device`,
    /// `residency.count`; [`Error::DeviceRemoved`].
    pub fn make_resident(&self, objects: &[Pageable<'_>]) -> Result<(), Error> {
        let result = self.make_resident_in_kernel(objects, MakeResidentFlags::NONE);
        if result.is_ok() {
            self.inner.pass_paging();
        }
        self.inner.observe(|| Call::MakeResident { objects, outcome: result.as_ref().copied() });
        result
    }

    /// ID3D12Device3::EnqueueMakeResident: as [`Device::make_resident`], and does not wait: the fence takes the value once
    /// the objects are in memory. Fences take their values in the order of the calls.
    ///
    /// # Errors
    /// As [`Device::make_resident`]; [`OutOfMemory::Budget`] with DENY_OVERBUDGET where the process would go over its
    /// budget; [`Error::Invalid`] (`queue.execute.device`) for another device's fence. The fence is not signalled then.
    pub fn enqueue_make_resident(
        &self,
        flags: MakeResidentFlags,
        objects: &[Pageable<'_>],
        fence: &Fence,
        value: u64,
    ) -> Result<(), Error> {
        let result = self.enqueue_unobserved(flags, objects, fence, value);
        self.inner.observe(|| Call::EnqueueMakeResident {
            flags,
            objects,
            fence: fence.id(),
            value,
            outcome: result.as_ref().copied(),
        });
        result
    }

    fn enqueue_unobserved(
        &self,
        flags: MakeResidentFlags,
        objects: &[Pageable<'_>],
        fence: &Fence,
        value: u64,
    ) -> Result<(), Error> {
        if !core::ptr::eq(fence.device_inner(), &*self.inner) {
            return Err(queue_rules::EXECUTE_DEVICE
                .violated("pFenceToSignal", "a fence of another device", "a fence of this device")
                .into());
        }
        let timeline = Arc::clone(self.timeline());
        let queue = match timeline.paging.get() {
            Some(queue) => queue,
            None => {
                // Of threads that come here together one's queue is kept, and nothing is in the others'.
                let queue = self.paging_queue()?;
                timeline.paging.get_or_init(|| queue)
            }
        };
        self.make_resident_in_kernel(objects, flags)?;
        let duration_ns = self.inner.pass_paging();
        if duration_ns > 0 {
            queue.submit(Submission::Page { duration_ns }).map_err(queue_error)?;
        }
        queue.signal(fence.timeline(), value).map(drop).map_err(queue_error)
    }

    /// ID3D12Device::Evict: counts the objects down; at 0 they leave memory, as soon as no submitted work uses them.
    ///
    /// # Errors
    /// [`Error::Invalid`]: `residency.evict` where a count would fall below 0, `residency.pageable`, `residency.device`;
    /// [`Error::DeviceRemoved`]. Nothing is evicted then.
    pub fn evict(&self, objects: &[Pageable<'_>]) -> Result<(), Error> {
        let result = self.with_allocations(objects, |process, allocations| {
            process.evict(allocations, EvictFlags::NONE).map(drop)
        });
        if result.is_ok() {
            // What leaves finds its way: see `HeapPaging::page`.
            let _ = self.inner.carry_out([]);
        }
        self.inner.observe(|| Call::Evict { objects, outcome: result.as_ref().copied() });
        result
    }

    /// ID3D12Device1::SetResidencyPriority: of each object its own. Before the first call for it, an object has a default:
    /// high and more for render targets, depth-stencil and unordered-access resources, normal for others.
    ///
    /// # Errors
    /// [`Error::Invalid`]: `residency.pageable`, `residency.device`.
    pub fn set_residency_priority(&self, objects: &[(Pageable<'_>, ResidencyPriority)]) -> Result<(), Error> {
        let pageables: Vec<Pageable<'_>> = objects.iter().map(|(object, _)| *object).collect();
        let result = self.with_allocations(&pageables, |process, allocations| {
            for (allocation, (_, priority)) in allocations.iter().zip(objects) {
                process.set_residency_priority(allocation, *priority);
            }
            Ok(())
        });
        self.inner.observe(|| Call::SetResidencyPriority { objects, outcome: result.as_ref().copied() });
        result
    }

    /// The priority of D3D12's number, for [`Device::set_residency_priority`].
    ///
    /// # Errors
    /// [`Error::Invalid`] (`residency.priority`) for 0.
    pub fn residency_priority(value: u32) -> Result<ResidencyPriority, Error> {
        ResidencyPriority::from_d3d12(value)
            .ok_or_else(|| rules::RESIDENCY_PRIORITY.violated("pPriorities", value, "at least 1").into())
    }

    /// How often an object is resident: 1 once it is created, or 0 where created with CREATE_NOT_RESIDENT. D3D12 does not
    /// tell it; tools want it.
    ///
    /// # Errors
    /// [`Error::Invalid`]: `residency.pageable`, `residency.device`.
    pub fn residency_count(&self, object: Pageable<'_>) -> Result<u32, Error> {
        self.with_allocations(&[object], |process, allocations| Ok(process.residency(allocations[0]).count))
    }

    /// ID3D12Device15's trim notifications: `notification` is called when the memory manager wants the process to trim,
    /// periodically as [`Adapter::advance_clock`] lets time pass, and when a budget falls below the usage.
    pub fn register_trim_notification(&self, notification: TrimNotification) -> TrimCookie {
        self.inner.residency.track();
        self.inner.process.register_trim_notification(notification)
    }

    /// Ends the calls of a notification.
    ///
    /// # Errors
    /// [`Error::Invalid`] (`residency.trim_cookie`) for a cookie of no notification.
    pub fn unregister_trim_notification(&self, cookie: TrimCookie) -> Result<(), Error> {
        if self.inner.process.unregister_trim_notification(cookie) {
            return Ok(());
        }
        Err(rules::RESIDENCY_TRIM_COOKIE
            .violated("CallbackCookie", cookie.get(), "the cookie of a registered notification")
            .into())
    }

    fn make_resident_in_kernel(
        &self,
        objects: &[Pageable<'_>],
        flags: MakeResidentFlags,
    ) -> Result<(), Error> {
        let device = &*self.inner;
        let failure = self.with_allocations(objects, |process, allocations| {
            let made = process.make_resident(allocations, flags);
            let failure = device.carry_out(allocations.iter().copied().filter(|_| made.is_ok())).err();
            made.map(drop)?;
            if failure.is_some() {
                // The system has no memory for them: counted down, they are as before.
                process.evict(allocations, EvictFlags::NONE)?;
                let _ = device.carry_out([]);
            }
            Ok(failure)
        })?;
        failure.map_or(Ok(()), |error| Err(error.into()))
    }

    /// Calls the memory manager with the objects' allocations.
    fn with_allocations<R>(
        &self,
        objects: &[Pageable<'_>],
        mut call: impl FnMut(&Process, &[&Allocation]) -> Result<R, ResidencyError>,
    ) -> Result<R, Error> {
        let device = &*self.inner;
        device.gpu.removal.check()?;
        device.residency.track();
        // All first: a call that is refused makes nothing known.
        objects.iter().try_for_each(|object| object.check(device))?;
        let mut call = |allocations: &[&Allocation]| {
            let result = match call(&device.process, allocations) {
                Err(ResidencyError::Suspended { until_ns }) => {
                    device.wait_for_resumption(until_ns);
                    call(&device.process, allocations)
                }
                result => result,
            };
            result.map_err(|error| device.residency_error(error))
        };
        // Most calls name one: those take no memory.
        if let [object] = objects {
            return call(&[object.allocation(device)?]);
        }
        let allocations =
            objects.iter().map(|object| object.allocation(device)).collect::<Result<Vec<_>, _>>()?;
        call(&allocations)
    }

    /// The queue that pages, for the fences of who does not wait.
    fn paging_queue(&self) -> Result<heapstone_scheduler::Queue<Submission>, Error> {
        let device = &*self.inner;
        let desc = DriverQueueDesc { list_type: CommandListType::Copy, node: 0 };
        let context = QueueContext {
            driver: device.gpu()?.driver.create_queue(&desc)?,
            statistics: Arc::default(),
            removal: Arc::clone(&device.gpu.removal),
        };
        // The engines of nodes come before: three each.
        let engine = EngineId(device.adapter.profile.memory.node_count * 3);
        let desc = QueueDesc { engine, name: "paging".to_owned(), priority: 0 };
        self.timeline().scheduler.create_queue(desc, context).map_err(queue_error)
    }
}

impl Adapter {
    /// Lets the memory manager's virtual time pass: demoted heaps come back, suspended processes go on, trims are asked
    /// for.
    pub fn advance_clock(&self, ns: u64) {
        self.inner.memory.advance_clock(ns);
        self.inner.carry_out_if_any();
    }

    /// What the memory manager's paging has done on this adapter.
    #[must_use]
    pub fn paging_statistics(&self) -> PagingStatistics {
        self.inner.memory.paging_statistics()
    }
}

impl<'a> Pageable<'a> {
    /// Its number on an observed device.
    #[must_use]
    pub fn id(self) -> ObjectId {
        match self {
            Pageable::Heap(heap) => heap.id(),
            Pageable::Resource(resource) => resource.id(),
            Pageable::DescriptorHeap(heap) => heap.id(),
            Pageable::QueryHeap(heap) => heap.id(),
        }
    }

    /// That residency can be asked of it, on this device.
    fn check(self, device: &DeviceInner) -> Result<(), Error> {
        let owner = match self {
            Pageable::Heap(heap) => &*heap.inner.device,
            Pageable::Resource(resource) => {
                if resource.kind() != ResourceKind::Committed || resource.inner.heap_core().is_none() {
                    return Err(not_pageable(resource.kind()).into());
                }
                resource.inner.device()
            }
            Pageable::QueryHeap(heap) => heap.results().inner.device(),
            Pageable::DescriptorHeap(heap) => heap.device_inner(),
        };
        if core::ptr::eq(owner, device) { Ok(()) } else { Err(other_device()) }
    }

    /// What the memory manager knows it as, from now on; it was checked.
    fn allocation(self, device: &DeviceInner) -> Result<&'a Allocation, Error> {
        let resource = match self {
            Pageable::Heap(heap) => return Ok(heap.inner.core.named(&device.process)),
            Pageable::DescriptorHeap(heap) => return heap.allocation(),
            Pageable::QueryHeap(heap) => heap.results(),
            Pageable::Resource(resource) => resource,
        };
        let core = resource.inner.heap_core().ok_or_else(|| not_pageable(resource.kind()))?;
        let (is_known, default) = (core.allocation().key().is_some(), default_priority(resource));
        let allocation = core.named(&device.process);
        if !is_known && default != ResidencyPriority::NORMAL {
            device.process.set_residency_priority(allocation, default);
        }
        Ok(allocation)
    }
}

fn default_priority(resource: &Resource) -> ResidencyPriority {
    let written = ResourceFlags::ALLOW_RENDER_TARGET
        | ResourceFlags::ALLOW_DEPTH_STENCIL
        | ResourceFlags::ALLOW_UNORDERED_ACCESS;
    ResidencyPriority::default_of(resource.desc().flags.intersects(written), resource.size())
}

#[cold]
fn not_pageable(kind: ResourceKind) -> Box<Violation> {
    rules::RESIDENCY_PAGEABLE.violated(
        "ppObjects",
        format_args!("a resource that is {kind:?}"),
        "heaps, committed resources, descriptor heaps, query heaps",
    )
}

#[cold]
fn other_device() -> Error {
    rules::RESIDENCY_DEVICE
        .violated("ppObjects", "an object of another device", "objects of this device")
        .into()
}

impl DeviceResidency {
    /// The manager is to know what lists refer to.
    pub(crate) fn track(&self) {
        self.is_tracked.store(true, Ordering::Release);
    }
}

impl DeviceInner {
    /// Keeps what a submission refers to where it is. What was never named by a residency call is left to its heap, as
    /// long as the device never made one.
    ///
    /// # Errors
    /// [`Error::DeviceRemoved`], also where it is removed because something is evicted; [`Error::OutOfMemory`] where what is
    /// used found no memory to come back to.
    pub(crate) fn begin_use(
        &self,
        holds: &[MemoryHold],
        is_written: impl Fn(usize) -> bool,
    ) -> Result<Kept, Error> {
        if !self.residency.is_tracked.load(Ordering::Acquire) {
            if let Some(removal) = self.process.meet_faults() {
                return Err(self.removed_by_memory(removal));
            }
            if !self.adapter.moves_heaps() {
                return Ok(Kept::Unwatched);
            }
            if self.begin_flights(holds) {
                return Ok(Kept::ByHeaps);
            }
        }
        let uses: Vec<SubmissionUse<'_>> = holds
            .iter()
            .enumerate()
            .filter_map(|(index, hold)| {
                let allocation = hold.heap_core()?.named(&self.process);
                Some(SubmissionUse { allocation, writes: is_written(index) })
            })
            .collect();
        let result = match self.process.begin_use(&uses) {
            Err(ResidencyError::Suspended { until_ns }) => {
                self.wait_for_resumption(until_ns);
                self.process.begin_use(&uses)
            }
            result => result,
        };
        match result {
            Ok(in_flight) => {
                let kept = ResidentUse::new(&self.process, in_flight);
                // What was decided of them before is done before the work begins.
                self.carry_out(uses.iter().map(|used| used.allocation))?;
                Ok(Kept::ByManager(kept))
            }
            Err(ResidencyError::UsedEvicted { index }) => {
                let address = uses[index].allocation.virtual_address().unwrap_or_default();
                let violation = rules::EXECUTE_EVICTED.violated(
                    "ppCommandLists",
                    format_args!("a list that refers to memory at {:#x}, which is evicted", address.0),
                    "lists that refer to what is resident",
                );
                let reason = RemovalReason::InvalidCall(violation);
                self.remove(reason.clone());
                Err(reason.into())
            }
            Err(error) => Err(self.residency_error(error)),
        }
    }

    /// Counts a submission on the heaps that it uses; `false`, and none, where the memory manager knows one by now.
    fn begin_flights(&self, holds: &[MemoryHold]) -> bool {
        let mut cores = holds.iter().filter_map(MemoryHold::heap_core);
        let known = cores.position(|core| !core.naming.begin_flight());
        if let Some(known) = known {
            self.end_flights(holds, known);
        }
        known.is_none()
    }

    /// The submission has ended that was counted on the first `count` of its heaps.
    fn end_flights(&self, holds: &[MemoryHold], count: usize) {
        for core in holds.iter().filter_map(MemoryHold::heap_core).take(count) {
            core.naming.end_flight(&self.process, core.allocation());
        }
    }

    /// A submission has ended: what it used may leave memory.
    pub(crate) fn end_use(&self, kept: Kept, holds: &[MemoryHold]) {
        match kept {
            Kept::Unwatched => return,
            Kept::ByHeaps => self.end_flights(holds, holds.len()),
            Kept::ByManager(used) => drop(used),
        }
        self.carry_out_if_any();
    }

    /// Keeps the heaps where they are that a reserved resource's tiles show, before its commands run, and tells the driver
    /// which of them are in memory: commands that reach what is evicted fault, others are none of its business.
    pub(crate) fn begin_tile_use(&self, hold: &MemoryHold, is_written: bool) -> Option<ResidentUse> {
        let MemoryHold::Resource(resource) = hold else { return None };
        if hold.heap_core().is_some() || !self.residency.is_tracked.load(Ordering::Acquire) {
            return None;
        }
        let gpu = self.gpu.made()?;
        let shown = gpu.driver.shown(resource.inner.gpu_virtual_address);
        let heaps: Vec<(GpuVirtualAddress, MemoryHold)> = shown
            .into_iter()
            .filter_map(|address| Some((address, self.addresses.owner(address)?)))
            .filter(|(_, heap)| heap.heap_core().is_some())
            .collect();
        if heaps.is_empty() {
            return None;
        }
        let cores = heaps.iter().filter_map(|(_, heap)| heap.heap_core());
        let uses: Vec<SubmissionUse<'_>> = cores
            .map(|core| SubmissionUse { allocation: core.named(&self.process), writes: is_written })
            .collect();
        let (in_flight, resident) = self.process.begin_use_where_resident(&uses);
        let kept = ResidentUse::new(&self.process, in_flight);
        // What found no memory is evicted in the driver, and faults.
        let _ = self.carry_out([]);
        for ((address, _), is_resident) in heaps.iter().zip(resident) {
            gpu.driver.set_resident(*address, is_resident);
        }
        Some(kept)
    }

    /// That no descriptor heap which a list sets is evicted.
    ///
    /// # Errors
    /// [`Error::DeviceRemoved`]: the device is removed because one is.
    pub(crate) fn check_descriptor_heaps(&self, heaps: &[WeakDescriptorHeap]) -> Result<(), Error> {
        if !self.residency.is_tracked.load(Ordering::Acquire) {
            return Ok(());
        }
        let Some(heap) = heaps.iter().find_map(WeakDescriptorHeap::evicted) else { return Ok(()) };
        let violation = rules::EXECUTE_EVICTED.violated(
            "ppCommandLists",
            format_args!(
                "a list that sets a descriptor heap of type {}, which is evicted",
                heap.desc().heap_type
            ),
            "lists that refer to what is resident",
        );
        let reason = RemovalReason::InvalidCall(violation);
        self.remove(reason.clone());
        Err(reason.into())
    }

    /// Lets the virtual time pass that paging takes; returns it in nanoseconds.
    fn pass_paging(&self) -> u64 {
        let duration_ns = self.adapter.memory.wait_for_paging();
        self.carry_out_if_any();
        duration_ns
    }

    /// A suspended process does nothing until it goes on: to it, that is at once.
    fn wait_for_resumption(&self, until_ns: u64) {
        let memory = &self.adapter.memory;
        memory.advance_clock(until_ns.saturating_sub(memory.clock_ns()));
        self.carry_out_if_any();
    }

    #[cold]
    pub(crate) fn residency_error(&self, error: ResidencyError) -> Error {
        match error {
            ResidencyError::NotResident { index, count } => rules::RESIDENCY_EVICT
                .violated(
                    "ppObjects",
                    format_args!("object {index}, whose count is {count}, too often"),
                    "objects as often as they are resident",
                )
                .into(),
            ResidencyError::CountOverflow { index, count } => rules::RESIDENCY_COUNT
                .violated("ppObjects", format_args!("object {index} with a count of {count}"), u32::MAX)
                .into(),
            ResidencyError::OverBudget(over) => Error::OutOfMemory(Box::new(OutOfMemory::Budget(over))),
            ResidencyError::OutOfVideoMemory(shortage) => {
                Error::OutOfMemory(Box::new(OutOfMemory::VideoMemory(shortage)))
            }
            ResidencyError::Removed(removal) => self.removed_by_memory(removal),
            // Resumed a moment ago and suspended again: there is not enough for the processes that there are.
            ResidencyError::Suspended { .. } => self.removed_by_memory(ProcessRemoval::OutOfMemory),
            error @ (ResidencyError::UsedEvicted { .. }
            | ResidencyError::Offered { .. }
            | ResidencyError::InFlight { .. }) => {
                unreachable!("bug: the runtime neither offers nor submits here: {error}")
            }
        }
    }

    /// That no fault at a point within what was called has taken the device.
    ///
    /// # Errors
    /// [`Error::DeviceRemoved`].
    #[inline]
    pub(crate) fn check_faults(&self) -> Result<(), Error> {
        match self.process.removal_by_fault() {
            Some(removal) => Err(self.removed_by_memory(removal)),
            None => Ok(()),
        }
    }

    #[cold]
    fn removed_by_memory(&self, removal: ProcessRemoval) -> Error {
        let reason = RemovalReason::Memory(removal);
        self.remove(reason.clone());
        reason.into()
    }
}
