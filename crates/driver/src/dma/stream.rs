//! How commands stand in a stream.
//!
//! ```text
//!   header   bits 0-7 opcode, bit 8: begins a call of the application, bits 16-31 words including the header
//!   address  allocation, low word, high word
//!   image    0, allocation, base low, base high, subresource
//!            1, address (3 words), row pitch, slice pitch low, slice pitch high
//! ```

use core::fmt;

use heapstone_spec::commands::{
    BarrierAccess, BarrierSubresourceRange, BarrierSync, PredicationOp, ResolveMode, ResourceBarrierFlags,
    TextureBarrierFlags, WriteBufferImmediateMode,
};
use heapstone_spec::{BarrierLayout, Format, ResourceStates};
use heapstone_units::GpuVirtualAddress;

use super::command::{Address, Barrier, Command, Image};

pub(super) const IMAGE_SURFACE: u32 = 0;
pub(super) const IMAGE_PITCHED: u32 = 1;

pub(super) const BEGINS_CALL: u32 = 1 << 8;
/// An index of the allocation list that is none.
const NO_ALLOCATION: u32 = u32::MAX;

macro_rules! opcodes {
    ($( $name:ident = $number:literal; )*) => {
        /// What a command is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Opcode { $( $name = $number, )* }

        impl Opcode {
            const fn from_number(number: u32) -> Option<Opcode> {
                match number { $( $number => Some(Opcode::$name), )* _ => None }
            }
        }
    };
}

opcodes! {
    CopyBuffer = 1;
    CopyRegion = 2;
    Fill = 3;
    Write = 4;
    Resolve = 5;
    Discard = 6;
    SetPredication = 7;
    Timestamp = 8;
    Barrier = 9;
    BindSlot = 10;
}

#[inline]
pub(super) fn header(opcode: Opcode, words: usize, begins_call: bool) -> u32 {
    let words = u32::try_from(words).ok().filter(|words| *words < 1 << 16);
    let words = words.expect("invariant: the longest command has fewer than 2^16 words");
    opcode as u32 | if begins_call { BEGINS_CALL } else { 0 } | words << 16
}

pub(super) const fn pack(bytes: [u8; 4]) -> u32 {
    u32::from_le_bytes(bytes)
}

#[allow(clippy::cast_possible_truncation)] // Both halves are kept.
pub(super) const fn split(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

pub(super) const fn join(low: u32, high: u32) -> u64 {
    low as u64 | (high as u64) << 32
}

/// A stream that no builder wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedStream {
    /// The word of the command's header.
    pub word: usize,
    /// What is wrong.
    pub reason: &'static str,
}

impl fmt::Display for MalformedStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "command at word {}: {}", self.word, self.reason)
    }
}

impl core::error::Error for MalformedStream {}

/// How far a stream has been executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The word of the next command's header.
    pub word: usize,
}

/// The commands of a stream from some word on.
#[derive(Clone, Debug)]
pub struct Commands<'a> {
    words: &'a [u32],
    at: usize,
}

impl<'a> Commands<'a> {
    pub(super) const fn new(words: &'a [u32]) -> Commands<'a> {
        Commands { words, at: 0 }
    }

    /// From `cursor` on.
    #[must_use]
    pub const fn from(words: &'a [u32], cursor: Cursor) -> Commands<'a> {
        Commands { words, at: cursor.word }
    }

    /// The words from the next command on; `None` beyond the end.
    #[inline(always)]
    pub(super) fn rest(&self) -> Option<&'a [u32]> {
        self.words.get(self.at..)
    }

    /// Moves past the next command, which has so many words.
    #[inline(always)]
    pub(super) fn pass(&mut self, words: usize) {
        self.at += words;
    }

    /// Where the next command stands.
    #[must_use]
    pub const fn cursor(&self) -> Cursor {
        Cursor { word: self.at }
    }

    /// Whether all were read.
    #[must_use]
    pub const fn is_at_end(&self) -> bool {
        self.at >= self.words.len()
    }

    /// Whether the next command begins a call of the application, or the stream ends.
    #[must_use]
    #[inline]
    pub fn is_at_call(&self) -> bool {
        self.words.get(self.at).is_none_or(|header| header & BEGINS_CALL != 0)
    }

    /// Moves past a barrier, where the next command is one, without a look at its fields: an engine that does one
    /// command after the other needs none of them. Whether it did.
    #[must_use]
    #[inline]
    pub fn pass_barrier(&mut self) -> bool {
        let Some(&header) = self.words.get(self.at) else { return false };
        let length = usize::try_from(header >> 16).unwrap_or(0);
        let is_barrier =
            header & 0xff == Opcode::Barrier as u32 && length > 0 && self.words.len() - self.at >= length;
        if is_barrier {
            self.at += length;
        }
        is_barrier
    }

    /// The next command; `None` at the end.
    ///
    /// # Errors
    /// A stream that no builder wrote; the position stays.
    // Without inlining, every field is written and read once more, which takes longer than a small copy.
    #[inline(always)]
    pub fn next_command(&mut self) -> Result<Option<Command>, MalformedStream> {
        let Some(&header) = self.words.get(self.at) else { return Ok(None) };
        let malformed = |reason| MalformedStream { word: self.at, reason };
        let length = usize::try_from(header >> 16).unwrap_or(0);
        let end = self.at.checked_add(length).filter(|_| length > 0);
        let operands = end.and_then(|end| self.words.get(self.at + 1..end));
        let operands = operands.ok_or_else(|| malformed("its length leaves the stream"))?;
        let opcode = Opcode::from_number(header & 0xff).ok_or_else(|| malformed("no such opcode"))?;
        let mut operands = Operands { words: operands };
        let command =
            operands.command(opcode).ok_or_else(|| malformed("its operands are not the opcode's"))?;
        if !operands.words.is_empty() {
            return Err(malformed("it has operands too many"));
        }
        self.at += length;
        Ok(Some(command))
    }
}

impl Iterator for Commands<'_> {
    type Item = Result<Command, MalformedStream>;

    /// Ends behind a malformed command.
    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_command().transpose();
        if matches!(next, Some(Err(_))) {
            self.at = self.words.len();
        }
        next
    }
}

struct Operands<'a> {
    words: &'a [u32],
}

impl Operands<'_> {
    #[inline]
    fn take<const N: usize>(&mut self) -> Option<[u32; N]> {
        let (taken, rest) = self.words.split_first_chunk()?;
        self.words = rest;
        Some(*taken)
    }

    #[inline]
    fn long(&mut self) -> Option<u64> {
        let [low, high] = self.take()?;
        Some(join(low, high))
    }

    #[inline]
    fn address(&mut self) -> Option<Address> {
        let [allocation, low, high] = self.take()?;
        Some(Address { allocation, at: GpuVirtualAddress(join(low, high)) })
    }

    #[inline(always)]
    fn image(&mut self) -> Option<Image> {
        let [kind] = self.take()?;
        match kind {
            IMAGE_SURFACE => {
                let [allocation, low, high, subresource] = self.take()?;
                Some(Image::Surface { allocation, subresource, base: GpuVirtualAddress(join(low, high)) })
            }
            IMAGE_PITCHED => {
                let address = self.address()?;
                let [row_pitch] = self.take()?;
                let slice_pitch = self.long()?;
                Some(Image::Pitched { address, row_pitch, slice_pitch })
            }
            _ => None,
        }
    }

    #[inline(always)]
    fn command(&mut self, opcode: Opcode) -> Option<Command> {
        Some(match opcode {
            Opcode::CopyBuffer => {
                let (destination, source) = (self.address()?, self.address()?);
                Command::CopyBuffer { destination, source, size: self.long()? }
            }
            Opcode::CopyRegion => {
                let (destination, source) = (self.image()?, self.image()?);
                let (destination_origin, source_origin, size) = (self.take()?, self.take()?, self.take()?);
                let [sizes, mask] = self.take()?;
                let [element_bytes_log2, samples_log2, ..] = sizes.to_le_bytes();
                Command::CopyRegion {
                    destination,
                    destination_origin,
                    source,
                    source_origin,
                    size,
                    element_bytes_log2,
                    samples_log2,
                    mask,
                }
            }
            Opcode::Fill => {
                let destination = self.image()?;
                let (origin, size) = (self.take()?, self.take()?);
                let [sizes] = self.take()?;
                let [element_bytes_log2, samples_log2, period, _] = sizes.to_le_bytes();
                let value = self.take()?;
                Command::Fill { destination, origin, size, element_bytes_log2, samples_log2, value, period }
            }
            Opcode::Write => {
                let destination = self.address()?;
                let [value, mode] = self.take()?;
                Command::Write { destination, value, mode: WriteBufferImmediateMode::from_d3d12(mode)? }
            }
            Opcode::Resolve => {
                let (destination, source) = (self.image()?, self.image()?);
                let (destination_origin, source_origin, size) = (self.take()?, self.take()?, self.take()?);
                let [samples_log2, format, mode] = self.take()?;
                Command::Resolve {
                    destination,
                    destination_origin,
                    source,
                    source_origin,
                    size,
                    samples_log2: u8::try_from(samples_log2).ok()?,
                    format: Format::from_dxgi(format)?,
                    mode: ResolveMode::from_d3d12(mode)?,
                }
            }
            Opcode::Discard => {
                let destination = self.image()?;
                Command::Discard { destination, origin: self.take()?, size: self.take()? }
            }
            Opcode::SetPredication => {
                let [op, has_value] = self.take()?;
                let value = if has_value == 0 { None } else { Some(self.address()?) };
                Command::SetPredication { value, op: PredicationOp::from_d3d12(op)? }
            }
            Opcode::Timestamp => Command::Timestamp { destination: self.address()? },
            Opcode::Barrier => Command::Barrier(self.barrier()?),
            Opcode::BindSlot => {
                let [slot, allocation] = self.take()?;
                Command::BindSlot { slot, allocation, address: self.long()? }
            }
        })
    }

    #[inline(never)]
    fn barrier(&mut self) -> Option<Barrier> {
        let [kind] = self.take()?;
        Some(match kind {
            0 => {
                let [allocation, subresource, before, after, flags] = self.take()?;
                Barrier::Transition {
                    allocation,
                    subresource,
                    before: ResourceStates::from_bits_retain(before),
                    after: ResourceStates::from_bits_retain(after),
                    flags: ResourceBarrierFlags::from_bits_retain(flags),
                }
            }
            1 => {
                let [before, after, flags] = self.take()?;
                Barrier::Aliasing {
                    before: optional(before),
                    after: optional(after),
                    flags: ResourceBarrierFlags::from_bits_retain(flags),
                }
            }
            2 => {
                let [allocation, flags] = self.take()?;
                Barrier::Uav {
                    allocation: optional(allocation),
                    flags: ResourceBarrierFlags::from_bits_retain(flags),
                }
            }
            3 => Barrier::Global { sync: self.sync()?, access: self.access()? },
            4 => {
                let [allocation] = self.take()?;
                let (sync, access) = (self.sync()?, self.access()?);
                let [layout_before, layout_after, a, b, c, d, e, f, flags] = self.take()?;
                Barrier::Texture {
                    allocation,
                    sync,
                    access,
                    layout: [
                        BarrierLayout::from_d3d12(layout_before)?,
                        BarrierLayout::from_d3d12(layout_after)?,
                    ],
                    subresources: BarrierSubresourceRange {
                        index_or_first_mip_level: a,
                        num_mip_levels: b,
                        first_array_slice: c,
                        num_array_slices: d,
                        first_plane: e,
                        num_planes: f,
                    },
                    flags: TextureBarrierFlags::from_bits_retain(flags),
                }
            }
            5 => {
                let [allocation] = self.take()?;
                let (sync, access) = (self.sync()?, self.access()?);
                Barrier::Buffer { allocation, sync, access, offset: self.long()?, size: self.long()? }
            }
            _ => return None,
        })
    }

    fn sync(&mut self) -> Option<[BarrierSync; 2]> {
        Some(self.take()?.map(BarrierSync::from_bits_retain))
    }

    fn access(&mut self) -> Option<[BarrierAccess; 2]> {
        Some(self.take()?.map(BarrierAccess::from_bits_retain))
    }
}

const fn optional(allocation: u32) -> Option<u32> {
    if allocation == NO_ALLOCATION { None } else { Some(allocation) }
}

#[inline]
pub(super) fn write_barrier(words: &mut Vec<u32>, barrier: &Barrier) {
    match *barrier {
        Barrier::Transition { allocation, subresource, before, after, flags } => {
            words.extend_from_slice(&[0, allocation, subresource, before.bits(), after.bits(), flags.bits()]);
        }
        Barrier::Aliasing { before, after, flags } => words.extend_from_slice(&[
            1,
            before.unwrap_or(NO_ALLOCATION),
            after.unwrap_or(NO_ALLOCATION),
            flags.bits(),
        ]),
        Barrier::Uav { allocation, flags } => {
            words.extend_from_slice(&[2, allocation.unwrap_or(NO_ALLOCATION), flags.bits()]);
        }
        Barrier::Global { sync, access } => {
            words.extend_from_slice(&[3, sync[0].bits(), sync[1].bits(), access[0].bits(), access[1].bits()]);
        }
        Barrier::Texture { allocation, sync, access, layout, subresources, flags } => {
            words.extend_from_slice(&[
                4,
                allocation,
                sync[0].bits(),
                sync[1].bits(),
                access[0].bits(),
                access[1].bits(),
                layout[0].to_d3d12(),
                layout[1].to_d3d12(),
                subresources.index_or_first_mip_level,
                subresources.num_mip_levels,
                subresources.first_array_slice,
                subresources.num_array_slices,
                subresources.first_plane,
                subresources.num_planes,
                flags.bits(),
            ]);
        }
        Barrier::Buffer { allocation, sync, access, offset, size } => {
            let ([offset_low, offset_high], [size_low, size_high]) = (split(offset), split(size));
            words.extend_from_slice(&[
                5,
                allocation,
                sync[0].bits(),
                sync[1].bits(),
                access[0].bits(),
                access[1].bits(),
                offset_low,
                offset_high,
                size_low,
                size_high,
            ]);
        }
    }
}
