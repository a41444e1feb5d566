//! References to objects: clients' that we hold, and our own.

use core::ffi::c_void;
use core::ops::Deref;
use core::ptr::NonNull;

use super::object::{Class, Object, release, release_private};

/// A client's reference that we hold for now, or hand to it.
pub struct Held<T: Class>(NonNull<Object<T>>);

impl<T: Class> Held<T> {
    /// One more reference to the object.
    #[must_use]
    pub fn of(object: &Object<T>) -> Held<T> {
        object.header().add_public();
        Held(NonNull::from(object))
    }

    /// Takes over a reference that was added already.
    #[must_use]
    pub fn adopt(object: &Object<T>) -> Held<T> {
        Held(NonNull::from(object))
    }

    /// Hands the reference over: the client releases it.
    #[must_use]
    pub fn into_interface(self) -> *mut c_void {
        let interface = self.0.as_ptr().cast();
        core::mem::forget(self);
        interface
    }
}

impl<T: Class> Deref for Held<T> {
    type Target = Object<T>;

    fn deref(&self) -> &Object<T> {
        // SAFETY: we have a reference.
        unsafe { self.0.as_ref() }
    }
}

impl<T: Class> Drop for Held<T> {
    fn drop(&mut self) {
        // SAFETY: we have a reference.
        unsafe { release(self.0.as_ptr().cast()) };
    }
}

/// A reference of ours, which clients do not see in their counts.
pub struct Kept<T: Class>(NonNull<Object<T>>);

impl<T: Class> Kept<T> {
    /// Keeps an object that somebody holds.
    #[must_use]
    pub fn of(object: &Object<T>) -> Kept<T> {
        object.header().keep();
        Kept(NonNull::from(object))
    }
}

impl<T: Class> Deref for Kept<T> {
    type Target = Object<T>;

    fn deref(&self) -> &Object<T> {
        // SAFETY: we have a reference.
        unsafe { self.0.as_ref() }
    }
}

impl<T: Class> Drop for Kept<T> {
    fn drop(&mut self) {
        // SAFETY: we have a reference.
        unsafe { release_private(self.0.as_ptr().cast()) };
    }
}

// SAFETY: a counted reference to what is Sync.
unsafe impl<T: Class> Send for Kept<T> {}
// SAFETY: as above.
unsafe impl<T: Class> Sync for Kept<T> {}

// SAFETY: a counted reference to what is Sync.
unsafe impl<T: Class> Send for Held<T> {}
// SAFETY: as above.
unsafe impl<T: Class> Sync for Held<T> {}
