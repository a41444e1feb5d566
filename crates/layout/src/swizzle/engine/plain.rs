//! Copies that swizzle nothing: bytes, and rows at pitches.

use super::LinearPitch;
use super::backend::Backend;
use super::job::distance;

/// A copy of more bytes goes around the caches: what it writes would push everything else out of
/// them, and be pushed out itself before it is read. Chosen: where both sides are in no cache, which is the
/// rule for surfaces of more than this size, that is twice as fast and more (measured); where both are in a last-level
/// cache, as up to 12 MiB may be, it costs a third to a half. So at this size itself, that of 1024 x 1024 texels of 32
/// bits, copies stay within the caches. From 8 MiB on instead, boxes of 256 x 256 texels reach half the speed of their
/// surface (measured).
pub const STREAM_BYTES: u64 = 4 << 20;

/// Rows from one side to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PitchedCopy {
    /// Bytes of each row.
    pub row_bytes: u64,
    /// Rows of each slice.
    pub rows: u32,
    /// Slices.
    pub slices: u32,
    /// Of the bytes that are read.
    pub from: LinearPitch,
    /// Of the bytes that are written.
    pub to: LinearPitch,
}

/// Copies `size` bytes, around the caches if that is more than [`STREAM_BYTES`].
///
/// # Safety
/// `size` bytes can be read at `from` and be written at `to`, and the two do not overlap; `backend` is one of
/// [`Backend::available`]. What the module says of racing accesses holds.
#[inline]
pub unsafe fn copy_raw(backend: Backend, to: *mut u8, from: *const u8, size: usize) {
    let stream = size as u64 > STREAM_BYTES;
    // SAFETY: as this function demands of its caller.
    unsafe { copy_row(backend, stream, to, from, size) }
    if stream {
        order_streams();
    }
}

/// Copies rows of slices, around the caches where they are more than [`STREAM_BYTES`] together. Rows of the
/// side that is written may overlap; which of them is seen there then is not said.
///
/// # Safety
/// Every byte that the copy names can be read at `from` or be written at `to`, and no byte is both; `backend` is
/// one of [`Backend::available`]. What the module says of racing accesses holds.
pub unsafe fn copy_pitched_raw(backend: Backend, to: *mut u8, from: *const u8, copy: &PitchedCopy) {
    let rows = u64::from(copy.rows);
    let total = copy.row_bytes.saturating_mul(rows).saturating_mul(copy.slices.into());
    let stream = total > STREAM_BYTES;
    // Rows that follow each other on both sides are one.
    let gapless = copy.from.row == copy.row_bytes && copy.to.row == copy.row_bytes;
    let (row_bytes, rows) =
        if gapless { (copy.row_bytes.saturating_mul(rows), 1) } else { (copy.row_bytes, rows) };
    for slice in 0..u64::from(copy.slices) {
        for row in 0..rows {
            let at = |pitch: LinearPitch| {
                distance(row.wrapping_mul(pitch.row).wrapping_add(slice.wrapping_mul(pitch.slice)))
            };
            let (to, from) = (to.wrapping_add(at(copy.to)), from.wrapping_add(at(copy.from)));
            // SAFETY: a row of those that the caller promises.
            unsafe { copy_row(backend, stream, to, from, distance(row_bytes)) }
        }
    }
    if stream {
        order_streams();
    }
}

/// Orders what this thread wrote around the caches before all that it writes from now on: another thread that sees
/// the latter sees the former. Every copy ends with it but [`SwizzledImage::write_around_raw`].
///
/// [`SwizzledImage::write_around_raw`]: super::SwizzledImage::write_around_raw
#[inline]
pub fn order_streams() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: SSE is part of x86-64.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}

/// Copies `size` bytes, around the caches if `stream` and the backend can. [`order_streams`] is still to be called.
///
/// # Safety
/// As [`copy_raw`] demands.
#[inline]
pub(super) unsafe fn copy_row(backend: Backend, stream: bool, to: *mut u8, from: *const u8, size: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if stream && backend != Backend::Portable {
        // SAFETY: as this function demands of its caller; both other backends have AVX2.
        unsafe { streamed::copy(to, from, size) }
        return;
    }
    let _ = (backend, stream);
    // SAFETY: as this function demands of its caller.
    unsafe { from.copy_to_nonoverlapping(to, size) }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod streamed {
    use super::super::unit::LINE;
    use core::arch::x86_64::{__m256i, _mm256_loadu_si256, _mm256_setzero_si256, _mm256_stream_si256};

    /// Bytes of a turn of the loop: two lines.
    const STEP: usize = 2 * LINE;

    /// # Safety
    /// As [`super::copy_raw`] demands; AVX2 is there.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn copy(to: *mut u8, from: *const u8, size: usize) {
        let head = to.align_offset(64).min(size);
        // To copy nothing is a call too, which rows of a few lines can do without.
        if head > 0 {
            // SAFETY: the head is at most `size`, which the caller promises.
            unsafe { from.copy_to_nonoverlapping(to, head) }
        }
        let steps = (size - head) / STEP;
        for step in 0..steps {
            let at = head + step * STEP;
            // SAFETY: `STEP` bytes from `at` lie within `size`, and `to` at `at` is a multiple of 64.
            unsafe { copy_lines::<4>(to.wrapping_add(at), from.wrapping_add(at)) }
        }
        let mut tail = head + steps * STEP;
        if size - tail >= LINE {
            // SAFETY: as above for half as many bytes.
            unsafe { copy_lines::<2>(to.wrapping_add(tail), from.wrapping_add(tail)) }
            tail += LINE;
        }
        if tail < size {
            // SAFETY: from the tail to `size` is what is left.
            unsafe { from.wrapping_add(tail).copy_to_nonoverlapping(to.wrapping_add(tail), size - tail) }
        }
    }

    /// # Safety
    /// `PARTS` times 32 bytes, one or two lines, can be read at `from` and be written at `to`, a multiple of 64.
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn copy_lines<const PARTS: usize>(to: *mut u8, from: *const u8) {
        const WIDTH: usize = size_of::<__m256i>();
        let mut parts = [_mm256_setzero_si256(); PARTS];
        // By index: a closure has these instructions, but not what it would be handed to, so that it may be left as a call
        // for every 32 bytes. With `lto = "off"` it was.
        for part in 0..PARTS {
            // SAFETY: part of the bytes that the caller promises.
            parts[part] = unsafe { _mm256_loadu_si256(from.wrapping_add(part * WIDTH).cast()) };
        }
        for part in 0..PARTS {
            // SAFETY: as above; a multiple of 64 and some times 32.
            unsafe { _mm256_stream_si256(to.wrapping_add(part * WIDTH).cast(), parts[part]) }
        }
    }
}
