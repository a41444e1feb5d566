// A comparison sampler by itself.
//@ run main -> 0.0@0.1
@group(0) @binding(0) var shadow_map: texture_depth_2d;
@group(0) @binding(1) var shadow: sampler_comparison;

@fragment
fn main(@location(0) at: vec3<f32>) -> @location(0) f32 {
    return textureSampleCompare(shadow_map, shadow, at.xy, at.z);
}
