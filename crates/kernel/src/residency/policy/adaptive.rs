//! Our own policy: follows whichever of two simple ones would have missed less lately.
//!
//! ```text
//!   uses --+--> ghost "oldest first" (LRU)        missed bytes --+
//!          '--> ghost "newest first" (for laps)   missed bytes --+--> evidence --> which end of
//!                                                                                  the candidates
//!   candidates  oldest [ . . . . . . . . . ] newest
//!                      LRU end        lap end
//! ```
//! On a lap that does not fit, what was left just now comes back last, and what was left long ago comes back
//! next: LRU evicts exactly what it needs next. Evicting the newest instead keeps a fixed part of the lap, which is
//! what the offline optimum does. On a random walk the newest comes back first, and LRU is near the optimum. A ghost
//! is a cache without bytes that one of the two rules the whole time; the difference of what they missed tells which
//! pattern it is, within a small fraction of the capacity. A scan, used once and never again, pushes nothing
//! out in the lap mode, and only what is older in the other.
//!
//! Among the few candidates nearest to that end the victim is the one of the lowest priority class, then
//! the one that wastes least: bytes beyond what is needed come in again later, and dirty bytes are written first.

use super::{ObjectFacts, ResidencyPolicy, Use, slot_of};
use crate::residency::links::{Links, List, Slot};

/// How many candidates are compared. Chosen: enough to find a better one, few enough to keep the order.
const LOOK_AHEAD: usize = 4;
/// The policy changes its mind when one ghost missed this part of the capacity more than the other. Chosen: a lap is
/// noticed within 1.6 % of it, and chance is not taken for a pattern.
const SWITCH_SHIFT: u32 = 6;
/// Evidence is bounded to this part of the capacity, so that the past is forgotten.
const BOUND_SHIFT: u32 = 4;

/// See the module's documentation.
#[derive(Debug)]
pub struct Adaptive {
    links: Links,
    candidates: List,
    facts: Vec<ObjectFacts>,
    capacity: u64,
    oldest_first: Ghost,
    newest_first: Ghost,
    /// Bytes that the first ghost missed more than the second.
    evidence: i64,
    takes_newest: bool,
}

impl Default for Adaptive {
    fn default() -> Self {
        Adaptive {
            links: Links::default(),
            candidates: List::EMPTY,
            facts: Vec::new(),
            capacity: 0,
            oldest_first: Ghost::new(End::Oldest),
            newest_first: Ghost::new(End::Newest),
            evidence: 0,
            takes_newest: false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Oldest,
    Newest,
}

/// A cache without bytes. What the current submission uses stays; the rest is evicted when it ends.
#[derive(Debug)]
struct Ghost {
    evicts: End,
    links: Links,
    /// Not used by the current submission.
    settled: List,
    /// Used by it.
    current: List,
    submission: u64,
    objects: Vec<GhostObject>,
    used: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct GhostObject {
    bytes: u64,
    place: GhostPlace,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum GhostPlace {
    #[default]
    Absent,
    Settled,
    Current,
}

impl Ghost {
    const fn new(evicts: End) -> Ghost {
        Ghost {
            evicts,
            links: Links::new(),
            settled: List::EMPTY,
            current: List::EMPTY,
            submission: 0,
            objects: Vec::new(),
            used: 0,
        }
    }

    /// A use; returns the bytes missed.
    fn used(&mut self, object: Slot, bytes: u64, submission: u64, capacity: u64) -> u64 {
        if submission != self.submission {
            self.settle(capacity);
            self.submission = submission;
        }
        let ghost = slot_of(&mut self.objects, object);
        let missed = match ghost.place {
            GhostPlace::Current => return 0,
            GhostPlace::Settled => {
                self.links.unlink(&mut self.settled, object);
                0
            }
            GhostPlace::Absent => {
                ghost.bytes = bytes;
                self.used = self.used.saturating_add(bytes);
                bytes
            }
        };
        ghost.place = GhostPlace::Current;
        self.links.push_newest(&mut self.current, object);
        missed
    }

    /// Ends the submission.
    fn settle(&mut self, capacity: u64) {
        while self.used > capacity {
            let victim = match self.evicts {
                End::Oldest => self.settled.oldest(),
                End::Newest => self.settled.newest(),
            };
            let Some(victim) = victim else { break };
            self.links.unlink(&mut self.settled, victim);
            self.drop_bytes(victim);
        }
        let mut at = self.current.oldest();
        while let Some(object) = at {
            self.objects[object as usize].place = GhostPlace::Settled;
            at = self.links.newer(object);
        }
        self.links.append(&mut self.settled, &mut self.current);
    }

    fn drop_bytes(&mut self, object: Slot) {
        let ghost = &mut self.objects[object as usize];
        ghost.place = GhostPlace::Absent;
        self.used -= ghost.bytes;
    }

    fn forget(&mut self, object: Slot) {
        match self.objects.get(object as usize).map(|ghost| ghost.place) {
            None | Some(GhostPlace::Absent) => return,
            Some(GhostPlace::Settled) => self.links.unlink(&mut self.settled, object),
            Some(GhostPlace::Current) => self.links.unlink(&mut self.current, object),
        }
        self.drop_bytes(object);
    }
}

impl Adaptive {
    fn weigh(&mut self, missed_by_oldest: u64, missed_by_newest: u64) {
        let signed = |bytes: u64| i64::try_from(bytes).unwrap_or(i64::MAX);
        let bound = signed(self.capacity >> BOUND_SHIFT);
        let difference = signed(missed_by_oldest).saturating_sub(signed(missed_by_newest));
        self.evidence = self.evidence.saturating_add(difference).clamp(-bound, bound);
        let switch = signed(self.capacity >> SWITCH_SHIFT);
        if self.evidence > switch {
            self.takes_newest = true;
        } else if self.evidence < -switch {
            self.takes_newest = false;
        }
    }

    /// What evicting it for `bytes_needed` costs, the lower the better.
    fn cost(&self, object: Slot, bytes_needed: u64) -> (usize, u64) {
        let facts = &self.facts[object as usize];
        let beyond = facts.bytes.saturating_sub(bytes_needed);
        let written = if facts.is_dirty { facts.bytes } else { 0 };
        (facts.priority.class(), beyond.saturating_add(written))
    }
}

impl ResidencyPolicy for Adaptive {
    fn used(&mut self, object: Slot, facts: &ObjectFacts, at: Use) {
        let missed_by_oldest = self.oldest_first.used(object, facts.bytes, at.submission, self.capacity);
        let missed_by_newest = self.newest_first.used(object, facts.bytes, at.submission, self.capacity);
        if missed_by_oldest != missed_by_newest {
            self.weigh(missed_by_oldest, missed_by_newest);
        }
    }

    fn add(&mut self, object: Slot, facts: &ObjectFacts, _: u64) {
        *slot_of(&mut self.facts, object) = *facts;
        self.links.push_newest(&mut self.candidates, object);
    }

    fn remove(&mut self, object: Slot) {
        self.links.unlink(&mut self.candidates, object);
    }

    fn restore(&mut self, object: Slot, facts: &ObjectFacts) {
        *slot_of(&mut self.facts, object) = *facts;
        if self.takes_newest {
            self.links.push_newest(&mut self.candidates, object);
        } else {
            self.links.push_oldest(&mut self.candidates, object);
        }
    }

    fn choose(&mut self, bytes_needed: u64) -> Option<Slot> {
        let end = if self.takes_newest { self.candidates.newest() } else { self.candidates.oldest() };
        let next = |object: &Slot| {
            if self.takes_newest { self.links.older(*object) } else { self.links.newer(*object) }
        };
        core::iter::successors(end, next)
            .take(LOOK_AHEAD)
            .min_by_key(|object| self.cost(*object, bytes_needed))
    }

    fn set_capacity(&mut self, bytes: u64) {
        self.capacity = bytes;
    }

    fn forget(&mut self, object: Slot) {
        self.oldest_first.forget(object);
        self.newest_first.forget(object);
    }
}
