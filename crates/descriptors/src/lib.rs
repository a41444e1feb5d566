//! Allocators for the descriptors of a heap, by which renderers use the same descriptors again and again
//! without overwriting what the GPU still reads.
//!
//! ```text
//!  DescriptorRing         what a frame needs once: handed out in order, taken back frame by frame
//!  DescriptorAllocator    what stays: ranges of any length, freed in any order
//!        |
//!     Deferred            what the GPU may still read: waits for the fences of its last uses
//! ```
//! They stand on no device: a [`HeapRange`] is four numbers, which any implementation of D3D12 gives. Chosen, because a renderer keeps
//! its allocators when it changes the device below, and because they can be tested without one. They are not
//! shared: a program has one per thread or locks one.
//!
//! # The GPU's timeline
//! A program that frees a descriptor says up to which fence value each of its queues may read it
//! ([`UsePoint`]s), and tells what queues have completed. Fences count up; a completed value that is below an
//! earlier one changes nothing.
#![forbid(unsafe_code)]

mod allocator;
mod error;
mod heap_range;
mod ring;
mod timeline;

pub use allocator::{DescriptorAllocator, DescriptorBlock};
pub use error::{DescriptorsError, Shortage};
pub use heap_range::HeapRange;
pub use ring::{DescriptorRing, DescriptorSpan};
pub use timeline::{Deferred, QUEUES_MAX, UnknownQueue, UsePoint, Uses};
