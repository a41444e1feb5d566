//! What a command's operands are: checked against the allocation list, then pinned in memory.
//!
//! ```text
//!   Image, Address  --Operands-->  Operand  (shape, where in its allocation: arithmetic only)
//!                                     |  pin   looks up, holds, faults, counts bytes
//!                                     v
//!                                  Memory, Grid  (bytes)
//! ```

use std::sync::Arc;

use heapstone_driver::dma::{Address, DmaAllocation, Image, Origin, Size};
use heapstone_driver::engine::{NullTileAccess, PageFaultReason, RowPitches};
use heapstone_layout::swizzle::Storage;
use heapstone_units::ByteRange;

use super::fault::Stop;
use super::tlb::{Slot, Tlb};
use super::traffic::Meter;
use crate::bytes::View;
use crate::device::{
    DeviceShared, HeapBacking, HeapId, HeapMemory, ReservedRegion, TILE_SIZE, TableHold, Tiled,
};
use crate::grid::{Grid, GridBox, Layout, Memory};
use crate::pieces::{Cut, Piece};
use crate::transfer::Side;

/// What a command does with an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Read,
    Write,
}

/// Bytes that a command accesses: some of those that begin at `address`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Index of the allocation list, in it.
    allocation: usize,
    /// Of the first byte that `reach` counts from, from the allocation's.
    offset: u64,
    /// Its GPU virtual address.
    address: u64,
    /// The bytes from there among which all are that are accessed.
    reach: ByteRange,
    usage: Use,
}

/// A box that a command accesses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) place: Place,
    pub(super) layout: Layout,
    pub(super) of: GridBox,
    /// Bytes of the surface; of rows 2^64 - 1.
    surface_size: u64,
}

impl Operand {
    /// Bytes of all elements and samples.
    #[inline(always)]
    pub(super) fn byte_count(&self) -> u64 {
        let [width, height, depth] = self.of.size.map(u64::from);
        // Before it is checked, a box may have any number of them.
        (width << (self.layout.element_bytes_log2 + self.layout.samples_log2))
            .saturating_mul(height)
            .saturating_mul(depth)
    }

    /// Whether it is all elements of a surface, and they are all of the surface's bytes.
    #[inline]
    pub(super) fn is_whole_surface(&self) -> bool {
        // A box in the surface with as many bytes as the surface has is all of it.
        self.byte_count() == self.surface_size
    }
}

/// What an operand of a command must be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) origin: Origin,
    pub(super) size: Size,
    pub(super) element_bytes_log2: u8,
    pub(super) samples_log2: u8,
}

/// The allocation `index` of a list.
#[inline(always)]
fn allocation(allocations: &[DmaAllocation], index: u32) -> Result<(usize, &DmaAllocation), Stop> {
    let index = usize::try_from(index).ok();
    let found = index.and_then(|index| Some((index, allocations.get(index)?)));
    found.ok_or(Stop::Malformed("an operand names no entry of the allocation list"))
}

/// `size` bytes at an address of a command.
///
/// # Errors
/// `Malformed`: they are not in their allocation.
#[inline(always)]
pub(super) fn span(allocations: &[DmaAllocation], at: Address, size: u64, usage: Use) -> Result<Place, Stop> {
    let (index, allocation) = allocation(allocations, at.allocation)?;
    let offset = at.at.checked_offset_from(allocation.address);
    let offset =
        offset.filter(|offset| allocation.size.checked_sub(*offset).is_some_and(|left| size <= left));
    let offset = offset.ok_or(Stop::Malformed("bytes of an operand do not lie in its allocation"))?;
    Ok(Place { allocation: index, offset, address: at.at.0, reach: ByteRange::new(0, size), usage })
}

/// A surface of an allocation.
#[inline(always)]
pub(super) fn surface(
    allocations: &[DmaAllocation],
    allocation_index: u32,
    subresource: u32,
) -> Result<&heapstone_layout::swizzle::Surface, Stop> {
    let (_, allocation) = allocation(allocations, allocation_index)?;
    let subresource = usize::try_from(subresource).ok();
    let surfaces = allocation.surfaces.as_deref();
    let surface = surfaces.zip(subresource).and_then(|(surfaces, index)| surfaces.get(index));
    let surface = surface.ok_or(Stop::Malformed("an operand names no surface of its allocation"))?;
    if !Layout::of_surface(surface).is_sound() {
        return Err(Stop::Malformed("a surface has elements, samples or strides that its pattern does not"));
    }
    Ok(surface)
}

/// A box of a command.
///
/// # Errors
/// `Malformed`: it is no such box of its surface, or does not lie in its allocation.
#[inline(always)]
pub(super) fn operand(
    allocations: &[DmaAllocation],
    image: Image,
    shape: &Shape,
    usage: Use,
) -> Result<Operand, Stop> {
    let Shape { element_bytes_log2, samples_log2, .. } = *shape;
    let of = GridBox { origin: shape.origin, size: shape.size };
    if !of.is_counted() {
        return Err(Stop::Malformed("a box is empty or ends beyond 2^32 - 1 elements"));
    }
    let (index, address, layout, surface_size) = match image {
        Image::Surface { allocation, subresource, base } => {
            let surface = surface(allocations, allocation, subresource)?;
            if (surface.element_bytes_log2, surface.samples_log2) != (element_bytes_log2, samples_log2) {
                return Err(Stop::Malformed("a surface has elements of other bytes or samples"));
            }
            if !of.lies_in(surface.elements) {
                return Err(Stop::Malformed("a box does not lie in its surface"));
            }
            let address = base.checked_add(surface.offset);
            let address = address.ok_or(Stop::Malformed("a surface lies beyond 64 bits"))?;
            (allocation, address, Layout::of_surface(surface), surface.size)
        }
        Image::Pitched { address, row_pitch, slice_pitch } => {
            let storage = Storage::Linear { row_pitch: u64::from(row_pitch), slice_pitch };
            let layout = Layout { storage, element_bytes_log2, samples_log2 };
            (address.allocation, address.at, layout, u64::MAX)
        }
    };
    if !layout.is_sound() {
        return Err(Stop::Malformed("elements have more than 16 bytes or 32 samples"));
    }
    let reach = layout.reach(&of).ok_or(Stop::Malformed("a box reaches beyond 64 bits"))?;
    if reach.end > surface_size {
        return Err(Stop::Malformed("a surface has fewer bytes than its elements"));
    }
    let place = span(allocations, Address { allocation: index, at: address }, reach.end, usage)?;
    let operand = Operand { place: Place { reach, ..place }, layout, of, surface_size };
    // Else a short allocation could make a command of any length.
    if operand.byte_count() > reach.size() {
        return Err(Stop::Malformed("rows or blocks of an operand lie over each other"));
    }
    Ok(operand)
}

/// Where a pinned operand is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pin {
    /// In a heap, as its allocation's slot says.
    Heap,
    /// In tiles that show a heap's bytes one after the other.
    Run {
        heap: HeapId,
        /// Of the place's first byte, from the heap's.
        offset: u64,
    },
    /// In tiles here and there.
    Tiles {
        /// Of the table among those that the command holds.
        table: usize,
        /// Of the place's first byte, from the reserved resource's.
        first: u64,
    },
}

/// Finds memory for the operands of one command.
#[derive(Debug)]
pub(super) struct Pins<'a> {
    pub(super) tlb: &'a mut Tlb,
    pub(super) meter: &'a mut Meter,
    pub(super) device: &'a DeviceShared,
    pub(super) allocations: &'a [DmaAllocation],
    /// The tables that the command holds, each once.
    tables: [Option<HeldTable>; OPERANDS],
}

/// A command has at most two operands.
const OPERANDS: usize = 2;

#[derive(Debug)]
struct HeldTable {
    region: Arc<ReservedRegion>,
    table: TableHold,
}

impl<'a> Pins<'a> {
    #[inline]
    pub(super) const fn new(
        tlb: &'a mut Tlb,
        meter: &'a mut Meter,
        device: &'a DeviceShared,
        allocations: &'a [DmaAllocation],
    ) -> Pins<'a> {
        Pins { tlb, meter, device, allocations, tables: [const { None }; OPERANDS] }
    }

    /// Pins bytes side by side.
    ///
    /// # Errors
    /// The page fault of the first byte that has no memory.
    pub(super) fn pin_span(&mut self, place: &Place) -> Result<Pin, Stop> {
        let Some((region, first)) = self.look_up(place, place.reach.size())? else { return Ok(Pin::Heap) };
        let index = self.hold_table(place, region, first)?;
        let mut walk = Walk { place, index, first, last: None, tiles: 0 };
        let (mut at, end) = (place.reach.begin, place.reach.end);
        while at < end {
            let size = (TILE_SIZE - (first + at) % TILE_SIZE).min(end - at);
            walk.visit(self, &Piece::Run { offset: at, size, linear: 0 })?;
            at += size;
        }
        Ok(self.tiles_or_run(place, index, first, walk.tiles))
    }

    /// Pins a box.
    ///
    /// # Errors
    /// The page fault of the first element that has no memory.
    #[inline(always)]
    pub(super) fn pin(&mut self, operand: &Operand) -> Result<Pin, Stop> {
        match self.look_up(&operand.place, operand.byte_count())? {
            None => Ok(Pin::Heap),
            Some((region, first)) => self.pin_tiles(operand, region, first),
        }
    }

    #[cold]
    fn pin_tiles(&mut self, operand: &Operand, region: Arc<ReservedRegion>, first: u64) -> Result<Pin, Stop> {
        let index = self.hold_table(&operand.place, region, first)?;
        let mut walk = Walk { place: &operand.place, index, first, last: None, tiles: 0 };
        let pitches = RowPitches { row: 0, slice: 0 };
        for sample in 0..1 << operand.layout.samples_log2 {
            let phase = Some(first % TILE_SIZE);
            let cut = Cut { layout: operand.layout, phase, sample, of: operand.of, pitches };
            cut.pieces(|piece| walk.visit(self, &piece))?;
        }
        Ok(self.tiles_or_run(&operand.place, index, first, walk.tiles))
    }

    /// Whether the tiles of a place are one run of a heap: then it is as quick as one in a heap. Not looked at where
    /// more tiles lie between than were `visited`, for that would take longer than the access.
    fn tiles_or_run(&self, place: &Place, table: usize, first: u64, visited: u64) -> Pin {
        let tiles = Pin::Tiles { table, first };
        let (begin, end) = (first + place.reach.begin, first + place.reach.end);
        let (begin_tile, end_tile) = (begin / TILE_SIZE, end.div_ceil(TILE_SIZE));
        if end_tile - begin_tile > visited {
            return tiles;
        }
        let entry = |tile: u64| {
            let tile = u32::try_from(tile).ok()?;
            self.held_table(table).table.entry(tile).heap()
        };
        let Some((heap, heap_tile)) = entry(begin_tile) else { return tiles };
        let is_run = (begin_tile..end_tile).zip(u64::from(heap_tile)..).all(|(tile, shown)| {
            entry(tile).is_some_and(|(id, there)| id == heap && u64::from(there) == shown)
        });
        // The place's first byte may lie before what it reaches, and so before the heap.
        let offset = (u64::from(heap_tile) * TILE_SIZE + begin % TILE_SIZE).checked_sub(place.reach.begin);
        match offset.filter(|_| is_run) {
            Some(offset) => Pin::Run { heap, offset },
            None => tiles,
        }
    }

    /// Looks the place's allocation up, and checks it where it lies in a heap, counting `bytes`; else its
    /// reserved resource, and where the place begins in it.
    #[inline(always)]
    fn look_up(&mut self, place: &Place, bytes: u64) -> Result<Option<(Arc<ReservedRegion>, u64)>, Stop> {
        let allocation = &self.allocations[place.allocation];
        match self.tlb.look_up(place.allocation, allocation, self.device) {
            Slot::Heap { memory, offset } => {
                check_heap(memory, *offset, place)?;
                self.meter.moves(memory.segment, bytes);
                Ok(None)
            }
            Slot::Reserved { region, offset } => {
                Ok(Some((Arc::clone(region), offset.saturating_add(place.offset))))
            }
            Slot::Unmapped => Err(not_mapped(place, 0)),
            Slot::Evicted => Err(no_memory(place, 0, PageFaultReason::HeapEvicted)),
        }
    }

    /// Holds the table of a place that begins at `first` of `region`; its index.
    fn hold_table(&mut self, place: &Place, region: Arc<ReservedRegion>, first: u64) -> Result<usize, Stop> {
        let end = first.checked_add(place.reach.end).filter(|end| *end <= region.size());
        if end.is_none() {
            return Err(not_mapped(place, region.address().0.saturating_add(region.size())));
        }
        let index = self.hold(region);
        if self.held_table(index).table.is_released() {
            return Err(not_mapped(place, 0));
        }
        Ok(index)
    }

    /// Holds a table, unless the command does; its index.
    fn hold(&mut self, region: Arc<ReservedRegion>) -> usize {
        let is_held =
            |held: &Option<HeldTable>| held.as_ref().is_some_and(|held| Arc::ptr_eq(&held.region, &region));
        if let Some(index) = self.tables.iter().position(is_held) {
            return index;
        }
        let free = self.tables.iter().position(Option::is_none);
        let index = free.expect("invariant: a command has at most two operands");
        self.tables[index] = Some(HeldTable { table: region.hold(), region });
        index
    }

    /// To be called before a command pins two places. Where they lie in two reserved resources it holds both
    /// tables, in the order of addresses: engines that held one each would wait for the other's, behind
    /// changes that wait for theirs.
    #[inline(always)]
    pub(super) fn begin_two(&mut self, one: &Place, other: &Place) {
        if self.is_reserved(one) && self.is_reserved(other) {
            self.hold_two(one, other);
        }
    }

    #[inline(always)]
    fn is_reserved(&mut self, place: &Place) -> bool {
        let allocation = &self.allocations[place.allocation];
        matches!(self.tlb.look_up(place.allocation, allocation, self.device), Slot::Reserved { .. })
    }

    #[cold]
    fn hold_two(&mut self, one: &Place, other: &Place) {
        let regions = [one, other].map(|place| match self.tlb.slot(place.allocation) {
            Slot::Reserved { region, .. } => Some(Arc::clone(region)),
            Slot::Heap { .. } | Slot::Unmapped | Slot::Evicted => None,
        });
        let mut regions: Vec<Arc<ReservedRegion>> = regions.into_iter().flatten().collect();
        regions.sort_unstable_by_key(|region| region.address());
        for region in regions {
            self.hold(region);
        }
    }

    fn held_table(&self, index: usize) -> &HeldTable {
        self.tables[index].as_ref().expect("invariant: a pin's table is held")
    }

    /// The memory of a pinned place.
    #[inline(always)]
    pub(super) fn memory(&self, place: &Place, pin: Pin) -> Memory<'_> {
        let view = match pin {
            Pin::Heap => match self.tlb.slot(place.allocation) {
                Slot::Heap { memory, offset } => heap_view(memory, *offset, place),
                Slot::Reserved { .. } | Slot::Unmapped | Slot::Evicted => None,
            },
            Pin::Run { heap, offset } => self.run_view(heap, offset, place),
            Pin::Tiles { table, first } => {
                let table = &self.held_table(table).table;
                return Memory::Tiled(Tiled { table, heaps: self.tlb.heaps(), first });
            }
        };
        view.map_or(Memory::Nothing, Memory::Host)
    }

    #[cold]
    fn run_view(&self, heap: HeapId, offset: u64, place: &Place) -> Option<View<'_>> {
        match &self.tlb.heaps().get(&heap)?.backing {
            HeapBacking::Bytes(bytes) => bytes.view().part(offset, place.reach.end),
            HeapBacking::Phantom => None,
        }
    }

    /// The grid of a pinned box.
    #[inline(always)]
    pub(super) fn grid<'m>(&'m self, operand: &'m Operand, pin: Pin) -> Grid<'m> {
        Grid { memory: self.memory(&operand.place, pin), layout: &operand.layout }
    }

    /// The box of a pinned operand.
    #[inline(always)]
    pub(super) fn side<'m>(&'m self, operand: &'m Operand, pin: Pin) -> Side<'m> {
        Side { grid: self.grid(operand, pin), of: &operand.of, reach: operand.place.reach }
    }

    /// All bytes of a pinned surface that lies in a heap.
    pub(super) fn whole_surface(&self, operand: &Operand) -> Option<View<'_>> {
        let place = &operand.place;
        let left = self.allocations[place.allocation].size.checked_sub(place.offset)?;
        match self.tlb.slot(place.allocation) {
            Slot::Heap { memory, offset } if operand.surface_size <= left => {
                let reach = ByteRange::new(0, operand.surface_size);
                heap_view(memory, *offset, &Place { reach, ..*place })
            }
            _ => None,
        }
    }
}

/// The bytes from the place's first to its last, of an allocation at `offset` of a heap; `None` where there are
/// none.
#[inline(always)]
fn heap_view<'m>(memory: &'m HeapMemory, offset: u64, place: &Place) -> Option<View<'m>> {
    match &memory.backing {
        HeapBacking::Bytes(bytes) => bytes.view().part(offset.checked_add(place.offset)?, place.reach.end),
        HeapBacking::Phantom => None,
    }
}

/// That the place lies in the heap's range, and in its bytes.
#[inline(always)]
fn check_heap(memory: &HeapMemory, offset: u64, place: &Place) -> Result<(), Stop> {
    let begin = offset.checked_add(place.offset);
    let end = begin.and_then(|begin| begin.checked_add(place.reach.end));
    let size = memory.reachable();
    if end.is_some_and(|end| end <= size) {
        return Ok(());
    }
    // The address behind the last byte that there is.
    Err(not_mapped(place, place.address.wrapping_sub(begin.unwrap_or(0)).wrapping_add(size)))
}

/// The fault of a place whose memory ends at `end`.
#[cold]
fn not_mapped(place: &Place, end: u64) -> Stop {
    no_memory(place, end, PageFaultReason::NotMapped)
}

#[cold]
fn no_memory(place: &Place, end: u64, reason: PageFaultReason) -> Stop {
    let first = place.address.wrapping_add(place.reach.begin).max(end);
    Stop::page_fault(first, place.usage == Use::Write, reason)
}

/// Goes through the tiles of a place.
struct Walk<'a> {
    place: &'a Place,
    /// Of the table.
    index: usize,
    /// Of the place's first byte, from the resource's.
    first: u64,
    /// The tile that was visited last, and the segment of what it shows.
    last: Option<(u64, Option<usize>)>,
    /// How many tiles were entered.
    tiles: u64,
}

impl Walk<'_> {
    fn visit(&mut self, pins: &mut Pins<'_>, piece: &Piece) -> Result<(), Stop> {
        let tile = (self.first + piece.offset()) / TILE_SIZE;
        let segment = match self.last {
            Some((last, segment)) if last == tile => segment,
            _ => {
                self.tiles += 1;
                self.enter(pins, tile, piece)?
            }
        };
        self.last = Some((tile, segment));
        if let Some(segment) = segment {
            pins.meter.moves(segment, piece.byte_count());
        }
        Ok(())
    }

    /// The segment of what a tile shows; `None` where it is nothing and may be.
    fn enter(&self, pins: &mut Pins<'_>, tile: u64, piece: &Piece) -> Result<Option<usize>, Stop> {
        let fault = |reason| {
            let address = self.place.address.wrapping_add(piece.first_byte());
            Stop::page_fault(address, self.place.usage == Use::Write, reason)
        };
        let held = pins.held_table(self.index);
        let index = u32::try_from(tile).map_err(|_| fault(PageFaultReason::NotMapped))?;
        let Some((id, heap_tile)) = held.table.entry(index).heap() else {
            return match held.region.null() {
                NullTileAccess::Zero => Ok(None),
                NullTileAccess::Fault => Err(fault(PageFaultReason::NullTile)),
            };
        };
        let memory = pins.tlb.hold(id, pins.device).map_err(fault)?;
        if (u64::from(heap_tile) + 1) * TILE_SIZE > memory.reachable() {
            return Err(fault(PageFaultReason::NotMapped));
        }
        Ok(Some(memory.segment))
    }
}
