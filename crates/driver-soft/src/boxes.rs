//! Boxes of textures in heaps, copied by the CPU: ReadFromSubresource and WriteToSubresource.

use heapstone_driver::DriverError;
use heapstone_driver::engine::{RowPitches, SurfaceBox};
use heapstone_units::ByteRange;

use crate::bytes::{Source, View};
use crate::grid::{Grid, GridBox, Layout, Memory};
use crate::heap::in_u64;

/// Checks that the box lies in its surface, the surface in a heap of `heap_size` bytes, and the box's rows in
/// `linear_size` bytes.
///
/// # Errors
/// `OutOfRange`: of the heap, or of the rows where those do not hold the box. `Unsupported` of several samples.
pub(crate) fn check(
    heap_size: u64,
    of: &SurfaceBox<'_>,
    linear_size: usize,
    pitches: RowPitches,
) -> Result<(), DriverError> {
    let (layout, wanted) = (Layout::of_surface(of.surface), grid_box(of));
    if layout.samples_log2 > 0 {
        let what = "copies by the CPU of textures with several samples, which D3D12 refuses".to_owned();
        return Err(DriverError::Unsupported { what });
    }
    let inside = layout.is_sound() && wanted.is_counted() && wanted.lies_in(of.surface.elements);
    let reach = if inside { layout.reach(&wanted) } else { None };
    let reach = reach.filter(|reach| reach.end <= of.surface.size);
    let begin = of.resource_offset.saturating_add(of.surface.offset);
    let end = reach.and_then(|reach| begin.checked_add(reach.end)).filter(|end| *end <= heap_size);
    if end.is_none() {
        let end = begin.saturating_add(reach.map_or(u64::MAX, |reach| reach.end));
        return Err(DriverError::OutOfRange { range: ByteRange::new(begin, end), size: heap_size });
    }
    let rows = layout.rows_of(&wanted).end(pitches);
    match rows.filter(|rows| *rows <= in_u64(linear_size)) {
        Some(_) => Ok(()),
        None => {
            let range = ByteRange::new(0, rows.unwrap_or(u64::MAX));
            Err(DriverError::OutOfRange { range, size: in_u64(linear_size) })
        }
    }
}

/// Copies a box out of a heap of `heap_size` bytes; without `bytes` they are all zero.
///
/// # Errors
/// As [`check`].
pub(crate) fn read(
    bytes: Option<View<'_>>,
    heap_size: u64,
    from: &SurfaceBox<'_>,
    to: &mut [u8],
    pitches: RowPitches,
) -> Result<(), DriverError> {
    check(heap_size, from, to.len(), pitches)?;
    let memory = bytes.map_or(Memory::Nothing, |bytes| Memory::Host(surface_bytes(bytes, from)));
    let grid = Grid { memory, layout: &Layout::of_surface(from.surface) };
    grid.read(0, &grid_box(from), View::from(to), pitches);
    Ok(())
}

/// Copies rows into a box of a heap.
///
/// # Errors
/// As [`check`].
pub(crate) fn write(
    bytes: View<'_>,
    to: &SurfaceBox<'_>,
    from: &[u8],
    pitches: RowPitches,
) -> Result<(), DriverError> {
    check(in_u64(bytes.size()), to, from.len(), pitches)?;
    let memory = Memory::Host(surface_bytes(bytes, to));
    let grid = Grid { memory, layout: &Layout::of_surface(to.surface) };
    grid.write(0, &grid_box(to), Source::from(from), pitches);
    Ok(())
}

const fn grid_box(of: &SurfaceBox<'_>) -> GridBox {
    GridBox { origin: of.origin, size: of.size }
}

/// The surface's bytes up to the last that the box reaches.
fn surface_bytes<'a>(heap: View<'a>, of: &SurfaceBox<'_>) -> View<'a> {
    let begin = of.resource_offset.checked_add(of.surface.offset);
    let reach = Layout::of_surface(of.surface).reach(&grid_box(of));
    let view = begin.zip(reach).and_then(|(begin, reach)| heap.part(begin, reach.end));
    view.expect("bug: a box was not checked")
}
