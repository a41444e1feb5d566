//! Which bytes of a heap its resources cover: how many, how many twice, and where the free ones are.
//!
//! The covered bytes are kept as segments, cut wherever a resource begins or ends, each with the
//! number of resources over it:
//!
//! ```text
//!   resources   |---- A ----|        |-- C --|
//!                     |---- B ----|
//!   segments    [  1  ][ 2  ][ 1  ]  [   1   ]
//!   free        ^ 0                ^^         ^^^^ tail
//! ```
//! Segments lie sorted in leaves of at most [`LEAF_MAX`], so that finding one is two binary searches
//! and inserting one moves little. A tournament tree over what fits into the leaves' gaps finds the first
//! gap that is large enough; there is one for each alignment that somebody asked a place for.

use heapstone_units::Alignment;

use super::max_tree::MaxTree;

/// Segments of a leaf at most: some kilobytes, moved in one go (chosen by measurement).
const LEAF_MAX: usize = 32;

#[derive(Clone, Debug)]
struct Segment {
    start: u64,
    end: u64,
    over: Over,
}

/// The resources over a segment.
#[derive(Clone, Debug)]
enum Over {
    /// One, which begins and ends with it: the usual case. log2 of its alignment.
    One(u8),
    /// Any other.
    Many(Box<Many>),
}

#[derive(Clone, Debug, Default)]
struct Many {
    /// Resources over it; never 0.
    layers: u32,
    /// Resources that end where it ends.
    ending: u32,
    /// log2 of the alignment of each resource that begins where it begins.
    beginning: Vec<u8>,
}

impl Segment {
    /// As the general case; what becomes the usual one again is found by [`Segment::settle`].
    fn many(&mut self) -> &mut Many {
        if let Over::One(log2) = self.over {
            self.over = Over::Many(Box::new(Many { layers: 1, ending: 1, beginning: vec![log2] }));
        }
        match &mut self.over {
            Over::Many(many) => many,
            Over::One(_) => unreachable!("invariant: it was made the general case just now"),
        }
    }

    /// Forgets the general case where only one resource is left over it.
    fn settle(&mut self) {
        if let Over::Many(many) = &self.over
            && many.layers == 1
            && many.ending == 1
            && let [log2] = many.beginning[..]
        {
            self.over = Over::One(log2);
        }
    }

    /// log2 of the strictest alignment of what begins here.
    fn strictest(&self) -> u8 {
        match &self.over {
            Over::One(log2) => *log2,
            Over::Many(many) => many.beginning.iter().copied().max().unwrap_or(0),
        }
    }

    fn begins_or_ends(&self) -> (bool, bool) {
        match &self.over {
            Over::One(_) => (true, true),
            Over::Many(many) => (!many.beginning.is_empty(), many.ending > 0),
        }
    }
}

/// The bytes of one heap that resources cover.
#[derive(Clone, Debug)]
pub(crate) struct Intervals {
    size: u64,
    /// The start of each leaf's first segment.
    keys: Vec<u64>,
    /// None is empty.
    leaves: Vec<Vec<Segment>>,
    covered: u64,
    taken: u64,
    start_alignment: u64,
    /// One for each alignment that a place was asked for.
    gaps: Vec<AlignedGaps>,
}

/// What fits at one alignment.
#[derive(Clone, Debug)]
struct AlignedGaps {
    alignment: Alignment,
    /// Of each leaf the most bytes that fit into a gap before one of its segments; `None` where it was
    /// not measured.
    gaps: Vec<Option<u64>>,
    /// Over `gaps`, the heap's size standing for what was not measured: no gap is larger. `None` until a
    /// place was asked for, and after leaves came or went.
    tree: Option<MaxTree>,
}

impl AlignedGaps {
    /// The gaps before the segments of a leaf and of the next one are other ones now.
    fn changed(&mut self, leaf: usize, size: u64) {
        for leaf in [leaf, leaf + 1] {
            if self.gaps.get_mut(leaf).and_then(Option::take).is_some()
                && let Some(tree) = &mut self.tree
            {
                tree.set(leaf, size);
            }
        }
    }

    /// A leaf came before the present one at that index.
    fn leaf_added(&mut self, leaf: usize) {
        self.gaps.insert(leaf, None);
        if let Some(before) = leaf.checked_sub(1) {
            self.gaps[before] = None;
        }
        self.tree = None;
    }

    /// A leaf went.
    fn leaf_removed(&mut self, leaf: usize) {
        self.gaps.remove(leaf);
        if let Some(next) = self.gaps.get_mut(leaf) {
            *next = None;
        }
        self.tree = None;
    }

    fn tree(&mut self, size: u64) -> &mut MaxTree {
        self.tree.get_or_insert_with(|| {
            let mut tree = MaxTree::new();
            tree.rebuild(self.gaps.iter().map(|gap| gap.unwrap_or(size)));
            tree
        })
    }
}

/// A place among the segments: leaf and index in it.
type Cursor = (usize, usize);

impl Intervals {
    /// A heap of `size` bytes without resources.
    pub(crate) fn new(size: u64) -> Intervals {
        Intervals {
            size,
            keys: Vec::new(),
            leaves: Vec::new(),
            covered: 0,
            taken: 0,
            start_alignment: 0,
            gaps: Vec::new(),
        }
    }

    /// Of the heap, in bytes.
    pub(crate) const fn size(&self) -> u64 {
        self.size
    }

    /// Bytes under at least one resource.
    pub(crate) const fn covered(&self) -> u64 {
        self.covered
    }

    /// The sizes of all resources together.
    pub(crate) const fn taken(&self) -> u64 {
        self.taken
    }

    /// Free bytes before resources that only their alignment keeps free: of each gap the part up to
    /// the first offset at which the resource behind it could have begun.
    pub(crate) const fn start_alignment(&self) -> u64 {
        self.start_alignment
    }

    /// Free bytes behind the last resource; 0 of a heap without resources.
    pub(crate) fn tail(&self) -> u64 {
        self.last_end().map_or(0, |end| self.size.saturating_sub(end))
    }

    /// The free bytes that are neither tail nor alignment: gaps, or a whole heap that is empty.
    pub(crate) fn holes(&self) -> u64 {
        self.size
            .saturating_sub(self.covered)
            .saturating_sub(self.start_alignment)
            .saturating_sub(self.tail())
    }

    fn last_end(&self) -> Option<u64> {
        self.leaves.last().and_then(|leaf| leaf.last()).map(|segment| segment.end)
    }

    /// A resource comes to lie at `[start, end)`, which is not empty and within the heap.
    pub(crate) fn insert(&mut self, start: u64, end: u64, alignment: Alignment) {
        debug_assert!(start < end && end <= self.size, "a resource lies within its heap");
        self.taken = self.taken.wrapping_add(end - start);
        let log2 = log2_of(alignment);
        let at = self.find(start);
        // The usual case: between two segments.
        let free_before = self.end_before(at) <= start;
        let next = self.get(at).map(|segment| segment.start);
        if free_before && next.is_none_or(|next| end <= next) {
            self.insert_free(at, start, end, log2);
        } else {
            self.insert_over(start, end, log2);
        }
    }

    /// The resource at `[start, end)` of that alignment goes.
    pub(crate) fn remove(&mut self, start: u64, end: u64, alignment: Alignment) {
        self.taken = self.taken.wrapping_sub(end - start);
        let log2 = log2_of(alignment);
        let at = self.find(start);
        let usual =
            self.get(at).is_some_and(|s| s.start == start && s.end == end && matches!(s.over, Over::One(_)));
        if usual {
            let before = self.gap_alignment(at) + self.gap_alignment(self.next(at));
            self.erase(at);
            self.covered -= end - start;
            self.start_alignment = self.start_alignment + self.gap_alignment(self.normal(at)) - before;
        } else {
            self.remove_over(start, end, log2);
        }
    }

    fn insert_free(&mut self, at: Cursor, start: u64, end: u64, log2: u8) {
        let before = self.gap_alignment(at);
        let at = self.add(at, Segment { start, end, over: Over::One(log2) });
        self.covered += end - start;
        let after = self.gap_alignment(at) + self.gap_alignment(self.next(at));
        self.start_alignment = self.start_alignment + after - before;
    }

    /// Onto bytes of which some are covered already.
    fn insert_over(&mut self, start: u64, end: u64, log2: u8) {
        // Cut first: the gaps that are looked at must be the same before and after.
        self.cut(start);
        self.cut(end);
        let before = self.alignment_between(start, end);
        let mut position = start;
        let mut at = self.find(start);
        while position < end {
            let next = self.get(at).map_or(end, |segment| segment.start.min(end));
            if position < next {
                let over = Over::Many(Box::new(Many { layers: 1, ..Many::default() }));
                at = self.add(at, Segment { start: position, end: next, over });
                self.covered += next - position;
                position = next;
            } else {
                let segment = self.get_mut(at);
                segment.many().layers += 1;
                position = segment.end;
            }
            at = self.next(at);
        }
        let first = self.find(start);
        self.get_mut(first).many().beginning.push(log2);
        let last = self.find_end(end);
        self.get_mut(last).many().ending += 1;
        self.start_alignment = self.start_alignment + self.alignment_between(start, end) - before;
    }

    fn remove_over(&mut self, start: u64, end: u64, log2: u8) {
        let before = self.alignment_between(start, end);
        let mut at = self.find(start);
        if let Some(segment) = self.try_get_mut(at) {
            let beginning = &mut segment.many().beginning;
            if let Some(index) = beginning.iter().position(|other| *other == log2) {
                beginning.swap_remove(index);
            }
        }
        let last = self.find_end(end);
        self.get_mut(last).many().ending -= 1;
        while let Some(segment) = self.try_get_mut(at)
            && segment.start < end
        {
            let many = segment.many();
            many.layers -= 1;
            if many.layers == 0 {
                let bytes = segment.end - segment.start;
                self.erase(at);
                self.covered -= bytes;
                at = self.normal(at);
            } else {
                segment.settle();
                at = self.next(at);
            }
        }
        self.start_alignment = self.start_alignment + self.alignment_between(start, end) - before;
        self.join(start);
        self.join(end);
    }

    /// The alignment gaps from the one that ends at or behind `start` to the one behind `end`.
    fn alignment_between(&self, start: u64, end: u64) -> u64 {
        let mut at = self.find(start);
        let mut sum = 0;
        while let Some(segment) = self.get(at) {
            sum += self.gap_alignment(at);
            if segment.start >= end {
                break;
            }
            at = self.next(at);
        }
        sum
    }

    /// Of the gap before a segment, the bytes that the alignment of what begins there keeps free.
    fn gap_alignment(&self, at: Cursor) -> u64 {
        let Some(segment) = self.get(at) else { return 0 };
        let end = self.end_before(at);
        if end == segment.start {
            return 0;
        }
        let mask = (1_u64 << segment.strictest()) - 1;
        // Rounded up it is at most the segment's start, which is aligned; where a trace's offset is not,
        // the gap is the bound.
        let aligned = end.saturating_add(mask) & !mask;
        aligned.min(segment.start).saturating_sub(end)
    }

    /// Splits the segment that holds `at` inside, if one does.
    fn cut(&mut self, at: u64) {
        let behind = self.find(at);
        let Some(cursor) = self.previous(behind) else { return };
        let segment = self.get_mut(cursor);
        if segment.end <= at {
            return;
        }
        let end = core::mem::replace(&mut segment.end, at);
        let many = segment.many();
        let rest = Many { layers: many.layers, ending: many.ending, beginning: Vec::new() };
        many.ending = 0;
        let right = Segment { start: at, end, over: Over::Many(Box::new(rest)) };
        let next = self.next(cursor);
        self.add(next, right);
    }

    /// Joins the two segments that meet at `at` where no resource begins or ends there.
    fn join(&mut self, at: u64) {
        let right = self.find(at);
        let Some(left) = self.previous(right) else { return };
        let Some(segment) = self.get(right) else { return };
        let (start, end) = (segment.start, segment.end);
        let Some(other) = self.get(left) else { return };
        if start != at || other.end != at || segment.begins_or_ends().0 || other.begins_or_ends().1 {
            return;
        }
        let ending = self.get_mut(right).many().ending;
        let joined = self.get_mut(left);
        joined.end = end;
        joined.many().ending = ending;
        joined.settle();
        self.erase(right);
    }

    /// Looks where a resource at `start` has its segment, only to bring it into the cache.
    pub(crate) fn look(&self, start: u64) -> u64 {
        let leaf = self.keys.partition_point(|key| *key <= start).saturating_sub(1);
        let segments = self.leaves.get(leaf).map_or(&[][..], |leaf| leaf);
        segments.get(segments.len() / 2).map_or(0, |segment| segment.start)
    }

    /// The first segment that begins at or behind `start`.
    fn find(&self, start: u64) -> Cursor {
        let leaf = self.keys.partition_point(|key| *key <= start).saturating_sub(1);
        match self.leaves.get(leaf) {
            None => (0, 0),
            Some(segments) => self.normal((leaf, segments.partition_point(|segment| segment.start < start))),
        }
    }

    /// The segment that ends at `end`, which is there.
    fn find_end(&self, end: u64) -> Cursor {
        let behind = self.find(end);
        self.previous(behind).expect("invariant: a resource's end is the end of a segment")
    }

    /// A cursor behind a leaf's last segment, as the next leaf's first.
    fn normal(&self, (leaf, index): Cursor) -> Cursor {
        match self.leaves.get(leaf) {
            Some(segments) if index >= segments.len() => (leaf + 1, 0),
            _ => (leaf, index),
        }
    }

    fn next(&self, (leaf, index): Cursor) -> Cursor {
        self.normal((leaf, index + 1))
    }

    fn previous(&self, (leaf, index): Cursor) -> Option<Cursor> {
        if index > 0 {
            Some((leaf, index - 1))
        } else {
            let leaf = leaf.checked_sub(1)?;
            Some((leaf, self.leaves.get(leaf)?.len() - 1))
        }
    }

    fn get(&self, (leaf, index): Cursor) -> Option<&Segment> {
        self.leaves.get(leaf)?.get(index)
    }

    fn try_get_mut(&mut self, (leaf, index): Cursor) -> Option<&mut Segment> {
        self.leaves.get_mut(leaf)?.get_mut(index)
    }

    fn get_mut(&mut self, at: Cursor) -> &mut Segment {
        self.try_get_mut(at).expect("invariant: the cursor is at a segment")
    }

    /// Where the bytes before a cursor end: at the segment before it, or at the heap's start.
    fn end_before(&self, at: Cursor) -> u64 {
        self.previous(at).and_then(|previous| self.get(previous)).map_or(0, |segment| segment.end)
    }

    /// Puts a segment before the cursor; where it is then.
    fn add(&mut self, (leaf, index): Cursor, segment: Segment) -> Cursor {
        // Behind the last leaf means at its end.
        let (mut leaf, mut index) = match self.leaves.get(leaf) {
            Some(_) => (leaf, index),
            None if leaf == 0 => {
                self.keys.push(segment.start);
                self.leaves.push(Vec::with_capacity(8));
                self.gaps.iter_mut().for_each(|gaps| gaps.leaf_added(0));
                (0, 0)
            }
            None => (leaf - 1, self.leaves[leaf - 1].len()),
        };
        if self.leaves[leaf].len() == LEAF_MAX {
            let right = self.leaves[leaf].split_off(LEAF_MAX / 2);
            self.keys.insert(leaf + 1, right[0].start);
            self.leaves.insert(leaf + 1, right);
            self.gaps.iter_mut().for_each(|gaps| gaps.leaf_added(leaf + 1));
            if index > LEAF_MAX / 2 {
                (leaf, index) = (leaf + 1, index - LEAF_MAX / 2);
            }
        }
        self.leaves[leaf].insert(index, segment);
        self.keys[leaf] = self.leaves[leaf][0].start;
        self.gaps_changed(leaf);
        (leaf, index)
    }

    /// Takes a segment out; the cursor is then at the one behind it, but for [`Intervals::normal`].
    fn erase(&mut self, (leaf, index): Cursor) {
        self.leaves[leaf].remove(index);
        if self.leaves[leaf].is_empty() {
            self.leaves.remove(leaf);
            self.keys.remove(leaf);
            self.gaps.iter_mut().for_each(|gaps| gaps.leaf_removed(leaf));
        } else {
            self.keys[leaf] = self.leaves[leaf][0].start;
            self.gaps_changed(leaf);
        }
    }

    /// The gaps of a leaf are other ones now, and the gap before the next leaf.
    fn gaps_changed(&mut self, leaf: usize) {
        for gaps in &mut self.gaps {
            gaps.changed(leaf, self.size);
        }
    }

    /// The lowest offset at which `size` bytes of that alignment are free.
    pub(crate) fn first_fit(&mut self, size: u64, alignment: Alignment) -> Option<u64> {
        let class = self.class(alignment);
        let Some(leaf) = self.leaf_with_room(class, size) else {
            return fits(self.last_end().unwrap_or(0), self.size, size, alignment);
        };
        let mut end = self.end_before((leaf, 0));
        for segment in &self.leaves[leaf] {
            if let Some(offset) = fits(end, segment.start, size, alignment) {
                return Some(offset);
            }
            end = segment.end;
        }
        unreachable!("invariant: the leaf was measured, and has room")
    }

    /// The most bytes that fit at that alignment.
    pub(crate) fn largest_fit(&mut self, alignment: Alignment) -> u64 {
        let class = self.class(alignment);
        let tail = room(self.last_end().unwrap_or(0), self.size, alignment);
        loop {
            // Falls with each leaf that is measured.
            let bound = self.gaps[class].tree(self.size).max();
            if bound == 0 || self.leaf_with_room(class, bound).is_some() {
                return bound.max(tail);
            }
        }
    }

    /// The index of what is known of the gaps at an alignment.
    fn class(&mut self, alignment: Alignment) -> usize {
        if let Some(class) = self.gaps.iter().position(|gaps| gaps.alignment == alignment) {
            return class;
        }
        self.gaps.push(AlignedGaps { alignment, gaps: vec![None; self.leaves.len()], tree: None });
        self.gaps.len() - 1
    }

    /// The first leaf with a gap into which `size` bytes fit, at least one; measures gaps on the way.
    fn leaf_with_room(&mut self, class: usize, size: u64) -> Option<usize> {
        loop {
            let gaps = &mut self.gaps[class];
            let leaf = gaps.tree(self.size).first_at_least(0, size.max(1))?;
            if gaps.gaps[leaf].is_some() {
                return Some(leaf);
            }
            let alignment = gaps.alignment;
            let mut end = self.end_before((leaf, 0));
            let mut largest = 0;
            for segment in &self.leaves[leaf] {
                largest = largest.max(room(end, segment.start, alignment));
                end = segment.end;
            }
            let gaps = &mut self.gaps[class];
            gaps.gaps[leaf] = Some(largest);
            gaps.tree(self.size).set(leaf, largest);
        }
    }
}

/// The bytes of the free range `[begin, end)` behind its first aligned offset.
fn room(begin: u64, end: u64, alignment: Alignment) -> u64 {
    alignment.align_up(begin).map_or(0, |offset| end.saturating_sub(offset))
}

/// The aligned offset of `size` bytes within the free range `[begin, end)`.
fn fits(begin: u64, end: u64, size: u64, alignment: Alignment) -> Option<u64> {
    let offset = alignment.align_up(begin)?;
    (offset.checked_add(size)? <= end).then_some(offset)
}

/// An exponent is at most 63.
fn log2_of(alignment: Alignment) -> u8 {
    u8::try_from(alignment.log2()).unwrap_or(63)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: u64 = 4096;

    /// The same by counting bytes.
    struct Naive {
        resources: Vec<(u64, u64, Alignment)>,
    }

    impl Naive {
        fn check(&self, intervals: &mut Intervals) {
            let mut over = vec![0_u32; usize::try_from(SIZE).unwrap()];
            for (start, end, _) in &self.resources {
                for byte in &mut over[usize::try_from(*start).unwrap()..usize::try_from(*end).unwrap()] {
                    *byte += 1;
                }
            }
            let at = |byte: u64| over[usize::try_from(byte).unwrap()];
            let covered = (0..SIZE).filter(|byte| at(*byte) > 0).count() as u64;
            let taken: u64 = self.resources.iter().map(|(start, end, _)| end - start).sum();
            let last = (0..SIZE).rev().find(|byte| at(*byte) > 0).map(|byte| byte + 1);
            let mut alignment = 0;
            let mut largest = 0;
            let mut free_from = 0;
            for byte in 0..=SIZE {
                if byte == SIZE || at(byte) > 0 {
                    largest = largest.max(byte - free_from);
                    if byte < SIZE && byte > free_from {
                        let strictest =
                            self.resources.iter().filter(|r| r.0 == byte).map(|r| r.2).max().unwrap();
                        alignment += strictest.align_up(free_from).unwrap().min(byte) - free_from;
                    }
                    free_from = byte + 1;
                }
            }
            let tail = last.map_or(0, |last| SIZE - last);
            assert_eq!((intervals.covered(), intervals.taken()), (covered, taken));
            assert_eq!((intervals.start_alignment(), intervals.tail()), (alignment, tail));
            assert_eq!(intervals.holes(), SIZE - covered - tail - alignment);
            assert_eq!(intervals.largest_fit(Alignment::ONE), largest);
            let alignment = Alignment::constant(16);
            let fit = intervals.largest_fit(alignment);
            assert!(fit == 0 || self.first_fit(fit, alignment).is_some(), "{fit}");
            assert!(fit == SIZE || self.first_fit(fit + 1, alignment).is_none(), "{fit}");
        }

        fn first_fit(&self, size: u64, alignment: Alignment) -> Option<u64> {
            (0..=SIZE - size).filter(|offset| alignment.is_aligned(*offset)).find(|offset| {
                self.resources.iter().all(|(start, end, _)| offset + size <= *start || *end <= *offset)
            })
        }
    }

    fn random(state: &mut u64, below: u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state % below
    }

    #[test]
    fn agrees_with_counting_bytes() {
        for (seed, overlap, steps) in [(1, false, 600), (2, true, 300), (3, true, 300), (4, false, 600)] {
            let mut state: u64 = seed;
            let mut intervals = Intervals::new(SIZE);
            let mut naive = Naive { resources: Vec::new() };
            for step in 0..steps {
                let alignment = Alignment::new(1 << random(&mut state, 7)).unwrap();
                let size = 1 + random(&mut state, if step % 3 == 0 { 300 } else { 20 });
                let fit = intervals.first_fit(size, alignment);
                assert_eq!(fit, naive.first_fit(size, alignment), "seed {seed}, step {step}");
                let place = if overlap {
                    Some(alignment.align_down(random(&mut state, SIZE - size)))
                } else if step % 2 == 0 {
                    fit
                } else {
                    None
                };
                if let Some(start) = place {
                    intervals.insert(start, start + size, alignment);
                    naive.resources.push((start, start + size, alignment));
                }
                if !naive.resources.is_empty() && random(&mut state, 5) < 2 {
                    let index = usize::try_from(random(&mut state, naive.resources.len() as u64)).unwrap();
                    let (start, end, alignment) = naive.resources.swap_remove(index);
                    intervals.remove(start, end, alignment);
                }
                naive.check(&mut intervals);
            }
            for (start, end, alignment) in naive.resources.drain(..) {
                intervals.remove(start, end, alignment);
            }
            naive.check(&mut intervals);
            assert!(intervals.leaves.is_empty(), "no segment outlives its resources");
        }
    }

    #[test]
    fn gaps_by_hand() {
        // [0, 100) free up to 256 for alignment, then a hole of 256 bytes, then [512, 612), then the tail.
        let alignment = Alignment::constant(256);
        let mut intervals = Intervals::new(1024);
        assert_eq!((intervals.holes(), intervals.tail()), (1024, 0), "an empty heap is one hole");
        intervals.insert(0, 100, alignment);
        intervals.insert(512, 612, alignment);
        assert_eq!(intervals.start_alignment(), 156);
        assert_eq!(intervals.holes(), 256);
        assert_eq!(intervals.tail(), 412);
        assert_eq!(intervals.first_fit(256, alignment), Some(256));
        assert_eq!(intervals.first_fit(257, alignment), None, "the tail from 768 on has 256 bytes");
        assert_eq!(intervals.first_fit(412, Alignment::ONE), Some(100));
        assert_eq!(intervals.first_fit(413, Alignment::ONE), None);
        intervals.insert(50, 550, Alignment::ONE);
        assert_eq!((intervals.covered(), intervals.taken()), (612, 700));
        assert_eq!((intervals.start_alignment(), intervals.holes()), (0, 0));
    }
}
