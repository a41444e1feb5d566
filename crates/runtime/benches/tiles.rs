//! Tile mappings and reserved resources. A queue that does its work in the call shows the whole cost: rules,
//! plan, packet, page tables. `btree` keeps the same mappings in an ordered map, a tile at a time.

use std::collections::BTreeMap;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use heapstone::spec::commands::CommandListType;
use heapstone::spec::tiles::{TileRangeFlags, TileRegionSize, TiledResourceCoordinate};
use heapstone::{
    Backing, CommandQueue, CommandQueueDesc, Device, Format, Heap, HeapDesc, HeapType, Profile,
    ReservedResourceDesc, Resource, ResourceDesc, TextureLayout, UpdateTileMappingsDesc,
};
use heapstone_driver_soft::SoftDriverFactory;

const MIB: u64 = 1 << 20;
const TILES: u32 = 1024;

struct Rig {
    device: Device,
    queue: CommandQueue,
    heap: Heap,
    texture: Resource,
}

fn rig() -> Rig {
    let device = Device::builder()
        .profile(Profile::builtin("discrete-8g").expect("a built-in profile"))
        .driver(&SoftDriverFactory::default())
        .backing(Backing::Host)
        .build()
        .expect("the device is built");
    let queue = device.create_command_queue(&CommandQueueDesc::new(CommandListType::Direct));
    let heap = device.create_heap(&HeapDesc::new(64 * MIB, HeapType::Default)).expect("the heap fits");
    // 32 x 32 tiles.
    let desc = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 4096, 4096);
    let desc = ReservedResourceDesc::new(desc.with_layout(TextureLayout::Undefined64KbSwizzle));
    let texture = device.create_reserved_resource(&desc).expect("legal");
    Rig { queue: queue.expect("the engine is there"), device, heap, texture }
}

fn update(c: &mut Criterion) {
    let rig = rig();
    let mut group = c.benchmark_group("update tile mappings");
    let one = [TiledResourceCoordinate::new(3, 5, 0, 0)];
    let desc = UpdateTileMappingsDesc {
        region_start_coordinates: Some(&one),
        heap: Some(&rig.heap),
        heap_range_start_offsets: Some(&[7]),
        ..UpdateTileMappingsDesc::default()
    };
    group.bench_function("1 tile", |b| {
        b.iter(|| rig.queue.update_tile_mappings(black_box(&rig.texture), black_box(&desc)).expect("legal"));
    });
    let null = UpdateTileMappingsDesc {
        region_start_coordinates: Some(&one),
        range_flags: Some(&[TileRangeFlags::NULL]),
        ..UpdateTileMappingsDesc::default()
    };
    group.bench_function("1 tile, NULL", |b| {
        b.iter(|| rig.queue.update_tile_mappings(black_box(&rig.texture), black_box(&null)).expect("legal"));
    });
    let all = UpdateTileMappingsDesc {
        heap: Some(&rig.heap),
        heap_range_start_offsets: Some(&[0]),
        ..UpdateTileMappingsDesc::default()
    };
    group.bench_function("1024 tiles, one region", |b| {
        b.iter(|| rig.queue.update_tile_mappings(black_box(&rig.texture), black_box(&all)).expect("legal"));
    });
    let starts: Vec<_> = (0..TILES).map(|n| TiledResourceCoordinate::new(n % 32, n / 32, 0, 0)).collect();
    let offsets: Vec<u32> = (0..TILES).collect();
    let singles = UpdateTileMappingsDesc {
        region_start_coordinates: Some(&starts),
        heap: Some(&rig.heap),
        heap_range_start_offsets: Some(&offsets),
        ..UpdateTileMappingsDesc::default()
    };
    group.bench_function("1024 tiles, 1024 regions that touch", |b| {
        b.iter(|| {
            rig.queue.update_tile_mappings(black_box(&rig.texture), black_box(&singles)).expect("legal")
        });
    });
    let scattered: Vec<u32> = (0..TILES).map(|n| n * 389 % TILES).collect();
    let apart = UpdateTileMappingsDesc { heap_range_start_offsets: Some(&scattered), ..singles };
    group.bench_function("1024 tiles, 1024 regions apart", |b| {
        b.iter(|| rig.queue.update_tile_mappings(black_box(&rig.texture), black_box(&apart)).expect("legal"));
    });
    let box_size = [TileRegionSize::boxed(16, 16, 1)];
    let boxed = UpdateTileMappingsDesc {
        region_start_coordinates: Some(&one),
        region_sizes: Some(&box_size),
        heap: Some(&rig.heap),
        heap_range_start_offsets: Some(&[0]),
        ..UpdateTileMappingsDesc::default()
    };
    group.bench_function("a box of 16 x 16 tiles", |b| {
        b.iter(|| rig.queue.update_tile_mappings(black_box(&rig.texture), black_box(&boxed)).expect("legal"));
    });
    group.bench_function("btree, 1024 tiles", |b| {
        let mut tiles: BTreeMap<u32, u32> = (0..TILES).map(|n| (n, n)).collect();
        b.iter(|| {
            for (tile, offset) in (0..TILES).zip(&scattered) {
                tiles.insert(black_box(tile), *offset);
            }
        });
    });
    group.finish();
}

fn reserved(c: &mut Criterion) {
    let rig = rig();
    let mut group = c.benchmark_group("reserved");
    let buffer = ReservedResourceDesc::new(ResourceDesc::buffer(64 * MIB));
    group.bench_function("64 MiB buffer, created and released", |b| {
        b.iter(|| rig.device.create_reserved_resource(black_box(&buffer)).expect("legal"));
    });
    let texture = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 4096, 4096);
    let texture = ReservedResourceDesc::new(texture.with_layout(TextureLayout::Undefined64KbSwizzle));
    group.bench_function("64 MiB texture, created and released", |b| {
        b.iter(|| rig.device.create_reserved_resource(black_box(&texture)).expect("legal"));
    });
    group.finish();
}

criterion_group!(benches, update, reserved);
criterion_main!(benches);
