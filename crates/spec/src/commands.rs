//! Command lists and what is recorded in them: D3D12's words.
//!
//! Source of names and numbers: Microsoft's public documentation of D3D12 (`d3d12.h`); barriers beside
//! it spec/2-resource-heaps.txt 952-1028 (COMMON and initial states).

use bitflags::bitflags;

use crate::enums::d3d12_enum;
use crate::flags::flag_text;

d3d12_enum! {
    /// D3D12_COMMAND_LIST_TYPE, as far as memory is concerned: what a list may hold, and which engine
    /// runs it.
    CommandListType as "D3D12_COMMAND_LIST_TYPE" {
        /// Everything.
        Direct = 0, "DIRECT";
        /// No graphics: no clears of render targets and depth-stencils, no resolves.
        Compute = 2, "COMPUTE";
        /// Copies only.
        Copy = 3, "COPY";
    }
}

bitflags! {
    /// D3D12_COMMAND_LIST_SUPPORT_FLAGS: types of command lists, a bit at the type's number.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct CommandListSupportFlags: u32 {
        /// Direct lists.
        const DIRECT = 0x1;
        /// Bundles.
        const BUNDLE = 0x2;
        /// Compute lists.
        const COMPUTE = 0x4;
        /// Copy lists.
        const COPY = 0x8;
        /// Lists that decode video.
        const VIDEO_DECODE = 0x10;
        /// Lists that process video.
        const VIDEO_PROCESS = 0x20;
        /// Lists that encode video.
        const VIDEO_ENCODE = 0x40;
    }
}

impl CommandListSupportFlags {
    /// The bit of a type of lists.
    #[must_use]
    pub const fn of(list_type: CommandListType) -> CommandListSupportFlags {
        match list_type {
            CommandListType::Direct => CommandListSupportFlags::DIRECT,
            CommandListType::Compute => CommandListSupportFlags::COMPUTE,
            CommandListType::Copy => CommandListSupportFlags::COPY,
        }
    }
}

d3d12_enum! {
    /// D3D12_COMMAND_QUEUE_PRIORITY.
    CommandQueuePriority as "D3D12_COMMAND_QUEUE_PRIORITY" {
        /// As most.
        Normal = 0, "NORMAL";
        /// Before those of normal priority.
        High = 100, "HIGH";
        /// Before all others of the system.
        GlobalRealtime = 10000, "GLOBAL_REALTIME";
    }
}

d3d12_enum! {
    /// D3D12_RESOLVE_MODE.
    ResolveMode as "D3D12_RESOLVE_MODE" {
        /// Samples are expanded where the hardware keeps them compressed: a copy.
        Decompress = 0, "DECOMPRESS";
        /// The least of the samples, component by component.
        Min = 1, "MIN";
        /// The greatest.
        Max = 2, "MAX";
        /// Their mean.
        Average = 3, "AVERAGE";
    }
}

d3d12_enum! {
    /// D3D12_PREDICATION_OP: when the predicated commands are left out.
    PredicationOp as "D3D12_PREDICATION_OP" {
        /// Where the 64-bit value is 0.
        EqualZero = 0, "EQUAL_ZERO";
        /// Where it is not.
        NotEqualZero = 1, "NOT_EQUAL_ZERO";
    }
}

d3d12_enum! {
    /// D3D12_WRITEBUFFERIMMEDIATE_MODE: what the write waits for.
    WriteBufferImmediateMode as "D3D12_WRITEBUFFERIMMEDIATE_MODE" {
        /// As any other write of the list.
        Default = 0, "DEFAULT";
        /// Written once the commands before have begun.
        MarkerIn = 1, "MARKER_IN";
        /// Written once the commands before have ended.
        MarkerOut = 2, "MARKER_OUT";
    }
}

bitflags! {
    /// D3D12_RESOURCE_BARRIER_FLAGS: halves of a split barrier.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct ResourceBarrierFlags: u32 {
        /// The transition begins.
        const BEGIN_ONLY = 0x1;
        /// The transition ends.
        const END_ONLY = 0x2;
    }
}

bitflags! {
    /// D3D12_FENCE_FLAGS.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct FenceFlags: u32 {
        /// Other devices may open it.
        const SHARED = 0x1;
        /// Devices of other adapters may.
        const SHARED_CROSS_ADAPTER = 0x2;
        /// It works on devices without hardware fences too.
        const NON_MONITORED = 0x4;
    }
}

bitflags! {
    /// D3D12_BARRIER_SYNC: the work that a barrier waits for, or that waits for it.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct BarrierSync: u32 {
        /// Everything.
        const ALL = 0x1;
        /// All draws.
        const DRAW = 0x2;
        /// Reads of indices.
        const INDEX_INPUT = 0x4;
        /// Vertex shading.
        const VERTEX_SHADING = 0x8;
        /// Pixel shading.
        const PIXEL_SHADING = 0x10;
        /// Depth and stencil.
        const DEPTH_STENCIL = 0x20;
        /// Render targets.
        const RENDER_TARGET = 0x40;
        /// Compute shading.
        const COMPUTE_SHADING = 0x80;
        /// Ray tracing.
        const RAYTRACING = 0x100;
        /// Copies.
        const COPY = 0x200;
        /// Resolves.
        const RESOLVE = 0x400;
        /// Arguments of ExecuteIndirect, and predication.
        const EXECUTE_INDIRECT = 0x800;
        /// All shading.
        const ALL_SHADING = 0x1000;
        /// Shading but of pixels.
        const NON_PIXEL_SHADING = 0x2000;
        /// EmitRaytracingAccelerationStructurePostbuildInfo.
        const EMIT_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO = 0x4000;
        /// ClearUnorderedAccessView.
        const CLEAR_UNORDERED_ACCESS_VIEW = 0x8000;
        /// Video decoding.
        const VIDEO_DECODE = 0x10_0000;
        /// Video processing.
        const VIDEO_PROCESS = 0x20_0000;
        /// Video encoding.
        const VIDEO_ENCODE = 0x40_0000;
        /// Builds of acceleration structures.
        const BUILD_RAYTRACING_ACCELERATION_STRUCTURE = 0x80_0000;
        /// Copies of acceleration structures.
        const COPY_RAYTRACING_ACCELERATION_STRUCTURE = 0x100_0000;
        /// Half of a split barrier.
        const SPLIT = 0x8000_0000;
    }
}

bitflags! {
    /// D3D12_BARRIER_ACCESS: how the bytes are accessed. Empty is D3D12_BARRIER_ACCESS_COMMON.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct BarrierAccess: u32 {
        /// As vertices.
        const VERTEX_BUFFER = 0x1;
        /// As constants.
        const CONSTANT_BUFFER = 0x2;
        /// As indices.
        const INDEX_BUFFER = 0x4;
        /// As a render target.
        const RENDER_TARGET = 0x8;
        /// Through unordered-access views.
        const UNORDERED_ACCESS = 0x10;
        /// Depth and stencil, written.
        const DEPTH_STENCIL_WRITE = 0x20;
        /// Depth and stencil, read.
        const DEPTH_STENCIL_READ = 0x40;
        /// Through shader-resource views.
        const SHADER_RESOURCE = 0x80;
        /// As stream output.
        const STREAM_OUTPUT = 0x100;
        /// As arguments of ExecuteIndirect, or a predicate.
        const INDIRECT_ARGUMENT = 0x200;
        /// As the destination of copies.
        const COPY_DEST = 0x400;
        /// As the source of copies.
        const COPY_SOURCE = 0x800;
        /// As the destination of resolves.
        const RESOLVE_DEST = 0x1000;
        /// As the source of resolves.
        const RESOLVE_SOURCE = 0x2000;
        /// As an acceleration structure, read.
        const RAYTRACING_ACCELERATION_STRUCTURE_READ = 0x4000;
        /// As an acceleration structure, written.
        const RAYTRACING_ACCELERATION_STRUCTURE_WRITE = 0x8000;
        /// As a shading-rate image.
        const SHADING_RATE_SOURCE = 0x1_0000;
        /// By the video decoder, read.
        const VIDEO_DECODE_READ = 0x2_0000;
        /// By the video decoder, written.
        const VIDEO_DECODE_WRITE = 0x4_0000;
        /// By the video processor, read.
        const VIDEO_PROCESS_READ = 0x8_0000;
        /// By the video processor, written.
        const VIDEO_PROCESS_WRITE = 0x10_0000;
        /// By the video encoder, read.
        const VIDEO_ENCODE_READ = 0x20_0000;
        /// By the video encoder, written.
        const VIDEO_ENCODE_WRITE = 0x40_0000;
        /// Not at all.
        const NO_ACCESS = 0x8000_0000;
    }
}

bitflags! {
    /// D3D12_TEXTURE_BARRIER_FLAGS.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct TextureBarrierFlags: u32 {
        /// The contents are not needed: metadata is initialised.
        const DISCARD = 0x1;
    }
}

/// D3D12_BARRIER_SUBRESOURCE_RANGE. `num_mip_levels` 0: `index_or_first_mip_level` is a subresource index,
/// 0xFFFFFFFF meaning all; `num_array_slices` 0 means 1 (facts/behaviour.md, Barriers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BarrierSubresourceRange {
    /// A subresource, or the first mip.
    pub index_or_first_mip_level: u32,
    /// Mips; 0: the field before is a subresource.
    pub num_mip_levels: u32,
    /// The first slice.
    pub first_array_slice: u32,
    /// Slices; 0 means 1.
    pub num_array_slices: u32,
    /// The first plane.
    pub first_plane: u32,
    /// Planes; 0 means 1 (chosen, as for slices).
    pub num_planes: u32,
}

impl BarrierSubresourceRange {
    /// All subresources.
    pub const ALL: BarrierSubresourceRange = BarrierSubresourceRange {
        index_or_first_mip_level: u32::MAX,
        num_mip_levels: 0,
        first_array_slice: 0,
        num_array_slices: 0,
        first_plane: 0,
        num_planes: 0,
    };
}

/// D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES.
pub const ALL_SUBRESOURCES: u32 = u32::MAX;

bitflags! {
    /// D3D12_TILE_COPY_FLAGS: which way CopyTiles goes.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct TileCopyFlags: u32 {
        /// The program promises that the GPU does not access the same bytes at the time.
        const NO_HAZARD = 0x1;
        /// From the buffer to the tiles.
        const LINEAR_BUFFER_TO_SWIZZLED_TILED_RESOURCE = 0x2;
        /// From the tiles to the buffer.
        const SWIZZLED_TILED_RESOURCE_TO_LINEAR_BUFFER = 0x4;
    }
}

/// D3D12_BOX: a region of a subresource, in texels of it (of a buffer in bytes); the far sides lie outside.
///
/// A box with a far side at or before its near one is empty (facts/behaviour.md, Copies and footprints).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Box3D {
    /// The first column.
    pub left: u32,
    /// The first row.
    pub top: u32,
    /// The first slice.
    pub front: u32,
    /// Behind the last column.
    pub right: u32,
    /// Behind the last row.
    pub bottom: u32,
    /// Behind the last slice.
    pub back: u32,
}

impl Box3D {
    /// From (0, 0, 0) on.
    #[must_use]
    pub const fn of_size(width: u32, height: u32, depth: u32) -> Box3D {
        Box3D { left: 0, top: 0, front: 0, right: width, bottom: height, back: depth }
    }

    /// Whether no texel lies in it.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.right <= self.left || self.bottom <= self.top || self.back <= self.front
    }
}

impl core::fmt::Display for Box3D {
    /// `(0, 0, 0) to (4, 4, 1)`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Box3D { left, top, front, right, bottom, back } = self;
        write!(f, "({left}, {top}, {front}) to ({right}, {bottom}, {back})")
    }
}

/// D3D12_RECT, in texels: from (left, top) up to, not including, (right, bottom).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rect {
    /// The first column.
    pub left: i32,
    /// The first row.
    pub top: i32,
    /// Behind the last column.
    pub right: i32,
    /// Behind the last row.
    pub bottom: i32,
}

impl Rect {
    /// From (left, top) up to (right, bottom).
    #[must_use]
    pub const fn new(left: i32, top: i32, right: i32, bottom: i32) -> Rect {
        Rect { left, top, right, bottom }
    }
}

impl core::fmt::Display for Rect {
    /// `(0, 0) to (4, 4)`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Rect { left, top, right, bottom } = self;
        write!(f, "({left}, {top}) to ({right}, {bottom})")
    }
}

bitflags! {
    /// D3D12_CLEAR_FLAGS: which planes ClearDepthStencilView clears.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct ClearFlags: u32 {
        /// Depth.
        const DEPTH = 0x1;
        /// Stencil.
        const STENCIL = 0x2;
    }
}

d3d12_enum! {
    /// D3D12_QUERY_HEAP_TYPE, of the queries that engines without shaders answer.
    QueryHeapType as "D3D12_QUERY_HEAP_TYPE" {
        /// Timestamps of direct and compute queues.
        Timestamp = 1, "TIMESTAMP";
        /// Timestamps of copy queues.
        CopyQueueTimestamp = 5, "COPY_QUEUE_TIMESTAMP";
    }
}

d3d12_enum! {
    /// D3D12_QUERY_TYPE, of the queries that engines without shaders answer.
    QueryType as "D3D12_QUERY_TYPE" {
        /// The engine's time.
        Timestamp = 2, "TIMESTAMP";
    }
}

d3d12_enum! {
    /// D3D12_RESIDENCY_FLAGS, which has one flag (facts/residency.md, EnqueueMakeResident).
    ResidencyFlags as "D3D12_RESIDENCY_FLAGS" {
        /// Over budget is no failure; only memory that is gone is.
        None = 0, "NONE";
        /// Fails where the process would go over its budget.
        DenyOverbudget = 1, "DENY_OVERBUDGET";
    }
}

/// D3D12_QUERY_HEAP_DESC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QueryHeapDesc {
    /// What its queries ask.
    pub heap_type: QueryHeapType,
    /// How many.
    pub count: u32,
    /// The node, as one bit; 0 means node 0.
    pub node_mask: u32,
}

flag_text!(CommandListSupportFlags, "NONE", "D3D12_COMMAND_LIST_SUPPORT_FLAGS");
flag_text!(ResourceBarrierFlags, "NONE", "D3D12_RESOURCE_BARRIER_FLAGS");
flag_text!(FenceFlags, "NONE", "D3D12_FENCE_FLAGS");
flag_text!(BarrierSync, "NONE", "D3D12_BARRIER_SYNC");
flag_text!(BarrierAccess, "COMMON", "D3D12_BARRIER_ACCESS");
flag_text!(TextureBarrierFlags, "NONE", "D3D12_TEXTURE_BARRIER_FLAGS");
flag_text!(TileCopyFlags, "NONE", "D3D12_TILE_COPY_FLAGS");
flag_text!(ClearFlags, "NONE", "D3D12_CLEAR_FLAGS");
