//! A plan: parts, and the paging between them.

use core::ops::Range;

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
    /// Of a paged segment: what is resident, in no order, and where in it each allocation is.
    resident: Vec<u32>,
    place: Vec<usize>,
    /// By allocation: the part, from 1 on, that last wanted it resident.
    wanted_by: Vec<usize>,
    need_hint: Vec<u32>,
    /// Of a contiguous segment: the ranges of what is resident, in ascending order.
    taken: Vec<(ByteRange, u32)>,
    /// Of a paged segment: free ranges, apart from each other, in ascending order; and those that were left since.
    holes: Vec<ByteRange>,
    left: Vec<ByteRange>,
    /// Of a paged segment: free bytes.
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
        let mut builder = Builder {
            request,
            timeline,
            residency: vec![None; residency.len()],
            resident: Vec::new(),
            place: vec![0; residency.len()],
            wanted_by: vec![0; residency.len()],
            need_hint: vec![0; residency.len()],
            taken: Vec::new(),
            holes: room.free.clone(),
            left: Vec::new(),
            free: room.capacity,
            is_contiguous: room.is_contiguous(),
            paged_in: 0,
            written_back: 0,
            moved: 0,
        };
        let mut taken: Vec<(ByteRange, u32)> = Vec::new();
        for (allocation, residency) in (0..).zip(residency) {
            let Some(Residency { ranges, is_dirty }) = residency else { continue };
            taken.extend(ranges.iter().map(|range| (*range, allocation)));
            builder.occupy(allocation, ranges, is_dirty);
        }
        taken.sort_unstable_by_key(|(range, _)| range.begin);
        if builder.is_contiguous {
            builder.taken = taken;
        } else {
            builder.holes = without(&builder.holes, &taken);
        }
        builder
    }

    pub(super) fn build(mut self, solution: &Solution, bounds: Bounds) -> SplitPlan {
        let mut begin = 0;
        let mut parts = Vec::with_capacity(solution.parts.len());
        for (part, state) in (1..).zip(&solution.parts) {
            for placed in &state.placed {
                self.wanted_by[placed.allocation as usize] = part;
            }
            let paging = if self.is_contiguous {
                self.page_contiguous(state, part)
            } else {
                self.page_pages(state, part, begin)
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
        let standing = self.timeline.standing(begin);
        let pinned =
            if self.is_contiguous { self.timeline.pinned_of(begin, standing.clone()) } else { Vec::new() };
        let window = self.timeline.window(begin, end, standing);
        let mut addresses = Vec::with_capacity(window.len());
        for allocation in window {
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
            pinned,
        }
    }

    /// What makes the state's allocations lie where it says.
    fn page_contiguous(&mut self, state: &State, part: usize) -> Vec<PlannedPaging> {
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
        let targets = moves.iter().map(|(_, _, to)| *to).chain(page_ins.iter().map(|(_, to)| *to));
        let mut in_the_way = Vec::new();
        for to in targets {
            let there = self.overlapping(to);
            in_the_way.extend(there.filter(|allocation| self.wanted_by[*allocation as usize] != part));
        }
        for allocation in in_the_way {
            self.evict(allocation, &mut paging);
        }
        for (allocation, _, to) in &moves {
            let residency = self.residency[*allocation as usize].as_mut();
            residency.expect("invariant: it moves from where it is").ranges = Box::new([*to]);
        }
        for step in order_moves(&moves) {
            self.moved += u128::from(self.timeline.size(step.allocation));
            paging.push(step);
        }
        for (allocation, to) in &page_ins {
            self.page_in(*allocation, Box::new([*to]), &mut paging);
        }
        let came = moves.iter().map(|(allocation, _, to)| (*to, *allocation));
        self.retake(came.chain(page_ins.iter().map(|(allocation, to)| (*to, *allocation))));
        paging
    }

    /// What makes the state's allocations resident, in whichever pages are free.
    fn page_pages(&mut self, state: &State, part: usize, begin: usize) -> Vec<PlannedPaging> {
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
            let mut others: Vec<(usize, bool, u32)> = Vec::with_capacity(self.resident.len());
            for allocation in &self.resident {
                let index = *allocation as usize;
                if self.wanted_by[index] != part {
                    let next = self.timeline.next_need_near(&mut self.need_hint[index], *allocation, begin);
                    others.push((next, self.is_written_back(*allocation), *allocation));
                }
            }
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
        for (allocation, pages) in absent.into_iter().zip(self.take_pages(&sizes)) {
            self.page_in(allocation, pages, &mut paging);
        }
        paging
    }

    /// Takes pages for each of `sizes`, the lowest first.
    fn take_pages(&mut self, sizes: &[u64]) -> Vec<Box<[ByteRange]>> {
        if sizes.is_empty() {
            return Vec::new();
        }
        self.join_holes();
        let mut holes = self.holes.iter_mut().peekable();
        let mut used_up = 0;
        let pages = sizes.iter().map(|size| {
            let mut left = *size;
            let mut ranges = Vec::new();
            while left > 0 {
                let hole = holes.peek_mut().expect("invariant: what a part needs fits the segment");
                let end = hole.begin + hole.size().min(left);
                ranges.push(ByteRange::new(hole.begin, end));
                left -= end - hole.begin;
                hole.begin = end;
                if hole.is_empty() {
                    holes.next();
                    used_up += 1;
                }
            }
            ranges.into_boxed_slice()
        });
        let pages = pages.collect();
        self.holes.drain(..used_up);
        pages
    }

    /// Puts what was left among the holes.
    fn join_holes(&mut self) {
        if self.left.is_empty() {
            return;
        }
        self.holes.append(&mut self.left);
        self.holes.sort_unstable_by_key(|range| range.begin);
        self.holes.dedup_by(|above, below| {
            let are_joined = below.end == above.begin;
            if are_joined {
                below.end = above.end;
            }
            are_joined
        });
    }

    fn overlapping(&self, range: ByteRange) -> impl Iterator<Item = u32> {
        let first = self.taken.partition_point(|(taken, _)| taken.end <= range.begin);
        let there = self.taken[first..].iter().take_while(move |(taken, _)| taken.begin < range.end);
        there.map(|(_, allocation)| *allocation)
    }

    /// Notes what has left its range, and what came.
    fn retake(&mut self, came: impl Iterator<Item = (ByteRange, u32)>) {
        let residency = &self.residency;
        self.taken.retain(|(range, allocation)| {
            residency[*allocation as usize].as_ref().is_some_and(|now| now.ranges[0] == *range)
        });
        self.taken.extend(came);
        self.taken.sort_unstable_by_key(|(range, _)| range.begin);
        let is_apart = self.taken.is_sorted_by(|(below, _), (above, _)| below.end <= above.begin);
        assert!(is_apart, "bug: a range is given twice");
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
        if !self.is_contiguous {
            let place = self.place[allocation as usize];
            self.resident.swap_remove(place);
            if let Some(moved) = self.resident.get(place) {
                self.place[*moved as usize] = place;
            }
            self.free += from.iter().map(|range| range.size()).sum::<u64>();
            self.left.extend(&from);
        }
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
        self.occupy(allocation, to.clone(), false);
        paging.push(PlannedPaging { allocation, kind: PlannedPagingKind::PageIn { to } });
    }

    /// An allocation that was not resident is.
    fn occupy(&mut self, allocation: u32, ranges: Box<[ByteRange]>, is_dirty: bool) {
        if !self.is_contiguous {
            self.place[allocation as usize] = self.resident.len();
            self.resident.push(allocation);
            self.free -= ranges.iter().map(|range| range.size()).sum::<u64>();
        }
        let before = self.residency[allocation as usize].replace(Residency { ranges, is_dirty });
        assert!(before.is_none(), "bug: what is resident is paged in");
    }
}

/// Ranges without others, which lie in them; both apart from each other and in ascending order.
fn without(ranges: &[ByteRange], taken: &[(ByteRange, u32)]) -> Vec<ByteRange> {
    let mut left = Vec::new();
    let mut taken = taken.iter().peekable();
    for range in ranges {
        let mut begin = range.begin;
        while let Some((next, _)) = taken.next_if(|(next, _)| next.begin < range.end) {
            left.push(ByteRange::new(begin, next.begin));
            begin = next.end;
        }
        left.push(ByteRange::new(begin, range.end));
    }
    left.retain(|range| !range.is_empty());
    left
}
