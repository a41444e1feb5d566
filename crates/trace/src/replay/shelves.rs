//! Heaps that take resources first-fit, sorted by what they take.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use heapstone_spec::limits::DEFAULT_MSAA_RESOURCE_ALIGNMENT;
use heapstone_spec::{HeapDesc, HeapFlags, HeapProperties, HeapType, ResourceDesc};
use heapstone_units::Alignment;
use rustc_hash::FxHashMap;

use super::heaps::{HeapKey, Heaps, index, index_of};
use super::max_tree::MaxTree;
use super::replayer::PAGE;

/// What heaps of one shelf have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ShelfKind {
    pub(crate) properties: HeapProperties,
    pub(crate) flags: HeapFlags,
    pub(crate) alignment: Alignment,
}

/// The strictest alignment that a resource has (spec/2-resource-heaps.txt: that of MSAA).
const LARGE: Alignment = Alignment::constant(DEFAULT_MSAA_RESOURCE_ALIGNMENT);

impl ShelfKind {
    /// That of a heap of the trace: only what decides which resources it takes, so that there are few
    /// kinds, whatever a trace says of its heaps.
    pub(crate) fn of(desc: &HeapDesc) -> ShelfKind {
        ShelfKind {
            properties: HeapProperties::new(desc.properties.heap_type),
            flags: desc.flags.intersection(HeapFlags::DENY_ALL),
            alignment: Alignment::new(desc.alignment).unwrap_or(PAGE).clamp(PAGE, LARGE),
        }
    }

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
    gaps: Vec<AlignedGaps>,
}

/// Of each slot's heap a bound: no resource of that alignment that is larger fits in it. One for each
/// alignment that was asked for, so that what is large enough and misaligned is looked at once.
#[derive(Debug)]
struct AlignedGaps {
    alignment: Alignment,
    bounds: MaxTree,
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
            shelves.push(Shelf { kind, slots: Vec::new(), free: BinaryHeap::new(), gaps: Vec::new() });
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
        for gaps in &mut at.gaps {
            gaps.bounds.set(index(slot), gap);
        }
        ShelfPlace { shelf, slot }
    }

    /// Takes a heap down.
    pub(crate) fn remove(&mut self, place: ShelfPlace) {
        let shelf = &mut self.shelves[index(place.shelf)];
        shelf.slots[index(place.slot)] = None;
        for gaps in &mut shelf.gaps {
            gaps.bounds.set(index(place.slot), 0);
        }
        shelf.free.push(Reverse(place.slot));
    }

    /// Something of the heap became free: its largest gap is at most `gap`.
    pub(crate) fn freed(&mut self, place: ShelfPlace, gap: u64) {
        let shelf = &mut self.shelves[index(place.shelf)];
        for gaps in &mut shelf.gaps {
            if gaps.bounds.get(index(place.slot)) < gap {
                gaps.bounds.set(index(place.slot), gap);
            }
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
        let class = self.class(alignment, heaps);
        let mut from = 0;
        while let Some(slot) = self.gaps[class].bounds.first_at_least(from, size.max(1)) {
            if let Some(heap) = self.slots[slot] {
                let intervals = &mut heaps.get_mut(heap).intervals;
                if let Some(offset) = intervals.first_fit(size, alignment) {
                    return Some((heap, offset));
                }
                let bound = intervals.largest_fit(alignment);
                self.gaps[class].bounds.set(slot, bound);
            }
            from = slot + 1;
        }
        None
    }

    /// The index of the bounds for an alignment; new ones are the sizes of the heaps.
    fn class(&mut self, alignment: Alignment, heaps: &Heaps) -> usize {
        if let Some(class) = self.gaps.iter().position(|gaps| gaps.alignment == alignment) {
            return class;
        }
        let sizes = self.slots.iter().map(|heap| heap.map_or(0, |heap| heaps.get(heap).intervals.size()));
        let mut bounds = MaxTree::new();
        bounds.rebuild(sizes);
        self.gaps.push(AlignedGaps { alignment, bounds });
        self.gaps.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use heapstone_spec::SegmentGroup;

    use super::*;
    use crate::replay::accounting::Accounting;
    use crate::replay::heaps::HeapState;
    use crate::replay::intervals::Intervals;

    const MIB: u64 = 1 << 20;

    #[test]
    fn kinds_tell_apart_only_what_decides() {
        let desc = HeapDesc::new(MIB, HeapType::Default);
        let masks = HeapProperties { visible_node_mask: 3, creation_node_mask: 1, ..desc.properties };
        let same = HeapDesc { properties: masks, ..desc }.with_flags(HeapFlags::CREATE_NOT_ZEROED);
        assert_eq!(ShelfKind::of(&desc), ShelfKind::of(&same));
        assert_eq!(ShelfKind::of(&desc.with_alignment(1 << 40)).alignment, LARGE);
        for other in [
            HeapDesc::new(MIB, HeapType::Upload),
            desc.with_flags(HeapFlags::DENY_BUFFERS),
            desc.with_alignment(4 * MIB),
        ] {
            assert_ne!(ShelfKind::of(&desc), ShelfKind::of(&other));
        }
    }

    /// Heaps of 8 MiB with 64 KiB taken behind the first 64: 7.875 MiB are free in one piece, and 4 MiB of
    /// them at a multiple of 4 MiB.
    #[test]
    fn what_is_misaligned_is_looked_at_once() {
        let kind = ShelfKind::of(&HeapDesc::new(8 * MIB, HeapType::Default).with_alignment(4 * MIB));
        let account = Accounting::new(1, |_, _| 0).account(HeapType::Default, 0, SegmentGroup::Local);
        let (mut heaps, mut shelves) = (Heaps::default(), Shelves::default());
        let mut keys = Vec::new();
        for _ in 0..3 {
            let mut intervals = Intervals::new(8 * MIB);
            intervals.insert(65_536, 131_072, PAGE);
            let key = heaps.insert(HeapState::ghost(account, 0, intervals));
            keys.push((key, shelves.add(kind, key, 8 * MIB)));
        }
        assert_eq!(shelves.first_fit(&kind, 5 * MIB, LARGE, &mut heaps), None);
        let bounds = |shelves: &Shelves| shelves.shelves[0].gaps[0].bounds.max();
        assert_eq!(bounds(&shelves), 4 * MIB, "none of them is looked at again for so much");
        assert_eq!(shelves.first_fit(&kind, 5 * MIB, PAGE, &mut heaps), Some((keys[0].0, 131_072)));
        assert_eq!(shelves.first_fit(&kind, 4 * MIB, LARGE, &mut heaps), Some((keys[0].0, 4 * MIB)));

        let (key, place) = keys[1];
        heaps.get_mut(key).intervals.remove(65_536, 131_072, PAGE);
        shelves.freed(place, 8 * MIB);
        assert_eq!(shelves.first_fit(&kind, 5 * MIB, LARGE, &mut heaps), Some((key, 0)));
        shelves.remove(place);
        assert_eq!(shelves.first_fit(&kind, 5 * MIB, LARGE, &mut heaps), None);
    }
}
