// Samplers by instance, from a table in a storage buffer of structures.
//@ data 1.0: 0 0 0 2  0 0 0 1
//@ run main instance_index=0 -> 0.0@0.1[2]
//@ run main instance_index=1 -> 0.0@0.1[1]
enable wgpu_binding_array;

struct Instance {
    offset: vec3<f32>,
    filtering: u32,
}

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var samplers: binding_array<sampler, 3>;
@group(1) @binding(0) var<storage, read> instances: array<Instance>;

@vertex
fn main(@builtin(instance_index) instance: u32, @location(0) at: vec3<f32>) -> @builtin(position) vec4<f32> {
    let chosen = samplers_of(instance, at.xy);
    return vec4<f32>(at + instances[instance].offset, chosen.w);
}

fn samplers_of(instance: u32, uv: vec2<f32>) -> vec4<f32> {
    return textureSampleLevel(image, samplers[instances[instance].filtering], uv, 0.0);
}
