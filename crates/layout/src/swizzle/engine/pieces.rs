//! Reading around the caches: piece by piece, by way of a stage.
//!
//! ```text
//!   swizzled memory               stage, in the first-level cache     rows
//!   +-------+-------+-------+     +------+-----------------+          : |------|------|------| :
//!   | piece | next  | ...   | --> | line | part of a row   |  ---->   : |      |      |      | :  whole lines of it
//!   |       |       |       |     | line | of the next     |          : |------|------|------| :
//!   +-------+-------+-------+     +------+-----------------+
//!             ^ prefetched, in the order of addresses
//! ```
//! A piece is a block, or a few side by side where blocks are narrow: its bytes follow each other in swizzled memory,
//! and it is a box of the surface. So lines can be prefetched in the order of their addresses, though a piece is read in
//! strips, whose lines are scattered over it.
//!
//! A few rows of a part of a strip are staged at a time. That serves two ends:
//! - Up to eight lines of one row go to memory before those of the next. Where rows are a power of two apart, memory takes
//!   a line of each in turn at half the speed (measured, with AVX2; an eighth more slowly elsewhere).
//! - Rows may begin beside lines. A line that is written in parts has to be fetched first, so that such a copy takes two
//!   to three times as long as one around the caches. The part before a part has left the line that it ends in, so that
//!   line's units are staged again; only the ends of rows are written in parts.

use super::super::pattern::PatternBlock;
use super::gf2::Coordinates;
use super::job::{At, Job, Span, distance};
use super::kernel::{Places, UnitKernel};
use super::strips::{Beside, StripRow, Strips};
use super::unit::{LINE, LINE_LOG2, MAX_GROUP_LOG2, MAX_ROWS};
use super::walk::{Copier, lines_of};

/// How far ahead lines are prefetched, in bytes and as an exponent; and how large pieces of several blocks are at most, but
/// for blocks narrower than a line. Chosen: with AVX2 and a second-level cache of 512 KiB, half as far is as fast but for
/// narrow blocks (0.7 to 0.9 times), an eighth as far 0.8 times (measured).
const AHEAD_LOG2: u8 = 17;

/// Pieces that are larger, as an exponent, are not prefetched: what comes next in the order of addresses would be too far
/// from what is read meanwhile (chosen: twice as large).
const MAX_PREFETCHED_LOG2: u8 = AHEAD_LOG2 + 1;

/// Parts of the rows of a strip.
#[repr(align(64))]
struct Stage {
    /// For each row a line of what lies before the part, and the part.
    bytes: [u8; MAX_ROWS * Stage::PITCH],
}

impl Stage {
    /// Bytes of a part, as an exponent. Chosen: of eight rows in GB/s, where these are a power of two apart and elsewhere,
    /// 256 bytes 12 and 17, 512 15 and 14, 1024 12 and 12 (measured with AVX2; a plain copy 16).
    const PART_LOG2: u8 = 9;
    /// The same.
    const PART: u64 = 1 << Stage::PART_LOG2;
    /// From a staged row to the next: an odd number of lines, so that those of a unit lie in different sets of a cache.
    const PITCH: usize = LINE + (1 << Stage::PART_LOG2);

    fn new() -> Stage {
        Stage { bytes: [0; MAX_ROWS * Stage::PITCH] }
    }

    /// From the first staged row to that one.
    #[inline(always)]
    const fn row(index: usize) -> usize {
        index * Stage::PITCH
    }

    /// Where the part of the first row is staged: there is room for as many bytes of each, and for a line before it.
    #[inline(always)]
    fn part(&mut self) -> *mut u8 {
        self.bytes.as_mut_ptr().wrapping_add(LINE)
    }
}

/// The pieces of a span, in the order of their addresses where these are in that of the span.
#[derive(Clone)]
struct Pieces {
    span: Span,
    /// Bits of x, y and z within a piece.
    within: At,
    next: At,
}

impl Pieces {
    /// Of a span of whole units.
    fn new(block: &PatternBlock, span: &Span) -> Pieces {
        let below = |log2: u8| (1_u64 << log2) - 1;
        // Blocks narrower than a part are taken together, as far as prefetching reaches; blocks narrower than
        // a line always: units have whole lines of rows.
        let room = block.x_bytes_log2.saturating_add(AHEAD_LOG2.saturating_sub(block.bytes_log2));
        let width = Stage::PART_LOG2.min(room).max(LINE_LOG2).max(block.x_bytes_log2);
        let within = At { x: below(width), y: below(block.y_log2), z: below(block.z_log2) };
        Pieces { span: *span, within, next: span.begin }
    }

    /// Bytes of a whole one, of one sample.
    fn bytes(&self) -> u64 {
        let At { x, y, z } = self.within;
        (x + 1).saturating_mul((y + 1).saturating_mul(z + 1))
    }
}

impl Iterator for Pieces {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let Span { begin: first, end: last } = self.span;
        let begin = self.next;
        if self.span.is_empty() || begin.z >= last.z {
            return None;
        }
        let behind = |at: u64, within: u64, last: u64| (at | within).saturating_add(1).min(last);
        let end = At {
            x: behind(begin.x, self.within.x, last.x),
            y: behind(begin.y, self.within.y, last.y),
            z: behind(begin.z, self.within.z, last.z),
        };
        self.next = if end.x < last.x {
            At { x: end.x, ..begin }
        } else if end.y < last.y {
            At { x: first.x, y: end.y, z: begin.z }
        } else {
            At { x: first.x, y: first.y, z: end.z }
        };
        Some(Span { begin, end })
    }
}

/// The lines of a span's pieces in the order of addresses, as many of each as are read of it, so that whoever takes about
/// one for each line that is read stays so far ahead. Of a piece that is not whole they are the first, be they read or not.
struct Prefetch<'a> {
    job: &'a Job<'a>,
    pieces: Pieces,
    /// Bytes of a piece before what is read of it: those of other samples.
    before: usize,
    next: *mut u8,
    /// Lines that are left of a piece.
    left: u64,
}

impl<'a> Prefetch<'a> {
    /// Of no lines if what is read is near, where pieces are too large, or where samples are not side by side.
    fn new(job: &'a Job<'a>, pieces: &Pieces) -> Prefetch<'a> {
        let mut prefetch = Prefetch { job, pieces: pieces.clone(), before: 0, next: job.swizzled, left: 0 };
        let block = job.pattern.block();
        let own = job.pattern.range_of_sample(job.fixed);
        if !job.far || pieces.bytes() > 1 << MAX_PREFETCHED_LOG2 || own.is_none() {
            prefetch.pieces.next = prefetch.pieces.span.end;
        }
        if block.samples_log2 != 0 {
            // Block by block, but for those narrower than a line: what is read of one does not follow what is read of the
            // block before.
            prefetch.pieces.within.x = ((1 << block.x_bytes_log2) - 1).max(LINE as u64 - 1);
            prefetch.before = own.map_or(0, distance);
        }
        // What lies before the first that is prefetched is read without: no more than a quarter (chosen).
        prefetch.skip((prefetch.pieces.span.bytes() / 4).min(1 << AHEAD_LOG2) >> LINE_LOG2);
        prefetch
    }

    /// Leaves the next lines out.
    fn skip(&mut self, lines: u64) {
        let mut lines = lines;
        while lines > 0 && self.find() {
            let over = lines.min(self.left);
            self.next = self.next.wrapping_add(distance(over << LINE_LOG2));
            self.left -= over;
            lines -= over;
        }
    }

    /// Whether there is a line more: the next piece is found if it is needed.
    #[inline(always)]
    fn find(&mut self) -> bool {
        if self.left > 0 {
            return true;
        }
        let Some(piece) = self.pieces.next() else { return false };
        let block = self.job.pattern.block();
        let along = piece.begin.x >> block.x_bytes_log2 << block.bytes_log2;
        let blocks = self.job.row_of_blocks(piece.begin.y, piece.begin.z);
        self.next = blocks.wrapping_add(distance(along)).wrapping_add(self.before);
        self.left = piece.bytes() >> LINE_LOG2;
        true
    }

    /// The first of the next `count` lines, which follow it up to the end of a piece; where there is none, what lies behind
    /// the last. What is prefetched beyond an end is so in vain.
    #[inline(always)]
    fn lines(&mut self, count: u64) -> *const u8 {
        self.find();
        let first = self.next;
        self.skip(count);
        first
    }
}

/// Steps from each of eight things in a row to the next, by the trailing zeros of the next one's number.
#[derive(Clone, Copy)]
struct Ruler([usize; 3]);

impl Ruler {
    /// From the steps from the first to those with numbers 1, 2 and 4, of which others are the sums.
    #[inline(always)]
    fn of_sums([first, second, fourth]: [usize; 3]) -> Ruler {
        let second_on = second.wrapping_sub(first);
        Ruler([first, second_on, fourth.wrapping_sub(second).wrapping_sub(first)])
    }

    /// The same where they are what is flipped.
    #[inline(always)]
    fn of_flips([first, second, fourth]: [usize; 3]) -> Ruler {
        Ruler([first, second ^ first, fourth ^ second ^ first])
    }

    /// To number `next` from the one before it.
    #[inline(always)]
    fn to(self, next: usize) -> usize {
        let Ruler([first, second, fourth]) = self;
        match next.trailing_zeros() {
            0 => first,
            1 => second,
            _ => fourth,
        }
    }
}

impl<const WRITE: bool, const FLIP: bool, const R: usize, K: UnitKernel<R>> Copier<'_, WRITE, FLIP, R, K> {
    /// Reads the span piece by piece, in strips of the first `N` units of the group.
    ///
    /// # Safety
    /// As [`Copier::strips_of`] demands; the job is one that reads, and the kernel does not stream.
    #[inline(always)]
    pub(super) unsafe fn pieces_of<const N: usize>(
        &self,
        span: &Span,
        extent: Coordinates,
        beside: &[Beside; MAX_GROUP_LOG2],
    ) {
        let (job, pattern) = (self.job, self.job.pattern);
        let in_lines = job.writes_lines::<WRITE>();
        let [one, two] = *beside;
        let [first, second, fourth] = self.units.rows.all();
        let linear = Ruler::of_sums(match R {
            1 => [one.linear, two.linear, 0],
            2 => [first, one.linear, two.linear],
            4 => [first, second, one.linear],
            _ => [first, second, fourth],
        });
        let lines = pattern.x_lines();
        let along = [distance(lines[1]), distance(lines[2]), distance(lines[4])];
        let along = if FLIP { Ruler::of_flips(along) } else { Ruler::of_sums(along) };
        let flips = [one.flips, two.flips];
        let mut stage = Stage::new();
        let pieces = Pieces::new(&pattern.block(), span);
        let mut prefetch = Prefetch::new(job, &pieces);
        for piece in pieces {
            for (at, _) in Strips::new(&piece, extent) {
                let first = self.strip_row(at);
                let mut x = piece.begin.x;
                while x < piece.end.x {
                    let end = piece.end.x.min((x | (Stage::PART - 1)) + 1);
                    // A line of rows of which the part has the end: the part before it has left it.
                    let lead = if in_lines || x == span.begin.x { 0 } else { LINE };
                    let mut begin = x - lead as u64;
                    while begin < end {
                        let run_end = if begin < x { x } else { end };
                        let staged = stage.part().wrapping_add(distance(begin.wrapping_sub(x)));
                        // SAFETY: as this function demands of its caller on the side of lines: `lead` reaches no further
                        // than to the span's begin, which is at a multiple of a line. The stage has room for so much of
                        // `MAX_ROWS` rows, and a strip has no more.
                        unsafe { self.stage_run::<N>(first, flips, along, (begin, run_end), staged) }
                        begin = run_end;
                    }
                    let size = distance(end - x);
                    let mut to = first.linear.wrapping_add(distance(x - piece.begin.x));
                    let mut from = stage.part().cast_const();
                    let mut ahead = prefetch.lines(((end - x) >> LINE_LOG2) * (N * R) as u64);
                    if in_lines {
                        for row in 1..=N * R {
                            // SAFETY: these bytes of a row of the strip are the caller's, and begin with a line of memory.
                            // As many are staged.
                            unsafe { write_lines(self.units.kernel, from, to, size, ahead) }
                            (to, from) = (to.wrapping_add(linear.to(row)), from.wrapping_add(Stage::row(1)));
                            ahead = ahead.wrapping_add(size);
                        }
                    } else {
                        for row in 1..=N * R {
                            let part = RowPart { to, size, lead, is_last: end == span.end.x };
                            // SAFETY: as above, and so are those before them up to the span's begin.
                            unsafe { part.write(self.units.kernel, from, ahead) }
                            (to, from) = (to.wrapping_add(linear.to(row)), from.wrapping_add(Stage::row(1)));
                            ahead = ahead.wrapping_add(size);
                        }
                    }
                    x = end;
                }
            }
        }
    }

    /// Copies units side by side to a stage: from column `begin` up to column `end`, of the strip that begins with `first`.
    /// `flips` and `along` are what is flipped to the other units of the group, and from a unit to the next.
    ///
    /// # Safety
    /// They are units of the copy and of one part, and the stage has room for them at `staged`; the instructions are there.
    #[inline(always)]
    unsafe fn stage_run<const N: usize>(
        &self,
        first: StripRow,
        flips: [usize; MAX_GROUP_LOG2],
        along: Ruler,
        (begin, end): (u64, u64),
        staged: *mut u8,
    ) {
        let pattern = self.job.pattern;
        let line = |x: u64| distance((x >> LINE_LOG2) & (pattern.x_lines().len() as u64 - 1));
        let mut offset = first.flips ^ lines_of(pattern.x_lines()[line(begin)] ^ pattern.x_high(begin));
        let mut staged = staged;
        let mut number = line(begin);
        let last = number + distance((end - begin) >> LINE_LOG2);
        while number < last {
            for index in 0..N {
                let steps = [flips[0] * (index & 1), flips[1] * (index >> 1)];
                let of_unit = if FLIP {
                    offset ^ steps[0] ^ steps[1]
                } else {
                    offset.wrapping_add(steps[0]).wrapping_add(steps[1])
                };
                let rows = StagedRows { first: staged.wrapping_add(Stage::row(index * R)) };
                // SAFETY: as this function demands of its caller.
                unsafe { self.units.kernel.copy(self.units.lines_at(first.blocks, of_unit), rows) }
            }
            number += 1;
            let step = along.to(number);
            offset = if FLIP { offset ^ step } else { offset.wrapping_add(step) };
            staged = staged.wrapping_add(LINE);
        }
    }
}

/// Rows of a unit in a stage.
#[derive(Clone, Copy)]
struct StagedRows {
    first: *mut u8,
}

impl Places for StagedRows {
    #[inline(always)]
    fn all<const R: usize>(self) -> [*mut u8; R] {
        let mut rows = [self.first; R];
        for row in 1..R {
            rows[row] = self.first.wrapping_add(Stage::row(row));
        }
        rows
    }
}

/// Writes lines around the caches, and prefetches as many at `ahead`. [`order_streams`](super::order_streams) is still to
/// be called.
///
/// # Safety
/// `size` bytes, a multiple of 64, can be read at `from` and be written at `to`, a multiple of 64, and the two do not
/// overlap; the instructions are there.
#[inline(always)]
unsafe fn write_lines<const R: usize, K: UnitKernel<R>>(
    kernel: K,
    from: *const u8,
    to: *mut u8,
    size: usize,
    ahead: *const u8,
) {
    let mut at = 0;
    while at < size {
        kernel.prefetch_second_level(ahead.wrapping_add(at));
        // SAFETY: a line of those that the caller promises.
        unsafe { kernel.stream_line(from.wrapping_add(at), to.wrapping_add(at)) }
        at += LINE;
    }
}

/// Where a part of a row goes that is staged.
#[derive(Clone, Copy)]
struct RowPart {
    to: *mut u8,
    size: usize,
    /// Bytes before it that are staged too: a line or none.
    lead: usize,
    /// Whether the row ends with it.
    is_last: bool,
}

impl RowPart {
    /// Writes whole lines. At the begin all of the line that the part begins in, if what lies before it is staged, and
    /// else from its first byte on; at the end up to the line that it has not all of, unless it is the last. With each line
    /// one of those at `ahead` is prefetched. [`order_streams`](super::order_streams) is still to be called.
    ///
    /// # Safety
    /// The part and `lead` bytes before it can be read at `from` and be written, and the two do not overlap; the
    /// instructions are there.
    #[inline(always)]
    unsafe fn write<const R: usize, K: UnitKernel<R>>(self, kernel: K, from: *const u8, ahead: *const u8) {
        let RowPart { mut to, size, lead, is_last } = self;
        let mut from = from;
        let end = to.addr().wrapping_add(size);
        let beside = to.addr() & (LINE - 1);
        if beside != 0 {
            if lead != 0 {
                (to, from) = (to.wrapping_sub(beside), from.wrapping_sub(beside));
            } else {
                let head = (LINE - beside).min(size);
                // SAFETY: the first bytes of the part.
                unsafe { copy_some(from, to, head) }
                (to, from) = (to.wrapping_add(head), from.wrapping_add(head));
            }
        }
        let lines = end.wrapping_sub(to.addr()) & !(LINE - 1);
        // SAFETY: whole lines of memory, none beyond the end.
        unsafe { write_lines(kernel, from, to, lines, ahead) }
        (to, from) = (to.wrapping_add(lines), from.wrapping_add(lines));
        let over = end.wrapping_sub(to.addr());
        if is_last && over != 0 {
            // SAFETY: what is left of the part.
            unsafe { copy_some(from, to, over) }
        }
    }
}

/// Less than a line: rare, and a call, which would have loops around it keep what they need on the stack.
///
/// # Safety
/// So many bytes can be read and be written, and the two do not overlap.
#[cold]
#[inline(never)]
unsafe fn copy_some(from: *const u8, to: *mut u8, size: usize) {
    // SAFETY: as this function demands of its caller.
    unsafe { from.copy_to_nonoverlapping(to, size) }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    use super::super::job::Stores;
    use super::super::kernel::{Portable, Transpose};
    use super::super::walk::{Body, Order, Walk};
    use super::super::{Backend, CompiledPattern, LinearPitch, SwizzleRegion, SwizzledImage, dispatch};
    use super::*;
    use crate::swizzle::{BlockStrides, SwizzleAddress, SwizzlePattern, named_pattern, parse_bits};

    fn named(name: &str) -> CompiledPattern {
        CompiledPattern::new(&named_pattern(name).expect("a name").pattern).expect("a pattern")
    }

    /// Blocks of 16 bytes by 2^12 rows: as many as are asked for ahead are narrower than a line.
    fn thin() -> CompiledPattern {
        let bits = parse_bits("X0 X1 X2 X3 Y0 Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10 Y11").expect("bits");
        CompiledPattern::new(&SwizzlePattern::of_interleave(bits)).expect("a pattern")
    }

    /// Every piece is a range of memory, and no larger than it may be; together they are the span.
    #[test]
    fn pieces_are_side_by_side_in_memory_and_are_the_span() {
        // Bytes and rows of a whole piece, by what the module says of blocks.
        let expected = [
            ("standard_64KB_2D_8bpp", (512, 256, 1)),
            ("standard_64KB_2D_32bpp", (512, 128, 1)),
            ("standard_64KB_2D_128bpp", (1024, 64, 1)),
            ("standard_64KB_3D_32bpp", (256, 32, 16)),
            ("nvidia_blocklinear_h2", (512, 16, 1)),
            ("intel_tileX", (512, 8, 1)),
        ];
        for (name, (width, height, depth)) in expected {
            let pattern = named(name);
            let block = pattern.block();
            let begin = At { x: width - 64, y: height - 8, z: 0 };
            let end = At { x: 3 * width + 128, y: 2 * height + 8, z: depth };
            let row = (4 * width) >> block.x_bytes_log2 << block.bytes_log2;
            let strides = BlockStrides { row, slice: 16 * row, stacked_rows: 0 };
            let mut bytes = 0;
            let mut last = None;
            for Span { begin: first, end: behind } in Pieces::new(&block, &Span { begin, end }) {
                assert!(last < Some((first.z, first.y, first.x)), "{name}: in order, none twice");
                last = Some((first.z, first.y, first.x));
                let piece = Span { begin: first, end: behind };
                assert_eq!(piece.intersection(&Span { begin, end }), piece, "{name}");
                bytes += piece.bytes();
                let of_piece = |at: u64, size: u64| at / size;
                let ends =
                    [(first.x, behind.x, width), (first.y, behind.y, height), (first.z, behind.z, depth)];
                assert!(
                    ends.iter().all(|(first, end, size)| of_piece(*first, *size) == of_piece(end - 1, *size))
                );
                if piece.bytes() < width * height * depth {
                    continue;
                }
                let mut lines = BTreeSet::new();
                for (z, y) in (first.z..behind.z).flat_map(|z| (first.y..behind.y).map(move |y| (z, y))) {
                    for x in (first.x..behind.x).step_by(16) {
                        let coordinate = |at: u64| u32::try_from(at).expect("small");
                        let at = SwizzleAddress { x_bytes: x, y: coordinate(y), z: coordinate(z), sample: 0 };
                        lines.insert(pattern.offset(at, strides) >> LINE_LOG2);
                    }
                }
                let (low, high) = (lines.first().expect("lines"), lines.last().expect("lines"));
                assert_eq!(high - low + 1, piece.bytes() >> LINE_LOG2, "{name}: {piece:?}");
                assert_eq!(lines.len() as u64, piece.bytes() >> LINE_LOG2, "{name}: {piece:?}");
            }
            assert_eq!(bytes, Span { begin, end }.bytes(), "{name}: nothing is left out");
        }
    }

    /// Those of the pieces, each once, in the order of addresses, from so far ahead on.
    #[test]
    fn lines_are_asked_for_in_the_order_of_addresses() {
        let pattern = named("standard_64KB_2D_8bpp");
        let strides = BlockStrides { row: 1 << 20, slice: 0, stacked_rows: 0 };
        let image = SwizzledImage { pattern: &pattern, strides };
        // Two pieces of two blocks in each row of blocks, the second of which is half of one.
        let null = std::ptr::null_mut();
        for (height, unasked) in [(1024, 128 << 10), (256, 48 << 10)] {
            let region = SwizzleRegion { width_bytes: 768, height, depth: 1, ..SwizzleRegion::default() };
            let pitch = LinearPitch { row: 768, slice: 0 };
            let mut job = image.job(Backend::Portable, null, &region, null, pitch);
            let asked = |job: &Job<'_>| {
                let mut prefetch = Prefetch::new(job, &Pieces::new(&pattern.block(), &job.span));
                let lines = std::iter::from_fn(|| prefetch.find().then(|| prefetch.lines(1).addr()));
                lines.collect::<Vec<_>>()
            };
            assert!(asked(&job).is_empty(), "what is near is not asked for");
            job.far = true;
            let rows_of_blocks = usize::try_from(height / 256).expect("few");
            let begins = (0..rows_of_blocks).map(|row| row << 20);
            let all: Vec<usize> = begins.flat_map(|begin| (begin..begin + (3 << 16)).step_by(LINE)).collect();
            assert!(asked(&job) == all[unasked / LINE..], "{height} rows");
        }
    }

    /// Of a block of several samples, those of the one that is read.
    #[test]
    fn lines_of_other_samples_are_not_asked_for() {
        let pattern = named("standard_64KB_2D_MSAA_4_32bpp");
        let strides = BlockStrides { row: 1 << 20, slice: 0, stacked_rows: 0 };
        let image = SwizzledImage { pattern: &pattern, strides };
        let region =
            SwizzleRegion { width_bytes: 512, height: 64, depth: 1, sample: 2, ..SwizzleRegion::default() };
        let null = std::ptr::null_mut();
        let mut job = image.job(Backend::Portable, null, &region, null, LinearPitch { row: 512, slice: 0 });
        job.far = true;
        let mut prefetch = Prefetch::new(&job, &Pieces::new(&pattern.block(), &job.span));
        let asked = std::iter::from_fn(|| prefetch.find().then(|| prefetch.lines(1).addr() as u64));
        let lines = (0..512).step_by(16).flat_map(|x| (0..64).map(move |y| (x, y))).map(|(x_bytes, y)| {
            let at = SwizzleAddress { x_bytes, y, z: 0, sample: 2 };
            pattern.offset(at, strides) >> LINE_LOG2 << LINE_LOG2
        });
        let lines: BTreeSet<u64> = lines.collect();
        // All but the quarter that is read before.
        assert!(asked.eq(lines.into_iter().skip(512 * 64 / LINE / 4)));
        let tiled = named("amd_gfx10_navi21_SW_64KB_Z_X_2d_4x_32bpp");
        assert_eq!(tiled.range_of_sample(0), None, "its samples are not side by side");
        assert_eq!(named("standard_64KB_2D_32bpp").range_of_sample(0), Some(0));
    }

    /// What reads by way of a stage is what reads without one, wherever boxes and rows begin and however far apart these are.
    #[test]
    fn staged_rows_are_those_of_strips() {
        // From where, how wide and how high: from the begins of pieces, parts and tables, and beside them; rows that are no
        // whole groups.
        let boxes =
            [(448, 4, 640, 12), (0, 0, 640, 8), (64, 8, 64, 8), (512, 8, 1472, 16), (4032, 4, 704, 20)];
        let names = [
            "standard_4KB_2D_32bpp",
            "nvidia_blocklinear_h2",
            "intel_tileX",
            "standard_64KB_3D_32bpp",
            "amd_gfx9_vega10_SW_64KB_D_X_2d_32bpp",
            "amd_gfx10_navi10_SW_64KB_S_X_2d_32bpp",
        ];
        let patterns = names.map(|name| (name, named(name))).into_iter().chain([("thin", thin())]);
        // An interpreter takes a thousand times as long.
        for (name, pattern) in patterns.filter(|(_, pattern)| !cfg!(miri) || pattern.block().bytes() <= 4096)
        {
            let block = pattern.block();
            for &(x_bytes, y, width_bytes, height) in &boxes[..if cfg!(miri) { 1 } else { boxes.len() }] {
                let depth = 1 << block.z_log2.min(1);
                let row = 8192_u64 >> block.x_bytes_log2 << block.bytes_log2;
                let strides = BlockStrides { row, slice: row << 4, stacked_rows: 0 };
                let image = SwizzledImage { pattern: &pattern, strides };
                let region =
                    SwizzleRegion { x_bytes, y, width_bytes, height, depth, ..SwizzleRegion::default() };
                let end = usize::try_from(image.end_offset(&region).expect("an end")).expect("small");
                let mut surface: Vec<u8> = (0..end).map(|at| (at * 7 % 251).to_le_bytes()[0]).collect();
                for (begin, beyond) in [(0, 0), (0, 64), (0, 5), (16, 0), (63, 192), (1, 1)] {
                    let pitch = width_bytes + beyond;
                    let slice = pitch * (u64::from(height) + 1);
                    let size = usize::try_from(slice * u64::from(depth)).expect("small") + 4 * LINE;
                    let read = |surface: &mut [u8], stores: Stores| {
                        let mut rows = vec![0xEE_u8; size];
                        let to = rows.as_ptr().align_offset(LINE) + begin;
                        let linear = rows.as_mut_ptr().wrapping_add(to);
                        let pitch = LinearPitch { row: pitch, slice };
                        let from = surface.as_mut_ptr();
                        let mut job = image.job(Backend::Portable, from, &region, linear, pitch);
                        job.stores = stores;
                        // SAFETY: the surface has the region, and the rows have room for it; portable copies need
                        // no instructions of their own.
                        unsafe { dispatch::copy::<false>(&job, Order::Strips) }
                        rows.split_off(to - begin)
                    };
                    let direct = read(&mut surface, Stores::Cached);
                    let staged = read(&mut surface, Stores::Staged);
                    let both = direct.len().min(staged.len());
                    let is_same = direct[..both] == staged[..both];
                    assert!(is_same, "{name}: {region:?} to {begin}, {beyond} more bytes");
                }
            }
        }
    }

    /// What a copy asks for, and how many lines it writes. No memory is accessed.
    #[derive(Clone, Copy)]
    struct Recorder<'a>(&'a RefCell<(Vec<usize>, usize)>);

    impl<const R: usize> UnitKernel<R> for Recorder<'_> {
        const STREAMS: bool = false;

        type Kept = *mut u8;

        unsafe fn copy(self, _from: impl Places, _to: impl Places) {}

        unsafe fn stream_line(self, _from: *const u8, to: *mut u8) {
            assert_eq!(to.addr() % LINE, 0);
            self.0.borrow_mut().1 += 1;
        }

        fn prefetch(self, _at: *const u8) {}

        fn prefetch_second_level(self, at: *const u8) {
            self.0.borrow_mut().0.push(at.addr());
        }
    }

    #[test]
    fn a_line_is_asked_for_with_each_that_is_written() {
        let pattern = named("standard_64KB_2D_8bpp");
        let strides = BlockStrides { row: 1 << 20, slice: 0, stacked_rows: 0 };
        let image = SwizzledImage { pattern: &pattern, strides };
        let region = SwizzleRegion { width_bytes: 768, height: 512, depth: 1, ..SwizzleRegion::default() };
        // Addresses that lie far from each other, of nothing.
        let place = |at: usize| std::ptr::null_mut::<u8>().wrapping_add(at);
        let pitch = LinearPitch { row: 832, slice: 0 };
        let mut job = image.job(Backend::Portable, place(1 << 40), &region, place(1 << 44), pitch);
        (job.stores, job.far) = (Stores::Staged, true);
        let seen = RefCell::default();
        let body =
            Body { job: &job, unit: pattern.unit().expect("lines"), span: job.span, order: Order::Strips };
        // SAFETY: the kernel accesses no memory; the unit has four rows; rows begin at multiples of 64.
        unsafe { body.copy::<false, 4, _>(Recorder(&seen)) }
        let (asked, written) = seen.into_inner();
        let row = |begin: usize| ((1 << 40) + begin..(1 << 40) + begin + (3 << 16)).step_by(LINE);
        let all: Vec<usize> = row(0).chain(row(1 << 20)).collect();
        assert_eq!((asked.len(), written), (all.len(), all.len()));
        assert!(asked[..all.len() * 3 / 4] == all[all.len() / 4..], "in order, a quarter ahead");
    }

    /// A part is written whole, whatever is before and behind it in its lines, and no byte beside it.
    #[test]
    fn parts_are_written_by_whole_lines() {
        // An interpreter takes a thousand times as long.
        const STEP: usize = if cfg!(miri) { 29 } else { 1 };
        let content: Vec<u8> = (0..=250_u8).cycle().take(Stage::PITCH).collect();
        for (size, start) in
            [64, 192, 512].into_iter().flat_map(|size| (0..LINE).step_by(STEP).map(move |at| (size, at)))
        {
            for (lead, is_last) in [(0, false), (0, true), (LINE, false), (LINE, true)] {
                let mut memory = vec![0xEE_u8; size + 4 * LINE];
                let to = memory.as_ptr().align_offset(LINE) + LINE + start;
                let part = RowPart { to: memory.as_mut_ptr().wrapping_add(to), size, lead, is_last };
                let from = content.as_ptr().wrapping_add(LINE);
                // SAFETY: the line before the part and the part lie in both, which are not one.
                unsafe { part.write::<4, _>(Portable { shape: Transpose }, from, std::ptr::null()) }
                let begin = if lead == 0 { to } else { to - start };
                let end = if is_last { to + size } else { to + size - start };
                let mut expected = vec![0xEE_u8; memory.len()];
                for at in begin..end {
                    expected[at] = content[LINE + at - to];
                }
                assert!(memory == expected, "{size} bytes at {start}, lead {lead}, last {is_last}");
            }
        }
    }
}
