//! A few good ways in which a part can go on from a state: it is placed as the list is read, and packed anew where that
//! fails.

use core::cmp::Reverse;
use core::ops::RangeInclusive;

use super::room::{Gaps, Item, Placed, Steps};
use super::search::{Effort, Search, State};

/// Times that a part is packed anew when the next group does not fit.
const REPACKS: u32 = 3;
/// Allocations up to which packing anew tries every order, and its steps.
const EXACT_ITEMS: usize = 12;
const EXACT_STEPS: u64 = 2_000;

/// A part as far as it has grown.
#[derive(Default)]
pub(super) struct Growth {
    /// What is needed, in the order in which it comes.
    window: Vec<u32>,
    bytes: u128,
    missing: u128,
    gaps: Gaps,
    repacks: u32,
    /// Ends that the part could have.
    ends: Vec<End>,
}

#[derive(Clone, Copy)]
struct End {
    end: usize,
    /// Of the window.
    count: usize,
    missing: u128,
    bytes: u128,
}

/// How what the next cut pins is placed.
#[derive(Clone, Copy)]
enum Variant {
    AsGrown,
    PinsLow,
    PinsHigh,
}

impl Search<'_> {
    /// A few states behind a part from `state` that ends in `ends`.
    pub(super) fn expand_quickly(
        &mut self,
        state: &State,
        ends: RangeInclusive<usize>,
        effort: Effort,
        to: &mut Vec<State>,
    ) {
        let standing = self.timeline.standing(state.cut);
        let pins = self.pins_of(state, &standing);
        self.mark(state);
        let mut growth = core::mem::take(&mut self.scratch.growth);
        if self.grow(&mut growth, state, standing, &pins, &ends) {
            self.follow(state, &growth, &pins, effort, to);
        } else {
            self.note_stuck(state.cut, &pins);
        }
        self.scratch.growth = growth;
    }

    /// States behind the ends that are chosen.
    fn follow(
        &mut self,
        state: &State,
        growth: &Growth,
        pins: &[Placed],
        effort: Effort,
        to: &mut Vec<State>,
    ) {
        let Effort::Quick { candidates, with_variants, .. } = effort else { return };
        for end in self.choose(&growth.ends, candidates) {
            let window = &growth.window[..end.count];
            let variants: &[Variant] = if with_variants && self.room.is_contiguous() {
                &[Variant::AsGrown, Variant::PinsLow, Variant::PinsHigh]
            } else {
                &[Variant::AsGrown]
            };
            for variant in variants {
                if let Some(mut placed) = self.place(pins, window, end.end, *variant) {
                    let gaps = self.gaps_of(growth, end, &placed, *variant);
                    self.keep(&mut placed, gaps, &state.useful, end);
                    to.push(self.successor(state, end.end, end.missing, placed));
                }
            }
        }
    }

    /// Marks what is resident and will be needed again.
    fn mark(&mut self, state: &State) {
        let scratch = &mut self.scratch;
        scratch.serial = scratch.serial.wrapping_add(1);
        if scratch.serial == 0 {
            scratch.in_window.fill(0);
            scratch.is_resident.fill(0);
            scratch.serial = 1;
        }
        for placed in &state.placed {
            let index = placed.allocation as usize;
            scratch.is_resident[index] = scratch.serial;
            scratch.old_offset[index] = placed.offset;
        }
    }

    /// Lets a part grow group by group; whether it holds its first at least.
    fn grow(
        &mut self,
        growth: &mut Growth,
        state: &State,
        standing: Vec<u32>,
        pins: &[Placed],
        ends: &RangeInclusive<usize>,
    ) -> bool {
        let begin = state.cut;
        growth.gaps.refill(self.room);
        self.take_placed(&mut growth.gaps, pins);
        for (place, pin) in pins.iter().enumerate() {
            self.scratch.offset[pin.allocation as usize] = pin.offset;
            self.scratch.place[pin.allocation as usize] = place;
            self.scratch.in_window[pin.allocation as usize] = self.scratch.serial;
        }
        growth.window.clear();
        growth.window.extend(pins.iter().map(|pin| pin.allocation));
        growth.bytes = pins.iter().map(|pin| u128::from(self.timeline.size(pin.allocation))).sum();
        (growth.missing, growth.repacks) = (0, REPACKS);
        growth.ends.clear();
        let mut first = standing;
        first.retain(|allocation| self.scratch.in_window[*allocation as usize] != self.scratch.serial);
        // What is there first, where it is, then the greatest.
        first.sort_by_cached_key(|x| (!self.is_resident(*x), Reverse(self.item(*x))));
        if !self.add(growth, &first, pins) {
            return false;
        }
        let mut new = Vec::new();
        for end in begin + 1..=*ends.end() {
            if end > begin + 1 {
                new.clear();
                new.extend(self.timeline.new_in(begin, end - 1));
                if !self.add(growth, &new, pins) {
                    break;
                }
            }
            if ends.contains(&end) {
                let Growth { ref window, missing, bytes, .. } = *growth;
                growth.ends.push(End { end, count: window.len(), missing, bytes });
            }
        }
        true
    }

    fn is_resident(&self, allocation: u32) -> bool {
        self.scratch.is_resident[allocation as usize] == self.scratch.serial
    }

    /// Adds `new` to the part, all or nothing.
    fn add(&mut self, growth: &mut Growth, new: &[u32], pins: &[Placed]) -> bool {
        if new.is_empty() {
            return true;
        }
        let added: u128 = new.iter().map(|x| u128::from(self.timeline.size(*x))).sum();
        if growth.bytes + added > u128::from(self.room.capacity) {
            return false;
        }
        if self.room.is_contiguous() && !self.place_new(growth, new, pins) {
            return false;
        }
        for (place, allocation) in (growth.window.len()..).zip(new) {
            self.scratch.in_window[*allocation as usize] = self.scratch.serial;
            self.scratch.place[*allocation as usize] = place;
            if !self.is_resident(*allocation) {
                growth.missing += u128::from(self.timeline.size(*allocation));
            }
        }
        growth.window.extend(new);
        growth.bytes += added;
        true
    }

    fn place_new(&mut self, growth: &mut Growth, new: &[u32], pins: &[Placed]) -> bool {
        let misfit = new.iter().position(|allocation| {
            let offset = self.place_one(&mut growth.gaps, *allocation);
            self.scratch.offset[*allocation as usize] = offset.unwrap_or(0);
            offset.is_none()
        });
        let Some(misfit) = misfit else { return true };
        for allocation in &new[..misfit] {
            growth.gaps.give(self.range(self.grown(*allocation)));
        }
        if growth.repacks == 0 {
            return false;
        }
        growth.repacks -= 1;
        let movable = growth.window.iter().skip(pins.len()).chain(new);
        let items: Vec<Item> = movable.map(|allocation| self.item(*allocation)).collect();
        let Some((gaps, places)) = self.repack(pins, &[], items, Variant::AsGrown) else { return false };
        growth.gaps = gaps;
        for placed in places {
            self.scratch.offset[placed.allocation as usize] = placed.offset;
        }
        true
    }

    /// Takes the place where it is, or else one in the smallest gap.
    fn place_one(&self, gaps: &mut Gaps, allocation: u32) -> Option<u64> {
        let at = Placed { allocation, offset: self.scratch.old_offset[allocation as usize] };
        if self.is_resident(allocation) && gaps.take(self.range(at)) {
            return Some(at.offset);
        }
        gaps.take_best(self.item(allocation))
    }

    /// Places for `first`, at one end, and then `items`, the greatest first; and the gaps that are left.
    fn repack(
        &self,
        pins: &[Placed],
        first: &[Item],
        mut items: Vec<Item>,
        variant: Variant,
    ) -> Option<(Gaps, Vec<Placed>)> {
        let beside_pins = self.gaps_beside(pins);
        let mut gaps = beside_pins.clone();
        let mut places = Vec::with_capacity(first.len() + items.len());
        let mut first = first.to_vec();
        first.sort_unstable_by_key(|item| Reverse(*item));
        items.sort_unstable_by_key(|item| Reverse(*item));
        for item in &first {
            let offset = match variant {
                Variant::PinsHigh => gaps.take_highest(*item)?,
                Variant::AsGrown | Variant::PinsLow => gaps.take_lowest(*item)?,
            };
            places.push(Placed { allocation: item.allocation, offset });
        }
        let count = places.len();
        let beside_first = gaps.clone();
        for item in &items {
            let Some(offset) = gaps.take_best(*item) else { break };
            places.push(Placed { allocation: item.allocation, offset });
        }
        if places.len() == count + items.len() {
            return Some((gaps, places));
        }
        if items.len() > EXACT_ITEMS {
            return None;
        }
        places.truncate(count);
        let exact = beside_first.pack(&items, &mut Steps::new(EXACT_STEPS))?;
        let mut gaps = beside_first;
        for placed in &exact {
            assert!(gaps.take(self.range(*placed)), "bug: a packing lies in the gaps");
        }
        places.extend(exact);
        Some((gaps, places))
    }

    /// The ends to try: the furthest, the nearest, those that pin little, and some between.
    fn choose(&self, ends: &[End], candidates: usize) -> Vec<End> {
        if ends.len() <= candidates {
            return ends.to_vec();
        }
        let last = ends.len() - 1;
        let mut chosen = vec![last];
        if candidates > 1 && self.room.is_contiguous() {
            chosen.push(last - 1);
        }
        if candidates > 2 && self.room.is_contiguous() {
            let pinned =
                |index: &usize| self.timeline.pinned_bytes.get(ends[*index].end).copied().unwrap_or(0);
            // Of the ends that pin least, the last; and the last one of the second half.
            chosen.extend((0..last).min_by_key(|index| (pinned(index), Reverse(*index))));
            chosen.extend((last / 2..last).min_by_key(|index| (pinned(index), Reverse(*index))));
        }
        chosen.truncate(candidates);
        let between = candidates - chosen.len();
        chosen.extend((0..between).map(|index| last * index / between));
        chosen.sort_unstable();
        chosen.dedup();
        chosen.into_iter().map(|index| ends[index]).collect()
    }

    /// The part up to `end`, placed.
    fn place(&self, pins: &[Placed], window: &[u32], end: usize, variant: Variant) -> Option<Vec<Placed>> {
        let (pinned, movable) = window.split_at(pins.len());
        let next_pins = match variant {
            Variant::AsGrown => {
                // With room for what is kept beside.
                let mut placed = Vec::with_capacity(window.len() * 2);
                placed.extend(window.iter().map(|x| self.grown(*x)));
                return Some(placed);
            }
            Variant::PinsLow | Variant::PinsHigh => self.timeline.pinned(end),
        };
        debug_assert_eq!(pinned.len(), pins.len());
        let items = movable.iter().map(|allocation| self.item(*allocation));
        let (first, rest): (Vec<Item>, Vec<Item>) =
            items.partition(|item| next_pins.binary_search(&item.allocation).is_ok());
        if first.is_empty() {
            return None;
        }
        let (_, mut placed) = self.repack(pins, &first, rest, variant)?;
        placed.extend(pins);
        Some(placed)
    }

    /// Where a part that has grown has placed an allocation of its window.
    fn grown(&self, allocation: u32) -> Placed {
        Placed { allocation, offset: self.scratch.offset[allocation as usize] }
    }

    /// What is free beside the part up to `end`, which is placed.
    fn gaps_of(&self, growth: &Growth, end: End, placed: &[Placed], variant: Variant) -> Gaps {
        match variant {
            Variant::AsGrown if self.room.is_contiguous() => {
                let mut gaps = growth.gaps.clone();
                for allocation in &growth.window[end.count..] {
                    gaps.give(self.range(self.grown(*allocation)));
                }
                gaps
            }
            // Nothing is placed in pages.
            Variant::AsGrown => Gaps::new(self.room),
            Variant::PinsLow | Variant::PinsHigh => self.gaps_beside(placed),
        }
    }

    /// Keeps of what is spare as much as fits, what is needed soonest first.
    fn keep(&mut self, placed: &mut Vec<Placed>, mut gaps: Gaps, spare: &[u32], end: End) {
        let mut candidates = core::mem::take(&mut self.scratch.spare);
        candidates.clear();
        for allocation in spare {
            let index = *allocation as usize;
            let scratch = &mut self.scratch;
            // The window of this end may be shorter than the marked one.
            let is_needed = scratch.in_window[index] == scratch.serial && scratch.place[index] < end.count;
            if is_needed || !self.timeline.is_needed_from(*allocation, end.end) {
                continue;
            }
            let hint = &mut scratch.need_hint[index];
            candidates.push((self.timeline.next_need_near(hint, *allocation, end.end), *allocation));
        }
        candidates.sort_unstable();
        if !self.room.is_contiguous() {
            let mut left = u128::from(self.room.capacity) - end.bytes;
            for (_, allocation) in &candidates {
                let size = u128::from(self.timeline.size(*allocation));
                if size <= left {
                    left -= size;
                    placed.push(Placed { allocation: *allocation, offset: 0 });
                }
            }
            self.scratch.spare = candidates;
            return;
        }
        // Where it is, if that is free, costs nothing; else somewhere.
        for (_, allocation) in &candidates {
            if let Some(offset) = self.place_one(&mut gaps, *allocation) {
                placed.push(Placed { allocation: *allocation, offset });
            }
        }
        self.scratch.spare = candidates;
    }
}
