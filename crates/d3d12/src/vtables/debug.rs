//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12Debug6; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12Debug6: Class {
    /// ID3D12Debug::EnableDebugLayer, slot 3: ().
    unsafe fn EnableDebugLayer(this: &Object<Self>) {
        not_implemented(this, "ID3D12Debug::EnableDebugLayer")
    }
    /// ID3D12Debug3::SetEnableGPUBasedValidation, slot 4: (BOOL).
    unsafe fn SetEnableGPUBasedValidation(this: &Object<Self>, _a0: BOOL) {
        not_implemented(this, "ID3D12Debug3::SetEnableGPUBasedValidation")
    }
    /// ID3D12Debug3::SetEnableSynchronizedCommandQueueValidation, slot 5: (BOOL).
    unsafe fn SetEnableSynchronizedCommandQueueValidation(this: &Object<Self>, _a0: BOOL) {
        not_implemented(this, "ID3D12Debug3::SetEnableSynchronizedCommandQueueValidation")
    }
    /// ID3D12Debug3::SetGPUBasedValidationFlags, slot 6: (D3D12_GPU_BASED_VALIDATION_FLAGS).
    unsafe fn SetGPUBasedValidationFlags(this: &Object<Self>, _a0: u32) {
        not_implemented(this, "ID3D12Debug3::SetGPUBasedValidationFlags")
    }
    /// ID3D12Debug4::DisableDebugLayer, slot 7: ().
    unsafe fn DisableDebugLayer(this: &Object<Self>) {
        not_implemented(this, "ID3D12Debug4::DisableDebugLayer")
    }
    /// ID3D12Debug5::SetEnableAutoName, slot 8: (BOOL).
    unsafe fn SetEnableAutoName(this: &Object<Self>, _a0: BOOL) {
        not_implemented(this, "ID3D12Debug5::SetEnableAutoName")
    }
    /// ID3D12Debug6::SetForceLegacyBarrierValidation, slot 9: (BOOL).
    unsafe fn SetForceLegacyBarrierValidation(this: &Object<Self>, _a0: BOOL) {
        not_implemented(this, "ID3D12Debug6::SetForceLegacyBarrierValidation")
    }
}

/// The vtable of ID3D12Debug6.
#[repr(C)]
pub struct ID3D12Debug6Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub EnableDebugLayer: unsafe extern "C" fn(*mut c_void),
    pub SetEnableGPUBasedValidation: unsafe extern "C" fn(*mut c_void, BOOL),
    pub SetEnableSynchronizedCommandQueueValidation: unsafe extern "C" fn(*mut c_void, BOOL),
    pub SetGPUBasedValidationFlags: unsafe extern "C" fn(*mut c_void, u32),
    pub DisableDebugLayer: unsafe extern "C" fn(*mut c_void),
    pub SetEnableAutoName: unsafe extern "C" fn(*mut c_void, BOOL),
    pub SetForceLegacyBarrierValidation: unsafe extern "C" fn(*mut c_void, BOOL),
}

impl<T: ID3D12Debug6, F: Face<T>> Vtable<T, F> for ID3D12Debug6Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12Debug, super::IID_ID3D12Debug3, super::IID_ID3D12Debug4, super::IID_ID3D12Debug5, super::IID_ID3D12Debug6];
    const LINUX: Self = ID3D12Debug6Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        EnableDebugLayer: EnableDebugLayer::<T, F>,
        SetEnableGPUBasedValidation: SetEnableGPUBasedValidation::<T, F>,
        SetEnableSynchronizedCommandQueueValidation: SetEnableSynchronizedCommandQueueValidation::<T, F>,
        SetGPUBasedValidationFlags: SetGPUBasedValidationFlags::<T, F>,
        DisableDebugLayer: DisableDebugLayer::<T, F>,
        SetEnableAutoName: SetEnableAutoName::<T, F>,
        SetForceLegacyBarrierValidation: SetForceLegacyBarrierValidation::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12Debug6Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        EnableDebugLayer: EnableDebugLayer::<T, F>,
        SetEnableGPUBasedValidation: SetEnableGPUBasedValidation::<T, F>,
        SetEnableSynchronizedCommandQueueValidation: SetEnableSynchronizedCommandQueueValidation::<T, F>,
        SetGPUBasedValidationFlags: SetGPUBasedValidationFlags::<T, F>,
        DisableDebugLayer: DisableDebugLayer::<T, F>,
        SetEnableAutoName: SetEnableAutoName::<T, F>,
        SetForceLegacyBarrierValidation: SetForceLegacyBarrierValidation::<T, F>,
    };
}

unsafe extern "C" fn EnableDebugLayer<T: ID3D12Debug6, F: Face<T>>(this: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EnableDebugLayer(this) })
}

unsafe extern "C" fn SetEnableGPUBasedValidation<T: ID3D12Debug6, F: Face<T>>(this: *mut c_void, a0: BOOL) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetEnableGPUBasedValidation(this, a0) })
}

unsafe extern "C" fn SetEnableSynchronizedCommandQueueValidation<T: ID3D12Debug6, F: Face<T>>(this: *mut c_void, a0: BOOL) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetEnableSynchronizedCommandQueueValidation(this, a0) })
}

unsafe extern "C" fn SetGPUBasedValidationFlags<T: ID3D12Debug6, F: Face<T>>(this: *mut c_void, a0: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetGPUBasedValidationFlags(this, a0) })
}

unsafe extern "C" fn DisableDebugLayer<T: ID3D12Debug6, F: Face<T>>(this: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::DisableDebugLayer(this) })
}

unsafe extern "C" fn SetEnableAutoName<T: ID3D12Debug6, F: Face<T>>(this: *mut c_void, a0: BOOL) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetEnableAutoName(this, a0) })
}

unsafe extern "C" fn SetForceLegacyBarrierValidation<T: ID3D12Debug6, F: Face<T>>(this: *mut c_void, a0: BOOL) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetForceLegacyBarrierValidation(this, a0) })
}
