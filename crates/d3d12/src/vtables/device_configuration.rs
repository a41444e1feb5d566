//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12DeviceConfiguration1; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12DeviceConfiguration1: Class {
    /// ID3D12DeviceConfiguration::GetDesc, slot 3: ().
    unsafe fn GetDesc(this: &Object<Self>) -> D3D12_DEVICE_CONFIGURATION_DESC {
        not_implemented(this, "ID3D12DeviceConfiguration::GetDesc")
    }
    /// ID3D12DeviceConfiguration::GetEnabledExperimentalFeatures, slot 4: (GUID \*, UINT).
    unsafe fn GetEnabledExperimentalFeatures(this: &Object<Self>, _a0: *mut GUID, _a1: u32) -> HRESULT {
        not_implemented(this, "ID3D12DeviceConfiguration::GetEnabledExperimentalFeatures")
    }
    /// ID3D12DeviceConfiguration::SerializeVersionedRootSignature, slot 5: (const D3D12_VERSIONED_ROOT_SIGNATURE_DESC \*, ID3DBlob \*\*, ID3DBlob \*\*).
    unsafe fn SerializeVersionedRootSignature(this: &Object<Self>, _a0: *const D3D12_VERSIONED_ROOT_SIGNATURE_DESC, _a1: *mut *mut c_void, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12DeviceConfiguration::SerializeVersionedRootSignature")
    }
    /// ID3D12DeviceConfiguration::CreateVersionedRootSignatureDeserializer, slot 6: (const void \*, SIZE_T, const IID &, void \*\*).
    unsafe fn CreateVersionedRootSignatureDeserializer(this: &Object<Self>, _a0: *const c_void, _a1: usize, _a2: *const GUID, _a3: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12DeviceConfiguration::CreateVersionedRootSignatureDeserializer")
    }
    /// ID3D12DeviceConfiguration1::CreateVersionedRootSignatureDeserializerFromSubobjectInLibrary, slot 7: (const void \*, SIZE_T, LPCWSTR, const IID &, void \*\*).
    unsafe fn CreateVersionedRootSignatureDeserializerFromSubobjectInLibrary(this: &Object<Self>, _a0: *const c_void, _a1: usize, _a2: *const c_void, _a3: *const GUID, _a4: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12DeviceConfiguration1::CreateVersionedRootSignatureDeserializerFromSubobjectInLibrary")
    }
}

/// The vtable of ID3D12DeviceConfiguration1.
#[repr(C)]
pub struct ID3D12DeviceConfiguration1Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetDesc: StructReturn,
    pub GetEnabledExperimentalFeatures: unsafe extern "C" fn(*mut c_void, *mut GUID, u32) -> HRESULT,
    pub SerializeVersionedRootSignature: unsafe extern "C" fn(*mut c_void, *const D3D12_VERSIONED_ROOT_SIGNATURE_DESC, *mut *mut c_void, *mut *mut c_void) -> HRESULT,
    pub CreateVersionedRootSignatureDeserializer: unsafe extern "C" fn(*mut c_void, *const c_void, usize, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateVersionedRootSignatureDeserializerFromSubobjectInLibrary: unsafe extern "C" fn(*mut c_void, *const c_void, usize, *const c_void, *const GUID, *mut *mut c_void) -> HRESULT,
}

impl<T: ID3D12DeviceConfiguration1, F: Face<T>> Vtable<T, F> for ID3D12DeviceConfiguration1Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12DeviceConfiguration, super::IID_ID3D12DeviceConfiguration1];
    const LINUX: Self = ID3D12DeviceConfiguration1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetDesc: StructReturn::new(GetDesc::<T, F> as *const ()),
        GetEnabledExperimentalFeatures: GetEnabledExperimentalFeatures::<T, F>,
        SerializeVersionedRootSignature: SerializeVersionedRootSignature::<T, F>,
        CreateVersionedRootSignatureDeserializer: CreateVersionedRootSignatureDeserializer::<T, F>,
        CreateVersionedRootSignatureDeserializerFromSubobjectInLibrary: CreateVersionedRootSignatureDeserializerFromSubobjectInLibrary::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12DeviceConfiguration1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetDesc: StructReturn::new(explicit_GetDesc::<T, F> as *const ()),
        GetEnabledExperimentalFeatures: GetEnabledExperimentalFeatures::<T, F>,
        SerializeVersionedRootSignature: SerializeVersionedRootSignature::<T, F>,
        CreateVersionedRootSignatureDeserializer: CreateVersionedRootSignatureDeserializer::<T, F>,
        CreateVersionedRootSignatureDeserializerFromSubobjectInLibrary: CreateVersionedRootSignatureDeserializerFromSubobjectInLibrary::<T, F>,
    };
}

unsafe extern "C" fn GetDesc<T: ID3D12DeviceConfiguration1, F: Face<T>>(this: *mut c_void) -> D3D12_DEVICE_CONFIGURATION_DESC {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetDesc(this) })
}

unsafe extern "C" fn explicit_GetDesc<T: ID3D12DeviceConfiguration1, F: Face<T>>(this: *mut c_void, result: *mut D3D12_DEVICE_CONFIGURATION_DESC) -> *mut D3D12_DEVICE_CONFIGURATION_DESC {
    // SAFETY: the arguments are the client's.
    let value = unsafe { GetDesc::<T, F>(this) };
    if !result.is_null() {
        // SAFETY: the client gives a place for the result.
        unsafe { result.write(value) };
    }
    result
}

unsafe extern "C" fn GetEnabledExperimentalFeatures<T: ID3D12DeviceConfiguration1, F: Face<T>>(this: *mut c_void, a0: *mut GUID, a1: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetEnabledExperimentalFeatures(this, a0, a1) })
}

unsafe extern "C" fn SerializeVersionedRootSignature<T: ID3D12DeviceConfiguration1, F: Face<T>>(this: *mut c_void, a0: *const D3D12_VERSIONED_ROOT_SIGNATURE_DESC, a1: *mut *mut c_void, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SerializeVersionedRootSignature(this, a0, a1, a2) })
}

unsafe extern "C" fn CreateVersionedRootSignatureDeserializer<T: ID3D12DeviceConfiguration1, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: usize, a2: *const GUID, a3: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateVersionedRootSignatureDeserializer(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn CreateVersionedRootSignatureDeserializerFromSubobjectInLibrary<T: ID3D12DeviceConfiguration1, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: usize, a2: *const c_void, a3: *const GUID, a4: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateVersionedRootSignatureDeserializerFromSubobjectInLibrary(this, a0, a1, a2, a3, a4) })
}
