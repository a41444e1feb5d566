//! Regions: which tiles, and in which order.

/// Tiles of a reserved resource in the order that D3D12 walks them: x, then y, then z. Counted from the
/// resource's first, in the order of its addresses.
///
/// ```text
///   first  [row][row]...        rows of `row` tiles, `row_step` from one to the next,
///          [row][row]...        `slices` such blocks, `slice_step` from one to the next
/// ```
/// Rows that touch are one row: a region that is contiguous has one row and one slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    first: u32,
    row: u32,
    rows: u32,
    row_step: u32,
    slices: u32,
    slice_step: u32,
}

impl Region {
    /// `count` tiles that follow each other.
    #[inline]
    pub(crate) const fn linear(first: u32, count: u32) -> Region {
        Region { first, row: count, rows: 1, row_step: 0, slices: 1, slice_step: 0 }
    }

    /// A box of `row` x `rows` x `slices` tiles, all of which the resource has: sums and products fit.
    #[inline]
    pub(crate) const fn boxed(first: u32, [row, rows, slices]: [u32; 3], steps: [u32; 2]) -> Region {
        let [row_step, slice_step] = steps;
        let mut region = Region { first, row, rows, row_step, slices, slice_step };
        if region.rows == 1 || region.row == row_step {
            region.row *= region.rows;
            region.rows = 1;
            if region.slices == 1 || region.row == slice_step {
                region.row *= region.slices;
                region.slices = 1;
            }
        }
        region
    }

    /// Its tiles.
    #[inline]
    pub(crate) const fn count(&self) -> u32 {
        self.row * self.rows * self.slices
    }

    /// Its rows in order: the first tile of each, and how many.
    #[inline]
    pub(crate) fn rows(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let region = *self;
        let (slices, rows) = if region.row == 0 { (0, 0) } else { (region.slices, region.rows) };
        (0..slices).flat_map(move |slice| {
            let first = region.first + slice * region.slice_step;
            (0..rows).map(move |row| (first + row * region.row_step, region.row))
        })
    }

    /// Its tiles in order.
    pub(crate) fn tiles(&self) -> impl Iterator<Item = u32> + use<> {
        self.rows().flat_map(|(first, count)| first..first + count)
    }

    /// The lowest of its tiles, and one past the highest; equal where it has none.
    pub(crate) fn bounds(&self) -> (u32, u32) {
        let mut bounds: Option<(u32, u32)> = None;
        for (first, count) in self.rows() {
            let (begin, end) = bounds.unwrap_or((first, first));
            bounds = Some((begin.min(first), end.max(first + count)));
        }
        bounds.unwrap_or((self.first, self.first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_walk_x_then_y_then_z() {
        // 2 x 2 x 2 tiles at tile 5 of a grid of 4 x 3 x 2.
        let region = Region::boxed(5, [2, 2, 2], [4, 12]);
        assert_eq!(region.tiles().collect::<Vec<_>>(), [5, 6, 9, 10, 17, 18, 21, 22]);
        assert_eq!((region.count(), region.bounds()), (8, (5, 23)));
    }

    #[test]
    fn what_touches_is_one_row() {
        assert_eq!(
            Region::boxed(4, [4, 2, 1], [4, 12]),
            Region { row: 8, rows: 1, ..Region::boxed(4, [4, 2, 1], [4, 12]) }
        );
        assert_eq!(Region::boxed(0, [4, 3, 2], [4, 12]).rows().collect::<Vec<_>>(), [(0, 24)]);
        // One column: rows of one tile.
        assert_eq!(Region::boxed(0, [1, 3, 1], [4, 12]).rows().collect::<Vec<_>>(), [(0, 1), (4, 1), (8, 1)]);
        // One row of each slice.
        assert_eq!(Region::boxed(0, [4, 1, 2], [4, 12]).rows().collect::<Vec<_>>(), [(0, 4), (12, 4)]);
    }

    #[test]
    fn an_empty_region_has_no_tiles() {
        for size in [[0, 3, 2], [3, 0, 2], [3, 3, 0]] {
            let region = Region::boxed(7, size, [4, 12]);
            assert_eq!((region.count(), region.tiles().count()), (0, 0));
        }
        assert_eq!(Region::linear(7, 0).bounds(), (7, 7));
    }
}
