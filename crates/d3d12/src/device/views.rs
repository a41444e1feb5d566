//! Views and samplers: CreateConstantBufferView and its like, CopyDescriptors.

use core::ffi::c_void;

use heapstone::DescriptorRanges;

use super::Device;
use crate::com::Object;
use crate::convert::{self, size};
use crate::failure::Failure;
use crate::types::*;

type Done = Result<(), Failure>;

#[inline]
pub(super) unsafe fn constant_buffer(
    this: &Object<Device>,
    desc: *const D3D12_CONSTANT_BUFFER_VIEW_DESC,
    at: D3D12_CPU_DESCRIPTOR_HANDLE,
) -> Done {
    // SAFETY: the pointer is the client's.
    let desc = unsafe { desc.as_ref() }.map(convert::constant_buffer_view);
    Ok(this.runtime.create_constant_buffer_view(desc.as_ref(), convert::cpu_handle(at))?)
}

macro_rules! resource_view {
    ($( $function:ident, $desc:ident, $create:ident; )*) => {$(
        pub(super) unsafe fn $function(
            this: &Object<Device>,
            resource: *mut c_void,
            desc: *const $desc,
            at: D3D12_CPU_DESCRIPTOR_HANDLE,
        ) -> Done {
            // SAFETY: the pointer is the client's.
            let resource = unsafe { convert::optional_resource(resource, "pResource is no resource") }?;
            // SAFETY: as above.
            let desc = unsafe { desc.as_ref() };
            let desc = desc.map(convert::$function).transpose()?;
            Ok(this.runtime.$create(resource, desc.as_ref(), convert::cpu_handle(at))?)
        }
    )*};
}

resource_view! {
    shader_resource_view, D3D12_SHADER_RESOURCE_VIEW_DESC, create_shader_resource_view;
    render_target_view, D3D12_RENDER_TARGET_VIEW_DESC, create_render_target_view;
    depth_stencil_view, D3D12_DEPTH_STENCIL_VIEW_DESC, create_depth_stencil_view;
}

pub(super) unsafe fn unordered_access_view(
    this: &Object<Device>,
    resource: *mut c_void,
    counter: *mut c_void,
    desc: *const D3D12_UNORDERED_ACCESS_VIEW_DESC,
    at: D3D12_CPU_DESCRIPTOR_HANDLE,
) -> Done {
    // SAFETY: the arguments are the client's.
    let (resource, counter, desc) = unsafe {
        (
            convert::optional_resource(resource, "pResource is no resource")?,
            convert::optional_resource(counter, "pCounterResource is no resource")?,
            desc.as_ref(),
        )
    };
    let desc = desc.map(convert::unordered_access_view).transpose()?;
    Ok(this.runtime.create_unordered_access_view(
        resource,
        counter,
        desc.as_ref(),
        convert::cpu_handle(at),
    )?)
}

#[inline]
pub(super) unsafe fn sampler(
    this: &Object<Device>,
    desc: *const D3D12_SAMPLER_DESC,
    at: D3D12_CPU_DESCRIPTOR_HANDLE,
) -> Done {
    // SAFETY: the pointer is the client's.
    let desc = unsafe { desc.as_ref() }.ok_or(Failure::Argument("pDesc is NULL"))?;
    let desc = convert::sampler(&convert::sampler_desc2(desc))?;
    Ok(this.runtime.create_sampler(&desc, convert::cpu_handle(at))?)
}

pub(super) unsafe fn sampler2(
    this: &Object<Device>,
    desc: *const D3D12_SAMPLER_DESC2,
    at: D3D12_CPU_DESCRIPTOR_HANDLE,
) -> Done {
    // SAFETY: the pointer is the client's.
    let desc = unsafe { desc.as_ref() }.ok_or(Failure::Argument("pDesc is NULL"))?;
    Ok(this.runtime.create_sampler(&convert::sampler(desc)?, convert::cpu_handle(at))?)
}

/// One side of CopyDescriptors: starts, and sizes where they are not all 1.
pub(super) struct Ranges {
    pub(super) count: u32,
    pub(super) starts: *const D3D12_CPU_DESCRIPTOR_HANDLE,
    pub(super) sizes: *const u32,
}

pub(super) unsafe fn copy(
    this: &Object<Device>,
    destination: &Ranges,
    source: &Ranges,
    heap_type: u32,
) -> Done {
    // SAFETY: the arguments are the client's.
    unsafe {
        let starts = |ranges: &Ranges| {
            let given = convert::slice(ranges.starts, ranges.count, "a range's starts are NULL")?;
            Ok::<_, Failure>(convert::cpu_handles(given))
        };
        let (to, from) = (starts(destination)?, starts(source)?);
        let sizes = |ranges: &Ranges| {
            (!ranges.sizes.is_null()).then(|| core::slice::from_raw_parts(ranges.sizes, size(ranges.count)))
        };
        Ok(this.runtime.copy_descriptors(
            DescriptorRanges { starts: &to, sizes: sizes(destination) },
            DescriptorRanges { starts: &from, sizes: sizes(source) },
            convert::descriptor_heap_type(heap_type)?,
        )?)
    }
}

#[inline]
pub(super) fn copy_simple(
    this: &Object<Device>,
    count: u32,
    destination: D3D12_CPU_DESCRIPTOR_HANDLE,
    source: D3D12_CPU_DESCRIPTOR_HANDLE,
    heap_type: u32,
) -> Done {
    let heap_type = convert::descriptor_heap_type(heap_type)?;
    let (destination, source) = (convert::cpu_handle(destination), convert::cpu_handle(source));
    Ok(this.runtime.copy_descriptors_simple(count, destination, source, heap_type)?)
}
