//! Rules of creation at a given GPU virtual address (ID3D12DeviceTools::SetNextAllocationAddress).

rules! {
    SDK = "address.sdk" {
        statement: "Creation at a given address is known from SDK 614 on.",
        remedy: "Use a newer SDK.",
        message: None,
        since: Inbox,
        until: V606,
        source: "Microsoft's public headers: D3D12_FEATURE_DATA_D3D12_OPTIONS20, first in the SDKs of 2023",
    }
    ALIGNMENT = "address.alignment" {
        statement: "A given address is a multiple of the alignment that the heap, or the buffer, has.",
        remedy: "Give the address that the object had when it was recorded.",
        message: None,
        source: "chosen, because the driver must create it at that address and no other, and none has another alignment",
    }
    RANGE = "address.range" {
        statement: "Given addresses lie in what a process can get: from 64 KiB up to the adapter's limit.",
        remedy: "Give an address below 2^MaxGPUVirtualAddressBitsPerProcess.",
        message: None,
        source: "spec/2-resource-heaps.txt 383-386; chosen, because the first 64 KiB are never handed out",
    }
    TAKEN = "address.taken" {
        statement: "Given addresses are free.",
        remedy: "Destroy what lies there first, or give another address.",
        message: None,
        source: "Microsoft's specification Recreate at GPUVA: what cannot be created at the address is an error",
    }
    KIND = "address.kind" {
        statement: "Only heaps and buffers are created at a given address.",
        remedy: "Create textures without a call of SetNextAllocationAddress before.",
        message: None,
        source: "Microsoft's specification Recreate at GPUVA: a given address is valid for heaps and buffers only",
    }
    PLACED = "address.placed" {
        statement: "A placed buffer's given address is its heap's first plus the offset.",
        remedy: "Create the heap at the address that leads there.",
        message: None,
        source: "Microsoft's specification Recreate at GPUVA: the heap below a placed resource is created at its address",
    }
}
