//! The heaps of a replay, by index; places of destroyed ones are used again.

use heapstone::Heap;

use super::accounting::Account;
use super::intervals::Intervals;
use super::shelves::ShelfPlace;

/// A heap's index.
pub(crate) type HeapKey = u32;

/// A heap of the trace, or of a pool.
#[derive(Debug)]
pub(crate) struct HeapState {
    /// `None` of a ghost: the device refused it. What would lie in it is skipped.
    pub(crate) handle: Option<Heap>,
    pub(crate) account: Account,
    /// Bytes that the kernel committed.
    pub(crate) committed: u64,
    /// Its resources. Of a ghost those that would lie in it.
    pub(crate) intervals: Intervals,
    /// How many lie in it.
    pub(crate) resources: u32,
    /// The trace told its end: it goes with its last resource.
    pub(crate) released: bool,
    /// Made by the replay: goes with its last resource.
    pub(crate) is_pool: bool,
    /// Where placing first-fit finds it.
    pub(crate) shelf: Option<ShelfPlace>,
}

impl HeapState {
    /// A heap of the trace that the device did not create.
    pub(crate) const fn ghost(account: Account, committed: u64, intervals: Intervals) -> HeapState {
        HeapState {
            handle: None,
            account,
            committed,
            intervals,
            resources: 0,
            released: false,
            is_pool: false,
            shelf: None,
        }
    }
}

/// All living heaps.
#[derive(Debug, Default)]
pub(crate) struct Heaps {
    slots: Vec<Option<HeapState>>,
    free: Vec<HeapKey>,
}

impl Heaps {
    pub(crate) fn insert(&mut self, heap: HeapState) -> HeapKey {
        match self.free.pop() {
            Some(key) => {
                self.slots[index(key)] = Some(heap);
                key
            }
            None => {
                self.slots.push(Some(heap));
                index_of(self.slots.len() - 1)
            }
        }
    }

    pub(crate) fn get(&self, key: HeapKey) -> &HeapState {
        self.slots[index(key)].as_ref().expect("invariant: keys are held only of living heaps")
    }

    pub(crate) fn get_mut(&mut self, key: HeapKey) -> &mut HeapState {
        self.slots[index(key)].as_mut().expect("invariant: keys are held only of living heaps")
    }

    pub(crate) fn remove(&mut self, key: HeapKey) -> HeapState {
        self.free.push(key);
        self.slots[index(key)].take().expect("invariant: keys are held only of living heaps")
    }

    /// Slots that there are: the most heaps that ever lived at once.
    pub(crate) fn slot_count(&self) -> usize {
        self.slots.len()
    }
}

pub(crate) fn index(number: u32) -> usize {
    usize::try_from(number).expect("invariant: an index was a length")
}

pub(crate) fn index_of(length: usize) -> u32 {
    u32::try_from(length).expect("invariant: fewer than 2^32 heaps live at once")
}
