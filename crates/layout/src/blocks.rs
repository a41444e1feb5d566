//! Block shapes of the swizzle families, and the tiles of D3D12.
//!
//! A *block* is a power of two of bytes in a near-equilateral box of elements; a surface is a grid of
//! whole blocks. Shapes are typed as elements along x, y, z for elements of 1, 2, 4, 8, 16 bytes.

use heapstone_spec::ResourceDimension;
use heapstone_spec::profile::SwizzleFamily;
use heapstone_units::{Elements, Extent};

/// The layout that a driver resolves a description's layout to
/// (D3D12DDI_RESOURCE_ALLOCATION_INFO.Layout, spec/2-resource-heaps.txt 699-717, 752).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResolvedPattern {
    /// Rows one after the other, at a pitch of 256 bytes; a buffer is one row.
    RowMajor,
    /// Tiles of 64 KiB in row-major order, each in the 64 KB standard swizzle or another of the same
    /// shape: 64KB_UNDEFINED_SWIZZLE.
    Undefined64KbTiles,
    /// Tiles of 64 KiB in row-major order, each in the 64 KB standard swizzle: 64KB_STANDARD_SWIZZLE.
    Standard64KbTiles,
    /// Blocks of a family of the profile's.
    Family(SwizzleFamily),
    /// Rows at a pitch of 16 bytes: small textures of [`SwizzleFamily::Linear`] at 4 KiB, which would
    /// outgrow their tiles at a pitch of 256 (chosen).
    CompactLinear,
}

impl ResolvedPattern {
    /// Its name: of a family as profiles write it, of a layout in D3D12's word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ResolvedPattern::RowMajor => "row_major",
            ResolvedPattern::Undefined64KbTiles => "64kb_undefined_swizzle",
            ResolvedPattern::Standard64KbTiles => "64kb_standard_swizzle",
            ResolvedPattern::Family(family) => family.name(),
            ResolvedPattern::CompactLinear => "compact_linear",
        }
    }
}

impl core::fmt::Display for ResolvedPattern {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

/// The box of elements of one block, as exponents of two: no division on the way to a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockShape {
    /// Elements along x: `2^width_log2`.
    pub width_log2: u8,
    /// Elements along y: `2^height_log2`.
    pub height_log2: u8,
    /// Elements along z: `2^depth_log2`.
    pub depth_log2: u8,
    /// Bytes of all its elements and samples: `2^bytes_log2`.
    pub bytes_log2: u8,
}

impl BlockShape {
    /// The box in elements.
    #[must_use]
    pub const fn elements(self) -> Extent<Elements> {
        Extent::new(1 << self.width_log2, 1 << self.height_log2, 1 << self.depth_log2)
    }

    /// Bytes of a block.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        1 << self.bytes_log2
    }
}

/// What a surface is cut into blocks by: dimension, element and samples.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub(crate) dimension: ResourceDimension,
    /// Of an element of one sample: 0 to 4.
    pub(crate) bytes_log2: u8,
    /// 0 to 5.
    pub(crate) samples_log2: u8,
}

/// Elements along x, y, z.
type Shape = [u32; 3];
/// Of elements of 1, 2, 4, 8, 16 bytes, as exponents.
type Table = [[u8; 3]; 5];

const fn table(shapes: [Shape; 5]) -> Table {
    let mut exponents = [[0; 3]; 5];
    let mut row = 0;
    while row < 5 {
        let mut axis = 0;
        while axis < 3 {
            assert!(shapes[row][axis].is_power_of_two(), "a block is a power of two along each axis");
            // A u32's trailing zeros fit a u8.
            #[allow(clippy::cast_possible_truncation)]
            {
                exponents[row][axis] = shapes[row][axis].trailing_zeros() as u8;
            }
            axis += 1;
        }
        row += 1;
    }
    exponents
}

/// facts/layout.md, 64 KB standard swizzle, 2D.
const STANDARD_64KB_2D: Table =
    table([[256, 256, 1], [256, 128, 1], [128, 128, 1], [128, 64, 1], [64, 64, 1]]);
/// facts/layout.md, 64 KB standard swizzle, 3D.
const STANDARD_64KB_3D: Table = table([[64, 32, 32], [32, 32, 32], [32, 32, 16], [32, 16, 16], [16, 16, 16]]);
/// facts/layout.md, Small-resource alignment, 2D.
const STANDARD_4KB_2D: Table = table([[64, 64, 1], [64, 32, 1], [32, 32, 1], [32, 16, 1], [16, 16, 1]]);
/// facts/layout.md, Small-resource alignment, 3D.
const STANDARD_4KB_3D: Table = table([[16, 16, 16], [16, 16, 8], [16, 8, 8], [8, 8, 8], [8, 8, 4]]);
/// facts/gpu-swizzle-patterns.json, nvidia_turing_color2d_blocklinear_h16: 64 bytes x 128 rows, that is
/// 16 groups of 64 bytes x 8 rows.
const BLOCK_LINEAR_2D: Table = table([[64, 128, 1], [32, 128, 1], [16, 128, 1], [8, 128, 1], [4, 128, 1]]);
/// Chosen: the same 16 groups as 4 high and 4 deep (NVIDIA's block of a 3D texture has both factors,
/// see nvidia_blocklinear_3d_h8_d16).
const BLOCK_LINEAR_3D: Table = table([[64, 32, 4], [32, 32, 4], [16, 32, 4], [8, 32, 4], [4, 32, 4]]);
/// facts/gpu-swizzle-patterns.json, intel_tile4_3D_stacked_slices_qpitch96: 128 bytes x 32 rows; slices
/// of a 3D texture are stacked, so that a block is one slice deep.
const TILE4: Table = table([[128, 32, 1], [64, 32, 1], [32, 32, 1], [16, 32, 1], [8, 32, 1]]);
/// Chosen: the 64 KB block doubled along x and y, as AMD's blocks of one size relate to the next.
const AMD_256KB_2D: Table =
    table([[512, 512, 1], [512, 256, 1], [256, 256, 1], [256, 128, 1], [128, 128, 1]]);
/// Chosen: the 64 KB block doubled along y and z, which leaves it nearest to a cube.
const AMD_256KB_3D: Table = table([[64, 64, 64], [32, 64, 64], [32, 64, 32], [32, 32, 32], [16, 32, 32]]);

/// How many blocks' worth of bytes a 1D texture's block has: rows have one axis only, a block is a run.
const fn run_log2(family: SwizzleFamily) -> u8 {
    match family {
        SwizzleFamily::Standard64Kb => 16,
        SwizzleFamily::Standard4Kb | SwizzleFamily::Tile4 => 12,
        // 16 groups of 512 bytes.
        SwizzleFamily::BlockLinear => 13,
        SwizzleFamily::Amd256Kb => 18,
        SwizzleFamily::Linear => PITCH_LOG2,
    }
}

/// D3D12_TEXTURE_DATA_PITCH_ALIGNMENT, 256 bytes: a linear "block" is one pitch step of one row.
const PITCH_LOG2: u8 = 8;
/// 16 bytes: the shortest run of every standard pattern (facts/layout.md: A0-3 = X0-3).
const COMPACT_PITCH_LOG2: u8 = 4;

/// The block of `pattern`.
pub(crate) const fn block(pattern: ResolvedPattern, cut: Cut) -> BlockShape {
    match pattern {
        ResolvedPattern::RowMajor => run(PITCH_LOG2, cut),
        ResolvedPattern::CompactLinear => run(COMPACT_PITCH_LOG2, cut),
        ResolvedPattern::Undefined64KbTiles | ResolvedPattern::Standard64KbTiles => {
            family_block(SwizzleFamily::Standard64Kb, cut)
        }
        ResolvedPattern::Family(family) => family_block(family, cut),
    }
}

const fn family_block(family: SwizzleFamily, cut: Cut) -> BlockShape {
    use ResourceDimension::{Buffer, Texture1D, Texture2D, Texture3D, Unknown};
    let table = match (family, cut.dimension) {
        (SwizzleFamily::Linear, _) | (_, Unknown | Buffer | Texture1D) => return run(run_log2(family), cut),
        (SwizzleFamily::Standard64Kb, Texture2D) => &STANDARD_64KB_2D,
        (SwizzleFamily::Standard64Kb, Texture3D) => &STANDARD_64KB_3D,
        (SwizzleFamily::Standard4Kb, Texture2D) => &STANDARD_4KB_2D,
        (SwizzleFamily::Standard4Kb, Texture3D) => &STANDARD_4KB_3D,
        (SwizzleFamily::BlockLinear, Texture2D) => &BLOCK_LINEAR_2D,
        (SwizzleFamily::BlockLinear, Texture3D) => &BLOCK_LINEAR_3D,
        (SwizzleFamily::Tile4, Texture2D | Texture3D) => &TILE4,
        (SwizzleFamily::Amd256Kb, Texture2D) => &AMD_256KB_2D,
        (SwizzleFamily::Amd256Kb, Texture3D) => &AMD_256KB_3D,
    };
    // Elements have at most 16 bytes: the mask changes nothing and spares the bound check a panic.
    let row = if cut.bytes_log2 < 5 { cut.bytes_log2 } else { 4 };
    let [width, height, depth] = table[row as usize];
    divided(width, height, depth, cut)
}

/// Samples are the top bits of a block's address, so that a block of several samples covers the 2D
/// block divided by 2x1, 2x2, 4x2, 4x4 for 2, 4, 8, 16 (facts/layout.md, 64 KB standard swizzle, MSAA).
const fn divided(width_log2: u8, height_log2: u8, depth_log2: u8, cut: Cut) -> BlockShape {
    let width_log2 = width_log2.saturating_sub(cut.samples_log2.div_ceil(2));
    let height_log2 = height_log2.saturating_sub(cut.samples_log2 / 2);
    BlockShape {
        width_log2,
        height_log2,
        depth_log2,
        bytes_log2: width_log2 + height_log2 + depth_log2 + cut.bytes_log2 + cut.samples_log2,
    }
}

/// A block that is a run of `2^run_log2` bytes of one row, or one element where that is longer. The
/// samples of an element stay beside each other.
const fn run(run_log2: u8, cut: Cut) -> BlockShape {
    let width_log2 = run_log2.saturating_sub(cut.bytes_log2 + cut.samples_log2);
    BlockShape {
        width_log2,
        height_log2: 0,
        depth_log2: 0,
        bytes_log2: width_log2 + cut.bytes_log2 + cut.samples_log2,
    }
}

/// The tile of 64 KiB that D3D12 maps and counts by, whatever the driver's pattern is: elements of
/// `2^bytes_log2` bytes (0 to 4) and `2^samples_log2` samples (facts/standard-swizzle.json, tile_shapes).
#[must_use]
pub const fn tile_64kb(dimension: ResourceDimension, bytes_log2: u8, samples_log2: u8) -> BlockShape {
    family_block(SwizzleFamily::Standard64Kb, bounded(dimension, bytes_log2, samples_log2))
}

/// The tile of 4 KiB that small textures are counted by (facts/standard-swizzle.json, tile_shapes).
#[must_use]
pub const fn tile_4kb(dimension: ResourceDimension, bytes_log2: u8, samples_log2: u8) -> BlockShape {
    family_block(SwizzleFamily::Standard4Kb, bounded(dimension, bytes_log2, samples_log2))
}

const fn bounded(dimension: ResourceDimension, bytes_log2: u8, samples_log2: u8) -> Cut {
    Cut {
        dimension,
        bytes_log2: if bytes_log2 < 5 { bytes_log2 } else { 4 },
        samples_log2: if samples_log2 < 6 { samples_log2 } else { 5 },
    }
}
