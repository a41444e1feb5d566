//! Policies: which of the objects that nobody needs now leaves memory first.
//!
//! ```text
//!   used          a submission uses an object: history, whether it is a candidate or not
//!   add ------> candidate ------> remove      wanted again, evicted, or gone
//!                  |  ^
//!           choose |  | restore               an eviction was undone
//!                  v  |
//!                evicted
//! ```
//! A policy never sees an object in flight: what is used leaves the candidates first. It reads no clock: the
//! virtual time is handed in.

mod adaptive;
mod clock;
mod grace;
mod lru;

use core::fmt;

use super::links::Slot;
use super::priority::ResidencyPriority;

pub use adaptive::Adaptive;
pub use clock::PriorityClock;
pub use grace::GracefulLru;
pub use lru::Lru;

/// What a policy may know of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObjectFacts {
    /// Its bytes.
    pub bytes: u64,
    /// Its priority.
    pub priority: ResidencyPriority,
    /// Whether evicting it writes it back first.
    pub is_dirty: bool,
}

/// When a submission used an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// The submission's number: the same for all that it uses, and rising.
    pub submission: u64,
    /// The virtual time in nanoseconds.
    pub now_ns: u64,
}

/// Chooses victims among candidates of one process in one segment. Every method but [`choose`](Self::choose) is to take
/// constant or logarithmic time.
pub trait ResidencyPolicy: fmt::Debug + Send {
    /// A submission uses the object.
    fn used(&mut self, object: Slot, facts: &ObjectFacts, at: Use);

    /// The object may be evicted from now on.
    fn add(&mut self, object: Slot, facts: &ObjectFacts, now_ns: u64);

    /// The object is no candidate any more.
    fn remove(&mut self, object: Slot);

    /// The object is a candidate again, and the next to be chosen: its eviction was undone. Where several are
    /// restored, the last evicted comes first.
    fn restore(&mut self, object: Slot, facts: &ObjectFacts);

    /// The candidate to evict next, when `bytes_needed` are wanted. It stays a candidate until it is removed.
    /// `None` only where there is no candidate.
    fn choose(&mut self, bytes_needed: u64) -> Option<Slot>;

    /// A candidate that is to go although nobody needs its room, where `usage` bytes of `capacity` are used.
    fn expired(&mut self, _usage: u64, _capacity: u64, _now_ns: u64) -> Option<Slot> {
        None
    }

    /// The bytes that the process should use at most, whenever they change.
    fn set_capacity(&mut self, _bytes: u64) {}

    /// The object is gone, and its number may be another's.
    fn forget(&mut self, _object: Slot) {}
}

/// The policies that there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PolicyKind {
    /// [`Lru`].
    Lru,
    /// [`GracefulLru`].
    GracefulLru,
    /// [`PriorityClock`].
    PriorityClock,
    /// [`Adaptive`].
    #[default]
    Adaptive,
}

impl PolicyKind {
    /// All.
    pub const ALL: [PolicyKind; 4] =
        [PolicyKind::Lru, PolicyKind::GracefulLru, PolicyKind::PriorityClock, PolicyKind::Adaptive];

    /// Its name in commands and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PolicyKind::Lru => "lru",
            PolicyKind::GracefulLru => "lru-grace",
            PolicyKind::PriorityClock => "clock",
            PolicyKind::Adaptive => "adaptive",
        }
    }

    /// The policy of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<PolicyKind> {
        PolicyKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// A policy of the kind, without candidates.
    #[must_use]
    pub fn build(self) -> Box<dyn ResidencyPolicy> {
        match self {
            PolicyKind::Lru => Box::<Lru>::default(),
            PolicyKind::GracefulLru => Box::<GracefulLru>::default(),
            PolicyKind::PriorityClock => Box::<PriorityClock>::default(),
            PolicyKind::Adaptive => Box::<Adaptive>::default(),
        }
    }
}

impl fmt::Display for PolicyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// `table[slot]`, grown where it is not there yet.
fn slot_of<T: Clone + Default>(table: &mut Vec<T>, slot: Slot) -> &mut T {
    let index = slot as usize;
    if index >= table.len() {
        table.resize(index + 1, T::default());
    }
    &mut table[index]
}
