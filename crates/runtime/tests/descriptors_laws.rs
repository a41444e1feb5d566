//! Whatever numbers a view is described with: it is refused by a rule, or it reaches a part of its resource that
//! is there.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::cell::Cell;

use common::*;
use heapstone::spec::views::*;
use heapstone::{
    CommittedResourceDesc, Device, Error, Format, HeapType, Resource, ResourceDesc, ResourceDimension,
    ResourceFlags, ViewRange,
};
use proptest::prelude::*;

/// Small numbers, and those at which sums and products wrap.
fn number() -> impl Strategy<Value = u32> {
    prop_oneof![
        18 => 0_u32..3,
        6 => 3_u32..9,
        1 => Just(u32::MAX),
        1 => Just(u32::MAX / 6),
        1 => Just(u32::MAX / 6 + 1),
        1 => Just(1 << 31),
        1 => any::<u32>()
    ]
}

fn large() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0_u64..300, 1 => Just(u64::MAX), 1 => Just(1 << 63), 1 => Just(u64::MAX / 4), 1 => any::<u64>()]
}

fn count() -> impl Strategy<Value = Option<u32>> {
    prop_oneof![Just(None), number().prop_map(Some)]
}

fn flags() -> impl Strategy<Value = BufferViewFlags> {
    prop_oneof![
        6 => Just(BufferViewFlags::empty()),
        3 => Just(BufferViewFlags::RAW),
        1 => any::<u32>().prop_map(BufferViewFlags::from_bits_retain)
    ]
}

fn format() -> impl Strategy<Value = Format> {
    let near = [
        Format::UNKNOWN,
        Format::UNKNOWN,
        Format::R8G8B8A8_UNORM,
        Format::R32_TYPELESS,
        Format::R32_UINT,
        Format::R8_UNORM,
        Format::R8G8_UNORM,
        Format::R24_UNORM_X8_TYPELESS,
        Format::X24_TYPELESS_G8_UINT,
    ];
    prop_oneof![9 => prop::sample::select(near.to_vec()), 1 => prop::sample::select(Format::ALL.to_vec())]
}

fn clamp() -> impl Strategy<Value = f32> {
    prop_oneof![4 => Just(0.0), 1 => any::<f32>()]
}

fn srv() -> impl Strategy<Value = SrvDimension> {
    use SrvDimension as D;
    let stride = prop_oneof![2 => Just(0), 2 => Just(12), 1 => number()];
    prop_oneof![
        (large(), number(), stride, flags()).prop_map(
            |(first_element, element_count, structure_byte_stride, flags)| D::Buffer {
                first_element,
                element_count,
                structure_byte_stride,
                flags
            }
        ),
        (number(), count(), clamp()).prop_map(|(most_detailed_mip, mip_levels, resource_min_lod_clamp)| {
            D::Texture1D { most_detailed_mip, mip_levels, resource_min_lod_clamp }
        }),
        (number(), count(), number(), clamp()).prop_map(
            |(most_detailed_mip, mip_levels, plane_slice, resource_min_lod_clamp)| D::Texture2D {
                most_detailed_mip,
                mip_levels,
                plane_slice: plane_slice % 2,
                resource_min_lod_clamp
            }
        ),
        (number(), count(), number(), count(), prop::sample::select(vec![0_u32, 0, 0, 1])).prop_map(
            |(most_detailed_mip, mip_levels, first_array_slice, array_size, plane_slice)| D::Texture2DArray {
                most_detailed_mip,
                mip_levels,
                first_array_slice,
                array_size,
                plane_slice,
                resource_min_lod_clamp: 0.0
            }
        ),
        (number(), count()).prop_map(|(first_array_slice, array_size)| D::Texture2DMsArray {
            first_array_slice,
            array_size
        }),
        (number(), count(), clamp()).prop_map(|(most_detailed_mip, mip_levels, resource_min_lod_clamp)| {
            D::Texture3D { most_detailed_mip, mip_levels, resource_min_lod_clamp }
        }),
        (number(), count(), number(), count()).prop_map(
            |(most_detailed_mip, mip_levels, first_2d_array_face, cube_count)| D::TextureCubeArray {
                most_detailed_mip,
                mip_levels,
                first_2d_array_face,
                cube_count,
                resource_min_lod_clamp: 0.0
            }
        ),
    ]
}

fn rtv() -> impl Strategy<Value = RtvDimension> {
    use RtvDimension as D;
    prop_oneof![
        (large(), number())
            .prop_map(|(first_element, element_count)| D::Buffer { first_element, element_count }),
        (number(), number(), count(), prop::sample::select(vec![0_u32, 0, 0, 1])).prop_map(
            |(mip_slice, first_array_slice, array_size, plane_slice)| D::Texture2DArray {
                mip_slice,
                first_array_slice,
                array_size,
                plane_slice
            }
        ),
        (number(), number(), count()).prop_map(|(mip_slice, first_w_slice, w_size)| D::Texture3D {
            mip_slice,
            first_w_slice,
            w_size
        }),
    ]
}

fn resources(device: &Device) -> Vec<Resource> {
    let target = ResourceFlags::ALLOW_RENDER_TARGET;
    let descs = [
        ResourceDesc::buffer(1000).with_flags(target),
        rgba8(16, 16).with_array_size(8).with_mip_levels(5).with_flags(target),
        rgba8(16, 8).with_array_size(7),
        rgba8(16, 16).with_samples(4).with_array_size(3).with_flags(target),
        ResourceDesc::texture_1d(Format::R8_UNORM, 16).with_mip_levels(3),
        ResourceDesc::texture_3d(Format::R8G8B8A8_UNORM, 8, 8, 7).with_mip_levels(4).with_flags(target),
        ResourceDesc::texture_2d(Format::R24G8_TYPELESS, 8, 8)
            .with_array_size(6)
            .with_flags(ResourceFlags::ALLOW_DEPTH_STENCIL),
        ResourceDesc::texture_2d(Format::NV12, 8, 8).with_flags(target),
    ];
    let create =
        |desc| device.create_committed_resource(&CommittedResourceDesc::new(HeapType::Default, desc));
    descs.map(|desc| create(desc).unwrap()).to_vec()
}

/// That the part lies in the resource, which is compared with its description alone.
fn check(resource: &Resource, range: ViewRange) {
    let desc = resource.desc();
    match range {
        ViewRange::Buffer { offset, size, element_size } => {
            assert!(desc.is_buffer() && size > 0 && element_size > 0);
            assert!(offset.checked_add(size).unwrap() <= desc.width, "{range:?} of {}", desc.width);
            assert_eq!(size % u64::from(element_size), 0);
        }
        ViewRange::Texture(part) => {
            let is_volume = desc.dimension == ResourceDimension::Texture3D;
            let (slices, depth) = (u32::from(desc.depth_or_array_size), u32::from(desc.depth_or_array_size));
            let slices = if is_volume { 1 } else { slices };
            let depth = if is_volume { (depth >> part.first_mip).max(1) } else { 1 };
            for (first, count, total) in [
                (part.first_mip, part.mip_count, u32::from(desc.mip_levels)),
                (part.first_slice, part.slice_count, slices),
                (part.first_w, part.w_count, depth),
                (part.plane, 1, u32::from(desc.format.info().plane_count)),
            ] {
                assert!(count > 0 && first.checked_add(count).unwrap() <= total, "{part:?} of {desc:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    fn what_is_accepted_lies_in_the_resource(
        (format, read, written) in (format(), srv(), rtv()),
    ) {
        ACCEPTED.with(|accepted| accepted.set(accepted.get() + try_views(format, read, written)));
    }
}

thread_local! {
    /// Views that were accepted so far.
    static ACCEPTED: Cell<u32> = const { Cell::new(0) };
}

#[test]
fn views_accepted_lie_in_their_resource() {
    what_is_accepted_lies_in_the_resource();
    let accepted = ACCEPTED.get();
    assert!(accepted > 400, "{accepted} views of 64,000 were accepted: the numbers are too hostile");
}

/// How many of them are accepted.
fn try_views(format: Format, read: SrvDimension, written: RtvDimension) -> u32 {
    let device = device("discrete-8g");
    let heap = |heap_type| device.create_descriptor_heap(&DescriptorHeapDesc::new(heap_type, 1)).unwrap();
    let (views, targets) = (heap(DescriptorHeapType::CbvSrvUav), heap(DescriptorHeapType::Rtv));
    let component_mapping = ComponentMapping::IDENTITY;
    let srv = ShaderResourceViewDesc { format, dimension: read, component_mapping };
    let rtv = RenderTargetViewDesc { format, dimension: written };
    let mut accepted = 0;
    let mut judge = |resource: &Resource,
                     created: Result<(), Error>,
                     range: &dyn Fn() -> Option<ViewRange>| {
        match created {
            Ok(()) => {
                check(resource, range().expect("it has a resource"));
                accepted += 1;
            }
            Err(error) => assert!(error.violation().is_some(), "{error}"),
        }
    };
    for resource in &resources(&device) {
        let created = device.create_shader_resource_view(Some(resource), Some(&srv), views.cpu_start());
        judge(resource, created, &|| device.shader_resource_view(views.cpu_start()).unwrap().range());
        let created = device.create_render_target_view(Some(resource), Some(&rtv), targets.cpu_start());
        judge(resource, created, &|| device.render_target_view(targets.cpu_start()).unwrap().range());
    }
    match device.create_shader_resource_view(None, Some(&srv), views.cpu_start()) {
        Ok(()) => assert_eq!(device.shader_resource_view(views.cpu_start()).unwrap().range(), None),
        Err(error) => assert!(error.violation().is_some(), "{error}"),
    }
    accepted
}
