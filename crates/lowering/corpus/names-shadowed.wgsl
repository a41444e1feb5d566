// Local names hide those of samplers in inner blocks.
//@ run main location1=1 -> 0.0@0.1 0.0@0.2[1]
enable wgpu_binding_array;

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var a: binding_array<sampler, 2>;

fn read(s: sampler, a: u32, uv: vec2<f32>) -> vec4<f32> {
    {
        let image = f32(a);
        if image < 0.0 {
            return vec4<f32>(image);
        }
    }
    return textureSampleLevel(image, s, uv, 0.0);
}

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) which: u32) -> @location(0) vec4<f32> {
    let first = read(s, which, uv);
    {
        let s = which;
        return first + read(a[s], s, uv);
    }
}
