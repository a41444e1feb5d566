//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12GraphicsCommandList10; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12GraphicsCommandList10: Class {
    /// ID3D12CommandList::GetType, slot 8: ().
    unsafe fn GetType(this: &Object<Self>) -> u32 {
        not_implemented(this, "ID3D12CommandList::GetType")
    }
    /// ID3D12GraphicsCommandList::Close, slot 9: ().
    unsafe fn Close(this: &Object<Self>) -> HRESULT {
        not_implemented(this, "ID3D12GraphicsCommandList::Close")
    }
    /// ID3D12GraphicsCommandList::Reset, slot 10: (ID3D12CommandAllocator \*, ID3D12PipelineState \*).
    unsafe fn Reset(this: &Object<Self>, _a0: *mut c_void, _a1: *mut c_void) -> HRESULT {
        not_implemented(this, "ID3D12GraphicsCommandList::Reset")
    }
    /// ID3D12GraphicsCommandList::ClearState, slot 11: (ID3D12PipelineState \*).
    unsafe fn ClearState(this: &Object<Self>, _a0: *mut c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList::ClearState")
    }
    /// ID3D12GraphicsCommandList::DrawInstanced, slot 12: (UINT, UINT, UINT, UINT).
    unsafe fn DrawInstanced(this: &Object<Self>, _a0: u32, _a1: u32, _a2: u32, _a3: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList::DrawInstanced")
    }
    /// ID3D12GraphicsCommandList::DrawIndexedInstanced, slot 13: (UINT, UINT, UINT, INT, UINT).
    unsafe fn DrawIndexedInstanced(this: &Object<Self>, _a0: u32, _a1: u32, _a2: u32, _a3: i32, _a4: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList::DrawIndexedInstanced")
    }
    /// ID3D12GraphicsCommandList::Dispatch, slot 14: (UINT, UINT, UINT).
    unsafe fn Dispatch(this: &Object<Self>, _a0: u32, _a1: u32, _a2: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList::Dispatch")
    }
    /// ID3D12GraphicsCommandList::CopyBufferRegion, slot 15: (ID3D12Resource \*, UINT64, ID3D12Resource \*, UINT64, UINT64).
    unsafe fn CopyBufferRegion(this: &Object<Self>, _a0: *mut c_void, _a1: u64, _a2: *mut c_void, _a3: u64, _a4: u64) {
        not_implemented(this, "ID3D12GraphicsCommandList::CopyBufferRegion")
    }
    /// ID3D12GraphicsCommandList::CopyTextureRegion, slot 16: (const D3D12_TEXTURE_COPY_LOCATION \*, UINT, UINT, UINT, const D3D12_TEXTURE_COPY_LOCATION \*, const D3D12_BOX \*).
    unsafe fn CopyTextureRegion(this: &Object<Self>, _a0: *const D3D12_TEXTURE_COPY_LOCATION, _a1: u32, _a2: u32, _a3: u32, _a4: *const D3D12_TEXTURE_COPY_LOCATION, _a5: *const D3D12_BOX) {
        not_implemented(this, "ID3D12GraphicsCommandList::CopyTextureRegion")
    }
    /// ID3D12GraphicsCommandList::CopyResource, slot 17: (ID3D12Resource \*, ID3D12Resource \*).
    unsafe fn CopyResource(this: &Object<Self>, _a0: *mut c_void, _a1: *mut c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList::CopyResource")
    }
    /// ID3D12GraphicsCommandList::CopyTiles, slot 18: (ID3D12Resource \*, const D3D12_TILED_RESOURCE_COORDINATE \*, const D3D12_TILE_REGION_SIZE \*, ID3D12Resource \*, UINT64, D3D12_TILE_COPY_FLAGS).
    unsafe fn CopyTiles(this: &Object<Self>, _a0: *mut c_void, _a1: *const D3D12_TILED_RESOURCE_COORDINATE, _a2: *const D3D12_TILE_REGION_SIZE, _a3: *mut c_void, _a4: u64, _a5: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList::CopyTiles")
    }
    /// ID3D12GraphicsCommandList::ResolveSubresource, slot 19: (ID3D12Resource \*, UINT, ID3D12Resource \*, UINT, DXGI_FORMAT).
    unsafe fn ResolveSubresource(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: *mut c_void, _a3: u32, _a4: DXGI_FORMAT) {
        not_implemented(this, "ID3D12GraphicsCommandList::ResolveSubresource")
    }
    /// ID3D12GraphicsCommandList::IASetPrimitiveTopology, slot 20: (D3D12_PRIMITIVE_TOPOLOGY).
    unsafe fn IASetPrimitiveTopology(this: &Object<Self>, _a0: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList::IASetPrimitiveTopology")
    }
    /// ID3D12GraphicsCommandList::RSSetViewports, slot 21: (UINT, const D3D12_VIEWPORT \*).
    unsafe fn RSSetViewports(this: &Object<Self>, _a0: u32, _a1: *const c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList::RSSetViewports")
    }
    /// ID3D12GraphicsCommandList::RSSetScissorRects, slot 22: (UINT, const D3D12_RECT \*).
    unsafe fn RSSetScissorRects(this: &Object<Self>, _a0: u32, _a1: *const D3D12_RECT) {
        not_implemented(this, "ID3D12GraphicsCommandList::RSSetScissorRects")
    }
    /// ID3D12GraphicsCommandList::OMSetBlendFactor, slot 23: (const FLOAT \*).
    unsafe fn OMSetBlendFactor(this: &Object<Self>, _a0: *const f32) {
        not_implemented(this, "ID3D12GraphicsCommandList::OMSetBlendFactor")
    }
    /// ID3D12GraphicsCommandList::OMSetStencilRef, slot 24: (UINT).
    unsafe fn OMSetStencilRef(this: &Object<Self>, _a0: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList::OMSetStencilRef")
    }
    /// ID3D12GraphicsCommandList::SetPipelineState, slot 25: (ID3D12PipelineState \*).
    unsafe fn SetPipelineState(this: &Object<Self>, _a0: *mut c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetPipelineState")
    }
    /// ID3D12GraphicsCommandList::ResourceBarrier, slot 26: (UINT, const D3D12_RESOURCE_BARRIER \*).
    unsafe fn ResourceBarrier(this: &Object<Self>, _a0: u32, _a1: *const D3D12_RESOURCE_BARRIER) {
        not_implemented(this, "ID3D12GraphicsCommandList::ResourceBarrier")
    }
    /// ID3D12GraphicsCommandList::ExecuteBundle, slot 27: (ID3D12GraphicsCommandList \*).
    unsafe fn ExecuteBundle(this: &Object<Self>, _a0: *mut c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList::ExecuteBundle")
    }
    /// ID3D12GraphicsCommandList::SetDescriptorHeaps, slot 28: (UINT, ID3D12DescriptorHeap \*const \*).
    unsafe fn SetDescriptorHeaps(this: &Object<Self>, _a0: u32, _a1: *const *mut c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetDescriptorHeaps")
    }
    /// ID3D12GraphicsCommandList::SetComputeRootSignature, slot 29: (ID3D12RootSignature \*).
    unsafe fn SetComputeRootSignature(this: &Object<Self>, _a0: *mut c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetComputeRootSignature")
    }
    /// ID3D12GraphicsCommandList::SetGraphicsRootSignature, slot 30: (ID3D12RootSignature \*).
    unsafe fn SetGraphicsRootSignature(this: &Object<Self>, _a0: *mut c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetGraphicsRootSignature")
    }
    /// ID3D12GraphicsCommandList::SetComputeRootDescriptorTable, slot 31: (UINT, D3D12_GPU_DESCRIPTOR_HANDLE).
    unsafe fn SetComputeRootDescriptorTable(this: &Object<Self>, _a0: u32, _a1: D3D12_GPU_DESCRIPTOR_HANDLE) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetComputeRootDescriptorTable")
    }
    /// ID3D12GraphicsCommandList::SetGraphicsRootDescriptorTable, slot 32: (UINT, D3D12_GPU_DESCRIPTOR_HANDLE).
    unsafe fn SetGraphicsRootDescriptorTable(this: &Object<Self>, _a0: u32, _a1: D3D12_GPU_DESCRIPTOR_HANDLE) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetGraphicsRootDescriptorTable")
    }
    /// ID3D12GraphicsCommandList::SetComputeRoot32BitConstant, slot 33: (UINT, UINT, UINT).
    unsafe fn SetComputeRoot32BitConstant(this: &Object<Self>, _a0: u32, _a1: u32, _a2: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetComputeRoot32BitConstant")
    }
    /// ID3D12GraphicsCommandList::SetGraphicsRoot32BitConstant, slot 34: (UINT, UINT, UINT).
    unsafe fn SetGraphicsRoot32BitConstant(this: &Object<Self>, _a0: u32, _a1: u32, _a2: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetGraphicsRoot32BitConstant")
    }
    /// ID3D12GraphicsCommandList::SetComputeRoot32BitConstants, slot 35: (UINT, UINT, const void \*, UINT).
    unsafe fn SetComputeRoot32BitConstants(this: &Object<Self>, _a0: u32, _a1: u32, _a2: *const c_void, _a3: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetComputeRoot32BitConstants")
    }
    /// ID3D12GraphicsCommandList::SetGraphicsRoot32BitConstants, slot 36: (UINT, UINT, const void \*, UINT).
    unsafe fn SetGraphicsRoot32BitConstants(this: &Object<Self>, _a0: u32, _a1: u32, _a2: *const c_void, _a3: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetGraphicsRoot32BitConstants")
    }
    /// ID3D12GraphicsCommandList::SetComputeRootConstantBufferView, slot 37: (UINT, D3D12_GPU_VIRTUAL_ADDRESS).
    unsafe fn SetComputeRootConstantBufferView(this: &Object<Self>, _a0: u32, _a1: D3D12_GPU_VIRTUAL_ADDRESS) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetComputeRootConstantBufferView")
    }
    /// ID3D12GraphicsCommandList::SetGraphicsRootConstantBufferView, slot 38: (UINT, D3D12_GPU_VIRTUAL_ADDRESS).
    unsafe fn SetGraphicsRootConstantBufferView(this: &Object<Self>, _a0: u32, _a1: D3D12_GPU_VIRTUAL_ADDRESS) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetGraphicsRootConstantBufferView")
    }
    /// ID3D12GraphicsCommandList::SetComputeRootShaderResourceView, slot 39: (UINT, D3D12_GPU_VIRTUAL_ADDRESS).
    unsafe fn SetComputeRootShaderResourceView(this: &Object<Self>, _a0: u32, _a1: D3D12_GPU_VIRTUAL_ADDRESS) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetComputeRootShaderResourceView")
    }
    /// ID3D12GraphicsCommandList::SetGraphicsRootShaderResourceView, slot 40: (UINT, D3D12_GPU_VIRTUAL_ADDRESS).
    unsafe fn SetGraphicsRootShaderResourceView(this: &Object<Self>, _a0: u32, _a1: D3D12_GPU_VIRTUAL_ADDRESS) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetGraphicsRootShaderResourceView")
    }
    /// ID3D12GraphicsCommandList::SetComputeRootUnorderedAccessView, slot 41: (UINT, D3D12_GPU_VIRTUAL_ADDRESS).
    unsafe fn SetComputeRootUnorderedAccessView(this: &Object<Self>, _a0: u32, _a1: D3D12_GPU_VIRTUAL_ADDRESS) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetComputeRootUnorderedAccessView")
    }
    /// ID3D12GraphicsCommandList::SetGraphicsRootUnorderedAccessView, slot 42: (UINT, D3D12_GPU_VIRTUAL_ADDRESS).
    unsafe fn SetGraphicsRootUnorderedAccessView(this: &Object<Self>, _a0: u32, _a1: D3D12_GPU_VIRTUAL_ADDRESS) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetGraphicsRootUnorderedAccessView")
    }
    /// ID3D12GraphicsCommandList::IASetIndexBuffer, slot 43: (const D3D12_INDEX_BUFFER_VIEW \*).
    unsafe fn IASetIndexBuffer(this: &Object<Self>, _a0: *const c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList::IASetIndexBuffer")
    }
    /// ID3D12GraphicsCommandList::IASetVertexBuffers, slot 44: (UINT, UINT, const D3D12_VERTEX_BUFFER_VIEW \*).
    unsafe fn IASetVertexBuffers(this: &Object<Self>, _a0: u32, _a1: u32, _a2: *const c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList::IASetVertexBuffers")
    }
    /// ID3D12GraphicsCommandList::SOSetTargets, slot 45: (UINT, UINT, const D3D12_STREAM_OUTPUT_BUFFER_VIEW \*).
    unsafe fn SOSetTargets(this: &Object<Self>, _a0: u32, _a1: u32, _a2: *const c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList::SOSetTargets")
    }
    /// ID3D12GraphicsCommandList::OMSetRenderTargets, slot 46: (UINT, const D3D12_CPU_DESCRIPTOR_HANDLE \*, BOOL, const D3D12_CPU_DESCRIPTOR_HANDLE \*).
    unsafe fn OMSetRenderTargets(this: &Object<Self>, _a0: u32, _a1: *const D3D12_CPU_DESCRIPTOR_HANDLE, _a2: BOOL, _a3: *const D3D12_CPU_DESCRIPTOR_HANDLE) {
        not_implemented(this, "ID3D12GraphicsCommandList::OMSetRenderTargets")
    }
    /// ID3D12GraphicsCommandList::ClearDepthStencilView, slot 47: (D3D12_CPU_DESCRIPTOR_HANDLE, D3D12_CLEAR_FLAGS, FLOAT, UINT8, UINT, const D3D12_RECT \*).
    unsafe fn ClearDepthStencilView(this: &Object<Self>, _a0: D3D12_CPU_DESCRIPTOR_HANDLE, _a1: u32, _a2: f32, _a3: u8, _a4: u32, _a5: *const D3D12_RECT) {
        not_implemented(this, "ID3D12GraphicsCommandList::ClearDepthStencilView")
    }
    /// ID3D12GraphicsCommandList::ClearRenderTargetView, slot 48: (D3D12_CPU_DESCRIPTOR_HANDLE, const FLOAT \*, UINT, const D3D12_RECT \*).
    unsafe fn ClearRenderTargetView(this: &Object<Self>, _a0: D3D12_CPU_DESCRIPTOR_HANDLE, _a1: *const f32, _a2: u32, _a3: *const D3D12_RECT) {
        not_implemented(this, "ID3D12GraphicsCommandList::ClearRenderTargetView")
    }
    /// ID3D12GraphicsCommandList::ClearUnorderedAccessViewUint, slot 49: (D3D12_GPU_DESCRIPTOR_HANDLE, D3D12_CPU_DESCRIPTOR_HANDLE, ID3D12Resource \*, const UINT \*, UINT, const D3D12_RECT \*).
    unsafe fn ClearUnorderedAccessViewUint(this: &Object<Self>, _a0: D3D12_GPU_DESCRIPTOR_HANDLE, _a1: D3D12_CPU_DESCRIPTOR_HANDLE, _a2: *mut c_void, _a3: *const u32, _a4: u32, _a5: *const D3D12_RECT) {
        not_implemented(this, "ID3D12GraphicsCommandList::ClearUnorderedAccessViewUint")
    }
    /// ID3D12GraphicsCommandList::ClearUnorderedAccessViewFloat, slot 50: (D3D12_GPU_DESCRIPTOR_HANDLE, D3D12_CPU_DESCRIPTOR_HANDLE, ID3D12Resource \*, const FLOAT \*, UINT, const D3D12_RECT \*).
    unsafe fn ClearUnorderedAccessViewFloat(this: &Object<Self>, _a0: D3D12_GPU_DESCRIPTOR_HANDLE, _a1: D3D12_CPU_DESCRIPTOR_HANDLE, _a2: *mut c_void, _a3: *const f32, _a4: u32, _a5: *const D3D12_RECT) {
        not_implemented(this, "ID3D12GraphicsCommandList::ClearUnorderedAccessViewFloat")
    }
    /// ID3D12GraphicsCommandList::DiscardResource, slot 51: (ID3D12Resource \*, const D3D12_DISCARD_REGION \*).
    unsafe fn DiscardResource(this: &Object<Self>, _a0: *mut c_void, _a1: *const D3D12_DISCARD_REGION) {
        not_implemented(this, "ID3D12GraphicsCommandList::DiscardResource")
    }
    /// ID3D12GraphicsCommandList::BeginQuery, slot 52: (ID3D12QueryHeap \*, D3D12_QUERY_TYPE, UINT).
    unsafe fn BeginQuery(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList::BeginQuery")
    }
    /// ID3D12GraphicsCommandList::EndQuery, slot 53: (ID3D12QueryHeap \*, D3D12_QUERY_TYPE, UINT).
    unsafe fn EndQuery(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList::EndQuery")
    }
    /// ID3D12GraphicsCommandList::ResolveQueryData, slot 54: (ID3D12QueryHeap \*, D3D12_QUERY_TYPE, UINT, UINT, ID3D12Resource \*, UINT64).
    unsafe fn ResolveQueryData(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: u32, _a3: u32, _a4: *mut c_void, _a5: u64) {
        not_implemented(this, "ID3D12GraphicsCommandList::ResolveQueryData")
    }
    /// ID3D12GraphicsCommandList::SetPredication, slot 55: (ID3D12Resource \*, UINT64, D3D12_PREDICATION_OP).
    unsafe fn SetPredication(this: &Object<Self>, _a0: *mut c_void, _a1: u64, _a2: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetPredication")
    }
    /// ID3D12GraphicsCommandList::SetMarker, slot 56: (UINT, const void \*, UINT).
    unsafe fn SetMarker(this: &Object<Self>, _a0: u32, _a1: *const c_void, _a2: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList::SetMarker")
    }
    /// ID3D12GraphicsCommandList::BeginEvent, slot 57: (UINT, const void \*, UINT).
    unsafe fn BeginEvent(this: &Object<Self>, _a0: u32, _a1: *const c_void, _a2: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList::BeginEvent")
    }
    /// ID3D12GraphicsCommandList::EndEvent, slot 58: ().
    unsafe fn EndEvent(this: &Object<Self>) {
        not_implemented(this, "ID3D12GraphicsCommandList::EndEvent")
    }
    /// ID3D12GraphicsCommandList::ExecuteIndirect, slot 59: (ID3D12CommandSignature \*, UINT, ID3D12Resource \*, UINT64, ID3D12Resource \*, UINT64).
    unsafe fn ExecuteIndirect(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: *mut c_void, _a3: u64, _a4: *mut c_void, _a5: u64) {
        not_implemented(this, "ID3D12GraphicsCommandList::ExecuteIndirect")
    }
    /// ID3D12GraphicsCommandList1::AtomicCopyBufferUINT, slot 60: (ID3D12Resource \*, UINT64, ID3D12Resource \*, UINT64, UINT, ID3D12Resource \*const \*, const D3D12_SUBRESOURCE_RANGE_UINT64 \*).
    unsafe fn AtomicCopyBufferUINT(this: &Object<Self>, _a0: *mut c_void, _a1: u64, _a2: *mut c_void, _a3: u64, _a4: u32, _a5: *const *mut c_void, _a6: *const D3D12_SUBRESOURCE_RANGE_UINT64) {
        not_implemented(this, "ID3D12GraphicsCommandList1::AtomicCopyBufferUINT")
    }
    /// ID3D12GraphicsCommandList1::AtomicCopyBufferUINT64, slot 61: (ID3D12Resource \*, UINT64, ID3D12Resource \*, UINT64, UINT, ID3D12Resource \*const \*, const D3D12_SUBRESOURCE_RANGE_UINT64 \*).
    unsafe fn AtomicCopyBufferUINT64(this: &Object<Self>, _a0: *mut c_void, _a1: u64, _a2: *mut c_void, _a3: u64, _a4: u32, _a5: *const *mut c_void, _a6: *const D3D12_SUBRESOURCE_RANGE_UINT64) {
        not_implemented(this, "ID3D12GraphicsCommandList1::AtomicCopyBufferUINT64")
    }
    /// ID3D12GraphicsCommandList1::OMSetDepthBounds, slot 62: (FLOAT, FLOAT).
    unsafe fn OMSetDepthBounds(this: &Object<Self>, _a0: f32, _a1: f32) {
        not_implemented(this, "ID3D12GraphicsCommandList1::OMSetDepthBounds")
    }
    /// ID3D12GraphicsCommandList1::SetSamplePositions, slot 63: (UINT, UINT, D3D12_SAMPLE_POSITION \*).
    unsafe fn SetSamplePositions(this: &Object<Self>, _a0: u32, _a1: u32, _a2: *mut c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList1::SetSamplePositions")
    }
    /// ID3D12GraphicsCommandList1::ResolveSubresourceRegion, slot 64: (ID3D12Resource \*, UINT, UINT, UINT, ID3D12Resource \*, UINT, D3D12_RECT \*, DXGI_FORMAT, D3D12_RESOLVE_MODE).
    unsafe fn ResolveSubresourceRegion(this: &Object<Self>, _a0: *mut c_void, _a1: u32, _a2: u32, _a3: u32, _a4: *mut c_void, _a5: u32, _a6: *mut D3D12_RECT, _a7: DXGI_FORMAT, _a8: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList1::ResolveSubresourceRegion")
    }
    /// ID3D12GraphicsCommandList1::SetViewInstanceMask, slot 65: (UINT).
    unsafe fn SetViewInstanceMask(this: &Object<Self>, _a0: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList1::SetViewInstanceMask")
    }
    /// ID3D12GraphicsCommandList2::WriteBufferImmediate, slot 66: (UINT, const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER \*, const D3D12_WRITEBUFFERIMMEDIATE_MODE \*).
    unsafe fn WriteBufferImmediate(this: &Object<Self>, _a0: u32, _a1: *const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER, _a2: *const D3D12_WRITEBUFFERIMMEDIATE_MODE) {
        not_implemented(this, "ID3D12GraphicsCommandList2::WriteBufferImmediate")
    }
    /// ID3D12GraphicsCommandList3::SetProtectedResourceSession, slot 67: (ID3D12ProtectedResourceSession \*).
    unsafe fn SetProtectedResourceSession(this: &Object<Self>, _a0: *mut c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList3::SetProtectedResourceSession")
    }
    /// ID3D12GraphicsCommandList4::BeginRenderPass, slot 68: (UINT, const D3D12_RENDER_PASS_RENDER_TARGET_DESC \*, const D3D12_RENDER_PASS_DEPTH_STENCIL_DESC \*, D3D12_RENDER_PASS_FLAGS).
    unsafe fn BeginRenderPass(this: &Object<Self>, _a0: u32, _a1: *const c_void, _a2: *const c_void, _a3: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList4::BeginRenderPass")
    }
    /// ID3D12GraphicsCommandList4::EndRenderPass, slot 69: ().
    unsafe fn EndRenderPass(this: &Object<Self>) {
        not_implemented(this, "ID3D12GraphicsCommandList4::EndRenderPass")
    }
    /// ID3D12GraphicsCommandList4::InitializeMetaCommand, slot 70: (ID3D12MetaCommand \*, const void \*, SIZE_T).
    unsafe fn InitializeMetaCommand(this: &Object<Self>, _a0: *mut c_void, _a1: *const c_void, _a2: usize) {
        not_implemented(this, "ID3D12GraphicsCommandList4::InitializeMetaCommand")
    }
    /// ID3D12GraphicsCommandList4::ExecuteMetaCommand, slot 71: (ID3D12MetaCommand \*, const void \*, SIZE_T).
    unsafe fn ExecuteMetaCommand(this: &Object<Self>, _a0: *mut c_void, _a1: *const c_void, _a2: usize) {
        not_implemented(this, "ID3D12GraphicsCommandList4::ExecuteMetaCommand")
    }
    /// ID3D12GraphicsCommandList4::BuildRaytracingAccelerationStructure, slot 72: (const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_DESC \*, UINT, const D3D12_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO_DESC \*).
    unsafe fn BuildRaytracingAccelerationStructure(this: &Object<Self>, _a0: *const c_void, _a1: u32, _a2: *const c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList4::BuildRaytracingAccelerationStructure")
    }
    /// ID3D12GraphicsCommandList4::EmitRaytracingAccelerationStructurePostbuildInfo, slot 73: (const D3D12_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO_DESC \*, UINT, const D3D12_GPU_VIRTUAL_ADDRESS \*).
    unsafe fn EmitRaytracingAccelerationStructurePostbuildInfo(this: &Object<Self>, _a0: *const c_void, _a1: u32, _a2: *const D3D12_GPU_VIRTUAL_ADDRESS) {
        not_implemented(this, "ID3D12GraphicsCommandList4::EmitRaytracingAccelerationStructurePostbuildInfo")
    }
    /// ID3D12GraphicsCommandList4::CopyRaytracingAccelerationStructure, slot 74: (D3D12_GPU_VIRTUAL_ADDRESS, D3D12_GPU_VIRTUAL_ADDRESS, D3D12_RAYTRACING_ACCELERATION_STRUCTURE_COPY_MODE).
    unsafe fn CopyRaytracingAccelerationStructure(this: &Object<Self>, _a0: D3D12_GPU_VIRTUAL_ADDRESS, _a1: D3D12_GPU_VIRTUAL_ADDRESS, _a2: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList4::CopyRaytracingAccelerationStructure")
    }
    /// ID3D12GraphicsCommandList4::SetPipelineState1, slot 75: (ID3D12StateObject \*).
    unsafe fn SetPipelineState1(this: &Object<Self>, _a0: *mut c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList4::SetPipelineState1")
    }
    /// ID3D12GraphicsCommandList4::DispatchRays, slot 76: (const D3D12_DISPATCH_RAYS_DESC \*).
    unsafe fn DispatchRays(this: &Object<Self>, _a0: *const c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList4::DispatchRays")
    }
    /// ID3D12GraphicsCommandList5::RSSetShadingRate, slot 77: (D3D12_SHADING_RATE, const D3D12_SHADING_RATE_COMBINER \*).
    unsafe fn RSSetShadingRate(this: &Object<Self>, _a0: u32, _a1: *const c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList5::RSSetShadingRate")
    }
    /// ID3D12GraphicsCommandList5::RSSetShadingRateImage, slot 78: (ID3D12Resource \*).
    unsafe fn RSSetShadingRateImage(this: &Object<Self>, _a0: *mut c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList5::RSSetShadingRateImage")
    }
    /// ID3D12GraphicsCommandList6::DispatchMesh, slot 79: (UINT, UINT, UINT).
    unsafe fn DispatchMesh(this: &Object<Self>, _a0: u32, _a1: u32, _a2: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList6::DispatchMesh")
    }
    /// ID3D12GraphicsCommandList7::Barrier, slot 80: (UINT32, const D3D12_BARRIER_GROUP \*).
    unsafe fn Barrier(this: &Object<Self>, _a0: u32, _a1: *const D3D12_BARRIER_GROUP) {
        not_implemented(this, "ID3D12GraphicsCommandList7::Barrier")
    }
    /// ID3D12GraphicsCommandList8::OMSetFrontAndBackStencilRef, slot 81: (UINT, UINT).
    unsafe fn OMSetFrontAndBackStencilRef(this: &Object<Self>, _a0: u32, _a1: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList8::OMSetFrontAndBackStencilRef")
    }
    /// ID3D12GraphicsCommandList9::RSSetDepthBias, slot 82: (FLOAT, FLOAT, FLOAT).
    unsafe fn RSSetDepthBias(this: &Object<Self>, _a0: f32, _a1: f32, _a2: f32) {
        not_implemented(this, "ID3D12GraphicsCommandList9::RSSetDepthBias")
    }
    /// ID3D12GraphicsCommandList9::IASetIndexBufferStripCutValue, slot 83: (D3D12_INDEX_BUFFER_STRIP_CUT_VALUE).
    unsafe fn IASetIndexBufferStripCutValue(this: &Object<Self>, _a0: u32) {
        not_implemented(this, "ID3D12GraphicsCommandList9::IASetIndexBufferStripCutValue")
    }
    /// ID3D12GraphicsCommandList10::SetProgram, slot 84: (const D3D12_SET_PROGRAM_DESC \*).
    unsafe fn SetProgram(this: &Object<Self>, _a0: *const c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList10::SetProgram")
    }
    /// ID3D12GraphicsCommandList10::DispatchGraph, slot 85: (const D3D12_DISPATCH_GRAPH_DESC \*).
    unsafe fn DispatchGraph(this: &Object<Self>, _a0: *const c_void) {
        not_implemented(this, "ID3D12GraphicsCommandList10::DispatchGraph")
    }
}

/// The vtable of ID3D12GraphicsCommandList10.
#[repr(C)]
pub struct ID3D12GraphicsCommandList10Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub GetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, *mut u32, *mut c_void) -> HRESULT,
    pub SetPrivateData: unsafe extern "C" fn(*mut c_void, *const GUID, u32, *const c_void) -> HRESULT,
    pub SetPrivateDataInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *const c_void) -> HRESULT,
    pub SetName: unsafe extern "C" fn(*mut c_void, *const c_void) -> HRESULT,
    pub GetDevice: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub GetType: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Close: unsafe extern "C" fn(*mut c_void) -> HRESULT,
    pub Reset: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void) -> HRESULT,
    pub ClearState: unsafe extern "C" fn(*mut c_void, *mut c_void),
    pub DrawInstanced: unsafe extern "C" fn(*mut c_void, u32, u32, u32, u32),
    pub DrawIndexedInstanced: unsafe extern "C" fn(*mut c_void, u32, u32, u32, i32, u32),
    pub Dispatch: unsafe extern "C" fn(*mut c_void, u32, u32, u32),
    pub CopyBufferRegion: unsafe extern "C" fn(*mut c_void, *mut c_void, u64, *mut c_void, u64, u64),
    pub CopyTextureRegion: unsafe extern "C" fn(*mut c_void, *const D3D12_TEXTURE_COPY_LOCATION, u32, u32, u32, *const D3D12_TEXTURE_COPY_LOCATION, *const D3D12_BOX),
    pub CopyResource: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void),
    pub CopyTiles: unsafe extern "C" fn(*mut c_void, *mut c_void, *const D3D12_TILED_RESOURCE_COORDINATE, *const D3D12_TILE_REGION_SIZE, *mut c_void, u64, u32),
    pub ResolveSubresource: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, *mut c_void, u32, DXGI_FORMAT),
    pub IASetPrimitiveTopology: unsafe extern "C" fn(*mut c_void, u32),
    pub RSSetViewports: unsafe extern "C" fn(*mut c_void, u32, *const c_void),
    pub RSSetScissorRects: unsafe extern "C" fn(*mut c_void, u32, *const D3D12_RECT),
    pub OMSetBlendFactor: unsafe extern "C" fn(*mut c_void, *const f32),
    pub OMSetStencilRef: unsafe extern "C" fn(*mut c_void, u32),
    pub SetPipelineState: unsafe extern "C" fn(*mut c_void, *mut c_void),
    pub ResourceBarrier: unsafe extern "C" fn(*mut c_void, u32, *const D3D12_RESOURCE_BARRIER),
    pub ExecuteBundle: unsafe extern "C" fn(*mut c_void, *mut c_void),
    pub SetDescriptorHeaps: unsafe extern "C" fn(*mut c_void, u32, *const *mut c_void),
    pub SetComputeRootSignature: unsafe extern "C" fn(*mut c_void, *mut c_void),
    pub SetGraphicsRootSignature: unsafe extern "C" fn(*mut c_void, *mut c_void),
    pub SetComputeRootDescriptorTable: unsafe extern "C" fn(*mut c_void, u32, D3D12_GPU_DESCRIPTOR_HANDLE),
    pub SetGraphicsRootDescriptorTable: unsafe extern "C" fn(*mut c_void, u32, D3D12_GPU_DESCRIPTOR_HANDLE),
    pub SetComputeRoot32BitConstant: unsafe extern "C" fn(*mut c_void, u32, u32, u32),
    pub SetGraphicsRoot32BitConstant: unsafe extern "C" fn(*mut c_void, u32, u32, u32),
    pub SetComputeRoot32BitConstants: unsafe extern "C" fn(*mut c_void, u32, u32, *const c_void, u32),
    pub SetGraphicsRoot32BitConstants: unsafe extern "C" fn(*mut c_void, u32, u32, *const c_void, u32),
    pub SetComputeRootConstantBufferView: unsafe extern "C" fn(*mut c_void, u32, D3D12_GPU_VIRTUAL_ADDRESS),
    pub SetGraphicsRootConstantBufferView: unsafe extern "C" fn(*mut c_void, u32, D3D12_GPU_VIRTUAL_ADDRESS),
    pub SetComputeRootShaderResourceView: unsafe extern "C" fn(*mut c_void, u32, D3D12_GPU_VIRTUAL_ADDRESS),
    pub SetGraphicsRootShaderResourceView: unsafe extern "C" fn(*mut c_void, u32, D3D12_GPU_VIRTUAL_ADDRESS),
    pub SetComputeRootUnorderedAccessView: unsafe extern "C" fn(*mut c_void, u32, D3D12_GPU_VIRTUAL_ADDRESS),
    pub SetGraphicsRootUnorderedAccessView: unsafe extern "C" fn(*mut c_void, u32, D3D12_GPU_VIRTUAL_ADDRESS),
    pub IASetIndexBuffer: unsafe extern "C" fn(*mut c_void, *const c_void),
    pub IASetVertexBuffers: unsafe extern "C" fn(*mut c_void, u32, u32, *const c_void),
    pub SOSetTargets: unsafe extern "C" fn(*mut c_void, u32, u32, *const c_void),
    pub OMSetRenderTargets: unsafe extern "C" fn(*mut c_void, u32, *const D3D12_CPU_DESCRIPTOR_HANDLE, BOOL, *const D3D12_CPU_DESCRIPTOR_HANDLE),
    pub ClearDepthStencilView: unsafe extern "C" fn(*mut c_void, D3D12_CPU_DESCRIPTOR_HANDLE, u32, f32, u8, u32, *const D3D12_RECT),
    pub ClearRenderTargetView: unsafe extern "C" fn(*mut c_void, D3D12_CPU_DESCRIPTOR_HANDLE, *const f32, u32, *const D3D12_RECT),
    pub ClearUnorderedAccessViewUint: unsafe extern "C" fn(*mut c_void, D3D12_GPU_DESCRIPTOR_HANDLE, D3D12_CPU_DESCRIPTOR_HANDLE, *mut c_void, *const u32, u32, *const D3D12_RECT),
    pub ClearUnorderedAccessViewFloat: unsafe extern "C" fn(*mut c_void, D3D12_GPU_DESCRIPTOR_HANDLE, D3D12_CPU_DESCRIPTOR_HANDLE, *mut c_void, *const f32, u32, *const D3D12_RECT),
    pub DiscardResource: unsafe extern "C" fn(*mut c_void, *mut c_void, *const D3D12_DISCARD_REGION),
    pub BeginQuery: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, u32),
    pub EndQuery: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, u32),
    pub ResolveQueryData: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, u32, u32, *mut c_void, u64),
    pub SetPredication: unsafe extern "C" fn(*mut c_void, *mut c_void, u64, u32),
    pub SetMarker: unsafe extern "C" fn(*mut c_void, u32, *const c_void, u32),
    pub BeginEvent: unsafe extern "C" fn(*mut c_void, u32, *const c_void, u32),
    pub EndEvent: unsafe extern "C" fn(*mut c_void),
    pub ExecuteIndirect: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, *mut c_void, u64, *mut c_void, u64),
    pub AtomicCopyBufferUINT: unsafe extern "C" fn(*mut c_void, *mut c_void, u64, *mut c_void, u64, u32, *const *mut c_void, *const D3D12_SUBRESOURCE_RANGE_UINT64),
    pub AtomicCopyBufferUINT64: unsafe extern "C" fn(*mut c_void, *mut c_void, u64, *mut c_void, u64, u32, *const *mut c_void, *const D3D12_SUBRESOURCE_RANGE_UINT64),
    pub OMSetDepthBounds: unsafe extern "C" fn(*mut c_void, f32, f32),
    pub SetSamplePositions: unsafe extern "C" fn(*mut c_void, u32, u32, *mut c_void),
    pub ResolveSubresourceRegion: unsafe extern "C" fn(*mut c_void, *mut c_void, u32, u32, u32, *mut c_void, u32, *mut D3D12_RECT, DXGI_FORMAT, u32),
    pub SetViewInstanceMask: unsafe extern "C" fn(*mut c_void, u32),
    pub WriteBufferImmediate: unsafe extern "C" fn(*mut c_void, u32, *const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER, *const D3D12_WRITEBUFFERIMMEDIATE_MODE),
    pub SetProtectedResourceSession: unsafe extern "C" fn(*mut c_void, *mut c_void),
    pub BeginRenderPass: unsafe extern "C" fn(*mut c_void, u32, *const c_void, *const c_void, u32),
    pub EndRenderPass: unsafe extern "C" fn(*mut c_void),
    pub InitializeMetaCommand: unsafe extern "C" fn(*mut c_void, *mut c_void, *const c_void, usize),
    pub ExecuteMetaCommand: unsafe extern "C" fn(*mut c_void, *mut c_void, *const c_void, usize),
    pub BuildRaytracingAccelerationStructure: unsafe extern "C" fn(*mut c_void, *const c_void, u32, *const c_void),
    pub EmitRaytracingAccelerationStructurePostbuildInfo: unsafe extern "C" fn(*mut c_void, *const c_void, u32, *const D3D12_GPU_VIRTUAL_ADDRESS),
    pub CopyRaytracingAccelerationStructure: unsafe extern "C" fn(*mut c_void, D3D12_GPU_VIRTUAL_ADDRESS, D3D12_GPU_VIRTUAL_ADDRESS, u32),
    pub SetPipelineState1: unsafe extern "C" fn(*mut c_void, *mut c_void),
    pub DispatchRays: unsafe extern "C" fn(*mut c_void, *const c_void),
    pub RSSetShadingRate: unsafe extern "C" fn(*mut c_void, u32, *const c_void),
    pub RSSetShadingRateImage: unsafe extern "C" fn(*mut c_void, *mut c_void),
    pub DispatchMesh: unsafe extern "C" fn(*mut c_void, u32, u32, u32),
    pub Barrier: unsafe extern "C" fn(*mut c_void, u32, *const D3D12_BARRIER_GROUP),
    pub OMSetFrontAndBackStencilRef: unsafe extern "C" fn(*mut c_void, u32, u32),
    pub RSSetDepthBias: unsafe extern "C" fn(*mut c_void, f32, f32, f32),
    pub IASetIndexBufferStripCutValue: unsafe extern "C" fn(*mut c_void, u32),
    pub SetProgram: unsafe extern "C" fn(*mut c_void, *const c_void),
    pub DispatchGraph: unsafe extern "C" fn(*mut c_void, *const c_void),
}

impl<T: ID3D12GraphicsCommandList10, F: Face<T>> Vtable<T, F> for ID3D12GraphicsCommandList10Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12Object, super::IID_ID3D12DeviceChild, super::IID_ID3D12CommandList, super::IID_ID3D12GraphicsCommandList, super::IID_ID3D12GraphicsCommandList1, super::IID_ID3D12GraphicsCommandList2, super::IID_ID3D12GraphicsCommandList3, super::IID_ID3D12GraphicsCommandList4, super::IID_ID3D12GraphicsCommandList5, super::IID_ID3D12GraphicsCommandList6, super::IID_ID3D12GraphicsCommandList7, super::IID_ID3D12GraphicsCommandList8, super::IID_ID3D12GraphicsCommandList9, super::IID_ID3D12GraphicsCommandList10];
    const LINUX: Self = ID3D12GraphicsCommandList10Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
        GetType: GetType::<T, F>,
        Close: Close::<T, F>,
        Reset: Reset::<T, F>,
        ClearState: ClearState::<T, F>,
        DrawInstanced: DrawInstanced::<T, F>,
        DrawIndexedInstanced: DrawIndexedInstanced::<T, F>,
        Dispatch: Dispatch::<T, F>,
        CopyBufferRegion: CopyBufferRegion::<T, F>,
        CopyTextureRegion: CopyTextureRegion::<T, F>,
        CopyResource: CopyResource::<T, F>,
        CopyTiles: CopyTiles::<T, F>,
        ResolveSubresource: ResolveSubresource::<T, F>,
        IASetPrimitiveTopology: IASetPrimitiveTopology::<T, F>,
        RSSetViewports: RSSetViewports::<T, F>,
        RSSetScissorRects: RSSetScissorRects::<T, F>,
        OMSetBlendFactor: OMSetBlendFactor::<T, F>,
        OMSetStencilRef: OMSetStencilRef::<T, F>,
        SetPipelineState: SetPipelineState::<T, F>,
        ResourceBarrier: ResourceBarrier::<T, F>,
        ExecuteBundle: ExecuteBundle::<T, F>,
        SetDescriptorHeaps: SetDescriptorHeaps::<T, F>,
        SetComputeRootSignature: SetComputeRootSignature::<T, F>,
        SetGraphicsRootSignature: SetGraphicsRootSignature::<T, F>,
        SetComputeRootDescriptorTable: SetComputeRootDescriptorTable::<T, F>,
        SetGraphicsRootDescriptorTable: SetGraphicsRootDescriptorTable::<T, F>,
        SetComputeRoot32BitConstant: SetComputeRoot32BitConstant::<T, F>,
        SetGraphicsRoot32BitConstant: SetGraphicsRoot32BitConstant::<T, F>,
        SetComputeRoot32BitConstants: SetComputeRoot32BitConstants::<T, F>,
        SetGraphicsRoot32BitConstants: SetGraphicsRoot32BitConstants::<T, F>,
        SetComputeRootConstantBufferView: SetComputeRootConstantBufferView::<T, F>,
        SetGraphicsRootConstantBufferView: SetGraphicsRootConstantBufferView::<T, F>,
        SetComputeRootShaderResourceView: SetComputeRootShaderResourceView::<T, F>,
        SetGraphicsRootShaderResourceView: SetGraphicsRootShaderResourceView::<T, F>,
        SetComputeRootUnorderedAccessView: SetComputeRootUnorderedAccessView::<T, F>,
        SetGraphicsRootUnorderedAccessView: SetGraphicsRootUnorderedAccessView::<T, F>,
        IASetIndexBuffer: IASetIndexBuffer::<T, F>,
        IASetVertexBuffers: IASetVertexBuffers::<T, F>,
        SOSetTargets: SOSetTargets::<T, F>,
        OMSetRenderTargets: OMSetRenderTargets::<T, F>,
        ClearDepthStencilView: ClearDepthStencilView::<T, F>,
        ClearRenderTargetView: ClearRenderTargetView::<T, F>,
        ClearUnorderedAccessViewUint: ClearUnorderedAccessViewUint::<T, F>,
        ClearUnorderedAccessViewFloat: ClearUnorderedAccessViewFloat::<T, F>,
        DiscardResource: DiscardResource::<T, F>,
        BeginQuery: BeginQuery::<T, F>,
        EndQuery: EndQuery::<T, F>,
        ResolveQueryData: ResolveQueryData::<T, F>,
        SetPredication: SetPredication::<T, F>,
        SetMarker: SetMarker::<T, F>,
        BeginEvent: BeginEvent::<T, F>,
        EndEvent: EndEvent::<T, F>,
        ExecuteIndirect: ExecuteIndirect::<T, F>,
        AtomicCopyBufferUINT: AtomicCopyBufferUINT::<T, F>,
        AtomicCopyBufferUINT64: AtomicCopyBufferUINT64::<T, F>,
        OMSetDepthBounds: OMSetDepthBounds::<T, F>,
        SetSamplePositions: SetSamplePositions::<T, F>,
        ResolveSubresourceRegion: ResolveSubresourceRegion::<T, F>,
        SetViewInstanceMask: SetViewInstanceMask::<T, F>,
        WriteBufferImmediate: WriteBufferImmediate::<T, F>,
        SetProtectedResourceSession: SetProtectedResourceSession::<T, F>,
        BeginRenderPass: BeginRenderPass::<T, F>,
        EndRenderPass: EndRenderPass::<T, F>,
        InitializeMetaCommand: InitializeMetaCommand::<T, F>,
        ExecuteMetaCommand: ExecuteMetaCommand::<T, F>,
        BuildRaytracingAccelerationStructure: BuildRaytracingAccelerationStructure::<T, F>,
        EmitRaytracingAccelerationStructurePostbuildInfo: EmitRaytracingAccelerationStructurePostbuildInfo::<T, F>,
        CopyRaytracingAccelerationStructure: CopyRaytracingAccelerationStructure::<T, F>,
        SetPipelineState1: SetPipelineState1::<T, F>,
        DispatchRays: DispatchRays::<T, F>,
        RSSetShadingRate: RSSetShadingRate::<T, F>,
        RSSetShadingRateImage: RSSetShadingRateImage::<T, F>,
        DispatchMesh: DispatchMesh::<T, F>,
        Barrier: Barrier::<T, F>,
        OMSetFrontAndBackStencilRef: OMSetFrontAndBackStencilRef::<T, F>,
        RSSetDepthBias: RSSetDepthBias::<T, F>,
        IASetIndexBufferStripCutValue: IASetIndexBufferStripCutValue::<T, F>,
        SetProgram: SetProgram::<T, F>,
        DispatchGraph: DispatchGraph::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12GraphicsCommandList10Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        GetPrivateData: methods::GetPrivateData::<T, F>,
        SetPrivateData: methods::SetPrivateData::<T, F>,
        SetPrivateDataInterface: methods::SetPrivateDataInterface::<T, F>,
        SetName: methods::SetName::<T, F>,
        GetDevice: methods::GetDevice::<T, F>,
        GetType: GetType::<T, F>,
        Close: Close::<T, F>,
        Reset: Reset::<T, F>,
        ClearState: ClearState::<T, F>,
        DrawInstanced: DrawInstanced::<T, F>,
        DrawIndexedInstanced: DrawIndexedInstanced::<T, F>,
        Dispatch: Dispatch::<T, F>,
        CopyBufferRegion: CopyBufferRegion::<T, F>,
        CopyTextureRegion: CopyTextureRegion::<T, F>,
        CopyResource: CopyResource::<T, F>,
        CopyTiles: CopyTiles::<T, F>,
        ResolveSubresource: ResolveSubresource::<T, F>,
        IASetPrimitiveTopology: IASetPrimitiveTopology::<T, F>,
        RSSetViewports: RSSetViewports::<T, F>,
        RSSetScissorRects: RSSetScissorRects::<T, F>,
        OMSetBlendFactor: OMSetBlendFactor::<T, F>,
        OMSetStencilRef: OMSetStencilRef::<T, F>,
        SetPipelineState: SetPipelineState::<T, F>,
        ResourceBarrier: ResourceBarrier::<T, F>,
        ExecuteBundle: ExecuteBundle::<T, F>,
        SetDescriptorHeaps: SetDescriptorHeaps::<T, F>,
        SetComputeRootSignature: SetComputeRootSignature::<T, F>,
        SetGraphicsRootSignature: SetGraphicsRootSignature::<T, F>,
        SetComputeRootDescriptorTable: SetComputeRootDescriptorTable::<T, F>,
        SetGraphicsRootDescriptorTable: SetGraphicsRootDescriptorTable::<T, F>,
        SetComputeRoot32BitConstant: SetComputeRoot32BitConstant::<T, F>,
        SetGraphicsRoot32BitConstant: SetGraphicsRoot32BitConstant::<T, F>,
        SetComputeRoot32BitConstants: SetComputeRoot32BitConstants::<T, F>,
        SetGraphicsRoot32BitConstants: SetGraphicsRoot32BitConstants::<T, F>,
        SetComputeRootConstantBufferView: SetComputeRootConstantBufferView::<T, F>,
        SetGraphicsRootConstantBufferView: SetGraphicsRootConstantBufferView::<T, F>,
        SetComputeRootShaderResourceView: SetComputeRootShaderResourceView::<T, F>,
        SetGraphicsRootShaderResourceView: SetGraphicsRootShaderResourceView::<T, F>,
        SetComputeRootUnorderedAccessView: SetComputeRootUnorderedAccessView::<T, F>,
        SetGraphicsRootUnorderedAccessView: SetGraphicsRootUnorderedAccessView::<T, F>,
        IASetIndexBuffer: IASetIndexBuffer::<T, F>,
        IASetVertexBuffers: IASetVertexBuffers::<T, F>,
        SOSetTargets: SOSetTargets::<T, F>,
        OMSetRenderTargets: OMSetRenderTargets::<T, F>,
        ClearDepthStencilView: ClearDepthStencilView::<T, F>,
        ClearRenderTargetView: ClearRenderTargetView::<T, F>,
        ClearUnorderedAccessViewUint: ClearUnorderedAccessViewUint::<T, F>,
        ClearUnorderedAccessViewFloat: ClearUnorderedAccessViewFloat::<T, F>,
        DiscardResource: DiscardResource::<T, F>,
        BeginQuery: BeginQuery::<T, F>,
        EndQuery: EndQuery::<T, F>,
        ResolveQueryData: ResolveQueryData::<T, F>,
        SetPredication: SetPredication::<T, F>,
        SetMarker: SetMarker::<T, F>,
        BeginEvent: BeginEvent::<T, F>,
        EndEvent: EndEvent::<T, F>,
        ExecuteIndirect: ExecuteIndirect::<T, F>,
        AtomicCopyBufferUINT: AtomicCopyBufferUINT::<T, F>,
        AtomicCopyBufferUINT64: AtomicCopyBufferUINT64::<T, F>,
        OMSetDepthBounds: OMSetDepthBounds::<T, F>,
        SetSamplePositions: SetSamplePositions::<T, F>,
        ResolveSubresourceRegion: ResolveSubresourceRegion::<T, F>,
        SetViewInstanceMask: SetViewInstanceMask::<T, F>,
        WriteBufferImmediate: WriteBufferImmediate::<T, F>,
        SetProtectedResourceSession: SetProtectedResourceSession::<T, F>,
        BeginRenderPass: BeginRenderPass::<T, F>,
        EndRenderPass: EndRenderPass::<T, F>,
        InitializeMetaCommand: InitializeMetaCommand::<T, F>,
        ExecuteMetaCommand: ExecuteMetaCommand::<T, F>,
        BuildRaytracingAccelerationStructure: BuildRaytracingAccelerationStructure::<T, F>,
        EmitRaytracingAccelerationStructurePostbuildInfo: EmitRaytracingAccelerationStructurePostbuildInfo::<T, F>,
        CopyRaytracingAccelerationStructure: CopyRaytracingAccelerationStructure::<T, F>,
        SetPipelineState1: SetPipelineState1::<T, F>,
        DispatchRays: DispatchRays::<T, F>,
        RSSetShadingRate: RSSetShadingRate::<T, F>,
        RSSetShadingRateImage: RSSetShadingRateImage::<T, F>,
        DispatchMesh: DispatchMesh::<T, F>,
        Barrier: Barrier::<T, F>,
        OMSetFrontAndBackStencilRef: OMSetFrontAndBackStencilRef::<T, F>,
        RSSetDepthBias: RSSetDepthBias::<T, F>,
        IASetIndexBufferStripCutValue: IASetIndexBufferStripCutValue::<T, F>,
        SetProgram: SetProgram::<T, F>,
        DispatchGraph: DispatchGraph::<T, F>,
    };
}

unsafe extern "C" fn GetType<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void) -> u32 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetType(this) })
}

unsafe extern "C" fn Close<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::Close(this) })
}

unsafe extern "C" fn Reset<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::Reset(this, a0, a1) })
}

unsafe extern "C" fn ClearState<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ClearState(this, a0) })
}

unsafe extern "C" fn DrawInstanced<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: u32, a3: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::DrawInstanced(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn DrawIndexedInstanced<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: u32, a3: i32, a4: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::DrawIndexedInstanced(this, a0, a1, a2, a3, a4) })
}

unsafe extern "C" fn Dispatch<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::Dispatch(this, a0, a1, a2) })
}

unsafe extern "C" fn CopyBufferRegion<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u64, a2: *mut c_void, a3: u64, a4: u64) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CopyBufferRegion(this, a0, a1, a2, a3, a4) })
}

unsafe extern "C" fn CopyTextureRegion<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *const D3D12_TEXTURE_COPY_LOCATION, a1: u32, a2: u32, a3: u32, a4: *const D3D12_TEXTURE_COPY_LOCATION, a5: *const D3D12_BOX) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CopyTextureRegion(this, a0, a1, a2, a3, a4, a5) })
}

unsafe extern "C" fn CopyResource<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CopyResource(this, a0, a1) })
}

unsafe extern "C" fn CopyTiles<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *const D3D12_TILED_RESOURCE_COORDINATE, a2: *const D3D12_TILE_REGION_SIZE, a3: *mut c_void, a4: u64, a5: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CopyTiles(this, a0, a1, a2, a3, a4, a5) })
}

unsafe extern "C" fn ResolveSubresource<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: *mut c_void, a3: u32, a4: DXGI_FORMAT) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ResolveSubresource(this, a0, a1, a2, a3, a4) })
}

unsafe extern "C" fn IASetPrimitiveTopology<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::IASetPrimitiveTopology(this, a0) })
}

unsafe extern "C" fn RSSetViewports<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::RSSetViewports(this, a0, a1) })
}

unsafe extern "C" fn RSSetScissorRects<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const D3D12_RECT) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::RSSetScissorRects(this, a0, a1) })
}

unsafe extern "C" fn OMSetBlendFactor<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *const f32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::OMSetBlendFactor(this, a0) })
}

unsafe extern "C" fn OMSetStencilRef<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::OMSetStencilRef(this, a0) })
}

unsafe extern "C" fn SetPipelineState<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetPipelineState(this, a0) })
}

unsafe extern "C" fn ResourceBarrier<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const D3D12_RESOURCE_BARRIER) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ResourceBarrier(this, a0, a1) })
}

unsafe extern "C" fn ExecuteBundle<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ExecuteBundle(this, a0) })
}

unsafe extern "C" fn SetDescriptorHeaps<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetDescriptorHeaps(this, a0, a1) })
}

unsafe extern "C" fn SetComputeRootSignature<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetComputeRootSignature(this, a0) })
}

unsafe extern "C" fn SetGraphicsRootSignature<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetGraphicsRootSignature(this, a0) })
}

unsafe extern "C" fn SetComputeRootDescriptorTable<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: D3D12_GPU_DESCRIPTOR_HANDLE) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetComputeRootDescriptorTable(this, a0, a1) })
}

unsafe extern "C" fn SetGraphicsRootDescriptorTable<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: D3D12_GPU_DESCRIPTOR_HANDLE) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetGraphicsRootDescriptorTable(this, a0, a1) })
}

unsafe extern "C" fn SetComputeRoot32BitConstant<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetComputeRoot32BitConstant(this, a0, a1, a2) })
}

unsafe extern "C" fn SetGraphicsRoot32BitConstant<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetGraphicsRoot32BitConstant(this, a0, a1, a2) })
}

unsafe extern "C" fn SetComputeRoot32BitConstants<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: *const c_void, a3: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetComputeRoot32BitConstants(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn SetGraphicsRoot32BitConstants<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: *const c_void, a3: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetGraphicsRoot32BitConstants(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn SetComputeRootConstantBufferView<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: D3D12_GPU_VIRTUAL_ADDRESS) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetComputeRootConstantBufferView(this, a0, a1) })
}

unsafe extern "C" fn SetGraphicsRootConstantBufferView<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: D3D12_GPU_VIRTUAL_ADDRESS) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetGraphicsRootConstantBufferView(this, a0, a1) })
}

unsafe extern "C" fn SetComputeRootShaderResourceView<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: D3D12_GPU_VIRTUAL_ADDRESS) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetComputeRootShaderResourceView(this, a0, a1) })
}

unsafe extern "C" fn SetGraphicsRootShaderResourceView<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: D3D12_GPU_VIRTUAL_ADDRESS) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetGraphicsRootShaderResourceView(this, a0, a1) })
}

unsafe extern "C" fn SetComputeRootUnorderedAccessView<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: D3D12_GPU_VIRTUAL_ADDRESS) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetComputeRootUnorderedAccessView(this, a0, a1) })
}

unsafe extern "C" fn SetGraphicsRootUnorderedAccessView<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: D3D12_GPU_VIRTUAL_ADDRESS) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetGraphicsRootUnorderedAccessView(this, a0, a1) })
}

unsafe extern "C" fn IASetIndexBuffer<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *const c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::IASetIndexBuffer(this, a0) })
}

unsafe extern "C" fn IASetVertexBuffers<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: *const c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::IASetVertexBuffers(this, a0, a1, a2) })
}

unsafe extern "C" fn SOSetTargets<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: *const c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SOSetTargets(this, a0, a1, a2) })
}

unsafe extern "C" fn OMSetRenderTargets<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const D3D12_CPU_DESCRIPTOR_HANDLE, a2: BOOL, a3: *const D3D12_CPU_DESCRIPTOR_HANDLE) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::OMSetRenderTargets(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn ClearDepthStencilView<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: D3D12_CPU_DESCRIPTOR_HANDLE, a1: u32, a2: f32, a3: u8, a4: u32, a5: *const D3D12_RECT) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ClearDepthStencilView(this, a0, a1, a2, a3, a4, a5) })
}

unsafe extern "C" fn ClearRenderTargetView<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: D3D12_CPU_DESCRIPTOR_HANDLE, a1: *const f32, a2: u32, a3: *const D3D12_RECT) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ClearRenderTargetView(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn ClearUnorderedAccessViewUint<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: D3D12_GPU_DESCRIPTOR_HANDLE, a1: D3D12_CPU_DESCRIPTOR_HANDLE, a2: *mut c_void, a3: *const u32, a4: u32, a5: *const D3D12_RECT) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ClearUnorderedAccessViewUint(this, a0, a1, a2, a3, a4, a5) })
}

unsafe extern "C" fn ClearUnorderedAccessViewFloat<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: D3D12_GPU_DESCRIPTOR_HANDLE, a1: D3D12_CPU_DESCRIPTOR_HANDLE, a2: *mut c_void, a3: *const f32, a4: u32, a5: *const D3D12_RECT) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ClearUnorderedAccessViewFloat(this, a0, a1, a2, a3, a4, a5) })
}

unsafe extern "C" fn DiscardResource<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *const D3D12_DISCARD_REGION) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::DiscardResource(this, a0, a1) })
}

unsafe extern "C" fn BeginQuery<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::BeginQuery(this, a0, a1, a2) })
}

unsafe extern "C" fn EndQuery<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EndQuery(this, a0, a1, a2) })
}

unsafe extern "C" fn ResolveQueryData<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: u32, a3: u32, a4: *mut c_void, a5: u64) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ResolveQueryData(this, a0, a1, a2, a3, a4, a5) })
}

unsafe extern "C" fn SetPredication<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u64, a2: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetPredication(this, a0, a1, a2) })
}

unsafe extern "C" fn SetMarker<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const c_void, a2: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetMarker(this, a0, a1, a2) })
}

unsafe extern "C" fn BeginEvent<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const c_void, a2: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::BeginEvent(this, a0, a1, a2) })
}

unsafe extern "C" fn EndEvent<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EndEvent(this) })
}

unsafe extern "C" fn ExecuteIndirect<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: *mut c_void, a3: u64, a4: *mut c_void, a5: u64) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ExecuteIndirect(this, a0, a1, a2, a3, a4, a5) })
}

unsafe extern "C" fn AtomicCopyBufferUINT<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u64, a2: *mut c_void, a3: u64, a4: u32, a5: *const *mut c_void, a6: *const D3D12_SUBRESOURCE_RANGE_UINT64) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::AtomicCopyBufferUINT(this, a0, a1, a2, a3, a4, a5, a6) })
}

unsafe extern "C" fn AtomicCopyBufferUINT64<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u64, a2: *mut c_void, a3: u64, a4: u32, a5: *const *mut c_void, a6: *const D3D12_SUBRESOURCE_RANGE_UINT64) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::AtomicCopyBufferUINT64(this, a0, a1, a2, a3, a4, a5, a6) })
}

unsafe extern "C" fn OMSetDepthBounds<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: f32, a1: f32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::OMSetDepthBounds(this, a0, a1) })
}

unsafe extern "C" fn SetSamplePositions<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetSamplePositions(this, a0, a1, a2) })
}

unsafe extern "C" fn ResolveSubresourceRegion<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: u32, a2: u32, a3: u32, a4: *mut c_void, a5: u32, a6: *mut D3D12_RECT, a7: DXGI_FORMAT, a8: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ResolveSubresourceRegion(this, a0, a1, a2, a3, a4, a5, a6, a7, a8) })
}

unsafe extern "C" fn SetViewInstanceMask<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetViewInstanceMask(this, a0) })
}

unsafe extern "C" fn WriteBufferImmediate<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER, a2: *const D3D12_WRITEBUFFERIMMEDIATE_MODE) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::WriteBufferImmediate(this, a0, a1, a2) })
}

unsafe extern "C" fn SetProtectedResourceSession<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetProtectedResourceSession(this, a0) })
}

unsafe extern "C" fn BeginRenderPass<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const c_void, a2: *const c_void, a3: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::BeginRenderPass(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn EndRenderPass<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EndRenderPass(this) })
}

unsafe extern "C" fn InitializeMetaCommand<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *const c_void, a2: usize) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::InitializeMetaCommand(this, a0, a1, a2) })
}

unsafe extern "C" fn ExecuteMetaCommand<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void, a1: *const c_void, a2: usize) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ExecuteMetaCommand(this, a0, a1, a2) })
}

unsafe extern "C" fn BuildRaytracingAccelerationStructure<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: u32, a2: *const c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::BuildRaytracingAccelerationStructure(this, a0, a1, a2) })
}

unsafe extern "C" fn EmitRaytracingAccelerationStructurePostbuildInfo<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *const c_void, a1: u32, a2: *const D3D12_GPU_VIRTUAL_ADDRESS) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::EmitRaytracingAccelerationStructurePostbuildInfo(this, a0, a1, a2) })
}

unsafe extern "C" fn CopyRaytracingAccelerationStructure<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: D3D12_GPU_VIRTUAL_ADDRESS, a1: D3D12_GPU_VIRTUAL_ADDRESS, a2: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::CopyRaytracingAccelerationStructure(this, a0, a1, a2) })
}

unsafe extern "C" fn SetPipelineState1<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetPipelineState1(this, a0) })
}

unsafe extern "C" fn DispatchRays<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *const c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::DispatchRays(this, a0) })
}

unsafe extern "C" fn RSSetShadingRate<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::RSSetShadingRate(this, a0, a1) })
}

unsafe extern "C" fn RSSetShadingRateImage<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::RSSetShadingRateImage(this, a0) })
}

unsafe extern "C" fn DispatchMesh<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::DispatchMesh(this, a0, a1, a2) })
}

unsafe extern "C" fn Barrier<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const D3D12_BARRIER_GROUP) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::Barrier(this, a0, a1) })
}

unsafe extern "C" fn OMSetFrontAndBackStencilRef<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::OMSetFrontAndBackStencilRef(this, a0, a1) })
}

unsafe extern "C" fn RSSetDepthBias<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: f32, a1: f32, a2: f32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::RSSetDepthBias(this, a0, a1, a2) })
}

unsafe extern "C" fn IASetIndexBufferStripCutValue<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: u32) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::IASetIndexBufferStripCutValue(this, a0) })
}

unsafe extern "C" fn SetProgram<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *const c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetProgram(this, a0) })
}

unsafe extern "C" fn DispatchGraph<T: ID3D12GraphicsCommandList10, F: Face<T>>(this: *mut c_void, a0: *const c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::DispatchGraph(this, a0) })
}
