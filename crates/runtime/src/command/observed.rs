//! Recorded commands as observers hear of them.

use heapstone_spec::commands::WriteBufferImmediateMode;
use heapstone_units::GpuVirtualAddress;

use crate::observer::ObjectId;

/// A command as it was given to a list.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ListCommand<'a> {
    /// CopyBufferRegion.
    CopyBufferRegion {
        /// Where to.
        destination: ObjectId,
        /// In bytes.
        destination_offset: u64,
        /// Where from.
        source: ObjectId,
        /// In bytes.
        source_offset: u64,
        /// In bytes.
        size: u64,
    },
    /// WriteBufferImmediate.
    WriteBufferImmediate {
        /// Where, and what.
        writes: &'a [(GpuVirtualAddress, u32)],
        /// What each waits for; `None`: DEFAULT.
        modes: Option<&'a [WriteBufferImmediateMode]>,
    },
}
