//! Rules of residency.

rules! {
    RESIDENCY_PAGEABLE = "residency.pageable" {
        statement: "Residency is a matter of what owns memory: heaps, committed resources, descriptor heaps and query heaps.",
        remedy: "Name the heap that a placed resource lies in, or the heaps that a reserved resource's tiles show.",
        message: None,
        source: "spec/2-resource-heaps.txt 1646-1656",
    }
    RESIDENCY_DEVICE = "residency.device" {
        statement: "The objects of a residency call, and its fence, are of the device that is called.",
        remedy: "Call the device that created the object.",
        message: None,
        source: "Microsoft's public D3D12 documentation, ID3D12Device::MakeResident",
    }
    RESIDENCY_EVICT = "residency.evict" {
        statement: "An object is evicted at most as often as it was made resident; it is created resident once.",
        remedy: "Pair each Evict with a MakeResident that came before.",
        message: None,
        source: "facts/residency.md, Evict; chosen to be refused, because the count never goes negative",
    }
    RESIDENCY_COUNT = "residency.count" {
        statement: "An object is made resident at most 4294967295 times more than it is evicted.",
        remedy: "Pair each MakeResident with an Evict.",
        message: None,
        source: "chosen, because the count has 32 bits",
    }
    RESIDENCY_PRIORITY = "residency.priority" {
        statement: "A residency priority is not 0.",
        remedy: "Give one of the five named priorities, or a number between.",
        message: None,
        source: "facts/residency.md, Priorities",
    }
    RESIDENCY_TRIM_COOKIE = "residency.trim_cookie" {
        statement: "A trim notification is unregistered by the cookie that its registration gave, once.",
        remedy: "Keep the cookie, and forget it when the notification is unregistered.",
        message: None,
        source: "facts/residency.md, Trim",
    }
    EXECUTE_EVICTED = "queue.execute.evicted" {
        statement: "What a list refers to is resident when the list is submitted.",
        remedy: "Make it resident, and wait for that, before ExecuteCommandLists.",
        message: None,
        source: "facts/dma-splitting.md, Two regimes; facts/residency.md, Evict",
    }
}
