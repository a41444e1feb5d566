// Where a shader ends early, what follows is not sampled.
//@ run main location1=0 -> 0.0@0.1
//@ run main location1=1 ->
//@ run main location1=2 -> 0.0@0.1 0.0@0.2
@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var a: sampler;
@group(0) @binding(2) var b: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) which: u32) -> @location(0) vec4<f32> {
    if which == 1u {
        discard;
    }
    let first = textureSampleLevel(image, a, uv, 0.0);
    if which == 0u {
        return first;
    }
    return first * textureSampleLevel(image, b, uv, 0.0);
}
