//! Half-open ranges of bytes.

use core::fmt;

/// The bytes from `begin` up to, not including, `end` (D3D12_RANGE: spec/2-resource-heaps.txt 231-235).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByteRange {
    /// The first byte.
    pub begin: u64,
    /// One past the last byte.
    pub end: u64,
}

impl ByteRange {
    /// The range from `begin` up to `end`.
    #[must_use]
    pub const fn new(begin: u64, end: u64) -> ByteRange {
        ByteRange { begin, end }
    }

    /// The range of `size` bytes at `begin`, or `None` where its end leaves 64 bits.
    #[must_use]
    pub const fn at(begin: u64, size: u64) -> Option<ByteRange> {
        match begin.checked_add(size) {
            Some(end) => Some(ByteRange { begin, end }),
            None => None,
        }
    }

    /// The bytes it holds; an inverted range holds none.
    #[must_use]
    pub const fn size(self) -> u64 {
        self.end.saturating_sub(self.begin)
    }

    /// Whether it holds no byte (D3D12 treats `end <= begin` as empty).
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.end <= self.begin
    }

    /// Whether every byte of `other` is in it; an empty range is in every range.
    #[must_use]
    pub const fn contains(self, other: ByteRange) -> bool {
        other.is_empty() || (self.begin <= other.begin && other.end <= self.end)
    }

    /// Whether the two share a byte.
    #[must_use]
    pub const fn overlaps(self, other: ByteRange) -> bool {
        !self.is_empty() && !other.is_empty() && self.begin < other.end && other.begin < self.end
    }
}

impl fmt::Display for ByteRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {})", self.begin, self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_open() {
        let a = ByteRange::new(0, 10);
        assert!(a.contains(ByteRange::new(0, 10)) && !a.contains(ByteRange::new(0, 11)));
        assert!(!a.overlaps(ByteRange::new(10, 20)) && a.overlaps(ByteRange::new(9, 20)));
        assert!(a.contains(ByteRange::new(99, 5)), "an inverted range is empty, and so inside");
        assert_eq!(ByteRange::at(u64::MAX, 1), None);
        assert_eq!(ByteRange::new(7, 3).size(), 0);
    }
}
