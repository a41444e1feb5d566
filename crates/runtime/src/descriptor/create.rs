//! The calls that create views and samplers: a view is judged, and then written to its descriptor.
//!
//! D3D12's calls return nothing, and leave what is illegal to the debug layer or to undefined behaviour; here,
//! as in D3D12's later Try calls, an illegal view is refused and the descriptor keeps what it held.

use heapstone_spec::views::{
    ComponentMapping, ConstantBufferViewDesc, CpuDescriptorHandle, DepthStencilViewDesc, DescriptorHeapType,
    DsvFlags, RenderTargetViewDesc, SamplerDesc, ShaderResourceViewDesc, SrvDimension,
    UnorderedAccessViewDesc, ViewKind,
};
use heapstone_spec::{Format, Violation};

use super::check::{
    View, check_constant_buffer, check_counter, check_default, check_dsv_flags, check_lod_clamp,
    check_multisampled_writes, check_resource, missing,
};
use super::shape::{Shape, default_dsv, default_rtv, default_srv, default_uav};
use super::stored::{Descriptor, Target};
use crate::device::{Device, DeviceInner};
use crate::error::Error;
use crate::observer::Call;
use crate::resource::Resource;

impl Device {
    /// ID3D12Device::CreateShaderResourceView. Without a resource it is a null descriptor, which reads 0;
    /// without a description it shows the whole of a texture in its own format.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `view.*` or `descriptor.handle*`.
    pub fn create_shader_resource_view(
        &self,
        resource: Option<&Resource>,
        desc: Option<&ShaderResourceViewDesc>,
        at: CpuDescriptorHandle,
    ) -> Result<(), Error> {
        let result = self.write_shader_resource_view(resource, desc, at);
        self.inner.observe(|| Call::CreateShaderResourceView {
            resource: resource.map(Resource::id),
            desc,
            at,
            outcome: result.as_ref().copied(),
        });
        result
    }

    /// ID3D12Device::CreateUnorderedAccessView; `counter` is that of an append or consume buffer. Without a
    /// resource it is a null descriptor, whose writes are dropped; without a description it shows the first mip
    /// of a texture in its own format.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `view.*` or `descriptor.handle*`.
    pub fn create_unordered_access_view(
        &self,
        resource: Option<&Resource>,
        counter: Option<&Resource>,
        desc: Option<&UnorderedAccessViewDesc>,
        at: CpuDescriptorHandle,
    ) -> Result<(), Error> {
        let result = self.write_unordered_access_view(resource, counter, desc, at);
        self.inner.observe(|| Call::CreateUnorderedAccessView {
            resource: resource.map(Resource::id),
            counter: counter.map(Resource::id),
            desc,
            at,
            outcome: result.as_ref().copied(),
        });
        result
    }

    /// ID3D12Device::CreateRenderTargetView. Without a resource it is a null descriptor, whose writes are
    /// dropped; without a description it shows the first mip of a texture in its own format.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `view.*` or `descriptor.handle*`.
    pub fn create_render_target_view(
        &self,
        resource: Option<&Resource>,
        desc: Option<&RenderTargetViewDesc>,
        at: CpuDescriptorHandle,
    ) -> Result<(), Error> {
        let result = self.write_render_target_view(resource, desc, at);
        self.inner.observe(|| Call::CreateRenderTargetView {
            resource: resource.map(Resource::id),
            desc,
            at,
            outcome: result.as_ref().copied(),
        });
        result
    }

    /// ID3D12Device::CreateDepthStencilView. Without a resource it is a null descriptor, which tests and writes
    /// nothing; without a description it shows the first mip of a texture in its own format.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `view.*` or `descriptor.handle*`.
    pub fn create_depth_stencil_view(
        &self,
        resource: Option<&Resource>,
        desc: Option<&DepthStencilViewDesc>,
        at: CpuDescriptorHandle,
    ) -> Result<(), Error> {
        let result = self.write_depth_stencil_view(resource, desc, at);
        self.inner.observe(|| Call::CreateDepthStencilView {
            resource: resource.map(Resource::id),
            desc,
            at,
            outcome: result.as_ref().copied(),
        });
        result
    }

    /// ID3D12Device::CreateConstantBufferView. Without a description, or with address and size 0, it is a null
    /// descriptor, which reads 0.
    ///
    /// The address must be one of a committed or reserved buffer, within its width, or of a heap: which buffers
    /// are placed there is not asked (chosen, because a heap's addresses are known and its buffers overlap).
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `view.cbv.*` or `descriptor.handle*`.
    pub fn create_constant_buffer_view(
        &self,
        desc: Option<&ConstantBufferViewDesc>,
        at: CpuDescriptorHandle,
    ) -> Result<(), Error> {
        let result = self.write_constant_buffer_view(desc, at);
        self.inner.observe(|| Call::CreateConstantBufferView {
            desc,
            place: desc.and_then(|desc| self.inner.place_of(desc.buffer_location)),
            at,
            outcome: result.as_ref().copied(),
        });
        result
    }

    /// ID3D12Device::CreateSampler, and CreateSampler2 of ID3D12Device11.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `sampler.*` or `descriptor.handle*`.
    pub fn create_sampler(&self, desc: &SamplerDesc, at: CpuDescriptorHandle) -> Result<(), Error> {
        let result = self.write_sampler(desc, at);
        self.inner.observe(|| Call::CreateSampler { desc, at, outcome: result.as_ref().copied() });
        result
    }
}

/// The same, heard by nobody.
impl Device {
    #[inline]
    fn write_shader_resource_view(
        &self,
        resource: Option<&Resource>,
        desc: Option<&ShaderResourceViewDesc>,
        at: CpuDescriptorHandle,
    ) -> Result<(), Error> {
        let mut default = None;
        let desc = described(desc, resource, &self.inner, &mut default)?;
        if let Some(clamp) = lod_clamp(&desc.dimension) {
            check_lod_clamp(clamp)?;
        }
        let format = desc.view(resource).check()?;
        let resource = self.target(resource);
        self.write_descriptor(at, DescriptorHeapType::CbvSrvUav, |descriptor| {
            let desc = ShaderResourceViewDesc { format, ..*desc };
            *descriptor = Descriptor::ShaderResource { resource, desc };
        })
    }

    #[inline]
    fn write_unordered_access_view(
        &self,
        resource: Option<&Resource>,
        counter: Option<&Resource>,
        desc: Option<&UnorderedAccessViewDesc>,
        at: CpuDescriptorHandle,
    ) -> Result<(), Error> {
        check_counter(resource, counter, desc, &self.inner)?;
        let mut default = None;
        let desc = described(desc, resource, &self.inner, &mut default)?;
        let view = desc.view(resource);
        check_multisampled_writes(&view.shape, &self.inner.layout_rules.caps)?;
        let format = view.check()?;
        let (resource, counter) = (self.target(resource), self.target(counter));
        self.write_descriptor(at, DescriptorHeapType::CbvSrvUav, |descriptor| {
            let desc = UnorderedAccessViewDesc { format, ..*desc };
            *descriptor = Descriptor::UnorderedAccess { resource, counter, desc };
        })
    }

    #[inline]
    fn write_render_target_view(
        &self,
        resource: Option<&Resource>,
        desc: Option<&RenderTargetViewDesc>,
        at: CpuDescriptorHandle,
    ) -> Result<(), Error> {
        let mut default = None;
        let desc = described(desc, resource, &self.inner, &mut default)?;
        let format = desc.view(resource).check()?;
        let resource = self.target(resource);
        self.write_descriptor(at, DescriptorHeapType::Rtv, |descriptor| {
            let desc = RenderTargetViewDesc { format, ..*desc };
            *descriptor = Descriptor::RenderTarget { resource, desc };
        })
    }

    #[inline]
    fn write_depth_stencil_view(
        &self,
        resource: Option<&Resource>,
        desc: Option<&DepthStencilViewDesc>,
        at: CpuDescriptorHandle,
    ) -> Result<(), Error> {
        let mut default = None;
        let desc = described(desc, resource, &self.inner, &mut default)?;
        let format = desc.view(resource).check()?;
        check_dsv_flags(desc.flags, format)?;
        let resource = self.target(resource);
        self.write_descriptor(at, DescriptorHeapType::Dsv, |descriptor| {
            let desc = DepthStencilViewDesc { format, ..*desc };
            *descriptor = Descriptor::DepthStencil { resource, desc };
        })
    }

    #[inline]
    fn write_constant_buffer_view(
        &self,
        desc: Option<&ConstantBufferViewDesc>,
        at: CpuDescriptorHandle,
    ) -> Result<(), Error> {
        let desc = desc.filter(|desc| !is_null(desc));
        if let Some(desc) = desc {
            check_constant_buffer(desc, &self.inner)?;
        }
        self.write_descriptor(at, DescriptorHeapType::CbvSrvUav, |descriptor| {
            *descriptor = Descriptor::ConstantBuffer(desc.copied());
        })
    }

    #[inline]
    fn write_sampler(&self, desc: &SamplerDesc, at: CpuDescriptorHandle) -> Result<(), Error> {
        desc.check(self.inner.sdk)?;
        self.write_descriptor(at, DescriptorHeapType::Sampler, |descriptor| {
            *descriptor = Descriptor::Sampler(*desc);
        })
    }

    fn target(&self, resource: Option<&Resource>) -> Target {
        resource.map(|resource| self.inner.view_targets.key(resource))
    }

    /// Has the descriptor written in its place: a copy of what was just put together would wait for it.
    #[inline(always)]
    fn write_descriptor(
        &self,
        at: CpuDescriptorHandle,
        heap_type: DescriptorHeapType,
        write: impl FnOnce(&mut Descriptor),
    ) -> Result<(), Error> {
        self.inner.descriptors.find_in(at, heap_type)?.write(write);
        Ok(())
    }
}

/// The descriptions of views that a resource can go without.
pub(super) trait ViewDesc: Sized {
    const KIND: ViewKind;

    /// That of a view without a description, if `resource` has one.
    fn whole(resource: &Resource) -> Result<Self, Box<Violation>>;

    /// Such a view.
    fn view<'a>(&self, resource: Option<&'a Resource>) -> View<'a>;
}

macro_rules! view_desc {
    ($desc:ident($kind:ident, $default:ident, $of:ident) { $($rest:tt)* }) => {
        impl ViewDesc for $desc {
            const KIND: ViewKind = ViewKind::$kind;

            fn whole(resource: &Resource) -> Result<$desc, Box<Violation>> {
                let dimension = check_default(Self::KIND, resource.desc(), $default(resource.desc()))?;
                Ok($desc { format: Format::UNKNOWN, dimension, $($rest)* })
            }

            #[inline]
            fn view<'a>(&self, resource: Option<&'a Resource>) -> View<'a> {
                View { kind: Self::KIND, resource, format: self.format, shape: Shape::$of(&self.dimension) }
            }
        }
    };
}

view_desc! {
    ShaderResourceViewDesc(ShaderResource, default_srv, of_srv) { component_mapping: ComponentMapping::IDENTITY }
}
view_desc! { UnorderedAccessViewDesc(UnorderedAccess, default_uav, of_uav) {} }
view_desc! { RenderTargetViewDesc(RenderTarget, default_rtv, of_rtv) {} }
view_desc! { DepthStencilViewDesc(DepthStencil, default_dsv, of_dsv) { flags: DsvFlags::empty() } }

/// The description of a view of `resource`, which may have one: the given one, or the default one, which is
/// put into `default`.
#[inline]
fn described<'a, D: ViewDesc>(
    desc: Option<&'a D>,
    resource: Option<&Resource>,
    device: &DeviceInner,
    default: &'a mut Option<D>,
) -> Result<&'a D, Box<Violation>> {
    if let Some(resource) = resource {
        check_resource(D::KIND, resource, device)?;
    }
    match (desc, resource) {
        (Some(desc), _) => Ok(desc),
        (None, Some(resource)) => Ok(default.insert(D::whole(resource)?)),
        (None, None) => Err(missing(D::KIND)),
    }
}

/// Whether it describes a null descriptor.
const fn is_null(desc: &ConstantBufferViewDesc) -> bool {
    desc.buffer_location.0 == 0 && desc.size_in_bytes == 0
}

const fn lod_clamp(dimension: &SrvDimension) -> Option<f32> {
    match *dimension {
        SrvDimension::Texture1D { resource_min_lod_clamp, .. }
        | SrvDimension::Texture1DArray { resource_min_lod_clamp, .. }
        | SrvDimension::Texture2D { resource_min_lod_clamp, .. }
        | SrvDimension::Texture2DArray { resource_min_lod_clamp, .. }
        | SrvDimension::Texture3D { resource_min_lod_clamp, .. }
        | SrvDimension::TextureCube { resource_min_lod_clamp, .. }
        | SrvDimension::TextureCubeArray { resource_min_lod_clamp, .. } => Some(resource_min_lod_clamp),
        SrvDimension::Buffer { .. }
        | SrvDimension::Texture2DMs
        | SrvDimension::Texture2DMsArray { .. }
        | SrvDimension::RaytracingAccelerationStructure { .. } => None,
    }
}
