//! Which queue goes next in [`crate::GpuMode::Stepped`], where the caller does not say.

use crate::queue::QueueId;

/// Chooses the queue that goes next. Nothing else decides the order, so that the same choices replay a run.
pub trait Order {
    /// The index of one of the queues that can run, which are at least one and stand in the order of creation.
    /// An index beyond the last counts on from the first.
    fn choose(&mut self, ready: &[QueueId]) -> usize;
}

/// The queues take turns in the order of creation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundRobin {
    last: Option<QueueId>,
}

impl Order for RoundRobin {
    fn choose(&mut self, ready: &[QueueId]) -> usize {
        let next = self.last.map_or(0, |last| ready.partition_point(|queue| *queue <= last));
        let index = if next < ready.len() { next } else { 0 };
        self.last = ready.get(index).copied();
        index
    }
}

/// The queue that was created first runs as far as it can, then the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CreationOrder;

impl Order for CreationOrder {
    fn choose(&mut self, _: &[QueueId]) -> usize {
        0
    }
}

/// Any order, decided by a seed: the same seed gives the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeded(u64);

impl Seeded {
    /// The order of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Seeded {
        Seeded(seed)
    }
}

impl Order for Seeded {
    /// SplitMix64: small, and every seed does.
    fn choose(&mut self, ready: &[QueueId]) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        let count = u64::try_from(ready.len()).unwrap_or(u64::MAX).max(1);
        usize::try_from(mixed % count).expect("invariant: below a length")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READY: [QueueId; 3] = [QueueId(2), QueueId(5), QueueId(9)];

    #[test]
    fn round_robin_goes_on_behind_the_last() {
        let mut order = RoundRobin::default();
        let chosen: Vec<usize> = (0..4).map(|_| order.choose(&READY)).collect();
        assert_eq!(chosen, [0, 1, 2, 0]);
        assert_eq!(order.choose(&[QueueId(9)]), 0);
        assert_eq!(order.choose(&READY), 0, "nobody is behind queue 9");
        assert_eq!(order.choose(&[QueueId(5), QueueId(9)]), 0, "queue 2 went last, and is not ready");
    }

    /// The first outputs of SplitMix64 with seed 1234567, as its authors' test vector gives them:
    /// 6457827717110365317, 3203168211198807973, 9817491932198370423.
    #[test]
    fn a_seed_decides_by_the_known_sequence() {
        let mut order = Seeded::new(1_234_567);
        let chosen: Vec<usize> = (0..3).map(|_| order.choose(&READY)).collect();
        let expected = [6_457_827_717_110_365_317_u64, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(chosen, expected.map(|output| usize::try_from(output % 3).unwrap()));
    }
}
