// Indices with operators, brackets and calls in them.
//@ data 0.2: 1 2 3 4
//@ run main location1=5 -> 0.0@0.1[6] 0.0@0.1[2] 0.0@0.1[5] 0.0@0.1[3]
enable wgpu_binding_array;

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var samplers: binding_array<sampler, 8>;
@group(0) @binding(2) var<uniform> table: vec4<u32>;

fn twice(x: u32) -> u32 {
    return x * 2u;
}

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) which: u32) -> @location(0) vec4<f32> {
    var order = array<u32, 3>(4u, 5u, 6u);
    var sum = textureSampleLevel(image, samplers[(which + 9u) % 8u | twice(table[1]) & 4u], uv, 0.0);
    sum += textureSampleLevel(image, samplers[twice(twice(which)) - 18u], uv, 0.0);
    sum += textureSampleLevel(image, samplers[order[table[which - 5u]]], uv, 0.0);
    sum += textureSampleLevel(image, samplers[select(7u, 3u, which > 4u)], uv, 0.0);
    return sum;
}
