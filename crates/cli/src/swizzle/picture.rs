//! A block of a pattern as a picture.

use std::io::{self, Write};
use std::path::Path;

use super::args::SCALE_MAX;
use super::draw::{Cell, Grid};
use super::output::Output;
use crate::failure::Failure;

/// Where nothing is said, a picture is about this long and high, in pixels.
const SIDE_DEFAULT: u32 = 512;
/// Pixels along a side, at most (chosen: what viewers still open).
const SIDE_MAX: u32 = 1 << 17;
/// Pixels in all, at most (chosen).
const PIXELS_MAX: u64 = 1 << 26;
/// Colours along the addresses, from the first to the last; between them it is mixed. Chosen: each is
/// lighter than the one before, so that the order is seen without colours too.
const RAMP: [[u8; 3]; 5] = [[24, 20, 64], [44, 84, 180], [34, 160, 132], [236, 190, 54], [255, 246, 222]];
/// Between layers.
const GAP: [u8; 3] = [128, 128, 128];

/// Draws the block: layers side by side, a pixel apart. Answers the width and height in pixels.
///
/// # Errors
/// A picture that would be too large, or cannot be written.
pub(crate) fn write(path: &Path, grid: &Grid<'_>, scale: Option<u32>) -> Result<(u32, u32), Failure> {
    let picture = Picture::new(grid, scale)?;
    let out = Output::create(path, &[])?;
    let mut writer = out.writer();
    picture.encode(&mut writer).map_err(|error| out.failed(&error))?;
    writer.flush().map_err(|error| out.failed(&error))?;
    drop(writer);
    out.keep()?;
    Ok((picture.width, picture.height))
}

struct Picture<'a> {
    grid: &'a Grid<'a>,
    scale: u32,
    /// Layers side by side.
    columns: u32,
    width: u32,
    height: u32,
}

impl<'a> Picture<'a> {
    fn new(grid: &'a Grid<'a>, scale: Option<u32>) -> Result<Picture<'a>, Failure> {
        // About a square of layers.
        let columns = 1 << grid.layers().ilog2().div_ceil(2);
        let down = grid.layers().div_ceil(columns);
        let scale = scale.unwrap_or_else(|| {
            let side = (grid.width() * columns).max(grid.height() * down);
            (SIDE_DEFAULT / side).clamp(1, SCALE_MAX)
        });
        // Blocks have at most 2^20 bytes: each product fits.
        let along = |elements: u32, layers: u32| {
            let pixels = u64::from(elements) * u64::from(layers) * u64::from(scale) + u64::from(layers) - 1;
            u32::try_from(pixels).ok().filter(|pixels| *pixels <= SIDE_MAX)
        };
        let (width, height) = (along(grid.width(), columns), along(grid.height(), down));
        let size = width.zip(height);
        let fits = size.filter(|(width, height)| u64::from(*width) * u64::from(*height) <= PIXELS_MAX);
        let (width, height) = fits.ok_or_else(|| {
            Failure::new(format_args!(
                "the picture has {} elements of {scale} x {scale} pixels; allowed: {SIDE_MAX} pixels along a \
                 side, {PIXELS_MAX} in all",
                grid.elements()
            ))
            .with_remedy("give a smaller --scale")
        })?;
        Ok(Picture { grid, scale, columns, width, height })
    }

    fn encode(&self, out: &mut impl Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(out, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        let mut rows = writer.stream_writer()?;
        for y in 0..self.height {
            let mut row = Vec::new();
            for x in 0..self.width {
                row.extend_from_slice(&self.pixel(x, y));
            }
            rows.write_all(&row)?;
        }
        rows.finish()?;
        writer.finish()?;
        Ok(())
    }

    fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        let place = |pixel: u32, elements: u32| {
            let layer = elements * self.scale + 1;
            let within = pixel % layer;
            (within + 1 < layer).then_some((pixel / layer, within / self.scale))
        };
        let (Some((column, x)), Some((row, y))) = (place(x, self.grid.width()), place(y, self.grid.height()))
        else {
            return GAP;
        };
        let layer = row * self.columns + column;
        if layer >= self.grid.layers() {
            return GAP;
        }
        ramp(self.grid.address(Cell { x, y, layer }), self.grid.bytes())
    }
}

/// The colour of an address of so many.
fn ramp(address: u64, addresses: u64) -> [u8; 3] {
    let spans = 4;
    let last = (addresses - 1).max(1);
    let place = address.min(last) * spans;
    // The ramp has one colour more than spans.
    let index = usize::try_from(place / last).unwrap_or(0).min(RAMP.len() - 2);
    let within = place - u64::try_from(index).unwrap_or(0) * last;
    let mut colour = [0; 3];
    for ((into, from), to) in colour.iter_mut().zip(RAMP[index]).zip(RAMP[index + 1]) {
        let mixed = (u64::from(from) * (last - within) + u64::from(to) * within) / last;
        *into = u8::try_from(mixed).unwrap_or(u8::MAX);
    }
    colour
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ramp_begins_and_ends_and_grows() {
        assert_eq!(ramp(0, 4096), RAMP[0]);
        assert_eq!(ramp(4095, 4096), RAMP[4]);
        assert_eq!(ramp(0, 1), RAMP[0]);
        let lightness = |address| ramp(address, 4096).map(u32::from).iter().sum::<u32>();
        // Each of the three is rounded down.
        assert!((0..4095).all(|address| lightness(address) <= lightness(address + 1) + 2));
        assert!((0..3500).all(|address| lightness(address) < lightness(address + 500)));
    }
}
