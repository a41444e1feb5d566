// Indices beyond the array stay within it: behind its elements lies another binding's sampler.
//@ run main location1=3 -> 0.0@0.2[2]
//@ run main location1=4294967295 -> 0.0@0.2[2]
//@ run signed location1=2 -> 0.0@0.2[1]
//@ run signed location1=0 -> 0.0@0.2[2]
enable wgpu_binding_array;

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var before: sampler;
@group(0) @binding(2) var samplers: binding_array<sampler, 3>;
@group(0) @binding(3) var behind: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) which: u32) -> @location(0) vec4<f32> {
    return textureSampleLevel(image, samplers[which], uv, 0.0);
}

// -1 is beyond, too.
@fragment
fn signed(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) which: i32) -> @location(0) vec4<f32> {
    return textureSampleLevel(image, samplers[which - 1], uv, 0.0);
}
