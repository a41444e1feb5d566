//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for IDXCoreAdapterFactory1; what it leaves out answers E_NOTIMPL and is reported once.
pub trait IDXCoreAdapterFactory1: Class {
    /// IDXCoreAdapterFactory::CreateAdapterList, slot 3: (uint32_t, const GUID \*, const IID &, void \*\*).
    unsafe fn CreateAdapterList(this: &Object<Self>, _a0: u32, _a1: *const GUID, _a2: *const GUID, _a3: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXCoreAdapterFactory::CreateAdapterList")
    }
    /// IDXCoreAdapterFactory::GetAdapterByLuid, slot 4: (const LUID &, const IID &, void \*\*).
    unsafe fn GetAdapterByLuid(this: &Object<Self>, _a0: *const LUID, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXCoreAdapterFactory::GetAdapterByLuid")
    }
    /// IDXCoreAdapterFactory::IsNotificationTypeSupported, slot 5: (DXCoreNotificationType).
    unsafe fn IsNotificationTypeSupported(this: &Object<Self>, _a0: u32) -> bool {
        not_implemented(this, "IDXCoreAdapterFactory::IsNotificationTypeSupported")
    }
    /// IDXCoreAdapterFactory::RegisterEventNotification, slot 6: (IUnknown \*, DXCoreNotificationType, PFN_DXCORE_NOTIFICATION_CALLBACK, void \*, uint32_t \*).
    unsafe fn RegisterEventNotification(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: PFN_DXCORE_NOTIFICATION_CALLBACK, _a3: *mut c_void, _a4: *mut u32) -> HRESULT {
        not_implemented(this, "IDXCoreAdapterFactory::RegisterEventNotification")
    }
    /// IDXCoreAdapterFactory::UnregisterEventNotification, slot 7: (uint32_t).
    unsafe fn UnregisterEventNotification(this: &Object<Self>, _a0: u32) -> HRESULT {
        not_implemented(this, "IDXCoreAdapterFactory::UnregisterEventNotification")
    }
    /// IDXCoreAdapterFactory1::CreateAdapterListByWorkload, slot 8: (DXCoreWorkload, DXCoreRuntimeFilterFlags, DXCoreHardwareTypeFilterFlags, const IID &, void \*\*).
    unsafe fn CreateAdapterListByWorkload(this: &Object<Self>, _a0: u32, _a1: u32, _a2: u32, _a3: *const GUID, _a4: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXCoreAdapterFactory1::CreateAdapterListByWorkload")
    }
}

/// The vtable of IDXCoreAdapterFactory1.
#[repr(C)]
pub struct IDXCoreAdapterFactory1Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub CreateAdapterList: unsafe extern "C" fn(*mut c_void, u32, *const GUID, *const GUID, *mut *mut c_void) -> HRESULT,
    pub GetAdapterByLuid: unsafe extern "C" fn(*mut c_void, *const LUID, *const GUID, *mut *mut c_void) -> HRESULT,
    pub IsNotificationTypeSupported: unsafe extern "C" fn(*mut c_void, u32) -> bool,
    pub RegisterEventNotification: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, PFN_DXCORE_NOTIFICATION_CALLBACK, *mut c_void, *mut u32) -> HRESULT,
    pub UnregisterEventNotification: unsafe extern "C" fn(*mut c_void, u32) -> HRESULT,
    pub CreateAdapterListByWorkload: unsafe extern "C" fn(*mut c_void, u32, u32, u32, *const GUID, *mut *mut c_void) -> HRESULT,
}

impl<T: IDXCoreAdapterFactory1, F: Face<T>> Vtable<T, F> for IDXCoreAdapterFactory1Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_IDXCoreAdapterFactory, super::IID_IDXCoreAdapterFactory1];
    const LINUX: Self = IDXCoreAdapterFactory1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        CreateAdapterList: CreateAdapterList::<T, F>,
        GetAdapterByLuid: GetAdapterByLuid::<T, F>,
        IsNotificationTypeSupported: IsNotificationTypeSupported::<T, F>,
        RegisterEventNotification: RegisterEventNotification::<T, F>,
        UnregisterEventNotification: UnregisterEventNotification::<T, F>,
        CreateAdapterListByWorkload: CreateAdapterListByWorkload::<T, F>,
    };
    const EXPLICIT_RETURN: Self = IDXCoreAdapterFactory1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        CreateAdapterList: CreateAdapterList::<T, F>,
        GetAdapterByLuid: GetAdapterByLuid::<T, F>,
        IsNotificationTypeSupported: IsNotificationTypeSupported::<T, F>,
        RegisterEventNotification: RegisterEventNotification::<T, F>,
        UnregisterEventNotification: UnregisterEventNotification::<T, F>,
        CreateAdapterListByWorkload: CreateAdapterListByWorkload::<T, F>,
    };
}

unsafe extern "C" fn CreateAdapterList<T: IDXCoreAdapterFactory1, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const GUID, a2: *const GUID, a3: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateAdapterList(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn GetAdapterByLuid<T: IDXCoreAdapterFactory1, F: Face<T>>(this: *mut c_void, a0: *const LUID, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetAdapterByLuid(this, a0, a1, a2) })
}

unsafe extern "C" fn IsNotificationTypeSupported<T: IDXCoreAdapterFactory1, F: Face<T>>(this: *mut c_void, a0: u32) -> bool {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::IsNotificationTypeSupported(this, a0) })
}

unsafe extern "C" fn RegisterEventNotification<T: IDXCoreAdapterFactory1, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: PFN_DXCORE_NOTIFICATION_CALLBACK, a3: *mut c_void, a4: *mut u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::RegisterEventNotification(this, a0, a1, a2, a3, a4) })
}

unsafe extern "C" fn UnregisterEventNotification<T: IDXCoreAdapterFactory1, F: Face<T>>(this: *mut c_void, a0: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::UnregisterEventNotification(this, a0) })
}

unsafe extern "C" fn CreateAdapterListByWorkload<T: IDXCoreAdapterFactory1, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: u32, a3: *const GUID, a4: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateAdapterListByWorkload(this, a0, a1, a2, a3, a4) })
}
