//! What clears do: which texels their views see.

use heapstone::Format;
use heapstone::spec::commands::Rect;
use heapstone::spec::views::{
    BufferViewFlags, DepthStencilViewDesc, DsvDimension, RenderTargetViewDesc, RtvDimension, UavDimension,
    UnorderedAccessViewDesc, ViewKind, plane_of_view,
};
use heapstone_spec::FormatKind;
use heapstone_texel::{
    encode_clear_color, encode_clear_uint, encode_depth, encode_stencil, is_clearable_as_render_target,
    is_clearable_as_unordered_access_float, is_clearable_as_unordered_access_uint,
};

use super::access::index;
use super::judge::{Judged, Op, Side};
use super::resource::Resource;
use super::{Model, Verdict, rects};
use crate::program::{ClearValues, Slot};

impl Model {
    pub(super) fn clear_render_target(
        &self,
        slot: Slot,
        view: &RenderTargetViewDesc,
        color: [f32; 4],
        rects: &[Rect],
    ) -> Judged {
        let resource = self.known(slot)?;
        let format = if view.format == Format::UNKNOWN { resource.desc.format } else { view.format };
        let value = match encode_clear_color(format, color) {
            Some(texel) if is_clearable_as_render_target(format) => texel.as_bytes().to_vec(),
            _ => return Err(Verdict::Refused),
        };
        let all = u32::MAX;
        let (mip, first_slice, slices, plane, w) = match view.dimension {
            RtvDimension::Buffer { .. } => return Err(Verdict::Skip),
            RtvDimension::Texture1D { mip_slice } => (mip_slice, 0, 1, 0, (0, None)),
            RtvDimension::Texture1DArray { mip_slice, first_array_slice, array_size } => {
                (mip_slice, first_array_slice, array_size.unwrap_or(all), 0, (0, None))
            }
            RtvDimension::Texture2D { mip_slice, plane_slice } => (mip_slice, 0, 1, plane_slice, (0, None)),
            RtvDimension::Texture2DArray { mip_slice, first_array_slice, array_size, plane_slice } => {
                (mip_slice, first_array_slice, array_size.unwrap_or(all), plane_slice, (0, None))
            }
            RtvDimension::Texture2DMs => (0, 0, 1, 0, (0, None)),
            RtvDimension::Texture2DMsArray { first_array_slice, array_size } => {
                (0, first_array_slice, array_size.unwrap_or(all), 0, (0, None))
            }
            RtvDimension::Texture3D { mip_slice, first_w_slice, w_size } => {
                (mip_slice, 0, 1, 0, (first_w_slice, w_size))
            }
        };
        let plane = plane_of_view(resource.desc.format, format, ViewKind::RenderTarget, plane);
        let viewed = Viewed { mip, first_slice, slices, plane: plane.ok_or(Verdict::Skip)?, w };
        Ok(fills(slot, resource, &viewed, &value, rects))
    }

    pub(super) fn clear_depth_stencil(
        &self,
        slot: Slot,
        view: &DepthStencilViewDesc,
        (depth, stencil): (Option<f32>, Option<u8>),
        rects: &[Rect],
    ) -> Judged {
        let resource = self.known(slot)?;
        let format = if view.format == Format::UNKNOWN { resource.desc.format } else { view.format };
        if depth.is_none() && stencil.is_none() {
            return Err(Verdict::Refused);
        }
        let all = u32::MAX;
        let (mip, first_slice, slices) = match view.dimension {
            DsvDimension::Texture1D { mip_slice } | DsvDimension::Texture2D { mip_slice } => {
                (mip_slice, 0, 1)
            }
            DsvDimension::Texture1DArray { mip_slice, first_array_slice, array_size }
            | DsvDimension::Texture2DArray { mip_slice, first_array_slice, array_size } => {
                (mip_slice, first_array_slice, array_size.unwrap_or(all))
            }
            DsvDimension::Texture2DMs => (0, 0, 1),
            DsvDimension::Texture2DMsArray { first_array_slice, array_size } => {
                (0, first_array_slice, array_size.unwrap_or(all))
            }
        };
        let mut ops = Vec::new();
        if let Some(depth) = depth {
            let value = encode_depth(format, depth).ok_or(Verdict::Refused)?;
            let viewed = Viewed { mip, first_slice, slices, plane: 0, w: (0, None) };
            ops.extend(fills(slot, resource, &viewed, value.as_bytes(), rects));
        }
        if let Some(stencil) = stencil.filter(|_| format.info().kind.contains(FormatKind::STENCIL)) {
            let viewed = Viewed { mip, first_slice, slices, plane: 1, w: (0, None) };
            ops.extend(fills(slot, resource, &viewed, encode_stencil(stencil).as_bytes(), rects));
        }
        Ok(ops)
    }

    pub(super) fn clear_unordered(
        &self,
        slot: Slot,
        view: &UnorderedAccessViewDesc,
        values: &ClearValues,
        rects: &[Rect],
    ) -> Judged {
        let resource = self.known(slot)?;
        let mut format = if view.format == Format::UNKNOWN { resource.desc.format } else { view.format };
        let mut is_raw = false;
        if let UavDimension::Buffer { flags, structure_byte_stride, .. } = view.dimension {
            is_raw = flags.contains(BufferViewFlags::RAW);
            if structure_byte_stride != 0 {
                return Err(Verdict::Refused);
            }
        }
        if is_raw {
            format = Format::R32_UINT;
        }
        let texel = match *values {
            ClearValues::Uint(values) if is_raw || is_clearable_as_unordered_access_uint(format) => {
                encode_clear_uint(format, values)
            }
            ClearValues::Float(color) if !is_raw && is_clearable_as_unordered_access_float(format) => {
                encode_clear_color(format, color)
            }
            _ => None,
        };
        let value = texel.ok_or(Verdict::Refused)?.as_bytes().to_vec();
        let all = u32::MAX;
        let (mip, first_slice, slices, plane, w) = match view.dimension {
            UavDimension::Buffer { first_element, element_count, .. } => {
                if !rects.is_empty() {
                    return Err(Verdict::Refused);
                }
                let begin = usize::try_from(first_element).map_err(|_| Verdict::Skip)? * value.len();
                let size = index(element_count) * value.len();
                return Ok(vec![Op::FillBytes { to: (slot, begin), size, value }]);
            }
            UavDimension::Texture1D { mip_slice } => (mip_slice, 0, 1, 0, (0, None)),
            UavDimension::Texture1DArray { mip_slice, first_array_slice, array_size } => {
                (mip_slice, first_array_slice, array_size.unwrap_or(all), 0, (0, None))
            }
            UavDimension::Texture2D { mip_slice, plane_slice } => (mip_slice, 0, 1, plane_slice, (0, None)),
            UavDimension::Texture2DArray { mip_slice, first_array_slice, array_size, plane_slice } => {
                (mip_slice, first_array_slice, array_size.unwrap_or(all), plane_slice, (0, None))
            }
            UavDimension::Texture2DMs => (0, 0, 1, 0, (0, None)),
            UavDimension::Texture2DMsArray { first_array_slice, array_size } => {
                (0, first_array_slice, array_size.unwrap_or(all), 0, (0, None))
            }
            UavDimension::Texture3D { mip_slice, first_w_slice, w_size } => {
                (mip_slice, 0, 1, 0, (first_w_slice, w_size))
            }
        };
        let plane = plane_of_view(resource.desc.format, format, ViewKind::UnorderedAccess, plane);
        let viewed = Viewed { mip, first_slice, slices, plane: plane.ok_or(Verdict::Skip)?, w };
        Ok(fills(slot, resource, &viewed, &value, rects))
    }
}

/// What a view sees of a texture.
struct Viewed {
    mip: u32,
    first_slice: u32,
    slices: u32,
    plane: u32,
    /// The first depth slice, and how many.
    w: (u32, Option<u32>),
}

/// The fills of a clear.
fn fills(slot: Slot, resource: &Resource, viewed: &Viewed, value: &[u8], rects: &[Rect]) -> Vec<Op> {
    let mut ops = Vec::new();
    for (subresource, shape) in (0..).zip(&resource.subresources) {
        let is_seen = shape.mip == viewed.mip
            && shape.plane == viewed.plane
            && shape.slice >= viewed.first_slice
            && shape.slice - viewed.first_slice < viewed.slices;
        if !is_seen {
            continue;
        }
        let first = index(viewed.w.0);
        let depth = viewed.w.1.map_or(shape.extent[2] - first, index);
        for (origin, size) in rects::covered(shape, rects) {
            ops.push(Op::Fill {
                to: Side::Texels { slot, subresource, origin: [origin[0], origin[1], first] },
                size: [size[0], size[1], depth],
                value: value.to_vec(),
                repeats: shape.samples,
            });
        }
    }
    ops
}
