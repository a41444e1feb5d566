//! The standard swizzle of 64 KiB and 4 KiB, and what vendors call so
//! (facts/layout.md, 64 KB standard swizzle; facts/standard-swizzle.json).

use super::named::NamedPattern;
use super::pattern::{BitRow, Channel, NO_BITS, SwizzlePattern, parse_bits};

/// Rows for elements of 1, 2, 4, 8, 16 bytes.
pub(super) type ByElement = [BitRow; 5];

/// Bits of elements, as names have them.
const ELEMENT_BITS: [u8; 5] = [8, 16, 32, 64, 128];

/// Reads rows at compile time.
pub(super) const fn rows(texts: [&str; 5]) -> ByElement {
    let mut rows = [NO_BITS; 5];
    let mut at = 0;
    while at < 5 {
        rows[at] = row(texts[at]);
        at += 1;
    }
    rows
}

/// Reads a row at compile time.
pub(super) const fn row(text: &str) -> BitRow {
    match parse_bits(text) {
        Ok(row) => row,
        Err(_) => panic!("a row of entries that does not parse"),
    }
}

/// 64KB, 1D: identity. D3D12 has the shape but no such texture.
const STANDARD_64KB_1D: BitRow = row("X0 X1 X2 X3 X4 X5 X6 X7 X8 X9 X10 X11 X12 X13 X14 X15");

/// 64KB, 2D.
pub(super) const STANDARD_64KB_2D: ByElement = rows([
    "X0 X1 X2 X3 Y0 Y1 Y2 Y3 Y4 X4 Y5 X5 Y6 X6 Y7 X7",
    "X0 X1 X2 X3 Y0 Y1 Y2 X4 Y3 X5 Y4 X6 Y5 X7 Y6 X8",
    "X0 X1 X2 X3 Y0 Y1 Y2 X4 Y3 X5 Y4 X6 Y5 X7 Y6 X8",
    "X0 X1 X2 X3 Y0 Y1 X4 X5 Y2 X6 Y3 X7 Y4 X8 Y5 X9",
    "X0 X1 X2 X3 Y0 Y1 X4 X5 Y2 X6 Y3 X7 Y4 X8 Y5 X9",
]);

/// 64KB, 3D.
pub(super) const STANDARD_64KB_3D: ByElement = rows([
    "X0 X1 X2 X3 Y0 Y1 Z0 Z1 Z2 Y2 Z3 Y3 X4 Z4 Y4 X5",
    "X0 X1 X2 X3 Y0 Y1 Z0 Z1 Z2 Y2 Z3 Y3 X4 Z4 Y4 X5",
    "X0 X1 X2 X3 Y0 Y1 Z0 Z1 Y2 X4 Z2 Y3 X5 Z3 Y4 X6",
    "X0 X1 X2 X3 Y0 Y1 Z0 Z1 X4 X5 Z2 Y2 X6 Z3 Y3 X7",
    "X0 X1 X2 X3 Y0 Y1 Z0 Z1 X4 X5 Z2 Y2 X6 Z3 Y3 X7",
]);

/// 4KB, 2D.
pub(super) const STANDARD_4KB_2D: ByElement = rows([
    "X0 X1 X2 X3 Y0 Y1 Y2 Y3 Y4 X4 Y5 X5",
    "X0 X1 X2 X3 Y0 Y1 Y2 X4 Y3 X5 Y4 X6",
    "X0 X1 X2 X3 Y0 Y1 Y2 X4 Y3 X5 Y4 X6",
    "X0 X1 X2 X3 Y0 Y1 X4 X5 Y2 X6 Y3 X7",
    "X0 X1 X2 X3 Y0 Y1 X4 X5 Y2 X6 Y3 X7",
]);

/// 4KB, 3D: Intel's, whose shapes are D3D12's only for 8 and 64 bits.
const STANDARD_4KB_3D: ByElement = rows([
    "X0 X1 X2 X3 Y0 Y1 Z0 Z1 Z2 Y2 Z3 Y3",
    "X0 X1 X2 X3 Y0 Y1 Z0 Z1 Z2 Y2 Z3 Y3",
    "X0 X1 X2 X3 Y0 Y1 Z0 Z1 Y2 X4 Z2 Y3",
    "X0 X1 X2 X3 Y0 Y1 Z0 Z1 X4 X5 Z2 Y2",
    "X0 X1 X2 X3 Y0 Y1 Z0 Z1 X4 X5 Z2 Y2",
]);

/// Chosen: [`STANDARD_4KB_3D`] in the shapes that D3D12 counts 4 KiB tiles by (facts/layout.md,
/// Small-resource alignment): where those are wider, the next bit of X stands for the bit of Y or Z that
/// they lack.
pub(super) const D3D12_4KB_3D: ByElement = rows([
    "X0 X1 X2 X3 Y0 Y1 Z0 Z1 Z2 Y2 Z3 Y3",
    "X0 X1 X2 X3 Y0 Y1 Z0 Z1 Z2 Y2 X4 Y3",
    "X0 X1 X2 X3 Y0 Y1 Z0 Z1 Y2 X4 Z2 X5",
    "X0 X1 X2 X3 Y0 Y1 Z0 Z1 X4 X5 Z2 Y2",
    "X0 X1 X2 X3 Y0 Y1 Z0 Z1 X4 X5 X6 Y2",
]);

/// Variants, 3D_64KB_intel_icl.
const VARIANT_INTEL_ICL: ByElement = rows([
    "X0 X1 Z0 Z1 Y0 Y1 X2 Z2 Y2 X3 Z3 Y3 X4 Z4 Y4 X5",
    "X0 X1 Z0 Z1 Y0 Y1 X2 Z2 Y2 X3 Z3 Y3 X4 Z4 Y4 X5",
    "X0 X1 X2 Z0 Y0 Y1 X3 Z1 Y2 X4 Z2 Y3 X5 Z3 Y4 X6",
    "X0 X1 X2 X3 Y0 Z0 X4 Z1 Y1 X5 Z2 Y2 X6 Z3 Y3 X7",
    "X0 X1 X2 X3 Y0 Z0 X4 Z1 Y1 X5 Z2 Y2 X6 Z3 Y3 X7",
]);

/// Variants, 3D_64KB_amd_gfx9: equal to the standard.
const VARIANT_AMD_GFX9: ByElement = STANDARD_64KB_3D;

/// Variants, 3D_64KB_amd_gfx10.
const VARIANT_AMD_GFX10: ByElement = rows([
    "X0 X1 Z0 Y0 Z1 Y1 X2 Z2 Y2 X3 Z3 Y3 X4 Z4 Y4 X5",
    "X0 X1 Z0 Y0 Z1 Y1 X2 Z2 Y2 X3 Z3 Y3 X4 Z4 Y4 X5",
    "X0 X1 X2 Y0 Z0 Y1 X3 Z1 Y2 X4 Z2 Y3 X5 Z3 Y4 X6",
    "X0 X1 X2 X3 Z0 Y0 X4 Z1 Y1 X5 Z2 Y2 X6 Z3 Y3 X7",
    "X0 X1 X2 X3 Z0 Y0 X4 Z1 Y1 X5 Z2 Y2 X6 Z3 Y3 X7",
]);

/// Variants, 3D_64KB_amd_gfx11.
const VARIANT_AMD_GFX11: ByElement = rows([
    "X0 X1 Z0 Y0 Y1 Z1 X2 Z2 Y2 X3 Z3 Y3 X4 Z4 Y4 X5",
    "X0 X1 Z0 Y0 X2 Z1 Y1 Z2 Y2 X3 Z3 Y3 X4 Z4 Y4 X5",
    "X0 X1 X2 Y0 X3 Z0 Y1 Z1 Y2 X4 Z2 Y3 X5 Z3 Y4 X6",
    "X0 X1 X2 X3 Y0 Z0 X4 Z1 Y1 X5 Z2 Y2 X6 Z3 Y3 X7",
    "X0 X1 X2 X3 X4 Z0 Y0 Z1 Y1 X5 Z2 Y2 X6 Z3 Y3 X7",
]);

/// The pattern of several samples that `single` is the pattern of one sample of: the bits of the
/// sample are the top address bits, and below them the single-sample pattern loses its highest bits of X
/// and Y in turn, X first (facts/layout.md, 64 KB standard swizzle, MSAA). XORs stay with the bit that
/// they were made for. An element, `2^element_bytes_log2` bytes, stays whole.
///
/// `single` has no postamble, whose bits are bound to their place.
pub(super) fn with_samples(
    single: &SwizzlePattern,
    element_bytes_log2: u8,
    samples_log2: u8,
) -> SwizzlePattern {
    let count = |channel: Channel| {
        let bits = single.interleave.iter().flatten().filter(|entry| entry.channel == channel).count();
        u8::try_from(bits).unwrap_or(u8::MAX)
    };
    let width = count(Channel::X).saturating_sub(element_bytes_log2);
    let x = count(Channel::X) - width.min(samples_log2.div_ceil(2));
    let y = count(Channel::Y).saturating_sub(samples_log2 / 2);

    let mut pattern = SwizzlePattern {
        stack_depth_slices: single.stack_depth_slices,
        ..SwizzlePattern::of_interleave(NO_BITS)
    };
    let mut address_bit = 0;
    for (from, entry) in single.interleave.iter().enumerate() {
        let Some(entry) = *entry else { break };
        let kept = match entry.channel {
            Channel::X => entry.bit < x,
            Channel::Y => entry.bit < y,
            Channel::Z | Channel::Sample => true,
        };
        if kept {
            pattern.interleave[address_bit] = Some(entry);
            for (into, xor) in pattern.interleave_xor.iter_mut().zip(&single.interleave_xor) {
                into[address_bit] = xor[from];
            }
            address_bit += 1;
        }
    }
    for (bit, slot) in (0..samples_log2).zip(pattern.interleave.iter_mut().skip(address_bit)) {
        *slot = Some(super::pattern::BitEntry { channel: Channel::Sample, bit });
    }
    pattern
}

/// Every pattern of facts/standard-swizzle.json, and [`D3D12_4KB_3D`].
pub(super) fn named() -> Vec<NamedPattern> {
    let mut all = Vec::new();
    let mut add = |name: &str, rows: &ByElement| {
        for (row, bits) in rows.iter().zip(ELEMENT_BITS) {
            all.push(NamedPattern {
                name: format!("{name}_{bits}bpp"),
                element_bits: Some(bits),
                pattern: SwizzlePattern::of_interleave(*row),
            });
        }
    };
    add("standard_64KB_1D", &[STANDARD_64KB_1D; 5]);
    add("standard_64KB_2D", &STANDARD_64KB_2D);
    add("standard_64KB_3D", &STANDARD_64KB_3D);
    add("standard_4KB_2D", &STANDARD_4KB_2D);
    add("standard_4KB_3D", &STANDARD_4KB_3D);
    add("d3d12_4KB_3D", &D3D12_4KB_3D);
    add("3D_64KB_intel_icl", &VARIANT_INTEL_ICL);
    add("3D_64KB_amd_gfx9", &VARIANT_AMD_GFX9);
    add("3D_64KB_amd_gfx10", &VARIANT_AMD_GFX10);
    add("3D_64KB_amd_gfx11", &VARIANT_AMD_GFX11);
    for (size, rows) in [("64KB", &STANDARD_64KB_2D), ("4KB", &STANDARD_4KB_2D)] {
        for samples_log2 in 1..=4_u8 {
            for ((row, bits), bytes_log2) in rows.iter().zip(ELEMENT_BITS).zip(0..) {
                all.push(NamedPattern {
                    name: format!("standard_{size}_2D_MSAA_{}_{bits}bpp", 1_u32 << samples_log2),
                    element_bits: Some(bits),
                    pattern: with_samples(&SwizzlePattern::of_interleave(*row), bytes_log2, samples_log2),
                });
            }
        }
    }
    all
}
