//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12CommandQueue1; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12CommandQueue1: Class {
    /// ID3D12CommandQueue::UpdateTileMappings, slot 8: (ID3D12Resource \*, UINT, const D3D12_TILED_RESOURCE_COORDINATE \*, const D3D12_TILE_REGION_SIZE \*, ID3D12Heap \*, UINT, const D3D12_TILE_RANGE_FLAGS \*, const UINT \*, const UINT \*, D3D12_TILE_MAPPING_FLAGS).
    unsafe fn UpdateTileMappings(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: *const D3D12_TILED_RESOURCE_COORDINATE, _a3: *const D3D12_TILE_REGION_SIZE, _a4: *mut c_void, _a5: u32, _a6: *const D3D12_TILE_RANGE_FLAGS, _a7: *const u32, _a8: *const u32, _a9: u32) {
        not_implemented(this, "ID3D12CommandQueue::UpdateTileMappings")
    }
    /// ID3D12CommandQueue::CopyTileMappings, slot 9: (ID3D12Resource \*, const D3D12_TILED_RESOURCE_COORDINATE \*, ID3D12Resource \*, const D3D12_TILED_RESOURCE_COORDINATE \*, const D3D12_TILE_REGION_SIZE \*, D3D12_TILE_MAPPING_FLAGS).
    unsafe fn CopyTileMappings(this: &Object<Self>, _a0: *mut c_void, _a1: *const D3D12_TILED_RESOURCE_COORDINATE, _a2: *mut c_void, _a3: *const D3D12_TILED_RESOURCE_COORDINATE, _a4: *const D3D12_TILE_REGION_SIZE, _a5: u32) {
        not_implemented(this, "ID3D12CommandQueue::CopyTileMappings")
    }
    /// ID3D12CommandQueue::ExecuteCommandLists, slot 10: (UINT, ID3D12CommandList \*const \*).
    unsafe fn ExecuteCommandLists(this: &Object<Self>, _a0: u32, _a1: *const *mut c_void) {
        not_implemented(this, "ID3D12CommandQueue::ExecuteCommandLists")
    }
    /// ID3D12CommandQueue::SetMarker, slot 11: (UINT, const void \*, UINT).
    unsafe fn SetMarker(this: &Object<Self>, _a0: u32, _a1: *const c_void, _a2: u32) {
        not_implemented(this, "ID3D12CommandQueue::SetMarker")
    }
    /// ID3D12CommandQueue::BeginEvent, slot 12: (UINT, const void \*, UINT).
    unsafe fn BeginEvent(this: &Object<Self>, _a0: u32, _a1: *const c_void, _a2: u32) {
        not_implemented(this, "ID3D12CommandQueue::BeginEvent")
    }
    /// ID3D12CommandQueue::EndEvent, slot 13: ().
    unsafe fn EndEvent(this: &Object<Self>) {
        not_implemented(this, "ID3D12CommandQueue::EndEvent")
    }
    /// ID3D12CommandQueue::Signal, slot 14: (ID3D12Fence \*, UINT64).
    unsafe fn Signal(this: &Object<Self>, _a0: *mut c_void, _a1: u64) -> HRESULT {
        not_implemented(this, "ID3D12CommandQueue::Signal")
    }
    /// ID3D12CommandQueue::Wait, slot 15: (ID3D12Fence \*, UINT64).
    unsafe fn Wait(this: &Object<Self>, _a0: *mut c_void, _a1: u64) -> HRESULT {
        not_implemented(this, "ID3D12CommandQueue::Wait")
    }
    /// ID3D12CommandQueue::GetTimestampFrequency, slot 16: (UINT64 \*).
    unsafe fn GetTimestampFrequency(this: &Object<Self>, _a0: *mut u64) -> HRESULT {
        not_implemented(this, "ID3D12CommandQueue::GetTimestampFrequency")
    }
    /// ID3D12CommandQueue::GetClockCalibration, slot 17: (UINT64 \*, UINT64 \*).
    unsafe fn GetClockCalibration(this: &Object<Self>, _a0: *mut u64, _a1: *mut u64) -> HRESULT {
        not_implemented(this, "ID3D12CommandQueue::GetClockCalibration")
    }
    /// ID3D12CommandQueue::GetDesc, slot 18: ().
    unsafe fn GetDesc(this: &Object<Self>) -> D3D12_COMMAND_QUEUE_DESC {
        not_implemented(this, "ID3D12CommandQueue::GetDesc")
    }
    /// ID3D12CommandQueue1::SetProcessPriority, slot 19: (D3D12_COMMAND_QUEUE_PROCESS_PRIORITY).
    unsafe fn SetProcessPriority(this: &Object<Self>, _a0: D3D12_COMMAND_QUEUE_PROCESS_PRIORITY) -> HRESULT {
        not_implemented(this, "ID3D12CommandQueue1::SetProcessPriority")
    }
    /// ID3D12CommandQueue1::GetProcessPriority, slot 20: (D3D12_COMMAND_QUEUE_PROCESS_PRIORITY \*).
    unsafe fn GetProcessPriority(this: &Object<Self>, _a0: *mut D3D12_COMMAND_QUEUE_PROCESS_PRIORITY) -> HRESULT {
        not_implemented(this, "ID3D12CommandQueue1::GetProcessPriority")
    }
    /// ID3D12CommandQueue1::SetGlobalPriority, slot 21: (D3D12_COMMAND_QUEUE_GLOBAL_PRIORITY).
    unsafe fn SetGlobalPriority(this: &Object<Self>, _a0: D3D12_COMMAND_QUEUE_GLOBAL_PRIORITY) -> HRESULT {
        not_implemented(this, "ID3D12CommandQueue1::SetGlobalPriority")
    }
    /// ID3D12CommandQueue1::GetGlobalPriority, slot 22: (D3D12_COMMAND_QUEUE_GLOBAL_PRIORITY \*).
    unsafe fn GetGlobalPriority(this: &Object<Self>, _a0: *mut D3D12_COMMAND_QUEUE_GLOBAL_PRIORITY) -> HRESULT {
        not_implemented(this, "ID3D12CommandQueue1::GetGlobalPriority")
    }
}

/// The vtable of ID3D12CommandQueue1.
#[repr(C)]
pub struct ID3D12CommandQueue1Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, *mut u32, *mut c_void) -> HRESULT,
    pub SetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, u32, *const c_void) -> HRESULT,
    pub SetPrivateDataInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *const c_void) -> HRESULT,
    pub SetName: unsafe extern "C" fn(*mut c_void, *const c_void) -> HRESULT,
    pub GetDevice: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub UpdateTileMappings: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, *const D3D12_TILED_RESOURCE_COORDINATE, *const D3D12_TILE_REGION_SIZE, *mut c_void, u32, *const D3D12_TILE_RANGE_FLAGS, *const u32, *const u32, u32),
    pub CopyTileMappings: unsafe extern "C" fn(*mut c_void, *mut c_void, *const D3D12_TILED_RESOURCE_COORDINATE, *mut c_void, *const D3D12_TILED_RESOURCE_COORDINATE, *const D3D12_TILE_REGION_SIZE, u32),
    pub ExecuteCommandLists: unsafe extern "C" fn(*mut c_void, u32, *const *mut c_void),
    pub SetMarker: unsafe extern "C" fn(*mut c_void, u32, *const c_void, u32),
    pub BeginEvent: unsafe extern "C" fn(*mut c_void, u32, *const c_void, u32),
    pub EndEvent: unsafe extern "C" fn(*mut c_void),
    pub Signal: unsafe extern "C" fn(*mut c_void, *mut c_void, u64) -> HRESULT,
    pub Wait: unsafe extern "C" fn(*mut c_void, *mut c_void, u64) -> HRESULT,
    pub GetTimestampFrequency: unsafe extern "C" fn(*mut c_void, *mut u64) -> HRESULT,
    pub GetClockCalibration: unsafe extern "C" fn(*mut c_void, *mut u64, *mut u64) -> HRESULT,
    pub GetDesc: StructReturn,
    pub SetProcessPriority: unsafe extern "C" fn(*mut c_void, D3D12_COMMAND_QUEUE_PROCESS_PRIORITY) -> HRESULT,
    pub GetProcessPriority: unsafe extern "C" fn(*mut c_void, *mut D3D12_COMMAND_QUEUE_PROCESS_PRIORITY) -> HRESULT,
    pub SetGlobalPriority: unsafe extern "C" fn(*mut c_void, D3D12_COMMAND_QUEUE_GLOBAL_PRIORITY) -> HRESULT,
    pub GetGlobalPriority: unsafe extern "C" fn(*mut c_void, *mut D3D12_COMMAND_QUEUE_GLOBAL_PRIORITY) -> HRESULT,
}

impl<T: ID3D12CommandQueue1, F: Face<T>> Vtable<T, F> for ID3D12CommandQueue1Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12Object, super::IID_ID3D12DeviceChild, super::IID_ID3D12Pageable, super::IID_ID3D12CommandQueue, super::IID_ID3D12CommandQueue1];
    const LINUX: Self = ID3D12CommandQueue1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
        UpdateTileMappings: UpdateTileMappings::<T, F>,
        CopyTileMappings: CopyTileMappings::<T, F>,
        ExecuteCommandLists: ExecuteCommandLists::<T, F>,
        SetMarker: SetMarker::<T, F>,
        BeginEvent: BeginEvent::<T, F>,
        EndEvent: EndEvent::<T, F>,
        Signal: Signal::<T, F>,
        Wait: Wait::<T, F>,
        GetTimestampFrequency: GetTimestampFrequency::<T, F>,
        GetClockCalibration: GetClockCalibration::<T, F>,
        GetDesc: StructReturn::new(GetDesc::<T, F> as *const ()),
        SetProcessPriority: SetProcessPriority::<T, F>,
        GetProcessPriority: GetProcessPriority::<T, F>,
        SetGlobalPriority: SetGlobalPriority::<T, F>,
        GetGlobalPriority: GetGlobalPriority::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12CommandQueue1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
        UpdateTileMappings: UpdateTileMappings::<T, F>,
        CopyTileMappings: CopyTileMappings::<T, F>,
        ExecuteCommandLists: ExecuteCommandLists::<T, F>,
        SetMarker: SetMarker::<T, F>,
        BeginEvent: BeginEvent::<T, F>,
        EndEvent: EndEvent::<T, F>,
        Signal: Signal::<T, F>,
        Wait: Wait::<T, F>,
        GetTimestampFrequency: GetTimestampFrequency::<T, F>,
        GetClockCalibration: GetClockCalibration::<T, F>,
        GetDesc: StructReturn::new(explicit_GetDesc::<T, F> as *const ()),
        SetProcessPriority: SetProcessPriority::<T, F>,
        GetProcessPriority: GetProcessPriority::<T, F>,
        SetGlobalPriority: SetGlobalPriority::<T, F>,
        GetGlobalPriority: GetGlobalPriority::<T, F>,
    };
}

unsafe extern "C" fn UpdateTileMappings<T: ID3D12CommandQueue1, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: *const D3D12_TILED_RESOURCE_COORDINATE, a3: *const D3D12_TILE_REGION_SIZE, a4: *mut c_void, a5: u32, a6: *const D3D12_TILE_RANGE_FLAGS, a7: *const u32, a8: *const u32, a9: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::UpdateTileMappings(this, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) })
}

unsafe extern "C" fn CopyTileMappings<T: ID3D12CommandQueue1, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *const D3D12_TILED_RESOURCE_COORDINATE, a2: *mut c_void, a3: *const D3D12_TILED_RESOURCE_COORDINATE, a4: *const D3D12_TILE_REGION_SIZE, a5: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CopyTileMappings(this, a0, a1, a2, a3, a4, a5) })
}

unsafe extern "C" fn ExecuteCommandLists<T: ID3D12CommandQueue1, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ExecuteCommandLists(this, a0, a1) })
}

unsafe extern "C" fn SetMarker<T: ID3D12CommandQueue1, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const c_void, a2: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetMarker(this, a0, a1, a2) })
}

unsafe extern "C" fn BeginEvent<T: ID3D12CommandQueue1, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const c_void, a2: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::BeginEvent(this, a0, a1, a2) })
}

unsafe extern "C" fn EndEvent<T: ID3D12CommandQueue1, F: Face<T>>(this: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EndEvent(this) })
}

unsafe extern "C" fn Signal<T: ID3D12CommandQueue1, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u64) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::Signal(this, a0, a1) })
}

unsafe extern "C" fn Wait<T: ID3D12CommandQueue1, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u64) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::Wait(this, a0, a1) })
}

unsafe extern "C" fn GetTimestampFrequency<T: ID3D12CommandQueue1, F: Face<T>>(this: *mut c_void, a0: *mut u64) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetTimestampFrequency(this, a0) })
}

unsafe extern "C" fn GetClockCalibration<T: ID3D12CommandQueue1, F: Face<T>>(this: *mut c_void, a0: *mut u64, a1: *mut u64) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetClockCalibration(this, a0, a1) })
}

unsafe extern "C" fn GetDesc<T: ID3D12CommandQueue1, F: Face<T>>(this: *mut c_void) -> D3D12_COMMAND_QUEUE_DESC {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetDesc(this) })
}

unsafe extern "C" fn explicit_GetDesc<T: ID3D12CommandQueue1, F: Face<T>>(this: *mut c_void, result: *mut D3D12_COMMAND_QUEUE_DESC) -> *mut D3D12_COMMAND_QUEUE_DESC {
    // SAFETY: the arguments are the client's.
    let value = unsafe { GetDesc::<T, F>(this) };
    if !result.is_null() {
        // SAFETY: the client gives a place for the result.
        unsafe { result.write(value) };
    }
    result
}

unsafe extern "C" fn SetProcessPriority<T: ID3D12CommandQueue1, F: Face<T>>(this: *mut c_void, a0: D3D12_COMMAND_QUEUE_PROCESS_PRIORITY) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetProcessPriority(this, a0) })
}

unsafe extern "C" fn GetProcessPriority<T: ID3D12CommandQueue1, F: Face<T>>(this: *mut c_void, a0: *mut D3D12_COMMAND_QUEUE_PROCESS_PRIORITY) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetProcessPriority(this, a0) })
}

unsafe extern "C" fn SetGlobalPriority<T: ID3D12CommandQueue1, F: Face<T>>(this: *mut c_void, a0: D3D12_COMMAND_QUEUE_GLOBAL_PRIORITY) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetGlobalPriority(this, a0) })
}

unsafe extern "C" fn GetGlobalPriority<T: ID3D12CommandQueue1, F: Face<T>>(this: *mut c_void, a0: *mut D3D12_COMMAND_QUEUE_GLOBAL_PRIORITY) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetGlobalPriority(this, a0) })
}
