//! ID3D10Blob, which ID3DBlob is.

use core::ffi::c_void;
use core::ptr::NonNull;

use crate::com::{Convention, Object, class};
use crate::types::{E_POINTER, HRESULT, S_OK};
use crate::vtables::ID3D10Blob;

/// Bytes of the client's: it may change them, and nobody else looks. Hence a pointer, and never a reference.
pub struct Blob {
    bytes: NonNull<[u8]>,
}

// SAFETY: the bytes are reached through the client's pointer alone, and freed by whoever lets go of the blob last.
unsafe impl Send for Blob {}
// SAFETY: as above.
unsafe impl Sync for Blob {}

impl Drop for Blob {
    fn drop(&mut self) {
        // SAFETY: made by `Box` in `hand_out`, and given back once.
        drop(unsafe { Box::from_raw(self.bytes.as_ptr()) });
    }
}

class!(Blob, ID3D10BlobVtbl, "ID3D10Blob");

impl ID3D10Blob for Blob {
    unsafe fn GetBufferPointer(this: &Object<Self>) -> *mut c_void {
        this.bytes.as_ptr().cast()
    }

    unsafe fn GetBufferSize(this: &Object<Self>) -> usize {
        this.bytes.len()
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
    let blob = Blob { bytes: NonNull::from(Box::leak(bytes.into_boxed_slice())) };
    // SAFETY: the caller's promise.
    unsafe { out.write(Object::create(blob, None, Convention::Linux).into_interface()) };
    S_OK
}
