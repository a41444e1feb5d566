//! Recorded commands as observers hear of them.

use heapstone_spec::Format;
use heapstone_spec::commands::{
    Box3D, ClearFlags, PredicationOp, QueryType, Rect, TileCopyFlags, WriteBufferImmediateMode,
};
use heapstone_spec::tiles::{TileRegionSize, TiledResourceCoordinate};
use heapstone_spec::views::{CpuDescriptorHandle, GpuDescriptorHandle};
use heapstone_units::GpuVirtualAddress;

use super::barrier_desc::{BarrierGroup, ResourceBarrier};
use super::copy_location::{TextureCopyLocation, TextureCopyType};
use super::discard::DiscardRegion;
use super::resolve::ResolveRegion;
use crate::descriptor::DescriptorHeap;
use crate::observer::ObjectId;

/// A command as it was given to a list.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ListCommand<'a> {
    /// CopyBufferRegion.
    CopyBufferRegion {
        /// Where to.
        destination: ObjectId,
        /// In bytes.
        destination_offset: u64,
        /// Where from.
        source: ObjectId,
        /// In bytes.
        source_offset: u64,
        /// In bytes.
        size: u64,
    },
    /// CopyTextureRegion.
    CopyTextureRegion {
        /// Where to.
        destination: CopyLocation,
        /// DstX, DstY, DstZ.
        origin: [u32; 3],
        /// Where from.
        source: CopyLocation,
        /// In texels; `None`: all of the source.
        source_box: Option<Box3D>,
    },
    /// CopyResource.
    CopyResource {
        /// Where to.
        destination: ObjectId,
        /// Where from.
        source: ObjectId,
    },
    /// ResourceBarrier.
    ResourceBarrier {
        /// As given.
        barriers: &'a [ResourceBarrier<'a>],
    },
    /// Barrier.
    Barrier {
        /// As given.
        groups: &'a [BarrierGroup<'a>],
    },
    /// CopyTiles.
    CopyTiles {
        /// The reserved resource.
        tiled_resource: ObjectId,
        /// Where its region begins.
        start: TiledResourceCoordinate,
        /// Of the region.
        size: TileRegionSize,
        /// The buffer.
        buffer: ObjectId,
        /// In bytes.
        buffer_start_offset: u64,
        /// Which way.
        flags: TileCopyFlags,
    },
    /// WriteBufferImmediate.
    WriteBufferImmediate {
        /// Where, and what.
        writes: &'a [(GpuVirtualAddress, u32)],
        /// Whose each address is, and the offset in bytes there: of a heap, or of a committed or reserved
        /// buffer; `None` of nobody's.
        places: &'a [Option<(ObjectId, u64)>],
        /// What each waits for; `None`: DEFAULT.
        modes: Option<&'a [WriteBufferImmediateMode]>,
    },
    /// ClearRenderTargetView.
    ClearRenderTargetView {
        /// The view's handle.
        view: CpuDescriptorHandle,
        /// Red, green, blue, alpha.
        color: [f32; 4],
        /// In texels; none: all of the view.
        rects: &'a [Rect],
    },
    /// ClearDepthStencilView.
    ClearDepthStencilView {
        /// The view's handle.
        view: CpuDescriptorHandle,
        /// Which planes.
        flags: ClearFlags,
        /// The depth.
        depth: f32,
        /// The stencil.
        stencil: u8,
        /// In texels; none: all of the view.
        rects: &'a [Rect],
    },
    /// ClearUnorderedAccessViewUint.
    ClearUnorderedAccessViewUint {
        /// ViewGPUHandleInCurrentHeap.
        gpu_handle: GpuDescriptorHandle,
        /// ViewCPUHandle.
        cpu_handle: CpuDescriptorHandle,
        /// The resource.
        resource: ObjectId,
        /// The values.
        values: [u32; 4],
        /// In texels; none: all of the view.
        rects: &'a [Rect],
    },
    /// ClearUnorderedAccessViewFloat.
    ClearUnorderedAccessViewFloat {
        /// ViewGPUHandleInCurrentHeap.
        gpu_handle: GpuDescriptorHandle,
        /// ViewCPUHandle.
        cpu_handle: CpuDescriptorHandle,
        /// The resource.
        resource: ObjectId,
        /// The values.
        values: [f32; 4],
        /// In texels; none: all of the view.
        rects: &'a [Rect],
    },
    /// DiscardResource.
    DiscardResource {
        /// The resource.
        resource: ObjectId,
        /// As given; `None`: all of it.
        region: Option<DiscardRegion<'a>>,
    },
    /// ResolveSubresource.
    ResolveSubresource {
        /// Where to.
        destination: ObjectId,
        /// Its subresource.
        destination_subresource: u32,
        /// Where from.
        source: ObjectId,
        /// Its subresource.
        source_subresource: u32,
        /// How the texels are to be read.
        format: Format,
    },
    /// ResolveSubresourceRegion.
    ResolveSubresourceRegion {
        /// As given.
        region: &'a ResolveRegion<'a>,
    },
    /// SetPredication.
    SetPredication {
        /// The buffer and the offset in bytes; `None`: no predicate.
        buffer: Option<(ObjectId, u64)>,
        /// When commands are left out.
        op: PredicationOp,
    },
    /// SetDescriptorHeaps.
    SetDescriptorHeaps {
        /// As given.
        heaps: &'a [&'a DescriptorHeap],
    },
    /// EndQuery.
    EndQuery {
        /// The query heap.
        heap: ObjectId,
        /// What is asked.
        query_type: QueryType,
        /// The query.
        index: u32,
    },
    /// ResolveQueryData.
    ResolveQueryData {
        /// The query heap.
        heap: ObjectId,
        /// What was asked.
        query_type: QueryType,
        /// The first query.
        start_index: u32,
        /// How many.
        count: u32,
        /// Where to.
        destination: ObjectId,
        /// In bytes.
        offset: u64,
    },
}

/// A [`TextureCopyLocation`] as observers hear of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CopyLocation {
    /// The resource.
    pub resource: ObjectId,
    /// What of it.
    pub copy_type: TextureCopyType,
}

impl CopyLocation {
    pub(super) fn of(location: &TextureCopyLocation<'_>) -> CopyLocation {
        CopyLocation { resource: location.resource.id(), copy_type: location.copy_type }
    }
}
