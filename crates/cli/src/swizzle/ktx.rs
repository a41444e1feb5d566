//! KTX2 files: a header, an index of mips, a description of the format, then mip after mip, the smallest
//! first, in each layer after layer, face after face, rows without padding (the Khronos KTX 2.0
//! specification).
//!
//! The crate's reader takes descriptions of formats apart, and does not survive every one; of a texture whose
//! format has a name nothing in them is needed but one bit. So this reads headers and indices with the crate's
//! types and checks them itself.

use std::io::Write;
use std::ops::Range;

use ktx2::dfd::{Basic, Block};
use ktx2::{Header, Index, LevelIndex};

use super::container::{Contents, Kind, RowsOf, bytes, word};
use super::texture::{Alpha, Dimension, Subresource, Texture, TextureDesc};
use super::vulkan;
use crate::failure::Failure;

/// Where the first byte of flags is in the description: behind its size, a block's head, and three bytes.
const DFD_FLAGS: usize = 4 + 8 + 3;
/// KHR_DF_FLAG_ALPHA_PREMULTIPLIED.
const PREMULTIPLIED: u8 = 1;
/// Who wrote a file, as KTX2 asks of writers.
const WRITER: &str = concat!("KTXwriter\0heapstone ", env!("CARGO_PKG_VERSION"), "\0");

/// Finds the texture in a KTX2 file.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn parse(file: &[u8]) -> Result<Contents, String> {
    let header = Header::from_bytes(&bytes::<{ Header::LENGTH }>(file, 0, "the header of a KTX2 file")?)
        .map_err(|error| format!("the header is none of a KTX2 file: {error}"))?;
    if let Some(scheme) = header.supercompression_scheme {
        return Err(format!(
            "supercompressionScheme is {scheme:?} ({}); allowed: none, so decompress the file first",
            scheme.value()
        ));
    }
    let texture = Texture::new(describe(file, &header)?)?;
    let levels = levels(file, &texture)?;
    let rows = texture.subresources().map(|subresource| {
        let level = levels.get(usize::try_from(subresource.mip).unwrap_or(usize::MAX)).cloned();
        let level = level.expect("invariant: each mip has a level");
        // Within the level, which is within the file.
        let slice = level.len() / usize::try_from(texture.desc().slices).unwrap_or(usize::MAX);
        let begin = level.start + slice * usize::try_from(subresource.slice).unwrap_or(usize::MAX);
        begin..begin + slice
    });
    let rows = rows.collect();
    Ok(Contents { kind: Kind::Ktx2, texture, rows, trailing: 0 })
}

fn describe(file: &[u8], header: &Header) -> Result<TextureDesc, String> {
    let vulkan = header
        .format
        .ok_or_else(|| "vkFormat is UNDEFINED: the file has to be transcoded to a format first".to_owned())?;
    let faces = header.face_count;
    if faces != 1 && faces != 6 {
        return Err(format!("faceCount is {faces}; allowed: 1, or 6 of cubes"));
    }
    let dimension = match (header.pixel_height, header.pixel_depth) {
        (0, 0) => Dimension::Texture1D,
        (_, 0) => Dimension::Texture2D,
        _ => Dimension::Texture3D,
    };
    if dimension == Dimension::Texture3D && header.layer_count > 0 {
        return Err(format!("layerCount is {}; allowed: 0 of a 3D texture", header.layer_count));
    }
    let layers = header.layer_count.max(1);
    Ok(TextureDesc {
        format: vulkan::to_dxgi(vulkan)?,
        dimension,
        width: header.pixel_width,
        height: if dimension == Dimension::Texture1D { 1 } else { header.pixel_height },
        depth: header.pixel_depth.max(1),
        slices: layers.checked_mul(faces).ok_or_else(|| {
            format!("layerCount is {layers} of {faces} faces; allowed: at most 2048 in all")
        })?,
        mips: header.level_count.max(1),
        cube: faces == 6,
        alpha: alpha(file, header),
    })
}

/// Premultiplied, where the file's first description says so.
fn alpha(file: &[u8], header: &Header) -> Alpha {
    let begin = usize::try_from(header.index.dfd_byte_offset).unwrap_or(usize::MAX);
    let length = usize::try_from(header.index.dfd_byte_length).unwrap_or(usize::MAX);
    let dfd = file.get(begin..).and_then(|rest| rest.get(..length)).unwrap_or_default();
    // Vendor and type of a basic description: 0.
    let basic = word(dfd, 4, "it") == Ok(0);
    let flags = dfd.get(DFD_FLAGS).copied().unwrap_or(0);
    if basic && flags & PREMULTIPLIED != 0 { Alpha::Premultiplied } else { Alpha::Unknown }
}

/// Where the bytes of each mip are.
fn levels(file: &[u8], texture: &Texture) -> Result<Vec<Range<usize>>, String> {
    let mut levels = Vec::new();
    let mut at = Header::LENGTH;
    for mip in 0..texture.desc().mips {
        let entry = bytes::<{ LevelIndex::LENGTH }>(file, at, "the level index of a KTX2 file")?;
        at += LevelIndex::LENGTH;
        let LevelIndex { byte_offset, byte_length, uncompressed_byte_length } =
            LevelIndex::from_bytes(&entry);
        let needed = texture.rows(mip).bytes() * u64::from(texture.desc().slices);
        if byte_length != needed || uncompressed_byte_length != needed {
            return Err(format!(
                "level {mip} has {byte_length} bytes, {uncompressed_byte_length} uncompressed; allowed: \
                 {needed} of a {}",
                texture.sentence()
            ));
        }
        let begin = usize::try_from(byte_offset).ok();
        let range = begin.zip(usize::try_from(byte_length).ok()).and_then(|(begin, length)| {
            let range = begin..begin.checked_add(length)?;
            file.get(range.clone()).map(|_| range)
        });
        levels.push(range.ok_or_else(|| {
            format!(
                "the file ends after {} bytes; level {mip} has {byte_length} from {byte_offset} on",
                file.len()
            )
        })?);
    }
    Ok(levels)
}

/// Writes the texture.
///
/// # Errors
/// A format that Vulkan lacks, or as `rows_of`; a failure to write is told by `failed`.
pub(crate) fn write(
    out: &mut impl Write,
    texture: &Texture,
    rows_of: &mut RowsOf<'_>,
    failed: &dyn Fn(&std::io::Error) -> Failure,
) -> Result<(), Failure> {
    let head = Head::new(texture).map_err(Failure::new)?;
    let mut written = u64::try_from(head.bytes.len()).unwrap_or(u64::MAX);
    out.write_all(&head.bytes).map_err(|error| failed(&error))?;
    let mut rows = Vec::new();
    for (mip, offset) in (0..texture.desc().mips).zip(&head.offsets).rev() {
        // Less than the alignment of a level.
        let padding = usize::try_from(offset.saturating_sub(written)).unwrap_or(0);
        out.write_all(&vec![0; padding]).map_err(|error| failed(&error))?;
        for slice in 0..texture.desc().slices {
            rows_of(Subresource { mip, slice }, &mut rows)?;
            out.write_all(&rows).map_err(|error| failed(&error))?;
        }
        written = offset + texture.rows(mip).bytes() * u64::from(texture.desc().slices);
    }
    Ok(())
}

/// All that comes before the levels.
struct Head {
    bytes: Vec<u8>,
    /// Where each level begins.
    offsets: Vec<u64>,
}

impl Head {
    fn new(texture: &Texture) -> Result<Head, String> {
        let desc = texture.desc();
        let vulkan = vulkan::from_dxgi(desc.format)?;
        let premultiplied = desc.alpha == Alpha::Premultiplied;
        let (basic, type_size) = Basic::from_format_with(vulkan, premultiplied, None, None, None)
            .map_err(|error| format!("the description of {vulkan:?} in a KTX2 file: {error:?}"))?;
        let block = Block::Basic(basic).to_vec();
        let mut dfd = length(4 + block.len()).to_le_bytes().to_vec();
        dfd.extend_from_slice(&block);
        let mut kvd = length(WRITER.len()).to_le_bytes().to_vec();
        kvd.extend_from_slice(WRITER.as_bytes());
        kvd.resize(kvd.len().next_multiple_of(4), 0);

        let levels = LevelIndex::LENGTH * usize::try_from(desc.mips).unwrap_or(usize::MAX);
        let dfd_offset = Header::LENGTH + levels;
        let kvd_offset = dfd_offset + dfd.len();
        let end = kvd_offset + kvd.len();
        let offsets = offsets(texture, u64::try_from(end).unwrap_or(u64::MAX));

        let faces = if desc.cube { 6 } else { 1 };
        let layers = desc.slices / faces;
        let header = Header {
            format: Some(vulkan),
            type_size,
            pixel_width: desc.width,
            pixel_height: if desc.dimension == Dimension::Texture1D { 0 } else { desc.height },
            pixel_depth: if desc.dimension == Dimension::Texture3D { desc.depth } else { 0 },
            // 0: no array.
            layer_count: if layers == 1 { 0 } else { layers },
            face_count: faces,
            level_count: desc.mips,
            supercompression_scheme: None,
            index: Index {
                dfd_byte_offset: length(dfd_offset),
                dfd_byte_length: length(dfd.len()),
                kvd_byte_offset: length(kvd_offset),
                kvd_byte_length: length(kvd.len()),
                sgd_byte_offset: 0,
                sgd_byte_length: 0,
            },
        };
        let mut bytes = header.as_bytes().to_vec();
        for (mip, offset) in (0..desc.mips).zip(&offsets) {
            let byte_length = texture.rows(mip).bytes() * u64::from(desc.slices);
            let level =
                LevelIndex { byte_offset: *offset, byte_length, uncompressed_byte_length: byte_length };
            bytes.extend_from_slice(&level.as_bytes());
        }
        bytes.extend_from_slice(&dfd);
        bytes.extend_from_slice(&kvd);
        Ok(Head { bytes, offsets })
    }
}

/// Lengths of what stands before the levels: a kilobyte at most.
fn length(bytes: usize) -> u32 {
    u32::try_from(bytes).expect("invariant: a head has less than a kilobyte for each of 15 mips")
}

/// Where each level begins: the smallest first, at multiples of four bytes and of whole elements.
fn offsets(texture: &Texture, begin: u64) -> Vec<u64> {
    let element = texture.element().bytes();
    // The least common multiple with 4: elements have 1, 2, 4, 8, 12 or 16 bytes.
    let alignment = element.max(4);
    let mut at = begin;
    let mut offsets: Vec<u64> = (0..texture.desc().mips)
        .rev()
        .map(|mip| {
            let offset = at.next_multiple_of(alignment);
            at = offset + texture.rows(mip).bytes() * u64::from(texture.desc().slices);
            offset
        })
        .collect();
    offsets.reverse();
    offsets
}

#[cfg(test)]
mod tests {
    use heapstone_spec::Format;

    use super::super::texture::tests::{flat, formats};
    use super::*;

    /// The file of a texture whose rows are the numbers of mip and slice.
    fn file(texture: &Texture) -> Vec<u8> {
        let mut out = Vec::new();
        write(
            &mut out,
            texture,
            &mut |Subresource { mip, slice }, rows| {
                rows.clear();
                let number = u8::try_from(16 * mip + slice).unwrap();
                rows.resize(texture.rows(mip).bytes().try_into().unwrap(), number);
                Ok(())
            },
            &|error| Failure::new(error),
        )
        .unwrap();
        out
    }

    /// Typed from the KTX 2.0 specification: 8x4 R8G8B8A8_UNORM (37), 2 mips: the index ends at 128, the
    /// description has 4 + 24 + 4 * 16 = 92 bytes, mip 1 of 32 bytes comes before mip 0 of 128.
    #[test]
    fn a_header_by_hand() {
        let texture = Texture::new(flat(Format::R8G8B8A8_UNORM, 8, 4, 2)).unwrap();
        let file = file(&texture);
        assert_eq!(file[..12], *b"\xabKTX 20\xbb\r\n\x1a\n");
        let words: Vec<u32> =
            file[12..80].chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
        let kvd = 4 + "KTXwriter\0heapstone \0".len() + env!("CARGO_PKG_VERSION").len();
        let kvd = u32::try_from(kvd.next_multiple_of(4)).unwrap();
        assert_eq!(words, [37, 1, 8, 4, 0, 0, 1, 2, 0, 128, 92, 220, kvd, 0, 0, 0, 0]);
        let level = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
        let small = u64::from(220 + kvd);
        assert_eq!([80, 88, 96].map(level), [small + 32, 128, 128]);
        assert_eq!([104, 112, 120].map(level), [small, 32, 32]);
        assert_eq!(file.len(), usize::try_from(small).unwrap() + 32 + 128);
        assert_eq!(file[file.len() - 129..file.len() - 127], [16, 0], "mip 1, then mip 0");
        assert_eq!(parse(&file).unwrap().texture, texture);
    }

    #[test]
    fn every_format_and_shape_is_read_as_it_was_written() {
        let shapes = |format| {
            let flat = flat(format, 9, 5, 3);
            [
                flat.clone(),
                TextureDesc { slices: 5, ..flat.clone() },
                TextureDesc { height: 9, slices: 12, cube: true, ..flat.clone() },
                TextureDesc { dimension: Dimension::Texture1D, height: 1, ..flat.clone() },
                TextureDesc { dimension: Dimension::Texture3D, depth: 7, ..flat },
            ]
        };
        for desc in formats().filter(|format| vulkan::from_dxgi(*format).is_ok()).flat_map(shapes) {
            let texture = Texture::new(desc).unwrap();
            let file = file(&texture);
            let contents = parse(&file).unwrap();
            assert_eq!(contents.texture, texture);
            for (Subresource { mip, slice }, range) in texture.subresources().zip(contents.rows) {
                assert_eq!(u64::try_from(range.len()).unwrap(), texture.rows(mip).bytes());
                let number = u8::try_from(16 * mip + slice).unwrap();
                assert!(file[range].iter().all(|byte| *byte == number), "{texture:?}");
            }
            // The crate's own reader accepts it.
            let reader = ktx2::Reader::new(file.as_slice()).unwrap();
            assert_eq!(u32::try_from(reader.levels().len()), Ok(texture.desc().mips));
            assert!(reader.writer().unwrap().starts_with("heapstone "));
            for level in reader.levels() {
                let at = level.data.as_ptr().addr() - file.as_ptr().addr();
                assert!(at.is_multiple_of(4), "{texture:?}");
                assert!(at.is_multiple_of(usize::try_from(texture.element().bytes()).unwrap()));
            }
        }
    }

    #[test]
    fn premultiplied_alpha_is_kept() {
        let desc = TextureDesc { alpha: Alpha::Premultiplied, ..flat(Format::R8G8B8A8_UNORM, 4, 4, 1) };
        let texture = Texture::new(desc).unwrap();
        assert_eq!(parse(&file(&texture)).unwrap().texture, texture);
    }

    #[test]
    fn every_truncation_is_an_error() {
        let texture = Texture::new(flat(Format::BC1_UNORM, 8, 8, 3)).unwrap();
        let file = file(&texture);
        for length in 0..file.len() {
            let error = super::super::container::parse(&file[..length]).unwrap_err();
            assert!(length < 12 || error.contains("ends after"), "{length}: {error}");
        }
    }

    #[test]
    fn wrong_fields_are_named() {
        let texture = Texture::new(flat(Format::R8_UNORM, 4, 4, 1)).unwrap();
        let good = file(&texture);
        for (at, value, says) in [
            (12, 0, "vkFormat is UNDEFINED"),
            (12, 157, "ASTC_4x4_UNORM_BLOCK (157)"),
            (20, 0, "zero pixel width"),
            (20, 1 << 30, "width is 1073741824"),
            (28, 1, "level 0"),
            (28, 4096, "depth is 4096"),
            (32, u32::MAX, "array size"),
            (36, 0, "zero face count"),
            (36, 2, "faceCount is 2"),
            (40, 4, "mip levels are 4"),
            (44, 2, "Zstandard (2)"),
            (44, 99, "99"),
            (80, u32::MAX, "from 4294967295 on"),
            (84, u32::MAX, "ends after"),
            (88, 15, "15 bytes"),
        ] {
            let mut file = good.clone();
            file[at..at + 4].copy_from_slice(&value.to_le_bytes());
            // Of 3D textures: a depth of 1 makes no difference but to what it is.
            let result = parse(&file);
            if (at, value) == (28, 1) {
                assert_eq!(result.unwrap().texture.desc().dimension, Dimension::Texture3D);
                continue;
            }
            let error = result.unwrap_err();
            assert!(error.contains(says), "{at}: {error}");
        }
        let mut file = good;
        file[28..32].copy_from_slice(&2_u32.to_le_bytes());
        file[32..36].copy_from_slice(&1_u32.to_le_bytes());
        assert!(parse(&file).unwrap_err().contains("layerCount is 1"));
    }
}
