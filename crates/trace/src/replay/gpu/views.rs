//! Descriptors and views, and copies by the CPU.

use heapstone::{DescriptorHeap, DescriptorRanges, DriverError, Error, GpuVirtualAddress};
use heapstone_spec::views::{CpuDescriptorHandle, GpuDescriptorHandle};

use super::objects::GpuObject;
use super::regions;
use crate::gpu::{
    AddressPlace, DescriptorPlaceArguments, DescriptorRangesArguments, GpuCall, constant_buffer_view,
};
use crate::model::{Record, TraceId};
use crate::replay::objects::Object;
use crate::replay::replayer::Replayer;

/// Bytes of a copy by the CPU that are kept for it (chosen: no texture of D3D12's limits and usual pitches
/// needs more, and a wrong trace must not fill the memory).
const SCRATCH_MAX: u64 = 1 << 30;

impl Replayer {
    pub(super) fn descriptor_heap(&mut self, record: &Record, id: TraceId) -> Option<DescriptorHeap> {
        if let Some(GpuObject::DescriptorHeap(heap)) = self.gpu.objects.get(&id) {
            return Some(heap.clone());
        }
        self.gpu_unfit(record, id, "descriptor heap");
        None
    }

    /// The handle on this device.
    pub(super) fn cpu_handle(
        &mut self,
        record: &Record,
        place: DescriptorPlaceArguments,
    ) -> Option<CpuDescriptorHandle> {
        let DescriptorPlaceArguments(heap, index) = place;
        let Some(heap) = heap else { return Some(CpuDescriptorHandle { ptr: index }) };
        let heap = self.descriptor_heap(record, heap)?;
        let increment = self.device.descriptor_handle_increment_size(heap.desc().heap_type);
        let ptr = heap.cpu_start().ptr.wrapping_add(index.wrapping_mul(u64::from(increment)));
        Some(CpuDescriptorHandle { ptr })
    }

    /// The GPU handle on this device; of a heap that shaders do not see one that leads nowhere.
    pub(super) fn gpu_handle(
        &mut self,
        record: &Record,
        place: DescriptorPlaceArguments,
    ) -> Option<GpuDescriptorHandle> {
        let DescriptorPlaceArguments(heap, index) = place;
        let Some(heap) = heap else { return Some(GpuDescriptorHandle { ptr: index }) };
        let heap = self.descriptor_heap(record, heap)?;
        let increment = self.device.descriptor_handle_increment_size(heap.desc().heap_type);
        let start = heap.gpu_start().unwrap_or_default();
        Some(GpuDescriptorHandle { ptr: start.ptr.wrapping_add(index.wrapping_mul(u64::from(increment))) })
    }

    /// The address on this device; `None` where its heap or buffer is not there.
    pub(super) fn address(&mut self, record: &Record, place: AddressPlace) -> Option<GpuVirtualAddress> {
        let AddressPlace(object, offset) = place;
        let Some(object) = object else { return Some(GpuVirtualAddress(offset)) };
        let start = match self.objects.get(&object) {
            Some(Object::Heap(key)) => {
                self.heaps.get(*key).handle.as_ref().map(heapstone::Heap::gpu_virtual_address)
            }
            // The placement has none of the trace's heaps.
            Some(Object::VirtualHeap(_)) => None,
            _ => {
                return self
                    .gpu_resource(record, object)
                    .map(|buffer| at(buffer.gpu_virtual_address(), offset));
            }
        };
        self.skipped.object_missing += u64::from(start.is_none());
        start.map(|start| at(start, offset))
    }

    pub(super) fn descriptor_call(&mut self, record: &Record, call: &GpuCall) {
        if let Some(result) = self.make_descriptors(record, call) {
            self.gpu_ended(record, call, result);
        }
    }

    /// `None` where something that the call needs is not there.
    fn make_descriptors(&mut self, record: &Record, call: &GpuCall) -> Option<Result<(), Error>> {
        Some(match call {
            GpuCall::CreateShaderResourceView { at, resource, desc } => {
                let at = self.cpu_handle(record, *at)?;
                let resource = self.gpu_optional(record, *resource)?;
                self.device.create_shader_resource_view(resource.as_ref(), desc.as_ref(), at)
            }
            GpuCall::CreateUnorderedAccessView { at, resource, counter, desc } => {
                let at = self.cpu_handle(record, *at)?;
                let resource = self.gpu_optional(record, *resource)?;
                let counter = self.gpu_optional(record, *counter)?;
                let (resource, counter) = (resource.as_ref(), counter.as_ref());
                self.device.create_unordered_access_view(resource, counter, desc.as_ref(), at)
            }
            GpuCall::CreateRenderTargetView { at, resource, desc } => {
                let at = self.cpu_handle(record, *at)?;
                let resource = self.gpu_optional(record, *resource)?;
                self.device.create_render_target_view(resource.as_ref(), desc.as_ref(), at)
            }
            GpuCall::CreateDepthStencilView { at, resource, desc } => {
                let at = self.cpu_handle(record, *at)?;
                let resource = self.gpu_optional(record, *resource)?;
                self.device.create_depth_stencil_view(resource.as_ref(), desc.as_ref(), at)
            }
            GpuCall::CreateConstantBufferView { at, place, size } => {
                let at = self.cpu_handle(record, *at)?;
                let desc = match place {
                    None => None,
                    Some(place) => Some(constant_buffer_view(self.address(record, *place)?.0, *size)),
                };
                self.device.create_constant_buffer_view(desc.as_ref(), at)
            }
            GpuCall::CreateSampler { at, desc } => {
                let at = self.cpu_handle(record, *at)?;
                self.device.create_sampler(desc, at)
            }
            GpuCall::CopyDescriptors { destination, source, heap_type } => {
                let destinations = self.handles(record, destination)?;
                let sources = self.handles(record, source)?;
                let destination =
                    DescriptorRanges { starts: &destinations, sizes: destination.sizes.as_deref() };
                let source = DescriptorRanges { starts: &sources, sizes: source.sizes.as_deref() };
                self.device.copy_descriptors(destination, source, *heap_type)
            }
            GpuCall::CopyDescriptorsSimple { count, destination, source, heap_type } => {
                let destination = self.cpu_handle(record, *destination)?;
                let source = self.cpu_handle(record, *source)?;
                self.device.copy_descriptors_simple(*count, destination, source, *heap_type)
            }
            _ => return None,
        })
    }

    fn handles(
        &mut self,
        record: &Record,
        ranges: &DescriptorRangesArguments,
    ) -> Option<Vec<CpuDescriptorHandle>> {
        ranges.starts.iter().map(|start| self.cpu_handle(record, *start)).collect()
    }

    /// WriteToSubresource and ReadFromSubresource, of zeros: a trace has no contents. Phantom backing has
    /// nothing to copy: the call is accepted there once its rules are.
    pub(super) fn subresource_call(&mut self, record: &Record, id: TraceId, call: &GpuCall) {
        let (GpuCall::WriteToSubresource { subresource, texels, row_pitch, depth_pitch, size }
        | GpuCall::ReadFromSubresource { subresource, texels, row_pitch, depth_pitch, size }) = call
        else {
            return;
        };
        let Some(resource) = self.gpu_resource(record, id) else { return };
        let Some(length) = usize::try_from(*size).ok().filter(|_| *size <= SCRATCH_MAX) else {
            self.gpu.tally.copies_left_out += 1;
            return;
        };
        if self.gpu.scratch.len() < length {
            self.gpu.scratch.resize(length, 0);
        }
        let memory = &mut self.gpu.scratch[..length];
        let result = match call {
            GpuCall::WriteToSubresource { .. } => {
                resource.write_to_subresource(*subresource, texels.as_ref(), memory, *row_pitch, *depth_pitch)
            }
            _ => {
                let result = resource.read_from_subresource(
                    memory,
                    *row_pitch,
                    *depth_pitch,
                    *subresource,
                    texels.as_ref(),
                );
                memory.fill(0);
                result
            }
        };
        let result = match result {
            Err(Error::Driver(error)) if matches!(*error, DriverError::NoBytes) => Ok(()),
            result => result,
        };
        if result.is_ok() {
            let bytes = regions::of_subresource(&self.device, &resource, *subresource, texels.as_ref());
            self.gpu.tally.moved(call.kind(), bytes);
        }
        self.gpu_ended(record, call, result);
    }
}

fn at(start: GpuVirtualAddress, offset: u64) -> GpuVirtualAddress {
    GpuVirtualAddress(start.0.wrapping_add(offset))
}
