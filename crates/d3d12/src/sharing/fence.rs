//! Fences that processes share: a value in memory that all of them map, and threads that wait for it to change.
//!
//! ```text
//!   this process                                   the page (all processes)              another process
//!   its own fence, signalled -----mirror---------> value, then count + 1, wake --------> watcher: its own fence
//!   its own fence <--follow------ watcher <------- futex on count <--------------------- mirror
//! ```
//! Each process has a fence of its own for its queues and events. The page is its mirror: told of each signal, by the CPU or
//! a queue, before the fence has the value; a watcher brings the fence to what others wrote. Both happen under the lock of
//! the fence's device, so that this process's fence has the page's values in the page's order, and never goes back to one that
//! is over. The page is one number: a process that dies in the middle of anything leaves the value before or after. What
//! comes and goes between two looks of a watcher is not seen by it (chosen: values that go back are rare, and a list of all
//! values would need a lock that a process can die with).

use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use heapstone::SHARED_DESCRIPTION_SIZE;
use heapstone::spec::commands::FenceFlags;
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, fstat, ftruncate, memfd_create};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use rustix::thread::futex;

use super::description::Description;
use crate::device::Device;
use crate::failure::Failure;
use crate::types::E_OUTOFMEMORY;

/// Bytes of the page: the description, of which the last words are the value and the count of its changes.
const SIZE: usize = 4096;
/// Where value and count stand, in bytes; no description reaches that far.
const VALUE: usize = 4000;
const COUNT: usize = 4008;
const _: () = assert!(SIZE as u64 == SHARED_DESCRIPTION_SIZE && VALUE.is_multiple_of(8));

/// What a fence has that was shared or opened.
pub struct SharedFence {
    file: OwnedFd,
    page: Arc<Page>,
    is_over: Arc<AtomicBool>,
    watcher: Option<JoinHandle<()>>,
}

/// The mapped page.
struct Page(NonNull<u8>);

// SAFETY: it is read and written as atomic words only.
unsafe impl Send for Page {}
// SAFETY: as above.
unsafe impl Sync for Page {}

impl Page {
    fn map(file: &OwnedFd) -> Result<Page, Failure> {
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at an address of the system's choice touches no other memory; the file's size is sealed,
        // so that no page of the mapping goes.
        let base = unsafe { mmap(ptr::null_mut(), SIZE, protection, MapFlags::SHARED, file, 0) };
        let base = base.map_err(|_| E_OUTOFMEMORY)?;
        Ok(Page(NonNull::new(base.cast()).expect("invariant: the system maps nothing at address 0 unasked")))
    }

    fn value(&self) -> &AtomicU64 {
        // SAFETY: inside the page, aligned, and written as an atomic word by everybody.
        unsafe { &*self.0.as_ptr().add(VALUE).cast() }
    }

    fn count(&self) -> &AtomicU32 {
        // SAFETY: as above.
        unsafe { &*self.0.as_ptr().add(COUNT).cast() }
    }

    /// Sets the value, and wakes the watchers of every process.
    fn publish(&self, value: u64) {
        self.value().store(value, Ordering::SeqCst);
        self.count().fetch_add(1, Ordering::SeqCst);
        self.wake();
    }

    fn wake(&self) {
        // Without PRIVATE: other processes wait too. It fails where nobody can wait.
        let _ = futex::wake(self.count(), futex::Flags::empty(), u32::MAX >> 1);
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: the whole mapping, and nobody uses it any more.
        let _ = unsafe { munmap(self.0.as_ptr().cast(), SIZE) };
    }
}

impl SharedFence {
    /// Makes a fence one that can be shared, with the value that it has.
    ///
    /// # Errors
    /// Where the system gives no memory or thread.
    pub(crate) fn share(
        device: &Device,
        fence: &heapstone::Fence,
        flags: FenceFlags,
    ) -> Result<SharedFence, Failure> {
        let make = || {
            let file = memfd_create("heapstone fence", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
            ftruncate(&file, SHARED_DESCRIPTION_SIZE)?;
            fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
            Ok(file)
        };
        let file = make().map_err(|_: rustix::io::Errno| E_OUTOFMEMORY)?;
        Description::of_fence(flags, device.runtime.profile()).write(file.as_fd())?;
        let page = Page::map(&file)?;
        SharedFence::watch(fence, file, page, Page::publish)
    }

    /// The fence of another process, whose description was read: a fence of this one with its value.
    ///
    /// # Errors
    /// A file of another size; where the system gives no memory or thread.
    pub(crate) fn open(
        device: &Device,
        flags: FenceFlags,
        file: OwnedFd,
    ) -> Result<(heapstone::Fence, SharedFence), Failure> {
        let size = fstat(&file).map_err(|_| E_OUTOFMEMORY)?.st_size;
        if u64::try_from(size) != Ok(SHARED_DESCRIPTION_SIZE) {
            return Err(Failure::Argument("NTHandle: a fence's file has one page"));
        }
        let page = Page::map(&file)?;
        let fence = device.runtime.create_fence(page.value().load(Ordering::SeqCst), flags)?;
        let shared = SharedFence::watch(&fence, file, page, |_, _| {})?;
        Ok((fence, shared))
    }

    /// `begin`: what becomes of the value that the fence has.
    fn watch(
        fence: &heapstone::Fence,
        file: OwnedFd,
        page: Page,
        begin: fn(&Page, u64),
    ) -> Result<SharedFence, Failure> {
        let (page, is_over) = (Arc::new(page), Arc::new(AtomicBool::new(false)));
        let mirror = Arc::clone(&page);
        fence.mirror(|value| begin(&page, value), move |value| mirror.publish(value));
        let (watched, its_page, over) = (fence.clone(), Arc::clone(&page), Arc::clone(&is_over));
        let watcher = thread::Builder::new()
            .name("heapstone fence".to_owned())
            .spawn(move || watch(&watched, &its_page, &over))
            .map_err(|_| E_OUTOFMEMORY)?;
        Ok(SharedFence { file, page, is_over, watcher: Some(watcher) })
    }

    /// Another handle.
    ///
    /// # Errors
    /// The process has no more.
    pub(crate) fn handle(&self) -> Result<OwnedFd, Failure> {
        self.file.try_clone().map_err(|_| E_OUTOFMEMORY.into())
    }

    /// The value that all processes see.
    #[must_use]
    pub fn value(&self) -> u64 {
        self.page.value().load(Ordering::SeqCst)
    }
}

impl Drop for SharedFence {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        self.page.count().fetch_add(1, Ordering::SeqCst);
        self.page.wake();
        if let Some(watcher) =
            self.watcher.take().filter(|watcher| watcher.thread().id() != thread::current().id())
        {
            let _ = watcher.join();
        }
    }
}

/// Brings `fence` to the page's value until it is over.
fn watch(fence: &heapstone::Fence, page: &Page, is_over: &AtomicBool) {
    loop {
        // Before the value: a change after it is seen, as the count is another one then.
        let count = page.count().load(Ordering::SeqCst);
        if is_over.load(Ordering::SeqCst) {
            return;
        }
        if fence.follow(|| page.value().load(Ordering::SeqCst)).is_err() {
            // The device is removed: its fences change no more.
            return;
        }
        // An error is a change that came first, or a signal; the loop looks again.
        let _ = futex::wait(page.count(), futex::Flags::empty(), count, None);
    }
}
