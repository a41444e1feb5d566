//! Memory from the system, by mmap and memfd_create.

use core::ptr::{self, NonNull};
use std::os::fd::OwnedFd;

use heapstone_driver::{DriverError, SHARED_DESCRIPTION_SIZE};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, fcntl_get_seals, fstat, ftruncate, memfd_create};
use rustix::io::Errno;
use rustix::mm::{
    Advice, MapFlags, MprotectFlags, ProtFlags, madvise, mmap, mmap_anonymous, mprotect, munmap,
};

use super::{Access, in_address_space, out_of_memory};

/// Bytes in a page of this machine.
pub(crate) fn page_size() -> usize {
    rustix::param::page_size()
}

/// Not counted against the system's commit limit: a reservation is as large as the adapter's memory,
/// which the machine need not have.
pub(super) fn reserve(size: usize, access: Access) -> Result<NonNull<u8>, Errno> {
    let protection = match access {
        Access::Open => ProtFlags::READ | ProtFlags::WRITE,
        Access::Closed => ProtFlags::empty(),
    };
    // SAFETY: a new mapping at an address of the system's choice touches no other memory.
    let base = unsafe {
        mmap_anonymous(ptr::null_mut(), size, protection, MapFlags::PRIVATE | MapFlags::NORESERVE)
    }?;
    Ok(NonNull::new(base.cast()).expect("invariant: the system maps nothing at address 0 unasked"))
}

pub(super) fn map_file(file: &SharedFile) -> Result<NonNull<u8>, Errno> {
    let protection = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a new mapping at an address of the system's choice touches no other memory. The file's size
    // is sealed, so no page of the mapping can lose what it maps.
    let base = unsafe {
        mmap(ptr::null_mut(), file.size, protection, MapFlags::SHARED | MapFlags::NORESERVE, &file.fd, 0)
    }?;
    Ok(NonNull::new(base.cast()).expect("invariant: the system maps nothing at address 0 unasked"))
}

/// Takes the pages' bytes away; they read as zero afterwards, which only pages of no file do.
///
/// # Safety
/// `size` bytes at `begin` are whole pages of a mapping of no file ([`reserve`]) that the caller may change.
pub(super) unsafe fn discard(begin: NonNull<u8>, size: usize) -> Result<(), Errno> {
    // SAFETY: the caller promises that the pages are its own to change, and of no file.
    unsafe { madvise(begin.as_ptr().cast(), size, Advice::LinuxDontNeed) }
}

/// # Safety
/// `size` bytes at `begin` are whole pages of a mapping that the caller may change.
pub(super) unsafe fn protect(begin: NonNull<u8>, size: usize, access: Access) -> Result<(), Errno> {
    let protection = match access {
        Access::Open => MprotectFlags::READ | MprotectFlags::WRITE,
        Access::Closed => MprotectFlags::empty(),
    };
    // SAFETY: the caller promises that the pages are its own to change.
    unsafe { mprotect(begin.as_ptr().cast(), size, protection) }
}

/// # Safety
/// `base` and `size` are a whole mapping that nobody uses any more.
pub(super) unsafe fn release(base: NonNull<u8>, size: usize) {
    // SAFETY: the caller promises a whole mapping that nobody uses any more.
    let released = unsafe { munmap(base.as_ptr().cast(), size) };
    debug_assert!(released.is_ok(), "bug: {size} bytes at {base:p} are no mapping: {released:?}");
}

/// A file in memory, of a size that nobody can change any more: a process that has its handle could
/// otherwise cut the pages off under ours.
#[derive(Debug)]
pub(crate) struct SharedFile {
    fd: OwnedFd,
    size: usize,
}

/// Bytes of the file for a heap of `size` bytes: whole pages, and the description behind them.
fn file_length(size: u64, what: &'static str) -> Result<u64, DriverError> {
    let pages = size.checked_next_multiple_of(SHARED_DESCRIPTION_SIZE);
    let length = pages.and_then(|pages| pages.checked_add(SHARED_DESCRIPTION_SIZE));
    let too_large =
        || DriverError::OutOfMemory { what, size, reason: "a file has at most 2^63 bytes".to_owned() };
    length.filter(|length| i64::try_from(*length).is_ok()).ok_or_else(too_large)
}

impl SharedFile {
    /// A file of `size` zero bytes, of which a page is committed when it is first touched.
    ///
    /// # Errors
    /// `OutOfMemory`, for `what`.
    pub(crate) fn create(size: u64, what: &'static str) -> Result<SharedFile, DriverError> {
        let length = file_length(size, what)?;
        let size = in_address_space(size, what)?;
        let create = || {
            let fd = memfd_create("heapstone heap", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
            ftruncate(&fd, length)?;
            fcntl_add_seals(&fd, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
            Ok(SharedFile { fd, size })
        };
        create().map_err(|reason: Errno| out_of_memory(what, size, reason))
    }

    /// A file that [`SharedFile::create`] made for `size` bytes, here or in another process.
    ///
    /// # Errors
    /// `Unsupported` of a file of another size, or one whose size can change: its maker could take pages away under
    /// a copy. `OutOfMemory` for `what`.
    pub(crate) fn open(fd: OwnedFd, size: u64, what: &'static str) -> Result<SharedFile, DriverError> {
        let length = file_length(size, what)?;
        let size = in_address_space(size, what)?;
        let seals = fcntl_get_seals(&fd).unwrap_or_else(|_| SealFlags::empty());
        if !seals.contains(SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL) {
            let what = "opening a shared heap whose file has no sealed size".to_owned();
            return Err(DriverError::Unsupported { what });
        }
        let given = fstat(&fd).map_err(|reason| out_of_memory(what, size, reason))?.st_size;
        if u64::try_from(given) != Ok(length) {
            let what = format!(
                "opening a shared heap of {size} bytes whose file has {given} bytes and not {length}"
            );
            return Err(DriverError::Unsupported { what });
        }
        Ok(SharedFile { fd, size })
    }

    /// A file of the program's own: all of it. That it cannot be cut off any more is sealed here where it is not yet.
    ///
    /// # Errors
    /// `Unsupported` of an empty file, and of one that cannot be sealed: its pages could go away under a copy.
    pub(crate) fn existing(fd: OwnedFd) -> Result<SharedFile, DriverError> {
        let refused = |what: &str| DriverError::Unsupported { what: format!("a heap of {what}") };
        let seals = fcntl_get_seals(&fd).map_err(|_| refused("what is no file in memory"))?;
        if !seals.contains(SealFlags::SHRINK) && fcntl_add_seals(&fd, SealFlags::SHRINK).is_err() {
            return Err(refused("a file whose size can shrink and cannot be sealed"));
        }
        let size = fstat(&fd).ok().and_then(|status| usize::try_from(status.st_size).ok());
        let size = size.filter(|size| *size > 0).ok_or_else(|| refused("a file without bytes"))?;
        Ok(SharedFile { fd, size })
    }

    pub(crate) const fn size(&self) -> usize {
        self.size
    }

    /// Another handle to the file, which the child processes of this one do not inherit.
    ///
    /// # Errors
    /// `OutOfMemory`: the process has no more handles.
    pub(crate) fn duplicate(&self) -> Result<OwnedFd, DriverError> {
        self.fd.try_clone().map_err(|reason| out_of_memory("a handle of a shared heap", self.size, reason))
    }
}
