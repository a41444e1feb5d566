//! MakeResident, Evict, EnqueueMakeResident, SetResidencyPriority.
//!
//! The kernel keeps all memory that it gave out where it is, so what is made resident is, and what is evicted stays
//! until memory is asked for: both are promises that hold at once (spec/2-resource-heaps.txt 1533-1571). Arguments are
//! checked as if there were more to do.

use core::ffi::c_void;
use core::slice;

use super::Device;
use crate::com::{Class, Object, from_client};
use crate::convert::size;
use crate::descriptor_heap::DescriptorHeap;
use crate::failure::{Failure, Unknown};
use crate::fence::Fence;
use crate::heap::Heap;
use crate::query_heap::QueryHeap;
use crate::resource::Resource;

/// D3D12_RESIDENCY_FLAG_DENY_OVERBUDGET.
const DENY_OVERBUDGET: u32 = 1;

/// Checks that each of `count` objects is one of this device's that has residency.
///
/// # Safety
/// `pageables` is NULL or points to `count` pointers to live objects, or NULL ones.
pub(super) unsafe fn check(
    device: &Object<Device>,
    count: u32,
    pageables: *const *mut c_void,
) -> Result<(), Failure> {
    if count == 0 {
        return Ok(());
    }
    if pageables.is_null() {
        return Err(Failure::Argument("ppObjects is NULL"));
    }
    // SAFETY: the caller's promise.
    let pageables = unsafe { slice::from_raw_parts(pageables, size(count)) };
    for pageable in pageables {
        // SAFETY: the caller's promise.
        if !unsafe { is_of(device, *pageable) } {
            return Err(Failure::Argument(
                "ppObjects has what is no heap, resource, descriptor or query heap of this device",
            ));
        }
    }
    Ok(())
}

unsafe fn is_of(device: &Object<Device>, pageable: *mut c_void) -> bool {
    unsafe fn one<T: Class>(device: &Object<Device>, pageable: *mut c_void) -> bool {
        // SAFETY: the caller's promise.
        unsafe { from_client::<T>(pageable) }.is_some_and(|object| core::ptr::eq(object.device(), device))
    }
    // SAFETY: the caller's promise.
    unsafe {
        one::<Resource>(device, pageable)
            || one::<Heap>(device, pageable)
            || one::<DescriptorHeap>(device, pageable)
            || one::<QueryHeap>(device, pageable)
    }
}

/// EnqueueMakeResident: the fence is signalled when all is resident, which it is.
///
/// # Safety
/// As [`check`]; `fence` is NULL or a live object.
pub(super) unsafe fn enqueue(
    device: &Object<Device>,
    flags: u32,
    count: u32,
    pageables: *const *mut c_void,
    fence: *mut c_void,
    value: u64,
) -> Result<(), Failure> {
    if flags & !DENY_OVERBUDGET != 0 {
        return Err(Unknown { field: "Flags", given: u64::from(flags) }.into());
    }
    // SAFETY: the caller's promise.
    unsafe { check(device, count, pageables) }?;
    // SAFETY: the caller's promise.
    let fence = unsafe { from_client::<Fence>(fence) }.filter(|fence| core::ptr::eq(fence.device(), device));
    let fence = fence.ok_or(Failure::Argument("pFenceToSignal is no fence of this device"))?;
    Ok(fence.runtime.signal(value)?)
}

/// SetResidencyPriority: what goes first when memory is asked for, where nothing goes yet.
///
/// # Safety
/// As [`check`]; `priorities` is NULL or points to `count` values.
pub(super) unsafe fn set_priorities(
    device: &Object<Device>,
    count: u32,
    pageables: *const *mut c_void,
    priorities: *const u32,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    unsafe { check(device, count, pageables) }?;
    if count > 0 && priorities.is_null() {
        return Err(Failure::Argument("pPriorities is NULL"));
    }
    // Any number is a priority: the enumeration's are five of them.
    Ok(())
}
