//! Reading in the order of swizzled addresses.

use super::gf2::Coordinates;
use super::job::{At, Span, distance};
use super::kernel::UnitKernel;
use super::unit::{Chunk, LINE, LINE_LOG2, Step};
use super::walk::Copier;

impl<const WRITE: bool, const FLIP: bool, const R: usize, K: UnitKernel<R>> Copier<'_, WRITE, FLIP, R, K> {
    /// # Safety
    /// As [`Walk::copy`](super::walk::Walk::copy) demands; `span` is part of the job's and made of whole units.
    #[inline(always)]
    pub(super) unsafe fn blocks(&self, chunk: &Chunk, span: &Span) {
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
            unsafe { self.strips_of::<1>(&part, self.unit.extent) }
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
