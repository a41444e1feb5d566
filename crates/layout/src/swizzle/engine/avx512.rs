//! Units with AVX-512: whole lines through a butterfly of byte selections.
//!
//! `vpermi2b` picks any 64 of the 128 bytes of two registers, so that one network serves runs of any length.

use core::arch::x86_64::{
    __m512i, _mm512_loadu_si512, _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_setzero_si512,
    _mm512_storeu_si512, _mm512_stream_si512,
};

use super::avx2::{KeptInVector, prefetch, prefetch_second_level, stream_line};
use super::kernel::{Places, UnitKernel};
use super::unit::Network;

/// A butterfly of `S` stages over `R` registers: `R = 2^S`, or 1 with one stage that permutes it. Where results go is
/// a constant: asked of each unit, it would take a twentieth of the speed in caches.
#[derive(Clone, Copy)]
pub(super) struct Butterfly<const R: usize, const S: usize, const STREAM: bool> {
    selects: [[__m512i; R]; S],
}

impl<const R: usize, const S: usize, const STREAM: bool> Butterfly<R, S, STREAM> {
    /// # Safety
    /// AVX-512 F, BW and VBMI are there.
    #[inline(always)]
    pub(super) unsafe fn new(network: &Network) -> Butterfly<R, S, STREAM> {
        // SAFETY: as this function demands of its caller.
        let zero = unsafe { _mm512_setzero_si512() };
        let mut selects = [[zero; R]; S];
        for stage in 0..S {
            for register in 0..R {
                let select = network[stage][register].as_ptr();
                // SAFETY: the 64 bytes of an array.
                selects[stage][register] = unsafe { _mm512_loadu_si512(select.cast()) };
            }
        }
        Butterfly { selects }
    }
}

impl<const R: usize, const S: usize, const STREAM: bool> UnitKernel<R> for Butterfly<R, S, STREAM> {
    const STREAMS: bool = STREAM;

    type Kept = KeptInVector<STREAM>;

    #[inline(always)]
    unsafe fn copy(self, from: impl Places, to: impl Places) {
        let (from, to): ([_; R], [_; R]) = (from.all(), to.all());
        // SAFETY: the caller promises the instructions.
        let zero = unsafe { _mm512_setzero_si512() };
        let mut lines = [zero; R];
        for register in 0..R {
            // SAFETY: the caller promises 64 bytes.
            lines[register] = unsafe { _mm512_loadu_si512(from[register].cast_const().cast()) };
        }
        if R == 1 {
            // SAFETY: the caller promises the instructions.
            lines[0] = unsafe { _mm512_permutexvar_epi8(self.selects[0][0], lines[0]) };
        } else {
            for stage in 0..S {
                let before = lines;
                for register in 0..R {
                    // As unit::network numbers them.
                    let (group, class) = (register >> (stage + 1), register & ((2 << stage) - 1));
                    let low = (2 * group) << stage | class >> 1;
                    let high = (2 * group + 1) << stage | class >> 1;
                    let select = self.selects[stage][register];
                    // SAFETY: the caller promises the instructions.
                    lines[register] = unsafe { _mm512_permutex2var_epi8(before[low], select, before[high]) };
                }
            }
        }
        for register in 0..R {
            let (to, line) = (to[register], lines[register]);
            if STREAM {
                // SAFETY: the caller promises 64 bytes, at a multiple of 64.
                unsafe { _mm512_stream_si512(to.cast(), line) }
            } else {
                // SAFETY: the caller promises 64 bytes.
                unsafe { _mm512_storeu_si512(to.cast(), line) }
            }
        }
    }

    #[inline(always)]
    unsafe fn stream_line(self, from: *const u8, to: *mut u8) {
        // SAFETY: as this function demands of its caller; AVX-512 has AVX2, which plain copies use as well.
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
