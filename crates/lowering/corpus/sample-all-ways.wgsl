// Every way to choose a level, with and without an offset.
//@ run main -> 0.0@0.1 0.0@0.2 0.0@0.3 0.0@0.1 0.0@0.2 0.0@0.3 0.0@0.1
@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var a: sampler;
@group(0) @binding(2) var b: sampler;
@group(0) @binding(3) var c: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var sum = textureSample(image, a, uv);
    sum += textureSampleBias(image, b, uv, 1.5);
    sum += textureSampleGrad(image, c, uv, vec2<f32>(0.1, 0.0), vec2<f32>(0.0, 0.1));
    sum += textureSampleLevel(image, a, uv, 2.5);
    sum += textureSample(image, b, uv, vec2<i32>(-8, 7));
    sum += textureSampleLevel(image, c, uv, 0.0, vec2<i32>(1, 1));
    sum += textureSampleBias(image, a, uv, -1.0, vec2<i32>(0, 3));
    return sum;
}
