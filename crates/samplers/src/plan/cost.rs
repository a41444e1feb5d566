//! What each strategy costs, and whether it can be used at all.

use heapstone_spec::caps::ResourceBindingTier;
use serde::Serialize;

use super::{IndexBufferBinding, PlanLimits, ShaderModel, Strategy, packed_dwords};
use crate::layout::BindGroupLayout;

/// Samplers that a shader stage reaches on resource binding tier 1 (Microsoft's public D3D12 resource binding
/// specification, Levels of Hardware Support; spec/4-sampler-heap.txt, "Max Samplers in all descriptor tables").
pub(super) const TIER1_STAGE_SAMPLERS: u64 = 16;

/// Dwords of a root signature, by what takes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Descriptor tables of samplers: that of the heap, or those of bindings or groups.
    pub sampler_tables: u64,
    /// What binds the buffers of indices.
    pub index_buffers: u64,
    /// Root constants of packed indices.
    pub constants: u64,
    /// The groups' other bindings, and what belongs to no group: the same under every strategy.
    pub others: u64,
}

impl Cost {
    /// All of them.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.samplers().saturating_add(self.others)
    }

    /// Those that samplers take.
    #[must_use]
    pub const fn samplers(&self) -> u64 {
        self.sampler_tables.saturating_add(self.index_buffers).saturating_add(self.constants)
    }
}

/// Why a strategy cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Unfit {
    /// The root signature is too small.
    #[error("it takes {needed} dwords of the root signature; allowed: {allowed}")]
    RootDwords {
        /// What it takes.
        needed: u64,
        /// What there is.
        allowed: u32,
    },
    /// The shader model knows less.
    #[error("the shader model is {given}; allowed: {needed} and later")]
    ShaderModel {
        /// The device's.
        given: ShaderModel,
        /// The first that can.
        needed: ShaderModel,
    },
    /// The binding tier does not let a stage see so many samplers, or index the heap.
    #[error("the resource binding tier is {given}; allowed: {needed} and above")]
    BindingTier {
        /// The device's.
        given: u32,
        /// The first that can.
        needed: u32,
    },
    /// More samplers than a stage of tier 1 reaches.
    #[error("a stage reaches {given} samplers; allowed: {allowed} on resource binding tier 1")]
    StageSamplers {
        /// All of the layout's.
        given: u64,
        /// Tier 1's.
        allowed: u64,
    },
    /// What lies side by side fills more than the heap.
    #[error("its tables hold {given} samplers; allowed: {allowed}, what one heap holds")]
    Heap {
        /// All of the layout's.
        given: u64,
        /// The heap's.
        allowed: u32,
    },
    /// Equal samplers would take several slots.
    #[error("equal samplers take several slots; allowed: strategies that deduplicate, as the limits ask")]
    Duplicates,
}

/// A strategy beside the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Candidate {
    /// Which.
    pub strategy: Strategy,
    /// What it costs, whether it fits or not.
    pub cost: Cost,
    /// Why it cannot be used; `None` where it can.
    pub unfit: Option<Unfit>,
}

/// What counts in a pipeline layout.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    bindings: u64,
    samplers: u64,
    fixed: u64,
    arrays: u64,
    /// Groups that have samplers.
    groups: u64,
    /// Groups that have arrays of samplers.
    groups_with_arrays: u64,
    others: u64,
}

impl Counts {
    fn of(layouts: &[BindGroupLayout], limits: &PlanLimits) -> Counts {
        let mut counts = Counts { others: u64::from(limits.reserved_dwords), ..Counts::default() };
        for layout in layouts {
            let arrays = layout.samplers.iter().filter(|sampler| sampler.count.is_some()).count();
            let bindings = layout.samplers.len();
            counts.bindings += long(bindings);
            counts.arrays += long(arrays);
            counts.fixed += long(bindings - arrays);
            counts.samplers +=
                layout.samplers.iter().map(|sampler| u64::from(sampler.sampler_count())).sum::<u64>();
            counts.groups += u64::from(bindings != 0);
            counts.groups_with_arrays += u64::from(arrays != 0);
            counts.others = counts.others.saturating_add(u64::from(layout.other_dwords));
        }
        counts
    }
}

fn long(count: usize) -> u64 {
    u64::try_from(count).expect("invariant: usize has at most 64 bits")
}

/// Every strategy with its cost and whether it fits, in the order of [`Strategy::ALL`]. The layouts are not
/// checked here.
#[must_use]
pub fn candidates(layouts: &[BindGroupLayout], limits: &PlanLimits) -> Vec<Candidate> {
    let counts = Counts::of(layouts, limits);
    let candidate = |strategy| {
        let cost = cost(strategy, &counts, limits);
        Candidate { strategy, cost, unfit: unfit(strategy, &counts, &cost, limits) }
    };
    Strategy::ALL.map(candidate).to_vec()
}

fn cost(strategy: Strategy, counts: &Counts, limits: &PlanLimits) -> Cost {
    let others = Cost { others: counts.others, ..Cost::default() };
    let buffer = match limits.index_buffers {
        IndexBufferBinding::Table => 1,
        IndexBufferBinding::RootDescriptor => 2,
    };
    let heap = u64::from(counts.samplers != 0 && !strategy.is_direct());
    match strategy {
        Strategy::TablePerSampler => Cost { sampler_tables: counts.bindings, ..others },
        Strategy::TablePerGroup => Cost { sampler_tables: counts.groups, ..others },
        Strategy::IndexBuffers | Strategy::DirectIndexBuffers => {
            Cost { sampler_tables: heap, index_buffers: buffer * counts.groups, ..others }
        }
        Strategy::PackedConstants | Strategy::DirectConstants => Cost {
            sampler_tables: heap,
            index_buffers: buffer * counts.groups_with_arrays,
            constants: packed_dwords(counts.fixed, limits.index_bits()),
            ..others
        },
    }
}

fn unfit(strategy: Strategy, counts: &Counts, cost: &Cost, limits: &PlanLimits) -> Option<Unfit> {
    let model = if strategy.is_direct() { ShaderModel::V6_6 } else { ShaderModel::V5_1 };
    if limits.shader_model < model {
        return Some(Unfit::ShaderModel { given: limits.shader_model, needed: model });
    }
    let tier = limits.binding_tier;
    if strategy.has_registers() {
        if tier == ResourceBindingTier::Tier1 && counts.samplers > TIER1_STAGE_SAMPLERS {
            return Some(Unfit::StageSamplers { given: counts.samplers, allowed: TIER1_STAGE_SAMPLERS });
        }
        if counts.samplers > u64::from(limits.heap_samplers()) {
            return Some(Unfit::Heap { given: counts.samplers, allowed: limits.heap_samplers() });
        }
    } else {
        // Indexing what is bound takes tier 3 (Microsoft's public specification of shader model 6.6, Dynamic Resources);
        // a table over the whole heap takes what tier 1 does not have.
        let needed =
            if strategy.is_direct() { ResourceBindingTier::Tier3 } else { ResourceBindingTier::Tier2 };
        if tier < needed && counts.samplers != 0 {
            return Some(Unfit::BindingTier { given: tier.into(), needed: needed.into() });
        }
    }
    let duplicates = match strategy {
        Strategy::TablePerGroup => counts.samplers != 0,
        Strategy::TablePerSampler => counts.arrays != 0,
        _ => false,
    };
    if limits.deduplicate && duplicates {
        return Some(Unfit::Duplicates);
    }
    let needed = cost.total();
    (needed > u64::from(limits.root_dwords))
        .then_some(Unfit::RootDwords { needed, allowed: limits.root_dwords })
}
