//! What each format may be used for.
//!
//! Source: Microsoft's public tables "Format support for Direct3D feature level 12.0 hardware", one row a
//! format. A use that the table calls optional counts as one (chosen, because a description must not be
//! refused for a format that some adapter takes), except for the 96-bit formats, which no adapter
//! renders to. Where the table has no row, the entry says what was chosen.

use super::{Format, FormatUses, INFO};

/// What `format` may be used for.
#[inline]
pub(super) fn of(format: Format) -> FormatUses {
    USES[usize::from(format as u8)]
}

/// The bits of `uses` together.
const fn all(uses: &[FormatUses]) -> FormatUses {
    let mut union = FormatUses::empty();
    let mut index = 0;
    while index < uses.len() {
        union = union.union(uses[index]);
        index += 1;
    }
    union
}

/// Textures of every dimension, with mips, that shaders load.
const TEXTURE: FormatUses = all(&[
    FormatUses::TEXTURE1D,
    FormatUses::TEXTURE2D,
    FormatUses::TEXTURE3D,
    FormatUses::TEXTURECUBE,
    FormatUses::SHADER_LOAD,
    FormatUses::MIP,
]);

/// Views of buffers, and vertices.
const BUFFER: FormatUses = FormatUses::BUFFER.union(FormatUses::VERTEX_BUFFER);

/// Integers: rendered to and multisampled, neither filtered, blended nor resolved.
const INTEGER: FormatUses = all(&[
    TEXTURE,
    BUFFER,
    FormatUses::RENDER_TARGET,
    FormatUses::MULTISAMPLE,
    FormatUses::TYPED_UAV,
    FormatUses::TILED,
]);

/// Integers that also index vertices.
const INDEX: FormatUses = INTEGER.union(FormatUses::INDEX_BUFFER);

/// Colours: everything but display and depth.
const COLOR: FormatUses =
    all(&[INTEGER, FormatUses::SHADER_SAMPLE, FormatUses::BLENDABLE, FormatUses::MULTISAMPLE_RESOLVE]);

/// Colours that are scanned out.
const DISPLAY: FormatUses = COLOR.union(FormatUses::DISPLAY);

/// Colours on the sRGB curve: views of textures only, and not written through unordered access.
const SRGB: FormatUses = COLOR.difference(BUFFER).difference(FormatUses::TYPED_UAV);

/// Vertices that shaders also load and sample: three components of 32 bits, in no tile and no target.
const TRIPLE_INTEGER: FormatUses = TEXTURE.union(BUFFER);
const TRIPLE_FLOAT: FormatUses = TRIPLE_INTEGER.union(FormatUses::SHADER_SAMPLE);

/// Packed colours that are only read.
const READ_ONLY: FormatUses = TEXTURE.union(FormatUses::SHADER_SAMPLE);

/// Textures of a depth-stencil's family: never 3D.
const DEPTH_FAMILY: FormatUses =
    all(&[FormatUses::TEXTURE1D, FormatUses::TEXTURE2D, FormatUses::TEXTURECUBE, FormatUses::MIP]);

/// Depth with stencil: shaders read it through the formats of its planes; in no tile.
const DEPTH_STENCIL: FormatUses = all(&[DEPTH_FAMILY, FormatUses::DEPTH_STENCIL, FormatUses::MULTISAMPLE]);

/// Depth alone, which lies in tiles as well.
const DEPTH: FormatUses = DEPTH_STENCIL.union(FormatUses::TILED);

/// The depth plane of a depth-stencil, as shaders read it.
const DEPTH_PLANE: FormatUses = all(&[DEPTH_FAMILY, FormatUses::SHADER_LOAD, FormatUses::SHADER_SAMPLE]);

/// The stencil plane, as shaders read it.
const STENCIL_PLANE: FormatUses = DEPTH_FAMILY.union(FormatUses::SHADER_LOAD);

/// Blocks: sampled only, and never 1D (facts/behaviour.md, Creation).
const BLOCK: FormatUses = all(&[
    FormatUses::TEXTURE2D,
    FormatUses::TEXTURE3D,
    FormatUses::TEXTURECUBE,
    FormatUses::SHADER_LOAD,
    FormatUses::SHADER_SAMPLE,
    FormatUses::MIP,
    FormatUses::TILED,
]);

/// Video that only the video engines read.
const VIDEO: FormatUses = FormatUses::TEXTURE2D.union(FormatUses::VIDEO);

/// Video that shaders read.
const VIDEO_READ: FormatUses = all(&[VIDEO, FormatUses::SHADER_LOAD, FormatUses::SHADER_SAMPLE]);

/// Video that shaders also write.
const VIDEO_WRITE: FormatUses = VIDEO_READ.union(FormatUses::TYPED_UAV);

/// Video that is also rendered to, plane by plane where it has planes.
const VIDEO_TARGET: FormatUses = all(&[VIDEO_WRITE, FormatUses::RENDER_TARGET, FormatUses::BLENDABLE]);

/// Maps that sampler feedback writes and only a resolve reads (Microsoft's public sampler feedback
/// specification): as large as the texture they are paired with, mips included.
const FEEDBACK: FormatUses = all(&[FormatUses::TEXTURE2D, FormatUses::MIP, FormatUses::TYPED_UAV]);

macro_rules! uses {
    ($( $uses:expr => $($format:ident)*; )*) => {
        /// Indexed by DXGI's number, as [`INFO`]. A typeless format holds what its members hold: a
        /// resource of it is created for any of their uses.
        static USES: [FormatUses; 192] = {
            let mut table = [FormatUses::empty(); 192];
            $( $( table[Format::$format as usize] = $uses; )* )*
            let mut index = 0;
            while index < Format::ALL.len() {
                let number = Format::ALL[index] as usize;
                let family = INFO[number].family as usize;
                table[family] = table[family].union(table[number]);
                index += 1;
            }
            table
        };

        /// The formats that the table names, for the test that it names all.
        #[cfg(test)]
        const NAMED: &[Format] = &[$( $( Format::$format ),* ),*];
    };
}

uses! {
    // The format of buffers.
    FormatUses::BUFFER.union(FormatUses::TILED) => UNKNOWN;

    COLOR => R32G32B32A32_FLOAT R16G16B16A16_UNORM R16G16B16A16_SNORM R32G32_FLOAT R11G11B10_FLOAT
        R8G8B8A8_SNORM R16G16_FLOAT R16G16_UNORM R16G16_SNORM R32_FLOAT R8G8_UNORM R8G8_SNORM R16_FLOAT
        R16_UNORM R16_SNORM R8_UNORM R8_SNORM B5G6R5_UNORM B5G5R5A1_UNORM B4G4R4A4_UNORM;
    // Newer than the table: as B4G4R4A4, whose components it reorders (chosen).
    COLOR => A4B4G4R4_UNORM;
    // Not a format of buffers.
    COLOR.difference(BUFFER) => A8_UNORM;
    COLOR.difference(FormatUses::TYPED_UAV) => B8G8R8X8_UNORM;
    DISPLAY => R16G16B16A16_FLOAT R10G10B10A2_UNORM R8G8B8A8_UNORM B8G8R8A8_UNORM;
    SRGB => B8G8R8X8_UNORM_SRGB;
    SRGB.union(FormatUses::DISPLAY) => R8G8B8A8_UNORM_SRGB B8G8R8A8_UNORM_SRGB;

    INTEGER => R32G32B32A32_UINT R32G32B32A32_SINT R16G16B16A16_UINT R16G16B16A16_SINT R32G32_UINT
        R32G32_SINT R10G10B10A2_UINT R8G8B8A8_UINT R8G8B8A8_SINT R16G16_UINT R16G16_SINT R32_SINT R8G8_UINT
        R8G8_SINT R16_SINT R8_UINT R8_SINT;
    INDEX => R32_UINT R16_UINT;

    TRIPLE_FLOAT => R32G32B32_FLOAT;
    TRIPLE_INTEGER => R32G32B32_UINT R32G32B32_SINT;

    READ_ONLY.union(FormatUses::TILED) => R9G9B9E5_SHAREDEXP;
    READ_ONLY => R8G8_B8G8_UNORM G8R8_G8B8_UNORM;
    // A back buffer's content is cast to it; nothing reads or writes through it.
    all(&[FormatUses::TEXTURE2D, FormatUses::DISPLAY, FormatUses::TILED]) => R10G10B10_XR_BIAS_A2_UNORM;

    DEPTH => D32_FLOAT D16_UNORM;
    DEPTH_STENCIL => D32_FLOAT_S8X24_UINT D24_UNORM_S8_UINT;
    DEPTH_PLANE => R32_FLOAT_X8X24_TYPELESS R24_UNORM_X8_TYPELESS;
    STENCIL_PLANE => X32_TYPELESS_G8X24_UINT X24_TYPELESS_G8_UINT;

    BLOCK => BC1_UNORM BC1_UNORM_SRGB BC2_UNORM BC2_UNORM_SRGB BC3_UNORM BC3_UNORM_SRGB BC4_UNORM BC4_SNORM
        BC5_UNORM BC5_SNORM BC6H_UF16 BC6H_SF16 BC7_UNORM BC7_UNORM_SRGB;

    VIDEO_TARGET => NV12 P010 P016 NV11;
    VIDEO_TARGET.union(FormatUses::MIP) => AYUV;
    VIDEO_WRITE => Y410 YUY2 Y210 Y216;
    VIDEO_WRITE.union(FormatUses::MIP) => Y416;
    // Newer than the table: what a JPEG decoder writes and shaders read (chosen).
    VIDEO_READ => P208 V208 V408;
    VIDEO => OPAQUE_420 AI44 IA44 P8 A8P8;

    // No row in the table: gone since feature level 10.
    FormatUses::empty() => R1_UNORM;

    FEEDBACK => SAMPLER_FEEDBACK_MIN_MIP_OPAQUE SAMPLER_FEEDBACK_MIP_REGION_USED_OPAQUE;

    // The union of the members.
    FormatUses::empty() => R32G32B32A32_TYPELESS R32G32B32_TYPELESS R16G16B16A16_TYPELESS R32G32_TYPELESS
        R32G8X24_TYPELESS R10G10B10A2_TYPELESS R8G8B8A8_TYPELESS R16G16_TYPELESS R32_TYPELESS R24G8_TYPELESS
        R8G8_TYPELESS R16_TYPELESS R8_TYPELESS BC1_TYPELESS BC2_TYPELESS BC3_TYPELESS BC4_TYPELESS BC5_TYPELESS
        B8G8R8A8_TYPELESS B8G8R8X8_TYPELESS BC6H_TYPELESS BC7_TYPELESS;
}

#[cfg(test)]
mod tests {
    use super::super::FormatKind;
    use super::*;

    /// The use of a letter of the golden rows.
    fn letter(c: char) -> FormatUses {
        match c {
            'B' => FormatUses::BUFFER,
            'V' => FormatUses::VERTEX_BUFFER,
            'I' => FormatUses::INDEX_BUFFER,
            '1' => FormatUses::TEXTURE1D,
            '2' => FormatUses::TEXTURE2D,
            '3' => FormatUses::TEXTURE3D,
            'C' => FormatUses::TEXTURECUBE,
            'l' => FormatUses::SHADER_LOAD,
            's' => FormatUses::SHADER_SAMPLE,
            'm' => FormatUses::MIP,
            'r' => FormatUses::RENDER_TARGET,
            'b' => FormatUses::BLENDABLE,
            'd' => FormatUses::DEPTH_STENCIL,
            'x' => FormatUses::MULTISAMPLE,
            'o' => FormatUses::MULTISAMPLE_RESOLVE,
            'y' => FormatUses::DISPLAY,
            'u' => FormatUses::TYPED_UAV,
            't' => FormatUses::TILED,
            'v' => FormatUses::VIDEO,
            _ => panic!("no such letter: {c}"),
        }
    }

    /// Typed by hand from Microsoft's tables: a letter a use, in the order of the columns.
    const GOLDEN: &[(Format, &str)] = &[
        (Format::UNKNOWN, "Bt"),
        (Format::R32G32B32A32_TYPELESS, "BV123Clsmrbxout"),
        (Format::R32G32B32A32_FLOAT, "BV123Clsmrbxout"),
        (Format::R32G32B32A32_UINT, "BV123Clmrxut"),
        (Format::R32G32B32_TYPELESS, "BV123Clsm"),
        (Format::R32G32B32_FLOAT, "BV123Clsm"),
        (Format::R32G32B32_SINT, "BV123Clm"),
        (Format::R16G16B16A16_FLOAT, "BV123Clsmrbxoyut"),
        (Format::R16G16B16A16_SNORM, "BV123Clsmrbxout"),
        (Format::R32G8X24_TYPELESS, "12Clsmdx"),
        (Format::D32_FLOAT_S8X24_UINT, "12Cmdx"),
        (Format::R32_FLOAT_X8X24_TYPELESS, "12Clsm"),
        (Format::X32_TYPELESS_G8X24_UINT, "12Clm"),
        (Format::R10G10B10A2_TYPELESS, "BV123Clsmrbxoyut"),
        (Format::R10G10B10A2_UNORM, "BV123Clsmrbxoyut"),
        (Format::R10G10B10A2_UINT, "BV123Clmrxut"),
        (Format::R10G10B10_XR_BIAS_A2_UNORM, "2yt"),
        (Format::R11G11B10_FLOAT, "BV123Clsmrbxout"),
        (Format::R8G8B8A8_UNORM, "BV123Clsmrbxoyut"),
        (Format::R8G8B8A8_UNORM_SRGB, "123Clsmrbxoyt"),
        (Format::R8G8B8A8_UINT, "BV123Clmrxut"),
        (Format::R32_TYPELESS, "BVI123Clsmrbdxout"),
        (Format::D32_FLOAT, "12Cmdxt"),
        (Format::R32_FLOAT, "BV123Clsmrbxout"),
        (Format::R32_UINT, "BVI123Clmrxut"),
        (Format::R32_SINT, "BV123Clmrxut"),
        (Format::R24G8_TYPELESS, "12Clsmdx"),
        (Format::D24_UNORM_S8_UINT, "12Cmdx"),
        (Format::R24_UNORM_X8_TYPELESS, "12Clsm"),
        (Format::X24_TYPELESS_G8_UINT, "12Clm"),
        (Format::R16_TYPELESS, "BVI123Clsmrbdxout"),
        (Format::D16_UNORM, "12Cmdxt"),
        (Format::R16_UINT, "BVI123Clmrxut"),
        (Format::R8_UINT, "BV123Clmrxut"),
        (Format::A8_UNORM, "123Clsmrbxout"),
        (Format::R1_UNORM, ""),
        (Format::R9G9B9E5_SHAREDEXP, "123Clsmt"),
        (Format::R8G8_B8G8_UNORM, "123Clsm"),
        (Format::G8R8_G8B8_UNORM, "123Clsm"),
        (Format::BC1_TYPELESS, "23Clsmt"),
        (Format::BC1_UNORM, "23Clsmt"),
        (Format::BC5_SNORM, "23Clsmt"),
        (Format::BC7_UNORM_SRGB, "23Clsmt"),
        (Format::B5G6R5_UNORM, "BV123Clsmrbxout"),
        (Format::B5G5R5A1_UNORM, "BV123Clsmrbxout"),
        (Format::B4G4R4A4_UNORM, "BV123Clsmrbxout"),
        (Format::B8G8R8A8_UNORM, "BV123Clsmrbxoyut"),
        (Format::B8G8R8A8_UNORM_SRGB, "123Clsmrbxoyt"),
        (Format::B8G8R8X8_UNORM, "BV123Clsmrbxot"),
        (Format::AYUV, "2lsmrbuv"),
        (Format::Y410, "2lsuv"),
        (Format::Y416, "2lsmuv"),
        (Format::NV12, "2lsrbuv"),
        (Format::P010, "2lsrbuv"),
        (Format::OPAQUE_420, "2v"),
        (Format::YUY2, "2lsuv"),
        (Format::NV11, "2lsrbuv"),
        (Format::AI44, "2v"),
        (Format::P8, "2v"),
        (Format::A8P8, "2v"),
        (Format::SAMPLER_FEEDBACK_MIN_MIP_OPAQUE, "2mu"),
    ];

    #[test]
    fn uses_typed_from_the_tables() {
        for (format, letters) in GOLDEN {
            let want = letters.chars().map(letter).fold(FormatUses::empty(), FormatUses::union);
            assert_eq!(format.uses(), want, "{format}: differs in {:?}", format.uses() ^ want);
        }
    }

    #[test]
    fn the_table_names_every_format_once() {
        let mut named = NAMED.to_vec();
        named.sort_unstable();
        assert_eq!(named, Format::ALL);
    }

    #[test]
    fn a_typeless_format_holds_what_its_members_hold_and_no_more() {
        for parent in Format::ALL.iter().filter(|format| format.info().kind.contains(FormatKind::TYPELESS)) {
            let members =
                Format::ALL.iter().filter(|format| *format != parent && parent.info().same_family(**format));
            let union = members.map(|format| format.uses()).fold(FormatUses::empty(), FormatUses::union);
            assert_eq!(parent.uses(), union, "{parent}");
        }
    }

    #[test]
    fn kinds_bound_uses() {
        let textures =
            FormatUses::TEXTURE1D | FormatUses::TEXTURE2D | FormatUses::TEXTURE3D | FormatUses::TEXTURECUBE;
        let written = FormatUses::RENDER_TARGET | FormatUses::DEPTH_STENCIL | FormatUses::TYPED_UAV;
        for format in Format::ALL {
            let (kind, uses) = (format.info().kind, format.uses());
            if kind.contains(FormatKind::DEPTH) {
                assert!(uses.contains(FormatUses::DEPTH_STENCIL), "{format}");
                assert!(
                    !uses.intersects(
                        FormatUses::TYPED_UAV | FormatUses::RENDER_TARGET | FormatUses::TEXTURE3D
                    ),
                    "{format}"
                );
            }
            if uses.contains(FormatUses::DEPTH_STENCIL) {
                assert!(kind.intersects(FormatKind::DEPTH | FormatKind::TYPELESS), "{format}");
            }
            if kind.contains(FormatKind::BLOCK_COMPRESSED) {
                assert!(!uses.intersects(written | FormatUses::TEXTURE1D | FormatUses::BUFFER), "{format}");
            }
            if kind.contains(FormatKind::YUV) {
                assert_eq!(uses & textures, FormatUses::TEXTURE2D, "{format}");
                assert!(!uses.intersects(FormatUses::TILED | FormatUses::MULTISAMPLE), "{format}");
            }
            if kind.contains(FormatKind::SRGB) {
                assert!(!uses.intersects(FormatUses::TYPED_UAV | FormatUses::BUFFER), "{format}");
            }
            if kind.contains(FormatKind::PLANAR) {
                assert!(!uses.intersects(FormatUses::TILED | FormatUses::TEXTURE3D), "{format}");
            }
            if format.info().bits_per_element == 96 {
                assert!(!uses.intersects(written | FormatUses::TILED | FormatUses::MULTISAMPLE), "{format}");
            }
            if uses.contains(FormatUses::BLENDABLE) {
                assert!(uses.contains(FormatUses::RENDER_TARGET), "{format}");
            }
            if uses.contains(FormatUses::MULTISAMPLE) {
                assert!(uses.intersects(FormatUses::RENDER_TARGET | FormatUses::DEPTH_STENCIL), "{format}");
            }
            if uses.contains(FormatUses::MULTISAMPLE_RESOLVE) {
                assert!(uses.contains(FormatUses::MULTISAMPLE), "{format}");
            }
            if uses.contains(FormatUses::INDEX_BUFFER) {
                assert!(uses.contains(FormatUses::BUFFER), "{format}");
            }
        }
    }
}
