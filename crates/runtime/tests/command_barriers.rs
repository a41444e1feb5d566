//! ResourceBarrier and Barrier: all fields are kept in the stream; what the arguments alone make illegal is
//! refused.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;
#[path = "common/recording.rs"]
mod recording;

use common::*;
use heapstone::spec::commands::{
    ALL_SUBRESOURCES, BarrierAccess as Access, BarrierSubresourceRange, BarrierSync as Sync, CommandListType,
    ResourceBarrierFlags, TextureBarrierFlags,
};
use heapstone::spec::rules::barrier as rules;
use heapstone::{
    BarrierGroup, BarrierLayout as Layout, BufferBarrier, CommandList, Error, Format, GlobalBarrier,
    HeapDesc, HeapType, PlacedResourceDesc, Resource, ResourceBarrier, ResourceDesc, ResourceFlags,
    ResourceStates as States, Rule,
};
use heapstone_driver::dma::{Barrier, Command};
use recording::*;

const DIRECT: CommandListType = CommandListType::Direct;
const COMPUTE: CommandListType = CommandListType::Compute;
const COPY: CommandListType = CommandListType::Copy;

fn recording() -> Recording {
    Recording::on(device("discrete-8g"))
}

fn barriers(commands: Vec<Command>) -> Vec<Barrier> {
    let barrier = |command| match command {
        Command::Barrier(barrier) => barrier,
        other => panic!("{other:?}"),
    };
    commands.into_iter().map(barrier).collect()
}

/// What ResourceBarrier is called with: the test's resources live elsewhere.
fn legacy<'a>(barriers: &'a [ResourceBarrier<'a>]) -> impl Fn(&mut CommandList) -> Result<(), Error> + 'a {
    move |list| list.resource_barrier(barriers)
}

#[test]
fn barriers_keep_all_their_fields() {
    let recording = recording();
    let heap = recording.device.create_heap(&HeapDesc::new(MIB, HeapType::Default)).unwrap();
    let uav = ResourceDesc::buffer(65_536).with_flags(ResourceFlags::ALLOW_UNORDERED_ACCESS);
    let placed = |offset| {
        recording.device.create_placed_resource(&heap, offset, &PlacedResourceDesc::new(uav)).unwrap()
    };
    let (one, other) = (placed(0), placed(65_536));
    let image = recording.default(rgba8(64, 64).with_mip_levels(3));
    let begin = ResourceBarrierFlags::BEGIN_ONLY;
    let none = ResourceBarrierFlags::empty();
    let buffer = recording.compiled(legacy(&[
        ResourceBarrier::transition(&image, States::COMMON, States::COPY_DEST),
        ResourceBarrier::Transition {
            resource: &image,
            subresource: 2,
            before: States::COPY_DEST,
            after: States::PIXEL_SHADER_RESOURCE | States::COPY_SOURCE,
            flags: begin,
        },
        ResourceBarrier::aliasing(Some(&one), Some(&other)),
        ResourceBarrier::aliasing(None, Some(&one)),
        ResourceBarrier::uav(None),
        ResourceBarrier::Uav { resource: Some(&other), flags: none },
    ]));
    assert_eq!(
        barriers(commands_of(&buffer)),
        [
            Barrier::Transition {
                allocation: 0,
                subresource: ALL_SUBRESOURCES,
                before: States::COMMON,
                after: States::COPY_DEST,
                flags: none
            },
            Barrier::Transition {
                allocation: 0,
                subresource: 2,
                before: States::COPY_DEST,
                after: States::PIXEL_SHADER_RESOURCE | States::COPY_SOURCE,
                flags: begin
            },
            Barrier::Aliasing { before: Some(1), after: Some(2), flags: none },
            Barrier::Aliasing { before: None, after: Some(1), flags: none },
            Barrier::Uav { allocation: None, flags: none },
            Barrier::Uav { allocation: Some(2), flags: none },
        ]
    );
    assert_eq!(buffer.command_count(), 1, "one call");
    assert_eq!(recording.commands(legacy(&[])), []);
}

#[test]
fn enhanced_barriers_keep_all_their_fields() {
    let recording = recording();
    let image = recording.default(render_target(64, 64).with_array_size(4));
    let buffer = recording.buffer(HeapType::Default, 1000);
    let global = GlobalBarrier {
        sync_before: Sync::COPY,
        sync_after: Sync::ALL_SHADING,
        access_before: Access::COPY_DEST,
        access_after: Access::SHADER_RESOURCE,
    };
    let subresources = BarrierSubresourceRange {
        index_or_first_mip_level: 0,
        num_mip_levels: 1,
        first_array_slice: 1,
        num_array_slices: 3,
        first_plane: 0,
        num_planes: 1,
    };
    let texture = heapstone::TextureBarrier {
        sync_before: Sync::empty(),
        sync_after: Sync::RENDER_TARGET,
        access_before: Access::NO_ACCESS,
        access_after: Access::RENDER_TARGET,
        layout_before: Layout::Undefined,
        layout_after: Layout::RenderTarget,
        resource: &image,
        subresources,
        flags: TextureBarrierFlags::DISCARD,
    };
    let of_buffer = BufferBarrier {
        sync_before: Sync::COPY,
        sync_after: Sync::SPLIT,
        access_before: Access::COPY_DEST,
        access_after: Access::VERTEX_BUFFER,
        resource: &buffer,
        offset: 0,
        size: u64::MAX,
    };
    let commands = recording.commands(|list| {
        list.barrier(&[
            BarrierGroup::Global(&[global]),
            BarrierGroup::Texture(&[texture]),
            BarrierGroup::Buffer(&[of_buffer, BufferBarrier { size: 1000, ..of_buffer }]),
        ])
    });
    let of_size = |size| Barrier::Buffer {
        allocation: 1,
        sync: [Sync::COPY, Sync::SPLIT],
        access: [Access::COPY_DEST, Access::VERTEX_BUFFER],
        offset: 0,
        size,
    };
    assert_eq!(
        barriers(commands),
        [
            Barrier::Global {
                sync: [Sync::COPY, Sync::ALL_SHADING],
                access: [Access::COPY_DEST, Access::SHADER_RESOURCE]
            },
            Barrier::Texture {
                allocation: 0,
                sync: [Sync::empty(), Sync::RENDER_TARGET],
                access: [Access::NO_ACCESS, Access::RENDER_TARGET],
                layout: [Layout::Undefined, Layout::RenderTarget],
                subresources,
                flags: TextureBarrierFlags::DISCARD,
            },
            of_size(u64::MAX),
            of_size(1000),
        ]
    );
    assert_eq!(recording.commands(|list| list.barrier(&[BarrierGroup::Global(&[])])), []);
}

/// Each state of D3D12_RESOURCE_STATES by the queues that have it (Microsoft's public documentation).
#[test]
fn states_by_list_type() {
    let recording = recording();
    let flags = ResourceFlags::ALLOW_RENDER_TARGET | ResourceFlags::ALLOW_UNORDERED_ACCESS;
    let image = recording.default(rgba8(64, 64).with_flags(flags));
    let buffer =
        recording.default(ResourceDesc::buffer(64).with_flags(ResourceFlags::ALLOW_UNORDERED_ACCESS));
    for (resource, state, legal_in) in [
        (&image, States::COPY_DEST, &[DIRECT, COMPUTE, COPY][..]),
        (&image, States::COPY_SOURCE, &[DIRECT, COMPUTE, COPY]),
        (&image, States::UNORDERED_ACCESS, &[DIRECT, COMPUTE]),
        (&image, States::NON_PIXEL_SHADER_RESOURCE, &[DIRECT, COMPUTE]),
        (&buffer, States::INDIRECT_ARGUMENT, &[DIRECT, COMPUTE]),
        (&buffer, States::VERTEX_AND_CONSTANT_BUFFER, &[DIRECT, COMPUTE]),
        (&buffer, States::INDEX_BUFFER, &[DIRECT]),
        (&buffer, States::STREAM_OUT, &[DIRECT]),
        (&image, States::PIXEL_SHADER_RESOURCE, &[DIRECT]),
        (&image, States::RENDER_TARGET, &[DIRECT]),
        (&image, States::RESOLVE_DEST, &[DIRECT]),
        (&image, States::GENERIC_READ, &[DIRECT]),
        (&image, States::VIDEO_DECODE_READ, &[]),
    ] {
        for list_type in CommandListType::ALL {
            let barrier = [ResourceBarrier::transition(resource, States::COMMON, state)];
            if legal_in.contains(list_type) {
                let mut list = recording.list(*list_type);
                list.resource_barrier(&barrier).unwrap();
                list.close().unwrap();
            } else {
                let given = format!("{state} in a list of type {list_type}");
                recording.refuses_in(*list_type, &rules::STATE_LIST_TYPE, &given, "COMMON", legacy(&barrier));
            }
        }
    }
}

/// A whole barrier of a texture from one use to another.
fn texture_barrier(resource: &Resource) -> heapstone::TextureBarrier<'_> {
    heapstone::TextureBarrier {
        sync_before: Sync::ALL,
        sync_after: Sync::ALL,
        access_before: Access::empty(),
        access_after: Access::empty(),
        layout_before: Layout::Common,
        layout_after: Layout::Common,
        resource,
        subresources: BarrierSubresourceRange::ALL,
        flags: TextureBarrierFlags::empty(),
    }
}

/// "Command Queue Layout Compatibility" of the enhanced-barriers specification.
#[test]
fn layouts_by_list_type() {
    let recording = recording();
    let flags = ResourceFlags::ALLOW_RENDER_TARGET | ResourceFlags::ALLOW_UNORDERED_ACCESS;
    let image = recording.default(rgba8(64, 64).with_flags(flags));
    let depth = recording.default(depth_stencil(64, 64));
    for (layout, legal_in) in [
        (Layout::Common, &[DIRECT, COMPUTE, COPY][..]),
        (Layout::Undefined, &[DIRECT, COMPUTE, COPY]),
        (Layout::GenericRead, &[DIRECT, COMPUTE]),
        (Layout::UnorderedAccess, &[DIRECT, COMPUTE]),
        (Layout::ShaderResource, &[DIRECT, COMPUTE]),
        (Layout::CopySource, &[DIRECT, COMPUTE]),
        (Layout::CopyDest, &[DIRECT, COMPUTE]),
        (Layout::RenderTarget, &[DIRECT]),
        (Layout::DepthStencilWrite, &[DIRECT]),
        (Layout::ResolveSource, &[DIRECT]),
        (Layout::ShadingRateSource, &[DIRECT]),
        (Layout::DirectQueueCommon, &[DIRECT]),
        (Layout::DirectQueueCopyDest, &[DIRECT]),
        (Layout::ComputeQueueCommon, &[COMPUTE]),
        (Layout::ComputeQueueUnorderedAccess, &[COMPUTE]),
        (Layout::VideoDecodeRead, &[]),
        (Layout::VideoQueueCommon, &[]),
    ] {
        for list_type in CommandListType::ALL {
            let resource = if layout == Layout::DepthStencilWrite { &depth } else { &image };
            let mut barrier = texture_barrier(resource);
            barrier.layout_after = layout;
            if layout == Layout::Undefined {
                barrier.access_after = Access::NO_ACCESS;
            }
            let call = |list: &mut CommandList| list.barrier(&[BarrierGroup::Texture(&[barrier])]);
            if legal_in.contains(list_type) {
                let mut list = recording.list(*list_type);
                call(&mut list).unwrap_or_else(|error| panic!("{layout} in {list_type}: {error}"));
                list.close().unwrap();
            } else {
                let given = format!("{layout} in a list of type {list_type}");
                recording.refuses_in(*list_type, &rules::LAYOUT_LIST_TYPE, &given, "queue", call);
            }
        }
    }
}

/// "Access Bits Barrier Sync Compatibility": a sync that makes the access, and one that does not.
#[test]
fn accesses_need_their_sync() {
    let recording = recording();
    for (access, made_by, not_made_by) in [
        (Access::VERTEX_BUFFER, Sync::VERTEX_SHADING, Sync::PIXEL_SHADING),
        (Access::CONSTANT_BUFFER, Sync::COMPUTE_SHADING, Sync::COPY),
        (Access::INDEX_BUFFER, Sync::INDEX_INPUT, Sync::VERTEX_SHADING),
        (Access::RENDER_TARGET, Sync::RENDER_TARGET, Sync::PIXEL_SHADING),
        (Access::UNORDERED_ACCESS, Sync::CLEAR_UNORDERED_ACCESS_VIEW, Sync::RESOLVE),
        (Access::DEPTH_STENCIL_WRITE, Sync::DEPTH_STENCIL, Sync::RENDER_TARGET),
        (Access::SHADER_RESOURCE, Sync::DRAW, Sync::EXECUTE_INDIRECT),
        (Access::STREAM_OUTPUT, Sync::VERTEX_SHADING, Sync::PIXEL_SHADING),
        (Access::INDIRECT_ARGUMENT, Sync::EXECUTE_INDIRECT, Sync::DRAW),
        (Access::COPY_DEST, Sync::COPY, Sync::ALL_SHADING),
        (Access::RESOLVE_SOURCE, Sync::RESOLVE, Sync::COPY),
        (Access::SHADING_RATE_SOURCE, Sync::PIXEL_SHADING, Sync::VERTEX_SHADING),
        (
            Access::RAYTRACING_ACCELERATION_STRUCTURE_WRITE,
            Sync::BUILD_RAYTRACING_ACCELERATION_STRUCTURE,
            Sync::EMIT_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO,
        ),
    ] {
        let barrier = |sync| GlobalBarrier {
            sync_before: sync,
            sync_after: Sync::ALL,
            access_before: access,
            access_after: access,
        };
        recording.command(|list| list.barrier(&[BarrierGroup::Global(&[barrier(made_by)])]));
        let call = |list: &mut CommandList| list.barrier(&[BarrierGroup::Global(&[barrier(not_made_by)])]);
        let (given, allowed) = (format!("{access} beside sync {not_made_by}"), made_by.to_string());
        recording.refuses(&rules::ACCESS_SYNC, &given, &allowed, call);
    }
}

/// "Layout Access Compatibility".
#[test]
fn accesses_need_their_layout() {
    let recording = recording();
    let all = ResourceFlags::ALLOW_RENDER_TARGET | ResourceFlags::ALLOW_UNORDERED_ACCESS;
    let image = recording.default(rgba8(64, 64).with_flags(all));
    let depth = recording.default(depth_stencil(64, 64));
    let shared = recording.default(rgba8(64, 64).with_flags(all | ResourceFlags::ALLOW_SIMULTANEOUS_ACCESS));
    for (resource, layout, legal, illegal) in [
        (&image, Layout::Common, Access::COPY_DEST | Access::SHADER_RESOURCE, Access::RENDER_TARGET),
        (&image, Layout::GenericRead, Access::COPY_SOURCE, Access::COPY_DEST),
        (&image, Layout::RenderTarget, Access::RENDER_TARGET, Access::SHADER_RESOURCE),
        (&image, Layout::DirectQueueCommon, Access::UNORDERED_ACCESS, Access::RENDER_TARGET),
        (&image, Layout::DirectQueueGenericRead, Access::RESOLVE_SOURCE, Access::UNORDERED_ACCESS),
        (&depth, Layout::DepthStencilWrite, Access::DEPTH_STENCIL_READ, Access::SHADER_RESOURCE),
        (&depth, Layout::DepthStencilRead, Access::DEPTH_STENCIL_READ, Access::DEPTH_STENCIL_WRITE),
        (&shared, Layout::Common, Access::RENDER_TARGET, Access::SHADING_RATE_SOURCE),
    ] {
        let mut barrier = texture_barrier(resource);
        (barrier.layout_after, barrier.access_after) = (layout, legal);
        recording.command(|list| list.barrier(&[BarrierGroup::Texture(&[barrier])]));
        barrier.access_after = illegal;
        let call = |list: &mut CommandList| list.barrier(&[BarrierGroup::Texture(&[barrier])]);
        recording.refuses(&rules::ACCESS_LAYOUT, &format!("{illegal} in layout {layout}"), "", call);
    }
}

/// facts/behaviour.md, Barriers: NumArraySlices 0 means 1, NumMipLevels 0 a subresource index, 0xFFFFFFFF all.
#[test]
fn ranges_of_subresources() {
    let recording = recording();
    let flags = ResourceFlags::ALLOW_DEPTH_STENCIL;
    let desc = ResourceDesc::texture_2d(Format::D24_UNORM_S8_UINT, 64, 64).with_flags(flags);
    // 3 mips, 4 slices, 2 planes.
    let image = recording.default(desc.with_mip_levels(3).with_array_size(4));
    let range = |numbers: [u32; 6]| BarrierSubresourceRange {
        index_or_first_mip_level: numbers[0],
        num_mip_levels: numbers[1],
        first_array_slice: numbers[2],
        num_array_slices: numbers[3],
        first_plane: numbers[4],
        num_planes: numbers[5],
    };
    let barrier = |numbers| {
        let mut barrier = texture_barrier(&image);
        barrier.subresources = range(numbers);
        barrier
    };
    for legal in [
        [u32::MAX, 0, 9, 9, 9, 9],
        [23, 0, 9, 9, 9, 9],
        [0, 3, 0, 4, 0, 2],
        [2, 1, 3, 0, 1, 0],
        [1, 2, 3, 1, 1, 1],
    ] {
        recording.command(|list| list.barrier(&[BarrierGroup::Texture(&[barrier(legal)])]));
    }
    for (illegal, given, allowed) in [
        ([24, 0, 0, 0, 0, 0], "24", "0 to 23"),
        ([0, 4, 0, 1, 0, 1], "4 mips from 0", "3 mips"),
        ([3, 1, 0, 1, 0, 1], "1 mips from 3", "3 mips"),
        ([0, 1, 4, 0, 0, 1], "1 slices from 4", "4 slices"),
        ([0, 1, u32::MAX, u32::MAX, 0, 1], "slices from 4294967295", "4 slices"),
        ([0, 1, 0, 1, 1, 2], "2 planes from 1", "2 planes"),
    ] {
        let barrier = barrier(illegal);
        let call = |list: &mut CommandList| list.barrier(&[BarrierGroup::Texture(&[barrier])]);
        recording.refuses(&rules::SUBRESOURCES, given, allowed, call);
    }
}

#[test]
fn every_rule_of_barriers_is_broken() {
    let recording = recording();
    legacy_rules(&recording);
    enhanced_rules(&recording);
    for rule in [
        &rules::STATE_LIST_TYPE,
        &rules::LAYOUT_LIST_TYPE,
        &rules::ACCESS_SYNC,
        &rules::ACCESS_LAYOUT,
        &rules::SUBRESOURCES,
    ] {
        // By the tests above.
        recording.broke(rule);
    }
    let old = Recording::on(device("discrete-tier1-2g"));
    old.refuses(&rules::ENHANCED_UNSUPPORTED, "discrete-tier1-2g", "EnhancedBarriersSupported", |list| {
        list.barrier(&[])
    });
    recording.broke(&rules::ENHANCED_UNSUPPORTED);
    recording.broke_all(rules::ALL, &[]);
}

fn legacy_rules(recording: &Recording) {
    let image = recording.default(rgba8(64, 64).with_mip_levels(2));
    let target = recording.default(render_target(64, 64));
    let denied = ResourceFlags::ALLOW_DEPTH_STENCIL | ResourceFlags::DENY_SHADER_RESOURCE;
    let depth = ResourceDesc::texture_2d(Format::D32_FLOAT, 64, 64).with_flags(denied);
    let depth = recording.default(depth);
    let buffer =
        recording.default(ResourceDesc::buffer(64).with_flags(ResourceFlags::ALLOW_UNORDERED_ACCESS));
    let upload = recording.buffer(HeapType::Upload, 64);
    let readback = recording.buffer(HeapType::Readback, 64);
    let refuses = |rule: &'static Rule, given: &str, allowed: &str, barrier: ResourceBarrier<'_>| {
        recording.refuses(rule, given, allowed, legacy(&[barrier]))
    };
    let to = |resource, after| ResourceBarrier::transition(resource, States::COMMON, after);

    let part = ResourceBarrier::Transition {
        resource: &image,
        subresource: 2,
        before: States::COMMON,
        after: States::COPY_DEST,
        flags: ResourceBarrierFlags::empty(),
    };
    refuses(&rules::TRANSITION_SUBRESOURCE, "2", "0 to 1, or all", part);
    let same = ResourceBarrier::transition(&image, States::COPY_DEST, States::COPY_DEST);
    refuses(&rules::TRANSITION_SAME, "COPY_DEST twice", "two states", same);
    let unknown = States::from_bits_retain(0x1000_0000);
    refuses(&rules::STATE_UNRECOGNIZED, "0x10000000", "bits of", to(&image, unknown));
    let two = States::COPY_DEST | States::COPY_SOURCE;
    refuses(&rules::STATE_EXCLUSIVE, "COPY_DEST", "COPY_DEST alone", to(&image, two));
    refuses(
        &rules::STATE_DIMENSION,
        "INDEX_BUFFER for TEXTURE2D",
        "textures",
        to(&image, States::INDEX_BUFFER),
    );
    refuses(&rules::STATE_DIMENSION, "RESOLVE_DEST for BUFFER", "buffers", to(&buffer, States::RESOLVE_DEST));
    for (resource, state, flag) in [
        (&image, States::RENDER_TARGET, "ALLOW_RENDER_TARGET"),
        (&image, States::UNORDERED_ACCESS, "ALLOW_UNORDERED_ACCESS"),
        (&target, States::DEPTH_READ, "ALLOW_DEPTH_STENCIL"),
    ] {
        refuses(&rules::STATE_FLAGS, &state.to_string(), flag, to(resource, state));
    }
    let read = States::PIXEL_SHADER_RESOURCE | States::DEPTH_READ;
    refuses(&rules::STATE_DENIED, "PIXEL_SHADER_RESOURCE", "DENY_SHADER_RESOURCE", to(&depth, read));
    let structure = States::RAYTRACING_ACCELERATION_STRUCTURE;
    refuses(&rules::STATE_ACCELERATION_STRUCTURE, "RAYTRACING", "another", to(&buffer, structure));
    let from = ResourceBarrier::transition(&buffer, structure, States::COMMON);
    refuses(&rules::STATE_ACCELERATION_STRUCTURE, "RAYTRACING", "another", from);
    refuses(&rules::STATE_HEAP, "UPLOAD", "another type", to(&upload, States::COPY_SOURCE));
    let from = ResourceBarrier::transition(&readback, States::COPY_DEST, States::COMMON);
    refuses(&rules::STATE_HEAP, "READBACK", "another type", from);
    let both = ResourceBarrierFlags::all();
    let split = ResourceBarrier::Transition {
        resource: &image,
        subresource: ALL_SUBRESOURCES,
        before: States::COMMON,
        after: States::COPY_DEST,
        flags: both,
    };
    refuses(&rules::FLAGS, "BEGIN_ONLY | END_ONLY", "NONE, BEGIN_ONLY, END_ONLY", split);
    let unknown = ResourceBarrier::Uav { resource: None, flags: ResourceBarrierFlags::from_bits_retain(4) };
    refuses(&rules::FLAGS, "0x4", "NONE", unknown);
    refuses(&rules::UAV_FLAGS, "NONE", "ALLOW_UNORDERED_ACCESS", ResourceBarrier::uav(Some(&image)));
    for barrier in
        [ResourceBarrier::aliasing(Some(&image), None), ResourceBarrier::aliasing(None, Some(&image))]
    {
        refuses(&rules::ALIASING_RESOURCE, "committed", "placed or reserved", barrier);
    }
    // A call is refused whole: nothing of it is recorded.
    let good = to(&image, States::COPY_DEST);
    recording.refuses(&rules::TRANSITION_SAME, "twice", "", legacy(&[good, same]));
}

fn enhanced_rules(recording: &Recording) {
    let image = recording.default(rgba8(64, 64));
    let buffer = recording.buffer(HeapType::Default, 1000);
    let upload = recording.buffer(HeapType::Upload, 1000);
    let readback = recording.buffer(HeapType::Readback, 1000);
    let shared = rgba8(64, 64).with_flags(ResourceFlags::ALLOW_SIMULTANEOUS_ACCESS);
    let shared = recording.default(shared);
    let global = GlobalBarrier {
        sync_before: Sync::ALL,
        sync_after: Sync::ALL,
        access_before: Access::empty(),
        access_after: Access::empty(),
    };
    let of_buffer = |resource| BufferBarrier {
        sync_before: Sync::ALL,
        sync_after: Sync::ALL,
        access_before: Access::empty(),
        access_after: Access::empty(),
        resource,
        offset: 0,
        size: u64::MAX,
    };
    let globals = |list_type, rule, given: &str, allowed: &str, barrier: GlobalBarrier| {
        let call = |list: &mut CommandList| list.barrier(&[BarrierGroup::Global(&[barrier])]);
        recording.refuses_in(list_type, rule, given, allowed, call);
    };
    let buffers = |rule, given: &str, allowed: &str, barrier: BufferBarrier<'_>| {
        let call = |list: &mut CommandList| list.barrier(&[BarrierGroup::Buffer(&[barrier])]);
        recording.refuses(rule, given, allowed, call);
    };
    let textures = |rule, given: &str, allowed: &str, barrier: heapstone::TextureBarrier<'_>| {
        let call = |list: &mut CommandList| list.barrier(&[BarrierGroup::Texture(&[barrier])]);
        recording.refuses(rule, given, allowed, call);
    };

    textures(&rules::ENHANCED_TYPE, "a buffer", "a texture", texture_barrier(&buffer));
    buffers(&rules::ENHANCED_TYPE, "TEXTURE2D", "a buffer", of_buffer(&image));
    let unknown = GlobalBarrier { sync_after: Sync::from_bits_retain(0x10_000), ..global };
    globals(DIRECT, &rules::ENHANCED_UNRECOGNIZED, "0x10000", "bits of", unknown);
    let unknown = GlobalBarrier { access_after: Access::from_bits_retain(0x4000_0000), ..global };
    globals(DIRECT, &rules::ENHANCED_UNRECOGNIZED, "0x40000000", "bits of", unknown);
    let mut unknown = texture_barrier(&image);
    unknown.flags = TextureBarrierFlags::from_bits_retain(2);
    textures(&rules::ENHANCED_UNRECOGNIZED, "0x2", "0x1", unknown);

    let mixed = Access::NO_ACCESS | Access::COPY_DEST;
    globals(
        DIRECT,
        &rules::NO_ACCESS,
        "COPY_DEST",
        "NO_ACCESS alone",
        GlobalBarrier { access_before: mixed, ..global },
    );
    globals(
        DIRECT,
        &rules::NO_ACCESS,
        "COMMON beside sync NONE",
        "NO_ACCESS",
        GlobalBarrier { sync_before: Sync::empty(), ..global },
    );
    globals(
        COPY,
        &rules::SYNC_LIST_TYPE,
        "DRAW in a list of type COPY",
        "ALL | COPY | SPLIT",
        GlobalBarrier { sync_before: Sync::DRAW, ..global },
    );
    globals(
        COMPUTE,
        &rules::ACCESS_LIST_TYPE,
        "RENDER_TARGET",
        "UNORDERED_ACCESS",
        GlobalBarrier { access_before: Access::RENDER_TARGET, ..global },
    );
    globals(
        DIRECT,
        &rules::SYNC_SPLIT,
        "SPLIT",
        "no SPLIT in a global",
        GlobalBarrier { sync_after: Sync::SPLIT, ..global },
    );
    let split = Sync::SPLIT | Sync::COPY;
    buffers(
        &rules::SYNC_SPLIT,
        "COPY",
        "SPLIT alone",
        BufferBarrier { sync_after: split, ..of_buffer(&buffer) },
    );
    let twice = BufferBarrier { sync_before: Sync::SPLIT, sync_after: Sync::SPLIT, ..of_buffer(&buffer) };
    buffers(&rules::SYNC_SPLIT, "both sides", "one side", twice);

    for (resource, access, given) in [
        (&buffer, Access::DEPTH_STENCIL_READ, "DEPTH_STENCIL_READ for a BUFFER"),
        (&buffer, Access::UNORDERED_ACCESS, "UNORDERED_ACCESS for a BUFFER"),
        (&upload, Access::COPY_DEST, "COPY_DEST for a BUFFER"),
        (&readback, Access::COPY_SOURCE, "COPY_SOURCE for a BUFFER"),
    ] {
        let barrier = BufferBarrier { access_after: access, ..of_buffer(resource) };
        buffers(&rules::ACCESS_RESOURCE, given, "", barrier);
    }
    let mut vertices = texture_barrier(&image);
    vertices.access_after = Access::VERTEX_BUFFER;
    textures(&rules::ACCESS_RESOURCE, "VERTEX_BUFFER for a TEXTURE2D", "", vertices);

    let mut undefined = texture_barrier(&image);
    undefined.layout_before = Layout::Undefined;
    textures(&rules::LAYOUT_UNDEFINED, "COMMON beside layout UNDEFINED", "NO_ACCESS", undefined);
    (undefined.layout_after, undefined.access_after) = (Layout::Undefined, Access::COPY_DEST);
    recording.command(|list| list.barrier(&[BarrierGroup::Texture(&[undefined])]));

    for (resource, layout, allowed) in [
        (&image, Layout::RenderTarget, "ALLOW_RENDER_TARGET"),
        (&image, Layout::DepthStencilRead, "ALLOW_DEPTH_STENCIL"),
        (&shared, Layout::ShaderResource, "COMMON"),
    ] {
        let mut barrier = texture_barrier(resource);
        barrier.layout_after = layout;
        textures(&rules::LAYOUT_RESOURCE, layout.name(), allowed, barrier);
    }
    for (offset, size) in [(4, u64::MAX), (0, 999), (0, 1001), (1 << 63, 1000)] {
        let barrier = BufferBarrier { offset, size, ..of_buffer(&buffer) };
        buffers(&rules::BUFFER_RANGE, &format!("{size} bytes at {offset}"), "1000 or", barrier);
    }
    let mut discard = texture_barrier(&image);
    discard.flags = TextureBarrierFlags::DISCARD;
    textures(&rules::DISCARD, "DISCARD from layout COMMON", "UNDEFINED", discard);
}
