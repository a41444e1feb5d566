//! Text of clients: UTF-32 from headers on Linux, UTF-16 from clients that return structures explicitly.

use core::ffi::{CStr, c_char, c_void};

use super::object::Convention;

/// Characters that are read at most, of a text that does not end: chosen, far beyond any name.
const LENGTH_MAX: usize = 1 << 20;

impl Convention {
    /// Bytes of a WCHAR.
    #[must_use]
    pub const fn character_size(self) -> usize {
        match self {
            Convention::Linux => 4,
            Convention::ExplicitReturn => 2,
        }
    }
}

/// The text at `text`, which ends with a 0; what is no character becomes U+FFFD. None of NULL.
///
/// # Safety
/// `text` is NULL or points to a text of that convention that ends with a 0.
#[must_use]
pub unsafe fn wide(text: *const c_void, convention: Convention) -> Option<String> {
    if text.is_null() {
        return None;
    }
    Some(match convention {
        Convention::Linux => {
            let mut read = String::new();
            for index in 0..LENGTH_MAX {
                // SAFETY: the text goes on until its 0.
                match unsafe { text.cast::<u32>().add(index).read_unaligned() } {
                    0 => break,
                    unit => read.push(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)),
                }
            }
            read
        }
        Convention::ExplicitReturn => {
            let mut units = Vec::new();
            for index in 0..LENGTH_MAX {
                // SAFETY: the text goes on until its 0.
                match unsafe { text.cast::<u16>().add(index).read_unaligned() } {
                    0 => break,
                    unit => units.push(unit),
                }
            }
            String::from_utf16_lossy(&units)
        }
    })
}

/// The bytes of `text` in that convention, without a 0 at the end.
#[must_use]
pub fn to_wide_bytes(text: &str, convention: Convention) -> Vec<u8> {
    match convention {
        Convention::Linux => text.chars().flat_map(|c| u32::from(c).to_ne_bytes()).collect(),
        Convention::ExplicitReturn => text.encode_utf16().flat_map(u16::to_ne_bytes).collect(),
    }
}

/// The text of such bytes, as a client gives them; up to a 0.
#[must_use]
pub fn from_wide_bytes(bytes: &[u8], convention: Convention) -> String {
    match convention {
        Convention::Linux => {
            let units = bytes.as_chunks::<4>().0.iter().map(|unit| u32::from_ne_bytes(*unit));
            let units = units.take_while(|unit| *unit != 0);
            units.map(|unit| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
        }
        Convention::ExplicitReturn => {
            let units = bytes.as_chunks::<2>().0.iter().map(|unit| u16::from_ne_bytes(*unit));
            let units: Vec<u16> = units.take_while(|unit| *unit != 0).collect();
            String::from_utf16_lossy(&units)
        }
    }
}

/// A text of bytes that ends with a 0. None of NULL.
///
/// # Safety
/// `text` is NULL or points to a text that ends with a 0.
#[must_use]
pub unsafe fn narrow(text: *const c_char) -> Option<String> {
    // SAFETY: the caller's promise.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}
