//! The plan of the strategy that was chosen: registers, places of indices, root parameters.

use super::{
    Candidate, ConstantsBinding, Cost, GroupPlan, HeapBinding, IndexBufferBinding, IndexBufferPlan,
    PlanError, PlanLimits, PlannedSampler, Register, RootParameter, SamplerPlan, SamplerRange, SamplerSource,
    Strategy, by_group, candidates,
};
use crate::layout::{self, BindGroupLayout, SamplerBinding};

/// Register spaces from here on are D3D12's own (Microsoft's documentation of root signatures).
const RESERVED_SPACES: u32 = 0xffff_fff0;

/// The plan of a pipeline layout: by `wanted`, or without it by the strategy that costs least among those that
/// fit, the earlier of [`Strategy::ALL`] where two cost the same.
///
/// # Errors
/// [`PlanError::Layout`] where the layouts contradict themselves, [`PlanError::Strategy`] where `wanted` does
/// not fit, [`PlanError::None`] where nothing does.
pub fn plan(
    layouts: &[BindGroupLayout],
    limits: &PlanLimits,
    wanted: Option<Strategy>,
) -> Result<SamplerPlan, PlanError> {
    layout::check(layouts, limits.heap_samplers())?;
    let candidates = candidates(layouts, limits);
    let chosen = choose(&candidates, wanted)?;
    let plan = Making::new(chosen.strategy, chosen.cost, limits).make(&by_group(layouts));
    let dwords: u64 = plan.root_parameters.iter().map(|parameter| u64::from(parameter.dwords())).sum();
    assert_eq!(dwords, chosen.cost.samplers(), "a plan costs what was reckoned");
    Ok(plan)
}

fn choose(candidates: &[Candidate], wanted: Option<Strategy>) -> Result<Candidate, PlanError> {
    if let Some(strategy) = wanted {
        let candidate = candidates.iter().find(|candidate| candidate.strategy == strategy);
        let candidate = candidate.expect("invariant: every strategy is a candidate");
        return match candidate.unfit {
            None => Ok(*candidate),
            Some(reason) => Err(PlanError::Strategy { strategy, reason }),
        };
    }
    let fitting = candidates.iter().filter(|candidate| candidate.unfit.is_none());
    let cheapest = fitting.min_by_key(|candidate| candidate.cost.total());
    cheapest.copied().ok_or_else(|| PlanError::None { candidates: candidates.to_vec() })
}

/// A plan that is being made.
struct Making<'a> {
    limits: &'a PlanLimits,
    /// Where everything is declared but comparison samplers of the heap.
    space: u32,
    comparison_space: u32,
    /// The next register of samplers.
    register: u32,
    plan: SamplerPlan,
}

impl<'a> Making<'a> {
    fn new(strategy: Strategy, cost: Cost, limits: &'a PlanLimits) -> Making<'a> {
        let mut free = (0..RESERVED_SPACES).filter(|space| !limits.spaces_taken.contains(space));
        let mut space = || free.next().expect("invariant: a set holds fewer than 2^32 - 17 numbers");
        Making {
            limits,
            space: space(),
            comparison_space: space(),
            register: 0,
            plan: SamplerPlan {
                strategy,
                cost,
                heap: None,
                constants: None,
                groups: Vec::new(),
                root_parameters: Vec::new(),
            },
        }
    }

    fn make(mut self, layouts: &[&BindGroupLayout]) -> SamplerPlan {
        let has_samplers = layouts.iter().any(|layout| !layout.samplers.is_empty());
        let strategy = self.plan.strategy;
        if has_samplers && !strategy.has_registers() && !strategy.is_direct() {
            self.add_heap();
        }
        let mut packed = 0;
        for layout in layouts {
            let mut samplers = layout.samplers.clone();
            samplers.sort_unstable_by_key(|sampler| sampler.binding);
            let group = if strategy.has_registers() {
                self.by_registers(layout.group, &samplers)
            } else {
                self.by_indices(layout.group, &samplers, &mut packed)
            };
            self.plan.groups.push(group);
        }
        if packed != 0 {
            self.add_constants(packed);
        }
        self.plan
    }

    fn add(&mut self, parameter: RootParameter) -> usize {
        self.plan.root_parameters.push(parameter);
        self.plan.root_parameters.len() - 1
    }

    fn add_heap(&mut self) {
        let descriptors = self.limits.heap_samplers();
        let standard = Register { register: 0, space: self.space };
        let comparison = Register { register: 0, space: self.comparison_space };
        let ranges = vec![
            SamplerRange { register: standard, descriptors, offset: 0 },
            SamplerRange { register: comparison, descriptors, offset: 0 },
        ];
        let root_parameter = self.add(RootParameter::SamplerTable { ranges });
        self.plan.heap = Some(HeapBinding { standard, comparison, descriptors, root_parameter });
    }

    fn add_constants(&mut self, count: u32) {
        let index_bits = self.limits.index_bits();
        let dwords = u32::try_from(self.plan.cost.constants).expect("invariant: they fit the root signature");
        let register = Register { register: 0, space: self.space };
        let root_parameter = self.add(RootParameter::Constants { register, dwords });
        debug_assert_eq!(u64::from(dwords), super::packed_dwords(u64::from(count), index_bits));
        self.plan.constants = Some(ConstantsBinding { register, dwords, index_bits, root_parameter });
    }

    /// A table for each binding, or one for the group, of consecutive registers.
    fn by_registers(&mut self, group: u32, samplers: &[SamplerBinding]) -> GroupPlan {
        let is_shared = self.plan.strategy == Strategy::TablePerGroup;
        let mut planned = Vec::with_capacity(samplers.len());
        let mut shared_ranges = Vec::new();
        // Where the group's own table is going to be.
        let group_parameter = self.plan.root_parameters.len();
        let mut offset = 0;
        for sampler in samplers {
            let descriptors = sampler.sampler_count();
            let register = Register { register: self.register, space: self.space };
            self.register += descriptors;
            let root_parameter = if is_shared {
                shared_ranges.push(SamplerRange { register, descriptors, offset });
                offset += descriptors;
                group_parameter
            } else {
                let range = SamplerRange { register, descriptors, offset: 0 };
                self.add(RootParameter::SamplerTable { ranges: vec![range] })
            };
            planned.push(planned_as(sampler, SamplerSource::Register { register, root_parameter }));
        }
        if !shared_ranges.is_empty() {
            self.add(RootParameter::SamplerTable { ranges: shared_ranges });
        }
        GroupPlan { group, index_buffer: None, samplers: planned }
    }

    /// Places in the group's buffer, and in the constants behind `packed` indices of the groups before.
    fn by_indices(&mut self, group: u32, samplers: &[SamplerBinding], packed: &mut u32) -> GroupPlan {
        let packs = self.plan.strategy.packs_constants();
        let mut index_count = 0;
        let mut planned = Vec::with_capacity(samplers.len());
        for sampler in samplers {
            let source = if packs && sampler.count.is_none() {
                let first = *packed;
                *packed += 1;
                SamplerSource::Constants { first }
            } else {
                let first = index_count;
                index_count += sampler.sampler_count();
                SamplerSource::IndexBuffer { first }
            };
            planned.push(planned_as(sampler, source));
        }
        let index_buffer = (index_count != 0).then(|| self.add_index_buffer(group, index_count));
        GroupPlan { group, index_buffer, samplers: planned }
    }

    fn add_index_buffer(&mut self, group: u32, index_count: u32) -> IndexBufferPlan {
        let register = Register { register: group, space: self.space };
        let root_parameter = self.add(match self.limits.index_buffers {
            IndexBufferBinding::Table => RootParameter::ViewTable { group, register },
            IndexBufferBinding::RootDescriptor => RootParameter::RootView { group, register },
        });
        IndexBufferPlan { register, index_count, root_parameter }
    }
}

const fn planned_as(sampler: &SamplerBinding, source: SamplerSource) -> PlannedSampler {
    PlannedSampler { binding: sampler.binding, kind: sampler.kind, count: sampler.count, source }
}
