//! The tiles of a reserved resource.

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use heapstone_driver::engine::NullTileAccess;
use heapstone_units::GpuVirtualAddress;
use parking_lot::{ArcRwLockReadGuard, RawRwLock, RwLock, RwLockWriteGuard};

use super::heap_region::HeapId;

/// Bytes of a tile (D3D12_TILED_RESOURCE_TILE_SIZE_IN_BYTES).
pub(crate) const TILE_SIZE: u64 = 64 << 10;

/// Entries of a chunk: a page of them, so that a table takes memory where it is used.
const CHUNK: u32 = 512;

/// What a tile shows: nothing, or a tile of a heap.
///
/// ```text
///   bits 63 to 32  the heap's number, from 1     31 to 0  the heap's tile       0: nothing
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct TileEntry(u64);

impl TileEntry {
    pub(crate) const NULL: TileEntry = TileEntry(0);

    pub(crate) const fn new(heap: HeapId, tile: u32) -> TileEntry {
        TileEntry((heap.0 as u64) << 32 | tile as u64)
    }

    /// The heap's number and its tile.
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // Both halves are taken.
    pub(crate) const fn heap(self) -> Option<(HeapId, u32)> {
        if self.0 == 0 { None } else { Some((HeapId((self.0 >> 32) as u32), self.0 as u32)) }
    }
}

/// Tiles and what each is to show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryRun {
    pub(crate) first_tile: u32,
    pub(crate) tile_count: u32,
    /// Of the first.
    pub(crate) entry: TileEntry,
    /// Whether each shows the heap's tile behind that of the one before, or all the same one.
    pub(crate) advances: bool,
}

/// The entries of all tiles. Tiles of chunks that are not there show nothing.
#[derive(Debug, Default)]
pub(crate) struct TileTable {
    chunks: BTreeMap<u32, Box<[TileEntry]>>,
    released: bool,
}

impl TileTable {
    /// Whether the resource is gone.
    pub(crate) const fn is_released(&self) -> bool {
        self.released
    }

    /// What a tile shows.
    pub(crate) fn entry(&self, tile: u32) -> TileEntry {
        let entries = self.chunks.get(&(tile / CHUNK));
        let entry = entries.and_then(|entries| entries.get(index_in_chunk(tile)));
        entry.copied().unwrap_or_default()
    }

    /// Whether some tile shows the heap.
    pub(crate) fn shows(&self, heap: HeapId) -> bool {
        let mut entries = self.chunks.values().flatten();
        entries.any(|entry| entry.heap().is_some_and(|(shown, _)| shown == heap))
    }

    /// The heaps that tiles show, each once.
    pub(crate) fn heaps(&self) -> BTreeSet<HeapId> {
        let mut heaps = BTreeSet::new();
        let mut last = None;
        // Neighbours mostly show the same heap.
        for (heap, _) in self.chunks.values().flatten().filter_map(|entry| entry.heap()) {
            if last != Some(heap) {
                last = Some(heap);
                heaps.insert(heap);
            }
        }
        heaps
    }

    /// Appends what tiles show.
    pub(crate) fn extend(&self, first_tile: u32, tile_count: u32, to: &mut Vec<TileEntry>) {
        to.extend((0..tile_count).map(|index| self.entry(first_tile.wrapping_add(index))));
    }

    /// Sets the entries of runs, one after the other.
    #[inline]
    pub(crate) fn set_all(&mut self, mut runs: impl Iterator<Item = EntryRun>) {
        let is_one = |run: &EntryRun| run.tile_count == 1 && run.entry != TileEntry::NULL;
        let mut next = runs.next();
        while let Some(run) = next {
            if !is_one(&run) {
                self.set(&run);
                next = runs.next();
                continue;
            }
            // Programs that stream map tile by tile: the chunk is looked up once for those that lie in one.
            let chunk = run.first_tile / CHUNK;
            let entries = self.chunks.entry(chunk).or_insert_with(new_chunk);
            entries[index_in_chunk(run.first_tile)] = run.entry;
            next = runs.find(|run| {
                let is_here = is_one(run) && run.first_tile / CHUNK == chunk;
                if is_here {
                    entries[index_in_chunk(run.first_tile)] = run.entry;
                }
                !is_here
            });
        }
    }

    /// Sets the entries of a run; its last tile is below 2^32, and so are the heap's tiles that it shows.
    pub(crate) fn set(&mut self, run: &EntryRun) {
        let mut entry = run.entry;
        self.each_chunk(run.first_tile, run.tile_count, run.entry == TileEntry::NULL, |entries| {
            if run.advances {
                for slot in entries {
                    *slot = entry;
                    // Within the lower half: the caller checked the heap's last tile.
                    entry.0 += 1;
                }
            } else {
                entries.fill(entry);
            }
        });
    }

    /// Sets entries one by one.
    pub(crate) fn set_each(&mut self, first_tile: u32, mut new: &[TileEntry]) {
        let count = u32::try_from(new.len()).expect("invariant: a resource has fewer than 2^32 tiles");
        self.each_chunk(first_tile, count, false, |entries| {
            let (now, rest) = new.split_at(entries.len());
            entries.copy_from_slice(now);
            new = rest;
        });
    }

    /// Calls `set` with the entries of the tiles, chunk by chunk in order. Where they become NULL, chunks that
    /// are not there stay so and those that they cover go.
    fn each_chunk(
        &mut self,
        first_tile: u32,
        tile_count: u32,
        to_null: bool,
        mut set: impl FnMut(&mut [TileEntry]),
    ) {
        let (mut tile, mut left) = (first_tile, tile_count);
        while left > 0 {
            let (chunk, begin) = (tile / CHUNK, index_in_chunk(tile));
            let count = left.min(CHUNK - tile % CHUNK);
            if to_null && count == CHUNK {
                self.chunks.remove(&chunk);
            } else if to_null && !self.chunks.contains_key(&chunk) {
                // It shows nothing as it is.
            } else {
                let entries = self.chunks.entry(chunk).or_insert_with(new_chunk);
                set(&mut entries[begin..begin + in_chunk(count)]);
            }
            left -= count;
            // Behind the last tile of all there is none to come.
            tile = tile.wrapping_add(count);
        }
    }
}

#[cold]
fn new_chunk() -> Box<[TileEntry]> {
    vec![TileEntry::NULL; in_chunk(CHUNK)].into_boxed_slice()
}

fn index_in_chunk(tile: u32) -> usize {
    in_chunk(tile % CHUNK)
}

fn in_chunk(count: u32) -> usize {
    usize::try_from(count).expect("invariant: a chunk has 512 entries")
}

/// Keeps a table as it is.
pub(crate) type TableHold = ArcRwLockReadGuard<RawRwLock, TileTable>;

/// A reserved resource's range of addresses.
pub(crate) struct ReservedRegion {
    address: GpuVirtualAddress,
    tile_count: u32,
    null: NullTileAccess,
    table: Arc<RwLock<TileTable>>,
}

impl ReservedRegion {
    pub(super) fn new(address: GpuVirtualAddress, tile_count: u32, null: NullTileAccess) -> ReservedRegion {
        ReservedRegion { address, tile_count, null, table: Arc::default() }
    }

    pub(crate) const fn address(&self) -> GpuVirtualAddress {
        self.address
    }

    pub(crate) const fn tile_count(&self) -> u32 {
        self.tile_count
    }

    /// In bytes.
    pub(crate) const fn size(&self) -> u64 {
        self.tile_count as u64 * TILE_SIZE
    }

    /// What an access of a tile that shows nothing does.
    pub(crate) const fn null(&self) -> NullTileAccess {
        self.null
    }

    pub(super) fn entry(&self, tile: u32) -> TileEntry {
        self.table.read().entry(tile)
    }

    /// Holds the table as it is, for a command that uses the tiles. A command holds it once: a second time
    /// could wait for a change that waits for the first.
    pub(crate) fn hold(&self) -> TableHold {
        self.table.read_arc()
    }

    /// The table, to change entries between two commands.
    pub(crate) fn edit(&self) -> RwLockWriteGuard<'_, TileTable> {
        self.table.write()
    }

    /// The resource goes, once no command uses its tiles.
    pub(super) fn release(&self) {
        *self.table.write() = TileTable { chunks: BTreeMap::new(), released: true };
    }
}

impl fmt::Debug for ReservedRegion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReservedRegion({} tiles at {}, null {:?})", self.tile_count, self.address, self.null)
    }
}
