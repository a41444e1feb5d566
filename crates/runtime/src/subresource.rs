//! WriteToSubresource and ReadFromSubresource: copies of texels by the CPU, between rows in the program's
//! memory and a texture of any layout (spec/2-resource-heaps.txt 302-321).
//!
//! ```text
//!   box in texels --(/ block)--> box in elements --Surface--> bytes of the heap, by the driver
//!   rows of the box in memory:   [row 0][padding][row 1]...      row pitch, depth pitch
//! ```
//! They need no queue and no Map before (chosen: spec/2-resource-heaps.txt 317 has Map cache what these
//! need; here that is cached all the same). Whether the GPU uses the texture at the time is the program's business.

use heapstone_driver::DriverError;
use heapstone_driver::engine::{RowPitches, SurfaceBox};
use heapstone_layout::swizzle::Surface;
use heapstone_spec::commands::Box3D;
use heapstone_spec::message::{self, MessageId};
use heapstone_spec::rules::subresource as rules;
use heapstone_spec::{CpuPageProperty, Rule, Violation};

use crate::error::Error;
use crate::heap::HeapCore;
use crate::mapping::check_cpu_copies;
use crate::observer::Call;
use crate::resource::{Place, Resource, ResourceInner};

impl Resource {
    /// ID3D12Resource::WriteToSubresource: copies rows into a box of a subresource. When it returns the bytes
    /// are there.
    ///
    /// The box is in texels of the subresource's plane, `None` all of it; one without texels is no copy, whatever
    /// else is given of it. `source` holds the box's first row first; pitches are in bytes, and a row of a block
    /// format is a row of blocks. A pitch that nothing lies behind is not looked at.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `subresource.*`, `map.opaque.*`, `map.row_major`; [`Error::Driver`] where the
    /// backing has no bytes or the driver keeps the layout to itself; nothing is copied then.
    pub fn write_to_subresource(
        &self,
        destination_subresource: u32,
        destination_box: Option<&Box3D>,
        source: &[u8],
        source_row_pitch: u32,
        source_depth_pitch: u32,
    ) -> Result<(), Error> {
        let pitches = Pitches { row: source_row_pitch, depth: source_depth_pitch };
        let result = self.write_box(destination_subresource, destination_box, source, pitches);
        self.inner.device().observe(|| Call::WriteToSubresource {
            object: self.inner.id,
            subresource: destination_subresource,
            destination_box,
            source_row_pitch,
            source_depth_pitch,
            data: source,
            outcome: result.as_ref().copied(),
        });
        result
    }

    /// ID3D12Resource::ReadFromSubresource: copies a box of a subresource into rows. Bytes of `destination`
    /// between rows are left as they are.
    ///
    /// # Errors
    /// As [`Resource::write_to_subresource`]; [`Error::DeviceRemoved`] unless the box is empty
    /// (spec/2-resource-heaps.txt 321).
    pub fn read_from_subresource(
        &self,
        destination: &mut [u8],
        destination_row_pitch: u32,
        destination_depth_pitch: u32,
        source_subresource: u32,
        source_box: Option<&Box3D>,
    ) -> Result<(), Error> {
        let pitches = Pitches { row: destination_row_pitch, depth: destination_depth_pitch };
        let result = self.read_box(destination, pitches, source_subresource, source_box);
        self.inner.device().observe(|| Call::ReadFromSubresource {
            object: self.inner.id,
            subresource: source_subresource,
            source_box,
            destination_row_pitch,
            destination_depth_pitch,
            size: destination.len(),
            outcome: result.as_ref().copied(),
        });
        result
    }

    fn write_box(
        &self,
        subresource: u32,
        texels: Option<&Box3D>,
        from: &[u8],
        pitches: Pitches,
    ) -> Result<(), Error> {
        let prepared = self.inner.prepare(&WRITE, subresource, texels, pitches, from.len())?;
        let Some(copy) = prepared else { return Ok(()) };
        Ok(copy.core.driver().write_box(&copy.surface_box, from, copy.pitches)?)
    }

    fn read_box(
        &self,
        to: &mut [u8],
        pitches: Pitches,
        subresource: u32,
        texels: Option<&Box3D>,
    ) -> Result<(), Error> {
        let prepared = self.inner.prepare(&READ, subresource, texels, pitches, to.len())?;
        let Some(copy) = prepared else { return Ok(()) };
        self.inner.device().gpu.removal.check()?;
        Ok(copy.core.driver().read_box(&copy.surface_box, to, copy.pitches)?)
    }
}

/// In bytes, as given.
#[derive(Clone, Copy)]
struct Pitches {
    row: u32,
    depth: u32,
}

/// What the two calls call their arguments, and the debug layer's messages.
struct Words {
    call: &'static str,
    subresource: &'static str,
    texels: &'static str,
    row_pitch: &'static str,
    depth_pitch: &'static str,
    data: &'static str,
    /// Of rules whose own are the other call's, or Map's.
    messages: &'static [(&'static str, MessageId)],
}

static WRITE: Words = Words {
    call: "ID3D12Resource::WriteToSubresource",
    subresource: "DstSubresource",
    texels: "pDstBox",
    row_pitch: "SrcRowPitch",
    depth_pitch: "SrcDepthPitch",
    data: "pSrcData",
    messages: &[("map.", message::WRITETOSUBRESOURCE_INVALIDRESOURCE)],
};

static READ: Words = Words {
    call: "ID3D12Resource::ReadFromSubresource",
    subresource: "SrcSubresource",
    texels: "pSrcBox",
    row_pitch: "DstRowPitch",
    depth_pitch: "DstDepthPitch",
    data: "pDstData",
    messages: &[
        ("map.", message::READFROMSUBRESOURCE_INVALIDRESOURCE),
        ("subresource.buffer", message::READFROMSUBRESOURCE_INVALIDRESOURCE),
        ("subresource.reserved", message::READFROMSUBRESOURCE_INVALIDRESOURCE),
        ("subresource.heap", message::READFROMSUBRESOURCE_INVALIDHEAP),
        ("subresource.index", message::READFROMSUBRESOURCE_INVALIDSUBRESOURCE),
        ("subresource.box.", message::READFROMSUBRESOURCE_INVALIDBOX),
    ],
};

impl Words {
    /// The violation with the call's message.
    #[cold]
    fn of_call(&self, mut violation: Box<Violation>) -> Box<Violation> {
        let id = violation.rule.id;
        if let Some((_, message)) = self.messages.iter().find(|(begin, _)| id.starts_with(begin)) {
            violation.message = Some(*message);
        }
        violation
    }
}

/// A copy whose rules are checked.
struct CpuCopy<'a> {
    core: &'a HeapCore,
    surface_box: SurfaceBox<'a>,
    pitches: RowPitches,
}

impl ResourceInner {
    /// `None` where nothing is to be copied.
    fn prepare(
        &self,
        words: &Words,
        subresource: u32,
        texels: Option<&Box3D>,
        pitches: Pitches,
        length: usize,
    ) -> Result<Option<CpuCopy<'_>>, Error> {
        let (core, resource_offset) = self.cpu_texture(words).map_err(|refused| words.of_call(refused))?;
        let Some(surfaces) = self.surfaces() else {
            let what = format!("copies by the CPU of a {} texture", self.desc.format);
            return Err(DriverError::Unsupported { what }.into());
        };
        let surface = usize::try_from(subresource).ok().and_then(|index| surfaces.get(index));
        let part = match surface {
            Some(surface) => Part::of(words, surface, texels)
                .and_then(|part| part.map(|part| part.rows(words, pitches, length)).transpose()),
            None => Err(no_such_subresource(words, subresource, surfaces.len())),
        };
        let part = part.map_err(|refused| words.of_call(refused))?;
        Ok(part.map(|(part, pitches)| {
            let Part { surface, origin, size } = part;
            CpuCopy { core, surface_box: SurfaceBox { resource_offset, surface, origin, size }, pitches }
        }))
    }

    /// The heap's part and the offset in it, of a texture that the CPU copies.
    fn cpu_texture(&self, words: &Words) -> Result<(&HeapCore, u64), Box<Violation>> {
        if self.desc.is_buffer() {
            return Err(rules::BUFFER.violated(words.call, "a buffer", "a texture"));
        }
        let (core, offset) = match &self.place {
            Place::Placed { heap, offset } => (&heap.inner.core, *offset),
            Place::Committed { core, .. } => (&**core, 0),
            Place::Reserved { .. } => {
                return Err(rules::RESERVED.violated(
                    words.call,
                    "a reserved resource",
                    "a placed or committed one",
                ));
            }
        };
        check_cpu_copies(words.call, &self.desc)?;
        if core.resolved.properties.cpu_page_property == CpuPageProperty::NotAvailable {
            return Err(rules::HEAP.violated(
                words.call,
                format_args!(
                    "a texture on a {} heap, CPUPageProperty NOT_AVAILABLE",
                    core.resolved.heap_type
                ),
                "WRITE_COMBINE or WRITE_BACK",
            ));
        }
        Ok((core, offset))
    }
}

/// A box of a subresource that has elements, in elements.
#[derive(Clone, Copy)]
struct Part<'a> {
    surface: &'a Surface,
    origin: [u32; 3],
    size: [u32; 3],
}

impl<'a> Part<'a> {
    /// Of a box in texels; `None` where it has none.
    fn of(
        words: &Words,
        surface: &'a Surface,
        texels: Option<&Box3D>,
    ) -> Result<Option<Part<'a>>, Box<Violation>> {
        let width = u32::try_from(surface.elements.width).expect("invariant: a texture's width fits 32 bits");
        let elements = [width, surface.elements.height, surface.elements.depth];
        let Some(texels) = texels else {
            return Ok(Some(Part { surface, origin: [0; 3], size: elements }));
        };
        if texels.is_empty() {
            return Ok(None);
        }
        let Box3D { left, top, front, right, bottom, back } = *texels;
        let (across, down) = (surface.element_width_log2, surface.element_height_log2);
        let is_whole = |side: u32, log2: u8| side & ((1 << log2) - 1) == 0;
        if !(is_whole(left | right, across) && is_whole(top | bottom, down)) {
            return Err(rules::BOX_BLOCK.violated(
                words.texels,
                texels,
                format_args!("sides at multiples of {}x{}x1", 1_u32 << across, 1_u32 << down),
            ));
        }
        let (origin, end) = ([left >> across, top >> down, front], [right >> across, bottom >> down, back]);
        if end.iter().zip(&elements).any(|(end, limit)| end > limit) {
            let [width, height, depth] = elements.map(u64::from);
            return Err(rules::BOX_RANGE.violated(
                words.texels,
                texels,
                format_args!("within {}x{}x{depth}", width << across, height << down),
            ));
        }
        let size = [end[0] - origin[0], end[1] - origin[1], end[2] - origin[2]];
        Ok(Some(Part { surface, origin, size }))
    }

    /// With the rows that hold it, in `length` bytes.
    fn rows(
        self,
        words: &Words,
        pitches: Pitches,
        length: usize,
    ) -> Result<(Part<'a>, RowPitches), Box<Violation>> {
        let [columns, rows, slices] = self.size.map(u64::from);
        let row_bytes = columns << self.surface.element_bytes_log2;
        let Pitches { row, depth } = pitches;
        let (row, slice) = (u64::from(row), u64::from(depth));
        if rows > 1 && row < row_bytes {
            return Err(too_small(
                &rules::ROW_PITCH,
                words.row_pitch,
                row,
                format!("at least {row_bytes}, the bytes of a row"),
            ));
        }
        // No overflow here and below: 32 bits times 32 bits, twice.
        let slice_bytes = (rows - 1) * row + row_bytes;
        if slices > 1 && slice < slice_bytes {
            return Err(too_small(
                &rules::DEPTH_PITCH,
                words.depth_pitch,
                slice,
                format!("at least {slice_bytes}, the bytes of a slice of {rows} rows"),
            ));
        }
        let needed = ((slices - 1) * slice).checked_add(slice_bytes);
        let has = u64::try_from(length).unwrap_or(u64::MAX);
        if needed.is_none_or(|needed| needed > has) {
            let needed = needed.map_or("more than 2^64".to_owned(), |needed| needed.to_string());
            return Err(rules::DATA.violated(
                words.data,
                format_args!("{length} bytes"),
                format_args!("{needed}, for {slices} slices of {rows} rows of {row_bytes} bytes"),
            ));
        }
        // What nothing lies behind was not looked at: drivers are told what fits.
        Ok((self, RowPitches { row: row.max(row_bytes), slice: slice.max(slice_bytes) }))
    }
}

#[cold]
fn too_small(rule: &'static Rule, field: &'static str, given: u64, allowed: String) -> Box<Violation> {
    rule.violated(field, given, allowed)
}

#[cold]
fn no_such_subresource(words: &Words, given: u32, count: usize) -> Box<Violation> {
    rules::INDEX.violated(words.subresource, given, format_args!("0 to {}", count.saturating_sub(1)))
}
