//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12VersionedRootSignatureDeserializer; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12VersionedRootSignatureDeserializer: Class {
    /// ID3D12VersionedRootSignatureDeserializer::GetRootSignatureDescAtVersion, slot 3: (D3D_ROOT_SIGNATURE_VERSION, const D3D12_VERSIONED_ROOT_SIGNATURE_DESC \*\*).
    unsafe fn GetRootSignatureDescAtVersion(this: &Object<Self>, _a0: u32, _a1: *mut *const D3D12_VERSIONED_ROOT_SIGNATURE_DESC) -> HRESULT {
        not_implemented(this, "ID3D12VersionedRootSignatureDeserializer::GetRootSignatureDescAtVersion")
    }
    /// ID3D12VersionedRootSignatureDeserializer::GetUnconvertedRootSignatureDesc, slot 4: ().
    unsafe fn GetUnconvertedRootSignatureDesc(this: &Object<Self>) -> *const D3D12_VERSIONED_ROOT_SIGNATURE_DESC {
        not_implemented(this, "ID3D12VersionedRootSignatureDeserializer::GetUnconvertedRootSignatureDesc")
    }
}

/// The vtable of ID3D12VersionedRootSignatureDeserializer.
#[repr(C)]
pub struct ID3D12VersionedRootSignatureDeserializerVtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetRootSignatureDescAtVersion: unsafe extern "C" fn(*mut c_void, u32, *mut *const D3D12_VERSIONED_ROOT_SIGNATURE_DESC) -> HRESULT,
    pub GetUnconvertedRootSignatureDesc: unsafe extern "C" fn(*mut c_void) -> *const D3D12_VERSIONED_ROOT_SIGNATURE_DESC,
}

impl<T: ID3D12VersionedRootSignatureDeserializer, F: Face<T>> Vtable<T, F> for ID3D12VersionedRootSignatureDeserializerVtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12VersionedRootSignatureDeserializer];
    const LINUX: Self = ID3D12VersionedRootSignatureDeserializerVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetRootSignatureDescAtVersion: GetRootSignatureDescAtVersion::<T, F>,
        GetUnconvertedRootSignatureDesc: GetUnconvertedRootSignatureDesc::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12VersionedRootSignatureDeserializerVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetRootSignatureDescAtVersion: GetRootSignatureDescAtVersion::<T, F>,
        GetUnconvertedRootSignatureDesc: GetUnconvertedRootSignatureDesc::<T, F>,
    };
}

unsafe extern "C" fn GetRootSignatureDescAtVersion<T: ID3D12VersionedRootSignatureDeserializer, F: Face<T>>(this: *mut c_void, a0: u32, a1: *mut *const D3D12_VERSIONED_ROOT_SIGNATURE_DESC) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetRootSignatureDescAtVersion(this, a0, a1) })
}

unsafe extern "C" fn GetUnconvertedRootSignatureDesc<T: ID3D12VersionedRootSignatureDeserializer, F: Face<T>>(this: *mut c_void) -> *const D3D12_VERSIONED_ROOT_SIGNATURE_DESC {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetUnconvertedRootSignatureDesc(this) })
}
