//! GPGMM's traces: Chrome trace events of an allocator that tell which resources a program asked
//! for, which heaps it made and how long each lived.
//!
//! ```text
//!   i ResourceAllocator.CreateResource   what was asked             --> kept for the next N of the thread
//!   i Heap.CreateHeap                    (newer) the heap's description
//!   N Heap        ... D                  the heap lives             --> create_heap ... destroy
//!   O Heap                               (older) its description; its name
//!   N ResourceAllocation ... D           the resource lives         --> request_resource ... destroy
//!   O ResourceAllocation                 (oldest) in which heap, where
//! ```
//! An object's id is an address, and used again: a lifetime is from N to D. Threads write their
//! events in blocks, so the whole is put in the order of the timestamps before calls are made of it.
//! What is kept of an event is small, but it is kept: memory grows with the events that tell of heaps
//! and resources, not with the file.

use std::io::BufRead;
use std::vec;

use heapstone::InitialState;
use heapstone_spec::{HeapDesc, HeapType, ResourceStates};
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::gpgmm_events::{
    AllocationSnapshot, CreateHeap, CreateResource, Event, HeapSnapshot, NotD3d12, Snapshot, WithArgs,
    heap_type,
};
pub use super::scan::EVENT_SIZE_MAX;
use super::scan::EventScanner;
use crate::error::{Position, TraceError, TraceErrorKind};
use crate::model::{Call, Origin, Record, RecordedOutcome, ResourceArguments, TraceHeader, TraceId};

/// What an import found beside the calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportNotes {
    /// Events of the file.
    pub events: u64,
    /// Events that tell of heaps and resources.
    pub memory_events: u64,
    /// Heaps that were created.
    pub heaps: u64,
    /// Resources that were created.
    pub resources: u64,
    /// Resources of which the trace says in which heap they lie.
    pub resources_with_place: u64,
    /// CreateResource events that no allocation followed: the request failed, or the trace ends.
    pub requests_without_allocation: u64,
    /// Allocations that no CreateResource event came before: what they are is not known.
    pub allocations_without_request: u64,
    /// Heaps of which the trace gives no description.
    pub heaps_without_description: u64,
    /// Ends and snapshots of objects of which the trace has no beginning.
    pub unknown_objects: u64,
    /// Objects that began anew while the one of the same address still lived: taken as destroyed.
    pub lost_ends: u64,
    /// Whether the events stood in another order than that of their times.
    pub reordered: bool,
    /// Where the file ended, if its array of events was not closed (Chrome allows that).
    pub unterminated: Option<Position>,
}

/// A GPGMM trace: an iterator of its calls.
#[derive(Debug)]
pub struct GpgmmImporter {
    header: TraceHeader,
    notes: ImportNotes,
    records: vec::IntoIter<Record>,
}

impl GpgmmImporter {
    /// Reads a Chrome trace of GPGMM's; `file` is for the errors only.
    ///
    /// # Errors
    /// Where it is no such trace, ends inside an event, or an event does not hold what GPGMM writes.
    pub fn read<R: BufRead>(reader: R, file: &str) -> Result<GpgmmImporter, TraceError> {
        let mut notes = ImportNotes::default();
        let mut events = read_events(reader, file, &mut notes)?;
        notes.reordered = !events.is_sorted_by_key(|event| event.time_us);
        if notes.reordered {
            // Stable: events of one time keep the order in which they were written.
            events.sort_by_key(|event| event.time_us);
        }
        let (records, notes) = Lifetimes::new(notes).records(events);
        let header = TraceHeader {
            origin: Origin::Gpgmm,
            tool: Some("GPGMM".to_owned()),
            source: Some(file.to_owned()),
            ..TraceHeader::new()
        };
        Ok(GpgmmImporter { header, notes, records: records.into_iter() })
    }

    /// What the trace says of itself: GPGMM names neither adapter nor SDK.
    #[must_use]
    pub const fn header(&self) -> &TraceHeader {
        &self.header
    }

    /// What the import found beside the calls.
    #[must_use]
    pub const fn notes(&self) -> &ImportNotes {
        &self.notes
    }
}

impl Iterator for GpgmmImporter {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        self.records.next()
    }
}

/// An object of a process: its address.
type ObjectKey = (u64, u64);

struct MemoryEvent {
    time_us: u64,
    thread: (u64, u64),
    position: Position,
    kind: EventKind,
}

enum EventKind {
    Request(Box<(HeapType, ResourceArguments)>),
    HeapDescription(HeapDesc),
    HeapBegins(ObjectKey),
    HeapIs(ObjectKey, Box<HeapState>),
    HeapEnds(ObjectKey),
    AllocationBegins(ObjectKey),
    AllocationIs(ObjectKey, Box<AllocationState>),
    AllocationEnds(ObjectKey),
}

/// A snapshot of a heap.
struct HeapState {
    desc: Option<HeapDesc>,
    name: Option<String>,
}

/// A snapshot of an allocation.
struct AllocationState {
    /// Heap and offset.
    place: Option<(ObjectKey, u64)>,
    name: Option<String>,
}

fn read_events<R: BufRead>(
    reader: R,
    file: &str,
    notes: &mut ImportNotes,
) -> Result<Vec<MemoryEvent>, TraceError> {
    let mut scanner = EventScanner::new(reader, file);
    let mut events = Vec::new();
    while let Some((position, text)) = scanner.next_event()? {
        notes.events += 1;
        let source = EventText { file, position, text };
        let event: Event<'_> = source.parse("an event")?;
        if let Some(kind) = source.memory_event(&event)? {
            events.push(MemoryEvent {
                time_us: microseconds(event.ts),
                thread: (event.pid, event.tid),
                position,
                kind,
            });
        }
    }
    notes.unterminated = scanner.unterminated();
    notes.memory_events = crate::error::as_u64(events.len());
    if events.is_empty() {
        return Err(TraceError::new(
            TraceErrorKind::NotATrace,
            file,
            None,
            "events of GPGMM's: ResourceAllocator.CreateResource, Heap, ResourceAllocation",
            format!("{} events, none of those", notes.events),
        ));
    }
    Ok(events)
}

/// Chrome's timestamps are microseconds, with or without a fraction, which is dropped.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn microseconds(ts: f64) -> u64 {
    // Saturates: below 0 and not a number give 0, beyond 64 bits the greatest number.
    ts as u64
}

struct EventText<'a> {
    file: &'a str,
    position: Position,
    text: &'a str,
}

impl<'a> EventText<'a> {
    fn parse<T: serde::Deserialize<'a>>(&self, what: &str) -> Result<T, TraceError> {
        serde_json::from_str(self.text).map_err(|e| TraceError::json(self.file, self.position, what, &e))
    }

    fn args<T: DeserializeOwned>(&self, what: &str) -> Result<T, TraceError> {
        self.parse::<WithArgs<T>>(what).map(|event| event.args)
    }

    fn memory_event(&self, event: &Event<'_>) -> Result<Option<EventKind>, TraceError> {
        Ok(Some(match (&*event.name, &*event.ph) {
            ("ResourceAllocator.CreateResource", _) => {
                let args: CreateResource = self.args("the arguments of CreateResource")?;
                let request = self.checked(args.arguments())?;
                let heap_type = match args.allocation_descriptor.heap_type {
                    // GPGMM lets 0 mean: as the state asks.
                    0 => heap_type_for(&request.initial),
                    given => self.checked(heap_type(given))?,
                };
                EventKind::Request(Box::new((heap_type, request)))
            }
            ("Heap.CreateHeap", _) => {
                let args: CreateHeap = self.args("the arguments of CreateHeap")?;
                EventKind::HeapDescription(self.checked(args.heap.desc())?)
            }
            ("Heap", "N") => EventKind::HeapBegins(self.key(event)?),
            ("Heap", "D") => EventKind::HeapEnds(self.key(event)?),
            ("Heap", "O") => {
                let args: Snapshot<HeapSnapshot> = self.args("a heap's snapshot")?;
                let desc = match args.snapshot.heap {
                    Some(heap) => Some(self.checked(heap.desc())?),
                    None => None,
                };
                let name = args.snapshot.debug_name;
                EventKind::HeapIs(self.key(event)?, Box::new(HeapState { desc, name }))
            }
            ("ResourceAllocation", "N") => EventKind::AllocationBegins(self.key(event)?),
            ("ResourceAllocation", "D") => EventKind::AllocationEnds(self.key(event)?),
            ("ResourceAllocation", "O") => {
                let args: Snapshot<AllocationSnapshot> = self.args("an allocation's snapshot")?;
                let place = match (&args.snapshot.resource_heap, args.snapshot.heap_offset) {
                    (Some(heap), Some(offset)) => Some(((event.pid, self.address(&heap.id_ref)?), offset)),
                    _ => None,
                };
                let name = args.snapshot.debug_name;
                EventKind::AllocationIs(self.key(event)?, Box::new(AllocationState { place, name }))
            }
            _ => return Ok(None),
        }))
    }

    fn key(&self, event: &Event<'_>) -> Result<ObjectKey, TraceError> {
        match &event.id {
            Some(id) => Ok((event.pid, self.address(id)?)),
            None => Err(self.content("the id of the object", "an event without one")),
        }
    }

    /// Object ids are addresses, written `0x...`.
    fn address(&self, id: &str) -> Result<u64, TraceError> {
        let digits = id.strip_prefix("0x").unwrap_or(id);
        u64::from_str_radix(digits, 16).map_err(|_| {
            let given: String = id.chars().take(64).collect();
            self.content("an object's id, 0x and hexadecimal digits", &format!("`{given}`"))
        })
    }

    fn checked<T>(&self, result: Result<T, NotD3d12>) -> Result<T, TraceError> {
        result.map_err(|wrong| self.content(&wrong.expected, &wrong.found))
    }

    fn content(&self, expected: &str, found: &str) -> TraceError {
        TraceError::new(TraceErrorKind::Content, self.file, Some(self.position), expected, found)
    }
}

/// The heap type whose resources are created in that state (facts/behaviour.md, Creation).
fn heap_type_for(initial: &InitialState) -> HeapType {
    match initial {
        InitialState::State(ResourceStates::GENERIC_READ) => HeapType::Upload,
        InitialState::State(ResourceStates::COPY_DEST) => HeapType::Readback,
        InitialState::State(_) | InitialState::Layout(_) => HeapType::Default,
    }
}

/// What a thread was doing when an object began.
#[derive(Default)]
struct Thread {
    request: Option<Box<(HeapType, ResourceArguments)>>,
    heap_description: Option<HeapDesc>,
    made_heap: Option<TraceId>,
}

/// Makes calls of events: objects from N to D.
struct Lifetimes {
    notes: ImportNotes,
    threads: FxHashMap<(u64, u64), Thread>,
    /// A heap's number, and where its creation stands among the records.
    heaps: FxHashMap<ObjectKey, (TraceId, usize)>,
    resources: FxHashMap<ObjectKey, (TraceId, usize)>,
    /// Heaps that no event described yet, and when they began.
    undescribed: FxHashMap<TraceId, At>,
    /// `None`: nothing came of it, or not yet (a heap without description).
    records: Vec<Option<Record>>,
    last_id: u64,
}

impl Lifetimes {
    fn new(notes: ImportNotes) -> Lifetimes {
        Lifetimes {
            notes,
            threads: FxHashMap::default(),
            heaps: FxHashMap::default(),
            resources: FxHashMap::default(),
            undescribed: FxHashMap::default(),
            records: Vec::new(),
            last_id: 0,
        }
    }

    fn records(mut self, events: Vec<MemoryEvent>) -> (Vec<Record>, ImportNotes) {
        for event in events {
            self.event(event);
        }
        for thread in self.threads.values() {
            self.notes.requests_without_allocation += u64::from(thread.request.is_some());
        }
        if !self.undescribed.is_empty() {
            self.notes.heaps_without_description = crate::error::as_u64(self.undescribed.len());
            self.forget_undescribed();
        }
        (self.records.into_iter().flatten().collect(), self.notes)
    }

    /// Drops what names heaps that no event described: there is nothing to create them by.
    fn forget_undescribed(&mut self) {
        let heaps = &self.undescribed;
        for slot in &mut self.records {
            let Some(record) = slot else { continue };
            match &mut record.call {
                Call::RequestResource { place, made_heap, .. } => {
                    if place.is_some_and(|(heap, _)| heaps.contains_key(&heap)) {
                        *place = None;
                    }
                    if made_heap.is_some_and(|heap| heaps.contains_key(&heap)) {
                        *made_heap = None;
                    }
                }
                Call::Destroy { id } | Call::SetName { id, .. } if heaps.contains_key(id) => *slot = None,
                _ => {}
            }
        }
    }

    fn event(&mut self, event: MemoryEvent) {
        let at = (event.time_us, event.thread, event.position);
        match event.kind {
            EventKind::Request(request) => {
                let thread = self.threads.entry(event.thread).or_default();
                self.notes.requests_without_allocation += u64::from(thread.request.is_some());
                *thread = Thread { request: Some(request), ..Thread::default() };
            }
            EventKind::HeapDescription(desc) => {
                self.threads.entry(event.thread).or_default().heap_description = Some(desc);
            }
            EventKind::HeapBegins(key) => self.heap_begins(key, at),
            EventKind::HeapIs(key, what) => self.heap_is(key, *what, at),
            EventKind::HeapEnds(key) => {
                let ended = self.heaps.remove(&key);
                self.ends(ended, at);
            }
            EventKind::AllocationBegins(key) => self.allocation_begins(key, at),
            EventKind::AllocationIs(key, what) => self.allocation_is(key, *what, at),
            EventKind::AllocationEnds(key) => {
                let ended = self.resources.remove(&key);
                self.ends(ended, at);
            }
        }
    }

    fn heap_begins(&mut self, key: ObjectKey, at: At) {
        if let Some(lost) = self.heaps.remove(&key) {
            self.notes.lost_ends += 1;
            self.ends(Some(lost), at);
        }
        let id = self.new_id();
        let thread = self.threads.entry(at.1).or_default();
        thread.made_heap = Some(id);
        let description = thread.heap_description.take();
        self.heaps.insert(key, (id, self.records.len()));
        self.notes.heaps += 1;
        if let Some(desc) = description {
            self.push(Call::CreateHeap { id, desc }, at);
        } else {
            // Its place, until a snapshot describes it.
            self.undescribed.insert(id, at);
            self.records.push(None);
        }
    }

    fn heap_is(&mut self, key: ObjectKey, state: HeapState, at: At) {
        let Some((id, record)) = self.heaps.get(&key).copied() else {
            self.notes.unknown_objects += 1;
            return;
        };
        if let Some(desc) = state.desc
            && let Some(began) = self.undescribed.remove(&id)
        {
            self.records[record] = Some(record_at(Call::CreateHeap { id, desc }, began));
        }
        self.named(id, state.name, at);
    }

    fn allocation_begins(&mut self, key: ObjectKey, at: At) {
        if let Some(lost) = self.resources.remove(&key) {
            self.notes.lost_ends += 1;
            self.ends(Some(lost), at);
        }
        let thread = core::mem::take(self.threads.entry(at.1).or_default());
        let Some(request) = thread.request else {
            self.notes.allocations_without_request += 1;
            return;
        };
        let id = self.new_id();
        self.resources.insert(key, (id, self.records.len()));
        self.notes.resources += 1;
        let (heap_type, resource) = *request;
        let made_heap = thread.made_heap;
        self.push(Call::RequestResource { id, heap_type, resource, place: None, made_heap }, at);
    }

    fn allocation_is(&mut self, key: ObjectKey, state: AllocationState, at: At) {
        let Some((id, record)) = self.resources.get(&key).copied() else {
            self.notes.unknown_objects += 1;
            return;
        };
        if let Some((heap, offset)) = state.place
            && let Some((heap, _)) = self.heaps.get(&heap).copied()
            && let Some(Record { call: Call::RequestResource { place, .. }, .. }) = &mut self.records[record]
            && place.is_none()
        {
            *place = Some((heap, offset));
            self.notes.resources_with_place += 1;
        }
        self.named(id, state.name, at);
    }

    fn named(&mut self, id: TraceId, name: Option<String>, at: At) {
        if let Some(name) = name
            && !name.is_empty()
        {
            self.push(Call::SetName { id, name: name.into() }, at);
        }
    }

    fn ends(&mut self, ended: Option<(TraceId, usize)>, at: At) {
        match ended {
            Some((id, _)) => self.push(Call::Destroy { id }, at),
            None => self.notes.unknown_objects += 1,
        }
    }

    fn new_id(&mut self) -> TraceId {
        self.last_id += 1;
        TraceId(self.last_id)
    }

    fn push(&mut self, call: Call, at: At) {
        self.records.push(Some(record_at(call, at)));
    }
}

fn record_at(call: Call, (time_us, thread, position): At) -> Record {
    Record {
        position,
        timestamp_us: Some(time_us),
        thread: Some(thread.1),
        outcome: RecordedOutcome::Accepted,
        call,
    }
}

/// Time, process and thread, place in the file.
type At = (u64, (u64, u64), Position);
