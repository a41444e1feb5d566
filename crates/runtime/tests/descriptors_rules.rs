//! Every rule of descriptor heaps, descriptors and views is broken here by some call, which is refused with what
//! was given and what is allowed, and with the message of the debug layer; the descriptor keeps what it held.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use common::*;
use heapstone::spec::message::{self, MessageId};
use heapstone::spec::rules::view as rules;
use heapstone::spec::views::*;
use heapstone::{
    Backing, CommittedResourceDesc, DescriptorHeap, DescriptorRanges, Device, Error, Format,
    GpuVirtualAddress, HeapDesc, HeapType, PlacedResourceDesc, Resource, ResourceDesc, ResourceFlags, Rule,
    SdkVersion,
};

const VIEWS: DescriptorHeapType = DescriptorHeapType::CbvSrvUav;
const SAMPLERS: DescriptorHeapType = DescriptorHeapType::Sampler;
const ALL: Option<u32> = None;

#[derive(Default)]
struct Broken(Vec<&'static str>);

impl Broken {
    #[track_caller]
    fn by<T: core::fmt::Debug>(
        &mut self,
        rule: &'static Rule,
        message: Option<MessageId>,
        result: Result<T, Error>,
        [given, allowed]: [&str; 2],
    ) {
        let violation = refused(result, rule);
        says(&violation, "", &[given], &[allowed]);
        assert_eq!(violation.message, message, "{violation}");
        self.0.push(rule.id);
    }
}

/// A device, and a heap of each type.
struct Bench {
    device: Device,
    views: DescriptorHeap,
    samplers: DescriptorHeap,
    targets: DescriptorHeap,
    depths: DescriptorHeap,
}

impl Bench {
    fn on(device: Device) -> Bench {
        let heap =
            |heap_type| device.create_descriptor_heap(&DescriptorHeapDesc::new(heap_type, 64)).unwrap();
        let views = heap(VIEWS);
        let samplers = heap(SAMPLERS);
        let targets = heap(DescriptorHeapType::Rtv);
        let depths = heap(DescriptorHeapType::Dsv);
        Bench { device, views, samplers, targets, depths }
    }

    fn new() -> Bench {
        Bench::on(device("discrete-8g"))
    }

    fn commit(&self, desc: ResourceDesc) -> Resource {
        let desc = CommittedResourceDesc::new(HeapType::Default, desc);
        self.device.create_committed_resource(&desc).unwrap()
    }

    fn texture(&self, format: Format) -> Resource {
        self.commit(ResourceDesc::texture_2d(format, 64, 64))
    }

    /// With every flag that a colour can have.
    fn written(&self, format: Format) -> Resource {
        let flags = ResourceFlags::ALLOW_RENDER_TARGET | ResourceFlags::ALLOW_UNORDERED_ACCESS;
        self.commit(ResourceDesc::texture_2d(format, 64, 64).with_flags(flags))
    }

    fn buffer(&self, width: u64) -> Resource {
        self.commit(ResourceDesc::buffer(width).with_flags(ResourceFlags::ALLOW_UNORDERED_ACCESS))
    }

    fn srv(&self, resource: Option<&Resource>, format: Format, dimension: SrvDimension) -> Result<(), Error> {
        let component_mapping = ComponentMapping::IDENTITY;
        let desc = ShaderResourceViewDesc { format, dimension, component_mapping };
        self.device.create_shader_resource_view(resource, Some(&desc), self.views.cpu_start())
    }

    fn uav(&self, resource: Option<&Resource>, format: Format, dimension: UavDimension) -> Result<(), Error> {
        self.counted(resource, None, format, dimension)
    }

    fn counted(
        &self,
        resource: Option<&Resource>,
        counter: Option<&Resource>,
        format: Format,
        dimension: UavDimension,
    ) -> Result<(), Error> {
        let desc = UnorderedAccessViewDesc { format, dimension };
        self.device.create_unordered_access_view(resource, counter, Some(&desc), self.views.cpu_start())
    }

    fn rtv(&self, resource: Option<&Resource>, format: Format, dimension: RtvDimension) -> Result<(), Error> {
        let desc = RenderTargetViewDesc { format, dimension };
        self.device.create_render_target_view(resource, Some(&desc), self.targets.cpu_start())
    }

    fn dsv(&self, resource: &Resource, format: Format, flags: DsvFlags) -> Result<(), Error> {
        let desc =
            DepthStencilViewDesc { format, dimension: DsvDimension::Texture2D { mip_slice: 0 }, flags };
        self.device.create_depth_stencil_view(Some(resource), Some(&desc), self.depths.cpu_start())
    }

    fn cbv(&self, buffer_location: u64, size_in_bytes: u32) -> Result<(), Error> {
        let desc =
            ConstantBufferViewDesc { buffer_location: GpuVirtualAddress(buffer_location), size_in_bytes };
        self.device.create_constant_buffer_view(Some(&desc), self.views.cpu_start())
    }

    fn sampler(&self, desc: &SamplerDesc) -> Result<(), Error> {
        self.device.create_sampler(desc, self.samplers.cpu_start())
    }
}

fn tex2d(most_detailed_mip: u32, mip_levels: Option<u32>) -> SrvDimension {
    SrvDimension::Texture2D { most_detailed_mip, mip_levels, plane_slice: 0, resource_min_lod_clamp: 0.0 }
}

fn tex2d_array(first_array_slice: u32, array_size: Option<u32>) -> SrvDimension {
    SrvDimension::Texture2DArray {
        most_detailed_mip: 0,
        mip_levels: ALL,
        first_array_slice,
        array_size,
        plane_slice: 0,
        resource_min_lod_clamp: 0.0,
    }
}

fn cubes(first_2d_array_face: u32, cube_count: Option<u32>) -> SrvDimension {
    SrvDimension::TextureCubeArray {
        most_detailed_mip: 0,
        mip_levels: ALL,
        first_2d_array_face,
        cube_count,
        resource_min_lod_clamp: 0.0,
    }
}

fn elements(first_element: u64, element_count: u32, stride: u32, flags: BufferViewFlags) -> SrvDimension {
    SrvDimension::Buffer { first_element, element_count, structure_byte_stride: stride, flags }
}

fn typed(first_element: u64, element_count: u32) -> SrvDimension {
    elements(first_element, element_count, 0, BufferViewFlags::empty())
}

fn structures(stride: u32, counter_offset_in_bytes: u64, flags: BufferViewFlags) -> UavDimension {
    UavDimension::Buffer {
        first_element: 0,
        element_count: 1,
        structure_byte_stride: stride,
        counter_offset_in_bytes,
        flags,
    }
}

const UAV_2D: UavDimension = UavDimension::Texture2D { mip_slice: 0, plane_slice: 0 };
const RTV_2D: RtvDimension = RtvDimension::Texture2D { mip_slice: 0, plane_slice: 0 };
const RAW: BufferViewFlags = BufferViewFlags::RAW;

const SRV_FORMAT: Option<MessageId> = Some(message::CREATESHADERRESOURCEVIEW_INVALIDFORMAT);
const SRV_DESC: Option<MessageId> = Some(message::CREATESHADERRESOURCEVIEW_INVALIDDESC);
const SRV_DIMENSIONS: Option<MessageId> = Some(message::CREATESHADERRESOURCEVIEW_INVALIDDIMENSIONS);
const HANDLE: Option<MessageId> = Some(message::INVALID_DESCRIPTOR_HANDLE);
const COUNTER: Option<MessageId> = Some(message::CREATE_UNORDEREDACCESS_VIEW_INVALID_COUNTER_USAGE);

#[test]
fn every_rule() {
    let mut broken = Broken::default();
    heaps(&mut broken);
    handles(&mut broken);
    copies(&mut broken);
    resources(&mut broken);
    formats(&mut broken);
    ranges(&mut broken);
    buffers(&mut broken);
    counters(&mut broken);
    constants(&mut broken);
    samplers(&mut broken);
    let missing: Vec<&str> =
        rules::ALL.iter().map(|rule| rule.id).filter(|id| !broken.0.contains(id)).collect();
    assert!(missing.is_empty(), "no call breaks {missing:?}");
}

fn heaps(broken: &mut Broken) {
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
    let samplers = create(&tier2, desc(SAMPLERS, 2049).shader_visible());
    broken.by(&rules::HEAP_SAMPLERS_MAX, large, samplers, ["2049", "at most 2048"]);
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

fn handles(broken: &mut Broken) {
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

fn copies(broken: &mut Broken) {
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

fn resources(broken: &mut Broken) {
    let bench = Bench::new();
    let plain = bench.texture(Format::R8G8B8A8_UNORM);
    let foreign = Bench::new().texture(Format::R8G8B8A8_UNORM);
    let other = bench.srv(Some(&foreign), Format::UNKNOWN, tex2d(0, ALL));
    broken.by(&rules::RESOURCE_DEVICE, None, other, ["another", "this"]);

    let message = Some(message::CREATERENDERTARGETVIEW_INVALIDRESOURCE);
    let rtv = bench.rtv(Some(&plain), Format::UNKNOWN, RTV_2D);
    broken.by(&rules::RESOURCE_FLAGS, message, rtv, ["NONE", "ALLOW_RENDER_TARGET"]);
    let message = Some(message::CREATEUNORDEREDACCESSVIEW_INVALIDRESOURCE);
    let uav = bench.uav(Some(&plain), Format::UNKNOWN, UAV_2D);
    broken.by(&rules::RESOURCE_FLAGS, message, uav, ["NONE", "ALLOW_UNORDERED_ACCESS"]);
    let message = Some(message::CREATEDEPTHSTENCILVIEW_INVALIDRESOURCE);
    let dsv = bench.dsv(&bench.texture(Format::R32_TYPELESS), Format::D32_FLOAT, DsvFlags::empty());
    broken.by(&rules::RESOURCE_FLAGS, message, dsv, ["NONE", "ALLOW_DEPTH_STENCIL"]);
    let flags = ResourceFlags::ALLOW_DEPTH_STENCIL | ResourceFlags::DENY_SHADER_RESOURCE;
    let denied = bench.commit(ResourceDesc::texture_2d(Format::R32_TYPELESS, 64, 64).with_flags(flags));
    let message = Some(message::CREATESHADERRESOURCEVIEW_INVALIDRESOURCE);
    let srv = bench.srv(Some(&denied), Format::R32_FLOAT, tex2d(0, ALL));
    broken.by(&rules::RESOURCE_FLAGS, message, srv, ["DENY_SHADER_RESOURCE", "none of"]);

    let at = bench.views.cpu_start();
    let null = bench.device.create_shader_resource_view(None, None, at);
    broken.by(&rules::NO_RESOURCE_NO_DESC, SRV_DESC, null, ["NULL", "a resource"]);
    let null = bench.device.create_depth_stencil_view(None, None, bench.depths.cpu_start());
    let dsv_desc = Some(message::CREATEDEPTHSTENCILVIEW_INVALIDDESC);
    broken.by(&rules::NO_RESOURCE_NO_DESC, dsv_desc, null, ["NULL", "a resource"]);
    for (resource, given) in [
        (bench.buffer(64), "BUFFER"),
        (bench.texture(Format::R8G8B8A8_TYPELESS), "R8G8B8A8_TYPELESS"),
        (bench.texture(Format::NV12), "NV12"),
    ] {
        let default = bench.device.create_shader_resource_view(Some(&resource), None, at);
        broken.by(&rules::DEFAULT, SRV_DESC, default, [given, "textures"]);
    }

    let line = bench.commit(ResourceDesc::texture_1d(Format::R8_UNORM, 64));
    let wrong = bench.srv(Some(&line), Format::UNKNOWN, tex2d(0, ALL));
    broken.by(&rules::DIMENSION, SRV_DIMENSIONS, wrong, ["TEXTURE2D", "TEXTURE1D"]);
    let wrong = bench.srv(Some(&line), Format::R8_UNORM, typed(0, 1));
    broken.by(&rules::DIMENSION, SRV_DIMENSIONS, wrong, ["BUFFER", "TEXTURE1D"]);
    let wrong = bench.srv(Some(&bench.buffer(64)), Format::R8_UNORM, tex2d(0, ALL));
    broken.by(&rules::DIMENSION, SRV_DIMENSIONS, wrong, ["TEXTURE2D", "BUFFER"]);
    let samples = bench.commit(render_target(64, 64).with_samples(4));
    let single = bench.srv(Some(&samples), Format::UNKNOWN, tex2d(0, ALL));
    broken.by(&rules::SAMPLES, SRV_DIMENSIONS, single, ["TEXTURE2D of a texture of 4", "TEXTURE2DMS"]);
    let multi = bench.srv(Some(&plain), Format::UNKNOWN, SrvDimension::Texture2DMs);
    broken.by(&rules::SAMPLES, SRV_DIMENSIONS, multi, ["TEXTURE2DMS of a texture of 1", "without MS"]);
    let unwritable = Bench::on(device("integrated-uma"));
    let uav = unwritable.uav(None, Format::R8G8B8A8_UNORM, UavDimension::Texture2DMs);
    let message = Some(message::CREATEUNORDEREDACCESSVIEW_INVALIDDIMENSIONS);
    broken.by(&rules::UAV_SAMPLES, message, uav, ["TEXTURE2DMS", "FALSE"]);
    bench.uav(None, Format::R8G8B8A8_UNORM, UavDimension::Texture2DMs).unwrap();

    let structure =
        |location| SrvDimension::RaytracingAccelerationStructure { location: GpuVirtualAddress(location) };
    let unaligned = bench.srv(None, Format::UNKNOWN, structure(0x1_0080));
    broken.by(&rules::ACCELERATION_STRUCTURE, SRV_DESC, unaligned, ["0x10080", "256"]);
    let with = bench.srv(Some(&plain), Format::UNKNOWN, structure(0x1_0000));
    broken.by(&rules::ACCELERATION_STRUCTURE, SRV_DESC, with, ["with a resource", "without"]);
    bench.srv(None, Format::UNKNOWN, structure(0x1_0000)).unwrap();

    let stencil_flags = Some(message::CREATEDEPTHSTENCILVIEW_INVALIDFLAGS);
    let depth = bench.commit(depth_stencil(64, 64));
    let none = bench.dsv(&depth, Format::UNKNOWN, DsvFlags::all());
    broken.by(&rules::DSV_FLAGS, stencil_flags, none, ["READ_ONLY_STENCIL", "READ_ONLY_DEPTH"]);
    let unknown = bench.dsv(&depth, Format::UNKNOWN, DsvFlags::from_bits_retain(4));
    broken.by(&rules::DSV_FLAGS, stencil_flags, unknown, ["0x4", "NONE"]);
    bench.dsv(&depth, Format::UNKNOWN, DsvFlags::READ_ONLY_DEPTH).unwrap();
}

fn formats(broken: &mut Broken) {
    let bench = Bench::new();
    let typeless = bench.texture(Format::R16_TYPELESS);
    for (format, given) in
        [(Format::UNKNOWN, "UNKNOWN, for a resource of R16_TYPELESS"), (Format::R16_TYPELESS, "R16_TYPELESS")]
    {
        let srv = bench.srv(Some(&typeless), format, tex2d(0, ALL));
        broken.by(&rules::FORMAT_TYPELESS, SRV_FORMAT, srv, [given, "typed"]);
    }
    let null = bench.srv(None, Format::UNKNOWN, tex2d(0, ALL));
    broken.by(&rules::FORMAT_TYPELESS, SRV_FORMAT, null, ["UNKNOWN, without a resource", "typed"]);
    let null = bench.rtv(None, Format::R8G8B8A8_TYPELESS, RTV_2D);
    let rtv_format = Some(message::CREATERENDERTARGETVIEW_INVALIDFORMAT);
    broken.by(&rules::FORMAT_TYPELESS, rtv_format, null, ["R8G8B8A8_TYPELESS", "typed"]);

    for (own, view, allowed) in [
        (Format::R8G8B8A8_UNORM, Format::R32_UINT, "R8G8B8A8_UNORM, R8G8B8A8_UNORM_SRGB, R8G8B8A8_UINT"),
        (Format::R32_FLOAT, Format::R32_UINT, "R32_FLOAT"),
        (Format::R32_UINT, Format::R32_FLOAT, "R32_UINT, R32_SINT"),
        (Format::R8_SNORM, Format::R8_UNORM, "R8_UINT, R8_SNORM, R8_SINT"),
        (Format::NV12, Format::NV12, "R8G8_UNORM, R8G8_UINT, R8_UNORM, R8_UINT"),
        (Format::NV12, Format::R16_UNORM, "R8_UNORM"),
        (Format::P8, Format::R8_UNORM, "no SRV of P8"),
    ] {
        let srv = bench.srv(Some(&bench.texture(own)), view, tex2d(0, ALL));
        broken.by(&rules::FORMAT_CAST, SRV_FORMAT, srv, [view.name(), allowed]);
    }
    // Once castable formats are named, they are all there is beside the resource's own.
    let named = bench.device.create_committed_resource(&CommittedResourceDesc {
        castable_formats: &[Format::R32_UINT],
        ..CommittedResourceDesc::new(HeapType::Default, rgba8(64, 64))
    });
    let named = named.unwrap();
    bench.srv(Some(&named), Format::R32_UINT, tex2d(0, ALL)).unwrap();
    bench.srv(Some(&named), Format::R8G8B8A8_UNORM, tex2d(0, ALL)).unwrap();
    let srv = bench.srv(Some(&named), Format::R8G8B8A8_UNORM_SRGB, tex2d(0, ALL));
    broken.by(&rules::FORMAT_CAST, SRV_FORMAT, srv, ["SRGB", "R8G8B8A8_UNORM, R32_UINT"]);

    let depth = bench.commit(depth_stencil(64, 64));
    let read = bench.srv(Some(&depth), Format::D32_FLOAT, tex2d(0, ALL));
    broken.by(&rules::FORMAT_USE, SRV_FORMAT, read, ["D32_FLOAT of a SRV", "read"]);
    bench.srv(Some(&depth), Format::R32_FLOAT, tex2d(0, ALL)).unwrap();
    let typed_family =
        ResourceDesc::texture_2d(Format::R16_TYPELESS, 64, 64).with_flags(ResourceFlags::ALLOW_DEPTH_STENCIL);
    let dsv = bench.dsv(&bench.commit(typed_family), Format::R16_UNORM, DsvFlags::empty());
    let dsv_format = Some(message::CREATEDEPTHSTENCILVIEW_INVALIDFORMAT);
    broken.by(&rules::FORMAT_USE, dsv_format, dsv, ["R16_UNORM of a DSV", "D16_UNORM"]);
    let srgb = bench.uav(Some(&bench.written(Format::R8G8B8A8_UNORM)), Format::R8G8B8A8_UNORM_SRGB, UAV_2D);
    let uav_format = Some(message::CREATEUNORDEREDACCESSVIEW_INVALIDFORMAT);
    broken.by(&rules::FORMAT_USE, uav_format, srgb, ["SRGB", "write"]);
    let blocks = bench.rtv(None, Format::BC1_UNORM, RTV_2D);
    let unsupported = Some(message::CREATERENDERTARGETVIEW_UNSUPPORTEDFORMAT);
    broken.by(&rules::FORMAT_USE, unsupported, blocks, ["BC1_UNORM", "rendered"]);
    let feedback = bench.srv(None, Format::SAMPLER_FEEDBACK_MIN_MIP_OPAQUE, tex2d(0, ALL));
    broken.by(&rules::FORMAT_USE, SRV_FORMAT, feedback, ["OPAQUE", "read"]);

    let plane = |own, view, plane_slice| {
        let dimension = SrvDimension::Texture2D {
            most_detailed_mip: 0,
            mip_levels: ALL,
            plane_slice,
            resource_min_lod_clamp: 0.0,
        };
        bench.srv(Some(&bench.texture(own)), view, dimension)
    };
    let planes = Some(message::CREATESHADERRESOURCEVIEW_INVALIDPLANESLICE);
    let stencil = plane(Format::R24G8_TYPELESS, Format::X24_TYPELESS_G8_UINT, 0);
    broken.by(&rules::PLANE, planes, stencil, ["0", "1, which format X24_TYPELESS_G8_UINT"]);
    let second = plane(Format::R8G8B8A8_UNORM, Format::UNKNOWN, 1);
    broken.by(&rules::PLANE, planes, second, ["1", "0, which format R8G8B8A8_UNORM"]);
    let video = Some(message::CREATESHADERRESOURCEVIEW_INVALIDVIDEOPLANESLICE);
    let chroma = plane(Format::NV12, Format::R8G8_UNORM, 0);
    broken.by(&rules::PLANE, video, chroma, ["0", "1, which format R8G8_UNORM"]);
    plane(Format::R24G8_TYPELESS, Format::X24_TYPELESS_G8_UINT, 1).unwrap();
    plane(Format::NV12, Format::R8_UNORM, 0).unwrap();
}

fn ranges(broken: &mut Broken) {
    let bench = Bench::new();
    let flags = ResourceFlags::ALLOW_RENDER_TARGET | ResourceFlags::ALLOW_UNORDERED_ACCESS;
    let texture = bench.commit(rgba8(64, 64).with_mip_levels(7).with_array_size(13).with_flags(flags));
    let srv = |dimension| bench.srv(Some(&texture), Format::UNKNOWN, dimension);
    for (first, count, given) in [
        (7, ALL, "7 + the rest"),
        (0, Some(0), "0 + 0"),
        (1, Some(7), "1 + 7"),
        (u32::MAX, Some(1), "4294967295 + 1"),
        (0, Some(u32::MAX), "0 + 4294967295"),
    ] {
        broken.by(&rules::MIPS, SRV_DIMENSIONS, srv(tex2d(first, count)), [given, "7 mips"]);
    }
    srv(tex2d(6, Some(1))).unwrap();
    srv(tex2d(0, Some(7))).unwrap();
    let mip =
        bench.rtv(Some(&texture), Format::UNKNOWN, RtvDimension::Texture2D { mip_slice: 7, plane_slice: 0 });
    let rtv_dimensions = Some(message::CREATERENDERTARGETVIEW_INVALIDDIMENSIONS);
    broken.by(&rules::MIPS, rtv_dimensions, mip, ["7", "7 mips"]);

    for (first, count, given) in [
        (13, ALL, "13 + the rest"),
        (0, Some(0), "0 + 0"),
        (5, Some(9), "5 + 9"),
        (u32::MAX, Some(u32::MAX), "4294967295 + 4294967295"),
    ] {
        broken.by(&rules::SLICES, SRV_DIMENSIONS, srv(tex2d_array(first, count)), [given, "13 slices"]);
    }
    srv(tex2d_array(5, Some(8))).unwrap();
    let slices = UavDimension::Texture2DArray {
        mip_slice: 0,
        first_array_slice: 12,
        array_size: Some(2),
        plane_slice: 0,
    };
    let message = Some(message::CREATEUNORDEREDACCESSVIEW_INVALIDDIMENSIONS);
    let uav = bench.uav(Some(&texture), Format::UNKNOWN, slices);
    broken.by(&rules::SLICES, message, uav, ["12 + 2", "13 slices"]);

    // 13 slices: two cubes, from face 7 one.
    for (first, count) in [(0, Some(3)), (0, Some(0)), (2, Some(2)), (8, ALL), (0, Some(u32::MAX))] {
        let given = format!("from face {first}");
        broken.by(&rules::CUBE, SRV_DIMENSIONS, srv(cubes(first, count)), [&given, "13 slices"]);
    }
    srv(cubes(1, Some(2))).unwrap();
    srv(cubes(7, ALL)).unwrap();
    let oblong = bench.commit(rgba8(64, 32).with_array_size(6));
    let cube =
        SrvDimension::TextureCube { most_detailed_mip: 0, mip_levels: ALL, resource_min_lod_clamp: 0.0 };
    let srv_oblong = bench.srv(Some(&oblong), Format::UNKNOWN, cube);
    broken.by(&rules::CUBE, SRV_DIMENSIONS, srv_oblong, ["64 x 32", "square"]);
    let few = bench.srv(Some(&bench.commit(rgba8(64, 64).with_array_size(5))), Format::UNKNOWN, cube);
    broken.by(&rules::CUBE, SRV_DIMENSIONS, few, ["1 cubes from face 0", "5 slices"]);
    srv(cube).unwrap();

    let volume = ResourceDesc::texture_3d(Format::R8G8B8A8_UNORM, 16, 16, 20).with_mip_levels(5);
    let volume = bench.commit(volume.with_flags(flags));
    let w = |mip_slice, first_w_slice, w_size| {
        bench.rtv(
            Some(&volume),
            Format::UNKNOWN,
            RtvDimension::Texture3D { mip_slice, first_w_slice, w_size },
        )
    };
    // 20, 10, 5, 2, 1.
    for (mip, first, count, depth) in
        [(0, 20, ALL, 20), (0, 19, Some(2), 20), (2, 4, Some(2), 5), (4, 0, Some(2), 1)]
    {
        let allowed = format!("within the {depth} of mip {mip}");
        broken.by(&rules::W_SLICES, rtv_dimensions, w(mip, first, count), [&first.to_string(), &allowed]);
    }
    w(2, 4, ALL).unwrap();
    w(4, 0, Some(1)).unwrap();

    for clamp in [-1.0, f32::NAN] {
        let clamped = srv(SrvDimension::Texture2D {
            most_detailed_mip: 0,
            mip_levels: ALL,
            plane_slice: 0,
            resource_min_lod_clamp: clamp,
        });
        broken.by(&rules::LOD_CLAMP, SRV_DESC, clamped, [&clamp.to_string(), "0 and more"]);
    }
}

fn buffers(broken: &mut Broken) {
    let bench = Bench::new();
    let buffer = bench.buffer(1000);
    let srv = |format, dimension| bench.srv(Some(&buffer), format, dimension);
    let unknown = BufferViewFlags::from_bits_retain(2);
    let flags = srv(Format::UNKNOWN, elements(0, 1, 0, unknown));
    broken.by(&rules::BUFFER_FLAGS, SRV_DESC, flags, ["0x2", "RAW"]);
    let flags = bench.uav(Some(&buffer), Format::UNKNOWN, structures(0, 0, unknown));
    let uav_flags = Some(message::CREATEUNORDEREDACCESSVIEW_INVALIDFLAGS);
    broken.by(&rules::BUFFER_FLAGS, uav_flags, flags, ["0x2", "RAW"]);

    for format in [Format::UNKNOWN, Format::R32_TYPELESS, Format::BC1_UNORM, Format::D32_FLOAT, Format::NV12]
    {
        broken.by(&rules::BUFFER_FORMAT, SRV_FORMAT, srv(format, typed(0, 1)), [format.name(), "stride"]);
        let null = bench.srv(None, format, typed(0, 1));
        broken.by(&rules::BUFFER_FORMAT, SRV_FORMAT, null, [format.name(), "stride"]);
    }
    let plain = BufferViewFlags::empty();
    for stride in [2, 6, 2049, 2052, u32::MAX] {
        let refused = srv(Format::UNKNOWN, elements(0, 1, stride, plain));
        broken.by(&rules::BUFFER_STRUCTURED, SRV_DESC, refused, [&stride.to_string(), "of 4 up to 2048"]);
    }
    let formatted = srv(Format::R32_UINT, elements(0, 1, 4, plain));
    broken.by(&rules::BUFFER_STRUCTURED, SRV_FORMAT, formatted, ["R32_UINT", "UNKNOWN"]);
    srv(Format::UNKNOWN, elements(0, 1, 12, plain)).unwrap();

    let raw = srv(Format::R32_UINT, elements(0, 1, 0, RAW));
    broken.by(&rules::BUFFER_RAW, SRV_FORMAT, raw, ["R32_UINT", "R32_TYPELESS"]);
    let raw = srv(Format::R32_TYPELESS, elements(0, 1, 4, RAW));
    broken.by(&rules::BUFFER_RAW, SRV_DESC, raw, ["4", "0"]);
    let raw = srv(Format::R32_TYPELESS, elements(3, 1, 0, RAW));
    broken.by(&rules::BUFFER_RAW_OFFSET, SRV_DESC, raw, ["3, at byte 12", "multiples of 16"]);
    srv(Format::R32_TYPELESS, elements(4, 246, 0, RAW)).unwrap();
    raw_addresses(broken);

    let none = srv(Format::R32_UINT, typed(0, 0));
    broken.by(&rules::BUFFER_ELEMENTS, SRV_DESC, none, ["0", "1 to 134217728"]);
    let large = bench.buffer(1 << 30);
    bench.srv(Some(&large), Format::R8_UINT, typed(0, 1 << 27)).unwrap();
    let many = bench.srv(Some(&large), Format::R8_UINT, typed(0, (1 << 27) + 1));
    broken.by(&rules::BUFFER_ELEMENTS, SRV_DESC, many, ["134217729", "134217728"]);
    bench.srv(Some(&large), Format::R32_TYPELESS, elements(0, 1 << 28, 0, RAW)).unwrap();

    // 1000 bytes are 250 dwords and 83 structures of 12.
    srv(Format::R32_UINT, typed(249, 1)).unwrap();
    for (format, dimension, given, allowed) in [
        (Format::R32_UINT, typed(0, 251), "(0 + 251) x 4 = 1004", "1000 bytes, 250 elements"),
        (Format::R32_UINT, typed(250, 1), "(250 + 1) x 4 = 1004", "1000"),
        (Format::R32G32B32_FLOAT, typed(83, 1), "(83 + 1) x 12 = 1008", "83 elements"),
        (Format::UNKNOWN, elements(0, 84, 12, plain), "(0 + 84) x 12 = 1008", "83 elements"),
        (Format::R32_TYPELESS, elements(0, 251, 0, RAW), "(0 + 251) x 4", "250 elements"),
        (Format::R32_UINT, typed(u64::MAX, 1), "beyond 64 bits", "1000"),
        (Format::R32_UINT, typed(1 << 62, 1), "beyond 64 bits", "1000"),
        (Format::R32_UINT, typed(1 << 61, 1), "9223372036854775812", "1000"),
    ] {
        broken.by(&rules::BUFFER_RANGE, SRV_DIMENSIONS, srv(format, dimension), [given, allowed]);
    }
    let target = ResourceDesc::buffer(64).with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
    let target = bench.commit(target);
    let view = RtvDimension::Buffer { first_element: 0, element_count: 4 };
    bench.rtv(Some(&target), Format::R32G32B32A32_FLOAT, view).unwrap();
    let three = bench.rtv(Some(&target), Format::R32G32B32_FLOAT, view);
    let unsupported = Some(message::CREATERENDERTARGETVIEW_UNSUPPORTEDFORMAT);
    broken.by(&rules::FORMAT_USE, unsupported, three, ["R32G32B32_FLOAT", "rendered"]);
}

/// A buffer that is aligned to 8 bytes only: its first byte is no place for a raw view.
fn raw_addresses(broken: &mut Broken) {
    let bench = Bench::on(device("cache-coherent-uma"));
    let heap = bench.device.create_heap(&HeapDesc::new(MIB, HeapType::Default)).unwrap();
    let place = |offset| {
        bench
            .device
            .create_placed_resource(&heap, offset, &PlacedResourceDesc::new(tight_buffer(64)))
            .unwrap()
    };
    let raw = |buffer: &Resource| bench.srv(Some(buffer), Format::R32_TYPELESS, elements(0, 4, 0, RAW));
    raw(&place(16)).unwrap();
    let message = Some(message::CREATESHADERRESOURCEVIEW_INVALIDRESOURCE);
    broken.by(&rules::BUFFER_RAW_OFFSET, message, raw(&place(24)), ["a buffer at 0x", "multiples of 16"]);
}

fn counters(broken: &mut Broken) {
    let bench = Bench::new();
    let (buffer, counter) = (bench.buffer(1000), bench.buffer(8196));
    let plain = BufferViewFlags::empty();
    let view =
        |offset| bench.counted(Some(&buffer), Some(&counter), Format::UNKNOWN, structures(4, offset, plain));
    view(0).unwrap();
    view(8192).unwrap();
    let alone = bench.uav(Some(&buffer), Format::UNKNOWN, structures(4, 4096, plain));
    broken.by(&rules::COUNTER_MISSING, COUNTER, alone, ["4096", "0"]);
    for offset in [4, 2048, 12288, u64::MAX, u64::MAX - 4095] {
        broken.by(&rules::COUNTER_OFFSET, COUNTER, view(offset), [&offset.to_string(), "multiples of 4096"]);
    }
    let null = bench.counted(None, Some(&counter), Format::UNKNOWN, structures(4, 0, plain));
    broken.by(&rules::COUNTER_VIEW, COUNTER, null, ["NULL resource", "structured"]);
    let at = bench.views.cpu_start();
    let undescribed = bench.device.create_unordered_access_view(Some(&buffer), Some(&counter), None, at);
    broken.by(&rules::COUNTER_VIEW, COUNTER, undescribed, ["NULL description", "structured"]);
    let typed = bench.counted(Some(&buffer), Some(&counter), Format::R32_UINT, structures(0, 0, plain));
    broken.by(&rules::COUNTER_VIEW, COUNTER, typed, ["without a stride", "structured"]);
    let texture = bench.written(Format::R32_UINT);
    let textured = bench.counted(Some(&texture), Some(&counter), Format::UNKNOWN, UAV_2D);
    broken.by(&rules::COUNTER_VIEW, COUNTER, textured, ["texture", "structured"]);
    for (counter, given) in [
        (bench.commit(ResourceDesc::buffer(64)), "BUFFER with flags NONE"),
        (bench.written(Format::R32_UINT), "TEXTURE2D"),
    ] {
        let wrong = bench.counted(Some(&buffer), Some(&counter), Format::UNKNOWN, structures(4, 0, plain));
        broken.by(&rules::COUNTER_RESOURCE, COUNTER, wrong, [given, "ALLOW_UNORDERED_ACCESS"]);
    }
    let foreign = Bench::new().buffer(64);
    let other = bench.counted(Some(&buffer), Some(&foreign), Format::UNKNOWN, structures(4, 0, plain));
    broken.by(&rules::RESOURCE_DEVICE, None, other, ["another", "this"]);
}

fn constants(broken: &mut Broken) {
    let bench = Bench::new();
    let buffer = bench.commit(ResourceDesc::buffer(1000));
    let address = buffer.gpu_virtual_address().0;
    let desc = Some(message::CREATE_CONSTANT_BUFFER_VIEW_INVALID_DESC);
    let resource = Some(message::CREATE_CONSTANT_BUFFER_VIEW_INVALID_RESOURCE);
    bench.cbv(address, 256).unwrap();
    bench.cbv(address + 256, 512).unwrap();
    bench.cbv(0, 0).unwrap();
    for location in [address + 128, address + 1] {
        let given = format!("{location:#x}");
        broken.by(&rules::CBV_LOCATION, desc, bench.cbv(location, 256), [&given, "multiples of 256"]);
    }
    broken.by(&rules::CBV_LOCATION, desc, bench.cbv(0, 256), ["0x0 with a size of 256", "multiples of 256"]);
    for size in [0, 255, 257, 65_792, u32::MAX] {
        let refused = bench.cbv(address, size);
        broken.by(&rules::CBV_SIZE, desc, refused, [&size.to_string(), "of 256 up to 65536"]);
    }
    // 1000 bytes are three times 256 and a rest.
    broken.by(&rules::CBV_RANGE, resource, bench.cbv(address, 1024), ["1024 from byte 0", "1000 bytes"]);
    broken.by(&rules::CBV_RANGE, resource, bench.cbv(address + 768, 256), ["256 from byte 768", "1000"]);
    drop(buffer);
    let gone = bench.cbv(address, 256);
    broken.by(&rules::CBV_RANGE, resource, gone, [&format!("{address:#x}"), "buffers that exist"]);
    let heap = bench.device.create_heap(&HeapDesc::new(65_536, HeapType::Default)).unwrap();
    let address = heap.gpu_virtual_address().0;
    bench.cbv(address, 65_536).unwrap();
    let past = bench.cbv(address + 256, 65_536);
    broken.by(&rules::CBV_RANGE, resource, past, ["65536 from byte 256", "65536 bytes"]);
}

fn samplers(broken: &mut Broken) {
    let bench = Bench::new();
    let invalid = Some(message::CREATE_SAMPLER_INVALID);
    let linear = SamplerDesc::new(Filter::MIN_MAG_MIP_LINEAR);
    let anisotropic = SamplerDesc::new(Filter::ANISOTROPIC);
    bench.sampler(&linear).unwrap();
    bench.sampler(&anisotropic).unwrap();
    let point = Filter { mip_linear: false, ..Filter::ANISOTROPIC };
    let refused = bench.sampler(&SamplerDesc::new(point));
    broken.by(&rules::SAMPLER_FILTER, invalid, refused, ["0x54", "linear"]);
    for max_anisotropy in [0, 17] {
        let refused = bench.sampler(&SamplerDesc { max_anisotropy, ..anisotropic });
        broken.by(&rules::SAMPLER_ANISOTROPY, invalid, refused, [&max_anisotropy.to_string(), "1 to 16"]);
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

#[test]
fn after_a_refusal_a_descriptor_holds_what_it_held() {
    let bench = Bench::new();
    let texture = bench.texture(Format::R8G8B8A8_UNORM);
    bench.srv(Some(&texture), Format::R8G8B8A8_UINT, tex2d(0, Some(1))).unwrap();
    let held = bench.device.shader_resource_view(bench.views.cpu_start()).unwrap();
    bench.srv(Some(&texture), Format::R32_UINT, tex2d(0, Some(1))).unwrap_err();
    bench.uav(Some(&texture), Format::R8G8B8A8_UINT, UAV_2D).unwrap_err();
    bench.cbv(1, 256).unwrap_err();
    // The sizes differ in the last range only: nothing of the first is copied.
    let increment = bench.device.descriptor_handle_increment_size(VIEWS);
    let at = |index| bench.views.cpu_start().offset(index, increment);
    let source = DescriptorRanges { starts: &[at(8), at(63)], sizes: Some(&[1, 2]) };
    let destination = DescriptorRanges { starts: &[at(0)], sizes: Some(&[3]) };
    bench.device.copy_descriptors(destination, source, VIEWS).unwrap_err();
    assert_eq!(bench.device.shader_resource_view(at(0)).unwrap(), held);
}
