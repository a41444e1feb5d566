//! The pattern of each family of a profile: for every dimension, element and number of samples one whose
//! block has exactly the shape of [`BlockShape`](crate::BlockShape).

use std::sync::OnceLock;

use heapstone_spec::ResourceDimension;
use heapstone_spec::profile::SwizzleFamily;

use super::engine::CompiledPattern;
use super::gpu::{self, GroupOfBytes};
use super::pattern::{BitEntry, Channel, SwizzlePattern};
use super::standard::{self, ByElement, row, rows};
use crate::blocks::{Cut, ResolvedPattern};

/// Chosen: the fact's AMD gfx11 pattern SW_64KB_D_X of 32 bits with one more bit of Y and X on top, as
/// 256 KiB are 64 KiB doubled along both; and for other elements the like, squares of 256 bytes inside.
const AMD_256KB_2D: ByElement = rows([
    "X0 X1 X2 Y0 X3 Y1 Y2 Y3 Y4 X4 Y5 X5 Y6 X6 Y7 X7 Y8 X8",
    "X0 X1 X2 Y0 X3 Y1 X4 Y2 Y3 X5 Y4 X6 Y5 X7 Y6 X8 Y7 X9",
    "X0 X1 X2 Y0 X3 Y1 X4 Y2 Y3 X5 Y4 X6 Y5 X7 Y6 X8 Y7 X9",
    "X0 X1 X2 Y0 X3 Y1 X4 X5 Y2 X6 Y3 X7 Y4 X8 Y5 X9 Y6 X10",
    "X0 X1 X2 X3 Y0 X4 Y1 X5 Y2 X6 Y3 X7 Y4 X8 Y5 X9 Y6 X10",
]);

/// Chosen: the fact's variants 3D_64KB_amd_gfx11 with one more bit of Z and Y on top.
const AMD_256KB_3D: ByElement = rows([
    "X0 X1 Z0 Y0 Y1 Z1 X2 Z2 Y2 X3 Z3 Y3 X4 Z4 Y4 X5 Z5 Y5",
    "X0 X1 Z0 Y0 X2 Z1 Y1 Z2 Y2 X3 Z3 Y3 X4 Z4 Y4 X5 Z5 Y5",
    "X0 X1 X2 Y0 X3 Z0 Y1 Z1 Y2 X4 Z2 Y3 X5 Z3 Y4 X6 Z4 Y5",
    "X0 X1 X2 X3 Y0 Z0 X4 Z1 Y1 X5 Z2 Y2 X6 Z3 Y3 X7 Z4 Y4",
    "X0 X1 X2 X3 X4 Z0 Y0 Z1 Y1 X5 Z2 Y2 X6 Z3 Y3 X7 Z4 Y4",
]);

/// The first address bit above a line of 256 bytes: what AMD's pipes are chosen by, and XORed at.
const PIPE_BIT: usize = 8;

/// A pattern for each element and number of samples of a family in one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Standard64Kb2D,
    Standard64Kb3D,
    Standard4Kb2D,
    Standard4Kb3D,
    BlockLinear2D,
    BlockLinear3D,
    Tile4Flat,
    Tile4Stacked,
    Amd256Kb2D,
    Amd256Kb3D,
}

impl Set {
    const COUNT: usize = 10;

    /// `None` where rows are not swizzled: of 1D textures a block is a run of one row.
    const fn of(pattern: ResolvedPattern, dimension: ResourceDimension) -> Option<Set> {
        let family = match pattern {
            ResolvedPattern::RowMajor | ResolvedPattern::CompactLinear => return None,
            ResolvedPattern::Undefined64KbTiles | ResolvedPattern::Standard64KbTiles => {
                SwizzleFamily::Standard64Kb
            }
            ResolvedPattern::Family(family) => family,
        };
        let deep = match dimension {
            ResourceDimension::Texture2D => false,
            ResourceDimension::Texture3D => true,
            ResourceDimension::Unknown | ResourceDimension::Buffer | ResourceDimension::Texture1D => {
                return None;
            }
        };
        Some(match (family, deep) {
            (SwizzleFamily::Linear, _) => return None,
            (SwizzleFamily::Standard64Kb, false) => Set::Standard64Kb2D,
            (SwizzleFamily::Standard64Kb, true) => Set::Standard64Kb3D,
            (SwizzleFamily::Standard4Kb, false) => Set::Standard4Kb2D,
            (SwizzleFamily::Standard4Kb, true) => Set::Standard4Kb3D,
            (SwizzleFamily::BlockLinear, false) => Set::BlockLinear2D,
            (SwizzleFamily::BlockLinear, true) => Set::BlockLinear3D,
            (SwizzleFamily::Tile4, false) => Set::Tile4Flat,
            (SwizzleFamily::Tile4, true) => Set::Tile4Stacked,
            (SwizzleFamily::Amd256Kb, false) => Set::Amd256Kb2D,
            (SwizzleFamily::Amd256Kb, true) => Set::Amd256Kb3D,
        })
    }

    /// For elements of `2^bytes_log2` bytes and one sample; elements have at most 16 bytes.
    fn single(self, bytes_log2: usize) -> Option<SwizzlePattern> {
        let of = |rows: &ByElement| rows.get(bytes_log2).copied().map(SwizzlePattern::of_interleave);
        match self {
            Set::Standard64Kb2D => of(&standard::STANDARD_64KB_2D),
            Set::Standard64Kb3D => of(&standard::STANDARD_64KB_3D),
            Set::Standard4Kb2D => of(&standard::STANDARD_4KB_2D),
            Set::Standard4Kb3D => of(&standard::D3D12_4KB_3D),
            Set::BlockLinear2D => Some(gpu::block_linear(GroupOfBytes::Turing, 4, 0)),
            // Chosen: the groups of bytes of the 2D pattern, in the order of the fact's 3D one.
            Set::BlockLinear3D => Some(gpu::block_linear(GroupOfBytes::Turing, 2, 2)),
            Set::Tile4Flat => Some(SwizzlePattern::of_interleave(const { row(gpu::TILE4) })),
            Set::Tile4Stacked => Some(SwizzlePattern {
                stack_depth_slices: true,
                ..SwizzlePattern::of_interleave(const { row(gpu::TILE4) })
            }),
            Set::Amd256Kb2D => of(&AMD_256KB_2D).map(xored_2d),
            Set::Amd256Kb3D => of(&AMD_256KB_3D).map(xored_3d),
        }
    }
}

/// The lowest bit of a coordinate that the block lies beside, moved down by `below`.
fn outside(pattern: &SwizzlePattern, channel: Channel, below: u8) -> BitEntry {
    let bits = pattern.interleave.iter().flatten().filter(|entry| entry.channel == channel).count();
    BitEntry { channel, bit: u8::try_from(bits).unwrap_or(u8::MAX).saturating_sub(below) }
}

/// The XORs of the fact's SW_64KB_D_X, X9 Y7 X8 Y6 X7 of a block with X0 to X8 and Y0 to Y6: counted from
/// the block's size, the first bits outside and the last ones inside.
fn xored_2d(mut pattern: SwizzlePattern) -> SwizzlePattern {
    let xor = [(Channel::X, 0), (Channel::Y, 0), (Channel::X, 1), (Channel::Y, 1), (Channel::X, 2)]
        .map(|(channel, below)| outside(&pattern, channel, below));
    pattern.interleave_xor[0] = gpu::xor_from(PIPE_BIT, &xor);
    pattern
}

/// Chosen: the same in three dimensions, with bits from outside only.
fn xored_3d(mut pattern: SwizzlePattern) -> SwizzlePattern {
    let xor = [Channel::X, Channel::Y, Channel::Z].map(|channel| outside(&pattern, channel, 0));
    pattern.interleave_xor[0] = gpu::xor_from(PIPE_BIT, &xor);
    pattern
}

/// Elements have 1, 2, 4, 8 or 16 bytes.
const ELEMENTS: usize = 5;
/// Samples are 1 to 32.
const SAMPLES: usize = 6;

/// Compiled when first asked for, and kept.
static PATTERNS: [[[OnceLock<Box<CompiledPattern>>; SAMPLES]; ELEMENTS]; Set::COUNT] =
    [const { [const { [const { OnceLock::new() }; SAMPLES] }; ELEMENTS] }; Set::COUNT];

/// How `pattern` swizzles a surface that is cut so; `None` where it is linear.
pub(crate) fn pattern_of(pattern: ResolvedPattern, cut: Cut) -> Option<&'static CompiledPattern> {
    let set = Set::of(pattern, cut.dimension)?;
    let (element, samples) = (usize::from(cut.bytes_log2), usize::from(cut.samples_log2));
    let slot = PATTERNS.get(set as usize)?.get(element)?.get(samples)?;
    if let Some(known) = slot.get() {
        return Some(known);
    }
    let single = set.single(element)?;
    Some(slot.get_or_init(|| {
        let pattern = standard::with_samples(&single, cut.bytes_log2, cut.samples_log2);
        Box::new(CompiledPattern::new(&pattern).expect("invariant: every pattern of a family is legal"))
    }))
}

/// How a profile's driver swizzles elements of `2^bytes_log2` bytes (0 to 4) and `2^samples_log2` samples
/// (0 to 5) where it chose `pattern`; `None` where it does not: of linear layouts, and of 1D textures.
#[must_use]
pub fn family_pattern(
    pattern: ResolvedPattern,
    dimension: ResourceDimension,
    bytes_log2: u8,
    samples_log2: u8,
) -> Option<&'static CompiledPattern> {
    pattern_of(pattern, Cut { dimension, bytes_log2, samples_log2 })
}
