//! Copies and fills of boxes between grids.
//!
//! ```text
//!   one side is rows in one run of bytes     rows <----------------------------> grid
//!   else, strip by strip                     grid --> scratch (mask) --> grid
//!   the sides share bytes                    all of the box --> scratch --> all of the box
//! ```

use heapstone_driver::DriverError;
use heapstone_driver::engine::RowPitches;
use heapstone_layout::swizzle::Storage;
use heapstone_units::ByteRange;

use crate::bytes::{Rows, Source, View};
use crate::grid::{Grid, GridBox, Layout, Memory};

/// Bytes of a strip: half of the smallest second-level caches, so that what is read is still there when it is
/// written.
const STRIP: usize = 64 << 10;

/// Rows that are best copied together: a line of 64 bytes of every standard pattern holds 4 (facts/layout.md).
const ROWS_TOGETHER: u32 = 4;

/// A line of the cache: what begins at one is copied with fewer accesses.
const LINE: usize = 64;

/// Memory of the engine's own.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// A strip from the first line on.
    strip: Box<[u8]>,
    /// For copies whose sides share bytes.
    whole: Vec<u8>,
}

impl Scratch {
    pub(crate) fn new() -> Scratch {
        Scratch { strip: vec![0; STRIP + LINE].into_boxed_slice(), whole: Vec::new() }
    }

    pub(crate) fn strip(&mut self) -> &mut [u8] {
        let first = self.strip.as_ptr().align_offset(LINE).min(LINE);
        &mut self.strip[first..first + STRIP]
    }

    /// `size` bytes of any content.
    ///
    /// # Errors
    /// `OutOfMemory`.
    pub(crate) fn whole(&mut self, size: u64) -> Result<&mut [u8], DriverError> {
        let out_of_memory = |reason: String| DriverError::OutOfMemory {
            what: "a copy whose source and destination share bytes",
            size,
            reason,
        };
        let count = usize::try_from(size).map_err(|reason| out_of_memory(reason.to_string()))?;
        if self.whole.len() < count {
            let more = count - self.whole.len();
            self.whole.try_reserve_exact(more).map_err(|reason| out_of_memory(reason.to_string()))?;
            self.whole.resize(count, 0);
        }
        Ok(&mut self.whole[..count])
    }

    /// Gives back what only large copies need.
    pub(crate) fn trim(&mut self) {
        if self.whole.len() > STRIP {
            self.whole = Vec::new();
        }
    }
}

/// A box of a grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'a> {
    pub(crate) grid: Grid<'a>,
    pub(crate) of: &'a GridBox,
    /// The box's reach, which is in the memory.
    pub(crate) reach: ByteRange,
}

impl<'a> Side<'a> {
    /// The box as rows in one run of memory, where it is that.
    #[inline(always)]
    fn rows(&self) -> Option<(View<'a>, RowPitches)> {
        let (Memory::Host(view), Some(pitches)) = (self.grid.memory, self.grid.layout.rows()) else {
            return None;
        };
        Some((view.part(self.reach.begin, self.reach.size())?, pitches))
    }
}

/// The layout and box of the same bytes with each sample an element of its own, of a linear grid.
fn folded(grid: &Grid<'_>, of: &GridBox) -> (Layout, GridBox) {
    let wide = |[x, y, z]: [u32; 3]| [x << grid.layout.samples_log2, y, z];
    (grid.layout.folded(), GridBox { origin: wide(of.origin), size: wide(of.size) })
}

/// A copy of a box with all its samples. Both sides have as many elements, of the same bytes and samples.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copy<'a> {
    pub(crate) to: Side<'a>,
    pub(crate) from: Side<'a>,
    /// Of elements of 4 bytes: the bits that are copied, the others become 0. Else all ones.
    pub(crate) mask: u32,
}

impl Copy<'_> {
    /// Makes the copy.
    ///
    /// # Errors
    /// `OutOfMemory`, where the sides share bytes.
    #[inline(always)]
    pub(crate) fn run(&self, scratch: &mut Scratch) -> Result<(), DriverError> {
        if self.to.grid.layout.samples_log2 > 0 {
            return self.run_samples(scratch);
        }
        if share(&self.to, &self.from) {
            return self.through_whole(1, scratch);
        }
        self.plane(0, scratch);
        Ok(())
    }

    #[cold]
    fn run_samples(&self, scratch: &mut Scratch) -> Result<(), DriverError> {
        let Copy { to, from, mask } = *self;
        if to.grid.layout.is_linear() && from.grid.layout.is_linear() {
            let (to_layout, to_box) = folded(&to.grid, to.of);
            let (from_layout, from_box) = folded(&from.grid, from.of);
            let to_grid = Grid { layout: &to_layout, ..to.grid };
            let from_grid = Grid { layout: &from_layout, ..from.grid };
            let to = Side { grid: to_grid, of: &to_box, ..to };
            let from = Side { grid: from_grid, of: &from_box, ..from };
            return Copy { to, from, mask }.run(scratch);
        }
        let samples = 1 << to.grid.layout.samples_log2;
        if share(&to, &from) {
            return self.through_whole(samples, scratch);
        }
        for sample in 0..samples {
            self.plane(sample, scratch);
        }
        Ok(())
    }

    /// One sample, of sides that share no byte.
    #[inline(always)]
    fn plane(&self, sample: u32, scratch: &mut Scratch) {
        if self.mask == u32::MAX {
            if let Some((rows, pitches)) = self.from.rows() {
                return self.to.grid.write(sample, self.to.of, rows.source(), pitches);
            }
            if let Some((rows, pitches)) = self.to.rows() {
                return self.from.grid.read(sample, self.from.of, rows, pitches);
            }
        }
        self.in_strips(sample, scratch.strip());
    }

    /// Strip by strip through `scratch`, that is through the cache.
    #[inline(never)]
    fn in_strips(&self, sample: u32, scratch: &mut [u8]) {
        let (to, from) = (&self.to, &self.from);
        for strip in Strips::new(to.of, to.grid.layout.element_bytes_log2, scratch.len()) {
            let source = strip.moved(to.of, from.of);
            let (bytes, pitches) = compact(scratch, to.grid.layout.rows_of(&strip));
            from.grid.read(sample, &source, View::from(&mut *bytes), pitches);
            mask_words(bytes, self.mask);
            to.grid.write(sample, &strip, Source::from(&*bytes), pitches);
        }
    }

    /// All samples' boxes into memory of the engine's own, then out of it.
    #[cold]
    fn through_whole(&self, samples: u32, scratch: &mut Scratch) -> Result<(), DriverError> {
        let (to, from) = (&self.to, &self.from);
        let rows = to.grid.layout.rows_of(to.of);
        let size = u64::from(rows.height)
            .checked_mul(rows.width)
            .and_then(|slice| slice.checked_mul(u64::from(rows.depth))?.checked_mul(u64::from(samples)));
        let whole = scratch.whole(size.unwrap_or(u64::MAX))?;
        let plane = whole.len() / usize::try_from(samples).unwrap_or(1);
        for (sample, plane) in (0..samples).zip(whole.chunks_exact_mut(plane)) {
            let (bytes, pitches) = compact(plane, rows);
            from.grid.read(sample, from.of, View::from(bytes), pitches);
        }
        mask_words(whole, self.mask);
        for (sample, plane) in (0..samples).zip(whole.chunks_exact_mut(plane)) {
            let (bytes, pitches) = compact(plane, rows);
            to.grid.write(sample, to.of, Source::from(&*bytes), pitches);
        }
        scratch.trim();
        Ok(())
    }
}

/// A value for every element of a box, all samples.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fill<'a> {
    pub(crate) to: Grid<'a>,
    pub(crate) of: GridBox,
    /// The bytes of `period` elements.
    pub(crate) value: [u8; 16],
    /// Elements along x after which the value begins anew: 1, or 3 of at most 4 bytes.
    pub(crate) period: u8,
}

impl Fill<'_> {
    pub(crate) fn run(&self, scratch: &mut Scratch) {
        let Grid { memory, layout } = self.to;
        if matches!(memory, Memory::Nothing) {
            return;
        }
        // Samples as elements: each value as often as there are samples.
        let (folded_layout, folded_box) = folded(&self.to, &self.of);
        let (grid, of, repeat) = if layout.is_linear() {
            (Grid { memory, layout: &folded_layout }, folded_box, 1_usize << layout.samples_log2)
        } else {
            (self.to, self.of, 1)
        };
        let element = 1_usize << layout.element_bytes_log2;
        let pattern = element * usize::from(self.period) * repeat;
        // The row's begin as often as the scratch takes it, whole.
        let row = scratch.strip();
        let length = row.len() / pattern * pattern;
        let row = &mut row[..length.min(in_memory(layout.rows_of(&of).width).next_multiple_of(pattern))];
        let values = self.value.chunks_exact(element).take(usize::from(self.period)).cycle();
        let values = values.flat_map(|value| core::iter::repeat_n(value, repeat));
        for (slot, value) in row.chunks_exact_mut(element).zip(values) {
            slot.copy_from_slice(value);
        }
        // All rows are the same one.
        let pitches = RowPitches { row: 0, slice: 0 };
        let columns = u32::try_from(row.len() / element).unwrap_or(u32::MAX);
        for sample in 0..1 << grid.layout.samples_log2 {
            let mut done = 0;
            while done < of.size[0] {
                let count = columns.min(of.size[0] - done);
                let part = GridBox {
                    origin: [of.origin[0] + done, of.origin[1], of.origin[2]],
                    size: [count, of.size[1], of.size[2]],
                };
                grid.write(sample, &part, Source::from(&*row), pitches);
                done += count;
            }
        }
    }
}

/// Cuts a box into boxes whose rows fit `capacity` bytes.
#[derive(Clone, Debug)]
pub(crate) struct Strips {
    of: GridBox,
    /// The most elements along x of one.
    width: u32,
    /// The most rows of one.
    height: u32,
    /// The most slices of one.
    depth: u32,
    /// Where the next one begins, from the box's origin; `None` behind the last.
    next: Option<[u32; 3]>,
}

impl Strips {
    /// `capacity` is at least an element.
    pub(crate) fn new(of: &GridBox, element_bytes_log2: u8, capacity: usize) -> Strips {
        let elements = u32::try_from(capacity >> element_bytes_log2).unwrap_or(u32::MAX).max(1);
        let [x, y, z] = of.size;
        let width = x.min((elements / y.min(ROWS_TOGETHER)).max(1));
        let height = y.min((elements / width).max(1));
        let depth = if (width, height) == (x, y) { z.min((elements / width / height).max(1)) } else { 1 };
        Strips { of: *of, width, height, depth, next: Some([0; 3]) }
    }
}

impl Iterator for Strips {
    type Item = GridBox;

    fn next(&mut self) -> Option<GridBox> {
        let begin = self.next?;
        let left: [u32; 3] = core::array::from_fn(|axis| self.of.size[axis] - begin[axis]);
        let width = self.width.min(left[0]);
        let mut height = self.height.min(left[1]);
        // A strip ends where rows that are best copied together do.
        let end = self.of.origin[1] + begin[1] + height;
        if height < left[1] && height > ROWS_TOGETHER {
            height -= end % ROWS_TOGETHER;
        }
        let size = [width, height, self.depth.min(left[2])];
        self.next = if width < left[0] {
            Some([begin[0] + width, begin[1], begin[2]])
        } else if height < left[1] {
            Some([0, begin[1] + height, begin[2]])
        } else if size[2] < left[2] {
            Some([0, 0, begin[2] + size[2]])
        } else {
            None
        };
        let origin = core::array::from_fn(|axis| self.of.origin[axis] + begin[axis]);
        Some(GridBox { origin, size })
    }
}

/// The first bytes of `scratch` as rows without gaps.
pub(crate) fn compact(scratch: &mut [u8], rows: Rows) -> (&mut [u8], RowPitches) {
    let slice = rows.width * u64::from(rows.height);
    let size = in_memory(slice * u64::from(rows.depth));
    (&mut scratch[..size], RowPitches { row: rows.width, slice })
}

fn mask_words(bytes: &mut [u8], mask: u32) {
    if mask != u32::MAX {
        for word in bytes.as_chunks_mut::<4>().0 {
            *word = (u32::from_le_bytes(*word) & mask).to_le_bytes();
        }
    }
}

/// A count of bytes that memory has.
fn in_memory(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// Whether two boxes may share bytes.
#[inline(always)]
fn share(to: &Side<'_>, from: &Side<'_>) -> bool {
    let (Memory::Host(a), Memory::Host(b)) = (to.grid.memory, from.grid.memory) else {
        return ranges_share(&to.grid.memory, to.reach, &from.grid.memory, from.reach);
    };
    let (a_range, b_range) = (a.addresses(to.reach), b.addresses(from.reach));
    let overlap = a_range.start < b_range.end && b_range.start < a_range.end;
    // Boxes of one surface share bytes only where they share elements.
    overlap && !(a.begins_with(b) && same_pattern(&to.grid, &from.grid) && !to.of.overlaps(from.of))
}

/// Whether the first `size` bytes of both may share any.
pub(crate) fn runs_share(to: &Memory<'_>, from: &Memory<'_>, size: u64) -> bool {
    let reach = ByteRange::new(0, size);
    ranges_share(to, reach, from, reach)
}

/// Two tiles of any resources may show the same tile of a heap: what counts is where their bytes are.
fn ranges_share(to: &Memory<'_>, to_reach: ByteRange, from: &Memory<'_>, from_reach: ByteRange) -> bool {
    match (to, from) {
        (Memory::Nothing, _) | (_, Memory::Nothing) => return false,
        // Mostly one side is a heap that no tile shows.
        (Memory::Tiled(tiled), Memory::Host(view)) if !tiled.may_show(&view.addresses(from_reach)) => {
            return false;
        }
        (Memory::Host(view), Memory::Tiled(tiled)) if !tiled.may_show(&view.addresses(to_reach)) => {
            return false;
        }
        _ => {}
    }
    let (mut a, mut b) = (to.addresses(to_reach), from.addresses(from_reach));
    a.sort_unstable_by_key(|range| range.start);
    b.sort_unstable_by_key(|range| range.start);
    // Several of one side may be the same bytes; the greatest end so far decides.
    let (mut a_end, mut b_end) = (0, 0);
    let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
    loop {
        let (one, end, other_end) = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if x.start <= y.start => (a.next(), &mut a_end, b_end),
            (_, Some(_)) => (b.next(), &mut b_end, a_end),
            (Some(_), None) => (a.next(), &mut a_end, b_end),
            (None, None) => return false,
        };
        let Some(range) = one else { return false };
        if range.start < other_end {
            return true;
        }
        *end = range.end.max(*end);
    }
}

/// Whether the elements of both are swizzled alike.
pub(crate) fn same_pattern(a: &Grid<'_>, b: &Grid<'_>) -> bool {
    match (a.layout.storage, b.layout.storage) {
        (Storage::Swizzled { pattern, strides }, Storage::Swizzled { pattern: other, strides: others }) => {
            core::ptr::eq(pattern, other) && strides == others
        }
        _ => false,
    }
}
