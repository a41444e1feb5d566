//! GetCopyableFootprints at its edges; the vectors of the facts are in `golden.rs`.
#![allow(clippy::unwrap_used)] // Helpers of tests are tests.

mod support;

use heapstone_layout::{FootprintOutputs, PlacedFootprint, copyable_footprints};
use heapstone_spec::profile::SwizzleFamily;
use heapstone_spec::{Format, ResourceDesc, ResourceFlags, Violation};
use support::rules;

fn layouts(
    desc: &ResourceDesc,
    first: u32,
    count: u32,
    base: u64,
) -> Result<(u64, Vec<PlacedFootprint>), Box<Violation>> {
    let mut layouts = vec![PlacedFootprint::EMPTY; usize::try_from(count).unwrap()];
    let out = FootprintOutputs { layouts: Some(&mut layouts), ..FootprintOutputs::default() };
    let total = copyable_footprints(&rules(SwizzleFamily::Tile4), desc, first, count, base, out)?;
    Ok((total, layouts))
}

fn rgba8(width: u64, height: u32) -> ResourceDesc {
    ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, width, height)
}

/// facts/layout.md, GetCopyableFootprints, Known.
#[test]
fn nv12() {
    let (total, layouts) = layouts(&ResourceDesc::texture_2d(Format::NV12, 1920, 1080), 0, 2, 0).unwrap();
    assert_eq!(total, 3_317_632);
    assert_eq!((layouts[1].offset, layouts[1].row_pitch), (2_211_840, 2048));
    assert_eq!((layouts[1].width, layouts[1].height, layouts[1].format), (960, 540, Format::R8G8_TYPELESS));
}

/// facts/layout.md: the base is not aligned and not part of the total; facts/behaviour.md: offsets wrap.
#[test]
fn the_base_offset() {
    let desc = rgba8(17, 5).with_mip_levels(2);
    let (total, at_zero) = layouts(&desc, 0, 2, 0).unwrap();
    assert_eq!(total, 1536 + 256 + 32, "mip 1 of 8x2 begins at 1536");
    let (same, at_seven) = layouts(&desc, 0, 2, 7).unwrap();
    assert_eq!(same, total);
    assert_eq!((at_zero[1].offset, at_seven[0].offset, at_seven[1].offset), (1536, 7, 1543));
    let (same, wrapped) = layouts(&desc, 0, 2, u64::MAX).unwrap();
    assert_eq!(same, total);
    assert_eq!((wrapped[0].offset, wrapped[1].offset), (u64::MAX, 1535));
}

/// Offsets count from the first subresource that is asked for.
#[test]
fn a_range_from_the_middle() {
    let desc = rgba8(17, 5).with_mip_levels(5).with_array_size(3);
    let (total, all) = layouts(&desc, 0, 15, 0).unwrap();
    assert_eq!(total, 10_244);
    // From mip 1 of slice 1, two subresources.
    let (_, some) = layouts(&desc, 6, 2, 100).unwrap();
    assert_eq!(some[0], PlacedFootprint { offset: 100, ..all[6] });
    assert_eq!(some[1], PlacedFootprint { offset: 100 + (all[7].offset - all[6].offset), ..all[7] });
}

#[test]
fn a_multisampled_texture_is_told_as_one_sample() {
    let single = layouts(&rgba8(100, 100), 0, 1, 0).unwrap();
    let msaa = rgba8(100, 100).with_samples(4).with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
    assert_eq!(layouts(&msaa, 0, 1, 0).unwrap(), single);
}

#[test]
fn a_buffer_is_one_row() {
    let (total, layouts_) = layouts(&ResourceDesc::buffer(1000), 0, 1, 3).unwrap();
    assert_eq!(total, 1000);
    let row = PlacedFootprint {
        offset: 3,
        format: Format::UNKNOWN,
        width: 1000,
        height: 1,
        depth: 1,
        row_pitch: 1024,
    };
    assert_eq!(layouts_, [row]);
    assert!(layouts(&ResourceDesc::buffer(0xffff_ff00), 0, 1, 0).is_ok());
    for width in [0xffff_ff01, 1 << 32, 1 << 40] {
        let violation = layouts(&ResourceDesc::buffer(width), 0, 1, 0).unwrap_err();
        assert_eq!(violation.rule.message.unwrap().number, 1322, "{width}");
    }
}

/// facts/layout.md, Planes.
#[test]
fn planes_of_the_video_formats() {
    /// Format, width, height, row pitch.
    type Plane = (Format, u32, u32, u32);
    let table: [(Format, u64, u32, &[Plane]); 7] = [
        (
            Format::P010,
            64,
            32,
            &[(Format::R16_TYPELESS, 64, 32, 512), (Format::R16G16_TYPELESS, 32, 16, 512)],
        ),
        (
            Format::P016,
            64,
            32,
            &[(Format::R16_TYPELESS, 64, 32, 512), (Format::R16G16_TYPELESS, 32, 16, 512)],
        ),
        (
            Format::OPAQUE_420,
            64,
            32,
            &[(Format::R8_TYPELESS, 64, 32, 512), (Format::R8G8_TYPELESS, 32, 16, 512)],
        ),
        (Format::P208, 64, 32, &[(Format::R8_TYPELESS, 64, 32, 512), (Format::R8G8_TYPELESS, 32, 32, 512)]),
        (
            Format::V208,
            64,
            32,
            &[
                (Format::R8_TYPELESS, 64, 32, 512),
                (Format::R8_TYPELESS, 64, 16, 512),
                (Format::R8_TYPELESS, 64, 16, 512),
            ],
        ),
        (Format::V408, 64, 32, &[(Format::R8_TYPELESS, 64, 32, 512); 3]),
        // The chroma of 2048 texels is 512 wide, but pitched for 1024 texels of 2 bytes.
        (
            Format::NV11,
            2048,
            8,
            &[(Format::R8_TYPELESS, 2048, 8, 2048), (Format::R8G8_TYPELESS, 512, 8, 2048)],
        ),
    ];
    for (format, width, height, planes) in table {
        let count = u32::try_from(planes.len()).unwrap();
        let (_, layouts) = layouts(&ResourceDesc::texture_2d(format, width, height), 0, count, 0).unwrap();
        let got: Vec<_> =
            layouts.iter().map(|plane| (plane.format, plane.width, plane.height, plane.row_pitch)).collect();
        assert_eq!(got, planes, "{format}");
    }
}

/// facts/layout.md, GetCopyableFootprints: wa, ha and row sizes of formats whose texels share bytes.
#[test]
fn texels_that_share_bytes() {
    for (format, width, height, row_size, rows) in [
        (Format::YUY2, 6, 3, 12, 3),
        (Format::Y210, 6, 3, 24, 3),
        (Format::R8G8_B8G8_UNORM, 6, 3, 12, 3),
        (Format::BC1_UNORM, 6, 5, 16, 2),
        (Format::BC7_UNORM, 6, 5, 32, 2),
        (Format::R32G32B32_FLOAT, 6, 5, 72, 5),
    ] {
        let desc = ResourceDesc::texture_2d(format, width, height);
        let (mut row_sizes, mut row_counts) = ([0], [0]);
        let out = FootprintOutputs {
            layouts: None,
            row_counts: Some(&mut row_counts),
            row_sizes: Some(&mut row_sizes),
        };
        copyable_footprints(&rules(SwizzleFamily::Linear), &desc, 0, 1, 0, out).unwrap();
        assert_eq!((row_sizes[0], row_counts[0]), (row_size, rows), "{format}");
    }
}

/// facts/layout.md: outputs are written last, so that the total may be an alias of the description.
#[test]
fn a_total_that_is_the_descriptions_width() {
    let mut desc = rgba8(64, 64).with_mip_levels(0);
    let out = FootprintOutputs::default();
    desc.width = copyable_footprints(&rules(SwizzleFamily::Linear), &desc, 0, 1, 0, out).unwrap();
    assert_eq!(desc, rgba8(16_384, 64).with_mip_levels(0));
}

#[test]
fn nothing_is_written_after_an_error() {
    let rules = rules(SwizzleFamily::Standard64Kb);
    let before = [PlacedFootprint { offset: 5, ..PlacedFootprint::EMPTY }; 2];
    let desc = rgba8(8, 8).with_mip_levels(4);
    for (desc, first, count) in [
        (rgba8(0, 8), 0, 1),
        (desc, 4, 0),
        (desc, 3, 2),
        (desc, u32::MAX, u32::MAX),
        (desc, 0, 3), // the output has room for two
    ] {
        let mut layouts = before;
        let mut rows = [9; 8];
        let out =
            FootprintOutputs { layouts: Some(&mut layouts), row_counts: Some(&mut rows), row_sizes: None };
        assert!(copyable_footprints(&rules, &desc, first, count, 0, out).is_err(), "{first}, {count}");
        assert_eq!((layouts, rows), (before, [9; 8]));
    }
    assert_eq!(layouts(&desc, 3, 0, 0).unwrap(), (0, Vec::new()));
}
