//! A plan: parts, and the paging between them.

use core::ops::Range;
use std::collections::BTreeMap;

use heapstone_units::ByteRange;

use super::moves::order_moves;
use super::request::{Residency, SplitRequest};
use super::room::Room;
use super::search::{Bounds, Solution, State};
use super::timeline::Timeline;

/// How a DMA buffer is split: the whole plan, made before the first part is submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitPlan {
    /// The parts in order. Their bytes tile the DMA buffer, their patch locations the list. None where the buffer
    /// is empty.
    pub parts: Vec<SplitPart>,
    /// Bytes that come from the backing store, of all parts; what has 64 bits at the most.
    pub bytes_paged_in: u64,
    /// Bytes that go to the backing store because it has no copy.
    pub bytes_written_back: u64,
    /// Bytes that move within the segment; twice where they go by way of the backing store.
    pub bytes_moved: u64,
    /// Bytes that every plan, of however many parts, pages in at the least.
    pub bytes_paged_in_bound: u64,
    /// Parts that every plan has at the least, by capacity alone.
    pub part_count_bound: usize,
    /// Whether it is certain that no plan has fewer parts, and that of those with as many none pages fewer bytes in.
    /// Else the search ended at its limit.
    pub is_minimal: bool,
    /// Where each allocation of the request lies after the last part.
    pub residency: Vec<Option<Residency>>,
}

/// A part of a DMA buffer (DXGKARG_PATCH, DXGKARG_SUBMITCOMMAND: facts/dma-splitting.md, Structures).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitPart {
    /// SubmissionStartOffset and SubmissionEndOffset: bytes of the DMA buffer.
    pub submission: Range<u32>,
    /// PatchLocationListSubmissionStart and what its length reaches: indices of the patch-location list.
    pub patch_locations: Range<usize>,
    /// Its groups: runs of patch locations with one SplitOffset, counted from 0.
    pub groups: Range<usize>,
    /// What the paging engine must have done before the part, in this order. It waits for the part before.
    pub paging: Vec<PlannedPaging>,
    /// Where what the part needs lies while it runs: one entry for each range, in the order of the allocations and then
    /// of their bytes.
    pub addresses: Vec<PartAddress>,
    /// What the part before left in slots that the first group does not re-program: it stays where it was.
    pub pinned: Vec<u32>,
}

/// A range of an allocation while a part runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartAddress {
    /// The allocation.
    pub allocation: u32,
    /// Bytes from the allocation's first to the range's.
    pub allocation_offset: u64,
    /// Offsets from the segment's base.
    pub range: ByteRange,
}

/// Something that is paged between two parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedPaging {
    /// Index in the request's allocations.
    pub allocation: u32,
    /// What is done.
    pub kind: PlannedPagingKind,
}

/// What the paging engine does with an allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlannedPagingKind {
    /// The content goes to the backing store, which has no copy.
    WriteBack {
        /// What becomes free.
        from: Box<[ByteRange]>,
    },
    /// The content is dropped: the backing store has a copy.
    Discard {
        /// What becomes free.
        from: Box<[ByteRange]>,
    },
    /// The content comes from the backing store.
    PageIn {
        /// Where to.
        to: Box<[ByteRange]>,
    },
    /// The content moves. Source and destination may overlap: all is read before any is written.
    Move {
        /// What becomes free, where the destination does not cover it.
        from: Box<[ByteRange]>,
        /// Where to.
        to: Box<[ByteRange]>,
    },
}

/// What is resident, part after part.
pub(super) struct Builder<'a> {
    request: &'a SplitRequest<'a>,
    timeline: &'a Timeline,
    residency: Vec<Option<Residency>>,
    /// First byte -> the allocation of each resident range.
    taken: BTreeMap<u64, (u64, u32)>,
    /// Free bytes of the segment.
    free: u64,
    is_contiguous: bool,
    paged_in: u128,
    written_back: u128,
    moved: u128,
}

impl<'a> Builder<'a> {
    pub(super) fn new(request: &'a SplitRequest<'a>, timeline: &'a Timeline, room: &Room) -> Builder<'a> {
        let residency: Vec<_> =
            request.allocations.iter().map(|allocation| allocation.residency.clone()).collect();
        let mut taken = BTreeMap::new();
        let mut free = room.capacity;
        for (allocation, residency) in (0..).zip(&residency) {
            for range in residency.iter().flat_map(|residency| &residency.ranges) {
                taken.insert(range.begin, (range.end, allocation));
                free -= range.size();
            }
        }
        let is_contiguous = room.is_contiguous();
        Builder {
            request,
            timeline,
            residency,
            taken,
            free,
            is_contiguous,
            paged_in: 0,
            written_back: 0,
            moved: 0,
        }
    }

    pub(super) fn build(mut self, solution: &Solution, room: &Room, bounds: Bounds) -> SplitPlan {
        let mut begin = 0;
        let mut parts = Vec::with_capacity(solution.parts.len());
        for state in &solution.parts {
            let paging = if self.is_contiguous {
                self.page_contiguous(state)
            } else {
                self.page_pages(state, begin, room)
            };
            parts.push(self.part(begin, state.cut, paging));
            begin = state.cut;
        }
        let in_64_bits = |bytes: u128| u64::try_from(bytes).unwrap_or(u64::MAX);
        SplitPlan {
            parts,
            bytes_paged_in: in_64_bits(self.paged_in),
            bytes_written_back: in_64_bits(self.written_back),
            bytes_moved: in_64_bits(self.moved),
            part_count_bound: bounds.part_count,
            bytes_paged_in_bound: in_64_bits(bounds.bytes_paged_in),
            is_minimal: solution.is_minimal,
            residency: self.residency,
        }
    }

    fn part(&mut self, begin: usize, end: usize, paging: Vec<PlannedPaging>) -> SplitPart {
        let size = self.request.dma_buffer_size;
        let mut addresses = Vec::new();
        for allocation in self.timeline.window(begin, end) {
            let residency = self.residency[allocation as usize].as_mut();
            let residency = residency.expect("invariant: a part's allocations are resident");
            residency.is_dirty |= self.timeline.is_written[allocation as usize];
            let mut allocation_offset = 0;
            for range in &residency.ranges {
                addresses.push(PartAddress { allocation, allocation_offset, range: *range });
                allocation_offset += range.size();
            }
        }
        SplitPart {
            submission: self.timeline.offset(begin, size)..self.timeline.offset(end, size),
            patch_locations: self.timeline.entry(begin)..self.timeline.entry(end),
            groups: begin..end,
            paging,
            addresses,
            pinned: if self.is_contiguous { self.timeline.pinned(begin) } else { Vec::new() },
        }
    }

    /// What makes the state's allocations lie where it says.
    fn page_contiguous(&mut self, state: &State) -> Vec<PlannedPaging> {
        let mut paging = Vec::new();
        let mut moves = Vec::new();
        let mut page_ins = Vec::new();
        for placed in &state.placed {
            let size = self.timeline.size(placed.allocation);
            let to = ByteRange::new(placed.offset, placed.offset + size);
            match self.residency[placed.allocation as usize].as_ref().map(|residency| residency.ranges[0]) {
                Some(from) if from == to => {}
                Some(from) => moves.push((placed.allocation, from, to)),
                None => page_ins.push((placed.allocation, to)),
            }
        }
        let stays =
            |allocation: u32| state.placed.binary_search_by_key(&allocation, |p| p.allocation).is_ok();
        let targets = moves.iter().map(|(_, _, to)| *to).chain(page_ins.iter().map(|(_, to)| *to));
        let in_the_way: Vec<u32> =
            targets.flat_map(|to| self.overlapping(to)).filter(|allocation| !stays(*allocation)).collect();
        for allocation in in_the_way {
            self.evict(allocation, &mut paging);
        }
        for (allocation, from, _) in &moves {
            self.release(*allocation, &[*from]);
        }
        for step in order_moves(&moves) {
            self.moved += u128::from(self.timeline.size(step.allocation));
            paging.push(step);
        }
        for (allocation, _, to) in moves {
            self.occupy(allocation, Box::new([to]), None);
        }
        for (allocation, to) in page_ins {
            self.page_in(allocation, Box::new([to]), &mut paging);
        }
        paging
    }

    /// What makes the state's allocations resident, in whichever pages are free.
    fn page_pages(&mut self, state: &State, begin: usize, room: &Room) -> Vec<PlannedPaging> {
        let mut paging = Vec::new();
        let size_of = |allocation: u32| u128::from(self.timeline.size(allocation));
        let absent: Vec<u32> = state
            .placed
            .iter()
            .map(|placed| placed.allocation)
            .filter(|allocation| self.residency[*allocation as usize].is_none())
            .collect();
        let needed: u128 = absent.iter().map(|allocation| size_of(*allocation)).sum();
        if needed > u128::from(self.free) {
            let stays =
                |allocation: u32| state.placed.binary_search_by_key(&allocation, |p| p.allocation).is_ok();
            let mut others: Vec<(usize, bool, u32)> = (0_u32..)
                .zip(&self.residency)
                .filter(|(allocation, residency)| residency.is_some() && !stays(*allocation))
                .map(|(allocation, _)| {
                    (self.timeline.next_need(allocation, begin), self.is_written_back(allocation), allocation)
                })
                .collect();
            // What is needed soonest last; of the rest, what costs a transfer.
            others.sort_unstable_by_key(|(next, is_written_back, allocation)| {
                (usize::MAX - next, *is_written_back, *allocation)
            });
            for (_, _, allocation) in others {
                if needed <= u128::from(self.free) {
                    break;
                }
                self.evict(allocation, &mut paging);
            }
        }
        let sizes: Vec<u64> = absent.iter().map(|allocation| self.timeline.size(*allocation)).collect();
        for (allocation, pages) in absent.into_iter().zip(self.free_pages(&sizes, room)) {
            self.page_in(allocation, pages, &mut paging);
        }
        paging
    }

    /// Pages for each of `sizes`, the lowest first.
    fn free_pages(&self, sizes: &[u64], room: &Room) -> Vec<Box<[ByteRange]>> {
        if sizes.is_empty() {
            return Vec::new();
        }
        let mut holes = room.free.iter().flat_map(|range| {
            let mut at = range.begin;
            let mut taken = self.taken.range(range.begin..range.end);
            core::iter::from_fn(move || {
                loop {
                    if at >= range.end {
                        return None;
                    }
                    let (begin, end) =
                        taken.next().map_or((range.end, range.end), |(begin, (end, _))| (*begin, *end));
                    let hole = ByteRange::new(at, begin);
                    at = end;
                    if !hole.is_empty() {
                        return Some(hole);
                    }
                }
            })
        });
        let mut hole = ByteRange::new(0, 0);
        let pages = sizes.iter().map(|size| {
            let mut left = *size;
            let mut ranges = Vec::new();
            while left > 0 {
                if hole.is_empty() {
                    hole = holes.next().expect("invariant: what a part needs fits the segment");
                }
                let end = hole.begin + hole.size().min(left);
                ranges.push(ByteRange::new(hole.begin, end));
                left -= end - hole.begin;
                hole.begin = end;
            }
            ranges.into_boxed_slice()
        });
        pages.collect()
    }

    fn overlapping(&self, range: ByteRange) -> Vec<u32> {
        let before = self.taken.range(..range.begin).next_back().filter(|(_, (end, _))| *end > range.begin);
        let within = self.taken.range(range.begin..range.end);
        before.into_iter().chain(within).map(|(_, (_, allocation))| *allocation).collect()
    }

    /// An allocation with WriteOperation is transferred whether the part that writes it has run or not
    /// (facts/dma-splitting.md, Edge cases).
    fn is_written_back(&self, allocation: u32) -> bool {
        let is_dirty =
            self.residency[allocation as usize].as_ref().is_some_and(|residency| residency.is_dirty);
        is_dirty || self.timeline.is_written[allocation as usize]
    }

    fn evict(&mut self, allocation: u32, paging: &mut Vec<PlannedPaging>) {
        let is_written_back = self.is_written_back(allocation);
        // It may lie across two ranges that are wanted, and is named twice then.
        let Some(residency) = self.residency[allocation as usize].take() else { return };
        let from = residency.ranges;
        self.release(allocation, &from);
        let kind = if is_written_back {
            self.written_back += u128::from(self.timeline.size(allocation));
            PlannedPagingKind::WriteBack { from }
        } else {
            PlannedPagingKind::Discard { from }
        };
        paging.push(PlannedPaging { allocation, kind });
    }

    fn page_in(&mut self, allocation: u32, to: Box<[ByteRange]>, paging: &mut Vec<PlannedPaging>) {
        self.paged_in += u128::from(self.timeline.size(allocation));
        self.occupy(allocation, to.clone(), Some(false));
        paging.push(PlannedPaging { allocation, kind: PlannedPagingKind::PageIn { to } });
    }

    fn release(&mut self, allocation: u32, ranges: &[ByteRange]) {
        for range in ranges {
            let taken = self.taken.remove(&range.begin);
            assert_eq!(
                taken,
                Some((range.end, allocation)),
                "bug: a range is released that its owner has not"
            );
            self.free += range.size();
        }
    }

    /// `is_dirty`: `None` leaves that as it is.
    fn occupy(&mut self, allocation: u32, ranges: Box<[ByteRange]>, is_dirty: Option<bool>) {
        for range in &ranges {
            let taken = self.taken.insert(range.begin, (range.end, allocation));
            assert_eq!(taken, None, "bug: a range is given twice");
            self.free -= range.size();
        }
        let residency = &mut self.residency[allocation as usize];
        let before = residency.as_ref().is_some_and(|residency| residency.is_dirty);
        *residency = Some(Residency { ranges, is_dirty: is_dirty.unwrap_or(before) });
    }
}
