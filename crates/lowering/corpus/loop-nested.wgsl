// Loops in loops, with continue and break; one goes past the array's end.
//@ run main -> 0.0@0.1[0] 0.0@0.1[2] 0.0@0.1[3] 0.0@0.1[3] 0.0@0.1[3]
enable wgpu_binding_array;

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var samplers: binding_array<sampler, 4>;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var sum = vec4<f32>(0.0);
    var row = 0u;
    loop {
        var column = 0u;
        while column < 3u {
            let at = row * 3u + column;
            column += 1u;
            if at == 1u {
                continue;
            }
            if at > 5u {
                break;
            }
            sum += textureSampleLevel(image, samplers[at], uv, 0.0);
        }
        row += 1u;
        continuing {
            break if row == 3u;
        }
    }
    return sum;
}
