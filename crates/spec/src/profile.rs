//! Adapter profiles: the data that describes a device.
//!
//! A profile is a TOML file; `docs/profiles.md` documents the schema. Every value of a built-in
//! profile carries its source, or says that it was chosen.

use core::fmt;
use core::str::FromStr;
use std::collections::BTreeMap;

use crate::caps::{
    CrossNodeSharingTier, ProgrammableSamplePositionsTier, ResourceBindingTier, ResourceHeapTier,
    SamplerFeedbackTier, TightAlignmentTier, TiledResourcesTier,
};
use crate::commands::CommandListSupportFlags;
use crate::{MemoryPool, SdkVersion, SegmentGroup, UnknownName, limits};

mod builtin;
mod check;
#[cfg(test)]
mod documentation;
mod error;
mod load;
mod schema;
mod write;

pub use error::{Position, Problem, ProblemKind, ProfileError};

/// An adapter profile: what CheckFeatureSupport, the allocator of video memory and the layouts of a
/// device are taken from.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The short name, as the command line takes it.
    pub name: String,
    /// One sentence for a list.
    pub description: String,
    /// Who the adapter says it is.
    pub identity: Identity,
    /// D3D12_FEATURE_ARCHITECTURE.
    pub architecture: Architecture,
    /// D3D12_FEATURE_D3D12_OPTIONS and the later ones, as far as memory asks.
    pub caps: Caps,
    /// Segments and nodes.
    pub memory: Memory,
    /// GPU virtual addresses.
    pub gpu_va: GpuVa,
    /// How the driver lays resources out.
    pub layout: LayoutProfile,
    /// Bounds of this driver beyond D3D12's own.
    pub limits: DriverLimits,
    /// How its engines reach memory.
    pub engines: Engines,
    /// Dotted key of the file -> where the value comes from.
    pub sources: BTreeMap<String, String>,
}

/// DXGI_ADAPTER_DESC.
#[derive(Clone, Debug, PartialEq)]
pub struct Identity {
    /// The adapter's name.
    pub description: String,
    /// PCI vendor.
    pub vendor_id: u32,
    /// PCI device.
    pub device_id: u32,
    /// PCI subsystem.
    pub subsystem_id: u32,
    /// PCI revision.
    pub revision: u32,
}

/// D3D12_FEATURE_DATA_ARCHITECTURE1 (spec/2-resource-heaps.txt 341-355).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// CPU and GPU use the same memory.
    pub uma: bool,
    /// And their caches are coherent; only beside `uma`.
    pub cache_coherent_uma: bool,
    /// Renders tile by tile.
    pub tile_based_renderer: bool,
    /// Isolated by an MMU.
    pub isolated_mmu: bool,
}

/// Capabilities that memory asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// D3D12_OPTIONS.ResourceHeapTier.
    pub resource_heap_tier: ResourceHeapTier,
    /// D3D12_OPTIONS.TiledResourcesTier.
    pub tiled_resources_tier: TiledResourcesTier,
    /// D3D12_OPTIONS.ResourceBindingTier.
    pub resource_binding_tier: ResourceBindingTier,
    /// D3D12_OPTIONS.StandardSwizzle64KBSupported.
    pub standard_swizzle_64kb: bool,
    /// D3D12_OPTIONS.CrossAdapterRowMajorTextureSupported.
    pub cross_adapter_row_major_texture: bool,
    /// D3D12_OPTIONS4.MSAA64KBAlignedTextureSupported.
    pub msaa_64kb_aligned_texture: bool,
    /// D3D12_FEATURE_D3D12_TIGHT_ALIGNMENT.
    pub tight_alignment_tier: TightAlignmentTier,
    /// D3D12_OPTIONS16.GPUUploadHeapSupported.
    pub gpu_upload_heap: bool,
    /// D3D12_FEATURE_CROSS_NODE.SharingTier.
    pub cross_node_sharing_tier: CrossNodeSharingTier,
    /// D3D12_FEATURE_CROSS_NODE.AtomicShaderInstructions.
    pub cross_node_atomic_shader_instructions: bool,
    /// D3D12_FEATURE_EXISTING_HEAPS.
    pub existing_heaps: bool,
    /// D3D12_OPTIONS8.UnalignedBlockTexturesSupported.
    pub unaligned_block_textures: bool,
    /// D3D12_OPTIONS12.EnhancedBarriersSupported.
    pub enhanced_barriers: bool,
    /// D3D12_OPTIONS12.RelaxedFormatCastingSupported.
    pub relaxed_format_casting: bool,
    /// D3D12_OPTIONS14.WriteableMSAATexturesSupported.
    pub writeable_msaa_textures: bool,
    /// D3D12_OPTIONS7.SamplerFeedbackTier.
    pub sampler_feedback_tier: SamplerFeedbackTier,
    /// D3D12_PROTECTED_RESOURCE_SESSION_SUPPORT.
    pub protected_resource_sessions: bool,
    /// D3D12_OPTIONS2.ProgrammableSamplePositionsTier.
    pub programmable_sample_positions_tier: ProgrammableSamplePositionsTier,
    /// D3D12_OPTIONS3.CopyQueueTimestampQueriesSupported.
    pub copy_queue_timestamp_queries: bool,
    /// D3D12_OPTIONS3.WriteBufferImmediateSupportFlags.
    pub write_buffer_immediate: CommandListSupportFlags,
    /// D3D12_OPTIONS13.UnrestrictedBufferTextureCopyPitchSupported.
    pub unrestricted_buffer_texture_copy_pitch: bool,
    /// The greatest sample count of a render target that the adapter offers (power of two, 1 to 16).
    pub sample_count_max: u32,
    /// D3D12_OPTIONS19.MaxSamplerDescriptorHeapSize: descriptors of a shader-visible sampler heap, 2048 at least
    /// (facts/buffer-views.md, Sampler heaps: "newer devices report more").
    pub sampler_heap_descriptors_max: u32,
}

/// Segments and nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Nodes of a linked adapter; 1 for others. At most 32: a node is a bit of a mask.
    pub node_count: u32,
    /// Physical memory, in no order. Every node has a LOCAL segment; on UMA there is no NON_LOCAL one.
    pub segments: Vec<Segment>,
    /// The share of a segment group that all processes together may be budgeted, in thousandths.
    pub budget_permille: u32,
    /// The cap on ALLOW_SHADER_ATOMICS heaps that a peer sees, in bytes (spec/2-resource-heaps.txt 1465).
    pub shader_atomics_heap_bytes_max: u64,
}

impl Memory {
    /// The nodes that there are, as bits of a node mask.
    #[must_use]
    pub const fn node_mask(&self) -> u32 {
        if self.node_count >= 32 { u32::MAX } else { (1 << self.node_count) - 1 }
    }
}

impl Caps {
    /// Whether a render target or depth-stencil can have `count` samples a texel: one always, several
    /// where they are a power of two within the adapter's and D3D12's greatest.
    #[inline]
    #[must_use]
    pub const fn takes_sample_count(&self, count: u32) -> bool {
        let in_range = count <= self.sample_count_max && count <= limits::SAMPLE_COUNT_MAX;
        count == 1 || (count.is_power_of_two() && in_range)
    }

    /// D3D12_OPTIONS19.MaxViewDescriptorHeapSize: descriptors of a shader-visible heap of views, by the resource binding tier
    /// (Microsoft's documentation of hardware tiers).
    #[must_use]
    pub const fn view_heap_descriptors_max(&self) -> u32 {
        match self.resource_binding_tier {
            ResourceBindingTier::Tier1 | ResourceBindingTier::Tier2 => limits::SHADER_VISIBLE_VIEWS_MAX,
            ResourceBindingTier::Tier3 => limits::SHADER_VISIBLE_VIEWS_TIER_3_MAX,
        }
    }

    /// What of these a program sees under `sdk`: a capability that the version does not know is not
    /// there. CheckFeatureSupport answers by it, and every rule decides by it.
    #[must_use]
    pub const fn under(self, sdk: SdkVersion) -> Caps {
        let mut caps = self;
        // D3D12_OPTIONS8, 12, 13 and 14 stand in the header of 1.606 (D3D12's public headers).
        if (sdk as u8) < (SdkVersion::V606 as u8) {
            caps.unaligned_block_textures = false;
            caps.enhanced_barriers = false;
            caps.relaxed_format_casting = false;
            caps.writeable_msaa_textures = false;
            caps.unrestricted_buffer_texture_copy_pitch = false;
        }
        if (sdk as u8) < (SdkVersion::V614 as u8) {
            caps.gpu_upload_heap = false;
            // OPTIONS19 stands in no earlier header.
            caps.sampler_heap_descriptors_max = limits::SHADER_VISIBLE_SAMPLERS_MAX;
        }
        if (sdk as u8) < (SdkVersion::V618 as u8) {
            caps.tight_alignment_tier = TightAlignmentTier::NotSupported;
        }
        caps
    }
}

/// A segment of physical memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// A short name for reports.
    pub name: String,
    /// The node whose it is; `None` where all nodes share it.
    pub node: Option<u32>,
    /// Which group of QueryVideoMemoryInfo counts it.
    pub group: SegmentGroup,
    /// L0 or L1.
    pub pool: MemoryPool,
    /// In bytes.
    pub size: u64,
    /// The bytes of it that the CPU reaches (the aperture of a resizable BAR; all of system memory).
    pub cpu_visible_size: u64,
    /// For the paging engine's cost model, in bytes a second.
    pub bandwidth_bytes_per_second: u64,
}

/// GPU virtual addresses (spec/2-resource-heaps.txt 383-386, 985-1018).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpuVa {
    /// D3D12_GPU_VIRTUAL_ADDRESS_SUPPORT.MaxGPUVirtualAddressBitsPerProcess.
    pub bits_per_process: u32,
    /// D3D12_GPU_VIRTUAL_ADDRESS_SUPPORT.MaxGPUVirtualAddressBitsPerResource.
    pub bits_per_resource: u32,
}

/// How the driver lays resources out.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutProfile {
    /// The family of swizzle patterns that layout UNKNOWN textures get.
    pub unknown_pattern: SwizzleFamily,
    /// The alignment that the hardware needs for a texture's first byte, in bytes: 64 KiB, or more
    /// where the driver pads so that any 64 KiB offset works.
    pub image_alignment: u64,
    /// What the driver answers for a tightly aligned buffer in a heap, in bytes (8 to 256).
    pub tight_buffer_alignment: u64,
    /// What the driver answers for a tightly aligned texture in a heap, in bytes; never above what
    /// the same texture gets without the flag.
    pub tight_texture_alignment: u64,
    /// Bytes of compressed colour for which a render target gets one byte of metadata; 0: none.
    pub render_target_metadata_ratio: u32,
    /// Bytes of depth-stencil for which it gets one byte of metadata; 0: none.
    pub depth_stencil_metadata_ratio: u32,
}

/// A family of swizzle patterns: for each dimension, element size and sample count a block of
/// elements. Shapes and bits are in `heapstone-layout`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SwizzleFamily {
    /// Blocks of 64 KiB in the standard shapes (facts/layout.md, 64 KB standard swizzle).
    #[serde(rename = "standard_64kb")]
    Standard64Kb,
    /// Blocks of 4 KiB in the standard shapes (facts/layout.md, Small-resource alignment).
    #[serde(rename = "standard_4kb")]
    Standard4Kb,
    /// NVIDIA's block-linear: groups of 64 bytes x 8 rows, stacked to blocks.
    BlockLinear,
    /// Intel's Tile4: 4 KiB, 128 bytes x 32 rows.
    Tile4,
    /// AMD's blocks of 256 KiB.
    #[serde(rename = "amd_256kb")]
    Amd256Kb,
    /// No swizzle: rows at a pitch of 256 bytes, as a software rasteriser keeps them.
    Linear,
}

/// Bounds of this driver beyond D3D12's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriverLimits {
    /// The greatest heap in bytes; `None`: no bound but memory and addresses.
    pub heap_size_max: Option<u64>,
}

/// How engines reach memory (facts/dma-splitting.md, Two regimes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engines {
    /// The engine of direct queues.
    pub direct: EngineAddressing,
    /// That of compute queues.
    pub compute: EngineAddressing,
    /// That of copy queues.
    pub copy: EngineAddressing,
    /// Slots of an engine that is patched: MaxAllocationListSlotId.
    pub slot_count: u32,
    /// Bytes of the aperture segment through which an engine that is patched reaches memory.
    pub aperture_size: u64,
}

/// How an engine reaches memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineAddressing {
    /// By GPU virtual addresses.
    GpuVa,
    /// By addresses that the memory manager patches into DMA buffers, which it splits where they need more than
    /// there is.
    Patched,
}

impl EngineAddressing {
    /// Both.
    pub const ALL: [EngineAddressing; 2] = [EngineAddressing::GpuVa, EngineAddressing::Patched];

    /// The name, as a profile has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            EngineAddressing::GpuVa => "gpu_va",
            EngineAddressing::Patched => "patched",
        }
    }
}

impl fmt::Display for EngineAddressing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for EngineAddressing {
    type Err = UnknownName;

    /// Parses [`EngineAddressing::name`].
    fn from_str(text: &str) -> Result<EngineAddressing, UnknownName> {
        let found = EngineAddressing::ALL.into_iter().find(|addressing| addressing.name() == text);
        found.ok_or_else(|| UnknownName {
            enumeration: "engine addressing",
            given: text.to_owned(),
            allowed: EngineAddressing::ALL.map(EngineAddressing::name).join(", "),
        })
    }
}

impl SwizzleFamily {
    /// Every family.
    pub const ALL: [SwizzleFamily; 6] = [
        SwizzleFamily::Standard64Kb,
        SwizzleFamily::Standard4Kb,
        SwizzleFamily::BlockLinear,
        SwizzleFamily::Tile4,
        SwizzleFamily::Amd256Kb,
        SwizzleFamily::Linear,
    ];

    /// The name, as a profile has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SwizzleFamily::Standard64Kb => "standard_64kb",
            SwizzleFamily::Standard4Kb => "standard_4kb",
            SwizzleFamily::BlockLinear => "block_linear",
            SwizzleFamily::Tile4 => "tile4",
            SwizzleFamily::Amd256Kb => "amd_256kb",
            SwizzleFamily::Linear => "linear",
        }
    }
}

impl fmt::Display for SwizzleFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SwizzleFamily {
    type Err = UnknownName;

    /// Parses [`SwizzleFamily::name`].
    fn from_str(text: &str) -> Result<SwizzleFamily, UnknownName> {
        SwizzleFamily::ALL.into_iter().find(|family| family.name() == text).ok_or_else(|| UnknownName {
            enumeration: "swizzle family",
            given: text.to_owned(),
            allowed: SwizzleFamily::ALL.map(SwizzleFamily::name).join(", "),
        })
    }
}

impl Profile {
    /// A profile to fill in; not one that passes [`Profile::check`].
    fn blank() -> Profile {
        Profile {
            name: String::new(),
            description: String::new(),
            identity: Identity {
                description: String::new(),
                vendor_id: 0,
                device_id: 0,
                subsystem_id: 0,
                revision: 0,
            },
            architecture: Architecture {
                uma: false,
                cache_coherent_uma: false,
                tile_based_renderer: false,
                isolated_mmu: false,
            },
            caps: Caps {
                resource_heap_tier: ResourceHeapTier::Tier1,
                tiled_resources_tier: TiledResourcesTier::NotSupported,
                resource_binding_tier: ResourceBindingTier::Tier1,
                standard_swizzle_64kb: false,
                cross_adapter_row_major_texture: false,
                msaa_64kb_aligned_texture: false,
                tight_alignment_tier: TightAlignmentTier::NotSupported,
                gpu_upload_heap: false,
                cross_node_sharing_tier: CrossNodeSharingTier::NotSupported,
                cross_node_atomic_shader_instructions: false,
                existing_heaps: false,
                unaligned_block_textures: false,
                enhanced_barriers: false,
                relaxed_format_casting: false,
                writeable_msaa_textures: false,
                sampler_feedback_tier: SamplerFeedbackTier::NotSupported,
                protected_resource_sessions: false,
                programmable_sample_positions_tier: ProgrammableSamplePositionsTier::NotSupported,
                copy_queue_timestamp_queries: false,
                write_buffer_immediate: CommandListSupportFlags::empty(),
                unrestricted_buffer_texture_copy_pitch: false,
                sample_count_max: 0,
                sampler_heap_descriptors_max: 0,
            },
            memory: Memory {
                node_count: 0,
                segments: Vec::new(),
                budget_permille: 0,
                shader_atomics_heap_bytes_max: 0,
            },
            gpu_va: GpuVa { bits_per_process: 0, bits_per_resource: 0 },
            layout: LayoutProfile {
                unknown_pattern: SwizzleFamily::Standard64Kb,
                image_alignment: 0,
                tight_buffer_alignment: 0,
                tight_texture_alignment: 0,
                render_target_metadata_ratio: 0,
                depth_stencil_metadata_ratio: 0,
            },
            limits: DriverLimits { heap_size_max: None },
            engines: Engines {
                direct: EngineAddressing::GpuVa,
                compute: EngineAddressing::GpuVa,
                copy: EngineAddressing::GpuVa,
                slot_count: 0,
                aperture_size: 0,
            },
            sources: BTreeMap::new(),
        }
    }
}

impl Segment {
    /// A segment to fill in.
    fn blank() -> Segment {
        Segment {
            name: String::new(),
            node: None,
            group: SegmentGroup::Local,
            pool: MemoryPool::Unknown,
            size: 0,
            cpu_visible_size: 0,
            bandwidth_bytes_per_second: 0,
        }
    }
}
