//! The info queue and what tells of a removed device.

use core::ffi::{c_char, c_void};

use super::abi;

/// ID3D12InfoQueue1's callback.
pub type D3D12MessageFunc = Option<
    unsafe extern "C" fn(
        category: u32,
        severity: u32,
        id: u32,
        description: *const c_char,
        context: *mut c_void,
    ),
>;

abi! {
    pub struct D3D12_MESSAGE: 32 {
        Category: u32 = 0,
        Severity: u32 = 4,
        ID: u32 = 8,
        pDescription: *const c_char = 16,
        DescriptionByteLength: usize = 24,
    }

    pub struct D3D12_INFO_QUEUE_FILTER_DESC: 48 {
        NumCategories: u32 = 0,
        pCategoryList: *mut u32 = 8,
        NumSeverities: u32 = 16,
        pSeverityList: *mut u32 = 24,
        NumIDs: u32 = 32,
        pIDList: *mut u32 = 40,
    }

    pub struct D3D12_INFO_QUEUE_FILTER: 96 {
        AllowList: D3D12_INFO_QUEUE_FILTER_DESC = 0,
        DenyList: D3D12_INFO_QUEUE_FILTER_DESC = 48,
    }

    pub struct D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT: 8 { pHeadAutoBreadcrumbNode: *const c_void = 0, }

    pub struct D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1: 8 { pHeadAutoBreadcrumbNode: *const c_void = 0, }

    pub struct D3D12_DRED_PAGE_FAULT_OUTPUT: 24 {
        PageFaultVA: u64 = 0,
        pHeadExistingAllocationNode: *const c_void = 8,
        pHeadRecentFreedAllocationNode: *const c_void = 16,
    }

    pub struct D3D12_DRED_PAGE_FAULT_OUTPUT1: 24 {
        PageFaultVA: u64 = 0,
        pHeadExistingAllocationNode: *const c_void = 8,
        pHeadRecentFreedAllocationNode: *const c_void = 16,
    }

    pub struct D3D12_DRED_PAGE_FAULT_OUTPUT2: 32 {
        PageFaultVA: u64 = 0,
        pHeadExistingAllocationNode: *const c_void = 8,
        pHeadRecentFreedAllocationNode: *const c_void = 16,
        PageFaultFlags: u32 = 24,
    }
}
