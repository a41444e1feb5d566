//! A pattern made ready for copying.

use super::super::error::PatternError;
use super::super::pattern::{PatternBlock, SwizzlePattern};
use super::super::reference::{BlockStrides, SwizzleAddress};
use super::gf2::{Columns, Coordinates, Inverse, flips_of};
use super::job::distance;
use super::unit::{LINE_LOG2, Step, Unit};

/// Bits of a coordinate that one table resolves.
const TABLE_BITS: u32 = 6;
const TABLE: usize = 1 << TABLE_BITS;

/// A legal [`SwizzlePattern`] with all that copies look up: XOR-separable tables of its columns, the runs of
/// bytes that stay side by side, and how lines of 64 bytes are made of rows.
///
/// Making one costs tens of microseconds and some allocations; copies with it allocate nothing. It has
/// about 4 KiB, and 10 KiB elsewhere.
#[derive(Clone, Debug)]
pub struct CompiledPattern {
    pattern: SwizzlePattern,
    block: PatternBlock,
    columns: Columns,
    inverse: Inverse,
    /// What x flips by its bits 0 to 5, and 6 to 11.
    x_tables: [[u64; TABLE]; 2],
    /// What y flips by its bits 0 to 5, and 6 to 11.
    y_tables: [[u32; TABLE]; 2],
    run_log2: u8,
    unit: Option<Unit>,
}

impl CompiledPattern {
    /// Compiles `pattern`.
    ///
    /// # Errors
    /// Where it is none: as [`SwizzlePattern::block`].
    pub fn new(pattern: &SwizzlePattern) -> Result<CompiledPattern, PatternError> {
        let block = pattern.block()?;
        let columns = Columns::new(pattern, &block);
        let inverse = Inverse::new(&columns, &block)?;
        let x_at = |x: usize| u64::try_from(x).map_or(0, |x| flips_of(&columns.x, x));
        let y_at = |y: usize| u64::try_from(y).map_or(0, |y| flips_of(&columns.y, y));
        Ok(CompiledPattern {
            pattern: *pattern,
            block,
            x_tables: [core::array::from_fn(x_at), core::array::from_fn(|x| x_at(x << TABLE_BITS))],
            y_tables: [core::array::from_fn(y_at), core::array::from_fn(|y| y_at(y << TABLE_BITS))],
            run_log2: run_log2(&columns, pattern.postamble_immediate),
            unit: Unit::new(&columns, &inverse, pattern.postamble_immediate, block.bytes_log2),
            columns,
            inverse,
        })
    }

    /// What it was compiled from.
    #[must_use]
    pub fn pattern(&self) -> &SwizzlePattern {
        &self.pattern
    }

    /// The box that it permutes.
    #[must_use]
    pub fn block(&self) -> PatternBlock {
        self.block
    }

    /// Bytes, as an exponent, that lie side by side wherever they begin at a multiple of their number: that of
    /// [`SwizzlePattern::run_log2`], or more where blocks continue each other.
    #[must_use]
    pub fn run_log2(&self) -> u8 {
        self.run_log2
    }

    /// Bytes from the surface's first byte to the byte at `at`: what
    /// [`reference_offset`](super::super::reference_offset) says, by table; `u64::MAX` too if they leave 64
    /// bits. Strides are multiples of the block's bytes.
    #[must_use]
    pub fn offset(&self, at: SwizzleAddress, strides: BlockStrides) -> u64 {
        let (y, z) = self.stacked(u64::from(at.y), u64::from(at.z), &strides);
        let blocks = u128::from(at.x_bytes >> self.block.x_bytes_log2) << self.block.bytes_log2;
        let rows = self.rows_of_blocks(y, z, &strides);
        let below = (1_u64 << self.block.bytes_log2) - 1;
        let flips = self.x(at.x_bytes) ^ self.y(y) ^ self.z(z) ^ self.sample(at.sample) ^ self.immediate();
        let offset = rows.saturating_add(blocks).saturating_add(u128::from(flips & below));
        u64::try_from(offset).unwrap_or(u64::MAX)
    }

    /// The row and slice, after slices are stacked if the pattern does that.
    #[inline(always)]
    pub(super) fn stacked(&self, y: u64, z: u64, strides: &BlockStrides) -> (u64, u64) {
        if self.pattern.stack_depth_slices {
            // Below 2^64: 32 bits by 32, and 32 more.
            (y + u64::from(strides.stacked_rows) * z, 0)
        } else {
            (y, z)
        }
    }

    /// Bytes to the first block of the row of blocks of `y` and `z`.
    #[inline(always)]
    pub(super) fn rows_of_blocks(&self, y: u64, z: u64, strides: &BlockStrides) -> u128 {
        u128::from(y >> self.block.y_log2) * u128::from(strides.row)
            + u128::from(z >> self.block.z_log2) * u128::from(strides.slice)
    }

    /// The first byte of the row of blocks of `y` and `z`, in the surface that begins at `swizzled`.
    #[inline(always)]
    pub(super) fn row_of_blocks(&self, swizzled: *mut u8, y: u64, z: u64, strides: &BlockStrides) -> *mut u8 {
        let rows = (y >> self.block.y_log2).wrapping_mul(strides.row);
        let layers = (z >> self.block.z_log2).wrapping_mul(strides.slice);
        swizzled.wrapping_add(distance(rows.wrapping_add(layers)))
    }

    /// What x flips, with the step to its block.
    #[inline(always)]
    pub(super) fn x(&self, x: u64) -> u64 {
        self.x_tables[0][low_bits(x)] ^ self.x_tables[1][low_bits(x >> TABLE_BITS)] ^ self.x_high(x)
    }

    /// What the bits of x from 12 on flip.
    #[inline(always)]
    pub(super) fn x_high(&self, x: u64) -> u64 {
        flips_of(&self.columns.x, x >> (2 * TABLE_BITS) << (2 * TABLE_BITS))
    }

    /// What bits 6 to 11 of x flip, by their value.
    #[inline(always)]
    pub(super) fn x_lines(&self) -> &[u64; TABLE] {
        &self.x_tables[1]
    }

    /// What bits 0 to 5 of x flip, by their value.
    #[inline(always)]
    pub(super) fn x_bytes(&self) -> &[u64; TABLE] {
        &self.x_tables[0]
    }

    /// What y flips within a block.
    #[inline(always)]
    pub(super) fn y(&self, y: u64) -> u64 {
        let tables = self.y_tables[0][low_bits(y)] ^ self.y_tables[1][low_bits(y >> TABLE_BITS)];
        let high = low_half(y) >> (2 * TABLE_BITS) << (2 * TABLE_BITS);
        u64::from(tables ^ flips_of(&self.columns.y, high.into()))
    }

    /// What z flips within a block.
    #[inline(always)]
    pub(super) fn z(&self, z: u64) -> u64 {
        u64::from(flips_of(&self.columns.z, low_half(z).into()))
    }

    /// What the sample flips within a block.
    #[inline(always)]
    pub(super) fn sample(&self, sample: u32) -> u64 {
        u64::from(flips_of(&self.columns.sample, sample.into()))
    }

    /// Where in a block the bytes of the sample with these flips begin, if they follow each other there. Of one sample that
    /// is a block's first byte.
    pub(super) fn range_of_sample(&self, flips: u64) -> Option<u64> {
        let bytes = self.block.bytes();
        let choosing = (bytes - 1) & !((bytes >> self.block.samples_log2) - 1);
        let mut columns = self.columns.iter();
        columns.all(|(bit, column)| bit.sample != 0 || column & choosing == 0).then_some(flips & choosing)
    }

    /// What every byte's offset is flipped by.
    #[inline(always)]
    pub(super) fn immediate(&self) -> u64 {
        u64::from(self.pattern.postamble_immediate)
    }

    /// How lines are made, if they are.
    #[inline(always)]
    pub(super) fn unit(&self) -> Option<&Unit> {
        self.unit.as_ref()
    }

    /// The step to the unit whose lines lie at `offset` from this one's, both within a block.
    pub(super) fn step(&self, unit: &Unit, offset: u64) -> Step {
        let whole_lines = offset >> LINE_LOG2 << LINE_LOG2;
        if whole_lines == 0 {
            return Step::default();
        }
        Step::new(&self.columns, &self.inverse, unit.extent, whole_lines)
    }
}

/// Sources have 32 bits at most: what lies above chooses a block only.
#[inline(always)]
fn low_half(bits: u64) -> u32 {
    // The mask makes it fit.
    #[allow(clippy::cast_possible_truncation)]
    {
        (bits & 0xFFFF_FFFF) as u32
    }
}

/// The index into a table.
#[inline(always)]
fn low_bits(bits: u64) -> usize {
    // The mask makes it fit.
    #[allow(clippy::cast_possible_truncation)]
    {
        (bits & (TABLE as u64 - 1)) as usize
    }
}

/// The lowest bits of x that are the lowest bits of the offset, and which nothing else flips.
fn run_log2(columns: &Columns, immediate: u32) -> u8 {
    let own = (0_u32..).zip(columns.x).take_while(|(bit, column)| *column == 1 << bit).count();
    let flipped_by = |run: usize| {
        let others = columns
            .iter()
            .filter(|(at, _)| (Coordinates { x: at.x >> run, ..*at }) != Coordinates::default())
            .fold(u64::from(immediate), |all, (_, column)| all | column);
        others & (1_u64 << run.min(63)).wrapping_sub(1)
    };
    let run = (0..=own.min(63)).rev().find(|run| flipped_by(*run) == 0).unwrap_or(0);
    // At most 63.
    u8::try_from(run).unwrap_or(0)
}
