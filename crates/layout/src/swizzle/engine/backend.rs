//! Which instructions copies are made with.

/// A way of copying. All copy the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Backend {
    /// No instructions beyond the target's own, no stores around the caches.
    Portable,
    /// AVX2 of x86-64.
    Avx2,
    /// AVX-512 F, BW and VBMI of x86-64.
    Avx512,
}

impl Backend {
    /// All, slowest first.
    pub const ALL: [Backend; 3] = [Backend::Portable, Backend::Avx2, Backend::Avx512];

    /// The fastest that this processor has.
    #[must_use]
    #[inline]
    pub fn detect() -> Backend {
        if Backend::Avx512.is_available() {
            Backend::Avx512
        } else if Backend::Avx2.is_available() {
            Backend::Avx2
        } else {
            Backend::Portable
        }
    }

    /// Those that this processor has, slowest first.
    pub fn available() -> impl Iterator<Item = Backend> {
        Backend::ALL.into_iter().filter(|backend| backend.is_available())
    }

    /// Whether this processor has it.
    #[must_use]
    #[inline]
    pub fn is_available(self) -> bool {
        match self {
            Backend::Portable => true,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Backend::Avx2 => std::arch::is_x86_feature_detected!("avx2"),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Backend::Avx512 => {
                std::arch::is_x86_feature_detected!("avx512f")
                    && std::arch::is_x86_feature_detected!("avx512bw")
                    && std::arch::is_x86_feature_detected!("avx512vbmi")
            }
            #[cfg(not(all(target_arch = "x86_64", not(miri))))]
            Backend::Avx2 | Backend::Avx512 => false,
        }
    }
}
