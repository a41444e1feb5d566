//! ID3D12Device15's trim notifications (facts/residency.md, Trim).

use core::ffi::c_void;
use std::collections::BTreeMap;
use std::sync::Arc;

use heapstone::{PeriodicTrim, TrimCookie, TrimRequest};
use parking_lot::Mutex;

use super::Device;
use crate::com::Object;
use crate::failure::{Failure, Unknown};
use crate::types::{D3D12_REGISTER_TRIM_NOTIFICATION, D3D12_TRIM_NOTIFICATION, E_OUTOFMEMORY};

/// D3D12_TRIM_NOTIFICATION_FLAGS (D3D12's public headers).
const PERIODIC_TRIM: u32 = 1;
const RESTART_PERIODIC_TRIM: u32 = 2;
const TRIM_TO_BUDGET: u32 = 4;

/// What is registered, by the cookie that the client has.
#[derive(Default)]
pub(super) struct Registered(Mutex<BTreeMap<u32, TrimCookie>>);

/// The client's, handed back to it.
struct Context(*mut c_void);

// SAFETY: the pointer is never followed here; the client's callback is called by whichever thread asks for a trim.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

/// # Safety
/// `data` is NULL or points to a structure whose callback may be called, by any thread, until it is unregistered or the
/// device is released.
pub(super) unsafe fn register(
    device: &Object<Device>,
    data: *mut D3D12_REGISTER_TRIM_NOTIFICATION,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let data = unsafe { data.as_mut() }.ok_or(Failure::Argument("pData is NULL"))?;
    let callback = data.pfnCallback.ok_or(Failure::Argument("pData->pfnCallback is NULL"))?;
    let context = Context(data.pContext);
    let cookie = device.runtime.register_trim_notification(Arc::new(move |request| {
        let Context(context) = &context;
        let notification = D3D12_TRIM_NOTIFICATION {
            pContext: *context,
            Flags: flags_of(&request),
            NumBytesToTrim: request.bytes_to_trim,
        };
        // SAFETY: the client promised that it may be called.
        unsafe { callback(&raw const notification) }
    }));
    let Ok(number) = u32::try_from(cookie.get()) else {
        device.runtime.unregister_trim_notification(cookie)?;
        return Err(E_OUTOFMEMORY.into());
    };
    device.trims.0.lock().insert(number, cookie);
    data.CallbackCookie = number;
    Ok(())
}

pub(super) fn unregister(device: &Device, number: u32) -> Result<(), Failure> {
    let cookie = device.trims.0.lock().remove(&number);
    let cookie = cookie.ok_or(Unknown { field: "CallbackCookie", given: u64::from(number) })?;
    Ok(device.runtime.unregister_trim_notification(cookie)?)
}

/// The device is released: nobody may be called any more.
pub(super) fn unregister_all(device: &Device) {
    for cookie in core::mem::take(&mut *device.trims.0.lock()).into_values() {
        let _ = device.runtime.unregister_trim_notification(cookie);
    }
}

fn flags_of(request: &TrimRequest) -> u32 {
    let periodic = match request.periodic {
        Some(PeriodicTrim::Trim { .. }) => PERIODIC_TRIM,
        Some(PeriodicTrim::Restart) => RESTART_PERIODIC_TRIM,
        None => 0,
    };
    periodic | if request.bytes_to_trim > 0 { TRIM_TO_BUDGET } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_the_headers() {
        let flags = |periodic, bytes_to_trim| flags_of(&TrimRequest { periodic, bytes_to_trim });
        assert_eq!(flags(None, 1), 4);
        assert_eq!(flags(Some(PeriodicTrim::Trim { since_submission: 3 }), 0), 1);
        assert_eq!(flags(Some(PeriodicTrim::Trim { since_submission: 3 }), 9), 5);
        assert_eq!(flags(Some(PeriodicTrim::Restart), 0), 2);
    }
}
