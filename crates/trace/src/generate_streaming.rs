//! A program that streams textures, made from a seed: what keeps a GPU's memory system busy.
//!
//! ```text
//!   frame    copy queue                               direct queue
//!     n      map tiles, upload mips and tiles         wait for the copies, barriers, clear, timestamps
//!            signal n + 1 ------------------------->  now and then: move a texture to the other heap
//!   n + 3    the CPU waits for n + 1, and uses the frame's allocators and its part of the upload ring again
//! ```

use std::collections::VecDeque;

use heapstone::{InitialState, MapPointer, PlacedFootprint, TextureCopyType};
use heapstone_spec::commands::{
    ALL_SUBRESOURCES, CommandListType, CommandQueuePriority, FenceFlags, QueryHeapType, QueryType,
    ResourceBarrierFlags, TileCopyFlags,
};
use heapstone_spec::tiles::{TileMappingFlags, TileRangeFlags, TileRegionSize, TiledResourceCoordinate};
use heapstone_spec::views::{DescriptorHeapFlags, DescriptorHeapType};
use heapstone_spec::{
    ClearColor, ClearValue, Format, HeapDesc, HeapFlags, HeapProperties, HeapType, ResourceDesc,
    ResourceFlags, ResourceStates, SdkVersion, TextureLayout,
};
use heapstone_units::{ByteRange, KIB, MIB};

use crate::generate::XorShift;
use crate::gpu::{CopyLocationArguments, DescriptorPlaceArguments, GpuCall, ResourceBarrierArguments};
use crate::model::{Call, Record, ResourceArguments, TraceHeader, TraceId};

/// What a generated trace of streaming is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamingOptions {
    /// The same seed gives the same trace.
    pub seed: u64,
    /// Calls in it, header not counted.
    pub calls: u64,
    /// Textures that live at once, at most; at least 1 and at most 192.
    pub live: usize,
}

/// Frames that are in flight at once.
const FRAMES: u64 = 3;
/// Bytes of a frame's part of the upload ring: mips in front, tiles behind.
const RING_PART: u64 = 4 * MIB;
const RING_TILES: u64 = 2 * MIB;
/// Bytes of each heap of textures, and of a texture's place in it.
const HEAP_SIZE: u64 = 64 * MIB;
const SLOT_SIZE: u64 = 512 * KIB;
const TILE_SIZE: u64 = 64 * KIB;
/// Tiles of the heap that the large texture's tiles are in.
const TILE_COUNT: u32 = 256;
/// Tiles along each axis of the large texture: 128 x 128 texels of 4 bytes each.
const TILES_ACROSS: u32 = 32;
/// Texels along each axis of a texture that is streamed, and its mips.
const EXTENT: u32 = 256;
const MIPS: u32 = 4;

const FORMAT: Format = Format::R8G8B8A8_UNORM;

/// The objects that live from the first call on, by their numbers.
mod id {
    use crate::model::TraceId;

    pub(super) const DIRECT_QUEUE: TraceId = TraceId(1);
    pub(super) const COPY_QUEUE: TraceId = TraceId(2);
    pub(super) const DIRECT_FENCE: TraceId = TraceId(3);
    pub(super) const COPY_FENCE: TraceId = TraceId(4);
    pub(super) const UPLOAD: TraceId = TraceId(5);
    pub(super) const HEAPS: [TraceId; 2] = [TraceId(6), TraceId(7)];
    pub(super) const TILE_HEAP: TraceId = TraceId(8);
    pub(super) const TILED: TraceId = TraceId(9);
    pub(super) const TARGET: TraceId = TraceId(10);
    pub(super) const VIEWS: TraceId = TraceId(11);
    pub(super) const QUERIES: TraceId = TraceId(12);
    pub(super) const TIMES: TraceId = TraceId(13);
    /// An allocator and a list of each queue for each frame.
    pub(super) const DIRECT: [(TraceId, TraceId); 3] =
        [(TraceId(14), TraceId(15)), (TraceId(16), TraceId(17)), (TraceId(18), TraceId(19))];
    pub(super) const COPY: [(TraceId, TraceId); 3] =
        [(TraceId(20), TraceId(21)), (TraceId(22), TraceId(23)), (TraceId(24), TraceId(25))];
    pub(super) const FIRST_FREE: u64 = 26;
}

/// A texture that is streamed: its number, and which place of which heap it has.
#[derive(Clone, Copy, Debug)]
struct Texture {
    id: TraceId,
    heap: usize,
    slot: u64,
}

/// An iterator of the calls. Legal on every profile and SDK that has reserved resources and heaps of their
/// own for textures.
#[derive(Debug)]
pub struct StreamingGenerator {
    options: StreamingOptions,
    random: XorShift,
    next_id: u64,
    made: u64,
    frame: u64,
    pending: VecDeque<Call>,
    live: VecDeque<Texture>,
    /// Free places of the two heaps.
    free: [Vec<u64>; 2],
    /// What goes once the frame of that number is done.
    dying: VecDeque<(u64, Texture)>,
}

/// The calls of a made-up program that streams textures, with their header.
#[must_use]
pub fn generate_streaming(options: StreamingOptions) -> (TraceHeader, StreamingGenerator) {
    let header = TraceHeader {
        sdk: Some(SdkVersion::LATEST),
        source: Some(format!(
            "generated: streaming, seed {}, {} calls, {} live",
            options.seed, options.calls, options.live
        )),
        ..TraceHeader::new()
    };
    let slots = || (0..HEAP_SIZE / SLOT_SIZE).rev().collect();
    let mut generator = StreamingGenerator {
        options: StreamingOptions { live: options.live.clamp(1, 192), ..options },
        random: XorShift::new(options.seed),
        next_id: id::FIRST_FREE,
        made: 0,
        frame: 0,
        pending: VecDeque::new(),
        live: VecDeque::new(),
        free: [slots(), slots()],
        dying: VecDeque::new(),
    };
    generator.begin();
    (header, generator)
}

impl Iterator for StreamingGenerator {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        if self.made == self.options.calls {
            return None;
        }
        if self.pending.is_empty() {
            self.frame();
        }
        self.made += 1;
        self.pending.pop_front().map(Record::new)
    }
}

impl StreamingGenerator {
    fn push(&mut self, call: Call) {
        self.pending.push_back(call);
    }

    fn gpu(&mut self, id: TraceId, call: GpuCall) {
        self.push(Call::Gpu { id, call: Box::new(call) });
    }

    fn name(&mut self, id: TraceId, name: &str) {
        self.push(Call::SetName { id, name: name.into() });
    }

    /// What the program makes when it starts.
    fn begin(&mut self) {
        let priority = CommandQueuePriority::Normal;
        for (queue, list_type, name) in [
            (id::DIRECT_QUEUE, CommandListType::Direct, "frames"),
            (id::COPY_QUEUE, CommandListType::Copy, "uploads"),
        ] {
            self.gpu(queue, GpuCall::CreateCommandQueue { list_type, priority, node_mask: 0 });
            self.name(queue, name);
        }
        for fence in [id::DIRECT_FENCE, id::COPY_FENCE] {
            self.gpu(fence, GpuCall::CreateFence { initial_value: 0, flags: FenceFlags::empty() });
        }
        let ring = ResourceDesc::buffer(RING_PART * FRAMES);
        self.committed(id::UPLOAD, HeapType::Upload, ring, ResourceStates::GENERIC_READ, None);
        self.name(id::UPLOAD, "upload ring");
        self.push(Call::Map {
            id: id::UPLOAD,
            subresource: 0,
            read_range: Some(ByteRange::new(0, 0)),
            pointer: MapPointer::Wanted,
        });
        let textures = HeapFlags::ALLOW_ONLY_NON_RT_DS_TEXTURES;
        for heap in id::HEAPS {
            let desc = HeapDesc::new(HEAP_SIZE, HeapType::Default).with_flags(textures);
            self.push(Call::CreateHeap { id: heap, desc });
        }
        let desc = HeapDesc::new(u64::from(TILE_COUNT) * TILE_SIZE, HeapType::Default).with_flags(textures);
        self.push(Call::CreateHeap { id: id::TILE_HEAP, desc });
        let tiled = ResourceDesc::texture_2d(FORMAT, u64::from(TILES_ACROSS) * 128, TILES_ACROSS * 128)
            .with_layout(TextureLayout::Undefined64KbSwizzle);
        self.push(Call::CreateReservedResource { id: id::TILED, resource: ResourceArguments::new(tiled) });
        self.name(id::TILED, "virtual texture");
        self.begin_drawing();
        for (pairs, list_type) in [(id::DIRECT, CommandListType::Direct), (id::COPY, CommandListType::Copy)] {
            for (allocator, list) in pairs {
                self.gpu(allocator, GpuCall::CreateCommandAllocator { list_type });
                self.gpu(list, GpuCall::CreateCommandList { list_type, allocator: None });
            }
        }
    }

    /// A target with its view, and timestamps.
    fn begin_drawing(&mut self) {
        let target =
            ResourceDesc::texture_2d(FORMAT, 1280, 720).with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
        let clear = ClearValue { format: FORMAT, value: ClearColor::Color([0.0, 0.0, 0.0, 1.0]) };
        self.committed(id::TARGET, HeapType::Default, target, ResourceStates::RENDER_TARGET, Some(clear));
        let call = GpuCall::CreateDescriptorHeap {
            heap_type: DescriptorHeapType::Rtv,
            count: 1,
            flags: DescriptorHeapFlags::empty(),
            node_mask: 0,
        };
        self.gpu(id::VIEWS, call);
        let at = DescriptorPlaceArguments(Some(id::VIEWS), 0);
        let call = GpuCall::CreateRenderTargetView { at, resource: Some(id::TARGET), desc: None };
        self.gpu(TraceId(0), call);
        let call = GpuCall::CreateQueryHeap {
            heap_type: QueryHeapType::Timestamp,
            count: 2 * u32::try_from(FRAMES).unwrap_or(0),
            node_mask: 0,
        };
        self.gpu(id::QUERIES, call);
        let times = ResourceDesc::buffer(16 * FRAMES);
        self.committed(id::TIMES, HeapType::Readback, times, ResourceStates::COPY_DEST, None);
    }

    fn committed(
        &mut self,
        id: TraceId,
        heap_type: HeapType,
        desc: ResourceDesc,
        state: ResourceStates,
        clear_value: Option<ClearValue>,
    ) {
        self.push(Call::CreateCommittedResource {
            id,
            heap_properties: HeapProperties::new(heap_type),
            heap_flags: HeapFlags::empty(),
            resource: ResourceArguments {
                initial: InitialState::State(state),
                clear_value,
                ..ResourceArguments::new(desc)
            },
        });
    }

    fn frame(&mut self) {
        let slot = usize::try_from(self.frame % FRAMES).unwrap_or(0);
        let done = self.frame + 1;
        if self.frame >= FRAMES {
            let value = done - FRAMES;
            self.gpu(id::COPY_FENCE, GpuCall::FenceWait { value });
            self.gpu(id::DIRECT_FENCE, GpuCall::FenceWait { value });
            self.bury(value);
        }
        for (allocator, list) in [id::COPY[slot], id::DIRECT[slot]] {
            self.gpu(allocator, GpuCall::ResetCommandAllocator {});
            self.gpu(list, GpuCall::ResetCommandList { allocator });
        }
        let texture = self.upload(slot);
        self.map_tiles(slot);
        self.submit(id::COPY_QUEUE, id::COPY[slot].1, id::COPY_FENCE, done);
        self.gpu(id::DIRECT_QUEUE, GpuCall::QueueWait { fence: id::COPY_FENCE, value: done });
        self.draw(slot, texture);
        self.submit(id::DIRECT_QUEUE, id::DIRECT[slot].1, id::DIRECT_FENCE, done);
        self.frame += 1;
    }

    fn submit(&mut self, queue: TraceId, list: TraceId, fence: TraceId, value: u64) {
        self.gpu(list, GpuCall::CloseCommandList {});
        self.gpu(queue, GpuCall::ExecuteCommandLists { lists: Box::new([list]) });
        self.gpu(queue, GpuCall::QueueSignal { fence, value });
    }

    /// What the frames up to `done` used last goes.
    fn bury(&mut self, done: u64) {
        while let Some((frame, texture)) = self.dying.front().copied()
            && frame <= done
        {
            self.dying.pop_front();
            self.free[texture.heap].push(texture.slot);
            self.push(Call::Destroy { id: texture.id });
        }
    }

    /// A new texture, where there is room; the oldest goes where there are too many.
    fn texture(&mut self, heap: usize) -> Option<Texture> {
        let slot = self.free[heap].pop()?;
        let id = TraceId(self.next_id);
        self.next_id += 1;
        let desc = ResourceDesc::texture_2d(FORMAT, u64::from(EXTENT), EXTENT)
            .with_mip_levels(u16::try_from(MIPS).unwrap_or(1));
        self.push(Call::CreatePlacedResource {
            id,
            heap: id::HEAPS[heap],
            offset: slot * SLOT_SIZE,
            resource: ResourceArguments::new(desc),
        });
        Some(Texture { id, heap, slot })
    }

    /// Uploads a texture mip by mip.
    fn upload(&mut self, frame: usize) -> Option<TraceId> {
        if self.live.len() >= self.options.live
            && let Some(oldest) = self.live.pop_front()
        {
            self.dying.push_back((self.frame + 1, oldest));
        }
        let heap = usize::from(self.random.below(2) == 1);
        let texture = self.texture(heap)?;
        self.live.push_back(texture);
        let list = id::COPY[frame].1;
        let mut offset = self.ring(frame);
        for mip in 0..MIPS {
            let extent = EXTENT >> mip;
            let row_pitch = (extent * 4).next_multiple_of(256);
            let footprint = PlacedFootprint {
                offset,
                format: FORMAT,
                width: extent,
                height: extent,
                depth: 1,
                row_pitch,
            };
            let at = |resource, copy_type| CopyLocationArguments { resource, copy_type };
            let call = GpuCall::CopyTextureRegion {
                destination: at(texture.id, TextureCopyType::SubresourceIndex(mip)),
                origin: [0; 3],
                source: at(id::UPLOAD, TextureCopyType::PlacedFootprint(footprint)),
                source_box: None,
            };
            self.gpu(list, call);
            offset = (offset + u64::from(row_pitch) * u64::from(extent)).next_multiple_of(512);
        }
        Some(texture.id)
    }

    fn ring(&self, frame: usize) -> u64 {
        crate::error::as_u64(frame) * RING_PART
    }

    /// Shows some tiles of the large texture, or none where some were, and fills what is shown.
    fn map_tiles(&mut self, frame: usize) {
        let across = u64::from(TILES_ACROSS);
        let below = |random: &mut XorShift, bound: u64| u32::try_from(random.below(bound)).unwrap_or(0);
        let (x, y) = (below(&mut self.random, across - 1), below(&mut self.random, across - 1));
        let start = TiledResourceCoordinate::new(x, y, 0, 0);
        let size = TileRegionSize::boxed(2, 2, 1);
        let is_shown = self.frame % 8 != 7;
        let first = below(&mut self.random, u64::from(TILE_COUNT) - 4);
        let call = GpuCall::UpdateTileMappings {
            resource: id::TILED,
            region_start_coordinates: Some(Box::new([start])),
            region_sizes: Some(Box::new([size])),
            heap: is_shown.then_some(id::TILE_HEAP),
            range_flags: (!is_shown).then(|| Box::from([TileRangeFlags::NULL])),
            heap_range_start_offsets: is_shown.then(|| Box::from([first])),
            range_tile_counts: Some(Box::new([4])),
            flags: TileMappingFlags::empty(),
        };
        self.gpu(id::COPY_QUEUE, call);
        if is_shown {
            let call = GpuCall::CopyTiles {
                tiled_resource: id::TILED,
                start,
                size,
                buffer: id::UPLOAD,
                buffer_start_offset: self.ring(frame) + RING_TILES,
                flags: TileCopyFlags::LINEAR_BUFFER_TO_SWIZZLED_TILED_RESOURCE,
            };
            self.gpu(id::COPY[frame].1, call);
        }
    }

    /// What the direct queue does with what came, and its timestamps.
    fn draw(&mut self, frame: usize, texture: Option<TraceId>) {
        let list = id::DIRECT[frame].1;
        let query = u32::try_from(2 * frame).unwrap_or(0);
        let query_type = QueryType::Timestamp;
        self.gpu(list, GpuCall::EndQuery { query_heap: id::QUERIES, query_type, index: query });
        let readable = ResourceStates::PIXEL_SHADER_RESOURCE;
        if let Some(texture) = texture {
            self.transition(list, texture, ResourceStates::COMMON, readable);
        }
        let call = GpuCall::ClearRenderTargetView {
            view: DescriptorPlaceArguments(Some(id::VIEWS), 0),
            color: [0.0, 0.0, 0.0, 1.0],
            rects: Box::default(),
        };
        self.gpu(list, call);
        if self.frame % 4 == 3 {
            self.defragment(list, readable);
        }
        let index = query + 1;
        self.gpu(list, GpuCall::EndQuery { query_heap: id::QUERIES, query_type, index });
        let call = GpuCall::ResolveQueryData {
            query_heap: id::QUERIES,
            query_type,
            start_index: query,
            count: 2,
            destination: id::TIMES,
            offset: u64::from(query) * 8,
        };
        self.gpu(list, call);
    }

    fn transition(
        &mut self,
        list: TraceId,
        resource: TraceId,
        before: ResourceStates,
        after: ResourceStates,
    ) {
        let barrier = ResourceBarrierArguments::Transition {
            resource,
            subresource: ALL_SUBRESOURCES,
            before,
            after,
            flags: ResourceBarrierFlags::empty(),
        };
        self.gpu(list, GpuCall::ResourceBarrier { barriers: Box::new([barrier]) });
    }

    /// Moves the oldest texture to the other heap.
    fn defragment(&mut self, list: TraceId, readable: ResourceStates) {
        let Some(old) = self.live.front().copied() else { return };
        let Some(new) = self.texture(1 - old.heap) else { return };
        self.live.pop_front();
        self.transition(list, old.id, readable, ResourceStates::COPY_SOURCE);
        self.gpu(list, GpuCall::CopyResource { destination: new.id, source: old.id });
        self.transition(list, new.id, ResourceStates::COPY_DEST, readable);
        self.live.push_back(new);
        self.dying.push_back((self.frame + 1, old));
    }
}
