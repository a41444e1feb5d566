//! CopyTextureRegion.

use heapstone_driver::dma::{Command, Origin, Size};
use heapstone_spec::caps::ProgrammableSamplePositionsTier;
use heapstone_spec::commands::{Box3D, CommandListType};
use heapstone_spec::message::{self, MessageId};
use heapstone_spec::rules::copy as rules;
use heapstone_spec::{ResourceFlags, Violation};

use super::copy_buffer::{check_destination_heap, check_source_heap};
use super::copy_location::{TextureCopyLocation, TextureCopyType};
use super::element::{is_copied_as, is_depth_stencil};
use super::grid::{DESTINATION, Grid, GridPlace, SOURCE};
use super::list::CommandList;
use super::observed::{CopyLocation, ListCommand};
use crate::error::Error;

const CALL: &str = "CopyTextureRegion";

/// The bits of an element that hold a 24-bit depth; the others are 0 in buffers and other textures
/// (facts/behaviour.md, Copies and footprints).
const D24_BITS: u32 = 0x00ff_ffff;

impl CommandList {
    /// ID3D12GraphicsCommandList::CopyTextureRegion: a box of texels from `source` to `(x, y, z)` of
    /// `destination`; each is a subresource of a texture or rows in a buffer. `source_box` is in texels of the
    /// source's plane, `None` all of it; one without texels is no command (facts/behaviour.md, Copies and
    /// footprints). Elements are copied bit by bit: where one side is block-compressed and the other is not,
    /// a block is one texel of the other.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `copy.texture.*`, `copy.footprint.*`, `copy.destination.heap`,
    /// `copy.source.heap`, `list.*`.
    pub fn copy_texture_region(
        &mut self,
        destination: &TextureCopyLocation<'_>,
        x: u32,
        y: u32,
        z: u32,
        source: &TextureCopyLocation<'_>,
        source_box: Option<&Box3D>,
    ) -> Result<(), Error> {
        let result = self.record_copy_texture(destination, [x, y, z], source, source_box);
        self.ended(result, || ListCommand::CopyTextureRegion {
            destination: CopyLocation::of(destination),
            origin: [x, y, z],
            source: CopyLocation::of(source),
            source_box: source_box.copied(),
        })
    }

    fn record_copy_texture(
        &mut self,
        destination: &TextureCopyLocation<'_>,
        origin: [u32; 3],
        source: &TextureCopyLocation<'_>,
        source_box: Option<&Box3D>,
    ) -> Result<(), Box<Violation>> {
        self.recorder(CALL, CommandListType::ALL)?;
        self.check_device(DESTINATION.resource(), destination.resource)?;
        self.check_device(SOURCE.resource(), source.resource)?;
        check_destination_heap(DESTINATION.resource(), destination.resource)?;
        check_source_heap(SOURCE.resource(), source.resource)?;
        let caps = &self.device.layout_rules.caps;
        let to = Grid::of(&DESTINATION, destination, caps)?;
        let from = Grid::of(&SOURCE, source, caps)?;
        check_formats(&to, destination, &from, source)?;
        let region = Region::of(&to, origin, &from, source_box)?;
        if to.samples_log2 | from.samples_log2 != 0 {
            check_samples(destination, source)?;
        }
        let Some(region) = region else { return Ok(()) };
        if caps.programmable_sample_positions_tier == ProgrammableSamplePositionsTier::NotSupported {
            check_whole((&to, destination), (&from, source), &region)?;
        }
        if destination.resource == source.resource && to.place == from.place && region.overlaps_itself() {
            return Err(region.overlap(source_box));
        }

        let recorder = self.recorder(CALL, CommandListType::ALL)?;
        recorder.begin_call(1)?;
        let destination = to.image(recorder, destination.resource);
        let source = from.image(recorder, source.resource);
        recorder.push(&Command::CopyRegion {
            destination,
            destination_origin: to.counted(region.destination),
            source,
            source_origin: from.counted(region.source),
            size: from.counted(region.size),
            element_bytes_log2: from.element.bytes_log2,
            samples_log2: from.samples_log2,
            // Within a D24 plane the other bits are 0 already.
            mask: if to.is_d24 == from.is_d24 { u32::MAX } else { D24_BITS },
        });
        Ok(())
    }
}

/// What is copied, in elements of each side.
struct Region {
    destination: Origin,
    source: Origin,
    size: Size,
}

impl Region {
    /// `None` where the box has no texels.
    #[inline]
    fn of(
        to: &Grid,
        origin: [u32; 3],
        from: &Grid,
        source_box: Option<&Box3D>,
    ) -> Result<Option<Region>, Box<Violation>> {
        let (source, size) = match source_box {
            None => ([0; 3], from.elements),
            Some(source_box) if source_box.is_empty() => return Ok(None),
            Some(source_box) => elements_of_box(from, source_box)?,
        };
        let destination =
            [origin[0] >> to.element.width_log2, origin[1] >> to.element.height_log2, origin[2]];
        let is_whole = destination[0] << to.element.width_log2 == origin[0]
            && destination[1] << to.element.height_log2 == origin[1];
        if !is_whole {
            return Err(origin_violation(to, origin));
        }
        let fits = |axis: usize| {
            u64::from(destination[axis]) + u64::from(size[axis]) <= u64::from(to.elements[axis])
        };
        if !(fits(0) && fits(1) && fits(2)) {
            return Err(destination_violation(to, origin, size));
        }
        Ok(Some(Region { destination, source, size }))
    }

    /// Whether source and destination share an element, were they of one grid.
    fn overlaps_itself(&self) -> bool {
        (0..3).all(|axis| self.destination[axis].abs_diff(self.source[axis]) < self.size[axis])
    }

    #[cold]
    fn overlap(&self, source_box: Option<&Box3D>) -> Box<Violation> {
        let [x, y, z] = self.destination;
        let read = source_box.map_or("all of it".to_owned(), |source_box| format!("the box {source_box}"));
        rules::TEXTURE_OVERLAP.violated(
            "pSrcBox, DstX, DstY, DstZ",
            format_args!("{read} to element ({x}, {y}, {z}) of the same subresource"),
            "regions that share no element",
        )
    }
}

/// Origin and size of a box that has texels.
#[inline]
fn elements_of_box(from: &Grid, source_box: &Box3D) -> Result<(Origin, Size), Box<Violation>> {
    let Box3D { left, top, front, right, bottom, back } = *source_box;
    let (width_log2, height_log2) = (from.element.width_log2, from.element.height_log2);
    let begin = [left >> width_log2, top >> height_log2, front];
    let end = [right >> width_log2, bottom >> height_log2, back];
    let rounded_off = (left | right) & ((1 << width_log2) - 1) | (top | bottom) & ((1 << height_log2) - 1);
    if rounded_off != 0 {
        return Err(box_alignment_violation(from, source_box));
    }
    if end[0] > from.elements[0] || end[1] > from.elements[1] || end[2] > from.elements[2] {
        return Err(box_range_violation(from, source_box));
    }
    Ok((begin, [end[0] - begin[0], end[1] - begin[1], end[2] - begin[2]]))
}

#[inline]
fn check_formats(
    to: &Grid,
    destination: &TextureCopyLocation<'_>,
    from: &Grid,
    source: &TextureCopyLocation<'_>,
) -> Result<(), Box<Violation>> {
    let same_bytes =
        (to.element.bytes_log2, to.element.repeat) == (from.element.bytes_log2, from.element.repeat);
    if same_bytes && is_copied_as(from.format, to.format) {
        return Ok(());
    }
    Err(formats_violation(to, destination, from, source))
}

#[cold]
fn formats_violation(
    to: &Grid,
    destination: &TextureCopyLocation<'_>,
    from: &Grid,
    source: &TextureCopyLocation<'_>,
) -> Box<Violation> {
    let mut violation = rules::TEXTURE_FORMATS.violated(
        "pDst, pSrc",
        format_args!("{} to {}", from.format, to.format),
        "formats of one family, or blocks and integers as large",
    );
    // A depth-stencil's planes have messages of their own beside a footprint.
    let of_plane = |grid: &Grid, other: &TextureCopyLocation<'_>, message: MessageId| {
        let is_rows = matches!(grid.place, GridPlace::Rows { .. });
        (is_rows && is_depth_stencil(other.resource.inner.desc.format)).then_some(message)
    };
    let message =
        of_plane(to, source, message::COPYTEXTUREREGION_INVALIDDSTDSPLACEDFOOTPRINTFORMAT).or_else(|| {
            of_plane(from, destination, message::COPYTEXTUREREGION_INVALIDSRCDSPLACEDFOOTPRINTFORMAT)
        });
    if message.is_some() {
        violation.message = message;
    }
    violation
}

/// Of sides of which one is multisampled.
#[cold]
fn check_samples(
    destination: &TextureCopyLocation<'_>,
    source: &TextureCopyLocation<'_>,
) -> Result<(), Box<Violation>> {
    let samples = |location: &TextureCopyLocation<'_>| match location.copy_type {
        TextureCopyType::SubresourceIndex(_) => {
            let desc = location.resource.inner.desc.sample_desc;
            (desc.count, desc.quality)
        }
        TextureCopyType::PlacedFootprint(_) => (1, 0),
    };
    let (of_source, of_destination) = (samples(source), samples(destination));
    if of_source != of_destination {
        return Err(rules::TEXTURE_SAMPLES.violated(
            "pSrc, pDst",
            format_args!(
                "{} samples of quality {} to {} samples of quality {}",
                of_source.0, of_source.1, of_destination.0, of_destination.1
            ),
            "the same samples and quality",
        ));
    }
    Ok(())
}

/// Without programmable sample positions: of a depth-stencil or of several samples all of a subresource is
/// copied, to all of one.
#[cold]
fn check_whole(
    (to, destination): (&Grid, &TextureCopyLocation<'_>),
    (from, source): (&Grid, &TextureCopyLocation<'_>),
    region: &Region,
) -> Result<(), Box<Violation>> {
    for (grid, location, origin, field) in [
        (from, source, region.source, "pSrcBox"),
        (to, destination, region.destination, "pSrcBox, DstX, DstY, DstZ"),
    ] {
        let desc = &location.resource.inner.desc;
        let is_kept_whole = grid.samples_log2 != 0 || desc.flags.contains(ResourceFlags::ALLOW_DEPTH_STENCIL);
        if is_kept_whole && (origin != [0; 3] || region.size != grid.elements) {
            let ([width, height, _], [x, y, _], [all_x, all_y, _]) = (region.size, origin, grid.elements);
            return Err(rules::TEXTURE_WHOLE.violated(
                field,
                format_args!("{width}x{height} texels at ({x}, {y}) of {all_x}x{all_y}"),
                format_args!("all {all_x}x{all_y}, on an adapter of ProgrammableSamplePositionsTier 0"),
            ));
        }
    }
    Ok(())
}

#[cold]
fn origin_violation(to: &Grid, [x, y, z]: [u32; 3]) -> Box<Violation> {
    rules::TEXTURE_DESTINATION_ALIGNMENT.violated(
        "DstX, DstY, DstZ",
        format_args!("({x}, {y}, {z})"),
        format_args!("multiples of {}x{}x1", 1_u32 << to.element.width_log2, 1_u32 << to.element.height_log2),
    )
}

#[cold]
fn destination_violation(to: &Grid, [x, y, z]: [u32; 3], size: Size) -> Box<Violation> {
    let [width, height, depth] = to.texels();
    let (width_log2, height_log2) = (to.element.width_log2, to.element.height_log2);
    let written = [u64::from(size[0]) << width_log2, u64::from(size[1]) << height_log2, u64::from(size[2])];
    rules::TEXTURE_DESTINATION_RANGE.violated(
        "DstX, DstY, DstZ",
        format_args!("{}x{}x{} texels at ({x}, {y}, {z})", written[0], written[1], written[2]),
        format_args!("within {width}x{height}x{depth}"),
    )
}

#[cold]
fn box_alignment_violation(from: &Grid, source_box: &Box3D) -> Box<Violation> {
    rules::TEXTURE_BOX_ALIGNMENT.violated(
        "pSrcBox",
        source_box,
        format_args!(
            "edges at multiples of {}x{}x1",
            1_u32 << from.element.width_log2,
            1_u32 << from.element.height_log2
        ),
    )
}

#[cold]
fn box_range_violation(from: &Grid, source_box: &Box3D) -> Box<Violation> {
    let [width, height, depth] = from.texels();
    rules::TEXTURE_BOX_RANGE.violated("pSrcBox", source_box, format_args!("within {width}x{height}x{depth}"))
}
