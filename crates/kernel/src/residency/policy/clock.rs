//! A clock whose hand passes by an object the more often, the higher its priority.

use super::{ObjectFacts, ResidencyPolicy, Use, slot_of};
use crate::residency::links::{Links, List, Slot};

/// Second chance: an object starts with one chance for each priority class it reaches above the lowest, and one more
/// when it was used since the hand last passed. The hand takes a chance from each it passes, and evicts who has
/// none. Each chance given is taken once, so that choosing takes constant time on average.
#[derive(Debug)]
pub struct PriorityClock {
    links: Links,
    /// From the hand on.
    ring: List,
    chances: Vec<u8>,
}

impl Default for PriorityClock {
    fn default() -> Self {
        PriorityClock { links: Links::default(), ring: List::EMPTY, chances: Vec::new() }
    }
}

fn chances_of(facts: &ObjectFacts) -> u8 {
    u8::try_from(facts.priority.class()).expect("invariant: at most 4")
}

impl ResidencyPolicy for PriorityClock {
    fn used(&mut self, object: Slot, facts: &ObjectFacts, _: Use) {
        *slot_of(&mut self.chances, object) = chances_of(facts) + 1;
    }

    fn add(&mut self, object: Slot, facts: &ObjectFacts, _: u64) {
        let chances = slot_of(&mut self.chances, object);
        *chances = (*chances).max(chances_of(facts));
        self.links.push_newest(&mut self.ring, object);
    }

    fn remove(&mut self, object: Slot) {
        self.links.unlink(&mut self.ring, object);
    }

    fn restore(&mut self, object: Slot, _: &ObjectFacts) {
        *slot_of(&mut self.chances, object) = 0;
        self.links.push_oldest(&mut self.ring, object);
    }

    fn choose(&mut self, _: u64) -> Option<Slot> {
        loop {
            let object = self.ring.oldest()?;
            let chances = &mut self.chances[object as usize];
            if *chances == 0 {
                return Some(object);
            }
            *chances -= 1;
            self.links.unlink(&mut self.ring, object);
            self.links.push_newest(&mut self.ring, object);
        }
    }

    fn forget(&mut self, object: Slot) {
        *slot_of(&mut self.chances, object) = 0;
    }
}
