//! What a replay found, for people and for programs.

pub(crate) mod json;
mod refusals;
pub(crate) mod text;
mod usage;
