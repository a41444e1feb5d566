//! Copying in strips: units side by side along the rows, a few above each other.

use super::gf2::Coordinates;
use super::job::{At, Span, Stores, distance};
use super::kernel::UnitKernel;
use super::stage::Stage;
use super::unit::{LINE, LINE_LOG2, MAX_GROUP, MAX_ROWS};
use super::walk::{Copier, Units, lines_of};

/// What one strip reads, at most, to be asked for while the one before it is copied. What is asked for has to stay in the
/// second-level cache until then. Chosen: with rows of 512 bytes to 8 KiB that is 1.05 to 1.6 times as fast where they
/// come from memory; with longer ones a processor foresees enough by itself, and 128 KiB cost a twentieth (measured).
const AHEAD_BYTES: u64 = 64 << 10;

/// The first row of units of a strip, or one beside it.
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

/// The strips of a span: where each begins, and where the one behind it does, which is past the end for the last.
struct Strips {
    span: Span,
    /// Bits of y and z within a strip.
    within: (u64, u64),
    next: At,
}

impl Strips {
    #[inline(always)]
    fn new(span: &Span, extent: Coordinates) -> Strips {
        Strips { span: *span, within: (extent.y.into(), extent.z.into()), next: span.begin }
    }
}

impl Iterator for Strips {
    type Item = (At, At);

    #[inline(always)]
    fn next(&mut self) -> Option<(At, At)> {
        let (at, end) = (self.next, self.span.end);
        if at.z >= end.z || at.y >= end.y {
            return None;
        }
        let behind = |at: u64, within: u64| ((at | within) + 1) & !within;
        let y = behind(at.y, self.within.0);
        self.next = if y < end.y {
            At { y, ..at }
        } else {
            At { y: self.span.begin.y, z: behind(at.z, self.within.1), ..at }
        };
        Some((at, self.next))
    }
}

impl<const WRITE: bool, const FLIP: bool, const R: usize, K: UnitKernel<R>> Copier<'_, WRITE, FLIP, R, K> {
    /// # Safety
    /// As [`Walk::copy`](super::walk::Walk::copy) demands; `span` is part of the job's and made of whole units.
    #[inline(always)]
    pub(super) unsafe fn strips(&self, span: &Span) {
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
                if slab.is_empty() {
                    continue;
                }
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
        assert!(N * R <= MAX_ROWS, "invariant: groups have no more rows than the largest unit");
        let (job, pattern) = (self.job, self.job.pattern);
        let mut beside = [Beside { linear: 0, flips: 0 }; N];
        for index in 1..N {
            let at = self.unit.group.units[index];
            let flips = lines_of(pattern.y(at.y.into()) ^ pattern.z(at.z.into()));
            beside[index] = Beside { linear: job.linear_step(at), flips };
        }
        if !WRITE && job.stores == Stores::Staged {
            // SAFETY: as this function demands of its caller.
            unsafe { self.staged_strips_of(span, extent, beside) }
            return;
        }
        let along = (span.begin.x, span.end.x);
        let strip_bytes = (along.1.saturating_sub(along.0)).saturating_mul((N * R) as u64);
        // One row alone is read in order, if it is one of rows.
        let ahead = job.far && (N * R > 1 || !WRITE) && strip_bytes <= AHEAD_BYTES;
        for (at, behind) in Strips::new(span, extent) {
            let first = self.strip_row(at);
            if ahead && behind.z < span.end.z {
                // SAFETY: units of the span, which the caller promises.
                unsafe { self.strip::<N, true>(first, &beside, along, self.strip_row(behind)) }
            } else {
                // SAFETY: as above.
                unsafe { self.strip::<N, false>(first, &beside, along, first) }
            }
        }
    }

    /// The same into rows that begin beside lines, by way of a stage. In columns as wide as strips may be that are asked
    /// for ahead, which all are: lines that are written in parts, at the sides of each, are few then.
    ///
    /// # Safety
    /// As [`Copier::strips_of`] demands; the job is one that reads.
    #[inline(always)]
    unsafe fn staged_strips_of<const N: usize>(&self, span: &Span, extent: Coordinates, beside: [Beside; N]) {
        let (mut rows, mut staged_beside) = (self.units.rows, beside);
        for index in 0..R {
            rows[index] = Stage::row(index);
        }
        for index in 0..N {
            staged_beside[index].linear = Stage::row(index * R);
        }
        let units = Units { kernel: self.units.kernel, rows, lines: self.units.lines };
        let staged = Copier::<WRITE, FLIP, R, K> { job: self.job, unit: self.unit, units };
        let mut stage = Stage::new(self.job.backend);
        for column in span.columns(AHEAD_BYTES / (N * R) as u64) {
            let (begin, end) = (column.begin.x, column.end.x);
            for (at, behind) in Strips::new(&column, extent) {
                let first = self.strip_row(at);
                // Behind the last is nothing: its own lines are asked for, which are on their way.
                let next = if behind.z < column.end.z { self.strip_row(behind) } else { first };
                for index in 0..N {
                    let linear = first.linear.wrapping_add(beside[index].linear);
                    for row in 0..R {
                        stage.begin(index * R + row, linear.wrapping_add(self.units.rows[row]));
                    }
                }
                let mut x = begin;
                while x < end {
                    let part_end = end.min((x | (Stage::PART - 1)) + 1);
                    let part = StripRow { linear: stage.linear(), ..first };
                    // SAFETY: as this function demands of its caller on the side of lines; the stage has room for a part
                    // of each of a strip's rows, which are `MAX_ROWS` at most.
                    unsafe { staged.strip::<N, true>(part, &staged_beside, (x, part_end), next) }
                    // SAFETY: the bytes from `x` up to `part_end` of each row of the strip are the caller's.
                    unsafe { stage.write(N * R, distance(part_end - x), part_end == end) }
                    x = part_end;
                }
            }
        }
    }

    /// The first row of units of the strip at `at`.
    #[inline(always)]
    fn strip_row(&self, at: At) -> StripRow {
        let (job, pattern) = (self.job, self.job.pattern);
        StripRow {
            linear: job.linear_at(at),
            blocks: job.row_of_blocks(at.y, at.z),
            flips: lines_of(job.fixed ^ pattern.z(at.z) ^ pattern.y(at.y)),
        }
    }

    /// `next` is the strip behind it, which is asked for if `AHEAD`: from the side that is read, into the second-level
    /// cache. In the first-level cache it would drive out what is being copied.
    ///
    /// # Safety
    /// As [`Walk::copy`](super::walk::Walk::copy) demands; from the first of `along` up to the second `first` and the
    /// units beside it are whole units of the span.
    #[inline(always)]
    unsafe fn strip<const N: usize, const AHEAD: bool>(
        &self,
        first: StripRow,
        beside: &[Beside; N],
        along: (u64, u64),
        next: StripRow,
    ) {
        /// What one table of the pattern resolves.
        const TABLE: u64 = 64 << LINE_LOG2;
        let pattern = self.job.pattern;
        let moved = |row: StripRow| if FLIP { row.blocks } else { row.blocks.wrapping_add(row.flips) };
        let ahead = Beside {
            linear: next.linear.addr().wrapping_sub(first.linear.addr()),
            flips: next.flips ^ first.flips,
        };
        let blocks_ahead = moved(next).addr().wrapping_sub(moved(first).addr());
        // So many rows as are constant, so that a processor sees each as a stream of its own.
        let mut rows = [first; N];
        for index in 0..N {
            let flips = first.flips ^ beside[index].flips;
            let linear = first.linear.wrapping_add(beside[index].linear);
            rows[index] = StripRow { linear, blocks: moved(StripRow { flips, ..first }), flips };
        }
        let (mut x, end) = along;
        while x < end {
            let part_end = end.min((x | (TABLE - 1)) + 1);
            let high = distance(pattern.x_high(x));
            let lines = distance((x & (TABLE - 1)) >> LINE_LOG2)
                ..distance(((part_end - 1) & (TABLE - 1)) >> LINE_LOG2) + 1;
            for flips in &pattern.x_lines()[lines] {
                let offset = distance(*flips) ^ high;
                if AHEAD {
                    for row in &rows {
                        let offset = if FLIP { offset ^ row.flips ^ ahead.flips } else { offset };
                        let linear = row.linear.wrapping_add(ahead.linear);
                        self.units.prefetch(linear, row.blocks.wrapping_add(blocks_ahead), offset);
                    }
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
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::super::walk::{Body, Order, Walk};
    use super::super::{Backend, CompiledPattern, LinearPitch, SwizzleRegion, SwizzledImage};
    use super::*;
    use crate::swizzle::{BlockStrides, named_pattern};

    /// What a copy reads and asks for, by address. Nothing is accessed.
    #[derive(Default)]
    struct Seen {
        read: Vec<usize>,
        asked: Vec<usize>,
    }

    #[derive(Clone, Copy)]
    struct Recorder<'a>(&'a RefCell<Seen>);

    impl<const R: usize> UnitKernel<R> for Recorder<'_> {
        unsafe fn copy(self, from: [*mut u8; R], _to: [*mut u8; R]) {
            self.0.borrow_mut().read.extend(from.map(|from| from.addr()));
        }

        fn unknown(at: *mut u8) -> *mut u8 {
            at
        }

        fn prefetch(self, _at: *const u8) {}

        fn prefetch_second_level(self, at: *const u8) {
            self.0.borrow_mut().asked.push(at.addr());
        }
    }

    fn asks_ahead<const WRITE: bool>(name: &str, adds: bool, width_bytes: u64, size: (u32, u32)) {
        let pattern = CompiledPattern::new(&named_pattern(name).expect("a name").pattern).expect("a pattern");
        let unit = pattern.unit().expect("lines");
        assert!(unit.rows_log2 == 2 && unit.offsets_add == adds && unit.group.count_log2 == 1, "{name}");
        let strides = BlockStrides { row: 1 << 20, slice: 1 << 26, stacked_rows: 0 };
        let image = SwizzledImage { pattern: &pattern, strides };
        let pitch = LinearPitch { row: width_bytes + 192, slice: (width_bytes + 192) << 10 };
        let (height, depth) = size;
        let region = SwizzleRegion { y: 8, z: 0, width_bytes, height, depth, ..SwizzleRegion::default() };
        // Addresses that lie far from each other, of nothing.
        let place = |at: usize| std::ptr::null_mut::<u8>().wrapping_add(at);
        let mut job = image.job(Backend::Portable, place(1 << 40), &region, place(1 << 44), pitch);
        job.far = true;
        let seen = RefCell::new(Seen::default());
        let body = Body { job: &job, unit, span: job.span, order: Order::Strips };
        // SAFETY: the kernel accesses no memory; the unit has four rows.
        unsafe { body.copy::<WRITE, 4, _>(Recorder(&seen)) }
        let Seen { read, asked } = seen.into_inner();
        let strip = usize::try_from(width_bytes / 64).expect("small") * 8;
        assert!(read.len() > 3 * strip);
        assert!(asked == read[strip..], "{name}, WRITE {WRITE}: each strip asks for the next");
    }

    #[test]
    fn what_is_asked_for_is_what_the_next_strip_reads() {
        for (name, adds, size) in [
            ("standard_64KB_2D_32bpp", true, (48, 1)),
            ("standard_64KB_3D_32bpp", true, (40, 8)),
            ("amd_gfx10_navi10_SW_64KB_S_X_2d_32bpp", false, (272, 1)),
        ] {
            for width_bytes in [128, 4096 + 256, 8192] {
                asks_ahead::<true>(name, adds, width_bytes, size);
                asks_ahead::<false>(name, adds, width_bytes, size);
            }
        }
    }

    #[test]
    fn what_a_processor_foresees_is_not_asked_for() {
        let name = "standard_64KB_2D_32bpp";
        let pattern = CompiledPattern::new(&named_pattern(name).expect("a name").pattern).expect("a pattern");
        let strides = BlockStrides { row: 1 << 20, slice: 0, stacked_rows: 0 };
        let image = SwizzledImage { pattern: &pattern, strides };
        let width_bytes = AHEAD_BYTES / 8 + 64;
        let region = SwizzleRegion { width_bytes, height: 64, depth: 1, ..SwizzleRegion::default() };
        let pitch = LinearPitch { row: width_bytes, slice: 0 };
        let null = std::ptr::null_mut();
        for (width, far, asks) in [(width_bytes, true, false), (4096, false, false), (4096, true, true)] {
            let region = SwizzleRegion { width_bytes: width, ..region };
            let mut job = image.job(Backend::Portable, null, &region, null, pitch);
            job.far = far;
            let seen = RefCell::new(Seen::default());
            let unit = pattern.unit().expect("lines");
            let body = Body { job: &job, unit, span: job.span, order: Order::Strips };
            // SAFETY: the kernel accesses no memory; the unit has four rows.
            unsafe { body.copy::<true, 4, _>(Recorder(&seen)) }
            assert_eq!(!seen.into_inner().asked.is_empty(), asks, "{width} bytes, far: {far}");
        }
    }
}
