//! A run: a workload through the memory manager.

use std::collections::VecDeque;

use heapstone_kernel::residency::bound::{LowerBound, Step, lower_bound};
use heapstone_kernel::residency::policy::PolicyKind;
use heapstone_kernel::residency::{
    EvictFlags, InFlight, InitialContent, MakeResidentFlags, PagingStatistics, ResidencyConfig,
    ResidencyError, SubmissionUse,
};
use heapstone_kernel::{
    AdapterMemory, AllocateError, Allocation, AllocationDesc, ConfigError, FaultPlan, FaultStatistics,
    MemoryManager, Placement, Process, ProcessDesc, ProcessRole,
};
use heapstone_spec::SegmentGroup;
use heapstone_units::MIB;

use crate::workload::{Frame, WorkObject, Workload, WorldEvent};

/// Frames that the GPU is behind: what a frame used is free to leave two frames later.
const FRAMES_IN_FLIGHT: usize = 2;

/// A frame at 60 Hz, in nanoseconds, when nothing is waited for.
const FRAME_NS: u64 = 16_666_667;

/// The size of the heaps that a hog takes.
const HOG_HEAP: u64 = 32 * MIB;

/// What a workload runs on.
#[derive(Clone, Debug)]
pub struct RunDesc {
    /// The adapter's memory. Its policy is replaced by `policy`.
    pub memory: AdapterMemory,
    /// Who leaves memory first.
    pub policy: PolicyKind,
    /// The budget of video memory, in bytes.
    pub budget: u64,
    /// What goes wrong on purpose, from the first frame on.
    pub faults: Option<FaultPlan>,
}

/// What came of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What paging did.
    pub paging: PagingStatistics,
    /// The least that any policy pages in.
    pub bound: LowerBound,
    /// Bytes of the first page-ins in the bound that are no page-ins, because the objects begin as zeros.
    pub bytes_zeroed: u64,
    /// Frames.
    pub frame_count: u64,
    /// Uses of objects by frames.
    pub use_count: u64,
    /// Frames that went over the budget, because they need more.
    pub over_budget_count: u64,
    /// Frames that were not rendered: what they need found no place.
    pub refused_count: u64,
    /// Times that the application lost its device, and began again with all objects evicted.
    pub removal_count: u64,
    /// What faults did.
    pub faults: FaultStatistics,
    /// The most bytes of video memory that were used at once.
    pub usage_peak: u64,
    /// Calls of residency that the application made by itself.
    pub residency_call_count: u64,
    /// Those of them that were refused: over the budget, or memory was gone.
    pub residency_refused_count: u64,
    /// The virtual time that it waited in them, in nanoseconds; no stall of a frame.
    pub residency_wait_ns: u64,
    /// The virtual time that the run took, in nanoseconds.
    pub duration_ns: u64,
}

impl Outcome {
    /// The bytes that the best policy pages in.
    #[must_use]
    pub const fn bound_bytes(&self) -> u64 {
        self.bound.bytes_paged_in.saturating_sub(self.bytes_zeroed)
    }

    /// Page-ins in thousandths of the bound, rounded up; `None` where the bound is 0.
    #[must_use]
    pub fn ratio_permille(&self) -> Option<u64> {
        let bound = self.bound_bytes();
        if bound == 0 {
            return None;
        }
        let permille = (u128::from(self.paging.bytes_paged_in) * 1000).div_ceil(u128::from(bound));
        u64::try_from(permille).ok()
    }
}

/// Why a run cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// The workload's frame of that number uses, writes or destroys an object that is not there, or no more.
    Object {
        /// From 0.
        frame: usize,
        /// The object's number.
        object: u32,
    },
    /// The memory makes no sense.
    Config(ConfigError),
    /// An object finds no addresses.
    Allocate(AllocateError),
    /// A call failed that cannot: the memory manager's bug, or the workload's, which uses what it destroyed.
    Residency(ResidencyError),
}

impl core::fmt::Display for RunError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            RunError::Object { frame, object } => {
                write!(
                    f,
                    "frame {frame} of the workload names object {object}, which is not there, or no more"
                )
            }
            RunError::Config(error) => write!(f, "the adapter's memory: {error}"),
            RunError::Allocate(error) => write!(f, "an object of the workload: {error}"),
            RunError::Residency(error) => write!(f, "a frame of the workload: {error}"),
        }
    }
}

impl core::error::Error for RunError {}

/// Runs a workload.
///
/// # Errors
/// Where the memory makes no sense, the objects' addresses do not fit into the process's, or the workload names objects
/// that are not there.
pub fn run(workload: &Workload, desc: &RunDesc) -> Result<Outcome, RunError> {
    if let Some((frame, object)) = workload.first_unknown() {
        return Err(RunError::Object { frame, object });
    }
    let residency = ResidencyConfig { policy: desc.policy, keeps_operations: false, ..desc.memory.residency };
    let memory = AdapterMemory { residency, ..desc.memory.clone() };
    let manager = MemoryManager::new(memory).map_err(RunError::Config)?;
    let mut running = Running::new(&manager, workload, desc.budget)?;
    if desc.faults.is_some() {
        manager.inject(desc.faults);
    }
    for frame in &workload.frames {
        running.frame(frame)?;
    }
    running.surviving(|running| running.retire(0))?;
    let Running {
        use_count,
        over_budget_count,
        refused_count,
        removal_count,
        usage_peak,
        capacities,
        application,
        ..
    } = running;
    let used = workload.used();
    // Of what no frame uses there is nothing in the bound.
    let bytes_zeroed = (0..).zip(&workload.objects).filter(|(number, _)| used.contains(number));
    let bytes_zeroed = bytes_zeroed.map(|(_, object)| object).filter(|object| !object.is_loaded);
    Ok(Outcome {
        paging: manager.paging_statistics(),
        bound: bound(workload, &capacities),
        bytes_zeroed: bytes_zeroed.fold(0, |sum, object| u64::saturating_add(sum, object.bytes)),
        frame_count: workload.frames.len() as u64,
        use_count,
        over_budget_count,
        refused_count,
        removal_count,
        faults: manager.fault_statistics(),
        usage_peak,
        residency_call_count: application.call_count,
        residency_refused_count: application.refused_count,
        residency_wait_ns: application.wait_ns,
        duration_ns: manager.clock_ns(),
    })
}

fn bound(workload: &Workload, capacities: &[u64]) -> LowerBound {
    let sizes: Vec<u64> = workload.objects.iter().map(|object| object.bytes).collect();
    let frames = workload.frames.iter().zip(capacities);
    let steps: Vec<Step> =
        frames.map(|(frame, capacity)| Step { objects: frame.uses.clone(), capacity: *capacity }).collect();
    lower_bound(&sizes, &steps)
}

/// Times that an object is asked for at most where faults refuse it: one of a plan's seldom follows another.
const OBJECT_TRIES: u32 = 16;

/// An object, in no memory yet.
fn evicted(manager: &MemoryManager, process: &Process, object: &WorkObject) -> Result<Allocation, RunError> {
    let content = if object.is_loaded { InitialContent::Stored } else { InitialContent::Zero };
    let desc = heap(manager, object.bytes);
    let mut made = process.allocate_evicted(&desc, content);
    for _ in 1..OBJECT_TRIES {
        if manager.fault_statistics().refused_count == 0 || made.is_ok() {
            break;
        }
        made = process.allocate_evicted(&desc, content);
    }
    made.map_err(RunError::Allocate)
}

const fn is_removal(error: &RunError) -> bool {
    matches!(error, RunError::Residency(ResidencyError::Removed(_)))
}

/// A heap in the fastest memory that there is.
fn heap(manager: &MemoryManager, bytes: u64) -> AllocationDesc {
    let heap = AllocationDesc::heap(bytes);
    let placement = if manager.is_uma() { Placement::L0 } else { heap.placement };
    AllocationDesc { placement, ..heap }
}

/// What the application says by itself of its objects.
struct Application {
    /// How often it needs each object; `None` of those of which it says nothing.
    needs: Vec<Option<u32>>,
    call_count: u64,
    refused_count: u64,
    wait_ns: u64,
}

impl Application {
    fn new(objects: usize) -> Application {
        Application { needs: vec![None; objects], call_count: 0, refused_count: 0, wait_ns: 0 }
    }

    /// From now on it says when these leave.
    fn manages(&mut self, objects: &[u32]) {
        for object in objects {
            self.needs[*object as usize].get_or_insert(0);
        }
    }

    /// Whether it has evicted the object.
    fn is_unwanted(&self, object: u32) -> bool {
        self.needs[object as usize] == Some(0)
    }

    fn made_resident(&mut self, objects: &[u32]) {
        for object in objects {
            if let Some(count) = &mut self.needs[*object as usize] {
                *count += 1;
            }
        }
    }

    /// Counts down; returns those of the objects that were resident for its sake, as often as they were.
    fn evicts(&mut self, objects: &[u32]) -> Vec<u32> {
        let mut evicted = Vec::with_capacity(objects.len());
        for object in objects {
            if let Some(count @ 1..) = &mut self.needs[*object as usize] {
                *count -= 1;
                evicted.push(*object);
            }
        }
        evicted
    }
}

struct Running<'a> {
    manager: &'a MemoryManager,
    workload: &'a Workload,
    process: Process,
    objects: Vec<Option<Allocation>>,
    in_flight: VecDeque<(InFlight, &'a [u32])>,
    hog: Process,
    hogged: Vec<Allocation>,
    budget: u64,
    /// What each frame so far may use: the budget, or what it used where it went over that.
    capacities: Vec<u64>,
    budget_now: u64,
    application: Application,
    use_count: u64,
    over_budget_count: u64,
    refused_count: u64,
    removal_count: u64,
    usage_peak: u64,
}

impl<'a> Running<'a> {
    fn new(manager: &'a MemoryManager, workload: &'a Workload, budget: u64) -> Result<Self, RunError> {
        let of_role = |role| manager.create_process(ProcessDesc { role });
        let process = of_role(ProcessRole::Foreground).expect("invariant: few processes were made");
        let hog = of_role(ProcessRole::Background).expect("invariant: few processes were made");
        let objects = workload.objects.iter().map(|object| evicted(manager, &process, object).map(Some));
        let objects = objects.collect::<Result<_, _>>()?;
        let mut running = Running {
            manager,
            workload,
            process,
            objects,
            in_flight: VecDeque::new(),
            hog,
            hogged: Vec::new(),
            budget,
            capacities: Vec::new(),
            budget_now: budget,
            application: Application::new(workload.objects.len()),
            use_count: 0,
            over_budget_count: 0,
            refused_count: 0,
            removal_count: 0,
            usage_peak: 0,
        };
        running.set_budget(budget);
        Ok(running)
    }

    fn set_budget(&mut self, budget: u64) {
        self.budget_now = budget;
        self.process
            .set_budget(0, SegmentGroup::Local, Some(budget))
            .expect("invariant: every adapter has node 0");
    }

    fn frame(&mut self, frame: &'a Frame) -> Result<(), RunError> {
        for event in &frame.events {
            self.surviving(|running| running.event(event))?;
        }
        self.capacities.push(self.budget_now);
        self.surviving(|running| running.retire(FRAMES_IN_FLIGHT - 1))?;
        if let Err(error) = self.render(frame) {
            if !is_removal(&error) {
                return Err(error);
            }
            self.restart()?;
            self.refuse();
        }
        Ok(())
    }

    /// Does something; where the device is lost over it, once more with a new one.
    fn surviving(&mut self, call: impl Fn(&mut Self) -> Result<(), RunError>) -> Result<(), RunError> {
        match call(self) {
            Err(error) if is_removal(&error) => {
                self.restart()?;
                call(self)
            }
            result => result,
        }
    }

    /// The device is lost: the application begins again, with what it had, evicted.
    fn restart(&mut self) -> Result<(), RunError> {
        self.removal_count += 1;
        for (work, _) in self.in_flight.drain(..) {
            self.process.end_use(work);
        }
        let role = self.process.role();
        let process = self.manager.create_process(ProcessDesc { role });
        let old = core::mem::replace(&mut self.process, process.expect("invariant: few processes were made"));
        for (object, of) in self.objects.iter_mut().zip(&self.workload.objects) {
            let Some(allocation) = object.take() else { continue };
            old.free(allocation);
            *object = Some(evicted(self.manager, &self.process, of)?);
        }
        // What it said of the old ones is gone with them.
        self.application.needs.fill(None);
        self.set_budget(self.budget_now);
        Ok(())
    }

    /// A frame that is not rendered.
    fn refuse(&mut self) {
        self.refused_count += 1;
        self.manager.advance_clock(FRAME_NS);
    }

    fn render(&mut self, frame: &'a Frame) -> Result<(), RunError> {
        let objects: Vec<&Allocation> = frame
            .uses
            .iter()
            .map(|object| {
                let allocation = self.objects.get(*object as usize).and_then(Option::as_ref);
                allocation.expect("invariant: a frame uses objects that are there")
            })
            .collect();
        match self.process.make_resident(&objects, MakeResidentFlags::NONE) {
            Ok(made) if made.bytes_to_trim > 0 => self.over_budget_count += 1,
            Ok(_) => {}
            Err(ResidencyError::OutOfVideoMemory(_) | ResidencyError::Suspended { .. }) => {
                self.refuse();
                return Ok(());
            }
            Err(error) => return Err(RunError::Residency(error)),
        }
        let uses: Vec<SubmissionUse<'_>> = objects
            .iter()
            .zip(&frame.uses)
            .map(|(allocation, object)| SubmissionUse {
                allocation,
                writes: match &frame.writes {
                    Some(writes) => writes.binary_search(object).is_ok(),
                    None => !self.workload.objects[*object as usize].is_loaded,
                },
            })
            .collect();
        let in_flight = self.process.begin_use(&uses).map_err(RunError::Residency)?;
        let usage = self.process.usage(0, SegmentGroup::Local).expect("invariant: every adapter has node 0");
        self.usage_peak = self.usage_peak.max(usage);
        // Over the budget the oracle has as much as the run had: else it would be no bound of it.
        if let Some(capacity) = self.capacities.last_mut() {
            *capacity = usage.max(*capacity);
        }
        self.use_count += frame.uses.len() as u64;
        let stall_ns = in_flight.ready_at_ns().saturating_sub(self.manager.clock_ns());
        self.in_flight.push_back((in_flight, &frame.uses));
        self.manager.advance_clock(stall_ns.saturating_add(FRAME_NS));
        Ok(())
    }

    /// Ends frames until `count` are in flight.
    fn retire(&mut self, count: usize) -> Result<(), RunError> {
        while self.in_flight.len() > count {
            let Some((work, uses)) = self.in_flight.pop_front() else { break };
            self.process.end_use(work);
            // What the application has evicted itself is to go at once, now that no frame needs it.
            for (is_unwanted, flags) in
                [(false, EvictFlags::EVICT_ONLY_IF_NECESSARY), (true, EvictFlags::NONE)]
            {
                let objects: Vec<&Allocation> = uses
                    .iter()
                    .filter(|object| self.application.is_unwanted(**object) == is_unwanted)
                    .filter_map(|object| self.objects[*object as usize].as_ref())
                    .collect();
                if !objects.is_empty() {
                    self.process.evict(&objects, flags).map_err(RunError::Residency)?;
                }
            }
        }
        Ok(())
    }

    fn event(&mut self, event: &WorldEvent) -> Result<(), RunError> {
        match *event {
            WorldEvent::BudgetAtMost(bytes) => {
                self.set_budget(bytes.unwrap_or(self.budget).min(self.budget));
            }
            // No call of the application's.
            WorldEvent::Created(object) => {
                self.application_needs(&[object], MakeResidentFlags::NONE)?;
            }
            WorldEvent::MakeResident { ref objects, waits, denies_over_budget } => {
                let flags = if denies_over_budget {
                    MakeResidentFlags::DENY_OVERBUDGET
                } else {
                    MakeResidentFlags::NONE
                };
                let is_resident = self.application_needs(objects, flags)?;
                self.application.call_count += 1;
                self.application.refused_count += u64::from(!is_resident);
                if waits && is_resident {
                    self.application_waits();
                }
            }
            WorldEvent::Evict(ref objects) => self.application_evicts(objects)?,
            WorldEvent::Priority(ref objects, priority) => {
                for allocation in self.allocations(objects) {
                    self.process.set_residency_priority(allocation, priority);
                }
            }
            WorldEvent::BudgetPermille(permille) => {
                let budget = u128::from(self.budget) * u128::from(permille.min(1000)) / 1000;
                self.set_budget(u64::try_from(budget).expect("invariant: at most the budget"));
            }
            WorldEvent::Focus(has_focus) => {
                let role = if has_focus { ProcessRole::Foreground } else { ProcessRole::Background };
                self.process.set_role(role);
            }
            WorldEvent::Hog(bytes) => self.hog(bytes),
            WorldEvent::Destroy(object) => {
                self.retire(0)?;
                if let Some(allocation) = self.objects.get_mut(object as usize).and_then(Option::take) {
                    self.process.free(allocation);
                }
            }
        }
        Ok(())
    }

    fn allocations(&self, objects: &[u32]) -> Vec<&Allocation> {
        objects.iter().filter_map(|object| self.objects[*object as usize].as_ref()).collect()
    }

    /// MakeResident by the application: whether the objects are resident.
    fn application_needs(&mut self, objects: &[u32], flags: MakeResidentFlags) -> Result<bool, RunError> {
        self.application.manages(objects);
        match self.process.make_resident(&self.allocations(objects), flags) {
            Ok(_) => self.application.made_resident(objects),
            Err(
                ResidencyError::OutOfVideoMemory(_)
                | ResidencyError::OverBudget(_)
                | ResidencyError::Suspended { .. },
            ) => return Ok(false),
            Err(error) => return Err(RunError::Residency(error)),
        }
        Ok(true)
    }

    /// Until what it made resident is in memory.
    fn application_waits(&mut self) {
        let wait_ns = self.manager.paging_idle_at_ns().saturating_sub(self.manager.clock_ns());
        self.application.wait_ns = self.application.wait_ns.saturating_add(wait_ns);
        self.manager.advance_clock(wait_ns);
    }

    /// Evict by the application.
    fn application_evicts(&mut self, objects: &[u32]) -> Result<(), RunError> {
        self.application.call_count += 1;
        self.application.manages(objects);
        let evicted = self.application.evicts(objects);
        let result = self.process.evict(&self.allocations(&evicted), EvictFlags::NONE);
        result.map(drop).map_err(RunError::Residency)
    }

    /// The hog has `bytes`, or as many as it gets.
    fn hog(&mut self, bytes: u64) {
        let count = usize::try_from(bytes / HOG_HEAP).unwrap_or(usize::MAX);
        while self.hogged.len() > count {
            if let Some(heap) = self.hogged.pop() {
                self.hog.free(heap);
            }
        }
        while self.hogged.len() < count {
            match self.hog.allocate(&heap(self.manager, HOG_HEAP)) {
                Ok(heap) => self.hogged.push(heap),
                Err(_) => break,
            }
        }
        let uses: Vec<SubmissionUse<'_>> =
            self.hogged.iter().map(|allocation| SubmissionUse { allocation, writes: true }).collect();
        // Refused where it is suspended, which is the point of it.
        if let Ok(work) = self.hog.begin_use(&uses) {
            self.hog.end_use(work);
        }
    }
}
