//! The least that any policy can page in: what an oracle that knows the future does.
//!
//! Whatever is needed must be in memory; the rest of the capacity is filled by choice. Pages all cost the same,
//! so evicting those whose next use is furthest away is optimal (Belady, 1966), also when several are needed at once and
//! stay. The oracle may evict part of an object, page by page, knows no grace, no fence and no dirtiness, and
//! evicts only when it must: no policy over whole objects pages in less. Where a step needs more than the
//! capacity, it has what it needs for that step.

use std::collections::BTreeSet;

/// An object at a step: its number below the count of objects, at most once in a step.
pub type ObjectIndex = u32;

/// Bytes that the oracle pages in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LowerBound {
    /// All page-ins, the first ones too.
    pub bytes_paged_in: u64,
    /// Those of them that nobody avoids: the first page-in of each object.
    pub bytes_compulsory: u64,
}

/// What must be in memory together, and how much memory there is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The objects, each once.
    pub objects: Vec<ObjectIndex>,
    /// The memory, in bytes.
    pub capacity: u64,
}

/// The bound for `steps` over objects of `sizes[object]` bytes, in a memory that is empty at first. Takes
/// `O(n log n)` for n uses.
///
/// # Panics
/// Where a step names an object that has no size: a bug of the caller.
#[must_use]
pub fn lower_bound(sizes: &[u64], steps: &[Step]) -> LowerBound {
    let mut oracle = Oracle::new(sizes, steps);
    let mut bound = LowerBound::default();
    for (step, Step { objects, capacity }) in (0u64..).zip(steps) {
        for object in objects {
            let index = *object as usize;
            let size = sizes[index];
            if !oracle.was_used[index] {
                oracle.was_used[index] = true;
                bound.bytes_compulsory = bound.bytes_compulsory.saturating_add(size);
            }
            let missing = size - oracle.present[index];
            bound.bytes_paged_in = bound.bytes_paged_in.saturating_add(missing);
            oracle.enter(*object, missing);
        }
        oracle.evict_down_to(*capacity);
        for object in objects {
            oracle.leave(*object, step);
        }
    }
    bound
}

struct Oracle {
    /// Bytes of each object in memory.
    present: Vec<u64>,
    was_used: Vec<bool>,
    used: u64,
    /// What the current step does not need, by next use.
    evictable: BTreeSet<(u64, ObjectIndex)>,
    next_use: Vec<u64>,
    /// The steps that use each object, in order.
    uses: Vec<Vec<u64>>,
    /// How many of them are over.
    position: Vec<usize>,
}

/// The next use of what is never used again.
const NEVER: u64 = u64::MAX;

impl Oracle {
    fn new(sizes: &[u64], steps: &[Step]) -> Oracle {
        let mut uses = vec![Vec::new(); sizes.len()];
        for (step, Step { objects, .. }) in (0u64..).zip(steps) {
            for object in objects {
                uses[*object as usize].push(step);
            }
        }
        Oracle {
            present: vec![0; sizes.len()],
            was_used: vec![false; sizes.len()],
            used: 0,
            evictable: BTreeSet::new(),
            next_use: vec![NEVER; sizes.len()],
            uses,
            position: vec![0; sizes.len()],
        }
    }

    /// The step needs all of the object.
    fn enter(&mut self, object: ObjectIndex, missing: u64) {
        let index = object as usize;
        self.evictable.remove(&(self.next_use[index], object));
        self.present[index] += missing;
        self.used = self.used.saturating_add(missing);
    }

    /// Evicts, the furthest first, what the step does not need.
    fn evict_down_to(&mut self, capacity: u64) {
        while self.used > capacity {
            let Some((next_use, object)) = self.evictable.pop_last() else { return };
            let present = &mut self.present[object as usize];
            let evicted = (self.used - capacity).min(*present);
            *present -= evicted;
            self.used -= evicted;
            if *present > 0 {
                self.evictable.insert((next_use, object));
            }
        }
    }

    /// The step needs the object no more.
    fn leave(&mut self, object: ObjectIndex, step: u64) {
        let index = object as usize;
        let uses = &self.uses[index];
        debug_assert_eq!(uses[self.position[index]], step, "bug: uses are counted out of order");
        self.position[index] += 1;
        self.next_use[index] = uses.get(self.position[index]).copied().unwrap_or(NEVER);
        self.evictable.insert((self.next_use[index], object));
    }
}
