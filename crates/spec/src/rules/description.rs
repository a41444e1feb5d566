//! Rules that a resource description must keep by itself, whatever it is created in, and the rules of
//! the queries that take nothing but a description (footprints, tiling).
//!
//! Where the specification's list is missing, "public" names Microsoft's public D3D12 documentation of
//! the same structure.

use crate::message;

// Dimension and the fields of a buffer.
rules! {
    DIMENSION = "resource.dimension" {
        statement: "A resource is a buffer or a 1D, 2D or 3D texture.",
        remedy: "Set Dimension to BUFFER, TEXTURE1D, TEXTURE2D or TEXTURE3D.",
        message: Some(message::CREATERESOURCE_UNRECOGNIZEDDIMENSIONALITY),
        source: "spec/2-resource-heaps.txt 103-110",
    }
    BUFFER_WIDTH = "resource.buffer.width" {
        statement: "A buffer holds at least one byte.",
        remedy: "Give a Width above 0.",
        message: Some(message::CREATERESOURCE_INVALIDDIMENSIONS),
        source: "public: D3D12_RESOURCE_DESC, buffers",
    }
    BUFFER_HEIGHT = "resource.buffer.height" {
        statement: "A buffer has Height 1.",
        remedy: "Set Height to 1.",
        message: Some(message::CREATERESOURCE_INVALIDDIMENSIONS),
        source: "public: D3D12_RESOURCE_DESC, buffers",
    }
    BUFFER_DEPTH = "resource.buffer.depth_or_array_size" {
        statement: "A buffer has DepthOrArraySize 1.",
        remedy: "Set DepthOrArraySize to 1.",
        message: Some(message::CREATERESOURCE_INVALIDDIMENSIONS),
        source: "public: D3D12_RESOURCE_DESC, buffers",
    }
    BUFFER_MIP_LEVELS = "resource.buffer.mip_levels" {
        statement: "A buffer has MipLevels 1; 0 does not stand for it.",
        remedy: "Set MipLevels to 1.",
        message: Some(message::CREATERESOURCE_INVALIDMIPLEVELS),
        source: "facts/behaviour.md, Creation",
    }
    BUFFER_FORMAT = "resource.buffer.format" {
        statement: "A buffer has format UNKNOWN: its views say what it holds.",
        remedy: "Set Format to UNKNOWN.",
        message: Some(message::CREATERESOURCE_INVALIDFORMAT),
        source: "public: D3D12_RESOURCE_DESC, buffers",
    }
    BUFFER_SAMPLES = "resource.buffer.sample_desc" {
        statement: "A buffer has one sample of quality 0.",
        remedy: "Set SampleDesc to { 1, 0 }.",
        message: Some(message::CREATERESOURCE_INVALIDSAMPLEDESC),
        source: "public: D3D12_RESOURCE_DESC, buffers",
    }
    BUFFER_LAYOUT = "resource.buffer.layout" {
        statement: "A buffer has layout ROW_MAJOR.",
        remedy: "Set Layout to ROW_MAJOR.",
        message: Some(message::CREATERESOURCE_INVALIDLAYOUT),
        source: "public: D3D12_RESOURCE_DESC, buffers",
    }
    BUFFER_FLAGS = "resource.buffer.flags" {
        statement: "A buffer is no depth-stencil, needs no ALLOW_SIMULTANEOUS_ACCESS, is always a shader resource and holds no video references.",
        remedy: "Drop ALLOW_DEPTH_STENCIL, DENY_SHADER_RESOURCE, ALLOW_SIMULTANEOUS_ACCESS and the VIDEO_*_REFERENCE_ONLY flags.",
        message: Some(message::CREATERESOURCE_INVALIDMISCFLAGS),
        source: "facts/behaviour.md, Creation; video references: public, D3D12_RESOURCE_FLAGS",
    }
    BUFFER_ALIGNMENT = "resource.buffer.alignment" {
        statement: "A buffer that is not aligned tightly lies at 64 KiB.",
        remedy: "Set Alignment to 0 or 65536, or add USE_TIGHT_ALIGNMENT.",
        message: Some(message::CREATERESOURCE_INVALIDALIGNMENT),
        source: "facts/layout.md, GetResourceAllocationInfo",
    }

    // Extents, mips and subresources of textures.
    TEXTURE_EXTENT_ZERO = "resource.texture.extent.zero" {
        statement: "A texture has at least one texel along each axis and one slice.",
        remedy: "Give Width, Height and DepthOrArraySize above 0.",
        message: Some(message::CREATERESOURCE_INVALIDDIMENSIONS),
        source: "public: D3D12_RESOURCE_DESC",
    }
    TEXTURE_EXTENT_MAX = "resource.texture.extent.max" {
        statement: "1D and 2D textures have at most 16384 texels along an axis, 3D textures 2048.",
        remedy: "Make the texture smaller, or split it.",
        message: Some(message::CREATERESOURCE_INVALIDDIMENSIONS),
        source: "public: D3D12_REQ_TEXTURE1D_U_DIMENSION, D3D12_REQ_TEXTURE2D_U_OR_V_DIMENSION, D3D12_REQ_TEXTURE3D_U_V_OR_W_DIMENSION",
    }
    TEXTURE_1D_HEIGHT = "resource.texture1d.height" {
        statement: "A 1D texture has Height 1.",
        remedy: "Set Height to 1, or Dimension to TEXTURE2D.",
        message: Some(message::CREATERESOURCE_INVALIDDIMENSIONS),
        source: "public: D3D12_RESOURCE_DESC",
    }
    TEXTURE_ARRAY_SIZE = "resource.texture.array_size" {
        statement: "An array of 1D or 2D textures has at most 2048 slices.",
        remedy: "Use fewer slices, or several textures.",
        message: Some(message::CREATERESOURCE_INVALIDDIMENSIONS),
        source: "public: D3D12_REQ_TEXTURE1D_ARRAY_AXIS_DIMENSION, D3D12_REQ_TEXTURE2D_ARRAY_AXIS_DIMENSION",
    }
    MIP_LEVELS_MAX = "resource.mip_levels" {
        statement: "A texture has at most 15 mips; more than its own chain are accepted and kept.",
        remedy: "Set MipLevels to 15 or less, or to 0 for the full chain.",
        message: Some(message::CREATERESOURCE_INVALIDMIPLEVELS),
        source: "public: D3D12_REQ_MIP_LEVELS; the longer chain: facts/behaviour.md, Creation",
    }
    SUBRESOURCES_MAX = "resource.subresources" {
        statement: "A resource has at most 30720 subresources: mips x slices x planes.",
        remedy: "Use fewer slices or mips.",
        message: Some(message::CREATERESOURCE_INVALIDDIMENSIONS),
        source: "public: D3D12_REQ_SUBRESOURCES",
    }
    SIZE = "resource.size" {
        statement: "A resource's size, in bytes, fits 64 bits and the adapter's GPU virtual addresses for one resource.",
        remedy: "Make the resource smaller, or split it.",
        message: Some(message::CREATERESOURCE_INVALIDDIMENSIONS),
        source: "spec/2-resource-heaps.txt 383-386",
    }

    // Formats.
    FORMAT_UNKNOWN = "resource.format.unknown" {
        statement: "A texture has a format.",
        remedy: "Set Format to one of DXGI_FORMAT other than UNKNOWN.",
        message: Some(message::CREATERESOURCE_UNRECOGNIZEDFORMAT),
        source: "public: D3D12_RESOURCE_DESC",
    }
    FORMAT_DIMENSION = "resource.format.dimension" {
        statement: "The format can be that of a texture of this dimension.",
        remedy: "Choose another format or Dimension.",
        message: Some(message::CREATERESOURCE_INVALIDFORMAT),
        source: "public: D3D12_FORMAT_SUPPORT1_TEXTURE1D, _TEXTURE2D, _TEXTURE3D",
    }
    FORMAT_RENDER_TARGET = "resource.format.render_target" {
        statement: "ALLOW_RENDER_TARGET goes with a format, a typeless family with a member, or a format it is cast to, that can be a render target.",
        remedy: "Drop ALLOW_RENDER_TARGET, or choose a format that can be a render target.",
        message: Some(message::CREATERESOURCE_INVALIDFORMAT),
        source: "public: D3D12_FORMAT_SUPPORT1_RENDER_TARGET",
    }
    FORMAT_DEPTH_STENCIL = "resource.format.depth_stencil" {
        statement: "ALLOW_DEPTH_STENCIL goes with a depth-stencil format, the typeless format of its family, or a format cast to one.",
        remedy: "Use D16_UNORM, D24_UNORM_S8_UINT, D32_FLOAT, D32_FLOAT_S8X24_UINT or their typeless formats, or drop the flag.",
        message: Some(message::CREATERESOURCE_INVALIDFORMAT),
        source: "public: D3D12_FORMAT_SUPPORT1_DEPTH_STENCIL",
    }
    FORMAT_UNORDERED_ACCESS = "resource.format.unordered_access" {
        statement: "ALLOW_UNORDERED_ACCESS goes with a format, a typeless family with a member, or a format it is cast to, that a typed UAV can have.",
        remedy: "Drop ALLOW_UNORDERED_ACCESS, or choose a format that a UAV can have.",
        message: Some(message::CREATERESOURCE_INVALIDFORMAT),
        source: "public: D3D12_FORMAT_SUPPORT1_TYPED_UNORDERED_ACCESS_VIEW",
    }
    FORMAT_MIPS = "resource.format.mips" {
        statement: "Several mips go with a format that can have them.",
        remedy: "Set MipLevels to 1, or choose another format.",
        message: Some(message::CREATERESOURCE_INVALIDMIPLEVELS),
        source: "public: D3D12_FORMAT_SUPPORT1_MIP",
    }
    FORMAT_MULTISAMPLE = "resource.format.multisample" {
        statement: "Several samples go with a format that can be a multisampled render target or depth-stencil.",
        remedy: "Set SampleDesc.Count to 1, or choose another format.",
        message: Some(message::CREATERESOURCE_INVALIDSAMPLEDESC),
        source: "public: D3D12_FORMAT_SUPPORT1_MULTISAMPLE_RENDERTARGET",
    }
    FORMAT_ALIGNMENT = "resource.format.alignment" {
        statement: "The extents of a texture whose format subsamples are multiples of the format's alignment.",
        remedy: "Round Width and Height up to the format's alignment.",
        message: Some(message::CREATERESOURCE_INVALIDDIMENSIONS),
        source: "facts/layout.md, GetCopyableFootprints (wa, ha); facts/formats.json",
    }
    FORMAT_BLOCK_ALIGNMENT_INBOX = "resource.format.block_alignment.inbox" {
        statement: "Before SDK 606 the extents of a block-compressed texture's mip 0 are multiples of 4.",
        remedy: "Round Width and Height up to multiples of 4, or use SDK 606 or later.",
        message: Some(message::CREATERESOURCE_INVALIDDIMENSIONS),
        until: Inbox,
        source: "facts/behaviour.md, Creation",
    }
    FORMAT_BLOCK_ALIGNMENT = "resource.format.block_alignment" {
        statement: "Without UnalignedBlockTexturesSupported the extents of a block-compressed texture's mip 0 are multiples of 4.",
        remedy: "Round Width and Height up to multiples of 4.",
        message: Some(message::CREATERESOURCE_INVALIDDIMENSIONS),
        since: V606,
        source: "facts/behaviour.md, Creation; public: D3D12_FEATURE_DATA_D3D12_OPTIONS8",
    }
    FORMAT_BLOCK_1D = "resource.format.block_1d" {
        statement: "No 1D texture is block-compressed.",
        remedy: "Use a 2D texture.",
        message: Some(message::CREATERESOURCE_INVALIDFORMAT),
        source: "facts/behaviour.md, Creation",
    }

    // Multisampling.
    SAMPLE_COUNT_ZERO = "resource.samples.zero" {
        statement: "A texture has at least one sample a texel.",
        remedy: "Set SampleDesc.Count to 1.",
        message: Some(message::CREATERESOURCE_INVALIDSAMPLEDESC),
        source: "facts/behaviour.md, Creation",
    }
    SAMPLE_COUNT = "resource.samples.count" {
        statement: "The sample count is a power of two that the adapter offers.",
        remedy: "Choose a count that CheckFeatureSupport(MULTISAMPLE_QUALITY_LEVELS) reports.",
        message: Some(message::CREATERESOURCE_INVALIDSAMPLEDESC),
        source: "public: D3D12_FEATURE_DATA_MULTISAMPLE_QUALITY_LEVELS; the adapter's greatest count is its profile's",
    }
    SAMPLE_QUALITY = "resource.samples.quality" {
        statement: "The sample quality is 0, or, of several samples, 0xffffffff for the standard pattern.",
        remedy: "Set SampleDesc.Quality to 0.",
        message: Some(message::CREATERESOURCE_INVALIDSAMPLEDESC),
        source: "chosen: vendor patterns are not modelled; public: DXGI_STANDARD_MULTISAMPLE_QUALITY_PATTERN",
    }
    MSAA_DIMENSION = "resource.msaa.dimension" {
        statement: "Only 2D textures have several samples.",
        remedy: "Set Dimension to TEXTURE2D, or SampleDesc.Count to 1.",
        message: Some(message::CREATERESOURCE_INVALIDSAMPLEDESC),
        source: "public: D3D12_RESOURCE_DESC, SampleDesc",
    }
    MSAA_MIPS = "resource.msaa.mips" {
        statement: "A multisampled texture has one mip.",
        remedy: "Set MipLevels to 1.",
        message: Some(message::CREATERESOURCE_INVALIDMIPLEVELS),
        source: "public: D3D12_RESOURCE_DESC, SampleDesc",
    }
    MSAA_FLAGS = "resource.msaa.flags" {
        statement: "A multisampled texture is a render target or depth-stencil.",
        remedy: "Add ALLOW_RENDER_TARGET or ALLOW_DEPTH_STENCIL, or set SampleDesc.Count to 1.",
        message: Some(message::CREATERESOURCE_INVALIDMISCFLAGS),
        source: "public: D3D12_RESOURCE_DESC, SampleDesc",
    }
    MSAA_SIMULTANEOUS_ACCESS = "resource.msaa.simultaneous_access" {
        statement: "No multisampled texture allows simultaneous access.",
        remedy: "Drop ALLOW_SIMULTANEOUS_ACCESS.",
        message: Some(message::CREATERESOURCE_INVALIDMISCFLAGS),
        source: "public: D3D12_RESOURCE_FLAGS",
    }
    MSAA_UNORDERED_ACCESS = "resource.msaa.unordered_access" {
        statement: "A multisampled texture allows unordered access only where the adapter reports WriteableMSAATexturesSupported.",
        remedy: "Drop ALLOW_UNORDERED_ACCESS.",
        message: Some(message::CREATERESOURCE_INVALIDMISCFLAGS),
        source: "public: D3D12_FEATURE_DATA_D3D12_OPTIONS14",
    }
    MSAA_LAYOUT = "resource.msaa.layout" {
        statement: "A multisampled texture's layout is UNKNOWN, or 64KB_UNDEFINED_SWIZZLE.",
        remedy: "Set Layout to UNKNOWN.",
        message: Some(message::CREATERESOURCE_INVALIDLAYOUT),
        source: "facts/layout.md, 64 KB standard swizzle; chosen: as for standard swizzle, rows have no sample axis",
    }

    // Flags.
    FLAGS_UNKNOWN = "resource.flags.unknown" {
        statement: "Flags holds no bit that D3D12_RESOURCE_FLAGS does not name.",
        remedy: "Clear the unknown bits.",
        message: Some(message::CREATERESOURCE_UNRECOGNIZEDMISCFLAGS),
        source: "public: D3D12_RESOURCE_FLAGS",
    }
    FLAGS_RENDER_TARGET_DEPTH_STENCIL = "resource.flags.render_target_depth_stencil" {
        statement: "A texture is a render target or a depth-stencil, not both.",
        remedy: "Drop ALLOW_RENDER_TARGET or ALLOW_DEPTH_STENCIL.",
        message: Some(message::CREATERESOURCE_INVALIDMISCFLAGS),
        source: "public: D3D12_RESOURCE_FLAGS",
    }
    FLAGS_DEPTH_STENCIL_UNORDERED_ACCESS = "resource.flags.depth_stencil_unordered_access" {
        statement: "A depth-stencil allows no unordered access.",
        remedy: "Drop ALLOW_DEPTH_STENCIL or ALLOW_UNORDERED_ACCESS.",
        message: Some(message::CREATERESOURCE_INVALIDMISCFLAGS),
        source: "public: D3D12_RESOURCE_FLAGS",
    }
    FLAGS_DENY_SHADER_RESOURCE = "resource.flags.deny_shader_resource" {
        statement: "DENY_SHADER_RESOURCE goes with ALLOW_DEPTH_STENCIL, or with video references.",
        remedy: "Drop DENY_SHADER_RESOURCE, or add ALLOW_DEPTH_STENCIL.",
        message: Some(message::CREATERESOURCE_INVALIDMISCFLAGS),
        source: "spec/2-resource-heaps.txt 118-124; video references: chosen, because no shader reads them either",
    }
    FLAGS_DEPTH_STENCIL_DIMENSION = "resource.flags.depth_stencil_dimension" {
        statement: "No 3D texture is a depth-stencil.",
        remedy: "Use a 2D array.",
        message: Some(message::CREATERESOURCE_INVALIDMISCFLAGS),
        source: "public: D3D12_RESOURCE_FLAGS",
    }
    FLAGS_SIMULTANEOUS_ACCESS = "resource.flags.simultaneous_access" {
        statement: "A depth-stencil allows no simultaneous access.",
        remedy: "Drop ALLOW_SIMULTANEOUS_ACCESS.",
        message: Some(message::CREATERESOURCE_INVALIDMISCFLAGS),
        source: "public: D3D12_RESOURCE_FLAGS",
    }
    FLAGS_VIDEO_REFERENCE = "resource.flags.video_reference" {
        statement: "A video reference is a 2D texture for the decoder or for the encoder, and nothing else: beside one VIDEO_*_REFERENCE_ONLY flag stand only DENY_SHADER_RESOURCE and USE_TIGHT_ALIGNMENT.",
        remedy: "Drop the other flags, or the VIDEO_*_REFERENCE_ONLY flag.",
        message: Some(message::CREATERESOURCE_INVALIDMISCFLAGS),
        source: "public: D3D12_RESOURCE_FLAGS; the exact list: chosen, because `only` excludes other uses",
    }
    FLAGS_ACCELERATION_STRUCTURE = "resource.flags.acceleration_structure" {
        statement: "RAYTRACING_ACCELERATION_STRUCTURE is for buffers with ALLOW_UNORDERED_ACCESS.",
        remedy: "Use a buffer, and add ALLOW_UNORDERED_ACCESS.",
        message: Some(message::CREATERESOURCE_INVALIDMISCFLAGS),
        source: "public: D3D12_RESOURCE_FLAGS",
    }
    FLAGS_CROSS_ADAPTER = "resource.flags.cross_adapter" {
        statement: "No depth-stencil is shared between adapters.",
        remedy: "Drop ALLOW_CROSS_ADAPTER or ALLOW_DEPTH_STENCIL.",
        message: Some(message::CREATERESOURCE_INVALIDMISCFLAGS),
        source: "chosen: another adapter has its own compression of depth, and nothing resolves it",
    }

    // Layouts.
    ROW_MAJOR_CAP = "resource.layout.row_major.cap" {
        statement: "Row-major textures need an adapter with CrossAdapterRowMajorTextureSupported.",
        remedy: "Set Layout to UNKNOWN, or keep the data in a buffer.",
        message: Some(message::CREATERESOURCE_INVALIDLAYOUT),
        source: "public: D3D12_FEATURE_DATA_D3D12_OPTIONS",
    }
    ROW_MAJOR_SHAPE = "resource.layout.row_major.shape" {
        statement: "A row-major texture is 2D, with one mip and one slice, in a format of one plane, and no depth-stencil.",
        remedy: "Set Layout to UNKNOWN, or keep the data in a buffer.",
        message: Some(message::CREATERESOURCE_INVALIDLAYOUT),
        source: "facts/behaviour.md, Creation; planes and depth-stencil: public, D3D12_TEXTURE_LAYOUT",
    }
    ROW_MAJOR_CROSS_ADAPTER = "resource.layout.row_major.cross_adapter" {
        statement: "A row-major texture has ALLOW_CROSS_ADAPTER.",
        remedy: "Add ALLOW_CROSS_ADAPTER, or set Layout to UNKNOWN.",
        message: Some(message::CREATERESOURCE_INVALIDLAYOUT),
        source: "facts/behaviour.md, Creation",
    }
    STANDARD_SWIZZLE_CAP = "resource.layout.standard_swizzle.cap" {
        statement: "Standard swizzle needs an adapter with StandardSwizzle64KBSupported.",
        remedy: "Set Layout to UNKNOWN or 64KB_UNDEFINED_SWIZZLE.",
        message: Some(message::CREATERESOURCE_INVALIDLAYOUT),
        source: "spec/2-resource-heaps.txt 333-340",
    }
    STANDARD_SWIZZLE_SHAPE = "resource.layout.standard_swizzle.shape" {
        statement: "Standard swizzle is not for 1D, multisampled or depth-stencil textures, nor for elements of 96 bits.",
        remedy: "Set Layout to UNKNOWN or 64KB_UNDEFINED_SWIZZLE.",
        message: Some(message::CREATERESOURCE_INVALIDLAYOUT),
        source: "facts/layout.md, 64 KB standard swizzle",
    }

    // Alignments without USE_TIGHT_ALIGNMENT.
    LAYOUT_64KB_ALIGNMENT = "resource.layout.64kb.alignment" {
        statement: "A texture of a 64KB layout lies at 64 KiB.",
        remedy: "Set Alignment to 0 or 65536, or Layout to UNKNOWN.",
        message: Some(message::CREATERESOURCE_INVALIDALIGNMENT),
        source: "facts/layout.md, Small-resource alignment",
    }
    TEXTURE_ALIGNMENT = "resource.texture.alignment" {
        statement: "A texture of one sample lies at 64 KiB, or at 4 KiB if it is small.",
        remedy: "Set Alignment to 0, 4096 or 65536.",
        message: Some(message::CREATERESOURCE_INVALIDALIGNMENT),
        source: "spec/1-tight-placed-resource-alignment.txt, Background",
    }
    SMALL_ALIGNMENT_KIND = "resource.alignment.small.kind" {
        statement: "A texture at 4 KiB has layout UNKNOWN and is neither render target nor depth-stencil.",
        remedy: "Set Alignment to 0 or 65536.",
        message: Some(message::CREATERESOURCE_INVALIDALIGNMENT_SMALLRESOURCE),
        source: "spec/1-tight-placed-resource-alignment.txt, Background; facts/layout.md, Small-resource alignment",
    }
    SMALL_ALIGNMENT_TILES = "resource.alignment.small.tiles" {
        statement: "Mip 0 of a texture at 4 KiB takes at most 16 tiles of 4 KiB.",
        remedy: "Set Alignment to 0 or 65536, or make the texture smaller.",
        message: Some(message::CREATERESOURCE_INVALIDALIGNMENT_SMALLRESOURCE),
        source: "spec/2-resource-heaps.txt 214-216; facts/layout.md, Small-resource alignment",
    }
    MSAA_ALIGNMENT = "resource.msaa.alignment" {
        statement: "A multisampled texture lies at 4 MiB, or at 64 KiB if it is small; of 64KB_UNDEFINED_SWIZZLE at 64 KiB.",
        remedy: "Set Alignment to 0, 65536 or 4194304.",
        message: Some(message::CREATERESOURCE_INVALIDALIGNMENT),
        source: "spec/1-tight-placed-resource-alignment.txt, Background",
    }
    MSAA_SMALL_ALIGNMENT_CAP = "resource.msaa.alignment.small.cap" {
        statement: "A multisampled texture at 64 KiB needs an adapter with MSAA64KBAlignedTextureSupported.",
        remedy: "Set Alignment to 0 or 4194304.",
        message: Some(message::CREATERESOURCE_INVALIDALIGNMENT),
        source: "facts/layout.md, Small-resource alignment; public: D3D12_FEATURE_DATA_D3D12_OPTIONS4",
    }
    MSAA_SMALL_ALIGNMENT_TILES = "resource.msaa.alignment.small.tiles" {
        statement: "A multisampled texture at 64 KiB takes at most 64 tiles of 64 KiB.",
        remedy: "Set Alignment to 0 or 4194304, or make the texture smaller.",
        message: Some(message::CREATERESOURCE_INVALIDALIGNMENT),
        source: "facts/layout.md, Small-resource alignment",
    }

    // Tight alignment.
    TIGHT_ALIGNMENT_SDK = "resource.tight_alignment.sdk" {
        statement: "USE_TIGHT_ALIGNMENT is unknown before SDK 618.",
        remedy: "Drop USE_TIGHT_ALIGNMENT, or use SDK 618 or later.",
        message: Some(message::CREATERESOURCE_INVALIDMISCFLAGS),
        until: V614,
        source: "spec/1-tight-placed-resource-alignment.txt, head",
    }
    TIGHT_ALIGNMENT_TIER = "resource.tight_alignment.tier" {
        statement: "USE_TIGHT_ALIGNMENT needs an adapter of D3D12_TIGHT_ALIGNMENT_TIER_1.",
        remedy: "Drop USE_TIGHT_ALIGNMENT.",
        message: Some(message::CREATERESOURCE_INVALIDMISCFLAGS),
        since: V618,
        source: "spec/1-tight-placed-resource-alignment.txt, Validation",
    }
    TIGHT_ALIGNMENT_LAYOUT = "resource.tight_alignment.layout" {
        statement: "USE_TIGHT_ALIGNMENT does not go with a 64KB layout, and so not with a reserved texture.",
        remedy: "Drop USE_TIGHT_ALIGNMENT, or set Layout to UNKNOWN.",
        message: Some(message::CREATERESOURCE_INVALIDMISCFLAGS),
        since: V618,
        source: "spec/1-tight-placed-resource-alignment.txt, Validation",
    }
    TIGHT_ALIGNMENT_NON_ZERO = "resource.tight_alignment.non_zero" {
        statement: "Before SDK 619.4 Alignment is 0 beside USE_TIGHT_ALIGNMENT.",
        remedy: "Set Alignment to 0, or use SDK 619.4 or later.",
        message: Some(message::CREATERESOURCE_INVALIDALIGNMENT),
        since: V618,
        until: V619_3,
        source: "spec/1-tight-placed-resource-alignment.txt, Non-zero Alignment as a target floor",
    }
    TIGHT_ALIGNMENT_POWER_OF_TWO = "resource.tight_alignment.power_of_two" {
        statement: "A non-zero Alignment beside USE_TIGHT_ALIGNMENT is a power of two.",
        remedy: "Set Alignment to 0 or to a power of two.",
        message: Some(message::CREATERESOURCE_INVALIDALIGNMENT),
        since: V619_4,
        source: "spec/1-tight-placed-resource-alignment.txt, Validation",
    }
    TIGHT_ALIGNMENT_MAX = "resource.tight_alignment.max" {
        statement: "A non-zero Alignment beside USE_TIGHT_ALIGNMENT is at most the greatest of the kind: placed buffers 256 bytes, committed buffers 4 KiB, textures 64 KiB (small ones 4 KiB), multisampled textures 4 MiB (small ones 64 KiB).",
        remedy: "Set Alignment to 0 or to a smaller floor.",
        message: Some(message::CREATERESOURCE_INVALIDALIGNMENT),
        since: V619_4,
        source: "spec/1-tight-placed-resource-alignment.txt, Placed Resources, Committed Resources, Validation",
    }

    // Sampler feedback.
    FEEDBACK_CAP = "resource.sampler_feedback.cap" {
        statement: "Sampler-feedback formats need an adapter with a SamplerFeedbackTier.",
        remedy: "Choose another format, or an adapter with sampler feedback.",
        message: Some(message::RESOURCE_FORMAT_REQUIRES_SAMPLER_FEEDBACK_CAPABILITY),
        source: "public: D3D12_FEATURE_DATA_D3D12_OPTIONS7",
    }
    FEEDBACK_DIMENSION = "resource.sampler_feedback.dimension" {
        statement: "A sampler-feedback map is 2D.",
        remedy: "Set Dimension to TEXTURE2D.",
        message: Some(message::SAMPLER_FEEDBACK_MAP_INVALID_DIMENSION),
        source: "public: D3D12_MESSAGE_ID 1257",
    }
    FEEDBACK_SAMPLE_COUNT = "resource.sampler_feedback.sample_count" {
        statement: "A sampler-feedback map has one sample.",
        remedy: "Set SampleDesc.Count to 1.",
        message: Some(message::SAMPLER_FEEDBACK_MAP_INVALID_SAMPLE_COUNT),
        source: "public: D3D12_MESSAGE_ID 1258",
    }
    FEEDBACK_SAMPLE_QUALITY = "resource.sampler_feedback.sample_quality" {
        statement: "A sampler-feedback map has sample quality 0.",
        remedy: "Set SampleDesc.Quality to 0.",
        message: Some(message::SAMPLER_FEEDBACK_MAP_INVALID_SAMPLE_QUALITY),
        source: "public: D3D12_MESSAGE_ID 1259",
    }
    FEEDBACK_LAYOUT = "resource.sampler_feedback.layout" {
        statement: "A sampler-feedback map has layout UNKNOWN.",
        remedy: "Set Layout to UNKNOWN.",
        message: Some(message::SAMPLER_FEEDBACK_MAP_INVALID_LAYOUT),
        source: "public: D3D12_MESSAGE_ID 1260",
    }
    FEEDBACK_UNORDERED_ACCESS = "resource.sampler_feedback.unordered_access" {
        statement: "A sampler-feedback map has ALLOW_UNORDERED_ACCESS.",
        remedy: "Add ALLOW_UNORDERED_ACCESS.",
        message: Some(message::SAMPLER_FEEDBACK_MAP_REQUIRES_UNORDERED_ACCESS_FLAG),
        source: "public: D3D12_MESSAGE_ID 1261",
    }
    FEEDBACK_MIP_REGION = "resource.sampler_feedback.mip_region" {
        statement: "A mip region is a power of two of at least 4 texels and at most half the texture along x and y, and 0 or 1 along z.",
        remedy: "Choose powers of two from 4 to half of Width and Height, and depth 0.",
        message: Some(message::SAMPLER_FEEDBACK_MAP_INVALID_MIP_REGION),
        source: "public: D3D12_MIP_REGION, D3D12_MESSAGE_ID 1256",
    }
    MIP_REGION_WITHOUT_FEEDBACK = "resource.mip_region" {
        statement: "Only a sampler-feedback map has a mip region.",
        remedy: "Set SamplerFeedbackMipRegion to { 0, 0, 0 }.",
        message: Some(message::NONZERO_SAMPLER_FEEDBACK_MIP_REGION_WITH_INCOMPATIBLE_FORMAT),
        source: "public: D3D12_MESSAGE_ID 1252",
    }

    // Reserved resources.
    RESERVED_TIER = "resource.reserved.tier" {
        statement: "Reserved resources need an adapter of a TiledResourcesTier.",
        remedy: "Use committed or placed resources.",
        message: Some(message::CREATERESOURCE_INVALIDDESC),
        source: "public: D3D12_TILED_RESOURCES_TIER_NOT_SUPPORTED",
    }
    RESERVED_LAYOUT = "resource.reserved.layout" {
        statement: "A reserved texture has layout 64KB_UNDEFINED_SWIZZLE or 64KB_STANDARD_SWIZZLE.",
        remedy: "Set Layout to 64KB_UNDEFINED_SWIZZLE.",
        message: Some(message::CREATERESOURCE_INVALIDLAYOUT),
        source: "spec/2-resource-heaps.txt 183; standard swizzle: facts/behaviour.md, Creation",
    }
    RESERVED_DIMENSION = "resource.reserved.dimension" {
        statement: "No 1D texture is reserved.",
        remedy: "Use a 2D texture.",
        message: Some(message::CREATERESOURCE_INVALIDDIMENSIONALITY),
        source: "facts/behaviour.md, Creation",
    }
    RESERVED_3D_TIER = "resource.reserved.3d_tier" {
        statement: "Reserved 3D textures need TiledResourcesTier 3.",
        remedy: "Use a 2D array, or a committed or placed texture.",
        message: Some(message::CREATERESOURCE_INVALIDDIMENSIONALITY),
        source: "facts/layout.md, Tiling",
    }
    RESERVED_FORMAT = "resource.reserved.format" {
        statement: "A reserved texture has a format of one plane that tiles can hold.",
        remedy: "Choose a format without planes.",
        message: Some(message::CREATERESOURCE_INVALIDFORMAT),
        source: "facts/behaviour.md, Creation (D32S8); other planar formats: chosen, because a tile holds texels of one size",
    }
    RESERVED_MSAA_TIER = "resource.reserved.msaa_tier" {
        statement: "Reserved multisampled textures need TiledResourcesTier 2.",
        remedy: "Set SampleDesc.Count to 1.",
        message: Some(message::CREATERESOURCE_INVALIDSAMPLEDESC),
        source: "chosen: the tier that D3D11.3 gives the whole set of sample operations",
    }
    RESERVED_ARRAY_PACKED = "resource.reserved.array_packed_mips" {
        statement: "A reserved array has packed mips only on TiledResourcesTier 4 and with 64KB_UNDEFINED_SWIZZLE.",
        remedy: "Use fewer mips, so that each fills a tile (tier 1: is a multiple of the tile), or one slice.",
        message: Some(message::CREATERESOURCE_INVALIDMIPLEVELS),
        source: "facts/layout.md, Tiling; facts/behaviour.md, Creation",
    }
    RESERVED_CROSS_ADAPTER = "resource.reserved.cross_adapter" {
        statement: "No reserved resource is shared between adapters.",
        remedy: "Drop ALLOW_CROSS_ADAPTER.",
        message: Some(message::CREATERESOURCE_INVALIDMISCFLAGS),
        source: "chosen: the flag belongs to heaps of SHARED_CROSS_ADAPTER, and a reserved resource has no heap",
    }

    // Queries on a description.
    FOOTPRINTS_RANGE = "footprints.subresources" {
        statement: "GetCopyableFootprints is asked for subresources that the description has.",
        remedy: "Keep FirstSubresource + NumSubresources within the resource's subresources.",
        message: Some(message::GETCOPYABLEFOOTPRINTS_INVALIDSUBRESOURCERANGE),
        source: "facts/layout.md, GetCopyableFootprints",
    }
    FOOTPRINTS_BUFFER_WIDTH = "footprints.buffer_width" {
        statement: "A footprint's row pitch has 32 bits, and so has the width of a buffer that one is asked for.",
        remedy: "Copy the buffer with CopyBufferRegion.",
        message: Some(message::GETCOPYABLEFOOTPRINTS_UNSUPPORTED_BUFFER_WIDTH),
        source: "public: D3D12_MESSAGE_ID 1322",
    }
    FOOTPRINTS_OUTPUT = "footprints.output" {
        statement: "An output of GetCopyableFootprints has room for every subresource asked for.",
        remedy: "Give outputs of NumSubresources elements.",
        message: None,
        source: "chosen: C cannot check it, a slice can",
    }
    ALLOCATION_INFO_OUTPUT = "allocation_info.output" {
        statement: "The per-element output of GetResourceAllocationInfo has room for every description.",
        remedy: "Give an output of as many elements as descriptions.",
        message: None,
        source: "chosen: C cannot check it, a slice can",
    }
    TILING_RANGE = "tiling.subresources" {
        statement: "GetResourceTiling is asked for subresources that the resource has.",
        remedy: "Keep FirstSubresourceTilingToGet and the count within the resource's subresources.",
        message: None,
        source: "public: ID3D12Device::GetResourceTiling",
    }

    // Of drivers.
    DRIVER_ALIGNMENT = "resource.driver.alignment" {
        statement: "A driver's alignment is at most the greatest of the kind beside USE_TIGHT_ALIGNMENT, else 64 KiB, or 4 MiB of multisampled textures.",
        remedy: "Correct the driver: the description is legal.",
        message: None,
        source: "spec/1-tight-placed-resource-alignment.txt, Proposed Solution; spec/2-resource-heaps.txt 742; 4 MiB: chosen, the greatest alignment that a heap has",
    }
}
