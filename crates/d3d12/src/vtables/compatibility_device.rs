//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12CompatibilityDevice; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12CompatibilityDevice: Class {
    /// ID3D12CompatibilityDevice::CreateSharedResource, slot 3: (const D3D12_HEAP_PROPERTIES \*, D3D12_HEAP_FLAGS, const D3D12_RESOURCE_DESC \*, D3D12_RESOURCE_STATES, const D3D12_CLEAR_VALUE \*, const D3D11_RESOURCE_FLAGS \*, D3D12_COMPATIBILITY_SHARED_FLAGS, ID3D12LifetimeTracker \*, ID3D12SwapChainAssistant \*, const IID &, void \*\*).
    unsafe fn CreateSharedResource(this: &Object<Self>, _a0: *const D3D12_HEAP_PROPERTIES, _a1: D3D12_HEAP_FLAGS, _a2: *const D3D12_RESOURCE_DESC, _a3: u32, _a4: *const D3D12_CLEAR_VALUE, _a5: *const c_void, _a6: u32, _a7: *mut c_void, _a8: *mut c_void, _a9: *const GUID, _a10: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12CompatibilityDevice::CreateSharedResource")
    }
    /// ID3D12CompatibilityDevice::CreateSharedHeap, slot 4: (const D3D12_HEAP_DESC \*, D3D12_COMPATIBILITY_SHARED_FLAGS, const IID &, void \*\*).
    unsafe fn CreateSharedHeap(this: &Object<Self>, _a0: *const D3D12_HEAP_DESC, _a1: u32, _a2: *const GUID, _a3: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12CompatibilityDevice::CreateSharedHeap")
    }
    /// ID3D12CompatibilityDevice::ReflectSharedProperties, slot 5: (ID3D12Object \*, D3D12_REFLECT_SHARED_PROPERTY, void \*, UINT).
    unsafe fn ReflectSharedProperties(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: *mut c_void, _a3: u32) -> HRESULT {
        not_implemented(this, "ID3D12CompatibilityDevice::ReflectSharedProperties")
    }
}

/// The vtable of ID3D12CompatibilityDevice.
#[repr(C)]
pub struct ID3D12CompatibilityDeviceVtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub CreateSharedResource: unsafe extern "C" fn(*mut c_void, *const D3D12_HEAP_PROPERTIES, D3D12_HEAP_FLAGS, *const D3D12_RESOURCE_DESC, u32, *const D3D12_CLEAR_VALUE, *const c_void, u32, *mut c_void, *mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateSharedHeap: unsafe extern "C" fn(*mut c_void, *const D3D12_HEAP_DESC, u32, *const GUID, *mut *mut c_void) -> HRESULT,
    pub ReflectSharedProperties: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, *mut c_void, u32) -> HRESULT,
}

impl<T: ID3D12CompatibilityDevice, F: Face<T>> Vtable<T, F> for ID3D12CompatibilityDeviceVtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12CompatibilityDevice];
    const LINUX: Self = ID3D12CompatibilityDeviceVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        CreateSharedResource: CreateSharedResource::<T, F>,
        CreateSharedHeap: CreateSharedHeap::<T, F>,
        ReflectSharedProperties: ReflectSharedProperties::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12CompatibilityDeviceVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        CreateSharedResource: CreateSharedResource::<T, F>,
        CreateSharedHeap: CreateSharedHeap::<T, F>,
        ReflectSharedProperties: ReflectSharedProperties::<T, F>,
    };
}

unsafe extern "C" fn CreateSharedResource<T: ID3D12CompatibilityDevice, F: Face<T>>(this: *mut c_void, a0: *const D3D12_HEAP_PROPERTIES, a1: D3D12_HEAP_FLAGS, a2: *const D3D12_RESOURCE_DESC, a3: u32, a4: *const D3D12_CLEAR_VALUE, a5: *const c_void, a6: u32, a7: *mut c_void, a8: *mut c_void, a9: *const GUID, a10: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateSharedResource(this, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) })
}

unsafe extern "C" fn CreateSharedHeap<T: ID3D12CompatibilityDevice, F: Face<T>>(this: *mut c_void, a0: *const D3D12_HEAP_DESC, a1: u32, a2: *const GUID, a3: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateSharedHeap(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn ReflectSharedProperties<T: ID3D12CompatibilityDevice, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: *mut c_void, a3: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ReflectSharedProperties(this, a0, a1, a2, a3) })
}
