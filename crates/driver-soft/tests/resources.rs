//! What the driver says of resources, through the interface alone.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use std::sync::Arc;

use heapstone_driver::{Backing, Driver, DriverFactory, OpenAdapter};
use heapstone_driver_soft::SoftDriverFactory;
use heapstone_layout::{LayoutRules, ProfileSizer, ResourceSizer, SubresourceInfo};
use heapstone_spec::{Format, Profile, ResourceDesc, ResourceFlags, SdkVersion, TextureLayout};
use heapstone_units::Alignment;

fn open(profile: &Profile) -> Arc<dyn Driver> {
    let adapter = OpenAdapter { profile: Arc::new(profile.clone()), backing: Backing::Phantom };
    SoftDriverFactory::default().open(adapter).unwrap()
}

fn descriptions() -> Vec<ResourceDesc> {
    let rgba8 = Format::R8G8B8A8_UNORM;
    vec![
        ResourceDesc::buffer(25_600),
        ResourceDesc::buffer(25_600).with_flags(ResourceFlags::USE_TIGHT_ALIGNMENT),
        ResourceDesc::buffer(1 << 40),
        ResourceDesc::texture_1d(rgba8, 1000),
        ResourceDesc::texture_2d(rgba8, 1024, 1024).with_mip_levels(11),
        ResourceDesc::texture_2d(rgba8, 100, 50).with_flags(ResourceFlags::USE_TIGHT_ALIGNMENT),
        ResourceDesc::texture_2d(rgba8, 640, 480)
            .with_samples(4)
            .with_flags(ResourceFlags::ALLOW_RENDER_TARGET),
        ResourceDesc::texture_3d(rgba8, 33, 17, 9).with_mip_levels(2),
        ResourceDesc::texture_2d(Format::BC7_UNORM, 256, 128).with_array_size(6),
    ]
}

/// The SDK is the program's; the driver lays out the same under each.
#[test]
fn every_profile_is_served_and_sized_alike_under_every_sdk() {
    for name in Profile::builtin_names() {
        let profile = Profile::builtin(name).unwrap();
        let driver = open(&profile);
        for desc in descriptions() {
            for restriction in [4 << 10, 64 << 10, 4 << 20].map(Alignment::constant) {
                let info = driver.check_resource_allocation_info(&desc, restriction).unwrap();
                assert!(info.resource_data_size > 0);
                for sdk in SdkVersion::ALL {
                    let sizer = ProfileSizer { rules: LayoutRules::new(&profile, *sdk) };
                    assert_eq!(
                        sizer.check_resource_allocation_info(&desc, restriction),
                        Some(info),
                        "{name} {sdk} {desc:?}"
                    );
                }
            }
        }
    }
}

/// A size beyond 64 bits is no size: 2^32 x 2^31 texels of 2^4 bytes are 2^67 in the first slice alone.
#[test]
fn a_size_that_leaves_64_bits_is_none() {
    let driver = open(&Profile::builtin(Profile::DEFAULT_NAME).unwrap());
    let huge =
        ResourceDesc::texture_2d(Format::R32G32B32A32_FLOAT, 1 << 32, 1 << 31).with_array_size(u16::MAX);
    assert_eq!(driver.check_resource_allocation_info(&huge, Alignment::constant(64 << 10)), None);
}

/// Rows of a row-major texture are 256-byte aligned (D3D12_TEXTURE_DATA_PITCH_ALIGNMENT, facts/layout.md):
/// 100 texels of 4 bytes take 512 bytes, 50 rows 25,600.
#[test]
fn subresources_lie_where_the_layout_says() {
    let driver = open(&Profile::builtin("software").unwrap());
    let check = |desc: &ResourceDesc, subresource| driver.check_subresource_info(desc, None, subresource);
    let row_major = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 100, 50)
        .with_layout(TextureLayout::RowMajor)
        .with_flags(ResourceFlags::ALLOW_CROSS_ADAPTER);
    let whole = SubresourceInfo { offset: 0, size: 25_600, row_stride: 512, depth_stride: 25_600 };
    assert_eq!(check(&row_major, 0), Some(whole));
    assert_eq!(check(&row_major, 1), None);

    let buffer = ResourceDesc::buffer(1000);
    assert_eq!(check(&buffer, 0).unwrap().offset, 0);
    assert_eq!(check(&buffer, 1), None);

    // "must return the same result when the same input resource parameters are passed"
    // (spec/2-resource-heaps.txt 794), and none overlaps the one before.
    let array = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 64, 64).with_array_size(3);
    let places: Vec<SubresourceInfo> = (0..3).map(|slice| check(&array, slice).unwrap()).collect();
    assert!(places.is_sorted_by(|a, b| a.offset + 64 * 64 * 4 <= b.offset), "{places:?}");
    assert_eq!(check(&array, 2), Some(places[2]));
}

#[test]
fn the_driver_has_a_name_and_serves_every_backing() {
    for backing in [Backing::Host, Backing::Shared, Backing::Phantom] {
        let profile = Arc::new(Profile::builtin(Profile::DEFAULT_NAME).unwrap());
        let driver = SoftDriverFactory::default().open(OpenAdapter { profile, backing }).unwrap();
        assert_eq!(driver.name(), "software");
    }
}
