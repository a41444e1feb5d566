//! Rules of tile mappings and of copies of tiles.

use crate::message;

rules! {
    RESOURCE = "tile.resource" {
        statement: "Tiles are mapped, and copied as tiles, of reserved resources only.",
        remedy: "Create the resource with CreateReservedResource.",
        message: Some(message::UPDATETILEMAPPINGS_INVALID_PARAMETER),
        source: "spec/2-resource-heaps.txt 795-810; Microsoft's documentation of UpdateTileMappings",
    }
    DEVICE = "tile.device" {
        statement: "Queue, resources and heap are of one device.",
        remedy: "Use objects of the queue's device.",
        message: Some(message::UPDATETILEMAPPINGS_INVALID_PARAMETER),
        source: "chosen, because addresses of one device mean nothing on another",
    }
    REGION_ARRAYS = "tile.region.arrays" {
        statement: "Region coordinates and sizes are as many as there are regions; coordinates are NULL for one region only.",
        remedy: "Pass arrays of the same length.",
        message: Some(message::UPDATETILEMAPPINGS_INVALID_PARAMETER),
        source: "Microsoft's documentation of UpdateTileMappings, NumResourceRegions",
    }
    REGION_SUBRESOURCE = "tile.region.subresource" {
        statement: "A region begins in a subresource that the resource has.",
        remedy: "Give an index below mips x slices.",
        message: Some(message::UPDATETILEMAPPINGS_INVALID_PARAMETER),
        source: "Microsoft's documentation of D3D12_TILED_RESOURCE_COORDINATE",
    }
    REGION_START = "tile.region.start" {
        statement: "A region begins at a tile of its subresource.",
        remedy: "Keep X, Y, Z within what GetResourceTiling tells of the subresource.",
        message: Some(message::UPDATETILEMAPPINGS_INVALID_PARAMETER),
        source: "facts/layout.md, Tiling; Microsoft's documentation of D3D12_TILED_RESOURCE_COORDINATE",
    }
    REGION_RANGE = "tile.region.range" {
        statement: "A region lies in the resource, a box in one mip of it.",
        remedy: "Keep the region within what GetResourceTiling tells.",
        message: Some(message::UPDATETILEMAPPINGS_INVALID_PARAMETER),
        source: "facts/layout.md, Tiling; Microsoft's documentation of D3D12_TILE_REGION_SIZE",
    }
    REGION_COUNT = "tile.region.num_tiles" {
        statement: "NumTiles of a box is Width x Height x Depth.",
        remedy: "Set NumTiles to the product.",
        message: Some(message::UPDATETILEMAPPINGS_INVALID_PARAMETER),
        source: "Microsoft's documentation of D3D12_TILE_REGION_SIZE, UseBox",
    }
    REGION_PACKED = "tile.region.packed" {
        statement: "Packed mips have no boxes: their tiles are counted along X.",
        remedy: "Set UseBox to FALSE, and Y and Z to 0.",
        message: Some(message::UPDATETILEMAPPINGS_INVALID_PARAMETER),
        source: "facts/layout.md, Tiling; Microsoft's documentation of D3D12_TILE_REGION_SIZE, UseBox",
    }
    RANGE_ARRAYS = "tile.range.arrays" {
        statement: "Range flags, offsets and tile counts are as many as there are ranges.",
        remedy: "Pass arrays of the same length, or NULL.",
        message: Some(message::UPDATETILEMAPPINGS_INVALID_PARAMETER),
        source: "Microsoft's documentation of UpdateTileMappings, NumRanges",
    }
    RANGE_FLAGS = "tile.range.flags" {
        statement: "A range has one of NONE, NULL, SKIP and REUSE_SINGLE_TILE.",
        remedy: "Cut the range in two.",
        message: Some(message::UPDATETILEMAPPINGS_INVALID_PARAMETER),
        source: "Microsoft's documentation of UpdateTileMappings, pRangeFlags",
    }
    RANGE_OFFSETS = "tile.range.offsets" {
        statement: "Ranges that show tiles of a heap have offsets in it.",
        remedy: "Pass pHeapRangeStartOffsets, or make every range NULL or SKIP.",
        message: Some(message::UPDATETILEMAPPINGS_INVALID_PARAMETER),
        source: "Microsoft's documentation of UpdateTileMappings, pHeapRangeStartOffsets",
    }
    RANGE_SUM = "tile.range.sum" {
        statement: "The ranges have as many tiles as the regions.",
        remedy: "Make the sums equal; skip the rest with a SKIP range.",
        message: Some(message::UPDATETILEMAPPINGS_INVALID_PARAMETER),
        source: "Microsoft's documentation of UpdateTileMappings, NumRanges",
    }
    HEAP_NULL = "tile.heap.null" {
        statement: "Ranges that show tiles of a heap need a heap.",
        remedy: "Pass the heap, or make every range NULL or SKIP.",
        message: Some(message::UPDATETILEMAPPINGS_INVALID_PARAMETER),
        source: "Microsoft's documentation of UpdateTileMappings, pHeap",
    }
    HEAP_RANGE = "tile.heap.range" {
        statement: "A range lies in the heap.",
        remedy: "Create the heap with 64 KiB for each tile; packed mips take NumTilesForPackedMips, not their texels.",
        message: Some(message::UPDATETILEMAPPINGS_INVALID_PARAMETER),
        source: "facts/layout.md, Tiling: a packed-mip heap is sized NumTiles * 65536, not by pixels",
    }
    FLAGS = "tile.flags" {
        statement: "Mapping flags are D3D12's.",
        remedy: "Pass NONE or NO_HAZARD.",
        message: Some(message::UPDATETILEMAPPINGS_INVALID_PARAMETER),
        source: "Microsoft's documentation of D3D12_TILE_MAPPING_FLAGS",
    }
    COPY_CATEGORY = "tile.copy_mappings.category" {
        statement: "On heap tier 1 mappings are copied between resources of one category: buffers, render-target and depth-stencil textures, other textures.",
        remedy: "Map the destination with UpdateTileMappings from a heap that takes it.",
        message: Some(message::COPYTILEMAPPINGS_INVALID_PARAMETER),
        source: "spec/2-resource-heaps.txt 370-372",
    }
    COPY_DIRECTION = "tile.copy.flags" {
        statement: "CopyTiles goes one way: from the buffer to the tiles, or from the tiles to the buffer.",
        remedy: "Set LINEAR_BUFFER_TO_SWIZZLED_TILED_RESOURCE or SWIZZLED_TILED_RESOURCE_TO_LINEAR_BUFFER.",
        message: None,
        source: "Microsoft's documentation of D3D12_TILE_COPY_FLAGS",
    }
    COPY_BUFFER = "tile.copy.buffer" {
        statement: "CopyTiles copies to or from a buffer.",
        remedy: "Pass a buffer.",
        message: None,
        source: "Microsoft's documentation of CopyTiles",
    }
    COPY_OFFSET = "tile.copy.offset" {
        statement: "The buffer offset of CopyTiles is a multiple of 32 bytes.",
        remedy: "Align BufferStartOffsetInBytes to 32.",
        message: None,
        source: "facts/behaviour.md, Copies and footprints",
    }
    COPY_RANGE = "tile.copy.range" {
        statement: "The tiles lie in the buffer, 64 KiB each.",
        remedy: "Make the buffer as large as the offset and 65536 bytes for each tile.",
        message: None,
        source: "Microsoft's documentation of CopyTiles",
    }
    COPY_OVERLAP = "tile.copy.overlap" {
        statement: "CopyTiles within one reserved buffer copies between tiles and bytes that do not overlap.",
        remedy: "Copy through another buffer.",
        message: None,
        source: "chosen, because CopyBufferRegion demands it of the same copy",
    }
}
