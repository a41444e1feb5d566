//! Floating-point numbers of 16, 11 and 10 bits (D3D11.3, 3.1.5 and 3.1.6).
//!
//! ```text
//!   16 bits: s eeeee ffffffffff     11 bits: eeeee ffffff     10 bits: eeeee fffff
//! ```
//! Conversion from 32 bits rounds to zero, as D3D11.3, 3.2.2 demands of conversions between float formats: a
//! number too large becomes the greatest finite one; only infinity becomes infinity.

/// The bias of an exponent of 5 bits.
const BIAS: u32 = 15;
/// The exponent of infinities and NaNs.
const EXPONENT_MAX: u32 = 31;
/// The bias of a 32-bit float's exponent.
const BIAS_32: u32 = 127;
/// Bits of a 32-bit float's fraction.
const FRACTION_32: u32 = 23;

/// A floating-point format with an exponent of 5 bits.
#[derive(Clone, Copy)]
pub(crate) struct SmallFloat {
    /// Bits of the fraction.
    fraction: u32,
    /// Whether a sign stands above the exponent.
    signed: bool,
}

impl SmallFloat {
    /// 16 bits with a sign.
    pub(crate) const FLOAT16: SmallFloat = SmallFloat { fraction: 10, signed: true };

    /// 11 or 10 bits without a sign.
    pub(crate) const fn unsigned(bits: u8) -> SmallFloat {
        SmallFloat { fraction: bits as u32 - 5, signed: false }
    }

    /// The code of `value`. Without a sign, what is below 0 becomes 0. A NaN stays one and keeps the upper
    /// bits of its payload (chosen, so that what is decoded encodes to the same code; D3D11.3, 19.1.2.1
    /// leaves it open).
    pub(crate) fn encode(self, value: f32) -> u32 {
        let negative = value.is_sign_negative();
        if negative && !self.signed && !value.is_nan() {
            return 0;
        }
        let sign = u32::from(negative && self.signed) << (5 + self.fraction);
        sign | self.encode_magnitude(value.to_bits() & !(1 << 31))
    }

    /// The code of a 32-bit float's bits without its sign.
    fn encode_magnitude(self, bits: u32) -> u32 {
        let infinity = EXPONENT_MAX << self.fraction;
        let dropped = FRACTION_32 - self.fraction;
        let (exponent, fraction) = (bits >> FRACTION_32, bits & ((1 << FRACTION_32) - 1));
        if exponent == 255 {
            return match (fraction, fraction >> dropped) {
                (0, _) => infinity,
                // The payload is in the bits that are dropped: the quiet bit keeps it a NaN.
                (_, 0) => infinity | 1 << (self.fraction - 1),
                (_, payload) => infinity | payload,
            };
        }
        let least_normal = BIAS_32 - BIAS + 1;
        if exponent >= least_normal {
            let rebiased = bits - ((BIAS_32 - BIAS) << FRACTION_32);
            return (rebiased >> dropped).min(infinity - 1);
        }
        let significand = fraction | u32::from(exponent > 0) << FRACTION_32;
        significand.checked_shr(dropped + least_normal - exponent).unwrap_or(0)
    }

    /// The number of a code: always exact.
    pub(crate) fn decode(self, code: u32) -> f32 {
        let widened = FRACTION_32 - self.fraction;
        let fraction = code & ((1 << self.fraction) - 1);
        let exponent = (code >> self.fraction) & EXPONENT_MAX;
        let magnitude = match exponent {
            0 => return self.denormal(fraction, self.sign(code)),
            EXPONENT_MAX => 255 << FRACTION_32,
            _ => (exponent + BIAS_32 - BIAS) << FRACTION_32,
        };
        f32::from_bits(self.sign(code) | magnitude | fraction << widened)
    }

    /// The sign of a code, where a 32-bit float has it.
    fn sign(self, code: u32) -> u32 {
        if self.signed { (code >> (5 + self.fraction)) << 31 } else { 0 }
    }

    /// A number without the hidden bit: fraction * 2^(-14 - bits of the fraction).
    fn denormal(self, fraction: u32, sign: u32) -> f32 {
        let unit = f32::from_bits((BIAS_32 - BIAS + 1 - self.fraction) << FRACTION_32);
        let magnitude = crate::number::nearest(f64::from(fraction)) * unit;
        f32::from_bits(sign | magnitude.to_bits())
    }
}
