//! CopyTiles and mappings of tiles.

use heapstone::spec::tiles::{TileRangeFlags, TileRegionSize, TiledResourceCoordinate};

use super::access::{Physical, index};
use super::apply::is_entangled;
use super::judge::{Op, Side};
use super::resource::{TileName, Tiles};
use super::{Model, TILE, Verdict};
use crate::program::{Slot, TileUpdate};

/// What a tile is to show: nothing, or a heap's tile.
pub(crate) type Shown = Option<(Slot, u32)>;

impl Model {
    /// CopyTiles of tiles in that order: 64 KiB of the buffer for each, rows of a whole tile; what of a tile lies
    /// beyond the mip is left alone.
    pub(super) fn tile_ops(
        &self,
        tiled: Slot,
        region: &[usize],
        (buffer, offset): (Slot, usize),
        to_tiles: bool,
    ) -> Vec<Op> {
        let resource = &self.resources[&tiled];
        let Some(tiles) = &resource.tiles else { return Vec::new() };
        if self.is_tile_copy_entangled(tiles, region, (buffer, offset)) {
            // In which order tiles are copied is nobody's to say.
            let forget = |(number, tile): (usize, &usize)| match to_tiles {
                true => Op::ForgetTile(tiled, *tile),
                false => Op::ForgetBytes { to: (buffer, offset + number * TILE), size: TILE, reads: tiled },
            };
            return region.iter().enumerate().map(forget).collect();
        }
        let mut ops = Vec::new();
        for (number, tile) in region.iter().enumerate() {
            let begin = offset + number * TILE;
            let in_buffer = (buffer, begin);
            if resource.desc.is_buffer() {
                let in_tiles = (tiled, tile * TILE);
                // The buffer's last tile may end behind its last byte: all of it is copied.
                let (to, from) = if to_tiles { (in_tiles, in_buffer) } else { (in_buffer, in_tiles) };
                ops.push(Op::CopyBytes { to, from, size: TILE });
                continue;
            }
            let TileName::Standard(subresource, at) = tiles.names[*tile] else {
                // Packed mips lie there as only the driver knows.
                ops.push(if to_tiles {
                    Op::ForgetTile(tiled, *tile)
                } else {
                    Op::ForgetBytes { to: in_buffer, size: TILE, reads: tiled }
                });
                continue;
            };
            let shape = &resource.subresources[index(subresource)];
            let element = shape.element();
            let mut origin = [0; 3];
            let mut size = [0; 3];
            for axis in 0..3 {
                origin[axis] = index(at[axis]) * tiles.shape[axis];
                size[axis] = tiles.shape[axis].min(shape.extent[axis] - origin[axis]);
            }
            let row = tiles.shape[0] * element;
            let rows = Side::Rows { slot: buffer, begin, row, slice: row * tiles.shape[1] };
            let texels = Side::Texels { slot: tiled, subresource, origin };
            let (to, from) = if to_tiles { (texels, rows) } else { (rows, texels) };
            ops.push(Op::CopyTexels { to, from, size, element, low_24_bits: false });
        }
        ops
    }

    /// Whether two tiles of the region, or one of them and its rows, are the same memory.
    fn is_tile_copy_entangled(
        &self,
        tiles: &Tiles,
        region: &[usize],
        (buffer, offset): (Slot, usize),
    ) -> bool {
        let shown = region
            .iter()
            .filter_map(|tile| tiles.mapping[*tile])
            .map(|(heap, tile)| Physical::Heap(heap, index(tile) * TILE..(index(tile) + 1) * TILE));
        let shown: Vec<Physical> = shown.collect();
        let rows = self.physical_bytes(buffer, offset..offset + region.len() * TILE);
        is_entangled(&shown, &rows) || is_entangled(&rows, &shown)
    }

    /// What the tiles show after UpdateTileMappings.
    pub(crate) fn judge_update(
        &self,
        slot: Slot,
        update: &TileUpdate,
    ) -> Result<Vec<(usize, Shown)>, Verdict> {
        let resource = self.known(slot)?;
        if let Some(heap) = update.heap
            && !self.has_heap(heap)
        {
            return Err(Verdict::Skip);
        }
        let tiles = resource.tiles.as_ref().ok_or(Verdict::Refused)?;
        let origin = TiledResourceCoordinate::new(0, 0, 0, 0);
        let region = |start: &TiledResourceCoordinate, size: &TileRegionSize| {
            tiles.region(start, size).ok_or(Verdict::Refused)
        };
        let walk = match (&update.starts, &update.sizes) {
            (None, None) => (0..tiles.names.len()).collect(),
            (None, Some(sizes)) if sizes.len() == 1 => region(&origin, &sizes[0])?,
            (None, Some(_)) => return Err(Verdict::Refused),
            (Some(starts), None) => {
                let one = TileRegionSize::tiles(1);
                starts.iter().map(|start| region(start, &one)).collect::<Result<Vec<_>, _>>()?.concat()
            }
            (Some(starts), Some(sizes)) if starts.len() == sizes.len() => {
                let regions = starts.iter().zip(sizes).map(|(start, size)| region(start, size));
                regions.collect::<Result<Vec<_>, _>>()?.concat()
            }
            (Some(_), Some(_)) => return Err(Verdict::Refused),
        };
        self.shown(update, walk)
    }

    fn shown(&self, update: &TileUpdate, walk: Vec<usize>) -> Result<Vec<(usize, Shown)>, Verdict> {
        let lengths = [
            update.flags.as_ref().map(Vec::len),
            update.offsets.as_ref().map(Vec::len),
            update.counts.as_ref().map(Vec::len),
        ];
        let ranges = lengths.into_iter().flatten().next().unwrap_or(1);
        if lengths.into_iter().flatten().any(|length| length != ranges) {
            return Err(Verdict::Refused);
        }
        let total = u32::try_from(walk.len()).map_err(|_| Verdict::Skip)?;
        let counts = match &update.counts {
            Some(counts) => counts.clone(),
            None if ranges == 1 => vec![total],
            None => vec![1; ranges],
        };
        if counts.iter().map(|count| u64::from(*count)).sum::<u64>() != u64::from(total) {
            return Err(Verdict::Refused);
        }
        if update.offsets.is_none() && counts.contains(&0) {
            // What a range without tiles may lack the model does not say.
            return Err(Verdict::Skip);
        }
        let mut walk = walk.into_iter();
        let mut changes = Vec::new();
        for (range, count) in counts.into_iter().enumerate() {
            let flags = update.flags.as_ref().map_or(TileRangeFlags::empty(), |flags| flags[range]);
            for step in 0..count {
                let tile = walk.next().ok_or(Verdict::Refused)?;
                if flags == TileRangeFlags::SKIP {
                    continue;
                }
                if flags == TileRangeFlags::NULL {
                    changes.push((tile, None));
                    continue;
                }
                let step = if flags == TileRangeFlags::REUSE_SINGLE_TILE { 0 } else { step };
                let offset =
                    *update.offsets.as_ref().ok_or(Verdict::Refused)?.get(range).ok_or(Verdict::Refused)?;
                let heap = update.heap.ok_or(Verdict::Refused)?;
                let shown = offset.checked_add(step).ok_or(Verdict::Refused)?;
                if shown >= self.heaps[&heap].tile_count() {
                    return Err(Verdict::Refused);
                }
                changes.push((tile, Some((heap, shown))));
            }
        }
        Ok(changes)
    }

    /// What the tiles show after CopyTileMappings.
    pub(crate) fn judge_copy_mappings(
        &self,
        (destination, to): (Slot, &TiledResourceCoordinate),
        (source, from): (Slot, &TiledResourceCoordinate),
        size: &TileRegionSize,
    ) -> Result<Vec<(usize, Shown)>, Verdict> {
        let (written, read) = (self.known(destination)?, self.known(source)?);
        let written = written.tiles.as_ref().ok_or(Verdict::Refused)?;
        let read = read.tiles.as_ref().ok_or(Verdict::Refused)?;
        let to = written.region(to, size).ok_or(Verdict::Refused)?;
        let from = read.region(from, size).ok_or(Verdict::Refused)?;
        if to.len() != from.len() {
            return Err(Verdict::Skip);
        }
        Ok(to.into_iter().zip(from.into_iter().map(|tile| read.mapping[tile])).collect())
    }

    pub(crate) fn show(&mut self, slot: Slot, changes: &[(usize, Shown)]) {
        let tiles = self.resources.get_mut(&slot).and_then(|resource| resource.tiles.as_mut());
        let tiles = tiles.expect("invariant: it was judged");
        for (tile, shown) in changes {
            tiles.mapping[*tile] = *shown;
        }
    }
}

/// What the generator asks of tiles.
impl Model {
    pub(crate) fn tile_count(&self, slot: Slot) -> u32 {
        let tiles = self.resources.get(&slot).and_then(|resource| resource.tiles.as_ref());
        tiles.map_or(0, |tiles| u32::try_from(tiles.names.len()).unwrap_or(u32::MAX))
    }

    /// How D3D12 names a tile.
    pub(crate) fn coordinate(&self, slot: Slot, tile: u32) -> Option<TiledResourceCoordinate> {
        let resource = self.resources.get(&slot)?;
        Some(match resource.tiles.as_ref()?.names.get(index(tile))? {
            TileName::Standard(subresource, [x, y, z]) => {
                TiledResourceCoordinate::new(*x, *y, *z, *subresource)
            }
            TileName::Packed(slice, number) => {
                // The last mip is packed where any is.
                let last = (slice + 1) * u32::from(resource.desc.mip_levels) - 1;
                TiledResourceCoordinate::new(*number, 0, 0, last)
            }
        })
    }
}
