//! Further interfaces of an object, beside its main one.

use core::cell::UnsafeCell;
use core::ffi::c_void;
use core::ptr::{self, NonNull};

use super::object::{Class, Convention, Header, Object, whole};

/// From `this` to the object.
pub trait Face<T: Class> {
    /// The object that `this` is an interface of.
    ///
    /// # Safety
    /// `this` is a live interface pointer of this kind.
    unsafe fn object<'a>(this: *mut c_void) -> &'a Object<T>;
}

/// The main interface: `this` is the object.
pub enum Primary {}

impl<T: Class> Face<T> for Primary {
    #[inline]
    unsafe fn object<'a>(this: *mut c_void) -> &'a Object<T> {
        // SAFETY: the caller's promise.
        unsafe { &*this.cast::<Object<T>>() }
    }
}

/// Another interface: `this` points here.
#[repr(C)]
pub struct FaceCell {
    vtable: UnsafeCell<*const c_void>,
    owner: UnsafeCell<*const Header>,
}

// SAFETY: written once, before the object is known to anybody.
unsafe impl Sync for FaceCell {}
// SAFETY: as above.
unsafe impl Send for FaceCell {}

impl FaceCell {
    /// One that is not attached yet.
    #[must_use]
    pub const fn new() -> FaceCell {
        FaceCell { vtable: UnsafeCell::new(ptr::null()), owner: UnsafeCell::new(ptr::null()) }
    }

    /// Makes it an interface of `owner`.
    ///
    /// # Safety
    /// Nobody has the interface yet, and `vtables` are made for [`FaceCell`] and the owner's class.
    pub unsafe fn attach(&self, owner: &Header, vtables: [*const c_void; 2]) {
        // SAFETY: nobody reads it yet.
        unsafe { *self.vtable.get() = vtables[owner.convention() as usize] };
        // SAFETY: as above.
        unsafe { *self.owner.get() = owner };
    }

    /// The object that `this` is an interface of.
    ///
    /// # Safety
    /// `this` points to an attached cell.
    #[must_use]
    pub unsafe fn owner(this: *mut c_void) -> *const Header {
        // SAFETY: the caller's promise.
        unsafe { *(*this.cast::<FaceCell>()).owner.get() }
    }

    /// The pointer for the client.
    #[must_use]
    pub fn interface(&self) -> NonNull<c_void> {
        NonNull::from(self).cast()
    }
}

impl Default for FaceCell {
    fn default() -> FaceCell {
        FaceCell::new()
    }
}

impl<T: Class> Face<T> for FaceCell {
    #[inline]
    unsafe fn object<'a>(this: *mut c_void) -> &'a Object<T> {
        // SAFETY: the caller's promise: `this` is an attached cell of an object of the class.
        unsafe { &*whole::<T>(FaceCell::owner(this)) }
    }
}

/// Finds a further interface of an object: `faces!(Device, object, iid, [ID3D12InfoQueue1Vtbl])` in `Class::face`.
macro_rules! faces {
    ($class:ident, $object:expr, $iid:expr, [$($vtable:ident),* $(,)?]) => {{
        use $crate::com::{FaceCell, Vtable};
        $(
            if <$crate::vtables::$vtable as Vtable<$class, FaceCell>>::CHAIN.contains($iid) {
                static LINUX: $crate::vtables::$vtable =
                    <$crate::vtables::$vtable as Vtable<$class, FaceCell>>::LINUX;
                static EXPLICIT_RETURN: $crate::vtables::$vtable =
                    <$crate::vtables::$vtable as Vtable<$class, FaceCell>>::EXPLICIT_RETURN;
                let vtables = [core::ptr::from_ref(&LINUX).cast(), core::ptr::from_ref(&EXPLICIT_RETURN).cast()];
                // SAFETY: the vtables are made for this class.
                return Some(unsafe { $object.header().lazy_face(vtables) });
            }
        )*
        None
    }};
}

pub(crate) use faces;

/// The conventions in the order of the vtables.
const _: () = assert!(Convention::Linux as usize == 0 && Convention::ExplicitReturn as usize == 1);
