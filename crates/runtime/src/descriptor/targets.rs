//! The resources that views are of, by keys.
//!
//! ```text
//!   descriptor: key ----> slot: generation, weak reference ----> ResourceInner
//!                                                                 '-- the same key, from its first view on
//! ```
//! A descriptor that held a weak reference would count it: every copy would write to each resource's count.
//! So descriptors hold keys, which are numbers and are copied as bytes. When a resource dies its slot gets
//! another generation, and the keys that are left lead nowhere.

use core::num::NonZeroU64;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::RwLock;

use crate::device::stripe;
use crate::resource::{Resource, ResourceInner};

/// Chosen: as many as threads that create views at once, on ordinary machines.
const SHARD_COUNT: usize = 8;
const SHARDS: u32 = 8;

/// A slot whose generation is this one is not used again: no key is given twice.
const LAST_GENERATION: u32 = u32::MAX;

/// What a view holds of its resource: a slot's generation in the upper 32 bits, its number in the lower. Never
/// 0, as generations begin at 1.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct TargetKey(NonZeroU64);

/// The key of a resource, once it has a view.
#[derive(Default)]
pub(crate) struct KeptKey(AtomicU64);

/// The resources of a device that have views.
pub(crate) struct ViewTargets {
    shards: [Shard; SHARD_COUNT],
}

/// Alone in its cache lines, as threads write its lock.
#[repr(align(128))]
#[derive(Default)]
struct Shard(RwLock<Slots>);

#[derive(Default)]
struct Slots {
    slots: Vec<Slot>,
    /// Those without a resource.
    free: Vec<u32>,
}

struct Slot {
    generation: u32,
    resource: Weak<ResourceInner>,
}

impl ViewTargets {
    pub(crate) fn new() -> ViewTargets {
        ViewTargets { shards: core::array::from_fn(|_| Shard::default()) }
    }

    /// The key of a resource that gets a view.
    #[inline]
    pub(super) fn key(&self, resource: &Resource) -> TargetKey {
        resource.inner.view_key.get().unwrap_or_else(|| self.first_key(&resource.inner))
    }

    #[cold]
    fn first_key(&self, resource: &Arc<ResourceInner>) -> TargetKey {
        let shard = stripe() % SHARD_COUNT;
        let key = self.shards[shard].0.write().insert(Arc::downgrade(resource), shard);
        // Relaxed: who reads a key finds its slot by the shard's lock, or another's generation.
        match resource.view_key.0.compare_exchange(0, key.0.get(), Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => key,
            Err(other) => {
                self.forget(key);
                TargetKey(NonZeroU64::new(other).expect("invariant: the exchange failed because it is not 0"))
            }
        }
    }

    /// The resource, kept alive from now on; `None` where it is gone.
    pub(super) fn resource(&self, key: TargetKey) -> Option<Resource> {
        let (shard, index) = key.place();
        let slots = self.shards[shard].0.read();
        let slot = slots.slots.get(index).filter(|slot| slot.generation == key.generation())?;
        slot.resource.upgrade().map(|inner| Resource { inner })
    }

    /// The views of a resource that dies lead nowhere from now on.
    #[cold]
    pub(crate) fn forget(&self, key: TargetKey) {
        let (shard, index) = key.place();
        // What the slot held is dropped behind the lock: a weak reference frees memory at most.
        let removed = self.shards[shard].0.write().remove(index);
        drop(removed);
    }
}

impl KeptKey {
    /// The key, once the resource has a view.
    #[inline]
    pub(crate) fn get(&self) -> Option<TargetKey> {
        NonZeroU64::new(self.0.load(Ordering::Relaxed)).map(TargetKey)
    }
}

impl Slots {
    fn insert(&mut self, resource: Weak<ResourceInner>, shard: usize) -> TargetKey {
        let index = match self.free.pop() {
            Some(index) => {
                self.slots[index as usize].resource = resource;
                index
            }
            None => {
                self.slots.push(Slot { generation: 1, resource });
                u32::try_from(self.slots.len() - 1).expect("invariant: there are fewer resources than 2^29")
            }
        };
        let shard = u32::try_from(shard).expect("invariant: shards are few");
        TargetKey::new(self.slots[index as usize].generation, index, shard)
    }

    fn remove(&mut self, index: usize) -> Weak<ResourceInner> {
        let slot = &mut self.slots[index];
        slot.generation += 1;
        if slot.generation != LAST_GENERATION {
            self.free.push(u32::try_from(index).expect("invariant: it came from a key"));
        }
        core::mem::take(&mut slot.resource)
    }
}

impl TargetKey {
    fn new(generation: u32, index: u32, shard: u32) -> TargetKey {
        let number = index.checked_mul(SHARDS).and_then(|number| number.checked_add(shard));
        let number = number.expect("invariant: there are fewer resources than 2^29");
        let key = u64::from(generation) << 32 | u64::from(number);
        TargetKey(NonZeroU64::new(key).expect("invariant: generations begin at 1"))
    }

    fn generation(self) -> u32 {
        u32::try_from(self.0.get() >> 32).expect("invariant: 32 bits are left")
    }

    /// Shard and index.
    fn place(self) -> (usize, usize) {
        let number = self.0.get() & u64::from(u32::MAX);
        let narrow = |number: u64| usize::try_from(number).expect("invariant: 32 bits are left");
        (narrow(number % u64::from(SHARDS)), narrow(number / u64::from(SHARDS)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_taken_apart_again() {
        for (generation, index, shard) in [(1, 0, 0), (1, 0, 7), (u32::MAX, (1 << 29) - 1, 7), (9, 1000, 3)] {
            let key = TargetKey::new(generation, index, shard);
            assert_eq!((key.generation(), key.place()), (generation, (shard as usize, index as usize)));
        }
    }

    #[test]
    fn a_slot_is_used_again_with_another_generation_and_not_beyond_the_last() {
        let mut slots = Slots::default();
        let keys: Vec<_> = (0..3).map(|_| slots.insert(Weak::new(), 2)).collect();
        slots.remove(1);
        let again = slots.insert(Weak::new(), 2);
        assert_eq!((again.place(), again.generation()), (keys[1].place(), 2));
        slots.slots[1].generation = LAST_GENERATION - 1;
        slots.remove(1);
        assert_eq!(slots.insert(Weak::new(), 2).place(), (2, 3), "the slot is worn out");
    }
}
