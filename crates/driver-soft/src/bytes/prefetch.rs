//! Asking for memory before it is read.

/// Asks for the two lines from `words[at]` on, where there is such a word; a hint, which reads nothing.
#[inline(always)]
pub(crate) fn prefetch_words(words: &[u32], at: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if let Some(word) = words.get(at) {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let line = core::ptr::from_ref(word).cast::<i8>();
        // SAFETY: a hint, which no address makes fault; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line) }
        // SAFETY: as above.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.wrapping_add(64)) }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = (words, at);
}
