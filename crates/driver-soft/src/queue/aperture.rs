//! A queue of a device on an engine without virtual addresses: it reaches memory through an aperture segment.
//!
//! ```text
//!   allocation (GPU virtual addresses)          aperture, from 0                     slot register
//!   [ pages ]  --- map aperture segment --->    [    |xxxxxx|          ]   <------   address patched in the stream
//! ```
//! The aperture has addresses and no memory: paging maps and unmaps ranges of it, and no byte moves. Where a buffer needs
//! more than fits, it is split (`heapstone_kernel::dma_split`), and what a slot holds while the aperture shows something
//! else there is something else's bytes. Each buffer begins with an empty aperture.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapstone_driver::DriverError;
use heapstone_driver::dma::patched::{PatchedBuffer, PatchedError, PatchedOptions, SlotBinding};
use heapstone_driver::dma::{Commands, Cursor, DmaAllocation, DmaBuffer, MalformedStream};
use heapstone_driver::engine::{
    DriverQueue, EngineFault, ExecuteLimit, QueueStatistics, TileCopyRun, TileRun,
};
use heapstone_kernel::dma_split::{
    PlannedPaging, PlannedPagingKind, SearchLimits, SegmentPlacement, SplitAllocation, SplitError, SplitPart,
    SplitRequest, SplitSegment, plan,
};
use heapstone_spec::profile::Engines;
use heapstone_units::{Alignment, ByteRange, GpuVirtualAddress};

use super::patched::Registers;
use super::tlb::{self, Slot};
use super::{Execution, SoftQueue};
use crate::device::DeviceShared;

/// The aperture's pages (chosen: the smaller of the two that WDDM has).
const PAGE: Alignment = Alignment::constant(4 << 10);

/// Allocations from here on are re-programmed by each command that uses them (chosen, after the example of 64 MB in
/// spec/3-dma-buffer-splitting.id.txt 13).
const LARGE_SIZE: u64 = 64 << 20;

/// A queue that runs buffers in parts.
#[derive(Debug)]
pub(crate) struct SoftApertureQueue {
    queue: SoftQueue,
    engines: Engines,
    running: Option<Running>,
}

/// A buffer between its first command and its last.
#[derive(Debug)]
struct Running {
    buffer: PatchedBuffer,
    /// Those that have not begun, the next one last.
    parts: Vec<SplitPart>,
    aperture: Aperture,
    registers: Registers,
    /// The next command, and where the part ends: words of the patched buffer.
    at: Cursor,
    part_end: usize,
}

/// First address of a range -> its end, and the GPU virtual address that the range shows.
#[derive(Debug, Default)]
struct Aperture(BTreeMap<u64, (u64, u64)>);

impl Aperture {
    /// What an address reaches.
    fn find(&self, address: u64, device: &DeviceShared) -> Slot {
        let shown = self.0.range(..=address).next_back();
        match shown.filter(|(_, (end, _))| address < *end) {
            Some((begin, (_, shows))) => tlb::find(GpuVirtualAddress(shows + (address - begin)), device),
            None => Slot::Unmapped,
        }
    }

    fn page(&mut self, paging: &PlannedPaging, allocations: &[DmaAllocation]) {
        let allocation = &allocations[paging.allocation as usize];
        let first = PAGE.align_down(allocation.address.0);
        match &paging.kind {
            PlannedPagingKind::WriteBack { from } | PlannedPagingKind::Discard { from } => self.unmap(from),
            PlannedPagingKind::PageIn { to } => self.map(to, first),
            PlannedPagingKind::Move { from, to } => {
                self.unmap(from);
                self.map(to, first);
            }
        }
    }

    fn unmap(&mut self, from: &[ByteRange]) {
        for range in from {
            self.0.remove(&range.begin);
        }
    }

    fn map(&mut self, to: &[ByteRange], first: u64) {
        let mut shows = first;
        for range in to {
            self.0.insert(range.begin, (range.end, shows));
            shows = shows.saturating_add(range.size());
        }
    }
}

impl SoftApertureQueue {
    pub(crate) fn new(device: Arc<DeviceShared>, engines: Engines) -> SoftApertureQueue {
        SoftApertureQueue { queue: SoftQueue::new(device), engines, running: None }
    }

    /// Plans all parts of a buffer before the first is run. Where what stands in slots is too much, nothing is left
    /// there.
    fn begin(&self, buffer: &DmaBuffer) -> Result<Running, EngineFault> {
        match self.plan(buffer, SlotBinding::UntilLastUse)? {
            Ok(running) => Ok(running),
            Err(_) => self.plan(buffer, SlotBinding::ForOneCommand)?.map_err(|error| does_not_fit(&error)),
        }
    }

    fn plan(
        &self,
        buffer: &DmaBuffer,
        binding: SlotBinding,
    ) -> Result<Result<Running, SplitError>, EngineFault> {
        let slot_count = self.engines.slot_count;
        let options = PatchedOptions { slot_count, large_size: LARGE_SIZE, page: PAGE, binding };
        let buffer = PatchedBuffer::compile(buffer, options).map_err(refused)?;
        let allocations: Vec<SplitAllocation> = buffer.allocations().iter().map(pages_of).collect();
        let segment = SplitSegment {
            size: self.engines.aperture_size,
            placement: SegmentPlacement::Contiguous,
            occupied: Vec::new(),
        };
        let planned = plan(&SplitRequest {
            dma_buffer_size: buffer.size(),
            allocation_list: buffer.allocation_list(),
            patch_locations: buffer.patch_locations(),
            slot_count: buffer.slot_count(),
            allocations: &allocations,
            segment: &segment,
            limits: SearchLimits::default(),
        });
        Ok(planned.map(|plan| {
            let mut parts = plan.parts;
            parts.reverse();
            let mut registers = Registers::default();
            registers.begin(&buffer, true);
            let (aperture, at) = (Aperture::default(), Cursor::default());
            Running { buffer, parts, aperture, registers, at, part_end: 0 }
        }))
    }

    fn run(
        &mut self,
        running: &mut Running,
        buffer: &DmaBuffer,
        cursor: &mut Cursor,
        limit: ExecuteLimit,
    ) -> Result<(), EngineFault> {
        let mut commands = Commands::from(buffer.words(), *cursor);
        let mut calls = 0_u32;
        self.load(running)?;
        while !commands.is_at_end() {
            let begins = commands.is_at_call();
            if begins {
                if matches!(limit, ExecuteLimit::Calls(most) if calls >= most) {
                    break;
                }
                calls = calls.saturating_add(1);
            }
            self.command(running)?;
            // The patched stream has the same commands, and binds between them.
            let _ = commands.next_command().map_err(EngineFault::Malformed)?;
            self.queue.meter.count_calls(begins);
            *cursor = commands.cursor();
        }
        Ok(())
    }

    /// Does the binds up to the next command, and that.
    fn command(&mut self, running: &mut Running) -> Result<(), EngineFault> {
        loop {
            if running.at.word >= running.part_end {
                self.next_part(running)?;
            }
            let mut commands = Commands::from(running.buffer.words(), running.at);
            let word = running.at.word;
            let Some(command) = commands.next_command().map_err(EngineFault::Malformed)? else {
                return Ok(());
            };
            running.at = commands.cursor();
            let Running { buffer, aperture, registers, .. } = &mut *running;
            let device = Arc::clone(&self.queue.device);
            let reach = |address| aperture.find(address, &device);
            registers.command(&mut self.queue, buffer, (word, &command), reach)?;
            if !matches!(command, heapstone_driver::dma::Command::BindSlot { .. }) {
                return Ok(());
            }
        }
    }

    /// Pages for the next part, and patches it. What paging does to the engine's state is programmed anew.
    fn next_part(&mut self, running: &mut Running) -> Result<(), EngineFault> {
        let Some(part) = running.parts.pop() else { return Ok(()) };
        for paging in &part.paging {
            running.aperture.page(paging, running.buffer.allocations());
        }
        running.buffer.patch(&part);
        running.part_end = part.submission.end as usize / 4;
        self.queue.meter.part(u64::try_from(part.paging.len()).unwrap_or(u64::MAX));
        self.load(running)
    }

    fn load(&mut self, running: &mut Running) -> Result<(), EngineFault> {
        let Running { buffer, aperture, registers, at, .. } = running;
        let device = Arc::clone(&self.queue.device);
        let loaded = registers.load_all(&mut self.queue, buffer, |address| aperture.find(address, &device));
        loaded.map_err(|reason| EngineFault::Malformed(MalformedStream { word: at.word, reason }))
    }
}

/// The pages that an allocation lies in.
fn pages_of(allocation: &DmaAllocation) -> SplitAllocation {
    let begin = PAGE.align_down(allocation.address.0);
    let end = allocation.address.0.checked_add(allocation.size).and_then(|end| PAGE.align_up(end));
    // What reaches beyond 64 bits fits nowhere; what has no bytes takes a page.
    let size = end.map_or(u64::MAX, |end| (end - begin).max(PAGE.bytes()));
    SplitAllocation { size, alignment: PAGE, residency: None }
}

fn refused(error: PatchedError) -> EngineFault {
    match error {
        PatchedError::Malformed(stream) => EngineFault::Malformed(stream),
        PatchedError::Operand { .. } => EngineFault::Malformed(MalformedStream {
            word: 0,
            reason: "an operand names no entry of the allocation list",
        }),
        PatchedError::SlotCount { .. } | PatchedError::TooLong => {
            EngineFault::Driver(DriverError::Unsupported {
                what: format!("a buffer of an engine that is patched: {error}"),
            })
        }
    }
}

fn does_not_fit(error: &SplitError) -> EngineFault {
    let size = match error {
        SplitError::OutOfMemory(error) => error.needed,
        _ => 0,
    };
    let what = "the aperture of an engine that is patched";
    EngineFault::Driver(DriverError::OutOfMemory { what, size, reason: error.to_string() })
}

impl DriverQueue for SoftApertureQueue {
    fn execute(
        &mut self,
        buffer: &DmaBuffer,
        cursor: &mut Cursor,
        limit: ExecuteLimit,
    ) -> Result<(), EngineFault> {
        let running = if cursor.word == 0 {
            self.queue.leaves_out = false;
            None
        } else {
            self.running.take()
        };
        let mut running = match running {
            Some(running) => running,
            None => self.begin(buffer)?,
        };
        let result = self.run(&mut running, buffer, cursor, limit);
        drop(Execution(&mut self.queue));
        match &result {
            Ok(()) if cursor.word < buffer.words().len() => self.running = Some(running),
            Ok(()) => {}
            Err(_) => self.queue.meter.abandon(),
        }
        result
    }

    fn update_tile_mappings(
        &mut self,
        resource: GpuVirtualAddress,
        runs: &[TileRun],
    ) -> Result<(), EngineFault> {
        self.queue.update_tile_mappings(resource, runs)
    }

    fn copy_tile_mappings(
        &mut self,
        destination: GpuVirtualAddress,
        source: GpuVirtualAddress,
        runs: &[TileCopyRun],
    ) -> Result<(), EngineFault> {
        self.queue.copy_tile_mappings(destination, source, runs)
    }

    fn statistics(&self) -> QueueStatistics {
        self.queue.statistics()
    }

    fn time_ns(&self) -> u64 {
        self.queue.time_ns()
    }

    fn wait_until(&mut self, time_ns: u64) {
        self.queue.wait_until(time_ns);
    }
}
