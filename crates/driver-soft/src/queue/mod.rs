//! A queue: one engine, which runs DMA buffers.
//!
//! ```text
//!   execute --> Commands --> one function a command (copy, set, resolve)
//!                               |  operand   what it names, checked against the allocation list
//!                               |  Tlb       where that is: looked up once in an execution, and held
//!                               |  transfer  the bytes
//!                               '  Meter     what it cost
//! ```
//! A command that faults has done nothing, and those before it are done. Barriers order nothing: the engine does
//! one command after the other.

mod aperture;
mod copy;
mod fault;
mod operand;
mod patched;
mod resolve;
mod set;
mod shortcut;
mod tiles;
mod tlb;
mod traffic;

use std::sync::Arc;

use heapstone_driver::dma::{BoxCopy, Command, Commands, Cursor, DmaAllocation, DmaBuffer};
use heapstone_driver::engine::{
    DriverQueue, EngineFault, ExecuteLimit, QueueStatistics, TileCopyRun, TileRun,
};
use heapstone_units::GpuVirtualAddress;

pub(crate) use self::aperture::SoftApertureQueue;
use self::copy::{CopyRegion, copy_buffer, copy_region};
use self::fault::Stop;
use self::operand::Pins;
pub(crate) use self::patched::SoftPatchedQueue;
use self::resolve::{ResolveRegion, resolve_region};
use self::set::FillRegion;
use self::shortcut::copy_box;
use self::tiles::TileScratch;
use self::tlb::Tlb;
use self::traffic::Meter;
use crate::bytes::prefetch_words;
use crate::device::DeviceShared;
use crate::transfer::Scratch;

/// So far ahead a stream is asked for (chosen: a kibibyte of small copies takes a few times as long as memory takes to
/// answer; unasked, a fifth of the time of many small copies goes into waiting for the next (measured)).
const WORDS_AHEAD: usize = 256;

/// A queue of the software driver.
#[derive(Debug)]
pub(crate) struct SoftQueue {
    device: Arc<DeviceShared>,
    tlb: Tlb,
    meter: Meter,
    scratch: Scratch,
    tiles: TileScratch,
    /// Whether the predicate leaves commands out.
    leaves_out: bool,
}

impl SoftQueue {
    pub(crate) fn new(device: Arc<DeviceShared>) -> SoftQueue {
        SoftQueue {
            tlb: Tlb::default(),
            meter: Meter::new(Arc::clone(&device.cost)),
            scratch: Scratch::new(),
            tiles: TileScratch::default(),
            leaves_out: false,
            device,
        }
    }

    #[inline(never)]
    fn run(
        &mut self,
        buffer: &DmaBuffer,
        cursor: &mut Cursor,
        limit: ExecuteLimit,
    ) -> Result<(), EngineFault> {
        let mut commands = Commands::from(buffer.words(), *cursor);
        let mut calls = 0_u32;
        while !commands.is_at_end() {
            let begins = commands.is_at_call();
            if begins {
                if matches!(limit, ExecuteLimit::Calls(most) if calls >= most) {
                    break;
                }
                calls = calls.saturating_add(1);
            }
            prefetch_words(buffer.words(), commands.cursor().word + WORDS_AHEAD);
            if commands.pass_barrier() {
                self.meter.barrier();
                self.meter.count_calls(begins);
                *cursor = commands.cursor();
                continue;
            }
            if let Some(copy) = commands.box_copy()
                && self.copy_shortly(&copy, buffer.allocations())
            {
                commands.pass_box_copy();
                self.meter.count_calls(begins);
                *cursor = commands.cursor();
                continue;
            }
            let word = cursor.word;
            let Some(command) = commands.next_command().map_err(EngineFault::Malformed)? else { break };
            self.command(&command, buffer.allocations()).map_err(|stop| stop.at(word))?;
            self.meter.count_calls(begins);
            *cursor = commands.cursor();
        }
        Ok(())
    }

    /// Makes the copy the short way, if that is to be; whether it did.
    #[inline(always)]
    fn copy_shortly(&mut self, copy: &BoxCopy, allocations: &[DmaAllocation]) -> bool {
        !self.leaves_out && copy_box(&mut self.tlb, &mut self.meter, &self.device, allocations, copy)
    }

    fn command(&mut self, command: &Command, allocations: &[DmaAllocation]) -> Result<(), Stop> {
        if self.leaves_out && command.is_predicated() {
            // The engine reads it all the same.
            self.meter.command(0, 0);
            return Ok(());
        }
        let scratch = &mut self.scratch;
        let pins = &mut Pins::new(&mut self.tlb, &mut self.meter, &self.device, allocations);
        match *command {
            Command::CopyBuffer { destination, source, size } => {
                copy_buffer(pins, scratch, destination, source, size)
            }
            Command::CopyRegion {
                ref destination,
                ref destination_origin,
                ref source,
                ref source_origin,
                ref size,
                element_bytes_log2,
                samples_log2,
                mask,
            } => {
                let copy = CopyRegion {
                    destination,
                    destination_origin,
                    source,
                    source_origin,
                    size,
                    element_bytes_log2,
                    samples_log2,
                    mask,
                };
                copy_region(pins, scratch, &copy)
            }
            Command::Fill { destination, origin, size, element_bytes_log2, samples_log2, value, period } => {
                let fill =
                    FillRegion { destination, origin, size, element_bytes_log2, samples_log2, value, period };
                set::fill(pins, scratch, &fill)
            }
            Command::Write { destination, value, mode: _ } => {
                set::write(pins, destination, &value.to_le_bytes())
            }
            Command::Resolve {
                destination,
                destination_origin,
                source,
                source_origin,
                size,
                samples_log2,
                format,
                mode,
            } => resolve_region(
                pins,
                scratch,
                &ResolveRegion {
                    destination,
                    destination_origin,
                    source,
                    source_origin,
                    size,
                    samples_log2,
                    format,
                    mode,
                },
            ),
            Command::Discard { destination, origin, size } => set::discard(pins, destination, origin, size),
            Command::SetPredication { value, op } => {
                self.leaves_out = set::predicate(pins, value, op)?;
                Ok(())
            }
            Command::Timestamp { destination } => {
                // Of the end of all commands before.
                let time = pins.meter.time_ns().to_le_bytes();
                set::write(pins, destination, &time)
            }
            // Passed before.
            Command::Barrier(_) => Ok(()),
            Command::BindSlot { .. } => {
                Err(Stop::Malformed("it binds a slot, which an engine with virtual addresses has not"))
            }
        }
    }
}

/// While it lives, heaps are held. They are let go also where a bug of ours unwinds: whoever takes a heap away
/// would else wait for ever.
struct Execution<'a>(&'a mut SoftQueue);

impl Drop for Execution<'_> {
    fn drop(&mut self) {
        self.0.tlb.end();
    }
}

impl DriverQueue for SoftQueue {
    fn execute(
        &mut self,
        buffer: &DmaBuffer,
        cursor: &mut Cursor,
        limit: ExecuteLimit,
    ) -> Result<(), EngineFault> {
        if cursor.word == 0 {
            self.leaves_out = false;
        }
        self.tlb.begin(buffer.allocations().len());
        let execution = Execution(self);
        let result = execution.0.run(buffer, cursor, limit);
        if result.is_err() {
            execution.0.meter.abandon();
        }
        result
    }

    fn update_tile_mappings(
        &mut self,
        resource: GpuVirtualAddress,
        runs: &[TileRun],
    ) -> Result<(), EngineFault> {
        let tiles = self.tiles.update(&self.device, resource, runs)?;
        self.meter.mapping(tiles);
        Ok(())
    }

    fn copy_tile_mappings(
        &mut self,
        destination: GpuVirtualAddress,
        source: GpuVirtualAddress,
        runs: &[TileCopyRun],
    ) -> Result<(), EngineFault> {
        let tiles = self.tiles.copy(&self.device, destination, source, runs)?;
        self.meter.mapping(tiles);
        Ok(())
    }

    fn statistics(&self) -> QueueStatistics {
        self.meter.statistics()
    }

    fn time_ns(&self) -> u64 {
        self.meter.time_ns()
    }

    fn wait_until(&mut self, time_ns: u64) {
        self.meter.wait_until(time_ns);
    }
}
