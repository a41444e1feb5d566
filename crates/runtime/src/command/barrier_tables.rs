//! What goes with what in enhanced barriers: Microsoft's public enhanced-barriers specification as data.

use heapstone_spec::BarrierLayout;
use heapstone_spec::commands::{BarrierAccess, BarrierSync, CommandListType};

/// Work of shaders of any stage. Ray tracing and NON_PIXEL_SHADING are among it, though the lists of some
/// accesses leave them out (chosen: their scopes run shaders, which make those accesses).
const SHADING: BarrierSync = BarrierSync::ALL
    .union(BarrierSync::DRAW)
    .union(BarrierSync::VERTEX_SHADING)
    .union(BarrierSync::PIXEL_SHADING)
    .union(BarrierSync::COMPUTE_SHADING)
    .union(BarrierSync::RAYTRACING)
    .union(BarrierSync::ALL_SHADING)
    .union(BarrierSync::NON_PIXEL_SHADING);

/// Work of the stages before the rasterizer.
const VERTEX: BarrierSync = BarrierSync::ALL
    .union(BarrierSync::DRAW)
    .union(BarrierSync::VERTEX_SHADING)
    .union(BarrierSync::ALL_SHADING)
    .union(BarrierSync::NON_PIXEL_SHADING);

const DEPTH: BarrierSync = BarrierSync::ALL.union(BarrierSync::DRAW).union(BarrierSync::DEPTH_STENCIL);
const COPY: BarrierSync = BarrierSync::ALL.union(BarrierSync::COPY);
const RESOLVE: BarrierSync = BarrierSync::ALL.union(BarrierSync::RESOLVE);

const BUILD: BarrierSync = BarrierSync::ALL
    .union(BarrierSync::COMPUTE_SHADING)
    .union(BarrierSync::RAYTRACING)
    .union(BarrierSync::ALL_SHADING)
    .union(BarrierSync::NON_PIXEL_SHADING)
    .union(BarrierSync::BUILD_RAYTRACING_ACCELERATION_STRUCTURE)
    .union(BarrierSync::COPY_RAYTRACING_ACCELERATION_STRUCTURE);

/// Each access, and the sync of which one at least stands beside it ("Access Bits Barrier Sync
/// Compatibility").
pub(super) const SYNC_OF_ACCESS: &[(BarrierAccess, BarrierSync)] = &[
    (BarrierAccess::VERTEX_BUFFER, VERTEX),
    (BarrierAccess::CONSTANT_BUFFER, SHADING),
    (BarrierAccess::INDEX_BUFFER, BarrierSync::ALL.union(BarrierSync::INDEX_INPUT).union(BarrierSync::DRAW)),
    (
        BarrierAccess::RENDER_TARGET,
        BarrierSync::ALL.union(BarrierSync::DRAW).union(BarrierSync::RENDER_TARGET),
    ),
    (BarrierAccess::UNORDERED_ACCESS, SHADING.union(BarrierSync::CLEAR_UNORDERED_ACCESS_VIEW)),
    (BarrierAccess::DEPTH_STENCIL_WRITE, DEPTH),
    (BarrierAccess::DEPTH_STENCIL_READ, DEPTH),
    (BarrierAccess::SHADER_RESOURCE, SHADING),
    (BarrierAccess::STREAM_OUTPUT, VERTEX),
    (BarrierAccess::INDIRECT_ARGUMENT, BarrierSync::ALL.union(BarrierSync::EXECUTE_INDIRECT)),
    (BarrierAccess::COPY_DEST, COPY),
    (BarrierAccess::COPY_SOURCE, COPY),
    (BarrierAccess::RESOLVE_DEST, RESOLVE),
    (BarrierAccess::RESOLVE_SOURCE, RESOLVE),
    (
        BarrierAccess::RAYTRACING_ACCELERATION_STRUCTURE_READ,
        BUILD.union(BarrierSync::EMIT_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO),
    ),
    (BarrierAccess::RAYTRACING_ACCELERATION_STRUCTURE_WRITE, BUILD),
    (
        BarrierAccess::SHADING_RATE_SOURCE,
        BarrierSync::ALL.union(BarrierSync::PIXEL_SHADING).union(BarrierSync::ALL_SHADING),
    ),
    (BarrierAccess::VIDEO_DECODE_READ, BarrierSync::ALL.union(BarrierSync::VIDEO_DECODE)),
    (BarrierAccess::VIDEO_DECODE_WRITE, BarrierSync::ALL.union(BarrierSync::VIDEO_DECODE)),
    (BarrierAccess::VIDEO_PROCESS_READ, BarrierSync::ALL.union(BarrierSync::VIDEO_PROCESS)),
    (BarrierAccess::VIDEO_PROCESS_WRITE, BarrierSync::ALL.union(BarrierSync::VIDEO_PROCESS)),
    (BarrierAccess::VIDEO_ENCODE_READ, BarrierSync::ALL.union(BarrierSync::VIDEO_ENCODE)),
    (BarrierAccess::VIDEO_ENCODE_WRITE, BarrierSync::ALL.union(BarrierSync::VIDEO_ENCODE)),
];

const SHARED: BarrierAccess = BarrierAccess::SHADER_RESOURCE.union(BarrierAccess::COPY_SOURCE);
const COMMON: BarrierAccess = SHARED.union(BarrierAccess::COPY_DEST);

/// What a simultaneous-access texture allows in COMMON beyond other textures ("COMMON Layout").
pub(super) const SIMULTANEOUS: BarrierAccess = COMMON
    .union(BarrierAccess::RENDER_TARGET)
    .union(BarrierAccess::UNORDERED_ACCESS)
    .union(BarrierAccess::RESOLVE_DEST)
    .union(BarrierAccess::RESOLVE_SOURCE);

/// The accesses of a texture in `layout` ("Layout Access Compatibility"); of UNDEFINED none.
pub(super) const fn access_of_layout(layout: BarrierLayout) -> BarrierAccess {
    use BarrierLayout as L;
    match layout {
        L::Undefined => BarrierAccess::empty(),
        L::Common => COMMON,
        L::DirectQueueCommon | L::ComputeQueueCommon => COMMON.union(BarrierAccess::UNORDERED_ACCESS),
        L::VideoQueueCommon => BarrierAccess::COPY_SOURCE.union(BarrierAccess::COPY_DEST),
        L::GenericRead | L::ComputeQueueGenericRead => SHARED,
        L::DirectQueueGenericRead => SHARED
            .union(BarrierAccess::DEPTH_STENCIL_READ)
            .union(BarrierAccess::SHADING_RATE_SOURCE)
            .union(BarrierAccess::RESOLVE_SOURCE),
        L::RenderTarget => BarrierAccess::RENDER_TARGET,
        L::UnorderedAccess | L::DirectQueueUnorderedAccess | L::ComputeQueueUnorderedAccess => {
            BarrierAccess::UNORDERED_ACCESS
        }
        L::DepthStencilWrite => BarrierAccess::DEPTH_STENCIL_READ.union(BarrierAccess::DEPTH_STENCIL_WRITE),
        L::DepthStencilRead => BarrierAccess::DEPTH_STENCIL_READ,
        L::ShaderResource | L::DirectQueueShaderResource | L::ComputeQueueShaderResource => {
            BarrierAccess::SHADER_RESOURCE
        }
        L::CopySource | L::DirectQueueCopySource | L::ComputeQueueCopySource => BarrierAccess::COPY_SOURCE,
        L::CopyDest | L::DirectQueueCopyDest | L::ComputeQueueCopyDest => BarrierAccess::COPY_DEST,
        L::ResolveSource => BarrierAccess::RESOLVE_SOURCE,
        L::ResolveDest => BarrierAccess::RESOLVE_DEST,
        L::ShadingRateSource => BarrierAccess::SHADING_RATE_SOURCE,
        L::VideoDecodeRead => BarrierAccess::VIDEO_DECODE_READ,
        L::VideoDecodeWrite => BarrierAccess::VIDEO_DECODE_WRITE,
        L::VideoProcessRead => BarrierAccess::VIDEO_PROCESS_READ,
        L::VideoProcessWrite => BarrierAccess::VIDEO_PROCESS_WRITE,
        L::VideoEncodeRead => BarrierAccess::VIDEO_ENCODE_READ,
        L::VideoEncodeWrite => BarrierAccess::VIDEO_ENCODE_WRITE,
    }
}

/// Whether a list of that type has the layout in its barriers ("Command Queue Layout Compatibility", and what
/// each queue's own layouts say of themselves). UNDEFINED is every queue's.
pub(super) const fn has_layout(list_type: CommandListType, layout: BarrierLayout) -> bool {
    use BarrierLayout as L;
    match layout {
        L::Undefined | L::Common => true,
        L::GenericRead | L::UnorderedAccess | L::ShaderResource | L::CopySource | L::CopyDest => {
            !matches!(list_type, CommandListType::Copy)
        }
        L::RenderTarget
        | L::DepthStencilWrite
        | L::DepthStencilRead
        | L::ResolveSource
        | L::ResolveDest
        | L::ShadingRateSource
        | L::DirectQueueCommon
        | L::DirectQueueGenericRead
        | L::DirectQueueUnorderedAccess
        | L::DirectQueueShaderResource
        | L::DirectQueueCopySource
        | L::DirectQueueCopyDest => matches!(list_type, CommandListType::Direct),
        L::ComputeQueueCommon
        | L::ComputeQueueGenericRead
        | L::ComputeQueueUnorderedAccess
        | L::ComputeQueueShaderResource
        | L::ComputeQueueCopySource
        | L::ComputeQueueCopyDest => matches!(list_type, CommandListType::Compute),
        L::VideoDecodeRead
        | L::VideoDecodeWrite
        | L::VideoProcessRead
        | L::VideoProcessWrite
        | L::VideoEncodeRead
        | L::VideoEncodeWrite
        | L::VideoQueueCommon => false,
    }
}

const VIDEO_ACCESS: BarrierAccess = BarrierAccess::VIDEO_DECODE_READ
    .union(BarrierAccess::VIDEO_DECODE_WRITE)
    .union(BarrierAccess::VIDEO_PROCESS_READ)
    .union(BarrierAccess::VIDEO_PROCESS_WRITE)
    .union(BarrierAccess::VIDEO_ENCODE_READ)
    .union(BarrierAccess::VIDEO_ENCODE_WRITE);

/// The accesses that a type of queue makes ("Command Queue Access Compatibility").
pub(super) const fn access_of_list(list_type: CommandListType) -> BarrierAccess {
    let access = match list_type {
        CommandListType::Direct => BarrierAccess::all().difference(VIDEO_ACCESS),
        CommandListType::Compute => COMMON
            .union(BarrierAccess::VERTEX_BUFFER)
            .union(BarrierAccess::CONSTANT_BUFFER)
            .union(BarrierAccess::UNORDERED_ACCESS)
            .union(BarrierAccess::INDIRECT_ARGUMENT)
            .union(BarrierAccess::RAYTRACING_ACCELERATION_STRUCTURE_READ)
            .union(BarrierAccess::RAYTRACING_ACCELERATION_STRUCTURE_WRITE),
        CommandListType::Copy => BarrierAccess::COPY_DEST.union(BarrierAccess::COPY_SOURCE),
    };
    access.union(BarrierAccess::NO_ACCESS)
}

/// The work that a type of queue does ("Command Queue Sync Compatibility").
pub(super) const fn sync_of_list(list_type: CommandListType) -> BarrierSync {
    let sync = match list_type {
        CommandListType::Direct => BarrierSync::all()
            .difference(BarrierSync::VIDEO_DECODE)
            .difference(BarrierSync::VIDEO_PROCESS)
            .difference(BarrierSync::VIDEO_ENCODE),
        CommandListType::Compute => BarrierSync::COMPUTE_SHADING
            .union(BarrierSync::RAYTRACING)
            .union(BarrierSync::COPY)
            .union(BarrierSync::EXECUTE_INDIRECT)
            .union(BarrierSync::ALL_SHADING)
            .union(BarrierSync::NON_PIXEL_SHADING)
            .union(BarrierSync::BUILD_RAYTRACING_ACCELERATION_STRUCTURE)
            .union(BarrierSync::COPY_RAYTRACING_ACCELERATION_STRUCTURE)
            .union(BarrierSync::EMIT_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO)
            .union(BarrierSync::CLEAR_UNORDERED_ACCESS_VIEW),
        CommandListType::Copy => BarrierSync::COPY,
    };
    sync.union(BarrierSync::ALL).union(BarrierSync::SPLIT)
}

/// Accesses of buffers; NO_ACCESS is every resource's.
pub(super) const BUFFER_ACCESS: BarrierAccess = COMMON
    .union(BarrierAccess::VERTEX_BUFFER)
    .union(BarrierAccess::CONSTANT_BUFFER)
    .union(BarrierAccess::INDEX_BUFFER)
    .union(BarrierAccess::RENDER_TARGET)
    .union(BarrierAccess::UNORDERED_ACCESS)
    .union(BarrierAccess::STREAM_OUTPUT)
    .union(BarrierAccess::INDIRECT_ARGUMENT)
    .union(BarrierAccess::RESOLVE_DEST)
    .union(BarrierAccess::RESOLVE_SOURCE)
    .union(BarrierAccess::RAYTRACING_ACCELERATION_STRUCTURE_READ)
    .union(BarrierAccess::RAYTRACING_ACCELERATION_STRUCTURE_WRITE)
    .union(BarrierAccess::VIDEO_DECODE_READ)
    .union(BarrierAccess::VIDEO_DECODE_WRITE)
    .union(BarrierAccess::VIDEO_ENCODE_READ)
    .union(BarrierAccess::VIDEO_ENCODE_WRITE)
    .union(BarrierAccess::NO_ACCESS);

/// Accesses of textures.
pub(super) const TEXTURE_ACCESS: BarrierAccess = BarrierAccess::all()
    .difference(BarrierAccess::VERTEX_BUFFER)
    .difference(BarrierAccess::CONSTANT_BUFFER)
    .difference(BarrierAccess::INDEX_BUFFER)
    .difference(BarrierAccess::STREAM_OUTPUT)
    .difference(BarrierAccess::INDIRECT_ARGUMENT)
    .difference(BarrierAccess::RAYTRACING_ACCELERATION_STRUCTURE_READ)
    .difference(BarrierAccess::RAYTRACING_ACCELERATION_STRUCTURE_WRITE);

/// "Upload Heap Resources".
pub(super) const UPLOAD_ACCESS: BarrierAccess = SHARED
    .union(BarrierAccess::VERTEX_BUFFER)
    .union(BarrierAccess::CONSTANT_BUFFER)
    .union(BarrierAccess::INDEX_BUFFER)
    .union(BarrierAccess::INDIRECT_ARGUMENT)
    .union(BarrierAccess::RESOLVE_SOURCE)
    .union(BarrierAccess::NO_ACCESS);

/// "Readback Heap Resources".
pub(super) const READBACK_ACCESS: BarrierAccess =
    BarrierAccess::COPY_DEST.union(BarrierAccess::RESOLVE_DEST).union(BarrierAccess::NO_ACCESS);
