//! Bytes of a reserved resource while a command uses them.

use core::ops::Range;
use std::collections::BTreeMap;
use std::sync::Arc;

use heapstone_units::ByteRange;

use crate::bytes::View;

use super::heap_region::{HeapBacking, HeapId, HeapMemory};
use super::tile_table::{TILE_SIZE, TileTable};

/// The heaps that an engine holds because tiles show them.
pub(crate) type HeldHeaps = BTreeMap<HeapId, Arc<HeapMemory>>;

/// Bytes of a reserved resource, side by side for addresses only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tiled<'a> {
    /// Held for reading.
    pub(crate) table: &'a TileTable,
    /// All heaps of the tiles that are accessed.
    pub(crate) heaps: &'a HeldHeaps,
    /// Of the first byte, from the resource's.
    pub(crate) first: u64,
}

impl<'a> Tiled<'a> {
    /// Bytes from a tile's begin to the first byte.
    pub(crate) const fn phase(&self) -> u64 {
        self.first % TILE_SIZE
    }

    /// `size` bytes at `offset`, which lie in one tile; `None` where they show nothing.
    pub(crate) fn part(&self, offset: u64, size: u64) -> Option<View<'a>> {
        let at = self.first + offset;
        let tile = u32::try_from(at / TILE_SIZE).ok()?;
        let (id, heap_tile) = self.table.entry(tile).heap()?;
        match &self.heaps.get(&id)?.backing {
            HeapBacking::Bytes(bytes) => {
                bytes.view().part(u64::from(heap_tile) * TILE_SIZE + at % TILE_SIZE, size)
            }
            HeapBacking::Phantom => None,
        }
    }

    /// Whether bytes of any heap that is accessed lie among `addresses`.
    pub(crate) fn may_show(&self, addresses: &Range<usize>) -> bool {
        self.heaps.values().any(|memory| match &memory.backing {
            HeapBacking::Bytes(bytes) => {
                let view = bytes.view();
                let all = view.addresses(ByteRange::new(0, view.size_u64()));
                all.start < addresses.end && addresses.start < all.end
            }
            HeapBacking::Phantom => false,
        })
    }
}
