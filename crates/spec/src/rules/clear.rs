//! Rules of clears, discards, resolves, immediate writes, predication, queries and descriptor heaps of lists.

use crate::message;

rules! {
    NULL_VIEW = "clear.null_view" {
        statement: "A view that is cleared has a resource.",
        remedy: "Create the view of a resource.",
        message: None,
        source: "Microsoft's public D3D12 documentation, null descriptors: there is nothing to write to",
    }
    VIEW_FORMAT = "clear.format" {
        statement: "A view is cleared in a format that its clear can encode.",
        remedy: "Create the view in a format whose texels are colours.",
        message: None,
        source: "Microsoft's public D3D11.3 functional specification, 5.2.3",
    }
    DEPTH_FLAGS = "clear.depth.flags" {
        statement: "ClearDepthStencilView clears depth, stencil or both.",
        remedy: "Give D3D12_CLEAR_FLAG_DEPTH, D3D12_CLEAR_FLAG_STENCIL or both.",
        message: Some(message::CLEARDEPTHSTENCILVIEW_INVALID),
        source: "Microsoft's public D3D12 documentation, ClearDepthStencilView",
    }
    DEPTH_READ_ONLY = "clear.depth.read_only" {
        statement: "A plane that the view only reads is not cleared through it.",
        remedy: "Create the view without READ_ONLY_DEPTH or READ_ONLY_STENCIL.",
        message: Some(message::CLEARDEPTHSTENCILVIEW_INVALID),
        source: "Microsoft's public D3D12 documentation, D3D12_DSV_FLAGS",
    }
    UNORDERED_CPU_HEAP = "clear.unordered.cpu_handle" {
        statement: "The CPU handle is of a heap that shaders do not see.",
        remedy: "Create the view in a heap without SHADER_VISIBLE as well.",
        message: Some(message::CLEAR_UNORDERED_ACCESS_VIEW_INVALID_DESCRIPTOR_HANDLE),
        source: "Microsoft's public D3D12 documentation, ClearUnorderedAccessViewUint",
    }
    UNORDERED_GPU_HEAP = "clear.unordered.gpu_handle" {
        statement: "The GPU handle is of the heap that SetDescriptorHeaps set.",
        remedy: "Set the heap on the list before the clear.",
        message: Some(message::CLEAR_UNORDERED_ACCESS_VIEW_INVALID_DESCRIPTOR_HANDLE),
        source: "Microsoft's public D3D12 documentation, ClearUnorderedAccessViewUint",
    }
    UNORDERED_RESOURCE = "clear.unordered.resource" {
        statement: "The resource is the one that the view is of.",
        remedy: "Give the view's resource.",
        message: Some(message::CLEARUNORDEREDACCESSVIEW_INVALID_RESOURCE_PTR),
        source: "Microsoft's public D3D12 documentation, ClearUnorderedAccessViewUint",
    }
    UNORDERED_STRUCTURED = "clear.unordered.structured" {
        statement: "Views of structured buffers are not cleared.",
        remedy: "Clear through a raw or typed view of the same bytes.",
        message: Some(message::CLEARUNORDEREDACCESSVIEW_INCOMPATIBLE_WITH_STRUCTURED_BUFFERS),
        source: "d3d12sdklayers.h: the message of that name",
    }
    RECTS_BUFFER = "clear.rects.buffer" {
        statement: "Views of buffers are cleared whole.",
        remedy: "Create a view of the part and give no rectangles.",
        message: None,
        source: "chosen, because a buffer has no rows that a rectangle could cut",
    }
    DISCARD_FLAGS = "discard.flags" {
        statement: "DiscardResource is for what the list's queue writes: render targets, depth-stencils and unordered access in direct lists, unordered access in compute lists.",
        remedy: "Create the resource with the flag, or leave the call out.",
        message: None,
        source: "Microsoft's public D3D12 documentation, DiscardResource",
    }
    DISCARD_SUBRESOURCES = "discard.subresources" {
        statement: "The subresources that are discarded are at least one, and the resource's.",
        remedy: "Cut the range to mips x slices x planes.",
        message: Some(message::DISCARD_INVALID_SUBRESOURCE_RANGE),
        source: "Microsoft's public D3D12 documentation, D3D12_DISCARD_REGION",
    }
    DISCARD_RECTS_DIMENSION = "discard.rects.dimension" {
        statement: "Rectangles are for 2D textures.",
        remedy: "Give no rectangles.",
        message: Some(message::DISCARD_NO_RECTS_FOR_NON_TEXTURE2D),
        source: "Microsoft's public D3D12 documentation, D3D12_DISCARD_REGION",
    }
    DISCARD_RECTS_MIPS = "discard.rects.mips" {
        statement: "Beside rectangles all subresources have one extent.",
        remedy: "Discard mip by mip.",
        message: Some(message::DISCARD_ONE_SUBRESOURCE_FOR_MIPS_WITH_RECTS),
        source: "Microsoft's public D3D12 documentation, D3D12_DISCARD_REGION",
    }
    RESOLVE_TEXTURE = "resolve.texture" {
        statement: "Resolves are between 2D textures.",
        remedy: "Copy instead.",
        message: Some(message::RESOLVESUBRESOURCE_INVALIDDSTRESOURCE),
        source: "Microsoft's public D3D12 documentation, ResolveSubresource",
    }
    RESOLVE_SUBRESOURCE = "resolve.subresource" {
        statement: "A subresource index is below mips x slices x planes.",
        remedy: "Give the index of a subresource that the texture has.",
        message: Some(message::RESOLVESUBRESOURCE_INVALID_SUBRESOURCE_INDEX),
        source: "facts/layout.md, Tiling: the order of subresources",
    }
    RESOLVE_SAMPLES = "resolve.samples" {
        statement: "A resolve is from several samples to one; DECOMPRESS is from several to as many.",
        remedy: "Create the destination with one sample, or with the source's for DECOMPRESS.",
        message: Some(message::RESOLVESUBRESOURCE_INVALID_SAMPLE_COUNT),
        source: "Microsoft's public D3D12 specification of programmable sample positions, ResolveSubresourceRegion",
    }
    RESOLVE_MISMATCH = "resolve.mismatch" {
        statement: "ResolveSubresource is between subresources of one extent.",
        remedy: "Use ResolveSubresourceRegion for a part.",
        message: Some(message::RESOLVESUBRESOURCE_RESOURCE_MISMATCH),
        source: "Microsoft's public D3D12 documentation, ResolveSubresource",
    }
    RESOLVE_FORMAT = "resolve.format" {
        statement: "The format is typed, of the family of both textures, and one that the mode resolves: AVERAGE no integers.",
        remedy: "Give a typed format of the family, and MIN or MAX for integers.",
        message: Some(message::RESOLVESUBRESOURCE_INVALID_FORMAT),
        source: "Microsoft's public D3D12 specification of programmable sample positions, ResolveSubresourceRegion",
    }
    RESOLVE_REGION = "resolve.region" {
        statement: "The region that is resolved lies in the source, and the one that is written in the destination.",
        remedy: "Cut the rectangle, or move the destination's origin.",
        message: Some(message::RESOLVESUBRESOURCEREGION_INVALID_RECT),
        source: "Microsoft's public D3D12 specification of programmable sample positions, Validation",
    }
    RESOLVE_IN_PLACE = "resolve.in_place" {
        statement: "Within one subresource only DECOMPRESS resolves, and in place.",
        remedy: "Resolve to another subresource, or decompress to the same place.",
        message: Some(message::RESOLVESUBRESOURCE_INVALIDSRCRESOURCE),
        source: "Microsoft's public D3D12 specification of programmable sample positions, ResolveSubresourceRegion",
    }
    WRITE_ALIGNMENT = "write_immediate.alignment" {
        statement: "WriteBufferImmediate writes to multiples of 4 bytes.",
        remedy: "Round the address.",
        message: Some(message::WRITEBUFFERIMMEDIATE_INVALID_ALIGNMENT),
        source: "Microsoft's public D3D12 WriteBufferImmediate specification, Hardware Requirements",
    }
    WRITE_DESTINATION = "write_immediate.destination" {
        statement: "WriteBufferImmediate writes to addresses of a buffer that the GPU may write.",
        remedy: "Give an address within a buffer that is not on an UPLOAD heap.",
        message: Some(message::WRITEBUFFERIMMEDIATE_INVALID_DEST),
        source: "Microsoft's public D3D12 WriteBufferImmediate specification",
    }
    WRITE_MODES = "write_immediate.modes" {
        statement: "Where modes are given there is one for each write.",
        remedy: "Give as many modes as writes, or none.",
        message: Some(message::WRITEBUFFERIMMEDIATE_INVALID_MODE),
        source: "Microsoft's public D3D12 WriteBufferImmediate specification",
    }
    PREDICATION_BUFFER = "predication.buffer" {
        statement: "A predicate is 64 bits of a buffer, at a multiple of 8 bytes.",
        remedy: "Give an offset that is a multiple of 8 and ends 8 bytes before the buffer.",
        message: Some(message::SET_PREDICATION_INVALID_PARAMETERS),
        source: "Microsoft's public D3D12 documentation, SetPredication",
    }
    QUERY_HEAP_COUNT = "query_heap.count" {
        statement: "A query heap has at least one query.",
        remedy: "Give a count above 0.",
        message: Some(message::CREATEQUERY_HEAP_INVALID_PARAMETERS),
        source: "Microsoft's public D3D12 documentation, D3D12_QUERY_HEAP_DESC",
    }
    QUERY_HEAP_NODE = "query_heap.node" {
        statement: "A query heap belongs to one node of the adapter.",
        remedy: "Give one bit of a node that the adapter has, or 0 for the first.",
        message: Some(message::CREATEQUERY_HEAP_INVALID_PARAMETERS),
        source: "Microsoft's public D3D12 documentation, D3D12_QUERY_HEAP_DESC",
    }
    QUERY_INDEX = "query.index" {
        statement: "A query is one that its heap has.",
        remedy: "Give indices below the heap's count.",
        message: Some(message::BEGIN_END_QUERY_INVALID_PARAMETERS),
        source: "Microsoft's public D3D12 documentation, EndQuery",
    }
    QUERY_LIST_TYPE = "query.list_type" {
        statement: "Copy lists take timestamps in COPY_QUEUE_TIMESTAMP heaps, other lists in TIMESTAMP heaps.",
        remedy: "Create a query heap of the list's kind.",
        message: Some(message::BEGIN_END_QUERY_INVALID_PARAMETERS),
        source: "Microsoft's public D3D12 documentation, D3D12_QUERY_HEAP_TYPE",
    }
    QUERY_RESOLVE = "query.resolve" {
        statement: "ResolveQueryData writes 8 bytes a timestamp to a multiple of 8 bytes of a buffer.",
        remedy: "Give a buffer, an offset that is a multiple of 8, and room for all.",
        message: Some(message::RESOLVE_QUERY_DATA_INVALID_PARAMETERS),
        source: "Microsoft's public D3D12 documentation, ResolveQueryData",
    }
    DESCRIPTOR_HEAPS_VISIBLE = "list.descriptor_heaps.visible" {
        statement: "The descriptor heaps of a list are heaps that shaders see.",
        remedy: "Create the heap with SHADER_VISIBLE.",
        message: Some(message::SET_DESCRIPTOR_HEAP_INVALID),
        source: "Microsoft's public D3D12 documentation, SetDescriptorHeaps",
    }
    DESCRIPTOR_HEAPS_TYPE = "list.descriptor_heaps.type" {
        statement: "A list has at most one descriptor heap of each type.",
        remedy: "Put the descriptors into one heap, or set the heaps one after the other.",
        message: Some(message::SET_DESCRIPTOR_HEAP_INVALID),
        source: "Microsoft's public D3D12 documentation, SetDescriptorHeaps; facts/buffer-views.md, Sampler heaps",
    }
}
