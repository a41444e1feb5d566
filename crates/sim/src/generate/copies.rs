//! Copies.

use heapstone::PlacedFootprint;
use heapstone::spec::tiles::TileRegionSize;

use super::resources::{in_texels, texels_of};
use super::{Generator, is_buffer, is_texture};
use crate::model::TILE;
use crate::program::{Command, Location, Slot};
use crate::shape::Subresource;

impl Generator<'_, '_> {
    fn subresource(&mut self, slot: Slot) -> Option<(u32, Subresource)> {
        let shapes = self.model.subresources(slot);
        let count = u32::try_from(shapes.len()).ok()?;
        let index = self.source.below_u32(count);
        let shape = *self.model.subresources(slot).get(usize::try_from(index).ok()?)?;
        Some((index, shape))
    }

    pub(super) fn copy_buffer(&mut self) -> Option<Command> {
        let (destination, source) = (self.pick(is_buffer)?, self.pick(is_buffer)?);
        let (to, from) = (self.model.desc(destination)?.width, self.model.desc(source)?.width);
        let most = to.min(from);
        let size = if self.source.chance(20) { most } else { self.source.below(most + 1) };
        let destination_offset = self.source.below(to - size + 1);
        let source_offset = self.source.below(from - size + 1);
        Some(Command::CopyBuffer { destination, destination_offset, source, source_offset, size })
    }

    pub(super) fn copy_texture(&mut self) -> Option<Command> {
        let texture = self.pick(is_texture)?;
        let (index, shape) = self.subresource(texture)?;
        let here = Location::Subresource(texture, index);
        if self.source.chance(30) {
            return self.copy_between_textures(here, &shape);
        }
        let buffer = self.pick(is_buffer)?;
        if self.source.chance(6) {
            return self.copy_between_rows(buffer, &shape);
        }
        let to_texture = self.source.chance(60);
        // What is copied, and rows that hold it with some room around.
        let size = if self.source.chance(40) { shape.extent } else { self.size_within(shape.extent) };
        let at = self.origin_within(shape.extent, size);
        let room = usize::try_from(self.source.below(3)).unwrap_or(0);
        let rows = [size[0] + room, size[1] + room, size[2]];
        let in_rows = self.origin_within(rows, size);
        let footprint = self.footprint(buffer, &shape, rows)?;
        let (rows, box_in_rows) = (Location::Rows(buffer, footprint), texels_of(shape.block, in_rows, size));
        let origin = in_texels(shape.block, if to_texture { at } else { in_rows });
        if to_texture {
            let source_box = if room == 0 && self.source.chance(50) { None } else { Some(box_in_rows) };
            return Some(Command::CopyTexture { destination: here, origin, source: rows, source_box });
        }
        let is_whole = size == shape.extent && self.source.chance(50);
        let source_box = if is_whole { None } else { Some(texels_of(shape.block, at, size)) };
        Some(Command::CopyTexture { destination: rows, origin, source: here, source_box })
    }

    fn copy_between_rows(&mut self, destination: Slot, shape: &Subresource) -> Option<Command> {
        let source = self.pick(is_buffer)?;
        let (to, from) = (self.footprint(destination, shape, shape.extent)?, {
            let rows = self.size_within(shape.extent);
            self.footprint(source, shape, rows)?
        });
        Some(Command::CopyTexture {
            destination: Location::Rows(destination, to),
            origin: [0; 3],
            source: Location::Rows(source, from),
            source_box: None,
        })
    }

    /// Rows of so many elements somewhere in a buffer.
    fn footprint(&mut self, buffer: Slot, shape: &Subresource, rows: [usize; 3]) -> Option<PlacedFootprint> {
        let width = self.model.desc(buffer)?.width;
        let [texels_x, texels_y, depth] = in_texels(shape.block, rows);
        // Where the adapter asks for whole elements only, often no more than those.
        let is_fine = self.profile.caps.unrestricted_buffer_texture_copy_pitch && self.source.chance(50);
        let (pitch_step, offset_step) = if is_fine { (shape.bytes, shape.bytes) } else { (256, 512) };
        let row = (rows[0] * shape.bytes).next_multiple_of(pitch_step);
        let pitch_step = u32::try_from(pitch_step).ok()?;
        let row_pitch = u32::try_from(row).ok()? + pitch_step * self.source.below_u32(3);
        let count = u64::try_from(rows[1] * rows[2]).ok()?;
        let bytes = (count - 1) * u64::from(row_pitch) + u64::try_from(rows[0] * shape.bytes).ok()?;
        let room = width.checked_sub(bytes)?;
        let offset_step = u64::try_from(offset_step).ok()?;
        let offset = self.source.below(room / offset_step + 1) * offset_step;
        Some(PlacedFootprint {
            offset,
            format: shape.format,
            width: texels_x,
            height: texels_y,
            depth,
            row_pitch,
        })
    }

    fn copy_between_textures(&mut self, here: Location, shape: &Subresource) -> Option<Command> {
        let bytes = shape.bytes;
        let samples = shape.samples;
        let other = self.pick(|model, slot| {
            let shapes = model.subresources(slot);
            shapes.iter().any(|other| other.bytes == bytes && other.samples == samples)
        })?;
        let (index, from) = self.subresource(other)?;
        let fits = [0, 1, 2].map(|axis: usize| shape.extent[axis].min(from.extent[axis]));
        let size = if self.source.chance(30) { fits } else { self.size_within(fits) };
        let (to, begin) = (self.origin_within(shape.extent, size), self.origin_within(from.extent, size));
        let is_whole = size == from.extent && self.source.chance(60);
        let source_box = if is_whole { None } else { Some(texels_of(from.block, begin, size)) };
        let origin = in_texels(shape.block, to);
        Some(Command::CopyTexture {
            destination: here,
            origin,
            source: Location::Subresource(other, index),
            source_box,
        })
    }

    pub(super) fn copy_resource(&mut self) -> Option<Command> {
        let source = self.pick(|_, _| true)?;
        let from = *self.model.desc(source)?;
        let destination = self.pick(|model, slot| {
            slot != source
                && model.desc(slot).is_some_and(|desc| {
                    (desc.dimension, desc.width, desc.height) == (from.dimension, from.width, from.height)
                })
        })?;
        Some(Command::CopyResource { destination, source })
    }

    pub(super) fn copy_tiles(&mut self) -> Option<Command> {
        let tiled = self.pick(|model, slot| model.is_reserved(slot))?;
        let tile = u64::try_from(TILE).ok()?;
        let buffer = self.pick(|model, slot| {
            model.desc(slot).is_some_and(|desc| desc.is_buffer() && desc.width >= tile)
        })?;
        let width = self.model.desc(buffer)?.width;
        let (start, size) = self.region(tiled)?;
        let room = width / tile;
        let size = if u64::from(size.num_tiles) > room { TileRegionSize::tiles(1) } else { size };
        let left = width - u64::from(size.num_tiles) * tile;
        let offset = if self.source.chance(50) { 0 } else { self.source.below(left / 32 + 1) * 32 };
        let to_tiles = self.source.chance(60);
        Some(Command::CopyTiles { tiled, start, size, buffer, offset, to_tiles })
    }
}
