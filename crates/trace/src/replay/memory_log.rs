//! What a replay needs in video memory, step by step: for a simulation of residency.

use heapstone::{CommandList, GpuVirtualAddress, Resource};
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
    /// The heaps that were destroyed before it: they are never used again.
    pub destroyed: Vec<u32>,
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
    /// Destroyed since the last step.
    destroyed: Vec<u32>,
}

impl MemoryLogger {
    /// A heap that asks for video memory lives from now on.
    pub(crate) fn created(&mut self, address: GpuVirtualAddress, bytes: u64) {
        self.living.insert(address, index_of(self.log.heap_bytes.len()));
        self.log.heap_bytes.push(bytes);
    }

    /// A heap is gone, one of system memory perhaps.
    pub(crate) fn destroyed(&mut self, address: GpuVirtualAddress) {
        self.destroyed.extend(self.living.remove(&address));
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
        let destroyed = self.log.steps.drain(..).flat_map(|step| step.destroyed);
        self.destroyed.splice(..0, destroyed);
    }

    fn step(&mut self, uses: Vec<HeapUse>) {
        self.log.steps.push(MemoryStep { uses, destroyed: core::mem::take(&mut self.destroyed) });
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
