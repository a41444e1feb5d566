//! Samples become one.

use heapstone_driver::dma::{Image, Origin, Size};
use heapstone_spec::Format;
use heapstone_spec::commands::ResolveMode;
use heapstone_texel::{components, resolve};

use super::copy::{CopyRegion, copy_region};
use super::fault::Stop;
use super::operand::{Operand, Pins, Shape, Use, operand, surface};
use crate::bytes::{Source, View};
use crate::grid::Grid;
use crate::transfer::{Scratch, Strips, compact};

/// A box whose samples are resolved.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResolveRegion {
    pub(super) destination: Image,
    pub(super) destination_origin: Origin,
    pub(super) source: Image,
    pub(super) source_origin: Origin,
    pub(super) size: Size,
    pub(super) samples_log2: u8,
    pub(super) format: Format,
    pub(super) mode: ResolveMode,
}

/// [`heapstone_driver::dma::Command::Resolve`].
///
/// DECOMPRESS copies the samples where the destination has as many; nothing is kept compressed here. Of
/// formats that are not resolved by numbers (AVERAGE of integers, which D3D12 leaves undefined, and formats
/// without texels) sample 0 is taken (chosen).
pub(super) fn resolve_region(
    pins: &mut Pins<'_>,
    scratch: &mut Scratch,
    region: &ResolveRegion,
) -> Result<(), Stop> {
    let ResolveRegion { size, samples_log2, format, mode, .. } = *region;
    let element_bytes_log2 = element_bytes_log2(pins, region)?;
    if mode == ResolveMode::Decompress && destination_samples_log2(pins, region)? == samples_log2 {
        return copy_region(
            pins,
            scratch,
            &CopyRegion {
                destination: &region.destination,
                destination_origin: &region.destination_origin,
                source: &region.source,
                source_origin: &region.source_origin,
                size: &size,
                element_bytes_log2,
                samples_log2,
                mask: u32::MAX,
            },
        );
    }
    let texel = texel_size(format, element_bytes_log2, size)?;
    let shape = |origin, samples_log2| Shape { origin, size, element_bytes_log2, samples_log2 };
    let from_shape = shape(region.source_origin, samples_log2);
    let from = operand(pins.allocations, region.source, &from_shape, Use::Read)?;
    let to_shape = shape(region.destination_origin, 0);
    let to = operand(pins.allocations, region.destination, &to_shape, Use::Write)?;
    pins.begin_two(&from.place, &to.place);
    let (from_pin, to_pin) = (pins.pin(&from)?, pins.pin(&to)?);
    let grids = Grids { to: pins.grid(&to, to_pin), from: pins.grid(&from, from_pin) };
    grids.resolve(&to, &from, scratch.strip(), texel, |samples| resolve(format, mode, samples));
    pins.meter.command(from.byte_count(), to.byte_count());
    Ok(())
}

struct Grids<'a> {
    to: Grid<'a>,
    from: Grid<'a>,
}

impl Grids<'_> {
    /// Strip by strip: the planes of all samples into scratch, the first of which the result replaces.
    ///
    /// Where the sides share bytes the result is some mixture: D3D12 has no resolve within a resource.
    fn resolve(
        &self,
        to: &Operand,
        from: &Operand,
        scratch: &mut [u8],
        texel: usize,
        mut resolve: impl FnMut(&mut dyn Iterator<Item = &[u8]>) -> Option<heapstone_texel::Texel>,
    ) {
        let samples = 1_u32 << from.layout.samples_log2;
        let plane = scratch.len() >> from.layout.samples_log2;
        // A strip along x holds whole texels: 12 bytes are three elements of 4.
        let capacity = plane / texel * texel;
        for strip in Strips::new(&to.of, to.layout.element_bytes_log2, capacity) {
            let source = strip.moved(&to.of, &from.of);
            let rows = to.layout.rows_of(&strip);
            for (sample, plane) in (0..samples).zip(scratch.chunks_exact_mut(plane)) {
                let (bytes, pitches) = compact(plane, rows);
                self.from.read(sample, &source, View::from(bytes), pitches);
            }
            let (first, others) = scratch.split_at_mut(plane);
            let (bytes, pitches) = compact(first, rows);
            for (index, bytes) in bytes.chunks_exact_mut(texel).enumerate() {
                let at = index * texel..(index + 1) * texel;
                let others = others.chunks_exact(plane).map(|plane| &plane[at.clone()]);
                let own: &[u8] = bytes;
                let resolved = resolve(&mut core::iter::once(own).chain(others));
                if let Some(resolved) = resolved {
                    bytes.copy_from_slice(resolved.as_bytes());
                }
            }
            self.to.write(0, &strip, Source::from(&*bytes), pitches);
        }
    }
}

/// Bytes of a texel: one element, or three.
fn texel_size(format: Format, element_bytes_log2: u8, size: Size) -> Result<usize, Stop> {
    let element = 1_usize << element_bytes_log2;
    let Some(components) = components(format) else { return Ok(element) };
    match usize::from(components.size) {
        texel if texel == element => Ok(texel),
        12 if element == 4 && size[0].is_multiple_of(3) => Ok(12),
        _ => Err(Stop::Malformed("elements are not texels of the format that they are resolved as")),
    }
}

fn element_bytes_log2(pins: &Pins<'_>, region: &ResolveRegion) -> Result<u8, Stop> {
    for image in [region.source, region.destination] {
        if let Image::Surface { allocation, subresource, .. } = image {
            return Ok(surface(pins.allocations, allocation, subresource)?.element_bytes_log2);
        }
    }
    // Rows on both sides: the format says it, of 12 bytes three elements of 4.
    let size = components(region.format).map(|components| components.size);
    let size = size.ok_or(Stop::Malformed("rows are resolved as a format without texels"))?;
    Ok(match size {
        12 => 2,
        size => size.trailing_zeros().try_into().unwrap_or(0),
    })
}

fn destination_samples_log2(pins: &Pins<'_>, region: &ResolveRegion) -> Result<u8, Stop> {
    match region.destination {
        Image::Surface { allocation, subresource, .. } => {
            Ok(surface(pins.allocations, allocation, subresource)?.samples_log2)
        }
        Image::Pitched { .. } => Ok(0),
    }
}
