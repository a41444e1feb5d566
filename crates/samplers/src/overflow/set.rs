//! Sets of samplers, a bit each.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SamplerSet {
    words: Box<[u64]>,
    count: u32,
}

impl SamplerSet {
    /// Of samplers below `universe`, none.
    pub(super) fn empty(universe: usize) -> SamplerSet {
        SamplerSet { words: vec![0; universe.div_ceil(64)].into(), count: 0 }
    }

    pub(super) const fn len(&self) -> u32 {
        self.count
    }

    pub(super) fn insert(&mut self, at: usize) {
        let (word, bit) = (&mut self.words[at / 64], 1 << (at % 64));
        self.count += u32::from(*word & bit == 0);
        *word |= bit;
    }

    pub(super) fn add(&mut self, other: &SamplerSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            self.count += (other & !*word).count_ones();
            *word |= other;
        }
    }

    /// How many of `other` are missing here.
    pub(super) fn missing(&self, other: &SamplerSet) -> u32 {
        self.words.iter().zip(&other.words).map(|(word, other)| (other & !word).count_ones()).sum()
    }

    pub(super) fn contains(&self, other: &SamplerSet) -> bool {
        self.words.iter().zip(&other.words).all(|(word, other)| other & !word == 0)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        })
    }
}
