// What one sampler answers decides which comes next. The texels that the run sees are 0.25, 0.5, 0.75, 1.
//@ run main location1=0 -> 0.0@0.1 0.0@0.2
//@ run main location1=1 -> 0.0@0.1 0.0@0.3
@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var first: sampler;
@group(0) @binding(2) var below: sampler;
@group(0) @binding(3) var above: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) which: u32) -> @location(0) vec4<f32> {
    let texel = textureSampleLevel(image, first, uv, 0.0);
    if texel[which] < 0.4 {
        return textureSampleLevel(image, below, uv, 0.0);
    }
    return textureSampleLevel(image, above, uv, 0.0);
}
