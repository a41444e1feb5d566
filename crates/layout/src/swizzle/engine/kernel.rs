//! Copying one unit: what every instruction set does, and how it is done without any.

use super::unit::{GranuleMap, Source};

/// Copies one unit from `R` rows or lines of 64 bytes to as many lines or rows.
pub(super) trait UnitKernel<const R: usize>: Copy {
    /// # Safety
    /// Each of `from` can be read for 64 bytes and each of `to` be written for 64; none of `to` overlaps
    /// another or one of `from`. The instruction set is there. Where the kernel streams,
    /// each of `to` is a multiple of 64.
    unsafe fn copy(self, from: [*mut u8; R], to: [*mut u8; R]);

    /// `at` as a value that nothing is known of. The addresses of a unit are then made from it where they are
    /// used, which most instructions do by themselves, and not each carried through the loop, for which there
    /// are too few registers.
    fn unknown(at: *mut u8) -> *mut u8;

    /// Asks for the line of `at`, which may be any address.
    fn prefetch(self, at: *const u8);

    /// As [`UnitKernel::prefetch`], into the second-level cache.
    fn prefetch_second_level(self, at: *const u8);
}

/// Where each granule of 16 bytes comes from. The usual ones are constants, so that a kernel is straight code.
pub(super) trait Shape<const R: usize>: Copy {
    /// Whether the compiler knows what [`Shape::source`] says.
    const CONSTANT: bool = true;

    /// The register and granule that granule `granule` of `register` comes from.
    fn source(self, register: usize, granule: usize) -> (usize, usize);
}

/// A4, A5 are two bits of rows: a transposition, in both directions.
#[derive(Clone, Copy)]
pub(super) struct Transpose;

impl Shape<4> for Transpose {
    #[inline(always)]
    fn source(self, register: usize, granule: usize) -> (usize, usize) {
        (granule, register)
    }
}

/// A4 is a bit of rows and A5 is X4: from rows to lines.
#[derive(Clone, Copy)]
pub(super) struct RowThenX4ToLines;

impl Shape<2> for RowThenX4ToLines {
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
    #[inline(always)]
    unsafe fn copy(self, from: [*mut u8; R], to: [*mut u8; R]) {
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
    fn unknown(at: *mut u8) -> *mut u8 {
        at
    }

    #[inline(always)]
    fn prefetch(self, _at: *const u8) {}

    #[inline(always)]
    fn prefetch_second_level(self, _at: *const u8) {}
}
