//! Queues and fences: what is executed, and when the CPU waits.

use core::time::Duration;

use heapstone::{
    CommandList, CommandQueue, Error, Fence, GpuMode, Heap, QueueStatus, UpdateTileMappingsDesc, WaitOutcome,
};

use super::objects::{GpuObject, QueueState};
use super::tally::QueueRow;
use crate::gpu::GpuCall;
use crate::model::{Record, TraceId};
use crate::replay::objects::Object;
use crate::replay::replayer::Replayer;
use crate::replay::report::TraceMistake;

/// How long a look at the workers takes, at least (chosen: long against a packet of theirs).
const LOOK: Duration = Duration::from_millis(1);

/// Looks in a row that must find every queue at rest before a wait is given up: one queue's signal may be on its
/// way to another.
const LOOKS: u32 = 3;

impl Replayer {
    pub(super) fn queue_call(&mut self, record: &Record, id: TraceId, call: &GpuCall) {
        match call {
            GpuCall::ExecuteCommandLists { lists } => self.execute(record, id, lists, call),
            GpuCall::QueueSignal { fence, value } => {
                let Some((queue, row)) = self.queue(record, id) else { return };
                let Some(fence) = self.fence(record, *fence) else { return };
                self.gpu.tally.row(row).signals += 1;
                let result = queue.signal(&fence, *value);
                self.gpu_ended(record, call, result);
            }
            GpuCall::QueueWait { fence, value } => {
                let Some((queue, row)) = self.queue(record, id) else { return };
                let Some(fence) = self.fence(record, *fence) else { return };
                self.gpu.tally.row(row).waits += 1;
                let result = queue.wait(&fence, *value);
                self.gpu_ended(record, call, result);
            }
            GpuCall::FenceSignal { value } => {
                let Some(fence) = self.fence(record, id) else { return };
                let result = fence.signal(*value);
                self.gpu_ended(record, call, result);
            }
            GpuCall::FenceWait { value } => {
                let Some(fence) = self.fence(record, id) else { return };
                self.gpu.tally.waits += 1;
                match self.wait(&fence, *value) {
                    Ok(true) => self.gpu_ended(record, call, Ok(())),
                    Ok(false) => self.gpu.tally.waits_unreached += 1,
                    Err(error) => self.gpu_ended(record, call, Err(error)),
                }
            }
            GpuCall::UpdateTileMappings { .. } | GpuCall::CopyTileMappings { .. } => {
                self.tile_call(record, id, call);
            }
            _ => {}
        }
    }

    fn queue(&mut self, record: &Record, id: TraceId) -> Option<(CommandQueue, QueueRow)> {
        if let Some(GpuObject::Queue(state)) = self.gpu.objects.get(&id) {
            return Some((state.queue.clone(), state.row));
        }
        self.gpu_unfit(record, id, "command queue");
        None
    }

    pub(super) fn fence(&mut self, record: &Record, id: TraceId) -> Option<Fence> {
        if let Some(GpuObject::Fence(fence)) = self.gpu.objects.get(&id) {
            return Some(fence.clone());
        }
        self.gpu_unfit(record, id, "fence");
        None
    }

    /// Lists that failed to close here are left out: executed, they would remove the device, and the
    /// replay would say nothing of the rest.
    fn execute(&mut self, record: &Record, id: TraceId, lists: &[TraceId], call: &GpuCall) {
        let Some((queue, row)) = self.queue(record, id) else { return };
        for list in lists {
            if !matches!(self.gpu.objects.get(list), Some(GpuObject::List(_) | GpuObject::Missing)) {
                self.gpu_unfit(record, *list, "command list");
                return;
            }
        }
        let there: Vec<&CommandList> = lists
            .iter()
            .filter_map(|list| match self.gpu.objects.get(list) {
                Some(GpuObject::List(state)) if !state.is_left_out => Some(&state.list),
                _ => None,
            })
            .collect();
        let executed = crate::error::as_u64(there.len());
        let left_out = crate::error::as_u64(lists.len() - there.len());
        if let Some(memory) = &mut self.memory {
            memory.executed(&there);
        }
        // An execution of nothing but those is none.
        let result =
            if there.is_empty() && left_out > 0 { None } else { Some(queue.execute_command_lists(&there)) };
        self.gpu.tally.lists_left_out += left_out;
        if let Some(result) = result {
            let work = self.gpu.tally.row(row);
            work.executions += 1;
            if result.is_ok() {
                work.lists += executed;
            }
            self.gpu_ended(record, call, result);
        }
    }

    fn tile_call(&mut self, record: &Record, id: TraceId, call: &GpuCall) {
        let Some((queue, row)) = self.queue(record, id) else { return };
        let result = match call {
            GpuCall::UpdateTileMappings {
                resource,
                region_start_coordinates,
                region_sizes,
                heap,
                range_flags,
                heap_range_start_offsets,
                range_tile_counts,
                flags,
            } => {
                let Some(resource) = self.gpu_resource(record, *resource) else { return };
                let heap = match heap {
                    None => None,
                    Some(heap) => {
                        let Some(heap) = self.tile_heap(record, *heap) else { return };
                        Some(heap)
                    }
                };
                let desc = UpdateTileMappingsDesc {
                    region_start_coordinates: region_start_coordinates.as_deref(),
                    region_sizes: region_sizes.as_deref(),
                    heap: heap.as_ref(),
                    range_flags: range_flags.as_deref(),
                    heap_range_start_offsets: heap_range_start_offsets.as_deref(),
                    range_tile_counts: range_tile_counts.as_deref(),
                    flags: *flags,
                };
                queue.update_tile_mappings(&resource, &desc)
            }
            GpuCall::CopyTileMappings {
                destination,
                destination_start,
                source,
                source_start,
                size,
                flags,
            } => {
                let Some(destination) = self.gpu_resource(record, *destination) else { return };
                let Some(source) = self.gpu_resource(record, *source) else { return };
                queue.copy_tile_mappings(&destination, destination_start, &source, source_start, size, *flags)
            }
            _ => return,
        };
        self.gpu.tally.row(row).tile_calls += 1;
        self.gpu_ended(record, call, result);
    }

    /// A heap that tiles are mapped to: it is made in every placement, as tiles have no other place.
    fn tile_heap(&mut self, record: &Record, id: TraceId) -> Option<Heap> {
        if let Some(Object::VirtualHeap(desc)) = self.objects.get(&id) {
            let desc = **desc;
            let key = self.heap_for_tiles(record, id, &desc)?;
            self.objects.insert(id, Object::Heap(key));
        }
        match self.objects.get(&id) {
            Some(Object::Heap(key)) => {
                let handle = self.heaps.get(*key).handle.clone();
                self.skipped.object_missing += u64::from(handle.is_none());
                handle
            }
            Some(Object::Missing(_)) => {
                self.skipped.object_missing += 1;
                None
            }
            Some(_) => {
                let what = format!("object {id} is a resource, not a heap");
                self.mistake(record, TraceMistake::WrongKind, what);
                None
            }
            None => {
                let what = format!("no heap {id} lives: it was never created, or is destroyed");
                self.mistake(record, TraceMistake::UnknownHeap, what);
                None
            }
        }
    }

    /// Waits as the CPU did. False: nothing that is pending leads to the value.
    fn wait(&mut self, fence: &Fence, value: u64) -> Result<bool, Error> {
        match self.device.gpu_mode() {
            GpuMode::Immediate => {}
            GpuMode::Stepped => match self.device.run_until(fence, value) {
                Ok(()) => {}
                Err(Error::Deadlock(_)) => return Ok(false),
                Err(error) => return Err(error),
            },
            GpuMode::Threaded => return self.wait_for_workers(fence, value),
        }
        if fence.completed_value() < value {
            return Ok(false);
        }
        fence.wait(value).map(|()| true)
    }

    fn wait_for_workers(&mut self, fence: &Fence, value: u64) -> Result<bool, Error> {
        let mut at_rest = 0;
        while at_rest < LOOKS {
            if fence.wait_for(value, Some(LOOK))? == WaitOutcome::Reached {
                return Ok(true);
            }
            at_rest = if self.gpu.queues().all(is_at_rest) { at_rest + 1 } else { 0 };
        }
        Ok(false)
    }

    /// Lets the GPU do what it can do by itself.
    pub(super) fn catch_up(&mut self) {
        match self.device.gpu_mode() {
            GpuMode::Immediate => {}
            // A removed device has nothing to catch up with.
            GpuMode::Stepped => drop(self.device.run_until_idle()),
            GpuMode::Threaded => {
                let mut at_rest = 0;
                while at_rest < LOOKS {
                    if self.gpu.queues().all(|state| state.queue.status() == QueueStatus::Idle) {
                        return;
                    }
                    std::thread::sleep(LOOK);
                    at_rest = if self.gpu.queues().all(is_at_rest) { at_rest + 1 } else { 0 };
                }
            }
        }
    }

    /// The end: all that can be done is done, and booked.
    pub(crate) fn settle_queues(&mut self) {
        self.catch_up();
        let gpu = &mut self.gpu;
        let living = gpu.objects.values().filter_map(|object| match object {
            GpuObject::Queue(state) => Some(&**state),
            _ => None,
        });
        for state in living.chain(&gpu.retired) {
            gpu.tally.settle(state);
        }
    }
}

/// Whether only another's signal could let it go on.
fn is_at_rest(state: &QueueState) -> bool {
    matches!(state.queue.status(), QueueStatus::Idle | QueueStatus::Blocked { .. })
}
