//! ID3D10Blob, which ID3DBlob is.

use core::ffi::c_void;

use crate::com::{Convention, Object, class};
use crate::types::{E_POINTER, HRESULT, S_OK};
use crate::vtables::ID3D10Blob;

/// Bytes of the client's: it may change them, and nobody else looks.
pub struct Blob {
    bytes: core::cell::UnsafeCell<Box<[u8]>>,
}

// SAFETY: the bytes are reached through the client's pointer alone.
unsafe impl Sync for Blob {}

class!(Blob, ID3D10BlobVtbl, "ID3D10Blob");

impl ID3D10Blob for Blob {
    unsafe fn GetBufferPointer(this: &Object<Self>) -> *mut c_void {
        // SAFETY: the box is never changed, only what it points to, by the client.
        unsafe { (*this.bytes.get()).as_mut_ptr() }.cast()
    }

    unsafe fn GetBufferSize(this: &Object<Self>) -> usize {
        // SAFETY: as above.
        unsafe { &*this.bytes.get() }.len()
    }
}

/// Gives the client a blob of `bytes`.
///
/// # Safety
/// `out` is NULL or points to a place for a pointer.
pub(crate) unsafe fn hand_out(bytes: Vec<u8>, out: *mut *mut c_void) -> HRESULT {
    if out.is_null() {
        return E_POINTER;
    }
    let blob = Blob { bytes: core::cell::UnsafeCell::new(bytes.into_boxed_slice()) };
    // SAFETY: the caller's promise.
    unsafe { out.write(Object::create(blob, None, Convention::Linux).into_interface()) };
    S_OK
}
