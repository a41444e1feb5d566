//! The two address spaces of a GPU. They are two types, so that one cannot pass for the other.

use core::fmt;

use serde::{Deserialize, Serialize};

macro_rules! address {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl $name {
            /// The address `offset` bytes on, or `None` beyond 64 bits.
            #[must_use]
            pub const fn checked_add(self, offset: u64) -> Option<Self> {
                match self.0.checked_add(offset) {
                    Some(sum) => Some(Self(sum)),
                    None => None,
                }
            }

            /// The bytes from `base` to this address, or `None` where it lies before.
            #[must_use]
            pub const fn checked_offset_from(self, base: Self) -> Option<u64> {
                self.0.checked_sub(base.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:#x}", self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({:#x})"), self.0)
            }
        }
    };
}

address! {
    /// An address in a process's GPU virtual address space (D3D12_GPU_VIRTUAL_ADDRESS), in bytes.
    GpuVirtualAddress
}

address! {
    /// An offset in a memory segment: where bytes are physically, counted in bytes from the
    /// segment's base.
    PhysicalOffset
}
