//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12PageableTools; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12PageableTools: Class {
    /// ID3D12PageableTools::GetAllocation, slot 3: (D3D12_GPU_VIRTUAL_ADDRESS_RANGE \*).
    unsafe fn GetAllocation(this: &Object<Self>, _a0: *mut D3D12_GPU_VIRTUAL_ADDRESS_RANGE) -> HRESULT {
        not_implemented(this, "ID3D12PageableTools::GetAllocation")
    }
}

/// The vtable of ID3D12PageableTools.
#[repr(C)]
pub struct ID3D12PageableToolsVtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetAllocation: unsafe extern "C" fn(*mut c_void, *mut D3D12_GPU_VIRTUAL_ADDRESS_RANGE) -> HRESULT,
}

impl<T: ID3D12PageableTools, F: Face<T>> Vtable<T, F> for ID3D12PageableToolsVtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12PageableTools];
    const LINUX: Self = ID3D12PageableToolsVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetAllocation: GetAllocation::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12PageableToolsVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetAllocation: GetAllocation::<T, F>,
    };
}

unsafe extern "C" fn GetAllocation<T: ID3D12PageableTools, F: Face<T>>(this: *mut c_void, a0: *mut D3D12_GPU_VIRTUAL_ADDRESS_RANGE) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetAllocation(this, a0) })
}
