//! The size classes of a two-level segregated fit: powers of two, each cut into sixteenths.
//!
//! ```text
//!   level 0: 0..16, one class a byte     level k: [2^(k+3), 2^(k+4)), 16 classes of equal width
//!   class = level * 16 + sixteenth       a u64 needs the levels 0..=60
//! ```
//! Classes are a pure function of a size, and greater sizes never have a smaller class.

/// log2 of the classes a level has.
const CLASSES_PER_LEVEL_LOG2: u32 = 4;
/// Classes a level has. Chosen: sixteenths waste no memory here (blocks are cut to size), they only
/// say how close to the request a constant-time answer is, and 61 levels of 16 heads are 4 KiB.
pub(crate) const CLASSES_PER_LEVEL: usize = 1 << CLASSES_PER_LEVEL_LOG2;
/// Levels that hold every size of 64 bits.
pub(crate) const LEVEL_COUNT: usize = 61;
/// All classes.
pub(crate) const CLASS_COUNT: usize = LEVEL_COUNT * CLASSES_PER_LEVEL;

/// A size class, as an index below [`CLASS_COUNT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Class(u32);

impl Class {
    /// The class that a free range of `size` bytes is listed in.
    #[inline]
    pub(crate) const fn of(size: u64) -> Class {
        let levelless = 1 << CLASSES_PER_LEVEL_LOG2;
        if size < levelless {
            #[allow(clippy::cast_possible_truncation, reason = "below 16")]
            return Class(size as u32);
        }
        let log2 = size.ilog2();
        #[allow(clippy::cast_possible_truncation, reason = "masked to four bits")]
        let sixteenth = (size >> (log2 - CLASSES_PER_LEVEL_LOG2)) as u32 & (CLASSES_PER_LEVEL as u32 - 1);
        Class((log2 - CLASSES_PER_LEVEL_LOG2 + 1) << CLASSES_PER_LEVEL_LOG2 | sixteenth)
    }

    /// The smallest class all of whose ranges hold `size` bytes; `None` beyond the last one.
    #[inline]
    pub(crate) const fn holding(size: u64) -> Option<Class> {
        if size < (1 << CLASSES_PER_LEVEL_LOG2) {
            return Some(Class::of(size));
        }
        let width = 1u64 << (size.ilog2() - CLASSES_PER_LEVEL_LOG2);
        match size.checked_add(width - 1) {
            Some(rounded) => Some(Class::of(rounded)),
            None => None,
        }
    }

    /// The level.
    #[inline]
    pub(crate) const fn level(self) -> u32 {
        self.0 >> CLASSES_PER_LEVEL_LOG2
    }

    /// The index among all classes.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    const fn sixteenth(self) -> u32 {
        self.0 & (CLASSES_PER_LEVEL as u32 - 1)
    }

    const fn at(level: u32, sixteenth: u32) -> Class {
        Class(level << CLASSES_PER_LEVEL_LOG2 | sixteenth)
    }
}

/// Which classes have a free range: a bit a class, and above it a bit a level.
#[derive(Clone, Debug)]
pub(crate) struct ClassSet {
    levels: u64,
    sixteenths: [u16; LEVEL_COUNT],
}

impl ClassSet {
    pub(crate) const EMPTY: ClassSet = ClassSet { levels: 0, sixteenths: [0; LEVEL_COUNT] };

    #[inline]
    pub(crate) fn insert(&mut self, class: Class) {
        self.levels |= 1 << class.level();
        self.sixteenths[class.level() as usize] |= 1 << class.sixteenth();
    }

    #[inline]
    pub(crate) fn remove(&mut self, class: Class) {
        let bits = &mut self.sixteenths[class.level() as usize];
        *bits &= !(1 << class.sixteenth());
        if *bits == 0 {
            self.levels &= !(1 << class.level());
        }
    }

    /// The smallest member that is not below `class`.
    #[inline]
    pub(crate) fn at_least(&self, class: Class) -> Option<Class> {
        let here = self.sixteenths[class.level() as usize] & (u16::MAX << class.sixteenth());
        if here != 0 {
            return Some(Class::at(class.level(), here.trailing_zeros()));
        }
        self.from_level(class.level() + 1)
    }

    /// The smallest member above `class`.
    pub(crate) fn above(&self, class: Class) -> Option<Class> {
        if class.index() + 1 == CLASS_COUNT { None } else { self.at_least(Class(class.0 + 1)) }
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

    #[inline]
    fn from_level(&self, level: u32) -> Option<Class> {
        let above = self.levels & (u64::MAX << level);
        if above == 0 {
            return None;
        }
        let level = above.trailing_zeros();
        Some(Class::at(level, self.sixteenths[level as usize].trailing_zeros()))
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
            assert!(class >= before && class.index() < CLASS_COUNT, "{size}");
            before = class;
        }
        assert_eq!(Class::of(u64::MAX).index(), CLASS_COUNT - 1);
    }

    #[test]
    fn a_class_that_holds_a_size_has_no_smaller_range() {
        for size in SIZES {
            match Class::holding(size) {
                // The least size of the class: whatever is listed there is not smaller.
                Some(class) => assert!(
                    class.index() == 0 || size == 1 || Class::of(size - 1) < class,
                    "{size}: {class:?} lists a range of {} bytes",
                    size - 1
                ),
                None => assert!(size > u64::MAX - (1 << 59), "{size}"),
            }
        }
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
