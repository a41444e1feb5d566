//! Vulkan's formats, as KTX2 files name them, in DXGI's words: those with the same bits in the same bytes.

use heapstone_spec::Format;
use ktx2::Format as Vk;

/// DXGI's and Vulkan's names of one format. Of several of Vulkan's the first is the one that is written.
///
/// Vulkan's packed formats name components from the most significant bit on, DXGI's from the least. Left out:
/// D24_UNORM_S8_UINT and X8_D24_UNORM_PACK32, because KTX2 keeps stencil in the low byte and D3D12 depth
/// in the low bits; DXGI's typeless formats, because Vulkan has none.
const PAIRS: &[(Format, Vk)] = &[
    (Format::R8_UNORM, Vk::R8_UNORM),
    (Format::R8_SNORM, Vk::R8_SNORM),
    (Format::R8_UINT, Vk::R8_UINT),
    (Format::R8_SINT, Vk::R8_SINT),
    (Format::A8_UNORM, Vk::A8_UNORM),
    (Format::R8G8_UNORM, Vk::R8G8_UNORM),
    (Format::R8G8_SNORM, Vk::R8G8_SNORM),
    (Format::R8G8_UINT, Vk::R8G8_UINT),
    (Format::R8G8_SINT, Vk::R8G8_SINT),
    (Format::R8G8B8A8_UNORM, Vk::R8G8B8A8_UNORM),
    (Format::R8G8B8A8_UNORM, Vk::A8B8G8R8_UNORM_PACK32),
    (Format::R8G8B8A8_SNORM, Vk::R8G8B8A8_SNORM),
    (Format::R8G8B8A8_SNORM, Vk::A8B8G8R8_SNORM_PACK32),
    (Format::R8G8B8A8_UINT, Vk::R8G8B8A8_UINT),
    (Format::R8G8B8A8_UINT, Vk::A8B8G8R8_UINT_PACK32),
    (Format::R8G8B8A8_SINT, Vk::R8G8B8A8_SINT),
    (Format::R8G8B8A8_SINT, Vk::A8B8G8R8_SINT_PACK32),
    (Format::R8G8B8A8_UNORM_SRGB, Vk::R8G8B8A8_SRGB),
    (Format::R8G8B8A8_UNORM_SRGB, Vk::A8B8G8R8_SRGB_PACK32),
    (Format::B8G8R8A8_UNORM, Vk::B8G8R8A8_UNORM),
    (Format::B8G8R8A8_UNORM_SRGB, Vk::B8G8R8A8_SRGB),
    (Format::B5G6R5_UNORM, Vk::R5G6B5_UNORM_PACK16),
    (Format::B5G5R5A1_UNORM, Vk::A1R5G5B5_UNORM_PACK16),
    (Format::B4G4R4A4_UNORM, Vk::A4R4G4B4_UNORM_PACK16),
    (Format::A4B4G4R4_UNORM, Vk::R4G4B4A4_UNORM_PACK16),
    (Format::R10G10B10A2_UNORM, Vk::A2B10G10R10_UNORM_PACK32),
    (Format::R10G10B10A2_UINT, Vk::A2B10G10R10_UINT_PACK32),
    (Format::R11G11B10_FLOAT, Vk::B10G11R11_UFLOAT_PACK32),
    (Format::R9G9B9E5_SHAREDEXP, Vk::E5B9G9R9_UFLOAT_PACK32),
    (Format::R16_UNORM, Vk::R16_UNORM),
    (Format::R16_SNORM, Vk::R16_SNORM),
    (Format::R16_UINT, Vk::R16_UINT),
    (Format::R16_SINT, Vk::R16_SINT),
    (Format::R16_FLOAT, Vk::R16_SFLOAT),
    (Format::D16_UNORM, Vk::D16_UNORM),
    (Format::R16G16_UNORM, Vk::R16G16_UNORM),
    (Format::R16G16_SNORM, Vk::R16G16_SNORM),
    (Format::R16G16_UINT, Vk::R16G16_UINT),
    (Format::R16G16_SINT, Vk::R16G16_SINT),
    (Format::R16G16_FLOAT, Vk::R16G16_SFLOAT),
    (Format::R16G16B16A16_UNORM, Vk::R16G16B16A16_UNORM),
    (Format::R16G16B16A16_SNORM, Vk::R16G16B16A16_SNORM),
    (Format::R16G16B16A16_UINT, Vk::R16G16B16A16_UINT),
    (Format::R16G16B16A16_SINT, Vk::R16G16B16A16_SINT),
    (Format::R16G16B16A16_FLOAT, Vk::R16G16B16A16_SFLOAT),
    (Format::R32_UINT, Vk::R32_UINT),
    (Format::R32_SINT, Vk::R32_SINT),
    (Format::R32_FLOAT, Vk::R32_SFLOAT),
    (Format::D32_FLOAT, Vk::D32_SFLOAT),
    (Format::D32_FLOAT_S8X24_UINT, Vk::D32_SFLOAT_S8_UINT),
    (Format::R32G32_UINT, Vk::R32G32_UINT),
    (Format::R32G32_SINT, Vk::R32G32_SINT),
    (Format::R32G32_FLOAT, Vk::R32G32_SFLOAT),
    (Format::R32G32B32_UINT, Vk::R32G32B32_UINT),
    (Format::R32G32B32_SINT, Vk::R32G32B32_SINT),
    (Format::R32G32B32_FLOAT, Vk::R32G32B32_SFLOAT),
    (Format::R32G32B32A32_UINT, Vk::R32G32B32A32_UINT),
    (Format::R32G32B32A32_SINT, Vk::R32G32B32A32_SINT),
    (Format::R32G32B32A32_FLOAT, Vk::R32G32B32A32_SFLOAT),
    (Format::BC1_UNORM, Vk::BC1_RGBA_UNORM_BLOCK),
    (Format::BC1_UNORM, Vk::BC1_RGB_UNORM_BLOCK),
    (Format::BC1_UNORM_SRGB, Vk::BC1_RGBA_SRGB_BLOCK),
    (Format::BC1_UNORM_SRGB, Vk::BC1_RGB_SRGB_BLOCK),
    (Format::BC2_UNORM, Vk::BC2_UNORM_BLOCK),
    (Format::BC2_UNORM_SRGB, Vk::BC2_SRGB_BLOCK),
    (Format::BC3_UNORM, Vk::BC3_UNORM_BLOCK),
    (Format::BC3_UNORM_SRGB, Vk::BC3_SRGB_BLOCK),
    (Format::BC4_UNORM, Vk::BC4_UNORM_BLOCK),
    (Format::BC4_SNORM, Vk::BC4_SNORM_BLOCK),
    (Format::BC5_UNORM, Vk::BC5_UNORM_BLOCK),
    (Format::BC5_SNORM, Vk::BC5_SNORM_BLOCK),
    (Format::BC6H_UF16, Vk::BC6H_UFLOAT_BLOCK),
    (Format::BC6H_SF16, Vk::BC6H_SFLOAT_BLOCK),
    (Format::BC7_UNORM, Vk::BC7_UNORM_BLOCK),
    (Format::BC7_UNORM_SRGB, Vk::BC7_SRGB_BLOCK),
    (Format::YUY2, Vk::G8B8G8R8_422_UNORM),
    (Format::Y210, Vk::G10X6B10X6G10X6R10X6_422_UNORM_4PACK16),
    (Format::Y216, Vk::G16B16G16R16_422_UNORM),
];

/// DXGI's name.
///
/// # Errors
/// It has none.
pub(crate) fn to_dxgi(given: Vk) -> Result<Format, String> {
    PAIRS.iter().find(|(_, vulkan)| *vulkan == given).map(|(dxgi, _)| *dxgi).ok_or_else(|| {
        format!(
            "vkFormat is {given:?} ({}); allowed: those with the bits of a DXGI_FORMAT, e.g. R8G8B8A8_UNORM, \
             BC7_SRGB_BLOCK",
            given.value()
        )
    })
}

/// Vulkan's name.
///
/// # Errors
/// It has none.
pub(crate) fn from_dxgi(given: Format) -> Result<Vk, String> {
    PAIRS.iter().find(|(dxgi, _)| *dxgi == given).map(|(_, vulkan)| *vulkan).ok_or_else(|| {
        format!("format is {given}, which Vulkan has not with the same bits; a DDS file can have it")
    })
}

#[cfg(test)]
mod tests {
    use super::super::texture::Texture;
    use super::super::texture::tests::flat;
    use super::*;

    /// VkFormat's numbers from the Vulkan specification.
    #[test]
    fn numbers_by_hand() {
        for (dxgi, number) in [
            (Format::B5G6R5_UNORM, 4),
            (Format::B5G5R5A1_UNORM, 8),
            (Format::R8_UNORM, 9),
            (Format::R8G8B8A8_UNORM, 37),
            (Format::R8G8B8A8_UNORM_SRGB, 43),
            (Format::B8G8R8A8_UNORM, 44),
            (Format::R10G10B10A2_UNORM, 64),
            (Format::R16G16B16A16_FLOAT, 97),
            (Format::R32G32B32_FLOAT, 106),
            (Format::R32G32B32A32_FLOAT, 109),
            (Format::R11G11B10_FLOAT, 122),
            (Format::R9G9B9E5_SHAREDEXP, 123),
            (Format::D16_UNORM, 124),
            (Format::D32_FLOAT, 126),
            (Format::BC1_UNORM, 133),
            (Format::BC7_UNORM_SRGB, 146),
        ] {
            assert_eq!(from_dxgi(dxgi).map(|format| format.value()), Ok(number), "{dxgi}");
        }
        assert_eq!(to_dxgi(Vk::new(131).unwrap()), Ok(Format::BC1_UNORM));
        assert!(to_dxgi(Vk::new(23).unwrap()).unwrap_err().contains("R8G8B8_UNORM (23)"));
        assert!(to_dxgi(Vk::new(129).unwrap()).unwrap_err().contains("D24_UNORM_S8_UINT"));
        assert!(to_dxgi(Vk::new(u32::MAX).unwrap()).is_err());
        assert!(from_dxgi(Format::R8G8B8A8_TYPELESS).unwrap_err().contains("R8G8B8A8_TYPELESS"));
    }

    /// The bytes of an element, as the crate describes each format, are those of DXGI's.
    #[test]
    fn elements_have_one_size() {
        for (dxgi, vulkan) in PAIRS {
            let texture = Texture::new(flat(*dxgi, 4, 4, 1)).unwrap();
            let (basic, _) = ktx2::dfd::Basic::from_format(*vulkan).unwrap();
            assert_eq!(u64::from(basic.bytes_planes[0]), texture.element().bytes(), "{dxgi} {vulkan:?}");
        }
    }
}
