//! Events of clients: by convention an event HANDLE is an `eventfd` cast to a pointer (facts/abi.md, winadapter).

use core::ffi::c_void;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::path::Path;

use heapstone::Event;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::failure::Failure;
use crate::types::E_HANDLE;

/// The event behind a HANDLE that is not NULL. Its file descriptor is duplicated: the client may close its own
/// before the event is set.
///
/// # Errors
/// E_HANDLE where the number is no open file descriptor, or that of another file: to write to a pipe whose reader is gone ends
/// the process, and to write to any other file changes it.
pub fn from_handle(handle: *mut c_void) -> Result<Event, Failure> {
    let descriptor = i32::try_from(handle as usize).map_err(|_| Failure::Code(E_HANDLE))?;
    // SAFETY: only borrowed to be duplicated, which the kernel refuses of a number that is not open.
    let borrowed = unsafe { BorrowedFd::borrow_raw(descriptor) };
    let owned = rustix::io::fcntl_dupfd_cloexec(borrowed, 3).map_err(|_| Failure::Code(E_HANDLE))?;
    let kind = std::fs::read_link(format!("/proc/self/fd/{}", owned.as_raw_fd()));
    // Where there is no /proc nothing can be told, and the client is believed.
    if kind.is_ok_and(|kind| kind != Path::new("anon_inode:[eventfd]")) {
        return Err(Failure::Code(E_HANDLE));
    }
    Ok(Event::forwarding(move || {
        // One whose count is full is set; to write to it would wait for a reader.
        let mut ready = [PollFd::new(&owned, PollFlags::OUT)];
        if poll(&mut ready, Some(&Timespec::default())).is_ok_and(|count| count == 1) {
            let _ = rustix::io::write(owned.as_fd(), &1_u64.to_ne_bytes());
        }
    }))
}
