//! `libd3d12.so`: Direct3D 12's memory system through its own binary interface, for C and C++ programs on Linux.
//!
//! ```text
//!   entry      the exported functions
//!   com        objects, counts, interfaces, private data, the border that no panic crosses: how to add an interface
//!   vtables    written by `cargo xtask codegen`: a trait, a vtable and its shims for each chain of interfaces
//!   types      D3D12's structures as C sees them
//!   convert    between those and the library's, in one place
//!   failure    errors of the library as HRESULTs, in one place
//!   adapters   the adapters of the process, their devices
//!   device, heap, resource, ...   a file or folder for each class
//! ```
//! Only this crate knows HRESULT and vtables.
#![allow(non_snake_case, reason = "methods have D3D12's names")]
#![allow(
    clippy::multiple_unsafe_ops_per_block,
    reason = "what D3D12 demands of a call's arguments is one promise, however many of them are read"
)]
#![allow(clippy::missing_safety_doc, reason = "methods of D3D12 demand what D3D12 demands")]
#![allow(clippy::too_many_arguments, reason = "as D3D12 has them")]

pub mod adapters;
pub mod allocator;
pub mod com;
pub mod configuration;
pub mod convert;
pub mod descriptor_heap;
pub mod device;
pub mod dxcore;
pub mod dxgi;
pub mod entry;
pub mod event;
pub mod failure;
pub mod fence;
pub mod heap;
pub mod layers;
pub(crate) mod lifetime;
pub mod list;
pub mod messages;
pub mod pipeline;
pub mod protected_session;
pub mod query_heap;
pub mod queue;
pub mod resource;
pub mod sharing;
pub(crate) mod states;
pub mod types;
#[rustfmt::skip]
pub mod vtables;
