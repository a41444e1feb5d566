// A vertex shader samples, too: displacement by a height map, then a matrix.
//@ data 0.2: 1.0 0.0 0.0 0.0  0.0 1.0 0.0 0.0  0.0 0.0 1.0 0.0  0.0 0.0 0.0 1.0
//@ run vertex vertex_index=2 -> 0.0@0.1
//@ run fragment -> 0.0@0.3
struct Camera { view_projection: mat4x4<f32> }

struct Varyings {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@group(0) @binding(0) var heights: texture_2d<f32>;
@group(0) @binding(1) var for_vertices: sampler;
@group(0) @binding(2) var<uniform> camera: Camera;
@group(0) @binding(3) var for_pixels: sampler;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varyings {
    var out: Varyings;
    out.uv = vec2<f32>(f32(index & 1u), f32(index >> 1u));
    let height = textureSampleLevel(heights, for_vertices, out.uv, 0.0).x;
    out.position = camera.view_projection * vec4<f32>(out.uv, height, 1.0);
    return out;
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4<f32> {
    return textureSample(heights, for_pixels, in.uv);
}
