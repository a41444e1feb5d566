//! Who carries paging operations out on heaps.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapstone_driver::DriverError;
use heapstone_driver::cost::CostModel;
use heapstone_driver::paging::{HeapPaging, PagingStatistics};
use heapstone_kernel::{AllocationKey, PagingOperation, PagingPlace};
use parking_lot::Mutex;

use super::account::PagingAccount;
use super::store::StoreRoom;
use super::{Paged, Placed};
use crate::host::Segment;

/// The heaps of a driver that the memory manager may move.
#[derive(Debug)]
pub(crate) struct PagedHeaps {
    segments: Arc<[Segment]>,
    store_room: Arc<StoreRoom>,
    known: Mutex<BTreeMap<AllocationKey, Arc<Paged>>>,
    /// Held while a heap is paged: who moves one waits for engines, which may wait for another that is moved.
    paging: Mutex<()>,
}

impl PagedHeaps {
    /// In those segments; copies of what is evicted take at most `store_bytes`.
    pub(crate) fn new(segments: Arc<[Segment]>, store_bytes: u64) -> PagedHeaps {
        PagedHeaps {
            segments,
            store_room: Arc::new(StoreRoom::new(store_bytes)),
            known: Mutex::default(),
            paging: Mutex::new(()),
        }
    }

    pub(super) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    pub(super) const fn store_room(&self) -> &Arc<StoreRoom> {
        &self.store_room
    }

    pub(super) fn know(&self, key: AllocationKey, heap: &Arc<Paged>) {
        self.known.lock().insert(key, Arc::clone(heap));
    }

    pub(super) fn forget(&self, key: AllocationKey) {
        let forgotten = self.known.lock().remove(&key);
        drop(forgotten);
    }
}

/// Pages the heaps of a driver.
#[derive(Debug)]
pub(crate) struct SoftHeapPaging {
    heaps: Arc<PagedHeaps>,
    account: PagingAccount,
}

impl SoftHeapPaging {
    pub(crate) fn new(heaps: Arc<PagedHeaps>, cost: Arc<CostModel>) -> SoftHeapPaging {
        SoftHeapPaging { heaps, account: PagingAccount::new(cost) }
    }
}

impl HeapPaging for SoftHeapPaging {
    fn page(&mut self, operation: &PagingOperation) -> Result<(), DriverError> {
        let heap = self.heaps.known.lock().get(&operation.allocation()).cloned();
        let Some(heap) = heap else { return Ok(()) };
        let _paging = self.heaps.paging.lock();
        let is_done = match operation {
            PagingOperation::Transfer { from: PagingPlace::Segment { .. }, to, .. } => match placed(to) {
                Some(to) => heap.move_to(to),
                None => heap.page_out(true),
            },
            PagingOperation::Transfer { from: PagingPlace::BackingStore, to, .. } => match placed(to) {
                Some(to) => heap.page_in(to, None)?,
                None => false,
            },
            PagingOperation::Fill { place, pattern, .. } => match placed(place) {
                Some(place) => heap.page_in(place, Some(*pattern))?,
                None => false,
            },
            PagingOperation::Discard { .. } => heap.page_out(false),
        };
        if is_done {
            self.account.add(operation);
        }
        Ok(())
    }

    fn statistics(&self) -> PagingStatistics {
        self.account.statistics()
    }
}

fn placed(place: &PagingPlace) -> Option<Placed<'_>> {
    match place {
        PagingPlace::Segment { segment, ranges } => Some(Placed { segment: segment.index(), ranges }),
        PagingPlace::BackingStore => None,
    }
}
