//! Compaction: a contiguous range is made by moving what may be moved.
//!
//! ```text
//!   before   [ A ][ free ][ B ][ free ][ pinned ][ free ]
//!                 |<---- window ---->|
//!   after    [ A ][ free             ][ pinned ][ B ]
//! ```
//! Only contiguous allocations need it: others are scattered over pages. Of all windows without anything
//! immovable, the one with the fewest bytes to move is taken; its free parts are held meanwhile, so that nothing moves
//! into it.

use std::collections::{BTreeMap, BTreeSet};

use heapstone_units::{Alignment, ByteRange};

use crate::AllocationDesc;
use crate::manager::{ManagerInner, Placed};
use crate::range_allocator::RangeView;
use crate::segment::SegmentId;

use super::links::Slot;
use super::pager::Pager;
use super::room::Transaction;

/// A part of a segment, in address order.
#[derive(Clone, Copy, Debug)]
struct Part {
    range: ByteRange,
    kind: PartKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartKind {
    Free,
    Movable(Slot),
    Immovable,
}

impl Pager {
    /// Makes a free range of `size` bytes, where moving allocations within the segment can; whether there is one now.
    pub(crate) fn compact(
        &mut self,
        memory: &ManagerInner,
        segment: SegmentId,
        size: u64,
        desc: &AllocationDesc,
        transaction: &mut Transaction,
    ) -> bool {
        let space = &memory.segment(segment).space;
        if space.capacity().saturating_sub(space.used()) < size {
            return false;
        }
        let alignment = desc.alignment.max(desc.page_size.alignment());
        let parts = self.parts_of(segment, space.ranges());
        let Some(window) = cheapest_window(&parts, size, alignment) else { return false };
        let inside = |part: &&Part| part.range.overlaps(window);
        // The kernel itself holds the free parts: no process has that number.
        let holder = crate::Owner::MAX;
        let mut held = Vec::new();
        for part in parts.iter().filter(inside).filter(|part| part.kind == PartKind::Free) {
            let free = ByteRange::new(part.range.begin.max(window.begin), part.range.end.min(window.end));
            match space.allocate_at(free, holder) {
                Ok(blocks) => held.push(blocks),
                // Another thread was faster.
                Err(_) => break,
            }
        }
        let moving: BTreeSet<Slot> = parts
            .iter()
            .filter(inside)
            .filter_map(|part| match part.kind {
                PartKind::Movable(slot) => Some(slot),
                PartKind::Free | PartKind::Immovable => None,
            })
            .collect();
        // All places are found before any is left, so that nobody moves to where another was.
        let mut placed = Vec::new();
        for slot in &moving {
            let entry = self.entry(*slot);
            let (desc, size, owner, was_demoted) = (entry.desc, entry.size, entry.owner, entry.is_demoted);
            let Some(place) = memory.place_in_segment(segment, &desc, size, owner) else { break };
            placed.push(Placed { demoted: was_demoted, ..place });
        }
        let is_moved = placed.len() == moving.len();
        if is_moved {
            for (slot, place) in moving.into_iter().zip(placed) {
                self.move_to(memory, slot, place, transaction);
            }
        } else {
            placed.into_iter().for_each(|place| space.free(place.blocks));
        }
        held.into_iter().for_each(|blocks| space.free(blocks));
        is_moved
    }

    fn parts_of(&self, segment: SegmentId, ranges: Vec<RangeView>) -> Vec<Part> {
        let mut movable: BTreeMap<u64, Slot> = BTreeMap::new();
        for (slot, entry) in (0..).zip(&self.entries) {
            let Some(entry) = entry else { continue };
            if entry.segment != Some(segment) || entry.desc.contiguous || !self.is_movable(slot) {
                continue;
            }
            let place = entry.managed.place.lock();
            let blocks = place.blocks.iter().flat_map(|blocks| blocks.as_slice());
            movable.extend(blocks.map(|block| (block.offset(), slot)));
        }
        ranges
            .into_iter()
            .map(|view| Part {
                range: ByteRange::new(view.offset, view.offset + view.size),
                kind: match view.owner {
                    None => PartKind::Free,
                    Some(_) => match movable.get(&view.offset) {
                        Some(slot) => PartKind::Movable(*slot),
                        None => PartKind::Immovable,
                    },
                },
            })
            .collect()
    }
}

/// The window of `size` bytes with the fewest bytes to move; the lowest of several. Windows begin where a part does,
/// or as soon after as the alignment allows.
fn cheapest_window(parts: &[Part], size: u64, alignment: Alignment) -> Option<ByteRange> {
    let mut best: Option<(u64, u64)> = None;
    for (first, part) in parts.iter().enumerate() {
        let Some(begin) = alignment.align_up(part.range.begin) else { continue };
        let Some(window) = ByteRange::at(begin, size) else { continue };
        let mut moved = 0u64;
        let mut end = part.range.begin;
        for part in parts[first..].iter().take_while(|part| part.range.begin < window.end) {
            end = part.range.end;
            match part.kind {
                PartKind::Immovable if part.range.overlaps(window) => {
                    moved = u64::MAX;
                    break;
                }
                PartKind::Movable(_) if part.range.overlaps(window) => {
                    moved = moved.saturating_add(part.range.size());
                }
                PartKind::Free | PartKind::Movable(_) | PartKind::Immovable => {}
            }
            if best.is_some_and(|(least, _)| least <= moved) {
                break;
            }
        }
        if moved != u64::MAX && end >= window.end && best.is_none_or(|(least, _)| moved < least) {
            best = Some((moved, begin));
        }
    }
    best.and_then(|(_, begin)| ByteRange::at(begin, size))
}
