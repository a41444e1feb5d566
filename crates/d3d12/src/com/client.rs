//! What clients ask of objects by pointers, and what we ask of pointers of theirs.

use core::ffi::c_void;
use core::ptr::{self, NonNull};

use super::held::Held;
use super::object::{Class, Header, Object};
use crate::types::{E_INVALIDARG, E_NOINTERFACE, E_POINTER, GUID, HRESULT, S_FALSE, S_OK};
use crate::vtables::{IID_ID3D12Object, IID_ID3DDestructionNotifier};

/// QueryInterface of an object, by whichever of its interfaces.
///
/// # Safety
/// `object` points to a live object; `out` to a place for a pointer, or nowhere.
pub unsafe fn query_interface(object: *const Header, iid: *const GUID, out: *mut *mut c_void) -> HRESULT {
    if out.is_null() {
        return E_POINTER;
    }
    // SAFETY: the caller's promise.
    unsafe { out.write(ptr::null_mut()) };
    // SAFETY: the caller's promise.
    let Some(iid) = (unsafe { iid.as_ref() }) else { return E_INVALIDARG };
    // SAFETY: the caller's promise.
    let header = unsafe { &*object };
    let Some(found) = find(header, iid) else { return E_NOINTERFACE };
    header.add_public();
    // SAFETY: the caller's promise.
    unsafe { out.write(found.as_ptr()) };
    S_OK
}

fn find(header: &Header, iid: &GUID) -> Option<NonNull<c_void>> {
    if header.class().chain.contains(iid) {
        return NonNull::new(ptr::with_exposed_provenance_mut(ptr::from_ref(header).addr()));
    }
    // SAFETY: of the same class.
    if let Some(found) = unsafe { (header.class().face)(header, iid) } {
        return Some(found);
    }
    (*iid == IID_ID3DDestructionNotifier && header.class().chain.contains(&IID_ID3D12Object))
        .then(|| header.rare().notifier())
}

/// AddRef and Release.
type CountFunction = unsafe extern "C" fn(*mut c_void) -> u32;

/// AddRef of a client's pointer to an interface of any origin.
///
/// # Safety
/// `unknown` points to a live COM object.
pub unsafe fn add_ref(unknown: *mut c_void) -> u32 {
    // SAFETY: every COM object begins with a vtable, whose slot 1 is AddRef.
    let add_ref = unsafe { *(*unknown.cast::<*const CountFunction>()).add(1) };
    // SAFETY: the object is alive.
    unsafe { add_ref(unknown) }
}

/// Release of a client's pointer to an interface of any origin.
///
/// # Safety
/// `unknown` points to a live COM object, and the caller has a reference.
unsafe fn release_unknown(unknown: *mut c_void) -> u32 {
    // SAFETY: every COM object begins with a vtable, whose slot 2 is Release.
    let release = unsafe { *(*unknown.cast::<*const CountFunction>()).add(2) };
    // SAFETY: the object is alive.
    unsafe { release(unknown) }
}

/// A client's interface of any origin, held.
pub(crate) struct Reference(NonNull<c_void>);

impl Reference {
    /// One more reference to it; none to NULL.
    ///
    /// # Safety
    /// `interface` is NULL or points to a live COM object.
    pub(crate) unsafe fn of(interface: *mut c_void) -> Option<Reference> {
        let interface = NonNull::new(interface)?;
        // SAFETY: the caller's promise.
        unsafe { add_ref(interface.as_ptr()) };
        Some(Reference(interface))
    }

    /// The client's pointer.
    pub(crate) fn as_ptr(&self) -> *mut c_void {
        self.0.as_ptr()
    }

    /// One more for the client.
    pub(super) fn add_one(&self) {
        // SAFETY: it is held here.
        unsafe { add_ref(self.0.as_ptr()) };
    }
}

// SAFETY: COM objects are used by any thread.
unsafe impl Send for Reference {}
// SAFETY: as above; several at once.
unsafe impl Sync for Reference {}

impl Drop for Reference {
    fn drop(&mut self) {
        // SAFETY: we have a reference.
        unsafe { release_unknown(self.0.as_ptr()) };
    }
}

/// The object that a client passed: none of NULL, of another class, and of others' objects.
///
/// # Safety
/// `interface` is NULL or points to a live COM object.
#[inline]
#[must_use]
pub unsafe fn from_client<'a, T: Class>(interface: *mut c_void) -> Option<&'a Object<T>> {
    if interface.is_null() {
        return None;
    }
    // SAFETY: every COM object begins with a vtable.
    let vtable = unsafe { *interface.cast::<*const c_void>() };
    if !T::info().vtables.contains(&vtable) {
        return None;
    }
    // SAFETY: only objects of the class have its vtables.
    Some(unsafe { &*interface.cast::<Object<T>>() })
}

/// Ends a creating call: the object in `out`, or the reason why there is none; then `out` is NULL. Without `out`
/// the call was a probe: S_FALSE where it would have succeeded, also with a wrong identifier (facts/behaviour.md,
/// Creation).
///
/// # Safety
/// `iid` and `out` are NULL or point to what they should.
#[inline]
pub unsafe fn deliver<T: Class>(
    iid: *const GUID,
    out: *mut *mut c_void,
    create: impl FnOnce() -> Result<Held<T>, HRESULT>,
) -> HRESULT {
    if out.is_null() {
        return match create() {
            Ok(_) => S_FALSE,
            Err(error) => error,
        };
    }
    // SAFETY: the caller's promise.
    unsafe { out.write(ptr::null_mut()) };
    // SAFETY: the caller's promise.
    let Some(iid) = (unsafe { iid.as_ref() }) else { return E_INVALIDARG };
    match create() {
        Ok(object) => {
            // The last of the chain and the first are asked for most; both are found at once.
            if T::info().chain.contains(iid) {
                // SAFETY: the caller's promise.
                unsafe { out.write(object.into_interface()) };
                return S_OK;
            }
            // SAFETY: the object is alive, and `out` was checked.
            unsafe { query_interface(ptr::from_ref(object.header()), iid, out) }
        }
        Err(error) => error,
    }
}
