//! Commands with arguments of several parts: copies, clears, barriers.

use core::ffi::c_void;

use heapstone::spec::commands::{QueryType, ResolveMode, TileCopyFlags, WriteBufferImmediateMode};
use heapstone::{
    BarrierGroup, BufferBarrier, CommandList, DiscardRegion, GpuVirtualAddress, ResolveRegion,
    ResourceBarrier, TextureBarrier,
};

use crate::com::from_client;
use crate::convert::{self, known};
use crate::failure::{Failure, Unknown};
use crate::query_heap::QueryHeap;
use crate::types::*;

type Done = Result<(), Failure>;

pub(super) unsafe fn copy_texture_region(
    list: &mut CommandList,
    destination: *const D3D12_TEXTURE_COPY_LOCATION,
    [x, y, z]: [u32; 3],
    source: *const D3D12_TEXTURE_COPY_LOCATION,
    source_box: *const D3D12_BOX,
) -> Done {
    // SAFETY: the arguments are the client's.
    unsafe {
        let destination = convert::copy_location(destination, "pDst is no place of a copy")?;
        let source = convert::copy_location(source, "pSrc is no place of a copy")?;
        let source_box = source_box.as_ref().map(convert::box3d);
        Ok(list.copy_texture_region(&destination, x, y, z, &source, source_box.as_ref())?)
    }
}

pub(super) unsafe fn copy_tiles(
    list: &mut CommandList,
    resource: *mut c_void,
    start: *const D3D12_TILED_RESOURCE_COORDINATE,
    region: *const D3D12_TILE_REGION_SIZE,
    buffer: *mut c_void,
    offset: u64,
    flags: u32,
) -> Done {
    // SAFETY: the arguments are the client's.
    unsafe {
        let resource = convert::resource(resource, "pTiledResource is no resource")?;
        let buffer = convert::resource(buffer, "pBuffer is no resource")?;
        let (Some(start), Some(region)) = (start.as_ref(), region.as_ref()) else {
            return Err(Failure::Argument("a coordinate or the region size is NULL"));
        };
        Ok(list.copy_tiles(
            resource,
            &convert::tile_coordinate(start),
            &convert::tile_region_size(region),
            buffer,
            offset,
            TileCopyFlags::from_bits_retain(flags),
        )?)
    }
}

pub(super) unsafe fn resource_barriers(
    list: &mut CommandList,
    count: u32,
    barriers: *const D3D12_RESOURCE_BARRIER,
) -> Done {
    // SAFETY: the arguments are the client's.
    unsafe {
        let given = convert::slice(barriers, count, "pBarriers is NULL")?;
        if let [barrier] = given {
            return Ok(list.resource_barrier(&[convert::resource_barrier(barrier)?])?);
        }
        let barriers: Vec<ResourceBarrier<'_>> =
            given.iter().map(|barrier| convert::resource_barrier(barrier)).collect::<Result<_, _>>()?;
        Ok(list.resource_barrier(&barriers)?)
    }
}

pub(super) unsafe fn barriers(
    list: &mut CommandList,
    count: u32,
    groups: *const D3D12_BARRIER_GROUP,
) -> Done {
    enum Group<'a> {
        Global(Vec<heapstone::GlobalBarrier>),
        Texture(Vec<TextureBarrier<'a>>),
        Buffer(Vec<BufferBarrier<'a>>),
    }
    // SAFETY: the arguments are the client's; a group's type says what its pointer points to.
    unsafe {
        let field = "pBarriers is NULL";
        let mut owned = Vec::new();
        for group in convert::slice(groups, count, "pBarrierGroups is NULL")? {
            owned.push(match group.Type {
                0 => {
                    let given = convert::slice(group.pBarriers.cast(), group.NumBarriers, field)?;
                    Group::Global(given.iter().map(convert::global_barrier).collect())
                }
                1 => {
                    let given = convert::slice(group.pBarriers.cast(), group.NumBarriers, field)?;
                    let all = given.iter().map(|barrier| convert::texture_barrier(barrier));
                    Group::Texture(all.collect::<Result<_, _>>()?)
                }
                2 => {
                    let given = convert::slice(group.pBarriers.cast(), group.NumBarriers, field)?;
                    let all = given.iter().map(|barrier| convert::buffer_barrier(barrier));
                    Group::Buffer(all.collect::<Result<_, _>>()?)
                }
                other => {
                    return Err(Unknown { field: "D3D12_BARRIER_GROUP.Type", given: u64::from(other) }.into());
                }
            });
        }
        let groups: Vec<BarrierGroup<'_>> = owned
            .iter()
            .map(|group| match group {
                Group::Global(all) => BarrierGroup::Global(all),
                Group::Texture(all) => BarrierGroup::Texture(all),
                Group::Buffer(all) => BarrierGroup::Buffer(all),
            })
            .collect();
        Ok(list.barrier(&groups)?)
    }
}

/// Four numbers of a clear.
pub(super) unsafe fn four<T: Copy>(values: *const T) -> Result<[T; 4], Failure> {
    if values.is_null() {
        return Err(Failure::Argument("the values of a clear are NULL"));
    }
    // SAFETY: the client gives four.
    Ok(unsafe { values.cast::<[T; 4]>().read_unaligned() })
}

pub(super) unsafe fn discard(
    list: &mut CommandList,
    resource: *mut c_void,
    region: *const D3D12_DISCARD_REGION,
) -> Done {
    // SAFETY: the arguments are the client's.
    unsafe {
        let resource = convert::resource(resource, "pResource is no resource")?;
        let Some(region) = region.as_ref() else { return Ok(list.discard_resource(resource, None)?) };
        let rects = convert::rects(region.pRects, region.NumRects)?;
        let region = DiscardRegion {
            rects: &rects,
            first_subresource: region.FirstSubresource,
            num_subresources: region.NumSubresources,
        };
        Ok(list.discard_resource(resource, Some(&region))?)
    }
}

/// What ResolveSubresourceRegion takes of its source and destination.
pub(super) struct Resolve {
    pub(super) destination: *mut c_void,
    pub(super) destination_subresource: u32,
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) source: *mut c_void,
    pub(super) source_subresource: u32,
    pub(super) source_rect: *const D3D12_RECT,
    pub(super) format: u32,
    pub(super) mode: u32,
}

pub(super) unsafe fn resolve_region(list: &mut CommandList, given: &Resolve) -> Done {
    // SAFETY: the arguments are the client's.
    unsafe {
        Ok(list.resolve_subresource_region(&ResolveRegion {
            destination: convert::resource(given.destination, "pDstResource is no resource")?,
            destination_subresource: given.destination_subresource,
            x: given.x,
            y: given.y,
            source: convert::resource(given.source, "pSrcResource is no resource")?,
            source_subresource: given.source_subresource,
            source_rect: given.source_rect.as_ref().map(convert::rect),
            format: convert::format(given.format)?,
            mode: known(ResolveMode::from_d3d12(given.mode), "ResolveMode", given.mode)?,
        })?)
    }
}

pub(super) unsafe fn write_immediate(
    list: &mut CommandList,
    count: u32,
    parameters: *const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER,
    modes: *const D3D12_WRITEBUFFERIMMEDIATE_MODE,
) -> Done {
    // SAFETY: the arguments are the client's.
    unsafe {
        let parameters = convert::slice(parameters, count, "pParams is NULL")?;
        let writes: Vec<(GpuVirtualAddress, u32)> =
            parameters.iter().map(|write| (GpuVirtualAddress(write.Dest), write.Value)).collect();
        if modes.is_null() {
            return Ok(list.write_buffer_immediate(&writes, None)?);
        }
        let modes: Vec<WriteBufferImmediateMode> = convert::slice(modes, count, "pModes is NULL")?
            .iter()
            .map(|mode| known(WriteBufferImmediateMode::from_d3d12(*mode), "pModes", *mode))
            .collect::<Result<_, _>>()?;
        Ok(list.write_buffer_immediate(&writes, Some(&modes))?)
    }
}

/// The library's heap of timestamps; none of another kind, whose queries nothing here counts.
pub(super) unsafe fn query_heap<'a>(heap: *mut c_void) -> Result<&'a QueryHeap, Failure> {
    // SAFETY: the pointer is the client's.
    let heap = unsafe { from_client::<QueryHeap>(heap) };
    Ok(heap.ok_or(Failure::Argument("pQueryHeap is no query heap"))?.body())
}

pub(super) fn query_type(given: u32) -> Result<QueryType, Unknown> {
    known(QueryType::from_d3d12(given), "D3D12_QUERY_TYPE", given)
}
