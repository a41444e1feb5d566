//! The way over a box: unit by unit, in strips or in the order of addresses.
//!
//! ```text
//!   strips                                      order of addresses
//!   +--------------------------------+          +-------+-------+      a block after the other, in it a
//!   | -> unit, unit, unit, ...       |          | 1 2 5 | ...   |      chunk after the other, in it a unit
//!   |    of a few rows, side by side |          | 3 4 6 |       |      after the other
//!   +--------------------------------+          +-------+-------+
//! ```
//! Rows are read as a few streams that a processor foresees, and lines may be written anywhere; so writing
//! goes in strips. Read in strips, swizzled memory is a scatter of lines that no processor foresees (less
//! than half the speed, measured); so where it is not in a cache, reading goes in the order of addresses,
//! and each line of a row is written at once and whole.

use super::gf2::Coordinates;
use super::job::{At, Job, Span, distance};
use super::kernel::UnitKernel;
use super::unit::{Chunk, LINE, LINE_LOG2, MAX_GROUP, Step, Unit};

/// How a box is gone over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// In strips of rows.
    Strips,
    /// In the order of swizzled addresses, where the pattern has chunks.
    Addresses,
}

/// The part of a job that is made of whole units.
#[derive(Clone, Copy)]
pub(super) struct Body<'a> {
    pub(super) job: &'a Job<'a>,
    /// The pattern's.
    pub(super) unit: &'a Unit,
    /// Which part.
    pub(super) span: Span,
    pub(super) order: Order,
}

/// Whole units that are copied one after the other, with a kernel that is chosen for them.
pub(super) trait Walk: Copy {
    /// Whether the rows of what goes around the caches are in no cache either, as a rule.
    const ROWS_ARE_FAR: bool;

    /// The pattern's.
    fn unit(&self) -> &Unit;

    /// Whether what is written goes around the caches.
    fn streams(&self) -> bool;

    /// Copies them, to the surface if `WRITE` and else from it.
    ///
    /// # Safety
    /// As [`super::SwizzledImage::write_raw`] and `read_raw` demand for what the units are part of; [`Walk::unit`] has
    /// `R` rows, and the kernel is of it and of this direction. If the kernel streams, lines (if `WRITE`) or lines of
    /// rows begin at multiples of 64.
    unsafe fn copy<const WRITE: bool, const R: usize, K: UnitKernel<R>>(self, kernel: K);
}

impl Walk for Body<'_> {
    const ROWS_ARE_FAR: bool = true;

    #[inline(always)]
    fn unit(&self) -> &Unit {
        self.unit
    }

    #[inline(always)]
    fn streams(&self) -> bool {
        self.job.stream
    }

    #[inline(always)]
    unsafe fn copy<const WRITE: bool, const R: usize, K: UnitKernel<R>>(self, kernel: K) {
        let Body { job, unit, span, order } = self;
        let (mut rows, mut lines) = ([0; R], [0; R]);
        for index in 0..R {
            rows[index] = job.linear_step(unit.rows[index]);
            lines[index] = distance(unit.lines[index]);
        }
        if unit.offsets_add {
            let units = Units { kernel, rows, lines };
            // SAFETY: as this function demands of its caller.
            unsafe { Copier::<WRITE, false, R, K> { job, unit, units }.copy(&span, order) }
        } else {
            let units = Units { kernel, rows, lines };
            // SAFETY: as above.
            unsafe { Copier::<WRITE, true, R, K> { job, unit, units }.copy(&span, order) }
        }
    }
}

/// How a unit of one pattern is copied. Unless `FLIP`, offsets are sums, which leaves less to compute.
pub(super) struct Units<const WRITE: bool, const FLIP: bool, const R: usize, K> {
    pub(super) kernel: K,
    /// Bytes from a unit's first row to each.
    pub(super) rows: [usize; R],
    /// What to add to, or flip in, the offset of a unit's line 0 for each.
    pub(super) lines: [usize; R],
}

impl<const WRITE: bool, const FLIP: bool, const R: usize, K: UnitKernel<R>> Units<WRITE, FLIP, R, K> {
    /// Copies the unit whose first row begins at `linear`, and whose first line lies at `offset` from `blocks`.
    ///
    /// # Safety
    /// As [`Walk::copy`] demands; the unit is one of those that are copied.
    #[inline(always)]
    pub(super) unsafe fn copy(&self, linear: *mut u8, blocks: *mut u8, offset: usize) {
        let (linear, first) = (K::unknown(linear), K::unknown(blocks.wrapping_add(offset)));
        let (mut rows, mut lines) = ([linear; R], [first; R]);
        // By index: what takes a closure may be left as a call, which costs more than the copy.
        for index in 1..R {
            rows[index] = linear.wrapping_add(self.rows[index]);
            lines[index] = if FLIP {
                blocks.wrapping_add(offset ^ self.lines[index])
            } else {
                first.wrapping_add(self.lines[index])
            };
        }
        let (from, to) = if WRITE { (rows, lines) } else { (lines, rows) };
        // SAFETY: the caller promises that each row and each line of the unit is part of the copy.
        unsafe { self.kernel.copy(from, to) }
    }
}

/// A row of units of a strip.
#[derive(Clone, Copy)]
struct StripRow {
    /// Its next byte in the rows.
    linear: *mut u8,
    /// Where its blocks begin; unless offsets flip, moved by `flips`.
    blocks: *mut u8,
    /// What is flipped of the offsets of all its lines.
    flips: usize,
}

/// How a row of units of a strip differs from the first.
#[derive(Clone, Copy)]
struct Beside {
    /// Bytes in the rows.
    linear: usize,
    /// Of the offsets of its lines.
    flips: usize,
}

/// Rows of the strip behind this one, asked for row by row. A processor foresees a row's lines, but only behind a few of
/// them, and it keeps the streams of different pages apart: the lines of several short rows in one page, taken in turns, are
/// no stream to it. In their own order they are.
struct RowsAhead<'a, const N: usize, const R: usize> {
    /// The first row of that strip.
    next: *mut u8,
    beside: &'a [Beside; N],
    /// Bytes from a unit's first row to each.
    rows: &'a [usize; R],
    /// The row that is asked for, of `N * R`.
    row: usize,
    /// Its next line.
    line: *mut u8,
    /// How many of its lines are left.
    left: usize,
    /// Of each row.
    lines: usize,
}

impl<'a, const N: usize, const R: usize> RowsAhead<'a, N, R> {
    /// Rows of at most so many bytes (chosen: 512 bytes gain a half and more, 1 KiB two fifths, 2 KiB a tenth, and from
    /// 4 KiB on it costs a sixth; measured around the caches).
    const LONGEST: u64 = 2 << 10;

    #[inline(always)]
    fn new(next: *mut u8, beside: &'a [Beside; N], rows: &'a [usize; R], lines: usize) -> Self {
        RowsAhead { next, beside, rows, row: 0, line: next, left: lines, lines }
    }

    /// As many lines as a column of units has.
    #[inline(always)]
    fn column<K: UnitKernel<R>>(&mut self, kernel: K) {
        for _ in 0..N * R {
            kernel.prefetch(self.line);
            self.line = self.line.wrapping_add(LINE);
            self.left -= 1;
            if self.left == 0 {
                self.left = self.lines;
                self.row = (self.row + 1) % (N * R);
                let (beside, row) = (self.beside[self.row / R].linear, self.rows[self.row % R]);
                self.line = self.next.wrapping_add(beside).wrapping_add(row);
            }
        }
    }
}

/// `flips` as far as it chooses a line.
#[inline(always)]
pub(super) fn lines_of(flips: u64) -> usize {
    distance(flips >> LINE_LOG2 << LINE_LOG2)
}

/// Copies of one pattern.
struct Copier<'a, const WRITE: bool, const FLIP: bool, const R: usize, K> {
    job: &'a Job<'a>,
    unit: &'a Unit,
    units: Units<WRITE, FLIP, R, K>,
}

impl<const WRITE: bool, const FLIP: bool, const R: usize, K: UnitKernel<R>> Copier<'_, WRITE, FLIP, R, K> {
    /// # Safety
    /// As [`Walk::copy`] demands; `span` is part of the job's and made of whole units.
    #[inline(always)]
    unsafe fn copy(&self, span: &Span, order: Order) {
        match (order, &self.unit.chunk) {
            // SAFETY: as this function demands of its caller.
            (Order::Addresses, Some(chunk)) if !WRITE => unsafe { self.blocks(chunk, span) },
            // SAFETY: as above.
            _ => unsafe { self.strips(span) },
        }
    }

    /// # Safety
    /// As [`Walk::copy`] demands; `span` is part of the job's and made of whole units.
    #[inline(always)]
    unsafe fn strips(&self, span: &Span) {
        let group = &self.unit.group;
        let mut whole = *span;
        if !span.is_whole(&group.boxes) {
            whole = span.whole(&group.boxes);
            if whole.is_empty() {
                // SAFETY: as this function demands of its caller.
                unsafe { self.strips_of::<1>(span, self.unit.extent) }
                return;
            }
            for slab in span.around(&whole) {
                // SAFETY: as above, for a part of the span.
                unsafe { self.strips_of::<1>(&slab, self.unit.extent) }
            }
        }
        match group.count_log2 {
            // SAFETY: as this function demands of its caller.
            0 => unsafe { self.strips_of::<1>(&whole, group.extent) },
            // SAFETY: as above.
            1 => unsafe { self.strips_of::<2>(&whole, group.extent) },
            // SAFETY: as above; a group is no larger.
            _ => unsafe { self.strips_of::<MAX_GROUP>(&whole, group.extent) },
        }
    }

    /// Strips of the first `N` units of the group.
    ///
    /// # Safety
    /// As [`Copier::strips`] demands; these units have `extent`, and the span is made of whole ones.
    #[inline(always)]
    unsafe fn strips_of<const N: usize>(&self, span: &Span, extent: Coordinates) {
        let (job, pattern) = (self.job, self.job.pattern);
        let mut beside = [Beside { linear: 0, flips: 0 }; N];
        for index in 1..N {
            let at = self.unit.group.units[index];
            let flips = lines_of(pattern.y(at.y.into()) ^ pattern.z(at.z.into()));
            beside[index] = Beside { linear: job.linear_step(at), flips };
        }
        let along = (span.begin.x, span.end.x);
        let (y_bits, z_bits) = (u64::from(extent.y), u64::from(extent.z));
        let rows_are_short = job.stream && job.pitch.row <= RowsAhead::<N, R>::LONGEST;
        let mut z = span.begin.z;
        while z < span.end.z {
            let fixed = job.fixed ^ pattern.z(z);
            let mut y = span.begin.y;
            while y < span.end.y {
                let first = StripRow {
                    linear: job.linear_at(At { x: span.begin.x, y, z }),
                    blocks: job.row_of_blocks(y, z),
                    flips: lines_of(fixed ^ pattern.y(y)),
                };
                let behind = ((y | y_bits) + 1) & !y_bits;
                if WRITE && rows_are_short {
                    let end = behind >= span.end.y;
                    let next = if end { (span.begin.y, ((z | z_bits) + 1) & !z_bits) } else { (behind, z) };
                    let next = job.linear_at(At { x: span.begin.x, y: next.0, z: next.1 });
                    // SAFETY: units of the span, which the caller promises.
                    unsafe { self.strip::<N, true>(first, &beside, along, next) }
                } else {
                    // SAFETY: as above.
                    unsafe { self.strip::<N, false>(first, &beside, along, first.linear) }
                }
                y = behind;
            }
            z = ((z | z_bits) + 1) & !z_bits;
        }
    }

    /// # Safety
    /// As [`Walk::copy`] demands; from the first of `along` up to the second `first` and the units beside it are
    /// whole units of the span.
    #[inline(always)]
    unsafe fn strip<const N: usize, const AHEAD: bool>(
        &self,
        first: StripRow,
        beside: &[Beside; N],
        along: (u64, u64),
        next: *mut u8,
    ) {
        /// What one table of the pattern resolves.
        const TABLE: u64 = 64 << LINE_LOG2;
        let pattern = self.job.pattern;
        // So many rows as are constant, so that a processor sees each as a stream of its own.
        let mut rows = [first; N];
        for index in 1..N {
            rows[index].linear = first.linear.wrapping_add(beside[index].linear);
            rows[index].flips = first.flips ^ beside[index].flips;
        }
        if !FLIP {
            for row in &mut rows {
                row.blocks = row.blocks.wrapping_add(row.flips);
            }
        }
        let (mut x, end) = along;
        let lines_of_row = distance((end - x) >> LINE_LOG2);
        let mut ahead = RowsAhead::new(next, beside, &self.units.rows, lines_of_row);
        while x < end {
            let part_end = end.min((x | (TABLE - 1)) + 1);
            let high = distance(pattern.x_high(x));
            let lines = distance((x & (TABLE - 1)) >> LINE_LOG2)
                ..distance(((part_end - 1) & (TABLE - 1)) >> LINE_LOG2) + 1;
            for flips in &pattern.x_lines()[lines] {
                let offset = distance(*flips) ^ high;
                if AHEAD {
                    ahead.column(self.units.kernel);
                }
                for row in &mut rows {
                    let offset = if FLIP { offset ^ row.flips } else { offset };
                    // SAFETY: a unit of the span, which the caller promises.
                    unsafe { self.units.copy(row.linear, row.blocks, offset) }
                    row.linear = row.linear.wrapping_add(LINE);
                }
            }
            x = part_end;
        }
    }

    /// # Safety
    /// As [`Walk::copy`] demands; `span` is part of the job's and made of whole units.
    #[inline(always)]
    unsafe fn blocks(&self, chunk: &Chunk, span: &Span) {
        let block = self.job.pattern.block();
        let range = |begin: u64, end: u64, log2: u8| begin >> log2..((end - 1) >> log2) + 1;
        for z in range(span.begin.z, span.end.z, block.z_log2) {
            for y in range(span.begin.y, span.end.y, block.y_log2) {
                for x in range(span.begin.x, span.end.x, block.x_bytes_log2) {
                    let corner =
                        At { x: x << block.x_bytes_log2, y: y << block.y_log2, z: z << block.z_log2 };
                    // SAFETY: as this function demands of its caller.
                    unsafe { self.block(chunk, span, corner) }
                }
            }
        }
    }

    /// The part of `span` in the block whose first byte is at `corner`.
    ///
    /// # Safety
    /// As [`Copier::blocks`] demands.
    #[inline(always)]
    unsafe fn block(&self, chunk: &Chunk, span: &Span, corner: At) {
        /// A box with less than one in so many of a block's bytes is not worth looking at all its chunks.
        const SPARSE: u64 = 16;
        let (job, pattern) = (self.job, self.job.pattern);
        let block = pattern.block();
        let own_samples = block.bytes() >> block.samples_log2;
        let end = At {
            x: corner.x + (1 << block.x_bytes_log2),
            y: corner.y + (1 << block.y_log2),
            z: corner.z + (1 << block.z_log2),
        };
        let part = span.intersection(&Span { begin: corner, end });
        let bytes = part.bytes();
        if bytes < own_samples / SPARSE {
            // SAFETY: as this function demands of its caller; blocks are made of whole units.
            unsafe { self.strips(&part) }
            return;
        }
        let column = corner.x >> block.x_bytes_log2 << block.bytes_log2;
        let blocks = job.row_of_blocks(corner.y, corner.z).wrapping_add(distance(column));
        let inside = |flips: u64| flips & (block.bytes() - 1);
        let outer = inside(pattern.x(corner.x)) ^ pattern.y(corner.y) ^ pattern.z(corner.z) ^ job.fixed;
        let outer = outer >> LINE_LOG2 << LINE_LOG2;
        let mut begin = pattern.step(self.unit, outer);
        begin.offset ^= outer;
        for index in 0_u64..1 << (block.bytes_log2 - chunk.log2) {
            let first = blocks.wrapping_add(distance(index << chunk.log2));
            // SAFETY: as this function demands of its caller.
            unsafe { self.chunk(chunk, &part, corner, begin, blocks, first) }
            let next = chunk.steps.get(distance(u64::from((index + 1).trailing_zeros())));
            begin = begin.then(next.copied().unwrap_or_default());
        }
    }

    /// What of `part` lies in the chunk that `begin` leads to from `corner`, and whose first byte is `first`.
    ///
    /// # Safety
    /// As [`Copier::blocks`] demands.
    #[inline(always)]
    unsafe fn chunk(
        &self,
        chunk: &Chunk,
        part: &Span,
        corner: At,
        begin: Step,
        blocks: *mut u8,
        first: *mut u8,
    ) {
        /// Bytes, as an exponent, of chunks that are touched ahead: a page.
        const AHEAD_LOG2: u8 = 12;
        let low = begin.at.without(chunk.extent);
        let high = begin.at.union(chunk.extent);
        let place = |at: Coordinates| At {
            x: corner.x | at.x,
            y: corner.y | u64::from(at.y),
            z: corner.z | u64::from(at.z),
        };
        // Samples are counted from the job's.
        if low.sample != 0 {
            return;
        }
        let one_sample = chunk.extent.sample == 0;
        let (low, high) = (place(low), place(high));
        let apart = |low, high, begin, end| high < begin || low >= end;
        if apart(low.x, high.x, part.begin.x, part.end.x)
            || apart(low.y, high.y, part.begin.y, part.end.y)
            || apart(low.z, high.z, part.begin.z, part.end.z)
        {
            return;
        }
        // Touched in order, lines are foreseen: all before the first is used, or where they are many, those of
        // the next chunk meanwhile (measured).
        let ahead = chunk.log2 >= AHEAD_LOG2;
        let mut touched = if ahead { first.wrapping_add(1 << chunk.log2) } else { first };
        if !ahead {
            for _ in 0..1_usize << (chunk.log2 - LINE_LOG2) {
                self.units.kernel.prefetch(touched);
                touched = touched.wrapping_add(LINE);
            }
        }
        let within = |low, high, begin, end| begin <= low && high < end;
        let whole = one_sample
            && within(low.x, high.x, part.begin.x, part.end.x)
            && within(low.y, high.y, part.begin.y, part.end.y)
            && within(low.z, high.z, part.begin.z, part.end.z);
        for step in &chunk.units {
            if ahead {
                for _ in 0..R {
                    self.units.kernel.prefetch(touched);
                    touched = touched.wrapping_add(LINE);
                }
            }
            let unit = begin.then(*step);
            let at = place(unit.at);
            let inside = whole
                || (unit.at.sample == 0
                    && within(at.x, at.x, part.begin.x, part.end.x)
                    && within(at.y, at.y, part.begin.y, part.end.y)
                    && within(at.z, at.z, part.begin.z, part.end.z));
            if inside {
                // SAFETY: a unit whose first byte lies in a span of whole units lies in it.
                unsafe { self.units.copy(self.job.linear_at(at), blocks, distance(unit.offset)) }
            }
        }
    }
}
