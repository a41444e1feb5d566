//! D3D12's description structures.

use crate::{
    CpuPageProperty, Format, HeapFlags, HeapType, MemoryPool, ResourceDimension, ResourceFlags, TextureLayout,
};

/// D3D12_HEAP_PROPERTIES (spec/2-resource-heaps.txt 34-41).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeapProperties {
    /// The abstraction, or CUSTOM.
    pub heap_type: HeapType,
    /// UNKNOWN unless the type is CUSTOM.
    pub cpu_page_property: CpuPageProperty,
    /// UNKNOWN unless the type is CUSTOM.
    pub memory_pool_preference: MemoryPool,
    /// The one node whose memory it is, as a bit; 0 means node 0.
    pub creation_node_mask: u32,
    /// The nodes that see it, as bits; 0 means node 0. Holds the creation node's bit.
    pub visible_node_mask: u32,
}

impl HeapProperties {
    /// Properties of one of the abstractions, on node 0.
    #[must_use]
    pub const fn new(heap_type: HeapType) -> HeapProperties {
        HeapProperties {
            heap_type,
            cpu_page_property: CpuPageProperty::Unknown,
            memory_pool_preference: MemoryPool::Unknown,
            creation_node_mask: 0,
            visible_node_mask: 0,
        }
    }

    /// CUSTOM properties, on node 0.
    #[must_use]
    pub const fn custom(cpu_page_property: CpuPageProperty, pool: MemoryPool) -> HeapProperties {
        HeapProperties {
            heap_type: HeapType::Custom,
            cpu_page_property,
            memory_pool_preference: pool,
            creation_node_mask: 0,
            visible_node_mask: 0,
        }
    }

    /// The same on other nodes.
    #[must_use]
    pub const fn with_nodes(self, creation_node_mask: u32, visible_node_mask: u32) -> HeapProperties {
        HeapProperties { creation_node_mask, visible_node_mask, ..self }
    }
}

/// D3D12_HEAP_DESC (spec/2-resource-heaps.txt 54-60).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeapDesc {
    /// In bytes.
    pub size: u64,
    /// Where and for whom.
    pub properties: HeapProperties,
    /// In bytes: 0 and 64 KiB mean 64 KiB; 4 MiB for a heap that holds MSAA textures.
    pub alignment: u64,
    /// What may lie in it, and how it is shared.
    pub flags: HeapFlags,
}

impl HeapDesc {
    /// A heap of `size` bytes of one of the abstractions, 64 KiB aligned, on node 0.
    #[must_use]
    pub const fn new(size: u64, heap_type: HeapType) -> HeapDesc {
        HeapDesc { size, properties: HeapProperties::new(heap_type), alignment: 0, flags: HeapFlags::empty() }
    }

    /// The same with other flags.
    #[must_use]
    pub const fn with_flags(self, flags: HeapFlags) -> HeapDesc {
        HeapDesc { flags, ..self }
    }

    /// The same with another alignment in bytes.
    #[must_use]
    pub const fn with_alignment(self, alignment: u64) -> HeapDesc {
        HeapDesc { alignment, ..self }
    }
}

/// DXGI_SAMPLE_DESC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SampleDesc {
    /// Samples a texel; 1 is no multisampling.
    pub count: u32,
    /// The vendor's quality level; 0 is the standard pattern.
    pub quality: u32,
}

impl SampleDesc {
    /// No multisampling.
    pub const SINGLE: SampleDesc = SampleDesc { count: 1, quality: 0 };
}

/// D3D12_MIP_REGION: of a sampler-feedback map, the texels of the paired texture's mip that one texel
/// of the map stands for. All 0 for any other resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MipRegion {
    /// In texels.
    pub width: u32,
    /// In texels.
    pub height: u32,
    /// In texels.
    pub depth: u32,
}

/// D3D12_RESOURCE_DESC1: D3D12_RESOURCE_DESC (spec/2-resource-heaps.txt 125-137) and the
/// sampler-feedback mip region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResourceDesc {
    /// Buffer or texture, and how many axes.
    pub dimension: ResourceDimension,
    /// In bytes: 0 is the default; 4 KiB, 64 KiB or 4 MiB where legal; a floor beside
    /// USE_TIGHT_ALIGNMENT from SDK 619.4.
    pub alignment: u64,
    /// Of a buffer in bytes, of a texture in texels.
    pub width: u64,
    /// In texels; 1 of a buffer or a 1D texture.
    pub height: u32,
    /// Of a 3D texture the depth in texels, of others the array size; 1 of a buffer.
    pub depth_or_array_size: u16,
    /// Mip levels; 0 means the full chain.
    pub mip_levels: u16,
    /// UNKNOWN of a buffer.
    pub format: Format,
    /// Multisampling.
    pub sample_desc: SampleDesc,
    /// ROW_MAJOR of a buffer.
    pub layout: TextureLayout,
    /// What views can be made of it, who shares it, tight alignment.
    pub flags: ResourceFlags,
    /// Of a sampler-feedback map; all 0 of others.
    pub sampler_feedback_mip_region: MipRegion,
}

impl ResourceDesc {
    /// A buffer of `width` bytes.
    #[must_use]
    pub const fn buffer(width: u64) -> ResourceDesc {
        ResourceDesc {
            dimension: ResourceDimension::Buffer,
            alignment: 0,
            width,
            height: 1,
            depth_or_array_size: 1,
            mip_levels: 1,
            format: Format::UNKNOWN,
            sample_desc: SampleDesc::SINGLE,
            layout: TextureLayout::RowMajor,
            flags: ResourceFlags::empty(),
            sampler_feedback_mip_region: MipRegion { width: 0, height: 0, depth: 0 },
        }
    }

    const fn texture(
        dimension: ResourceDimension,
        format: Format,
        width: u64,
        height: u32,
        depth: u16,
    ) -> ResourceDesc {
        ResourceDesc {
            dimension,
            alignment: 0,
            width,
            height,
            depth_or_array_size: depth,
            mip_levels: 1,
            format,
            sample_desc: SampleDesc::SINGLE,
            layout: TextureLayout::Unknown,
            flags: ResourceFlags::empty(),
            sampler_feedback_mip_region: MipRegion { width: 0, height: 0, depth: 0 },
        }
    }

    /// A 1D texture, one mip, one slice, layout UNKNOWN.
    #[must_use]
    pub const fn texture_1d(format: Format, width: u64) -> ResourceDesc {
        ResourceDesc::texture(ResourceDimension::Texture1D, format, width, 1, 1)
    }

    /// A 2D texture, one mip, one slice, layout UNKNOWN.
    #[must_use]
    pub const fn texture_2d(format: Format, width: u64, height: u32) -> ResourceDesc {
        ResourceDesc::texture(ResourceDimension::Texture2D, format, width, height, 1)
    }

    /// A 3D texture, one mip, layout UNKNOWN.
    #[must_use]
    pub const fn texture_3d(format: Format, width: u64, height: u32, depth: u16) -> ResourceDesc {
        ResourceDesc::texture(ResourceDimension::Texture3D, format, width, height, depth)
    }

    /// The same with `mip_levels` mips; 0 means the full chain.
    #[must_use]
    pub const fn with_mip_levels(self, mip_levels: u16) -> ResourceDesc {
        ResourceDesc { mip_levels, ..self }
    }

    /// The same with `array_size` slices (of a 3D texture: depth).
    #[must_use]
    pub const fn with_array_size(self, array_size: u16) -> ResourceDesc {
        ResourceDesc { depth_or_array_size: array_size, ..self }
    }

    /// The same with `count` samples a texel, standard pattern.
    #[must_use]
    pub const fn with_samples(self, count: u32) -> ResourceDesc {
        ResourceDesc { sample_desc: SampleDesc { count, quality: 0 }, ..self }
    }

    /// The same with other flags.
    #[must_use]
    pub const fn with_flags(self, flags: ResourceFlags) -> ResourceDesc {
        ResourceDesc { flags, ..self }
    }

    /// The same with another layout.
    #[must_use]
    pub const fn with_layout(self, layout: TextureLayout) -> ResourceDesc {
        ResourceDesc { layout, ..self }
    }

    /// The same with another alignment in bytes.
    #[must_use]
    pub const fn with_alignment(self, alignment: u64) -> ResourceDesc {
        ResourceDesc { alignment, ..self }
    }

    /// Whether it describes a buffer.
    #[must_use]
    pub const fn is_buffer(&self) -> bool {
        matches!(self.dimension, ResourceDimension::Buffer)
    }

    /// Whether it is a render target or depth-stencil: the second of a heap's three categories
    /// (spec/2-resource-heaps.txt 369-372).
    #[must_use]
    pub const fn is_rt_ds(&self) -> bool {
        self.flags.intersects(ResourceFlags::ALLOW_RENDER_TARGET.union(ResourceFlags::ALLOW_DEPTH_STENCIL))
    }

    /// The flag by which a heap denies it: one for each of the three categories of resources, buffers,
    /// render-target and depth-stencil textures, other textures (spec/2-resource-heaps.txt 369-372).
    #[inline]
    #[must_use]
    pub const fn denied_by(&self) -> HeapFlags {
        if self.is_buffer() {
            HeapFlags::DENY_BUFFERS
        } else if self.is_rt_ds() {
            HeapFlags::DENY_RT_DS_TEXTURES
        } else {
            HeapFlags::DENY_NON_RT_DS_TEXTURES
        }
    }
}

/// The colour of a [`ClearValue`]; which of the two the format calls for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClearColor {
    /// Of a render target: red, green, blue, alpha.
    Color([f32; 4]),
    /// Of a depth-stencil.
    DepthStencil {
        /// 0 to 1.
        depth: f32,
        /// The stencil bits.
        stencil: u8,
    },
}

/// D3D12_CLEAR_VALUE (spec/2-resource-heaps.txt 138-151, 186): the value that clears of the
/// resource will mostly have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClearValue {
    /// A typed format of the resource's typeless family.
    pub format: Format,
    /// The value.
    pub value: ClearColor,
}

/// D3D12_RESOURCE_ALLOCATION_INFO (spec/2-resource-heaps.txt 217-230).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResourceAllocationInfo {
    /// In bytes, a multiple of the alignment.
    pub size: u64,
    /// In bytes, a power of two.
    pub alignment: u64,
}

impl ResourceAllocationInfo {
    /// What D3D12's GetResourceAllocationInfo answers for a description that is not legal
    /// (facts/layout.md, GetResourceAllocationInfo).
    pub const INVALID: ResourceAllocationInfo = ResourceAllocationInfo { size: u64::MAX, alignment: 65_536 };
}
