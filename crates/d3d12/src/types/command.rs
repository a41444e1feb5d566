//! Queues, lists, barriers, copies, queries.

use core::ffi::c_void;

use super::{D3D12_GPU_VIRTUAL_ADDRESS, D3D12_PLACED_SUBRESOURCE_FOOTPRINT, DXGI_FORMAT, abi};

pub type D3D12_WRITEBUFFERIMMEDIATE_MODE = u32;
pub type D3D12_COMMAND_QUEUE_PROCESS_PRIORITY = u32;
pub type D3D12_COMMAND_QUEUE_GLOBAL_PRIORITY = u32;

abi! {
    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_COMMAND_QUEUE_DESC: 16 { Type: u32 = 0, Priority: i32 = 4, Flags: u32 = 8, NodeMask: u32 = 12, }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_RECT: 16 { left: i32 = 0, top: i32 = 4, right: i32 = 8, bottom: i32 = 12, }

    pub struct D3D12_RESOURCE_BARRIER: 32 { Type: u32 = 0, Flags: u32 = 4, u: BarrierUnion = 8, }

    pub struct D3D12_RESOURCE_TRANSITION_BARRIER: 24 {
        pResource: *mut c_void = 0,
        Subresource: u32 = 8,
        StateBefore: u32 = 12,
        StateAfter: u32 = 16,
    }

    pub struct D3D12_RESOURCE_ALIASING_BARRIER: 16 { pResourceBefore: *mut c_void = 0, pResourceAfter: *mut c_void = 8, }

    pub struct D3D12_RESOURCE_UAV_BARRIER: 8 { pResource: *mut c_void = 0, }

    pub struct D3D12_TEXTURE_COPY_LOCATION: 48 { pResource: *mut c_void = 0, Type: u32 = 8, u: CopyLocationUnion = 16, }

    #[derive(Debug)]
    pub struct D3D12_WRITEBUFFERIMMEDIATE_PARAMETER: 16 { Dest: D3D12_GPU_VIRTUAL_ADDRESS = 0, Value: u32 = 8, }

    pub struct D3D12_QUERY_HEAP_DESC: 12 { Type: u32 = 0, Count: u32 = 4, NodeMask: u32 = 8, }

    pub struct D3D12_DISCARD_REGION: 24 {
        NumRects: u32 = 0,
        pRects: *const D3D12_RECT = 8,
        FirstSubresource: u32 = 16,
        NumSubresources: u32 = 20,
    }

    pub struct D3D12_GLOBAL_BARRIER: 16 { SyncBefore: u32 = 0, SyncAfter: u32 = 4, AccessBefore: u32 = 8, AccessAfter: u32 = 12, }

    pub struct D3D12_BARRIER_SUBRESOURCE_RANGE: 24 {
        IndexOrFirstMipLevel: u32 = 0,
        NumMipLevels: u32 = 4,
        FirstArraySlice: u32 = 8,
        NumArraySlices: u32 = 12,
        FirstPlane: u32 = 16,
        NumPlanes: u32 = 20,
    }

    pub struct D3D12_TEXTURE_BARRIER: 64 {
        SyncBefore: u32 = 0,
        SyncAfter: u32 = 4,
        AccessBefore: u32 = 8,
        AccessAfter: u32 = 12,
        LayoutBefore: u32 = 16,
        LayoutAfter: u32 = 20,
        pResource: *mut c_void = 24,
        Subresources: D3D12_BARRIER_SUBRESOURCE_RANGE = 32,
        Flags: u32 = 56,
    }

    pub struct D3D12_BUFFER_BARRIER: 40 {
        SyncBefore: u32 = 0,
        SyncAfter: u32 = 4,
        AccessBefore: u32 = 8,
        AccessAfter: u32 = 12,
        pResource: *mut c_void = 16,
        Offset: u64 = 24,
        Size: u64 = 32,
    }

    /// `pBarriers` points to as many of the type's barriers.
    pub struct D3D12_BARRIER_GROUP: 16 { Type: u32 = 0, NumBarriers: u32 = 4, pBarriers: *const c_void = 8, }

    pub struct D3D12_SUBRESOURCE_RANGE_UINT64: 24 { Subresource: u32 = 0, Begin: u64 = 8, End: u64 = 16, }

    pub struct D3D12_RENDER_PASS_CLEAR_VALUE: 20 { Format: DXGI_FORMAT = 0, Color: [f32; 4] = 4, }
}

/// Of [`D3D12_RESOURCE_BARRIER`].
#[repr(C)]
#[derive(Clone, Copy)]
pub union BarrierUnion {
    pub Transition: D3D12_RESOURCE_TRANSITION_BARRIER,
    pub Aliasing: D3D12_RESOURCE_ALIASING_BARRIER,
    pub UAV: D3D12_RESOURCE_UAV_BARRIER,
}

/// Of [`D3D12_TEXTURE_COPY_LOCATION`].
#[repr(C)]
#[derive(Clone, Copy)]
pub union CopyLocationUnion {
    pub PlacedFootprint: D3D12_PLACED_SUBRESOURCE_FOOTPRINT,
    pub SubresourceIndex: u32,
}
