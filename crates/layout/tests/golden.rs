//! Known answers: typed from the specification and the facts, or read from the copies of the facts'
//! files in `golden/`.
#![allow(clippy::unwrap_used)] // Helpers of tests are tests.

mod support;

use heapstone_layout::{
    FootprintOutputs, LayoutRules, PlacedFootprint, Purpose, copyable_footprints, subresource_count,
    tile_4kb, tile_64kb, validate,
};
use heapstone_spec::profile::SwizzleFamily;
use heapstone_spec::{Format, FormatKind, ResourceDesc, ResourceDimension, ResourceFlags, SdkVersion};
use serde_json::Value;
use support::{allocate, broken, profile, rules, size};

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or_else(|| panic!("{key} of {value}"))
}

fn narrow<T: TryFrom<u64>>(value: &Value, key: &str) -> T {
    T::try_from(number(value, key)).unwrap_or_else(|_| panic!("{key} of {value}"))
}

fn desc(value: &Value, width: &str, height: &str, depth: &str) -> ResourceDesc {
    let format: Format = value["format"].as_str().unwrap().parse().unwrap();
    let width = number(value, width);
    match value["dim"].as_str().unwrap() {
        "1D" => ResourceDesc::texture_1d(format, width).with_array_size(narrow(value, depth)),
        "2D" => ResourceDesc::texture_2d(format, width, narrow(value, height))
            .with_array_size(narrow(value, depth)),
        "3D" => ResourceDesc::texture_3d(format, width, narrow(value, height), narrow(value, depth)),
        other => panic!("dimension {other}"),
    }
}

#[test]
fn footprints_of_the_facts() {
    let vectors = read(include_str!("golden/footprint-vectors.json"));
    let rules = rules(SwizzleFamily::Standard4Kb);
    let vectors = vectors.as_array().unwrap();
    assert_eq!(vectors.len(), 12);
    for vector in vectors {
        let mut desc =
            desc(vector, "width", "height", "depth_or_array").with_mip_levels(narrow(vector, "mips"));
        if desc.format.info().kind.contains(FormatKind::DEPTH) {
            desc = desc.with_flags(ResourceFlags::ALLOW_DEPTH_STENCIL);
        }
        let want = vector["subresources"].as_array().unwrap();
        let count = want.len();
        assert_eq!(subresource_count(&desc), u64::try_from(count).unwrap());
        let mut layouts = vec![PlacedFootprint::EMPTY; count];
        let mut rows = vec![0; count];
        let mut row_sizes = vec![0; count];
        let out = FootprintOutputs {
            layouts: Some(&mut layouts),
            row_counts: Some(&mut rows),
            row_sizes: Some(&mut row_sizes),
        };
        let total = copyable_footprints(&rules, &desc, 0, u32::try_from(count).unwrap(), 0, out).unwrap();
        assert_eq!(total, number(vector, "total_bytes"), "{desc:?}");
        for (at, want) in want.iter().enumerate() {
            let footprint = PlacedFootprint {
                offset: number(want, "offset"),
                format: want["format"].as_str().unwrap().parse().unwrap(),
                width: narrow(want, "width"),
                height: narrow(want, "height"),
                depth: narrow(want, "depth"),
                row_pitch: narrow(want, "row_pitch"),
            };
            assert_eq!(layouts[at], footprint, "{want}");
            assert_eq!(u64::from(rows[at]), number(want, "num_rows"), "{want}");
            assert_eq!(row_sizes[at], number(want, "row_size"), "{want}");
        }
    }
}

#[test]
fn small_alignment_of_the_facts() {
    let vectors = read(include_str!("golden/small-alignment.json"));
    let rules = rules(SwizzleFamily::Standard4Kb);
    let vectors = vectors.as_array().unwrap();
    assert_eq!(vectors.len(), 19);
    for vector in vectors {
        let samples: u32 = narrow(vector, "samples");
        let mut desc = desc(vector, "w", "h", "d_or_array").with_samples(samples);
        let depth = desc.format == Format::D32_FLOAT;
        if samples > 1 {
            let target =
                if depth { ResourceFlags::ALLOW_DEPTH_STENCIL } else { ResourceFlags::ALLOW_RENDER_TARGET };
            desc = desc.with_flags(target).with_alignment(65_536);
        } else {
            desc = desc.with_alignment(4096);
        }
        let legal = vector["small_alignment_legal"].as_bool().unwrap();
        let answer = validate(&rules, &desc, Purpose::Placed);
        assert_eq!(answer.is_ok(), legal, "{vector}");
        if let Err(violation) = answer {
            let text = violation.to_string();
            let tiles = number(vector, "tiles");
            let limit = number(vector, "limit");
            assert!(text.contains(&format!("{tiles} tiles")), "{text}");
            assert!(text.contains(&format!("at most {limit} tiles")), "{text}");
        }
    }
}

#[test]
fn tile_shapes_of_the_facts() {
    let shapes = read(include_str!("golden/tile-shapes.json"));
    let mut compared = 0;
    let mut check = |want: &Value, dimension, bits: &str, samples_log2: u8, kib_4: bool| {
        let bytes: u32 = bits.parse::<u32>().unwrap() / 8;
        let log2 = u8::try_from(bytes.trailing_zeros()).unwrap();
        let tile = if kib_4 {
            tile_4kb(dimension, log2, samples_log2)
        } else {
            tile_64kb(dimension, log2, samples_log2)
        };
        let got = tile.elements();
        let want: Vec<u64> = want.as_array().unwrap().iter().map(|side| side.as_u64().unwrap()).collect();
        let got = [got.width, u64::from(got.height), u64::from(got.depth)];
        assert_eq!(got[..want.len()], want[..], "{dimension}, {bits} bits, samples 2^{samples_log2}");
        assert_eq!(tile.bytes(), if kib_4 { 4096 } else { 65_536 });
        compared += 1;
    };
    for (size, kib_4) in [("64KB", false), ("4KB", true)] {
        let shapes = &shapes["tile_shapes"][size];
        for (name, dimension) in [
            ("1D", ResourceDimension::Texture1D),
            ("2D", ResourceDimension::Texture2D),
            ("3D", ResourceDimension::Texture3D),
        ] {
            for (bits, want) in shapes[name].as_object().unwrap() {
                check(want, dimension, bits, 0, kib_4);
            }
        }
        for (samples, table) in shapes["2D_MSAA"].as_object().unwrap() {
            let log2 = u8::try_from(samples.parse::<u32>().unwrap().trailing_zeros()).unwrap();
            for (bits, want) in table.as_object().unwrap() {
                check(want, ResourceDimension::Texture2D, bits, log2, kib_4);
            }
        }
    }
    assert_eq!(compared, 2 * (15 + 20));
}

/// facts/behaviour.md, Sizes that real implementations gave.
#[test]
fn sizes_that_real_implementations_gave() {
    let rules = rules(SwizzleFamily::Standard4Kb);
    let rgba8 = |width, height| ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, width, height);
    for (desc, want) in [
        (rgba8(64, 64).with_alignment(4096), 16_384),
        (rgba8(128, 128).with_alignment(4096), 65_536),
        (rgba8(256, 256).with_mip_levels(9), 393_216),
        (rgba8(1024, 1024).with_mip_levels(11), 5_636_096),
        (ResourceDesc::texture_2d(Format::BC7_UNORM, 4096, 4096).with_mip_levels(13), 22_413_312),
        (ResourceDesc::texture_3d(Format::R8G8B8A8_UNORM, 128, 128, 128).with_mip_levels(8), 9_633_792),
        (ResourceDesc::texture_2d(Format::NV12, 1920, 1080), 3_145_728),
        // With 4 samples, at 4 MiB.
        (rgba8(1920, 1080).with_samples(4).with_flags(ResourceFlags::ALLOW_RENDER_TARGET), 33_554_432),
    ] {
        assert_eq!(size(&rules, &desc), want, "{desc:?}");
    }
}

/// 60 x 34 blocks of 4 KiB are 8355840 bytes, a 256th of which is 32640: together, rounded to 64 KiB,
/// 8388608.
#[test]
fn metadata_of_a_full_hd_render_target() {
    let mut profile = profile(SwizzleFamily::Standard4Kb);
    profile.layout.render_target_metadata_ratio = 256;
    let rules = LayoutRules::new(&profile, SdkVersion::LATEST);
    let desc = ResourceDesc::texture_2d(Format::B8G8R8A8_UNORM, 1920, 1080)
        .with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
    let allocation = allocate(&rules, &desc, Purpose::Committed).unwrap();
    assert_eq!(allocation.driver.resource_data_size, 8_355_840);
    assert_eq!(allocation.driver.additional_data_size, 32_640);
    assert_eq!((allocation.size, allocation.alignment.bytes()), (8_388_608, 65_536));
}

/// One texel in every family: what one block, its alignment and its padding make of it.
#[test]
fn one_texel_in_every_family() {
    let texel = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 1, 1);
    for family in SwizzleFamily::ALL {
        let rules = rules(family);
        // A driver whose hardware needs 256 KiB asks for 192 KiB more than one block of 64 KiB.
        let want = if family == SwizzleFamily::Amd256Kb { 262_144 } else { 65_536 };
        assert_eq!(size(&rules, &texel), want, "{family:?}");
        assert_eq!(size(&rules, &texel.with_alignment(4096)), 4096, "{family:?}");
    }
}

/// Blocks of each family, by hand: RGBA8 1000x1000.
#[test]
fn a_thousand_texels_square_in_every_family() {
    let desc = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 1000, 1000);
    for (family, data) in [
        (SwizzleFamily::Standard64Kb, 8 * 8 * 65_536), // 128x128 texels a block
        (SwizzleFamily::Standard4Kb, 32 * 32 * 4096),  // 32x32
        (SwizzleFamily::BlockLinear, 63 * 8 * 8192),   // 16x128
        (SwizzleFamily::Tile4, 32 * 32 * 4096),        // 32x32
        (SwizzleFamily::Amd256Kb, 4 * 4 * 262_144 + 196_608), // 256x256, and the padding
        (SwizzleFamily::Linear, 1000 * 4096),          // 4000 bytes at a pitch of 4096
    ] {
        let allocation = allocate(&rules(family), &desc, Purpose::Placed).unwrap();
        assert_eq!(allocation.driver.resource_data_size, data, "{family:?}");
    }
}

#[test]
fn elements_of_96_bits_count_as_three() {
    // 100 texels are 300 elements of 4 bytes: 10 blocks of 32 across, 4 of 32 down.
    let desc = ResourceDesc::texture_2d(Format::R32G32B32_FLOAT, 100, 100);
    let allocation = allocate(&rules(SwizzleFamily::Standard4Kb), &desc, Purpose::Placed).unwrap();
    assert_eq!(allocation.driver.resource_data_size, 10 * 4 * 4096);
}

#[test]
fn addresses_bound_a_resource() {
    let mut profile = profile(SwizzleFamily::Standard4Kb);
    profile.gpu_va.bits_per_resource = 31;
    let rules = LayoutRules::new(&profile, SdkVersion::LATEST);
    assert_eq!(broken(&rules, &ResourceDesc::buffer(1 << 31), Purpose::Committed), None);
    assert_eq!(
        broken(&rules, &ResourceDesc::buffer((1 << 31) + 1), Purpose::Committed),
        Some("resource.size")
    );
    assert_eq!(broken(&rules, &ResourceDesc::buffer(u64::MAX), Purpose::Committed), Some("resource.size"));
    // 16384 x 16384 x 16 bytes are 2^32.
    let texture = ResourceDesc::texture_2d(Format::R32G32B32A32_FLOAT, 16_384, 16_384);
    let violation = allocate(&rules, &texture, Purpose::Committed).unwrap_err();
    assert_eq!(violation.rule.id, "resource.size");
    assert!(violation.given.contains("4 GiB"), "{violation}");
    assert!(violation.allowed.contains("2 GiB"), "{violation}");
}
