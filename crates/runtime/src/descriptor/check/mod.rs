//! Whether a view is legal: its format, and the part of its resource that it reaches.

mod buffer;
mod texture;

use heapstone_spec::message::{self, MessageId};
use heapstone_spec::rules::view as rules;
use heapstone_spec::views::{DsvFlags, ViewKind};
use heapstone_spec::{Format, FormatKind, FormatUses, ResourceDesc, ResourceFlags, Violation};

use super::shape::{Shape, ViewRange};
use crate::device::DeviceInner;
use crate::resource::Resource;
pub(super) use buffer::{check_constant_buffer, check_counter};
pub(super) use texture::check_multisampled_writes;

pub(super) type Checked<T> = Result<T, Box<Violation>>;

/// What is judged of a view, whatever its kind.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) kind: ViewKind,
    pub(super) resource: Option<&'a Resource>,
    /// As given.
    pub(super) format: Format,
    pub(super) shape: Shape,
}

impl View<'_> {
    /// The format that the view has: as given, or the resource's.
    ///
    /// Where the view has a resource, that is of the same device and its flags were judged.
    pub(super) fn check(&self) -> Checked<Format> {
        match &self.shape {
            Shape::Buffer(shape) => buffer::check(self, shape),
            Shape::Texture(shape) => texture::check(self, shape),
            Shape::AccelerationStructure { location } => {
                if self.resource.is_none() && location.0.is_multiple_of(256) {
                    return Ok(self.format);
                }
                let resource = if self.resource.is_some() { "with a resource" } else { "without a resource" };
                Err(rules::ACCELERATION_STRUCTURE.violated(
                    "Location",
                    format_args!("{:#x} {resource}", location.0),
                    "multiples of 256, without a resource",
                ))
            }
        }
    }

    /// The part of its resource that a view reaches which was found legal, with the format it was found to have.
    pub(super) fn range(&self) -> Option<ViewRange> {
        let resource = self.resource?;
        match &self.shape {
            Shape::Buffer(shape) => Some(buffer::range(shape, self.format)),
            Shape::Texture(shape) => texture::range(self.kind, resource.desc(), self.format, shape),
            Shape::AccelerationStructure { .. } => None,
        }
    }

    /// The violation with the message of the call that creates views of this kind.
    fn said(&self, about: About, mut violation: Box<Violation>) -> Box<Violation> {
        violation.message = Some(about.message(self.kind));
        violation
    }

    /// Whether adapters use the format for views of this kind.
    fn takes(&self, format: Format) -> bool {
        let uses = format.uses();
        !format.info().kind.intersects(FormatKind::OPAQUE | FormatKind::YUV)
            && match self.kind {
                ViewKind::ShaderResource => {
                    uses.intersects(FormatUses::SHADER_LOAD | FormatUses::SHADER_SAMPLE)
                }
                ViewKind::UnorderedAccess => uses.contains(FormatUses::TYPED_UAV),
                ViewKind::RenderTarget => uses.contains(FormatUses::RENDER_TARGET),
                ViewKind::DepthStencil => format.info().kind.contains(FormatKind::DEPTH),
            }
    }

    fn check_use(&self, format: Format) -> Checked<()> {
        if self.takes(format) {
            return Ok(());
        }
        let allowed = match self.kind {
            ViewKind::ShaderResource => "formats that shaders read",
            ViewKind::UnorderedAccess => "formats that shaders write",
            ViewKind::RenderTarget => "formats that are rendered to",
            ViewKind::DepthStencil => "D16_UNORM, D24_UNORM_S8_UINT, D32_FLOAT, D32_FLOAT_S8X24_UINT",
        };
        let refused =
            rules::FORMAT_USE.violated("Format", format_args!("{format} of a {}", self.kind), allowed);
        Err(self.said(About::FormatUse, refused))
    }
}

/// That the resource is of the view's device, and that its flags allow the view.
pub(super) fn check_resource(kind: ViewKind, resource: &Resource, device: &DeviceInner) -> Checked<()> {
    check_device(resource, device, "pResource")?;
    let flags = resource.inner.desc.flags;
    let (wanted, unwanted) = flags_of(kind);
    if flags.contains(wanted) && !flags.intersects(unwanted) {
        return Ok(());
    }
    let allowed = if wanted.is_empty() {
        format!("none of {unwanted}")
    } else {
        format!("{wanted}, none of {unwanted}")
    };
    let mut violation = rules::RESOURCE_FLAGS.violated("D3D12_RESOURCE_DESC.Flags", flags, allowed);
    violation.message = Some(About::Resource.message(kind));
    Err(violation)
}

pub(super) fn check_device(resource: &Resource, device: &DeviceInner, field: &'static str) -> Checked<()> {
    if core::ptr::eq(resource.inner.device(), device) {
        return Ok(());
    }
    Err(rules::RESOURCE_DEVICE.violated(field, "a resource of another device", "resources of this device"))
}

/// The flags that a view needs, and those that forbid it (spec/2-resource-heaps.txt 118-124; the video
/// engines' references are read by nothing else: Microsoft's documentation of D3D12_RESOURCE_FLAGS).
const fn flags_of(kind: ViewKind) -> (ResourceFlags, ResourceFlags) {
    const VIDEO: ResourceFlags =
        ResourceFlags::VIDEO_DECODE_REFERENCE_ONLY.union(ResourceFlags::VIDEO_ENCODE_REFERENCE_ONLY);
    match kind {
        ViewKind::ShaderResource => {
            (ResourceFlags::empty(), VIDEO.union(ResourceFlags::DENY_SHADER_RESOURCE))
        }
        ViewKind::UnorderedAccess => (ResourceFlags::ALLOW_UNORDERED_ACCESS, VIDEO),
        ViewKind::RenderTarget => (ResourceFlags::ALLOW_RENDER_TARGET, VIDEO),
        ViewKind::DepthStencil => (ResourceFlags::ALLOW_DEPTH_STENCIL, VIDEO),
    }
}

/// That there is a description, or a resource to take one from.
pub(super) fn missing(kind: ViewKind) -> Box<Violation> {
    let mut violation = rules::NO_RESOURCE_NO_DESC.violated(
        "pDesc",
        "NULL, beside a NULL resource",
        "a description, or a resource",
    );
    violation.message = Some(About::Desc.message(kind));
    violation
}

/// That there is a view of `desc` without a description.
pub(super) fn check_default<D>(kind: ViewKind, desc: &ResourceDesc, dimension: Option<D>) -> Checked<D> {
    let info = desc.format.info();
    let is_typed = !info.kind.contains(FormatKind::TYPELESS);
    let in_one_plane = info.plane_count == 1 || kind == ViewKind::DepthStencil;
    match dimension {
        Some(dimension) if is_typed && in_one_plane => Ok(dimension),
        _ => {
            let given = format!("NULL, for a {} of format {}", desc.dimension, desc.format);
            let mut violation = rules::DEFAULT.violated(
                "pDesc",
                given,
                "NULL for textures whose format is typed and in one plane",
            );
            violation.message = Some(About::Desc.message(kind));
            Err(violation)
        }
    }
}

/// What a message of the debug layer is about; each call has its own.
#[derive(Clone, Copy)]
enum About {
    Desc,
    Format,
    FormatUse,
    VideoPlane,
    Plane,
    Dimensions,
    Resource,
    BufferFlags,
}

impl About {
    const fn message(self, kind: ViewKind) -> MessageId {
        use message as m;
        match (kind, self) {
            (ViewKind::ShaderResource, About::Desc | About::BufferFlags) => {
                m::CREATESHADERRESOURCEVIEW_INVALIDDESC
            }
            (ViewKind::ShaderResource, About::Format | About::FormatUse) => {
                m::CREATESHADERRESOURCEVIEW_INVALIDFORMAT
            }
            (ViewKind::ShaderResource, About::VideoPlane) => {
                m::CREATESHADERRESOURCEVIEW_INVALIDVIDEOPLANESLICE
            }
            (ViewKind::ShaderResource, About::Plane) => m::CREATESHADERRESOURCEVIEW_INVALIDPLANESLICE,
            (ViewKind::ShaderResource, About::Dimensions) => m::CREATESHADERRESOURCEVIEW_INVALIDDIMENSIONS,
            (ViewKind::ShaderResource, About::Resource) => m::CREATESHADERRESOURCEVIEW_INVALIDRESOURCE,
            (ViewKind::UnorderedAccess, About::Desc) => m::CREATEUNORDEREDACCESSVIEW_INVALIDDESC,
            (ViewKind::UnorderedAccess, About::BufferFlags) => m::CREATEUNORDEREDACCESSVIEW_INVALIDFLAGS,
            (ViewKind::UnorderedAccess, About::Format | About::FormatUse) => {
                m::CREATEUNORDEREDACCESSVIEW_INVALIDFORMAT
            }
            (ViewKind::UnorderedAccess, About::VideoPlane) => {
                m::CREATEUNORDEREDACCESSVIEW_INVALIDVIDEOPLANESLICE
            }
            (ViewKind::UnorderedAccess, About::Plane) => m::CREATEUNORDEREDACCESSVIEW_INVALIDPLANESLICE,
            (ViewKind::UnorderedAccess, About::Dimensions) => m::CREATEUNORDEREDACCESSVIEW_INVALIDDIMENSIONS,
            (ViewKind::UnorderedAccess, About::Resource) => m::CREATEUNORDEREDACCESSVIEW_INVALIDRESOURCE,
            (ViewKind::RenderTarget, About::Desc | About::BufferFlags) => {
                m::CREATERENDERTARGETVIEW_INVALIDDESC
            }
            (ViewKind::RenderTarget, About::Format) => m::CREATERENDERTARGETVIEW_INVALIDFORMAT,
            (ViewKind::RenderTarget, About::FormatUse) => m::CREATERENDERTARGETVIEW_UNSUPPORTEDFORMAT,
            (ViewKind::RenderTarget, About::VideoPlane) => m::CREATERENDERTARGETVIEW_INVALIDVIDEOPLANESLICE,
            (ViewKind::RenderTarget, About::Plane) => m::CREATERENDERTARGETVIEW_INVALIDPLANESLICE,
            (ViewKind::RenderTarget, About::Dimensions) => m::CREATERENDERTARGETVIEW_INVALIDDIMENSIONS,
            (ViewKind::RenderTarget, About::Resource) => m::CREATERENDERTARGETVIEW_INVALIDRESOURCE,
            (ViewKind::DepthStencil, About::Desc | About::BufferFlags | About::VideoPlane | About::Plane) => {
                m::CREATEDEPTHSTENCILVIEW_INVALIDDESC
            }
            (ViewKind::DepthStencil, About::Format | About::FormatUse) => {
                m::CREATEDEPTHSTENCILVIEW_INVALIDFORMAT
            }
            (ViewKind::DepthStencil, About::Dimensions) => m::CREATEDEPTHSTENCILVIEW_INVALIDDIMENSIONS,
            (ViewKind::DepthStencil, About::Resource) => m::CREATEDEPTHSTENCILVIEW_INVALIDRESOURCE,
        }
    }
}

/// ResourceMinLODClamp.
pub(super) fn check_lod_clamp(clamp: f32) -> Checked<()> {
    // Not a number compares as false.
    if clamp >= 0.0 {
        return Ok(());
    }
    Err(rules::LOD_CLAMP.violated("ResourceMinLODClamp", clamp, "0 and more"))
}

/// D3D12_DSV_FLAGS, of a view with that format.
pub(super) fn check_dsv_flags(flags: DsvFlags, format: Format) -> Checked<()> {
    let has_stencil = format.info().kind.contains(FormatKind::STENCIL);
    let allowed = if has_stencil { DsvFlags::all() } else { DsvFlags::READ_ONLY_DEPTH };
    if allowed.contains(flags) {
        return Ok(());
    }
    Err(rules::DSV_FLAGS.violated(
        "Flags",
        format_args!("{flags} of a view of {format}"),
        format_args!("NONE, {allowed}"),
    ))
}
