//! The grids of tiles of a reserved resource, and what a region of them is.

use heapstone_layout::{
    ResourceTiling, SubresourceTiling, TileShape, array_size, decompose_subresource, legal_resource_tiling,
};
use heapstone_spec::rules::tile as rules;
use heapstone_spec::tiles::{TileBox, TileRegionSize, TiledResourceCoordinate};
use heapstone_spec::{ResourceDimension, Violation, limits};

use super::region::Region;
use crate::resource::{Place, ResourceInner};

/// The tiles of a reserved resource, as GetResourceTiling tells them (facts/layout.md, Tiling).
///
/// ```text
///   slice 0                                            slice 1
///   [mip 0: x, y, z][mip 1]...[packed mips]            [mip 0]...
///   tile 0           ^ start_tile_index  ^ packed      slice_tiles
/// ```
#[derive(Debug)]
pub(crate) struct TileGrid {
    total: u32,
    /// Of one array slice.
    slice_tiles: u32,
    slices: u32,
    mips: u32,
    /// Mips with grids of their own; the others share the packed tiles.
    standard_mips: u32,
    /// The first packed tile of slice 0.
    packed_start: u32,
    packed_tiles: u32,
    dimension: ResourceDimension,
    shape: TileShape,
    /// Of slice 0.
    grids: [SubresourceTiling; limits::MIP_LEVELS_MAX as usize],
}

/// Where a tile lies in its resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TilePlace {
    /// In a mip with a grid of its own: texels, or a buffer's bytes, from the tile's corner on.
    Standard {
        subresource: u32,
        /// Along x, y, z.
        position: [u32; 3],
    },
    /// Among the packed tiles of a slice: only the driver knows what of it is where.
    Packed,
}

/// Where a region begins.
enum Start<'a> {
    Standard {
        /// In the resource.
        tile: u32,
        grid: &'a SubresourceTiling,
        slice: u32,
    },
    Packed {
        tile: u32,
    },
}

impl TileGrid {
    fn new(resource: &ResourceInner) -> Result<TileGrid, Box<Violation>> {
        let desc = &resource.desc;
        let mut grids = [SubresourceTiling::PACKED; limits::MIP_LEVELS_MAX as usize];
        let mips = desc.mip_levels.clamp(1, limits::MIP_LEVELS_MAX);
        let rules = &resource.device().layout_rules;
        let ResourceTiling { total_tiles, packed, tile_shape } =
            legal_resource_tiling(rules, desc, 0, &mut grids[..usize::from(mips)])?;
        let slices = u32::from(array_size(desc).max(1));
        Ok(TileGrid {
            total: total_tiles,
            slice_tiles: total_tiles / slices,
            slices,
            mips: u32::from(mips),
            // A buffer reports no mips, and is one grid.
            standard_mips: if desc.is_buffer() { 1 } else { u32::from(packed.standard_mips) },
            packed_start: packed.start_tile_index,
            packed_tiles: packed.tiles_for_packed_mips,
            dimension: desc.dimension,
            shape: tile_shape,
            grids,
        })
    }

    /// Texels of a tile; of a buffer bytes.
    pub(crate) const fn shape(&self) -> TileShape {
        self.shape
    }

    /// All tiles as a region.
    #[inline]
    pub(crate) const fn whole(&self) -> Region {
        Region::linear(0, self.total)
    }

    /// The region of `size` at `start`.
    ///
    /// # Errors
    /// `tile.region.*`.
    #[inline]
    pub(crate) fn region(
        &self,
        start: &TiledResourceCoordinate,
        size: &TileRegionSize,
    ) -> Result<Region, Box<Violation>> {
        match (self.start(start)?, size.tile_box) {
            (Start::Standard { tile, .. } | Start::Packed { tile }, None) => {
                if size.num_tiles > self.total - tile {
                    return Err(self.out_of_resource(start, size, tile));
                }
                Ok(Region::linear(tile, size.num_tiles))
            }
            (Start::Standard { tile, grid, slice }, Some(tile_box)) => {
                self.boxed(start, size, tile_box, (tile, grid, slice))
            }
            (Start::Packed { .. }, Some(_)) => Err(rules::REGION_PACKED.violated(
                "D3D12_TILE_REGION_SIZE.UseBox",
                format_args!("{size} at {start}, a packed mip"),
                "FALSE on packed mips",
            )),
        }
    }

    fn boxed(
        &self,
        start: &TiledResourceCoordinate,
        size: &TileRegionSize,
        tile_box: TileBox,
        (tile, grid, slice): (u32, &SubresourceTiling, u32),
    ) -> Result<Region, Box<Violation>> {
        // What the dimension does not have is not looked at (Microsoft's documentation of
        // D3D12_TILE_REGION_SIZE: Height is used for 2D and 3D, Depth for 3D and arrays).
        let is_3d = self.dimension == ResourceDimension::Texture3D;
        let is_flat = matches!(self.dimension, ResourceDimension::Buffer | ResourceDimension::Texture1D);
        let width = tile_box.width;
        let height = if is_flat { 1 } else { u32::from(tile_box.height) };
        let depth = if is_3d || self.slices > 1 { u32::from(tile_box.depth) } else { 1 };
        let (grid_width, grid_height) = (grid.width_in_tiles, u32::from(grid.height_in_tiles));
        let depth_left = if is_3d { u32::from(grid.depth_in_tiles) - start.z } else { self.slices - slice };
        if width > grid_width - start.x || height > grid_height - start.y || depth > depth_left {
            let given = [width, height, depth];
            return Err(out_of_mip(start, given, [grid_width - start.x, grid_height - start.y, depth_left]));
        }
        let count = u64::from(width) * u64::from(height) * u64::from(depth);
        if count != u64::from(size.num_tiles) {
            return Err(rules::REGION_COUNT.violated(
                "D3D12_TILE_REGION_SIZE.NumTiles",
                format_args!("{} of a box of {width} x {height} x {depth} tiles", size.num_tiles),
                count,
            ));
        }
        // Products of a grid's extents: its tiles are counted in 32 bits.
        let slice_step = if is_3d { grid_width * grid_height } else { self.slice_tiles };
        Ok(Region::boxed(tile, [width, height, depth], [grid_width, slice_step]))
    }

    /// A tile, in the resource.
    ///
    /// # Errors
    /// `tile.region.*`.
    #[inline]
    pub(crate) fn tile(&self, at: &TiledResourceCoordinate) -> Result<u32, Box<Violation>> {
        match self.tile_in_first_slice(at) {
            Some(tile) => Ok(tile),
            None => self.tile_elsewhere(at),
        }
    }

    /// A tile that is in the first slice, as most are, and not packed: an answer that fits registers.
    #[inline]
    pub(crate) fn tile_in_first_slice(&self, at: &TiledResourceCoordinate) -> Option<u32> {
        if at.subresource >= self.standard_mips {
            return None;
        }
        let grid = self.grid(at.subresource);
        let (width, height) = (grid.width_in_tiles, u32::from(grid.height_in_tiles));
        let is_there = at.x < width && at.y < height && at.z < u32::from(grid.depth_in_tiles);
        is_there.then(|| grid.start_tile_index + (at.z * height + at.y) * width + at.x)
    }

    #[inline(never)]
    fn tile_elsewhere(&self, at: &TiledResourceCoordinate) -> Result<u32, Box<Violation>> {
        match self.start(at)? {
            Start::Standard { tile, .. } | Start::Packed { tile } => Ok(tile),
        }
    }

    /// The tile where a region begins.
    #[inline]
    fn start(&self, start: &TiledResourceCoordinate) -> Result<Start<'_>, Box<Violation>> {
        let (mip, slice, plane) = decompose_subresource(start.subresource, self.mips, self.slices);
        if plane != 0 {
            return Err(self.no_such_subresource(start));
        }
        let slice_start = slice * self.slice_tiles;
        if mip >= self.standard_mips {
            if start.y != 0 || start.z != 0 {
                return Err(rules::REGION_PACKED.violated(
                    "D3D12_TILED_RESOURCE_COORDINATE.Y, Z",
                    format_args!("{start}, a packed mip"),
                    "Y and Z 0 on packed mips",
                ));
            }
            if start.x >= self.packed_tiles {
                return Err(no_such_tile(start, [self.packed_tiles, 1, 1]));
            }
            return Ok(Start::Packed { tile: slice_start + self.packed_start + start.x });
        }
        let grid = self.grid(mip);
        let extent = [grid.width_in_tiles, u32::from(grid.height_in_tiles), u32::from(grid.depth_in_tiles)];
        if start.x >= extent[0] || start.y >= extent[1] || start.z >= extent[2] {
            return Err(no_such_tile(start, extent));
        }
        // Below the mip's tiles, which 32 bits count.
        let within = (start.z * extent[1] + start.y) * extent[0] + start.x;
        Ok(Start::Standard { tile: slice_start + grid.start_tile_index + within, grid, slice })
    }

    fn grid(&self, mip: u32) -> &SubresourceTiling {
        &self.grids[usize::try_from(mip).unwrap_or(0)]
    }

    /// Where a tile of the resource lies.
    pub(crate) fn place(&self, tile: u32) -> TilePlace {
        let (slice, within_slice) = (tile / self.slice_tiles, tile % self.slice_tiles);
        if self.packed_tiles > 0 && within_slice >= self.packed_start {
            return TilePlace::Packed;
        }
        // Mips follow each other: the last that does not begin behind the tile.
        let mip = (0..self.standard_mips)
            .rev()
            .find(|mip| self.grid(*mip).start_tile_index <= within_slice)
            .expect("invariant: mip 0 begins at a slice's first tile");
        let grid = self.grid(mip);
        let within = within_slice - grid.start_tile_index;
        let (width, height) = (grid.width_in_tiles, u32::from(grid.height_in_tiles));
        let position = [within % width, within / width % height, within / width / height];
        TilePlace::Standard { subresource: mip + slice * self.mips, position }
    }

    #[cold]
    fn no_such_subresource(&self, start: &TiledResourceCoordinate) -> Box<Violation> {
        rules::REGION_SUBRESOURCE.violated(
            "D3D12_TILED_RESOURCE_COORDINATE.Subresource",
            start.subresource,
            format_args!("0 to {}", self.mips * self.slices - 1),
        )
    }

    #[cold]
    fn out_of_resource(
        &self,
        start: &TiledResourceCoordinate,
        size: &TileRegionSize,
        tile: u32,
    ) -> Box<Violation> {
        rules::REGION_RANGE.violated(
            "D3D12_TILE_REGION_SIZE.NumTiles",
            format_args!("{} tiles at {start}, tile {tile} of {}", size.num_tiles, self.total),
            format_args!("at most {}", self.total - tile),
        )
    }
}

#[cold]
fn no_such_tile(start: &TiledResourceCoordinate, [width, height, depth]: [u32; 3]) -> Box<Violation> {
    rules::REGION_START.violated(
        "D3D12_TILED_RESOURCE_COORDINATE",
        start,
        format_args!("a tile of its {width} x {height} x {depth}"),
    )
}

#[cold]
fn out_of_mip(start: &TiledResourceCoordinate, given: [u32; 3], left: [u32; 3]) -> Box<Violation> {
    let ([width, height, depth], [width_left, height_left, depth_left]) = (given, left);
    rules::REGION_RANGE.violated(
        "D3D12_TILE_REGION_SIZE.Width, Height, Depth",
        format_args!("a box of {width} x {height} x {depth} tiles at {start}"),
        format_args!("at most {width_left} x {height_left} x {depth_left} from there"),
    )
}

impl ResourceInner {
    /// The tiles of a reserved resource; `None` of others. Asked once.
    ///
    /// # Errors
    /// Where 32 bits do not count its tiles.
    #[inline]
    pub(crate) fn tile_grid(&self) -> Option<Result<&TileGrid, Box<Violation>>> {
        let Place::Reserved { reservation, .. } = &self.place else { return None };
        if let Some(grid) = reservation.tiles.get() {
            return Some(Ok(grid));
        }
        Some(match TileGrid::new(self) {
            Ok(grid) => Ok(reservation.tiles.get_or_init(|| Box::new(grid))),
            Err(violation) => Err(violation),
        })
    }
}
