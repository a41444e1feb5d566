//! What a descriptor holds.

use std::sync::{Arc, Weak};

use heapstone_spec::views::{
    ConstantBufferViewDesc, DepthStencilViewDesc, RenderTargetViewDesc, SamplerDesc, ShaderResourceViewDesc,
    UnorderedAccessViewDesc,
};

use crate::address::MemoryReference;
use crate::resource::{Resource, ResourceInner};

/// A descriptor. Formats are resolved: none is UNKNOWN that stands for the resource's.
#[derive(Clone)]
pub(super) enum Descriptor {
    /// Nothing was written there yet.
    Empty,
    ShaderResource {
        resource: Target,
        desc: ShaderResourceViewDesc,
    },
    UnorderedAccess {
        resource: Target,
        counter: Target,
        desc: UnorderedAccessViewDesc,
    },
    RenderTarget {
        resource: Target,
        desc: RenderTargetViewDesc,
    },
    DepthStencil {
        resource: Target,
        desc: DepthStencilViewDesc,
    },
    ConstantBuffer(Option<ConstantBuffer>),
    Sampler(SamplerDesc),
}

/// Copies move descriptors by value: they are to stay small.
const _: () = assert!(size_of::<Descriptor>() <= 64);

/// The resource of a view, which does not keep it alive; `None` of a null descriptor.
pub(super) type Target = Option<Weak<ResourceInner>>;

#[derive(Clone)]
pub(super) struct ConstantBuffer {
    pub(super) desc: ConstantBufferViewDesc,
    /// Whose address it is.
    pub(super) memory: MemoryReference,
}

pub(super) fn target(resource: Option<&Resource>) -> Target {
    resource.map(|resource| Arc::downgrade(&resource.inner))
}

impl Descriptor {
    /// What it holds, in words.
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Descriptor::Empty => "nothing",
            Descriptor::ShaderResource { .. } => "a shader resource view",
            Descriptor::UnorderedAccess { .. } => "an unordered access view",
            Descriptor::RenderTarget { .. } => "a render target view",
            Descriptor::DepthStencil { .. } => "a depth-stencil view",
            Descriptor::ConstantBuffer(_) => "a constant buffer view",
            Descriptor::Sampler(_) => "a sampler",
        }
    }
}
