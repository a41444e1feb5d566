// Names in other scripts, and comments with code in them.
//@ run главный -> 0.0@0.1 0.0@0.2
/* SamplerState nagaSamplerHeap[2048]; @group(0) @binding(9) var no: sampler; */
@group(0) @binding(0) var bild: texture_2d<f32>;
@group(0) @binding(1) var größe: sampler;
@group(0) @binding(2) var 線形: sampler;

@fragment
fn главный(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    return textureSample(bild, größe, uv) + textureSample(bild, 線形, uv);
}
