// In each turn another of two fixed samplers.
//@ run main location1=3 -> 0.0@0.1 0.0@0.2 0.0@0.1
@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var even: sampler;
@group(0) @binding(2) var odd: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) turns: i32) -> @location(0) vec4<f32> {
    var sum = vec4<f32>(0.0);
    for (var i = 0; i < turns; i++) {
        if i % 2 == 0 {
            sum += textureSampleLevel(image, even, uv, 0.0);
        } else {
            sum += textureSampleLevel(image, odd, uv, 0.0);
        }
    }
    return sum;
}
