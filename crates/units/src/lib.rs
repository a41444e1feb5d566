//! Units that cannot mix: byte counts, power-of-two alignments, extents in texels, elements, tiles
//! and blocks, and the two kinds of address of a GPU (virtual and physical).
//!
//! Nothing here wraps: every sum and product that could leave 64 bits is `checked_*` and answers
//! [`Option`], so that the caller says what an overflow means where it happens.
#![forbid(unsafe_code)]

mod address;
mod alignment;
mod bytes;
mod extent;
mod range;

pub use address::{GpuVirtualAddress, PhysicalOffset};
pub use alignment::{Alignment, NotPowerOfTwo};
pub use bytes::{Bytes, GIB, KIB, MIB};
pub use extent::{Blocks, Elements, Extent, Texels, Tiles, Unit, div_ceil_u32, div_ceil_u64};
pub use range::ByteRange;
