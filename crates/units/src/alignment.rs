//! A power-of-two alignment in bytes.

use core::fmt;

use crate::Bytes;

/// A power-of-two alignment in bytes, from 1 to 2^63.
///
/// Held as the exponent, so that every value of the type is legal, and rounding needs no division; in 32
/// bits, because neighbours of 8 bits are read together right after they were stored one by one, and wait
/// for that.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Alignment {
    log2: u32,
}

/// What [`Alignment::new`] answers for a number that is no power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPowerOfTwo(pub u64);

impl fmt::Display for NotPowerOfTwo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a power of two", self.0)
    }
}

impl core::error::Error for NotPowerOfTwo {}

impl Alignment {
    /// 1 byte: everything is aligned.
    pub const ONE: Alignment = Alignment { log2: 0 };

    /// The alignment of `bytes` bytes, which must be a power of two.
    pub const fn new(bytes: u64) -> Result<Alignment, NotPowerOfTwo> {
        if bytes.is_power_of_two() {
            Ok(Alignment { log2: bytes.trailing_zeros() })
        } else {
            Err(NotPowerOfTwo(bytes))
        }
    }

    /// As [`Alignment::new`], for constants: a wrong one stops the build.
    #[must_use]
    pub const fn constant(bytes: u64) -> Alignment {
        match Alignment::new(bytes) {
            Ok(alignment) => alignment,
            Err(_) => panic!("an alignment constant must be a power of two"),
        }
    }

    /// The alignment in bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        1 << self.log2
    }

    /// The exponent: `2^log2` bytes.
    #[must_use]
    pub const fn log2(self) -> u32 {
        self.log2
    }

    /// Whether `value` is a multiple.
    #[must_use]
    pub const fn is_aligned(self, value: u64) -> bool {
        value & (self.bytes() - 1) == 0
    }

    /// The smallest multiple that is not below `value`; `None` where it leaves 64 bits.
    #[must_use]
    pub const fn align_up(self, value: u64) -> Option<u64> {
        let mask = self.bytes() - 1;
        match value.checked_add(mask) {
            Some(sum) => Some(sum & !mask),
            None => None,
        }
    }

    /// The largest multiple that is not above `value`.
    #[must_use]
    pub const fn align_down(self, value: u64) -> u64 {
        value & !(self.bytes() - 1)
    }

    /// The stricter of two alignments.
    #[must_use]
    pub const fn max(self, other: Alignment) -> Alignment {
        if self.log2 >= other.log2 { self } else { other }
    }

    /// The looser of two alignments.
    #[must_use]
    pub const fn min(self, other: Alignment) -> Alignment {
        if self.log2 <= other.log2 { self } else { other }
    }
}

impl fmt::Display for Alignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Bytes(self.bytes()).fmt(f)
    }
}

impl fmt::Debug for Alignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Alignment({})", self.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_powers_of_two_are_alignments() {
        for bytes in [0, 3, 5, 6, 7, 9, 65_535, 65_537, u64::MAX] {
            assert_eq!(Alignment::new(bytes), Err(NotPowerOfTwo(bytes)));
        }
        for log2 in 0..64 {
            assert_eq!(Alignment::new(1 << log2).unwrap().bytes(), 1 << log2);
        }
    }

    #[test]
    fn align_up_at_the_edges() {
        let a = Alignment::constant(65_536);
        for (value, want) in [(0, 0), (1, 65_536), (65_536, 65_536), (65_537, 131_072)] {
            assert_eq!(a.align_up(value), Some(want), "{value}");
        }
        assert_eq!(a.align_up(u64::MAX), None);
        assert_eq!(a.align_up(u64::MAX - 65_535), Some(u64::MAX - 65_535));
        assert_eq!(Alignment::ONE.align_up(u64::MAX), Some(u64::MAX));
        assert_eq!(Alignment::constant(1 << 63).align_up(1), Some(1 << 63));
        assert_eq!(Alignment::constant(1 << 63).align_up((1 << 63) + 1), None);
    }

    #[test]
    fn align_down_never_rises() {
        let a = Alignment::constant(4096);
        for (value, want) in [(0, 0), (4095, 0), (4096, 4096), (u64::MAX, u64::MAX - 4095)] {
            assert_eq!(a.align_down(value), want);
        }
    }
}
