//! Objects of GPU work, and the calls that make and reset them.

use heapstone::{
    CommandAllocator, CommandList, CommandQueue, CommandQueueDesc, DescriptorHeap, Fence, GpuMode, QueryHeap,
};
use heapstone_spec::commands::QueryHeapDesc;
use heapstone_spec::views::DescriptorHeapDesc;
use rustc_hash::FxHashMap;

use super::tally::{QueueRow, Tally};
use crate::gpu::GpuCall;
use crate::model::{Record, TraceId};
use crate::replay::replayer::Replayer;

/// An object of GPU work.
#[derive(Debug)]
pub(crate) enum GpuObject {
    Allocator(CommandAllocator),
    List(Box<ListState>),
    Queue(Box<QueueState>),
    Fence(Fence),
    QueryHeap(QueryHeap),
    DescriptorHeap(DescriptorHeap),
    /// The device refused it.
    Missing,
}

/// A list, and what became of it here.
#[derive(Debug)]
pub(crate) struct ListState {
    pub(crate) list: CommandList,
    /// A command was refused here since it was opened: its Close fails for that, which is booked once.
    pub(crate) has_refused: bool,
    /// It cannot be executed here, though it could when it was recorded.
    pub(crate) is_left_out: bool,
}

/// A queue, and where its work is booked.
#[derive(Debug)]
pub(crate) struct QueueState {
    pub(crate) queue: CommandQueue,
    pub(crate) row: QueueRow,
}

/// The GPU's side of a replay.
#[derive(Debug, Default)]
pub(crate) struct GpuState {
    pub(crate) objects: FxHashMap<TraceId, GpuObject>,
    /// Queues that the trace let go of: they still work.
    pub(super) retired: Vec<QueueState>,
    pub(crate) tally: Tally,
    /// What WriteToSubresource writes and ReadFromSubresource reads into.
    pub(super) scratch: Vec<u8>,
}

/// Queues that are let go of at once, at most, before those that are done are looked for.
const RETIRED_MAX: usize = 64;

impl GpuState {
    /// The trace lets go of a queue.
    pub(super) fn retire(&mut self, state: QueueState) {
        self.retired.push(state);
        if self.retired.len() > RETIRED_MAX {
            let (done, busy) = core::mem::take(&mut self.retired)
                .into_iter()
                .partition(|state: &QueueState| state.queue.status() == heapstone::QueueStatus::Idle);
            self.retired = busy;
            let done: Vec<QueueState> = done;
            done.iter().for_each(|state| self.tally.settle(state));
        }
    }

    /// Every queue that there is.
    pub(super) fn queues(&self) -> impl Iterator<Item = &QueueState> {
        let living = self.objects.values().filter_map(|object| match object {
            GpuObject::Queue(state) => Some(&**state),
            _ => None,
        });
        living.chain(&self.retired)
    }

    /// Names an object; whether there is one.
    pub(crate) fn set_name(&mut self, id: TraceId, name: &str) -> bool {
        match self.objects.get(&id) {
            Some(GpuObject::Allocator(allocator)) => allocator.set_name(name),
            Some(GpuObject::List(state)) => state.list.set_name(name),
            Some(GpuObject::Queue(state)) => {
                state.queue.set_name(name);
                self.tally.named(state.row, name);
            }
            Some(GpuObject::Fence(fence)) => fence.set_name(name),
            Some(GpuObject::QueryHeap(heap)) => heap.set_name(name),
            Some(GpuObject::DescriptorHeap(heap)) => heap.set_name(name),
            Some(GpuObject::Missing) => {}
            None => return false,
        }
        true
    }

    /// Tags an object; whether there is one.
    pub(crate) fn set_tag(&self, id: TraceId, tag: &str) -> bool {
        match self.objects.get(&id) {
            Some(GpuObject::Allocator(allocator)) => allocator.set_tag(tag),
            Some(GpuObject::List(state)) => state.list.set_tag(tag),
            Some(GpuObject::Queue(state)) => state.queue.set_tag(tag),
            Some(GpuObject::QueryHeap(heap)) => heap.set_tag(tag),
            Some(GpuObject::Fence(fence)) => fence.set_tag(tag),
            Some(GpuObject::DescriptorHeap(heap)) => heap.set_tag(tag),
            Some(GpuObject::Missing) => {}
            None => return false,
        }
        true
    }
}

impl Replayer {
    pub(super) fn gpu_create(&mut self, record: &Record, id: TraceId, call: &GpuCall) {
        let made = match call {
            GpuCall::CreateCommandAllocator { list_type } => {
                self.device.create_command_allocator(*list_type).map(GpuObject::Allocator)
            }
            GpuCall::CreateCommandList { list_type, allocator } => {
                let list = match allocator {
                    None => self.device.create_closed_command_list(*list_type),
                    Some(allocator) => {
                        let Some(allocator) = self.allocator(record, *allocator) else {
                            self.gpu_missing(record, id);
                            return;
                        };
                        self.device.create_command_list(*list_type, &allocator)
                    }
                };
                list.map(|list| {
                    GpuObject::List(Box::new(ListState { list, has_refused: false, is_left_out: false }))
                })
            }
            GpuCall::CreateCommandQueue { list_type, priority, node_mask } => {
                let desc =
                    CommandQueueDesc { list_type: *list_type, priority: *priority, node_mask: *node_mask };
                let queue = self.device.create_command_queue(&desc);
                queue.map(|queue| GpuObject::Queue(Box::new(QueueState { queue, row: QueueRow::default() })))
            }
            GpuCall::CreateFence { initial_value, flags } => {
                self.device.create_fence(*initial_value, *flags).map(GpuObject::Fence)
            }
            GpuCall::CreateQueryHeap { heap_type, count, node_mask } => {
                let desc = QueryHeapDesc { heap_type: *heap_type, count: *count, node_mask: *node_mask };
                self.device.create_query_heap(&desc).map(GpuObject::QueryHeap)
            }
            GpuCall::CreateDescriptorHeap { heap_type, count, flags, node_mask } => {
                let desc = DescriptorHeapDesc {
                    heap_type: *heap_type,
                    descriptor_count: *count,
                    flags: *flags,
                    node_mask: *node_mask,
                };
                self.device.create_descriptor_heap(&desc).map(GpuObject::DescriptorHeap)
            }
            _ => return,
        };
        self.gpu_made(record, id, call, made);
    }

    /// Nothing was made here of what the program had.
    fn gpu_missing(&mut self, record: &Record, id: TraceId) {
        if Replayer::was_accepted(record) {
            self.gpu.objects.insert(id, GpuObject::Missing);
        }
    }

    fn allocator(&mut self, record: &Record, id: TraceId) -> Option<CommandAllocator> {
        if let Some(GpuObject::Allocator(allocator)) = self.gpu.objects.get(&id) {
            return Some(allocator.clone());
        }
        self.gpu_unfit(record, id, "command allocator");
        None
    }

    /// Calls that reset allocators and lists, and close lists.
    pub(super) fn list_call(&mut self, record: &Record, id: TraceId, call: &GpuCall) {
        match call {
            GpuCall::ResetCommandAllocator {} => {
                let Some(allocator) = self.allocator(record, id) else { return };
                if Replayer::was_accepted(record) && self.device.gpu_mode() != GpuMode::Immediate {
                    // When it was recorded nothing was in flight any more, however the program knew.
                    self.catch_up();
                }
                let result = allocator.reset();
                self.gpu_ended(record, call, result);
            }
            GpuCall::ResetCommandList { allocator } => {
                let Some(allocator) = self.allocator(record, *allocator) else { return };
                let Some(state) = self.list(record, id) else { return };
                let result = state.list.reset(&allocator);
                if result.is_ok() {
                    (state.has_refused, state.is_left_out) = (false, false);
                }
                self.gpu_ended(record, call, result);
            }
            GpuCall::CloseCommandList {} => self.close(record, id, call),
            _ => {}
        }
    }

    /// A list whose commands were refused here fails to close for the first of them: that was booked then.
    fn close(&mut self, record: &Record, id: TraceId, call: &GpuCall) {
        let was_accepted = Replayer::was_accepted(record);
        let Some(state) = self.list(record, id) else { return };
        let result = state.list.close();
        state.is_left_out = result.is_err() && was_accepted;
        if result.is_err() && state.has_refused {
            self.gpu.tally.refused(call.kind());
            self.gpu.tally.lists_failed += 1;
            self.outcomes.refused_here += u64::from(was_accepted);
        } else {
            self.gpu_ended(record, call, result);
        }
    }

    /// The list of that number.
    pub(super) fn list(&mut self, record: &Record, id: TraceId) -> Option<&mut ListState> {
        if !matches!(self.gpu.objects.get(&id), Some(GpuObject::List(_))) {
            self.gpu_unfit(record, id, "command list");
            return None;
        }
        match self.gpu.objects.get_mut(&id) {
            Some(GpuObject::List(state)) => Some(state),
            _ => None,
        }
    }
}
