//! What of the segment is to be had, and the packing of allocations into it.

use std::collections::BTreeSet;

use heapstone_units::{Alignment, ByteRange};

use super::request::{SegmentPlacement, SplitSegment};

/// The memory of a segment that a DMA buffer may use.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) placement: SegmentPlacement,
    /// Ranges that are not occupied, apart from each other, in ascending order.
    pub(super) free: Vec<ByteRange>,
    /// Their bytes.
    pub(super) capacity: u64,
}

impl Room {
    pub(super) fn new(segment: &SplitSegment) -> Room {
        let mut occupied = segment.occupied.clone();
        occupied.sort_unstable_by_key(|range| range.begin);
        let mut free = Vec::new();
        let mut at = 0;
        for range in occupied.iter().filter(|range| !range.is_empty()) {
            if at < range.begin {
                free.push(ByteRange::new(at, range.begin));
            }
            at = at.max(range.end);
        }
        if at < segment.size {
            free.push(ByteRange::new(at, segment.size));
        }
        let capacity = free.iter().map(|range| range.size()).sum();
        Room { placement: segment.placement, free, capacity }
    }

    pub(super) fn is_contiguous(&self) -> bool {
        self.placement == SegmentPlacement::Contiguous
    }

    pub(super) fn largest_range(&self) -> u64 {
        self.free.iter().map(|range| range.size()).max().unwrap_or(0)
    }
}

/// What is to be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Item {
    pub(super) alignment: Alignment,
    pub(super) size: u64,
    pub(super) allocation: u32,
}

/// An allocation at an offset of the segment; 0 in a paged one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Placed {
    pub(super) allocation: u32,
    pub(super) offset: u64,
}

/// Where `size` bytes first lie in `gap` from `at` on, aligned.
pub(super) fn fit(gap: ByteRange, at: u64, size: u64, alignment: Alignment) -> Option<u64> {
    let offset = alignment.align_up(at.max(gap.begin))?;
    ByteRange::at(offset, size).filter(|range| range.end <= gap.end).map(|range| range.begin)
}

/// Free ranges, in ascending order.
#[derive(Clone, Debug, Default)]
pub(super) struct Gaps(Vec<ByteRange>);

impl Gaps {
    pub(super) fn new(room: &Room) -> Gaps {
        Gaps(room.free.clone())
    }

    /// As [`new`](Self::new), in the place of others.
    pub(super) fn refill(&mut self, room: &Room) {
        self.0.clone_from(&room.free);
    }

    fn holder(&self, range: ByteRange) -> Option<usize> {
        let before = self.0.partition_point(|gap| gap.begin <= range.begin);
        let index = before.checked_sub(1)?;
        self.0[index].contains(range).then_some(index)
    }

    /// Takes a range, where all of it is free. Whether it was.
    pub(super) fn take(&mut self, range: ByteRange) -> bool {
        let Some(index) = self.holder(range) else { return false };
        self.cut(index, range);
        true
    }

    /// Gives back a range that was taken.
    pub(super) fn give(&mut self, range: ByteRange) {
        let index = self.0.partition_point(|gap| gap.begin < range.begin);
        let below = index.checked_sub(1).filter(|below| self.0[*below].end == range.begin);
        let above = self.0.get(index).copied().filter(|above| above.begin == range.end);
        match (below, above) {
            (Some(below), Some(above)) => {
                self.0[below].end = above.end;
                self.0.remove(index);
            }
            (Some(below), None) => self.0[below].end = range.end,
            (None, Some(_)) => self.0[index].begin = range.begin,
            (None, None) => self.0.insert(index, range),
        }
    }

    fn cut(&mut self, index: usize, range: ByteRange) {
        let gap = self.0[index];
        let (low, high) = (ByteRange::new(gap.begin, range.begin), ByteRange::new(range.end, gap.end));
        match (low.is_empty(), high.is_empty()) {
            (true, true) => {
                self.0.remove(index);
            }
            (false, true) => self.0[index] = low,
            (true, false) => self.0[index] = high,
            (false, false) => {
                self.0[index] = low;
                self.0.insert(index + 1, high);
            }
        }
    }

    /// Takes the lowest place in the smallest gap that holds the item.
    pub(super) fn take_best(&mut self, item: Item) -> Option<u64> {
        let mut best: Option<(u64, usize, u64)> = None;
        for (index, gap) in self.0.iter().enumerate() {
            let size = gap.size();
            if size < item.size || best.is_some_and(|(smallest, ..)| smallest <= size) {
                continue;
            }
            if let Some(offset) = fit(*gap, gap.begin, item.size, item.alignment) {
                best = Some((size, index, offset));
            }
        }
        let (_, index, offset) = best?;
        self.cut(index, ByteRange::new(offset, offset + item.size));
        Some(offset)
    }

    /// Takes the lowest place that holds the item.
    pub(super) fn take_lowest(&mut self, item: Item) -> Option<u64> {
        let mut fits = self.0.iter().enumerate();
        let (index, offset) =
            fits.find_map(|(index, gap)| Some((index, fit(*gap, gap.begin, item.size, item.alignment)?)))?;
        self.cut(index, ByteRange::new(offset, offset + item.size));
        Some(offset)
    }

    /// Takes the highest place that holds the item.
    pub(super) fn take_highest(&mut self, item: Item) -> Option<u64> {
        let mut fits = self.0.iter().enumerate().rev();
        let (index, offset) = fits.find_map(|(index, gap)| {
            let offset = item.alignment.align_down(gap.end.checked_sub(item.size)?);
            (offset >= gap.begin).then_some((index, offset))
        })?;
        self.cut(index, ByteRange::new(offset, offset + item.size));
        Some(offset)
    }

    /// Takes a place for each of `items`, where there is a way for all: every order is tried, each item as low
    /// as it goes, which loses nothing where nothing else is asked of the places. `None` also where `steps` ran
    /// out.
    pub(super) fn pack(&self, items: &[Item], steps: &mut Steps) -> Option<Vec<Placed>> {
        if items.len() > 64 {
            steps.give_up();
            return None;
        }
        let mut items = items.to_vec();
        items.sort_unstable_by(|a, b| b.cmp(a));
        let total: u128 = items.iter().map(|item| u128::from(item.size)).sum();
        let mut packing = Packing {
            gaps: &self.0,
            items: &items,
            places: vec![0; items.len()],
            failed: BTreeSet::new(),
            steps,
        };
        let all = if items.len() == 64 { u64::MAX } else { (1 << items.len()) - 1 };
        let first = self.0.first().map_or(0, |gap| gap.begin);
        packing.place(0, first, all, total).then(|| {
            let places = packing.places.iter().zip(&items);
            places.map(|(offset, item)| Placed { allocation: item.allocation, offset: *offset }).collect()
        })
    }
}

/// A packing in the making: gaps are filled from the lowest on.
struct Packing<'a> {
    gaps: &'a [ByteRange],
    /// Equal ones beside each other.
    items: &'a [Item],
    places: Vec<u64>,
    /// Where it was found that what is left does not fit: the gap, the first free byte, the items.
    failed: BTreeSet<(usize, u64, u64)>,
    steps: &'a mut Steps,
}

impl Packing<'_> {
    /// Whether the items of the bits `left`, of `bytes`, fit from `at` in gap `gap` on.
    fn place(&mut self, gap: usize, at: u64, left: u64, bytes: u128) -> bool {
        if left == 0 {
            return true;
        }
        let Some(range) = self.gaps.get(gap).copied() else { return false };
        let behind = self.gaps[gap + 1..].iter().map(|gap| u128::from(gap.size()));
        let there = u128::from(range.end.saturating_sub(at)) + behind.sum::<u128>();
        if there < bytes || self.failed.contains(&(gap, at, left)) || !self.steps.take() {
            return false;
        }
        let mut before: Option<Item> = None;
        for index in 0..self.items.len() {
            let item = self.items[index];
            let is_tried = before.is_some_and(|b| (b.size, b.alignment) == (item.size, item.alignment));
            if left & (1 << index) == 0 || is_tried {
                continue;
            }
            before = Some(item);
            if let Some(offset) = fit(range, at, item.size, item.alignment) {
                self.places[index] = offset;
                let bytes = bytes - u128::from(item.size);
                if self.place(gap, offset + item.size, left & !(1 << index), bytes) {
                    return true;
                }
            }
        }
        let next = self.gaps.get(gap + 1).map_or(0, |gap| gap.begin);
        if self.place(gap + 1, next, left, bytes) {
            return true;
        }
        self.failed.insert((gap, at, left));
        false
    }
}

/// Steps that a search may still take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    left: u64,
    is_cut_short: bool,
}

impl Steps {
    pub(super) const fn new(count: u64) -> Steps {
        Steps { left: count, is_cut_short: false }
    }

    pub(super) const fn left(&self) -> u64 {
        self.left
    }

    /// Takes one. Whether there was one.
    pub(super) fn take(&mut self) -> bool {
        if self.left == 0 {
            self.is_cut_short = true;
            return false;
        }
        self.left -= 1;
        true
    }

    /// Something was left out: what is not found may be there all the same.
    pub(super) fn give_up(&mut self) {
        self.is_cut_short = true;
    }

    pub(super) const fn is_cut_short(&self) -> bool {
        self.is_cut_short
    }
}
