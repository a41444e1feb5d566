//! The sRGB curve at 8 bits (D3D11.3, 3.2.3.7 and 3.2.3.8).
//!
//! Both ways are tables, made once: 256 numbers one way, the 255 numbers between which the codes lie the
//! other. A search among those is the ideal conversion, rounding included, without a power per texel.

use std::sync::LazyLock;

use crate::number::nearest;

/// The number of each code.
static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| {
    let mut table = [0.0; 256];
    for (code, number) in (0_u32..).zip(&mut table) {
        *number = nearest(linear(f64::from(code) / 255.0));
    }
    table
});

/// The least number of each code from 1 on: what the curve takes to half a code below it.
static LEAST: LazyLock<[f64; 255]> = LazyLock::new(|| {
    let mut table = [0.0; 255];
    for (code, least) in (1_u32..).zip(&mut table) {
        *least = linear((f64::from(code) - 0.5) / 255.0);
    }
    table
});

/// From the curve to a linear number.
fn linear(encoded: f64) -> f64 {
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// FLOAT -> SRGB: NaN is 0, clamped to 0 and 1, halves go up.
pub(crate) fn encode(value: f32) -> u32 {
    // No comparison with NaN holds: it is below every code's least number.
    let code = LEAST.partition_point(|least| *least <= f64::from(value));
    u32::try_from(code).expect("invariant: there are 255 least numbers")
}

/// SRGB -> FLOAT.
pub(crate) fn decode(code: u32) -> f32 {
    let code = u8::try_from(code).expect("invariant: sRGB has 8 bits");
    LINEAR[usize::from(code)]
}
