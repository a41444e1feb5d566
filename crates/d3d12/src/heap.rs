//! ID3D12Heap 0 and 1.

use core::ffi::c_void;

use crate::com::{Held, Object, class};
use crate::convert;
use crate::device::Device;
use crate::types::{D3D12_HEAP_DESC, DXGI_ERROR_NOT_FOUND, GUID, HRESULT};
use crate::vtables::ID3D12Heap1;

/// A heap.
pub struct Heap {
    /// The library's; resources that are placed in it keep that.
    pub runtime: heapstone::Heap,
    desc: D3D12_HEAP_DESC,
}

class!(Heap, ID3D12Heap1Vtbl, "ID3D12Heap", {
    fn renamed(this: &Object<Heap>, name: &str) {
        this.runtime.set_name(name);
    }
});

impl Heap {
    /// The object of a heap.
    #[must_use]
    pub fn create(device: &Object<Device>, runtime: heapstone::Heap) -> Held<Heap> {
        let desc = convert::to_heap_desc(&runtime.desc());
        Object::create(Heap { runtime, desc }, Some(device), device.convention())
    }
}

impl ID3D12Heap1 for Heap {
    unsafe fn GetDesc(this: &Object<Self>) -> D3D12_HEAP_DESC {
        this.desc
    }

    unsafe fn GetProtectedResourceSession(
        _this: &Object<Self>,
        _iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the pointer is the client's.
        unsafe { no_session(out) }
    }
}

/// Of a heap or resource that no protected session protects.
///
/// # Safety
/// `out` is NULL or points to a place for a pointer.
pub(crate) unsafe fn no_session(out: *mut *mut c_void) -> HRESULT {
    if !out.is_null() {
        // SAFETY: the caller's promise.
        unsafe { out.write(core::ptr::null_mut()) };
    }
    DXGI_ERROR_NOT_FOUND
}
