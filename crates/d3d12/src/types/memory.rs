//! Heaps, resources, tiles, sizes.

use super::{LUID, abi};
use core::ffi::c_void;

pub type DXGI_FORMAT = u32;
pub type D3D12_GPU_VIRTUAL_ADDRESS = u64;
pub type D3D12_HEAP_FLAGS = u32;
pub type D3D12_RESIDENCY_PRIORITY = u32;
pub type D3D12_TILE_RANGE_FLAGS = u32;

abi! {
    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_HEAP_PROPERTIES: 20 {
        Type: u32 = 0,
        CPUPageProperty: u32 = 4,
        MemoryPoolPreference: u32 = 8,
        CreationNodeMask: u32 = 12,
        VisibleNodeMask: u32 = 16,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_HEAP_DESC: 48 {
        SizeInBytes: u64 = 0,
        Properties: D3D12_HEAP_PROPERTIES = 8,
        Alignment: u64 = 32,
        Flags: u32 = 40,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct DXGI_SAMPLE_DESC: 8 { Count: u32 = 0, Quality: u32 = 4, }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_RESOURCE_DESC: 56 {
        Dimension: u32 = 0,
        Alignment: u64 = 8,
        Width: u64 = 16,
        Height: u32 = 24,
        DepthOrArraySize: u16 = 28,
        MipLevels: u16 = 30,
        Format: DXGI_FORMAT = 32,
        SampleDesc: DXGI_SAMPLE_DESC = 36,
        Layout: u32 = 44,
        Flags: u32 = 48,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_MIP_REGION: 12 { Width: u32 = 0, Height: u32 = 4, Depth: u32 = 8, }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_RESOURCE_DESC1: 64 {
        Dimension: u32 = 0,
        Alignment: u64 = 8,
        Width: u64 = 16,
        Height: u32 = 24,
        DepthOrArraySize: u16 = 28,
        MipLevels: u16 = 30,
        Format: DXGI_FORMAT = 32,
        SampleDesc: DXGI_SAMPLE_DESC = 36,
        Layout: u32 = 44,
        Flags: u32 = 48,
        SamplerFeedbackMipRegion: D3D12_MIP_REGION = 52,
    }

    /// The union's larger half is the colour; a depth-stencil's value begins it.
    pub struct D3D12_CLEAR_VALUE: 20 { Format: DXGI_FORMAT = 0, Color: [f32; 4] = 4, }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_RESOURCE_ALLOCATION_INFO: 16 { SizeInBytes: u64 = 0, Alignment: u64 = 8, }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_RESOURCE_ALLOCATION_INFO1: 24 {
        Offset: u64 = 0,
        Alignment: u64 = 8,
        SizeInBytes: u64 = 16,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_RANGE: 16 { Begin: usize = 0, End: usize = 8, }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_BOX: 24 {
        left: u32 = 0,
        top: u32 = 4,
        front: u32 = 8,
        right: u32 = 12,
        bottom: u32 = 16,
        back: u32 = 20,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_SUBRESOURCE_FOOTPRINT: 20 {
        Format: DXGI_FORMAT = 0,
        Width: u32 = 4,
        Height: u32 = 8,
        Depth: u32 = 12,
        RowPitch: u32 = 16,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_PLACED_SUBRESOURCE_FOOTPRINT: 32 {
        Offset: u64 = 0,
        Footprint: D3D12_SUBRESOURCE_FOOTPRINT = 8,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_PACKED_MIP_INFO: 12 {
        NumStandardMips: u8 = 0,
        NumPackedMips: u8 = 1,
        NumTilesForPackedMips: u32 = 4,
        StartTileIndexInOverallResource: u32 = 8,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_TILE_SHAPE: 12 { WidthInTexels: u32 = 0, HeightInTexels: u32 = 4, DepthInTexels: u32 = 8, }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_SUBRESOURCE_TILING: 12 {
        WidthInTiles: u32 = 0,
        HeightInTiles: u16 = 4,
        DepthInTiles: u16 = 6,
        StartTileIndexInOverallResource: u32 = 8,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_TILED_RESOURCE_COORDINATE: 16 { X: u32 = 0, Y: u32 = 4, Z: u32 = 8, Subresource: u32 = 12, }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_TILE_REGION_SIZE: 16 {
        NumTiles: u32 = 0,
        UseBox: u32 = 4,
        Width: u32 = 8,
        Height: u16 = 12,
        Depth: u16 = 14,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct D3D12_GPU_VIRTUAL_ADDRESS_RANGE: 16 { StartAddress: u64 = 0, SizeInBytes: u64 = 8, }

    pub struct SECURITY_ATTRIBUTES: 24 {
        nLength: u32 = 0,
        lpSecurityDescriptor: *mut c_void = 8,
        bInheritHandle: u32 = 16,
    }

    pub struct D3D12_PROTECTED_RESOURCE_SESSION_DESC: 8 { NodeMask: u32 = 0, Flags: u32 = 4, }

    pub struct D3D12_PROTECTED_RESOURCE_SESSION_DESC1: 24 {
        NodeMask: u32 = 0,
        Flags: u32 = 4,
        ProtectionType: super::GUID = 8,
    }

    pub struct D3D12_DEVICE_CONFIGURATION_DESC: 16 {
        Flags: u32 = 0,
        GpuBasedValidationFlags: u32 = 4,
        SDKVersion: u32 = 8,
        NumEnabledExperimentalFeatures: u32 = 12,
    }

    pub struct D3D12_SHADER_CACHE_SESSION_DESC: 48 {
        Identifier: super::GUID = 0,
        Mode: u32 = 16,
        Flags: u32 = 20,
        MaximumInMemoryCacheSizeBytes: u32 = 24,
        MaximumInMemoryCacheEntries: u32 = 28,
        MaximumValueFileSizeBytes: u32 = 32,
        Version: u64 = 40,
    }
}

/// What a trim notification calls.
pub type D3D12_PFN_TRIM_NOTIFICATION_CALLBACK =
    Option<unsafe extern "C" fn(notification: *const D3D12_TRIM_NOTIFICATION)>;

abi! {
    pub struct D3D12_TRIM_NOTIFICATION: 24 { pContext: *mut c_void = 0, Flags: u32 = 8, NumBytesToTrim: u64 = 16, }

    pub struct D3D12_REGISTER_TRIM_NOTIFICATION: 24 {
        pfnCallback: D3D12_PFN_TRIM_NOTIFICATION_CALLBACK = 0,
        pContext: *mut c_void = 8,
        CallbackCookie: u32 = 16,
    }
}

const _: () = assert!(size_of::<LUID>() == 8);
