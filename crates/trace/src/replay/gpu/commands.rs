//! Commands, into their lists.

use heapstone::{
    BarrierGroup, BufferBarrier, CommandList, DescriptorHeap, DiscardRegion, Error, GlobalBarrier, QueryHeap,
    ResolveRegion, Resource, ResourceBarrier, TextureBarrier, TextureCopyLocation, TextureCopyType,
};
use heapstone_spec::commands::Box3D;
use heapstone_units::{GpuVirtualAddress, KIB};

use super::objects::GpuObject;
use super::regions;
use crate::gpu::{
    BarrierGroupArguments, CopyLocationArguments, GlobalBarrierArguments, GpuCall, ResourceBarrierArguments,
};
use crate::model::{Record, TraceId};
use crate::replay::content::content_bytes;
use crate::replay::replayer::Replayer;

/// Bytes of a tile.
const TILE: u64 = 64 * KIB;
/// Bytes of a timestamp.
const TIMESTAMP: u64 = 8;

impl Replayer {
    pub(super) fn command(&mut self, record: &Record, id: TraceId, call: &GpuCall) {
        match call {
            GpuCall::ClearRenderTargetView { .. }
            | GpuCall::ClearDepthStencilView { .. }
            | GpuCall::ClearUnorderedAccessViewUint { .. }
            | GpuCall::ClearUnorderedAccessViewFloat { .. } => self.clear(record, id, call),
            GpuCall::ResourceBarrier { barriers } => self.resource_barrier(record, id, call, barriers),
            GpuCall::Barrier { groups } => self.barrier(record, id, call, groups),
            GpuCall::CopyBufferRegion { .. }
            | GpuCall::CopyTextureRegion { .. }
            | GpuCall::CopyResource { .. }
            | GpuCall::CopyTiles { .. } => self.copy(record, id, call),
            GpuCall::ResolveSubresource { .. } | GpuCall::ResolveSubresourceRegion { .. } => {
                self.resolve(record, id, call);
            }
            _ => self.other_command(record, id, call),
        }
    }

    /// Records a command that moves `bytes`.
    fn on_list(
        &mut self,
        record: &Record,
        id: TraceId,
        call: &GpuCall,
        bytes: u64,
        command: impl FnOnce(&mut CommandList) -> Result<(), Error>,
    ) {
        let Some(state) = self.list(record, id) else { return };
        let result = command(&mut state.list);
        state.has_refused |= result.is_err();
        if result.is_ok() {
            self.gpu.tally.moved(call.kind(), bytes);
        }
        self.gpu_ended(record, call, result);
    }

    fn copy(&mut self, record: &Record, id: TraceId, call: &GpuCall) {
        match call {
            GpuCall::CopyBufferRegion { destination, destination_offset, source, source_offset, size } => {
                let Some((to, from)) = self.two(record, *destination, *source) else { return };
                self.on_list(record, id, call, *size, |list| {
                    list.copy_buffer_region(&to, *destination_offset, &from, *source_offset, *size)
                });
            }
            GpuCall::CopyTextureRegion { destination, origin, source, source_box } => {
                let Some((to, from)) = self.two(record, destination.resource, source.resource) else {
                    return;
                };
                let bytes = self.region_bytes(source, &from, source_box.as_ref());
                let to = TextureCopyLocation { resource: &to, copy_type: destination.copy_type };
                let from = TextureCopyLocation { resource: &from, copy_type: source.copy_type };
                let [x, y, z] = *origin;
                self.on_list(record, id, call, bytes, |list| {
                    list.copy_texture_region(&to, x, y, z, &from, source_box.as_ref())
                });
            }
            GpuCall::CopyResource { destination, source } => {
                let Some((to, from)) = self.two(record, *destination, *source) else { return };
                let bytes = content_bytes(to.desc());
                self.on_list(record, id, call, bytes, |list| list.copy_resource(&to, &from));
            }
            GpuCall::CopyTiles { tiled_resource, start, size, buffer, buffer_start_offset, flags } => {
                let Some((tiled, buffer)) = self.two(record, *tiled_resource, *buffer) else { return };
                let bytes = u64::from(size.num_tiles) * TILE;
                self.on_list(record, id, call, bytes, |list| {
                    list.copy_tiles(&tiled, start, size, &buffer, *buffer_start_offset, *flags)
                });
            }
            _ => {}
        }
    }

    fn region_bytes(
        &self,
        location: &CopyLocationArguments,
        resource: &Resource,
        texels: Option<&Box3D>,
    ) -> u64 {
        match &location.copy_type {
            TextureCopyType::PlacedFootprint(footprint) => regions::of_footprint(footprint, texels),
            TextureCopyType::SubresourceIndex(subresource) => {
                regions::of_subresource(&self.device, resource, *subresource, texels)
            }
        }
    }

    fn two(&mut self, record: &Record, one: TraceId, other: TraceId) -> Option<(Resource, Resource)> {
        Some((self.gpu_resource(record, one)?, self.gpu_resource(record, other)?))
    }

    fn clear(&mut self, record: &Record, id: TraceId, call: &GpuCall) {
        match call {
            GpuCall::ClearRenderTargetView { view, color, rects } => {
                let Some(view) = self.cpu_handle(record, *view) else { return };
                let seen = self.device.render_target_view(view).ok();
                let bytes = seen.as_ref().and_then(|seen| Some((seen.resource.as_ref()?, seen.range())));
                let bytes =
                    bytes.map_or(0, |(target, range)| regions::of_view(&self.device, target, range, rects));
                self.on_list(record, id, call, bytes, |list| {
                    list.clear_render_target_view(view, *color, rects)
                });
            }
            GpuCall::ClearDepthStencilView { view, flags, depth, stencil, rects } => {
                let Some(view) = self.cpu_handle(record, *view) else { return };
                let seen = self.device.depth_stencil_view(view).ok();
                let bytes = seen.as_ref().and_then(|seen| Some((seen.resource.as_ref()?, seen.range())));
                let bytes =
                    bytes.map_or(0, |(target, range)| regions::of_view(&self.device, target, range, rects));
                self.on_list(record, id, call, bytes, |list| {
                    list.clear_depth_stencil_view(view, *flags, *depth, *stencil, rects)
                });
            }
            GpuCall::ClearUnorderedAccessViewUint { gpu_view, view, resource, values, rects } => {
                let Some(gpu) = self.gpu_handle(record, *gpu_view) else { return };
                let Some(cpu) = self.cpu_handle(record, *view) else { return };
                let Some(resource) = self.gpu_resource(record, *resource) else { return };
                let range = self.device.unordered_access_view(cpu).ok().and_then(|seen| seen.range());
                let bytes = regions::of_view(&self.device, &resource, range, rects);
                self.on_list(record, id, call, bytes, |list| {
                    list.clear_unordered_access_view_uint(gpu, cpu, &resource, *values, rects)
                });
            }
            GpuCall::ClearUnorderedAccessViewFloat { gpu_view, view, resource, values, rects } => {
                let Some(gpu) = self.gpu_handle(record, *gpu_view) else { return };
                let Some(cpu) = self.cpu_handle(record, *view) else { return };
                let Some(resource) = self.gpu_resource(record, *resource) else { return };
                let range = self.device.unordered_access_view(cpu).ok().and_then(|seen| seen.range());
                let bytes = regions::of_view(&self.device, &resource, range, rects);
                self.on_list(record, id, call, bytes, |list| {
                    list.clear_unordered_access_view_float(gpu, cpu, &resource, *values, rects)
                });
            }
            _ => {}
        }
    }

    fn resolve(&mut self, record: &Record, id: TraceId, call: &GpuCall) {
        match call {
            GpuCall::ResolveSubresource {
                destination,
                destination_subresource,
                source,
                source_subresource,
                format,
            } => {
                let Some((to, from)) = self.two(record, *destination, *source) else { return };
                let bytes = regions::of_subresource(&self.device, &to, *destination_subresource, None);
                self.on_list(record, id, call, bytes, |list| {
                    list.resolve_subresource(
                        &to,
                        *destination_subresource,
                        &from,
                        *source_subresource,
                        *format,
                    )
                });
            }
            GpuCall::ResolveSubresourceRegion {
                destination,
                destination_subresource,
                x,
                y,
                source,
                source_subresource,
                source_rect,
                format,
                mode,
            } => {
                let Some((to, from)) = self.two(record, *destination, *source) else { return };
                let texels = source_rect.as_ref().map(regions::of_rect);
                let bytes =
                    regions::of_subresource(&self.device, &to, *destination_subresource, texels.as_ref());
                let region = ResolveRegion {
                    destination: &to,
                    destination_subresource: *destination_subresource,
                    x: *x,
                    y: *y,
                    source: &from,
                    source_subresource: *source_subresource,
                    source_rect: *source_rect,
                    format: *format,
                    mode: *mode,
                };
                self.on_list(record, id, call, bytes, |list| list.resolve_subresource_region(&region));
            }
            _ => {}
        }
    }

    fn other_command(&mut self, record: &Record, id: TraceId, call: &GpuCall) {
        match call {
            GpuCall::WriteBufferImmediate { writes, modes } => {
                let writes: Option<Vec<(GpuVirtualAddress, u32)>> = writes
                    .iter()
                    .map(|(place, value)| Some((self.address(record, *place)?, *value)))
                    .collect();
                let Some(writes) = writes else { return };
                let bytes = crate::error::as_u64(writes.len()).saturating_mul(4);
                self.on_list(record, id, call, bytes, |list| {
                    list.write_buffer_immediate(&writes, modes.as_deref())
                });
            }
            GpuCall::DiscardResource { resource, region } => {
                let Some(resource) = self.gpu_resource(record, *resource) else { return };
                let region = region.as_ref().map(|region| DiscardRegion {
                    rects: &region.rects,
                    first_subresource: region.first_subresource,
                    num_subresources: region.num_subresources,
                });
                self.on_list(record, id, call, 0, |list| list.discard_resource(&resource, region.as_ref()));
            }
            GpuCall::SetPredication { buffer, offset, operation } => {
                let Some(buffer) = self.gpu_optional(record, *buffer) else { return };
                self.on_list(record, id, call, 0, |list| {
                    list.set_predication(buffer.as_ref().map(|buffer| (buffer, *offset)), *operation)
                });
            }
            GpuCall::SetDescriptorHeaps { heaps } => {
                let heaps: Option<Vec<DescriptorHeap>> =
                    heaps.iter().map(|heap| self.descriptor_heap(record, *heap)).collect();
                let Some(heaps) = heaps else { return };
                let heaps: Vec<&DescriptorHeap> = heaps.iter().collect();
                self.on_list(record, id, call, 0, |list| list.set_descriptor_heaps(&heaps));
            }
            GpuCall::EndQuery { query_heap, query_type, index } => {
                let Some(heap) = self.query_heap(record, *query_heap) else { return };
                self.on_list(record, id, call, TIMESTAMP, |list| list.end_query(&heap, *query_type, *index));
            }
            GpuCall::ResolveQueryData { query_heap, query_type, start_index, count, destination, offset } => {
                let Some(heap) = self.query_heap(record, *query_heap) else { return };
                let Some(destination) = self.gpu_resource(record, *destination) else { return };
                self.on_list(record, id, call, u64::from(*count) * TIMESTAMP, |list| {
                    list.resolve_query_data(&heap, *query_type, *start_index, *count, &destination, *offset)
                });
            }
            _ => {}
        }
    }

    fn query_heap(&mut self, record: &Record, id: TraceId) -> Option<QueryHeap> {
        if let Some(GpuObject::QueryHeap(heap)) = self.gpu.objects.get(&id) {
            return Some(heap.clone());
        }
        self.gpu_unfit(record, id, "query heap");
        None
    }

    fn resource_barrier(
        &mut self,
        record: &Record,
        id: TraceId,
        call: &GpuCall,
        barriers: &[ResourceBarrierArguments],
    ) {
        // Held apart, as barriers borrow them: two at most of each.
        let held: Option<Vec<[Option<Resource>; 2]>> = barriers
            .iter()
            .map(|barrier| {
                Some(match *barrier {
                    ResourceBarrierArguments::Transition { resource, .. } => {
                        [Some(self.gpu_resource(record, resource)?), None]
                    }
                    ResourceBarrierArguments::Aliasing { before, after, .. } => {
                        [self.gpu_optional(record, before)?, self.gpu_optional(record, after)?]
                    }
                    ResourceBarrierArguments::Uav { resource, .. } => {
                        [self.gpu_optional(record, resource)?, None]
                    }
                })
            })
            .collect();
        let Some(held) = held else { return };
        let barriers: Vec<ResourceBarrier<'_>> = barriers
            .iter()
            .zip(&held)
            .filter_map(|(barrier, [one, other])| {
                Some(match *barrier {
                    ResourceBarrierArguments::Transition { subresource, before, after, flags, .. } => {
                        let resource = one.as_ref()?;
                        ResourceBarrier::Transition { resource, subresource, before, after, flags }
                    }
                    ResourceBarrierArguments::Aliasing { flags, .. } => {
                        ResourceBarrier::Aliasing { before: one.as_ref(), after: other.as_ref(), flags }
                    }
                    ResourceBarrierArguments::Uav { flags, .. } => {
                        ResourceBarrier::Uav { resource: one.as_ref(), flags }
                    }
                })
            })
            .collect();
        self.on_list(record, id, call, 0, |list| list.resource_barrier(&barriers));
    }

    fn barrier(&mut self, record: &Record, id: TraceId, call: &GpuCall, groups: &[BarrierGroupArguments]) {
        let Some(owned) =
            groups.iter().map(|group| self.barrier_group(record, group)).collect::<Option<Vec<_>>>()
        else {
            return;
        };
        let lists: Vec<OwnedBarriers<'_>> = owned.iter().map(OwnedGroup::barriers).collect();
        let groups: Vec<BarrierGroup<'_>> = lists.iter().map(OwnedBarriers::group).collect();
        self.on_list(record, id, call, 0, |list| list.barrier(&groups));
    }

    /// A group with its resources held; `None` where one of them is not there.
    fn barrier_group<'a>(
        &mut self,
        record: &Record,
        group: &'a BarrierGroupArguments,
    ) -> Option<OwnedGroup<'a>> {
        let held: Option<Vec<Resource>> = match group {
            BarrierGroupArguments::Global(_) => Some(Vec::new()),
            BarrierGroupArguments::Texture(barriers) => {
                barriers.iter().map(|barrier| self.gpu_resource(record, barrier.resource)).collect()
            }
            BarrierGroupArguments::Buffer(barriers) => {
                barriers.iter().map(|barrier| self.gpu_resource(record, barrier.resource)).collect()
            }
        };
        Some(OwnedGroup { group, held: held? })
    }
}

/// A group of barriers, and the resources that it names.
struct OwnedGroup<'a> {
    group: &'a BarrierGroupArguments,
    held: Vec<Resource>,
}

/// The barriers of a group, as the library takes them.
enum OwnedBarriers<'a> {
    Global(Vec<GlobalBarrier>),
    Texture(Vec<TextureBarrier<'a>>),
    Buffer(Vec<BufferBarrier<'a>>),
}

impl OwnedGroup<'_> {
    fn barriers(&self) -> OwnedBarriers<'_> {
        match self.group {
            BarrierGroupArguments::Global(barriers) => {
                let of = |barrier: &GlobalBarrierArguments| GlobalBarrier {
                    sync_before: barrier.sync_before,
                    sync_after: barrier.sync_after,
                    access_before: barrier.access_before,
                    access_after: barrier.access_after,
                };
                OwnedBarriers::Global(barriers.iter().map(of).collect())
            }
            BarrierGroupArguments::Texture(barriers) => {
                let all = barriers.iter().zip(&self.held).map(|(barrier, resource)| TextureBarrier {
                    sync_before: barrier.sync_before,
                    sync_after: barrier.sync_after,
                    access_before: barrier.access_before,
                    access_after: barrier.access_after,
                    layout_before: barrier.layout_before,
                    layout_after: barrier.layout_after,
                    resource,
                    subresources: barrier.subresources,
                    flags: barrier.flags,
                });
                OwnedBarriers::Texture(all.collect())
            }
            BarrierGroupArguments::Buffer(barriers) => {
                let all = barriers.iter().zip(&self.held).map(|(barrier, resource)| BufferBarrier {
                    sync_before: barrier.sync_before,
                    sync_after: barrier.sync_after,
                    access_before: barrier.access_before,
                    access_after: barrier.access_after,
                    resource,
                    offset: barrier.offset,
                    size: barrier.size,
                });
                OwnedBarriers::Buffer(all.collect())
            }
        }
    }
}

impl OwnedBarriers<'_> {
    fn group(&self) -> BarrierGroup<'_> {
        match self {
            OwnedBarriers::Global(barriers) => BarrierGroup::Global(barriers),
            OwnedBarriers::Texture(barriers) => BarrierGroup::Texture(barriers),
            OwnedBarriers::Buffer(barriers) => BarrierGroup::Buffer(barriers),
        }
    }
}
