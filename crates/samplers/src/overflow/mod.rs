//! More unique samplers than one heap holds: which bind groups go to which heap, so that a frame switches heaps
//! seldom (spec/4-sampler-heap.txt, "only overflowing if we run out of space, then just switching sampler heaps as rarely as
//! possible").
//!
//! A draw needs all of its groups in the heap that is bound. A group may have indices for several heaps, and a
//! sampler slots in several: heaps are filled before the frame, and draws choose among them.
//!
//! ```text
//!   draws      a a b b c a d d      a switch between neighbours of different heaps
//!   heaps      0 0 0 0 1 1 1 1      heap 0 holds a, b; heap 1 holds a, c, d
//! ```
//! - **Lower bound.** Between two switches all draws fit one heap; so a frame is cut at least as often as when
//!   each cut is made as late as possible (`bound`).
//! - **Heuristic.** Three ways to fill heaps (`heuristic`), each improved by spending what is left free; for
//!   heaps that are filled, the fewest switches are found exactly. Work is bounded by what draws need times heaps.
//! - **Exact** where that meets the bound, and else by search on small frames (`exact`), up to a number of
//!   steps.

mod bound;
mod exact;
mod heuristic;
mod set;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use set::{Need, SamplerSet};

/// A frame, as far as samplers go.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// The samplers of each bind group, by numbers that equal ones share.
    pub groups: Vec<Vec<u32>>,
    /// The groups that each draw binds, by their places in `groups`.
    pub draws: Vec<Vec<u32>>,
}

/// What heaps there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartitionLimits {
    /// Samplers of a heap, at least 1.
    pub heap_samplers: u32,
    /// Heaps, at least 1.
    pub heaps_max: u32,
    /// Steps of the exact search, after which the best that was found stands; 0 searches nothing.
    pub search_steps: u64,
}

impl Default for PartitionLimits {
    /// D3D12's heap, four of them, and a search of some tens of milliseconds (chosen).
    fn default() -> PartitionLimits {
        PartitionLimits { heap_samplers: 2032, heaps_max: 4, search_steps: 200_000 }
    }
}

/// Heaps, and the one that each draw binds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Partition {
    /// The samplers of each heap, ascending.
    pub heaps: Vec<Vec<u32>>,
    /// The heap of each draw.
    pub draws: Vec<u32>,
    /// The heaps for which each group needs indices, ascending; none of a group that no draw binds.
    pub groups: Vec<Vec<u32>>,
    /// Draws whose heap is not that of the draw before.
    pub switches: u32,
    /// No partition of this frame has fewer switches, whatever the number of heaps.
    pub switches_min: u32,
    /// Whether no partition over so many heaps has fewer switches.
    pub is_optimal: bool,
}

/// Why there is no partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartitionError {
    /// A limit is 0.
    #[error("partition.limits: {field} is 0; allowed: at least 1")]
    Limits {
        /// Which.
        field: &'static str,
    },
    /// A draw binds a group that there is not.
    #[error("partition.group: group is {group}, of draw {draw}; allowed: below {groups}")]
    UnknownGroup {
        /// The draw.
        draw: usize,
        /// The group.
        group: u32,
        /// How many there are.
        groups: usize,
    },
    /// A draw needs more than a heap.
    #[error(
        "partition.draw: samplers of draw {draw} are {samplers}; allowed: at most {allowed}, those of a heap"
    )]
    DrawTooLarge {
        /// The draw.
        draw: usize,
        /// What it needs.
        samplers: u32,
        /// What a heap holds.
        allowed: u32,
    },
    /// The heaps do not hold it all.
    #[error(
        "partition.heaps: {samplers} samplers, {needed} of which some draws need together, in {heaps_max} heaps of \
         {heap_samplers}: {}; allowed: more or larger heaps",
        if *is_proven { "there is no partition" } else { "no partition was found" }
    )]
    None {
        /// Different samplers of the frame.
        samplers: u32,
        /// The most that one draw needs.
        needed: u32,
        /// Heaps that there may be.
        heaps_max: u32,
        /// Samplers of a heap.
        heap_samplers: u32,
        /// Whether there is none.
        is_proven: bool,
    },
}

/// A frame with samplers numbered from 0, and without draws that change nothing.
struct Problem {
    /// What each kept draw needs; no one of them lies within the one before it.
    needs: Vec<Need>,
    capacity: u32,
    heaps_max: usize,
    /// Samplers.
    universe: usize,
}

/// Distributes a frame's groups over heaps.
///
/// # Errors
/// [`PartitionError`].
pub fn partition(frame: &Frame, limits: &PartitionLimits) -> Result<Partition, PartitionError> {
    for (field, limit) in [("heap_samplers", limits.heap_samplers), ("heaps_max", limits.heaps_max)] {
        if limit == 0 {
            return Err(PartitionError::Limits { field });
        }
    }
    let (numbers, all_needs) = needs(frame, limits.heap_samplers)?;
    let problem = Problem {
        needs: changes(&all_needs),
        capacity: limits.heap_samplers,
        heaps_max: usize::try_from(limits.heaps_max).unwrap_or(usize::MAX).min(all_needs.len().max(1)),
        universe: numbers.len(),
    };
    let least = bound::switches_min(&problem);
    let mut best = heuristic::best(&problem);
    let mut is_searched = false;
    if best.as_ref().is_none_or(|heaps| heaps.switches > least) {
        let found = exact::search(&problem, best.as_ref().map(|heaps| heaps.switches), limits.search_steps);
        is_searched = found.is_complete;
        best = found.best.or(best);
    }
    let Some(filled) = best else {
        return Err(none(&problem, limits, is_searched));
    };
    let is_optimal = filled.switches == least || is_searched;
    Ok(answer(frame, &numbers, &all_needs, filled.heaps, least, is_optimal))
}

/// The samplers' numbers in order of their own, and what each draw needs, by places in that order.
fn needs(frame: &Frame, capacity: u32) -> Result<(Vec<u32>, Vec<Need>), PartitionError> {
    let mut places: BTreeMap<u32, usize> = BTreeMap::new();
    for (draw, groups) in frame.draws.iter().enumerate() {
        for group in groups {
            let samplers = usize::try_from(*group).ok().and_then(|at| frame.groups.get(at));
            let groups = frame.groups.len();
            let samplers = samplers.ok_or(PartitionError::UnknownGroup { draw, group: *group, groups })?;
            places.extend(samplers.iter().map(|sampler| (*sampler, 0)));
        }
    }
    places.values_mut().enumerate().for_each(|(at, place)| *place = at);
    let mut all = Vec::with_capacity(frame.draws.len());
    for (draw, groups) in frame.draws.iter().enumerate() {
        let mut samplers = Vec::new();
        for group in groups {
            let at = usize::try_from(*group).expect("invariant: it was found above");
            samplers.extend(frame.groups[at].iter().map(|sampler| places[sampler]));
        }
        let need = Need::of(samplers);
        if need.len() > capacity {
            return Err(PartitionError::DrawTooLarge { draw, samplers: need.len(), allowed: capacity });
        }
        all.push(need);
    }
    Ok((places.into_keys().collect(), all))
}

/// Without draws that lie within the one before: they never switch.
fn changes(needs: &[Need]) -> Vec<Need> {
    let mut kept: Vec<Need> = Vec::new();
    for need in needs {
        if kept.last().is_none_or(|last| !last.contains(need)) {
            kept.push(need.clone());
        }
    }
    kept
}

fn none(problem: &Problem, limits: &PartitionLimits, is_searched: bool) -> PartitionError {
    let samplers = u32::try_from(problem.universe).unwrap_or(u32::MAX);
    let room = u64::from(limits.heap_samplers) * u64::from(limits.heaps_max);
    PartitionError::None {
        samplers,
        needed: problem.needs.iter().map(Need::len).max().unwrap_or(0),
        heaps_max: limits.heaps_max,
        heap_samplers: limits.heap_samplers,
        is_proven: is_searched || u64::from(samplers) > room,
    }
}

/// The partition by heaps that hold every draw: draws take the heaps with the fewest switches, and what no
/// draw needs there goes.
fn answer(
    frame: &Frame,
    numbers: &[u32],
    needs: &[Need],
    heaps: Vec<SamplerSet>,
    switches_min: u32,
    is_optimal: bool,
) -> Partition {
    let draws = heuristic::assign(needs, &heaps).expect("invariant: the heaps hold every draw");
    let mut used: Vec<SamplerSet> = heaps.iter().map(|_| SamplerSet::empty(numbers.len())).collect();
    let mut groups: Vec<Vec<u32>> = vec![Vec::new(); frame.groups.len()];
    for ((heap, need), bound) in draws.iter().zip(needs).zip(&frame.draws) {
        used[*heap].add(need);
        for group in bound {
            let at = usize::try_from(*group).expect("invariant: groups were looked up");
            groups[at].push(small(*heap));
        }
    }
    for heaps in &mut groups {
        heaps.sort_unstable();
        heaps.dedup();
    }
    Partition {
        heaps: used.iter().map(|heap| heap.iter().map(|at| numbers[at]).collect()).collect(),
        switches: heuristic::switches(&draws),
        draws: draws.into_iter().map(small).collect(),
        groups,
        switches_min,
        is_optimal,
    }
}

fn small(heap: usize) -> u32 {
    u32::try_from(heap).expect("invariant: heaps are at most heaps_max")
}
