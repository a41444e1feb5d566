//! Descriptor heaps, handles, copies, samplers.

use heapstone::spec::message;
use heapstone::spec::rules::view as rules;
use heapstone::spec::views::*;
use heapstone::*;

use crate::bench::*;
use crate::common::{self, *};

pub(crate) fn heaps(broken: &mut Broken) {
    let tier2 = device("cache-coherent-uma");
    let create = |device: &Device, desc: DescriptorHeapDesc| device.create_descriptor_heap(&desc);
    let desc = DescriptorHeapDesc::new;
    let invalid = Some(message::CREATE_DESCRIPTOR_HEAP_INVALID_DESC);
    let large = Some(message::CREATE_DESCRIPTOR_HEAP_LARGE_NUM_DESCRIPTORS);
    broken.by(&rules::HEAP_COUNT_ZERO, invalid, create(&tier2, desc(VIEWS, 0)), ["0", "1"]);
    let unknown = DescriptorHeapDesc { flags: DescriptorHeapFlags::from_bits_retain(0x6), ..desc(VIEWS, 1) };
    broken.by(&rules::HEAP_FLAGS_UNRECOGNIZED, invalid, create(&tier2, unknown), ["0x6", "0x1"]);
    for heap_type in [DescriptorHeapType::Rtv, DescriptorHeapType::Dsv] {
        let shown = create(&tier2, desc(heap_type, 1).shader_visible());
        broken.by(&rules::HEAP_SHADER_VISIBLE, invalid, shown, [heap_type.name(), "NONE"]);
    }
    let views = create(&tier2, desc(VIEWS, 1_000_001).shader_visible());
    broken.by(
        &rules::HEAP_VIEWS_MAX,
        large,
        views,
        ["1000001", "at most 1000000 on resource binding tier 2"],
    );
    // 2^22: what a device of tier 3 reports of MaxViewDescriptorHeapSize.
    let tier3 = device("discrete-8g");
    create(&tier3, desc(VIEWS, 4_194_304).shader_visible()).unwrap();
    for count in [4_194_305, u32::MAX] {
        let views = create(&tier3, desc(VIEWS, count).shader_visible());
        broken.by(
            &rules::HEAP_VIEWS_MAX,
            large,
            views,
            [&count.to_string(), "at most 4194304 on this adapter"],
        );
    }
    let samplers = create(&device("discrete-8g"), desc(SAMPLERS, 2049).shader_visible());
    broken.by(&rules::HEAP_SAMPLERS_MAX, large, samplers, ["2049", "at most 2048"]);
    // 4096: what the profile's file says of MaxSamplerDescriptorHeapSize.
    let large_samplers = device("cache-coherent-uma");
    create(&large_samplers, desc(SAMPLERS, 4096).shader_visible()).unwrap();
    let samplers = create(&large_samplers, desc(SAMPLERS, 4097).shader_visible());
    broken.by(&rules::HEAP_SAMPLERS_MAX, large, samplers, ["4097", "at most 4096"]);
    let node = DescriptorHeapDesc { node_mask: 2, ..desc(VIEWS, 1) };
    let mismatch = Some(message::NODE_MASK_MISMATCH);
    broken.by(&rules::HEAP_NODE, mismatch, create(&tier2, node), ["0x2", "one bit of 0x1"]);
    let linked = device("linked-two-nodes");
    let both = DescriptorHeapDesc { node_mask: 3, ..desc(VIEWS, 1) };
    broken.by(&rules::HEAP_NODE, mismatch, create(&linked, both), ["0x3", "one bit of 0x3"]);
    create(&linked, node).unwrap();
    let hidden = create(&tier2, desc(VIEWS, 1)).unwrap();
    let message = Some(message::DESCRIPTOR_HEAP_NOT_SHADER_VISIBLE);
    broken.by(&rules::HEAP_GPU_START, message, hidden.gpu_start(), ["NONE", "SHADER_VISIBLE"]);
}

pub(crate) fn handles(broken: &mut Broken) {
    let bench = Bench::new();
    let device = &bench.device;
    let write = |at| device.create_sampler(&SamplerDesc::new(Filter::MIN_MAG_MIP_LINEAR), at);
    let (start, increment) = (bench.samplers.cpu_start(), device.descriptor_handle_increment_size(SAMPLERS));
    write(start.offset(63, increment)).unwrap();
    // The first behind the heap's end, the last before its begin, and nothing.
    for nowhere in [start.offset(64, increment).ptr, start.ptr - u64::from(increment), 0, u64::MAX] {
        let result = write(CpuDescriptorHandle { ptr: nowhere });
        broken.by(&rules::HANDLE, HANDLE, result, [&format!("{nowhere:#x}"), "handles of 4 heaps"]);
    }
    let odd = write(CpuDescriptorHandle { ptr: start.ptr + 1 });
    broken.by(&rules::HANDLE_INCREMENT, HANDLE, odd, ["1 behind its heap's first", "multiples of 16"]);
    let wrong = write(bench.targets.cpu_start());
    broken.by(&rules::HANDLE_HEAP_TYPE, HANDLE, wrong, ["RTV", "SAMPLER"]);

    // A heap that is gone, and another device's.
    let gone = device.create_descriptor_heap(&DescriptorHeapDesc::new(SAMPLERS, 4)).unwrap();
    let stale = gone.cpu_start();
    write(stale).unwrap();
    drop(gone);
    broken.by(&rules::HANDLE, HANDLE, write(stale), [&stale.to_string(), "handles of 4 heaps"]);
    let alone = common::device("discrete-8g");
    broken.by(&rules::HANDLE, HANDLE, alone.sampler(start), [&start.to_string(), "there are no heaps"]);

    let shown = DescriptorHeapDesc::new(SAMPLERS, 4).shader_visible();
    let shown = device.create_descriptor_heap(&shown).unwrap();
    let gpu = shown.gpu_start().unwrap();
    assert_eq!(device.locate_gpu_descriptor(gpu.offset(3, increment)).unwrap().index, 3);
    let past = device.locate_gpu_descriptor(gpu.offset(4, increment));
    broken.by(&rules::HANDLE, HANDLE, past, ["0x", "1 shader-visible heaps"]);
    let cpu = device.locate_gpu_descriptor(GpuDescriptorHandle { ptr: shown.cpu_start().ptr });
    broken.by(&rules::HANDLE, HANDLE, cpu, ["0x", "1 shader-visible heaps"]);
    let odd = device.locate_gpu_descriptor(gpu.offset(1, 8));
    broken.by(&rules::HANDLE_INCREMENT, HANDLE, odd, [&gpu.offset(1, 8).to_string(), "multiples of 16"]);
    let on_cpu = device.locate_cpu_descriptor(CpuDescriptorHandle { ptr: gpu.ptr });
    broken.by(&rules::HANDLE, HANDLE, on_cpu, [&gpu.to_string(), "5 heaps"]);

    let empty = device.render_target_view(bench.targets.cpu_start());
    broken.by(&rules::DESCRIPTOR_KIND, HANDLE, empty, ["holds nothing", "a render target view"]);
    let texture = bench.texture(Format::R8G8B8A8_UNORM);
    bench.srv(Some(&texture), Format::UNKNOWN, tex2d(0, ALL)).unwrap();
    let other = device.unordered_access_view(bench.views.cpu_start());
    broken.by(&rules::DESCRIPTOR_KIND, HANDLE, other, ["a shader resource view", "an unordered access view"]);
    assert_eq!(device.shader_resource_view(bench.views.cpu_start()).unwrap().resource, Some(texture.clone()));
    drop(texture);
    let message = Some(message::DESCRIPTOR_HANDLE_WITH_INVALID_RESOURCE);
    let gone = device.shader_resource_view(bench.views.cpu_start());
    broken.by(&rules::DESCRIPTOR_RESOURCE, message, gone, ["destroyed", "exist"]);
    let buffer = bench.buffer(256);
    bench.cbv(buffer.gpu_virtual_address().0, 256).unwrap();
    drop(buffer);
    let gone = device.constant_buffer_view(bench.views.cpu_start());
    broken.by(&rules::DESCRIPTOR_RESOURCE, message, gone, ["destroyed", "exist"]);
}

pub(crate) fn copies(broken: &mut Broken) {
    let bench = Bench::new();
    let shown = DescriptorHeapDesc::new(VIEWS, 8).shader_visible();
    let shown = bench.device.create_descriptor_heap(&shown).unwrap();
    let increment = bench.device.descriptor_handle_increment_size(VIEWS);
    let at = |index| bench.views.cpu_start().offset(index, increment);
    let copy = |to: &[CpuDescriptorHandle], from: &[CpuDescriptorHandle], sizes: [Option<&[u32]>; 2]| {
        let destination = DescriptorRanges { starts: to, sizes: sizes[0] };
        let source = DescriptorRanges { starts: from, sizes: sizes[1] };
        bench.device.copy_descriptors(destination, source, VIEWS)
    };
    let ranges = Some(message::COPY_DESCRIPTORS_INVALID_RANGES);
    let sizes = copy(&[at(0), at(1)], &[at(2)], [Some(&[1]), None]);
    broken.by(&rules::COPY_SIZES, ranges, sizes, ["1 sizes", "2, or NULL"]);
    let count = copy(&[at(0), at(1)], &[at(8)], [Some(&[2, 3]), Some(&[6])]);
    broken.by(&rules::COPY_COUNT, ranges, count, ["6 descriptors", "5"]);
    let past = bench.device.copy_descriptors_simple(33, at(0), at(32), VIEWS);
    broken.by(&rules::COPY_RANGE, ranges, past, ["33 descriptors from descriptor 32", "at most 32"]);
    let past = copy(&[at(63)], &[at(0)], [Some(&[2]), Some(&[2])]);
    broken.by(&rules::COPY_RANGE, ranges, past, ["2 descriptors from descriptor 63", "at most 1"]);
    let read = bench.device.copy_descriptors_simple(1, at(0), shown.cpu_start(), VIEWS);
    let write_only = Some(message::COPY_DESCRIPTORS_WRITE_ONLY_DESCRIPTOR);
    broken.by(&rules::COPY_SOURCE, write_only, read, ["SHADER_VISIBLE", "without"]);
    let read = copy(&[at(0)], &[shown.cpu_start()], [None, None]);
    broken.by(&rules::COPY_SOURCE, write_only, read, ["SHADER_VISIBLE", "without"]);
    let overlap = bench.device.copy_descriptors_simple(4, at(3), at(0), VIEWS);
    broken.by(
        &rules::COPY_OVERLAP,
        ranges,
        overlap,
        ["descriptors 0 to 3, while descriptors 3 to 6", "not write"],
    );
    let itself = bench.device.copy_descriptors_simple(1, at(3), at(3), VIEWS);
    broken.by(&rules::COPY_OVERLAP, ranges, itself, ["descriptors 3 to 3", "not write"]);
    // The long source hides behind a short one that begins later.
    let hidden = copy(&[at(9), at(40)], &[at(0), at(2)], [Some(&[1, 10]), Some(&[10, 1])]);
    broken.by(&rules::COPY_OVERLAP, ranges, hidden, ["descriptors 0 to 9", "not write"]);
    let wrong = bench.device.copy_descriptors_simple(1, at(0), at(1), SAMPLERS);
    let violation = refused(wrong, &rules::HANDLE_HEAP_TYPE);
    says(&violation, "DestDescriptorRangeStart", &["CBV_SRV_UAV"], &["SAMPLER"]);
    let wrong = bench.device.copy_descriptors_simple(1, at(0), bench.targets.cpu_start(), VIEWS);
    says(&refused(wrong, &rules::HANDLE_HEAP_TYPE), "SrcDescriptorRangeStart", &["RTV"], &["CBV_SRV_UAV"]);
}

pub(crate) fn samplers(broken: &mut Broken) {
    let bench = Bench::new();
    let invalid = Some(message::CREATE_SAMPLER_INVALID);
    let linear = SamplerDesc::new(Filter::MIN_MAG_MIP_LINEAR);
    let anisotropic = SamplerDesc::new(Filter::ANISOTROPIC);
    bench.sampler(&linear).unwrap();
    bench.sampler(&anisotropic).unwrap();
    let point = Filter { mip_linear: false, ..Filter::ANISOTROPIC };
    let refused = bench.sampler(&SamplerDesc::new(point));
    broken.by(&rules::SAMPLER_FILTER, invalid, refused, ["0x54", "linear"]);
    bench.sampler(&SamplerDesc { max_anisotropy: 0, ..anisotropic }).unwrap();
    for max_anisotropy in [17, u32::MAX] {
        let refused = bench.sampler(&SamplerDesc { max_anisotropy, ..anisotropic });
        broken.by(&rules::SAMPLER_ANISOTROPY, invalid, refused, [&max_anisotropy.to_string(), "0 to 16"]);
        bench.sampler(&SamplerDesc { max_anisotropy, ..linear }).unwrap();
    }
    for mip_lod_bias in [-16.1, 16.0, f32::NAN] {
        let refused = bench.sampler(&SamplerDesc { mip_lod_bias, ..linear });
        broken.by(&rules::SAMPLER_LOD_BIAS, invalid, refused, [&mip_lod_bias.to_string(), "15.99"]);
    }
    bench.sampler(&SamplerDesc { mip_lod_bias: 15.99, ..linear }).unwrap();
    for (min_lod, max_lod) in [(2.0, 1.0), (f32::NAN, 1.0), (0.0, f32::NAN)] {
        let refused = bench.sampler(&SamplerDesc { min_lod, max_lod, ..linear });
        let allowed = format!("MinLOD, which is {min_lod}");
        broken.by(&rules::SAMPLER_LOD, invalid, refused, [&max_lod.to_string(), &allowed]);
    }
    let comparing = SamplerDesc::new(Filter::MIN_MAG_MIP_LINEAR.with_reduction(FilterReduction::Comparison));
    bench.sampler(&comparing).unwrap();
    let refused = bench.sampler(&SamplerDesc { comparison_func: ComparisonFunc::None, ..comparing });
    broken.by(&rules::SAMPLER_COMPARISON, invalid, refused, ["NONE", "ALWAYS"]);
    let integer = SamplerDesc { border_color: BorderColor::Uint([1, 2, 3, 4]), ..linear };
    bench.sampler(&integer).unwrap();
    let inbox = Bench::on(device_of(profile("discrete-8g"), SdkVersion::Inbox, Backing::Phantom));
    broken.by(&rules::SAMPLER_BORDER, invalid, inbox.sampler(&integer), ["UINT_BORDER_COLOR", "606"]);
}
