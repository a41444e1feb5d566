// Declared in another order than that of the bindings, with gaps between them.
//@ run main -> 0.3@0.90 0.3@0.7 0.3@0.12
@group(0) @binding(90) var last: sampler;
@group(0) @binding(7) var first: sampler;
@group(0) @binding(3) var image: texture_2d<f32>;
@group(0) @binding(12) var middle: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    return textureSample(image, last, uv) + textureSample(image, first, uv) * textureSample(image, middle, uv);
}
