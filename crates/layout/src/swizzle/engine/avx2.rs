//! Units with AVX2: two granules make half a line, stored at once.

use core::arch::asm;
use core::arch::x86_64::{
    __m128i, __m256i, _MM_HINT_T0, _MM_HINT_T1, _mm_cvtsi64_si128, _mm_loadu_si128, _mm_or_si128,
    _mm_prefetch, _mm_setzero_si128, _mm_shuffle_epi8, _mm256_loadu_si256, _mm256_permute2x128_si256,
    _mm256_set_m128i, _mm256_setzero_si256, _mm256_storeu_si256, _mm256_stream_si256,
};

use super::kernel::{Kept, Places, Shape, UnitKernel};
use super::unit::{MAX_SHUFFLED, ShuffledMap};

/// Half by half of lines where the shape is a constant, else granule by granule.
#[derive(Clone, Copy)]
pub(super) struct Granules<S, const STREAM: bool> {
    pub(super) shape: S,
}

/// Byte by byte of a few granules.
#[derive(Clone, Copy)]
pub(super) struct Shuffles<'a, const STREAM: bool> {
    pub(super) map: &'a ShuffledMap,
}

impl<S: Shape<R>, const R: usize, const STREAM: bool> UnitKernel<R> for Granules<S, STREAM> {
    const STREAMS: bool = STREAM;

    type Kept = KeptInVector<STREAM>;

    #[inline(always)]
    unsafe fn copy(self, from: impl Places, to: impl Places) {
        if S::CONSTANT {
            // SAFETY: as this function demands of its caller.
            unsafe { by_halves::<S, R, STREAM>(self.shape, from, to) }
            return;
        }
        let (from, to): ([_; R], [_; R]) = (from.all(), to.all());
        for register in 0..R {
            for half in 0..2 {
                // SAFETY: these 16 bytes are of the 64 at one of `from`, which the caller promises.
                let low = unsafe { load(place(self.shape, &from, register, half * 2)) };
                // SAFETY: as above.
                let high = unsafe { load(place(self.shape, &from, register, half * 2 + 1)) };
                // SAFETY: half of a line that the caller promises; where streamed, lines begin at multiples of 64.
                unsafe { store::<STREAM>(to[register], half, low, high) }
            }
        }
    }

    #[inline(always)]
    unsafe fn stream_line(self, from: *const u8, to: *mut u8) {
        // SAFETY: as this function demands of its caller.
        unsafe { stream_line(from, to) }
    }

    #[inline(always)]
    fn prefetch(self, at: *const u8) {
        prefetch(at);
    }

    #[inline(always)]
    fn prefetch_second_level(self, at: *const u8) {
        prefetch_second_level(at);
    }
}

impl<const R: usize, const STREAM: bool> UnitKernel<R> for Shuffles<'_, STREAM> {
    const STREAMS: bool = STREAM;

    type Kept = KeptInVector<STREAM>;

    #[inline(always)]
    unsafe fn copy(self, from: impl Places, to: impl Places) {
        let (from, to): ([_; R], [_; R]) = (from.all(), to.all());
        for register in 0..R {
            for half in 0..2 {
                // SAFETY: as this function demands of its caller.
                let low = unsafe { self.granule(&from, register, half * 2) };
                // SAFETY: as above.
                let high = unsafe { self.granule(&from, register, half * 2 + 1) };
                // SAFETY: half of a line that the caller promises; where streamed, lines begin at multiples of 64.
                unsafe { store::<STREAM>(to[register], half, low, high) }
            }
        }
    }

    #[inline(always)]
    unsafe fn stream_line(self, from: *const u8, to: *mut u8) {
        // SAFETY: as this function demands of its caller.
        unsafe { stream_line(from, to) }
    }

    #[inline(always)]
    fn prefetch(self, at: *const u8) {
        prefetch(at);
    }

    #[inline(always)]
    fn prefetch_second_level(self, at: *const u8) {
        prefetch_second_level(at);
    }
}

/// Copies a unit by halves of lines, each of which is loaded once: granule by granule it would be twice as many loads,
/// which take a twentieth of the speed where memory is far (measured).
///
/// # Safety
/// As [`UnitKernel::copy`] demands.
#[inline(always)]
unsafe fn by_halves<S: Shape<R>, const R: usize, const STREAM: bool>(
    shape: S,
    from: impl Places,
    to: impl Places,
) {
    // As few at a time as the shape allows: there are registers for those.
    for part in 0..if S::BY_HALVES { 2 } else { 1 } {
        let (loaded, stored) =
            if S::BY_HALVES { (part..part + 1, part * R / 2..(part + 1) * R / 2) } else { (0..2, 0..R) };
        let rows: [_; R] = from.all();
        // SAFETY: AVX2 is there.
        let mut halves = unsafe { [[_mm256_setzero_si256(); 2]; R] };
        for register in 0..R {
            for half in loaded.clone() {
                // SAFETY: 32 of the 64 bytes that the caller promises.
                halves[register][half] =
                    unsafe { _mm256_loadu_si256(rows[register].wrapping_add(32 * half).cast()) };
            }
        }
        let lines: [_; R] = to.all();
        for register in stored {
            for half in 0..2 {
                let (low, low_at) = shape.source(register, half * 2);
                let (high, high_at) = shape.source(register, half * 2 + 1);
                let (a, b) = (halves[low][low_at / 2], halves[high][high_at / 2]);
                // SAFETY: AVX2 is there.
                let both = unsafe { joined(a, low_at % 2, b, high_at % 2) };
                // SAFETY: half of a line that the caller promises; where streamed, lines begin at multiples of 64.
                unsafe { store_half::<STREAM>(lines[register], half, both) }
            }
        }
    }
}

/// Granule `low` of `a` and granule `high` of `b`.
///
/// # Safety
/// AVX2 is there.
#[inline(always)]
unsafe fn joined(a: __m256i, low: usize, b: __m256i, high: usize) -> __m256i {
    match (low, high) {
        // SAFETY: as this function demands of its caller.
        (0, 0) => unsafe { _mm256_permute2x128_si256::<0x20>(a, b) },
        // SAFETY: as above.
        (0, _) => unsafe { _mm256_permute2x128_si256::<0x30>(a, b) },
        // SAFETY: as above.
        (_, 0) => unsafe { _mm256_permute2x128_si256::<0x21>(a, b) },
        // SAFETY: as above.
        _ => unsafe { _mm256_permute2x128_si256::<0x31>(a, b) },
    }
}

impl<const STREAM: bool> Shuffles<'_, STREAM> {
    /// Granule `granule` of `register`.
    ///
    /// # Safety
    /// Each of `from` can be read for 64 bytes; AVX2 is there.
    #[inline(always)]
    unsafe fn granule<const R: usize>(self, from: &[*mut u8; R], register: usize, granule: usize) -> __m128i {
        let shuffled = &self.map[register][granule];
        // SAFETY: AVX2 is there.
        let mut sum = unsafe { _mm_setzero_si128() };
        for part in 0..usize::from(shuffled.count).min(MAX_SHUFFLED) {
            let source = shuffled.sources[part];
            // A register of a map is below R by its making; the masks let the compiler know.
            let from = from[usize::from(source.register) & (R - 1)];
            // SAFETY: a granule of the 64 bytes that the caller promises.
            let bytes = unsafe { load(from.wrapping_add(16 * usize::from(source.byte & 3))) };
            // SAFETY: the 16 bytes of an array.
            let select = unsafe { load(shuffled.selects[part].as_ptr()) };
            // SAFETY: AVX2 is there.
            let moved = unsafe { _mm_shuffle_epi8(bytes, select) };
            // SAFETY: AVX2 is there.
            sum = unsafe { _mm_or_si128(sum, moved) };
        }
        sum
    }
}

/// Where granule `granule` of `register` comes from.
#[inline(always)]
fn place<S: Shape<R>, const R: usize>(
    shape: S,
    from: &[*mut u8; R],
    register: usize,
    granule: usize,
) -> *const u8 {
    let (source, at) = shape.source(register, granule);
    from[source].wrapping_add(16 * at)
}

/// # Safety
/// 16 bytes at `from` can be read; AVX2 is there.
#[inline(always)]
unsafe fn load(from: *const u8) -> __m128i {
    // SAFETY: as this function demands of its caller.
    unsafe { _mm_loadu_si128(from.cast()) }
}

/// # Safety
/// Half `half` of the line at `to` can be written, `to` is a multiple of 64 where streamed; AVX2 is there.
#[inline(always)]
unsafe fn store<const STREAM: bool>(to: *mut u8, half: usize, low: __m128i, high: __m128i) {
    // SAFETY: AVX2 is there.
    let both = unsafe { _mm256_set_m128i(high, low) };
    // SAFETY: as this function demands of its caller.
    unsafe { store_half::<STREAM>(to, half, both) }
}

/// # Safety
/// As [`store`] demands.
#[inline(always)]
unsafe fn store_half<const STREAM: bool>(to: *mut u8, half: usize, both: __m256i) {
    if !STREAM {
        // SAFETY: as this function demands of its caller.
        unsafe { _mm256_storeu_si256(to.wrapping_add(32 * half).cast(), both) }
    } else if half == 0 {
        // SAFETY: as above.
        unsafe { _mm256_stream_si256(to.cast(), both) }
    } else {
        // SAFETY: as above.
        unsafe { stream_second_half(to, both) }
    }
}

/// `_mm256_stream_si256` to 32 bytes beyond `to`. The intrinsic takes its address from a register of its own, of which
/// there are too few.
///
/// # Safety
/// As [`store`] demands where streamed.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn stream_second_half(to: *mut u8, both: __m256i) {
    // SAFETY: the caller promises these 32 bytes, which begin at a multiple of 32.
    unsafe {
        asm!("vmovntdq ymmword ptr [{} + 32], {}", in(reg) to, in(ymm_reg) both, options(nostack, preserves_flags));
    }
}

/// # Safety
/// As [`UnitKernel::stream_line`] demands; AVX2 is there.
#[inline(always)]
pub(super) unsafe fn stream_line(from: *const u8, to: *mut u8) {
    // SAFETY: the first half of a line that the caller promises.
    let first = unsafe { _mm256_loadu_si256(from.cast()) };
    // SAFETY: the second half.
    let second = unsafe { _mm256_loadu_si256(from.wrapping_add(32).cast()) };
    // SAFETY: a line that the caller promises, at a multiple of 64.
    unsafe { store_half::<true>(to, 0, first) }
    // SAFETY: as above.
    unsafe { store_half::<true>(to, 1, second) }
}

/// An address that is in a vector register if stores go around the caches, and else where a compiler wants it. Made where
/// units are copied with a kernel of these instructions, whose caller promises them.
#[derive(Clone, Copy)]
pub(super) struct KeptInVector<const STREAM: bool> {
    vector: __m128i,
    at: *mut u8,
}

impl<const STREAM: bool> Kept for KeptInVector<STREAM> {
    #[inline(always)]
    fn keep(at: *mut u8) -> KeptInVector<STREAM> {
        let bits = at.expose_provenance().cast_signed() as i64;
        // SAFETY: SSE2 is part of x86-64.
        KeptInVector { vector: unsafe { _mm_cvtsi64_si128(bits) }, at }
    }

    #[inline(always)]
    fn get(self) -> *mut u8 {
        if !STREAM {
            return self.at;
        }
        let at;
        // Assembly, and not pure: a compiler would take it out once, before the loop, and then lack a register for it.
        // SAFETY: 64 bits from register to register, of an address that was exposed. It was made where a kernel copies,
        // whose caller has promised AVX.
        unsafe {
            asm!("vmovq {}, {}", out(reg) at, in(xmm_reg) self.vector, options(nomem, nostack, preserves_flags));
        }
        at
    }
}

#[inline(always)]
pub(super) fn prefetch(at: *const u8) {
    // SAFETY: a hint; SSE is part of x86-64.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) }
}

#[inline(always)]
pub(super) fn prefetch_second_level(at: *const u8) {
    // SAFETY: a hint; SSE is part of x86-64.
    unsafe { _mm_prefetch::<_MM_HINT_T1>(at.cast()) }
}

// No memory is accessed: the pointer is not followed.
#[allow(clippy::pointers_in_nomem_asm_block)]
#[inline(always)]
pub(super) fn unknown(at: *mut u8) -> *mut u8 {
    let mut same = at;
    // SAFETY: there is no instruction: the register is left as it is.
    unsafe { asm!("/* {} */", inout(reg) same, options(pure, nomem, nostack, preserves_flags)) }
    same
}
