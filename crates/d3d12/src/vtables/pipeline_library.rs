//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12PipelineLibrary1; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12PipelineLibrary1: Class {
    /// ID3D12PipelineLibrary::StorePipeline, slot 8: (LPCWSTR, ID3D12PipelineState \*).
    unsafe fn StorePipeline(this: &Object<Self>, _a0: *const c_void, _a1: *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12PipelineLibrary::StorePipeline")
    }
    /// ID3D12PipelineLibrary::LoadGraphicsPipeline, slot 9: (LPCWSTR, const D3D12_GRAPHICS_PIPELINE_STATE_DESC \*, const IID &, void \*\*).
    unsafe fn LoadGraphicsPipeline(this: &Object<Self>, _a0: *const c_void, _a1: *const c_void, _a2: *const GUID, _a3: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12PipelineLibrary::LoadGraphicsPipeline")
    }
    /// ID3D12PipelineLibrary::LoadComputePipeline, slot 10: (LPCWSTR, const D3D12_COMPUTE_PIPELINE_STATE_DESC \*, const IID &, void \*\*).
    unsafe fn LoadComputePipeline(this: &Object<Self>, _a0: *const c_void, _a1: *const D3D12_COMPUTE_PIPELINE_STATE_DESC, _a2: *const GUID, _a3: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12PipelineLibrary::LoadComputePipeline")
    }
    /// ID3D12PipelineLibrary::GetSerializedSize, slot 11: ().
    unsafe fn GetSerializedSize(this: &Object<Self>) -> usize {
        not_implemented(this, "ID3D12PipelineLibrary::GetSerializedSize")
    }
    /// ID3D12PipelineLibrary::Serialize, slot 12: (void \*, SIZE_T).
    unsafe fn Serialize(this: &Object<Self>, _a0: *mut c_void, _a1: usize) -> HRESULT {
        not_implemented(this, "ID3D12PipelineLibrary::Serialize")
    }
    /// ID3D12PipelineLibrary1::LoadPipeline, slot 13: (LPCWSTR, const D3D12_PIPELINE_STATE_STREAM_DESC \*, const IID &, void \*\*).
    unsafe fn LoadPipeline(this: &Object<Self>, _a0: *const c_void, _a1: *const D3D12_PIPELINE_STATE_STREAM_DESC, _a2: *const GUID, _a3: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12PipelineLibrary1::LoadPipeline")
    }
}

/// The vtable of ID3D12PipelineLibrary1.
#[repr(C)]
pub struct ID3D12PipelineLibrary1Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, *mut u32, *mut c_void) -> HRESULT,
    pub SetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, u32, *const c_void) -> HRESULT,
    pub SetPrivateDataInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *const c_void) -> HRESULT,
    pub SetName: unsafe extern "C" fn(*mut c_void, *const c_void) -> HRESULT,
    pub GetDevice: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub StorePipeline: unsafe extern "C" fn(*mut c_void, *const c_void, *mut c_void) -> HRESULT,
    pub LoadGraphicsPipeline: unsafe extern "C" fn(*mut c_void, *const c_void, *const c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub LoadComputePipeline: unsafe extern "C" fn(*mut c_void, *const c_void, *const D3D12_COMPUTE_PIPELINE_STATE_DESC, *const GUID, *mut *mut c_void) -> HRESULT,
    pub GetSerializedSize: unsafe extern "C" fn(*mut c_void) -> usize,
    pub Serialize: unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> HRESULT,
    pub LoadPipeline: unsafe extern "C" fn(*mut c_void, *const c_void, *const D3D12_PIPELINE_STATE_STREAM_DESC, *const GUID, *mut *mut c_void) -> HRESULT,
}

impl<T: ID3D12PipelineLibrary1, F: Face<T>> Vtable<T, F> for ID3D12PipelineLibrary1Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12Object, super::IID_ID3D12DeviceChild, super::IID_ID3D12PipelineLibrary, super::IID_ID3D12PipelineLibrary1];
    const LINUX: Self = ID3D12PipelineLibrary1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
        StorePipeline: StorePipeline::<T, F>,
        LoadGraphicsPipeline: LoadGraphicsPipeline::<T, F>,
        LoadComputePipeline: LoadComputePipeline::<T, F>,
        GetSerializedSize: GetSerializedSize::<T, F>,
        Serialize: Serialize::<T, F>,
        LoadPipeline: LoadPipeline::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12PipelineLibrary1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
        StorePipeline: StorePipeline::<T, F>,
        LoadGraphicsPipeline: LoadGraphicsPipeline::<T, F>,
        LoadComputePipeline: LoadComputePipeline::<T, F>,
        GetSerializedSize: GetSerializedSize::<T, F>,
        Serialize: Serialize::<T, F>,
        LoadPipeline: LoadPipeline::<T, F>,
    };
}

unsafe extern "C" fn StorePipeline<T: ID3D12PipelineLibrary1, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::StorePipeline(this, a0, a1) })
}

unsafe extern "C" fn LoadGraphicsPipeline<T: ID3D12PipelineLibrary1, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: *const c_void, a2: *const GUID, a3: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::LoadGraphicsPipeline(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn LoadComputePipeline<T: ID3D12PipelineLibrary1, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: *const D3D12_COMPUTE_PIPELINE_STATE_DESC, a2: *const GUID, a3: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::LoadComputePipeline(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn GetSerializedSize<T: ID3D12PipelineLibrary1, F: Face<T>>(this: *mut c_void) -> usize {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetSerializedSize(this) })
}

unsafe extern "C" fn Serialize<T: ID3D12PipelineLibrary1, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: usize) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::Serialize(this, a0, a1) })
}

unsafe extern "C" fn LoadPipeline<T: ID3D12PipelineLibrary1, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: *const D3D12_PIPELINE_STATE_STREAM_DESC, a2: *const GUID, a3: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::LoadPipeline(this, a0, a1, a2, a3) })
}
