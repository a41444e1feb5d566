//! What no partition is better than.

use super::Problem;
use super::set::{Need, SamplerSet};

/// Switches when each cut is made as late as possible. Of any way to cut, the n-th cut is no later than this
/// one's: so there are no fewer.
pub(super) fn switches_min(problem: &Problem) -> u32 {
    let lengths = runs(problem);
    u32::try_from(lengths.len().saturating_sub(1)).unwrap_or(u32::MAX)
}

/// Those runs of draws, by what each needs.
pub(super) fn runs(problem: &Problem) -> Vec<Need> {
    let mut runs = Vec::new();
    // One set for all of them: a run is as long as its samplers, not as the frame's.
    let mut held = SamplerSet::empty(problem.universe);
    let mut samplers = Vec::new();
    for need in &problem.needs {
        if held.len() + held.missing(need) > problem.capacity {
            let run = Need::of(core::mem::take(&mut samplers));
            held.remove(&run);
            runs.push(run);
        }
        held.add(need);
        samplers.extend(need.iter());
    }
    if !problem.needs.is_empty() {
        runs.push(Need::of(samplers));
    }
    runs
}

/// For each draw, the least number of runs from it to the end, and 0 behind the last.
pub(super) fn runs_left(problem: &Problem) -> Vec<u32> {
    let count = problem.needs.len();
    let mut left = vec![0; count + 1];
    // The end of the latest run from a draw only moves forward with the draw: but a run's set must be made anew,
    // since nothing is taken out of one.
    for first in (0..count).rev() {
        let mut run = SamplerSet::empty(problem.universe);
        run.add(&problem.needs[first]);
        let mut end = first + 1;
        while end < count && run.len() + run.missing(&problem.needs[end]) <= problem.capacity {
            run.add(&problem.needs[end]);
            end += 1;
        }
        left[first] = 1 + left[end];
    }
    left
}
