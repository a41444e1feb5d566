//! Where a generator's choices come from.

/// A stream of choices: endless from a seed, or as many as there are bytes. The same seed or bytes give the same
/// choices.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    bytes: Option<&'a [u8]>,
    state: u64,
}

impl Source<'static> {
    /// Endless choices.
    #[must_use]
    pub const fn from_seed(seed: u64) -> Source<'static> {
        Source { bytes: None, state: seed }
    }
}

impl<'a> Source<'a> {
    /// The choices that a fuzzer makes. Behind the last byte every choice is the first.
    #[must_use]
    pub const fn from_bytes(bytes: &'a [u8]) -> Source<'a> {
        Source { bytes: Some(bytes), state: 0 }
    }

    /// Whether there are no more choices.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.bytes.is_some_and(<[u8]>::is_empty)
    }

    /// 64 bits; of bytes, those that are left of eight.
    pub fn word(&mut self) -> u64 {
        match self.bytes {
            Some(_) => self.taken(8),
            None => split_mix(&mut self.state),
        }
    }

    /// A number below `bound`; 0 where the bound is 0 or 1.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound <= 1 {
            return 0;
        }
        let word = match self.bytes {
            // As few bytes as the choice needs: mutations then stay where they were made.
            Some(_) => {
                let bits = 64 - (bound - 1).leading_zeros();
                self.taken(bits.div_ceil(8))
            }
            None => split_mix(&mut self.state),
        };
        word % bound
    }

    /// [`Source::below`] of 32 bits.
    pub fn below_u32(&mut self, bound: u32) -> u32 {
        u32::try_from(self.below(u64::from(bound))).unwrap_or(0)
    }

    /// A number of `low` to `high`, both included.
    pub fn within(&mut self, low: u32, high: u32) -> u32 {
        low + self.below_u32(high.saturating_sub(low).saturating_add(1))
    }

    /// True in `percent` of all cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        // The first choice is no: exhausted bytes take no rare path.
        self.below(100) >= 100 - percent.min(100)
    }

    /// One of `choices`.
    ///
    /// # Panics
    /// Without choices.
    pub fn pick<'b, T>(&mut self, choices: &'b [T]) -> &'b T {
        let bound = u64::try_from(choices.len()).unwrap_or(u64::MAX);
        let index = usize::try_from(self.below(bound)).unwrap_or(0);
        choices.get(index).expect("invariant: there is a choice")
    }

    fn taken(&mut self, count: u32) -> u64 {
        let mut word = 0;
        for _ in 0..count {
            let Some((first, rest)) = self.bytes.and_then(<[u8]>::split_first) else { break };
            word = word << 8 | u64::from(*first);
            self.bytes = Some(rest);
        }
        word
    }
}

/// SplitMix64: small, and every seed does.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// `length` bytes of which no two stretches are alike: what programs write. Bytes are made of a seed, so that a
/// program stays short.
#[must_use]
pub fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed;
    let words = core::iter::repeat_with(|| split_mix(&mut state));
    words.flat_map(u64::to_le_bytes).take(length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exhausted_bytes_choose_the_first() {
        let mut source = Source::from_bytes(&[7, 1, 2]);
        assert_eq!(source.below(10), 7);
        assert_eq!(source.below(1000), 258);
        assert!(source.is_exhausted());
        assert_eq!((source.below(1000), source.word(), source.within(3, 9)), (0, 0, 3));
        assert!(!source.chance(99));
    }

    /// The first outputs of SplitMix64 with seed 1234567, as its authors' test vector gives them.
    #[test]
    fn a_seed_decides_by_the_known_sequence() {
        let mut source = Source::from_seed(1_234_567);
        assert_eq!(source.word(), 6_457_827_717_110_365_317);
        assert_eq!(source.word(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn noise_is_as_long_as_asked() {
        assert_eq!(noise(5, 13).len(), 13);
        assert_eq!(noise(5, 13), noise(5, 20)[..13]);
        assert_ne!(noise(5, 13), noise(6, 13));
    }
}
