// One sampler, one texture.
//@ run main location0=1 -> 0.0@0.1
@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var linear: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    return textureSample(image, linear, uv);
}
