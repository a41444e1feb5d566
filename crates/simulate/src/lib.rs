//! Residency simulated: workloads, run through the kernel's memory manager under a budget and a policy, beside what the
//! best policy could do.
//!
//! ```text
//!   generator or trace --> Workload: objects, frames --+--> run: MemoryManager, policy, budget --> Outcome
//!                                                      '--> lower bound of the same frames ----------^
//! ```
//! Nothing is rendered and no byte moves: a frame is what it uses, paging costs virtual time, and one seed gives the same
//! run on every machine.
#![forbid(unsafe_code)]

mod random;
mod run;
pub mod workload;

pub use random::Random;
pub use run::{Outcome, RunDesc, RunError, run};
