//! Copying one unit: what every instruction set does, and how it is done without any.

use super::unit::{GranuleMap, LINE, Source};

/// Where the rows, or the lines, of a unit begin.
pub(super) trait Places: Copy {
    /// The first `R` of them, made from a few values where they are used: to carry each through a loop there are too few
    /// registers. What a compiler puts on the stack instead costs up to a quarter of the speed where stores go around
    /// the caches. A processor holds a load back behind older stores at the same place of another page; these take
    /// long, and which of them are at the place of the stack is chance, for a process's life (measured).
    fn all<const R: usize>(self) -> [*mut u8; R];
}

/// An address, or a distance as one, that a loop over units needs. Where the kernel streams, it takes none of the
/// registers for addresses, of which there are too few: see [`Places::all`].
pub(super) trait Kept: Copy {
    /// Keeps `at`.
    fn keep(at: *mut u8) -> Self;

    /// What was kept.
    fn get(self) -> *mut u8;

    /// Keeps `distance`.
    #[inline(always)]
    fn keep_distance(distance: usize) -> Self {
        Self::keep(std::ptr::without_provenance_mut(distance))
    }

    /// The distance that was kept.
    #[inline(always)]
    fn distance(self) -> usize {
        self.get().addr()
    }
}

/// Where a compiler wants it.
impl Kept for *mut u8 {
    #[inline(always)]
    fn keep(at: *mut u8) -> *mut u8 {
        at
    }

    #[inline(always)]
    fn get(self) -> *mut u8 {
        self
    }
}

/// Copies one unit from `R` rows or lines of 64 bytes to as many lines or rows.
pub(super) trait UnitKernel<const R: usize>: Copy {
    /// Whether its stores go around the caches.
    const STREAMS: bool;

    /// # Safety
    /// Each of the first `R` of `from` can be read for 64 bytes and each of `to` be written for 64; none of `to` overlaps
    /// another or one of `from`. The instruction set is there. Where the kernel streams,
    /// each of `to` is a multiple of 64.
    unsafe fn copy(self, from: impl Places, to: impl Places);

    /// Copies one line, around the caches where the instruction set can.
    ///
    /// # Safety
    /// 64 bytes can be read at `from` and be written at `to`, a multiple of 64, and the two do not overlap; the instruction
    /// set is there.
    unsafe fn stream_line(self, from: *const u8, to: *mut u8);

    /// How a loop over units keeps what it needs of addresses.
    type Kept: Kept;

    /// Asks for the line of `at`, which may be any address.
    fn prefetch(self, at: *const u8);

    /// As [`UnitKernel::prefetch`], into the second-level cache.
    fn prefetch_second_level(self, at: *const u8);
}

/// Where each granule of 16 bytes comes from. The usual ones are constants, so that a kernel is straight code.
pub(super) trait Shape<const R: usize>: Copy {
    /// Whether the compiler knows what [`Shape::source`] says.
    const CONSTANT: bool = true;

    /// Whether results of the first half of the registers are made of first halves only, and those of the second half of
    /// second halves.
    const BY_HALVES: bool = false;

    /// The register and granule that granule `granule` of `register` comes from.
    fn source(self, register: usize, granule: usize) -> (usize, usize);
}

/// A4, A5 are two bits of rows: a transposition, in both directions.
#[derive(Clone, Copy)]
pub(super) struct Transpose;

impl Shape<4> for Transpose {
    const BY_HALVES: bool = true;

    #[inline(always)]
    fn source(self, register: usize, granule: usize) -> (usize, usize) {
        (granule, register)
    }
}

/// A4 is a bit of rows and A5 is X4: from rows to lines.
#[derive(Clone, Copy)]
pub(super) struct RowThenX4ToLines;

impl Shape<2> for RowThenX4ToLines {
    const BY_HALVES: bool = true;

    #[inline(always)]
    fn source(self, register: usize, granule: usize) -> (usize, usize) {
        (granule & 1, granule >> 1 | register << 1)
    }
}

/// A4 is a bit of rows and A5 is X4: from lines to rows.
#[derive(Clone, Copy)]
pub(super) struct RowThenX4ToRows;

impl Shape<2> for RowThenX4ToRows {
    #[inline(always)]
    fn source(self, register: usize, granule: usize) -> (usize, usize) {
        (granule >> 1, register | (granule & 1) << 1)
    }
}

/// A4 is X4 and A5 is a bit of rows, in both directions.
#[derive(Clone, Copy)]
pub(super) struct X4ThenRow;

impl Shape<2> for X4ThenRow {
    const BY_HALVES: bool = true;

    #[inline(always)]
    fn source(self, register: usize, granule: usize) -> (usize, usize) {
        (granule >> 1, granule & 1 | register << 1)
    }
}

/// Any other arrangement.
#[derive(Clone, Copy)]
pub(super) struct Tabled<'a>(pub(super) &'a GranuleMap);

impl<const R: usize> Shape<R> for Tabled<'_> {
    const CONSTANT: bool = false;

    #[inline(always)]
    fn source(self, register: usize, granule: usize) -> (usize, usize) {
        let Source { register, byte } = self.0[register][granule];
        // A register of a map is below R by its making; the mask lets the compiler know.
        (usize::from(register) & (R - 1), usize::from(byte) & 3)
    }
}

/// Which shape a map has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrangement {
    /// [`Transpose`].
    Transpose,
    /// [`RowThenX4ToLines`].
    RowThenX4ToLines,
    /// [`RowThenX4ToRows`].
    RowThenX4ToRows,
    /// [`X4ThenRow`].
    X4ThenRow,
    /// [`Tabled`].
    Other,
}

impl Arrangement {
    /// That of `map`, of `2^rows_log2` registers.
    pub(super) fn of(map: &GranuleMap, rows_log2: u8) -> Arrangement {
        match rows_log2 {
            1 if agrees(RowThenX4ToLines, map) => Arrangement::RowThenX4ToLines,
            1 if agrees(RowThenX4ToRows, map) => Arrangement::RowThenX4ToRows,
            1 if agrees(X4ThenRow, map) => Arrangement::X4ThenRow,
            2 if agrees(Transpose, map) => Arrangement::Transpose,
            _ => Arrangement::Other,
        }
    }
}

/// Whether `shape` says what `map` does.
fn agrees<const R: usize>(shape: impl Shape<R>, map: &GranuleMap) -> bool {
    let says = |register, granule| {
        shape.source(register, granule) == Shape::<R>::source(Tabled(map), register, granule)
    };
    (0..R).all(|register| (0..4).all(|granule| says(register, granule)))
}

/// Granule by granule, without instructions of its own.
#[derive(Clone, Copy)]
pub(super) struct Portable<S> {
    pub(super) shape: S,
}

impl<S: Shape<R>, const R: usize> UnitKernel<R> for Portable<S> {
    const STREAMS: bool = false;

    type Kept = *mut u8;

    #[inline(always)]
    unsafe fn copy(self, from: impl Places, to: impl Places) {
        let (from, to): ([_; R], [_; R]) = (from.all(), to.all());
        for register in 0..R {
            for granule in 0..4 {
                let (source, at) = self.shape.source(register, granule);
                let from = from[source].wrapping_add(16 * at).cast::<[u8; 16]>();
                let to = to[register].wrapping_add(16 * granule).cast::<[u8; 16]>();
                // SAFETY: a shape's sources are below R and 4, so these 16 bytes are of the 64 that the
                // caller promises; arrays of bytes have no alignment, and the two do not overlap.
                unsafe { from.copy_to_nonoverlapping(to, 1) }
            }
        }
    }

    #[inline(always)]
    unsafe fn stream_line(self, from: *const u8, to: *mut u8) {
        // SAFETY: as this function demands of its caller.
        unsafe { from.copy_to_nonoverlapping(to, LINE) }
    }

    #[inline(always)]
    fn prefetch(self, _at: *const u8) {}

    #[inline(always)]
    fn prefetch_second_level(self, _at: *const u8) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_by_halves<const R: usize, S: Shape<R>>(shape: S) -> bool {
        let half = |register: usize, granule: usize| shape.source(register, granule).1 / 2;
        (0..R).all(|register| (0..4).all(|granule| half(register, granule) == register / (R / 2)))
    }

    #[test]
    fn shapes_say_whether_they_go_by_halves() {
        assert_eq!(is_by_halves(Transpose), Transpose::BY_HALVES);
        assert_eq!(is_by_halves(RowThenX4ToLines), RowThenX4ToLines::BY_HALVES);
        assert_eq!(is_by_halves(RowThenX4ToRows), RowThenX4ToRows::BY_HALVES);
        assert_eq!(is_by_halves(X4ThenRow), X4ThenRow::BY_HALVES);
    }
}
