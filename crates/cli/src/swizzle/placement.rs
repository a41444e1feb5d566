//! Where the blocks of each subresource lie, and the copies between them and rows.

use heapstone_layout::swizzle::engine::{
    CompiledPattern, LinearPitch, SwizzleError, SwizzleRegion, SwizzledImage,
};
use heapstone_layout::swizzle::{BlockStrides, PatternBlock};

use super::texture::Rows;

/// How the blocks of a subresource lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    pub(crate) strides: BlockStrides,
    /// Bytes of all blocks.
    pub(crate) size: u64,
}

impl Placement {
    /// Blocks side by side, rows of blocks one after the other without padding, then layers of blocks; stacked
    /// slices begin at whole rows of blocks. `None` if a number leaves its bits.
    pub(crate) fn new(pattern: &CompiledPattern, rows: Rows) -> Option<Placement> {
        let block = pattern.block();
        let row = row_stride(block, rows)?;
        let rows_of_blocks = u64::from(rows.height).div_ceil(1 << block.y_log2);
        if pattern.pattern().stack_depth_slices {
            let stacked_rows = u32::try_from(rows_of_blocks.checked_mul(1 << block.y_log2)?).ok()?;
            let size = row.checked_mul(rows_of_blocks)?.checked_mul(rows.depth.into())?;
            return Some(Placement { strides: BlockStrides { row, slice: 0, stacked_rows }, size });
        }
        let slice = row.checked_mul(rows_of_blocks)?;
        let layers = u64::from(rows.depth).div_ceil(1 << block.z_log2);
        let size = slice.checked_mul(layers)?;
        Some(Placement { strides: BlockStrides { row, slice, stacked_rows: 0 }, size })
    }
}

/// Bytes of a row of blocks.
pub(crate) fn row_stride(block: PatternBlock, rows: Rows) -> Option<u64> {
    rows.width_bytes.div_ceil(1 << block.x_bytes_log2).checked_mul(block.bytes())
}

/// A whole subresource.
pub(crate) const fn region(rows: Rows) -> SwizzleRegion {
    SwizzleRegion {
        x_bytes: 0,
        y: 0,
        z: 0,
        sample: 0,
        width_bytes: rows.width_bytes,
        height: rows.height,
        depth: rows.depth,
    }
}

fn pitch(rows: Rows) -> LinearPitch {
    LinearPitch { row: rows.width_bytes, slice: rows.slice_bytes() }
}

/// Rows into blocks.
///
/// # Errors
/// Either side is too short, or a stride is none of whole blocks.
pub(crate) fn swizzle(
    pattern: &CompiledPattern,
    strides: BlockStrides,
    rows: Rows,
    from: &[u8],
    to: &mut [u8],
) -> Result<(), SwizzleError> {
    SwizzledImage { pattern, strides }.write(to, &region(rows), from, pitch(rows))
}

/// Blocks into rows.
///
/// # Errors
/// As [`swizzle`].
pub(crate) fn unswizzle(
    pattern: &CompiledPattern,
    strides: BlockStrides,
    rows: Rows,
    from: &[u8],
    to: &mut [u8],
) -> Result<(), SwizzleError> {
    SwizzledImage { pattern, strides }.read(from, &region(rows), to, pitch(rows))
}

#[cfg(test)]
mod tests {
    use heapstone_layout::swizzle::{SwizzleAddress, reference_offset};
    use heapstone_spec::Format;

    use super::super::catalog::{Use, entries, resolve};
    use super::super::texture::tests::{flat, formats};
    use super::super::texture::{Dimension, Texture, TextureDesc};
    use super::*;

    /// 100x50 of 32 bits in blocks of 128x128 (64 KiB), and in Intel's stacked blocks of 128 bytes x 32 rows.
    #[test]
    fn placements_by_hand() {
        let rows = Rows { width_bytes: 520, height: 130, depth: 3 };
        let pattern = |name: &str| {
            let desc =
                TextureDesc { dimension: Dimension::Texture3D, ..flat(Format::R8G8B8A8_UNORM, 1, 1, 1) };
            let element = Texture::new(desc).unwrap().element();
            resolve(name, Use { dimension: Dimension::Texture3D, element }).unwrap().compiled
        };
        assert_eq!(
            Placement::new(&pattern("standard_64KB_2D"), rows),
            Some(Placement {
                strides: BlockStrides { row: 131_072, slice: 262_144, stacked_rows: 0 },
                size: 786_432
            })
        );
        // Blocks of 128 bytes x 32 rows x 16 slices.
        assert_eq!(
            Placement::new(&pattern("standard_64KB_3D"), rows),
            Some(Placement {
                strides: BlockStrides { row: 327_680, slice: 1_638_400, stacked_rows: 0 },
                size: 1_638_400
            })
        );
        assert_eq!(
            Placement::new(&pattern("intel_tile4_3D_stacked_slices_qpitch96"), rows),
            Some(Placement {
                strides: BlockStrides { row: 20_480, slice: 0, stacked_rows: 160 },
                size: 20_480 * 5 * 3
            })
        );
    }

    /// Where the reference routine puts each element, the copies put it and find it: every pattern with every
    /// kind of element that it serves, and the standard ones with every format, flat and deep.
    #[test]
    fn copies_are_those_of_the_reference_routine() {
        let all = entries();
        for (dimension, height, depth) in
            [(Dimension::Texture1D, 1, 1), (Dimension::Texture2D, 9, 1), (Dimension::Texture3D, 5, 3)]
        {
            let mut seen = Vec::new();
            let mut checked = 0_u32;
            for format in formats() {
                let desc = TextureDesc { dimension, depth, ..flat(format, 37, height, 1) };
                let texture = Texture::new(desc).unwrap();
                let for_use = Use { dimension, element: texture.element() };
                // The copies know no more of a format than this.
                let is_new = !seen.contains(&texture.rows(0));
                seen.push(texture.rows(0));
                for entry in &all {
                    let is_standard = entry.name.starts_with("standard_4KB_2D");
                    let fits = for_use.objection(entry.element_bits, &entry.pattern).is_none();
                    if fits && (is_new || is_standard) {
                        check(&texture, &CompiledPattern::new(&entry.pattern).unwrap(), &entry.name);
                        checked += 1;
                    }
                }
            }
            assert!(checked > 250, "{checked}");
        }
    }

    fn check(texture: &Texture, pattern: &CompiledPattern, name: &str) {
        let rows = texture.rows(0);
        let Placement { strides, size } = Placement::new(pattern, rows).unwrap();
        let bytes = usize::try_from(rows.bytes()).unwrap();
        let from: Vec<u8> = (0..bytes).map(|at| u8::try_from((at * 31 + at / 251) % 251).unwrap()).collect();
        let mut blocks = vec![0xff; usize::try_from(size).unwrap()];
        swizzle(pattern, strides, rows, &from, &mut blocks).unwrap();

        let part = usize::from(texture.element().bits() / 8);
        let mut want = vec![0xff; blocks.len()];
        let mut parts = from.chunks_exact(part);
        for z in 0..rows.depth {
            for y in 0..rows.height {
                for x_bytes in (0..rows.width_bytes).step_by(part) {
                    let address = SwizzleAddress { x_bytes, y, z, sample: 0 };
                    let offset = reference_offset(pattern.pattern(), address, &strides);
                    let offset = usize::try_from(offset).unwrap();
                    want[offset..offset + part].copy_from_slice(parts.next().unwrap());
                }
            }
        }
        assert!(blocks == want, "{name} of {}", texture.sentence());
        let mut back = vec![0; bytes];
        unswizzle(pattern, strides, rows, &blocks, &mut back).unwrap();
        assert!(back == from, "{name} of {}", texture.sentence());
    }
}
