//! Which formats the views of a resource have, and which plane each sees.
//!
//! Sources: Microsoft's public D3D12 specification of relaxed format casting (a typed format casts within its
//! family, except between FLOAT and others and between SNORM and UNORM); the DXGI_FORMAT page (formats of the
//! views of video formats, plane by plane); the planar depth-stencil specification (plane 0 is depth, plane 1
//! stencil).

use super::ViewKind;
use crate::{Format, FormatKind};

/// What a component of a format is, as far as casting asks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    Float,
    Snorm,
    Unorm,
    Integer,
}

/// Indexed by DXGI's number.
static NUMBERS: [Number; 192] = {
    let mut table = [Number::Integer; 192];
    let mut index = 0;
    while index < Format::ALL.len() {
        let format = Format::ALL[index];
        let name = format.info().name.as_bytes();
        table[format as usize] = if contains(name, b"FLOAT") || contains(name, b"F16") {
            Number::Float
        } else if contains(name, b"SNORM") {
            Number::Snorm
        } else if contains(name, b"UNORM") {
            Number::Unorm
        } else {
            Number::Integer
        };
        index += 1;
    }
    table
};

const fn contains(text: &[u8], word: &[u8]) -> bool {
    let mut start = 0;
    while start + word.len() <= text.len() {
        let mut length = 0;
        while length < word.len() && text[start + length] == word[length] {
            length += 1;
        }
        if length == word.len() {
            return true;
        }
        start += 1;
    }
    false
}

/// The formats of the views of a video format's plane; `written` are those that only unordered access has.
struct VideoPlane {
    format: Format,
    plane: u8,
    read: &'static [Format],
    written: &'static [Format],
}

macro_rules! video {
    ($( $format:ident $plane:literal: $($read:ident)* $(| $($written:ident)*)?; )*) => {
        &[$( VideoPlane {
            format: Format::$format,
            plane: $plane,
            read: &[$( Format::$read ),*],
            written: &[$( $( Format::$written ),* )?],
        } ),*]
    };
}

/// No row: no view (420_OPAQUE, AI44, IA44, P8, A8P8).
static VIDEO: &[VideoPlane] = video! {
    AYUV 0: R8G8B8A8_UNORM R8G8B8A8_UINT | R32_UINT;
    Y410 0: R10G10B10A2_UNORM R10G10B10A2_UINT | R32_UINT;
    Y416 0: R16G16B16A16_UNORM R16G16B16A16_UINT;
    NV12 0: R8_UNORM R8_UINT;
    NV12 1: R8G8_UNORM R8G8_UINT;
    P010 0: R16_UNORM R16_UINT;
    P010 1: R16G16_UNORM R16G16_UINT | R32_UINT;
    P016 0: R16_UNORM R16_UINT;
    P016 1: R16G16_UNORM R16G16_UINT | R32_UINT;
    YUY2 0: R8G8B8A8_UNORM R8G8B8A8_UINT R8G8_B8G8_UNORM | R32_UINT;
    Y210 0: R16G16B16A16_UNORM R16G16B16A16_UINT;
    Y216 0: R16G16B16A16_UNORM R16G16B16A16_UINT;
    NV11 0: R8_UNORM R8_UINT;
    NV11 1: R8G8_UNORM R8G8_UINT;
    P208 0: R8_UNORM R8_UINT;
    P208 1: R8G8_UNORM R8G8_UINT;
    V208 0: R8_UNORM R8_UINT;
    V208 1: R8_UNORM R8_UINT;
    V208 2: R8_UNORM R8_UINT;
    V408 0: R8_UNORM R8_UINT;
    V408 1: R8_UNORM R8_UINT;
    V408 2: R8_UNORM R8_UINT;
};

/// What unordered access writes to a typeless texture of 32 bits, whatever its components (Microsoft's public
/// page on packing and unpacking DXGI_FORMAT for in-place image editing).
const WORDS: [Format; 3] = [Format::R32_FLOAT, Format::R32_UINT, Format::R32_SINT];

/// The plane that a view of format `view` sees of a texture of format `resource` which names no castable
/// formats; `None` where such a view does not exist. Where several planes have that format, the one that is
/// `asked` (PlaneSlice) if it is one of them, else the first.
///
/// Whether the format may be used for a view of that kind, and is typed, is not asked here.
#[must_use]
pub fn plane_of_view(resource: Format, view: Format, kind: ViewKind, asked: u32) -> Option<u32> {
    let (own, seen) = (resource.info(), view.info());
    if own.kind.contains(FormatKind::YUV) {
        return video_plane(resource, view, kind, asked);
    }
    if own.family != seen.family {
        let is_word = kind == ViewKind::UnorderedAccess
            && own.kind.contains(FormatKind::TYPELESS)
            && own.bits_per_element == 32
            && own.plane_count == 1
            && WORDS.contains(&view);
        return is_word.then_some(0);
    }
    if own.kind.contains(FormatKind::PLANAR) {
        return Some(u32::from(matches!(
            view,
            Format::X24_TYPELESS_G8_UINT | Format::X32_TYPELESS_G8X24_UINT
        )));
    }
    let casts = resource == view || own.kind.contains(FormatKind::TYPELESS) || casts(resource, view);
    casts.then_some(0)
}

/// Whether a typed format casts to another of its family.
fn casts(from: Format, to: Format) -> bool {
    match (NUMBERS[from as usize], NUMBERS[to as usize]) {
        (Number::Snorm, Number::Unorm) | (Number::Unorm, Number::Snorm) => false,
        (from, to) => (from == Number::Float) == (to == Number::Float),
    }
}

fn video_plane(resource: Format, view: Format, kind: ViewKind, asked: u32) -> Option<u32> {
    let has = |row: &&VideoPlane| {
        row.format == resource
            && (row.read.contains(&view)
                || (kind == ViewKind::UnorderedAccess && row.written.contains(&view)))
    };
    let mut rows = VIDEO.iter().filter(has).map(|row| u32::from(row.plane));
    let first = rows.next()?;
    Some(if first == asked { first } else { rows.find(|plane| *plane == asked).unwrap_or(first) })
}

/// Every typed format that [`plane_of_view`] finds a plane for, in the order of DXGI's numbers: what an error
/// lists.
#[must_use]
pub fn formats_of_views(resource: Format, kind: ViewKind) -> Vec<Format> {
    let is_typed = |format: &Format| {
        *format != Format::UNKNOWN && !format.info().kind.intersects(FormatKind::TYPELESS | FormatKind::YUV)
    };
    let all = Format::ALL.iter().copied().filter(is_typed);
    all.filter(|view| plane_of_view(resource, *view, kind, 0).is_some()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (resource, kind, formats of its views): typed from the sources named above.
    const GOLDEN: &[(Format, ViewKind, &[Format])] = &[
        (
            Format::R8G8B8A8_UNORM,
            ViewKind::ShaderResource,
            &[
                Format::R8G8B8A8_UNORM,
                Format::R8G8B8A8_UNORM_SRGB,
                Format::R8G8B8A8_UINT,
                Format::R8G8B8A8_SINT,
            ],
        ),
        (Format::R16_FLOAT, ViewKind::ShaderResource, &[Format::R16_FLOAT]),
        (
            Format::R16_TYPELESS,
            ViewKind::ShaderResource,
            &[
                Format::R16_FLOAT,
                Format::D16_UNORM,
                Format::R16_UNORM,
                Format::R16_UINT,
                Format::R16_SNORM,
                Format::R16_SINT,
            ],
        ),
        (
            Format::D16_UNORM,
            ViewKind::ShaderResource,
            &[Format::D16_UNORM, Format::R16_UNORM, Format::R16_UINT, Format::R16_SINT],
        ),
        (Format::D32_FLOAT, ViewKind::ShaderResource, &[Format::D32_FLOAT, Format::R32_FLOAT]),
        (Format::R32_UINT, ViewKind::UnorderedAccess, &[Format::R32_UINT, Format::R32_SINT]),
        (
            Format::D24_UNORM_S8_UINT,
            ViewKind::ShaderResource,
            &[Format::D24_UNORM_S8_UINT, Format::R24_UNORM_X8_TYPELESS, Format::X24_TYPELESS_G8_UINT],
        ),
        (Format::BC6H_UF16, ViewKind::ShaderResource, &[Format::BC6H_UF16, Format::BC6H_SF16]),
        (Format::BC5_SNORM, ViewKind::ShaderResource, &[Format::BC5_SNORM]),
        (Format::B5G6R5_UNORM, ViewKind::RenderTarget, &[Format::B5G6R5_UNORM]),
        (
            Format::R8G8B8A8_TYPELESS,
            ViewKind::UnorderedAccess,
            &[
                Format::R8G8B8A8_UNORM,
                Format::R8G8B8A8_UNORM_SRGB,
                Format::R8G8B8A8_UINT,
                Format::R8G8B8A8_SNORM,
                Format::R8G8B8A8_SINT,
                Format::R32_FLOAT,
                Format::R32_UINT,
                Format::R32_SINT,
            ],
        ),
        (
            Format::NV12,
            ViewKind::RenderTarget,
            &[Format::R8G8_UNORM, Format::R8G8_UINT, Format::R8_UNORM, Format::R8_UINT],
        ),
        (
            Format::P010,
            ViewKind::UnorderedAccess,
            &[
                Format::R16G16_UNORM,
                Format::R16G16_UINT,
                Format::R32_UINT,
                Format::R16_UNORM,
                Format::R16_UINT,
            ],
        ),
        (Format::P8, ViewKind::ShaderResource, &[]),
    ];

    #[test]
    fn formats_of_views_are_those_of_the_sources() {
        for (resource, kind, formats) in GOLDEN {
            assert_eq!(formats_of_views(*resource, *kind), *formats, "{resource} {kind}");
        }
    }

    #[test]
    fn planes_of_views() {
        let srv = ViewKind::ShaderResource;
        assert_eq!(plane_of_view(Format::R24G8_TYPELESS, Format::R24_UNORM_X8_TYPELESS, srv, 0), Some(0));
        assert_eq!(plane_of_view(Format::R24G8_TYPELESS, Format::X24_TYPELESS_G8_UINT, srv, 0), Some(1));
        assert_eq!(
            plane_of_view(Format::R32G8X24_TYPELESS, Format::X32_TYPELESS_G8X24_UINT, srv, 1),
            Some(1)
        );
        assert_eq!(plane_of_view(Format::NV12, Format::R8G8_UNORM, srv, 0), Some(1));
        assert_eq!(plane_of_view(Format::NV12, Format::NV12, srv, 0), None);
        for plane in 0..3 {
            assert_eq!(plane_of_view(Format::V208, Format::R8_UNORM, srv, plane), Some(plane));
        }
        assert_eq!(plane_of_view(Format::V208, Format::R8_UNORM, srv, 3), Some(0));
        assert_eq!(plane_of_view(Format::P010, Format::R32_UINT, srv, 1), None, "unordered access only");
        assert_eq!(
            plane_of_view(Format::R24G8_TYPELESS, Format::R32_UINT, ViewKind::UnorderedAccess, 0),
            None
        );
    }
}
