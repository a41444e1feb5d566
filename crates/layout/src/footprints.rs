//! GetCopyableFootprints: subresources as rows in a buffer.

use heapstone_spec::rules::description as rule;
use heapstone_spec::{Format, ResourceDesc, Violation, limits};

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

const PITCH_MASK: u32 = limits::TEXTURE_DATA_PITCH_ALIGNMENT - 1;
/// Of formats of several planes (facts/layout.md, GetCopyableFootprints).
const WIDE_PITCH_MASK: u32 = 2 * limits::TEXTURE_DATA_PITCH_ALIGNMENT - 1;
const PLACEMENT_MASK: u64 = limits::TEXTURE_DATA_PLACEMENT_ALIGNMENT - 1;

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
    let mut resolved = None;
    let legal = validate::legal(rules, desc, Purpose::Query, &mut resolved)?;
    let subresources = subresource::subresource_count(legal);
    let end = u64::from(first_subresource) + u64::from(count);
    if u64::from(first_subresource) >= subresources || end > subresources {
        return Err(range_violation(first_subresource, count, subresources));
    }
    let out = Outputs::new(out, usize::try_from(count).unwrap_or(usize::MAX))?;
    if legal.is_buffer() {
        return buffer_footprint(legal, base_offset, out, count);
    }
    Ok(texture_footprints(&Geometry::new(legal), first_subresource, count, base_offset, out))
}

/// The outputs as iterators: one that was not asked for is empty.
struct Outputs<'a> {
    layouts: core::slice::IterMut<'a, PlacedFootprint>,
    row_counts: core::slice::IterMut<'a, u32>,
    row_sizes: core::slice::IterMut<'a, u64>,
}

impl<'a> Outputs<'a> {
    /// Checks that each has room.
    #[inline]
    fn new(out: FootprintOutputs<'a>, room: usize) -> Result<Outputs<'a>, Box<Violation>> {
        Ok(Outputs {
            layouts: asked("pLayouts", out.layouts, room)?,
            row_counts: asked("pNumRows", out.row_counts, room)?,
            row_sizes: asked("pRowSizeInBytes", out.row_sizes, room)?,
        })
    }

    #[inline(always)] // As its caller.
    fn write(&mut self, layout: PlacedFootprint, rows: u32, row_size: u64) {
        if let Some(slot) = self.layouts.next() {
            *slot = layout;
        }
        if let Some(slot) = self.row_counts.next() {
            *slot = rows;
        }
        if let Some(slot) = self.row_sizes.next() {
            *slot = row_size;
        }
    }
}

/// The first `room` elements of an output, or none.
#[inline]
fn asked<'a, T>(
    field: &'static str,
    output: Option<&'a mut [T]>,
    room: usize,
) -> Result<core::slice::IterMut<'a, T>, Box<Violation>> {
    let Some(output) = output else { return Ok(Default::default()) };
    let length = output.len();
    match output.get_mut(..room) {
        Some(output) => Ok(output.iter_mut()),
        None => Err(rule::FOOTPRINTS_OUTPUT.violated(
            field,
            format!("{length} elements"),
            format!("at least {room}"),
        )),
    }
}

/// Of a legal texture, in a range that it has.
///
/// Extents and pitches of a legal texture have 32 bits (16384 texels of 16 bytes at most), and 64 bits
/// hold the sum of any 30720 subresources of it many times over.
fn texture_footprints(
    geometry: &Geometry,
    first_subresource: u32,
    count: u32,
    base_offset: u64,
    mut out: Outputs<'_>,
) -> u64 {
    let mips = u32::from(geometry.mips);
    let slices = u32::from(geometry.slices);
    // No division where the range begins at the beginning.
    let (mut mip, mut slice, mut plane_index) = match first_subresource {
        0 => (0, 0, 0),
        first => subresource::decompose_subresource(first, mips, slices),
    };
    let pitch_mask = if geometry.planes.wide_pitch { WIDE_PITCH_MASK } else { PITCH_MASK };
    let mut total = 0_u64;
    let mut left = count;
    while left > 0 {
        let Some(plane) = geometry.planes.get(plane_index) else { break };
        while slice < slices && left > 0 {
            let in_slice = left.min(mips - mip);
            total = if plane.texel_is_element {
                let chain = Chain::<true>::new(geometry, plane, mip, pitch_mask);
                chain.write_all(in_slice, base_offset, total, &mut out)
            } else {
                let chain = Chain::<false>::new(geometry, plane, mip, pitch_mask);
                chain.write_all(in_slice, base_offset, total, &mut out)
            };
            left -= in_slice;
            mip = 0;
            slice += 1;
        }
        slice = 0;
        plane_index += 1;
    }
    total
}

/// The subresources of one slice of a plane, as rows, by halving; facts/layout.md,
/// GetCopyableFootprints. Most formats have one texel an element, and need nothing but the halving.
struct Chain<'a, const TEXEL_IS_ELEMENT: bool> {
    plane: &'a Plane,
    /// Texels of the resource.
    width: u32,
    height: u32,
    depth: u32,
    width_mask: u32,
    height_mask: u32,
    pitch_mask: u32,
    /// Of one element of the format, its repetitions together.
    element_bytes: u32,
    /// Texels of the resource across one element in a pitch, and in a row: `2^`.
    pitch_element_log2: u8,
    row_element_log2: u8,
}

impl<'a, const TEXEL_IS_ELEMENT: bool> Chain<'a, TEXEL_IS_ELEMENT> {
    /// From `mip` on.
    #[inline]
    fn new(geometry: &Geometry, plane: &'a Plane, mip: u32, pitch_mask: u32) -> Self {
        let width = u32::try_from(geometry.texels.width).unwrap_or(u32::MAX);
        let at_mip = |side: u32| side.checked_shr(mip).unwrap_or(0).max(1);
        Chain {
            plane,
            width: at_mip(width),
            height: at_mip(geometry.texels.height),
            depth: at_mip(geometry.texels.depth),
            width_mask: (1 << geometry.planes.width_alignment_log2) - 1,
            height_mask: (1 << geometry.planes.height_alignment_log2) - 1,
            pitch_mask,
            element_bytes: u32::from(plane.repeat) << plane.bytes_log2,
            pitch_element_log2: plane.pitch_shift + plane.element_width_log2,
            row_element_log2: plane.width_shift + plane.element_width_log2,
        }
    }

    /// Writes `count` mips behind the first `total` bytes, and answers the bytes up to their end.
    #[inline(always)] // The outputs' positions stay in registers.
    fn write_all(mut self, count: u32, base_offset: u64, total: u64, out: &mut Outputs<'_>) -> u64 {
        let mut total = total;
        for _ in 0..count {
            total = (total + PLACEMENT_MASK) & !PLACEMENT_MASK;
            total += self.write(base_offset.wrapping_add(total), out);
            self.halve();
        }
        total
    }

    /// Writes the mip, and answers its bytes; the last row is not padded.
    #[inline(always)] // As its caller.
    fn write(&self, offset: u64, out: &mut Outputs<'_>) -> u64 {
        let plane = self.plane;
        let (width, height, rows, min_pitch, row_size);
        if TEXEL_IS_ELEMENT {
            (width, height, rows) = (self.width, self.height, self.height);
            min_pitch = width * self.element_bytes;
            row_size = min_pitch;
        } else {
            let texels = (self.width + self.width_mask) & !self.width_mask;
            width = texels >> plane.width_shift;
            height = ((self.height + self.height_mask) & !self.height_mask) >> plane.height_shift;
            rows = height >> plane.element_height_log2;
            min_pitch = (texels >> self.pitch_element_log2) * self.element_bytes;
            row_size = (texels >> self.row_element_log2) * self.element_bytes;
        }
        let row_pitch = (min_pitch + self.pitch_mask) & !self.pitch_mask;
        let format = plane.footprint_format;
        let layout = PlacedFootprint { offset, format, width, height, depth: self.depth, row_pitch };
        out.write(layout, rows, u64::from(row_size));
        u64::from(rows * self.depth - 1) * u64::from(row_pitch) + u64::from(min_pitch)
    }

    #[inline]
    fn halve(&mut self) {
        self.width = (self.width >> 1).max(1);
        self.height = (self.height >> 1).max(1);
        self.depth = (self.depth >> 1).max(1);
    }
}

/// A buffer is one row of bytes, of no format (public: a footprint of a buffer).
fn buffer_footprint(
    desc: &ResourceDesc,
    base_offset: u64,
    mut out: Outputs<'_>,
    count: u32,
) -> Result<u64, Box<Violation>> {
    let width = u32::try_from(desc.width).ok();
    let row_pitch = width.and_then(|width| Some(width.checked_add(PITCH_MASK)? & !PITCH_MASK));
    let (Some(width), Some(row_pitch)) = (width, row_pitch) else {
        return Err(rule::FOOTPRINTS_BUFFER_WIDTH.violated(
            "D3D12_RESOURCE_DESC.Width",
            format!("{} bytes", desc.width),
            "at most 4294967040 bytes: a row pitch of 32 bits that is a multiple of 256",
        ));
    };
    if count == 0 {
        return Ok(0);
    }
    let layout = PlacedFootprint {
        offset: base_offset,
        format: Format::UNKNOWN,
        width,
        height: 1,
        depth: 1,
        row_pitch,
    };
    out.write(layout, 1, desc.width);
    Ok(desc.width)
}

#[cold]
fn range_violation(first: u32, count: u32, subresources: u64) -> Box<Violation> {
    rule::FOOTPRINTS_RANGE.violated(
        "FirstSubresource, NumSubresources",
        format!("{count} from {first}"),
        format!("a range within 0 to {subresources}"),
    )
}
