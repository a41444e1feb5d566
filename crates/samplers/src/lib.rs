//! Samplers without the wall of 2048: equal ones share a slot of one heap, bind groups name slots by indices,
//! and root signatures are planned so that shaders reach them (spec/4-sampler-heap.txt).
//!
//! It stands alone: it moves numbers, and whoever owns a device writes what it says must be written.
#![forbid(unsafe_code)]

mod layout;
pub mod plan;

pub use layout::{BindGroupLayout, LayoutError, SamplerBinding, SamplerKind};
