//! What is written, held against the specification's example and against hand-made texts.

mod case;
mod example;
mod interpreter;

use std::panic::{AssertUnwindSafe, catch_unwind};

use case::Case;
use example::{group, plan_of};
use heapstone_lowering::naga::ShaderStage;
use heapstone_lowering::{Class, EntryPoint, Lowered, Options, Parameter, Source, lower, lower_pipeline};
use heapstone_samplers::plan::{ShaderModel, Strategy};
use heapstone_samplers::{BindGroupLayout, SamplerBinding};

/// spec/4-sampler-heap.txt, the example of the resolved plan.
const EXAMPLE: &str = include_str!("../corpus/fixed-five-in-two-groups.wgsl");

fn example_layouts() -> [BindGroupLayout; 2] {
    let fixed = SamplerBinding::fixed;
    [group(0, &[fixed(0), fixed(2)]), group(1, &[fixed(0), fixed(1), fixed(2)])]
}

fn lowered(wgsl: &str, layouts: &[BindGroupLayout], strategy: Strategy) -> Lowered {
    let options = Options { shader_model: ShaderModel::V6_6, ..Options::default() };
    lower(Source::Wgsl(wgsl), &plan_of(layouts, strategy), &options)
        .unwrap_or_else(|error| panic!("{strategy}: {error}"))
}

/// The line that declares a name.
fn declaration<'t>(hlsl: &'t str, name: &str) -> &'t str {
    let declares =
        |line: &&str| line.contains(&format!(" {name} = ")) || line.contains(&format!(" {name} : "));
    hlsl.lines().find(declares).unwrap_or_else(|| panic!("{name} is not declared in\n{hlsl}"))
}

/// "textureSample(texture_0, sampler_descriptors[sampler_array_bind_group_0[1]], uv)", and "…_1[2]" for sampler_4.
#[test]
fn the_example_of_the_specification() {
    let hlsl = lowered(EXAMPLE, &example_layouts(), Strategy::IndexBuffers).hlsl;
    for (name, at) in [
        ("sampler_0_", "Group0SamplerIndexArray[0]"),
        ("sampler_1_", "Group0SamplerIndexArray[1]"),
        ("sampler_2_", "Group1SamplerIndexArray[0]"),
        ("sampler_3_", "Group1SamplerIndexArray[1]"),
        ("sampler_4_", "Group1SamplerIndexArray[2]"),
    ] {
        let expected = format!("static const SamplerState {name} = nagaSamplerHeap[naga{at}];");
        assert_eq!(declaration(&hlsl, name), expected);
    }
    assert!(hlsl.contains("texture_0_.Sample(sampler_1_, uv)"), "{hlsl}");
    assert!(hlsl.contains("texture_0_.Sample(sampler_4_, uv)"), "{hlsl}");
    // "Contains 2032 possibly invalid samplers."
    assert!(hlsl.contains("SamplerState nagaSamplerHeap[2032] : register(s0, space"), "{hlsl}");
}

/// "For a maximum bind group count of 8, we use 17 dwords for all the bindings. For max of 4, we use 9."
#[test]
fn eight_groups_take_seventeen_dwords_and_four_take_nine() {
    for (groups, dwords) in [(8, 17), (4, 9)] {
        let layouts: Vec<BindGroupLayout> =
            (0..groups).map(|number| group(number, &[SamplerBinding::fixed(1)])).collect();
        let mut wgsl = String::new();
        for group in 0..groups {
            wgsl.push_str(&format!("@group({group}) @binding(0) var t{group}: texture_2d<f32>;\n"));
            wgsl.push_str(&format!("@group({group}) @binding(1) var s{group}: sampler;\n"));
        }
        wgsl.push_str("@compute @workgroup_size(1) fn main() {}");
        let signature = lowered(&wgsl, &layouts, Strategy::IndexBuffers).root_signature;
        assert_eq!(signature.dwords(), dwords, "{groups} groups: {signature}");
    }
}

/// "12 bits to represent the sampler's index in the heap": the third index lies in two dwords.
#[test]
fn packed_indices_lie_across_dwords() {
    let hlsl = lowered(EXAMPLE, &example_layouts(), Strategy::PackedConstants).hlsl;
    let name = "packedSamplerIndices_";
    for (sampler, index) in [
        ("sampler_0_", format!("({name}_0 & 4095u)")),
        ("sampler_1_", format!("(({name}_0 >> 12u) & 4095u)")),
        ("sampler_2_", format!("((({name}_0 >> 24u) | ({name}_1 << 8u)) & 4095u)")),
        ("sampler_3_", format!("(({name}_1 >> 4u) & 4095u)")),
        ("sampler_4_", format!("(({name}_1 >> 16u) & 4095u)")),
    ] {
        let expected = format!("static const SamplerState {sampler} = nagaSamplerHeap[{index}];");
        assert_eq!(declaration(&hlsl, sampler), expected);
    }
    assert!(hlsl.contains(&format!("{{ uint {name}_0; uint {name}_1; }}")), "{hlsl}");
}

/// "If we use SM6.6 bindless, we can index directly into the sampler heap".
#[test]
fn the_bound_heap_needs_no_declaration() {
    let lowered = lowered(EXAMPLE, &example_layouts(), Strategy::DirectIndexBuffers);
    assert_eq!(
        declaration(&lowered.hlsl, "sampler_4_"),
        "static const SamplerState sampler_4_ = SamplerDescriptorHeap[nagaGroup1SamplerIndexArray[2]];"
    );
    assert!(!lowered.hlsl.contains("nagaSamplerHeap"), "{}", lowered.hlsl);
    let signature = lowered.root_signature.to_string();
    assert!(signature.starts_with("RootFlags(SAMPLER_HEAP_DIRECTLY_INDEXED), "), "{signature}");
}

const INDEXED: &str = "enable wgpu_binding_array;
@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var every: binding_array<sampler, 4>;
@fragment fn main(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) at: u32) -> @location(0) vec4<f32> {
    return textureSampleLevel(image, every[at], uv, 0.0) + textureSampleLevel(image, every[3], uv, 0.0);
}";

#[test]
fn indices_are_marked_and_held_below_the_length() {
    let layouts = [group(0, &[SamplerBinding::array(1, 4)])];
    let index = "min(uint(at), 3u)";
    for (strategy, varying, constant) in [
        (
            Strategy::IndexBuffers,
            format!("nagaSamplerHeap[NonUniformResourceIndex(nagaGroup0SamplerIndexArray[every + {index}])]"),
            "nagaSamplerHeap[nagaGroup0SamplerIndexArray[every + 3]]",
        ),
        (Strategy::TablePerGroup, format!("every[NonUniformResourceIndex({index})]"), "every[3]"),
        (
            Strategy::DirectIndexBuffers,
            format!("samplerOfHeap_NonUniform(nagaGroup0SamplerIndexArray[every + {index}])"),
            "samplerOfHeap_(nagaGroup0SamplerIndexArray[every + 3])",
        ),
    ] {
        let hlsl = lowered(INDEXED, &layouts, strategy).hlsl;
        for access in [&varying, constant] {
            assert!(hlsl.contains(&format!("image.SampleLevel({access}, uv, 0.0)")), "{access}\n{hlsl}");
        }
    }
}

/// naga could read the heap only through buffers; the rest is ours, so that nothing of its declarations is left.
#[test]
fn tables_leave_no_heap() {
    let lowered = lowered(INDEXED, &[group(0, &[SamplerBinding::array(1, 4)])], Strategy::TablePerSampler);
    assert!(!lowered.hlsl.contains("naga"), "{}", lowered.hlsl);
    assert!(lowered.hlsl.contains("\nSamplerState every[4] : register(s0, space"), "{}", lowered.hlsl);
}

#[test]
fn shaders_of_a_pipeline_share_registers_and_the_root_signature() {
    let vertex = "@group(1) @binding(4) var<uniform> scale: vec4<f32>;
        @group(1) @binding(2) var<storage, read> offsets: array<vec4<f32>>;
        @vertex fn main() -> @builtin(position) vec4<f32> { return scale + offsets[0]; }";
    let fragment = "@group(1) @binding(3) var image: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        @group(1) @binding(9) var<uniform> tint: vec4<f32>;
        @fragment fn main() -> @location(0) vec4<f32> {
            return textureSampleLevel(image, s, vec2<f32>(0.5), 0.0) * tint;
        }";
    let plan = plan_of(&[group(0, &[SamplerBinding::fixed(1)])], Strategy::IndexBuffers);
    let both = lower_pipeline(&[Source::Wgsl(vertex), Source::Wgsl(fragment)], &plan, &Options::default())
        .expect("they agree");
    let [vertex, fragment] = both.as_slice() else { panic!("two shaders") };
    assert_eq!(vertex.root_signature, fragment.root_signature);
    assert_eq!(vertex.views, fragment.views);
    assert!(vertex.root_signature.input_layout);
    // By class, then by binding: b0 scale, b1 tint, t0 offsets, t1 image.
    let places: Vec<(u32, Class, u32)> =
        vertex.views.iter().map(|view| (view.binding, view.class, view.register.register)).collect();
    assert_eq!(
        places,
        [
            (4, Class::ConstantBuffer, 0),
            (9, Class::ConstantBuffer, 1),
            (2, Class::ShaderResource, 0),
            (3, Class::ShaderResource, 1)
        ]
    );
    let space = vertex.views[0].register.space;
    let declared = |lowered: &Lowered, register: &str| {
        assert!(lowered.hlsl.contains(&format!("{register}, space{space})")), "{register}\n{}", lowered.hlsl);
    };
    declared(vertex, "cbuffer scale : register(b0");
    declared(vertex, "ByteAddressBuffer offsets : register(t0");
    declared(fragment, "Texture2D<float4> image : register(t1");
    declared(fragment, "cbuffer tint : register(b1");
    let Some(Parameter::Views { group: 1, ranges }) = vertex.root_signature.parameters.last() else {
        panic!("{:?}", vertex.root_signature)
    };
    let ranges: Vec<(Class, u32, u32)> =
        ranges.iter().map(|range| (range.class, range.descriptors.get(), range.offset)).collect();
    assert_eq!(ranges, [(Class::ConstantBuffer, 2, 0), (Class::ShaderResource, 2, 2)]);
    let text = vertex.root_signature.to_string();
    let table = format!(
        "DescriptorTable(CBV(b0, space={space}, numDescriptors=2, offset=0), SRV(t0, space={space}, \
         numDescriptors=2, offset=2))"
    );
    assert!(text.starts_with("RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT), "), "{text}");
    assert!(text.ends_with(&table), "{text}");
}

#[test]
fn entry_points_are_told_by_both_names() {
    let wgsl = "@compute @workgroup_size(1) fn SamplerDescriptorHeap() {}
        @vertex fn technique() -> @builtin(position) vec4<f32> { return vec4<f32>(0.0); }";
    let lowered = lowered(wgsl, &[group(0, &[SamplerBinding::fixed(1)])], Strategy::DirectIndexBuffers);
    let entry = |name: &str, hlsl_name: &str, stage| EntryPoint {
        name: name.to_owned(),
        hlsl_name: hlsl_name.to_owned(),
        stage,
    };
    assert_eq!(
        lowered.entry_points,
        [
            entry("SamplerDescriptorHeap", "SamplerDescriptorHeap_", ShaderStage::Compute),
            entry("technique", "technique_", ShaderStage::Vertex)
        ]
    );
    for entry in &lowered.entry_points {
        assert!(lowered.hlsl.contains(&format!(" {}(", entry.hlsl_name)), "{}", lowered.hlsl);
    }
}

/// The proof of the corpus can fail: texts with one wrong index are seen.
#[test]
fn wrong_texts_are_noticed() {
    let case =
        Case::read("indexed", &format!("//@ run main location1=2 -> 0.0@0.1[2] 0.0@0.1[3]\n{INDEXED}"));
    for (strategy, right, wrong) in [
        (Strategy::IndexBuffers, "[every + 3]", "[every + 2]"),
        (Strategy::IndexBuffers, "every = 0u", "every = 1u"),
        (Strategy::IndexBuffers, "min(uint(at), 3u)", "min(uint(at), 1u)"),
        (Strategy::TablePerGroup, "every[3]", "every[0]"),
        (Strategy::TablePerGroup, "register(s0", "register(s1"),
        (Strategy::DirectIndexBuffers, "register(t0", "register(t1"),
    ] {
        let plan = case.plan(strategy);
        let mut lowered = lower(Source::Wgsl(INDEXED), &plan, &case.options(strategy)).expect("it is right");
        case.prove(&plan, &lowered);
        assert!(lowered.hlsl.contains(right), "{right}\n{}", lowered.hlsl);
        lowered.hlsl = lowered.hlsl.replace(right, wrong);
        let seen = catch_unwind(AssertUnwindSafe(|| case.prove(&plan, &lowered)));
        assert!(seen.is_err(), "{strategy}: {wrong} passes for {right}");
    }
}

/// The blocks of docs/lowering.md: each line is in what its strategy, named before it, writes.
#[test]
fn the_documentation_shows_what_is_written() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lowering.md");
    let document = std::fs::read_to_string(path).expect("the documentation is there");
    let parts: Vec<&str> = document.split("```").collect();
    let wgsl = parts[1].strip_prefix("wgsl\n").expect("the first block is the source");
    let layouts = [group(0, &[SamplerBinding::fixed(1), SamplerBinding::array(2, 4)])];
    let mut shown = 0;
    for strategy in Strategy::ALL {
        let name = format!("`{strategy}`");
        let at = parts.iter().position(|part| part.contains(&name)).unwrap_or_else(|| panic!("no {name}"));
        let block = parts[at + 1].strip_prefix("hlsl\n").expect("a block of HLSL follows");
        let hlsl = lowered(wgsl, &layouts, strategy).hlsl;
        for line in block.lines() {
            // The second name of a block is of a variant with the same accesses and other registers.
            let is_variant = strategy == Strategy::DirectConstants && line.contains("linear_ =");
            assert!(is_variant || hlsl.contains(line), "{strategy}: {line}\n{hlsl}");
            shown += 1;
        }
    }
    assert!(shown >= 14, "{shown} lines");
}
