//! What is recorded and submitted.

use heapstone::spec::commands::{
    BarrierAccess, BarrierSubresourceRange, BarrierSync, ClearFlags, CommandListType, CommandQueuePriority,
    Rect, ResourceBarrierFlags, TextureBarrierFlags,
};
use heapstone::spec::tiles::{TileBox, TileRegionSize, TiledResourceCoordinate};
use heapstone::{
    BufferBarrier, CommandQueueDesc, GlobalBarrier, ResourceBarrier, ResourceStates, TextureBarrier,
};
use heapstone::{TextureCopyLocation, TextureCopyType};

use super::{barrier_layout, known, placed_footprint};
use crate::com::from_client;
use crate::failure::{Failure, Unknown};
use crate::resource::Resource;
use crate::types::{
    D3D12_BARRIER_SUBRESOURCE_RANGE, D3D12_BUFFER_BARRIER, D3D12_COMMAND_QUEUE_DESC, D3D12_GLOBAL_BARRIER,
    D3D12_RECT, D3D12_RESOURCE_BARRIER, D3D12_TEXTURE_BARRIER, D3D12_TEXTURE_COPY_LOCATION,
    D3D12_TILE_REGION_SIZE, D3D12_TILED_RESOURCE_COORDINATE,
};

/// The library's resource behind a client's pointer.
///
/// # Safety
/// `resource` is NULL or points to a live COM object.
///
/// # Errors
/// NULL, or no resource; `field` says where.
#[inline]
pub unsafe fn resource<'a>(
    resource: *mut core::ffi::c_void,
    field: &'static str,
) -> Result<&'a heapstone::Resource, Failure> {
    // SAFETY: the caller's promise.
    let resource = unsafe { from_client::<Resource>(resource) };
    Ok(&resource.ok_or(Failure::Argument(field))?.body().runtime)
}

/// As [`resource`], where NULL means none.
///
/// # Safety
/// As of [`resource`].
///
/// # Errors
/// Another object than a resource.
pub unsafe fn optional_resource<'a>(
    pointer: *mut core::ffi::c_void,
    field: &'static str,
) -> Result<Option<&'a heapstone::Resource>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    unsafe { resource(pointer, field) }.map(Some)
}

/// # Errors
/// A number that is no type of list: bundles and video lists have no queue here.
pub fn list_type(given: u32) -> Result<CommandListType, Unknown> {
    known(CommandListType::from_d3d12(given), "D3D12_COMMAND_LIST_TYPE", given)
}

/// # Errors
/// A number that is no type or priority.
pub fn queue_desc(given: &D3D12_COMMAND_QUEUE_DESC) -> Result<CommandQueueDesc, Unknown> {
    let priority = u32::try_from(given.Priority).ok().and_then(CommandQueuePriority::from_d3d12);
    let unknown = Unknown {
        field: "D3D12_COMMAND_QUEUE_DESC.Priority",
        given: u64::from(given.Priority.cast_unsigned()),
    };
    // DISABLE_GPU_TIMEOUT is the one flag that changes nothing here; ALLOW_DYNAMIC_PRIORITY the other.
    if given.Flags & !0x5 != 0 {
        return Err(Unknown { field: "D3D12_COMMAND_QUEUE_DESC.Flags", given: u64::from(given.Flags) });
    }
    Ok(CommandQueueDesc {
        list_type: list_type(given.Type)?,
        priority: priority.ok_or(unknown)?,
        node_mask: given.NodeMask,
    })
}

/// D3D12_RECT.
#[must_use]
pub fn rect(given: &D3D12_RECT) -> Rect {
    let D3D12_RECT { left, top, right, bottom } = *given;
    Rect { left, top, right, bottom }
}

/// `count` rectangles; none of 0.
///
/// # Safety
/// As of [`super::slice`].
///
/// # Errors
/// NULL for some.
pub unsafe fn rects(given: *const D3D12_RECT, count: u32) -> Result<Vec<Rect>, Failure> {
    // SAFETY: the caller's promise.
    Ok(unsafe { super::slice(given, count, "pRects is NULL") }?.iter().map(rect).collect())
}

/// D3D12_TILED_RESOURCE_COORDINATE.
#[must_use]
pub fn tile_coordinate(given: &D3D12_TILED_RESOURCE_COORDINATE) -> TiledResourceCoordinate {
    TiledResourceCoordinate::new(given.X, given.Y, given.Z, given.Subresource)
}

/// D3D12_TILE_REGION_SIZE.
#[must_use]
pub fn tile_region_size(given: &D3D12_TILE_REGION_SIZE) -> TileRegionSize {
    let tile_box = TileBox { width: given.Width, height: given.Height, depth: given.Depth };
    TileRegionSize { num_tiles: given.NumTiles, tile_box: (given.UseBox != 0).then_some(tile_box) }
}

/// # Safety
/// The location holds a live resource, or NULL.
///
/// # Errors
/// No resource; a number that is no type or format.
pub unsafe fn copy_location<'a>(
    given: *const D3D12_TEXTURE_COPY_LOCATION,
    field: &'static str,
) -> Result<TextureCopyLocation<'a>, Failure> {
    // SAFETY: the caller's promise.
    let given = unsafe { given.as_ref() }.ok_or(Failure::Argument(field))?;
    // SAFETY: as above.
    let resource = unsafe { resource(given.pResource, field) }?;
    let copy_type = match given.Type {
        // SAFETY: the type says which half is there.
        0 => TextureCopyType::SubresourceIndex(unsafe { given.u.SubresourceIndex }),
        // SAFETY: as above.
        1 => TextureCopyType::PlacedFootprint(placed_footprint(unsafe { &given.u.PlacedFootprint })?),
        other => {
            return Err(Unknown { field: "D3D12_TEXTURE_COPY_LOCATION.Type", given: u64::from(other) }.into());
        }
    };
    Ok(TextureCopyLocation { resource, copy_type })
}

/// # Safety
/// The barrier holds live resources, or NULL.
///
/// # Errors
/// No resource where one is needed; a number that is no type.
pub unsafe fn resource_barrier<'a>(given: &D3D12_RESOURCE_BARRIER) -> Result<ResourceBarrier<'a>, Failure> {
    let flags = ResourceBarrierFlags::from_bits_retain(given.Flags);
    match given.Type {
        0 => {
            // SAFETY: the type says which part is there.
            let transition = unsafe { given.u.Transition };
            Ok(ResourceBarrier::Transition {
                // SAFETY: the caller's promise.
                resource: unsafe {
                    resource(transition.pResource, "D3D12_RESOURCE_TRANSITION_BARRIER.pResource")
                }?,
                subresource: transition.Subresource,
                before: ResourceStates::from_bits_retain(transition.StateBefore),
                after: ResourceStates::from_bits_retain(transition.StateAfter),
                flags,
            })
        }
        1 => {
            // SAFETY: the type says which part is there.
            let aliasing = unsafe { given.u.Aliasing };
            // SAFETY: the caller's promise.
            let (before, after) = unsafe {
                (
                    optional_resource(aliasing.pResourceBefore, "pResourceBefore")?,
                    optional_resource(aliasing.pResourceAfter, "pResourceAfter")?,
                )
            };
            Ok(ResourceBarrier::Aliasing { before, after, flags })
        }
        2 => {
            // SAFETY: the type says which part is there.
            let uav = unsafe { given.u.UAV };
            // SAFETY: the caller's promise.
            let resource =
                unsafe { optional_resource(uav.pResource, "D3D12_RESOURCE_UAV_BARRIER.pResource") }?;
            Ok(ResourceBarrier::Uav { resource, flags })
        }
        other => Err(Unknown { field: "D3D12_RESOURCE_BARRIER.Type", given: u64::from(other) }.into()),
    }
}

/// D3D12_GLOBAL_BARRIER.
#[must_use]
pub fn global_barrier(given: &D3D12_GLOBAL_BARRIER) -> GlobalBarrier {
    GlobalBarrier {
        sync_before: BarrierSync::from_bits_retain(given.SyncBefore),
        sync_after: BarrierSync::from_bits_retain(given.SyncAfter),
        access_before: BarrierAccess::from_bits_retain(given.AccessBefore),
        access_after: BarrierAccess::from_bits_retain(given.AccessAfter),
    }
}

/// # Safety
/// The barrier holds a live resource, or NULL.
///
/// # Errors
/// No resource; a number that is no layout.
pub unsafe fn texture_barrier<'a>(given: &D3D12_TEXTURE_BARRIER) -> Result<TextureBarrier<'a>, Failure> {
    let D3D12_BARRIER_SUBRESOURCE_RANGE {
        IndexOrFirstMipLevel,
        NumMipLevels,
        FirstArraySlice,
        NumArraySlices,
        FirstPlane,
        NumPlanes,
    } = given.Subresources;
    Ok(TextureBarrier {
        sync_before: BarrierSync::from_bits_retain(given.SyncBefore),
        sync_after: BarrierSync::from_bits_retain(given.SyncAfter),
        access_before: BarrierAccess::from_bits_retain(given.AccessBefore),
        access_after: BarrierAccess::from_bits_retain(given.AccessAfter),
        layout_before: barrier_layout(given.LayoutBefore, "D3D12_TEXTURE_BARRIER.LayoutBefore")?,
        layout_after: barrier_layout(given.LayoutAfter, "D3D12_TEXTURE_BARRIER.LayoutAfter")?,
        // SAFETY: the caller's promise.
        resource: unsafe { resource(given.pResource, "D3D12_TEXTURE_BARRIER.pResource") }?,
        subresources: BarrierSubresourceRange {
            index_or_first_mip_level: IndexOrFirstMipLevel,
            num_mip_levels: NumMipLevels,
            first_array_slice: FirstArraySlice,
            num_array_slices: NumArraySlices,
            first_plane: FirstPlane,
            num_planes: NumPlanes,
        },
        flags: TextureBarrierFlags::from_bits_retain(given.Flags),
    })
}

/// # Safety
/// The barrier holds a live resource, or NULL.
///
/// # Errors
/// No resource.
pub unsafe fn buffer_barrier<'a>(given: &D3D12_BUFFER_BARRIER) -> Result<BufferBarrier<'a>, Failure> {
    Ok(BufferBarrier {
        sync_before: BarrierSync::from_bits_retain(given.SyncBefore),
        sync_after: BarrierSync::from_bits_retain(given.SyncAfter),
        access_before: BarrierAccess::from_bits_retain(given.AccessBefore),
        access_after: BarrierAccess::from_bits_retain(given.AccessAfter),
        // SAFETY: the caller's promise.
        resource: unsafe { resource(given.pResource, "D3D12_BUFFER_BARRIER.pResource") }?,
        offset: given.Offset,
        size: given.Size,
    })
}

/// D3D12_CLEAR_FLAGS.
#[must_use]
pub fn clear_flags(given: u32) -> ClearFlags {
    ClearFlags::from_bits_retain(given)
}
