// A compute shader with shared memory, a storage texture and two samplers.
//@ run main local_invocation_index=1 -> 0.0@0.2 0.0@0.3
@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var target_image: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(2) var linear: sampler;
@group(0) @binding(3) var nearest: sampler;

var<workgroup> brightest: vec4<f32>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let uv = (vec2<f32>(id.xy) + 0.5) / vec2<f32>(textureDimensions(source));
    let smooth_texel = textureSampleLevel(source, linear, uv, 0.0);
    if local == 0u {
        brightest = smooth_texel;
    }
    workgroupBarrier();
    let sharp = textureSampleLevel(source, nearest, uv, 0.0);
    textureStore(target_image, vec2<i32>(id.xy), mix(smooth_texel * brightest, sharp, vec4<f32>(0.5)));
}
