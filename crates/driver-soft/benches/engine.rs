//! What engines cost beside plain copies of the same bytes, and the swizzle engine called directly.
//!
//! Each group has its rival in it. The small copies go from 64 places of an upload buffer into a texture that stays in
//! the cache, so that what is measured is the way of a command; a texture of many megabytes measures the memory.
#![allow(clippy::unwrap_used, reason = "a failure here stops the benchmark")]
#![allow(clippy::cast_possible_truncation, reason = "sizes that are written here")]

#[path = "../tests/common/mod.rs"]
mod common;

use core::hint::black_box;
use std::sync::Arc;

use common::gpu::{Gpu, at, buffer, bytes_at, pitched, subresource, surfaces_of, texture_at};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use heapstone_driver::Backing;
use heapstone_driver::dma::{Barrier, Command, DmaBuffer, DmaBuilder};
use heapstone_driver::engine::{NullTileAccess, RowPitches, SurfaceBox, TileRun, TileTarget};
use heapstone_layout::swizzle::engine::{LinearPitch, SwizzleRegion, SwizzledImage};
use heapstone_layout::swizzle::{Storage, Surface};
use heapstone_spec::commands::ResourceBarrierFlags;
use heapstone_spec::{Format, ResourceDesc, ResourceStates};
use heapstone_units::GpuVirtualAddress;

const MIB: u64 = 1 << 20;
const BASE: u64 = 0x10_0000_0000;
const TEXTURE: u64 = BASE + 32 * MIB;

/// So many bytes that begin with a line, as heaps and mapped files do: only whole lines go around the caches, and a large
/// vector begins 16 bytes beyond a page or, once one was freed, anywhere.
struct Lines {
    memory: Vec<u8>,
    size: usize,
}

impl Lines {
    fn new(value: u8, size: usize) -> Lines {
        Lines { memory: vec![value; size + 63], size }
    }

    fn bytes(&mut self) -> &mut [u8] {
        let begin = self.memory.as_ptr().align_offset(64);
        &mut self.memory[begin..begin + self.size]
    }
}

/// A heap of `size` bytes, all touched.
fn gpu(size: u64) -> Gpu {
    let gpu = Gpu::new(Backing::Host, &[size]);
    gpu.heaps[0].bytes.write(0, &vec![7; size as usize]).unwrap();
    gpu
}

fn copy_buffer(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("CopyBuffer");
    let mut gpu = gpu(128 * MIB);
    let list = [bytes_at(BASE, 64 * MIB), bytes_at(BASE + 64 * MIB, 64 * MIB)];
    for size in [256 << 10, 4 * MIB, 64 * MIB] {
        group.throughput(Throughput::Bytes(size)).sample_size(20);
        let (from, mut to) = (vec![1_u8; size as usize], vec![2_u8; size as usize]);
        group.bench_function(BenchmarkId::new("memcpy", size), |bencher| {
            bencher.iter(|| black_box(&mut to).copy_from_slice(black_box(&from)));
        });
        let copy = Command::CopyBuffer { destination: at(0, BASE), source: at(1, BASE + 64 * MIB), size };
        let buffer = buffer(&list, &[copy]);
        group.bench_function(BenchmarkId::new("engine", size), |bencher| {
            bencher.iter(|| gpu.execute(black_box(&buffer)).unwrap());
        });
    }
    group.finish();
}

/// A texture of 2048 x 2048, and its rows in a buffer.
fn copy_region(criterion: &mut Criterion) {
    let desc = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 2048, 2048);
    for profile in ["cache-coherent-uma", "discrete-8g", "discrete-no-msaa64k"] {
        let mut group = criterion.benchmark_group(format!("2048x2048 RGBA8 {profile}"));
        group.throughput(Throughput::Bytes(16 * MIB)).sample_size(20);
        let surfaces = surfaces_of(profile, &desc);
        let Storage::Swizzled { pattern, strides } = surfaces[0].storage else { panic!("it is swizzled") };
        let image = SwizzledImage { pattern, strides };
        let region = SwizzleRegion { width_bytes: 8192, height: 2048, depth: 1, ..SwizzleRegion::default() };
        let pitch = LinearPitch { row: 8192, slice: 16 * MIB };
        let (mut swizzled, mut rows) = (Lines::new(1, surfaces[0].size as usize), Lines::new(2, 16 << 20));
        let (swizzled, rows) = (swizzled.bytes(), rows.bytes());
        group.bench_function("upload, swizzle engine alone", |bencher| {
            bencher.iter(|| image.write(swizzled, &region, black_box(rows), pitch).unwrap());
        });
        group.bench_function("readback, swizzle engine alone", |bencher| {
            bencher.iter(|| image.read(black_box(swizzled), &region, rows, pitch).unwrap());
        });

        let mut gpu = gpu(64 * MIB);
        let list = [bytes_at(BASE, 32 * MIB), texture_at(TEXTURE, &surfaces)];
        let (texture, linear) = (subresource(1, TEXTURE, 0), pitched(0, BASE, 8192, 16 * MIB));
        let copy = |destination, source| {
            let copy = Command::CopyRegion {
                destination,
                destination_origin: [0; 3],
                source,
                source_origin: [0; 3],
                size: [2048, 2048, 1],
                element_bytes_log2: 2,
                samples_log2: 0,
                mask: u32::MAX,
            };
            buffer(&list, &[copy])
        };
        for (name, buffer) in [("upload", copy(texture, linear)), ("readback", copy(linear, texture))] {
            group.bench_function(format!("{name}, CopyRegion"), |bencher| {
                bencher.iter(|| gpu.execute(black_box(&buffer)).unwrap());
            });
        }
        let of = SurfaceBox {
            resource_offset: TEXTURE - BASE,
            surface: &surfaces[0],
            origin: [0; 3],
            size: [2048, 2048, 1],
        };
        let pitches = RowPitches { row: 8192, slice: 16 * MIB };
        let heap = gpu.heaps[0].bytes.as_ref();
        group.bench_function("upload, write_box", |bencher| {
            bencher.iter(|| heap.write_box(&of, black_box(rows), pitches).unwrap());
        });
        group.bench_function("readback, read_box", |bencher| {
            bencher.iter(|| heap.read_box(&of, black_box(rows), pitches).unwrap());
        });
        group.finish();
    }
}

const SMALL_COPIES: u32 = 262_144;

/// Copies of 16 x 16 texels, each followed by a barrier, all over a texture of `side` x `side`.
fn small_copies(surfaces: &Arc<[Surface]>, side: u32) -> DmaBuffer {
    let mut builder = DmaBuilder::new(DmaBuffer::default());
    builder.add_allocation(bytes_at(BASE, 32 * MIB));
    builder.add_allocation(texture_at(TEXTURE, surfaces));
    for index in 0..SMALL_COPIES {
        let (x, y) = (index % (side / 16) * 16, index / (side / 16) % (side / 16) * 16);
        builder.begin_call();
        builder.push(&Command::CopyRegion {
            destination: subresource(1, TEXTURE, 0),
            destination_origin: [x, y, 0],
            source: pitched(0, BASE + u64::from(index % 64) * 4096, 256, 4096),
            source_origin: [0; 3],
            size: [16, 16, 1],
            element_bytes_log2: 2,
            samples_log2: 0,
            mask: u32::MAX,
        });
        builder.begin_call();
        builder.push(&Command::Barrier(Barrier::Transition {
            allocation: 1,
            subresource: 0,
            before: ResourceStates::COPY_DEST,
            after: ResourceStates::COMMON,
            flags: ResourceBarrierFlags::empty(),
        }));
    }
    builder.finish()
}

fn many_small(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("262144 copies of 16x16 and barriers");
    group.sample_size(10);
    for side in [256, 2048] {
        let desc = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, u64::from(side), side);
        let surfaces = surfaces_of("discrete-8g", &desc);
        let mut gpu = gpu(64 * MIB);
        let buffer = small_copies(&surfaces, side);
        group.bench_function(BenchmarkId::new("execute", side), |bencher| {
            bencher.iter(|| gpu.execute(black_box(&buffer)).unwrap());
        });
        let Storage::Swizzled { pattern, strides } = surfaces[0].storage else { panic!("it is swizzled") };
        let image = SwizzledImage { pattern, strides };
        let (mut swizzled, mut rows) = (Lines::new(1, surfaces[0].size as usize), Lines::new(2, 64 << 12));
        let (swizzled, rows) = (swizzled.bytes(), rows.bytes());
        let pitch = LinearPitch { row: 256, slice: 4096 };
        group.bench_function(BenchmarkId::new("swizzle engine alone", side), |bencher| {
            bencher.iter(|| {
                for index in 0..SMALL_COPIES {
                    let (x, y) = (index % (side / 16) * 16, index / (side / 16) % (side / 16) * 16);
                    let region = SwizzleRegion {
                        x_bytes: u64::from(x) * 4,
                        y,
                        width_bytes: 64,
                        height: 16,
                        depth: 1,
                        ..SwizzleRegion::default()
                    };
                    let first = (index % 64) as usize * 4096;
                    image.write(swizzled, &region, &rows[first..first + 4096], pitch).unwrap();
                }
            });
        });
    }
    group.finish();
}

fn tiles(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tiles");
    let mut gpu = gpu(64 * MIB);
    let resource = GpuVirtualAddress(0x7000_0000_0000);
    gpu.device.reserve(resource, 1024, NullTileAccess::Zero).unwrap();
    let run = |first_tile, tile_count| TileRun {
        first_tile,
        tile_count,
        target: TileTarget::Heap { heap: GpuVirtualAddress(BASE), first_tile, reuse_single_tile: false },
    };
    let mut tile = 0;
    group.bench_function("update one", |bencher| {
        bencher.iter(|| {
            tile = (tile + 1) % 1024;
            gpu.queue.update_tile_mappings(resource, black_box(&[run(tile, 1)])).unwrap();
        });
    });
    group.bench_function("update 1024 in one run", |bencher| {
        bencher.iter(|| gpu.queue.update_tile_mappings(resource, black_box(&[run(0, 1024)])).unwrap());
    });
    let each: Vec<TileRun> = (0..1024).map(|tile| run(tile, 1)).collect();
    group.bench_function("update 1024 in as many runs", |bencher| {
        bencher.iter(|| gpu.queue.update_tile_mappings(resource, black_box(&each)).unwrap());
    });
    let other = GpuVirtualAddress(0x6000_0000_0000);
    group.bench_function("reserve and release 1024", |bencher| {
        bencher.iter(|| {
            gpu.device.reserve(black_box(other), 1024, NullTileAccess::Zero).unwrap();
            gpu.device.release(other);
        });
    });
    let empty = buffer(&[], &[]);
    group.bench_function("execute nothing", |bencher| {
        bencher.iter(|| gpu.execute(black_box(&empty)).unwrap());
    });
    group.finish();
}

criterion_group!(benches, copy_buffer, copy_region, many_small, tiles);
criterion_main!(benches);
