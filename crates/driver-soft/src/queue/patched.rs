//! Engines without virtual addresses: commands reach memory through slot registers.
//!
//! ```text
//!   BindSlot   slot register := address, as the stream has it since it was patched
//!   others     operand = slot, distance   ->  memory at register + distance
//! ```
//! The registers outlive a part and end with the buffer; all else that an engine remembers is lost to the paging between
//! parts, and programmed anew. What an address reaches depends on the engine: the bytes of a segment
//! ([`SoftPatchedQueue`]), or what its aperture shows ([`super::aperture`]).

use std::sync::Arc;

use heapstone_driver::dma::patched::PatchedBuffer;
use heapstone_driver::dma::{BoxCopy, Command, Commands, Cursor, DmaAllocation, MalformedStream};
use heapstone_driver::engine::{EngineFault, QueueStatistics};
use heapstone_driver::paging::{EngineContext, PartSubmission, PatchedQueue};
use heapstone_units::GpuVirtualAddress;

use super::tlb::Slot;
use super::{Execution, SoftQueue};
use crate::device::{DeviceShared, HeapMemory};
use crate::physical::PhysicalMemory;

/// The registers of an engine, and what its commands find through them.
#[derive(Debug, Default)]
pub(super) struct Registers {
    /// By slot: the entry of the allocation list, and the address.
    pub(super) slots: Vec<Option<(u32, u64)>>,
    /// By slot: what stands in it.
    allocations: Vec<DmaAllocation>,
}

/// An entry of no bytes.
const fn nothing() -> DmaAllocation {
    DmaAllocation { address: GpuVirtualAddress(0), size: 0, is_written: false, surfaces: None }
}

impl Registers {
    /// Makes room for the slots of a buffer. Those of a buffer that begins are NULL.
    pub(super) fn begin(&mut self, buffer: &PatchedBuffer, is_first: bool) {
        if is_first {
            self.slots.clear();
        }
        let allocations = u32::try_from(buffer.allocations().len()).unwrap_or(u32::MAX);
        // More slots than allocations, or operands of a command, serve nobody.
        let count = buffer.slot_count().min(allocations.max(2)) as usize;
        self.slots.resize(count, None);
        self.allocations = vec![nothing(); count];
    }

    /// Lets the engine reach what stands in all slots.
    pub(super) fn load_all(
        &mut self,
        queue: &mut SoftQueue,
        buffer: &PatchedBuffer,
        reach: impl Fn(u64) -> Slot,
    ) -> Result<(), &'static str> {
        queue.tlb.begin(self.slots.len());
        (0..self.slots.len()).try_for_each(|slot| self.load(queue, buffer, slot, &reach))
    }

    fn load(
        &mut self,
        queue: &mut SoftQueue,
        buffer: &PatchedBuffer,
        slot: usize,
        reach: impl Fn(u64) -> Slot,
    ) -> Result<(), &'static str> {
        self.allocations[slot] = nothing();
        let mut found = Slot::Unmapped;
        if let Some((entry, address)) = self.slots[slot] {
            let listed = buffer.allocation_list().get(entry as usize).and_then(|entry| entry.allocation);
            let allocation = listed.and_then(|index| buffer.allocations().get(index as usize));
            self.allocations[slot] = allocation.ok_or("it binds no entry of the allocation list")?.clone();
            found = reach(address);
        }
        queue.tlb.bind(slot, found);
        Ok(())
    }

    /// Does the command whose header is `word`.
    pub(super) fn command(
        &mut self,
        queue: &mut SoftQueue,
        buffer: &PatchedBuffer,
        (word, command): (usize, &Command),
        reach: impl Fn(u64) -> Slot,
    ) -> Result<(), EngineFault> {
        match *command {
            Command::BindSlot { slot, allocation, address } => {
                let malformed = |reason| EngineFault::Malformed(MalformedStream { word, reason });
                let register = self.slots.get_mut(slot as usize);
                *register.ok_or_else(|| malformed("it binds a slot that there is not"))? =
                    (allocation != 0).then_some((allocation, address));
                self.load(queue, buffer, slot as usize, reach).map_err(malformed)
            }
            Command::Barrier(_) => {
                queue.meter.barrier();
                Ok(())
            }
            _ if BoxCopy::of(command).is_some_and(|copy| queue.copy_shortly(&copy, &self.allocations)) => {
                Ok(())
            }
            _ => queue.command(command, &self.allocations).map_err(|stop| stop.at(word)),
        }
    }
}

/// A queue of an engine that reads physical addresses.
#[derive(Debug)]
pub(crate) struct SoftPatchedQueue {
    queue: SoftQueue,
    memory: Arc<PhysicalMemory>,
    registers: Registers,
    /// The predicate that the next part begins with.
    leaves_out: bool,
}

impl SoftPatchedQueue {
    pub(crate) fn new(device: Arc<DeviceShared>, memory: Arc<PhysicalMemory>) -> SoftPatchedQueue {
        let queue = SoftQueue::new(device);
        SoftPatchedQueue { queue, memory, registers: Registers::default(), leaves_out: false }
    }

    fn run(&mut self, part: &PartSubmission<'_>, memory: &Arc<HeapMemory>) -> Result<(), EngineFault> {
        let (buffer, begin, end) = (part.buffer, part.range.start as usize / 4, part.range.end as usize / 4);
        let reach = |offset| Slot::Heap { memory: Arc::clone(memory), offset };
        let malformed = |reason| EngineFault::Malformed(MalformedStream { word: begin, reason });
        self.registers.load_all(&mut self.queue, buffer, reach).map_err(malformed)?;
        let stream = buffer.words().get(..end).unwrap_or(buffer.words());
        let mut commands = Commands::from(stream, Cursor { word: begin });
        loop {
            let begins = !commands.is_at_end() && commands.is_at_call();
            let word = commands.cursor().word;
            let Some(command) = commands.next_command().map_err(EngineFault::Malformed)? else {
                return Ok(());
            };
            self.registers.command(&mut self.queue, buffer, (word, &command), reach)?;
            self.queue.meter.count_calls(begins);
        }
    }
}

impl PatchedQueue for SoftPatchedQueue {
    fn submit(&mut self, part: &PartSubmission<'_>) -> Result<(), EngineFault> {
        let memory = Arc::new(self.memory.memory(part.segment.index()).map_err(EngineFault::Driver)?);
        let is_first = part.range.start == 0;
        self.registers.begin(part.buffer, is_first);
        self.queue.meter.part(0);
        // The state that the part before left is programmed anew.
        self.queue.leaves_out = self.leaves_out && !is_first;
        let result = self.run(part, &memory);
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
        EngineContext { slots: core::mem::take(&mut self.registers.slots), leaves_out: self.leaves_out }
    }

    fn restore_context(&mut self, context: EngineContext) {
        (self.registers.slots, self.leaves_out) = (context.slots, context.leaves_out);
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
