//! Roundings that Rust has no name for but `as`, whose saturation is just D3D's clamping.

/// The nearest 32-bit float, ties to even.
#[expect(clippy::cast_possible_truncation, reason = "rounding is what is asked for")]
pub(crate) fn nearest(value: f64) -> f32 {
    value as f32
}

/// Without its fraction, clamped to 32 bits without a sign; NaN is 0.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamping is what is asked for")]
pub(crate) fn truncated(value: f64) -> u32 {
    value as u32
}

/// Without its fraction, clamped to 64 bits; NaN is 0.
#[expect(clippy::cast_possible_truncation, reason = "clamping is what is asked for")]
pub(crate) fn truncated_signed(value: f64) -> i64 {
    value as i64
}

/// The integer whose two's complement the lowest `bits` bits of `code` are.
pub(crate) fn sign_extended(code: u32, bits: u8) -> i32 {
    let above = 32 - u32::from(bits);
    (code << above).cast_signed() >> above
}
