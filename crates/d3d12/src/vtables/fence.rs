//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12Fence1; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12Fence1: Class {
    /// ID3D12Fence::GetCompletedValue, slot 8: ().
    unsafe fn GetCompletedValue(this: &Object<Self>) -> u64 {
        not_implemented(this, "ID3D12Fence::GetCompletedValue")
    }
    /// ID3D12Fence::SetEventOnCompletion, slot 9: (UINT64, HANDLE).
    unsafe fn SetEventOnCompletion(this: &Object<Self>, _a0: u64, _a1: *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Fence::SetEventOnCompletion")
    }
    /// ID3D12Fence::Signal, slot 10: (UINT64).
    unsafe fn Signal(this: &Object<Self>, _a0: u64) -> HRESULT {
        not_implemented(this, "ID3D12Fence::Signal")
    }
    /// ID3D12Fence1::GetCreationFlags, slot 11: ().
    unsafe fn GetCreationFlags(this: &Object<Self>) -> u32 {
        not_implemented(this, "ID3D12Fence1::GetCreationFlags")
    }
}

/// The vtable of ID3D12Fence1.
#[repr(C)]
pub struct ID3D12Fence1Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, *mut u32, *mut c_void) -> HRESULT,
    pub SetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, u32, *const c_void) -> HRESULT,
    pub SetPrivateDataInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *const c_void) -> HRESULT,
    pub SetName: unsafe extern "C" fn(*mut c_void, *const c_void) -> HRESULT,
    pub GetDevice: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub GetCompletedValue: unsafe extern "C" fn(*mut c_void) -> u64,
    pub SetEventOnCompletion: unsafe extern "C" fn(*mut c_void, u64, *mut c_void) -> HRESULT,
    pub Signal: unsafe extern "C" fn(*mut c_void, u64) -> HRESULT,
    pub GetCreationFlags: unsafe extern "C" fn(*mut c_void) -> u32,
}

impl<T: ID3D12Fence1, F: Face<T>> Vtable<T, F> for ID3D12Fence1Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12Object, super::IID_ID3D12DeviceChild, super::IID_ID3D12Pageable, super::IID_ID3D12Fence, super::IID_ID3D12Fence1];
    const LINUX: Self = ID3D12Fence1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
        GetCompletedValue: GetCompletedValue::<T, F>,
        SetEventOnCompletion: SetEventOnCompletion::<T, F>,
        Signal: Signal::<T, F>,
        GetCreationFlags: GetCreationFlags::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12Fence1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
        GetCompletedValue: GetCompletedValue::<T, F>,
        SetEventOnCompletion: SetEventOnCompletion::<T, F>,
        Signal: Signal::<T, F>,
        GetCreationFlags: GetCreationFlags::<T, F>,
    };
}

unsafe extern "C" fn GetCompletedValue<T: ID3D12Fence1, F: Face<T>>(this: *mut c_void) -> u64 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetCompletedValue(this) })
}

unsafe extern "C" fn SetEventOnCompletion<T: ID3D12Fence1, F: Face<T>>(this: *mut c_void, a0: u64, a1: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetEventOnCompletion(this, a0, a1) })
}

unsafe extern "C" fn Signal<T: ID3D12Fence1, F: Face<T>>(this: *mut c_void, a0: u64) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::Signal(this, a0) })
}

unsafe extern "C" fn GetCreationFlags<T: ID3D12Fence1, F: Face<T>>(this: *mut c_void) -> u32 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetCreationFlags(this) })
}
