//! The exported functions.
#![allow(clippy::missing_safety_doc, reason = "what D3D12 demands of a call's arguments")]

use core::ffi::c_void;
use std::panic::catch_unwind;

use crate::com::{Convention, Object, query_interface};
use crate::device::Device;
use crate::device::features::{FEATURE_LEVELS, feature_level_max};
use crate::failure::Failure;
use crate::types::{DXGI_ERROR_UNSUPPORTED, E_FAIL, E_INVALIDARG, GUID, HRESULT, S_FALSE, S_OK};
use crate::{adapters, dxcore, dxgi};

/// D3D12CreateDevice.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn D3D12CreateDevice(
    adapter: *mut c_void,
    minimum_feature_level: u32,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    // SAFETY: the arguments are the client's.
    unsafe { create_device(adapter, minimum_feature_level, iid, out, Convention::Linux) }
}

/// D3D12CreateDevice for clients whose methods return structures through an explicit pointer, and whose characters have
/// 2 bytes (facts/abi.md, Calling convention).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn D3D12CreateDeviceExplicitReturn(
    adapter: *mut c_void,
    minimum_feature_level: u32,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    // SAFETY: the arguments are the client's.
    unsafe { create_device(adapter, minimum_feature_level, iid, out, Convention::ExplicitReturn) }
}

/// D3D12EnableExperimentalFeatures: there is nothing to enable, and clients that ask go on (facts/behaviour.md, Lists,
/// queues, fences).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn D3D12EnableExperimentalFeatures(
    _count: u32,
    _iids: *const GUID,
    _structures: *mut c_void,
    _sizes: *mut u32,
) -> HRESULT {
    S_OK
}

/// CreateDXGIFactory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn CreateDXGIFactory(iid: *const GUID, out: *mut *mut c_void) -> HRESULT {
    // SAFETY: the arguments are the client's.
    border(|| Ok(unsafe { dxgi::create(0, Convention::Linux, iid, out) }))
}

/// CreateDXGIFactory1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn CreateDXGIFactory1(iid: *const GUID, out: *mut *mut c_void) -> HRESULT {
    // SAFETY: the arguments are the client's.
    border(|| Ok(unsafe { dxgi::create(0, Convention::Linux, iid, out) }))
}

/// CreateDXGIFactory2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn CreateDXGIFactory2(flags: u32, iid: *const GUID, out: *mut *mut c_void) -> HRESULT {
    // SAFETY: the arguments are the client's.
    border(|| Ok(unsafe { dxgi::create(flags, Convention::Linux, iid, out) }))
}

/// CreateDXGIFactory2 for clients whose characters have 2 bytes; their devices are made by
/// [`D3D12CreateDeviceExplicitReturn`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn CreateDXGIFactory2ExplicitReturn(
    flags: u32,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    // SAFETY: the arguments are the client's.
    border(|| Ok(unsafe { dxgi::create(flags, Convention::ExplicitReturn, iid, out) }))
}

/// DXCoreCreateAdapterFactory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn DXCoreCreateAdapterFactory(iid: *const GUID, out: *mut *mut c_void) -> HRESULT {
    // SAFETY: the arguments are the client's.
    border(|| Ok(unsafe { dxcore::create(Convention::Linux, iid, out) }))
}

/// Sets the process's budget on an adapter of DXGI or DXCore outright, as a test does to bring about what a busy
/// machine would; UINT64_MAX leaves it to the kernel again. NULL is the first adapter.
///
/// E_INVALIDARG where it is no adapter, node or group, or the process has no device there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn HeapstoneSetVideoMemoryBudget(
    adapter: *mut c_void,
    node: u32,
    segment_group: u32,
    bytes: u64,
) -> HRESULT {
    border(|| {
        // SAFETY: the arguments are the client's.
        let entry = unsafe { adapters::of_client(adapter) }?;
        let group = adapters::segment_group(segment_group)?;
        entry.set_budget(node, group, (bytes != u64::MAX).then_some(bytes))?;
        Ok(S_OK)
    })
}

unsafe fn create_device(
    adapter: *mut c_void,
    minimum_feature_level: u32,
    iid: *const GUID,
    out: *mut *mut c_void,
    convention: Convention,
) -> HRESULT {
    border(|| {
        if !out.is_null() {
            // SAFETY: the client's place for the pointer.
            unsafe { out.write(core::ptr::null_mut()) };
        }
        if !is_feature_level(minimum_feature_level) {
            return Err(E_INVALIDARG.into());
        }
        // SAFETY: the arguments are the client's.
        let entry = unsafe { adapters::of_client(adapter) }?;
        let device = entry.device(convention)?;
        // SAFETY: as above.
        unsafe { hand_out(&device, minimum_feature_level, iid, out) }
    })
}

/// D3D_FEATURE_LEVEL_12_2 is a level, which no device here has; 1_0_CORE one that every device has.
pub(crate) fn is_feature_level(level: u32) -> bool {
    FEATURE_LEVELS.contains(&level) || matches!(level, 0x1000 | 0xc200)
}

/// Gives a client another reference to the device, where it has the feature level.
pub(crate) unsafe fn hand_out(
    device: &Object<Device>,
    minimum_feature_level: u32,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> Result<HRESULT, Failure> {
    if minimum_feature_level > feature_level_max(&device.runtime) {
        return Err(DXGI_ERROR_UNSUPPORTED.into());
    }
    if out.is_null() {
        return Ok(S_FALSE);
    }
    // SAFETY: the arguments are the client's.
    Ok(unsafe { query_interface(device.header(), iid, out) })
}

/// Runs an exported function; no panic leaves it.
pub(crate) fn border(call: impl FnOnce() -> Result<HRESULT, Failure>) -> HRESULT {
    match catch_unwind(std::panic::AssertUnwindSafe(call)) {
        Ok(Ok(code)) => code,
        Ok(Err(failure)) => failure.code(),
        Err(panic) => {
            eprintln!("heapstone: {}", crate::com::panic_message(&*panic));
            E_FAIL
        }
    }
}
