//! The model's own formulas of subresources against GetCopyableFootprints, which is held to published vectors.

use heapstone::{
    FootprintOutputs, Format, PlacedFootprint, Profile, ResourceDesc, ResourceDimension, SdkVersion,
};
use heapstone_layout::{LayoutRules, Purpose, copyable_footprints, validate};
use heapstone_sim::shape;
use heapstone_spec::FormatKind;

#[test]
fn shapes_are_those_of_footprints() {
    let profile = Profile::builtin("discrete-8g").expect("a built-in profile");
    let rules = LayoutRules::new(&profile, SdkVersion::LATEST);
    let mut seen = 0;
    for format in Format::ALL {
        for desc in [
            ResourceDesc::texture_1d(*format, 37).with_mip_levels(0).with_array_size(3),
            ResourceDesc::texture_2d(*format, 24, 12).with_mip_levels(0).with_array_size(2),
            ResourceDesc::texture_2d(*format, 37, 21).with_mip_levels(9),
            ResourceDesc::texture_3d(*format, 19, 37, 7).with_mip_levels(0),
            ResourceDesc::texture_2d(*format, 24, 12),
        ] {
            let Ok(legal) = validate(&rules, &desc, Purpose::Query) else { continue };
            // The texels of opaque formats are nobody's to see.
            if format.info().kind.contains(FormatKind::OPAQUE) {
                continue;
            }
            for (index, shape) in (0_u32..).zip(shape::subresources(&legal)) {
                let (mut layouts, mut rows, mut row_sizes) = ([PlacedFootprint::EMPTY], [0], [0]);
                let outputs = FootprintOutputs {
                    layouts: Some(&mut layouts),
                    row_counts: Some(&mut rows),
                    row_sizes: Some(&mut row_sizes),
                };
                copyable_footprints(&rules, &legal, index, 1, 0, outputs).expect("the subresource is there");
                let [footprint] = layouts;
                let what = format!("{format} {}, subresource {index}", legal.dimension);
                assert_eq!(shape.format, footprint.format, "{what}");
                let size = |extent: usize| u64::try_from(extent).expect("small");
                assert_eq!(size(shape.extent[0] * shape.bytes), row_sizes[0], "{what}");
                assert_eq!(size(shape.extent[1]), u64::from(rows[0]), "{what}");
                assert_eq!(size(shape.extent[2]), u64::from(footprint.depth), "{what}");
                seen += 1;
            }
        }
    }
    assert!(seen > 1000, "{seen} subresources");
    assert_eq!(
        shape::slices(&ResourceDesc { dimension: ResourceDimension::Texture3D, ..ResourceDesc::buffer(1) }),
        1
    );
}
