//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12Heap1; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12Heap1: Class {
    /// ID3D12Heap::GetDesc, slot 8: ().
    unsafe fn GetDesc(this: &Object<Self>) -> D3D12_HEAP_DESC {
        not_implemented(this, "ID3D12Heap::GetDesc")
    }
    /// ID3D12Heap1::GetProtectedResourceSession, slot 9: (const IID &, void \*\*).
    unsafe fn GetProtectedResourceSession(this: &Object<Self>, _a0: *const GUID, _a1: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Heap1::GetProtectedResourceSession")
    }
}

/// The vtable of ID3D12Heap1.
#[repr(C)]
pub struct ID3D12Heap1Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, *mut u32, *mut c_void) -> HRESULT,
    pub SetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, u32, *const c_void) -> HRESULT,
    pub SetPrivateDataInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *const c_void) -> HRESULT,
    pub SetName: unsafe extern "C" fn(*mut c_void, *const c_void) -> HRESULT,
    pub GetDevice: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub GetDesc: StructReturn,
    pub GetProtectedResourceSession: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
}

impl<T: ID3D12Heap1, F: Face<T>> Vtable<T, F> for ID3D12Heap1Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12Object, super::IID_ID3D12DeviceChild, super::IID_ID3D12Pageable, super::IID_ID3D12Heap, super::IID_ID3D12Heap1];
    const LINUX: Self = ID3D12Heap1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
        GetDesc: StructReturn::new(GetDesc::<T, F> as *const ()),
        GetProtectedResourceSession: GetProtectedResourceSession::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12Heap1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
        GetDesc: StructReturn::new(explicit_GetDesc::<T, F> as *const ()),
        GetProtectedResourceSession: GetProtectedResourceSession::<T, F>,
    };
}

unsafe extern "C" fn GetDesc<T: ID3D12Heap1, F: Face<T>>(this: *mut c_void) -> D3D12_HEAP_DESC {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetDesc(this) })
}

unsafe extern "C" fn explicit_GetDesc<T: ID3D12Heap1, F: Face<T>>(this: *mut c_void, result: *mut D3D12_HEAP_DESC) -> *mut D3D12_HEAP_DESC {
    // SAFETY: the arguments are the client's.
    let value = unsafe { GetDesc::<T, F>(this) };
    if !result.is_null() {
        // SAFETY: the client gives a place for the result.
        unsafe { result.write(value) };
    }
    result
}

unsafe extern "C" fn GetProtectedResourceSession<T: ID3D12Heap1, F: Face<T>>(this: *mut c_void, a0: *const GUID, a1: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetProtectedResourceSession(this, a0, a1) })
}
