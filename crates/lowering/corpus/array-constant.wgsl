// Constant indices: the first, one between, the last.
//@ run main -> 0.0@0.1[0] 0.0@0.1[3] 0.0@0.1[6]
enable wgpu_binding_array;

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var samplers: binding_array<sampler, 7>;

const MIDDLE = 3;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var sum = textureSample(image, samplers[0], uv);
    sum += textureSample(image, samplers[MIDDLE], uv);
    sum += textureSample(image, samplers[MIDDLE * 2], uv);
    return sum;
}
