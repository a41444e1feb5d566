//! The padding rule and its inverse.

use core::num::NonZeroU32;

use heapstone_spec::Format;

/// Bytes of a dword, by which bounds are checked.
pub(super) const DWORD: u64 = 4;

/// The size that the surface over a raw buffer is given: the buffer's rounded up to whole dwords, and what that
/// added once more, so that the lowest two bits tell it (spec/5-ssbo-ubo-padding.txt, "surface_size = ...").
///
/// ```
/// use heapstone_layout::buffer_view::PaddedSize;
///
/// let padded = PaddedSize::of(10).expect("far below 2^64");
/// assert_eq!((padded.bytes(), padded.buffer_size()), (14, 10));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PaddedSize(u64);

impl PaddedSize {
    /// Of a buffer of `size` bytes; `None` where it does not fit 64 bits.
    #[must_use]
    pub const fn of(size: u64) -> Option<PaddedSize> {
        let Some(aligned) = size.checked_next_multiple_of(DWORD) else { return None };
        match aligned.checked_add(aligned - size) {
            Some(bytes) => Some(PaddedSize(bytes)),
            None => None,
        }
    }

    /// As a shader's length query finds it. `None` of 1, 2 and 3, which no buffer's padded size is.
    #[must_use]
    pub const fn from_bytes(bytes: u64) -> Option<PaddedSize> {
        if bytes == 0 || bytes >= DWORD { Some(PaddedSize(bytes)) } else { None }
    }

    /// The surface's size in bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.0
    }

    /// The buffer's size in bytes (spec/5-ssbo-ubo-padding.txt, "buffer_size = ...").
    #[must_use]
    pub const fn buffer_size(self) -> u64 {
        (self.0 & !(DWORD - 1)) - (self.0 & (DWORD - 1))
    }
}

/// What a surface over a buffer counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SurfaceElement {
    /// Bytes, read as dwords.
    Raw,
    /// Texels of a format, `stride` bytes apart.
    Typed {
        /// Of one texel.
        format: Format,
        /// From one to the next: 1 where a storage or uniform buffer goes through a format larger than that.
        stride: NonZeroU32,
    },
}

/// What a surface over a buffer is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SurfaceSize {
    /// Bytes, with padding where it is padded.
    pub bytes: u64,
    /// Elements: whole ones, counted in bytes where it is padded.
    pub element_count: u64,
    /// Whether the size tells what was added: [`PaddedSize::buffer_size`] takes it out.
    pub is_padded: bool,
}

/// A surface that the rule does not cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SurfaceError {
    /// A format larger than the stride, with a stride that is not 1.
    Stride {
        /// Bytes of the format.
        format_bytes: u32,
        /// The stride.
        stride: u32,
    },
    /// Beyond 64 bits.
    TooLarge {
        /// The buffer's size.
        size: u64,
    },
}

impl core::fmt::Display for SurfaceError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            SurfaceError::Stride { format_bytes, stride } => write!(
                f,
                "buffer_view.stride: stride is {stride}, of a format of {format_bytes} bytes; allowed: 1, or \
                 {format_bytes} and more"
            ),
            SurfaceError::TooLarge { size } => {
                write!(f, "buffer_view.size: size is {size}; allowed: what is padded below 2^64")
            }
        }
    }
}

impl core::error::Error for SurfaceError {}

/// The size of a surface over `size` bytes. Raw surfaces are padded, and typed ones whose stride of 1 is below
/// the format's size; others hold whole elements (facts/buffer-views.md, Padding).
///
/// # Errors
/// [`SurfaceError`].
pub fn surface_size(size: u64, element: SurfaceElement) -> Result<SurfaceSize, SurfaceError> {
    if let SurfaceElement::Typed { format, stride } = element {
        let format_bytes = u32::from(format.info().bits_per_element / 8);
        if stride.get() >= format_bytes {
            let element_count = size / u64::from(stride.get());
            return Ok(SurfaceSize { bytes: size, element_count, is_padded: false });
        }
        if stride.get() != 1 {
            return Err(SurfaceError::Stride { format_bytes, stride: stride.get() });
        }
    }
    let bytes = PaddedSize::of(size).ok_or(SurfaceError::TooLarge { size })?.bytes();
    Ok(SurfaceSize { bytes, element_count: bytes, is_padded: true })
}

/// The memory that a buffer of `size` bytes needs so that a padded view of it reaches nothing else: where
/// robust access is on, a storage or uniform buffer takes whole dwords (spec/5-ssbo-ubo-padding.txt,
/// anv_GetBufferMemoryRequirements). `None` beyond 64 bits.
#[must_use]
pub const fn memory_requirement(size: u64, is_storage_or_uniform: bool, robust_access: bool) -> Option<u64> {
    if is_storage_or_uniform && robust_access { size.checked_next_multiple_of(DWORD) } else { Some(size) }
}
