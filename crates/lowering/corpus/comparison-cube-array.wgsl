// Layers of cubes, compared.
//@ run main location1=3 -> 2.0@2.1 2.0@2.2
@group(2) @binding(0) var cubes: texture_depth_cube_array;
@group(2) @binding(1) var compare: sampler_comparison;
@group(2) @binding(2) var plain: sampler;

@fragment
fn main(@location(0) direction: vec3<f32>, @location(1) @interpolate(flat) layer: u32) -> @location(0) f32 {
    let lit = textureSampleCompareLevel(cubes, compare, direction, layer, 0.5);
    return lit * textureSampleLevel(cubes, plain, direction, layer, 0);
}
