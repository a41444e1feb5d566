//! Copies of bytes, texels and tiles.

use heapstone::spec::caps::ProgrammableSamplePositionsTier;
use heapstone::spec::commands::Box3D;
use heapstone::spec::tiles::{TileRegionSize, TiledResourceCoordinate};
use heapstone::{Format, PlacedFootprint, ResourceFlags};
use heapstone_spec::FormatKind;

use super::{Judged, Op, Side, range_in};
use crate::model::access::index;
use crate::model::{Model, TILE, Verdict};
use crate::program::{Location, Slot};
use crate::shape::{Subresource, element_of};

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
    pub(super) fn copy_buffer(
        &self,
        (destination, to): (Slot, u64),
        (source, from): (Slot, u64),
        size: u64,
    ) -> Judged {
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
                let is_unrestricted = self.rules.caps.unrestricted_buffer_texture_copy_pitch;
                rows_grid(buffer.desc.width, footprint, is_unrestricted).ok_or(Verdict::Refused)
            }
        }
    }

    pub(super) fn copy_texture(
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
            return if to.samples == from.samples { Ok(vec![]) } else { Err(Verdict::Refused) };
        };
        let mut at = [0; 3];
        for axis in 0..3 {
            let step = to.block.get(axis).copied().unwrap_or(1);
            at[axis] = index(origin[axis] / step);
            if !origin[axis].is_multiple_of(step) || at[axis].saturating_add(size[axis]) > to.extent[axis] {
                return Err(Verdict::Refused);
            }
        }
        if to.samples != from.samples {
            return Err(Verdict::Refused);
        }
        // Without programmable sample positions some are copied whole.
        let is_partial = |grid: &Grid, location: &Location, at: [usize; 3]| {
            let texture = self.resources.get(&location.resource());
            let is_depth =
                texture.is_some_and(|it| it.desc.flags.contains(ResourceFlags::ALLOW_DEPTH_STENCIL));
            (is_depth || grid.samples > 1) && (at, size) != ([0; 3], grid.extent)
        };
        let tier = self.rules.caps.programmable_sample_positions_tier;
        if tier == ProgrammableSamplePositionsTier::NotSupported
            && (is_partial(&to, destination, at) || is_partial(&from, source, begin))
        {
            return Err(Verdict::Refused);
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

    pub(super) fn copy_resource(&self, destination: Slot, source: Slot) -> Judged {
        self.known(destination)?;
        self.known(source)?;
        let (to, from) = (self.destination(destination)?, self.source(source)?);
        let (one, two) = (&to.desc, &from.desc);
        let same_shape = one.dimension == two.dimension
            && (one.width, one.height) == (two.width, two.height)
            && (one.depth_or_array_size, one.mip_levels) == (two.depth_or_array_size, two.mip_levels)
            && one.sample_desc == two.sample_desc
            && one.sampler_feedback_mip_region == two.sampler_feedback_mip_region;
        // Blocks stay among themselves: they are no texels.
        let is_block = |format: Format| format.info().kind.contains(FormatKind::BLOCK_COMPRESSED);
        let same_texels = is_block(one.format) == is_block(two.format) && copies_as(one.format, two.format);
        if destination == source || !same_shape || !same_texels {
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

    pub(super) fn copy_tiles(
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
        let bytes = region.len() * TILE;
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
}

/// Of a footprint in a buffer of `width` bytes; `None` where D3D12 refuses it.
fn rows_grid(width: u64, footprint: &PlacedFootprint, is_unrestricted: bool) -> Option<Grid> {
    let (bytes, block) = element_of(footprint.format)?;
    let texels = [footprint.width, footprint.height, footprint.depth];
    if texels.contains(&0) || !texels[0].is_multiple_of(block[0]) || !texels[1].is_multiple_of(block[1]) {
        return None;
    }
    let extent = [texels[0] / block[0], texels[1] / block[1], texels[2]].map(index);
    let row = u64::try_from(extent[0] * bytes).ok()?;
    let pitch = u64::from(footprint.row_pitch);
    let unit = if is_unrestricted { u64::try_from(bytes).ok()? } else { 0 };
    let is_aligned = |at: u64, to: u64| at.is_multiple_of(to) || (unit > 0 && at.is_multiple_of(unit));
    if !is_aligned(footprint.offset, 512) || !is_aligned(pitch, 256) || pitch < row {
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
