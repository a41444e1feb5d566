//! Boxes of swizzled surfaces: the calls of the swizzle engine.

use heapstone_driver::engine::RowPitches;
use heapstone_layout::swizzle::{
    BlockStrides, PatternBlock, SwizzleAddress, SwizzlePattern, reference_offset,
};

use super::view::{Rows, Source, View};

pub(crate) type Pattern = SwizzlePattern;

/// A box of a swizzled surface, of one sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) pattern: &'static Pattern,
    pub(crate) strides: BlockStrides,
    /// Bytes along the row before it.
    pub(crate) x_bytes: u64,
    pub(crate) y: u32,
    pub(crate) z: u32,
    pub(crate) sample: u32,
    /// Its rows, without what lies between them.
    pub(crate) rows: Rows,
}

pub(crate) fn block_of(pattern: &Pattern) -> PatternBlock {
    pattern.block().unwrap()
}

pub(crate) fn stacks_slices(pattern: &Pattern) -> bool {
    pattern.stack_depth_slices
}

pub(crate) fn run_log2(pattern: &Pattern) -> u8 {
    pattern.run_log2()
}

/// Whether where an element lies in its block depends on nothing outside the block.
pub(crate) fn is_within_block(pattern: &Pattern) -> bool {
    let block = block_of(pattern);
    (0..block.bytes_log2).all(|bit| pattern.sources(bit).all(|entry| entry.bit < block.log2(entry.channel)))
}

pub(crate) fn offset_at(pattern: &Pattern, at: SwizzleAddress, strides: &BlockStrides) -> u64 {
    reference_offset(pattern, at, strides)
}

/// Of a region's first byte.
pub(crate) fn offset_of(region: &Region) -> u64 {
    let at = SwizzleAddress { x_bytes: region.x_bytes, y: region.y, z: region.z, sample: region.sample };
    offset_at(region.pattern, at, &region.strides)
}

pub(crate) fn write(to: View<'_>, region: &Region, from: Source<'_>, pitches: RowPitches) {
    each(region, pitches, |swizzled, linear| {
        to.part(swizzled, 1).unwrap().copy_from(from.part(linear, 1).unwrap());
    });
}

pub(crate) fn read(from: Source<'_>, region: &Region, to: View<'_>, pitches: RowPitches) {
    each(region, pitches, |swizzled, linear| {
        to.part(linear, 1).unwrap().copy_from(from.part(swizzled, 1).unwrap());
    });
}

fn each(region: &Region, pitches: RowPitches, mut visit: impl FnMut(u64, u64)) {
    for z in 0..region.rows.depth {
        for y in 0..region.rows.height {
            for x in 0..region.rows.width {
                let at = SwizzleAddress {
                    x_bytes: region.x_bytes + x,
                    y: region.y + y,
                    z: region.z + z,
                    sample: region.sample,
                };
                visit(
                    reference_offset(region.pattern, at, &region.strides),
                    u64::from(z) * pitches.slice + u64::from(y) * pitches.row + x,
                );
            }
        }
    }
}
