//! ResolveSubresource and ResolveSubresourceRegion.

use heapstone_driver::dma::Command;
use heapstone_spec::caps::ProgrammableSamplePositionsTier;
use heapstone_spec::commands::{CommandListType, Rect, ResolveMode};
use heapstone_spec::rules::resolve as rules;
use heapstone_spec::{Format, FormatKind, FormatUses, ResourceDimension, Violation};
use heapstone_texel::{Components, components};

use super::element::is_depth_stencil;
use super::grid::{Grid, surface_of};
use super::list::CommandList;
use super::observed::ListCommand;
use crate::error::Error;
use crate::resource::Resource;

const TYPES: &[CommandListType] = &[CommandListType::Direct];
const DESTINATION: &str = "pDstResource";
const SOURCE: &str = "pSrcResource";

/// D3D12's arguments of ResolveSubresourceRegion.
#[derive(Clone, Copy, Debug)]
pub struct ResolveRegion<'a> {
    /// Where to.
    pub destination: &'a Resource,
    /// Its subresource.
    pub destination_subresource: u32,
    /// DstX.
    pub x: u32,
    /// DstY.
    pub y: u32,
    /// Where from.
    pub source: &'a Resource,
    /// Its subresource.
    pub source_subresource: u32,
    /// In texels; `None`: all of the source.
    pub source_rect: Option<Rect>,
    /// How the texels are to be read.
    pub format: Format,
    /// How samples become one.
    pub mode: ResolveMode,
}

impl CommandList {
    /// ID3D12GraphicsCommandList::ResolveSubresource: the mean of each texel's samples.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `resolve.*`, `copy.texture.opaque`, `list.*`.
    pub fn resolve_subresource(
        &mut self,
        destination: &Resource,
        destination_subresource: u32,
        source: &Resource,
        source_subresource: u32,
        format: Format,
    ) -> Result<(), Error> {
        let region = ResolveRegion {
            destination,
            destination_subresource,
            x: 0,
            y: 0,
            source,
            source_subresource,
            source_rect: None,
            format,
            mode: ResolveMode::Average,
        };
        let result = self.record_resolve("ResolveSubresource", &region, Extents::Same);
        self.ended(result, || ListCommand::ResolveSubresource {
            destination: destination.id(),
            destination_subresource,
            source: source.id(),
            source_subresource,
            format,
        })
    }

    /// ID3D12GraphicsCommandList1::ResolveSubresourceRegion. DECOMPRESS copies all samples; in place it does
    /// nothing, as nothing here is compressed.
    ///
    /// # Errors
    /// As of [`CommandList::resolve_subresource`].
    pub fn resolve_subresource_region(&mut self, region: &ResolveRegion<'_>) -> Result<(), Error> {
        let result = self.record_resolve("ResolveSubresourceRegion", region, Extents::Any);
        self.ended(result, || ListCommand::ResolveSubresourceRegion { region })
    }

    fn record_resolve(
        &mut self,
        call: &'static str,
        resolve: &ResolveRegion<'_>,
        extents: Extents,
    ) -> Result<(), Box<Violation>> {
        self.recorder(call, TYPES)?;
        if extents == Extents::Any {
            check_tier(self.device.layout_rules.caps.programmable_sample_positions_tier)?;
        }
        self.check_device(DESTINATION, resolve.destination)?;
        self.check_device(SOURCE, resolve.source)?;
        let to =
            grid_of(DESTINATION, "DstSubresource", resolve.destination, resolve.destination_subresource)?;
        let from = grid_of(SOURCE, "SrcSubresource", resolve.source, resolve.source_subresource)?;
        check_samples(&to, &from, resolve)?;
        let format = check_format(&to, &from, resolve)?;
        check_typed_formats(resolve)?;
        if extents == Extents::Same {
            check_averaged(resolve.format)?;
        }
        if extents == Extents::Same && to.elements != from.elements {
            return Err(rules::RESOLVE_MISMATCH.violated(
                "DstSubresource, SrcSubresource",
                format_args!("{} to {}", Texels(&from), Texels(&to)),
                "subresources of one extent",
            ));
        }
        let (origin, size) = region_of(&to, &from, resolve)?;
        if size.contains(&0) {
            return Ok(());
        }
        let destination_origin = [resolve.x, resolve.y, 0];
        if resolve.destination == resolve.source && to.place == from.place {
            return check_in_place(resolve.mode, origin, destination_origin);
        }
        let recorder = self.recorder(call, TYPES)?;
        recorder.begin_call(1)?;
        let destination = to.image(recorder, resolve.destination);
        let source = from.image(recorder, resolve.source);
        let (destination_origin, source_origin) = (to.counted(destination_origin), from.counted(origin));
        let (size, samples_log2) = (from.counted(size), from.samples_log2);
        recorder.push(&match resolve.mode {
            ResolveMode::Decompress => Command::CopyRegion {
                destination,
                destination_origin,
                source,
                source_origin,
                size,
                element_bytes_log2: from.element.bytes_log2,
                samples_log2,
                mask: u32::MAX,
            },
            mode => Command::Resolve {
                destination,
                destination_origin,
                source,
                source_origin,
                size,
                samples_log2,
                format,
                mode,
            },
        });
        Ok(())
    }
}

/// Whether both subresources must be of one extent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extents {
    Same,
    Any,
}

/// A grid's extent in texels, in words.
struct Texels<'a>(&'a Grid);

impl core::fmt::Display for Texels<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let [width, height, _] = self.0.texels();
        write!(f, "{width}x{height}")
    }
}

fn check_tier(tier: ProgrammableSamplePositionsTier) -> Result<(), Box<Violation>> {
    if tier != ProgrammableSamplePositionsTier::NotSupported {
        return Ok(());
    }
    Err(rules::RESOLVE_REGION_TIER.violated(
        "ProgrammableSamplePositionsTier",
        u32::from(tier),
        "1 or 2; ResolveSubresource on this adapter",
    ))
}

fn grid_of(
    field: &'static str,
    subresource_field: &'static str,
    texture: &Resource,
    subresource: u32,
) -> Result<Grid, Box<Violation>> {
    let dimension = texture.inner.desc.dimension;
    if dimension != ResourceDimension::Texture2D {
        return Err(rules::RESOLVE_TEXTURE.violated(field, format_args!("a {dimension}"), "a TEXTURE2D"));
    }
    let count = heapstone_layout::subresource_count(&texture.inner.desc);
    if u64::from(subresource) >= count {
        return Err(rules::RESOLVE_SUBRESOURCE.violated(
            subresource_field,
            subresource,
            format_args!("0 to {}", count.saturating_sub(1)),
        ));
    }
    let surface = surface_of(field, subresource_field, texture, subresource)?;
    Ok(Grid::of_surface(texture, subresource, surface))
}

fn check_samples(to: &Grid, from: &Grid, resolve: &ResolveRegion<'_>) -> Result<(), Box<Violation>> {
    let counts = [resolve.source, resolve.destination].map(|texture| texture.inner.desc.sample_desc.count);
    let is_legal = match resolve.mode {
        ResolveMode::Decompress => to.samples_log2 == from.samples_log2,
        _ => from.samples_log2 > 0 && to.samples_log2 == 0,
    };
    if is_legal {
        return Ok(());
    }
    let allowed = match resolve.mode {
        ResolveMode::Decompress => "as many samples on both sides",
        _ => "several samples to 1",
    };
    Err(rules::RESOLVE_SAMPLES.violated(
        "SampleDesc.Count",
        format_args!("{} samples to {}", counts[0], counts[1]),
        allowed,
    ))
}

/// The format by which the engine reads a texel of the source's plane.
fn check_format(to: &Grid, from: &Grid, resolve: &ResolveRegion<'_>) -> Result<Format, Box<Violation>> {
    let format = resolve.format;
    let of_family = [resolve.source, resolve.destination].map(|texture| {
        texture.inner.desc.format.info().same_family(format) || texture.castable_formats().contains(&format)
    });
    let is_typed = !format.info().kind.contains(FormatKind::TYPELESS);
    let plane = format_of_plane(format, from);
    let is_integer = components(plane).map(Components::is_integer);
    let uses = format.uses();
    let resolves = match (resolve.mode, is_integer) {
        (_, None) => false,
        (ResolveMode::Decompress, _) => true,
        (ResolveMode::Average, Some(is_integer)) => {
            !is_integer && uses.intersects(FormatUses::RENDER_TARGET | FormatUses::DEPTH_STENCIL)
        }
        (ResolveMode::Min | ResolveMode::Max, Some(_)) => {
            uses.intersects(FormatUses::RENDER_TARGET | FormatUses::DEPTH_STENCIL)
        }
    };
    let one_plane = to.format.info().same_family(from.format);
    if of_family == [true; 2] && is_typed && resolves && one_plane {
        return Ok(plane);
    }
    Err(rules::RESOLVE_FORMAT.violated(
        "Format",
        format_args!(
            "{format} for {} to {} by {}",
            resolve.source.inner.desc.format, resolve.destination.inner.desc.format, resolve.mode
        ),
        "a typed format of both textures' family that the mode resolves",
    ))
}

/// A texture with a typed format is resolved as that, or as what it casts to: of ResolveSubresource's rules one
/// that ResolveSubresourceRegion shares.
fn check_typed_formats(resolve: &ResolveRegion<'_>) -> Result<(), Box<Violation>> {
    let format = resolve.format;
    for (field, texture) in [(SOURCE, resolve.source), (DESTINATION, resolve.destination)] {
        let own = texture.inner.desc.format;
        let is_typed = !own.info().kind.contains(FormatKind::TYPELESS);
        if is_typed && own != format && !texture.castable_formats().contains(&format) {
            return Err(rules::RESOLVE_FORMAT_TYPED.violated(
                field,
                format_args!("a texture of {own}, resolved as {format}"),
                own,
            ));
        }
    }
    Ok(())
}

/// What ResolveSubresource asks beyond ResolveSubresourceRegion: a format whose samples adapters average by
/// themselves.
fn check_averaged(format: Format) -> Result<(), Box<Violation>> {
    if format.uses().contains(FormatUses::MULTISAMPLE_RESOLVE) {
        return Ok(());
    }
    Err(rules::RESOLVE_FORMAT_AVERAGE.violated("Format", format, "a format with MULTISAMPLE_RESOLVE"))
}

/// What a plane's texels are: of a depth-stencil the depth as its own format, the stencil as R8_UINT.
fn format_of_plane(format: Format, from: &Grid) -> Format {
    if !is_depth_stencil(format) {
        return format;
    }
    match (from.element.bytes_log2, format.info().family) {
        (0, _) => Format::R8_UINT,
        (_, Format::R24G8_TYPELESS) => Format::D24_UNORM_S8_UINT,
        _ => Format::D32_FLOAT_S8X24_UINT,
    }
}

/// Origin in the source, and size.
fn region_of(
    to: &Grid,
    from: &Grid,
    resolve: &ResolveRegion<'_>,
) -> Result<([u32; 3], [u32; 3]), Box<Violation>> {
    let [width, height, _] = from.elements;
    let (origin, size) = match resolve.source_rect {
        None => ([0, 0], [width, height]),
        Some(rect) if rect.right <= rect.left || rect.bottom <= rect.top => ([0, 0], [0, 0]),
        Some(rect) => {
            let edge = |at: i32, end: u32| u32::try_from(at).ok().filter(|at| *at <= end);
            let edges = (
                edge(rect.left, width),
                edge(rect.top, height),
                edge(rect.right, width),
                edge(rect.bottom, height),
            );
            let (Some(left), Some(top), Some(right), Some(bottom)) = edges else {
                return Err(rules::RESOLVE_REGION.violated(
                    "pSrcRect",
                    rect,
                    format_args!("within {}", Texels(from)),
                ));
            };
            ([left, top], [right - left, bottom - top])
        }
    };
    let fits = |at: u32, count: u32, end: u32| u64::from(at) + u64::from(count) <= u64::from(end);
    if !fits(resolve.x, size[0], to.elements[0]) || !fits(resolve.y, size[1], to.elements[1]) {
        return Err(rules::RESOLVE_REGION.violated(
            "DstX, DstY",
            format_args!("{}x{} texels at ({}, {})", size[0], size[1], resolve.x, resolve.y),
            format_args!("within {}", Texels(to)),
        ));
    }
    Ok(([origin[0], origin[1], 0], [size[0], size[1], 1]))
}

/// Of a resolve within one subresource: there is nothing to do, where it is legal.
fn check_in_place(mode: ResolveMode, from: [u32; 3], to: [u32; 3]) -> Result<(), Box<Violation>> {
    if mode == ResolveMode::Decompress && from == to {
        return Ok(());
    }
    let ([from_x, from_y, _], [x, y, _]) = (from, to);
    Err(rules::RESOLVE_IN_PLACE.violated(
        "DstX, DstY, pSrcRect",
        format_args!("{mode} from ({from_x}, {from_y}) to ({x}, {y}) of one subresource"),
        "DECOMPRESS in place, or two subresources",
    ))
}
