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
//! what the offline optimum does. On a walk that turns back the newest comes back first, and LRU is near the optimum.
//!
//! A ghost is a cache without bytes that follows one of the two rules all the time; the difference of what they missed
//! tells which pattern it is. It counts for the newest only where objects come back in the order in which they were
//! left: on a walk that returns they come in the opposite one. What a ghost has is not what is in memory, so the policy
//! also watches what it misses itself, and lets go when LRU would have missed less.
//!
//! Among the few candidates nearest to that end the victim is one of the lowest priority class, then one that is not
//! written back first, then, of those that were let go of together, the one that wastes least: bytes beyond what is
//! needed come in again later. Size alone does not break the order: that costs more than it saves.

use super::{ObjectFacts, ResidencyPolicy, Use, slot_of};
use crate::residency::links::{Links, List, Slot};

/// How many candidates are compared. Chosen: enough to find a better one, few enough to keep the order.
const LOOK_AHEAD: usize = 4;
/// The policy takes to the newest when that ghost missed so many 32nds of the capacity less than the other. Chosen: a
/// lap is noticed within a tenth of the capacity, and a few objects are not taken for one.
const ENTER_32NDS: u64 = 3;
/// It goes back to the oldest when this part of the evidence is gone: being wrong there costs more.
const LEAVE_SHIFT: u32 = 5;
/// It goes back as well when it missed this part of the capacity more than LRU would have: ghosts do not know what it
/// has in memory. The next time it takes twice the evidence, up to [`DOUBT_MAX`] times.
const REGRET_SHIFT: u32 = 6;
/// It takes half of that again once it missed this part of the capacity less than LRU.
const TRUST_SHIFT: u32 = 1;
/// See [`REGRET_SHIFT`].
const DOUBT_MAX: i64 = 16;

/// See the module's documentation.
#[derive(Debug)]
pub struct Adaptive {
    links: Links,
    candidates: List,
    known: Vec<Candidate>,
    capacity: u64,
    oldest_first: Ghost,
    newest_first: Ghost,
    /// Bytes that the first ghost missed more than the second.
    evidence: i64,
    takes_newest: bool,
    /// Bytes that it missed more than LRU while it took the newest.
    regret: i64,
    /// Bytes that it missed less, since it last trusted itself more.
    gain: i64,
    /// How many times the evidence it takes.
    doubt: i64,
    /// What was evicted since it was last used.
    is_evicted: Vec<bool>,
    /// The last submission that used each object.
    used_at: Vec<u64>,
    /// By size, as a power of 2: when what came back last had been used before.
    came_back: [u64; 64],
    /// What was chosen last: it is evicted if it is removed next.
    chosen: Option<Slot>,
}

impl Default for Adaptive {
    fn default() -> Self {
        Adaptive {
            links: Links::default(),
            candidates: List::EMPTY,
            known: Vec::new(),
            capacity: 0,
            oldest_first: Ghost::new(End::Oldest),
            newest_first: Ghost::new(End::Newest),
            evidence: 0,
            takes_newest: false,
            regret: 0,
            gain: 0,
            doubt: 1,
            is_evicted: Vec::new(),
            used_at: Vec::new(),
            came_back: [0; 64],
            chosen: None,
        }
    }
}

/// What is known of a candidate.
#[derive(Clone, Copy, Debug, Default)]
struct Candidate {
    facts: ObjectFacts,
    /// When it became one.
    since_ns: u64,
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
    /// Whether objects come back in the order in which they were left, as on a lap, and not in the opposite one, as
    /// when a walk turns back. Told from the last one of about the size that came back, which on a stream of mips is
    /// the same mip of a neighbour.
    fn comes_in_order(&mut self, bytes: u64, used_before: u64) -> bool {
        let level = bytes.checked_ilog2().map_or(0, |level| level as usize);
        let previous = core::mem::replace(&mut self.came_back[level], used_before);
        used_before >= previous
    }

    fn weigh(&mut self, missed_by_oldest: u64, missed_by_newest: u64, comes_in_order: bool) {
        let enter = signed(self.capacity / 32 * ENTER_32NDS);
        let leave = enter.saturating_sub(signed(self.capacity >> LEAVE_SHIFT));
        let mut difference = signed(missed_by_oldest).saturating_sub(signed(missed_by_newest));
        if difference > 0 && !comes_in_order {
            difference = -difference;
        }
        // Bounded, so that the past is forgotten.
        let least = self.evidence.min(-enter);
        self.evidence = self.evidence.saturating_add(difference).clamp(least, enter);
        if self.evidence >= enter {
            self.takes_newest = true;
        } else if self.evidence < leave {
            self.takes_newest = false;
            self.regret = 0;
        }
    }

    /// Compares what it missed with what LRU would have.
    fn regret(&mut self, missed: u64, missed_by_oldest: u64) {
        let bound = signed(self.capacity >> REGRET_SHIFT);
        let difference = signed(missed).saturating_sub(signed(missed_by_oldest));
        self.regret = self.regret.saturating_add(difference).clamp(-bound, bound);
        if self.regret >= bound {
            self.takes_newest = false;
            self.regret = 0;
            self.evidence = signed(self.capacity / 32 * ENTER_32NDS).saturating_mul(-self.doubt);
            self.doubt = (self.doubt * 2).min(DOUBT_MAX);
        }
        self.gain = self.gain.saturating_sub(difference).max(0);
        if self.gain >= signed(self.capacity >> TRUST_SHIFT) {
            self.gain = 0;
            self.doubt = (self.doubt / 2).max(1);
        }
    }

    /// What evicting it for `bytes_needed` costs, the lower the better: the priority class, whether it is written
    /// back, whether it keeps the order (`since_ns`: when the one at the end became a candidate), and bytes that come
    /// in again.
    fn cost(&self, object: Slot, since_ns: u64, bytes_needed: u64) -> (usize, bool, bool, u64) {
        let Candidate { facts, since_ns: since } = &self.known[object as usize];
        let beyond = facts.bytes.saturating_sub(bytes_needed);
        (facts.priority.class(), facts.is_dirty, *since != since_ns, beyond)
    }
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

impl ResidencyPolicy for Adaptive {
    fn used(&mut self, object: Slot, facts: &ObjectFacts, at: Use) {
        let used_before = core::mem::replace(slot_of(&mut self.used_at, object), at.submission);
        let missed_by_oldest = self.oldest_first.used(object, facts.bytes, at.submission, self.capacity);
        let missed_by_newest = self.newest_first.used(object, facts.bytes, at.submission, self.capacity);
        let comes_in_order = missed_by_oldest > 0 && self.comes_in_order(facts.bytes, used_before);
        if missed_by_oldest != missed_by_newest {
            self.weigh(missed_by_oldest, missed_by_newest, comes_in_order);
        }
        let was_evicted = core::mem::take(slot_of(&mut self.is_evicted, object));
        let missed = if was_evicted { facts.bytes } else { 0 };
        if self.takes_newest && missed != missed_by_oldest {
            self.regret(missed, missed_by_oldest);
        }
    }

    fn add(&mut self, object: Slot, facts: &ObjectFacts, now_ns: u64) {
        *slot_of(&mut self.known, object) = Candidate { facts: *facts, since_ns: now_ns };
        self.links.push_newest(&mut self.candidates, object);
    }

    fn remove(&mut self, object: Slot) {
        *slot_of(&mut self.is_evicted, object) = self.chosen == Some(object);
        self.links.unlink(&mut self.candidates, object);
    }

    fn restore(&mut self, object: Slot, facts: &ObjectFacts) {
        slot_of(&mut self.known, object).facts = *facts;
        *slot_of(&mut self.is_evicted, object) = false;
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
        let near = core::iter::successors(end, next).take(LOOK_AHEAD);
        let since_ns = end.map_or(0, |end| self.known[end as usize].since_ns);
        self.chosen = near.min_by_key(|object| self.cost(*object, since_ns, bytes_needed));
        self.chosen
    }

    fn set_capacity(&mut self, bytes: u64) {
        self.capacity = bytes;
    }

    fn forget(&mut self, object: Slot) {
        *slot_of(&mut self.is_evicted, object) = false;
        self.oldest_first.forget(object);
        self.newest_first.forget(object);
    }
}
