//! Clears, through views of every dimension.

use heapstone::spec::commands::{ClearFlags, Rect};
use heapstone::spec::views::{
    BufferViewFlags, DepthStencilViewDesc, DsvDimension, DsvFlags, RenderTargetViewDesc, RtvDimension,
    UavDimension, UnorderedAccessViewDesc, ViewKind, plane_of_view,
};
use heapstone::{Format, ResourceDesc, ResourceDimension, ResourceFlags};
use heapstone_spec::FormatUses;
use heapstone_texel::{
    is_clearable_as_render_target, is_clearable_as_unordered_access_float,
    is_clearable_as_unordered_access_uint,
};

use super::{Generator, is_texture};
use crate::program::{ClearValues, Command, Slot};
use crate::shape;

/// The part of a texture that a view sees.
struct Part {
    mip: u32,
    first_slice: u32,
    slices: u32,
    first_w: u32,
    ws: u32,
}

impl Generator<'_, '_> {
    fn with_flag(&mut self, flag: ResourceFlags) -> Option<Slot> {
        self.pick(|model, slot| {
            is_texture(model, slot) && model.desc(slot).is_some_and(|desc| desc.flags.contains(flag))
        })
    }

    fn part(&mut self, desc: &ResourceDesc) -> Part {
        let mip = self.source.below_u32(u32::from(desc.mip_levels));
        let slices = shape::slices(desc);
        let first_slice = self.source.below_u32(slices);
        let depth = match desc.dimension {
            ResourceDimension::Texture3D => {
                u32::from(desc.depth_or_array_size).checked_shr(mip).unwrap_or(0).max(1)
            }
            _ => 1,
        };
        let first_w = self.source.below_u32(depth);
        Part {
            mip,
            first_slice,
            slices: self.source.within(1, slices - first_slice),
            first_w,
            ws: self.source.within(1, depth - first_w),
        }
    }

    fn rects(&mut self) -> Vec<Rect> {
        if self.source.chance(60) {
            return Vec::new();
        }
        let count = self.source.within(1, 3);
        let side = |generator: &mut Self| i32::try_from(generator.source.below(40)).unwrap_or(0) - 6;
        (0..count)
            .map(|_| {
                let (left, top) = (side(self), side(self));
                Rect::new(left, top, left + side(self), top + side(self))
            })
            .collect()
    }

    fn color(&mut self) -> [f32; 4] {
        const CHOICES: [f32; 12] =
            [0.0, 1.0, 0.5, -1.0, 0.25, 2.0, 100.5, -0.3, 0.999, 65_504.0, 1.0e-20, 3.7e9];
        [(); 4].map(|()| *self.source.pick(&CHOICES))
    }

    /// A format in which a view of that kind sees the texture, and the plane that it sees.
    fn view_format(
        &mut self,
        format: Format,
        kind: ViewKind,
        is_clearable: fn(Format) -> bool,
    ) -> Option<(Format, u32)> {
        let asked = self.source.below_u32(u32::from(format.info().plane_count));
        let seen = |view: &Format| is_clearable(*view) && plane_of_view(format, *view, kind, asked).is_some();
        let found: Vec<Format> = Format::ALL.iter().copied().filter(seen).collect();
        if found.is_empty() {
            return None;
        }
        let view = *self.source.pick(&found);
        Some((view, plane_of_view(format, view, kind, asked)?))
    }

    pub(super) fn clear_render_target(&mut self) -> Option<Command> {
        let resource = self.with_flag(ResourceFlags::ALLOW_RENDER_TARGET)?;
        let desc = *self.model.desc(resource)?;
        let (format, plane_slice) =
            self.view_format(desc.format, ViewKind::RenderTarget, is_clearable_as_render_target)?;
        let Part { mip: mip_slice, first_slice, slices, first_w, ws } = self.part(&desc);
        let (first_array_slice, array_size) = (first_slice, Some(slices));
        let dimension = match (desc.dimension, desc.sample_desc.count > 1) {
            (ResourceDimension::Texture1D, _) if desc.depth_or_array_size == 1 => {
                RtvDimension::Texture1D { mip_slice }
            }
            (ResourceDimension::Texture1D, _) => {
                RtvDimension::Texture1DArray { mip_slice, first_array_slice, array_size }
            }
            (ResourceDimension::Texture3D, _) => {
                RtvDimension::Texture3D { mip_slice, first_w_slice: first_w, w_size: Some(ws) }
            }
            (_, true) if desc.depth_or_array_size == 1 => RtvDimension::Texture2DMs,
            (_, true) => RtvDimension::Texture2DMsArray { first_array_slice, array_size },
            _ if desc.depth_or_array_size == 1 => RtvDimension::Texture2D { mip_slice, plane_slice },
            _ => RtvDimension::Texture2DArray { mip_slice, first_array_slice, array_size, plane_slice },
        };
        let view = RenderTargetViewDesc { format, dimension };
        Some(Command::ClearRenderTarget { resource, view, color: self.color(), rects: self.rects() })
    }

    pub(super) fn clear_depth_stencil(&mut self) -> Option<Command> {
        let resource = self.with_flag(ResourceFlags::ALLOW_DEPTH_STENCIL)?;
        let desc = *self.model.desc(resource)?;
        let is_depth = |format: Format| {
            format.uses().contains(FormatUses::DEPTH_STENCIL)
                && heapstone_texel::encode_depth(format, 0.0).is_some()
        };
        let (format, _) = self.view_format(desc.format, ViewKind::DepthStencil, is_depth)?;
        let Part { mip: mip_slice, first_slice, slices, .. } = self.part(&desc);
        let (first_array_slice, array_size) = (first_slice, Some(slices));
        let dimension = match (desc.dimension, desc.sample_desc.count > 1) {
            (ResourceDimension::Texture1D, _) if desc.depth_or_array_size == 1 => {
                DsvDimension::Texture1D { mip_slice }
            }
            (ResourceDimension::Texture1D, _) => {
                DsvDimension::Texture1DArray { mip_slice, first_array_slice, array_size }
            }
            (_, true) if desc.depth_or_array_size == 1 => DsvDimension::Texture2DMs,
            (_, true) => DsvDimension::Texture2DMsArray { first_array_slice, array_size },
            _ if desc.depth_or_array_size == 1 => DsvDimension::Texture2D { mip_slice },
            _ => DsvDimension::Texture2DArray { mip_slice, first_array_slice, array_size },
        };
        let flags = *self.source.pick(&[
            ClearFlags::DEPTH | ClearFlags::STENCIL,
            ClearFlags::DEPTH,
            ClearFlags::STENCIL,
        ]);
        let view = DepthStencilViewDesc { format, dimension, flags: DsvFlags::empty() };
        let depth = *self.source.pick(&[1.0, 0.0, 0.5, 0.123, 1.5, -1.0]);
        let stencil = u8::try_from(self.source.below(256)).unwrap_or(0);
        Some(Command::ClearDepthStencil { resource, view, flags, depth, stencil, rects: self.rects() })
    }

    pub(super) fn clear_unordered(&mut self) -> Option<Command> {
        let flag = ResourceFlags::ALLOW_UNORDERED_ACCESS;
        let resource =
            self.pick(|model, slot| model.desc(slot).is_some_and(|desc| desc.flags.contains(flag)))?;
        let desc = *self.model.desc(resource)?;
        let is_float = self.source.chance(50);
        let values = if is_float {
            ClearValues::Float(self.color())
        } else {
            ClearValues::Uint([(); 4].map(|()| u32::try_from(self.source.word() >> 32).unwrap_or(0)))
        };
        let is_clearable = if is_float {
            is_clearable_as_unordered_access_float
        } else {
            is_clearable_as_unordered_access_uint
        };
        if desc.is_buffer() {
            return self.clear_buffer(resource, &desc, values, is_clearable);
        }
        let (format, plane_slice) = self.view_format(desc.format, ViewKind::UnorderedAccess, is_clearable)?;
        let Part { mip: mip_slice, first_slice, slices, first_w, ws } = self.part(&desc);
        let (first_array_slice, array_size) = (first_slice, Some(slices));
        let dimension = match (desc.dimension, desc.sample_desc.count > 1) {
            (ResourceDimension::Texture1D, _) if desc.depth_or_array_size == 1 => {
                UavDimension::Texture1D { mip_slice }
            }
            (ResourceDimension::Texture1D, _) => {
                UavDimension::Texture1DArray { mip_slice, first_array_slice, array_size }
            }
            (ResourceDimension::Texture3D, _) => {
                UavDimension::Texture3D { mip_slice, first_w_slice: first_w, w_size: Some(ws) }
            }
            (_, true) if desc.depth_or_array_size == 1 => UavDimension::Texture2DMs,
            (_, true) => UavDimension::Texture2DMsArray { first_array_slice, array_size },
            _ if desc.depth_or_array_size == 1 => UavDimension::Texture2D { mip_slice, plane_slice },
            _ => UavDimension::Texture2DArray { mip_slice, first_array_slice, array_size, plane_slice },
        };
        let view = UnorderedAccessViewDesc { format, dimension };
        Some(Command::ClearUnordered { resource, view, values, rects: self.rects() })
    }

    fn clear_buffer(
        &mut self,
        resource: Slot,
        desc: &ResourceDesc,
        values: ClearValues,
        is_clearable: fn(Format) -> bool,
    ) -> Option<Command> {
        let is_raw = matches!(values, ClearValues::Uint(_)) && self.source.chance(30);
        let (format, bytes, flags) = if is_raw {
            (Format::R32_TYPELESS, 4, BufferViewFlags::RAW)
        } else {
            let fits = |format: &Format| {
                let uses = FormatUses::BUFFER | FormatUses::TYPED_UAV;
                is_clearable(*format) && format.uses().contains(uses)
            };
            let formats: Vec<Format> = Format::ALL.iter().copied().filter(fits).collect();
            let format = *self.source.pick(&formats);
            (format, u64::from(format.info().bits_per_element / 8), BufferViewFlags::empty())
        };
        let elements = desc.width / bytes;
        if elements == 0 {
            return None;
        }
        let first_element = self.source.below(elements);
        // The address of a raw view is a multiple of 16.
        let first_element = if is_raw { first_element / 4 * 4 } else { first_element };
        let most = u32::try_from(elements - first_element).ok()?;
        let dimension = UavDimension::Buffer {
            first_element,
            element_count: self.source.within(1, most),
            structure_byte_stride: 0,
            counter_offset_in_bytes: 0,
            flags,
        };
        let view = UnorderedAccessViewDesc { format, dimension };
        Some(Command::ClearUnordered { resource, view, values, rects: Vec::new() })
    }
}
