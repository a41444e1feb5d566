// An index in root constants.
//@ data immediate: 0 1
//@ run main -> 0.0@0.1[1]
enable wgpu_binding_array;

struct Draw {
    object: u32,
    filtering: u32,
}

var<immediate> draw: Draw;

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var samplers: binding_array<sampler, 2>;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    return textureSample(image, samplers[draw.filtering], uv);
}
