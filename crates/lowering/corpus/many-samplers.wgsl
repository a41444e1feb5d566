// Thirty-three fixed samplers in one group: more than WebGPU promises, and than twelve dwords pack.
//@ run main -> 0.0@0.1 0.0@0.3 0.0@0.8 0.0@0.11 0.0@0.16 0.0@0.27 0.0@0.32 0.0@0.33
@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var s01: sampler;
@group(0) @binding(2) var s02: sampler;
@group(0) @binding(3) var s03: sampler;
@group(0) @binding(4) var s04: sampler;
@group(0) @binding(5) var s05: sampler;
@group(0) @binding(6) var s06: sampler;
@group(0) @binding(7) var s07: sampler;
@group(0) @binding(8) var s08: sampler;
@group(0) @binding(9) var s09: sampler;
@group(0) @binding(10) var s10: sampler;
@group(0) @binding(11) var s11: sampler;
@group(0) @binding(12) var s12: sampler;
@group(0) @binding(13) var s13: sampler;
@group(0) @binding(14) var s14: sampler;
@group(0) @binding(15) var s15: sampler;
@group(0) @binding(16) var s16: sampler;
@group(0) @binding(17) var s17: sampler;
@group(0) @binding(18) var s18: sampler;
@group(0) @binding(19) var s19: sampler;
@group(0) @binding(20) var s20: sampler;
@group(0) @binding(21) var s21: sampler;
@group(0) @binding(22) var s22: sampler;
@group(0) @binding(23) var s23: sampler;
@group(0) @binding(24) var s24: sampler;
@group(0) @binding(25) var s25: sampler;
@group(0) @binding(26) var s26: sampler;
@group(0) @binding(27) var s27: sampler;
@group(0) @binding(28) var s28: sampler;
@group(0) @binding(29) var s29: sampler;
@group(0) @binding(30) var s30: sampler;
@group(0) @binding(31) var s31: sampler;
@group(0) @binding(32) var s32: sampler;
@group(0) @binding(33) var s33: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var sum = textureSample(image, s01, uv) + textureSample(image, s03, uv);
    sum += textureSample(image, s08, uv) + textureSample(image, s11, uv);
    sum += textureSample(image, s16, uv) + textureSample(image, s27, uv);
    sum += textureSample(image, s32, uv) + textureSample(image, s33, uv);
    return sum;
}
