// Groups 3, 9 and 31: their numbers are not those of the register spaces that are left.
//@ run main -> 9.0@31.5 3.0@3.1 9.0@9.1
@group(31) @binding(5) var far: sampler;
@group(3) @binding(0) var a: texture_2d<f32>;
@group(3) @binding(1) var near: sampler;
@group(9) @binding(0) var b: texture_2d<f32>;
@group(9) @binding(1) var middle: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    return textureSample(b, far, uv) + textureSample(a, near, uv) + textureSample(b, middle, uv);
}
