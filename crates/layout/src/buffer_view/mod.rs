//! Views of buffers as hardware checks them: sizes that keep the last bytes reachable, what an access finds, and what other
//! APIs promise (spec/5-ssbo-ubo-padding.txt, facts/buffer-views.md).
//!
//! ```text
//!   buffer of 10 bytes     | 0 1 2 3 | 4 5 6 7 | 8 9 . . |
//!   a view of 10 bytes     |   in    |   in    |  out    |   two bytes of the last dword are beyond 10
//!   a view of 14 bytes     |   in    |   in    |   in    | 12 13      14 = 12 + 2: the 2 tells what was added
//! ```
//! Bounds are checked by whole dwords: where any byte of one is out, all of it is.

mod access;
mod padding;
mod rules;

pub use access::{AccessError, AtomicOp, Bounds, BufferAccess, ElementKind, Width};
pub use padding::{PaddedSize, SurfaceElement, SurfaceError, SurfaceSize, memory_requirement, surface_size};
pub use rules::{BINDING_RULES, Binding, BindingApi, BindingError, BindingRule, OutOfBounds, binding_rule};
