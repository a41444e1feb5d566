//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12Resource2; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12Resource2: Class {
    /// ID3D12Resource::Map, slot 8: (UINT, const D3D12_RANGE \*, void \*\*).
    unsafe fn Map(this: &Object<Self>, _a0: u32, _a1: *const D3D12_RANGE, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Resource::Map")
    }
    /// ID3D12Resource::Unmap, slot 9: (UINT, const D3D12_RANGE \*).
    unsafe fn Unmap(this: &Object<Self>, _a0: u32, _a1: *const D3D12_RANGE) {
        not_implemented(this, "ID3D12Resource::Unmap")
    }
    /// ID3D12Resource::GetDesc, slot 10: ().
    unsafe fn GetDesc(this: &Object<Self>) -> D3D12_RESOURCE_DESC {
        not_implemented(this, "ID3D12Resource::GetDesc")
    }
    /// ID3D12Resource::GetGPUVirtualAddress, slot 11: ().
    unsafe fn GetGPUVirtualAddress(this: &Object<Self>) -> D3D12_GPU_VIRTUAL_ADDRESS {
        not_implemented(this, "ID3D12Resource::GetGPUVirtualAddress")
    }
    /// ID3D12Resource::WriteToSubresource, slot 12: (UINT, const D3D12_BOX \*, const void \*, UINT, UINT).
    unsafe fn WriteToSubresource(this: &Object<Self>, _a0: u32, _a1: *const D3D12_BOX, _a2: *const c_void, _a3: u32, _a4: u32) -> HRESULT {
        not_implemented(this, "ID3D12Resource::WriteToSubresource")
    }
    /// ID3D12Resource::ReadFromSubresource, slot 13: (void \*, UINT, UINT, UINT, const D3D12_BOX \*).
    unsafe fn ReadFromSubresource(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: u32, _a3: u32, _a4: *const D3D12_BOX) -> HRESULT {
        not_implemented(this, "ID3D12Resource::ReadFromSubresource")
    }
    /// ID3D12Resource::GetHeapProperties, slot 14: (D3D12_HEAP_PROPERTIES \*, D3D12_HEAP_FLAGS \*).
    unsafe fn GetHeapProperties(this: &Object<Self>, _a0: *mut D3D12_HEAP_PROPERTIES, _a1: *mut D3D12_HEAP_FLAGS) -> HRESULT {
        not_implemented(this, "ID3D12Resource::GetHeapProperties")
    }
    /// ID3D12Resource1::GetProtectedResourceSession, slot 15: (const IID &, void \*\*).
    unsafe fn GetProtectedResourceSession(this: &Object<Self>, _a0: *const GUID, _a1: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Resource1::GetProtectedResourceSession")
    }
    /// ID3D12Resource2::GetDesc1, slot 16: ().
    unsafe fn GetDesc1(this: &Object<Self>) -> D3D12_RESOURCE_DESC1 {
        not_implemented(this, "ID3D12Resource2::GetDesc1")
    }
}

/// The vtable of ID3D12Resource2.
#[repr(C)]
pub struct ID3D12Resource2Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, *mut u32, *mut c_void) -> HRESULT,
    pub SetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, u32, *const c_void) -> HRESULT,
    pub SetPrivateDataInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *const c_void) -> HRESULT,
    pub SetName: unsafe extern "C" fn(*mut c_void, *const c_void) -> HRESULT,
    pub GetDevice: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub Map: unsafe extern "C" fn(*mut c_void, u32, *const D3D12_RANGE, *mut *mut c_void) -> HRESULT,
    pub Unmap: unsafe extern "C" fn(*mut c_void, u32, *const D3D12_RANGE),
    pub GetDesc: StructReturn,
    pub GetGPUVirtualAddress: unsafe extern "C" fn(*mut c_void) -> D3D12_GPU_VIRTUAL_ADDRESS,
    pub WriteToSubresource: unsafe extern "C" fn(*mut c_void, u32, *const D3D12_BOX, *const c_void, u32, u32) -> HRESULT,
    pub ReadFromSubresource: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, u32, u32, *const D3D12_BOX) -> HRESULT,
    pub GetHeapProperties: unsafe extern "C" fn(*mut c_void, *mut D3D12_HEAP_PROPERTIES, *mut D3D12_HEAP_FLAGS) -> HRESULT,
    pub GetProtectedResourceSession: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub GetDesc1: StructReturn,
}

impl<T: ID3D12Resource2, F: Face<T>> Vtable<T, F> for ID3D12Resource2Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12Object, super::IID_ID3D12DeviceChild, super::IID_ID3D12Pageable, super::IID_ID3D12Resource, super::IID_ID3D12Resource1, super::IID_ID3D12Resource2];
    const LINUX: Self = ID3D12Resource2Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
        Map: Map::<T, F>,
        Unmap: Unmap::<T, F>,
        GetDesc: StructReturn::new(GetDesc::<T, F> as *const ()),
        GetGPUVirtualAddress: GetGPUVirtualAddress::<T, F>,
        WriteToSubresource: WriteToSubresource::<T, F>,
        ReadFromSubresource: ReadFromSubresource::<T, F>,
        GetHeapProperties: GetHeapProperties::<T, F>,
        GetProtectedResourceSession: GetProtectedResourceSession::<T, F>,
        GetDesc1: StructReturn::new(GetDesc1::<T, F> as *const ()),
    };
    const EXPLICIT_RETURN: Self = ID3D12Resource2Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
        Map: Map::<T, F>,
        Unmap: Unmap::<T, F>,
        GetDesc: StructReturn::new(explicit_GetDesc::<T, F> as *const ()),
        GetGPUVirtualAddress: GetGPUVirtualAddress::<T, F>,
        WriteToSubresource: WriteToSubresource::<T, F>,
        ReadFromSubresource: ReadFromSubresource::<T, F>,
        GetHeapProperties: GetHeapProperties::<T, F>,
        GetProtectedResourceSession: GetProtectedResourceSession::<T, F>,
        GetDesc1: StructReturn::new(explicit_GetDesc1::<T, F> as *const ()),
    };
}

unsafe extern "C" fn Map<T: ID3D12Resource2, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const D3D12_RANGE, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::Map(this, a0, a1, a2) })
}

unsafe extern "C" fn Unmap<T: ID3D12Resource2, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const D3D12_RANGE) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::Unmap(this, a0, a1) })
}

unsafe extern "C" fn GetDesc<T: ID3D12Resource2, F: Face<T>>(this: *mut c_void) -> D3D12_RESOURCE_DESC {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetDesc(this) })
}

unsafe extern "C" fn explicit_GetDesc<T: ID3D12Resource2, F: Face<T>>(this: *mut c_void, result: *mut D3D12_RESOURCE_DESC) -> *mut D3D12_RESOURCE_DESC {
    // SAFETY: the arguments are the client's.
    let value = unsafe { GetDesc::<T, F>(this) };
    if !result.is_null() {
        // SAFETY: the client gives a place for the result.
        unsafe { result.write(value) };
    }
    result
}

unsafe extern "C" fn GetGPUVirtualAddress<T: ID3D12Resource2, F: Face<T>>(this: *mut c_void) -> D3D12_GPU_VIRTUAL_ADDRESS {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetGPUVirtualAddress(this) })
}

unsafe extern "C" fn WriteToSubresource<T: ID3D12Resource2, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const D3D12_BOX, a2: *const c_void, a3: u32, a4: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::WriteToSubresource(this, a0, a1, a2, a3, a4) })
}

unsafe extern "C" fn ReadFromSubresource<T: ID3D12Resource2, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: u32, a3: u32, a4: *const D3D12_BOX) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ReadFromSubresource(this, a0, a1, a2, a3, a4) })
}

unsafe extern "C" fn GetHeapProperties<T: ID3D12Resource2, F: Face<T>>(this: *mut c_void, a0: *mut D3D12_HEAP_PROPERTIES, a1: *mut D3D12_HEAP_FLAGS) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetHeapProperties(this, a0, a1) })
}

unsafe extern "C" fn GetProtectedResourceSession<T: ID3D12Resource2, F: Face<T>>(this: *mut c_void, a0: *const GUID, a1: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetProtectedResourceSession(this, a0, a1) })
}

unsafe extern "C" fn GetDesc1<T: ID3D12Resource2, F: Face<T>>(this: *mut c_void) -> D3D12_RESOURCE_DESC1 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetDesc1(this) })
}

unsafe extern "C" fn explicit_GetDesc1<T: ID3D12Resource2, F: Face<T>>(this: *mut c_void, result: *mut D3D12_RESOURCE_DESC1) -> *mut D3D12_RESOURCE_DESC1 {
    // SAFETY: the arguments are the client's.
    let value = unsafe { GetDesc1::<T, F>(this) };
    if !result.is_null() {
        // SAFETY: the client gives a place for the result.
        unsafe { result.write(value) };
    }
    result
}
