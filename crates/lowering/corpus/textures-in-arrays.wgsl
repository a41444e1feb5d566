// Arrays of textures with arrays of samplers: each texture with its own.
//@ data 0.4: 2 1
//@ run main location1=1 -> 0.0[1]@0.1[1] 0.0[2]@0.1[1] 0.2[0]@0.3
enable wgpu_binding_array;

@group(0) @binding(0) var images: binding_array<texture_2d<f32>, 3>;
@group(0) @binding(1) var samplers: binding_array<sampler, 3>;
@group(0) @binding(2) var depths: binding_array<texture_depth_2d, 2>;
@group(0) @binding(3) var shadow: sampler_comparison;
@group(0) @binding(4) var<uniform> pair: vec2<u32>;

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) material: u32) -> @location(0) vec4<f32> {
    var sum = textureSampleLevel(images[material], samplers[material], uv, 0.0);
    sum += textureSampleLevel(images[pair.x], samplers[pair.y], uv, 0.0);
    return sum * textureSampleCompareLevel(depths[0], shadow, uv, 0.5);
}
