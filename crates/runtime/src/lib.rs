//! Direct3D 12's memory system: heaps, committed, placed and reserved resources, mapping, addresses
//! and budgets, on any adapter profile and under any SDK version.
//!
//! ```text
//!   Adapter ------------- profile, driver, kernel's memory manager
//!     |
//!   Device -------------- SDK version, rules, a process of the kernel, an observer
//!     |-- Heap ---------- physical memory + addresses
//!     |     '-- Resource (placed)     keeps its heap alive
//!     |-- Resource (committed)        with an implicit heap
//!     '-- Resource (reserved)         addresses only
//! ```
//!
//! Every handle is a cheap clone, `Send + Sync`; the object dies with its last handle, and its memory
//! and addresses are free at once. There is no lock around the device: threads meet only in the
//! kernel's shards.
//!
//! Errors are of two kinds ([`Error`]): the caller broke a rule ([`Violation`]: rule, field, given,
//! allowed), or the world failed (memory, addresses, the driver). After an error nothing has changed.
#![forbid(unsafe_code)]

mod adapter;
mod address;
mod command;
mod desc;
mod descriptor;
mod device;
mod error;
mod fault;
mod fence;
mod gpu;
mod heap;
mod mapping;
mod memory_use;
mod object;
mod observer;
mod paging;
mod queue;
mod residency;
mod resource;
mod submission;
mod subresource;
mod tiles;
mod validate;

pub use adapter::{Adapter, adapter_memory};
pub use command::{
    BarrierGroup, BufferBarrier, CommandAllocator, CommandList, CopyLocation, DiscardRegion, GlobalBarrier,
    ListCommand, QueryHeap, ResolveRegion, ResourceBarrier, TextureBarrier, TextureCopyLocation,
    TextureCopyType,
};
pub use desc::{CommittedResourceDesc, InitialState, PlacedResourceDesc, ReservedResourceDesc};
pub use descriptor::{
    ConstantBufferView, DepthStencilView, DescriptorHeap, DescriptorPlace, DescriptorRanges,
    RenderTargetView, ShaderResourceView, TextureRange, UnorderedAccessView, ViewRange,
};
pub use device::{Device, DeviceBuilder, GpuVirtualAddressRange, features};
pub use error::{BuildError, Error, OutOfMemory, RemovalReason, Stuck};
pub use fault::{GpuFault, NearObject};
pub use fence::Fence;
pub use heap::Heap;
pub use heapstone_driver::engine::{EngineFault, PageFaultReason, QueueStatistics, Translation};
pub use heapstone_driver::paging::PagingStatistics as HeapPagingStatistics;
pub use heapstone_driver::{
    Backing, Driver, DriverError, DriverFactory, OpenAdapter, SHARED_DESCRIPTION_SIZE,
};
pub use heapstone_kernel::residency::{
    MakeResidentFlags, OverBudget, PagingStatistics, PeriodicTrim, ProcessRemoval, ResidencyConfig,
    ResidencyPriority, TrimCookie, TrimNotification, TrimRequest, policy::PolicyKind,
};
pub use heapstone_kernel::{
    AdapterMemory, AllocationFault, BudgetChange, BudgetCookie, BudgetFault, FaultPlan, FaultPlanError,
    FaultStatistics, GPU_VA_BEGIN, ProcessRole, RangeStatistics, SlowPaging, VideoMemoryInfo,
};
pub use heapstone_layout::{
    FootprintOutputs, PackedMipInfo, PlacedFootprint, ResourceAllocationInfo1, ResourceTiling,
    SubresourceTiling, TileShape,
};
pub use heapstone_scheduler::{
    CreationOrder, Event, GpuMode, Order, PacketKind, PacketView, QueueStatus, RoundRobin, Seeded,
    StepOutcome, StepUnit, WaitMode, WaitOutcome,
};
pub use heapstone_spec as spec;
pub use heapstone_spec::{
    BarrierLayout, ClearColor, ClearValue, CpuPageProperty, Format, HeapDesc, HeapFlags, HeapProperties,
    HeapType, MemoryPool, MipRegion, Profile, ResourceAllocationInfo, ResourceDesc, ResourceDimension,
    ResourceFlags, ResourceStates, Rule, SampleDesc, SdkVersion, SegmentGroup, TextureLayout, Violation,
};
pub use heapstone_units as units;
pub use heapstone_units::{ByteRange, GpuVirtualAddress};
pub use mapping::{MapPointer, Mapping};
pub use memory_use::MemoryUse;
pub use observer::{Call, Notice, NoticeSubject, ObjectId, Observer, Outcome, Severity};
pub use queue::{CommandQueue, CommandQueueDesc, TIMESTAMP_FREQUENCY};
pub use residency::Pageable;
pub use resource::{Resource, ResourceKind};
pub use tiles::UpdateTileMappingsDesc;

/// The example of README.md, run as a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct ReadmeExample;
