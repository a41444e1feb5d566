//! ID3D12Tools 0 to 2: what players of recordings need (spec/2-resource-heaps.txt, Recreate at).

use core::ffi::c_void;
use core::sync::atomic::Ordering;

use heapstone::{GPU_VA_BEGIN, GpuVirtualAddress, GpuVirtualAddressRange};

use super::global;
use crate::adapters;
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

    /// Of devices that are created from now on. Refused where no adapter of the process has the addresses: the device's
    /// creation, which refuses what its own adapter has not, would come too late to tell which call was wrong.
    unsafe fn ReserveGPUVARangesAtCreate(
        _this: &Object<Self>,
        ranges: *mut D3D12_GPU_VIRTUAL_ADDRESS_RANGE,
        count: u32,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        let Ok(given) = (unsafe { convert::slice(ranges, count, "pRanges is NULL") }) else {
            return E_INVALIDARG;
        };
        let Ok(limit) = addresses_limit() else { return E_INVALIDARG };
        if !given.iter().all(|range| is_within(range, limit)) {
            return E_INVALIDARG;
        }
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

    /// The software driver has no state of an application's: that of an adapter is accepted, and changes nothing.
    unsafe fn SetApplicationSpecificDriverState(
        _this: &Object<Self>,
        adapter: *mut c_void,
        _state: *mut c_void,
    ) -> HRESULT {
        // SAFETY: the pointer is the client's.
        let known = !adapter.is_null() && unsafe { adapters::of_client(adapter) }.is_ok();
        if known { S_OK } else { E_INVALIDARG }
    }
}

/// The first address that no adapter has.
fn addresses_limit() -> Result<u64, &'static str> {
    let bits = adapters::entries()?.iter().map(|entry| entry.adapter.profile().gpu_va.bits_per_process);
    Ok(1 << bits.max().unwrap_or(0))
}

/// Whether it is a range of addresses below the limit, of a byte at least.
fn is_within(range: &D3D12_GPU_VIRTUAL_ADDRESS_RANGE, limit: u64) -> bool {
    let end = range.StartAddress.checked_add(range.SizeInBytes);
    range.SizeInBytes > 0 && range.StartAddress >= GPU_VA_BEGIN.0 && end.is_some_and(|end| end <= limit)
}
