//! What paging of heaps has done, and the time that it takes.

use std::sync::Arc;

use heapstone_driver::cost::{COMMAND_NS, CostModel};
use heapstone_driver::paging::PagingStatistics;
use heapstone_kernel::{PagingOperation, PagingPlace};

/// Counts operations, and their time by the profile's bandwidths: that of the slower of the places a transfer passes.
#[derive(Debug)]
pub(crate) struct PagingAccount {
    cost: Arc<CostModel>,
    statistics: PagingStatistics,
}

impl PagingAccount {
    pub(crate) fn new(cost: Arc<CostModel>) -> PagingAccount {
        PagingAccount { cost, statistics: PagingStatistics::default() }
    }

    pub(crate) const fn statistics(&self) -> PagingStatistics {
        self.statistics
    }

    /// An operation was carried out.
    pub(crate) fn add(&mut self, operation: &PagingOperation) {
        let bytes = operation.bytes();
        let transfer_ns = match operation {
            PagingOperation::Transfer { from, to, .. } => {
                self.count_transfer(from, to, bytes);
                self.ns(from, bytes).max(self.ns(to, bytes))
            }
            PagingOperation::Fill { place, .. } => {
                self.statistics.bytes_filled = self.statistics.bytes_filled.saturating_add(bytes);
                self.ns(place, bytes)
            }
            PagingOperation::Discard { .. } => 0,
        };
        let ns = COMMAND_NS.saturating_add(transfer_ns);
        self.statistics.operations += 1;
        self.statistics.busy_ns = self.statistics.busy_ns.saturating_add(ns);
    }

    fn count_transfer(&mut self, from: &PagingPlace, to: &PagingPlace, bytes: u64) {
        let count = match (from, to) {
            (PagingPlace::Segment { .. }, PagingPlace::Segment { .. }) => &mut self.statistics.bytes_moved,
            (_, PagingPlace::Segment { .. }) => &mut self.statistics.bytes_paged_in,
            (_, PagingPlace::BackingStore) => &mut self.statistics.bytes_written_back,
        };
        *count = count.saturating_add(bytes);
    }

    fn ns(&self, place: &PagingPlace, bytes: u64) -> u64 {
        match place {
            PagingPlace::Segment { segment, .. } => self.cost.transfer_ns(segment.index(), bytes),
            PagingPlace::BackingStore => self.cost.store_ns(bytes),
        }
    }
}
