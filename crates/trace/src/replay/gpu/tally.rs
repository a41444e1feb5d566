//! The account of GPU work.

use heapstone::{CommandQueue, Device, GpuMode};
use heapstone_spec::commands::CommandListType;

use super::objects::QueueState;
use crate::gpu::GpuCallKind;
use crate::model::TraceId;
use crate::replay::report::{GpuCallUse, GpuWork, QueueWork, ResidencyCallUse, ResidencyWork};

/// Which row a queue's work is booked in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct QueueRow(usize);

/// Queues that have a row of their own; those beyond share the last (chosen: a report is read).
const QUEUES_MAX: usize = 64;

const KIND_COUNT: usize = GpuCallKind::ALL.len();

#[derive(Clone, Copy, Debug, Default)]
struct KindUse {
    count: u64,
    refused: u64,
    bytes: u64,
}

/// What a replay counts of GPU work.
#[derive(Debug)]
pub(crate) struct Tally {
    kinds: [KindUse; KIND_COUNT],
    queues: Vec<QueueWork>,
    /// Lists that did not close here, for a command that was refused.
    pub(super) lists_failed: u64,
    /// Executions of lists that are not there to be executed.
    pub(super) lists_left_out: u64,
    /// Waits of the CPU.
    pub(super) waits: u64,
    /// Those for values that nothing pending leads to.
    pub(super) waits_unreached: u64,
    /// Copies by the CPU of more bytes than are kept for that.
    pub(super) copies_left_out: u64,
    /// Objects of residency calls that have no memory of their own in this placement.
    pub(super) objects_left_out: u64,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally {
            kinds: [KindUse::default(); KIND_COUNT],
            queues: Vec::new(),
            lists_failed: 0,
            lists_left_out: 0,
            waits: 0,
            waits_unreached: 0,
            copies_left_out: 0,
            objects_left_out: 0,
        }
    }
}

impl Tally {
    fn kind(&mut self, kind: GpuCallKind) -> &mut KindUse {
        let index = GpuCallKind::ALL.iter().position(|other| *other == kind);
        &mut self.kinds[index.expect("invariant: every kind is one of all")]
    }

    pub(super) fn made(&mut self, kind: GpuCallKind) {
        self.kind(kind).count += 1;
    }

    pub(super) fn refused(&mut self, kind: GpuCallKind) {
        self.kind(kind).refused += 1;
    }

    pub(super) fn moved(&mut self, kind: GpuCallKind, bytes: u64) {
        let kind = self.kind(kind);
        kind.bytes = kind.bytes.saturating_add(bytes);
    }

    /// A row for a queue.
    pub(super) fn queue(&mut self, id: TraceId, list_type: CommandListType) -> QueueRow {
        if self.queues.len() < QUEUES_MAX {
            self.queues.push(QueueWork { id: Some(id), list_type: Some(list_type), ..QueueWork::default() });
        } else if let Some(last) = self.queues.last_mut() {
            (last.id, last.list_type, last.name) = (None, None, None);
        }
        QueueRow(self.queues.len() - 1)
    }

    pub(super) fn row(&mut self, QueueRow(row): QueueRow) -> &mut QueueWork {
        &mut self.queues[row]
    }

    pub(super) fn named(&mut self, row: QueueRow, name: &str) {
        let work = self.row(row);
        if work.id.is_some() {
            work.name = Some(name.to_owned());
        }
    }

    /// Books what a queue has done, once it is done.
    pub(super) fn settle(&mut self, state: &QueueState) {
        let statistics = state.queue.statistics();
        let (time, pending) = (state.queue.timestamp(), pending(&state.queue));
        let work = self.row(state.row);
        work.commands = work.commands.saturating_add(statistics.calls);
        work.parts = work.parts.saturating_add(statistics.parts);
        work.bytes_read = work.bytes_read.saturating_add(statistics.bytes_read);
        work.bytes_written = work.bytes_written.saturating_add(statistics.bytes_written);
        work.tiles_mapped = work.tiles_mapped.saturating_add(statistics.tiles_mapped);
        work.busy_ns = work.busy_ns.saturating_add(statistics.busy_ns);
        work.time_ns = work.time_ns.max(time);
        work.pending = work.pending.saturating_add(pending);
    }

    /// The calls that the trace has, of those that make GPU work or of those that do not.
    fn calls(&self, of_residency: bool) -> Vec<GpuCallUse> {
        let uses = GpuCallKind::ALL.iter().zip(self.kinds);
        uses.filter(|(kind, used)| used.count > 0 && kind.is_residency() == of_residency)
            .map(|(kind, KindUse { count, refused, bytes })| GpuCallUse {
                call: kind.name(),
                count,
                refused,
                bytes,
            })
            .collect()
    }

    /// The account of residency, where there was any call of it.
    pub(crate) fn residency(&self, device: &Device) -> Option<ResidencyWork> {
        let uses = self.calls(true);
        if uses.is_empty() {
            return None;
        }
        let calls = uses.into_iter().map(|GpuCallUse { call, count, refused, .. }| ResidencyCallUse {
            call,
            count,
            refused,
        });
        let paging = device.adapter().paging_statistics();
        Some(ResidencyWork {
            calls: calls.collect(),
            objects_left_out: self.objects_left_out,
            bytes_paged_in: paging.bytes_paged_in,
            bytes_written_back: paging.bytes_written_back,
        })
    }

    /// The account, where there was any GPU work.
    pub(crate) fn finish(self, device: &Device) -> Option<GpuWork> {
        let calls = self.calls(false);
        if calls.is_empty() {
            return None;
        }
        let mode = match device.gpu_mode() {
            GpuMode::Immediate => "immediate",
            GpuMode::Threaded => "threaded",
            GpuMode::Stepped => "stepped",
        };
        Some(GpuWork {
            mode,
            queues: self.queues,
            calls,
            lists_failed: self.lists_failed,
            lists_left_out: self.lists_left_out,
            waits: self.waits,
            waits_unreached: self.waits_unreached,
            copies_left_out: self.copies_left_out,
            removed: device.removed_reason().map(ToString::to_string),
        })
    }
}

fn pending(queue: &CommandQueue) -> u64 {
    crate::error::as_u64(queue.pending().len())
}
