//! Allocation of ranges of a space of 64-bit offsets, whose bytes it never touches.
//!
//! ```text
//!   address order     [ used 3 ][ free     ][ used 1 ][ used 2 ][ free            ]
//!   (doubly linked)       |         |                               |
//!   class lists           |     class 70 -> ...                 class 143 -> ...
//!   (doubly linked)   owner                                      (ClassSet: which lists have a member)
//! ```
//! Two-level segregated fit (Masmano et al., 2004): a list of free ranges per size class, found by two
//! bitmaps. Nodes lie in a slab whose vacant slots are reused, so that memory grows with the ranges
//! that exist at once and not with calls. Two free ranges are never neighbours: freeing merges at once.
//!
//! What the constant-time search guarantees: it finds a range whenever some free range has at least
//! the size, plus the alignment less one, rounded up to its class (at most 1/16 more). Short of that,
//! it looks at one range of the size's own class only. [`RangeAllocator::allocate`] therefore falls
//! back to every range that could fit, and so **fails only when no free range holds the request**.

use core::num::NonZeroU64;

use heapstone_units::{Alignment, ByteRange};

use crate::size_classes::{CLASS_COUNT, Class, ClassSet};

/// No node.
const NIL: u32 = u32::MAX;

/// Nodes a slab may have; two are kept back because one allocation makes up to two.
const NODE_COUNT_MAX: usize = u32::MAX as usize - 2;

/// Who has a range: a number that the caller chooses, given back by [`RangeAllocator::ranges`].
pub type Owner = NonZeroU64;

/// An allocated range. It can be freed once, in the allocator that made it.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a block that is dropped stays allocated"]
pub struct Block {
    offset: u64,
    size: u64,
    node: u32,
}

impl Block {
    /// The first byte.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The bytes it holds.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Its bytes.
    #[must_use]
    pub const fn range(&self) -> ByteRange {
        ByteRange::new(self.offset, self.offset + self.size)
    }
}

/// A range of the space, as [`RangeAllocator::ranges`] shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeView {
    /// The first byte.
    pub offset: u64,
    /// Its bytes.
    pub size: u64,
    /// Who has it; `None` where it is free.
    pub owner: Option<Owner>,
}

/// A range in the slab. `before` and `after` are the neighbours in address order; `previous` and
/// `next` those in a class list, of which a vacant slot uses `next`.
#[derive(Clone, Copy, Debug)]
struct Node {
    offset: u64,
    size: u64,
    owner: Option<Owner>,
    before: u32,
    after: u32,
    previous: u32,
    next: u32,
}

impl Node {
    const fn end(&self) -> u64 {
        self.offset + self.size
    }

    /// The lowest aligned offset at which `size` bytes lie in it.
    #[inline]
    fn fit(&self, size: u64, alignment: Alignment) -> Option<u64> {
        let start = alignment.align_up(self.offset)?;
        let end = start.checked_add(size)?;
        (end <= self.end()).then_some(start)
    }
}

/// An allocator of ranges. See the module's documentation.
#[derive(Debug)]
pub struct RangeAllocator {
    classes: ClassSet,
    heads: Box<[u32; CLASS_COUNT]>,
    nodes: Vec<Node>,
    vacant: u32,
    first: u32,
    last: u32,
    space: ByteRange,
    used: u64,
    free_range_count: usize,
}

impl RangeAllocator {
    /// An allocator of `space`, all of it free. An empty space serves nobody.
    #[must_use]
    pub fn new(space: ByteRange) -> RangeAllocator {
        let mut allocator = RangeAllocator {
            classes: ClassSet::EMPTY,
            heads: Box::new([NIL; CLASS_COUNT]),
            nodes: Vec::new(),
            vacant: NIL,
            first: NIL,
            last: NIL,
            space,
            used: 0,
            free_range_count: 0,
        };
        if !space.is_empty() {
            let whole = allocator.new_node(space.begin, space.size(), None);
            allocator.first = whole;
            allocator.last = whole;
            allocator.list(whole);
        }
        allocator
    }

    /// Takes `size` bytes at a multiple of `alignment` for `owner`. `None` where no free range holds
    /// them (the search is exhaustive where the constant-time one finds nothing) or `size` is 0.
    pub fn allocate(&mut self, size: u64, alignment: Alignment, owner: Owner) -> Option<Block> {
        self.allocate_quickly(size, alignment, owner)
            .or_else(|| self.allocate_exhaustively(size, alignment, owner))
    }

    /// As [`allocate`](Self::allocate) in constant time: `None` may also mean that the ranges that
    /// would fit were not looked at (the module's documentation says which).
    #[inline]
    pub fn allocate_quickly(&mut self, size: u64, alignment: Alignment, owner: Owner) -> Option<Block> {
        if size == 0 || self.is_at_capacity() {
            return None;
        }
        let (node, start) = self.search_quickly(size, alignment)?;
        Some(self.carve(node, start, size, owner))
    }

    /// Gives `block` back and merges it with its free neighbours.
    ///
    /// # Panics
    /// When `block` is of another allocator: a bug of the caller.
    #[inline]
    pub fn free(&mut self, block: Block) {
        let node = self.nodes[block.node as usize];
        assert!(
            node.owner.is_some() && node.offset == block.offset && node.size == block.size,
            "bug: {block:?} is freed in an allocator that did not make it"
        );
        self.release(block.node);
    }

    /// Frees every range of `owner`; returns their bytes. Blocks of theirs must not be freed afterwards.
    pub fn free_all_of(&mut self, owner: Owner) -> u64 {
        let used_before = self.used;
        let mut at = self.first;
        while at != NIL {
            let node = self.nodes[at as usize];
            if node.owner == Some(owner) {
                // Merging may remove `at`; whichever node survives covers its start, and the walk goes
                // on behind it.
                at = self.release(at);
            }
            at = self.nodes[at as usize].after;
        }
        used_before - self.used
    }

    /// The space.
    #[must_use]
    pub const fn space(&self) -> ByteRange {
        self.space
    }

    /// Bytes that are allocated.
    #[must_use]
    #[inline]
    pub const fn used(&self) -> u64 {
        self.used
    }

    /// Bytes that are free.
    #[must_use]
    pub const fn free_bytes(&self) -> u64 {
        self.space.size() - self.used
    }

    /// Free ranges, each as large as it can be.
    #[must_use]
    pub const fn free_range_count(&self) -> usize {
        self.free_range_count
    }

    /// Slots of the slab: it never exceeds the greatest number of ranges that existed at once.
    #[must_use]
    pub fn slot_count(&self) -> usize {
        self.nodes.len()
    }

    /// The bytes of the largest free range.
    #[must_use]
    pub fn largest_free(&self) -> u64 {
        let Some(class) = self.classes.last() else { return 0 };
        self.listed(class).map(|(_, node)| node.size).max().unwrap_or(0)
    }

    /// Every range in address order, free and used.
    pub fn ranges(&self) -> impl Iterator<Item = RangeView> + '_ {
        let mut at = self.first;
        core::iter::from_fn(move || {
            let node = self.nodes.get(at as usize)?;
            at = node.after;
            Some(RangeView { offset: node.offset, size: node.size, owner: node.owner })
        })
    }

    /// A bit for each level of size classes that has a free range.
    #[inline]
    pub(crate) const fn free_levels(&self) -> u64 {
        self.classes.levels()
    }

    /// The free range that the space begins with.
    pub(crate) fn free_prefix(&self) -> Option<ByteRange> {
        self.free_range_at(self.first)
    }

    /// The free range that the space ends with.
    pub(crate) fn free_suffix(&self) -> Option<ByteRange> {
        self.free_range_at(self.last)
    }

    /// Takes exactly `range` for `owner`, where the first or the last range of the space is free and
    /// holds it.
    pub(crate) fn allocate_at_edge(&mut self, range: ByteRange, owner: Owner) -> Option<Block> {
        let edge = [self.first, self.last]
            .into_iter()
            .find(|edge| self.free_range_at(*edge).is_some_and(|free| free.contains(range)))?;
        (!range.is_empty() && !self.is_at_capacity())
            .then(|| self.carve(edge, range.begin, range.size(), owner))
    }

    /// Takes exactly `range` for `owner` from whichever free range holds it. Linear in the ranges.
    pub(crate) fn allocate_at(&mut self, range: ByteRange, owner: Owner) -> Option<Block> {
        if range.is_empty() || self.is_at_capacity() {
            return None;
        }
        let class = Class::of(range.size());
        let mut candidate = self.classes.at_least(class);
        while let Some(class) = candidate {
            let holder = self
                .listed(class)
                .find(|(_, node)| ByteRange::new(node.offset, node.end()).contains(range))
                .map(|(index, _)| index);
            if let Some(holder) = holder {
                return Some(self.carve(holder, range.begin, range.size(), owner));
            }
            candidate = self.classes.above(class);
        }
        None
    }

    /// Whether the next allocation could leave the slab's 32-bit indices.
    #[inline]
    fn is_at_capacity(&self) -> bool {
        self.nodes.len() >= NODE_COUNT_MAX
    }

    fn free_range_at(&self, index: u32) -> Option<ByteRange> {
        let node = self.nodes.get(index as usize)?;
        node.owner.is_none().then(|| ByteRange::new(node.offset, node.end()))
    }

    #[inline]
    fn search_quickly(&self, size: u64, alignment: Alignment) -> Option<(u32, u64)> {
        // The size's own class: a range that was freed just now is often an exact fit.
        let own = Class::of(size);
        if let Some(found) = self.fit_of_head(own, size, alignment) {
            return Some(found);
        }
        let holding = self.classes.at_least(Class::holding(size)?)?;
        if let Some(found) = self.fit_of_head(holding, size, alignment) {
            return Some(found);
        }
        // Only the alignment was missed: a range with room for the padding always fits.
        let padded = size.checked_add(alignment.bytes() - 1)?;
        let holding = self.classes.at_least(Class::holding(padded)?)?;
        self.fit_of_head(holding, size, alignment)
    }

    #[cold]
    fn allocate_exhaustively(&mut self, size: u64, alignment: Alignment, owner: Owner) -> Option<Block> {
        if size == 0 || size > self.free_bytes() || self.is_at_capacity() {
            return None;
        }
        let mut candidate = self.classes.at_least(Class::of(size));
        while let Some(class) = candidate {
            let best = self
                .listed(class)
                .filter_map(|(index, node)| Some((node.size, node.fit(size, alignment)?, index)))
                .min();
            if let Some((_, start, index)) = best {
                return Some(self.carve(index, start, size, owner));
            }
            candidate = self.classes.above(class);
        }
        None
    }

    #[inline]
    fn fit_of_head(&self, class: Class, size: u64, alignment: Alignment) -> Option<(u32, u64)> {
        let head = self.heads[class.index()];
        let start = self.nodes.get(head as usize)?.fit(size, alignment)?;
        Some((head, start))
    }

    fn listed(&self, class: Class) -> impl Iterator<Item = (u32, &Node)> {
        let mut at = self.heads[class.index()];
        core::iter::from_fn(move || {
            let index = at;
            let node = self.nodes.get(index as usize)?;
            at = node.next;
            Some((index, node))
        })
    }

    /// Cuts `size` bytes at `start` out of the free range `free`, which holds them. What stays free
    /// keeps its node, and its place in the class list when its class does not change: in a large
    /// free range that is nearly always so.
    #[inline]
    fn carve(&mut self, free: u32, start: u64, size: u64, owner: Owner) -> Block {
        let whole = self.nodes[free as usize];
        let padding = start - whole.offset;
        let rest = whole.end() - (start + size);
        let node = match (padding, rest) {
            (0, 0) => {
                self.unlist(free, Class::of(whole.size));
                self.nodes[free as usize].owner = Some(owner);
                free
            }
            (0, _) => {
                let node = self.new_node(start, size, Some(owner));
                self.link_before(node, free);
                self.resize(free, start + size, rest);
                node
            }
            (_, _) => {
                let node = self.new_node(start, size, Some(owner));
                self.link_after(node, free);
                self.resize(free, whole.offset, padding);
                if rest > 0 {
                    let tail = self.new_node(start + size, rest, None);
                    self.link_after(tail, node);
                    self.list(tail);
                }
                node
            }
        };
        self.used += size;
        Block { offset: start, size, node }
    }

    /// Frees the used range `index`; returns the node that covers it afterwards.
    #[inline]
    fn release(&mut self, index: u32) -> u32 {
        let node = self.nodes[index as usize];
        self.used -= node.size;
        let before = self.free_neighbour(node.before);
        let after = self.free_neighbour(node.after);
        match (before, after) {
            (None, None) => {
                self.nodes[index as usize].owner = None;
                self.list(index);
                index
            }
            (None, Some(after)) => {
                let size = node.size + self.nodes[after as usize].size;
                self.unlink(index);
                self.resize(after, node.offset, size);
                after
            }
            (Some(before), None) => {
                let Node { offset, size, .. } = self.nodes[before as usize];
                self.unlink(index);
                self.resize(before, offset, size + node.size);
                before
            }
            (Some(before), Some(after)) => {
                let (low, high) = (self.nodes[before as usize], self.nodes[after as usize]);
                // The larger one stays, because its class is the likelier to stay.
                let (kept, merged, merged_size) =
                    if low.size > high.size { (before, after, high.size) } else { (after, before, low.size) };
                self.unlist(merged, Class::of(merged_size));
                self.unlink(merged);
                self.unlink(index);
                self.resize(kept, low.offset, low.size + node.size + high.size);
                kept
            }
        }
    }

    #[inline]
    fn free_neighbour(&self, index: u32) -> Option<u32> {
        self.nodes.get(index as usize)?.owner.is_none().then_some(index)
    }

    /// Gives the free range `index` another extent and lists it where that belongs.
    #[inline]
    fn resize(&mut self, index: u32, offset: u64, size: u64) {
        let node = &mut self.nodes[index as usize];
        let class_before = Class::of(node.size);
        node.offset = offset;
        node.size = size;
        if Class::of(size) != class_before {
            self.unlist(index, class_before);
            self.list(index);
        }
    }

    fn list(&mut self, index: u32) {
        let class = Class::of(self.nodes[index as usize].size);
        let head = self.heads[class.index()];
        let node = &mut self.nodes[index as usize];
        node.previous = NIL;
        node.next = head;
        if head == NIL {
            self.classes.insert(class);
        } else {
            self.nodes[head as usize].previous = index;
        }
        self.heads[class.index()] = index;
        self.free_range_count += 1;
    }

    fn unlist(&mut self, index: u32, class: Class) {
        let Node { previous, next, .. } = self.nodes[index as usize];
        if previous == NIL {
            self.heads[class.index()] = next;
            if next == NIL {
                self.classes.remove(class);
            }
        } else {
            self.nodes[previous as usize].next = next;
        }
        if next != NIL {
            self.nodes[next as usize].previous = previous;
        }
        self.free_range_count -= 1;
    }

    #[inline]
    fn new_node(&mut self, offset: u64, size: u64, owner: Option<Owner>) -> u32 {
        let node = Node { offset, size, owner, before: NIL, after: NIL, previous: NIL, next: NIL };
        if self.vacant == NIL {
            let index = u32::try_from(self.nodes.len()).expect("invariant: checked by is_at_capacity");
            self.nodes.push(node);
            index
        } else {
            let index = self.vacant;
            let slot = &mut self.nodes[index as usize];
            self.vacant = slot.next;
            *slot = node;
            index
        }
    }

    #[inline]
    fn link_before(&mut self, index: u32, after: u32) {
        let before = self.nodes[after as usize].before;
        self.link_between(before, index, after);
    }

    #[inline]
    fn link_after(&mut self, index: u32, before: u32) {
        let after = self.nodes[before as usize].after;
        self.link_between(before, index, after);
    }

    #[inline]
    fn link_between(&mut self, before: u32, index: u32, after: u32) {
        let node = &mut self.nodes[index as usize];
        node.before = before;
        node.after = after;
        self.set_after(before, index);
        self.set_before(after, index);
    }

    /// Takes a node out of the address order and gives its slot back.
    #[inline]
    fn unlink(&mut self, index: u32) {
        let Node { before, after, .. } = self.nodes[index as usize];
        self.set_after(before, after);
        self.set_before(after, before);
        let slot = &mut self.nodes[index as usize];
        slot.owner = None;
        slot.next = self.vacant;
        self.vacant = index;
    }

    #[inline]
    fn set_after(&mut self, index: u32, after: u32) {
        match self.nodes.get_mut(index as usize) {
            Some(node) => node.after = after,
            None => self.first = after,
        }
    }

    #[inline]
    fn set_before(&mut self, index: u32, before: u32) {
        match self.nodes.get_mut(index as usize) {
            Some(node) => node.before = before,
            None => self.last = before,
        }
    }
}
