// Eight bind groups, each with a sampler: spec/4-sampler-heap.txt, 17 dwords by index buffers.
//@ run main -> 0.0@0.1 1.0@1.1 2.0@2.1 3.0@3.1 4.0@4.1 5.0@5.1 6.0@6.1 7.0@7.1
@group(0) @binding(0) var t0: texture_2d<f32>;
@group(0) @binding(1) var s0: sampler;
@group(1) @binding(0) var t1: texture_2d<f32>;
@group(1) @binding(1) var s1: sampler;
@group(2) @binding(0) var t2: texture_2d<f32>;
@group(2) @binding(1) var s2: sampler;
@group(3) @binding(0) var t3: texture_2d<f32>;
@group(3) @binding(1) var s3: sampler;
@group(4) @binding(0) var t4: texture_2d<f32>;
@group(4) @binding(1) var s4: sampler;
@group(5) @binding(0) var t5: texture_2d<f32>;
@group(5) @binding(1) var s5: sampler;
@group(6) @binding(0) var t6: texture_2d<f32>;
@group(6) @binding(1) var s6: sampler;
@group(7) @binding(0) var t7: texture_2d<f32>;
@group(7) @binding(1) var s7: sampler;

@compute @workgroup_size(1)
fn main() {
    let uv = vec2<f32>(0.5);
    var sum = textureSampleLevel(t0, s0, uv, 0.0);
    sum += textureSampleLevel(t1, s1, uv, 0.0);
    sum += textureSampleLevel(t2, s2, uv, 0.0);
    sum += textureSampleLevel(t3, s3, uv, 0.0);
    sum += textureSampleLevel(t4, s4, uv, 0.0);
    sum += textureSampleLevel(t5, s5, uv, 0.0);
    sum += textureSampleLevel(t6, s6, uv, 0.0);
    sum += textureSampleLevel(t7, s7, uv, 0.0);
}
