// An array of comparison samplers, by a constant and by an index of a constant buffer.
//@ data 0.3: 2
//@ run main -> 0.0@0.1[1] 0.0@0.1[2] 0.0@0.2
enable wgpu_binding_array;

struct Choice { which: u32 }

@group(0) @binding(0) var depth: texture_depth_2d;
@group(0) @binding(1) var shadows: binding_array<sampler_comparison, 4>;
@group(0) @binding(2) var plain: sampler;
@group(0) @binding(3) var<uniform> choice: Choice;

@fragment
fn main(@location(0) at: vec3<f32>) -> @location(0) vec4<f32> {
    let a = textureSampleCompareLevel(depth, shadows[1], at.xy, at.z);
    let b = textureSampleCompareLevel(depth, shadows[choice.which], at.xy, at.z);
    let c = textureSample(depth, plain, at.xy);
    return vec4<f32>(a, b, c, 1.0);
}
