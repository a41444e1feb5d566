//! Heaps that take resources first-fit, sorted by what they take.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use heapstone_spec::{HeapFlags, HeapProperties, HeapType, ResourceDesc};
use heapstone_units::Alignment;
use rustc_hash::FxHashMap;

use super::heaps::{HeapKey, Heaps, index, index_of};
use super::max_tree::MaxTree;

/// What heaps of one shelf have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ShelfKind {
    pub(crate) properties: HeapProperties,
    pub(crate) flags: HeapFlags,
    pub(crate) alignment: Alignment,
}

impl ShelfKind {
    /// Whether a resource asked for on `heap_type` may lie in such heaps. A CUSTOM heap can stand for
    /// any type: on UMA, GPGMM makes all its heaps so.
    fn takes(&self, heap_type: HeapType, desc: &ResourceDesc, alignment: Alignment) -> bool {
        let same = self.properties.heap_type == heap_type || self.properties.heap_type == HeapType::Custom;
        same && self.alignment >= alignment && !self.flags.contains(desc.denied_by())
    }
}

/// Where a heap stands: shelf and slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShelfPlace {
    shelf: u32,
    slot: u32,
}

#[derive(Debug)]
struct Shelf {
    kind: ShelfKind,
    slots: Vec<Option<HeapKey>>,
    free: BinaryHeap<Reverse<u32>>,
    /// Of each slot's heap at least its largest gap.
    gaps: MaxTree,
}

/// All shelves, in the order in which their kinds came up.
#[derive(Debug, Default)]
pub(crate) struct Shelves {
    shelves: Vec<Shelf>,
    by_kind: FxHashMap<ShelfKind, u32>,
}

impl Shelves {
    /// Puts a heap up; `gap` is at least its largest gap.
    pub(crate) fn add(&mut self, kind: ShelfKind, heap: HeapKey, gap: u64) -> ShelfPlace {
        let shelves = &mut self.shelves;
        let shelf = *self.by_kind.entry(kind).or_insert_with(|| {
            shelves.push(Shelf { kind, slots: Vec::new(), free: BinaryHeap::new(), gaps: MaxTree::new() });
            index_of(shelves.len() - 1)
        });
        let at = &mut self.shelves[index(shelf)];
        // The lowest free slot, so that the order stays that of creation as far as it can.
        let slot = match at.free.pop() {
            Some(Reverse(slot)) => {
                at.slots[index(slot)] = Some(heap);
                slot
            }
            None => {
                at.slots.push(Some(heap));
                index_of(at.slots.len() - 1)
            }
        };
        at.gaps.set(index(slot), gap);
        ShelfPlace { shelf, slot }
    }

    /// Takes a heap down.
    pub(crate) fn remove(&mut self, place: ShelfPlace) {
        let shelf = &mut self.shelves[index(place.shelf)];
        shelf.slots[index(place.slot)] = None;
        shelf.gaps.set(index(place.slot), 0);
        shelf.free.push(Reverse(place.slot));
    }

    /// Something of the heap became free: its largest gap is at most `gap`.
    pub(crate) fn freed(&mut self, place: ShelfPlace, gap: u64) {
        let shelf = &mut self.shelves[index(place.shelf)];
        if shelf.gaps.get(index(place.slot)) < gap {
            shelf.gaps.set(index(place.slot), gap);
        }
    }

    /// The first heap of exactly that kind with room, and the offset.
    pub(crate) fn first_fit(
        &mut self,
        kind: &ShelfKind,
        size: u64,
        alignment: Alignment,
        heaps: &mut Heaps,
    ) -> Option<(HeapKey, u64)> {
        let shelf = *self.by_kind.get(kind)?;
        self.shelves[index(shelf)].first_fit(size, alignment, heaps)
    }

    /// The kinds that take such a resource: of its own type first, then CUSTOM ones.
    pub(crate) fn compatible(
        &self,
        heap_type: HeapType,
        desc: &ResourceDesc,
        alignment: Alignment,
    ) -> Vec<ShelfKind> {
        let mut kinds: Vec<ShelfKind> = self
            .shelves
            .iter()
            .map(|shelf| shelf.kind)
            .filter(|kind| kind.takes(heap_type, desc, alignment))
            .collect();
        kinds.sort_by_key(|kind| kind.properties.heap_type != heap_type);
        kinds
    }

    /// Whether the heap at `place` takes such a resource.
    pub(crate) fn takes(
        &self,
        place: ShelfPlace,
        heap_type: HeapType,
        desc: &ResourceDesc,
        alignment: Alignment,
    ) -> bool {
        self.shelves[index(place.shelf)].kind.takes(heap_type, desc, alignment)
    }
}

impl Shelf {
    fn first_fit(&mut self, size: u64, alignment: Alignment, heaps: &mut Heaps) -> Option<(HeapKey, u64)> {
        let mut from = 0;
        while let Some(slot) = self.gaps.first_at_least(from, size.max(1)) {
            if let Some(heap) = self.slots[slot] {
                let intervals = &mut heaps.get_mut(heap).intervals;
                if let Some(offset) = intervals.first_fit(size, alignment) {
                    return Some((heap, offset));
                }
                self.gaps.set(slot, intervals.largest_gap());
            }
            from = slot + 1;
        }
        None
    }
}
