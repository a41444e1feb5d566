//! DMA buffers of engines without GPU virtual addresses (facts/dma-splitting.md, Two regimes).
//!
//! ```text
//!   DmaBuffer        [copy A -> B][copy A -> C][fill C]
//!   PatchedBuffer    [bind 0=B][bind 1=A][copy 1 -> 0][bind 0=C][copy 1 -> 0][bind 1=NULL][fill 0]
//!                    ^ SplitOffset of both binds       ^ of this one          ^ of this one
//! ```
//! Commands name a slot in place of an allocation: how far an address lies behind its allocation's, so far behind what the
//! slot holds the engine reaches. Slots hold physical addresses, which the memory manager knows when it has placed the
//! allocations, and [`PatchedBuffer::patch`] writes. An allocation stays in
//! its slot over commands and parts, until another needs the slot or nothing uses it any more; a large one is bound
//! again by each command, so that it can move wherever the buffer may be split (spec/3-dma-buffer-splitting.id.txt 13).

use std::collections::VecDeque;

use heapstone_kernel::dma_split::{AllocationListEntry, PartAddress, PatchLocation, SplitPart};
use heapstone_units::{Alignment, GpuVirtualAddress};

use super::command::{Address, Command, Image};
use super::{DmaAllocation, DmaBuffer, DmaBuilder, MalformedStream};

/// Bytes from a bind's header to the address in it.
const ADDRESS_OF_BIND: u32 = 12;

/// How long an allocation stays in its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotBinding {
    /// Until nothing uses it any more, or another needs the slot: few binds.
    UntilLastUse,
    /// For one command: what is needed at once is never more than that command needs.
    ForOneCommand,
}

/// How a buffer is compiled for an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatchedOptions {
    /// MaxAllocationListSlotId: at least 2, because a command uses as many allocations.
    pub slot_count: u32,
    /// Bytes from which on an allocation is large, and re-programmed by each command that uses it.
    pub large_size: u64,
    /// What the memory manager places begins at a multiple of this before an allocation's address: its pages; one byte
    /// where it places the allocations themselves.
    pub page: Alignment,
    /// How long an allocation stays in its slot.
    pub binding: SlotBinding,
}

/// Why a buffer cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatchedError {
    /// Fewer than two slots.
    SlotCount {
        /// As given.
        given: u32,
    },
    /// The stream is none.
    Malformed(MalformedStream),
    /// An operand that names no allocation.
    Operand {
        /// The command, counted from 0.
        command: usize,
    },
    /// The stream becomes longer than its offsets can count.
    TooLong,
}

impl core::fmt::Display for PatchedError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            PatchedError::SlotCount { given } => {
                write!(f, "slot_count is {given}; allowed: 2 or more, because a command uses two allocations")
            }
            PatchedError::Malformed(stream) => write!(f, "malformed DMA buffer: {stream}"),
            PatchedError::Operand { command } => {
                write!(f, "command {command}: an operand names no entry of the allocation list")
            }
            PatchedError::TooLong => f.write_str("the patched DMA buffer exceeds 4294967292 bytes"),
        }
    }
}

impl core::error::Error for PatchedError {}

/// A DMA buffer with slots.
#[derive(Clone, Debug, Default)]
pub struct PatchedBuffer {
    words: Vec<u32>,
    allocations: Vec<DmaAllocation>,
    list: Vec<AllocationListEntry>,
    patch_locations: Vec<PatchLocation>,
    slot_count: u32,
}

impl PatchedBuffer {
    /// Compiles a buffer. Its allocation `n` is entry `n + 1` of the allocation list.
    ///
    /// # Errors
    /// See [`PatchedError`].
    pub fn compile(buffer: &DmaBuffer, options: PatchedOptions) -> Result<PatchedBuffer, PatchedError> {
        if options.slot_count < 2 {
            return Err(PatchedError::SlotCount { given: options.slot_count });
        }
        let null = AllocationListEntry { allocation: None, is_written: false };
        let entries = (0..).zip(buffer.allocations());
        let entries = entries.map(|(index, allocation)| AllocationListEntry {
            allocation: Some(index),
            is_written: allocation.is_written,
        });
        let list = core::iter::once(null).chain(entries).collect();
        let mut compiler = Compiler::new(buffer, options)?;
        let mut commands = buffer.commands();
        let mut index = 0;
        loop {
            let begins = commands.is_at_call();
            let Some(command) = commands.next_command().map_err(PatchedError::Malformed)? else { break };
            compiler.command(index, &command, begins)?;
            index += 1;
        }
        Ok(PatchedBuffer {
            words: compiler.builder.finish().words,
            allocations: buffer.allocations().to_vec(),
            list,
            patch_locations: compiler.patch_locations,
            slot_count: options.slot_count,
        })
    }

    /// The stream.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// DmaBufferSize, in bytes.
    #[must_use]
    pub fn size(&self) -> u32 {
        u32::try_from(self.words.len() * 4).expect("invariant: a builder's stream has fewer than 2^32 bytes")
    }

    /// What the allocation list names; where [`AllocationListEntry::allocation`] counts.
    #[must_use]
    pub fn allocations(&self) -> &[DmaAllocation] {
        &self.allocations
    }

    /// The allocation list. Entry 0 is NULL.
    #[must_use]
    pub fn allocation_list(&self) -> &[AllocationListEntry] {
        &self.list
    }

    /// The patch-location list.
    #[must_use]
    pub fn patch_locations(&self) -> &[PatchLocation] {
        &self.patch_locations
    }

    /// MaxAllocationListSlotId.
    #[must_use]
    pub const fn slot_count(&self) -> u32 {
        self.slot_count
    }

    /// DxgkDdiPatch of a part: writes the addresses that the part's locations bind. What a later location of the same
    /// offset overrides may have none, and keeps what stood there.
    pub fn patch(&mut self, part: &SplitPart) {
        for location in self.patch_locations.get(part.patch_locations.clone()).unwrap_or_default() {
            let entry = self.list.get(location.allocation_index as usize);
            let allocation = entry.and_then(|entry| entry.allocation);
            let Some(address) = allocation.and_then(|allocation| address_of(&part.addresses, allocation))
            else {
                continue;
            };
            let address = address.wrapping_add(location.allocation_offset);
            let word = location.patch_offset as usize / 4;
            if let Some(words) = self.words.get_mut(word..word + 2) {
                words.copy_from_slice(&super::stream::split(address));
            }
        }
    }
}

/// Where the first byte of an allocation lies in a part.
fn address_of(addresses: &[PartAddress], allocation: u32) -> Option<u64> {
    let index = addresses.partition_point(|address| address.allocation < allocation);
    addresses.get(index).filter(|address| address.allocation == allocation).map(|address| address.range.begin)
}

/// The slots while commands are compiled.
struct Compiler<'a> {
    buffer: &'a DmaBuffer,
    large_size: u64,
    page: Alignment,
    binding: SlotBinding,
    builder: DmaBuilder,
    patch_locations: Vec<PatchLocation>,
    /// By slot.
    bound: Vec<Option<u32>>,
    /// By allocation: the slot it stands in.
    slot_of: Vec<Option<u32>>,
    /// By allocation: the last command that uses it.
    last_use: Vec<usize>,
    /// Free slots, and those in use from the least recently used on.
    free: VecDeque<u32>,
    used: VecDeque<u32>,
    /// Allocations that nothing uses any more and that still stand in a slot.
    to_unbind: Vec<u32>,
}

impl<'a> Compiler<'a> {
    fn new(buffer: &'a DmaBuffer, options: PatchedOptions) -> Result<Compiler<'a>, PatchedError> {
        let count = buffer.allocations().len();
        let mut last_use = vec![0; count];
        for (index, command) in buffer.commands().enumerate() {
            for allocation in allocations_of(&command.map_err(PatchedError::Malformed)?) {
                let last = last_use.get_mut(allocation as usize);
                *last.ok_or(PatchedError::Operand { command: index })? = index;
            }
        }
        // More slots than allocations serve nobody.
        let slots = options.slot_count.min(u32::try_from(count).unwrap_or(u32::MAX).max(2));
        let mut builder = DmaBuilder::default();
        for _ in 0..slots {
            // Of slots nothing else is known here.
            let surfaces = None;
            builder.add_allocation(DmaAllocation {
                address: GpuVirtualAddress(0),
                size: u64::MAX,
                is_written: false,
                surfaces,
            });
        }
        Ok(Compiler {
            buffer,
            large_size: options.large_size,
            page: options.page,
            binding: options.binding,
            builder,
            patch_locations: Vec::new(),
            bound: vec![None; slots as usize],
            slot_of: vec![None; count],
            last_use,
            free: (0..slots).collect(),
            used: VecDeque::new(),
            to_unbind: Vec::new(),
        })
    }

    fn command(&mut self, index: usize, command: &Command, begins: bool) -> Result<(), PatchedError> {
        // Two binds, the unbinds that wait, and the longest command, in words.
        if !self.builder.has_room(5 * (self.to_unbind.len() + 2) + 64) {
            return Err(PatchedError::TooLong);
        }
        if begins {
            self.builder.begin_call();
        }
        let split_offset = self.builder.byte_offset();
        let mut needed: Vec<u32> = allocations_of(command).collect();
        needed.dedup();
        let leaving = core::mem::take(&mut self.to_unbind);
        let mut emptied: Vec<u32> = leaving.iter().filter_map(|x| self.slot_of[*x as usize].take()).collect();
        for slot in &emptied {
            self.bound[*slot as usize] = None;
            self.used.retain(|used| used != slot);
            self.free.push_front(*slot);
        }
        for allocation in &needed {
            let slot = self.slot_for(*allocation, &needed);
            let is_bound = self.slot_of[*allocation as usize] == Some(slot);
            let is_large = self.buffer.allocations()[*allocation as usize].size >= self.large_size;
            self.used.retain(|used| *used != slot);
            self.used.push_back(slot);
            if is_bound && !is_large {
                continue;
            }
            if let Some(old) = self.bound[slot as usize].replace(*allocation) {
                self.slot_of[old as usize] = None;
            }
            self.slot_of[*allocation as usize] = Some(slot);
            emptied.retain(|emptied| *emptied != slot);
            self.bind(slot, Some(*allocation), split_offset);
        }
        for slot in emptied {
            self.bind(slot, None, split_offset);
        }
        let command = self.with_slots(index, command)?;
        self.builder.push(&command);
        let is_last = |allocation: &u32| match self.binding {
            SlotBinding::UntilLastUse => self.last_use[*allocation as usize] == index,
            SlotBinding::ForOneCommand => true,
        };
        self.to_unbind = needed.into_iter().filter(is_last).collect();
        Ok(())
    }

    /// The slot that an allocation stands in, a free one, or the one used longest ago that the command does not use.
    fn slot_for(&mut self, allocation: u32, needed: &[u32]) -> u32 {
        if let Some(slot) = self.slot_of[allocation as usize] {
            return slot;
        }
        if let Some(slot) = self.free.pop_front() {
            return slot;
        }
        let is_needed = |slot: &u32| self.bound[*slot as usize].is_some_and(|bound| needed.contains(&bound));
        let oldest = self.used.iter().find(|slot| !is_needed(slot));
        *oldest.expect("invariant: there are as many slots as a command has allocations")
    }

    fn bind(&mut self, slot: u32, allocation: Option<u32>, split_offset: u32) {
        let patch_offset = self.builder.byte_offset() + ADDRESS_OF_BIND;
        let allocation_index = allocation.map_or(0, |allocation| allocation + 1);
        let address = allocation.map_or(0, |index| self.buffer.allocations()[index as usize].address.0);
        let allocation_offset = address - self.page.align_down(address);
        self.builder.push(&Command::BindSlot { slot, allocation: allocation_index, address: 0 });
        self.patch_locations.push(PatchLocation {
            allocation_index,
            slot_id: slot,
            driver_id: 0,
            allocation_offset,
            patch_offset,
            split_offset,
        });
    }

    /// The command with slots for its allocations.
    fn with_slots(&self, index: usize, command: &Command) -> Result<Command, PatchedError> {
        let error = PatchedError::Operand { command: index };
        let address = |address: Address| {
            let slot = self.slot_of.get(address.allocation as usize).copied().flatten();
            slot.map(|slot| Address { allocation: slot, ..address }).ok_or(error.clone())
        };
        let image = |image: Image| {
            Ok(match image {
                Image::Surface { allocation, subresource, base } => {
                    let Address { allocation, at: base } = address(Address { allocation, at: base })?;
                    Image::Surface { allocation, subresource, base }
                }
                Image::Pitched { address: of, row_pitch, slice_pitch } => {
                    Image::Pitched { address: address(of)?, row_pitch, slice_pitch }
                }
            })
        };
        let mut with_slots = *command;
        match &mut with_slots {
            Command::CopyBuffer { destination, source, .. } => {
                (*destination, *source) = (address(*destination)?, address(*source)?);
            }
            Command::CopyRegion { destination, source, .. }
            | Command::Resolve { destination, source, .. } => {
                (*destination, *source) = (image(*destination)?, image(*source)?);
            }
            Command::Fill { destination, .. } | Command::Discard { destination, .. } => {
                *destination = image(*destination)?;
            }
            Command::Write { destination, .. } | Command::Timestamp { destination } => {
                *destination = address(*destination)?;
            }
            Command::SetPredication { value, .. } => *value = value.map(address).transpose()?,
            // What it says of allocations is for who looks at the stream.
            Command::Barrier(_) | Command::BindSlot { .. } => {}
        }
        Ok(with_slots)
    }
}

/// Allocations that a command uses: at most two.
fn allocations_of(command: &Command) -> impl Iterator<Item = u32> + use<> {
    let of_image = |image: &Image| match image {
        Image::Surface { allocation, .. } => *allocation,
        Image::Pitched { address, .. } => address.allocation,
    };
    let two = match command {
        Command::CopyBuffer { destination, source, .. } => {
            [Some(destination.allocation), Some(source.allocation)]
        }
        Command::CopyRegion { destination, source, .. } | Command::Resolve { destination, source, .. } => {
            [Some(of_image(destination)), Some(of_image(source))]
        }
        Command::Fill { destination, .. } | Command::Discard { destination, .. } => {
            [Some(of_image(destination)), None]
        }
        Command::Write { destination, .. } | Command::Timestamp { destination } => {
            [Some(destination.allocation), None]
        }
        Command::SetPredication { value, .. } => [value.map(|value| value.allocation), None],
        Command::Barrier(_) | Command::BindSlot { .. } => [None, None],
    };
    two.into_iter().flatten()
}
