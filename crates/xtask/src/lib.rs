//! Development tasks of Heapstone: what `cargo xtask` does.
#![forbid(unsafe_code)]

pub mod codegen;
pub mod install;
