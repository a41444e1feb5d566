//! From a resource description to its size, alignment, footprints and tiles: pure functions.
//!
//! ```text
//!   ResourceDesc --validate--> legal ResourceDesc (mips resolved)
//!                                 |
//!        planes, mips, blocks ----+---- surface: where each subresource lies, how large it is
//!                                 |              '--> surfaces: its pattern and strides too --> swizzle: copies
//!     ResourceSizer (the driver's answer) --resource_allocation--> size, alignment
//!                                 |                                   |
//!              copyable_footprints, resource_tiling        allocation_info (arrays)
//! ```
//! Nothing here panics: every description, legal or not, with any number in any field, gets an answer or
//! a [`Violation`](heapstone_spec::Violation). Nothing keeps state but [`swizzle`], which compiles each
//! pattern once, and nothing allocates on the success path but that and what returns a list.
#![deny(unsafe_code)]

mod alignment;
mod allocation;
mod blocks;
pub mod buffer_view;
mod explain;
mod footprints;
mod planes;
mod rules;
mod subresource;
mod surface;
pub mod swizzle;
mod texture_surfaces;
mod tiling;
mod validate;

pub use allocation::{
    AllocationQuestion, DriverAllocationInfo, ProfileSizer, ResourceAllocation, ResourceAllocationInfo1,
    ResourceSizer, TightAlignment, allocation_info, allocation_info_cast, allocation_info_of_one,
    resource_allocation,
};
pub use blocks::{BlockShape, ResolvedPattern, tile_4kb, tile_64kb};
pub use explain::{ExplainedMip, ExplainedPlane, Explanation, explain};
pub use footprints::{FootprintOutputs, PlacedFootprint, copyable_footprints};
pub use rules::{LayoutParameters, LayoutRules, Purpose};
pub use subresource::{
    SubresourceInfo, array_size, calc_subresource, decompose_subresource, subresource_count, subresource_info,
};
pub use texture_surfaces::{metadata_range, surface, surfaces};
pub use tiling::{
    PackedMipInfo, ResourceTiling, SubresourceTiling, TileShape, legal_resource_tiling, resource_tiling,
};
pub use validate::{legal, legal_cast, validate};
