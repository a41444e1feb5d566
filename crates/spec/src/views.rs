//! Descriptor heaps, handles and views: D3D12's words.
//!
//! Source of names, numbers and fields: D3D12's public headers (`d3d12.h`) and Microsoft's public D3D12
//! resource binding specification. Where D3D12 says "-1: all that is left", a count here is `None`.

use bitflags::bitflags;
use heapstone_units::GpuVirtualAddress;
use serde::{Deserialize, Serialize};

use crate::Format;
use crate::enums::d3d12_enum;
use crate::flags::flag_text;

mod formats;
mod sampler;

pub use formats::{formats_of_views, plane_of_view};
pub use sampler::{BorderColor, ComparisonFunc, Filter, FilterReduction, SamplerDesc, TextureAddressMode};

d3d12_enum! {
    /// D3D12_DESCRIPTOR_HEAP_TYPE.
    DescriptorHeapType as "D3D12_DESCRIPTOR_HEAP_TYPE" {
        /// Views that shaders read and write, intermixed.
        CbvSrvUav = 0, "CBV_SRV_UAV";
        /// Samplers.
        Sampler = 1, "SAMPLER";
        /// Render-target views.
        Rtv = 2, "RTV";
        /// Depth-stencil views.
        Dsv = 3, "DSV";
    }
}

d3d12_enum! {
    /// What kind of view a description describes; D3D12 has no such enumeration, but a structure for each.
    ViewKind as "view" {
        /// D3D12_SHADER_RESOURCE_VIEW_DESC.
        ShaderResource = 0, "SRV";
        /// D3D12_UNORDERED_ACCESS_VIEW_DESC.
        UnorderedAccess = 1, "UAV";
        /// D3D12_RENDER_TARGET_VIEW_DESC.
        RenderTarget = 2, "RTV";
        /// D3D12_DEPTH_STENCIL_VIEW_DESC.
        DepthStencil = 3, "DSV";
    }
}

bitflags! {
    /// D3D12_DESCRIPTOR_HEAP_FLAGS.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct DescriptorHeapFlags: u32 {
        /// Shaders reach it through descriptor tables; the CPU only writes it.
        const SHADER_VISIBLE = 0x1;
    }
}

bitflags! {
    /// D3D12_BUFFER_SRV_FLAGS and D3D12_BUFFER_UAV_FLAGS, which have the same one bit.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct BufferViewFlags: u32 {
        /// Addressed by dwords: format R32_TYPELESS, no stride.
        const RAW = 0x1;
    }
}

bitflags! {
    /// D3D12_DSV_FLAGS.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct DsvFlags: u32 {
        /// Depth is not written through the view.
        const READ_ONLY_DEPTH = 0x1;
        /// Stencil is not written through the view.
        const READ_ONLY_STENCIL = 0x2;
    }
}

flag_text!(DescriptorHeapFlags, "NONE", "D3D12_DESCRIPTOR_HEAP_FLAGS");
flag_text!(BufferViewFlags, "NONE", "D3D12_BUFFER_SRV_FLAGS");
flag_text!(DsvFlags, "NONE", "D3D12_DSV_FLAGS");

/// D3D12_DESCRIPTOR_HEAP_DESC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DescriptorHeapDesc {
    /// What it holds.
    pub heap_type: DescriptorHeapType,
    /// NumDescriptors.
    pub descriptor_count: u32,
    /// Whether shaders reach it.
    pub flags: DescriptorHeapFlags,
    /// The one node whose it is, as a bit; 0 means node 0.
    pub node_mask: u32,
}

impl DescriptorHeapDesc {
    /// A heap that shaders do not reach, on node 0.
    #[must_use]
    pub const fn new(heap_type: DescriptorHeapType, descriptor_count: u32) -> DescriptorHeapDesc {
        DescriptorHeapDesc { heap_type, descriptor_count, flags: DescriptorHeapFlags::empty(), node_mask: 0 }
    }

    /// The same, reached by shaders.
    #[must_use]
    pub const fn shader_visible(self) -> DescriptorHeapDesc {
        DescriptorHeapDesc { flags: DescriptorHeapFlags::SHADER_VISIBLE, ..self }
    }

    /// Whether shaders reach it.
    #[must_use]
    pub const fn is_shader_visible(&self) -> bool {
        self.flags.contains(DescriptorHeapFlags::SHADER_VISIBLE)
    }
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name {
            /// The number; 0 is no descriptor.
            pub ptr: u64,
        }

        impl $name {
            /// The handle `descriptors` further, of a heap with that increment. The sum wraps, as that of
            /// D3D12's own helper does: a handle is judged when it is used.
            #[must_use]
            pub const fn offset(self, descriptors: u32, increment: u32) -> $name {
                // u32::MAX * u32::MAX fits 64 bits; `as` widens, since From is not const.
                $name { ptr: self.ptr.wrapping_add(descriptors as u64 * increment as u64) }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{:#x}", self.ptr)
            }
        }
    };
}

handle! {
    /// D3D12_CPU_DESCRIPTOR_HANDLE: a descriptor as the CPU names it, when it writes or copies it.
    CpuDescriptorHandle
}

handle! {
    /// D3D12_GPU_DESCRIPTOR_HANDLE: a descriptor of a shader-visible heap, as command lists name it.
    GpuDescriptorHandle
}

/// D3D12_SHADER_COMPONENT_MAPPING: where one of a shader's four components comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[repr(u8)]
pub enum ComponentSource {
    /// The first component in memory.
    Memory0 = 0,
    /// The second.
    Memory1 = 1,
    /// The third.
    Memory2 = 2,
    /// The fourth.
    Memory3 = 3,
    /// Always 0.
    Zero = 4,
    /// Always 1, as an integer or a float by the component's type.
    One = 5,
}

/// Shader4ComponentMapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ComponentMapping(pub [ComponentSource; 4]);

impl ComponentMapping {
    /// D3D12_DEFAULT_SHADER_4_COMPONENT_MAPPING: each from its own.
    pub const IDENTITY: ComponentMapping = ComponentMapping([
        ComponentSource::Memory0,
        ComponentSource::Memory1,
        ComponentSource::Memory2,
        ComponentSource::Memory3,
    ]);

    /// D3D12's number (D3D12_ENCODE_SHADER_4_COMPONENT_MAPPING): three bits each from the lowest, and bit 12,
    /// which is always set.
    #[must_use]
    pub fn to_d3d12(self) -> u32 {
        let [red, green, blue, alpha] = self.0.map(|source| source as u32);
        red | green << 3 | blue << 6 | alpha << 9 | 1 << 12
    }

    /// The mapping of D3D12's number; `None` where bit 12 is clear, a higher one is set, or a component is
    /// 6 or 7.
    #[must_use]
    pub fn from_d3d12(number: u32) -> Option<ComponentMapping> {
        if number >> 12 != 1 {
            return None;
        }
        let source = |shift: u32| {
            Some(match number >> shift & 7 {
                0 => ComponentSource::Memory0,
                1 => ComponentSource::Memory1,
                2 => ComponentSource::Memory2,
                3 => ComponentSource::Memory3,
                4 => ComponentSource::Zero,
                5 => ComponentSource::One,
                _ => return None,
            })
        };
        Some(ComponentMapping([source(0)?, source(3)?, source(6)?, source(9)?]))
    }
}

impl Default for ComponentMapping {
    fn default() -> ComponentMapping {
        ComponentMapping::IDENTITY
    }
}

/// D3D12_SHADER_RESOURCE_VIEW_DESC.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShaderResourceViewDesc {
    /// How elements are read; UNKNOWN is the resource's own, and that of structured buffers.
    pub format: Format,
    /// ViewDimension and the structure that goes with it.
    pub dimension: SrvDimension,
    /// Shader4ComponentMapping.
    pub component_mapping: ComponentMapping,
}

/// D3D12_SRV_DIMENSION and the fields of each. Mips, slices, planes and cubes are counted from 0;
/// `resource_min_lod_clamp` counts mips of the resource.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the fields are D3D12's, and the same in each variant")]
pub enum SrvDimension {
    /// D3D12_BUFFER_SRV. Elements of the format, of `structure_byte_stride` bytes where that is not 0, of 4
    /// bytes where RAW.
    #[serde(rename = "BUFFER")]
    Buffer { first_element: u64, element_count: u32, structure_byte_stride: u32, flags: BufferViewFlags },
    /// D3D12_TEX1D_SRV.
    #[serde(rename = "TEXTURE1D")]
    Texture1D {
        most_detailed_mip: u32,
        mip_levels: Option<u32>,
        #[serde(with = "crate::text::float")]
        resource_min_lod_clamp: f32,
    },
    /// D3D12_TEX1D_ARRAY_SRV.
    #[serde(rename = "TEXTURE1DARRAY")]
    Texture1DArray {
        most_detailed_mip: u32,
        mip_levels: Option<u32>,
        first_array_slice: u32,
        array_size: Option<u32>,
        #[serde(with = "crate::text::float")]
        resource_min_lod_clamp: f32,
    },
    /// D3D12_TEX2D_SRV.
    #[serde(rename = "TEXTURE2D")]
    Texture2D {
        most_detailed_mip: u32,
        mip_levels: Option<u32>,
        plane_slice: u32,
        #[serde(with = "crate::text::float")]
        resource_min_lod_clamp: f32,
    },
    /// D3D12_TEX2D_ARRAY_SRV.
    #[serde(rename = "TEXTURE2DARRAY")]
    Texture2DArray {
        most_detailed_mip: u32,
        mip_levels: Option<u32>,
        first_array_slice: u32,
        array_size: Option<u32>,
        plane_slice: u32,
        #[serde(with = "crate::text::float")]
        resource_min_lod_clamp: f32,
    },
    /// D3D12_TEX2DMS_SRV.
    #[serde(rename = "TEXTURE2DMS")]
    Texture2DMs,
    /// D3D12_TEX2DMS_ARRAY_SRV.
    #[serde(rename = "TEXTURE2DMSARRAY")]
    Texture2DMsArray { first_array_slice: u32, array_size: Option<u32> },
    /// D3D12_TEX3D_SRV.
    #[serde(rename = "TEXTURE3D")]
    Texture3D {
        most_detailed_mip: u32,
        mip_levels: Option<u32>,
        #[serde(with = "crate::text::float")]
        resource_min_lod_clamp: f32,
    },
    /// D3D12_TEXCUBE_SRV: the first six slices.
    #[serde(rename = "TEXTURECUBE")]
    TextureCube {
        most_detailed_mip: u32,
        mip_levels: Option<u32>,
        #[serde(with = "crate::text::float")]
        resource_min_lod_clamp: f32,
    },
    /// D3D12_TEXCUBE_ARRAY_SRV: six slices a cube.
    #[serde(rename = "TEXTURECUBEARRAY")]
    TextureCubeArray {
        most_detailed_mip: u32,
        mip_levels: Option<u32>,
        first_2d_array_face: u32,
        cube_count: Option<u32>,
        #[serde(with = "crate::text::float")]
        resource_min_lod_clamp: f32,
    },
    /// D3D12_RAYTRACING_ACCELERATION_STRUCTURE_SRV: named by its address, without a resource.
    #[serde(rename = "RAYTRACING_ACCELERATION_STRUCTURE")]
    RaytracingAccelerationStructure { location: GpuVirtualAddress },
}

/// D3D12_UNORDERED_ACCESS_VIEW_DESC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnorderedAccessViewDesc {
    /// How elements are written; UNKNOWN is the resource's own, and that of structured buffers.
    pub format: Format,
    /// ViewDimension and the structure that goes with it.
    pub dimension: UavDimension,
}

/// D3D12_UAV_DIMENSION and the fields of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the fields are D3D12's, and the same in each variant")]
pub enum UavDimension {
    /// D3D12_BUFFER_UAV. Elements as in [`SrvDimension::Buffer`]; the counter's place in bytes of the counter
    /// resource.
    #[serde(rename = "BUFFER")]
    Buffer {
        first_element: u64,
        element_count: u32,
        structure_byte_stride: u32,
        counter_offset_in_bytes: u64,
        flags: BufferViewFlags,
    },
    /// D3D12_TEX1D_UAV.
    #[serde(rename = "TEXTURE1D")]
    Texture1D { mip_slice: u32 },
    /// D3D12_TEX1D_ARRAY_UAV.
    #[serde(rename = "TEXTURE1DARRAY")]
    Texture1DArray { mip_slice: u32, first_array_slice: u32, array_size: Option<u32> },
    /// D3D12_TEX2D_UAV.
    #[serde(rename = "TEXTURE2D")]
    Texture2D { mip_slice: u32, plane_slice: u32 },
    /// D3D12_TEX2D_ARRAY_UAV.
    #[serde(rename = "TEXTURE2DARRAY")]
    Texture2DArray { mip_slice: u32, first_array_slice: u32, array_size: Option<u32>, plane_slice: u32 },
    /// D3D12_TEX2DMS_UAV.
    #[serde(rename = "TEXTURE2DMS")]
    Texture2DMs,
    /// D3D12_TEX2DMS_ARRAY_UAV.
    #[serde(rename = "TEXTURE2DMSARRAY")]
    Texture2DMsArray { first_array_slice: u32, array_size: Option<u32> },
    /// D3D12_TEX3D_UAV.
    #[serde(rename = "TEXTURE3D")]
    Texture3D { mip_slice: u32, first_w_slice: u32, w_size: Option<u32> },
}

/// D3D12_RENDER_TARGET_VIEW_DESC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RenderTargetViewDesc {
    /// How elements are written; UNKNOWN is the resource's own.
    pub format: Format,
    /// ViewDimension and the structure that goes with it.
    pub dimension: RtvDimension,
}

/// D3D12_RTV_DIMENSION and the fields of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the fields are D3D12's, and the same in each variant")]
pub enum RtvDimension {
    /// D3D12_BUFFER_RTV. Elements of the format.
    #[serde(rename = "BUFFER")]
    Buffer { first_element: u64, element_count: u32 },
    /// D3D12_TEX1D_RTV.
    #[serde(rename = "TEXTURE1D")]
    Texture1D { mip_slice: u32 },
    /// D3D12_TEX1D_ARRAY_RTV.
    #[serde(rename = "TEXTURE1DARRAY")]
    Texture1DArray { mip_slice: u32, first_array_slice: u32, array_size: Option<u32> },
    /// D3D12_TEX2D_RTV.
    #[serde(rename = "TEXTURE2D")]
    Texture2D { mip_slice: u32, plane_slice: u32 },
    /// D3D12_TEX2D_ARRAY_RTV.
    #[serde(rename = "TEXTURE2DARRAY")]
    Texture2DArray { mip_slice: u32, first_array_slice: u32, array_size: Option<u32>, plane_slice: u32 },
    /// D3D12_TEX2DMS_RTV.
    #[serde(rename = "TEXTURE2DMS")]
    Texture2DMs,
    /// D3D12_TEX2DMS_ARRAY_RTV.
    #[serde(rename = "TEXTURE2DMSARRAY")]
    Texture2DMsArray { first_array_slice: u32, array_size: Option<u32> },
    /// D3D12_TEX3D_RTV.
    #[serde(rename = "TEXTURE3D")]
    Texture3D { mip_slice: u32, first_w_slice: u32, w_size: Option<u32> },
}

/// D3D12_DEPTH_STENCIL_VIEW_DESC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DepthStencilViewDesc {
    /// A depth format; UNKNOWN is the resource's own.
    pub format: Format,
    /// ViewDimension and the structure that goes with it.
    pub dimension: DsvDimension,
    /// What the view does not write.
    pub flags: DsvFlags,
}

/// D3D12_DSV_DIMENSION and the fields of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the fields are D3D12's, and the same in each variant")]
pub enum DsvDimension {
    /// D3D12_TEX1D_DSV.
    #[serde(rename = "TEXTURE1D")]
    Texture1D { mip_slice: u32 },
    /// D3D12_TEX1D_ARRAY_DSV.
    #[serde(rename = "TEXTURE1DARRAY")]
    Texture1DArray { mip_slice: u32, first_array_slice: u32, array_size: Option<u32> },
    /// D3D12_TEX2D_DSV.
    #[serde(rename = "TEXTURE2D")]
    Texture2D { mip_slice: u32 },
    /// D3D12_TEX2D_ARRAY_DSV.
    #[serde(rename = "TEXTURE2DARRAY")]
    Texture2DArray { mip_slice: u32, first_array_slice: u32, array_size: Option<u32> },
    /// D3D12_TEX2DMS_DSV.
    #[serde(rename = "TEXTURE2DMS")]
    Texture2DMs,
    /// D3D12_TEX2DMS_ARRAY_DSV.
    #[serde(rename = "TEXTURE2DMSARRAY")]
    Texture2DMsArray { first_array_slice: u32, array_size: Option<u32> },
}

/// D3D12_CONSTANT_BUFFER_VIEW_DESC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstantBufferViewDesc {
    /// The address of the first byte, a multiple of 256; 0 with a size of 0 is a null descriptor.
    pub buffer_location: GpuVirtualAddress,
    /// A multiple of 256, at most 65536.
    pub size_in_bytes: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers typed from d3d12.h.
    #[test]
    fn component_mappings_have_d3d12s_numbers() {
        // 0 | 1 << 3 | 2 << 6 | 3 << 9 | 1 << 12
        assert_eq!(ComponentMapping::IDENTITY.to_d3d12(), 0x1688);
        let zero_one = ComponentMapping([
            ComponentSource::Memory2,
            ComponentSource::Memory2,
            ComponentSource::Zero,
            ComponentSource::One,
        ]);
        // 2 | 2 << 3 | 4 << 6 | 5 << 9 | 1 << 12
        assert_eq!(zero_one.to_d3d12(), 0x1b12);
        assert_eq!(ComponentMapping::from_d3d12(0x1b12), Some(zero_one));
        for refused in [0, 0x0688, 0x1688 | 1 << 13, 0x1000 | 6, 0x1000 | 7 << 9] {
            assert_eq!(ComponentMapping::from_d3d12(refused), None, "{refused:#x}");
        }
    }

    #[test]
    fn handles_move_by_increments() {
        let start = CpuDescriptorHandle { ptr: 0x1_0000 };
        assert_eq!(start.offset(3, 32), CpuDescriptorHandle { ptr: 0x1_0060 });
        assert_eq!(start.offset(u32::MAX, u32::MAX).ptr, 0xffff_fffe_0001_0001);
        assert_eq!(GpuDescriptorHandle { ptr: u64::MAX }.offset(1, 1).ptr, 0, "the sum wraps");
    }
}
