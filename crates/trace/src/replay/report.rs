//! What a replay found, as data: every number is exact.

use heapstone_spec::commands::CommandListType;
use heapstone_spec::{HeapType, SdkVersion, SegmentGroup};
use serde::Serialize;

use super::{MemoryLog, ReplayOptions};
use crate::error::Position;
use crate::import::gpgmm::ImportNotes;
use crate::model::{TraceHeader, TraceId};

/// Everything a replay has to tell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// What the trace says of itself.
    pub trace: Option<TraceHeader>,
    /// What its import found; of imported traces.
    pub import: Option<ImportNotes>,
    /// The profile's name.
    pub profile: String,
    /// The SDK version whose rules held.
    pub sdk: SdkVersion,
    /// How it was replayed.
    pub options: ReplayOptions,
    /// The calls of the trace.
    pub calls: CallCounts,
    /// What the trace asks for by itself, on whatever device.
    pub asked: Asked,
    /// At the call when the most bytes were committed; among those the first with the most asked.
    pub peak: Moment,
    /// The most bytes that were asked for at once, and when.
    pub peak_asked: Peak,
    /// After the last call.
    pub end: Moment,
    /// Budget and usage by node and segment group.
    pub budgets: Vec<BudgetUse>,
    /// Calls that broke a rule, by rule, most first.
    pub refused: Vec<RefusedGroup>,
    /// Calls that memory or the driver failed, by reason, most first.
    pub failed: Vec<FailedGroup>,
    /// Calls that were not made because of what failed before.
    pub skipped: Skipped,
    /// Mistakes of the trace itself.
    pub trace_errors: Vec<TraceErrorGroup>,
    /// How resources found their places.
    pub placement: PlacementNotes,
    /// Heaps, explicit and implicit, that asked for video memory and got system memory.
    pub demoted: Demoted,
    /// CUSTOM heaps, explicit and implicit, of pool L0 where that is system memory.
    pub custom_l0: CustomL0,
    /// Calls that ended otherwise than when they were recorded.
    pub outcomes: OutcomeChanges,
    /// What the GPU did; of traces with GPU work.
    pub gpu: Option<GpuWork>,
    /// What was made resident and evicted; of traces with calls of residency or budgets.
    pub residency: Option<ResidencyWork>,
    /// The largest resources that were created, largest first.
    pub largest: Vec<LargeResource>,
    /// What the two alignments of buffers cost, over all buffers of the trace.
    pub alignment_cost: AlignmentCost,
    /// The same under tight alignment, where that was asked for.
    pub tight: Option<Box<TightComparison>>,
    /// What the trace uses of video memory, step by step, where that was asked for. Not written: it is as long as the trace.
    #[serde(skip)]
    pub memory: Option<MemoryLog>,
    /// Why it stopped before the trace's end: strict replay stops at the first call that fails.
    pub stopped: Option<Stop>,
}

impl Report {
    /// Calls that broke a rule.
    #[must_use]
    pub fn refused_count(&self) -> u64 {
        self.refused.iter().map(|group| group.count).sum()
    }

    /// Calls that memory or the driver failed.
    #[must_use]
    pub fn failed_count(&self) -> u64 {
        self.failed.iter().map(|group| group.count).sum()
    }

    /// Calls that name objects which are not there, or there twice.
    #[must_use]
    pub fn trace_error_count(&self) -> u64 {
        self.trace_errors.iter().map(|group| group.count).sum()
    }
}

/// Calls by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CallCounts {
    /// All.
    pub total: u64,
    /// create_heap.
    pub create_heap: u64,
    /// create_committed_resource.
    pub create_committed_resource: u64,
    /// create_placed_resource.
    pub create_placed_resource: u64,
    /// create_reserved_resource.
    pub create_reserved_resource: u64,
    /// request_resource.
    pub request_resource: u64,
    /// map.
    pub map: u64,
    /// unmap.
    pub unmap: u64,
    /// set_name.
    pub set_name: u64,
    /// set_tag.
    pub set_tag: u64,
    /// destroy.
    pub destroy: u64,
    /// All calls of GPU work; [`GpuWork::calls`] has them by kind.
    pub gpu: u64,
    /// All calls of residency and budgets; [`ResidencyWork::calls`] has them by kind.
    pub residency: u64,
}

/// What came of the calls of residency and budgets, all of which were made on the device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResidencyWork {
    /// Calls by kind, of those that the trace has.
    pub calls: Vec<ResidencyCallUse>,
    /// Objects of these calls that were left out: heaps that this placement does not make, and resources that it puts into
    /// heaps of its own.
    pub objects_left_out: u64,
    /// Bytes that the device's adapter paged in.
    pub bytes_paged_in: u64,
    /// Bytes that it wrote to the backing store.
    pub bytes_written_back: u64,
}

/// Calls of residency of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ResidencyCallUse {
    /// As the format names it.
    pub call: &'static str,
    /// How many the trace has.
    pub count: u64,
    /// Those of them that were refused or failed here.
    pub refused: u64,
}

/// What the GPU did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GpuWork {
    /// When it did its work: `immediate`, `threaded` or `stepped`.
    pub mode: &'static str,
    /// Of each queue, in the order of their creation; queues beyond the 64th share the last.
    pub queues: Vec<QueueWork>,
    /// Calls by kind, of those that the trace has.
    pub calls: Vec<GpuCallUse>,
    /// Lists that failed to close, for a command that was refused here.
    pub lists_failed: u64,
    /// Executions of lists that failed to close or were never made here: left out.
    pub lists_left_out: u64,
    /// Waits of the CPU for fences.
    pub waits: u64,
    /// Those of them that were given up: nothing pending leads to their value.
    pub waits_unreached: u64,
    /// WriteToSubresource and ReadFromSubresource of more than 1 GiB: left out.
    pub copies_left_out: u64,
    /// Why the device is removed.
    pub removed: Option<String>,
}

/// What a queue did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct QueueWork {
    /// Its number in the trace; `None` of several queues.
    pub id: Option<TraceId>,
    /// Its name.
    pub name: Option<String>,
    /// What it executes; `None` of several queues.
    #[serde(rename = "type")]
    pub list_type: Option<CommandListType>,
    /// ExecuteCommandLists.
    pub executions: u64,
    /// Lists that were submitted.
    pub lists: u64,
    /// Commands that it executed.
    pub commands: u64,
    /// Parts that its DMA buffers ran in, where its engine is patched (facts/dma-splitting.md); one each of those that fit.
    /// 0 of other engines.
    pub parts: u64,
    /// Bytes that they read.
    pub bytes_read: u64,
    /// Bytes that they wrote.
    pub bytes_written: u64,
    /// UpdateTileMappings and CopyTileMappings.
    pub tile_calls: u64,
    /// Tiles whose mapping changed.
    pub tiles_mapped: u64,
    /// Signals.
    pub signals: u64,
    /// Waits for fences.
    pub waits: u64,
    /// Nanoseconds that its work took, by the cost model of the profile.
    pub busy_ns: u64,
    /// Its clock at the end, in nanoseconds: with the time that it waited for other queues.
    pub time_ns: u64,
    /// Packets that were left: it waits for a fence that nobody signals.
    pub pending: u64,
}

/// Calls of GPU work of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GpuCallUse {
    /// As the format names it.
    pub call: &'static str,
    /// How many the trace has.
    pub count: u64,
    /// Those of them that were refused or failed here.
    pub refused: u64,
    /// Bytes that those accepted copy, clear or write when they are executed once, without padding.
    pub bytes: u64,
}

/// What a trace asks for, over its whole length, whether or not it was granted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// Heaps.
    pub heaps: u64,
    /// Their sizes together.
    pub heap_bytes: u64,
    /// Buffers, reserved ones not counted.
    pub buffers: u64,
    /// Their widths together.
    pub buffer_bytes: u64,
    /// Textures, reserved ones not counted.
    pub textures: u64,
    /// Their contents together, without padding.
    pub texture_bytes: u64,
    /// Reserved resources.
    pub reserved: u64,
}

/// Bytes that nobody asked for, by cause. The causes are apart from each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Waste {
    /// Free bytes before a resource that only its alignment keeps free.
    pub start_alignment: u64,
    /// What buffers' sizes have beyond their widths.
    pub buffer_rounding: u64,
    /// What textures' sizes have beyond their contents: padding of rows and tiles, metadata.
    pub texture_padding: u64,
    /// Free bytes behind the last resource of heaps that have any, and behind resources in implicit heaps.
    pub heap_tail: u64,
    /// Free bytes between resources, and heaps without any.
    pub heap_free: u64,
    /// Committed buffers below 64 KiB: all that their implicit heaps have beyond the widths.
    pub small_committed: u64,
}

impl Waste {
    /// All causes together.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.start_alignment
            + self.buffer_rounding
            + self.texture_padding
            + self.heap_tail
            + self.heap_free
            + self.small_committed
    }
}

/// Memory at one moment. Always: `committed + aliased = asked + waste.total()`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Explicit heaps.
    pub heaps: u64,
    /// Bytes that the kernel committed for them.
    pub heap_bytes: u64,
    /// Placed resources.
    pub placed_resources: u64,
    /// Committed resources.
    pub committed_resources: u64,
    /// Of those the buffers below 64 KiB.
    pub small_committed_buffers: u64,
    /// Bytes of content of all resources: what the program has a use for.
    pub asked: u64,
    /// Bytes that the resources take: their sizes.
    pub taken: u64,
    /// Bytes that the kernel committed, for explicit and implicit heaps.
    pub committed: u64,
    /// Bytes of resources that lie where others lie too: `taken` less what is covered.
    pub aliased: u64,
    /// Bytes committed beyond those asked for, by cause.
    pub waste: Waste,
}

/// Memory of one heap type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TypeUsage {
    /// The heap type, as the trace wrote it.
    pub heap_type: HeapType,
    /// Its memory.
    #[serde(flatten)]
    pub usage: Usage,
}

/// Memory at one moment, by heap type and in total.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Moment {
    /// Where the call stands.
    pub position: Position,
    /// Its number, from 1; 0: before the first.
    pub call: u64,
    /// Its time, where the trace has times.
    pub timestamp_us: Option<u64>,
    /// All heap types together.
    pub total: Usage,
    /// Of each heap type that had any memory.
    pub by_type: Vec<TypeUsage>,
    /// Reserved resources: they commit nothing.
    pub reserved_resources: u64,
    /// Bytes of addresses that they take.
    pub reserved_addresses: u64,
}

/// The greatest value of something, and when it was first reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Peak {
    /// In bytes.
    pub bytes: u64,
    /// Where the call stands.
    pub position: Position,
    /// Its number, from 1.
    pub call: u64,
    /// Its time, where the trace has times.
    pub timestamp_us: Option<u64>,
}

/// Budget and usage of a segment group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BudgetUse {
    /// The node.
    pub node: u32,
    /// The segment group.
    pub group: SegmentGroup,
    /// The budget before the first call, in bytes.
    pub budget: u64,
    /// The most that was committed there.
    pub peak: Peak,
    /// The first call after which more was committed than the budget.
    pub exceeded: Option<Peak>,
}

/// The first call of a group, in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FirstCall {
    /// Where it stands.
    pub position: Position,
    /// Its number, from 1.
    pub call: u64,
    /// Its time, where the trace has times.
    pub timestamp_us: Option<u64>,
    /// The call as our format writes it.
    pub text: String,
    /// The error, as the library words it.
    pub error: String,
}

/// Calls that broke one rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusedGroup {
    /// The rule's name.
    pub rule: &'static str,
    /// What it demands.
    pub statement: &'static str,
    /// What to change.
    pub remedy: &'static str,
    /// The debug layer's message, name and number, where D3D12 has one.
    pub message: Option<String>,
    /// Where the rule comes from.
    pub source: &'static str,
    /// Calls that broke it.
    pub count: u64,
    /// Where the first [`RefusedGroup::AT_MAX`] of them stand, in the order of the trace.
    pub at: Vec<Position>,
    /// The field that the first one broke it with.
    pub field: &'static str,
    /// What the first one gave.
    pub given: String,
    /// What was allowed.
    pub allowed: String,
    /// The first one.
    pub first: FirstCall,
}

impl RefusedGroup {
    /// How many places a group keeps: a trace may repeat one mistake a million times (chosen).
    pub const AT_MAX: usize = 100;
}

/// Why the world failed a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// No physical memory.
    VideoMemory,
    /// No GPU virtual addresses.
    VirtualAddress,
    /// The share of shader-atomics heaps is used up.
    ShaderAtomics,
    /// The system gave no memory.
    System,
    /// The device was removed, before or by this call.
    DeviceRemoved,
    /// The driver failed otherwise.
    Driver,
}

/// Calls that failed for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailedGroup {
    /// The reason.
    pub failure: Failure,
    /// Calls that failed so.
    pub count: u64,
    /// The first one.
    pub first: FirstCall,
}

/// Calls that were not made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Resources that would lie in a heap that was refused or failed.
    pub heap_missing: u64,
    /// Map, Unmap, names and tags of objects that were refused, failed or skipped.
    pub object_missing: u64,
}

/// A mistake of the trace itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TraceMistake {
    /// A call on an object that does not live: never created, or destroyed.
    UnknownObject,
    /// A resource placed in a heap that does not live.
    UnknownHeap,
    /// A resource placed in a resource, or Map of a heap.
    WrongKind,
    /// An object created under the number of one that lives: that one is taken as destroyed.
    NumberInUse,
}

/// Mistakes of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceErrorGroup {
    /// The kind.
    pub mistake: TraceMistake,
    /// Calls with it.
    pub count: u64,
    /// The first one.
    pub first: FirstCall,
}

/// How resources found their places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PlacementNotes {
    /// Placed where the trace says.
    pub as_recorded: u64,
    /// Of those, resources that overlapped others when they were placed.
    pub overlapping: u64,
    /// Placed first-fit by the replay into a heap of the trace.
    pub first_fit: u64,
    /// Of those, in the heap that the program made for the request.
    pub in_made_heap: u64,
    /// Requests that fit in no heap of the trace, and were committed instead.
    pub committed_instead: u64,
    /// Bytes of those.
    pub committed_instead_bytes: u64,
    /// The first of those: its object.
    pub first_committed_instead: Option<TraceId>,
    /// Placed first-fit in pools of the replay's own.
    pub pooled: u64,
    /// Heaps that the pools made.
    pub pool_heaps: u64,
    /// Of those the ones made for a single resource larger than a pool's heap.
    pub pool_heaps_of_one: u64,
    /// Heaps whose end the trace tells while resources lie in them: they stay until those go.
    pub heaps_outlived: u64,
}

/// Heaps that asked for video memory and got system memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Demoted {
    /// How many.
    pub heaps: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The first.
    pub first: Option<TraceId>,
}

/// CUSTOM heaps of pool L0 on an adapter where L0 is system memory: a UMA adapter has all its memory there, so
/// a trace recorded on one asks for it (spec/2-resource-heaps.txt 96, 471).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CustomL0 {
    /// How many.
    pub heaps: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Calls that ended otherwise than when they were recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OutcomeChanges {
    /// Accepted then, refused or failed here.
    pub refused_here: u64,
    /// Refused or failed then, accepted here: the object was given back at once, for the program went
    /// on without it.
    pub accepted_here: u64,
}

/// One of the largest resources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LargeResource {
    /// The resource.
    pub id: TraceId,
    /// Its name, where it has one.
    pub name: Option<String>,
    /// Bytes it takes.
    pub size: u64,
    /// Bytes of its content.
    pub asked: u64,
    /// The call that created it, as our format writes it.
    pub text: String,
    /// Where that stands.
    pub position: Position,
    /// Its number, from 1.
    pub call: u64,
}

/// What alignment costs all buffers of a trace, were each rounded up by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AlignmentCost {
    /// Buffers, reserved ones not counted.
    pub buffers: u64,
    /// Their widths together.
    pub bytes: u64,
    /// Those below 64 KiB.
    pub small_buffers: u64,
    /// Bytes that rounding each up to 64 KiB adds.
    pub at_64_kib: u64,
    /// Bytes that rounding each up to 256 bytes adds.
    pub at_256: u64,
}

/// The same workload with tight alignment, beside the one asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TightComparison {
    /// The SDK version of the tight device: the asked one, or the latest where that has no tight alignment.
    pub sdk: SdkVersion,
    /// Whether the SDK had to be a newer one.
    pub sdk_raised: bool,
    /// Whether the profile lacks tight alignment, and it was switched on for the comparison.
    pub tier_switched_on: bool,
    /// Descriptions that got USE_TIGHT_ALIGNMENT.
    pub descriptions: u64,
    /// The replay there.
    pub report: Report,
}

/// Where and why a strict replay stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stop {
    /// The call.
    pub first: FirstCall,
}
