// Three shaders of one module, with the same and other samplers.
//@ run vertex -> 0.0@0.1
//@ run fragment -> 0.0@0.2 1.0@1.1
//@ run compute global_invocation_id=1 -> 1.0@1.1 0.0@0.1
@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var a: sampler;
@group(0) @binding(2) var b: sampler;
@group(1) @binding(0) var other: texture_2d<f32>;
@group(1) @binding(1) var c: sampler;

@vertex
fn vertex(@location(0) at: vec4<f32>) -> @builtin(position) vec4<f32> {
    return at + textureSampleLevel(image, a, at.xy, 0.0);
}

@fragment
fn fragment(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    return textureSample(image, b, at.xy) + textureSample(other, c, at.xy);
}

@compute @workgroup_size(4)
fn compute(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x > 0u {
        let sum = textureSampleLevel(other, c, vec2<f32>(0.0), 0.0);
        let more = textureSampleLevel(image, a, sum.xy, 0.0);
    }
}
