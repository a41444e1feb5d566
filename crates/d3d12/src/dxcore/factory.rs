//! IDXCoreAdapterFactory.

use core::ffi::c_void;
use core::{ptr, slice};
use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::{Adapter, AdapterList, has_attribute};
use crate::adapters::{self, AdapterEntry};
use crate::com::{Convention, Object, Singleton, class, from_client, query_interface};
use crate::failure::Failure;
use crate::types::{
    DXGI_ERROR_INVALID_CALL, E_INVALIDARG, E_POINTER, GUID, HRESULT, LUID, PFN_DXCORE_NOTIFICATION_CALLBACK,
    S_OK,
};
use crate::vtables::IDXCoreAdapterFactory1;

/// DXCoreNotificationType.
const ADAPTER_LIST_STALE: u32 = 0;
const ADAPTER_NO_LONGER_VALID: u32 = 1;
const ADAPTER_BUDGET_CHANGE: u32 = 2;
const ADAPTER_HARDWARE_CONTENT_PROTECTION_TEARDOWN: u32 = 3;

/// The process's factory.
#[derive(Default)]
pub struct Factory {
    notifications: Mutex<Notifications>,
}

#[derive(Default)]
struct Notifications {
    last_cookie: u32,
    /// The adapter and its cookie there; none of notifications that never come.
    registered: BTreeMap<u32, Option<(&'static AdapterEntry, u32)>>,
}

static FACTORY: Singleton<Factory> = Singleton::new();

class!(Factory, IDXCoreAdapterFactory1Vtbl, "IDXCoreAdapterFactory", {
    fn released(this: &Object<Factory>) {
        FACTORY.forget(this);
        for (entry, cookie) in this.notifications.lock().registered.values().flatten() {
            entry.unregister(*cookie);
        }
    }
});

/// What a notification calls, and with what: the client's, who says that any thread may use it.
struct Told {
    callback: unsafe extern "C" fn(u32, *mut c_void, *mut c_void),
    object: *mut c_void,
    context: *mut c_void,
}

// SAFETY: the client's word; see DXCore's documentation of RegisterEventNotification.
unsafe impl Send for Told {}
// SAFETY: as above.
unsafe impl Sync for Told {}

impl Told {
    fn tell(&self) {
        // SAFETY: the client unregisters before what it named here goes.
        unsafe { (self.callback)(ADAPTER_BUDGET_CHANGE, self.object, self.context) };
    }
}

fn entries() -> &'static [AdapterEntry] {
    adapters::entries().unwrap_or_default()
}

impl IDXCoreAdapterFactory1 for Factory {
    unsafe fn CreateAdapterList(
        this: &Object<Self>,
        count: u32,
        attributes: *const GUID,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        if out.is_null() || attributes.is_null() {
            return E_POINTER;
        }
        // SAFETY: the arguments are the client's.
        unsafe { out.write(ptr::null_mut()) };
        if count == 0 {
            return E_INVALIDARG;
        }
        let count = usize::try_from(count).expect("invariant: 32 bits fit an address");
        // SAFETY: as above.
        let attributes = unsafe { slice::from_raw_parts(attributes, count) };
        let all = attributes.iter().all(has_attribute);
        let found = if all { entries().iter().collect() } else { Vec::new() };
        // SAFETY: as above.
        unsafe { query_interface(AdapterList::create(this, found).header(), iid, out) }
    }

    unsafe fn GetAdapterByLuid(
        this: &Object<Self>,
        luid: *const LUID,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        if out.is_null() || luid.is_null() {
            return E_POINTER;
        }
        // SAFETY: the arguments are the client's.
        unsafe { out.write(ptr::null_mut()) };
        // SAFETY: as above.
        let luid = unsafe { luid.read() };
        let Some(entry) = entries().iter().find(|entry| entry.luid == luid) else { return E_INVALIDARG };
        // SAFETY: as above.
        unsafe { query_interface(Adapter::of(this, entry).header(), iid, out) }
    }

    unsafe fn IsNotificationTypeSupported(_: &Object<Self>, kind: u32) -> bool {
        kind <= ADAPTER_HARDWARE_CONTENT_PROTECTION_TEARDOWN
    }

    unsafe fn RegisterEventNotification(
        this: &Object<Self>,
        object: *mut c_void,
        kind: u32,
        callback: PFN_DXCORE_NOTIFICATION_CALLBACK,
        context: *mut c_void,
        cookie: *mut u32,
    ) -> HRESULT {
        let Some(callback) = callback.filter(|_| !object.is_null() && !cookie.is_null()) else {
            return E_POINTER;
        };
        // SAFETY: the arguments are the client's.
        let adapter = unsafe { from_client::<Adapter>(object) };
        // SAFETY: as above.
        let list = unsafe { from_client::<AdapterList>(object) };
        let registered = match (kind, adapter, list) {
            (ADAPTER_LIST_STALE, _, Some(_)) => None,
            (ADAPTER_NO_LONGER_VALID | ADAPTER_HARDWARE_CONTENT_PROTECTION_TEARDOWN, Some(_), _) => None,
            (ADAPTER_BUDGET_CHANGE, Some(adapter), _) => {
                let told = Told { callback, object, context };
                Some((adapter.entry, adapter.entry.register(Arc::new(move || told.tell()))))
            }
            _ => return DXGI_ERROR_INVALID_CALL,
        };
        let mut notifications = this.notifications.lock();
        notifications.last_cookie = notifications.last_cookie.checked_add(1).unwrap_or(1);
        let number = notifications.last_cookie;
        notifications.registered.insert(number, registered);
        // SAFETY: as above.
        unsafe { cookie.write(number) };
        S_OK
    }

    unsafe fn UnregisterEventNotification(this: &Object<Self>, cookie: u32) -> HRESULT {
        let Some(registered) = this.notifications.lock().registered.remove(&cookie) else {
            return E_INVALIDARG;
        };
        if let Some((entry, cookie)) = registered {
            entry.unregister(cookie);
        }
        S_OK
    }
}

/// DXCoreCreateAdapterFactory.
///
/// # Safety
/// `iid` and `out` are NULL or point to what they should.
pub(crate) unsafe fn create(convention: Convention, iid: *const GUID, out: *mut *mut c_void) -> HRESULT {
    if out.is_null() {
        return E_POINTER;
    }
    // SAFETY: the caller's promise.
    unsafe { out.write(ptr::null_mut()) };
    let made = adapters::entries().map_err(Failure::Argument);
    let made = made.and_then(|_| {
        FACTORY.get(convention, || Ok::<_, Failure>(Object::create(Factory::default(), None, convention)))
    });
    match made {
        // SAFETY: the caller's promise.
        Ok(factory) => unsafe { query_interface(factory.header(), iid, out) },
        Err(failure) => failure.code(),
    }
}
