//! How many bytes a process has in each node's groups, counted without threads meeting.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::home::Home;

/// Stripes: as many as a space has shards, because threads that have other homes count in other stripes.
const STRIPE_COUNT: usize = 8;
/// Counters of 8 bytes between the last one of a stripe and the first one of the next: a cache line.
const PADDING: usize = 8;

/// Usage in bytes by group index. A stripe by itself may wrap below zero, when one thread allocates and
/// another frees; the sum over the stripes is the usage.
#[derive(Debug)]
pub(crate) struct UsageCounters {
    counters: Box<[AtomicU64]>,
    stride_log2: u32,
}

impl UsageCounters {
    pub(crate) fn new(group_count: usize) -> UsageCounters {
        let stride = (group_count + PADDING).next_power_of_two();
        let counters = (0..stride * STRIPE_COUNT).map(|_| AtomicU64::new(0)).collect();
        UsageCounters { counters, stride_log2: stride.ilog2() }
    }

    #[inline]
    pub(crate) fn add(&self, home: Home, index: usize, bytes: u64) {
        self.counter(home.shard(), index).fetch_add(bytes, Relaxed);
    }

    #[inline]
    pub(crate) fn subtract(&self, home: Home, index: usize, bytes: u64) {
        self.counter(home.shard(), index).fetch_sub(bytes, Relaxed);
    }

    /// The usage. While other threads allocate it is of no one moment; where their steps make the sum
    /// negative, it is 0.
    pub(crate) fn get(&self, index: usize) -> u64 {
        let sum = (0..STRIPE_COUNT)
            .fold(0u64, |sum, stripe| sum.wrapping_add(self.counter(stripe, index).load(Relaxed)));
        if sum > 1 << 63 { 0 } else { sum }
    }

    #[inline]
    fn counter(&self, stripe: usize, index: usize) -> &AtomicU64 {
        &self.counters[stripe << self.stride_log2 | index]
    }
}
