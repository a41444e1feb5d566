// Constants that are set when the pipeline is made: an index, and a number by its @id.
//@ constant quality: 2
//@ constant 7: 1
//@ run main -> 0.0@0.1[2] 0.0@0.2
enable wgpu_binding_array;

override quality: u32;
@id(7) override shadows: bool = false;
override unset: u32 = 0u;

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var samplers: binding_array<sampler, 3>;
@group(0) @binding(2) var fixed: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var sum = textureSample(image, samplers[quality], uv);
    if shadows {
        sum *= textureSample(image, fixed, uv);
    }
    return sum + f32(unset);
}
