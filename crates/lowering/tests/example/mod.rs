//! Layouts and plans of tests.

use heapstone_samplers::plan::{PlanLimits, SamplerPlan, ShaderModel, Strategy, plan};
use heapstone_samplers::{BindGroupLayout, SamplerBinding};
use heapstone_spec::caps::ResourceBindingTier;

/// A group's layout with one table of views.
pub(crate) fn group(group: u32, samplers: &[SamplerBinding]) -> BindGroupLayout {
    BindGroupLayout { group, samplers: samplers.to_vec(), other_dwords: 1 }
}

/// The plan of a strategy, for a device on which each works.
pub(crate) fn plan_of(layouts: &[BindGroupLayout], strategy: Strategy) -> SamplerPlan {
    let limits = PlanLimits {
        binding_tier: ResourceBindingTier::Tier3,
        shader_model: ShaderModel::V6_6,
        deduplicate: false,
        ..PlanLimits::default()
    };
    plan(layouts, &limits, Some(strategy)).unwrap_or_else(|error| panic!("{strategy}: {error}"))
}
