//! Copies run by run: the edges of boxes, and patterns whose lines are not made of a fixed set of bytes.

use super::job::{At, Job, Span, Stores, distance};
use super::plain::copy_row;
use super::unit::LINE_LOG2;

/// Copies `span`, a part of the job's, to the surface if `WRITE` and else from it.
///
/// # Safety
/// As [`super::SwizzledImage::write_raw`] and `read_raw` demand for the job's whole span.
pub(super) unsafe fn copy<const WRITE: bool>(job: &Job<'_>, span: &Span) {
    if span.is_empty() {
        return;
    }
    let rows = match job.pattern.run_log2() {
        0 => rows_of_short::<WRITE, 1>,
        1 => rows_of_short::<WRITE, 2>,
        2 => rows_of_short::<WRITE, 4>,
        3 => rows_of_short::<WRITE, 8>,
        4..LONG_LOG2 => rows_of_short::<WRITE, 16>,
        _ => rows_of_long::<WRITE>,
    };
    for z in span.begin.z..span.end.z {
        let fixed = job.fixed ^ job.pattern.z(z);
        for y in span.begin.y..span.end.y {
            let row = Row {
                swizzled: job.row_of_blocks(y, z),
                linear: job.linear_at(At { x: span.begin.x, y, z }),
                flips: fixed ^ job.pattern.y(y),
            };
            // SAFETY: the row lies in the span that the caller promises.
            unsafe { rows(job, row, span.begin.x, span.end.x) }
        }
    }
}

/// Bytes, as an exponent, of runs that are worth a copy of their own: from here on nothing goes by lines.
pub(super) const LONG_LOG2: u8 = 12;

/// One row of a span.
#[derive(Clone, Copy)]
struct Row {
    /// The first byte of its row of blocks.
    swizzled: *mut u8,
    /// Its first byte in the span.
    linear: *mut u8,
    /// What is flipped of the offset of all of its bytes.
    flips: u64,
}

/// A row in runs of `N` bytes, 16 at most.
///
/// # Safety
/// As [`copy`] demands, for the bytes from `begin` up to `end` of the row.
unsafe fn rows_of_short<const WRITE: bool, const N: usize>(job: &Job<'_>, row: Row, begin: u64, end: u64) {
    let mut x = begin;
    let mut linear = row.linear;
    while x < end {
        let line_end = end.min((x | LINE_BITS) + 1);
        let line_flips = job.pattern.x(x & !LINE_BITS) ^ row.flips;
        while x < line_end {
            let run_end = line_end.min((x | (N as u64 - 1)) + 1);
            let flips = job.pattern.x_bytes()[distance(x & LINE_BITS)] ^ line_flips;
            let swizzled = row.swizzled.wrapping_add(distance(flips));
            let (from, to) = if WRITE { (linear, swizzled) } else { (swizzled, linear) };
            let size = distance(run_end - x);
            if size == N {
                // SAFETY: a whole run lies side by side on both sides, in the row that the caller promises.
                unsafe { from.cast::<[u8; N]>().copy_to_nonoverlapping(to.cast(), 1) }
            } else {
                // SAFETY: as above for a part of a run, shorter than 16 bytes.
                unsafe { copy_part(from, to, size) }
            }
            linear = linear.wrapping_add(size);
            x = run_end;
        }
    }
}

/// The bits of x within a line.
const LINE_BITS: u64 = (1 << LINE_LOG2) - 1;

/// A row in runs of `2^LONG_LOG2` bytes and more.
///
/// # Safety
/// As [`copy`] demands, for the bytes from `begin` up to `end` of the row.
unsafe fn rows_of_long<const WRITE: bool>(job: &Job<'_>, row: Row, begin: u64, end: u64) {
    let run_bits = (1_u64 << job.pattern.run_log2().min(63)) - 1;
    let mut x = begin;
    let mut linear = row.linear;
    while x < end {
        let run_end = end.min((x | run_bits).saturating_add(1));
        let swizzled = row.swizzled.wrapping_add(distance(job.pattern.x(x) ^ row.flips));
        let (from, to) = if WRITE { (linear, swizzled) } else { (swizzled, linear) };
        let size = distance(run_end - x);
        // SAFETY: a run lies side by side on both sides, in the row that the caller promises.
        unsafe { copy_row(job.backend, job.stores != Stores::Cached, to, from, size) }
        linear = linear.wrapping_add(size);
        x = run_end;
    }
}

/// Less than 16 bytes.
///
/// # Safety
/// `size` bytes can be read at `from` and be written at `to`, and the two do not overlap.
#[inline(always)]
unsafe fn copy_part(from: *const u8, to: *mut u8, size: usize) {
    let mut at = 0;
    for width in [8, 4, 2, 1] {
        if size & width != 0 {
            let (from, to) = (from.wrapping_add(at), to.wrapping_add(at));
            // SAFETY: what was copied and this width are at most `size`.
            unsafe { from.copy_to_nonoverlapping(to, width) }
            at += width;
        }
    }
}
