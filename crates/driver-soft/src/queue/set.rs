//! Commands that write values, or read one.

use heapstone_driver::dma::{Address, Image, Origin, Size};
use heapstone_spec::commands::PredicationOp;

use super::fault::Stop;
use super::operand::{Pins, Shape, Use, operand, span, surface};
use crate::bytes::{Source, View};
use crate::transfer::{Fill, Scratch};

/// A value for the elements of a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct FillRegion {
    pub(super) destination: Image,
    pub(super) origin: Origin,
    pub(super) size: Size,
    pub(super) element_bytes_log2: u8,
    pub(super) samples_log2: u8,
    pub(super) value: [u32; 4],
    pub(super) period: u8,
}

/// [`heapstone_driver::dma::Command::Fill`].
pub(super) fn fill(pins: &mut Pins<'_>, scratch: &mut Scratch, fill: &FillRegion) -> Result<(), Stop> {
    let FillRegion { origin, size, element_bytes_log2, samples_log2, period, .. } = *fill;
    if period != 1 && (period != 3 || element_bytes_log2 > 2) {
        return Err(Stop::Malformed("the period of a fill is 1, or 3 of elements of at most 4 bytes"));
    }
    let shape = Shape { origin, size, element_bytes_log2, samples_log2 };
    let to = operand(pins.allocations, fill.destination, &shape, Use::Write)?;
    let pin = pins.pin(&to)?;
    let value = value_bytes(fill);
    Fill { to: pins.grid(&to, pin), of: to.of, value, period }.run(scratch);
    pins.meter.command(0, to.byte_count());
    Ok(())
}

/// The elements of a period one behind the other. Each begins a word of its own in the command, but for
/// one element, whose words follow each other.
fn value_bytes(fill: &FillRegion) -> [u8; 16] {
    let element = 1_usize << fill.element_bytes_log2;
    let mut bytes = [0; 16];
    if fill.period == 1 {
        for (to, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(fill.value) {
            *to = word.to_le_bytes();
        }
    } else {
        let elements = bytes.chunks_exact_mut(element).zip(fill.value).take(usize::from(fill.period));
        for (to, word) in elements {
            to.copy_from_slice(&word.to_le_bytes()[..element]);
        }
    }
    bytes
}

/// Writes the bytes of one value: who sees it sees all that was done before.
pub(super) fn write(pins: &mut Pins<'_>, destination: Address, value: &[u8]) -> Result<(), Stop> {
    pins.tlb.order_copies();
    let size = crate::heap::in_u64(value.len());
    let to = span(pins.allocations, destination, size, Use::Write)?;
    let pin = pins.pin_span(&to)?;
    pins.memory(&to, pin).write(0, Source::from(value));
    pins.meter.command(0, size);
    Ok(())
}

/// Whether predicated commands are left out from now on: the value is read once
/// ([`heapstone_driver::dma::Command::SetPredication`]).
pub(super) fn predicate(
    pins: &mut Pins<'_>,
    value: Option<Address>,
    op: PredicationOp,
) -> Result<bool, Stop> {
    let Some(value) = value else {
        pins.meter.command(0, 0);
        return Ok(false);
    };
    let mut bytes = [0; 8];
    let from = span(pins.allocations, value, 8, Use::Read)?;
    let pin = pins.pin_span(&from)?;
    pins.memory(&from, pin).read(0, View::from(&mut bytes[..]));
    pins.meter.command(8, 0);
    let is_zero = u64::from_le_bytes(bytes) == 0;
    Ok(match op {
        PredicationOp::EqualZero => is_zero,
        PredicationOp::NotEqualZero => !is_zero,
    })
}

/// [`heapstone_driver::dma::Command::Discard`]: the contents may be anything, and stay what they are (chosen: a
/// program that relies on them fails elsewhere, and no time is spent on it here).
pub(super) fn discard(
    pins: &mut Pins<'_>,
    destination: Image,
    origin: Origin,
    size: Size,
) -> Result<(), Stop> {
    let (element_bytes_log2, samples_log2) = match destination {
        Image::Surface { allocation, subresource, .. } => {
            let surface = surface(pins.allocations, allocation, subresource)?;
            (surface.element_bytes_log2, surface.samples_log2)
        }
        Image::Pitched { .. } => (0, 0),
    };
    let shape = Shape { origin, size, element_bytes_log2, samples_log2 };
    operand(pins.allocations, destination, &shape, Use::Write)?;
    pins.meter.command(0, 0);
    Ok(())
}
