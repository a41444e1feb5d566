//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3DDestructionNotifier; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3DDestructionNotifier: Class {
    /// ID3DDestructionNotifier::RegisterDestructionCallback, slot 3: (PFN_DESTRUCTION_CALLBACK, void \*, UINT \*).
    unsafe fn RegisterDestructionCallback(this: &Object<Self>, _a0: PFN_DESTRUCTION_CALLBACK, _a1: *mut c_void, _a2: *mut u32) -> HRESULT {
        not_implemented(this, "ID3DDestructionNotifier::RegisterDestructionCallback")
    }
    /// ID3DDestructionNotifier::UnregisterDestructionCallback, slot 4: (UINT).
    unsafe fn UnregisterDestructionCallback(this: &Object<Self>, _a0: u32) -> HRESULT {
        not_implemented(this, "ID3DDestructionNotifier::UnregisterDestructionCallback")
    }
}

/// The vtable of ID3DDestructionNotifier.
#[repr(C)]
pub struct ID3DDestructionNotifierVtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub RegisterDestructionCallback: unsafe extern "C" fn(*mut c_void, PFN_DESTRUCTION_CALLBACK, *mut c_void, *mut u32) -> HRESULT,
    pub UnregisterDestructionCallback: unsafe extern "C" fn(*mut c_void, u32) -> HRESULT,
}

impl<T: ID3DDestructionNotifier, F: Face<T>> Vtable<T, F> for ID3DDestructionNotifierVtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3DDestructionNotifier];
    const LINUX: Self = ID3DDestructionNotifierVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        RegisterDestructionCallback: RegisterDestructionCallback::<T, F>,
        UnregisterDestructionCallback: UnregisterDestructionCallback::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3DDestructionNotifierVtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        RegisterDestructionCallback: RegisterDestructionCallback::<T, F>,
        UnregisterDestructionCallback: UnregisterDestructionCallback::<T, F>,
    };
}

unsafe extern "C" fn RegisterDestructionCallback<T: ID3DDestructionNotifier, F: Face<T>>(this: *mut c_void, a0: PFN_DESTRUCTION_CALLBACK, a1: *mut c_void, a2: *mut u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::RegisterDestructionCallback(this, a0, a1, a2) })
}

unsafe extern "C" fn UnregisterDestructionCallback<T: ID3DDestructionNotifier, F: Face<T>>(this: *mut c_void, a0: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::UnregisterDestructionCallback(this, a0) })
}
