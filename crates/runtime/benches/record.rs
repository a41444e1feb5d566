//! How long recording takes: a transition barrier, a copy of 256 bytes between buffers, a copy of 16 x 16 texels.
//!
//! `cargo bench -p heapstone --bench record`
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the bench")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use heapstone::spec::commands::CommandListType;
use heapstone::{
    Backing, CommandAllocator, CommandList, CommittedResourceDesc, Device, Format, HeapType, PlacedFootprint,
    Profile, Resource, ResourceBarrier, ResourceDesc, ResourceStates, TextureCopyLocation,
};
use heapstone_driver_soft::SoftDriverFactory;

/// Calls of one list: many enough that its reset does not count.
const CALLS: u64 = 10_000;

struct Recording {
    device: Device,
    allocator: CommandAllocator,
    list: CommandList,
}

impl Recording {
    fn new() -> Recording {
        let device = Device::builder()
            .profile(Profile::builtin("discrete-8g").unwrap())
            .driver(&SoftDriverFactory::default())
            .backing(Backing::Phantom)
            .build()
            .unwrap();
        let allocator = device.create_command_allocator(CommandListType::Direct).unwrap();
        let list = device.create_closed_command_list(CommandListType::Direct).unwrap();
        Recording { device, allocator, list }
    }

    fn resource(&self, heap_type: HeapType, desc: ResourceDesc) -> Resource {
        self.device.create_committed_resource(&CommittedResourceDesc::new(heap_type, desc)).unwrap()
    }

    /// One list of calls, in the memory of the one before.
    fn record(&mut self, mut call: impl FnMut(&mut CommandList, u64)) {
        self.list.reset(&self.allocator).unwrap();
        for number in 0..CALLS {
            call(&mut self.list, number);
        }
        self.list.close().unwrap();
    }
}

fn record(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("record");
    group.throughput(Throughput::Elements(CALLS));

    let mut recording = Recording::new();
    let texture =
        recording.resource(HeapType::Default, ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 2048, 2048));
    let [dest, read] = [ResourceStates::COPY_DEST, ResourceStates::PIXEL_SHADER_RESOURCE];
    group.bench_function("transition barrier", |bencher| {
        bencher.iter(|| {
            recording.record(|list, number| {
                let (before, after) = if number % 2 == 0 { (dest, read) } else { (read, dest) };
                list.resource_barrier(&[ResourceBarrier::transition(&texture, before, after)]).unwrap();
            });
        });
    });

    let upload = recording.resource(HeapType::Upload, ResourceDesc::buffer(CALLS * 1024));
    let buffer = recording.resource(HeapType::Default, ResourceDesc::buffer(CALLS * 256));
    group.bench_function("CopyBufferRegion of 256 bytes", |bencher| {
        bencher.iter(|| {
            recording.record(|list, number| {
                list.copy_buffer_region(&buffer, number * 256, &upload, number * 256, 256).unwrap();
            });
        });
    });

    let many: Vec<Resource> =
        (0..1000).map(|_| recording.resource(HeapType::Default, ResourceDesc::buffer(65_536))).collect();
    group.bench_function("CopyBufferRegion of 256 bytes between 1000 buffers", |bencher| {
        bencher.iter(|| {
            recording.record(|list, number| {
                let at = usize::try_from(number).unwrap();
                let (to, from) = (&many[at % 1000], &many[(at * 7 + 1) % 1000]);
                list.copy_buffer_region(to, 0, from, 256, 256).unwrap();
            });
        });
    });

    group.bench_function("CopyTextureRegion of 16 x 16 texels", |bencher| {
        bencher.iter(|| {
            recording.record(|list, number| {
                let footprint = PlacedFootprint {
                    offset: number % 256 * 4096,
                    format: Format::R8G8B8A8_UNORM,
                    width: 16,
                    height: 16,
                    depth: 1,
                    row_pitch: 256,
                };
                let at = u32::try_from(number).unwrap();
                let to = TextureCopyLocation::subresource(&texture, 0);
                let from = TextureCopyLocation::footprint(&upload, footprint);
                list.copy_texture_region(&to, at % 128 * 16, at / 128 % 128 * 16, 0, &from, None).unwrap();
            });
        });
    });
    group.finish();
}

criterion_group!(benches, record);
criterion_main!(benches);
