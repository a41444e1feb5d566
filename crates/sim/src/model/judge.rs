//! Which commands are legal, and what they do, in the model's terms: the rules of Microsoft's documentation of each
//! call and of facts/behaviour.md (Copies and footprints), written down once more.

use core::ops::Range;

use heapstone::spec::commands::{Box3D, CommandListType, PredicationOp, Rect, ResolveMode};
use heapstone::spec::tiles::{TileRegionSize, TiledResourceCoordinate};
use heapstone::{Format, HeapType, PlacedFootprint, ResourceDimension, ResourceFlags};

use super::access::{Elements, Physical, index};
use super::resource::Resource;
use super::{Model, Verdict};
use crate::program::{Command, Location, Resolve, Slot};
use crate::shape::{Subresource, element_of};

/// What a command does.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    CopyBytes {
        to: (Slot, usize),
        from: (Slot, usize),
        size: usize,
    },
    CopyTexels {
        to: Side,
        from: Side,
        size: [usize; 3],
        element: usize,
        low_24_bits: bool,
    },
    Fill {
        to: Side,
        size: [usize; 3],
        value: Vec<u8>,
        repeats: usize,
    },
    FillBytes {
        to: (Slot, usize),
        size: usize,
        value: Vec<u8>,
    },
    Resolve {
        to: Side,
        from: Side,
        size: [usize; 3],
        samples: usize,
        bytes: usize,
        by: (Format, ResolveMode),
    },
    WriteBytes {
        to: (Slot, usize),
        bytes: Vec<u8>,
    },
    /// Of all of a resource.
    Forget(Slot),
    /// Of a tile that a reserved resource shows.
    ForgetTile(Slot, usize),
    /// Of bytes that are written with what is not known, read from `reads`.
    ForgetBytes {
        to: (Slot, usize),
        size: usize,
        reads: Slot,
    },
    SetPredicate(Option<((Slot, usize), PredicationOp)>),
}

/// A side of a copy of elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Side {
    /// Of a texture: subresource and first element.
    Texels { slot: Slot, subresource: u32, origin: [usize; 3] },
    /// Rows in a buffer: byte of the first element, and bytes to the next row and slice.
    Rows { slot: Slot, begin: usize, row: usize, slice: usize },
}

impl Side {
    pub(crate) const fn slot(&self) -> Slot {
        match self {
            Side::Texels { slot, .. } | Side::Rows { slot, .. } => *slot,
        }
    }
}

pub(super) type Judged<T = Vec<Op>> = Result<T, Verdict>;

/// What a side of CopyTextureRegion is.
struct Grid {
    extent: [usize; 3],
    bytes: usize,
    block: [u32; 2],
    samples: usize,
    format: Format,
    is_d24: bool,
}

/// Origin and size in elements of a box in texels of whole elements. `None`: D3D12 refuses it. `Some(None)`: it has
/// no texels.
#[expect(clippy::option_option, reason = "refused, empty and something are three answers")]
pub(crate) fn box_of(
    shape: &Subresource,
    texels: Option<&Box3D>,
) -> Option<Option<([usize; 3], [usize; 3])>> {
    box_in(shape.extent, shape.block, texels)
}

#[expect(clippy::option_option, reason = "refused, empty and something are three answers")]
fn box_in(
    extent: [usize; 3],
    block: [u32; 2],
    texels: Option<&Box3D>,
) -> Option<Option<([usize; 3], [usize; 3])>> {
    let Some(texels) = texels else { return Some(Some(([0; 3], extent))) };
    let (begin, end) = ([texels.left, texels.top, texels.front], [texels.right, texels.bottom, texels.back]);
    if (0..3).any(|axis| end[axis] <= begin[axis]) {
        return Some(None);
    }
    let (mut origin, mut size) = ([0; 3], [0; 3]);
    for axis in 0..3 {
        let step = block.get(axis).copied().unwrap_or(1);
        if begin[axis] % step != 0 || end[axis] % step != 0 || index(end[axis] / step) > extent[axis] {
            return None;
        }
        origin[axis] = index(begin[axis] / step);
        size[axis] = index(end[axis] / step) - origin[axis];
    }
    Some(Some((origin, size)))
}

/// Whether elements are copied bit by bit from one format to the other (Microsoft's public documentation, Format
/// conversion using Direct3D 10.1).
fn copies_as(one: Format, other: Format) -> bool {
    use Format as F;
    let integer = |integer: Format, other: Format| {
        let family = other.info().family;
        match integer {
            F::R32_UINT | F::R32_SINT => family == F::R9G9B9E5_SHAREDEXP,
            F::R16G16B16A16_UINT | F::R16G16B16A16_SINT | F::R32G32_UINT | F::R32G32_SINT => {
                family == F::BC1_TYPELESS || family == F::BC4_TYPELESS
            }
            F::R32G32B32A32_UINT | F::R32G32B32A32_SINT => {
                [F::BC2_TYPELESS, F::BC3_TYPELESS, F::BC5_TYPELESS, F::BC6H_TYPELESS, F::BC7_TYPELESS]
                    .contains(&family)
            }
            _ => false,
        }
    };
    one.info().family == other.info().family || integer(one, other) || integer(other, one)
}

impl Model {
    /// What the command does in a list of that type.
    pub(crate) fn judge(&self, list_type: CommandListType, command: &Command) -> Judged {
        let on = |types: &[CommandListType]| {
            if types.contains(&list_type) { Ok(()) } else { Err(Verdict::Refused) }
        };
        use CommandListType::{Compute, Direct};
        match command {
            Command::CopyBuffer { destination, destination_offset, source, source_offset, size } => {
                self.copy_buffer((*destination, *destination_offset), (*source, *source_offset), *size)
            }
            Command::CopyTexture { destination, origin, source, source_box } => {
                self.copy_texture(destination, *origin, source, source_box.as_ref())
            }
            Command::CopyResource { destination, source } => self.copy_resource(*destination, *source),
            Command::CopyTiles { tiled, start, size, buffer, offset, to_tiles } => {
                self.copy_tiles(*tiled, start, size, (*buffer, *offset), *to_tiles)
            }
            Command::ClearRenderTarget { resource, view, color, rects } => {
                self.known(*resource)?;
                on(&[Direct])?;
                self.clear_render_target(*resource, view, *color, rects)
            }
            Command::ClearDepthStencil { resource, view, flags, depth, stencil, rects } => {
                self.known(*resource)?;
                on(&[Direct])?;
                let planes = (
                    flags.contains(heapstone::spec::commands::ClearFlags::DEPTH).then_some(*depth),
                    flags.contains(heapstone::spec::commands::ClearFlags::STENCIL).then_some(*stencil),
                );
                self.clear_depth_stencil(*resource, view, planes, rects)
            }
            Command::ClearUnordered { resource, view, values, rects } => {
                self.known(*resource)?;
                on(&[Direct, Compute])?;
                self.clear_unordered(*resource, view, values, rects)
            }
            Command::Resolve(resolve) => {
                self.known(resolve.destination)?;
                self.known(resolve.source)?;
                on(&[Direct])?;
                self.resolve(resolve)
            }
            Command::WriteImmediate { resource, writes } => self.write_immediate(*resource, writes),
            Command::SetPredication { buffer, op } => {
                on(&[Direct, Compute])?;
                self.set_predication(*buffer, *op)
            }
            Command::Discard { resource } => {
                let flags = self.known(*resource)?.desc.flags;
                on(&[Direct, Compute])?;
                let mut needed = ResourceFlags::ALLOW_UNORDERED_ACCESS;
                if list_type == Direct {
                    needed |= ResourceFlags::ALLOW_RENDER_TARGET | ResourceFlags::ALLOW_DEPTH_STENCIL;
                }
                if flags.intersects(needed) { Ok(vec![Op::Forget(*resource)]) } else { Err(Verdict::Refused) }
            }
            Command::Transition { resource } => match self.known(*resource)?.heap_type() {
                Some(HeapType::Upload | HeapType::Readback) => Err(Verdict::Refused),
                _ => Ok(vec![]),
            },
            Command::AliasingBarrier | Command::UavBarrier => Ok(vec![]),
        }
    }

    pub(super) fn known(&self, slot: Slot) -> Judged<&Resource> {
        self.resources.get(&slot).ok_or(Verdict::Skip)
    }

    /// What a GPU writes lies on no UPLOAD heap.
    fn destination(&self, slot: Slot) -> Judged<&Resource> {
        let resource = self.known(slot)?;
        if resource.heap_type() == Some(HeapType::Upload) { Err(Verdict::Refused) } else { Ok(resource) }
    }

    /// What a GPU reads lies on no READBACK heap.
    fn source(&self, slot: Slot) -> Judged<&Resource> {
        let resource = self.known(slot)?;
        if resource.heap_type() == Some(HeapType::Readback) { Err(Verdict::Refused) } else { Ok(resource) }
    }

    fn copy_buffer(&self, (destination, to): (Slot, u64), (source, from): (Slot, u64), size: u64) -> Judged {
        self.known(destination)?;
        self.known(source)?;
        let to = range_in(self.destination(destination)?, to, size)?;
        let from = range_in(self.source(source)?, from, size)?;
        let overlaps = destination == source && to.start < from.end && from.start < to.end;
        if overlaps {
            return Err(Verdict::Refused);
        }
        let size = to.len();
        Ok(vec![Op::CopyBytes { to: (destination, to.start), from: (source, from.start), size }])
    }

    fn grid(&self, location: &Location) -> Judged<Grid> {
        match location {
            Location::Subresource(slot, subresource) => {
                let texture = self.known(*slot)?;
                let shape = texture.subresource(*subresource).ok_or(Verdict::Refused)?;
                Ok(Grid {
                    extent: shape.extent,
                    bytes: shape.bytes,
                    block: shape.block,
                    samples: shape.samples,
                    format: shape.format,
                    is_d24: shape.is_d24,
                })
            }
            Location::Rows(slot, footprint) => {
                let buffer = self.known(*slot)?;
                if !buffer.desc.is_buffer() {
                    return Err(Verdict::Refused);
                }
                rows_grid(buffer.desc.width, footprint).ok_or(Verdict::Refused)
            }
        }
    }

    fn copy_texture(
        &self,
        destination: &Location,
        origin: [u32; 3],
        source: &Location,
        source_box: Option<&Box3D>,
    ) -> Judged {
        self.known(destination.resource())?;
        self.known(source.resource())?;
        self.destination(destination.resource())?;
        self.source(source.resource())?;
        let (to, from) = (self.grid(destination)?, self.grid(source)?);
        if to.bytes != from.bytes || !copies_as(to.format, from.format) {
            return Err(Verdict::Refused);
        }
        let Some((begin, size)) = box_in(from.extent, from.block, source_box).ok_or(Verdict::Refused)? else {
            // Nothing is copied; of several samples the model does not say whether that is legal.
            return if to.samples * from.samples == 1 { Ok(vec![]) } else { Err(Verdict::Skip) };
        };
        let mut at = [0; 3];
        for axis in 0..3 {
            let step = to.block.get(axis).copied().unwrap_or(1);
            at[axis] = index(origin[axis] / step);
            if !origin[axis].is_multiple_of(step) || at[axis].saturating_add(size[axis]) > to.extent[axis] {
                return Err(Verdict::Refused);
            }
        }
        if to.samples * from.samples > 1 {
            let is_whole = size == from.extent && size == to.extent && to.samples == from.samples;
            if !is_whole {
                return Err(Verdict::Refused);
            }
        }
        let element = from.bytes * from.samples;
        let (to_side, from_side) = (side(destination, at, &to, element), side(source, begin, &from, element));
        let is_same = |one: &Location, two: &Location| match (one, two) {
            (Location::Subresource(slot, one), Location::Subresource(of, two)) => slot == of && one == two,
            (Location::Rows(slot, one), Location::Rows(of, two)) => {
                slot == of
                    && one.offset == two.offset
                    && one.row_pitch == two.row_pitch
                    && (one.height / to.block[1], to.bytes) == (two.height / from.block[1], from.bytes)
            }
            _ => false,
        };
        let overlaps = (0..3).all(|axis| at[axis].abs_diff(begin[axis]) < size[axis]);
        if is_same(destination, source) && overlaps {
            return Err(Verdict::Refused);
        }
        let low_24_bits = to.is_d24 != from.is_d24;
        Ok(vec![Op::CopyTexels { to: to_side, from: from_side, size, element, low_24_bits }])
    }

    fn copy_resource(&self, destination: Slot, source: Slot) -> Judged {
        self.known(destination)?;
        self.known(source)?;
        let (to, from) = (self.destination(destination)?, self.source(source)?);
        let (one, two) = (&to.desc, &from.desc);
        let same_shape = one.dimension == two.dimension
            && (one.width, one.height) == (two.width, two.height)
            && (one.depth_or_array_size, one.mip_levels) == (two.depth_or_array_size, two.mip_levels)
            && one.sample_desc == two.sample_desc;
        if destination == source || !same_shape || one.format.info().family != two.format.info().family {
            return Err(Verdict::Refused);
        }
        if one.is_buffer() {
            let size = usize::try_from(one.width).map_err(|_| Verdict::Skip)?;
            return Ok(vec![Op::CopyBytes { to: (destination, 0), from: (source, 0), size }]);
        }
        let copy = |(subresource, shape): (u32, &Subresource)| Op::CopyTexels {
            to: Side::Texels { slot: destination, subresource, origin: [0; 3] },
            from: Side::Texels { slot: source, subresource, origin: [0; 3] },
            size: shape.extent,
            element: shape.element(),
            low_24_bits: false,
        };
        Ok((0..).zip(&from.subresources).map(copy).collect())
    }

    fn copy_tiles(
        &self,
        tiled: Slot,
        start: &TiledResourceCoordinate,
        size: &TileRegionSize,
        (buffer, offset): (Slot, u64),
        to_tiles: bool,
    ) -> Judged {
        self.known(tiled)?;
        self.known(buffer)?;
        let rows = if to_tiles { self.source(buffer)? } else { self.destination(buffer)? };
        let tiles = self.known(tiled)?.tiles.as_ref().ok_or(Verdict::Refused)?;
        let region = tiles.region(start, size).ok_or(Verdict::Refused)?;
        let bytes = region.len() * super::TILE;
        let range = range_in(rows, offset, u64::try_from(bytes).map_err(|_| Verdict::Skip)?)?;
        if !offset.is_multiple_of(32) {
            return Err(Verdict::Refused);
        }
        if tiled == buffer {
            // Legal where nothing overlaps; which is for others to test.
            return Err(Verdict::Skip);
        }
        Ok(self.tile_ops(tiled, &region, (buffer, range.start), to_tiles))
    }

    fn resolve(&self, resolve: &Resolve) -> Judged {
        let (to, from) = (self.known(resolve.destination)?, self.known(resolve.source)?);
        let two_d = ResourceDimension::Texture2D;
        if to.desc.dimension != two_d || from.desc.dimension != two_d {
            return Err(Verdict::Refused);
        }
        let to_shape = to.subresource(resolve.destination_subresource).ok_or(Verdict::Refused)?;
        let from_shape = from.subresource(resolve.source_subresource).ok_or(Verdict::Refused)?;
        let is_decompress = resolve.mode == ResolveMode::Decompress;
        let expected = if is_decompress { from_shape.samples } else { 1 };
        if from_shape.samples < 2 || to_shape.samples != expected {
            return Err(Verdict::Refused);
        }
        // Which formats resolve is the texel crate's to know; the generator gives those that do.
        let same = [to, from].iter().all(|texture| texture.desc.format.info().same_family(resolve.format));
        if !same || resolve.destination == resolve.source {
            return Err(Verdict::Skip);
        }
        let [width, height, _] = from_shape.extent;
        let (begin, size) = match resolve.rect {
            None => ([0, 0], [width, height]),
            Some(Rect { left, top, right, bottom }) if left < right && top < bottom => {
                let edge = |at: i32| usize::try_from(at).map_err(|_| Verdict::Refused);
                let (left, top, right, bottom) = (edge(left)?, edge(top)?, edge(right)?, edge(bottom)?);
                if right > width || bottom > height {
                    return Err(Verdict::Refused);
                }
                ([left, top], [right - left, bottom - top])
            }
            Some(_) => return Err(Verdict::Skip),
        };
        let at = resolve.origin.map(index);
        if (0..2).any(|axis| at[axis] + size[axis] > to_shape.extent[axis]) {
            return Err(Verdict::Refused);
        }
        let to = Side::Texels {
            slot: resolve.destination,
            subresource: resolve.destination_subresource,
            origin: [at[0], at[1], 0],
        };
        let from = Side::Texels {
            slot: resolve.source,
            subresource: resolve.source_subresource,
            origin: [begin[0], begin[1], 0],
        };
        let size = [size[0], size[1], 1];
        if is_decompress {
            let element = from_shape.element();
            return Ok(vec![Op::CopyTexels { to, from, size, element, low_24_bits: false }]);
        }
        let format = match (from_shape.format, resolve.format.info().plane_count) {
            (Format::R8_TYPELESS, 2) => Format::R8_UINT,
            (_, 2) if from_shape.is_d24 => Format::D24_UNORM_S8_UINT,
            (_, 2) => Format::D32_FLOAT_S8X24_UINT,
            _ => resolve.format,
        };
        let (samples, bytes) = (from_shape.samples, from_shape.bytes);
        Ok(vec![Op::Resolve { to, from, size, samples, bytes, by: (format, resolve.mode) }])
    }

    fn write_immediate(&self, slot: Slot, writes: &[(u64, u32)]) -> Judged {
        let buffer = self.known(slot)?;
        if !buffer.desc.is_buffer() {
            return Err(Verdict::Skip);
        }
        let write = |(offset, value): &(u64, u32)| {
            // Behind a placed buffer others may lie: not refused, and not for the model to follow.
            let range = range_in(buffer, *offset, 4).map_err(|_| Verdict::Skip)?;
            if !offset.is_multiple_of(4) || buffer.heap_type() == Some(HeapType::Upload) {
                return Err(Verdict::Refused);
            }
            Ok(Op::WriteBytes { to: (slot, range.start), bytes: value.to_le_bytes().to_vec() })
        };
        let judged: Vec<Judged<Op>> = writes.iter().map(write).collect();
        // What is skipped goes before what is refused.
        if judged.iter().any(|judged| matches!(judged, Err(Verdict::Skip))) {
            return Err(Verdict::Skip);
        }
        judged.into_iter().collect()
    }

    fn set_predication(&self, buffer: Option<(Slot, u64)>, op: PredicationOp) -> Judged {
        let Some((slot, offset)) = buffer else { return Ok(vec![Op::SetPredicate(None)]) };
        self.known(slot)?;
        let range = range_in(self.source(slot)?, offset, 8)?;
        if !offset.is_multiple_of(8) {
            return Err(Verdict::Refused);
        }
        Ok(vec![Op::SetPredicate(Some(((slot, range.start), op)))])
    }

    /// Where a side's elements lie.
    pub(super) fn physical(&self, side: &Side, size: [usize; 3], element: usize) -> Vec<Physical> {
        match *side {
            Side::Texels { slot, subresource, origin } => {
                self.physical_texels(slot, &Elements { subresource, origin, size })
            }
            Side::Rows { slot, begin, row, slice } => {
                let row_at = |z: usize, y: usize| begin + z * slice + y * row;
                let rows = (0..size[2]).flat_map(|z| (0..size[1]).map(move |y| row_at(z, y)));
                rows.flat_map(|at| self.physical_bytes(slot, at..at + size[0] * element)).collect()
            }
        }
    }
}

/// `size` bytes at `offset`, which the buffer has.
fn range_in(buffer: &Resource, offset: u64, size: u64) -> Judged<Range<usize>> {
    let end = offset.checked_add(size).filter(|end| buffer.desc.is_buffer() && *end <= buffer.desc.width);
    let end = end.ok_or(Verdict::Refused)?;
    let bytes = |number: u64| usize::try_from(number).map_err(|_| Verdict::Skip);
    Ok(bytes(offset)?..bytes(end)?)
}

/// Of a footprint in a buffer of `width` bytes; `None` where D3D12 refuses it.
fn rows_grid(width: u64, footprint: &PlacedFootprint) -> Option<Grid> {
    let (bytes, block) = element_of(footprint.format)?;
    let texels = [footprint.width, footprint.height, footprint.depth];
    if texels.contains(&0) || !texels[0].is_multiple_of(block[0]) || !texels[1].is_multiple_of(block[1]) {
        return None;
    }
    let extent = [texels[0] / block[0], texels[1] / block[1], texels[2]].map(index);
    let row = u64::try_from(extent[0] * bytes).ok()?;
    let pitch = u64::from(footprint.row_pitch);
    if !footprint.offset.is_multiple_of(512) || !pitch.is_multiple_of(256) || pitch < row {
        return None;
    }
    let rows = u64::try_from(extent[1] * extent[2]).ok()?;
    let end = footprint.offset.checked_add((rows - 1).checked_mul(pitch)?)?.checked_add(row)?;
    (end <= width).then_some(Grid {
        extent,
        bytes,
        block,
        samples: 1,
        format: footprint.format,
        is_d24: false,
    })
}

fn side(location: &Location, origin: [usize; 3], grid: &Grid, element: usize) -> Side {
    match *location {
        Location::Subresource(slot, subresource) => Side::Texels { slot, subresource, origin },
        Location::Rows(slot, footprint) => {
            let row = index(footprint.row_pitch);
            let slice = row * grid.extent[1];
            let offset = usize::try_from(footprint.offset).expect("invariant: it lies in a small buffer");
            let begin = offset + origin[2] * slice + origin[1] * row + origin[0] * element;
            Side::Rows { slot, begin, row, slice }
        }
    }
}
