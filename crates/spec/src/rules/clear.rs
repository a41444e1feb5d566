//! Rules of clears and discards.

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
}
