//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12DebugDevice2; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12DebugDevice2: Class {
    /// ID3D12DebugDevice::SetFeatureMask, slot 3: (D3D12_DEBUG_FEATURE).
    unsafe fn SetFeatureMask(this: &Object<Self>, _a0: u32) -> HRESULT {
        not_implemented(this, "ID3D12DebugDevice::SetFeatureMask")
    }
    /// ID3D12DebugDevice::GetFeatureMask, slot 4: ().
    unsafe fn GetFeatureMask(this: &Object<Self>) -> u32 {
        not_implemented(this, "ID3D12DebugDevice::GetFeatureMask")
    }
    /// ID3D12DebugDevice::ReportLiveDeviceObjects, slot 5: (D3D12_RLDO_FLAGS).
    unsafe fn ReportLiveDeviceObjects(this: &Object<Self>, _a0: u32) -> HRESULT {
        not_implemented(this, "ID3D12DebugDevice::ReportLiveDeviceObjects")
    }
    /// ID3D12DebugDevice2::SetDebugParameter, slot 6: (D3D12_DEBUG_DEVICE_PARAMETER_TYPE, const void \*, UINT).
    unsafe fn SetDebugParameter(this: &Object<Self>, _a0: u32, _a1: *const c_void, _a2: u32) -> HRESULT {
        not_implemented(this, "ID3D12DebugDevice2::SetDebugParameter")
    }
    /// ID3D12DebugDevice2::GetDebugParameter, slot 7: (D3D12_DEBUG_DEVICE_PARAMETER_TYPE, void \*, UINT).
    unsafe fn GetDebugParameter(this: &Object<Self>, _a0: u32, _a1: *mut c_void, _a2: u32) -> HRESULT {
        not_implemented(this, "ID3D12DebugDevice2::GetDebugParameter")
    }
}

/// The vtable of ID3D12DebugDevice2.
#[repr(C)]
pub struct ID3D12DebugDevice2Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub SetFeatureMask: unsafe extern "C" fn(*mut c_void, u32) -> HRESULT,
    pub GetFeatureMask: unsafe extern "C" fn(*mut c_void) -> u32,
    pub ReportLiveDeviceObjects: unsafe extern "C" fn(*mut c_void, u32) -> HRESULT,
    pub SetDebugParameter: unsafe extern "C" fn(*mut c_void, u32, *const c_void, u32) -> HRESULT,
    pub GetDebugParameter: unsafe extern "C" fn(*mut c_void, u32, *mut c_void, u32) -> HRESULT,
}

impl<T: ID3D12DebugDevice2, F: Face<T>> Vtable<T, F> for ID3D12DebugDevice2Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12DebugDevice, super::IID_ID3D12DebugDevice2];
    const LINUX: Self = ID3D12DebugDevice2Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        SetFeatureMask: SetFeatureMask::<T, F>,
        GetFeatureMask: GetFeatureMask::<T, F>,
        ReportLiveDeviceObjects: ReportLiveDeviceObjects::<T, F>,
        SetDebugParameter: SetDebugParameter::<T, F>,
        GetDebugParameter: GetDebugParameter::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12DebugDevice2Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        SetFeatureMask: SetFeatureMask::<T, F>,
        GetFeatureMask: GetFeatureMask::<T, F>,
        ReportLiveDeviceObjects: ReportLiveDeviceObjects::<T, F>,
        SetDebugParameter: SetDebugParameter::<T, F>,
        GetDebugParameter: GetDebugParameter::<T, F>,
    };
}

unsafe extern "C" fn SetFeatureMask<T: ID3D12DebugDevice2, F: Face<T>>(this: *mut c_void, a0: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetFeatureMask(this, a0) })
}

unsafe extern "C" fn GetFeatureMask<T: ID3D12DebugDevice2, F: Face<T>>(this: *mut c_void) -> u32 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetFeatureMask(this) })
}

unsafe extern "C" fn ReportLiveDeviceObjects<T: ID3D12DebugDevice2, F: Face<T>>(this: *mut c_void, a0: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ReportLiveDeviceObjects(this, a0) })
}

unsafe extern "C" fn SetDebugParameter<T: ID3D12DebugDevice2, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const c_void, a2: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetDebugParameter(this, a0, a1, a2) })
}

unsafe extern "C" fn GetDebugParameter<T: ID3D12DebugDevice2, F: Face<T>>(this: *mut c_void, a0: u32, a1: *mut c_void, a2: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetDebugParameter(this, a0, a1, a2) })
}
