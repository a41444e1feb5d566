//! CopyTiles: where each texel lies in the buffer, by Microsoft's documentation; and textures whose tiles lie
//! in several heaps, under other names.
#![allow(clippy::cast_possible_truncation, reason = "bytes of a test are few")]
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;
#[path = "common/rig.rs"]
mod rig;

use common::*;
use heapstone::spec::commands::{Rect, ResolveMode, TileCopyFlags};
use heapstone::spec::rules::{copy as copy_rules, tile as rules};
use heapstone::spec::tiles::{TileRegionSize, TiledResourceCoordinate};
use heapstone::*;
use heapstone_driver::dma::Command;
use rig::{MODES, Rig};

const TILE: u64 = 64 * KIB;
const TO_TILES: TileCopyFlags = TileCopyFlags::LINEAR_BUFFER_TO_SWIZZLED_TILED_RESOURCE;
const TO_BUFFER: TileCopyFlags = TileCopyFlags::SWIZZLED_TILED_RESOURCE_TO_LINEAR_BUFFER;

fn tile(x: u32, y: u32, z: u32, subresource: u32) -> TiledResourceCoordinate {
    TiledResourceCoordinate::new(x, y, z, subresource)
}

/// A reserved resource all of whose tiles show those of a heap of its own.
fn mapped(rig: &Rig, desc: ResourceDesc) -> (Resource, Heap, u32) {
    let resource = rig.reserved(desc);
    let tiles = rig.device.get_resource_tiling(&resource, 0, &mut []).unwrap().total_tiles;
    let heap = rig.heap(u64::from(tiles) * TILE);
    let desc = UpdateTileMappingsDesc {
        heap: Some(&heap),
        heap_range_start_offsets: Some(&[0]),
        ..UpdateTileMappingsDesc::default()
    };
    rig.queue.update_tile_mappings(&resource, &desc).unwrap();
    (resource, heap, tiles)
}

/// Bytes of which no two near each other are alike.
fn noise(size: u64) -> Vec<u8> {
    let mut state = 0x9e37_79b9_u32;
    (0..size)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state.to_le_bytes()[1]
        })
        .collect()
}

/// A texture to copy tiles of: its description, an element's bytes, texels of an element and of a tile
/// (facts/layout.md, 64 KB standard swizzle: the tile shapes).
struct Shape {
    desc: ResourceDesc,
    element: usize,
    block: u32,
    tile: [u32; 3],
}

fn shapes() -> Vec<Shape> {
    let of = |desc: ResourceDesc, element, block, tile| {
        let desc = desc.with_layout(TextureLayout::Undefined64KbSwizzle);
        Shape { desc, element, block, tile }
    };
    let two_d = ResourceDesc::texture_2d;
    vec![
        of(two_d(Format::R8_UNORM, 300, 260), 1, 1, [256, 256, 1]),
        of(two_d(Format::R16_UINT, 300, 140), 2, 1, [256, 128, 1]),
        of(rgba8(385, 300).with_mip_levels(2).with_array_size(2), 4, 1, [128, 128, 1]),
        of(two_d(Format::R32G32_UINT, 200, 100), 8, 1, [128, 64, 1]),
        of(two_d(Format::R32G32B32A32_FLOAT, 130, 70), 16, 1, [64, 64, 1]),
        of(two_d(Format::BC1_UNORM, 600, 260), 8, 4, [512, 256, 1]),
        of(two_d(Format::BC7_UNORM, 260, 516), 16, 4, [256, 256, 1]),
        of(ResourceDesc::texture_3d(Format::R8G8B8A8_UNORM, 70, 40, 20), 4, 1, [32, 32, 16]),
        of(ResourceDesc::texture_3d(Format::R32G32B32A32_UINT, 20, 33, 18), 16, 1, [16, 16, 16]),
    ]
}

/// The mips with tiles of their own, of all slices: subresource, its extent in elements, its first tile.
fn standard_mips(rig: &Rig, resource: &Resource, shape: &Shape) -> Vec<(u32, [u32; 3], u32)> {
    let desc = resource.desc();
    let is_3d = desc.dimension == ResourceDimension::Texture3D;
    let slices = if is_3d { 1 } else { u32::from(desc.depth_or_array_size) };
    let mips = u32::from(desc.mip_levels);
    let mut grids = vec![SubresourceTiling::PACKED; (mips * slices) as usize];
    rig.device.get_resource_tiling(resource, 0, &mut grids).unwrap();
    (0..)
        .zip(grids)
        .filter(|(_, grid)| *grid != SubresourceTiling::PACKED)
        .map(|(subresource, grid)| {
            let mip = subresource % mips;
            let shrink = |extent: u32| (extent >> mip).max(1);
            let depth = if is_3d { shrink(u32::from(desc.depth_or_array_size)) } else { 1 };
            let width = shrink(u32::try_from(desc.width).unwrap());
            let elements = [width.div_ceil(shape.block), shrink(desc.height).div_ceil(shape.block), depth];
            (subresource, elements, grid.start_tile_index)
        })
        .collect()
}

/// Where an element lies in a buffer of tiles: linear within its tile, of which rows and slices are whole
/// (Microsoft's documentation of CopyTiles).
fn in_tiles(shape: &Shape, elements: [u32; 3], first_tile: u32, [x, y, z]: [u32; 3]) -> usize {
    let tile = [shape.tile[0] / shape.block, shape.tile[1] / shape.block, shape.tile[2]];
    let across = [elements[0].div_ceil(tile[0]), elements[1].div_ceil(tile[1])];
    let index = first_tile + (z / tile[2] * across[1] + y / tile[1]) * across[0] + x / tile[0];
    let within = (z % tile[2] * tile[1] + y % tile[1]) * tile[0] + x % tile[0];
    index as usize * 65_536 + within as usize * shape.element
}

/// A subresource as rows in a buffer, as CopyTextureRegion copies it.
fn footprint(rig: &Rig, resource: &Resource, subresource: u32) -> (PlacedFootprint, u64) {
    let mut layouts = [PlacedFootprint::EMPTY];
    let outputs = FootprintOutputs { layouts: Some(&mut layouts), ..FootprintOutputs::default() };
    // A query takes the description of a texture that is not reserved.
    let total = rig.device.get_copyable_footprints(resource.desc(), subresource, 1, 0, outputs).unwrap();
    (layouts[0], total)
}

fn each_element([width, height, depth]: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    (0..depth).flat_map(move |z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z])))
}

#[test]
fn texels_lie_in_the_buffer_as_documented() {
    for (index, shape) in shapes().into_iter().enumerate() {
        let rig = Rig::new(profile("discrete-8g"), MODES[index % 3]);
        let (texture, _heap, tiles) = mapped(&rig, shape.desc);
        let size = u64::from(tiles) * TILE;
        let data = noise(size + 96);
        let upload = rig.upload(&data);
        // From byte 96 on: a multiple of 32.
        let all = TileRegionSize::tiles(tiles);
        rig.run(|list| list.copy_tiles(&texture, &tile(0, 0, 0, 0), &all, &upload, 96, TO_TILES).unwrap());

        // Through the texture's rows.
        for (subresource, elements, first_tile) in standard_mips(&rig, &texture, &shape) {
            let (rows, total) = footprint(&rig, &texture, subresource);
            let readback = rig.buffer(HeapType::Readback, total);
            rig.run(|list| {
                let to = TextureCopyLocation::footprint(&readback, rows);
                let from = TextureCopyLocation::subresource(&texture, subresource);
                list.copy_texture_region(&to, 0, 0, 0, &from, None).unwrap();
            });
            let mut bytes = vec![0; total as usize];
            readback.read(0, &mut bytes).unwrap();
            for position in each_element(elements) {
                let [x, y, z] = position.map(|extent| extent as usize);
                let at = (z * elements[1] as usize + y) * rows.row_pitch as usize + x * shape.element;
                let from = 96 + in_tiles(&shape, elements, first_tile, position);
                assert_eq!(
                    bytes[at..at + shape.element],
                    data[from..from + shape.element],
                    "{position:?} of subresource {subresource} of {:?}",
                    shape.desc
                );
            }
        }

        // And back into a buffer of other bytes: what lies in no texel stays.
        let back = rig.buffer(HeapType::Default, size);
        let fill = rig.upload(&vec![0xEE; size as usize]);
        rig.run(|list| {
            list.copy_buffer_region(&back, 0, &fill, 0, size).unwrap();
            list.copy_tiles(&texture, &tile(0, 0, 0, 0), &all, &back, 0, TO_BUFFER).unwrap();
        });
        let bytes = rig.bytes(&back, 0, size);
        let mut expected = vec![0xEE; size as usize];
        let mut is_packed = vec![true; tiles as usize];
        for (_, elements, first_tile) in standard_mips(&rig, &texture, &shape) {
            for position in each_element(elements) {
                let at = in_tiles(&shape, elements, first_tile, position);
                is_packed[at / 65_536] = false;
                expected[at..at + shape.element].copy_from_slice(&data[96 + at..96 + at + shape.element]);
            }
        }
        // Packed tiles are copied as they are.
        for tile in (0..tiles as usize).filter(|tile| is_packed[*tile]) {
            let (begin, end) = (tile << 16, (tile + 1) << 16);
            expected[begin..end].copy_from_slice(&data[96 + begin..96 + end]);
        }
        assert!(bytes == expected, "{:?}", shape.desc);
    }
}

#[test]
fn a_box_of_tiles_lies_tile_after_tile() {
    let rig = Rig::new(profile("discrete-8g"), GpuMode::Immediate);
    // 4 x 3 tiles of 128x128.
    let shape = &shapes()[2];
    let (texture, _heap, _) = mapped(&rig, rgba8(512, 384).with_layout(TextureLayout::Undefined64KbSwizzle));
    let data = noise(4 * TILE);
    let upload = rig.upload(&data);
    let size = TileRegionSize::boxed(2, 2, 1);
    rig.run(|list| list.copy_tiles(&texture, &tile(1, 1, 0, 0), &size, &upload, 0, TO_TILES).unwrap());
    let (rows, total) = footprint(&rig, &texture, 0);
    let readback = rig.buffer(HeapType::Readback, total);
    rig.run(|list| {
        let to = TextureCopyLocation::footprint(&readback, rows);
        list.copy_texture_region(&to, 0, 0, 0, &TextureCopyLocation::subresource(&texture, 0), None).unwrap();
    });
    let mut bytes = vec![0; total as usize];
    readback.read(0, &mut bytes).unwrap();
    for [x, y, _] in each_element([512, 384, 1]) {
        let at = y as usize * rows.row_pitch as usize + x as usize * 4;
        let is_in = (128..384).contains(&x) && (128..384).contains(&y);
        let expected = if is_in {
            let from = in_tiles(shape, [256, 256, 1], 0, [x - 128, y - 128, 0]);
            data[from..from + 4].to_vec()
        } else {
            vec![0; 4]
        };
        assert_eq!(bytes[at..at + 4], expected, "({x}, {y})");
    }
}

#[test]
fn tiles_of_a_buffer_are_its_bytes() {
    let rig = Rig::new(profile("discrete-8g"), GpuMode::Immediate);
    let (reserved, heap, _) = mapped(&rig, ResourceDesc::buffer(4 * TILE));
    let data = noise(2 * TILE + 32);
    let upload = rig.upload(&data);
    let mut list = rig.list();
    let two = TileRegionSize::tiles(2);
    list.copy_tiles(&reserved, &tile(1, 0, 0, 0), &two, &upload, 32, TO_TILES).unwrap();
    list.close().unwrap();
    // One copy of both.
    let commands: Vec<Command> =
        list.dma_buffer().unwrap().commands().map(|command| command.unwrap()).collect();
    assert!(matches!(commands[..], [Command::CopyBuffer { size: 131_072, .. }]), "{commands:?}");
    rig.queue.execute_command_lists(&[&list]).unwrap();
    rig.finish().unwrap();
    let alias = rig
        .device
        .create_placed_resource(&heap, 0, &PlacedResourceDesc::new(ResourceDesc::buffer(4 * TILE)))
        .unwrap();
    let bytes = rig.bytes(&alias, 0, 4 * TILE);
    assert!(bytes[..65_536].iter().chain(&bytes[3 << 16..]).all(|byte| *byte == 0));
    assert!(bytes[65_536..3 << 16] == data[32..]);
}

#[test]
fn samples_of_a_texel_lie_beside_each_other() {
    let rig = Rig::new(profile("discrete-8g"), GpuMode::Immediate);
    // facts/layout.md: 4 samples halve both sides of the 2D tile of 128x128.
    let desc = render_target(64, 64).with_samples(4).with_layout(TextureLayout::Undefined64KbSwizzle);
    let (texture, _heap, tiles) = mapped(&rig, desc);
    assert_eq!(tiles, 1);
    let tiling = rig.device.get_resource_tiling(&texture, 0, &mut []).unwrap();
    assert_eq!((tiling.tile_shape.width_in_texels, tiling.tile_shape.height_in_texels), (64, 64));
    let data = noise(TILE);
    let upload = rig.upload(&data);
    let mut list = rig.list();
    let one = TileRegionSize::tiles(1);
    list.copy_tiles(&texture, &tile(0, 0, 0, 0), &one, &upload, 0, TO_TILES).unwrap();
    list.close().unwrap();
    let commands: Vec<Command> =
        list.dma_buffer().unwrap().commands().map(|command| command.unwrap()).collect();
    let [Command::CopyRegion { size, samples_log2, element_bytes_log2, source, .. }] = commands[..] else {
        panic!("{commands:?}")
    };
    assert_eq!((size, samples_log2, element_bytes_log2), ([64, 64, 1], 2, 2));
    // 64 texels of 4 samples of 4 bytes.
    let heapstone_driver::dma::Image::Pitched { row_pitch, .. } = source else { panic!("{source:?}") };
    assert_eq!(row_pitch, 1024);
    rig.queue.execute_command_lists(&[&list]).unwrap();
    rig.finish().unwrap();
    let back = rig.buffer(HeapType::Default, TILE);
    rig.run(|list| list.copy_tiles(&texture, &tile(0, 0, 0, 0), &one, &back, 0, TO_BUFFER).unwrap());
    assert!(rig.bytes(&back, 0, TILE) == data);
}

/// What a mode makes of the samples of a texel of 4 bytes, by the plainest arithmetic.
fn resolved(format: Format, mode: ResolveMode, samples: [[u8; 4]; 4]) -> [u8; 4] {
    let of_bytes = |join: fn([u8; 4]) -> u8| [0, 1, 2, 3].map(|at| join(samples.map(|sample| sample[at])));
    let least = |bytes: [u8; 4]| *bytes.iter().min().unwrap();
    let greatest = |bytes: [u8; 4]| *bytes.iter().max().unwrap();
    let floats = samples.map(f32::from_le_bytes);
    match (format, mode) {
        (Format::R32_FLOAT, ResolveMode::Average) => (floats.iter().sum::<f32>() / 4.0).to_le_bytes(),
        (Format::R32_FLOAT, ResolveMode::Min) => floats.into_iter().fold(f32::MAX, f32::min).to_le_bytes(),
        (Format::R32_FLOAT, _) => floats.into_iter().fold(f32::MIN, f32::max).to_le_bytes(),
        (Format::R8G8B8A8_SINT, ResolveMode::Min) => {
            of_bytes(|bytes| bytes.into_iter().min_by_key(|byte| byte.cast_signed()).unwrap())
        }
        (Format::R8G8B8A8_SINT, _) => {
            of_bytes(|bytes| bytes.into_iter().max_by_key(|byte| byte.cast_signed()).unwrap())
        }
        (_, ResolveMode::Average) => {
            // Halves away from 0, and up.
            of_bytes(|bytes| ((bytes.into_iter().map(u32::from).sum::<u32>() + 2) / 4) as u8)
        }
        (_, ResolveMode::Min) => of_bytes(least),
        _ => of_bytes(greatest),
    }
}

#[test]
fn samples_that_differ_are_resolved_by_each_mode() {
    use ResolveMode::{Average, Max, Min};
    let rig = Rig::new(profile("discrete-8g"), GpuMode::Immediate);
    let upload = rig.buffer(HeapType::Upload, TILE);
    let noise = noise(TILE);
    for (format, modes) in [
        (Format::R8G8B8A8_UNORM, &[Average, Min, Max][..]),
        (Format::R8G8B8A8_UINT, &[Min, Max]),
        (Format::R8G8B8A8_SINT, &[Min, Max]),
        (Format::R32_FLOAT, &[Average, Min, Max]),
    ] {
        let desc = ResourceDesc::texture_2d(format, 64, 64).with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
        let tiled = desc.with_samples(4).with_layout(TextureLayout::Undefined64KbSwizzle);
        let (texture, _heap, _) = mapped(&rig, tiled);
        // Of floats small numbers, whose mean is exact.
        let data: Vec<u8> = if format == Format::R32_FLOAT {
            let numbers = noise[..16_384].iter().map(|byte| f32::from(*byte) - 100.0);
            numbers.flat_map(f32::to_le_bytes).collect()
        } else {
            noise.clone()
        };
        upload.write(0, &data).unwrap();
        let one = TileRegionSize::tiles(1);
        rig.run(|list| list.copy_tiles(&texture, &tile(0, 0, 0, 0), &one, &upload, 0, TO_TILES).unwrap());
        for mode in modes.iter().copied() {
            let single = CommittedResourceDesc::new(HeapType::Default, desc);
            let single = rig.device.create_committed_resource(&single).unwrap();
            let (rows, total) = footprint(&rig, &single, 0);
            let readback = rig.buffer(HeapType::Readback, total);
            rig.run(|list| {
                // 41 x 52 texels at (7, 5) to (20, 11).
                list.resolve_subresource_region(&ResolveRegion {
                    destination: &single,
                    destination_subresource: 0,
                    x: 20,
                    y: 11,
                    source: &texture,
                    source_subresource: 0,
                    source_rect: Some(Rect::new(7, 5, 48, 57)),
                    format,
                    mode,
                })
                .unwrap();
                let to = TextureCopyLocation::footprint(&readback, rows);
                list.copy_texture_region(&to, 0, 0, 0, &TextureCopyLocation::subresource(&single, 0), None)
                    .unwrap();
            });
            let mut bytes = vec![0; total as usize];
            readback.read(0, &mut bytes).unwrap();
            for [x, y, _] in each_element([64, 64, 1]) {
                let is_inside = (20..61).contains(&x) && (11..63).contains(&y);
                let expected = if is_inside {
                    let texel = ((y - 6) * 64 + (x - 13)) as usize * 16;
                    let samples = [0, 4, 8, 12].map(|at| data[texel + at..][..4].try_into().unwrap());
                    resolved(format, mode, samples)
                } else {
                    [0; 4]
                };
                let at = (y * rows.row_pitch + x * 4) as usize;
                assert_eq!(bytes[at..at + 4], expected, "{format} by {mode:?} at ({x}, {y})");
            }
        }
    }
}

/// The bits of `value` at the ones of `mask`, lowest first.
fn deposit(mut value: u64, mask: u64) -> u64 {
    let mut deposited = 0;
    for bit in (0..64).filter(|bit| mask >> bit & 1 != 0) {
        deposited |= (value & 1) << bit;
        value >>= 1;
    }
    deposited
}

// facts/layout.md, 64 KB standard swizzle; spec/2-resource-heaps.txt 1049: data are inherited where the layouts are
// the same and known.
#[test]
fn a_standard_swizzled_texture_inherits_what_a_buffer_wrote_tile_by_tile() {
    let rig = Rig::new(profile("discrete-8g"), GpuMode::Immediate);
    // 3 x 2 tiles of 128x128.
    let (width, height) = (300, 200);
    let desc = rgba8(width, height).with_layout(TextureLayout::Standard64KbSwizzle);
    let texture = rig.reserved(desc);
    let buffer = rig.reserved(ResourceDesc::buffer(6 * TILE));
    let (first, second) = (rig.heap(4 * TILE), rig.heap(4 * TILE));
    // Tiles of both in an order of their own: 0, 2, 4 in one heap, 1, 3, 5 in the other.
    for resource in [&texture, &buffer] {
        for (heap, which) in [(&first, 0), (&second, 1)] {
            let starts: Vec<_> = (0..3)
                .map(|n| 2 * n + which)
                .map(|index: u32| {
                    if resource == &texture { tile(index % 3, index / 3, 0, 0) } else { tile(index, 0, 0, 0) }
                })
                .collect();
            let desc = UpdateTileMappingsDesc {
                region_start_coordinates: Some(&starts),
                heap: Some(heap),
                heap_range_start_offsets: Some(&[3, 1, 2]),
                ..UpdateTileMappingsDesc::default()
            };
            rig.queue.update_tile_mappings(resource, &desc).unwrap();
        }
    }
    let texel = |x: u64, y: u64| u32::try_from(y * width + x + 1).unwrap().to_le_bytes();
    let mut swizzled = vec![0; 6 << 16];
    for y in 0..u64::from(height) {
        for x in 0..width {
            let tile = y / 128 * 3 + x / 128;
            let within = deposit(x % 128 * 4, 0xAA8F) | deposit(y % 128, 0x5570);
            let at = usize::try_from(tile * TILE + within).unwrap();
            swizzled[at..at + 4].copy_from_slice(&texel(x, y));
        }
    }
    let upload = rig.upload(&swizzled);
    rig.run(|list| list.copy_buffer_region(&buffer, 0, &upload, 0, 6 * TILE).unwrap());
    let (rows, total) = footprint(&rig, &texture, 0);
    let readback = rig.buffer(HeapType::Readback, total);
    rig.run(|list| {
        let to = TextureCopyLocation::footprint(&readback, rows);
        list.copy_texture_region(&to, 0, 0, 0, &TextureCopyLocation::subresource(&texture, 0), None).unwrap();
    });
    let mut bytes = vec![0; usize::try_from(total).unwrap()];
    readback.read(0, &mut bytes).unwrap();
    for y in 0..u64::from(height) {
        for x in 0..width {
            let at = usize::try_from(y * u64::from(rows.row_pitch) + x * 4).unwrap();
            assert_eq!(bytes[at..at + 4], texel(x, y), "({x}, {y})");
        }
    }
}

/// A call for each tile, which lie in two heaps in turn, last tiles first; and the users' case of a heap that is sized by
/// pixels, here those of the largest mip.
#[test]
fn packed_mips_may_lie_in_several_heaps() {
    for mode in MODES {
        let rig = Rig::new(profile("discrete-8g"), mode);
        // Lower than a tile of 128x128 from the first mip on, so that all are packed (facts/layout.md, Tiling).
        let desc = rgba8(1000, 40).with_mip_levels(10).with_layout(TextureLayout::Undefined64KbSwizzle);
        let texture = rig.reserved(desc);
        let packed = rig.device.get_resource_tiling(&texture, 0, &mut []).unwrap().packed;
        assert_eq!((packed.standard_mips, packed.packed_mips, packed.start_tile_index), (0, 10, 0));
        let tiles = packed.tiles_for_packed_mips;

        // 53,306 texels of 4 bytes are more than 3 tiles; the first mip's 40,000, as users count them, are not.
        assert!(tiles >= 4, "{tiles}");
        let small = rig.heap(3 * TILE);
        let desc = UpdateTileMappingsDesc {
            heap: Some(&small),
            heap_range_start_offsets: Some(&[0]),
            ..UpdateTileMappingsDesc::default()
        };
        let violation = refused(rig.queue.update_tile_mappings(&texture, &desc), &rules::HEAP_RANGE);
        says(&violation, "pRangeTileCounts", &[&tiles.to_string()], &["3 tiles (196608 bytes)"]);

        let heaps = [rig.heap(u64::from(tiles) * TILE), rig.heap(u64::from(tiles) * TILE)];
        for n in 0..tiles {
            let desc = UpdateTileMappingsDesc {
                // Any packed mip names the tiles of all.
                region_start_coordinates: Some(&[tile(n, 0, 0, n % 10)]),
                heap: Some(&heaps[n as usize % 2]),
                heap_range_start_offsets: Some(&[tiles - 1 - n]),
                ..UpdateTileMappingsDesc::default()
            };
            rig.queue.update_tile_mappings(&texture, &desc).unwrap();
        }
        // All are written before one is read: no two share a byte.
        let written: Vec<_> = (0..10)
            .map(|mip| {
                let (rows, total) = footprint(&rig, &texture, mip);
                let mut data = noise(total);
                data.iter_mut().for_each(|byte| *byte ^= mip as u8);
                let upload = rig.upload(&data);
                rig.run(|list| {
                    let to = TextureCopyLocation::subresource(&texture, mip);
                    let from = TextureCopyLocation::footprint(&upload, rows);
                    list.copy_texture_region(&to, 0, 0, 0, &from, None).unwrap();
                });
                (rows, data)
            })
            .collect();
        for (mip, (rows, data)) in (0..).zip(&written) {
            let readback = rig.buffer(HeapType::Readback, data.len() as u64);
            rig.run(|list| {
                let to = TextureCopyLocation::footprint(&readback, *rows);
                let from = TextureCopyLocation::subresource(&texture, mip);
                list.copy_texture_region(&to, 0, 0, 0, &from, None).unwrap();
            });
            let mut bytes = vec![0; data.len()];
            readback.read(0, &mut bytes).unwrap();
            for y in 0..rows.height as usize {
                let row = y * rows.row_pitch as usize..y * rows.row_pitch as usize + rows.width as usize * 4;
                assert!(bytes[row.clone()] == data[row], "{mode:?}: row {y} of mip {mip}");
            }
        }
        // The bytes lie in both heaps: without the second, tiles of the first mip have none.
        let [first, second] = heaps;
        drop(second);
        let (rows, total) = footprint(&rig, &texture, 0);
        let readback = rig.buffer(HeapType::Readback, total);
        let gone = rig.try_run(|list| {
            let to = TextureCopyLocation::footprint(&readback, rows);
            list.copy_texture_region(&to, 0, 0, 0, &TextureCopyLocation::subresource(&texture, 0), None)
                .unwrap();
        });
        assert!(matches!(gone, Err(Error::DeviceRemoved(_))), "{mode:?}: {gone:?}");
        drop(first);
    }
}

#[test]
fn what_copy_tiles_does_not_do_is_refused_with_numbers() {
    let rig = Rig::new(profile("discrete-8g"), GpuMode::Immediate);
    let (texture, ..) = mapped(&rig, rgba8(256, 256).with_layout(TextureLayout::Undefined64KbSwizzle));
    let buffer = rig.buffer(HeapType::Default, 4 * TILE);
    let start = tile(0, 0, 0, 0);
    let four = TileRegionSize::tiles(4);
    let none = TileCopyFlags::empty();
    let record = |resource: &Resource, size: &TileRegionSize, buffer: &Resource, offset, flags| {
        // Each on a list of its own: the first refusal spoils a list.
        let mut list = rig.list();
        let result = list.copy_tiles(resource, &start, size, buffer, offset, flags);
        assert_eq!(list.close().is_err(), result.is_err());
        result
    };
    record(&texture, &four, &buffer, 0, TO_TILES).unwrap();
    record(&texture, &four, &buffer, 0, TO_BUFFER.union(TileCopyFlags::NO_HAZARD)).unwrap();
    record(&texture, &TileRegionSize::tiles(0), &buffer, 4 * TILE, TO_TILES).unwrap();

    for flags in [none, TO_TILES.union(TO_BUFFER), TO_TILES.union(TileCopyFlags::from_bits_retain(8))] {
        refused(record(&texture, &four, &buffer, 0, flags), &rules::COPY_DIRECTION);
    }
    let violation = refused(record(&texture, &four, &buffer, 16, TO_TILES), &rules::COPY_OFFSET);
    says(&violation, "BufferStartOffsetInBytes", &["16"], &["32"]);
    let violation = refused(record(&texture, &four, &buffer, 32, TO_TILES), &rules::COPY_RANGE);
    says(&violation, "NumTiles", &["262144 bytes at 32"], &["262144"]);
    let violation = refused(record(&texture, &four, &buffer, u64::MAX - 31, TO_TILES), &rules::COPY_RANGE);
    says(&violation, "NumTiles", &["18446744073709551584"], &["262144"]);
    let violation =
        refused(record(&texture, &TileRegionSize::tiles(5), &buffer, 0, TO_TILES), &rules::REGION_RANGE);
    assert_eq!(violation.message, None, "CopyTiles has none");
    refused(record(&buffer, &four, &buffer, 0, TO_TILES), &rules::RESOURCE);
    refused(record(&texture, &four, &texture, 0, TO_TILES), &rules::COPY_BUFFER);
    let (upload, readback) =
        (rig.buffer(HeapType::Upload, 4 * TILE), rig.buffer(HeapType::Readback, 4 * TILE));
    refused(record(&texture, &four, &upload, 0, TO_BUFFER), &copy_rules::DESTINATION_HEAP);
    refused(record(&texture, &four, &readback, 0, TO_TILES), &copy_rules::SOURCE_HEAP);

    // Within one reserved buffer.
    let (reserved, ..) = mapped(&rig, ResourceDesc::buffer(4 * TILE));
    let two = TileRegionSize::tiles(2);
    let violation =
        refused(record(&reserved, &two, &reserved, 2 * TILE - 32, TO_TILES), &rules::COPY_OVERLAP);
    says(&violation, "BufferStartOffsetInBytes", &["[131040, 262112)", "[0, 131072)"], &["not overlap"]);
    record(&reserved, &two, &reserved, 2 * TILE, TO_TILES).unwrap();

    let other = Rig::new(profile("discrete-8g"), GpuMode::Immediate);
    let foreign = other.buffer(HeapType::Default, 4 * TILE);
    assert!(record(&texture, &four, &foreign, 0, TO_TILES).is_err());
}
