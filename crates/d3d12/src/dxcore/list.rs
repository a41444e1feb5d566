//! IDXCoreAdapterList.

use core::ffi::c_void;
use core::{ptr, slice};

use parking_lot::Mutex;

use super::{Adapter, Factory};
use crate::adapters::AdapterEntry;
use crate::com::{Held, Object, class, query_interface};
use crate::types::{
    DXCoreAdapterPreference, DXGI_ERROR_UNSUPPORTED, E_INVALIDARG, E_POINTER, GUID, HRESULT, S_OK,
};
use crate::vtables::IDXCoreAdapterList;

/// DXCoreAdapterPreference::Hardware, MinimumPower, HighPerformance.
const HARDWARE: u32 = 0;
const MINIMUM_POWER: u32 = 1;
const HIGH_PERFORMANCE: u32 = 2;

/// The adapters that had the attributes that were asked for.
pub struct AdapterList {
    factory: Held<Factory>,
    entries: Mutex<Vec<&'static AdapterEntry>>,
}

class!(AdapterList, IDXCoreAdapterListVtbl, "IDXCoreAdapterList");

impl AdapterList {
    pub(super) fn create(
        factory: &Object<Factory>,
        entries: Vec<&'static AdapterEntry>,
    ) -> Held<AdapterList> {
        let list = AdapterList { factory: Held::of(factory), entries: Mutex::new(entries) };
        Object::create(list, None, factory.convention())
    }
}

/// What sorts before what: lower first.
fn rank(entry: &AdapterEntry, preference: u32) -> u64 {
    match preference {
        HARDWARE => u64::from(entry.is_software()),
        // Chosen: what shares its memory with the CPU takes less power.
        MINIMUM_POWER => u64::from(!entry.adapter.profile().architecture.uma),
        // Chosen: the more memory of its own, the faster.
        _ => u64::MAX - entry.memory_sizes().dedicated,
    }
}

impl IDXCoreAdapterList for AdapterList {
    unsafe fn GetAdapter(
        this: &Object<Self>,
        index: u32,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        if out.is_null() {
            return E_POINTER;
        }
        // SAFETY: the arguments are the client's.
        unsafe { out.write(ptr::null_mut()) };
        let entry = this.entries.lock().get(usize::try_from(index).unwrap_or(usize::MAX)).copied();
        let Some(entry) = entry else { return E_INVALIDARG };
        // SAFETY: as above.
        unsafe { query_interface(Adapter::of(&this.factory, entry).header(), iid, out) }
    }

    unsafe fn GetAdapterCount(this: &Object<Self>) -> u32 {
        u32::try_from(this.entries.lock().len()).expect("invariant: adapters are numbered in 32 bits")
    }

    /// Adapters do not come and go.
    unsafe fn IsStale(_: &Object<Self>) -> bool {
        false
    }

    unsafe fn GetFactory(this: &Object<Self>, iid: *const GUID, out: *mut *mut c_void) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { query_interface(this.factory.header(), iid, out) }
    }

    /// The first preference counts most; among equals the order stays.
    unsafe fn Sort(this: &Object<Self>, count: u32, preferences: *const DXCoreAdapterPreference) -> HRESULT {
        if count == 0 {
            return E_INVALIDARG;
        }
        if preferences.is_null() {
            return E_POINTER;
        }
        let count = usize::try_from(count).expect("invariant: 32 bits fit an address");
        // SAFETY: the arguments are the client's.
        let preferences = unsafe { slice::from_raw_parts(preferences, count) };
        if preferences.iter().any(|preference| *preference > HIGH_PERFORMANCE) {
            return DXGI_ERROR_UNSUPPORTED;
        }
        let key = |entry: &&AdapterEntry| -> Vec<u64> {
            preferences.iter().map(|preference| rank(entry, *preference)).collect()
        };
        this.entries.lock().sort_by_key(key);
        S_OK
    }

    unsafe fn IsAdapterPreferenceSupported(_: &Object<Self>, preference: u32) -> bool {
        preference <= HIGH_PERFORMANCE
    }
}
