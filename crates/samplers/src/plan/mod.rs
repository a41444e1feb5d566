//! Root signatures that reach samplers: what each strategy costs, and the plan of the cheapest that fits.
//!
//! ```text
//!  strategy             root signature                      a shader finds its sampler by
//!  TablePerSampler      a table for each binding            its register
//!  TablePerGroup        a table for each group              its register; a group's samplers lie side by side
//!  IndexBuffers         the heap, a buffer for each group   heap[buffer of the group[position]]
//!  PackedConstants      the heap, 12 bits for each sampler  heap[bits of the constants]; arrays as IndexBuffers
//!  DirectIndexBuffers   a buffer for each group             SamplerDescriptorHeap[buffer of the group[position]]
//!  DirectConstants      12 bits for each sampler            SamplerDescriptorHeap[bits of the constants]
//! ```
//! The heap is one table of two ranges at the same place, one for plain and one for comparison samplers (facts/buffer-views.md,
//! Sampler heaps: "the same heap in another register space"). Every plan is of one pipeline layout; a plan of
//! six strategies is compared by [`candidates`], made by [`plan`].

mod cost;
mod make;
mod packed;

use std::collections::BTreeSet;

use heapstone_spec::caps::ResourceBindingTier;
use serde::{Deserialize, Serialize};

use crate::layout::{BindGroupLayout, LayoutError, SamplerKind};
pub use cost::{Candidate, Cost, Unfit, candidates};
pub use make::plan;
pub use packed::{PackedIndices, packed_dwords};

/// A way to reach samplers from a root signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// A descriptor table for each binding, 1 dword each. Fixed samplers may lie anywhere in the heap; an array's
    /// lie side by side, so that arrays share slots with nothing else (spec/4-sampler-heap.txt, "One option").
    TablePerSampler,
    /// A descriptor table for each group, 1 dword each. A group's samplers lie side by side: no two groups
    /// share slots, which is the wall of 2048 (spec/4-sampler-heap.txt, "The naïve solution").
    TablePerGroup,
    /// One table over the heap, and for each group a buffer of indices into it (spec/4-sampler-heap.txt, the
    /// resolved plan).
    IndexBuffers,
    /// One table over the heap, and the indices of fixed samplers in root constants, 12 bits each; arrays as in
    /// [`Strategy::IndexBuffers`] (spec/4-sampler-heap.txt, "One proposed solution").
    PackedConstants,
    /// [`Strategy::IndexBuffers`] without the table: shader model 6.6 indexes the bound heap by itself
    /// (spec/4-sampler-heap.txt, "Note for the Future").
    DirectIndexBuffers,
    /// [`Strategy::PackedConstants`] without the table.
    DirectConstants,
}

impl Strategy {
    /// All, in the order in which the earlier one is taken where two cost the same. Chosen: registers before
    /// indices, buffers before constants, since those change with no root argument but the group's own.
    pub const ALL: [Strategy; 6] = [
        Strategy::TablePerSampler,
        Strategy::TablePerGroup,
        Strategy::IndexBuffers,
        Strategy::DirectIndexBuffers,
        Strategy::PackedConstants,
        Strategy::DirectConstants,
    ];

    /// Whether shaders index the heap that is bound, without a table (shader model 6.6).
    #[must_use]
    pub const fn is_direct(self) -> bool {
        matches!(self, Strategy::DirectIndexBuffers | Strategy::DirectConstants)
    }

    /// Whether fixed samplers' indices are in root constants.
    #[must_use]
    pub const fn packs_constants(self) -> bool {
        matches!(self, Strategy::PackedConstants | Strategy::DirectConstants)
    }

    /// Whether shaders find samplers by registers of their own.
    #[must_use]
    pub const fn has_registers(self) -> bool {
        matches!(self, Strategy::TablePerSampler | Strategy::TablePerGroup)
    }

    /// Its name, as it stands in text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Strategy::TablePerSampler => "table-per-sampler",
            Strategy::TablePerGroup => "table-per-group",
            Strategy::IndexBuffers => "index-buffers",
            Strategy::PackedConstants => "packed-constants",
            Strategy::DirectIndexBuffers => "direct-index-buffers",
            Strategy::DirectConstants => "direct-constants",
        }
    }
}

impl core::fmt::Display for Strategy {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

/// How the root signature binds a group's buffer of indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IndexBufferBinding {
    /// A descriptor table of one view: 1 dword (spec/4-sampler-heap.txt, "1 DWORD per bind group").
    #[default]
    Table,
    /// A root descriptor, which needs no view: 2 dwords (facts/buffer-views.md, Sampler heaps).
    RootDescriptor,
}

/// A shader model, e.g. 6.6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShaderModel {
    /// Before the dot.
    pub major: u8,
    /// Behind it.
    pub minor: u8,
}

impl ShaderModel {
    /// The first with ranges of descriptors in register spaces, in which a whole heap is one array.
    pub const V5_1: ShaderModel = ShaderModel { major: 5, minor: 1 };
    /// The first that indexes the bound heaps by itself.
    pub const V6_6: ShaderModel = ShaderModel { major: 6, minor: 6 };
}

impl core::fmt::Display for ShaderModel {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// What the device and the rest of the pipeline leave to samplers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlanLimits {
    /// Dwords of a root signature: 64 in D3D12.
    pub root_dwords: u32,
    /// Dwords that belong to no group, e.g. of push constants.
    pub reserved_dwords: u32,
    /// Descriptors of the sampler heap: 2048 on every tier, more where a device reports it.
    pub heap_descriptors: u32,
    /// Of those, the ones that the system keeps, at the heap's end: 16 (spec/4-sampler-heap.txt, "it's really 2032").
    pub heap_reserved: u32,
    /// D3D12_RESOURCE_BINDING_TIER.
    #[serde(with = "tier_number")]
    pub binding_tier: ResourceBindingTier,
    /// The shader model that the device runs and the shaders are compiled for.
    pub shader_model: ShaderModel,
    /// How buffers of indices are bound.
    pub index_buffers: IndexBufferBinding,
    /// Leave strategies out under which equal samplers take several slots. On unless the program never comes
    /// near the heap's end.
    pub deduplicate: bool,
    /// Register spaces that the rest of the pipeline uses: the plan takes none of them.
    pub spaces_taken: BTreeSet<u32>,
}

impl Default for PlanLimits {
    /// D3D12's limits on resource binding tier 2, with shader model 5.1.
    fn default() -> PlanLimits {
        PlanLimits {
            root_dwords: 64,
            reserved_dwords: 0,
            heap_descriptors: heapstone_spec::limits::SHADER_VISIBLE_SAMPLERS_MAX,
            heap_reserved: 16,
            binding_tier: ResourceBindingTier::Tier2,
            shader_model: ShaderModel::V5_1,
            index_buffers: IndexBufferBinding::Table,
            deduplicate: true,
            spaces_taken: BTreeSet::new(),
        }
    }
}

impl PlanLimits {
    /// Descriptors of the heap that the program may fill.
    #[must_use]
    pub const fn heap_samplers(&self) -> u32 {
        self.heap_descriptors.saturating_sub(self.heap_reserved)
    }

    /// Bits of a packed index: 12 for the heap of 2048 (spec/4-sampler-heap.txt, "we would only need 12 bits"),
    /// more where the heap is larger than 4096.
    #[must_use]
    pub const fn index_bits(&self) -> u32 {
        let needed = u32::BITS - self.heap_descriptors.saturating_sub(1).leading_zeros();
        if needed < 12 { 12 } else { needed }
    }
}

/// The tier as its number.
mod tier_number {
    use heapstone_spec::caps::ResourceBindingTier;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    pub(super) fn serialize<S: Serializer>(
        tier: &ResourceBindingTier,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        u32::from(*tier).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<ResourceBindingTier, D::Error> {
        match u32::deserialize(deserializer)? {
            1 => Ok(ResourceBindingTier::Tier1),
            2 => Ok(ResourceBindingTier::Tier2),
            3 => Ok(ResourceBindingTier::Tier3),
            other => Err(de::Error::custom(format_args!("binding tier {other}; allowed: 1, 2, 3"))),
        }
    }
}

/// A register: HLSL's `register(s<register>, space<space>)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Register {
    /// The number behind the letter of its kind: s, t or b.
    pub register: u32,
    /// The register space.
    pub space: u32,
}

/// How the shaders of a pipeline layout find its samplers, and the root signature's part for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SamplerPlan {
    /// The strategy.
    pub strategy: Strategy,
    /// What it costs.
    pub cost: Cost,
    /// Where the whole heap is declared; `None` where shaders do not see it through a table.
    pub heap: Option<HeapBinding>,
    /// The packed indices; `None` without fixed samplers in root constants.
    pub constants: Option<ConstantsBinding>,
    /// Each group, by ascending number.
    pub groups: Vec<GroupPlan>,
    /// The root parameters that samplers need, in order. Those of the groups' other bindings are the caller's.
    pub root_parameters: Vec<RootParameter>,
}

impl SamplerPlan {
    /// The plan of a group.
    #[must_use]
    pub fn group(&self, group: u32) -> Option<&GroupPlan> {
        let at = self.groups.binary_search_by_key(&group, |plan| plan.group).ok()?;
        self.groups.get(at)
    }

    /// The plan of a binding.
    #[must_use]
    pub fn sampler(&self, group: u32, binding: u32) -> Option<&PlannedSampler> {
        let samplers = &self.group(group)?.samplers;
        let at = samplers.binary_search_by_key(&binding, |sampler| sampler.binding).ok()?;
        samplers.get(at)
    }
}

/// The whole heap, as shaders declare it: `SamplerState heap[descriptors] : register(s0, space...)`, and the
/// same for comparison samplers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct HeapBinding {
    /// Of plain samplers.
    pub standard: Register,
    /// Of comparison samplers: the same descriptors in another register space.
    pub comparison: Register,
    /// Elements of each array.
    pub descriptors: u32,
    /// The root parameter, by its place in [`SamplerPlan::root_parameters`].
    pub root_parameter: usize,
}

/// Root constants that hold packed indices: `cbuffer : register(b<register>, space<space>)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ConstantsBinding {
    /// Where they are declared.
    pub register: Register,
    /// 32-bit values.
    pub dwords: u32,
    /// Bits of an index. Index n begins at bit n * bits of the constants taken as one number, the first dword
    /// its lowest: it may lie in two dwords.
    pub index_bits: u32,
    /// The root parameter, by its place in [`SamplerPlan::root_parameters`].
    pub root_parameter: usize,
}

/// How a group's samplers are found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GroupPlan {
    /// Its number.
    pub group: u32,
    /// Its buffer of indices; `None` where none of its samplers is found through one.
    pub index_buffer: Option<IndexBufferPlan>,
    /// Its samplers, by ascending binding.
    pub samplers: Vec<PlannedSampler>,
}

/// A group's buffer: `StructuredBuffer<uint> : register(t<register>, space<space>)`, whose elements are indices
/// into the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct IndexBufferPlan {
    /// Where it is declared.
    pub register: Register,
    /// Elements of 32 bits.
    pub index_count: u32,
    /// The root parameter, by its place in [`SamplerPlan::root_parameters`].
    pub root_parameter: usize,
}

/// A binding, and where its samplers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedSampler {
    /// Its number in the group.
    pub binding: u32,
    /// Which of the heap's two arrays it is found in.
    pub kind: SamplerKind,
    /// Samplers of an array; `None` of a fixed sampler.
    pub count: Option<u32>,
    /// Where to look.
    pub source: SamplerSource,
}

/// Where a shader finds a sampler, or the first of an array; the others follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SamplerSource {
    /// In registers of its own.
    Register {
        /// The first.
        register: Register,
        /// The root parameter, by its place in [`SamplerPlan::root_parameters`].
        root_parameter: usize,
    },
    /// Its index in the heap stands in the group's buffer.
    IndexBuffer {
        /// The first element.
        first: u32,
    },
    /// Its index in the heap stands in the root constants.
    Constants {
        /// Which of the packed indices.
        first: u32,
    },
}

/// A root parameter of the plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RootParameter {
    /// A descriptor table of samplers: 1 dword.
    SamplerTable {
        /// Its ranges.
        ranges: Vec<SamplerRange>,
    },
    /// A descriptor table of one shader resource view, that of a buffer of indices: 1 dword.
    ViewTable {
        /// The group whose buffer it is.
        group: u32,
        /// The view's register.
        register: Register,
    },
    /// A root shader resource view, that of a buffer of indices: 2 dwords.
    RootView {
        /// The group whose buffer it is.
        group: u32,
        /// The view's register.
        register: Register,
    },
    /// Root constants: a dword each.
    Constants {
        /// Their register.
        register: Register,
        /// How many.
        dwords: u32,
    },
}

impl RootParameter {
    /// Dwords that it takes (facts/buffer-views.md, Sampler heaps).
    #[must_use]
    pub const fn dwords(&self) -> u32 {
        match self {
            RootParameter::SamplerTable { .. } | RootParameter::ViewTable { .. } => 1,
            RootParameter::RootView { .. } => 2,
            RootParameter::Constants { dwords, .. } => *dwords,
        }
    }
}

/// D3D12_DESCRIPTOR_RANGE of type SAMPLER.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SamplerRange {
    /// BaseShaderRegister and RegisterSpace.
    pub register: Register,
    /// NumDescriptors.
    pub descriptors: u32,
    /// OffsetInDescriptorsFromTableStart.
    pub offset: u32,
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The layouts contradict themselves.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The strategy that was asked for does not fit.
    #[error("plan.strategy: strategy is {strategy}; {reason}")]
    Strategy {
        /// Which.
        strategy: Strategy,
        /// Why not.
        reason: Unfit,
    },
    /// No strategy fits.
    #[error("plan.none: no strategy fits: {}", reasons(.candidates))]
    None {
        /// Each strategy, with the reason.
        candidates: Vec<Candidate>,
    },
}

fn reasons(candidates: &[Candidate]) -> String {
    let reason = |candidate: &Candidate| {
        let unfit = candidate.unfit.as_ref()?;
        Some(format!("{}: {unfit}", candidate.strategy))
    };
    candidates.iter().filter_map(reason).collect::<Vec<_>>().join("; ")
}

/// The layouts by ascending group.
fn by_group(layouts: &[BindGroupLayout]) -> Vec<&BindGroupLayout> {
    let mut sorted: Vec<&BindGroupLayout> = layouts.iter().collect();
    sorted.sort_by_key(|layout| layout.group);
    sorted
}
