// The built-in function that naga writes as a function of its own.
//@ run main -> 0.0@0.1 0.0@0.2
@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var a: sampler;
@group(0) @binding(2) var b: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    return textureSampleBaseClampToEdge(image, a, uv) + textureSampleBaseClampToEdge(image, b, uv);
}
