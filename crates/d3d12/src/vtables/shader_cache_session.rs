//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12ShaderCacheSession; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12ShaderCacheSession: Class {
    /// ID3D12ShaderCacheSession::FindValue, slot 8: (const void \*, UINT, void \*, UINT \*).
    unsafe fn FindValue(this: &Object<Self>, _a0: *const c_void, _a1: u32, _a2: *mut c_void, _a3: *mut u32) -> HRESULT {
        not_implemented(this, "ID3D12ShaderCacheSession::FindValue")
    }
    /// ID3D12ShaderCacheSession::StoreValue, slot 9: (const void \*, UINT, const void \*, UINT).
    unsafe fn StoreValue(this: &Object<Self>, _a0: *const c_void, _a1: u32, _a2: *const c_void, _a3: u32) -> HRESULT {
        not_implemented(this, "ID3D12ShaderCacheSession::StoreValue")
    }
    /// ID3D12ShaderCacheSession::SetDeleteOnDestroy, slot 10: ().
    unsafe fn SetDeleteOnDestroy(this: &Object<Self>) {
        not_implemented(this, "ID3D12ShaderCacheSession::SetDeleteOnDestroy")
    }
    /// ID3D12ShaderCacheSession::GetDesc, slot 11: ().
    unsafe fn GetDesc(this: &Object<Self>) -> D3D12_SHADER_CACHE_SESSION_DESC {
        not_implemented(this, "ID3D12ShaderCacheSession::GetDesc")
    }
}

/// The vtable of ID3D12ShaderCacheSession.
#[repr(C)]
pub struct ID3D12ShaderCacheSessionVtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, *mut u32, *mut c_void) -> HRESULT,
    pub SetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, u32, *const c_void) -> HRESULT,
    pub SetPrivateDataInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *const c_void) -> HRESULT,
    pub SetName: unsafe extern "C" fn(*mut c_void, *const c_void) -> HRESULT,
    pub GetDevice: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub FindValue: unsafe extern "C" fn(*mut c_void, *const c_void, u32, *mut c_void, *mut u32) -> HRESULT,
    pub StoreValue: unsafe extern "C" fn(*mut c_void, *const c_void, u32, *const c_void, u32) -> HRESULT,
    pub SetDeleteOnDestroy: unsafe extern "C" fn(*mut c_void),
    pub GetDesc: StructReturn,
}

impl<T: ID3D12ShaderCacheSession, F: Face<T>> Vtable<T, F> for ID3D12ShaderCacheSessionVtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12Object, super::IID_ID3D12DeviceChild, super::IID_ID3D12ShaderCacheSession];
    const LINUX: Self = ID3D12ShaderCacheSessionVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
        FindValue: FindValue::<T, F>,
        StoreValue: StoreValue::<T, F>,
        SetDeleteOnDestroy: SetDeleteOnDestroy::<T, F>,
        GetDesc: StructReturn::new(GetDesc::<T, F> as *const ()),
    };
    const EXPLICIT_RETURN: Self = ID3D12ShaderCacheSessionVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
        FindValue: FindValue::<T, F>,
        StoreValue: StoreValue::<T, F>,
        SetDeleteOnDestroy: SetDeleteOnDestroy::<T, F>,
        GetDesc: StructReturn::new(explicit_GetDesc::<T, F> as *const ()),
    };
}

unsafe extern "C" fn FindValue<T: ID3D12ShaderCacheSession, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: u32, a2: *mut c_void, a3: *mut u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::FindValue(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn StoreValue<T: ID3D12ShaderCacheSession, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: u32, a2: *const c_void, a3: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::StoreValue(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn SetDeleteOnDestroy<T: ID3D12ShaderCacheSession, F: Face<T>>(this: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetDeleteOnDestroy(this) })
}

unsafe extern "C" fn GetDesc<T: ID3D12ShaderCacheSession, F: Face<T>>(this: *mut c_void) -> D3D12_SHADER_CACHE_SESSION_DESC {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetDesc(this) })
}

unsafe extern "C" fn explicit_GetDesc<T: ID3D12ShaderCacheSession, F: Face<T>>(this: *mut c_void, result: *mut D3D12_SHADER_CACHE_SESSION_DESC) -> *mut D3D12_SHADER_CACHE_SESSION_DESC {
    // SAFETY: the arguments are the client's.
    let value = unsafe { GetDesc::<T, F>(this) };
    if !result.is_null() {
        // SAFETY: the client gives a place for the result.
        unsafe { result.write(value) };
    }
    result
}
