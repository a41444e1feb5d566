//! CopyTiles: between tiles of a reserved resource and 64 KiB for each in a buffer.
//!
//! ```text
//!   buffer   [tile 0: 64 KiB, rows of a whole tile][tile 1][tile 2]...
//!                |  swizzled
//!   resource tile (x, y, z) of a mip, or bytes of a buffer or of packed mips as they are
//! ```

use heapstone_driver::dma::{Address, Command, Image};
use heapstone_spec::Violation;
use heapstone_spec::commands::{CommandListType, TileCopyFlags};
use heapstone_spec::limits;
use heapstone_spec::rules::tile as rules;
use heapstone_spec::tiles::{TileRegionSize, TiledResourceCoordinate};
use heapstone_units::ByteRange;

use super::copy_buffer::{address_in, check_buffer, check_destination_heap, check_source_heap, range_in};
use super::grid::surface_of;
use super::list::CommandList;
use super::observed::ListCommand;
use super::recorder::Recorder;
use crate::error::Error;
use crate::resource::Resource;
use crate::tiles::{Region, TileGrid, TilePlace, as_message, tiles_of};

const CALL: &str = "CopyTiles";

/// The multiple that buffer offsets are (facts/behaviour.md, Copies and footprints).
const OFFSET_ALIGNMENT: u64 = 32;

impl CommandList {
    /// ID3D12GraphicsCommandList::CopyTiles: tiles of a region of the reserved resource, in the order of x, y, z,
    /// to or from consecutive 64 KiB of the buffer. In the buffer a tile is rows of a whole tile, one slice
    /// after the other, the samples of a texel beside each other; where the mip ends within a tile, bytes
    /// beyond it are left alone.
    ///
    /// Tiles of packed mips are copied byte by byte as the driver laid them out (chosen: D3D12 leaves them
    /// undefined; so they can be saved and brought back).
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `tile.*`, `copy.destination.heap`, `copy.source.heap`,
    /// `copy.texture.opaque`, `list.*`.
    pub fn copy_tiles(
        &mut self,
        tiled_resource: &Resource,
        start: &TiledResourceCoordinate,
        size: &TileRegionSize,
        buffer: &Resource,
        buffer_start_offset: u64,
        flags: TileCopyFlags,
    ) -> Result<(), Error> {
        let result = self
            .record_copy_tiles(tiled_resource, start, size, buffer, buffer_start_offset, flags)
            .map_err(|violation| as_message(violation, None));
        self.ended(result, || ListCommand::CopyTiles {
            tiled_resource: tiled_resource.id(),
            start: *start,
            size: *size,
            buffer: buffer.id(),
            buffer_start_offset,
            flags,
        })
    }

    fn record_copy_tiles(
        &mut self,
        resource: &Resource,
        start: &TiledResourceCoordinate,
        size: &TileRegionSize,
        buffer: &Resource,
        offset: u64,
        flags: TileCopyFlags,
    ) -> Result<(), Box<Violation>> {
        self.recorder(CALL, CommandListType::ALL)?;
        self.check_device("pBuffer", buffer)?;
        let grid = tiles_of(&self.device, "pTiledResource", resource)?;
        let to_tiles = direction(flags)?;
        check_buffer(&rules::COPY_BUFFER, "pBuffer", buffer)?;
        if to_tiles {
            check_source_heap("pBuffer", buffer)?;
        } else {
            check_destination_heap("pBuffer", buffer)?;
        }
        if !offset.is_multiple_of(OFFSET_ALIGNMENT) {
            return Err(rules::COPY_OFFSET.violated(
                "BufferStartOffsetInBytes",
                offset,
                format_args!("a multiple of {OFFSET_ALIGNMENT}"),
            ));
        }
        let region = grid.region(start, size)?;
        let bytes = u64::from(region.count()) * limits::TILE_SIZE;
        let field = "BufferStartOffsetInBytes, D3D12_TILE_REGION_SIZE.NumTiles";
        let range = range_in(&rules::COPY_RANGE, field, buffer, offset, bytes)?;
        if resource == buffer {
            check_overlap(&region, range)?;
        }
        if bytes == 0 {
            return Ok(());
        }
        let copy = TileCopy { resource, grid, buffer, offset, to_tiles };
        if resource.inner.desc.is_buffer() {
            copy.record_bytes(self.recorder(CALL, CommandListType::ALL)?, &region)
        } else {
            // Before anything is recorded: the driver tells how the mips lie.
            surface_of("pTiledResource", "Subresource", resource, start.subresource)?;
            copy.record_texels(self.recorder(CALL, CommandListType::ALL)?, &region)
        }
    }
}

/// Whether the buffer is read.
fn direction(flags: TileCopyFlags) -> Result<bool, Box<Violation>> {
    let to_tiles = TileCopyFlags::LINEAR_BUFFER_TO_SWIZZLED_TILED_RESOURCE;
    let to_buffer = TileCopyFlags::SWIZZLED_TILED_RESOURCE_TO_LINEAR_BUFFER;
    match flags.difference(TileCopyFlags::NO_HAZARD) {
        flags if flags == to_tiles => Ok(true),
        flags if flags == to_buffer => Ok(false),
        _ => Err(rules::COPY_DIRECTION.violated(
            "Flags",
            flags,
            format_args!("one of {to_tiles} and {to_buffer}, and NO_HAZARD"),
        )),
    }
}

/// Of a copy within one reserved buffer.
fn check_overlap(region: &Region, range: ByteRange) -> Result<(), Box<Violation>> {
    let (begin, end) = region.bounds();
    let tiles = ByteRange::new(u64::from(begin) * limits::TILE_SIZE, u64::from(end) * limits::TILE_SIZE);
    if !tiles.overlaps(range) {
        return Ok(());
    }
    Err(rules::COPY_OVERLAP.violated(
        "BufferStartOffsetInBytes",
        format_args!("bytes {range}, and tiles at bytes {tiles} of the same buffer"),
        "ranges that do not overlap",
    ))
}

/// A copy whose rules are checked.
struct TileCopy<'a> {
    resource: &'a Resource,
    grid: &'a TileGrid,
    buffer: &'a Resource,
    /// Of the next tile in the buffer.
    offset: u64,
    to_tiles: bool,
}

impl TileCopy<'_> {
    /// Of a buffer: its tiles are its bytes.
    fn record_bytes(mut self, recorder: &mut Recorder, region: &Region) -> Result<(), Box<Violation>> {
        recorder.begin_call(region.rows().count())?;
        for (tile, count) in region.rows() {
            self.push_bytes(recorder, tile, count);
        }
        Ok(())
    }

    /// Of a texture: tile by tile, packed ones together where they follow each other.
    fn record_texels(mut self, recorder: &mut Recorder, region: &Region) -> Result<(), Box<Violation>> {
        recorder.begin_call(usize::try_from(region.count()).unwrap_or(usize::MAX))?;
        let mut tiles = region.tiles().peekable();
        while let Some(tile) = tiles.next() {
            match self.grid.place(tile) {
                TilePlace::Standard { subresource, position } => {
                    self.push_box(recorder, subresource, position);
                }
                TilePlace::Packed => {
                    let mut count = 1;
                    let is_packed = |next: &u32| self.grid.place(*next) == TilePlace::Packed;
                    while tiles.next_if(|next| *next == tile + count && is_packed(next)).is_some() {
                        count += 1;
                    }
                    self.push_bytes(recorder, tile, count);
                }
            }
        }
        Ok(())
    }

    fn push_bytes(&mut self, recorder: &mut Recorder, tile: u32, count: u32) {
        let size = u64::from(count) * limits::TILE_SIZE;
        let tiles = Address {
            allocation: recorder.allocation(self.resource),
            at: address_in(self.resource, u64::from(tile) * limits::TILE_SIZE),
        };
        let bytes = Address {
            allocation: recorder.allocation(self.buffer),
            at: address_in(self.buffer, self.offset),
        };
        let (destination, source) = if self.to_tiles { (tiles, bytes) } else { (bytes, tiles) };
        recorder.push(&Command::CopyBuffer { destination, source, size });
        self.offset += size;
    }

    fn push_box(&mut self, recorder: &mut Recorder, subresource: u32, position: [u32; 3]) {
        let surfaces = self.resource.inner.surfaces();
        let index = usize::try_from(subresource).ok();
        let surface = surfaces.zip(index).and_then(|(surfaces, index)| surfaces.get(index));
        let surface = surface.expect("invariant: the driver tells all subresources, or none");
        let shape = self.grid.shape();
        let tile = [
            shape.width_in_texels >> surface.element_width_log2,
            shape.height_in_texels >> surface.element_height_log2,
            shape.depth_in_texels,
        ];
        let width = u32::try_from(surface.elements.width).expect("invariant: a texture's width fits 32 bits");
        let elements = [width, surface.elements.height, surface.elements.depth];
        let axes = [0, 1, 2];
        let origin = axes.map(|axis: usize| position[axis] * tile[axis]);
        let size = axes.map(|axis: usize| tile[axis].min(elements[axis] - origin[axis]));
        // At most 64 KiB, as the tile.
        let row_pitch = tile[0] << (surface.element_bytes_log2 + surface.samples_log2);
        let texels = Image::Surface {
            allocation: recorder.surface_allocation(self.resource),
            subresource,
            base: self.resource.inner.gpu_virtual_address,
        };
        let rows = Image::Pitched {
            address: Address {
                allocation: recorder.allocation(self.buffer),
                at: address_in(self.buffer, self.offset),
            },
            row_pitch,
            slice_pitch: u64::from(row_pitch) * u64::from(tile[1]),
        };
        let (destination, destination_origin, source, source_origin) =
            if self.to_tiles { (texels, origin, rows, [0; 3]) } else { (rows, [0; 3], texels, origin) };
        recorder.push(&Command::CopyRegion {
            destination,
            destination_origin,
            source,
            source_origin,
            size,
            element_bytes_log2: surface.element_bytes_log2,
            samples_log2: surface.samples_log2,
            mask: u32::MAX,
        });
        self.offset += limits::TILE_SIZE;
    }
}
