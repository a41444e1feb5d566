//! Figures for reports.

/// How full a space is, and how broken up. All in bytes, except the count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RangeStatistics {
    /// All bytes: `used + free`.
    pub capacity: u64,
    /// Bytes allocated.
    pub used: u64,
    /// Bytes not allocated.
    pub free: u64,
    /// The largest contiguous free range: with less than `free`, the space is fragmented.
    pub largest_free_range: u64,
    /// Free ranges, each as large as it can be.
    pub free_range_count: u64,
    /// The greatest `used` so far. Exact when calls come one at a time; of calls that overlap in time on
    /// several threads it may miss the sum.
    pub used_peak: u64,
}

impl RangeStatistics {
    /// Fragmentation in thousandths: the part of the free bytes that is not in the largest free range; 0 where
    /// nothing is free.
    #[must_use]
    pub fn fragmentation_permille(&self) -> u32 {
        if self.free == 0 {
            return 0;
        }
        let scattered = u128::from(self.free - self.largest_free_range) * 1000 / u128::from(self.free);
        u32::try_from(scattered).expect("invariant: at most 1000")
    }
}
