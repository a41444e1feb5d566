//! What a class tells of an object for ReportLiveDeviceObjects (`device::live`).

/// What there is to tell of a live object beside its counts.
#[derive(Default)]
pub struct Live {
    /// In bytes, where it has a size.
    pub size: Option<u64>,
    /// References that the library's own objects have of it.
    pub internal_count: usize,
    /// [`heapstone::Heap::identity`] of the heap that it is.
    pub is_heap: Option<usize>,
    /// The heap that it keeps.
    pub in_heap: Option<KeptHeap>,
}

/// What there is to tell of a heap that a resource keeps, and no handle of it, which would count.
pub struct KeptHeap {
    /// [`heapstone::Heap::identity`].
    pub identity: usize,
    /// Empty where it has none.
    pub name: String,
    /// In bytes.
    pub size: u64,
    /// How many keep it.
    pub internal_count: usize,
}

impl KeptHeap {
    /// Of that heap.
    #[must_use]
    pub fn of(heap: &heapstone::Heap) -> KeptHeap {
        let (identity, internal_count) = (heap.identity(), heap.handle_count());
        KeptHeap { identity, name: heap.name(), size: heap.desc().size, internal_count }
    }
}
