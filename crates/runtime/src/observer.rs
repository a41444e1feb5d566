//! Watching a device: every call that changes something, for recorders and tools.

use core::fmt;

use heapstone_driver::paging::PagingStatistics as HeapPagingStatistics;
use heapstone_kernel::residency::{MakeResidentFlags, ResidencyPriority};
use heapstone_spec::commands::{Box3D, CommandListType, FenceFlags, QueryHeapDesc};
use heapstone_spec::message::{self, MessageId};
use heapstone_spec::tiles::{TileMappingFlags, TileRegionSize, TiledResourceCoordinate};
use heapstone_spec::views::{
    ConstantBufferViewDesc, CpuDescriptorHandle, DepthStencilViewDesc, DescriptorHeapDesc,
    DescriptorHeapType, GpuDescriptorHandle, RenderTargetViewDesc, SamplerDesc, ShaderResourceViewDesc,
    UnorderedAccessViewDesc,
};
use heapstone_spec::{HeapDesc, HeapType, ResourceDesc, ResourceFlags, ResourceStates, SegmentGroup};
use heapstone_units::{ByteRange, GpuVirtualAddress};

use crate::command::{CommandList, ListCommand};
use crate::desc::{CommittedResourceDesc, InitialState, PlacedResourceDesc, ReservedResourceDesc};
use crate::descriptor::DescriptorRanges;
use crate::error::Error;
use crate::mapping::MapPointer;
use crate::queue::CommandQueueDesc;
use crate::residency::Pageable;
use crate::resource::Resource;
use crate::tiles::UpdateTileMappingsDesc;

/// The number of an object on its device: from 1, in the order of creation, never used again. Numbers
/// are given only on a device that is observed; elsewhere every object has number 0, so that threads
/// share no counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u64);

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// How a call ended.
pub type Outcome<'a> = Result<(), &'a Error>;

/// A call as it was made. A refused creation has a number as well: on another device it may be accepted.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Call<'a> {
    /// CreateHeap.
    CreateHeap {
        /// The heap.
        object: ObjectId,
        /// As given.
        desc: &'a HeapDesc,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CreateCommittedResource.
    CreateCommittedResource {
        /// The resource.
        object: ObjectId,
        /// As given.
        desc: &'a CommittedResourceDesc<'a>,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CreatePlacedResource.
    CreatePlacedResource {
        /// The resource.
        object: ObjectId,
        /// Its heap.
        heap: ObjectId,
        /// In bytes.
        offset: u64,
        /// As given.
        desc: &'a PlacedResourceDesc<'a>,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CreateReservedResource.
    CreateReservedResource {
        /// The resource.
        object: ObjectId,
        /// As given.
        desc: &'a ReservedResourceDesc<'a>,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// ID3D12DeviceTools::SetNextAllocationAddress, of the thread that tells it.
    SetNextAllocationAddress {
        /// 0 takes it back.
        address: GpuVirtualAddress,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// ID3D12Resource::Map.
    Map {
        /// The resource.
        object: ObjectId,
        /// Its subresource.
        subresource: u32,
        /// What the CPU will read; `None` is D3D12's NULL: all of it.
        read_range: Option<ByteRange>,
        /// Whether a pointer was asked for.
        pointer: MapPointer,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// ID3D12Resource::Unmap.
    Unmap {
        /// The resource.
        object: ObjectId,
        /// Its subresource.
        subresource: u32,
        /// What the CPU wrote; `None` is D3D12's NULL: all of it.
        written_range: Option<ByteRange>,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// ID3D12Resource::WriteToSubresource.
    WriteToSubresource {
        /// The resource.
        object: ObjectId,
        /// Its subresource.
        subresource: u32,
        /// Of the subresource; `None` is D3D12's NULL: all of it.
        destination_box: Option<&'a Box3D>,
        /// In bytes.
        source_row_pitch: u32,
        /// In bytes.
        source_depth_pitch: u32,
        /// What was handed in.
        data: &'a [u8],
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// ID3D12Resource::ReadFromSubresource.
    ReadFromSubresource {
        /// The resource.
        object: ObjectId,
        /// Its subresource.
        subresource: u32,
        /// Of the subresource; `None` is D3D12's NULL: all of it.
        source_box: Option<&'a Box3D>,
        /// In bytes.
        destination_row_pitch: u32,
        /// In bytes.
        destination_depth_pitch: u32,
        /// Bytes of the program's memory that was handed in.
        size: usize,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CreateDescriptorHeap.
    CreateDescriptorHeap {
        /// The descriptor heap.
        object: ObjectId,
        /// As given.
        desc: &'a DescriptorHeapDesc,
        /// Its first handle; 0 where it was refused.
        cpu_start: CpuDescriptorHandle,
        /// Its first GPU handle, where shaders see it.
        gpu_start: Option<GpuDescriptorHandle>,
        /// What lies between the handles of neighbours.
        increment: u32,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CreateShaderResourceView.
    CreateShaderResourceView {
        /// `None`: a null descriptor.
        resource: Option<ObjectId>,
        /// As given; `None` is NULL.
        desc: Option<&'a ShaderResourceViewDesc>,
        /// Where the view is written.
        at: CpuDescriptorHandle,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CreateUnorderedAccessView.
    CreateUnorderedAccessView {
        /// `None`: a null descriptor.
        resource: Option<ObjectId>,
        /// The counter's buffer.
        counter: Option<ObjectId>,
        /// As given; `None` is NULL.
        desc: Option<&'a UnorderedAccessViewDesc>,
        /// Where the view is written.
        at: CpuDescriptorHandle,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CreateRenderTargetView.
    CreateRenderTargetView {
        /// `None`: a null descriptor.
        resource: Option<ObjectId>,
        /// As given; `None` is NULL.
        desc: Option<&'a RenderTargetViewDesc>,
        /// Where the view is written.
        at: CpuDescriptorHandle,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CreateDepthStencilView.
    CreateDepthStencilView {
        /// `None`: a null descriptor.
        resource: Option<ObjectId>,
        /// As given; `None` is NULL.
        desc: Option<&'a DepthStencilViewDesc>,
        /// Where the view is written.
        at: CpuDescriptorHandle,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CreateConstantBufferView.
    CreateConstantBufferView {
        /// As given; `None` is NULL.
        desc: Option<&'a ConstantBufferViewDesc>,
        /// Whose the address is, and the offset in bytes there: of a heap, or of a committed or reserved
        /// buffer; `None` of nobody's.
        place: Option<(ObjectId, u64)>,
        /// Where the view is written.
        at: CpuDescriptorHandle,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CreateSampler.
    CreateSampler {
        /// As given.
        desc: &'a SamplerDesc,
        /// Where it is written.
        at: CpuDescriptorHandle,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CopyDescriptors.
    CopyDescriptors {
        /// As given.
        destination: DescriptorRanges<'a>,
        /// As given.
        source: DescriptorRanges<'a>,
        /// Of all heaps that take part.
        heap_type: DescriptorHeapType,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CopyDescriptorsSimple.
    CopyDescriptorsSimple {
        /// Descriptors.
        count: u32,
        /// The first that is written.
        destination: CpuDescriptorHandle,
        /// The first that is read.
        source: CpuDescriptorHandle,
        /// Of both heaps.
        heap_type: DescriptorHeapType,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CreateCommandAllocator.
    CreateCommandAllocator {
        /// The allocator.
        object: ObjectId,
        /// Of the lists that record from it.
        list_type: CommandListType,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// ID3D12CommandAllocator::Reset.
    ResetCommandAllocator {
        /// The allocator.
        object: ObjectId,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CreateCommandList, and CreateCommandList1 without an allocator.
    CreateCommandList {
        /// The list.
        object: ObjectId,
        /// Its type.
        list_type: CommandListType,
        /// What it records from; `None`: it begins closed.
        allocator: Option<ObjectId>,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// ID3D12GraphicsCommandList::Close.
    CloseCommandList {
        /// The list.
        object: ObjectId,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// ID3D12GraphicsCommandList::Reset.
    ResetCommandList {
        /// The list.
        object: ObjectId,
        /// What it records from.
        allocator: ObjectId,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CreateQueryHeap.
    CreateQueryHeap {
        /// The query heap.
        object: ObjectId,
        /// As given.
        desc: &'a QueryHeapDesc,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// A command that was given to a list.
    Command {
        /// The list.
        list: ObjectId,
        /// As given.
        command: &'a ListCommand<'a>,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CreateCommandQueue.
    CreateCommandQueue {
        /// The queue.
        object: ObjectId,
        /// As given.
        desc: &'a CommandQueueDesc,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CreateFence.
    CreateFence {
        /// The fence.
        object: ObjectId,
        /// Its first value.
        initial_value: u64,
        /// As given.
        flags: FenceFlags,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// ExecuteCommandLists.
    ExecuteCommandLists {
        /// The queue.
        queue: ObjectId,
        /// In order.
        lists: &'a [&'a CommandList],
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// UpdateTileMappings.
    UpdateTileMappings {
        /// The queue.
        queue: ObjectId,
        /// The reserved resource.
        resource: ObjectId,
        /// As given.
        desc: &'a UpdateTileMappingsDesc<'a>,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// CopyTileMappings.
    CopyTileMappings {
        /// The queue.
        queue: ObjectId,
        /// The reserved resource whose mappings change.
        destination: ObjectId,
        /// Where they begin to.
        destination_start: &'a TiledResourceCoordinate,
        /// The reserved resource whose mappings are copied.
        source: ObjectId,
        /// Where they begin.
        source_start: &'a TiledResourceCoordinate,
        /// Of both regions.
        size: &'a TileRegionSize,
        /// As given.
        flags: TileMappingFlags,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// ID3D12CommandQueue::Signal.
    QueueSignal {
        /// The queue.
        queue: ObjectId,
        /// The fence.
        fence: ObjectId,
        /// Its value to be.
        value: u64,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// ID3D12CommandQueue::Wait.
    QueueWait {
        /// The queue.
        queue: ObjectId,
        /// The fence.
        fence: ObjectId,
        /// What it waits for.
        value: u64,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// ID3D12Fence::Signal.
    FenceSignal {
        /// The fence.
        fence: ObjectId,
        /// Its value from now on.
        value: u64,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// A wait of the CPU that ended because the fence had reached the value: ID3D12Fence::SetEventOnCompletion and
    /// SetEventOnMultipleFenceCompletion without an event.
    FenceWait {
        /// The fence.
        fence: ObjectId,
        /// What was waited for.
        value: u64,
    },
    /// ID3D12Device::MakeResident.
    MakeResident {
        /// As given.
        objects: &'a [Pageable<'a>],
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// ID3D12Device3::EnqueueMakeResident.
    EnqueueMakeResident {
        /// As given.
        flags: MakeResidentFlags,
        /// As given.
        objects: &'a [Pageable<'a>],
        /// The fence.
        fence: ObjectId,
        /// Its value once the objects are in memory.
        value: u64,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// ID3D12Device::Evict.
    Evict {
        /// As given.
        objects: &'a [Pageable<'a>],
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// ID3D12Device1::SetResidencyPriority.
    SetResidencyPriority {
        /// As given.
        objects: &'a [(Pageable<'a>, ResidencyPriority)],
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// [`crate::Device::set_budget`]: a budget that was set outright.
    SetBudget {
        /// The node.
        node: u32,
        /// The segment group.
        group: SegmentGroup,
        /// In bytes; `None` leaves it to the formula again.
        budget: Option<u64>,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// IDXGIAdapter3::SetVideoMemoryReservation.
    SetVideoMemoryReservation {
        /// The node.
        node: u32,
        /// The segment group.
        group: SegmentGroup,
        /// In bytes.
        reservation: u64,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// ID3D12Object::SetName.
    SetName {
        /// The object.
        object: ObjectId,
        /// Its new name.
        name: &'a str,
    },
    /// A tag: what the object is for, e.g. `terrain/albedo`, for reports to group by.
    SetTag {
        /// The object.
        object: ObjectId,
        /// Its new tag.
        tag: &'a str,
    },
    /// The last handle of the object is gone. Told before its memory is free, so that nobody is told
    /// of memory that is used again first.
    Destroy {
        /// The object.
        object: ObjectId,
    },
}

/// Sees the calls of a device, from the threads that make them; those of one thread in their order.
/// It must not use objects of the device that it watches.
pub trait Observer: Send + Sync {
    /// Sees a call after it ended, and a destruction before it begins.
    fn observe(&self, call: &Call<'_>);

    /// Hears what the debug layer would say of a call that was accepted. Nothing unless overridden.
    fn notice(&self, notice: &Notice) {
        let _ = notice;
    }

    /// Hears, after a call of the device had bytes of heaps moved, what was paged on the adapter so far. Nothing unless
    /// overridden; never called where bytes stay in place.
    fn paged(&self, statistics: &HeapPagingStatistics) {
        let _ = statistics;
    }
}

/// How much a [`Notice`] matters (D3D12_MESSAGE_SEVERITY).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// Probably not what was meant.
    Warning,
    /// Good to know.
    Info,
}

/// What a [`Notice`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoticeSubject {
    /// USE_TIGHT_ALIGNMENT beside ALLOW_CROSS_ADAPTER (spec/1, Validation: a warning without a number there).
    TightAlignmentCrossAdapter,
    /// D3D12_MESSAGE_ID_CREATERESOURCE_ALIGNMENT_OVERRIDDEN (spec/1, Non-zero Alignment as a target floor;
    /// the header that gives its number is newer than those at hand).
    AlignmentOverridden,
    /// D3D12_MESSAGE_ID_CREATERESOURCE_STATE_IGNORED.
    StateIgnored,
    /// D3D12_MESSAGE_ID_OBJECT_DELETED_WHILE_STILL_IN_USE: the program let go of it while work that refers to
    /// it was in flight. Here it lived until that work ended.
    DeletedWhileInUse,
}

impl NoticeSubject {
    /// The debug layer's message, where its number is known.
    #[must_use]
    pub const fn message(self) -> Option<MessageId> {
        match self {
            NoticeSubject::TightAlignmentCrossAdapter | NoticeSubject::AlignmentOverridden => None,
            NoticeSubject::StateIgnored => Some(message::CREATERESOURCE_STATE_IGNORED),
            NoticeSubject::DeletedWhileInUse => Some(message::OBJECT_DELETED_WHILE_STILL_IN_USE),
        }
    }
}

/// What the debug layer says of a call that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How much it matters.
    pub severity: Severity,
    /// What it is about.
    pub subject: NoticeSubject,
    /// What was created.
    pub object: ObjectId,
    /// What happened, with its numbers.
    pub text: String,
}

/// What there is to say of a resource that was created as `given`, on a heap of `heap_type` (`None`:
/// reserved).
pub(crate) fn notices(
    given: &ResourceDesc,
    initial: InitialState,
    heap_type: Option<HeapType>,
    created: &Resource,
) -> Vec<Notice> {
    let mut notices = Vec::new();
    let mut say = |severity, subject, text| {
        notices.push(Notice { severity, subject, object: created.id(), text });
    };
    if given.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT) {
        // spec/1, Validation: alignment is 64 KiB then, or 4 MiB for MSAA.
        if given.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER) {
            let text = format!(
                "USE_TIGHT_ALIGNMENT beside ALLOW_CROSS_ADAPTER has no effect: the alignment is {}",
                created.alignment()
            );
            say(Severity::Warning, NoticeSubject::TightAlignmentCrossAdapter, text);
        }
        // spec/1, Non-zero Alignment as a target floor.
        if given.alignment != 0 && created.alignment() > given.alignment {
            let text = format!(
                "Alignment {} was raised to {}, the least that the runtime and the driver accept",
                given.alignment,
                created.alignment()
            );
            say(Severity::Info, NoticeSubject::AlignmentOverridden, text);
        }
    }
    // UPLOAD and READBACK have states of their own, which other rules hold.
    let has_own_states = matches!(heap_type, Some(HeapType::Upload | HeapType::Readback));
    if let InitialState::State(state) = initial
        && given.is_buffer()
        && !has_own_states
        && !state.is_empty()
        && state != ResourceStates::RAYTRACING_ACCELERATION_STRUCTURE
    {
        let text = format!("InitialResourceState {state} is ignored: a buffer begins in COMMON");
        say(Severity::Warning, NoticeSubject::StateIgnored, text);
    }
    notices
}
