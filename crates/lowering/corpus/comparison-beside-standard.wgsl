// A depth texture through a plain sampler and through a comparison sampler, in one heap.
//@ run main -> 0.0@0.2 0.0@0.1 0.0@0.3 0.0@0.4
@group(0) @binding(0) var depth: texture_depth_2d;
@group(0) @binding(1) var plain: sampler;
@group(0) @binding(2) var less: sampler_comparison;
@group(0) @binding(3) var greater: sampler_comparison;
@group(0) @binding(4) var clamped: sampler;

@fragment
fn main(@location(0) at: vec3<f32>) -> @location(0) vec4<f32> {
    let a = textureSampleCompareLevel(depth, less, at.xy, at.z);
    let b = textureSample(depth, plain, at.xy);
    let c = textureSampleCompare(depth, greater, at.xy, at.z);
    let d = textureSampleLevel(depth, clamped, at.xy, 2i);
    return vec4<f32>(a, b, c, d);
}
