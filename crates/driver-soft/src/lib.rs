//! The software driver: heaps whose bytes are memory of this machine, and surfaces that the adapter
//! profile sizes.
//!
//! ```text
//!   SoftDriverFactory --open--> SoftDriver = ProfileSizer (how large, how aligned: pure)
//!                                   |      + segments     (where bytes can be)
//!                                   |
//!             by backing and flags  |                                     syscalls to create it
//!               Phantom  -----------+--> PhantomHeap   no bytes           none
//!               Host     -----------+--> SegmentHeap   pages of a segment none
//!                 scattered --------+--> OwnHeap       its own mapping    none (one when touched)
//!               Shared, or SHARED --+--> SharedHeap    a memory file      four
//! ```
//! Devices and their queues run what command lists became:
//!
//! ```text
//!   SoftDevice (device)  page directory: addresses -> heaps, and reserved resources -> tables of tiles
//!       '-- SoftQueue (queue)   decodes DMA buffers, checks operands, looks addresses up, counts time
//!              |
//!            transfer -> grid, pieces   boxes of rows and swizzled blocks, in one run of memory or in tiles
//!              |
//!            bytes                      views of memory, copies, the swizzle engine's calls
//! ```
//! A heap lies where the kernel placed it: its bytes are those of the segment's reservation at the
//! heap's physical offset. So creating one does nothing but remember the offset, and the memory that
//! the process has is that of the heaps it touched.
//!
//! What holds:
//! - **New heaps read as zero**, with CREATE_NOT_ZEROED too: pages go back to the system with the heap
//!   that touched them, and the system's new pages are zero at no cost that the flag could save. Runs are
//!   the same whatever ran before.
//! - **What the caller owes**: a heap is destroyed here before its [`Allocation`] is freed in the kernel.
//!   The other way round, a new heap could be placed and written in the range whose pages the old one is
//!   about to return.
//! - **Safe code cannot reach undefined behaviour**, even where heaps overlap by a mistake of the
//!   caller's: bytes are copied one by one as atomics are, within bounds that are checked, and no Rust
//!   reference to them exists.
//! - **A stream may be anything**: an engine runs it or says what is wrong with it (`EngineFault`), and a command
//!   that faults has done nothing.
//! - **No lock is held while bytes move**, but that of a table of tiles against its own changes.
//! - All `unsafe` is in `bytes`.
//!
//! It runs on Linux: memory files with a sealed size and pages that are given back one by one are that
//! system's.
//!
//! [`Allocation`]: heapstone_kernel::Allocation
#![deny(unsafe_code)]

#[cfg(not(target_os = "linux"))]
compile_error!(
    "heapstone-driver-soft keeps bytes with Linux's memfd_create, file seals and MADV_DONTNEED, and has no \
     other way yet: build for a Linux target"
);

#[cfg(target_os = "linux")]
mod boxes;
#[cfg(target_os = "linux")]
mod bytes;
#[cfg(target_os = "linux")]
mod device;
#[cfg(target_os = "linux")]
mod driver;
#[cfg(target_os = "linux")]
mod grid;
#[cfg(target_os = "linux")]
mod heap;
#[cfg(target_os = "linux")]
mod host;
#[cfg(target_os = "linux")]
mod paged;
#[cfg(target_os = "linux")]
mod paging;
#[cfg(target_os = "linux")]
mod physical;
#[cfg(target_os = "linux")]
mod pieces;
#[cfg(target_os = "linux")]
mod queue;
#[cfg(target_os = "linux")]
mod shared;
#[cfg(target_os = "linux")]
mod transfer;

#[cfg(target_os = "linux")]
pub use bytes::ExistingMemory;
#[cfg(target_os = "linux")]
pub use driver::{PagingBytes, SoftDriver, SoftDriverFactory, SoftDriverOptions};
