//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12Debug2; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12Debug2: Class {
    /// ID3D12Debug2::SetGPUBasedValidationFlags, slot 3: (D3D12_GPU_BASED_VALIDATION_FLAGS).
    unsafe fn SetGPUBasedValidationFlags(this: &Object<Self>, _a0: u32) {
        not_implemented(this, "ID3D12Debug2::SetGPUBasedValidationFlags")
    }
}

/// The vtable of ID3D12Debug2.
#[repr(C)]
pub struct ID3D12Debug2Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub SetGPUBasedValidationFlags: unsafe extern "C" fn(*mut c_void, u32),
}

impl<T: ID3D12Debug2, F: Face<T>> Vtable<T, F> for ID3D12Debug2Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12Debug2];
    const LINUX: Self = ID3D12Debug2Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        SetGPUBasedValidationFlags: SetGPUBasedValidationFlags::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12Debug2Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        SetGPUBasedValidationFlags: SetGPUBasedValidationFlags::<T, F>,
    };
}

unsafe extern "C" fn SetGPUBasedValidationFlags<T: ID3D12Debug2, F: Face<T>>(this: *mut c_void, a0: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetGPUBasedValidationFlags(this, a0) })
}
