//! CheckFeatureSupport (spec/2-resource-heaps.txt 322-355): each feature is a type, whose fields are D3D12's.

use heapstone_spec::caps::{
    CrossNodeSharingTier, ProgrammableSamplePositionsTier, RecreateAtTier, ResourceBindingTier,
    ResourceHeapTier, SamplerFeedbackTier, TightAlignmentTier, TiledResourcesTier,
};
use heapstone_spec::commands::CommandListSupportFlags;
use heapstone_spec::rules::mapping as rules;
use heapstone_spec::{Format, FormatUses, SdkVersion, Violation};

use super::Device;
use crate::error::Error;

/// A feature that CheckFeatureSupport answers for.
pub trait Feature: Sized {
    /// What the caller fills in before it asks.
    type Input;
    /// D3D12_FEATURE's name without the prefix.
    const NAME: &'static str;
    /// The first SDK version that knows it.
    const SINCE: SdkVersion;

    /// The answer of `device`.
    ///
    /// # Errors
    /// Where the input names what the adapter does not have.
    fn of(device: &Device, input: Self::Input) -> Result<Self, Box<Violation>>;
}

impl Device {
    /// CheckFeatureSupport.
    ///
    /// ```
    /// # use heapstone::{Device, Error, features::{Architecture, TightAlignment}};
    /// # fn show(device: &Device) -> Result<(), Error> {
    /// let is_uma = device.check_feature_support::<Architecture>(0)?.uma;
    /// let tier = device.check_feature_support::<TightAlignment>(())?.support_tier;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`]: `query.feature` where the SDK version does not know the feature, `query.node`.
    pub fn check_feature_support<F: Feature>(&self, input: F::Input) -> Result<F, Error> {
        if self.sdk() < F::SINCE {
            return Err(rules::QUERY_FEATURE
                .violated(
                    "Feature",
                    format_args!("{} under SDK {}", F::NAME, self.sdk()),
                    format_args!("from SDK {}", F::SINCE),
                )
                .into());
        }
        Ok(F::of(self, input)?)
    }
}

macro_rules! feature {
    (
        $(#[$doc:meta])*
        $name:ident as $text:literal since $since:ident {
            $( $(#[$fdoc:meta])* $field:ident: $type:ty = |$device:ident| $value:expr; )*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name { $( $(#[$fdoc])* pub $field: $type, )* }

        impl Feature for $name {
            type Input = ();
            const NAME: &'static str = $text;
            const SINCE: SdkVersion = SdkVersion::$since;

            fn of(device: &Device, (): ()) -> Result<$name, Box<Violation>> {
                Ok($name { $( $field: { let $device = device; $value }, )* })
            }
        }
    };
}

feature! {
    /// D3D12_FEATURE_D3D12_OPTIONS, as far as memory asks.
    Options as "D3D12_OPTIONS" since Inbox {
        /// ResourceHeapTier.
        resource_heap_tier: ResourceHeapTier = |device| device.caps().resource_heap_tier;
        /// TiledResourcesTier.
        tiled_resources_tier: TiledResourcesTier = |device| device.caps().tiled_resources_tier;
        /// ResourceBindingTier.
        resource_binding_tier: ResourceBindingTier = |device| device.caps().resource_binding_tier;
        /// StandardSwizzle64KBSupported.
        standard_swizzle_64kb_supported: bool = |device| device.caps().standard_swizzle_64kb;
        /// MaxGPUVirtualAddressBitsPerResource.
        max_gpu_virtual_address_bits_per_resource: u32 = |device| device.profile().gpu_va.bits_per_resource;
        /// CrossAdapterRowMajorTextureSupported.
        cross_adapter_row_major_texture_supported: bool = |device| device.caps().cross_adapter_row_major_texture;
        /// CrossNodeSharingTier.
        cross_node_sharing_tier: CrossNodeSharingTier = |device| device.caps().cross_node_sharing_tier;
    }
}

feature! {
    /// D3D12_FEATURE_D3D12_OPTIONS2, as far as memory asks.
    Options2 as "D3D12_OPTIONS2" since Inbox {
        /// ProgrammableSamplePositionsTier.
        programmable_sample_positions_tier: ProgrammableSamplePositionsTier =
            |device| device.caps().programmable_sample_positions_tier;
    }
}

feature! {
    /// D3D12_FEATURE_D3D12_OPTIONS3, as far as memory asks.
    Options3 as "D3D12_OPTIONS3" since Inbox {
        /// CopyQueueTimestampQueriesSupported.
        copy_queue_timestamp_queries_supported: bool = |device| device.caps().copy_queue_timestamp_queries;
        /// WriteBufferImmediateSupportFlags.
        write_buffer_immediate_support_flags: CommandListSupportFlags =
            |device| device.caps().write_buffer_immediate;
    }
}

feature! {
    /// D3D12_FEATURE_D3D12_OPTIONS4, as far as memory asks.
    Options4 as "D3D12_OPTIONS4" since Inbox {
        /// MSAA64KBAlignedTextureSupported.
        msaa_64kb_aligned_texture_supported: bool = |device| device.caps().msaa_64kb_aligned_texture;
    }
}

feature! {
    /// D3D12_FEATURE_D3D12_OPTIONS7, as far as memory asks.
    Options7 as "D3D12_OPTIONS7" since Inbox {
        /// SamplerFeedbackTier.
        sampler_feedback_tier: SamplerFeedbackTier = |device| device.caps().sampler_feedback_tier;
    }
}

feature! {
    /// D3D12_FEATURE_D3D12_OPTIONS8.
    Options8 as "D3D12_OPTIONS8" since V606 {
        /// UnalignedBlockTexturesSupported.
        unaligned_block_textures_supported: bool = |device| device.caps().unaligned_block_textures;
    }
}

feature! {
    /// D3D12_FEATURE_D3D12_OPTIONS12, as far as memory asks.
    Options12 as "D3D12_OPTIONS12" since V606 {
        /// EnhancedBarriersSupported.
        enhanced_barriers_supported: bool = |device| device.caps().enhanced_barriers;
        /// RelaxedFormatCastingSupported.
        relaxed_format_casting_supported: bool = |device| device.caps().relaxed_format_casting;
    }
}

feature! {
    /// D3D12_FEATURE_D3D12_OPTIONS13, as far as memory asks.
    Options13 as "D3D12_OPTIONS13" since V606 {
        /// UnrestrictedBufferTextureCopyPitchSupported.
        unrestricted_buffer_texture_copy_pitch_supported: bool =
            |device| device.caps().unrestricted_buffer_texture_copy_pitch;
        /// TextureCopyBetweenDimensionsSupported: copies are of elements, whatever the dimensions.
        texture_copy_between_dimensions_supported: bool = |_device| true;
    }
}

feature! {
    /// D3D12_FEATURE_D3D12_OPTIONS14, as far as memory asks.
    Options14 as "D3D12_OPTIONS14" since V606 {
        /// WriteableMSAATexturesSupported.
        writeable_msaa_textures_supported: bool = |device| device.caps().writeable_msaa_textures;
    }
}

feature! {
    /// D3D12_FEATURE_D3D12_OPTIONS16, as far as memory asks.
    Options16 as "D3D12_OPTIONS16" since V614 {
        /// GPUUploadHeapSupported.
        gpu_upload_heap_supported: bool = |device| device.caps().gpu_upload_heap;
    }
}

feature! {
    /// D3D12_FEATURE_D3D12_OPTIONS20, as far as memory asks. First in SDK 611; 614 is the next that differs.
    Options20 as "D3D12_OPTIONS20" since V614 {
        /// RecreateAtTier: the kernel gives every free range, on any adapter.
        recreate_at_tier: RecreateAtTier = |_device| RecreateAtTier::Tier1;
    }
}

feature! {
    /// D3D12_FEATURE_D3D12_TIGHT_ALIGNMENT, 54 (spec/1, Runtime changes).
    TightAlignment as "D3D12_TIGHT_ALIGNMENT" since V618 {
        /// SupportTier.
        support_tier: TightAlignmentTier = |device| device.caps().tight_alignment_tier;
    }
}

feature! {
    /// D3D12_FEATURE_CROSS_NODE (spec/2-resource-heaps.txt 1468-1482).
    CrossNode as "CROSS_NODE" since Inbox {
        /// SharingTier.
        sharing_tier: CrossNodeSharingTier = |device| device.caps().cross_node_sharing_tier;
        /// AtomicShaderInstructions.
        atomic_shader_instructions: bool = |device| device.caps().cross_node_atomic_shader_instructions;
    }
}

feature! {
    /// D3D12_FEATURE_EXISTING_HEAPS.
    ExistingHeaps as "EXISTING_HEAPS" since Inbox {
        /// Supported.
        supported: bool = |device| device.caps().existing_heaps;
    }
}

feature! {
    /// D3D12_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT (spec/2-resource-heaps.txt 383-386).
    GpuVirtualAddressSupport as "GPU_VIRTUAL_ADDRESS_SUPPORT" since Inbox {
        /// MaxGPUVirtualAddressBitsPerResource.
        max_gpu_virtual_address_bits_per_resource: u32 = |device| device.profile().gpu_va.bits_per_resource;
        /// MaxGPUVirtualAddressBitsPerProcess.
        max_gpu_virtual_address_bits_per_process: u32 = |device| device.profile().gpu_va.bits_per_process;
    }
}

/// D3D12_FEATURE_ARCHITECTURE and ARCHITECTURE1 (spec/2-resource-heaps.txt 341-355); asked of a node's index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// TileBasedRenderer.
    pub tile_based_renderer: bool,
    /// UMA.
    pub uma: bool,
    /// CacheCoherentUMA.
    pub cache_coherent_uma: bool,
    /// IsolatedMMU.
    pub isolated_mmu: bool,
}

impl Feature for Architecture {
    type Input = u32;
    const NAME: &'static str = "ARCHITECTURE1";
    const SINCE: SdkVersion = SdkVersion::Inbox;

    fn of(device: &Device, node_index: u32) -> Result<Architecture, Box<Violation>> {
        check_node(device, node_index)?;
        let architecture = device.profile().architecture;
        Ok(Architecture {
            tile_based_renderer: architecture.tile_based_renderer,
            uma: architecture.uma,
            cache_coherent_uma: architecture.cache_coherent_uma,
            isolated_mmu: architecture.isolated_mmu,
        })
    }
}

/// D3D12_FEATURE_FORMAT_SUPPORT; asked of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatSupport {
    /// What it may be used for.
    pub uses: FormatUses,
}

impl Feature for FormatSupport {
    type Input = Format;
    const NAME: &'static str = "FORMAT_SUPPORT";
    const SINCE: SdkVersion = SdkVersion::Inbox;

    fn of(_device: &Device, format: Format) -> Result<FormatSupport, Box<Violation>> {
        Ok(FormatSupport { uses: format.uses() })
    }
}

/// D3D12_FEATURE_FORMAT_INFO; asked of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatPlanes {
    /// PlaneCount.
    pub plane_count: u8,
}

impl Feature for FormatPlanes {
    type Input = Format;
    const NAME: &'static str = "FORMAT_INFO";
    const SINCE: SdkVersion = SdkVersion::Inbox;

    fn of(_device: &Device, format: Format) -> Result<FormatPlanes, Box<Violation>> {
        Ok(FormatPlanes { plane_count: format.info().plane_count })
    }
}

/// D3D12_FEATURE_MULTISAMPLE_QUALITY_LEVELS; asked of a format and a sample count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultisampleQualityLevels {
    /// NumQualityLevels: 1 where supported (the standard pattern), else 0.
    pub num_quality_levels: u32,
}

impl Feature for MultisampleQualityLevels {
    type Input = (Format, u32);
    const NAME: &'static str = "MULTISAMPLE_QUALITY_LEVELS";
    const SINCE: SdkVersion = SdkVersion::Inbox;

    fn of(device: &Device, (format, sample_count): (Format, u32)) -> Result<Self, Box<Violation>> {
        let is_offered = device.caps().takes_sample_count(sample_count);
        let is_supported =
            is_offered && (sample_count == 1 || format.uses().contains(FormatUses::MULTISAMPLE));
        Ok(MultisampleQualityLevels { num_quality_levels: u32::from(is_supported) })
    }
}

fn check_node(device: &Device, index: u32) -> Result<(), Box<Violation>> {
    let node_count = device.profile().memory.node_count;
    if index < node_count {
        Ok(())
    } else {
        Err(rules::QUERY_NODE.violated("NodeIndex", index, format_args!("0 to {}", node_count - 1)))
    }
}
