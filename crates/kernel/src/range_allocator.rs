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

use core::num::{NonZeroU32, NonZeroU64};

use heapstone_units::{Alignment, ByteRange};

use crate::size_classes::{CLASS_SLOTS, Class, ClassSet};

/// The node that stands before the first range and behind the last, and for "none" in class lists and
/// among vacant slots. It counts as used, so that nothing merges with it.
const EDGE: u32 = 0;

/// Who has a range: a number that the caller chooses, given back by [`RangeAllocator::ranges`].
pub type Owner = NonZeroU64;

/// An allocated range. It can be freed once, in the allocator that made it.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a block that is dropped stays allocated"]
pub struct Block {
    offset: u64,
    size: u64,
    node: NonZeroU32,
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
    /// The class it is listed in; without meaning while it is used.
    class: Class,
}

impl Node {
    const fn end(&self) -> u64 {
        self.offset + self.size
    }

    const fn is_free(&self) -> bool {
        self.owner.is_none()
    }

    /// Bytes from its start to the lowest aligned offset at which `size` bytes lie in it.
    #[inline]
    const fn padding_of_fit(&self, size: u64, alignment: Alignment) -> Option<u64> {
        let padding = self.offset.wrapping_neg() & (alignment.bytes() - 1);
        if size <= self.size && padding <= self.size - size { Some(padding) } else { None }
    }
}

/// An allocator of ranges. See the module's documentation.
#[derive(Debug)]
pub struct RangeAllocator {
    nodes: Vec<Node>,
    vacant: u32,
    used: u64,
    free_range_count: usize,
    classes: ClassSet,
    heads: [u32; CLASS_SLOTS],
    space: ByteRange,
}

impl RangeAllocator {
    /// An allocator of `space`, all of it free. An empty space serves nobody.
    #[must_use]
    pub fn new(space: ByteRange) -> RangeAllocator {
        let edge = Node {
            offset: space.begin,
            size: 0,
            owner: Some(Owner::MAX),
            before: EDGE,
            after: EDGE,
            previous: EDGE,
            next: EDGE,
            class: Class::of(0),
        };
        let mut allocator = RangeAllocator {
            nodes: vec![edge],
            vacant: EDGE,
            used: 0,
            free_range_count: 0,
            classes: ClassSet::EMPTY,
            heads: [EDGE; CLASS_SLOTS],
            space,
        };
        if !space.is_empty() {
            let whole = Node { offset: space.begin, size: space.size(), owner: None, ..edge };
            allocator.nodes.push(whole);
            allocator.link_between(EDGE, 1, EDGE);
            allocator.list(1, Class::of(space.size()));
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
        if size == 0 {
            return None;
        }
        // The size's own class: a range that was freed just now is often an exact fit.
        let head = self.heads[Class::of(size).index()];
        if head != EDGE
            && let Some(padding) = self.nodes[head as usize].padding_of_fit(size, alignment)
        {
            return self.carve(head, padding, size, owner);
        }
        let head = self.head_holding(size)?;
        if let Some(padding) = self.nodes[head as usize].padding_of_fit(size, alignment) {
            return self.carve(head, padding, size, owner);
        }
        // Only the alignment was missed: a range with room for the padding always fits.
        let head = self.head_holding(size.checked_add(alignment.bytes() - 1)?)?;
        let padding = self.nodes[head as usize].padding_of_fit(size, alignment)?;
        self.carve(head, padding, size, owner)
    }

    /// Takes whole pages, at most `size_max` bytes, which are pages as well, from one of the largest free ranges. In
    /// constant time: `None` also where the one that was looked at has no whole page.
    pub(crate) fn allocate_part(&mut self, size_max: u64, page: Alignment, owner: Owner) -> Option<Block> {
        let head = self.heads[self.classes.last()?.index()];
        let free = self.nodes[head as usize];
        let padding = free.padding_of_fit(1, page)?;
        let size = page.align_down(free.size - padding).min(size_max);
        if size == 0 { None } else { self.carve(head, padding, size, owner) }
    }

    /// Gives `block` back and merges it with its free neighbours.
    ///
    /// # Panics
    /// When `block` is of another allocator: a bug of the caller.
    #[inline]
    pub fn free(&mut self, block: Block) {
        assert!(self.has_made(&block), "bug: a block is freed in an allocator that did not make it");
        self.release(block.node.get());
    }

    /// Gives the range of `block` to another owner.
    ///
    /// # Panics
    /// When `block` is of another allocator: a bug of the caller.
    #[inline]
    pub fn set_owner(&mut self, block: &Block, owner: Owner) {
        assert!(self.has_made(block), "bug: a block is given away in an allocator that did not make it");
        let node = &mut self.nodes[block.node.get() as usize];
        node.owner = Some(owner);
    }

    /// Frees every range of `owner`; returns their bytes. Blocks of theirs must not be freed afterwards.
    pub fn free_all_of(&mut self, owner: Owner) -> u64 {
        let used_before = self.used;
        let mut at = self.first();
        while at != EDGE {
            if self.nodes[at as usize].owner == Some(owner) {
                // Merging may remove `at`: the walk goes on behind whichever node covers it now.
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

    /// Slots of the slab: at most one more than the greatest number of ranges that existed at once.
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
        let mut at = self.first();
        core::iter::from_fn(move || {
            let node = (at != EDGE).then(|| &self.nodes[at as usize])?;
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
        self.free_range_at(self.first())
    }

    /// The free range that the space ends with.
    pub(crate) fn free_suffix(&self) -> Option<ByteRange> {
        self.free_range_at(self.last())
    }

    /// Takes exactly `range` for `owner`, where the first or the last range of the space is free and
    /// holds it.
    pub(crate) fn allocate_at_edge(&mut self, range: ByteRange, owner: Owner) -> Option<Block> {
        let holds = |edge: &u32| self.free_range_at(*edge).is_some_and(|free| free.contains(range));
        let edge = [self.first(), self.last()].into_iter().find(holds)?;
        self.carve_exactly(edge, range, owner)
    }

    /// Takes exactly `range` for `owner` from whichever free range holds it. Linear in the free ranges.
    pub(crate) fn allocate_at(&mut self, range: ByteRange, owner: Owner) -> Option<Block> {
        let mut candidate = self.classes.at_least(Class::of(range.size()));
        while let Some(class) = candidate {
            let holds = |(_, node): &(u32, &Node)| ByteRange::new(node.offset, node.end()).contains(range);
            let holder = self.listed(class).find(holds).map(|(index, _)| index);
            if let Some(holder) = holder {
                return self.carve_exactly(holder, range, owner);
            }
            candidate = self.classes.above(class);
        }
        None
    }

    /// Whether `block` is a used range of this allocator, as far as its numbers say.
    #[must_use]
    #[inline]
    pub fn has_made(&self, block: &Block) -> bool {
        let node = self.nodes.get(block.node.get() as usize);
        node.is_some_and(|node| !node.is_free() && node.offset == block.offset && node.size == block.size)
    }

    fn first(&self) -> u32 {
        self.nodes[EDGE as usize].after
    }

    fn last(&self) -> u32 {
        self.nodes[EDGE as usize].before
    }

    fn free_range_at(&self, index: u32) -> Option<ByteRange> {
        let node = &self.nodes[index as usize];
        node.is_free().then(|| ByteRange::new(node.offset, node.end()))
    }

    #[cold]
    fn allocate_exhaustively(&mut self, size: u64, alignment: Alignment, owner: Owner) -> Option<Block> {
        if size == 0 || size > self.free_bytes() {
            return None;
        }
        let mut candidate = self.classes.at_least(Class::of(size));
        while let Some(class) = candidate {
            let best = self
                .listed(class)
                .filter_map(|(index, node)| {
                    Some((node.size, node.offset, index, node.padding_of_fit(size, alignment)?))
                })
                .min();
            if let Some((_, _, index, padding)) = best {
                return self.carve(index, padding, size, owner);
            }
            candidate = self.classes.above(class);
        }
        None
    }

    /// The head of the smallest class whose ranges all hold `size` bytes.
    #[inline]
    fn head_holding(&self, size: u64) -> Option<u32> {
        let class = self.classes.at_least(Class::holding(size))?;
        Some(self.heads[class.index()])
    }

    fn listed(&self, class: Class) -> impl Iterator<Item = (u32, &Node)> {
        let mut at = self.heads[class.index()];
        core::iter::from_fn(move || {
            let index = at;
            let node = (index != EDGE).then(|| &self.nodes[index as usize])?;
            at = node.next;
            Some((index, node))
        })
    }

    fn carve_exactly(&mut self, free: u32, range: ByteRange, owner: Owner) -> Option<Block> {
        if range.is_empty() {
            return None;
        }
        self.carve(free, range.begin - self.nodes[free as usize].offset, range.size(), owner)
    }

    /// Cuts `size` bytes out of the free range `free`, which holds them `padding` bytes from its start.
    /// What stays free keeps its node, and its place in the class list when its class does not change: in
    /// a large free range that is nearly always so. `None`, and no change, where the slab is at its end.
    #[inline]
    fn carve(&mut self, free: u32, padding: u64, size: u64, owner: Owner) -> Option<Block> {
        let whole = &self.nodes[free as usize];
        if padding != 0 || whole.size == size {
            return self.carve_otherwise(free, padding, size, owner);
        }
        let (offset, rest, before) = (whole.offset, whole.size - size, whole.before);
        let node = self.new_node(offset, size, Some(owner))?;
        self.link_between(before, node.get(), free);
        self.resize(free, offset + size, rest);
        self.used += size;
        Some(Block { offset, size, node })
    }

    /// As [`carve`](Self::carve), where the free range does not simply lose its beginning.
    fn carve_otherwise(&mut self, free: u32, padding: u64, size: u64, owner: Owner) -> Option<Block> {
        let Node { offset, size: whole_size, after, .. } = self.nodes[free as usize];
        let start = offset + padding;
        let rest = whole_size - padding - size;
        let node = if padding == 0 {
            // Nothing stays free.
            let node = NonZeroU32::new(free)?;
            self.unlist(free);
            self.nodes[free as usize].owner = Some(owner);
            node
        } else {
            let node = self.new_node(start, size, Some(owner))?;
            if rest > 0 {
                let Some(tail) = self.new_node(start + size, rest, None) else {
                    self.vacate(node.get());
                    return None;
                };
                self.link_between(free, tail.get(), after);
                self.list(tail.get(), Class::of(rest));
            }
            let after = self.nodes[free as usize].after;
            self.link_between(free, node.get(), after);
            self.resize(free, offset, padding);
            node
        };
        self.used += size;
        Some(Block { offset: start, size, node })
    }

    /// Frees the used range `index`; returns the node that covers it afterwards.
    #[inline]
    fn release(&mut self, index: u32) -> u32 {
        let Node { offset, size, before, after, .. } = self.nodes[index as usize];
        self.used -= size;
        let low = &self.nodes[before as usize];
        let high = &self.nodes[after as usize];
        if high.is_free() && !low.is_free() {
            let merged = size + high.size;
            self.link(before, after);
            self.vacate(index);
            self.resize(after, offset, merged);
            return after;
        }
        self.release_otherwise(index)
    }

    /// As [`release`](Self::release), where the range does not merge with the one behind it only.
    fn release_otherwise(&mut self, index: u32) -> u32 {
        let Node { size, before, after, .. } = self.nodes[index as usize];
        let (low, high) = (self.nodes[before as usize], self.nodes[after as usize]);
        if !low.is_free() {
            self.nodes[index as usize].owner = None;
            self.list(index, Class::of(size));
            return index;
        }
        if !high.is_free() {
            self.link(before, after);
            self.vacate(index);
            self.resize(before, low.offset, low.size + size);
            return before;
        }
        // The larger one stays, because its class is the likelier to stay.
        let kept = if low.size > high.size {
            self.unlist(after);
            self.vacate(after);
            self.link(before, high.after);
            before
        } else {
            self.unlist(before);
            self.vacate(before);
            self.link(low.before, after);
            after
        };
        self.vacate(index);
        self.resize(kept, low.offset, low.size + size + high.size);
        kept
    }

    /// Gives the free range `index` another extent and lists it where that belongs.
    #[inline]
    fn resize(&mut self, index: u32, offset: u64, size: u64) {
        let node = &mut self.nodes[index as usize];
        node.offset = offset;
        node.size = size;
        let class = Class::of(size);
        if class != node.class {
            self.unlist(index);
            self.list(index, class);
        }
    }

    fn list(&mut self, index: u32, class: Class) {
        let head = core::mem::replace(&mut self.heads[class.index()], index);
        let node = &mut self.nodes[index as usize];
        node.class = class;
        node.previous = EDGE;
        node.next = head;
        // Without a head that writes to the edge, which has no use for it.
        self.nodes[head as usize].previous = index;
        if head == EDGE {
            self.classes.insert(class);
        }
        self.free_range_count += 1;
    }

    fn unlist(&mut self, index: u32) {
        let Node { previous, next, class, .. } = self.nodes[index as usize];
        self.nodes[next as usize].previous = previous;
        if previous == EDGE {
            self.heads[class.index()] = next;
            if next == EDGE {
                self.classes.remove(class);
            }
        } else {
            self.nodes[previous as usize].next = next;
        }
        self.free_range_count -= 1;
    }

    /// A node outside of the address order; `None` where 32-bit indices are at their end.
    #[inline]
    fn new_node(&mut self, offset: u64, size: u64, owner: Option<Owner>) -> Option<NonZeroU32> {
        let index = match NonZeroU32::new(self.vacant) {
            Some(index) => index,
            None => self.new_slot()?,
        };
        let slot = &mut self.nodes[index.get() as usize];
        self.vacant = slot.next;
        slot.offset = offset;
        slot.size = size;
        slot.owner = owner;
        Some(index)
    }

    #[cold]
    fn new_slot(&mut self) -> Option<NonZeroU32> {
        let index = u32::try_from(self.nodes.len()).ok().and_then(NonZeroU32::new)?;
        let edge = self.nodes[EDGE as usize];
        self.nodes.push(Node { next: EDGE, ..edge });
        Some(index)
    }

    /// Gives back the slot of a node that is outside of the address order.
    #[inline]
    fn vacate(&mut self, index: u32) {
        let slot = &mut self.nodes[index as usize];
        slot.owner = None;
        slot.next = self.vacant;
        self.vacant = index;
    }

    /// Makes `before` and `after` neighbours.
    #[inline]
    fn link(&mut self, before: u32, after: u32) {
        self.nodes[before as usize].after = after;
        self.nodes[after as usize].before = before;
    }

    #[inline]
    fn link_between(&mut self, before: u32, index: u32, after: u32) {
        self.link(before, index);
        self.link(index, after);
    }
}
