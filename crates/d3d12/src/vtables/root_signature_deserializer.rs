//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12RootSignatureDeserializer; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12RootSignatureDeserializer: Class {
    /// ID3D12RootSignatureDeserializer::GetRootSignatureDesc, slot 3: ().
    unsafe fn GetRootSignatureDesc(this: &Object<Self>) -> *const D3D12_ROOT_SIGNATURE_DESC {
        not_implemented(this, "ID3D12RootSignatureDeserializer::GetRootSignatureDesc")
    }
}

/// The vtable of ID3D12RootSignatureDeserializer.
#[repr(C)]
pub struct ID3D12RootSignatureDeserializerVtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetRootSignatureDesc: unsafe extern "C" fn(*mut c_void) -> *const D3D12_ROOT_SIGNATURE_DESC,
}

impl<T: ID3D12RootSignatureDeserializer, F: Face<T>> Vtable<T, F> for ID3D12RootSignatureDeserializerVtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12RootSignatureDeserializer];
    const LINUX: Self = ID3D12RootSignatureDeserializerVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetRootSignatureDesc: GetRootSignatureDesc::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12RootSignatureDeserializerVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetRootSignatureDesc: GetRootSignatureDesc::<T, F>,
    };
}

unsafe extern "C" fn GetRootSignatureDesc<T: ID3D12RootSignatureDeserializer, F: Face<T>>(this: *mut c_void) -> *const D3D12_ROOT_SIGNATURE_DESC {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetRootSignatureDesc(this) })
}
