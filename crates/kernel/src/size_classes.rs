//! The size classes of a two-level segregated fit: powers of two, each cut into sixteenths.
//!
//! ```text
//!   level 0: 0..16, one class a byte     level k: [2^(k+3), 2^(k+4)), 16 classes of equal width
//!   class = level * 16 + sixteenth        64 bits need the levels 0..=60
//! ```
//! Classes are a pure function of a size, and greater sizes never have a smaller class.

/// log2 of the classes a level has. Chosen: sixteenths waste no memory here (blocks are cut to size), they
/// only say how close to the request a constant-time answer is.
const CLASSES_PER_LEVEL_LOG2: u32 = 4;
/// Slots for levels: 61 are used, rounded up so that an index needs no check.
const LEVEL_SLOTS: usize = 64;
/// Slots for classes, so rounded.
pub(crate) const CLASS_SLOTS: usize = LEVEL_SLOTS << CLASSES_PER_LEVEL_LOG2;

/// A size class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Class(u32);

impl Class {
    /// The class that a free range of `size` bytes is listed in.
    #[inline]
    pub(crate) const fn of(size: u64) -> Class {
        let shift = Self::shift(size);
        // Below 16 that is the size; above, the sixteenth with its leading bit, which counts one level.
        #[allow(clippy::cast_possible_truncation, reason = "what the shift leaves is below 32")]
        let leading = (size >> shift) as u32;
        Class((shift << CLASSES_PER_LEVEL_LOG2) + leading)
    }

    /// The smallest class all of whose ranges hold `size` bytes. For the greatest sizes it lies beyond all
    /// ranges, and is listed nowhere.
    #[inline]
    pub(crate) const fn holding(size: u64) -> Class {
        let below_next = (1 << Self::shift(size)) - 1;
        Class(Class::of(size).0 + (size & below_next != 0) as u32)
    }

    /// The index, below [`CLASS_SLOTS`].
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize % CLASS_SLOTS
    }

    /// The level.
    #[inline]
    pub(crate) const fn level(self) -> usize {
        self.index() >> CLASSES_PER_LEVEL_LOG2
    }

    /// log2 of the width of the classes that `size` is among.
    const fn shift(size: u64) -> u32 {
        (size | 1 << CLASSES_PER_LEVEL_LOG2).ilog2() - CLASSES_PER_LEVEL_LOG2
    }

    const fn sixteenth(self) -> u32 {
        self.0 % (1 << CLASSES_PER_LEVEL_LOG2)
    }

    #[inline]
    const fn at(level: u32, sixteenth: u32) -> Class {
        Class(level << CLASSES_PER_LEVEL_LOG2 | sixteenth)
    }
}

/// Which classes have a free range: a bit a class, and above it a bit a level.
#[derive(Clone, Debug)]
pub(crate) struct ClassSet {
    levels: u64,
    sixteenths: [u16; LEVEL_SLOTS],
}

impl ClassSet {
    pub(crate) const EMPTY: ClassSet = ClassSet { levels: 0, sixteenths: [0; LEVEL_SLOTS] };

    #[inline]
    pub(crate) const fn insert(&mut self, class: Class) {
        self.levels |= 1 << class.level();
        self.sixteenths[class.level()] |= 1 << class.sixteenth();
    }

    #[inline]
    pub(crate) const fn remove(&mut self, class: Class) {
        let bits = &mut self.sixteenths[class.level()];
        *bits &= !(1 << class.sixteenth());
        if *bits == 0 {
            self.levels &= !(1 << class.level());
        }
    }

    /// The smallest member that is not below `class`.
    #[inline]
    pub(crate) const fn at_least(&self, class: Class) -> Option<Class> {
        let here = self.sixteenths[class.level()] & (u16::MAX << class.sixteenth());
        if here != 0 {
            return Some(Class(class.0 - class.sixteenth() + here.trailing_zeros()));
        }
        // Two shifts: the level may be the last of 64.
        let above = self.levels & (u64::MAX << class.level() << 1);
        if above == 0 {
            return None;
        }
        let level = above.trailing_zeros();
        Some(Class::at(level, self.sixteenths[level as usize % LEVEL_SLOTS].trailing_zeros()))
    }

    /// The smallest member above `class`.
    pub(crate) const fn above(&self, class: Class) -> Option<Class> {
        self.at_least(Class(class.0 + 1))
    }

    /// The greatest member.
    pub(crate) fn last(&self) -> Option<Class> {
        let level = self.levels.checked_ilog2()?;
        let sixteenth = self.sixteenths[level as usize].checked_ilog2()?;
        Some(Class::at(level, sixteenth))
    }

    /// A bit for each level that has a member.
    #[inline]
    pub(crate) const fn levels(&self) -> u64 {
        self.levels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [u64; 16] = [
        1,
        2,
        15,
        16,
        17,
        31,
        32,
        4096,
        65_535,
        65_536,
        65_537,
        (1 << 32) - 1,
        1 << 32,
        (1 << 63) - 1,
        1 << 63,
        u64::MAX,
    ];

    #[test]
    fn classes_rise_with_sizes_and_stay_in_the_table() {
        let mut before = Class::of(0);
        for size in (0..4096).chain(SIZES.into_iter().filter(|size| *size >= 4096)) {
            let class = Class::of(size);
            assert!(class >= before && class.index() < CLASS_SLOTS, "{size}");
            before = class;
        }
        assert_eq!(Class::of(u64::MAX).index(), 61 * 16 - 1);
    }

    #[test]
    fn a_class_that_holds_a_size_has_no_smaller_range() {
        for size in SIZES {
            let holding = Class::holding(size);
            // The greatest smaller size is listed below it: so is every smaller one.
            assert!(Class::of(size - 1) < holding && Class::of(size) <= holding, "{size}");
        }
        // Sixteenths of [64 KiB, 128 KiB) are 4 KiB wide.
        assert_eq!(Class::holding(65_536), Class::of(65_536));
        assert_eq!(Class::holding(65_537), Class::of(65_536 + 4096));
        assert!(Class::holding(u64::MAX) > Class::of(u64::MAX));
    }

    #[test]
    fn the_set_finds_the_nearest_member() {
        let mut set = ClassSet::EMPTY;
        assert_eq!((set.at_least(Class::of(1)), set.last()), (None, None));
        for size in [20, 65_536, u64::MAX] {
            set.insert(Class::of(size));
        }
        assert_eq!(set.at_least(Class::of(1)), Some(Class::of(20)));
        assert_eq!(set.at_least(Class::of(20)), Some(Class::of(20)));
        assert_eq!(set.above(Class::of(20)), Some(Class::of(65_536)));
        assert_eq!(set.at_least(Class::of(70_000)), Some(Class::of(u64::MAX)));
        assert_eq!((set.above(Class::of(u64::MAX)), set.last()), (None, Some(Class::of(u64::MAX))));
        set.remove(Class::of(u64::MAX));
        assert_eq!((set.at_least(Class::of(70_000)), set.last()), (None, Some(Class::of(65_536))));
    }
}
