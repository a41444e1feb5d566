//! Mappings of tiles.

use std::sync::Arc;

use heapstone_driver::DriverError;
use heapstone_driver::engine::{EngineFault, PageFaultReason, TileCopyRun, TileRun, TileTarget};
use heapstone_units::GpuVirtualAddress;

use crate::device::{DeviceShared, Directory, EntryRun, HeapId, ReservedRegion, TILE_SIZE, TileEntry};

/// Memory of the queue's own, so that updates allocate nothing.
#[derive(Debug, Default)]
pub(super) struct TileScratch {
    runs: Vec<EntryRun>,
    entries: Vec<TileEntry>,
}

impl TileScratch {
    /// UpdateTileMappings; how many tiles it mapped.
    pub(super) fn update(
        &mut self,
        device: &DeviceShared,
        resource: GpuVirtualAddress,
        runs: &[TileRun],
    ) -> Result<u64, EngineFault> {
        self.runs.clear();
        let region = {
            let directory = device.directory.read();
            let region = reserved(&directory, resource)?;
            let mut heap = None;
            for run in runs {
                check_tiles(&region, run.first_tile, run.tile_count)?;
                self.runs.push(EntryRun {
                    first_tile: run.first_tile,
                    tile_count: run.tile_count,
                    entry: entry_of(&directory, &run.target, run.tile_count, &mut heap)?,
                    advances: matches!(run.target, TileTarget::Heap { reuse_single_tile: false, .. }),
                });
            }
            region
        };
        // The directory is not held while commands are waited for.
        let mut table = region.edit();
        for run in &self.runs {
            table.set(run);
        }
        Ok(self.runs.iter().map(|run| u64::from(run.tile_count)).sum())
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

/// The heap that was looked up last: its address, number and tiles.
type LastHeap = Option<(GpuVirtualAddress, HeapId, u64)>;

/// The entry of a run's first tile. The heap has all tiles that the run shows.
fn entry_of(
    directory: &Directory,
    target: &TileTarget,
    count: u32,
    last: &mut LastHeap,
) -> Result<TileEntry, EngineFault> {
    let TileTarget::Heap { heap, first_tile, reuse_single_tile } = *target else {
        return Ok(TileEntry::NULL);
    };
    let (_, id, tiles) = match *last {
        Some(found) if found.0 == heap => found,
        _ => {
            let region = directory.heap_at(heap).ok_or_else(|| not_mapped(heap.0))?;
            let tiles = (region.size() / TILE_SIZE).min(u64::from(u32::MAX) + 1);
            *last.insert((heap, region.id(), tiles))
        }
    };
    let shown = if reuse_single_tile { count.min(1) } else { count };
    if u64::from(first_tile) + u64::from(shown) > tiles {
        return Err(not_mapped(heap.0.saturating_add(tiles * TILE_SIZE)));
    }
    Ok(TileEntry::new(id, first_tile))
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
