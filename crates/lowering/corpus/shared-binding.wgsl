// Two variables of one binding, for two entry points.
//@ run first -> 0.0@0.1
//@ run second -> 0.0@0.1
@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var one: sampler;
@group(0) @binding(1) var same: sampler;

@fragment
fn first(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    return textureSample(image, one, uv);
}

@fragment
fn second(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    return textureSample(image, same, uv);
}
