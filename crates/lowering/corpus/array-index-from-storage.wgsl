// The index comes from a buffer, at a place that another buffer names.
//@ data 0.2: 2 0
//@ data 0.3: 7 6 5 4
//@ run main global_invocation_id=0 -> 0.0@0.1[5]
//@ run main global_invocation_id=1 -> 0.0@0.1[7]
enable wgpu_binding_array;

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var samplers: binding_array<sampler, 8>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read> choices: array<u32>;
@group(0) @binding(4) var<storage, read_write> results: array<vec4<f32>>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    results[id.x] = textureSampleLevel(image, samplers[choices[places[id.x]]], vec2<f32>(0.5), 0.0);
}
