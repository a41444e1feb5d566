//! A queue on an engine without virtual addresses: commands reach memory through slot registers.
//!
//! ```text
//!   BindSlot   slot register := address, as the stream has it since it was patched
//!   others     operand = slot, offset     ->  segment's bytes at register + offset
//! ```
//! The registers outlive a part and end with the buffer; all else that an engine remembers is lost to the paging between
//! parts, and programmed anew.

use core::ops::Range;
use std::sync::Arc;

use heapstone_driver::dma::patched::PatchedBuffer;
use heapstone_driver::dma::{Command, Commands, Cursor, DmaAllocation, MalformedStream};
use heapstone_driver::engine::{EngineFault, QueueStatistics};
use heapstone_driver::paging::{EngineContext, PartSubmission, PatchedQueue};
use heapstone_units::GpuVirtualAddress;

use super::tlb::Slot;
use super::{Execution, SoftQueue};
use crate::device::{DeviceShared, HeapMemory};
use crate::physical::PhysicalMemory;

/// A queue of an engine that is patched.
#[derive(Debug)]
pub(crate) struct SoftPatchedQueue {
    queue: SoftQueue,
    memory: Arc<PhysicalMemory>,
    /// By slot: the entry of the allocation list, and the address.
    registers: Vec<Option<(u32, u64)>>,
    /// The predicate that the next part begins with.
    leaves_out: bool,
}

/// A part that runs.
struct Part<'a> {
    buffer: &'a PatchedBuffer,
    memory: Arc<HeapMemory>,
    /// By slot: what stands in it, at address 0.
    slots: Vec<DmaAllocation>,
}

impl SoftPatchedQueue {
    pub(crate) fn new(device: Arc<DeviceShared>, memory: Arc<PhysicalMemory>) -> SoftPatchedQueue {
        let queue = SoftQueue::new(device);
        SoftPatchedQueue { queue, memory, registers: Vec::new(), leaves_out: false }
    }

    fn run(&mut self, part: &mut Part<'_>, words: Range<usize>) -> Result<(), EngineFault> {
        let stream = part.buffer.words().get(..words.end).unwrap_or(part.buffer.words());
        let mut commands = Commands::from(stream, Cursor { word: words.start });
        while !commands.is_at_end() {
            let begins = commands.is_at_call();
            let word = commands.cursor().word;
            let Some(command) = commands.next_command().map_err(EngineFault::Malformed)? else { break };
            match command {
                Command::BindSlot { slot, allocation, address } => {
                    let malformed = |reason| EngineFault::Malformed(MalformedStream { word, reason });
                    let register = self.registers.get_mut(slot as usize);
                    *register.ok_or_else(|| malformed("it binds a slot that there is not"))? =
                        (allocation != 0).then_some((allocation, address));
                    self.load(part, slot as usize).map_err(malformed)?;
                }
                Command::Barrier(_) => self.queue.meter.command(0, 0),
                command => self.queue.command(&command, &part.slots).map_err(|stop| stop.at(word))?,
            }
            self.queue.meter.count_calls(begins);
        }
        Ok(())
    }

    /// Lets the engine reach what stands in a slot.
    fn load(&mut self, part: &mut Part<'_>, slot: usize) -> Result<(), &'static str> {
        part.slots[slot] = nothing();
        let mut found = Slot::Unmapped;
        if let Some((entry, address)) = self.registers[slot] {
            let listed = part.buffer.allocation_list().get(entry as usize).and_then(|entry| entry.allocation);
            let allocation = listed.and_then(|index| part.buffer.allocations().get(index as usize));
            let allocation = allocation.ok_or("it binds no entry of the allocation list")?;
            let (size, surfaces) = (allocation.size, allocation.surfaces.clone());
            part.slots[slot] = DmaAllocation { size, surfaces, ..nothing() };
            found = Slot::Heap { memory: Arc::clone(&part.memory), offset: address };
        }
        self.queue.tlb.bind(slot, found);
        Ok(())
    }
}

/// An entry of no bytes.
const fn nothing() -> DmaAllocation {
    DmaAllocation { address: GpuVirtualAddress(0), size: 0, is_written: false, surfaces: None }
}

impl PatchedQueue for SoftPatchedQueue {
    fn submit(&mut self, part: &PartSubmission<'_>) -> Result<(), EngineFault> {
        let PartSubmission { buffer, range, segment } = part;
        let slot_count =
            buffer.slot_count().min(u32::try_from(buffer.allocations().len()).unwrap_or(u32::MAX).max(2));
        if range.start == 0 {
            self.registers.clear();
            self.leaves_out = false;
        }
        self.registers.resize(slot_count as usize, None);
        let memory = Arc::new(self.memory.memory(segment.index()).map_err(EngineFault::Driver)?);
        let mut running = Part { buffer, memory, slots: vec![nothing(); self.registers.len()] };
        // The state that the part before left is programmed anew.
        self.queue.leaves_out = self.leaves_out;
        self.queue.tlb.begin(self.registers.len());
        let words = range.start as usize / 4..range.end as usize / 4;
        let loaded = (0..self.registers.len()).try_for_each(|slot| self.load(&mut running, slot));
        let malformed = |reason| EngineFault::Malformed(MalformedStream { word: words.start, reason });
        let result = loaded.map_err(malformed).and_then(|()| self.run(&mut running, words.clone()));
        drop(Execution(&mut self.queue));
        if result.is_err() {
            self.queue.meter.abandon();
        }
        // What comes between may leave it as it likes: here, the other way round.
        self.leaves_out = self.queue.leaves_out;
        self.queue.leaves_out = !self.leaves_out;
        result
    }

    fn save_context(&mut self) -> EngineContext {
        EngineContext { slots: core::mem::take(&mut self.registers), leaves_out: self.leaves_out }
    }

    fn restore_context(&mut self, context: EngineContext) {
        let EngineContext { slots, leaves_out } = context;
        (self.registers, self.leaves_out) = (slots, leaves_out);
    }

    fn statistics(&self) -> QueueStatistics {
        self.queue.meter.statistics()
    }

    fn time_ns(&self) -> u64 {
        self.queue.meter.time_ns()
    }

    fn wait_until(&mut self, time_ns: u64) {
        self.queue.meter.wait_until(time_ns);
    }
}
