//! One copy: what is copied from where to where, and how a box is cut.

use super::super::reference::BlockStrides;
use super::LinearPitch;
use super::backend::Backend;
use super::compiled::CompiledPattern;
use super::gf2::Coordinates;
use super::is_line;

/// How what is written gets to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stores {
    /// By way of the caches.
    Cached,
    /// Around them, for it is worth no place there: lines begin at multiples of 64.
    Lines,
    /// Around them too, of what is read by way of a stage, into rows that begin anywhere: see [`super::pieces`].
    Staged,
}

/// A place in a surface, slices stacked if the pattern does that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    /// Bytes along the row.
    pub(super) x: u64,
    /// The row.
    pub(super) y: u64,
    /// The slice.
    pub(super) z: u64,
}

/// A box of a surface: from `begin` up to `end` on every axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) begin: At,
    pub(super) end: At,
}

impl Span {
    /// Whether nothing is in it.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.begin.x >= self.end.x || self.begin.y >= self.end.y || self.begin.z >= self.end.z
    }

    /// What is in both.
    #[inline(always)]
    pub(super) fn intersection(&self, other: &Span) -> Span {
        let (begin, end) = (self.begin, self.end);
        Span {
            begin: At {
                x: begin.x.max(other.begin.x),
                y: begin.y.max(other.begin.y),
                z: begin.z.max(other.begin.z),
            },
            end: At { x: end.x.min(other.end.x), y: end.y.min(other.end.y), z: end.z.min(other.end.z) },
        }
    }

    /// Bytes in it; it is not empty.
    #[inline(always)]
    pub(super) fn bytes(&self) -> u64 {
        let rows = (self.end.y - self.begin.y).saturating_mul(self.end.z - self.begin.z);
        rows.saturating_mul(self.end.x - self.begin.x)
    }

    /// Whether it is made of whole boxes.
    #[inline(always)]
    pub(super) fn is_whole(&self, boxes: &Boxes) -> bool {
        let (begin, end) = (self.begin, self.end);
        (begin.x | end.x) & boxes.x | (begin.y | end.y) & boxes.y | (begin.z | end.z) & boxes.z == 0
    }

    /// The largest part of it that is made of whole boxes; may be empty.
    pub(super) fn whole(&self, boxes: &Boxes) -> Span {
        let up = |value: u64, below: u64| value.saturating_add(below) & !below;
        let down = |value: u64, below: u64| value & !below;
        let Boxes { x, y, z } = *boxes;
        Span {
            begin: At { x: up(self.begin.x, x), y: up(self.begin.y, y), z: up(self.begin.z, z) },
            end: At { x: down(self.end.x, x), y: down(self.end.y, y), z: down(self.end.z, z) },
        }
    }

    /// The six slabs around `inner`, which lies in it and is not empty: some are empty.
    pub(super) fn around(&self, inner: &Span) -> [Span; 6] {
        let (begin, end) = (self.begin, self.end);
        let (first, last) = (inner.begin, inner.end);
        [
            Span { begin, end: At { z: first.z, ..end } },
            Span { begin: At { z: last.z, ..begin }, end },
            Span { begin: At { z: first.z, ..begin }, end: At { y: first.y, z: last.z, ..end } },
            Span { begin: At { y: last.y, z: first.z, ..begin }, end: At { z: last.z, ..end } },
            Span { begin: At { x: begin.x, ..first }, end: At { x: first.x, ..last } },
            Span { begin: At { x: last.x, ..first }, end: At { x: end.x, ..last } },
        ]
    }
}

/// Boxes of one size, each at multiples of it: what is one less than that, a power of two, on each axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Boxes {
    x: u64,
    y: u64,
    z: u64,
}

impl Boxes {
    /// The smallest that hold all of `extent`.
    pub(super) fn of(extent: Coordinates) -> Boxes {
        let below = |bits: u64| u64::MAX.checked_shr(bits.leading_zeros()).unwrap_or(0);
        Boxes { x: below(extent.x), y: below(extent.y.into()), z: below(extent.z.into()) }
    }

    /// The smallest that hold a box of `size` each; `None` if 64 bits do not say how large they are.
    pub(super) fn holding(size: At) -> Option<Boxes> {
        let below = |size: u64| size.checked_next_power_of_two().map(|size| size - 1);
        Some(Boxes { x: below(size.x)?, y: below(size.y)?, z: below(size.z)? })
    }
}

/// A copy between a box of a swizzled surface and rows. Which of them is only read, the direction says.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) pattern: &'a CompiledPattern,
    pub(super) backend: Backend,
    pub(super) strides: BlockStrides,
    /// The surface's first byte.
    pub(super) swizzled: *mut u8,
    /// The rows' first byte, that of the box's begin.
    pub(super) linear: *mut u8,
    pub(super) pitch: LinearPitch,
    pub(super) span: Span,
    /// What the sample and the immediate flip.
    pub(super) fixed: u64,
    /// How what is written gets to memory.
    pub(super) stores: Stores,
    /// Whether what is read is in no near cache.
    pub(super) far: bool,
}

impl Job<'_> {
    /// The byte of the rows for `at`, which lies in the span.
    #[inline(always)]
    pub(super) fn linear_at(&self, at: At) -> *mut u8 {
        let rows = (at.y - self.span.begin.y).wrapping_mul(self.pitch.row);
        let slices = (at.z - self.span.begin.z).wrapping_mul(self.pitch.slice);
        let along = at.x - self.span.begin.x;
        self.linear.wrapping_add(distance(along.wrapping_add(rows).wrapping_add(slices)))
    }

    /// Whether the lines that are written, to the surface if `WRITE` and else to rows, begin where lines of memory do.
    pub(super) fn writes_lines<const WRITE: bool>(&self) -> bool {
        if WRITE {
            is_line(self.swizzled.addr() as u64) && is_line(self.strides.row) && is_line(self.strides.slice)
        } else {
            is_line((self.linear.addr() as u64).wrapping_sub(self.span.begin.x))
                && is_line(self.pitch.row)
                && is_line(self.pitch.slice)
        }
    }

    /// From a row to the row `by` bits of y and z further.
    #[inline(always)]
    pub(super) fn linear_step(&self, by: Coordinates) -> usize {
        self.pitch.step(by.y.into(), by.z.into())
    }

    /// The first byte of the row of blocks that `y` and `z` lie in.
    #[inline(always)]
    pub(super) fn row_of_blocks(&self, y: u64, z: u64) -> *mut u8 {
        self.pattern.row_of_blocks(self.swizzled, y, z, &self.strides)
    }
}

impl LinearPitch {
    /// From a row to the row `y` rows and `z` slices further.
    #[inline(always)]
    pub(super) fn step(self, y: u64, z: u64) -> usize {
        distance(y.wrapping_mul(self.row).wrapping_add(z.wrapping_mul(self.slice)))
    }
}

/// An offset as a distance of addresses. Copies are made only where memory spans it, so that it fits; the
/// arithmetic before may wrap, where a term belongs to no byte.
#[inline(always)]
pub(super) const fn distance(offset: u64) -> usize {
    #[allow(clippy::cast_possible_truncation)]
    {
        offset as usize
    }
}
