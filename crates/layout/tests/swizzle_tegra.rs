//! NVIDIA's block-linear layout, beside the crate `tegra_swizzle`.
#![allow(clippy::unwrap_used)] // Helpers of tests are tests.

use heapstone_layout::swizzle::{
    BlockStrides, GroupOfBytes, SwizzleAddress, SwizzlePattern, block_linear, named_pattern, reference_offset,
};
use tegra_swizzle::BlockHeight;
use tegra_swizzle::swizzle::{deswizzle_block_linear, swizzle_block_linear};

/// Groups of bytes that the crate makes blocks of a depth from: half as many again as slices, down to a
/// power of two, at most 16.
fn depth_log2(depth: u32) -> u8 {
    u8::try_from((depth + depth / 2).ilog2().min(4)).unwrap()
}

/// Bytes that differ from their neighbours, and from those a power of two away.
fn content(size: usize) -> Vec<u8> {
    (0..size).map(|index| (index.wrapping_mul(0x9e37_79b1) >> 11).to_le_bytes()[0]).collect()
}

/// Swizzles and unswizzles rows of elements. Memory outside the elements is zero.
fn compare(width: u32, height: u32, depth: u32, element: u32, height_log2: u8) {
    let pattern = block_linear(GroupOfBytes::Tegra, height_log2, depth_log2(depth));
    compare_pattern(&pattern, width, height, depth, element, height_log2);
}

fn compare_pattern(
    pattern: &SwizzlePattern,
    width: u32,
    height: u32,
    depth: u32,
    element: u32,
    height_log2: u8,
) {
    let block = pattern.block().unwrap();
    let row_bytes = u64::from(width) * u64::from(element);
    let blocks = |extent: u64, log2: u8| extent.div_ceil(1 << log2);
    let row = blocks(row_bytes, block.x_bytes_log2) * block.bytes();
    let slice = blocks(height.into(), block.y_log2) * row;
    let strides = BlockStrides { row, slice, stacked_rows: 0 };
    let size = usize::try_from(blocks(depth.into(), block.z_log2) * slice).unwrap();

    let linear = content(usize::try_from(row_bytes * u64::from(height) * u64::from(depth)).unwrap());
    let mut tiled = vec![0; size];
    // Runs of 16 bytes where rows are whole ones, as the pattern keeps them together; else elements.
    let piece = if row_bytes % 16 == 0 { 16 } else { u64::from(element) };
    assert!(piece <= 1 << pattern.run_log2());
    let step = usize::try_from(piece).unwrap();
    let across = row_bytes / piece;
    let places = (0..depth).flat_map(|z| (0..height).flat_map(move |y| (0..across).map(move |x| (x, y, z))));
    for (source, (x, y, z)) in linear.chunks_exact(step).zip(places) {
        let at = SwizzleAddress { x_bytes: x * piece, y, z, sample: 0 };
        let offset = usize::try_from(reference_offset(pattern, at, &strides)).unwrap();
        tiled[offset..offset + step].copy_from_slice(source);
    }
    let block_height = BlockHeight::new(1 << height_log2).unwrap();
    let theirs = swizzle_block_linear(width, height, depth, &linear, block_height, element).unwrap();
    // Not assert_eq: megabytes would be printed.
    let context = format!("{width}x{height}x{depth}, {element} bytes, {} groups", 1 << height_log2);
    assert_eq!(theirs.len(), tiled.len(), "{context}");
    assert!(theirs == tiled, "{context}");
    let back = deswizzle_block_linear(width, height, depth, &tiled, block_height, element).unwrap();
    assert!(back == linear, "{context}, back");
}

#[test]
fn small_and_odd_sizes() {
    for (width, height, depth) in [
        (1, 1, 1),
        (1, 1, 2),
        (3, 5, 1),
        (5, 7, 3),
        (16, 8, 1),
        (17, 9, 5),
        (33, 33, 33),
        (64, 64, 16),
        (65, 129, 2),
        (128, 1, 1),
        (1, 300, 1),
    ] {
        for (element, height_log2) in [(1, 0), (2, 1), (4, 2), (8, 3), (16, 4), (4, 5)] {
            compare(width, height, depth, element, height_log2);
        }
    }
}

#[test]
fn large_sizes() {
    compare(512, 512, 1, 4, 4);
    compare(511, 300, 1, 16, 5);
    compare(256, 256, 4, 4, 2);
    compare(512, 512, 8, 4, 4);
}

/// The patterns of facts/gpu-swizzle-patterns.json that were checked against the crate, at its sizes.
#[test]
fn patterns_of_the_facts() {
    let named = |name: &str| named_pattern(name).unwrap().pattern;
    compare_pattern(&named("nvidia_blocklinear_h2"), 256, 128, 1, 4, 1);
    compare_pattern(&named("nvidia_blocklinear_h32"), 256, 256, 1, 4, 5);
    compare_pattern(&named("nvidia_blocklinear_3d_h8_d16"), 64, 64, 16, 4, 3);
}
