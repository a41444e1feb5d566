//! Creation, release, mapping and queries, each beside a lower bound or a plain rival in the same run:
//! `arc` allocates and frees what the handle itself needs, `atomics` does the two operations that a
//! counted Map and Unmap cannot do without, `btree` is a first-fit allocator over an ordered map.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use heapstone::{
    Backing, CommittedResourceDesc, Device, FootprintOutputs, Format, Heap, HeapDesc, HeapType, MapPointer,
    PlacedFootprint, PlacedResourceDesc, Profile, ResourceDesc,
};
use heapstone_driver_soft::SoftDriverFactory;

const MIB: u64 = 1 << 20;

fn device(backing: Backing) -> Device {
    Device::builder()
        .profile(Profile::builtin("discrete-8g").expect("a built-in profile"))
        .driver(&SoftDriverFactory::default())
        .backing(backing)
        .build()
        .expect("the device is built")
}

fn backings() -> [(&'static str, Backing); 2] {
    [("phantom", Backing::Phantom), ("host", Backing::Host)]
}

fn texture() -> ResourceDesc {
    ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 1024, 1024).with_mip_levels(11)
}

fn placed(c: &mut Criterion) {
    let mut group = c.benchmark_group("placed");
    for (name, backing) in backings() {
        let device = device(backing);
        let heap = device.create_heap(&HeapDesc::new(64 * MIB, HeapType::Default)).expect("the heap fits");
        let buffer = PlacedResourceDesc::new(ResourceDesc::buffer(4096));
        group.bench_function(BenchmarkId::new("buffer", name), |b| {
            b.iter(|| {
                device.create_placed_resource(&heap, black_box(65_536), black_box(&buffer)).expect("legal")
            });
        });
        let texture = PlacedResourceDesc::new(texture());
        group.bench_function(BenchmarkId::new("texture", name), |b| {
            b.iter(|| {
                device.create_placed_resource(&heap, black_box(65_536), black_box(&texture)).expect("legal")
            });
        });
    }
    group.bench_function("arc of the same size", |b| b.iter(|| black_box(Arc::new([0_u64; 32]))));
    group.finish();
}

fn heaps(c: &mut Criterion) {
    let mut group = c.benchmark_group("heap");
    for (name, backing) in backings() {
        let device = device(backing);
        for (size, text) in [(65_536, "64 KiB"), (64 * MIB, "64 MiB")] {
            let desc = HeapDesc::new(size, HeapType::Default);
            group.bench_function(BenchmarkId::new(text, name), |b| {
                b.iter(|| device.create_heap(black_box(&desc)).expect("the heap fits"));
            });
        }
        let buffer = CommittedResourceDesc::new(HeapType::Default, ResourceDesc::buffer(4096));
        group.bench_function(BenchmarkId::new("committed buffer", name), |b| {
            b.iter(|| device.create_committed_resource(black_box(&buffer)).expect("the buffer fits"));
        });
    }
    group.bench_function("btree first fit", |b| {
        let mut free = BTreeMap::from([(0_u64, 8 * 1024 * MIB)]);
        b.iter(|| first_fit(black_box(&mut free), black_box(65_536)));
    });
    group.finish();
}

/// Takes a range and gives it back.
fn first_fit(free: &mut BTreeMap<u64, u64>, size: u64) {
    let (begin, end) = free.iter().map(|(b, e)| (*b, *e)).find(|(b, e)| e - b >= size).expect("a free range");
    free.remove(&begin);
    free.insert(begin + size, end);
    let end = free.remove(&(begin + size)).expect("the rest");
    free.insert(begin, end);
}

fn mapping(c: &mut Criterion) {
    let mut group = c.benchmark_group("map");
    let device = device(Backing::Host);
    let buffer = device
        .create_committed_resource(&CommittedResourceDesc::new(HeapType::Upload, ResourceDesc::buffer(4096)))
        .expect("the buffer fits");
    group.bench_function("map + unmap", |b| {
        b.iter(|| {
            let mapping = black_box(&buffer).map(0, None, MapPointer::Wanted).expect("an upload buffer");
            black_box(mapping.pointer);
            black_box(&buffer).unmap(0, None).expect("it is mapped");
        });
    });
    let count = AtomicU32::new(0);
    group.bench_function("atomics", |b| {
        b.iter(|| {
            black_box(&count).fetch_add(1, Ordering::Relaxed);
            black_box(&count).fetch_sub(1, Ordering::Relaxed);
        });
    });
    group.finish();
}

fn queries(c: &mut Criterion) {
    let mut group = c.benchmark_group("query");
    let device = device(Backing::Phantom);
    let buffer = [ResourceDesc::buffer(4096)];
    group.bench_function("allocation info of a buffer", |b| {
        b.iter(|| device.get_resource_allocation_info(0, black_box(&buffer)));
    });
    let texture = [texture()];
    group.bench_function("allocation info of a texture with 11 mips", |b| {
        b.iter(|| device.get_resource_allocation_info(0, black_box(&texture)));
    });
    let unwritten =
        PlacedFootprint { offset: 0, format: Format::UNKNOWN, width: 0, height: 0, depth: 0, row_pitch: 0 };
    let mut layouts = [unwritten; 11];
    let (mut rows, mut sizes) = ([0; 11], [0; 11]);
    group.bench_function("footprints of a texture with 11 mips", |b| {
        b.iter(|| {
            let outputs = FootprintOutputs {
                layouts: Some(&mut layouts),
                row_counts: Some(&mut rows),
                row_sizes: Some(&mut sizes),
            };
            device.get_copyable_footprints(black_box(&texture[0]), 0, 11, 0, outputs).expect("legal")
        });
    });
    group.finish();
}

/// Resources created by one thread, and by two at once: elapsed time for the same number each. Perfect
/// scaling takes two threads as long as one.
fn threads(c: &mut Criterion) {
    let mut group = c.benchmark_group("threads");
    let device = device(Backing::Phantom);
    for count in [1, 2] {
        // What the system's allocator gives for two objects of such sizes: the bound of what follows.
        group.bench_function(BenchmarkId::new("allocations", count), |b| {
            b.iter_custom(|iterations| together(count, |_| allocate(iterations)));
        });
        group.bench_function(BenchmarkId::new("committed buffer", count), |b| {
            b.iter_custom(|iterations| together(count, |_| commit(&device, iterations)));
        });
        group.bench_function(BenchmarkId::new("placed buffer", count), |b| {
            let heaps: Vec<Heap> = (0..count)
                .map(|_| device.create_heap(&HeapDesc::new(MIB, HeapType::Default)).expect("the heap fits"))
                .collect();
            b.iter_custom(|iterations| together(count, |thread| place(&device, &heaps[thread], iterations)));
        });
    }
    group.finish();
}

fn together(threads: usize, work: impl Fn(usize) + Sync) -> Duration {
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for thread in 1..threads {
            let work = &work;
            scope.spawn(move || work(thread));
        }
        work(0);
    });
    begin.elapsed()
}

fn allocate(iterations: u64) {
    for _ in 0..iterations {
        black_box((Arc::new([0_u64; 32]), Arc::new([0_u64; 24])));
    }
}

fn commit(device: &Device, iterations: u64) {
    let desc = CommittedResourceDesc::new(HeapType::Default, ResourceDesc::buffer(4096));
    for _ in 0..iterations {
        black_box(device.create_committed_resource(black_box(&desc)).expect("the buffer fits"));
    }
}

fn place(device: &Device, heap: &Heap, iterations: u64) {
    let desc = PlacedResourceDesc::new(ResourceDesc::buffer(4096));
    for _ in 0..iterations {
        black_box(device.create_placed_resource(heap, 0, black_box(&desc)).expect("legal"));
    }
}

criterion_group!(benches, placed, heaps, mapping, queries, threads);
criterion_main!(benches);
