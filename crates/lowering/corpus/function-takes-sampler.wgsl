// A function that is given its sampler.
//@ run main -> 0.0@0.1 0.0@0.2 0.3@0.1
@group(0) @binding(0) var first: texture_2d<f32>;
@group(0) @binding(1) var linear: sampler;
@group(0) @binding(2) var nearest: sampler;
@group(0) @binding(3) var second: texture_2d<f32>;

fn read(image: texture_2d<f32>, by: sampler, uv: vec2<f32>) -> vec4<f32> {
    return textureSample(image, by, uv);
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    return read(first, linear, uv) + read(first, nearest, uv) + read(second, linear, uv);
}
