//! UpdateTileMappings as runs of tiles.

use core::fmt;

use heapstone_driver::engine::{TileRun, TileTarget};
use heapstone_spec::Violation;
use heapstone_spec::limits;
use heapstone_spec::rules::tile as rules;
use heapstone_spec::tiles::{TileMappingFlags, TileRangeFlags, TileRegionSize, TiledResourceCoordinate};
use heapstone_units::GpuVirtualAddress;

use super::grid::TileGrid;
use super::region::Region;
use super::{check_flags, other_device, tiles_of};
use crate::device::DeviceInner;
use crate::heap::Heap;
use crate::resource::Resource;
use crate::validate::placement::check_heap_takes;

/// The arguments of UpdateTileMappings behind the resource. `None` is D3D12's NULL; the arrays' lengths are
/// NumResourceRegions and NumRanges, and where all of a kind are NULL there is one.
#[derive(Clone, Copy, Debug, Default)]
pub struct UpdateTileMappingsDesc<'a> {
    /// pResourceRegionStartCoordinates; `None`: one region, from the first tile on.
    pub region_start_coordinates: Option<&'a [TiledResourceCoordinate]>,
    /// pResourceRegionSizes; `None`: regions of one tile, or all tiles where the coordinates are `None` too.
    pub region_sizes: Option<&'a [TileRegionSize]>,
    /// pHeap; `None` where no range shows any.
    pub heap: Option<&'a Heap>,
    /// pRangeFlags; `None`: every range shows consecutive tiles of the heap.
    pub range_flags: Option<&'a [TileRangeFlags]>,
    /// pHeapRangeStartOffsets, in tiles of 64 KiB; `None` where no range shows any. Those of NULL and SKIP
    /// ranges are not looked at.
    pub heap_range_start_offsets: Option<&'a [u32]>,
    /// pRangeTileCounts; `None`: ranges of one tile, or of all the regions' tiles where there is one.
    pub range_tile_counts: Option<&'a [u32]>,
    /// Flags. NO_HAZARD changes nothing here: a queue does one thing after the other.
    pub flags: TileMappingFlags,
}

/// What a queue hands to its driver for UpdateTileMappings.
#[derive(Debug)]
pub(crate) struct TileUpdate {
    /// In order: a later one over an earlier one.
    pub(crate) runs: Vec<TileRun>,
    /// The heap that they name, where they name one.
    pub(crate) heap: Option<Heap>,
}

/// Plans UpdateTileMappings of `resource` by a queue of `device`.
///
/// # Errors
/// `tile.*`; `placement.heap.category` and `placement.heap_type.*` where the heap does not take such resources.
pub(crate) fn plan_update(
    device: &DeviceInner,
    resource: &Resource,
    desc: &UpdateTileMappingsDesc<'_>,
) -> Result<TileUpdate, Box<Violation>> {
    let grid = tiles_of(device, "pResource", resource)?;
    check_flags(desc.flags)?;
    let regions = Regions::new(grid, desc)?;
    let mut ranges = Ranges::new(device, resource, desc)?;
    let mut runs = Vec::with_capacity(regions.count().max(ranges.count()));
    match regions.of {
        // The call of programs that stream: a range of one tile for each tile.
        RegionArrays::SingleTiles(starts) if ranges.are_single_tiles(starts.len()) => {
            if let Some((heap, offsets)) = ranges.sequential() {
                plan_singles(grid, starts, &ranges, (heap, offsets), &mut runs)?;
            } else {
                plan_singles_of_kinds(grid, starts, &ranges, &mut runs)?;
            }
        }
        _ => {
            let mut is_covered = true;
            for region in regions.iter() {
                for (first, count) in region?.rows() {
                    is_covered &= ranges.cover(first, count, &mut runs)?;
                }
            }
            if !(is_covered && ranges.are_used_up()) {
                return Err(sums_differ(&regions, &ranges));
            }
        }
    }
    let names_heap = runs.iter().any(|run| matches!(run.target, TileTarget::Heap { .. }));
    let heap = desc.heap.filter(|_| names_heap).cloned();
    Ok(TileUpdate { runs, heap })
}

/// A range of one tile of the heap for each tile: what programs that stream ask for. The run that may go on is not
/// in memory yet.
#[inline]
fn plan_singles(
    grid: &TileGrid,
    starts: &[TiledResourceCoordinate],
    ranges: &Ranges<'_>,
    (heap, offsets): (HeapTiles, &[u32]),
    runs: &mut Vec<TileRun>,
) -> Result<(), Box<Violation>> {
    let run = |first_tile: u32, tile_count: u32, heap_tile: u32| TileRun {
        first_tile,
        tile_count,
        target: TileTarget::Heap { heap: heap.address, first_tile: heap_tile, reuse_single_tile: false },
    };
    let (mut first_tile, mut count, mut heap_tile) = (0_u32, 0_u32, 0_u32);
    for (index, (start, offset)) in starts.iter().zip(offsets).enumerate() {
        let tile = match grid.tile_in_first_slice(start) {
            Some(tile) => tile,
            None => grid.tile(start)?,
        };
        if u64::from(*offset) >= heap.count {
            return Err(ranges.out_of_heap(heap, &ranges.range(index)?, 1));
        }
        // Where both lie behind the run's first, no difference wraps.
        let goes_on = count > 0
            && tile.wrapping_sub(first_tile) == count
            && offset.wrapping_sub(heap_tile) == count
            && tile > first_tile
            && *offset > heap_tile;
        if goes_on {
            count += 1;
            continue;
        }
        if count > 0 {
            runs.push(run(first_tile, count, heap_tile));
        }
        (first_tile, count, heap_tile) = (tile, 1, *offset);
    }
    if count > 0 {
        runs.push(run(first_tile, count, heap_tile));
    }
    Ok(())
}

/// A range of one tile, of any kind, for each tile.
fn plan_singles_of_kinds(
    grid: &TileGrid,
    starts: &[TiledResourceCoordinate],
    ranges: &Ranges<'_>,
    runs: &mut Vec<TileRun>,
) -> Result<(), Box<Violation>> {
    for (index, start) in starts.iter().enumerate() {
        let first_tile = grid.tile(start)?;
        if let Some(target) = ranges.target(&ranges.range(index)?, 1)? {
            push(runs, TileRun { first_tile, tile_count: 1, target });
        }
    }
    Ok(())
}

/// Appends a run, or lets the last one go on.
#[inline]
fn push(runs: &mut Vec<TileRun>, run: TileRun) {
    if let Some(last) = runs.last_mut()
        && last.first_tile.checked_add(last.tile_count) == Some(run.first_tile)
        && goes_on(last, &run.target)
    {
        last.tile_count += run.tile_count;
        return;
    }
    runs.push(run);
}

/// Whether `next` shows what `run` would show behind its end.
#[inline]
fn goes_on(run: &TileRun, next: &TileTarget) -> bool {
    match (run.target, *next) {
        (TileTarget::Null, TileTarget::Null) => true,
        (
            TileTarget::Heap { heap, first_tile, reuse_single_tile },
            TileTarget::Heap { heap: next_heap, first_tile: next_tile, reuse_single_tile: next_reuses },
        ) => {
            let step = if reuse_single_tile { 0 } else { run.tile_count };
            // One heap is named by a call. Behind the last of 2^32 tiles there is none to go on with.
            heap == next_heap
                && reuse_single_tile == next_reuses
                && first_tile.checked_add(step) == Some(next_tile)
        }
        _ => false,
    }
}

/// The regions of a call.
struct Regions<'a> {
    grid: &'a TileGrid,
    of: RegionArrays<'a>,
}

enum RegionArrays<'a> {
    Whole,
    /// From the first tile on.
    OneFromStart(&'a TileRegionSize),
    SingleTiles(&'a [TiledResourceCoordinate]),
    Both(&'a [TiledResourceCoordinate], &'a [TileRegionSize]),
}

impl<'a> Regions<'a> {
    #[inline]
    fn new(grid: &'a TileGrid, desc: &UpdateTileMappingsDesc<'a>) -> Result<Regions<'a>, Box<Violation>> {
        let of = match (desc.region_start_coordinates, desc.region_sizes) {
            (None, None) => RegionArrays::Whole,
            (None, Some([size])) => RegionArrays::OneFromStart(size),
            (None, Some(sizes)) => {
                return Err(rules::REGION_ARRAYS.violated(
                    "pResourceRegionStartCoordinates",
                    format_args!("NULL for {} regions", sizes.len()),
                    "NULL for 1 region",
                ));
            }
            (Some(starts), None) => RegionArrays::SingleTiles(starts),
            (Some(starts), Some(sizes)) if starts.len() == sizes.len() => RegionArrays::Both(starts, sizes),
            (Some(starts), Some(sizes)) => {
                return Err(rules::REGION_ARRAYS.violated(
                    "pResourceRegionSizes",
                    format_args!("{} sizes for {} coordinates", sizes.len(), starts.len()),
                    starts.len(),
                ));
            }
        };
        Ok(Regions { grid, of })
    }

    #[inline]
    fn count(&self) -> usize {
        match self.of {
            RegionArrays::Whole | RegionArrays::OneFromStart(_) => 1,
            RegionArrays::SingleTiles(starts) | RegionArrays::Both(starts, _) => starts.len(),
        }
    }

    #[inline]
    fn iter(&self) -> impl Iterator<Item = Result<Region, Box<Violation>>> + '_ {
        (0..self.count()).map(|index| self.region(index))
    }

    #[inline]
    fn region(&self, index: usize) -> Result<Region, Box<Violation>> {
        const ONE_TILE: TileRegionSize = TileRegionSize::tiles(1);
        const FIRST_TILE: TiledResourceCoordinate = TiledResourceCoordinate::new(0, 0, 0, 0);
        match self.of {
            RegionArrays::Whole => Ok(self.grid.whole()),
            RegionArrays::OneFromStart(size) => self.grid.region(&FIRST_TILE, size),
            RegionArrays::SingleTiles(starts) => self.grid.region(&starts[index], &ONE_TILE),
            RegionArrays::Both(starts, sizes) => self.grid.region(&starts[index], &sizes[index]),
        }
    }

    /// The tiles of all; of those up to one that is refused.
    fn sum(&self) -> u64 {
        self.iter().map_while(Result::ok).map(|region| u64::from(region.count())).sum()
    }
}

/// The ranges of a call, walked from first to last.
struct Ranges<'a> {
    heap: Option<HeapTiles>,
    flags: Option<&'a [TileRangeFlags]>,
    offsets: Option<&'a [u32]>,
    counts: Counts<'a>,
    /// The current one, and what is left of it.
    current: Range,
    /// The next one's index.
    next: usize,
}

/// How many tiles the ranges have.
#[derive(Clone, Copy)]
enum Counts<'a> {
    /// One range, of all the regions' tiles.
    All,
    /// So many ranges, of one tile each.
    Ones(usize),
    Given(&'a [u32]),
}

#[derive(Clone, Copy)]
struct HeapTiles {
    address: GpuVirtualAddress,
    count: u64,
}

#[derive(Clone, Copy)]
struct Range {
    index: usize,
    shown: Shown,
    /// The heap's tile that its next one shows.
    offset: u32,
    /// `None`: as many as are asked for.
    left: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Sequential,
    SingleTile,
    Null,
    /// What was shown before.
    Skip,
}

impl<'a> Ranges<'a> {
    #[inline]
    fn new(
        device: &DeviceInner,
        resource: &Resource,
        desc: &UpdateTileMappingsDesc<'a>,
    ) -> Result<Ranges<'a>, Box<Violation>> {
        let (flags, offsets) = (desc.range_flags, desc.heap_range_start_offsets);
        let lengths =
            [flags.map(<[_]>::len), offsets.map(<[_]>::len), desc.range_tile_counts.map(<[_]>::len)];
        let count = lengths.into_iter().flatten().next().unwrap_or(1);
        if lengths.into_iter().flatten().any(|length| length != count) {
            return Err(lengths_differ(lengths));
        }
        let counts = match desc.range_tile_counts {
            Some(counts) => Counts::Given(counts),
            None if count == 1 => Counts::All,
            None => Counts::Ones(count),
        };
        let heap = match desc.heap {
            Some(heap) => Some(heap_tiles(device, resource, heap)?),
            None => None,
        };
        let current = Range { index: 0, shown: Shown::Skip, offset: 0, left: Some(0) };
        Ok(Ranges { heap, flags, offsets, counts, current, next: 0 })
    }

    #[inline]
    fn count(&self) -> usize {
        match self.counts {
            Counts::All => 1,
            Counts::Ones(count) => count,
            Counts::Given(counts) => counts.len(),
        }
    }

    /// Appends what `left` tiles from `tile` on show; whether there are ranges for all of them.
    #[inline]
    fn cover(
        &mut self,
        mut tile: u32,
        mut left: u32,
        runs: &mut Vec<TileRun>,
    ) -> Result<bool, Box<Violation>> {
        while left > 0 {
            let Some((shown, tile_count)) = self.take(left)? else { return Ok(false) };
            if let Some(target) = shown {
                push(runs, TileRun { first_tile: tile, tile_count, target });
            }
            // Wraps behind the last of 2^32 - 1 tiles alone, where nothing is left.
            tile = tile.wrapping_add(tile_count);
            left -= tile_count;
        }
        Ok(true)
    }

    /// Up to `wanted` tiles of the current range: what they show (`None`: what they did before), and how
    /// many. `None`: there is no range left.
    #[inline]
    fn take(&mut self, wanted: u32) -> Result<Option<(Option<TileTarget>, u32)>, Box<Violation>> {
        while self.current.left == Some(0) {
            if self.next == self.count() {
                return Ok(None);
            }
            self.current = self.range(self.next)?;
            self.next += 1;
        }
        let count = self.current.left.map_or(wanted, |left| left.min(wanted));
        let target = self.target(&self.current, count)?;
        let current = &mut self.current;
        if let Some(left) = &mut current.left {
            *left -= count;
        }
        if current.shown == Shown::Sequential {
            // At the very end of a heap of 2^32 tiles there is no next one: it is not used any more.
            current.offset = current.offset.wrapping_add(count);
        }
        Ok(Some((target, count)))
    }

    /// What the next `count` tiles of a range show; `None`: what they did before.
    #[inline]
    fn target(&self, range: &Range, count: u32) -> Result<Option<TileTarget>, Box<Violation>> {
        let reuse_single_tile = match range.shown {
            Shown::Skip => return Ok(None),
            Shown::Null => return Ok(Some(TileTarget::Null)),
            Shown::Sequential => false,
            Shown::SingleTile => true,
        };
        let first_tile = range.offset;
        let end = u64::from(first_tile) + if reuse_single_tile { 1 } else { u64::from(count) };
        match self.heap {
            Some(HeapTiles { address, count: heap_tiles }) if end <= heap_tiles => {
                Ok(Some(TileTarget::Heap { heap: address, first_tile, reuse_single_tile }))
            }
            Some(heap) => Err(self.out_of_heap(heap, range, count)),
            None => Err(self.no_heap(range)),
        }
    }

    /// The heap and where in it each range begins, where all show tiles of the heap in sequence.
    #[inline]
    fn sequential(&self) -> Option<(HeapTiles, &'a [u32])> {
        if self.flags.is_some() {
            return None;
        }
        self.heap.zip(self.offsets)
    }

    /// Whether it is `count` ranges of one tile each.
    #[inline]
    fn are_single_tiles(&self, count: usize) -> bool {
        let ones = match self.counts {
            Counts::All => 1,
            Counts::Ones(ones) => ones,
            Counts::Given(counts) if counts.iter().all(|count| *count == 1) => counts.len(),
            Counts::Given(_) => return false,
        };
        ones == count
    }

    #[inline]
    fn range(&self, index: usize) -> Result<Range, Box<Violation>> {
        let flags = self.flags.map_or(TileRangeFlags::empty(), |flags| flags[index]);
        let shown = match flags {
            TileRangeFlags::NULL => Shown::Null,
            TileRangeFlags::SKIP => Shown::Skip,
            TileRangeFlags::REUSE_SINGLE_TILE => Shown::SingleTile,
            flags if flags.is_empty() => Shown::Sequential,
            flags => return Err(bad_flags(index, flags)),
        };
        let shows_heap = matches!(shown, Shown::Sequential | Shown::SingleTile);
        let offset = match self.offsets {
            Some(offsets) => offsets[index],
            None if shows_heap => return Err(no_offsets(index, flags)),
            None => 0,
        };
        let left = match self.counts {
            Counts::All => None,
            Counts::Ones(_) => Some(1),
            Counts::Given(counts) => Some(counts[index]),
        };
        Ok(Range { index, shown, offset, left })
    }

    /// Whether no tile of any range is left.
    #[inline]
    fn are_used_up(&self) -> bool {
        let rest = match self.counts {
            Counts::All => return true,
            Counts::Ones(count) => count > self.next,
            Counts::Given(counts) => counts[self.next..].iter().any(|count| *count > 0),
        };
        !rest && self.current.left == Some(0)
    }

    /// The tiles of all; of a range without a count none.
    fn sum(&self) -> u64 {
        match self.counts {
            Counts::All => 0,
            Counts::Ones(count) => u64::try_from(count).unwrap_or(u64::MAX),
            Counts::Given(counts) => counts.iter().map(|count| u64::from(*count)).sum(),
        }
    }

    /// A range as it was given.
    fn given(&self, range: &Range) -> GivenRange {
        let index = range.index;
        GivenRange {
            index,
            offset: self.offsets.and_then(|offsets| offsets.get(index)).copied().unwrap_or(0),
            count: match self.counts {
                Counts::All => None,
                Counts::Ones(_) => Some(1),
                Counts::Given(counts) => counts.get(index).copied(),
            },
        }
    }

    #[cold]
    fn no_heap(&self, range: &Range) -> Box<Violation> {
        rules::HEAP_NULL.violated("pHeap", format_args!("NULL for {}", self.given(range)), "a heap")
    }

    #[cold]
    fn out_of_heap(&self, heap: HeapTiles, range: &Range, count: u32) -> Box<Violation> {
        let end = u64::from(range.offset) + u64::from(count);
        rules::HEAP_RANGE.violated(
            "pHeapRangeStartOffsets, pRangeTileCounts",
            format_args!("{}, up to tile {end}", self.given(range)),
            format_args!(
                "within the heap's {} tiles ({} bytes)",
                heap.count,
                heap.count.saturating_mul(limits::TILE_SIZE)
            ),
        )
    }
}

/// A range, for errors.
struct GivenRange {
    index: usize,
    offset: u32,
    count: Option<u32>,
}

impl fmt::Display for GivenRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "range {}, ", self.index)?;
        match self.count {
            Some(count) => write!(f, "{count} tiles at tile {} of the heap", self.offset),
            None => write!(f, "all tiles, at tile {} of the heap", self.offset),
        }
    }
}

/// The tiles of a heap that takes the resource.
#[inline]
fn heap_tiles(device: &DeviceInner, resource: &Resource, heap: &Heap) -> Result<HeapTiles, Box<Violation>> {
    if !core::ptr::eq(&*heap.inner.device, device) {
        return Err(other_device("pHeap", "a heap"));
    }
    let core = &heap.inner.core;
    check_heap_takes(&core.resolved, &resource.inner.desc)?;
    Ok(HeapTiles { address: core.gpu_virtual_address(), count: core.usable_size / limits::TILE_SIZE })
}

#[cold]
fn lengths_differ(lengths: [Option<usize>; 3]) -> Box<Violation> {
    let told = lengths.map(|length| length.map_or("NULL".to_owned(), |length| length.to_string()));
    let [flags, offsets, counts] = told;
    rules::RANGE_ARRAYS.violated(
        "pRangeFlags, pHeapRangeStartOffsets, pRangeTileCounts",
        format_args!("{flags}, {offsets} and {counts} entries"),
        "NumRanges entries each, or NULL",
    )
}

#[cold]
fn bad_flags(index: usize, flags: TileRangeFlags) -> Box<Violation> {
    rules::RANGE_FLAGS.violated(
        "pRangeFlags",
        format_args!("{flags} of range {index}"),
        "NONE, NULL, SKIP or REUSE_SINGLE_TILE",
    )
}

#[cold]
fn no_offsets(index: usize, flags: TileRangeFlags) -> Box<Violation> {
    rules::RANGE_OFFSETS.violated(
        "pHeapRangeStartOffsets",
        format_args!("NULL, with range {index} of flags {flags}"),
        "offsets in the heap, or only NULL and SKIP ranges",
    )
}

#[cold]
fn sums_differ(regions: &Regions<'_>, ranges: &Ranges<'_>) -> Box<Violation> {
    let (tiles, ranged) = (regions.sum(), ranges.sum());
    rules::RANGE_SUM.violated(
        "pRangeTileCounts",
        format_args!("{ranged} tiles in {} ranges", ranges.count()),
        format_args!("{tiles}, the tiles of {} regions", regions.count()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_goes_on_behind_the_last_of_all_tiles() {
        let heap = GpuVirtualAddress(1 << 32);
        let shows = |first_tile| TileTarget::Heap { heap, first_tile, reuse_single_tile: false };
        let run = |first_tile| TileRun { first_tile: 0, tile_count: 1, target: shows(first_tile) };
        assert!(goes_on(&run(6), &shows(7)));
        assert!(goes_on(&run(u32::MAX - 1), &shows(u32::MAX)));
        assert!(!goes_on(&run(u32::MAX), &shows(0)));
    }
}
