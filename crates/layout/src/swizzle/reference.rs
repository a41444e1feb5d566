//! The reference routine: where a byte lies, bit by bit.
//!
//! It follows the listing of spec/2-resource-heaps.txt 1250-1374 with its defects mended
//! (facts/layout.md, Parameterized swizzle): slices are stacked before the split into blocks and then add
//! no term of their own, the sample is a fourth coordinate, offsets have 64 bits. It is slow and obvious:
//! the oracle that everything fast is held against.

use super::pattern::{BitEntry, BitRow, Channel, POSTAMBLE_BITS, SwizzlePattern};

/// Where a byte is before it is swizzled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SwizzleAddress {
    /// Bytes from the row's begin.
    pub x_bytes: u64,
    /// The row of elements.
    pub y: u32,
    /// The depth slice.
    pub z: u32,
    /// The sample.
    pub sample: u32,
}

/// ColumnPreSwizzleOffset, RowPreSwizzleOffset, DepthPreSwizzleOffset of a subresource (preSwizzleOffsets
/// of the reference routine, spec/2-resource-heaps.txt 1258).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PreSwizzleOffsets {
    /// Bytes along x.
    pub x_bytes: u64,
    /// Rows.
    pub y: u32,
    /// Slices; 0 where slices are stacked (spec/2-resource-heaps.txt 1230).
    pub z: u32,
}

impl SwizzleAddress {
    /// The address moved by `offsets`; `None` where a coordinate leaves its bits.
    #[must_use]
    pub fn moved(self, offsets: PreSwizzleOffsets) -> Option<SwizzleAddress> {
        Some(SwizzleAddress {
            x_bytes: self.x_bytes.checked_add(offsets.x_bytes)?,
            y: self.y.checked_add(offsets.y)?,
            z: self.z.checked_add(offsets.z)?,
            sample: self.sample,
        })
    }
}

/// How the blocks of a surface follow each other: along x they are side by side. Both strides are
/// multiples of the block's bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BlockStrides {
    /// Bytes from a row of blocks to the next.
    pub row: u64,
    /// Bytes from a layer of blocks to the next along z; 0 where slices are stacked.
    pub slice: u64,
    /// Rows of elements from a slice to the next, where slices are stacked (DepthStride,
    /// spec/2-resource-heaps.txt 1230); else 0. Need not be a multiple of the block's rows.
    pub stacked_rows: u32,
}

/// Bytes from the surface's first byte to the byte at `at`, of a pattern that
/// [`SwizzlePattern::block`] accepts; `u64::MAX`, where no byte lies, if they leave 64 bits.
#[must_use]
pub fn reference_offset(pattern: &SwizzlePattern, at: SwizzleAddress, strides: &BlockStrides) -> u64 {
    let mut coordinates = [at.x_bytes, u64::from(at.y), u64::from(at.z), u64::from(at.sample)];
    if pattern.stack_depth_slices {
        coordinates[1] += u64::from(strides.stacked_rows) * coordinates[2];
        coordinates[2] = 0;
    }

    // Bits of a block, of each channel and of all.
    let mut shifts = [0_u32; 4];
    let mut block_bits = 0;
    while let Some(Some(entry)) = pattern.interleave.get(block_bits) {
        shifts[entry.channel.index()] += 1;
        block_bits += 1;
    }
    let block_index = |channel: Channel| {
        let shift = shifts[channel.index()];
        u128::from(coordinates[channel.index()] >> shift)
    };
    let block_offset = (block_index(Channel::X) << block_bits)
        .saturating_add(block_index(Channel::Y) * u128::from(strides.row))
        .saturating_add(block_index(Channel::Z) * u128::from(strides.slice));

    let bit_of = |entry: Option<BitEntry>| {
        let bit = |entry: BitEntry| coordinates[entry.channel.index()].checked_shr(entry.bit.into());
        entry.and_then(bit).unwrap_or(0) & 1
    };
    let xor_of = |rows: &[BitRow], bit: usize| rows.iter().fold(0, |xor, row| xor ^ bit_of(row[bit]));
    let mut within_block = 0_u64;
    for bit in 0..block_bits {
        let value = bit_of(pattern.interleave[bit]) ^ xor_of(&pattern.interleave_xor, bit);
        within_block |= value << bit;
    }
    within_block ^= u64::from(pattern.postamble_immediate);

    let mut total = block_offset.saturating_add(u128::from(within_block));
    for bit in POSTAMBLE_BITS {
        total ^= u128::from(xor_of(&pattern.postamble_xor, usize::from(bit))) << bit;
    }
    u64::try_from(total).unwrap_or(u64::MAX)
}
