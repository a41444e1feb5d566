//! Random programs: generated from a seed or from a fuzzer's bytes, run on Heapstone in every mode and on a naive
//! model, and compared byte by byte. A development crate: nothing depends on it but tests and fuzz targets.
//!
//! ```text
//!   seed, bytes --source--> generate --> Program (plain data)
//!                                           |
//!                     run:  model (judge, apply)  |  machine (device, queues, lists)
//!                             ^   expected cells  |      |  fences between conflicting work (sync)
//!                             '------- compared --'<-----'  bytes read back
//!                                           |
//!                                  Mismatch --minimise--> a program with as few steps as show it
//! ```
//! The model shares no code with what it judges but the specification's tables, the numbers that a program asks a
//! device for (sizes and tilings), and the encoding of texels, which has golden tests of its own.
#![forbid(unsafe_code)]

mod compare;
mod generate;
mod machine;
mod minimise;
mod model;
mod paging;
pub mod program;
mod run;
pub mod shape;
mod source;
mod sync;

pub use generate::{PROFILES, generate};
pub use minimise::minimise;
pub use program::Program;
pub use run::{Mismatch, Mode, Report, check, check_paged, run, run_paged, run_with_faults};
pub use source::{Source, noise};
