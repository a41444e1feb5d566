//! Rules of the layout.

use heapstone_spec::rules::description as rule;
use heapstone_spec::{ResourceDesc, ResourceDimension, ResourceFlags, TextureLayout};

use super::Checked;
use crate::planes;
use crate::rules::LayoutRules;

const FIELD: &str = "D3D12_RESOURCE_DESC.Layout";

#[inline]
pub(super) fn check(rules: &LayoutRules, desc: &ResourceDesc) -> Checked {
    match desc.layout {
        TextureLayout::Unknown | TextureLayout::Undefined64KbSwizzle => Ok(()),
        TextureLayout::RowMajor => row_major(rules, desc),
        TextureLayout::Standard64KbSwizzle => standard_swizzle(rules, desc),
    }
}

fn row_major(rules: &LayoutRules, desc: &ResourceDesc) -> Checked {
    let shape = desc.dimension == ResourceDimension::Texture2D
        && desc.mip_levels == 1
        && desc.depth_or_array_size == 1
        && desc.sample_desc.count == 1
        && planes::of(desc.format).count() == 1
        && !desc.flags.contains(ResourceFlags::ALLOW_DEPTH_STENCIL);
    if !shape {
        return Err(rule::ROW_MAJOR_SHAPE.violated(
            FIELD,
            format!(
                "{} of a {} {} with {} mips, {} slices, {} planes, flags {}",
                desc.layout,
                desc.format,
                desc.dimension,
                desc.mip_levels,
                desc.depth_or_array_size,
                planes::of(desc.format).count(),
                desc.flags
            ),
            "ROW_MAJOR of a TEXTURE2D with 1 mip, 1 slice, 1 sample, 1 plane, no ALLOW_DEPTH_STENCIL",
        ));
    }
    if !desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER) {
        return Err(rule::ROW_MAJOR_CROSS_ADAPTER.violated(
            "D3D12_RESOURCE_DESC.Flags",
            format!("{} with layout {}", desc.flags, desc.layout),
            "ALLOW_CROSS_ADAPTER",
        ));
    }
    if !rules.caps.cross_adapter_row_major_texture {
        return Err(rule::ROW_MAJOR_CAP.violated(
            FIELD,
            desc.layout,
            "another layout on an adapter without CrossAdapterRowMajorTextureSupported",
        ));
    }
    Ok(())
}

fn standard_swizzle(rules: &LayoutRules, desc: &ResourceDesc) -> Checked {
    if !rules.caps.standard_swizzle_64kb {
        return Err(rule::STANDARD_SWIZZLE_CAP.violated(
            FIELD,
            desc.layout,
            "another layout on an adapter without StandardSwizzle64KBSupported",
        ));
    }
    let bits = desc.format.info().bits_per_element;
    let shape = desc.dimension != ResourceDimension::Texture1D
        && desc.sample_desc.count == 1
        && !desc.flags.contains(ResourceFlags::ALLOW_DEPTH_STENCIL)
        && bits != 96;
    if shape {
        return Ok(());
    }
    Err(rule::STANDARD_SWIZZLE_SHAPE.violated(
        FIELD,
        format!(
            "{} of a {} {} of {bits} bits with {} samples, flags {}",
            desc.layout, desc.format, desc.dimension, desc.sample_desc.count, desc.flags
        ),
        "a TEXTURE2D or TEXTURE3D of one sample, no ALLOW_DEPTH_STENCIL, not 96 bits",
    ))
}
