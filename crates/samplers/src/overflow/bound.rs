//! What no partition is better than.

use super::Problem;
use super::set::SamplerSet;

/// Switches when each cut is made as late as possible. Of any way to cut, the n-th cut is no later than this
/// one's: so there are no fewer.
pub(super) fn switches_min(problem: &Problem) -> u32 {
    let lengths = runs(problem);
    u32::try_from(lengths.len().saturating_sub(1)).unwrap_or(u32::MAX)
}

/// Those runs of draws, by what each needs.
pub(super) fn runs(problem: &Problem) -> Vec<SamplerSet> {
    let mut runs: Vec<SamplerSet> = Vec::new();
    for need in &problem.needs {
        match runs.last_mut() {
            Some(run) if run.len() + run.missing(need) <= problem.capacity => run.add(need),
            _ => runs.push(need.clone()),
        }
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
        let mut run = problem.needs[first].clone();
        let mut end = first + 1;
        while end < count && run.len() + run.missing(&problem.needs[end]) <= problem.capacity {
            run.add(&problem.needs[end]);
            end += 1;
        }
        left[first] = 1 + left[end];
    }
    left
}
