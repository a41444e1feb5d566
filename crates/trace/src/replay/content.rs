//! How many bytes a resource's content has: what was asked for, before any padding.

use heapstone_spec::{Format, FormatKind, ResourceDesc, ResourceDimension};

/// Bytes of the content: a buffer's width; a texture's elements alone, of all mips, slices, samples and
/// planes, without any row, tile or metadata padding. Saturates at 2^64 - 1.
pub(crate) fn content_bytes(desc: &ResourceDesc) -> u64 {
    if desc.is_buffer() {
        return desc.width;
    }
    let info = desc.format.info();
    let element = u64::from(info.element_width());
    let is_3d = desc.dimension == ResourceDimension::Texture3D;
    let region = desc.sampler_feedback_mip_region;
    let mut width = desc.width.div_ceil(u64::from(region.width.max(1)));
    let mut height = u64::from(desc.height).div_ceil(u64::from(region.height.max(1)));
    let mut depth = if is_3d { u64::from(desc.depth_or_array_size) } else { 1 };
    let mut elements = 0_u128;
    for _ in 0..mip_count(desc, width, height, depth) {
        let of_mip = u128::from(width.div_ceil(element)) * u128::from(height.div_ceil(element));
        elements = elements.saturating_add(of_mip.saturating_mul(u128::from(depth)));
        (width, height, depth) = ((width / 2).max(1), (height / 2).max(1), (depth / 2).max(1));
    }
    let slices = if is_3d { 1 } else { u128::from(desc.depth_or_array_size) };
    let samples = u128::from(desc.sample_desc.count.max(1));
    let bits = elements
        .saturating_mul(slices)
        .saturating_mul(samples)
        .saturating_mul(u128::from(bits_per_element(desc.format)));
    u64::try_from(bits.div_ceil(8)).unwrap_or(u64::MAX)
}

/// The mips there are; 0 in the description means all.
fn mip_count(desc: &ResourceDesc, width: u64, height: u64, depth: u64) -> u32 {
    let greatest = width.max(height).max(depth).max(1);
    let full = 64 - greatest.leading_zeros();
    match desc.mip_levels {
        0 => full,
        given => u32::from(given).min(64),
    }
}

/// Bits of an element in all planes together. DXGI counts only the first plane of planar video
/// formats (facts/layout.md, GetCopyableFootprints, Planes: which parts the others have).
fn bits_per_element(format: Format) -> u64 {
    let info = format.info();
    if !info.kind.contains(FormatKind::YUV | FormatKind::PLANAR) {
        return u64::from(info.bits_per_element);
    }
    match format {
        // A quarter as many texels of two components.
        Format::NV12 | Format::OPAQUE_420 | Format::NV11 => 12,
        Format::P010 | Format::P016 | Format::V408 => 24,
        // Half as many.
        Format::P208 | Format::V208 => 16,
        _ => u64::from(info.bits_per_element),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_by_hand() {
        for (desc, want) in [
            (ResourceDesc::buffer(25_600), 25_600),
            (ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 1920, 1080), 8_294_400),
            (ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 4, 4).with_mip_levels(0), (16 + 4 + 1) * 4),
            (ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 4, 4).with_mip_levels(2), (16 + 4) * 4),
            (ResourceDesc::texture_2d(Format::BC1_UNORM, 8, 8).with_mip_levels(4), (4 + 1 + 1 + 1) * 8),
            (ResourceDesc::texture_2d(Format::BC7_UNORM, 5, 5), 4 * 16),
            (ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 16, 16).with_samples(4), 4096),
            (ResourceDesc::texture_2d(Format::R8_UNORM, 3, 5).with_array_size(6), 90),
            (ResourceDesc::texture_3d(Format::R32_FLOAT, 4, 4, 4).with_mip_levels(3), (64 + 8 + 1) * 4),
            (ResourceDesc::texture_2d(Format::NV12, 64, 32), 64 * 32 * 3 / 2),
            (ResourceDesc::texture_2d(Format::D32_FLOAT_S8X24_UINT, 2, 2), 32),
        ] {
            assert_eq!(content_bytes(&desc), want, "{desc:?}");
        }
    }

    #[test]
    fn any_description_has_an_answer() {
        let huge = ResourceDesc {
            width: u64::MAX,
            height: u32::MAX,
            depth_or_array_size: u16::MAX,
            mip_levels: u16::MAX,
            ..ResourceDesc::texture_3d(Format::R32G32B32A32_FLOAT, 1, 1, 1)
        };
        assert_eq!(content_bytes(&huge), u64::MAX);
        let nothing = ResourceDesc { width: 0, height: 0, depth_or_array_size: 0, mip_levels: 0, ..huge };
        assert_eq!(content_bytes(&nothing), 0);
    }
}
