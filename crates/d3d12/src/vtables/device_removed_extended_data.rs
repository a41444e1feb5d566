//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12DeviceRemovedExtendedData2; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12DeviceRemovedExtendedData2: Class {
    /// ID3D12DeviceRemovedExtendedData::GetAutoBreadcrumbsOutput, slot 3: (D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT \*).
    unsafe fn GetAutoBreadcrumbsOutput(this: &Object<Self>, _a0: *mut D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT) -> HRESULT {
        not_implemented(this, "ID3D12DeviceRemovedExtendedData::GetAutoBreadcrumbsOutput")
    }
    /// ID3D12DeviceRemovedExtendedData::GetPageFaultAllocationOutput, slot 4: (D3D12_DRED_PAGE_FAULT_OUTPUT \*).
    unsafe fn GetPageFaultAllocationOutput(this: &Object<Self>, _a0: *mut D3D12_DRED_PAGE_FAULT_OUTPUT) -> HRESULT {
        not_implemented(this, "ID3D12DeviceRemovedExtendedData::GetPageFaultAllocationOutput")
    }
    /// ID3D12DeviceRemovedExtendedData1::GetAutoBreadcrumbsOutput1, slot 5: (D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1 \*).
    unsafe fn GetAutoBreadcrumbsOutput1(this: &Object<Self>, _a0: *mut D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1) -> HRESULT {
        not_implemented(this, "ID3D12DeviceRemovedExtendedData1::GetAutoBreadcrumbsOutput1")
    }
    /// ID3D12DeviceRemovedExtendedData1::GetPageFaultAllocationOutput1, slot 6: (D3D12_DRED_PAGE_FAULT_OUTPUT1 \*).
    unsafe fn GetPageFaultAllocationOutput1(this: &Object<Self>, _a0: *mut D3D12_DRED_PAGE_FAULT_OUTPUT1) -> HRESULT {
        not_implemented(this, "ID3D12DeviceRemovedExtendedData1::GetPageFaultAllocationOutput1")
    }
    /// ID3D12DeviceRemovedExtendedData2::GetPageFaultAllocationOutput2, slot 7: (D3D12_DRED_PAGE_FAULT_OUTPUT2 \*).
    unsafe fn GetPageFaultAllocationOutput2(this: &Object<Self>, _a0: *mut D3D12_DRED_PAGE_FAULT_OUTPUT2) -> HRESULT {
        not_implemented(this, "ID3D12DeviceRemovedExtendedData2::GetPageFaultAllocationOutput2")
    }
    /// ID3D12DeviceRemovedExtendedData2::GetDeviceState, slot 8: ().
    unsafe fn GetDeviceState(this: &Object<Self>) -> u32 {
        not_implemented(this, "ID3D12DeviceRemovedExtendedData2::GetDeviceState")
    }
}

/// The vtable of ID3D12DeviceRemovedExtendedData2.
#[repr(C)]
pub struct ID3D12DeviceRemovedExtendedData2Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetAutoBreadcrumbsOutput: unsafe extern "C" fn(*mut c_void, *mut D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT) -> HRESULT,
    pub GetPageFaultAllocationOutput: unsafe extern "C" fn(*mut c_void, *mut D3D12_DRED_PAGE_FAULT_OUTPUT) -> HRESULT,
    pub GetAutoBreadcrumbsOutput1: unsafe extern "C" fn(*mut c_void, *mut D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1) -> HRESULT,
    pub GetPageFaultAllocationOutput1: unsafe extern "C" fn(*mut c_void, *mut D3D12_DRED_PAGE_FAULT_OUTPUT1) -> HRESULT,
    pub GetPageFaultAllocationOutput2: unsafe extern "C" fn(*mut c_void, *mut D3D12_DRED_PAGE_FAULT_OUTPUT2) -> HRESULT,
    pub GetDeviceState: unsafe extern "C" fn(*mut c_void) -> u32,
}

impl<T: ID3D12DeviceRemovedExtendedData2, F: Face<T>> Vtable<T, F> for ID3D12DeviceRemovedExtendedData2Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12DeviceRemovedExtendedData, super::IID_ID3D12DeviceRemovedExtendedData1, super::IID_ID3D12DeviceRemovedExtendedData2];
    const LINUX: Self = ID3D12DeviceRemovedExtendedData2Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetAutoBreadcrumbsOutput: GetAutoBreadcrumbsOutput::<T, F>,
        GetPageFaultAllocationOutput: GetPageFaultAllocationOutput::<T, F>,
        GetAutoBreadcrumbsOutput1: GetAutoBreadcrumbsOutput1::<T, F>,
        GetPageFaultAllocationOutput1: GetPageFaultAllocationOutput1::<T, F>,
        GetPageFaultAllocationOutput2: GetPageFaultAllocationOutput2::<T, F>,
        GetDeviceState: GetDeviceState::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12DeviceRemovedExtendedData2Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetAutoBreadcrumbsOutput: GetAutoBreadcrumbsOutput::<T, F>,
        GetPageFaultAllocationOutput: GetPageFaultAllocationOutput::<T, F>,
        GetAutoBreadcrumbsOutput1: GetAutoBreadcrumbsOutput1::<T, F>,
        GetPageFaultAllocationOutput1: GetPageFaultAllocationOutput1::<T, F>,
        GetPageFaultAllocationOutput2: GetPageFaultAllocationOutput2::<T, F>,
        GetDeviceState: GetDeviceState::<T, F>,
    };
}

unsafe extern "C" fn GetAutoBreadcrumbsOutput<T: ID3D12DeviceRemovedExtendedData2, F: Face<T>>(this: *mut c_void, a0: *mut D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetAutoBreadcrumbsOutput(this, a0) })
}

unsafe extern "C" fn GetPageFaultAllocationOutput<T: ID3D12DeviceRemovedExtendedData2, F: Face<T>>(this: *mut c_void, a0: *mut D3D12_DRED_PAGE_FAULT_OUTPUT) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetPageFaultAllocationOutput(this, a0) })
}

unsafe extern "C" fn GetAutoBreadcrumbsOutput1<T: ID3D12DeviceRemovedExtendedData2, F: Face<T>>(this: *mut c_void, a0: *mut D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetAutoBreadcrumbsOutput1(this, a0) })
}

unsafe extern "C" fn GetPageFaultAllocationOutput1<T: ID3D12DeviceRemovedExtendedData2, F: Face<T>>(this: *mut c_void, a0: *mut D3D12_DRED_PAGE_FAULT_OUTPUT1) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetPageFaultAllocationOutput1(this, a0) })
}

unsafe extern "C" fn GetPageFaultAllocationOutput2<T: ID3D12DeviceRemovedExtendedData2, F: Face<T>>(this: *mut c_void, a0: *mut D3D12_DRED_PAGE_FAULT_OUTPUT2) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetPageFaultAllocationOutput2(this, a0) })
}

unsafe extern "C" fn GetDeviceState<T: ID3D12DeviceRemovedExtendedData2, F: Face<T>>(this: *mut c_void) -> u32 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetDeviceState(this) })
}
