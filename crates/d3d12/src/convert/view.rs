//! Descriptors.

use heapstone::GpuVirtualAddress;
use heapstone::spec::views::{
    BorderColor, BufferViewFlags, ComparisonFunc, ComponentMapping, ConstantBufferViewDesc,
    CpuDescriptorHandle, DepthStencilViewDesc, DescriptorHeapDesc, DescriptorHeapFlags, DescriptorHeapType,
    DsvDimension, DsvFlags, Filter, GpuDescriptorHandle, RenderTargetViewDesc, RtvDimension, SamplerDesc,
    ShaderResourceViewDesc, SrvDimension, TextureAddressMode, UavDimension, UnorderedAccessViewDesc,
};

use super::{format, known};
use crate::failure::Unknown;
use crate::types::{
    D3D12_CONSTANT_BUFFER_VIEW_DESC, D3D12_CPU_DESCRIPTOR_HANDLE, D3D12_DEPTH_STENCIL_VIEW_DESC,
    D3D12_DESCRIPTOR_HEAP_DESC, D3D12_GPU_DESCRIPTOR_HANDLE, D3D12_RENDER_TARGET_VIEW_DESC,
    D3D12_SAMPLER_DESC, D3D12_SAMPLER_DESC2, D3D12_SHADER_RESOURCE_VIEW_DESC,
    D3D12_UNORDERED_ACCESS_VIEW_DESC,
};

/// # Errors
/// A number that is no type.
pub fn descriptor_heap_type(given: u32) -> Result<DescriptorHeapType, Unknown> {
    known(DescriptorHeapType::from_d3d12(given), "D3D12_DESCRIPTOR_HEAP_TYPE", given)
}

/// # Errors
/// As [`descriptor_heap_type`]; a flag that there is not.
pub fn descriptor_heap_desc(given: &D3D12_DESCRIPTOR_HEAP_DESC) -> Result<DescriptorHeapDesc, Unknown> {
    let flags = DescriptorHeapFlags::from_bits(given.Flags);
    Ok(DescriptorHeapDesc {
        heap_type: descriptor_heap_type(given.Type)?,
        descriptor_count: given.NumDescriptors,
        flags: known(flags, "D3D12_DESCRIPTOR_HEAP_DESC.Flags", given.Flags)?,
        node_mask: given.NodeMask,
    })
}

/// A handle.
#[inline]
#[must_use]
pub fn cpu_handle(given: D3D12_CPU_DESCRIPTOR_HANDLE) -> CpuDescriptorHandle {
    CpuDescriptorHandle { ptr: u64::try_from(given.ptr).expect("invariant: an address fits 64 bits") }
}

/// The other way.
#[must_use]
pub fn to_cpu_handle(handle: CpuDescriptorHandle) -> D3D12_CPU_DESCRIPTOR_HANDLE {
    D3D12_CPU_DESCRIPTOR_HANDLE {
        ptr: usize::try_from(handle.ptr).expect("invariant: 64 bits fit an address"),
    }
}

/// A handle.
#[must_use]
pub fn gpu_handle(given: D3D12_GPU_DESCRIPTOR_HANDLE) -> GpuDescriptorHandle {
    GpuDescriptorHandle { ptr: given.ptr }
}

/// -1 means all that is left.
fn all_or(count: u32) -> Option<u32> {
    (count != u32::MAX).then_some(count)
}

/// D3D12_CONSTANT_BUFFER_VIEW_DESC.
#[inline]
#[must_use]
pub fn constant_buffer_view(given: &D3D12_CONSTANT_BUFFER_VIEW_DESC) -> ConstantBufferViewDesc {
    ConstantBufferViewDesc {
        buffer_location: GpuVirtualAddress(given.BufferLocation),
        size_in_bytes: given.SizeInBytes,
    }
}

/// # Errors
/// A number that is no dimension, format or component mapping.
pub fn shader_resource_view(
    given: &D3D12_SHADER_RESOURCE_VIEW_DESC,
) -> Result<ShaderResourceViewDesc, Unknown> {
    // SAFETY: any bytes are words.
    let [a, b, c, d, e, f] = unsafe { given.u.Words };
    let clamp = f32::from_bits;
    let dimension = match given.ViewDimension {
        1 => {
            // SAFETY: the dimension says which part is there.
            let buffer = unsafe { given.u.Buffer };
            SrvDimension::Buffer {
                first_element: buffer.FirstElement,
                element_count: buffer.NumElements,
                structure_byte_stride: buffer.StructureByteStride,
                flags: BufferViewFlags::from_bits_retain(buffer.Flags),
            }
        }
        2 => SrvDimension::Texture1D {
            most_detailed_mip: a,
            mip_levels: all_or(b),
            resource_min_lod_clamp: clamp(c),
        },
        3 => SrvDimension::Texture1DArray {
            most_detailed_mip: a,
            mip_levels: all_or(b),
            first_array_slice: c,
            array_size: all_or(d),
            resource_min_lod_clamp: clamp(e),
        },
        4 => SrvDimension::Texture2D {
            most_detailed_mip: a,
            mip_levels: all_or(b),
            plane_slice: c,
            resource_min_lod_clamp: clamp(d),
        },
        5 => SrvDimension::Texture2DArray {
            most_detailed_mip: a,
            mip_levels: all_or(b),
            first_array_slice: c,
            array_size: all_or(d),
            plane_slice: e,
            resource_min_lod_clamp: clamp(f),
        },
        6 => SrvDimension::Texture2DMs,
        7 => SrvDimension::Texture2DMsArray { first_array_slice: a, array_size: all_or(b) },
        8 => SrvDimension::Texture3D {
            most_detailed_mip: a,
            mip_levels: all_or(b),
            resource_min_lod_clamp: clamp(c),
        },
        9 => SrvDimension::TextureCube {
            most_detailed_mip: a,
            mip_levels: all_or(b),
            resource_min_lod_clamp: clamp(c),
        },
        10 => SrvDimension::TextureCubeArray {
            most_detailed_mip: a,
            mip_levels: all_or(b),
            first_2d_array_face: c,
            cube_count: all_or(d),
            resource_min_lod_clamp: clamp(e),
        },
        11 => {
            // SAFETY: the dimension says which part is there.
            let location = unsafe { given.u.Location };
            SrvDimension::RaytracingAccelerationStructure { location: GpuVirtualAddress(location) }
        }
        other => return Err(dimension_unknown(other)),
    };
    let mapping = given.Shader4ComponentMapping;
    Ok(ShaderResourceViewDesc {
        format: format(given.Format)?,
        dimension,
        component_mapping: known(ComponentMapping::from_d3d12(mapping), "Shader4ComponentMapping", mapping)?,
    })
}

fn dimension_unknown(given: u32) -> Unknown {
    Unknown { field: "ViewDimension", given: u64::from(given) }
}

/// # Errors
/// A number that is no dimension or format.
pub fn unordered_access_view(
    given: &D3D12_UNORDERED_ACCESS_VIEW_DESC,
) -> Result<UnorderedAccessViewDesc, Unknown> {
    // SAFETY: any bytes are words.
    let [a, b, c, d, ..] = unsafe { given.u.Words };
    let dimension = match given.ViewDimension {
        1 => {
            // SAFETY: the dimension says which part is there.
            let buffer = unsafe { given.u.Buffer };
            UavDimension::Buffer {
                first_element: buffer.FirstElement,
                element_count: buffer.NumElements,
                structure_byte_stride: buffer.StructureByteStride,
                counter_offset_in_bytes: buffer.CounterOffsetInBytes,
                flags: BufferViewFlags::from_bits_retain(buffer.Flags),
            }
        }
        2 => UavDimension::Texture1D { mip_slice: a },
        3 => UavDimension::Texture1DArray { mip_slice: a, first_array_slice: b, array_size: all_or(c) },
        4 => UavDimension::Texture2D { mip_slice: a, plane_slice: b },
        5 => UavDimension::Texture2DArray {
            mip_slice: a,
            first_array_slice: b,
            array_size: all_or(c),
            plane_slice: d,
        },
        6 => UavDimension::Texture2DMs,
        7 => UavDimension::Texture2DMsArray { first_array_slice: a, array_size: all_or(b) },
        8 => UavDimension::Texture3D { mip_slice: a, first_w_slice: b, w_size: all_or(c) },
        other => return Err(dimension_unknown(other)),
    };
    Ok(UnorderedAccessViewDesc { format: format(given.Format)?, dimension })
}

/// # Errors
/// As [`unordered_access_view`].
pub fn render_target_view(given: &D3D12_RENDER_TARGET_VIEW_DESC) -> Result<RenderTargetViewDesc, Unknown> {
    // SAFETY: any bytes are words.
    let [a, b, c, d] = unsafe { given.u.Words };
    let dimension = match given.ViewDimension {
        1 => {
            // SAFETY: the dimension says which part is there.
            let buffer = unsafe { given.u.Buffer };
            RtvDimension::Buffer { first_element: buffer.FirstElement, element_count: buffer.NumElements }
        }
        2 => RtvDimension::Texture1D { mip_slice: a },
        3 => RtvDimension::Texture1DArray { mip_slice: a, first_array_slice: b, array_size: all_or(c) },
        4 => RtvDimension::Texture2D { mip_slice: a, plane_slice: b },
        5 => RtvDimension::Texture2DArray {
            mip_slice: a,
            first_array_slice: b,
            array_size: all_or(c),
            plane_slice: d,
        },
        6 => RtvDimension::Texture2DMs,
        7 => RtvDimension::Texture2DMsArray { first_array_slice: a, array_size: all_or(b) },
        8 => RtvDimension::Texture3D { mip_slice: a, first_w_slice: b, w_size: all_or(c) },
        other => return Err(dimension_unknown(other)),
    };
    Ok(RenderTargetViewDesc { format: format(given.Format)?, dimension })
}

/// # Errors
/// As [`unordered_access_view`].
pub fn depth_stencil_view(given: &D3D12_DEPTH_STENCIL_VIEW_DESC) -> Result<DepthStencilViewDesc, Unknown> {
    let [a, b, c] = given.u;
    let dimension = match given.ViewDimension {
        1 => DsvDimension::Texture1D { mip_slice: a },
        2 => DsvDimension::Texture1DArray { mip_slice: a, first_array_slice: b, array_size: all_or(c) },
        3 => DsvDimension::Texture2D { mip_slice: a },
        4 => DsvDimension::Texture2DArray { mip_slice: a, first_array_slice: b, array_size: all_or(c) },
        5 => DsvDimension::Texture2DMs,
        6 => DsvDimension::Texture2DMsArray { first_array_slice: a, array_size: all_or(b) },
        other => return Err(dimension_unknown(other)),
    };
    let flags = DsvFlags::from_bits_retain(given.Flags);
    Ok(DepthStencilViewDesc { format: format(given.Format)?, dimension, flags })
}

/// D3D12_SAMPLER_DESC as D3D12_SAMPLER_DESC2.
#[inline(always)]
#[must_use]
pub fn sampler_desc2(given: &D3D12_SAMPLER_DESC) -> D3D12_SAMPLER_DESC2 {
    D3D12_SAMPLER_DESC2 {
        Filter: given.Filter,
        AddressU: given.AddressU,
        AddressV: given.AddressV,
        AddressW: given.AddressW,
        MipLODBias: given.MipLODBias,
        MaxAnisotropy: given.MaxAnisotropy,
        ComparisonFunc: given.ComparisonFunc,
        BorderColor: given.BorderColor.map(f32::to_bits),
        MinLOD: given.MinLOD,
        MaxLOD: given.MaxLOD,
        Flags: 0,
    }
}

/// D3D12_SAMPLER_FLAG_UINT_BORDER_COLOR.
const UINT_BORDER_COLOR: u32 = 1;

/// # Errors
/// A number that is no filter, address mode or comparison; a flag that no device here has.
#[inline(always)]
pub fn sampler(given: &D3D12_SAMPLER_DESC2) -> Result<SamplerDesc, Unknown> {
    let mode = |mode: u32, field| known(TextureAddressMode::from_d3d12(mode), field, mode);
    if given.Flags & !UINT_BORDER_COLOR != 0 {
        return Err(Unknown { field: "D3D12_SAMPLER_DESC2.Flags", given: u64::from(given.Flags) });
    }
    Ok(SamplerDesc {
        filter: known(Filter::from_d3d12(given.Filter), "Filter", given.Filter)?,
        address_u: mode(given.AddressU, "AddressU")?,
        address_v: mode(given.AddressV, "AddressV")?,
        address_w: mode(given.AddressW, "AddressW")?,
        mip_lod_bias: given.MipLODBias,
        max_anisotropy: given.MaxAnisotropy,
        comparison_func: known(
            ComparisonFunc::from_d3d12(given.ComparisonFunc),
            "ComparisonFunc",
            given.ComparisonFunc,
        )?,
        border_color: if given.Flags & UINT_BORDER_COLOR == 0 {
            BorderColor::Float(given.BorderColor.map(f32::from_bits))
        } else {
            BorderColor::Uint(given.BorderColor)
        },
        min_lod: given.MinLOD,
        max_lod: given.MaxLOD,
    })
}

/// The descriptors that handles of C name.
#[must_use]
pub fn cpu_handles(given: &[D3D12_CPU_DESCRIPTOR_HANDLE]) -> Vec<CpuDescriptorHandle> {
    given.iter().map(|handle| cpu_handle(*handle)).collect()
}
