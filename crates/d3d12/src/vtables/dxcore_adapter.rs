//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for IDXCoreAdapter1; what it leaves out answers E_NOTIMPL and is reported once.
pub trait IDXCoreAdapter1: Class {
    /// IDXCoreAdapter::IsValid, slot 3: ().
    unsafe fn IsValid(this: &Object<Self>) -> bool {
        not_implemented(this, "IDXCoreAdapter::IsValid")
    }
    /// IDXCoreAdapter::IsAttributeSupported, slot 4: (const GUID &).
    unsafe fn IsAttributeSupported(this: &Object<Self>, _a0: *const GUID) -> bool {
        not_implemented(this, "IDXCoreAdapter::IsAttributeSupported")
    }
    /// IDXCoreAdapter::IsPropertySupported, slot 5: (DXCoreAdapterProperty).
    unsafe fn IsPropertySupported(this: &Object<Self>, _a0: u32) -> bool {
        not_implemented(this, "IDXCoreAdapter::IsPropertySupported")
    }
    /// IDXCoreAdapter::GetProperty, slot 6: (DXCoreAdapterProperty, size_t, void \*).
    unsafe fn GetProperty(this: &Object<Self>, _a0: u32, _a1: usize, _a2: *mut c_void) -> HRESULT {
        not_implemented(this, "IDXCoreAdapter::GetProperty")
    }
    /// IDXCoreAdapter::GetPropertySize, slot 7: (DXCoreAdapterProperty, size_t \*).
    unsafe fn GetPropertySize(this: &Object<Self>, _a0: u32, _a1: *mut usize) -> HRESULT {
        not_implemented(this, "IDXCoreAdapter::GetPropertySize")
    }
    /// IDXCoreAdapter::IsQueryStateSupported, slot 8: (DXCoreAdapterState).
    unsafe fn IsQueryStateSupported(this: &Object<Self>, _a0: u32) -> bool {
        not_implemented(this, "IDXCoreAdapter::IsQueryStateSupported")
    }
    /// IDXCoreAdapter::QueryState, slot 9: (DXCoreAdapterState, size_t, const void \*, size_t, void \*).
    unsafe fn QueryState(this: &Object<Self>, _a0: u32, _a1: usize, _a2: *const c_void, _a3: usize, _a4: *mut c_void) -> HRESULT {
        not_implemented(this, "IDXCoreAdapter::QueryState")
    }
    /// IDXCoreAdapter::IsSetStateSupported, slot 10: (DXCoreAdapterState).
    unsafe fn IsSetStateSupported(this: &Object<Self>, _a0: u32) -> bool {
        not_implemented(this, "IDXCoreAdapter::IsSetStateSupported")
    }
    /// IDXCoreAdapter::SetState, slot 11: (DXCoreAdapterState, size_t, const void \*, size_t, const void \*).
    unsafe fn SetState(this: &Object<Self>, _a0: u32, _a1: usize, _a2: *const c_void, _a3: usize, _a4: *const c_void) -> HRESULT {
        not_implemented(this, "IDXCoreAdapter::SetState")
    }
    /// IDXCoreAdapter::GetFactory, slot 12: (const IID &, void \*\*).
    unsafe fn GetFactory(this: &Object<Self>, _a0: *const GUID, _a1: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXCoreAdapter::GetFactory")
    }
    /// IDXCoreAdapter1::GetPropertyWithInput, slot 13: (DXCoreAdapterProperty, size_t, const void \*, size_t, void \*).
    unsafe fn GetPropertyWithInput(this: &Object<Self>, _a0: u32, _a1: usize, _a2: *const c_void, _a3: usize, _a4: *mut c_void) -> HRESULT {
        not_implemented(this, "IDXCoreAdapter1::GetPropertyWithInput")
    }
}

/// The vtable of IDXCoreAdapter1.
#[repr(C)]
pub struct IDXCoreAdapter1Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub IsValid: unsafe extern "C" fn(*mut c_void) -> bool,
    pub IsAttributeSupported: unsafe extern "C" fn(*mut c_void, *const GUID) -> bool,
    pub IsPropertySupported: unsafe extern "C" fn(*mut c_void, u32) -> bool,
    pub GetProperty: unsafe extern "C" fn(*mut c_void, u32, usize, *mut c_void) -> HRESULT,
    pub GetPropertySize: unsafe extern "C" fn(*mut c_void, u32, *mut usize) -> HRESULT,
    pub IsQueryStateSupported: unsafe extern "C" fn(*mut c_void, u32) -> bool,
    pub QueryState: unsafe extern "C" fn(*mut c_void, u32, usize, *const c_void, usize, *mut c_void) -> HRESULT,
    pub IsSetStateSupported: unsafe extern "C" fn(*mut c_void, u32) -> bool,
    pub SetState: unsafe extern "C" fn(*mut c_void, u32, usize, *const c_void, usize, *const c_void) -> HRESULT,
    pub GetFactory: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub GetPropertyWithInput: unsafe extern "C" fn(*mut c_void, u32, usize, *const c_void, usize, *mut c_void) -> HRESULT,
}

impl<T: IDXCoreAdapter1, F: Face<T>> Vtable<T, F> for IDXCoreAdapter1Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_IDXCoreAdapter, super::IID_IDXCoreAdapter1];
    const LINUX: Self = IDXCoreAdapter1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        IsValid: IsValid::<T, F>,
        IsAttributeSupported: IsAttributeSupported::<T, F>,
        IsPropertySupported: IsPropertySupported::<T, F>,
        GetProperty: GetProperty::<T, F>,
        GetPropertySize: GetPropertySize::<T, F>,
        IsQueryStateSupported: IsQueryStateSupported::<T, F>,
        QueryState: QueryState::<T, F>,
        IsSetStateSupported: IsSetStateSupported::<T, F>,
        SetState: SetState::<T, F>,
        GetFactory: GetFactory::<T, F>,
        GetPropertyWithInput: GetPropertyWithInput::<T, F>,
    };
    const EXPLICIT_RETURN: Self = IDXCoreAdapter1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        IsValid: IsValid::<T, F>,
        IsAttributeSupported: IsAttributeSupported::<T, F>,
        IsPropertySupported: IsPropertySupported::<T, F>,
        GetProperty: GetProperty::<T, F>,
        GetPropertySize: GetPropertySize::<T, F>,
        IsQueryStateSupported: IsQueryStateSupported::<T, F>,
        QueryState: QueryState::<T, F>,
        IsSetStateSupported: IsSetStateSupported::<T, F>,
        SetState: SetState::<T, F>,
        GetFactory: GetFactory::<T, F>,
        GetPropertyWithInput: GetPropertyWithInput::<T, F>,
    };
}

unsafe extern "C" fn IsValid<T: IDXCoreAdapter1, F: Face<T>>(this: *mut c_void) -> bool {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::IsValid(this) })
}

unsafe extern "C" fn IsAttributeSupported<T: IDXCoreAdapter1, F: Face<T>>(this: *mut c_void, a0: *const GUID) -> bool {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::IsAttributeSupported(this, a0) })
}

unsafe extern "C" fn IsPropertySupported<T: IDXCoreAdapter1, F: Face<T>>(this: *mut c_void, a0: u32) -> bool {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::IsPropertySupported(this, a0) })
}

unsafe extern "C" fn GetProperty<T: IDXCoreAdapter1, F: Face<T>>(this: *mut c_void, a0: u32, a1: usize, a2: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetProperty(this, a0, a1, a2) })
}

unsafe extern "C" fn GetPropertySize<T: IDXCoreAdapter1, F: Face<T>>(this: *mut c_void, a0: u32, a1: *mut usize) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetPropertySize(this, a0, a1) })
}

unsafe extern "C" fn IsQueryStateSupported<T: IDXCoreAdapter1, F: Face<T>>(this: *mut c_void, a0: u32) -> bool {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::IsQueryStateSupported(this, a0) })
}

unsafe extern "C" fn QueryState<T: IDXCoreAdapter1, F: Face<T>>(this: *mut c_void, a0: u32, a1: usize, a2: *const c_void, a3: usize, a4: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::QueryState(this, a0, a1, a2, a3, a4) })
}

unsafe extern "C" fn IsSetStateSupported<T: IDXCoreAdapter1, F: Face<T>>(this: *mut c_void, a0: u32) -> bool {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::IsSetStateSupported(this, a0) })
}

unsafe extern "C" fn SetState<T: IDXCoreAdapter1, F: Face<T>>(this: *mut c_void, a0: u32, a1: usize, a2: *const c_void, a3: usize, a4: *const c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetState(this, a0, a1, a2, a3, a4) })
}

unsafe extern "C" fn GetFactory<T: IDXCoreAdapter1, F: Face<T>>(this: *mut c_void, a0: *const GUID, a1: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetFactory(this, a0, a1) })
}

unsafe extern "C" fn GetPropertyWithInput<T: IDXCoreAdapter1, F: Face<T>>(this: *mut c_void, a0: u32, a1: usize, a2: *const c_void, a3: usize, a4: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetPropertyWithInput(this, a0, a1, a2, a3, a4) })
}
