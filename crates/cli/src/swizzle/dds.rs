//! DDS files: a header of 128 bytes, since Direct3D 10 another of 20, then slice after slice, mip after mip,
//! rows without padding (Microsoft's "Programming Guide for DDS").

use std::io::Write;

use ddsfile::{Caps2, DxgiFormat, Header, PixelFormat, PixelFormatFlags};
use heapstone_spec::{Format, FormatKind};

use super::container::{Contents, Kind, RowsOf, word};
use super::legacy;
use super::texture::{Alpha, Dimension, Texture, TextureDesc};
use crate::failure::Failure;

/// The first four bytes.
pub(crate) const MAGIC: &[u8; 4] = b"DDS ";
/// Where the header of Direct3D 10 begins, and where its rows would without it.
const HEADER_END: usize = 128;
/// Bytes of the header of Direct3D 10.
const HEADER10_BYTES: usize = 20;
/// The FourCC that says that there is one.
const DX10: u32 = u32::from_le_bytes(*b"DX10");
/// DDS_RESOURCE_MISC_TEXTURECUBE.
const MISC_CUBE: u32 = 0x4;
/// The bits of miscFlags2 that hold the alpha mode (DDS_MISC_FLAGS2_ALPHA_MODE_MASK).
const ALPHA_MODE_MASK: u32 = 0x7;
/// What a volume's depth is wanted for: the crate sets the flag of it where it is above 1.
const ANY_VOLUME: u32 = 2;

/// Finds the texture in a DDS file.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn parse(file: &[u8]) -> Result<Contents, String> {
    word(file, HEADER_END - 4, "the header of a DDS file")?;
    let header = Header::read(file.get(MAGIC.len()..HEADER_END).unwrap_or_default())
        .map_err(|error| format!("the header is none of a DDS file: {error}"))?;
    let extended = header.spf.fourcc.as_ref().is_some_and(|fourcc| fourcc.0 == DX10);
    let (desc, begin) = if extended {
        (extended_desc(file, &header)?, HEADER_END + HEADER10_BYTES)
    } else {
        (legacy_desc(&header)?, HEADER_END)
    };
    let texture = Texture::new(desc)?;

    let needed = texture.bytes();
    let held = u64::try_from(file.len().saturating_sub(begin)).unwrap_or(u64::MAX);
    let trailing = held.checked_sub(needed).ok_or_else(|| {
        format!("the file holds {held} bytes of rows; the {} takes {needed}", texture.sentence())
    })?;
    let mut at = begin;
    let rows = texture.subresources().map(|subresource| {
        // The file has them all, so none leaves a usize.
        let end = at + usize::try_from(texture.rows(subresource.mip).bytes()).unwrap_or(usize::MAX);
        std::mem::replace(&mut at, end)..end
    });
    let rows = rows.collect();
    Ok(Contents { kind: Kind::Dds, texture, rows, trailing })
}

fn mips(header: &Header) -> u32 {
    // Without mips the field may be 0, or said not to count.
    header.mip_map_count.unwrap_or(1).max(1)
}

/// The slices of a volume. Where the flags do not say that the field counts, nothing else tells how many there are,
/// and all but the first would be lost.
fn depth_of_volume(header: &Header, because: &str) -> Result<u32, String> {
    header.depth.ok_or_else(|| {
        format!("{because}, but dwFlags lacks DDSD_DEPTH (0x800000); allowed: volumes whose dwDepth is said to count")
    })
}

/// DDS_HEADER_DXT10.
fn extended_desc(file: &[u8], header: &Header) -> Result<TextureDesc, String> {
    let field = |index: usize| word(file, HEADER_END + 4 * index, "the DX10 header of a DDS file");
    let [number, dimension, misc, array, misc2] = [field(0)?, field(1)?, field(2)?, field(3)?, field(4)?];
    let format = Format::from_dxgi(number)
        .ok_or_else(|| format!("dxgiFormat is {number}; allowed: DXGI's numbers, 1 to 132 and 191"))?;
    let dimension = match dimension {
        2 => Dimension::Texture1D,
        3 => Dimension::Texture2D,
        4 => Dimension::Texture3D,
        other => {
            return Err(format!(
                "resourceDimension is {other}; allowed: 2 (TEXTURE1D), 3 (TEXTURE2D), 4 (TEXTURE3D)"
            ));
        }
    };
    let alpha = usize::try_from(misc2 & ALPHA_MODE_MASK).ok().and_then(|mode| Alpha::ALL.get(mode).copied());
    let alpha =
        alpha.ok_or_else(|| format!("the alpha mode is {}; allowed: 0 to 4", misc2 & ALPHA_MODE_MASK))?;
    let cube = misc & MISC_CUBE != 0;
    let slices = if cube { array.checked_mul(6) } else { Some(array) };
    Ok(TextureDesc {
        format,
        dimension,
        width: header.width,
        // Of 1D textures the field may be unused.
        height: if dimension == Dimension::Texture1D { header.height.max(1) } else { header.height },
        depth: if dimension == Dimension::Texture3D {
            depth_of_volume(header, "resourceDimension is 4 (TEXTURE3D)")?
        } else {
            1
        },
        slices: slices.ok_or_else(|| format!("arraySize is {array} cubes; allowed: at most 341"))?,
        mips: mips(header),
        cube,
        alpha,
    })
}

/// What files from before Direct3D 10 say.
fn legacy_desc(header: &Header) -> Result<TextureDesc, String> {
    let (format, alpha) = legacy::format(&header.spf)?;
    let cube = header.caps2.contains(Caps2::CUBEMAP);
    if cube && !header.caps2.contains(Caps2::CUBEMAP_ALLFACES) {
        let faces = (header.caps2 & Caps2::CUBEMAP_ALLFACES).bits().count_ones();
        return Err(format!("the cube map has {faces} faces; allowed: all 6"));
    }
    let volume = header.caps2.contains(Caps2::VOLUME) || header.depth.is_some_and(|depth| depth > 1);
    Ok(TextureDesc {
        format,
        dimension: if volume { Dimension::Texture3D } else { Dimension::Texture2D },
        width: header.width,
        height: header.height,
        depth: if volume { depth_of_volume(header, "dwCaps2 has DDSCAPS2_VOLUME")? } else { 1 },
        slices: if cube { 6 } else { 1 },
        mips: mips(header),
        cube,
        alpha,
    })
}

/// Writes the texture, with the header of Direct3D 10.
///
/// # Errors
/// As `rows_of`; a failure to write is told by `failed`.
pub(crate) fn write(
    out: &mut impl Write,
    texture: &Texture,
    rows_of: &mut RowsOf<'_>,
    failed: &dyn Fn(&std::io::Error) -> Failure,
) -> Result<(), Failure> {
    out.write_all(&headers(texture)?).map_err(|error| failed(&error))?;
    let mut rows = Vec::new();
    for subresource in texture.subresources() {
        rows_of(subresource, &mut rows)?;
        out.write_all(&rows).map_err(|error| failed(&error))?;
    }
    Ok(())
}

fn headers(texture: &Texture) -> Result<Vec<u8>, Failure> {
    let desc = texture.desc();
    let volume = desc.dimension == Dimension::Texture3D;
    let compressed = desc.format.info().kind.contains(FormatKind::BLOCK_COMPRESSED);
    let caps2 = if volume {
        Caps2::VOLUME
    } else if desc.cube {
        Caps2::CUBEMAP | Caps2::CUBEMAP_ALLFACES
    } else {
        Caps2::empty()
    };
    // The crate decides the flags; its own sizes, of 32 bits, are those of one texel and replaced below.
    let mut header = Header::new_dxgi(
        1,
        1,
        volume.then_some(ANY_VOLUME),
        if compressed { DxgiFormat::BC1_UNorm } else { DxgiFormat::R8_UNorm },
        Some(desc.mips),
        Some(desc.slices),
        Some(caps2),
    )
    .map_err(|error| Failure::new(format_args!("a DDS header: {error}")))?;
    header.width = desc.width;
    header.height = desc.height;
    header.depth = volume.then_some(desc.depth);
    let rows = texture.rows(0);
    // What does not fit 32 bits is not said: readers compute it themselves.
    let word = |bytes: u64| Some(u32::try_from(bytes).unwrap_or(0));
    if compressed {
        header.linear_size = word(rows.bytes());
    } else {
        header.pitch = word(rows.width_bytes);
    }
    header.spf = PixelFormat {
        flags: PixelFormatFlags::FOURCC,
        fourcc: Some(ddsfile::FourCC(DX10)),
        ..PixelFormat::default()
    };

    let mut bytes = MAGIC.to_vec();
    header.write(&mut bytes).map_err(|error| Failure::new(format_args!("a DDS header: {error}")))?;
    let dimension = match desc.dimension {
        Dimension::Texture1D => 2,
        Dimension::Texture2D => 3,
        Dimension::Texture3D => 4,
    };
    let (misc, array) = if desc.cube { (MISC_CUBE, desc.slices / 6) } else { (0, desc.slices) };
    for field in [desc.format.to_dxgi(), dimension, misc, array, desc.alpha.number()] {
        bytes.extend_from_slice(&field.to_le_bytes());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::texture::tests::{flat, formats};
    use super::*;

    /// The file of a texture whose rows are bytes that count.
    fn file(texture: &Texture) -> Vec<u8> {
        let mut next = 0_u8;
        let mut out = Vec::new();
        write(
            &mut out,
            texture,
            &mut |subresource, rows| {
                rows.clear();
                rows.resize_with(texture.rows(subresource.mip).bytes().try_into().unwrap(), || {
                    next = next.wrapping_add(1);
                    next
                });
                Ok(())
            },
            &|error| Failure::new(error),
        )
        .unwrap();
        out
    }

    /// A header typed from Microsoft's description of the structures: 8x4 R8G8B8A8_UNORM, 2 mips.
    #[test]
    fn a_header_by_hand() {
        let texture = Texture::new(flat(Format::R8G8B8A8_UNORM, 8, 4, 2)).unwrap();
        let mut want = [0_u32; 37];
        // CAPS | HEIGHT | WIDTH | PITCH | PIXELFORMAT | MIPMAPCOUNT.
        want[..8].copy_from_slice(&[0x2053_4444, 124, 0x2_100f, 4, 8, 32, 0, 2]);
        want[19..22].copy_from_slice(&[32, 0x4, 0x3031_5844]);
        // COMPLEX | MIPMAP | TEXTURE.
        want[27] = 0x40_1008;
        want[32..].copy_from_slice(&[28, 3, 0, 1, 0]);
        let want: Vec<u8> = want.iter().flat_map(|word| word.to_le_bytes()).collect();
        let file = file(&texture);
        assert_eq!(&file[..148], want);
        assert_eq!(file.len(), 148 + 8 * 4 * 4 + 4 * 2 * 4);
        let contents = parse(&file).unwrap();
        assert_eq!(contents.texture, texture);
        assert_eq!(contents.rows, [148..276, 276..308]);
        assert_eq!(contents.trailing, 0);
    }

    #[test]
    fn every_format_and_shape_is_read_as_it_was_written() {
        let shapes = |format| {
            let flat = flat(format, 9, 5, 3);
            [
                flat.clone(),
                TextureDesc { slices: 5, alpha: Alpha::Straight, ..flat.clone() },
                TextureDesc { height: 9, slices: 12, cube: true, ..flat.clone() },
                TextureDesc { dimension: Dimension::Texture1D, height: 1, ..flat.clone() },
                TextureDesc { dimension: Dimension::Texture3D, depth: 1, ..flat.clone() },
                TextureDesc { dimension: Dimension::Texture3D, depth: 7, alpha: Alpha::Opaque, ..flat },
            ]
        };
        for desc in formats().flat_map(shapes) {
            let texture = Texture::new(desc).unwrap();
            let file = file(&texture);
            let contents = parse(&file).unwrap();
            assert_eq!(contents.texture, texture);
            assert_eq!(contents.rows.last().unwrap().end, file.len());
            // The crate reads what it had no part in, too.
            ddsfile::Dds::read(file.as_slice())
                .map(|_| ())
                .or_else(|error| {
                    // It knows no DXGI_FORMAT above its own.
                    if texture.desc().format == Format::A4B4G4R4_UNORM { Ok(()) } else { Err(error) }
                })
                .unwrap();
        }
    }

    #[test]
    fn every_truncation_is_an_error() {
        let texture = Texture::new(flat(Format::BC1_UNORM, 4, 4, 3)).unwrap();
        let file = file(&texture);
        for length in 0..file.len() {
            let error = super::super::container::parse(&file[..length]).unwrap_err();
            assert!(!error.is_empty());
            if length >= 148 {
                assert!(error.contains(&format!("{} bytes of rows", length - 148)), "{length}: {error}");
            }
        }
        let mut longer = file;
        longer.extend_from_slice(b"more");
        assert_eq!(parse(&longer).unwrap().trailing, 4);
    }

    #[test]
    fn a_volume_says_that_its_depth_counts() {
        let desc =
            TextureDesc { dimension: Dimension::Texture3D, depth: 7, ..flat(Format::R8_UNORM, 4, 4, 1) };
        let good = file(&Texture::new(desc).unwrap());
        let with = |words: &[(usize, u32)]| {
            let mut file = good.clone();
            for (at, word) in words {
                file[*at..at + 4].copy_from_slice(&word.to_le_bytes());
            }
            file
        };
        // dwFlags without DDSD_DEPTH, with the header of Direct3D 10 and with that of 8-bit luminance before it.
        let flags = u32::from_le_bytes(good[8..12].try_into().unwrap()) & !0x80_0000;
        let luminance = [(80, 0x2_0000), (84, 0), (88, 8), (92, 0xff)];
        assert_eq!(parse(&with(&luminance)).unwrap().texture.desc().depth, 7);
        for (words, because) in [(&[][..], "TEXTURE3D"), (&luminance[..], "DDSCAPS2_VOLUME")] {
            let error = parse(&with(&[&[(8, flags)], words].concat())).unwrap_err();
            assert!(error.contains(because) && error.contains("DDSD_DEPTH"), "{error}");
        }
    }

    #[test]
    fn wrong_fields_are_named() {
        let texture = Texture::new(flat(Format::R8_UNORM, 4, 4, 1)).unwrap();
        let good = file(&texture);
        for (at, value, says) in [
            (4, 123, "Header struct size"),
            (12, 0, "height is 0"),
            (16, u32::MAX, "width is 4294967295"),
            (76, 0, "Pixel format struct size"),
            (128, 134, "dxgiFormat is 134"),
            (128, 103, "NV12"),
            (132, 1, "resourceDimension is 1"),
            (140, 0, "array size"),
            (140, 4096, "1 to 2048"),
            (144, 5, "alpha mode is 5"),
        ] {
            let mut file = good.clone();
            file[at..at + 4].copy_from_slice(&value.to_le_bytes());
            let error = parse(&file).unwrap_err();
            assert!(error.contains(says), "{at}: {error}");
        }
        // A cube of 2^31 cubes, and one that is no square.
        for (array, says) in [(1_u32 << 31, "2147483648 cubes"), (1, "takes 96")] {
            let mut file = good.clone();
            file[136..140].copy_from_slice(&MISC_CUBE.to_le_bytes());
            file[140..144].copy_from_slice(&array.to_le_bytes());
            let error = parse(&file).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
