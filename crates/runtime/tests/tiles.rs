//! Tile mappings as engines see them: after each call, in every mode, against a map of tiles.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;
#[path = "common/rig.rs"]
mod rig;

use std::collections::HashMap;
use std::sync::Arc;

use common::*;
use heapstone::spec::caps::TiledResourcesTier;
use heapstone::spec::rules::tile as rules;
use heapstone::spec::tiles::{TileMappingFlags, TileRangeFlags, TileRegionSize, TiledResourceCoordinate};
use heapstone::*;
use parking_lot::Mutex;
use proptest::prelude::*;
use rig::{MODES, Rig};

const TILE: u64 = 64 * KIB;

fn tile(x: u32) -> TiledResourceCoordinate {
    TiledResourceCoordinate::new(x, 0, 0, 0)
}

/// Maps `count` tiles of a buffer from `first` on to those of a heap from `offset` on.
fn map(queue: &CommandQueue, buffer: &Resource, (first, count): (u32, u32), heap: &Heap, offset: u32) {
    let (starts, sizes, offsets) = ([tile(first)], [TileRegionSize::tiles(count)], [offset]);
    let desc = UpdateTileMappingsDesc {
        region_start_coordinates: Some(&starts),
        region_sizes: Some(&sizes),
        heap: Some(heap),
        heap_range_start_offsets: Some(&offsets),
        ..UpdateTileMappingsDesc::default()
    };
    queue.update_tile_mappings(buffer, &desc).unwrap();
}

fn unmap(queue: &CommandQueue, buffer: &Resource, first: u32, count: u32) {
    let (starts, sizes) = ([tile(first)], [TileRegionSize::tiles(count)]);
    let desc = UpdateTileMappingsDesc {
        region_start_coordinates: Some(&starts),
        region_sizes: Some(&sizes),
        range_flags: Some(&[TileRangeFlags::NULL]),
        ..UpdateTileMappingsDesc::default()
    };
    queue.update_tile_mappings(buffer, &desc).unwrap();
}

/// A heap each of whose tiles begins with `base` and its number.
fn stamped_heap(rig: &Rig, tiles: u64, base: u32) -> Heap {
    let heap = rig.heap(tiles * TILE);
    let placed = PlacedResourceDesc::new(ResourceDesc::buffer(tiles * TILE));
    let all = rig.device.create_placed_resource(&heap, 0, &placed).unwrap();
    let stamps: Vec<u8> = (0..u32::try_from(tiles).unwrap()).flat_map(|n| (base + n).to_le_bytes()).collect();
    let upload = rig.upload(&stamps);
    rig.run(|list| {
        for n in 0..tiles {
            list.copy_buffer_region(&all, n * TILE, &upload, n * 4, 4).unwrap();
        }
    });
    heap
}

/// What each tile of a buffer begins with.
fn stamps(rig: &Rig, buffer: &Resource, tiles: u32) -> Vec<u32> {
    let readback = rig.buffer(HeapType::Readback, u64::from(tiles) * 4);
    rig.run(|list| {
        for n in 0..u64::from(tiles) {
            list.copy_buffer_region(&readback, n * 4, buffer, n * TILE, 4).unwrap();
        }
    });
    let mut bytes = vec![0; tiles as usize * 4];
    readback.read(0, &mut bytes).unwrap();
    bytes.chunks_exact(4).map(|stamp| u32::from_le_bytes(stamp.try_into().unwrap())).collect()
}

#[test]
fn tiles_of_several_heaps_show_and_stay_until_they_are_mapped_anew() {
    for mode in MODES {
        let rig = Rig::new(profile("discrete-8g"), mode);
        let (first, second) = (stamped_heap(&rig, 4, 100), stamped_heap(&rig, 4, 200));
        let buffer = rig.reserved(ResourceDesc::buffer(6 * TILE));
        assert_eq!(stamps(&rig, &buffer, 6), [0; 6], "{mode:?}: tiles begin without memory");
        map(&rig.queue, &buffer, (0, 4), &first, 0);
        map(&rig.queue, &buffer, (3, 2), &second, 1);
        assert_eq!(stamps(&rig, &buffer, 6), [100, 101, 102, 201, 202, 0]);
        // A tile twice in one call: the later region wins.
        let desc = UpdateTileMappingsDesc {
            region_start_coordinates: Some(&[tile(5), tile(0), tile(5)]),
            heap: Some(&first),
            heap_range_start_offsets: Some(&[1, 2, 3]),
            ..UpdateTileMappingsDesc::default()
        };
        rig.queue.update_tile_mappings(&buffer, &desc).unwrap();
        assert_eq!(stamps(&rig, &buffer, 6), [102, 101, 102, 201, 202, 103]);
        unmap(&rig.queue, &buffer, 1, 3);
        assert_eq!(stamps(&rig, &buffer, 6), [102, 0, 0, 0, 202, 103]);
        let counted = rig.queue.statistics().tiles_mapped;
        assert_eq!(counted, 4 + 2 + 3 + 3);
    }
}

#[test]
fn one_heap_tile_shows_in_many_places() {
    let rig = Rig::new(profile("discrete-8g"), GpuMode::Immediate);
    let heap = stamped_heap(&rig, 3, 7);
    let buffer = rig.reserved(ResourceDesc::buffer(4 * TILE));
    let desc = UpdateTileMappingsDesc {
        heap: Some(&heap),
        range_flags: Some(&[TileRangeFlags::REUSE_SINGLE_TILE]),
        heap_range_start_offsets: Some(&[2]),
        ..UpdateTileMappingsDesc::default()
    };
    rig.queue.update_tile_mappings(&buffer, &desc).unwrap();
    assert_eq!(stamps(&rig, &buffer, 4), [9; 4]);
    let upload = rig.upload(&77_u32.to_le_bytes());
    rig.run(|list| list.copy_buffer_region(&buffer, 3 * TILE, &upload, 0, 4).unwrap());
    assert_eq!(stamps(&rig, &buffer, 4), [77; 4]);
}

// Tier 2 and up: reads give zero, writes are dropped.
#[test]
fn tiles_without_memory_read_zero_and_drop_writes() {
    let rig = Rig::new(profile("discrete-8g"), GpuMode::Immediate);
    let heap = stamped_heap(&rig, 2, 5);
    let buffer = rig.reserved(ResourceDesc::buffer(3 * TILE));
    map(&rig.queue, &buffer, (0, 1), &heap, 0);
    map(&rig.queue, &buffer, (2, 1), &heap, 1);
    let bytes = vec![0xCC; 3 << 16];
    let upload = rig.upload(&bytes);
    rig.run(|list| list.copy_buffer_region(&buffer, 0, &upload, 0, 3 * TILE).unwrap());
    let read = rig.bytes(&buffer, 0, 3 * TILE);
    let (first, rest) = read.split_at(1 << 16);
    let (null, last) = rest.split_at(1 << 16);
    assert!(first.iter().chain(last).all(|byte| *byte == 0xCC) && null.iter().all(|byte| *byte == 0));
}

#[test]
fn on_tier_1_a_tile_without_memory_removes_the_device() {
    for mode in MODES {
        let mut tier_1 = profile("discrete-8g");
        tier_1.caps.tiled_resources_tier = TiledResourcesTier::Tier1;
        let rig = Rig::new(tier_1, mode);
        let heap = stamped_heap(&rig, 1, 5);
        let buffer = rig.reserved(ResourceDesc::buffer(2 * TILE));
        buffer.set_name("shadow");
        map(&rig.queue, &buffer, (0, 1), &heap, 0);
        assert_eq!(stamps(&rig, &buffer, 1), [5]);
        let readback = rig.buffer(HeapType::Readback, 4);
        let error = rig
            .try_run(|list| list.copy_buffer_region(&readback, 0, &buffer, TILE + 8, 4).unwrap())
            .unwrap_err();
        let Error::DeviceRemoved(reason) = error else { panic!("{mode:?}: {error}") };
        let RemovalReason::Fault(GpuFault { fault, near: Some(near) }) = &*reason else { panic!("{reason}") };
        let EngineFault::PageFault { address, is_write, reason } = fault.clone() else { panic!("{fault}") };
        let begin = buffer.gpu_virtual_address().0;
        let told = format!(
            "it is byte 65544 of the reserved BUFFER \"shadow\", {begin:#x} to {:#x}",
            begin + 2 * TILE
        );
        assert_eq!(near.to_string(), told, "{mode:?}");
        let expected = GpuVirtualAddress(buffer.gpu_virtual_address().0 + TILE + 8);
        assert_eq!((address, is_write, reason), (expected, false, PageFaultReason::NullTile));
    }
}

#[test]
fn a_heap_that_goes_leaves_tiles_that_fault() {
    let rig = Rig::new(profile("discrete-8g"), GpuMode::Immediate);
    let heap = stamped_heap(&rig, 2, 5);
    let buffer = rig.reserved(ResourceDesc::buffer(2 * TILE));
    map(&rig.queue, &buffer, (0, 2), &heap, 0);
    assert_eq!(stamps(&rig, &buffer, 2), [5, 6]);
    drop(heap);
    // What is mapped anew is fine.
    let other = stamped_heap(&rig, 1, 9);
    map(&rig.queue, &buffer, (0, 1), &other, 0);
    assert_eq!(stamps(&rig, &buffer, 1), [9]);
    let readback = rig.buffer(HeapType::Readback, 4);
    let error =
        rig.try_run(|list| list.copy_buffer_region(&readback, 0, &buffer, TILE, 4).unwrap()).unwrap_err();
    let Error::DeviceRemoved(reason) = error else { panic!("{error}") };
    let RemovalReason::Fault(GpuFault { fault: EngineFault::PageFault { reason, .. }, .. }) = *reason else {
        panic!("{reason}")
    };
    assert_eq!(reason, PageFaultReason::HeapDestroyed);
    assert!(matches!(
        rig.queue.update_tile_mappings(&buffer, &UpdateTileMappingsDesc::default()),
        Err(Error::DeviceRemoved(_))
    ));
}

#[test]
fn mappings_are_work_of_the_queue() {
    let rig = Rig::new(profile("discrete-8g"), GpuMode::Stepped);
    let heap = stamped_heap(&rig, 2, 5);
    let buffer = rig.reserved(ResourceDesc::buffer(2 * TILE));
    map(&rig.queue, &buffer, (0, 2), &heap, 0);
    unmap(&rig.queue, &buffer, 0, 1);
    let address = buffer.gpu_virtual_address();
    let shown = || rig.device.translate(address).unwrap();
    assert_eq!(shown(), Some(Translation::NullTile), "nothing has run");
    rig.queue.step(StepUnit::Packet).unwrap();
    assert_eq!(shown(), Some(Translation::Heap { heap: heap.gpu_virtual_address(), offset: 0 }));
    // The second call holds what it needs, whatever the program drops.
    let kept = buffer.clone();
    drop(buffer);
    rig.queue.step(StepUnit::Packet).unwrap();
    assert_eq!(shown(), Some(Translation::NullTile));
    drop(kept);
    assert_eq!(shown(), None);
}

#[test]
fn refused_calls_map_nothing() {
    let rig = Rig::new(profile("discrete-8g"), GpuMode::Immediate);
    let heap = stamped_heap(&rig, 2, 5);
    let buffer = rig.reserved(ResourceDesc::buffer(3 * TILE));
    let desc = UpdateTileMappingsDesc {
        heap: Some(&heap),
        heap_range_start_offsets: Some(&[0]),
        ..UpdateTileMappingsDesc::default()
    };
    let violation = refused(rig.queue.update_tile_mappings(&buffer, &desc), &rules::HEAP_RANGE);
    says(&violation, "pRangeTileCounts", &["up to tile 3"], &["2 tiles (131072 bytes)"]);
    assert_eq!(stamps(&rig, &buffer, 3), [0; 3]);
    let other = Rig::new(profile("discrete-8g"), GpuMode::Immediate);
    refused(other.queue.update_tile_mappings(&buffer, &desc), &rules::DEVICE);
    let copy = rig.queue.copy_tile_mappings(
        &buffer,
        &tile(1),
        &buffer,
        &tile(0),
        &TileRegionSize::tiles(3),
        TileMappingFlags::empty(),
    );
    let violation = refused(copy, &rules::REGION_RANGE);
    says(&violation, "NumTiles", &["3 tiles"], &["at most 2"]);
}

#[test]
fn observers_hear_of_mappings() {
    #[derive(Default)]
    struct Calls(Mutex<Vec<String>>);
    impl Observer for Calls {
        fn observe(&self, call: &Call<'_>) {
            let text = match call {
                Call::UpdateTileMappings { resource, desc, outcome, .. } => {
                    let heap = desc.heap.map(|heap| heap.id().0);
                    format!("update {resource} {heap:?} {}", outcome.is_ok())
                }
                Call::CopyTileMappings { destination, source, size, outcome, .. } => {
                    format!("copy {source} {destination} {size} {}", outcome.is_ok())
                }
                _ => return,
            };
            self.0.lock().push(text);
        }
    }
    let heard = Arc::<Calls>::default();
    let factory = heapstone_driver_soft::SoftDriverFactory::default();
    let builder = Device::builder().profile(profile("discrete-8g")).driver(&factory);
    let rig = Rig::on(builder.observer(Arc::<Calls>::clone(&heard)).build().unwrap());
    let (heap, buffer) = (rig.heap(TILE), rig.reserved(ResourceDesc::buffer(TILE)));
    map(&rig.queue, &buffer, (0, 1), &heap, 0);
    let copy = |to: u32| {
        let (one, flags) = (TileRegionSize::tiles(1), TileMappingFlags::NO_HAZARD);
        rig.queue.copy_tile_mappings(&buffer, &tile(to), &buffer, &tile(0), &one, flags)
    };
    copy(0).unwrap();
    copy(1).unwrap_err();
    let (heap, buffer) = (heap.id().0, buffer.id());
    let expected = [
        format!("update {buffer} Some({heap}) true"),
        format!("copy {buffer} {buffer} 1 tiles true"),
        format!("copy {buffer} {buffer} 1 tiles false"),
    ];
    assert_eq!(*heard.0.lock(), expected);
}

/// Tiles of each buffer and heap of the random programs.
const BUFFER_TILES: u32 = 12;
const HEAP_TILES: u32 = 8;

#[derive(Clone, Debug)]
enum Step {
    Map { buffer: usize, first: u32, count: u32, heap: usize, offset: u32, reuse: bool },
    Unmap { buffer: usize, first: u32, count: u32 },
    Copy { to: (usize, u32), from: (usize, u32), count: u32 },
    Write { buffer: usize, tile: u32, value: u32 },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let region = || (0usize..2, 0..BUFFER_TILES, 1..=BUFFER_TILES);
    let shorten = |first: u32, count: u32| count.min(BUFFER_TILES - first);
    let step = prop_oneof![
        4 => (region(), 0usize..2, 0..HEAP_TILES, any::<bool>()).prop_map(
            move |((buffer, first, count), heap, offset, reuse)| {
                let count = shorten(first, count);
                let count = if reuse { count } else { count.min(HEAP_TILES - offset) };
                Step::Map { buffer, first, count, heap, offset, reuse }
            }
        ),
        2 => region().prop_map(move |(buffer, first, count)| {
            Step::Unmap { buffer, first, count: shorten(first, count) }
        }),
        3 => (region(), region()).prop_map(move |((to, to_first, count), (from, from_first, _))| {
            let count = shorten(from_first, shorten(to_first, count));
            Step::Copy { to: (to, to_first), from: (from, from_first), count }
        }),
        3 => (0usize..2, 0..BUFFER_TILES, any::<u32>()).prop_map(|(buffer, tile, value)| {
            Step::Write { buffer, tile, value }
        }),
    ];
    prop::collection::vec(step, 1..14)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// A map from tiles to the heaps' tiles, and from those to what they hold.
    #[test]
    fn engines_see_what_a_map_of_tiles_says(mode in 0usize..3, steps in steps()) {
        let rig = Rig::new(profile("discrete-8g"), MODES[mode]);
        let heaps = [1000, 2000].map(|base| stamped_heap(&rig, u64::from(HEAP_TILES), base));
        let buffers = [0, 1].map(|_| rig.reserved(ResourceDesc::buffer(u64::from(BUFFER_TILES) * TILE)));
        let mut memory: HashMap<(usize, u32), u32> = HashMap::new();
        for (heap, base) in [1000, 2000].into_iter().enumerate() {
            memory.extend((0..HEAP_TILES).map(|n| ((heap, n), base + n)));
        }
        let mut shown: HashMap<(usize, u32), (usize, u32)> = HashMap::new();
        for step in steps {
            match step {
                Step::Map { buffer, first, count, heap, offset, reuse } => {
                    let (starts, sizes) = ([tile(first)], [TileRegionSize::tiles(count)]);
                    let flags = [if reuse { TileRangeFlags::REUSE_SINGLE_TILE } else { TileRangeFlags::empty() }];
                    let desc = UpdateTileMappingsDesc {
                        region_start_coordinates: Some(&starts),
                        region_sizes: Some(&sizes),
                        heap: Some(&heaps[heap]),
                        range_flags: Some(&flags),
                        heap_range_start_offsets: Some(&[offset]),
                        ..UpdateTileMappingsDesc::default()
                    };
                    rig.queue.update_tile_mappings(&buffers[buffer], &desc).unwrap();
                    for n in 0..count {
                        let of_heap = if reuse { offset } else { offset + n };
                        shown.insert((buffer, first + n), (heap, of_heap));
                    }
                }
                Step::Unmap { buffer, first, count } => {
                    unmap(&rig.queue, &buffers[buffer], first, count);
                    for n in 0..count {
                        shown.remove(&(buffer, first + n));
                    }
                }
                Step::Copy { to, from, count } => {
                    rig.queue
                        .copy_tile_mappings(
                            &buffers[to.0],
                            &tile(to.1),
                            &buffers[from.0],
                            &tile(from.1),
                            &TileRegionSize::tiles(count),
                            TileMappingFlags::empty(),
                        )
                        .unwrap();
                    let before = shown.clone();
                    for n in 0..count {
                        match before.get(&(from.0, from.1 + n)) {
                            Some(tile) => shown.insert((to.0, to.1 + n), *tile),
                            None => shown.remove(&(to.0, to.1 + n)),
                        };
                    }
                }
                Step::Write { buffer, tile, value } => {
                    let upload = rig.upload(&value.to_le_bytes());
                    let offset = u64::from(tile) * TILE;
                    rig.run(|list| list.copy_buffer_region(&buffers[buffer], offset, &upload, 0, 4).unwrap());
                    if let Some(of_heap) = shown.get(&(buffer, tile)) {
                        memory.insert(*of_heap, value);
                    }
                }
            }
        }
        for (index, buffer) in buffers.iter().enumerate() {
            let expected = |tile| shown.get(&(index, tile)).map_or(0, |of_heap| memory[of_heap]);
            prop_assert_eq!(stamps(&rig, buffer, BUFFER_TILES), (0..BUFFER_TILES).map(expected).collect::<Vec<_>>());
        }
    }
}
