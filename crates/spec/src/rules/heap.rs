//! Rules of heaps, explicit (CreateHeap) and implicit (of a committed resource).

use crate::message;

rules! {
    SIZE_ZERO = "heap.size.zero" {
        statement: "A heap holds at least one byte.",
        remedy: "Give a SizeInBytes above 0.",
        message: Some(message::CREATEHEAP_INVALIDSIZE),
        source: "spec/2-resource-heaps.txt 54-60; chosen: no lower bound is given there, a heap of nothing has no use",
    }
    SIZE_DRIVER = "heap.size.driver" {
        statement: "A heap is no larger than the driver can make one.",
        remedy: "Split the heap: spec/2-resource-heaps.txt 1623 recommends 32 MiB.",
        message: Some(message::CREATEHEAP_INVALIDSIZE),
        source: "the adapter profile's limits.heap_size_max",
    }
    SIZE_CPU_VISIBLE = "heap.size.cpu_visible" {
        statement: "A heap that the CPU can map is at most 0xFFFF0000 bytes: 4 GiB less one 64 KiB page.",
        remedy: "Split it into several heaps or buffers.",
        message: Some(message::CREATEHEAP_INVALIDSIZE),
        source: "D3D12's limit on CPU-visible heaps (limits::CPU_VISIBLE_SIZE_MAX)",
    }
    SIZE_ADDRESSES = "heap.size.addresses" {
        statement: "A heap's size, rounded up to whole pages, is a 64-bit number.",
        remedy: "Ask for less: no adapter has so much memory.",
        message: Some(message::CREATEHEAP_INVALIDSIZE),
        source: "chosen, because a size that wraps would be granted as a small one",
    }
    ALIGNMENT = "heap.alignment" {
        statement: "A heap is aligned to 64 KiB, or to 4 MiB so that it can hold MSAA textures.",
        remedy: "Give Alignment 0, 65536, or 4194304 where MSAA textures will lie in the heap.",
        message: Some(message::CREATEHEAP_INVALIDALIGNMENT),
        source: "spec/1-tight-placed-resource-alignment.txt, FAQ, How does this affect Heap alignment and offsets",
    }
    TYPE_UNRECOGNIZED = "heap.type.unrecognized" {
        statement: "A heap has one of D3D12's heap types.",
        remedy: "Set Type to DEFAULT, UPLOAD, READBACK, CUSTOM or GPU_UPLOAD.",
        message: Some(message::CREATEHEAP_UNRECOGNIZEDHEAPTYPE),
        source: "spec/2-resource-heaps.txt 12-20",
    }
    CPU_PAGE_PROPERTY_UNRECOGNIZED = "heap.cpu_page_property.unrecognized" {
        statement: "A heap has one of D3D12's CPU page properties.",
        remedy: "Set CPUPageProperty to UNKNOWN, NOT_AVAILABLE, WRITE_COMBINE or WRITE_BACK.",
        message: Some(message::CREATEHEAP_UNRECOGNIZEDCPUPAGEPROPERTIES),
        source: "spec/2-resource-heaps.txt 21-27",
    }
    MEMORY_POOL_UNRECOGNIZED = "heap.memory_pool.unrecognized" {
        statement: "A heap has one of D3D12's memory pools.",
        remedy: "Set MemoryPoolPreference to UNKNOWN, L0 or L1.",
        message: Some(message::CREATEHEAP_UNRECOGNIZEDMEMORYPOOL),
        source: "spec/2-resource-heaps.txt 28-33",
    }
    ABSTRACT_PROPERTIES = "heap.properties.abstract" {
        statement: "A heap type other than CUSTOM decides page property and pool itself: both are UNKNOWN.",
        remedy: "Set CPUPageProperty and MemoryPoolPreference to UNKNOWN, or the type to CUSTOM.",
        message: Some(message::CREATEHEAP_INVALIDPROPERTIES),
        source: "spec/2-resource-heaps.txt 12-41; Microsoft's documentation of D3D12_HEAP_PROPERTIES",
    }
    CUSTOM_UNKNOWN = "heap.properties.custom_unknown" {
        statement: "A CUSTOM heap names its page property and its pool.",
        remedy: "Set both; GetCustomHeapProperties gives those of an abstraction.",
        message: Some(message::CREATEHEAP_INVALIDPROPERTIES),
        source: "facts/behaviour.md, Creation",
    }
    CUSTOM_L1_UMA = "heap.properties.custom_l1_uma" {
        statement: "On UMA there is no pool L1.",
        remedy: "Set MemoryPoolPreference to L0.",
        message: Some(message::CREATEHEAP_INVALIDPROPERTIES),
        source: "facts/behaviour.md, Creation; spec/2-resource-heaps.txt 470",
    }
    CUSTOM_L1_WRITE_BACK = "heap.properties.custom_l1_write_back" {
        statement: "The CPU cannot cache pool L1: WRITE_BACK goes with L0 only.",
        remedy: "Use L0, or NOT_AVAILABLE or WRITE_COMBINE on L1.",
        message: Some(message::CREATEHEAP_INVALIDPROPERTIES),
        source: "spec/2-resource-heaps.txt 470; facts/behaviour.md, Creation",
    }
    CUSTOM_L1_WRITE_COMBINE = "heap.properties.custom_l1_write_combine" {
        statement: "The CPU writes pool L1 only where GPU upload heaps are supported.",
        remedy: "Use L0, or check D3D12_OPTIONS16.GPUUploadHeapSupported before.",
        message: Some(message::CREATEHEAP_INVALIDPROPERTIES),
        source: "facts/behaviour.md, Creation",
    }
    GPU_UPLOAD_UNSUPPORTED = "heap.type.gpu_upload" {
        statement: "A GPU_UPLOAD heap needs SDK 614 and an adapter that supports it.",
        remedy: "Use UPLOAD, or check D3D12_OPTIONS16.GPUUploadHeapSupported before.",
        message: Some(message::CREATEHEAP_INVALIDPROPERTIES),
        source: "Microsoft's GPU upload heaps documentation; the profile's caps.gpu_upload_heap",
    }
    FLAGS_UNRECOGNIZED = "heap.flags.unrecognized" {
        statement: "A heap's flags are D3D12's.",
        remedy: "Clear the bits that D3D12 does not define.",
        message: Some(message::CREATEHEAP_UNRECOGNIZEDMISCFLAGS),
        source: "spec/2-resource-heaps.txt 42-53",
    }
    FLAGS_DENY_ALL = "heap.flags.deny_all" {
        statement: "A heap may hold something: at most two of the three DENY flags.",
        remedy: "Clear the DENY flag of what the heap is to hold.",
        message: Some(message::CREATEHEAP_INVALIDMISCFLAGS),
        source: "spec/2-resource-heaps.txt 369-372; Microsoft's documentation of D3D12_HEAP_FLAGS",
    }
    FLAGS_TIER1 = "heap.flags.tier1" {
        statement: "On heap tier 1 a heap holds one category of resources only: it denies exactly two of the three.",
        remedy: "Create one heap for each category, with ALLOW_ONLY_BUFFERS, ALLOW_ONLY_NON_RT_DS_TEXTURES or ALLOW_ONLY_RT_DS_TEXTURES.",
        message: Some(message::CREATEHEAP_INVALIDMISCFLAGS),
        source: "spec/2-resource-heaps.txt 369-372",
    }
    FLAGS_CROSS_ADAPTER = "heap.flags.cross_adapter" {
        statement: "A heap that other adapters see is a shared one: SHARED_CROSS_ADAPTER goes with SHARED.",
        remedy: "Add SHARED.",
        message: Some(message::CREATEHEAP_INVALIDMISCFLAGS),
        source: "Microsoft's documentation of D3D12_HEAP_FLAGS",
    }
    FLAGS_DISPLAY = "heap.flags.display" {
        statement: "Only the implicit heap of a committed resource can be for display.",
        remedy: "Clear ALLOW_DISPLAY, or create the resource committed.",
        message: Some(message::CREATEHEAP_INVALIDMISCFLAGS),
        source: "spec/2-resource-heaps.txt 463-464, 927",
    }
    FLAGS_PROTECTED = "heap.flags.protected" {
        statement: "A protected heap needs an adapter with protected resource sessions.",
        remedy: "Clear HARDWARE_PROTECTED, or check D3D12_FEATURE_PROTECTED_RESOURCE_SESSION_SUPPORT before.",
        message: Some(message::CREATEHEAP_INVALIDMISCFLAGS),
        source: "Microsoft's documentation of D3D12_HEAP_FLAGS; the profile's caps.protected_resource_sessions",
    }
    FLAGS_WRITE_WATCH = "heap.flags.write_watch" {
        statement: "Write watch is for memory that the CPU writes.",
        remedy: "Clear ALLOW_WRITE_WATCH, or make the heap CPU-visible in pool L0.",
        message: Some(message::CREATEHEAP_INVALIDMISCFLAGS),
        source: "chosen, because the CPU's page tables watch the writes",
    }
    COMMITTED_DENY = "heap.flags.committed_deny" {
        statement: "The implicit heap of a committed resource has no DENY flags: it holds that resource.",
        remedy: "Clear the DENY flags.",
        message: Some(message::CREATERESOURCEANDHEAP_INVALIDHEAPMISCFLAGS),
        source: "Microsoft's documentation of CreateCommittedResource",
    }
    ATOMICS_CPU_ABSTRACTION = "heap.atomics.cpu_abstraction" {
        statement: "Shader atomics from a peer do not work in system memory: not on UPLOAD or READBACK heaps.",
        remedy: "Use DEFAULT, or CUSTOM where no peer's atomics are needed.",
        message: Some(message::CREATEHEAP_INVALIDMISCFLAGS),
        source: "spec/2-resource-heaps.txt 1518",
    }
    ATOMICS_PEER = "heap.atomics.peer" {
        statement: "A DEFAULT heap that a peer node sees allows shader atomics only where nodes support them.",
        remedy: "Check D3D12_FEATURE_CROSS_NODE.AtomicShaderInstructions before, or keep VisibleNodeMask within CreationNodeMask.",
        message: Some(message::CREATEHEAP_INVALIDMISCFLAGS),
        source: "spec/2-resource-heaps.txt 1517",
    }
    ATOMICS_COMMITTED_UAV = "heap.atomics.committed_uav" {
        statement: "A committed resource that allows shader atomics is written through unordered-access views.",
        remedy: "Add ALLOW_UNORDERED_ACCESS to the resource, or clear ALLOW_SHADER_ATOMICS.",
        message: Some(message::CREATERESOURCEANDHEAP_INVALIDHEAPMISCFLAGS),
        source: "spec/2-resource-heaps.txt 1521",
    }
    NODE_CREATION = "heap.node.creation" {
        statement: "A heap's memory is one node's.",
        remedy: "Set exactly one bit of CreationNodeMask, of a node that there is; 0 means node 0.",
        message: Some(message::NODE_MASK_MISMATCH),
        source: "spec/2-resource-heaps.txt 34-41; Microsoft's documentation of D3D12_HEAP_PROPERTIES",
    }
    NODE_VISIBLE = "heap.node.visible" {
        statement: "A heap is visible to the node that it is created on, and to nodes that there are.",
        remedy: "Let VisibleNodeMask hold the bit of CreationNodeMask and bits of nodes that there are; 0 means node 0.",
        message: Some(message::NODE_MASK_MISMATCH),
        source: "spec/2-resource-heaps.txt 34-41, 1516-1517",
    }
    NODE_SHARING = "heap.node.sharing" {
        statement: "A node sees another node's video memory only where nodes share it.",
        remedy: "Check D3D12_OPTIONS.CrossNodeSharingTier before, or keep VisibleNodeMask within CreationNodeMask.",
        message: Some(message::NODE_MASK_MISMATCH),
        source: "spec/2-resource-heaps.txt 1468-1482",
    }
    CUSTOM_PROPERTIES_TYPE = "heap.custom_properties.type" {
        statement: "GetCustomHeapProperties translates an abstraction: CUSTOM is not one.",
        remedy: "Ask for DEFAULT, UPLOAD, READBACK or GPU_UPLOAD.",
        message: Some(message::GETCUSTOMHEAPPROPERTIES_INVALIDHEAPTYPE),
        source: "Microsoft's documentation of GetCustomHeapProperties",
    }
}
