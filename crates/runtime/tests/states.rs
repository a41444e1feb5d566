//! What a resource begins with: states, barrier layouts, castable formats, clear values
//! (spec/2-resource-heaps.txt 138-151, 185-186, 954-984; facts/behaviour.md, Creation).
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use common::*;
use heapstone::spec::rules::placement as rules;
use heapstone::{
    BarrierLayout, ClearColor, ClearValue, CommittedResourceDesc, Device, Error, Format, HeapType,
    InitialState, Resource, ResourceDesc, ResourceFlags, ResourceStates, Rule, SdkVersion,
};

const FROM_606: [SdkVersion; 5] =
    [SdkVersion::V606, SdkVersion::V614, SdkVersion::V618, SdkVersion::V619_3, SdkVersion::V619_4];

fn begin(
    device: &Device,
    heap_type: HeapType,
    desc: ResourceDesc,
    state: ResourceStates,
) -> Result<Resource, Error> {
    let initial = InitialState::State(state);
    device.create_committed_resource(&CommittedResourceDesc {
        initial,
        ..CommittedResourceDesc::new(heap_type, desc)
    })
}

fn default(device: &Device, desc: ResourceDesc, state: ResourceStates) -> Result<Resource, Error> {
    begin(device, HeapType::Default, desc, state)
}

fn begin_in_layout(device: &Device, desc: ResourceDesc, layout: BarrierLayout) -> Result<Resource, Error> {
    device.create_committed_resource(&CommittedResourceDesc {
        initial: InitialState::Layout(layout),
        ..CommittedResourceDesc::new(HeapType::Default, desc)
    })
}

fn clear(device: &Device, desc: ResourceDesc, format: Format, value: ClearColor) -> Result<Resource, Error> {
    device.create_committed_resource(&CommittedResourceDesc {
        clear_value: Some(ClearValue { format, value }),
        ..CommittedResourceDesc::new(HeapType::Default, desc)
    })
}

fn cast(device: &Device, desc: ResourceDesc, castable_formats: &[Format]) -> Result<Resource, Error> {
    let desc = CommittedResourceDesc::new(HeapType::Default, desc);
    device.create_committed_resource(&CommittedResourceDesc { castable_formats, ..desc })
}

#[test]
fn upload_heaps_before_and_from_606() {
    let buffer = ResourceDesc::buffer(1000);
    let (generic, common, source) =
        (ResourceStates::GENERIC_READ, ResourceStates::COMMON, ResourceStates::COPY_SOURCE);
    let inbox = device_under("discrete-8g", SdkVersion::Inbox);
    begin(&inbox, HeapType::Upload, buffer, generic).unwrap();
    for state in [common, source, ResourceStates::COPY_DEST] {
        let violation = refused(begin(&inbox, HeapType::Upload, buffer, state), &rules::STATE_UPLOAD_INBOX);
        says(&violation, "InitialResourceState", &[&state.to_string()], &["GENERIC_READ"]);
        assert!(violation.rule.holds_in(SdkVersion::Inbox) && !violation.rule.holds_in(SdkVersion::V606));
    }
    for sdk in FROM_606 {
        let device = device_under("discrete-8g", sdk);
        for state in [generic, common, source] {
            let begun = begin(&device, HeapType::Upload, buffer, state).unwrap();
            assert_eq!(begun.initial_state(), InitialState::State(state));
        }
        for state in
            [ResourceStates::COPY_DEST, ResourceStates::INDEX_BUFFER, generic | ResourceStates::COPY_DEST]
        {
            let violation = refused(begin(&device, HeapType::Upload, buffer, state), &rules::STATE_UPLOAD);
            says(&violation, "InitialResourceState", &[], &["GENERIC_READ", "COMMON", "COPY_SOURCE"]);
        }
    }
}

#[test]
fn readback_heaps_before_and_from_606() {
    let buffer = ResourceDesc::buffer(1000);
    let inbox = device_under("discrete-8g", SdkVersion::Inbox);
    begin(&inbox, HeapType::Readback, buffer, ResourceStates::COPY_DEST).unwrap();
    for state in [ResourceStates::COMMON, ResourceStates::GENERIC_READ, ResourceStates::COPY_SOURCE] {
        let result = begin(&inbox, HeapType::Readback, buffer, state);
        let violation = refused(result, &rules::STATE_READBACK_INBOX);
        says(&violation, "InitialResourceState", &[&state.to_string()], &["COPY_DEST"]);
    }
    for sdk in FROM_606 {
        let device = device_under("discrete-8g", sdk);
        for state in [ResourceStates::COPY_DEST, ResourceStates::COMMON] {
            begin(&device, HeapType::Readback, buffer, state).unwrap();
        }
        for state in [ResourceStates::GENERIC_READ, ResourceStates::COPY_SOURCE] {
            let violation =
                refused(begin(&device, HeapType::Readback, buffer, state), &rules::STATE_READBACK);
            says(&violation, "InitialResourceState", &[&state.to_string()], &["COPY_DEST", "COMMON"]);
        }
    }
}

#[test]
fn common_is_a_beginning_for_all() {
    for name in heapstone::Profile::builtin_names() {
        let device = device(name);
        for desc in [ResourceDesc::buffer(1000), rgba8(64, 64), render_target(64, 64), depth_stencil(64, 64)]
        {
            default(&device, desc, ResourceStates::COMMON).unwrap();
        }
    }
}

#[test]
fn states_that_flags_allow() {
    let device = device("discrete-8g");
    let uav = rgba8(64, 64).with_flags(ResourceFlags::ALLOW_UNORDERED_ACCESS);
    let uav_buffer = ResourceDesc::buffer(1000).with_flags(ResourceFlags::ALLOW_UNORDERED_ACCESS);
    let (rt, ds, plain, buffer) =
        (render_target(64, 64), depth_stencil(64, 64), rgba8(64, 64), ResourceDesc::buffer(1000));
    let table = [
        (ResourceStates::RENDER_TARGET, rt, plain, "ALLOW_RENDER_TARGET"),
        (ResourceStates::DEPTH_WRITE, ds, rt, "ALLOW_DEPTH_STENCIL"),
        (ResourceStates::DEPTH_READ, ds, plain, "ALLOW_DEPTH_STENCIL"),
        (ResourceStates::UNORDERED_ACCESS, uav, rt, "ALLOW_UNORDERED_ACCESS"),
        (ResourceStates::UNORDERED_ACCESS, uav_buffer, buffer, "ALLOW_UNORDERED_ACCESS"),
        (ResourceStates::RAYTRACING_ACCELERATION_STRUCTURE, uav_buffer, buffer, "ALLOW_UNORDERED_ACCESS"),
    ];
    for (state, with, without, flag) in table {
        default(&device, with, state).unwrap();
        let violation = refused(default(&device, without, state), &rules::STATE_FLAGS);
        says(&violation, "InitialResourceState", &[&state.to_string()], &[flag]);
    }
    let read_only = ResourceStates::DEPTH_READ | ResourceStates::PIXEL_SHADER_RESOURCE;
    default(&device, ds, read_only).unwrap();
    let denied = ds.with_flags(ResourceFlags::ALLOW_DEPTH_STENCIL | ResourceFlags::DENY_SHADER_RESOURCE);
    default(&device, denied, ResourceStates::DEPTH_WRITE).unwrap();
    says(
        &refused(default(&device, denied, read_only), &rules::STATE_FLAGS),
        "InitialResourceState",
        &["DENY_SHADER_RESOURCE"],
        &["DENY_SHADER_RESOURCE"],
    );
    assert_empty(&device);
}

#[test]
fn a_state_that_writes_stands_alone() {
    let device = device("discrete-8g");
    let all = ResourceFlags::ALLOW_RENDER_TARGET | ResourceFlags::ALLOW_UNORDERED_ACCESS;
    let texture = rgba8(64, 64).with_flags(all);
    for writes in [
        ResourceStates::RENDER_TARGET,
        ResourceStates::UNORDERED_ACCESS,
        ResourceStates::COPY_DEST,
        ResourceStates::RESOLVE_DEST,
    ] {
        default(&device, texture, writes).unwrap();
        for other in [ResourceStates::COPY_SOURCE, ResourceStates::PIXEL_SHADER_RESOURCE] {
            let violation = refused(default(&device, texture, writes | other), &rules::STATE_EXCLUSIVE);
            says(&violation, "InitialResourceState", &[&writes.to_string(), &other.to_string()], &["alone"]);
        }
    }
    let two = ResourceStates::RENDER_TARGET | ResourceStates::COPY_DEST;
    refused(default(&device, texture, two), &rules::STATE_EXCLUSIVE);
    let reads = ResourceStates::COPY_SOURCE | ResourceStates::ALL_SHADER_RESOURCE;
    default(&device, texture, reads).unwrap();
}

#[test]
fn states_of_buffers_and_of_textures() {
    let device = device("discrete-8g");
    let buffer = ResourceDesc::buffer(1000);
    default(&device, rgba8(64, 64), ResourceStates::GENERIC_READ).unwrap();
    default(&device, buffer, ResourceStates::GENERIC_READ).unwrap();
    for state in [
        ResourceStates::VERTEX_AND_CONSTANT_BUFFER,
        ResourceStates::INDEX_BUFFER,
        ResourceStates::INDIRECT_ARGUMENT,
        ResourceStates::STREAM_OUT,
    ] {
        default(&device, buffer, state).unwrap();
        let violation = refused(default(&device, rgba8(64, 64), state), &rules::STATE_DIMENSION);
        says(&violation, "InitialResourceState", &[&state.to_string(), "TEXTURE2D"], &["textures"]);
    }
    for state in [ResourceStates::DEPTH_READ, ResourceStates::RESOLVE_DEST, ResourceStates::RESOLVE_SOURCE] {
        let violation = refused(default(&device, buffer, state), &rules::STATE_DIMENSION);
        says(&violation, "InitialResourceState", &[&state.to_string(), "BUFFER"], &["buffers"]);
    }
    let unknown = ResourceStates::from_bits_retain(0x8000_0000);
    let violation = refused(default(&device, buffer, unknown), &rules::STATE_UNRECOGNIZED);
    says(&violation, "InitialResourceState", &["0x80000000"], &["0x"]);
}

#[test]
fn barrier_layouts_need_enhanced_barriers() {
    for (name, sdk, is_there) in [
        ("discrete-8g", SdkVersion::Inbox, false),
        // D3D12_OPTIONS12 and CreateCommittedResource3 stand in the header of 1.606.
        ("discrete-8g", SdkVersion::V606, true),
        ("discrete-8g", SdkVersion::V614, true),
        ("discrete-8g", SdkVersion::LATEST, true),
        ("discrete-tier1-2g", SdkVersion::LATEST, false),
        ("linked-two-nodes", SdkVersion::LATEST, false),
    ] {
        let result = begin_in_layout(&device_under(name, sdk), rgba8(64, 64), BarrierLayout::Common);
        if is_there {
            let layout = InitialState::Layout(BarrierLayout::Common);
            assert_eq!(result.unwrap().initial_state(), layout);
        } else {
            let violation = refused(result, &rules::LAYOUT_UNSUPPORTED);
            says(&violation, "InitialLayout", &["COMMON"], &[name, sdk.name()]);
        }
    }
}

#[test]
fn barrier_layouts_that_flags_allow() {
    let device = device("discrete-8g");
    let uav = rgba8(64, 64).with_flags(ResourceFlags::ALLOW_UNORDERED_ACCESS);
    let (rt, ds) = (render_target(64, 64), depth_stencil(64, 64));
    for (layout, with, without) in [
        (BarrierLayout::RenderTarget, rt, uav),
        (BarrierLayout::DepthStencilWrite, ds, rt),
        (BarrierLayout::DepthStencilRead, ds, rgba8(64, 64)),
        (BarrierLayout::UnorderedAccess, uav, rt),
        (BarrierLayout::DirectQueueUnorderedAccess, uav, rt),
        (BarrierLayout::ComputeQueueUnorderedAccess, uav, rt),
    ] {
        begin_in_layout(&device, with, layout).unwrap();
        let violation = refused(begin_in_layout(&device, without, layout), &rules::LAYOUT_FLAGS);
        says(&violation, "InitialLayout", &[layout.name()], &["ALLOW_"]);
    }
    let denied = ds.with_flags(ResourceFlags::ALLOW_DEPTH_STENCIL | ResourceFlags::DENY_SHADER_RESOURCE);
    begin_in_layout(&device, ds, BarrierLayout::ShaderResource).unwrap();
    refused(begin_in_layout(&device, denied, BarrierLayout::ShaderResource), &rules::LAYOUT_FLAGS);
    for layout in [BarrierLayout::Undefined, BarrierLayout::CopyDest, BarrierLayout::GenericRead] {
        begin_in_layout(&device, rgba8(64, 64), layout).unwrap();
    }
}

#[test]
fn a_buffer_has_no_layout() {
    let device = device("discrete-8g");
    for layout in BarrierLayout::ALL {
        let result = begin_in_layout(&device, ResourceDesc::buffer(1000), *layout);
        if *layout == BarrierLayout::Undefined {
            result.unwrap();
        } else {
            says(&refused(result, &rules::LAYOUT_BUFFER), "InitialLayout", &[layout.name()], &["UNDEFINED"]);
        }
    }
}

#[test]
fn castable_formats() {
    let device = device("discrete-8g");
    let texture = rgba8(64, 64);
    let formats = [Format::R8G8B8A8_UINT, Format::R32_FLOAT, Format::R16G16_FLOAT];
    assert_eq!(cast(&device, texture, &formats).unwrap().castable_formats(), formats);
    // A typeless one is no view's; a buffer's are no formats.
    let typeless = [Format::R32_TYPELESS, Format::R8G8B8A8_TYPELESS];
    assert_eq!(cast(&device, texture, &typeless).unwrap().castable_formats(), typeless);
    let unknown = [Format::UNKNOWN];
    assert_eq!(cast(&device, ResourceDesc::buffer(1000), &unknown).unwrap().castable_formats(), unknown);
    let blocks = ResourceDesc::texture_2d(Format::BC1_UNORM, 64, 64);
    // Blocks cast to blocks as large, and to texels as large as a block.
    for (own, format) in [
        (Format::BC1_UNORM, Format::BC1_UNORM_SRGB),
        (Format::BC1_UNORM, Format::BC4_SNORM),
        (Format::BC1_UNORM, Format::R32G32_UINT),
        (Format::BC4_UNORM, Format::R16G16B16A16_FLOAT),
        (Format::BC7_UNORM, Format::R32G32B32A32_UINT),
    ] {
        let desc = ResourceDesc::texture_2d(own, 64, 64).with_mip_levels(7).with_array_size(2);
        assert_eq!(cast(&device, desc, &[format]).unwrap().castable_formats(), [format]);
    }
    for (desc, format, given, allowed) in [
        (texture, Format::R32G32_UINT, "64 bits", "32 bits"),
        (texture, Format::BC1_UNORM, "64 bits", "32 bits"),
        (texture, Format::R32G32_TYPELESS, "64 bits", "32 bits"),
        (texture, Format::D24_UNORM_S8_UINT, "D24_UNORM_S8_UINT", "one plane"),
        (texture, Format::UNKNOWN, "UNKNOWN", "32 bits"),
        (
            blocks,
            Format::R32G32B32A32_UINT,
            "128 bits an element of 1x1",
            "64 bits an element of 4x4 texels or of one",
        ),
        (blocks, Format::BC7_UNORM, "128 bits an element of 4x4", "64 bits"),
        (blocks, Format::R32_TYPELESS, "32 bits", "64 bits"),
    ] {
        let result = cast(&device, desc, &[Format::R8G8B8A8_UINT, format]);
        if desc == blocks {
            refused(result, &rules::CASTABLE_FORMAT);
        } else {
            says(&refused(result, &rules::CASTABLE_FORMAT), "CastableFormats", &[given], &[allowed]);
        }
        says(
            &refused(cast(&device, desc, &[format]), &rules::CASTABLE_FORMAT),
            "CastableFormats",
            &[given],
            &[allowed],
        );
    }
    refused(cast(&device, ResourceDesc::buffer(1000), &formats), &rules::CASTABLE_BUFFER);
    let inbox = device_under("discrete-8g", SdkVersion::Inbox);
    refused(cast(&inbox, texture, &formats), &rules::CASTABLE_UNSUPPORTED);
    let without = common::device("discrete-tier1-2g");
    says(
        &refused(cast(&without, texture, &formats), &rules::CASTABLE_UNSUPPORTED),
        "CastableFormats",
        &["3"],
        &["discrete-tier1-2g"],
    );
    cast(&without, texture, &[]).unwrap();
}

/// What the flags need of a format, one of the castable formats may have (as native D3D12 has it: its runtime takes BC1 with
/// ALLOW_RENDER_TARGET beside R32G32_UINT, and R32_FLOAT with ALLOW_DEPTH_STENCIL beside D32_FLOAT).
#[test]
fn castable_formats_take_the_flags() {
    use heapstone::spec::rules::description;
    let device = device("discrete-8g");
    let texture = |format, flags| ResourceDesc::texture_2d(format, 64, 64).with_flags(flags);
    let (target, unordered) = (ResourceFlags::ALLOW_RENDER_TARGET, ResourceFlags::ALLOW_UNORDERED_ACCESS);
    for (own, flags, castable, rule) in [
        (
            Format::BC3_UNORM,
            unordered,
            [Format::R32G32B32A32_FLOAT, Format::BC3_UNORM_SRGB],
            &description::FORMAT_UNORDERED_ACCESS,
        ),
        (
            Format::BC1_UNORM,
            target,
            [Format::BC1_UNORM, Format::R32G32_UINT],
            &description::FORMAT_RENDER_TARGET,
        ),
    ] {
        let desc = texture(own, flags);
        let made = cast(&device, desc, &castable).unwrap();
        assert_eq!((made.desc().format, made.desc().flags), (own, flags));
        refused(cast(&device, desc, &[]), rule);
        // The size is that of the same texture without the flag's need, and the query decides as creation does.
        let info = device.try_resource_allocation_info_cast(0, &[desc], &[&castable], None).unwrap();
        assert!(info.size >= 64 * 64 * u64::from(own.info().bits_per_element) / 8 / 16);
        refused(device.try_resource_allocation_info(0, &[desc], None), rule);
        refused(device.try_resource_allocation_info_cast(0, &[desc], &[], None), rule);
        refused(device.try_resource_allocation_info_cast(0, &[desc], &[&[]], None), rule);
    }
    // A list in which no format has it; one that does not fit, though it would have it.
    let blocks = texture(Format::BC1_UNORM, target);
    refused(cast(&device, blocks, &[Format::BC1_UNORM_SRGB]), &description::FORMAT_RENDER_TARGET);
    refused(cast(&device, blocks, &[Format::R32_UINT]), &rules::CASTABLE_FORMAT);
    let ask = |castable: &[Format]| {
        device.try_resource_allocation_info_cast(0, &[rgba8(64, 64), blocks], &[&[], castable], None)
    };
    assert_eq!(ask(&[Format::R32G32_UINT]).unwrap().alignment, 65536);
    refused(ask(&[Format::R32_UINT]), &rules::CASTABLE_FORMAT);
    let mut places = [heapstone::ResourceAllocationInfo1::default(); 2];
    let lists: [&[Format]; 2] = [&[], &[Format::R32G32_UINT]];
    let info = device
        .try_resource_allocation_info_cast(0, &[rgba8(64, 64), blocks], &lists, Some(&mut places))
        .unwrap();
    assert_eq!((places[0].offset, places[1].offset), (0, 65536));
    assert_eq!(info.size, 2 * 65536);
}

/// Without a list it is the formats that a colour format casts to anyway: a view of one of them has the use.
#[test]
fn flags_of_formats_that_cast() {
    use heapstone::spec::rules::description;
    let device = device("discrete-8g");
    let (target, depth, unordered) = (
        ResourceFlags::ALLOW_RENDER_TARGET,
        ResourceFlags::ALLOW_DEPTH_STENCIL,
        ResourceFlags::ALLOW_UNORDERED_ACCESS,
    );
    let texture = |format, flags| ResourceDesc::texture_2d(format, 64, 64).with_flags(flags);
    for (format, flags) in [
        (Format::R8G8B8A8_UNORM_SRGB, unordered),
        (Format::R8G8B8A8_UNORM_SRGB, unordered | target),
        (Format::R32_FLOAT, depth),
        (Format::R16_UNORM, depth),
    ] {
        let desc = texture(format, flags);
        let made = cast(&device, desc, &[]).unwrap();
        assert_eq!((made.desc().format, made.desc().flags), (format, flags));
        assert!(device.try_resource_allocation_info(0, &[desc], None).is_ok(), "{format}");
        // A list takes nothing from the flags, though it does from the views.
        let depth = if format == Format::R32_FLOAT { Format::D32_FLOAT } else { Format::D16_UNORM };
        let typeless = if format == Format::R32_FLOAT { Format::R32_TYPELESS } else { Format::R16_TYPELESS };
        assert!(cast(&device, desc, &[format]).is_ok(), "{format}");
        if flags == ResourceFlags::ALLOW_DEPTH_STENCIL {
            assert!(cast(&device, desc, &[format, depth]).is_ok(), "{format}");
            assert!(cast(&device, desc, &[typeless]).is_ok(), "{format}");
        }
    }
    for (format, flags, rule) in [
        (Format::R8G8B8A8_UINT, depth, &description::FORMAT_DEPTH_STENCIL),
        (Format::D32_FLOAT, unordered, &description::FORMAT_UNORDERED_ACCESS),
        (Format::D32_FLOAT, target, &description::FORMAT_RENDER_TARGET),
        (Format::BC1_UNORM, target, &description::FORMAT_RENDER_TARGET),
        (Format::BC3_UNORM_SRGB, unordered, &description::FORMAT_UNORDERED_ACCESS),
    ] {
        refused(cast(&device, texture(format, flags), &[]), rule);
    }
}

const BLACK: ClearColor = ClearColor::Color([0.0, 0.0, 0.0, 1.0]);

const fn far(depth: f32) -> ClearColor {
    ClearColor::DepthStencil { depth, stencil: 0 }
}

#[test]
fn clear_values_that_are_accepted() {
    let device = device("discrete-8g");
    let typeless = ResourceDesc::texture_2d(Format::R8G8B8A8_TYPELESS, 64, 64)
        .with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
    for desc in [render_target(64, 64), typeless] {
        for format in [Format::R8G8B8A8_UNORM, Format::R8G8B8A8_UNORM_SRGB] {
            let made = clear(&device, desc, format, BLACK).unwrap();
            assert_eq!(made.clear_value(), Some(ClearValue { format, value: BLACK }));
        }
    }
    let typeless_depth =
        ResourceDesc::texture_2d(Format::R32_TYPELESS, 64, 64).with_flags(ResourceFlags::ALLOW_DEPTH_STENCIL);
    let seen_as_depth =
        ResourceDesc::texture_2d(Format::R32_FLOAT, 64, 64).with_flags(ResourceFlags::ALLOW_DEPTH_STENCIL);
    for desc in [depth_stencil(64, 64), typeless_depth, seen_as_depth] {
        for depth in [0.0, -0.0, 0.5, 1.0] {
            clear(&device, desc, Format::D32_FLOAT, far(depth)).unwrap();
        }
    }
}

#[test]
fn clear_values_that_are_refused() {
    let device = device("discrete-8g");
    let check = |desc, format, value, rule: &'static Rule, given: &str, allowed: &str| {
        let violation = refused(clear(&device, desc, format, value), rule);
        assert!(violation.given.contains(given), "{violation}: {given}");
        assert!(violation.allowed.contains(allowed), "{violation}: {allowed}");
    };
    let (rt, ds) = (render_target(64, 64), depth_stencil(64, 64));
    let unorm = Format::R8G8B8A8_UNORM;
    check(ResourceDesc::buffer(1000), unorm, BLACK, &rules::CLEAR_VALUE_USE, "buffer", "NULL");
    let rt_buffer = ResourceDesc::buffer(1000).with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
    check(rt_buffer, unorm, BLACK, &rules::CLEAR_VALUE_USE, "buffer", "NULL");
    check(rgba8(64, 64), unorm, BLACK, &rules::CLEAR_VALUE_USE, "NONE", "ALLOW_RENDER_TARGET");
    let typeless = Format::R8G8B8A8_TYPELESS;
    check(rt, typeless, BLACK, &rules::CLEAR_VALUE_TYPELESS, "R8G8B8A8_TYPELESS", "typed");
    check(rt, Format::UNKNOWN, BLACK, &rules::CLEAR_VALUE_TYPELESS, "UNKNOWN", "typed");
    check(rt, Format::R32_FLOAT, BLACK, &rules::CLEAR_VALUE_FORMAT, "R32_FLOAT", "R8G8B8A8_TYPELESS");
    check(ds, Format::R32_FLOAT, far(1.0), &rules::CLEAR_VALUE_FORMAT, "R32_FLOAT", "depth-stencil");
    check(ds, Format::D24_UNORM_S8_UINT, far(1.0), &rules::CLEAR_VALUE_FORMAT, "D24", "R32_TYPELESS");
    check(rt, unorm, far(1.0), &rules::CLEAR_VALUE_KIND, "depth", "colour");
    check(ds, Format::D32_FLOAT, BLACK, &rules::CLEAR_VALUE_KIND, "colour", "depth");
    for depth in [-0.001, 1.001, f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        check(ds, Format::D32_FLOAT, far(depth), &rules::CLEAR_VALUE_DEPTH, &depth.to_string(), "0 to 1");
    }
    assert_empty(&device);
}

#[test]
fn a_castable_format_may_clear() {
    let device = device("discrete-8g");
    let desc = CommittedResourceDesc {
        clear_value: Some(ClearValue { format: Format::R32_FLOAT, value: BLACK }),
        castable_formats: &[Format::R32_FLOAT],
        ..CommittedResourceDesc::new(HeapType::Default, render_target(64, 64))
    };
    device.create_committed_resource(&desc).unwrap();
}
