//! The families of profiles: their patterns have the shapes that sizes are computed with.
#![allow(clippy::unwrap_used)] // Helpers of tests are tests.

mod support;

use heapstone_layout::swizzle::{bits_text, family_pattern, named_pattern};
use heapstone_layout::{Purpose, tile_4kb, tile_64kb};
use heapstone_layout::{ResolvedPattern, explain};
use heapstone_spec::profile::SwizzleFamily;
use heapstone_spec::{Format, ResourceDesc, ResourceDimension};
use support::rules;

/// Of elements of 1, 2, 4, 8, 16 bytes: x, y, z in elements.
type Shapes = [[u64; 3]; 5];

/// facts/layout.md, 64 KB standard swizzle and Small-resource alignment; facts/gpu-swizzle-patterns.json:
/// block-linear of 16 groups 64 bytes x 128 rows, tile4 128 bytes x 32 rows. Chosen: block-linear in 3D as
/// 4 groups high and 4 deep, AMD's 256 KiB as 64 KiB doubled along two axes.
const SHAPES: [(SwizzleFamily, ResourceDimension, u64, Shapes); 10] = [
    (
        SwizzleFamily::Standard64Kb,
        ResourceDimension::Texture2D,
        65_536,
        [[256, 256, 1], [256, 128, 1], [128, 128, 1], [128, 64, 1], [64, 64, 1]],
    ),
    (
        SwizzleFamily::Standard64Kb,
        ResourceDimension::Texture3D,
        65_536,
        [[64, 32, 32], [32, 32, 32], [32, 32, 16], [32, 16, 16], [16, 16, 16]],
    ),
    (
        SwizzleFamily::Standard4Kb,
        ResourceDimension::Texture2D,
        4096,
        [[64, 64, 1], [64, 32, 1], [32, 32, 1], [32, 16, 1], [16, 16, 1]],
    ),
    (
        SwizzleFamily::Standard4Kb,
        ResourceDimension::Texture3D,
        4096,
        [[16, 16, 16], [16, 16, 8], [16, 8, 8], [8, 8, 8], [8, 8, 4]],
    ),
    (
        SwizzleFamily::BlockLinear,
        ResourceDimension::Texture2D,
        8192,
        [[64, 128, 1], [32, 128, 1], [16, 128, 1], [8, 128, 1], [4, 128, 1]],
    ),
    (
        SwizzleFamily::BlockLinear,
        ResourceDimension::Texture3D,
        8192,
        [[64, 32, 4], [32, 32, 4], [16, 32, 4], [8, 32, 4], [4, 32, 4]],
    ),
    (
        SwizzleFamily::Tile4,
        ResourceDimension::Texture2D,
        4096,
        [[128, 32, 1], [64, 32, 1], [32, 32, 1], [16, 32, 1], [8, 32, 1]],
    ),
    (
        SwizzleFamily::Tile4,
        ResourceDimension::Texture3D,
        4096,
        [[128, 32, 1], [64, 32, 1], [32, 32, 1], [16, 32, 1], [8, 32, 1]],
    ),
    (
        SwizzleFamily::Amd256Kb,
        ResourceDimension::Texture2D,
        262_144,
        [[512, 512, 1], [512, 256, 1], [256, 256, 1], [256, 128, 1], [128, 128, 1]],
    ),
    (
        SwizzleFamily::Amd256Kb,
        ResourceDimension::Texture3D,
        262_144,
        [[64, 64, 64], [32, 64, 64], [32, 64, 32], [32, 32, 32], [16, 32, 32]],
    ),
];

/// Samples divide the 2D block by 2x1, 2x2, 4x2, 4x4, 8x4 for 2, 4, 8, 16, 32 (facts/layout.md).
const DIVISORS: [(u64, u64); 6] = [(1, 1), (2, 1), (2, 2), (4, 2), (4, 4), (8, 4)];

#[test]
fn blocks_have_the_shapes_of_their_families() {
    for (family, dimension, bytes, shapes) in SHAPES {
        for (bytes_log2, [width, height, depth]) in (0..5_u8).zip(shapes) {
            for (samples_log2, (across, down)) in (0..6_u8).zip(DIVISORS) {
                let context = format!("{family} {dimension} 2^{bytes_log2} bytes, 2^{samples_log2} samples");
                let pattern = ResolvedPattern::Family(family);
                let pattern = family_pattern(pattern, dimension, bytes_log2, samples_log2)
                    .unwrap_or_else(|| panic!("{context}"))
                    .pattern();
                let block = pattern.block().unwrap_or_else(|error| panic!("{context}: {error}"));
                // A block of several samples has the bytes of one, unless elements ran out along x.
                let width = (width / across).max(1);
                assert_eq!(1 << block.x_bytes_log2, width << bytes_log2, "{context}, x");
                assert_eq!(1 << block.y_log2, height / down, "{context}, y");
                assert_eq!(1 << block.z_log2, depth, "{context}, z");
                assert_eq!(block.samples_log2, samples_log2, "{context}");
                if width << samples_log2.div_ceil(2) == shapes[usize::from(bytes_log2)][0] {
                    assert_eq!(block.bytes(), bytes, "{context}");
                }
                assert_eq!(
                    pattern.stack_depth_slices,
                    family == SwizzleFamily::Tile4 && dimension == ResourceDimension::Texture3D
                );
                assert!(pattern.run_log2() >= bytes_log2, "{context}: an element is torn");
            }
        }
    }
}

/// The blocks that sizes are computed with are those of the patterns: through the tiles of D3D12, and
/// through the explanation of a size for every family.
#[test]
fn sizes_are_computed_with_the_same_blocks() {
    for dimension in [ResourceDimension::Texture2D, ResourceDimension::Texture3D] {
        for bytes_log2 in 0..5 {
            for samples_log2 in 0..6 {
                for (family, shape) in [
                    (SwizzleFamily::Standard64Kb, tile_64kb(dimension, bytes_log2, samples_log2)),
                    (SwizzleFamily::Standard4Kb, tile_4kb(dimension, bytes_log2, samples_log2)),
                ] {
                    let pattern = ResolvedPattern::Family(family);
                    let block = family_pattern(pattern, dimension, bytes_log2, samples_log2).unwrap().block();
                    assert_eq!(block.x_bytes_log2, shape.width_log2 + bytes_log2);
                    assert_eq!((block.y_log2, block.z_log2), (shape.height_log2, shape.depth_log2));
                    assert_eq!(block.bytes_log2, shape.bytes_log2);
                }
            }
        }
    }
    let formats = [
        Format::R8_UNORM,
        Format::R16_UNORM,
        Format::R32_FLOAT,
        Format::R32G32_FLOAT,
        Format::R32G32B32A32_FLOAT,
    ];
    for (family, dimension, _, shapes) in SHAPES {
        for (format, [width, height, depth]) in formats.into_iter().zip(shapes) {
            // Three blocks along each axis but for one element.
            let (wide, high) = (3 * width - 1, u32::try_from(3 * height - 1).unwrap());
            let desc = if dimension == ResourceDimension::Texture3D {
                ResourceDesc::texture_3d(format, wide, high, u16::try_from(3 * depth - 1).unwrap())
            } else {
                ResourceDesc::texture_2d(format, wide, high)
            };
            let explanation = explain(&rules(family), &desc, Purpose::Query).unwrap();
            let blocks = explanation.planes[0].mips[0].blocks.unwrap();
            let along_z = if dimension == ResourceDimension::Texture2D {
                1
            } else if depth == 1 {
                2
            } else {
                3
            };
            assert_eq!((blocks.width, blocks.height, blocks.depth), (3, 3, along_z), "{family} {format}");
        }
    }
}

/// The families stand on the patterns of the facts.
#[test]
fn families_have_the_patterns_of_the_facts() {
    let own = |family, dimension, bytes_log2, samples_log2| {
        *family_pattern(ResolvedPattern::Family(family), dimension, bytes_log2, samples_log2)
            .unwrap()
            .pattern()
    };
    let named = |name: &str| named_pattern(name).unwrap().pattern;
    let (flat, deep) = (ResourceDimension::Texture2D, ResourceDimension::Texture3D);
    for (bytes_log2, bits) in (0..5).zip([8, 16, 32, 64, 128]) {
        assert_eq!(
            own(SwizzleFamily::Standard64Kb, flat, bytes_log2, 0),
            named(&format!("standard_64KB_2D_{bits}bpp"))
        );
        assert_eq!(
            own(SwizzleFamily::Standard64Kb, deep, bytes_log2, 0),
            named(&format!("standard_64KB_3D_{bits}bpp"))
        );
        assert_eq!(
            own(SwizzleFamily::Standard4Kb, deep, bytes_log2, 0),
            named(&format!("d3d12_4KB_3D_{bits}bpp"))
        );
        for samples_log2 in 1..5 {
            for (family, size) in [(SwizzleFamily::Standard64Kb, "64KB"), (SwizzleFamily::Standard4Kb, "4KB")]
            {
                let name = format!("standard_{size}_2D_MSAA_{}_{bits}bpp", 1 << samples_log2);
                assert_eq!(own(family, flat, bytes_log2, samples_log2), named(&name));
            }
        }
        assert_eq!(
            own(SwizzleFamily::BlockLinear, flat, bytes_log2, 0),
            named("nvidia_turing_color2d_blocklinear_h16")
        );
        assert_eq!(
            own(SwizzleFamily::Tile4, deep, bytes_log2, 0),
            named("intel_tile4_3D_stacked_slices_qpitch96")
        );
    }
    // Where D3D12's shape is the fact's, so is the pattern.
    for bits in [8, 64] {
        assert_eq!(named(&format!("d3d12_4KB_3D_{bits}bpp")), named(&format!("standard_4KB_3D_{bits}bpp")));
    }

    // 64 KiB of gfx11 inside 256 KiB: the same bits below the two on top, XORs at the same lines.
    let (small, large) =
        (named("amd_gfx11_navi31_SW_64KB_D_X_2d_32bpp"), own(SwizzleFamily::Amd256Kb, flat, 2, 0));
    assert_eq!(large.interleave[..16], small.interleave[..16]);
    assert_eq!(bits_text(&large.interleave), "X0 X1 X2 Y0 X3 Y1 X4 Y2 Y3 X5 Y4 X6 Y5 X7 Y6 X8 Y7 X9");
    assert_eq!(bits_text(&large.interleave_xor[0]), "- - - - - - - - X10 Y8 X9 Y7 X8");
}

#[test]
fn rows_have_no_pattern() {
    for family in SwizzleFamily::ALL {
        let pattern = ResolvedPattern::Family(family);
        assert!(family_pattern(pattern, ResourceDimension::Texture1D, 2, 0).is_none());
        assert!(family_pattern(pattern, ResourceDimension::Buffer, 0, 0).is_none());
        // Elements of 32 bytes, and 64 samples, do not exist.
        assert!(family_pattern(pattern, ResourceDimension::Texture2D, 5, 0).is_none());
        assert!(family_pattern(pattern, ResourceDimension::Texture2D, 0, 6).is_none());
    }
    let flat = ResourceDimension::Texture2D;
    assert!(family_pattern(ResolvedPattern::Family(SwizzleFamily::Linear), flat, 2, 0).is_none());
    assert!(family_pattern(ResolvedPattern::RowMajor, flat, 2, 0).is_none());
    assert!(family_pattern(ResolvedPattern::CompactLinear, flat, 2, 0).is_none());
    assert!(family_pattern(ResolvedPattern::Standard64KbTiles, flat, 2, 0).is_some());
}
