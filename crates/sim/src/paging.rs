//! Pressure on memory while a program runs: what it has is evicted, its place is given to others that write there, and
//! it is made resident again; video memory is filled up, so that heaps are demoted, and left, so that they come back. A
//! program hears nothing of it: its bytes are the same.

use heapstone::spec::commands::CommandListType;
use heapstone::spec::rules::residency::EXECUTE_EVICTED;
use heapstone::{
    Adapter, CommandQueue, CommandQueueDesc, CommittedResourceDesc, Device, Error, GpuMode, Heap, HeapDesc,
    HeapType, MemoryPool, Pageable, ProcessRole, RemovalReason, Resource, ResourceDesc, ResourceKind,
    SegmentGroup,
};

use crate::machine::Machine;
use crate::source::{Source, noise};

/// Bytes of a page of the memory manager.
const PAGE: u64 = 64 << 10;

/// Pages of the largest buffer that takes a place.
const FILLER_PAGES: u64 = 16;

/// Another process on the program's adapter, and what it does to it.
pub(crate) struct Pressure {
    choices: Source<'static>,
    device: Device,
    queue: CommandQueue,
    noise: Resource,
    /// What has a place still.
    fillers: Vec<Resource>,
    /// The index of the video memory that can be filled up.
    video: Option<usize>,
}

impl Pressure {
    pub(crate) fn new(adapter: &Adapter, seed: u64) -> Result<Pressure, Error> {
        // What it is used for is done when its calls return, whatever the program's mode.
        let device = Device::builder()
            .adapter(adapter)
            .role(ProcessRole::Foreground)
            .gpu_mode(GpuMode::Immediate)
            .build()?;
        let queue = device.create_command_queue(&CommandQueueDesc::new(CommandListType::Copy))?;
        let size = FILLER_PAGES * PAGE;
        let upload = CommittedResourceDesc::new(HeapType::Upload, ResourceDesc::buffer(size));
        let upload = device.create_committed_resource(&upload)?;
        upload.write(0, &noise(seed, usize::try_from(size).unwrap_or(0)))?;
        let segments = &adapter.profile().memory.segments;
        let video = segments.iter().position(|segment| segment.pool == MemoryPool::L1);
        let choices = Source::from_seed(seed);
        Ok(Pressure { choices, device, queue, noise: upload, fillers: Vec::new(), video })
    }

    /// Between two steps of the program, whose work may be in flight.
    pub(crate) fn press(&mut self, machine: &mut Machine) -> Result<(), Error> {
        if self.choices.chance(25) {
            return Ok(());
        }
        // Heaps that tiles show are the program's to keep resident until the work has ended: which tiles show what is
        // known when it runs.
        let is_idle = self.choices.chance(50);
        if is_idle {
            machine.finish()?;
        }
        let mut chosen = machine.pageables(is_idle);
        chosen.retain(|_| self.choices.chance(60));
        if self.choices.chance(20) {
            let budget = self.choices.chance(70).then(|| PAGE * self.choices.below(64));
            machine.device.set_budget(0, SegmentGroup::Local, budget)?;
        }
        machine.device.evict(&chosen)?;
        self.fill()?;
        let flood = if self.choices.chance(40) { self.flood() } else { None };
        machine.device.make_resident(&chosen)?;
        drop(flood);
        if self.choices.chance(30) {
            // Time for promotion: 1 GB a second.
            machine.device.adapter().advance_clock(self.choices.below(2_000_000_000));
        }
        Ok(())
    }

    /// Takes a place and writes it; others go.
    fn fill(&mut self) -> Result<(), Error> {
        self.fillers.retain(|_| self.choices.chance(70));
        let size = PAGE * (1 + self.choices.below(FILLER_PAGES));
        let filler = CommittedResourceDesc::new(HeapType::Default, ResourceDesc::buffer(size));
        let filler = self.device.create_committed_resource(&filler)?;
        let allocator = self.device.create_command_allocator(CommandListType::Copy)?;
        let mut list = self.device.create_command_list(CommandListType::Copy, &allocator)?;
        list.copy_buffer_region(&filler, 0, &self.noise, 0, size)?;
        list.close()?;
        self.queue.execute_command_lists(&[&list])?;
        self.fillers.push(filler);
        Ok(())
    }

    /// Takes all that is free of video memory and a bit more; `None` where it cannot be had.
    fn flood(&mut self) -> Option<Heap> {
        let (_, statistics) = self.device.adapter().segments().nth(self.video?)?;
        let more = self.choices.below(64) * PAGE;
        let size = (statistics.free / PAGE * PAGE).checked_add(more)?;
        let flood = self.device.create_heap(&HeapDesc::new(size, HeapType::Default)).ok()?;
        // In system memory it would be in the way of what is demoted.
        (!flood.is_demoted()).then_some(flood)
    }

    /// After the program: that work which uses what is evicted is caught.
    pub(crate) fn check_caught(&self, machine: &Machine) -> Result<(), String> {
        let mut buffers = machine.resources.values();
        let buffer = buffers.find(|buffer| {
            buffer.kind() == ResourceKind::Committed
                && buffer.desc().is_buffer()
                && buffer.desc().width > 1
                && buffer
                    .heap_properties()
                    .is_ok_and(|(properties, _)| properties.heap_type == HeapType::Default)
        });
        let Some(buffer) = buffer else { return Ok(()) };
        let told = |error: Error| format!("at the end: {error}");
        machine.device.evict(&[buffer.into()]).map_err(told)?;
        let (_allocator, mut list) = machine.list(2).map_err(told)?;
        list.copy_buffer_region(buffer, 1, buffer, 0, 1).map_err(told)?;
        list.close().map_err(told)?;
        match machine.execute(2, &[&list]) {
            Err(Error::DeviceRemoved(reason)) => match &*reason {
                RemovalReason::InvalidCall(violation) if *violation.rule == EXECUTE_EVICTED => Ok(()),
                reason => Err(format!("work that uses an evicted buffer fails otherwise: {reason}")),
            },
            other => Err(format!("work that uses an evicted buffer is not caught: {other:?}")),
        }
    }
}

impl Machine {
    /// Whose residency can be asked for.
    fn pageables(&self, with_heaps: bool) -> Vec<Pageable<'_>> {
        let committed = self.resources.values().filter(|resource| resource.kind() == ResourceKind::Committed);
        let heaps = self.heaps().filter(|_| with_heaps);
        heaps.map(Pageable::from).chain(committed.map(Pageable::from)).collect()
    }
}
