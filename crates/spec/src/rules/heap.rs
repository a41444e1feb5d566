//! Rules of heaps, explicit and implicit.

use crate::message;

rules! {
    SIZE_ZERO = "heap.size.zero" {
        statement: "A heap holds at least one byte.",
        remedy: "Give a SizeInBytes above 0.",
        message: Some(message::CREATEHEAP_INVALIDSIZE),
        source: "spec/2-resource-heaps.txt 50-61; chosen: the specification gives no lower bound, a heap of nothing has no use",
    }
}
