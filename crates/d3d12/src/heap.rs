//! ID3D12Heap 0 and 1.

use core::ffi::c_void;
use core::ptr::NonNull;

use crate::com::{Held, Live, Object, class, faces};
use crate::convert;
use crate::device::Device;
use crate::types::{
    D3D12_GPU_VIRTUAL_ADDRESS_RANGE, D3D12_HEAP_DESC, DXGI_ERROR_NOT_FOUND, E_INVALIDARG, GUID, HRESULT, S_OK,
};
use crate::vtables::{ID3D12Heap1, ID3D12PageableTools};

/// A heap.
pub struct Heap {
    /// The library's; resources that are placed in it keep that.
    pub runtime: heapstone::Heap,
    desc: D3D12_HEAP_DESC,
}

class!(Heap, ID3D12Heap1Vtbl, "ID3D12Heap", {
    fn face(this: &Object<Heap>, iid: &GUID) -> Option<NonNull<c_void>> {
        faces!(Heap, this, iid, [ID3D12PageableToolsVtbl])
    }

    fn renamed(this: &Object<Heap>, name: &str) {
        this.runtime.set_name(name);
    }

    fn live(this: &Object<Heap>) -> Live {
        Live {
            size: Some(this.desc.SizeInBytes),
            // All but the object's own: placed resources, and GPU work.
            internal_count: this.runtime.handle_count().saturating_sub(1),
            is_heap: Some(this.runtime.identity()),
            in_heap: None,
        }
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

impl ID3D12PageableTools for Heap {
    unsafe fn GetAllocation(this: &Object<Self>, out: *mut D3D12_GPU_VIRTUAL_ADDRESS_RANGE) -> HRESULT {
        // SAFETY: the pointer is the client's.
        let Some(out) = (unsafe { out.as_mut() }) else { return E_INVALIDARG };
        let range = this.runtime.allocation();
        out.StartAddress = range.start_address.0;
        out.SizeInBytes = range.size_in_bytes;
        S_OK
    }
}
