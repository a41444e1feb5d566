//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12Tools2; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12Tools2: Class {
    /// ID3D12Tools::EnableShaderInstrumentation, slot 3: (BOOL).
    unsafe fn EnableShaderInstrumentation(this: &Object<Self>, _a0: BOOL) {
        not_implemented(this, "ID3D12Tools::EnableShaderInstrumentation")
    }
    /// ID3D12Tools::ShaderInstrumentationEnabled, slot 4: ().
    unsafe fn ShaderInstrumentationEnabled(this: &Object<Self>) -> BOOL {
        not_implemented(this, "ID3D12Tools::ShaderInstrumentationEnabled")
    }
    /// ID3D12Tools1::ReserveGPUVARangesAtCreate, slot 5: (D3D12_GPU_VIRTUAL_ADDRESS_RANGE \*, UINT).
    unsafe fn ReserveGPUVARangesAtCreate(this: &Object<Self>, _a0: *mut D3D12_GPU_VIRTUAL_ADDRESS_RANGE, _a1: u32) -> HRESULT {
        not_implemented(this, "ID3D12Tools1::ReserveGPUVARangesAtCreate")
    }
    /// ID3D12Tools1::ClearReservedGPUVARangesList, slot 6: ().
    unsafe fn ClearReservedGPUVARangesList(this: &Object<Self>) {
        not_implemented(this, "ID3D12Tools1::ClearReservedGPUVARangesList")
    }
    /// ID3D12Tools2::SetApplicationSpecificDriverState, slot 7: (IUnknown \*, ID3DBlob \*).
    unsafe fn SetApplicationSpecificDriverState(this: &Object<Self>, _a0: *mut c_void, _a1: *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Tools2::SetApplicationSpecificDriverState")
    }
}

/// The vtable of ID3D12Tools2.
#[repr(C)]
pub struct ID3D12Tools2Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub EnableShaderInstrumentation: unsafe extern "C" fn(*mut c_void, BOOL),
    pub ShaderInstrumentationEnabled: unsafe extern "C" fn(*mut c_void) -> BOOL,
    pub ReserveGPUVARangesAtCreate: unsafe extern "C" fn(*mut c_void, *mut D3D12_GPU_VIRTUAL_ADDRESS_RANGE, u32) -> HRESULT,
    pub ClearReservedGPUVARangesList: unsafe extern "C" fn(*mut c_void),
    pub SetApplicationSpecificDriverState: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void) -> HRESULT,
}

impl<T: ID3D12Tools2, F: Face<T>> Vtable<T, F> for ID3D12Tools2Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12Tools, super::IID_ID3D12Tools1, super::IID_ID3D12Tools2];
    const LINUX: Self = ID3D12Tools2Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        EnableShaderInstrumentation: EnableShaderInstrumentation::<T, F>,
        ShaderInstrumentationEnabled: ShaderInstrumentationEnabled::<T, F>,
        ReserveGPUVARangesAtCreate: ReserveGPUVARangesAtCreate::<T, F>,
        ClearReservedGPUVARangesList: ClearReservedGPUVARangesList::<T, F>,
        SetApplicationSpecificDriverState: SetApplicationSpecificDriverState::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12Tools2Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        EnableShaderInstrumentation: EnableShaderInstrumentation::<T, F>,
        ShaderInstrumentationEnabled: ShaderInstrumentationEnabled::<T, F>,
        ReserveGPUVARangesAtCreate: ReserveGPUVARangesAtCreate::<T, F>,
        ClearReservedGPUVARangesList: ClearReservedGPUVARangesList::<T, F>,
        SetApplicationSpecificDriverState: SetApplicationSpecificDriverState::<T, F>,
    };
}

unsafe extern "C" fn EnableShaderInstrumentation<T: ID3D12Tools2, F: Face<T>>(this: *mut c_void, a0: BOOL) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EnableShaderInstrumentation(this, a0) })
}

unsafe extern "C" fn ShaderInstrumentationEnabled<T: ID3D12Tools2, F: Face<T>>(this: *mut c_void) -> BOOL {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ShaderInstrumentationEnabled(this) })
}

unsafe extern "C" fn ReserveGPUVARangesAtCreate<T: ID3D12Tools2, F: Face<T>>(this: *mut c_void, a0: *mut D3D12_GPU_VIRTUAL_ADDRESS_RANGE, a1: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ReserveGPUVARangesAtCreate(this, a0, a1) })
}

unsafe extern "C" fn ClearReservedGPUVARangesList<T: ID3D12Tools2, F: Face<T>>(this: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ClearReservedGPUVARangesList(this) })
}

unsafe extern "C" fn SetApplicationSpecificDriverState<T: ID3D12Tools2, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetApplicationSpecificDriverState(this, a0, a1) })
}
