//! The way over a box: unit by unit, in strips or in the order of addresses.
//!
//! ```text
//!   strips                                      order of addresses
//!   +--------------------------------+          +-------+-------+      a block after the other, in it a
//!   | -> unit, unit, unit, ...       |          | 1 2 5 | ...   |      chunk after the other, in it a unit
//!   |    of a few rows, side by side |          | 3 4 6 |       |      after the other
//!   +--------------------------------+          +-------+-------+
//! ```
//! Rows are read as a few streams that a processor foresees, with the strip behind asked for where they are short, and
//! lines may be written anywhere; so writing goes in strips. Read in strips, swizzled memory is a scatter of lines that
//! no processor foresees (half the speed to four fifths, measured); so where it is in no cache, reading goes in the order
//! of addresses, and each line of a row is written at once and whole. Rows that begin beside lines are the exception:
//! in that order their lines would be written in parts, so that they go in strips by way of a stage.

use super::job::{Job, Span, Stores, distance};
use super::kernel::UnitKernel;
use super::unit::{LINE_LOG2, Unit};

/// How a box is gone over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// In strips of rows.
    Strips,
    /// In the order of swizzled addresses, where the pattern has chunks and rows are not staged.
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

    /// Whether the kernel's own stores go around the caches.
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
        self.job.stores == Stores::Lines
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
        let (rows, lines) = (self.rows_at(linear), self.lines_at(blocks, offset));
        let (from, to) = if WRITE { (rows, lines) } else { (lines, rows) };
        // SAFETY: the caller promises that each row and each line of the unit is part of the copy.
        unsafe { self.kernel.copy(from, to) }
    }

    /// Asks for what copying the unit there reads, which may be anywhere, into the second-level cache.
    #[inline(always)]
    pub(super) fn prefetch(&self, linear: *mut u8, blocks: *mut u8, offset: usize) {
        let read = if WRITE { self.rows_at(linear) } else { self.lines_at(blocks, offset) };
        for at in read {
            self.kernel.prefetch_second_level(at);
        }
    }

    #[inline(always)]
    fn rows_at(&self, linear: *mut u8) -> [*mut u8; R] {
        let linear = K::unknown(linear);
        let mut rows = [linear; R];
        // By index: what takes a closure may be left as a call, which costs more than the copy.
        for index in 1..R {
            rows[index] = linear.wrapping_add(self.rows[index]);
        }
        rows
    }

    #[inline(always)]
    fn lines_at(&self, blocks: *mut u8, offset: usize) -> [*mut u8; R] {
        let first = K::unknown(blocks.wrapping_add(offset));
        let mut lines = [first; R];
        for index in 1..R {
            lines[index] = if FLIP {
                blocks.wrapping_add(offset ^ self.lines[index])
            } else {
                first.wrapping_add(self.lines[index])
            };
        }
        lines
    }
}

/// `flips` as far as it chooses a line.
#[inline(always)]
pub(super) fn lines_of(flips: u64) -> usize {
    distance(flips >> LINE_LOG2 << LINE_LOG2)
}

/// Copies of one pattern.
pub(super) struct Copier<'a, const WRITE: bool, const FLIP: bool, const R: usize, K> {
    pub(super) job: &'a Job<'a>,
    pub(super) unit: &'a Unit,
    pub(super) units: Units<WRITE, FLIP, R, K>,
}

impl<const WRITE: bool, const FLIP: bool, const R: usize, K: UnitKernel<R>> Copier<'_, WRITE, FLIP, R, K> {
    /// # Safety
    /// As [`Walk::copy`] demands; `span` is part of the job's and made of whole units.
    #[inline(always)]
    unsafe fn copy(&self, span: &Span, order: Order) {
        match (order, &self.unit.chunk) {
            // SAFETY: as this function demands of its caller.
            (Order::Addresses, Some(chunk)) if !WRITE && self.job.stores != Stores::Staged => unsafe {
                self.blocks(chunk, span)
            },
            // SAFETY: as above.
            _ => unsafe { self.strips(span) },
        }
    }
}
