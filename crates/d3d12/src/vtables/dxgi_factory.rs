//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for IDXGIFactory1; what it leaves out answers E_NOTIMPL and is reported once.
pub trait IDXGIFactory1: Class {
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
}

/// The vtable of IDXGIFactory1.
#[repr(C)]
pub struct IDXGIFactory1Vtbl {
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
}

impl<T: IDXGIFactory1, F: Face<T>> Vtable<T, F> for IDXGIFactory1Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_IDXGIObject, super::IID_IDXGIFactory, super::IID_IDXGIFactory1];
    const LINUX: Self = IDXGIFactory1Vtbl {
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
    };
    const EXPLICIT_RETURN: Self = IDXGIFactory1Vtbl {
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
    };
}

unsafe extern "C" fn GetParent<T: IDXGIFactory1, F: Face<T>>(this: *mut c_void, a0: *const GUID, a1: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetParent(this, a0, a1) })
}

unsafe extern "C" fn EnumAdapters<T: IDXGIFactory1, F: Face<T>>(this: *mut c_void, a0: u32, a1: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EnumAdapters(this, a0, a1) })
}

unsafe extern "C" fn MakeWindowAssociation<T: IDXGIFactory1, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::MakeWindowAssociation(this, a0, a1) })
}

unsafe extern "C" fn GetWindowAssociation<T: IDXGIFactory1, F: Face<T>>(this: *mut c_void, a0: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetWindowAssociation(this, a0) })
}

unsafe extern "C" fn CreateSwapChain<T: IDXGIFactory1, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut c_void, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateSwapChain(this, a0, a1, a2) })
}

unsafe extern "C" fn CreateSoftwareAdapter<T: IDXGIFactory1, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateSoftwareAdapter(this, a0, a1) })
}

unsafe extern "C" fn EnumAdapters1<T: IDXGIFactory1, F: Face<T>>(this: *mut c_void, a0: u32, a1: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EnumAdapters1(this, a0, a1) })
}

unsafe extern "C" fn IsCurrent<T: IDXGIFactory1, F: Face<T>>(this: *mut c_void) -> BOOL {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::IsCurrent(this) })
}
