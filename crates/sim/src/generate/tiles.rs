//! Tiles of reserved resources.

use heapstone::spec::tiles::{TileRangeFlags, TileRegionSize, TiledResourceCoordinate};
use heapstone::{HeapFlags, HeapType};

use super::Generator;
use crate::model::Verdict;
use crate::program::{Slot, Step, TileUpdate};

impl Generator<'_, '_> {
    /// A heap that takes the resource.
    fn heap_for(&mut self, resource: Slot) -> Option<Slot> {
        let desc = *self.model.desc(resource)?;
        let takes = |heap: &&Slot| {
            let heap = self.model.heap_desc(**heap);
            heap.is_some_and(|heap| {
                let is_upload = heap.properties.heap_type == HeapType::Upload;
                let denied = heap.flags.intersects(desc.denied_by());
                !denied && (!is_upload || desc.is_buffer() && desc.flags.is_empty())
            })
        };
        let found: Vec<Slot> = self.heaps.iter().filter(takes).copied().collect();
        if found.is_empty() { None } else { Some(*self.source.pick(&found)) }
    }

    /// All tiles of a resource, as far as a heap has as many.
    pub(super) fn first_mapping(&mut self, resource: Slot) {
        let Some(heap) = self.heap_for(resource) else { return };
        let heap_tiles = self.model.heap_desc(heap).map_or(1, |desc| desc.size / 65_536);
        let count = u32::try_from(heap_tiles).unwrap_or(1).min(self.model.tile_count(resource));
        let tiles = u64::from(count);
        let offset = u32::try_from(self.source.below(heap_tiles - tiles + 1)).unwrap_or(0);
        let update = TileUpdate {
            starts: None,
            sizes: Some(vec![TileRegionSize::tiles(count)]),
            heap: Some(heap),
            flags: None,
            offsets: Some(vec![offset]),
            counts: None,
        };
        self.update(resource, update);
    }

    fn update(&mut self, resource: Slot, update: TileUpdate) {
        let queue = *self.source.pick(&[0, 0, 1, 2]);
        match self.model.judge_update(resource, &update) {
            Ok(changes) => self.model.show(resource, &changes),
            Err(Verdict::Skip) => return,
            Err(_) if !self.source.chance(5) => return,
            Err(_) => {}
        }
        self.steps.push(Step::UpdateTileMappings { queue, resource, update });
    }

    /// Where some tile is.
    fn coordinate(&mut self, resource: Slot) -> Option<TiledResourceCoordinate> {
        let count = self.model.tile_count(resource);
        let tile = self.source.below_u32(count);
        self.model.coordinate(resource, tile)
    }

    /// A region, mostly within the resource.
    pub(super) fn region(&mut self, resource: Slot) -> Option<(TiledResourceCoordinate, TileRegionSize)> {
        let start = self.coordinate(resource)?;
        let size = match self.source.below(4) {
            0 => TileRegionSize::tiles(1),
            1 | 2 => TileRegionSize::tiles(self.source.within(1, 4)),
            _ => {
                let side = |generator: &mut Self| u16::try_from(generator.source.within(1, 2)).unwrap_or(1);
                TileRegionSize::boxed(self.source.within(1, 2), side(self), side(self))
            }
        };
        Some((start, size))
    }

    pub(super) fn mappings(&mut self) {
        let Some(resource) = self.pick(|model, slot| model.is_reserved(slot)) else { return };
        if self.source.chance(25) {
            self.copy_mappings(resource);
            return;
        }
        let Some(heap) = self.heap_for(resource) else { return };
        let heap_tiles =
            self.model.heap_desc(heap).map_or(1, |desc| u32::try_from(desc.size / 65_536).unwrap_or(1));
        let regions = self.source.within(1, 3);
        let regions: Option<Vec<_>> = (0..regions).map(|_| self.region(resource)).collect();
        let Some(regions) = regions else { return };
        let (starts, sizes): (Vec<_>, Vec<_>) = regions.into_iter().unzip();
        let mut left: u32 = sizes.iter().map(|size: &TileRegionSize| size.num_tiles).sum();
        let (mut flags, mut offsets, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        while left > 0 {
            let count = if self.source.chance(50) { left } else { self.source.within(1, left) };
            left -= count;
            flags.push(*self.source.pick(&[
                TileRangeFlags::empty(),
                TileRangeFlags::empty(),
                TileRangeFlags::empty(),
                TileRangeFlags::NULL,
                TileRangeFlags::SKIP,
                TileRangeFlags::REUSE_SINGLE_TILE,
            ]));
            offsets.push(self.source.below_u32(heap_tiles.saturating_sub(count) + 1));
            counts.push(count);
        }
        let all_plain = flags.iter().all(|flags| flags.is_empty());
        let is_one = counts.len() == 1;
        let update = TileUpdate {
            starts: Some(starts),
            sizes: Some(sizes),
            heap: Some(heap),
            flags: if all_plain && self.source.chance(50) { None } else { Some(flags) },
            offsets: Some(offsets),
            counts: if is_one && self.source.chance(50) { None } else { Some(counts) },
        };
        self.update(resource, update);
    }

    fn copy_mappings(&mut self, destination: Slot) {
        let denied = self.model.desc(destination).map_or(HeapFlags::empty(), |desc| desc.denied_by());
        // Of one category, so that a tile's heap takes what shows it.
        let source = self.pick(|model, slot| {
            model.is_reserved(slot) && model.desc(slot).is_some_and(|desc| desc.denied_by() == denied)
        });
        let Some(source) = source else { return };
        let (Some(destination_start), Some((source_start, size))) =
            (self.coordinate(destination), self.region(source))
        else {
            return;
        };
        let queue = *self.source.pick(&[0, 1, 2]);
        let judged =
            self.model.judge_copy_mappings((destination, &destination_start), (source, &source_start), &size);
        match judged {
            Ok(changes) => self.model.show(destination, &changes),
            Err(Verdict::Skip) => return,
            Err(_) if !self.source.chance(5) => return,
            Err(_) => {}
        }
        self.steps.push(Step::CopyTileMappings {
            queue,
            destination,
            destination_start,
            source,
            source_start,
            size,
        });
    }
}
