//! D3D12's structures as C sees them. Each states its size and its fields' offsets, checked when it is compiled;
//! source: D3D12's public headers.
#![allow(
    missing_docs,
    non_snake_case,
    non_camel_case_types,
    reason = "names are D3D12's, and so is their meaning"
)]

mod adapter;
mod base;
mod command;
mod debug;
mod memory;
mod pipeline;
mod view;

pub use adapter::*;
pub use base::*;
pub use command::*;
pub use debug::*;
pub use memory::*;
pub use pipeline::*;
pub use view::*;

/// Declares structures: `pub struct NAME: size { field: type = offset, ... }`.
macro_rules! abi {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident: $size:literal { $( $field:ident: $type:ty = $offset:literal, )* }
    )*) => {$(
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct $name { $( pub $field: $type, )* }

        const _: () = {
            assert!(size_of::<$name>() == $size, stringify!($name));
            $( assert!(core::mem::offset_of!($name, $field) == $offset, stringify!($field)); )*
        };

        impl $name {
            /// All bytes 0.
            #[must_use]
            pub const fn zeroed() -> $name {
                // SAFETY: integers, floats, pointers and optional functions, all of which may be 0.
                unsafe { core::mem::zeroed() }
            }
        }

        impl $crate::com::Fallback for $name {
            const NOT_IMPLEMENTED: $name = $name::zeroed();
            const PANICKED: $name = $name::zeroed();
        }
    )*};
}

pub(crate) use abi;
