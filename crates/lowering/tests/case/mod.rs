//! Shaders with what they must do, and the data that they run over.
//!
//! A shader of the corpus begins with lines that say so:
//! ```text
//! //@ length <group>.<binding>: <count>         an array without a length gets one
//! //@ also <group>.<binding>[ comparison][ <count>]   a sampler of the layout that the shader does not use
//! //@ constant <name>: <value>                  an override's value
//! //@ data <group>.<binding>: <dword>...        a buffer's contents; `immediate` is the immediate block
//! //@ run <entry point>[ <input>=<value>...] -> <texture>@<sampler>...
//! ```
//! A run's line names, in order, each texture that the shader accesses through a sampler, with the sampler: both
//! as `<group>.<binding>`, with `[<element>]` of arrays. What is behind the arrow was worked out from the WGSL.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use heapstone_lowering::naga::{self, ArraySize, TypeInner};
use heapstone_lowering::{Class, Lowered, Options, Parameter};
use heapstone_samplers::plan::{
    IndexBufferBinding, PlanLimits, Register, RootParameter, SamplerPlan, SamplerSource, ShaderModel,
    Strategy, plan,
};
use heapstone_samplers::{BindGroupLayout, SamplerBinding, SamplerKind};

use super::interpreter::syntax::{File, Global, Place};
use super::interpreter::{Bound, Machine, parse};

/// A run and what it must do.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) entry: String,
    /// By HLSL semantic.
    pub(crate) inputs: BTreeMap<String, u32>,
    /// `<texture>@<sampler>`.
    pub(crate) expected: Vec<String>,
}

/// A shader with what is bound.
#[derive(Clone, Debug, Default)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) wgsl: String,
    pub(crate) layouts: Vec<BindGroupLayout>,
    pub(crate) options: Options,
    /// Dwords by group and binding.
    pub(crate) data: BTreeMap<(u32, u32), Vec<u32>>,
    pub(crate) immediates: Vec<u32>,
    pub(crate) runs: Vec<Run>,
    /// Bindings that are textures.
    textures: BTreeSet<(u32, u32)>,
    /// Those of them that are arrays.
    texture_arrays: BTreeSet<(u32, u32)>,
}

impl Case {
    /// From a text of the corpus.
    pub(crate) fn read(name: &str, wgsl: &str) -> Case {
        let mut case = Case { name: name.to_owned(), wgsl: wgsl.to_owned(), ..Case::default() };
        let mut samplers: BTreeMap<(u32, u32), SamplerBinding> = BTreeMap::new();
        let mut lengths = BTreeMap::new();
        for line in wgsl.lines() {
            let Some((word, rest)) = line.strip_prefix("//@ ").and_then(|line| line.split_once(' ')) else {
                continue;
            };
            let (left, right) = rest.split_once(':').unwrap_or((rest, ""));
            match word {
                "length" => {
                    lengths.insert(binding(left), right.trim().parse::<NonZeroU32>().expect("a length"));
                }
                "also" => {
                    let mut words = rest.split(' ');
                    let at = binding(words.next().expect("a binding"));
                    let mut sampler = SamplerBinding::fixed(at.1);
                    for word in words {
                        match word {
                            "comparison" => sampler.kind = SamplerKind::Comparison,
                            count => sampler.count = Some(count.parse().expect("a count")),
                        }
                    }
                    samplers.insert(at, sampler);
                }
                "constant" => {
                    let value = right.trim().parse().expect("a value");
                    case.options.constants.insert(left.to_owned(), value);
                }
                "data" if left == "immediate" => case.immediates = dwords(right),
                "data" => {
                    case.data.insert(binding(left), dwords(right));
                }
                "run" => case.runs.push(run(rest)),
                other => panic!("{name}: what is {other}?"),
            }
        }
        case.read_bindings(&mut samplers, &lengths);
        let groups: BTreeSet<u32> = samplers.keys().map(|(group, _)| *group).collect();
        case.layouts = groups
            .into_iter()
            .map(|group| BindGroupLayout {
                group,
                samplers: samplers.range((group, 0)..=(group, u32::MAX)).map(|(_, s)| *s).collect(),
                other_dwords: 1,
            })
            .collect();
        case
    }

    /// What the shader declares.
    fn read_bindings(
        &mut self,
        samplers: &mut BTreeMap<(u32, u32), SamplerBinding>,
        lengths: &BTreeMap<(u32, u32), NonZeroU32>,
    ) {
        let module = naga::front::wgsl::parse_str(&self.wgsl)
            .unwrap_or_else(|error| panic!("{}: {}", self.name, error.emit_to_string(&self.wgsl)));
        for (_, variable) in module.global_variables.iter() {
            let Some(at) = variable.binding.as_ref().map(|at| (at.group, at.binding)) else { continue };
            let (inner, count) = match &module.types[variable.ty].inner {
                TypeInner::BindingArray { base, size } => {
                    let count = match size {
                        ArraySize::Constant(count) => count.get(),
                        _ => lengths[&at].get(),
                    };
                    (&module.types[*base].inner, Some(count))
                }
                inner => (inner, None),
            };
            match inner {
                TypeInner::Sampler { comparison } => {
                    let kind = if *comparison { SamplerKind::Comparison } else { SamplerKind::Standard };
                    // The longest of those that share the binding.
                    let count = count.max(samplers.get(&at).and_then(|known| known.count));
                    samplers.insert(at, SamplerBinding { binding: at.1, kind, count });
                }
                TypeInner::Image { .. } => {
                    self.textures.insert(at);
                    if let Some(count) = count {
                        self.texture_arrays.insert(at);
                        self.options.array_lengths.insert(at, NonZeroU32::new(count).expect("a length"));
                    }
                }
                _ => {}
            }
        }
    }

    /// The plan of a strategy, for a device on which each works.
    pub(crate) fn plan(&self, strategy: Strategy) -> SamplerPlan {
        self.plan_where(strategy, IndexBufferBinding::Table)
    }

    pub(crate) fn plan_where(&self, strategy: Strategy, index_buffers: IndexBufferBinding) -> SamplerPlan {
        let limits = PlanLimits {
            binding_tier: heapstone_spec::caps::ResourceBindingTier::Tier3,
            shader_model: ShaderModel::V6_6,
            deduplicate: false,
            index_buffers,
            ..PlanLimits::default()
        };
        plan(&self.layouts, &limits, Some(strategy))
            .unwrap_or_else(|error| panic!("{}, {strategy}: {error}", self.name))
    }

    pub(crate) fn options(&self, strategy: Strategy) -> Options {
        let shader_model = if strategy.is_direct() { ShaderModel::V6_6 } else { ShaderModel::V5_1 };
        Options { shader_model, ..self.options.clone() }
    }

    /// Runs what was lowered, compares each access of a texture with what the bind groups named, and answers how
    /// many of the text's accesses the runs met, and of how many.
    pub(crate) fn prove(&self, plan: &SamplerPlan, lowered: &Lowered) -> (usize, usize) {
        let file = parse(&lowered.hlsl);
        let name = format!("{}, {}", self.name, plan.strategy);
        self.registers_are_in_the_root_signature(&name, &file, lowered);
        let data = Data::new(self, plan, lowered);
        let mut machine = Machine::new(&file, data.bound.clone(), HEAP_SLOTS);
        for run in &self.runs {
            let entry = lowered.entry_points.iter().find(|entry| entry.name == run.entry);
            let entry = entry.unwrap_or_else(|| panic!("{name}: no entry point {}", run.entry));
            machine.sampled.clear();
            machine.run(&entry.hlsl_name, &run.inputs);
            let reached: Vec<String> = machine
                .sampled
                .iter()
                .map(|sampled| format!("{}@{}", data.texture(sampled.texture), data.sampler(sampled.slot)))
                .collect();
            assert_eq!(
                reached, run.expected,
                "{name}: {} with {:?}\n{}",
                run.entry, run.inputs, lowered.hlsl
            );
        }
        (machine.sites.len(), file.sample_sites)
    }

    /// Each register that the text declares is in one range of the root signature, for one purpose.
    fn registers_are_in_the_root_signature(&self, name: &str, file: &File, lowered: &Lowered) {
        let ranges = ranges(lowered);
        let dwords: u64 = lowered.root_signature.parameters.iter().map(|p| u64::from(p.dwords())).sum();
        assert!(dwords == lowered.root_signature.dwords() && dwords <= 64, "{name}: {dwords} dwords");
        // Variables of one binding, for several entry points, share a register.
        let shares = self.shared_bindings();
        let mut taken = BTreeSet::new();
        for global in &file.globals {
            let (place, count) = match global {
                Global::Bound { ty, place, .. } => (*place, ty.lengths.iter().product::<usize>().max(1)),
                Global::Constants { place, .. } => (*place, 1),
                Global::Static { .. } => continue,
            };
            for at in 0..u32::try_from(count).expect("a short array") {
                let place = Place { register: place.register + at, ..place };
                let holding = ranges.iter().filter(|(first, count)| {
                    (first.class, first.space) == (place.class, place.space)
                        && (first.register..first.register + count).contains(&place.register)
                });
                assert_eq!(holding.count(), 1, "{name}: {place:?} in the root signature's ranges");
                assert!(taken.insert(place) || shares, "{name}: {place:?} is declared twice");
            }
        }
    }

    fn shared_bindings(&self) -> bool {
        let module = naga::front::wgsl::parse_str(&self.wgsl).expect("it was read before");
        let mut seen = BTreeSet::new();
        !module.global_variables.iter().filter_map(|(_, v)| v.binding.as_ref()).all(|b| seen.insert(*b))
    }
}

const HEAP_SLOTS: usize = 2048;

/// First registers and lengths of a root signature's ranges.
fn ranges(lowered: &Lowered) -> Vec<(Place, u32)> {
    let place = |class, Register { register, space }| Place { class, register, space };
    let mut ranges = Vec::new();
    for parameter in &lowered.root_signature.parameters {
        match parameter {
            Parameter::Samplers(RootParameter::SamplerTable { ranges: table }) => {
                ranges.extend(table.iter().map(|range| (place('s', range.register), range.descriptors)));
            }
            Parameter::Samplers(
                RootParameter::ViewTable { register, .. } | RootParameter::RootView { register, .. },
            ) => ranges.push((place('t', *register), 1)),
            Parameter::Samplers(RootParameter::Constants { register, .. })
            | Parameter::Immediates { register, .. } => ranges.push((place('b', *register), 1)),
            Parameter::Views { ranges: table, .. } => ranges.extend(
                table
                    .iter()
                    .map(|range| (place(range.class.letter(), range.register), range.descriptors.get())),
            ),
        }
    }
    ranges
}

/// What is bound, filled as a program would that has a plan: samplers somewhere in the heap, and their slots
/// where the plan wants them.
struct Data {
    bound: BTreeMap<Place, Bound>,
    slots: BTreeMap<usize, String>,
    textures: BTreeMap<Place, String>,
}

impl Data {
    fn new(case: &Case, plan: &SamplerPlan, lowered: &Lowered) -> Data {
        let mut data = Data { bound: BTreeMap::new(), slots: BTreeMap::new(), textures: BTreeMap::new() };
        data.bind_samplers(case, plan);
        for view in &lowered.views {
            let at = (view.group, view.binding);
            for element in 0..view.registers.get() {
                let register = view.register.register + element;
                let place = Place { class: view.class.letter(), register, space: view.register.space };
                let bound = if case.textures.contains(&at) {
                    let is_array = case.texture_arrays.contains(&at);
                    data.textures.insert(place, named(at, is_array.then_some(element)));
                    Bound::Texture
                } else {
                    assert!(view.class != Class::Sampler, "samplers are no views");
                    Bound::Dwords(case.data.get(&at).cloned().unwrap_or_default())
                };
                data.bound.insert(place, bound);
            }
        }
        for parameter in &lowered.root_signature.parameters {
            if let Parameter::Immediates { register, .. } = parameter {
                let place = Place { class: 'b', register: register.register, space: register.space };
                data.bound.insert(place, Bound::Dwords(case.immediates.clone()));
            }
        }
        data
    }

    fn bind_samplers(&mut self, case: &Case, plan: &SamplerPlan) {
        let mut constants = vec![0; plan.constants.map_or(0, |constants| constants.dwords as usize)];
        let place =
            |class, register: Register| Place { class, register: register.register, space: register.space };
        for layout in &case.layouts {
            let planned = plan.group(layout.group).expect("the plan has each group");
            let mut indices = vec![0; planned.index_buffer.map_or(0, |buffer| buffer.index_count as usize)];
            for sampler in &layout.samplers {
                let source = plan.sampler(layout.group, sampler.binding).expect("and each sampler").source;
                for element in 0..sampler.sampler_count() {
                    let slot = self.new_slot();
                    let name = named((layout.group, sampler.binding), sampler.count.map(|_| element));
                    self.slots.insert(slot, name);
                    let index = u32::try_from(slot).expect("a heap is small");
                    match source {
                        SamplerSource::IndexBuffer { first } => indices[(first + element) as usize] = index,
                        SamplerSource::Constants { first } => {
                            let bits = plan.constants.expect("there are constants").index_bits;
                            set_bits(&mut constants, (first + element) * bits, bits, index);
                        }
                        SamplerSource::Register { register, .. } => {
                            let here = self.bound.entry(place('s', register));
                            match here.or_insert(Bound::Samplers(Vec::new())) {
                                Bound::Samplers(slots) => slots.push(slot),
                                other => panic!("{register:?} holds {other:?}"),
                            }
                        }
                    }
                }
            }
            if let Some(buffer) = planned.index_buffer {
                self.bound.insert(place('t', buffer.register), Bound::Dwords(indices));
            }
        }
        if let Some(binding) = plan.constants {
            self.bound.insert(place('b', binding.register), Bound::Dwords(constants));
        }
        if let Some(heap) = plan.heap {
            for register in [heap.standard, heap.comparison] {
                self.bound.insert(place('s', register), Bound::Samplers((0..HEAP_SLOTS).collect()));
            }
        }
    }

    /// A slot that no sampler has, far from that of the last.
    fn new_slot(&self) -> usize {
        // 1201 has no factor in common with 2032, so that each slot comes once.
        (self.slots.len() + 1) * 1201 % 2032
    }

    fn texture(&self, place: Place) -> &str {
        self.textures.get(&place).map_or("an unbound texture", String::as_str)
    }

    fn sampler(&self, slot: usize) -> &str {
        self.slots.get(&slot).map_or("an unbound sampler", String::as_str)
    }
}

/// Writes a number's bits one by one.
fn set_bits(dwords: &mut [u32], first: u32, count: u32, number: u32) {
    for bit in 0..count {
        let at = first + bit;
        dwords[(at / 32) as usize] |= (number >> bit & 1) << (at % 32);
    }
}

fn named(at: (u32, u32), element: Option<u32>) -> String {
    let element = element.map_or(String::new(), |element| format!("[{element}]"));
    format!("{}.{}{element}", at.0, at.1)
}

fn binding(text: &str) -> (u32, u32) {
    let (group, binding) = text.trim().split_once('.').expect("<group>.<binding>");
    (group.parse().expect("a group"), binding.parse().expect("a binding"))
}

fn dwords(text: &str) -> Vec<u32> {
    let dword = |word: &str| match word.contains('.') {
        true => word.parse::<f32>().expect("a float").to_bits(),
        false => word.parse().expect("a dword"),
    };
    text.split_whitespace().map(dword).collect()
}

fn run(text: &str) -> Run {
    let (call, expected) = text.split_once("->").expect("an arrow");
    let mut words = call.split_whitespace();
    let entry = words.next().expect("an entry point").to_owned();
    let inputs = words
        .map(|word| {
            let (input, value) = word.split_once('=').expect("<input>=<value>");
            let semantic = match input {
                "vertex_index" => "SV_VertexID".to_owned(),
                "instance_index" => "SV_InstanceID".to_owned(),
                "global_invocation_id" => "SV_DispatchThreadID".to_owned(),
                "local_invocation_index" => "SV_GroupIndex".to_owned(),
                "front_facing" => "SV_IsFrontFace".to_owned(),
                location => location.replace("location", "LOC"),
            };
            (semantic, value.parse().expect("a value"))
        })
        .collect();
    Run { entry, inputs, expected: expected.split_whitespace().map(str::to_owned).collect() }
}
