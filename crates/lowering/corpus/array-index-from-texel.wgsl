// The index into an array of samplers is itself sampled, through another element of the array.
// The texels that the run sees are 0.25, 0.5, 0.75, 1.
//@ run main location1=2 -> 0.0@0.1[2] 0.0@0.1[3] 0.0@0.1[1]
enable wgpu_binding_array;

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var samplers: binding_array<sampler, 4>;

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) which: u32) -> @location(0) vec4<f32> {
    let first = textureSampleLevel(image, samplers[which], uv, 0.0);
    let second = textureSampleLevel(image, samplers[u32(first.z * 4.0)], uv, 0.0);
    return textureSampleLevel(image, samplers[u32(second.x * 4.0)], uv, 0.0);
}
