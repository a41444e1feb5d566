//! What the planes of each format are made of, as tables for the hot paths.
//!
//! ```text
//!   texels of the resource --(>> width_shift, height_shift: subsampling)--> texels of the plane
//!   texels of the plane --(>> element_width_log2, element_height_log2)--> elements
//! ```
//! An element has a power of two of bytes; one of 96 bits counts as three of 32 bits, because no
//! block of a swizzle pattern holds a whole number of 12 byte elements (chosen; it is what hardware
//! without a 96-bit pattern does).

use heapstone_spec::{Format, FormatKind};

/// DXGI's numbers of formats are below this.
pub(crate) const FORMAT_NUMBERS: usize = 192;

/// A plane of a format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    /// The format that a footprint of the plane names (facts/layout.md, GetCopyableFootprints).
    pub(crate) footprint_format: Format,
    /// Bytes of an element are `2^bytes_log2`.
    pub(crate) bytes_log2: u8,
    /// Elements side by side for one of the format: 3 for 96 bits, else 1.
    pub(crate) repeat: u8,
    /// Texels of the plane across an element: `2^`.
    pub(crate) element_width_log2: u8,
    /// Texels of the plane down an element: `2^`.
    pub(crate) element_height_log2: u8,
    /// Texels of the resource across one of the plane: `2^`.
    pub(crate) width_shift: u8,
    /// The same for the pitch of a footprint: of NV11's chroma, reported at a quarter of the width, half.
    pub(crate) pitch_shift: u8,
    /// Texels of the resource down one of the plane: `2^`.
    pub(crate) height_shift: u8,
    /// Elements are the texels of the resource, with no rounding, subsampling or parts.
    pub(crate) texel_is_element: bool,
}

/// The planes of a format, and what its extents are rounded to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planes {
    list: [Plane; 3],
    count: u8,
    /// A mip's width is a multiple of `2^` this many texels.
    pub(crate) width_alignment_log2: u8,
    /// A mip's height is a multiple of `2^` this many texels.
    pub(crate) height_alignment_log2: u8,
    /// Footprints have a pitch of 512, not 256: formats of several planes, which depth-stencils with
    /// stencil and 420_OPAQUE are (facts/behaviour.md, Copies and footprints; a depth-stencil of one plane
    /// has 256, as the D32_FLOAT vector of facts/footprint-vectors.json shows).
    pub(crate) wide_pitch: bool,
    /// A sampler-feedback map, whose texels are counted in mip regions.
    pub(crate) feedback: bool,
}

impl Planes {
    /// The planes in order of their index.
    pub(crate) fn iter(&self) -> core::slice::Iter<'_, Plane> {
        // `count` is at most 3 by construction; `get` keeps the path free of panics.
        self.list.get(..usize::from(self.count)).unwrap_or(&self.list).iter()
    }

    /// The plane of that index.
    pub(crate) fn get(&self, index: u32) -> Option<&Plane> {
        if index < u32::from(self.count) { self.list.get(usize::try_from(index).ok()?) } else { None }
    }

    /// How many.
    pub(crate) const fn count(&self) -> u8 {
        self.count
    }
}

/// The planes of `format`.
pub(crate) fn of(format: Format) -> &'static Planes {
    &PLANES[usize::from(format as u8)]
}

static PLANES: [Planes; FORMAT_NUMBERS] = {
    let mut table = [describe(Format::UNKNOWN); FORMAT_NUMBERS];
    let mut at = 0;
    while at < Format::ALL.len() {
        let format = Format::ALL[at];
        table[format as usize] = describe(format);
        at += 1;
    }
    table
};

const fn plane(footprint_format: Format, bytes_log2: u8) -> Plane {
    Plane {
        footprint_format,
        bytes_log2,
        repeat: 1,
        element_width_log2: 0,
        element_height_log2: 0,
        width_shift: 0,
        pitch_shift: 0,
        height_shift: 0,
        texel_is_element: false,
    }
}

const fn subsampled(footprint_format: Format, bytes_log2: u8, width_shift: u8, height_shift: u8) -> Plane {
    Plane { width_shift, pitch_shift: width_shift, height_shift, ..plane(footprint_format, bytes_log2) }
}

/// facts/layout.md, GetCopyableFootprints, Planes; the others from facts/formats.json.
const fn describe(format: Format) -> Planes {
    use Format as F;
    let info = format.info();
    let single = single_plane(format);
    let (list, count) = match format {
        F::NV12 | F::OPAQUE_420 => {
            ([plane(F::R8_TYPELESS, 0), subsampled(F::R8G8_TYPELESS, 1, 1, 1), single], 2)
        }
        F::P010 | F::P016 => {
            ([plane(F::R16_TYPELESS, 1), subsampled(F::R16G16_TYPELESS, 2, 1, 1), single], 2)
        }
        F::P208 => ([plane(F::R8_TYPELESS, 0), subsampled(F::R8G8_TYPELESS, 1, 1, 0), single], 2),
        F::NV11 => {
            let chroma = Plane { pitch_shift: 1, ..subsampled(F::R8G8_TYPELESS, 1, 2, 0) };
            ([plane(F::R8_TYPELESS, 0), chroma, single], 2)
        }
        F::V208 => {
            let chroma = subsampled(F::R8_TYPELESS, 0, 0, 1);
            ([plane(F::R8_TYPELESS, 0), chroma, chroma], 3)
        }
        F::V408 => ([plane(F::R8_TYPELESS, 0); 3], 3),
        F::R24G8_TYPELESS
        | F::D24_UNORM_S8_UINT
        | F::R24_UNORM_X8_TYPELESS
        | F::X24_TYPELESS_G8_UINT
        | F::R32G8X24_TYPELESS
        | F::D32_FLOAT_S8X24_UINT
        | F::R32_FLOAT_X8X24_TYPELESS
        | F::X32_TYPELESS_G8X24_UINT => ([plane(F::R32_TYPELESS, 2), plane(F::R8_TYPELESS, 0), single], 2),
        _ => ([single; 3], 1),
    };
    Planes {
        list,
        count,
        width_alignment_log2: log2(info.width_alignment as u32),
        height_alignment_log2: log2(info.height_alignment as u32),
        wide_pitch: count > 1,
        feedback: matches!(
            format,
            F::SAMPLER_FEEDBACK_MIN_MIP_OPAQUE | F::SAMPLER_FEEDBACK_MIP_REGION_USED_OPAQUE
        ),
    }
}

/// A format of one plane. Where texels share bytes (blocks of 4x4, pairs of texels, eight texels of
/// one bit) the smallest group with whole bytes of its own is the element.
const fn single_plane(format: Format) -> Plane {
    let info = format.info();
    let width = info.width_alignment as u32;
    let height = info.height_alignment as u32;
    let compressed = info.kind.contains(FormatKind::BLOCK_COMPRESSED);
    let bits = if compressed { info.bits_per_element as u32 } else { info.bits_per_element as u32 * width };
    let (repeat, bits) = if bits == 96 { (3, 32) } else { (1, bits) };
    Plane {
        footprint_format: format,
        bytes_log2: log2(if bits < 8 { 1 } else { bits / 8 }),
        repeat,
        element_width_log2: log2(width),
        element_height_log2: if compressed { log2(height) } else { 0 },
        texel_is_element: repeat == 1 && width == 1 && height == 1,
        width_shift: 0,
        pitch_shift: 0,
        height_shift: 0,
    }
}

/// Of a power of two below 2^32.
#[allow(clippy::cast_possible_truncation)]
const fn log2(value: u32) -> u8 {
    assert!(value.is_power_of_two(), "element sizes and format alignments are powers of two");
    value.trailing_zeros() as u8
}
