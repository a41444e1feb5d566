//! CopyTileMappings as runs of tiles.

use heapstone_driver::engine::TileCopyRun;
use heapstone_spec::caps::ResourceHeapTier;
use heapstone_spec::message;
use heapstone_spec::rules::tile as rules;
use heapstone_spec::tiles::{TileMappingFlags, TileRegionSize, TiledResourceCoordinate};
use heapstone_spec::{ResourceDesc, Violation};

use super::{as_message, check_flags, tiles_of};
use crate::device::DeviceInner;
use crate::resource::Resource;

/// A region of a reserved resource: where it begins.
pub(crate) type RegionStart<'a> = (&'a Resource, &'a TiledResourceCoordinate);

/// Plans CopyTileMappings by a queue of `device`: the tiles of a region of `destination` show from now on what
/// those of a region of `source` do, in the order of their walks. Regions may overlap. Of different formats
/// the tiles have different shapes; mappings know no shapes (chosen: D3D12 asks only that each
/// region lies in its resource).
///
/// # Errors
/// `tile.*`.
pub(crate) fn plan_copy(
    device: &DeviceInner,
    destination: RegionStart<'_>,
    source: RegionStart<'_>,
    size: &TileRegionSize,
    flags: TileMappingFlags,
) -> Result<Vec<TileCopyRun>, Box<Violation>> {
    plan(device, destination, source, size, flags)
        .map_err(|violation| as_message(violation, Some(message::COPYTILEMAPPINGS_INVALID_PARAMETER)))
}

fn plan(
    device: &DeviceInner,
    (destination, destination_start): RegionStart<'_>,
    (source, source_start): RegionStart<'_>,
    size: &TileRegionSize,
    flags: TileMappingFlags,
) -> Result<Vec<TileCopyRun>, Box<Violation>> {
    check_flags(flags)?;
    let destination_grid = tiles_of(device, "pDstResource", destination)?;
    let source_grid = tiles_of(device, "pSrcResource", source)?;
    check_category(device, &destination.inner.desc, &source.inner.desc)?;
    let to = destination_grid.region(destination_start, size)?;
    let from = source_grid.region(source_start, size)?;
    let mut runs: Vec<TileCopyRun> = Vec::new();
    let mut sources = from.rows();
    let (mut source_tile, mut source_left) = (0, 0);
    for (mut destination_tile, mut left) in to.rows() {
        while left > 0 {
            if source_left == 0 {
                // Both regions have as many tiles.
                (source_tile, source_left) = sources.next().unwrap_or((0, left));
            }
            let tile_count = left.min(source_left);
            push(&mut runs, TileCopyRun { destination_tile, source_tile, tile_count });
            destination_tile += tile_count;
            source_tile += tile_count;
            left -= tile_count;
            source_left -= tile_count;
        }
    }
    Ok(runs)
}

/// Appends a run, or lets the last one go on.
fn push(runs: &mut Vec<TileCopyRun>, run: TileCopyRun) {
    if let Some(last) = runs.last_mut()
        && last.destination_tile.checked_add(last.tile_count) == Some(run.destination_tile)
        && last.source_tile.checked_add(last.tile_count) == Some(run.source_tile)
    {
        last.tile_count += run.tile_count;
        return;
    }
    runs.push(run);
}

/// On heap tier 1 a heap holds one category; a copied mapping would show it as another.
fn check_category(
    device: &DeviceInner,
    destination: &ResourceDesc,
    source: &ResourceDesc,
) -> Result<(), Box<Violation>> {
    let is_tier_1 = device.layout_rules.caps.resource_heap_tier == ResourceHeapTier::Tier1;
    if !is_tier_1 || destination.denied_by() == source.denied_by() {
        return Ok(());
    }
    Err(rules::COPY_CATEGORY.violated(
        "pDstResource, pSrcResource",
        format_args!(
            "a resource that heaps deny by {}, and one that they deny by {}",
            destination.denied_by(),
            source.denied_by()
        ),
        "resources of one category on heap tier 1",
    ))
}
