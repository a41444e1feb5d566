//! DMA buffers: what a closed command list is compiled to.
//!
//! ```text
//!   DmaBuffer
//!     words              [header|operands...][header|operands...]...      32-bit words, little-endian fields
//!                            ^ byte 4 x index                 ^ an address: two words
//!     allocations        what the stream refers to, each once             (D3DDDI_ALLOCATIONLIST)
//!     patch locations    where in the stream an address stands,           (D3DDDI_PATCHLOCATIONLIST)
//!                        of which allocation, at which offset of it
//! ```
//! Every operand names its allocation and carries a GPU virtual address. An engine with virtual addresses
//! runs the stream as it is; for one without them the memory manager patches the addresses first
//! (facts/dma-splitting.md, Two regimes). A command binds what it writes in slot [`SLOT_WRITTEN`] and what it reads in
//! [`SLOT_READ`], and may be split before, never within.
//!
//! Below the runtime there are elements, not texels: a block of a block-compressed format is one
//! element, a texel of 96 bits three.

mod box_copy;
mod builder;
mod command;
pub mod patched;
mod stream;

use std::sync::Arc;

use heapstone_layout::swizzle::Surface;
use heapstone_units::GpuVirtualAddress;

pub use box_copy::{BoxCopy, BoxDirection};
pub use builder::DmaBuilder;
pub use command::{Address, Barrier, Command, Image, Origin, Size};
pub use stream::{Commands, Cursor, MalformedStream};

/// The slot of what a command writes.
pub const SLOT_WRITTEN: u32 = 0;
/// The slot of what a command reads.
pub const SLOT_READ: u32 = 1;
/// How many slots there are: MaxAllocationListSlotId.
pub const SLOT_COUNT: u32 = 2;

/// One thing that a stream refers to: a resource.
#[derive(Clone, Debug)]
pub struct DmaAllocation {
    /// Of its first byte.
    pub address: GpuVirtualAddress,
    /// Its bytes.
    pub size: u64,
    /// Whether any command of the buffer writes it (WriteOperation).
    pub is_written: bool,
    /// Of a texture that some command refers to as such: where each subresource lies in it.
    pub surfaces: Option<Arc<[Surface]>>,
}

/// D3DDDI_PATCHLOCATIONLIST (facts/dma-splitting.md, Structures).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatchLocation {
    /// Index in the allocation list.
    pub allocation_index: u32,
    /// Below [`SLOT_COUNT`].
    pub slot_id: u32,
    /// Byte of the stream at which the address stands.
    pub patch_offset: u32,
    /// Byte of the stream before which it may be split: the command's first.
    pub split_offset: u32,
    /// Bytes from the allocation's first to the address.
    pub allocation_offset: u64,
}

/// A closed command list.
#[derive(Clone, Debug, Default)]
pub struct DmaBuffer {
    words: Vec<u32>,
    allocations: Vec<DmaAllocation>,
    patch_locations: Vec<PatchLocation>,
    command_count: u32,
}

impl DmaBuffer {
    /// A stream that came from elsewhere: anything at all, for an engine to judge. It has no patch locations.
    #[must_use]
    pub fn from_stream(words: Vec<u32>, allocations: Vec<DmaAllocation>) -> DmaBuffer {
        let mut commands = Commands::new(&words);
        let mut command_count = 0_u32;
        loop {
            let begins = commands.is_at_call();
            let Ok(Some(_)) = commands.next_command() else { break };
            command_count = command_count.saturating_add(u32::from(begins));
        }
        DmaBuffer { words, allocations, patch_locations: Vec::new(), command_count }
    }

    /// The stream.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// What it refers to.
    #[must_use]
    pub fn allocations(&self) -> &[DmaAllocation] {
        &self.allocations
    }

    /// Where its addresses stand, in the order of the stream.
    #[must_use]
    pub fn patch_locations(&self) -> &[PatchLocation] {
        &self.patch_locations
    }

    /// Calls that were recorded into it: an application's command may take several of the engine's.
    #[must_use]
    pub const fn command_count(&self) -> u32 {
        self.command_count
    }

    /// Its commands in order.
    #[must_use]
    pub fn commands(&self) -> Commands<'_> {
        Commands::new(&self.words)
    }
}
