//! Formats of DDS files from before Direct3D 10, in DXGI's words (Microsoft's "Programming Guide for DDS",
//! the table of common resource formats).

use ddsfile::{PixelFormat, PixelFormatFlags};
use heapstone_spec::Format;

use super::texture::Alpha;

/// A code of four letters, or a number of D3DFORMAT.
struct Code {
    code: u32,
    format: Format,
    alpha: Alpha,
}

const fn letters(code: [u8; 4], format: Format) -> Code {
    Code { code: u32::from_le_bytes(code), format, alpha: Alpha::Unknown }
}

const fn number(code: u32, format: Format) -> Code {
    Code { code, format, alpha: Alpha::Unknown }
}

/// DXT2 and DXT4 are DXT3 and DXT5 whose colour was multiplied by alpha.
const fn premultiplied(code: [u8; 4], format: Format) -> Code {
    Code { code: u32::from_le_bytes(code), format, alpha: Alpha::Premultiplied }
}

const CODES: [Code; 22] = [
    letters(*b"DXT1", Format::BC1_UNORM),
    premultiplied(*b"DXT2", Format::BC2_UNORM),
    letters(*b"DXT3", Format::BC2_UNORM),
    premultiplied(*b"DXT4", Format::BC3_UNORM),
    letters(*b"DXT5", Format::BC3_UNORM),
    letters(*b"ATI1", Format::BC4_UNORM),
    letters(*b"BC4U", Format::BC4_UNORM),
    letters(*b"BC4S", Format::BC4_SNORM),
    letters(*b"ATI2", Format::BC5_UNORM),
    letters(*b"BC5U", Format::BC5_UNORM),
    letters(*b"BC5S", Format::BC5_SNORM),
    letters(*b"RGBG", Format::R8G8_B8G8_UNORM),
    letters(*b"GRGB", Format::G8R8_G8B8_UNORM),
    letters(*b"YUY2", Format::YUY2),
    number(36, Format::R16G16B16A16_UNORM),
    number(110, Format::R16G16B16A16_SNORM),
    number(111, Format::R16_FLOAT),
    number(112, Format::R16G16_FLOAT),
    number(113, Format::R16G16B16A16_FLOAT),
    number(114, Format::R32_FLOAT),
    number(115, Format::R32G32_FLOAT),
    number(116, Format::R32G32B32A32_FLOAT),
];

/// The DXGI_FORMAT with the same bits, and what its alpha means.
///
/// # Errors
/// There is none.
pub(crate) fn format(given: &PixelFormat) -> Result<(Format, Alpha), String> {
    if let Some(fourcc) = &given.fourcc {
        return CODES
            .iter()
            .find(|code| code.code == fourcc.0)
            .map(|code| (code.format, code.alpha))
            .ok_or_else(|| format!("the FourCC is {}; allowed: {}", letters_of(fourcc.0), allowed_codes()));
    }
    masked(given).map(|format| (format, Alpha::Unknown)).ok_or_else(|| {
        let mask = |mask: Option<u32>| mask.unwrap_or(0);
        format!(
            "the pixel format has {} bits with the masks {:#x}, {:#x}, {:#x} and alpha {:#x} (flags {:#x}); \
             allowed: those that a DXGI_FORMAT has too, e.g. B8G8R8A8_UNORM, B5G6R5_UNORM, R8_UNORM",
            given.rgb_bit_count.unwrap_or(0),
            mask(given.r_bit_mask),
            mask(given.g_bit_mask),
            mask(given.b_bit_mask),
            mask(given.a_bit_mask),
            given.flags.bits(),
        )
    })
}

/// By bit counts and masks. Luminance is red: both are the first component.
fn masked(given: &PixelFormat) -> Option<Format> {
    let bits = given.rgb_bit_count;
    let alpha = given.a_bit_mask.unwrap_or(0);
    if given.flags.contains(PixelFormatFlags::RGB) {
        let masks = (given.r_bit_mask?, given.g_bit_mask?, given.b_bit_mask?, alpha);
        return Some(match (bits?, masks) {
            (32, (0xff, 0xff00, 0xff_0000, 0xff00_0000)) => Format::R8G8B8A8_UNORM,
            (32, (0xff_0000, 0xff00, 0xff, 0xff00_0000)) => Format::B8G8R8A8_UNORM,
            (32, (0xff_0000, 0xff00, 0xff, 0)) => Format::B8G8R8X8_UNORM,
            (32, (0x3ff, 0xf_fc00, 0x3ff0_0000, 0xc000_0000)) => Format::R10G10B10A2_UNORM,
            (32, (0xffff, 0xffff_0000, 0, 0)) => Format::R16G16_UNORM,
            (32, (0xffff_ffff, 0, 0, 0)) => Format::R32_FLOAT,
            (16, (0xf800, 0x7e0, 0x1f, 0)) => Format::B5G6R5_UNORM,
            (16, (0x7c00, 0x3e0, 0x1f, 0x8000)) => Format::B5G5R5A1_UNORM,
            (16, (0xf00, 0xf0, 0xf, 0xf000)) => Format::B4G4R4A4_UNORM,
            _ => return None,
        });
    }
    if given.flags.contains(PixelFormatFlags::LUMINANCE) {
        return Some(match (bits?, alpha) {
            (8, 0) => Format::R8_UNORM,
            (16, 0) => Format::R16_UNORM,
            (16, 0xff00) => Format::R8G8_UNORM,
            _ => return None,
        });
    }
    (given.flags.contains(PixelFormatFlags::ALPHA) && alpha == 0xff).then_some(Format::A8_UNORM)
}

/// `DXT1`, or the number where it is none of letters.
fn letters_of(code: u32) -> String {
    let letters = code.to_le_bytes();
    if letters.iter().all(u8::is_ascii_graphic) {
        letters.iter().copied().map(char::from).collect()
    } else {
        format!("{code} ({code:#x})")
    }
}

fn allowed_codes() -> String {
    let mut names: Vec<String> = vec!["DX10".to_owned()];
    names.extend(
        CODES.iter().map(
            |code| {
                if code.code < 0x100 { code.code.to_string() } else { letters_of(code.code) }
            },
        ),
    );
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// DDS_PIXELFORMAT as bytes: flags, FourCC, bits, four masks.
    fn read(words: [u32; 7]) -> PixelFormat {
        let bytes: Vec<u8> = std::iter::once(32).chain(words).flat_map(u32::to_le_bytes).collect();
        PixelFormat::read(bytes.as_slice()).unwrap()
    }

    /// Rows of Microsoft's table: the flags are ALPHAPIXELS 1, ALPHA 2, FOURCC 4, RGB 40, LUMINANCE 20000.
    #[test]
    fn formats_by_hand() {
        let dxt1 = u32::from_le_bytes(*b"DXT1");
        for (words, want) in [
            ([0x4, dxt1, 0, 0, 0, 0, 0], Format::BC1_UNORM),
            ([0x4, 113, 0, 0, 0, 0, 0], Format::R16G16B16A16_FLOAT),
            ([0x41, 0, 32, 0xff, 0xff00, 0xff_0000, 0xff00_0000], Format::R8G8B8A8_UNORM),
            ([0x40, 0, 32, 0xffff, 0xffff_0000, 0, 0], Format::R16G16_UNORM),
            ([0x41, 0, 32, 0x3ff, 0xf_fc00, 0x3ff0_0000, 0xc000_0000], Format::R10G10B10A2_UNORM),
            ([0x41, 0, 16, 0x7c00, 0x3e0, 0x1f, 0x8000], Format::B5G5R5A1_UNORM),
            ([0x40, 0, 16, 0xf800, 0x7e0, 0x1f, 0], Format::B5G6R5_UNORM),
            ([0x2, 0, 8, 0, 0, 0, 0xff], Format::A8_UNORM),
            ([0x41, 0, 32, 0xff_0000, 0xff00, 0xff, 0xff00_0000], Format::B8G8R8A8_UNORM),
            ([0x40, 0, 32, 0xff_0000, 0xff00, 0xff, 0], Format::B8G8R8X8_UNORM),
            ([0x41, 0, 16, 0xf00, 0xf0, 0xf, 0xf000], Format::B4G4R4A4_UNORM),
            ([0x2_0001, 0, 16, 0xff, 0, 0, 0xff00], Format::R8G8_UNORM),
            ([0x2_0000, 0, 16, 0xffff, 0, 0, 0], Format::R16_UNORM),
            ([0x2_0000, 0, 8, 0xff, 0, 0, 0], Format::R8_UNORM),
        ] {
            assert_eq!(format(&read(words)), Ok((want, Alpha::Unknown)), "{words:x?}");
        }
        let dxt4 = u32::from_le_bytes(*b"DXT4");
        assert_eq!(format(&read([0x4, dxt4, 0, 0, 0, 0, 0])), Ok((Format::BC3_UNORM, Alpha::Premultiplied)));
    }

    /// R8G8B8 of 24 bits, X8B8G8R8, UYVY: DXGI has none of them.
    #[test]
    fn what_dxgi_lacks_is_told() {
        for (words, says) in [
            ([0x40, 0, 24, 0xff_0000, 0xff00, 0xff, 0], "24 bits with the masks 0xff0000, 0xff00, 0xff"),
            ([0x40, 0, 32, 0xff, 0xff00, 0xff_0000, 0], "alpha 0x0"),
            ([0x4, u32::from_le_bytes(*b"UYVY"), 0, 0, 0, 0, 0], "UYVY; allowed: DX10, DXT1, DXT2"),
            ([0x4, 117, 0, 0, 0, 0, 0], "117 (0x75)"),
            ([0, 0, 0, 0, 0, 0, 0], "0 bits"),
        ] {
            let error = format(&read(words)).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
