//! A subresource as it lies in memory: where, how large, in which pattern.

use heapstone_units::{Elements, Extent};

use super::engine::CompiledPattern;
use super::reference::BlockStrides;

/// One subresource of a texture in memory.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Of its first byte, from the resource's.
    pub offset: u64,
    /// Bytes from there to its end: whole blocks, or rows where it is linear.
    pub size: u64,
    /// Its elements; a texel of 96 bits is three of them along x.
    pub elements: Extent<Elements>,
    /// Bytes of an element of one sample: `2^` this, 0 to 4.
    pub element_bytes_log2: u8,
    /// Elements side by side for one texel: 3 of 96 bits, else 1.
    pub repeat: u8,
    /// Texels of the plane across an element: `2^` this.
    pub element_width_log2: u8,
    /// Texels of the plane down an element: `2^` this.
    pub element_height_log2: u8,
    /// Samples of an element: `2^` this.
    pub samples_log2: u8,
    /// How its elements lie.
    pub storage: Storage,
}

/// How the elements of a surface lie.
#[derive(Clone, Copy, Debug)]
pub enum Storage {
    /// Row after row; the samples of an element lie beside each other.
    Linear {
        /// Bytes from a row of elements to the next.
        row_pitch: u64,
        /// Bytes from a slice to the next.
        slice_pitch: u64,
    },
    /// Blocks, each swizzled.
    Swizzled {
        /// How an element lies in its block.
        pattern: &'static CompiledPattern,
        /// How blocks follow each other.
        strides: BlockStrides,
    },
}
