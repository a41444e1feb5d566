// The layout has samplers that the shader does not name, before, between and behind its own.
//@ also 0.0
//@ also 0.2 comparison
//@ also 0.4 5
//@ also 1.0 comparison 3
//@ run main -> 0.10@0.3 0.10@0.5
@group(0) @binding(3) var a: sampler;
@group(0) @binding(5) var b: sampler;
@group(0) @binding(10) var image: texture_2d<f32>;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    return textureSample(image, a, uv) - textureSample(image, b, uv);
}
