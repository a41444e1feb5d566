//! Plans of root signatures: costs, choices, registers, positions.

use heapstone_samplers::plan::{
    IndexBufferBinding, PlanError, PlanLimits, Register, RootParameter, SamplerRange, SamplerSource,
    ShaderModel, Strategy, Unfit, candidates, plan,
};
use heapstone_samplers::{BindGroupLayout, LayoutError, SamplerBinding, SamplerKind};
use heapstone_spec::caps::ResourceBindingTier;

fn group(group: u32, samplers: &[SamplerBinding]) -> BindGroupLayout {
    BindGroupLayout { group, samplers: samplers.to_vec(), other_dwords: 0 }
}

/// `count` groups with a table of views and `samplers` fixed samplers each.
fn groups(count: u32, samplers: u32) -> Vec<BindGroupLayout> {
    let bindings: Vec<SamplerBinding> = (0..samplers).map(SamplerBinding::fixed).collect();
    (0..count).map(|number| BindGroupLayout { other_dwords: 1, ..group(number, &bindings) }).collect()
}

fn total(layouts: &[BindGroupLayout], limits: &PlanLimits, strategy: Strategy) -> u64 {
    let candidates = candidates(layouts, limits);
    candidates.iter().find(|candidate| candidate.strategy == strategy).expect("each is there").cost.total()
}

fn with_sm66() -> PlanLimits {
    PlanLimits {
        shader_model: ShaderModel::V6_6,
        binding_tier: ResourceBindingTier::Tier3,
        ..PlanLimits::default()
    }
}

/// spec/4-sampler-heap.txt: "For a maximum bind group count of 8, we use 17 dwords for all the bindings. For max of 4, we use 9."
#[test]
fn index_buffers_cost_what_the_text_reckons() {
    let limits = PlanLimits::default();
    assert_eq!(total(&groups(8, 3), &limits, Strategy::IndexBuffers), 17);
    assert_eq!(total(&groups(4, 3), &limits, Strategy::IndexBuffers), 9);
    let root = PlanLimits { index_buffers: IndexBufferBinding::RootDescriptor, ..limits };
    assert_eq!(total(&groups(8, 3), &root, Strategy::IndexBuffers), 25, "root descriptors take 2");
}

/// The same text: 32 samplers in 12 root constants and 1 table, 13 dwords, in place of 32 tables.
#[test]
fn packed_constants_cost_what_the_text_reckons() {
    let samplers: Vec<SamplerBinding> = (0..32).map(SamplerBinding::fixed).collect();
    let layouts = [group(0, &samplers)];
    let limits = with_sm66();
    assert_eq!(total(&layouts, &limits, Strategy::PackedConstants), 13);
    assert_eq!(total(&layouts, &limits, Strategy::TablePerSampler), 32);
    assert_eq!(total(&layouts, &limits, Strategy::TablePerGroup), 1);
    assert_eq!(total(&layouts, &limits, Strategy::IndexBuffers), 2);
    assert_eq!(total(&layouts, &limits, Strategy::DirectIndexBuffers), 1);
    assert_eq!(total(&layouts, &limits, Strategy::DirectConstants), 12);
}

#[test]
fn the_cheapest_that_fits_is_taken() {
    let limits = PlanLimits::default();
    let chosen = |layouts: &[BindGroupLayout], limits: &PlanLimits| {
        plan(layouts, limits, None).map(|plan| plan.strategy)
    };
    // One table beats a table and an index.
    assert_eq!(chosen(&groups(1, 1), &limits), Ok(Strategy::TablePerSampler));
    // 2 tables and the heap's table and buffer: registers, of two that cost the same.
    assert_eq!(chosen(&groups(1, 2), &limits), Ok(Strategy::TablePerSampler));
    assert_eq!(chosen(&groups(1, 3), &limits), Ok(Strategy::IndexBuffers));
    assert_eq!(chosen(&groups(1, 3), &with_sm66()), Ok(Strategy::DirectIndexBuffers));
    // Four groups of one: 4 tables; the heap and 2 constants are 3 dwords.
    assert_eq!(chosen(&groups(4, 1), &limits), Ok(Strategy::PackedConstants));
    let shared = PlanLimits { deduplicate: false, ..PlanLimits::default() };
    assert_eq!(chosen(&groups(1, 3), &shared), Ok(Strategy::TablePerGroup));
    // An array is not packed: the heap's table and one buffer for both.
    let array = [group(0, &[SamplerBinding::fixed(0), SamplerBinding::array(1, 500)])];
    assert_eq!(chosen(&array, &limits), Ok(Strategy::IndexBuffers));
}

#[test]
fn the_65th_sampler_of_a_stage_works() {
    let layouts = groups(1, 65);
    let refused = plan(&layouts, &PlanLimits::default(), Some(Strategy::TablePerSampler));
    // 65 tables and that of the views.
    let reason = Unfit::RootDwords { needed: 66, allowed: 64 };
    assert_eq!(refused, Err(PlanError::Strategy { strategy: Strategy::TablePerSampler, reason }));
    let text = refused.expect_err("refused").to_string();
    assert_eq!(
        text,
        "plan.strategy: strategy is table-per-sampler; it takes 66 dwords of the root signature; allowed: 64"
    );
    let plan = plan(&layouts, &PlanLimits::default(), None).expect("it fits");
    assert_eq!(plan.strategy, Strategy::IndexBuffers);
    assert_eq!(plan.cost.total(), 3);
    let last = plan.sampler(0, 64).expect("it is planned");
    assert_eq!(last.source, SamplerSource::IndexBuffer { first: 64 });
}

#[test]
fn a_root_signature_that_is_full_says_how_full() {
    let limits = PlanLimits { reserved_dwords: 63, ..PlanLimits::default() };
    let PlanError::None { candidates } = plan(&groups(1, 3), &limits, None).expect_err("64 are taken") else {
        panic!("another error");
    };
    let needed: Vec<_> = candidates
        .iter()
        .map(|candidate| match candidate.unfit {
            Some(Unfit::RootDwords { needed, allowed: 64 }) => Some(needed),
            _ => None,
        })
        .collect();
    // 64 are others: 63 and the views. In the order of Strategy::ALL; what is None fails for another reason.
    assert_eq!(needed, [Some(67), None, Some(66), None, Some(67), None]);
    let text = plan(&groups(1, 3), &limits, None).expect_err("as before").to_string();
    assert!(text.contains("index-buffers: it takes 66 dwords of the root signature; allowed: 64"), "{text}");
    assert!(text.contains("direct-constants: the shader model is 5.1; allowed: 6.6 and later"), "{text}");
    // As wide as numbers get.
    let wide = BindGroupLayout { other_dwords: u32::MAX, ..group(0, &[SamplerBinding::fixed(0)]) };
    assert_eq!(total(&[wide], &PlanLimits::default(), Strategy::TablePerSampler), (1 << 32) - 1 + 1);
}

#[test]
fn tiers_bound_what_is_seen() {
    let tier1 = PlanLimits { binding_tier: ResourceBindingTier::Tier1, ..PlanLimits::default() };
    assert_eq!(plan(&groups(2, 8), &tier1, None).map(|plan| plan.strategy), Ok(Strategy::TablePerSampler));
    let unfit: Vec<_> = candidates(&groups(1, 17), &tier1).iter().map(|candidate| candidate.unfit).collect();
    let stage = Some(Unfit::StageSamplers { given: 17, allowed: 16 });
    let tier2 = Some(Unfit::BindingTier { given: 1, needed: 2 });
    let model = Some(Unfit::ShaderModel { given: ShaderModel::V5_1, needed: ShaderModel::V6_6 });
    assert_eq!(unfit, [stage, stage, tier2, model, tier2, model]);
    let tier2 = PlanLimits { binding_tier: ResourceBindingTier::Tier2, ..with_sm66() };
    let refused = plan(&groups(1, 1), &tier2, Some(Strategy::DirectConstants));
    let reason = Unfit::BindingTier { given: 2, needed: 3 };
    assert_eq!(refused, Err(PlanError::Strategy { strategy: Strategy::DirectConstants, reason }));
}

/// The example of spec/4-sampler-heap.txt: indices 0 and 1 of group 0's buffer, 0 to 2 of group 1's.
#[test]
fn index_buffers_hold_what_the_text_shows() {
    let layouts = [
        group(1, &[2, 0, 1].map(SamplerBinding::fixed)),
        group(0, &[SamplerBinding::fixed(0), SamplerBinding::fixed(2).comparison()]),
    ];
    let plan = plan(&layouts, &PlanLimits::default(), Some(Strategy::IndexBuffers)).expect("it fits");
    let found = |group, binding| plan.sampler(group, binding).map(|sampler| (sampler.kind, sampler.source));
    let at = |first| SamplerSource::IndexBuffer { first };
    assert_eq!(found(0, 0), Some((SamplerKind::Standard, at(0))));
    assert_eq!(found(0, 1), None, "a texture");
    assert_eq!(found(0, 2), Some((SamplerKind::Comparison, at(1))));
    for (binding, first) in [(0, 0), (1, 1), (2, 2)] {
        assert_eq!(found(1, binding), Some((SamplerKind::Standard, at(first))));
    }
    let counts: Vec<_> =
        plan.groups.iter().map(|group| group.index_buffer.map(|buffer| buffer.index_count)).collect();
    assert_eq!(counts, [Some(2), Some(3)]);
    let in_space = |register, space| Register { register, space };
    let range = |space| SamplerRange { register: in_space(0, space), descriptors: 2032, offset: 0 };
    assert_eq!(
        plan.root_parameters,
        [
            RootParameter::SamplerTable { ranges: vec![range(0), range(1)] },
            RootParameter::ViewTable { group: 0, register: in_space(0, 0) },
            RootParameter::ViewTable { group: 1, register: in_space(1, 0) },
        ]
    );
}

#[test]
fn spaces_that_are_taken_are_left_alone() {
    let limits = PlanLimits { spaces_taken: [0, 1, 3].into(), ..PlanLimits::default() };
    let plan = plan(&groups(1, 3), &limits, Some(Strategy::IndexBuffers)).expect("it fits");
    let heap = plan.heap.expect("the heap is declared");
    assert_eq!((heap.standard.space, heap.comparison.space), (2, 4));
}

#[test]
fn constants_and_arrays_go_side_by_side() {
    let layouts = [
        group(0, &[SamplerBinding::fixed(0), SamplerBinding::array(1, 4), SamplerBinding::fixed(2)]),
        group(3, &[SamplerBinding::fixed(7)]),
    ];
    let plan = plan(&layouts, &with_sm66(), Some(Strategy::DirectConstants)).expect("it fits");
    assert!(plan.heap.is_none());
    let constants = plan.constants.expect("three are packed");
    // 3 * 12 = 36 bits.
    assert_eq!((constants.dwords, constants.index_bits), (2, 12));
    let source = |group, binding| plan.sampler(group, binding).map(|sampler| sampler.source);
    assert_eq!(source(0, 0), Some(SamplerSource::Constants { first: 0 }));
    assert_eq!(source(0, 1), Some(SamplerSource::IndexBuffer { first: 0 }));
    assert_eq!(source(0, 2), Some(SamplerSource::Constants { first: 1 }));
    assert_eq!(source(3, 7), Some(SamplerSource::Constants { first: 2 }));
    // Two constants and one buffer.
    assert_eq!(plan.cost.total(), 3);
}

#[test]
fn tables_of_groups_have_a_range_for_each_binding() {
    let limits = PlanLimits { deduplicate: false, ..PlanLimits::default() };
    let layouts = [
        group(0, &[SamplerBinding::array(0, 3), SamplerBinding::fixed(5).comparison()]),
        group(1, &[]),
        group(2, &[SamplerBinding::fixed(0)]),
    ];
    let plan = plan(&layouts, &limits, Some(Strategy::TablePerGroup)).expect("it fits");
    let range = |register, descriptors, offset| SamplerRange {
        register: Register { register, space: 0 },
        descriptors,
        offset,
    };
    assert_eq!(
        plan.root_parameters,
        [
            RootParameter::SamplerTable { ranges: vec![range(0, 3, 0), range(3, 1, 3)] },
            RootParameter::SamplerTable { ranges: vec![range(4, 1, 0)] },
        ]
    );
    let place = plan.sampler(2, 0).map(|sampler| sampler.source);
    let register = Register { register: 4, space: 0 };
    assert_eq!(place, Some(SamplerSource::Register { register, root_parameter: 1 }));
}

#[test]
fn layouts_that_contradict_themselves_are_refused() {
    let refused = |layouts: &[BindGroupLayout]| match plan(layouts, &PlanLimits::default(), None) {
        Err(PlanError::Layout(error)) => error,
        other => panic!("{other:?}"),
    };
    let one = [SamplerBinding::fixed(0)];
    assert_eq!(refused(&[group(2, &one), group(2, &one)]), LayoutError::GroupTwice { group: 2 });
    assert_eq!(
        refused(&[group(1, &[SamplerBinding::fixed(4), SamplerBinding::array(4, 2)])]),
        LayoutError::BindingTwice { group: 1, binding: 4 }
    );
    assert_eq!(
        refused(&[group(0, &[SamplerBinding::array(3, 0)])]),
        LayoutError::NoSamplers { group: 0, binding: 3 }
    );
    let wide = [SamplerBinding::array(0, u32::MAX), SamplerBinding::array(1, u32::MAX)];
    assert_eq!(refused(&[group(0, &wide)]), LayoutError::TooMany { group: 0, allowed: 2032 });
    assert_eq!(
        refused(&[group(0, &[SamplerBinding::array(0, 2033)])]),
        LayoutError::TooMany { group: 0, allowed: 2032 }
    );
}

/// Without samplers nothing is bound, whatever the device.
#[test]
fn no_samplers_cost_nothing() {
    for tier in [ResourceBindingTier::Tier1, ResourceBindingTier::Tier3] {
        let limits = PlanLimits { binding_tier: tier, ..PlanLimits::default() };
        for candidate in candidates(&[group(0, &[])], &limits) {
            assert_eq!(candidate.cost.total(), 0, "{}", candidate.strategy);
        }
        assert_eq!(plan(&[], &limits, None).map(|plan| plan.root_parameters), Ok(vec![]));
    }
}
