//! Replay: the calls of a trace on a device, and the account of what they cost.
//!
//! ```text
//!   Record --> Replayer --+--> heapstone::Device       does the call, or refuses it
//!                         |--> Shelves, Intervals      where what has no place is put
//!                         '--> Accounting, Notes       what it costs, what went wrong
//! ```
//! Memory grows with what lives, not with the calls: what is destroyed is forgotten.

mod accounting;
mod content;
mod gpu;
mod heaps;
mod intervals;
mod max_tree;
mod memory_log;
mod notes;
mod objects;
mod options;
mod placement;
mod replayer;
pub mod report;
mod run;
mod shelves;
mod tight;

pub use memory_log::{HeapUse, MakeResident, MemoryEvent, MemoryLog, MemoryStep};
pub use options::{ParsePlacementError, Placement, ReplayOptions};
pub use replayer::Replayer;
pub use run::{BATCH_SIZE, ReplayPlan, replay};
pub use tight::{TightDevice, tight_device};
