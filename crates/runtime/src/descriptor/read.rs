//! What descriptors hold, as commands that take views ask. D3D12 does not tell it; tools want it as well.

use heapstone_spec::Violation;
use heapstone_spec::rules::view as rules;
use heapstone_spec::views::{
    ConstantBufferViewDesc, CpuDescriptorHandle, DepthStencilViewDesc, DescriptorHeapType,
    RenderTargetViewDesc, SamplerDesc, ShaderResourceViewDesc, UnorderedAccessViewDesc,
};

use super::check::check_constant_buffer;
use super::create::ViewDesc;
use super::shape::ViewRange;
use super::stored::{Descriptor, Target};
use crate::device::{Device, DeviceInner};
use crate::error::Error;
use crate::resource::Resource;

/// A kind of view, and its look-ups: the handle is of a heap of the type `$heap`.
macro_rules! view {
    (
        $words:literal in $heap:ident: $at:ident,
        $name:ident($kind:ident, $desc:ident) $({ $(#[$doc:meta])* $field:ident })?
    ) => {
        #[doc = concat!("What a descriptor holds: ", $words, ".")]
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            /// `None` of a null descriptor.
            pub resource: Option<Resource>,
            $($(#[$doc])* pub $field: Option<Resource>,)?
            /// As given, with the format that UNKNOWN stood for.
            pub desc: $desc,
        }

        impl $name {
            /// The part of its resource that it reaches; `None` without a resource.
            #[must_use]
            pub fn range(&self) -> Option<ViewRange> {
                self.desc.view(self.resource.as_ref()).range()
            }
        }

        impl DeviceInner {
            pub(crate) fn $at(&self, handle: CpuDescriptorHandle) -> Result<$name, Box<Violation>> {
                match self.read_descriptor(handle, DescriptorHeapType::$heap)? {
                    Descriptor::$kind { resource, $($field,)? desc } => Ok($name {
                        resource: self.held(handle, resource)?,
                        $($field: self.held(handle, $field)?,)?
                        desc,
                    }),
                    other => Err(unlike(handle, &other, $words)),
                }
            }
        }

        impl Device {
            #[doc = concat!("What the descriptor at `handle` holds: ", $words, ".")]
            ///
            /// # Errors
            /// [`Error::Invalid`]: `descriptor.handle*` where it leads to no such heap, `descriptor.kind` where there
            /// is another view or none, `descriptor.resource` where the resource is gone.
            pub fn $at(&self, handle: CpuDescriptorHandle) -> Result<$name, Error> {
                Ok(self.inner.$at(handle)?)
            }
        }
    };
}

view! {
    "a shader resource view" in CbvSrvUav: shader_resource_view,
    ShaderResourceView(ShaderResource, ShaderResourceViewDesc)
}

view! {
    "an unordered access view" in CbvSrvUav: unordered_access_view,
    UnorderedAccessView(UnorderedAccess, UnorderedAccessViewDesc) {
        /// The counter's buffer, where it has one.
        counter
    }
}

view! {
    "a render target view" in Rtv: render_target_view,
    RenderTargetView(RenderTarget, RenderTargetViewDesc)
}

view! {
    "a depth-stencil view" in Dsv: depth_stencil_view,
    DepthStencilView(DepthStencil, DepthStencilViewDesc)
}

/// A constant buffer view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstantBufferView {
    /// As given; `None` of a null descriptor.
    pub desc: Option<ConstantBufferViewDesc>,
}

const HANDLE: &str = "D3D12_CPU_DESCRIPTOR_HANDLE.ptr";

impl Device {
    /// The constant buffer view at `handle`: as D3D12's, it shows what lies at its address by now.
    ///
    /// # Errors
    /// As of [`Device::shader_resource_view`], also where no such buffer or heap is at its address any more.
    pub fn constant_buffer_view(&self, handle: CpuDescriptorHandle) -> Result<ConstantBufferView, Error> {
        match self.inner.read_descriptor(handle, DescriptorHeapType::CbvSrvUav)? {
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
        match self.inner.read_descriptor(handle, DescriptorHeapType::Sampler)? {
            Descriptor::Sampler(desc) => Ok(desc),
            other => Err(unlike(handle, &other, "a sampler").into()),
        }
    }
}

impl DeviceInner {
    /// The resource, kept alive from now on.
    fn held(&self, handle: CpuDescriptorHandle, target: Target) -> Result<Option<Resource>, Box<Violation>> {
        let held = target.map(|key| self.view_targets.resource(key).ok_or_else(|| gone(handle)));
        held.transpose()
    }

    fn read_descriptor(
        &self,
        handle: CpuDescriptorHandle,
        heap_type: DescriptorHeapType,
    ) -> Result<Descriptor, Box<Violation>> {
        Ok(self.descriptors.find_in(handle, heap_type)?.read())
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
