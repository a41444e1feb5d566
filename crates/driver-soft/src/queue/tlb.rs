//! What an engine knows of addresses while it runs: each allocation of a list is looked up once.

use std::collections::btree_map::Entry;
use std::sync::Arc;

use heapstone_driver::dma::{BoxCopy, DmaAllocation};
use heapstone_driver::engine::PageFaultReason;
use heapstone_units::GpuVirtualAddress;

use crate::bytes::{SurfaceBytes, order_copies};
use crate::device::{DeviceShared, HeapId, HeapMemory, HeldHeaps, Region, ReservedRegion};

/// Where an allocation of the list lies.
#[derive(Debug)]
pub(super) enum Slot {
    /// Nowhere.
    Unmapped,
    /// In a heap that is evicted.
    Evicted,
    /// In a heap.
    Heap {
        memory: Arc<HeapMemory>,
        /// Of the allocation's first byte, from the heap's.
        offset: u64,
    },
    /// In a reserved resource.
    Reserved {
        region: Arc<ReservedRegion>,
        /// Of the allocation's first byte, from the resource's.
        offset: u64,
    },
}

/// A surface that copies were made with: one sample, swizzled, in a heap.
#[derive(Debug)]
pub(super) struct KnownSurface {
    pub(super) allocation: u32,
    pub(super) subresource: u32,
    pub(super) base: GpuVirtualAddress,
    pub(super) element_bytes_log2: u8,
    pub(super) bytes: SurfaceBytes,
    /// Of the heap.
    pub(super) segment: usize,
}

impl KnownSurface {
    /// Whether the copy is one with this surface, as elements of its size.
    #[inline(always)]
    fn is_of(&self, copy: &BoxCopy) -> bool {
        (self.allocation, self.subresource, self.base, self.element_bytes_log2)
            == (copy.allocation, copy.subresource, copy.base, copy.element_bytes_log2)
    }
}

/// How many surfaces are remembered (chosen: a list of small copies goes through few textures at a time).
const SURFACES: usize = 8;

/// What is known; nothing, and no heap is held, between two executions.
#[derive(Debug, Default)]
pub(super) struct Tlb {
    /// By index of the allocation list.
    slots: Vec<Option<Slot>>,
    /// Those of them that are there.
    known: Vec<usize>,
    heaps: HeldHeaps,
    /// At the sum of allocation and subresource, modulo their number.
    surfaces: [Option<KnownSurface>; SURFACES],
    knows_surfaces: bool,
}

impl Tlb {
    /// Makes room for a list of `count` allocations.
    pub(super) fn begin(&mut self, count: usize) {
        if self.slots.len() < count {
            self.slots.resize_with(count, || None);
        }
    }

    /// Orders what copies into known surfaces wrote before what the engine writes from now on, which may tell
    /// others of it.
    #[inline]
    pub(super) fn order_copies(&self) {
        if self.knows_surfaces {
            order_copies();
        }
    }

    /// Forgets everything; all that was copied can be seen by whoever sees what happens next.
    pub(super) fn end(&mut self) {
        self.order_copies();
        for index in self.known.drain(..) {
            self.slots[index] = None;
        }
        self.heaps.clear();
        if core::mem::take(&mut self.knows_surfaces) {
            self.surfaces = [const { None }; SURFACES];
        }
    }

    /// Whether the surface of the copy was learned, and its rows, which the allocation `rows` has, were looked up.
    #[inline(always)]
    pub(super) fn knows_box(&self, copy: &BoxCopy, rows: usize) -> bool {
        let known = self.surfaces[place_of(copy.allocation, copy.subresource)].as_ref();
        known.is_some_and(|known| known.is_of(copy)) && matches!(self.slots.get(rows), Some(Some(_)))
    }

    /// Those; of a copy of which [`Tlb::knows_box`] holds.
    #[inline(always)]
    pub(super) fn box_sides(&mut self, copy: &BoxCopy, rows: usize) -> Option<(&mut KnownSurface, &Slot)> {
        let known = self.surfaces[place_of(copy.allocation, copy.subresource)].as_mut()?;
        Some((known, self.slots.get(rows)?.as_ref()?))
    }

    /// Remembers a surface, in place of another.
    pub(super) fn learn(&mut self, surface: KnownSurface) {
        self.knows_surfaces = true;
        let place = place_of(surface.allocation, surface.subresource);
        self.surfaces[place] = Some(surface);
    }

    /// Says where the allocation `index`, below the count, lies, in place of what was known.
    pub(super) fn bind(&mut self, index: usize, slot: Slot) {
        if self.slots[index].replace(slot).is_none() {
            self.known.push(index);
        }
        if core::mem::take(&mut self.knows_surfaces) {
            self.surfaces = [const { None }; SURFACES];
        }
    }

    /// Where the allocation `index`, below the count, lies.
    #[inline(always)]
    pub(super) fn look_up(
        &mut self,
        index: usize,
        allocation: &DmaAllocation,
        device: &DeviceShared,
    ) -> &Slot {
        if self.slots[index].is_none() {
            self.slots[index] = Some(find(allocation.address, device));
            self.known.push(index);
        }
        self.slot(index)
    }

    /// As [`Tlb::look_up`] answered.
    #[inline]
    pub(super) fn slot(&self, index: usize) -> &Slot {
        self.slots[index].as_ref().unwrap_or(&Slot::Unmapped)
    }

    /// Holds the heap of that number, for a tile that shows it; why not, where it is gone or evicted.
    pub(super) fn hold(&mut self, id: HeapId, device: &DeviceShared) -> Result<&HeapMemory, PageFaultReason> {
        match self.heaps.entry(id) {
            Entry::Occupied(held) => Ok(&**held.into_mut()),
            Entry::Vacant(place) => {
                let region = device.directory.read().heap(id).ok_or(PageFaultReason::HeapDestroyed)?;
                if region.is_evicted() {
                    return Err(PageFaultReason::HeapEvicted);
                }
                Ok(&**place.insert(region.hold()?))
            }
        }
    }

    /// The heaps that are held because tiles show them.
    pub(super) const fn heaps(&self) -> &HeldHeaps {
        &self.heaps
    }
}

#[inline(always)]
fn place_of(allocation: u32, subresource: u32) -> usize {
    usize::try_from(allocation.wrapping_add(subresource)).unwrap_or(0) % SURFACES
}

/// What an address shows.
#[cold]
pub(super) fn find(address: GpuVirtualAddress, device: &DeviceShared) -> Slot {
    // Bound first: the directory is free again when the region is looked at.
    let region = device.directory.read().find(address);
    let found = match region {
        Some(Region::Heap(region)) => match region.hold() {
            Ok(memory) => {
                let offset = address.checked_offset_from(region.address());
                offset.map(|offset| Slot::Heap { memory, offset })
            }
            Err(PageFaultReason::HeapEvicted) => Some(Slot::Evicted),
            Err(_) => None,
        },
        Some(Region::Reserved(region)) => {
            let offset = address.checked_offset_from(region.address());
            offset.map(|offset| Slot::Reserved { region, offset })
        }
        None => None,
    };
    found.unwrap_or(Slot::Unmapped)
}
