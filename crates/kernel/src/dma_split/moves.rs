//! The order of moves within a segment, so that none overwrites what is still to move.

use heapstone_units::ByteRange;

use super::plan::{PlannedPaging, PlannedPagingKind};

/// Moves of allocations from a range to another, in an order in which each destination is free but for the allocation
/// itself. Where they go in a circle, one waits in the backing store. The ranges they leave are apart from each other,
/// and so are those they go to.
pub(super) fn order_moves(moves: &[(u32, ByteRange, ByteRange)]) -> Vec<PlannedPaging> {
    if moves.is_empty() {
        return Vec::new();
    }
    let mut sources: Vec<(u64, usize)> =
        moves.iter().enumerate().map(|(index, (_, from, _))| (from.begin, index)).collect();
    sources.sort_unstable();
    // By move: those that wait for it to leave, and how many it waits for.
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); moves.len()];
    let mut blockers = vec![0_usize; moves.len()];
    for (index, (_, _, to)) in moves.iter().enumerate() {
        // The last that begins before the destination may reach into it.
        let first = sources.partition_point(|(begin, _)| *begin < to.begin).saturating_sub(1);
        for (_, source) in sources[first..].iter().take_while(|(begin, _)| *begin < to.end) {
            if *source != index && moves[*source].1.overlaps(*to) {
                waiting[*source].push(index);
                blockers[index] += 1;
            }
        }
    }
    let mut steps = Vec::with_capacity(moves.len());
    let mut ready: Vec<usize> = (0..moves.len()).rev().filter(|index| blockers[*index] == 0).collect();
    let mut is_gone = vec![false; moves.len()];
    let mut stored = Vec::new();
    let mut next_stuck = 0;
    loop {
        let index = match ready.pop() {
            Some(index) if is_gone[index] => continue,
            Some(index) => {
                let (allocation, from, to) = moves[index];
                let kind = PlannedPagingKind::Move { from: Box::new([from]), to: Box::new([to]) };
                steps.push(PlannedPaging { allocation, kind });
                index
            }
            None => {
                // Only circles are left: one goes out of the way.
                while next_stuck < moves.len() && is_gone[next_stuck] {
                    next_stuck += 1;
                }
                let Some((allocation, from, _)) = moves.get(next_stuck) else { break };
                let kind = PlannedPagingKind::WriteBack { from: Box::new([*from]) };
                steps.push(PlannedPaging { allocation: *allocation, kind });
                stored.push(next_stuck);
                next_stuck
            }
        };
        is_gone[index] = true;
        for waiter in &waiting[index] {
            blockers[*waiter] -= 1;
            if blockers[*waiter] == 0 {
                ready.push(*waiter);
            }
        }
    }
    steps.extend(stored.into_iter().map(|index| {
        let (allocation, _, to) = moves[index];
        PlannedPaging { allocation, kind: PlannedPagingKind::PageIn { to: Box::new([to]) } }
    }));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(moves: &[(u32, u64, u64, u64)]) -> Vec<(u32, &'static str)> {
        let range = |begin: u64, size: u64| ByteRange::new(begin, begin + size);
        let moves: Vec<_> =
            moves.iter().map(|(x, size, from, to)| (*x, range(*from, *size), range(*to, *size))).collect();
        let name = |kind: &PlannedPagingKind| match kind {
            PlannedPagingKind::WriteBack { .. } => "out",
            PlannedPagingKind::PageIn { .. } => "in",
            PlannedPagingKind::Move { .. } => "move",
            PlannedPagingKind::Discard { .. } => "drop",
        };
        order_moves(&moves).iter().map(|step| (step.allocation, name(&step.kind))).collect()
    }

    #[test]
    fn what_is_in_the_way_goes_first() {
        assert_eq!(
            moves(&[(0, 2, 0, 2), (1, 2, 2, 4), (2, 2, 4, 6)]),
            [(2, "move"), (1, "move"), (0, "move")]
        );
        assert_eq!(moves(&[(0, 4, 0, 2)]), [(0, "move")], "nothing waits for itself");
    }

    #[test]
    fn of_a_circle_one_goes_by_way_of_the_backing_store() {
        assert_eq!(moves(&[(7, 2, 0, 4), (9, 2, 4, 0)]), [(7, "out"), (9, "move"), (7, "in")]);
        assert_eq!(
            moves(&[(0, 1, 0, 1), (1, 1, 1, 2), (2, 1, 2, 0), (3, 1, 8, 9)]),
            [(3, "move"), (0, "out"), (2, "move"), (1, "move"), (0, "in")]
        );
    }
}
