//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12SDKConfiguration1; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12SDKConfiguration1: Class {
    /// ID3D12SDKConfiguration::SetSDKVersion, slot 3: (UINT, LPCSTR).
    unsafe fn SetSDKVersion(this: &Object<Self>, _a0: u32, _a1: *const c_char) -> HRESULT {
        not_implemented(this, "ID3D12SDKConfiguration::SetSDKVersion")
    }
    /// ID3D12SDKConfiguration1::CreateDeviceFactory, slot 4: (UINT, LPCSTR, const IID &, void \*\*).
    unsafe fn CreateDeviceFactory(this: &Object<Self>, _a0: u32, _a1: *const c_char, _a2: *const GUID, _a3: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12SDKConfiguration1::CreateDeviceFactory")
    }
    /// ID3D12SDKConfiguration1::FreeUnusedSDKs, slot 5: ().
    unsafe fn FreeUnusedSDKs(this: &Object<Self>) {
        not_implemented(this, "ID3D12SDKConfiguration1::FreeUnusedSDKs")
    }
}

/// The vtable of ID3D12SDKConfiguration1.
#[repr(C)]
pub struct ID3D12SDKConfiguration1Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub SetSDKVersion: unsafe extern "C" fn(*mut c_void, u32, *const c_char) -> HRESULT,
    pub CreateDeviceFactory: unsafe extern "C" fn(*mut c_void, u32, *const c_char, *const GUID, *mut *mut c_void) -> HRESULT,
    pub FreeUnusedSDKs: unsafe extern "C" fn(*mut c_void),
}

impl<T: ID3D12SDKConfiguration1, F: Face<T>> Vtable<T, F> for ID3D12SDKConfiguration1Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12SDKConfiguration, super::IID_ID3D12SDKConfiguration1];
    const LINUX: Self = ID3D12SDKConfiguration1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        SetSDKVersion: SetSDKVersion::<T, F>,
        CreateDeviceFactory: CreateDeviceFactory::<T, F>,
        FreeUnusedSDKs: FreeUnusedSDKs::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12SDKConfiguration1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        SetSDKVersion: SetSDKVersion::<T, F>,
        CreateDeviceFactory: CreateDeviceFactory::<T, F>,
        FreeUnusedSDKs: FreeUnusedSDKs::<T, F>,
    };
}

unsafe extern "C" fn SetSDKVersion<T: ID3D12SDKConfiguration1, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const c_char) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetSDKVersion(this, a0, a1) })
}

unsafe extern "C" fn CreateDeviceFactory<T: ID3D12SDKConfiguration1, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const c_char, a2: *const GUID, a3: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateDeviceFactory(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn FreeUnusedSDKs<T: ID3D12SDKConfiguration1, F: Face<T>>(this: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::FreeUnusedSDKs(this) })
}
