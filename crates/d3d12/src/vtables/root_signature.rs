//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12RootSignature; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12RootSignature: Class {
}

/// The vtable of ID3D12RootSignature.
#[repr(C)]
pub struct ID3D12RootSignatureVtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, *mut u32, *mut c_void) -> HRESULT,
    pub SetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, u32, *const c_void) -> HRESULT,
    pub SetPrivateDataInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *const c_void) -> HRESULT,
    pub SetName: unsafe extern "C" fn(*mut c_void, *const c_void) -> HRESULT,
    pub GetDevice: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
}

impl<T: ID3D12RootSignature, F: Face<T>> Vtable<T, F> for ID3D12RootSignatureVtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12Object, super::IID_ID3D12DeviceChild, super::IID_ID3D12RootSignature];
    const LINUX: Self = ID3D12RootSignatureVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12RootSignatureVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
    };
}
