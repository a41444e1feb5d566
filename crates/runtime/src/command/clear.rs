//! ClearRenderTargetView, ClearDepthStencilView, ClearUnorderedAccessViewUint and Float.

use heapstone_spec::commands::{ClearFlags, CommandListType, Rect};
use heapstone_spec::rules::clear as rules;
use heapstone_spec::views::{
    BufferViewFlags, CpuDescriptorHandle, DescriptorHeapFlags, DescriptorHeapType, DsvFlags,
    GpuDescriptorHandle, UavDimension,
};
use heapstone_spec::{Format, FormatKind, Violation};
use heapstone_texel::{
    Texel, encode_clear_color, encode_clear_uint, encode_depth, encode_stencil,
    is_clearable_as_render_target, is_clearable_as_unordered_access_float,
    is_clearable_as_unordered_access_uint,
};

use super::fill::{Filling, PlaneFill, record_fill};
use super::list::CommandList;
use super::observed::ListCommand;
use crate::descriptor::{UnorderedAccessView, ViewRange};
use crate::error::Error;
use crate::resource::Resource;

const GRAPHICS: &[CommandListType] = &[CommandListType::Direct];
const SHADING: &[CommandListType] = &[CommandListType::Direct, CommandListType::Compute];
const INVARIANT: &str = "invariant: a view with a resource has a range of it";

/// The values of a clear of unordered access.
#[derive(Clone, Copy)]
enum Values {
    Uint([u32; 4]),
    Float([f32; 4]),
}

impl CommandList {
    /// ID3D12GraphicsCommandList::ClearRenderTargetView: all that the view sees, or the rectangles of it, in
    /// texels of the view; what of them lies outside is left out.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `clear.*`, `descriptor.*`, `copy.texture.opaque`, `list.*`.
    pub fn clear_render_target_view(
        &mut self,
        view: CpuDescriptorHandle,
        color: [f32; 4],
        rects: &[Rect],
    ) -> Result<(), Error> {
        let result = self.record_clear_render_target(view, color, rects);
        self.ended(result, || ListCommand::ClearRenderTargetView { view, color, rects })
    }

    /// ID3D12GraphicsCommandList::ClearDepthStencilView. Depth is clamped to 0 and 1; STENCIL without a stencil
    /// plane clears nothing (chosen, as D3D11 does).
    ///
    /// # Errors
    /// As of [`CommandList::clear_render_target_view`].
    pub fn clear_depth_stencil_view(
        &mut self,
        view: CpuDescriptorHandle,
        flags: ClearFlags,
        depth: f32,
        stencil: u8,
        rects: &[Rect],
    ) -> Result<(), Error> {
        let result = self.record_clear_depth_stencil(view, flags, depth, stencil, rects);
        self.ended(result, || ListCommand::ClearDepthStencilView { view, flags, depth, stencil, rects })
    }

    /// ID3D12GraphicsCommandList::ClearUnorderedAccessViewUint: of each value the lowest bits, whatever they
    /// mean in the view's format. What is cleared is what the CPU handle's view sees (facts/behaviour.md,
    /// Barriers); the GPU handle must be of the heap that is set.
    ///
    /// # Errors
    /// As of [`CommandList::clear_render_target_view`].
    pub fn clear_unordered_access_view_uint(
        &mut self,
        gpu_handle: GpuDescriptorHandle,
        cpu_handle: CpuDescriptorHandle,
        resource: &Resource,
        values: [u32; 4],
        rects: &[Rect],
    ) -> Result<(), Error> {
        let result =
            self.record_clear_unordered(gpu_handle, cpu_handle, resource, Values::Uint(values), rects);
        self.ended(result, || ListCommand::ClearUnorderedAccessViewUint {
            gpu_handle,
            cpu_handle,
            resource: resource.id(),
            values,
            rects,
        })
    }

    /// ID3D12GraphicsCommandList::ClearUnorderedAccessViewFloat, of views that are not of integers.
    ///
    /// # Errors
    /// As of [`CommandList::clear_render_target_view`].
    pub fn clear_unordered_access_view_float(
        &mut self,
        gpu_handle: GpuDescriptorHandle,
        cpu_handle: CpuDescriptorHandle,
        resource: &Resource,
        values: [f32; 4],
        rects: &[Rect],
    ) -> Result<(), Error> {
        let result =
            self.record_clear_unordered(gpu_handle, cpu_handle, resource, Values::Float(values), rects);
        self.ended(result, || ListCommand::ClearUnorderedAccessViewFloat {
            gpu_handle,
            cpu_handle,
            resource: resource.id(),
            values,
            rects,
        })
    }

    fn record_clear_render_target(
        &mut self,
        view: CpuDescriptorHandle,
        color: [f32; 4],
        rects: &[Rect],
    ) -> Result<(), Box<Violation>> {
        const CALL: &str = "ClearRenderTargetView";
        self.recorder(CALL, GRAPHICS)?;
        let view = self.device.render_target_view(view)?;
        let resource = resource_of("RenderTargetView", view.resource.as_ref())?;
        let range = view.range().expect(INVARIANT);
        let format = view.desc.format;
        let texel =
            if is_clearable_as_render_target(format) { encode_clear_color(format, color) } else { None };
        let fill = plane_fill(&range, &encoded(texel, "RenderTargetView", format)?);
        record_fill(self.recorder(CALL, GRAPHICS)?, resource, &range, &[fill], rects)
    }

    fn record_clear_depth_stencil(
        &mut self,
        view: CpuDescriptorHandle,
        flags: ClearFlags,
        depth: f32,
        stencil: u8,
        rects: &[Rect],
    ) -> Result<(), Box<Violation>> {
        const CALL: &str = "ClearDepthStencilView";
        self.recorder(CALL, GRAPHICS)?;
        if flags.is_empty() || !ClearFlags::all().contains(flags) {
            return Err(rules::DEPTH_FLAGS.violated(
                "ClearFlags",
                format_args!("{:#x}", flags.bits()),
                format_args!("{} or either", ClearFlags::all()),
            ));
        }
        let view = self.device.depth_stencil_view(view)?;
        let resource = resource_of("DepthStencilView", view.resource.as_ref())?;
        let range = view.range().expect(INVARIANT);
        let format = view.desc.format;
        let mut planes = Vec::with_capacity(2);
        if flags.contains(ClearFlags::DEPTH) {
            check_writable(view.desc.flags, DsvFlags::READ_ONLY_DEPTH)?;
            let texel = encoded(encode_depth(format, depth), "DepthStencilView", format)?;
            planes.push(PlaneFill { plane: 0, filling: Filling::of(&texel) });
        }
        if flags.contains(ClearFlags::STENCIL) && format.info().kind.contains(FormatKind::STENCIL) {
            check_writable(view.desc.flags, DsvFlags::READ_ONLY_STENCIL)?;
            planes.push(PlaneFill { plane: 1, filling: Filling::of(&encode_stencil(stencil)) });
        }
        if planes.is_empty() {
            return Ok(());
        }
        record_fill(self.recorder(CALL, GRAPHICS)?, resource, &range, &planes, rects)
    }

    fn record_clear_unordered(
        &mut self,
        gpu_handle: GpuDescriptorHandle,
        cpu_handle: CpuDescriptorHandle,
        resource: &Resource,
        values: Values,
        rects: &[Rect],
    ) -> Result<(), Box<Violation>> {
        const CALL: &str = "ClearUnorderedAccessView";
        self.recorder(CALL, SHADING)?;
        self.check_device("pResource", resource)?;
        self.check_unordered_handles(gpu_handle, cpu_handle)?;
        let view = self.device.unordered_access_view(cpu_handle)?;
        let of_view = resource_of("ViewCPUHandle", view.resource.as_ref())?;
        if of_view != resource {
            return Err(rules::UNORDERED_RESOURCE.violated(
                "pResource",
                "another resource than the view's",
                "the view's resource",
            ));
        }
        let texel = unordered_texel(&view, values)?;
        let range = view.range().expect(INVARIANT);
        let fill = plane_fill(&range, &texel);
        record_fill(self.recorder(CALL, SHADING)?, resource, &range, &[fill], rects)
    }

    fn check_unordered_handles(
        &self,
        gpu_handle: GpuDescriptorHandle,
        cpu_handle: CpuDescriptorHandle,
    ) -> Result<(), Box<Violation>> {
        let cpu = self.device.descriptor_of_cpu(cpu_handle)?;
        if cpu.heap.flags.contains(DescriptorHeapFlags::SHADER_VISIBLE) {
            return Err(rules::UNORDERED_CPU_HEAP.violated(
                "ViewCPUHandle",
                format_args!("{cpu_handle} of a heap with SHADER_VISIBLE"),
                "a handle of a heap without SHADER_VISIBLE",
            ));
        }
        let gpu = self.device.descriptor_of_gpu(gpu_handle)?;
        if self.descriptor_heap(DescriptorHeapType::CbvSrvUav) != Some(gpu.heap_start) {
            return Err(rules::UNORDERED_GPU_HEAP.violated(
                "ViewGPUHandleInCurrentHeap",
                format_args!("{gpu_handle} of a heap that is not set"),
                "a handle of the CBV_SRV_UAV heap that is set",
            ));
        }
        Ok(())
    }
}

fn resource_of<'a>(
    field: &'static str,
    resource: Option<&'a Resource>,
) -> Result<&'a Resource, Box<Violation>> {
    resource.ok_or_else(|| rules::NULL_VIEW.violated(field, "a null descriptor", "a view of a resource"))
}

fn encoded(texel: Option<Texel>, field: &'static str, format: Format) -> Result<Texel, Box<Violation>> {
    texel.ok_or_else(|| {
        rules::VIEW_FORMAT.violated(
            field,
            format_args!("a view of format {format}"),
            "a format that this call clears",
        )
    })
}

/// The fill of the one plane that a view sees.
fn plane_fill(range: &ViewRange, texel: &Texel) -> PlaneFill {
    let plane = match range {
        ViewRange::Buffer { .. } => 0,
        ViewRange::Texture(range) => range.plane,
    };
    PlaneFill { plane, filling: Filling::of(texel) }
}

fn check_writable(flags: DsvFlags, read_only: DsvFlags) -> Result<(), Box<Violation>> {
    if flags.contains(read_only) {
        return Err(rules::DEPTH_READ_ONLY.violated(
            "DepthStencilView",
            format_args!("a view with {flags}"),
            format_args!("a view without {read_only}"),
        ));
    }
    Ok(())
}

fn unordered_texel(view: &UnorderedAccessView, values: Values) -> Result<Texel, Box<Violation>> {
    let mut format = view.desc.format;
    let mut is_raw = false;
    if let UavDimension::Buffer { structure_byte_stride, flags, .. } = view.desc.dimension {
        if structure_byte_stride != 0 {
            return Err(rules::UNORDERED_STRUCTURED.violated(
                "ViewCPUHandle",
                format_args!("a view of structures of {structure_byte_stride} bytes"),
                "a raw or typed view",
            ));
        }
        is_raw = flags.contains(BufferViewFlags::RAW);
    }
    let texel = match values {
        Values::Uint(values) if is_raw || is_clearable_as_unordered_access_uint(format) => {
            if is_raw {
                format = Format::R32_TYPELESS;
            }
            encode_clear_uint(format, values)
        }
        Values::Float(values) if is_clearable_as_unordered_access_float(format) => {
            encode_clear_color(format, values)
        }
        Values::Uint(_) | Values::Float(_) => None,
    };
    encoded(texel, "ViewCPUHandle", format)
}
