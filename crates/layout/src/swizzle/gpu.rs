//! Patterns of real GPUs (facts/gpu-swizzle-patterns.json: Intel's from Mesa's isl, NVIDIA's from the
//! Tegra X1 manual and Mesa's NIL, AMD's from its address library).

use super::named::NamedPattern;
use super::pattern::{BitEntry, BitRow, Channel, NO_BITS, SwizzlePattern};
use super::standard::row;

/// What a pattern of the file is made of.
struct Row {
    name: &'static str,
    element_bits: Option<u8>,
    interleave: &'static str,
    xor: &'static str,
    xor2: &'static str,
    immediate: u32,
    stacked: bool,
}

/// Bits in order, nothing else.
const fn plain(name: &'static str, element_bits: Option<u8>, interleave: &'static str) -> Row {
    Row { name, element_bits, interleave, xor: "", xor2: "", immediate: 0, stacked: false }
}

/// With XORs of one or two bits.
const fn xored(
    name: &'static str,
    element_bits: Option<u8>,
    interleave: &'static str,
    xor: &'static str,
    xor2: &'static str,
) -> Row {
    Row { name, element_bits, interleave, xor, xor2, immediate: 0, stacked: false }
}

impl Row {
    const fn pattern(&self) -> SwizzlePattern {
        let mut pattern = SwizzlePattern::of_interleave(row(self.interleave));
        pattern.interleave_xor[0] = row(self.xor);
        pattern.interleave_xor[1] = row(self.xor2);
        pattern.postamble_immediate = self.immediate;
        pattern.stack_depth_slices = self.stacked;
        pattern
    }
}

/// 4 KiB of Intel's tile4; of 3D textures and arrays slices are stacked.
pub(super) const TILE4: &str = "X0 X1 X2 X3 Y0 Y1 X4 X5 Y2 X6 Y3 Y4";
/// 16 groups of bytes, one above the other, of NVIDIA's desktop GPUs from Turing on.
pub(super) const TURING_H16: &str = "X0 X1 X2 X3 Y0 Y1 X4 Y2 X5 Y3 Y4 Y5 Y6";

const ROWS: [Row; 23] = [
    plain("intel_tileX", None, "X0 X1 X2 X3 X4 X5 X6 X7 X8 Y0 Y1 Y2"),
    plain("intel_tileW_stencil", Some(8), "X0 Y0 X1 Y1 X2 Y2 Y3 Y4 Y5 X3 X4 X5"),
    xored(
        "intel_tileX_bit6_swizzle_9_10",
        None,
        "X0 X1 X2 X3 X4 X5 X6 X7 X8 Y0 Y1 Y2",
        "- - - - - - Y0",
        "- - - - - - Y1",
    ),
    Row { stacked: true, ..plain("intel_tile4_3D_stacked_slices_qpitch96", None, TILE4) },
    plain("nvidia_blocklinear_h2", Some(32), "X0 X1 X2 X3 Y0 X4 Y1 Y2 X5 Y3"),
    plain("nvidia_blocklinear_h32", Some(32), "X0 X1 X2 X3 Y0 X4 Y1 Y2 X5 Y3 Y4 Y5 Y6 Y7"),
    plain("nvidia_blocklinear_3d_h8_d16", Some(32), "X0 X1 X2 X3 Y0 X4 Y1 Y2 X5 Y3 Y4 Y5 Z0 Z1 Z2 Z3"),
    plain("nvidia_turing_color2d_blocklinear_h16", None, TURING_H16),
    Row {
        immediate: 0x20,
        ..xored("nvidia_fermi_color_blocklinear_h16", None, TURING_H16, "- - - - - X4", "")
    },
    plain("amd_gfx9_vega10_SW_64KB_D_2d_32bpp", Some(32), "X0 X1 X2 X3 Y0 X4 Y1 Y2 Y3 X5 Y4 X6 Y5 X7 Y6 X8"),
    xored(
        "amd_gfx9_vega10_SW_64KB_Z_X_2d_32bpp",
        Some(32),
        "X0 X1 X2 Y0 X3 Y1 Y2 X4 Y3 X5 Y4 X6 Y5 X7 Y6 X8",
        "- - - - - - - - X8 Y6 X7 Y5 X10 Y8 X9 Y7",
        "",
    ),
    xored(
        "amd_gfx9_vega10_SW_64KB_D_X_2d_32bpp",
        Some(32),
        "X0 X1 X2 X3 Y0 X4 Y1 Y2 Y3 X5 Y4 X6 Y5 X7 Y6 X8",
        "- - - - - - - - X8 Y6 X7 Y5 X10 Y8 X9 Y7",
        "",
    ),
    xored(
        "amd_gfx9_vega10_SW_64KB_S_X_3d_32bpp",
        Some(32),
        "X0 X1 X2 X3 Y0 Y1 Z0 Z1 Y2 X4 Z2 Y3 X5 Z3 Y4 X6",
        "- - - - - - - - X7 Y5 X6 X5 Y7 X8 X7 Y5",
        "- - - - - - - - Z5 Z4 Y4 Z3 Z6 Y6 Z5 Z4",
    ),
    plain("amd_gfx10_navi10_SW_64KB_S_2d_32bpp", Some(32), "X0 X1 X2 X3 Y0 Y1 Y2 X4 Y3 X5 Y4 X6 Y5 X7 Y6 X8"),
    xored(
        "amd_gfx10_navi10_SW_64KB_S_X_2d_32bpp",
        Some(32),
        "X0 X1 X2 X3 Y0 Y1 Y2 X4 Y3 X5 Y4 X6 Y5 X7 Y6 X8",
        "- - - - - - - - X8 Y6 X7 Y5",
        "",
    ),
    xored(
        "amd_gfx10_navi10_SW_64KB_R_X_2d_32bpp",
        Some(32),
        "X0 X1 X2 X3 Y0 Y1 Y2 X4 X5 Y4 Y5 X7 Y3 X6 Y6 X8",
        "- - - - - - - - Y3 X6 X8 Y6",
        "",
    ),
    xored(
        "amd_gfx10_navi21_SW_64KB_R_X_2d_8bpp",
        Some(8),
        "X0 X1 X2 X3 Y0 Y1 Y2 Y3 Y4 X4 Y5 X5 X6 X7 Y7 Y6",
        "- - - - - - - - X8 Y4 X7 Y7 - - X8 X6",
        "- - - - - - - - Y8",
    ),
    xored(
        "amd_gfx10_navi21_SW_64KB_R_X_2d_64bpp",
        Some(64),
        "X0 X1 X2 X3 Y0 X4 X5 Y1 Y4 X7 Y5 X8 Y2 X6 Y3 X9",
        "- - - - - - - - X11 Y4 X10 Y7 - - X10 Y6",
        "- - - - - - - - Y8",
    ),
    xored(
        "amd_gfx10_navi21_SW_64KB_R_X_2d_32bpp",
        Some(32),
        "X0 X1 X2 X3 Y0 Y1 X4 Y2 Y4 X6 Y5 X7 X5 Y3 X8 Y6",
        "- - - - - - - - X10 Y4 X9 Y7 - - Y7 X8",
        "- - - - - - - - Y8",
    ),
    xored(
        "amd_gfx10_navi21_SW_64KB_Z_X_2d_4x_32bpp",
        Some(32),
        "X0 X1 S0 S1 X2 Y0 X3 Y1 Y4 X6 Y5 X7 X5 Y3 X4 Y2",
        "- - - - - - - - X10 Y4 X9 Y7 - - X8 X8",
        "- - - - - - - - Y8 - - - - - Y7 Y6",
    ),
    plain("amd_gfx10_navi21_SW_64KB_S_3d_32bpp", Some(32), "X0 X1 X2 Y0 Z0 Y1 X3 Z1 Y2 X4 Z2 Y3 X5 Z3 Y4 X6"),
    xored(
        "amd_gfx11_navi31_SW_64KB_D_X_2d_32bpp",
        Some(32),
        "X0 X1 X2 Y0 X3 Y1 X4 Y2 Y3 X5 Y4 X6 Y5 X7 Y6 X8",
        "- - - - - - - - X9 Y7 X8 Y6 X7",
        "",
    ),
    xored(
        "amd_gfx11_navi31_SW_64KB_Z_X_2d_32bpp",
        Some(32),
        "X0 X1 X2 Y0 X3 Y1 X4 Y2 Y4 X6 Y5 X7 Y6 X5 Y3 X8",
        "- - - - - - - - X11 Y4 X10 Y8 X9 - - Y7",
        "- - - - - - - - Y9",
    ),
];

/// Every pattern of the file.
pub(super) fn named() -> impl Iterator<Item = NamedPattern> {
    ROWS.iter().map(|row| NamedPattern {
        name: row.name.to_owned(),
        element_bits: row.element_bits,
        pattern: row.pattern(),
    })
}

/// NVIDIA's group of bytes: 64 bytes x 8 rows, 512 bytes, which blocks are made of. They differ in the
/// order of the sectors of 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupOfBytes {
    /// Of Tegra, and of what is not colour on desktop GPUs.
    Tegra,
    /// Of colour on desktop GPUs from Turing on.
    Turing,
    /// Of colour on desktop GPUs before Turing.
    Fermi,
}

impl GroupOfBytes {
    const fn row(self) -> BitRow {
        match self {
            GroupOfBytes::Tegra => row("X0 X1 X2 X3 Y0 X4 Y1 Y2 X5"),
            GroupOfBytes::Turing | GroupOfBytes::Fermi => row("X0 X1 X2 X3 Y0 Y1 X4 Y2 X5"),
        }
    }
}

/// NVIDIA's block-linear layout: blocks of `2^height_log2` groups of bytes down and `2^depth_log2` deep.
/// Exponents above 7 count as 7, more than any GPU has (facts/gpu-swizzle-patterns.json has 5 and 4).
#[must_use]
pub fn block_linear(group: GroupOfBytes, height_log2: u8, depth_log2: u8) -> SwizzlePattern {
    let mut pattern = SwizzlePattern::of_interleave(group.row());
    let rows = (3..3 + height_log2.min(7)).map(|bit| BitEntry { channel: Channel::Y, bit });
    let slices = (0..depth_log2.min(7)).map(|bit| BitEntry { channel: Channel::Z, bit });
    for (slot, entry) in pattern.interleave.iter_mut().skip(9).zip(rows.chain(slices)) {
        *slot = Some(entry);
    }
    if group == GroupOfBytes::Fermi {
        pattern.interleave_xor[0] = const { row("- - - - - X4") };
        pattern.postamble_immediate = 1 << 5;
    }
    pattern
}

/// The bits of `NO_BITS` but for one run, from `from` on.
pub(super) const fn xor_from(from: usize, entries: &[BitEntry]) -> BitRow {
    let mut row = NO_BITS;
    let mut at = 0;
    while at < entries.len() && from + at < row.len() {
        row[from + at] = Some(entries[at]);
        at += 1;
    }
    row
}
