//! Tiles of reserved resources: D3D12's words for regions, ranges and their mappings.
//!
//! Source of names, numbers and meanings: Microsoft's public documentation of UpdateTileMappings,
//! CopyTileMappings and CopyTiles; beside it spec/2-resource-heaps.txt 795-845.

use core::fmt;

use bitflags::bitflags;
use serde::{Deserialize, Serialize};

use crate::flags::flag_text;

/// D3D12_TILED_RESOURCE_COORDINATE: a tile of a reserved resource. All are counted in tiles.
///
/// On packed mips `x` counts from the first of the slice's packed tiles, `y` and `z` are 0, and any packed
/// mip's subresource names the same tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TiledResourceCoordinate {
    /// Along x.
    pub x: u32,
    /// Along y; 0 of a buffer or 1D texture.
    pub y: u32,
    /// Along z; 0 but of a 3D texture.
    pub z: u32,
    /// The subresource; 0 of a buffer.
    pub subresource: u32,
}

impl TiledResourceCoordinate {
    /// A tile of subresource `subresource`.
    #[must_use]
    pub const fn new(x: u32, y: u32, z: u32, subresource: u32) -> TiledResourceCoordinate {
        TiledResourceCoordinate { x, y, z, subresource }
    }
}

impl fmt::Display for TiledResourceCoordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TiledResourceCoordinate { x, y, z, subresource } = self;
        write!(f, "tile ({x}, {y}, {z}) of subresource {subresource}")
    }
}

/// The box of a [`TileRegionSize`] whose UseBox is set, in tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileBox {
    /// Along x.
    pub width: u32,
    /// Along y; without meaning of a buffer or 1D texture.
    pub height: u16,
    /// Along z of a 3D texture; of an array the slices, of which each has the same mip; without meaning
    /// elsewhere.
    pub depth: u16,
}

/// D3D12_TILE_REGION_SIZE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileRegionSize {
    /// Tiles of the region.
    pub num_tiles: u32,
    /// UseBox, Width, Height, Depth: a box, of as many tiles. `None`: tiles follow each other along x, then y,
    /// then z, then over to the next subresource.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub tile_box: Option<TileBox>,
}

impl TileRegionSize {
    /// `num_tiles` tiles that follow each other.
    #[must_use]
    pub const fn tiles(num_tiles: u32) -> TileRegionSize {
        TileRegionSize { num_tiles, tile_box: None }
    }

    /// A box. Its count of tiles saturates, which no resource has.
    #[must_use]
    pub const fn boxed(width: u32, height: u16, depth: u16) -> TileRegionSize {
        // Lossless: u32 is wider than u16, for which const has no From.
        let num_tiles = width.saturating_mul(height as u32).saturating_mul(depth as u32);
        TileRegionSize { num_tiles, tile_box: Some(TileBox { width, height, depth }) }
    }
}

impl fmt::Display for TileRegionSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tile_box {
            Some(TileBox { width, height, depth }) => {
                write!(f, "a box of {width} x {height} x {depth} tiles")
            }
            None => write!(f, "{} tiles", self.num_tiles),
        }
    }
}

bitflags! {
    /// D3D12_TILE_RANGE_FLAGS: what a range of tiles shows. None: consecutive tiles of the heap. At most one is
    /// set.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct TileRangeFlags: u32 {
        /// Nothing.
        const NULL = 0x1;
        /// What it showed before.
        const SKIP = 0x2;
        /// One tile of the heap, all of them.
        const REUSE_SINGLE_TILE = 0x4;
    }
}

bitflags! {
    /// D3D12_TILE_MAPPING_FLAGS.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct TileMappingFlags: u32 {
        /// The program promises that no work in flight refers to the tiles.
        const NO_HAZARD = 0x1;
    }
}

flag_text!(TileRangeFlags, "NONE", "D3D12_TILE_RANGE_FLAGS");
flag_text!(TileMappingFlags, "NONE", "D3D12_TILE_MAPPING_FLAGS");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_count_their_boxes() {
        assert_eq!(TileRegionSize::boxed(2, 3, 1).num_tiles, 6);
        assert_eq!(TileRegionSize::boxed(u32::MAX, 2, 1).num_tiles, u32::MAX);
        assert_eq!(TileRegionSize::boxed(2, 3, 1).to_string(), "a box of 2 x 3 x 1 tiles");
        assert_eq!(TileRegionSize::tiles(7).to_string(), "7 tiles");
        assert_eq!(TiledResourceCoordinate::new(1, 2, 0, 9).to_string(), "tile (1, 2, 0) of subresource 9");
    }

    // d3d12.h: NONE 0, NULL 1, SKIP 2, REUSE_SINGLE_TILE 4; NO_HAZARD 1.
    #[test]
    fn flags_have_the_numbers_of_the_header() {
        assert_eq!(TileRangeFlags::NULL.bits(), 1);
        assert_eq!(TileRangeFlags::SKIP.bits(), 2);
        assert_eq!(TileRangeFlags::REUSE_SINGLE_TILE.bits(), 4);
        assert_eq!(TileMappingFlags::NO_HAZARD.bits(), 1);
        assert_eq!(TileRangeFlags::empty().to_string(), "NONE");
    }
}
