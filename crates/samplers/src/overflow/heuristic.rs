//! Ways to fill heaps, and the best use of heaps that are filled.

use core::cmp::Reverse;

use super::set::{Need, SamplerSet};
use super::{Problem, bound};

/// Draws that are tried in another heap. Chosen: each trial walks the whole frame.
const TRIALS_MAX: u32 = 256;

/// Heaps that hold every draw, and the switches that they take.
#[derive(Clone, Debug)]
pub(super) struct Filled {
    pub(super) heaps: Vec<SamplerSet>,
    pub(super) switches: u32,
}

/// The best of all ways; `None` where none finds room.
pub(super) fn best(problem: &Problem) -> Option<Filled> {
    let mut by_size: Vec<Need> = problem.needs.clone();
    by_size.sort_by_key(|need| Reverse(need.len()));
    let mut runs_by_size = bound::runs(problem);
    let runs = runs_by_size.clone();
    runs_by_size.sort_by_key(|run| Reverse(run.len()));
    // Whole runs keep switches few; single draws fit where runs do not.
    [runs, runs_by_size, problem.needs.clone(), by_size]
        .into_iter()
        .filter_map(|sets| improved(problem, pack(problem, &sets)?))
        .min_by_key(|filled| filled.switches)
}

/// Puts each set into the heap that misses the least of it; into a new one, where none has any of it or room.
fn pack(problem: &Problem, sets: &[Need]) -> Option<Vec<SamplerSet>> {
    let mut heaps: Vec<SamplerSet> = Vec::new();
    for set in sets {
        let missing = |heap: &SamplerSet| heap.missing(set);
        let nearest = heaps
            .iter()
            .enumerate()
            .filter(|(_, heap)| heap.len() + missing(heap) <= problem.capacity)
            .min_by_key(|(_, heap)| missing(heap));
        match nearest {
            Some((heap, _)) => heaps[heap].add(set),
            None if heaps.len() < problem.heaps_max => {
                let mut heap = SamplerSet::empty(problem.universe);
                heap.add(set);
                heaps.push(heap);
            }
            None => return None,
        }
    }
    Some(heaps)
}

/// Spends what is left free: at a switch the heap before takes in the draw behind, where it has room and
/// that saves a switch.
fn improved(problem: &Problem, mut heaps: Vec<SamplerSet>) -> Option<Filled> {
    let mut draws = assign(&problem.needs, &heaps)?;
    let mut trials = TRIALS_MAX;
    let mut at = 1;
    while at < draws.len() && trials > 0 {
        let (heap, need) = (draws[at - 1], &problem.needs[at]);
        if draws[at] != heap && heaps[heap].len() + heaps[heap].missing(need) <= problem.capacity {
            trials -= 1;
            let kept = heaps[heap].clone();
            heaps[heap].add(need);
            let next = assign(&problem.needs, &heaps)?;
            if switches(&next) < switches(&draws) {
                // What is before may gain by it as well, but is not looked at again.
                draws = next;
                continue;
            }
            heaps[heap] = kept;
        }
        at += 1;
    }
    let switches = switches(&draws);
    Some(Filled { heaps, switches })
}

/// The heap of each draw with the fewest switches, or `None` where a draw lies in no heap: in each run the heap
/// that holds the most draws from its beginning.
pub(super) fn assign(needs: &[Need], heaps: &[SamplerSet]) -> Option<Vec<usize>> {
    let mut draws = Vec::with_capacity(needs.len());
    while draws.len() < needs.len() {
        let rest = &needs[draws.len()..];
        let reach = |heap: &SamplerSet| rest.iter().take_while(|need| heap.contains(need)).count();
        let (heap, count) =
            heaps.iter().map(reach).enumerate().max_by_key(|(heap, count)| (*count, Reverse(*heap)))?;
        if count == 0 {
            return None;
        }
        draws.extend(core::iter::repeat_n(heap, count));
    }
    Some(draws)
}

/// Neighbours whose heaps differ.
pub(super) fn switches(draws: &[usize]) -> u32 {
    let count = draws.windows(2).filter(|pair| pair[0] != pair[1]).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}
