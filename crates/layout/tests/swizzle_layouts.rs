//! Texture layouts of a driver: transitions, indexed patterns, caps.
#![allow(clippy::unwrap_used)] // Helpers of tests are tests.

mod support;

#[path = "support/textures.rs"]
mod textures;

use std::sync::LazyLock;

use heapstone_layout::swizzle::{
    LAYOUT_PATTERNS, LayoutCaps, LayoutPatterns, LayoutSetError, PatternError, PatternId, Storage,
    SwizzlePattern, SwizzleTransitions, TextureLayoutId, named_pattern,
};
use heapstone_layout::{LayoutRules, decompose_subresource, surfaces};
use heapstone_spec::profile::SwizzleFamily;
use heapstone_spec::{Format, ResourceDesc, ResourceFlags, SdkVersion, TextureLayout};
use proptest::prelude::*;
use support::{profile, rules};

const NONE: u8 = u8::MAX;

fn device(number: u32) -> PatternId {
    PatternId(0x100 + number)
}

fn named(name: &str) -> SwizzlePattern {
    named_pattern(name).unwrap().pattern
}

/// Indices of the patterns of mips 0 to 3 of plane 0.
fn mips(transitions: &SwizzleTransitions) -> [usize; 4] {
    [0, 1, 2, 3].map(|mip| transitions.pattern_index(mip, 0))
}

/// spec/2-resource-heaps.txt 1403-1407.
#[test]
fn the_examples_of_transitions() {
    // "the most-detailed mip uses the first swizzle pattern, and the next ... the second": 1, then 2 or greater.
    for second in [2, 3, 200, NONE] {
        let transitions = SwizzleTransitions::new([1, second, NONE, NONE, NONE], [NONE; 2]).unwrap();
        assert_eq!(mips(&transitions)[..2], [0, 1]);
    }
    // Too small for the first patterns: entries of 0, and "multiple transitions with the same value" accumulate.
    let transitions = SwizzleTransitions::new([0, 0, 2, 3, 3], [NONE; 2]).unwrap();
    assert_eq!(mips(&transitions), [2, 2, 3, 5]);
    // Turned off across the board.
    assert_eq!(mips(&SwizzleTransitions::new([NONE; 5], [NONE; 2]).unwrap()), [0; 4]);
    assert_eq!(SwizzleTransitions::new([NONE; 5], [NONE; 2]).unwrap(), SwizzleTransitions::NONE);
}

/// "all 6 pattern values for the same plane slice come before all patterns for the next" (spec/2-resource-heaps.txt 1170).
#[test]
fn patterns_are_plane_major() {
    let transitions = SwizzleTransitions::new([1, 2, 3, 4, 5], [1, 2]).unwrap();
    let all: Vec<usize> = (0..3)
        .flat_map(|plane| (0..6).map(move |mip| (mip, plane)))
        .map(|(mip, plane)| transitions.pattern_index(mip, plane))
        .collect();
    assert_eq!(all, (0..18).collect::<Vec<_>>());
    assert_eq!(transitions.pattern_index(u32::MAX, u32::MAX), 17);
    // Planes may share a range, or skip one.
    let transitions = SwizzleTransitions::new([NONE; 5], [2, 2]).unwrap();
    assert_eq!([0, 1, 2].map(|plane| transitions.pattern_index(0, plane)), [0, 0, 12]);
}

#[test]
fn old_forms_of_transitions() {
    let two = SwizzleTransitions::of_two_patterns(2);
    assert_eq!(mips(&two), [0, 0, 1, 1]);
    assert_eq!((two.mip_levels(), two.plane_slices()), ([2, NONE, NONE, NONE, NONE], [NONE; 2]));
    let six = SwizzleTransitions::of_six_patterns(0, [1, 1, 3, NONE]).unwrap();
    assert_eq!(mips(&six), [1, 3, 3, 4]);
    let uints = SwizzleTransitions::of_uints([1, 2, 256, u32::MAX, u32::MAX, 1, 1000]).unwrap();
    assert_eq!(uints, SwizzleTransitions::new([1, 2, NONE, NONE, NONE], [1, NONE]).unwrap());
}

#[test]
fn decreasing_transitions_are_refused() {
    let mip =
        LayoutSetError::Decreasing { field: "MipLevelSwizzleTransition", index: 2, value: 2, before: 3 };
    assert_eq!(SwizzleTransitions::new([1, 3, 2, NONE, NONE], [NONE; 2]), Err(mip));
    assert_eq!(SwizzleTransitions::of_six_patterns(1, [3, 2, NONE, NONE]), Err(mip));
    assert_eq!(SwizzleTransitions::of_uints([1, 3, 2, 5, 6, 0, 0]), Err(mip));
    let plane =
        LayoutSetError::Decreasing { field: "PlaneSliceSwizzleTransition", index: 1, value: 0, before: 1 };
    assert_eq!(SwizzleTransitions::new([NONE; 5], [1, 0]), Err(plane));
    assert_eq!(plane.to_string(), "PlaneSliceSwizzleTransition[1] is 0 after 1; allowed: at least 1");
    // The first element alone turns nothing off: those after it come before it.
    assert!(SwizzleTransitions::new([NONE, 0, 0, 0, 0], [NONE; 2]).is_err());
}

#[test]
fn caps_are_checked() {
    let tile_x = named("intel_tileX");
    let tile_w = named("intel_tileW_stencil");
    let layout = |id: PatternId| -> LayoutPatterns { [id; LAYOUT_PATTERNS] };
    let caps = LayoutCaps::new(
        vec![layout(device(1)), layout(PatternId::STANDARD_64KB)],
        vec![tile_x, tile_w],
        false,
    );
    let caps = caps.unwrap();
    assert_eq!((caps.device_dependent_layout_count(), caps.device_dependent_swizzle_count()), (2, 2));
    assert_eq!(caps.pattern(device(1)), Some(&tile_w));
    assert_eq!(caps.pattern(device(2)), None);
    assert_eq!(caps.pattern(PatternId::ROW_MAJOR), None);

    let refused = |layouts, patterns| LayoutCaps::new(layouts, patterns, false).unwrap_err();
    assert_eq!(
        refused(vec![], vec![tile_x, tile_w, tile_x]),
        LayoutSetError::DuplicatePattern { first: 0, second: 2 }
    );
    assert_eq!(
        refused(vec![layout(device(0)), layout(device(0))], vec![tile_x]),
        LayoutSetError::DuplicateLayout { first: 0, second: 1 }
    );
    let mut ids = layout(device(0));
    ids[17] = device(1);
    assert_eq!(
        refused(vec![layout(device(0)), ids], vec![tile_x]),
        LayoutSetError::UnknownPattern { layout: 1, index: 17, id: device(1), count: 1 }
    );
    ids[17] = PatternId(1);
    assert!(matches!(refused(vec![ids], vec![tile_x]), LayoutSetError::UnknownPattern { index: 17, .. }));
    let mut torn = tile_x;
    torn.interleave[3] = None;
    let error = refused(vec![], vec![tile_w, torn]);
    assert_eq!(error, LayoutSetError::Pattern { number: 1, error: PatternError::Hole { address_bit: 3 } });
    assert!(error.to_string().starts_with("D3D12DDI_SP_DEVICE_DEPENDENT_1: InterleavePatternSourceBits[3]"));
}

/// spec/2-resource-heaps.txt 1155, 1169.
#[test]
fn indexed_patterns() {
    let patterns = vec![named("intel_tileX"), named("intel_tileW_stencil")];
    let mut ids = [PatternId::ROW_MAJOR; LAYOUT_PATTERNS];
    ids[3] = device(1);
    let layout = TextureLayoutId(0x100);
    let indexable = LayoutCaps::new(vec![ids], patterns.clone(), true).unwrap();
    assert_eq!(indexable.indexed_pattern(layout, 3), Ok(device(1)));
    assert_eq!(indexable.indexed_pattern(layout, 17), Ok(PatternId::ROW_MAJOR));
    assert_eq!(
        indexable.indexed_pattern(layout, 18),
        Err(LayoutSetError::Index { column_pre_swizzle_offset: 18 })
    );
    assert_eq!(
        indexable.pattern_of(layout, &SwizzleTransitions::NONE, 0, 0),
        Err(LayoutSetError::Indexable { indexable: true })
    );
    let ordered = LayoutCaps::new(vec![ids], patterns, false).unwrap();
    assert_eq!(ordered.indexed_pattern(layout, 3), Err(LayoutSetError::Indexable { indexable: false }));
    let transitions = SwizzleTransitions::new([0, 0, 0, 1, NONE], [NONE; 2]).unwrap();
    assert_eq!(ordered.pattern_of(layout, &transitions, 0, 0), Ok(device(1)));
    assert_eq!(ordered.pattern_of(layout, &transitions, 1, 0), Ok(PatternId::ROW_MAJOR));
    for id in [TextureLayoutId(0x101), TextureLayoutId::UNDEFINED, TextureLayoutId::UNDEFINED_64KB] {
        assert_eq!(
            ordered.pattern_of(id, &transitions, 0, 0),
            Err(LayoutSetError::UnknownLayout { id, count: 1 })
        );
    }
}

/// A depth-stencil of 512x512 with 10 mips in blocks of 64 KiB: depth in 128x128 has its tail from mip 2,
/// stencil in 256x256 from mip 1.
#[test]
fn a_depth_stencil_has_a_layout_of_two_planes() {
    let rules = rules(SwizzleFamily::Standard64Kb);
    let caps = LayoutCaps::of_rules(&rules);
    let desc = ResourceDesc::texture_2d(Format::D24_UNORM_S8_UINT, 512, 512)
        .with_mip_levels(10)
        .with_flags(ResourceFlags::ALLOW_DEPTH_STENCIL);
    let chosen = caps.chosen_layout(&rules, &desc).unwrap();
    assert_eq!(chosen.transitions.mip_levels(), [1, 2, NONE, NONE, NONE]);
    assert_eq!(chosen.transitions.plane_slices(), [1, 2]);
    let at = |mip, plane| caps.pattern_of(chosen.layout, &chosen.transitions, mip, plane).unwrap();
    // The adapter of these rules has standard swizzle.
    let (standard, rows) = (PatternId::STANDARD_64KB, PatternId::ROW_MAJOR);
    assert_eq!([0, 1, 2, 9].map(|mip| at(mip, 0)), [standard, standard, rows, rows]);
    assert_eq!([0, 1, 2, 9].map(|mip| at(mip, 1)), [standard, rows, rows, rows]);
}

/// P208 64x200 with 4 KiB blocks: luma, 64 wide, in 64x64, chroma, 32x200 of two bytes, in 64x32. With three
/// mips luma is 64x200, 32x100, 16x50, of which the last fits a block; chroma 32x200, 16x100, 8x50, of which
/// none does.
#[test]
fn chroma_may_have_the_later_tail() {
    let rules = rules(SwizzleFamily::Standard4Kb);
    let caps = LayoutCaps::of_rules(&rules);
    let desc = ResourceDesc::texture_2d(Format::P208, 64, 200).with_mip_levels(3);
    let chosen = caps.chosen_layout(&rules, &desc).unwrap();
    assert_eq!(chosen.transitions.mip_levels(), [2, 3, NONE, NONE, NONE]);
    let rows = |plane| {
        [0, 1, 2].map(|mip| {
            caps.pattern_of(chosen.layout, &chosen.transitions, mip, plane) == Ok(PatternId::ROW_MAJOR)
        })
    };
    assert_eq!((rows(0), rows(1)), ([false, false, true], [false; 3]));
}

#[test]
fn defined_layouts_keep_their_names() {
    let rules = rules(SwizzleFamily::Tile4);
    let caps = LayoutCaps::of_rules(&rules);
    let texture = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 512, 512);
    let standard =
        caps.chosen_layout(&rules, &texture.with_layout(TextureLayout::Standard64KbSwizzle)).unwrap();
    assert_eq!(standard.layout, TextureLayoutId::STANDARD_64KB);
    let rows = caps.chosen_layout(&rules, &texture.with_layout(TextureLayout::RowMajor)).unwrap();
    assert_eq!(rows.layout, TextureLayoutId::ROW_MAJOR);
    let line = ResourceDesc::texture_1d(Format::R8_UNORM, 5000);
    assert_eq!(caps.chosen_layout(&rules, &line).unwrap().layout, TextureLayoutId::ROW_MAJOR);
    assert_eq!(caps.chosen_layout(&rules, &ResourceDesc::buffer(100)), None);
    let own = caps.chosen_layout(&rules, &texture).unwrap();
    assert!(own.layout.device_dependent().is_some());
}

fn adapters() -> impl Iterator<Item = LayoutRules> {
    SwizzleFamily::ALL.into_iter().flat_map(|family| {
        [false, true].map(|standard| {
            let mut profile = profile(family);
            profile.caps.standard_swizzle_64kb = standard;
            LayoutRules::new(&profile, SdkVersion::LATEST)
        })
    })
}

static ADAPTERS: LazyLock<Vec<(LayoutRules, LayoutCaps)>> =
    LazyLock::new(|| adapters().map(|rules| (rules, LayoutCaps::of_rules(&rules))).collect());

/// What a driver reports is what `new` accepts: legal patterns, no duplicates, no unknown numbers.
#[test]
fn caps_of_every_family_are_legal() {
    for (rules, caps) in ADAPTERS.iter() {
        let family = rules.layout.unknown_pattern;
        let layouts: Vec<LayoutPatterns> = (0..caps.device_dependent_layout_count())
            .map(|number| *caps.layout(TextureLayoutId(0x100 + number)).unwrap())
            .collect();
        let patterns: Vec<SwizzlePattern> = (0..caps.device_dependent_swizzle_count())
            .map(|number| *caps.pattern(device(number)).unwrap())
            .collect();
        assert!(!layouts.is_empty() && !patterns.is_empty(), "{family}");
        assert_eq!(LayoutCaps::new(layouts, patterns, false).as_ref(), Ok(caps), "{family}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// The layout that the driver reports describes every subresource as it lies.
    #[test]
    fn reported_patterns_are_those_of_the_surfaces(drawn in textures::drawn(), adapter in 0..12_usize) {
        let (rules, caps) = &ADAPTERS[adapter];
        let Some(desc) = textures::texture(rules, drawn) else { return Ok(()) };
        let chosen = caps.chosen_layout(rules, &desc).unwrap();
        let slices = if desc.dimension == heapstone_spec::ResourceDimension::Texture3D { 1 } else { desc.depth_or_array_size };
        for (subresource, surface) in (0..).zip(surfaces(rules, &desc).unwrap()) {
            let (mip, _, plane) = decompose_subresource(subresource, desc.mip_levels.into(), slices.into());
            let id = caps.pattern_of(chosen.layout, &chosen.transitions, mip, plane).unwrap();
            match surface.storage {
                // The packed mips of a 64KB layout lie as the driver likes: D3D12 hides them.
                Storage::Linear { .. } if chosen.layout == TextureLayoutId::STANDARD_64KB => {}
                Storage::Linear { .. } if surface.samples_log2 == 0 => prop_assert_eq!(id, PatternId::ROW_MAJOR),
                Storage::Linear { .. } => {
                    let block = caps.pattern(id).unwrap().block().unwrap();
                    prop_assert_eq!(block.x_bytes_log2, surface.element_bytes_log2);
                    prop_assert_eq!(block.samples_log2, surface.samples_log2);
                    prop_assert_eq!(block.bytes_log2, surface.element_bytes_log2 + surface.samples_log2);
                }
                Storage::Swizzled { pattern, .. } => match caps.pattern(id) {
                    Some(described) => prop_assert_eq!(described, pattern.pattern()),
                    None => {
                        prop_assert_eq!(id, PatternId::STANDARD_64KB);
                        prop_assert_eq!(pattern.block().bytes(), 65_536);
                    }
                },
            }
        }
    }
}
