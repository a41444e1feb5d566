//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for IDXGIAdapter3; what it leaves out answers E_NOTIMPL and is reported once.
pub trait IDXGIAdapter3: Class {
    /// IDXGIObject::GetParent, slot 6: (const IID &, void \*\*).
    unsafe fn GetParent(this: &Object<Self>, _a0: *const GUID, _a1: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXGIObject::GetParent")
    }
    /// IDXGIAdapter::EnumOutputs, slot 7: (UINT, IDXGIOutput \*\*).
    unsafe fn EnumOutputs(this: &Object<Self>, _a0: u32, _a1: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXGIAdapter::EnumOutputs")
    }
    /// IDXGIAdapter::GetDesc, slot 8: (DXGI_ADAPTER_DESC \*).
    unsafe fn GetDesc(this: &Object<Self>, _a0: *mut DXGI_ADAPTER_DESC) -> HRESULT {
        not_implemented(this, "IDXGIAdapter::GetDesc")
    }
    /// IDXGIAdapter::CheckInterfaceSupport, slot 9: (const GUID &, LARGE_INTEGER \*).
    unsafe fn CheckInterfaceSupport(this: &Object<Self>, _a0: *const GUID, _a1: *mut i64) -> HRESULT {
        not_implemented(this, "IDXGIAdapter::CheckInterfaceSupport")
    }
    /// IDXGIAdapter1::GetDesc1, slot 10: (DXGI_ADAPTER_DESC1 \*).
    unsafe fn GetDesc1(this: &Object<Self>, _a0: *mut DXGI_ADAPTER_DESC1) -> HRESULT {
        not_implemented(this, "IDXGIAdapter1::GetDesc1")
    }
    /// IDXGIAdapter2::GetDesc2, slot 11: (DXGI_ADAPTER_DESC2 \*).
    unsafe fn GetDesc2(this: &Object<Self>, _a0: *mut DXGI_ADAPTER_DESC2) -> HRESULT {
        not_implemented(this, "IDXGIAdapter2::GetDesc2")
    }
    /// IDXGIAdapter3::RegisterHardwareContentProtectionTeardownStatusEvent, slot 12: (HANDLE, DWORD \*).
    unsafe fn RegisterHardwareContentProtectionTeardownStatusEvent(this: &Object<Self>, _a0: *mut c_void, _a1: *mut u32) -> HRESULT {
        not_implemented(this, "IDXGIAdapter3::RegisterHardwareContentProtectionTeardownStatusEvent")
    }
    /// IDXGIAdapter3::UnregisterHardwareContentProtectionTeardownStatus, slot 13: (DWORD).
    unsafe fn UnregisterHardwareContentProtectionTeardownStatus(this: &Object<Self>, _a0: u32) {
        not_implemented(this, "IDXGIAdapter3::UnregisterHardwareContentProtectionTeardownStatus")
    }
    /// IDXGIAdapter3::QueryVideoMemoryInfo, slot 14: (UINT, DXGI_MEMORY_SEGMENT_GROUP, DXGI_QUERY_VIDEO_MEMORY_INFO \*).
    unsafe fn QueryVideoMemoryInfo(this: &Object<Self>, _a0: u32, _a1: u32, _a2: *mut DXGI_QUERY_VIDEO_MEMORY_INFO) -> HRESULT {
        not_implemented(this, "IDXGIAdapter3::QueryVideoMemoryInfo")
    }
    /// IDXGIAdapter3::SetVideoMemoryReservation, slot 15: (UINT, DXGI_MEMORY_SEGMENT_GROUP, UINT64).
    unsafe fn SetVideoMemoryReservation(this: &Object<Self>, _a0: u32, _a1: u32, _a2: u64) -> HRESULT {
        not_implemented(this, "IDXGIAdapter3::SetVideoMemoryReservation")
    }
    /// IDXGIAdapter3::RegisterVideoMemoryBudgetChangeNotificationEvent, slot 16: (HANDLE, DWORD \*).
    unsafe fn RegisterVideoMemoryBudgetChangeNotificationEvent(this: &Object<Self>, _a0: *mut c_void, _a1: *mut u32) -> HRESULT {
        not_implemented(this, "IDXGIAdapter3::RegisterVideoMemoryBudgetChangeNotificationEvent")
    }
    /// IDXGIAdapter3::UnregisterVideoMemoryBudgetChangeNotification, slot 17: (DWORD).
    unsafe fn UnregisterVideoMemoryBudgetChangeNotification(this: &Object<Self>, _a0: u32) {
        not_implemented(this, "IDXGIAdapter3::UnregisterVideoMemoryBudgetChangeNotification")
    }
}

/// The vtable of IDXGIAdapter3.
#[repr(C)]
pub struct IDXGIAdapter3Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub SetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, u32, *const c_void) -> HRESULT,
    pub SetPrivateDataInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *const c_void) -> HRESULT,
    pub GetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, *mut u32, *mut c_void) -> HRESULT,
    pub GetParent: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub EnumOutputs: unsafe extern "C" fn(*mut c_void, u32, *mut *mut c_void) -> HRESULT,
    pub GetDesc: unsafe extern "C" fn(*mut c_void, *mut DXGI_ADAPTER_DESC) -> HRESULT,
    pub CheckInterfaceSupport: unsafe extern "C" fn(*mut c_void, *const GUID, *mut i64) -> HRESULT,
    pub GetDesc1: unsafe extern "C" fn(*mut c_void, *mut DXGI_ADAPTER_DESC1) -> HRESULT,
    pub GetDesc2: unsafe extern "C" fn(*mut c_void, *mut DXGI_ADAPTER_DESC2) -> HRESULT,
    pub RegisterHardwareContentProtectionTeardownStatusEvent: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut u32) -> HRESULT,
    pub UnregisterHardwareContentProtectionTeardownStatus: unsafe extern "C" fn(*mut c_void, u32),
    pub QueryVideoMemoryInfo: unsafe extern "C" fn(*mut c_void, u32, u32, *mut DXGI_QUERY_VIDEO_MEMORY_INFO) -> HRESULT,
    pub SetVideoMemoryReservation: unsafe extern "C" fn(*mut c_void, u32, u32, u64) -> HRESULT,
    pub RegisterVideoMemoryBudgetChangeNotificationEvent: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut u32) -> HRESULT,
    pub UnregisterVideoMemoryBudgetChangeNotification: unsafe extern "C" fn(*mut c_void, u32),
}

impl<T: IDXGIAdapter3, F: Face<T>> Vtable<T, F> for IDXGIAdapter3Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_IDXGIObject, super::IID_IDXGIAdapter, super::IID_IDXGIAdapter1, super::IID_IDXGIAdapter2, super::IID_IDXGIAdapter3];
    const LINUX: Self = IDXGIAdapter3Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        GetParent: GetParent::<T, F>,
        EnumOutputs: EnumOutputs::<T, F>,
        GetDesc: GetDesc::<T, F>,
        CheckInterfaceSupport: CheckInterfaceSupport::<T, F>,
        GetDesc1: GetDesc1::<T, F>,
        GetDesc2: GetDesc2::<T, F>,
        RegisterHardwareContentProtectionTeardownStatusEvent: RegisterHardwareContentProtectionTeardownStatusEvent::<T, F>,
        UnregisterHardwareContentProtectionTeardownStatus: UnregisterHardwareContentProtectionTeardownStatus::<T, F>,
        QueryVideoMemoryInfo: QueryVideoMemoryInfo::<T, F>,
        SetVideoMemoryReservation: SetVideoMemoryReservation::<T, F>,
        RegisterVideoMemoryBudgetChangeNotificationEvent: RegisterVideoMemoryBudgetChangeNotificationEvent::<T, F>,
        UnregisterVideoMemoryBudgetChangeNotification: UnregisterVideoMemoryBudgetChangeNotification::<T, F>,
    };
    const EXPLICIT_RETURN: Self = IDXGIAdapter3Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        GetParent: GetParent::<T, F>,
        EnumOutputs: EnumOutputs::<T, F>,
        GetDesc: GetDesc::<T, F>,
        CheckInterfaceSupport: CheckInterfaceSupport::<T, F>,
        GetDesc1: GetDesc1::<T, F>,
        GetDesc2: GetDesc2::<T, F>,
        RegisterHardwareContentProtectionTeardownStatusEvent: RegisterHardwareContentProtectionTeardownStatusEvent::<T, F>,
        UnregisterHardwareContentProtectionTeardownStatus: UnregisterHardwareContentProtectionTeardownStatus::<T, F>,
        QueryVideoMemoryInfo: QueryVideoMemoryInfo::<T, F>,
        SetVideoMemoryReservation: SetVideoMemoryReservation::<T, F>,
        RegisterVideoMemoryBudgetChangeNotificationEvent: RegisterVideoMemoryBudgetChangeNotificationEvent::<T, F>,
        UnregisterVideoMemoryBudgetChangeNotification: UnregisterVideoMemoryBudgetChangeNotification::<T, F>,
    };
}

unsafe extern "C" fn GetParent<T: IDXGIAdapter3, F: Face<T>>(this: *mut c_void, a0: *const GUID, a1: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetParent(this, a0, a1) })
}

unsafe extern "C" fn EnumOutputs<T: IDXGIAdapter3, F: Face<T>>(this: *mut c_void, a0: u32, a1: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EnumOutputs(this, a0, a1) })
}

unsafe extern "C" fn GetDesc<T: IDXGIAdapter3, F: Face<T>>(this: *mut c_void, a0: *mut DXGI_ADAPTER_DESC) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetDesc(this, a0) })
}

unsafe extern "C" fn CheckInterfaceSupport<T: IDXGIAdapter3, F: Face<T>>(this: *mut c_void, a0: *const GUID, a1: *mut i64) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CheckInterfaceSupport(this, a0, a1) })
}

unsafe extern "C" fn GetDesc1<T: IDXGIAdapter3, F: Face<T>>(this: *mut c_void, a0: *mut DXGI_ADAPTER_DESC1) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetDesc1(this, a0) })
}

unsafe extern "C" fn GetDesc2<T: IDXGIAdapter3, F: Face<T>>(this: *mut c_void, a0: *mut DXGI_ADAPTER_DESC2) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetDesc2(this, a0) })
}

unsafe extern "C" fn RegisterHardwareContentProtectionTeardownStatusEvent<T: IDXGIAdapter3, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::RegisterHardwareContentProtectionTeardownStatusEvent(this, a0, a1) })
}

unsafe extern "C" fn UnregisterHardwareContentProtectionTeardownStatus<T: IDXGIAdapter3, F: Face<T>>(this: *mut c_void, a0: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::UnregisterHardwareContentProtectionTeardownStatus(this, a0) })
}

unsafe extern "C" fn QueryVideoMemoryInfo<T: IDXGIAdapter3, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: *mut DXGI_QUERY_VIDEO_MEMORY_INFO) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::QueryVideoMemoryInfo(this, a0, a1, a2) })
}

unsafe extern "C" fn SetVideoMemoryReservation<T: IDXGIAdapter3, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: u64) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetVideoMemoryReservation(this, a0, a1, a2) })
}

unsafe extern "C" fn RegisterVideoMemoryBudgetChangeNotificationEvent<T: IDXGIAdapter3, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::RegisterVideoMemoryBudgetChangeNotificationEvent(this, a0, a1) })
}

unsafe extern "C" fn UnregisterVideoMemoryBudgetChangeNotification<T: IDXGIAdapter3, F: Face<T>>(this: *mut c_void, a0: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::UnregisterVideoMemoryBudgetChangeNotification(this, a0) })
}
