//! The commonest command read at once: a box between a surface and rows.
//!
//! A list of small uploads has hundreds of thousands of them. Read as a [`Command`], each field is checked for every
//! other command's sake, and written and read once more, which takes about as long as to copy 16 x 16 texels.

use heapstone_units::GpuVirtualAddress;

use super::command::{Address, Command, Image, Origin, Size};
use super::stream::{BEGINS_CALL, Commands, IMAGE_PITCHED, IMAGE_SURFACE, Opcode, join};

/// A [`Command::CopyRegion`] of all bits of elements of one sample, between a surface and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxCopy {
    /// Which side is written.
    pub direction: BoxDirection,
    /// Index of the surface's allocation in the allocation list.
    pub allocation: u32,
    /// Index in the surfaces of the allocation.
    pub subresource: u32,
    /// Of the texture's first byte; the surface's offset is from here.
    pub base: GpuVirtualAddress,
    /// Where the box begins in the surface.
    pub surface_origin: Origin,
    /// Where the rows' element at the origin begins.
    pub rows: Address,
    /// Bytes from a row to the next.
    pub row_pitch: u32,
    /// Bytes from a slice to the next.
    pub slice_pitch: u64,
    /// Where the box begins in the rows.
    pub rows_origin: Origin,
    /// How large it is.
    pub size: Size,
    /// Bytes of an element, as an exponent.
    pub element_bytes_log2: u8,
}

/// Which way a [`BoxCopy`] goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxDirection {
    /// From rows to a surface.
    ToSurface,
    /// From a surface to rows.
    ToRows,
}

/// Words of a copy between a surface and rows: header, images of 5 and 7 words, two origins, a size, and two of sizes
/// and mask.
const WORDS: usize = 1 + 5 + 7 + 3 * 3 + 2;
const HEADER: u32 = Opcode::CopyRegion as u32 | 24 << 16;
const _: () = assert!(HEADER as usize >> 16 == WORDS);

impl BoxCopy {
    /// What `command` is, if it is such a copy.
    #[must_use]
    pub fn of(command: &Command) -> Option<BoxCopy> {
        let Command::CopyRegion {
            destination,
            destination_origin,
            source,
            source_origin,
            size,
            element_bytes_log2,
            samples_log2: 0,
            mask: u32::MAX,
        } = *command
        else {
            return None;
        };
        let (direction, surface, rows, surface_origin, rows_origin) = match (destination, source) {
            (Image::Surface { .. }, Image::Pitched { .. }) => {
                (BoxDirection::ToSurface, destination, source, destination_origin, source_origin)
            }
            _ => (BoxDirection::ToRows, source, destination, source_origin, destination_origin),
        };
        let Image::Surface { allocation, subresource, base } = surface else { return None };
        let Image::Pitched { address, row_pitch, slice_pitch } = rows else { return None };
        Some(BoxCopy {
            direction,
            allocation,
            subresource,
            base,
            surface_origin,
            rows: address,
            row_pitch,
            slice_pitch,
            rows_origin,
            size,
            element_bytes_log2,
        })
    }
}

impl Commands<'_> {
    /// The next command, if it is such a copy. The position stays.
    #[must_use]
    #[inline(always)]
    pub fn box_copy(&self) -> Option<BoxCopy> {
        let words: &[u32; WORDS] = self.rest()?.first_chunk()?;
        if words[0] & !BEGINS_CALL != HEADER || words[WORDS - 1] != u32::MAX {
            return None;
        }
        let [element_bytes_log2, 0, ..] = words[WORDS - 2].to_le_bytes() else { return None };
        match (words[1], words[6], words[8]) {
            (IMAGE_SURFACE, IMAGE_PITCHED, _) => {
                Some(read::<1, 6, 13, 16>(words, BoxDirection::ToSurface, element_bytes_log2))
            }
            (IMAGE_PITCHED, _, IMAGE_SURFACE) => {
                Some(read::<8, 1, 16, 13>(words, BoxDirection::ToRows, element_bytes_log2))
            }
            _ => None,
        }
    }

    /// Moves past the command that [`Commands::box_copy`] read.
    #[inline(always)]
    pub fn pass_box_copy(&mut self) {
        self.pass(WORDS);
    }
}

/// The copy whose surface, rows, and origins in these stand at those words.
#[inline(always)]
fn read<const SURFACE: usize, const ROWS: usize, const IN_SURFACE: usize, const IN_ROWS: usize>(
    words: &[u32; WORDS],
    direction: BoxDirection,
    element_bytes_log2: u8,
) -> BoxCopy {
    let long = |at: usize| join(words[at], words[at + 1]);
    let three = |at: usize| [words[at], words[at + 1], words[at + 2]];
    BoxCopy {
        direction,
        allocation: words[SURFACE + 1],
        base: GpuVirtualAddress(long(SURFACE + 2)),
        subresource: words[SURFACE + 4],
        surface_origin: three(IN_SURFACE),
        rows: Address { allocation: words[ROWS + 1], at: GpuVirtualAddress(long(ROWS + 2)) },
        row_pitch: words[ROWS + 4],
        slice_pitch: long(ROWS + 5),
        rows_origin: three(IN_ROWS),
        size: three(19),
        element_bytes_log2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dma::{DmaAllocation, DmaBuffer, DmaBuilder};

    const SURFACE: Image =
        Image::Surface { allocation: 1, subresource: 2, base: GpuVirtualAddress(0x3_0000_0004) };
    const ROWS: Image = Image::Pitched {
        address: Address { allocation: 5, at: GpuVirtualAddress(0x6_0000_0007) },
        row_pitch: 8,
        slice_pitch: 0x9_0000_000A,
    };

    fn copy(destination: Image, source: Image) -> Command {
        Command::CopyRegion {
            destination,
            destination_origin: [11, 12, 13],
            source,
            source_origin: [14, 15, 16],
            size: [17, 18, 19],
            element_bytes_log2: 3,
            samples_log2: 0,
            mask: u32::MAX,
        }
    }

    /// The command as it stands in a stream, behind one that is passed.
    fn peeked(command: &Command) -> Option<BoxCopy> {
        let mut builder = DmaBuilder::new(DmaBuffer::default());
        for _ in 0..6 {
            let address = GpuVirtualAddress(0);
            builder.add_allocation(DmaAllocation {
                address,
                size: u64::MAX,
                is_written: false,
                surfaces: None,
            });
        }
        builder.begin_call();
        builder.push(&copy(SURFACE, ROWS));
        builder.begin_call();
        builder.push(command);
        let buffer = builder.finish();
        let mut commands = buffer.commands();
        commands.pass_box_copy();
        let peeked = commands.box_copy();
        assert_eq!(commands.next_command().unwrap().as_ref(), Some(command));
        assert!(commands.is_at_end());
        peeked
    }

    #[test]
    fn both_directions_are_read_at_once() {
        let expected = BoxCopy {
            direction: BoxDirection::ToSurface,
            allocation: 1,
            subresource: 2,
            base: GpuVirtualAddress(0x3_0000_0004),
            surface_origin: [11, 12, 13],
            rows: Address { allocation: 5, at: GpuVirtualAddress(0x6_0000_0007) },
            row_pitch: 8,
            slice_pitch: 0x9_0000_000A,
            rows_origin: [14, 15, 16],
            size: [17, 18, 19],
            element_bytes_log2: 3,
        };
        let upload = copy(SURFACE, ROWS);
        assert_eq!(BoxCopy::of(&upload), Some(expected));
        assert_eq!(peeked(&upload), Some(expected));
        let expected = BoxCopy {
            direction: BoxDirection::ToRows,
            surface_origin: [14, 15, 16],
            rows_origin: [11, 12, 13],
            ..expected
        };
        let readback = copy(ROWS, SURFACE);
        assert_eq!(BoxCopy::of(&readback), Some(expected));
        assert_eq!(peeked(&readback), Some(expected));
    }

    #[test]
    fn other_copies_are_none() {
        for (destination, source) in [(SURFACE, SURFACE), (ROWS, ROWS)] {
            let alike = copy(destination, source);
            assert_eq!(BoxCopy::of(&alike), None);
            assert_eq!(peeked(&alike), None);
        }
        let mut masked = copy(SURFACE, ROWS);
        let Command::CopyRegion { mask, .. } = &mut masked else { unreachable!() };
        *mask = 0xFF_FFFF;
        assert_eq!(BoxCopy::of(&masked), None);
        assert_eq!(peeked(&masked), None);
        let mut sampled = copy(SURFACE, ROWS);
        let Command::CopyRegion { samples_log2, .. } = &mut sampled else { unreachable!() };
        *samples_log2 = 1;
        assert_eq!(BoxCopy::of(&sampled), None);
        assert_eq!(peeked(&sampled), None);
    }
}
