//! GPU work of a trace: lists and what is recorded in them, queues, fences, tiles, descriptors; and residency.
//!
//! One table gives each call its name in the file and its fields, as serde reads and writes them; the
//! fields that every call has (`id`, `t`, ...) are the format's own (`format::gpu`).

mod arguments;

use heapstone_spec::commands::{
    Box3D, ClearFlags, CommandListType, CommandQueuePriority, FenceFlags, PredicationOp, QueryHeapType,
    QueryType, Rect, ResidencyFlags, ResolveMode, TileCopyFlags, WriteBufferImmediateMode,
};
use heapstone_spec::tiles::{TileMappingFlags, TileRangeFlags, TileRegionSize, TiledResourceCoordinate};
use heapstone_spec::views::{
    ConstantBufferViewDesc, DepthStencilViewDesc, DescriptorHeapFlags, DescriptorHeapType,
    RenderTargetViewDesc, SamplerDesc, ShaderResourceViewDesc, UnorderedAccessViewDesc,
};
use heapstone_spec::{Format, SegmentGroup, text};
use serde::{Deserialize, Serialize};

pub use arguments::{
    AddressPlace, BarrierGroupArguments, BufferBarrierArguments, CopyLocationArguments,
    DescriptorPlaceArguments, DescriptorRangesArguments, DiscardRegionArguments, FootprintArguments,
    GlobalBarrierArguments, ResourceBarrierArguments, TextureBarrierArguments,
};

use crate::model::TraceId;

/// Whether a field has its default, and is left out.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

const fn normal() -> CommandQueuePriority {
    CommandQueuePriority::Normal
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields over so")]
fn is_normal(priority: &CommandQueuePriority) -> bool {
    *priority == normal()
}

const fn no_flags() -> ResidencyFlags {
    ResidencyFlags::None
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields over so")]
fn has_no_flags(flags: &ResidencyFlags) -> bool {
    *flags == no_flags()
}

macro_rules! gpu_calls {
    ($(
        $(#[$doc:meta])*
        $variant:ident = $text:literal acts on $object:ident {
            $( $(#[$meta:meta])* $field:ident : $type:ty ),* $(,)?
        }
    )*) => {
        /// A call that makes the GPU work, or prepares it, or tells what is to be in memory for it. Fields are D3D12's arguments; objects are named by
        /// their numbers, and the object that the call makes or acts on stands beside it.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(missing_docs, reason = "the fields are D3D12's, described in docs/trace-format.md")]
        pub enum GpuCall {
            $( $(#[$doc])* #[serde(rename = $text)] $variant { $( $(#[$meta])* $field : $type ),* }, )*
        }

        /// Which [`GpuCall`] it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum GpuCallKind { $( $(#[$doc])* $variant ),* }

        impl GpuCall {
            /// Which call it is.
            #[must_use]
            pub const fn kind(&self) -> GpuCallKind {
                match self { $( GpuCall::$variant { .. } => GpuCallKind::$variant ),* }
            }
        }

        impl GpuCallKind {
            /// All of them.
            pub const ALL: &'static [GpuCallKind] = &[$( GpuCallKind::$variant ),*];

            /// The name in the file.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( GpuCallKind::$variant => $text ),* }
            }

            /// The one of that name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<GpuCallKind> {
                match name {
                    $( $text => Some(GpuCallKind::$variant), )*
                    _ => None,
                }
            }

            /// What the call makes or acts on.
            pub(crate) const fn object(self) -> GpuObjectKind {
                match self { $( GpuCallKind::$variant => GpuObjectKind::$object ),* }
            }
        }
    };
}

/// What `id` of a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GpuObjectKind {
    /// There is none.
    Nothing,
    /// A number that becomes an object.
    New,
    Allocator,
    List,
    Queue,
    Fence,
    Resource,
}

gpu_calls! {
    /// CreateCommandAllocator.
    CreateCommandAllocator = "create_command_allocator" acts on New {
        #[serde(rename = "type")]
        list_type: CommandListType,
    }
    /// ID3D12CommandAllocator::Reset.
    ResetCommandAllocator = "reset_command_allocator" acts on Allocator {}
    /// CreateCommandList; without an allocator CreateCommandList1.
    CreateCommandList = "create_command_list" acts on New {
        #[serde(rename = "type")]
        list_type: CommandListType,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        allocator: Option<TraceId>,
    }
    /// ID3D12GraphicsCommandList::Reset.
    ResetCommandList = "reset_command_list" acts on List { allocator: TraceId }
    /// ID3D12GraphicsCommandList::Close.
    CloseCommandList = "close_command_list" acts on List {}
    /// CreateCommandQueue.
    CreateCommandQueue = "create_command_queue" acts on New {
        #[serde(rename = "type")]
        list_type: CommandListType,
        #[serde(default = "normal", skip_serializing_if = "is_normal")]
        priority: CommandQueuePriority,
        #[serde(default, skip_serializing_if = "is_default")]
        node_mask: u32,
    }
    /// ExecuteCommandLists.
    ExecuteCommandLists = "execute_command_lists" acts on Queue { lists: Box<[TraceId]> }
    /// CreateFence.
    CreateFence = "create_fence" acts on New {
        #[serde(default, skip_serializing_if = "is_default")]
        initial_value: u64,
        #[serde(default, skip_serializing_if = "is_default")]
        flags: FenceFlags,
    }
    /// ID3D12CommandQueue::Signal.
    QueueSignal = "queue_signal" acts on Queue { fence: TraceId, value: u64 }
    /// ID3D12CommandQueue::Wait.
    QueueWait = "queue_wait" acts on Queue { fence: TraceId, value: u64 }
    /// ID3D12Fence::Signal.
    FenceSignal = "fence_signal" acts on Fence { value: u64 }
    /// A wait of the CPU that ended.
    FenceWait = "fence_wait" acts on Fence { value: u64 }
    /// CopyBufferRegion.
    CopyBufferRegion = "copy_buffer_region" acts on List {
        destination: TraceId,
        #[serde(default, skip_serializing_if = "is_default")]
        destination_offset: u64,
        source: TraceId,
        #[serde(default, skip_serializing_if = "is_default")]
        source_offset: u64,
        size: u64,
    }
    /// CopyTextureRegion.
    CopyTextureRegion = "copy_texture_region" acts on List {
        destination: CopyLocationArguments,
        #[serde(default, skip_serializing_if = "is_default")]
        origin: [u32; 3],
        source: CopyLocationArguments,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source_box: Option<Box3D>,
    }
    /// CopyResource.
    CopyResource = "copy_resource" acts on List { destination: TraceId, source: TraceId }
    /// CopyTiles.
    CopyTiles = "copy_tiles" acts on List {
        tiled_resource: TraceId,
        start: TiledResourceCoordinate,
        size: TileRegionSize,
        buffer: TraceId,
        #[serde(default, skip_serializing_if = "is_default")]
        buffer_start_offset: u64,
        flags: TileCopyFlags,
    }
    /// ResourceBarrier.
    ResourceBarrier = "resource_barrier" acts on List { barriers: Box<[ResourceBarrierArguments]> }
    /// Barrier.
    Barrier = "barrier" acts on List { groups: Box<[BarrierGroupArguments]> }
    /// WriteBufferImmediate.
    WriteBufferImmediate = "write_buffer_immediate" acts on List {
        writes: Box<[(AddressPlace, u32)]>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        modes: Option<Box<[WriteBufferImmediateMode]>>,
    }
    /// ClearRenderTargetView.
    ClearRenderTargetView = "clear_render_target_view" acts on List {
        view: DescriptorPlaceArguments,
        #[serde(with = "text::floats")]
        color: [f32; 4],
        #[serde(default, skip_serializing_if = "is_default")]
        rects: Box<[Rect]>,
    }
    /// ClearDepthStencilView.
    ClearDepthStencilView = "clear_depth_stencil_view" acts on List {
        view: DescriptorPlaceArguments,
        flags: ClearFlags,
        #[serde(default, with = "text::float", skip_serializing_if = "is_default")]
        depth: f32,
        #[serde(default, skip_serializing_if = "is_default")]
        stencil: u8,
        #[serde(default, skip_serializing_if = "is_default")]
        rects: Box<[Rect]>,
    }
    /// ClearUnorderedAccessViewUint.
    ClearUnorderedAccessViewUint = "clear_unordered_access_view_uint" acts on List {
        gpu_view: DescriptorPlaceArguments,
        view: DescriptorPlaceArguments,
        resource: TraceId,
        values: [u32; 4],
        #[serde(default, skip_serializing_if = "is_default")]
        rects: Box<[Rect]>,
    }
    /// ClearUnorderedAccessViewFloat.
    ClearUnorderedAccessViewFloat = "clear_unordered_access_view_float" acts on List {
        gpu_view: DescriptorPlaceArguments,
        view: DescriptorPlaceArguments,
        resource: TraceId,
        #[serde(with = "text::floats")]
        values: [f32; 4],
        #[serde(default, skip_serializing_if = "is_default")]
        rects: Box<[Rect]>,
    }
    /// DiscardResource.
    DiscardResource = "discard_resource" acts on List {
        resource: TraceId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region: Option<DiscardRegionArguments>,
    }
    /// ResolveSubresource.
    ResolveSubresource = "resolve_subresource" acts on List {
        destination: TraceId,
        #[serde(default, skip_serializing_if = "is_default")]
        destination_subresource: u32,
        source: TraceId,
        #[serde(default, skip_serializing_if = "is_default")]
        source_subresource: u32,
        format: Format,
    }
    /// ResolveSubresourceRegion.
    ResolveSubresourceRegion = "resolve_subresource_region" acts on List {
        destination: TraceId,
        #[serde(default, skip_serializing_if = "is_default")]
        destination_subresource: u32,
        #[serde(default, skip_serializing_if = "is_default")]
        x: u32,
        #[serde(default, skip_serializing_if = "is_default")]
        y: u32,
        source: TraceId,
        #[serde(default, skip_serializing_if = "is_default")]
        source_subresource: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source_rect: Option<Rect>,
        format: Format,
        mode: ResolveMode,
    }
    /// SetPredication.
    SetPredication = "set_predication" acts on List {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        buffer: Option<TraceId>,
        #[serde(default, skip_serializing_if = "is_default")]
        offset: u64,
        operation: PredicationOp,
    }
    /// SetDescriptorHeaps.
    SetDescriptorHeaps = "set_descriptor_heaps" acts on List { heaps: Box<[TraceId]> }
    /// EndQuery.
    EndQuery = "end_query" acts on List {
        query_heap: TraceId,
        #[serde(rename = "type")]
        query_type: QueryType,
        #[serde(default, skip_serializing_if = "is_default")]
        index: u32,
    }
    /// ResolveQueryData.
    ResolveQueryData = "resolve_query_data" acts on List {
        query_heap: TraceId,
        #[serde(rename = "type")]
        query_type: QueryType,
        #[serde(default, skip_serializing_if = "is_default")]
        start_index: u32,
        count: u32,
        destination: TraceId,
        #[serde(default, skip_serializing_if = "is_default")]
        offset: u64,
    }
    /// UpdateTileMappings.
    UpdateTileMappings = "update_tile_mappings" acts on Queue {
        resource: TraceId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region_start_coordinates: Option<Box<[TiledResourceCoordinate]>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region_sizes: Option<Box<[TileRegionSize]>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        heap: Option<TraceId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        range_flags: Option<Box<[TileRangeFlags]>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        heap_range_start_offsets: Option<Box<[u32]>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        range_tile_counts: Option<Box<[u32]>>,
        #[serde(default, skip_serializing_if = "is_default")]
        flags: TileMappingFlags,
    }
    /// CopyTileMappings.
    CopyTileMappings = "copy_tile_mappings" acts on Queue {
        destination: TraceId,
        destination_start: TiledResourceCoordinate,
        source: TraceId,
        source_start: TiledResourceCoordinate,
        size: TileRegionSize,
        #[serde(default, skip_serializing_if = "is_default")]
        flags: TileMappingFlags,
    }
    /// ID3D12Resource::WriteToSubresource.
    WriteToSubresource = "write_to_subresource" acts on Resource {
        #[serde(default, skip_serializing_if = "is_default")]
        subresource: u32,
        #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
        texels: Option<Box3D>,
        row_pitch: u32,
        #[serde(default, skip_serializing_if = "is_default")]
        depth_pitch: u32,
        size: u64,
    }
    /// ID3D12Resource::ReadFromSubresource.
    ReadFromSubresource = "read_from_subresource" acts on Resource {
        #[serde(default, skip_serializing_if = "is_default")]
        subresource: u32,
        #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
        texels: Option<Box3D>,
        row_pitch: u32,
        #[serde(default, skip_serializing_if = "is_default")]
        depth_pitch: u32,
        size: u64,
    }
    /// ID3D12Device::MakeResident.
    MakeResident = "make_resident" acts on Nothing { objects: Box<[TraceId]> }
    /// ID3D12Device3::EnqueueMakeResident.
    EnqueueMakeResident = "enqueue_make_resident" acts on Nothing {
        #[serde(default = "no_flags", skip_serializing_if = "has_no_flags")]
        flags: ResidencyFlags,
        objects: Box<[TraceId]>,
        fence: TraceId,
        value: u64,
    }
    /// ID3D12Device::Evict.
    Evict = "evict" acts on Nothing { objects: Box<[TraceId]> }
    /// ID3D12Device1::SetResidencyPriority.
    SetResidencyPriority = "set_residency_priority" acts on Nothing { objects: Box<[(TraceId, u32)]> }
    /// A budget that was set outright.
    SetBudget = "set_budget" acts on Nothing {
        #[serde(default, skip_serializing_if = "is_default")]
        node: u32,
        group: SegmentGroup,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        budget: Option<u64>,
    }
    /// IDXGIAdapter3::SetVideoMemoryReservation.
    SetVideoMemoryReservation = "set_video_memory_reservation" acts on Nothing {
        #[serde(default, skip_serializing_if = "is_default")]
        node: u32,
        group: SegmentGroup,
        reservation: u64,
    }
    /// CreateQueryHeap.
    CreateQueryHeap = "create_query_heap" acts on New {
        #[serde(rename = "type")]
        heap_type: QueryHeapType,
        count: u32,
        #[serde(default, skip_serializing_if = "is_default")]
        node_mask: u32,
    }
    /// ID3D12DeviceTools::SetNextAllocationAddress.
    SetNextAllocationAddress = "set_next_allocation_address" acts on Nothing { address: u64 }
    /// CreateDescriptorHeap.
    CreateDescriptorHeap = "create_descriptor_heap" acts on New {
        #[serde(rename = "type")]
        heap_type: DescriptorHeapType,
        count: u32,
        #[serde(default, skip_serializing_if = "is_default")]
        flags: DescriptorHeapFlags,
        #[serde(default, skip_serializing_if = "is_default")]
        node_mask: u32,
    }
    /// CreateShaderResourceView.
    CreateShaderResourceView = "create_shader_resource_view" acts on Nothing {
        at: DescriptorPlaceArguments,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resource: Option<TraceId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        desc: Option<ShaderResourceViewDesc>,
    }
    /// CreateUnorderedAccessView.
    CreateUnorderedAccessView = "create_unordered_access_view" acts on Nothing {
        at: DescriptorPlaceArguments,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resource: Option<TraceId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        counter: Option<TraceId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        desc: Option<UnorderedAccessViewDesc>,
    }
    /// CreateRenderTargetView.
    CreateRenderTargetView = "create_render_target_view" acts on Nothing {
        at: DescriptorPlaceArguments,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resource: Option<TraceId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        desc: Option<RenderTargetViewDesc>,
    }
    /// CreateDepthStencilView.
    CreateDepthStencilView = "create_depth_stencil_view" acts on Nothing {
        at: DescriptorPlaceArguments,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resource: Option<TraceId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        desc: Option<DepthStencilViewDesc>,
    }
    /// CreateConstantBufferView.
    CreateConstantBufferView = "create_constant_buffer_view" acts on Nothing {
        at: DescriptorPlaceArguments,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<AddressPlace>,
        #[serde(default, skip_serializing_if = "is_default")]
        size: u32,
    }
    /// CreateSampler.
    CreateSampler = "create_sampler" acts on Nothing {
        at: DescriptorPlaceArguments,
        desc: SamplerDesc,
    }
    /// CopyDescriptors.
    CopyDescriptors = "copy_descriptors" acts on Nothing {
        destination: DescriptorRangesArguments,
        source: DescriptorRangesArguments,
        #[serde(rename = "type")]
        heap_type: DescriptorHeapType,
    }
    /// CopyDescriptorsSimple.
    CopyDescriptorsSimple = "copy_descriptors_simple" acts on Nothing {
        count: u32,
        destination: DescriptorPlaceArguments,
        source: DescriptorPlaceArguments,
        #[serde(rename = "type")]
        heap_type: DescriptorHeapType,
    }
}

impl GpuCallKind {
    /// Whether the call has an `id`: it makes an object or acts on one.
    #[must_use]
    pub const fn has_object(self) -> bool {
        !matches!(self.object(), GpuObjectKind::Nothing)
    }

    /// Whether it is a call of residency or of budgets, which makes no GPU work.
    #[must_use]
    pub const fn is_residency(self) -> bool {
        matches!(
            self,
            GpuCallKind::MakeResident
                | GpuCallKind::EnqueueMakeResident
                | GpuCallKind::Evict
                | GpuCallKind::SetResidencyPriority
                | GpuCallKind::SetBudget
                | GpuCallKind::SetVideoMemoryReservation
        )
    }

    /// Whether it is recorded into a list: a command.
    #[must_use]
    pub const fn is_command(self) -> bool {
        matches!(self.object(), GpuObjectKind::List)
            && !matches!(self, GpuCallKind::ResetCommandList | GpuCallKind::CloseCommandList)
    }
}

/// The description of a constant buffer view at an address.
pub(crate) const fn constant_buffer_view(address: u64, size: u32) -> ConstantBufferViewDesc {
    ConstantBufferViewDesc {
        buffer_location: heapstone_units::GpuVirtualAddress(address),
        size_in_bytes: size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_the_names_that_serde_writes() {
        let calls = [
            GpuCall::CloseCommandList {},
            GpuCall::QueueWait { fence: TraceId(1), value: 2 },
            GpuCall::SetDescriptorHeaps { heaps: Box::default() },
        ];
        for call in calls {
            let text = serde_json::to_string(&call).unwrap();
            assert!(text.starts_with(&format!("{{\"{}\":{{", call.kind().name())), "{text}");
        }
        for kind in GpuCallKind::ALL {
            assert_eq!(GpuCallKind::from_name(kind.name()), Some(*kind));
            assert!(crate::CallKind::from_name(kind.name()).is_none());
        }
    }
}
