//! What the values of a profile must keep beyond their types: the one place that decides it, for files
//! and for profiles built in code.

use core::ops::RangeInclusive;

use heapstone_units::Bytes;

use super::error::{Problem, ProblemKind, ProfileError};
use super::schema::SEGMENTS;
use super::{Profile, Segment};
use crate::caps::CrossNodeSharingTier;
use crate::limits::{
    DEFAULT_MSAA_RESOURCE_ALIGNMENT, DEFAULT_RESOURCE_ALIGNMENT, SHADER_VISIBLE_SAMPLERS_MAX,
    SHADER_VISIBLE_VIEWS_MAX, TIGHT_PLACED_ALIGNMENT_MIN, TIGHT_PLACED_BUFFER_ALIGNMENT_MAX,
};
use crate::{MemoryPool, SegmentGroup};

/// Nodes of a linked adapter: a node is a bit of a 32-bit mask (D3D12's CreationNodeMask).
const NODE_COUNT: RangeInclusive<u32> = 1..=32;
/// Physical memory of an adapter: what 52 address bits reach, the most that a CPU of today addresses
/// (chosen; sums over segments and shares in thousandths stay far inside 64 bits).
const MEMORY_SIZE_MAX: u64 = 1 << 52;
/// Segments are whole pages of the larger kind (chosen: a rest could never be used by a 64 KiB page).
const SEGMENT_GRANULARITY: u64 = DEFAULT_RESOURCE_ALIGNMENT;
/// From the 2 GiB of the specification's smallest address space (spec/2-resource-heaps.txt 1641) to the
/// 57 bits of five-level page tables (chosen).
const VA_BITS: RangeInclusive<u32> = 31..=57;
/// Slots of a patched engine: a command uses two allocations, and SlotId has 24 bits (facts/dma-splitting.md,
/// Structures).
const SLOT_COUNT: RangeInclusive<u32> = 2..=1 << 24;
/// Sample counts that D3D12's format tables know (Microsoft's public documentation).
const SAMPLE_COUNTS: [u32; 5] = [1, 2, 4, 8, 16];
/// Descriptors of a sampler heap: every adapter has the first, and no heap of views that D3D12 bounds has more than
/// the last (facts/buffer-views.md, Sampler heaps; the last is chosen).
const SAMPLER_HEAP_DESCRIPTORS: RangeInclusive<u32> = SHADER_VISIBLE_SAMPLERS_MAX..=SHADER_VISIBLE_VIEWS_MAX;

/// One problem of the values.
pub(super) struct Finding {
    pub(super) kind: ProblemKind,
    pub(super) key: String,
    pub(super) given: String,
    pub(super) allowed: String,
}

impl Profile {
    /// Checks everything that a profile's values must keep; [`Profile::parse`] has done it.
    ///
    /// # Errors
    /// Every violation, with the dotted key, what was given and what is allowed.
    pub fn check(&self) -> Result<(), ProfileError> {
        let problems: Vec<Problem> = self
            .findings()
            .into_iter()
            .map(|Finding { kind, key, given, allowed }| Problem {
                kind,
                position: None,
                key,
                given,
                allowed,
            })
            .collect();
        if problems.is_empty() { Ok(()) } else { Err(ProfileError { file: String::new(), problems }) }
    }

    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut findings = Findings(Vec::new());
        self.check_name(&mut findings);
        self.check_architecture(&mut findings);
        self.check_caps(&mut findings);
        self.check_memory(&mut findings);
        self.check_gpu_va(&mut findings);
        self.check_layout(&mut findings);
        self.check_engines(&mut findings);
        self.check_sources(&mut findings);
        findings.0
    }

    fn check_name(&self, findings: &mut Findings) {
        let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        // A name with `/` or `.toml` would be taken for a path.
        if self.name.is_empty()
            || self.name.len() > 64
            || !self.name.chars().all(legal)
            || self.name.ends_with(".toml")
        {
            findings.range(
                "name",
                format!("{:?}", self.name),
                "1 to 64 letters, digits, `-`, `_` and `.`, not ending in .toml",
            );
        }
    }

    fn check_architecture(&self, findings: &mut Findings) {
        if self.architecture.cache_coherent_uma && !self.architecture.uma {
            findings.contradiction(
                "architecture.cache_coherent_uma",
                "true",
                "false, or architecture.uma = true: coherent UMA is a kind of UMA",
            );
        }
    }

    fn check_caps(&self, findings: &mut Findings) {
        let caps = &self.caps;
        if !SAMPLE_COUNTS.contains(&caps.sample_count_max) {
            findings.range("caps.sample_count_max", caps.sample_count_max, "1, 2, 4, 8 or 16");
        }
        if !SAMPLER_HEAP_DESCRIPTORS.contains(&caps.sampler_heap_descriptors_max) {
            findings.range(
                "caps.sampler_heap_descriptors_max",
                caps.sampler_heap_descriptors_max,
                "2048, which every adapter has, to 1000000",
            );
        }
        let alone = self.memory.node_count == 1;
        if alone && caps.cross_node_sharing_tier != CrossNodeSharingTier::NotSupported {
            findings.contradiction(
                "caps.cross_node_sharing_tier",
                u32::from(caps.cross_node_sharing_tier),
                "0, or memory.node_count above 1: there is no other node to share with",
            );
        }
        // A shader reaches a peer's memory through a view, which is what tier 2 adds.
        if caps.cross_node_atomic_shader_instructions
            && caps.cross_node_sharing_tier < CrossNodeSharingTier::Tier2
        {
            findings.contradiction(
                "caps.cross_node_atomic_shader_instructions",
                "true",
                "false, or caps.cross_node_sharing_tier of 2 or above",
            );
        }
        if caps.cross_node_atomic_shader_instructions && self.memory.shader_atomics_heap_bytes_max == 0 {
            findings.contradiction(
                "memory.shader_atomics_heap_bytes_max",
                0,
                "above 0, or caps.cross_node_atomic_shader_instructions = false",
            );
        }
        let aperture = |node: u32| {
            self.segments_of(node)
                .any(|segment| segment.pool == MemoryPool::L1 && segment.cpu_visible_size > 0)
        };
        // On UMA the heap type means L0 (Microsoft's public D3D12 documentation): nothing to map.
        if caps.gpu_upload_heap && !self.architecture.uma && !(0..self.nodes()).all(aperture) {
            findings.contradiction(
                "caps.gpu_upload_heap",
                "true",
                "false, or for each node a segment of pool L1 with a cpu_visible_size above 0",
            );
        }
    }

    fn check_memory(&self, findings: &mut Findings) {
        let memory = &self.memory;
        if !NODE_COUNT.contains(&memory.node_count) {
            findings.range("memory.node_count", memory.node_count, "1 to 32: a node is a bit of a mask");
        }
        if !(1..=1000).contains(&memory.budget_permille) {
            findings.range("memory.budget_permille", memory.budget_permille, "1 to 1000");
        }
        if memory.segments.is_empty() {
            findings.range(SEGMENTS, "none", "one segment or more");
            return;
        }
        for (index, segment) in memory.segments.iter().enumerate() {
            self.check_segment(&format!("{SEGMENTS}.{index}"), segment, findings);
            if memory.segments[..index].iter().any(|other| other.name == segment.name) {
                findings.contradiction(
                    &format!("{SEGMENTS}.{index}.name"),
                    format!("{:?}", segment.name),
                    "a name that no other segment has",
                );
            }
        }
        let total = memory.segments.iter().try_fold(0_u64, |total, segment| total.checked_add(segment.size));
        if total.is_none_or(|total| total > MEMORY_SIZE_MAX) {
            let given =
                total.map_or_else(|| "more than 64 bits hold".to_owned(), |total| Bytes(total).to_string());
            findings.range(SEGMENTS, given, "4 PiB at most over all segments");
        }
        for node in 0..self.nodes() {
            self.check_node(node, findings);
        }
    }

    fn check_segment(&self, key: &str, segment: &Segment, findings: &mut Findings) {
        if segment.name.is_empty() {
            findings.range(&format!("{key}.name"), "\"\"", "a name");
        }
        if let Some(node) = segment.node.filter(|node| *node >= self.memory.node_count) {
            let allowed = format!("below memory.node_count, {}, or \"all\"", self.memory.node_count);
            findings.range(&format!("{key}.node"), node, allowed);
        }
        self.check_pool(key, segment, findings);
        if segment.size == 0 || !segment.size.is_multiple_of(SEGMENT_GRANULARITY) {
            findings.range(&format!("{key}.size"), Bytes(segment.size), "a multiple of 64 KiB above 0");
        }
        let visible = segment.cpu_visible_size;
        if visible > segment.size || !visible.is_multiple_of(SEGMENT_GRANULARITY) {
            let allowed = format!("a multiple of 64 KiB up to the segment's size, {}", Bytes(segment.size));
            findings.range(&format!("{key}.cpu_visible_size"), Bytes(visible), allowed);
        } else if segment.pool == MemoryPool::L0 && visible != segment.size {
            findings.contradiction(
                &format!("{key}.cpu_visible_size"),
                Bytes(visible),
                format!("the segment's size, {}: L0 is system memory", Bytes(segment.size)),
            );
        }
        let rate = segment.bandwidth_bytes_per_second;
        if rate == 0 || i64::try_from(rate).is_err() {
            findings.range(&format!("{key}.bandwidth_bytes_per_second"), rate, "1 to 9223372036854775807");
        }
    }

    /// L0 is system memory, L1 video memory and not on UMA (spec/2-resource-heaps.txt 28-33, 440-444,
    /// 470); the local group is what the GPU reads fastest (1545-1550).
    fn check_pool(&self, key: &str, segment: &Segment, findings: &mut Findings) {
        let (group_key, pool_key) = (format!("{key}.group"), format!("{key}.pool"));
        match (self.architecture.uma, segment.group, segment.pool) {
            (_, _, MemoryPool::Unknown) => findings.range(&pool_key, "UNKNOWN", "L0 or L1"),
            (true, SegmentGroup::NonLocal, _) => {
                findings.contradiction(
                    &group_key,
                    "NON_LOCAL",
                    "LOCAL, or architecture.uma = false: on UMA all memory is local",
                );
            }
            (true, SegmentGroup::Local, MemoryPool::L1) => {
                findings.contradiction(&pool_key, "L1", "L0, or architecture.uma = false: UMA has no L1");
            }
            (false, SegmentGroup::Local, MemoryPool::L0) => {
                findings.contradiction(&pool_key, "L0", "L1 in the LOCAL group, or architecture.uma = true");
            }
            (false, SegmentGroup::NonLocal, MemoryPool::L1) => {
                findings.contradiction(&pool_key, "L1", "L0 in the NON_LOCAL group");
            }
            (false, SegmentGroup::Local, MemoryPool::L1)
                if segment.node.is_none() && self.memory.node_count > 1 =>
            {
                findings.contradiction(&format!("{key}.node"), "all", "the node whose video memory it is");
            }
            _ => {}
        }
    }

    /// A node needs memory for DEFAULT heaps, and system memory for UPLOAD and READBACK ones.
    fn check_node(&self, node: u32, findings: &mut Findings) {
        let has = |group| self.segments_of(node).any(|segment| segment.group == group);
        if !has(SegmentGroup::Local) {
            let allowed = format!("a segment of group LOCAL for node {node}");
            findings.contradiction(SEGMENTS, "none", allowed);
        }
        if !self.architecture.uma && !has(SegmentGroup::NonLocal) {
            let allowed = format!("a segment of group NON_LOCAL for node {node}, or architecture.uma = true");
            findings.contradiction(SEGMENTS, "none", allowed);
        }
    }

    fn check_gpu_va(&self, findings: &mut Findings) {
        for (key, bits) in [
            ("gpu_va.bits_per_process", self.gpu_va.bits_per_process),
            // Not bounded by the process's: spec/2-resource-heaps.txt 383.
            ("gpu_va.bits_per_resource", self.gpu_va.bits_per_resource),
        ] {
            if !VA_BITS.contains(&bits) {
                findings.range(key, bits, "31 to 57");
            }
        }
    }

    fn check_layout(&self, findings: &mut Findings) {
        let layout = &self.layout;
        for (key, alignment, least, greatest) in [
            (
                "layout.image_alignment",
                layout.image_alignment,
                DEFAULT_RESOURCE_ALIGNMENT,
                DEFAULT_MSAA_RESOURCE_ALIGNMENT,
            ),
            (
                "layout.tight_buffer_alignment",
                layout.tight_buffer_alignment,
                TIGHT_PLACED_ALIGNMENT_MIN,
                TIGHT_PLACED_BUFFER_ALIGNMENT_MAX,
            ),
            (
                "layout.tight_texture_alignment",
                layout.tight_texture_alignment,
                TIGHT_PLACED_ALIGNMENT_MIN,
                DEFAULT_RESOURCE_ALIGNMENT,
            ),
        ] {
            if !alignment.is_power_of_two() || !(least..=greatest).contains(&alignment) {
                let allowed = format!("a power of two from {} to {}", Bytes(least), Bytes(greatest));
                findings.range(key, Bytes(alignment), allowed);
            }
        }
        if let Some(size) = self.limits.heap_size_max.filter(|size| *size < DEFAULT_RESOURCE_ALIGNMENT) {
            findings.range(
                "limits.heap_size_max",
                Bytes(size),
                "64 KiB or more, or \"none\": the least heap is 64 KiB",
            );
        }
    }

    fn check_engines(&self, findings: &mut Findings) {
        let engines = &self.engines;
        if !SLOT_COUNT.contains(&engines.slot_count) {
            findings.range("engines.slot_count", engines.slot_count, "2 to 16777216: SlotId has 24 bits");
        }
        let size = engines.aperture_size;
        if size == 0 || size > MEMORY_SIZE_MAX || !size.is_multiple_of(SEGMENT_GRANULARITY) {
            findings.range("engines.aperture_size", Bytes(size), "multiples of 64 KiB from 64 KiB to 4 PiB");
        }
    }

    fn check_sources(&self, findings: &mut Findings) {
        let keys: std::collections::BTreeSet<String> =
            self.entries().into_iter().map(|entry| entry.0).collect();
        for key in self.sources.keys().filter(|key| !keys.contains(*key)) {
            findings.contradiction("sources", format!("{key:?}"), "the dotted key of a value of the profile");
        }
    }

    /// The nodes to look at; none where their number is out of range, which is said once.
    fn nodes(&self) -> u32 {
        if NODE_COUNT.contains(&self.memory.node_count) { self.memory.node_count } else { 0 }
    }

    fn segments_of(&self, node: u32) -> impl Iterator<Item = &Segment> {
        self.memory.segments.iter().filter(move |segment| segment.node.is_none_or(|of| of == node))
    }
}

struct Findings(Vec<Finding>);

impl Findings {
    fn range(&mut self, key: &str, given: impl ToString, allowed: impl ToString) {
        self.push(ProblemKind::OutOfRange, key, given, allowed);
    }

    fn contradiction(&mut self, key: &str, given: impl ToString, allowed: impl ToString) {
        self.push(ProblemKind::Contradiction, key, given, allowed);
    }

    fn push(&mut self, kind: ProblemKind, key: &str, given: impl ToString, allowed: impl ToString) {
        self.0.push(Finding {
            kind,
            key: key.to_owned(),
            given: given.to_string(),
            allowed: allowed.to_string(),
        });
    }
}
