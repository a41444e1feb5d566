//! Ranges of a process's addresses that are kept for objects created at given ones: nothing else lies there.
//!
//! ```text
//!   ranges   |--------- set aside when the process begins ---------|
//!   held     |-- kept --|== an object, at its address ==|-- kept --|      under one lock: no moment between,
//!   held     |-------- kept -------------------------------- kept -|      in which others could take a part
//! ```

use std::collections::BTreeMap;

use heapstone_units::ByteRange;
use parking_lot::Mutex;

use crate::range_allocator::{Owner, RangeView};
use crate::sharded::{Blocks, ShardedSpace};

/// See the module's documentation.
#[derive(Debug)]
pub(crate) struct SetAside {
    /// In the order of addresses; no two touch.
    ranges: Box<[ByteRange]>,
    owner: Owner,
    /// What no object has at the moment, by its first address.
    held: Mutex<BTreeMap<u64, Blocks>>,
}

impl SetAside {
    /// Takes `ranges`, which lie in the space and of which none is taken; they may overlap.
    ///
    /// # Errors
    /// What is in the way, as [`ShardedSpace::replace`] tells it; nothing is taken then.
    pub(crate) fn new(
        space: &ShardedSpace,
        ranges: &[ByteRange],
        owner: Owner,
    ) -> Result<SetAside, Option<RangeView>> {
        let ranges = union_of(ranges);
        let blocks = space.replace(Vec::new(), &ranges, owner).map_err(|(_, in_the_way)| in_the_way)?;
        let held = blocks.into_iter().map(|blocks| (blocks.begin(), blocks)).collect();
        Ok(SetAside { ranges: ranges.into(), owner, held: Mutex::new(held) })
    }

    /// Takes `range` for an object, out of what is held and of what is free.
    pub(crate) fn take_at(
        &self,
        space: &ShardedSpace,
        range: ByteRange,
    ) -> Result<Blocks, Option<RangeView>> {
        let mut held = self.held.lock();
        let touched: Vec<u64> = held
            .iter()
            .filter(|(_, blocks)| blocks.ranges().any(|held| held.overlaps(range)))
            .map(|(begin, _)| *begin)
            .collect();
        let old: Vec<Blocks> = touched.iter().filter_map(|begin| held.remove(begin)).collect();
        let mut wanted = vec![range];
        for part in old.iter().flat_map(Blocks::ranges) {
            let before = ByteRange::new(part.begin, range.begin.max(part.begin));
            let behind = ByteRange::new(range.end.min(part.end), part.end);
            wanted.extend([before, behind].into_iter().filter(|rest| rest.begin < rest.end));
        }
        match space.replace(old, &wanted, self.owner) {
            Ok(blocks) => {
                let mut blocks = blocks.into_iter();
                let taken = blocks.next().expect("invariant: a range was asked for");
                held.extend(blocks.map(|blocks| (blocks.begin(), blocks)));
                Ok(taken)
            }
            Err((old, in_the_way)) => {
                held.extend(old.into_iter().map(|blocks| (blocks.begin(), blocks)));
                Err(in_the_way)
            }
        }
    }

    /// Gives an object's blocks back: what was set aside is held again. The blocks, where none was.
    pub(crate) fn release(&self, space: &ShardedSpace, blocks: Blocks) -> Option<Blocks> {
        let own: Vec<ByteRange> = blocks.ranges().flat_map(|range| self.overlap_with(range)).collect();
        if own.is_empty() {
            return Some(blocks);
        }
        let mut held = self.held.lock();
        match space.replace(vec![blocks], &own, self.owner) {
            Ok(again) => held.extend(again.into_iter().map(|blocks| (blocks.begin(), blocks))),
            // Never: what is asked for was just free. Should it be, the addresses are lost for others only.
            Err((old, _)) => held.extend(old.into_iter().map(|blocks| (blocks.begin(), blocks))),
        }
        None
    }

    fn overlap_with(&self, range: ByteRange) -> impl Iterator<Item = ByteRange> + '_ {
        let part = move |own: &ByteRange| ByteRange::new(own.begin.max(range.begin), own.end.min(range.end));
        self.ranges.iter().filter(move |own| own.overlaps(range)).map(part)
    }
}

/// The same addresses as ranges that neither overlap nor touch, in order.
fn union_of(ranges: &[ByteRange]) -> Vec<ByteRange> {
    let mut sorted: Vec<ByteRange> = ranges.iter().copied().filter(|range| range.begin < range.end).collect();
    sorted.sort_unstable_by_key(|range| range.begin);
    let mut union: Vec<ByteRange> = Vec::with_capacity(sorted.len());
    for range in sorted {
        match union.last_mut() {
            Some(last) if range.begin <= last.end => last.end = last.end.max(range.end),
            _ => union.push(range),
        }
    }
    union
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_joined() {
        let range = ByteRange::new;
        let given = [range(30, 40), range(0, 10), range(5, 12), range(12, 14), range(31, 33), range(7, 7)];
        assert_eq!(union_of(&given), [range(0, 14), range(30, 40)]);
    }
}
