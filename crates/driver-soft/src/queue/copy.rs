//! Copies.

use heapstone_driver::dma::{Address, Image, Origin, Size};

use super::fault::Stop;
use super::operand::{Operand, Pins, Shape, Use, operand, span};
use crate::bytes::{Source, View};
use crate::grid::Memory;
use crate::transfer::{self, Copy, Scratch};

/// [`heapstone_driver::dma::Command::CopyBuffer`].
pub(super) fn copy_buffer(
    pins: &mut Pins<'_>,
    scratch: &mut Scratch,
    destination: Address,
    source: Address,
    size: u64,
) -> Result<(), Stop> {
    let from = span(pins.allocations, source, size, Use::Read)?;
    let to = span(pins.allocations, destination, size, Use::Write)?;
    if size == 0 {
        pins.meter.command(0, 0);
        return Ok(());
    }
    pins.begin_two(&from, &to);
    let (from_pin, to_pin) = (pins.pin_span(&from)?, pins.pin_span(&to)?);
    let (from_memory, to_memory) = (pins.memory(&from, from_pin), pins.memory(&to, to_pin));
    match (to_memory, from_memory) {
        (Memory::Host(to), Memory::Host(from)) => to.copy_from(from.source()),
        (Memory::Nothing, _) => {}
        _ if transfer::runs_share(&to_memory, &from_memory, size) => {
            let whole = scratch.whole(size)?;
            from_memory.read(0, View::from(&mut *whole));
            to_memory.write(0, Source::from(&*whole));
            scratch.trim();
        }
        (Memory::Host(to), _) => from_memory.read(0, to),
        (Memory::Tiled(_), Memory::Host(from)) => to_memory.write(0, from.source()),
        (Memory::Tiled(_), _) => {
            let strip = scratch.strip();
            let length = u64::try_from(strip.len()).unwrap_or(u64::MAX);
            let mut at = 0;
            while at < size {
                let count = usize::try_from(length.min(size - at)).unwrap_or(strip.len());
                let bytes = &mut strip[..count];
                from_memory.read(at, View::from(&mut *bytes));
                to_memory.write(at, Source::from(&*bytes));
                at += length;
            }
        }
    }
    pins.meter.command(size, size);
    Ok(())
}

/// A box and where it goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct CopyRegion<'a> {
    pub(super) destination: &'a Image,
    pub(super) destination_origin: &'a Origin,
    pub(super) source: &'a Image,
    pub(super) source_origin: &'a Origin,
    pub(super) size: &'a Size,
    pub(super) element_bytes_log2: u8,
    pub(super) samples_log2: u8,
    pub(super) mask: u32,
}

/// [`heapstone_driver::dma::Command::CopyRegion`], the general way: whoever has the commonest copies tries
/// [`super::shortcut`] before.
pub(super) fn copy_region(
    pins: &mut Pins<'_>,
    scratch: &mut Scratch,
    copy: &CopyRegion<'_>,
) -> Result<(), Stop> {
    let CopyRegion { size, element_bytes_log2, samples_log2, mask, .. } = *copy;
    if mask != u32::MAX && element_bytes_log2 != 2 {
        return Err(Stop::Malformed("a mask for elements of other than 4 bytes"));
    }
    let shape = |origin: &Origin| Shape { origin: *origin, size: *size, element_bytes_log2, samples_log2 };
    let from = operand(pins.allocations, *copy.source, &shape(copy.source_origin), Use::Read)?;
    let to = operand(pins.allocations, *copy.destination, &shape(copy.destination_origin), Use::Write)?;
    pins.begin_two(&from.place, &to.place);
    let (from_pin, to_pin) = (pins.pin(&from)?, pins.pin(&to)?);
    let copy = Copy { to: pins.side(&to, to_pin), from: pins.side(&from, from_pin), mask };
    if !copy_alike(pins, &copy, &to, &from) {
        copy.run(scratch)?;
    }
    let bytes = to.byte_count();
    pins.meter.command(bytes, bytes);
    Ok(())
}

/// Two whole surfaces that are swizzled alike and have no byte but their elements': the bytes are copied as they
/// lie. Whether they are.
#[inline]
fn copy_alike(pins: &Pins<'_>, copy: &Copy<'_>, to: &Operand, from: &Operand) -> bool {
    if !to.is_whole_surface() || !from.is_whole_surface() || copy.mask != u32::MAX {
        return false;
    }
    if !transfer::same_pattern(&copy.to.grid, &copy.from.grid) {
        return false;
    }
    match (pins.whole_surface(to), pins.whole_surface(from)) {
        (Some(to), Some(from)) if to.size() == from.size() => {
            to.copy_from(from.source());
            true
        }
        _ => false,
    }
}
