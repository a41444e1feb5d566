//! What a descriptor holds.

use heapstone_spec::views::{
    ConstantBufferViewDesc, DepthStencilViewDesc, RenderTargetViewDesc, SamplerDesc, ShaderResourceViewDesc,
    UnorderedAccessViewDesc,
};

use super::targets::TargetKey;

/// A descriptor: numbers, which copies move as bytes. Formats are resolved: none is UNKNOWN that stands for
/// the resource's.
#[derive(Clone, Copy)]
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
    /// `None`: a null descriptor. D3D12's own holds an address, and no buffer, as well.
    ConstantBuffer(Option<ConstantBufferViewDesc>),
    Sampler(SamplerDesc),
}

const _: () = assert!(size_of::<Descriptor>() <= 64);

/// The resource of a view, which does not keep it alive; `None` of a null descriptor.
pub(super) type Target = Option<TargetKey>;

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
