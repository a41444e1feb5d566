//! Copying in strips: units side by side along the rows, a few above each other.

use super::gf2::Coordinates;
use super::job::{At, Span, Stores, distance};
use super::kernel::{Kept, UnitKernel};
use super::unit::{LINE, LINE_LOG2, MAX_GROUP, MAX_GROUP_LOG2, MAX_ROWS};
use super::walk::{Copier, lines_of, unknown};

/// What one strip reads, at most, to be asked for while the one before it is copied. What is asked for has to stay in the
/// second-level cache until then. Chosen: a quarter of a cache of one megabyte. With rows of 512 bytes to 8 KiB it is 1.05 to
/// 1.6 times as fast where they come from memory, with longer ones up to 1.08 times (measured).
const AHEAD_BYTES: u64 = 256 << 10;

/// The first row of units of a strip.
#[derive(Clone, Copy)]
pub(super) struct StripRow {
    /// Its first byte in the rows.
    pub(super) linear: *mut u8,
    /// Where its row of blocks begins.
    pub(super) blocks: *mut u8,
    /// What is flipped of the offsets of all its lines.
    pub(super) flips: usize,
}

/// A unit of a strip.
#[derive(Clone, Copy)]
struct UnitAt {
    /// Its first byte in the rows.
    linear: *mut u8,
    /// Where its row of blocks begins; unless offsets flip, where its line 0 does.
    blocks: *mut u8,
    /// Line 0's from there.
    offset: usize,
}

/// From the first unit of a group to the second, or to the third.
#[derive(Clone, Copy)]
pub(super) struct Beside {
    /// Bytes in the rows.
    pub(super) linear: usize,
    /// What is flipped of the offsets of its lines.
    pub(super) flips: usize,
}

/// The strips of a span: where each begins, and where the one behind it does, which is past the end for the last.
pub(super) struct Strips {
    span: Span,
    /// Bits of y and z within a strip.
    within: (u64, u64),
    next: At,
}

impl Strips {
    #[inline(always)]
    pub(super) fn new(span: &Span, extent: Coordinates) -> Strips {
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
        let (mut whole, mut count_log2) = (span.whole(&group.boxes), group.count_log2);
        if whole.is_empty() {
            (whole, count_log2) = (*span, 0);
        }
        let slabs = span.around(&whole);
        // In one loop, so that the code for each number of units is there once: it is part of every kernel's.
        for index in 0..=slabs.len() {
            let (part, count_log2) =
                if index < slabs.len() { (slabs[index], 0) } else { (whole, count_log2) };
            if part.is_empty() {
                continue;
            }
            match count_log2 {
                // SAFETY: as this function demands of its caller, for a part of the span.
                0 => unsafe { self.strips_of::<1>(&part, self.unit.extent) },
                // SAFETY: as above.
                1 => unsafe { self.strips_of::<2>(&part, group.extent) },
                // SAFETY: as above; a group is no larger.
                _ => unsafe { self.strips_of::<MAX_GROUP>(&part, group.extent) },
            }
        }
    }

    /// Strips of the first `N` units of the group.
    ///
    /// # Safety
    /// As [`Copier::strips`] demands; these units have `extent`, and the span is made of whole ones.
    #[inline(always)]
    pub(super) unsafe fn strips_of<const N: usize>(&self, span: &Span, extent: Coordinates) {
        assert!(N * R <= MAX_ROWS, "invariant: groups have no more rows than the largest unit");
        let (job, pattern) = (self.job, self.job.pattern);
        let beside = |at: Coordinates| {
            let flips = lines_of(pattern.y(at.y.into()) ^ pattern.z(at.z.into()));
            Beside { linear: job.linear_step(at), flips }
        };
        let [second, third] = self.unit.group.units;
        let beside = [beside(second), beside(third)];
        if !WRITE && !K::STREAMS && job.stores == Stores::Staged {
            // SAFETY: as this function demands of its caller.
            unsafe { self.pieces_of::<N>(span, extent, &beside) }
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

    /// The first row of units of the strip at `at`.
    #[inline(always)]
    pub(super) fn strip_row(&self, at: At) -> StripRow {
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
        beside: &[Beside; MAX_GROUP_LOG2],
        along: (u64, u64),
        next: StripRow,
    ) {
        /// Lines of a row that one table of the pattern resolves, and bytes.
        const LINES: usize = 64;
        const TABLE: u64 = (LINES as u64) << LINE_LOG2;
        let pattern = self.job.pattern;
        let moved = |row: StripRow| if FLIP { row.blocks } else { row.blocks.wrapping_add(row.flips) };
        let keep = K::Kept::keep_distance;
        // To the strip behind, on the side that is read.
        let linear_ahead = keep(next.linear.addr().wrapping_sub(first.linear.addr()));
        let blocks_ahead = keep(moved(next).addr().wrapping_sub(moved(first).addr()));
        let flips_ahead = keep(next.flips ^ first.flips);
        let [second, third] = *beside;
        let beside = [(keep(second.linear), keep(second.flips)), (keep(third.linear), keep(third.flips))];
        let step = |unit: UnitAt, (linear, flips): (K::Kept, K::Kept)| UnitAt {
            linear: unknown(unit.linear.wrapping_add(linear.distance())),
            blocks: if FLIP { unit.blocks } else { unknown(unit.blocks.wrapping_add(flips.distance())) },
            offset: if FLIP { unit.offset ^ flips.distance() } else { unit.offset },
        };
        let mut linear = first.linear;
        let (mut x, end) = along;
        while x < end {
            let part_end = end.min((x | (TABLE - 1)) + 1);
            let high = distance(pattern.x_high(x));
            let of_table = |x: u64| distance((x & (TABLE - 1)) >> LINE_LOG2);
            let (mut index, last) = (of_table(x), keep(of_table(part_end - 1)));
            // What all of the part flip, or, where that is the same, what is added to all of it.
            let (flips, blocks) =
                if FLIP { (first.flips ^ high, first.blocks) } else { (0, moved(first).wrapping_add(high)) };
            let (flips, blocks) = (keep(flips), K::Kept::keep(blocks));
            // Few registers for addresses are live here, so that none is on the stack: see `Places::all`.
            loop {
                let (begin, line) = (blocks.get(), distance(pattern.x_lines()[index & (LINES - 1)]));
                let mut unit = if FLIP {
                    UnitAt { linear, blocks: begin, offset: line ^ flips.distance() }
                } else {
                    UnitAt { linear, blocks: unknown(begin.wrapping_add(line)), offset: 0 }
                };
                for of_group in 0..N {
                    let before = unit;
                    if of_group & 1 != 0 {
                        unit = step(before, beside[0]);
                        if FLIP {
                            unit.blocks = blocks.get();
                        }
                    }
                    if AHEAD && WRITE {
                        let linear = unit.linear.wrapping_add(linear_ahead.distance());
                        self.units.prefetch(linear, unit.blocks, unit.offset);
                    } else if AHEAD {
                        let blocks = unit.blocks.wrapping_add(blocks_ahead.distance());
                        let offset = if FLIP { unit.offset ^ flips_ahead.distance() } else { unit.offset };
                        self.units.prefetch(unit.linear, blocks, offset);
                    }
                    // SAFETY: a unit of the span, which the caller promises.
                    unsafe { self.units.copy(unit.linear, unit.blocks, unit.offset) }
                    if of_group & 1 != 0 && of_group + 1 < N {
                        unit = step(before, beside[1]);
                    }
                }
                linear = linear.wrapping_add(LINE);
                if index == last.distance() {
                    break;
                }
                index += 1;
            }
            x = part_end;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::super::kernel::Places;
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
        const STREAMS: bool = false;

        type Kept = *mut u8;

        unsafe fn copy(self, from: impl Places, _to: impl Places) {
            self.0.borrow_mut().read.extend(from.all::<R>().map(|from| from.addr()));
        }

        unsafe fn stream_line(self, _from: *const u8, _to: *mut u8) {}

        fn prefetch(self, _at: *const u8) {}

        fn prefetch_second_level(self, at: *const u8) {
            self.0.borrow_mut().asked.push(at.addr());
        }
    }

    /// With units of `R` rows, in groups of so many rows.
    fn asks_ahead<const WRITE: bool, const R: usize>(
        (name, adds, expected_group): (&str, bool, usize),
        width_bytes: u64,
        size: (u32, u32),
    ) {
        let pattern = CompiledPattern::new(&named_pattern(name).expect("a name").pattern).expect("a pattern");
        let unit = pattern.unit().expect("lines");
        let group = 1 << (unit.rows_log2 + unit.group.count_log2);
        assert!(unit.offsets_add == adds && group == expected_group, "{name}");
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
        assert_eq!(1 << unit.rows_log2, R);
        // SAFETY: the kernel accesses no memory; the unit has so many rows.
        unsafe { body.copy::<WRITE, R, _>(Recorder(&seen)) }
        let Seen { read, asked } = seen.into_inner();
        let strip = usize::try_from(width_bytes / 64).expect("small") * group;
        assert!(read.len() > 3 * strip);
        assert!(asked == read[strip..], "{name}, WRITE {WRITE}: each strip asks for the next");
    }

    #[test]
    fn what_is_asked_for_is_what_the_next_strip_reads() {
        for width_bytes in [128, 4096 + 256, 8192] {
            for (of, size) in [
                (("standard_64KB_2D_32bpp", true, 8), (48, 1)),
                (("standard_64KB_2D_128bpp", true, 4), (48, 1)),
                (("standard_64KB_3D_32bpp", true, 8), (40, 8)),
                (("amd_gfx10_navi10_SW_64KB_S_X_2d_32bpp", false, 8), (272, 1)),
            ] {
                asks_ahead::<true, 4>(of, width_bytes, size);
                asks_ahead::<false, 4>(of, width_bytes, size);
            }
            for (of, size) in [
                (("nvidia_blocklinear_h2", true, 8), (48, 1)),
                (("amd_gfx9_vega10_SW_64KB_D_X_2d_32bpp", false, 8), (272, 1)),
            ] {
                asks_ahead::<true, 2>(of, width_bytes, size);
                asks_ahead::<false, 2>(of, width_bytes, size);
            }
            asks_ahead::<false, 1>(("intel_tileX", true, 1), width_bytes, (48, 1));
        }
    }

    #[test]
    fn what_would_not_stay_in_a_cache_is_not_asked_for() {
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
