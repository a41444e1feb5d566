//! Indices packed into dwords, across their boundaries (spec/4-sampler-heap.txt: 32 indices of 12 bits in 12 root constants).

/// Dwords that `count` indices of `index_bits` bits take.
#[must_use]
pub const fn packed_dwords(count: u64, index_bits: u32) -> u64 {
    // `as` widens: From is not const. What does not fit 64 bits fits no root signature either.
    count.saturating_mul(index_bits as u64).div_ceil(32)
}

/// Root constants that hold indices: index n begins at bit n * `index_bits`, the first dword the lowest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedIndices {
    dwords: Vec<u32>,
    count: u32,
    index_bits: u32,
}

impl PackedIndices {
    /// `count` indices of `index_bits` bits, all 0; `None` where those are not 1 to 32. A plan's are.
    #[must_use]
    pub fn new(count: u32, index_bits: u32) -> Option<PackedIndices> {
        if !(1..=32).contains(&index_bits) {
            return None;
        }
        let length = usize::try_from(packed_dwords(u64::from(count), index_bits))
            .expect("invariant: 2^32 indices are 2^32 dwords at most");
        Some(PackedIndices { dwords: vec![0; length], count, index_bits })
    }

    /// The root constants.
    #[must_use]
    pub fn dwords(&self) -> &[u32] {
        &self.dwords
    }

    /// Index `at`; `None` behind the last.
    #[must_use]
    pub fn get(&self, at: u32) -> Option<u32> {
        let (word, shift) = self.place(at)?;
        let low = u64::from(self.dwords[word]);
        let high = self.dwords.get(word + 1).copied().map_or(0, u64::from);
        let bits = (high << 32 | low) >> shift & self.mask();
        Some(u32::try_from(bits).expect("invariant: the mask has at most 32 bits"))
    }

    /// Sets index `at` to `index`, and answers whether it could: `at` is one of the indices, and `index` fits
    /// their bits.
    #[must_use]
    pub fn set(&mut self, at: u32, index: u32) -> bool {
        let Some((word, shift)) = self.place(at) else { return false };
        if u64::from(index) > self.mask() {
            return false;
        }
        let cleared = !(self.mask() << shift);
        let bits = u64::from(index) << shift;
        for (word, at) in [(word, 0), (word + 1, 32)] {
            if let Some(dword) = self.dwords.get_mut(word) {
                *dword = *dword & low_half(cleared >> at) | low_half(bits >> at);
            }
        }
        true
    }

    fn mask(&self) -> u64 {
        (1 << self.index_bits) - 1
    }

    /// The dword in which index `at` begins, and the bit.
    fn place(&self, at: u32) -> Option<(usize, u32)> {
        if at >= self.count {
            return None;
        }
        let bit = u64::from(at) * u64::from(self.index_bits);
        let word = usize::try_from(bit / 32).ok()?;
        Some((word, u32::try_from(bit % 32).expect("invariant: below 32")))
    }
}

fn low_half(number: u64) -> u32 {
    u32::try_from(number & u64::from(u32::MAX)).expect("invariant: masked to 32 bits")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// spec/4-sampler-heap.txt: 32 * 12 bits == 12 * 32 bits.
    #[test]
    fn thirty_two_indices_take_twelve_dwords() {
        assert_eq!(packed_dwords(32, 12), 12);
        assert_eq!(packed_dwords(0, 12), 0);
        assert_eq!(packed_dwords(1, 12), 1);
        assert_eq!(packed_dwords(3, 12), 2);
        assert_eq!(packed_dwords(1 << 32, 32), 1 << 32);
    }

    #[test]
    fn indices_lie_across_dwords() {
        let mut packed = PackedIndices::new(3, 12).unwrap();
        for (at, index) in [(0, 0x123), (1, 0x456), (2, 0x789)] {
            assert!(packed.set(at, index));
        }
        // 0x789_456_123, the lowest 32 bits first.
        assert_eq!(packed.dwords(), [0x8945_6123, 0x7]);
        assert!(packed.set(1, 0xfff), "an index is replaced");
        assert_eq!(packed.dwords(), [0x89ff_f123, 0x7]);
        assert_eq!([0, 1, 2, 3].map(|at| packed.get(at)), [Some(0x123), Some(0xfff), Some(0x789), None]);
        assert!(!packed.set(3, 0), "there are three");
        assert!(!packed.set(0, 0x1000), "13 bits do not fit");
        assert_eq!(packed.get(0), Some(0x123));
    }

    /// Against a number of 1024 bits, kept bit by bit.
    #[test]
    fn every_width_agrees_with_a_row_of_bits() {
        for width in 1..=32 {
            let count = 32;
            let mut packed = PackedIndices::new(count, width).unwrap();
            let mut bits = vec![false; 32 * 33];
            for at in (0..count).rev().chain(0..count) {
                let index = 0x9e37_79b9_u32.wrapping_mul(at + width) >> (32 - width);
                assert!(packed.set(at, index));
                for bit in 0..width {
                    bits[usize::try_from(at * width + bit).unwrap()] = index >> bit & 1 == 1;
                }
            }
            for (word, dword) in packed.dwords().iter().enumerate() {
                for bit in 0..32 {
                    assert_eq!(dword >> bit & 1 == 1, bits[word * 32 + bit], "width {width}, {word}:{bit}");
                }
            }
        }
    }
}
