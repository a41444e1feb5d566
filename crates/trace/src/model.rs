//! What a trace says: the calls of a program on D3D12's memory system, owned.

use core::fmt;

use heapstone::{InitialState, MapPointer};
use heapstone_spec::{
    ClearValue, Format, HeapDesc, HeapFlags, HeapProperties, HeapType, ResourceDesc, ResourceStates,
    SdkVersion,
};
use heapstone_units::ByteRange;
use serde::{Deserialize, Serialize};

use crate::error::Position;
use crate::format::CallKind;
use crate::gpu::GpuCall;

/// An object of a trace: a heap, a resource, a list, a queue, ... One numbering for both; a number may be used again after its
/// object was destroyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TraceId(pub u64);

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Which format a trace was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Ours: `docs/trace-format.md`.
    Heapstone,
    /// GPGMM's Chrome traces.
    Gpgmm,
}

/// What a trace says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceHeader {
    /// Version of our format; of an imported trace the one it is carried on in.
    pub version: u32,
    /// Which format it was read from.
    pub origin: Origin,
    /// The adapter profile it was recorded on.
    pub profile: Option<String>,
    /// The SDK version it was recorded under.
    pub sdk: Option<SdkVersion>,
    /// What wrote it.
    pub tool: Option<String>,
    /// What it is a trace of.
    pub source: Option<String>,
}

impl TraceHeader {
    /// A header of our format's present version that says nothing else.
    #[must_use]
    pub const fn new() -> TraceHeader {
        TraceHeader {
            version: crate::FORMAT_VERSION,
            origin: Origin::Heapstone,
            profile: None,
            sdk: None,
            tool: None,
            source: None,
        }
    }
}

impl Default for TraceHeader {
    fn default() -> TraceHeader {
        TraceHeader::new()
    }
}

/// What a call came to when it was recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RecordedOutcome {
    /// It did what it should.
    #[default]
    Accepted,
    /// It broke the rule of this name.
    Refused(Box<str>),
    /// The world failed: no memory, a removed device.
    Failed(Box<str>),
}

/// One call of a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Where it stands.
    pub position: Position,
    /// When it was made, in microseconds from any origin.
    pub timestamp_us: Option<u64>,
    /// The thread that made it.
    pub thread: Option<u64>,
    /// What it came to.
    pub outcome: RecordedOutcome,
    /// The call.
    pub call: Call,
}

impl Record {
    /// A call that was accepted, without time, thread or place.
    #[must_use]
    pub const fn new(call: Call) -> Record {
        Record {
            position: Position { line: 0, column: 0 },
            timestamp_us: None,
            thread: None,
            outcome: RecordedOutcome::Accepted,
            call,
        }
    }
}

/// What all creation calls say of the resource.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceArguments {
    /// The description, as the program gave it.
    pub desc: ResourceDesc,
    /// The state or layout it is created in.
    pub initial: InitialState,
    /// The optimised clear value.
    pub clear_value: Option<ClearValue>,
    /// The formats that views may cast it to.
    pub castable_formats: Box<[Format]>,
}

impl ResourceArguments {
    /// A resource in the COMMON state, without clear value and castable formats.
    #[must_use]
    pub fn new(desc: ResourceDesc) -> ResourceArguments {
        ResourceArguments {
            desc,
            initial: InitialState::State(ResourceStates::COMMON),
            clear_value: None,
            castable_formats: Box::default(),
        }
    }

    /// The same in another state.
    #[must_use]
    pub fn with_state(self, state: ResourceStates) -> ResourceArguments {
        ResourceArguments { initial: InitialState::State(state), ..self }
    }
}

/// The calls that traces tell of.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// CreateHeap.
    CreateHeap {
        /// The heap.
        id: TraceId,
        /// Its description.
        desc: HeapDesc,
    },
    /// CreateCommittedResource.
    CreateCommittedResource {
        /// The resource.
        id: TraceId,
        /// Of the implicit heap.
        heap_properties: HeapProperties,
        /// Of the implicit heap.
        heap_flags: HeapFlags,
        /// The resource.
        resource: ResourceArguments,
    },
    /// CreatePlacedResource.
    CreatePlacedResource {
        /// The resource.
        id: TraceId,
        /// The heap it lies in.
        heap: TraceId,
        /// In bytes from the heap's start.
        offset: u64,
        /// The resource.
        resource: ResourceArguments,
    },
    /// CreateReservedResource.
    CreateReservedResource {
        /// The resource.
        id: TraceId,
        /// The resource.
        resource: ResourceArguments,
    },
    /// What a program asked an allocator for. Where the allocator put it is known or not.
    RequestResource {
        /// The resource.
        id: TraceId,
        /// The heap type asked for; the heap that holds it may be CUSTOM instead.
        heap_type: HeapType,
        /// The resource.
        resource: ResourceArguments,
        /// Heap and offset in bytes, where they were recorded.
        place: Option<(TraceId, u64)>,
        /// The heap that the allocator created while it served this request.
        made_heap: Option<TraceId>,
    },
    /// Map.
    Map {
        /// The resource.
        id: TraceId,
        /// Which subresource.
        subresource: u32,
        /// What the CPU will read, in bytes; `None` is NULL: all of it.
        read_range: Option<ByteRange>,
        /// Whether the caller wants the address.
        pointer: MapPointer,
    },
    /// Unmap.
    Unmap {
        /// The resource.
        id: TraceId,
        /// Which subresource.
        subresource: u32,
        /// What the CPU wrote, in bytes; `None` is NULL: all of it.
        written_range: Option<ByteRange>,
    },
    /// SetName.
    SetName {
        /// The object.
        id: TraceId,
        /// Its name.
        name: Box<str>,
    },
    /// A tag: what the object is for.
    SetTag {
        /// The object.
        id: TraceId,
        /// Its tag.
        tag: Box<str>,
    },
    /// The last reference was released.
    Destroy {
        /// The object.
        id: TraceId,
    },
    /// A call that makes the GPU work, or prepares it.
    Gpu {
        /// The object that it makes or acts on; 0 where it has none ([`crate::GpuCallKind::has_object`]).
        id: TraceId,
        /// The call. Apart, so that the calls of memory stay small.
        call: Box<GpuCall>,
    },
}

impl Call {
    /// Which call of memory it is; `None` of GPU work.
    #[must_use]
    pub const fn kind(&self) -> Option<CallKind> {
        Some(match self {
            Call::Gpu { .. } => return None,
            Call::CreateHeap { .. } => CallKind::CreateHeap,
            Call::CreateCommittedResource { .. } => CallKind::CreateCommittedResource,
            Call::CreatePlacedResource { .. } => CallKind::CreatePlacedResource,
            Call::CreateReservedResource { .. } => CallKind::CreateReservedResource,
            Call::RequestResource { .. } => CallKind::RequestResource,
            Call::Map { .. } => CallKind::Map,
            Call::Unmap { .. } => CallKind::Unmap,
            Call::SetName { .. } => CallKind::SetName,
            Call::SetTag { .. } => CallKind::SetTag,
            Call::Destroy { .. } => CallKind::Destroy,
        })
    }

    /// The name that the format has for it.
    #[must_use]
    pub const fn kind_name(&self) -> &'static str {
        match self {
            Call::Gpu { call, .. } => call.kind().name(),
            _ => match self.kind() {
                Some(kind) => kind.name(),
                None => "",
            },
        }
    }

    /// The object that the call makes or acts on.
    #[must_use]
    pub const fn id(&self) -> TraceId {
        match self {
            Call::CreateHeap { id, .. }
            | Call::CreateCommittedResource { id, .. }
            | Call::CreatePlacedResource { id, .. }
            | Call::CreateReservedResource { id, .. }
            | Call::RequestResource { id, .. }
            | Call::Map { id, .. }
            | Call::Unmap { id, .. }
            | Call::SetName { id, .. }
            | Call::SetTag { id, .. }
            | Call::Destroy { id }
            | Call::Gpu { id, .. } => *id,
        }
    }
}
