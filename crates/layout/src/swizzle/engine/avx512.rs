//! Units with AVX-512: whole lines through a butterfly of byte selections.
//!
//! `vpermi2b` picks any 64 of the 128 bytes of two registers, so that one network serves runs of any length.

use core::arch::x86_64::{
    __m512i, _mm_sfence, _mm512_loadu_si512, _mm512_permutex2var_epi8, _mm512_permutexvar_epi8,
    _mm512_setzero_si512, _mm512_storeu_si512, _mm512_stream_si512,
};

use super::avx2::prefetch;
use super::kernel::UnitKernel;
use super::unit::Network;

/// A butterfly of `S` stages over `R` registers: `R = 2^S`, or 1 with one stage that permutes it.
#[derive(Clone, Copy)]
pub(super) struct Butterfly<const R: usize, const S: usize> {
    selects: [[__m512i; R]; S],
    stream: bool,
}

impl<const R: usize, const S: usize> Butterfly<R, S> {
    /// # Safety
    /// AVX-512 F, BW and VBMI are there.
    #[inline(always)]
    pub(super) unsafe fn new(network: &Network, stream: bool) -> Butterfly<R, S> {
        // SAFETY: as this function demands of its caller.
        let zero = unsafe { _mm512_setzero_si512() };
        let mut selects = [[zero; R]; S];
        for (selects, stage) in selects.iter_mut().zip(network) {
            for (select, bytes) in selects.iter_mut().zip(stage) {
                // SAFETY: the 64 bytes of an array.
                *select = unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
            }
        }
        Butterfly { selects, stream }
    }
}

impl<const R: usize, const S: usize> UnitKernel<R> for Butterfly<R, S> {
    #[inline(always)]
    unsafe fn copy(self, from: [*const u8; R], to: [*mut u8; R]) {
        // SAFETY: the caller promises the instructions.
        let zero = unsafe { _mm512_setzero_si512() };
        let mut lines = [zero; R];
        for (line, from) in lines.iter_mut().zip(from) {
            // SAFETY: the caller promises 64 bytes.
            *line = unsafe { _mm512_loadu_si512(from.cast()) };
        }
        if R == 1 {
            // SAFETY: the caller promises the instructions.
            lines[0] = unsafe { _mm512_permutexvar_epi8(self.selects[0][0], lines[0]) };
        } else {
            for (stage, selects) in self.selects.iter().enumerate() {
                let before = lines;
                for (register, line) in lines.iter_mut().enumerate() {
                    // As unit::network numbers them.
                    let (group, class) = (register >> (stage + 1), register & ((2 << stage) - 1));
                    let low = (2 * group) << stage | class >> 1;
                    let high = (2 * group + 1) << stage | class >> 1;
                    // SAFETY: the caller promises the instructions.
                    *line = unsafe { _mm512_permutex2var_epi8(before[low], selects[register], before[high]) };
                }
            }
        }
        for (to, line) in to.into_iter().zip(lines) {
            if self.stream {
                // SAFETY: the caller promises 64 bytes, at a multiple of 64.
                unsafe { _mm512_stream_si512(to.cast(), line) }
            } else {
                // SAFETY: the caller promises 64 bytes.
                unsafe { _mm512_storeu_si512(to.cast(), line) }
            }
        }
    }

    #[inline(always)]
    fn prefetch(self, at: *const u8) {
        prefetch(at);
    }

    #[inline(always)]
    unsafe fn finish(self) {
        if self.stream {
            // SAFETY: SSE is part of x86-64.
            unsafe { _mm_sfence() }
        }
    }
}
