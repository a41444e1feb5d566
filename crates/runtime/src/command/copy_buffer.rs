//! CopyBufferRegion.

use heapstone_driver::dma::{Address, Command};
use heapstone_spec::commands::CommandListType;
use heapstone_spec::rules::copy as rules;
use heapstone_spec::{HeapType, Rule, Violation};
use heapstone_units::{ByteRange, GpuVirtualAddress};

use super::list::CommandList;
use super::observed::ListCommand;
use crate::error::Error;
use crate::resource::{Place, Resource};

impl CommandList {
    /// ID3D12GraphicsCommandList::CopyBufferRegion: `size` bytes from `source_offset` of `source` to
    /// `destination_offset` of `destination`. No bytes are no command.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `copy.buffer.*`, `copy.destination.heap`, `copy.source.heap`, `list.*`.
    #[inline]
    pub fn copy_buffer_region(
        &mut self,
        destination: &Resource,
        destination_offset: u64,
        source: &Resource,
        source_offset: u64,
        size: u64,
    ) -> Result<(), Error> {
        let result = self.record_copy_buffer(destination, destination_offset, source, source_offset, size);
        self.ended(result, || ListCommand::CopyBufferRegion {
            destination: destination.id(),
            destination_offset,
            source: source.id(),
            source_offset,
            size,
        })
    }

    fn record_copy_buffer(
        &mut self,
        destination: &Resource,
        destination_offset: u64,
        source: &Resource,
        source_offset: u64,
        size: u64,
    ) -> Result<(), Box<Violation>> {
        self.recorder("CopyBufferRegion", CommandListType::ALL)?;
        self.check_device("pDstBuffer", destination)?;
        self.check_device("pSrcBuffer", source)?;
        check_buffer(&rules::BUFFER_DESTINATION, "pDstBuffer", destination)?;
        check_buffer(&rules::BUFFER_SOURCE, "pSrcBuffer", source)?;
        check_destination_heap("pDstBuffer", destination)?;
        check_source_heap("pSrcBuffer", source)?;
        let field = "DstOffset, NumBytes";
        let to = range_in(&rules::BUFFER_DESTINATION_RANGE, field, destination, destination_offset, size)?;
        let field = "SrcOffset, NumBytes";
        let from = range_in(&rules::BUFFER_SOURCE_RANGE, field, source, source_offset, size)?;
        if destination == source && to.overlaps(from) {
            return Err(overlap(to, from));
        }
        if size == 0 {
            return Ok(());
        }
        let recorder = self.recorder("CopyBufferRegion", CommandListType::ALL)?;
        recorder.begin_call(1)?;
        let destination = Address {
            allocation: recorder.allocation(destination),
            at: address_in(destination, destination_offset),
        };
        let source =
            Address { allocation: recorder.allocation(source), at: address_in(source, source_offset) };
        recorder.push(&Command::CopyBuffer { destination, source, size });
        Ok(())
    }
}

/// The address of a byte within the resource.
#[inline]
pub(super) fn address_in(resource: &Resource, offset: u64) -> GpuVirtualAddress {
    // No overflow: the resource lies in the process's addresses, and the byte in the resource.
    GpuVirtualAddress(resource.inner.gpu_virtual_address.0.wrapping_add(offset))
}

#[inline]
pub(super) fn check_buffer(
    rule: &'static Rule,
    field: &'static str,
    resource: &Resource,
) -> Result<(), Box<Violation>> {
    if resource.inner.desc.is_buffer() {
        return Ok(());
    }
    Err(no_buffer(rule, field, resource))
}

#[cold]
fn no_buffer(rule: &'static Rule, field: &'static str, resource: &Resource) -> Box<Violation> {
    rule.violated(field, format_args!("a {} texture", resource.inner.desc.dimension), "a buffer")
}

/// `size` bytes at `offset`, which the buffer has.
#[inline]
pub(super) fn range_in(
    rule: &'static Rule,
    field: &'static str,
    buffer: &Resource,
    offset: u64,
    size: u64,
) -> Result<ByteRange, Box<Violation>> {
    match ByteRange::at(offset, size) {
        Some(range) if range.end <= buffer.inner.desc.width => Ok(range),
        _ => Err(out_of_range(rule, field, buffer, offset, size)),
    }
}

#[cold]
fn out_of_range(
    rule: &'static Rule,
    field: &'static str,
    buffer: &Resource,
    offset: u64,
    size: u64,
) -> Box<Violation> {
    let width = buffer.inner.desc.width;
    rule.violated(
        field,
        format_args!("{size} bytes at {offset}"),
        format_args!("within the buffer's {width} bytes"),
    )
}

#[cold]
fn overlap(to: ByteRange, from: ByteRange) -> Box<Violation> {
    rules::BUFFER_OVERLAP.violated(
        "DstOffset, SrcOffset, NumBytes",
        format_args!("bytes {from} to bytes {to} of the same buffer"),
        "ranges that do not overlap",
    )
}

/// Of the resource's heap; `None` where it is reserved.
#[inline]
pub(super) fn heap_type(resource: &Resource) -> Option<HeapType> {
    match &resource.inner.place {
        Place::Placed { heap, .. } => Some(heap.inner.core.resolved.heap_type),
        Place::Committed { core, .. } => Some(core.resolved.heap_type),
        Place::Reserved { .. } => None,
    }
}

/// That the GPU may write what lies there.
#[inline]
pub(super) fn check_destination_heap(field: &'static str, resource: &Resource) -> Result<(), Box<Violation>> {
    if heap_type(resource) == Some(HeapType::Upload) {
        return Err(refused_heap(&rules::DESTINATION_HEAP, field, "a resource on an UPLOAD heap"));
    }
    Ok(())
}

/// That the GPU may read what lies there.
#[inline]
pub(super) fn check_source_heap(field: &'static str, resource: &Resource) -> Result<(), Box<Violation>> {
    if heap_type(resource) == Some(HeapType::Readback) {
        return Err(refused_heap(&rules::SOURCE_HEAP, field, "a resource on a READBACK heap"));
    }
    Ok(())
}

#[cold]
fn refused_heap(rule: &'static Rule, field: &'static str, given: &'static str) -> Box<Violation> {
    rule.violated(field, given, "a resource on a heap of another type")
}
