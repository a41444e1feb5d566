//! The methods of the interface.

use core::ffi::c_void;

use heapstone::DescriptorHeap;
use heapstone::spec::commands::PredicationOp;

use super::copies::{self, Resolve};
use super::{GraphicsCommandList, check_bundle, inert, record};
use crate::allocator::CommandAllocator;
use crate::com::{Object, from_client};
use crate::convert::{self, known};
use crate::failure::Failure;
use crate::types::*;
use crate::vtables::ID3D12GraphicsCommandList10;

/// Methods that set state of pipelines, which nothing uses.
macro_rules! state {
    ($( $name:ident($($type:ty),*); )*) => {$(
        unsafe fn $name(_this: &Object<Self> $(, _: $type)*) {}
    )*};
}

/// Methods that would run a shader.
macro_rules! shaders {
    ($( $name:ident($($type:ty),*); )*) => {$(
        unsafe fn $name(this: &Object<Self> $(, _: $type)*) {
            inert(this, stringify!($name));
        }
    )*};
}

type Interface = *mut c_void;
type Data = *const c_void;

impl ID3D12GraphicsCommandList10 for GraphicsCommandList {
    unsafe fn GetType(this: &Object<Self>) -> u32 {
        this.list_type
    }

    unsafe fn Close(this: &Object<Self>) -> HRESULT {
        this.device().done(|| {
            let mut list = this.runtime.try_lock().ok_or(Failure::Code(E_FAIL))?;
            Ok(list.close()?)
        })
    }

    unsafe fn Reset(this: &Object<Self>, allocator: Interface, _pipeline: Interface) -> HRESULT {
        this.device().done(|| {
            // SAFETY: the pointer is the client's.
            let allocator = unsafe { from_client::<CommandAllocator>(allocator) };
            let allocator = allocator.ok_or(Failure::Argument("pAllocator is no command allocator"))?;
            check_bundle(this.list_type, allocator)?;
            let mut list = this.runtime.try_lock().ok_or(Failure::Code(E_FAIL))?;
            list.reset(&allocator.runtime)?;
            this.states.lock().clear();
            Ok(())
        })
    }

    unsafe fn CopyBufferRegion(
        this: &Object<Self>,
        destination: Interface,
        destination_offset: u64,
        source: Interface,
        source_offset: u64,
        size: u64,
    ) {
        record(this, "CopyBufferRegion", |list| {
            // SAFETY: the pointers are the client's.
            let (destination, source) = unsafe {
                (
                    convert::resource(destination, "pDstBuffer is no resource")?,
                    convert::resource(source, "pSrcBuffer is no resource")?,
                )
            };
            Ok(list.copy_buffer_region(destination, destination_offset, source, source_offset, size)?)
        });
    }

    unsafe fn CopyTextureRegion(
        this: &Object<Self>,
        destination: *const D3D12_TEXTURE_COPY_LOCATION,
        x: u32,
        y: u32,
        z: u32,
        source: *const D3D12_TEXTURE_COPY_LOCATION,
        source_box: *const D3D12_BOX,
    ) {
        // SAFETY: the arguments are the client's.
        record(this, "CopyTextureRegion", |list| unsafe {
            copies::copy_texture_region(list, destination, [x, y, z], source, source_box)
        });
    }

    unsafe fn CopyResource(this: &Object<Self>, destination: Interface, source: Interface) {
        record(this, "CopyResource", |list| {
            // SAFETY: the pointers are the client's.
            let (destination, source) = unsafe {
                (
                    convert::resource(destination, "pDstResource is no resource")?,
                    convert::resource(source, "pSrcResource is no resource")?,
                )
            };
            Ok(list.copy_resource(destination, source)?)
        });
    }

    unsafe fn CopyTiles(
        this: &Object<Self>,
        resource: Interface,
        start: *const D3D12_TILED_RESOURCE_COORDINATE,
        region: *const D3D12_TILE_REGION_SIZE,
        buffer: Interface,
        offset: u64,
        flags: u32,
    ) {
        // SAFETY: the arguments are the client's.
        record(this, "CopyTiles", |list| unsafe {
            copies::copy_tiles(list, resource, start, region, buffer, offset, flags)
        });
    }

    unsafe fn ResolveSubresource(
        this: &Object<Self>,
        destination: Interface,
        destination_subresource: u32,
        source: Interface,
        source_subresource: u32,
        format: u32,
    ) {
        record(this, "ResolveSubresource", |list| {
            // SAFETY: the pointers are the client's.
            let (destination, source) = unsafe {
                (
                    convert::resource(destination, "pDstResource is no resource")?,
                    convert::resource(source, "pSrcResource is no resource")?,
                )
            };
            let format = convert::format(format)?;
            Ok(list.resolve_subresource(
                destination,
                destination_subresource,
                source,
                source_subresource,
                format,
            )?)
        });
    }

    unsafe fn ResolveSubresourceRegion(
        this: &Object<Self>,
        destination: Interface,
        destination_subresource: u32,
        x: u32,
        y: u32,
        source: Interface,
        source_subresource: u32,
        source_rect: *mut D3D12_RECT,
        format: u32,
        mode: u32,
    ) {
        let source_rect = source_rect.cast_const();
        let given = Resolve {
            destination,
            destination_subresource,
            x,
            y,
            source,
            source_subresource,
            source_rect,
            format,
            mode,
        };
        // SAFETY: the arguments are the client's.
        record(this, "ResolveSubresourceRegion", |list| unsafe { copies::resolve_region(list, &given) });
    }

    unsafe fn ResourceBarrier(this: &Object<Self>, count: u32, barriers: *const D3D12_RESOURCE_BARRIER) {
        // SAFETY: the arguments are the client's.
        record(this, "ResourceBarrier", |list| unsafe {
            copies::resource_barriers(list, count, barriers)?;
            let device = this.device();
            if device.live_objects().is_some() {
                let given = convert::slice(barriers, count, "pBarriers is NULL")?;
                this.states.lock().record_barriers(device, given);
            }
            Ok(())
        });
    }

    unsafe fn Barrier(this: &Object<Self>, count: u32, groups: *const D3D12_BARRIER_GROUP) {
        // SAFETY: the arguments are the client's.
        record(this, "Barrier", |list| unsafe {
            copies::barriers(list, count, groups)?;
            let device = this.device();
            if device.live_objects().is_some() {
                let given = convert::slice(groups, count, "pBarrierGroups is NULL")?;
                this.states.lock().record_groups(device, given);
            }
            Ok(())
        });
    }

    unsafe fn SetDescriptorHeaps(this: &Object<Self>, count: u32, heaps: *const Interface) {
        record(this, "SetDescriptorHeaps", |list| {
            // SAFETY: the pointers are the client's.
            let heaps =
                unsafe { convert::slice(heaps, count, "ppDescriptorHeaps is NULL") }?.iter().map(|heap| {
                    // SAFETY: as above.
                    let heap = unsafe { from_client::<crate::descriptor_heap::DescriptorHeap>(*heap) };
                    Ok(&heap
                        .ok_or(Failure::Argument("ppDescriptorHeaps holds no descriptor heap"))?
                        .body()
                        .runtime)
                });
            let heaps: Vec<&DescriptorHeap> = heaps.collect::<Result<_, Failure>>()?;
            Ok(list.set_descriptor_heaps(&heaps)?)
        });
    }

    unsafe fn ClearDepthStencilView(
        this: &Object<Self>,
        view: D3D12_CPU_DESCRIPTOR_HANDLE,
        flags: u32,
        depth: f32,
        stencil: u8,
        count: u32,
        rects: *const D3D12_RECT,
    ) {
        record(this, "ClearDepthStencilView", |list| {
            // SAFETY: the arguments are the client's.
            let rects = unsafe { convert::rects(rects, count) }?;
            let flags = convert::clear_flags(flags);
            Ok(list.clear_depth_stencil_view(convert::cpu_handle(view), flags, depth, stencil, &rects)?)
        });
    }

    unsafe fn ClearRenderTargetView(
        this: &Object<Self>,
        view: D3D12_CPU_DESCRIPTOR_HANDLE,
        color: *const f32,
        count: u32,
        rects: *const D3D12_RECT,
    ) {
        record(this, "ClearRenderTargetView", |list| {
            // SAFETY: the arguments are the client's.
            let (color, rects) = unsafe { (copies::four(color)?, convert::rects(rects, count)?) };
            Ok(list.clear_render_target_view(convert::cpu_handle(view), color, &rects)?)
        });
    }

    unsafe fn ClearUnorderedAccessViewUint(
        this: &Object<Self>,
        gpu: D3D12_GPU_DESCRIPTOR_HANDLE,
        cpu: D3D12_CPU_DESCRIPTOR_HANDLE,
        resource: Interface,
        values: *const u32,
        count: u32,
        rects: *const D3D12_RECT,
    ) {
        record(this, "ClearUnorderedAccessViewUint", |list| {
            // SAFETY: the arguments are the client's.
            let (resource, values, rects) = unsafe {
                (
                    convert::resource(resource, "pResource is no resource")?,
                    copies::four(values)?,
                    convert::rects(rects, count)?,
                )
            };
            let (gpu, cpu) = (convert::gpu_handle(gpu), convert::cpu_handle(cpu));
            Ok(list.clear_unordered_access_view_uint(gpu, cpu, resource, values, &rects)?)
        });
    }

    unsafe fn ClearUnorderedAccessViewFloat(
        this: &Object<Self>,
        gpu: D3D12_GPU_DESCRIPTOR_HANDLE,
        cpu: D3D12_CPU_DESCRIPTOR_HANDLE,
        resource: Interface,
        values: *const f32,
        count: u32,
        rects: *const D3D12_RECT,
    ) {
        record(this, "ClearUnorderedAccessViewFloat", |list| {
            // SAFETY: the arguments are the client's.
            let (resource, values, rects) = unsafe {
                (
                    convert::resource(resource, "pResource is no resource")?,
                    copies::four(values)?,
                    convert::rects(rects, count)?,
                )
            };
            let (gpu, cpu) = (convert::gpu_handle(gpu), convert::cpu_handle(cpu));
            Ok(list.clear_unordered_access_view_float(gpu, cpu, resource, values, &rects)?)
        });
    }

    unsafe fn DiscardResource(this: &Object<Self>, resource: Interface, region: *const D3D12_DISCARD_REGION) {
        // SAFETY: the arguments are the client's.
        record(this, "DiscardResource", |list| unsafe { copies::discard(list, resource, region) });
    }

    /// Only queries of shaders begin; timestamps end.
    unsafe fn BeginQuery(this: &Object<Self>, heap: Interface, query_type: u32, index: u32) {
        record(this, "BeginQuery", |_| {
            // SAFETY: the pointer is the client's.
            let heap = unsafe { copies::query_heap(heap) }?;
            if heap.runtime.is_some() {
                let what = "BeginQuery of a timestamp: timestamps only end";
                return Err(if query_type == 2 {
                    Failure::Argument(what)
                } else {
                    Failure::Argument("Type is not the heap's")
                });
            }
            if index >= heap.count {
                Err(Failure::Argument("Index is beyond the heap's queries"))
            } else {
                Ok(())
            }
        });
    }

    unsafe fn EndQuery(this: &Object<Self>, heap: Interface, query_type: u32, index: u32) {
        record(this, "EndQuery", |list| {
            // SAFETY: the pointer is the client's.
            let heap = unsafe { copies::query_heap(heap) }?;
            match &heap.runtime {
                Some(runtime) => Ok(list.end_query(runtime, copies::query_type(query_type)?, index)?),
                None if index >= heap.count => Err(Failure::Argument("Index is beyond the heap's queries")),
                None => Ok(()),
            }
        });
    }

    /// Results of queries of shaders are not written: there are none, and a buffer keeps what it has.
    unsafe fn ResolveQueryData(
        this: &Object<Self>,
        heap: Interface,
        query_type: u32,
        start: u32,
        count: u32,
        destination: Interface,
        offset: u64,
    ) {
        record(this, "ResolveQueryData", |list| {
            // SAFETY: the pointers are the client's.
            let (heap, destination) = unsafe {
                (
                    copies::query_heap(heap)?,
                    convert::resource(destination, "pDestinationBuffer is no resource")?,
                )
            };
            match &heap.runtime {
                Some(runtime) => {
                    let query_type = copies::query_type(query_type)?;
                    Ok(list.resolve_query_data(runtime, query_type, start, count, destination, offset)?)
                }
                None => {
                    this.device()
                        .report_once("ResolveQueryData", "of queries other than timestamps writes nothing");
                    Ok(())
                }
            }
        });
    }

    unsafe fn SetPredication(this: &Object<Self>, buffer: Interface, offset: u64, operation: u32) {
        record(this, "SetPredication", |list| {
            // SAFETY: the pointer is the client's.
            let buffer = unsafe { convert::optional_resource(buffer, "pBuffer is no resource") }?;
            let operation = known(PredicationOp::from_d3d12(operation), "D3D12_PREDICATION_OP", operation)?;
            Ok(list.set_predication(buffer.map(|buffer| (buffer, offset)), operation)?)
        });
    }

    unsafe fn WriteBufferImmediate(
        this: &Object<Self>,
        count: u32,
        parameters: *const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER,
        modes: *const D3D12_WRITEBUFFERIMMEDIATE_MODE,
    ) {
        // SAFETY: the arguments are the client's.
        record(this, "WriteBufferImmediate", |list| unsafe {
            copies::write_immediate(list, count, parameters, modes)
        });
    }

    state! {
        ClearState(Interface);
        IASetPrimitiveTopology(u32);
        RSSetViewports(u32, Data);
        RSSetScissorRects(u32, *const D3D12_RECT);
        OMSetBlendFactor(*const f32);
        OMSetStencilRef(u32);
        SetPipelineState(Interface);
        SetComputeRootSignature(Interface);
        SetGraphicsRootSignature(Interface);
        SetComputeRootDescriptorTable(u32, D3D12_GPU_DESCRIPTOR_HANDLE);
        SetGraphicsRootDescriptorTable(u32, D3D12_GPU_DESCRIPTOR_HANDLE);
        SetComputeRoot32BitConstant(u32, u32, u32);
        SetGraphicsRoot32BitConstant(u32, u32, u32);
        SetComputeRoot32BitConstants(u32, u32, Data, u32);
        SetGraphicsRoot32BitConstants(u32, u32, Data, u32);
        SetComputeRootConstantBufferView(u32, u64);
        SetGraphicsRootConstantBufferView(u32, u64);
        SetComputeRootShaderResourceView(u32, u64);
        SetGraphicsRootShaderResourceView(u32, u64);
        SetComputeRootUnorderedAccessView(u32, u64);
        SetGraphicsRootUnorderedAccessView(u32, u64);
        IASetIndexBuffer(Data);
        IASetVertexBuffers(u32, u32, Data);
        SOSetTargets(u32, u32, Data);
        OMSetRenderTargets(u32, *const D3D12_CPU_DESCRIPTOR_HANDLE, BOOL, *const D3D12_CPU_DESCRIPTOR_HANDLE);
        SetMarker(u32, Data, u32);
        BeginEvent(u32, Data, u32);
        EndEvent();
        OMSetDepthBounds(f32, f32);
        SetSamplePositions(u32, u32, Interface);
        SetViewInstanceMask(u32);
        SetProtectedResourceSession(Interface);
        SetPipelineState1(Interface);
        RSSetShadingRate(u32, Data);
        RSSetShadingRateImage(Interface);
        OMSetFrontAndBackStencilRef(u32, u32);
        RSSetDepthBias(f32, f32, f32);
        IASetIndexBufferStripCutValue(u32);
        SetProgram(Data);
    }

    shaders! {
        DrawInstanced(u32, u32, u32, u32);
        DrawIndexedInstanced(u32, u32, u32, i32, u32);
        Dispatch(u32, u32, u32);
        ExecuteBundle(Interface);
        ExecuteIndirect(Interface, u32, Interface, u64, Interface, u64);
        BeginRenderPass(u32, Data, Data, u32);
        EndRenderPass();
        InitializeMetaCommand(Interface, Data, usize);
        ExecuteMetaCommand(Interface, Data, usize);
        BuildRaytracingAccelerationStructure(Data, u32, Data);
        EmitRaytracingAccelerationStructurePostbuildInfo(Data, u32, *const D3D12_GPU_VIRTUAL_ADDRESS);
        CopyRaytracingAccelerationStructure(u64, u64, u32);
        DispatchRays(Data);
        DispatchMesh(u32, u32, u32);
        DispatchGraph(Data);
    }

    /// Of 4 bytes. Both buffers are in system memory or both are not: an engine's copies are atomic to others here, as
    /// a queue does one thing after the other.
    unsafe fn AtomicCopyBufferUINT(
        this: &Object<Self>,
        destination: Interface,
        destination_offset: u64,
        source: Interface,
        source_offset: u64,
        _dependencies: u32,
        _resources: *const Interface,
        _ranges: *const D3D12_SUBRESOURCE_RANGE_UINT64,
    ) {
        // SAFETY: the arguments are the client's.
        unsafe { Self::CopyBufferRegion(this, destination, destination_offset, source, source_offset, 4) }
    }

    /// Of 8 bytes; as above.
    unsafe fn AtomicCopyBufferUINT64(
        this: &Object<Self>,
        destination: Interface,
        destination_offset: u64,
        source: Interface,
        source_offset: u64,
        _dependencies: u32,
        _resources: *const Interface,
        _ranges: *const D3D12_SUBRESOURCE_RANGE_UINT64,
    ) {
        // SAFETY: the arguments are the client's.
        unsafe { Self::CopyBufferRegion(this, destination, destination_offset, source, source_offset, 8) }
    }
}
