//! What a device answers about descriptions: sizes, footprints, tilings, heap properties.

use core::ffi::c_void;
use core::ptr;

use heapstone::{
    Error, FootprintOutputs, Format, HeapType, PlacedFootprint, ResourceAllocationInfo,
    ResourceAllocationInfo1, ResourceDesc, SubresourceTiling,
};

use super::Device;
use crate::com::{Object, from_client};
use crate::convert::{self, AnyResourceDesc, size};
use crate::failure::{Failure, Unknown};
use crate::resource::Resource;
use crate::types::{
    D3D12_HEAP_PROPERTIES, D3D12_PACKED_MIP_INFO, D3D12_PLACED_SUBRESOURCE_FOOTPRINT,
    D3D12_RESOURCE_ALLOCATION_INFO, D3D12_RESOURCE_ALLOCATION_INFO1, D3D12_RESOURCE_DESC1,
    D3D12_SUBRESOURCE_TILING, D3D12_TILE_SHAPE, DXGI_FORMAT,
};

/// What GetResourceAllocationInfo answers for what is not legal.
const INVALID: D3D12_RESOURCE_ALLOCATION_INFO = D3D12_RESOURCE_ALLOCATION_INFO {
    SizeInBytes: ResourceAllocationInfo::INVALID.size,
    Alignment: ResourceAllocationInfo::INVALID.alignment,
};

#[inline]
pub(super) unsafe fn allocation_info<D: AnyResourceDesc>(
    this: &Object<Device>,
    visible_mask: u32,
    count: u32,
    descs: *const D,
    infos: *mut D3D12_RESOURCE_ALLOCATION_INFO1,
) -> D3D12_RESOURCE_ALLOCATION_INFO {
    let query = || -> Result<ResourceAllocationInfo, Failure> {
        // SAFETY: the pointer is the client's.
        let descs = unsafe { convert::slice(descs, count, "pResourceDescs is NULL") }?;
        if let ([desc], true) = (descs, infos.is_null()) {
            return Ok(this.runtime.try_resource_allocation_info(visible_mask, &[desc.convert()?], None)?);
        }
        let descs = convert_descs(descs)?;
        let ask = |places: Option<&mut [_]>| {
            this.runtime.try_resource_allocation_info(visible_mask, &descs, places)
        };
        // SAFETY: the client gives as many places as descriptions.
        unsafe { with_places(descs.len(), infos, ask) }
    };
    answer(this, query())
}

/// GetResourceAllocationInfo3, whose descriptions castable formats go with.
pub(super) unsafe fn allocation_info_cast(
    this: &Object<Device>,
    visible_mask: u32,
    count: u32,
    descs: *const D3D12_RESOURCE_DESC1,
    castable: (*const u32, *const *const DXGI_FORMAT),
    infos: *mut D3D12_RESOURCE_ALLOCATION_INFO1,
) -> D3D12_RESOURCE_ALLOCATION_INFO {
    let query = || -> Result<ResourceAllocationInfo, Failure> {
        // SAFETY: the pointers are the client's.
        let descs = unsafe { convert::slice(descs, count, "pResourceDescs is NULL") }?;
        let descs = convert_descs(descs)?;
        // SAFETY: as above.
        let lists = unsafe { castable_formats(count, castable.0, castable.1) }?;
        let lists: Vec<&[Format]> = lists.iter().map(Vec::as_slice).collect();
        let ask = |places: Option<&mut [_]>| {
            this.runtime.try_resource_allocation_info_cast(visible_mask, &descs, &lists, places)
        };
        // SAFETY: the client gives as many places as descriptions.
        unsafe { with_places(descs.len(), infos, ask) }
    };
    answer(this, query())
}

fn convert_descs<D: AnyResourceDesc>(descs: &[D]) -> Result<Vec<ResourceDesc>, Unknown> {
    descs.iter().map(AnyResourceDesc::convert).collect()
}

/// Asks with places for `count` descriptions where the client wants them, and writes them to `infos`.
unsafe fn with_places(
    count: usize,
    infos: *mut D3D12_RESOURCE_ALLOCATION_INFO1,
    ask: impl FnOnce(Option<&mut [ResourceAllocationInfo1]>) -> Result<ResourceAllocationInfo, Error>,
) -> Result<ResourceAllocationInfo, Failure> {
    if infos.is_null() {
        return Ok(ask(None)?);
    }
    let mut places = vec![ResourceAllocationInfo1 { offset: 0, alignment: 0, size: 0 }; count];
    let info = ask(Some(&mut places))?;
    for (index, place) in places.iter().enumerate() {
        let place = D3D12_RESOURCE_ALLOCATION_INFO1 {
            Offset: place.offset,
            Alignment: place.alignment,
            SizeInBytes: place.size,
        };
        // SAFETY: the client gives as many places as descriptions.
        unsafe { infos.add(index).write(place) };
    }
    Ok(info)
}

fn answer(
    this: &Object<Device>,
    result: Result<ResourceAllocationInfo, Failure>,
) -> D3D12_RESOURCE_ALLOCATION_INFO {
    match result {
        Ok(info) => convert::to_allocation_info(info),
        Err(failure) => {
            let _ = this.fail(&failure);
            INVALID
        }
    }
}

/// GetResourceAllocationInfo3's lists of castable formats, one for each of `count` descriptions; none where
/// there are no counts.
unsafe fn castable_formats(
    count: u32,
    counts: *const u32,
    formats: *const *const DXGI_FORMAT,
) -> Result<Vec<Vec<Format>>, Failure> {
    if counts.is_null() {
        return Ok(Vec::new());
    }
    let mut lists = Vec::new();
    for index in 0..size(count) {
        // SAFETY: the client gives a count for each description.
        let given = unsafe { counts.add(index).read() };
        let mut list = Vec::new();
        if given != 0 {
            if formats.is_null() {
                return Err(Failure::Argument("ppCastableFormats is NULL"));
            }
            // SAFETY: the client gives an array for each count.
            let array = unsafe { formats.add(index).read() };
            // SAFETY: as above.
            for format in unsafe { convert::slice(array, given, "ppCastableFormats holds NULL") }? {
                list.push(convert::format(*format)?);
            }
        }
        lists.push(list);
    }
    Ok(lists)
}

pub(super) fn custom_heap_properties(
    this: &Object<Device>,
    node_mask: u32,
    heap_type: u32,
) -> D3D12_HEAP_PROPERTIES {
    let query = || {
        let heap_type = convert::known(HeapType::from_d3d12(heap_type), "heapType", heap_type)?;
        Ok(this.runtime.get_custom_heap_properties(node_mask, heap_type)?)
    };
    this.attempt(query)
        .map_or(D3D12_HEAP_PROPERTIES::zeroed(), |properties| convert::to_heap_properties(&properties))
}

/// Where GetCopyableFootprints writes; each is optional.
pub(super) struct FootprintPointers {
    pub(super) layouts: *mut D3D12_PLACED_SUBRESOURCE_FOOTPRINT,
    pub(super) row_counts: *mut u32,
    pub(super) row_sizes: *mut u64,
    pub(super) total: *mut u64,
}

pub(super) unsafe fn copyable_footprints<D: AnyResourceDesc>(
    this: &Object<Device>,
    desc: *const D,
    first: u32,
    count: u32,
    base_offset: u64,
    outputs: &FootprintPointers,
) {
    let query = || -> Result<(), Failure> {
        // SAFETY: the pointer is the client's.
        let desc = unsafe { desc.as_ref() }.ok_or(Failure::Argument("pResourceDesc is NULL"))?.convert()?;
        // More subresources than any resource has are refused before memory is taken for them.
        let length = if count > SUBRESOURCES_MAX { 0 } else { size(count) };
        let mut layouts = vec![PlacedFootprint::EMPTY; length];
        let mut row_counts = vec![0; length];
        let mut row_sizes = vec![0; length];
        let places = FootprintOutputs {
            layouts: Some(&mut layouts),
            row_counts: Some(&mut row_counts),
            row_sizes: Some(&mut row_sizes),
        };
        let total = this.runtime.get_copyable_footprints(&desc, first, count, base_offset, places)?;
        for index in 0..length {
            // SAFETY: the client gives as many places as subresources, or none.
            unsafe {
                write_at(outputs.layouts, index, convert::to_placed_footprint(&layouts[index]));
                write_at(outputs.row_counts, index, row_counts[index]);
                write_at(outputs.row_sizes, index, row_sizes[index]);
            }
        }
        // SAFETY: the client's place, or none.
        unsafe { write_at(outputs.total, 0, total) };
        Ok(())
    };
    if this.attempt(query).is_err() {
        // All ones, as D3D12 answers (facts/layout.md, GetCopyableFootprints).
        let length = if count > SUBRESOURCES_MAX { 0 } else { size(count) };
        // SAFETY: the client gives as many places as subresources, or none; any bytes are a footprint.
        unsafe {
            fill_with_ones(outputs.layouts, length);
            fill_with_ones(outputs.row_counts, length);
            fill_with_ones(outputs.row_sizes, length);
            fill_with_ones(outputs.total, 1);
        }
    }
}

/// Mips times array slices times planes at most: 15 x 2048 x 3, generously.
const SUBRESOURCES_MAX: u32 = 1 << 17;

unsafe fn write_at<T>(place: *mut T, index: usize, value: T) {
    if !place.is_null() {
        // SAFETY: the caller's promise.
        unsafe { place.add(index).write(value) };
    }
}

unsafe fn fill_with_ones<T>(place: *mut T, count: usize) {
    if !place.is_null() {
        // SAFETY: the caller's promise.
        unsafe { ptr::write_bytes(place, 0xff, count) };
    }
}

/// Where GetResourceTiling writes; each is optional.
pub(super) struct TilingPointers {
    pub(super) total_tiles: *mut u32,
    pub(super) packed_mip: *mut D3D12_PACKED_MIP_INFO,
    pub(super) tile_shape: *mut D3D12_TILE_SHAPE,
    /// How many the client wants, then how many it gets.
    pub(super) subresource_count: *mut u32,
    pub(super) subresources: *mut D3D12_SUBRESOURCE_TILING,
}

pub(super) unsafe fn resource_tiling(
    this: &Object<Device>,
    resource: *mut c_void,
    first: u32,
    outputs: &TilingPointers,
) {
    let query = || -> Result<(), Failure> {
        // SAFETY: the pointer is the client's.
        let resource = unsafe { from_client::<Resource>(resource) };
        let resource = resource.ok_or(Failure::Argument("pTiledResource is no resource"))?;
        // SAFETY: the client's place, or none.
        let wanted = unsafe { outputs.subresource_count.as_ref() }.copied().unwrap_or(0);
        let count =
            u32::try_from(heapstone_layout::subresource_count(resource.runtime.desc())).unwrap_or(u32::MAX);
        let wanted = wanted.min(count.saturating_sub(first));
        let mut tilings = vec![SubresourceTiling::PACKED; size(wanted)];
        let tiling = this.runtime.get_resource_tiling(&resource.runtime, first, &mut tilings)?;
        let packed = tiling.packed;
        let shape = tiling.tile_shape;
        // SAFETY: the client's places, or none; as many subresources as it wants.
        unsafe {
            write_at(outputs.total_tiles, 0, tiling.total_tiles);
            write_at(
                outputs.packed_mip,
                0,
                D3D12_PACKED_MIP_INFO {
                    NumStandardMips: packed.standard_mips,
                    NumPackedMips: packed.packed_mips,
                    NumTilesForPackedMips: packed.tiles_for_packed_mips,
                    StartTileIndexInOverallResource: packed.start_tile_index,
                },
            );
            write_at(
                outputs.tile_shape,
                0,
                D3D12_TILE_SHAPE {
                    WidthInTexels: shape.width_in_texels,
                    HeightInTexels: shape.height_in_texels,
                    DepthInTexels: shape.depth_in_texels,
                },
            );
            write_at(outputs.subresource_count, 0, wanted);
        }
        for (index, tiling) in tilings.iter().enumerate() {
            let tiling = D3D12_SUBRESOURCE_TILING {
                WidthInTiles: tiling.width_in_tiles,
                HeightInTiles: tiling.height_in_tiles,
                DepthInTiles: tiling.depth_in_tiles,
                StartTileIndexInOverallResource: tiling.start_tile_index,
            };
            // SAFETY: the client gives as many places as it wants subresources, or none.
            unsafe { write_at(outputs.subresources, index, tiling) };
        }
        Ok(())
    };
    let _ = this.attempt(query);
}

/// A node mask of a list: 0, or one node that there is.
pub(crate) fn check_node(this: &Object<Device>, node_mask: u32) -> Result<(), Failure> {
    let all = this.runtime.profile().memory.node_mask();
    if node_mask & !all == 0 && node_mask.count_ones() <= 1 {
        return Ok(());
    }
    Err(Failure::Argument("nodeMask names no node, or several"))
}
