//! ID3D12CommandAllocator.

use core::ffi::c_void;

use crate::com::{Object, class, deliver};
use crate::device::Device;
use crate::types::{GUID, HRESULT};
use crate::vtables::ID3D12CommandAllocator;

/// A command allocator.
pub struct CommandAllocator {
    /// The library's.
    pub runtime: heapstone::CommandAllocator,
    /// As the client named it: the library has no bundles.
    pub list_type: u32,
}

class!(CommandAllocator, ID3D12CommandAllocatorVtbl, "ID3D12CommandAllocator", {
    fn renamed(this: &Object<CommandAllocator>, name: &str) {
        this.runtime.set_name(name);
    }
});

/// ID3D12Device::CreateCommandAllocator.
pub(crate) unsafe fn create(
    this: &Object<Device>,
    list_type: u32,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || {
        let runtime = this.runtime.create_command_allocator(crate::list::runtime_type(list_type)?)?;
        Ok(Object::create(CommandAllocator { runtime, list_type }, Some(this), this.convention()))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}

impl ID3D12CommandAllocator for CommandAllocator {
    unsafe fn Reset(this: &Object<Self>) -> HRESULT {
        this.device().done(|| Ok(this.runtime.reset()?))
    }
}
