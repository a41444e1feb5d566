//! Swizzle patterns: what they are, and fast copies between them and rows.
//!
//! ```text
//!   standard, gpu: the field's patterns ----> named: by name
//!        |
//!        v                                     pattern: what one is, and when it is legal
//!   families: of a profile's driver            reference: where a byte lies, bit by bit
//!        |                                     engine: whole boxes, at the speed of memory
//!        +--> surface: of each subresource
//!        '--> layout_caps, layout_set: as the driver reports them, 18 to a layout
//! ```

pub mod engine;
mod error;
mod families;
mod gpu;
mod layout_caps;
mod layout_set;
mod named;
mod pattern;
mod reference;
mod standard;
mod surface;

pub use error::{BitRowError, PatternArray, PatternError};
pub use families::family_pattern;
pub use gpu::{GroupOfBytes, block_linear};
pub use layout_caps::{ChosenLayout, LayoutCaps};
pub use layout_set::{
    LAYOUT_PATTERNS, LayoutPatterns, LayoutSetError, MIP_RANGES, PLANE_RANGES, PatternId, SwizzleTransitions,
    TextureLayoutId,
};
pub use named::{NamedPattern, named_pattern, named_patterns};
pub use pattern::{
    ADDRESS_BITS, BitEntry, BitRow, Channel, NO_BITS, POSTAMBLE_BITS, PatternBlock, SwizzlePattern,
    bits_text, parse_bits,
};
pub use reference::{BlockStrides, PreSwizzleOffsets, SwizzleAddress, reference_offset};
pub use surface::{Storage, Surface};

pub(crate) use families::pattern_of;
