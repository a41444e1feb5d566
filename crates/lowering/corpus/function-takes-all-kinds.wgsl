// Each kind of texture with its sampler, through functions.
//@ run main -> 0.0@1.0 0.1@1.1 0.2@1.0 0.3@1.1 0.4@1.2 0.5@1.0
@group(0) @binding(0) var flat_image: texture_2d<f32>;
@group(0) @binding(1) var layers: texture_2d_array<f32>;
@group(0) @binding(2) var volume: texture_3d<f32>;
@group(0) @binding(3) var cube: texture_cube<f32>;
@group(0) @binding(4) var depth: texture_depth_2d_array;
@group(0) @binding(5) var line: texture_1d<f32>;
@group(1) @binding(0) var a: sampler;
@group(1) @binding(1) var b: sampler;
@group(1) @binding(2) var c: sampler_comparison;

fn of_plane(image: texture_2d<f32>, s: sampler, at: vec3<f32>) -> vec4<f32> {
    return textureSample(image, s, at.xy);
}

fn of_layer(image: texture_2d_array<f32>, s: sampler, at: vec3<f32>) -> vec4<f32> {
    return textureSample(image, s, at.xy, u32(at.z));
}

fn of_volume(image: texture_3d<f32>, s: sampler, at: vec3<f32>) -> vec4<f32> {
    return textureSample(image, s, at);
}

fn of_cube(image: texture_cube<f32>, s: sampler, at: vec3<f32>) -> vec4<f32> {
    return textureSample(image, s, at);
}

fn of_depth(image: texture_depth_2d_array, s: sampler_comparison, at: vec3<f32>) -> vec4<f32> {
    return vec4<f32>(textureSampleCompareLevel(image, s, at.xy, i32(at.z), 0.5));
}

fn of_line(image: texture_1d<f32>, s: sampler, at: vec3<f32>) -> vec4<f32> {
    return textureSample(image, s, at.x);
}

@fragment
fn main(@location(0) at: vec3<f32>) -> @location(0) vec4<f32> {
    var sum = of_plane(flat_image, a, at);
    sum += of_layer(layers, b, at);
    sum += of_volume(volume, a, at);
    sum += of_cube(cube, b, at);
    sum += of_depth(depth, c, at);
    sum += of_line(line, a, at);
    return sum;
}
