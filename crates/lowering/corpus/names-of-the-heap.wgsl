// Variables, members and functions that are called as what lowering declares.
//@ data 0.5: 1 2 0 0  2 1 0 0
//@ run SamplerDescriptorHeap location1=0 -> 0.0@0.1 0.0@0.2[1] 0.0@0.3 0.0@0.2[2]
enable wgpu_binding_array;

struct Names {
    nagaSamplerHeap: u32,
    nagaGroup0SamplerIndexArray: array<vec4<u32>, 1>,
    SamplerDescriptorHeap: u32,
}

struct Heap {
    nagaSamplerHeap: vec4<u32>,
    samplerOfHeap_: vec4<u32>,
}

@group(0) @binding(0) var nagaComparisonSamplerHeap: texture_2d<f32>;
@group(0) @binding(1) var nagaSamplerHeap: sampler;
@group(0) @binding(2) var nagaGroup0SamplerIndexArray: binding_array<sampler, 3>;
@group(0) @binding(3) var packedSamplerIndices_: sampler;
@group(0) @binding(5) var<uniform> heap: Heap;

const packedSamplerIndices_0 = 3u;
const sixteen: u32 = 16u;

fn samplerOfHeap_(NonUniformResourceIndex: sampler, uv: vec2<f32>) -> vec4<f32> {
    return textureSampleLevel(nagaComparisonSamplerHeap, NonUniformResourceIndex, uv, 0.0);
}

@fragment
fn SamplerDescriptorHeap(
    @location(0) uv: vec2<f32>,
    @location(1) @interpolate(flat) ResourceDescriptorHeap: u32,
) -> @location(0) vec4<f32> {
    var names: Names;
    names.nagaGroup0SamplerIndexArray[0] = vec4<u32>(1u, packedSamplerIndices_0, sixteen, 0u);
    names.SamplerDescriptorHeap = heap.samplerOfHeap_[ResourceDescriptorHeap];
    let first = samplerOfHeap_(nagaSamplerHeap, uv);
    let second = samplerOfHeap_(nagaGroup0SamplerIndexArray[names.nagaGroup0SamplerIndexArray[0][0]], uv);
    let third = samplerOfHeap_(packedSamplerIndices_, uv);
    let fourth = samplerOfHeap_(nagaGroup0SamplerIndexArray[names.SamplerDescriptorHeap], uv);
    return first + second + third + fourth;
}
