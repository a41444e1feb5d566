//! Four numbers to the bytes of a texel and back.

use heapstone_spec::Format;

use crate::components::{Component, Components, Encoding, components};
use crate::float::SmallFloat;
use crate::number::sign_extended;
use crate::{Texel, normalized, shared_exponent, srgb};

/// Red, green, blue and alpha of a texel of float, normalized, sRGB or depth format; sRGB comes out linear.
/// Missing components are 0, a missing alpha is 1 (D3D11.3, 19.1.3.3). Of depth formats the depth is red.
///
/// `None` where the format has no such texels (integers: [`decode_int`]), or `bytes` are fewer than one.
#[must_use]
pub fn decode(format: Format, bytes: &[u8]) -> Option<[f32; 4]> {
    let components = components(format).filter(|components| !components.is_integer())?;
    let raw = components.raw(bytes)?;
    let mut color = [0.0, 0.0, 0.0, 1.0];
    for (number, component) in color.iter_mut().zip(components.channels) {
        if let Some(component) = component {
            *number = number_of(component, raw, components);
        }
    }
    Some(color)
}

/// Red, green, blue and alpha of a texel of UINT or SINT format. Missing components are 0, a missing alpha is
/// 1. A stencil is green.
///
/// `None` where the format is not of integers, or `bytes` are fewer than a texel.
#[must_use]
pub fn decode_int(format: Format, bytes: &[u8]) -> Option<[i64; 4]> {
    let components = components(format).filter(|components| components.is_integer())?;
    let raw = components.raw(bytes)?;
    let mut color = [0, 0, 0, 1];
    for (number, component) in color.iter_mut().zip(components.channels) {
        if let Some(component) = component {
            let code = component.read(raw);
            *number = match component.encoding {
                Encoding::Sint => i64::from(sign_extended(code, component.bits)),
                _ => i64::from(code),
            };
        }
    }
    Some(color)
}

/// The texel of a linear colour in a float, normalized, sRGB or depth format, by D3D's conversion rules
/// (D3D11.3, 3.2). Components that the format lacks are left out.
///
/// `None` where the format has no such texels (integers: [`encode_int`]).
#[must_use]
pub fn encode(format: Format, color: [f32; 4]) -> Option<Texel> {
    let components = components(format).filter(|components| !components.is_integer())?;
    Some(encode_components(components, color))
}

/// As [`encode`], of any components: an integer drops the fraction and is clamped.
pub(crate) fn encode_components(components: &Components, color: [f32; 4]) -> Texel {
    texel(components, |component, channel| code_of(component, color, channel))
}

/// The texel of integers in a UINT or SINT format, each clamped to the range of its component (D3D11.3,
/// 3.2.3.13). Components that the format lacks are left out.
///
/// `None` where the format is not of integers.
#[must_use]
pub fn encode_int(format: Format, values: [i64; 4]) -> Option<Texel> {
    let components = components(format).filter(|components| components.is_integer())?;
    Some(texel(components, |component, channel| match component.encoding {
        Encoding::Sint => normalized::clamp_sint(values[channel], component.bits),
        _ => normalized::clamp_uint(values[channel], component.bits),
    }))
}

/// A texel out of the code of each of its components, given with the channel's index.
pub(crate) fn texel(components: &Components, code: impl Fn(Component, usize) -> u32) -> Texel {
    let mut raw = 0;
    for (channel, component) in components.channels.into_iter().enumerate() {
        if let Some(component) = component {
            raw |= component.place(code(component, channel));
        }
    }
    Texel::from_raw(raw, components.size)
}

/// The code of a colour's channel.
pub(crate) fn code_of(component: Component, color: [f32; 4], channel: usize) -> u32 {
    let (number, bits) = (color[channel], component.bits);
    match component.encoding {
        Encoding::Float if bits == 32 => number.to_bits(),
        Encoding::Float => SmallFloat::FLOAT16.encode(number),
        Encoding::UnsignedFloat => SmallFloat::unsigned(bits).encode(number),
        Encoding::Unorm => normalized::encode_unorm(number, bits),
        Encoding::Srgb => srgb::encode(number),
        Encoding::Snorm => normalized::encode_snorm(number, bits),
        Encoding::Uint => normalized::encode_uint(number, bits),
        Encoding::Sint => normalized::encode_sint(number, bits),
        Encoding::XrBias => normalized::encode_xr_bias(number),
        Encoding::SharedMantissa => shared_exponent::mantissa(number, shared_exponent::exponent(color)),
        Encoding::SharedExponent => shared_exponent::exponent(color),
    }
}

/// The number of a component in a texel's bits; of an exponent that is shared, the alpha that is not there.
pub(crate) fn number_of(component: Component, raw: u128, components: &Components) -> f32 {
    let (code, bits) = (component.read(raw), component.bits);
    match component.encoding {
        Encoding::Float if bits == 32 => f32::from_bits(code),
        Encoding::Float => SmallFloat::FLOAT16.decode(code),
        Encoding::UnsignedFloat => SmallFloat::unsigned(bits).decode(code),
        Encoding::Unorm => normalized::decode_unorm(code, bits),
        Encoding::Srgb => srgb::decode(code),
        Encoding::Snorm => normalized::decode_snorm(code, bits),
        Encoding::Uint => crate::number::nearest(f64::from(code)),
        Encoding::Sint => crate::number::nearest(f64::from(sign_extended(code, bits))),
        Encoding::XrBias => normalized::decode_xr_bias(code),
        Encoding::SharedMantissa => {
            let exponent = components.channels[3].map_or(0, |exponent| exponent.read(raw));
            shared_exponent::value(code, exponent)
        }
        Encoding::SharedExponent => 1.0,
    }
}
