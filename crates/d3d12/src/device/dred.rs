//! ID3D12DeviceRemovedExtendedData 0 to 2, ID3D12DeviceTools, ID3D12DeviceConfiguration 0 and 1.

use core::ffi::c_void;
use core::ptr;

use heapstone::{EngineFault, GpuVirtualAddress, RemovalReason};

use super::Device;
use crate::com::Object;
use crate::convert::size;
use crate::layers::sdk_number;
use crate::pipeline::root_signature;
use crate::types::*;
use crate::vtables::{ID3D12DeviceConfiguration1, ID3D12DeviceRemovedExtendedData2, ID3D12DeviceTools};

/// DXGI_ERROR_NOT_CURRENTLY_AVAILABLE: nothing went wrong so far.
const NOT_CURRENTLY_AVAILABLE: HRESULT = HRESULT(0x887a_0022_u32.cast_signed());
/// D3D12_DRED_DEVICE_STATE_UNKNOWN, FAULT, PAGEFAULT.
const STATES: [u32; 3] = [0, 6, 7];

/// The address of the page fault that removed the device.
fn page_fault(this: &Object<Device>) -> Option<u64> {
    match this.runtime.removed_reason()? {
        RemovalReason::Fault(fault) => match fault.fault {
            EngineFault::PageFault { address, .. } => Some(address.0),
            _ => None,
        },
        _ => None,
    }
}

/// Writes what is known, once the device is removed.
unsafe fn answer<T>(this: &Object<Device>, out: *mut T, value: T) -> HRESULT {
    if out.is_null() {
        return E_INVALIDARG;
    }
    if this.runtime.removed_reason().is_none() {
        return NOT_CURRENTLY_AVAILABLE;
    }
    // SAFETY: the client's place for it.
    unsafe { out.write(value) };
    S_OK
}

impl ID3D12DeviceRemovedExtendedData2 for Device {
    /// There are no breadcrumbs: what a queue was doing its fault tells.
    unsafe fn GetAutoBreadcrumbsOutput(
        this: &Object<Self>,
        out: *mut D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { answer(this, out, D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT::zeroed()) }
    }

    unsafe fn GetPageFaultAllocationOutput(
        this: &Object<Self>,
        out: *mut D3D12_DRED_PAGE_FAULT_OUTPUT,
    ) -> HRESULT {
        let mut value = D3D12_DRED_PAGE_FAULT_OUTPUT::zeroed();
        value.PageFaultVA = page_fault(this).unwrap_or(0);
        // SAFETY: the arguments are the client's.
        unsafe { answer(this, out, value) }
    }

    unsafe fn GetAutoBreadcrumbsOutput1(
        this: &Object<Self>,
        out: *mut D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { answer(this, out, D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1::zeroed()) }
    }

    unsafe fn GetPageFaultAllocationOutput1(
        this: &Object<Self>,
        out: *mut D3D12_DRED_PAGE_FAULT_OUTPUT1,
    ) -> HRESULT {
        let mut value = D3D12_DRED_PAGE_FAULT_OUTPUT1::zeroed();
        value.PageFaultVA = page_fault(this).unwrap_or(0);
        // SAFETY: the arguments are the client's.
        unsafe { answer(this, out, value) }
    }

    unsafe fn GetPageFaultAllocationOutput2(
        this: &Object<Self>,
        out: *mut D3D12_DRED_PAGE_FAULT_OUTPUT2,
    ) -> HRESULT {
        let mut value = D3D12_DRED_PAGE_FAULT_OUTPUT2::zeroed();
        value.PageFaultVA = page_fault(this).unwrap_or(0);
        // SAFETY: the arguments are the client's.
        unsafe { answer(this, out, value) }
    }

    unsafe fn GetDeviceState(this: &Object<Self>) -> u32 {
        match this.runtime.removed_reason() {
            Some(RemovalReason::Fault(_)) if page_fault(this).is_some() => STATES[2],
            Some(RemovalReason::Fault(_)) => STATES[1],
            _ => STATES[0],
        }
    }
}

impl ID3D12DeviceTools for Device {
    unsafe fn SetNextAllocationAddress(this: &Object<Self>, address: u64) {
        let _ = this.done(|| Ok(this.runtime.set_next_allocation_address(GpuVirtualAddress(address))?));
    }
}

/// D3D12_DEVICE_FLAG_DEBUG_LAYER_ENABLED.
const DEBUG_LAYER_ENABLED: u32 = 0x1;

impl ID3D12DeviceConfiguration1 for Device {
    unsafe fn GetDesc(this: &Object<Self>) -> D3D12_DEVICE_CONFIGURATION_DESC {
        D3D12_DEVICE_CONFIGURATION_DESC {
            Flags: if this.has_debug_layer { DEBUG_LAYER_ENABLED } else { 0 },
            GpuBasedValidationFlags: 0,
            SDKVersion: sdk_number(this.runtime.sdk()),
            NumEnabledExperimentalFeatures: 0,
        }
    }

    /// None is enabled.
    unsafe fn GetEnabledExperimentalFeatures(_this: &Object<Self>, out: *mut GUID, count: u32) -> HRESULT {
        if out.is_null() && count > 0 {
            return E_INVALIDARG;
        }
        if count > 0 {
            // SAFETY: the client gives as many places as it says.
            unsafe { ptr::write_bytes(out, 0, size(count)) };
        }
        S_OK
    }

    unsafe fn SerializeVersionedRootSignature(
        _this: &Object<Self>,
        desc: *const D3D12_VERSIONED_ROOT_SIGNATURE_DESC,
        out: *mut *mut c_void,
        error: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { root_signature::serialize_versioned(desc, out, error) }
    }

    unsafe fn CreateVersionedRootSignatureDeserializer(
        _this: &Object<Self>,
        blob: *const c_void,
        length: usize,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { root_signature::create_versioned_deserializer(blob, length, iid, out) }
    }
}
