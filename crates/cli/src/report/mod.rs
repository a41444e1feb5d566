//! What a replay found, for people and for programs.

mod gpu;
pub(crate) mod json;
mod notes;
mod refusals;
pub(crate) mod text;
mod usage;
