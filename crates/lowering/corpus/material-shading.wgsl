// As an engine writes it: material, shadow cascade and environment, each in a group of its own.
//@ data 0.0: 0.0 1.0 0.0 1
//@ data 1.4: 1.0 0.5 0.0 2
//@ run shade -> 1.0@1.1[2] 1.2@1.1[0] 0.1@0.2[1] 2.0@2.1
enable wgpu_binding_array;

struct Light {
    direction: vec3<f32>,
    cascade: u32,
}

struct Material {
    tint: vec3<f32>,
    filtering: u32,
}

struct Surface {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) shadow_at: vec3<f32>,
}

@group(0) @binding(0) var<uniform> light: Light;
@group(0) @binding(1) var cascades: texture_depth_2d_array;
@group(0) @binding(2) var shadow_samplers: binding_array<sampler_comparison, 4>;
@group(1) @binding(0) var albedo: texture_2d<f32>;
@group(1) @binding(1) var material_samplers: binding_array<sampler, 3>;
@group(1) @binding(2) var roughness: texture_2d<f32>;
@group(1) @binding(4) var<uniform> material: Material;
@group(2) @binding(0) var environment: texture_cube<f32>;
@group(2) @binding(1) var environment_sampler: sampler;

fn lit(surface: Surface) -> f32 {
    let angle = max(dot(surface.normal, light.direction), 0.0);
    let at = surface.shadow_at;
    let sampler_index = light.cascade;
    return angle + textureSampleCompareLevel(cascades, shadow_samplers[sampler_index], at.xy, sampler_index, at.z);
}

@fragment
fn shade(surface: Surface) -> @location(0) vec4<f32> {
    let base = textureSample(albedo, material_samplers[material.filtering], surface.uv).rgb * material.tint;
    let rough = textureSample(roughness, material_samplers[0], surface.uv).g;
    let direct = base * lit(surface);
    let ambient = textureSampleLevel(environment, environment_sampler, surface.normal, rough * 8.0).rgb;
    return vec4<f32>(direct + ambient * base, 1.0);
}
