//! ID3D12Tools 0 to 2: what players of recordings need (spec/2-resource-heaps.txt, Recreate at).

use core::ffi::c_void;
use core::sync::atomic::Ordering;

use heapstone::{GpuVirtualAddress, GpuVirtualAddressRange};

use super::global;
use crate::com::{Object, class};
use crate::convert;
use crate::types::{BOOL, D3D12_GPU_VIRTUAL_ADDRESS_RANGE, E_INVALIDARG, HRESULT, S_OK};
use crate::vtables::ID3D12Tools2;

/// The tools' switches.
pub struct Tools;

class!(Tools, ID3D12Tools2Vtbl, "ID3D12Tools");

impl ID3D12Tools2 for Tools {
    unsafe fn EnableShaderInstrumentation(_this: &Object<Self>, enable: BOOL) {
        global().shader_instrumentation.store(enable != 0, Ordering::Relaxed);
    }

    unsafe fn ShaderInstrumentationEnabled(_this: &Object<Self>) -> BOOL {
        BOOL::from(global().shader_instrumentation.load(Ordering::Relaxed))
    }

    /// Of devices that are created from now on.
    unsafe fn ReserveGPUVARangesAtCreate(
        _this: &Object<Self>,
        ranges: *mut D3D12_GPU_VIRTUAL_ADDRESS_RANGE,
        count: u32,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        let Ok(given) = (unsafe { convert::slice(ranges, count, "pRanges is NULL") }) else {
            return E_INVALIDARG;
        };
        let ranges = given.iter().map(|range| GpuVirtualAddressRange {
            start_address: GpuVirtualAddress(range.StartAddress),
            size_in_bytes: range.SizeInBytes,
        });
        global().reserved_ranges.lock().extend(ranges);
        S_OK
    }

    unsafe fn ClearReservedGPUVARangesList(_this: &Object<Self>) {
        global().reserved_ranges.lock().clear();
    }

    /// The software driver has no state of an application's.
    unsafe fn SetApplicationSpecificDriverState(
        _this: &Object<Self>,
        adapter: *mut c_void,
        _state: *mut c_void,
    ) -> HRESULT {
        if adapter.is_null() { E_INVALIDARG } else { S_OK }
    }
}
