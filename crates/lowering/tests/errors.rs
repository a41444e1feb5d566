//! What is refused, and what the refusal says.

mod example;

use std::collections::BTreeMap;

use example::{group, plan_of};
use heapstone_lowering::naga::{self, Module};
use heapstone_lowering::{Error, Options, Place, Source, lower, lower_pipeline};
use heapstone_samplers::plan::{Register, RootParameter, SamplerPlan, SamplerSource, ShaderModel, Strategy};
use heapstone_samplers::{BindGroupLayout, SamplerBinding};

const ONE: &str = "@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@fragment fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    return textureSample(image, s, uv);
}";

const ARRAY: &str = "enable wgpu_binding_array;
@group(0) @binding(0) var image: texture_2d<f32>;
  @group(0) @binding(1) var s: binding_array<sampler, 4>;
@fragment fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    return textureSample(image, s[1], uv);
}";

fn fixed() -> SamplerPlan {
    plan_of(&[group(0, &[SamplerBinding::fixed(1)])], Strategy::IndexBuffers)
}

/// Places are those of a declaration's `var`, behind its attributes.
fn refused(wgsl: &str, plan: &SamplerPlan) -> Error {
    lower(Source::Wgsl(wgsl), plan, &Options::default()).expect_err("it is refused")
}

#[test]
fn text_that_is_no_wgsl() {
    let error = refused("@group(0) @binding(1) var s: sampler;\nfn main( {}", &fixed());
    let Error::Syntax { place, .. } = &error else { panic!("{error:?}") };
    assert_eq!(*place, Place { line: 2, column: 10 });
    assert!(error.to_string().starts_with("lowering.syntax at 2:10: expected"), "{error}");
}

#[test]
fn modules_that_break_a_rule() {
    let wgsl = "fn f() -> u32 {\n  if true { return 1u; }\n}";
    let error = refused(wgsl, &fixed());
    assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
    assert!(error.to_string().starts_with("lowering.valid at 1:1: Function [0] 'f' is invalid: "), "{error}");
}

#[test]
fn features_that_are_not_lowered_are_named() {
    let external =
        "@group(0) @binding(0) var video: texture_external;\n@compute @workgroup_size(1) fn main() {}";
    let error = refused(external, &fixed());
    let text = error.to_string();
    assert!(text.starts_with("lowering.valid at ") && text.contains("TEXTURE_EXTERNAL"), "{text}");

    let half = "enable f16;\n@compute @workgroup_size(1) fn main() { var x: f16 = 1.0h; }";
    let error = refused(half, &fixed());
    assert!(error.to_string().contains("FLOAT16"), "shader model 5.1 has no half: {error}");
    let options = Options { shader_model: ShaderModel { major: 6, minor: 2 }, ..Options::default() };
    lower(Source::Wgsl(half), &fixed(), &options).expect("6.2 has");

    let buffers = "enable wgpu_binding_array; struct A { a: vec4<f32> }\n\
                   @group(0) @binding(0) var<uniform> all: binding_array<A, 4>;\n\
                   @compute @workgroup_size(1) fn main() {}";
    let text = refused(buffers, &fixed()).to_string();
    assert!(text.starts_with("lowering.valid at 2:23: ") && text.contains("BUFFER_BINDING_ARRAY"), "{text}");
}

#[test]
fn arrays_without_a_length_need_one() {
    let wgsl = "enable wgpu_binding_array;\n@group(0) @binding(4) var images: binding_array<texture_2d<f32>>;\n\
                @compute @workgroup_size(1) fn main() {}";
    assert_eq!(
        refused(wgsl, &fixed()).to_string(),
        "lowering.feature at 2:23: images uses a binding array without a length; allowed: a length in the shader, \
         or one for the binding in options.array_lengths"
    );
}

#[test]
fn samplers_that_are_not_planned() {
    let plan = plan_of(&[group(0, &[SamplerBinding::fixed(2)])], Strategy::IndexBuffers);
    assert_eq!(
        refused(ONE, &plan).to_string(),
        "lowering.planned at 2:23: sampler s is @group(0) @binding(1), which the plan has not; allowed: bindings \
         of the plan's layouts"
    );
}

#[test]
fn samplers_of_another_kind_or_count() {
    let plan = |sampler| plan_of(&[group(0, &[sampler])], Strategy::IndexBuffers);
    let cases = [
        (
            ONE,
            SamplerBinding::fixed(1).comparison(),
            "lowering.kind at 2:23: kind of s, @group(0) @binding(1), is sampler; allowed: sampler_comparison, as planned",
        ),
        (
            ONE,
            SamplerBinding::array(1, 3),
            "lowering.count at 2:23: count of s, @group(0) @binding(1), is a fixed sampler; allowed: an array of 3, as planned",
        ),
        (
            ARRAY,
            SamplerBinding::fixed(1),
            "lowering.count at 3:25: count of s, @group(0) @binding(1), is an array; allowed: a fixed sampler, as planned",
        ),
        (
            ARRAY,
            SamplerBinding::array(1, 3),
            "lowering.count at 3:25: count of s, @group(0) @binding(1), is 4; allowed: 1 to 3, as planned",
        ),
    ];
    for (wgsl, sampler, message) in cases {
        assert_eq!(refused(wgsl, &plan(sampler)).to_string(), message);
    }
}

#[test]
fn modules_have_no_lines() {
    let module: Module = naga::front::wgsl::parse_str(ONE).expect("it is WGSL");
    let plan = plan_of(&[group(3, &[SamplerBinding::fixed(2)])], Strategy::IndexBuffers);
    let error = lower(Source::Module(&module), &plan, &Options::default()).expect_err("not planned");
    assert!(error.to_string().starts_with("lowering.planned at module: sampler s is @group(0)"), "{error}");
    let from_module = lower(Source::Module(&module), &fixed(), &Options::default());
    assert_eq!(from_module, lower(Source::Wgsl(ONE), &fixed(), &Options::default()), "text and module agree");
}

#[test]
fn overrides_need_values() {
    let wgsl = "override count: u32;\n@compute @workgroup_size(1) fn main() { let x = count; }";
    let text = refused(wgsl, &fixed()).to_string();
    assert!(text.starts_with("lowering.constants: ") && text.contains("'count'"), "{text}");
    let constants = BTreeMap::from([("count".to_owned(), 4.0), ("other".to_owned(), 1.0)]);
    let options = Options { constants, ..Options::default() };
    let text = lower(Source::Wgsl(wgsl), &fixed(), &options).expect_err("no such override").to_string();
    assert!(text.starts_with("lowering.constants: ") && text.contains("'other' not found"), "{text}");
}

#[test]
fn shader_models_have_limits() {
    let plan = plan_of(&[group(0, &[SamplerBinding::fixed(1)])], Strategy::DirectIndexBuffers);
    assert_eq!(
        refused(ONE, &plan).to_string(),
        "lowering.target: options.shader_model is 5.1; allowed: 6.6 and later, for the plan's strategy \
         direct-index-buffers"
    );
    let options = Options { shader_model: ShaderModel { major: 5, minor: 0 }, ..Options::default() };
    let error = lower(Source::Wgsl(ONE), &fixed(), &options).expect_err("5.0 has no register spaces");
    assert_eq!(error.to_string(), "lowering.target: options.shader_model is 5.0; allowed: 5.1, 6.0 to 6.9");
}

#[test]
fn shaders_of_a_pipeline_agree() {
    let vertex = "@group(0) @binding(0) var<uniform> scale: vec4<f32>;\n\
                  @vertex fn main() -> @builtin(position) vec4<f32> { return scale; }";
    let error = lower_pipeline(&[Source::Wgsl(ONE), Source::Wgsl(vertex)], &fixed(), &Options::default())
        .expect_err("a texture here, a buffer there");
    assert_eq!(
        error.to_string(),
        "lowering.pipeline at 1:23: scale is @group(0) @binding(0), a constant buffer of 1 registers; allowed: a \
         shader resource of 1 registers (image), as in another variable of the pipeline"
    );
    let image = "@group(0) @binding(1) var other: texture_2d<f32>;\n@compute @workgroup_size(1) fn main() {}";
    let error = lower_pipeline(&[Source::Wgsl(ONE), Source::Wgsl(image)], &fixed(), &Options::default())
        .expect_err("a sampler here, a texture there");
    assert_eq!(
        error.to_string(),
        "lowering.pipeline at 2:23: s is @group(0) @binding(1), a sampler; allowed: a shader resource of 1 \
         registers (other), as in another variable of the pipeline"
    );
}

#[test]
fn the_root_signature_has_64_dwords() {
    // 62 groups of samplers by index buffers: 1 + 62. One table of views fits beside them, two do not.
    let layouts: Vec<BindGroupLayout> = (0..62)
        .map(|number| BindGroupLayout { other_dwords: 0, ..group(number, &[SamplerBinding::fixed(9)]) })
        .collect();
    let plan = plan_of(&layouts, Strategy::IndexBuffers);
    let wgsl = |groups: &str| {
        let (first, second) = groups.split_once(',').expect("two groups");
        format!(
            "@group({first}) @binding(0) var a: texture_2d<f32>;\n\
             @group({second}) @binding(1) var b: texture_2d<f32>;\n\
             @compute @workgroup_size(1) fn main() {{}}"
        )
    };
    let lowered = lower(Source::Wgsl(&wgsl("3,3")), &plan, &Options::default()).expect("64 dwords");
    assert_eq!(lowered.root_signature.dwords(), 64);
    assert_eq!(
        refused(&wgsl("3,4"), &plan).to_string(),
        "lowering.limit: dwords of the root signature is 65; allowed: 64"
    );
}

#[test]
fn groups_share_255_spaces() {
    // One group more than there are spaces beside those of the plan.
    let mut wgsl = String::new();
    for group in 0..255 {
        wgsl.push_str(&format!("@group({group}) @binding(0) var t{group}: texture_2d<f32>;\n"));
    }
    wgsl.push_str("@compute @workgroup_size(1) fn main() {}");
    assert_eq!(
        refused(&wgsl, &fixed()).to_string(),
        "lowering.limit: register spaces of the groups and the plan is 256; allowed: 255"
    );
}

/// Plans that `heapstone-samplers` does not make, as a program that edits one could.
#[test]
fn plans_that_contradict_themselves() {
    let check = |plan: &SamplerPlan, message: &str| assert_eq!(refused(ONE, plan).to_string(), message);

    let mut plan = fixed();
    plan.heap = None;
    check(
        &plan,
        "lowering.plan: source of @group(0) @binding(1) is an index into the heap; allowed: a register, where \
         plan.heap is none",
    );

    let mut plan = fixed();
    plan.groups[0].samplers[0].source = SamplerSource::IndexBuffer { first: 1 };
    check(
        &plan,
        "lowering.plan: source of @group(0) @binding(1) is element 1 of the group's index buffer; allowed: \
         elements below 1",
    );

    let mut plan = fixed();
    plan.groups[0].samplers[0].source = SamplerSource::Constants { first: 0 };
    check(
        &plan,
        "lowering.plan: source of @group(0) @binding(1) is packed index 0; allowed: another source, where \
         plan.constants is none",
    );

    let mut plan = plan_of(&[group(0, &[SamplerBinding::fixed(1)])], Strategy::PackedConstants);
    plan.constants.as_mut().expect("it packs").index_bits = 33;
    check(
        &plan,
        "lowering.plan: source of @group(0) @binding(1) is packed index 0; allowed: what fits 1 dwords by 33 \
         bits, 1 to 32",
    );

    let mut plan = plan_of(&[group(0, &[SamplerBinding::fixed(1)])], Strategy::PackedConstants);
    plan.constants.as_mut().expect("it packs").dwords = u32::MAX;
    check(&plan, "lowering.plan: constants.dwords is 4294967295; allowed: 1, as in root_parameters");

    let mut plan = fixed();
    let buffer = plan.groups[0].index_buffer.as_mut().expect("it has a buffer");
    buffer.register = Register { register: 7, space: 900 };
    check(
        &plan,
        "lowering.plan: root_parameters is none that has t7, space900 (a group's indices); allowed: one for each \
         register that the plan declares",
    );

    let mut plan = fixed();
    let register = plan.groups[0].index_buffer.expect("it has a buffer").register;
    plan.root_parameters.push(RootParameter::RootView { group: 0, register });
    let (number, space) = (register.register, register.space);
    let range = format!("t{number}, space{space} (indices of group 0)");
    check(
        &plan,
        &format!(
            "lowering.registers: {range} overlaps {range}; allowed: registers that no other binding takes"
        ),
    );
}

#[test]
fn arrays_that_pass_the_plan_s_end() {
    let mut plan = plan_of(&[group(0, &[SamplerBinding::array(1, 4)])], Strategy::IndexBuffers);
    plan.groups[0].samplers[0].source = SamplerSource::IndexBuffer { first: u32::MAX - 1 };
    assert_eq!(
        refused(ARRAY, &plan).to_string(),
        "lowering.plan: source of @group(0) @binding(1) is 4 elements from 4294967294; allowed: at least 1, in 32 \
         bits"
    );
}

#[test]
fn a_lowering_of_no_shaders_is_empty() {
    assert_eq!(lower_pipeline(&[], &fixed(), &Options::default()), Ok(Vec::new()));
}
