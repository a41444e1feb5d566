//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12DeviceRemovedExtendedDataSettings2; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12DeviceRemovedExtendedDataSettings2: Class {
    /// ID3D12DeviceRemovedExtendedDataSettings::SetAutoBreadcrumbsEnablement, slot 3: (D3D12_DRED_ENABLEMENT).
    unsafe fn SetAutoBreadcrumbsEnablement(this: &Object<Self>, _a0: u32) {
        not_implemented(this, "ID3D12DeviceRemovedExtendedDataSettings::SetAutoBreadcrumbsEnablement")
    }
    /// ID3D12DeviceRemovedExtendedDataSettings::SetPageFaultEnablement, slot 4: (D3D12_DRED_ENABLEMENT).
    unsafe fn SetPageFaultEnablement(this: &Object<Self>, _a0: u32) {
        not_implemented(this, "ID3D12DeviceRemovedExtendedDataSettings::SetPageFaultEnablement")
    }
    /// ID3D12DeviceRemovedExtendedDataSettings::SetWatsonDumpEnablement, slot 5: (D3D12_DRED_ENABLEMENT).
    unsafe fn SetWatsonDumpEnablement(this: &Object<Self>, _a0: u32) {
        not_implemented(this, "ID3D12DeviceRemovedExtendedDataSettings::SetWatsonDumpEnablement")
    }
    /// ID3D12DeviceRemovedExtendedDataSettings1::SetBreadcrumbContextEnablement, slot 6: (D3D12_DRED_ENABLEMENT).
    unsafe fn SetBreadcrumbContextEnablement(this: &Object<Self>, _a0: u32) {
        not_implemented(this, "ID3D12DeviceRemovedExtendedDataSettings1::SetBreadcrumbContextEnablement")
    }
    /// ID3D12DeviceRemovedExtendedDataSettings2::UseMarkersOnlyAutoBreadcrumbs, slot 7: (BOOL).
    unsafe fn UseMarkersOnlyAutoBreadcrumbs(this: &Object<Self>, _a0: BOOL) {
        not_implemented(this, "ID3D12DeviceRemovedExtendedDataSettings2::UseMarkersOnlyAutoBreadcrumbs")
    }
}

/// The vtable of ID3D12DeviceRemovedExtendedDataSettings2.
#[repr(C)]
pub struct ID3D12DeviceRemovedExtendedDataSettings2Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub SetAutoBreadcrumbsEnablement: unsafe extern "C" fn(*mut c_void, u32),
    pub SetPageFaultEnablement: unsafe extern "C" fn(*mut c_void, u32),
    pub SetWatsonDumpEnablement: unsafe extern "C" fn(*mut c_void, u32),
    pub SetBreadcrumbContextEnablement: unsafe extern "C" fn(*mut c_void, u32),
    pub UseMarkersOnlyAutoBreadcrumbs: unsafe extern "C" fn(*mut c_void, BOOL),
}

impl<T: ID3D12DeviceRemovedExtendedDataSettings2, F: Face<T>> Vtable<T, F> for ID3D12DeviceRemovedExtendedDataSettings2Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12DeviceRemovedExtendedDataSettings, super::IID_ID3D12DeviceRemovedExtendedDataSettings1, super::IID_ID3D12DeviceRemovedExtendedDataSettings2];
    const LINUX: Self = ID3D12DeviceRemovedExtendedDataSettings2Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        SetAutoBreadcrumbsEnablement: SetAutoBreadcrumbsEnablement::<T, F>,
        SetPageFaultEnablement: SetPageFaultEnablement::<T, F>,
        SetWatsonDumpEnablement: SetWatsonDumpEnablement::<T, F>,
        SetBreadcrumbContextEnablement: SetBreadcrumbContextEnablement::<T, F>,
        UseMarkersOnlyAutoBreadcrumbs: UseMarkersOnlyAutoBreadcrumbs::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12DeviceRemovedExtendedDataSettings2Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        SetAutoBreadcrumbsEnablement: SetAutoBreadcrumbsEnablement::<T, F>,
        SetPageFaultEnablement: SetPageFaultEnablement::<T, F>,
        SetWatsonDumpEnablement: SetWatsonDumpEnablement::<T, F>,
        SetBreadcrumbContextEnablement: SetBreadcrumbContextEnablement::<T, F>,
        UseMarkersOnlyAutoBreadcrumbs: UseMarkersOnlyAutoBreadcrumbs::<T, F>,
    };
}

unsafe extern "C" fn SetAutoBreadcrumbsEnablement<T: ID3D12DeviceRemovedExtendedDataSettings2, F: Face<T>>(this: *mut c_void, a0: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetAutoBreadcrumbsEnablement(this, a0) })
}

unsafe extern "C" fn SetPageFaultEnablement<T: ID3D12DeviceRemovedExtendedDataSettings2, F: Face<T>>(this: *mut c_void, a0: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetPageFaultEnablement(this, a0) })
}

unsafe extern "C" fn SetWatsonDumpEnablement<T: ID3D12DeviceRemovedExtendedDataSettings2, F: Face<T>>(this: *mut c_void, a0: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetWatsonDumpEnablement(this, a0) })
}

unsafe extern "C" fn SetBreadcrumbContextEnablement<T: ID3D12DeviceRemovedExtendedDataSettings2, F: Face<T>>(this: *mut c_void, a0: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetBreadcrumbContextEnablement(this, a0) })
}

unsafe extern "C" fn UseMarkersOnlyAutoBreadcrumbs<T: ID3D12DeviceRemovedExtendedDataSettings2, F: Face<T>>(this: *mut c_void, a0: BOOL) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::UseMarkersOnlyAutoBreadcrumbs(this, a0) })
}
