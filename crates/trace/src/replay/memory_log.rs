//! What a replay needs in video memory, step by step: for a simulation of residency.

use heapstone::{CommandList, GpuVirtualAddress, ResidencyPriority, Resource};
use rustc_hash::FxHashMap;

use super::heaps::{index, index_of};

/// A replay's use of video memory. Heaps that ask for system memory are left out: no budget of video memory holds them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryLog {
    /// Bytes of each heap, explicit and implicit, in the order of creation.
    pub heap_bytes: Vec<u64>,
    /// The uses, in order. Where the trace has GPU work, a step is an execution of command lists; else it is the creation
    /// of a resource, which writes its heap, or a Map, which reads it.
    pub steps: Vec<MemoryStep>,
    /// Whether steps are executions.
    pub has_gpu_work: bool,
}

/// What is in memory together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryStep {
    /// Each heap once, in the order of its first mention.
    pub uses: Vec<HeapUse>,
    /// What happened before it, in order.
    pub events: Vec<MemoryEvent>,
}

/// What happens between uses. Heaps are indices in [`MemoryLog::heap_bytes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryEvent {
    /// A heap is created: resident once, or with CREATE_NOT_RESIDENT not at all.
    Created {
        /// The heap.
        heap: u32,
        /// Whether it is resident.
        is_resident: bool,
    },
    /// A heap is destroyed: it is never used again.
    Destroyed(u32),
    /// MakeResident or EnqueueMakeResident, of all or none.
    MakeResident(Box<[u32]>, MakeResident),
    /// Evict.
    Evict(Box<[u32]>),
    /// SetResidencyPriority, of each.
    Priority(Box<[u32]>, ResidencyPriority),
    /// The program's budget of video memory in bytes; `None`: it has no budget of its own any more.
    Budget(Option<u64>),
}

/// How heaps are made resident.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MakeResident {
    /// The program waits until they are in memory.
    pub waits: bool,
    /// DENY_OVERBUDGET.
    pub denies_over_budget: bool,
}

/// A step's use of a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeapUse {
    /// Its index in [`MemoryLog::heap_bytes`].
    pub heap: u32,
    /// Whether the step writes it.
    pub is_written: bool,
}

/// Writes a [`MemoryLog`].
#[derive(Debug, Default)]
pub(crate) struct MemoryLogger {
    log: MemoryLog,
    /// The living heaps, by their first addresses.
    living: FxHashMap<GpuVirtualAddress, u32>,
    /// Since the last step.
    events: Vec<MemoryEvent>,
}

impl MemoryLogger {
    /// A heap that asks for video memory lives from now on.
    pub(crate) fn created(&mut self, address: GpuVirtualAddress, bytes: u64, is_resident: bool) {
        let heap = index_of(self.log.heap_bytes.len());
        self.living.insert(address, heap);
        self.log.heap_bytes.push(bytes);
        self.events.push(MemoryEvent::Created { heap, is_resident });
    }

    /// The living heap that begins at the address; `None` of one in system memory.
    pub(crate) fn heap_at(&self, address: GpuVirtualAddress) -> Option<u32> {
        self.living.get(&address).copied()
    }

    /// Something happens before the next step.
    pub(crate) fn event(&mut self, event: MemoryEvent) {
        self.events.push(event);
    }

    /// A heap is gone, one of system memory perhaps.
    pub(crate) fn destroyed(&mut self, address: GpuVirtualAddress) {
        self.events.extend(self.living.remove(&address).map(MemoryEvent::Destroyed));
    }

    /// The CPU's side of the program uses a resource.
    pub(crate) fn touched(&mut self, resource: &Resource, is_written: bool) {
        if self.log.has_gpu_work {
            return;
        }
        let heap = resource.heap_address().and_then(|address| self.living.get(&address));
        if let Some(heap) = heap {
            let uses = vec![HeapUse { heap: *heap, is_written }];
            self.step(uses);
        }
    }

    /// Lists are about to be executed.
    pub(crate) fn executed(&mut self, lists: &[&CommandList]) {
        if !self.log.has_gpu_work {
            self.forget_touches();
        }
        let mut uses: Vec<HeapUse> = Vec::new();
        // A list that cannot be executed needs nothing.
        for used in lists.iter().filter_map(|list| list.memory_uses().ok()).flatten() {
            let Some(heap) = self.living.get(&used.heap) else { continue };
            match uses.iter_mut().find(|there| there.heap == *heap) {
                Some(there) => there.is_written |= used.is_written,
                None => uses.push(HeapUse { heap: *heap, is_written: used.is_written }),
            }
        }
        if !uses.is_empty() {
            self.step(uses);
        }
    }

    /// From the first execution on, what is executed tells what is used.
    fn forget_touches(&mut self) {
        self.log.has_gpu_work = true;
        let events = self.log.steps.drain(..).flat_map(|step| step.events);
        self.events.splice(..0, events);
    }

    fn step(&mut self, uses: Vec<HeapUse>) {
        self.log.steps.push(MemoryStep { uses, events: core::mem::take(&mut self.events) });
    }

    pub(crate) fn finish(self) -> MemoryLog {
        self.log
    }
}

impl MemoryLog {
    /// Bytes of the heaps that some step uses.
    #[must_use]
    pub fn footprint(&self) -> u64 {
        let mut is_used = vec![false; self.heap_bytes.len()];
        for used in self.steps.iter().flat_map(|step| &step.uses) {
            is_used[index(used.heap)] = true;
        }
        let used = self.heap_bytes.iter().zip(is_used).filter(|(_, is_used)| *is_used);
        used.fold(0, |sum, (bytes, _)| u64::saturating_add(sum, *bytes))
    }
}
