// The layout says how long the arrays are.
//@ length 0.0: 3
//@ length 0.1: 6
//@ run main location1=5 -> 0.0[2]@0.1[5]
//@ run main location1=1 -> 0.0[1]@0.1[1]
//@ run main location1=77 -> 0.0[2]@0.1[5]
enable wgpu_binding_array;

@group(0) @binding(0) var images: binding_array<texture_2d<f32>>;
@group(0) @binding(1) var samplers: binding_array<sampler>;

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) which: u32) -> @location(0) vec4<f32> {
    return textureSampleLevel(images[min(which, 2u)], samplers[which], uv, 0.0);
}
