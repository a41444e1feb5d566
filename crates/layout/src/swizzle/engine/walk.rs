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

use super::job::{At, Job, Span, distance};
use super::kernel::UnitKernel;
use super::runs;
use super::unit::{Chunk, LINE, LINE_LOG2, MAX_GROUP, Step, Unit};

/// How a box is gone over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// In strips of rows.
    Strips,
    /// In the order of swizzled addresses, where the pattern has chunks.
    Addresses,
}

/// Copies the job's span, to the surface if `WRITE` and else from it.
///
/// # Safety
/// As [`super::SwizzledImage::write_raw`] and `read_raw` demand; `unit` is the pattern's, has `R` rows, and
/// the kernel is of it and of this direction. If the kernel streams, lines (if `WRITE`) or lines of rows
/// begin at multiples of 64.
#[inline(always)]
pub(super) unsafe fn copy<const WRITE: bool, const R: usize, K: UnitKernel<R>>(
    job: &Job<'_>,
    unit: &Unit,
    kernel: K,
    order: Order,
) {
    let body = job.span.whole(unit.extent);
    if body.is_empty() {
        // SAFETY: as this function demands of its caller.
        unsafe { runs::copy::<WRITE>(job, &job.span) }
        return;
    }
    if body != job.span {
        for slab in job.span.around(&body) {
            // SAFETY: as this function demands of its caller, for a part of the span.
            unsafe { runs::copy::<WRITE>(job, &slab) }
        }
    }
    let copier = Copier {
        job,
        unit,
        kernel,
        rows: core::array::from_fn(|row| job.linear_step(unit.rows[row])),
        lines: core::array::from_fn(|line| distance(unit.lines[line])),
    };
    match (order, &unit.chunk) {
        // SAFETY: as this function demands of its caller; the body is made of whole units.
        (Order::Addresses, Some(chunk)) => unsafe { copier.blocks::<WRITE>(chunk, &body) },
        // SAFETY: as above.
        _ => unsafe { copier.strips::<WRITE>(&body) },
    }
    // SAFETY: as this function demands of its caller.
    unsafe { kernel.finish() }
}

/// A row of units of a strip.
#[derive(Clone, Copy)]
struct StripRow {
    /// Its first byte in the rows.
    linear: *mut u8,
    /// What is flipped of the offsets of all its lines.
    flips: usize,
}

struct Copier<'a, const R: usize, K> {
    job: &'a Job<'a>,
    unit: &'a Unit,
    kernel: K,
    /// Bytes from a unit's first row to each.
    rows: [usize; R],
    /// What to flip in the offset of a unit's line 0 for each.
    lines: [usize; R],
}

impl<const R: usize, K: UnitKernel<R>> Copier<'_, R, K> {
    /// Copies the unit whose first row begins at `linear`, and whose lines lie at `offset` of `blocks`.
    ///
    /// # Safety
    /// As [`copy`] demands, and the unit lies in the span.
    #[inline(always)]
    unsafe fn unit<const WRITE: bool>(&self, linear: *mut u8, blocks: *mut u8, offset: usize) {
        let rows = self.rows.map(|step| linear.wrapping_add(step));
        let lines = self.lines.map(|flips| blocks.wrapping_add(offset ^ flips));
        let (from, to) = if WRITE { (rows, lines) } else { (lines, rows) };
        // SAFETY: the caller promises that each row and each line of the unit is part of the copy.
        unsafe { self.kernel.copy(from.map(<*mut u8>::cast_const), to) }
    }

    /// # Safety
    /// As [`copy`] demands; `span` is part of the job's and made of whole units.
    #[inline(always)]
    unsafe fn strips<const WRITE: bool>(&self, span: &Span) {
        let (job, pattern) = (self.job, self.job.pattern);
        let y_bits = u64::from(self.unit.extent.y);
        let z_bits = u64::from(self.unit.extent.z);
        let group = y_bits | u64::from(self.unit.group);
        let mut z = span.begin.z;
        while z < span.end.z {
            let fixed = job.fixed ^ pattern.z(z);
            let mut y = span.begin.y;
            while y < span.end.y {
                let blocks = job.row_of_blocks(y, z);
                let end = span.end.y.min((y | group) + 1);
                let mut rows = [StripRow { linear: job.linear, flips: 0 }; MAX_GROUP];
                let mut count = 0;
                while y < end && count < MAX_GROUP {
                    rows[count] = StripRow {
                        linear: job.linear_at(At { x: span.begin.x, y, z }),
                        flips: distance((fixed ^ pattern.y(y)) >> LINE_LOG2 << LINE_LOG2),
                    };
                    count += 1;
                    y = ((y | y_bits) + 1) & !y_bits;
                }
                // SAFETY: rows of units of the span, which the caller promises.
                unsafe { self.strip::<WRITE>(blocks, &rows[..count], span.begin.x, span.end.x) }
            }
            z = ((z | z_bits) + 1) & !z_bits;
        }
    }

    /// # Safety
    /// As [`copy`] demands; the rows from `begin` up to `end` are whole units of the span.
    #[inline(always)]
    unsafe fn strip<const WRITE: bool>(&self, blocks: *mut u8, rows: &[StripRow], begin: u64, end: u64) {
        /// What one table of the pattern resolves.
        const TABLE: u64 = 64 << LINE_LOG2;
        let pattern = self.job.pattern;
        let mut x = begin;
        let mut along = 0;
        while x < end {
            let part_end = end.min((x | (TABLE - 1)) + 1);
            let high = distance(pattern.x_high(x));
            let lines = distance((x & (TABLE - 1)) >> LINE_LOG2)
                ..distance(((part_end - 1) & (TABLE - 1)) >> LINE_LOG2) + 1;
            for flips in &pattern.x_lines()[lines] {
                let offset = distance(*flips) ^ high;
                for row in rows {
                    let linear = row.linear.wrapping_add(along);
                    // SAFETY: a unit of the span, which the caller promises.
                    unsafe { self.unit::<WRITE>(linear, blocks, offset ^ row.flips) }
                }
                along += LINE;
            }
            x = part_end;
        }
    }

    /// # Safety
    /// As [`copy`] demands; `span` is part of the job's and made of whole units.
    #[inline(always)]
    unsafe fn blocks<const WRITE: bool>(&self, chunk: &Chunk, span: &Span) {
        let block = self.job.pattern.block();
        let range = |begin: u64, end: u64, log2: u8| begin >> log2..((end - 1) >> log2) + 1;
        for z in range(span.begin.z, span.end.z, block.z_log2) {
            for y in range(span.begin.y, span.end.y, block.y_log2) {
                for x in range(span.begin.x, span.end.x, block.x_bytes_log2) {
                    let corner =
                        At { x: x << block.x_bytes_log2, y: y << block.y_log2, z: z << block.z_log2 };
                    // SAFETY: as this function demands of its caller.
                    unsafe { self.block::<WRITE>(chunk, span, corner) }
                }
            }
        }
    }

    /// The part of `span` in the block whose first byte is at `corner`.
    ///
    /// # Safety
    /// As [`Copier::blocks`] demands.
    #[inline(always)]
    unsafe fn block<const WRITE: bool>(&self, chunk: &Chunk, span: &Span, corner: At) {
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
            unsafe { self.strips::<WRITE>(&part) }
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
            unsafe { self.chunk::<WRITE>(chunk, &part, corner, begin, blocks, first) }
            let next = chunk.steps.get(distance(u64::from((index + 1).trailing_zeros())));
            begin = begin.then(next.copied().unwrap_or_default());
        }
    }

    /// What of `part` lies in the chunk that `begin` leads to from `corner`, and whose first byte is `first`.
    ///
    /// # Safety
    /// As [`Copier::blocks`] demands.
    #[inline(always)]
    unsafe fn chunk<const WRITE: bool>(
        &self,
        chunk: &Chunk,
        part: &Span,
        corner: At,
        begin: Step,
        blocks: *mut u8,
        first: *mut u8,
    ) {
        let low = begin.at.without(chunk.extent);
        let high = begin.at.union(chunk.extent);
        let place = |at: super::gf2::Coordinates| At {
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
        // Touched in order, lines are foreseen.
        for line in 0..1_usize << (chunk.log2 - LINE_LOG2) {
            self.kernel.prefetch(first.wrapping_add(line * LINE));
        }
        let within = |low, high, begin, end| begin <= low && high < end;
        let whole = one_sample
            && within(low.x, high.x, part.begin.x, part.end.x)
            && within(low.y, high.y, part.begin.y, part.end.y)
            && within(low.z, high.z, part.begin.z, part.end.z);
        for step in &chunk.units {
            let unit = begin.then(*step);
            let at = place(unit.at);
            let inside = whole
                || (unit.at.sample == 0
                    && within(at.x, at.x, part.begin.x, part.end.x)
                    && within(at.y, at.y, part.begin.y, part.end.y)
                    && within(at.z, at.z, part.begin.z, part.end.z));
            if inside {
                // SAFETY: a unit whose first byte lies in a span of whole units lies in it.
                unsafe { self.unit::<WRITE>(self.job.linear_at(at), blocks, distance(unit.offset)) }
            }
        }
    }
}
