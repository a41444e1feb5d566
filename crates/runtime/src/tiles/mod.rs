//! Tile mappings of reserved resources: UpdateTileMappings and CopyTileMappings
//! (spec/2-resource-heaps.txt 795-828), as pure plans that a queue hands to the driver.
//!
//! ```text
//!   UpdateTileMappingsDesc
//!     regions  --TileGrid--> Region, Region, ...      tiles of the resource, x then y then z
//!     ranges   ------------> what they show           tiles of the heap, one tile, NULL, SKIP
//!                   \ walked side by side /
//!                     runs: TileRun, TileRun, ...     neighbours joined
//! ```
//! Regions and ranges need not be cut alike; their sums are the same. A plan that is refused has changed
//! nothing. Which heaps a resource shows is known to the driver alone: a heap that goes leaves tiles that
//! fault (chosen, as a mapping keeps no heap alive in D3D12).

mod copy;
mod grid;
mod in_flight;
#[cfg(test)]
mod model_tests;
mod region;
mod submit;
#[cfg(test)]
mod tests;
mod update;

pub(crate) use copy::plan_copy;
pub(crate) use grid::{TileGrid, TilePlace};
pub(crate) use in_flight::TilesInFlight;
pub(crate) use region::Region;
pub use update::UpdateTileMappingsDesc;
pub(crate) use update::plan_update;

use heapstone_spec::Violation;
use heapstone_spec::message::{self, MessageId};
use heapstone_spec::rules::tile as rules;
use heapstone_spec::tiles::TileMappingFlags;

use crate::device::DeviceInner;
use crate::resource::{Resource, ResourceKind};

/// A reserved resource of `device`, and its tiles.
#[inline]
pub(crate) fn tiles_of<'a>(
    device: &DeviceInner,
    field: &'static str,
    resource: &'a Resource,
) -> Result<&'a TileGrid, Box<Violation>> {
    if !core::ptr::eq(resource.inner.device(), device) {
        return Err(other_device(field, "a resource"));
    }
    match resource.inner.tile_grid() {
        Some(grid) => grid,
        None => Err(not_reserved(field, resource)),
    }
}

#[inline]
fn check_flags(flags: TileMappingFlags) -> Result<(), Box<Violation>> {
    if flags.difference(TileMappingFlags::all()).is_empty() { Ok(()) } else { Err(unknown_flags(flags)) }
}

#[cold]
fn unknown_flags(flags: TileMappingFlags) -> Box<Violation> {
    rules::FLAGS.violated("Flags", flags, TileMappingFlags::all())
}

#[cold]
fn other_device(field: &'static str, what: &str) -> Box<Violation> {
    rules::DEVICE.violated(
        field,
        format_args!("{what} of another device"),
        format_args!("{what} of this device"),
    )
}

#[cold]
fn not_reserved(field: &'static str, resource: &Resource) -> Box<Violation> {
    let given = match resource.kind() {
        ResourceKind::Committed => "a committed resource",
        ResourceKind::Placed => "a placed resource",
        ResourceKind::Reserved => "a reserved resource",
    };
    rules::RESOURCE.violated(field, given, "a reserved resource")
}

/// The rules' message is UpdateTileMappings's; another call has another, or none.
pub(crate) fn as_message(mut violation: Box<Violation>, message: Option<MessageId>) -> Box<Violation> {
    if violation.message == Some(message::UPDATETILEMAPPINGS_INVALID_PARAMETER) {
        violation.message = message;
    }
    violation
}
