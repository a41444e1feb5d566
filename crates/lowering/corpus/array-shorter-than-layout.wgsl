// A shader may see the first samplers of a longer array; indices stay below what it sees.
//@ run main location1=1 -> 0.0@0.1[1]
//@ run main location1=2 -> 0.0@0.1[1]
//@ run other location1=3 -> 0.0@0.1[3]
enable wgpu_binding_array;

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var two: binding_array<sampler, 2>;
@group(0) @binding(1) var four: binding_array<sampler, 4>;

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) which: u32) -> @location(0) vec4<f32> {
    return textureSampleLevel(image, two[which], uv, 0.0);
}

@fragment
fn other(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) which: u32) -> @location(0) vec4<f32> {
    return textureSampleLevel(image, four[which], uv, 0.0);
}
