// An index that is the same for all threads, behind other fields.
//@ data 1.0: 1.0 2.0 3.0 4
//@ run main -> 0.0@0.1[4]
enable wgpu_binding_array;

struct Settings {
    tint: vec3<f32>,
    quality: u32,
}

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var samplers: binding_array<sampler, 5>;
@group(1) @binding(0) var<uniform> settings: Settings;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    return textureSample(image, samplers[settings.quality], uv) * vec4<f32>(settings.tint, 1.0);
}
