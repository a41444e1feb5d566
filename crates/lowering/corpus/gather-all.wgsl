// Each component gathered, and a comparison gathered.
//@ run main -> 0.0@0.2 0.0@0.3 0.0@0.2 0.0@0.3 0.1@0.4 0.1@0.2
@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var depth: texture_depth_2d;
@group(0) @binding(2) var a: sampler;
@group(0) @binding(3) var b: sampler;
@group(0) @binding(4) var compare: sampler_comparison;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var sum = textureGather(0, image, a, uv);
    sum += textureGather(1, image, b, uv);
    sum += textureGather(2, image, a, uv, vec2<i32>(1, -1));
    sum += textureGather(3, image, b, uv);
    sum += textureGatherCompare(depth, compare, uv, 0.5);
    sum += textureGather(depth, a, uv);
    return sum;
}
