//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12Device15; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12Device15: Class {
    /// ID3D12Device::GetNodeCount, slot 7: ().
    unsafe fn GetNodeCount(this: &Object<Self>) -> u32 {
        not_implemented(this, "ID3D12Device::GetNodeCount")
    }
    /// ID3D12Device::CreateCommandQueue, slot 8: (const D3D12_COMMAND_QUEUE_DESC \*, const IID &, void \*\*).
    unsafe fn CreateCommandQueue(this: &Object<Self>, _a0: *const D3D12_COMMAND_QUEUE_DESC, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::CreateCommandQueue")
    }
    /// ID3D12Device::CreateCommandAllocator, slot 9: (D3D12_COMMAND_LIST_TYPE, const IID &, void \*\*).
    unsafe fn CreateCommandAllocator(this: &Object<Self>, _a0: u32, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::CreateCommandAllocator")
    }
    /// ID3D12Device::CreateGraphicsPipelineState, slot 10: (const D3D12_GRAPHICS_PIPELINE_STATE_DESC \*, const IID &, void \*\*).
    unsafe fn CreateGraphicsPipelineState(this: &Object<Self>, _a0: *const c_void, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::CreateGraphicsPipelineState")
    }
    /// ID3D12Device::CreateComputePipelineState, slot 11: (const D3D12_COMPUTE_PIPELINE_STATE_DESC \*, const IID &, void \*\*).
    unsafe fn CreateComputePipelineState(this: &Object<Self>, _a0: *const D3D12_COMPUTE_PIPELINE_STATE_DESC, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::CreateComputePipelineState")
    }
    /// ID3D12Device::CreateCommandList, slot 12: (UINT, D3D12_COMMAND_LIST_TYPE, ID3D12CommandAllocator \*, ID3D12PipelineState \*, const IID &, void \*\*).
    unsafe fn CreateCommandList(this: &Object<Self>, _a0: u32, _a1: u32, _a2: *mut c_void, _a3: *mut c_void, _a4: *const GUID, _a5: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::CreateCommandList")
    }
    /// ID3D12Device::CheckFeatureSupport, slot 13: (D3D12_FEATURE, void \*, UINT).
    unsafe fn CheckFeatureSupport(this: &Object<Self>, _a0: u32, _a1: *mut c_void, _a2: u32) -> HRESULT {
        not_implemented(this, "ID3D12Device::CheckFeatureSupport")
    }
    /// ID3D12Device::CreateDescriptorHeap, slot 14: (const D3D12_DESCRIPTOR_HEAP_DESC \*, const IID &, void \*\*).
    unsafe fn CreateDescriptorHeap(this: &Object<Self>, _a0: *const D3D12_DESCRIPTOR_HEAP_DESC, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::CreateDescriptorHeap")
    }
    /// ID3D12Device::GetDescriptorHandleIncrementSize, slot 15: (D3D12_DESCRIPTOR_HEAP_TYPE).
    unsafe fn GetDescriptorHandleIncrementSize(this: &Object<Self>, _a0: u32) -> u32 {
        not_implemented(this, "ID3D12Device::GetDescriptorHandleIncrementSize")
    }
    /// ID3D12Device::CreateRootSignature, slot 16: (UINT, const void \*, SIZE_T, const IID &, void \*\*).
    unsafe fn CreateRootSignature(this: &Object<Self>, _a0: u32, _a1: *const c_void, _a2: usize, _a3: *const GUID, _a4: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::CreateRootSignature")
    }
    /// ID3D12Device::CreateConstantBufferView, slot 17: (const D3D12_CONSTANT_BUFFER_VIEW_DESC \*, D3D12_CPU_DESCRIPTOR_HANDLE).
    unsafe fn CreateConstantBufferView(this: &Object<Self>, _a0: *const D3D12_CONSTANT_BUFFER_VIEW_DESC, _a1: D3D12_CPU_DESCRIPTOR_HANDLE) {
        not_implemented(this, "ID3D12Device::CreateConstantBufferView")
    }
    /// ID3D12Device::CreateShaderResourceView, slot 18: (ID3D12Resource \*, const D3D12_SHADER_RESOURCE_VIEW_DESC \*, D3D12_CPU_DESCRIPTOR_HANDLE).
    unsafe fn CreateShaderResourceView(this: &Object<Self>, _a0: *mut c_void, _a1: *const D3D12_SHADER_RESOURCE_VIEW_DESC, _a2: D3D12_CPU_DESCRIPTOR_HANDLE) {
        not_implemented(this, "ID3D12Device::CreateShaderResourceView")
    }
    /// ID3D12Device::CreateUnorderedAccessView, slot 19: (ID3D12Resource \*, ID3D12Resource \*, const D3D12_UNORDERED_ACCESS_VIEW_DESC \*, D3D12_CPU_DESCRIPTOR_HANDLE).
    unsafe fn CreateUnorderedAccessView(this: &Object<Self>, _a0: *mut c_void, _a1: *mut c_void, _a2: *const D3D12_UNORDERED_ACCESS_VIEW_DESC, _a3: D3D12_CPU_DESCRIPTOR_HANDLE) {
        not_implemented(this, "ID3D12Device::CreateUnorderedAccessView")
    }
    /// ID3D12Device::CreateRenderTargetView, slot 20: (ID3D12Resource \*, const D3D12_RENDER_TARGET_VIEW_DESC \*, D3D12_CPU_DESCRIPTOR_HANDLE).
    unsafe fn CreateRenderTargetView(this: &Object<Self>, _a0: *mut c_void, _a1: *const D3D12_RENDER_TARGET_VIEW_DESC, _a2: D3D12_CPU_DESCRIPTOR_HANDLE) {
        not_implemented(this, "ID3D12Device::CreateRenderTargetView")
    }
    /// ID3D12Device::CreateDepthStencilView, slot 21: (ID3D12Resource \*, const D3D12_DEPTH_STENCIL_VIEW_DESC \*, D3D12_CPU_DESCRIPTOR_HANDLE).
    unsafe fn CreateDepthStencilView(this: &Object<Self>, _a0: *mut c_void, _a1: *const D3D12_DEPTH_STENCIL_VIEW_DESC, _a2: D3D12_CPU_DESCRIPTOR_HANDLE) {
        not_implemented(this, "ID3D12Device::CreateDepthStencilView")
    }
    /// ID3D12Device::CreateSampler, slot 22: (const D3D12_SAMPLER_DESC \*, D3D12_CPU_DESCRIPTOR_HANDLE).
    unsafe fn CreateSampler(this: &Object<Self>, _a0: *const D3D12_SAMPLER_DESC, _a1: D3D12_CPU_DESCRIPTOR_HANDLE) {
        not_implemented(this, "ID3D12Device::CreateSampler")
    }
    /// ID3D12Device::CopyDescriptors, slot 23: (UINT, const D3D12_CPU_DESCRIPTOR_HANDLE \*, const UINT \*, UINT, const D3D12_CPU_DESCRIPTOR_HANDLE \*, const UINT \*, D3D12_DESCRIPTOR_HEAP_TYPE).
    unsafe fn CopyDescriptors(this: &Object<Self>, _a0: u32, _a1: *const D3D12_CPU_DESCRIPTOR_HANDLE, _a2: *const u32, _a3: u32, _a4: *const D3D12_CPU_DESCRIPTOR_HANDLE, _a5: *const u32, _a6: u32) {
        not_implemented(this, "ID3D12Device::CopyDescriptors")
    }
    /// ID3D12Device::CopyDescriptorsSimple, slot 24: (UINT, D3D12_CPU_DESCRIPTOR_HANDLE, D3D12_CPU_DESCRIPTOR_HANDLE, D3D12_DESCRIPTOR_HEAP_TYPE).
    unsafe fn CopyDescriptorsSimple(this: &Object<Self>, _a0: u32, _a1: D3D12_CPU_DESCRIPTOR_HANDLE, _a2: D3D12_CPU_DESCRIPTOR_HANDLE, _a3: u32) {
        not_implemented(this, "ID3D12Device::CopyDescriptorsSimple")
    }
    /// ID3D12Device::GetResourceAllocationInfo, slot 25: (UINT, UINT, const D3D12_RESOURCE_DESC \*).
    unsafe fn GetResourceAllocationInfo(this: &Object<Self>, _a0: u32, _a1: u32, _a2: *const D3D12_RESOURCE_DESC) -> D3D12_RESOURCE_ALLOCATION_INFO {
        not_implemented(this, "ID3D12Device::GetResourceAllocationInfo")
    }
    /// ID3D12Device::GetCustomHeapProperties, slot 26: (UINT, D3D12_HEAP_TYPE).
    unsafe fn GetCustomHeapProperties(this: &Object<Self>, _a0: u32, _a1: u32) -> D3D12_HEAP_PROPERTIES {
        not_implemented(this, "ID3D12Device::GetCustomHeapProperties")
    }
    /// ID3D12Device::CreateCommittedResource, slot 27: (const D3D12_HEAP_PROPERTIES \*, D3D12_HEAP_FLAGS, const D3D12_RESOURCE_DESC \*, D3D12_RESOURCE_STATES, const D3D12_CLEAR_VALUE \*, const IID &, void \*\*).
    unsafe fn CreateCommittedResource(this: &Object<Self>, _a0: *const D3D12_HEAP_PROPERTIES, _a1: D3D12_HEAP_FLAGS, _a2: *const D3D12_RESOURCE_DESC, _a3: u32, _a4: *const D3D12_CLEAR_VALUE, _a5: *const GUID, _a6: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::CreateCommittedResource")
    }
    /// ID3D12Device::CreateHeap, slot 28: (const D3D12_HEAP_DESC \*, const IID &, void \*\*).
    unsafe fn CreateHeap(this: &Object<Self>, _a0: *const D3D12_HEAP_DESC, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::CreateHeap")
    }
    /// ID3D12Device::CreatePlacedResource, slot 29: (ID3D12Heap \*, UINT64, const D3D12_RESOURCE_DESC \*, D3D12_RESOURCE_STATES, const D3D12_CLEAR_VALUE \*, const IID &, void \*\*).
    unsafe fn CreatePlacedResource(this: &Object<Self>, _a0: *mut c_void, _a1: u64, _a2: *const D3D12_RESOURCE_DESC, _a3: u32, _a4: *const D3D12_CLEAR_VALUE, _a5: *const GUID, _a6: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::CreatePlacedResource")
    }
    /// ID3D12Device::CreateReservedResource, slot 30: (const D3D12_RESOURCE_DESC \*, D3D12_RESOURCE_STATES, const D3D12_CLEAR_VALUE \*, const IID &, void \*\*).
    unsafe fn CreateReservedResource(this: &Object<Self>, _a0: *const D3D12_RESOURCE_DESC, _a1: u32, _a2: *const D3D12_CLEAR_VALUE, _a3: *const GUID, _a4: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::CreateReservedResource")
    }
    /// ID3D12Device::CreateSharedHandle, slot 31: (ID3D12DeviceChild \*, const SECURITY_ATTRIBUTES \*, DWORD, LPCWSTR, HANDLE \*).
    unsafe fn CreateSharedHandle(this: &Object<Self>, _a0: *mut c_void, _a1: *const SECURITY_ATTRIBUTES, _a2: u32, _a3: *const c_void, _a4: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::CreateSharedHandle")
    }
    /// ID3D12Device::OpenSharedHandle, slot 32: (HANDLE, const IID &, void \*\*).
    unsafe fn OpenSharedHandle(this: &Object<Self>, _a0: *mut c_void, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::OpenSharedHandle")
    }
    /// ID3D12Device::OpenSharedHandleByName, slot 33: (LPCWSTR, DWORD, HANDLE \*).
    unsafe fn OpenSharedHandleByName(this: &Object<Self>, _a0: *const c_void, _a1: u32, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::OpenSharedHandleByName")
    }
    /// ID3D12Device::MakeResident, slot 34: (UINT, ID3D12Pageable \*const \*).
    unsafe fn MakeResident(this: &Object<Self>, _a0: u32, _a1: *const *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::MakeResident")
    }
    /// ID3D12Device::Evict, slot 35: (UINT, ID3D12Pageable \*const \*).
    unsafe fn Evict(this: &Object<Self>, _a0: u32, _a1: *const *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::Evict")
    }
    /// ID3D12Device::CreateFence, slot 36: (UINT64, D3D12_FENCE_FLAGS, const IID &, void \*\*).
    unsafe fn CreateFence(this: &Object<Self>, _a0: u64, _a1: u32, _a2: *const GUID, _a3: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::CreateFence")
    }
    /// ID3D12Device::GetDeviceRemovedReason, slot 37: ().
    unsafe fn GetDeviceRemovedReason(this: &Object<Self>) -> HRESULT {
        not_implemented(this, "ID3D12Device::GetDeviceRemovedReason")
    }
    /// ID3D12Device::GetCopyableFootprints, slot 38: (const D3D12_RESOURCE_DESC \*, UINT, UINT, UINT64, D3D12_PLACED_SUBRESOURCE_FOOTPRINT \*, UINT \*, UINT64 \*, UINT64 \*).
    unsafe fn GetCopyableFootprints(this: &Object<Self>, _a0: *const D3D12_RESOURCE_DESC, _a1: u32, _a2: u32, _a3: u64, _a4: *mut D3D12_PLACED_SUBRESOURCE_FOOTPRINT, _a5: *mut u32, _a6: *mut u64, _a7: *mut u64) {
        not_implemented(this, "ID3D12Device::GetCopyableFootprints")
    }
    /// ID3D12Device::CreateQueryHeap, slot 39: (const D3D12_QUERY_HEAP_DESC \*, const IID &, void \*\*).
    unsafe fn CreateQueryHeap(this: &Object<Self>, _a0: *const D3D12_QUERY_HEAP_DESC, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::CreateQueryHeap")
    }
    /// ID3D12Device::SetStablePowerState, slot 40: (BOOL).
    unsafe fn SetStablePowerState(this: &Object<Self>, _a0: BOOL) -> HRESULT {
        not_implemented(this, "ID3D12Device::SetStablePowerState")
    }
    /// ID3D12Device::CreateCommandSignature, slot 41: (const D3D12_COMMAND_SIGNATURE_DESC \*, ID3D12RootSignature \*, const IID &, void \*\*).
    unsafe fn CreateCommandSignature(this: &Object<Self>, _a0: *const D3D12_COMMAND_SIGNATURE_DESC, _a1: *mut c_void, _a2: *const GUID, _a3: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device::CreateCommandSignature")
    }
    /// ID3D12Device::GetResourceTiling, slot 42: (ID3D12Resource \*, UINT \*, D3D12_PACKED_MIP_INFO \*, D3D12_TILE_SHAPE \*, UINT \*, UINT, D3D12_SUBRESOURCE_TILING \*).
    unsafe fn GetResourceTiling(this: &Object<Self>, _a0: *mut c_void, _a1: *mut u32, _a2: *mut D3D12_PACKED_MIP_INFO, _a3: *mut D3D12_TILE_SHAPE, _a4: *mut u32, _a5: u32, _a6: *mut D3D12_SUBRESOURCE_TILING) {
        not_implemented(this, "ID3D12Device::GetResourceTiling")
    }
    /// ID3D12Device::GetAdapterLuid, slot 43: ().
    unsafe fn GetAdapterLuid(this: &Object<Self>) -> LUID {
        not_implemented(this, "ID3D12Device::GetAdapterLuid")
    }
    /// ID3D12Device1::CreatePipelineLibrary, slot 44: (const void \*, SIZE_T, const IID &, void \*\*).
    unsafe fn CreatePipelineLibrary(this: &Object<Self>, _a0: *const c_void, _a1: usize, _a2: *const GUID, _a3: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device1::CreatePipelineLibrary")
    }
    /// ID3D12Device1::SetEventOnMultipleFenceCompletion, slot 45: (ID3D12Fence \*const \*, const UINT64 \*, UINT, D3D12_MULTIPLE_FENCE_WAIT_FLAGS, HANDLE).
    unsafe fn SetEventOnMultipleFenceCompletion(this: &Object<Self>, _a0: *const *mut c_void, _a1: *const u64, _a2: u32, _a3: u32, _a4: *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device1::SetEventOnMultipleFenceCompletion")
    }
    /// ID3D12Device1::SetResidencyPriority, slot 46: (UINT, ID3D12Pageable \*const \*, const D3D12_RESIDENCY_PRIORITY \*).
    unsafe fn SetResidencyPriority(this: &Object<Self>, _a0: u32, _a1: *const *mut c_void, _a2: *const D3D12_RESIDENCY_PRIORITY) -> HRESULT {
        not_implemented(this, "ID3D12Device1::SetResidencyPriority")
    }
    /// ID3D12Device2::CreatePipelineState, slot 47: (const D3D12_PIPELINE_STATE_STREAM_DESC \*, const IID &, void \*\*).
    unsafe fn CreatePipelineState(this: &Object<Self>, _a0: *const D3D12_PIPELINE_STATE_STREAM_DESC, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device2::CreatePipelineState")
    }
    /// ID3D12Device3::OpenExistingHeapFromAddress, slot 48: (const void \*, const IID &, void \*\*).
    unsafe fn OpenExistingHeapFromAddress(this: &Object<Self>, _a0: *const c_void, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device3::OpenExistingHeapFromAddress")
    }
    /// ID3D12Device3::OpenExistingHeapFromFileMapping, slot 49: (HANDLE, const IID &, void \*\*).
    unsafe fn OpenExistingHeapFromFileMapping(this: &Object<Self>, _a0: *mut c_void, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device3::OpenExistingHeapFromFileMapping")
    }
    /// ID3D12Device3::EnqueueMakeResident, slot 50: (D3D12_RESIDENCY_FLAGS, UINT, ID3D12Pageable \*const \*, ID3D12Fence \*, UINT64).
    unsafe fn EnqueueMakeResident(this: &Object<Self>, _a0: u32, _a1: u32, _a2: *const *mut c_void, _a3: *mut c_void, _a4: u64) -> HRESULT {
        not_implemented(this, "ID3D12Device3::EnqueueMakeResident")
    }
    /// ID3D12Device4::CreateCommandList1, slot 51: (UINT, D3D12_COMMAND_LIST_TYPE, D3D12_COMMAND_LIST_FLAGS, const IID &, void \*\*).
    unsafe fn CreateCommandList1(this: &Object<Self>, _a0: u32, _a1: u32, _a2: u32, _a3: *const GUID, _a4: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device4::CreateCommandList1")
    }
    /// ID3D12Device4::CreateProtectedResourceSession, slot 52: (const D3D12_PROTECTED_RESOURCE_SESSION_DESC \*, const IID &, void \*\*).
    unsafe fn CreateProtectedResourceSession(this: &Object<Self>, _a0: *const D3D12_PROTECTED_RESOURCE_SESSION_DESC, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device4::CreateProtectedResourceSession")
    }
    /// ID3D12Device4::CreateCommittedResource1, slot 53: (const D3D12_HEAP_PROPERTIES \*, D3D12_HEAP_FLAGS, const D3D12_RESOURCE_DESC \*, D3D12_RESOURCE_STATES, const D3D12_CLEAR_VALUE \*, ID3D12ProtectedResourceSession \*, const IID &, void \*\*).
    unsafe fn CreateCommittedResource1(this: &Object<Self>, _a0: *const D3D12_HEAP_PROPERTIES, _a1: D3D12_HEAP_FLAGS, _a2: *const D3D12_RESOURCE_DESC, _a3: u32, _a4: *const D3D12_CLEAR_VALUE, _a5: *mut c_void, _a6: *const GUID, _a7: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device4::CreateCommittedResource1")
    }
    /// ID3D12Device4::CreateHeap1, slot 54: (const D3D12_HEAP_DESC \*, ID3D12ProtectedResourceSession \*, const IID &, void \*\*).
    unsafe fn CreateHeap1(this: &Object<Self>, _a0: *const D3D12_HEAP_DESC, _a1: *mut c_void, _a2: *const GUID, _a3: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device4::CreateHeap1")
    }
    /// ID3D12Device4::CreateReservedResource1, slot 55: (const D3D12_RESOURCE_DESC \*, D3D12_RESOURCE_STATES, const D3D12_CLEAR_VALUE \*, ID3D12ProtectedResourceSession \*, const IID &, void \*\*).
    unsafe fn CreateReservedResource1(this: &Object<Self>, _a0: *const D3D12_RESOURCE_DESC, _a1: u32, _a2: *const D3D12_CLEAR_VALUE, _a3: *mut c_void, _a4: *const GUID, _a5: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device4::CreateReservedResource1")
    }
    /// ID3D12Device4::GetResourceAllocationInfo1, slot 56: (UINT, UINT, const D3D12_RESOURCE_DESC \*, D3D12_RESOURCE_ALLOCATION_INFO1 \*).
    unsafe fn GetResourceAllocationInfo1(this: &Object<Self>, _a0: u32, _a1: u32, _a2: *const D3D12_RESOURCE_DESC, _a3: *mut D3D12_RESOURCE_ALLOCATION_INFO1) -> D3D12_RESOURCE_ALLOCATION_INFO {
        not_implemented(this, "ID3D12Device4::GetResourceAllocationInfo1")
    }
    /// ID3D12Device5::CreateLifetimeTracker, slot 57: (ID3D12LifetimeOwner \*, const IID &, void \*\*).
    unsafe fn CreateLifetimeTracker(this: &Object<Self>, _a0: *mut c_void, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device5::CreateLifetimeTracker")
    }
    /// ID3D12Device5::RemoveDevice, slot 58: ().
    unsafe fn RemoveDevice(this: &Object<Self>) {
        not_implemented(this, "ID3D12Device5::RemoveDevice")
    }
    /// ID3D12Device5::EnumerateMetaCommands, slot 59: (UINT \*, D3D12_META_COMMAND_DESC \*).
    unsafe fn EnumerateMetaCommands(this: &Object<Self>, _a0: *mut u32, _a1: *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device5::EnumerateMetaCommands")
    }
    /// ID3D12Device5::EnumerateMetaCommandParameters, slot 60: (const GUID &, D3D12_META_COMMAND_PARAMETER_STAGE, UINT \*, UINT \*, D3D12_META_COMMAND_PARAMETER_DESC \*).
    unsafe fn EnumerateMetaCommandParameters(this: &Object<Self>, _a0: *const GUID, _a1: u32, _a2: *mut u32, _a3: *mut u32, _a4: *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device5::EnumerateMetaCommandParameters")
    }
    /// ID3D12Device5::CreateMetaCommand, slot 61: (const GUID &, UINT, const void \*, SIZE_T, const IID &, void \*\*).
    unsafe fn CreateMetaCommand(this: &Object<Self>, _a0: *const GUID, _a1: u32, _a2: *const c_void, _a3: usize, _a4: *const GUID, _a5: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device5::CreateMetaCommand")
    }
    /// ID3D12Device5::CreateStateObject, slot 62: (const D3D12_STATE_OBJECT_DESC \*, const IID &, void \*\*).
    unsafe fn CreateStateObject(this: &Object<Self>, _a0: *const c_void, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device5::CreateStateObject")
    }
    /// ID3D12Device5::GetRaytracingAccelerationStructurePrebuildInfo, slot 63: (const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS \*, D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO \*).
    unsafe fn GetRaytracingAccelerationStructurePrebuildInfo(this: &Object<Self>, _a0: *const c_void, _a1: *mut c_void) {
        not_implemented(this, "ID3D12Device5::GetRaytracingAccelerationStructurePrebuildInfo")
    }
    /// ID3D12Device5::CheckDriverMatchingIdentifier, slot 64: (D3D12_SERIALIZED_DATA_TYPE, const D3D12_SERIALIZED_DATA_DRIVER_MATCHING_IDENTIFIER \*).
    unsafe fn CheckDriverMatchingIdentifier(this: &Object<Self>, _a0: u32, _a1: *const c_void) -> u32 {
        not_implemented(this, "ID3D12Device5::CheckDriverMatchingIdentifier")
    }
    /// ID3D12Device6::SetBackgroundProcessingMode, slot 65: (D3D12_BACKGROUND_PROCESSING_MODE, D3D12_MEASUREMENTS_ACTION, HANDLE, BOOL \*).
    unsafe fn SetBackgroundProcessingMode(this: &Object<Self>, _a0: u32, _a1: u32, _a2: *mut c_void, _a3: *mut BOOL) -> HRESULT {
        not_implemented(this, "ID3D12Device6::SetBackgroundProcessingMode")
    }
    /// ID3D12Device7::AddToStateObject, slot 66: (const D3D12_STATE_OBJECT_DESC \*, ID3D12StateObject \*, const IID &, void \*\*).
    unsafe fn AddToStateObject(this: &Object<Self>, _a0: *const c_void, _a1: *mut c_void, _a2: *const GUID, _a3: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device7::AddToStateObject")
    }
    /// ID3D12Device7::CreateProtectedResourceSession1, slot 67: (const D3D12_PROTECTED_RESOURCE_SESSION_DESC1 \*, const IID &, void \*\*).
    unsafe fn CreateProtectedResourceSession1(this: &Object<Self>, _a0: *const D3D12_PROTECTED_RESOURCE_SESSION_DESC1, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device7::CreateProtectedResourceSession1")
    }
    /// ID3D12Device8::GetResourceAllocationInfo2, slot 68: (UINT, UINT, const D3D12_RESOURCE_DESC1 \*, D3D12_RESOURCE_ALLOCATION_INFO1 \*).
    unsafe fn GetResourceAllocationInfo2(this: &Object<Self>, _a0: u32, _a1: u32, _a2: *const D3D12_RESOURCE_DESC1, _a3: *mut D3D12_RESOURCE_ALLOCATION_INFO1) -> D3D12_RESOURCE_ALLOCATION_INFO {
        not_implemented(this, "ID3D12Device8::GetResourceAllocationInfo2")
    }
    /// ID3D12Device8::CreateCommittedResource2, slot 69: (const D3D12_HEAP_PROPERTIES \*, D3D12_HEAP_FLAGS, const D3D12_RESOURCE_DESC1 \*, D3D12_RESOURCE_STATES, const D3D12_CLEAR_VALUE \*, ID3D12ProtectedResourceSession \*, const IID &, void \*\*).
    unsafe fn CreateCommittedResource2(this: &Object<Self>, _a0: *const D3D12_HEAP_PROPERTIES, _a1: D3D12_HEAP_FLAGS, _a2: *const D3D12_RESOURCE_DESC1, _a3: u32, _a4: *const D3D12_CLEAR_VALUE, _a5: *mut c_void, _a6: *const GUID, _a7: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device8::CreateCommittedResource2")
    }
    /// ID3D12Device8::CreatePlacedResource1, slot 70: (ID3D12Heap \*, UINT64, const D3D12_RESOURCE_DESC1 \*, D3D12_RESOURCE_STATES, const D3D12_CLEAR_VALUE \*, const IID &, void \*\*).
    unsafe fn CreatePlacedResource1(this: &Object<Self>, _a0: *mut c_void, _a1: u64, _a2: *const D3D12_RESOURCE_DESC1, _a3: u32, _a4: *const D3D12_CLEAR_VALUE, _a5: *const GUID, _a6: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device8::CreatePlacedResource1")
    }
    /// ID3D12Device8::CreateSamplerFeedbackUnorderedAccessView, slot 71: (ID3D12Resource \*, ID3D12Resource \*, D3D12_CPU_DESCRIPTOR_HANDLE).
    unsafe fn CreateSamplerFeedbackUnorderedAccessView(this: &Object<Self>, _a0: *mut c_void, _a1: *mut c_void, _a2: D3D12_CPU_DESCRIPTOR_HANDLE) {
        not_implemented(this, "ID3D12Device8::CreateSamplerFeedbackUnorderedAccessView")
    }
    /// ID3D12Device8::GetCopyableFootprints1, slot 72: (const D3D12_RESOURCE_DESC1 \*, UINT, UINT, UINT64, D3D12_PLACED_SUBRESOURCE_FOOTPRINT \*, UINT \*, UINT64 \*, UINT64 \*).
    unsafe fn GetCopyableFootprints1(this: &Object<Self>, _a0: *const D3D12_RESOURCE_DESC1, _a1: u32, _a2: u32, _a3: u64, _a4: *mut D3D12_PLACED_SUBRESOURCE_FOOTPRINT, _a5: *mut u32, _a6: *mut u64, _a7: *mut u64) {
        not_implemented(this, "ID3D12Device8::GetCopyableFootprints1")
    }
    /// ID3D12Device9::CreateShaderCacheSession, slot 73: (const D3D12_SHADER_CACHE_SESSION_DESC \*, const IID &, void \*\*).
    unsafe fn CreateShaderCacheSession(this: &Object<Self>, _a0: *const D3D12_SHADER_CACHE_SESSION_DESC, _a1: *const GUID, _a2: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device9::CreateShaderCacheSession")
    }
    /// ID3D12Device9::ShaderCacheControl, slot 74: (D3D12_SHADER_CACHE_KIND_FLAGS, D3D12_SHADER_CACHE_CONTROL_FLAGS).
    unsafe fn ShaderCacheControl(this: &Object<Self>, _a0: u32, _a1: u32) -> HRESULT {
        not_implemented(this, "ID3D12Device9::ShaderCacheControl")
    }
    /// ID3D12Device9::CreateCommandQueue1, slot 75: (const D3D12_COMMAND_QUEUE_DESC \*, const IID &, const IID &, void \*\*).
    unsafe fn CreateCommandQueue1(this: &Object<Self>, _a0: *const D3D12_COMMAND_QUEUE_DESC, _a1: *const GUID, _a2: *const GUID, _a3: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device9::CreateCommandQueue1")
    }
    /// ID3D12Device10::CreateCommittedResource3, slot 76: (const D3D12_HEAP_PROPERTIES \*, D3D12_HEAP_FLAGS, const D3D12_RESOURCE_DESC1 \*, D3D12_BARRIER_LAYOUT, const D3D12_CLEAR_VALUE \*, ID3D12ProtectedResourceSession \*, UINT32, const DXGI_FORMAT \*, const IID &, void \*\*).
    unsafe fn CreateCommittedResource3(this: &Object<Self>, _a0: *const D3D12_HEAP_PROPERTIES, _a1: D3D12_HEAP_FLAGS, _a2: *const D3D12_RESOURCE_DESC1, _a3: u32, _a4: *const D3D12_CLEAR_VALUE, _a5: *mut c_void, _a6: u32, _a7: *const DXGI_FORMAT, _a8: *const GUID, _a9: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device10::CreateCommittedResource3")
    }
    /// ID3D12Device10::CreatePlacedResource2, slot 77: (ID3D12Heap \*, UINT64, const D3D12_RESOURCE_DESC1 \*, D3D12_BARRIER_LAYOUT, const D3D12_CLEAR_VALUE \*, UINT32, const DXGI_FORMAT \*, const IID &, void \*\*).
    unsafe fn CreatePlacedResource2(this: &Object<Self>, _a0: *mut c_void, _a1: u64, _a2: *const D3D12_RESOURCE_DESC1, _a3: u32, _a4: *const D3D12_CLEAR_VALUE, _a5: u32, _a6: *const DXGI_FORMAT, _a7: *const GUID, _a8: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device10::CreatePlacedResource2")
    }
    /// ID3D12Device10::CreateReservedResource2, slot 78: (const D3D12_RESOURCE_DESC \*, D3D12_BARRIER_LAYOUT, const D3D12_CLEAR_VALUE \*, ID3D12ProtectedResourceSession \*, UINT32, const DXGI_FORMAT \*, const IID &, void \*\*).
    unsafe fn CreateReservedResource2(this: &Object<Self>, _a0: *const D3D12_RESOURCE_DESC, _a1: u32, _a2: *const D3D12_CLEAR_VALUE, _a3: *mut c_void, _a4: u32, _a5: *const DXGI_FORMAT, _a6: *const GUID, _a7: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device10::CreateReservedResource2")
    }
    /// ID3D12Device11::CreateSampler2, slot 79: (const D3D12_SAMPLER_DESC2 \*, D3D12_CPU_DESCRIPTOR_HANDLE).
    unsafe fn CreateSampler2(this: &Object<Self>, _a0: *const D3D12_SAMPLER_DESC2, _a1: D3D12_CPU_DESCRIPTOR_HANDLE) {
        not_implemented(this, "ID3D12Device11::CreateSampler2")
    }
    /// ID3D12Device12::GetResourceAllocationInfo3, slot 80: (UINT, UINT, const D3D12_RESOURCE_DESC1 \*, const UINT32 \*, const DXGI_FORMAT \*const \*, D3D12_RESOURCE_ALLOCATION_INFO1 \*).
    unsafe fn GetResourceAllocationInfo3(this: &Object<Self>, _a0: u32, _a1: u32, _a2: *const D3D12_RESOURCE_DESC1, _a3: *const u32, _a4: *const *const DXGI_FORMAT, _a5: *mut D3D12_RESOURCE_ALLOCATION_INFO1) -> D3D12_RESOURCE_ALLOCATION_INFO {
        not_implemented(this, "ID3D12Device12::GetResourceAllocationInfo3")
    }
    /// ID3D12Device13::OpenExistingHeapFromAddress1, slot 81: (const void \*, SIZE_T, const IID &, void \*\*).
    unsafe fn OpenExistingHeapFromAddress1(this: &Object<Self>, _a0: *const c_void, _a1: usize, _a2: *const GUID, _a3: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device13::OpenExistingHeapFromAddress1")
    }
    /// ID3D12Device14::CreateRootSignatureFromSubobjectInLibrary, slot 82: (UINT, const void \*, SIZE_T, LPCWSTR, const IID &, void \*\*).
    unsafe fn CreateRootSignatureFromSubobjectInLibrary(this: &Object<Self>, _a0: u32, _a1: *const c_void, _a2: usize, _a3: *const c_void, _a4: *const GUID, _a5: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device14::CreateRootSignatureFromSubobjectInLibrary")
    }
    /// ID3D12Device15::RegisterTrimNotificationCallback, slot 83: (D3D12_REGISTER_TRIM_NOTIFICATION \*).
    unsafe fn RegisterTrimNotificationCallback(this: &Object<Self>, _a0: *mut D3D12_REGISTER_TRIM_NOTIFICATION) -> HRESULT {
        not_implemented(this, "ID3D12Device15::RegisterTrimNotificationCallback")
    }
    /// ID3D12Device15::UnregisterTrimNotificationCallback, slot 84: (DWORD).
    unsafe fn UnregisterTrimNotificationCallback(this: &Object<Self>, _a0: u32) -> HRESULT {
        not_implemented(this, "ID3D12Device15::UnregisterTrimNotificationCallback")
    }
    /// ID3D12Device15::TryCreateShaderResourceView, slot 85: (ID3D12Resource \*, const D3D12_SHADER_RESOURCE_VIEW_DESC \*, D3D12_CPU_DESCRIPTOR_HANDLE).
    unsafe fn TryCreateShaderResourceView(this: &Object<Self>, _a0: *mut c_void, _a1: *const D3D12_SHADER_RESOURCE_VIEW_DESC, _a2: D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT {
        not_implemented(this, "ID3D12Device15::TryCreateShaderResourceView")
    }
    /// ID3D12Device15::TryCreateUnorderedAccessView, slot 86: (ID3D12Resource \*, ID3D12Resource \*, const D3D12_UNORDERED_ACCESS_VIEW_DESC \*, D3D12_CPU_DESCRIPTOR_HANDLE).
    unsafe fn TryCreateUnorderedAccessView(this: &Object<Self>, _a0: *mut c_void, _a1: *mut c_void, _a2: *const D3D12_UNORDERED_ACCESS_VIEW_DESC, _a3: D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT {
        not_implemented(this, "ID3D12Device15::TryCreateUnorderedAccessView")
    }
    /// ID3D12Device15::TryCreateConstantBufferView, slot 87: (const D3D12_CONSTANT_BUFFER_VIEW_DESC \*, D3D12_CPU_DESCRIPTOR_HANDLE).
    unsafe fn TryCreateConstantBufferView(this: &Object<Self>, _a0: *const D3D12_CONSTANT_BUFFER_VIEW_DESC, _a1: D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT {
        not_implemented(this, "ID3D12Device15::TryCreateConstantBufferView")
    }
    /// ID3D12Device15::TryCreateSampler2, slot 88: (const D3D12_SAMPLER_DESC2 \*, D3D12_CPU_DESCRIPTOR_HANDLE).
    unsafe fn TryCreateSampler2(this: &Object<Self>, _a0: *const D3D12_SAMPLER_DESC2, _a1: D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT {
        not_implemented(this, "ID3D12Device15::TryCreateSampler2")
    }
    /// ID3D12Device15::TryCreateRenderTargetView, slot 89: (ID3D12Resource \*, const D3D12_RENDER_TARGET_VIEW_DESC \*, D3D12_CPU_DESCRIPTOR_HANDLE).
    unsafe fn TryCreateRenderTargetView(this: &Object<Self>, _a0: *mut c_void, _a1: *const D3D12_RENDER_TARGET_VIEW_DESC, _a2: D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT {
        not_implemented(this, "ID3D12Device15::TryCreateRenderTargetView")
    }
    /// ID3D12Device15::TryCreateDepthStencilView, slot 90: (ID3D12Resource \*, const D3D12_DEPTH_STENCIL_VIEW_DESC \*, D3D12_CPU_DESCRIPTOR_HANDLE).
    unsafe fn TryCreateDepthStencilView(this: &Object<Self>, _a0: *mut c_void, _a1: *const D3D12_DEPTH_STENCIL_VIEW_DESC, _a2: D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT {
        not_implemented(this, "ID3D12Device15::TryCreateDepthStencilView")
    }
    /// ID3D12Device15::TryCreateSamplerFeedbackUnorderedAccessView, slot 91: (ID3D12Resource \*, ID3D12Resource \*, D3D12_CPU_DESCRIPTOR_HANDLE).
    unsafe fn TryCreateSamplerFeedbackUnorderedAccessView(this: &Object<Self>, _a0: *mut c_void, _a1: *mut c_void, _a2: D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT {
        not_implemented(this, "ID3D12Device15::TryCreateSamplerFeedbackUnorderedAccessView")
    }
    /// ID3D12Device15::CreateQueryHeap1, slot 92: (const D3D12_QUERY_HEAP_DESC \*, D3D12_QUERY_HEAP_FLAGS, const IID &, void \*\*).
    unsafe fn CreateQueryHeap1(this: &Object<Self>, _a0: *const D3D12_QUERY_HEAP_DESC, _a1: u32, _a2: *const GUID, _a3: *mut *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device15::CreateQueryHeap1")
    }
    /// ID3D12Device15::ResolveQueryData, slot 93: (ID3D12QueryHeap \*, D3D12_QUERY_TYPE, UINT, UINT, void \*).
    unsafe fn ResolveQueryData(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: u32, _a3: u32, _a4: *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12Device15::ResolveQueryData")
    }
}

/// The vtable of ID3D12Device15.
#[repr(C)]
pub struct ID3D12Device15Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, *mut u32, *mut c_void) -> HRESULT,
    pub SetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, u32, *const c_void) -> HRESULT,
    pub SetPrivateDataInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *const c_void) -> HRESULT,
    pub SetName: unsafe extern "C" fn(*mut c_void, *const c_void) -> HRESULT,
    pub GetNodeCount: unsafe extern "C" fn(*mut c_void) -> u32,
    pub CreateCommandQueue: unsafe extern "C" fn(*mut c_void, *const D3D12_COMMAND_QUEUE_DESC, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateCommandAllocator: unsafe extern "C" fn(*mut c_void, u32, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateGraphicsPipelineState: unsafe extern "C" fn(*mut c_void, *const c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateComputePipelineState: unsafe extern "C" fn(*mut c_void, *const D3D12_COMPUTE_PIPELINE_STATE_DESC, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateCommandList: unsafe extern "C" fn(*mut c_void, u32, u32, *mut c_void, *mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CheckFeatureSupport: unsafe extern "C" fn(*mut c_void, u32, *mut c_void, u32) -> HRESULT,
    pub CreateDescriptorHeap: unsafe extern "C" fn(*mut c_void, *const D3D12_DESCRIPTOR_HEAP_DESC, *const GUID, *mut *mut c_void) -> HRESULT,
    pub GetDescriptorHandleIncrementSize: unsafe extern "C" fn(*mut c_void, u32) -> u32,
    pub CreateRootSignature: unsafe extern "C" fn(*mut c_void, u32, *const c_void, usize, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateConstantBufferView: unsafe extern "C" fn(*mut c_void, *const D3D12_CONSTANT_BUFFER_VIEW_DESC, D3D12_CPU_DESCRIPTOR_HANDLE),
    pub CreateShaderResourceView: unsafe extern "C" fn(*mut c_void, *mut c_void, *const D3D12_SHADER_RESOURCE_VIEW_DESC, D3D12_CPU_DESCRIPTOR_HANDLE),
    pub CreateUnorderedAccessView: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void, *const D3D12_UNORDERED_ACCESS_VIEW_DESC, D3D12_CPU_DESCRIPTOR_HANDLE),
    pub CreateRenderTargetView: unsafe extern "C" fn(*mut c_void, *mut c_void, *const D3D12_RENDER_TARGET_VIEW_DESC, D3D12_CPU_DESCRIPTOR_HANDLE),
    pub CreateDepthStencilView: unsafe extern "C" fn(*mut c_void, *mut c_void, *const D3D12_DEPTH_STENCIL_VIEW_DESC, D3D12_CPU_DESCRIPTOR_HANDLE),
    pub CreateSampler: unsafe extern "C" fn(*mut c_void, *const D3D12_SAMPLER_DESC, D3D12_CPU_DESCRIPTOR_HANDLE),
    pub CopyDescriptors: unsafe extern "C" fn(*mut c_void, u32, *const D3D12_CPU_DESCRIPTOR_HANDLE, *const u32, u32, *const D3D12_CPU_DESCRIPTOR_HANDLE, *const u32, u32),
    pub CopyDescriptorsSimple: unsafe extern "C" fn(*mut c_void, u32, D3D12_CPU_DESCRIPTOR_HANDLE, D3D12_CPU_DESCRIPTOR_HANDLE, u32),
    pub GetResourceAllocationInfo: StructReturn,
    pub GetCustomHeapProperties: StructReturn,
    pub CreateCommittedResource: unsafe extern "C" fn(*mut c_void, *const D3D12_HEAP_PROPERTIES, D3D12_HEAP_FLAGS, *const D3D12_RESOURCE_DESC, u32, *const D3D12_CLEAR_VALUE, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateHeap: unsafe extern "C" fn(*mut c_void, *const D3D12_HEAP_DESC, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreatePlacedResource: unsafe extern "C" fn(*mut c_void, *mut c_void, u64, *const D3D12_RESOURCE_DESC, u32, *const D3D12_CLEAR_VALUE, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateReservedResource: unsafe extern "C" fn(*mut c_void, *const D3D12_RESOURCE_DESC, u32, *const D3D12_CLEAR_VALUE, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateSharedHandle: unsafe extern "C" fn(*mut c_void, *mut c_void, *const SECURITY_ATTRIBUTES, u32, *const c_void, *mut *mut c_void) -> HRESULT,
    pub OpenSharedHandle: unsafe extern "C" fn(*mut c_void, *mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub OpenSharedHandleByName: unsafe extern "C" fn(*mut c_void, *const c_void, u32, *mut *mut c_void) -> HRESULT,
    pub MakeResident: unsafe extern "C" fn(*mut c_void, u32, *const *mut c_void) -> HRESULT,
    pub Evict: unsafe extern "C" fn(*mut c_void, u32, *const *mut c_void) -> HRESULT,
    pub CreateFence: unsafe extern "C" fn(*mut c_void, u64, u32, *const GUID, *mut *mut c_void) -> HRESULT,
    pub GetDeviceRemovedReason: unsafe extern "C" fn(*mut c_void) -> HRESULT,
    pub GetCopyableFootprints: unsafe extern "C" fn(*mut c_void, *const D3D12_RESOURCE_DESC, u32, u32, u64, *mut D3D12_PLACED_SUBRESOURCE_FOOTPRINT, *mut u32, *mut u64, *mut u64),
    pub CreateQueryHeap: unsafe extern "C" fn(*mut c_void, *const D3D12_QUERY_HEAP_DESC, *const GUID, *mut *mut c_void) -> HRESULT,
    pub SetStablePowerState: unsafe extern "C" fn(*mut c_void, BOOL) -> HRESULT,
    pub CreateCommandSignature: unsafe extern "C" fn(*mut c_void, *const D3D12_COMMAND_SIGNATURE_DESC, *mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub GetResourceTiling: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut u32, *mut D3D12_PACKED_MIP_INFO, *mut D3D12_TILE_SHAPE, *mut u32, u32, *mut D3D12_SUBRESOURCE_TILING),
    pub GetAdapterLuid: StructReturn,
    pub CreatePipelineLibrary: unsafe extern "C" fn(*mut c_void, *const c_void, usize, *const GUID, *mut *mut c_void) -> HRESULT,
    pub SetEventOnMultipleFenceCompletion: unsafe extern "C" fn(*mut c_void, *const *mut c_void, *const u64, u32, u32, *mut c_void) -> HRESULT,
    pub SetResidencyPriority: unsafe extern "C" fn(*mut c_void, u32, *const *mut c_void, *const D3D12_RESIDENCY_PRIORITY) -> HRESULT,
    pub CreatePipelineState: unsafe extern "C" fn(*mut c_void, *const D3D12_PIPELINE_STATE_STREAM_DESC, *const GUID, *mut *mut c_void) -> HRESULT,
    pub OpenExistingHeapFromAddress: unsafe extern "C" fn(*mut c_void, *const c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub OpenExistingHeapFromFileMapping: unsafe extern "C" fn(*mut c_void, *mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub EnqueueMakeResident: unsafe extern "C" fn(*mut c_void, u32, u32, *const *mut c_void, *mut c_void, u64) -> HRESULT,
    pub CreateCommandList1: unsafe extern "C" fn(*mut c_void, u32, u32, u32, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateProtectedResourceSession: unsafe extern "C" fn(*mut c_void, *const D3D12_PROTECTED_RESOURCE_SESSION_DESC, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateCommittedResource1: unsafe extern "C" fn(*mut c_void, *const D3D12_HEAP_PROPERTIES, D3D12_HEAP_FLAGS, *const D3D12_RESOURCE_DESC, u32, *const D3D12_CLEAR_VALUE, *mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateHeap1: unsafe extern "C" fn(*mut c_void, *const D3D12_HEAP_DESC, *mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateReservedResource1: unsafe extern "C" fn(*mut c_void, *const D3D12_RESOURCE_DESC, u32, *const D3D12_CLEAR_VALUE, *mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub GetResourceAllocationInfo1: StructReturn,
    pub CreateLifetimeTracker: unsafe extern "C" fn(*mut c_void, *mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub RemoveDevice: unsafe extern "C" fn(*mut c_void),
    pub EnumerateMetaCommands: unsafe extern "C" fn(*mut c_void, *mut u32, *mut c_void) -> HRESULT,
    pub EnumerateMetaCommandParameters: unsafe extern "C" fn(*mut c_void, *const GUID, u32, *mut u32, *mut u32, *mut c_void) -> HRESULT,
    pub CreateMetaCommand: unsafe extern "C" fn(*mut c_void, *const GUID, u32, *const c_void, usize, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateStateObject: unsafe extern "C" fn(*mut c_void, *const c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub GetRaytracingAccelerationStructurePrebuildInfo: unsafe extern "C" fn(*mut c_void, *const c_void, *mut c_void),
    pub CheckDriverMatchingIdentifier: unsafe extern "C" fn(*mut c_void, u32, *const c_void) -> u32,
    pub SetBackgroundProcessingMode: unsafe extern "C" fn(*mut c_void, u32, u32, *mut c_void, *mut BOOL) -> HRESULT,
    pub AddToStateObject: unsafe extern "C" fn(*mut c_void, *const c_void, *mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateProtectedResourceSession1: unsafe extern "C" fn(*mut c_void, *const D3D12_PROTECTED_RESOURCE_SESSION_DESC1, *const GUID, *mut *mut c_void) -> HRESULT,
    pub GetResourceAllocationInfo2: StructReturn,
    pub CreateCommittedResource2: unsafe extern "C" fn(*mut c_void, *const D3D12_HEAP_PROPERTIES, D3D12_HEAP_FLAGS, *const D3D12_RESOURCE_DESC1, u32, *const D3D12_CLEAR_VALUE, *mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreatePlacedResource1: unsafe extern "C" fn(*mut c_void, *mut c_void, u64, *const D3D12_RESOURCE_DESC1, u32, *const D3D12_CLEAR_VALUE, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateSamplerFeedbackUnorderedAccessView: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void, D3D12_CPU_DESCRIPTOR_HANDLE),
    pub GetCopyableFootprints1: unsafe extern "C" fn(*mut c_void, *const D3D12_RESOURCE_DESC1, u32, u32, u64, *mut D3D12_PLACED_SUBRESOURCE_FOOTPRINT, *mut u32, *mut u64, *mut u64),
    pub CreateShaderCacheSession: unsafe extern "C" fn(*mut c_void, *const D3D12_SHADER_CACHE_SESSION_DESC, *const GUID, *mut *mut c_void) -> HRESULT,
    pub ShaderCacheControl: unsafe extern "C" fn(*mut c_void, u32, u32) -> HRESULT,
    pub CreateCommandQueue1: unsafe extern "C" fn(*mut c_void, *const D3D12_COMMAND_QUEUE_DESC, *const GUID, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateCommittedResource3: unsafe extern "C" fn(*mut c_void, *const D3D12_HEAP_PROPERTIES, D3D12_HEAP_FLAGS, *const D3D12_RESOURCE_DESC1, u32, *const D3D12_CLEAR_VALUE, *mut c_void, u32, *const DXGI_FORMAT, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreatePlacedResource2: unsafe extern "C" fn(*mut c_void, *mut c_void, u64, *const D3D12_RESOURCE_DESC1, u32, *const D3D12_CLEAR_VALUE, u32, *const DXGI_FORMAT, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateReservedResource2: unsafe extern "C" fn(*mut c_void, *const D3D12_RESOURCE_DESC, u32, *const D3D12_CLEAR_VALUE, *mut c_void, u32, *const DXGI_FORMAT, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateSampler2: unsafe extern "C" fn(*mut c_void, *const D3D12_SAMPLER_DESC2, D3D12_CPU_DESCRIPTOR_HANDLE),
    pub GetResourceAllocationInfo3: StructReturn,
    pub OpenExistingHeapFromAddress1: unsafe extern "C" fn(*mut c_void, *const c_void, usize, *const GUID, *mut *mut c_void) -> HRESULT,
    pub CreateRootSignatureFromSubobjectInLibrary: unsafe extern "C" fn(*mut c_void, u32, *const c_void, usize, *const c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub RegisterTrimNotificationCallback: unsafe extern "C" fn(*mut c_void, *mut D3D12_REGISTER_TRIM_NOTIFICATION) -> HRESULT,
    pub UnregisterTrimNotificationCallback: unsafe extern "C" fn(*mut c_void, u32) -> HRESULT,
    pub TryCreateShaderResourceView: unsafe extern "C" fn(*mut c_void, *mut c_void, *const D3D12_SHADER_RESOURCE_VIEW_DESC, D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT,
    pub TryCreateUnorderedAccessView: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void, *const D3D12_UNORDERED_ACCESS_VIEW_DESC, D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT,
    pub TryCreateConstantBufferView: unsafe extern "C" fn(*mut c_void, *const D3D12_CONSTANT_BUFFER_VIEW_DESC, D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT,
    pub TryCreateSampler2: unsafe extern "C" fn(*mut c_void, *const D3D12_SAMPLER_DESC2, D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT,
    pub TryCreateRenderTargetView: unsafe extern "C" fn(*mut c_void, *mut c_void, *const D3D12_RENDER_TARGET_VIEW_DESC, D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT,
    pub TryCreateDepthStencilView: unsafe extern "C" fn(*mut c_void, *mut c_void, *const D3D12_DEPTH_STENCIL_VIEW_DESC, D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT,
    pub TryCreateSamplerFeedbackUnorderedAccessView: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void, D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT,
    pub CreateQueryHeap1: unsafe extern "C" fn(*mut c_void, *const D3D12_QUERY_HEAP_DESC, u32, *const GUID, *mut *mut c_void) -> HRESULT,
    pub ResolveQueryData: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, u32, u32, *mut c_void) -> HRESULT,
}

impl<T: ID3D12Device15, F: Face<T>> Vtable<T, F> for ID3D12Device15Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12Object, super::IID_ID3D12Device, super::IID_ID3D12Device1, super::IID_ID3D12Device2, super::IID_ID3D12Device3, super::IID_ID3D12Device4, super::IID_ID3D12Device5, super::IID_ID3D12Device6, super::IID_ID3D12Device7, super::IID_ID3D12Device8, super::IID_ID3D12Device9, super::IID_ID3D12Device10, super::IID_ID3D12Device11, super::IID_ID3D12Device12, super::IID_ID3D12Device13, super::IID_ID3D12Device14, super::IID_ID3D12Device15];
    const LINUX: Self = ID3D12Device15Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetNodeCount: GetNodeCount::<T, F>,
        CreateCommandQueue: CreateCommandQueue::<T, F>,
        CreateCommandAllocator: CreateCommandAllocator::<T, F>,
        CreateGraphicsPipelineState: CreateGraphicsPipelineState::<T, F>,
        CreateComputePipelineState: CreateComputePipelineState::<T, F>,
        CreateCommandList: CreateCommandList::<T, F>,
        CheckFeatureSupport: CheckFeatureSupport::<T, F>,
        CreateDescriptorHeap: CreateDescriptorHeap::<T, F>,
        GetDescriptorHandleIncrementSize: GetDescriptorHandleIncrementSize::<T, F>,
        CreateRootSignature: CreateRootSignature::<T, F>,
        CreateConstantBufferView: CreateConstantBufferView::<T, F>,
        CreateShaderResourceView: CreateShaderResourceView::<T, F>,
        CreateUnorderedAccessView: CreateUnorderedAccessView::<T, F>,
        CreateRenderTargetView: CreateRenderTargetView::<T, F>,
        CreateDepthStencilView: CreateDepthStencilView::<T, F>,
        CreateSampler: CreateSampler::<T, F>,
        CopyDescriptors: CopyDescriptors::<T, F>,
        CopyDescriptorsSimple: CopyDescriptorsSimple::<T, F>,
        GetResourceAllocationInfo: StructReturn::new(GetResourceAllocationInfo::<T, F> as *const ()),
        GetCustomHeapProperties: StructReturn::new(GetCustomHeapProperties::<T, F> as *const ()),
        CreateCommittedResource: CreateCommittedResource::<T, F>,
        CreateHeap: CreateHeap::<T, F>,
        CreatePlacedResource: CreatePlacedResource::<T, F>,
        CreateReservedResource: CreateReservedResource::<T, F>,
        CreateSharedHandle: CreateSharedHandle::<T, F>,
        OpenSharedHandle: OpenSharedHandle::<T, F>,
        OpenSharedHandleByName: OpenSharedHandleByName::<T, F>,
        MakeResident: MakeResident::<T, F>,
        Evict: Evict::<T, F>,
        CreateFence: CreateFence::<T, F>,
        GetDeviceRemovedReason: GetDeviceRemovedReason::<T, F>,
        GetCopyableFootprints: GetCopyableFootprints::<T, F>,
        CreateQueryHeap: CreateQueryHeap::<T, F>,
        SetStablePowerState: SetStablePowerState::<T, F>,
        CreateCommandSignature: CreateCommandSignature::<T, F>,
        GetResourceTiling: GetResourceTiling::<T, F>,
        GetAdapterLuid: StructReturn::new(GetAdapterLuid::<T, F> as *const ()),
        CreatePipelineLibrary: CreatePipelineLibrary::<T, F>,
        SetEventOnMultipleFenceCompletion: SetEventOnMultipleFenceCompletion::<T, F>,
        SetResidencyPriority: SetResidencyPriority::<T, F>,
        CreatePipelineState: CreatePipelineState::<T, F>,
        OpenExistingHeapFromAddress: OpenExistingHeapFromAddress::<T, F>,
        OpenExistingHeapFromFileMapping: OpenExistingHeapFromFileMapping::<T, F>,
        EnqueueMakeResident: EnqueueMakeResident::<T, F>,
        CreateCommandList1: CreateCommandList1::<T, F>,
        CreateProtectedResourceSession: CreateProtectedResourceSession::<T, F>,
        CreateCommittedResource1: CreateCommittedResource1::<T, F>,
        CreateHeap1: CreateHeap1::<T, F>,
        CreateReservedResource1: CreateReservedResource1::<T, F>,
        GetResourceAllocationInfo1: StructReturn::new(GetResourceAllocationInfo1::<T, F> as *const ()),
        CreateLifetimeTracker: CreateLifetimeTracker::<T, F>,
        RemoveDevice: RemoveDevice::<T, F>,
        EnumerateMetaCommands: EnumerateMetaCommands::<T, F>,
        EnumerateMetaCommandParameters: EnumerateMetaCommandParameters::<T, F>,
        CreateMetaCommand: CreateMetaCommand::<T, F>,
        CreateStateObject: CreateStateObject::<T, F>,
        GetRaytracingAccelerationStructurePrebuildInfo: GetRaytracingAccelerationStructurePrebuildInfo::<T, F>,
        CheckDriverMatchingIdentifier: CheckDriverMatchingIdentifier::<T, F>,
        SetBackgroundProcessingMode: SetBackgroundProcessingMode::<T, F>,
        AddToStateObject: AddToStateObject::<T, F>,
        CreateProtectedResourceSession1: CreateProtectedResourceSession1::<T, F>,
        GetResourceAllocationInfo2: StructReturn::new(GetResourceAllocationInfo2::<T, F> as *const ()),
        CreateCommittedResource2: CreateCommittedResource2::<T, F>,
        CreatePlacedResource1: CreatePlacedResource1::<T, F>,
        CreateSamplerFeedbackUnorderedAccessView: CreateSamplerFeedbackUnorderedAccessView::<T, F>,
        GetCopyableFootprints1: GetCopyableFootprints1::<T, F>,
        CreateShaderCacheSession: CreateShaderCacheSession::<T, F>,
        ShaderCacheControl: ShaderCacheControl::<T, F>,
        CreateCommandQueue1: CreateCommandQueue1::<T, F>,
        CreateCommittedResource3: CreateCommittedResource3::<T, F>,
        CreatePlacedResource2: CreatePlacedResource2::<T, F>,
        CreateReservedResource2: CreateReservedResource2::<T, F>,
        CreateSampler2: CreateSampler2::<T, F>,
        GetResourceAllocationInfo3: StructReturn::new(GetResourceAllocationInfo3::<T, F> as *const ()),
        OpenExistingHeapFromAddress1: OpenExistingHeapFromAddress1::<T, F>,
        CreateRootSignatureFromSubobjectInLibrary: CreateRootSignatureFromSubobjectInLibrary::<T, F>,
        RegisterTrimNotificationCallback: RegisterTrimNotificationCallback::<T, F>,
        UnregisterTrimNotificationCallback: UnregisterTrimNotificationCallback::<T, F>,
        TryCreateShaderResourceView: TryCreateShaderResourceView::<T, F>,
        TryCreateUnorderedAccessView: TryCreateUnorderedAccessView::<T, F>,
        TryCreateConstantBufferView: TryCreateConstantBufferView::<T, F>,
        TryCreateSampler2: TryCreateSampler2::<T, F>,
        TryCreateRenderTargetView: TryCreateRenderTargetView::<T, F>,
        TryCreateDepthStencilView: TryCreateDepthStencilView::<T, F>,
        TryCreateSamplerFeedbackUnorderedAccessView: TryCreateSamplerFeedbackUnorderedAccessView::<T, F>,
        CreateQueryHeap1: CreateQueryHeap1::<T, F>,
        ResolveQueryData: ResolveQueryData::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12Device15Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetNodeCount: GetNodeCount::<T, F>,
        CreateCommandQueue: CreateCommandQueue::<T, F>,
        CreateCommandAllocator: CreateCommandAllocator::<T, F>,
        CreateGraphicsPipelineState: CreateGraphicsPipelineState::<T, F>,
        CreateComputePipelineState: CreateComputePipelineState::<T, F>,
        CreateCommandList: CreateCommandList::<T, F>,
        CheckFeatureSupport: CheckFeatureSupport::<T, F>,
        CreateDescriptorHeap: CreateDescriptorHeap::<T, F>,
        GetDescriptorHandleIncrementSize: GetDescriptorHandleIncrementSize::<T, F>,
        CreateRootSignature: CreateRootSignature::<T, F>,
        CreateConstantBufferView: CreateConstantBufferView::<T, F>,
        CreateShaderResourceView: CreateShaderResourceView::<T, F>,
        CreateUnorderedAccessView: CreateUnorderedAccessView::<T, F>,
        CreateRenderTargetView: CreateRenderTargetView::<T, F>,
        CreateDepthStencilView: CreateDepthStencilView::<T, F>,
        CreateSampler: CreateSampler::<T, F>,
        CopyDescriptors: CopyDescriptors::<T, F>,
        CopyDescriptorsSimple: CopyDescriptorsSimple::<T, F>,
        GetResourceAllocationInfo: StructReturn::new(explicit_GetResourceAllocationInfo::<T, F> as *const ()),
        GetCustomHeapProperties: StructReturn::new(explicit_GetCustomHeapProperties::<T, F> as *const ()),
        CreateCommittedResource: CreateCommittedResource::<T, F>,
        CreateHeap: CreateHeap::<T, F>,
        CreatePlacedResource: CreatePlacedResource::<T, F>,
        CreateReservedResource: CreateReservedResource::<T, F>,
        CreateSharedHandle: CreateSharedHandle::<T, F>,
        OpenSharedHandle: OpenSharedHandle::<T, F>,
        OpenSharedHandleByName: OpenSharedHandleByName::<T, F>,
        MakeResident: MakeResident::<T, F>,
        Evict: Evict::<T, F>,
        CreateFence: CreateFence::<T, F>,
        GetDeviceRemovedReason: GetDeviceRemovedReason::<T, F>,
        GetCopyableFootprints: GetCopyableFootprints::<T, F>,
        CreateQueryHeap: CreateQueryHeap::<T, F>,
        SetStablePowerState: SetStablePowerState::<T, F>,
        CreateCommandSignature: CreateCommandSignature::<T, F>,
        GetResourceTiling: GetResourceTiling::<T, F>,
        GetAdapterLuid: StructReturn::new(explicit_GetAdapterLuid::<T, F> as *const ()),
        CreatePipelineLibrary: CreatePipelineLibrary::<T, F>,
        SetEventOnMultipleFenceCompletion: SetEventOnMultipleFenceCompletion::<T, F>,
        SetResidencyPriority: SetResidencyPriority::<T, F>,
        CreatePipelineState: CreatePipelineState::<T, F>,
        OpenExistingHeapFromAddress: OpenExistingHeapFromAddress::<T, F>,
        OpenExistingHeapFromFileMapping: OpenExistingHeapFromFileMapping::<T, F>,
        EnqueueMakeResident: EnqueueMakeResident::<T, F>,
        CreateCommandList1: CreateCommandList1::<T, F>,
        CreateProtectedResourceSession: CreateProtectedResourceSession::<T, F>,
        CreateCommittedResource1: CreateCommittedResource1::<T, F>,
        CreateHeap1: CreateHeap1::<T, F>,
        CreateReservedResource1: CreateReservedResource1::<T, F>,
        GetResourceAllocationInfo1: StructReturn::new(explicit_GetResourceAllocationInfo1::<T, F> as *const ()),
        CreateLifetimeTracker: CreateLifetimeTracker::<T, F>,
        RemoveDevice: RemoveDevice::<T, F>,
        EnumerateMetaCommands: EnumerateMetaCommands::<T, F>,
        EnumerateMetaCommandParameters: EnumerateMetaCommandParameters::<T, F>,
        CreateMetaCommand: CreateMetaCommand::<T, F>,
        CreateStateObject: CreateStateObject::<T, F>,
        GetRaytracingAccelerationStructurePrebuildInfo: GetRaytracingAccelerationStructurePrebuildInfo::<T, F>,
        CheckDriverMatchingIdentifier: CheckDriverMatchingIdentifier::<T, F>,
        SetBackgroundProcessingMode: SetBackgroundProcessingMode::<T, F>,
        AddToStateObject: AddToStateObject::<T, F>,
        CreateProtectedResourceSession1: CreateProtectedResourceSession1::<T, F>,
        GetResourceAllocationInfo2: StructReturn::new(explicit_GetResourceAllocationInfo2::<T, F> as *const ()),
        CreateCommittedResource2: CreateCommittedResource2::<T, F>,
        CreatePlacedResource1: CreatePlacedResource1::<T, F>,
        CreateSamplerFeedbackUnorderedAccessView: CreateSamplerFeedbackUnorderedAccessView::<T, F>,
        GetCopyableFootprints1: GetCopyableFootprints1::<T, F>,
        CreateShaderCacheSession: CreateShaderCacheSession::<T, F>,
        ShaderCacheControl: ShaderCacheControl::<T, F>,
        CreateCommandQueue1: CreateCommandQueue1::<T, F>,
        CreateCommittedResource3: CreateCommittedResource3::<T, F>,
        CreatePlacedResource2: CreatePlacedResource2::<T, F>,
        CreateReservedResource2: CreateReservedResource2::<T, F>,
        CreateSampler2: CreateSampler2::<T, F>,
        GetResourceAllocationInfo3: StructReturn::new(explicit_GetResourceAllocationInfo3::<T, F> as *const ()),
        OpenExistingHeapFromAddress1: OpenExistingHeapFromAddress1::<T, F>,
        CreateRootSignatureFromSubobjectInLibrary: CreateRootSignatureFromSubobjectInLibrary::<T, F>,
        RegisterTrimNotificationCallback: RegisterTrimNotificationCallback::<T, F>,
        UnregisterTrimNotificationCallback: UnregisterTrimNotificationCallback::<T, F>,
        TryCreateShaderResourceView: TryCreateShaderResourceView::<T, F>,
        TryCreateUnorderedAccessView: TryCreateUnorderedAccessView::<T, F>,
        TryCreateConstantBufferView: TryCreateConstantBufferView::<T, F>,
        TryCreateSampler2: TryCreateSampler2::<T, F>,
        TryCreateRenderTargetView: TryCreateRenderTargetView::<T, F>,
        TryCreateDepthStencilView: TryCreateDepthStencilView::<T, F>,
        TryCreateSamplerFeedbackUnorderedAccessView: TryCreateSamplerFeedbackUnorderedAccessView::<T, F>,
        CreateQueryHeap1: CreateQueryHeap1::<T, F>,
        ResolveQueryData: ResolveQueryData::<T, F>,
    };
}

unsafe extern "C" fn GetNodeCount<T: ID3D12Device15, F: Face<T>>(this: *mut c_void) -> u32 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetNodeCount(this) })
}

unsafe extern "C" fn CreateCommandQueue<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_COMMAND_QUEUE_DESC, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateCommandQueue(this, a0, a1, a2) })
}

unsafe extern "C" fn CreateCommandAllocator<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateCommandAllocator(this, a0, a1, a2) })
}

unsafe extern "C" fn CreateGraphicsPipelineState<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateGraphicsPipelineState(this, a0, a1, a2) })
}

unsafe extern "C" fn CreateComputePipelineState<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_COMPUTE_PIPELINE_STATE_DESC, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateComputePipelineState(this, a0, a1, a2) })
}

unsafe extern "C" fn CreateCommandList<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: *mut c_void, a3: *mut c_void, a4: *const GUID, a5: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateCommandList(this, a0, a1, a2, a3, a4, a5) })
}

unsafe extern "C" fn CheckFeatureSupport<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: *mut c_void, a2: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CheckFeatureSupport(this, a0, a1, a2) })
}

unsafe extern "C" fn CreateDescriptorHeap<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_DESCRIPTOR_HEAP_DESC, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateDescriptorHeap(this, a0, a1, a2) })
}

unsafe extern "C" fn GetDescriptorHandleIncrementSize<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32) -> u32 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetDescriptorHandleIncrementSize(this, a0) })
}

unsafe extern "C" fn CreateRootSignature<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const c_void, a2: usize, a3: *const GUID, a4: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateRootSignature(this, a0, a1, a2, a3, a4) })
}

unsafe extern "C" fn CreateConstantBufferView<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_CONSTANT_BUFFER_VIEW_DESC, a1: D3D12_CPU_DESCRIPTOR_HANDLE) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateConstantBufferView(this, a0, a1) })
}

unsafe extern "C" fn CreateShaderResourceView<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *const D3D12_SHADER_RESOURCE_VIEW_DESC, a2: D3D12_CPU_DESCRIPTOR_HANDLE) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateShaderResourceView(this, a0, a1, a2) })
}

unsafe extern "C" fn CreateUnorderedAccessView<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut c_void, a2: *const D3D12_UNORDERED_ACCESS_VIEW_DESC, a3: D3D12_CPU_DESCRIPTOR_HANDLE) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateUnorderedAccessView(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn CreateRenderTargetView<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *const D3D12_RENDER_TARGET_VIEW_DESC, a2: D3D12_CPU_DESCRIPTOR_HANDLE) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateRenderTargetView(this, a0, a1, a2) })
}

unsafe extern "C" fn CreateDepthStencilView<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *const D3D12_DEPTH_STENCIL_VIEW_DESC, a2: D3D12_CPU_DESCRIPTOR_HANDLE) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateDepthStencilView(this, a0, a1, a2) })
}

unsafe extern "C" fn CreateSampler<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_SAMPLER_DESC, a1: D3D12_CPU_DESCRIPTOR_HANDLE) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateSampler(this, a0, a1) })
}

unsafe extern "C" fn CopyDescriptors<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const D3D12_CPU_DESCRIPTOR_HANDLE, a2: *const u32, a3: u32, a4: *const D3D12_CPU_DESCRIPTOR_HANDLE, a5: *const u32, a6: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CopyDescriptors(this, a0, a1, a2, a3, a4, a5, a6) })
}

unsafe extern "C" fn CopyDescriptorsSimple<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: D3D12_CPU_DESCRIPTOR_HANDLE, a2: D3D12_CPU_DESCRIPTOR_HANDLE, a3: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CopyDescriptorsSimple(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn GetResourceAllocationInfo<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: *const D3D12_RESOURCE_DESC) -> D3D12_RESOURCE_ALLOCATION_INFO {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetResourceAllocationInfo(this, a0, a1, a2) })
}

unsafe extern "C" fn explicit_GetResourceAllocationInfo<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, result: *mut D3D12_RESOURCE_ALLOCATION_INFO, a0: u32, a1: u32, a2: *const D3D12_RESOURCE_DESC) -> *mut D3D12_RESOURCE_ALLOCATION_INFO {
    // SAFETY: the arguments are the client's.
    let value = unsafe { GetResourceAllocationInfo::<T, F>(this, a0, a1, a2) };
    if !result.is_null() {
        // SAFETY: the client gives a place for the result.
        unsafe { result.write(value) };
    }
    result
}

unsafe extern "C" fn GetCustomHeapProperties<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32) -> D3D12_HEAP_PROPERTIES {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetCustomHeapProperties(this, a0, a1) })
}

unsafe extern "C" fn explicit_GetCustomHeapProperties<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, result: *mut D3D12_HEAP_PROPERTIES, a0: u32, a1: u32) -> *mut D3D12_HEAP_PROPERTIES {
    // SAFETY: the arguments are the client's.
    let value = unsafe { GetCustomHeapProperties::<T, F>(this, a0, a1) };
    if !result.is_null() {
        // SAFETY: the client gives a place for the result.
        unsafe { result.write(value) };
    }
    result
}

unsafe extern "C" fn CreateCommittedResource<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_HEAP_PROPERTIES, a1: D3D12_HEAP_FLAGS, a2: *const D3D12_RESOURCE_DESC, a3: u32, a4: *const D3D12_CLEAR_VALUE, a5: *const GUID, a6: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateCommittedResource(this, a0, a1, a2, a3, a4, a5, a6) })
}

unsafe extern "C" fn CreateHeap<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_HEAP_DESC, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateHeap(this, a0, a1, a2) })
}

unsafe extern "C" fn CreatePlacedResource<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u64, a2: *const D3D12_RESOURCE_DESC, a3: u32, a4: *const D3D12_CLEAR_VALUE, a5: *const GUID, a6: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreatePlacedResource(this, a0, a1, a2, a3, a4, a5, a6) })
}

unsafe extern "C" fn CreateReservedResource<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_RESOURCE_DESC, a1: u32, a2: *const D3D12_CLEAR_VALUE, a3: *const GUID, a4: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateReservedResource(this, a0, a1, a2, a3, a4) })
}

unsafe extern "C" fn CreateSharedHandle<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *const SECURITY_ATTRIBUTES, a2: u32, a3: *const c_void, a4: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateSharedHandle(this, a0, a1, a2, a3, a4) })
}

unsafe extern "C" fn OpenSharedHandle<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::OpenSharedHandle(this, a0, a1, a2) })
}

unsafe extern "C" fn OpenSharedHandleByName<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: u32, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::OpenSharedHandleByName(this, a0, a1, a2) })
}

unsafe extern "C" fn MakeResident<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::MakeResident(this, a0, a1) })
}

unsafe extern "C" fn Evict<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::Evict(this, a0, a1) })
}

unsafe extern "C" fn CreateFence<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u64, a1: u32, a2: *const GUID, a3: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateFence(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn GetDeviceRemovedReason<T: ID3D12Device15, F: Face<T>>(this: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetDeviceRemovedReason(this) })
}

unsafe extern "C" fn GetCopyableFootprints<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_RESOURCE_DESC, a1: u32, a2: u32, a3: u64, a4: *mut D3D12_PLACED_SUBRESOURCE_FOOTPRINT, a5: *mut u32, a6: *mut u64, a7: *mut u64) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetCopyableFootprints(this, a0, a1, a2, a3, a4, a5, a6, a7) })
}

unsafe extern "C" fn CreateQueryHeap<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_QUERY_HEAP_DESC, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateQueryHeap(this, a0, a1, a2) })
}

unsafe extern "C" fn SetStablePowerState<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: BOOL) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetStablePowerState(this, a0) })
}

unsafe extern "C" fn CreateCommandSignature<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_COMMAND_SIGNATURE_DESC, a1: *mut c_void, a2: *const GUID, a3: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateCommandSignature(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn GetResourceTiling<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut u32, a2: *mut D3D12_PACKED_MIP_INFO, a3: *mut D3D12_TILE_SHAPE, a4: *mut u32, a5: u32, a6: *mut D3D12_SUBRESOURCE_TILING) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetResourceTiling(this, a0, a1, a2, a3, a4, a5, a6) })
}

unsafe extern "C" fn GetAdapterLuid<T: ID3D12Device15, F: Face<T>>(this: *mut c_void) -> LUID {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetAdapterLuid(this) })
}

unsafe extern "C" fn explicit_GetAdapterLuid<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, result: *mut LUID) -> *mut LUID {
    // SAFETY: the arguments are the client's.
    let value = unsafe { GetAdapterLuid::<T, F>(this) };
    if !result.is_null() {
        // SAFETY: the client gives a place for the result.
        unsafe { result.write(value) };
    }
    result
}

unsafe extern "C" fn CreatePipelineLibrary<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: usize, a2: *const GUID, a3: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreatePipelineLibrary(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn SetEventOnMultipleFenceCompletion<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const *mut c_void, a1: *const u64, a2: u32, a3: u32, a4: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetEventOnMultipleFenceCompletion(this, a0, a1, a2, a3, a4) })
}

unsafe extern "C" fn SetResidencyPriority<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const *mut c_void, a2: *const D3D12_RESIDENCY_PRIORITY) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetResidencyPriority(this, a0, a1, a2) })
}

unsafe extern "C" fn CreatePipelineState<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_PIPELINE_STATE_STREAM_DESC, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreatePipelineState(this, a0, a1, a2) })
}

unsafe extern "C" fn OpenExistingHeapFromAddress<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::OpenExistingHeapFromAddress(this, a0, a1, a2) })
}

unsafe extern "C" fn OpenExistingHeapFromFileMapping<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::OpenExistingHeapFromFileMapping(this, a0, a1, a2) })
}

unsafe extern "C" fn EnqueueMakeResident<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: *const *mut c_void, a3: *mut c_void, a4: u64) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EnqueueMakeResident(this, a0, a1, a2, a3, a4) })
}

unsafe extern "C" fn CreateCommandList1<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: u32, a3: *const GUID, a4: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateCommandList1(this, a0, a1, a2, a3, a4) })
}

unsafe extern "C" fn CreateProtectedResourceSession<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_PROTECTED_RESOURCE_SESSION_DESC, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateProtectedResourceSession(this, a0, a1, a2) })
}

unsafe extern "C" fn CreateCommittedResource1<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_HEAP_PROPERTIES, a1: D3D12_HEAP_FLAGS, a2: *const D3D12_RESOURCE_DESC, a3: u32, a4: *const D3D12_CLEAR_VALUE, a5: *mut c_void, a6: *const GUID, a7: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateCommittedResource1(this, a0, a1, a2, a3, a4, a5, a6, a7) })
}

unsafe extern "C" fn CreateHeap1<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_HEAP_DESC, a1: *mut c_void, a2: *const GUID, a3: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateHeap1(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn CreateReservedResource1<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_RESOURCE_DESC, a1: u32, a2: *const D3D12_CLEAR_VALUE, a3: *mut c_void, a4: *const GUID, a5: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateReservedResource1(this, a0, a1, a2, a3, a4, a5) })
}

unsafe extern "C" fn GetResourceAllocationInfo1<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: *const D3D12_RESOURCE_DESC, a3: *mut D3D12_RESOURCE_ALLOCATION_INFO1) -> D3D12_RESOURCE_ALLOCATION_INFO {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetResourceAllocationInfo1(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn explicit_GetResourceAllocationInfo1<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, result: *mut D3D12_RESOURCE_ALLOCATION_INFO, a0: u32, a1: u32, a2: *const D3D12_RESOURCE_DESC, a3: *mut D3D12_RESOURCE_ALLOCATION_INFO1) -> *mut D3D12_RESOURCE_ALLOCATION_INFO {
    // SAFETY: the arguments are the client's.
    let value = unsafe { GetResourceAllocationInfo1::<T, F>(this, a0, a1, a2, a3) };
    if !result.is_null() {
        // SAFETY: the client gives a place for the result.
        unsafe { result.write(value) };
    }
    result
}

unsafe extern "C" fn CreateLifetimeTracker<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateLifetimeTracker(this, a0, a1, a2) })
}

unsafe extern "C" fn RemoveDevice<T: ID3D12Device15, F: Face<T>>(this: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::RemoveDevice(this) })
}

unsafe extern "C" fn EnumerateMetaCommands<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut u32, a1: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EnumerateMetaCommands(this, a0, a1) })
}

unsafe extern "C" fn EnumerateMetaCommandParameters<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const GUID, a1: u32, a2: *mut u32, a3: *mut u32, a4: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EnumerateMetaCommandParameters(this, a0, a1, a2, a3, a4) })
}

unsafe extern "C" fn CreateMetaCommand<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const GUID, a1: u32, a2: *const c_void, a3: usize, a4: *const GUID, a5: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateMetaCommand(this, a0, a1, a2, a3, a4, a5) })
}

unsafe extern "C" fn CreateStateObject<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateStateObject(this, a0, a1, a2) })
}

unsafe extern "C" fn GetRaytracingAccelerationStructurePrebuildInfo<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetRaytracingAccelerationStructurePrebuildInfo(this, a0, a1) })
}

unsafe extern "C" fn CheckDriverMatchingIdentifier<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const c_void) -> u32 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CheckDriverMatchingIdentifier(this, a0, a1) })
}

unsafe extern "C" fn SetBackgroundProcessingMode<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: *mut c_void, a3: *mut BOOL) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetBackgroundProcessingMode(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn AddToStateObject<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: *mut c_void, a2: *const GUID, a3: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::AddToStateObject(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn CreateProtectedResourceSession1<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_PROTECTED_RESOURCE_SESSION_DESC1, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateProtectedResourceSession1(this, a0, a1, a2) })
}

unsafe extern "C" fn GetResourceAllocationInfo2<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: *const D3D12_RESOURCE_DESC1, a3: *mut D3D12_RESOURCE_ALLOCATION_INFO1) -> D3D12_RESOURCE_ALLOCATION_INFO {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetResourceAllocationInfo2(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn explicit_GetResourceAllocationInfo2<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, result: *mut D3D12_RESOURCE_ALLOCATION_INFO, a0: u32, a1: u32, a2: *const D3D12_RESOURCE_DESC1, a3: *mut D3D12_RESOURCE_ALLOCATION_INFO1) -> *mut D3D12_RESOURCE_ALLOCATION_INFO {
    // SAFETY: the arguments are the client's.
    let value = unsafe { GetResourceAllocationInfo2::<T, F>(this, a0, a1, a2, a3) };
    if !result.is_null() {
        // SAFETY: the client gives a place for the result.
        unsafe { result.write(value) };
    }
    result
}

unsafe extern "C" fn CreateCommittedResource2<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_HEAP_PROPERTIES, a1: D3D12_HEAP_FLAGS, a2: *const D3D12_RESOURCE_DESC1, a3: u32, a4: *const D3D12_CLEAR_VALUE, a5: *mut c_void, a6: *const GUID, a7: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateCommittedResource2(this, a0, a1, a2, a3, a4, a5, a6, a7) })
}

unsafe extern "C" fn CreatePlacedResource1<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u64, a2: *const D3D12_RESOURCE_DESC1, a3: u32, a4: *const D3D12_CLEAR_VALUE, a5: *const GUID, a6: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreatePlacedResource1(this, a0, a1, a2, a3, a4, a5, a6) })
}

unsafe extern "C" fn CreateSamplerFeedbackUnorderedAccessView<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut c_void, a2: D3D12_CPU_DESCRIPTOR_HANDLE) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateSamplerFeedbackUnorderedAccessView(this, a0, a1, a2) })
}

unsafe extern "C" fn GetCopyableFootprints1<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_RESOURCE_DESC1, a1: u32, a2: u32, a3: u64, a4: *mut D3D12_PLACED_SUBRESOURCE_FOOTPRINT, a5: *mut u32, a6: *mut u64, a7: *mut u64) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetCopyableFootprints1(this, a0, a1, a2, a3, a4, a5, a6, a7) })
}

unsafe extern "C" fn CreateShaderCacheSession<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_SHADER_CACHE_SESSION_DESC, a1: *const GUID, a2: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateShaderCacheSession(this, a0, a1, a2) })
}

unsafe extern "C" fn ShaderCacheControl<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ShaderCacheControl(this, a0, a1) })
}

unsafe extern "C" fn CreateCommandQueue1<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_COMMAND_QUEUE_DESC, a1: *const GUID, a2: *const GUID, a3: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateCommandQueue1(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn CreateCommittedResource3<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_HEAP_PROPERTIES, a1: D3D12_HEAP_FLAGS, a2: *const D3D12_RESOURCE_DESC1, a3: u32, a4: *const D3D12_CLEAR_VALUE, a5: *mut c_void, a6: u32, a7: *const DXGI_FORMAT, a8: *const GUID, a9: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateCommittedResource3(this, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) })
}

unsafe extern "C" fn CreatePlacedResource2<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u64, a2: *const D3D12_RESOURCE_DESC1, a3: u32, a4: *const D3D12_CLEAR_VALUE, a5: u32, a6: *const DXGI_FORMAT, a7: *const GUID, a8: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreatePlacedResource2(this, a0, a1, a2, a3, a4, a5, a6, a7, a8) })
}

unsafe extern "C" fn CreateReservedResource2<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_RESOURCE_DESC, a1: u32, a2: *const D3D12_CLEAR_VALUE, a3: *mut c_void, a4: u32, a5: *const DXGI_FORMAT, a6: *const GUID, a7: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateReservedResource2(this, a0, a1, a2, a3, a4, a5, a6, a7) })
}

unsafe extern "C" fn CreateSampler2<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_SAMPLER_DESC2, a1: D3D12_CPU_DESCRIPTOR_HANDLE) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateSampler2(this, a0, a1) })
}

unsafe extern "C" fn GetResourceAllocationInfo3<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: *const D3D12_RESOURCE_DESC1, a3: *const u32, a4: *const *const DXGI_FORMAT, a5: *mut D3D12_RESOURCE_ALLOCATION_INFO1) -> D3D12_RESOURCE_ALLOCATION_INFO {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetResourceAllocationInfo3(this, a0, a1, a2, a3, a4, a5) })
}

unsafe extern "C" fn explicit_GetResourceAllocationInfo3<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, result: *mut D3D12_RESOURCE_ALLOCATION_INFO, a0: u32, a1: u32, a2: *const D3D12_RESOURCE_DESC1, a3: *const u32, a4: *const *const DXGI_FORMAT, a5: *mut D3D12_RESOURCE_ALLOCATION_INFO1) -> *mut D3D12_RESOURCE_ALLOCATION_INFO {
    // SAFETY: the arguments are the client's.
    let value = unsafe { GetResourceAllocationInfo3::<T, F>(this, a0, a1, a2, a3, a4, a5) };
    if !result.is_null() {
        // SAFETY: the client gives a place for the result.
        unsafe { result.write(value) };
    }
    result
}

unsafe extern "C" fn OpenExistingHeapFromAddress1<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: usize, a2: *const GUID, a3: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::OpenExistingHeapFromAddress1(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn CreateRootSignatureFromSubobjectInLibrary<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const c_void, a2: usize, a3: *const c_void, a4: *const GUID, a5: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateRootSignatureFromSubobjectInLibrary(this, a0, a1, a2, a3, a4, a5) })
}

unsafe extern "C" fn RegisterTrimNotificationCallback<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut D3D12_REGISTER_TRIM_NOTIFICATION) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::RegisterTrimNotificationCallback(this, a0) })
}

unsafe extern "C" fn UnregisterTrimNotificationCallback<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::UnregisterTrimNotificationCallback(this, a0) })
}

unsafe extern "C" fn TryCreateShaderResourceView<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *const D3D12_SHADER_RESOURCE_VIEW_DESC, a2: D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::TryCreateShaderResourceView(this, a0, a1, a2) })
}

unsafe extern "C" fn TryCreateUnorderedAccessView<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut c_void, a2: *const D3D12_UNORDERED_ACCESS_VIEW_DESC, a3: D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::TryCreateUnorderedAccessView(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn TryCreateConstantBufferView<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_CONSTANT_BUFFER_VIEW_DESC, a1: D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::TryCreateConstantBufferView(this, a0, a1) })
}

unsafe extern "C" fn TryCreateSampler2<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_SAMPLER_DESC2, a1: D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::TryCreateSampler2(this, a0, a1) })
}

unsafe extern "C" fn TryCreateRenderTargetView<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *const D3D12_RENDER_TARGET_VIEW_DESC, a2: D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::TryCreateRenderTargetView(this, a0, a1, a2) })
}

unsafe extern "C" fn TryCreateDepthStencilView<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *const D3D12_DEPTH_STENCIL_VIEW_DESC, a2: D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::TryCreateDepthStencilView(this, a0, a1, a2) })
}

unsafe extern "C" fn TryCreateSamplerFeedbackUnorderedAccessView<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut c_void, a2: D3D12_CPU_DESCRIPTOR_HANDLE) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::TryCreateSamplerFeedbackUnorderedAccessView(this, a0, a1, a2) })
}

unsafe extern "C" fn CreateQueryHeap1<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *const D3D12_QUERY_HEAP_DESC, a1: u32, a2: *const GUID, a3: *mut *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CreateQueryHeap1(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn ResolveQueryData<T: ID3D12Device15, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: u32, a3: u32, a4: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ResolveQueryData(this, a0, a1, a2, a3, a4) })
}
