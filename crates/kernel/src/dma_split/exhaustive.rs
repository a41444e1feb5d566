//! Every way in which a part can go on from a state.

use core::ops::RangeInclusive;

use super::room::{Gaps, Item, Placed};
use super::search::{Search, State};
use super::timeline::NEVER;

/// Allocations of which every set that could stay is tried.
const SPARE_MAX: usize = 12;

/// A part, but for the places of what may move.
struct Part<'a> {
    state: &'a State,
    end: usize,
    /// Bytes to page in.
    missing: u128,
    /// What is needed.
    window: &'a [u32],
    pins: &'a [Placed],
    /// What is resident, not needed here, and needed later.
    spare: Vec<u32>,
}

impl Search<'_> {
    /// States behind a part from `state` that ends in `ends`: for every end, every place of what the cut pins,
    /// every greatest set of what can stay beside.
    pub(super) fn expand_exhaustively(
        &mut self,
        state: &State,
        ends: RangeInclusive<usize>,
        to: &mut Vec<State>,
    ) {
        let begin = state.cut;
        let capacity = u128::from(self.room.capacity);
        let pins = self.pins(state);
        let gaps = self.gaps_beside(&pins);
        let is_there =
            |allocation: u32| state.placed.binary_search_by_key(&allocation, |p| p.allocation).is_ok();
        let mut window = self.timeline.standing(begin);
        for end in begin + 1..=*ends.end() {
            if end > begin + 1 {
                window.extend(self.timeline.new_in(begin, end - 1));
            }
            let size_of = |allocation: &u32| u128::from(self.timeline.size(*allocation));
            let bytes: u128 = window.iter().map(size_of).sum();
            if bytes > capacity {
                return;
            }
            let movable = self.items(window.iter().copied().filter(|x| !is_in(&pins, *x)));
            if self.pack(&gaps, &movable).is_none() {
                if end == begin + 1 {
                    self.note_stuck(begin, &pins);
                }
                return;
            }
            if !ends.contains(&end) {
                continue;
            }
            let missing = window.iter().filter(|x| !is_there(**x)).map(size_of).sum();
            let spare = self.spare(state, &window, end);
            let part = Part { state, end, missing, window: &window, pins: &pins, spare };
            if !self.steps.take() {
                return;
            }
            self.place_next_pins(&part, &gaps, to);
        }
    }

    fn spare(&mut self, state: &State, window: &[u32], end: usize) -> Vec<u32> {
        let resident = state.placed.iter().map(|placed| placed.allocation).filter(|x| !window.contains(x));
        let mut spare: Vec<(usize, u32)> = resident
            .map(|allocation| (self.timeline.next_need(allocation, end), allocation))
            .filter(|(next, _)| *next != NEVER)
            .collect();
        if spare.len() > SPARE_MAX {
            self.steps.give_up();
            spare.sort_unstable();
            spare.truncate(SPARE_MAX);
        }
        spare.into_iter().map(|(_, allocation)| allocation).collect()
    }

    /// Every combination of places for what is pinned at the part's end and not yet.
    fn place_next_pins(&mut self, part: &Part<'_>, gaps: &Gaps, to: &mut Vec<State>) {
        let mut next = Vec::new();
        if self.room.is_contiguous() {
            next = self.timeline.pinned(part.end);
            next.retain(|allocation| !is_in(part.pins, *allocation));
        }
        self.place_pin(part, &next, part.pins.to_vec(), gaps, to);
    }

    fn place_pin(
        &mut self,
        part: &Part<'_>,
        next: &[u32],
        placed: Vec<Placed>,
        gaps: &Gaps,
        to: &mut Vec<State>,
    ) {
        let Some((allocation, rest)) = next.split_first() else {
            self.keep_spare(part, &placed, gaps, to);
            return;
        };
        let item = self.item(*allocation);
        let mut last = None;
        for point in self.points() {
            let Some(offset) = item.alignment.align_up(point) else { continue };
            if last == Some(offset) {
                continue;
            }
            last = Some(offset);
            if !self.steps.take() {
                return;
            }
            let at = Placed { allocation: *allocation, offset };
            let mut gaps = gaps.clone();
            if offset.checked_add(item.size).is_some() && gaps.take(self.range(at)) {
                let mut placed = placed.clone();
                placed.push(at);
                self.place_pin(part, rest, placed, &gaps, to);
            }
        }
    }

    /// Every set of spare allocations that fits beside the part, and to which none can be added.
    fn keep_spare(&mut self, part: &Part<'_>, placed: &[Placed], gaps: &Gaps, to: &mut Vec<State>) {
        let rest = self.items(part.window.iter().copied().filter(|x| !is_in(placed, *x)));
        let mut masks: Vec<u32> = (0..1 << part.spare.len()).collect();
        masks.sort_by_key(|mask| (core::cmp::Reverse(mask.count_ones()), *mask));
        let mut kept: Vec<u32> = Vec::new();
        for mask in masks {
            if kept.iter().any(|larger| larger & mask == mask) {
                continue;
            }
            let chosen = part.spare.iter().enumerate().filter(|(bit, _)| mask & (1 << bit) != 0);
            let mut items = self.items(chosen.map(|(_, allocation)| *allocation));
            items.extend(&rest);
            if let Some(mut all) = self.pack(gaps, &items) {
                kept.push(mask);
                all.extend(placed);
                to.push(self.successor(part.state, part.end, part.missing, all));
            }
        }
    }

    fn items(&self, allocations: impl Iterator<Item = u32>) -> Vec<Item> {
        allocations.map(|allocation| self.item(allocation)).collect()
    }

    fn pack(&mut self, gaps: &Gaps, items: &[Item]) -> Option<Vec<Placed>> {
        if self.room.is_contiguous() {
            return gaps.pack(items, &mut self.steps);
        }
        let bytes: u128 = items.iter().map(|item| u128::from(item.size)).sum();
        let fits = self.steps.take() && bytes <= u128::from(self.room.capacity);
        fits.then(|| items.iter().map(|item| Placed { allocation: item.allocation, offset: 0 }).collect())
    }
}

fn is_in(placed: &[Placed], allocation: u32) -> bool {
    placed.iter().any(|placed| placed.allocation == allocation)
}
