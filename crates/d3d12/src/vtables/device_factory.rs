//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12DeviceFactory; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12DeviceFactory: Class {
    /// ID3D12DeviceFactory::InitializeFromGlobalState, slot 3: ().
    unsafe fn InitializeFromGlobalState(this: &Object<Self>) -> HRESULT {
        not_implemented(this, "ID3D12DeviceFactory::InitializeFromGlobalState")
    }
    /// ID3D12DeviceFactory::ApplyToGlobalState, slot 4: ().
    unsafe fn ApplyToGlobalState(this: &Object<Self>) -> HRESULT {
        not_implemented(this, "ID3D12DeviceFactory::ApplyToGlobalState")
    }
    /// ID3D12DeviceFactory::SetFlags, slot 5: (D3D12_DEVICE_FACTORY_FLAGS).
    unsafe fn SetFlags(this: &Object<Self>, _a0: u32) -> HRESULT {
        not_implemented(this, "ID3D12DeviceFactory::SetFlags")
    }
    /// ID3D12DeviceFactory::GetFlags, slot 6: ().
    unsafe fn GetFlags(this: &Object<Self>) -> u32 {
        not_implemented(this, "ID3D12DeviceFactory::GetFlags")
    }
    /// ID3D12DeviceFactory::GetConfigurationInterface, slot 7: (const IID &, const IID &, void \*\*).
    unsafe fn GetConfigurationInterface(this: &Object<Self>, _a0: *const GUID, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12DeviceFactory::GetConfigurationInterface")
    }
    /// ID3D12DeviceFactory::EnableExperimentalFeatures, slot 8: (UINT, const IID \*, void \*, UINT \*).
    unsafe fn EnableExperimentalFeatures(this: &Object<Self>, _a0: u32, _a1: *const GUID, _a2: *mut c_void, _a3: *mut u32) -> HRESULT {
        not_implemented(this, "ID3D12DeviceFactory::EnableExperimentalFeatures")
    }
    /// ID3D12DeviceFactory::CreateDevice, slot 9: (IUnknown \*, D3D_FEATURE_LEVEL, const IID &, void \*\*).
    unsafe fn CreateDevice(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: *const GUID, _a3: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12DeviceFactory::CreateDevice")
    }
}

/// The vtable of ID3D12DeviceFactory.
#[repr(C)]
pub struct ID3D12DeviceFactoryVtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub InitializeFromGlobalState: unsafe extern "C" fn(*mut c_void) -> HRESULT,
    pub ApplyToGlobalState: unsafe extern "C" fn(*mut c_void) -> HRESULT,
    pub SetFlags: unsafe extern "C" fn(*mut c_void, u32) -> HRESULT,
    pub GetFlags: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetConfigurationInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *const GUID, *mut *mut c_void) -> HRESULT,
    pub EnableExperimentalFeatures: unsafe extern "C" fn(*mut c_void, u32, *const GUID, *mut c_void, *mut u32) -> HRESULT,
    pub CreateDevice: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, *const GUID, *mut *mut c_void) -> HRESULT,
}

impl<T: ID3D12DeviceFactory, F: Face<T>> Vtable<T, F> for ID3D12DeviceFactoryVtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12DeviceFactory];
    const LINUX: Self = ID3D12DeviceFactoryVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        InitializeFromGlobalState: InitializeFromGlobalState::<T, F>,
        ApplyToGlobalState: ApplyToGlobalState::<T, F>,
        SetFlags: SetFlags::<T, F>,
        GetFlags: GetFlags::<T, F>,
        GetConfigurationInterface: GetConfigurationInterface::<T, F>,
        EnableExperimentalFeatures: EnableExperimentalFeatures::<T, F>,
        CreateDevice: CreateDevice::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12DeviceFactoryVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        InitializeFromGlobalState: InitializeFromGlobalState::<T, F>,
        ApplyToGlobalState: ApplyToGlobalState::<T, F>,
        SetFlags: SetFlags::<T, F>,
        GetFlags: GetFlags::<T, F>,
        GetConfigurationInterface: GetConfigurationInterface::<T, F>,
        EnableExperimentalFeatures: EnableExperimentalFeatures::<T, F>,
        CreateDevice: CreateDevice::<T, F>,
    };
}

unsafe extern "C" fn InitializeFromGlobalState<T: ID3D12DeviceFactory, F: Face<T>>(this: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::InitializeFromGlobalState(this) })
}

unsafe extern "C" fn ApplyToGlobalState<T: ID3D12DeviceFactory, F: Face<T>>(this: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ApplyToGlobalState(this) })
}

unsafe extern "C" fn SetFlags<T: ID3D12DeviceFactory, F: Face<T>>(this: *mut c_void, a0: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetFlags(this, a0) })
}

unsafe extern "C" fn GetFlags<T: ID3D12DeviceFactory, F: Face<T>>(this: *mut c_void) -> u32 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetFlags(this) })
}

unsafe extern "C" fn GetConfigurationInterface<T: ID3D12DeviceFactory, F: Face<T>>(this: *mut c_void, a0: *const GUID, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetConfigurationInterface(this, a0, a1, a2) })
}

unsafe extern "C" fn EnableExperimentalFeatures<T: ID3D12DeviceFactory, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const GUID, a2: *mut c_void, a3: *mut u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EnableExperimentalFeatures(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn CreateDevice<T: ID3D12DeviceFactory, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: *const GUID, a3: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateDevice(this, a0, a1, a2, a3) })
}
