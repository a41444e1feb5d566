//! Devices and queues of a driver: an address space, and engines that run DMA buffers in it.
//!
//! ```text
//!   DriverDevice                     one process's GPU virtual addresses
//!     |  map_heap / unmap_heap         a heap's range shows its bytes
//!     |  reserve / release             a reserved resource's range: a table of 64 KiB tiles
//!     '- create_queue
//!   DriverQueue                      what one engine runs, one command after the other
//!        execute                       a DMA buffer, or some calls of it
//!        update_tile_mappings, copy_tile_mappings
//! ```
//! The runtime maps a heap when GPU work first refers to it, and unmaps it before the heap goes: a heap
//! that the GPU never uses costs no page-table entry. While a DMA buffer runs, the runtime holds every
//! resource of its allocation list.

use core::fmt;

use heapstone_layout::swizzle::Surface;
use heapstone_spec::commands::CommandListType;
use heapstone_units::GpuVirtualAddress;

use crate::dma::{Cursor, DmaBuffer, MalformedStream, Origin, Size};
use crate::{DriverError, DriverHeap};

/// What a queue is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriverQueueDesc {
    /// Which engine.
    pub list_type: CommandListType,
    /// Of which node.
    pub node: u32,
}

/// A range of tiles of a reserved resource, and what each shows from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileRun {
    /// The first tile, in the order of the resource's addresses: 64 KiB each.
    pub first_tile: u32,
    /// How many.
    pub tile_count: u32,
    /// What they show.
    pub target: TileTarget,
}

/// What tiles of a reserved resource show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileTarget {
    /// Nothing.
    Null,
    /// Tiles of a mapped heap.
    Heap {
        /// The heap's first address.
        heap: GpuVirtualAddress,
        /// The heap's tile that the first one shows.
        first_tile: u32,
        /// Whether all show that one tile (D3D12_TILE_RANGE_FLAG_REUSE_SINGLE_TILE), or one after the
        /// other.
        reuse_single_tile: bool,
    },
}

/// Tiles whose mappings are copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileCopyRun {
    /// The first tile of the destination.
    pub destination_tile: u32,
    /// The first tile of the source.
    pub source_tile: u32,
    /// How many.
    pub tile_count: u32,
}

/// What an access of a tile that shows nothing does (facts/layout.md, Tiling; spec/2-resource-heaps.txt 759-845).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NullTileAccess {
    /// Tier 1: a page fault, which removes the device.
    Fault,
    /// Tier 2 and up: reads give zero, writes are dropped.
    Zero,
}

/// An access that an engine could not make. The device is removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineFault {
    /// A GPU virtual address without memory.
    PageFault {
        /// The first address that failed.
        address: GpuVirtualAddress,
        /// Whether it was to be written.
        is_write: bool,
        /// Why it has no memory.
        reason: PageFaultReason,
    },
    /// A stream that no builder wrote, or whose operands contradict its allocation list.
    Malformed(MalformedStream),
    /// The system gave no memory for what was touched first.
    Driver(DriverError),
}

/// Why an address has no memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageFaultReason {
    /// Nothing is mapped there.
    NotMapped,
    /// A tile that shows nothing, on tier 1.
    NullTile,
    /// The heap that was mapped there is destroyed.
    HeapDestroyed,
    /// The heap that a tile shows is evicted ([`DriverDevice::set_resident`]).
    HeapEvicted,
}

impl fmt::Display for EngineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineFault::PageFault { address, is_write, reason } => {
                let access = if *is_write { "write to" } else { "read of" };
                let reason = match reason {
                    PageFaultReason::NotMapped => "nothing is mapped there",
                    PageFaultReason::NullTile => {
                        "the tile is mapped to NULL, which tiled resources tier 1 does not allow to access"
                    }
                    PageFaultReason::HeapDestroyed => "the heap mapped there is destroyed",
                    PageFaultReason::HeapEvicted => "the heap mapped there is evicted",
                };
                write!(f, "page fault: {access} GPU virtual address {:#x}: {reason}", address.0)
            }
            EngineFault::Malformed(stream) => write!(f, "malformed DMA buffer: {stream}"),
            EngineFault::Driver(error) => write!(f, "the engine failed: {error}"),
        }
    }
}

impl core::error::Error for EngineFault {}

/// How far to run a DMA buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecuteLimit {
    /// To its end.
    End,
    /// At most so many calls of the application.
    Calls(u32),
}

/// What a queue has done since it was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueStatistics {
    /// Calls of the application that were executed, or left out by a predicate.
    pub calls: u64,
    /// Bytes read by commands.
    pub bytes_read: u64,
    /// Bytes written by commands.
    pub bytes_written: u64,
    /// Tiles whose mapping changed.
    pub tiles_mapped: u64,
    /// Parts that DMA buffers were run in by an engine that is patched: more than buffers where they were split.
    pub parts: u64,
    /// Time that the commands took on the simulated engine, in nanoseconds (see
    /// [`crate::cost::CostModel`]).
    pub busy_ns: u64,
}

/// What an address shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Translation {
    /// A byte of a heap.
    Heap {
        /// The heap's first address.
        heap: GpuVirtualAddress,
        /// Bytes from the heap's first.
        offset: u64,
    },
    /// A tile that shows nothing.
    NullTile,
}

/// A process's GPU virtual addresses, and what runs in them.
pub trait DriverDevice: Send + Sync {
    /// MapGpuVirtualAddress: `size` bytes at `address` show the heap's bytes, until
    /// [`DriverDevice::unmap_heap`]. The runtime calls it once for a heap that GPU work refers to.
    ///
    /// # Errors
    /// Where the system gives no memory; nothing is mapped then.
    fn map_heap(
        &self,
        address: GpuVirtualAddress,
        size: u64,
        heap: &dyn DriverHeap,
    ) -> Result<(), DriverError>;

    /// The heap at `address` goes: its range shows nothing any more, and tiles that showed it fault
    /// ([`PageFaultReason::HeapDestroyed`]). Returns when no command touches its bytes any more.
    fn unmap_heap(&self, address: GpuVirtualAddress);

    /// A reserved resource's range: whole tiles that show nothing yet.
    ///
    /// # Errors
    /// Where the system gives no memory; nothing is reserved then.
    fn reserve(
        &self,
        address: GpuVirtualAddress,
        tile_count: u32,
        null: NullTileAccess,
    ) -> Result<(), DriverError>;

    /// The reserved resource at `address` goes. Returns when no command uses its tiles any more.
    fn release(&self, address: GpuVirtualAddress);

    /// Whether a tile of the reserved resource at `resource` shows the heap at `heap`.
    fn shows(&self, resource: GpuVirtualAddress, heap: GpuVirtualAddress) -> bool;

    /// The first addresses of the heaps that tiles of the reserved resource at `resource` show, ascending.
    fn shown(&self, resource: GpuVirtualAddress) -> Vec<GpuVirtualAddress>;

    /// Whether the heap mapped at `heap` is in memory. Commands that begin from now on and reach it through a tile fault
    /// where it is not. Without effect where no heap is mapped there.
    fn set_resident(&self, heap: GpuVirtualAddress, is_resident: bool);

    /// What `address` shows; `None`: nothing is mapped there.
    fn translate(&self, address: GpuVirtualAddress) -> Option<Translation>;

    /// A queue on an engine.
    ///
    /// # Errors
    /// Where the driver has no such engine, or the system gives no memory.
    fn create_queue(&self, desc: &DriverQueueDesc) -> Result<Box<dyn DriverQueue>, DriverError>;
}

/// What one queue runs, one thing after the other, by one thread at a time.
pub trait DriverQueue: Send {
    /// Runs a DMA buffer from `cursor` on, and moves the cursor. A predicate holds until the cursor's
    /// buffer ends: a cursor at 0 begins without.
    ///
    /// # Errors
    /// The device is removed; what ran before stays done.
    fn execute(
        &mut self,
        buffer: &DmaBuffer,
        cursor: &mut Cursor,
        limit: ExecuteLimit,
    ) -> Result<(), EngineFault>;

    /// UpdateTileMappings of the reserved resource at `resource`: runs in order, a later one over an earlier
    /// one. Heaps that they name are mapped.
    ///
    /// # Errors
    /// [`EngineFault::PageFault`] where the resource or a heap is not there.
    fn update_tile_mappings(
        &mut self,
        resource: GpuVirtualAddress,
        runs: &[TileRun],
    ) -> Result<(), EngineFault>;

    /// CopyTileMappings: all mappings are read before any is written, so that the ranges may overlap.
    ///
    /// # Errors
    /// As [`DriverQueue::update_tile_mappings`].
    fn copy_tile_mappings(
        &mut self,
        destination: GpuVirtualAddress,
        source: GpuVirtualAddress,
        runs: &[TileCopyRun],
    ) -> Result<(), EngineFault>;

    /// What it has done.
    fn statistics(&self) -> QueueStatistics;

    /// The engine's time in nanoseconds, which timestamps tell: it moves on with the work.
    fn time_ns(&self) -> u64;

    /// Moves the engine's time to `time_ns` where it is behind: it waited for another.
    fn wait_until(&mut self, time_ns: u64);
}

/// A box of a surface, for copies by the CPU.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceBox<'a> {
    /// Where the texture begins, in bytes from the heap's first.
    pub resource_offset: u64,
    /// The subresource.
    pub surface: &'a Surface,
    /// Of the box, in elements.
    pub origin: Origin,
    /// Of the box, in elements.
    pub size: Size,
}

/// Rows of elements in memory of the program, as it says they lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowPitches {
    /// Bytes from a row to the next.
    pub row: u64,
    /// Bytes from a slice to the next.
    pub slice: u64,
}
