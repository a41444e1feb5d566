//! IDXGIFactory 0 to 4.

use core::ffi::c_void;
use core::ptr;

use super::Adapter;
use crate::adapters::{self, AdapterEntry};
use crate::com::{Convention, Held, Object, class, deliver, query_interface};
use crate::failure::Failure;
use crate::types::{
    BOOL, DXGI_ERROR_INVALID_CALL, DXGI_ERROR_NOT_FOUND, DXGI_ERROR_UNSUPPORTED, E_NOTIMPL, GUID, HRESULT,
    LUID, S_OK,
};
use crate::vtables::IDXGIFactory4;

/// DXGI_CREATE_FACTORY_DEBUG, the one flag that there is (DXGI's public headers).
const CREATE_FACTORY_DEBUG: u32 = 1;

/// A factory.
pub struct Factory {
    flags: u32,
}

class!(Factory, IDXGIFactory4Vtbl, "IDXGIFactory");

impl Factory {
    /// A new factory.
    ///
    /// # Errors
    /// DXGI_ERROR_INVALID_CALL for unknown flags; what is wrong with the configuration.
    pub fn create(flags: u32, convention: Convention) -> Result<Held<Factory>, Failure> {
        if flags & !CREATE_FACTORY_DEBUG != 0 {
            return Err(DXGI_ERROR_INVALID_CALL.into());
        }
        adapters::entries().map_err(Failure::Argument)?;
        Ok(Object::create(Factory { flags }, None, convention))
    }

    /// The adapter of that number.
    fn enumerate(this: &Object<Factory>, index: u32, out: *mut *mut c_void) -> HRESULT {
        if out.is_null() {
            return DXGI_ERROR_INVALID_CALL;
        }
        // SAFETY: the arguments are the client's.
        unsafe { out.write(ptr::null_mut()) };
        let Some(entry) = entries().get(usize::try_from(index).unwrap_or(usize::MAX)) else {
            return DXGI_ERROR_NOT_FOUND;
        };
        // SAFETY: as above.
        unsafe { out.write(Adapter::create(this, entry).into_interface()) };
        S_OK
    }
}

/// There are some: a factory was made.
fn entries() -> &'static [AdapterEntry] {
    adapters::entries().unwrap_or_default()
}

impl IDXGIFactory4 for Factory {
    /// A factory has no parent.
    unsafe fn GetParent(_: &Object<Self>, _: *const GUID, out: *mut *mut c_void) -> HRESULT {
        if !out.is_null() {
            // SAFETY: the arguments are the client's.
            unsafe { out.write(ptr::null_mut()) };
        }
        DXGI_ERROR_NOT_FOUND
    }

    unsafe fn EnumAdapters(this: &Object<Self>, index: u32, out: *mut *mut c_void) -> HRESULT {
        Factory::enumerate(this, index, out)
    }

    unsafe fn EnumAdapters1(this: &Object<Self>, index: u32, out: *mut *mut c_void) -> HRESULT {
        Factory::enumerate(this, index, out)
    }

    /// There is no window to watch; saying so would fail programs that only want no Alt+Enter.
    unsafe fn MakeWindowAssociation(_: &Object<Self>, _: *mut c_void, _: u32) -> HRESULT {
        S_OK
    }

    /// Adapters do not come and go.
    unsafe fn IsCurrent(_: &Object<Self>) -> BOOL {
        1
    }

    unsafe fn GetCreationFlags(this: &Object<Self>) -> u32 {
        this.flags
    }

    unsafe fn EnumAdapterByLuid(
        this: &Object<Self>,
        luid: LUID,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let entry = entries().iter().find(|entry| entry.luid == luid).ok_or(DXGI_ERROR_NOT_FOUND);
        // SAFETY: the arguments are the client's.
        unsafe { deliver(iid, out, || entry.map(|entry| Adapter::create(this, entry))) }
    }

    /// The software adapter, where one is configured.
    unsafe fn EnumWarpAdapter(this: &Object<Self>, iid: *const GUID, out: *mut *mut c_void) -> HRESULT {
        let entry = entries().iter().find(|entry| entry.is_software()).ok_or(DXGI_ERROR_NOT_FOUND);
        // SAFETY: the arguments are the client's.
        unsafe { deliver(iid, out, || entry.map(|entry| Adapter::create(this, entry))) }
    }

    unsafe fn CreateSwapChain(
        _: &Object<Self>,
        _: *mut c_void,
        _: *mut c_void,
        out: *mut *mut c_void,
    ) -> HRESULT {
        no_swap_chain(out)
    }

    unsafe fn CreateSoftwareAdapter(_: &Object<Self>, _: *mut c_void, out: *mut *mut c_void) -> HRESULT {
        if !out.is_null() {
            // SAFETY: the arguments are the client's.
            unsafe { out.write(ptr::null_mut()) };
        }
        E_NOTIMPL
    }

    unsafe fn CreateSwapChainForHwnd(
        _: &Object<Self>,
        _: *mut c_void,
        _: *mut c_void,
        _: *const c_void,
        _: *const c_void,
        _: *mut c_void,
        out: *mut *mut c_void,
    ) -> HRESULT {
        no_swap_chain(out)
    }

    unsafe fn CreateSwapChainForComposition(
        _: &Object<Self>,
        _: *mut c_void,
        _: *const c_void,
        _: *mut c_void,
        out: *mut *mut c_void,
    ) -> HRESULT {
        no_swap_chain(out)
    }
}

/// There are no windows to present to.
fn no_swap_chain(out: *mut *mut c_void) -> HRESULT {
    if !out.is_null() {
        // SAFETY: the arguments are the client's.
        unsafe { out.write(ptr::null_mut()) };
    }
    DXGI_ERROR_UNSUPPORTED
}

/// CreateDXGIFactory 0 to 2.
///
/// # Safety
/// `iid` and `out` are NULL or point to what they should.
pub(crate) unsafe fn create(
    flags: u32,
    convention: Convention,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    if out.is_null() {
        return DXGI_ERROR_INVALID_CALL;
    }
    // SAFETY: the caller's promise.
    unsafe { out.write(ptr::null_mut()) };
    match Factory::create(flags, convention) {
        // SAFETY: the caller's promise.
        Ok(factory) => unsafe { query_interface(factory.header(), iid, out) },
        Err(failure) => failure.code(),
    }
}
