//! The paging queue: operations in order, each with its time, and the fence that tells when they are done.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use crate::paging::{PagingOperation, PagingPlace};

use super::config::PagingCosts;

/// What paging has done since the manager was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PagingStatistics {
    /// Bytes that came from the backing store.
    pub bytes_paged_in: u64,
    /// Bytes that went there.
    pub bytes_written_back: u64,
    /// Bytes that were dropped.
    pub bytes_discarded: u64,
    /// Bytes filled.
    pub bytes_filled: u64,
    /// Bytes that went from video memory to system memory.
    pub bytes_demoted: u64,
    /// Bytes that came back from there.
    pub bytes_promoted: u64,
    /// Bytes moved within a segment to make a range.
    pub bytes_compacted: u64,
    /// Operations.
    pub operation_count: u64,
    /// Allocations demoted.
    pub demotion_count: u64,
    /// Allocations promoted.
    pub promotion_count: u64,
    /// Processes suspended.
    pub suspension_count: u64,
    /// Times that a submission waited for paging.
    pub stall_count: u64,
    /// Virtual time that submissions waited for paging, in nanoseconds.
    pub stall_ns: u64,
    /// The longest such wait, in nanoseconds.
    pub stall_ns_max: u64,
}

#[derive(Debug)]
pub(crate) struct PagingQueue {
    costs: PagingCosts,
    /// Operations take so many times as long: at least 1.
    slowdown: u32,
    keeps_operations: bool,
    operations: Vec<PagingOperation>,
    /// Whether operations are kept that nobody took yet: to be asked without the lock.
    has_operations: Arc<AtomicBool>,
    /// The value of the last batch.
    last_value: u64,
    /// When all that was queued is done, in virtual nanoseconds.
    idle_at_ns: u64,
    /// Batches that are not done yet: value, and when it is reached.
    in_flight: std::collections::VecDeque<(u64, u64)>,
    pub(crate) statistics: PagingStatistics,
}

impl PagingQueue {
    pub(crate) fn new(costs: PagingCosts, first: u64, keeps_operations: bool) -> PagingQueue {
        PagingQueue {
            costs,
            slowdown: 1,
            keeps_operations,
            operations: Vec::new(),
            has_operations: Arc::default(),
            last_value: first - 1,
            idle_at_ns: 0,
            in_flight: std::collections::VecDeque::new(),
            statistics: PagingStatistics::default(),
        }
    }

    /// Queues a batch; returns its fence value and when it will be reached. A batch without operations is done when
    /// what is before it is.
    pub(crate) fn submit(&mut self, operations: Vec<PagingOperation>, now_ns: u64) -> (u64, u64) {
        let mut at = self.idle_at_ns.max(now_ns);
        for operation in &operations {
            at = at.saturating_add(self.duration_ns(operation));
            self.count(operation);
        }
        self.idle_at_ns = at;
        self.forget_done(now_ns);
        self.last_value = self.last_value.saturating_add(1);
        self.in_flight.push_back((self.last_value, at));
        if self.keeps_operations && !operations.is_empty() {
            self.operations.extend(operations);
            self.has_operations.store(true, Ordering::Release);
        }
        (self.last_value, at)
    }

    pub(crate) fn set_slowdown(&mut self, times: u32) {
        self.slowdown = times.max(1);
    }

    /// The value that the fence has at `now_ns`.
    pub(crate) fn reached(&mut self, now_ns: u64) -> u64 {
        self.forget_done(now_ns);
        self.in_flight.front().map_or(self.last_value, |(value, _)| value - 1)
    }

    /// Batches that are done by then are known by the value that follows them.
    fn forget_done(&mut self, now_ns: u64) {
        while self.in_flight.front().is_some_and(|(_, at)| *at <= now_ns) {
            self.in_flight.pop_front();
        }
    }

    /// When all is done.
    pub(crate) const fn idle_at_ns(&self) -> u64 {
        self.idle_at_ns
    }

    pub(crate) fn keep_operations(&mut self) {
        self.keeps_operations = true;
    }

    pub(crate) fn has_operations(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.has_operations)
    }

    pub(crate) fn take_operations(&mut self) -> Vec<PagingOperation> {
        self.has_operations.store(false, Ordering::Release);
        core::mem::take(&mut self.operations)
    }

    fn duration_ns(&self, operation: &PagingOperation) -> u64 {
        let moving = match operation {
            PagingOperation::Transfer { bytes, .. } => time_ns(*bytes, self.costs.bus_bytes_per_second),
            PagingOperation::Fill { bytes, .. } => time_ns(*bytes, self.costs.fill_bytes_per_second),
            PagingOperation::Discard { .. } => return 0,
        };
        moving.saturating_add(self.costs.operation_ns).saturating_mul(u64::from(self.slowdown))
    }

    fn count(&mut self, operation: &PagingOperation) {
        let statistics = &mut self.statistics;
        statistics.operation_count += 1;
        let counter = match operation {
            PagingOperation::Transfer { from: PagingPlace::BackingStore, .. } => {
                &mut statistics.bytes_paged_in
            }
            PagingOperation::Transfer { to: PagingPlace::BackingStore, .. } => {
                &mut statistics.bytes_written_back
            }
            PagingOperation::Transfer {
                from: PagingPlace::Segment { segment: from, .. },
                to: PagingPlace::Segment { segment: to, .. },
                ..
            } => match from.cmp(to) {
                core::cmp::Ordering::Equal => &mut statistics.bytes_compacted,
                // Told apart by who queues them: see `Pager::demote` and `Pager::promote`.
                _ => return,
            },
            PagingOperation::Fill { .. } => &mut statistics.bytes_filled,
            PagingOperation::Discard { .. } => &mut statistics.bytes_discarded,
        };
        *counter = counter.saturating_add(operation.bytes());
    }
}

/// Nanoseconds for `bytes`, rounded up.
fn time_ns(bytes: u64, bytes_per_second: u64) -> u64 {
    let ns = (u128::from(bytes) * 1_000_000_000).div_ceil(u128::from(bytes_per_second.max(1)));
    u64::try_from(ns).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_takes_no_memory_though_nobody_asks_for_the_fence() {
        let mut queue = PagingQueue::new(PagingCosts::default(), 1, false);
        let mut now_ns = 0;
        for value in 1..=1000 {
            let place = PagingPlace::BackingStore;
            let allocation = crate::paging::AllocationKey(1.try_into().unwrap());
            let fill = PagingOperation::Fill { allocation, place, bytes: 65_536, pattern: 0 };
            let (submitted, at) = queue.submit(vec![fill], now_ns);
            assert_eq!(submitted, value);
            assert!(queue.in_flight.len() <= 1, "{} batches", queue.in_flight.len());
            now_ns = at;
        }
        assert_eq!(queue.reached(now_ns), 1000);
    }
}
