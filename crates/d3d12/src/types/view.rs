//! Descriptor heaps, handles, views, samplers.

use super::{D3D12_GPU_VIRTUAL_ADDRESS, DXGI_FORMAT, abi};

abi! {
    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_CPU_DESCRIPTOR_HANDLE: 8 { ptr: usize = 0, }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_GPU_DESCRIPTOR_HANDLE: 8 { ptr: u64 = 0, }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_DESCRIPTOR_HEAP_DESC: 16 {
        Type: u32 = 0,
        NumDescriptors: u32 = 4,
        Flags: u32 = 8,
        NodeMask: u32 = 12,
    }

    #[derive(Debug)]
    pub struct D3D12_CONSTANT_BUFFER_VIEW_DESC: 16 { BufferLocation: D3D12_GPU_VIRTUAL_ADDRESS = 0, SizeInBytes: u32 = 8, }

    /// The members of the union in `u`, as words: see `convert::view`.
    pub struct D3D12_SHADER_RESOURCE_VIEW_DESC: 40 {
        Format: DXGI_FORMAT = 0,
        ViewDimension: u32 = 4,
        Shader4ComponentMapping: u32 = 8,
        u: SrvUnion = 16,
    }

    pub struct D3D12_UNORDERED_ACCESS_VIEW_DESC: 40 {
        Format: DXGI_FORMAT = 0,
        ViewDimension: u32 = 4,
        u: UavUnion = 8,
    }

    pub struct D3D12_RENDER_TARGET_VIEW_DESC: 24 { Format: DXGI_FORMAT = 0, ViewDimension: u32 = 4, u: RtvUnion = 8, }

    pub struct D3D12_DEPTH_STENCIL_VIEW_DESC: 24 {
        Format: DXGI_FORMAT = 0,
        ViewDimension: u32 = 4,
        Flags: u32 = 8,
        u: [u32; 3] = 12,
    }

    /// D3D12_BUFFER_SRV.
    pub struct SrvBuffer: 24 { FirstElement: u64 = 0, NumElements: u32 = 8, StructureByteStride: u32 = 12, Flags: u32 = 16, }

    /// D3D12_BUFFER_UAV.
    pub struct UavBuffer: 32 {
        FirstElement: u64 = 0,
        NumElements: u32 = 8,
        StructureByteStride: u32 = 12,
        CounterOffsetInBytes: u64 = 16,
        Flags: u32 = 24,
    }

    /// D3D12_BUFFER_RTV.
    pub struct RtvBuffer: 16 { FirstElement: u64 = 0, NumElements: u32 = 8, }

    pub struct D3D12_SAMPLER_DESC: 52 {
        Filter: u32 = 0,
        AddressU: u32 = 4,
        AddressV: u32 = 8,
        AddressW: u32 = 12,
        MipLODBias: f32 = 16,
        MaxAnisotropy: u32 = 20,
        ComparisonFunc: u32 = 24,
        BorderColor: [f32; 4] = 28,
        MinLOD: f32 = 44,
        MaxLOD: f32 = 48,
    }

    pub struct D3D12_SAMPLER_DESC2: 56 {
        Filter: u32 = 0,
        AddressU: u32 = 4,
        AddressV: u32 = 8,
        AddressW: u32 = 12,
        MipLODBias: f32 = 16,
        MaxAnisotropy: u32 = 20,
        ComparisonFunc: u32 = 24,
        BorderColor: [u32; 4] = 28,
        MinLOD: f32 = 44,
        MaxLOD: f32 = 48,
        Flags: u32 = 52,
    }
}

/// What a view of another dimension than a buffer says, in 32-bit words; a buffer's, or an address.
#[repr(C)]
#[derive(Clone, Copy)]
pub union SrvUnion {
    pub Buffer: SrvBuffer,
    pub Words: [u32; 6],
    pub Location: u64,
}

/// As [`SrvUnion`].
#[repr(C)]
#[derive(Clone, Copy)]
pub union UavUnion {
    pub Buffer: UavBuffer,
    pub Words: [u32; 8],
}

/// As [`SrvUnion`].
#[repr(C)]
#[derive(Clone, Copy)]
pub union RtvUnion {
    pub Buffer: RtvBuffer,
    pub Words: [u32; 4],
}
