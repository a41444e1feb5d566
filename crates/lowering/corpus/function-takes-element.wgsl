// Elements of arrays as arguments, by constant and by computed index.
//@ run main location1=2 -> 0.0@0.1[2] 0.2@0.3[1] 0.0@0.1[0] 0.2@0.3[0]
enable wgpu_binding_array;

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var plain: binding_array<sampler, 3>;
@group(0) @binding(2) var depth: texture_depth_2d;
@group(0) @binding(3) var comparing: binding_array<sampler_comparison, 2>;

fn mixed(s: sampler, c: sampler_comparison, uv: vec2<f32>) -> f32 {
    let color = textureSampleLevel(image, s, uv, 0.0);
    return color.x * textureSampleCompareLevel(depth, c, uv, 0.5);
}

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) which: u32) -> @location(0) f32 {
    return mixed(plain[which], comparing[which - 1u], uv) + mixed(plain[0], comparing[which / 4u], uv);
}
