//! A texture as files hold it: its format and extents, and the rows of each subresource.

use heapstone_spec::{Format, FormatKind, limits};
use serde::{Deserialize, Serialize};

/// D3D12_RESOURCE_DIMENSION of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Dimension {
    Texture1D,
    Texture2D,
    Texture3D,
}

impl Dimension {
    /// As names of patterns have it: `2D`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Dimension::Texture1D => "1D",
            Dimension::Texture2D => "2D",
            Dimension::Texture3D => "3D",
        }
    }
}

/// What alpha means (the alpha modes of DDS files).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Alpha {
    #[default]
    Unknown,
    Straight,
    Premultiplied,
    Opaque,
    Custom,
}

impl Alpha {
    /// By the number that DDS files have for each.
    pub(crate) const ALL: [Alpha; 5] =
        [Alpha::Unknown, Alpha::Straight, Alpha::Premultiplied, Alpha::Opaque, Alpha::Custom];

    /// The number of DDS files.
    pub(crate) const fn number(self) -> u32 {
        match self {
            Alpha::Unknown => 0,
            Alpha::Straight => 1,
            Alpha::Premultiplied => 2,
            Alpha::Opaque => 3,
            Alpha::Custom => 4,
        }
    }
}

/// What a file says of its texture. It may say anything: [`Texture::new`] tells whether it can be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TextureDesc {
    pub(crate) format: Format,
    pub(crate) dimension: Dimension,
    /// Texels of mip 0.
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) depth: u32,
    /// Slices of an array; of cubes each face is one.
    pub(crate) slices: u32,
    pub(crate) mips: u32,
    /// Slices are the faces of cubes.
    pub(crate) cube: bool,
    pub(crate) alpha: Alpha,
}

/// The smallest part of a texture with whole bytes of its own: a texel, a block of 4x4, or texels that share
/// bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    /// Its bytes, or those of each of its parts: `2^` this.
    pub(crate) bytes_log2: u8,
    /// Parts of it side by side: 3 of 96 bits, which no block of a pattern holds whole, else 1.
    pub(crate) parts: u8,
    /// Texels across.
    width: u32,
    /// Texels down.
    height: u32,
}

impl Element {
    /// # Errors
    /// A format whose texels do not lie side by side: of several planes, opaque, or none at all.
    fn of(format: Format) -> Result<Element, String> {
        let info = format.info();
        // The planes of a depth-stencil are one texel in a file: D24 and S8 share 32 bits.
        let planar = info.kind.contains(FormatKind::YUV | FormatKind::PLANAR);
        if format == Format::UNKNOWN || planar || info.kind.contains(FormatKind::OPAQUE) {
            return Err(format!(
                "format is {format}; allowed: formats whose texels lie side by side in rows"
            ));
        }
        let compressed = info.kind.contains(FormatKind::BLOCK_COMPRESSED);
        let width = u32::from(info.width_alignment);
        let bits = u32::from(info.bits_per_element) * if compressed { 1 } else { width };
        let (parts, part_bits) = if bits == 96 { (3, 32) } else { (1, bits) };
        let bytes_log2 = u8::try_from((part_bits / 8).trailing_zeros())
            .expect("invariant: elements of DXGI's formats have 1 to 16 bytes");
        Ok(Element {
            bytes_log2,
            parts,
            width,
            height: if compressed { u32::from(info.height_alignment) } else { 1 },
        })
    }

    /// Bits that a pattern sees: of a part.
    pub(crate) const fn bits(&self) -> u8 {
        8 << self.bytes_log2
    }

    /// Bytes of all its parts.
    pub(crate) fn bytes(&self) -> u64 {
        u64::from(self.parts) << self.bytes_log2
    }
}

/// The rows of a subresource, without padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    /// Bytes of a row of elements.
    pub(crate) width_bytes: u64,
    /// Rows of elements of a slice.
    pub(crate) height: u32,
    /// Depth slices.
    pub(crate) depth: u32,
}

impl Rows {
    /// Bytes of a slice.
    pub(crate) fn slice_bytes(&self) -> u64 {
        self.width_bytes * u64::from(self.height)
    }

    /// Bytes of all.
    pub(crate) fn bytes(&self) -> u64 {
        self.slice_bytes() * u64::from(self.depth)
    }
}

/// A texture that D3D12 could have: within its limits, so that no number of it leaves 64 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Texture {
    desc: TextureDesc,
    element: Element,
}

impl Texture {
    /// # Errors
    /// The first field that is wrong, what it is, and what is allowed.
    pub(crate) fn new(desc: TextureDesc) -> Result<Texture, String> {
        let element = Element::of(desc.format)?;
        let (width, height, depth, slices) = maxima(desc.dimension);
        within("width", desc.width, width, desc.dimension)?;
        within("height", desc.height, height, desc.dimension)?;
        within("depth", desc.depth, depth, desc.dimension)?;
        within("array size (faces counted)", desc.slices, slices, desc.dimension)?;
        if desc.cube {
            let square = desc.dimension == Dimension::Texture2D && desc.width == desc.height;
            if !square || !desc.slices.is_multiple_of(6) {
                return Err(format!(
                    "a cube map is {} {}x{} with {} faces; allowed: squares of 2D, 6 faces for each cube",
                    desc.dimension.name(),
                    desc.width,
                    desc.height,
                    desc.slices
                ));
            }
        }
        let longest = desc.width.max(desc.height).max(desc.depth);
        let chain = u32::BITS - longest.leading_zeros();
        if desc.mips == 0 || desc.mips > chain {
            return Err(format!(
                "mip levels are {}; allowed: 1 to {chain}, since the longest side has {longest} texels",
                desc.mips
            ));
        }
        Ok(Texture { desc, element })
    }

    pub(crate) const fn desc(&self) -> &TextureDesc {
        &self.desc
    }

    pub(crate) const fn element(&self) -> Element {
        self.element
    }

    /// The rows of a mip, of each slice alike.
    pub(crate) fn rows(&self, mip: u32) -> Rows {
        let texels = |length: u32| length.checked_shr(mip).unwrap_or(0).max(1);
        Rows {
            width_bytes: u64::from(texels(self.desc.width).div_ceil(self.element.width))
                * self.element.bytes(),
            height: texels(self.desc.height).div_ceil(self.element.height),
            depth: texels(self.desc.depth),
        }
    }

    /// Mip and slice of each subresource, in D3D12's order: `mip + slice * mips`.
    pub(crate) fn subresources(&self) -> impl Iterator<Item = Subresource> + use<> {
        let mips = self.desc.mips;
        (0..self.desc.slices).flat_map(move |slice| (0..mips).map(move |mip| Subresource { mip, slice }))
    }

    /// Bytes of all rows.
    pub(crate) fn bytes(&self) -> u64 {
        let slice: u64 = (0..self.desc.mips).map(|mip| self.rows(mip).bytes()).sum();
        slice * u64::from(self.desc.slices)
    }

    /// In one line: `2D texture R8G8B8A8_UNORM 8x8, 4 mips, 6 slices (cube)`.
    pub(crate) fn sentence(&self) -> String {
        let TextureDesc { format, dimension, width, height, depth, slices, mips, cube, .. } = &self.desc;
        let extent = match dimension {
            Dimension::Texture1D => width.to_string(),
            Dimension::Texture2D => format!("{width}x{height}"),
            Dimension::Texture3D => format!("{width}x{height}x{depth}"),
        };
        let mips = crate::format::count(u64::from(*mips), "mip", "mips");
        let mut text = format!("{} texture {format} {extent}, {mips}", dimension.name());
        if *slices > 1 {
            text.push_str(&format!(", {slices} slices"));
        }
        if *cube {
            text.push_str(" (cube)");
        }
        text
    }
}

/// A subresource of a texture of one plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Subresource {
    pub(crate) mip: u32,
    pub(crate) slice: u32,
}

/// The greatest width, height, depth and number of slices.
fn maxima(dimension: Dimension) -> (u64, u64, u64, u64) {
    match dimension {
        Dimension::Texture1D => (limits::TEXTURE1D_WIDTH_MAX, 1, 1, limits::TEXTURE1D_ARRAY_SIZE_MAX.into()),
        Dimension::Texture2D => {
            let side = limits::TEXTURE2D_WIDTH_HEIGHT_MAX;
            (side, side, 1, limits::TEXTURE2D_ARRAY_SIZE_MAX.into())
        }
        Dimension::Texture3D => {
            let side = limits::TEXTURE3D_DIMENSION_MAX;
            (side, side, side, 1)
        }
    }
}

fn within(field: &str, given: u32, max: u64, dimension: Dimension) -> Result<(), String> {
    if (1..=max).contains(&u64::from(given)) {
        return Ok(());
    }
    let allowed = if max == 1 { "1".to_owned() } else { format!("1 to {max}") };
    Err(format!("{field} is {given}; allowed: {allowed} of a {} texture", dimension.name()))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A 2D texture of one slice.
    pub(crate) fn flat(format: Format, width: u32, height: u32, mips: u32) -> TextureDesc {
        TextureDesc {
            format,
            dimension: Dimension::Texture2D,
            width,
            height,
            depth: 1,
            slices: 1,
            mips,
            cube: false,
            alpha: Alpha::Unknown,
        }
    }

    /// Every format that a texture can be made of.
    pub(crate) fn formats() -> impl Iterator<Item = Format> {
        Format::ALL.iter().copied().filter(|format| Element::of(*format).is_ok())
    }

    /// DXGI's own words: bits of a texel, of a block, of two texels that share chroma, of eight of one bit.
    #[test]
    fn elements_by_hand() {
        for (format, bytes_log2, parts, width, height) in [
            (Format::R8_UNORM, 0, 1, 1, 1),
            (Format::B5G6R5_UNORM, 1, 1, 1, 1),
            (Format::D24_UNORM_S8_UINT, 2, 1, 1, 1),
            (Format::R32G32B32_FLOAT, 2, 3, 1, 1),
            (Format::D32_FLOAT_S8X24_UINT, 3, 1, 1, 1),
            (Format::R32G32B32A32_UINT, 4, 1, 1, 1),
            (Format::BC1_UNORM, 3, 1, 4, 4),
            (Format::BC7_UNORM_SRGB, 4, 1, 4, 4),
            (Format::R1_UNORM, 0, 1, 8, 1),
            (Format::G8R8_G8B8_UNORM, 2, 1, 2, 1),
            (Format::YUY2, 2, 1, 2, 1),
            (Format::Y216, 3, 1, 2, 1),
        ] {
            assert_eq!(Element::of(format), Ok(Element { bytes_log2, parts, width, height }), "{format}");
        }
        for format in [
            Format::UNKNOWN,
            Format::NV12,
            Format::P016,
            Format::NV11,
            Format::V408,
            Format::OPAQUE_420,
            Format::SAMPLER_FEEDBACK_MIN_MIP_OPAQUE,
        ] {
            assert!(Element::of(format).unwrap_err().contains(format.name()), "{format}");
        }
        // 122 less UNKNOWN, two of sampler feedback, and the eight of several planes that are no depth-stencils.
        assert_eq!(formats().count(), 122 - 1 - 2 - 8);
    }

    /// A 7x5 BC1 texture: 2x2 blocks of 8 bytes, then one block for each smaller mip.
    #[test]
    fn rows_by_hand() {
        let texture = Texture::new(flat(Format::BC1_UNORM, 7, 5, 3)).unwrap();
        assert_eq!(texture.rows(0), Rows { width_bytes: 16, height: 2, depth: 1 });
        assert_eq!(texture.rows(1), Rows { width_bytes: 8, height: 1, depth: 1 });
        assert_eq!(texture.rows(2), Rows { width_bytes: 8, height: 1, depth: 1 });
        assert_eq!(texture.bytes(), 32 + 8 + 8);
        let volume = TextureDesc {
            dimension: Dimension::Texture3D,
            depth: 5,
            ..flat(Format::R32G32B32_FLOAT, 3, 2, 3)
        };
        let texture = Texture::new(volume).unwrap();
        assert_eq!(texture.rows(0), Rows { width_bytes: 36, height: 2, depth: 5 });
        assert_eq!(texture.rows(2), Rows { width_bytes: 12, height: 1, depth: 1 });
        assert_eq!(texture.bytes(), 36 * 2 * 5 + 12 * 2 + 12);
    }

    #[test]
    fn what_cannot_be_is_told() {
        let good = flat(Format::R8_UNORM, 16, 16, 5);
        assert!(Texture::new(good.clone()).is_ok());
        for (desc, says) in [
            (TextureDesc { width: 0, ..good.clone() }, "width is 0"),
            (TextureDesc { height: 16_385, ..good.clone() }, "1 to 16384"),
            (TextureDesc { depth: 2, ..good.clone() }, "depth is 2; allowed: 1 of a 2D"),
            (TextureDesc { slices: 0, ..good.clone() }, "array size"),
            (TextureDesc { slices: u32::MAX, ..good.clone() }, "1 to 2048"),
            (TextureDesc { mips: 0, ..good.clone() }, "1 to 5"),
            (TextureDesc { mips: 6, ..good.clone() }, "1 to 5"),
            (TextureDesc { cube: true, slices: 7, ..good.clone() }, "7 faces"),
            (TextureDesc { cube: true, slices: 6, height: 8, ..good.clone() }, "16x8"),
            (TextureDesc { dimension: Dimension::Texture1D, ..good.clone() }, "height is 16; allowed: 1"),
            (TextureDesc { dimension: Dimension::Texture3D, slices: 2, ..good }, "allowed: 1 of a 3D"),
        ] {
            let error = Texture::new(desc.clone()).unwrap_err();
            assert!(error.contains(says), "{desc:?}: {error}");
        }
    }
}
