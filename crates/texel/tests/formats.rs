//! The table of components against the names of the formats, which define them (D3D11.3, 19.1.3).

use heapstone_spec::{Format, FormatKind, FormatUses};
use heapstone_texel::{
    Component, Encoding, components, encode_clear_color, encode_clear_uint, is_clearable_as_render_target,
    is_clearable_as_unordered_access_float, is_clearable_as_unordered_access_uint,
};

/// Letter and bits of each component of `R10G10B10A2` and its like, in order.
fn parts(text: &str) -> Vec<(char, u8)> {
    let mut parts: Vec<(char, u8)> = Vec::new();
    for c in text.chars() {
        match c.to_digit(10) {
            None => parts.push((c, 0)),
            Some(digit) => {
                let bits = &mut parts.last_mut().expect("a letter stands first").1;
                *bits = *bits * 10 + u8::try_from(digit).expect("one digit");
            }
        }
    }
    parts
}

/// What a name says of red, green, blue and alpha. `None` where it is not of the common form.
fn named(name: &str) -> Option<[Option<Component>; 4]> {
    let (body, modifier) = name.split_once('_')?;
    let shapes = ["UNORM", "UNORM_SRGB", "SNORM", "UINT", "SINT", "FLOAT"];
    let well_formed = body.chars().all(|c| "RGBAXD0123456789".contains(c));
    if !shapes.contains(&modifier) || !well_formed {
        return None;
    }
    let (mut channels, mut offset) = ([None; 4], 0);
    for (letter, bits) in parts(body) {
        let encoding = match (modifier, letter, bits) {
            ("UNORM_SRGB", 'R' | 'G' | 'B', _) => Encoding::Srgb,
            ("UNORM" | "UNORM_SRGB", ..) => Encoding::Unorm,
            ("SNORM", ..) => Encoding::Snorm,
            ("UINT", ..) => Encoding::Uint,
            ("SINT", ..) => Encoding::Sint,
            ("FLOAT", _, 10 | 11) => Encoding::UnsignedFloat,
            _ => Encoding::Float,
        };
        if let Some(channel) = "RGBA".find(if letter == 'D' { 'R' } else { letter }) {
            channels[channel] = Some(Component { encoding, offset, bits });
        }
        offset += bits;
    }
    Some(channels)
}

#[test]
fn names_say_what_the_table_says() {
    let mut read = 0;
    for format in Format::ALL {
        let Some(channels) = named(format.name()) else { continue };
        if matches!(format, Format::R1_UNORM | Format::A8P8) {
            continue;
        }
        assert_eq!(components(*format).unwrap().channels, channels, "{format}");
        read += 1;
    }
    // 62 formats have components; the names of eight are of another form.
    assert_eq!(read, 54);
    assert_eq!(Format::ALL.iter().filter(|format| components(**format).is_some()).count(), 62);
}

#[test]
fn names_of_another_form() {
    let component = |encoding, offset, bits| Some(Component { encoding, offset, bits });
    let depth24 = [component(Encoding::Unorm, 0, 24), None, None, None];
    let depth32 = [component(Encoding::Float, 0, 32), None, None, None];
    let stencil = [None, component(Encoding::Uint, 0, 8), None, None];
    for (format, size, channels) in [
        (Format::D24_UNORM_S8_UINT, 4, depth24),
        (Format::R24_UNORM_X8_TYPELESS, 4, depth24),
        (Format::D32_FLOAT_S8X24_UINT, 4, depth32),
        (Format::R32_FLOAT_X8X24_TYPELESS, 4, depth32),
        (Format::X24_TYPELESS_G8_UINT, 1, stencil),
        (Format::X32_TYPELESS_G8X24_UINT, 1, stencil),
        (
            Format::R10G10B10_XR_BIAS_A2_UNORM,
            4,
            [
                component(Encoding::XrBias, 0, 10),
                component(Encoding::XrBias, 10, 10),
                component(Encoding::XrBias, 20, 10),
                component(Encoding::Unorm, 30, 2),
            ],
        ),
        (
            Format::R9G9B9E5_SHAREDEXP,
            4,
            [
                component(Encoding::SharedMantissa, 0, 9),
                component(Encoding::SharedMantissa, 9, 9),
                component(Encoding::SharedMantissa, 18, 9),
                component(Encoding::SharedExponent, 27, 5),
            ],
        ),
    ] {
        let found = components(format).unwrap();
        assert_eq!((found.size, found.channels), (size, channels), "{format}");
    }
}

#[test]
fn a_texel_is_as_large_as_the_format_says() {
    for format in Format::ALL {
        let (info, Some(found)) = (format.info(), components(*format)) else { continue };
        if info.plane_count == 1 {
            assert_eq!(u16::from(found.size) * 8, info.bits_per_element, "{format}");
        }
        let mut used = 0_u128;
        for component in found.channels.iter().flatten() {
            let bits = ((1_u128 << component.bits) - 1) << component.offset;
            assert_eq!(used & bits, 0, "{format}: components overlap");
            used |= bits;
        }
        assert!(
            used.checked_shr(u32::from(found.size) * 8).unwrap_or(0) == 0,
            "{format}: bits beyond the texel"
        );
    }
}

#[test]
fn only_formats_without_texels_of_their_own_have_no_components() {
    let without = FormatKind::TYPELESS | FormatKind::BLOCK_COMPRESSED | FormatKind::YUV | FormatKind::OPAQUE;
    let odd = [Format::UNKNOWN, Format::R1_UNORM, Format::R8G8_B8G8_UNORM, Format::G8R8_G8B8_UNORM];
    for format in Format::ALL {
        let none = format.info().kind.intersects(without) || odd.contains(format);
        assert_eq!(components(*format).is_none(), none, "{format}");
    }
}

#[test]
fn what_a_view_may_have_can_be_cleared() {
    let no_view = FormatKind::TYPELESS | FormatKind::YUV | FormatKind::OPAQUE;
    let mut clearable = [0; 3];
    for format in Format::ALL.iter().filter(|format| !format.info().kind.intersects(no_view)) {
        let uses = format.uses();
        let target = uses.contains(FormatUses::RENDER_TARGET);
        let unordered = uses.contains(FormatUses::TYPED_UAV);
        let integer = format.name().ends_with("INT");
        assert_eq!(is_clearable_as_render_target(*format), target, "{format}");
        assert_eq!(is_clearable_as_unordered_access_uint(*format), unordered, "{format}");
        assert_eq!(is_clearable_as_unordered_access_float(*format), unordered && !integer, "{format}");
        assert!(!(target || unordered) || encode_clear_color(*format, [0.0; 4]).is_some(), "{format}");
        assert!(!unordered || encode_clear_uint(*format, [0; 4]).is_some(), "{format}");
        clearable[0] += u32::from(target);
        clearable[1] += u32::from(unordered);
        clearable[2] += u32::from(unordered && !integer);
    }
    assert!(clearable.iter().all(|count| *count > 20), "{clearable:?}");
}

#[test]
fn what_no_view_has_cannot_be_cleared() {
    for format in [Format::R8G8B8A8_TYPELESS, Format::BC1_UNORM, Format::NV12, Format::D32_FLOAT] {
        assert!(!is_clearable_as_render_target(format), "{format}");
        assert!(!is_clearable_as_unordered_access_float(format), "{format}");
        assert!(!is_clearable_as_unordered_access_uint(format), "{format}");
        assert_eq!(encode_clear_color(format, [0.0; 4]), None, "{format}");
        assert_eq!(encode_clear_uint(format, [0; 4]), None, "{format}");
    }
}
