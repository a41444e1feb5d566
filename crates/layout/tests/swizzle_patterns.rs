//! Patterns: what is none, and where the bytes of the known ones lie.
#![allow(clippy::unwrap_used)] // Helpers of tests are tests.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use heapstone_layout::swizzle::{
    BitRowError, BlockStrides, Channel, GroupOfBytes, NO_BITS, PatternArray, PatternBlock, PatternError,
    PreSwizzleOffsets, SwizzleAddress, SwizzlePattern, bits_text, block_linear, named_pattern,
    named_patterns, parse_bits, reference_offset,
};
use proptest::prelude::*;
use serde_json::Value;

fn interleaved(text: &str) -> SwizzlePattern {
    SwizzlePattern::of_interleave(parse_bits(text).unwrap())
}

fn xored(text: &str, xor: &str) -> SwizzlePattern {
    let mut pattern = interleaved(text);
    pattern.interleave_xor[0] = parse_bits(xor).unwrap();
    pattern
}

fn at(x_bytes: u64, y: u32, z: u32, sample: u32) -> SwizzleAddress {
    SwizzleAddress { x_bytes, y, z, sample }
}

/// The bits of `value`, lowest first, where `mask` has ones: the deposit instruction.
fn deposit(value: u64, mask: u64) -> u64 {
    let ones = (0..64).filter(|bit| mask >> bit & 1 == 1);
    ones.zip(0..).fold(0, |sum, (to, from)| sum | (value >> from & 1) << to)
}

fn block_of(name: &str) -> (SwizzlePattern, PatternBlock) {
    let pattern = named_pattern(name).unwrap_or_else(|| panic!("a pattern {name}")).pattern;
    (pattern, pattern.block().unwrap())
}

/// Every address of a block.
fn addresses(block: PatternBlock) -> impl Iterator<Item = SwizzleAddress> {
    (0..block.bytes()).map(move |mut rest| {
        let mut take = |log2: u8| {
            let value = rest & ((1 << log2) - 1);
            rest >>= log2;
            value
        };
        let (x, y, z) = (take(block.x_bytes_log2), take(block.y_log2), take(block.z_log2));
        let narrow = |value: u64| u32::try_from(value).unwrap();
        at(x, narrow(y), narrow(z), narrow(rest))
    })
}

#[test]
fn text_is_read_and_written() {
    let row = parse_bits("X0 - Y12  Z3 S1").unwrap();
    assert_eq!(bits_text(&row), "X0 - Y12 Z3 S1");
    assert_eq!(row[1], None);
    assert_eq!(row[4].unwrap().channel, Channel::Sample);
    assert_eq!(parse_bits(""), Ok(NO_BITS));
    assert_eq!(parse_bits("X0 X32"), Err(BitRowError::Entry { at: 3 }));
    for wrong in ["X", "A0", "X0x", "X-1", "x0", "--", "X001", "é"] {
        assert_eq!(parse_bits(wrong), Err(BitRowError::Entry { at: 0 }), "{wrong}");
    }
    assert_eq!(parse_bits(&"X0 ".repeat(33)), Err(BitRowError::TooMany { at: 96 }));
}

/// Each rule, by a pattern that breaks it alone.
#[test]
fn what_is_no_pattern_is_refused() {
    let interleave = PatternArray::INTERLEAVE;
    let [_, xor, xor2, _, _, postamble, postamble2] = PatternArray::ALL;
    let refused = |pattern: &SwizzlePattern| pattern.block().unwrap_err();

    assert_eq!(refused(&interleaved("X0 - Y0")), PatternError::Hole { address_bit: 1 });
    assert!(matches!(
        refused(&interleaved("X0 X1 X0")),
        PatternError::Repeated { address_bit: 2, entry } if entry.to_string() == "X0"
    ));
    assert!(matches!(
        refused(&interleaved("X0 X2 Y0")),
        PatternError::Gap { missing } if missing.to_string() == "X1"
    ));
    let mut pattern = interleaved("X0 Y0");
    pattern.interleave[1].as_mut().unwrap().bit = 40;
    assert!(matches!(
        refused(&pattern),
        PatternError::SourceBit { array, address_bit: 1, entry } if array == interleave && entry.bit == 40
    ));
    let mut pattern = xored("X0 Y0", "Y1");
    pattern.interleave_xor[0][0].as_mut().unwrap().bit = 32;
    assert!(
        matches!(refused(&pattern), PatternError::SourceBit { array, address_bit: 0, .. } if array == xor)
    );

    assert!(matches!(
        refused(&xored("X0 Y0", "- - Y5")),
        PatternError::BeyondBlock { array, address_bit: 2, bytes_log2: 2 } if array == xor
    ));
    assert!(matches!(
        refused(&xored("X0 S0", "S1")),
        PatternError::Sample { array, address_bit: 0, entry } if array == xor && entry.bit == 1
    ));

    let mut pattern = interleaved("X0 X1 X2 X3 X4 X5 X6 X7 X8");
    pattern.postamble_immediate = 512;
    assert_eq!(refused(&pattern), PatternError::Immediate { immediate: 512, bytes_log2: 9 });
    pattern.postamble_immediate = 511;
    assert!(pattern.block().is_ok());
    pattern.postamble_xor[0] = parse_bits("- - - - - - - Y0").unwrap();
    assert_eq!(refused(&pattern), PatternError::PostambleBit { array: postamble, address_bit: 7 });
    pattern.postamble_xor = [NO_BITS, parse_bits("- - - - - - - - - Y0").unwrap()];
    assert_eq!(
        refused(&pattern),
        PatternError::BeyondBlock { array: postamble2, address_bit: 9, bytes_log2: 9 }
    );
    pattern.postamble_xor = [parse_bits("- - - - - - - - Y0").unwrap(), NO_BITS];
    assert!(pattern.block().is_ok());

    let mut pattern = interleaved("X0 Y0");
    pattern.interleave_xor[1] = parse_bits("- Z4").unwrap();
    assert!(pattern.block().is_ok());
    pattern.stack_depth_slices = true;
    assert!(
        matches!(refused(&pattern), PatternError::StackedZ { array, address_bit: 1, .. } if array == xor2)
    );

    // Address bits X0 ^ Y0 and Y0 ^ X0.
    assert_eq!(refused(&xored("X0 Y0", "Y0 X0")), PatternError::Dependent { address_bit: 1 });
    // X0 ^ Y0, Y0 ^ X1, X1 ^ X0: no two are equal, but the third is the sum of the others.
    assert_eq!(refused(&xored("X0 Y0 X1", "Y0 X1 X0")), PatternError::Dependent { address_bit: 2 });
    // A bit XORed with itself is nothing.
    assert_eq!(refused(&xored("X0 Y0", "- Y0")), PatternError::Dependent { address_bit: 1 });
}

#[test]
fn refusals_say_what_is_given_and_allowed() {
    let text = |pattern: &SwizzlePattern| pattern.block().unwrap_err().to_string();
    assert_eq!(
        text(&xored("X0 Y0", "- - Y5")),
        "InterleavePatternXORSourceBits[2] is valid, of a block of 2^2 bytes; allowed: elements below 2"
    );
    assert_eq!(
        text(&interleaved("X0 X2")),
        "InterleavePatternSourceBits has no X1, but a higher bit of X; allowed: the lowest bits of each channel"
    );
}

/// The two examples of spec/2-resource-heaps.txt 1208-1250, the second mended.
#[test]
fn the_examples_of_the_specification() {
    let (pattern, block) = block_of("standard_64KB_2D_32bpp");
    // {1,0,0},{1,0,1},{1,0,2},{1,0,3}, {1,1,0},{1,1,1},{1,1,2},{1,0,4},
    // {1,1,3},{1,0,5},{1,1,4},{1,0,6}, {1,1,5},{1,0,7},{1,1,6},{1,0,8},
    let example = [
        (0, 0),
        (0, 1),
        (0, 2),
        (0, 3),
        (1, 0),
        (1, 1),
        (1, 2),
        (0, 4),
        (1, 3),
        (0, 5),
        (1, 4),
        (0, 6),
        (1, 5),
        (0, 7),
        (1, 6),
        (0, 8),
    ];
    let entries: Vec<_> =
        pattern.interleave.iter().flatten().map(|entry| (entry.channel.index(), entry.bit)).collect();
    assert_eq!(entries, example);
    assert_eq!((block.x_bytes_log2, block.y_log2, block.bytes_log2), (9, 7, 16));
    assert_eq!(pattern, named_pattern("standard_64KB_2D_16bpp").unwrap().pattern);

    let rows = SwizzlePattern::row_major(2);
    assert_eq!(bits_text(&rows.interleave), "X0 X1");
    assert_eq!(rows.block().unwrap().bytes(), 4);
    let strides = BlockStrides { row: 400, slice: 4000, stacked_rows: 0 };
    // Element 7 of row 3 of slice 2.
    assert_eq!(reference_offset(&rows, at(28, 3, 2, 0), &strides), 2 * 4000 + 3 * 400 + 28);
}

/// facts/layout.md, 64 KB standard swizzle: letters from the most significant address bit; bits of a
/// letter count up from the right.
#[test]
fn the_table_of_the_facts() {
    const TABLE: [(u32, &str, &str); 5] = [
        (8, "XYXY XYXY YYYY XXXX", "XYZX YZYZ ZZYY XXXX"),
        (16, "XYXY XYXY XYYY XXXX", "XYZX YZYZ ZZYY XXXX"),
        (32, "XYXY XYXY XYYY XXXX", "XYZX YZXY ZZYY XXXX"),
        (64, "XYXY XYXY XXYY XXXX", "XYZX YZXX ZZYY XXXX"),
        (128, "XYXY XYXY XXYY XXXX", "XYZX YZXX ZZYY XXXX"),
    ];
    let counted = |letters: &str| {
        let mut counts = [0; 3];
        let words: Vec<String> = letters
            .chars()
            .rev()
            .filter(|letter| *letter != ' ')
            .map(|letter| {
                let count = &mut counts["XYZ".find(letter).unwrap()];
                *count += 1;
                format!("{letter}{}", *count - 1)
            })
            .collect();
        words.join(" ")
    };
    for (bits, flat, deep) in TABLE {
        for (dimension, letters) in [("2D", flat), ("3D", deep)] {
            let (pattern, _) = block_of(&format!("standard_64KB_{dimension}_{bits}bpp"));
            assert_eq!(bits_text(&pattern.interleave), counted(letters), "{dimension} {bits}");
        }
    }
}

/// Masks of x, y, and z or the sample, for 8, 16, 32, 64, 128 bits (facts/standard-swizzle.json, masks; the
/// first two rows also facts/layout.md).
const MASKS: [(&str, [[u64; 3]; 5]); 12] = [
    (
        "standard_64KB_2D",
        [
            [0xAA0F, 0x55F0, 0],
            [0xAA8F, 0x5570, 0],
            [0xAA8F, 0x5570, 0],
            [0xAACF, 0x5530, 0],
            [0xAACF, 0x5530, 0],
        ],
    ),
    (
        "standard_64KB_3D",
        [
            [0x900F, 0x4A30, 0x25C0],
            [0x900F, 0x4A30, 0x25C0],
            [0x920F, 0x4930, 0x24C0],
            [0x930F, 0x4830, 0x24C0],
            [0x930F, 0x4830, 0x24C0],
        ],
    ),
    (
        "standard_64KB_2D_MSAA_2",
        [
            [0x2A0F, 0x55F0, 0x8000],
            [0x2A8F, 0x5570, 0x8000],
            [0x2A8F, 0x5570, 0x8000],
            [0x2ACF, 0x5530, 0x8000],
            [0x2ACF, 0x5530, 0x8000],
        ],
    ),
    (
        "standard_64KB_2D_MSAA_4",
        [
            [0x2A0F, 0x15F0, 0xC000],
            [0x2A8F, 0x1570, 0xC000],
            [0x2A8F, 0x1570, 0xC000],
            [0x2ACF, 0x1530, 0xC000],
            [0x2ACF, 0x1530, 0xC000],
        ],
    ),
    (
        "standard_64KB_2D_MSAA_8",
        [
            [0x0A0F, 0x15F0, 0xE000],
            [0x0A8F, 0x1570, 0xE000],
            [0x0A8F, 0x1570, 0xE000],
            [0x0ACF, 0x1530, 0xE000],
            [0x0ACF, 0x1530, 0xE000],
        ],
    ),
    (
        "standard_64KB_2D_MSAA_16",
        [
            [0x0A0F, 0x05F0, 0xF000],
            [0x0A8F, 0x0570, 0xF000],
            [0x0A8F, 0x0570, 0xF000],
            [0x0ACF, 0x0530, 0xF000],
            [0x0ACF, 0x0530, 0xF000],
        ],
    ),
    (
        "standard_4KB_2D",
        [[0xA0F, 0x5F0, 0], [0xA8F, 0x570, 0], [0xA8F, 0x570, 0], [0xACF, 0x530, 0], [0xACF, 0x530, 0]],
    ),
    (
        "standard_4KB_3D",
        [
            [0x00F, 0xA30, 0x5C0],
            [0x00F, 0xA30, 0x5C0],
            [0x20F, 0x930, 0x4C0],
            [0x30F, 0x830, 0x4C0],
            [0x30F, 0x830, 0x4C0],
        ],
    ),
    (
        "standard_4KB_2D_MSAA_2",
        [
            [0x20F, 0x5F0, 0x800],
            [0x28F, 0x570, 0x800],
            [0x28F, 0x570, 0x800],
            [0x2CF, 0x530, 0x800],
            [0x2CF, 0x530, 0x800],
        ],
    ),
    (
        "standard_4KB_2D_MSAA_4",
        [
            [0x20F, 0x1F0, 0xC00],
            [0x28F, 0x170, 0xC00],
            [0x28F, 0x170, 0xC00],
            [0x2CF, 0x130, 0xC00],
            [0x2CF, 0x130, 0xC00],
        ],
    ),
    (
        "standard_4KB_2D_MSAA_8",
        [
            [0x00F, 0x1F0, 0xE00],
            [0x08F, 0x170, 0xE00],
            [0x08F, 0x170, 0xE00],
            [0x0CF, 0x130, 0xE00],
            [0x0CF, 0x130, 0xE00],
        ],
    ),
    (
        "standard_4KB_2D_MSAA_16",
        [
            [0x00F, 0x0F0, 0xF00],
            [0x08F, 0x070, 0xF00],
            [0x08F, 0x070, 0xF00],
            [0x0CF, 0x030, 0xF00],
            [0x0CF, 0x030, 0xF00],
        ],
    ),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The standard patterns by deposit, beside the reference routine.
    #[test]
    fn standard_patterns_deposit(x in 0..5000_u64, y in 0..3000_u32, third in 0..64_u32) {
        for (name, masks) in MASKS {
            for (bits, [x_mask, y_mask, third_mask]) in [8, 16, 32, 64, 128].into_iter().zip(masks) {
                let (pattern, block) = block_of(&format!("{name}_{bits}bpp"));
                let msaa = name.contains("MSAA");
                let samples = 1_u32 << block.samples_log2;
                let (z, sample) = if msaa { (0, third % samples) } else { (third, 0) };
                let strides = BlockStrides { row: 64 * block.bytes(), slice: 4096 * block.bytes(), stacked_rows: 0 };
                let blocks = x >> x_mask.count_ones();
                let z_bits = if msaa { 0 } else { third_mask.count_ones() };
                let want = deposit(x, x_mask)
                    | deposit(u64::from(y), y_mask)
                    | deposit(u64::from(if msaa { sample } else { z }), third_mask);
                let want = want
                    + blocks * block.bytes()
                    + (u64::from(y) >> y_mask.count_ones()) * strides.row
                    + (u64::from(z) >> z_bits) * strides.slice;
                prop_assert_eq!(
                    reference_offset(&pattern, at(x, y, z, sample), &strides), want, "{} {}", name, bits
                );
            }
        }
    }

    /// NVIDIA's groups of bytes by arithmetic: of Tegra 64 bytes of two columns of 32, each of pairs of rows
    /// of 16 bytes (the Tegra X1 manual's formula); of colour the grids of sectors, 16 bytes x 2 rows each,
    /// of facts/gpu-swizzle-patterns.json's sources.
    #[test]
    fn nvidia_by_arithmetic(x in 0..1000_u64, y in 0..2000_u32, z in 0..40_u32) {
        const TURING: [[u64; 4]; 4] = [[0, 2, 8, 10], [1, 3, 9, 11], [4, 6, 12, 14], [5, 7, 13, 15]];
        const FERMI: [[u64; 4]; 4] = [[1, 2, 9, 10], [0, 3, 8, 11], [5, 6, 13, 14], [4, 7, 12, 15]];
        let row = u64::from(y);
        let sector = |grid: &[[u64; 4]; 4]| {
            let (column, pair) = (usize::try_from(x % 64 / 16).unwrap(), usize::try_from(row % 8 / 2).unwrap());
            grid[pair][column] * 32 + row % 2 * 16 + x % 16
        };
        let tegra = x % 64 / 32 * 256 + row % 8 / 2 * 64 + x % 32 / 16 * 32 + row % 2 * 16 + x % 16;
        for (group, within) in [
            (GroupOfBytes::Tegra, tegra),
            (GroupOfBytes::Turing, sector(&TURING)),
            (GroupOfBytes::Fermi, sector(&FERMI)),
        ] {
            for (height_log2, depth_log2) in [(0, 0), (1, 0), (4, 0), (5, 0), (2, 2), (3, 4)] {
                let (high, deep) = (1_u64 << height_log2, 1_u64 << depth_log2);
                let block_bytes = 512 * high * deep;
                let strides = BlockStrides { row: 16 * block_bytes, slice: 4096 * block_bytes, stacked_rows: 0 };
                let depth = u64::from(z);
                let want = within
                    + row / 8 % high * 512
                    + depth % deep * 512 * high
                    + x / 64 * block_bytes
                    + row / (8 * high) * strides.row
                    + depth / deep * strides.slice;
                let pattern = block_linear(group, height_log2, depth_log2);
                prop_assert_eq!(reference_offset(&pattern, at(x, y, z, 0), &strides), want, "{:?}", group);
            }
        }
    }

    /// Intel's tile4 with stacked slices: the row is y + 96 z for slices 96 rows apart
    /// (facts/gpu-swizzle-patterns.json, verified_how), and so for any distance, whole blocks or not.
    #[test]
    fn stacked_slices_are_rows(x in 0..1000_u64, y in 0..84_u32, z in 0..50_u32, stacked_rows in 1..300_u32) {
        let (stacked, _) = block_of("intel_tile4_3D_stacked_slices_qpitch96");
        let flat = SwizzlePattern { stack_depth_slices: false, ..stacked };
        // A stride between slices counts for nothing where they are stacked.
        let strides = BlockStrides { row: 8 * 4096, slice: 1 << 40, stacked_rows };
        let below = BlockStrides { stacked_rows: 0, ..strides };
        let row = y + stacked_rows * z;
        let want = reference_offset(&flat, at(x, row, 0, 0), &below);
        prop_assert_eq!(reference_offset(&stacked, at(x, y, z, 0), &strides), want);
        // And that row by arithmetic: 4 rows of 16 bytes are 64 bytes, 4 of those 256 along x, 2 along y.
        let (column, line) = (x % 128, u64::from(row % 32));
        let by_hand = column % 16
            + line % 4 * 16
            + column / 16 % 4 * 64
            + line / 4 % 2 * 256
            + column / 64 * 512
            + line / 8 * 1024
            + x / 128 * 4096
            + u64::from(row / 32) * strides.row;
        prop_assert_eq!(want, by_hand);
    }

    /// Any legal pattern permutes the bytes of a block in place, wherever the block lies: bits from outside
    /// move them about inside.
    #[test]
    fn blocks_are_permuted_in_place(block_x in 0..64_u64, block_y in 0..64_u32, block_z in 0..8_u32) {
        for named in named_patterns().iter().filter(|named| named.pattern.interleave_xor[0] != NO_BITS) {
            let (pattern, block) = (named.pattern, named.pattern.block().unwrap());
            let block_z = if pattern.stack_depth_slices { 0 } else { block_z };
            let strides = BlockStrides { row: 64 * block.bytes(), slice: 4096 * block.bytes(), stacked_rows: 0 };
            let begin = block_x * block.bytes() + u64::from(block_y) * strides.row + u64::from(block_z) * strides.slice;
            // One byte of every line of 64, and all of the first: XORs begin above.
            let mut seen = HashSet::new();
            for (index, place) in addresses(block).enumerate() {
                if index >= 64 && index % 61 != 0 {
                    continue;
                }
                let moved = at(
                    place.x_bytes + (block_x << block.x_bytes_log2),
                    place.y + (block_y << block.y_log2),
                    place.z + (block_z << block.z_log2),
                    place.sample,
                );
                let offset = reference_offset(&pattern, moved, &strides);
                prop_assert!((begin..begin + block.bytes()).contains(&offset), "{}", named.name);
                prop_assert!(seen.insert(offset), "{} twice at {offset}", named.name);
            }
        }
    }

    /// What is accepted of arrays that are drawn permutes, and what is refused as dependent does not: rank
    /// against counting.
    #[test]
    fn rank_is_right(entries in proptest::collection::vec((0..2_usize, 0..4_u8), 16), immediate in 0..256_u32) {
        let mut pattern = interleaved("X0 Y0 X1 Y1 X2 Y2 X3 Y3");
        for (slot, (channel, bit)) in (0..16).zip(entries) {
            let entry = Some(heapstone_layout::swizzle::BitEntry { channel: Channel::ALL[channel], bit });
            pattern.interleave_xor[slot / 8][slot % 8] = entry.filter(|_| bit > 0);
        }
        pattern.postamble_immediate = immediate;
        let block = interleaved("X0 Y0 X1 Y1 X2 Y2 X3 Y3").block().unwrap();
        let strides = BlockStrides { row: 256, slice: 256, stacked_rows: 0 };
        let distinct: HashSet<u64> =
            addresses(block).map(|place| reference_offset(&pattern, place, &strides)).collect();
        match pattern.block() {
            Ok(_) => prop_assert_eq!(distinct.len(), 256),
            Err(PatternError::Dependent { .. }) => prop_assert!(distinct.len() < 256),
            Err(other) => prop_assert!(false, "{other}"),
        }
    }
}

#[test]
fn every_named_pattern_permutes_its_block() {
    let patterns = named_patterns();
    // 5 x 1D, 2D, 3D of 64KB, 5 x 2D, 3D of 4KB, 5 of D3D12's shapes, 4 x 5 variants, 2 x 4 x 5 MSAA, 23 of GPUs.
    assert_eq!(patterns.len(), 15 + 10 + 5 + 20 + 40 + 23);
    let names: HashSet<&str> = patterns.iter().map(|pattern| pattern.name.as_str()).collect();
    assert_eq!(names.len(), patterns.len());
    for named in patterns {
        let block = named.pattern.block().unwrap_or_else(|error| panic!("{}: {error}", named.name));
        let strides = BlockStrides { row: block.bytes(), slice: block.bytes(), stacked_rows: 0 };
        // Bytes of a run are beside each other, runs are apart.
        let run = 1 << named.pattern.run_log2().min(4);
        let mut seen = vec![false; usize::try_from(block.bytes() / run).unwrap()];
        for first in addresses(block).filter(|place| place.x_bytes % run == 0) {
            let last = at(first.x_bytes + run - 1, first.y, first.z, first.sample);
            let [begin, end] = [first, last].map(|place| reference_offset(&named.pattern, place, &strides));
            assert_eq!((begin % run, end), (0, begin + run - 1), "{}", named.name);
            let index = usize::try_from(begin / run).unwrap();
            assert!(!std::mem::replace(&mut seen[index], true), "{} twice at {begin}", named.name);
        }
        // An element is never torn.
        let bits = named.element_bits.unwrap_or(8);
        assert!(8 << named.pattern.run_log2() >= u32::from(bits), "{}", named.name);
    }
}

#[test]
fn runs_end_where_another_bit_comes() {
    assert_eq!(interleaved("X0 X1 X2 Y0 X3").run_log2(), 3);
    assert_eq!(interleaved("Y0 X0").run_log2(), 0);
    assert_eq!(xored("X0 X1 X2 Y0", "- - Y3").run_log2(), 2);
    // X1 moves a higher bit: bytes 0 and 1 stay together, 0 and 2 do not.
    assert_eq!(xored("X0 X1 X2 Y0", "- - - X1").run_log2(), 1);
    let mut pattern = interleaved("X0 X1 X2 Y0");
    pattern.postamble_immediate = 2;
    assert_eq!(pattern.run_log2(), 1);
    assert_eq!(SwizzlePattern::row_major(4).run_log2(), 4);
    assert_eq!(block_of("intel_tileW_stencil").0.run_log2(), 1);
    assert_eq!(block_of("amd_gfx11_navi31_SW_64KB_Z_X_2d_32bpp").0.run_log2(), 3);
}

/// What the listing does beyond a block's bits: the immediate before the block is added, the postamble after.
#[test]
fn the_postamble() {
    let mut pattern = interleaved("X0 X1 X2 X3 X4 X5 X6 X7 X8 Y0");
    pattern.postamble_immediate = 0x300;
    pattern.postamble_xor[0] = parse_bits("- - - - - - - - Y1").unwrap();
    pattern.postamble_xor[1] = parse_bits("- - - - - - - - X9").unwrap();
    pattern.block().unwrap();
    let strides = BlockStrides { row: 2048, slice: 0, stacked_rows: 0 };
    // Byte 0: bits 8 and 9 of the immediate.
    assert_eq!(reference_offset(&pattern, at(0, 0, 0, 0), &strides), 0x300);
    // Row 2 is row 1 of blocks and has Y1: bit 8 is turned off again.
    assert_eq!(reference_offset(&pattern, at(0, 2, 0, 0), &strides), 2048 + 0x200);
    // Byte 512 is the second block and has X9.
    assert_eq!(reference_offset(&pattern, at(512, 0, 0, 0), &strides), 1024 + 0x200);
    assert_eq!(reference_offset(&pattern, at(512, 2, 0, 0), &strides), 2048 + 1024 + 0x300);
}

/// Addresses above 4 GiB (facts/layout.md, 4), and the greatest.
#[test]
fn offsets_have_64_bits() {
    let (pattern, _) = block_of("standard_64KB_2D_8bpp");
    let strides = BlockStrides { row: 1 << 24, slice: 1 << 40, stacked_rows: 0 };
    assert_eq!(reference_offset(&pattern, at(0, 256 * 300, 0, 0), &strides), 300 << 24);
    assert_eq!(reference_offset(&pattern, at(0, 0, 1 << 20, 0), &strides), 1 << 60);
    assert_eq!(reference_offset(&pattern, at(0, 0, 1 << 24, 0), &strides), u64::MAX);
    assert_eq!(reference_offset(&pattern, at(u64::MAX, 0, 0, 0), &strides), u64::MAX);
    assert_eq!(reference_offset(&pattern, at(u64::MAX, u32::MAX, u32::MAX, 0), &strides), u64::MAX);
    let rows = SwizzlePattern::row_major(0);
    assert_eq!(reference_offset(&rows, at(u64::MAX - 1, 0, 0, 0), &strides), u64::MAX - 1);
}

#[test]
fn pre_swizzle_offsets_move_the_address() {
    let moved = at(16, 3, 2, 1).moved(PreSwizzleOffsets { x_bytes: 8, y: 4, z: 5 });
    assert_eq!(moved, Some(at(24, 7, 7, 1)));
    assert_eq!(at(0, u32::MAX, 0, 0).moved(PreSwizzleOffsets { x_bytes: 0, y: 1, z: 0 }), None);
}

/// A file of the facts, beside the specification that HEAPSTONE_SPEC names or that is beside the workspace;
/// `None`, with a line that says so, where it is not at hand. HEAPSTONE_REQUIRE_SPEC=1 makes that a failure.
fn facts(file: &str) -> Option<Value> {
    let folder = std::env::var_os("HEAPSTONE_SPEC")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/spec"), PathBuf::from);
    let path = folder.join("../facts").join(file);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(serde_json::from_str(&text).unwrap()),
        Err(reason) => {
            let required = std::env::var_os("HEAPSTONE_REQUIRE_SPEC").is_some_and(|value| value == "1");
            assert!(!required, "HEAPSTONE_REQUIRE_SPEC=1, and {}: {reason}", path.display());
            println!("skipped: {}: {reason}; HEAPSTONE_SPEC names another folder", path.display());
            None
        }
    }
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
}

/// An array of the files: elements `[channel, bit]` or `[valid, channel, bit]`.
fn row_text(value: &Value) -> String {
    let words: Vec<String> = value
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| match *numbers(entry) {
            [0, _, _] => "-".to_owned(),
            [1, channel, bit] | [channel, bit] => {
                format!("{}{bit}", ["X", "Y", "Z", "S"][usize::try_from(channel).unwrap()])
            }
            ref other => panic!("an entry {other:?}"),
        })
        .collect();
    words.join(" ")
}

#[test]
fn patterns_are_those_of_the_gpu_file() {
    let Some(file) = facts("gpu-swizzle-patterns.json") else { return };
    let entries = file["patterns"].as_array().unwrap();
    assert_eq!(entries.len(), 23);
    for entry in entries {
        let name = entry["name"].as_str().unwrap();
        let named = named_pattern(name).unwrap();
        let (pattern, want) = (named.pattern, &entry["pattern"]);
        for (array, row) in pattern.arrays() {
            assert_eq!(bits_text(row), row_text(&want[array.name()]), "{name}, {array}");
        }
        assert_eq!(u64::from(pattern.postamble_immediate), want["PostambleXORImmediate"], "{name}");
        assert_eq!(u64::from(pattern.stack_depth_slices), want["Flags"], "{name}");
        assert_eq!(named.element_bits.map(u64::from), entry["bpp"].as_u64(), "{name}");
        let (block, box_) = (pattern.block().unwrap(), &entry["block"]);
        for (log2, key) in [
            (block.x_bytes_log2, "x_bytes"),
            (block.y_log2, "y"),
            (block.z_log2, "z"),
            (block.samples_log2, "samples"),
            (block.bytes_log2, "bytes"),
        ] {
            assert_eq!(1_u64 << log2, box_[key], "{name}, {key}");
        }
    }
}

#[test]
fn patterns_are_those_of_the_standard_file() {
    let Some(file) = facts("standard-swizzle.json") else { return };
    let mut compared = 0;
    let mut compare = |name: String, bits: &str, entry: &Value| {
        let named = named_pattern(&name).unwrap_or_else(|| panic!("a pattern {name}"));
        assert_eq!(bits_text(&named.pattern.interleave), row_text(&entry["pattern"]), "{name}");
        let element_bytes = bits.parse::<u64>().unwrap() / 8;
        let block = named.pattern.block().unwrap();
        let tile = [
            (1 << block.x_bytes_log2) / element_bytes,
            1 << block.y_log2,
            1 << block.z_log2,
            1 << block.samples_log2,
        ];
        assert_eq!(numbers(&entry["tile"]), tile, "{name}");
        compared += 1;
    };
    for size in ["64KB", "4KB"] {
        for (dimension, entries) in file[size].as_object().unwrap() {
            for (key, entry) in entries.as_object().unwrap() {
                if dimension == "2D_MSAA" {
                    for (bits, entry) in entry.as_object().unwrap() {
                        compare(format!("standard_{size}_2D_MSAA_{key}_{bits}bpp"), bits, entry);
                    }
                } else {
                    compare(format!("standard_{size}_{dimension}_{key}bpp"), key, entry);
                }
            }
        }
    }
    for (variant, entries) in file["variants"].as_object().unwrap() {
        for (bits, entry) in entries.as_object().unwrap() {
            compare(format!("{variant}_{bits}bpp"), bits, entry);
        }
    }
    assert_eq!(compared, 15 + 10 + 40 + 20);
}
