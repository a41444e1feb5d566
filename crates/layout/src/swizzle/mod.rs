//! Swizzle patterns: what they are, and fast copies between them and rows.

mod error;
mod pattern;
mod reference;
mod surface;

pub use error::{BitRowError, PatternArray, PatternError};
pub use pattern::{
    ADDRESS_BITS, BitEntry, BitRow, Channel, NO_BITS, POSTAMBLE_BITS, PatternBlock, SwizzlePattern,
    bits_text, parse_bits,
};
pub use reference::{BlockStrides, PreSwizzleOffsets, SwizzleAddress, reference_offset};
pub use surface::{Storage, Surface};
