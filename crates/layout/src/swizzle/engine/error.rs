//! What keeps a copy from being made.

use core::fmt;

/// One of the two sides of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwizzleSide {
    /// Swizzled memory.
    Surface,
    /// Rows.
    Rows,
}

/// Why a copy is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwizzleError {
    /// A sample that blocks do not have.
    Sample {
        /// The sample.
        given: u32,
        /// Samples of a block: `2^` this.
        samples_log2: u8,
    },
    /// A stride that is no multiple of the block's bytes.
    Stride {
        /// The stride.
        given: u64,
        /// Bytes of a block: `2^` this.
        bytes_log2: u8,
    },
    /// Fewer bytes than the region reaches into.
    Bytes {
        /// Of which side.
        side: SwizzleSide,
        /// How many it takes; `None` if they cannot be counted in 64 bits.
        needed: Option<u64>,
        /// How many there are.
        given: u64,
    },
}

impl fmt::Display for SwizzleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SwizzleError::Sample { given, samples_log2 } => {
                write!(f, "sample is {given}; allowed: below 2^{samples_log2}, the samples of the pattern")
            }
            SwizzleError::Stride { given, bytes_log2 } => write!(
                f,
                "a stride of blocks is {given} bytes; allowed: multiples of the block of 2^{bytes_log2} bytes"
            ),
            SwizzleError::Bytes { side, needed, given } => {
                let side = match side {
                    SwizzleSide::Surface => "surface",
                    SwizzleSide::Rows => "rows",
                };
                match needed {
                    Some(needed) => write!(f, "the {side} has {given} bytes; the region needs {needed}"),
                    None => write!(f, "the {side} has {given} bytes; the region needs 2^64 or more"),
                }
            }
        }
    }
}

impl core::error::Error for SwizzleError {}
