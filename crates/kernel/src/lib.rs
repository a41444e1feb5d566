//! The kernel's video memory manager: segments, placement, GPU virtual addresses, process usage and budgets.
//!
//! ```text
//!   MemoryManager (one per adapter)
//!     |- Segment "L1 of node 0", ..., Segment "L0"        physical memory
//!     |    '- ShardedSpace -> RangeAllocator, one per shard, each under its own lock
//!     |- BudgetBoard                                       who should use how much; notifications
//!     '- Process (every device is one)
//!          |- AddressSpace                                 GPU virtual addresses
//!          |    '- ShardedSpace -> RangeAllocator ...
//!          |- UsageCounters                                bytes by node and group, striped
//!          '- Allocation = ranges of one segment + a range of addresses   (a heap)
//!             VirtualRange = addresses alone              (a reserved resource)
//! ```
//! A heap is physical memory, a resource is virtual memory (spec/2-resource-heaps.txt 1580); a heap alone
//! takes virtual addresses as well (1642).
//!
//! What holds:
//! - It is a state machine: it moves no bytes, sees no driver, and reads no clock, random source or
//!   environment. The same calls from one thread give the same offsets (`home`).
//! - An allocation is refused only when no segment of its preference can hold it. What is refused changes
//!   nothing; what is freed is free at once, and merges with its neighbours.
//! - There is no global lock. An allocation takes one shard's lock in a segment, then one in the address
//!   space, one after the other; only what finds no place takes all of a space's. Budgets do not depend on
//!   allocations. No lock is held while a caller's code runs.
#![forbid(unsafe_code)]

mod address_space;
mod allocation;
pub mod budget;
mod config;
pub mod dma_split;
mod error;
mod fault;
mod home;
mod manager;
mod paging;
pub mod paging_buffer;
mod process;
pub mod range_allocator;
pub mod residency;
mod segment;
mod set_aside;
mod shard;
mod sharded;
mod size_classes;
mod statistics;
mod usage;

pub use address_space::{GPU_VA_BEGIN, VirtualRange};
pub use allocation::{Allocation, AllocationDesc, Placement};
pub use budget::{BudgetChange, BudgetCookie, BudgetNotification, ProcessRole, VideoMemoryInfo};
pub use config::{AdapterMemory, BudgetPolicy, MemoryPool, PageSize, SegmentDesc, SegmentNodes};
pub use error::{
    AddressObstacle, AddressUnavailable, AllocateError, ConfigError, OutOfProcessIdentifiers,
    OutOfVideoMemory, OutOfVirtualAddress, ReservationError, ReserveAddressError, SegmentShortage, Shortage,
    UnknownNode,
};
pub use fault::{
    AllocationFault, AllocationFaults, AllocationStep, BudgetFault, FaultPlan, FaultPlanError,
    FaultStatistics, SlowPaging,
};
pub use manager::{MemoryManager, ProcessDesc};
pub use paging::{AllocationKey, PagingOperation, PagingPlace};
pub use process::Process;
pub use range_allocator::{Owner, RangeAllocator, RangeView};
pub use segment::{SegmentId, SegmentInfo};
pub use statistics::RangeStatistics;
