//! Looking for the cuts.
//!
//! ```text
//!   layer 0        layer 1         layer 2          a state: the first k parts are decided
//!   [cut 0]  --->  [cut 3, ...]  ---> [cut 7, end]     cut      the group that the next part begins with
//!              '-> [cut 2, ...]  ---> [cut 5, ...]     placed   what is resident, and where
//!                                                      cost     bytes paged in so far
//! ```
//! The first layer that reaches the end has the fewest parts; of its states the cheapest wins. A layer's cuts lie
//! between the reverse greedy's and the greedy's (facts/dma-splitting.md, Algorithm). Two efforts expand a state:
//! *quick* places as it goes and keeps a few states a layer, *exhaustive* tries every cut, every place of what the next
//! cut pins and every set of what could stay, and keeps them all.

use std::collections::{BTreeMap, BTreeSet};

use heapstone_units::Alignment;

use super::bound;
use super::error::SplitOutOfMemory;
use super::quick::Growth;
use super::request::SplitRequest;
use super::room::{Gaps, Item, Placed, Room, Steps};
use super::timeline::Timeline;

/// Groups and allocations up to which every plan is looked at (chosen: beyond, the limit of steps is always
/// reached).
const EXHAUSTIVE_GROUPS: usize = 64;
const EXHAUSTIVE_ALLOCATIONS: usize = 24;

/// Parts beyond which there are many.
const MANY_PARTS: usize = 128;

/// Steps that trying some cuts of a state counts for, where plans are looked for by going back and forth.
const STEPS_OF_EXPANSION: u64 = 500;

/// The first parts, decided.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The group that the next part begins with.
    pub(super) cut: usize,
    /// Bytes paged in.
    pub(super) cost: u128,
    /// What the last part has resident, whether it needs it or not; by allocation once the state is settled.
    pub(super) placed: Vec<Placed>,
    /// Which of that is needed again, in the same order; empty before the state is settled.
    pub(super) useful: Vec<u32>,
    /// Bytes paged in, at the least, by plans that begin like this.
    estimate: u128,
    parent: usize,
}

/// Parts of a plan, in order.
#[derive(Debug)]
pub(super) struct Solution {
    pub(super) parts: Vec<State>,
    /// Whether no plan has fewer parts, and none of as many pages less in.
    pub(super) is_minimal: bool,
}

impl Solution {
    fn cost(&self) -> u128 {
        self.parts.last().map_or(0, |state| state.cost)
    }
}

/// What no plan is below.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    pub(super) part_count: usize,
    pub(super) bytes_paged_in: u128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    Quick {
        /// States of a layer.
        width: usize,
        /// Cuts tried from a state.
        candidates: usize,
        /// Whether what a cut would pin is placed in several ways.
        with_variants: bool,
    },
    Exhaustive,
}

/// Where the k-th cut may lie.
#[derive(Clone, Copy, Debug)]
struct Windows<'a> {
    /// Not before: by layer.
    lowest: &'a [usize],
    /// Not behind: by layer, where anything is known.
    highest: &'a [usize],
}

pub(super) struct Search<'a> {
    pub(super) timeline: &'a Timeline,
    pub(super) room: &'a Room,
    pub(super) alignments: Vec<Alignment>,
    pub(super) steps: Steps,
    /// By allocation, for one expansion: scratch of the quick effort.
    pub(super) scratch: Scratch,
    /// Offsets at which something may begin, before it is aligned.
    points: Option<Vec<u64>>,
    /// By group: bytes of what is needed there or later.
    needed_later: Vec<u128>,
    initial: Vec<Placed>,
    /// The group that could not be placed furthest in the buffer, and the bytes that were pinned.
    stuck: Option<(usize, u64)>,
    bounds: Bounds,
}

/// Marks by allocation; one is set where it equals the expansion's number.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) serial: u32,
    pub(super) in_window: Vec<u32>,
    pub(super) is_resident: Vec<u32>,
    /// Where in the window.
    pub(super) place: Vec<usize>,
    pub(super) old_offset: Vec<u64>,
    pub(super) offset: Vec<u64>,
    /// Which need of each allocation was looked up last.
    pub(super) need_hint: Vec<u32>,
    /// What was of use to an expansion before, and is to the next.
    pub(super) growth: Growth,
    pub(super) spare: Vec<(usize, u32)>,
}

impl<'a> Search<'a> {
    pub(super) fn new(request: &SplitRequest<'_>, timeline: &'a Timeline, room: &'a Room) -> Search<'a> {
        let count = request.allocations.len();
        let needed = |allocation: &u32| !timeline.needs(*allocation).is_empty();
        let mut needed_later = vec![0_u128; timeline.len() + 1];
        let mut initial = Vec::new();
        for (allocation, given) in (0_u32..).zip(request.allocations) {
            if let Some(last) = timeline.needs(allocation).last() {
                needed_later[last.end - 1] += u128::from(given.size);
            }
            if let Some(residency) = given.residency.as_ref().filter(|_| needed(&allocation)) {
                let offset = residency.ranges.first().map_or(0, |range| range.begin);
                initial.push(Placed { allocation, offset });
            }
        }
        for group in (0..timeline.len()).rev() {
            needed_later[group] += needed_later[group + 1];
        }
        Search {
            timeline,
            room,
            alignments: request.allocations.iter().map(|allocation| allocation.alignment).collect(),
            steps: Steps::new(request.limits.steps_max),
            scratch: Scratch {
                serial: 0,
                in_window: vec![0; count],
                is_resident: vec![0; count],
                place: vec![0; count],
                old_offset: vec![0; count],
                offset: vec![0; count],
                need_hint: vec![0; count],
                growth: Growth::default(),
                spare: Vec::new(),
            },
            points: None,
            needed_later,
            initial,
            stuck: None,
            bounds: Bounds::default(),
        }
    }

    /// The best plan that is found, and what none is below.
    pub(super) fn solve(
        &mut self,
        request: &SplitRequest<'_>,
    ) -> Result<(Solution, Bounds), SplitOutOfMemory> {
        let greedy = bound::greedy_cuts(self.timeline, self.room.capacity)
            .map_err(|group| self.out_of_memory(group, 0, true))?;
        if let Some(group) = self.group_without_range() {
            return Err(self.out_of_memory(group, 0, true));
        }
        self.bounds.part_count = greedy.len();
        self.bounds.bytes_paged_in = bound::page_in_bound(request, self.timeline, self.room.capacity);
        if greedy.is_empty() {
            return Ok((Solution { parts: Vec::new(), is_minimal: true }, self.bounds));
        }
        let mut best = self.solve_quickly(&greedy);
        let mut is_certain = false;
        if !best.as_ref().is_some_and(|best| self.is_at_bounds(best)) && self.is_small() {
            is_certain = self.solve_exhaustively(&greedy, &mut best);
        }
        let Some(mut best) = best else {
            let (group, pinned) = self.stuck.unwrap_or((0, 0));
            return Err(self.out_of_memory(group, pinned, is_certain));
        };
        best.is_minimal |= self.is_at_bounds(&best);
        Ok((best, self.bounds))
    }

    fn is_at_bounds(&self, solution: &Solution) -> bool {
        solution.parts.len() == self.bounds.part_count && solution.cost() == self.bounds.bytes_paged_in
    }

    fn is_small(&self) -> bool {
        let needed = self.timeline.sizes.len();
        self.timeline.len() <= EXHAUSTIVE_GROUPS && needed <= EXHAUSTIVE_ALLOCATIONS
    }

    /// The first group with an allocation that no range holds.
    fn group_without_range(&self) -> Option<usize> {
        if !self.room.is_contiguous() {
            return None;
        }
        let lacks = |allocation: u32| {
            let item = self.item(allocation);
            let mut free = self.room.free.iter();
            !free.any(|gap| super::room::fit(*gap, gap.begin, item.size, item.alignment).is_some())
        };
        let needs = (0..)
            .zip(&self.timeline.sizes)
            .filter_map(|(allocation, _)| Some((self.timeline.needs(allocation).first()?.begin, allocation)));
        needs.filter(|(_, allocation)| lacks(*allocation)).map(|(group, _)| group).min()
    }

    fn solve_quickly(&mut self, greedy: &[usize]) -> Option<Solution> {
        const FIRST: Effort = Effort::Quick { width: 1, candidates: 1, with_variants: false };
        const HARD: Effort = Effort::Quick { width: 24, candidates: 8, with_variants: true };
        let anywhere = Windows { lowest: &[], highest: greedy };
        let first = self.run(anywhere, FIRST).or_else(|| self.run(anywhere, HARD));
        let first = first.or_else(|| self.go_back_and_forth(HARD))?;
        if self.is_at_bounds(&first) {
            return Some(first);
        }
        let lowest = bound::reverse_greedy_cuts(self.timeline, self.room.capacity, first.parts.len());
        // Of many parts each is looked at less (chosen, so that hundreds take tens of milliseconds).
        let (width, candidates) = if first.parts.len() <= MANY_PARTS { (4, 4) } else { (2, 2) };
        let effort = Effort::Quick { width, candidates, with_variants: false };
        let more = self.run(Windows { lowest: &lowest, highest: greedy }, effort);
        Some(better(first, more))
    }

    /// Looks at every plan of so many parts as can be fewest, then of one more and so on. Whether the answer
    /// is certain.
    fn solve_exhaustively(&mut self, greedy: &[usize], best: &mut Option<Solution>) -> bool {
        let most = best.as_ref().map_or(self.timeline.len(), |best| best.parts.len());
        for count in greedy.len()..=most {
            let lowest = bound::reverse_greedy_cuts(self.timeline, self.room.capacity, count);
            let found = self.run(Windows { lowest: &lowest, highest: greedy }, Effort::Exhaustive);
            let is_certain = !self.steps.is_cut_short();
            if let Some(mut found) = found {
                found.is_minimal = is_certain;
                *best = Some(match best.take() {
                    Some(before) if !is_certain => better(before, Some(found)),
                    _ => found,
                });
                return is_certain;
            }
            if !is_certain {
                return false;
            }
        }
        true
    }

    /// Layer after layer to the first that reaches the end; `None` where the states run out.
    fn run(&mut self, windows: Windows<'_>, effort: Effort) -> Option<Solution> {
        let end = self.timeline.len();
        let mut states = vec![self.root()];
        let mut layer = 0..1;
        let most = if windows.lowest.is_empty() { end } else { windows.lowest.len() };
        for index in 0..most {
            let mut next = Vec::new();
            let lowest = windows.lowest.get(index).copied().unwrap_or(0);
            let highest = windows.highest.get(index).copied().unwrap_or(end);
            for parent in layer {
                let state = &states[parent];
                let range = lowest.max(state.cut + 1)..=highest;
                let from = next.len();
                match effort {
                    Effort::Quick { .. } => self.expand_quickly(state, range, effort, &mut next),
                    Effort::Exhaustive => self.expand_exhaustively(state, range, &mut next),
                }
                next[from..].iter_mut().for_each(|state: &mut State| state.parent = parent);
            }
            let ends = (0..next.len()).filter(|index| next[*index].cut == end);
            if let Some(finished) = ends.min_by_key(|index| next[*index].cost) {
                let mut finished = next.swap_remove(finished);
                self.settle(&mut finished);
                return Some(chain(states, finished));
            }
            self.prune(&mut next, effort, !windows.lowest.is_empty());
            if next.is_empty() {
                return None;
            }
            layer = states.len()..states.len() + next.len();
            states.append(&mut next);
        }
        None
    }

    /// One part after the other, the longest first; where a cut leads nowhere, the next best one before it. `None`
    /// where that is none, or is not found within the limit.
    fn go_back_and_forth(&mut self, effort: Effort) -> Option<Solution> {
        let end = self.timeline.len();
        let mut path = vec![self.root()];
        // For each state of the path, what can follow it, the best last.
        let mut following: Vec<Vec<State>> = Vec::new();
        let mut tried: BTreeSet<(usize, Vec<Placed>)> = BTreeSet::new();
        let mut expansions_left = self.steps.left() / STEPS_OF_EXPANSION;
        loop {
            let state = path.last()?;
            if state.cut == end {
                path.remove(0);
                return Some(Solution { parts: path, is_minimal: false });
            }
            if following.len() < path.len() {
                expansions_left = expansions_left.checked_sub(1)?;
                let (state, mut next) = (state.clone(), Vec::new());
                self.expand_quickly(&state, state.cut + 1..=end, effort, &mut next);
                next.iter_mut().for_each(|state| self.settle(state));
                next.retain(|state| tried.insert((state.cut, self.pins(state))));
                next.sort_by_key(|state| (state.cut, core::cmp::Reverse(state.cost)));
                following.push(next);
            }
            match following.last_mut().and_then(Vec::pop) {
                Some(next) => path.push(next),
                None => {
                    following.pop();
                    path.pop();
                }
            }
        }
    }

    /// Leaves those states from which to go on, settled.
    fn prune(&self, states: &mut Vec<State>, effort: Effort, knows_parts: bool) {
        match effort {
            Effort::Exhaustive => {
                let mut cheapest: BTreeMap<(usize, Vec<Placed>), State> = BTreeMap::new();
                for mut state in states.drain(..) {
                    self.settle(&mut state);
                    let key = (state.cut, self.key(&state));
                    match cheapest.get_mut(&key) {
                        Some(other) if other.cost <= state.cost => {}
                        Some(other) => *other = state,
                        None => {
                            cheapest.insert(key, state);
                        }
                    }
                }
                states.extend(cheapest.into_values());
            }
            Effort::Quick { width, .. } => {
                let rank = |state: &State| {
                    let (behind, total) = (usize::MAX - state.cut, state.estimate);
                    // Cuts far behind first, where the fewest parts are still looked for.
                    if knows_parts { (0, total, behind) } else { (behind, total, 0) }
                };
                states.sort_by_cached_key(rank);
                // The furthest cut stays whatever it costs: from it, all that is to come can be reached.
                let furthest = (0..states.len()).max_by_key(|index| (states[*index].cut, usize::MAX - index));
                if let Some(furthest) = furthest.filter(|furthest| *furthest >= width) {
                    states.swap(width - 1, furthest);
                }
                states.truncate(width);
                states.iter_mut().for_each(|state| self.settle(state));
            }
        }
    }

    /// What of a state decides what can follow: what is pinned, where; what else is useful.
    fn key(&self, state: &State) -> Vec<Placed> {
        let pinned = self.timeline.pinned(state.cut);
        let of = |allocation: &u32| {
            let is_pinned = pinned.binary_search(allocation).is_ok();
            let offset = if is_pinned { placed_at(&state.placed, *allocation).offset } else { u64::MAX };
            Placed { allocation: *allocation, offset }
        };
        state.useful.iter().map(of).collect()
    }

    /// Nothing is decided.
    fn root(&self) -> State {
        let mut root = self.state(0, 0, self.initial.clone());
        self.settle(&mut root);
        root
    }

    /// A state that follows `of`, whose part pages `missing` bytes in; not settled yet.
    pub(super) fn successor(&self, of: &State, cut: usize, missing: u128, placed: Vec<Placed>) -> State {
        self.state(cut, of.cost + missing, placed)
    }

    fn state(&self, cut: usize, cost: u128, placed: Vec<Placed>) -> State {
        let useful = placed.iter().filter(|placed| self.timeline.is_needed_from(placed.allocation, cut));
        let there: u128 = useful.map(|placed| u128::from(self.timeline.size(placed.allocation))).sum();
        let estimate = cost + self.needed_later[cut] - there;
        State { cut, cost, placed, useful: Vec::new(), estimate, parent: 0 }
    }

    /// Sorts a state, for what follows it to be found: most are left before anything does.
    fn settle(&self, state: &mut State) {
        state.placed.sort_unstable();
        let all = state.placed.iter().map(|placed| placed.allocation);
        state.useful = all.filter(|x| self.timeline.is_needed_from(*x, state.cut)).collect();
    }

    pub(super) fn item(&self, allocation: u32) -> Item {
        let alignment = self.alignments[allocation as usize];
        Item { alignment, size: self.timeline.size(allocation), allocation }
    }

    /// What a part from the state's cut on must leave where it is.
    pub(super) fn pins(&self, state: &State) -> Vec<Placed> {
        if !self.room.is_contiguous() {
            return Vec::new();
        }
        let pinned = self.timeline.pinned(state.cut);
        pinned.iter().map(|allocation| placed_at(&state.placed, *allocation)).collect()
    }

    /// As [`pins`](Self::pins), where R of the state's cut is known.
    pub(super) fn pins_of(&self, state: &State, standing: &[u32]) -> Vec<Placed> {
        if !self.room.is_contiguous() {
            return Vec::new();
        }
        let pinned = self.timeline.pinned_of(state.cut, standing.to_vec());
        pinned.iter().map(|allocation| placed_at(&state.placed, *allocation)).collect()
    }

    /// The room without what is pinned.
    pub(super) fn gaps_beside(&self, placed: &[Placed]) -> Gaps {
        let mut gaps = Gaps::new(self.room);
        self.take_placed(&mut gaps, placed);
        gaps
    }

    /// Takes what is placed.
    pub(super) fn take_placed(&self, gaps: &mut Gaps, placed: &[Placed]) {
        for placed in placed {
            let range = self.range(*placed);
            assert!(gaps.take(range), "bug: what is placed lies beside what else is placed");
        }
    }

    pub(super) fn range(&self, placed: Placed) -> heapstone_units::ByteRange {
        let size = self.timeline.size(placed.allocation);
        heapstone_units::ByteRange::new(placed.offset, placed.offset + size)
    }

    /// Notes that the group could not be placed, not even as a part of its own.
    pub(super) fn note_stuck(&mut self, group: usize, pins: &[Placed]) {
        let pinned = pins.iter().map(|placed| self.timeline.size(placed.allocation)).sum();
        let is_further =
            self.stuck.is_none_or(|(other, bytes)| group > other || group == other && pinned < bytes);
        if is_further {
            self.stuck = Some((group, pinned));
        }
    }

    /// Offsets among which some plan places everything, where there is a plan: pushed down as far as it
    /// goes, whatever is placed begins where something else ends, or the room begins.
    pub(super) fn points(&mut self) -> Vec<u64> {
        const POINTS_MAX: usize = 2048;
        if let Some(points) = &self.points {
            return points.clone();
        }
        let needed =
            (0..).zip(&self.timeline.sizes).filter(|(index, _)| !self.timeline.needs(*index).is_empty());
        let shapes: BTreeSet<(Alignment, u64)> =
            needed.map(|(index, size)| (self.alignments[index as usize], *size)).collect();
        let mut points: BTreeSet<u64> = self.room.free.iter().map(|range| range.begin).collect();
        let mut open: Vec<u64> = points.iter().copied().collect();
        let limit = self.room.free.last().map_or(0, |range| range.end);
        while let Some(point) = open.pop() {
            for (alignment, size) in &shapes {
                let end = alignment.align_up(point).and_then(|offset| offset.checked_add(*size));
                let Some(end) = end.filter(|end| *end <= limit) else { continue };
                if points.len() >= POINTS_MAX {
                    self.steps.give_up();
                    open.clear();
                    break;
                }
                if points.insert(end) {
                    open.push(end);
                }
            }
        }
        let points: Vec<u64> = points.into_iter().collect();
        self.points = Some(points.clone());
        points
    }

    fn out_of_memory(&self, group: usize, pinned: u64, is_certain: bool) -> SplitOutOfMemory {
        let needed = self.timeline.bytes.get(group).copied().unwrap_or(0);
        SplitOutOfMemory {
            group,
            split_offset: self.timeline.offset(group, 0),
            needed: u64::try_from(needed).unwrap_or(u64::MAX),
            available: self.room.capacity,
            largest_range: self.room.largest_range(),
            pinned,
            is_certain,
        }
    }
}

/// Where `allocation`, which is placed, is.
pub(super) fn placed_at(placed: &[Placed], allocation: u32) -> Placed {
    let index = placed.binary_search_by_key(&allocation, |placed| placed.allocation);
    placed[index.expect("invariant: what stands in a slot is resident")]
}

/// The one with fewer parts, or cheaper with as many.
fn better(one: Solution, other: Option<Solution>) -> Solution {
    match other {
        Some(other) if (other.parts.len(), other.cost()) < (one.parts.len(), one.cost()) => other,
        _ => one,
    }
}

fn chain(mut states: Vec<State>, last: State) -> Solution {
    let mut parent = last.parent;
    let mut parts = vec![last];
    while parent != 0 {
        // Those behind it are none of its ancestors.
        states.truncate(parent + 1);
        let state = states.pop().expect("invariant: a state's parent is before it");
        parent = state.parent;
        parts.push(state);
    }
    parts.reverse();
    Solution { parts, is_minimal: false }
}
