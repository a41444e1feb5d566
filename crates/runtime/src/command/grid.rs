//! One side of a copy of texels, as a grid of elements.
//!
//! ```text
//!   texels of the caller --(>> width_log2, height_log2)--> elements --(x * repeat)--> elements of the engine
//! ```

use heapstone_driver::dma::{Address, Image, Origin};
use heapstone_layout::swizzle::Surface;
use heapstone_layout::{PlacedFootprint, array_size};
use heapstone_spec::message::{self, MessageId};
use heapstone_spec::profile::Caps;
use heapstone_spec::rules::copy as rules;
use heapstone_spec::{Format, Rule, Violation, limits};

use super::copy_buffer::address_in;
use super::copy_location::{TextureCopyLocation, TextureCopyType};
use super::element::{Element, is_depth_stencil, plane_format};
use super::recorder::Recorder;
use crate::resource::Resource;

/// A subresource or footprint.
///
/// What makes one is inlined by force: it is used right after it was stored field by field, and moving it
/// would wait for the stores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub(super) place: GridPlace,
    /// Along x, y, z; a texel of 96 bits counts once.
    pub(super) elements: [u32; 3],
    pub(super) element: Element,
    /// What its elements copy as.
    pub(super) format: Format,
    /// Whether it is the depth plane of 24 bits in 32.
    pub(super) is_d24: bool,
    pub(super) samples_log2: u8,
}

/// Where a grid lies in its resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GridPlace {
    Subresource(u32),
    Rows { offset: u64, row_pitch: u32, slice_pitch: u64 },
}

/// The words and messages of a side.
pub(super) struct SideWords {
    resource: &'static str,
    subresource: &'static str,
    offset: &'static str,
    format: &'static str,
    dimensions: &'static str,
    row_pitch: &'static str,
    placement: &'static str,
    /// The messages of rules whose own is the destination's.
    messages: &'static [(&'static Rule, MessageId)],
}

pub(super) static DESTINATION: SideWords = SideWords {
    resource: "pDst->pResource",
    subresource: "pDst->SubresourceIndex",
    offset: "pDst->PlacedFootprint.Offset",
    format: "pDst->PlacedFootprint.Footprint.Format",
    dimensions: "pDst->PlacedFootprint.Footprint.Width, Height, Depth",
    row_pitch: "pDst->PlacedFootprint.Footprint.RowPitch",
    placement: "pDst->PlacedFootprint",
    messages: &[],
};

pub(super) static SOURCE: SideWords = SideWords {
    resource: "pSrc->pResource",
    subresource: "pSrc->SubresourceIndex",
    offset: "pSrc->PlacedFootprint.Offset",
    format: "pSrc->PlacedFootprint.Footprint.Format",
    dimensions: "pSrc->PlacedFootprint.Footprint.Width, Height, Depth",
    row_pitch: "pSrc->PlacedFootprint.Footprint.RowPitch",
    placement: "pSrc->PlacedFootprint",
    messages: &[
        (&rules::TEXTURE_KIND, message::COPYTEXTUREREGION_INVALIDSRCRESOURCEDIMENSION),
        (&rules::TEXTURE_SUBRESOURCE, message::COPYTEXTUREREGION_INVALIDSRCSUBRESOURCE),
        (&rules::FOOTPRINT_OFFSET, message::COPYTEXTUREREGION_INVALIDSRCOFFSET),
        (&rules::FOOTPRINT_FORMAT, message::COPYTEXTUREREGION_INVALIDSRCFORMAT),
        (&rules::FOOTPRINT_DIMENSIONS, message::COPYTEXTUREREGION_INVALIDSRCDIMENSIONS),
        (&rules::FOOTPRINT_ROW_PITCH, message::COPYTEXTUREREGION_INVALIDSRCROWPITCH),
        (&rules::FOOTPRINT_PLACEMENT, message::COPYTEXTUREREGION_INVALIDSRCPLACEMENT),
    ],
};

impl SideWords {
    pub(super) const fn resource(&self) -> &'static str {
        self.resource
    }

    /// The violation with the side's message.
    #[cold]
    fn of_side(&self, mut violation: Box<Violation>) -> Box<Violation> {
        if let Some((_, message)) = self.messages.iter().find(|(rule, _)| *rule == violation.rule) {
            violation.message = Some(*message);
        }
        violation
    }
}

impl Grid {
    /// The grid of a legal location.
    #[inline(always)] // See `Grid`.
    pub(super) fn of(
        side: &'static SideWords,
        location: &TextureCopyLocation<'_>,
        caps: &Caps,
    ) -> Result<Grid, Box<Violation>> {
        let made = match &location.copy_type {
            TextureCopyType::SubresourceIndex(index) => Grid::of_subresource(side, location.resource, *index),
            TextureCopyType::PlacedFootprint(footprint) => {
                Grid::of_footprint(side, location.resource, footprint, caps)
            }
        };
        made.map_err(|violation| side.of_side(violation))
    }

    #[inline(always)] // See `Grid`.
    fn of_subresource(
        side: &SideWords,
        texture: &Resource,
        subresource: u32,
    ) -> Result<Grid, Box<Violation>> {
        if texture.inner.desc.is_buffer() {
            return Err(wrong_kind(side.resource, "a buffer with a subresource index", "a texture"));
        }
        let surface = surface_of(side.resource, side.subresource, texture, subresource)?;
        Ok(Grid::of_surface(texture, subresource, surface))
    }

    /// Of a subresource that the texture has.
    #[inline(always)] // See `Grid`.
    pub(super) fn of_surface(texture: &Resource, subresource: u32, surface: &Surface) -> Grid {
        let desc = &texture.inner.desc;
        let (mut format, mut is_d24) = (desc.format, false);
        if format.info().plane_count > 1 {
            let plane_size = u32::from(desc.mip_levels) * u32::from(array_size(desc));
            let plane = subresource / plane_size;
            is_d24 = plane == 0 && is_depth_stencil(format) && format.info().family == Format::R24G8_TYPELESS;
            format = plane_format(format, plane);
        }
        let elements = &surface.elements;
        let width = u32::try_from(elements.width).expect("invariant: a texture's width fits 32 bits");
        // One division less for nearly all.
        let width = if surface.repeat == 1 { width } else { width / u32::from(surface.repeat) };
        Grid {
            place: GridPlace::Subresource(subresource),
            elements: [width, elements.height, elements.depth],
            element: Element {
                bytes_log2: surface.element_bytes_log2,
                repeat: surface.repeat,
                width_log2: surface.element_width_log2,
                height_log2: surface.element_height_log2,
            },
            format,
            is_d24,
            samples_log2: surface.samples_log2,
        }
    }

    #[inline(always)] // See `Grid`.
    fn of_footprint(
        side: &SideWords,
        buffer: &Resource,
        footprint: &PlacedFootprint,
        caps: &Caps,
    ) -> Result<Grid, Box<Violation>> {
        let PlacedFootprint { offset, format, width, height, depth, row_pitch } = *footprint;
        if !buffer.inner.desc.is_buffer() {
            return Err(wrong_kind(side.resource, "a texture with a placed footprint", "a buffer"));
        }
        let Some(element) = Element::of(format) else {
            return Err(rules::FOOTPRINT_FORMAT.violated(
                side.format,
                format,
                "a format of one plane, with elements of a known size",
            ));
        };
        if offset & (limits::TEXTURE_DATA_PLACEMENT_ALIGNMENT - 1) != 0
            && !is_unrestricted(caps, offset, element)
        {
            return Err(offset_violation(side, offset, caps, element));
        }
        let elements = [width >> element.width_log2, height >> element.height_log2, depth];
        let is_whole =
            elements[0] << element.width_log2 == width && elements[1] << element.height_log2 == height;
        if !is_whole || width == 0 || height == 0 || depth == 0 {
            return Err(dimensions_violation(side, footprint, element));
        }
        let row_bytes = (u64::from(elements[0]) * u64::from(element.repeat)) << element.bytes_log2;
        let is_pitch = row_pitch & (limits::TEXTURE_DATA_PITCH_ALIGNMENT - 1) == 0
            || is_unrestricted(caps, u64::from(row_pitch), element);
        if !is_pitch || u64::from(row_pitch) < row_bytes {
            return Err(pitch_violation(side, row_pitch, caps, element, row_bytes));
        }
        let slice_pitch = u64::from(row_pitch) * u64::from(elements[1]);
        let end = footprint_end(offset, slice_pitch, elements, row_pitch, row_bytes);
        if end.is_none_or(|end| end > buffer.inner.desc.width) {
            return Err(placement_violation(side, buffer, footprint, end));
        }
        Ok(Grid {
            place: GridPlace::Rows { offset, row_pitch, slice_pitch },
            elements,
            element,
            format,
            is_d24: false,
            samples_log2: 0,
        })
    }

    /// The engine's image of it.
    #[inline]
    pub(super) fn image(&self, recorder: &mut Recorder, resource: &Resource) -> Image {
        match self.place {
            GridPlace::Subresource(subresource) => Image::Surface {
                allocation: recorder.surface_allocation(resource),
                subresource,
                base: resource.inner.gpu_virtual_address,
            },
            GridPlace::Rows { offset, row_pitch, slice_pitch } => Image::Pitched {
                address: Address {
                    allocation: recorder.allocation(resource),
                    at: address_in(resource, offset),
                },
                row_pitch,
                slice_pitch,
            },
        }
    }

    /// A position or extent as the engine counts it.
    #[inline]
    pub(super) fn counted(&self, [x, y, z]: Origin) -> Origin {
        // No overflow: a texel of 96 bits has 12 bytes, and a row fits 32 bits of them.
        [x * u32::from(self.element.repeat), y, z]
    }

    /// Its extent in texels, of whole elements.
    pub(super) fn texels(&self) -> [u64; 3] {
        let [x, y, z] = self.elements.map(u64::from);
        [x << self.element.width_log2, y << self.element.height_log2, z]
    }
}

/// How a subresource of a texture lies.
///
/// # Errors
/// `copy.texture.subresource` where there is no such subresource, `copy.texture.opaque` where the driver does
/// not tell.
#[inline]
pub(super) fn surface_of<'a>(
    resource_field: &'static str,
    subresource_field: &'static str,
    texture: &'a Resource,
    subresource: u32,
) -> Result<&'a Surface, Box<Violation>> {
    let Some(surfaces) = texture.inner.surfaces() else {
        return Err(opaque(resource_field));
    };
    let surface = usize::try_from(subresource).ok().and_then(|index| surfaces.get(index));
    surface.ok_or_else(|| no_subresource(subresource_field, subresource, surfaces.len()))
}

#[cold]
fn opaque(field: &'static str) -> Box<Violation> {
    rules::TEXTURE_OPAQUE.violated(
        field,
        "a texture whose layout the driver keeps to itself",
        "a texture whose layout it tells",
    )
}

#[cold]
fn no_subresource(field: &'static str, given: u32, count: usize) -> Box<Violation> {
    rules::TEXTURE_SUBRESOURCE.violated(field, given, format_args!("0 to {}", count.saturating_sub(1)))
}

#[cold]
fn wrong_kind(field: &'static str, given: &'static str, allowed: &'static str) -> Box<Violation> {
    rules::TEXTURE_KIND.violated(field, given, allowed)
}

/// One past its last byte; `None` beyond 64 bits.
#[inline]
fn footprint_end(
    offset: u64,
    slice_pitch: u64,
    [_, rows, slices]: [u32; 3],
    row_pitch: u32,
    row_bytes: u64,
) -> Option<u64> {
    let slices_before = slice_pitch.checked_mul(u64::from(slices - 1))?;
    let rows_before = u64::from(row_pitch) * u64::from(rows - 1);
    offset.checked_add(slices_before)?.checked_add(rows_before)?.checked_add(row_bytes)
}

#[cold]
fn dimensions_violation(side: &SideWords, footprint: &PlacedFootprint, element: Element) -> Box<Violation> {
    let PlacedFootprint { format, width, height, depth, .. } = footprint;
    rules::FOOTPRINT_DIMENSIONS.violated(
        side.dimensions,
        format_args!("{width}x{height}x{depth} of {format}"),
        format_args!(
            "not 0, and multiples of {}x{}x1",
            1_u32 << element.width_log2,
            1_u32 << element.height_log2
        ),
    )
}

/// Whether an offset or a pitch that is no multiple of D3D12's alignment is legal where the adapter asks for
/// whole elements only.
#[cold]
fn is_unrestricted(caps: &Caps, bytes: u64, element: Element) -> bool {
    caps.unrestricted_buffer_texture_copy_pitch && bytes.is_multiple_of(element.bytes())
}

/// What an offset or a pitch is a multiple of, in words.
fn multiples(caps: &Caps, alignment: impl core::fmt::Display, element: Element) -> String {
    if caps.unrestricted_buffer_texture_copy_pitch {
        format!("a multiple of {alignment} or of the element's {}", element.bytes())
    } else {
        format!("a multiple of {alignment}")
    }
}

#[cold]
fn offset_violation(side: &SideWords, given: u64, caps: &Caps, element: Element) -> Box<Violation> {
    let allowed = multiples(caps, limits::TEXTURE_DATA_PLACEMENT_ALIGNMENT, element);
    rules::FOOTPRINT_OFFSET.violated(side.offset, given, allowed)
}

#[cold]
fn pitch_violation(
    side: &SideWords,
    given: u32,
    caps: &Caps,
    element: Element,
    row_bytes: u64,
) -> Box<Violation> {
    let multiples = multiples(caps, limits::TEXTURE_DATA_PITCH_ALIGNMENT, element);
    rules::FOOTPRINT_ROW_PITCH.violated(
        side.row_pitch,
        given,
        format_args!("{multiples} of at least {row_bytes}, the bytes of a row"),
    )
}

#[cold]
fn placement_violation(
    side: &SideWords,
    buffer: &Resource,
    footprint: &PlacedFootprint,
    end: Option<u64>,
) -> Box<Violation> {
    let PlacedFootprint { offset, format, width, height, depth, row_pitch } = footprint;
    let size = buffer.inner.desc.width;
    let given = format!("{width}x{height}x{depth} of {format} with row pitch {row_pitch} at offset {offset}");
    match end {
        Some(end) => rules::FOOTPRINT_PLACEMENT.violated(
            side.placement,
            given,
            format_args!("within the buffer's {size} bytes; it needs {end}"),
        ),
        None => rules::FOOTPRINT_PLACEMENT.violated(
            side.placement,
            given,
            format_args!("within the buffer's {size} bytes; it needs more than 2^64"),
        ),
    }
}
