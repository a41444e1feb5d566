//! A count of bytes.

use core::fmt;

use serde::{Deserialize, Serialize};

/// 2^10.
pub const KIB: u64 = 1 << 10;
/// 2^20.
pub const MIB: u64 = 1 << 20;
/// 2^30.
pub const GIB: u64 = 1 << 30;

/// A count of bytes. `+` is withheld: the caller chooses what overflow means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bytes(pub u64);

impl Bytes {
    /// No bytes.
    pub const ZERO: Bytes = Bytes(0);

    /// The sum, or `None` beyond 64 bits.
    #[must_use]
    pub const fn checked_add(self, other: Bytes) -> Option<Bytes> {
        match self.0.checked_add(other.0) {
            Some(sum) => Some(Bytes(sum)),
            None => None,
        }
    }

    /// The difference, or `None` below zero.
    #[must_use]
    pub const fn checked_sub(self, other: Bytes) -> Option<Bytes> {
        match self.0.checked_sub(other.0) {
            Some(difference) => Some(Bytes(difference)),
            None => None,
        }
    }

    /// The product, or `None` beyond 64 bits.
    #[must_use]
    pub const fn checked_mul(self, factor: u64) -> Option<Bytes> {
        match self.0.checked_mul(factor) {
            Some(product) => Some(Bytes(product)),
            None => None,
        }
    }
}

impl fmt::Display for Bytes {
    /// Exact where a binary unit divides the count (`64 KiB`), else the plain number (`25600 B`);
    /// the alternate form (`{:#}`) always gives one decimal of the largest unit (`694.1 MiB`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u64, &str); 6] =
            [(1 << 60, "EiB"), (1 << 50, "PiB"), (1 << 40, "TiB"), (GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")];
        let count = self.0;
        let text = if f.alternate() {
            match UNITS.iter().find(|(unit, _)| count >= *unit) {
                Some((unit, name)) => {
                    // Tenths in 128 bits: exact for every 64-bit count, unlike a float.
                    let tenths = (u128::from(count) * 10 + u128::from(*unit) / 2) / u128::from(*unit);
                    format!("{}.{} {name}", tenths / 10, tenths % 10)
                }
                None => format!("{count} B"),
            }
        } else {
            match UNITS.iter().find(|(unit, _)| count >= *unit && count.is_multiple_of(*unit)) {
                Some((unit, name)) => format!("{} {name}", count / unit),
                None => format!("{count} B"),
            }
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_is_exact_unless_asked_otherwise() {
        for (count, exact, short) in [
            (0, "0 B", "0 B"),
            (1023, "1023 B", "1023 B"),
            (65_536, "64 KiB", "64.0 KiB"),
            (25_600, "25 KiB", "25.0 KiB"),
            (25_601, "25601 B", "25.0 KiB"),
            (727_812_716, "727812716 B", "694.1 MiB"),
            (1 << 63, "8 EiB", "8.0 EiB"),
            (u64::MAX, "18446744073709551615 B", "16.0 EiB"),
        ] {
            assert_eq!(format!("{}", Bytes(count)), exact);
            assert_eq!(format!("{:#}", Bytes(count)), short);
        }
    }

    #[test]
    fn nothing_wraps() {
        assert_eq!(Bytes(u64::MAX).checked_add(Bytes(1)), None);
        assert_eq!(Bytes(0).checked_sub(Bytes(1)), None);
        assert_eq!(Bytes(1 << 32).checked_mul(1 << 32), None);
        assert_eq!(Bytes(1 << 32).checked_mul(1 << 31), Some(Bytes(1 << 63)));
    }
}
