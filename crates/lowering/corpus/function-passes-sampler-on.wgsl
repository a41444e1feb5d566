// Samplers go through several functions, in changing order.
//@ run main -> 0.0@1.1 0.0@1.0 0.0@1.0 0.0@1.1
@group(0) @binding(0) var image: texture_2d<f32>;
@group(1) @binding(0) var a: sampler;
@group(1) @binding(1) var b: sampler;

fn pair(first: sampler, second: sampler, uv: vec2<f32>) -> vec4<f32> {
    return textureSample(image, first, uv) - textureSample(image, second, uv);
}

fn swapped(first: sampler, second: sampler, uv: vec2<f32>) -> vec4<f32> {
    return pair(second, first, uv);
}

fn both(first: sampler, second: sampler, uv: vec2<f32>) -> vec4<f32> {
    let one = swapped(first, second, uv);
    let two = pair(first, second, uv);
    return one + two;
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    return both(a, b, uv);
}
