//! IDXGIAdapter 0 to 3.

use core::ffi::c_void;
use core::ptr;
use std::sync::Arc;

use super::Factory;
use crate::adapters::{AdapterEntry, segment_group};
use crate::com::{Held, Object, class, query_interface};
use crate::event;
use crate::failure::Failure;
use crate::types::{
    DXGI_ADAPTER_DESC, DXGI_ADAPTER_DESC1, DXGI_ADAPTER_DESC2, DXGI_ERROR_INVALID_CALL, DXGI_ERROR_NOT_FOUND,
    DXGI_ERROR_UNSUPPORTED, DXGI_QUERY_VIDEO_MEMORY_INFO, E_INVALIDARG, GUID, HRESULT, S_OK,
};
use crate::vtables::{IDXGIAdapter3, IID_ID3D12Device};

/// DXGI_ADAPTER_FLAG_SOFTWARE.
const FLAG_SOFTWARE: u32 = 2;
/// Characters of Description, with the 0 at its end.
const DESCRIPTION_LENGTH: usize = 128;

/// An adapter, as a factory enumerates it: another object each time, as DXGI has it.
pub struct Adapter {
    /// What it stands for.
    pub entry: &'static AdapterEntry,
    parent: Held<Factory>,
}

class!(Adapter, IDXGIAdapter3Vtbl, "IDXGIAdapter");

impl Adapter {
    /// A new object for the adapter.
    pub(super) fn create(parent: &Object<Factory>, entry: &'static AdapterEntry) -> Held<Adapter> {
        Object::create(Adapter { entry, parent: Held::of(parent) }, None, parent.convention())
    }

    /// Writes the first `fields` 4-byte fields behind the LUID after all that every version has. Written field by field:
    /// the length of the text in front differs between the conventions.
    unsafe fn write_desc(this: &Object<Adapter>, out: *mut c_void, fields: usize) -> HRESULT {
        if out.is_null() {
            return E_INVALIDARG;
        }
        let entry = this.entry;
        let identity = &entry.adapter.profile().identity;
        let sizes = entry.memory_sizes();
        let character = this.convention().character_size();
        let mut bytes = crate::com::text::to_wide_bytes(&identity.description, this.convention());
        bytes.resize((DESCRIPTION_LENGTH - 1) * character, 0);
        bytes.resize(DESCRIPTION_LENGTH * character, 0);
        for field in [identity.vendor_id, identity.device_id, identity.subsystem_id, identity.revision] {
            bytes.extend(field.to_ne_bytes());
        }
        for size in [sizes.dedicated, 0, sizes.shared] {
            bytes.extend(size.to_ne_bytes());
        }
        bytes.extend(entry.luid.LowPart.to_ne_bytes());
        bytes.extend(entry.luid.HighPart.to_ne_bytes());
        let flags = if entry.is_software() { FLAG_SOFTWARE } else { 0 };
        // Preemption at the boundaries of DMA buffers, 0: packets run to their end.
        for field in [flags, 0, 0].iter().take(fields) {
            bytes.extend(field.to_ne_bytes());
        }
        // SAFETY: the client gives a structure of this length; what pads its end is left alone.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), out.cast(), bytes.len()) };
        S_OK
    }

    fn failed(failure: &Failure) -> HRESULT {
        failure.code()
    }
}

impl IDXGIAdapter3 for Adapter {
    unsafe fn GetParent(this: &Object<Self>, iid: *const GUID, out: *mut *mut c_void) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { query_interface(this.parent.header(), iid, out) }
    }

    /// There are no outputs.
    unsafe fn EnumOutputs(_: &Object<Self>, _: u32, out: *mut *mut c_void) -> HRESULT {
        if out.is_null() {
            return DXGI_ERROR_INVALID_CALL;
        }
        // SAFETY: the arguments are the client's.
        unsafe { out.write(ptr::null_mut()) };
        DXGI_ERROR_NOT_FOUND
    }

    unsafe fn GetDesc(this: &Object<Self>, out: *mut DXGI_ADAPTER_DESC) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { Adapter::write_desc(this, out.cast(), 0) }
    }

    unsafe fn GetDesc1(this: &Object<Self>, out: *mut DXGI_ADAPTER_DESC1) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { Adapter::write_desc(this, out.cast(), 1) }
    }

    unsafe fn GetDesc2(this: &Object<Self>, out: *mut DXGI_ADAPTER_DESC2) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { Adapter::write_desc(this, out.cast(), 3) }
    }

    /// DXGI knows Direct3D 10's devices alone here; programs ask for the driver's version by it.
    unsafe fn CheckInterfaceSupport(_: &Object<Self>, name: *const GUID, version: *mut i64) -> HRESULT {
        // SAFETY: the arguments are the client's.
        if unsafe { name.as_ref() } != Some(&IID_ID3D12Device) {
            return DXGI_ERROR_UNSUPPORTED;
        }
        if !version.is_null() {
            // SAFETY: as above.
            unsafe { version.write(crate::adapters::DRIVER_VERSION.cast_signed()) };
        }
        S_OK
    }

    /// No content is protected here, so none ends to be.
    unsafe fn RegisterHardwareContentProtectionTeardownStatusEvent(
        _: &Object<Self>,
        _: *mut c_void,
        _: *mut u32,
    ) -> HRESULT {
        DXGI_ERROR_UNSUPPORTED
    }

    unsafe fn UnregisterHardwareContentProtectionTeardownStatus(_: &Object<Self>, _: u32) {}

    unsafe fn QueryVideoMemoryInfo(
        this: &Object<Self>,
        node: u32,
        group: u32,
        out: *mut DXGI_QUERY_VIDEO_MEMORY_INFO,
    ) -> HRESULT {
        if out.is_null() {
            return E_INVALIDARG;
        }
        let asked = segment_group(group)
            .map_err(Failure::from)
            .and_then(|group| this.entry.query_video_memory_info(node, group).map_err(Failure::from));
        match asked {
            Ok(info) => {
                let info = DXGI_QUERY_VIDEO_MEMORY_INFO {
                    Budget: info.budget,
                    CurrentUsage: info.current_usage,
                    AvailableForReservation: info.available_for_reservation,
                    CurrentReservation: info.current_reservation,
                };
                // SAFETY: the arguments are the client's.
                unsafe { out.write(info) };
                S_OK
            }
            Err(failure) => Adapter::failed(&failure),
        }
    }

    unsafe fn SetVideoMemoryReservation(this: &Object<Self>, node: u32, group: u32, bytes: u64) -> HRESULT {
        let set = segment_group(group).map_err(Failure::from).and_then(|group| {
            this.entry.set_video_memory_reservation(node, group, bytes).map_err(Failure::from)
        });
        set.map_or_else(|failure| Adapter::failed(&failure), |()| S_OK)
    }

    unsafe fn RegisterVideoMemoryBudgetChangeNotificationEvent(
        this: &Object<Self>,
        event: *mut c_void,
        cookie: *mut u32,
    ) -> HRESULT {
        if event.is_null() || cookie.is_null() {
            return DXGI_ERROR_INVALID_CALL;
        }
        let event = match event::from_handle(event) {
            Ok(event) => event,
            Err(failure) => return failure.code(),
        };
        let registered = this.entry.register(Arc::new(move || event.set()));
        // SAFETY: the arguments are the client's.
        unsafe { cookie.write(registered) };
        S_OK
    }

    unsafe fn UnregisterVideoMemoryBudgetChangeNotification(this: &Object<Self>, cookie: u32) {
        this.entry.unregister(cookie);
    }
}
