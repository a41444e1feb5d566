//! Laws: what holds of every description, found with descriptions that were drawn.
#![allow(clippy::unwrap_used)] // Helpers of tests are tests.

mod support;

#[path = "support/exercise.rs"]
mod exercise;
#[path = "support/generate.rs"]
mod generate;

use std::sync::LazyLock;

use heapstone_layout::{
    LayoutRules, ProfileSizer, Purpose, ResourceSizer, calc_subresource, decompose_subresource,
    resource_allocation, subresource_count, subresource_info, tile_4kb, validate,
};
use heapstone_spec::profile::{Profile, SwizzleFamily};
use heapstone_spec::{Format, ResourceDesc, ResourceDimension, ResourceFlags, SdkVersion, TextureLayout};
use heapstone_units::Alignment;
use proptest::prelude::*;

use generate::Source;

/// Enough to meet every family, dimension and edge many times, in seconds without optimisation.
const CASES: u32 = 3000;

static BASE: LazyLock<Profile> = LazyLock::new(|| support::profile(SwizzleFamily::Standard4Kb));

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 140)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    #[test]
    fn any_description_gets_an_answer(bytes in bytes()) {
        let mut source = Source::new(&bytes);
        let rules = source.rules(&BASE);
        let desc = source.desc();
        exercise::exercise(&rules, &desc, &mut source);
    }

    #[test]
    fn plausible_descriptions_get_consistent_answers(bytes in bytes()) {
        let mut source = Source::new(&bytes);
        let rules = source.rules(&BASE);
        let desc = source.plausible_desc();
        exercise::exercise(&rules, &desc, &mut source);
    }
}

/// Extents of two descriptions, the second greater or equal along every axis, near each other or not; up to
/// 16384, the greatest of a 2D texture.
fn two_extents() -> impl Strategy<Value = [(u64, u32, u16); 2]> {
    let side = prop_oneof![1..40_u32, 1..600_u32, 1..16_385_u32, (0..15_u32).prop_map(|log2| 1 << log2)];
    let more = prop_oneof![Just(0_u32), 1..4_u32, 1..700_u32, 1..16_384_u32];
    ((side.clone(), more.clone()), (side.clone(), more.clone()), (side, more)).prop_map(
        |((width, wider), (height, higher), (depth, deeper))| {
            let narrow = |value: u32| u16::try_from(value.min(2048)).expect("at most 2048");
            [
                (u64::from(width), height, narrow(depth % 128 + 1)),
                (
                    u64::from((width + wider).min(16_384)),
                    (height + higher).min(16_384),
                    narrow(depth % 128 + 1 + deeper),
                ),
            ]
        },
    )
}

#[derive(Debug)]
struct Kind {
    dimension: ResourceDimension,
    format: Format,
    samples: u32,
    mips: u16,
    layout: TextureLayout,
    flags: ResourceFlags,
}

fn kind() -> impl Strategy<Value = Kind> {
    use ResourceDimension::{Texture1D, Texture2D, Texture3D};
    let dimension = prop_oneof![Just(Texture1D), Just(Texture2D), Just(Texture2D), Just(Texture3D)];
    let samples = prop_oneof![4 => Just(1_u32), 1 => (1..5_u32).prop_map(|log2| 1 << log2)];
    let layout = prop_oneof![
        4 => Just(TextureLayout::Unknown),
        1 => Just(TextureLayout::Undefined64KbSwizzle),
        1 => Just(TextureLayout::Standard64KbSwizzle),
        1 => Just(TextureLayout::RowMajor)
    ];
    let flags = prop_oneof![
        Just(ResourceFlags::empty()),
        Just(ResourceFlags::ALLOW_RENDER_TARGET),
        Just(ResourceFlags::ALLOW_DEPTH_STENCIL),
        Just(ResourceFlags::USE_TIGHT_ALIGNMENT),
        Just(ResourceFlags::USE_TIGHT_ALIGNMENT | ResourceFlags::ALLOW_RENDER_TARGET),
    ];
    let format = proptest::sample::select(&Format::ALL[1..]);
    (dimension, format, samples, 1..16_u16, layout, flags).prop_map(
        |(dimension, format, samples, mips, layout, flags)| {
            let (dimension, mips) = if samples > 1 { (Texture2D, 1) } else { (dimension, mips) };
            Kind { dimension, format, samples, mips, layout, flags }
        },
    )
}

impl Kind {
    fn desc(&self, (width, height, depth): (u64, u32, u16)) -> ResourceDesc {
        let desc = match self.dimension {
            ResourceDimension::Texture1D => {
                ResourceDesc::texture_1d(self.format, width).with_array_size(depth)
            }
            ResourceDimension::Texture3D => ResourceDesc::texture_3d(self.format, width, height, depth),
            _ => ResourceDesc::texture_2d(self.format, width, height).with_array_size(depth),
        };
        desc.with_samples(self.samples)
            .with_mip_levels(self.mips)
            .with_layout(self.layout)
            .with_flags(self.flags)
    }
}

fn rules(family: SwizzleFamily, tight_texture_alignment: u64, tier: usize) -> LayoutRules {
    let mut profile = support::profile(family);
    profile.layout.tight_texture_alignment = tight_texture_alignment;
    profile.layout.render_target_metadata_ratio = 256;
    profile.layout.depth_stencil_metadata_ratio = 128;
    // The greatest textures leave 40 bits.
    profile.gpu_va.bits_per_resource = 64;
    profile.caps.tiled_resources_tier = heapstone_spec::caps::TiledResourcesTier::ALL[tier];
    LayoutRules::new(&profile, SdkVersion::LATEST)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    /// spec/2-resource-heaps.txt 740: greater or equal extents never get a smaller size.
    #[test]
    fn sizes_grow_with_extents(
        kind in kind(),
        extents in two_extents(),
        family in proptest::sample::select(&SwizzleFamily::ALL[..]),
        tight in proptest::sample::select(&[8_u64, 4096, 65_536, 4_194_304][..]),
        tier in 0..5_usize,
    ) {
        let rules = rules(family, tight, tier);
        let sizer = ProfileSizer { rules };
        let [small, large] = extents.map(|extent| kind.desc(extent));
        for restriction in [8, 4096, 65_536] {
            // Without the flag less than 64 KiB is legal for small textures only.
            if restriction < 65_536 && !kind.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT) {
                continue;
            }
            let size = |desc| sizer.check_resource_allocation_info(desc, Alignment::constant(restriction));
            let (small, large) = (size(&small).unwrap(), size(&large).unwrap());
            prop_assert!(small.total_size() <= large.total_size(), "{small:?} {large:?}");
        }
        let size = |desc| resource_allocation(&rules, &sizer, desc, Purpose::Placed).unwrap().size;
        prop_assert!(size(&small) <= size(&large), "{} {}", size(&small), size(&large));
    }

    /// The flag is there to save: it costs neither alignment (spec/1, HLK tests) nor bytes, against the
    /// default and against a small texture's 4 KiB.
    #[test]
    fn tight_alignment_never_costs(
        kind in kind(),
        extents in two_extents(),
        family in proptest::sample::select(&SwizzleFamily::ALL[..]),
        tight in proptest::sample::select(&[8_u64, 4096, 65_536][..]),
    ) {
        let rules = rules(family, tight, 4);
        let sizer = ProfileSizer { rules };
        let flags = kind.flags - ResourceFlags::USE_TIGHT_ALIGNMENT;
        let kind = Kind { flags, layout: TextureLayout::Unknown, ..kind };
        let plain = kind.desc(extents[0]);
        let flagged = plain.with_flags(flags | ResourceFlags::USE_TIGHT_ALIGNMENT);
        let Ok(flagged) = validate(&rules, &flagged, Purpose::Placed) else { return Ok(()) };
        let saved = resource_allocation(&rules, &sizer, &flagged, Purpose::Placed).unwrap();
        for alignment in [0, 4096, 65_536] {
            let Ok(plain) = validate(&rules, &plain.with_alignment(alignment), Purpose::Placed) else { continue };
            let classic = resource_allocation(&rules, &sizer, &plain, Purpose::Placed).unwrap();
            // A driver that pads for starts of 256 KiB pads more where less alignment is allowed to it.
            let padding = if family == SwizzleFamily::Amd256Kb { 262_144 - 4096 } else { 0 };
            prop_assert!(
                saved.size <= classic.size + padding,
                "{} > {}: {plain:?}",
                saved.size,
                classic.size
            );
            prop_assert!(saved.alignment <= classic.alignment, "{plain:?}");
        }
    }

    /// facts/behaviour.md, Placed sizes: at 4 KiB a small texture takes no more than its texels, in tiles of
    /// 4 KiB, times its slices; twice that with mips.
    #[test]
    fn small_textures_stay_in_their_tiles(
        kind in kind(),
        extents in two_extents(),
        family in proptest::sample::select(&SwizzleFamily::ALL[..]),
    ) {
        let rules = support::rules(family);
        let kind = Kind { flags: ResourceFlags::empty(), layout: TextureLayout::Unknown, ..kind };
        let desc = kind.desc(extents[0]).with_alignment(4096);
        let Ok(legal) = validate(&rules, &desc, Purpose::Placed) else { return Ok(()) };
        // Of a chain that is the texture's own: mips beyond it are not in the observation.
        let chain = validate(&rules, &desc.with_mip_levels(0), Purpose::Placed).unwrap().mip_levels;
        let (desc, legal) = (desc.with_mip_levels(desc.mip_levels.min(chain)), ResourceDesc {
            mip_levels: legal.mip_levels.min(chain),
            ..legal
        });
        let tiles: u64 = naive::planes(legal.format).iter().map(|plane| {
            let elements = naive::elements(&legal, plane, 0);
            let tile = tile_4kb(legal.dimension, u8::try_from(plane.bytes.trailing_zeros()).unwrap(), 0).elements();
            elements[0].div_ceil(tile.width)
                * elements[1].div_ceil(u64::from(tile.height))
                * elements[2].div_ceil(u64::from(tile.depth))
        }).sum();
        let slices = if kind.dimension == ResourceDimension::Texture3D { 1 } else { legal.depth_or_array_size };
        let bound = tiles * 4096 * u64::from(slices) * if legal.mip_levels > 1 { 2 } else { 1 };
        let size = support::size(&rules, &desc);
        prop_assert!(size <= bound, "{size} > {bound}: {legal:?}");
    }

    /// Subresources lie in the order of their index, none in another, all inside the resource.
    #[test]
    fn subresources_are_disjoint(
        kind in kind(),
        extents in two_extents(),
        family in proptest::sample::select(&SwizzleFamily::ALL[..]),
        tier in 0..5_usize,
    ) {
        let rules = rules(family, 4096, tier);
        let (width, height, depth) = extents[0];
        let desc = kind.desc((width, height, depth % 9 + 1));
        let sizer = ProfileSizer { rules };
        let info = resource_allocation(&rules, &sizer, &desc, Purpose::Placed).unwrap().driver;
        let slices = u32::from(heapstone_layout::array_size(&desc));
        let mut end = 0;
        for index in 0..u32::try_from(subresource_count(&desc)).unwrap() {
            let (mip, slice, plane) = decompose_subresource(index, u32::from(desc.mip_levels), slices);
            prop_assert_eq!(calc_subresource(mip, slice, plane, u32::from(desc.mip_levels), slices), index);
            let place = subresource_info(&rules, &desc, index).unwrap();
            prop_assert!(place.offset >= end, "subresource {index} of {desc:?} lies in its predecessor");
            let plane = naive::planes(desc.format)[usize::try_from(plane).unwrap()];
            let [across, down, deep] = naive::elements(&desc, &plane, mip);
            let row = across * plane.bytes * u64::from(desc.sample_desc.count);
            prop_assert!(place.row_stride >= row && place.depth_stride >= place.row_stride * down);
            prop_assert!(place.size >= row * down * deep, "{place:?} has no room for its elements");
            end = place.offset + place.size;
        }
        prop_assert!(end <= info.resource_data_size);
    }

    /// The fast sizer against one that is written otherwise.
    #[test]
    fn the_naive_model_gives_the_same_bytes(
        kind in kind(),
        extents in two_extents(),
        family in proptest::sample::select(&SwizzleFamily::ALL[..]),
    ) {
        let kind = Kind {
            layout: TextureLayout::Unknown,
            flags: kind.flags - ResourceFlags::USE_TIGHT_ALIGNMENT,
            ..kind
        };
        let rules = support::rules(family);
        let desc = kind.desc(extents[1]);
        let driver = ProfileSizer { rules }
            .check_resource_allocation_info(&desc, Alignment::constant(65_536))
            .unwrap();
        let padding = if family == SwizzleFamily::Amd256Kb { 196_608 } else { 0 };
        prop_assert_eq!(u128::from(driver.resource_data_size), naive::size(family, &desc) + padding, "{:?}", desc);
    }
}

/// The straightforward sizer: 128-bit numbers, divisions, a list of mips, shapes from their rule instead of
/// a table.
mod naive {
    use super::*;

    #[derive(Clone, Copy)]
    pub(crate) struct Plane {
        /// Bytes of an element.
        pub(crate) bytes: u64,
        /// Elements across for one of the format.
        parts: u64,
        /// Texels of the resource across and down an element.
        texels: [u64; 2],
    }

    pub(crate) fn planes(format: Format) -> Vec<Plane> {
        let plane = |bytes, x, y| Plane { bytes, parts: 1, texels: [x, y] };
        let info = format.info();
        match format.name() {
            "NV12" | "420_OPAQUE" => vec![plane(1, 1, 1), plane(2, 2, 2)],
            "P010" | "P016" => vec![plane(2, 1, 1), plane(4, 2, 2)],
            "P208" => vec![plane(1, 1, 1), plane(2, 2, 1)],
            "NV11" => vec![plane(1, 1, 1), plane(2, 4, 1)],
            "V208" => vec![plane(1, 1, 1), plane(1, 1, 2), plane(1, 1, 2)],
            "V408" => vec![plane(1, 1, 1); 3],
            _ if info.plane_count == 2 => vec![plane(4, 1, 1), plane(1, 1, 1)],
            name if name.starts_with("BC") => vec![plane(u64::from(info.bits_per_element) / 8, 4, 4)],
            name if name.starts_with("R32G32B32_") => vec![Plane { parts: 3, ..plane(4, 1, 1) }],
            "R1_UNORM" => vec![plane(1, 8, 1)],
            "YUY2" | "R8G8_B8G8_UNORM" | "G8R8_G8B8_UNORM" => vec![plane(4, 2, 1)],
            "Y210" | "Y216" => vec![plane(8, 2, 1)],
            _ => vec![plane(u64::from(info.bits_per_element) / 8, 1, 1)],
        }
    }

    pub(crate) fn elements(desc: &ResourceDesc, plane: &Plane, mip: u32) -> [u64; 3] {
        let info = desc.format.info();
        let mut sides = [desc.width, u64::from(desc.height), 1];
        if desc.dimension == ResourceDimension::Texture3D {
            sides[2] = u64::from(desc.depth_or_array_size);
        }
        for side in &mut sides {
            for _ in 0..mip {
                *side = (*side / 2).max(1);
            }
        }
        let width = sides[0].next_multiple_of(u64::from(info.width_alignment));
        let height = sides[1].next_multiple_of(u64::from(info.height_alignment));
        [width / plane.texels[0] * plane.parts, height / plane.texels[1], sides[2]]
    }

    /// A box of `2^log2` elements whose axes get the bits in turn.
    fn in_turn(log2: u32, axes: u32) -> [u64; 3] {
        let mut sides = [1; 3];
        for bit in 0..log2 {
            sides[usize::try_from(bit % axes).unwrap()] *= 2;
        }
        sides
    }

    /// The bits of the samples are taken from x and y in turn.
    fn divided(mut sides: [u64; 3], samples: u32) -> [u64; 3] {
        for bit in 0..samples.trailing_zeros() {
            sides[usize::try_from(bit % 2).unwrap()] /= 2;
        }
        sides
    }

    fn block(family: SwizzleFamily, dimension: ResourceDimension, plane: &Plane, samples: u32) -> [u64; 3] {
        let run = |bytes: u64| [bytes / (plane.bytes * u64::from(samples)), 1, 1];
        let log2 = |bytes: u64| (bytes / plane.bytes).trailing_zeros();
        let axes = if dimension == ResourceDimension::Texture3D { 3 } else { 2 };
        let one = dimension == ResourceDimension::Texture1D;
        let shape = match family {
            SwizzleFamily::Linear => return run(256),
            SwizzleFamily::Standard64Kb if one => return run(65_536),
            SwizzleFamily::Standard4Kb | SwizzleFamily::Tile4 if one => return run(4096),
            SwizzleFamily::BlockLinear if one => return run(8192),
            SwizzleFamily::Amd256Kb if one => return run(262_144),
            SwizzleFamily::Standard64Kb => in_turn(log2(65_536), axes),
            SwizzleFamily::Standard4Kb => in_turn(log2(4096), axes),
            SwizzleFamily::Tile4 => [128 / plane.bytes, 32, 1],
            SwizzleFamily::BlockLinear if axes == 3 => [64 / plane.bytes, 32, 4],
            SwizzleFamily::BlockLinear => [64 / plane.bytes, 128, 1],
            SwizzleFamily::Amd256Kb if axes == 2 => in_turn(log2(262_144), 2),
            // Four blocks of 64 KiB: one more below, and both once more behind.
            SwizzleFamily::Amd256Kb => {
                let [x, y, z] = in_turn(log2(65_536), 3);
                [x, 2 * y, 2 * z]
            }
        };
        divided(shape, samples)
    }

    pub(crate) fn size(family: SwizzleFamily, desc: &ResourceDesc) -> u128 {
        let slices =
            if desc.dimension == ResourceDimension::Texture3D { 1 } else { desc.depth_or_array_size };
        let samples = desc.sample_desc.count;
        planes(desc.format)
            .iter()
            .map(|plane| {
                let mips: Vec<[u64; 3]> =
                    (0..u32::from(desc.mip_levels)).map(|mip| elements(desc, plane, mip)).collect();
                let mut shape = block(family, desc.dimension, plane, samples);
                let fits = |mip: &[u64; 3], shape: &[u64; 3]| mip.iter().zip(shape).all(|(a, b)| a <= b);
                if family == SwizzleFamily::Amd256Kb && fits(&mips[0], &shape) {
                    shape = block(SwizzleFamily::Standard64Kb, desc.dimension, plane, samples);
                }
                let element = u128::from(plane.bytes) * u128::from(samples);
                let block_bytes = shape.iter().map(|side| u128::from(*side)).product::<u128>() * element;
                let (large, tail): (Vec<&[u64; 3]>, Vec<&[u64; 3]>) =
                    mips.iter().partition(|mip: &&[u64; 3]| !fits(mip, &shape));
                let large: u128 = large
                    .iter()
                    .map(|mip| {
                        mip.iter().zip(shape).map(|(a, b)| u128::from(a.div_ceil(b))).product::<u128>()
                    })
                    .sum::<u128>()
                    * block_bytes;
                let tail = tail.iter().fold(0_u128, |end, mip| {
                    let row = u128::from(mip[0]) * element;
                    end + row * u128::from(mip[1]) * u128::from(mip[2])
                });
                (large + tail.next_multiple_of(block_bytes)) * u128::from(slices)
            })
            .sum()
    }
}
