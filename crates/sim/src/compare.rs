//! What is known against what is there.

use core::fmt;

use crate::model::Cell;

/// The first byte that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    index: usize,
    expected: u8,
    found: u8,
    /// How many differ in all.
    count: usize,
    total: usize,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { index, expected, found, count, total } = self;
        write!(f, "byte {index} is {found:#04x}, not {expected:#04x}; {count} of {total} differ")
    }
}

/// `None` where every known byte is as expected.
pub(crate) fn difference(expected: &[Cell], found: &[u8]) -> Option<Difference> {
    let differs = |pair: &(usize, (&Cell, &u8))| pair.1.0.is_some_and(|expected| expected != *pair.1.1);
    let mut differing = expected.iter().zip(found).enumerate().filter(differs);
    let (index, (cell, byte)) = differing.next()?;
    Some(Difference {
        index,
        expected: cell.unwrap_or(0),
        found: *byte,
        count: differing.count() + 1,
        total: expected.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_bytes_are_not_compared() {
        assert_eq!(difference(&[Some(1), None, Some(3)], &[1, 9, 3]), None);
        let found = difference(&[Some(1), None, Some(3), Some(4)], &[1, 9, 5, 0]);
        assert_eq!(found, Some(Difference { index: 2, expected: 3, found: 5, count: 2, total: 4 }));
    }
}
