//! COM: objects, reference counts, identity, interfaces, private data, and the border that no panic crosses.
//!
//! ```text
//!   Object<T>
//!     |-- Header        vtable (of T's main interface), counts, class, device, rarely used things
//!     |                 (there: private data, callbacks, the Faces of further interfaces)
//!     '-- T             what the object is
//!
//!   client --this--> Header (main interface) ------------------------+
//!   client --this--> Face { vtable, owner } (any other interface) ---+--> &Object<T> --> T's methods
//! ```
//! A generated shim (`vtables`) finds the object of `this`, and calls the trait's method under [`guard`].
//!
//! # How to add an interface
//! 1. Describe it in `interfaces.tsv`, name its family in `crates/xtask/src/codegen/mod.rs`, run `cargo xtask codegen`.
//! 2. Declare the structures that it needs in `types` (and run the generator again: it types what is declared).
//! 3. For an object of its own: `class!(Heap, ID3D12Heap1, "ID3D12Heap")`, `impl ID3D12Heap1 for Heap` with the
//!    methods that do something, and [`deliver`] in the call that creates it. For a further interface of an object:
//!    `Class::face` answers it by `faces!`, and the class implements its trait.

mod client;
mod face;
mod guard;
mod held;
mod live;
pub mod methods;
mod object;
mod private_data;
mod quarantine;
mod singleton;
pub mod text;

pub(crate) use client::Reference;
pub use client::{add_ref, deliver, from_client, query_interface};
pub(crate) use face::faces;
pub use face::{Face, FaceCell, Primary};
pub(crate) use guard::panic_message;
pub use guard::{Fallback, guard, not_implemented};
pub use held::{Held, Kept};
pub use live::{KeptHeap, Live};
pub use object::{Class, ClassInfo, Convention, Header, Object, StructReturn, Vtable, release};
pub(crate) use object::{class, destroy as object_destroy, face as object_face, live as object_live};
pub(crate) use private_data::Watcher;
pub use singleton::Singleton;
