//! Alignments: classic and tight, under every SDK, and arrays of descriptions.
#![allow(clippy::unwrap_used)] // Helpers of tests are tests.

mod support;

use heapstone_layout::{
    DriverAllocationInfo, LayoutRules, ProfileSizer, Purpose, ResolvedPattern, ResourceAllocationInfo1,
    ResourceSizer, TightAlignment, allocation_info, resource_allocation, validate,
};
use heapstone_spec::caps::TightAlignmentTier;
use heapstone_spec::profile::SwizzleFamily;
use heapstone_spec::{
    Format, ResourceAllocationInfo, ResourceDesc, ResourceFlags as Flags, SdkVersion, TextureLayout,
};
use heapstone_units::{Alignment, GIB, KIB, MIB};
use support::{allocate, broken, profile, rules, rules_of};

fn info(rules: &LayoutRules, descs: &[ResourceDesc]) -> ResourceAllocationInfo {
    // As GetResourceAllocationInfo answers an error.
    allocation_info(rules, &ProfileSizer { rules: *rules }, descs, None)
        .unwrap_or(ResourceAllocationInfo::INVALID)
}

fn answer(size: u64, alignment: u64) -> ResourceAllocationInfo {
    ResourceAllocationInfo { size, alignment }
}

fn rgba8(width: u64, height: u32) -> ResourceDesc {
    ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, width, height)
}

fn msaa(width: u64, height: u32) -> ResourceDesc {
    rgba8(width, height).with_samples(4).with_flags(Flags::ALLOW_RENDER_TARGET)
}

fn tight(desc: ResourceDesc) -> ResourceDesc {
    desc.with_flags(desc.flags | Flags::USE_TIGHT_ALIGNMENT)
}

/// spec/2-resource-heaps.txt 229; facts/layout.md, GetResourceAllocationInfo.
#[test]
fn one_description() {
    let rules = rules_of(SdkVersion::LATEST);
    assert_eq!(info(&rules, &[ResourceDesc::buffer(1)]), answer(64 * KIB, 64 * KIB));
    assert_eq!(info(&rules, &[ResourceDesc::buffer(64 * KIB)]), answer(64 * KIB, 64 * KIB));
    assert_eq!(info(&rules, &[ResourceDesc::buffer(64 * KIB + 1)]), answer(128 * KIB, 64 * KIB));
    assert_eq!(info(&rules, &[ResourceDesc::buffer(4 * GIB)]), answer(4 * GIB, 64 * KIB));
    assert_eq!(info(&rules, &[rgba8(1, 1)]), answer(64 * KIB, 64 * KIB));
    assert_eq!(info(&rules, &[msaa(32, 32)]), answer(4 * MIB, 4 * MIB));
    assert_eq!(info(&rules, &[msaa(32, 32).with_alignment(64 * KIB)]), answer(64 * KIB, 64 * KIB));
    assert_eq!(info(&rules, &[]), answer(0, 1));
    assert_eq!(info(&rules, &[ResourceDesc::buffer(0)]), answer(u64::MAX, 64 * KIB));
    assert_eq!(info(&rules, &[rgba8(1, 1), ResourceDesc::buffer(0)]), ResourceAllocationInfo::INVALID);
}

/// spec/2-resource-heaps.txt 230: two single-texel textures at 64 KiB and one at 4 MiB.
#[test]
fn the_order_of_an_array_counts() {
    let rules = rules_of(SdkVersion::LATEST);
    let (small, large) = (rgba8(1, 1), msaa(1, 1));
    assert_eq!(info(&rules, &[small, large, small]), answer(12 * MIB, 4 * MIB));
    assert_eq!(info(&rules, &[large, small, small]), answer(8 * MIB, 4 * MIB));
    assert_eq!(info(&rules, &[small, small, large]), answer(8 * MIB, 4 * MIB));
}

/// A driver that wants 2 MiB for textures and 256 bytes for buffers.
struct TwoMiB;

impl ResourceSizer for TwoMiB {
    fn check_resource_allocation_info(
        &self,
        desc: &ResourceDesc,
        restriction: Alignment,
    ) -> Option<DriverAllocationInfo> {
        let own = if desc.is_buffer() { 256 } else { 2 * MIB };
        Some(DriverAllocationInfo {
            resource_data_size: desc.width,
            resource_data_alignment: Alignment::constant(own).max(restriction),
            additional_data_size: 0,
            additional_data_alignment: Alignment::ONE,
            pattern: ResolvedPattern::RowMajor,
            mip_level_swizzle_transition: 1,
        })
    }
}

/// spec/1, Runtime changes: [256 B, 2 MiB-aligned, 256 B] is 6 MiB, else 4 MiB.
#[test]
fn the_order_of_an_array_with_tight_alignment() {
    let rules = rules_of(SdkVersion::LATEST);
    // Only several samples may be aligned beyond 64 KiB.
    let (small, large) = (tight(ResourceDesc::buffer(256)), tight(msaa(4096, 4096)));
    let info = |descs: &[ResourceDesc]| allocation_info(&rules, &TwoMiB, descs, None).unwrap();
    assert_eq!(info(&[small, large, small]), answer(6 * MIB, 2 * MIB));
    assert_eq!(info(&[large, small, small]), answer(4 * MIB, 2 * MIB));
    assert_eq!(info(&[small, small, large]), answer(4 * MIB, 2 * MIB));
    // 8192 buffers of 256 bytes fill 2 MiB: no padding in front of the large one.
    let mut many = vec![small; 8192];
    many.push(large);
    assert_eq!(info(&many), answer(4 * MIB, 2 * MIB));
}

#[test]
fn elements_of_an_array() {
    let rules = rules_of(SdkVersion::LATEST);
    let sizer = ProfileSizer { rules };
    let descs = [ResourceDesc::buffer(1), msaa(1, 1), tight(ResourceDesc::buffer(100)), rgba8(1, 1)];
    let mut elements = [ResourceAllocationInfo1::default(); 5];
    let total = allocation_info(&rules, &sizer, &descs, Some(&mut elements)).unwrap();
    let element = |offset, alignment, size| ResourceAllocationInfo1 { offset, alignment, size };
    assert_eq!(elements[0], element(0, 64 * KIB, 64 * KIB));
    assert_eq!(elements[1], element(4 * MIB, 4 * MIB, 4 * MIB));
    assert_eq!(elements[2], element(8 * MIB, 16, 100));
    assert_eq!(elements[3], element(8 * MIB + 64 * KIB, 64 * KIB, 64 * KIB));
    assert_eq!(elements[4], ResourceAllocationInfo1::default(), "elements beyond are left alone");
    assert_eq!(total, answer(12 * MIB, 4 * MIB));

    let mut short = [element(7, 7, 7); 3];
    let violation = allocation_info(&rules, &sizer, &descs, Some(&mut short)).unwrap_err();
    assert_eq!(violation.rule.id, "allocation_info.output");
    let wrong = [descs[0], ResourceDesc::buffer(0)];
    assert!(allocation_info(&rules, &sizer, &wrong, Some(&mut short)).is_err());
    assert_eq!(short, [element(7, 7, 7); 3], "nothing is written after an error");
}

#[test]
fn a_total_beyond_64_bits_is_refused() {
    let mut profile = profile(SwizzleFamily::Standard4Kb);
    profile.gpu_va.bits_per_resource = 64;
    let rules = LayoutRules::new(&profile, SdkVersion::LATEST);
    let half = ResourceDesc::buffer(1 << 63);
    assert_eq!(info(&rules, &[half]), answer(1 << 63, 64 * KIB));
    let violation = allocation_info(&rules, &ProfileSizer { rules }, &[half, half], None).unwrap_err();
    assert_eq!(violation.rule.id, "resource.size");
    assert_eq!(broken(&rules, &ResourceDesc::buffer(u64::MAX), Purpose::Placed), Some("resource.size"));
}

/// From users' reports: a buffer of 25600 bytes with the flag and a non-zero Alignment.
#[test]
fn a_floor_under_each_sdk() {
    let buffer = tight(ResourceDesc::buffer(25_600));
    for alignment in [8, 256, 4096, 65_536] {
        let floor = buffer.with_alignment(alignment);
        for sdk in [SdkVersion::V618, SdkVersion::V619_3] {
            for purpose in [Purpose::Query, Purpose::Placed, Purpose::Committed] {
                assert_eq!(
                    broken(&rules_of(sdk), &floor, purpose),
                    Some("resource.tight_alignment.non_zero"),
                    "{alignment} under {sdk}"
                );
            }
            assert_eq!(info(&rules_of(sdk), &[floor]), answer(u64::MAX, 65_536));
        }
    }
    // Under 619.4 the floor counts, up to 256 bytes in a heap and 4 KiB in a heap of its own.
    let rules = rules_of(SdkVersion::V619_4);
    let too_much = Some("resource.tight_alignment.max");
    for (alignment, placed, committed, query) in [
        (8, Ok((16, true)), Ok((4096, true)), Ok((16, true))),
        (16, Ok((16, false)), Ok((4096, true)), Ok((16, false))),
        (256, Ok((256, false)), Ok((4096, true)), Ok((256, false))),
        (4096, Err(too_much), Ok((4096, false)), Ok((4096, false))),
        (65_536, Err(too_much), Err(too_much), Err(too_much)),
    ] {
        let floor = buffer.with_alignment(alignment);
        for (purpose, want) in
            [(Purpose::Placed, placed), (Purpose::Committed, committed), (Purpose::Query, query)]
        {
            match want {
                Ok((got, overridden)) => {
                    let allocation = allocate(&rules, &floor, purpose).unwrap();
                    assert_eq!(allocation.alignment.bytes(), got, "{alignment}, {purpose:?}");
                    assert_eq!(allocation.alignment_overridden, overridden, "{alignment}, {purpose:?}");
                    assert_eq!(allocation.size, 25_600, "the size is the width");
                }
                Err(rule) => assert_eq!(broken(&rules, &floor, purpose), rule, "{alignment}, {purpose:?}"),
            }
        }
    }
    for alignment in [1_u64 << 63, 3, 24, 100, u64::MAX] {
        let rule = if alignment.is_power_of_two() {
            "resource.tight_alignment.max"
        } else {
            "resource.tight_alignment.power_of_two"
        };
        assert_eq!(broken(&rules, &buffer.with_alignment(alignment), Purpose::Placed), Some(rule));
    }
}

/// spec/1, Placed Resources and Committed Resources, the tables row by row (the least and the greatest
/// floor that is accepted).
#[test]
fn tight_ranges_row_by_row() {
    let mut profile = profile(SwizzleFamily::Standard4Kb);
    profile.layout.tight_buffer_alignment = 8;
    profile.layout.tight_texture_alignment = 8;
    let rules = LayoutRules::new(&profile, SdkVersion::V619_4);
    let large = tight(rgba8(1024, 1024));
    let small = tight(rgba8(64, 64));
    let msaa_large = tight(msaa(4096, 4096));
    let msaa_small = tight(msaa(64, 64));
    for (desc, placed_max, committed_max) in [
        (tight(ResourceDesc::buffer(1)), 256, 4 * KIB),
        (large, 64 * KIB, 64 * KIB),
        (small, 4 * KIB, 4 * KIB),
        (msaa_large, 4 * MIB, 4 * MIB),
        (msaa_small, 64 * KIB, 64 * KIB),
    ] {
        for (purpose, min, max) in
            [(Purpose::Placed, 8, placed_max), (Purpose::Committed, 4 * KIB, committed_max)]
        {
            assert_eq!(
                allocate(&rules, &desc, purpose).unwrap().alignment.bytes(),
                min,
                "{desc:?} {purpose:?}"
            );
            let greatest = desc.with_alignment(max);
            assert_eq!(allocate(&rules, &greatest, purpose).unwrap().alignment.bytes(), max, "{desc:?}");
            assert_eq!(
                broken(&rules, &desc.with_alignment(2 * max), purpose),
                Some("resource.tight_alignment.max"),
                "{desc:?} {purpose:?}"
            );
        }
    }
}

#[test]
fn where_the_flag_is_refused() {
    let buffer = tight(ResourceDesc::buffer(25_600));
    for sdk in [SdkVersion::Inbox, SdkVersion::V606, SdkVersion::V614] {
        assert_eq!(broken(&rules_of(sdk), &buffer, Purpose::Query), Some("resource.tight_alignment.sdk"));
    }
    for sdk in [SdkVersion::V618, SdkVersion::V619_3, SdkVersion::V619_4] {
        assert_eq!(broken(&rules_of(sdk), &buffer, Purpose::Query), None);
        let mut without = profile(SwizzleFamily::Standard4Kb);
        without.caps.tight_alignment_tier = TightAlignmentTier::NotSupported;
        let rules = LayoutRules::new(&without, sdk);
        assert_eq!(broken(&rules, &buffer, Purpose::Query), Some("resource.tight_alignment.tier"));

        for layout in [TextureLayout::Undefined64KbSwizzle, TextureLayout::Standard64KbSwizzle] {
            let texture = tight(rgba8(256, 256).with_layout(layout));
            for purpose in [Purpose::Placed, Purpose::Reserved] {
                assert_eq!(
                    broken(&rules_of(sdk), &texture, purpose),
                    Some("resource.tight_alignment.layout")
                );
            }
        }
        // A reserved buffer has layout ROW_MAJOR: accepted, at its tile.
        let reserved = allocate(&rules_of(sdk), &buffer, Purpose::Reserved).unwrap();
        assert_eq!((reserved.size, reserved.alignment.bytes()), (65_536, 65_536));
        assert_eq!(reserved.tight, TightAlignment::IgnoredReserved);
    }
}

/// spec/1, HLK tests: 64 KiB, or 4 MiB of multisampled textures, beside ALLOW_CROSS_ADAPTER.
#[test]
fn between_adapters_the_flag_only_warns() {
    let rules = rules_of(SdkVersion::LATEST);
    let cross = |desc: ResourceDesc| tight(desc.with_flags(desc.flags | Flags::ALLOW_CROSS_ADAPTER));
    for (desc, want) in [
        (cross(ResourceDesc::buffer(100)), 64 * KIB),
        (cross(rgba8(16, 16)), 64 * KIB),
        (cross(msaa(16, 16)), 4 * MIB),
    ] {
        for purpose in [Purpose::Placed, Purpose::Committed] {
            let allocation = allocate(&rules, &desc, purpose).unwrap();
            assert_eq!(allocation.alignment.bytes(), want, "{desc:?}");
            assert_eq!(allocation.size % want, 0);
            assert_eq!(allocation.tight, TightAlignment::IgnoredCrossAdapter);
            // What GetDesc tells is accepted again, and no more than that.
            let told = allocate(&rules, &desc.with_alignment(want), purpose).unwrap();
            assert_eq!((told.alignment.bytes(), told.alignment_overridden), (want, false));
            let above = desc.with_alignment(2 * want);
            assert_eq!(broken(&rules, &above, purpose), Some("resource.tight_alignment.max"), "{desc:?}");
            // A smaller floor is clamped up.
            assert!(allocate(&rules, &desc.with_alignment(256), purpose).unwrap().alignment_overridden);
        }
    }
}

/// A driver that wants the same alignment for everything.
struct Wants(u64);

impl ResourceSizer for Wants {
    fn check_resource_allocation_info(
        &self,
        desc: &ResourceDesc,
        _: Alignment,
    ) -> Option<DriverAllocationInfo> {
        Some(DriverAllocationInfo {
            resource_data_size: desc.width,
            resource_data_alignment: Alignment::new(self.0).unwrap(),
            additional_data_size: 0,
            additional_data_alignment: Alignment::ONE,
            pattern: ResolvedPattern::RowMajor,
            mip_level_swizzle_transition: 1,
        })
    }
}

/// spec/2-resource-heaps.txt 742 and the tables of spec/1: what a driver may answer at most.
#[test]
fn a_driver_that_wants_too_much_is_refused() {
    let rules = rules(SwizzleFamily::Standard4Kb);
    let reserved = rgba8(64, 64).with_layout(TextureLayout::Undefined64KbSwizzle);
    for (desc, purpose, max) in [
        (ResourceDesc::buffer(100), Purpose::Placed, 64 * KIB),
        (ResourceDesc::buffer(100), Purpose::Reserved, 64 * KIB),
        (rgba8(64, 64), Purpose::Committed, 64 * KIB),
        (rgba8(64, 64).with_alignment(4 * KIB), Purpose::Placed, 64 * KIB),
        (reserved, Purpose::Reserved, 64 * KIB),
        (msaa(64, 64), Purpose::Placed, 4 * MIB),
        (msaa(64, 64).with_alignment(64 * KIB), Purpose::Placed, 4 * MIB),
        (tight(ResourceDesc::buffer(100)), Purpose::Placed, 256),
        (tight(ResourceDesc::buffer(100)), Purpose::Committed, 4 * KIB),
        (tight(ResourceDesc::buffer(100)), Purpose::Query, 4 * KIB),
        (tight(ResourceDesc::buffer(100)), Purpose::Reserved, 64 * KIB),
        (tight(rgba8(64, 64)), Purpose::Placed, 4 * KIB),
        (tight(rgba8(1024, 1024)), Purpose::Placed, 64 * KIB),
        (tight(msaa(64, 64)), Purpose::Placed, 64 * KIB),
        (tight(msaa(4096, 4096)), Purpose::Placed, 4 * MIB),
    ] {
        let legal = validate(&rules, &desc, purpose).unwrap();
        let with = |wants| resource_allocation(&rules, &Wants(wants), &legal, purpose);
        assert_eq!(with(max).unwrap().alignment.bytes(), max, "{desc:?} {purpose:?}");
        let violation = with(2 * max).unwrap_err();
        assert_eq!(violation.rule.id, "resource.driver.alignment", "{desc:?} {purpose:?}");
        assert!(violation.given.contains(&(2 * max).to_string()), "{violation}");
        assert!(violation.allowed.contains(&max.to_string()), "{violation}");
    }
}

/// The driver's own answer stands in the range, and never above what the flag's absence gives.
#[test]
fn a_tight_texture_is_never_worse() {
    for own in [8, 256, 4096, 65_536, 4_194_304] {
        let mut profile = profile(SwizzleFamily::Standard64Kb);
        profile.layout.tight_texture_alignment = own;
        let rules = LayoutRules::new(&profile, SdkVersion::LATEST);
        for (desc, best_without) in [
            (rgba8(1024, 1024), 64 * KIB),
            (rgba8(64, 64), 4 * KIB),
            (msaa(64, 64), 64 * KIB),
            (msaa(4096, 4096), 4 * MIB),
        ] {
            let got = allocate(&rules, &tight(desc), Purpose::Placed).unwrap().alignment.bytes();
            assert_eq!(got, own.min(best_without), "{own}, {desc:?}");
        }
    }
}

#[test]
fn classic_alignments_one_by_one() {
    let rules = rules_of(SdkVersion::LATEST);
    let mut without = profile(SwizzleFamily::Standard4Kb);
    without.caps.msaa_64kb_aligned_texture = false;
    let without = LayoutRules::new(&without, SdkVersion::LATEST);
    let rt = rgba8(64, 64).with_flags(Flags::ALLOW_RENDER_TARGET);
    let tiled = rgba8(64, 64).with_layout(TextureLayout::Undefined64KbSwizzle);
    for (rules, desc, alignment, want) in [
        (&rules, ResourceDesc::buffer(1), 0, Ok(64 * KIB)),
        (&rules, ResourceDesc::buffer(1), 64 * KIB, Ok(64 * KIB)),
        (&rules, ResourceDesc::buffer(1), 4 * KIB, Err("resource.buffer.alignment")),
        (&rules, ResourceDesc::buffer(1), 4 * MIB, Err("resource.buffer.alignment")),
        (&rules, ResourceDesc::buffer(1), 1, Err("resource.buffer.alignment")),
        (&rules, rgba8(64, 64), 0, Ok(64 * KIB)),
        (&rules, rgba8(64, 64), 4 * KIB, Ok(4 * KIB)),
        (&rules, rgba8(64, 64), 64 * KIB, Ok(64 * KIB)),
        (&rules, rgba8(64, 64), 4 * MIB, Err("resource.texture.alignment")),
        (&rules, rgba8(64, 64), 8 * KIB, Err("resource.texture.alignment")),
        (&rules, rgba8(1024, 1024), 4 * KIB, Err("resource.alignment.small.tiles")),
        (&rules, rt, 4 * KIB, Err("resource.alignment.small.kind")),
        (&rules, tiled, 64 * KIB, Ok(64 * KIB)),
        (&rules, tiled, 4 * KIB, Err("resource.layout.64kb.alignment")),
        (&rules, msaa(64, 64), 0, Ok(4 * MIB)),
        (&rules, msaa(64, 64), 64 * KIB, Ok(64 * KIB)),
        (&rules, msaa(64, 64), 4 * MIB, Ok(4 * MIB)),
        (&rules, msaa(64, 64), 4 * KIB, Err("resource.msaa.alignment")),
        (&rules, msaa(1024, 1024), 64 * KIB, Err("resource.msaa.alignment.small.tiles")),
        (&without, msaa(64, 64), 64 * KIB, Err("resource.msaa.alignment.small.cap")),
        (&without, msaa(64, 64), 0, Ok(4 * MIB)),
    ] {
        let got = allocate(rules, &desc.with_alignment(alignment), Purpose::Placed);
        let got = got.map(|allocation| allocation.alignment.bytes()).map_err(|violation| violation.rule.id);
        assert_eq!(got, want, "{desc:?} at {alignment}");
    }
}

/// From users' reports: the numbers stand in the text.
#[test]
fn the_text_of_a_refused_small_alignment() {
    let violation = validate(
        &rules(SwizzleFamily::Standard4Kb),
        &rgba8(1024, 1024).with_alignment(4096),
        Purpose::Placed,
    )
    .unwrap_err();
    let text = violation.to_string();
    assert!(text.contains("1024 tiles of 4 KiB") && text.contains("at most 16"), "{text}");
    assert!(
        broken(&rules(SwizzleFamily::Standard4Kb), &rgba8(128, 128).with_alignment(4096), Purpose::Placed)
            .is_none()
    );
}
