//! Rules of Map, Unmap, and of the queries on devices and resources.

use crate::message;

rules! {
    MAP_RESERVED = "map.reserved" {
        statement: "A reserved resource has no heap to map.",
        remedy: "Map a buffer placed in the heap.",
        message: Some(message::MAP_INVALIDRESOURCE),
        source: "facts/behaviour.md, Creation",
    }
    MAP_HEAP = "map.heap" {
        statement: "The CPU maps only heaps that it can access.",
        remedy: "Use an UPLOAD, READBACK or GPU_UPLOAD heap, or a CUSTOM one with WRITE_COMBINE or WRITE_BACK.",
        message: Some(message::MAP_INVALIDHEAP),
        source: "facts/behaviour.md, Map, Write, Read; spec/2-resource-heaps.txt 21-27",
    }
    MAP_SUBRESOURCE = "map.subresource" {
        statement: "A subresource is one that the resource has; a buffer has number 0 only.",
        remedy: "Give an index below mips x slices x planes.",
        message: Some(message::MAP_INVALIDSUBRESOURCE),
        source: "facts/behaviour.md, Map, Write, Read",
    }
    MAP_OPAQUE_POINTER = "map.opaque.pointer" {
        statement: "An opaque layout is mapped with a NULL data pointer.",
        remedy: "Map with NULL and use WriteToSubresource and ReadFromSubresource.",
        message: Some(message::MAP_INVALIDDATAPOINTER),
        source: "spec/2-resource-heaps.txt 246",
    }
    MAP_OPAQUE_RANGE = "map.opaque.range" {
        statement: "Ranges of an opaque layout are NULL or empty.",
        remedy: "Pass no range.",
        message: Some(message::MAP_INVALIDRANGE),
        source: "spec/2-resource-heaps.txt 247",
    }
    MAP_OPAQUE_3D = "map.opaque.texture3d" {
        statement: "A 3D texture of opaque layout is mapped only when it has one mip.",
        remedy: "Create it with one mip, or copy through a buffer.",
        message: Some(message::MAP_INVALIDRESOURCE),
        source: "facts/behaviour.md, Map, Write, Read",
    }
    MAP_OPAQUE_KIND = "map.opaque.kind" {
        statement: "Multisampled and depth-stencil textures of opaque layout have no CPU copies.",
        remedy: "Copy through a buffer.",
        message: Some(message::MAP_INVALIDRESOURCE),
        source: "spec/2-resource-heaps.txt 318",
    }
    MAP_OPAQUE_FORMAT = "map.opaque.format" {
        statement: "Textures of opaque layout whose element size is no power of two have no CPU copies.",
        remedy: "Copy through a buffer, or use a format of 32, 64 or 128 bits.",
        message: Some(message::MAP_INVALIDRESOURCE),
        source: "spec/2-resource-heaps.txt 318",
    }
    MAP_ROW_MAJOR = "map.row_major" {
        statement: "A ROW_MAJOR texture cannot be mapped.",
        remedy: "Map a buffer placed at the same offset of the heap.",
        message: Some(message::MAP_INVALIDRESOURCE),
        source: "facts/behaviour.md, Creation",
    }
    MAP_RANGE = "map.range" {
        statement: "A range ends within the subresource.",
        remedy: "Clamp its end to the buffer's width.",
        message: Some(message::MAP_INVALIDRANGE),
        source: "spec/2-resource-heaps.txt 231-244",
    }
    UNMAP_NOT_MAPPED = "unmap.not_mapped" {
        statement: "Unmap undoes a Map.",
        remedy: "Call Unmap once for each Map that succeeded.",
        message: Some(message::RESOURCE_UNMAP_NOTMAPPED),
        source: "spec/2-resource-heaps.txt 241-249",
    }
    UNMAP_RANGE = "unmap.range" {
        statement: "A written range ends within the subresource; of an opaque layout it is NULL or empty.",
        remedy: "Clamp its end to the buffer's width.",
        message: Some(message::UNMAP_INVALIDRANGE),
        source: "spec/2-resource-heaps.txt 241-247",
    }
    HEAP_PROPERTIES_RESERVED = "query.heap_properties.reserved" {
        statement: "A reserved resource has no heap to tell the properties of.",
        remedy: "Ask the heaps that its tiles are mapped to.",
        message: Some(message::GETHEAPPROPERTIES_INVALIDRESOURCE),
        source: "facts/behaviour.md, Creation",
    }
    QUERY_NODE = "query.node" {
        statement: "A node is one that the adapter has.",
        remedy: "Give a node index below the node count, or a mask of one such node.",
        message: Some(message::NODE_MASK_MISMATCH),
        source: "Microsoft's documentation of multi-adapter nodes",
    }
    TILING_RESERVED = "tiling.reserved" {
        statement: "GetResourceTiling is asked of a reserved resource: no other is mapped by tiles.",
        remedy: "Create it with CreateReservedResource, or do not ask for its tiles.",
        message: Some(message::GETRESOURCETILING_NONTILED_RESOURCE),
        source: "public: D3D12_MESSAGE_ID 504",
    }
    QUERY_RESOURCE_DEVICE = "query.resource.device" {
        statement: "A device is asked about resources of its own.",
        remedy: "Ask the device that created the resource.",
        message: None,
        source: "Microsoft's documentation of ID3D12Device: interfaces of one device do not go with another",
    }
    QUERY_FEATURE = "query.feature" {
        statement: "A feature is one that the SDK version knows.",
        remedy: "Ask under a newer SDK, or treat it as not supported.",
        message: None,
        source: "Microsoft's documentation of CheckFeatureSupport",
    }
    ACCESS_RANGE = "access.range" {
        statement: "Bytes read or written by the CPU lie within the buffer.",
        remedy: "Keep offset + length within the buffer's width.",
        message: Some(message::MAP_INVALIDRANGE),
        source: "chosen, because the pointer of Map has the same bounds",
    }
    ACCESS_OPAQUE = "access.opaque" {
        statement: "Bytes of a texture of opaque layout have no offsets.",
        remedy: "Copy through a buffer.",
        message: Some(message::MAP_INVALIDDATAPOINTER),
        source: "spec/2-resource-heaps.txt 246-247",
    }
    RESERVATION = "query.reservation" {
        statement: "A process reserves no more than is available for reservation.",
        remedy: "Reserve at most AvailableForReservation.",
        message: None,
        source: "spec/2-resource-heaps.txt 1559-1565",
    }
}
