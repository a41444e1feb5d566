//! DXGI_FORMAT, and what each format is made of.
//!
//! Element sizes, alignments and families: facts/formats.json (Microsoft's format property tables);
//! planes: facts/layout.md, GetCopyableFootprints. What a format may be used for is in [`uses`].

use core::fmt;
use core::str::FromStr;

use bitflags::bitflags;
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::UnknownName;

mod uses;

bitflags! {
    /// What kind of format it is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct FormatKind: u16 {
        /// The element is a block of 4x4 texels.
        const BLOCK_COMPRESSED = 0x1;
        /// Only a resource has it; views say the type.
        const TYPELESS = 0x2;
        /// A depth-stencil view can have it.
        const DEPTH = 0x4;
        /// And it holds a stencil plane.
        const STENCIL = 0x8;
        /// A video format.
        const YUV = 0x10;
        /// The content is for one engine only.
        const OPAQUE = 0x20;
        /// Encoded with the sRGB curve.
        const SRGB = 0x40;
        /// Its components lie in more than one plane, each a subresource.
        const PLANAR = 0x80;
    }
}

bitflags! {
    /// What a format may be used for on D3D12 hardware of feature level 12 (D3D12_FORMAT_SUPPORT1 and
    /// the format tables of Microsoft's public documentation).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct FormatUses: u32 {
        /// Views of buffers.
        const BUFFER = 0x1;
        /// 1D textures.
        const TEXTURE1D = 0x2;
        /// 2D textures.
        const TEXTURE2D = 0x4;
        /// 3D textures.
        const TEXTURE3D = 0x8;
        /// Cube textures.
        const TEXTURECUBE = 0x10;
        /// Loads in shaders.
        const SHADER_LOAD = 0x20;
        /// Filtered samples in shaders.
        const SHADER_SAMPLE = 0x40;
        /// Mip levels.
        const MIP = 0x80;
        /// Render targets.
        const RENDER_TARGET = 0x100;
        /// Blending.
        const BLENDABLE = 0x200;
        /// Depth-stencils.
        const DEPTH_STENCIL = 0x400;
        /// Multisampled render targets or depth-stencils.
        const MULTISAMPLE = 0x800;
        /// Resolves.
        const MULTISAMPLE_RESOLVE = 0x1000;
        /// Swap chains and scan-out.
        const DISPLAY = 0x2000;
        /// Typed unordered-access views.
        const TYPED_UAV = 0x4000;
        /// Vertex buffers.
        const VERTEX_BUFFER = 0x8000;
        /// Index buffers.
        const INDEX_BUFFER = 0x1_0000;
        /// Reserved (tiled) resources.
        const TILED = 0x2_0000;
        /// Video decoders' output or processors' input.
        const VIDEO = 0x4_0000;
    }
}

/// What a format is made of.
#[derive(Clone, Copy, Debug)]
pub struct FormatInfo {
    /// The format.
    pub format: Format,
    /// The name without `DXGI_FORMAT_`.
    pub name: &'static str,
    /// The typeless format of its family; itself where it has none.
    pub family: Format,
    /// Bits of an element: of a 4x4 block where block-compressed, else of a texel (of planar formats:
    /// of a texel of the first plane; of depth-stencils: of both planes together).
    pub bits_per_element: u16,
    /// Texels that the width is a multiple of; of block-compressed formats the width of a block.
    pub width_alignment: u8,
    /// Texels that the height is a multiple of; of block-compressed formats the height of a block.
    pub height_alignment: u8,
    /// Planes: each is a subresource of its own.
    pub plane_count: u8,
    /// Its kind.
    pub kind: FormatKind,
}

impl FormatInfo {
    /// Texels across an element: 4 where block-compressed, else 1.
    #[must_use]
    pub const fn element_width(&self) -> u32 {
        if self.kind.contains(FormatKind::BLOCK_COMPRESSED) { 4 } else { 1 }
    }

    /// Texels down an element: 4 where block-compressed, else 1.
    #[must_use]
    pub const fn element_height(&self) -> u32 {
        self.element_width()
    }

    /// Whether `other` is of the same typeless family.
    #[must_use]
    pub fn same_family(&self, other: Format) -> bool {
        self.family == other.info().family
    }
}

macro_rules! formats {
    ($( $ident:ident = $number:literal, $text:literal, $family:ident, $bits:literal,
        $w:literal x $h:literal, $planes:literal, [$( $kind:ident )*]; )*) => {
        /// A DXGI_FORMAT. The names are DXGI's; 420_OPAQUE is [`Format::OPAQUE_420`].
        #[allow(non_camel_case_types, missing_docs, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Format { $( $ident = $number, )* }

        impl Format {
            /// Every format, in the order of DXGI's numbers.
            pub const ALL: &'static [Format] = &[$( Format::$ident ),*];

            /// The format of DXGI's number, or `None` where DXGI has none.
            #[must_use]
            #[inline]
            pub const fn from_dxgi(number: u32) -> Option<Format> {
                match number {
                    $( $number => Some(Format::$ident), )*
                    _ => None,
                }
            }
        }

        /// Indexed by DXGI's number; numbers without a format repeat UNKNOWN.
        static INFO: [FormatInfo; 192] = {
            let mut table = [FormatInfo {
                format: Format::UNKNOWN,
                name: "UNKNOWN",
                family: Format::UNKNOWN,
                bits_per_element: 0,
                width_alignment: 1,
                height_alignment: 1,
                plane_count: 1,
                kind: FormatKind::empty(),
            }; 192];
            $(
                table[$number] = FormatInfo {
                    format: Format::$ident,
                    name: $text,
                    family: Format::$family,
                    bits_per_element: $bits,
                    width_alignment: $w,
                    height_alignment: $h,
                    plane_count: $planes,
                    kind: FormatKind::empty()$( .union(FormatKind::$kind) )*,
                };
            )*
            table
        };
    };
}

formats! {
    UNKNOWN = 0, "UNKNOWN", UNKNOWN, 0, 1 x 1, 1, [];
    R32G32B32A32_TYPELESS = 1, "R32G32B32A32_TYPELESS", R32G32B32A32_TYPELESS, 128, 1 x 1, 1, [TYPELESS];
    R32G32B32A32_FLOAT = 2, "R32G32B32A32_FLOAT", R32G32B32A32_TYPELESS, 128, 1 x 1, 1, [];
    R32G32B32A32_UINT = 3, "R32G32B32A32_UINT", R32G32B32A32_TYPELESS, 128, 1 x 1, 1, [];
    R32G32B32A32_SINT = 4, "R32G32B32A32_SINT", R32G32B32A32_TYPELESS, 128, 1 x 1, 1, [];
    R32G32B32_TYPELESS = 5, "R32G32B32_TYPELESS", R32G32B32_TYPELESS, 96, 1 x 1, 1, [TYPELESS];
    R32G32B32_FLOAT = 6, "R32G32B32_FLOAT", R32G32B32_TYPELESS, 96, 1 x 1, 1, [];
    R32G32B32_UINT = 7, "R32G32B32_UINT", R32G32B32_TYPELESS, 96, 1 x 1, 1, [];
    R32G32B32_SINT = 8, "R32G32B32_SINT", R32G32B32_TYPELESS, 96, 1 x 1, 1, [];
    R16G16B16A16_TYPELESS = 9, "R16G16B16A16_TYPELESS", R16G16B16A16_TYPELESS, 64, 1 x 1, 1, [TYPELESS];
    R16G16B16A16_FLOAT = 10, "R16G16B16A16_FLOAT", R16G16B16A16_TYPELESS, 64, 1 x 1, 1, [];
    R16G16B16A16_UNORM = 11, "R16G16B16A16_UNORM", R16G16B16A16_TYPELESS, 64, 1 x 1, 1, [];
    R16G16B16A16_UINT = 12, "R16G16B16A16_UINT", R16G16B16A16_TYPELESS, 64, 1 x 1, 1, [];
    R16G16B16A16_SNORM = 13, "R16G16B16A16_SNORM", R16G16B16A16_TYPELESS, 64, 1 x 1, 1, [];
    R16G16B16A16_SINT = 14, "R16G16B16A16_SINT", R16G16B16A16_TYPELESS, 64, 1 x 1, 1, [];
    R32G32_TYPELESS = 15, "R32G32_TYPELESS", R32G32_TYPELESS, 64, 1 x 1, 1, [TYPELESS];
    R32G32_FLOAT = 16, "R32G32_FLOAT", R32G32_TYPELESS, 64, 1 x 1, 1, [];
    R32G32_UINT = 17, "R32G32_UINT", R32G32_TYPELESS, 64, 1 x 1, 1, [];
    R32G32_SINT = 18, "R32G32_SINT", R32G32_TYPELESS, 64, 1 x 1, 1, [];
    R32G8X24_TYPELESS = 19, "R32G8X24_TYPELESS", R32G8X24_TYPELESS, 64, 1 x 1, 2, [TYPELESS PLANAR];
    D32_FLOAT_S8X24_UINT = 20, "D32_FLOAT_S8X24_UINT", R32G8X24_TYPELESS, 64, 1 x 1, 2, [DEPTH STENCIL PLANAR];
    R32_FLOAT_X8X24_TYPELESS = 21, "R32_FLOAT_X8X24_TYPELESS", R32G8X24_TYPELESS, 64, 1 x 1, 2, [PLANAR];
    X32_TYPELESS_G8X24_UINT = 22, "X32_TYPELESS_G8X24_UINT", R32G8X24_TYPELESS, 64, 1 x 1, 2, [PLANAR];
    R10G10B10A2_TYPELESS = 23, "R10G10B10A2_TYPELESS", R10G10B10A2_TYPELESS, 32, 1 x 1, 1, [TYPELESS];
    R10G10B10A2_UNORM = 24, "R10G10B10A2_UNORM", R10G10B10A2_TYPELESS, 32, 1 x 1, 1, [];
    R10G10B10A2_UINT = 25, "R10G10B10A2_UINT", R10G10B10A2_TYPELESS, 32, 1 x 1, 1, [];
    R11G11B10_FLOAT = 26, "R11G11B10_FLOAT", R11G11B10_FLOAT, 32, 1 x 1, 1, [];
    R8G8B8A8_TYPELESS = 27, "R8G8B8A8_TYPELESS", R8G8B8A8_TYPELESS, 32, 1 x 1, 1, [TYPELESS];
    R8G8B8A8_UNORM = 28, "R8G8B8A8_UNORM", R8G8B8A8_TYPELESS, 32, 1 x 1, 1, [];
    R8G8B8A8_UNORM_SRGB = 29, "R8G8B8A8_UNORM_SRGB", R8G8B8A8_TYPELESS, 32, 1 x 1, 1, [SRGB];
    R8G8B8A8_UINT = 30, "R8G8B8A8_UINT", R8G8B8A8_TYPELESS, 32, 1 x 1, 1, [];
    R8G8B8A8_SNORM = 31, "R8G8B8A8_SNORM", R8G8B8A8_TYPELESS, 32, 1 x 1, 1, [];
    R8G8B8A8_SINT = 32, "R8G8B8A8_SINT", R8G8B8A8_TYPELESS, 32, 1 x 1, 1, [];
    R16G16_TYPELESS = 33, "R16G16_TYPELESS", R16G16_TYPELESS, 32, 1 x 1, 1, [TYPELESS];
    R16G16_FLOAT = 34, "R16G16_FLOAT", R16G16_TYPELESS, 32, 1 x 1, 1, [];
    R16G16_UNORM = 35, "R16G16_UNORM", R16G16_TYPELESS, 32, 1 x 1, 1, [];
    R16G16_UINT = 36, "R16G16_UINT", R16G16_TYPELESS, 32, 1 x 1, 1, [];
    R16G16_SNORM = 37, "R16G16_SNORM", R16G16_TYPELESS, 32, 1 x 1, 1, [];
    R16G16_SINT = 38, "R16G16_SINT", R16G16_TYPELESS, 32, 1 x 1, 1, [];
    R32_TYPELESS = 39, "R32_TYPELESS", R32_TYPELESS, 32, 1 x 1, 1, [TYPELESS];
    D32_FLOAT = 40, "D32_FLOAT", R32_TYPELESS, 32, 1 x 1, 1, [DEPTH];
    R32_FLOAT = 41, "R32_FLOAT", R32_TYPELESS, 32, 1 x 1, 1, [];
    R32_UINT = 42, "R32_UINT", R32_TYPELESS, 32, 1 x 1, 1, [];
    R32_SINT = 43, "R32_SINT", R32_TYPELESS, 32, 1 x 1, 1, [];
    R24G8_TYPELESS = 44, "R24G8_TYPELESS", R24G8_TYPELESS, 32, 1 x 1, 2, [TYPELESS PLANAR];
    D24_UNORM_S8_UINT = 45, "D24_UNORM_S8_UINT", R24G8_TYPELESS, 32, 1 x 1, 2, [DEPTH STENCIL PLANAR];
    R24_UNORM_X8_TYPELESS = 46, "R24_UNORM_X8_TYPELESS", R24G8_TYPELESS, 32, 1 x 1, 2, [PLANAR];
    X24_TYPELESS_G8_UINT = 47, "X24_TYPELESS_G8_UINT", R24G8_TYPELESS, 32, 1 x 1, 2, [PLANAR];
    R8G8_TYPELESS = 48, "R8G8_TYPELESS", R8G8_TYPELESS, 16, 1 x 1, 1, [TYPELESS];
    R8G8_UNORM = 49, "R8G8_UNORM", R8G8_TYPELESS, 16, 1 x 1, 1, [];
    R8G8_UINT = 50, "R8G8_UINT", R8G8_TYPELESS, 16, 1 x 1, 1, [];
    R8G8_SNORM = 51, "R8G8_SNORM", R8G8_TYPELESS, 16, 1 x 1, 1, [];
    R8G8_SINT = 52, "R8G8_SINT", R8G8_TYPELESS, 16, 1 x 1, 1, [];
    R16_TYPELESS = 53, "R16_TYPELESS", R16_TYPELESS, 16, 1 x 1, 1, [TYPELESS];
    R16_FLOAT = 54, "R16_FLOAT", R16_TYPELESS, 16, 1 x 1, 1, [];
    D16_UNORM = 55, "D16_UNORM", R16_TYPELESS, 16, 1 x 1, 1, [DEPTH];
    R16_UNORM = 56, "R16_UNORM", R16_TYPELESS, 16, 1 x 1, 1, [];
    R16_UINT = 57, "R16_UINT", R16_TYPELESS, 16, 1 x 1, 1, [];
    R16_SNORM = 58, "R16_SNORM", R16_TYPELESS, 16, 1 x 1, 1, [];
    R16_SINT = 59, "R16_SINT", R16_TYPELESS, 16, 1 x 1, 1, [];
    R8_TYPELESS = 60, "R8_TYPELESS", R8_TYPELESS, 8, 1 x 1, 1, [TYPELESS];
    R8_UNORM = 61, "R8_UNORM", R8_TYPELESS, 8, 1 x 1, 1, [];
    R8_UINT = 62, "R8_UINT", R8_TYPELESS, 8, 1 x 1, 1, [];
    R8_SNORM = 63, "R8_SNORM", R8_TYPELESS, 8, 1 x 1, 1, [];
    R8_SINT = 64, "R8_SINT", R8_TYPELESS, 8, 1 x 1, 1, [];
    A8_UNORM = 65, "A8_UNORM", A8_UNORM, 8, 1 x 1, 1, [];
    R1_UNORM = 66, "R1_UNORM", R1_UNORM, 1, 8 x 1, 1, [];
    R9G9B9E5_SHAREDEXP = 67, "R9G9B9E5_SHAREDEXP", R9G9B9E5_SHAREDEXP, 32, 1 x 1, 1, [];
    R8G8_B8G8_UNORM = 68, "R8G8_B8G8_UNORM", R8G8_B8G8_UNORM, 16, 2 x 1, 1, [];
    G8R8_G8B8_UNORM = 69, "G8R8_G8B8_UNORM", G8R8_G8B8_UNORM, 16, 2 x 1, 1, [];
    BC1_TYPELESS = 70, "BC1_TYPELESS", BC1_TYPELESS, 64, 4 x 4, 1, [BLOCK_COMPRESSED TYPELESS];
    BC1_UNORM = 71, "BC1_UNORM", BC1_TYPELESS, 64, 4 x 4, 1, [BLOCK_COMPRESSED];
    BC1_UNORM_SRGB = 72, "BC1_UNORM_SRGB", BC1_TYPELESS, 64, 4 x 4, 1, [BLOCK_COMPRESSED SRGB];
    BC2_TYPELESS = 73, "BC2_TYPELESS", BC2_TYPELESS, 128, 4 x 4, 1, [BLOCK_COMPRESSED TYPELESS];
    BC2_UNORM = 74, "BC2_UNORM", BC2_TYPELESS, 128, 4 x 4, 1, [BLOCK_COMPRESSED];
    BC2_UNORM_SRGB = 75, "BC2_UNORM_SRGB", BC2_TYPELESS, 128, 4 x 4, 1, [BLOCK_COMPRESSED SRGB];
    BC3_TYPELESS = 76, "BC3_TYPELESS", BC3_TYPELESS, 128, 4 x 4, 1, [BLOCK_COMPRESSED TYPELESS];
    BC3_UNORM = 77, "BC3_UNORM", BC3_TYPELESS, 128, 4 x 4, 1, [BLOCK_COMPRESSED];
    BC3_UNORM_SRGB = 78, "BC3_UNORM_SRGB", BC3_TYPELESS, 128, 4 x 4, 1, [BLOCK_COMPRESSED SRGB];
    BC4_TYPELESS = 79, "BC4_TYPELESS", BC4_TYPELESS, 64, 4 x 4, 1, [BLOCK_COMPRESSED TYPELESS];
    BC4_UNORM = 80, "BC4_UNORM", BC4_TYPELESS, 64, 4 x 4, 1, [BLOCK_COMPRESSED];
    BC4_SNORM = 81, "BC4_SNORM", BC4_TYPELESS, 64, 4 x 4, 1, [BLOCK_COMPRESSED];
    BC5_TYPELESS = 82, "BC5_TYPELESS", BC5_TYPELESS, 128, 4 x 4, 1, [BLOCK_COMPRESSED TYPELESS];
    BC5_UNORM = 83, "BC5_UNORM", BC5_TYPELESS, 128, 4 x 4, 1, [BLOCK_COMPRESSED];
    BC5_SNORM = 84, "BC5_SNORM", BC5_TYPELESS, 128, 4 x 4, 1, [BLOCK_COMPRESSED];
    B5G6R5_UNORM = 85, "B5G6R5_UNORM", B5G6R5_UNORM, 16, 1 x 1, 1, [];
    B5G5R5A1_UNORM = 86, "B5G5R5A1_UNORM", B5G5R5A1_UNORM, 16, 1 x 1, 1, [];
    B8G8R8A8_UNORM = 87, "B8G8R8A8_UNORM", B8G8R8A8_TYPELESS, 32, 1 x 1, 1, [];
    B8G8R8X8_UNORM = 88, "B8G8R8X8_UNORM", B8G8R8X8_TYPELESS, 32, 1 x 1, 1, [];
    R10G10B10_XR_BIAS_A2_UNORM = 89, "R10G10B10_XR_BIAS_A2_UNORM", R10G10B10A2_TYPELESS, 32, 1 x 1, 1, [];
    B8G8R8A8_TYPELESS = 90, "B8G8R8A8_TYPELESS", B8G8R8A8_TYPELESS, 32, 1 x 1, 1, [TYPELESS];
    B8G8R8A8_UNORM_SRGB = 91, "B8G8R8A8_UNORM_SRGB", B8G8R8A8_TYPELESS, 32, 1 x 1, 1, [SRGB];
    B8G8R8X8_TYPELESS = 92, "B8G8R8X8_TYPELESS", B8G8R8X8_TYPELESS, 32, 1 x 1, 1, [TYPELESS];
    B8G8R8X8_UNORM_SRGB = 93, "B8G8R8X8_UNORM_SRGB", B8G8R8X8_TYPELESS, 32, 1 x 1, 1, [SRGB];
    BC6H_TYPELESS = 94, "BC6H_TYPELESS", BC6H_TYPELESS, 128, 4 x 4, 1, [BLOCK_COMPRESSED TYPELESS];
    BC6H_UF16 = 95, "BC6H_UF16", BC6H_TYPELESS, 128, 4 x 4, 1, [BLOCK_COMPRESSED];
    BC6H_SF16 = 96, "BC6H_SF16", BC6H_TYPELESS, 128, 4 x 4, 1, [BLOCK_COMPRESSED];
    BC7_TYPELESS = 97, "BC7_TYPELESS", BC7_TYPELESS, 128, 4 x 4, 1, [BLOCK_COMPRESSED TYPELESS];
    BC7_UNORM = 98, "BC7_UNORM", BC7_TYPELESS, 128, 4 x 4, 1, [BLOCK_COMPRESSED];
    BC7_UNORM_SRGB = 99, "BC7_UNORM_SRGB", BC7_TYPELESS, 128, 4 x 4, 1, [BLOCK_COMPRESSED SRGB];
    AYUV = 100, "AYUV", AYUV, 32, 1 x 1, 1, [YUV];
    Y410 = 101, "Y410", Y410, 32, 1 x 1, 1, [YUV];
    Y416 = 102, "Y416", Y416, 64, 1 x 1, 1, [YUV];
    NV12 = 103, "NV12", NV12, 8, 2 x 2, 2, [YUV PLANAR];
    P010 = 104, "P010", P010, 16, 2 x 2, 2, [YUV PLANAR];
    P016 = 105, "P016", P016, 16, 2 x 2, 2, [YUV PLANAR];
    OPAQUE_420 = 106, "420_OPAQUE", OPAQUE_420, 8, 2 x 2, 2, [YUV OPAQUE PLANAR];
    YUY2 = 107, "YUY2", YUY2, 16, 2 x 1, 1, [YUV];
    Y210 = 108, "Y210", Y210, 32, 2 x 1, 1, [YUV];
    Y216 = 109, "Y216", Y216, 32, 2 x 1, 1, [YUV];
    NV11 = 110, "NV11", NV11, 8, 4 x 1, 2, [YUV PLANAR];
    AI44 = 111, "AI44", AI44, 8, 1 x 1, 1, [YUV];
    IA44 = 112, "IA44", IA44, 8, 1 x 1, 1, [YUV];
    P8 = 113, "P8", P8, 8, 1 x 1, 1, [YUV];
    A8P8 = 114, "A8P8", A8P8, 16, 1 x 1, 1, [YUV];
    B4G4R4A4_UNORM = 115, "B4G4R4A4_UNORM", B4G4R4A4_UNORM, 16, 1 x 1, 1, [];
    P208 = 130, "P208", P208, 8, 2 x 1, 2, [YUV PLANAR];
    V208 = 131, "V208", V208, 8, 1 x 2, 3, [YUV PLANAR];
    V408 = 132, "V408", V408, 8, 1 x 1, 3, [YUV PLANAR];
    SAMPLER_FEEDBACK_MIN_MIP_OPAQUE = 189, "SAMPLER_FEEDBACK_MIN_MIP_OPAQUE", SAMPLER_FEEDBACK_MIN_MIP_OPAQUE, 8, 1 x 1, 1, [OPAQUE];
    SAMPLER_FEEDBACK_MIP_REGION_USED_OPAQUE = 190, "SAMPLER_FEEDBACK_MIP_REGION_USED_OPAQUE", SAMPLER_FEEDBACK_MIP_REGION_USED_OPAQUE, 8, 1 x 1, 1, [OPAQUE];
    A4B4G4R4_UNORM = 191, "A4B4G4R4_UNORM", A4B4G4R4_UNORM, 16, 1 x 1, 1, [];
}

impl Format {
    /// DXGI's number.
    #[must_use]
    pub const fn to_dxgi(self) -> u32 {
        self as u32
    }

    /// What it is made of.
    #[must_use]
    pub const fn info(self) -> &'static FormatInfo {
        &INFO[self as usize]
    }

    /// What it may be used for; of a typeless format, what any member of its family may.
    #[inline]
    #[must_use]
    pub fn uses(self) -> FormatUses {
        uses::of(self)
    }

    /// DXGI's name without the prefix.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.info().name
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownName;

    /// Parses DXGI's name, with or without `DXGI_FORMAT_`.
    fn from_str(text: &str) -> Result<Format, UnknownName> {
        let name = text.strip_prefix("DXGI_FORMAT_").unwrap_or(text);
        by_name(name).ok_or_else(|| UnknownName {
            enumeration: "DXGI_FORMAT",
            given: text.to_owned(),
            allowed: "DXGI's names without the prefix, e.g. R8G8B8A8_UNORM".to_owned(),
        })
    }
}

/// Binary search over the names, sorted once: a trace parses one for each texture.
fn by_name(name: &str) -> Option<Format> {
    static SORTED: std::sync::LazyLock<Vec<(&'static str, Format)>> = std::sync::LazyLock::new(|| {
        let mut names: Vec<_> = Format::ALL.iter().map(|format| (format.name(), *format)).collect();
        names.sort_unstable();
        names
    });
    SORTED.binary_search_by_key(&name, |(name, _)| name).ok().map(|at| SORTED[at].1)
}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Format {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Format, D::Error> {
        struct NameVisitor;
        impl Visitor<'_> for NameVisitor {
            type Value = Format;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a DXGI_FORMAT")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Format, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(NameVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_names_and_families_agree() {
        assert_eq!(Format::ALL.len(), 122);
        for format in Format::ALL {
            assert_eq!(Format::from_dxgi(format.to_dxgi()), Some(*format));
            assert_eq!(format.name().parse(), Ok(*format));
            assert_eq!(format.info().format, *format);
            let family = format.info().family.info();
            assert_eq!(family.family, family.format, "{format}: a family is its own family");
            assert_eq!(family.plane_count, format.info().plane_count, "{format}");
        }
        assert_eq!(Format::from_dxgi(133), None);
        assert_eq!(Format::from_dxgi(u32::MAX), None);
    }

    #[test]
    fn sizes_typed_from_dxgi() {
        for (format, bits, planes) in [
            (Format::R32G32B32A32_FLOAT, 128, 1),
            (Format::R32G32B32_FLOAT, 96, 1),
            (Format::R16G16B16A16_FLOAT, 64, 1),
            (Format::R8G8B8A8_UNORM, 32, 1),
            (Format::D24_UNORM_S8_UINT, 32, 2),
            (Format::D32_FLOAT_S8X24_UINT, 64, 2),
            (Format::BC1_UNORM, 64, 1),
            (Format::BC4_SNORM, 64, 1),
            (Format::BC7_UNORM_SRGB, 128, 1),
            (Format::A4B4G4R4_UNORM, 16, 1),
            (Format::NV12, 8, 2),
            (Format::R1_UNORM, 1, 1),
        ] {
            assert_eq!(format.info().bits_per_element, bits, "{format}");
            assert_eq!(format.info().plane_count, planes, "{format}");
        }
        assert_eq!(Format::A4B4G4R4_UNORM.to_dxgi(), 191);
    }
}
