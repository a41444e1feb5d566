//! IDXCoreAdapter.

use core::ffi::c_void;
use core::ptr;

use super::{Factory, has_attribute, properties};
use crate::adapters::{AdapterEntry, segment_group};
use crate::com::{Held, Object, class, query_interface};
use crate::failure::Failure;
use crate::types::{
    DXCoreAdapterMemoryBudget, DXCoreAdapterMemoryBudgetNodeSegmentGroup, DXGI_ERROR_INVALID_CALL,
    DXGI_ERROR_UNSUPPORTED, E_INVALIDARG, E_POINTER, GUID, HRESULT, S_OK,
};
use crate::vtables::IDXCoreAdapter1;

/// DXCoreAdapterState::IsDriverUpdateInProgress.
const IS_DRIVER_UPDATE_IN_PROGRESS: u32 = 0;
/// DXCoreAdapterState::AdapterMemoryBudget.
const ADAPTER_MEMORY_BUDGET: u32 = 1;

/// An adapter.
pub struct Adapter {
    /// What it stands for.
    pub entry: &'static AdapterEntry,
    factory: Held<Factory>,
}

class!(Adapter, IDXCoreAdapter1Vtbl, "IDXCoreAdapter", {
    fn released(this: &Object<Adapter>) {
        this.entry.core_adapter.forget(this);
    }
});

impl Adapter {
    /// The object of the adapter.
    pub(super) fn of(factory: &Object<Factory>, entry: &'static AdapterEntry) -> Held<Adapter> {
        let create = || {
            let adapter = Adapter { entry, factory: Held::of(factory) };
            Ok::<_, core::convert::Infallible>(Object::create(adapter, None, factory.convention()))
        };
        match entry.core_adapter.get(factory.convention(), create) {
            Ok(adapter) => adapter,
        }
    }

    fn budget(
        this: &Object<Adapter>,
        of: DXCoreAdapterMemoryBudgetNodeSegmentGroup,
    ) -> Result<Vec<u8>, Failure> {
        let group = segment_group(of.segmentGroup)?;
        let info = this.entry.query_video_memory_info(of.nodeIndex, group)?;
        let words =
            [info.budget, info.current_usage, info.available_for_reservation, info.current_reservation];
        Ok(words.iter().flat_map(|word| word.to_ne_bytes()).collect())
    }
}

/// Copies `bytes` to a client's buffer, which may be longer.
///
/// # Safety
/// `out` points to `size` bytes.
unsafe fn copy_out(bytes: &[u8], size: usize, out: *mut c_void) -> HRESULT {
    if size < bytes.len() {
        return E_INVALIDARG;
    }
    // SAFETY: the caller's promise.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), out.cast(), bytes.len()) };
    S_OK
}

impl IDXCoreAdapter1 for Adapter {
    /// Adapters do not go.
    unsafe fn IsValid(_: &Object<Self>) -> bool {
        true
    }

    unsafe fn IsAttributeSupported(_: &Object<Self>, attribute: *const GUID) -> bool {
        // SAFETY: the arguments are the client's.
        unsafe { attribute.as_ref() }.is_some_and(has_attribute)
    }

    unsafe fn IsPropertySupported(_: &Object<Self>, property: u32) -> bool {
        properties::is_supported(property)
    }

    unsafe fn GetProperty(this: &Object<Self>, property: u32, size: usize, out: *mut c_void) -> HRESULT {
        match properties::read(this.entry, property) {
            Ok(_) if out.is_null() => E_POINTER,
            // SAFETY: the arguments are the client's.
            Ok(bytes) => unsafe { copy_out(&bytes, size, out) },
            Err(code) => code,
        }
    }

    unsafe fn GetPropertySize(this: &Object<Self>, property: u32, out: *mut usize) -> HRESULT {
        if out.is_null() {
            return E_POINTER;
        }
        match properties::read(this.entry, property) {
            Ok(bytes) => {
                // SAFETY: the arguments are the client's.
                unsafe { out.write(bytes.len()) };
                S_OK
            }
            Err(code) => code,
        }
    }

    unsafe fn IsQueryStateSupported(_: &Object<Self>, state: u32) -> bool {
        matches!(state, IS_DRIVER_UPDATE_IN_PROGRESS | ADAPTER_MEMORY_BUDGET)
    }

    unsafe fn QueryState(
        this: &Object<Self>,
        state: u32,
        input_size: usize,
        input: *const c_void,
        output_size: usize,
        output: *mut c_void,
    ) -> HRESULT {
        if output.is_null() {
            return E_POINTER;
        }
        match state {
            // SAFETY: the arguments are the client's.
            IS_DRIVER_UPDATE_IN_PROGRESS => unsafe { copy_out(&[0], output_size, output) },
            ADAPTER_MEMORY_BUDGET => {
                if input.is_null() {
                    return E_POINTER;
                }
                if input_size < size_of::<DXCoreAdapterMemoryBudgetNodeSegmentGroup>()
                    || output_size < size_of::<DXCoreAdapterMemoryBudget>()
                {
                    return E_INVALIDARG;
                }
                // SAFETY: as above, of a size that was checked.
                let of =
                    unsafe { input.cast::<DXCoreAdapterMemoryBudgetNodeSegmentGroup>().read_unaligned() };
                match Adapter::budget(this, of) {
                    // SAFETY: as above.
                    Ok(bytes) => unsafe { copy_out(&bytes, output_size, output) },
                    Err(failure) => failure.code(),
                }
            }
            _ => DXGI_ERROR_INVALID_CALL,
        }
    }

    unsafe fn IsSetStateSupported(_: &Object<Self>, _: u32) -> bool {
        false
    }

    unsafe fn SetState(
        _: &Object<Self>,
        state: u32,
        _: usize,
        _: *const c_void,
        _: usize,
        _: *const c_void,
    ) -> HRESULT {
        match state {
            IS_DRIVER_UPDATE_IN_PROGRESS | ADAPTER_MEMORY_BUDGET => DXGI_ERROR_UNSUPPORTED,
            _ => DXGI_ERROR_INVALID_CALL,
        }
    }

    unsafe fn GetFactory(this: &Object<Self>, iid: *const GUID, out: *mut *mut c_void) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { query_interface(this.factory.header(), iid, out) }
    }
}
