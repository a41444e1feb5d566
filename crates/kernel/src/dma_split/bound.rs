//! Bounds that no plan is below.

use std::collections::BinaryHeap;

use super::request::SplitRequest;
use super::timeline::{NEVER, Timeline};

/// Cuts under capacity alone, from the front: each part as long as it can be. The k-th cut of no plan lies
/// behind the k-th of these, so their parts are the fewest (facts/dma-splitting.md, Algorithm). The last is the end.
///
/// # Errors
/// The first group that exceeds the capacity alone.
pub(super) fn greedy_cuts(timeline: &Timeline, capacity: u64) -> Result<Vec<usize>, usize> {
    let capacity = u128::from(capacity);
    if let Some(group) = timeline.bytes.iter().position(|bytes| *bytes > capacity) {
        return Err(group);
    }
    let mut cuts = Vec::new();
    let mut begin = 0;
    while begin < timeline.len() {
        let mut bytes = timeline.bytes[begin];
        let mut end = begin + 1;
        while end < timeline.len() {
            let new: u128 = timeline.new_in(begin, end).map(|new| u128::from(timeline.size(new))).sum();
            if bytes + new > capacity {
                break;
            }
            bytes += new;
            end += 1;
        }
        cuts.push(end);
        begin = end;
    }
    Ok(cuts)
}

/// Cuts under capacity alone, from the back: the k-th of `count` is where at the least the k-th cut of a plan of
/// so many parts lies. The last is the end; a plan of more parts than there must be may cut at 0 here, which means
/// anywhere. The capacity holds every group.
pub(super) fn reverse_greedy_cuts(timeline: &Timeline, capacity: u64, count: usize) -> Vec<usize> {
    let capacity = u128::from(capacity);
    let mut cuts = vec![0; count];
    let mut end = timeline.len();
    for cut in cuts.iter_mut().rev() {
        *cut = end;
        if end == 0 {
            continue;
        }
        let mut begin = end - 1;
        let mut bytes = timeline.bytes[begin];
        while begin > 0 {
            // What leaves at `begin` was needed up to there: it is new where the window did not need it.
            let leaves = timeline.leaves.get(begin).iter().filter(|event| event.other >= end);
            let new: u128 = leaves.map(|event| u128::from(timeline.size(event.allocation))).sum();
            if bytes + new > capacity {
                break;
            }
            bytes += new;
            begin -= 1;
        }
        end = begin;
    }
    cuts
}

/// Bytes that any plan pages in at the least: by pages of one byte, at every group what is needed, evicting what
/// is needed furthest in the future, in part where that does (facts/dma-splitting.md, Lower bounds). The capacity holds
/// every group.
pub(super) fn page_in_bound(request: &SplitRequest<'_>, timeline: &Timeline, capacity: u64) -> u128 {
    let mut pages = Pages::new(request, timeline, capacity);
    for group in 0..timeline.len() {
        for event in timeline.leaves.get(group) {
            pages.leave(event.allocation, event.other);
        }
        for event in timeline.enters.get(group) {
            pages.enter(event.allocation);
        }
        pages.evict();
    }
    pages.paged
}

struct Pages<'a> {
    timeline: &'a Timeline,
    capacity: u128,
    /// By allocation: bytes that are there.
    resident: Vec<u64>,
    /// By allocation: when it is next needed, where no slot holds it.
    next: Vec<Option<usize>>,
    /// Allocations that no slot held when they were put here, by their next need. What has come to stand in a slot
    /// since, or left one again, is passed over.
    idle: BinaryHeap<(usize, u32)>,
    there: u128,
    paged: u128,
}

impl Pages<'_> {
    fn new<'a>(request: &SplitRequest<'_>, timeline: &'a Timeline, capacity: u64) -> Pages<'a> {
        let count = request.allocations.len();
        let mut pages = Pages {
            timeline,
            capacity: u128::from(capacity),
            resident: vec![0; count],
            next: vec![None; count],
            idle: BinaryHeap::new(),
            there: 0,
            paged: 0,
        };
        for (index, allocation) in (0..).zip(request.allocations) {
            let next = timeline.next_need(index, 0);
            if allocation.residency.is_some() && next != NEVER {
                pages.resident[index as usize] = allocation.size;
                pages.there += u128::from(allocation.size);
                pages.leave(index, next);
            }
        }
        pages
    }

    fn leave(&mut self, allocation: u32, next: usize) {
        self.next[allocation as usize] = Some(next);
        self.idle.push((next, allocation));
    }

    fn enter(&mut self, allocation: u32) {
        let index = allocation as usize;
        self.next[index] = None;
        let missing = self.timeline.size(allocation) - self.resident[index];
        self.resident[index] += missing;
        self.there += u128::from(missing);
        self.paged += u128::from(missing);
    }

    fn evict(&mut self) {
        while self.there > self.capacity {
            let Some((next, allocation)) = self.idle.pop() else { return };
            if self.next[allocation as usize] != Some(next) {
                continue;
            }
            let over = self.there - self.capacity;
            let resident = &mut self.resident[allocation as usize];
            let goes = u64::try_from(over).unwrap_or(u64::MAX).min(*resident);
            *resident -= goes;
            self.there -= u128::from(goes);
            if *resident > 0 {
                self.idle.push((next, allocation));
            }
        }
    }
}
