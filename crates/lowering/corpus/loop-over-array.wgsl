// A loop over an array of samplers, as far as a uniform says.
//@ data 0.2: 3
//@ run main -> 0.0@0.1[0] 0.0@0.1[1] 0.0@0.1[2]
enable wgpu_binding_array;

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var samplers: binding_array<sampler, 6>;
@group(0) @binding(2) var<uniform> count: u32;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var sum = vec4<f32>(0.0);
    for (var i = 0u; i < count; i++) {
        sum += textureSample(image, samplers[i], uv);
    }
    return sum;
}
