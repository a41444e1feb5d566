//! Work end to end: recorded before, submitted, run, waited for. Each beside what bounds it, in one run.
//!
//! `cargo bench -p heapstone --bench gpu`
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the bench")]

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use heapstone::spec::commands::{Box3D, CommandListType, FenceFlags};
use heapstone::spec::tiles::TileRangeFlags;
use heapstone::{
    CommandAllocator, CommandList, CommandQueue, CommandQueueDesc, CommittedResourceDesc, CpuPageProperty,
    Device, Fence, Format, GpuMode, HeapDesc, HeapProperties, HeapType, MemoryPool, PlacedFootprint, Profile,
    ReservedResourceDesc, Resource, ResourceBarrier, ResourceDesc, ResourceStates, TextureCopyLocation,
    UpdateTileMappingsDesc,
};
use heapstone_driver_soft::SoftDriverFactory;
use heapstone_layout::swizzle::engine::{CompiledPattern, LinearPitch, SwizzleRegion, SwizzledImage};
use heapstone_layout::swizzle::{BlockStrides, named_pattern};

const MIB: u64 = 1 << 20;

struct Rig {
    device: Device,
    queue: CommandQueue,
    fence: Fence,
    value: u64,
    allocator: CommandAllocator,
}

impl Rig {
    fn new(profile: &str, mode: GpuMode) -> Rig {
        let device = Device::builder()
            .profile(Profile::builtin(profile).unwrap())
            .driver(&SoftDriverFactory::default())
            .gpu_mode(mode)
            .build()
            .unwrap();
        let queue = device.create_command_queue(&CommandQueueDesc::new(CommandListType::Direct)).unwrap();
        let fence = device.create_fence(0, FenceFlags::empty()).unwrap();
        let allocator = device.create_command_allocator(CommandListType::Direct).unwrap();
        Rig { device, queue, fence, value: 0, allocator }
    }

    fn resource(&self, heap_type: HeapType, desc: ResourceDesc) -> Resource {
        self.device.create_committed_resource(&CommittedResourceDesc::new(heap_type, desc)).unwrap()
    }

    fn buffer(&self, heap_type: HeapType, size: u64) -> Resource {
        self.resource(heap_type, ResourceDesc::buffer(size))
    }

    fn list(&self, record: impl FnOnce(&mut CommandList)) -> CommandList {
        let mut list = self.device.create_command_list(CommandListType::Direct, &self.allocator).unwrap();
        record(&mut list);
        list.close().unwrap();
        list
    }

    fn run(&mut self, list: &CommandList) {
        self.queue.execute_command_lists(&[list]).unwrap();
        self.value += 1;
        self.queue.signal(&self.fence, self.value).unwrap();
        self.fence.wait(self.value).unwrap();
    }
}

fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(20).measurement_time(Duration::from_secs(2));
    group
}

fn empty(criterion: &mut Criterion) {
    let mut group = group(criterion, "empty list, execute and wait");
    for mode in [GpuMode::Immediate, GpuMode::Threaded] {
        let mut rig = Rig::new("discrete-8g", mode);
        let list = rig.list(|_| ());
        group.bench_function(format!("{mode:?}"), |bencher| bencher.iter(|| rig.run(&list)));
    }
}

fn copy_buffer(criterion: &mut Criterion) {
    let size = 64 * MIB;
    let length = usize::try_from(size).unwrap();
    let mut group = group(criterion, "64 MiB of a buffer");
    group.throughput(Throughput::Bytes(size));
    let (from, mut to) = (vec![1_u8; length], vec![2_u8; length]);
    group.bench_function("memcpy", |bencher| {
        bencher.iter(|| black_box(&mut to).copy_from_slice(black_box(&from)))
    });
    for mode in [GpuMode::Immediate, GpuMode::Threaded] {
        let mut rig = Rig::new("discrete-8g", mode);
        let (upload, target) = (rig.buffer(HeapType::Upload, size), rig.buffer(HeapType::Default, size));
        upload.write(0, &from).unwrap();
        let list = rig.list(|list| list.copy_buffer_region(&target, 0, &upload, 0, size).unwrap());
        group
            .bench_function(format!("CopyBufferRegion, {mode:?}"), |bencher| bencher.iter(|| rig.run(&list)));
    }
}

/// A texture that the CPU may write, in the profile's own pattern.
fn cpu_texture(rig: &Rig, desc: ResourceDesc) -> Resource {
    let properties = HeapProperties::custom(CpuPageProperty::WriteBack, MemoryPool::L0);
    let desc = CommittedResourceDesc {
        heap_properties: properties,
        ..CommittedResourceDesc::new(HeapType::Default, desc)
    };
    rig.device.create_committed_resource(&desc).unwrap()
}

/// As many bytes at a multiple of 64, as heaps are.
fn at_a_line(memory: &mut Vec<[u8; 64]>, bytes: u64) -> &mut [u8] {
    memory.resize(usize::try_from(bytes / 64).unwrap() + 1, [7; 64]);
    let memory = memory.as_flattened_mut();
    let begin = memory.as_ptr().align_offset(64);
    &mut memory[begin..][..usize::try_from(bytes).unwrap()]
}

fn texture(criterion: &mut Criterion) {
    let (extent, pitch) = (2048_u32, 8192_u32);
    let bytes = u64::from(extent) * u64::from(pitch);
    // The engine by itself, in one pattern: the rate hardly depends on which.
    let pattern = CompiledPattern::new(&named_pattern("standard_64KB_2D_32bpp").unwrap().pattern).unwrap();
    let strides = BlockStrides { row: u64::from(pitch) << 7, slice: 0, stacked_rows: 0 };
    let engine = SwizzledImage { pattern: &pattern, strides };
    let width_bytes = u64::from(pitch);
    let region = SwizzleRegion { width_bytes, height: extent, depth: 1, ..SwizzleRegion::default() };
    let linear = LinearPitch { row: u64::from(pitch), slice: bytes };
    let mut memory = [Vec::new(), Vec::new()];
    let [tiled, at_lines] = &mut memory;
    let (tiled, at_lines) = (at_a_line(tiled, bytes), at_a_line(at_lines, bytes));
    let desc = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, u64::from(extent), extent);
    for profile in
        ["discrete-8g", "cache-coherent-uma", "discrete-no-msaa64k", "integrated-uma", "discrete-256k-images"]
    {
        let mut group = group(criterion, &format!("2048x2048 RGBA8, {profile}"));
        group.throughput(Throughput::Bytes(bytes));
        let mut rig = Rig::new(profile, GpuMode::Immediate);
        let upload = rig.buffer(HeapType::Upload, bytes);
        let rows = vec![7_u8; usize::try_from(bytes).unwrap()];
        upload.write(0, &rows).unwrap();
        let target = rig.resource(HeapType::Default, desc);
        let footprint = PlacedFootprint {
            offset: 0,
            format: Format::R8G8B8A8_UNORM,
            width: extent,
            height: extent,
            depth: 1,
            row_pitch: pitch,
        };
        let list = rig.list(|list| {
            let (to, from) = (
                TextureCopyLocation::subresource(&target, 0),
                TextureCopyLocation::footprint(&upload, footprint),
            );
            list.copy_texture_region(&to, 0, 0, 0, &from, None).unwrap();
        });
        let mut copy = rows.clone();
        group.bench_function("memcpy", |bencher| {
            bencher.iter(|| black_box(&mut copy).copy_from_slice(black_box(&rows)));
        });
        group.bench_function("the swizzle engine alone, to tiled", |bencher| {
            bencher.iter(|| engine.write(black_box(tiled), &region, at_lines, linear).unwrap());
        });
        group.bench_function("CopyTextureRegion", |bencher| bencher.iter(|| rig.run(&list)));
        let target = cpu_texture(&rig, desc);
        group.bench_function("WriteToSubresource", |bencher| {
            bencher.iter(|| target.write_to_subresource(0, None, &rows, pitch, 0).unwrap());
        });
        group.bench_function("the swizzle engine alone, to rows", |bencher| {
            bencher.iter(|| engine.read(tiled, &region, black_box(at_lines), linear).unwrap());
        });
        group.bench_function("ReadFromSubresource", |bencher| {
            bencher.iter(|| target.read_from_subresource(at_lines, pitch, 0, 0, None).unwrap());
        });
        // A large vector begins 16 bytes beyond a line.
        group.bench_function("ReadFromSubresource, into a vector", |bencher| {
            bencher.iter(|| target.read_from_subresource(&mut copy, pitch, 0, 0, None).unwrap());
        });
    }
}

fn small_copies(criterion: &mut Criterion) {
    let count = 262_144_u32;
    let mut group = group(criterion, "262144 copies of 16x16 texels, a barrier after each");
    group.throughput(Throughput::Elements(u64::from(count)));
    let mut rig = Rig::new("discrete-8g", GpuMode::Immediate);
    let upload = rig.buffer(HeapType::Upload, 16 * 1024);
    let texture =
        rig.resource(HeapType::Default, ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 2048, 2048));
    let footprint = PlacedFootprint {
        offset: 0,
        format: Format::R8G8B8A8_UNORM,
        width: 16,
        height: 16,
        depth: 1,
        row_pitch: 256,
    };
    let record = |list: &mut CommandList| {
        let (to, from) = (
            TextureCopyLocation::subresource(&texture, 0),
            TextureCopyLocation::footprint(&upload, footprint),
        );
        let texels = Box3D { left: 0, top: 0, front: 0, right: 16, bottom: 16, back: 1 };
        let [dest, read] = [ResourceStates::COPY_DEST, ResourceStates::PIXEL_SHADER_RESOURCE];
        for copy in 0..count {
            let (x, y) = (copy % 128 * 16, copy / 128 % 128 * 16);
            list.copy_texture_region(&to, x, y, 0, &from, Some(&texels)).unwrap();
            let (before, after) = if copy % 2 == 0 { (dest, read) } else { (read, dest) };
            list.resource_barrier(&[ResourceBarrier::transition(&texture, before, after)]).unwrap();
        }
    };
    let list = rig.list(record);
    group.bench_function("executed", |bencher| bencher.iter(|| rig.run(&list)));
    let mut list = rig.device.create_closed_command_list(CommandListType::Direct).unwrap();
    let allocator = rig.allocator.clone();
    group.bench_function("recorded", |bencher| {
        bencher.iter(|| {
            list.reset(&allocator).unwrap();
            record(&mut list);
            list.close().unwrap();
        });
    });
}

fn tiles(criterion: &mut Criterion) {
    let mut group = group(criterion, "tiles");
    let rig = Rig::new("discrete-8g", GpuMode::Immediate);
    let heap = rig.device.create_heap(&HeapDesc::new(64 * MIB, HeapType::Default)).unwrap();
    let desc = ReservedResourceDesc::new(ResourceDesc::buffer(64 * MIB));
    let buffer = rig.device.create_reserved_resource(&desc).unwrap();
    for tiles in [1_u32, 1024] {
        group.bench_function(format!("UpdateTileMappings of {tiles}"), |bencher| {
            bencher.iter(|| {
                let update = UpdateTileMappingsDesc {
                    region_start_coordinates: Some(&[Default::default()]),
                    region_sizes: Some(&[heapstone::spec::tiles::TileRegionSize::tiles(tiles)]),
                    heap: Some(&heap),
                    range_flags: Some(&[TileRangeFlags::empty()]),
                    heap_range_start_offsets: Some(&[0]),
                    range_tile_counts: Some(&[tiles]),
                    ..UpdateTileMappingsDesc::default()
                };
                rig.queue.update_tile_mappings(&buffer, &update).unwrap();
            });
        });
    }
    group.bench_function("reserved resource of 64 MiB, created and released", |bencher| {
        bencher.iter(|| rig.device.create_reserved_resource(&desc).unwrap());
    });
}

criterion_group!(benches, empty, copy_buffer, texture, small_copies, tiles);
criterion_main!(benches);
