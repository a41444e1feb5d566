//! Memory that a program has already, as the bytes of a heap.

use core::ptr::NonNull;
use std::os::fd::OwnedFd;

use heapstone_driver::DriverError;

use super::{Mapping, Owner, SharedFile};

/// What [`Driver::open_existing_heap`](heapstone_driver::Driver::open_existing_heap) of this driver takes.
#[derive(Debug)]
pub struct ExistingMemory(Mapping);

impl ExistingMemory {
    /// `size` bytes at `address`. They stay the program's.
    ///
    /// # Safety
    /// The bytes are mapped, to be read and written, until the heap that is opened from this is gone, and all work of the
    /// GPU with it; the program uses them as a heap's that it has mapped: see this module.
    #[must_use]
    pub unsafe fn at(address: NonNull<u8>, size: usize) -> ExistingMemory {
        ExistingMemory(Mapping { base: address, size, owner: Owner::Program })
    }

    /// The whole of a file in memory. It may no more lose bytes from now on.
    ///
    /// # Errors
    /// [`DriverError::Unsupported`] of a file that may be cut off, or that has no bytes; [`DriverError::OutOfMemory`].
    pub fn of_file(file: OwnedFd) -> Result<ExistingMemory, DriverError> {
        let file = SharedFile::existing(file)?;
        Ok(ExistingMemory(Mapping::of_file(&file, "a file as a heap")?))
    }

    /// How many bytes there are.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.size()
    }

    pub(crate) fn into_mapping(self) -> Mapping {
        self.0
    }
}
