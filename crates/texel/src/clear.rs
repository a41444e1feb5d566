//! What the clears of D3D12 write.

use heapstone_spec::{Format, FormatKind, FormatUses};

use crate::components::{Components, components};
use crate::convert::{encode_components, texel};
use crate::{Texel, encode};

/// Where a texel is written through a colour: not the planes of depth-stencils.
fn color_components(format: Format) -> Option<&'static Components> {
    let depth_stencil = format.info().kind.intersects(FormatKind::DEPTH | FormatKind::PLANAR);
    if depth_stencil { None } else { components(format) }
}

/// Whether ClearRenderTargetView clears views of `format`.
#[must_use]
pub fn is_clearable_as_render_target(format: Format) -> bool {
    format.uses().contains(FormatUses::RENDER_TARGET) && color_components(format).is_some()
}

/// Whether ClearUnorderedAccessViewFloat clears typed views of `format`: where an unordered access view may
/// have it, and it is not of integers (D3D11.3, 5.2.3.2).
#[must_use]
pub fn is_clearable_as_unordered_access_float(format: Format) -> bool {
    format.uses().contains(FormatUses::TYPED_UAV)
        && color_components(format).is_some_and(|components| !components.is_integer())
}

/// Whether ClearUnorderedAccessViewUint clears typed views of `format`: wherever an unordered access view may
/// have it (D3D11.3, 5.2.3.2). Views of raw and structured buffers it always clears; they are not asked here.
#[must_use]
pub fn is_clearable_as_unordered_access_uint(format: Format) -> bool {
    format.uses().contains(FormatUses::TYPED_UAV) && color_components(format).is_some()
}

/// What ClearRenderTargetView and ClearUnorderedAccessViewFloat write to a view of `format`.
///
/// `color` is linear: red, green, blue, alpha. Denormal inputs count as 0 of their sign (Microsoft's public
/// documentation of both calls: the runtime sets them to 0 and preserves NaN). Integer formats take the number
/// without its fraction, clamped, NaN as 0: so D3D11.3, 5.2.3.3 says of ClearView, and so public tests find
/// ClearRenderTargetView on hardware (0.75 clears an R16G16B16A16_UINT to 0). Beyond 2^24 the integer is the
/// one that the float is; 5.2.3.1 would set the lowest bits of a negative one, which is not "the closest
/// value" that it asks for (chosen).
///
/// `None` where the format has no colours. Whether a view may have the format is for
/// [`is_clearable_as_render_target`] and [`is_clearable_as_unordered_access_float`] to say.
#[must_use]
pub fn encode_clear_color(format: Format, color: [f32; 4]) -> Option<Texel> {
    color_components(format).map(|components| encode_components(components, color.map(flushed)))
}

/// What ClearUnorderedAccessViewUint writes to a view of `format`: of each of `values` as many of the lowest
/// bits as the component has, whatever they mean there (D3D11.3, 5.2.3.2). R9G9B9E5_SHAREDEXP takes its
/// exponent from the fourth.
///
/// R32_TYPELESS and UNKNOWN are the formats of views of raw and structured buffers: every 4 bytes are the
/// first value. `None` where the format has no colours.
#[must_use]
pub fn encode_clear_uint(format: Format, values: [u32; 4]) -> Option<Texel> {
    let written = match format {
        Format::R32_TYPELESS | Format::UNKNOWN => Format::R32_UINT,
        typed => typed,
    };
    color_components(written).map(|components| texel(components, |_, channel| values[channel]))
}

/// What ClearDepthStencilView writes to the depth plane of a view of `format`.
///
/// `depth` is clamped to 0 and 1, NaN as 0: D3D passes no depth outside of a viewport's range to the driver
/// (D3D11.3, 5.2.3.1). Denormal inputs count as 0. D24_UNORM_S8_UINT's plane has 4 bytes, of which the highest
/// is 0 (chosen: D3D12 leaves it undefined).
///
/// `None` where the format is no depth-stencil view's.
#[must_use]
pub fn encode_depth(format: Format, depth: f32) -> Option<Texel> {
    if !format.info().kind.contains(FormatKind::DEPTH) {
        return None;
    }
    let depth = if depth > 0.0 { flushed(depth.min(1.0)) } else { 0.0 };
    encode(format, [depth, 0.0, 0.0, 0.0])
}

/// What ClearDepthStencilView writes to a stencil plane: a byte of its own in every format that has stencil
/// (facts/layout.md, GetCopyableFootprints).
#[must_use]
pub fn encode_stencil(stencil: u8) -> Texel {
    Texel::from_raw(u128::from(stencil), 1)
}

/// A denormal as 0 of its sign (D3D11.3, 3.2.2: 32-bit floats have no denormals).
fn flushed(value: f32) -> f32 {
    if value.is_subnormal() { 0.0_f32.copysign(value) } else { value }
}
