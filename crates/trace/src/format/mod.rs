//! Our own format: JSON Lines, one call a line, documented field by field in `docs/trace-format.md`.

pub(crate) mod call;
pub(crate) mod fields;
mod gpu;
pub(crate) mod read;
pub(crate) mod write;

/// The version of the format that this program writes, and the newest it reads.
pub const FORMAT_VERSION: u32 = 3;

/// The key of the header line.
pub(crate) const HEADER_KEY: &str = "heapstone_trace";

pub use fields::CallKind;
