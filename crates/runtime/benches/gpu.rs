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
    CommandAllocator, CommandList, CommandQueue, CommandQueueDesc, CommittedResourceDesc, Device, Fence,
    Format, GpuMode, HeapDesc, HeapType, PlacedFootprint, Profile, ReservedResourceDesc, Resource,
    ResourceBarrier, ResourceDesc, ResourceStates, TextureCopyLocation, UpdateTileMappingsDesc,
};
use heapstone_driver_soft::SoftDriverFactory;

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

criterion_group!(benches, empty, copy_buffer, small_copies, tiles);
criterion_main!(benches);
