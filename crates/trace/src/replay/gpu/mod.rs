//! GPU work of a trace on the device: lists are recorded, queues execute them, and an account is kept.
//!
//! ```text
//!   Call::Gpu --+--> objects   allocators, lists, queries
//!               |--> commands  into a list; refused ones make its Close fail here
//!               |--> views     descriptor heaps and what is in them
//!               |--> residency what is to be in memory, budgets
//!               '--> queues    execution, fences, tiles; waits let the GPU catch up
//!                      '--> Tally: calls by kind, work by queue
//! ```
//! The GPU's mode is the device's. In the modes Threaded and Stepped the work of a queue is done at the latest
//! when the trace waits for it, or when its allocator is reset: by then it was done when it was recorded.

mod commands;
mod objects;
mod queues;
mod regions;
mod residency;
mod tally;
mod views;

use heapstone::{Error, Resource};

pub(crate) use self::objects::{GpuObject, GpuState};
use super::objects::Object;
use super::replayer::Replayer;
use super::report::TraceMistake;
use crate::gpu::{GpuCall, GpuObjectKind};
use crate::model::{Record, RecordedOutcome, TraceId};

impl Replayer {
    pub(crate) fn gpu_call(&mut self, record: &Record, id: TraceId, call: &GpuCall) {
        let kind = call.kind();
        if kind.is_residency() {
            self.calls.residency += 1;
        } else {
            self.calls.gpu += 1;
        }
        self.gpu.tally.made(kind);
        match call {
            _ if kind.is_residency() => self.residency_call(record, call),
            GpuCall::WriteToSubresource { .. } | GpuCall::ReadFromSubresource { .. } => {
                self.subresource_call(record, id, call);
            }
            GpuCall::SetNextAllocationAddress { address } => {
                let address = heapstone::GpuVirtualAddress(*address);
                let result = self.device.set_next_allocation_address(address);
                self.gpu_ended(record, call, result);
            }
            _ => match kind.object() {
                GpuObjectKind::List if kind.is_command() => self.command(record, id, call),
                GpuObjectKind::List | GpuObjectKind::Allocator => self.list_call(record, id, call),
                GpuObjectKind::Queue | GpuObjectKind::Fence => self.queue_call(record, id, call),
                GpuObjectKind::New => self.gpu_create(record, id, call),
                GpuObjectKind::Nothing | GpuObjectKind::Resource => self.descriptor_call(record, call),
            },
        }
    }

    /// Books how a call ended that creates nothing.
    fn gpu_ended(&mut self, record: &Record, call: &GpuCall, result: Result<(), Error>) {
        if result.is_err() {
            self.gpu.tally.refused(call.kind());
        }
        self.ended(record, result);
    }

    /// A resource, to be held while the call is made.
    fn gpu_resource(&mut self, record: &Record, id: TraceId) -> Option<Resource> {
        self.resource(record, id).cloned()
    }

    /// The same of one that may be NULL: `None` only where the call cannot be made.
    fn gpu_optional(&mut self, record: &Record, id: Option<TraceId>) -> Option<Option<Resource>> {
        match id {
            None => Some(None),
            Some(id) => self.gpu_resource(record, id).map(Some),
        }
    }

    /// Keeps what a creation made, or that it made nothing.
    fn gpu_made(&mut self, record: &Record, id: TraceId, call: &GpuCall, result: Result<GpuObject, Error>) {
        if result.is_err() {
            self.gpu.tally.refused(call.kind());
        }
        match self.ended(record, result) {
            None => {}
            Some(object) => {
                if self.objects.contains_key(&id) || self.gpu.objects.contains_key(&id) {
                    let what = format!("object {id} is created while another of that number lives");
                    self.mistake(record, TraceMistake::NumberInUse, what);
                    self.forget(id);
                }
                let object = match (object, call) {
                    (Some(GpuObject::Queue(state)), GpuCall::CreateCommandQueue { list_type, .. }) => {
                        let row = self.gpu.tally.queue(id, *list_type);
                        GpuObject::Queue(Box::new(objects::QueueState { row, ..*state }))
                    }
                    (object, _) => object.unwrap_or(GpuObject::Missing),
                };
                self.gpu.objects.insert(id, object);
            }
        }
    }

    /// Whatever has the number goes.
    fn forget(&mut self, id: TraceId) {
        if let Some(object) = self.objects.remove(&id) {
            self.destroy(object);
        }
        self.gpu_destroy(id);
    }

    /// The object of GPU work of that number goes, where there is one.
    pub(crate) fn gpu_destroy(&mut self, id: TraceId) -> bool {
        match self.gpu.objects.remove(&id) {
            Some(GpuObject::Queue(state)) => {
                self.gpu.retire(*state);
                true
            }
            object => object.is_some(),
        }
    }

    /// An object of GPU work that is not there, or is another than the call needs.
    #[cold]
    fn gpu_unfit(&mut self, record: &Record, id: TraceId, wanted: &str) {
        let is_missing = matches!(self.gpu.objects.get(&id), Some(GpuObject::Missing))
            || matches!(self.objects.get(&id), Some(Object::Missing(_)));
        if is_missing {
            self.skipped.object_missing += 1;
        } else if self.gpu.objects.contains_key(&id) || self.objects.contains_key(&id) {
            self.mistake(record, TraceMistake::WrongKind, format!("object {id} is not a {wanted}"));
        } else {
            self.unknown(record, id);
        }
    }

    /// Whether the program went on as if the call had done its work.
    fn was_accepted(record: &Record) -> bool {
        record.outcome == RecordedOutcome::Accepted
    }
}
