// Indices come back through pointers and structures.
//@ run main location1=1 -> 0.0@0.1[2] 0.0@0.1[0]
enable wgpu_binding_array;

struct Choice {
    near: u32,
    far: u32,
}

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var samplers: binding_array<sampler, 3>;

fn choose(by: u32) -> Choice {
    return Choice(by + 1u, by - 1u);
}

fn take(index: ptr<function, u32>, out: Choice) {
    *index = out.near;
}

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) which: u32) -> @location(0) vec4<f32> {
    let choice = choose(which);
    var index = 0u;
    take(&index, choice);
    let near = textureSampleLevel(image, samplers[index], uv, 0.0);
    return near + textureSampleLevel(image, samplers[choice.far], uv, 0.0);
}
