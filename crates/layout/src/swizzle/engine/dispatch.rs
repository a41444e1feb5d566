//! From a backend and a pattern to the kernel, and into code compiled for its instructions.

use super::backend::Backend;
use super::job::Job;
use super::kernel::{
    Arrangement, Portable, RowThenX4ToLines, RowThenX4ToRows, Shape, Tabled, Transpose, X4ThenRow,
};
use super::runs;
use super::unit::{GranuleMap, Moves, Unit};
use super::walk::{Body, Order, Walk};

/// Copies the job's span, to the surface if `WRITE` and else from it.
///
/// # Safety
/// As [`super::SwizzledImage::write_raw`] and `read_raw` demand. Where the job stores lines, those that are written begin
/// at multiples of 64; it stages only where it reads.
pub(super) unsafe fn copy<const WRITE: bool>(job: &Job<'_>, order: Order) {
    let unit = match job.pattern.unit() {
        Some(unit) if job.pattern.run_log2() < runs::LONG_LOG2 => unit,
        // SAFETY: as this function demands of its caller.
        _ => return unsafe { runs::copy::<WRITE>(job, &job.span) },
    };
    let mut span = job.span;
    if !span.is_whole(&unit.boxes) {
        span = span.whole(&unit.boxes);
        if span.is_empty() {
            // SAFETY: as this function demands of its caller.
            return unsafe { runs::copy::<WRITE>(job, &job.span) };
        }
        for slab in job.span.around(&span) {
            // SAFETY: as above, for a part of the span.
            unsafe { runs::copy::<WRITE>(job, &slab) }
        }
    }
    let moves = if WRITE { &unit.write } else { &unit.read };
    // SAFETY: as this function demands of its caller.
    if !unsafe { with_kernel::<WRITE>(job.backend, Body { job, unit, span, order }, moves) } {
        // SAFETY: as above.
        unsafe { runs::copy::<WRITE>(job, &span) }
    }
}

/// Whether the backend has kernels for this unit, in both directions.
pub(super) fn has_kernels(backend: Backend, unit: &Unit) -> bool {
    [&unit.write, &unit.read].into_iter().all(|moves| match backend {
        Backend::Portable => moves.granules.is_some(),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Backend::Avx2 => moves.granules.is_some() || moves.shuffled.is_some(),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Backend::Avx512 => true,
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        Backend::Avx2 | Backend::Avx512 => moves.granules.is_some(),
    })
}

/// Copies with the kernel of the backend for `moves`; whether there is one: else nothing was copied.
///
/// # Safety
/// As [`Walk::copy`] demands but for the kernel; `moves` are the unit's in this direction; the backend is there.
#[inline(always)]
pub(super) unsafe fn with_kernel<const WRITE: bool>(
    backend: Backend,
    walk: impl Walk,
    moves: &Moves,
) -> bool {
    match backend {
        // SAFETY: as this function demands of its caller.
        Backend::Portable => unsafe { portable::<WRITE>(walk, moves) },
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: as above.
        Backend::Avx2 => unsafe { vector::with_avx2::<WRITE>(walk, moves) },
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: as above.
        Backend::Avx512 => unsafe { vector::with_avx512::<WRITE, _>(walk, moves) },
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        // SAFETY: as above.
        Backend::Avx2 | Backend::Avx512 => unsafe { portable::<WRITE>(walk, moves) },
    }
}

/// What is to be done with a shape, once it is known.
trait WithShape {
    /// # Safety
    /// As [`with_kernel`] demands; `shape` is that of the moves.
    unsafe fn copy<const R: usize, S: Shape<R>>(self, shape: S);
}

/// Calls `with` with the shape of `map`.
///
/// # Safety
/// As [`with_kernel`] demands; `map` is that of the moves, and of `2^rows_log2` registers.
unsafe fn by_shape(arrangement: Arrangement, map: &GranuleMap, rows_log2: u8, with: impl WithShape) {
    match (arrangement, rows_log2) {
        // SAFETY: as this function demands of its caller.
        (Arrangement::Transpose, _) => unsafe { with.copy::<4, _>(Transpose) },
        // SAFETY: as above.
        (Arrangement::RowThenX4ToLines, _) => unsafe { with.copy::<2, _>(RowThenX4ToLines) },
        // SAFETY: as above.
        (Arrangement::RowThenX4ToRows, _) => unsafe { with.copy::<2, _>(RowThenX4ToRows) },
        // SAFETY: as above.
        (Arrangement::X4ThenRow, _) => unsafe { with.copy::<2, _>(X4ThenRow) },
        // SAFETY: as above.
        (Arrangement::Other, 0) => unsafe { with.copy::<1, _>(Tabled(map)) },
        // SAFETY: as above.
        (Arrangement::Other, 1) => unsafe { with.copy::<2, _>(Tabled(map)) },
        // SAFETY: as above.
        (Arrangement::Other, 2) => unsafe { with.copy::<4, _>(Tabled(map)) },
        // SAFETY: as above; units have 8 rows at most.
        (Arrangement::Other, _) => unsafe { with.copy::<8, _>(Tabled(map)) },
    }
}

/// # Safety
/// As [`with_kernel`] demands.
unsafe fn portable<const WRITE: bool>(walk: impl Walk, moves: &Moves) -> bool {
    struct Granules<const WRITE: bool, W>(W);
    impl<const WRITE: bool, W: Walk> WithShape for Granules<WRITE, W> {
        unsafe fn copy<const R: usize, S: Shape<R>>(self, shape: S) {
            // SAFETY: as the trait demands of the caller; nothing streams.
            unsafe { self.0.copy::<WRITE, R, _>(Portable { shape }) }
        }
    }
    let Some((arrangement, map)) = &moves.granules else { return false };
    // SAFETY: as this function demands of its caller.
    unsafe { by_shape(*arrangement, map, walk.unit().rows_log2, Granules::<WRITE, _>(walk)) }
    true
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod vector {
    use super::super::avx2::{Granules, Shuffles};
    use super::super::avx512::Butterfly;
    use super::super::kernel::Shape;
    use super::super::unit::{Moves, ShuffledMap};
    use super::{Walk, WithShape, by_shape};

    /// # Safety
    /// As [`super::with_kernel`] demands; AVX2 is there.
    pub(super) unsafe fn with_avx2<const WRITE: bool>(walk: impl Walk, moves: &Moves) -> bool {
        struct ByGranules<const WRITE: bool, W>(W);
        impl<const WRITE: bool, W: Walk> WithShape for ByGranules<WRITE, W> {
            unsafe fn copy<const R: usize, S: Shape<R>>(self, shape: S) {
                // SAFETY: as the trait demands of the caller, who has AVX2.
                unsafe { granules::<WRITE, R, S, W>(self.0, shape) }
            }
        }
        let rows_log2 = walk.unit().rows_log2;
        match (&moves.granules, &moves.shuffled) {
            (Some((arrangement, map)), _) => {
                // SAFETY: as this function demands of its caller.
                unsafe { by_shape(*arrangement, map, rows_log2, ByGranules::<WRITE, _>(walk)) }
            }
            (None, Some(map)) => match rows_log2 {
                // SAFETY: as above.
                0 => unsafe { shuffles::<WRITE, 1, _>(walk, map) },
                // SAFETY: as above.
                1 => unsafe { shuffles::<WRITE, 2, _>(walk, map) },
                // SAFETY: as above.
                2 => unsafe { shuffles::<WRITE, 4, _>(walk, map) },
                // SAFETY: as above.
                _ => unsafe { shuffles::<WRITE, 8, _>(walk, map) },
            },
            (None, None) => return false,
        }
        true
    }

    /// # Safety
    /// As [`super::with_kernel`] demands; AVX-512 F, BW, VBMI are there.
    pub(super) unsafe fn with_avx512<const WRITE: bool, W: Walk>(walk: W, moves: &Moves) -> bool {
        if WRITE && W::ROWS_ARE_FAR && walk.streams() && moves.granules.is_some() {
            // Where memory is what takes the time, its smaller loads keep more of it in flight (measured).
            // SAFETY: as this function demands of its caller; AVX-512 has AVX2.
            return unsafe { with_avx2::<WRITE>(walk, moves) };
        }
        match walk.unit().rows_log2 {
            // SAFETY: as this function demands of its caller.
            0 => unsafe { butterfly::<WRITE, 1, 1, _>(walk, moves) },
            // SAFETY: as above.
            1 => unsafe { butterfly::<WRITE, 2, 1, _>(walk, moves) },
            // SAFETY: as above.
            2 => unsafe { butterfly::<WRITE, 4, 2, _>(walk, moves) },
            // SAFETY: as above.
            _ => unsafe { butterfly::<WRITE, 8, 3, _>(walk, moves) },
        }
        true
    }

    /// Reads stream by way of a stage only, with kernels that do not.
    ///
    /// # Safety
    /// As [`super::with_kernel`] demands; `shape` is that of the moves.
    #[target_feature(enable = "avx2")]
    unsafe fn granules<const WRITE: bool, const R: usize, S: Shape<R>, W: Walk>(walk: W, shape: S) {
        if WRITE && walk.streams() {
            // SAFETY: as this function demands of its caller.
            unsafe { walk.copy::<WRITE, R, _>(Granules::<S, true> { shape }) }
        } else {
            // SAFETY: as above.
            unsafe { walk.copy::<WRITE, R, _>(Granules::<S, false> { shape }) }
        }
    }

    /// # Safety
    /// As [`super::with_kernel`] demands; `map` is that of the moves.
    #[target_feature(enable = "avx2")]
    unsafe fn shuffles<const WRITE: bool, const R: usize, W: Walk>(walk: W, map: &ShuffledMap) {
        if WRITE && walk.streams() {
            // SAFETY: as this function demands of its caller.
            unsafe { walk.copy::<WRITE, R, _>(Shuffles::<true> { map }) }
        } else {
            // SAFETY: as above.
            unsafe { walk.copy::<WRITE, R, _>(Shuffles::<false> { map }) }
        }
    }

    /// # Safety
    /// As [`super::with_kernel`] demands; the unit has `R` rows.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    unsafe fn butterfly<const WRITE: bool, const R: usize, const S: usize, W: Walk>(walk: W, moves: &Moves) {
        if walk.streams() {
            // SAFETY: this function has the instructions.
            let kernel = unsafe { Butterfly::<R, S, true>::new(&moves.network) };
            // SAFETY: as this function demands of its caller.
            unsafe { walk.copy::<WRITE, R, _>(kernel) }
        } else {
            // SAFETY: this function has the instructions.
            let kernel = unsafe { Butterfly::<R, S, false>::new(&moves.network) };
            // SAFETY: as this function demands of its caller.
            unsafe { walk.copy::<WRITE, R, _>(kernel) }
        }
    }
}
