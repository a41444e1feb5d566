//! D3D12's constants (D3D12_REQ_* and the alignment constants of D3D12's public headers).

use heapstone_units::{KIB, MIB};

/// D3D12_REQ_TEXTURE1D_U_DIMENSION: texels.
pub const TEXTURE1D_WIDTH_MAX: u64 = 16_384;
/// D3D12_REQ_TEXTURE1D_ARRAY_AXIS_DIMENSION: slices.
pub const TEXTURE1D_ARRAY_SIZE_MAX: u16 = 2048;
/// D3D12_REQ_TEXTURE2D_U_OR_V_DIMENSION: texels.
pub const TEXTURE2D_WIDTH_HEIGHT_MAX: u64 = 16_384;
/// D3D12_REQ_TEXTURE2D_ARRAY_AXIS_DIMENSION: slices.
pub const TEXTURE2D_ARRAY_SIZE_MAX: u16 = 2048;
/// D3D12_REQ_TEXTURE3D_U_V_OR_W_DIMENSION: texels.
pub const TEXTURE3D_DIMENSION_MAX: u64 = 2048;
/// D3D12_REQ_MIP_LEVELS: a chain of a 16384 texel texture.
pub const MIP_LEVELS_MAX: u16 = 15;
/// D3D12_REQ_SUBRESOURCES: of one resource.
pub const SUBRESOURCES_MAX: u32 = 30_720;
/// D3D12_MAX_MULTISAMPLE_SAMPLE_COUNT.
pub const SAMPLE_COUNT_MAX: u32 = 32;
/// D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT.
pub const SMALL_RESOURCE_ALIGNMENT: u64 = 4 * KIB;
/// D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT.
pub const DEFAULT_RESOURCE_ALIGNMENT: u64 = 64 * KIB;
/// D3D12_SMALL_MSAA_RESOURCE_PLACEMENT_ALIGNMENT.
pub const SMALL_MSAA_RESOURCE_ALIGNMENT: u64 = 64 * KIB;
/// D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT.
pub const DEFAULT_MSAA_RESOURCE_ALIGNMENT: u64 = 4 * MIB;
/// D3D12_TIGHT_ALIGNMENT_MIN_PLACED_RESOURCE_ALIGNMENT (spec/1, Placed Resources).
pub const TIGHT_PLACED_ALIGNMENT_MIN: u64 = 8;
/// D3D12_TIGHT_ALIGNMENT_MIN_COMMITTED_RESOURCE_ALIGNMENT (spec/1, Committed Resources).
pub const TIGHT_COMMITTED_ALIGNMENT_MIN: u64 = 4 * KIB;
/// The greatest alignment that a driver may ask for a tightly aligned placed buffer (spec/1, Placed Resources).
pub const TIGHT_PLACED_BUFFER_ALIGNMENT_MAX: u64 = 256;
/// The greatest (and only) alignment of a tightly aligned committed buffer (spec/1, Committed Resources).
pub const TIGHT_COMMITTED_BUFFER_ALIGNMENT_MAX: u64 = 4 * KIB;
/// D3D12_TEXTURE_DATA_PITCH_ALIGNMENT (spec/2-resource-heaps.txt 254).
pub const TEXTURE_DATA_PITCH_ALIGNMENT: u32 = 256;
/// D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT (spec/2-resource-heaps.txt 255).
pub const TEXTURE_DATA_PLACEMENT_ALIGNMENT: u64 = 512;
/// D3D12_TILED_RESOURCE_TILE_SIZE_IN_BYTES.
pub const TILE_SIZE: u64 = 64 * KIB;
/// The greatest size of a heap that the CPU can map: 4 GiB less one 64 KiB page (the size limit that
/// D3D12 applies to CPU-visible heaps and their buffers).
pub const CPU_VISIBLE_SIZE_MAX: u64 = 0xffff_0000;
/// D3D12_MAX_SHADER_VISIBLE_SAMPLER_HEAP_SIZE: descriptors (facts/buffer-views.md, Sampler heaps).
pub const SHADER_VISIBLE_SAMPLERS_MAX: u32 = 2048;
/// D3D12_MAX_SHADER_VISIBLE_DESCRIPTOR_HEAP_SIZE_TIER_1 and _TIER_2: descriptors.
pub const SHADER_VISIBLE_VIEWS_MAX: u32 = 1_000_000;
/// On resource binding tier 3, where D3D12 asks for no fewer than on tier 2 and leaves the rest to the device: descriptors.
/// Chosen, because 2^22 descriptors of 64 bytes are 256 MiB, beyond what any program that is known fills.
pub const SHADER_VISIBLE_VIEWS_TIER_3_MAX: u32 = 1 << 22;
/// D3D12_REQ_MULTI_ELEMENT_STRUCTURE_SIZE_IN_BYTES.
pub const STRUCTURE_BYTE_STRIDE_MAX: u32 = 2048;
/// D3D12_REQ_BUFFER_RESOURCE_TEXEL_COUNT_2_TO_EXP: texels of a typed view of a buffer.
pub const BUFFER_TEXELS_MAX: u32 = 1 << 27;
/// D3D12_RAW_UAV_SRV_BYTE_ALIGNMENT (spec/1, Choosing an Alignment floor).
pub const RAW_VIEW_ALIGNMENT: u64 = 16;
/// D3D12_UAV_COUNTER_PLACEMENT_ALIGNMENT.
pub const UAV_COUNTER_PLACEMENT_ALIGNMENT: u64 = 4 * KIB;
/// D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT (spec/1, Choosing an Alignment floor).
pub const CONSTANT_BUFFER_ALIGNMENT: u32 = 256;
/// D3D12_REQ_CONSTANT_BUFFER_ELEMENT_COUNT, 4096 elements of 16 bytes: bytes of a constant buffer view.
pub const CONSTANT_BUFFER_SIZE_MAX: u32 = 65_536;
