//! The rules that the runtime decides; those of a description by itself are decided in
//! `heapstone-layout`. Each rule is decided in one place here; its data stands in
//! `heapstone_spec::rules`.

pub(crate) mod beginning;
pub(crate) mod heap;
pub(crate) mod node;
pub(crate) mod placement;
pub(crate) mod states;
