//! The methods that every object has: IUnknown's, ID3D12Object's, ID3D12DeviceChild's.
#![allow(non_snake_case, reason = "names are D3D12's")]
#![allow(clippy::missing_safety_doc, reason = "what D3D12 demands of a call's arguments")]

use core::ffi::c_void;
use core::slice;

use super::client::query_interface;
use super::face::Face;
use super::guard::guard;
use super::object::{Class, release};
use super::private_data::{DEBUG_OBJECT_NAME, DEBUG_OBJECT_NAME_W};
use super::text;
use crate::types::{E_INVALIDARG, GUID, HRESULT, S_OK};

/// IUnknown::QueryInterface.
pub unsafe extern "C" fn QueryInterface<T: Class, F: Face<T>>(
    this: *mut c_void,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    // SAFETY: the client calls a method of a live object.
    let this = unsafe { F::object(this) };
    // SAFETY: the arguments are the client's.
    guard(this, || unsafe { query_interface(this.header(), iid, out) })
}

/// IUnknown::AddRef.
pub unsafe extern "C" fn AddRef<T: Class, F: Face<T>>(this: *mut c_void) -> u32 {
    // SAFETY: the client calls a method of a live object.
    unsafe { F::object(this) }.header().add_public()
}

/// IUnknown::Release. Not under the guard, since the object may be gone afterwards: what a class does when it goes does
/// not panic, and if it did, the process ends instead of going on with half an object.
pub unsafe extern "C" fn Release<T: Class, F: Face<T>>(this: *mut c_void) -> u32 {
    // SAFETY: the client calls a method of a live object, of which it has a reference.
    unsafe { release(F::object(this).header()) }
}

/// ID3D12Object::GetPrivateData.
pub unsafe extern "C" fn GetPrivateData<T: Class, F: Face<T>>(
    this: *mut c_void,
    name: *const GUID,
    size: *mut u32,
    data: *mut c_void,
) -> HRESULT {
    // SAFETY: the client calls a method of a live object.
    let this = unsafe { F::object(this) };
    guard(this, || {
        // SAFETY: the arguments are the client's.
        let Some(name) = (unsafe { name.as_ref() }) else { return E_INVALIDARG };
        // SAFETY: as above.
        unsafe { this.header().rare().get(name, size, data) }
    })
}

/// ID3D12Object::SetPrivateData.
pub unsafe extern "C" fn SetPrivateData<T: Class, F: Face<T>>(
    this: *mut c_void,
    name: *const GUID,
    size: u32,
    data: *const c_void,
) -> HRESULT {
    // SAFETY: the client calls a method of a live object.
    let this = unsafe { F::object(this) };
    guard(this, || {
        // SAFETY: the arguments are the client's.
        let Some(name) = (unsafe { name.as_ref() }).copied() else { return E_INVALIDARG };
        if data.is_null() {
            if size != 0 {
                return E_INVALIDARG;
            }
            this.header().rare().set(name, None);
            return S_OK;
        }
        let size = usize::try_from(size).expect("invariant: 32 bits fit an address");
        // SAFETY: the arguments are the client's.
        let bytes = unsafe { slice::from_raw_parts(data.cast::<u8>(), size) };
        this.header().rare().set(name, Some(bytes));
        if name == DEBUG_OBJECT_NAME {
            T::renamed(this, String::from_utf8_lossy(bytes).trim_end_matches('\0'));
        }
        S_OK
    })
}

/// ID3D12Object::SetPrivateDataInterface.
pub unsafe extern "C" fn SetPrivateDataInterface<T: Class, F: Face<T>>(
    this: *mut c_void,
    name: *const GUID,
    interface: *const c_void,
) -> HRESULT {
    // SAFETY: the client calls a method of a live object.
    let this = unsafe { F::object(this) };
    guard(this, || {
        // SAFETY: the arguments are the client's.
        let Some(name) = (unsafe { name.as_ref() }).copied() else { return E_INVALIDARG };
        // SAFETY: as above.
        unsafe { this.header().rare().set_interface(name, interface.cast_mut()) };
        S_OK
    })
}

/// ID3D12Object::SetName: private data of its own identifier, and the name in messages. NULL takes it away.
pub unsafe extern "C" fn SetName<T: Class, F: Face<T>>(this: *mut c_void, name: *const c_void) -> HRESULT {
    // SAFETY: the client calls a method of a live object.
    let this = unsafe { F::object(this) };
    guard(this, || {
        let convention = this.convention();
        // SAFETY: the arguments are the client's.
        let name = unsafe { text::wide(name, convention) };
        let bytes = name.as_deref().map(|name| text::to_wide_bytes(name, convention));
        this.header().rare().set(DEBUG_OBJECT_NAME_W, bytes.as_deref());
        T::renamed(this, name.as_deref().unwrap_or_default());
        S_OK
    })
}

/// ID3D12DeviceChild::GetDevice.
pub unsafe extern "C" fn GetDevice<T: Class, F: Face<T>>(
    this: *mut c_void,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    // SAFETY: the client calls a method of a live object.
    let this = unsafe { F::object(this) };
    // SAFETY: the arguments are the client's.
    guard(this, || unsafe { query_interface(this.device().header(), iid, out) })
}
