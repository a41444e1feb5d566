//! GetResourceTiling: the tiles of a reserved resource.

use heapstone_spec::rules::description as rule;
use heapstone_spec::{ResourceDesc, Violation, limits};
use heapstone_units::{Alignment, Bytes};

use crate::allocation::extent_fields;
use crate::blocks::{self, ResolvedPattern};
use crate::rules::{LayoutRules, Purpose};
use crate::subresource;
use crate::surface::{self, Geometry, Plan};
use crate::validate;

/// D3D12_TILE_SHAPE: texels of a tile; of a buffer bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileShape {
    /// Along x.
    pub width_in_texels: u32,
    /// Along y.
    pub height_in_texels: u32,
    /// Along z.
    pub depth_in_texels: u32,
}

/// D3D12_SUBRESOURCE_TILING: the grid of tiles of one subresource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SubresourceTiling {
    /// Along x.
    pub width_in_tiles: u32,
    /// Along y.
    pub height_in_tiles: u16,
    /// Along z.
    pub depth_in_tiles: u16,
    /// The first tile's index in the resource.
    pub start_tile_index: u32,
}

impl SubresourceTiling {
    /// Of a packed mip: it has no tiles of its own (facts/layout.md, Tiling).
    pub const PACKED: SubresourceTiling = SubresourceTiling {
        width_in_tiles: 0,
        height_in_tiles: 0,
        depth_in_tiles: 0,
        start_tile_index: u32::MAX,
    };
}

/// D3D12_PACKED_MIP_INFO: of one slice; every slice of an array has the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedMipInfo {
    /// Mips with tiles of their own.
    pub standard_mips: u8,
    /// Mips that share tiles.
    pub packed_mips: u8,
    /// Tiles that they share.
    pub tiles_for_packed_mips: u32,
    /// The first of those tiles in slice 0; 0 where there are none.
    pub start_tile_index: u32,
}

/// What GetResourceTiling answers for the whole resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResourceTiling {
    /// All tiles, of 64 KiB each.
    pub total_tiles: u32,
    /// Packed mips; all 0 of buffers.
    pub packed: PackedMipInfo,
    /// Reported even where every mip is packed (facts/layout.md, Tiling).
    pub tile_shape: TileShape,
}

const TILE: Alignment = Alignment::constant(limits::TILE_SIZE);

/// GetResourceTiling of a reserved resource: the totals, and the grids of the subresources from
/// `first_subresource` on into `subresources`, which is written only on success. Tiles run x, then y, then
/// z; subresources follow each other in the order of their index (facts/layout.md, Tiling).
///
/// # Errors
/// A description that is not legal for a reserved resource, subresources it does not have, more tiles
/// than 32 bits count.
pub fn resource_tiling(
    rules: &LayoutRules,
    desc: &ResourceDesc,
    first_subresource: u32,
    subresources: &mut [SubresourceTiling],
) -> Result<ResourceTiling, Box<Violation>> {
    let legal = validate::validate(rules, desc, Purpose::Reserved)?;
    legal_resource_tiling(rules, &legal, first_subresource, subresources)
}

/// [`resource_tiling`] of a reserved resource that exists: its description was legal when it was created,
/// and has its mips and its alignment filled in since, which not every SDK takes back.
///
/// # Errors
/// Subresources that it does not have, more tiles than 32 bits count.
pub fn legal_resource_tiling(
    rules: &LayoutRules,
    legal: &ResourceDesc,
    first_subresource: u32,
    subresources: &mut [SubresourceTiling],
) -> Result<ResourceTiling, Box<Violation>> {
    check_range(legal, first_subresource, subresources.len())?;
    if legal.is_buffer() {
        buffer_tiling(legal, subresources)
    } else {
        texture_tiling(rules, legal, first_subresource, subresources)
    }
}

fn buffer_tiling(
    desc: &ResourceDesc,
    subresources: &mut [SubresourceTiling],
) -> Result<ResourceTiling, Box<Violation>> {
    // Reserved buffers are rounded up to whole tiles (facts/layout.md, Tiling).
    let total_tiles = TILE
        .align_up(desc.width)
        .and_then(|size| u32::try_from(size >> TILE.log2()).ok())
        .ok_or_else(|| tiles_violation(desc))?;
    if let Some(tiling) = subresources.first_mut() {
        *tiling = SubresourceTiling {
            width_in_tiles: total_tiles,
            height_in_tiles: 1,
            depth_in_tiles: 1,
            start_tile_index: 0,
        };
    }
    Ok(ResourceTiling {
        total_tiles,
        packed: PackedMipInfo {
            standard_mips: 0,
            packed_mips: 0,
            tiles_for_packed_mips: 0,
            start_tile_index: 0,
        },
        tile_shape: TileShape { width_in_texels: 1 << TILE.log2(), height_in_texels: 1, depth_in_texels: 1 },
    })
}

fn texture_tiling(
    rules: &LayoutRules,
    desc: &ResourceDesc,
    first: u32,
    subresources: &mut [SubresourceTiling],
) -> Result<ResourceTiling, Box<Violation>> {
    let geometry = Geometry::new(desc);
    let plan = Plan::new(rules, desc, &geometry, TILE);
    debug_assert!(
        matches!(plan.pattern, ResolvedPattern::Undefined64KbTiles | ResolvedPattern::Standard64KbTiles),
        "a legal reserved texture has a 64KB layout"
    );
    // A legal reserved texture has one plane (resource.reserved.format).
    let plane = geometry.planes.get(0).ok_or_else(|| tiles_violation(desc))?;
    let tile = blocks::block(plan.pattern, geometry.cut(plane));

    let mut grids = [SubresourceTiling::PACKED; limits::MIP_LEVELS_MAX as usize];
    let mut fits = true;
    let slice = surface::walk_slice(&geometry, plane, tile, plan.rule, |placement| {
        if placement.in_tail {
            return;
        }
        let grid = surface::grid(placement.elements, tile);
        let tiling = (|| {
            Some(SubresourceTiling {
                width_in_tiles: u32::try_from(grid.width).ok()?,
                height_in_tiles: u16::try_from(grid.height).ok()?,
                depth_in_tiles: u16::try_from(grid.depth).ok()?,
                start_tile_index: u32::try_from(placement.offset >> TILE.log2()).ok()?,
            })
        })();
        match (tiling, grids.get_mut(usize::from(placement.mip))) {
            (Some(tiling), Some(slot)) => *slot = tiling,
            _ => fits = false,
        }
    });
    let slice = slice.filter(|_| fits).ok_or_else(|| tiles_violation(desc))?;

    let tiles_of = |bytes: u64| u32::try_from(bytes >> TILE.log2()).ok();
    let numbers = (|| {
        let slice_tiles = tiles_of(slice.bytes)?;
        let packed_tiles = tiles_of(slice.bytes - slice.tail_offset)?;
        let total = slice_tiles.checked_mul(u32::from(geometry.slices))?;
        Some((slice_tiles, packed_tiles, total))
    })();
    let (slice_tiles, packed_tiles, total_tiles) = numbers.ok_or_else(|| tiles_violation(desc))?;

    let mips = u32::from(geometry.mips);
    for (index, output) in (first..).zip(subresources.iter_mut()) {
        let (mip, array_slice, _) =
            subresource::decompose_subresource(index, mips, u32::from(geometry.slices));
        let grid = usize::try_from(mip).ok().and_then(|mip| grids.get(mip)).copied();
        *output = match grid {
            Some(grid) if grid != SubresourceTiling::PACKED => SubresourceTiling {
                // Below the total, which has 32 bits.
                start_tile_index: grid.start_tile_index + array_slice * slice_tiles,
                ..grid
            },
            _ => SubresourceTiling::PACKED,
        };
    }

    let shape = tile.elements();
    let small = |count: u16| u8::try_from(count).unwrap_or(u8::MAX);
    Ok(ResourceTiling {
        total_tiles,
        packed: PackedMipInfo {
            standard_mips: small(slice.tail_mip),
            packed_mips: small(geometry.mips - slice.tail_mip),
            tiles_for_packed_mips: packed_tiles,
            start_tile_index: if packed_tiles == 0 { 0 } else { slice_tiles - packed_tiles },
        },
        tile_shape: TileShape {
            width_in_texels: u32::try_from(shape.width << plane.element_width_log2).unwrap_or(u32::MAX),
            height_in_texels: shape.height << plane.element_height_log2,
            depth_in_texels: shape.depth,
        },
    })
}

fn check_range(desc: &ResourceDesc, first: u32, count: usize) -> Result<(), Box<Violation>> {
    let subresources = subresource::subresource_count(desc);
    let end = u64::try_from(count).ok().and_then(|count| count.checked_add(u64::from(first)));
    if end.is_some_and(|end| end <= subresources) {
        return Ok(());
    }
    Err(rule::TILING_RANGE.violated(
        "FirstSubresourceTilingToGet, NumSubresourceTilings",
        format!("{count} from {first}"),
        format!("a range within 0 to {subresources}"),
    ))
}

#[cold]
fn tiles_violation(desc: &ResourceDesc) -> Box<Violation> {
    rule::SIZE.violated(
        extent_fields(desc),
        format!("a reserved resource of {} along x, more than 32 bits of tiles", Bytes(desc.width)),
        "at most 4294967295 tiles of 64 KiB",
    )
}
