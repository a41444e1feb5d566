//! Runs a program on the real thing and on the model, and compares.

use core::fmt;

use heapstone::{
    Adapter, Backing, Error, FaultPlan, FaultStatistics, HeapType, PlacedFootprint, Profile,
    TextureCopyLocation,
};
use heapstone_driver_soft::{PagingBytes, SoftDriverFactory, SoftDriverOptions};

use crate::compare::difference;
use crate::machine::{Machine, QUEUE_TYPES};
use crate::model::{Cell, Memory, Model, Op, Predicate, Shown, TILE, Verdict};
use crate::paging::Pressure;
use crate::program::{Command, Program, QueueIndex, Slot, Step};
use crate::source::noise;
use crate::sync::Hazards;

/// When the GPU does its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// At once.
    Immediate,
    /// On threads, an engine each.
    Threaded,
    /// In an order that the seed decides, command by command.
    Stepped(u64),
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Commands and calls that ran.
    pub legal: u64,
    /// Commands and calls that were refused, as expected.
    pub refused: u64,
    /// Steps and commands that were left out.
    pub skipped: u64,
    /// Bytes that were compared.
    pub compared: u64,
    /// Bytes that were read back, and of which nothing is known.
    pub unknown: u64,
    /// Bytes of heaps that came back from the backing store; 0 where bytes stay in place.
    pub paged_in: u64,
    /// Bytes of heaps that moved within memory.
    pub moved: u64,
}

/// Where the real thing and the model part.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The step.
    pub step: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.what)
    }
}

impl std::error::Error for Mismatch {}

/// Runs a program in one mode.
///
/// # Errors
/// The first call that is refused or taken unlike the model has it, and the first byte that differs.
pub fn run(program: &Program, mode: Mode) -> Result<Report, Mismatch> {
    run_with_faults(program, mode, None).map(|(report, _)| report)
}

/// Runs a program in one mode while a plan's faults happen. What they refuse is asked for again, so that the model knows
/// of none: a plan that removes the device, or refuses every step, is no good here. Also what the plan did.
///
/// # Errors
/// As [`run`].
pub fn run_with_faults(
    program: &Program,
    mode: Mode,
    faults: Option<FaultPlan>,
) -> Result<(Report, FaultStatistics), Mismatch> {
    run_under(program, mode, faults, None)
}

/// Runs a program in one mode on an adapter whose heaps' bytes move, under pressure that the seed decides.
///
/// # Errors
/// As [`run`].
pub fn run_paged(program: &Program, mode: Mode, seed: u64) -> Result<Report, Mismatch> {
    run_under(program, mode, None, Some(seed)).map(|(report, _)| report)
}

fn run_under(
    program: &Program,
    mode: Mode,
    faults: Option<FaultPlan>,
    pressure: Option<u64>,
) -> Result<(Report, FaultStatistics), Mismatch> {
    let failed = |step, what| Mismatch { step, what };
    let begun = |error| failed(0, format!("no device: {error}"));
    let profile = profile(program.profile).ok_or_else(|| failed(0, "no such profile".to_owned()))?;
    let paging_bytes = if pressure.is_some() { PagingBytes::Moved } else { PagingBytes::InPlace };
    let options = SoftDriverOptions { paging_bytes, ..SoftDriverOptions::default() };
    let adapter =
        Adapter::open(profile.clone(), &SoftDriverFactory { options }, Backing::Host).map_err(begun)?;
    let machine = Machine::new(&adapter, mode, faults).map_err(begun)?;
    let pressure = pressure.map(|seed| Pressure::new(&adapter, seed)).transpose().map_err(begun)?;
    let mut both = Both {
        machine,
        model: Model::new(&profile),
        hazards: Hazards::default(),
        report: Report::default(),
        pressure,
    };
    for (index, step) in program.steps.iter().enumerate() {
        both.step(step).map_err(|what| failed(index, what))?;
        both.press().map_err(|what| failed(index, format!("after it, under pressure: {what}")))?;
    }
    let end = program.steps.len();
    both.machine.finish().map_err(|error| failed(end, broke(error)))?;
    for (value, expected) in both.machine.back_values() {
        if value != expected {
            return Err(failed(end, format!("a fence that went back is at {value}, not at {expected}")));
        }
    }
    for slot in both.model.resources().collect::<Vec<_>>() {
        both.check(slot).map_err(|what| failed(end, format!("at the end: {what}")))?;
        both.press().map_err(|what| failed(end, format!("at the end, under pressure: {what}")))?;
    }
    if let Some(pressure) = &both.pressure {
        pressure.check_caught(&both.machine).map_err(|what| failed(end, what))?;
    }
    if let Some(statistics) = adapter.heap_paging_statistics() {
        both.report.moved = statistics.bytes_moved;
        both.report.paged_in = statistics.bytes_paged_in;
    }
    Ok((both.report, both.machine.fault_statistics()))
}

/// Runs a program in all modes.
///
/// # Errors
/// As [`run`]; the message says in which mode.
pub fn check(program: &Program, seed: u64) -> Result<Report, Mismatch> {
    check_by(seed, |mode| run(program, mode))
}

/// Runs a program in all modes, as [`run_paged`] does.
///
/// # Errors
/// As [`check`].
pub fn check_paged(program: &Program, seed: u64) -> Result<Report, Mismatch> {
    check_by(seed, |mode| run_paged(program, mode, seed))
}

fn check_by(seed: u64, run: impl Fn(Mode) -> Result<Report, Mismatch>) -> Result<Report, Mismatch> {
    let mut last = Report::default();
    for mode in [Mode::Immediate, Mode::Stepped(seed), Mode::Threaded] {
        last = run(mode)
            .map_err(|mismatch| Mismatch { what: format!("{mode:?}: {}", mismatch.what), ..mismatch })?;
    }
    Ok(last)
}

/// Built-in profiles are read once.
fn profile(name: &str) -> Option<Profile> {
    use std::collections::BTreeMap;
    use std::sync::{Mutex, PoisonError};
    static READ: Mutex<Option<BTreeMap<String, Profile>>> = Mutex::new(None);
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let read = read.get_or_insert_with(BTreeMap::new);
    if let Some(known) = read.get(name) {
        return Some(known.clone());
    }
    let made = Profile::builtin(name)?;
    read.insert(name.to_owned(), made.clone());
    Some(made)
}

/// The real thing and the model, side by side.
struct Both {
    machine: Machine,
    model: Model,
    hazards: Hazards,
    report: Report,
    pressure: Option<Pressure>,
}

/// What went otherwise than the model has it, in words.
type Outcome<T = ()> = Result<T, String>;

fn broke(error: Error) -> String {
    format!("failed: {error}")
}

impl Both {
    /// Compares a call's outcome with the verdict; whether it succeeded.
    fn agree(&mut self, verdict: Verdict, call: Result<(), Error>, what: &dyn fmt::Debug) -> Outcome<bool> {
        match (verdict, call) {
            (Verdict::Legal, Ok(())) => {
                self.report.legal += 1;
                Ok(true)
            }
            (Verdict::Refused, Err(Error::Invalid(_))) => {
                self.report.refused += 1;
                Ok(false)
            }
            (Verdict::Skip, _) => {
                self.report.skipped += 1;
                Ok(false)
            }
            (Verdict::Legal, Err(error)) => Err(format!("{what:?} is legal, but: {error}")),
            (Verdict::Refused, Ok(())) => Err(format!("{what:?} is not legal, but succeeds")),
            (Verdict::Refused, Err(error)) => Err(format!("{what:?} is refused otherwise: {error}")),
        }
    }

    /// Where there is pressure, between two steps.
    fn press(&mut self) -> Outcome {
        self.pressure.as_mut().map_or(Ok(()), |pressure| pressure.press(&mut self.machine)).map_err(broke)
    }

    fn step(&mut self, step: &Step) -> Outcome {
        match step {
            Step::CreateHeap { .. }
            | Step::CreateCommitted { .. }
            | Step::CreatePlaced { .. }
            | Step::CreateReserved { .. }
            | Step::DestroyResource { .. }
            | Step::DestroyHeap { .. } => {
                let verdict = self.model.object(step);
                if verdict == Verdict::Skip {
                    self.report.skipped += 1;
                    return Ok(());
                }
                if let Step::DestroyHeap { heap } = step {
                    // Work in flight that sees it through tiles does not keep it alive.
                    let needs = self.hazards.needs(&[(Memory::Heap(*heap), true)]);
                    self.machine.wait_here(&needs).map_err(broke)?;
                }
                let call = self.machine.object(step);
                self.agree(verdict, call, step).map(drop)
            }
            Step::WriteBuffer { resource, offset, size, seed } => {
                self.write_buffer(*resource, *offset, *size, *seed)
            }
            Step::WriteTexels { .. } | Step::ReadTexels { .. } => self.cpu_texels(step),
            Step::Execute { queue, times, commands } => self.execute(*queue, *times, commands),
            Step::OrderBack { before, after } => self.machine.order_back(*before, *after).map_err(broke),
            Step::Timestamps { queue, copied } => self.timestamps(*queue, *copied, step),
            Step::Hold { queue } => self.machine.hold(*queue).map_err(broke),
            Step::Release => self.machine.release().map_err(broke),
            Step::UpdateTileMappings { queue, resource, update } => {
                let judged = self.model.judge_update(*resource, update);
                let accesses = [(Memory::Resource(*resource), true)];
                self.mappings(*queue, *resource, judged, &accesses, step)
            }
            Step::CopyTileMappings { queue, destination, destination_start, source, source_start, size } => {
                let judged = self.model.judge_copy_mappings(
                    (*destination, destination_start),
                    (*source, source_start),
                    size,
                );
                let accesses = [(Memory::Resource(*destination), true), (Memory::Resource(*source), false)];
                self.mappings(*queue, *destination, judged, &accesses, step)
            }
            Step::Order { before, after } => {
                let needs = {
                    let mut needs = crate::sync::Needs::default();
                    needs[*before] = self.machine.values()[*before];
                    needs
                };
                self.machine.wait_on(*after, &needs).map_err(broke)
            }
            Step::Finish => self.machine.finish().map_err(broke),
            Step::Check { resource } => self.check(*resource),
        }
    }

    /// Time goes on: from list to list, and by as much as there is to do.
    fn timestamps(&mut self, queue: QueueIndex, copied: u64, step: &Step) -> Outcome {
        let call = self.machine.timestamps(queue, copied);
        let verdict = self.model.judge_timestamps(QUEUE_TYPES[queue]);
        let times = call.as_ref().ok().copied();
        if self.agree(verdict, call.map(drop), step)?
            && let Some([before, begin, end]) = times
            && !(before <= begin && begin <= end && (begin < end || copied == 0))
        {
            return Err(format!("{step:?}: time goes from {before} to {begin} to {end}"));
        }
        Ok(())
    }

    /// Before the CPU accesses a resource.
    fn cpu_turn(&mut self, slot: Slot, is_written: bool) -> Outcome {
        let mut accesses = Vec::new();
        self.model.memory_of(slot, is_written, &mut accesses);
        let needs = self.hazards.needs(&accesses);
        self.machine.wait_here(&needs).map_err(broke)
    }

    fn write_buffer(&mut self, slot: Slot, offset: u64, size: u64, seed: u64) -> Outcome {
        let verdict = self.model.judge_write(slot, offset, size);
        if verdict == Verdict::Skip {
            self.report.skipped += 1;
            return Ok(());
        }
        self.cpu_turn(slot, true)?;
        let bytes = noise(seed, usize::try_from(size).unwrap_or(0));
        let call = self.machine.resources[&slot].write(offset, &bytes);
        if self.agree(verdict, call, &("WriteBuffer", slot, offset, size))? {
            self.model.write_bytes(slot, offset, &bytes);
        }
        Ok(())
    }

    /// Write- and ReadFromSubresource.
    fn cpu_texels(&mut self, step: &Step) -> Outcome {
        let (slot, subresource, texels, row_padding, slice_padding, seed) = match step {
            Step::WriteTexels { resource, subresource, texels, row_padding, slice_padding, seed } => {
                (*resource, *subresource, texels.as_ref(), *row_padding, *slice_padding, Some(*seed))
            }
            Step::ReadTexels { resource, subresource, texels, row_padding } => {
                (*resource, *subresource, texels.as_ref(), *row_padding, 0, None)
            }
            _ => return Ok(()),
        };
        let (verdict, elements) = match self.model.judge_texels(slot, subresource, texels) {
            Ok(elements) => (Verdict::Legal, elements),
            Err(Verdict::Skip) => {
                self.report.skipped += 1;
                return Ok(());
            }
            Err(verdict) => (verdict, None),
        };
        self.cpu_turn(slot, seed.is_some())?;
        // Of a refused call rows that hold a box are given all the same, where there is one.
        let shapes = self.model.subresources(slot);
        let shape = usize::try_from(subresource).ok().and_then(|index| shapes.get(index)).copied();
        let size = elements.map_or([0; 3], |elements| elements.size);
        let element = shape.map_or(1, |shape| shape.element());
        let row = size[0] * element + index(row_padding);
        let slice = row * size[1] + index(slice_padding);
        let length = if elements.is_some() { slice * size[2] } else { 1 << 16 };
        let pitch = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
        let resource = self.machine.resources[&slot].clone();
        match seed {
            Some(seed) => {
                let bytes = noise(seed, length);
                let call =
                    resource.write_to_subresource(subresource, texels, &bytes, pitch(row), pitch(slice));
                if self.agree(verdict, call, step)?
                    && let Some(elements) = elements
                {
                    let packed = unpitched(&bytes, size, element, row, slice);
                    self.model.write_texels(slot, &elements, &packed);
                }
                Ok(())
            }
            None => {
                let mut bytes = vec![0xa5; length];
                let call =
                    resource.read_from_subresource(&mut bytes, pitch(row), pitch(slice), subresource, texels);
                if self.agree(verdict, call, step)?
                    && let Some(elements) = elements
                {
                    let expected = self.model.read_texels(slot, &elements);
                    let packed = unpitched(&bytes, size, element, row, slice);
                    self.compare(&expected, &packed, &format!("{step:?}"))?;
                }
                Ok(())
            }
        }
    }

    fn execute(&mut self, queue: QueueIndex, times: usize, commands: &[Command]) -> Outcome {
        let (allocator, mut list) = self.machine.list(queue).map_err(broke)?;
        let mut is_refused = false;
        let mut ops: Vec<Op> = Vec::new();
        for command in commands {
            match self.model.judge(QUEUE_TYPES[queue], command) {
                Err(Verdict::Skip) => self.report.skipped += 1,
                judged => {
                    let call = self.machine.record(&mut list, command);
                    let verdict = if judged.is_ok() { Verdict::Legal } else { Verdict::Refused };
                    self.agree(verdict, call, command)?;
                    is_refused |= judged.is_err();
                    ops.extend(judged.unwrap_or_default());
                }
            }
        }
        let closed = list.close();
        if is_refused {
            return match closed {
                Err(Error::Invalid(_)) => Ok(()),
                other => Err(format!("a refused command, but Close answers {other:?}")),
            };
        }
        closed.map_err(|error| format!("Close: {error}"))?;
        let mut accesses = Vec::new();
        for op in &ops {
            self.model.memory_of_op(op, &mut accesses);
        }
        let needs = self.hazards.needs(&accesses);
        self.machine.wait_on(queue, &needs).map_err(broke)?;
        self.machine
            .execute(queue, &vec![&list; times])
            .map_err(|error| format!("ExecuteCommandLists: {error}"))?;
        // A list does not need its allocator's handle, nor its own.
        drop((allocator, list));
        let value = self.machine.signal(queue).map_err(broke)?;
        self.hazards.note(&accesses, queue, value);
        for _ in 0..times {
            let mut predicate = Predicate::default();
            for op in &ops {
                self.model.apply(op, &mut predicate);
            }
        }
        Ok(())
    }

    fn mappings(
        &mut self,
        queue: QueueIndex,
        slot: Slot,
        judged: Result<Vec<(usize, Shown)>, Verdict>,
        accesses: &[(Memory, bool)],
        step: &Step,
    ) -> Outcome {
        if let Err(Verdict::Skip) = judged {
            self.report.skipped += 1;
            return Ok(());
        }
        let needs = self.hazards.needs(accesses);
        self.machine.wait_on(queue, &needs).map_err(broke)?;
        let call = match step {
            Step::UpdateTileMappings { update, .. } => self.machine.update(queue, slot, update),
            _ => self.machine.copy_mappings(step),
        };
        let verdict = if judged.is_ok() { Verdict::Legal } else { Verdict::Refused };
        if self.agree(verdict, call, step)?
            && let Ok(changes) = judged
        {
            self.model.show(slot, &changes);
            let value = self.machine.signal(queue).map_err(broke)?;
            self.hazards.note(accesses, queue, value);
        }
        Ok(())
    }

    /// Reads all of a resource back.
    fn check(&mut self, slot: Slot) -> Outcome {
        let Some(desc) = self.model.desc(slot).copied() else {
            self.report.skipped += 1;
            return Ok(());
        };
        self.machine.finish().map_err(broke)?;
        let resource = self.machine.resources[&slot].clone();
        if desc.is_buffer() {
            let found = if self.model.heap_type(slot) == Some(HeapType::Readback) {
                let mut bytes = vec![0; usize::try_from(desc.width).unwrap_or(0)];
                resource.read(0, &mut bytes).map_err(broke)?;
                bytes
            } else {
                let width = desc.width;
                self.machine
                    .read_by(width, |list, to| list.copy_buffer_region(to, 0, &resource, 0, width))
                    .map_err(broke)?
            };
            let expected = self.model.read_bytes(slot);
            return self.compare(&expected, &found, &format!("buffer {slot}"));
        }
        if desc.sample_desc.count > 1 {
            return self.check_samples(slot);
        }
        for (subresource, shape) in (0..).zip(self.model.subresources(slot).to_vec()) {
            let row = (shape.extent[0] * shape.bytes).next_multiple_of(256);
            let texels = shape.texels();
            let footprint = PlacedFootprint {
                offset: 0,
                format: shape.format,
                width: texels[0],
                height: texels[1],
                depth: texels[2],
                row_pitch: u32::try_from(row).unwrap_or(u32::MAX),
            };
            let size = row * shape.extent[1] * shape.extent[2];
            let found = self
                .machine
                .read_by(u64::try_from(size).unwrap_or(u64::MAX), |list, to| {
                    let to = TextureCopyLocation::footprint(to, footprint);
                    let from = TextureCopyLocation::subresource(&resource, subresource);
                    list.copy_texture_region(&to, 0, 0, 0, &from, None)
                })
                .map_err(broke)?;
            let found = unpitched(&found, shape.extent, shape.bytes, row, row * shape.extent[1]);
            let mut expected = self.model.read_subresource(slot, subresource);
            if shape.is_d24 {
                // Rows take the low 24 bits.
                expected.iter_mut().skip(3).step_by(4).for_each(|cell| *cell = Some(0));
            }
            self.compare(&expected, &found, &format!("texture {slot}, subresource {subresource}"))?;
        }
        Ok(())
    }

    /// A multisampled texture is copied to a reserved twin, whose tiles tell each sample.
    fn check_samples(&mut self, slot: Slot) -> Outcome {
        let desc = self.machine.resources[&slot].desc();
        let Some((twin, heap, tiles)) = self.machine.twin(&desc.clone()).map_err(broke)? else {
            self.report.skipped += 1;
            return Ok(());
        };
        let resource = self.machine.resources[&slot].clone();
        let mut grids = vec![heapstone::SubresourceTiling::PACKED; self.model.subresources(slot).len()];
        let tiling = self.machine.device.get_resource_tiling(&twin, 0, &mut grids).map_err(broke)?;
        if tiling.packed.packed_mips > 0 {
            self.report.skipped += 1;
            return Ok(());
        }
        let size = u64::from(tiles) * 65_536;
        let found = self
            .machine
            .read_by(size, |list, to| {
                use heapstone::spec::commands::TileCopyFlags;
                use heapstone::spec::tiles::{TileRegionSize, TiledResourceCoordinate};
                list.copy_resource(&twin, &resource)?;
                let flags = TileCopyFlags::SWIZZLED_TILED_RESOURCE_TO_LINEAR_BUFFER;
                let start = TiledResourceCoordinate::new(0, 0, 0, 0);
                list.copy_tiles(&twin, &start, &TileRegionSize::tiles(tiles), to, 0, flags)
            })
            .map_err(broke)?;
        drop(heap);
        for (subresource, shape) in (0..).zip(self.model.subresources(slot).to_vec()) {
            let grid = grids[index(subresource)];
            let tile = [tiling.tile_shape.width_in_texels, tiling.tile_shape.height_in_texels].map(index);
            let mut packed = Vec::with_capacity(shape.count() * shape.element());
            for y in 0..shape.extent[1] {
                for x in 0..shape.extent[0] {
                    let number =
                        index(grid.start_tile_index) + y / tile[1] * index(grid.width_in_tiles) + x / tile[0];
                    let within = (y % tile[1] * tile[0] + x % tile[0]) * shape.element();
                    let begin = number * TILE + within;
                    packed.extend_from_slice(&found[begin..begin + shape.element()]);
                }
            }
            let expected = self.model.read_subresource(slot, subresource);
            let what = format!("samples of texture {slot}, subresource {subresource}");
            self.compare(&expected, &packed, &what)?;
        }
        Ok(())
    }

    fn compare(&mut self, expected: &[Cell], found: &[u8], what: &str) -> Outcome {
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        let known = expected.iter().flatten().count();
        self.report.compared += count(known);
        self.report.unknown += count(expected.len() - known);
        if expected.len() != found.len() {
            return Err(format!("{what} has {} bytes, not {}", found.len(), expected.len()));
        }
        match difference(expected, found) {
            None => Ok(()),
            Some(difference) => Err(format!("{what}: {difference}")),
        }
    }
}

fn index(number: u32) -> usize {
    usize::try_from(number).expect("invariant: 32 bits fit")
}

/// Rows without what lies between them.
fn unpitched(bytes: &[u8], size: [usize; 3], element: usize, row: usize, slice: usize) -> Vec<u8> {
    let length = size[0] * element;
    let rows = (0..size[2]).flat_map(|z| (0..size[1]).map(move |y| z * slice + y * row));
    rows.flat_map(|begin| bytes[begin..begin + length].iter().copied()).collect()
}
