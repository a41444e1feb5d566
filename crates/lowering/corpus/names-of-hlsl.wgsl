// Variables that are called as HLSL's words, types and functions.
//@ run technique10 location1=1 -> 0.0@0.1 0.0@0.2[1] 0.4@0.3 0.0@0.5
enable wgpu_binding_array;

@group(0) @binding(0) var Texture2D: texture_2d<f32>;
@group(0) @binding(1) var SamplerState: sampler;
@group(0) @binding(2) var tbuffer: binding_array<sampler, 2>;
@group(0) @binding(3) var SamplerComparisonState: sampler_comparison;
@group(0) @binding(4) var cbuffer: texture_depth_2d;
@group(0) @binding(5) var min: sampler;

fn lerp(float4: sampler, technique: vec2<f32>) -> vec4<f32> {
    return textureSampleLevel(Texture2D, float4, technique, 0.0);
}

@fragment
fn technique10(@location(0) matrix: vec2<f32>, @location(1) @interpolate(flat) uint: u32) -> @location(0) vec4<f32> {
    var row_major = lerp(SamplerState, matrix);
    row_major += lerp(tbuffer[uint], matrix);
    row_major.x += textureSampleCompareLevel(cbuffer, SamplerComparisonState, matrix, 0.5);
    let globallycoherent = textureSampleLevel(Texture2D, min, matrix, 0.0);
    return row_major + globallycoherent;
}
