//! Decoding against the definitions of the encodings, every code of them; encoding against what a definition
//! makes of it, for arbitrary numbers.

use heapstone_spec::Format;
use heapstone_texel::{components, decode, decode_int, encode, encode_int};
use proptest::prelude::*;

/// The red of a texel, of up to 4 bytes.
fn red_of(format: Format, code: u32) -> f32 {
    decode(format, &code.to_le_bytes()).expect("4 bytes are enough")[0]
}

/// The texel of a red, of up to 4 bytes.
fn code_of(format: Format, red: f32) -> u32 {
    let texel = encode(format, [red, 0.0, 0.0, 0.0]).expect("the format has texels");
    u32::from_le_bytes(texel.bytes[..4].try_into().expect("4 bytes"))
}

/// D3D11.3, 3.1.5 and 3.1.6, word for word: a sign, 5 bits of exponent, `fraction_bits` of fraction.
fn small_float(code: u32, fraction_bits: i32, signed: bool) -> f64 {
    let fraction = f64::from(code & ((1 << fraction_bits) - 1)) / 2.0_f64.powi(fraction_bits);
    let exponent = i32::try_from(code >> fraction_bits & 31).expect("5 bits");
    let sign = if signed && code >> (fraction_bits + 5) == 1 { -1.0 } else { 1.0 };
    match exponent {
        31 if fraction != 0.0 => f64::NAN,
        31 => sign * f64::INFINITY,
        0 => sign * 2.0_f64.powi(-14) * fraction,
        _ => sign * 2.0_f64.powi(exponent - 15) * (1.0 + fraction),
    }
}

#[track_caller]
fn assert_same(found: f32, want: f64, what: &str) {
    let same = f64::from(found) == want && found.is_sign_negative() == want.is_sign_negative();
    assert!(same || found.is_nan() && want.is_nan(), "{what}: {found}, not {want}");
}

#[test]
fn every_float_of_16_bits() {
    for code in 0..=0xffff {
        let red = red_of(Format::R16_FLOAT, code);
        assert_same(red, small_float(code, 10, true), &format!("{code:#x}"));
        assert_eq!(code_of(Format::R16_FLOAT, red), code, "{code:#x}");
    }
}

#[test]
fn every_float_of_11_and_10_bits() {
    for code in 0..=0x7ff_u32 {
        let texel = (code | code << 11).to_le_bytes();
        let [red, green, blue, alpha] = decode(Format::R11G11B10_FLOAT, &texel).unwrap();
        assert_same(red, small_float(code, 6, false), &format!("{code:#x}"));
        assert_same(green, small_float(code, 6, false), &format!("{code:#x}"));
        assert_eq!((blue, alpha), (0.0, 1.0));
        let encoded = encode(Format::R11G11B10_FLOAT, [red, green, blue, alpha]).unwrap();
        assert_eq!(encoded.as_bytes(), texel, "{code:#x}");
    }
    for code in 0..=0x3ff_u32 {
        let texel = (code << 22).to_le_bytes();
        let color = decode(Format::R11G11B10_FLOAT, &texel).unwrap();
        assert_same(color[2], small_float(code, 5, false), &format!("{code:#x}"));
        assert_eq!(encode(Format::R11G11B10_FLOAT, color).unwrap().as_bytes(), texel, "{code:#x}");
    }
}

/// A number divided by another in 64 bits and once rounded is the nearest 32-bit float: 53 bits are more than
/// twice 24.
fn quotient(dividend: f64, divisor: f64) -> f32 {
    #[allow(clippy::cast_possible_truncation)]
    let nearest = (dividend / divisor) as f32;
    nearest
}

#[test]
fn every_unorm_code_is_its_share_and_a_fixed_point() {
    for (format, bits, shift) in [
        (Format::R8_UNORM, 8, 0),
        (Format::R10G10B10A2_UNORM, 10, 0),
        (Format::R16_UNORM, 16, 0),
        (Format::D16_UNORM, 16, 0),
        (Format::B5G6R5_UNORM, 5, 11),
        (Format::B5G5R5A1_UNORM, 5, 10),
        (Format::A4B4G4R4_UNORM, 4, 12),
    ] {
        let greatest = (1_u32 << bits) - 1;
        for code in 0..=greatest {
            let red = red_of(format, code << shift);
            assert_eq!(red, quotient(f64::from(code), f64::from(greatest)), "{format} {code}");
            assert_eq!(code_of(format, red), code << shift, "{format} {code}");
        }
    }
}

/// The first, the last, and every 97th between.
#[test]
fn depths_of_24_bits() {
    for code in (0..=0xff_ffff_u32).step_by(97).chain([0xff_fffe, 0xff_ffff]) {
        let red = red_of(Format::D24_UNORM_S8_UINT, code);
        assert_eq!(red, quotient(f64::from(code), 16_777_215.0), "{code}");
        assert_eq!(code_of(Format::D24_UNORM_S8_UINT, red), code, "{code}");
    }
    // The upper 8 bits are no depth.
    assert_eq!(red_of(Format::R24_UNORM_X8_TYPELESS, 0xa5ff_ffff), 1.0);
}

/// The least code is -1 as its neighbour is, to which it encodes (D3D11.3, 19.1.2.1).
#[test]
fn every_snorm_code() {
    for (format, bits) in [(Format::R8_SNORM, 8), (Format::R16_SNORM, 16)] {
        let greatest = (1_i32 << (bits - 1)) - 1;
        let mask = (1_u32 << bits) - 1;
        for number in -greatest - 1..=greatest {
            let code = number.cast_unsigned() & mask;
            let red = red_of(format, code);
            let share = quotient(f64::from(number.max(-greatest)), f64::from(greatest));
            assert_eq!(red, share, "{format} {number}");
            assert_eq!(
                code_of(format, red),
                number.max(-greatest).cast_unsigned() & mask,
                "{format} {number}"
            );
        }
    }
}

#[test]
fn every_srgb_and_xr_bias_code_is_a_fixed_point() {
    for code in 0..=0xff {
        assert_eq!(code_of(Format::R8G8B8A8_UNORM_SRGB, red_of(Format::R8G8B8A8_UNORM_SRGB, code)), code);
    }
    for code in 0..=0x3ff_u16 {
        let red = red_of(Format::R10G10B10_XR_BIAS_A2_UNORM, u32::from(code));
        assert_eq!(red, quotient(f64::from(code) - 384.0, 510.0), "{code}");
        assert_eq!(code_of(Format::R10G10B10_XR_BIAS_A2_UNORM, red) & 0x3ff, u32::from(code));
    }
}

/// Linear values of the curve: 10 / 255 lies on its straight part, 11 / 255 just behind it.
#[test]
fn srgb_typed_from_the_curve() {
    for (code, want) in
        [(0, 0.0), (10, 0.003_035_27), (11, 0.003_346_536), (128, 0.215_860_5), (188, 0.502_886_5)]
    {
        let red = red_of(Format::R8G8B8A8_UNORM_SRGB, code);
        assert!((red - want).abs() < 2e-7, "{code}: {red}, not {want}");
    }
    assert_eq!(red_of(Format::R8G8B8A8_UNORM_SRGB, 255), 1.0);
    // Alpha is linear.
    assert_eq!(decode(Format::R8G8B8A8_UNORM_SRGB, &[0, 0, 0, 51]).unwrap(), [0.0, 0.0, 0.0, 0.2]);
}

#[test]
fn missing_components() {
    assert_eq!(decode(Format::R16_UNORM, &[0xff, 0xff]).unwrap(), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(decode(Format::A8_UNORM, &[0]).unwrap(), [0.0; 4]);
    assert_eq!(decode(Format::B8G8R8X8_UNORM, &[0, 0, 255, 0]).unwrap(), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(decode(Format::R9G9B9E5_SHAREDEXP, &0x8402_0100_u32.to_le_bytes()).unwrap(), [1.0; 4]);
    assert_eq!(decode_int(Format::R16G16_UINT, &[1, 0, 0xff, 0xff]).unwrap(), [1, 0xffff, 0, 1]);
    assert_eq!(decode_int(Format::X24_TYPELESS_G8_UINT, &[7]).unwrap(), [0, 7, 0, 1]);
}

#[test]
fn integers() {
    let bytes = [0xff, 0x7f, 0x80, 0x01];
    assert_eq!(decode_int(Format::R8G8B8A8_UINT, &bytes).unwrap(), [255, 127, 128, 1]);
    assert_eq!(decode_int(Format::R8G8B8A8_SINT, &bytes).unwrap(), [-1, 127, -128, 1]);
    assert_eq!(decode_int(Format::R32_SINT, &[0, 0, 0, 0x80]).unwrap()[0], -2_147_483_648);
    assert_eq!(decode_int(Format::R32_UINT, &[0, 0, 0, 0x80]).unwrap()[0], 2_147_483_648);
    let extremes = [i64::MIN, i64::MAX, -1, 1];
    assert_eq!(encode_int(Format::R8G8B8A8_UINT, extremes).unwrap().as_bytes(), [0, 255, 0, 1]);
    assert_eq!(encode_int(Format::R8G8B8A8_SINT, extremes).unwrap().as_bytes(), [0x80, 0x7f, 0xff, 1]);
    let wide = encode_int(Format::R32G32B32A32_UINT, extremes).unwrap();
    assert_eq!(u128::from_le_bytes(wide.bytes), 1 << 96 | 0xffff_ffff << 32);
}

#[test]
fn what_has_no_answer() {
    for format in
        [Format::UNKNOWN, Format::R8G8B8A8_TYPELESS, Format::BC7_UNORM, Format::NV12, Format::R1_UNORM]
    {
        assert_eq!(decode(format, &[0; 16]), None, "{format}");
        assert_eq!(decode_int(format, &[0; 16]), None, "{format}");
        assert_eq!(encode(format, [0.0; 4]), None, "{format}");
        assert_eq!(encode_int(format, [0; 4]), None, "{format}");
    }
    assert_eq!(decode(Format::R8_UINT, &[0]), None);
    assert_eq!(encode(Format::R8_UINT, [0.0; 4]), None);
    assert_eq!(decode_int(Format::R8_UNORM, &[0]), None);
    assert_eq!(encode_int(Format::R8_UNORM, [0; 4]), None);
    assert_eq!(decode(Format::R32G32B32_FLOAT, &[0; 11]), None);
    assert!(decode(Format::R32G32B32_FLOAT, &[0; 12]).is_some());
    assert_eq!(decode(Format::R8_UNORM, &[]), None);
}

/// Any 32-bit float, by its bits: NaNs, infinities and denormals among them.
fn any_float() -> impl Strategy<Value = f32> {
    prop_oneof![any::<u32>().prop_map(f32::from_bits), -2.0_f32..2.0, 0.0_f32..1.0, -70000.0_f32..70000.0]
}

/// The ideal FLOAT -> SRGB of D3D11.3, 3.2.3.8, before its last step of dropping the fraction.
fn srgb_scaled(linear: f32) -> f64 {
    let c = if linear > 0.0 { f64::from(linear.min(1.0)) } else { 0.0 };
    let encoded = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
    encoded * 255.0 + 0.5
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    /// The result is the code next to the number on the side of 0.
    #[test]
    fn floats_of_16_bits_round_to_zero(number in any_float()) {
        let code = code_of(Format::R16_FLOAT, number);
        if number.is_nan() {
            prop_assert!(small_float(code, 10, true).is_nan());
        } else if number.is_infinite() {
            prop_assert_eq!(small_float(code, 10, true), f64::from(number));
        } else {
            let magnitude = code & 0x7fff;
            prop_assert!(magnitude <= 0x7bff);
            prop_assert_eq!(code >> 15 == 1, number.is_sign_negative());
            let exact = f64::from(number.abs());
            prop_assert!(small_float(magnitude, 10, false) <= exact);
            prop_assert!(magnitude == 0x7bff || small_float(magnitude + 1, 10, false) > exact);
        }
    }

    #[test]
    fn floats_of_11_bits_round_to_zero(number in any_float()) {
        let code = code_of(Format::R11G11B10_FLOAT, number) & 0x7ff;
        if number.is_nan() {
            prop_assert!(small_float(code, 6, false).is_nan());
        } else if number.is_infinite() || number <= 0.0 {
            prop_assert_eq!(small_float(code, 6, false), f64::from(number.max(0.0)));
        } else {
            prop_assert!(small_float(code, 6, false) <= f64::from(number));
            prop_assert!(code == 0x7bf || small_float(code + 1, 6, false) > f64::from(number));
        }
    }

    #[test]
    fn srgb_is_the_ideal_conversion(number in any_float()) {
        let scaled = srgb_scaled(number);
        // Too near to a step for 64-bit powers to say on which side it is.
        prop_assume!((scaled - scaled.round()).abs() > 1e-9 || scaled == 255.5);
        prop_assert_eq!(f64::from(code_of(Format::R8G8B8A8_UNORM_SRGB, number)), scaled.floor());
    }

    /// Any shared-exponent texel's colour is exact: it encodes to a texel of the same colour.
    #[test]
    fn shared_exponents_are_exact(code in any::<u32>()) {
        let color = decode(Format::R9G9B9E5_SHAREDEXP, &code.to_le_bytes()).unwrap();
        let exponent = i32::try_from(code >> 27).unwrap();
        for (channel, number) in color[..3].iter().enumerate() {
            let mantissa = code >> (9 * channel) & 0x1ff;
            prop_assert_eq!(f64::from(*number), f64::from(mantissa) * 2.0_f64.powi(exponent - 24));
        }
        let again = encode(Format::R9G9B9E5_SHAREDEXP, color).unwrap();
        prop_assert_eq!(decode(Format::R9G9B9E5_SHAREDEXP, again.as_bytes()).unwrap(), color);
    }

    /// A shared exponent loses less than a unit of the exponent, which is as small as the greatest allows.
    #[test]
    fn shared_exponents_round_to_zero(color in prop::array::uniform4(any_float())) {
        let texel = encode(Format::R9G9B9E5_SHAREDEXP, color).unwrap();
        let decoded = decode(Format::R9G9B9E5_SHAREDEXP, texel.as_bytes()).unwrap();
        let reached = color.map(|number| if number > 0.0 { number.min(65408.0) } else { 0.0 });
        let greatest = reached[..3].iter().copied().fold(0.0, f32::max);
        let unit = f64::from(greatest).log2().floor().max(-16.0).exp2() / 256.0;
        for channel in 0..3 {
            let lost = f64::from(reached[channel]) - f64::from(decoded[channel]);
            prop_assert!((0.0..unit).contains(&lost), "{:?} became {:?}", color, decoded);
        }
    }

    /// What is decoded encodes to itself, in every format, but for what D3D11.3, 19.1.2.1 excepts; and more
    /// bytes than a texel's are not looked at.
    #[test]
    fn data_are_invertible(bytes in prop::array::uniform16(any::<u8>()), index in 0..Format::ALL.len()) {
        let format = Format::ALL[index];
        let Some(components) = components(format) else { return Ok(()) };
        let size = usize::from(components.size);
        if let Some(values) = decode_int(format, &bytes) {
            prop_assert_eq!(decode_int(format, &bytes[..size]), Some(values));
            let again = encode_int(format, values).unwrap();
            prop_assert_eq!(decode_int(format, again.as_bytes()), Some(values));
            prop_assert_eq!(again.as_bytes(), &bytes[..size]);
        } else {
            let color = decode(format, &bytes).unwrap();
            let again = encode(format, color).unwrap();
            prop_assert_eq!(usize::from(again.size), size);
            let bits = |color: [f32; 4]| color.map(f32::to_bits);
            prop_assert_eq!(decode(format, again.as_bytes()).map(bits), Some(bits(color)));
        }
    }
}
