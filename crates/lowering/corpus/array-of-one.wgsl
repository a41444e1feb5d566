// An array of one is an array.
//@ run main location1=0 -> 0.0@0.1[0]
//@ run main location1=9 -> 0.0@0.1[0]
enable wgpu_binding_array;

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var samplers: binding_array<sampler, 1>;

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) which: u32) -> @location(0) vec4<f32> {
    return textureSampleLevel(image, samplers[which], uv, 0.0);
}
