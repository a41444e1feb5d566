//! The stream of an open list, and what it refers to.

use std::sync::Arc;

use heapstone_driver::dma::{Command, DmaAllocation, DmaBuilder};
use heapstone_spec::Violation;
use heapstone_spec::rules::command as rules;
use heapstone_units::GpuVirtualAddress;

use super::allocator::StreamMemory;
use crate::address::{MemoryHold, MemoryReference};
use crate::resource::{Resource, ResourceInner};

/// No command of the engine has more words.
const COMMAND_WORDS_MAX: usize = 32;

/// Writes commands, and keeps the list of what they refer to.
#[derive(Default)]
pub(crate) struct Recorder {
    builder: DmaBuilder,
    /// In the order of the builder's allocation list.
    references: Vec<MemoryReference>,
    indices: IndexTable,
}

impl Recorder {
    /// Begins a stream in `memory`.
    pub(super) fn begin(&mut self, memory: StreamMemory) {
        self.builder = DmaBuilder::new(memory.dma);
        self.references = memory.references;
        self.indices.clear();
    }

    /// The stream, complete.
    pub(super) fn finish(&mut self) -> StreamMemory {
        StreamMemory {
            dma: core::mem::take(&mut self.builder).finish(),
            references: core::mem::take(&mut self.references),
        }
    }

    /// Begins a call that takes up to `commands` of the engine.
    #[inline]
    pub(crate) fn begin_call(&mut self, commands: usize) -> Result<(), Box<Violation>> {
        if !self.builder.has_room(commands.saturating_mul(COMMAND_WORDS_MAX)) {
            return Err(full());
        }
        self.builder.begin_call();
        Ok(())
    }

    /// Appends a command. Its call has begun.
    #[inline]
    pub(crate) fn push(&mut self, command: &Command) {
        self.builder.push(command);
    }

    /// The resource's index in the allocation list.
    #[inline]
    pub(crate) fn allocation(&mut self, resource: &Resource) -> u32 {
        // The list's weak reference keeps the address from being another object's.
        let key = Arc::as_ptr(&resource.inner).addr() as u64;
        match self.indices.find(key) {
            Some(index) => index,
            None => self.add(key, &resource.inner),
        }
    }

    /// The index of what an address led to.
    pub(crate) fn allocation_of(&mut self, hold: &MemoryHold) -> u32 {
        match hold {
            MemoryHold::Resource(resource) => self.allocation(resource),
            MemoryHold::Heap(heap) => {
                let key = Arc::as_ptr(&heap.inner).addr() as u64;
                self.indices.find(key).unwrap_or_else(|| {
                    let range = hold.range();
                    self.insert(
                        key,
                        DmaAllocation {
                            address: GpuVirtualAddress(range.begin),
                            size: range.size(),
                            is_written: false,
                            surfaces: None,
                        },
                        hold.reference(),
                    )
                })
            }
        }
    }

    /// The same of a texture whose elements an engine is to reach: it is told how they lie.
    #[inline]
    pub(crate) fn surface_allocation(&mut self, texture: &Resource) -> u32 {
        let index = self.allocation(texture);
        let entry = self.builder.allocation_mut(index).expect("invariant: the entry was just found");
        if entry.surfaces.is_none() {
            entry.surfaces = texture.inner.surfaces().cloned();
        }
        index
    }

    #[cold]
    fn add(&mut self, key: u64, resource: &Arc<ResourceInner>) -> u32 {
        let allocation = DmaAllocation {
            address: resource.gpu_virtual_address,
            size: resource.size,
            is_written: false,
            surfaces: None,
        };
        self.insert(key, allocation, MemoryReference::Resource(Arc::downgrade(resource)))
    }

    fn insert(&mut self, key: u64, allocation: DmaAllocation, reference: MemoryReference) -> u32 {
        let index = self.builder.add_allocation(allocation);
        self.references.push(reference);
        self.indices.insert(key, index);
        index
    }
}

#[cold]
fn full() -> Box<Violation> {
    rules::LIST_FULL.violated(
        "ID3D12GraphicsCommandList",
        "a list of 4 GiB of commands",
        "less than 4 GiB of commands",
    )
}

/// From the addresses of objects to indices: open addressing, at most half full.
#[derive(Default)]
struct IndexTable {
    slots: Vec<Slot>,
    count: usize,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    /// 0 is empty: no object lies there.
    key: u64,
    index: u32,
}

/// A power of two; most lists refer to few resources (chosen).
const SLOTS_MIN: usize = 16;

impl IndexTable {
    #[inline]
    fn find(&self, key: u64) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.place(key)];
        (slot.key == key).then_some(slot.index)
    }

    /// The slot of `key`, or the empty one where it belongs. There are slots, and an empty one among them.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        // Fibonacci hashing: the product's upper half mixes all bits of an address.
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let mut at = usize::try_from(hash).unwrap_or(0) & mask;
        loop {
            let found = self.slots[at].key;
            if found == key || found == 0 {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// Of a key that is not there.
    fn insert(&mut self, key: u64, index: u32) {
        if (self.count + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let at = self.place(key);
        self.slots[at] = Slot { key, index };
        self.count += 1;
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(SLOTS_MIN);
        let old = core::mem::replace(&mut self.slots, vec![Slot::default(); size]);
        for slot in old.into_iter().filter(|slot| slot.key != 0) {
            let at = self.place(slot.key);
            self.slots[at] = slot;
        }
    }

    fn clear(&mut self) {
        if self.count > 0 {
            self.slots.fill(Slot::default());
            self.count = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_finds_what_was_inserted_and_nothing_else() {
        let mut table = IndexTable::default();
        assert_eq!(table.find(64), None);
        // Neighbours as an allocator gives them, and keys that differ in high bits only.
        let keys: Vec<u64> = (1..500).map(|n| n * 192).chain((1..500).map(|n| (n << 32) | 192)).collect();
        for (index, key) in (0..).zip(&keys) {
            table.insert(*key, index);
        }
        for (index, key) in (0..).zip(&keys) {
            assert_eq!(table.find(*key), Some(index));
            assert_eq!(table.find(key + 1), None);
        }
        table.clear();
        assert!(keys.iter().all(|key| table.find(*key).is_none()));
    }
}
