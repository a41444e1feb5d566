//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D10Blob; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D10Blob: Class {
    /// ID3D10Blob::GetBufferPointer, slot 3: ().
    unsafe fn GetBufferPointer(this: &Object<Self>) -> *mut c_void {
        not_implemented(this, "ID3D10Blob::GetBufferPointer")
    }
    /// ID3D10Blob::GetBufferSize, slot 4: ().
    unsafe fn GetBufferSize(this: &Object<Self>) -> usize {
        not_implemented(this, "ID3D10Blob::GetBufferSize")
    }
}

/// The vtable of ID3D10Blob.
#[repr(C)]
pub struct ID3D10BlobVtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetBufferPointer: unsafe extern "C" fn(*mut c_void) -> *mut c_void,
    pub GetBufferSize: unsafe extern "C" fn(*mut c_void) -> usize,
}

impl<T: ID3D10Blob, F: Face<T>> Vtable<T, F> for ID3D10BlobVtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D10Blob];
    const LINUX: Self = ID3D10BlobVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetBufferPointer: GetBufferPointer::<T, F>,
        GetBufferSize: GetBufferSize::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D10BlobVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetBufferPointer: GetBufferPointer::<T, F>,
        GetBufferSize: GetBufferSize::<T, F>,
    };
}

unsafe extern "C" fn GetBufferPointer<T: ID3D10Blob, F: Face<T>>(this: *mut c_void) -> *mut c_void {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetBufferPointer(this) })
}

unsafe extern "C" fn GetBufferSize<T: ID3D10Blob, F: Face<T>>(this: *mut c_void) -> usize {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetBufferSize(this) })
}
