//! Heaps, resources, sizes.

use heapstone::spec::commands::Box3D;
use heapstone::{
    BarrierLayout, ByteRange, ClearColor, ClearValue, CpuPageProperty, Format, HeapDesc, HeapFlags,
    HeapProperties, HeapType, MemoryPool, MipRegion, PlacedFootprint, ResourceAllocationInfo, ResourceDesc,
    ResourceDimension, ResourceFlags, SampleDesc, TextureLayout,
};

use super::known;
use crate::failure::Unknown;
use crate::types::{
    D3D12_BOX, D3D12_CLEAR_VALUE, D3D12_HEAP_DESC, D3D12_HEAP_PROPERTIES, D3D12_MIP_REGION,
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT, D3D12_RANGE, D3D12_RESOURCE_ALLOCATION_INFO, D3D12_RESOURCE_DESC,
    D3D12_RESOURCE_DESC1, D3D12_SUBRESOURCE_FOOTPRINT, DXGI_SAMPLE_DESC,
};

/// # Errors
/// A number that is no format.
#[inline]
pub fn format(number: u32) -> Result<Format, Unknown> {
    known(Format::from_dxgi(number), "Format", number)
}

/// # Errors
/// A number that is no heap type, page property or pool.
#[inline]
pub fn heap_properties(given: &D3D12_HEAP_PROPERTIES) -> Result<HeapProperties, Unknown> {
    Ok(HeapProperties {
        heap_type: known(HeapType::from_d3d12(given.Type), "D3D12_HEAP_PROPERTIES.Type", given.Type)?,
        cpu_page_property: known(
            CpuPageProperty::from_d3d12(given.CPUPageProperty),
            "D3D12_HEAP_PROPERTIES.CPUPageProperty",
            given.CPUPageProperty,
        )?,
        memory_pool_preference: known(
            MemoryPool::from_d3d12(given.MemoryPoolPreference),
            "D3D12_HEAP_PROPERTIES.MemoryPoolPreference",
            given.MemoryPoolPreference,
        )?,
        creation_node_mask: given.CreationNodeMask,
        visible_node_mask: given.VisibleNodeMask,
    })
}

/// The other way.
#[must_use]
pub fn to_heap_properties(properties: &HeapProperties) -> D3D12_HEAP_PROPERTIES {
    D3D12_HEAP_PROPERTIES {
        Type: properties.heap_type.to_d3d12(),
        CPUPageProperty: properties.cpu_page_property.to_d3d12(),
        MemoryPoolPreference: properties.memory_pool_preference.to_d3d12(),
        CreationNodeMask: properties.creation_node_mask,
        VisibleNodeMask: properties.visible_node_mask,
    }
}

/// # Errors
/// As [`heap_properties`].
pub fn heap_desc(given: &D3D12_HEAP_DESC) -> Result<HeapDesc, Unknown> {
    Ok(HeapDesc {
        size: given.SizeInBytes,
        properties: heap_properties(&given.Properties)?,
        alignment: given.Alignment,
        flags: HeapFlags::from_bits_retain(given.Flags),
    })
}

/// The other way.
#[must_use]
pub fn to_heap_desc(desc: &HeapDesc) -> D3D12_HEAP_DESC {
    D3D12_HEAP_DESC {
        SizeInBytes: desc.size,
        Properties: to_heap_properties(&desc.properties),
        Alignment: desc.alignment,
        Flags: desc.flags.bits(),
    }
}

/// # Errors
/// A number that is no dimension, format or layout.
// Inlined by force, as its like: what is copied right after it was put together waits for that.
#[inline(always)]
pub fn resource_desc(given: &D3D12_RESOURCE_DESC) -> Result<ResourceDesc, Unknown> {
    Ok(ResourceDesc {
        dimension: known(
            ResourceDimension::from_d3d12(given.Dimension),
            "D3D12_RESOURCE_DESC.Dimension",
            given.Dimension,
        )?,
        alignment: given.Alignment,
        width: given.Width,
        height: given.Height,
        depth_or_array_size: given.DepthOrArraySize,
        mip_levels: given.MipLevels,
        format: known(Format::from_dxgi(given.Format), "D3D12_RESOURCE_DESC.Format", given.Format)?,
        sample_desc: SampleDesc { count: given.SampleDesc.Count, quality: given.SampleDesc.Quality },
        layout: known(TextureLayout::from_d3d12(given.Layout), "D3D12_RESOURCE_DESC.Layout", given.Layout)?,
        flags: ResourceFlags::from_bits_retain(given.Flags),
        sampler_feedback_mip_region: MipRegion { width: 0, height: 0, depth: 0 },
    })
}

/// # Errors
/// As [`resource_desc`].
#[inline(always)]
pub fn resource_desc1(given: &D3D12_RESOURCE_DESC1) -> Result<ResourceDesc, Unknown> {
    let region = given.SamplerFeedbackMipRegion;
    Ok(ResourceDesc {
        sampler_feedback_mip_region: MipRegion {
            width: region.Width,
            height: region.Height,
            depth: region.Depth,
        },
        ..resource_desc(&without_region(given))?
    })
}

/// D3D12_RESOURCE_DESC1 without what D3D12_RESOURCE_DESC lacks.
#[inline]
#[must_use]
pub fn without_region(given: &D3D12_RESOURCE_DESC1) -> D3D12_RESOURCE_DESC {
    D3D12_RESOURCE_DESC {
        Dimension: given.Dimension,
        Alignment: given.Alignment,
        Width: given.Width,
        Height: given.Height,
        DepthOrArraySize: given.DepthOrArraySize,
        MipLevels: given.MipLevels,
        Format: given.Format,
        SampleDesc: given.SampleDesc,
        Layout: given.Layout,
        Flags: given.Flags,
    }
}

/// The other way.
#[inline(always)]
#[must_use]
pub fn to_resource_desc1(desc: &ResourceDesc) -> D3D12_RESOURCE_DESC1 {
    let region = desc.sampler_feedback_mip_region;
    D3D12_RESOURCE_DESC1 {
        Dimension: desc.dimension.to_d3d12(),
        Alignment: desc.alignment,
        Width: desc.width,
        Height: desc.height,
        DepthOrArraySize: desc.depth_or_array_size,
        MipLevels: desc.mip_levels,
        Format: desc.format.to_dxgi(),
        SampleDesc: DXGI_SAMPLE_DESC { Count: desc.sample_desc.count, Quality: desc.sample_desc.quality },
        Layout: desc.layout.to_d3d12(),
        Flags: desc.flags.bits(),
        SamplerFeedbackMipRegion: D3D12_MIP_REGION {
            Width: region.width,
            Height: region.height,
            Depth: region.depth,
        },
    }
}

/// The optimised clear value of a resource with `desc`: which half of the union counts its flags say.
///
/// # Errors
/// A number that is no format.
pub fn clear_value(given: &D3D12_CLEAR_VALUE, desc: &ResourceDesc) -> Result<ClearValue, Unknown> {
    let value = if desc.flags.contains(ResourceFlags::ALLOW_DEPTH_STENCIL) {
        // D3D12_DEPTH_STENCIL_VALUE lies over the colour: a float, then a byte.
        let [stencil, ..] = given.Color[1].to_bits().to_ne_bytes();
        ClearColor::DepthStencil { depth: given.Color[0], stencil }
    } else {
        ClearColor::Color(given.Color)
    };
    Ok(ClearValue {
        format: known(Format::from_dxgi(given.Format), "D3D12_CLEAR_VALUE.Format", given.Format)?,
        value,
    })
}

/// # Errors
/// A number that is no layout.
pub fn barrier_layout(given: u32, field: &'static str) -> Result<BarrierLayout, Unknown> {
    known(BarrierLayout::from_d3d12(given), field, given)
}

/// What GetResourceAllocationInfo returns.
#[inline]
#[must_use]
pub fn to_allocation_info(info: ResourceAllocationInfo) -> D3D12_RESOURCE_ALLOCATION_INFO {
    D3D12_RESOURCE_ALLOCATION_INFO { SizeInBytes: info.size, Alignment: info.alignment }
}

/// D3D12_RANGE.
#[inline]
#[must_use]
pub fn range(given: &D3D12_RANGE) -> ByteRange {
    let widen = |bytes: usize| u64::try_from(bytes).expect("invariant: an address fits 64 bits");
    ByteRange::new(widen(given.Begin), widen(given.End))
}

/// D3D12_BOX.
#[must_use]
pub fn box3d(given: &D3D12_BOX) -> Box3D {
    let D3D12_BOX { left, top, front, right, bottom, back } = *given;
    Box3D { left, top, front, right, bottom, back }
}

/// D3D12_PLACED_SUBRESOURCE_FOOTPRINT.
#[must_use]
pub fn to_placed_footprint(footprint: &PlacedFootprint) -> D3D12_PLACED_SUBRESOURCE_FOOTPRINT {
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT {
        Offset: footprint.offset,
        Footprint: D3D12_SUBRESOURCE_FOOTPRINT {
            Format: footprint.format.to_dxgi(),
            Width: footprint.width,
            Height: footprint.height,
            Depth: footprint.depth,
            RowPitch: footprint.row_pitch,
        },
    }
}

/// The other way.
///
/// # Errors
/// A number that is no format.
pub fn placed_footprint(given: &D3D12_PLACED_SUBRESOURCE_FOOTPRINT) -> Result<PlacedFootprint, Unknown> {
    let footprint = given.Footprint;
    Ok(PlacedFootprint {
        offset: given.Offset,
        format: format(footprint.Format)?,
        width: footprint.Width,
        height: footprint.Height,
        depth: footprint.Depth,
        row_pitch: footprint.RowPitch,
    })
}

/// D3D12_RESOURCE_DESC or D3D12_RESOURCE_DESC1.
pub trait AnyResourceDesc {
    /// In the library's words.
    ///
    /// # Errors
    /// A number that is none of its enumeration.
    fn convert(&self) -> Result<ResourceDesc, Unknown>;
}

impl AnyResourceDesc for D3D12_RESOURCE_DESC {
    #[inline(always)]
    fn convert(&self) -> Result<ResourceDesc, Unknown> {
        resource_desc(self)
    }
}

impl AnyResourceDesc for D3D12_RESOURCE_DESC1 {
    #[inline(always)]
    fn convert(&self) -> Result<ResourceDesc, Unknown> {
        resource_desc1(self)
    }
}
