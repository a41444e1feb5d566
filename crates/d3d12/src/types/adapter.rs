//! DXGI's and DXCore's structures, as DirectX-Headers' clients see them: a character is 4 bytes (facts/abi.md, winadapter).

use core::ffi::c_void;

use super::{LUID, abi};

pub type DXCoreAdapterPreference = u32;
/// Called with the type, the object and the context of the registration.
pub type PFN_DXCORE_NOTIFICATION_CALLBACK = Option<unsafe extern "C" fn(u32, *mut c_void, *mut c_void)>;

abi! {
    pub struct DXGI_ADAPTER_DESC: 560 {
        Description: [u32; 128] = 0,
        VendorId: u32 = 512,
        DeviceId: u32 = 516,
        SubSysId: u32 = 520,
        Revision: u32 = 524,
        DedicatedVideoMemory: usize = 528,
        DedicatedSystemMemory: usize = 536,
        SharedSystemMemory: usize = 544,
        AdapterLuid: LUID = 552,
    }

    pub struct DXGI_ADAPTER_DESC1: 568 {
        Description: [u32; 128] = 0,
        VendorId: u32 = 512,
        DeviceId: u32 = 516,
        SubSysId: u32 = 520,
        Revision: u32 = 524,
        DedicatedVideoMemory: usize = 528,
        DedicatedSystemMemory: usize = 536,
        SharedSystemMemory: usize = 544,
        AdapterLuid: LUID = 552,
        Flags: u32 = 560,
    }

    pub struct DXGI_ADAPTER_DESC2: 576 {
        Description: [u32; 128] = 0,
        VendorId: u32 = 512,
        DeviceId: u32 = 516,
        SubSysId: u32 = 520,
        Revision: u32 = 524,
        DedicatedVideoMemory: usize = 528,
        DedicatedSystemMemory: usize = 536,
        SharedSystemMemory: usize = 544,
        AdapterLuid: LUID = 552,
        Flags: u32 = 560,
        GraphicsPreemptionGranularity: u32 = 564,
        ComputePreemptionGranularity: u32 = 568,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct DXGI_QUERY_VIDEO_MEMORY_INFO: 32 {
        Budget: u64 = 0,
        CurrentUsage: u64 = 8,
        AvailableForReservation: u64 = 16,
        CurrentReservation: u64 = 24,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct DXCoreHardwareID: 16 {
        vendorID: u32 = 0,
        deviceID: u32 = 4,
        subSysID: u32 = 8,
        revision: u32 = 12,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct DXCoreHardwareIDParts: 20 {
        vendorID: u32 = 0,
        deviceID: u32 = 4,
        subSystemID: u32 = 8,
        subVendorID: u32 = 12,
        revisionID: u32 = 16,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct DXCoreAdapterMemoryBudgetNodeSegmentGroup: 8 { nodeIndex: u32 = 0, segmentGroup: u32 = 4, }

    #[derive(Debug, PartialEq, Eq)]
    pub struct DXCoreAdapterMemoryBudget: 32 {
        budget: u64 = 0,
        currentUsage: u64 = 8,
        availableForReservation: u64 = 16,
        currentReservation: u64 = 24,
    }
}
