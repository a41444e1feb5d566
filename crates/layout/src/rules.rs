//! What layout depends on.

use heapstone_spec::profile::{Caps, Profile, SwizzleFamily};
use heapstone_spec::{SdkVersion, limits};
use heapstone_units::Alignment;

/// What layout depends on, taken once from a profile and an SDK version.
#[derive(Clone, Copy, Debug)]
pub struct LayoutRules {
    /// The runtime whose rules hold.
    pub sdk: SdkVersion,
    /// What the adapter can do.
    pub caps: Caps,
    /// How the adapter's driver lays resources out.
    pub layout: LayoutParameters,
    /// Bits of GPU virtual address that one resource may take (spec/2-resource-heaps.txt 383-386).
    pub resource_va_bits: u32,
}

/// [`LayoutProfile`](heapstone_spec::profile::LayoutProfile) with its alignments proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutParameters {
    /// The family of swizzle patterns that layout UNKNOWN textures get.
    pub unknown_pattern: SwizzleFamily,
    /// The alignment that the hardware needs for a texture's first byte.
    pub image_alignment: Alignment,
    /// The driver's answer for a tightly aligned buffer in a heap: 8 to 256 bytes.
    pub tight_buffer_alignment: Alignment,
    /// The driver's answer for a tightly aligned texture in a heap, before what the texture gets
    /// without the flag bounds it.
    pub tight_texture_alignment: Alignment,
    /// Bytes of colour for one byte of metadata; 0: none.
    pub render_target_metadata_ratio: u32,
    /// Bytes of depth-stencil for one byte of metadata; 0: none.
    pub depth_stencil_metadata_ratio: u32,
}

impl LayoutRules {
    /// The rules of `profile` under `sdk`.
    ///
    /// An alignment of the profile that is no power of two is taken as the next one, and bounded by
    /// what D3D12 allows: profiles read from files are checked before, profiles built by hand may
    /// hold anything.
    #[must_use]
    pub fn new(profile: &Profile, sdk: SdkVersion) -> LayoutRules {
        let layout = &profile.layout;
        LayoutRules {
            sdk,
            caps: profile.caps.under(sdk),
            layout: LayoutParameters {
                unknown_pattern: layout.unknown_pattern,
                image_alignment: power_of_two(
                    layout.image_alignment,
                    1,
                    limits::DEFAULT_MSAA_RESOURCE_ALIGNMENT,
                ),
                tight_buffer_alignment: power_of_two(
                    layout.tight_buffer_alignment,
                    limits::TIGHT_PLACED_ALIGNMENT_MIN,
                    limits::TIGHT_PLACED_BUFFER_ALIGNMENT_MAX,
                ),
                tight_texture_alignment: power_of_two(
                    layout.tight_texture_alignment,
                    limits::TIGHT_PLACED_ALIGNMENT_MIN,
                    limits::DEFAULT_MSAA_RESOURCE_ALIGNMENT,
                ),
                render_target_metadata_ratio: layout.render_target_metadata_ratio,
                depth_stencil_metadata_ratio: layout.depth_stencil_metadata_ratio,
            },
            resource_va_bits: profile.gpu_va.bits_per_resource,
        }
    }
}

/// The next power of two from `bytes`, between `min` and `max`, which are powers of two.
fn power_of_two(bytes: u64, min: u64, max: u64) -> Alignment {
    let bytes = bytes.clamp(min, max).checked_next_power_of_two().unwrap_or(max);
    Alignment::new(bytes).unwrap_or(Alignment::ONE)
}

/// What a description is wanted for: rules and alignment ranges differ (the placed and committed
/// tables of spec/1-tight-placed-resource-alignment.txt).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// GetResourceAllocationInfo, GetCopyableFootprints: the laxer of placed and committed, because a
    /// description that GetDesc gave of either is accepted again (spec/1, Non-zero Alignment as a
    /// target floor).
    Query,
    /// CreatePlacedResource.
    Placed,
    /// CreateCommittedResource.
    Committed,
    /// CreateReservedResource.
    Reserved,
}
