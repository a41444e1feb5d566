//! Rules of heaps, resources and fences that processes share.

rules! {
    SHARED_FLAG = "share.flag" {
        statement: "What is shared was created for it: a heap or a committed resource with HEAP_FLAG_SHARED.",
        remedy: "Create it with D3D12_HEAP_FLAG_SHARED.",
        message: None,
        source: "spec/2-resource-heaps.txt 48; Microsoft's public D3D12 documentation, ID3D12Device::CreateSharedHandle",
    }
    SHARED_KIND = "share.kind" {
        statement: "Heaps and committed resources are shared; a placed or reserved resource has no memory of its own.",
        remedy: "Share the heap, and place the resource in it again where it is opened.",
        message: None,
        source: "spec/2-resource-heaps.txt 89-90",
    }
    SHARED_DESCRIPTION = "share.description" {
        statement: "What is opened is what was shared: a file of sealed size with a description that fits it.",
        remedy: "Open a handle that CreateSharedHandle gave out.",
        message: None,
        source: "chosen, because a description from another process may say anything",
    }
    EXISTING_SUPPORT = "existing.support" {
        statement: "Heaps are opened from existing memory on adapters with D3D12_FEATURE_EXISTING_HEAPS.",
        remedy: "Ask CheckFeatureSupport first, and copy where it is not supported.",
        message: None,
        source: "Microsoft's public D3D12 documentation, D3D12_FEATURE_DATA_EXISTING_HEAPS",
    }
    EXISTING_MEMORY = "existing.memory" {
        statement: "Existing memory begins at a multiple of 64 KiB, has a multiple of 64 KiB of bytes, and is read and written.",
        remedy: "Map whole 64 KiB pages, to be read and written.",
        message: None,
        source: "facts/behaviour.md, Lists, queues, fences; multiples chosen, because an address range has pages of 64 KiB",
    }
}
