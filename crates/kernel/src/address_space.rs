//! GPU virtual address spaces: one for each process, with the adapter's limit in bits.
//!
//! ```text
//!   0 ........ 64 KiB ............................................ 2^bits
//!   | never     | heaps, reserved resources, resources with their    | beyond the limit
//!   | handed out| own addresses                                      |
//! ```
//! The first 64 KiB are never handed out (chosen: so that 0 is no address, and a small offset from 0
//! faults instead of reaching an object).

use std::sync::OnceLock;

use heapstone_units::{Alignment, ByteRange, GpuVirtualAddress, KIB};

use crate::config::PageSize;
use crate::error::{AddressObstacle, AddressUnavailable, OutOfVirtualAddress, ReserveAddressError, Shortage};
use crate::home::Home;
use crate::range_allocator::{Owner, RangeView};
use crate::set_aside::SetAside;
use crate::sharded::{Blocks, Request, ShardedSpace};
use crate::statistics::RangeStatistics;

/// The first address that a process can get, in bytes.
pub const GPU_VA_BEGIN: GpuVirtualAddress = GpuVirtualAddress(64 * KIB);

/// A range of a process's GPU virtual addresses. It stays taken until the process releases it.
#[derive(Debug)]
#[must_use = "an address range that is dropped stays taken until its process ends"]
pub struct VirtualRange {
    pub(crate) owner: Owner,
    pub(crate) size: u64,
    pub(crate) blocks: Blocks,
}

impl VirtualRange {
    /// The first address.
    #[must_use]
    pub fn address(&self) -> GpuVirtualAddress {
        GpuVirtualAddress(self.blocks.begin())
    }

    /// Its bytes: what was asked, rounded up to pages.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }
}

#[derive(Debug)]
pub(crate) struct AddressSpace {
    space: ShardedSpace,
    limit_bits: u32,
    /// What is kept for objects at given addresses.
    set_aside: OnceLock<SetAside>,
}

impl AddressSpace {
    /// `limit_bits` is validated by the configuration.
    pub(crate) fn new(limit_bits: u32) -> AddressSpace {
        let space = ShardedSpace::new(ByteRange::new(GPU_VA_BEGIN.0, 1 << limit_bits));
        AddressSpace { space, limit_bits, set_aside: OnceLock::new() }
    }

    /// Keeps ranges for objects at given addresses, in whole pages of 4 KiB: before anything is taken, and once.
    #[cold]
    pub(crate) fn set_aside(
        &self,
        ranges: &[ByteRange],
        owner: Owner,
    ) -> Result<(), Box<AddressUnavailable>> {
        let page = PageSize::FourKib.alignment();
        let space = self.space.range();
        let unavailable = |range: &ByteRange, obstacle| {
            let (address, size) = (GpuVirtualAddress(range.begin), range.end.saturating_sub(range.begin));
            Box::new(AddressUnavailable { address, size, obstacle })
        };
        let whole_pages = |range: &ByteRange| {
            let end = page.align_up(range.end);
            end.map(|end| ByteRange::new(page.align_down(range.begin), end))
                .filter(|range| space.contains(*range))
                .ok_or_else(|| unavailable(range, AddressObstacle::OutsideSpace { space }))
        };
        let pages = ranges.iter().map(whole_pages).collect::<Result<Vec<_>, _>>()?;
        let taken_by = |in_the_way: Option<RangeView>| {
            let by = in_the_way.map_or(space, |view| ByteRange::new(view.offset, view.offset + view.size));
            unavailable(&by, AddressObstacle::Taken { by })
        };
        let set_aside = SetAside::new(&self.space, &pages, owner).map_err(taken_by)?;
        assert!(self.set_aside.set(set_aside).is_ok(), "bug: addresses are set aside once");
        Ok(())
    }

    /// Takes `size` bytes, which are a multiple of a page and not 0.
    #[inline]
    pub(crate) fn take(&self, home: Home, size: u64, alignment: Alignment, owner: Owner) -> Option<Blocks> {
        self.space.allocate(home, &Request { size, alignment, owner, scatter: None })
    }

    /// Takes `size` bytes, which are a multiple of a page and not 0, at `address`.
    #[cold]
    pub(crate) fn take_at(
        &self,
        address: GpuVirtualAddress,
        size: u64,
        alignment: Alignment,
        owner: Owner,
    ) -> Result<Blocks, Box<AddressUnavailable>> {
        let unavailable = |obstacle| Box::new(AddressUnavailable { address, size, obstacle });
        if !alignment.is_aligned(address.0) {
            return Err(unavailable(AddressObstacle::Misaligned { alignment }));
        }
        let space = self.space.range();
        let range = ByteRange::at(address.0, size)
            .filter(|range| space.contains(*range))
            .ok_or_else(|| unavailable(AddressObstacle::OutsideSpace { space }))?;
        let taken = match self.set_aside.get() {
            Some(set_aside) => set_aside.take_at(&self.space, range),
            None => self.space.allocate_at(range, owner),
        };
        taken.map_err(|in_the_way| {
            let by = in_the_way.map_or(range, |view| ByteRange::new(view.offset, view.offset + view.size));
            unavailable(AddressObstacle::Taken { by })
        })
    }

    /// As [`AddressSpace::reserve`], at `address`.
    #[cold]
    pub(crate) fn reserve_at(
        &self,
        address: GpuVirtualAddress,
        size: u64,
        alignment: Alignment,
        owner: Owner,
    ) -> Result<VirtualRange, ReserveAddressError> {
        if size == 0 {
            return Err(ReserveAddressError::SizeIsZero);
        }
        let page = PageSize::FourKib.alignment();
        // A size that cannot be rounded up lies outside the space all the same.
        let size = page.align_up(size).unwrap_or(size);
        let blocks = self.take_at(address, size, alignment.max(page), owner)?;
        Ok(VirtualRange { owner, size, blocks })
    }

    /// Takes `size` bytes rounded up to pages of 4 KiB.
    pub(crate) fn reserve(
        &self,
        home: Home,
        size: u64,
        alignment: Alignment,
        owner: Owner,
    ) -> Result<VirtualRange, ReserveAddressError> {
        if size == 0 {
            return Err(ReserveAddressError::SizeIsZero);
        }
        let page = PageSize::FourKib.alignment();
        let alignment = alignment.max(page);
        page.align_up(size)
            .and_then(|size| {
                let blocks = self.take(home, size, alignment, owner)?;
                Some(VirtualRange { owner, size, blocks })
            })
            .ok_or_else(|| self.shortage(size, alignment, false).into())
    }

    #[inline]
    pub(crate) fn release(&self, blocks: Blocks) {
        match self.set_aside.get() {
            None => self.space.free(blocks),
            Some(set_aside) => {
                if let Some(blocks) = set_aside.release(&self.space, blocks) {
                    self.space.free(blocks);
                }
            }
        }
    }

    /// The error for a request that found no place, or that was made to fail.
    #[cold]
    pub(crate) fn shortage(
        &self,
        requested: u64,
        alignment: Alignment,
        injected: bool,
    ) -> Box<OutOfVirtualAddress> {
        let RangeStatistics { free, largest_free_range, capacity, .. } = self.space.statistics();
        Box::new(OutOfVirtualAddress {
            requested,
            alignment,
            shortage: shortage(requested, free, capacity, injected),
            free,
            largest_free_range,
            capacity,
            limit_bits: self.limit_bits,
        })
    }

    pub(crate) const fn limit_bits(&self) -> u32 {
        self.limit_bits
    }

    pub(crate) fn statistics(&self) -> RangeStatistics {
        self.space.statistics()
    }

    pub(crate) fn ranges(&self) -> Vec<RangeView> {
        self.space.ranges()
    }
}

/// Which kind of shortage a space of `capacity` bytes with `free` of them has for a request.
pub(crate) const fn shortage(requested: u64, free: u64, capacity: u64, injected: bool) -> Shortage {
    if injected {
        Shortage::Injected
    } else if requested > capacity {
        Shortage::ExceedsCapacity
    } else if requested > free {
        Shortage::Exhausted
    } else {
        Shortage::Fragmented
    }
}
