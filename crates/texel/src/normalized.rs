//! UNORM, SNORM, XR_BIAS and the integers: numbers on an even grid.
//!
//! D3D allows 0.6 of a code of error (D3D11.3, 3.2.3.4 and 3.2.3.6). Here the result is the ideal one: the 24
//! bits of a float's significand times the at most 24 of a code are exact in a 64-bit float.

use crate::number::{nearest, sign_extended, truncated, truncated_signed};

/// The greatest code of `bits` bits without a sign.
const fn greatest(bits: u8) -> u32 {
    u32::MAX >> (32 - bits)
}

/// The greatest code of `bits` bits with a sign.
const fn greatest_signed(bits: u8) -> u32 {
    greatest(bits) >> 1
}

/// FLOAT -> UNORM (D3D11.3, 3.2.3.6): NaN is 0, clamped to 0 and 1, halves go up.
pub(crate) fn encode_unorm(value: f32, bits: u8) -> u32 {
    nearest_code(f64::from(value.clamp(0.0, 1.0)) * f64::from(greatest(bits)))
}

/// UNORM -> FLOAT (D3D11.3, 3.2.3.5).
pub(crate) fn decode_unorm(code: u32, bits: u8) -> f32 {
    nearest(f64::from(code) / f64::from(greatest(bits)))
}

/// FLOAT -> SNORM (D3D11.3, 3.2.3.4): NaN is 0, clamped to -1 and 1, halves go away from 0. The least code is
/// never the result.
pub(crate) fn encode_snorm(value: f32, bits: u8) -> u32 {
    nearest_code(f64::from(value.clamp(-1.0, 1.0)) * f64::from(greatest_signed(bits)))
}

/// SNORM -> FLOAT (D3D11.3, 3.2.3.3).
pub(crate) fn decode_snorm(code: u32, bits: u8) -> f32 {
    nearest(f64::from(snorm_code(code, bits)) / f64::from(greatest_signed(bits)))
}

/// The integer of an SNORM code: the least is -1 as its neighbour is, and becomes it.
pub(crate) fn snorm_code(code: u32, bits: u8) -> i32 {
    sign_extended(code, bits).max(-greatest_signed(bits).cast_signed())
}

/// The integer nearest to a number on a grid of codes, in two's complement: halves go away from 0, NaN is 0.
pub(crate) fn nearest_code(measure: f64) -> u32 {
    let magnitude = truncated(measure.abs() + 0.5);
    if measure < 0.0 { magnitude.wrapping_neg() } else { magnitude }
}

/// FLOAT -> XR_BIAS: NaN is 0. Rounded to the nearest code, within the 0.6 of a code that Microsoft's rules
/// allow (chosen over dropping the fraction, under which a decoded number would not encode to its code).
pub(crate) fn encode_xr_bias(value: f32) -> u32 {
    truncated(f64::from(value) * 510.0 + 384.0 + 0.5).min(0x3ff)
}

/// XR_BIAS -> FLOAT.
pub(crate) fn decode_xr_bias(code: u32) -> f32 {
    nearest((f64::from(code) - 384.0) / 510.0)
}

/// FLOAT -> UINT: NaN is 0, the fraction is dropped, what is out of range is clamped.
pub(crate) fn encode_uint(value: f32, bits: u8) -> u32 {
    truncated(f64::from(value)).min(greatest(bits))
}

/// FLOAT -> SINT, likewise.
pub(crate) fn encode_sint(value: f32, bits: u8) -> u32 {
    clamp_sint(truncated_signed(f64::from(value)), bits)
}

/// An integer clamped to `bits` bits without a sign (D3D11.3, 3.2.3.13).
pub(crate) fn clamp_uint(value: i64, bits: u8) -> u32 {
    let greatest = greatest(bits);
    u32::try_from(value.clamp(0, i64::from(greatest))).expect("invariant: clamped to at most 32 bits")
}

/// An integer clamped to `bits` bits of two's complement (D3D11.3, 3.2.3.13).
pub(crate) fn clamp_sint(value: i64, bits: u8) -> u32 {
    let greatest = i64::from(greatest_signed(bits));
    let clamped = value.clamp(-greatest - 1, greatest);
    i32::try_from(clamped).expect("invariant: clamped to at most 32 bits").cast_unsigned()
}
