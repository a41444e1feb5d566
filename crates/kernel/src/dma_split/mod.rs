//! Splitting a DMA buffer whose allocations do not fit the segment at once (spec/3-dma-buffer-splitting.id.txt 1-13,
//! facts/dma-splitting.md).
//!
//! ```text
//!   DMA buffer   |----------|-----------|------|-------------|     patch locations, by SplitOffset:
//!                0          o1          o2     o3           size   groups
//!   part 0       [======================)                          needs the union of what its groups
//!   paging                              (out, move, in)            have in slots
//!   part 1                              [====================)     what stands in slots that o2 does not
//!                                                                  re-program stays where it is
//! ```
//! [`plan`] decides all parts before the first is submitted: as few as there can be, and of those plans the one
//! that pages the fewest bytes in. It moves nothing and knows no driver: the plan says what the paging engine is to do
//! before each part.
//!
//! | file | subject |
//! |---|---|
//! | `request`, `error`, `validate` | the lists, and what of them is refused |
//! | `timeline` | which group needs what |
//! | `bound` | what no plan is below |
//! | `room` | packing |
//! | `search`, `quick`, `exhaustive` | cuts and places |
//! | `plan`, `moves`, `operations` | parts, and the paging between them |

mod bound;
mod error;
mod exhaustive;
mod moves;
mod operations;
mod plan;
mod quick;
mod request;
mod room;
mod search;
mod timeline;
mod validate;

pub use error::{SplitError, SplitOutOfMemory};
pub use plan::{PartAddress, PlannedPaging, PlannedPagingKind, SplitPart, SplitPlan};
pub use request::{
    AllocationListEntry, PatchLocation, Residency, SearchLimits, SegmentPlacement, SplitAllocation,
    SplitRequest, SplitSegment,
};

use room::Room;
use search::Search;
use timeline::Timeline;

/// Plans the parts of a DMA buffer. A buffer that fits is one part.
///
/// # Errors
/// What the lists may not hold, and [`SplitError::OutOfMemory`] where no plan is found.
pub fn plan(request: &SplitRequest<'_>) -> Result<SplitPlan, SplitError> {
    validate::validate(request)?;
    let timeline = Timeline::new(request);
    let room = Room::new(request.segment);
    let mut search = Search::new(request, &timeline, &room);
    let (solution, bounds) = search.solve(request).map_err(Box::new)?;
    Ok(plan::Builder::new(request, &timeline, &room).build(&solution, bounds))
}
