//! Numbers from a seed.

/// SplitMix64 (Steele, Lea, Flood, 2014): every seed is as good as any other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0. The bias, below 2^-32 for the ends that are asked here, does not matter.
    pub fn below(&mut self, end: u64) -> u64 {
        let scaled = u128::from(self.next_u64()) * u128::from(end);
        u64::try_from(scaled >> 64).expect("invariant: below the end")
    }

    /// Whether something happens that does once in `times`.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}
