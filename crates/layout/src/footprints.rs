//! GetCopyableFootprints: subresources as rows in a buffer.

use heapstone_spec::rules::description as rule;
use heapstone_spec::{Format, ResourceDesc, Violation, limits};
use heapstone_units::{Alignment, Extent, Texels};

use crate::planes::Plane;
use crate::rules::{LayoutRules, Purpose};
use crate::subresource;
use crate::surface::Geometry;
use crate::validate;

/// D3D12_PLACED_SUBRESOURCE_FOOTPRINT (spec/2-resource-heaps.txt 254-270).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlacedFootprint {
    /// Of the first row in the buffer: the base offset and what precedes, in 64 bits that wrap
    /// (facts/behaviour.md, Copies and footprints).
    pub offset: u64,
    /// Of the plane.
    pub format: Format,
    /// Texels of the plane, rounded up to whole elements.
    pub width: u32,
    /// Texels of the plane, rounded up to whole elements.
    pub height: u32,
    /// Texels.
    pub depth: u32,
    /// Bytes from a row to the next: a multiple of 256, or of 512 of formats of several planes.
    pub row_pitch: u32,
}

impl PlacedFootprint {
    /// All zeros, to begin an output with.
    pub const EMPTY: PlacedFootprint =
        PlacedFootprint { offset: 0, format: Format::UNKNOWN, width: 0, height: 0, depth: 0, row_pitch: 0 };
}

/// Where GetCopyableFootprints writes; each output is optional. They are written last and only on
/// success, so that an output that is a copy of the description's fields does no harm.
#[derive(Debug, Default)]
pub struct FootprintOutputs<'a> {
    /// One for each subresource.
    pub layouts: Option<&'a mut [PlacedFootprint]>,
    /// Rows of elements of one depth slice.
    pub row_counts: Option<&'a mut [u32]>,
    /// Bytes of a row, without padding.
    pub row_sizes: Option<&'a mut [u64]>,
}

const PITCH: Alignment = Alignment::constant(limits::TEXTURE_DATA_PITCH_ALIGNMENT as u64);
/// Of formats of several planes (facts/layout.md, GetCopyableFootprints).
const WIDE_PITCH: Alignment = Alignment::constant(2 * limits::TEXTURE_DATA_PITCH_ALIGNMENT as u64);
const PLACEMENT: Alignment = Alignment::constant(limits::TEXTURE_DATA_PLACEMENT_ALIGNMENT);

/// GetCopyableFootprints (facts/layout.md, GetCopyableFootprints): how `count` subresources from
/// `first_subresource` lie in a buffer from `base_offset`. Answers the bytes from the first
/// subresource to the end of the last, whose last row is not padded; the base offset is neither
/// aligned nor part of it. A multisampled description gets the footprints of one sample
/// (facts/behaviour.md).
///
/// # Errors
/// A description that is not legal, subresources it does not have, a buffer wider than 32 bits, an
/// output that is too short. Nothing is written then.
pub fn copyable_footprints(
    rules: &LayoutRules,
    desc: &ResourceDesc,
    first_subresource: u32,
    count: u32,
    base_offset: u64,
    out: FootprintOutputs<'_>,
) -> Result<u64, Box<Violation>> {
    let legal = validate::validate(rules, desc, Purpose::Query)?;
    let subresources = subresource::subresource_count(&legal);
    let end = u64::from(first_subresource) + u64::from(count);
    if u64::from(first_subresource) >= subresources || end > subresources {
        return Err(range_violation(first_subresource, count, subresources));
    }
    let room = usize::try_from(count).unwrap_or(usize::MAX);
    let mut out = out;
    check_room(&out, room)?;

    if legal.is_buffer() {
        return buffer_footprint(&legal, base_offset, &mut out, count);
    }

    let geometry = Geometry::new(&legal);
    let mut writer = Writer { out, at: 0 };
    let mut total = 0_u64;
    let mut walk = Walk::new(&geometry, first_subresource);
    for _ in 0..count {
        let Some(row) = walk.next() else {
            return Err(range_violation(first_subresource, count, subresources));
        };
        // A legal texture has at most 16384 x 16384 x 2048 elements of 16 bytes: 64 bits hold any sum of
        // its 30720 subresources many times over.
        total = (total + (PLACEMENT.bytes() - 1)) & !(PLACEMENT.bytes() - 1);
        writer.write(&row, base_offset.wrapping_add(total));
        total += row.bytes();
    }
    Ok(total)
}

/// One subresource as rows.
#[derive(Clone, Copy)]
struct Rows {
    format: Format,
    width: u32,
    height: u32,
    depth: u32,
    row_size: u64,
    min_pitch: u64,
    row_pitch: u64,
    rows: u32,
}

impl Rows {
    /// The last row is not padded.
    #[inline]
    fn bytes(&self) -> u64 {
        (u64::from(self.rows) * u64::from(self.depth) - 1) * self.row_pitch + self.min_pitch
    }

    /// Of a mip of a plane of a legal texture, whose extents have 32 bits.
    #[inline]
    fn new(geometry: &Geometry, plane: &Plane, texels: Extent<Texels>) -> Rows {
        // NV11: its chroma is reported at a quarter of the width, but pitched for half of it
        // (facts/layout.md, Planes).
        let pitch_width =
            if plane.width_shift == 2 { texels.width.div_ceil(2) } else { texels.width >> plane.width_shift };
        let width = texels.width >> plane.width_shift;
        let height = texels.height >> plane.height_shift;
        let bytes_of = |texels: u64| {
            ((texels >> plane.element_width_log2) * u64::from(plane.repeat)) << plane.bytes_log2
        };
        let min_pitch = bytes_of(pitch_width);
        let pitch = if geometry.planes.wide_pitch { WIDE_PITCH } else { PITCH };
        Rows {
            format: plane.footprint_format,
            width: narrow(width),
            height,
            depth: texels.depth,
            row_size: bytes_of(width),
            min_pitch,
            row_pitch: (min_pitch + (pitch.bytes() - 1)) & !(pitch.bytes() - 1),
            rows: height >> plane.element_height_log2,
        }
    }
}

/// Extents and pitches of a legal texture have 32 bits: 16384 texels of 16 bytes.
#[inline]
fn narrow(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// The subresources from one on, in order, without a division for each.
struct Walk<'a> {
    geometry: &'a Geometry,
    mip: u32,
    slice: u32,
    plane: u32,
}

impl<'a> Walk<'a> {
    fn new(geometry: &'a Geometry, first: u32) -> Walk<'a> {
        let (mip, slice, plane) = if first == 0 {
            (0, 0, 0)
        } else {
            subresource::decompose_subresource(first, u32::from(geometry.mips), u32::from(geometry.slices))
        };
        Walk { geometry, mip, slice, plane }
    }

    #[inline]
    fn next(&mut self) -> Option<Rows> {
        let plane = self.geometry.planes.get(self.plane)?;
        let rows = Rows::new(self.geometry, plane, self.geometry.mip_texels(self.mip)?);
        self.mip += 1;
        if self.mip == u32::from(self.geometry.mips) {
            self.mip = 0;
            self.slice += 1;
            if self.slice == u32::from(self.geometry.slices) {
                self.slice = 0;
                self.plane += 1;
            }
        }
        Some(rows)
    }
}

struct Writer<'a> {
    out: FootprintOutputs<'a>,
    at: usize,
}

impl Writer<'_> {
    #[inline]
    fn write(&mut self, rows: &Rows, offset: u64) {
        // Room was checked before: a missing element cannot happen, and would be left alone.
        if let Some(layout) = self.out.layouts.as_deref_mut().and_then(|layouts| layouts.get_mut(self.at)) {
            *layout = PlacedFootprint {
                offset,
                format: rows.format,
                width: rows.width,
                height: rows.height,
                depth: rows.depth,
                row_pitch: narrow(rows.row_pitch),
            };
        }
        if let Some(count) = self.out.row_counts.as_deref_mut().and_then(|counts| counts.get_mut(self.at)) {
            *count = rows.rows;
        }
        if let Some(size) = self.out.row_sizes.as_deref_mut().and_then(|sizes| sizes.get_mut(self.at)) {
            *size = rows.row_size;
        }
        self.at += 1;
    }
}

/// A buffer is one row of bytes, of no format (public: a footprint of a buffer).
fn buffer_footprint(
    desc: &ResourceDesc,
    base_offset: u64,
    out: &mut FootprintOutputs<'_>,
    count: u32,
) -> Result<u64, Box<Violation>> {
    let pitch = PITCH.align_up(desc.width).and_then(|pitch| u32::try_from(pitch).ok());
    let (Ok(width), Some(row_pitch)) = (u32::try_from(desc.width), pitch) else {
        return Err(rule::FOOTPRINTS_BUFFER_WIDTH.violated(
            "ResourceDesc.Width",
            format!("{} bytes", desc.width),
            "at most 4294967040 bytes: a row pitch of 32 bits that is a multiple of 256",
        ));
    };
    if count == 0 {
        return Ok(0);
    }
    if let Some(layout) = out.layouts.as_deref_mut().and_then(<[PlacedFootprint]>::first_mut) {
        *layout = PlacedFootprint {
            offset: base_offset,
            format: Format::UNKNOWN,
            width,
            height: 1,
            depth: 1,
            row_pitch,
        };
    }
    if let Some(rows) = out.row_counts.as_deref_mut().and_then(<[u32]>::first_mut) {
        *rows = 1;
    }
    if let Some(size) = out.row_sizes.as_deref_mut().and_then(<[u64]>::first_mut) {
        *size = desc.width;
    }
    Ok(desc.width)
}

fn check_room(out: &FootprintOutputs<'_>, room: usize) -> Result<(), Box<Violation>> {
    let lengths = [
        ("pLayouts", out.layouts.as_deref().map(<[_]>::len)),
        ("pNumRows", out.row_counts.as_deref().map(<[_]>::len)),
        ("pRowSizeInBytes", out.row_sizes.as_deref().map(<[_]>::len)),
    ];
    for (field, length) in lengths {
        if let Some(length) = length
            && length < room
        {
            return Err(rule::FOOTPRINTS_OUTPUT.violated(
                field,
                format!("{length} elements"),
                format!("at least {room}"),
            ));
        }
    }
    Ok(())
}

#[cold]
fn range_violation(first: u32, count: u32, subresources: u64) -> Box<Violation> {
    rule::FOOTPRINTS_RANGE.violated(
        "FirstSubresource, NumSubresources",
        format!("{count} from {first}"),
        format!("a range within 0 to {subresources}"),
    )
}
