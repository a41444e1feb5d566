//! Command allocators and command lists: recording compiles each command at once.
//!
//! ```text
//!   CommandAllocator ------- memory of streams; generation, lists in flight
//!     ^          ^
//!     | records  | keeps its memory
//!   CommandList  |
//!     |- Recorder             DmaBuilder + what it refers to, each once
//!     '- ClosedList ----------' DmaBuffer + the same references; queues execute it
//! ```
//! A call checks its rules against its arguments alone, then writes commands of the engine
//! (`heapstone_driver::dma`) behind those of the calls before. A refused call writes nothing; the list
//! remembers the first, and Close answers it, as D3D12 does (facts/behaviour.md, Copies and footprints).
//! States of resources are not followed: a debug layer would judge them.
//!
//! A list is recorded by one thread at a time, which `&mut` says; there is no lock on the way.

mod allocator;
mod barrier_desc;
mod barrier_tables;
mod clear;
mod closed;
mod copy_buffer;
mod copy_location;
mod copy_resource;
mod copy_texture;
mod descriptor_heaps;
mod discard;
mod element;
mod enhanced_barrier;
mod fill;
mod grid;
mod list;
mod observed;
mod predication;
mod query;
mod recorder;
mod resolve;
mod resource_barrier;
mod tiles;
mod write_immediate;

pub use allocator::CommandAllocator;
pub use barrier_desc::{BarrierGroup, BufferBarrier, GlobalBarrier, ResourceBarrier, TextureBarrier};
pub(crate) use closed::InFlight;
pub use copy_location::{TextureCopyLocation, TextureCopyType};
pub use discard::DiscardRegion;
pub use list::CommandList;
pub use observed::{CopyLocation, ListCommand};
pub use query::QueryHeap;
pub use resolve::ResolveRegion;
