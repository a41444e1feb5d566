//! CheckFeatureSupport: each feature's structure as the words it is made of.
//!
//! Nearly all of D3D12_FEATURE_DATA are words of 32 bits, some of which the client fills in. A feature is a
//! function from the words as given to the words as answered; its size is checked first, exactly.

use core::ffi::c_void;
use core::ptr;

use heapstone::features as runtime;
use heapstone::spec::FormatUses;
use heapstone::spec::caps::{ResourceBindingTier, TiledResourcesTier};
use heapstone::spec::commands::CommandListType;
use heapstone::{CpuPageProperty, Format, HeapType, ResourceDimension, SdkVersion};

use super::Device;
use crate::com::Object;
use crate::convert::{self, known};
use crate::failure::{Failure, Unknown};
use crate::types::{D3D12_HEAP_PROPERTIES, E_FAIL, GUID};

/// D3D_FEATURE_LEVEL_11_0 to 12_1, as D3D12CreateDevice and FEATURE_LEVELS name them.
pub const FEATURE_LEVELS: [u32; 4] = [0xb000, 0xb100, 0xc000, 0xc100];

/// The highest feature level: 12_1 where tiles and binding allow 12_0, else 11_1 (Microsoft's documentation of feature
/// levels; what of them a rasteriser decides is chosen, as there is none).
#[must_use]
pub fn feature_level_max(device: &heapstone::Device) -> u32 {
    let caps = device.caps();
    let is_12 = caps.tiled_resources_tier >= TiledResourcesTier::Tier2
        && caps.resource_binding_tier >= ResourceBindingTier::Tier2;
    if is_12 { 0xc100 } else { 0xb100 }
}

/// The answer's words, from the device and the words given.
type Answer = fn(&Object<Device>, &[u32]) -> Result<Vec<u32>, Failure>;

/// A feature whose structure is words.
struct Feature {
    number: u32,
    /// How many words the structure has.
    words: usize,
    since: SdkVersion,
    answer: Answer,
}

/// Answers, into the client's structure; nothing is written unless it can.
///
/// # Safety
/// `data` is NULL or points to `size` bytes.
///
/// # Errors
/// An unknown feature, a size that is not the structure's, and what the feature's input has to be.
pub(super) unsafe fn check(
    this: &Object<Device>,
    feature: u32,
    data: *mut c_void,
    size: u32,
) -> Result<(), Failure> {
    if data.is_null() {
        return Err(Failure::Argument("pFeatureSupportData is NULL"));
    }
    match feature {
        // SAFETY: the caller's promise.
        2 => return unsafe { feature_levels(this, data, size) },
        // SAFETY: the caller's promise.
        34 => return unsafe { protected_session_types(this, data, size) },
        _ => {}
    }
    let unknown = Unknown { field: "Feature", given: u64::from(feature) };
    let found = FEATURES.iter().find(|known| known.number == feature && known.since <= this.runtime.sdk());
    let found = found.ok_or(unknown)?;
    if convert::size(size) != found.words * size_of::<u32>() {
        return Err(Failure::Argument("FeatureSupportDataSize is not the structure's"));
    }
    let mut given = vec![0_u32; found.words];
    // SAFETY: the caller's promise; the sizes are the same, and any bytes are words.
    unsafe { ptr::copy_nonoverlapping(data.cast::<u8>(), given.as_mut_ptr().cast(), convert::size(size)) };
    let answer = (found.answer)(this, &given)?;
    assert_eq!(answer.len(), found.words, "bug: feature {feature} answers another structure");
    // SAFETY: as above.
    unsafe { ptr::copy_nonoverlapping(answer.as_ptr().cast::<u8>(), data.cast(), convert::size(size)) };
    Ok(())
}

macro_rules! features {
    ($( $number:literal, $words:literal, $since:ident, |$device:pat_param, $given:pat_param| $answer:expr; )*) => {
        const FEATURES: &[Feature] = &[$( Feature {
            number: $number,
            words: $words,
            since: SdkVersion::$since,
            answer: |$device, $given| Ok($answer),
        } ),*];
    };
}

// In the order of D3D12_FEATURE. What a rasteriser or a shader would decide is reported as the highest
// tier of feature level 12_1 where clients depend on it for set-up, and as absent elsewhere (chosen, because nothing runs).
features! {
    // D3D12_OPTIONS
    0, 15, Inbox, |this, _| {
        let (caps, device) = (this.runtime.caps(), &this.runtime);
        vec![
            1, 1, 0,
            u32::from(caps.tiled_resources_tier),
            u32::from(caps.resource_binding_tier),
            0, 1, 1, 1,
            device.profile().gpu_va.bits_per_resource,
            u32::from(caps.standard_swizzle_64kb),
            u32::from(caps.cross_node_sharing_tier),
            u32::from(caps.cross_adapter_row_major_texture),
            1,
            u32::from(caps.resource_heap_tier),
        ]
    };
    // ARCHITECTURE
    1, 4, Inbox, |this, given| {
        let answer = this.runtime.check_feature_support::<runtime::Architecture>(given[0])?;
        vec![
            given[0],
            u32::from(answer.tile_based_renderer),
            u32::from(answer.uma),
            u32::from(answer.cache_coherent_uma),
        ]
    };
    // FORMAT_SUPPORT
    3, 3, Inbox, |_, given| {
        let (first, second) = format_support(convert::format(given[0])?);
        vec![given[0], first, second]
    };
    // MULTISAMPLE_QUALITY_LEVELS
    4, 4, Inbox, |this, given| {
        let input = (convert::format(given[0])?, given[1]);
        let answer = this.runtime.check_feature_support::<runtime::MultisampleQualityLevels>(input)?;
        vec![given[0], given[1], given[2], answer.num_quality_levels]
    };
    // FORMAT_INFO: a word, and a byte
    5, 2, Inbox, |this, given| {
        let answer = this.runtime.check_feature_support::<runtime::FormatPlanes>(convert::format(given[0])?)?;
        let [_, rest @ ..] = given[1].to_ne_bytes();
        let [a, b, c] = rest;
        vec![given[0], u32::from_ne_bytes([answer.plane_count, a, b, c])]
    };
    // GPU_VIRTUAL_ADDRESS_SUPPORT
    6, 2, Inbox, |this, _| {
        let va = this.runtime.profile().gpu_va;
        vec![va.bits_per_resource, va.bits_per_process]
    };
    // SHADER_MODEL: the least of what is asked and 6.6
    7, 1, Inbox, |_, given| match given[0] {
        0x51 | 0x60..=0x6f => vec![given[0].min(0x66)],
        other => return Err(Unknown { field: "HighestShaderModel", given: u64::from(other) }.into()),
    };
    // D3D12_OPTIONS1
    8, 6, Inbox, |_, _| vec![1, 32, 32, 1024, 1, 1];
    // PROTECTED_RESOURCE_SESSION_SUPPORT
    10, 2, Inbox, |this, given| {
        check_node(this, given[0])?;
        vec![given[0], u32::from(this.runtime.caps().protected_resource_sessions)]
    };
    // ROOT_SIGNATURE: the least of what is asked and 1.1
    12, 1, Inbox, |_, given| match given[0] {
        1..=3 => vec![given[0].min(2)],
        other => return Err(Unknown { field: "HighestVersion", given: u64::from(other) }.into()),
    };
    // ARCHITECTURE1
    16, 5, Inbox, |this, given| {
        let answer = this.runtime.check_feature_support::<runtime::Architecture>(given[0])?;
        vec![
            given[0],
            u32::from(answer.tile_based_renderer),
            u32::from(answer.uma),
            u32::from(answer.cache_coherent_uma),
            u32::from(answer.isolated_mmu),
        ]
    };
    // D3D12_OPTIONS2
    18, 2, Inbox, |this, _| vec![1, u32::from(this.runtime.caps().programmable_sample_positions_tier)];
    // SHADER_CACHE
    19, 1, Inbox, |_, _| vec![0];
    // COMMAND_QUEUE_PRIORITY
    20, 3, Inbox, |_, given| {
        known(CommandListType::from_d3d12(given[0]), "CommandListType", given[0])?;
        match given[1] {
            0 | 100 => vec![given[0], given[1], 1],
            10_000 => vec![given[0], given[1], 0],
            other => return Err(Unknown { field: "Priority", given: u64::from(other) }.into()),
        }
    };
    // D3D12_OPTIONS3
    21, 5, Inbox, |this, _| {
        let caps = this.runtime.caps();
        vec![u32::from(caps.copy_queue_timestamp_queries), 1, caps.write_buffer_immediate.bits(), 0, 0]
    };
    // EXISTING_HEAPS
    22, 1, Inbox, |this, _| vec![u32::from(this.runtime.caps().existing_heaps)];
    // D3D12_OPTIONS4
    23, 3, Inbox, |this, _| vec![u32::from(this.runtime.caps().msaa_64kb_aligned_texture), 0, 1];
    // SERIALIZATION
    24, 2, Inbox, |this, given| {
        check_node(this, given[0])?;
        vec![given[0], 0]
    };
    // CROSS_NODE
    25, 2, Inbox, |this, _| {
        let caps = this.runtime.caps();
        vec![u32::from(caps.cross_node_sharing_tier), u32::from(caps.cross_node_atomic_shader_instructions)]
    };
    // D3D12_OPTIONS5
    27, 3, Inbox, |_, _| vec![0, 0, 0];
    // DISPLAYABLE
    28, 2, Inbox, |_, _| vec![0, 0];
    // D3D12_OPTIONS6
    30, 5, Inbox, |_, _| vec![0; 5];
    // D3D12_OPTIONS7
    32, 2, Inbox, |this, _| vec![0, u32::from(this.runtime.caps().sampler_feedback_tier)];
    // PROTECTED_RESOURCE_SESSION_TYPE_COUNT
    33, 2, Inbox, |this, given| {
        check_node(this, given[0])?;
        vec![given[0], u32::from(this.runtime.caps().protected_resource_sessions)]
    };
    // D3D12_OPTIONS8
    36, 1, V606, |this, _| vec![u32::from(this.runtime.caps().unaligned_block_textures)];
    // D3D12_OPTIONS9
    37, 6, V606, |_, _| vec![0; 6];
    // D3D12_OPTIONS10
    39, 2, V606, |_, _| vec![0; 2];
    // D3D12_OPTIONS11
    40, 1, V606, |_, _| vec![0];
    // D3D12_OPTIONS12
    41, 3, V606, |this, _| {
        let caps = this.runtime.caps();
        vec![0, u32::from(caps.enhanced_barriers), u32::from(caps.relaxed_format_casting)]
    };
    // D3D12_OPTIONS13
    42, 6, V606, |this, _| {
        let answer = this.runtime.check_feature_support::<runtime::Options13>(())?;
        vec![
            u32::from(answer.unrestricted_buffer_texture_copy_pitch_supported),
            0,
            0,
            0,
            u32::from(answer.texture_copy_between_dimensions_supported),
            0,
        ]
    };
    // D3D12_OPTIONS14
    43, 3, V606, |this, _| vec![0, u32::from(this.runtime.caps().writeable_msaa_textures), 0];
    // D3D12_OPTIONS15
    44, 2, V606, |_, _| vec![0; 2];
    // D3D12_OPTIONS16
    45, 2, V614, |this, _| vec![0, u32::from(this.runtime.caps().gpu_upload_heap)];
    // D3D12_OPTIONS17
    46, 2, V614, |_, _| vec![0; 2];
    // D3D12_OPTIONS18
    47, 1, V614, |_, _| vec![0];
    // D3D12_OPTIONS19
    48, 10, V614, |this, _| {
        let caps = this.runtime.caps();
        let samplers = caps.sampler_heap_descriptors_max;
        vec![0, 1, 0, 0, 0, 0, samplers, samplers, caps.view_heap_descriptors_max(), 0]
    };
    // D3D12_OPTIONS20
    49, 2, V614, |this, _| {
        vec![0, u32::from(this.runtime.check_feature_support::<runtime::Options20>(())?.recreate_at_tier)]
    };
    // D3D12_OPTIONS21
    50, 4, V614, |_, _| vec![0; 4];
    // PREDICATION
    51, 1, V614, |_, _| vec![1];
    // PLACED_RESOURCE_SUPPORT_INFO
    52, 8, V614, |_, given| {
        let is_supported = placed_resource_support(given)?;
        let mut answer = given.to_vec();
        answer[7] = u32::from(is_supported);
        answer
    };
    // HARDWARE_COPY
    53, 1, V614, |_, _| vec![0];
    // D3D12_TIGHT_ALIGNMENT
    54, 1, V618, |this, _| vec![u32::from(this.runtime.caps().tight_alignment_tier)];
}

fn check_node(this: &Object<Device>, index: u32) -> Result<(), Failure> {
    // The architecture's query knows the rule.
    this.runtime.check_feature_support::<runtime::Architecture>(index)?;
    Ok(())
}

/// Whether a placed resource of the format and dimension may be on such a heap: no textures where the CPU is, as their
/// layout is the driver's (spec/2-resource-heaps.txt, Heap types).
fn placed_resource_support(given: &[u32]) -> Result<bool, Failure> {
    let format = convert::format(given[0])?;
    let dimension = known(ResourceDimension::from_d3d12(given[1]), "Dimension", given[1])?;
    let properties = convert::heap_properties(&D3D12_HEAP_PROPERTIES {
        Type: given[2],
        CPUPageProperty: given[3],
        MemoryPoolPreference: given[4],
        CreationNodeMask: given[5],
        VisibleNodeMask: given[6],
    })?;
    let is_cpu_visible = match properties.heap_type {
        HeapType::Default => false,
        HeapType::Custom => properties.cpu_page_property != CpuPageProperty::NotAvailable,
        HeapType::Upload | HeapType::Readback | HeapType::GpuUpload => true,
    };
    let uses = format.uses();
    Ok(match dimension {
        ResourceDimension::Unknown => false,
        ResourceDimension::Buffer => format == Format::UNKNOWN,
        ResourceDimension::Texture1D => !is_cpu_visible && uses.contains(FormatUses::TEXTURE1D),
        ResourceDimension::Texture2D => !is_cpu_visible && uses.contains(FormatUses::TEXTURE2D),
        ResourceDimension::Texture3D => !is_cpu_visible && uses.contains(FormatUses::TEXTURE3D),
    })
}

/// D3D12_FORMAT_SUPPORT1 and 2 (numbers: D3D12's public headers).
fn format_support(format: Format) -> (u32, u32) {
    const FIRST: &[(FormatUses, u32)] = &[
        (FormatUses::BUFFER, 0x1),
        (FormatUses::VERTEX_BUFFER, 0x2),
        (FormatUses::INDEX_BUFFER, 0x4),
        (FormatUses::TEXTURE1D, 0x10),
        (FormatUses::TEXTURE2D, 0x20),
        (FormatUses::TEXTURE3D, 0x40),
        (FormatUses::TEXTURECUBE, 0x80),
        (FormatUses::SHADER_LOAD, 0x100),
        // Gathers go with samples.
        (FormatUses::SHADER_SAMPLE, 0x200 | 0x80_0000),
        (FormatUses::MIP, 0x1000),
        (FormatUses::RENDER_TARGET, 0x4000),
        (FormatUses::BLENDABLE, 0x8000),
        (FormatUses::DEPTH_STENCIL, 0x1_0000),
        (FormatUses::MULTISAMPLE_RESOLVE, 0x4_0000),
        (FormatUses::DISPLAY, 0x8_0000),
        (FormatUses::MULTISAMPLE, 0x20_0000 | 0x40_0000),
        (FormatUses::TYPED_UAV, 0x200_0000),
        (FormatUses::VIDEO, 0x800_0000 | 0x2000_0000),
    ];
    const SECOND: &[(FormatUses, u32)] = &[(FormatUses::TYPED_UAV, 0x40 | 0x80), (FormatUses::TILED, 0x200)];
    let uses = format.uses();
    let bits = |table: &[(FormatUses, u32)]| {
        table.iter().filter(|(of, _)| uses.contains(*of)).fold(0, |bits, (_, bit)| bits | bit)
    };
    (bits(FIRST), bits(SECOND))
}

/// D3D12_FEATURE_DATA_FEATURE_LEVELS: the highest of the levels that the client names.
unsafe fn feature_levels(this: &Object<Device>, data: *mut c_void, size: u32) -> Result<(), Failure> {
    #[repr(C)]
    struct FeatureLevels {
        count: u32,
        requested: *const u32,
        maximum: u32,
    }
    if convert::size(size) != size_of::<FeatureLevels>() {
        return Err(Failure::Argument("FeatureSupportDataSize is not the structure's"));
    }
    let data = data.cast::<FeatureLevels>();
    // SAFETY: the size was checked.
    let given = unsafe { data.read_unaligned() };
    // SAFETY: the client gives as many levels as it says.
    let requested =
        unsafe { convert::slice(given.requested, given.count, "pFeatureLevelsRequested is NULL") }?;
    let maximum = feature_level_max(&this.runtime);
    let found =
        requested.iter().copied().filter(|level| FEATURE_LEVELS.contains(level) && *level <= maximum).max();
    let Some(found) = found else {
        return Err(if requested.is_empty() {
            Failure::Argument("NumFeatureLevels is 0")
        } else {
            E_FAIL.into()
        });
    };
    // SAFETY: the size was checked.
    unsafe { data.write_unaligned(FeatureLevels { maximum: found, ..given }) };
    Ok(())
}

/// D3D12_PROTECTED_RESOURCES_SESSION_HARDWARE_PROTECTED, the one type there is.
pub(crate) const SESSION_HARDWARE_PROTECTED: GUID = GUID::parse("62b0084e-c70e-4daa-a109-30ff8d5a0482");

/// D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_TYPES: as many identifiers as the device has.
unsafe fn protected_session_types(
    this: &Object<Device>,
    data: *mut c_void,
    size: u32,
) -> Result<(), Failure> {
    #[repr(C)]
    struct SessionTypes {
        node: u32,
        count: u32,
        types: *mut GUID,
    }
    if convert::size(size) != size_of::<SessionTypes>() {
        return Err(Failure::Argument("FeatureSupportDataSize is not the structure's"));
    }
    // SAFETY: the size was checked.
    let given = unsafe { data.cast::<SessionTypes>().read_unaligned() };
    check_node(this, given.node)?;
    let count = u32::from(this.runtime.caps().protected_resource_sessions);
    if given.count != count || (count > 0 && given.types.is_null()) {
        return Err(Failure::Argument("Count is not what PROTECTED_RESOURCE_SESSION_TYPE_COUNT answers"));
    }
    if count > 0 {
        // SAFETY: the client gives a place for each.
        unsafe { given.types.write_unaligned(SESSION_HARDWARE_PROTECTED) };
    }
    Ok(())
}
