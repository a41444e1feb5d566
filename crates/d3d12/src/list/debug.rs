//! ID3D12DebugCommandList 0 to 3: 1 is an interface of its own.

use core::ffi::c_void;

use super::GraphicsCommandList;
use crate::com::Object;
use crate::device::debug_device::Parameters;
use crate::states::{self, Asserted, Of};
use crate::types::{BOOL, HRESULT, S_OK};
use crate::vtables::{ID3D12DebugCommandList1, ID3D12DebugCommandList3};

/// Settings of GPU-based validation.
const PARAMETERS: Parameters = Parameters("D3D12_DEBUG_COMMAND_LIST_PARAMETER_TYPE", &[4]);

impl ID3D12DebugCommandList3 for GraphicsCommandList {
    /// TRUE of what no barrier of the list told.
    unsafe fn AssertResourceState(
        this: &Object<Self>,
        resource: *mut c_void,
        subresource: u32,
        state: u32,
    ) -> BOOL {
        // SAFETY: the pointer is the client's.
        unsafe { assert(this, resource, subresource, Asserted::State(state)) }
    }

    unsafe fn SetFeatureMask(this: &Object<Self>, mask: u32) -> HRESULT {
        this.debug.set_feature_mask(mask);
        S_OK
    }

    unsafe fn GetFeatureMask(this: &Object<Self>) -> u32 {
        this.debug.feature_mask()
    }

    unsafe fn SetDebugParameter(this: &Object<Self>, kind: u32, data: *const c_void, length: u32) -> HRESULT {
        // SAFETY: the client gives as many bytes as it says.
        this.device().done(|| unsafe { this.debug.set_parameter(&PARAMETERS, kind, data, length) })
    }

    unsafe fn GetDebugParameter(this: &Object<Self>, kind: u32, data: *mut c_void, length: u32) -> HRESULT {
        // SAFETY: the client gives room for as many bytes as it says.
        this.device().done(|| unsafe { this.debug.parameter(&PARAMETERS, kind, data, length) })
    }

    unsafe fn AssertResourceAccess(
        this: &Object<Self>,
        resource: *mut c_void,
        subresource: u32,
        access: u32,
    ) {
        // SAFETY: the pointer is the client's.
        let _ = unsafe { assert(this, resource, subresource, Asserted::Access(access)) };
    }

    unsafe fn AssertTextureLayout(this: &Object<Self>, resource: *mut c_void, subresource: u32, layout: u32) {
        // SAFETY: the pointer is the client's.
        let _ = unsafe { assert(this, resource, subresource, Asserted::Layout(layout)) };
    }
}

impl ID3D12DebugCommandList1 for GraphicsCommandList {
    unsafe fn AssertResourceState(
        this: &Object<Self>,
        resource: *mut c_void,
        subresource: u32,
        state: u32,
    ) -> BOOL {
        // SAFETY: the pointer is the client's.
        unsafe { assert(this, resource, subresource, Asserted::State(state)) }
    }

    unsafe fn SetDebugParameter(this: &Object<Self>, kind: u32, data: *const c_void, length: u32) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { <Self as ID3D12DebugCommandList3>::SetDebugParameter(this, kind, data, length) }
    }

    unsafe fn GetDebugParameter(this: &Object<Self>, kind: u32, data: *mut c_void, length: u32) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { <Self as ID3D12DebugCommandList3>::GetDebugParameter(this, kind, data, length) }
    }
}

unsafe fn assert(
    this: &Object<GraphicsCommandList>,
    resource: *mut c_void,
    subresource: u32,
    asserted: Asserted,
) -> BOOL {
    let look_up = |number, begins| this.states.lock().known(number, begins);
    // SAFETY: the caller's promise.
    unsafe { states::check(this.device(), look_up, Of::List, resource, subresource, asserted) }
}
