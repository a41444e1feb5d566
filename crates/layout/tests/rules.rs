//! Every rule of a description: one description that breaks it, and what is accepted beside it.
#![allow(clippy::unwrap_used)] // Helpers of tests are tests.

mod support;

use std::collections::HashSet;

use heapstone_layout::{
    FootprintOutputs, LayoutRules, ProfileSizer, Purpose, allocation_info, copyable_footprints,
    resource_tiling, validate,
};
use heapstone_spec::caps::{SamplerFeedbackTier, TightAlignmentTier, TiledResourcesTier};
use heapstone_spec::profile::{Profile, SwizzleFamily};
use heapstone_spec::rules::description;
use heapstone_spec::{
    Format, MipRegion, ResourceDesc, ResourceDimension, ResourceFlags as Flags, SampleDesc, SdkVersion,
    TextureLayout, Violation,
};
use support::profile;

/// What a description is tried on: the newest SDK and an adapter with everything, unless changed.
struct Try {
    profile: Profile,
    sdk: SdkVersion,
    purpose: Purpose,
}

impl Try {
    fn new() -> Try {
        Try { profile: profile(SwizzleFamily::Standard4Kb), sdk: SdkVersion::LATEST, purpose: Purpose::Query }
    }

    fn without(change: impl FnOnce(&mut Profile)) -> Try {
        let mut this = Try::new();
        change(&mut this.profile);
        this
    }

    fn sdk(sdk: SdkVersion) -> Try {
        Try { sdk, ..Try::new() }
    }

    fn purpose(self, purpose: Purpose) -> Try {
        Try { purpose, ..self }
    }

    fn rules(&self) -> LayoutRules {
        LayoutRules::new(&self.profile, self.sdk)
    }

    fn violation(&self, desc: &ResourceDesc) -> Option<Box<Violation>> {
        support::allocate(&self.rules(), desc, self.purpose).err()
    }
}

fn buffer() -> ResourceDesc {
    ResourceDesc::buffer(100)
}

fn rgba8(width: u64, height: u32) -> ResourceDesc {
    ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, width, height)
}

fn texture(format: Format) -> ResourceDesc {
    ResourceDesc::texture_2d(format, 64, 64)
}

fn depth() -> ResourceDesc {
    texture(Format::D32_FLOAT).with_flags(Flags::ALLOW_DEPTH_STENCIL)
}

fn msaa() -> ResourceDesc {
    rgba8(64, 64).with_samples(4).with_flags(Flags::ALLOW_RENDER_TARGET)
}

fn tiled(desc: ResourceDesc) -> ResourceDesc {
    desc.with_layout(TextureLayout::Undefined64KbSwizzle)
}

fn feedback() -> ResourceDesc {
    ResourceDesc {
        sampler_feedback_mip_region: MipRegion { width: 8, height: 8, depth: 0 },
        ..texture(Format::SAMPLER_FEEDBACK_MIN_MIP_OPAQUE).with_flags(Flags::ALLOW_UNORDERED_ACCESS)
    }
}

fn row_major() -> ResourceDesc {
    rgba8(64, 64).with_layout(TextureLayout::RowMajor).with_flags(Flags::ALLOW_CROSS_ADAPTER)
}

fn tight(desc: ResourceDesc) -> ResourceDesc {
    desc.with_flags(desc.flags | Flags::USE_TIGHT_ALIGNMENT)
}

fn reserved() -> Try {
    Try::new().purpose(Purpose::Reserved)
}

fn tier(tier: TiledResourcesTier) -> Try {
    Try::without(|profile| profile.caps.tiled_resources_tier = tier).purpose(Purpose::Reserved)
}

/// (rule, on what, description that breaks it)
#[rustfmt::skip]
fn broken() -> Vec<(&'static str, Try, ResourceDesc)> {
    let t = Try::new;
    let quality = |desc: ResourceDesc, quality| ResourceDesc {
        sample_desc: SampleDesc { quality, ..desc.sample_desc }, ..desc
    };
    let region = |width, height, depth| ResourceDesc {
        sampler_feedback_mip_region: MipRegion { width, height, depth }, ..feedback()
    };
    vec![
        ("resource.dimension", t(), ResourceDesc { dimension: ResourceDimension::Unknown, ..buffer() }),
        ("resource.buffer.width", t(), ResourceDesc::buffer(0)),
        ("resource.buffer.height", t(), ResourceDesc { height: 0, ..buffer() }),
        ("resource.buffer.height", t(), ResourceDesc { height: 2, ..buffer() }),
        ("resource.buffer.depth_or_array_size", t(), buffer().with_array_size(2)),
        ("resource.buffer.mip_levels", t(), buffer().with_mip_levels(0)),
        ("resource.buffer.mip_levels", t(), buffer().with_mip_levels(2)),
        ("resource.buffer.format", t(), ResourceDesc { format: Format::R8_UINT, ..buffer() }),
        ("resource.buffer.sample_desc", t(), buffer().with_samples(0)),
        ("resource.buffer.sample_desc", t(), quality(buffer(), 1)),
        ("resource.buffer.layout", t(), buffer().with_layout(TextureLayout::Unknown)),
        ("resource.buffer.flags", t(), buffer().with_flags(Flags::ALLOW_DEPTH_STENCIL)),
        ("resource.buffer.flags", t(), buffer().with_flags(Flags::ALLOW_SIMULTANEOUS_ACCESS)),
        ("resource.buffer.flags", t(), buffer().with_flags(Flags::DENY_SHADER_RESOURCE)),
        ("resource.buffer.flags", t(), buffer().with_flags(Flags::VIDEO_DECODE_REFERENCE_ONLY)),
        ("resource.buffer.alignment", t(), buffer().with_alignment(4096)),
        ("resource.texture.extent.zero", t(), rgba8(0, 1)),
        ("resource.texture.extent.zero", t(), rgba8(1, 0)),
        ("resource.texture.extent.zero", t(), rgba8(1, 1).with_array_size(0)),
        ("resource.texture.extent.max", t(), rgba8(16_385, 1)),
        ("resource.texture.extent.max", t(), rgba8(u64::MAX, 1)),
        ("resource.texture.extent.max", t(), rgba8(1, u32::MAX)),
        ("resource.texture.extent.max", t(), ResourceDesc::texture_3d(Format::R8_UNORM, 1, 1, 2049)),
        ("resource.texture.extent.max", t(), ResourceDesc::texture_1d(Format::R8_UNORM, 16_385)),
        ("resource.texture1d.height", t(), ResourceDesc { height: 2, ..ResourceDesc::texture_1d(Format::R8_UNORM, 1) }),
        ("resource.texture.array_size", t(), rgba8(1, 1).with_array_size(2049)),
        ("resource.mip_levels", t(), rgba8(1, 1).with_mip_levels(16)),
        ("resource.mip_levels", t(), rgba8(1, 1).with_mip_levels(u16::MAX)),
        // 2048 slices of 15 mips are 30720 subresources: only two planes make more.
        ("resource.subresources", t(), texture(Format::D32_FLOAT_S8X24_UINT)
            .with_flags(Flags::ALLOW_DEPTH_STENCIL).with_array_size(2048).with_mip_levels(8)),
        ("resource.size", t(), ResourceDesc::buffer((1 << 40) + 1)),
        ("resource.format.unknown", t(), texture(Format::UNKNOWN)),
        ("resource.format.dimension", t(), ResourceDesc::texture_3d(Format::D32_FLOAT, 4, 4, 4)),
        ("resource.format.dimension", t(), ResourceDesc::texture_1d(Format::NV12, 4)),
        ("resource.format.render_target", t(), texture(Format::BC1_UNORM).with_flags(Flags::ALLOW_RENDER_TARGET)),
        ("resource.format.render_target", t(), texture(Format::D32_FLOAT).with_flags(Flags::ALLOW_RENDER_TARGET)),
        ("resource.format.depth_stencil", t(), rgba8(4, 4).with_flags(Flags::ALLOW_DEPTH_STENCIL)),
        ("resource.format.depth_stencil", t(), texture(Format::R32G32_FLOAT).with_flags(Flags::ALLOW_DEPTH_STENCIL)),
        ("resource.format.unordered_access", t(), texture(Format::BC7_UNORM).with_flags(Flags::ALLOW_UNORDERED_ACCESS)),
        ("resource.format.mips", t(), texture(Format::NV12).with_mip_levels(2)),
        ("resource.format.multisample", t(), texture(Format::R9G9B9E5_SHAREDEXP).with_samples(4)),
        ("resource.format.alignment", t(), ResourceDesc::texture_2d(Format::NV12, 63, 64)),
        ("resource.format.alignment", t(), ResourceDesc::texture_2d(Format::NV12, 64, 63)),
        ("resource.format.alignment", t(), ResourceDesc::texture_2d(Format::R8G8_B8G8_UNORM, 3, 1)),
        ("resource.format.block_alignment.inbox", Try::sdk(SdkVersion::Inbox), ResourceDesc::texture_2d(Format::BC1_UNORM, 32, 31)),
        ("resource.format.block_alignment", Try::without(|p| p.caps.unaligned_block_textures = false), ResourceDesc::texture_2d(Format::BC1_UNORM, 30, 30)),
        ("resource.format.block_1d", t(), ResourceDesc::texture_1d(Format::BC1_UNORM, 64)),
        ("resource.samples.zero", t(), rgba8(4, 4).with_samples(0)),
        ("resource.samples.count", t(), msaa().with_samples(3)),
        ("resource.samples.count", t(), msaa().with_samples(32)),
        ("resource.samples.count", Try::without(|p| p.caps.sample_count_max = 2), msaa()),
        ("resource.samples.quality", t(), quality(msaa(), 1)),
        ("resource.samples.quality", t(), quality(rgba8(4, 4), u32::MAX)),
        ("resource.msaa.dimension", t(), ResourceDesc::texture_3d(Format::R8_UNORM, 4, 4, 4).with_samples(2).with_flags(Flags::ALLOW_RENDER_TARGET)),
        ("resource.msaa.mips", t(), msaa().with_mip_levels(2)),
        ("resource.msaa.flags", t(), rgba8(4, 4).with_samples(2)),
        ("resource.msaa.simultaneous_access", t(), msaa().with_flags(Flags::ALLOW_RENDER_TARGET | Flags::ALLOW_SIMULTANEOUS_ACCESS)),
        ("resource.msaa.unordered_access", Try::without(|p| p.caps.writeable_msaa_textures = false), msaa().with_flags(Flags::ALLOW_RENDER_TARGET | Flags::ALLOW_UNORDERED_ACCESS)),
        ("resource.msaa.layout", t(), msaa().with_layout(TextureLayout::RowMajor)),
        ("resource.msaa.layout", t(), msaa().with_layout(TextureLayout::Standard64KbSwizzle)),
        ("resource.flags.unknown", t(), rgba8(4, 4).with_flags(Flags::from_bits_retain(0x8000_0000))),
        ("resource.flags.unknown", t(), buffer().with_flags(Flags::from_bits_retain(0x200))),
        ("resource.flags.render_target_depth_stencil", t(), depth().with_flags(Flags::ALLOW_DEPTH_STENCIL | Flags::ALLOW_RENDER_TARGET)),
        ("resource.flags.depth_stencil_unordered_access", t(), depth().with_flags(Flags::ALLOW_DEPTH_STENCIL | Flags::ALLOW_UNORDERED_ACCESS)),
        ("resource.flags.deny_shader_resource", t(), rgba8(4, 4).with_flags(Flags::DENY_SHADER_RESOURCE)),
        ("resource.flags.depth_stencil_dimension", t(), ResourceDesc { dimension: ResourceDimension::Texture3D, ..depth() }),
        ("resource.flags.simultaneous_access", t(), depth().with_flags(Flags::ALLOW_DEPTH_STENCIL | Flags::ALLOW_SIMULTANEOUS_ACCESS)),
        ("resource.flags.video_reference", t(), texture(Format::NV12).with_flags(Flags::VIDEO_DECODE_REFERENCE_ONLY | Flags::VIDEO_ENCODE_REFERENCE_ONLY)),
        ("resource.flags.video_reference", t(), texture(Format::NV12).with_flags(Flags::VIDEO_DECODE_REFERENCE_ONLY | Flags::ALLOW_RENDER_TARGET)),
        ("resource.flags.acceleration_structure", t(), buffer().with_flags(Flags::RAYTRACING_ACCELERATION_STRUCTURE)),
        ("resource.flags.acceleration_structure", t(), rgba8(4, 4).with_flags(Flags::RAYTRACING_ACCELERATION_STRUCTURE | Flags::ALLOW_UNORDERED_ACCESS)),
        ("resource.flags.cross_adapter", t(), depth().with_flags(Flags::ALLOW_DEPTH_STENCIL | Flags::ALLOW_CROSS_ADAPTER)),
        ("resource.layout.row_major.cap", Try::without(|p| p.caps.cross_adapter_row_major_texture = false), row_major()),
        ("resource.layout.row_major.shape", t(), row_major().with_mip_levels(2)),
        ("resource.layout.row_major.shape", t(), row_major().with_array_size(2)),
        ("resource.layout.row_major.shape", t(), ResourceDesc { dimension: ResourceDimension::Texture3D, ..row_major() }),
        ("resource.layout.row_major.shape", t(), ResourceDesc { format: Format::NV12, ..row_major() }),
        ("resource.layout.row_major.cross_adapter", t(), row_major().with_flags(Flags::empty())),
        ("resource.layout.standard_swizzle.cap", Try::without(|p| p.caps.standard_swizzle_64kb = false), rgba8(4, 4).with_layout(TextureLayout::Standard64KbSwizzle)),
        ("resource.layout.standard_swizzle.shape", t(), ResourceDesc::texture_1d(Format::R8_UNORM, 4).with_layout(TextureLayout::Standard64KbSwizzle)),
        ("resource.layout.standard_swizzle.shape", t(), depth().with_layout(TextureLayout::Standard64KbSwizzle)),
        ("resource.layout.standard_swizzle.shape", t(), texture(Format::R32G32B32_FLOAT).with_layout(TextureLayout::Standard64KbSwizzle)),
        ("resource.layout.64kb.alignment", t(), tiled(rgba8(4, 4)).with_alignment(4096)),
        ("resource.texture.alignment", t(), rgba8(4, 4).with_alignment(4 << 20)),
        ("resource.texture.alignment", t(), rgba8(4, 4).with_alignment(u64::MAX)),
        ("resource.alignment.small.kind", t(), depth().with_alignment(4096)),
        ("resource.alignment.small.tiles", t(), rgba8(129, 128).with_alignment(4096)),
        ("resource.msaa.alignment", t(), msaa().with_alignment(4096)),
        ("resource.msaa.alignment.small.cap", Try::without(|p| p.caps.msaa_64kb_aligned_texture = false), msaa().with_alignment(65_536)),
        ("resource.msaa.alignment.small.tiles", t(), ResourceDesc { width: 4096, height: 4096, ..msaa() }.with_alignment(65_536)),
        ("resource.tight_alignment.sdk", Try::sdk(SdkVersion::V614), tight(buffer())),
        ("resource.tight_alignment.tier", Try::without(|p| p.caps.tight_alignment_tier = TightAlignmentTier::NotSupported), tight(rgba8(4, 4))),
        ("resource.tight_alignment.layout", t(), tight(tiled(rgba8(4, 4)))),
        ("resource.tight_alignment.non_zero", Try::sdk(SdkVersion::V618), tight(buffer()).with_alignment(256)),
        ("resource.tight_alignment.power_of_two", t(), tight(rgba8(4, 4)).with_alignment(48)),
        ("resource.tight_alignment.max", t(), tight(rgba8(4, 4)).with_alignment(8192)),
        ("resource.sampler_feedback.cap", Try::without(|p| p.caps.sampler_feedback_tier = SamplerFeedbackTier::NotSupported), feedback()),
        ("resource.sampler_feedback.dimension", t(), ResourceDesc { dimension: ResourceDimension::Texture3D, ..feedback() }),
        ("resource.sampler_feedback.sample_count", t(), feedback().with_samples(2)),
        ("resource.sampler_feedback.sample_quality", t(), quality(feedback(), 1)),
        ("resource.sampler_feedback.layout", t(), tiled(feedback())),
        ("resource.sampler_feedback.unordered_access", t(), feedback().with_flags(Flags::empty())),
        ("resource.sampler_feedback.mip_region", t(), region(0, 0, 0)),
        ("resource.sampler_feedback.mip_region", t(), region(2, 8, 0)),
        ("resource.sampler_feedback.mip_region", t(), region(12, 8, 0)),
        ("resource.sampler_feedback.mip_region", t(), region(8, 64, 0)),
        ("resource.sampler_feedback.mip_region", t(), region(8, 8, 2)),
        ("resource.mip_region", t(), ResourceDesc { format: Format::R8_UINT, ..feedback() }),
        ("resource.mip_region", t(), ResourceDesc { sampler_feedback_mip_region: MipRegion { width: 1, height: 0, depth: 0 }, ..buffer() }),
        ("resource.reserved.tier", tier(TiledResourcesTier::NotSupported), buffer()),
        ("resource.reserved.tier", tier(TiledResourcesTier::NotSupported), tiled(rgba8(4, 4))),
        ("resource.reserved.layout", reserved(), rgba8(4, 4)),
        ("resource.reserved.layout", reserved(), row_major().with_flags(Flags::ALLOW_CROSS_ADAPTER).with_layout(TextureLayout::Unknown).with_flags(Flags::empty())),
        ("resource.reserved.dimension", reserved(), tiled(ResourceDesc::texture_1d(Format::R8_UNORM, 4))),
        ("resource.reserved.3d_tier", tier(TiledResourcesTier::Tier2), tiled(ResourceDesc::texture_3d(Format::R8_UNORM, 4, 4, 4))),
        ("resource.reserved.format", reserved(), tiled(texture(Format::D32_FLOAT_S8X24_UINT).with_flags(Flags::ALLOW_DEPTH_STENCIL))),
        ("resource.reserved.format", reserved(), tiled(texture(Format::NV12))),
        ("resource.reserved.msaa_tier", tier(TiledResourcesTier::Tier1), tiled(msaa())),
        ("resource.reserved.array_packed_mips", tier(TiledResourcesTier::Tier3), tiled(rgba8(64, 64).with_array_size(2))),
        ("resource.reserved.cross_adapter", reserved(), buffer().with_flags(Flags::ALLOW_CROSS_ADAPTER)),
    ]
}

#[test]
fn each_rule_is_broken_by_its_description() {
    for (rule, on, desc) in broken() {
        let violation = on.violation(&desc);
        let violation = violation.expect(rule);
        assert_eq!(violation.rule.id, rule, "{desc:?}");
        let is_cap = violation.field.ends_with("Tier") || violation.field.ends_with("Supported");
        assert!(violation.field.starts_with("D3D12_RESOURCE_DESC.") || is_cap, "{rule}: {}", violation.field);
    }
}

/// What a rule says of the SDK versions in which it holds is what is decided.
#[test]
fn a_rule_is_broken_only_where_it_holds() {
    for (rule, on, desc) in broken() {
        for sdk in SdkVersion::ALL {
            if let Some(violation) = (Try { profile: on.profile.clone(), sdk: *sdk, ..on }).violation(&desc) {
                assert!(violation.rule.holds_in(*sdk), "{} under {sdk}, tried for {rule}", violation.rule.id);
            }
        }
    }
}

/// The rules of the queries are broken here, those of descriptions above; together they are all.
#[test]
fn every_rule_of_the_table_is_decided_somewhere() {
    let rules = Try::new().rules();
    let mut seen: HashSet<&str> = broken().into_iter().map(|(rule, ..)| rule).collect();
    let footprints = |desc: &ResourceDesc, first, count, out| {
        copyable_footprints(&rules, desc, first, count, 0, out).unwrap_err().rule.id
    };
    seen.insert(footprints(&buffer(), 0, 2, FootprintOutputs::default()));
    seen.insert(footprints(&ResourceDesc::buffer(1 << 32), 0, 1, FootprintOutputs::default()));
    let mut none = [0_u32; 0];
    let out = FootprintOutputs { row_counts: Some(&mut none), ..FootprintOutputs::default() };
    seen.insert(footprints(&buffer(), 0, 1, out));
    let sizer = ProfileSizer { rules };
    seen.insert(allocation_info(&rules, &sizer, &[buffer()], Some(&mut [])).unwrap_err().rule.id);
    let mut three = [heapstone_layout::SubresourceTiling::PACKED; 3];
    seen.insert(resource_tiling(&rules, &buffer(), 0, &mut three).unwrap_err().rule.id);
    // The rule of drivers: `a_driver_that_wants_too_much_is_refused` in `alignment.rs`.
    seen.insert(description::DRIVER_ALIGNMENT.id);
    for rule in description::ALL {
        assert!(seen.contains(rule.id), "no test breaks {}", rule.id);
    }
}

#[test]
#[rustfmt::skip]
fn what_is_accepted() {
    let t = Try::new;
    for (on, desc) in [
        (t(), buffer().with_flags(Flags::ALLOW_RENDER_TARGET)),
        (t(), buffer().with_flags(Flags::ALLOW_UNORDERED_ACCESS | Flags::RAYTRACING_ACCELERATION_STRUCTURE)),
        (t(), ResourceDesc::buffer(1 << 40)),
        (t(), rgba8(16_384, 16_384)),
        (t(), rgba8(1, 1).with_array_size(2048).with_mip_levels(15)),
        (t(), texture(Format::R32_TYPELESS).with_flags(Flags::ALLOW_DEPTH_STENCIL)),
        (t(), texture(Format::R32_FLOAT).with_flags(Flags::ALLOW_DEPTH_STENCIL)),
        (t(), texture(Format::R8G8B8A8_UNORM_SRGB).with_flags(Flags::ALLOW_UNORDERED_ACCESS)),
        (t(), texture(Format::R24G8_TYPELESS).with_flags(Flags::ALLOW_DEPTH_STENCIL)),
        (t(), texture(Format::R8G8B8A8_TYPELESS).with_flags(Flags::ALLOW_RENDER_TARGET | Flags::ALLOW_UNORDERED_ACCESS)),
        (t(), depth().with_flags(Flags::ALLOW_DEPTH_STENCIL | Flags::DENY_SHADER_RESOURCE)),
        (t(), texture(Format::NV12).with_flags(Flags::VIDEO_DECODE_REFERENCE_ONLY | Flags::DENY_SHADER_RESOURCE)),
        (t(), rgba8(4, 4).with_flags(Flags::ALLOW_SIMULTANEOUS_ACCESS)),
        // facts/behaviour.md: unaligned sizes of block-compressed textures from SDK 606.
        (Try::sdk(SdkVersion::V606), ResourceDesc::texture_2d(Format::BC1_UNORM, 32, 31)),
        (Try::sdk(SdkVersion::V606), ResourceDesc::texture_2d(Format::BC7_UNORM, 2, 2)),
        (Try::sdk(SdkVersion::Inbox), ResourceDesc::texture_2d(Format::BC7_UNORM, 4, 4).with_mip_levels(3)),
        (t(), msaa()),
        (t(), msaa().with_flags(Flags::ALLOW_RENDER_TARGET | Flags::ALLOW_UNORDERED_ACCESS)),
        (t(), ResourceDesc { sample_desc: SampleDesc { count: 4, quality: u32::MAX }, ..msaa() }),
        (t(), row_major()),
        (t(), rgba8(4, 4).with_layout(TextureLayout::Standard64KbSwizzle)),
        (t(), feedback()),
        (t(), feedback().with_mip_levels(0)),
        (reserved(), buffer()),
        (reserved(), tight(buffer())),
        (reserved(), tiled(rgba8(256, 256))),
        (reserved(), rgba8(256, 256).with_layout(TextureLayout::Standard64KbSwizzle)),
        (reserved(), tiled(msaa())),
        (tier(TiledResourcesTier::Tier3), tiled(rgba8(128, 128).with_array_size(2))),
    ] {
        let violation = on.violation(&desc);
        assert!(violation.is_none(), "{desc:?}: {violation:?}");
    }
}

/// facts/behaviour.md, Creation: a longer chain than the texture's is accepted and kept; 0 is the full one.
#[test]
fn mip_levels_are_resolved() {
    let rules = Try::new().rules();
    let mips = |desc: ResourceDesc| validate(&rules, &desc, Purpose::Query).unwrap().mip_levels;
    assert_eq!(mips(rgba8(32, 32).with_mip_levels(10)), 10);
    assert_eq!(mips(rgba8(32, 32).with_mip_levels(0)), 6);
    assert_eq!(mips(rgba8(1, 1).with_mip_levels(0)), 1);
    assert_eq!(mips(rgba8(16_384, 3).with_mip_levels(0)), 15);
    assert_eq!(mips(rgba8(1000, 777).with_mip_levels(0)), 10);
    assert_eq!(mips(ResourceDesc::texture_3d(Format::R8_UNORM, 4, 4, 64).with_mip_levels(0)), 7);
    assert_eq!(mips(rgba8(32, 32).with_array_size(64).with_mip_levels(0)), 6);
    assert_eq!(mips(msaa().with_mip_levels(0)), 1);
    // Nothing else changes.
    let given = rgba8(300, 200).with_mip_levels(0).with_alignment(65_536);
    assert_eq!(validate(&rules, &given, Purpose::Placed).unwrap(), given.with_mip_levels(9));
}

/// A violation says field, given and allowed with their numbers.
#[test]
fn texts_carry_the_numbers() {
    for (desc, words) in [
        (rgba8(20_000, 1), ["D3D12_RESOURCE_DESC.Width", "20000 texels", "at most 16384"]),
        (rgba8(1, 1).with_mip_levels(20), ["D3D12_RESOURCE_DESC.MipLevels", "20", "0 to 15"]),
        (msaa().with_samples(3), ["D3D12_RESOURCE_DESC.SampleDesc.Count", "3", "at most 16"]),
        (buffer().with_alignment(4096), ["D3D12_RESOURCE_DESC.Alignment", "4096", "0 or 65536"]),
        (
            ResourceDesc::texture_2d(Format::NV12, 63, 64),
            ["D3D12_RESOURCE_DESC.Width, Height", "63x64 of NV12", "2x2"],
        ),
    ] {
        let text = Try::new().violation(&desc).unwrap().to_string();
        for word in words {
            assert!(text.contains(word), "`{word}` in {text}");
        }
    }
}
