//! Descriptor heaps: handles, legal views and the part of its resource that each reaches, null descriptors,
//! lifetimes.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::collections::HashSet;

use common::counting::CountingFactory;
use common::*;
use heapstone::spec::rules::view as rules;
use heapstone::spec::views::*;
use heapstone::{
    CommittedResourceDesc, DescriptorHeap, Device, Format, GpuVirtualAddress, HeapType, Resource,
    ResourceDesc, ResourceFlags, TextureRange, ViewRange,
};

const VIEWS: DescriptorHeapType = DescriptorHeapType::CbvSrvUav;
const ALL: Option<u32> = None;

fn heap(device: &Device, heap_type: DescriptorHeapType, count: u32) -> DescriptorHeap {
    device.create_descriptor_heap(&DescriptorHeapDesc::new(heap_type, count)).unwrap()
}

fn commit(device: &Device, desc: ResourceDesc) -> Resource {
    device.create_committed_resource(&CommittedResourceDesc::new(HeapType::Default, desc)).unwrap()
}

/// Of first mip, mips, first slice, slices, plane, first depth slice, depth slices.
fn part(numbers: [u32; 7]) -> Option<ViewRange> {
    let [first_mip, mip_count, first_slice, slice_count, plane, first_w, w_count] = numbers;
    Some(ViewRange::Texture(TextureRange {
        first_mip,
        mip_count,
        first_slice,
        slice_count,
        plane,
        first_w,
        w_count,
    }))
}

#[test]
fn handles_are_heap_start_and_increments() {
    let device = device("discrete-8g");
    let types = DescriptorHeapType::ALL;
    let increments: HashSet<u32> =
        types.iter().map(|heap_type| device.descriptor_handle_increment_size(*heap_type)).collect();
    assert_eq!(increments.len(), types.len(), "a program that mixes types up is found out");
    let mut ranges = Vec::new();
    for (heap_type, count) in types.iter().flat_map(|heap_type| [(*heap_type, 1), (*heap_type, 1000)]) {
        let heap = heap(&device, heap_type, count);
        let (start, increment) = (heap.cpu_start(), device.descriptor_handle_increment_size(heap_type));
        assert_eq!(heap.desc(), DescriptorHeapDesc::new(heap_type, count));
        assert_eq!(heap.device(), device);
        for index in [0, count / 2, count - 1] {
            let place = device.locate_cpu_descriptor(start.offset(index, increment)).unwrap();
            assert_eq!((place.heap, place.heap_start, place.index), (heap.desc(), start, index));
        }
        // Handles of heaps that are gone are not given again.
        ranges.push((start.ptr, start.offset(count, increment).ptr));
    }
    for (at, (begin, end)) in ranges.iter().enumerate() {
        for (other_begin, other_end) in &ranges[at + 1..] {
            assert!(end < other_begin || other_end < begin, "{begin:#x} to {end:#x} are given twice");
        }
    }
}

#[test]
fn shader_visible_heaps_are_as_large_as_the_tier_says() {
    for (name, heap_type, count) in [
        ("limited-va", VIEWS, 1_000_000),
        ("cache-coherent-uma", VIEWS, 1_000_000),
        ("discrete-8g", VIEWS, 2_000_000),
        ("limited-va", DescriptorHeapType::Sampler, 2048),
        ("discrete-8g", DescriptorHeapType::Sampler, 2048),
    ] {
        let device = device(name);
        let desc = DescriptorHeapDesc::new(heap_type, count).shader_visible();
        let heap = device.create_descriptor_heap(&desc).unwrap();
        let increment = device.descriptor_handle_increment_size(heap_type);
        let last = heap.gpu_start().unwrap().offset(count - 1, increment);
        let place = device.locate_gpu_descriptor(last).unwrap();
        assert_eq!(
            (place.heap, place.heap_start, place.index),
            (desc, heap.cpu_start(), count - 1),
            "{name}"
        );
        // Those that shaders do not see are bounded by nothing.
        device.create_descriptor_heap(&DescriptorHeapDesc::new(heap_type, 3_000_000)).unwrap();
    }
}

#[test]
fn shader_resource_views_reach_what_they_say() {
    let device = device("discrete-8g");
    let heap = heap(&device, VIEWS, 1);
    let flags = ResourceFlags::ALLOW_DEPTH_STENCIL;
    let array = commit(&device, rgba8(64, 64).with_mip_levels(7).with_array_size(20));
    let line = commit(&device, ResourceDesc::texture_1d(Format::R8_UNORM, 64).with_array_size(3));
    let volume = commit(&device, ResourceDesc::texture_3d(Format::R8_UNORM, 8, 8, 9).with_mip_levels(4));
    let samples = commit(&device, render_target(64, 64).with_samples(4).with_array_size(5));
    let depth = ResourceDesc::texture_2d(Format::R24G8_TYPELESS, 64, 64).with_array_size(6).with_flags(flags);
    let depth = commit(&device, depth);
    let video = commit(&device, ResourceDesc::texture_2d(Format::NV12, 64, 64));
    let blocks = commit(&device, ResourceDesc::texture_2d(Format::BC7_TYPELESS, 64, 64));
    let (mips, from2, resource_min_lod_clamp) = (ALL, Some(3), 2.5);
    for (resource, format, dimension, want) in [
        (
            &array,
            Format::R8G8B8A8_UNORM_SRGB,
            SrvDimension::Texture2D {
                most_detailed_mip: 2,
                mip_levels: from2,
                plane_slice: 0,
                resource_min_lod_clamp,
            },
            [2, 3, 0, 1, 0, 0, 1],
        ),
        (
            &array,
            Format::UNKNOWN,
            SrvDimension::Texture2DArray {
                most_detailed_mip: 6,
                mip_levels: mips,
                first_array_slice: 19,
                array_size: ALL,
                plane_slice: 0,
                resource_min_lod_clamp,
            },
            [6, 1, 19, 1, 0, 0, 1],
        ),
        (
            &array,
            Format::UNKNOWN,
            SrvDimension::TextureCube { most_detailed_mip: 0, mip_levels: mips, resource_min_lod_clamp },
            [0, 7, 0, 6, 0, 0, 1],
        ),
        (
            &array,
            Format::UNKNOWN,
            SrvDimension::TextureCubeArray {
                most_detailed_mip: 1,
                mip_levels: Some(1),
                first_2d_array_face: 2,
                cube_count: Some(3),
                resource_min_lod_clamp,
            },
            [1, 1, 2, 18, 0, 0, 1],
        ),
        (
            &array,
            Format::UNKNOWN,
            SrvDimension::TextureCubeArray {
                most_detailed_mip: 0,
                mip_levels: mips,
                first_2d_array_face: 3,
                cube_count: ALL,
                resource_min_lod_clamp,
            },
            // 17 slices are two cubes and five faces.
            [0, 7, 3, 12, 0, 0, 1],
        ),
        (
            &line,
            Format::UNKNOWN,
            SrvDimension::Texture1DArray {
                most_detailed_mip: 0,
                mip_levels: mips,
                first_array_slice: 1,
                array_size: Some(2),
                resource_min_lod_clamp,
            },
            [0, 1, 1, 2, 0, 0, 1],
        ),
        (
            &line,
            Format::R8_UINT,
            SrvDimension::Texture1D { most_detailed_mip: 0, mip_levels: mips, resource_min_lod_clamp },
            [0, 1, 0, 1, 0, 0, 1],
        ),
        (
            &volume,
            Format::UNKNOWN,
            SrvDimension::Texture3D { most_detailed_mip: 1, mip_levels: mips, resource_min_lod_clamp },
            // The depth of mip 1.
            [1, 3, 0, 1, 0, 0, 4],
        ),
        (&samples, Format::UNKNOWN, SrvDimension::Texture2DMs, [0, 1, 0, 1, 0, 0, 1]),
        (
            &samples,
            Format::UNKNOWN,
            SrvDimension::Texture2DMsArray { first_array_slice: 2, array_size: ALL },
            [0, 1, 2, 3, 0, 0, 1],
        ),
        (
            &depth,
            Format::R24_UNORM_X8_TYPELESS,
            SrvDimension::Texture2D {
                most_detailed_mip: 0,
                mip_levels: mips,
                plane_slice: 0,
                resource_min_lod_clamp,
            },
            [0, 1, 0, 1, 0, 0, 1],
        ),
        (
            &depth,
            Format::X24_TYPELESS_G8_UINT,
            SrvDimension::TextureCube { most_detailed_mip: 0, mip_levels: mips, resource_min_lod_clamp },
            [0, 1, 0, 6, 1, 0, 1],
        ),
        (
            &video,
            Format::R8G8_UINT,
            SrvDimension::Texture2D {
                most_detailed_mip: 0,
                mip_levels: mips,
                plane_slice: 1,
                resource_min_lod_clamp,
            },
            [0, 1, 0, 1, 1, 0, 1],
        ),
        (
            &blocks,
            Format::BC7_UNORM_SRGB,
            SrvDimension::Texture2D {
                most_detailed_mip: 0,
                mip_levels: mips,
                plane_slice: 0,
                resource_min_lod_clamp,
            },
            [0, 1, 0, 1, 0, 0, 1],
        ),
    ] {
        let desc =
            ShaderResourceViewDesc { format, dimension, component_mapping: ComponentMapping::IDENTITY };
        device.create_shader_resource_view(Some(resource), Some(&desc), heap.cpu_start()).unwrap();
        let view = device.shader_resource_view(heap.cpu_start()).unwrap();
        assert_eq!(view.resource.as_ref(), Some(resource));
        assert_eq!((view.desc.dimension, view.range()), (dimension, part(want)), "{dimension:?}");
        let format = if format == Format::UNKNOWN { resource.desc().format } else { format };
        assert_eq!(view.desc.format, format);
    }
}

#[test]
fn written_views_reach_what_they_say() {
    let device = device("discrete-8g");
    let (views, targets) = (heap(&device, VIEWS, 1), heap(&device, DescriptorHeapType::Rtv, 1));
    let depths = heap(&device, DescriptorHeapType::Dsv, 1);
    let flags = ResourceFlags::ALLOW_RENDER_TARGET | ResourceFlags::ALLOW_UNORDERED_ACCESS;
    let array =
        ResourceDesc::texture_2d(Format::R8G8B8A8_TYPELESS, 64, 64).with_array_size(5).with_mip_levels(3);
    let array = commit(&device, array.with_flags(flags));
    let volume = ResourceDesc::texture_3d(Format::R32_UINT, 8, 8, 9).with_mip_levels(2).with_flags(flags);
    let volume = commit(&device, volume);
    let samples = commit(&device, render_target(64, 64).with_samples(2).with_array_size(3));
    let video = ResourceDesc::texture_2d(Format::NV12, 64, 64).with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
    let video = commit(&device, video);
    let (w, at) = ([1, 1, 0, 1, 0, 2, 2], targets.cpu_start());
    let slices = [2, 1, 3, 2, 0, 0, 1];
    for (resource, format, dimension, want) in [
        (
            &array,
            Format::R8G8B8A8_UNORM_SRGB,
            RtvDimension::Texture2DArray {
                mip_slice: 2,
                first_array_slice: 3,
                array_size: ALL,
                plane_slice: 0,
            },
            slices,
        ),
        (
            &volume,
            Format::UNKNOWN,
            RtvDimension::Texture3D { mip_slice: 1, first_w_slice: 2, w_size: ALL },
            w,
        ),
        (
            &samples,
            Format::UNKNOWN,
            RtvDimension::Texture2DMsArray { first_array_slice: 1, array_size: Some(1) },
            [0, 1, 1, 1, 0, 0, 1],
        ),
        (
            &video,
            Format::R8G8_UNORM,
            RtvDimension::Texture2D { mip_slice: 0, plane_slice: 1 },
            [0, 1, 0, 1, 1, 0, 1],
        ),
    ] {
        let desc = RenderTargetViewDesc { format, dimension };
        device.create_render_target_view(Some(resource), Some(&desc), at).unwrap();
        let view = device.render_target_view(at).unwrap();
        assert_eq!((view.resource.as_ref(), view.range()), (Some(resource), part(want)), "{dimension:?}");
    }

    let at = views.cpu_start();
    for (resource, format, dimension, want) in [
        (
            &array,
            // A typeless texture of 32 bits is written as words.
            Format::R32_UINT,
            UavDimension::Texture2DArray {
                mip_slice: 2,
                first_array_slice: 3,
                array_size: Some(2),
                plane_slice: 0,
            },
            slices,
        ),
        (
            &volume,
            Format::R32_SINT,
            UavDimension::Texture3D { mip_slice: 1, first_w_slice: 2, w_size: Some(2) },
            w,
        ),
    ] {
        let desc = UnorderedAccessViewDesc { format, dimension };
        device.create_unordered_access_view(Some(resource), None, Some(&desc), at).unwrap();
        let view = device.unordered_access_view(at).unwrap();
        assert_eq!((view.desc, view.range()), (desc, part(want)), "{dimension:?}");
    }

    let at = depths.cpu_start();
    let both = ResourceDesc::texture_2d(Format::R32G8X24_TYPELESS, 64, 64).with_array_size(4);
    let both = commit(&device, both.with_flags(ResourceFlags::ALLOW_DEPTH_STENCIL));
    let desc = DepthStencilViewDesc {
        format: Format::D32_FLOAT_S8X24_UINT,
        dimension: DsvDimension::Texture2DArray { mip_slice: 0, first_array_slice: 1, array_size: ALL },
        flags: DsvFlags::all(),
    };
    device.create_depth_stencil_view(Some(&both), Some(&desc), at).unwrap();
    let view = device.depth_stencil_view(at).unwrap();
    assert_eq!((view.desc, view.range()), (desc, part([0, 1, 1, 3, 0, 0, 1])));
}

#[test]
fn views_of_buffers_reach_what_they_say() {
    let device = device("discrete-8g");
    let heap = heap(&device, VIEWS, 1);
    let at = heap.cpu_start();
    let buffer = ResourceDesc::buffer(10_000).with_flags(ResourceFlags::ALLOW_UNORDERED_ACCESS);
    let (buffer, counter) = (commit(&device, buffer), commit(&device, buffer));
    let plain = BufferViewFlags::empty();
    for (format, first_element, element_count, structure_byte_stride, flags, offset, size, element_size) in [
        (Format::R16_FLOAT, 5, 7, 0, plain, 10, 14, 2),
        (Format::R32G32B32_FLOAT, 1, 2, 0, plain, 12, 24, 12),
        (Format::UNKNOWN, 2, 2, 2048, plain, 4096, 4096, 2048),
        (Format::R32_TYPELESS, 4, 2496, 0, BufferViewFlags::RAW, 16, 9984, 4),
    ] {
        let dimension = SrvDimension::Buffer { first_element, element_count, structure_byte_stride, flags };
        let desc =
            ShaderResourceViewDesc { format, dimension, component_mapping: ComponentMapping::IDENTITY };
        device.create_shader_resource_view(Some(&buffer), Some(&desc), at).unwrap();
        let view = device.shader_resource_view(at).unwrap();
        assert_eq!((view.desc, view.range()), (desc, Some(ViewRange::Buffer { offset, size, element_size })));
    }
    let desc = UnorderedAccessViewDesc {
        format: Format::UNKNOWN,
        dimension: UavDimension::Buffer {
            first_element: 1,
            element_count: 3,
            structure_byte_stride: 12,
            counter_offset_in_bytes: 8192,
            flags: plain,
        },
    };
    device.create_unordered_access_view(Some(&buffer), Some(&counter), Some(&desc), at).unwrap();
    let view = device.unordered_access_view(at).unwrap();
    assert_eq!((view.resource.as_ref(), view.counter.as_ref()), (Some(&buffer), Some(&counter)));
    assert_eq!(view.range(), Some(ViewRange::Buffer { offset: 12, size: 36, element_size: 12 }));

    let constants = ConstantBufferViewDesc {
        buffer_location: GpuVirtualAddress(buffer.gpu_virtual_address().0 + 512),
        size_in_bytes: 9216,
    };
    device.create_constant_buffer_view(Some(&constants), at).unwrap();
    assert_eq!(device.constant_buffer_view(at).unwrap().desc, Some(constants));
}

#[test]
fn without_a_description_a_view_is_of_the_whole_texture() {
    let device = device("discrete-8g");
    let (views, targets) = (heap(&device, VIEWS, 1), heap(&device, DescriptorHeapType::Rtv, 1));
    let depths = heap(&device, DescriptorHeapType::Dsv, 1);
    let flags = ResourceFlags::ALLOW_RENDER_TARGET | ResourceFlags::ALLOW_UNORDERED_ACCESS;
    let color = Format::R8G8B8A8_UNORM;
    for (desc, read, written) in [
        (
            ResourceDesc::texture_1d(color, 64).with_mip_levels(7),
            [0, 7, 0, 1, 0, 0, 1],
            [0, 1, 0, 1, 0, 0, 1],
        ),
        (
            ResourceDesc::texture_1d(color, 64).with_array_size(4),
            [0, 1, 0, 4, 0, 0, 1],
            [0, 1, 0, 4, 0, 0, 1],
        ),
        (rgba8(64, 64).with_mip_levels(3), [0, 3, 0, 1, 0, 0, 1], [0, 1, 0, 1, 0, 0, 1]),
        (rgba8(64, 64).with_array_size(6), [0, 1, 0, 6, 0, 0, 1], [0, 1, 0, 6, 0, 0, 1]),
        (rgba8(64, 64).with_samples(4), [0, 1, 0, 1, 0, 0, 1], [0, 1, 0, 1, 0, 0, 1]),
        (rgba8(64, 64).with_samples(4).with_array_size(2), [0, 1, 0, 2, 0, 0, 1], [0, 1, 0, 2, 0, 0, 1]),
        (
            ResourceDesc::texture_3d(color, 8, 8, 6).with_mip_levels(3),
            [0, 3, 0, 1, 0, 0, 6],
            [0, 1, 0, 1, 0, 0, 6],
        ),
    ] {
        let texture = commit(&device, desc.with_flags(flags));
        device.create_shader_resource_view(Some(&texture), None, views.cpu_start()).unwrap();
        let view = device.shader_resource_view(views.cpu_start()).unwrap();
        assert_eq!((view.desc.format, view.range()), (color, part(read)), "{desc:?}");
        device.create_unordered_access_view(Some(&texture), None, None, views.cpu_start()).unwrap();
        let view = device.unordered_access_view(views.cpu_start()).unwrap();
        assert_eq!((view.desc.format, view.range()), (color, part(written)), "{desc:?}");
        device.create_render_target_view(Some(&texture), None, targets.cpu_start()).unwrap();
        let view = device.render_target_view(targets.cpu_start()).unwrap();
        assert_eq!((view.desc.format, view.range()), (color, part(written)), "{desc:?}");
    }
    let both = ResourceDesc::texture_2d(Format::D24_UNORM_S8_UINT, 64, 64).with_mip_levels(3);
    let both = commit(&device, both.with_flags(ResourceFlags::ALLOW_DEPTH_STENCIL));
    device.create_depth_stencil_view(Some(&both), None, depths.cpu_start()).unwrap();
    let view = device.depth_stencil_view(depths.cpu_start()).unwrap();
    assert_eq!(view.desc.format, Format::D24_UNORM_S8_UINT);
    assert_eq!(view.range(), part([0, 1, 0, 1, 0, 0, 1]));
}

#[test]
fn null_descriptors_have_a_description_and_no_resource() {
    let device = device("discrete-8g");
    let (views, targets) = (heap(&device, VIEWS, 1), heap(&device, DescriptorHeapType::Rtv, 1));
    let (depths, at) = (heap(&device, DescriptorHeapType::Dsv, 1), views.cpu_start());
    let read = ShaderResourceViewDesc {
        format: Format::UNKNOWN,
        dimension: SrvDimension::Buffer {
            first_element: 0,
            element_count: 0,
            structure_byte_stride: 16,
            flags: BufferViewFlags::empty(),
        },
        component_mapping: ComponentMapping::IDENTITY,
    };
    device.create_shader_resource_view(None, Some(&read), at).unwrap();
    let view = device.shader_resource_view(at).unwrap();
    assert_eq!((view.resource.as_ref(), view.desc, view.range()), (None, read, None));
    let written = UnorderedAccessViewDesc {
        format: Format::R32_UINT,
        dimension: UavDimension::Texture2D { mip_slice: 0, plane_slice: 0 },
    };
    device.create_unordered_access_view(None, None, Some(&written), at).unwrap();
    assert_eq!(device.unordered_access_view(at).unwrap().resource, None);
    let target = RenderTargetViewDesc {
        format: Format::R8G8B8A8_UNORM,
        dimension: RtvDimension::Texture2D { mip_slice: 0, plane_slice: 0 },
    };
    device.create_render_target_view(None, Some(&target), targets.cpu_start()).unwrap();
    assert_eq!(device.render_target_view(targets.cpu_start()).unwrap().range(), None);
    let depth = DepthStencilViewDesc {
        format: Format::D16_UNORM,
        dimension: DsvDimension::Texture2D { mip_slice: 0 },
        flags: DsvFlags::empty(),
    };
    device.create_depth_stencil_view(None, Some(&depth), depths.cpu_start()).unwrap();
    assert_eq!(device.depth_stencil_view(depths.cpu_start()).unwrap().desc, depth);
    let nothing = ConstantBufferViewDesc { buffer_location: GpuVirtualAddress(0), size_in_bytes: 0 };
    for desc in [None, Some(&nothing)] {
        device.create_constant_buffer_view(desc, at).unwrap();
        assert_eq!(device.constant_buffer_view(at).unwrap().desc, None);
    }
}

/// A view holds neither its resource nor its heap, a heap holds its device.
#[test]
fn views_keep_nothing_alive() {
    let factory = CountingFactory::default();
    let device = Device::builder().profile(profile("discrete-8g")).driver(&factory).build().unwrap();
    let views = heap(&device, VIEWS, 2);
    let (first, second) =
        (views.cpu_start(), views.cpu_start().offset(1, device.descriptor_handle_increment_size(VIEWS)));
    let texture = commit(&device, rgba8(64, 64));
    device.create_shader_resource_view(Some(&texture), None, first).unwrap();
    device.copy_descriptors_simple(1, second, first, VIEWS).unwrap();
    let view = device.shader_resource_view(second).unwrap();
    drop(texture);
    assert!(!factory.watch.is_empty(), "the view that was read holds the resource");
    drop(view);
    assert!(factory.watch.is_empty());
    for at in [first, second] {
        refused(device.shader_resource_view(at), &rules::DESCRIPTOR_RESOURCE);
    }
    // The descriptor of a resource that is gone may still be copied and written over.
    device.copy_descriptors_simple(1, second, first, VIEWS).unwrap();
    let texture = commit(&device, rgba8(64, 64));
    device.create_shader_resource_view(Some(&texture), None, second).unwrap();
    drop(device);
    views.device().shader_resource_view(second).unwrap();
}

#[test]
fn samplers_are_kept_as_given() {
    let device = device("discrete-8g");
    let samplers = heap(&device, DescriptorHeapType::Sampler, 1);
    let desc = SamplerDesc {
        address_u: TextureAddressMode::Border,
        address_v: TextureAddressMode::MirrorOnce,
        border_color: BorderColor::Uint([1, 2, 3, 4]),
        mip_lod_bias: -16.0,
        max_anisotropy: 1,
        min_lod: 3.0,
        max_lod: 3.0,
        ..SamplerDesc::new(Filter::ANISOTROPIC.with_reduction(FilterReduction::Comparison))
    };
    device.create_sampler(&desc, samplers.cpu_start()).unwrap();
    assert_eq!(device.sampler(samplers.cpu_start()).unwrap(), desc);
}

/// One thread destroys resources while another reads their views: each read is the resource or its end.
#[test]
fn a_resource_may_die_while_its_view_is_read() {
    let device = device("discrete-8g");
    let views = heap(&device, VIEWS, 1);
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..300 {
                let texture = commit(&device, rgba8(8, 8));
                device.create_shader_resource_view(Some(&texture), None, views.cpu_start()).unwrap();
            }
            done.store(true, std::sync::atomic::Ordering::SeqCst);
        });
        while !done.load(std::sync::atomic::Ordering::SeqCst) {
            match device.shader_resource_view(views.cpu_start()) {
                Ok(view) => assert_eq!(view.resource.unwrap().desc().width, 8),
                Err(error) => {
                    let rule = error.violation().unwrap().rule.id;
                    assert!(
                        [rules::DESCRIPTOR_RESOURCE.id, rules::DESCRIPTOR_KIND.id].contains(&rule),
                        "{error}"
                    );
                }
            }
        }
    });
    assert_empty(&device);
}
