//! Rules that bind a resource to what it is created in: heap, offset, initial state, clear value.

use crate::message;

rules! {
    HEAP_DEVICE = "placement.heap.device" {
        statement: "A resource is placed in a heap of its own device.",
        remedy: "Create the heap on the device that creates the resource.",
        message: Some(message::CREATERESOURCEANDHEAP_INVALID_PARAMETERS),
        source: "Microsoft's documentation of CreatePlacedResource",
    }
    HEAP_CATEGORY = "placement.heap.category" {
        statement: "A heap holds only the categories of resources that its DENY flags leave: buffers, render-target and depth-stencil textures, other textures.",
        remedy: "Place it in a heap without that DENY flag.",
        message: Some(message::CREATERESOURCEANDHEAP_INVALIDHEAPMISCFLAGS),
        source: "spec/2-resource-heaps.txt 369-372",
    }
    HEAP_ALIGNMENT = "placement.heap.alignment" {
        statement: "A heap is aligned at least as its resources are.",
        remedy: "Create the heap with Alignment 4194304, or the MSAA texture with Alignment 65536 where it is small enough.",
        message: Some(message::CREATERESOURCEANDHEAP_INVALIDHEAPPROPERTIES),
        source: "facts/behaviour.md, Creation; spec/1-tight-placed-resource-alignment.txt, FAQ",
    }
    OFFSET_ALIGNMENT = "placement.offset.alignment" {
        statement: "A resource lies at a multiple of its alignment.",
        remedy: "Round HeapOffset up to the Alignment that GetResourceAllocationInfo gives.",
        message: Some(message::CREATERESOURCE_INVALIDALIGNMENT),
        source: "spec/1-tight-placed-resource-alignment.txt, FAQ, How does this affect Heap alignment and offsets",
    }
    HEAP_RANGE = "placement.heap.range" {
        statement: "A resource ends within its heap.",
        remedy: "Place it lower, or in a larger heap; GetResourceAllocationInfo gives the size it takes.",
        message: Some(message::CREATERESOURCEANDHEAP_INVALID_PARAMETERS),
        source: "facts/behaviour.md, Creation",
    }
    TEXTURE_HEAP_TYPE = "placement.heap_type.texture" {
        statement: "UPLOAD and READBACK heaps hold buffers only.",
        remedy: "Keep texture data in a buffer and copy it to a texture on a DEFAULT heap, or use a CUSTOM heap.",
        message: Some(message::CREATERESOURCEANDHEAP_INVALIDHEAPPROPERTIES),
        source: "spec/2-resource-heaps.txt 212, 301; Microsoft's documentation of D3D12_HEAP_TYPE",
    }
    BUFFER_HEAP_TYPE = "placement.heap_type.buffer_flags" {
        statement: "A buffer on an UPLOAD or READBACK heap is neither render target nor unordered access.",
        remedy: "Use a DEFAULT or CUSTOM heap, or clear ALLOW_RENDER_TARGET and ALLOW_UNORDERED_ACCESS.",
        message: Some(message::CREATERESOURCEANDHEAP_INVALIDHEAPPROPERTIES),
        source: "facts/behaviour.md, Creation",
    }
    ROW_MAJOR_HEAP = "placement.row_major.heap" {
        statement: "A ROW_MAJOR texture lies on a SHARED and SHARED_CROSS_ADAPTER heap without CPU access.",
        remedy: "Create the heap with both flags, of type DEFAULT or with CPUPageProperty NOT_AVAILABLE.",
        message: Some(message::CREATERESOURCE_INVALIDLAYOUT),
        source: "facts/behaviour.md, Creation",
    }
    CROSS_ADAPTER_HEAP = "placement.cross_adapter.heap" {
        statement: "A resource that other adapters access lies on a heap that they see.",
        remedy: "Create the heap with SHARED and SHARED_CROSS_ADAPTER.",
        message: Some(message::CREATERESOURCEANDHEAP_INVALIDHEAPMISCFLAGS),
        source: "Microsoft's documentation of D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER",
    }
    PRIMARY_SHAPE = "placement.display.shape" {
        statement: "What is displayed is a 2D texture of a scan-out format: one mip, one sample, at most two slices, no depth-stencil.",
        remedy: "Clear ALLOW_DISPLAY, or describe the resource so.",
        message: Some(message::CREATERESOURCEANDHEAP_INVALIDHEAPMISCFLAGS),
        source: "spec/2-resource-heaps.txt 463, 736, 746",
    }
    STATE_UNRECOGNIZED = "placement.state.unrecognized" {
        statement: "An initial state is one of D3D12's.",
        remedy: "Clear the bits that D3D12 does not define.",
        message: Some(message::CREATERESOURCE_INVALIDINITIALSTATE),
        source: "spec/2-resource-heaps.txt 954-984",
    }
    STATE_EXCLUSIVE = "placement.state.exclusive" {
        statement: "A state that writes stands alone.",
        remedy: "Choose one write state, or read states only.",
        message: Some(message::CREATERESOURCE_INVALIDINITIALSTATE),
        source: "Microsoft's documentation of D3D12_RESOURCE_STATES",
    }
    STATE_FLAGS = "placement.state.flags" {
        statement: "An initial state is one that the resource's flags allow.",
        remedy: "Add the ALLOW flag of the state to the resource, or begin in COMMON.",
        message: Some(message::CREATERESOURCE_INVALIDINITIALSTATE),
        source: "spec/2-resource-heaps.txt 185, 954-984",
    }
    STATE_DIMENSION = "placement.state.dimension" {
        statement: "An initial state is one that buffers, or textures, can be in.",
        remedy: "Begin in COMMON.",
        message: Some(message::CREATERESOURCE_INVALIDINITIALSTATE),
        source: "spec/2-resource-heaps.txt 185, 954-984",
    }
    STATE_UPLOAD_INBOX = "placement.state.upload.inbox" {
        statement: "Before SDK 606 a resource on an UPLOAD heap begins, and stays, in GENERIC_READ.",
        remedy: "Use GENERIC_READ, or an SDK from 606.",
        message: Some(message::CREATERESOURCE_INVALIDINITIALSTATE),
        until: Inbox,
        source: "facts/behaviour.md, Creation",
    }
    STATE_UPLOAD = "placement.state.upload" {
        statement: "A resource on an UPLOAD heap begins in GENERIC_READ, COMMON or COPY_SOURCE.",
        remedy: "Use one of the three.",
        message: Some(message::CREATERESOURCE_INVALIDINITIALSTATE),
        since: V606,
        source: "facts/behaviour.md, Creation",
    }
    STATE_READBACK_INBOX = "placement.state.readback.inbox" {
        statement: "Before SDK 606 a resource on a READBACK heap begins, and stays, in COPY_DEST.",
        remedy: "Use COPY_DEST, or an SDK from 606.",
        message: Some(message::CREATERESOURCE_INVALIDINITIALSTATE),
        until: Inbox,
        source: "facts/behaviour.md, Creation",
    }
    STATE_READBACK = "placement.state.readback" {
        statement: "A resource on a READBACK heap begins in COPY_DEST or COMMON.",
        remedy: "Use one of the two.",
        message: Some(message::CREATERESOURCE_INVALIDINITIALSTATE),
        since: V606,
        source: "facts/behaviour.md, Creation",
    }
    LAYOUT_UNSUPPORTED = "placement.layout.unsupported" {
        statement: "An initial barrier layout needs enhanced barriers: SDK 606 and an adapter that supports them.",
        remedy: "Give an initial state, or check D3D12_OPTIONS12.EnhancedBarriersSupported before.",
        message: Some(message::ENHANCED_BARRIERS_NOT_SUPPORTED),
        source: "Microsoft's enhanced barriers documentation; D3D12_OPTIONS12 and CreateCommittedResource3 stand in the header of 1.606",
    }
    LAYOUT_BUFFER = "placement.layout.buffer" {
        statement: "A buffer has no layout: UNDEFINED.",
        remedy: "Use D3D12_BARRIER_LAYOUT_UNDEFINED.",
        message: Some(message::CREATERESOURCEANDHEAP_INVALID_PARAMETERS),
        source: "Microsoft's enhanced barriers documentation",
    }
    LAYOUT_FLAGS = "placement.layout.flags" {
        statement: "An initial layout is one that the resource's flags allow.",
        remedy: "Add the ALLOW flag of the layout to the resource, or begin in COMMON.",
        message: Some(message::CREATERESOURCEANDHEAP_INVALID_PARAMETERS),
        source: "Microsoft's enhanced barriers documentation",
    }
    CLEAR_VALUE_USE = "placement.clear_value.use" {
        statement: "An optimised clear value goes with a render-target or depth-stencil texture.",
        remedy: "Pass no clear value.",
        message: Some(message::CREATERESOURCE_INVALIDCLEARVALUE),
        source: "spec/2-resource-heaps.txt 186; facts/behaviour.md, Creation",
    }
    CLEAR_VALUE_TYPELESS = "placement.clear_value.typeless" {
        statement: "A clear value has a typed format.",
        remedy: "Use the format of the view that will clear.",
        message: Some(message::CREATERESOURCE_UNRECOGNIZEDCLEARVALUEFORMAT),
        source: "spec/2-resource-heaps.txt 186",
    }
    CLEAR_VALUE_FORMAT = "placement.clear_value.format" {
        statement: "A clear value's format is of the resource's typeless family, and one that a view of it can have.",
        remedy: "Use a render-target format of the family, or a depth format for a depth-stencil.",
        message: Some(message::CREATERESOURCE_INVALIDCLEARVALUEFORMAT),
        source: "spec/2-resource-heaps.txt 186",
    }
    CLEAR_VALUE_KIND = "placement.clear_value.kind" {
        statement: "A render target is cleared to a colour, a depth-stencil to depth and stencil.",
        remedy: "Give the value that the format calls for.",
        message: Some(message::CREATERESOURCE_INVALIDCLEARVALUE),
        source: "spec/2-resource-heaps.txt 138-151",
    }
    CLEAR_VALUE_DEPTH = "placement.clear_value.depth" {
        statement: "A depth clear value lies from 0 to 1.",
        remedy: "Clamp it.",
        message: Some(message::CREATERESOURCE_INVALIDCLEARVALUE),
        source: "D3D12's range of depth (D3D12_MIN_DEPTH, D3D12_MAX_DEPTH)",
    }
    CASTABLE_UNSUPPORTED = "placement.castable.unsupported" {
        statement: "A list of castable formats needs relaxed format casting: SDK 606 and an adapter that supports it.",
        remedy: "Pass no list, or check D3D12_OPTIONS12.RelaxedFormatCastingSupported before.",
        message: Some(message::CREATERESOURCEANDHEAP_INVALID_PARAMETERS),
        source: "Microsoft's relaxed format casting documentation",
    }
    CASTABLE_BUFFER = "placement.castable.buffer" {
        statement: "A buffer has no castable formats but UNKNOWN.",
        remedy: "Pass no list.",
        message: Some(message::CREATERESOURCEANDHEAP_INVALID_PARAMETERS),
        source: "Microsoft's relaxed format casting documentation",
    }
    CASTABLE_FORMAT = "placement.castable.format" {
        statement: "A castable format is not planar, and has the resource's element: the same bits, and the same texels but where it shows a block as one.",
        remedy: "Drop it from the list.",
        message: Some(message::CREATERESOURCE_INVALIDFORMAT),
        source: "Microsoft's public VulkanOn12 specification, Format List Casting: uncompressed formats of the unit's size, and for uncompressed resources no others",
    }
}
