//! Workloads: objects, and which of them each frame uses.

mod events;
mod world;

use core::fmt;
use std::collections::BTreeSet;

use heapstone_kernel::residency::ResidencyPriority;

pub use events::{alt_tab, background_hog, load_burst, target_resize};
pub use world::{camera_lap, plane_walk, random_walk, teleport};

/// An object of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkObject {
    /// Its bytes.
    pub bytes: u64,
    /// Whether its content is loaded: its first use pages it in. Others begin as zeros, and every use writes them, where
    /// [`Frame::writes`] does not say otherwise.
    pub is_loaded: bool,
}

/// What else happens before a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorldEvent {
    /// The budget is this many thousandths of what the run is given.
    BudgetPermille(u32),
    /// The application loses the focus, or gets it back.
    Focus(bool),
    /// Another process in the background has so many bytes of video memory, and uses them.
    Hog(u64),
    /// The application destroys an object: no later frame uses it.
    Destroy(u32),
    /// An object comes into being resident, which the application itself evicts later.
    Created(u32),
    /// The application makes objects resident by itself, all or none: from then on it says when they may leave, and what
    /// frames need is resident beside that.
    MakeResident {
        /// By their numbers.
        objects: Box<[u32]>,
        /// The application waits until they are in memory (MakeResident, not EnqueueMakeResident).
        waits: bool,
        /// It had rather not have them than go over its budget (DENY_OVERBUDGET).
        denies_over_budget: bool,
    },
    /// The application evicts objects: what it has made resident as often as evicted leaves memory when no frame needs it.
    /// Of an object that it has not made resident this does nothing.
    Evict(Box<[u32]>),
    /// The application gives objects a priority.
    Priority(Box<[u32]>, ResidencyPriority),
    /// The application's budget is at most so many bytes; `None`: what the run is given.
    BudgetAtMost(Option<u64>),
}

impl WorldEvent {
    /// The objects that must be there.
    pub(crate) fn objects(&self) -> &[u32] {
        match self {
            WorldEvent::Destroy(object) | WorldEvent::Created(object) => core::slice::from_ref(object),
            WorldEvent::MakeResident { objects, .. }
            | WorldEvent::Evict(objects)
            | WorldEvent::Priority(objects, _) => objects,
            WorldEvent::BudgetPermille(_)
            | WorldEvent::BudgetAtMost(_)
            | WorldEvent::Focus(_)
            | WorldEvent::Hog(_) => &[],
        }
    }
}

/// A frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The objects it uses, each once, by their number in [`Workload::objects`].
    pub uses: Vec<u32>,
    /// Those of `uses` that it writes, ascending; `None`: all whose content is not loaded.
    pub writes: Option<Vec<u32>>,
    /// What happens before it.
    pub events: Vec<WorldEvent>,
}

/// A workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// A name for reports.
    pub name: String,
    /// All objects.
    pub objects: Vec<WorkObject>,
    /// All frames.
    pub frames: Vec<Frame>,
}

impl Workload {
    /// The bytes of all objects that any frame uses, of those that are there.
    #[must_use]
    pub fn footprint(&self) -> u64 {
        self.used().into_iter().map(|object| self.bytes_of(object)).fold(0, u64::saturating_add)
    }

    /// The objects that any frame uses.
    pub(crate) fn used(&self) -> BTreeSet<u32> {
        self.frames.iter().flat_map(|frame| frame.uses.iter().copied()).collect()
    }

    /// The bytes that the frame needs which needs most, of objects that are there.
    #[must_use]
    pub fn working_set_max(&self) -> u64 {
        let bytes = |frame: &Frame| {
            frame.uses.iter().map(|object| self.bytes_of(*object)).fold(0, u64::saturating_add)
        };
        self.frames.iter().map(bytes).max().unwrap_or(0)
    }

    /// Bytes of an object; 0 where there is none of that number.
    fn bytes_of(&self, object: u32) -> u64 {
        usize::try_from(object).ok().and_then(|at| self.objects.get(at)).map_or(0, |object| object.bytes)
    }

    /// The first frame, and object, that names an object which is not there, or was destroyed before.
    pub(crate) fn first_unknown(&self) -> Option<(usize, u32)> {
        let mut is_there = vec![true; self.objects.len()];
        for (number, frame) in self.frames.iter().enumerate() {
            for event in &frame.events {
                for object in event.objects() {
                    let place = usize::try_from(*object).ok().and_then(|at| is_there.get_mut(at));
                    match place {
                        Some(place) if *place => *place = !matches!(event, WorldEvent::Destroy(_)),
                        _ => return Some((number, *object)),
                    }
                }
            }
            let named = frame.uses.iter().chain(frame.writes.iter().flatten());
            let there =
                |object: u32| usize::try_from(object).ok().and_then(|at| is_there.get(at)) == Some(&true);
            if let Some(object) = named.copied().find(|object| !there(*object)) {
                return Some((number, object));
            }
        }
        None
    }
}

/// The generators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkloadKind {
    /// [`camera_lap`]: three laps.
    CameraLap,
    /// [`random_walk`] of the camera's heading.
    RandomWalk,
    /// [`plane_walk`].
    PlaneWalk,
    /// [`teleport`].
    Teleport,
    /// [`load_burst`].
    LoadBurst,
    /// [`target_resize`].
    TargetResize,
    /// [`alt_tab`].
    AltTab,
    /// [`background_hog`].
    BackgroundHog,
}

impl WorkloadKind {
    /// All.
    pub const ALL: [WorkloadKind; 8] = [
        WorkloadKind::CameraLap,
        WorkloadKind::RandomWalk,
        WorkloadKind::PlaneWalk,
        WorkloadKind::Teleport,
        WorkloadKind::LoadBurst,
        WorkloadKind::TargetResize,
        WorkloadKind::AltTab,
        WorkloadKind::BackgroundHog,
    ];

    /// Its name in commands and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            WorkloadKind::CameraLap => "camera-lap",
            WorkloadKind::RandomWalk => "random-walk",
            WorkloadKind::PlaneWalk => "plane-walk",
            WorkloadKind::Teleport => "teleport",
            WorkloadKind::LoadBurst => "load-burst",
            WorkloadKind::TargetResize => "target-resize",
            WorkloadKind::AltTab => "alt-tab",
            WorkloadKind::BackgroundHog => "background-hog",
        }
    }

    /// The generator of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<WorkloadKind> {
        WorkloadKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The workload of a seed.
    #[must_use]
    pub fn generate(self, seed: u64) -> Workload {
        match self {
            WorkloadKind::CameraLap => camera_lap(seed, 3),
            WorkloadKind::RandomWalk => random_walk(seed),
            WorkloadKind::PlaneWalk => plane_walk(seed),
            WorkloadKind::Teleport => teleport(seed),
            WorkloadKind::LoadBurst => load_burst(seed),
            WorkloadKind::TargetResize => target_resize(seed),
            WorkloadKind::AltTab => alt_tab(seed),
            WorkloadKind::BackgroundHog => background_hog(seed),
        }
    }
}

impl fmt::Display for WorkloadKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
