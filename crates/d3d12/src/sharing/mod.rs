//! CreateSharedHandle, OpenSharedHandle, OpenSharedHandleByName (spec/2-resource-heaps.txt 75-101): heaps, committed
//! resources and fences that processes share.
//!
//! ```text
//!   handle = a file in memory, cast to a pointer       of a heap or resource         of a fence
//!                                                       | bytes of the heap |         | description | value, count |
//!                                                       | description       |
//!   name = a symbolic link in a folder of the user's alone: "process:descriptor:inode"
//! ```
//! A handle is the client's to close, as a file; it goes to other processes as files do (fork, SCM_RIGHTS), or by its
//! name. What is shared lives as long as an object or a handle of it does, in whichever process, so that a process
//! that dies takes nothing from the others, and leaves nothing but the link of a name, which the next use of the folder
//! removes.
//!
//! Another process may have written anything: sizes are sealed before a file is used, and its description is copied,
//! read with checks, and then judged by the rules of creation.

mod description;
mod fence;
mod names;

use core::ffi::c_void;
use core::ptr;
use std::os::fd::{AsFd, BorrowedFd, IntoRawFd, OwnedFd};

use heapstone::CommittedResourceDesc;

use crate::com::{Object, deliver, from_client, text};
use crate::device::Device;
use crate::failure::Failure;
use crate::fence::Fence;
use crate::heap::Heap;
use crate::resource::Resource;
use crate::types::{E_HANDLE, E_OUTOFMEMORY, E_POINTER, GUID, HRESULT, SECURITY_ATTRIBUTES};

use description::{Description, Kind};
pub use fence::SharedFence;

/// The one set of rights that D3D12 knows (Microsoft's documentation of CreateSharedHandle).
const GENERIC_ALL: u32 = 0x1000_0000;

/// ID3D12Device::CreateSharedHandle.
///
/// # Safety
/// The arguments are as D3D12 wants them.
pub(crate) unsafe fn create_handle(
    this: &Object<Device>,
    object: *mut c_void,
    attributes: *const SECURITY_ATTRIBUTES,
    access: u32,
    name: *const c_void,
    out: *mut *mut c_void,
) -> HRESULT {
    this.done(|| {
        if out.is_null() {
            return Err(Failure::Argument("pHandle is NULL"));
        }
        // SAFETY: the client's place for the handle.
        unsafe { out.write(ptr::null_mut()) };
        check_access(access)?;
        // SAFETY: the arguments are the client's.
        let file = unsafe { file_of(this, object) }?;
        // SAFETY: as above.
        if unsafe { attributes.as_ref() }.is_some_and(|attributes| attributes.bInheritHandle != 0) {
            rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty()).map_err(|_| E_OUTOFMEMORY)?;
        }
        // SAFETY: as above.
        if let Some(name) = unsafe { text::wide(name, this.convention()) } {
            names::enter(&name, &file)?;
        }
        // SAFETY: as above.
        unsafe { out.write(to_handle(file)) };
        Ok(())
    })
}

/// ID3D12Device::OpenSharedHandle.
///
/// # Safety
/// The arguments are as D3D12 wants them.
pub(crate) unsafe fn open_handle(
    this: &Object<Device>,
    handle: *mut c_void,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let opened = (|| {
        // SAFETY: only duplicated, which fails where it is not open.
        let file = unsafe { from_handle(handle) }?;
        let description = Description::read(file.as_fd())?;
        Ok((file, description))
    })();
    let (file, description) = match opened {
        Ok(opened) => opened,
        Err(failure) => return this.fail(&failure),
    };
    // SAFETY: the arguments are the client's.
    unsafe {
        match description.kind {
            Kind::Heap => deliver(iid, out, || {
                this.attempt(|| {
                    let desc = description.heap(this.runtime.profile())?;
                    Ok(Heap::create(this, this.runtime.open_shared_heap(&desc, file)?))
                })
            }),
            Kind::Resource => deliver(iid, out, || {
                this.attempt(|| {
                    let (desc, formats) = description.resource(this.runtime.profile())?;
                    let desc = CommittedResourceDesc { castable_formats: &formats, ..desc };
                    Ok(Resource::create(this, this.runtime.open_shared_resource(&desc, file)?))
                })
            }),
            Kind::Fence => {
                deliver(iid, out, || this.attempt(|| Fence::open(this, description.fence_flags()?, file)))
            }
        }
    }
}

/// ID3D12Device::OpenSharedHandleByName.
///
/// # Safety
/// The arguments are as D3D12 wants them.
pub(crate) unsafe fn open_by_name(
    this: &Object<Device>,
    name: *const c_void,
    access: u32,
    out: *mut *mut c_void,
) -> HRESULT {
    this.done(|| {
        if out.is_null() {
            return Err(Failure::Code(E_POINTER));
        }
        // SAFETY: the client's place for the handle.
        unsafe { out.write(ptr::null_mut()) };
        check_access(access)?;
        // SAFETY: the arguments are the client's.
        let name = unsafe { text::wide(name, this.convention()) }.ok_or(Failure::Argument("Name is NULL"))?;
        let file = names::find(&name)?;
        // SAFETY: as above.
        unsafe { out.write(to_handle(file)) };
        Ok(())
    })
}

fn check_access(access: u32) -> Result<(), Failure> {
    if access == GENERIC_ALL { Ok(()) } else { Err(Failure::Argument("Access is not GENERIC_ALL")) }
}

/// A new handle of what the client names, with its description.
unsafe fn file_of(this: &Object<Device>, object: *mut c_void) -> Result<OwnedFd, Failure> {
    let is_ours = |device: &Object<Device>| ptr::eq(device, this);
    // SAFETY: the argument is the client's.
    if let Some(heap) = unsafe { from_client::<Heap>(object) }.filter(|heap| is_ours(heap.device())) {
        let file = heap.runtime.create_shared_handle()?;
        Description::of_heap(&heap.runtime, this.runtime.profile()).write(file.as_fd())?;
        return Ok(file);
    }
    // SAFETY: as above.
    if let Some(resource) = unsafe { from_client::<Resource>(object) }.filter(|made| is_ours(made.device())) {
        let file = resource.runtime.create_shared_handle()?;
        Description::of_resource(&resource.runtime, this.runtime.profile())?.write(file.as_fd())?;
        return Ok(file);
    }
    // SAFETY: as above.
    match unsafe { from_client::<Fence>(object) }.filter(|fence| is_ours(fence.device())) {
        Some(fence) => fence.share(),
        None => Err(Failure::Argument("pObject is no heap, resource or fence of this device")),
    }
}

/// The handle is the client's to close.
fn to_handle(file: OwnedFd) -> *mut c_void {
    let descriptor =
        usize::try_from(file.into_raw_fd()).expect("invariant: an open descriptor is no negative number");
    ptr::without_provenance_mut(descriptor)
}

/// Another handle of what the client's handle is of.
pub(crate) unsafe fn from_handle(handle: *mut c_void) -> Result<OwnedFd, Failure> {
    if handle.is_null() {
        return Err(Failure::Argument("NTHandle is NULL"));
    }
    let descriptor = i32::try_from(handle.addr()).map_err(|_| E_HANDLE)?;
    // SAFETY: only duplicated, which the kernel refuses of a number that is not open.
    let borrowed = unsafe { BorrowedFd::borrow_raw(descriptor) };
    rustix::io::fcntl_dupfd_cloexec(borrowed, 3).map_err(|_| E_HANDLE.into())
}
