//! R9G9B9E5_SHAREDEXP: three mantissas of 9 bits without a hidden bit, one exponent for them.
//!
//! A component is mantissa * 2^(exponent - 24): the exponent is biased by 15, the mantissa a fraction of 9
//! bits. Numbers are rounded to zero, as every conversion to a float format (D3D11.3, 3.2.2); what is below 0
//! becomes 0, and so does NaN, of which the format has none; infinity becomes the greatest number.

use crate::number::{nearest, truncated};

/// 511 * 2^(31 - 24).
const MAX: f32 = 65408.0;

/// `value` where the format reaches.
fn clamped(value: f32) -> f32 {
    if value > 0.0 { value.min(MAX) } else { 0.0 }
}

/// The exponent of a colour, biased: the least with which its greatest component fits.
pub(crate) fn exponent([red, green, blue, _]: [f32; 4]) -> u32 {
    let greatest = clamped(red).max(clamped(green)).max(clamped(blue));
    // A power of two that is 1 in 32-bit floats (127 in the exponent) is the mantissa's top bit at 16.
    (greatest.to_bits() >> 23).saturating_sub(127 - 16)
}

/// The mantissa of a component under a shared exponent.
pub(crate) fn mantissa(value: f32, exponent: u32) -> u32 {
    truncated(f64::from(clamped(value)) / unit(exponent))
}

/// The number of a mantissa under a shared exponent: always exact.
pub(crate) fn value(mantissa: u32, exponent: u32) -> f32 {
    nearest(f64::from(mantissa) * unit(exponent))
}

/// 2^(exponent - 24).
fn unit(exponent: u32) -> f64 {
    f64::from_bits(u64::from(1023 + exponent - 24) << 52)
}
