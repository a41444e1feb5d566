//! Legal textures, drawn: of every dimension, layout and kind of format.

use heapstone_layout::{LayoutRules, Purpose, validate};
use heapstone_spec::{Format, ResourceDesc, ResourceFlags, TextureLayout};
use proptest::prelude::*;

/// Elements of 1 to 16 bytes, of 96 bits, blocks, pairs of texels, and every kind of planes.
const FORMATS: [Format; 17] = [
    Format::R8_UNORM,
    Format::R16_FLOAT,
    Format::R8G8B8A8_UNORM,
    Format::R32G32_FLOAT,
    Format::R32G32B32A32_UINT,
    Format::R32G32B32_FLOAT,
    Format::BC1_UNORM,
    Format::BC7_UNORM,
    Format::R8G8_B8G8_UNORM,
    Format::NV12,
    Format::P010,
    Format::P208,
    Format::NV11,
    Format::V208,
    Format::V408,
    Format::D24_UNORM_S8_UINT,
    Format::D32_FLOAT_S8X24_UINT,
];

/// A texture that `rules` call legal; `None` where what was drawn does not go together.
pub(crate) fn texture(rules: &LayoutRules, drawn: Drawn) -> Option<ResourceDesc> {
    let Drawn { format, dimension, width, height, depth, mips, slices, samples_log2, kind } = drawn;
    let format = FORMATS[format];
    let depth_stencil = matches!(format, Format::D24_UNORM_S8_UINT | Format::D32_FLOAT_S8X24_UINT);
    // Multiples of 4 suit blocks and subsampling; what needs none keeps its odd numbers.
    let info = format.info();
    let odd = info.width_alignment == 1 && info.height_alignment == 1;
    let (width, height) =
        if odd { (width, height) } else { (width.next_multiple_of(4), height.next_multiple_of(4)) };
    let desc = match dimension {
        0 => ResourceDesc::texture_1d(format, width.into()).with_array_size(slices),
        1..=3 => ResourceDesc::texture_2d(format, width.into(), height).with_array_size(slices),
        _ => ResourceDesc::texture_3d(format, width.into(), height, depth),
    };
    let target =
        if depth_stencil { ResourceFlags::ALLOW_DEPTH_STENCIL } else { ResourceFlags::ALLOW_RENDER_TARGET };
    let desc = match kind {
        0 => desc.with_layout(TextureLayout::Undefined64KbSwizzle),
        1 => desc.with_layout(TextureLayout::Standard64KbSwizzle),
        2 => desc.with_layout(TextureLayout::RowMajor).with_flags(ResourceFlags::ALLOW_CROSS_ADAPTER),
        3 => desc.with_flags(ResourceFlags::USE_TIGHT_ALIGNMENT),
        4 => desc.with_alignment(4096),
        5 => desc.with_flags(target).with_samples(1 << samples_log2),
        6 => desc.with_flags(target),
        _ => desc,
    };
    // Depth-stencils are nothing but that.
    let desc =
        if depth_stencil && kind >= 5 { desc.with_flags(ResourceFlags::ALLOW_DEPTH_STENCIL) } else { desc };
    let desc = if desc.sample_desc.count > 1 { desc.with_mip_levels(1) } else { desc.with_mip_levels(mips) };
    // Chains may be longer than the texture's own.
    [desc, desc.with_mip_levels(0), desc.with_mip_levels(1), desc.with_mip_levels(1).with_array_size(1)]
        .iter()
        .find_map(|desc| validate(rules, desc, Purpose::Query).ok())
}

/// What a texture is drawn from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drawn {
    format: usize,
    dimension: u8,
    width: u32,
    height: u32,
    depth: u16,
    mips: u16,
    slices: u16,
    samples_log2: u8,
    kind: u8,
}

/// Draws one.
pub(crate) fn drawn() -> impl Strategy<Value = Drawn> {
    let side = || prop_oneof![1..40_u32, 1..700_u32, (0..11_u32).prop_map(|log2| 1 << log2), 500..2100_u32];
    (0..FORMATS.len(), 0..5_u8, side(), side(), 1..70_u16, 0..12_u16, 1..4_u16, 0..5_u8, 0..9_u8).prop_map(
        |(format, dimension, width, height, depth, mips, slices, samples_log2, kind)| Drawn {
            format,
            dimension,
            width,
            height,
            depth,
            mips,
            slices,
            samples_log2,
            kind,
        },
    )
}
