//! Views and copies of descriptors. `two locks` takes and gives back a read and a write lock, which a call
//! that finds its heap and writes its descriptor cannot do without; `memcpy` copies as many bytes as 1024
//! descriptors have, without the references that they count.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use heapstone::spec::views::{
    ComponentMapping, ConstantBufferViewDesc, CpuDescriptorHandle, DescriptorHeapDesc, DescriptorHeapType,
    Filter, RenderTargetViewDesc, RtvDimension, SamplerDesc, ShaderResourceViewDesc, SrvDimension,
};
use heapstone::{
    Backing, CommittedResourceDesc, DescriptorHeap, DescriptorRanges, Device, Format, HeapType, Profile,
    ResourceDesc, ResourceFlags,
};
use heapstone_driver_soft::SoftDriverFactory;
use parking_lot::RwLock;

const VIEWS: DescriptorHeapType = DescriptorHeapType::CbvSrvUav;

fn device() -> Device {
    Device::builder()
        .profile(Profile::builtin("discrete-8g").expect("a built-in profile"))
        .driver(&SoftDriverFactory::default())
        .backing(Backing::Phantom)
        .build()
        .expect("the device is built")
}

fn heap(device: &Device, heap_type: DescriptorHeapType, count: u32) -> DescriptorHeap {
    device.create_descriptor_heap(&DescriptorHeapDesc::new(heap_type, count)).expect("legal")
}

fn views(c: &mut Criterion) {
    let device = device();
    // Some heaps, as programs have.
    let others: Vec<_> = (0..12).map(|_| heap(&device, VIEWS, 1000)).collect();
    let (heap_of_views, targets) = (heap(&device, VIEWS, 4096), heap(&device, DescriptorHeapType::Rtv, 64));
    let samplers = heap(&device, DescriptorHeapType::Sampler, 64);
    let flags = ResourceFlags::ALLOW_RENDER_TARGET;
    let texture = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 1024, 1024).with_flags(flags);
    let create =
        |desc| device.create_committed_resource(&CommittedResourceDesc::new(HeapType::Default, desc));
    let texture = create(texture.with_mip_levels(11)).expect("legal");
    let buffer = create(ResourceDesc::buffer(65_536)).expect("legal");
    let srv = ShaderResourceViewDesc {
        format: Format::R8G8B8A8_UNORM_SRGB,
        dimension: SrvDimension::Texture2D {
            most_detailed_mip: 0,
            mip_levels: None,
            plane_slice: 0,
            resource_min_lod_clamp: 0.0,
        },
        component_mapping: ComponentMapping::IDENTITY,
    };
    let rtv = RenderTargetViewDesc {
        format: Format::UNKNOWN,
        dimension: RtvDimension::Texture2D { mip_slice: 0, plane_slice: 0 },
    };
    let cbv = ConstantBufferViewDesc { buffer_location: buffer.gpu_virtual_address(), size_in_bytes: 256 };
    let increment = device.descriptor_handle_increment_size(VIEWS);
    let mut index = 0;
    let mut next = || -> CpuDescriptorHandle {
        index = (index + 1) % 4096;
        heap_of_views.cpu_start().offset(index, increment)
    };
    let mut group = c.benchmark_group("view");
    group.bench_function("shader resource", |b| {
        b.iter(|| {
            device.create_shader_resource_view(Some(&texture), Some(black_box(&srv)), next()).expect("legal")
        });
    });
    group.bench_function("render target", |b| {
        let at = targets.cpu_start();
        b.iter(|| {
            device.create_render_target_view(Some(&texture), Some(black_box(&rtv)), at).expect("legal")
        });
    });
    group.bench_function("constant buffer", |b| {
        b.iter(|| device.create_constant_buffer_view(Some(black_box(&cbv)), next()).expect("legal"));
    });
    let sampler = SamplerDesc::new(Filter::ANISOTROPIC);
    group.bench_function("sampler", |b| {
        b.iter(|| device.create_sampler(black_box(&sampler), samplers.cpu_start()).expect("legal"));
    });
    group.bench_function("render target, read", |b| {
        b.iter(|| device.render_target_view(black_box(targets.cpu_start())).expect("there is one"));
    });
    let (outer, inner) = (RwLock::new(0_u64), RwLock::new(0_u64));
    group.bench_function("two locks", |b| {
        b.iter(|| {
            let outer = outer.read();
            *inner.write() += *outer;
        });
    });
    group.finish();
    drop(others);
}

fn copies(c: &mut Criterion) {
    let device = device();
    let (to, from) = (heap(&device, VIEWS, 4096), heap(&device, VIEWS, 4096));
    let increment = device.descriptor_handle_increment_size(VIEWS);
    let textures: Vec<_> = (0..1024)
        .map(|_| {
            let desc = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 4, 4);
            device
                .create_committed_resource(&CommittedResourceDesc::new(HeapType::Default, desc))
                .expect("legal")
        })
        .collect();
    let starts: Vec<_> = (0..1024).map(|index| from.cpu_start().offset(index, increment)).collect();
    for (texture, at) in textures.iter().zip(&starts) {
        device.create_shader_resource_view(Some(texture), None, *at).expect("legal");
    }
    let mut group = c.benchmark_group("copy");
    group.bench_function("one", |b| {
        b.iter(|| device.copy_descriptors_simple(1, to.cpu_start(), starts[5], VIEWS).expect("legal"));
    });
    group.bench_function("range of 1024", |b| {
        b.iter(|| device.copy_descriptors_simple(1024, to.cpu_start(), starts[0], VIEWS).expect("legal"));
    });
    group.bench_function("1024 ranges", |b| {
        let destination = DescriptorRanges { starts: &[to.cpu_start()], sizes: Some(&[1024]) };
        let source = DescriptorRanges { starts: &starts, sizes: None };
        b.iter(|| device.copy_descriptors(destination, source, VIEWS).expect("legal"));
    });
    let (mut bytes, source) = (vec![0_u8; 65_536], vec![1_u8; 65_536]);
    group.bench_function("memcpy", |b| b.iter(|| black_box(&mut bytes).copy_from_slice(black_box(&source))));
    group.finish();
    memcpy_ratio(&device, to.cpu_start(), starts[0]);
}

/// Prints how a copy of 1024 descriptors compares with memcpy of as many bytes as they have: the best of many
/// rounds of each, taken in turn, so that whatever else the machine does meets both.
fn memcpy_ratio(device: &Device, to: CpuDescriptorHandle, from: CpuDescriptorHandle) {
    let size = 1024 * usize::try_from(device.descriptor_handle_increment_size(VIEWS)).expect("small");
    let (mut bytes, source) = (vec![0_u8; size], vec![1_u8; size]);
    let mut best = [Duration::MAX; 2];
    for _ in 0..256 {
        let times = [
            timed(|| device.copy_descriptors_simple(1024, to, black_box(from), VIEWS).expect("legal")),
            timed(|| black_box(&mut bytes).copy_from_slice(black_box(&source))),
        ];
        best = [best[0].min(times[0]), best[1].min(times[1])];
    }
    let ratio = best[1].as_secs_f64() / best[0].as_secs_f64();
    println!("1024 descriptors at {ratio:.2}x memcpy of their {size} bytes (wanted: 0.5)");
}

/// Of 16 calls.
fn timed(mut work: impl FnMut()) -> Duration {
    let start = Instant::now();
    (0..16).for_each(|_| work());
    start.elapsed()
}

criterion_group!(benches, views, copies);
criterion_main!(benches);
