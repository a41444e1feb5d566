//! The real thing: a device with three queues, and the calls of a program's steps on it.

use std::collections::BTreeMap;

use heapstone::spec::commands::{
    BarrierAccess, BarrierSubresourceRange, BarrierSync, CommandListType, FenceFlags, QueryHeapDesc,
    QueryHeapType, QueryType, TextureBarrierFlags, TileCopyFlags,
};
use heapstone::spec::tiles::TileMappingFlags;
use heapstone::spec::views::{CpuDescriptorHandle, DescriptorHeapDesc, DescriptorHeapType};
use heapstone::{
    Adapter, BarrierGroup, BarrierLayout, BufferBarrier, CommandAllocator, CommandList, CommandQueue,
    CommandQueueDesc, CommittedResourceDesc, DescriptorHeap, Device, Error, FaultPlan, FaultStatistics,
    Fence, GlobalBarrier, GpuMode, Heap, HeapType, InitialState, PlacedResourceDesc, ReservedResourceDesc,
    ResolveRegion, Resource, ResourceBarrier, ResourceDesc, ResourceFlags, ResourceStates, Seeded, StepUnit,
    TextureBarrier, TextureCopyLocation, UpdateTileMappingsDesc,
};

use crate::program::{ClearValues, Command, Location, QUEUES, QueueIndex, Slot, Step, TileUpdate};
use crate::run::Mode;
use crate::source::Source;
use crate::sync::Needs;

/// The types of the queues.
pub(crate) const QUEUE_TYPES: [CommandListType; QUEUES] =
    [CommandListType::Direct, CommandListType::Compute, CommandListType::Copy];

/// Descriptors of each heap; views are written anew for every command.
const DESCRIPTORS: u32 = 64;

/// The value of the fences that go back, before they do.
const BACK_BEGIN: u64 = 1 << 32;

/// Heaps for the views that clears take.
struct Views {
    rtv: DescriptorHeap,
    dsv: DescriptorHeap,
    /// Which the CPU reads.
    uav: DescriptorHeap,
    shader_visible: DescriptorHeap,
    next: u32,
}

pub(crate) struct Machine {
    pub(crate) device: Device,
    queues: Vec<CommandQueue>,
    fences: Vec<Fence>,
    /// Last signalled.
    values: Needs,
    /// The CPU's, and what queues wait for there.
    gate: (Fence, u64),
    /// Of each queue one that goes back, and how often it did.
    back: Vec<(Fence, u64)>,
    /// The last timestamp that each queue took.
    times: [u64; QUEUES],
    /// What each queue waits for already.
    waited: [Needs; QUEUES],
    pub(crate) resources: BTreeMap<Slot, Resource>,
    heaps: BTreeMap<Slot, Heap>,
    views: Views,
    /// Of the mode Stepped: who goes on while the CPU waits, and while it does not.
    order: Option<(Seeded, Source<'static>)>,
    readback: Option<Resource>,
}

impl Machine {
    /// Whether the bytes of heaps move is the adapter's.
    pub(crate) fn new(adapter: &Adapter, mode: Mode, faults: Option<FaultPlan>) -> Result<Machine, Error> {
        let (gpu_mode, order) = match mode {
            Mode::Immediate => (GpuMode::Immediate, None),
            Mode::Threaded => (GpuMode::Threaded, None),
            Mode::Stepped(seed) => (GpuMode::Stepped, Some((Seeded::new(seed), Source::from_seed(seed)))),
        };
        let device = Device::builder().adapter(adapter).gpu_mode(gpu_mode).build()?;
        let queue = |list_type| device.create_command_queue(&CommandQueueDesc::new(list_type));
        let queues = QUEUE_TYPES.into_iter().map(queue).collect::<Result<_, _>>()?;
        let fence = |_| device.create_fence(0, FenceFlags::empty());
        let fences = (0..QUEUES).map(fence).collect::<Result<_, _>>()?;
        let gate = device.create_fence(0, FenceFlags::empty())?;
        let back = |_| Ok((device.create_fence(BACK_BEGIN, FenceFlags::empty())?, 0));
        let back = (0..QUEUES).map(back).collect::<Result<_, Error>>()?;
        let of = |heap_type| DescriptorHeapDesc::new(heap_type, DESCRIPTORS);
        let views = Views {
            rtv: device.create_descriptor_heap(&of(DescriptorHeapType::Rtv))?,
            dsv: device.create_descriptor_heap(&of(DescriptorHeapType::Dsv))?,
            uav: device.create_descriptor_heap(&of(DescriptorHeapType::CbvSrvUav))?,
            shader_visible: device
                .create_descriptor_heap(&of(DescriptorHeapType::CbvSrvUav).shader_visible())?,
            next: 0,
        };
        if faults.is_some() {
            device.adapter().inject_faults(faults);
        }
        Ok(Machine {
            device,
            queues,
            fences,
            values: [0; QUEUES],
            gate: (gate, 0),
            back,
            times: [0; QUEUES],
            waited: [[0; QUEUES]; QUEUES],
            resources: BTreeMap::new(),
            heaps: BTreeMap::new(),
            views,
            order,
            readback: None,
        })
    }

    pub(crate) fn heaps(&self) -> impl Iterator<Item = &Heap> {
        self.heaps.values()
    }

    /// Steps that create and destroy.
    pub(crate) fn object(&mut self, step: &Step) -> Result<(), Error> {
        match step {
            Step::CreateHeap { heap, desc } => {
                let made = created(&self.device, |device| device.create_heap(desc))?;
                self.heaps.insert(*heap, made);
            }
            Step::DestroyHeap { heap } => {
                self.heaps.remove(heap);
            }
            Step::DestroyResource { resource } => {
                self.resources.remove(resource);
            }
            Step::CreateCommitted { resource, properties, desc } => {
                let desc = CommittedResourceDesc {
                    heap_properties: *properties,
                    initial: InitialState::for_heap_type(properties.heap_type),
                    ..CommittedResourceDesc::new(HeapType::Default, *desc)
                };
                let made = created(&self.device, |device| device.create_committed_resource(&desc))?;
                self.resources.insert(*resource, made);
            }
            Step::CreatePlaced { resource, heap, offset, desc } => {
                let heap = &self.heaps[heap];
                let initial = InitialState::for_heap_type(heap.desc().properties.heap_type);
                let desc = PlacedResourceDesc { initial, ..PlacedResourceDesc::new(*desc) };
                let made =
                    created(&self.device, |device| device.create_placed_resource(heap, *offset, &desc))?;
                self.resources.insert(*resource, made);
            }
            Step::CreateReserved { resource, desc } => {
                let desc = ReservedResourceDesc::new(*desc);
                let made = created(&self.device, |device| device.create_reserved_resource(&desc))?;
                self.resources.insert(*resource, made);
            }
            _ => {}
        }
        Ok(())
    }

    /// Makes a queue wait for what others have to have done.
    pub(crate) fn wait_on(&mut self, queue: QueueIndex, needs: &Needs) -> Result<(), Error> {
        for other in (0..QUEUES).filter(|other| *other != queue) {
            if needs[other] > self.waited[queue][other] {
                self.queues[queue].wait(&self.fences[other], needs[other])?;
                self.waited[queue][other] = needs[other];
            }
        }
        Ok(())
    }

    /// Has a queue's fence say when all that is pending there is done; the value it takes.
    pub(crate) fn signal(&mut self, queue: QueueIndex) -> Result<u64, Error> {
        self.values[queue] += 1;
        self.queues[queue].signal(&self.fences[queue], self.values[queue])?;
        self.wander()?;
        Ok(self.values[queue])
    }

    /// In the mode Stepped some queue goes on a bit, or none.
    fn wander(&mut self) -> Result<(), Error> {
        let Some((_, wander)) = &mut self.order else { return Ok(()) };
        for _ in 0..wander.below(4) {
            wander.pick(&self.queues).step(StepUnit::Command)?;
        }
        Ok(())
    }

    /// `after` waits for a value that a fence of `before` takes and loses at once.
    pub(crate) fn order_back(&mut self, before: QueueIndex, after: QueueIndex) -> Result<(), Error> {
        let (fence, count) = &mut self.back[before];
        *count += 1;
        // Never had before, so that nobody goes on too early; and less than ever.
        let (high, low) = (BACK_BEGIN + *count, BACK_BEGIN - *count);
        if before != after {
            self.queues[after].wait(fence, high)?;
        }
        self.queues[before].signal(fence, high)?;
        self.queues[before].signal(fence, low)?;
        self.waited[after][before] = self.values[before];
        // What the CPU waits for has the signals behind it.
        self.signal(before).map(drop)
    }

    /// Of each fence that goes back its value, and the one that it has once all is done.
    pub(crate) fn back_values(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.back.iter().map(|(fence, count)| (fence.completed_value(), BACK_BEGIN - count))
    }

    /// Two timestamps of a list with a copy between them, and the last one of the queue before: in ticks.
    pub(crate) fn timestamps(&mut self, queue: QueueIndex, copied: u64) -> Result<[u64; 3], Error> {
        let list_type = QUEUE_TYPES[queue];
        let heap_type = if list_type == CommandListType::Copy {
            QueryHeapType::CopyQueueTimestamp
        } else {
            QueryHeapType::Timestamp
        };
        let desc = QueryHeapDesc { heap_type, count: 2, node_mask: 0 };
        let heap = created(&self.device, |device| device.create_query_heap(&desc))?;
        let readback = self.committed(HeapType::Readback, ResourceDesc::buffer(16))?;
        let bytes = self.committed(HeapType::Default, ResourceDesc::buffer(2 * copied.max(1)))?;
        let (_allocator, mut list) = self.list(queue)?;
        list.end_query(&heap, QueryType::Timestamp, 0)?;
        list.copy_buffer_region(&bytes, copied, &bytes, 0, copied)?;
        list.end_query(&heap, QueryType::Timestamp, 1)?;
        list.resolve_query_data(&heap, QueryType::Timestamp, 0, 2, &readback, 0)?;
        list.close()?;
        self.execute(queue, &[&list])?;
        let mut needs = Needs::default();
        needs[queue] = self.signal(queue)?;
        self.wait_here(&needs)?;
        let mut times = [[0; 8]; 2];
        readback.read(0, times.as_flattened_mut())?;
        let [begin, end] = times.map(u64::from_le_bytes);
        Ok([core::mem::replace(&mut self.times[queue], end), begin, end])
    }

    /// A queue waits for the next [`Machine::release`].
    pub(crate) fn hold(&mut self, queue: QueueIndex) -> Result<(), Error> {
        self.gate.1 += 1;
        self.queues[queue].wait(&self.gate.0, self.gate.1)
    }

    /// Lets all queues go that are held.
    pub(crate) fn release(&self) -> Result<(), Error> {
        self.gate.0.signal(self.gate.1)
    }

    /// The CPU waits.
    pub(crate) fn wait_here(&mut self, needs: &Needs) -> Result<(), Error> {
        if needs.iter().any(|value| *value > 0) {
            self.release()?;
        }
        for (queue, value) in needs.iter().enumerate().filter(|(_, value)| **value > 0) {
            if let Some((order, _)) = &mut self.order {
                self.device.run_until_by(&self.fences[queue], *value, StepUnit::Command, order)?;
            }
            self.fences[queue].wait(*value)?;
        }
        self.device.removed_reason().map_or(Ok(()), |reason| Err(reason.clone().into()))
    }

    /// The CPU waits for everything.
    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        self.wait_here(&self.values.clone())
    }

    pub(crate) const fn values(&self) -> Needs {
        self.values
    }

    pub(crate) fn list(&self, queue: QueueIndex) -> Result<(CommandAllocator, CommandList), Error> {
        let allocator = self.device.create_command_allocator(QUEUE_TYPES[queue])?;
        let mut list = self.device.create_command_list(QUEUE_TYPES[queue], &allocator)?;
        if queue != 2 {
            list.set_descriptor_heaps(&[&self.views.shader_visible])?;
        }
        Ok((allocator, list))
    }

    pub(crate) fn execute(&self, queue: QueueIndex, lists: &[&CommandList]) -> Result<(), Error> {
        self.queues[queue].execute_command_lists(lists)
    }

    pub(crate) fn update(&self, queue: QueueIndex, slot: Slot, update: &TileUpdate) -> Result<(), Error> {
        let desc = UpdateTileMappingsDesc {
            region_start_coordinates: update.starts.as_deref(),
            region_sizes: update.sizes.as_deref(),
            heap: update.heap.map(|heap| &self.heaps[&heap]),
            range_flags: update.flags.as_deref(),
            heap_range_start_offsets: update.offsets.as_deref(),
            range_tile_counts: update.counts.as_deref(),
            flags: TileMappingFlags::empty(),
        };
        self.queues[queue].update_tile_mappings(&self.resources[&slot], &desc)
    }

    pub(crate) fn copy_mappings(&self, step: &Step) -> Result<(), Error> {
        let Step::CopyTileMappings { queue, destination, destination_start, source, source_start, size } =
            step
        else {
            return Ok(());
        };
        self.queues[*queue].copy_tile_mappings(
            &self.resources[destination],
            destination_start,
            &self.resources[source],
            source_start,
            size,
            TileMappingFlags::empty(),
        )
    }

    fn location(&self, location: &Location) -> TextureCopyLocation<'_> {
        match location {
            Location::Subresource(slot, index) => {
                TextureCopyLocation::subresource(&self.resources[slot], *index)
            }
            Location::Rows(slot, footprint) => {
                TextureCopyLocation::footprint(&self.resources[slot], *footprint)
            }
        }
    }

    /// The next descriptor of a heap.
    fn descriptor(&self, heap: &DescriptorHeap) -> CpuDescriptorHandle {
        let increment = self.device.descriptor_handle_increment_size(heap.desc().heap_type);
        heap.cpu_start().offset(self.views.next % DESCRIPTORS, increment)
    }

    /// Records a command, all of whose resources are alive.
    pub(crate) fn record(&mut self, list: &mut CommandList, command: &Command) -> Result<(), Error> {
        self.views.next += 1;
        let resources = &self.resources;
        match command {
            Command::CopyBuffer { destination, destination_offset, source, source_offset, size } => list
                .copy_buffer_region(
                    &resources[destination],
                    *destination_offset,
                    &resources[source],
                    *source_offset,
                    *size,
                ),
            Command::CopyTexture { destination, origin: [x, y, z], source, source_box } => list
                .copy_texture_region(
                    &self.location(destination),
                    *x,
                    *y,
                    *z,
                    &self.location(source),
                    source_box.as_ref(),
                ),
            Command::CopyResource { destination, source } => {
                list.copy_resource(&resources[destination], &resources[source])
            }
            Command::CopyTiles { tiled, start, size, buffer, offset, to_tiles } => {
                let flags = if *to_tiles {
                    TileCopyFlags::LINEAR_BUFFER_TO_SWIZZLED_TILED_RESOURCE
                } else {
                    TileCopyFlags::SWIZZLED_TILED_RESOURCE_TO_LINEAR_BUFFER
                };
                list.copy_tiles(&resources[tiled], start, size, &resources[buffer], *offset, flags)
            }
            Command::ClearRenderTarget { resource, view, color, rects } => {
                let at = self.descriptor(&self.views.rtv);
                self.device.create_render_target_view(Some(&resources[resource]), Some(view), at)?;
                list.clear_render_target_view(at, *color, rects)
            }
            Command::ClearDepthStencil { resource, view, flags, depth, stencil, rects } => {
                let at = self.descriptor(&self.views.dsv);
                self.device.create_depth_stencil_view(Some(&resources[resource]), Some(view), at)?;
                list.clear_depth_stencil_view(at, *flags, *depth, *stencil, rects)
            }
            Command::ClearUnordered { resource, view, values, rects } => {
                let at = self.descriptor(&self.views.uav);
                let resource = &resources[resource];
                self.device.create_unordered_access_view(Some(resource), None, Some(view), at)?;
                let gpu = self.views.shader_visible.gpu_start()?;
                match *values {
                    ClearValues::Uint(values) => {
                        list.clear_unordered_access_view_uint(gpu, at, resource, values, rects)
                    }
                    ClearValues::Float(values) => {
                        list.clear_unordered_access_view_float(gpu, at, resource, values, rects)
                    }
                }
            }
            Command::Resolve(resolve) => list.resolve_subresource_region(&ResolveRegion {
                destination: &resources[&resolve.destination],
                destination_subresource: resolve.destination_subresource,
                x: resolve.origin[0],
                y: resolve.origin[1],
                source: &resources[&resolve.source],
                source_subresource: resolve.source_subresource,
                source_rect: resolve.rect,
                format: resolve.format,
                mode: resolve.mode,
            }),
            Command::WriteImmediate { resource, writes } => {
                let base = resources[resource].gpu_virtual_address().0;
                let at = |offset: u64| heapstone::GpuVirtualAddress(base.wrapping_add(offset));
                let writes: Vec<_> = writes.iter().map(|(offset, value)| (at(*offset), *value)).collect();
                list.write_buffer_immediate(&writes, None)
            }
            Command::SetPredication { buffer, op } => {
                let buffer = buffer.map(|(slot, offset)| (&resources[&slot], offset));
                list.set_predication(buffer, *op)
            }
            Command::Discard { resource } => list.discard_resource(&resources[resource], None),
            Command::Transition { resource } => list.resource_barrier(&[ResourceBarrier::transition(
                &resources[resource],
                ResourceStates::COPY_SOURCE,
                ResourceStates::COPY_DEST,
            )]),
            Command::EnhancedBarrier { resource, is_of_other_kind } => {
                let resource = resource.map(|slot| &resources[&slot]);
                enhanced_barrier(list, resource, *is_of_other_kind)
            }
            Command::AliasingBarrier => list.resource_barrier(&[ResourceBarrier::aliasing(None, None)]),
            Command::UavBarrier => list.resource_barrier(&[ResourceBarrier::uav(None)]),
        }
    }

    /// What faults did.
    pub(crate) fn fault_statistics(&self) -> FaultStatistics {
        self.device.adapter().fault_statistics()
    }

    fn committed(&self, heap_type: HeapType, desc: ResourceDesc) -> Result<Resource, Error> {
        let desc = CommittedResourceDesc::new(heap_type, desc);
        created(&self.device, |device| device.create_committed_resource(&desc))
    }

    /// A READBACK buffer of at least that size.
    fn readback(&mut self, size: u64) -> Result<Resource, Error> {
        if let Some(kept) = self.readback.as_ref().filter(|kept| kept.desc().width >= size) {
            return Ok(kept.clone());
        }
        let desc = ResourceDesc::buffer(size.next_multiple_of(1 << 18));
        let made = self.committed(HeapType::Readback, desc)?;
        self.readback = Some(made.clone());
        Ok(made)
    }

    /// Bytes that a list of the direct queue leaves in a READBACK buffer; all else was waited for.
    pub(crate) fn read_by(
        &mut self,
        size: u64,
        record: impl FnOnce(&mut CommandList, &Resource) -> Result<(), Error>,
    ) -> Result<Vec<u8>, Error> {
        let readback = self.readback(size)?;
        let (_allocator, mut list) = self.list(0)?;
        record(&mut list, &readback)?;
        list.close()?;
        self.execute(0, &[&list])?;
        let mut needs = Needs::default();
        needs[0] = self.signal(0)?;
        self.wait_here(&needs)?;
        let mut bytes = vec![0; usize::try_from(size).expect("invariant: a program's resources are small")];
        readback.read(0, &mut bytes)?;
        Ok(bytes)
    }

    /// A reserved twin of a multisampled texture, all of whose tiles are mapped: CopyTiles tells its samples. And
    /// how many tiles it has.
    pub(crate) fn twin(&mut self, desc: &ResourceDesc) -> Result<Option<(Resource, Heap, u32)>, Error> {
        let desc = ResourceDesc {
            layout: heapstone::TextureLayout::Undefined64KbSwizzle,
            alignment: 0,
            flags: desc.flags.difference(ResourceFlags::USE_TIGHT_ALIGNMENT),
            ..*desc
        };
        // Not every format and profile has such.
        let desc = ReservedResourceDesc::new(desc);
        let Ok(twin) = created(&self.device, |device| device.create_reserved_resource(&desc)) else {
            return Ok(None);
        };
        let tiles = self.device.get_resource_tiling(&twin, 0, &mut [])?.total_tiles;
        let mut heap_desc = heapstone::HeapDesc::new(u64::from(tiles) * 65_536, HeapType::Default);
        if self.device.caps().resource_heap_tier == heapstone::spec::caps::ResourceHeapTier::Tier1 {
            heap_desc = heap_desc.with_flags(heapstone::HeapFlags::ALLOW_ONLY_RT_DS_TEXTURES);
        }
        let heap = created(&self.device, |device| device.create_heap(&heap_desc))?;
        let update = UpdateTileMappingsDesc {
            heap: Some(&heap),
            heap_range_start_offsets: Some(&[0]),
            ..UpdateTileMappingsDesc::default()
        };
        self.queues[0].update_tile_mappings(&twin, &update)?;
        Ok(Some((twin, heap, tiles)))
    }
}

/// What a call creates. Where a fault refuses it, it is made again: nothing has changed, so that it is as if there had
/// been no fault.
fn created<Made>(device: &Device, create: impl Fn(&Device) -> Result<Made, Error>) -> Result<Made, Error> {
    loop {
        let refused_count = device.adapter().fault_statistics().refused_count;
        match create(device) {
            Err(Error::OutOfMemory(_))
                if device.adapter().fault_statistics().refused_count > refused_count => {}
            result => return result,
        }
    }
}

/// A barrier between COMMON and COMMON, which every type of lists and of heaps has.
fn enhanced_barrier(
    list: &mut CommandList,
    resource: Option<&Resource>,
    is_of_other_kind: bool,
) -> Result<(), Error> {
    let (sync_before, sync_after) = (BarrierSync::ALL, BarrierSync::ALL);
    let (access_before, access_after) = (BarrierAccess::empty(), BarrierAccess::empty());
    let Some(resource) = resource else {
        let barrier = GlobalBarrier { sync_before, sync_after, access_before, access_after };
        return list.barrier(&[BarrierGroup::Global(&[barrier])]);
    };
    if resource.desc().is_buffer() != is_of_other_kind {
        return list.barrier(&[BarrierGroup::Buffer(&[BufferBarrier {
            sync_before,
            sync_after,
            access_before,
            access_after,
            resource,
            offset: 0,
            size: u64::MAX,
        }])]);
    }
    list.barrier(&[BarrierGroup::Texture(&[TextureBarrier {
        sync_before,
        sync_after,
        access_before,
        access_after,
        layout_before: BarrierLayout::Common,
        layout_after: BarrierLayout::Common,
        resource,
        subresources: BarrierSubresourceRange::ALL,
        flags: TextureBarrierFlags::empty(),
    }])])
}
