//! The same under Miri, which has neither mmap nor memory files: memory of Rust's allocator, so that
//! the interpreter sees the copies and the lifetimes. Large reservations are refused, because they
//! would be committed at once.

use core::ptr::NonNull;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::os::fd::OwnedFd;

use heapstone_driver::DriverError;

use super::{Access, in_address_space, out_of_memory};

const SIZE_MAX: usize = 16 << 20;
const REASON: &str = "the interpreter has no such memory";

pub(crate) fn page_size() -> usize {
    4096
}

fn layout(size: usize) -> Result<Layout, &'static str> {
    Layout::from_size_align(size, page_size()).ok().filter(|_| (1..=SIZE_MAX).contains(&size)).ok_or(REASON)
}

pub(super) fn reserve(size: usize, _: Access) -> Result<NonNull<u8>, &'static str> {
    let layout = layout(size)?;
    // SAFETY: the layout has at least one byte.
    NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or(REASON)
}

pub(super) fn map_file(_: &SharedFile) -> Result<NonNull<u8>, &'static str> {
    Err(REASON)
}

/// # Safety
/// None; unsafe as the real one is.
pub(super) unsafe fn discard(_: NonNull<u8>, _: usize) -> Result<(), &'static str> {
    Err(REASON)
}

/// # Safety
/// None; unsafe as the real one is.
pub(super) unsafe fn protect(_: NonNull<u8>, _: usize, _: Access) -> Result<(), &'static str> {
    Ok(())
}

/// # Safety
/// `base` and `size` are of [`reserve`], and nobody uses them any more.
pub(super) unsafe fn release(base: NonNull<u8>, size: usize) {
    let layout = layout(size).expect("invariant: it was allocated with this layout");
    // SAFETY: the caller promises that `reserve` made it, with this layout, and that nobody uses it any more.
    unsafe { dealloc(base.as_ptr(), layout) }
}

/// There is none.
#[derive(Debug)]
pub(crate) enum SharedFile {}

impl SharedFile {
    pub(crate) fn create(size: u64, what: &'static str) -> Result<SharedFile, DriverError> {
        Err(out_of_memory(what, in_address_space(size, what)?, REASON))
    }

    pub(crate) fn open(_: OwnedFd, size: u64, what: &'static str) -> Result<SharedFile, DriverError> {
        SharedFile::create(size, what)
    }

    pub(crate) fn existing(_: OwnedFd) -> Result<SharedFile, DriverError> {
        SharedFile::create(1, "a file as a heap")
    }

    pub(crate) const fn size(&self) -> usize {
        match *self {}
    }

    pub(crate) fn duplicate(&self) -> Result<OwnedFd, DriverError> {
        match *self {}
    }
}
