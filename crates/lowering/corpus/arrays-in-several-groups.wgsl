// Arrays of both kinds in three groups, each indexed by what another binding holds.
//@ data 2.5: 1 0 2 3
//@ run main -> 0.0@0.1[1] 1.3@1.1[0] 0.0@2.1[2] 1.3@1.2[3]
enable wgpu_binding_array;

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var a: binding_array<sampler, 2>;
@group(1) @binding(1) var b: binding_array<sampler_comparison, 3>;
@group(1) @binding(2) var c: binding_array<sampler_comparison, 4>;
@group(1) @binding(3) var depth: texture_depth_2d;
@group(2) @binding(1) var d: binding_array<sampler, 9>;
@group(2) @binding(5) var<uniform> which: vec4<u32>;

@fragment
fn main(@location(0) at: vec3<f32>) -> @location(0) vec4<f32> {
    var sum = textureSample(image, a[which.x], at.xy);
    sum.x += textureSampleCompareLevel(depth, b[which.y], at.xy, at.z);
    sum += textureSample(image, d[which.z], at.xy);
    sum.y += textureSampleCompareLevel(depth, c[which.w], at.xy, at.z);
    return sum;
}
