//! What queues run: the packets of the scheduler.

use core::mem;
use std::sync::Arc;

use heapstone_driver::dma::Cursor;
use heapstone_driver::engine::{
    DriverQueue, EngineFault, ExecuteLimit, QueueStatistics, TileCopyRun, TileRun,
};
use heapstone_scheduler::{Progress, RunLimit, Turn, Work};
use parking_lot::Mutex;

use crate::address::MemoryHold;
use crate::command::InFlight;
use crate::error::RemovalReason;
use crate::fault::GpuFault;
use crate::gpu::Removal;
use crate::heap::Heap;
use crate::residency::{Kept, ResidentUse};
use crate::resource::Resource;

/// What a queue runs its packets on.
pub(crate) struct QueueContext {
    pub(crate) driver: Box<dyn DriverQueue>,
    /// What the driver's queue has done, for whoever asks while it works.
    pub(crate) statistics: Arc<Mutex<QueueStatistics>>,
    pub(crate) removal: Arc<Removal>,
}

/// One packet of a queue.
pub(crate) enum Submission {
    /// A command list.
    Execute(Execution),
    /// UpdateTileMappings.
    UpdateTiles {
        resource: Resource,
        runs: Vec<TileRun>,
        /// Alive until the mappings are made: that it stays so is the program's business.
        heap: Option<Heap>,
    },
    /// CopyTileMappings.
    CopyTiles { destination: Resource, source: Resource, runs: Vec<TileCopyRun> },
    /// Paging, which the memory manager has decided: it takes time.
    Page { duration_ns: u64 },
}

/// A command list in flight.
pub(crate) struct Execution {
    pub(crate) list: InFlight,
    pub(crate) cursor: Cursor,
    pub(crate) calls_done: u64,
    /// All that the list refers to, alive until it has run: the GPU never reaches freed memory, and a
    /// program that destroys early is told instead.
    pub(crate) holds: Vec<MemoryHold>,
    /// How it is kept where it is.
    kept: Option<Kept>,
    /// The same of what tiles show.
    tiles: Vec<ResidentUse>,
}

impl Execution {
    fn run(&mut self, driver: &mut dyn DriverQueue, limit: RunLimit) -> Result<bool, EngineFault> {
        // At its first turn: tiles show what the packets before it made of them.
        if self.calls_done == 0 && self.cursor == Cursor::default() {
            let list = &self.list;
            let tiles = self
                .holds
                .iter()
                .enumerate()
                .filter_map(|(index, hold)| hold.device().begin_tile_use(hold, list.is_written(index)));
            self.tiles = tiles.collect();
        }
        let (limit, calls) = match limit {
            RunLimit::All => (ExecuteLimit::End, u64::MAX),
            RunLimit::Commands(count) => {
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                (ExecuteLimit::Calls(count), u64::from(count))
            }
        };
        driver.execute(&self.list.dma, &mut self.cursor, limit)?;
        self.calls_done = self.calls_done.saturating_add(calls);
        Ok(self.cursor.word >= self.list.dma.words().len())
    }
}

impl Execution {
    pub(crate) fn new(list: InFlight, holds: Vec<MemoryHold>, kept: Kept) -> Execution {
        for hold in &holds {
            hold.begin_flight();
        }
        let (cursor, tiles) = (Cursor::default(), Vec::new());
        Execution { list, cursor, calls_done: 0, holds, kept: Some(kept), tiles }
    }
}

impl Drop for Execution {
    fn drop(&mut self) {
        // Whoever hears of what goes here may panic.
        let removal = self.holds.first().map(|hold| Arc::clone(&hold.device().gpu.removal));
        let driving = removal.as_deref().map(|removal| Driving { removal });
        // What it held in memory may go with its last handle below.
        self.tiles.clear();
        if let Some((kept, hold)) = self.kept.take().zip(self.holds.first()) {
            hold.device().end_use(kept, &self.holds);
        }
        for hold in self.holds.drain(..) {
            hold.end_flight();
            hold.tell_if_last();
        }
        mem::forget(driving);
    }
}

/// There while the driver works or observers are told, and forgotten when that is over: dropped only where they
/// panic. The scheduler then removes itself, and the device is to know it before a fence tells.
struct Driving<'a> {
    removal: &'a Removal,
}

impl Drop for Driving<'_> {
    fn drop(&mut self) {
        self.removal.set(RemovalReason::Panicked);
    }
}

impl Submission {
    /// What it refers to.
    fn holds(&self) -> Vec<MemoryHold> {
        match self {
            Submission::Execute(execution) => execution.holds.clone(),
            Submission::UpdateTiles { resource, heap, .. } => {
                let heap = heap.iter().cloned().map(MemoryHold::Heap);
                core::iter::once(MemoryHold::Resource(resource.clone())).chain(heap).collect()
            }
            Submission::CopyTiles { destination, source, .. } => {
                [destination, source].map(|resource| MemoryHold::Resource(resource.clone())).to_vec()
            }
            Submission::Page { .. } => Vec::new(),
        }
    }
}

impl Work for Submission {
    type Context = QueueContext;
    type Fault = RemovalReason;

    fn run(&mut self, context: &mut QueueContext, turn: Turn) -> Result<Progress, RemovalReason> {
        let driver = &mut *context.driver;
        let driving = Driving { removal: &context.removal };
        driver.wait_until(turn.time_ns);
        let result = match self {
            Submission::Execute(execution) => execution.run(driver, turn.limit),
            Submission::UpdateTiles { resource, runs, heap: _ } => {
                driver.update_tile_mappings(resource.inner.gpu_virtual_address, runs).map(|()| true)
            }
            Submission::CopyTiles { destination, source, runs } => driver
                .copy_tile_mappings(
                    destination.inner.gpu_virtual_address,
                    source.inner.gpu_virtual_address,
                    runs,
                )
                .map(|()| true),
            Submission::Page { duration_ns } => {
                driver.wait_until(turn.time_ns.saturating_add(*duration_ns));
                Ok(true)
            }
        };
        *context.statistics.lock() = driver.statistics();
        let elapsed_ns = driver.time_ns().saturating_sub(turn.time_ns);
        mem::forget(driving);
        match result {
            Ok(done) => Ok(Progress { done, elapsed_ns }),
            Err(fault) => {
                let fault = match self.holds() {
                    // Anything that it refers to knows the device.
                    holds if holds.is_empty() => GpuFault { fault, near: None },
                    holds => {
                        let first = holds[0].clone();
                        GpuFault::locate(fault, first.device(), holds)
                    }
                };
                let reason = RemovalReason::Fault(fault);
                context.removal.set(reason.clone());
                Err(reason)
            }
        }
    }

    fn describe(&self) -> String {
        match self {
            Submission::Execute(execution) => {
                format!("list {}, {} calls", execution.list.list, execution.list.dma.command_count())
            }
            Submission::UpdateTiles { resource, runs, .. } => {
                format!("UpdateTileMappings of {}, {} runs", resource.id(), runs.len())
            }
            Submission::Page { duration_ns } => format!("paging of {duration_ns} ns"),
            Submission::CopyTiles { destination, source, runs } => {
                format!("CopyTileMappings of {} to {}, {} runs", source.id(), destination.id(), runs.len())
            }
        }
    }

    fn remaining(&self) -> u64 {
        match self {
            Submission::Execute(execution) => {
                u64::from(execution.list.dma.command_count()).saturating_sub(execution.calls_done)
            }
            Submission::UpdateTiles { .. } | Submission::CopyTiles { .. } | Submission::Page { .. } => 1,
        }
    }
}
