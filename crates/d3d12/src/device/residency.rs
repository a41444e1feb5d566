//! MakeResident, Evict, EnqueueMakeResident, SetResidencyPriority.

use core::ffi::c_void;

use heapstone::{Error, MakeResidentFlags, Pageable};

use super::Device;
use crate::com::{Object, from_client};
use crate::convert;
use crate::descriptor_heap::DescriptorHeap;
use crate::failure::{Failure, Unknown};
use crate::fence::Fence;
use crate::heap::Heap;
use crate::query_heap::QueryHeap;
use crate::resource::Resource;

/// D3D12_RESIDENCY_FLAG_DENY_OVERBUDGET.
const DENY_OVERBUDGET: u32 = 1;

/// Calls with what residency is a matter of, of `count` objects; without query heaps that count nothing here, and have
/// no memory.
#[inline]
unsafe fn with_pageables(
    count: u32,
    objects: *const *mut c_void,
    call: impl Fn(&[Pageable<'_>]) -> Result<(), Error>,
) -> Result<(), Failure> {
    // SAFETY: the arguments are the client's.
    let objects = unsafe { convert::slice(objects, count, "ppObjects is NULL") }?;
    // Most calls name one: those take no memory.
    if let [object] = objects
        // SAFETY: as above.
        && let Some(object) = unsafe { pageable(*object) }?
    {
        return Ok(call(&[object])?);
    }
    // SAFETY: as above.
    let found = objects.iter().filter_map(|object| unsafe { pageable(*object) }.transpose());
    Ok(call(&found.collect::<Result<Vec<_>, _>>()?)?)
}

#[inline]
unsafe fn pageable<'a>(object: *mut c_void) -> Result<Option<Pageable<'a>>, Failure> {
    // SAFETY: the arguments are the client's.
    unsafe {
        if let Some(heap) = from_client::<Heap>(object) {
            return Ok(Some(Pageable::Heap(&heap.body().runtime)));
        }
        if let Some(resource) = from_client::<Resource>(object) {
            return Ok(Some(Pageable::Resource(&resource.body().runtime)));
        }
        if let Some(heap) = from_client::<DescriptorHeap>(object) {
            return Ok(Some(Pageable::DescriptorHeap(&heap.body().runtime)));
        }
        if let Some(heap) = from_client::<QueryHeap>(object) {
            return Ok(heap.body().runtime.as_ref().map(Pageable::QueryHeap));
        }
    }
    Err(Failure::Argument("ppObjects holds what is no heap, resource, descriptor heap or query heap"))
}

/// # Safety
/// `objects` is NULL or points to `count` pointers to live objects, or NULL ones.
#[inline]
pub(super) unsafe fn make_resident(
    device: &Object<Device>,
    count: u32,
    objects: *const *mut c_void,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    unsafe { with_pageables(count, objects, |objects| device.runtime.make_resident(objects)) }
}

/// # Safety
/// As of [`make_resident`].
#[inline]
pub(super) unsafe fn evict(
    device: &Object<Device>,
    count: u32,
    objects: *const *mut c_void,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    unsafe { with_pageables(count, objects, |objects| device.runtime.evict(objects)) }
}

/// # Safety
/// As of [`make_resident`]; `fence` is NULL or a live object.
pub(super) unsafe fn enqueue(
    device: &Object<Device>,
    flags: u32,
    count: u32,
    objects: *const *mut c_void,
    fence: *mut c_void,
    value: u64,
) -> Result<(), Failure> {
    let flags = match flags {
        0 => MakeResidentFlags::NONE,
        DENY_OVERBUDGET => MakeResidentFlags::DENY_OVERBUDGET,
        other => return Err(Unknown { field: "D3D12_RESIDENCY_FLAGS", given: u64::from(other) }.into()),
    };
    // SAFETY: the caller's promise.
    let fence =
        unsafe { from_client::<Fence>(fence) }.ok_or(Failure::Argument("pFenceToSignal is no fence"))?;
    let enqueue = |objects: &[Pageable<'_>]| {
        device.runtime.enqueue_make_resident(flags, objects, &fence.runtime, value)
    };
    // SAFETY: as above.
    unsafe { with_pageables(count, objects, enqueue) }
}

/// # Safety
/// As of [`make_resident`]; `priorities` is NULL or points to `count` values.
pub(super) unsafe fn set_priorities(
    device: &Object<Device>,
    count: u32,
    objects: *const *mut c_void,
    priorities: *const u32,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let (objects, priorities) = unsafe {
        (
            convert::slice(objects, count, "ppObjects is NULL")?,
            convert::slice(priorities, count, "pPriorities is NULL")?,
        )
    };
    let mut pairs = Vec::with_capacity(objects.len());
    for (object, priority) in objects.iter().zip(priorities) {
        // SAFETY: as above.
        let object = unsafe { pageable(*object) }?;
        let priority = heapstone::Device::residency_priority(*priority)?;
        pairs.extend(object.map(|object| (object, priority)));
    }
    Ok(device.runtime.set_residency_priority(&pairs)?)
}
