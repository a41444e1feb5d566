//! Mappings of tiles.

use std::sync::Arc;

use heapstone_driver::DriverError;
use heapstone_driver::engine::{EngineFault, PageFaultReason, TileCopyRun, TileRun, TileTarget};
use heapstone_units::GpuVirtualAddress;

use crate::device::{DeviceShared, Directory, EntryRun, HeapId, ReservedRegion, TILE_SIZE, TileEntry};

/// Memory of the queue's own, so that updates allocate nothing.
#[derive(Debug, Default)]
pub(super) struct TileScratch {
    heaps: Vec<KnownHeap>,
    entries: Vec<TileEntry>,
}

/// A heap that runs show.
#[derive(Clone, Copy, Debug)]
struct KnownHeap {
    address: GpuVirtualAddress,
    id: HeapId,
    /// How many it has.
    tiles: u64,
}

impl TileScratch {
    /// UpdateTileMappings; how many tiles it mapped. All is looked at before anything is changed: what that took to
    /// know is the heaps, of which a call of D3D12 names one.
    pub(super) fn update(
        &mut self,
        device: &DeviceShared,
        resource: GpuVirtualAddress,
        runs: &[TileRun],
    ) -> Result<u64, EngineFault> {
        self.heaps.clear();
        let (region, tiles) = {
            let directory = device.directory.read();
            let region = reserved(&directory, resource)?;
            let tiles = self.check_runs(&directory, &region, runs)?;
            (region, tiles)
        };
        let heaps = self.heaps.as_slice();
        // The directory is not held while commands are waited for.
        region.edit().set_all(runs.iter().map(|run| entry_run(run, heaps)));
        Ok(tiles)
    }

    /// That the resource and the heaps have all tiles; how many of the resource's there are. Learns the heaps.
    fn check_runs(
        &mut self,
        directory: &Directory,
        region: &ReservedRegion,
        runs: &[TileRun],
    ) -> Result<u64, EngineFault> {
        let tile_count = u64::from(region.tile_count());
        let mut last: Option<KnownHeap> = None;
        let mut tiles = 0;
        for run in runs {
            let count = u64::from(run.tile_count);
            if u64::from(run.first_tile) + count > tile_count {
                return Err(not_mapped(region.address().0.saturating_add(region.size())));
            }
            tiles += count;
            let TileTarget::Heap { heap, first_tile, reuse_single_tile } = run.target else { continue };
            let known = match last {
                Some(known) if known.address == heap => known,
                _ => *last.insert(self.learn(directory, heap)?),
            };
            let shown = if reuse_single_tile { count.min(1) } else { count };
            if u64::from(first_tile) + shown > known.tiles {
                return Err(not_mapped(heap.0.saturating_add(known.tiles * TILE_SIZE)));
            }
        }
        Ok(tiles)
    }

    #[cold]
    fn learn(&mut self, directory: &Directory, heap: GpuVirtualAddress) -> Result<KnownHeap, EngineFault> {
        if let Some(known) = self.heaps.iter().find(|known| known.address == heap) {
            return Ok(*known);
        }
        let region = directory.heap_at(heap).ok_or_else(|| not_mapped(heap.0))?;
        let tiles = (region.size() / TILE_SIZE).min(u64::from(u32::MAX) + 1);
        let known = KnownHeap { address: heap, id: region.id(), tiles };
        self.heaps.push(known);
        Ok(known)
    }

    /// CopyTileMappings; how many tiles it mapped.
    pub(super) fn copy(
        &mut self,
        device: &DeviceShared,
        destination: GpuVirtualAddress,
        source: GpuVirtualAddress,
        runs: &[TileCopyRun],
    ) -> Result<u64, EngineFault> {
        let (to, from) = {
            let directory = device.directory.read();
            (reserved(&directory, destination)?, reserved(&directory, source)?)
        };
        let mut count = 0_usize;
        for run in runs {
            check_tiles(&from, run.source_tile, run.tile_count)?;
            check_tiles(&to, run.destination_tile, run.tile_count)?;
            count = count.saturating_add(in_memory(run.tile_count));
        }
        self.entries.clear();
        self.entries.try_reserve(count).map_err(|reason| {
            EngineFault::Driver(DriverError::OutOfMemory {
                what: "the entries of CopyTileMappings",
                size: crate::heap::in_u64(count.saturating_mul(size_of::<TileEntry>())),
                reason: reason.to_string(),
            })
        })?;
        {
            let table = from.hold();
            for run in runs {
                table.extend(run.source_tile, run.tile_count, &mut self.entries);
            }
        }
        let mut table = to.edit();
        let mut entries = self.entries.as_slice();
        for run in runs {
            let (now, rest) = entries.split_at(in_memory(run.tile_count));
            table.set_each(run.destination_tile, now);
            entries = rest;
        }
        Ok(crate::heap::in_u64(count))
    }
}

fn reserved(directory: &Directory, address: GpuVirtualAddress) -> Result<Arc<ReservedRegion>, EngineFault> {
    directory.reserved_at(address).cloned().ok_or_else(|| not_mapped(address.0))
}

/// That the resource has the tiles.
fn check_tiles(region: &ReservedRegion, first: u32, count: u32) -> Result<(), EngineFault> {
    match first.checked_add(count) {
        Some(end) if end <= region.tile_count() => Ok(()),
        _ => Err(not_mapped(region.address().0.saturating_add(region.size()))),
    }
}

/// A run that was found legal, as entries; `heaps` are those that its call shows.
#[inline]
fn entry_run(run: &TileRun, heaps: &[KnownHeap]) -> EntryRun {
    let (entry, advances) = match run.target {
        TileTarget::Null => (TileEntry::NULL, false),
        TileTarget::Heap { heap, first_tile, reuse_single_tile } => {
            let known = heaps.iter().find(|known| known.address == heap);
            let known = known.expect("invariant: the runs' heaps were learned");
            (TileEntry::new(known.id, first_tile), !reuse_single_tile)
        }
    };
    EntryRun { first_tile: run.first_tile, tile_count: run.tile_count, entry, advances }
}

#[cold]
fn not_mapped(address: u64) -> EngineFault {
    EngineFault::PageFault {
        address: GpuVirtualAddress(address),
        is_write: true,
        reason: PageFaultReason::NotMapped,
    }
}

fn in_memory(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
