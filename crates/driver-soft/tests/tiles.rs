//! Reserved resources: what their tiles show, and what is done where they show nothing.
#![cfg(not(miri))]
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use core::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::gpu::{
    Gpu, TILE, at, buffer, bytes_at, direct, pitched, subresource, surfaces_of, texture_at, tile_run,
};
use heapstone_driver::dma::{Command, Cursor};
use heapstone_driver::engine::{
    EngineFault, ExecuteLimit, NullTileAccess, PageFaultReason, TileCopyRun, TileRun, TileTarget, Translation,
};
use heapstone_driver::{Backing, DriverError};
use heapstone_spec::{Format, ResourceDesc, TextureLayout};
use heapstone_units::GpuVirtualAddress;

const HEAP: u64 = 0x10_0000_0000;
const OTHER: u64 = 0x20_0000_0000;
const RESERVED: u64 = 0x7000_0000_0000;
const TILE_BYTES: usize = 65_536;

fn va(address: u64) -> GpuVirtualAddress {
    GpuVirtualAddress(address)
}

/// Two heaps of four tiles, each tile full of its own number, and a reserved resource of six tiles.
fn world(null: NullTileAccess) -> Gpu {
    let gpu = Gpu::new(Backing::Host, &[4 * TILE, 4 * TILE]);
    for (heap, tile) in (0..2_u8).flat_map(|heap| (0..4_u8).map(move |tile| (heap, tile))) {
        let bytes = [10 * (heap + 1) + tile; TILE_BYTES];
        gpu.heaps[usize::from(heap)].bytes.write(u64::from(tile) * TILE, &bytes).unwrap();
    }
    gpu.device.reserve(va(RESERVED), 6, null).unwrap();
    gpu
}

fn run(first_tile: u32, tile_count: u32, heap: u64, heap_tile: u32, reuse_single_tile: bool) -> TileRun {
    let target = TileTarget::Heap { heap: va(heap), first_tile: heap_tile, reuse_single_tile };
    TileRun { first_tile, tile_count, target }
}

fn null(first_tile: u32, tile_count: u32) -> TileRun {
    TileRun { first_tile, tile_count, target: TileTarget::Null }
}

/// What each tile of the resource shows: the number that its tile is full of; 0 of none.
fn shown(gpu: &Gpu, tiles: u32) -> Vec<u64> {
    let number = |tile: u32| match gpu.device.translate(va(RESERVED + u64::from(tile) * TILE + 5)) {
        Some(Translation::NullTile) => 0,
        Some(Translation::Heap { heap, offset }) => {
            assert_eq!(offset % TILE, 5);
            10 * (heap.0 / HEAP) + offset / TILE
        }
        None => 99,
    };
    (0..tiles).map(number).collect()
}

#[test]
fn runs_are_mapped_in_order_and_later_ones_win() {
    let mut gpu = world(NullTileAccess::Zero);
    assert_eq!(shown(&gpu, 6), [0; 6]);
    assert_eq!(shown(&gpu, 7)[6], 99, "a tile behind the last is no address");
    let mut update = |runs: &[TileRun]| {
        gpu.queue.update_tile_mappings(va(RESERVED), runs).unwrap();
        shown(&gpu, 6)
    };
    assert_eq!(update(&[run(1, 3, HEAP, 1, false)]), [0, 11, 12, 13, 0, 0]);
    assert_eq!(update(&[run(4, 2, OTHER, 2, false), run(0, 1, HEAP, 0, true)]), [10, 11, 12, 13, 22, 23]);
    assert_eq!(update(&[run(0, 4, OTHER, 3, true)]), [23, 23, 23, 23, 22, 23]);
    assert_eq!(update(&[null(2, 3), run(4, 1, HEAP, 0, false)]), [23, 23, 0, 0, 10, 23]);
    assert_eq!(update(&[run(0, 2, HEAP, 0, false), run(1, 2, OTHER, 0, false)]), [10, 20, 21, 0, 10, 23]);
    assert_eq!(update(&[]), [10, 20, 21, 0, 10, 23]);
    assert_eq!(gpu.queue.statistics().tiles_mapped, 3 + 3 + 4 + 4 + 4);
}

#[test]
fn what_is_not_there_is_not_mapped_and_nothing_changes() {
    let mut gpu = world(NullTileAccess::Zero);
    let fault = |address| {
        Err(EngineFault::PageFault {
            address: va(address),
            is_write: true,
            reason: PageFaultReason::NotMapped,
        })
    };
    let good = run(0, 4, HEAP, 0, false);
    for (bad, address) in [
        (run(0, 7, HEAP, 0, true), RESERVED + 6 * TILE),
        (null(6, 1), RESERVED + 6 * TILE),
        (null(u32::MAX, 2), RESERVED + 6 * TILE),
        (run(0, 5, HEAP, 0, false), HEAP + 4 * TILE),
        (run(0, 1, HEAP, 4, true), HEAP + 4 * TILE),
        (run(0, 2, HEAP, u32::MAX, false), HEAP + 4 * TILE),
        (run(0, 1, HEAP + TILE, 0, false), HEAP + TILE),
        (run(0, 1, RESERVED, 0, false), RESERVED),
    ] {
        assert_eq!(gpu.queue.update_tile_mappings(va(RESERVED), &[good, bad]), fault(address), "{bad:?}");
        assert_eq!(shown(&gpu, 6), [0; 6]);
    }
    assert_eq!(gpu.queue.update_tile_mappings(va(RESERVED + TILE), &[good]), fault(RESERVED + TILE));
    assert_eq!(gpu.queue.update_tile_mappings(va(HEAP), &[good]), fault(HEAP));
    let copy = TileCopyRun { destination_tile: 0, source_tile: 3, tile_count: 4 };
    let copied = gpu.queue.copy_tile_mappings(va(RESERVED), va(RESERVED), &[copy]);
    assert_eq!(copied, fault(RESERVED + 6 * TILE));
    assert_eq!(gpu.queue.statistics().tiles_mapped, 0);
}

#[test]
fn mappings_are_copied_as_they_were() {
    let mut gpu = world(NullTileAccess::Zero);
    gpu.queue
        .update_tile_mappings(va(RESERVED), &[run(0, 4, HEAP, 0, false), run(5, 1, OTHER, 0, false)])
        .unwrap();
    let copy =
        |destination_tile, source_tile, tile_count| TileCopyRun { destination_tile, source_tile, tile_count };
    // Up by one, over itself; and the second run reads what was there before the first.
    let runs = [copy(1, 0, 4), copy(0, 4, 1)];
    gpu.queue.copy_tile_mappings(va(RESERVED), va(RESERVED), &runs).unwrap();
    assert_eq!(shown(&gpu, 6), [0, 10, 11, 12, 13, 20]);
    gpu.queue.copy_tile_mappings(va(RESERVED), va(RESERVED), &[copy(0, 1, 5)]).unwrap();
    assert_eq!(shown(&gpu, 6), [10, 11, 12, 13, 20, 20]);
    let second = RESERVED + (1 << 40);
    gpu.device.reserve(va(second), 2, NullTileAccess::Fault).unwrap();
    gpu.queue.copy_tile_mappings(va(second), va(RESERVED), &[copy(0, 3, 2)]).unwrap();
    let heap = |heap, offset| Some(Translation::Heap { heap: va(heap), offset });
    assert_eq!(gpu.device.translate(va(second + 1)), heap(HEAP, 3 * TILE + 1));
    assert_eq!(gpu.device.translate(va(second + TILE)), heap(OTHER, 0));
    assert_eq!(gpu.queue.statistics().tiles_mapped, 5 + 5 + 5 + 2);
}

/// Tiers 2 and up: reads give zero, writes are dropped.
#[test]
fn null_tiles_read_zero_and_drop_writes() {
    let mut gpu = world(NullTileAccess::Zero);
    gpu.map_tiles(RESERVED, &[Some((HEAP, 2)), None, Some((HEAP, 1))]);
    let list = [bytes_at(RESERVED, 6 * TILE), bytes_at(OTHER, 4 * TILE)];
    // The end of tile 0, all of tile 1, the begin of tile 2.
    let read = Command::CopyBuffer {
        destination: at(1, OTHER + 7),
        source: at(0, RESERVED + TILE - 3),
        size: TILE + 6,
    };
    gpu.run(&list, &[read]).unwrap();
    let expected = [vec![12; 3], vec![0; TILE_BYTES], vec![11; 3], vec![21]].concat();
    assert_eq!(gpu.heaps[1].read(7, TILE_BYTES + 7), expected);
    // Video memory was read where there is some: 6 bytes of 65,542.
    assert_eq!(gpu.queue.statistics().bytes_read, TILE + 6);

    let write = Command::CopyBuffer {
        destination: at(0, RESERVED + TILE - 2),
        source: at(1, OTHER + 3 * TILE),
        size: TILE + 4,
    };
    gpu.heaps[1].bytes.write(3 * TILE, &[77; TILE_BYTES]).unwrap();
    let list = [bytes_at(RESERVED, 6 * TILE), bytes_at(OTHER, 5 * TILE)];
    let beyond = gpu.run(&list, &[write]);
    assert!(matches!(beyond, Err(EngineFault::PageFault { is_write: false, .. })), "its source ends before");
    let write = Command::CopyBuffer {
        destination: at(0, RESERVED + TILE - 2),
        source: at(1, OTHER + 2 * TILE),
        size: TILE + 4,
    };
    gpu.heaps[1].bytes.write(2 * TILE, &[77; 2 * TILE_BYTES]).unwrap();
    gpu.run(&list, &[write]).unwrap();
    assert_eq!(gpu.heaps[0].read(3 * TILE - 4, 4), [12, 12, 77, 77]);
    assert_eq!(gpu.heaps[0].read(TILE, 4), [77, 77, 11, 11]);
}

fn fault(address: u64, is_write: bool, reason: PageFaultReason) -> Result<(), EngineFault> {
    Err(EngineFault::PageFault { address: va(address), is_write, reason })
}

/// Tier 1: the first byte in such a tile is named, and nothing is done.
#[test]
fn null_tiles_of_tier_1_fault() {
    let mut gpu = world(NullTileAccess::Fault);
    gpu.map_tiles(RESERVED, &[Some((HEAP, 2)), None]);
    let list = [bytes_at(RESERVED, 6 * TILE), bytes_at(OTHER, 4 * TILE)];
    let copy = |to, from, size| {
        let place = |address| at(u32::from(address < RESERVED), address);
        Command::CopyBuffer { destination: place(to), source: place(from), size }
    };
    let null = PageFaultReason::NullTile;
    assert_eq!(gpu.run(&list, &[copy(OTHER, RESERVED + TILE - 3, 6)]), fault(RESERVED + TILE, false, null));
    assert_eq!(gpu.heaps[1].read(0, 3), [20; 3], "not even its first bytes are copied");
    let written = gpu.run(&list, &[copy(RESERVED + TILE + 9, OTHER, 6)]);
    assert_eq!(written, fault(RESERVED + TILE + 9, true, null));
    assert_eq!(
        written.unwrap_err().to_string(),
        format!(
            "page fault: write to GPU virtual address {:#x}: the tile is mapped to NULL, which tiled resources \
             tier 1 does not allow to access",
            RESERVED + TILE + 9
        )
    );
    gpu.run(&list, &[copy(OTHER, RESERVED + TILE - 3, 3)]).unwrap();
}

/// A texture of 2 x 2 tiles of 128 x 128 texels (facts/layout.md, 64 KB standard swizzle): an access names the
/// first texel that it cannot make.
#[test]
fn a_texture_faults_where_its_texel_is() {
    let desc = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 256, 256)
        .with_layout(TextureLayout::Undefined64KbSwizzle);
    let surfaces = surfaces_of("discrete-8g", &desc);
    let mut gpu = world(NullTileAccess::Fault);
    gpu.map_tiles(RESERVED, &[Some((HEAP, 0)), None, Some((HEAP, 1)), Some((HEAP, 2))]);
    let list = [texture_at(RESERVED, &surfaces), bytes_at(OTHER, 4 * TILE)];
    let region = |origin, size: [u32; 3]| Command::CopyRegion {
        destination: subresource(0, RESERVED, 0),
        destination_origin: origin,
        source: pitched(1, OTHER, 4 * size[0], 0),
        source_origin: [0; 3],
        size,
        element_bytes_log2: 2,
        samples_log2: 0,
        mask: u32::MAX,
    };
    gpu.run(&list, &[region([0, 0, 0], [128, 256, 1]), region([130, 130, 0], [3, 3, 1])]).unwrap();
    // Texel (128, 5) is (0, 5) of tile 1: in the standard pattern of 32 bits A4 = Y0, A5 = Y1 and A8 = Y2 (AA8F has
    // X; Y is the complement, facts/layout.md), so 5 rows are 0b101 -> A4 and A8.
    let refused = gpu.run(&list, &[region([120, 5, 0], [20, 10, 1])]);
    assert_eq!(refused, fault(RESERVED + TILE + 0x10 + y2_of_standard_32(), true, PageFaultReason::NullTile));
}

/// Where Y2 stands: the third bit that the deposit mask AA8F of X leaves.
fn y2_of_standard_32() -> u64 {
    let y_bits: Vec<u32> = (0..16).filter(|bit| 0xAA8F_u32 & (1 << bit) == 0).collect();
    1 << y_bits[2]
}

#[test]
fn tiles_of_a_heap_that_is_gone_fault_on_any_tier() {
    for access in [NullTileAccess::Zero, NullTileAccess::Fault] {
        let mut gpu = world(access);
        gpu.map_tiles(RESERVED, &[Some((HEAP, 0)), Some((OTHER, 0))]);
        let list = [bytes_at(RESERVED, 6 * TILE)];
        let copy = |to, from| Command::CopyBuffer {
            destination: at(0, RESERVED + to),
            source: at(0, RESERVED + from),
            size: 8,
        };
        gpu.run(&list, &[copy(TILE, 0)]).unwrap();
        gpu.device.unmap_heap(va(OTHER));
        let gone = PageFaultReason::HeapDestroyed;
        assert_eq!(gpu.run(&list, &[copy(0, TILE + 100)]), fault(RESERVED + TILE + 100, false, gone));
        assert_eq!(gpu.run(&list, &[copy(2 * TILE - 4, 0)]), fault(RESERVED + 2 * TILE - 4, true, gone));
        assert_eq!(gpu.device.translate(va(RESERVED + TILE)), None);
        // A later heap at the same address is another one.
        let again = gpu.heaps.remove(1);
        gpu.device.map_heap(va(OTHER), 4 * TILE, again.bytes.as_ref()).unwrap();
        assert_eq!(gpu.run(&list, &[copy(0, TILE)]), fault(RESERVED + TILE, false, gone));
        gpu.heaps.push(again);
        gpu.map_tiles(RESERVED, &[Some((HEAP, 0)), Some((OTHER, 1))]);
        gpu.run(&list, &[copy(0, TILE)]).unwrap();
        assert_eq!(gpu.heaps[0].read(0, 8), [21; 8]);
    }
}

#[test]
fn a_released_resource_is_no_address() {
    let mut gpu = world(NullTileAccess::Zero);
    gpu.map_tiles(RESERVED, &[Some((HEAP, 0))]);
    gpu.device.release(va(RESERVED));
    assert_eq!(gpu.device.translate(va(RESERVED)), None);
    let list = [bytes_at(RESERVED, 6 * TILE)];
    let write = Command::Timestamp { destination: at(0, RESERVED + 8) };
    assert_eq!(gpu.run(&list, &[write]), fault(RESERVED + 8, true, PageFaultReason::NotMapped));
    assert!(gpu.queue.update_tile_mappings(va(RESERVED), &[null(0, 1)]).is_err());
    gpu.device.reserve(va(RESERVED), 6, NullTileAccess::Zero).unwrap();
    assert_eq!(shown(&gpu, 6), [0; 6], "a new one shows nothing of the old");
    let refused = gpu.device.reserve(va(RESERVED + 5 * TILE), 1, NullTileAccess::Zero);
    assert!(matches!(refused, Err(DriverError::Unsupported { .. })));
}

/// 16 TiB are 2^28 tiles: entries of all would take 2 GiB.
#[test]
fn a_huge_resource_costs_what_is_mapped_of_it() {
    let mut gpu = world(NullTileAccess::Zero);
    let (huge, tiles) = (1_u64 << 46, 1_u32 << 28);
    gpu.device.reserve(va(huge), tiles, NullTileAccess::Zero).unwrap();
    let before = resident_kib();
    for step in 0..64_u32 {
        let tile = step * (tiles / 64) + 511;
        gpu.queue.update_tile_mappings(va(huge), &[run(tile, 2.min(tiles - tile), HEAP, 1, false)]).unwrap();
        let last = va(huge + u64::from(tile) * TILE + TILE);
        assert_eq!(
            gpu.device.translate(last),
            Some(Translation::Heap { heap: va(HEAP), offset: 2 * TILE }),
            "the second of a run over two chunks"
        );
    }
    gpu.queue.update_tile_mappings(va(huge), &[null(0, tiles)]).unwrap();
    assert_eq!(gpu.device.translate(va(huge + 511 * TILE)), Some(Translation::NullTile));
    assert!(resident_kib() < before + 16_384, "from {before} KiB to {} KiB", resident_kib());
}

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").trim().parse().unwrap()
}

/// Tiles of one heap in any order, through a texture and through a buffer that shows the same tiles: the layouts
/// agree (spec/2-resource-heaps.txt 340 has textures of standard swizzle aliased so).
#[test]
fn a_texture_and_a_buffer_over_the_same_tiles_have_the_same_bytes() {
    let desc = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 256, 384)
        .with_layout(TextureLayout::Undefined64KbSwizzle);
    let surfaces = surfaces_of("discrete-8g", &desc);
    let mut gpu = Gpu::new(Backing::Host, &[6 * TILE, 12 * TILE]);
    gpu.device.reserve(va(RESERVED), 6, NullTileAccess::Zero).unwrap();
    let order = [5, 0, 3, 1, 4, 2];
    gpu.map_tiles(RESERVED, &order.map(|tile| Some((HEAP, tile))));
    let texels: Vec<u8> = (0..256 * 384_u32).flat_map(u32::to_le_bytes).collect();
    gpu.heaps[1].bytes.write(0, &texels).unwrap();
    let other = Gpu::heap_address(1);
    let list = [texture_at(RESERVED, &surfaces), bytes_at(other, 12 * TILE), bytes_at(RESERVED, 6 * TILE)];
    let up = Command::CopyRegion {
        destination: subresource(0, RESERVED, 0),
        destination_origin: [0; 3],
        source: pitched(1, other, 1024, 0),
        source_origin: [0; 3],
        size: [256, 384, 1],
        element_bytes_log2: 2,
        samples_log2: 0,
        mask: u32::MAX,
    };
    let through_buffer =
        Command::CopyBuffer { destination: at(1, other + 6 * TILE), source: at(2, RESERVED), size: 6 * TILE };
    gpu.run(&list, &[up, through_buffer]).unwrap();
    let bytes = gpu.heaps[1].read(6 * TILE, 6 * TILE_BYTES);
    for (x, y) in [(0_u32, 0_u32), (1, 0), (0, 1), (127, 127), (128, 0), (200, 300), (255, 383)] {
        let offset = common::gpu::offset_in(&surfaces[0], [x, y, 0], 0);
        let at = usize::try_from(offset).unwrap();
        assert_eq!(bytes[at..at + 4], (y * 256 + x).to_le_bytes(), "{x} {y}");
        // And the heap has it in the tile that was mapped.
        let tile = order[usize::try_from(offset / TILE).unwrap()];
        let heap_offset = u64::from(tile) * TILE + offset % TILE;
        assert_eq!(gpu.heaps[0].read(heap_offset, 4), (y * 256 + x).to_le_bytes());
    }
}

/// One queue copies between two resources and another back, while tiles change and a heap comes and goes: every
/// value is one that some order of these gives, and nobody waits for ever.
#[test]
fn queues_updates_and_unmapping_do_not_meet() {
    let mut gpu = world(NullTileAccess::Zero);
    let second = RESERVED + (1 << 40);
    gpu.device.reserve(va(second), 6, NullTileAccess::Zero).unwrap();
    gpu.map_tiles(RESERVED, &[Some((HEAP, 0)); 6]);
    gpu.map_tiles(second, &[Some((HEAP, 1)); 6]);
    let list = [bytes_at(RESERVED, 6 * TILE), bytes_at(second, 6 * TILE)];
    let copy = |to: (u32, u64), from: (u32, u64)| {
        let copy =
            Command::CopyBuffer { destination: at(to.0, to.1), source: at(from.0, from.1), size: 3 * TILE };
        buffer(&list, &[copy; 4])
    };
    let (there, back) = (copy((0, RESERVED), (1, second)), copy((1, second), (0, RESERVED)));
    let stop = AtomicBool::new(false);
    let device = &gpu.device;
    let other = gpu.heaps[1].bytes.as_ref();
    std::thread::scope(|scope| {
        for buffer in [&there, &back] {
            let mut queue = device.create_queue(&direct()).unwrap();
            let stop = &stop;
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    match queue.execute(buffer, &mut Cursor::default(), ExecuteLimit::End) {
                        Ok(())
                        | Err(EngineFault::PageFault { reason: PageFaultReason::HeapDestroyed, .. }) => {}
                        Err(other) => panic!("{other}"),
                    }
                }
            });
        }
        for resource in [RESERVED, second] {
            let mut queue = device.create_queue(&direct()).unwrap();
            let stop = &stop;
            scope.spawn(move || {
                for step in (0..4_u32).cycle() {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    // The heap may just be unmapped: then the update is refused.
                    let _ = queue.update_tile_mappings(va(resource), &[tile_run(step, Some((OTHER, step)))]);
                    queue.update_tile_mappings(va(resource), &[tile_run(step, Some((HEAP, step)))]).unwrap();
                }
            });
        }
        for _ in 0..300 {
            device.unmap_heap(va(OTHER));
            device.map_heap(va(OTHER), 4 * TILE, other).unwrap();
        }
        std::thread::sleep(Duration::from_millis(20));
        stop.store(true, Ordering::Relaxed);
    });
    let numbers = [10, 11, 12, 13, 20, 21, 22, 23];
    for heap in &gpu.heaps {
        assert!(heap.read(0, 4 * TILE_BYTES).iter().all(|byte| numbers.contains(byte)));
    }
}
