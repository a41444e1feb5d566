//! Sets of samplers: of what a draw needs a list, of what a heap holds a bit for each sampler. So a frame takes memory
//! as it has draws, whatever the number of its samplers.

/// Samplers that are needed together, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Need(Box<[usize]>);

impl Need {
    pub(super) fn of(mut samplers: Vec<usize>) -> Need {
        samplers.sort_unstable();
        samplers.dedup();
        Need(samplers.into())
    }

    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn contains(&self, other: &Need) -> bool {
        other.0.len() <= self.0.len() && other.iter().all(|at| self.0.binary_search(&at).is_ok())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().copied()
    }
}

/// Samplers of a heap.
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

    fn has(&self, at: usize) -> bool {
        self.words[at / 64] >> (at % 64) & 1 == 1
    }

    pub(super) fn add(&mut self, need: &Need) {
        for at in need.iter() {
            self.count += u32::from(!self.has(at));
            self.words[at / 64] |= 1 << (at % 64);
        }
    }

    pub(super) fn remove(&mut self, need: &Need) {
        for at in need.iter() {
            self.count -= u32::from(self.has(at));
            self.words[at / 64] &= !(1 << (at % 64));
        }
    }

    /// How many of `need` are missing here.
    pub(super) fn missing(&self, need: &Need) -> u32 {
        need.iter().map(|at| u32::from(!self.has(at))).sum()
    }

    pub(super) fn contains(&self, need: &Need) -> bool {
        need.iter().all(|at| self.has(at))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        })
    }
}
