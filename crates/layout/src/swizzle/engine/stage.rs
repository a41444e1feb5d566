//! Rows that begin beside lines, written around the caches nevertheless; and with AVX2 those whose units tables move.
//!
//! ```text
//!   units are copied here              and from here whole lines of the rows are written
//!   +------+------+------+------+      : |------|------|------| :
//!   | held | part of a row      |  --> :.|..    |      |      | :  what is over is held for the next part
//!   +------+------+------+------+      : |------|------|------| :
//! ```
//! A line that is written in parts has to be fetched first, so that such a copy takes two to three times as long as one
//! around the caches. Through a stage in the first-level cache it takes little longer (measured), and only the ends of
//! rows are written in parts.

use super::backend::Backend;
use super::plain::copy_row;
use super::unit::{LINE, MAX_ROWS};

/// A part of the rows of a strip.
#[repr(align(64))]
pub(super) struct Stage {
    /// A line for what is held and a part, for each row.
    bytes: [u8; MAX_ROWS * Stage::PITCH],
    rows: [StagedRow; MAX_ROWS],
    backend: Backend,
}

/// How far a row is written.
#[derive(Clone, Copy)]
struct StagedRow {
    /// Its next byte.
    to: *mut u8,
    /// How many bytes before its part are still to be written.
    held: usize,
}

impl Stage {
    /// Bytes of a row that are staged at once (chosen: those of eight rows take a quarter of a first-level cache).
    pub(super) const PART: u64 = Stage::PART_BYTES as u64;
    const PART_BYTES: usize = 1 << 10;
    /// From a staged row to the next: an odd number of lines, so that they lie in different sets of a cache.
    const PITCH: usize = LINE + Stage::PART_BYTES;

    pub(super) fn new(backend: Backend) -> Stage {
        let row = StagedRow { to: std::ptr::null_mut(), held: 0 };
        Stage { bytes: [0; MAX_ROWS * Stage::PITCH], rows: [row; MAX_ROWS], backend }
    }

    /// From the first staged row to that one.
    #[inline(always)]
    pub(super) const fn row(index: usize) -> usize {
        index * Stage::PITCH
    }

    /// Where parts of the first row are staged: there is room for as many bytes of each.
    #[inline(always)]
    pub(super) fn linear(&mut self) -> *mut u8 {
        self.bytes.as_mut_ptr().wrapping_add(LINE)
    }

    /// The first byte of that row, of `MAX_ROWS` at most, lies at `to`.
    #[inline(always)]
    pub(super) fn begin(&mut self, row: usize, to: *mut u8) {
        self.rows[row] = StagedRow { to, held: 0 };
    }

    /// Writes whole lines of the first rows, of which `size` bytes more are staged: 64 at least and [`Stage::PART`] at
    /// most. All of it if it is their last part. [`order_streams`](super::order_streams) is still to be called.
    ///
    /// # Safety
    /// Of each row, so many bytes and all before them since it began can be written; the backend is there.
    #[inline(always)]
    pub(super) unsafe fn write(&mut self, rows: usize, size: usize, is_last: bool) {
        for (row, staged) in self.rows.iter_mut().zip(self.bytes.chunks_exact_mut(Stage::PITCH)).take(rows) {
            let (begin, end) = (LINE - row.held, LINE + size);
            let left = end - begin;
            let over = if is_last { 0 } else { row.to.wrapping_add(left).addr() & (LINE - 1) };
            let from = staged.as_ptr().wrapping_add(begin);
            // SAFETY: a part that is not the last has a line's bytes at least, more than are over. The rest is bytes of
            // the row that are staged, and that the caller promises.
            unsafe { copy_row(self.backend, true, row.to, from, left - over) }
            staged.copy_within(end - LINE..end, 0);
            *row = StagedRow { to: row.to.wrapping_add(left - over), held: over };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::plain::order_streams;
    use super::*;

    /// Rows of any length that begin anywhere, in parts as strips give them.
    #[test]
    fn rows_are_written_whole_and_no_byte_beside() {
        const ROWS: usize = MAX_ROWS;
        const PARTS: [&[usize]; 6] =
            [&[64], &[64, 1024, 64], &[1024], &[512, 64], &[1024, 1024, 192], &[64, 64, 64, 64]];
        // An interpreter takes a thousand times as long.
        const STEP: usize = if cfg!(miri) { 29 } else { 1 };
        let byte = |row: usize, at: usize| ((row * 31 + at * 7) % 251).to_le_bytes()[0];
        for backend in Backend::available() {
            for (parts, start) in
                PARTS.iter().flat_map(|parts| (0..LINE).step_by(STEP).map(move |start| (parts, start)))
            {
                let size: usize = parts.iter().sum();
                // Each row begins elsewhere in a line.
                let pitch = size + 2 * LINE + 5;
                let mut memory = vec![0xee_u8; ROWS * pitch + 2 * LINE];
                let first = memory.as_ptr().align_offset(LINE) + start;
                let to = memory.as_mut_ptr().wrapping_add(first);
                let mut stage = Stage::new(backend);
                for row in 0..ROWS {
                    stage.begin(row, to.wrapping_add(row * pitch));
                }
                let mut at = 0;
                for (index, part) in parts.iter().enumerate() {
                    let linear = stage.linear();
                    for row in 0..ROWS {
                        for x in 0..*part {
                            // SAFETY: the stage has room for a part of each row.
                            unsafe { linear.wrapping_add(Stage::row(row) + x).write(byte(row, at + x)) }
                        }
                    }
                    // SAFETY: the rows lie in `memory`; the backend is one that there is.
                    unsafe { stage.write(ROWS, *part, index + 1 == parts.len()) }
                    at += part;
                }
                order_streams();
                let mut expected = vec![0xee_u8; memory.len()];
                for row in 0..ROWS {
                    for x in 0..size {
                        expected[first + row * pitch + x] = byte(row, x);
                    }
                }
                assert!(memory == expected, "{backend:?}, {parts:?} at {start}");
            }
        }
    }
}
