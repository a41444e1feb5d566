//! What formats are made of, as copies see them.

use heapstone_spec::{Format, FormatKind};

/// An element of a format of one plane: a texel, a block, or the smallest group of texels with bytes of its
/// own; of 96 bits three elements make one texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Element {
    /// Bytes: `2^` this.
    pub(super) bytes_log2: u8,
    /// Elements side by side for one of the format.
    pub(super) repeat: u8,
    /// Texels across: `2^` this.
    pub(super) width_log2: u8,
    /// Texels down: `2^` this.
    pub(super) height_log2: u8,
}

impl Element {
    /// Bytes of one of the format: a texel, or a block.
    pub(super) fn bytes(self) -> u64 {
        u64::from(self.repeat) << self.bytes_log2
    }

    /// Of a footprint's format; `None` where it has several planes, or elements of no known size.
    pub(super) fn of(format: Format) -> Option<Element> {
        let info = format.info();
        let kind = info.kind;
        if info.bits_per_element == 0 || kind.intersects(FormatKind::PLANAR.union(FormatKind::OPAQUE)) {
            return None;
        }
        let is_block = kind.contains(FormatKind::BLOCK_COMPRESSED);
        let width = u16::from(info.width_alignment);
        // Of a block the bits are those of all its texels, else those of one.
        let bits = if is_block { info.bits_per_element } else { info.bits_per_element * width };
        let (repeat, bits) = if bits == 96 { (3, 32) } else { (1, bits) };
        Some(Element {
            bytes_log2: log2(bits / 8),
            repeat,
            width_log2: log2(width),
            height_log2: if is_block { log2(u16::from(info.height_alignment)) } else { 0 },
        })
    }
}

/// Of a power of two.
fn log2(value: u16) -> u8 {
    u8::try_from(value.trailing_zeros()).expect("invariant: 16 bits have at most 16 zeros")
}

/// What a plane of a texture copies as: the format of its footprint (facts/layout.md, GetCopyableFootprints,
/// Planes).
pub(super) fn plane_format(format: Format, plane: u32) -> Format {
    use Format as F;
    match (format, plane) {
        (F::NV12 | F::P208 | F::NV11, 0) | (F::V208 | F::V408, _) => F::R8_TYPELESS,
        (F::NV12 | F::P208 | F::NV11, _) => F::R8G8_TYPELESS,
        (F::P010 | F::P016, 0) => F::R16_TYPELESS,
        (F::P010 | F::P016, _) => F::R16G16_TYPELESS,
        _ if is_depth_stencil(format) => {
            if plane == 0 {
                F::R32_TYPELESS
            } else {
                F::R8_TYPELESS
            }
        }
        _ => format,
    }
}

/// Whether it is of one of the two families with a depth and a stencil plane.
pub(super) fn is_depth_stencil(format: Format) -> bool {
    matches!(format.info().family, Format::R24G8_TYPELESS | Format::R32G8X24_TYPELESS)
}

/// Whether elements of `from` are copied into elements of `to` bit by bit: within a family, or between
/// blocks and integers as large.
#[inline]
pub(super) fn is_copied_as(from: Format, to: Format) -> bool {
    from.info().family == to.info().family || is_reinterpreted(from, to) || is_reinterpreted(to, from)
}

/// The same where all of a texture is copied to one of the same extents in texels: a block is none, so
/// that blocks stay among themselves (Microsoft's public documentation of CopyResource).
pub(super) fn is_copied_whole_as(from: Format, to: Format) -> bool {
    let is_block = |format: Format| format.info().kind.contains(FormatKind::BLOCK_COMPRESSED);
    is_block(from) == is_block(to) && is_copied_as(from, to)
}

/// Microsoft's public documentation, Format conversion using Direct3D 10.1; BC6H and BC7, which are newer
/// than it, as the other blocks of 128 bits (chosen).
fn is_reinterpreted(integer: Format, other: Format) -> bool {
    use Format as F;
    let family = other.info().family;
    match integer {
        F::R32_UINT | F::R32_SINT => family == F::R9G9B9E5_SHAREDEXP,
        F::R16G16B16A16_UINT | F::R16G16B16A16_SINT | F::R32G32_UINT | F::R32G32_SINT => {
            matches!(family, F::BC1_TYPELESS | F::BC4_TYPELESS)
        }
        F::R32G32B32A32_UINT | F::R32G32B32A32_SINT => matches!(
            family,
            F::BC2_TYPELESS | F::BC3_TYPELESS | F::BC5_TYPELESS | F::BC6H_TYPELESS | F::BC7_TYPELESS
        ),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use heapstone_layout::{FootprintOutputs, LayoutRules, PlacedFootprint, copyable_footprints};
    use heapstone_spec::{Profile, ResourceDesc, SdkVersion};

    use super::*;

    /// Against GetCopyableFootprints, which is held to published vectors: its format of every plane, and the
    /// bytes of a row of 64 texels.
    #[test]
    fn planes_and_elements_are_those_of_footprints() {
        let profile = Profile::builtin("discrete-8g").unwrap();
        let rules = LayoutRules::new(&profile, SdkVersion::LATEST);
        let mut seen = 0;
        for format in Format::ALL {
            let desc = ResourceDesc::texture_2d(*format, 64, 64);
            for plane in 0..u32::from(format.info().plane_count) {
                let (mut layout, mut rows, mut row_size) = ([PlacedFootprint::EMPTY], [0], [0]);
                let outputs = FootprintOutputs {
                    layouts: Some(&mut layout),
                    row_counts: Some(&mut rows),
                    row_sizes: Some(&mut row_size),
                };
                if copyable_footprints(&rules, &desc, plane, 1, 0, outputs).is_err() {
                    continue;
                }
                let [footprint] = layout;
                if format.info().kind.contains(FormatKind::OPAQUE) {
                    assert_eq!(Element::of(*format), None, "{format}");
                    continue;
                }
                assert_eq!(plane_format(*format, plane), footprint.format, "{format} plane {plane}");
                let element = Element::of(footprint.format).unwrap();
                let across = u64::from(footprint.width >> element.width_log2) * u64::from(element.repeat);
                assert_eq!(across << element.bytes_log2, row_size[0], "{format} plane {plane}");
                assert_eq!(footprint.height >> element.height_log2, rows[0], "{format} plane {plane}");
                seen += 1;
            }
        }
        assert!(seen > 100, "{seen} planes");
    }
}
