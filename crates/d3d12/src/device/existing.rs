//! Heaps of memory that the client has already: ID3D12Device3 and 13.

use core::ffi::c_void;
use core::ptr::NonNull;
use std::os::fd::AsFd;

use heapstone::spec::limits::DEFAULT_RESOURCE_ALIGNMENT;
use heapstone_driver_soft::ExistingMemory;

use super::Device;
use crate::com::{Object, deliver};
use crate::failure::Failure;
use crate::heap::Heap;
use crate::sharing;
use crate::types::{E_FAIL, GUID, HRESULT};

/// OpenExistingHeapFromAddress, and, with a size, FromAddress1. Without a size the heap has what is mapped from the address on:
/// to the end of the mapping, in whole 64 KiB (chosen: natively it is the allocation at the address, and Linux knows of
/// mappings alone).
///
/// # Safety
/// The memory at the address stays mapped until the heap is gone.
pub(super) unsafe fn from_address(
    this: &Object<Device>,
    address: *const c_void,
    size: Option<usize>,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let open = || {
        let start =
            NonNull::new(address.cast_mut().cast::<u8>()).ok_or(Failure::Argument("pAddress is NULL"))?;
        let page = usize::try_from(DEFAULT_RESOURCE_ALIGNMENT).expect("invariant: 64 KiB");
        if !start.addr().get().is_multiple_of(page) {
            return Err(Failure::Argument("pAddress is no multiple of 65536"));
        }
        let maps = std::fs::read_to_string("/proc/self/maps").map_err(|_| E_FAIL)?;
        let mapped = mapped_from(&maps, start.addr().get());
        let size = match size {
            Some(size) if size <= mapped.in_all => size,
            Some(_) => return Err(Failure::Argument("Size is beyond what is mapped to be read and written")),
            None => mapped.in_first - mapped.in_first % page,
        };
        // SAFETY: the caller's promise; that it is mapped, to be read and written, was just seen.
        let memory = unsafe { ExistingMemory::at(start, size) };
        let bytes = u64::try_from(size).expect("invariant: a usize has at most 64 bits");
        Ok(Heap::create(this, this.runtime.open_existing_heap(bytes, Box::new(memory))?))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(open)) }
}

/// OpenExistingHeapFromFileMapping. A file mapping is, as a shared handle is, a file in memory (`memfd_create`), cast to a
/// pointer; it stays the client's. All of it is the heap, and it can shrink no more.
///
/// # Safety
/// The arguments are the client's.
pub(super) unsafe fn from_file_mapping(
    this: &Object<Device>,
    handle: *mut c_void,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let open = || {
        // SAFETY: only duplicated, which fails where it is not open.
        let file = unsafe { sharing::from_handle(handle) }?;
        let file = file.as_fd().try_clone_to_owned().map_err(|_| E_FAIL)?;
        let memory = ExistingMemory::of_file(file)
            .map_err(|_| Failure::Argument("hFileMapping is no file in memory whose size can be sealed"))?;
        let bytes = u64::try_from(memory.size()).expect("invariant: a usize has at most 64 bits");
        Ok(Heap::create(this, this.runtime.open_existing_heap(bytes, Box::new(memory))?))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(open)) }
}

/// Bytes that are mapped, to be read and written, from an address on.
#[derive(Debug, PartialEq, Eq)]
struct Mapped {
    /// To the end of the mapping that the address is in.
    in_first: usize,
    /// To the first byte that is in none.
    in_all: usize,
}

/// Of the lines of /proc/self/maps, "begin-end rwxp ...", in the order of their addresses.
fn mapped_from(maps: &str, address: usize) -> Mapped {
    let mut mapped = Mapped { in_first: 0, in_all: 0 };
    let mut end = address;
    for line in maps.lines() {
        let mut words = line.split_ascii_whitespace();
        let (Some(range), Some(access)) = (words.next(), words.next()) else { continue };
        let Some((begin, past)) = range.split_once('-') else { continue };
        let (Ok(begin), Ok(past)) = (usize::from_str_radix(begin, 16), usize::from_str_radix(past, 16))
        else {
            continue;
        };
        if !(begin..past).contains(&end) || !access.starts_with("rw") {
            continue;
        }
        end = past;
        mapped.in_all = past - address;
        if mapped.in_first == 0 {
            mapped.in_first = mapped.in_all;
        }
    }
    mapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_are_followed_while_they_touch_and_are_written() {
        let maps = "10000-20000 r--p 0 00:00 0\n20000-40000 rw-p 0 00:00 0 \n40000-50000 rw-s 0 00:00 0 /memfd:x\n\
                    50000-60000 r--p 0 00:00 0\n70000-80000 rw-p 0 00:00 0 [heap]\nrubbish\n";
        let of = |address| mapped_from(maps, address);
        assert_eq!(of(0x20000), Mapped { in_first: 0x20000, in_all: 0x30000 });
        assert_eq!(of(0x30000), Mapped { in_first: 0x10000, in_all: 0x20000 });
        assert_eq!(of(0x40000), Mapped { in_first: 0x10000, in_all: 0x10000 });
        assert_eq!(of(0x7f000), Mapped { in_first: 0x1000, in_all: 0x1000 });
        for none in [0x10000, 0x50000, 0x60000, 0x80000] {
            assert_eq!(of(none), Mapped { in_first: 0, in_all: 0 });
        }
    }
}
