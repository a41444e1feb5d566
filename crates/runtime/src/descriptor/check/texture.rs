//! Views of textures.

use heapstone_spec::profile::Caps;
use heapstone_spec::rules::view as rules;
use heapstone_spec::views::{ViewKind, formats_of_views, plane_of_view};
use heapstone_spec::{Format, FormatKind, ResourceDesc, ResourceDimension, Violation};

use super::{About, Checked, View};
use crate::descriptor::shape::{Axes, Shape, Span, TextureRange, TextureShape, ViewRange};
use crate::resource::Resource;

/// Faces of a cube.
const FACES: u32 = 6;

/// The format that a legal view has.
pub(super) fn check(view: &View<'_>, shape: &TextureShape) -> Checked<Format> {
    let Some(resource) = view.resource else {
        return check_null(view);
    };
    let desc = resource.desc();
    check_dimension(view, desc, shape)?;
    let format = check_format(view, resource, shape)?;
    check_mips(view, desc, shape)?;
    if shape.axes == Axes::Cube {
        check_cube(view, desc, shape)?;
    }
    check_slices(view, desc, shape)?;
    check_w(view, desc, shape)?;
    check_blocks(view, desc, format, shape)?;
    Ok(format)
}

/// Blocks that are seen as texels, which only a castable format does.
fn check_blocks(view: &View<'_>, desc: &ResourceDesc, format: Format, shape: &TextureShape) -> Checked<()> {
    let is_block = |format: Format| format.info().kind.contains(FormatKind::BLOCK_COMPRESSED);
    if !is_block(desc.format) || is_block(format) {
        return Ok(());
    }
    let count = |span, total| within(span, total).map_or(0, |(_, count)| count);
    let (mips, slices) = (count(shape.mips, u32::from(desc.mip_levels)), count(shape.slices, slices(desc)));
    if (mips, slices) == (1, 1) {
        return Ok(());
    }
    let given = format!("{mips} mips, {slices} array slices of {} as {format}", desc.format);
    let refused = rules::FORMAT_BLOCKS.violated("MipLevels, ArraySize", given, "1 and 1");
    Err(view.said(About::Dimensions, refused))
}

/// The part of a texture that a legal view reaches.
pub(super) fn range(
    kind: ViewKind,
    desc: &ResourceDesc,
    format: Format,
    shape: &TextureShape,
) -> Option<ViewRange> {
    let (first_mip, mip_count) = within(shape.mips, u32::from(desc.mip_levels))?;
    let (first_slice, slice_count) = within(shape.slices, slices(desc))?;
    let (first_w, w_count) = within(shape.w, depth(desc, first_mip))?;
    let slice_count = if shape.axes == Axes::Cube { slice_count / FACES * FACES } else { slice_count };
    // A depth-stencil view sees every plane; a castable format that was named is of a texture of one plane.
    let plane = match kind {
        ViewKind::DepthStencil => 0,
        _ => plane_of_view(desc.format, format, kind, shape.plane.unwrap_or(0)).unwrap_or(0),
    };
    Some(ViewRange::Texture(TextureRange {
        first_mip,
        mip_count,
        first_slice,
        slice_count,
        plane,
        first_w,
        w_count,
    }))
}

/// A span as first and count, where it is not empty and ends within `total`.
fn within(span: Span, total: u32) -> Option<(u32, u32)> {
    let left = total.checked_sub(span.first)?;
    let count = span.count.unwrap_or(left);
    (1..=left).contains(&count).then_some((span.first, count))
}

fn slices(desc: &ResourceDesc) -> u32 {
    if desc.dimension == ResourceDimension::Texture3D { 1 } else { u32::from(desc.depth_or_array_size) }
}

/// Depth slices of a mip; 1 of others than 3D textures.
fn depth(desc: &ResourceDesc, mip: u32) -> u32 {
    if desc.dimension == ResourceDimension::Texture3D {
        u32::from(desc.depth_or_array_size).checked_shr(mip).unwrap_or(0).max(1)
    } else {
        1
    }
}

/// A null descriptor: its format tells what a shader reads from nothing.
fn check_null(view: &View<'_>) -> Checked<Format> {
    check_typed(view, view.format)?;
    view.check_use(view.format)?;
    Ok(view.format)
}

/// Unordered access to multisampled textures.
pub(crate) fn check_multisampled_writes(shape: &Shape, caps: &Caps) -> Checked<()> {
    match shape {
        Shape::Texture(shape) if shape.axes == Axes::TwoMultisampled && !caps.writeable_msaa_textures => {
            Err(rules::UAV_SAMPLES.violated(
                "ViewDimension",
                shape.name,
                "dimensions without MS: WriteableMSAATexturesSupported is FALSE",
            ))
        }
        _ => Ok(()),
    }
}

fn check_dimension(view: &View<'_>, desc: &ResourceDesc, shape: &TextureShape) -> Checked<()> {
    let wanted = match shape.axes {
        Axes::One => ResourceDimension::Texture1D,
        Axes::Two | Axes::TwoMultisampled | Axes::Cube => ResourceDimension::Texture2D,
        Axes::Three => ResourceDimension::Texture3D,
    };
    if desc.dimension != wanted {
        let allowed = format!("dimensions of a {}", desc.dimension);
        let refused = rules::DIMENSION.violated("ViewDimension", shape.name, allowed);
        return Err(view.said(About::Dimensions, refused));
    }
    let samples = desc.sample_desc.count;
    if (samples > 1) != (shape.axes == Axes::TwoMultisampled) {
        let given = format!("{} of a texture of {samples} samples", shape.name);
        let allowed = if samples > 1 { "TEXTURE2DMS, TEXTURE2DMSARRAY" } else { "dimensions without MS" };
        let refused = rules::SAMPLES.violated("ViewDimension", given, allowed);
        return Err(view.said(About::Dimensions, refused));
    }
    Ok(())
}

fn check_typed(view: &View<'_>, format: Format) -> Checked<()> {
    if format != Format::UNKNOWN && !format.info().kind.contains(FormatKind::TYPELESS) {
        return Ok(());
    }
    let given = match (view.format, view.resource) {
        (Format::UNKNOWN, Some(resource)) => format!("UNKNOWN, for a resource of {}", resource.desc().format),
        (Format::UNKNOWN, None) => "UNKNOWN, without a resource".to_owned(),
        (format, _) => format.to_string(),
    };
    Err(view.said(About::Format, rules::FORMAT_TYPELESS.violated("Format", given, "typed formats")))
}

fn check_format(view: &View<'_>, resource: &Resource, shape: &TextureShape) -> Checked<Format> {
    let own = resource.desc().format;
    let format = if view.format == Format::UNKNOWN { own } else { view.format };
    check_typed(view, format)?;
    let asked = shape.plane.unwrap_or(0);
    let castable = resource.castable_formats();
    let plane = if castable.is_empty() {
        plane_of_view(own, format, view.kind, asked)
    } else {
        (format == own || castable.contains(&format)).then_some(0)
    };
    let Some(plane) = plane else {
        return Err(cast_refused(view, own, format, castable));
    };
    view.check_use(format)?;
    if shape.plane.is_some_and(|given| given != plane) {
        let is_video = own.info().kind.contains(FormatKind::YUV);
        let about = if is_video { About::VideoPlane } else { About::Plane };
        let allowed = format!("{plane}, which format {format} sees of {own}");
        return Err(view.said(about, rules::PLANE.violated("PlaneSlice", asked, allowed)));
    }
    Ok(format)
}

#[cold]
fn cast_refused(view: &View<'_>, own: Format, format: Format, castable: &[Format]) -> Box<Violation> {
    let mut allowed: Vec<Format> = if castable.is_empty() {
        formats_of_views(own, view.kind)
    } else {
        core::iter::once(own).chain(castable.iter().copied()).collect()
    };
    allowed.retain(|format| view.takes(*format));
    let names: Vec<&str> = allowed.iter().map(|format| format.name()).collect();
    let allowed = if names.is_empty() { format!("no {} of {own}", view.kind) } else { names.join(", ") };
    let given = format!("{format} of a resource of {own}");
    view.said(About::Format, rules::FORMAT_CAST.violated("Format", given, allowed))
}

/// "first + count", or "first + the rest".
fn span_text(span: Span) -> String {
    match span.count {
        Some(count) => format!("{} + {count}", span.first),
        None => format!("{} + the rest", span.first),
    }
}

fn check_mips(view: &View<'_>, desc: &ResourceDesc, shape: &TextureShape) -> Checked<()> {
    let levels = u32::from(desc.mip_levels);
    if within(shape.mips, levels).is_some() {
        return Ok(());
    }
    let (field, given) = match view.kind {
        ViewKind::ShaderResource => ("MostDetailedMip + MipLevels", span_text(shape.mips)),
        _ => ("MipSlice", shape.mips.first.to_string()),
    };
    let allowed = format!("at least one, within the resource's {levels} mips");
    Err(view.said(About::Dimensions, rules::MIPS.violated(field, given, allowed)))
}

fn check_cube(view: &View<'_>, desc: &ResourceDesc, shape: &TextureShape) -> Checked<()> {
    if desc.width != u64::from(desc.height) {
        let given = format!("{} of {} x {}", shape.name, desc.width, desc.height);
        let refused = rules::CUBE.violated("ViewDimension", given, "square textures");
        return Err(view.said(About::Dimensions, refused));
    }
    let left = slices(desc).saturating_sub(shape.slices.first);
    // Of the rest, what is no whole cube is left out.
    let faces = shape.slices.count.unwrap_or(left / FACES * FACES);
    if faces == 0 || faces > left {
        let cubes = shape.slices.count.map(|faces| faces / FACES);
        let given = format!(
            "{} from face {}",
            cubes.map_or("the rest".to_owned(), |cubes| format!("{cubes} cubes")),
            shape.slices.first
        );
        let allowed =
            format!("at least one cube, 6 faces each, within the resource's {} slices", slices(desc));
        return Err(view.said(About::Dimensions, rules::CUBE.violated("NumCubes", given, allowed)));
    }
    Ok(())
}

fn check_slices(view: &View<'_>, desc: &ResourceDesc, shape: &TextureShape) -> Checked<()> {
    let total = slices(desc);
    if within(shape.slices, total).is_some() {
        return Ok(());
    }
    let allowed = format!("at least one, within the resource's {total} slices");
    let refused = rules::SLICES.violated("FirstArraySlice + ArraySize", span_text(shape.slices), allowed);
    Err(view.said(About::Dimensions, refused))
}

fn check_w(view: &View<'_>, desc: &ResourceDesc, shape: &TextureShape) -> Checked<()> {
    let mip = shape.mips.first;
    let depth = depth(desc, mip);
    if within(shape.w, depth).is_some() {
        return Ok(());
    }
    let allowed = format!("at least one, within the {depth} of mip {mip}");
    let refused = rules::W_SLICES.violated("FirstWSlice + WSize", span_text(shape.w), allowed);
    Err(view.said(About::Dimensions, refused))
}
