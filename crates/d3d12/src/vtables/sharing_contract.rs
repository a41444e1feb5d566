//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12SharingContract; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12SharingContract: Class {
    /// ID3D12SharingContract::Present, slot 3: (ID3D12Resource \*, UINT, HWND).
    unsafe fn Present(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: *mut c_void) {
        not_implemented(this, "ID3D12SharingContract::Present")
    }
    /// ID3D12SharingContract::SharedFenceSignal, slot 4: (ID3D12Fence \*, UINT64).
    unsafe fn SharedFenceSignal(this: &Object<Self>, _a0: *mut c_void, _a1: u64) {
        not_implemented(this, "ID3D12SharingContract::SharedFenceSignal")
    }
    /// ID3D12SharingContract::BeginCapturableWork, slot 5: (const GUID &).
    unsafe fn BeginCapturableWork(this: &Object<Self>, _a0: *const GUID) {
        not_implemented(this, "ID3D12SharingContract::BeginCapturableWork")
    }
    /// ID3D12SharingContract::EndCapturableWork, slot 6: (const GUID &).
    unsafe fn EndCapturableWork(this: &Object<Self>, _a0: *const GUID) {
        not_implemented(this, "ID3D12SharingContract::EndCapturableWork")
    }
}

/// The vtable of ID3D12SharingContract.
#[repr(C)]
pub struct ID3D12SharingContractVtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Present: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, *mut c_void),
    pub SharedFenceSignal: unsafe extern "C" fn(*mut c_void, *mut c_void, u64),
    pub BeginCapturableWork: unsafe extern "C" fn(*mut c_void, *const GUID),
    pub EndCapturableWork: unsafe extern "C" fn(*mut c_void, *const GUID),
}

impl<T: ID3D12SharingContract, F: Face<T>> Vtable<T, F> for ID3D12SharingContractVtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12SharingContract];
    const LINUX: Self = ID3D12SharingContractVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        Present: Present::<T, F>,
        SharedFenceSignal: SharedFenceSignal::<T, F>,
        BeginCapturableWork: BeginCapturableWork::<T, F>,
        EndCapturableWork: EndCapturableWork::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12SharingContractVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        Present: Present::<T, F>,
        SharedFenceSignal: SharedFenceSignal::<T, F>,
        BeginCapturableWork: BeginCapturableWork::<T, F>,
        EndCapturableWork: EndCapturableWork::<T, F>,
    };
}

unsafe extern "C" fn Present<T: ID3D12SharingContract, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::Present(this, a0, a1, a2) })
}

unsafe extern "C" fn SharedFenceSignal<T: ID3D12SharingContract, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u64) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SharedFenceSignal(this, a0, a1) })
}

unsafe extern "C" fn BeginCapturableWork<T: ID3D12SharingContract, F: Face<T>>(this: *mut c_void, a0: *const GUID) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::BeginCapturableWork(this, a0) })
}

unsafe extern "C" fn EndCapturableWork<T: ID3D12SharingContract, F: Face<T>>(this: *mut c_void, a0: *const GUID) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EndCapturableWork(this, a0) })
}
