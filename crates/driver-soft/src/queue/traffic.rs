//! What commands cost: bytes by segment, and the engine's time.

use std::sync::Arc;

use heapstone_driver::cost::{COMMAND_NS, CostModel};
use heapstone_driver::engine::QueueStatistics;

/// The engine's clock and counts.
#[derive(Debug)]
pub(super) struct Meter {
    cost: Arc<CostModel>,
    statistics: QueueStatistics,
    time_ns: u64,
    /// Bytes of the command that is running, by segment.
    by_segment: Vec<u64>,
    /// The segments and bytes of the copy before, and what it took: small copies come in rows of equals, and a
    /// division takes longer than to compare them.
    last_copy: ([usize; 2], u64, u64),
}

impl Meter {
    pub(super) const fn new(cost: Arc<CostModel>) -> Meter {
        Meter {
            cost,
            statistics: QueueStatistics {
                calls: 0,
                bytes_read: 0,
                bytes_written: 0,
                tiles_mapped: 0,
                parts: 0,
                busy_ns: 0,
            },
            time_ns: 0,
            by_segment: Vec::new(),
            last_copy: ([0; 2], 0, COMMAND_NS),
        }
    }

    pub(super) const fn statistics(&self) -> QueueStatistics {
        self.statistics
    }

    pub(super) const fn time_ns(&self) -> u64 {
        self.time_ns
    }

    pub(super) fn wait_until(&mut self, time_ns: u64) {
        self.time_ns = self.time_ns.max(time_ns);
    }

    /// A command was done that begins a call, or goes on with one.
    #[inline]
    pub(super) fn count_calls(&mut self, begins: bool) {
        self.statistics.calls += u64::from(begins);
    }

    /// The running command moves `bytes` in a segment.
    #[inline]
    pub(super) fn moves(&mut self, segment: usize, bytes: u64) {
        if segment >= self.by_segment.len() {
            self.by_segment.resize(segment + 1, 0);
        }
        self.by_segment[segment] = self.by_segment[segment].saturating_add(bytes);
    }

    /// The command is done.
    #[inline]
    pub(super) fn command(&mut self, bytes_read: u64, bytes_written: u64) {
        self.statistics.bytes_read = self.statistics.bytes_read.saturating_add(bytes_read);
        self.statistics.bytes_written = self.statistics.bytes_written.saturating_add(bytes_written);
        let mut transfer_ns = 0;
        for (segment, bytes) in self.by_segment.iter_mut().enumerate() {
            if *bytes != 0 {
                transfer_ns = self.cost.transfer_ns(segment, core::mem::take(bytes)).max(transfer_ns);
            }
        }
        self.passes(COMMAND_NS.saturating_add(transfer_ns));
    }

    /// A barrier was passed.
    #[inline(always)]
    pub(super) fn barrier(&mut self) {
        self.passes(COMMAND_NS);
    }

    /// A copy of `bytes` from one segment to another, or within one, is done.
    #[inline(always)]
    pub(super) fn copy(&mut self, [to, from]: [usize; 2], bytes: u64) {
        self.statistics.bytes_read = self.statistics.bytes_read.saturating_add(bytes);
        self.statistics.bytes_written = self.statistics.bytes_written.saturating_add(bytes);
        if (self.last_copy.0, self.last_copy.1) != ([to, from], bytes) {
            let transfer_ns = if to == from {
                self.cost.transfer_ns(to, bytes.saturating_mul(2))
            } else {
                self.cost.transfer_ns(to, bytes).max(self.cost.transfer_ns(from, bytes))
            };
            self.last_copy = ([to, from], bytes, COMMAND_NS.saturating_add(transfer_ns));
        }
        self.passes(self.last_copy.2);
    }

    /// Tiles were mapped.
    pub(super) fn mapping(&mut self, tiles: u64) {
        self.statistics.tiles_mapped = self.statistics.tiles_mapped.saturating_add(tiles);
        self.passes(COMMAND_NS);
    }

    /// A part begins, before which so many ranges were mapped and unmapped.
    pub(super) fn part(&mut self, mappings: u64) {
        self.statistics.parts += 1;
        self.passes(COMMAND_NS.saturating_mul(mappings));
    }

    /// The command did not come to an end.
    pub(super) fn abandon(&mut self) {
        self.by_segment.fill(0);
    }

    #[inline]
    fn passes(&mut self, ns: u64) {
        self.statistics.busy_ns = self.statistics.busy_ns.saturating_add(ns);
        self.time_ns = self.time_ns.saturating_add(ns);
    }
}
