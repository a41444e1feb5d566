//! The fewest switches, by branch and bound over the heap of each draw.

use super::heuristic::Filled;
use super::set::SamplerSet;
use super::{Problem, bound};

/// Draws beyond which nothing is searched: what comes before the first step grows with their square.
const DRAWS_MAX: usize = 512;

/// What a search found.
pub(super) struct Found {
    /// Better than what was known; `None` where nothing is, or was found.
    pub(super) best: Option<Filled>,
    /// Whether everything was looked at.
    pub(super) is_complete: bool,
}

struct Search<'a> {
    problem: &'a Problem,
    runs_left: Vec<u32>,
    steps_left: u64,
    heaps: Vec<SamplerSet>,
    /// Only fewer switches than that count; `None` while nothing is known.
    limit: Option<u32>,
    best: Option<Filled>,
}

/// Looks for fewer switches than `known`, in at most `steps` steps.
pub(super) fn search(problem: &Problem, known: Option<u32>, steps: u64) -> Found {
    if steps == 0 || problem.needs.len() > DRAWS_MAX {
        return Found { best: None, is_complete: false };
    }
    let mut search = Search {
        problem,
        runs_left: bound::runs_left(problem),
        steps_left: steps,
        heaps: Vec::new(),
        limit: known,
        best: None,
    };
    let is_complete = search.place(0, None, 0);
    Found { best: search.best, is_complete }
}

impl Search<'_> {
    /// Places the draws from `at` on, the one before in `current`; answers whether all was looked at.
    fn place(&mut self, at: usize, current: Option<usize>, switches: u32) -> bool {
        let Some(need) = self.problem.needs.get(at) else {
            self.limit = Some(switches);
            self.best = Some(Filled { heaps: self.heaps.clone(), switches });
            return true;
        };
        // The run that goes on may be the first of those that are left.
        let least = switches + self.runs_left[at].saturating_sub(1);
        if self.limit.is_some_and(|limit| least >= limit) {
            return true;
        }
        if self.steps_left == 0 {
            return false;
        }
        self.steps_left -= 1;
        let mut is_complete = true;
        let others = (0..self.heaps.len()).filter(|heap| Some(*heap) != current);
        let order: Vec<usize> = current.into_iter().chain(others).collect();
        for heap in order {
            if self.heaps[heap].len() + self.heaps[heap].missing(need) > self.problem.capacity {
                continue;
            }
            let is_switch = current.is_some_and(|current| current != heap);
            let kept = self.heaps[heap].clone();
            self.heaps[heap].add(need);
            is_complete &= self.place(at + 1, Some(heap), switches + u32::from(is_switch));
            self.heaps[heap] = kept;
        }
        // All heaps without samplers are one.
        if self.heaps.len() < self.problem.heaps_max {
            let mut heap = SamplerSet::empty(self.problem.universe);
            heap.add(need);
            self.heaps.push(heap);
            let heap = self.heaps.len() - 1;
            is_complete &= self.place(at + 1, Some(heap), switches + u32::from(current.is_some()));
            self.heaps.pop();
        }
        is_complete
    }
}
