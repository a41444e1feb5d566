//! Clears: texels worked out by hand from the definitions of the formats and D3D's conversion rules
//! (D3D11.3, 3.2 and 5.2.3).

use heapstone_spec::Format;
use heapstone_texel::{Texel, encode_clear_color, encode_clear_uint, encode_depth, encode_stencil};

/// A texel's bits, its first byte lowest.
fn raw(texel: Texel) -> u128 {
    assert!(texel.bytes[usize::from(texel.size)..].iter().all(|byte| *byte == 0));
    assert_eq!(texel.as_bytes(), &texel.bytes[..usize::from(texel.size)]);
    u128::from_le_bytes(texel.bytes)
}

#[track_caller]
fn assert_color(format: Format, color: [f32; 4], want: u128) {
    let found = raw(encode_clear_color(format, color).expect("the format has colours"));
    assert_eq!(found, want, "{format} of {color:?}: {found:#x}, not {want:#x}");
}

#[track_caller]
fn assert_red(format: Format, red: f32, want: u128) {
    assert_color(format, [red, 0.0, 0.0, 0.0], want);
}

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;
const COLOR: [f32; 4] = [0.1, 0.5, 0.3, 0.75];

#[test]
fn unorm() {
    assert_color(Format::R8G8B8A8_UNORM, COLOR, 0xbf4d_801a);
    assert_color(Format::B8G8R8A8_UNORM, COLOR, 0xbf1a_804d);
    assert_color(Format::B8G8R8X8_UNORM, COLOR, 0x001a_804d);
    assert_color(Format::R8G8B8A8_UNORM, [-1.0, 2.0, NAN, INF], 0xff00_ff00);
    assert_color(Format::R10G10B10A2_UNORM, [0.5, 1.0, 0.25, 1.0], 0xd00f_fe00);
    assert_color(Format::R16G16_UNORM, [0.5, -INF, 0.0, 0.0], 0x8000);
    assert_color(Format::A8_UNORM, [1.0, 1.0, 1.0, 0.5], 0x80);
    assert_color(Format::R16G16B16A16_UNORM, [0.0, 1.0, 0.0, 1.0], 0xffff_0000_ffff_0000);
}

#[test]
fn unorm_of_sixteen_bits_together() {
    assert_color(Format::B5G6R5_UNORM, [1.0, 0.5, 0.0, 0.0], 0xfc00);
    assert_color(Format::B5G6R5_UNORM, [0.0, 0.0, 1.0, 1.0], 0x001f);
    assert_color(Format::B5G5R5A1_UNORM, [0.5, 0.0, 1.0, 0.5], 0xc01f);
    assert_color(Format::B5G5R5A1_UNORM, [0.0, 1.0, 0.0, 0.49], 0x03e0);
    assert_color(Format::B4G4R4A4_UNORM, [1.0, 0.0, 0.0, 0.2], 0x3f00);
    assert_color(Format::A4B4G4R4_UNORM, [1.0, 0.0, 0.0, 0.2], 0xf003);
}

/// 0.5 is 187.516 on the curve, 0.1 is 89.04, 0.3 is 148.88; alpha is linear.
#[test]
fn srgb() {
    assert_color(Format::R8G8B8A8_UNORM_SRGB, COLOR, 0xbf95_bc59);
    assert_color(Format::B8G8R8A8_UNORM_SRGB, COLOR, 0xbf59_bc95);
    assert_color(Format::B8G8R8X8_UNORM_SRGB, COLOR, 0x0059_bc95);
    // 0.001 * 12.92 * 255 = 3.29; 0.0031308 * 12.92 * 255 = 10.31; 0.2 is 123.56.
    assert_color(Format::R8G8B8A8_UNORM_SRGB, [0.001, 0.003_130_8, 0.2, 1.0], 0xff7c_0a03);
    assert_color(Format::R8G8B8A8_UNORM_SRGB, [NAN, INF, -INF, NAN], 0x0000_ff00);
}

#[test]
fn snorm() {
    assert_color(Format::R8G8B8A8_SNORM, [1.0, -1.0, 0.5, -0.5], 0xc040_817f);
    assert_color(Format::R8G8B8A8_SNORM, [-2.0, NAN, 0.1, -INF], 0x810d_0081);
    assert_color(Format::R16G16_SNORM, [-1.0, INF, 0.0, 0.0], 0x7fff_8001);
    assert_color(Format::R8G8_SNORM, [-0.0, -0.003, 0.0, 0.0], 0x0000);
}

/// The fraction is dropped, what is out of range clamped, NaN is 0.
#[test]
fn integers_of_floats() {
    assert_color(Format::R8G8B8A8_UINT, COLOR, 0);
    assert_color(Format::R8G8B8A8_UINT, [235.0, 235.9, 256.0, -1.0], 0x00ff_ebeb);
    assert_color(Format::R16G16B16A16_UINT, [0.0, 1.0, 0.0, 1.0], 0x0001_0000_0001_0000);
    assert_color(Format::R16G16B16A16_SINT, [1.0, -1.0, -0.5, -2.0], 0xfffe_0000_ffff_0001);
    assert_color(Format::R10G10B10A2_UINT, [1.0, 1023.9, 5000.0, 2.5], 0xbfff_fc01);
    for (red, want) in [(200.0, 0x7f), (-200.0, 0x80), (-1.9, 0xff), (NAN, 0), (INF, 0x7f), (-INF, 0x80)] {
        assert_red(Format::R8_SINT, red, want);
    }
    for (red, want) in [
        (0.75, 0),
        (-1.0, 0),
        (NAN, 0),
        (16_777_218.0, 0x0100_0002),
        (4_294_967_040.0, 0xffff_ff00),
        (4_294_967_296.0, 0xffff_ffff),
        (INF, 0xffff_ffff),
    ] {
        assert_red(Format::R32_UINT, red, want);
    }
    for (red, want) in [
        (-16_777_218.0, 0xfeff_fffe),
        (-2_147_483_648.0, 0x8000_0000),
        (-3e9, 0x8000_0000),
        (2_147_483_648.0, 0x7fff_ffff),
    ] {
        assert_red(Format::R32_SINT, red, want);
    }
}

#[test]
fn floats_of_32_bits() {
    assert_color(Format::R32G32B32A32_FLOAT, [1.0, 2.0, 3.0, 4.0], 0x4080_0000_4040_0000_4000_0000_3f80_0000);
    assert_color(Format::R32G32B32_FLOAT, [1.0, 2.0, 3.0, 4.0], 0x4040_0000_4000_0000_3f80_0000);
    assert_eq!(encode_clear_color(Format::R32G32B32_FLOAT, COLOR).unwrap().size, 12);
    let least = f32::from_bits(1);
    let normal = f32::MIN_POSITIVE;
    for (red, want) in [
        (least, 0),
        (-least, 0x8000_0000),
        (1e-40, 0),
        (normal, 0x0080_0000),
        (NAN, 0x7fc0_0000),
        (-INF, 0xff80_0000),
        (-0.0, 0x8000_0000),
    ] {
        assert_red(Format::R32_FLOAT, red, want);
    }
}

/// Rounded to zero: 0.7 is 1.4 * 2^-1 and 0.4 * 1024 is 409.6, of which 409 = 0x199 remains.
#[test]
fn floats_of_16_bits() {
    let two = 2.0_f32;
    for (red, want) in [
        (1.0, 0x3c00),
        (-2.0, 0xc000),
        (0.7, 0x3999),
        (1.0 / 3.0, 0x3555),
        (0.1, 0x2e66),
        (65504.0, 0x7bff),
        (65535.9, 0x7bff),
        (1e30, 0x7bff),
        (-1e30, 0xfbff),
        (INF, 0x7c00),
        (-INF, 0xfc00),
        (NAN, 0x7e00),
        (two.powi(-14), 0x0400),
        (two.powi(-14) - two.powi(-24), 0x03ff),
        (two.powi(-24), 0x0001),
        (1.9 * two.powi(-24), 0x0001),
        (two.powi(-25), 0x0000),
        (-two.powi(-25), 0x8000),
        (-0.0, 0x8000),
        (1e-40, 0x0000),
    ] {
        assert_red(Format::R16_FLOAT, red, want);
    }
    assert_color(Format::R16G16_FLOAT, [0.5, 1.0, 0.0, 0.0], 0x3c00_3800);
}

/// A NaN whose payload is in bits that are dropped stays a NaN.
#[test]
fn a_nan_stays_one() {
    let low = f32::from_bits(0x7f80_0001);
    assert_red(Format::R16_FLOAT, low, 0x7e00);
    assert_color(Format::R11G11B10_FLOAT, [low, -low, low, 0.0], 0xfc3f_07e0 | 0x3e0 << 11);
}

#[test]
fn floats_of_11_and_10_bits() {
    assert_color(Format::R11G11B10_FLOAT, [1.0, 1.0, 1.0, 0.0], 0x781e_03c0);
    assert_color(Format::R11G11B10_FLOAT, [0.5, 1.0, 2.0, 0.0], 0x801e_0380);
    assert_color(Format::R11G11B10_FLOAT, [-1.0, INF, NAN, 0.0], 0xfc3e_0000);
    assert_color(Format::R11G11B10_FLOAT, [-INF, -0.0, -1e-20, 1.0], 0);
    // The greatest: 65024 and 64512, 0x7bf and 0x3df.
    assert_color(Format::R11G11B10_FLOAT, [65024.0, 1e30, 64512.0, 0.0], 0xf7fd_ffbf);
    assert_color(Format::R11G11B10_FLOAT, [65535.0, 65024.0, 1e30, 0.0], 0xf7fd_ffbf);
    // The least: 2^-20 and 2^-19.
    assert_color(
        Format::R11G11B10_FLOAT,
        [2.0_f32.powi(-20), 2.0_f32.powi(-21), 2.0_f32.powi(-19), 0.0],
        0x0040_0001,
    );
}

#[test]
fn shared_exponent() {
    assert_color(Format::R9G9B9E5_SHAREDEXP, [1.0, 1.0, 1.0, 0.0], 0x8402_0100);
    assert_color(Format::R9G9B9E5_SHAREDEXP, [0.5, 0.25, 0.0, 1.0], 0x7801_0100);
    assert_color(Format::R9G9B9E5_SHAREDEXP, [INF, 0.0, -1.0, 0.0], 0xf800_01ff);
    assert_color(Format::R9G9B9E5_SHAREDEXP, [NAN, 65408.0, 1e30, 0.0], 0xffff_fe00);
    // 0.0077 is 1.97 of 2^-8, the unit beside 1.
    assert_color(Format::R9G9B9E5_SHAREDEXP, [1.0, 0.0077, 0.0, 0.0], 0x8000_0300);
    // The least: 2^-24; half of it is 0.
    assert_color(Format::R9G9B9E5_SHAREDEXP, [2.0_f32.powi(-24), 2.0_f32.powi(-25), 0.0, 0.0], 1);
    assert_color(Format::R9G9B9E5_SHAREDEXP, [0.0; 4], 0);
}

/// 0 is 0x180, 1 is 0x180 + 510.
#[test]
fn xr_bias() {
    assert_color(Format::R10G10B10_XR_BIAS_A2_UNORM, [0.0, 1.0, 10.0, 1.0], 0xfffd_f980);
    assert_color(Format::R10G10B10_XR_BIAS_A2_UNORM, [-1.0, NAN, -INF, 0.0], 0);
}

#[test]
fn uint_takes_the_lowest_bits() {
    for (format, values, want) in [
        (Format::R16G16_UINT, [0x1234, 0xabcd, 0, 0], 0xabcd_1234),
        (Format::R16G16_UNORM, [0x1234, 0xabcd, 0, 0], 0xabcd_1234),
        (Format::R16G16_FLOAT, [0x1234, 0xabcd, 0, 0], 0xabcd_1234),
        (Format::R16G16_UINT, [0x10000, 0, 0, 0], 0),
        (Format::R8G8B8A8_UINT, [0x11, 0x22, 0x33, 0x44], 0x4433_2211),
        (Format::R8G8B8A8_UINT, [0x100, 0, 0, 0], 0),
        (Format::B8G8R8A8_UNORM, [0x11, 0x22, 0x33, 0x44], 0x4411_2233),
        (Format::R8_SINT, [0xffff_ff80, 0, 0, 0], 0x80),
        (Format::R8G8_SNORM, [0x180, 0x7f, 0, 0], 0x7f80),
        (Format::A8_UNORM, [1, 2, 3, 0x1ff], 0xff),
        (Format::R11G11B10_FLOAT, [0x7ff, 0x7ff, 0x3ff, 0], 0xffff_ffff),
        (Format::R11G11B10_FLOAT, [0x7ff, 0, 0x3ff, 0], 0xffc0_07ff),
        (Format::R10G10B10A2_UINT, [0x1010, 0x1020, 0x1030, 0x41], 0x4300_8010),
        (Format::R10G10B10A2_UNORM, [0x1010, 0x1020, 0x1030, 0x41], 0x4300_8010),
        (Format::R9G9B9E5_SHAREDEXP, [0x3ff, 1, 2, 0x21], 0x0808_03ff),
        (Format::R32_FLOAT, [1, 0, 0, 0], 1),
        (Format::R32G32B32A32_UINT, [u32::MAX, 1, 2, 3], 0x3_0000_0002_0000_0001_ffff_ffff),
        (Format::R32_TYPELESS, [9, 1, 1, 1], 9),
        (Format::UNKNOWN, [u32::MAX, 1, 1, 1], 0xffff_ffff),
    ] {
        let found = raw(encode_clear_uint(format, values).unwrap());
        assert_eq!(found, want, "{format} of {values:x?}: {found:#x}");
    }
    assert_eq!(encode_clear_uint(Format::UNKNOWN, [0; 4]).unwrap().size, 4);
    assert_eq!(encode_clear_uint(Format::R8G8B8A8_TYPELESS, [0; 4]), None);
}

#[test]
fn depth() {
    for (format, depth, want) in [
        (Format::D16_UNORM, 0.5, 0x8000),
        (Format::D16_UNORM, 1.0, 0xffff),
        (Format::D24_UNORM_S8_UINT, 1.0, 0x00ff_ffff),
        (Format::D24_UNORM_S8_UINT, 0.5, 0x0080_0000),
        (Format::D32_FLOAT, 0.5, 0x3f00_0000),
        (Format::D32_FLOAT, 2.0, 0x3f80_0000),
        (Format::D32_FLOAT, -1.0, 0),
        (Format::D32_FLOAT, NAN, 0),
        (Format::D32_FLOAT, 1e-40, 0),
        (Format::D32_FLOAT_S8X24_UINT, 0.25, 0x3e80_0000),
    ] {
        assert_eq!(raw(encode_depth(format, depth).unwrap()), want, "{format} of {depth}");
    }
    assert_eq!(encode_depth(Format::D16_UNORM, 0.0).unwrap().size, 2);
    for format in [Format::D24_UNORM_S8_UINT, Format::D32_FLOAT, Format::D32_FLOAT_S8X24_UINT] {
        assert_eq!(encode_depth(format, 0.0).unwrap().size, 4, "{format}");
    }
    for format in [Format::R32_FLOAT, Format::R32_TYPELESS, Format::R24_UNORM_X8_TYPELESS] {
        assert_eq!(encode_depth(format, 0.0), None, "{format}");
    }
}

#[test]
fn stencil() {
    let texel = encode_stencil(0xa5);
    assert_eq!((raw(texel), texel.size), (0xa5, 1));
}
