//! Views of textures: resources, formats, ranges.

use heapstone::spec::message;
use heapstone::spec::rules::view as rules;
use heapstone::spec::views::*;
use heapstone::*;

use crate::bench::*;
use crate::common::*;

pub(crate) fn resources(broken: &mut Broken) {
    let bench = Bench::new();
    let plain = bench.texture(Format::R8G8B8A8_UNORM);
    let foreign = Bench::new().texture(Format::R8G8B8A8_UNORM);
    let other = bench.srv(Some(&foreign), Format::UNKNOWN, tex2d(0, ALL));
    broken.by(&rules::RESOURCE_DEVICE, None, other, ["another", "this"]);

    let message = Some(message::CREATERENDERTARGETVIEW_INVALIDRESOURCE);
    let rtv = bench.rtv(Some(&plain), Format::UNKNOWN, RTV_2D);
    broken.by(&rules::RESOURCE_FLAGS, message, rtv, ["NONE", "ALLOW_RENDER_TARGET"]);
    let message = Some(message::CREATEUNORDEREDACCESSVIEW_INVALIDRESOURCE);
    let uav = bench.uav(Some(&plain), Format::UNKNOWN, UAV_2D);
    broken.by(&rules::RESOURCE_FLAGS, message, uav, ["NONE", "ALLOW_UNORDERED_ACCESS"]);
    let message = Some(message::CREATEDEPTHSTENCILVIEW_INVALIDRESOURCE);
    let dsv = bench.dsv(&bench.texture(Format::R32_TYPELESS), Format::D32_FLOAT, DsvFlags::empty());
    broken.by(&rules::RESOURCE_FLAGS, message, dsv, ["NONE", "ALLOW_DEPTH_STENCIL"]);
    let flags = ResourceFlags::ALLOW_DEPTH_STENCIL | ResourceFlags::DENY_SHADER_RESOURCE;
    let denied = bench.commit(ResourceDesc::texture_2d(Format::R32_TYPELESS, 64, 64).with_flags(flags));
    let message = Some(message::CREATESHADERRESOURCEVIEW_INVALIDRESOURCE);
    let srv = bench.srv(Some(&denied), Format::R32_FLOAT, tex2d(0, ALL));
    broken.by(&rules::RESOURCE_FLAGS, message, srv, ["DENY_SHADER_RESOURCE", "none of"]);

    let at = bench.views.cpu_start();
    let null = bench.device.create_shader_resource_view(None, None, at);
    broken.by(&rules::NO_RESOURCE_NO_DESC, SRV_DESC, null, ["NULL", "a resource"]);
    let null = bench.device.create_depth_stencil_view(None, None, bench.depths.cpu_start());
    let dsv_desc = Some(message::CREATEDEPTHSTENCILVIEW_INVALIDDESC);
    broken.by(&rules::NO_RESOURCE_NO_DESC, dsv_desc, null, ["NULL", "a resource"]);
    for (resource, given) in [
        (bench.buffer(64), "BUFFER"),
        (bench.texture(Format::R8G8B8A8_TYPELESS), "R8G8B8A8_TYPELESS"),
        (bench.texture(Format::NV12), "NV12"),
    ] {
        let default = bench.device.create_shader_resource_view(Some(&resource), None, at);
        broken.by(&rules::DEFAULT, SRV_DESC, default, [given, "textures"]);
    }

    let line = bench.commit(ResourceDesc::texture_1d(Format::R8_UNORM, 64));
    let wrong = bench.srv(Some(&line), Format::UNKNOWN, tex2d(0, ALL));
    broken.by(&rules::DIMENSION, SRV_DIMENSIONS, wrong, ["TEXTURE2D", "TEXTURE1D"]);
    let wrong = bench.srv(Some(&line), Format::R8_UNORM, typed(0, 1));
    broken.by(&rules::DIMENSION, SRV_DIMENSIONS, wrong, ["BUFFER", "TEXTURE1D"]);
    let wrong = bench.srv(Some(&bench.buffer(64)), Format::R8_UNORM, tex2d(0, ALL));
    broken.by(&rules::DIMENSION, SRV_DIMENSIONS, wrong, ["TEXTURE2D", "BUFFER"]);
    let samples = bench.commit(render_target(64, 64).with_samples(4));
    let single = bench.srv(Some(&samples), Format::UNKNOWN, tex2d(0, ALL));
    broken.by(&rules::SAMPLES, SRV_DIMENSIONS, single, ["TEXTURE2D of a texture of 4", "TEXTURE2DMS"]);
    let multi = bench.srv(Some(&plain), Format::UNKNOWN, SrvDimension::Texture2DMs);
    broken.by(&rules::SAMPLES, SRV_DIMENSIONS, multi, ["TEXTURE2DMS of a texture of 1", "without MS"]);
    let unwritable = Bench::on(device("integrated-uma"));
    let uav = unwritable.uav(None, Format::R8G8B8A8_UNORM, UavDimension::Texture2DMs);
    let message = Some(message::CREATEUNORDEREDACCESSVIEW_INVALIDDIMENSIONS);
    broken.by(&rules::UAV_SAMPLES, message, uav, ["TEXTURE2DMS", "FALSE"]);
    bench.uav(None, Format::R8G8B8A8_UNORM, UavDimension::Texture2DMs).unwrap();

    let structure =
        |location| SrvDimension::RaytracingAccelerationStructure { location: GpuVirtualAddress(location) };
    let unaligned = bench.srv(None, Format::UNKNOWN, structure(0x1_0080));
    broken.by(&rules::ACCELERATION_STRUCTURE, SRV_DESC, unaligned, ["0x10080", "256"]);
    let with = bench.srv(Some(&plain), Format::UNKNOWN, structure(0x1_0000));
    broken.by(&rules::ACCELERATION_STRUCTURE, SRV_DESC, with, ["with a resource", "without"]);
    bench.srv(None, Format::UNKNOWN, structure(0x1_0000)).unwrap();

    let stencil_flags = Some(message::CREATEDEPTHSTENCILVIEW_INVALIDFLAGS);
    let depth = bench.commit(depth_stencil(64, 64));
    let none = bench.dsv(&depth, Format::UNKNOWN, DsvFlags::all());
    broken.by(&rules::DSV_FLAGS, stencil_flags, none, ["READ_ONLY_STENCIL", "READ_ONLY_DEPTH"]);
    let unknown = bench.dsv(&depth, Format::UNKNOWN, DsvFlags::from_bits_retain(4));
    broken.by(&rules::DSV_FLAGS, stencil_flags, unknown, ["0x4", "NONE"]);
    bench.dsv(&depth, Format::UNKNOWN, DsvFlags::READ_ONLY_DEPTH).unwrap();
}

pub(crate) fn formats(broken: &mut Broken) {
    let bench = Bench::new();
    let typeless = bench.texture(Format::R16_TYPELESS);
    for (format, given) in
        [(Format::UNKNOWN, "UNKNOWN, for a resource of R16_TYPELESS"), (Format::R16_TYPELESS, "R16_TYPELESS")]
    {
        let srv = bench.srv(Some(&typeless), format, tex2d(0, ALL));
        broken.by(&rules::FORMAT_TYPELESS, SRV_FORMAT, srv, [given, "typed"]);
    }
    let null = bench.srv(None, Format::UNKNOWN, tex2d(0, ALL));
    broken.by(&rules::FORMAT_TYPELESS, SRV_FORMAT, null, ["UNKNOWN, without a resource", "typed"]);
    let null = bench.rtv(None, Format::R8G8B8A8_TYPELESS, RTV_2D);
    let rtv_format = Some(message::CREATERENDERTARGETVIEW_INVALIDFORMAT);
    broken.by(&rules::FORMAT_TYPELESS, rtv_format, null, ["R8G8B8A8_TYPELESS", "typed"]);

    for (own, view, allowed) in [
        (Format::R8G8B8A8_UNORM, Format::R32_UINT, "R8G8B8A8_UNORM, R8G8B8A8_UNORM_SRGB, R8G8B8A8_UINT"),
        (Format::R32_FLOAT, Format::R32_UINT, "R32_FLOAT"),
        (Format::R32_UINT, Format::R32_FLOAT, "R32_UINT, R32_SINT"),
        (Format::R8_SNORM, Format::R8_UNORM, "R8_UINT, R8_SNORM, R8_SINT"),
        (Format::NV12, Format::NV12, "R8G8_UNORM, R8G8_UINT, R8_UNORM, R8_UINT"),
        (Format::NV12, Format::R16_UNORM, "R8_UNORM"),
        (Format::P8, Format::R8_UNORM, "no SRV of P8"),
    ] {
        let srv = bench.srv(Some(&bench.texture(own)), view, tex2d(0, ALL));
        broken.by(&rules::FORMAT_CAST, SRV_FORMAT, srv, [view.name(), allowed]);
    }
    // Once castable formats are named, they are all there is beside the resource's own.
    let named = bench.device.create_committed_resource(&CommittedResourceDesc {
        castable_formats: &[Format::R32_UINT],
        ..CommittedResourceDesc::new(HeapType::Default, rgba8(64, 64))
    });
    let named = named.unwrap();
    bench.srv(Some(&named), Format::R32_UINT, tex2d(0, ALL)).unwrap();
    bench.srv(Some(&named), Format::R8G8B8A8_UNORM, tex2d(0, ALL)).unwrap();
    let srv = bench.srv(Some(&named), Format::R8G8B8A8_UNORM_SRGB, tex2d(0, ALL));
    broken.by(&rules::FORMAT_CAST, SRV_FORMAT, srv, ["SRGB", "R8G8B8A8_UNORM, R32_UINT"]);

    // Blocks as texels: one mip, one slice.
    let blocks = bench.device.create_committed_resource(&CommittedResourceDesc {
        castable_formats: &[Format::R32G32_UINT, Format::BC4_UNORM],
        ..CommittedResourceDesc::new(
            HeapType::Default,
            ResourceDesc::texture_2d(Format::BC1_UNORM, 64, 64).with_mip_levels(3).with_array_size(2),
        )
    });
    let blocks = blocks.unwrap();
    let slices = |first_array_slice, array_size, mip_levels| SrvDimension::Texture2DArray {
        most_detailed_mip: 1,
        mip_levels,
        first_array_slice,
        array_size,
        plane_slice: 0,
        resource_min_lod_clamp: 0.0,
    };
    bench.srv(Some(&blocks), Format::R32G32_UINT, slices(1, Some(1), Some(1))).unwrap();
    bench.srv(Some(&blocks), Format::R32G32_UINT, slices(1, None, Some(1))).unwrap();
    bench.srv(Some(&blocks), Format::BC4_UNORM, slices(0, None, None)).unwrap();
    let srv_dimensions = Some(message::CREATESHADERRESOURCEVIEW_INVALIDDIMENSIONS);
    for (dimension, given) in [
        (slices(0, Some(1), None), "2 mips, 1 array slices of BC1_UNORM as R32G32_UINT"),
        (slices(0, Some(2), Some(1)), "1 mips, 2 array slices"),
    ] {
        let srv = bench.srv(Some(&blocks), Format::R32G32_UINT, dimension);
        broken.by(&rules::FORMAT_BLOCKS, srv_dimensions, srv, [given, "1 and 1"]);
    }

    let depth = bench.commit(depth_stencil(64, 64));
    let read = bench.srv(Some(&depth), Format::D32_FLOAT, tex2d(0, ALL));
    broken.by(&rules::FORMAT_USE, SRV_FORMAT, read, ["D32_FLOAT of a SRV", "read"]);
    bench.srv(Some(&depth), Format::R32_FLOAT, tex2d(0, ALL)).unwrap();
    let typed_family =
        ResourceDesc::texture_2d(Format::R16_TYPELESS, 64, 64).with_flags(ResourceFlags::ALLOW_DEPTH_STENCIL);
    let dsv = bench.dsv(&bench.commit(typed_family), Format::R16_UNORM, DsvFlags::empty());
    let dsv_format = Some(message::CREATEDEPTHSTENCILVIEW_INVALIDFORMAT);
    broken.by(&rules::FORMAT_USE, dsv_format, dsv, ["R16_UNORM of a DSV", "D16_UNORM"]);
    let srgb = bench.uav(Some(&bench.written(Format::R8G8B8A8_UNORM)), Format::R8G8B8A8_UNORM_SRGB, UAV_2D);
    let uav_format = Some(message::CREATEUNORDEREDACCESSVIEW_INVALIDFORMAT);
    broken.by(&rules::FORMAT_USE, uav_format, srgb, ["SRGB", "write"]);
    let blocks = bench.rtv(None, Format::BC1_UNORM, RTV_2D);
    let unsupported = Some(message::CREATERENDERTARGETVIEW_UNSUPPORTEDFORMAT);
    broken.by(&rules::FORMAT_USE, unsupported, blocks, ["BC1_UNORM", "rendered"]);
    let feedback = bench.srv(None, Format::SAMPLER_FEEDBACK_MIN_MIP_OPAQUE, tex2d(0, ALL));
    broken.by(&rules::FORMAT_USE, SRV_FORMAT, feedback, ["OPAQUE", "read"]);

    let plane = |own, view, plane_slice| {
        let dimension = SrvDimension::Texture2D {
            most_detailed_mip: 0,
            mip_levels: ALL,
            plane_slice,
            resource_min_lod_clamp: 0.0,
        };
        bench.srv(Some(&bench.texture(own)), view, dimension)
    };
    let planes = Some(message::CREATESHADERRESOURCEVIEW_INVALIDPLANESLICE);
    let stencil = plane(Format::R24G8_TYPELESS, Format::X24_TYPELESS_G8_UINT, 0);
    broken.by(&rules::PLANE, planes, stencil, ["0", "1, which format X24_TYPELESS_G8_UINT"]);
    let second = plane(Format::R8G8B8A8_UNORM, Format::UNKNOWN, 1);
    broken.by(&rules::PLANE, planes, second, ["1", "0, which format R8G8B8A8_UNORM"]);
    let video = Some(message::CREATESHADERRESOURCEVIEW_INVALIDVIDEOPLANESLICE);
    let chroma = plane(Format::NV12, Format::R8G8_UNORM, 0);
    broken.by(&rules::PLANE, video, chroma, ["0", "1, which format R8G8_UNORM"]);
    plane(Format::R24G8_TYPELESS, Format::X24_TYPELESS_G8_UINT, 1).unwrap();
    plane(Format::NV12, Format::R8_UNORM, 0).unwrap();
}

pub(crate) fn ranges(broken: &mut Broken) {
    let bench = Bench::new();
    let flags = ResourceFlags::ALLOW_RENDER_TARGET | ResourceFlags::ALLOW_UNORDERED_ACCESS;
    let texture = bench.commit(rgba8(64, 64).with_mip_levels(7).with_array_size(13).with_flags(flags));
    let srv = |dimension| bench.srv(Some(&texture), Format::UNKNOWN, dimension);
    for (first, count, given) in [
        (7, ALL, "7 + the rest"),
        (0, Some(0), "0 + 0"),
        (1, Some(7), "1 + 7"),
        (u32::MAX, Some(1), "4294967295 + 1"),
        (0, Some(u32::MAX), "0 + 4294967295"),
    ] {
        broken.by(&rules::MIPS, SRV_DIMENSIONS, srv(tex2d(first, count)), [given, "7 mips"]);
    }
    srv(tex2d(6, Some(1))).unwrap();
    srv(tex2d(0, Some(7))).unwrap();
    let mip =
        bench.rtv(Some(&texture), Format::UNKNOWN, RtvDimension::Texture2D { mip_slice: 7, plane_slice: 0 });
    let rtv_dimensions = Some(message::CREATERENDERTARGETVIEW_INVALIDDIMENSIONS);
    broken.by(&rules::MIPS, rtv_dimensions, mip, ["7", "7 mips"]);

    for (first, count, given) in [
        (13, ALL, "13 + the rest"),
        (0, Some(0), "0 + 0"),
        (5, Some(9), "5 + 9"),
        (u32::MAX, Some(u32::MAX), "4294967295 + 4294967295"),
    ] {
        broken.by(&rules::SLICES, SRV_DIMENSIONS, srv(tex2d_array(first, count)), [given, "13 slices"]);
    }
    srv(tex2d_array(5, Some(8))).unwrap();
    let slices = UavDimension::Texture2DArray {
        mip_slice: 0,
        first_array_slice: 12,
        array_size: Some(2),
        plane_slice: 0,
    };
    let message = Some(message::CREATEUNORDEREDACCESSVIEW_INVALIDDIMENSIONS);
    let uav = bench.uav(Some(&texture), Format::UNKNOWN, slices);
    broken.by(&rules::SLICES, message, uav, ["12 + 2", "13 slices"]);

    // 13 slices: two cubes, from face 7 one.
    for (first, count) in [(0, Some(3)), (0, Some(0)), (2, Some(2)), (8, ALL), (0, Some(u32::MAX))] {
        let given = format!("from face {first}");
        broken.by(&rules::CUBE, SRV_DIMENSIONS, srv(cubes(first, count)), [&given, "13 slices"]);
    }
    srv(cubes(1, Some(2))).unwrap();
    srv(cubes(7, ALL)).unwrap();
    let oblong = bench.commit(rgba8(64, 32).with_array_size(6));
    let cube =
        SrvDimension::TextureCube { most_detailed_mip: 0, mip_levels: ALL, resource_min_lod_clamp: 0.0 };
    let srv_oblong = bench.srv(Some(&oblong), Format::UNKNOWN, cube);
    broken.by(&rules::CUBE, SRV_DIMENSIONS, srv_oblong, ["64 x 32", "square"]);
    let few = bench.srv(Some(&bench.commit(rgba8(64, 64).with_array_size(5))), Format::UNKNOWN, cube);
    broken.by(&rules::CUBE, SRV_DIMENSIONS, few, ["1 cubes from face 0", "5 slices"]);
    srv(cube).unwrap();

    let volume = ResourceDesc::texture_3d(Format::R8G8B8A8_UNORM, 16, 16, 20).with_mip_levels(5);
    let volume = bench.commit(volume.with_flags(flags));
    let w = |mip_slice, first_w_slice, w_size| {
        bench.rtv(
            Some(&volume),
            Format::UNKNOWN,
            RtvDimension::Texture3D { mip_slice, first_w_slice, w_size },
        )
    };
    // 20, 10, 5, 2, 1.
    for (mip, first, count, depth) in
        [(0, 20, ALL, 20), (0, 19, Some(2), 20), (2, 4, Some(2), 5), (4, 0, Some(2), 1)]
    {
        let allowed = format!("within the {depth} of mip {mip}");
        broken.by(&rules::W_SLICES, rtv_dimensions, w(mip, first, count), [&first.to_string(), &allowed]);
    }
    w(2, 4, ALL).unwrap();
    w(4, 0, Some(1)).unwrap();

    for clamp in [-1.0, f32::NAN] {
        let clamped = srv(SrvDimension::Texture2D {
            most_detailed_mip: 0,
            mip_levels: ALL,
            plane_slice: 0,
            resource_min_lod_clamp: clamp,
        });
        broken.by(&rules::LOD_CLAMP, SRV_DESC, clamped, [&clamp.to_string(), "0 and more"]);
    }
}
