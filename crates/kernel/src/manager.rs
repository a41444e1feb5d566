//! The memory manager of one adapter.

use core::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use parking_lot::Mutex;

use crate::address_space::shortage;
use crate::allocation::{AllocationDesc, Placement};
use crate::budget::{BudgetBoard, ProcessRole, group_index};
use crate::config::{AdapterMemory, MemoryPool, PageSize};
use crate::error::{
    AllocateError, ConfigError, OutOfProcessIdentifiers, OutOfVideoMemory, SegmentShortage, UnknownNode,
};
use crate::fault::{AllocationFaults, AllocationStep, FaultEvent, FaultPlan, FaultStatistics, Injector};
use crate::home::Home;
use crate::process::{Process, ProcessInner};
use crate::range_allocator::{Owner, RangeView};
use crate::residency::ProcessRemoval;
use crate::residency::pager::Pager;
use crate::segment::{Segment, SegmentId, SegmentInfo};
use crate::sharded::{Blocks, Request};
use crate::statistics::RangeStatistics;
use heapstone_spec::SegmentGroup;

/// The video memory manager of one adapter. A cheap handle: clones are the same manager. Free-threaded.
#[derive(Clone, Debug)]
pub struct MemoryManager {
    inner: Arc<ManagerInner>,
}

/// What a process is created with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessDesc {
    /// Its role at first.
    pub role: ProcessRole,
}

pub(crate) struct ManagerInner {
    /// Tells managers apart in a thread's memory of its home; nothing else depends on it.
    pub(crate) identity: u64,
    pub(crate) gpu_va_bits: u32,
    pub(crate) budgets: BudgetBoard,
    pub(crate) segments: Box<[Segment]>,
    nodes: Box<[NodeSegments]>,
    faults: Option<Arc<dyn AllocationFaults>>,
    /// Whether a plan of faults was ever injected: else nobody asks.
    is_injecting: AtomicBool,
    injector: Mutex<Option<Injector>>,
    is_uma: bool,
    /// Whether residency was ever asked for: only then can making room help.
    pub(crate) is_paging: AtomicBool,
    /// Whether paging operations wait to be taken.
    pub(crate) has_paging_operations: Arc<AtomicBool>,
    pub(crate) pager: Mutex<Pager>,
}

/// The segments that a node reaches, in the order of preference, for each [`Placement`].
#[derive(Debug)]
struct NodeSegments {
    l0: Box<[SegmentId]>,
    l1: Box<[SegmentId]>,
    /// Empty where there is no L1.
    l1_then_l0: Box<[SegmentId]>,
}

/// Where an allocation was placed.
pub(crate) struct Placed {
    pub(crate) segment: SegmentId,
    pub(crate) group: SegmentGroup,
    pub(crate) demoted: bool,
    pub(crate) blocks: Blocks,
}

impl MemoryManager {
    /// A manager of `memory`, all of it free.
    pub fn new(memory: AdapterMemory) -> Result<MemoryManager, ConfigError> {
        Self::with_faults(memory, None)
    }

    /// As [`MemoryManager::new`], with failures that a test injects.
    pub fn with_faults(
        memory: AdapterMemory,
        faults: Option<Arc<dyn AllocationFaults>>,
    ) -> Result<MemoryManager, ConfigError> {
        memory.validate()?;
        Ok(MemoryManager { inner: Arc::new(ManagerInner::new(memory, faults)) })
    }

    /// Makes a plan's faults happen from now on, in place of another's; `None` ends them, and budgets, focus and paging
    /// are as they would be. Points and steps are counted from here.
    pub fn inject(&self, plan: Option<FaultPlan>) {
        let memory = self.inner();
        *memory.injector.lock() = plan.map(Injector::new);
        memory.is_injecting.store(true, Relaxed);
        memory.happens(FaultEvent::Budgets { permille: 1000 });
        memory.happens(FaultEvent::Focus { has_focus: true });
        memory.happens(FaultEvent::Paging { times: 1 });
    }

    /// What the plan has made happen since it was injected; all 0 without one.
    #[must_use]
    pub fn fault_statistics(&self) -> FaultStatistics {
        self.inner()
            .injector
            .lock()
            .as_ref()
            .map_or(FaultStatistics::default(), |injector| injector.statistics)
    }

    pub(crate) fn inner(&self) -> &ManagerInner {
        &self.inner
    }

    /// A process, with a GPU virtual address space of its own. Every device is one.
    pub fn create_process(&self, desc: ProcessDesc) -> Result<Process, OutOfProcessIdentifiers> {
        Process::new(Arc::clone(&self.inner), desc)
    }

    /// Processes that exist.
    #[must_use]
    pub fn process_count(&self) -> usize {
        self.inner.budgets.process_count()
    }

    /// Nodes.
    #[must_use]
    pub fn node_count(&self) -> u32 {
        self.inner.node_count()
    }

    /// Whether all memory is system memory, and so local.
    #[must_use]
    pub fn is_uma(&self) -> bool {
        self.inner.is_uma
    }

    /// The segments.
    pub fn segments(&self) -> impl Iterator<Item = &SegmentInfo> {
        self.inner.segments.iter().map(|segment| &segment.info)
    }

    /// How full a segment of this manager is.
    #[must_use]
    pub fn segment_statistics(&self, segment: SegmentId) -> RangeStatistics {
        self.inner.segment(segment).space.statistics()
    }

    /// A segment's ranges of one moment, in address order; the owner is [`Process::id`].
    #[must_use]
    pub fn segment_ranges(&self, segment: SegmentId) -> Vec<RangeView> {
        self.inner.segment(segment).space.ranges()
    }

    /// Says how many bytes of a node's group are held by what this manager does not see, such as other
    /// adapters or the system. It lowers budgets and takes no segment's memory.
    pub fn set_external_usage(&self, node: u32, group: SegmentGroup, bytes: u64) -> Result<(), UnknownNode> {
        self.inner.check_node(node)?;
        self.inner.budgets.set_external_usage(group_index(node, group), bytes);
        self.inner.trim_to_budgets();
        Ok(())
    }
}

impl ManagerInner {
    fn new(memory: AdapterMemory, faults: Option<Arc<dyn AllocationFaults>>) -> ManagerInner {
        static LAST_IDENTITY: AtomicU64 = AtomicU64::new(0);
        let is_uma = memory.is_uma();
        let groups: Vec<SegmentGroup> =
            memory.segments.iter().map(|segment| memory.group_of(segment.pool)).collect();
        let segments: Box<[Segment]> = (0u32..)
            .zip(memory.segments)
            .zip(groups)
            .map(|((id, desc), group)| Segment::new(SegmentId(id), desc, group))
            .collect();
        let nodes = (0..memory.node_count).map(|node| NodeSegments::new(&segments, node)).collect();
        let pager = Pager::new(memory.residency, groups_of(&segments));
        let capacities = (0..memory.node_count)
            .flat_map(|node| SegmentGroup::ALL.iter().map(move |group| (node, *group)))
            .map(|(node, group)| group_capacity(&segments, node, group))
            .collect();
        ManagerInner {
            identity: LAST_IDENTITY.fetch_add(1, Relaxed) + 1,
            gpu_va_bits: memory.gpu_va_bits_per_process,
            budgets: BudgetBoard::new(memory.budget_policy, capacities),
            segments,
            nodes,
            faults,
            is_injecting: AtomicBool::new(false),
            injector: Mutex::new(None),
            is_uma,
            is_paging: AtomicBool::new(false),
            has_paging_operations: pager.queue.has_operations(),
            pager: Mutex::new(pager),
        }
    }

    pub(crate) const fn is_uma(&self) -> bool {
        self.is_uma
    }

    pub(crate) fn segment(&self, id: SegmentId) -> &Segment {
        &self.segments[id.index()]
    }

    pub(crate) fn node_count(&self) -> u32 {
        u32::try_from(self.nodes.len()).expect("invariant: at most 32 nodes")
    }

    pub(crate) fn check_node(&self, node: u32) -> Result<(), UnknownNode> {
        self.node(node).map(|_| ())
    }

    /// Whether a test wants `step` to fail.
    #[inline]
    pub(crate) fn refuses(&self, step: AllocationStep) -> bool {
        self.is_injecting.load(Relaxed) && self.injector_refuses()
            || self.faults.as_ref().is_some_and(|faults| faults.refuses(step))
    }

    #[cold]
    fn injector_refuses(&self) -> bool {
        self.injector.lock().as_mut().is_some_and(Injector::refuses)
    }

    /// Whether a plan of faults was ever injected.
    #[inline]
    pub(crate) fn is_injecting(&self) -> bool {
        self.is_injecting.load(Relaxed)
    }

    /// A call of a process comes to a point at which faults can happen. Before it takes any lock.
    #[inline]
    pub(crate) fn pass_point(&self, process: &ProcessInner) {
        if self.is_injecting.load(Relaxed) {
            self.pass_fault_point(process);
        }
    }

    #[cold]
    fn pass_fault_point(&self, process: &ProcessInner) {
        let events = self.injector.lock().as_mut().map(Injector::pass).unwrap_or_default();
        for event in events {
            if event == FaultEvent::Removal {
                let mut pager = self.pager.lock();
                let index = pager.process_of(self, process);
                pager.remove_device(index, ProcessRemoval::Injected);
            } else {
                self.happens(event);
            }
        }
    }

    /// Makes happen what is no single process's.
    fn happens(&self, event: FaultEvent) {
        match event {
            FaultEvent::Budgets { permille } => self.budgets.set_fault_permille(permille),
            FaultEvent::Focus { has_focus } => self.budgets.set_focus(has_focus),
            FaultEvent::Paging { times } => return self.pager.lock().queue.set_slowdown(times),
            FaultEvent::Removal => return,
        }
        self.trim_to_budgets();
    }

    /// Places `size` bytes, rounded from `desc.size`, in the first segment of the preference that has room.
    // By force, into both that allocate: what it answers is used right behind the stores that made it.
    #[inline(always)]
    pub(crate) fn place(
        &self,
        home: Home,
        desc: &AllocationDesc,
        size: u64,
        owner: Owner,
    ) -> Result<Placed, AllocateError> {
        let page = desc.page_size.alignment();
        let request = if desc.contiguous {
            Request { size, alignment: desc.alignment.max(page), owner, scatter: None }
        } else {
            Request { size, alignment: page, owner, scatter: Some(page) }
        };
        let mut refused = 0u64;
        let mut pool = desc.placement.pool();
        for (index, id) in self.candidates(desc)?.iter().enumerate() {
            if self.segment(*id).info.pool != pool {
                pool = self.segment(*id).info.pool;
                if let Some(placed) = self.place_with_room(desc, size, owner, false) {
                    return Ok(placed);
                }
            }
            if self.refuses(AllocationStep::Place(*id)) {
                refused |= 1 << index.min(63);
                continue;
            }
            let segment = self.segment(*id);
            if let Some(blocks) = segment.space.allocate(home, &request) {
                let demoted = segment.info.pool != desc.placement.pool();
                return Ok(Placed { segment: *id, group: segment.info.group, demoted, blocks });
            }
        }
        self.place_with_room(desc, size, owner, true).ok_or_else(|| self.out_of_video_memory(desc, refused))
    }

    /// Places what found no place by making room, where residency knows allocations that can give it: in the pool
    /// that is preferred, or in any as the last resort.
    #[cold]
    fn place_with_room(
        &self,
        desc: &AllocationDesc,
        size: u64,
        owner: Owner,
        is_last: bool,
    ) -> Option<Placed> {
        if !self.is_paging.load(Relaxed) {
            return None;
        }
        self.pager.lock().place_created(self, desc, size, owner, is_last)
    }

    /// Places `size` bytes in one segment, in a time that does not grow with the ranges that there are.
    pub(crate) fn place_in_segment(
        &self,
        id: SegmentId,
        desc: &AllocationDesc,
        size: u64,
        owner: Owner,
    ) -> Option<Placed> {
        let page = desc.page_size.alignment();
        let home = Home::in_manager(self.identity);
        let segment = self.segment(id);
        let blocks = if desc.contiguous {
            let alignment = desc.alignment.max(page);
            segment.space.allocate(home, &Request { size, alignment, owner, scatter: None })
        } else {
            let request = Request { size, alignment: page, owner, scatter: Some(page) };
            segment.space.allocate_in_pieces(home, &request)
        }?;
        let demoted = segment.info.pool != desc.placement.pool();
        Some(Placed { segment: id, group: segment.info.group, demoted, blocks })
    }

    /// The segments of a pool in which an allocation may lie, whose node exists.
    pub(crate) fn candidates_in(&self, desc: &AllocationDesc, pool: MemoryPool) -> &[SegmentId] {
        self.node(desc.node).map_or(&[], |node| match pool {
            MemoryPool::L0 => &node.l0,
            MemoryPool::L1 => &node.l1,
        })
    }

    /// The segment that an allocation asks for first.
    pub(crate) fn preferred_segment(&self, desc: &AllocationDesc) -> SegmentId {
        let candidates = self.candidates_in(desc, desc.placement.pool());
        *candidates.first().expect("invariant: what was allocated has a segment to be in")
    }

    /// The error for a request that no segment could hold. Bit n of `refused`: the n-th candidate was not
    /// asked, because a test made it refuse.
    #[cold]
    pub(crate) fn out_of_video_memory(&self, desc: &AllocationDesc, refused: u64) -> AllocateError {
        let candidates = match self.candidates(desc) {
            Ok(candidates) => candidates,
            Err(error) => return error,
        };
        let shortages = candidates.iter().enumerate().map(|(index, id)| {
            let segment = self.segment(*id);
            let RangeStatistics { free, largest_free_range, capacity, .. } = segment.space.statistics();
            let injected = refused >> index.min(63) & 1 != 0;
            SegmentShortage {
                segment: *id,
                name: segment.info.name.clone(),
                shortage: shortage(desc.size, free, capacity, injected),
                free,
                largest_free_range,
                capacity,
            }
        });
        AllocateError::OutOfVideoMemory(Box::new(OutOfVideoMemory {
            requested: desc.size,
            page_size: desc.page_size,
            contiguous: desc.contiguous,
            segments: shortages.collect(),
        }))
    }

    #[inline]
    pub(crate) fn candidates(&self, desc: &AllocationDesc) -> Result<&[SegmentId], AllocateError> {
        let node = self.node(desc.node)?;
        let candidates = match desc.placement {
            Placement::L0 => &node.l0,
            Placement::L1 { demotable: false } => &node.l1,
            Placement::L1 { demotable: true } => &node.l1_then_l0,
        };
        if candidates.is_empty() {
            return Err(AllocateError::NoSuchPool { node: desc.node, pool: desc.placement.pool() });
        }
        Ok(candidates)
    }

    #[inline]
    fn node(&self, node: u32) -> Result<&NodeSegments, UnknownNode> {
        self.nodes
            .get(node as usize)
            .ok_or_else(|| UnknownNode { given: node, node_count: self.node_count() })
    }
}

impl NodeSegments {
    fn new(segments: &[Segment], node: u32) -> NodeSegments {
        let of_pool = |pool: MemoryPool| {
            let reached = segments.iter().filter(move |s| s.info.pool == pool && s.info.nodes.contains(node));
            reached.map(|segment| segment.info.id)
        };
        let l0: Box<[SegmentId]> = of_pool(MemoryPool::L0).collect();
        let l1: Box<[SegmentId]> = of_pool(MemoryPool::L1).collect();
        let demoted = if l1.is_empty() { &[] } else { &*l0 };
        let l1_then_l0 = l1.iter().chain(demoted).copied().collect();
        NodeSegments { l0, l1, l1_then_l0 }
    }
}

fn groups_of(segments: &[Segment]) -> Vec<SegmentGroup> {
    segments.iter().map(|segment| segment.info.group).collect()
}

/// The bytes that a node's group has. Sums beyond 64 bits count as the most that 64 bits hold.
fn group_capacity(segments: &[Segment], node: u32, group: SegmentGroup) -> u64 {
    segments
        .iter()
        .filter(|segment| segment.info.group == group && segment.info.nodes.contains(node))
        .fold(0, |sum, segment| u64::saturating_add(sum, segment.info.size))
}

impl fmt::Debug for ManagerInner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let segments: Vec<&SegmentInfo> = self.segments.iter().map(|segment| &segment.info).collect();
        f.debug_struct("MemoryManager").field("segments", &segments).finish_non_exhaustive()
    }
}

const _: () = {
    const fn is_free_threaded<T: Send + Sync>() {}
    is_free_threaded::<MemoryManager>();
    is_free_threaded::<Process>();
    // Allocations are moved by value.
    assert!(size_of::<crate::Allocation>() <= 128);
    assert!(PageSize::SixtyFourKib.alignment().bytes() == crate::GPU_VA_BEGIN.0);
};
