//! Least recently used.

use super::{ObjectFacts, ResidencyPolicy, Use};
use crate::residency::links::{Links, List, Slot};

/// Evicts what became a candidate first: what has not been needed for the longest time. Blind to size, cost and
/// priority, and at its worst on laps: it evicts what comes next.
#[derive(Debug)]
pub struct Lru {
    links: Links,
    candidates: List,
}

impl Default for Lru {
    fn default() -> Self {
        Lru { links: Links::default(), candidates: List::EMPTY }
    }
}

impl ResidencyPolicy for Lru {
    fn used(&mut self, _: Slot, _: &ObjectFacts, _: Use) {}

    fn add(&mut self, object: Slot, _: &ObjectFacts, _: u64) {
        self.links.push_newest(&mut self.candidates, object);
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
}
