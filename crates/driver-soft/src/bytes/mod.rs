//! The bytes: the one module of this crate that has `unsafe`.
//!
//! ```text
//!  who owns                          address range of this process               lives as long as
//!  +----------------------------+    +---------------------------------------+
//!  | Reservation::new           |--->| a segment of the profile, from base 0 |   the driver, and every
//!  |  (Arc, in host::Segment    |    |  |heap|      |heap    |  |heap|       |   heap in it (each has
//!  |   and each SegmentHeap)    |    |  ^ base + physical offset             |   the Arc)
//!  +----------------------------+    +---------------------------------------+
//!  | Reservation::new           |--->| one scattered heap                    |   the OwnHeap, from its
//!  |  (in host::OwnHeap)        |    +---------------------------------------+   first touch
//!  +----------------------------+    +---------------------------------------+
//!  | Mapping::of_file           |--->| one shared heap: pages of a file      |   the SharedHeap
//!  |  (in shared::SharedHeap)   |    +-------------------^-------------------+
//!  +----------------------------+                        |
//!  | SharedFile (Arc: the heap, |------------------------'                       the heap and every
//!  |   and the driver's table)  |                                                duplicate of its handle
//!  +----------------------------+
//!  | ExistingMemory             |--->  the program's own pages, or those of      the program, until the
//!  |  (in shared::SharedHeap)   |      a file of its own                         heap is gone
//!  +----------------------------+
//!  A device that shows a heap has `HeapBytes`, which keep the reservation or mapping alive (not the pages: those
//!  go with the heap, which tells the device before).
//!
//!  a page of a reservation:
//!               touch                        touch
//!    closed ------------> open, zero <-----------------.      closed: an access faults. Only where
//!      ^                    |                          |      the driver closes freed pages; else
//!      |                    | first access commits it  |      a freed page stays open and is zero.
//!      |                    v                          |
//!      '--- discard ---- open, committed ---- discard -'
//! ```
//! Nobody owns bytes exclusively: the addresses of a heap are handed to programs, other processes
//! map a shared file, heaps are read and written through `&self`, and engines copy between them. Therefore no
//! `&[u8]` or `&mut [u8]` over mapped bytes is ever made. What knows of them is a [`View`]: an address and a
//! size, checked once; what moves them:
//! - [`copy`], byte by byte as relaxed atomics do, whoever races;
//! - [`swizzled`], by the swizzle engine of `heapstone-layout`, for boxes of swizzled surfaces. What a racing read
//!   sees is unspecified there, byte by byte, and nothing is decided by it: the engine's module says so.
//!
//! What a program owes that has an address (`DriverHeap::map`): the pointer is used within the heap and
//! while the heap lives; and where its accesses race with the heap's `read` and `write` or with an engine, they
//! are atomic ones of single bytes or volatile, as for any memory that a device shares. A program that waits for
//! its fences before it touches what the GPU uses has no such race.
#![allow(unsafe_code)]

mod copy;
mod existing;
mod prefetch;
mod swizzled;
#[cfg(miri)]
#[path = "interpreted.rs"]
mod system;
#[cfg(not(miri))]
mod system;
mod view;

use core::ops::Deref;
use core::ptr::NonNull;

use heapstone_driver::DriverError;

pub use existing::ExistingMemory;
pub(crate) use prefetch::prefetch_words;
pub(crate) use swizzled::{Region, SurfaceBytes, order_copies, read_swizzled, write_swizzled};
pub(crate) use system::{SharedFile, page_size};
pub(crate) use view::{HeapBytes, Rows, Source, View, copy_rows, zero_rows};

/// What the pages of a new mapping are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Read and written.
    Open,
    /// Neither, until [`Reservation::open`].
    Closed,
}

/// A range of addresses of this process, and the bytes at them, until it is dropped.
#[derive(Debug)]
pub(crate) struct Mapping {
    base: NonNull<u8>,
    size: usize,
    owner: Owner,
}

/// Who unmaps a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// It does, when it is dropped.
    Mapping,
    /// The program, whose memory it was before.
    Program,
}

// SAFETY: a mapping belongs to the process and not to a thread.
unsafe impl Send for Mapping {}
// SAFETY: through `&self` bytes are read and written as atomics are; pages are opened, closed and
// discarded by the system, which orders that itself.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// A mapping of the whole of `file`.
    ///
    /// # Errors
    /// `OutOfMemory`, for `what`.
    pub(crate) fn of_file(file: &SharedFile, what: &'static str) -> Result<Mapping, DriverError> {
        let size = file.size();
        system::map_file(file)
            .map(|base| Mapping { base, size, owner: Owner::Mapping })
            .map_err(|reason| out_of_memory(what, size, reason))
    }

    /// Its bytes.
    pub(crate) const fn size(&self) -> usize {
        self.size
    }

    /// The address of the byte at `offset`, at most the mapping's size.
    #[inline]
    pub(crate) fn address(&self, offset: usize) -> NonNull<u8> {
        self.check(offset, 0);
        // SAFETY: `offset` is at most the mapping's size, so the sum is inside it or at its end.
        unsafe { self.base.add(offset) }
    }

    /// Copies bytes out of the mapping. They must be open and in it.
    #[inline]
    pub(crate) fn read(&self, offset: usize, to: &mut [u8]) {
        self.check(offset, to.len());
        // SAFETY: `offset` is inside the mapping.
        let from = unsafe { self.base.as_ptr().add(offset) };
        // SAFETY: `to.len()` bytes at `from` lie in the mapping, which is mapped while `self` lives, and
        // nobody makes references to them.
        unsafe { copy::load(from, to) }
    }

    /// Copies bytes into the mapping. They must be open and in it.
    #[inline]
    pub(crate) fn write(&self, offset: usize, from: &[u8]) {
        self.check(offset, from.len());
        // SAFETY: `offset` is inside the mapping.
        let to = unsafe { self.base.as_ptr().add(offset) };
        // SAFETY: `from.len()` bytes at `to` lie in the mapping, which is mapped while `self` lives, and
        // nobody makes references to them.
        unsafe { copy::store(to, from) }
    }

    fn pages(&self, offset: usize, size: usize) -> NonNull<u8> {
        let in_page = page_size() - 1;
        assert!(
            offset & in_page == 0 && size & in_page == 0,
            "bug: {size} bytes at {offset} are not whole pages of {} bytes",
            page_size()
        );
        self.check(offset, size);
        self.address(offset)
    }

    #[inline]
    fn check(&self, offset: usize, size: usize) {
        assert!(
            offset.checked_add(size).is_some_and(|end| end <= self.size),
            "bug: {size} bytes at {offset} do not lie in a mapping of {} bytes",
            self.size
        );
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        if self.owner == Owner::Program {
            return;
        }
        // SAFETY: the mapping is `self`'s, and no address of it is used once `self` is gone.
        unsafe { system::release(self.base, self.size) }
    }
}

/// A mapping of no file: only its pages can be given back and are zero afterwards.
#[derive(Debug)]
pub(crate) struct Reservation(Mapping);

impl Reservation {
    /// A mapping of `size` bytes, zero, of which a page is committed when it is first touched.
    ///
    /// # Errors
    /// `OutOfMemory`, for `what`.
    pub(crate) fn new(size: u64, access: Access, what: &'static str) -> Result<Reservation, DriverError> {
        let size = in_address_space(size, what)?;
        system::reserve(size, access)
            .map(|base| Reservation(Mapping { base, size, owner: Owner::Mapping }))
            .map_err(|reason| out_of_memory(what, size, reason))
    }

    /// Gives the pages of `size` bytes at `offset` back to the system; open ones are zero afterwards.
    /// Both are multiples of the page size.
    pub(crate) fn discard(&self, offset: usize, size: usize) {
        let begin = self.0.pages(offset, size);
        // SAFETY: the pages lie in the mapping, which is of no file, for a reservation is made by
        // `system::reserve` only. Whoever reads them from now on reads zero, which is no more than a racing
        // write could do.
        if unsafe { system::discard(begin, size) }.is_err() {
            // Pages that are locked in memory cannot be given back; zero they must be all the same.
            // SAFETY: they lie in the mapping, and nobody makes references to them.
            unsafe { copy::zero(begin.as_ptr(), size) }
        }
    }

    /// Lets the pages of `size` bytes at `offset` be read and written.
    ///
    /// # Errors
    /// `OutOfMemory`, for `what`: the system gives the process no more ranges of open pages.
    pub(crate) fn open(&self, offset: usize, size: usize, what: &'static str) -> Result<(), DriverError> {
        let begin = self.0.pages(offset, size);
        // SAFETY: the pages lie in the mapping.
        unsafe { system::protect(begin, size, Access::Open) }
            .map_err(|reason| out_of_memory(what, size, reason))
    }

    /// Lets the pages of `size` bytes at `offset` be neither read nor written, where the system can:
    /// it is a help against stale pointers, and nothing depends on it.
    pub(crate) fn close(&self, offset: usize, size: usize) {
        let begin = self.0.pages(offset, size);
        // SAFETY: the pages lie in the mapping; an access from now on faults, which is defined.
        let _ = unsafe { system::protect(begin, size, Access::Closed) };
    }
}

impl AsRef<Mapping> for Mapping {
    fn as_ref(&self) -> &Mapping {
        self
    }
}

impl AsRef<Mapping> for Reservation {
    fn as_ref(&self) -> &Mapping {
        &self.0
    }
}

impl Deref for Reservation {
    type Target = Mapping;

    #[inline]
    fn deref(&self) -> &Mapping {
        &self.0
    }
}

/// Of a count of bytes, the same as this machine addresses them.
///
/// # Errors
/// `OutOfMemory`, for `what`: no address space has so many.
pub(crate) fn in_address_space(size: u64, what: &'static str) -> Result<usize, DriverError> {
    // Of Rust's objects none exceeds `isize`, and offsets into them are computed as if they were one.
    usize::try_from(size).ok().filter(|size| isize::try_from(*size).is_ok()).ok_or_else(|| {
        DriverError::OutOfMemory {
            what,
            size,
            reason: format!("an address space of this machine has at most {} bytes", isize::MAX),
        }
    })
}

fn out_of_memory(what: &'static str, size: usize, reason: impl ToString) -> DriverError {
    DriverError::OutOfMemory {
        what,
        size: u64::try_from(size).expect("invariant: a usize has at most 64 bits"),
        reason: reason.to_string(),
    }
}

#[cfg(test)]
mod tests;
