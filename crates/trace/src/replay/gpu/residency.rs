//! Residency and budgets: carried out on the device, and written down for a simulation.

use heapstone::{
    DescriptorHeap, Device, Error, GpuVirtualAddress, Heap, MakeResidentFlags, Pageable, QueryHeap, Resource,
    ResourceKind,
};
use heapstone_spec::SegmentGroup;
use heapstone_spec::commands::ResidencyFlags;

use super::objects::GpuObject;
use crate::gpu::GpuCall;
use crate::model::{Record, TraceId};
use crate::replay::memory_log::{MakeResident, MemoryEvent};
use crate::replay::objects::Object;
use crate::replay::options::Placement;
use crate::replay::replayer::Replayer;
use crate::replay::report::TraceMistake;

/// An object of a residency call, held while the call is made.
enum Held {
    Heap(Heap),
    Resource(Resource),
    DescriptorHeap(DescriptorHeap),
    QueryHeap(QueryHeap),
}

impl Held {
    fn pageable(&self) -> Pageable<'_> {
        match self {
            Held::Heap(heap) => heap.into(),
            Held::Resource(resource) => resource.into(),
            Held::DescriptorHeap(heap) => heap.into(),
            Held::QueryHeap(heap) => heap.into(),
        }
    }

    /// Of what a simulation knows.
    fn heap_address(&self) -> Option<GpuVirtualAddress> {
        match self {
            Held::Heap(heap) => Some(heap.gpu_virtual_address()),
            Held::Resource(resource) => resource.heap_address(),
            Held::DescriptorHeap(_) | Held::QueryHeap(_) => None,
        }
    }
}

impl Replayer {
    pub(super) fn residency_call(&mut self, record: &Record, call: &GpuCall) {
        match call {
            GpuCall::MakeResident { objects } => {
                let make = MakeResident { waits: true, denies_over_budget: false };
                self.make_resident(record, call, objects, make, Device::make_resident);
            }
            GpuCall::EnqueueMakeResident { flags, objects, fence, value } => {
                let Some(fence) = self.fence(record, *fence) else { return };
                let denies_over_budget = *flags == ResidencyFlags::DenyOverbudget;
                let flags = if denies_over_budget {
                    MakeResidentFlags::DENY_OVERBUDGET
                } else {
                    MakeResidentFlags::NONE
                };
                let make = MakeResident { waits: false, denies_over_budget };
                self.make_resident(record, call, objects, make, |device, objects| {
                    device.enqueue_make_resident(flags, objects, &fence, *value)
                });
            }
            GpuCall::Evict { objects } => self.evict(record, call, objects),
            GpuCall::SetResidencyPriority { objects } => self.set_priorities(record, call, objects),
            GpuCall::SetBudget { node, group, budget } => {
                let result = self.device.set_budget(*node, *group, *budget);
                if result.is_ok()
                    && (*node, *group) == (0, SegmentGroup::Local)
                    && let Some(memory) = &mut self.memory
                {
                    memory.event(MemoryEvent::Budget(*budget));
                }
                self.gpu_ended(record, call, result);
            }
            GpuCall::SetVideoMemoryReservation { node, group, reservation } => {
                let result = self.device.set_video_memory_reservation(*node, *group, *reservation);
                self.gpu_ended(record, call, result);
            }
            _ => {}
        }
    }

    fn make_resident(
        &mut self,
        record: &Record,
        call: &GpuCall,
        objects: &[TraceId],
        make: MakeResident,
        made_on: impl Fn(&Device, &[Pageable<'_>]) -> Result<(), Error>,
    ) {
        let Some(held) = self.pageables(record, objects) else { return };
        // Without objects too: somebody may wait for the fence.
        let there: Vec<Pageable<'_>> = held.iter().map(Held::pageable).collect();
        let result = made_on(&self.device, &there);
        if result.is_ok() {
            if Replayer::was_accepted(record) {
                self.log_residency(&held, |heaps| MemoryEvent::MakeResident(heaps, make));
            } else {
                // Accepted here only: the program will not evict them.
                let _ = self.device.evict(&there);
            }
        }
        self.gpu_ended(record, call, result);
    }

    fn evict(&mut self, record: &Record, call: &GpuCall, objects: &[TraceId]) {
        let Some(held) = self.pageables(record, objects) else { return };
        let there: Vec<Pageable<'_>> = held.iter().map(Held::pageable).collect();
        let result = self.device.evict(&there);
        if result.is_ok() {
            if Replayer::was_accepted(record) {
                self.log_residency(&held, MemoryEvent::Evict);
            } else {
                // Accepted here only: to the program they are resident still.
                let _ = self.device.make_resident(&there);
            }
        }
        self.gpu_ended(record, call, result);
    }

    fn set_priorities(&mut self, record: &Record, call: &GpuCall, objects: &[(TraceId, u32)]) {
        let mut pairs = Vec::with_capacity(objects.len());
        for (id, number) in objects {
            let priority = match Device::residency_priority(*number) {
                Ok(priority) => priority,
                Err(error) => return self.gpu_ended(record, call, Err(error)),
            };
            match self.pageable(record, *id) {
                Found::There(held) => pairs.push((held, priority)),
                Found::LeftOut => {}
                Found::Wrong => return,
            }
        }
        let there: Vec<_> = pairs.iter().map(|(held, priority)| (held.pageable(), *priority)).collect();
        let result = self.device.set_residency_priority(&there);
        if result.is_ok() {
            for (held, priority) in &pairs {
                self.log_residency(core::slice::from_ref(held), |heaps| {
                    MemoryEvent::Priority(heaps, *priority)
                });
            }
        }
        self.gpu_ended(record, call, result);
    }

    /// Writes an event of heaps in video memory down, where somebody wants it.
    fn log_residency(&mut self, held: &[Held], event: impl FnOnce(Box<[u32]>) -> MemoryEvent) {
        let Some(memory) = &mut self.memory else { return };
        let heaps: Box<[u32]> = held
            .iter()
            .filter_map(Held::heap_address)
            .filter_map(|address| memory.heap_at(address))
            .collect();
        if !heaps.is_empty() {
            memory.event(event(heaps));
        }
    }

    /// The objects of a call, without those that are not there to be named; `None` where the call cannot be made.
    fn pageables(&mut self, record: &Record, ids: &[TraceId]) -> Option<Vec<Held>> {
        let mut held = Vec::with_capacity(ids.len());
        for id in ids {
            match self.pageable(record, *id) {
                Found::There(object) => held.push(object),
                Found::LeftOut => {}
                Found::Wrong => return None,
            }
        }
        Some(held)
    }

    fn pageable(&mut self, record: &Record, id: TraceId) -> Found {
        let is_recorded = self.options.placement == Placement::Recorded;
        match self.objects.get(&id) {
            // Made for tiles when they were mapped first: of calls before that it knows nothing.
            Some(Object::Heap(_)) if !is_recorded => self.gpu.tally.objects_left_out += 1,
            Some(Object::Heap(key)) => match &self.heaps.get(*key).handle {
                Some(heap) => return Found::There(Held::Heap(heap.clone())),
                None => self.skipped.object_missing += 1,
            },
            // Elsewhere a resource of its own heap may lie in a pool: what is around it is nothing of the trace's.
            Some(Object::Resource(live)) if live.handle.kind() == ResourceKind::Committed || is_recorded => {
                return Found::There(Held::Resource(live.handle.clone()));
            }
            Some(Object::VirtualHeap(_) | Object::Resource(_)) => self.gpu.tally.objects_left_out += 1,
            Some(Object::Missing(_)) => self.skipped.object_missing += 1,
            None => match self.gpu.objects.get(&id) {
                Some(GpuObject::DescriptorHeap(heap)) => {
                    return Found::There(Held::DescriptorHeap(heap.clone()));
                }
                Some(GpuObject::QueryHeap(heap)) => return Found::There(Held::QueryHeap(heap.clone())),
                Some(GpuObject::Missing) => self.skipped.object_missing += 1,
                Some(_) => {
                    let what = format!("object {id} has no memory of its own to be resident");
                    self.mistake(record, TraceMistake::WrongKind, what);
                    return Found::Wrong;
                }
                None => {
                    self.unknown(record, id);
                    return Found::Wrong;
                }
            },
        }
        Found::LeftOut
    }
}

/// What became of the number of a residency call's object.
enum Found {
    There(Held),
    /// The replay has none where the program had one, and it is counted.
    LeftOut,
    /// A mistake of the trace, which is booked.
    Wrong,
}
