//! Profiles for tests: every value that layout reads is set here, so that no change of a profile file
//! changes an expected number.
#![allow(dead_code, missing_docs)] // Each test binary uses its own part.

use heapstone_layout::{
    LayoutRules, ProfileSizer, Purpose, ResourceAllocation, resource_allocation, validate,
};
use heapstone_spec::caps::{SamplerFeedbackTier, TightAlignmentTier, TiledResourcesTier};
use heapstone_spec::profile::{Profile, SwizzleFamily};
use heapstone_spec::{ResourceDesc, SdkVersion, Violation};

/// An adapter that can do everything, whose driver uses `family` and keeps no metadata.
pub(crate) fn profile(family: SwizzleFamily) -> Profile {
    let mut profile = Profile::builtin("discrete-8g").expect("a built-in profile");
    let caps = &mut profile.caps;
    caps.tiled_resources_tier = TiledResourcesTier::Tier4;
    caps.standard_swizzle_64kb = true;
    caps.cross_adapter_row_major_texture = true;
    caps.msaa_64kb_aligned_texture = true;
    caps.tight_alignment_tier = TightAlignmentTier::Tier1;
    caps.unaligned_block_textures = true;
    caps.writeable_msaa_textures = true;
    caps.sampler_feedback_tier = SamplerFeedbackTier::Tier1_0;
    caps.sample_count_max = 16;
    let layout = &mut profile.layout;
    layout.unknown_pattern = family;
    layout.image_alignment = if family == SwizzleFamily::Amd256Kb { 262_144 } else { 65_536 };
    layout.tight_buffer_alignment = 16;
    layout.tight_texture_alignment = 4096;
    layout.render_target_metadata_ratio = 0;
    layout.depth_stencil_metadata_ratio = 0;
    profile.gpu_va.bits_per_resource = 40;
    profile
}

/// The rules of [`profile`] under the newest SDK.
pub(crate) fn rules(family: SwizzleFamily) -> LayoutRules {
    LayoutRules::new(&profile(family), SdkVersion::LATEST)
}

/// [`rules`] of [`SwizzleFamily::Standard4Kb`], under `sdk`.
pub(crate) fn rules_of(sdk: SdkVersion) -> LayoutRules {
    LayoutRules::new(&profile(SwizzleFamily::Standard4Kb), sdk)
}

/// What the runtime demands of a description for a purpose.
pub(crate) fn allocate(
    rules: &LayoutRules,
    desc: &ResourceDesc,
    purpose: Purpose,
) -> Result<ResourceAllocation, Box<Violation>> {
    let legal = validate(rules, desc, purpose)?;
    resource_allocation(rules, &ProfileSizer { rules: *rules }, &legal, purpose)
}

/// The size of a legal description.
#[track_caller]
pub(crate) fn size(rules: &LayoutRules, desc: &ResourceDesc) -> u64 {
    allocate(rules, desc, Purpose::Query).expect("a legal description").size
}

/// The id of the rule that a description breaks.
pub(crate) fn broken(rules: &LayoutRules, desc: &ResourceDesc, purpose: Purpose) -> Option<&'static str> {
    allocate(rules, desc, purpose).err().map(|violation| violation.rule.id)
}
