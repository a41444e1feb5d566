// The bind groups of materials.json: a shadow map of the scene, and three layers of a material.
enable wgpu_binding_array;
@group(0) @binding(0) var shadow_map: texture_depth_2d;
@group(0) @binding(1) var shadow: sampler_comparison;
@group(1) @binding(0) var base: texture_2d<f32>;
@group(1) @binding(1) var base_sampler: sampler;
@group(1) @binding(2) var layer: texture_2d<f32>;
@group(1) @binding(3) var layer_samplers: binding_array<sampler, 3>;

struct FragmentInput {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) shadow_place: vec3<f32>,
    @location(2) @interpolate(flat) quality: u32,
}

@fragment
fn main(in: FragmentInput) -> @location(0) vec4<f32> {
    let color = textureSample(base, base_sampler, in.uv);
    let detail = textureSample(layer, layer_samplers[in.quality], in.uv * 8.0);
    let light = textureSampleCompareLevel(shadow_map, shadow, in.shadow_place.xy, in.shadow_place.z);
    return color * detail * light;
}
