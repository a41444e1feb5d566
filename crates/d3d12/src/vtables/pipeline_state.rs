//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12PipelineState1; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12PipelineState1: Class {
    /// ID3D12PipelineState::GetCachedBlob, slot 8: (ID3DBlob \*\*).
    unsafe fn GetCachedBlob(this: &Object<Self>, _a0: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12PipelineState::GetCachedBlob")
    }
    /// ID3D12PipelineState1::GetRootSignature, slot 9: (const IID &, void \*\*).
    unsafe fn GetRootSignature(this: &Object<Self>, _a0: *const GUID, _a1: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12PipelineState1::GetRootSignature")
    }
}

/// The vtable of ID3D12PipelineState1.
#[repr(C)]
pub struct ID3D12PipelineState1Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, *mut u32, *mut c_void) -> HRESULT,
    pub SetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, u32, *const c_void) -> HRESULT,
    pub SetPrivateDataInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *const c_void) -> HRESULT,
    pub SetName: unsafe extern "C" fn(*mut c_void, *const c_void) -> HRESULT,
    pub GetDevice: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub GetCachedBlob: unsafe extern "C" fn(*mut c_void, *mut *mut c_void) -> HRESULT,
    pub GetRootSignature: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
}

impl<T: ID3D12PipelineState1, F: Face<T>> Vtable<T, F> for ID3D12PipelineState1Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12Object, super::IID_ID3D12DeviceChild, super::IID_ID3D12Pageable, super::IID_ID3D12PipelineState, super::IID_ID3D12PipelineState1];
    const LINUX: Self = ID3D12PipelineState1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
        GetCachedBlob: GetCachedBlob::<T, F>,
        GetRootSignature: GetRootSignature::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12PipelineState1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
        GetCachedBlob: GetCachedBlob::<T, F>,
        GetRootSignature: GetRootSignature::<T, F>,
    };
}

unsafe extern "C" fn GetCachedBlob<T: ID3D12PipelineState1, F: Face<T>>(this: *mut c_void, a0: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetCachedBlob(this, a0) })
}

unsafe extern "C" fn GetRootSignature<T: ID3D12PipelineState1, F: Face<T>>(this: *mut c_void, a0: *const GUID, a1: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetRootSignature(this, a0, a1) })
}
