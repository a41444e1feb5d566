//! A pattern as a matrix over GF(2): which bits of the offset each bit of a coordinate flips.
//!
//! Every legal pattern is linear up to a constant (facts/layout.md, Parameterized swizzle): the offset of a
//! byte is the XOR of one column for every bit that is set in its coordinates. Blocks that lie side by side
//! along x are part of it, for their number is a shift of x; rows and layers of blocks are not, for their
//! strides may be any.

use core::ops::{BitXor, BitXorAssign};

use super::super::error::PatternError;
use super::super::pattern::{BitEntry, Channel, PatternBlock, SwizzlePattern};

/// Bits of a coordinate, as the sum of some columns or as a direction in a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Coordinates {
    /// Bytes along a row.
    pub(super) x: u64,
    /// Rows.
    pub(super) y: u32,
    /// Slices.
    pub(super) z: u32,
    /// Samples.
    pub(super) sample: u32,
}

impl BitXor for Coordinates {
    type Output = Coordinates;

    #[inline(always)]
    fn bitxor(self, other: Coordinates) -> Coordinates {
        Coordinates {
            x: self.x ^ other.x,
            y: self.y ^ other.y,
            z: self.z ^ other.z,
            sample: self.sample ^ other.sample,
        }
    }
}

impl Coordinates {
    /// One bit of `channel`.
    pub(super) fn bit(channel: Channel, bit: u32) -> Coordinates {
        let mut one = Coordinates::default();
        match channel {
            Channel::X => one.x = 1 << bit,
            Channel::Y => one.y = 1 << bit,
            Channel::Z => one.z = 1 << bit,
            Channel::Sample => one.sample = 1 << bit,
        }
        one
    }

    /// The bits of both.
    pub(super) fn union(self, other: Coordinates) -> Coordinates {
        Coordinates {
            x: self.x | other.x,
            y: self.y | other.y,
            z: self.z | other.z,
            sample: self.sample | other.sample,
        }
    }

    /// The bits that `other` does not have.
    pub(super) fn without(self, other: Coordinates) -> Coordinates {
        Coordinates {
            x: self.x & !other.x,
            y: self.y & !other.y,
            z: self.z & !other.z,
            sample: self.sample & !other.sample,
        }
    }
}

/// What each bit of each coordinate flips of a byte's offset.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    /// Of x, with the step to the next block. Bits that would leave 64 are zero: nothing lies there.
    pub(super) x: [u64; 64],
    /// Of y, within a block.
    pub(super) y: [u32; 32],
    /// Of z, within a block.
    pub(super) z: [u32; 32],
    /// Of the sample, within a block.
    pub(super) sample: [u32; 32],
}

impl Columns {
    /// The columns of `pattern`, whose block is `block`.
    pub(super) fn new(pattern: &SwizzlePattern, block: &PatternBlock) -> Columns {
        let mut columns = Columns { x: [0; 64], y: [0; 32], z: [0; 32], sample: [0; 32] };
        for address_bit in 0..block.bytes_log2 {
            for entry in pattern.sources(address_bit) {
                columns.flip(entry, 1 << address_bit);
            }
        }
        for (bit, column) in (0_u32..).zip(&mut columns.x).skip(usize::from(block.x_bytes_log2)) {
            let step = bit - u32::from(block.x_bytes_log2) + u32::from(block.bytes_log2);
            *column ^= 1_u64.checked_shl(step).unwrap_or(0);
        }
        columns
    }

    fn flip(&mut self, entry: BitEntry, address: u32) {
        let bit = usize::from(entry.bit & 31);
        match entry.channel {
            Channel::X => self.x[bit] ^= u64::from(address),
            Channel::Y => self.y[bit] ^= address,
            Channel::Z => self.z[bit] ^= address,
            Channel::Sample => self.sample[bit] ^= address,
        }
    }

    /// The XOR of the columns of all bits set in `at`.
    pub(super) fn apply(&self, at: Coordinates) -> u64 {
        let narrow = |columns: &[u32; 32], bits: u32| u64::from(flips_of(columns, bits.into()));
        flips_of(&self.x, at.x)
            ^ narrow(&self.y, at.y)
            ^ narrow(&self.z, at.z)
            ^ narrow(&self.sample, at.sample)
    }

    /// Every bit of a coordinate with what it flips, in no order that matters.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Coordinates, u64)> {
        let of = |channel: Channel, columns: [u32; 32]| {
            (0_u32..)
                .zip(columns)
                .map(move |(bit, column)| (Coordinates::bit(channel, bit), u64::from(column)))
        };
        (0_u32..)
            .zip(self.x)
            .map(|(bit, column)| (Coordinates::bit(Channel::X, bit), column))
            .chain(of(Channel::Y, self.y))
            .chain(of(Channel::Z, self.z))
            .chain(of(Channel::Sample, self.sample))
    }
}

/// The XOR of the columns of the bits set in `bits`, of the first `N`. What finds them is a call, so that it takes no
/// registers of the loops around it; mostly there are none.
#[inline(always)]
pub(super) fn flips_of<T: Copy + Default + BitXorAssign, const N: usize>(columns: &[T; N], bits: u64) -> T {
    #[inline(never)]
    fn of_some<T: Copy + Default + BitXorAssign, const N: usize>(columns: &[T; N], mut bits: u64) -> T {
        const { assert!(N.is_power_of_two()) }
        let mut sum = T::default();
        while bits != 0 {
            // The index of a bit, of which none is set from `N` on.
            sum ^= columns[(bits.trailing_zeros() as usize) & (N - 1)];
            bits &= bits - 1;
        }
        sum
    }
    if bits == 0 { T::default() } else { of_some(columns, bits) }
}

/// The inverse: the coordinates that flip exactly one bit of the offset.
#[derive(Clone, Debug)]
pub(super) struct Inverse {
    rows: [Coordinates; Inverse::BITS],
    bits: u8,
}

impl Inverse {
    /// More than any block has bits, and more than a unit and a chunk need.
    const BITS: usize = 40;
    /// Offset bits that are inverted at least: those beyond a block are further blocks along x.
    const LEAST: u8 = 12;

    /// Inverts the columns of a block, and of as many blocks along x as [`Inverse::LEAST`] bits hold.
    ///
    /// # Errors
    /// [`PatternError::Dependent`], where they are not independent. A block that
    /// [`SwizzlePattern::block`] accepts has independent ones.
    pub(super) fn new(columns: &Columns, block: &PatternBlock) -> Result<Inverse, PatternError> {
        let bits = block.bytes_log2.max(Inverse::LEAST);
        let x_bits = block.x_bytes_log2 + (bits - block.bytes_log2);
        let own = [
            (Channel::X, x_bits),
            (Channel::Y, block.y_log2),
            (Channel::Z, block.z_log2),
            (Channel::Sample, block.samples_log2),
        ];
        let mut pairs = [(0_u64, Coordinates::default()); Inverse::BITS];
        let all = own.into_iter().flat_map(|(channel, count)| {
            (0..u32::from(count)).map(move |bit| Coordinates::bit(channel, bit))
        });
        for (pair, at) in pairs.iter_mut().zip(all) {
            *pair = (columns.apply(at), at);
        }
        let count = usize::from(bits);
        for bit in 0..bits {
            let index = usize::from(bit);
            let pivot = (index..count)
                .find(|row| pairs[*row].0 >> bit & 1 != 0)
                .ok_or(PatternError::Dependent { address_bit: bit })?;
            pairs.swap(index, pivot);
            let (offset, at) = pairs[index];
            for (row, pair) in pairs.iter_mut().enumerate().take(count) {
                if row != index && pair.0 >> bit & 1 != 0 {
                    *pair = (pair.0 ^ offset, pair.1 ^ at);
                }
            }
        }
        Ok(Inverse { rows: pairs.map(|(_, at)| at), bits })
    }

    /// How many bits of the offset it covers.
    pub(super) fn bits(&self) -> u8 {
        self.bits
    }

    /// What flips bit `bit` of the offset and no other; nothing from [`Inverse::bits`] on.
    pub(super) fn row(&self, bit: u8) -> Coordinates {
        if bit < self.bits { self.rows[usize::from(bit)] } else { Coordinates::default() }
    }
}
