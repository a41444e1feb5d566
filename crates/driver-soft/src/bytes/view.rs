//! Ranges of bytes that may be accessed, checked once; and copies between them.
//!
//! ```text
//!   HeapBytes   all bytes of a heap, kept mapped by it       (what page tables hold)
//!      | view
//!   View        some bytes, read and written ----- source --> Source   some bytes, read
//!      ^                                                        ^
//!   &mut [u8]   memory of one's own                           &[u8]
//! ```
//! Whoever has a view may access its bytes and no others; that is all that is known of them. Others may
//! write them at the same time, and two views may overlap.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;
use core::ptr::NonNull;
use std::sync::Arc;

use heapstone_driver::engine::RowPitches;
use heapstone_units::ByteRange;

use super::{Mapping, copy};

/// Copies of at least so many bytes pass the caches by. Below, their bytes may still be in the last cache
/// when they are used (measured: from 16 MiB on such a copy is faster than any other on a processor with
/// 32 MiB of cache, up to 4 MiB it is slower).
const STREAM_MIN: u64 = 8 << 20;

/// All bytes of a heap, or of what of it can be reached. They stay mapped while this lives.
#[derive(Clone)]
pub(crate) struct HeapBytes {
    base: NonNull<u8>,
    size: usize,
    /// Keeps the mapping.
    owner: Arc<dyn Send + Sync>,
}

// SAFETY: the bytes belong to the process and not to a thread; the owner is `Send`.
unsafe impl Send for HeapBytes {}
// SAFETY: through `&self` bytes are read and written as those of a `Mapping` are; the owner is `Sync`.
unsafe impl Sync for HeapBytes {}

impl HeapBytes {
    /// `size` bytes at `offset` of the mapping that `owner` has for as long as it lives. They are open.
    pub(crate) fn new<M>(owner: &Arc<M>, offset: usize, size: usize) -> HeapBytes
    where
        M: AsRef<Mapping> + Send + Sync + 'static,
    {
        let mapping = M::as_ref(owner);
        mapping.check(offset, size);
        HeapBytes { base: mapping.address(offset), size, owner: Arc::<M>::clone(owner) }
    }

    /// `size` of the bytes from `offset` on; `None` where not all of them are there.
    pub(crate) fn part(&self, offset: u64, size: u64) -> Option<HeapBytes> {
        let View { at, size, .. } = self.view().part(offset, size)?;
        Some(HeapBytes { base: at, size, owner: Arc::clone(&self.owner) })
    }

    /// The bytes.
    #[inline(always)]
    pub(crate) fn view(&self) -> View<'_> {
        View { at: self.base, size: self.size, borrowed: PhantomData }
    }
}

impl fmt::Debug for HeapBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HeapBytes({} at {:p})", self.size, self.base)
    }
}

/// Bytes that may be read and written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    at: NonNull<u8>,
    size: usize,
    borrowed: PhantomData<&'a ()>,
}

/// Bytes that may be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a>(View<'a>);

/// Rows that are copied: bytes of each, how many to a slice, and slices. A copy of none copies nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    pub(crate) width: u64,
    pub(crate) height: u32,
    pub(crate) depth: u32,
}

impl Rows {
    /// One past the last byte, from the first one of the first row; `None` where it leaves 64 bits.
    #[inline]
    pub(crate) fn end(self, pitches: RowPitches) -> Option<u64> {
        if self.width == 0 || self.height == 0 || self.depth == 0 {
            return Some(0);
        }
        let rows = pitches.row.checked_mul(u64::from(self.height - 1))?;
        let slices = pitches.slice.checked_mul(u64::from(self.depth - 1))?;
        rows.checked_add(slices)?.checked_add(self.width)
    }

    /// Whether they lie without a gap at these pitches: then one row is all of them.
    #[inline]
    fn are_one_run(self, pitches: RowPitches) -> bool {
        (self.height == 1 || pitches.row == self.width)
            && (self.depth == 1 || Some(pitches.slice) == self.width.checked_mul(u64::from(self.height)))
    }
}

impl<'a> View<'a> {
    #[inline]
    pub(crate) const fn size(self) -> usize {
        self.size
    }

    #[inline]
    pub(crate) fn size_u64(self) -> u64 {
        u64::try_from(self.size).unwrap_or(u64::MAX)
    }

    /// `size` bytes from `offset` on; `None` where not all of them are in it.
    #[inline(always)]
    pub(crate) fn part(self, offset: u64, size: u64) -> Option<View<'a>> {
        let (offset, size) = (usize::try_from(offset).ok()?, usize::try_from(size).ok()?);
        if offset.checked_add(size)? > self.size {
            return None;
        }
        // SAFETY: the offset is at most the view's size, so the sum is inside it or at its end.
        let at = unsafe { self.at.add(offset) };
        Some(View { at, size, borrowed: PhantomData })
    }

    /// The same to read.
    #[inline]
    pub(crate) const fn source(self) -> Source<'a> {
        Source(self)
    }

    #[inline]
    pub(super) const fn pointer(self) -> *mut u8 {
        self.at.as_ptr()
    }

    /// Copies all of `from`, which has as many bytes. The two may overlap.
    #[inline]
    pub(crate) fn copy_from(self, from: Source<'_>) {
        self.copy_part_from(from, self.size_u64());
    }

    /// The same as a part of a copy of `total` bytes, whose size decides how it is made.
    #[inline]
    pub(crate) fn copy_part_from(self, from: Source<'_>, total: u64) {
        assert_eq!(self.size, from.0.size, "bug: copies have as many bytes on both sides");
        let (to, from) = (self.pointer(), from.pointer());
        // SAFETY: whoever makes a view sees to it that its bytes can be accessed while it lives, and that
        // nobody has references to them but the view's own borrow.
        unsafe { move_bytes(to, from, self.size, total >= STREAM_MIN) }
    }

    /// Makes all bytes zero.
    pub(crate) fn zero(self) {
        // SAFETY: as in `copy_from`.
        unsafe { copy::zero(self.pointer(), self.size) }
    }

    /// The addresses of `of`, of bytes counted from its first.
    #[inline]
    pub(crate) fn addresses(self, of: ByteRange) -> Range<usize> {
        let first = self.at.addr().get();
        first.saturating_add(in_usize(of.begin))..first.saturating_add(in_usize(of.end))
    }

    /// Whether they may share a byte.
    #[inline(always)]
    pub(crate) fn overlaps(self, other: View<'_>) -> bool {
        let (a, b) = (self.at.addr().get(), other.at.addr().get());
        a < b.saturating_add(other.size) && b < a.saturating_add(self.size)
    }

    /// Whether both begin with the same byte.
    #[inline]
    pub(crate) fn begins_with(self, other: View<'_>) -> bool {
        self.at == other.at
    }
}

impl<'a> From<&'a mut [u8]> for View<'a> {
    #[inline]
    fn from(bytes: &'a mut [u8]) -> View<'a> {
        View { size: bytes.len(), at: NonNull::from(bytes).cast(), borrowed: PhantomData }
    }
}

impl<'a> Source<'a> {
    #[inline]
    pub(crate) const fn size(self) -> usize {
        self.0.size
    }

    /// As [`View::part`].
    #[inline]
    pub(crate) fn part(self, offset: u64, size: u64) -> Option<Source<'a>> {
        self.0.part(offset, size).map(Source)
    }

    #[inline]
    pub(super) const fn pointer(self) -> *const u8 {
        self.0.at.as_ptr().cast_const()
    }
}

impl<'a> From<&'a [u8]> for Source<'a> {
    #[inline]
    fn from(bytes: &'a [u8]) -> Source<'a> {
        // What is made of it is only read.
        Source(View { size: bytes.len(), at: NonNull::from(bytes).cast(), borrowed: PhantomData })
    }
}

/// Copies rows. The two sides do not share a byte, or the copy gives some mixture.
#[inline]
pub(crate) fn copy_rows(
    to: View<'_>,
    to_pitches: RowPitches,
    from: Source<'_>,
    from_pitches: RowPitches,
    rows: Rows,
) {
    let total = rows.width.saturating_mul(u64::from(rows.height)).saturating_mul(u64::from(rows.depth));
    let streams = total >= STREAM_MIN && (rows.width >= STREAMED_ROW_MIN || rows.are_one_run(to_pitches));
    let fits = |pitches, size| rows.end(pitches).is_some_and(|end| end <= size);
    assert!(
        fits(to_pitches, to.size_u64()) && fits(from_pitches, from.0.size_u64()),
        "bug: {rows:?} at {to_pitches:?} and {from_pitches:?} do not lie in {} and {} bytes",
        to.size,
        from.size()
    );
    let as_one_run = rows.are_one_run(to_pitches) && rows.are_one_run(from_pitches);
    let rows = if as_one_run {
        let rows_of_all = u64::from(rows.height) * u64::from(rows.depth);
        // No more than the views' bytes, where there are rows at all.
        Rows { width: rows.width * rows_of_all, height: rows.height.min(1), depth: rows.depth.min(1) }
    } else {
        rows
    };
    let width = in_usize(rows.width);
    for z in 0..u64::from(rows.depth) {
        for y in 0..u64::from(rows.height) {
            let offset = |pitches: RowPitches| in_usize(z * pitches.slice + y * pitches.row);
            let to = to.pointer().wrapping_add(offset(to_pitches));
            let from = from.pointer().wrapping_add(offset(from_pitches));
            if streams {
                // SAFETY: the row lies in the views, as was checked of the last one.
                unsafe { copy::stream(to, from, width) }
            } else {
                // SAFETY: as above.
                unsafe { copy::forward(to, from, width) }
            }
        }
    }
}

/// Shorter rows have more of their bytes in lines that are not theirs alone (chosen).
const STREAMED_ROW_MIN: u64 = 1024;

/// Makes the bytes of rows zero.
pub(crate) fn zero_rows(to: View<'_>, pitches: RowPitches, rows: Rows) {
    for z in 0..u64::from(rows.depth) {
        for y in 0..u64::from(rows.height) {
            let row = to.part(z * pitches.slice + y * pitches.row, rows.width);
            row.expect("bug: a row lies in the rows").zero();
        }
    }
}

/// Copies bytes that may overlap; where they do not, past the caches if `streams`.
///
/// # Safety
/// `size` bytes at `from` are mapped for reading and `size` bytes at `to` for writing, and nobody has references
/// to them that are accessed meanwhile.
#[inline]
unsafe fn move_bytes(to: *mut u8, from: *const u8, size: usize, streams: bool) {
    let (ahead, behind) = (to.addr().wrapping_sub(from.addr()), from.addr().wrapping_sub(to.addr()));
    if ahead < size && ahead != 0 {
        // SAFETY: the caller's promise; `to` is above `from`.
        unsafe { copy::backward(to, from, size) }
    } else if streams && behind >= size {
        // SAFETY: the caller's promise; neither begins within the other.
        unsafe { copy::stream(to, from, size) }
    } else {
        // SAFETY: the caller's promise; `to` is not above `from` where they overlap.
        unsafe { copy::forward(to, from, size) }
    }
}

/// Offsets that were compared with a view's size fit.
#[inline]
fn in_usize(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
