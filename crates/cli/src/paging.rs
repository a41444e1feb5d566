//! Budgets, and runs of workloads under them: what `simulate` and `replay --budget` have in common.

use std::fmt;

use heapstone::{FaultPlan, PolicyKind, adapter_memory};
use heapstone_simulate::workload::{Frame, WorkObject, Workload, WorldEvent};
use heapstone_simulate::{Outcome, RunDesc, run as run_one};
use heapstone_spec::Profile;
use heapstone_trace::{MemoryEvent, MemoryLog};
use serde::Serialize;

use crate::failure::Failure;
use crate::format::{grouped, parse_bytes, short};
use crate::page::{Side, Table};

/// A budget of video memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Budget {
    /// Of the workload's footprint, in per cent.
    Percent(u64),
    Bytes(u64),
}

impl Budget {
    pub(crate) fn of(self, footprint: u64) -> u64 {
        match self {
            Budget::Percent(percent) => {
                let bytes = u128::from(footprint) * u128::from(percent) / 100;
                u64::try_from(bytes).unwrap_or(u64::MAX)
            }
            Budget::Bytes(bytes) => bytes,
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Percent(percent) => write!(f, "{percent}%"),
            Budget::Bytes(bytes) => f.write_str(&short(*bytes)),
        }
    }
}

/// `50%` or `512MiB`.
pub(crate) fn parse_budget(text: &str) -> Result<Budget, String> {
    if let Some(number) = text.strip_suffix('%') {
        let percent = number.parse().ok().filter(|percent| (1..=1000).contains(percent));
        return percent.map(Budget::Percent).ok_or_else(|| "allowed: 1% to 1000%, or a size".to_owned());
    }
    parse_bytes(text).map(Budget::Bytes).map_err(|error| error.to_string())
}

pub(crate) fn parse_policy(text: &str) -> Result<PolicyKind, String> {
    let names = PolicyKind::ALL.map(PolicyKind::name).join(", ");
    PolicyKind::from_name(text).ok_or_else(|| format!("no such policy; there are {names}"))
}

/// A run that is to be made.
pub(crate) struct Job<'a> {
    pub(crate) profile: &'a Profile,
    pub(crate) workload: &'a Workload,
    pub(crate) footprint: u64,
    pub(crate) share: Budget,
    pub(crate) budget: u64,
    pub(crate) policy: PolicyKind,
    /// Of generated workloads.
    pub(crate) seed: Option<u64>,
    /// Parts that the GPU work was run in, of a trace.
    pub(crate) parts: Option<u64>,
    /// What goes wrong on purpose.
    pub(crate) faults: Option<FaultPlan>,
}

impl<'a> Job<'a> {
    pub(crate) fn new(
        profile: &'a Profile,
        workload: &'a Workload,
        share: Budget,
        policy: PolicyKind,
    ) -> Job<'a> {
        let footprint = workload.footprint();
        let budget = share.of(footprint);
        Job { profile, workload, footprint, share, budget, policy, seed: None, parts: None, faults: None }
    }

    pub(crate) fn run(&self) -> Result<Outcome, Failure> {
        let memory = adapter_memory(self.profile);
        let desc = RunDesc { memory, policy: self.policy, budget: self.budget, faults: self.faults };
        run_one(self.workload, &desc).map_err(|error| {
            let what = format!("{} on {}: {error}", self.workload.name, self.profile.name);
            Failure::new(what).with_remedy("give a profile with more memory or addresses")
        })
    }
}

/// A run as it is written: the fields of the JSON, and the columns of the CSV, by name.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    profile: String,
    workload: String,
    policy: &'static str,
    seed: Option<u64>,
    footprint_bytes: u64,
    budget_bytes: u64,
    page_in_bytes: u64,
    bound_bytes: u64,
    /// Page-ins in thousandths of the bound.
    ratio_permille: Option<u64>,
    write_back_bytes: u64,
    stalls: u64,
    stall_ns: u64,
    stall_max_ns: u64,
    demotions: u64,
    promotions: u64,
    suspensions: u64,
    peak_bytes: u64,
    frames: u64,
    frames_over_budget: u64,
    frames_refused: u64,
    uses: u64,
    parts: Option<u64>,
    residency_calls: u64,
    residency_refused: u64,
    residency_wait_ns: u64,
    /// As `--faults` reads it.
    faults: Option<String>,
    allocations_failed: u64,
    removals: u64,
    duration_ns: u64,
}

impl Row {
    pub(crate) fn new(job: &Job<'_>, outcome: &Outcome) -> Row {
        let paging = &outcome.paging;
        Row {
            profile: job.profile.name.clone(),
            workload: job.workload.name.clone(),
            policy: job.policy.name(),
            seed: job.seed,
            footprint_bytes: job.footprint,
            budget_bytes: job.budget,
            page_in_bytes: paging.bytes_paged_in,
            bound_bytes: outcome.bound_bytes(),
            ratio_permille: outcome.ratio_permille(),
            write_back_bytes: paging.bytes_written_back,
            stalls: paging.stall_count,
            stall_ns: paging.stall_ns,
            stall_max_ns: paging.stall_ns_max,
            demotions: paging.demotion_count,
            promotions: paging.promotion_count,
            suspensions: paging.suspension_count,
            peak_bytes: outcome.usage_peak,
            frames: outcome.frame_count,
            frames_over_budget: outcome.over_budget_count,
            frames_refused: outcome.refused_count,
            uses: outcome.use_count,
            parts: job.parts,
            residency_calls: outcome.residency_call_count,
            residency_refused: outcome.residency_refused_count,
            residency_wait_ns: outcome.residency_wait_ns,
            faults: job.faults.map(|plan| plan.to_string()),
            allocations_failed: outcome.faults.refused_count,
            removals: outcome.removal_count,
            duration_ns: outcome.duration_ns,
        }
    }
}

/// The runs of one workload on one profile.
pub(crate) fn table(runs: &[(&Job<'_>, &Outcome)]) -> Table {
    let mut table = Table::new([
        ("budget", Side::Right),
        ("policy", Side::Left),
        ("page-ins", Side::Right),
        ("bound", Side::Right),
        ("ratio", Side::Right),
        ("written", Side::Right),
        ("stalls", Side::Right),
        ("longest", Side::Right),
        ("demoted", Side::Right),
        ("peak", Side::Right),
        ("over", Side::Right),
        ("refused", Side::Right),
    ]);
    for (job, outcome) in runs {
        table.row([
            job.share.to_string(),
            job.policy.to_string(),
            short(outcome.paging.bytes_paged_in),
            short(outcome.bound_bytes()),
            ratio(outcome),
            short(outcome.paging.bytes_written_back),
            grouped(outcome.paging.stall_count),
            milliseconds(outcome.paging.stall_ns_max),
            grouped(outcome.paging.demotion_count),
            short(outcome.usage_peak),
            grouped(outcome.over_budget_count),
            grouped(outcome.refused_count),
        ]);
    }
    table
}

/// What the runs of a workload are of: a heading of their table.
pub(crate) fn heading(job: &Job<'_>, outcome: &Outcome) -> String {
    let parts = job.parts.map_or_else(String::new, |parts| {
        format!(", split buffers run in {}", crate::format::count(parts, "part", "parts"))
    });
    let calls = match outcome.residency_call_count {
        0 => String::new(),
        calls => format!(", {}", crate::format::count(calls, "residency call", "residency calls")),
    };
    let faults = job.faults.map_or_else(String::new, |plan| format!(", seed {} with {plan}", plan.seed));
    format!(
        "{} on {}: footprint {}, {}, {}{calls}{parts}{faults}",
        job.workload.name,
        job.profile.name,
        short(job.footprint),
        crate::format::count(outcome.frame_count, "frame", "frames"),
        crate::format::count(outcome.use_count, "use", "uses"),
    )
}

/// Page-ins over the bound, rounded up to hundredths.
fn ratio(outcome: &Outcome) -> String {
    outcome.ratio_permille().map_or_else(
        || "-".to_owned(),
        |permille| {
            let hundredths = permille.div_ceil(10);
            format!("{}.{:02}", hundredths / 100, hundredths % 100)
        },
    )
}

fn milliseconds(ns: u64) -> String {
    let tenths = ns.div_ceil(100_000);
    format!("{}.{} ms", tenths / 10, tenths % 10)
}

/// What a replay used of video memory, as a workload: a frame for each step. Heaps begin as zeros and are written by the
/// steps that write them; those that no step uses are left out, but where the program says itself when they are resident.
pub(crate) fn workload_of(log: &MemoryLog, name: &str) -> Workload {
    let mut building = Building::new(log);
    let frames = log
        .steps
        .iter()
        .map(|step| {
            let mut frame = Frame::default();
            for event in &step.events {
                frame.events.extend(building.event(event));
            }
            let mut writes = Vec::new();
            for used in &step.uses {
                let object = building.object(used.heap);
                frame.uses.push(object);
                if used.is_written {
                    writes.push(object);
                }
            }
            writes.sort_unstable();
            frame.writes = Some(writes);
            frame
        })
        .collect();
    Workload { name: name.to_owned(), objects: building.objects, frames }
}

/// A workload that is made of a log: heaps become objects when they are first used.
struct Building<'a> {
    log: &'a MemoryLog,
    /// The heaps that a call of residency names: from their creation on the program says when they leave.
    is_managed: Vec<bool>,
    object_of: Vec<Option<u32>>,
    objects: Vec<WorkObject>,
}

fn place(heap: u32) -> usize {
    usize::try_from(heap).expect("invariant: an index was a length")
}

impl Building<'_> {
    fn new(log: &MemoryLog) -> Building<'_> {
        let mut is_managed = vec![false; log.heap_bytes.len()];
        for event in log.steps.iter().flat_map(|step| &step.events) {
            if let MemoryEvent::MakeResident(heaps, _) | MemoryEvent::Evict(heaps) = event {
                heaps.iter().for_each(|heap| is_managed[place(*heap)] = true);
            }
        }
        Building { log, is_managed, object_of: vec![None; log.heap_bytes.len()], objects: Vec::new() }
    }

    fn object(&mut self, heap: u32) -> u32 {
        let (bytes, objects) = (self.log.heap_bytes[place(heap)], &mut self.objects);
        *self.object_of[place(heap)].get_or_insert_with(|| {
            objects.push(WorkObject { bytes, is_loaded: false });
            u32::try_from(objects.len() - 1).expect("invariant: no more objects than heaps")
        })
    }

    fn event(&mut self, event: &MemoryEvent) -> Option<WorldEvent> {
        let mut objects = |heaps: &[u32]| heaps.iter().map(|heap| self.object(*heap)).collect();
        match event {
            MemoryEvent::Created { heap, is_resident } => {
                // Creation gives a count of 1; it was no call of residency.
                let is_resident = *is_resident && self.is_managed[place(*heap)];
                is_resident.then(|| WorldEvent::Created(self.object(*heap)))
            }
            MemoryEvent::Destroyed(heap) => self.object_of[place(*heap)].map(WorldEvent::Destroy),
            MemoryEvent::MakeResident(heaps, make) => Some(WorldEvent::MakeResident {
                objects: objects(heaps),
                waits: make.waits,
                denies_over_budget: make.denies_over_budget,
            }),
            MemoryEvent::Evict(heaps) => Some(WorldEvent::Evict(objects(heaps))),
            MemoryEvent::Priority(heaps, priority) => Some(WorldEvent::Priority(objects(heaps), *priority)),
            MemoryEvent::Budget(bytes) => Some(WorldEvent::BudgetAtMost(*bytes)),
        }
    }
}
