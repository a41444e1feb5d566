//! Rules of descriptor heaps, descriptors and views.
//!
//! A rule that several kinds of views share has the message of none: the violation carries that of the call
//! that was made.

use crate::message;

rules! {
    HEAP_COUNT_ZERO = "descriptor_heap.count.zero" {
        statement: "A descriptor heap has at least one descriptor.",
        remedy: "Ask for one or more.",
        message: Some(message::CREATE_DESCRIPTOR_HEAP_INVALID_DESC),
        source: "chosen, because a heap without descriptors has no handle that any call takes",
    }
    HEAP_FLAGS_UNRECOGNIZED = "descriptor_heap.flags.unrecognized" {
        statement: "Flags are D3D12_DESCRIPTOR_HEAP_FLAGS.",
        remedy: "Clear the bits that are none.",
        message: Some(message::CREATE_DESCRIPTOR_HEAP_INVALID_DESC),
        source: "Microsoft's documentation of D3D12_DESCRIPTOR_HEAP_FLAGS",
    }
    HEAP_SHADER_VISIBLE = "descriptor_heap.shader_visible" {
        statement: "Shaders see heaps of CBV_SRV_UAV and of SAMPLER only.",
        remedy: "Leave SHADER_VISIBLE out: render-target and depth-stencil views are read when a list is recorded.",
        message: Some(message::CREATE_DESCRIPTOR_HEAP_INVALID_DESC),
        source: "Microsoft's documentation of D3D12_DESCRIPTOR_HEAP_FLAGS",
    }
    HEAP_VIEWS_MAX = "descriptor_heap.views.max" {
        statement: "A shader-visible heap of views has at most 1,000,000 descriptors on resource binding tiers 1 and 2, and on tier 3 at most as many as the device reports (OPTIONS19).",
        remedy: "Split it, or keep the views in a heap that shaders do not see and copy those in use.",
        message: Some(message::CREATE_DESCRIPTOR_HEAP_LARGE_NUM_DESCRIPTORS),
        source: "Microsoft's documentation of hardware tiers",
    }
    HEAP_SAMPLERS_MAX = "descriptor_heap.samplers.max" {
        statement: "A shader-visible sampler heap has at most 2048 descriptors, or as many as the adapter reports (OPTIONS19).",
        remedy: "Keep equal samplers once and index them.",
        message: Some(message::CREATE_DESCRIPTOR_HEAP_LARGE_NUM_DESCRIPTORS),
        source: "facts/buffer-views.md, Sampler heaps",
    }
    HEAP_NODE = "descriptor_heap.node" {
        statement: "NodeMask is 0 or one node that the adapter has.",
        remedy: "Set one bit below the node count.",
        message: Some(message::NODE_MASK_MISMATCH),
        source: "Microsoft's documentation of D3D12_DESCRIPTOR_HEAP_DESC",
    }
    HEAP_GPU_START = "descriptor_heap.gpu_start" {
        statement: "Only a shader-visible heap has GPU handles.",
        remedy: "Create it SHADER_VISIBLE.",
        message: Some(message::DESCRIPTOR_HEAP_NOT_SHADER_VISIBLE),
        source: "Microsoft's documentation of GetGPUDescriptorHandleForHeapStart",
    }
    HANDLE = "descriptor.handle" {
        statement: "A handle lies in a descriptor heap of the device that still exists.",
        remedy: "Start from the heap's first handle, add whole increments below the count, keep the heap alive.",
        message: Some(message::INVALID_DESCRIPTOR_HANDLE),
        source: "Microsoft's public D3D12 resource binding specification, Descriptor Handles",
    }
    HANDLE_INCREMENT = "descriptor.handle.increment" {
        statement: "A handle is its heap's first and whole increments.",
        remedy: "Ask GetDescriptorHandleIncrementSize for the heap's type.",
        message: Some(message::INVALID_DESCRIPTOR_HANDLE),
        source: "Microsoft's public D3D12 resource binding specification, Descriptor Handles",
    }
    HANDLE_HEAP_TYPE = "descriptor.handle.heap_type" {
        statement: "A descriptor lies in a heap of the type that its kind belongs to.",
        remedy: "Take a handle of a heap of that type.",
        message: Some(message::INVALID_DESCRIPTOR_HANDLE),
        source: "Microsoft's documentation of descriptor heaps",
    }
    DESCRIPTOR_KIND = "descriptor.kind" {
        statement: "A descriptor that is used holds the kind of view that the call takes.",
        remedy: "Create that view at the handle first.",
        message: Some(message::INVALID_DESCRIPTOR_HANDLE),
        source: "Microsoft's public D3D12 resource binding specification, Descriptors",
    }
    DESCRIPTOR_RESOURCE = "descriptor.resource" {
        statement: "The resource of a view that is used still exists.",
        remedy: "Keep the resource until the last use of its views, or create the views anew.",
        message: Some(message::DESCRIPTOR_HANDLE_WITH_INVALID_RESOURCE),
        source: "Microsoft's public D3D12 resource binding specification, Descriptors",
    }
    COPY_SIZES = "copy_descriptors.sizes" {
        statement: "There are as many range sizes as range starts, or none.",
        remedy: "Give a size for each start; without sizes each range is one descriptor.",
        message: Some(message::COPY_DESCRIPTORS_INVALID_RANGES),
        source: "Microsoft's documentation of CopyDescriptors",
    }
    COPY_COUNT = "copy_descriptors.count" {
        statement: "Sources are as many descriptors as destinations.",
        remedy: "Make both sums of range sizes equal.",
        message: Some(message::COPY_DESCRIPTORS_INVALID_RANGES),
        source: "Microsoft's documentation of copying descriptors",
    }
    COPY_RANGE = "copy_descriptors.range" {
        statement: "A range ends within its heap.",
        remedy: "Shorten the range, or split it where the heap ends.",
        message: Some(message::COPY_DESCRIPTORS_INVALID_RANGES),
        source: "Microsoft's documentation of copying descriptors",
    }
    COPY_SOURCE = "copy_descriptors.source" {
        statement: "Sources lie in heaps that shaders do not see.",
        remedy: "Create views in a heap without SHADER_VISIBLE and copy from there.",
        message: Some(message::COPY_DESCRIPTORS_WRITE_ONLY_DESCRIPTOR),
        source: "Microsoft's documentation of CopyDescriptors",
    }
    COPY_OVERLAP = "copy_descriptors.overlap" {
        statement: "No source is a destination of the same copy.",
        remedy: "Copy through another heap.",
        message: Some(message::COPY_DESCRIPTORS_INVALID_RANGES),
        source: "Microsoft's public D3D12 resource binding specification, Copying Descriptors",
    }
    RESOURCE_DEVICE = "view.resource.device" {
        statement: "A view is of a resource of the same device.",
        remedy: "Create the view on the device that created the resource.",
        message: None,
        source: "Microsoft's documentation of ID3D12Device: interfaces of one device do not go with another",
    }
    RESOURCE_FLAGS = "view.resource.flags" {
        statement: "The resource's flags allow the view: ALLOW_RENDER_TARGET, ALLOW_DEPTH_STENCIL, ALLOW_UNORDERED_ACCESS, \
            no DENY_SHADER_RESOURCE, nothing that only the video engines read.",
        remedy: "Create the resource with the flag.",
        message: None,
        source: "spec/2-resource-heaps.txt 118-124",
    }
    NO_RESOURCE_NO_DESC = "view.null" {
        statement: "A view has a resource or a description: a null descriptor needs the kind that a description tells.",
        remedy: "Describe the null descriptor.",
        message: None,
        source: "Microsoft's documentation of CreateShaderResourceView",
    }
    DEFAULT = "view.default" {
        statement: "A view without a description is of a texture whose format is typed and in one plane.",
        remedy: "Describe the view: buffers have no format, typeless and planar textures leave a choice.",
        message: None,
        source: "Microsoft's documentation of CreateShaderResourceView",
    }
    DIMENSION = "view.dimension" {
        statement: "A view's dimension is one of its resource's.",
        remedy: "View a 1D texture as 1D, a 2D one as 2D or cube, a 3D one as 3D, a buffer as a buffer.",
        message: None,
        source: "Microsoft's documentation of D3D12_SHADER_RESOURCE_VIEW_DESC",
    }
    SAMPLES = "view.samples" {
        statement: "A multisampled texture is viewed through a multisampled dimension, and no other is.",
        remedy: "Take TEXTURE2DMS or TEXTURE2DMSARRAY where SampleDesc.Count is above 1.",
        message: None,
        source: "Microsoft's documentation of D3D12_SHADER_RESOURCE_VIEW_DESC",
    }
    UAV_SAMPLES = "view.samples.uav" {
        statement: "Unordered access to multisampled textures takes WriteableMSAATexturesSupported.",
        remedy: "Resolve first, or write through a render target.",
        message: Some(message::CREATEUNORDEREDACCESSVIEW_INVALIDDIMENSIONS),
        source: "Microsoft's documentation of D3D12_FEATURE_D3D12_OPTIONS14",
    }
    FORMAT_TYPELESS = "view.format.typeless" {
        statement: "A view's format is typed; UNKNOWN stands for the resource's, which must be typed then.",
        remedy: "Name a typed format of the family.",
        message: None,
        source: "spec/2-resource-heaps.txt 186",
    }
    FORMAT_CAST = "view.format.cast" {
        statement: "A view's format is one that the resource's casts to: of its family, from a typed one neither between \
            FLOAT and others nor between SNORM and UNORM; where castable formats were named, its own or one of them.",
        remedy: "Create the resource typeless, or name the format among its castable formats.",
        message: None,
        source: "Microsoft's public D3D12 specification of relaxed format casting",
    }
    FORMAT_BLOCKS = "view.format.blocks" {
        statement: "A view that shows a compressed resource's blocks as texels sees one mip and one array slice.",
        remedy: "Create a view for each mip and slice, or view the resource by a compressed format.",
        message: None,
        source: "Microsoft's public VulkanOn12 specification, Format List Casting",
    }
    FORMAT_USE = "view.format.use" {
        statement: "A view's format is one that adapters read, render to, test depth in or write unordered.",
        remedy: "Take a format whose support includes the view.",
        message: None,
        source: "Microsoft's public tables of format support, feature level 12.0",
    }
    MIPS = "view.mips" {
        statement: "A view's mips are at least one, and mips of the resource.",
        remedy: "Keep first + count within MipLevels; -1 is all that are left.",
        message: None,
        source: "Microsoft's documentation of D3D12_TEX2D_SRV",
    }
    SLICES = "view.slices" {
        statement: "A view's array slices are at least one, and slices of the resource.",
        remedy: "Keep first + count within DepthOrArraySize; -1 is all that are left.",
        message: None,
        source: "Microsoft's documentation of D3D12_TEX2D_ARRAY_SRV",
    }
    PLANE = "view.plane" {
        statement: "PlaneSlice is the plane that the view's format sees.",
        remedy: "Give 0 where there is one plane, 1 for stencil and for the second plane of video.",
        message: None,
        source: "Microsoft's public D3D12 planar depth-stencil specification; facts/layout.md, GetCopyableFootprints",
    }
    W_SLICES = "view.w_slices" {
        statement: "A view's depth slices are at least one, and slices of the mip.",
        remedy: "Keep FirstWSlice + WSize within the mip's depth; -1 is all that are left.",
        message: None,
        source: "Microsoft's documentation of D3D12_TEX3D_RTV",
    }
    CUBE = "view.cube" {
        statement: "A cube's faces are six square slices of the resource, each cube's behind the last one's.",
        remedy: "Create a square texture with 6 slices a cube.",
        message: Some(message::CREATESHADERRESOURCEVIEW_INVALIDDIMENSIONS),
        source: "Microsoft's documentation of D3D12_TEXCUBE_ARRAY_SRV; chosen, because a cube's faces meet edge to edge: square",
    }
    LOD_CLAMP = "view.lod_clamp" {
        statement: "ResourceMinLODClamp is a number, not below 0.",
        remedy: "Give 0 for no clamp.",
        message: Some(message::CREATESHADERRESOURCEVIEW_INVALIDDESC),
        source: "chosen, because it counts mips from the most detailed one",
    }
    ACCELERATION_STRUCTURE = "view.acceleration_structure" {
        statement: "A view of an acceleration structure has an address that is a multiple of 256, and no resource.",
        remedy: "Pass NULL for the resource and the address in Location.",
        message: Some(message::CREATESHADERRESOURCEVIEW_INVALIDDESC),
        source: "Microsoft's documentation of D3D12_RAYTRACING_ACCELERATION_STRUCTURE_SRV",
    }
    DSV_FLAGS = "view.dsv.flags" {
        statement: "Flags are D3D12_DSV_FLAGS; READ_ONLY_STENCIL is for formats that have stencil.",
        remedy: "Clear the flag.",
        message: Some(message::CREATEDEPTHSTENCILVIEW_INVALIDFLAGS),
        source: "chosen, because without stencil there is nothing to leave unwritten; the flags: Microsoft's documentation of \
            D3D12_DSV_FLAGS",
    }
    BUFFER_FLAGS = "view.buffer.flags" {
        statement: "Flags of a buffer's view are RAW or none.",
        remedy: "Clear the bits that are none.",
        message: None,
        source: "Microsoft's documentation of D3D12_BUFFER_SRV_FLAGS",
    }
    BUFFER_FORMAT = "view.buffer.format" {
        statement: "A typed view of a buffer, without stride and RAW, has a typed format that buffers have.",
        remedy: "Name the format, give a stride, or set RAW.",
        message: None,
        source: "Microsoft's documentation of D3D12_BUFFER_SRV",
    }
    BUFFER_STRUCTURED = "view.buffer.structured" {
        statement: "A structured view has format UNKNOWN, no RAW, and a stride that is a multiple of 4, at most 2048.",
        remedy: "Pad the structure to whole dwords; clear format and flags.",
        message: None,
        source: "Microsoft's documentation of D3D12_BUFFER_SRV; D3D12_REQ_MULTI_ELEMENT_STRUCTURE_SIZE_IN_BYTES; chosen, because \
            structures of shaders without 16-bit types are whole dwords",
    }
    BUFFER_RAW = "view.buffer.raw" {
        statement: "A raw view has format R32_TYPELESS and no stride.",
        remedy: "Set the format to R32_TYPELESS and the stride to 0.",
        message: None,
        source: "Microsoft's documentation of raw views of buffers",
    }
    BUFFER_RAW_OFFSET = "view.buffer.raw.offset" {
        statement: "A raw view begins at a multiple of 16 bytes, of the buffer and of the address space.",
        remedy: "Make FirstElement a multiple of 4; give a tightly aligned buffer an alignment floor of 16.",
        message: None,
        source: "facts/buffer-views.md, Descriptors; spec/1-tight-placed-resource-alignment.txt, Choosing an Alignment floor",
    }
    BUFFER_ELEMENTS = "view.buffer.elements" {
        statement: "A view of a buffer has at least one element, a typed one at most 2^27.",
        remedy: "Create a null descriptor for no elements; split what is larger.",
        message: None,
        source: "D3D12_REQ_BUFFER_RESOURCE_TEXEL_COUNT_2_TO_EXP; chosen, because a view of no element is what a null descriptor is",
    }
    BUFFER_RANGE = "view.buffer.range" {
        statement: "A view of a buffer ends within it.",
        remedy: "Keep (FirstElement + NumElements) x element size within Width.",
        message: None,
        source: "Microsoft's documentation of D3D12_BUFFER_SRV",
    }
    COUNTER_MISSING = "view.counter.missing" {
        statement: "CounterOffsetInBytes is 0 where there is no counter resource.",
        remedy: "Pass the counter resource, or 0.",
        message: Some(message::CREATE_UNORDEREDACCESS_VIEW_INVALID_COUNTER_USAGE),
        source: "Microsoft's documentation of CreateUnorderedAccessView",
    }
    COUNTER_VIEW = "view.counter.view" {
        statement: "A counter goes with a described structured view of a buffer.",
        remedy: "Give resource and description, a stride above 0, format UNKNOWN, no RAW.",
        message: Some(message::CREATE_UNORDEREDACCESS_VIEW_INVALID_COUNTER_USAGE),
        source: "Microsoft's documentation of CreateUnorderedAccessView",
    }
    COUNTER_RESOURCE = "view.counter.resource" {
        statement: "A counter lies in a buffer with ALLOW_UNORDERED_ACCESS.",
        remedy: "Create the counter's buffer with the flag.",
        message: Some(message::CREATE_UNORDEREDACCESS_VIEW_INVALID_COUNTER_USAGE),
        source: "Microsoft's documentation of CreateUnorderedAccessView; chosen, because shaders write it: the flag",
    }
    COUNTER_OFFSET = "view.counter.offset" {
        statement: "A counter's offset is a multiple of 4096, and its 4 bytes lie in the counter resource.",
        remedy: "Place counters 4096 bytes apart.",
        message: Some(message::CREATE_UNORDEREDACCESS_VIEW_INVALID_COUNTER_USAGE),
        source: "Microsoft's documentation of CreateUnorderedAccessView; D3D12_UAV_COUNTER_PLACEMENT_ALIGNMENT",
    }
    CBV_LOCATION = "view.cbv.location" {
        statement: "A constant buffer view begins at an address that is a multiple of 256; 0 only with size 0.",
        remedy: "Place constants at multiples of 256 in a buffer whose own address is one.",
        message: Some(message::CREATE_CONSTANT_BUFFER_VIEW_INVALID_DESC),
        source: "facts/buffer-views.md, Descriptors; spec/1-tight-placed-resource-alignment.txt, Choosing an Alignment floor",
    }
    CBV_SIZE = "view.cbv.size" {
        statement: "A constant buffer view has a size that is a multiple of 256, from 256 to 65536 bytes.",
        remedy: "Round the size up to 256; split what is larger.",
        message: Some(message::CREATE_CONSTANT_BUFFER_VIEW_INVALID_DESC),
        source: "facts/buffer-views.md, Descriptors; D3D12_REQ_CONSTANT_BUFFER_ELEMENT_COUNT: 4096 of 16 bytes",
    }
    CBV_RANGE = "view.cbv.range" {
        statement: "A constant buffer view lies in the buffer that is named with it.",
        remedy: "Create the buffer at least as wide as the view, rounded up to 256.",
        message: Some(message::CREATE_CONSTANT_BUFFER_VIEW_INVALID_RESOURCE),
        source: "facts/buffer-views.md, Descriptors",
    }
    SAMPLER_FILTER = "sampler.filter" {
        statement: "A filter is one of D3D12_FILTER: an anisotropic one is linear on every axis.",
        remedy: "Set min, mag and mip to linear.",
        message: Some(message::CREATE_SAMPLER_INVALID),
        source: "Microsoft's public D3D12 specification, Anisotropic sampler with mip point: others need a capability of their own",
    }
    SAMPLER_ANISOTROPY = "sampler.anisotropy" {
        statement: "MaxAnisotropy of an anisotropic filter is 0 to 16.",
        remedy: "Clamp it.",
        message: Some(message::CREATE_SAMPLER_INVALID),
        source: "D3D12_MIN_MAXANISOTROPY and D3D12_MAX_MAXANISOTROPY; drivers of OpenGL create null samplers with 0",
    }
    SAMPLER_LOD_BIAS = "sampler.lod_bias" {
        statement: "MipLODBias is -16 to 15.99.",
        remedy: "Clamp it.",
        message: Some(message::CREATE_SAMPLER_INVALID),
        source: "D3D12_MIP_LOD_BIAS_MIN and D3D12_MIP_LOD_BIAS_MAX",
    }
    SAMPLER_LOD = "sampler.lod" {
        statement: "MinLOD and MaxLOD are numbers, the least first.",
        remedy: "Give 0 and a large value for every mip.",
        message: Some(message::CREATE_SAMPLER_INVALID),
        source: "Microsoft's documentation of D3D12_SAMPLER_DESC",
    }
    SAMPLER_COMPARISON = "sampler.comparison" {
        statement: "A comparison filter has a comparison function.",
        remedy: "Give ComparisonFunc, or take a filter that does not compare.",
        message: Some(message::CREATE_SAMPLER_INVALID),
        source: "Microsoft's documentation of D3D12_SAMPLER_DESC; NONE is for the others",
    }
    SAMPLER_BORDER = "sampler.border" {
        statement: "An integer border colour is known from SDK 606 on.",
        remedy: "Give a float border colour.",
        message: Some(message::CREATE_SAMPLER_INVALID),
        until: Inbox,
        source: "D3D12's public headers: D3D12_SAMPLER_DESC2 stands in the header of 1.606",
    }
}
