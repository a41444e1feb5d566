//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for IDXCoreAdapterList; what it leaves out answers E_NOTIMPL and is reported once.
pub trait IDXCoreAdapterList: Class {
    /// IDXCoreAdapterList::GetAdapter, slot 3: (uint32_t, const IID &, void \*\*).
    unsafe fn GetAdapter(this: &Object<Self>, _a0: u32, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXCoreAdapterList::GetAdapter")
    }
    /// IDXCoreAdapterList::GetAdapterCount, slot 4: ().
    unsafe fn GetAdapterCount(this: &Object<Self>) -> u32 {
        not_implemented(this, "IDXCoreAdapterList::GetAdapterCount")
    }
    /// IDXCoreAdapterList::IsStale, slot 5: ().
    unsafe fn IsStale(this: &Object<Self>) -> bool {
        not_implemented(this, "IDXCoreAdapterList::IsStale")
    }
    /// IDXCoreAdapterList::GetFactory, slot 6: (const IID &, void \*\*).
    unsafe fn GetFactory(this: &Object<Self>, _a0: *const GUID, _a1: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXCoreAdapterList::GetFactory")
    }
    /// IDXCoreAdapterList::Sort, slot 7: (uint32_t, const DXCoreAdapterPreference \*).
    unsafe fn Sort(this: &Object<Self>, _a0: u32, _a1: *const DXCoreAdapterPreference) -> HRESULT {
        not_implemented(this, "IDXCoreAdapterList::Sort")
    }
    /// IDXCoreAdapterList::IsAdapterPreferenceSupported, slot 8: (DXCoreAdapterPreference).
    unsafe fn IsAdapterPreferenceSupported(this: &Object<Self>, _a0: DXCoreAdapterPreference) -> bool {
        not_implemented(this, "IDXCoreAdapterList::IsAdapterPreferenceSupported")
    }
}

/// The vtable of IDXCoreAdapterList.
#[repr(C)]
pub struct IDXCoreAdapterListVtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetAdapter: unsafe extern "C" fn(*mut c_void, u32, *const GUID, *mut *mut c_void) -> HRESULT,
    pub GetAdapterCount: unsafe extern "C" fn(*mut c_void) -> u32,
    pub IsStale: unsafe extern "C" fn(*mut c_void) -> bool,
    pub GetFactory: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub Sort: unsafe extern "C" fn(*mut c_void, u32, *const DXCoreAdapterPreference) -> HRESULT,
    pub IsAdapterPreferenceSupported: unsafe extern "C" fn(*mut c_void, DXCoreAdapterPreference) -> bool,
}

impl<T: IDXCoreAdapterList, F: Face<T>> Vtable<T, F> for IDXCoreAdapterListVtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_IDXCoreAdapterList];
    const LINUX: Self = IDXCoreAdapterListVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetAdapter: GetAdapter::<T, F>,
        GetAdapterCount: GetAdapterCount::<T, F>,
        IsStale: IsStale::<T, F>,
        GetFactory: GetFactory::<T, F>,
        Sort: Sort::<T, F>,
        IsAdapterPreferenceSupported: IsAdapterPreferenceSupported::<T, F>,
    };
    const EXPLICIT_RETURN: Self = IDXCoreAdapterListVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetAdapter: GetAdapter::<T, F>,
        GetAdapterCount: GetAdapterCount::<T, F>,
        IsStale: IsStale::<T, F>,
        GetFactory: GetFactory::<T, F>,
        Sort: Sort::<T, F>,
        IsAdapterPreferenceSupported: IsAdapterPreferenceSupported::<T, F>,
    };
}

unsafe extern "C" fn GetAdapter<T: IDXCoreAdapterList, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetAdapter(this, a0, a1, a2) })
}

unsafe extern "C" fn GetAdapterCount<T: IDXCoreAdapterList, F: Face<T>>(this: *mut c_void) -> u32 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetAdapterCount(this) })
}

unsafe extern "C" fn IsStale<T: IDXCoreAdapterList, F: Face<T>>(this: *mut c_void) -> bool {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::IsStale(this) })
}

unsafe extern "C" fn GetFactory<T: IDXCoreAdapterList, F: Face<T>>(this: *mut c_void, a0: *const GUID, a1: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetFactory(this, a0, a1) })
}

unsafe extern "C" fn Sort<T: IDXCoreAdapterList, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const DXCoreAdapterPreference) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::Sort(this, a0, a1) })
}

unsafe extern "C" fn IsAdapterPreferenceSupported<T: IDXCoreAdapterList, F: Face<T>>(this: *mut c_void, a0: DXCoreAdapterPreference) -> bool {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::IsAdapterPreferenceSupported(this, a0) })
}
