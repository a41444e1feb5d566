//! One call after the other.

use core::ops::ControlFlow;

use heapstone::{Device, Error, GpuVirtualAddress, Heap, MapPointer, Resource};
use heapstone_spec::{HeapDesc, HeapFlags, HeapProperties, HeapType, MemoryPool, ResourceDesc, SegmentGroup};
use heapstone_units::{Alignment, ByteRange, KIB};

use super::accounting::{Accounting, At, ResourceBytes};
use super::content::content_bytes;
use super::gpu::GpuState;
use super::heaps::{HeapKey, HeapState, Heaps};
use super::intervals::Intervals;
use super::memory_log::{MemoryLog, MemoryLogger};
use super::notes::{Failures, Largest};
use super::objects::{LiveResource, Object, Objects, Place};
use super::options::{Placement, ReplayOptions};
use super::report::{
    AlignmentCost, Asked, CallCounts, CustomL0, Demoted, OutcomeChanges, PlacementNotes, Report, Skipped,
    TraceMistake,
};
use super::shelves::{ShelfKind, Shelves};
use super::tight::tightened;
use crate::model::{Call, Record, RecordedOutcome, ResourceArguments, TraceId};

/// Pages of explicit heaps.
pub(crate) const PAGE: Alignment = Alignment::constant(64 * KIB);

/// Calls that are looked ahead of (chosen by measurement: enough loads at once, and what they bring
/// is still in the cache when it is needed).
const STEPS_AHEAD: usize = 16;

/// Runs the calls of a trace on a device and accounts for them.
#[derive(Debug)]
pub struct Replayer {
    pub(crate) device: Device,
    pub(crate) options: ReplayOptions,
    /// Descriptions get USE_TIGHT_ALIGNMENT where they may.
    tight: bool,
    pub(crate) objects: Objects,
    pub(crate) heaps: Heaps,
    pub(crate) shelves: Shelves,
    pub(crate) accounting: Accounting,
    pub(crate) failures: Failures,
    pub(crate) placement: PlacementNotes,
    pub(crate) skipped: Skipped,
    pub(crate) gpu: GpuState,
    pub(crate) calls: CallCounts,
    asked: Asked,
    cost: AlignmentCost,
    pub(crate) outcomes: OutcomeChanges,
    demoted: Demoted,
    custom_l0: CustomL0,
    largest: Largest,
    tightened: u64,
    /// `None`: nobody asked for it.
    pub(crate) memory: Option<Box<MemoryLogger>>,
}

impl Replayer {
    /// Begins a replay on `device`.
    #[must_use]
    pub fn new(device: Device, options: ReplayOptions) -> Replayer {
        let node_count = device.profile().memory.node_count;
        let budget = |node, group: SegmentGroup| {
            device.query_video_memory_info(node, group).map_or(0, |info| info.budget)
        };
        let accounting = Accounting::new(node_count, budget);
        Replayer {
            accounting,
            device,
            options,
            tight: false,
            objects: Objects::default(),
            heaps: Heaps::default(),
            shelves: Shelves::default(),
            failures: Failures::default(),
            placement: PlacementNotes::default(),
            skipped: Skipped::default(),
            gpu: GpuState::default(),
            calls: CallCounts::default(),
            asked: Asked::default(),
            cost: AlignmentCost::default(),
            outcomes: OutcomeChanges::default(),
            demoted: Demoted::default(),
            custom_l0: CustomL0::default(),
            largest: Largest::new(options.largest),
            tightened: 0,
            memory: None,
        }
    }

    /// The same with every description tight that may be; the device must know tight alignment.
    #[must_use]
    pub fn tight(device: Device, options: ReplayOptions) -> Replayer {
        Replayer { tight: true, ..Replayer::new(device, options) }
    }

    /// From now on writes down what is used of video memory, for [`Replayer::take_memory_log`].
    pub fn keep_memory_log(&mut self) {
        self.memory.get_or_insert_default();
    }

    /// What was used of video memory since [`Replayer::keep_memory_log`]; `None` where that was not asked for.
    pub fn take_memory_log(&mut self) -> Option<MemoryLog> {
        self.memory.take().map(|memory| memory.finish())
    }

    /// A heap was made, explicit or implicit.
    pub(crate) fn log_created(
        &mut self,
        address: GpuVirtualAddress,
        bytes: u64,
        flags: HeapFlags,
        (group, is_demoted): (SegmentGroup, bool),
    ) {
        if let Some(memory) = &mut self.memory
            && (group == SegmentGroup::Local || is_demoted)
        {
            memory.created(address, bytes, !flags.contains(HeapFlags::CREATE_NOT_RESIDENT));
        }
    }

    /// Calls so far.
    #[must_use]
    pub const fn calls(&self) -> u64 {
        self.calls.total
    }

    /// Objects of the trace that live now, those that the device refused among them.
    #[must_use]
    pub fn live_objects(&self) -> usize {
        self.objects.len() + self.gpu.objects.len()
    }

    /// Places for heaps that the replay holds: the most that ever lived at once.
    #[must_use]
    pub fn heap_slots(&self) -> usize {
        self.heaps.slot_count()
    }

    /// Descriptions that got USE_TIGHT_ALIGNMENT.
    #[must_use]
    pub const fn tightened(&self) -> u64 {
        self.tightened
    }

    /// Makes one call. Breaks where the replay is strict and something failed; the call that failed is
    /// then in the report.
    pub fn step(&mut self, record: &Record) -> ControlFlow<()> {
        self.calls.total += 1;
        self.accounting.at(At {
            position: record.position,
            call: self.calls.total,
            timestamp_us: record.timestamp_us,
        });
        self.call(record);
        if self.options.strict && self.failures.first.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Makes calls one after the other, as [`Replayer::step`] does, and faster: what they act on lies
    /// anywhere in memory, so it is looked at some calls ahead, all of it at once.
    pub fn steps(&mut self, records: &[Record]) -> ControlFlow<()> {
        for ahead in records.chunks(STEPS_AHEAD) {
            self.touch(ahead);
            for record in ahead {
                self.step(record)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Brings what the calls need into the cache. The loads of a round do not depend on each other, so
    /// that the processor waits for all of them together; the next round needs what they brought.
    fn touch(&self, records: &[Record]) {
        let mut dying: [Option<&LiveResource>; STEPS_AHEAD] = [None; STEPS_AHEAD];
        let mut touched = 0_u64;
        for (slot, record) in dying.iter_mut().zip(records) {
            match (&record.call, self.objects.get(&record.call.id())) {
                (Call::Destroy { .. }, Some(Object::Resource(live))) => *slot = Some(live),
                (Call::CreatePlacedResource { heap, offset, .. }, _) => {
                    if let Some(Object::Heap(key)) = self.objects.get(heap) {
                        touched ^= self.heaps.get(*key).intervals.look(*offset);
                    }
                }
                _ => {}
            }
        }
        for live in dying.iter().flatten() {
            // One of each part of it.
            let resource = &live.handle;
            touched ^= resource.size() ^ resource.desc().width ^ resource.id().0 ^ resource.alignment();
            touched ^= crate::error::as_u64(resource.castable_formats().len());
        }
        for live in dying.iter().flatten() {
            if let (Place::Heap(key), Some(offset)) = (live.place, live.handle.heap_offset()) {
                touched ^= self.heaps.get(key).intervals.look(offset);
            }
        }
        core::hint::black_box(touched);
    }

    fn call(&mut self, record: &Record) {
        match &record.call {
            Call::CreateHeap { id, desc } => {
                self.calls.create_heap += 1;
                self.asked.heaps += 1;
                self.asked.heap_bytes = self.asked.heap_bytes.saturating_add(desc.size);
                self.create_heap(record, *id, desc);
            }
            Call::CreateCommittedResource { id, heap_properties, heap_flags, resource } => {
                self.calls.create_committed_resource += 1;
                let desc = self.asked(&resource.desc);
                self.create_committed(record, *id, (heap_properties, *heap_flags), &desc, resource);
            }
            Call::CreatePlacedResource { id, heap, offset, resource } => {
                self.calls.create_placed_resource += 1;
                let desc = self.asked(&resource.desc);
                self.create_placed(record, *id, (*heap, *offset), &desc, resource);
            }
            Call::CreateReservedResource { id, resource } => {
                self.calls.create_reserved_resource += 1;
                self.asked.reserved += 1;
                self.create_reserved(record, *id, resource);
            }
            Call::RequestResource { id, heap_type, resource, place, made_heap } => {
                self.calls.request_resource += 1;
                let desc = self.asked(&resource.desc);
                self.request(record, *id, *heap_type, (*place, *made_heap), &desc, resource);
            }
            Call::Map { id, subresource, read_range, pointer } => {
                self.calls.map += 1;
                self.map(record, *id, *subresource, *read_range, *pointer);
            }
            Call::Unmap { id, subresource, written_range } => {
                self.calls.unmap += 1;
                self.unmap(record, *id, *subresource, *written_range);
            }
            Call::SetName { id, name } => {
                self.calls.set_name += 1;
                self.label(record, *id, name, Label::Name);
            }
            Call::SetTag { id, tag } => {
                self.calls.set_tag += 1;
                self.label(record, *id, tag, Label::Tag);
            }
            Call::Destroy { id } => {
                self.calls.destroy += 1;
                match self.objects.remove(id) {
                    Some(object) => self.destroy(object),
                    None if self.gpu_destroy(*id) => {}
                    None => self.unknown(record, *id),
                }
            }
            Call::Gpu { id, call } => self.gpu_call(record, *id, call),
        }
    }

    /// Books what the trace asks for; the description to create, made tight where that is wanted.
    fn asked(&mut self, desc: &ResourceDesc) -> ResourceDesc {
        if desc.is_buffer() {
            let width = desc.width;
            self.asked.buffers += 1;
            self.asked.buffer_bytes = self.asked.buffer_bytes.saturating_add(width);
            let beyond = |alignment: Alignment| alignment.align_up(width).map_or(0, |end| end - width);
            let cost = &mut self.cost;
            cost.buffers += 1;
            cost.bytes = cost.bytes.saturating_add(width);
            cost.small_buffers += u64::from(width < 64 * KIB);
            cost.at_64_kib = cost.at_64_kib.saturating_add(beyond(PAGE));
            cost.at_256 = cost.at_256.saturating_add(beyond(const { Alignment::constant(256) }));
        } else {
            self.asked.textures += 1;
            self.asked.texture_bytes = self.asked.texture_bytes.saturating_add(content_bytes(desc));
        }
        match self.tight.then(|| tightened(desc)).flatten() {
            Some(desc) => {
                self.tightened += 1;
                desc
            }
            None => *desc,
        }
    }

    fn create_heap(&mut self, record: &Record, id: TraceId, desc: &HeapDesc) {
        if self.options.placement != Placement::Recorded {
            if record.outcome != RecordedOutcome::Accepted {
                // The program had no heap, and none is tried here.
                return;
            }
            self.insert(record, id, Object::VirtualHeap(Box::new(*desc)));
            return;
        }
        let created = self.device.create_heap(desc);
        let Some(created) = self.ended(record, created) else {
            return;
        };
        let heap = match created {
            Some(heap) => self.heap_made(id, desc, heap),
            None => {
                let account = self.accounting.account(desc.properties.heap_type, 0, SegmentGroup::Local);
                let size = PAGE.align_up(desc.size).unwrap_or(PAGE.align_down(u64::MAX));
                HeapState::ghost(account, 0, Intervals::new(size))
            }
        };
        let key = self.shelve(ShelfKind::of(desc), heap);
        self.insert(record, id, Object::Heap(key));
    }

    /// Books a heap that the device created.
    fn heap_made(&mut self, id: TraceId, desc: &HeapDesc, heap: Heap) -> HeapState {
        let account = self.accounting.account(
            desc.properties.heap_type,
            desc.properties.creation_node_mask,
            heap.segment_group(),
        );
        let committed = heap.committed_size();
        let intervals = Intervals::new(committed);
        self.accounting.heap_created(account, committed, &intervals);
        self.demoted(id, heap.is_demoted(), committed);
        let place = (heap.segment_group(), heap.is_demoted());
        self.log_created(heap.gpu_virtual_address(), committed, desc.flags, place);
        self.custom_l0(&desc.properties, heap.segment_group(), committed);
        HeapState { handle: Some(heap), ..HeapState::ghost(account, committed, intervals) }
    }

    /// Makes a heap of the trace that the placement has not, because tiles are mapped to it. What the trace
    /// places there from now on lies there.
    pub(crate) fn heap_for_tiles(
        &mut self,
        record: &Record,
        id: TraceId,
        desc: &HeapDesc,
    ) -> Option<HeapKey> {
        // Resident: calls of residency leave it out.
        let desc = HeapDesc { flags: desc.flags.difference(HeapFlags::CREATE_NOT_RESIDENT), ..*desc };
        match self.device.create_heap(&desc) {
            Ok(heap) => {
                let heap = self.heap_made(id, &desc, heap);
                Some(self.heaps.insert(heap))
            }
            Err(error) => {
                self.failures.error(record, self.accounting.now(), &error);
                None
            }
        }
    }

    /// Puts a heap among the living and where placing first-fit finds it.
    pub(crate) fn shelve(&mut self, kind: ShelfKind, heap: HeapState) -> HeapKey {
        let size = heap.intervals.size();
        let key = self.heaps.insert(heap);
        self.heaps.get_mut(key).shelf = Some(self.shelves.add(kind, key, size));
        key
    }

    fn create_committed(
        &mut self,
        record: &Record,
        id: TraceId,
        (properties, flags): (&HeapProperties, HeapFlags),
        desc: &ResourceDesc,
        resource: &ResourceArguments,
    ) {
        match self.options.placement {
            // Only implicit heaps may have ALLOW_DISPLAY.
            Placement::Pooled { heap_size } if !flags.contains(HeapFlags::ALLOW_DISPLAY) => {
                self.pooled(record, id, heap_size, (properties, flags), desc, resource);
            }
            _ => self.committed(record, id, (properties, flags), desc, resource),
        }
    }

    fn create_reserved(&mut self, record: &Record, id: TraceId, resource: &ResourceArguments) {
        let created = self.device.create_reserved_resource(&heapstone::ReservedResourceDesc {
            resource: resource.desc,
            initial: resource.initial,
            clear_value: resource.clear_value,
            castable_formats: &resource.castable_formats,
        });
        match self.ended(record, created) {
            None => {}
            Some(None) => self.missing(record, id),
            Some(Some(handle)) => {
                let bytes = bytes_of(&handle);
                self.accounting.reserved_created(bytes.taken);
                self.insert_resource(record, id, handle, Place::Reserved, bytes);
            }
        }
    }

    /// Books how a creation ended. `None`: nothing came of it for the program, for it was refused when
    /// it was recorded; `Some(None)`: the program had an object and the replay has none.
    pub(crate) fn ended<T>(&mut self, record: &Record, result: Result<T, Error>) -> Option<Option<T>> {
        let accepted_then = record.outcome == RecordedOutcome::Accepted;
        match result {
            Ok(object) if accepted_then => Some(Some(object)),
            // The program went on without the object: it is given back.
            Ok(_) => {
                self.outcomes.accepted_here += 1;
                None
            }
            Err(error) => {
                self.failures.error(record, self.accounting.now(), &error);
                self.outcomes.refused_here += u64::from(accepted_then);
                accepted_then.then_some(None)
            }
        }
    }

    /// An object lives under its number; one that had the number is taken as destroyed.
    pub(crate) fn insert(&mut self, record: &Record, id: TraceId, object: Object) {
        if !self.gpu.objects.is_empty() && self.gpu_destroy(id) {
            let what = format!("object {id} is created while another of that number lives");
            self.mistake(record, TraceMistake::NumberInUse, what);
        }
        if let Some(old) = self.objects.insert(id, object) {
            let what = format!("object {id} is created while another of that number lives");
            self.mistake(record, TraceMistake::NumberInUse, what);
            self.destroy(old);
        }
    }

    /// The program had an object and the replay has none. What was refused when it was recorded leaves
    /// its number free.
    pub(crate) fn missing(&mut self, record: &Record, id: TraceId) {
        if record.outcome == RecordedOutcome::Accepted {
            self.insert(record, id, Object::Missing(None));
        }
    }

    /// A resource whose heap is a ghost is not tried; one that was refused when it was recorded was none.
    pub(crate) fn skip(&mut self, record: &Record, id: TraceId) {
        self.skipped.heap_missing += u64::from(record.outcome == RecordedOutcome::Accepted);
        self.missing(record, id);
    }

    pub(crate) fn insert_resource(
        &mut self,
        record: &Record,
        id: TraceId,
        handle: Resource,
        place: Place,
        bytes: ResourceBytes,
    ) {
        let call = self.calls.total;
        self.largest.created(record, call, bytes.taken, bytes.asked);
        self.insert(record, id, Object::Resource(LiveResource { handle, asked: bytes.asked, call, place }));
    }

    pub(crate) fn demoted(&mut self, id: TraceId, is_demoted: bool, bytes: u64) {
        if is_demoted {
            self.demoted.heaps += 1;
            self.demoted.bytes = self.demoted.bytes.saturating_add(bytes);
            self.demoted.first.get_or_insert(id);
        }
    }

    /// A heap of these properties was created there.
    pub(crate) fn custom_l0(&mut self, properties: &HeapProperties, group: SegmentGroup, bytes: u64) {
        if properties.heap_type == HeapType::Custom
            && properties.memory_pool_preference == MemoryPool::L0
            && group == SegmentGroup::NonLocal
        {
            self.custom_l0.heaps += 1;
            self.custom_l0.bytes = self.custom_l0.bytes.saturating_add(bytes);
        }
    }

    #[cold]
    pub(crate) fn mistake(&mut self, record: &Record, mistake: TraceMistake, what: String) {
        self.failures.mistake(record, self.accounting.now(), mistake, what);
    }

    #[cold]
    pub(crate) fn unknown(&mut self, record: &Record, id: TraceId) {
        let what = format!("no object {id} lives: it was never created, or is destroyed");
        self.mistake(record, TraceMistake::UnknownObject, what);
    }

    fn map(
        &mut self,
        record: &Record,
        id: TraceId,
        subresource: u32,
        range: Option<ByteRange>,
        pointer: MapPointer,
    ) {
        let Some(resource) = self.resource(record, id) else { return };
        let result = resource.map(subresource, range, pointer).map(|_| ());
        if result.is_ok() && record.outcome != RecordedOutcome::Accepted {
            // Accepted here only: the program will not unmap it. An empty range: nothing was written.
            let _ = resource.unmap(subresource, Some(ByteRange::new(0, 0)));
        }
        if let (Ok(()), Some(memory)) = (&result, &mut self.memory)
            && let Some(Object::Resource(live)) = self.objects.get(&id)
        {
            memory.touched(&live.handle, false);
        }
        self.ended(record, result);
    }

    fn unmap(&mut self, record: &Record, id: TraceId, subresource: u32, range: Option<ByteRange>) {
        let Some(resource) = self.resource(record, id) else { return };
        let result = resource.unmap(subresource, range);
        if result.is_ok() && record.outcome != RecordedOutcome::Accepted {
            // Accepted here only: to the program it is still mapped. An empty range: nothing is read.
            let nothing = Some(ByteRange::new(0, 0));
            let mapped = resource.map(subresource, nothing, MapPointer::Wanted);
            if mapped.is_err() {
                // Of a texture without an address.
                let _ = resource.map(subresource, nothing, MapPointer::Null);
            }
        }
        self.ended(record, result);
    }

    /// The living resource of that number; what else it is gets booked.
    pub(crate) fn resource(&mut self, record: &Record, id: TraceId) -> Option<&Resource> {
        match self.objects.get(&id) {
            Some(Object::Resource(_)) => {}
            Some(Object::Missing(_)) => {
                self.skipped.object_missing += 1;
                return None;
            }
            Some(Object::Heap(_) | Object::VirtualHeap(_)) => {
                self.mistake(
                    record,
                    TraceMistake::WrongKind,
                    format!("object {id} is a heap, not a resource"),
                );
                return None;
            }
            None if self.gpu.objects.contains_key(&id) => {
                let what = format!("object {id} is of GPU work, not a resource");
                self.mistake(record, TraceMistake::WrongKind, what);
                return None;
            }
            None => {
                self.unknown(record, id);
                return None;
            }
        }
        match self.objects.get(&id) {
            Some(Object::Resource(live)) => Some(&live.handle),
            _ => None,
        }
    }

    fn label(&mut self, record: &Record, id: TraceId, text: &str, label: Label) {
        match (self.objects.get(&id), label) {
            (Some(Object::Resource(live)), Label::Name) => {
                live.handle.set_name(text);
                self.largest.named(live.call, text);
            }
            (Some(Object::Resource(live)), Label::Tag) => live.handle.set_tag(text),
            (Some(Object::Heap(key)), _) => match (&self.heaps.get_mut(*key).handle, label) {
                (Some(heap), Label::Name) => heap.set_name(text),
                (Some(heap), Label::Tag) => heap.set_tag(text),
                (None, _) => self.skipped.object_missing += 1,
            },
            (Some(Object::Missing(_)), _) => self.skipped.object_missing += 1,
            (Some(Object::VirtualHeap(_)), _) => {}
            (None, Label::Name) if self.gpu.set_name(id, text) => {}
            (None, Label::Tag) if self.gpu.set_tag(id, text) => {}
            (None, _) => self.unknown(record, id),
        }
    }

    pub(crate) fn destroy(&mut self, object: Object) {
        match object {
            Object::Heap(key) => self.release_heap(key),
            Object::VirtualHeap(_) | Object::Missing(None) => {}
            Object::Missing(Some(ghost)) => {
                let heap = self.heaps.get_mut(ghost.heap);
                heap.intervals.remove(ghost.start, ghost.end, ghost.alignment);
                self.left_heap(ghost.heap);
            }
            Object::Resource(live) => self.destroy_resource(live),
        }
    }

    fn destroy_resource(&mut self, LiveResource { handle, asked, place, .. }: LiveResource) {
        let bytes = ResourceBytes { asked, taken: handle.size(), is_buffer: handle.desc().is_buffer() };
        match place {
            Place::Heap(key) => {
                let heap = self.heaps.get_mut(key);
                let extent = extent_of(&handle);
                self.accounting.unplaced(heap.account, &mut heap.intervals, extent, bytes);
                drop(handle);
                self.left_heap(key);
            }
            Place::Committed(account) => {
                if let (Some(memory), Some(address)) = (&mut self.memory, handle.heap_address()) {
                    memory.destroyed(address);
                }
                self.accounting.committed_destroyed(account, handle.committed_size(), bytes);
            }
            Place::Reserved => self.accounting.reserved_destroyed(bytes.taken),
        }
    }

    pub(crate) fn release_heap(&mut self, key: HeapKey) {
        let heap = self.heaps.get_mut(key);
        // Nothing new comes to lie in it.
        if let Some(shelf) = heap.shelf.take() {
            self.shelves.remove(shelf);
        }
        heap.released = true;
        if heap.resources > 0 {
            self.placement.heaps_outlived += 1;
        } else {
            self.remove_heap(key);
        }
    }

    /// A resource that lay in the heap is gone.
    pub(crate) fn left_heap(&mut self, key: HeapKey) {
        let heap = self.heaps.get_mut(key);
        heap.resources -= 1;
        if heap.resources == 0 && (heap.released || heap.is_pool) {
            if let Some(shelf) = heap.shelf.take() {
                self.shelves.remove(shelf);
            }
            self.remove_heap(key);
        } else if let Some(shelf) = heap.shelf {
            self.shelves.freed(shelf, heap.intervals.size());
        }
    }

    fn remove_heap(&mut self, key: HeapKey) {
        let heap = self.heaps.remove(key);
        if let Some(handle) = &heap.handle {
            if let Some(memory) = &mut self.memory {
                memory.destroyed(handle.gpu_virtual_address());
            }
            self.accounting.heap_destroyed(heap.account, heap.committed, &heap.intervals);
        }
    }

    /// Ends the replay. What still lives is destroyed.
    #[must_use]
    pub fn finish(mut self) -> Report {
        self.settle_queues();
        self.failures.sort();
        Report {
            trace: None,
            import: None,
            profile: self.device.profile().name.clone(),
            sdk: self.device.sdk(),
            options: self.options,
            calls: self.calls,
            asked: self.asked,
            peak: self.accounting.peak(),
            peak_asked: self.accounting.peak_asked(),
            end: self.accounting.current(),
            budgets: self.accounting.budgets(),
            refused: self.failures.refused,
            failed: self.failures.failed,
            skipped: self.skipped,
            trace_errors: self.failures.mistakes,
            placement: self.placement,
            demoted: self.demoted,
            custom_l0: self.custom_l0,
            outcomes: self.outcomes,
            residency: self.gpu.tally.residency(&self.device),
            gpu: self.gpu.tally.finish(&self.device),
            largest: self.largest.resources,
            alignment_cost: self.cost,
            tight: None,
            memory: None,
            stopped: if self.options.strict { self.failures.first } else { None },
        }
    }
}

#[derive(Clone, Copy)]
enum Label {
    Name,
    Tag,
}

/// Where a placed resource lies in its heap: start, end, alignment.
pub(crate) fn extent_of(resource: &Resource) -> (u64, u64, Alignment) {
    let start = resource.heap_offset().unwrap_or(0);
    (start, start + resource.size(), Alignment::new(resource.alignment()).unwrap_or(PAGE))
}

/// What the accounts know of a resource.
pub(crate) fn bytes_of(resource: &Resource) -> ResourceBytes {
    let desc = resource.desc();
    let taken = resource.size();
    ResourceBytes { asked: content_bytes(desc).min(taken), taken, is_buffer: desc.is_buffer() }
}
