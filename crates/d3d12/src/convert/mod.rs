//! Between C's structures and the library's words.

mod command;
mod memory;
mod view;

pub use command::*;
pub use memory::*;
pub use view::*;

use crate::failure::Unknown;

/// `value`, or the error that names the field.
#[inline]
pub(crate) fn known<T>(value: Option<T>, field: &'static str, given: u32) -> Result<T, Unknown> {
    value.ok_or(Unknown { field, given: u64::from(given) })
}

/// A count of C in Rust's words.
#[must_use]
pub fn size(count: u32) -> usize {
    usize::try_from(count).expect("invariant: 32 bits fit an address")
}

/// The `count` items at `items`; an error where there should be some and `items` is NULL.
///
/// # Safety
/// `items` is NULL or points to `count` items, which stay as they are while the slice is used.
pub unsafe fn slice<'a, T>(
    items: *const T,
    count: u32,
    field: &'static str,
) -> Result<&'a [T], crate::failure::Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    if items.is_null() {
        return Err(crate::failure::Failure::Argument(field));
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { core::slice::from_raw_parts(items, size(count)) })
}
