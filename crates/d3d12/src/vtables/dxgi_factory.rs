//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for IDXGIFactory4; what it leaves out answers E_NOTIMPL and is reported once.
pub trait IDXGIFactory4: Class {
    /// IDXGIObject::GetParent, slot 6: (const IID &, void \*\*).
    unsafe fn GetParent(this: &Object<Self>, _a0: *const GUID, _a1: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXGIObject::GetParent")
    }
    /// IDXGIFactory::EnumAdapters, slot 7: (UINT, IDXGIAdapter \*\*).
    unsafe fn EnumAdapters(this: &Object<Self>, _a0: u32, _a1: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXGIFactory::EnumAdapters")
    }
    /// IDXGIFactory::MakeWindowAssociation, slot 8: (HWND, UINT).
    unsafe fn MakeWindowAssociation(this: &Object<Self>, _a0: *mut c_void, _a1: u32) -> HRESULT {
        not_implemented(this, "IDXGIFactory::MakeWindowAssociation")
    }
    /// IDXGIFactory::GetWindowAssociation, slot 9: (HWND \*).
    unsafe fn GetWindowAssociation(this: &Object<Self>, _a0: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXGIFactory::GetWindowAssociation")
    }
    /// IDXGIFactory::CreateSwapChain, slot 10: (IUnknown \*, void \*, void \*\*).
    unsafe fn CreateSwapChain(this: &Object<Self>, _a0: *mut c_void, _a1: *mut c_void, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXGIFactory::CreateSwapChain")
    }
    /// IDXGIFactory::CreateSoftwareAdapter, slot 11: (void \*, IDXGIAdapter \*\*).
    unsafe fn CreateSoftwareAdapter(this: &Object<Self>, _a0: *mut c_void, _a1: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXGIFactory::CreateSoftwareAdapter")
    }
    /// IDXGIFactory1::EnumAdapters1, slot 12: (UINT, IDXGIAdapter1 \*\*).
    unsafe fn EnumAdapters1(this: &Object<Self>, _a0: u32, _a1: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXGIFactory1::EnumAdapters1")
    }
    /// IDXGIFactory1::IsCurrent, slot 13: ().
    unsafe fn IsCurrent(this: &Object<Self>) -> BOOL {
        not_implemented(this, "IDXGIFactory1::IsCurrent")
    }
    /// IDXGIFactory2::IsWindowedStereoEnabled, slot 14: ().
    unsafe fn IsWindowedStereoEnabled(this: &Object<Self>) -> BOOL {
        not_implemented(this, "IDXGIFactory2::IsWindowedStereoEnabled")
    }
    /// IDXGIFactory2::CreateSwapChainForHwnd, slot 15: (IUnknown \*, HWND, const void \*, const void \*, IUnknown \*, void \*\*).
    unsafe fn CreateSwapChainForHwnd(this: &Object<Self>, _a0: *mut c_void, _a1: *mut c_void, _a2: *const c_void, _a3: *const c_void, _a4: *mut c_void, _a5: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXGIFactory2::CreateSwapChainForHwnd")
    }
    /// IDXGIFactory2::CreateSwapChainForCoreWindow, slot 16: (IUnknown \*, IUnknown \*, const void \*, IUnknown \*, void \*\*).
    unsafe fn CreateSwapChainForCoreWindow(this: &Object<Self>, _a0: *mut c_void, _a1: *mut c_void, _a2: *const c_void, _a3: *mut c_void, _a4: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXGIFactory2::CreateSwapChainForCoreWindow")
    }
    /// IDXGIFactory2::GetSharedResourceAdapterLuid, slot 17: (HANDLE, LUID \*).
    unsafe fn GetSharedResourceAdapterLuid(this: &Object<Self>, _a0: *mut c_void, _a1: *mut LUID) -> HRESULT {
        not_implemented(this, "IDXGIFactory2::GetSharedResourceAdapterLuid")
    }
    /// IDXGIFactory2::RegisterStereoStatusWindow, slot 18: (HWND, UINT, DWORD \*).
    unsafe fn RegisterStereoStatusWindow(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: *mut u32) -> HRESULT {
        not_implemented(this, "IDXGIFactory2::RegisterStereoStatusWindow")
    }
    /// IDXGIFactory2::RegisterStereoStatusEvent, slot 19: (HANDLE, DWORD \*).
    unsafe fn RegisterStereoStatusEvent(this: &Object<Self>, _a0: *mut c_void, _a1: *mut u32) -> HRESULT {
        not_implemented(this, "IDXGIFactory2::RegisterStereoStatusEvent")
    }
    /// IDXGIFactory2::UnregisterStereoStatus, slot 20: (DWORD).
    unsafe fn UnregisterStereoStatus(this: &Object<Self>, _a0: u32) {
        not_implemented(this, "IDXGIFactory2::UnregisterStereoStatus")
    }
    /// IDXGIFactory2::RegisterOcclusionStatusWindow, slot 21: (HWND, UINT, DWORD \*).
    unsafe fn RegisterOcclusionStatusWindow(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: *mut u32) -> HRESULT {
        not_implemented(this, "IDXGIFactory2::RegisterOcclusionStatusWindow")
    }
    /// IDXGIFactory2::RegisterOcclusionStatusEvent, slot 22: (HANDLE, DWORD \*).
    unsafe fn RegisterOcclusionStatusEvent(this: &Object<Self>, _a0: *mut c_void, _a1: *mut u32) -> HRESULT {
        not_implemented(this, "IDXGIFactory2::RegisterOcclusionStatusEvent")
    }
    /// IDXGIFactory2::UnregisterOcclusionStatus, slot 23: (DWORD).
    unsafe fn UnregisterOcclusionStatus(this: &Object<Self>, _a0: u32) {
        not_implemented(this, "IDXGIFactory2::UnregisterOcclusionStatus")
    }
    /// IDXGIFactory2::CreateSwapChainForComposition, slot 24: (IUnknown \*, const void \*, IUnknown \*, void \*\*).
    unsafe fn CreateSwapChainForComposition(this: &Object<Self>, _a0: *mut c_void, _a1: *const c_void, _a2: *mut c_void, _a3: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXGIFactory2::CreateSwapChainForComposition")
    }
    /// IDXGIFactory3::GetCreationFlags, slot 25: ().
    unsafe fn GetCreationFlags(this: &Object<Self>) -> u32 {
        not_implemented(this, "IDXGIFactory3::GetCreationFlags")
    }
    /// IDXGIFactory4::EnumAdapterByLuid, slot 26: (LUID, const IID &, void \*\*).
    unsafe fn EnumAdapterByLuid(this: &Object<Self>, _a0: LUID, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXGIFactory4::EnumAdapterByLuid")
    }
    /// IDXGIFactory4::EnumWarpAdapter, slot 27: (const IID &, void \*\*).
    unsafe fn EnumWarpAdapter(this: &Object<Self>, _a0: *const GUID, _a1: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "IDXGIFactory4::EnumWarpAdapter")
    }
}

/// The vtable of IDXGIFactory4.
#[repr(C)]
pub struct IDXGIFactory4Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub SetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, u32, *const c_void) -> HRESULT,
    pub SetPrivateDataInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *const c_void) -> HRESULT,
    pub GetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, *mut u32, *mut c_void) -> HRESULT,
    pub GetParent: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub EnumAdapters: unsafe extern "C" fn(*mut c_void, u32, *mut *mut c_void) -> HRESULT,
    pub MakeWindowAssociation: unsafe extern "C" fn(*mut c_void, *mut c_void, u32) -> HRESULT,
    pub GetWindowAssociation: unsafe extern "C" fn(*mut c_void, *mut *mut c_void) -> HRESULT,
    pub CreateSwapChain: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void, *mut *mut c_void) -> HRESULT,
    pub CreateSoftwareAdapter: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut *mut c_void) -> HRESULT,
    pub EnumAdapters1: unsafe extern "C" fn(*mut c_void, u32, *mut *mut c_void) -> HRESULT,
    pub IsCurrent: unsafe extern "C" fn(*mut c_void) -> BOOL,
    pub IsWindowedStereoEnabled: unsafe extern "C" fn(*mut c_void) -> BOOL,
    pub CreateSwapChainForHwnd: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void, *const c_void, *const c_void, *mut c_void, *mut *mut c_void) -> HRESULT,
    pub CreateSwapChainForCoreWindow: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void, *const c_void, *mut c_void, *mut *mut c_void) -> HRESULT,
    pub GetSharedResourceAdapterLuid: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut LUID) -> HRESULT,
    pub RegisterStereoStatusWindow: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, *mut u32) -> HRESULT,
    pub RegisterStereoStatusEvent: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut u32) -> HRESULT,
    pub UnregisterStereoStatus: unsafe extern "C" fn(*mut c_void, u32),
    pub RegisterOcclusionStatusWindow: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, *mut u32) -> HRESULT,
    pub RegisterOcclusionStatusEvent: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut u32) -> HRESULT,
    pub UnregisterOcclusionStatus: unsafe extern "C" fn(*mut c_void, u32),
    pub CreateSwapChainForComposition: unsafe extern "C" fn(*mut c_void, *mut c_void, *const c_void, *mut c_void, *mut *mut c_void) -> HRESULT,
    pub GetCreationFlags: unsafe extern "C" fn(*mut c_void) -> u32,
    pub EnumAdapterByLuid: unsafe extern "C" fn(*mut c_void, LUID, *const GUID, *mut *mut c_void) -> HRESULT,
    pub EnumWarpAdapter: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
}

impl<T: IDXGIFactory4, F: Face<T>> Vtable<T, F> for IDXGIFactory4Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_IDXGIObject, super::IID_IDXGIFactory, super::IID_IDXGIFactory1, super::IID_IDXGIFactory2, super::IID_IDXGIFactory3, super::IID_IDXGIFactory4];
    const LINUX: Self = IDXGIFactory4Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        GetParent: GetParent::<T, F>,
        EnumAdapters: EnumAdapters::<T, F>,
        MakeWindowAssociation: MakeWindowAssociation::<T, F>,
        GetWindowAssociation: GetWindowAssociation::<T, F>,
        CreateSwapChain: CreateSwapChain::<T, F>,
        CreateSoftwareAdapter: CreateSoftwareAdapter::<T, F>,
        EnumAdapters1: EnumAdapters1::<T, F>,
        IsCurrent: IsCurrent::<T, F>,
        IsWindowedStereoEnabled: IsWindowedStereoEnabled::<T, F>,
        CreateSwapChainForHwnd: CreateSwapChainForHwnd::<T, F>,
        CreateSwapChainForCoreWindow: CreateSwapChainForCoreWindow::<T, F>,
        GetSharedResourceAdapterLuid: GetSharedResourceAdapterLuid::<T, F>,
        RegisterStereoStatusWindow: RegisterStereoStatusWindow::<T, F>,
        RegisterStereoStatusEvent: RegisterStereoStatusEvent::<T, F>,
        UnregisterStereoStatus: UnregisterStereoStatus::<T, F>,
        RegisterOcclusionStatusWindow: RegisterOcclusionStatusWindow::<T, F>,
        RegisterOcclusionStatusEvent: RegisterOcclusionStatusEvent::<T, F>,
        UnregisterOcclusionStatus: UnregisterOcclusionStatus::<T, F>,
        CreateSwapChainForComposition: CreateSwapChainForComposition::<T, F>,
        GetCreationFlags: GetCreationFlags::<T, F>,
        EnumAdapterByLuid: EnumAdapterByLuid::<T, F>,
        EnumWarpAdapter: EnumWarpAdapter::<T, F>,
    };
    const EXPLICIT_RETURN: Self = IDXGIFactory4Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        GetParent: GetParent::<T, F>,
        EnumAdapters: EnumAdapters::<T, F>,
        MakeWindowAssociation: MakeWindowAssociation::<T, F>,
        GetWindowAssociation: GetWindowAssociation::<T, F>,
        CreateSwapChain: CreateSwapChain::<T, F>,
        CreateSoftwareAdapter: CreateSoftwareAdapter::<T, F>,
        EnumAdapters1: EnumAdapters1::<T, F>,
        IsCurrent: IsCurrent::<T, F>,
        IsWindowedStereoEnabled: IsWindowedStereoEnabled::<T, F>,
        CreateSwapChainForHwnd: CreateSwapChainForHwnd::<T, F>,
        CreateSwapChainForCoreWindow: CreateSwapChainForCoreWindow::<T, F>,
        GetSharedResourceAdapterLuid: GetSharedResourceAdapterLuid::<T, F>,
        RegisterStereoStatusWindow: RegisterStereoStatusWindow::<T, F>,
        RegisterStereoStatusEvent: RegisterStereoStatusEvent::<T, F>,
        UnregisterStereoStatus: UnregisterStereoStatus::<T, F>,
        RegisterOcclusionStatusWindow: RegisterOcclusionStatusWindow::<T, F>,
        RegisterOcclusionStatusEvent: RegisterOcclusionStatusEvent::<T, F>,
        UnregisterOcclusionStatus: UnregisterOcclusionStatus::<T, F>,
        CreateSwapChainForComposition: CreateSwapChainForComposition::<T, F>,
        GetCreationFlags: GetCreationFlags::<T, F>,
        EnumAdapterByLuid: EnumAdapterByLuid::<T, F>,
        EnumWarpAdapter: EnumWarpAdapter::<T, F>,
    };
}

unsafe extern "C" fn GetParent<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: *const GUID, a1: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetParent(this, a0, a1) })
}

unsafe extern "C" fn EnumAdapters<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: u32, a1: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EnumAdapters(this, a0, a1) })
}

unsafe extern "C" fn MakeWindowAssociation<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::MakeWindowAssociation(this, a0, a1) })
}

unsafe extern "C" fn GetWindowAssociation<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetWindowAssociation(this, a0) })
}

unsafe extern "C" fn CreateSwapChain<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut c_void, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateSwapChain(this, a0, a1, a2) })
}

unsafe extern "C" fn CreateSoftwareAdapter<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateSoftwareAdapter(this, a0, a1) })
}

unsafe extern "C" fn EnumAdapters1<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: u32, a1: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EnumAdapters1(this, a0, a1) })
}

unsafe extern "C" fn IsCurrent<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void) -> BOOL {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::IsCurrent(this) })
}

unsafe extern "C" fn IsWindowedStereoEnabled<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void) -> BOOL {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::IsWindowedStereoEnabled(this) })
}

unsafe extern "C" fn CreateSwapChainForHwnd<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut c_void, a2: *const c_void, a3: *const c_void, a4: *mut c_void, a5: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateSwapChainForHwnd(this, a0, a1, a2, a3, a4, a5) })
}

unsafe extern "C" fn CreateSwapChainForCoreWindow<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut c_void, a2: *const c_void, a3: *mut c_void, a4: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateSwapChainForCoreWindow(this, a0, a1, a2, a3, a4) })
}

unsafe extern "C" fn GetSharedResourceAdapterLuid<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut LUID) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetSharedResourceAdapterLuid(this, a0, a1) })
}

unsafe extern "C" fn RegisterStereoStatusWindow<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: *mut u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::RegisterStereoStatusWindow(this, a0, a1, a2) })
}

unsafe extern "C" fn RegisterStereoStatusEvent<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::RegisterStereoStatusEvent(this, a0, a1) })
}

unsafe extern "C" fn UnregisterStereoStatus<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::UnregisterStereoStatus(this, a0) })
}

unsafe extern "C" fn RegisterOcclusionStatusWindow<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: *mut u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::RegisterOcclusionStatusWindow(this, a0, a1, a2) })
}

unsafe extern "C" fn RegisterOcclusionStatusEvent<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::RegisterOcclusionStatusEvent(this, a0, a1) })
}

unsafe extern "C" fn UnregisterOcclusionStatus<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::UnregisterOcclusionStatus(this, a0) })
}

unsafe extern "C" fn CreateSwapChainForComposition<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *const c_void, a2: *mut c_void, a3: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateSwapChainForComposition(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn GetCreationFlags<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void) -> u32 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetCreationFlags(this) })
}

unsafe extern "C" fn EnumAdapterByLuid<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: LUID, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EnumAdapterByLuid(this, a0, a1, a2) })
}

unsafe extern "C" fn EnumWarpAdapter<T: IDXGIFactory4, F: Face<T>>(this: *mut c_void, a0: *const GUID, a1: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EnumWarpAdapter(this, a0, a1) })
}
