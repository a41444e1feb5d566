//! Writing a stream.

use heapstone_units::GpuVirtualAddress;

use super::command::{Address, Command, Image};
use super::stream::{self, Opcode};
use super::{DmaAllocation, DmaBuffer, PatchLocation, SLOT_READ, SLOT_WRITTEN};

/// The most words of a stream: a patch location counts its bytes in 32 bits.
const WORDS_MAX: usize = (u32::MAX / 4) as usize;

/// Writes a DMA buffer command by command.
#[derive(Debug, Default)]
pub struct DmaBuilder {
    buffer: DmaBuffer,
    begins: bool,
}

impl DmaBuilder {
    /// An empty buffer in the memory of `recycled`, whose contents are forgotten.
    #[must_use]
    pub fn new(mut recycled: DmaBuffer) -> DmaBuilder {
        recycled.words.clear();
        recycled.allocations.clear();
        recycled.patch_locations.clear();
        recycled.command_count = 0;
        DmaBuilder { buffer: recycled, begins: false }
    }

    /// Adds an entry to the allocation list and answers its index. The caller sees to it that each
    /// resource stands there once.
    pub fn add_allocation(&mut self, allocation: DmaAllocation) -> u32 {
        let index = self.buffer.allocations.len();
        self.buffer.allocations.push(allocation);
        u32::try_from(index).expect("invariant: a list of 2^32 resources does not fit memory")
    }

    /// The allocation list so far.
    #[must_use]
    pub fn allocations(&self) -> &[DmaAllocation] {
        &self.buffer.allocations
    }

    /// An entry of the allocation list, to complete it.
    pub fn allocation_mut(&mut self, index: u32) -> Option<&mut DmaAllocation> {
        self.buffer.allocations.get_mut(usize::try_from(index).ok()?)
    }

    /// Whether the stream can take `words` more words. Without room the caller must refuse the call.
    #[must_use]
    pub fn has_room(&self, words: usize) -> bool {
        self.buffer.words.len().saturating_add(words) <= WORDS_MAX
    }

    /// What follows belongs to the application's next call.
    #[inline]
    pub fn begin_call(&mut self) {
        self.begins = true;
    }

    /// Appends a command.
    #[inline]
    pub fn push(&mut self, command: &Command) {
        let start = self.buffer.words.len();
        // The header's place; its length is known at the end.
        self.buffer.words.push(0);
        let opcode = self.operands(command);
        let length = self.buffer.words.len() - start;
        let begins = core::mem::take(&mut self.begins);
        self.buffer.command_count += u32::from(begins);
        self.buffer.words[start] = stream::header(opcode, length, begins);
    }

    /// The stream, complete.
    #[must_use]
    pub fn finish(self) -> DmaBuffer {
        self.buffer
    }

    #[inline]
    fn operands(&mut self, command: &Command) -> Opcode {
        let start = self.byte_offset();
        match *command {
            Command::CopyBuffer { destination, source, size } => {
                self.address(destination, SLOT_WRITTEN, start);
                self.address(source, SLOT_READ, start);
                self.long(size);
                Opcode::CopyBuffer
            }
            Command::CopyRegion {
                destination,
                destination_origin,
                source,
                source_origin,
                size,
                element_bytes_log2,
                samples_log2,
                mask,
            } => {
                self.image(destination, SLOT_WRITTEN, start);
                self.image(source, SLOT_READ, start);
                self.words(destination_origin);
                self.words(source_origin);
                self.words(size);
                self.words([stream::pack([element_bytes_log2, samples_log2, 0, 0]), mask]);
                Opcode::CopyRegion
            }
            Command::Fill { destination, origin, size, element_bytes_log2, samples_log2, value, period } => {
                self.image(destination, SLOT_WRITTEN, start);
                self.words(origin);
                self.words(size);
                self.words([stream::pack([element_bytes_log2, samples_log2, period, 0])]);
                self.words(value);
                Opcode::Fill
            }
            Command::Write { destination, value, mode } => {
                self.address(destination, SLOT_WRITTEN, start);
                self.words([value, mode.to_d3d12()]);
                Opcode::Write
            }
            Command::Resolve {
                destination,
                destination_origin,
                source,
                source_origin,
                size,
                samples_log2,
                format,
                mode,
            } => {
                self.image(destination, SLOT_WRITTEN, start);
                self.image(source, SLOT_READ, start);
                self.words(destination_origin);
                self.words(source_origin);
                self.words(size);
                self.words([u32::from(samples_log2), u32::from(format as u8), mode.to_d3d12()]);
                Opcode::Resolve
            }
            Command::Discard { destination, origin, size } => {
                self.image(destination, SLOT_WRITTEN, start);
                self.words(origin);
                self.words(size);
                Opcode::Discard
            }
            Command::SetPredication { value, op } => {
                self.words([op.to_d3d12(), u32::from(value.is_some())]);
                if let Some(value) = value {
                    self.address(value, SLOT_READ, start);
                }
                Opcode::SetPredication
            }
            Command::Timestamp { destination } => {
                self.address(destination, SLOT_WRITTEN, start);
                Opcode::Timestamp
            }
            Command::Barrier(barrier) => {
                stream::write_barrier(&mut self.buffer.words, &barrier);
                Opcode::Barrier
            }
            Command::BindSlot { slot, allocation, address } => {
                self.words([slot, allocation]);
                self.long(address);
                Opcode::BindSlot
            }
        }
    }

    #[inline]
    fn words<const N: usize>(&mut self, words: [u32; N]) {
        self.buffer.words.extend_from_slice(&words);
    }

    #[inline]
    fn long(&mut self, value: u64) {
        self.words(stream::split(value));
    }

    #[inline]
    fn address(&mut self, address: Address, slot: u32, split_offset: u32) {
        self.words([address.allocation]);
        self.patched(address.allocation, address.at, slot, split_offset);
    }

    #[inline]
    fn image(&mut self, image: Image, slot: u32, split_offset: u32) {
        match image {
            Image::Surface { allocation, subresource, base } => {
                self.words([stream::IMAGE_SURFACE, allocation]);
                self.patched(allocation, base, slot, split_offset);
                self.words([subresource]);
            }
            Image::Pitched { address, row_pitch, slice_pitch } => {
                self.words([stream::IMAGE_PITCHED]);
                self.address(address, slot, split_offset);
                self.words([row_pitch]);
                self.long(slice_pitch);
            }
        }
    }

    /// Writes an address, and says where it stands.
    #[inline]
    fn patched(&mut self, allocation: u32, at: GpuVirtualAddress, slot: u32, split_offset: u32) {
        let entry = usize::try_from(allocation).ok().and_then(|index| self.buffer.allocations.get_mut(index));
        let entry = entry.expect("invariant: an operand names an entry of the allocation list");
        entry.is_written |= slot == SLOT_WRITTEN;
        let allocation_offset = at.0.wrapping_sub(entry.address.0);
        // The command's own header is one word before its operands.
        let patch_offset = self.byte_offset();
        self.buffer.patch_locations.push(PatchLocation {
            allocation_index: allocation,
            slot_id: slot,
            patch_offset,
            split_offset: split_offset - 4,
            allocation_offset,
        });
        self.long(at.0);
    }

    #[inline]
    pub(super) fn byte_offset(&self) -> u32 {
        u32::try_from(self.buffer.words.len() * 4).expect("invariant: the caller asked for room")
    }
}
