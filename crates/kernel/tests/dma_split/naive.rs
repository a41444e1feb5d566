//! The fewest parts, and of those the fewest bytes paged in, by trying everything: every cut, every place of every
//! allocation, everything that could stay.

use std::collections::{BTreeMap, BTreeSet};

use heapstone_kernel::dma_split::SegmentPlacement;
use heapstone_units::ByteRange;

use super::case::Case;

/// What is resident at a cut, and where it must stay; `None`: it may move.
type Resident = BTreeMap<u32, Option<u64>>;

struct Naive<'a> {
    case: &'a Case,
    /// R of each group.
    needs: Vec<BTreeSet<u32>>,
    /// What a cut before the group pins.
    pins: Vec<BTreeSet<u32>>,
}

/// Parts and bytes of the best plan; `None`: there is none.
pub(crate) fn best(case: &Case) -> Option<(usize, u64)> {
    let naive = Naive::new(case);
    let end = naive.needs.len();
    let resident = (0..).zip(&case.allocations).filter(|(_, allocation)| allocation.residency.is_some());
    let start: Resident = resident.map(|(index, _)| (index, None)).collect();
    let mut states = BTreeMap::from([((0, start), 0)]);
    for part_count in 1..=end {
        let mut next: BTreeMap<(usize, Resident), u64> = BTreeMap::new();
        for ((begin, resident), cost) in &states {
            for cut in begin + 1..=end {
                for (after, paged) in naive.parts(*begin, cut, resident) {
                    let best = next.entry((cut, after)).or_insert(u64::MAX);
                    *best = (*best).min(cost + paged);
                }
            }
        }
        let finished = next.iter().filter(|((cut, _), _)| *cut == end).map(|(_, cost)| *cost).min();
        if let Some(cost) = finished {
            return Some((part_count, cost));
        }
        states = next;
    }
    None
}

impl Naive<'_> {
    fn new(case: &Case) -> Naive<'_> {
        let (tables, programmed) = (case.tables(), case.programmed());
        let needs = tables.iter().map(|table| table.iter().flatten().copied().collect()).collect();
        let pins = (0..tables.len()).map(|group| {
            if group == 0 || case.segment.placement == SegmentPlacement::Paged {
                return BTreeSet::new();
            }
            let left_alone =
                (0..).zip(&tables[group - 1]).filter(|(slot, _)| !programmed[group].contains(slot));
            left_alone.filter_map(|(_, allocation)| *allocation).collect()
        });
        Naive { case, needs, pins: pins.collect() }
    }

    fn size(&self, allocation: u32) -> u64 {
        self.case.allocations[allocation as usize].size
    }

    /// What can be resident behind a part, and the bytes it pages in.
    fn parts(&self, begin: usize, cut: usize, resident: &Resident) -> BTreeSet<(Resident, u64)> {
        let window: BTreeSet<u32> = self.needs[begin..cut].iter().flatten().copied().collect();
        let missing = window.iter().filter(|allocation| !resident.contains_key(allocation));
        let paged = missing.map(|allocation| self.size(*allocation)).sum();
        let others: Vec<u32> =
            resident.keys().copied().filter(|allocation| !window.contains(allocation)).collect();
        let mut all = BTreeSet::new();
        for mask in 0_u32..1 << others.len() {
            let kept = others.iter().enumerate().filter(|(bit, _)| mask & (1 << bit) != 0);
            let there: Vec<u32> =
                window.iter().copied().chain(kept.map(|(_, allocation)| *allocation)).collect();
            let mut places = Vec::new();
            if self.case.segment.placement == SegmentPlacement::Paged {
                let occupied: u64 = self.case.segment.occupied.iter().map(|range| range.size()).sum();
                let bytes: u64 = there.iter().map(|allocation| self.size(*allocation)).sum();
                if bytes + occupied <= self.case.segment.size {
                    places.push(there.iter().map(|allocation| (*allocation, 0)).collect());
                }
            } else {
                let taken = self.case.segment.occupied.clone();
                self.place(&there, resident, &taken, &mut BTreeMap::new(), &mut places);
            }
            for places in places {
                let pins = self.pins.get(cut).cloned().unwrap_or_default();
                let pin = |allocation: &u32, at: u64| pins.contains(allocation).then_some(at);
                all.insert((places.iter().map(|(x, at)| (*x, pin(x, *at))).collect(), paged));
            }
        }
        all
    }

    fn place(
        &self,
        left: &[u32],
        before: &Resident,
        taken: &[ByteRange],
        placed: &mut BTreeMap<u32, u64>,
        to: &mut Vec<BTreeMap<u32, u64>>,
    ) {
        let Some((allocation, rest)) = left.split_first() else {
            to.push(placed.clone());
            return;
        };
        let size = self.size(*allocation);
        let must = before.get(allocation).copied().flatten();
        for at in 0..self.case.segment.size {
            let range = ByteRange::new(at, at + size);
            let is_free =
                range.end <= self.case.segment.size && !taken.iter().any(|taken| taken.overlaps(range));
            let alignment = self.case.allocations[*allocation as usize].alignment;
            if is_free && at % alignment.bytes() == 0 && must.is_none_or(|must| must == at) {
                placed.insert(*allocation, at);
                let taken: Vec<ByteRange> = taken.iter().copied().chain([range]).collect();
                self.place(rest, before, &taken, placed, to);
                placed.remove(allocation);
            }
        }
    }
}
