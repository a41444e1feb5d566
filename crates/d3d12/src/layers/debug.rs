//! ID3D12Debug 0 to 6: ID3D12Debug1 and 2 are interfaces of their own.

use core::ffi::c_void;
use core::ptr::NonNull;
use core::sync::atomic::Ordering;

use super::global;
use crate::com::{Object, class, faces};
use crate::types::{BOOL, GUID};
use crate::vtables::{ID3D12Debug1, ID3D12Debug2, ID3D12Debug6};

/// The debug layer's switches. What the layer would find on a GPU does not exist here: those switches change nothing.
pub struct Debug;

class!(Debug, ID3D12Debug6Vtbl, "ID3D12Debug", {
    fn face(this: &Object<Debug>, iid: &GUID) -> Option<NonNull<c_void>> {
        faces!(Debug, this, iid, [ID3D12Debug1Vtbl, ID3D12Debug2Vtbl])
    }
});

impl ID3D12Debug6 for Debug {
    unsafe fn EnableDebugLayer(_this: &Object<Self>) {
        global().debug_layer.store(true, Ordering::Relaxed);
    }

    unsafe fn DisableDebugLayer(_this: &Object<Self>) {
        global().debug_layer.store(false, Ordering::Relaxed);
    }

    unsafe fn SetEnableGPUBasedValidation(_this: &Object<Self>, _enable: BOOL) {}

    unsafe fn SetEnableSynchronizedCommandQueueValidation(_this: &Object<Self>, _enable: BOOL) {}

    unsafe fn SetGPUBasedValidationFlags(_this: &Object<Self>, _flags: u32) {}

    unsafe fn SetEnableAutoName(_this: &Object<Self>, _enable: BOOL) {}

    unsafe fn SetForceLegacyBarrierValidation(_this: &Object<Self>, _enable: BOOL) {}
}

impl ID3D12Debug1 for Debug {
    unsafe fn EnableDebugLayer(_this: &Object<Self>) {
        global().debug_layer.store(true, Ordering::Relaxed);
    }

    unsafe fn SetEnableGPUBasedValidation(_this: &Object<Self>, _enable: BOOL) {}

    unsafe fn SetEnableSynchronizedCommandQueueValidation(_this: &Object<Self>, _enable: BOOL) {}
}

impl ID3D12Debug2 for Debug {
    unsafe fn SetGPUBasedValidationFlags(_this: &Object<Self>, _flags: u32) {}
}
