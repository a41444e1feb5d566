//! The border: no panic crosses it.

use core::any::Any;
use core::ffi::c_void;
use core::ptr;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::object::{Class, Object};
use crate::types::{E_FAIL, E_NOTIMPL, HRESULT};

/// What a method answers when it cannot.
pub trait Fallback {
    /// Of a method that a class does not have.
    const NOT_IMPLEMENTED: Self;
    /// Of a method that panicked.
    const PANICKED: Self;
}

macro_rules! fallback {
    ($($type:ty => $not_implemented:expr, $panicked:expr;)*) => {$(
        impl Fallback for $type {
            const NOT_IMPLEMENTED: $type = $not_implemented;
            const PANICKED: $type = $panicked;
        }
    )*};
}

fallback! {
    () => (), ();
    HRESULT => E_NOTIMPL, E_FAIL;
    u32 => 0, 0;
    u64 => 0, 0;
    usize => 0, 0;
    bool => false, false;
}

impl<T> Fallback for *mut T {
    const NOT_IMPLEMENTED: *mut T = ptr::null_mut();
    const PANICKED: *mut T = ptr::null_mut();
}

impl<T> Fallback for *const T {
    const NOT_IMPLEMENTED: *const T = ptr::null();
    const PANICKED: *const T = ptr::null();
}

/// Runs a method. A panic is a bug of ours: the device is removed, with the panic's message as the reason, and the
/// caller gets E_FAIL, or 0 where no error can be told.
#[inline]
pub fn guard<T: Class, R: Fallback>(this: &Object<T>, method: impl FnOnce() -> R) -> R {
    // Unwind safe: the device is removed, so that what is half done is not seen.
    match catch_unwind(AssertUnwindSafe(method)) {
        Ok(result) => result,
        Err(panic) => {
            panicked(this, &*panic);
            R::PANICKED
        }
    }
}

#[cold]
fn panicked<T: Class>(this: &Object<T>, panic: &(dyn Any + Send)) {
    let message = format!("{}: {}", T::info().name, panic_message(panic));
    // A second panic on the way would be one too many.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        if let Some(device) = crate::device::of(this) {
            device.removed_by_panic(&message);
        }
    }));
}

/// What a panic says.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without a message")
}

/// The answer of a method that the class does not have; it is reported once for each device.
#[cold]
pub fn not_implemented<T: Class, R: Fallback>(this: &Object<T>, method: &'static str) -> R {
    if let Some(device) = crate::device::of(this) {
        device.report_once(method, "is not implemented: the call has no effect");
    }
    R::NOT_IMPLEMENTED
}

const _: () = assert!(size_of::<*mut c_void>() == 8, "the binary interface is that of 64-bit Linux");
