//! GPU work as a trace has it: handles become places in descriptor heaps, addresses places in memory.

use std::collections::BTreeMap;

use heapstone::{
    BarrierGroup, Call as Made, CopyLocation, DescriptorRanges, ListCommand, MakeResidentFlags, Pageable,
    ResourceBarrier,
};
use heapstone_spec::commands::ResidencyFlags;
use heapstone_spec::views::CpuDescriptorHandle;
use rustc_hash::FxHashMap;

use super::{id_of, outcome_of};
use crate::gpu::{
    AddressPlace, BarrierGroupArguments, BufferBarrierArguments, CopyLocationArguments,
    DescriptorPlaceArguments, DescriptorRangesArguments, DiscardRegionArguments, GlobalBarrierArguments,
    GpuCall, ResourceBarrierArguments, TextureBarrierArguments,
};
use crate::model::{Call, RecordedOutcome, TraceId};

/// Which handles are of which descriptor heap: of those that live.
#[derive(Debug, Default)]
pub(super) struct DescriptorHeaps {
    /// By the first handle; CPU and GPU handles differ.
    by_start: BTreeMap<u64, HandleRange>,
    /// The first handles of each heap.
    starts: FxHashMap<TraceId, [Option<u64>; 2]>,
}

#[derive(Clone, Copy, Debug)]
struct HandleRange {
    heap: TraceId,
    increment: u64,
    count: u64,
}

impl DescriptorHeaps {
    /// Notes a heap that was created, and forgets one that goes.
    fn note(&mut self, call: &Made<'_>) {
        match *call {
            Made::CreateDescriptorHeap { object, desc, cpu_start, gpu_start, increment, outcome: Ok(()) } => {
                let heap = id_of(object);
                let (increment, count) = (u64::from(increment), u64::from(desc.descriptor_count));
                let starts = [Some(cpu_start.ptr), gpu_start.map(|start| start.ptr)];
                for start in starts.iter().flatten() {
                    self.by_start.insert(*start, HandleRange { heap, increment, count });
                }
                self.starts.insert(heap, starts);
            }
            Made::Destroy { object } if !self.starts.is_empty() => {
                for start in self.starts.remove(&id_of(object)).iter().flatten().flatten() {
                    self.by_start.remove(start);
                }
            }
            _ => {}
        }
    }

    /// Where a handle leads; itself where it leads nowhere.
    fn place(&self, handle: u64) -> DescriptorPlaceArguments {
        let found = self.by_start.range(..=handle).next_back().and_then(|(start, range)| {
            let distance = handle - start;
            let index = distance.checked_div(range.increment)?;
            let is_one = distance.is_multiple_of(range.increment) && index < range.count;
            is_one.then_some(DescriptorPlaceArguments(Some(range.heap), index))
        });
        found.unwrap_or(DescriptorPlaceArguments(None, handle))
    }

    fn cpu(&self, handle: CpuDescriptorHandle) -> DescriptorPlaceArguments {
        self.place(handle.ptr)
    }

    fn ranges(&self, ranges: DescriptorRanges<'_>) -> DescriptorRangesArguments {
        DescriptorRangesArguments {
            starts: ranges.starts.iter().map(|start| self.cpu(*start)).collect(),
            sizes: ranges.sizes.map(Into::into),
        }
    }
}

/// The call as a trace has it; `None` of a kind that traces do not know.
pub(super) fn owned(call: &Made<'_>, heaps: &mut DescriptorHeaps) -> Option<(Call, RecordedOutcome)> {
    heaps.note(call);
    let none = TraceId(0);
    let (id, call, outcome) = match *call {
        Made::CreateCommandAllocator { object, list_type, outcome } => {
            (id_of(object), GpuCall::CreateCommandAllocator { list_type }, outcome)
        }
        Made::ResetCommandAllocator { object, outcome } => {
            (id_of(object), GpuCall::ResetCommandAllocator {}, outcome)
        }
        Made::CreateCommandList { object, list_type, allocator, outcome } => {
            let allocator = allocator.map(id_of);
            (id_of(object), GpuCall::CreateCommandList { list_type, allocator }, outcome)
        }
        Made::ResetCommandList { object, allocator, outcome } => {
            (id_of(object), GpuCall::ResetCommandList { allocator: id_of(allocator) }, outcome)
        }
        Made::CloseCommandList { object, outcome } => (id_of(object), GpuCall::CloseCommandList {}, outcome),
        Made::Command { list, command, outcome } => (id_of(list), self::command(command, heaps)?, outcome),
        Made::CreateQueryHeap { object, desc, outcome } => {
            let heapstone_spec::commands::QueryHeapDesc { heap_type, count, node_mask } = *desc;
            (id_of(object), GpuCall::CreateQueryHeap { heap_type, count, node_mask }, outcome)
        }
        Made::SetNextAllocationAddress { address, outcome } => {
            (none, GpuCall::SetNextAllocationAddress { address: address.0 }, outcome)
        }
        Made::WriteToSubresource {
            object,
            subresource,
            destination_box,
            source_row_pitch,
            source_depth_pitch,
            data,
            outcome,
        } => {
            let call = GpuCall::WriteToSubresource {
                subresource,
                texels: destination_box.copied(),
                row_pitch: source_row_pitch,
                depth_pitch: source_depth_pitch,
                size: crate::error::as_u64(data.len()),
            };
            (id_of(object), call, outcome)
        }
        Made::ReadFromSubresource {
            object,
            subresource,
            source_box,
            destination_row_pitch,
            destination_depth_pitch,
            size,
            outcome,
        } => {
            let call = GpuCall::ReadFromSubresource {
                subresource,
                texels: source_box.copied(),
                row_pitch: destination_row_pitch,
                depth_pitch: destination_depth_pitch,
                size: crate::error::as_u64(size),
            };
            (id_of(object), call, outcome)
        }
        Made::FenceWait { fence, value } => (id_of(fence), GpuCall::FenceWait { value }, Ok(())),
        _ => return queue(call).or_else(|| residency(call)).or_else(|| descriptor(call, heaps)),
    };
    Some((Call::Gpu { id, call: Box::new(call) }, outcome_of(outcome)))
}

/// Queues, fences, and what queues are told.
fn queue(call: &Made<'_>) -> Option<(Call, RecordedOutcome)> {
    let (id, call, outcome) = match *call {
        Made::CreateCommandQueue { object, desc, outcome } => {
            let heapstone::CommandQueueDesc { list_type, priority, node_mask } = *desc;
            (id_of(object), GpuCall::CreateCommandQueue { list_type, priority, node_mask }, outcome)
        }
        Made::CreateFence { object, initial_value, flags, outcome } => {
            (id_of(object), GpuCall::CreateFence { initial_value, flags }, outcome)
        }
        Made::ExecuteCommandLists { queue, lists, outcome } => {
            let lists = lists.iter().map(|list| id_of(list.id())).collect();
            (id_of(queue), GpuCall::ExecuteCommandLists { lists }, outcome)
        }
        Made::QueueSignal { queue, fence, value, outcome } => {
            (id_of(queue), GpuCall::QueueSignal { fence: id_of(fence), value }, outcome)
        }
        Made::QueueWait { queue, fence, value, outcome } => {
            (id_of(queue), GpuCall::QueueWait { fence: id_of(fence), value }, outcome)
        }
        Made::FenceSignal { fence, value, outcome } => {
            (id_of(fence), GpuCall::FenceSignal { value }, outcome)
        }
        Made::UpdateTileMappings { queue, resource, desc, outcome } => {
            let call = GpuCall::UpdateTileMappings {
                resource: id_of(resource),
                region_start_coordinates: desc.region_start_coordinates.map(Into::into),
                region_sizes: desc.region_sizes.map(Into::into),
                heap: desc.heap.map(|heap| id_of(heap.id())),
                range_flags: desc.range_flags.map(Into::into),
                heap_range_start_offsets: desc.heap_range_start_offsets.map(Into::into),
                range_tile_counts: desc.range_tile_counts.map(Into::into),
                flags: desc.flags,
            };
            (id_of(queue), call, outcome)
        }
        Made::CopyTileMappings {
            queue,
            destination,
            destination_start,
            source,
            source_start,
            size,
            flags,
            outcome,
        } => {
            let call = GpuCall::CopyTileMappings {
                destination: id_of(destination),
                destination_start: *destination_start,
                source: id_of(source),
                source_start: *source_start,
                size: *size,
                flags,
            };
            (id_of(queue), call, outcome)
        }
        _ => return None,
    };
    Some((Call::Gpu { id, call: Box::new(call) }, outcome_of(outcome)))
}

/// What is to be in memory, and how much may be.
fn residency(call: &Made<'_>) -> Option<(Call, RecordedOutcome)> {
    let ids = |objects: &[Pageable<'_>]| objects.iter().map(|object| id_of(object.id())).collect();
    let (call, outcome) = match *call {
        Made::MakeResident { objects, outcome } => (GpuCall::MakeResident { objects: ids(objects) }, outcome),
        Made::EnqueueMakeResident { flags, objects, fence, value, outcome } => {
            let flags = if flags.contains(MakeResidentFlags::DENY_OVERBUDGET) {
                ResidencyFlags::DenyOverbudget
            } else {
                ResidencyFlags::None
            };
            let (objects, fence) = (ids(objects), id_of(fence));
            (GpuCall::EnqueueMakeResident { flags, objects, fence, value }, outcome)
        }
        Made::Evict { objects, outcome } => (GpuCall::Evict { objects: ids(objects) }, outcome),
        Made::SetResidencyPriority { objects, outcome } => {
            let pairs = objects.iter().map(|(object, priority)| (id_of(object.id()), priority.to_d3d12()));
            (GpuCall::SetResidencyPriority { objects: pairs.collect() }, outcome)
        }
        Made::SetBudget { node, group, budget, outcome } => {
            (GpuCall::SetBudget { node, group, budget }, outcome)
        }
        Made::SetVideoMemoryReservation { node, group, reservation, outcome } => {
            (GpuCall::SetVideoMemoryReservation { node, group, reservation }, outcome)
        }
        _ => return None,
    };
    Some((Call::Gpu { id: TraceId(0), call: Box::new(call) }, outcome_of(outcome)))
}

/// Descriptor heaps and views.
fn descriptor(call: &Made<'_>, heaps: &DescriptorHeaps) -> Option<(Call, RecordedOutcome)> {
    let none = TraceId(0);
    let (id, call, outcome) = match *call {
        Made::CreateDescriptorHeap { object, desc, outcome, .. } => {
            let call = GpuCall::CreateDescriptorHeap {
                heap_type: desc.heap_type,
                count: desc.descriptor_count,
                flags: desc.flags,
                node_mask: desc.node_mask,
            };
            (id_of(object), call, outcome)
        }
        Made::CreateShaderResourceView { resource, desc, at, outcome } => {
            let (at, resource) = (heaps.cpu(at), resource.map(id_of));
            (none, GpuCall::CreateShaderResourceView { at, resource, desc: desc.copied() }, outcome)
        }
        Made::CreateUnorderedAccessView { resource, counter, desc, at, outcome } => {
            let (at, resource, counter) = (heaps.cpu(at), resource.map(id_of), counter.map(id_of));
            let desc = desc.copied();
            (none, GpuCall::CreateUnorderedAccessView { at, resource, counter, desc }, outcome)
        }
        Made::CreateRenderTargetView { resource, desc, at, outcome } => {
            let (at, resource) = (heaps.cpu(at), resource.map(id_of));
            (none, GpuCall::CreateRenderTargetView { at, resource, desc: desc.copied() }, outcome)
        }
        Made::CreateDepthStencilView { resource, desc, at, outcome } => {
            let (at, resource) = (heaps.cpu(at), resource.map(id_of));
            (none, GpuCall::CreateDepthStencilView { at, resource, desc: desc.copied() }, outcome)
        }
        Made::CreateConstantBufferView { desc, place, at, outcome } => {
            let at = heaps.cpu(at);
            let size = desc.map_or(0, |desc| desc.size_in_bytes);
            let place = desc.map(|desc| address(desc.buffer_location.0, place));
            (none, GpuCall::CreateConstantBufferView { at, place, size }, outcome)
        }
        Made::CreateSampler { desc, at, outcome } => {
            (none, GpuCall::CreateSampler { at: heaps.cpu(at), desc: *desc }, outcome)
        }
        Made::CopyDescriptors { destination, source, heap_type, outcome } => {
            let (destination, source) = (heaps.ranges(destination), heaps.ranges(source));
            (none, GpuCall::CopyDescriptors { destination, source, heap_type }, outcome)
        }
        Made::CopyDescriptorsSimple { count, destination, source, heap_type, outcome } => {
            let (destination, source) = (heaps.cpu(destination), heaps.cpu(source));
            (none, GpuCall::CopyDescriptorsSimple { count, destination, source, heap_type }, outcome)
        }
        _ => return None,
    };
    Some((Call::Gpu { id, call: Box::new(call) }, outcome_of(outcome)))
}

fn address(address: u64, place: Option<(heapstone::ObjectId, u64)>) -> AddressPlace {
    match place {
        Some((object, offset)) => AddressPlace(Some(id_of(object)), offset),
        None => AddressPlace(None, address),
    }
}

fn location(location: CopyLocation) -> CopyLocationArguments {
    CopyLocationArguments { resource: id_of(location.resource), copy_type: location.copy_type }
}

fn command(command: &ListCommand<'_>, heaps: &DescriptorHeaps) -> Option<GpuCall> {
    Some(match *command {
        ListCommand::CopyBufferRegion { destination, destination_offset, source, source_offset, size } => {
            let (destination, source) = (id_of(destination), id_of(source));
            GpuCall::CopyBufferRegion { destination, destination_offset, source, source_offset, size }
        }
        ListCommand::CopyTextureRegion { destination, origin, source, source_box } => {
            let (destination, source) = (location(destination), location(source));
            GpuCall::CopyTextureRegion { destination, origin, source, source_box }
        }
        ListCommand::CopyResource { destination, source } => {
            GpuCall::CopyResource { destination: id_of(destination), source: id_of(source) }
        }
        ListCommand::ResourceBarrier { barriers } => {
            GpuCall::ResourceBarrier { barriers: barriers.iter().map(barrier).collect() }
        }
        ListCommand::Barrier { groups } => GpuCall::Barrier { groups: groups.iter().map(group).collect() },
        ListCommand::CopyTiles { tiled_resource, start, size, buffer, buffer_start_offset, flags } => {
            let (tiled_resource, buffer) = (id_of(tiled_resource), id_of(buffer));
            GpuCall::CopyTiles { tiled_resource, start, size, buffer, buffer_start_offset, flags }
        }
        ListCommand::WriteBufferImmediate { writes, places, modes } => {
            let places = places.iter().copied().chain(core::iter::repeat(None));
            let writes = writes.iter().zip(places);
            let writes = writes.map(|((at, value), place)| (address(at.0, place), *value)).collect();
            GpuCall::WriteBufferImmediate { writes, modes: modes.map(Into::into) }
        }
        ListCommand::DiscardResource { resource, region } => {
            let region = region.map(|region| DiscardRegionArguments {
                rects: region.rects.into(),
                first_subresource: region.first_subresource,
                num_subresources: region.num_subresources,
            });
            GpuCall::DiscardResource { resource: id_of(resource), region }
        }
        ListCommand::ResolveSubresource {
            destination,
            destination_subresource,
            source,
            source_subresource,
            format,
        } => {
            let (destination, source) = (id_of(destination), id_of(source));
            GpuCall::ResolveSubresource {
                destination,
                destination_subresource,
                source,
                source_subresource,
                format,
            }
        }
        ListCommand::ResolveSubresourceRegion { region } => GpuCall::ResolveSubresourceRegion {
            destination: id_of(region.destination.id()),
            destination_subresource: region.destination_subresource,
            x: region.x,
            y: region.y,
            source: id_of(region.source.id()),
            source_subresource: region.source_subresource,
            source_rect: region.source_rect,
            format: region.format,
            mode: region.mode,
        },
        ListCommand::SetPredication { buffer, op } => GpuCall::SetPredication {
            buffer: buffer.map(|(buffer, _)| id_of(buffer)),
            offset: buffer.map_or(0, |(_, offset)| offset),
            operation: op,
        },
        ListCommand::SetDescriptorHeaps { heaps } => {
            GpuCall::SetDescriptorHeaps { heaps: heaps.iter().map(|heap| id_of(heap.id())).collect() }
        }
        ListCommand::EndQuery { heap, query_type, index } => {
            GpuCall::EndQuery { query_heap: id_of(heap), query_type, index }
        }
        ListCommand::ResolveQueryData { heap, query_type, start_index, count, destination, offset } => {
            let (query_heap, destination) = (id_of(heap), id_of(destination));
            GpuCall::ResolveQueryData { query_heap, query_type, start_index, count, destination, offset }
        }
        _ => return clear(command, heaps),
    })
}

fn clear(command: &ListCommand<'_>, heaps: &DescriptorHeaps) -> Option<GpuCall> {
    Some(match *command {
        ListCommand::ClearRenderTargetView { view, color, rects } => {
            GpuCall::ClearRenderTargetView { view: heaps.cpu(view), color, rects: rects.into() }
        }
        ListCommand::ClearDepthStencilView { view, flags, depth, stencil, rects } => {
            let (view, rects) = (heaps.cpu(view), rects.into());
            GpuCall::ClearDepthStencilView { view, flags, depth, stencil, rects }
        }
        ListCommand::ClearUnorderedAccessViewUint { gpu_handle, cpu_handle, resource, values, rects } => {
            GpuCall::ClearUnorderedAccessViewUint {
                gpu_view: heaps.place(gpu_handle.ptr),
                view: heaps.cpu(cpu_handle),
                resource: id_of(resource),
                values,
                rects: rects.into(),
            }
        }
        ListCommand::ClearUnorderedAccessViewFloat { gpu_handle, cpu_handle, resource, values, rects } => {
            GpuCall::ClearUnorderedAccessViewFloat {
                gpu_view: heaps.place(gpu_handle.ptr),
                view: heaps.cpu(cpu_handle),
                resource: id_of(resource),
                values,
                rects: rects.into(),
            }
        }
        _ => return None,
    })
}

fn barrier(barrier: &ResourceBarrier<'_>) -> ResourceBarrierArguments {
    match *barrier {
        ResourceBarrier::Transition { resource, subresource, before, after, flags } => {
            let resource = id_of(resource.id());
            ResourceBarrierArguments::Transition { resource, subresource, before, after, flags }
        }
        ResourceBarrier::Aliasing { before, after, flags } => {
            let [before, after] = [before, after].map(|resource| resource.map(|one| id_of(one.id())));
            ResourceBarrierArguments::Aliasing { before, after, flags }
        }
        ResourceBarrier::Uav { resource, flags } => {
            ResourceBarrierArguments::Uav { resource: resource.map(|one| id_of(one.id())), flags }
        }
    }
}

fn group(group: &BarrierGroup<'_>) -> BarrierGroupArguments {
    match group {
        BarrierGroup::Global(barriers) => {
            let of = |barrier: &heapstone::GlobalBarrier| GlobalBarrierArguments {
                sync_before: barrier.sync_before,
                sync_after: barrier.sync_after,
                access_before: barrier.access_before,
                access_after: barrier.access_after,
            };
            BarrierGroupArguments::Global(barriers.iter().map(of).collect())
        }
        BarrierGroup::Texture(barriers) => {
            let of = |barrier: &heapstone::TextureBarrier<'_>| TextureBarrierArguments {
                sync_before: barrier.sync_before,
                sync_after: barrier.sync_after,
                access_before: barrier.access_before,
                access_after: barrier.access_after,
                layout_before: barrier.layout_before,
                layout_after: barrier.layout_after,
                resource: id_of(barrier.resource.id()),
                subresources: barrier.subresources,
                flags: barrier.flags,
            };
            BarrierGroupArguments::Texture(barriers.iter().map(of).collect())
        }
        BarrierGroup::Buffer(barriers) => {
            let of = |barrier: &heapstone::BufferBarrier<'_>| BufferBarrierArguments {
                sync_before: barrier.sync_before,
                sync_after: barrier.sync_after,
                access_before: barrier.access_before,
                access_after: barrier.access_after,
                resource: id_of(barrier.resource.id()),
                offset: barrier.offset,
                size: barrier.size,
            };
            BarrierGroupArguments::Buffer(barriers.iter().map(of).collect())
        }
    }
}
