// A switch with several labels for a case, and a default between.
//@ run main location1=0 -> 0.0@0.1
//@ run main location1=1 -> 0.0@0.2
//@ run main location1=5 -> 0.0@0.2
//@ run main location1=2 -> 0.0@0.3[1]
//@ run main location1=9 -> 0.0@0.3[0]
enable wgpu_binding_array;

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var a: sampler;
@group(0) @binding(2) var b: sampler;
@group(0) @binding(3) var rest: binding_array<sampler, 2>;

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) which: u32) -> @location(0) vec4<f32> {
    switch which {
        case 0u: {
            return textureSampleLevel(image, a, uv, 0.0);
        }
        case 1u, 5u: {
            return textureSampleLevel(image, b, uv, 0.0);
        }
        default: {
            return textureSampleLevel(image, rest[0], uv, 0.0);
        }
        case 2u: {
            return textureSampleLevel(image, rest[which - 1u], uv, 0.0);
        }
    }
}
