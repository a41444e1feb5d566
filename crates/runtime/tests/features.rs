//! CheckFeatureSupport of each profile, under each SDK version (spec/2-resource-heaps.txt 322-355,
//! 1468-1482; spec/1-tight-placed-resource-alignment.txt, Runtime changes).
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use common::*;
use heapstone::features::{
    Architecture, CrossNode, ExistingHeaps, FormatPlanes, FormatSupport, GpuVirtualAddressSupport,
    MultisampleQualityLevels, Options, Options2, Options3, Options4, Options7, Options8, Options12,
    Options13, Options14, Options16, TightAlignment,
};
use heapstone::spec::FormatUses;
use heapstone::spec::caps::{
    CrossNodeSharingTier, ResourceHeapTier, SamplerFeedbackTier, TightAlignmentTier, TiledResourcesTier,
};
use heapstone::spec::rules::mapping as rules;
use heapstone::{Format, SdkVersion};

#[test]
fn architectures() {
    for (name, uma, coherent) in [
        ("discrete-8g", false, false),
        ("discrete-tier1-2g", false, false),
        ("integrated-uma", true, false),
        ("cache-coherent-uma", true, true),
        ("linked-two-nodes", false, false),
        ("software", true, true),
    ] {
        let told = device(name).check_feature_support::<Architecture>(0).unwrap();
        assert_eq!((told.uma, told.cache_coherent_uma), (uma, coherent), "{name}");
    }
    let linked = device("linked-two-nodes");
    assert_eq!(
        linked.check_feature_support::<Architecture>(1).unwrap(),
        linked.check_feature_support::<Architecture>(0).unwrap()
    );
    let violation = refused(linked.check_feature_support::<Architecture>(2), &rules::QUERY_NODE);
    says(&violation, "NodeIndex", &["2"], &["0 to 1"]);
}

#[test]
fn tiers() {
    for (name, heaps, tiles, tight) in [
        ("discrete-8g", ResourceHeapTier::Tier2, TiledResourcesTier::Tier4, TightAlignmentTier::Tier1),
        (
            "discrete-tier1-2g",
            ResourceHeapTier::Tier1,
            TiledResourcesTier::Tier3,
            TightAlignmentTier::NotSupported,
        ),
        (
            "discrete-no-msaa64k",
            ResourceHeapTier::Tier2,
            TiledResourcesTier::Tier4,
            TightAlignmentTier::NotSupported,
        ),
        ("cache-coherent-uma", ResourceHeapTier::Tier2, TiledResourcesTier::Tier2, TightAlignmentTier::Tier1),
        (
            "limited-va",
            ResourceHeapTier::Tier1,
            TiledResourcesTier::NotSupported,
            TightAlignmentTier::NotSupported,
        ),
    ] {
        let device = device(name);
        let options = device.check_feature_support::<Options>(()).unwrap();
        assert_eq!((options.resource_heap_tier, options.tiled_resources_tier), (heaps, tiles), "{name}");
        assert_eq!(device.check_feature_support::<TightAlignment>(()).unwrap().support_tier, tight, "{name}");
    }
}

#[test]
fn linked_nodes() {
    let told = device("linked-two-nodes").check_feature_support::<CrossNode>(()).unwrap();
    assert_eq!((told.sharing_tier, told.atomic_shader_instructions), (CrossNodeSharingTier::Tier3, true));
    let told = device("discrete-8g").check_feature_support::<CrossNode>(()).unwrap();
    assert_eq!(
        (told.sharing_tier, told.atomic_shader_instructions),
        (CrossNodeSharingTier::NotSupported, false)
    );
}

#[test]
fn capabilities_are_the_profiles() {
    for name in heapstone::Profile::builtin_names() {
        let device = device(name);
        let (caps, va) = (device.profile().caps, device.profile().gpu_va);
        let options = device.check_feature_support::<Options>(()).unwrap();
        assert_eq!(options.standard_swizzle_64kb_supported, caps.standard_swizzle_64kb);
        assert_eq!(options.cross_adapter_row_major_texture_supported, caps.cross_adapter_row_major_texture);
        assert_eq!(options.max_gpu_virtual_address_bits_per_resource, va.bits_per_resource);
        assert_eq!(options.resource_binding_tier, caps.resource_binding_tier);
        let samples = device.check_feature_support::<Options2>(()).unwrap();
        assert_eq!(samples.programmable_sample_positions_tier, caps.programmable_sample_positions_tier);
        let lists = device.check_feature_support::<Options3>(()).unwrap();
        assert_eq!(lists.copy_queue_timestamp_queries_supported, caps.copy_queue_timestamp_queries);
        assert_eq!(lists.write_buffer_immediate_support_flags, caps.write_buffer_immediate);
        let copies = device.check_feature_support::<Options13>(()).unwrap();
        let pitches = copies.unrestricted_buffer_texture_copy_pitch_supported;
        assert_eq!(pitches, caps.unrestricted_buffer_texture_copy_pitch);
        let msaa = device.check_feature_support::<Options4>(()).unwrap();
        assert_eq!(msaa.msaa_64kb_aligned_texture_supported, caps.msaa_64kb_aligned_texture);
        let feedback = device.check_feature_support::<Options7>(()).unwrap();
        assert_eq!(feedback.sampler_feedback_tier, caps.sampler_feedback_tier);
        let blocks = device.check_feature_support::<Options8>(()).unwrap();
        assert_eq!(blocks.unaligned_block_textures_supported, caps.unaligned_block_textures);
        let barriers = device.check_feature_support::<Options12>(()).unwrap();
        assert_eq!(barriers.enhanced_barriers_supported, caps.enhanced_barriers);
        assert_eq!(barriers.relaxed_format_casting_supported, caps.relaxed_format_casting);
        let writeable = device.check_feature_support::<Options14>(()).unwrap();
        assert_eq!(writeable.writeable_msaa_textures_supported, caps.writeable_msaa_textures);
        let upload = device.check_feature_support::<Options16>(()).unwrap();
        assert_eq!(upload.gpu_upload_heap_supported, caps.gpu_upload_heap);
        let existing = device.check_feature_support::<ExistingHeaps>(()).unwrap();
        assert_eq!(existing.supported, caps.existing_heaps);
        let addresses = device.check_feature_support::<GpuVirtualAddressSupport>(()).unwrap();
        assert_eq!(addresses.max_gpu_virtual_address_bits_per_process, va.bits_per_process);
        assert_eq!(addresses.max_gpu_virtual_address_bits_per_resource, va.bits_per_resource);
    }
    let addresses = device("limited-va").check_feature_support::<GpuVirtualAddressSupport>(()).unwrap();
    assert_eq!(addresses.max_gpu_virtual_address_bits_per_process, 31, "2 GiB");
    let feedback = device("discrete-8g").check_feature_support::<Options7>(()).unwrap();
    assert_eq!(feedback.sampler_feedback_tier, SamplerFeedbackTier::Tier1_0);
}

/// An SDK version knows no feature that came after it.
#[test]
fn features_are_as_old_as_their_sdk() {
    for sdk in SdkVersion::ALL.iter().copied() {
        let device = device_under("discrete-8g", sdk);
        device.check_feature_support::<Options>(()).unwrap();
        device.check_feature_support::<CrossNode>(()).unwrap();
        let is_unknown = [
            (SdkVersion::V618, device.check_feature_support::<TightAlignment>(()).map(drop)),
            (SdkVersion::V614, device.check_feature_support::<Options16>(()).map(drop)),
            (SdkVersion::V606, device.check_feature_support::<Options12>(()).map(drop)),
            (SdkVersion::V606, device.check_feature_support::<Options8>(()).map(drop)),
            (SdkVersion::V606, device.check_feature_support::<Options13>(()).map(drop)),
        ];
        for (since, result) in is_unknown {
            if sdk >= since {
                result.unwrap();
            } else {
                says(&refused(result, &rules::QUERY_FEATURE), "Feature", &[sdk.name()], &[since.name()]);
            }
        }
    }
}

#[test]
fn formats() {
    let device = device("discrete-8g");
    let uses = |format| device.check_feature_support::<FormatSupport>(format).unwrap().uses;
    assert!(uses(Format::R8G8B8A8_UNORM).contains(FormatUses::RENDER_TARGET | FormatUses::MIP));
    assert!(!uses(Format::BC1_UNORM).contains(FormatUses::RENDER_TARGET));
    assert!(uses(Format::D32_FLOAT).contains(FormatUses::DEPTH_STENCIL));
    for (format, planes) in [(Format::R8G8B8A8_UNORM, 1), (Format::D24_UNORM_S8_UINT, 2), (Format::NV12, 2)] {
        assert_eq!(device.check_feature_support::<FormatPlanes>(format).unwrap().plane_count, planes);
    }
}

#[test]
fn sample_counts() {
    for (name, most) in [("discrete-8g", 16), ("discrete-tier1-2g", 8), ("cache-coherent-uma", 4)] {
        let device = device(name);
        let levels = |format, count| {
            device
                .check_feature_support::<MultisampleQualityLevels>((format, count))
                .unwrap()
                .num_quality_levels
        };
        for count in 0..=64 {
            let is_offered = [1, 2, 4, 8, 16].contains(&count) && count <= most;
            assert_eq!(levels(Format::R8G8B8A8_UNORM, count), u32::from(is_offered), "{name} {count}");
        }
        assert_eq!((levels(Format::BC1_UNORM, 1), levels(Format::BC1_UNORM, 4)), (1, 0));
    }
}

#[test]
fn a_driver_that_can_less_than_the_profile_decides() {
    use core::sync::atomic::Ordering;
    use heapstone::spec::rules::description::TIGHT_ALIGNMENT_TIER;
    use heapstone::{Backing, CommittedResourceDesc, Device, HeapType, Profile, ResourceDesc, ResourceFlags};

    let factory = common::counting::CountingFactory::default();
    factory.watch.lacks_tight_alignment.store(true, Ordering::SeqCst);
    let device = Device::builder()
        .profile(Profile::builtin("discrete-8g").unwrap())
        .driver(&factory)
        .backing(Backing::Phantom)
        .build()
        .unwrap();
    let told = device.check_feature_support::<TightAlignment>(()).unwrap();
    assert_eq!(told.support_tier, TightAlignmentTier::NotSupported);
    let tight = ResourceDesc::buffer(100).with_flags(ResourceFlags::USE_TIGHT_ALIGNMENT);
    let desc = CommittedResourceDesc::new(HeapType::Default, tight);
    refused(device.create_committed_resource(&desc), &TIGHT_ALIGNMENT_TIER);
}

/// What a feature query reports under an SDK version, creation accepts there; what it does not report or
/// does not know, creation refuses.
#[test]
fn features_and_creation_agree_under_every_sdk() {
    use heapstone::{
        BarrierLayout, CommittedResourceDesc, HeapType, InitialState, ResourceDesc, ResourceFlags,
    };

    for name in heapstone::Profile::builtin_names() {
        for sdk in SdkVersion::ALL.iter().copied() {
            let device = device_under(name, sdk);
            let texture = CommittedResourceDesc::new(HeapType::Default, rgba8(64, 64));
            let reported = |options: Result<Options12, _>, which: fn(Options12) -> bool| {
                options.map_or_else(|_: heapstone::Error| false, which)
            };
            let barriers =
                reported(device.check_feature_support(()), |told| told.enhanced_barriers_supported);
            let with_layout =
                CommittedResourceDesc { initial: InitialState::Layout(BarrierLayout::Common), ..texture };
            assert_eq!(device.create_committed_resource(&with_layout).is_ok(), barriers, "{name} {sdk}");

            let casting =
                reported(device.check_feature_support(()), |told| told.relaxed_format_casting_supported);
            let with_formats = CommittedResourceDesc { castable_formats: &[Format::R32_UINT], ..texture };
            assert_eq!(device.create_committed_resource(&with_formats).is_ok(), casting, "{name} {sdk}");

            let told = device.check_feature_support::<Options14>(());
            let writeable = told.is_ok_and(|told| told.writeable_msaa_textures_supported);
            let flags = ResourceFlags::ALLOW_RENDER_TARGET | ResourceFlags::ALLOW_UNORDERED_ACCESS;
            let samples = rgba8(64, 64).with_samples(4).with_flags(flags);
            let written = CommittedResourceDesc::new(HeapType::Default, samples);
            assert_eq!(device.create_committed_resource(&written).is_ok(), writeable, "{name} {sdk}");

            let told = device.check_feature_support::<Options16>(());
            let uploads = told.is_ok_and(|told| told.gpu_upload_heap_supported);
            let upload = CommittedResourceDesc::new(HeapType::GpuUpload, ResourceDesc::buffer(100));
            assert_eq!(device.create_committed_resource(&upload).is_ok(), uploads, "{name} {sdk}");

            let told = device.check_feature_support::<TightAlignment>(());
            let is_tight = told.is_ok_and(|told| told.support_tier == TightAlignmentTier::Tier1);
            let tight = CommittedResourceDesc::new(HeapType::Default, tight_buffer(100));
            assert_eq!(device.create_committed_resource(&tight).is_ok(), is_tight, "{name} {sdk}");
        }
    }
}
