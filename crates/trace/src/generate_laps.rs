//! A program whose camera goes round a course, made from a seed: what needs more video memory than it is given.
//!
//! ```text
//!   cells      0  1  2  3  4  5  ...      a buffer each, of its own heap; two frames for a cell
//!   frame      .  [  at  ]  ]  .  .       reads the cell it is at, the one behind and two ahead; writes one at its first visit
//!   interior   entered half-way round: its heap is made resident by the program, and evicted when it is left
//! ```
//! Cells are left to whoever manages residency for the program; the heaps of the two interiors are managed by itself, with
//! EnqueueMakeResident and Evict, and what every frame writes has a high priority.

use std::collections::{BTreeSet, VecDeque};

use heapstone::ResidencyPriority;
use heapstone_spec::commands::{CommandListType, CommandQueuePriority, FenceFlags, ResidencyFlags};
use heapstone_spec::{
    HeapDesc, HeapFlags, HeapProperties, HeapType, ResourceDesc, ResourceStates, SdkVersion,
};
use heapstone_units::{KIB, MIB};

use crate::generate::XorShift;
use crate::gpu::GpuCall;
use crate::model::{Call, Record, ResourceArguments, TraceHeader, TraceId};

/// What a generated trace of laps is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LapsOptions {
    /// The same seed gives the same trace.
    pub seed: u64,
    /// Calls in it, header not counted.
    pub calls: u64,
    /// Cells of the course; at least 4 and at most 4096.
    pub cells: usize,
}

/// Frames that the camera takes for a cell.
const FRAMES_PER_CELL: u64 = 2;
/// Frames that are in flight at once.
const FRAMES_IN_FLIGHT: u64 = 2;
/// Frames that the program stays in an interior.
const FRAMES_INSIDE: u64 = 4;
/// Bytes that a frame copies of each cell.
const READ_SIZE: u64 = 64 * KIB;
const TARGET_SIZE: u64 = 4 * MIB;
const INTERIOR_SIZE: u64 = 16 * MIB;

/// The objects that live from the first call on, by their numbers.
mod id {
    use crate::model::TraceId;

    pub(super) const QUEUE: TraceId = TraceId(1);
    pub(super) const FENCE: TraceId = TraceId(2);
    /// Of paging.
    pub(super) const PAGING: TraceId = TraceId(3);
    pub(super) const UPLOAD: TraceId = TraceId(4);
    pub(super) const TARGET: TraceId = TraceId(5);
    /// A heap for each interior, and the buffer in it.
    pub(super) const INTERIORS: [(TraceId, TraceId); 2] =
        [(TraceId(6), TraceId(7)), (TraceId(8), TraceId(9))];
    /// An allocator and a list for each frame in flight.
    pub(super) const LISTS: [(TraceId, TraceId); 2] =
        [(TraceId(10), TraceId(11)), (TraceId(12), TraceId(13))];
    pub(super) const FIRST_CELL: u64 = 14;
}

/// An iterator of the calls. Legal on every profile.
#[derive(Debug)]
pub struct LapsGenerator {
    calls: u64,
    cells: u64,
    made: u64,
    frame: u64,
    pending: VecDeque<Call>,
    /// Cells that have been written.
    visited: BTreeSet<u64>,
    /// How often an interior was entered.
    entered: u64,
    /// The frame in which the interior was entered that the program is in.
    inside_since: Option<u64>,
}

/// The calls of a made-up program that goes round a course, with their header.
#[must_use]
pub fn generate_laps(options: LapsOptions) -> (TraceHeader, LapsGenerator) {
    let LapsOptions { seed, calls, cells } = options;
    let header = TraceHeader {
        sdk: Some(SdkVersion::LATEST),
        source: Some(format!("generated: laps, seed {seed}, {calls} calls, {cells} cells")),
        ..TraceHeader::new()
    };
    let cells = crate::error::as_u64(cells.clamp(4, 4096));
    let mut generator = LapsGenerator {
        calls,
        cells,
        made: 0,
        frame: 0,
        pending: VecDeque::new(),
        visited: BTreeSet::new(),
        entered: 0,
        inside_since: None,
    };
    generator.begin(&mut XorShift::new(seed));
    (header, generator)
}

impl Iterator for LapsGenerator {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        if self.made == self.calls {
            return None;
        }
        if self.pending.is_empty() {
            self.frame();
        }
        self.made += 1;
        self.pending.pop_front().map(Record::new)
    }
}

/// The interior of the n-th visit: one and the other by turns.
fn interior(visit: u64) -> (TraceId, TraceId) {
    if visit.is_multiple_of(2) { id::INTERIORS[0] } else { id::INTERIORS[1] }
}

impl LapsGenerator {
    fn push(&mut self, call: Call) {
        self.pending.push_back(call);
    }

    fn gpu(&mut self, id: TraceId, call: GpuCall) {
        self.push(Call::Gpu { id, call: Box::new(call) });
    }

    fn residency(&mut self, call: GpuCall) {
        self.gpu(TraceId(0), call);
    }

    fn cell(&self, number: u64) -> TraceId {
        TraceId(id::FIRST_CELL + number % self.cells)
    }

    /// What the program makes when it starts.
    fn begin(&mut self, random: &mut XorShift) {
        let (list_type, priority) = (CommandListType::Direct, CommandQueuePriority::Normal);
        self.gpu(id::QUEUE, GpuCall::CreateCommandQueue { list_type, priority, node_mask: 0 });
        for fence in [id::FENCE, id::PAGING] {
            self.gpu(fence, GpuCall::CreateFence { initial_value: 0, flags: FenceFlags::empty() });
        }
        self.buffer(id::UPLOAD, HeapType::Upload, READ_SIZE, "upload");
        self.buffer(id::TARGET, HeapType::Default, TARGET_SIZE, "target");
        let high = ResidencyPriority::HIGH.to_d3d12();
        self.residency(GpuCall::SetResidencyPriority { objects: [(id::TARGET, high)].into() });
        for (heap, buffer) in id::INTERIORS {
            let flags = HeapFlags::ALLOW_ONLY_BUFFERS | HeapFlags::CREATE_NOT_RESIDENT;
            let desc = HeapDesc::new(INTERIOR_SIZE, HeapType::Default).with_flags(flags);
            self.push(Call::CreateHeap { id: heap, desc });
            self.push(Call::SetName { id: heap, name: "interior".into() });
            let resource = ResourceArguments::new(ResourceDesc::buffer(INTERIOR_SIZE));
            self.push(Call::CreatePlacedResource { id: buffer, heap, offset: 0, resource });
        }
        for (allocator, list) in id::LISTS {
            self.gpu(allocator, GpuCall::CreateCommandAllocator { list_type });
            self.gpu(list, GpuCall::CreateCommandList { list_type, allocator: None });
        }
        for number in 0..self.cells {
            let size = MIB * (1 + random.below(8));
            self.buffer(self.cell(number), HeapType::Default, size, &format!("cell {number}"));
        }
    }

    fn buffer(&mut self, id: TraceId, heap_type: HeapType, size: u64, name: &str) {
        let state = match heap_type {
            HeapType::Upload => ResourceStates::GENERIC_READ,
            _ => ResourceStates::COMMON,
        };
        self.push(Call::CreateCommittedResource {
            id,
            heap_properties: HeapProperties::new(heap_type),
            heap_flags: HeapFlags::empty(),
            resource: ResourceArguments::new(ResourceDesc::buffer(size)).with_state(state),
        });
        self.push(Call::SetName { id, name: name.into() });
    }

    fn frame(&mut self) {
        let frame = self.frame;
        self.frame += 1;
        if frame >= FRAMES_IN_FLIGHT {
            self.gpu(id::FENCE, GpuCall::FenceWait { value: frame + 1 - FRAMES_IN_FLIGHT });
        }
        let at = frame / FRAMES_PER_CELL;
        let is_half_way = at % self.cells == self.cells / 2 && frame.is_multiple_of(FRAMES_PER_CELL);
        self.leave(frame);
        let enters = is_half_way && self.inside_since.is_none();
        if enters {
            self.enter(frame);
        }
        let (allocator, list) =
            if frame.is_multiple_of(FRAMES_IN_FLIGHT) { id::LISTS[0] } else { id::LISTS[1] };
        self.gpu(allocator, GpuCall::ResetCommandAllocator {});
        self.gpu(list, GpuCall::ResetCommandList { allocator });
        if self.inside_since.is_some() {
            let (_, buffer) = interior(self.entered - 1);
            // Entered for the first time, it is written; after that it is read.
            if enters && self.entered <= 2 {
                self.copy(list, buffer, id::UPLOAD);
            } else {
                self.copy(list, id::TARGET, buffer);
            }
        }
        // One behind, two ahead.
        for number in (at + self.cells - 1)..(at + self.cells + 3) {
            let cell = self.cell(number);
            if self.visited.insert(number % self.cells) {
                self.copy(list, cell, id::UPLOAD);
            } else {
                self.copy(list, id::TARGET, cell);
            }
        }
        self.gpu(list, GpuCall::CloseCommandList {});
        self.gpu(id::QUEUE, GpuCall::ExecuteCommandLists { lists: [list].into() });
        self.gpu(id::QUEUE, GpuCall::QueueSignal { fence: id::FENCE, value: frame + 1 });
    }

    fn copy(&mut self, list: TraceId, destination: TraceId, source: TraceId) {
        let (destination_offset, source_offset, size) = (0, 0, READ_SIZE);
        self.gpu(
            list,
            GpuCall::CopyBufferRegion { destination, destination_offset, source, source_offset, size },
        );
    }

    fn enter(&mut self, frame: u64) {
        let (heap, _) = interior(self.entered);
        self.entered += 1;
        self.inside_since = Some(frame);
        let (fence, value) = (id::PAGING, self.entered);
        let (flags, objects) = (ResidencyFlags::None, [heap].into());
        self.residency(GpuCall::EnqueueMakeResident { flags, objects, fence, value });
        self.gpu(id::QUEUE, GpuCall::QueueWait { fence, value });
    }

    fn leave(&mut self, frame: u64) {
        if self.inside_since.is_some_and(|since| frame >= since + FRAMES_INSIDE) {
            self.inside_since = None;
            let (heap, _) = interior(self.entered - 1);
            self.residency(GpuCall::Evict { objects: [heap].into() });
        }
    }
}
