//! What a memory manager is made of: segments, nodes, the GPU virtual address limit, the budget policy.

use heapstone_spec::SegmentGroup;
use heapstone_units::{Alignment, KIB};

use crate::error::ConfigError;
use crate::residency::ResidencyConfig;

/// The memory pool that a segment belongs to (D3D12DDI_MEMORY_POOL, spec/2-resource-heaps.txt 440-444).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryPool {
    /// Always system memory.
    L0,
    /// Local video memory; an adapter with unified memory has none.
    L1,
}

/// Which nodes of a linked adapter reach a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SegmentNodes {
    /// One node's own memory.
    One(u32),
    /// All nodes share it.
    All,
}

impl SegmentNodes {
    /// Whether `node` reaches it.
    #[must_use]
    pub const fn contains(self, node: u32) -> bool {
        match self {
            SegmentNodes::One(own) => own == node,
            SegmentNodes::All => true,
        }
    }
}

/// The pages that memory is committed in (facts/residency.md: 64 KiB and 4 KiB page pools).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PageSize {
    /// 4 KiB, for small and tightly aligned objects.
    FourKib,
    /// 64 KiB, the ordinary one.
    SixtyFourKib,
}

impl PageSize {
    /// The alignment that a page has, which is its size.
    #[must_use]
    #[inline]
    pub const fn alignment(self) -> Alignment {
        match self {
            PageSize::FourKib => Alignment::constant(4 * KIB),
            PageSize::SixtyFourKib => Alignment::constant(64 * KIB),
        }
    }
}

/// A segment of physical memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentDesc {
    /// A name for reports, such as `L1 of node 0`.
    pub name: String,
    /// Which nodes reach it.
    pub nodes: SegmentNodes,
    /// Its pool. The group follows: L1 is local; L0 is non-local where the adapter has L1 segments, and
    /// local where it has none.
    pub pool: MemoryPool,
    /// Bytes: a multiple of 64 KiB, at least that, at most 2^63.
    pub size: u64,
}

/// The weights and shares of the budget formula (see [`crate::budget`]). Chosen throughout, because
/// the real formula is not published (facts/residency.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetPolicy {
    /// Weight of a process in the foreground, at least that in the background.
    pub weight_foreground: u32,
    /// Weight of the compositor, at least that in the background.
    pub weight_compositor: u32,
    /// Weight of a process in the background, at least 1.
    pub weight_background: u32,
    /// Thousandths of a group's available memory that is dealt out; the rest is headroom. At most 1000.
    pub usable_permille: u32,
    /// Thousandths of its budget that a process can reserve. At most 1000.
    pub reservable_permille: u32,
}

impl Default for BudgetPolicy {
    /// Foreground 16, compositor 4, background 1: a game beside the compositor and ten programs in the
    /// background still has half. 90 % is dealt out, and half of a budget can be reserved.
    fn default() -> Self {
        BudgetPolicy {
            weight_foreground: 16,
            weight_compositor: 4,
            weight_background: 1,
            usable_permille: 900,
            reservable_permille: 500,
        }
    }
}

/// An adapter's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterMemory {
    /// The segments, in the order in which placement prefers those of one pool.
    pub segments: Vec<SegmentDesc>,
    /// Nodes, from 1 to [`AdapterMemory::NODE_COUNT_MAX`]. Each reaches at least one local segment.
    pub node_count: u32,
    /// Bits of a process's GPU virtual address space (D3D12's MaxGPUVirtualAddressBitsPerProcess), from
    /// [`AdapterMemory::GPU_VA_BITS_MIN`] to [`AdapterMemory::GPU_VA_BITS_MAX`].
    pub gpu_va_bits_per_process: u32,
    /// The budget policy.
    pub budget_policy: BudgetPolicy,
    /// How it pages.
    pub residency: ResidencyConfig,
}

impl AdapterMemory {
    /// Nodes at most: a D3D12 node mask has 32 bits.
    pub const NODE_COUNT_MAX: u32 = 32;
    /// Bits of virtual address at least: one page of 64 KiB beside the one that is never handed out.
    pub const GPU_VA_BITS_MIN: u32 = 17;
    /// Bits of virtual address at most: chosen, so that the end of the space is a 64-bit number.
    pub const GPU_VA_BITS_MAX: u32 = 63;

    /// A discrete adapter: L1 of `local_sizes[node]` bytes for each node, and L0 of `system_size` bytes that
    /// all nodes share.
    #[must_use]
    pub fn discrete(local_sizes: &[u64], system_size: u64, gpu_va_bits_per_process: u32) -> AdapterMemory {
        let local = (0u32..).zip(local_sizes).map(|(node, size)| SegmentDesc {
            name: format!("L1 of node {node}"),
            nodes: SegmentNodes::One(node),
            pool: MemoryPool::L1,
            size: *size,
        });
        let segments: Vec<SegmentDesc> = local.chain([system(system_size)]).collect();
        AdapterMemory {
            // More nodes than 32 bits can count are refused like any others beyond the maximum.
            node_count: u32::try_from(local_sizes.len()).unwrap_or(u32::MAX),
            segments,
            gpu_va_bits_per_process,
            budget_policy: BudgetPolicy::default(),
            residency: ResidencyConfig::default(),
        }
    }

    /// An adapter with unified memory: L0 only, which is its local group.
    #[must_use]
    pub fn uma(system_size: u64, gpu_va_bits_per_process: u32) -> AdapterMemory {
        AdapterMemory {
            segments: vec![system(system_size)],
            node_count: 1,
            gpu_va_bits_per_process,
            budget_policy: BudgetPolicy::default(),
            residency: ResidencyConfig::default(),
        }
    }

    /// Whether it has system memory only.
    #[must_use]
    pub fn is_uma(&self) -> bool {
        self.segments.iter().all(|segment| segment.pool == MemoryPool::L0)
    }

    /// The group that a segment of `pool` belongs to.
    #[must_use]
    pub fn group_of(&self, pool: MemoryPool) -> SegmentGroup {
        match pool {
            MemoryPool::L0 if !self.is_uma() => SegmentGroup::NonLocal,
            MemoryPool::L0 | MemoryPool::L1 => SegmentGroup::Local,
        }
    }

    pub(crate) fn validate(&self) -> Result<(), ConfigError> {
        self.validate_nodes()?;
        self.segments.iter().try_for_each(|segment| self.validate_segment(segment))?;
        if !(Self::GPU_VA_BITS_MIN..=Self::GPU_VA_BITS_MAX).contains(&self.gpu_va_bits_per_process) {
            return Err(ConfigError::GpuVaBits { given: self.gpu_va_bits_per_process });
        }
        self.budget_policy.validate()?;
        self.residency.validate()
    }

    fn validate_nodes(&self) -> Result<(), ConfigError> {
        if !(1..=Self::NODE_COUNT_MAX).contains(&self.node_count) {
            return Err(ConfigError::NodeCount { given: self.node_count });
        }
        let is_local = |segment: &&SegmentDesc| self.group_of(segment.pool) == SegmentGroup::Local;
        let without = (0..self.node_count)
            .find(|node| !self.segments.iter().filter(is_local).any(|segment| segment.nodes.contains(*node)));
        without.map_or(Ok(()), |node| Err(ConfigError::NodeWithoutLocalSegment { node }))
    }

    fn validate_segment(&self, segment: &SegmentDesc) -> Result<(), ConfigError> {
        let page = PageSize::SixtyFourKib.alignment();
        if segment.size == 0 || segment.size > 1 << 63 || !page.is_aligned(segment.size) {
            return Err(ConfigError::SegmentSize { segment: segment.name.clone(), given: segment.size });
        }
        match segment.nodes {
            SegmentNodes::One(node) if node >= self.node_count => Err(ConfigError::SegmentNode {
                segment: segment.name.clone(),
                given: node,
                node_count: self.node_count,
            }),
            SegmentNodes::One(_) | SegmentNodes::All => Ok(()),
        }
    }
}

impl BudgetPolicy {
    fn validate(&self) -> Result<(), ConfigError> {
        let least = self.weight_background.max(1);
        for (field, given, min, max) in [
            ("weight_background", self.weight_background, 1, u32::MAX),
            ("weight_foreground", self.weight_foreground, least, u32::MAX),
            ("weight_compositor", self.weight_compositor, least, u32::MAX),
            ("usable_permille", self.usable_permille, 0, 1000),
            ("reservable_permille", self.reservable_permille, 0, 1000),
        ] {
            if !(min..=max).contains(&given) {
                return Err(ConfigError::BudgetPolicy { field, given, min, max });
            }
        }
        Ok(())
    }
}

fn system(size: u64) -> SegmentDesc {
    SegmentDesc { name: "L0".to_owned(), nodes: SegmentNodes::All, pool: MemoryPool::L0, size }
}
