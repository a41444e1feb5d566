//! What descriptors hold, as commands that take views ask. D3D12 does not tell it; tools want it as well.

use heapstone_spec::Violation;
use heapstone_spec::rules::view as rules;
use heapstone_spec::views::{
    ConstantBufferViewDesc, CpuDescriptorHandle, DepthStencilViewDesc, DescriptorHeapType,
    RenderTargetViewDesc, SamplerDesc, ShaderResourceViewDesc, UnorderedAccessViewDesc, ViewKind,
};

use super::check::{View, check_constant_buffer};
use super::shape::{Shape, ViewRange};
use super::stored::{Descriptor, Target};
use crate::device::Device;
use crate::error::Error;
use crate::resource::Resource;

macro_rules! view {
    ($(#[$doc:meta])* $name:ident($kind:ident, $desc:ident, $of:ident) $({ $($field:tt)* })?) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            /// `None` of a null descriptor.
            pub resource: Option<Resource>,
            $($($field)*)?
            /// As given, with the format that UNKNOWN stood for.
            pub desc: $desc,
        }

        impl $name {
            /// The part of its resource that it reaches; `None` without a resource.
            #[must_use]
            pub fn range(&self) -> Option<ViewRange> {
                let shape = Shape::$of(&self.desc.dimension);
                let (kind, resource) = (ViewKind::$kind, self.resource.as_ref());
                View { kind, resource, format: self.desc.format, shape }.range()
            }
        }
    };
}

view! {
    /// A shader resource view.
    ShaderResourceView(ShaderResource, ShaderResourceViewDesc, of_srv)
}

view! {
    /// An unordered access view.
    UnorderedAccessView(UnorderedAccess, UnorderedAccessViewDesc, of_uav) {
        /// The counter's buffer, where it has one.
        pub counter: Option<Resource>,
    }
}

view! {
    /// A render target view.
    RenderTargetView(RenderTarget, RenderTargetViewDesc, of_rtv)
}

view! {
    /// A depth-stencil view.
    DepthStencilView(DepthStencil, DepthStencilViewDesc, of_dsv)
}

/// A constant buffer view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstantBufferView {
    /// As given; `None` of a null descriptor.
    pub desc: Option<ConstantBufferViewDesc>,
}

const HANDLE: &str = "D3D12_CPU_DESCRIPTOR_HANDLE.ptr";

impl Device {
    /// The shader resource view at `handle`.
    ///
    /// # Errors
    /// [`Error::Invalid`]: `descriptor.handle*` where it leads to no such heap, `descriptor.kind` where there
    /// is another view or none, `descriptor.resource` where the resource is gone.
    pub fn shader_resource_view(&self, handle: CpuDescriptorHandle) -> Result<ShaderResourceView, Error> {
        match self.read_descriptor(handle, DescriptorHeapType::CbvSrvUav)? {
            Descriptor::ShaderResource { resource, desc } => {
                Ok(ShaderResourceView { resource: self.held(handle, resource)?, desc })
            }
            other => Err(unlike(handle, &other, "a shader resource view").into()),
        }
    }

    /// The unordered access view at `handle`.
    ///
    /// # Errors
    /// As of [`Device::shader_resource_view`].
    pub fn unordered_access_view(&self, handle: CpuDescriptorHandle) -> Result<UnorderedAccessView, Error> {
        match self.read_descriptor(handle, DescriptorHeapType::CbvSrvUav)? {
            Descriptor::UnorderedAccess { resource, counter, desc } => {
                let (resource, counter) = (self.held(handle, resource)?, self.held(handle, counter)?);
                Ok(UnorderedAccessView { resource, counter, desc })
            }
            other => Err(unlike(handle, &other, "an unordered access view").into()),
        }
    }

    /// The render target view at `handle`.
    ///
    /// # Errors
    /// As of [`Device::shader_resource_view`].
    pub fn render_target_view(&self, handle: CpuDescriptorHandle) -> Result<RenderTargetView, Error> {
        match self.read_descriptor(handle, DescriptorHeapType::Rtv)? {
            Descriptor::RenderTarget { resource, desc } => {
                Ok(RenderTargetView { resource: self.held(handle, resource)?, desc })
            }
            other => Err(unlike(handle, &other, "a render target view").into()),
        }
    }

    /// The depth-stencil view at `handle`.
    ///
    /// # Errors
    /// As of [`Device::shader_resource_view`].
    pub fn depth_stencil_view(&self, handle: CpuDescriptorHandle) -> Result<DepthStencilView, Error> {
        match self.read_descriptor(handle, DescriptorHeapType::Dsv)? {
            Descriptor::DepthStencil { resource, desc } => {
                Ok(DepthStencilView { resource: self.held(handle, resource)?, desc })
            }
            other => Err(unlike(handle, &other, "a depth-stencil view").into()),
        }
    }

    /// The constant buffer view at `handle`: as D3D12's, it shows what lies at its address by now.
    ///
    /// # Errors
    /// As of [`Device::shader_resource_view`], where no such buffer or heap is at its address any more.
    pub fn constant_buffer_view(&self, handle: CpuDescriptorHandle) -> Result<ConstantBufferView, Error> {
        match self.read_descriptor(handle, DescriptorHeapType::CbvSrvUav)? {
            Descriptor::ConstantBuffer(desc) => {
                if let Some(desc) = &desc {
                    check_constant_buffer(desc, &self.inner).map_err(|_| gone(handle))?;
                }
                Ok(ConstantBufferView { desc })
            }
            other => Err(unlike(handle, &other, "a constant buffer view").into()),
        }
    }

    /// The sampler at `handle`.
    ///
    /// # Errors
    /// [`Error::Invalid`]: `descriptor.handle*`, `descriptor.kind`.
    pub fn sampler(&self, handle: CpuDescriptorHandle) -> Result<SamplerDesc, Error> {
        match self.read_descriptor(handle, DescriptorHeapType::Sampler)? {
            Descriptor::Sampler(desc) => Ok(desc),
            other => Err(unlike(handle, &other, "a sampler").into()),
        }
    }

    /// The resource, kept alive from now on.
    fn held(&self, handle: CpuDescriptorHandle, target: Target) -> Result<Option<Resource>, Box<Violation>> {
        let held = target.map(|key| self.inner.view_targets.resource(key).ok_or_else(|| gone(handle)));
        held.transpose()
    }

    fn read_descriptor(
        &self,
        handle: CpuDescriptorHandle,
        heap_type: DescriptorHeapType,
    ) -> Result<Descriptor, Box<Violation>> {
        let table = self.inner.descriptors.table();
        let place = table.find_in(handle, heap_type)?;
        Ok(place.storage.read(place.index))
    }
}

#[cold]
fn gone(handle: CpuDescriptorHandle) -> Box<Violation> {
    rules::DESCRIPTOR_RESOURCE.violated(
        HANDLE,
        format_args!("{handle}, a view of a resource that was destroyed"),
        "views of resources that exist",
    )
}

#[cold]
fn unlike(handle: CpuDescriptorHandle, held: &Descriptor, wanted: &str) -> Box<Violation> {
    rules::DESCRIPTOR_KIND.violated(HANDLE, format_args!("{handle}, which holds {}", held.kind()), wanted)
}
