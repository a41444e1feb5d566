// Two samplers in one group and three in another, of which two are used: spec/4-sampler-heap.txt, the example.
//@ run main -> 0.1@0.2 0.1@1.2
@group(0) @binding(0) var sampler_0: sampler;
@group(0) @binding(1) var texture_0: texture_2d<f32>;
@group(0) @binding(2) var sampler_1: sampler;

@group(1) @binding(0) var sampler_2: sampler;
@group(1) @binding(1) var sampler_3: sampler;
@group(1) @binding(2) var sampler_4: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let a = textureSample(texture_0, sampler_1, uv);
    let b = textureSample(texture_0, sampler_4, uv);
    return a + b;
}
