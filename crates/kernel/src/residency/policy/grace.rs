//! Least recently used with grace periods, the shape of the D3DX12Residency library (facts/residency.md).

use super::{ObjectFacts, ResidencyPolicy, Use, slot_of};
use crate::residency::links::{Links, List, Slot};

/// The grace of an object when memory is not short: 60 s.
const GRACE_MAX_NS: u64 = 60_000_000_000;
/// The grace at full usage: 1 s.
const GRACE_MIN_NS: u64 = 1_000_000_000;
/// Thousandths of the capacity above which the grace shrinks.
const EASY_PERMILLE: u64 = 700;

/// As [`super::Lru`] where room is needed. Besides, what was not needed for longer than a grace period goes by
/// itself; the period falls from 60 s at 70 % of the capacity to 1 s at all of it.
#[derive(Debug)]
pub struct GracefulLru {
    links: Links,
    candidates: List,
    since_ns: Vec<u64>,
}

impl Default for GracefulLru {
    fn default() -> Self {
        GracefulLru { links: Links::default(), candidates: List::EMPTY, since_ns: Vec::new() }
    }
}

/// The grace period at `usage` of `capacity` bytes.
fn grace_ns(usage: u64, capacity: u64) -> u64 {
    if capacity == 0 {
        return GRACE_MIN_NS;
    }
    let permille = u128::from(usage) * 1000 / u128::from(capacity);
    let permille = u64::try_from(permille).unwrap_or(u64::MAX).clamp(EASY_PERMILLE, 1000);
    GRACE_MAX_NS - (GRACE_MAX_NS - GRACE_MIN_NS) / (1000 - EASY_PERMILLE) * (permille - EASY_PERMILLE)
}

impl ResidencyPolicy for GracefulLru {
    fn used(&mut self, _: Slot, _: &ObjectFacts, _: Use) {}

    fn add(&mut self, object: Slot, _: &ObjectFacts, now_ns: u64) {
        self.links.push_newest(&mut self.candidates, object);
        *slot_of(&mut self.since_ns, object) = now_ns;
    }

    fn remove(&mut self, object: Slot) {
        self.links.unlink(&mut self.candidates, object);
    }

    fn restore(&mut self, object: Slot, _: &ObjectFacts) {
        self.links.push_oldest(&mut self.candidates, object);
    }

    fn choose(&mut self, _: u64) -> Option<Slot> {
        self.candidates.oldest()
    }

    fn expired(&mut self, usage: u64, capacity: u64, now_ns: u64) -> Option<Slot> {
        let oldest = self.candidates.oldest()?;
        let since = self.since_ns[oldest as usize];
        (now_ns.saturating_sub(since) > grace_ns(usage, capacity)).then_some(oldest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grace_shrinks_from_seventy_percent_on() {
        assert_eq!(grace_ns(0, 1000), 60_000_000_000);
        assert_eq!(grace_ns(700, 1000), 60_000_000_000);
        // Half of the way from 60 s to 1 s, up to the rounding of a step.
        assert!(grace_ns(850, 1000).abs_diff(30_500_000_000) < 1_000);
        assert!(grace_ns(1000, 1000).abs_diff(1_000_000_000) < 1_000);
        assert_eq!(grace_ns(5, 0), 1_000_000_000);
    }
}
