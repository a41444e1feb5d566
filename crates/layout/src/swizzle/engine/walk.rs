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
//! no processor foresees (half the speed to four fifths, measured with AVX-512); so where it is in no cache, reading
//! goes in the order of addresses, and each line of a row is written at once and whole. With AVX2 what goes around
//! the caches is read in [pieces](super::pieces) instead: processors that have no more are slow at the many rows which that
//! order writes to, where these are a power of two apart. Rows that begin beside lines are read in pieces too: in that
//! order their lines would be written in parts.

use super::job::{Job, Span, Stores, distance};
use super::kernel::{Kept, Places, UnitKernel};
use super::unit::{LINE_LOG2, MAX_ROWS, MAX_ROWS_LOG2, Unit};

/// How a box is gone over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// In strips of rows.
    Strips,
    /// In the order of swizzled addresses, where the pattern has chunks and rows are not staged: these go in pieces.
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
        // One by one, here and wherever kernels are part of the code: `map` of an array may be left as a call in a function
        // so large, here once for a copy and elsewhere for each strip.
        let ([first, second, fourth], [line_1, line_2, line_4]) = (unit.rows, unit.lines);
        let rows = Steps::new([job.linear_step(first), job.linear_step(second), job.linear_step(fourth)]);
        let lines = Steps::new([distance(line_1), distance(line_2), distance(line_4)]);
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
pub(super) struct Units<const WRITE: bool, const FLIP: bool, const R: usize, K: UnitKernel<R>> {
    pub(super) kernel: K,
    /// Bytes from a unit's first row to rows 1, 2 and 4.
    pub(super) rows: Steps<K::Kept>,
    /// What to add to, or flip in, the offset of a unit's line 0 for those of lines 1, 2 and 4.
    pub(super) lines: Steps<K::Kept>,
}

/// Steps from the first row or line of a unit to those with numbers 1, 2 and 4.
#[derive(Clone, Copy)]
pub(super) struct Steps<T> {
    /// The one that most addresses are made with.
    first: usize,
    others: [T; MAX_ROWS_LOG2 - 1],
}

impl<T: Kept> Steps<T> {
    /// Of three steps, of which those beyond the unit do not matter.
    #[inline(always)]
    pub(super) fn new([first, second, third]: [usize; MAX_ROWS_LOG2]) -> Steps<T> {
        Steps { first, others: [T::keep_distance(second), T::keep_distance(third)] }
    }

    /// All three.
    #[inline(always)]
    pub(super) fn all(self) -> [usize; MAX_ROWS_LOG2] {
        let [second, third] = self.others;
        [self.first, second.distance(), third.distance()]
    }

    /// As many of the others, after the first, as lead to `R` rows or lines; the rest is 0.
    #[inline(always)]
    fn of<const R: usize>(self) -> [usize; MAX_ROWS_LOG2] {
        let [second, third] = self.others;
        let second = if R > 2 { second.distance() } else { 0 };
        [self.first, second, if R > 4 { third.distance() } else { 0 }]
    }
}

/// Rows of a unit.
#[derive(Clone, Copy)]
struct Rows<T> {
    first: *mut u8,
    steps: Steps<T>,
}

/// Lines of a unit.
#[derive(Clone, Copy)]
pub(super) struct Lines<T, const FLIP: bool> {
    blocks: *mut u8,
    /// The first's.
    offset: usize,
    steps: Steps<T>,
}

impl<T: Kept> Places for Rows<T> {
    #[inline(always)]
    fn all<const R: usize>(self) -> [*mut u8; R] {
        let steps = self.steps.of::<R>();
        let mut rows = [unknown(self.first); R];
        // By index: what takes a closure may be left as a call, which costs more than the copy.
        for index in 1..R {
            let (from, step) = STEPS[index];
            rows[index] = rows[from].wrapping_add(steps[step]);
        }
        rows
    }
}

impl<T: Kept, const FLIP: bool> Places for Lines<T, FLIP> {
    #[inline(always)]
    fn all<const R: usize>(self) -> [*mut u8; R] {
        if !FLIP {
            return Rows { first: self.blocks.wrapping_add(self.offset), steps: self.steps }.all();
        }
        let steps = self.steps.of::<R>();
        let mut offsets = [unknown(std::ptr::without_provenance_mut(self.offset)).addr(); R];
        let mut lines = [self.blocks.wrapping_add(offsets[0]); R];
        for index in 1..R {
            let (from, step) = STEPS[index];
            offsets[index] = offsets[from] ^ steps[step];
            lines[index] = self.blocks.wrapping_add(offsets[index]);
        }
        lines
    }
}

/// For each row or line, from which before it which step leads there. To odd ones it is step 0 from the one before: it is
/// in a register of its own, and an instruction adds it by itself.
const STEPS: [(usize, usize); MAX_ROWS] = [(0, 0), (0, 0), (0, 1), (2, 0), (0, 2), (4, 0), (4, 1), (6, 0)];

/// `at` as a value that nothing is known of: what is made from it is made anew.
#[inline(always)]
pub(super) fn unknown(at: *mut u8) -> *mut u8 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        super::avx2::unknown(at)
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    {
        at
    }
}

impl<const WRITE: bool, const FLIP: bool, const R: usize, K: UnitKernel<R>> Units<WRITE, FLIP, R, K> {
    /// Copies the unit whose first row begins at `linear`, and whose first line lies at `offset` from `blocks`.
    ///
    /// # Safety
    /// As [`Walk::copy`] demands; the unit is one of those that are copied.
    #[inline(always)]
    pub(super) unsafe fn copy(&self, linear: *mut u8, blocks: *mut u8, offset: usize) {
        let (rows, lines) = (self.rows_at(linear), self.lines_at(blocks, offset));
        if WRITE {
            // SAFETY: the caller promises that each row and each line of the unit is part of the copy.
            unsafe { self.kernel.copy(rows, lines) }
        } else {
            // SAFETY: as above.
            unsafe { self.kernel.copy(lines, rows) }
        }
    }

    /// Asks for what copying the unit there reads, which may be anywhere, into the second-level cache.
    #[inline(always)]
    pub(super) fn prefetch(&self, linear: *mut u8, blocks: *mut u8, offset: usize) {
        let read: [_; R] =
            if WRITE { self.rows_at(linear).all() } else { self.lines_at(blocks, offset).all() };
        for at in read {
            self.kernel.prefetch_second_level(at);
        }
    }

    #[inline(always)]
    fn rows_at(&self, first: *mut u8) -> Rows<K::Kept> {
        Rows { first, steps: self.rows }
    }

    #[inline(always)]
    pub(super) fn lines_at(&self, blocks: *mut u8, offset: usize) -> Lines<K::Kept, FLIP> {
        Lines { blocks, offset, steps: self.lines }
    }
}

/// `flips` as far as it chooses a line.
#[inline(always)]
pub(super) fn lines_of(flips: u64) -> usize {
    distance(flips >> LINE_LOG2 << LINE_LOG2)
}

/// Copies of one pattern.
pub(super) struct Copier<'a, const WRITE: bool, const FLIP: bool, const R: usize, K: UnitKernel<R>> {
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
