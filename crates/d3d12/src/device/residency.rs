//! MakeResident, Evict, EnqueueMakeResident, SetResidencyPriority.

use core::ffi::c_void;

use heapstone::{MakeResidentFlags, Pageable};

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

/// What residency is a matter of, of `count` objects. `None`: a query heap that counts nothing here, and has no memory.
unsafe fn pageables<'a>(
    count: u32,
    objects: *const *mut c_void,
) -> Result<Vec<Option<Pageable<'a>>>, Failure> {
    // SAFETY: the arguments are the client's.
    let objects = unsafe { convert::slice(objects, count, "ppObjects is NULL") }?;
    // SAFETY: as above.
    objects.iter().map(|object| unsafe { pageable(*object) }).collect()
}

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
pub(super) unsafe fn make_resident(
    device: &Object<Device>,
    count: u32,
    objects: *const *mut c_void,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let objects: Vec<Pageable<'_>> = unsafe { pageables(count, objects) }?.into_iter().flatten().collect();
    Ok(device.runtime.make_resident(&objects)?)
}

/// # Safety
/// As of [`make_resident`].
pub(super) unsafe fn evict(
    device: &Object<Device>,
    count: u32,
    objects: *const *mut c_void,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let objects: Vec<Pageable<'_>> = unsafe { pageables(count, objects) }?.into_iter().flatten().collect();
    Ok(device.runtime.evict(&objects)?)
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
    let objects: Vec<Pageable<'_>> = unsafe { pageables(count, objects) }?.into_iter().flatten().collect();
    // SAFETY: as above.
    let fence =
        unsafe { from_client::<Fence>(fence) }.ok_or(Failure::Argument("pFenceToSignal is no fence"))?;
    Ok(device.runtime.enqueue_make_resident(flags, &objects, &fence.runtime, value)?)
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
    let (objects, priorities) =
        unsafe { (pageables(count, objects)?, convert::slice(priorities, count, "pPriorities is NULL")?) };
    let mut pairs = Vec::with_capacity(objects.len());
    for (object, priority) in objects.into_iter().zip(priorities) {
        let priority = heapstone::Device::residency_priority(*priority)?;
        pairs.extend(object.map(|object| (object, priority)));
    }
    Ok(device.runtime.set_residency_priority(&pairs)?)
}
