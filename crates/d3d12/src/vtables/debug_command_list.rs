//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12DebugCommandList3; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12DebugCommandList3: Class {
    /// ID3D12DebugCommandList::AssertResourceState, slot 3: (ID3D12Resource \*, UINT, UINT).
    unsafe fn AssertResourceState(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: u32) -> BOOL {
        not_implemented(this, "ID3D12DebugCommandList::AssertResourceState")
    }
    /// ID3D12DebugCommandList::SetFeatureMask, slot 4: (D3D12_DEBUG_FEATURE).
    unsafe fn SetFeatureMask(this: &Object<Self>, _a0: u32) -> HRESULT {
        not_implemented(this, "ID3D12DebugCommandList::SetFeatureMask")
    }
    /// ID3D12DebugCommandList::GetFeatureMask, slot 5: ().
    unsafe fn GetFeatureMask(this: &Object<Self>) -> u32 {
        not_implemented(this, "ID3D12DebugCommandList::GetFeatureMask")
    }
    /// ID3D12DebugCommandList2::SetDebugParameter, slot 6: (D3D12_DEBUG_COMMAND_LIST_PARAMETER_TYPE, const void \*, UINT).
    unsafe fn SetDebugParameter(this: &Object<Self>, _a0: u32, _a1: *const c_void, _a2: u32) -> HRESULT {
        not_implemented(this, "ID3D12DebugCommandList2::SetDebugParameter")
    }
    /// ID3D12DebugCommandList2::GetDebugParameter, slot 7: (D3D12_DEBUG_COMMAND_LIST_PARAMETER_TYPE, void \*, UINT).
    unsafe fn GetDebugParameter(this: &Object<Self>, _a0: u32, _a1: *mut c_void, _a2: u32) -> HRESULT {
        not_implemented(this, "ID3D12DebugCommandList2::GetDebugParameter")
    }
    /// ID3D12DebugCommandList3::AssertResourceAccess, slot 8: (ID3D12Resource \*, UINT, D3D12_BARRIER_ACCESS).
    unsafe fn AssertResourceAccess(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: u32) {
        not_implemented(this, "ID3D12DebugCommandList3::AssertResourceAccess")
    }
    /// ID3D12DebugCommandList3::AssertTextureLayout, slot 9: (ID3D12Resource \*, UINT, D3D12_BARRIER_LAYOUT).
    unsafe fn AssertTextureLayout(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: u32) {
        not_implemented(this, "ID3D12DebugCommandList3::AssertTextureLayout")
    }
}

/// The vtable of ID3D12DebugCommandList3.
#[repr(C)]
pub struct ID3D12DebugCommandList3Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub AssertResourceState: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, u32) -> BOOL,
    pub SetFeatureMask: unsafe extern "C" fn(*mut c_void, u32) -> HRESULT,
    pub GetFeatureMask: unsafe extern "C" fn(*mut c_void) -> u32,
    pub SetDebugParameter: unsafe extern "C" fn(*mut c_void, u32, *const c_void, u32) -> HRESULT,
    pub GetDebugParameter: unsafe extern "C" fn(*mut c_void, u32, *mut c_void, u32) -> HRESULT,
    pub AssertResourceAccess: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, u32),
    pub AssertTextureLayout: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, u32),
}

impl<T: ID3D12DebugCommandList3, F: Face<T>> Vtable<T, F> for ID3D12DebugCommandList3Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12DebugCommandList, super::IID_ID3D12DebugCommandList2, super::IID_ID3D12DebugCommandList3];
    const LINUX: Self = ID3D12DebugCommandList3Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        AssertResourceState: AssertResourceState::<T, F>,
        SetFeatureMask: SetFeatureMask::<T, F>,
        GetFeatureMask: GetFeatureMask::<T, F>,
        SetDebugParameter: SetDebugParameter::<T, F>,
        GetDebugParameter: GetDebugParameter::<T, F>,
        AssertResourceAccess: AssertResourceAccess::<T, F>,
        AssertTextureLayout: AssertTextureLayout::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12DebugCommandList3Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        AssertResourceState: AssertResourceState::<T, F>,
        SetFeatureMask: SetFeatureMask::<T, F>,
        GetFeatureMask: GetFeatureMask::<T, F>,
        SetDebugParameter: SetDebugParameter::<T, F>,
        GetDebugParameter: GetDebugParameter::<T, F>,
        AssertResourceAccess: AssertResourceAccess::<T, F>,
        AssertTextureLayout: AssertTextureLayout::<T, F>,
    };
}

unsafe extern "C" fn AssertResourceState<T: ID3D12DebugCommandList3, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: u32) -> BOOL {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::AssertResourceState(this, a0, a1, a2) })
}

unsafe extern "C" fn SetFeatureMask<T: ID3D12DebugCommandList3, F: Face<T>>(this: *mut c_void, a0: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetFeatureMask(this, a0) })
}

unsafe extern "C" fn GetFeatureMask<T: ID3D12DebugCommandList3, F: Face<T>>(this: *mut c_void) -> u32 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetFeatureMask(this) })
}

unsafe extern "C" fn SetDebugParameter<T: ID3D12DebugCommandList3, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const c_void, a2: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetDebugParameter(this, a0, a1, a2) })
}

unsafe extern "C" fn GetDebugParameter<T: ID3D12DebugCommandList3, F: Face<T>>(this: *mut c_void, a0: u32, a1: *mut c_void, a2: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetDebugParameter(this, a0, a1, a2) })
}

unsafe extern "C" fn AssertResourceAccess<T: ID3D12DebugCommandList3, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::AssertResourceAccess(this, a0, a1, a2) })
}

unsafe extern "C" fn AssertTextureLayout<T: ID3D12DebugCommandList3, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::AssertTextureLayout(this, a0, a1, a2) })
}
