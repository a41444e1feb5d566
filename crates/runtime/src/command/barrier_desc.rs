//! Barriers as the program describes them.

use heapstone_spec::commands::{
    ALL_SUBRESOURCES, BarrierAccess, BarrierSubresourceRange, BarrierSync, ResourceBarrierFlags,
    TextureBarrierFlags,
};
use heapstone_spec::{BarrierLayout, ResourceStates};

use crate::resource::Resource;

/// D3D12_RESOURCE_BARRIER.
#[derive(Clone, Copy, Debug)]
pub enum ResourceBarrier<'a> {
    /// D3D12_RESOURCE_TRANSITION_BARRIER.
    Transition {
        /// The resource.
        resource: &'a Resource,
        /// One of its subresources, or [`ALL_SUBRESOURCES`].
        subresource: u32,
        /// The state before.
        before: ResourceStates,
        /// The state after.
        after: ResourceStates,
        /// Halves of a split barrier.
        flags: ResourceBarrierFlags,
    },
    /// D3D12_RESOURCE_ALIASING_BARRIER; `None` is NULL: any.
    Aliasing {
        /// Used until now.
        before: Option<&'a Resource>,
        /// Used from now on.
        after: Option<&'a Resource>,
        /// Halves of a split barrier.
        flags: ResourceBarrierFlags,
    },
    /// D3D12_RESOURCE_UAV_BARRIER; `None` is NULL: any.
    Uav {
        /// The resource.
        resource: Option<&'a Resource>,
        /// Halves of a split barrier.
        flags: ResourceBarrierFlags,
    },
}

impl<'a> ResourceBarrier<'a> {
    /// A whole transition of all subresources.
    #[must_use]
    pub const fn transition(
        resource: &'a Resource,
        before: ResourceStates,
        after: ResourceStates,
    ) -> ResourceBarrier<'a> {
        let flags = ResourceBarrierFlags::empty();
        ResourceBarrier::Transition { resource, subresource: ALL_SUBRESOURCES, before, after, flags }
    }

    /// An aliasing barrier.
    #[must_use]
    pub const fn aliasing(before: Option<&'a Resource>, after: Option<&'a Resource>) -> ResourceBarrier<'a> {
        ResourceBarrier::Aliasing { before, after, flags: ResourceBarrierFlags::empty() }
    }

    /// A UAV barrier.
    #[must_use]
    pub const fn uav(resource: Option<&'a Resource>) -> ResourceBarrier<'a> {
        ResourceBarrier::Uav { resource, flags: ResourceBarrierFlags::empty() }
    }
}

/// D3D12_GLOBAL_BARRIER.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GlobalBarrier {
    /// What is waited for.
    pub sync_before: BarrierSync,
    /// Who waits.
    pub sync_after: BarrierSync,
    /// The accesses before.
    pub access_before: BarrierAccess,
    /// The accesses after.
    pub access_after: BarrierAccess,
}

/// D3D12_TEXTURE_BARRIER.
#[derive(Clone, Copy, Debug)]
pub struct TextureBarrier<'a> {
    /// What is waited for.
    pub sync_before: BarrierSync,
    /// Who waits.
    pub sync_after: BarrierSync,
    /// The accesses before.
    pub access_before: BarrierAccess,
    /// The accesses after.
    pub access_after: BarrierAccess,
    /// The layout before.
    pub layout_before: BarrierLayout,
    /// The layout after.
    pub layout_after: BarrierLayout,
    /// The texture.
    pub resource: &'a Resource,
    /// Of it.
    pub subresources: BarrierSubresourceRange,
    /// DISCARD.
    pub flags: TextureBarrierFlags,
}

/// D3D12_BUFFER_BARRIER.
#[derive(Clone, Copy, Debug)]
pub struct BufferBarrier<'a> {
    /// What is waited for.
    pub sync_before: BarrierSync,
    /// Who waits.
    pub sync_after: BarrierSync,
    /// The accesses before.
    pub access_before: BarrierAccess,
    /// The accesses after.
    pub access_after: BarrierAccess,
    /// The buffer.
    pub resource: &'a Resource,
    /// In bytes: 0.
    pub offset: u64,
    /// In bytes: the buffer's width, or `u64::MAX`.
    pub size: u64,
}

/// D3D12_BARRIER_GROUP.
#[derive(Clone, Copy, Debug)]
pub enum BarrierGroup<'a> {
    /// For all memory.
    Global(&'a [GlobalBarrier]),
    /// For textures.
    Texture(&'a [TextureBarrier<'a>]),
    /// For buffers.
    Buffer(&'a [BufferBarrier<'a>]),
}
