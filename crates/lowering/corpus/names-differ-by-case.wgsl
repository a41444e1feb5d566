// Names that differ in case, in underscores, in digits.
//@ run main -> 0.0@0.1 0.0@0.2 0.0@0.3 0.0@0.4 0.0@0.5
@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var linear1: sampler;
@group(0) @binding(2) var linear1_: sampler;
@group(0) @binding(3) var Linear1: sampler;
@group(0) @binding(4) var LINEAR1: sampler;
@group(0) @binding(5) var linear_1: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var sum = textureSample(image, linear1, uv);
    sum += textureSample(image, linear1_, uv);
    sum += textureSample(image, Linear1, uv);
    sum += textureSample(image, LINEAR1, uv);
    sum += textureSample(image, linear_1, uv);
    return sum;
}
