//! Which reserved resources GPU work in flight refers to, so that a heap which goes under their tiles is told.

use std::collections::BTreeMap;

use heapstone_units::GpuVirtualAddress;
use parking_lot::Mutex;

/// Addresses of reserved resources, each with how many lists in flight refer to it. Of observed devices only:
/// nobody else hears of it.
#[derive(Default)]
pub(crate) struct TilesInFlight {
    lists: Mutex<BTreeMap<u64, u32>>,
}

impl TilesInFlight {
    /// A list that refers to the resource is submitted.
    pub(crate) fn begin(&self, resource: GpuVirtualAddress) {
        *self.lists.lock().entry(resource.0).or_default() += 1;
    }

    /// And has run.
    pub(crate) fn end(&self, resource: GpuVirtualAddress) {
        let mut lists = self.lists.lock();
        if let Some(count) = lists.get_mut(&resource.0) {
            *count -= 1;
            if *count == 0 {
                lists.remove(&resource.0);
            }
        }
    }

    /// The resources that some list in flight refers to.
    pub(crate) fn resources(&self) -> Vec<GpuVirtualAddress> {
        self.lists.lock().keys().copied().map(GpuVirtualAddress).collect()
    }
}
