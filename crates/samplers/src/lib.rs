//! Samplers without the wall of 2048: equal ones share a slot of one heap, bind groups name slots by indices,
//! and root signatures are planned so that shaders reach them (spec/4-sampler-heap.txt).
//!
//! It stands alone: it moves numbers, and whoever owns a device writes what it says must be written.
#![forbid(unsafe_code)]

mod error;
mod groups;
mod heap;
mod index_buffers;
mod key;
mod layout;
pub mod overflow;
pub mod plan;

pub use error::{HeapFull, SamplersError};
pub use groups::{GroupId, GroupView, Sampler, SamplerWrite, Samplers, SamplersDesc, SamplersStatistics};
pub use heapstone_descriptors::{QUEUES_MAX, UnknownQueue, UsePoint};
pub use index_buffers::IndexRange;
pub use key::NormalizedSampler;
pub use layout::{BindGroupLayout, LayoutError, SamplerBinding, SamplerKind};
