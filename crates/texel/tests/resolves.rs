//! Resolves, worked out by hand.

use heapstone_spec::Format;
use heapstone_spec::commands::ResolveMode::{self, Average, Decompress, Max, Min};
use heapstone_texel::{components, decode, decode_int, resolve};
use proptest::prelude::*;

/// The resolve of samples of up to 4 bytes each.
fn of(format: Format, mode: ResolveMode, samples: &[u32]) -> Option<u32> {
    let bytes: Vec<[u8; 4]> = samples.iter().map(|sample| sample.to_le_bytes()).collect();
    let texel = resolve(format, mode, bytes.iter().map(<[u8; 4]>::as_slice))?;
    Some(u32::from_le_bytes(texel.bytes[..4].try_into().expect("4 bytes")))
}

#[test]
fn averages() {
    // 127.5 goes up.
    assert_eq!(of(Format::R8_UNORM, Average, &[0, 255]), Some(128));
    assert_eq!(of(Format::R8G8B8A8_UNORM, Average, &[0x0102_0304, 0x0304_0506]), Some(0x0203_0405));
    for code in 0..255 {
        assert_eq!(of(Format::R8_UNORM, Average, &[code, code + 1]), Some(code + 1));
    }
    assert_eq!(of(Format::R8_UNORM, Average, &[1, 1, 1, 2]), Some(1));
    assert_eq!(of(Format::R8_SNORM, Average, &[0x81, 0x7f]), Some(0));
    // -1.5 goes to -2; the least code counts as -127.
    assert_eq!(of(Format::R8_SNORM, Average, &[0xff, 0xfe]), Some(0xfe));
    assert_eq!(of(Format::R8_SNORM, Average, &[0x80, 0x83]), Some(0x82));
    assert_eq!(of(Format::R10G10B10_XR_BIAS_A2_UNORM, Average, &[0x180, 0x182]), Some(0x181));
    assert_eq!(of(Format::R16_FLOAT, Average, &[0x3c00, 0x4000]), Some(0x3e00));
    // The sum is beyond the format, the mean is not.
    assert_eq!(of(Format::R16_FLOAT, Average, &[0x7bff, 0x7bff]), Some(0x7bff));
    assert_eq!(of(Format::R32_FLOAT, Average, &[0x7f7f_ffff, 0x7f7f_ffff]), Some(0x7f7f_ffff));
    assert_eq!(of(Format::R32_FLOAT, Average, &[0x3f80_0000, 0x7f80_0000]), Some(0x7f80_0000));
    assert_eq!(of(Format::R11G11B10_FLOAT, Average, &[0, 0x781e_03c0]), Some(0x701c_0380));
}

/// Half the light of 255 is 188, of which half the code is 128.
#[test]
fn srgb_is_averaged_as_light_and_alpha_is_not() {
    assert_eq!(of(Format::R8G8B8A8_UNORM_SRGB, Average, &[0, 0xffff_ffff]), Some(0x80bc_bcbc));
}

#[test]
fn depth_and_stencil() {
    assert_eq!(of(Format::D16_UNORM, Average, &[0, 2, 4, 6]), Some(3));
    assert_eq!(of(Format::D24_UNORM_S8_UINT, Average, &[0xff00_0000, 0xff00_0002]), Some(1));
    assert_eq!(of(Format::D24_UNORM_S8_UINT, Min, &[5, 3, 4]), Some(3));
    assert_eq!(of(Format::D32_FLOAT, Max, &[0x3f00_0000, 0x3f80_0000]), Some(0x3f80_0000));
    assert_eq!(of(Format::R8_UINT, Min, &[7, 5, 6]), Some(5));
    assert_eq!(of(Format::X24_TYPELESS_G8_UINT, Max, &[7, 5, 6]), Some(7));
    assert_eq!(of(Format::R8_UINT, Average, &[7, 7]), None);
}

#[test]
fn least_and_greatest_go_component_by_component() {
    let samples = [0x01ff_0280, 0xff01_027f];
    assert_eq!(of(Format::R8G8B8A8_UNORM, Min, &samples), Some(0x0101_027f));
    assert_eq!(of(Format::R8G8B8A8_UNORM, Max, &samples), Some(0xffff_0280));
    assert_eq!(of(Format::R8G8B8A8_UINT, Min, &samples), Some(0x0101_027f));
    assert_eq!(of(Format::R8G8B8A8_SINT, Min, &samples), Some(0xffff_0280));
    assert_eq!(of(Format::R8G8B8A8_SINT, Max, &samples), Some(0x0101_027f));
    assert_eq!(of(Format::R32_UINT, Max, &[1, u32::MAX, 2]), Some(u32::MAX));
    assert_eq!(of(Format::R32_SINT, Max, &[1, u32::MAX, 2]), Some(2));
    assert_eq!(of(Format::R32_SINT, Min, &[1, 0x8000_0000, 2]), Some(0x8000_0000));
    let nan = 0x7fc0_0000;
    for mode in [Min, Max] {
        assert_eq!(of(Format::R32_FLOAT, mode, &[nan, 0xbf80_0000]), Some(0xbf80_0000));
        assert_eq!(of(Format::R32_FLOAT, mode, &[0xbf80_0000, nan]), Some(0xbf80_0000));
    }
}

#[test]
fn what_has_no_answer() {
    assert_eq!(of(Format::R8_UNORM, Decompress, &[1, 1]), None);
    assert_eq!(of(Format::R8_UNORM, Average, &[]), None);
    assert_eq!(of(Format::R8_UINT, Min, &[]), None);
    assert_eq!(of(Format::R8G8B8A8_TYPELESS, Average, &[0]), None);
    assert_eq!(of(Format::R32G32_FLOAT, Average, &[0]), None);
    assert_eq!(of(Format::R32G32_UINT, Min, &[0]), None);
    let short: [&[u8]; 2] = [&[0; 4], &[0; 3]];
    for mode in [Average, Min, Max] {
        assert_eq!(resolve(Format::R8G8B8A8_UNORM, mode, short), None);
    }
    assert_eq!(resolve(Format::R8G8B8A8_SINT, Max, short), None);
}

proptest! {
    /// Samples that are all alike resolve to themselves, in every format and mode.
    #[test]
    fn samples_alike(
        bytes in prop::array::uniform16(any::<u8>()),
        index in 0..Format::ALL.len(),
        count in prop::sample::select(vec![1_usize, 2, 4, 8, 16]),
    ) {
        let format = Format::ALL[index];
        let Some(components) = components(format) else { return Ok(()) };
        let sample = &bytes[..usize::from(components.size)];
        for mode in [Average, Min, Max] {
            let resolved = resolve(format, mode, std::iter::repeat_n(sample, count));
            let Some(values) = decode_int(format, sample) else {
                let (color, resolved) = (decode(format, sample).unwrap(), resolved.unwrap());
                for (was, is) in color.iter().zip(decode(format, resolved.as_bytes()).unwrap()) {
                    prop_assert!(*was == is || was.is_nan() && is.is_nan(), "{} {:?}: {} {}", format, mode, was, is);
                }
                continue;
            };
            prop_assert_eq!(resolved.and_then(|texel| decode_int(format, texel.as_bytes())),
                (mode != Average).then_some(values));
        }
    }

    /// The order of the samples does not matter to the least and the greatest.
    #[test]
    fn order_does_not_matter(samples in prop::collection::vec(any::<u32>(), 1..9), last in any::<bool>()) {
        let mode = if last { Max } else { Min };
        let mut other = samples.clone();
        other.reverse();
        for format in [Format::R8G8B8A8_UNORM, Format::R10G10B10A2_UINT, Format::R8G8B8A8_SINT] {
            prop_assert_eq!(of(format, mode, &samples), of(format, mode, &other));
        }
    }
}
