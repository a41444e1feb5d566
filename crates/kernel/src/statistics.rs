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
