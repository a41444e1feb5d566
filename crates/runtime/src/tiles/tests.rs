//! Plans of mappings against the documentation's examples, and every rule broken once.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use super::{UpdateTileMappingsDesc, plan_copy, plan_update};
use crate::desc::ReservedResourceDesc;
use crate::device::Device;
use crate::heap::Heap;
use crate::resource::Resource;
use heapstone_driver::Backing;
use heapstone_driver::engine::{TileCopyRun, TileRun, TileTarget};
use heapstone_driver_soft::SoftDriverFactory;
use heapstone_spec::tiles::{
    TileBox, TileMappingFlags, TileRangeFlags, TileRegionSize, TiledResourceCoordinate,
};
use heapstone_spec::{
    Format, HeapDesc, HeapFlags, HeapType, Profile, ResourceDesc, Rule, TextureLayout, Violation, rules,
};

const MIB: u64 = 1 << 20;
pub(super) const TILE: u64 = 65_536;

pub(super) fn device_of(profile: &str) -> Device {
    let profile = Profile::builtin(profile).unwrap();
    let factory = SoftDriverFactory::default();
    Device::builder().profile(profile).driver(&factory).backing(Backing::Phantom).build().unwrap()
}

pub(super) fn reserved(device: &Device, desc: ResourceDesc) -> Resource {
    device.create_reserved_resource(&ReservedResourceDesc::new(desc)).unwrap()
}

pub(super) fn texture(desc: ResourceDesc) -> ResourceDesc {
    desc.with_layout(TextureLayout::Undefined64KbSwizzle)
}

pub(super) fn rgba8(width: u64, height: u32) -> ResourceDesc {
    texture(ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, width, height))
}

pub(super) fn heap(device: &Device, tiles: u64) -> Heap {
    device.create_heap(&HeapDesc::new(tiles * TILE, HeapType::Default)).unwrap()
}

/// The runs, as (first tile, count, what they show); `None` is NULL, else the heap's tile and whether it is
/// one for all.
type Shown = (u32, u32, Option<(u32, bool)>);

fn shown(runs: &[TileRun]) -> Vec<Shown> {
    let target = |target: TileTarget| match target {
        TileTarget::Null => None,
        TileTarget::Heap { first_tile, reuse_single_tile, .. } => Some((first_tile, reuse_single_tile)),
    };
    runs.iter().map(|run| (run.first_tile, run.tile_count, target(run.target))).collect()
}

fn update(resource: &Resource, desc: &UpdateTileMappingsDesc<'_>) -> Result<Vec<Shown>, Box<Violation>> {
    let plan = plan_update(resource.inner.device(), resource, desc)?;
    let names_heap = plan.runs.iter().any(|run| run.target != TileTarget::Null);
    assert_eq!(plan.heap.as_ref(), desc.heap.filter(|_| names_heap), "a heap is held where it is named");
    Ok(shown(&plan.runs))
}

pub(super) fn at(x: u32, y: u32, z: u32, subresource: u32) -> TiledResourceCoordinate {
    TiledResourceCoordinate::new(x, y, z, subresource)
}

// The examples of Microsoft's documentation of UpdateTileMappings.

#[test]
fn a_whole_resource_is_unmapped() {
    let device = device_of("discrete-8g");
    let resource = reserved(&device, rgba8(512, 512).with_mip_levels(3));
    let null = [TileRangeFlags::NULL];
    let desc = UpdateTileMappingsDesc { range_flags: Some(&null), ..UpdateTileMappingsDesc::default() };
    assert_eq!(update(&resource, &desc).unwrap(), [(0, 21, None)]);
    // A heap that is not named is not held.
    let heap = heap(&device, 1);
    let desc = UpdateTileMappingsDesc { heap: Some(&heap), ..desc };
    assert_eq!(update(&resource, &desc).unwrap(), [(0, 21, None)]);
}

#[test]
fn a_box_shows_a_single_tile() {
    let device = device_of("discrete-8g");
    // Tiles of 128x128: a grid of 4 x 4.
    let resource = reserved(&device, rgba8(512, 512));
    let heap = heap(&device, 13);
    let desc = UpdateTileMappingsDesc {
        region_start_coordinates: Some(&[at(1, 1, 0, 0)]),
        region_sizes: Some(&[TileRegionSize::boxed(2, 3, 1)]),
        heap: Some(&heap),
        range_flags: Some(&[TileRangeFlags::REUSE_SINGLE_TILE]),
        heap_range_start_offsets: Some(&[12]),
        ..UpdateTileMappingsDesc::default()
    };
    let one = Some((12, true));
    assert_eq!(update(&resource, &desc).unwrap(), [(5, 2, one), (9, 2, one), (13, 2, one)]);
}

#[test]
fn disjoint_single_tiles_need_no_sizes_and_counts() {
    let device = device_of("discrete-8g");
    let resource = reserved(&device, rgba8(1024, 1024));
    let heap = heap(&device, 8);
    let desc = UpdateTileMappingsDesc {
        region_start_coordinates: Some(&[at(1, 1, 0, 0), at(4, 7, 0, 0), at(2, 3, 0, 0)]),
        heap: Some(&heap),
        heap_range_start_offsets: Some(&[1, 4, 7]),
        ..UpdateTileMappingsDesc::default()
    };
    // 8 tiles a row: 1 * 8 + 1, 7 * 8 + 4, 3 * 8 + 2.
    let expected = [(9, 1, Some((1, false))), (60, 1, Some((4, false))), (26, 1, Some((7, false)))];
    assert_eq!(update(&resource, &desc).unwrap(), expected);
}

#[test]
fn ranges_are_cut_otherwise_than_regions() {
    let device = device_of("discrete-8g");
    // 32 x 32 tiles.
    let resource = reserved(&device, rgba8(4096, 4096));
    let heap = heap(&device, 18);
    let (none, one) = (TileRangeFlags::empty(), TileRangeFlags::REUSE_SINGLE_TILE);
    let (skip, null) = (TileRangeFlags::SKIP, TileRangeFlags::NULL);
    let desc = UpdateTileMappingsDesc {
        region_start_coordinates: Some(&[at(1, 1, 0, 0), at(4, 7, 0, 0), at(20, 30, 0, 0)]),
        // Depth says nothing of a 2D texture.
        region_sizes: Some(&[
            TileRegionSize { num_tiles: 6, tile_box: Some(TileBox { width: 2, height: 3, depth: 0 }) },
            TileRegionSize::boxed(3, 3, 1),
            TileRegionSize { num_tiles: 7, tile_box: Some(TileBox { width: 7, height: 1, depth: 99 }) },
        ]),
        heap: Some(&heap),
        range_flags: Some(&[none, skip, null, one, none, none, none, none]),
        heap_range_start_offsets: Some(&[9, 0, 0, 17, 2, 9, 4, 17]),
        range_tile_counts: Some(&[3, 8, 2, 5, 1, 1, 1, 1]),
        flags: TileMappingFlags::NO_HAZARD,
    };
    // Row y begins at 32 y. The walk: (1,1) (2,1) (1,2) to tiles 9, 10, 11; 8 skipped up to (5,8);
    // (6,8) and (4,9) NULL; (5,9) (6,9) (20,30) (21,30) (22,30) to 17; then 2, 9, 4, 17.
    let expected = [
        (33, 2, Some((9, false))),
        (65, 1, Some((11, false))),
        (262, 1, None),
        (292, 1, None),
        (293, 2, Some((17, true))),
        (980, 3, Some((17, true))),
        (983, 1, Some((2, false))),
        (984, 1, Some((9, false))),
        (985, 1, Some((4, false))),
        (986, 1, Some((17, false))),
    ];
    assert_eq!(update(&resource, &desc).unwrap(), expected);
}

#[test]
fn packed_mips_are_flat_behind_the_standard_ones() {
    let device = device_of("discrete-8g");
    // facts/layout.md, Tiling: 3 standard mips of 16 + 4 + 1 tiles.
    let resource = reserved(&device, rgba8(512, 512).with_mip_levels(10));
    let heap = heap(&device, 4);
    let map = |start, size: Option<TileRegionSize>| {
        let (starts, sizes) = ([start], [size.unwrap_or(TileRegionSize::tiles(1))]);
        let desc = UpdateTileMappingsDesc {
            region_start_coordinates: Some(&starts),
            region_sizes: size.is_some().then_some(&sizes),
            heap: Some(&heap),
            heap_range_start_offsets: Some(&[3]),
            ..UpdateTileMappingsDesc::default()
        };
        update(&resource, &desc)
    };
    // Any packed mip names the same tiles.
    for subresource in 3..10 {
        assert_eq!(map(at(0, 0, 0, subresource), None).unwrap(), [(21, 1, Some((3, false)))]);
    }
    let refused = map(at(0, 0, 0, 3), Some(TileRegionSize::boxed(1, 1, 1))).unwrap_err();
    assert_eq!(refused.rule, &rules::tile::REGION_PACKED);
    let refused = map(at(0, 1, 0, 3), None).unwrap_err();
    assert_eq!(refused.rule, &rules::tile::REGION_PACKED);
    let refused = map(at(1, 0, 0, 3), None).unwrap_err();
    assert_eq!(refused.rule, &rules::tile::REGION_START);
    // A region that begins in mip 2 goes over into the packed ones.
    let over = map(at(0, 0, 0, 2), Some(TileRegionSize::tiles(2))).unwrap_err();
    assert_eq!(over.rule, &rules::tile::HEAP_RANGE);
    assert!(over.given.contains("tile 5") && over.allowed.contains("4 tiles (262144 bytes)"), "{over}");
}

#[test]
fn boxes_of_arrays_go_to_the_same_mip_of_the_next_slice() {
    let device = device_of("discrete-8g");
    // facts/layout.md, Tiling: 4 slices of 16 + 4 + 1 tiles.
    let resource = reserved(&device, rgba8(512, 512).with_array_size(4).with_mip_levels(3));
    let heap = heap(&device, 8);
    let desc = UpdateTileMappingsDesc {
        // Mip 1 of slice 1.
        region_start_coordinates: Some(&[at(0, 0, 0, 4)]),
        region_sizes: Some(&[TileRegionSize::boxed(2, 2, 2)]),
        heap: Some(&heap),
        heap_range_start_offsets: Some(&[0]),
        ..UpdateTileMappingsDesc::default()
    };
    let expected = [(37, 4, Some((0, false))), (58, 4, Some((4, false)))];
    assert_eq!(update(&resource, &desc).unwrap(), expected);
    let desc = UpdateTileMappingsDesc { region_sizes: Some(&[TileRegionSize::boxed(2, 2, 4)]), ..desc };
    let refused = update(&resource, &desc).unwrap_err();
    assert_eq!(refused.rule, &rules::tile::REGION_RANGE);
    assert!(refused.given.contains("2 x 2 x 4") && refused.allowed.contains("2 x 2 x 3"), "{refused}");
}

#[test]
fn volumes_are_walked_in_z() {
    let device = device_of("discrete-8g");
    // facts/layout.md: tiles of 16x16x16 texels; 64 + 8 + 1 tiles.
    let desc = ResourceDesc::texture_3d(Format::R32G32B32A32_FLOAT, 64, 64, 64).with_mip_levels(3);
    let resource = reserved(&device, texture(desc));
    let heap = heap(&device, 8);
    let desc = UpdateTileMappingsDesc {
        region_start_coordinates: Some(&[at(1, 2, 1, 0)]),
        region_sizes: Some(&[TileRegionSize::boxed(2, 2, 2)]),
        heap: Some(&heap),
        heap_range_start_offsets: Some(&[0]),
        ..UpdateTileMappingsDesc::default()
    };
    // 16 z + 4 y + x.
    let expected = [
        (25, 2, Some((0, false))),
        (29, 2, Some((2, false))),
        (41, 2, Some((4, false))),
        (45, 2, Some((6, false))),
    ];
    assert_eq!(update(&resource, &desc).unwrap(), expected);
    let all = UpdateTileMappingsDesc {
        region_start_coordinates: Some(&[at(0, 0, 0, 1)]),
        region_sizes: Some(&[TileRegionSize::boxed(2, 2, 2)]),
        ..desc
    };
    assert_eq!(update(&resource, &all).unwrap(), [(64, 8, Some((0, false)))]);
}

#[test]
fn a_buffer_is_padded_to_whole_tiles() {
    let device = device_of("discrete-8g");
    // 100,000 bytes take two tiles.
    let buffer = reserved(&device, ResourceDesc::buffer(100_000));
    let heap = heap(&device, 3);
    let map = |start: TiledResourceCoordinate, size| {
        let (starts, sizes) = ([start], [size]);
        update(
            &buffer,
            &UpdateTileMappingsDesc {
                region_start_coordinates: Some(&starts),
                region_sizes: Some(&sizes),
                heap: Some(&heap),
                heap_range_start_offsets: Some(&[0]),
                ..UpdateTileMappingsDesc::default()
            },
        )
    };
    assert_eq!(map(at(0, 0, 0, 0), TileRegionSize::tiles(2)).unwrap(), [(0, 2, Some((0, false)))]);
    // Height and depth of the box say nothing of a buffer.
    let flat = TileRegionSize { num_tiles: 1, tile_box: Some(TileBox { width: 1, height: 0, depth: 7 }) };
    assert_eq!(map(at(1, 0, 0, 0), flat).unwrap(), [(1, 1, Some((0, false)))]);
    let refused = map(at(0, 0, 0, 0), TileRegionSize::tiles(3)).unwrap_err();
    assert_eq!(refused.rule, &rules::tile::REGION_RANGE);
    assert!(refused.given.contains("3 tiles") && refused.allowed.contains("at most 2"), "{refused}");
    for start in [at(2, 0, 0, 0), at(0, 1, 0, 0), at(0, 0, 1, 0)] {
        assert_eq!(map(start, TileRegionSize::tiles(1)).unwrap_err().rule, &rules::tile::REGION_START);
    }
    let refused = map(at(0, 0, 0, 1), TileRegionSize::tiles(1)).unwrap_err();
    assert_eq!(refused.rule, &rules::tile::REGION_SUBRESOURCE);
}

#[test]
fn neighbours_are_one_run() {
    let device = device_of("discrete-8g");
    let buffer = reserved(&device, ResourceDesc::buffer(1024 * TILE));
    let heap = heap(&device, 1024);
    let starts: Vec<_> = (0..1024).map(|x| at(x, 0, 0, 0)).collect();
    let offsets: Vec<u32> = (0..1024).collect();
    let desc = UpdateTileMappingsDesc {
        region_start_coordinates: Some(&starts),
        heap: Some(&heap),
        heap_range_start_offsets: Some(&offsets),
        ..UpdateTileMappingsDesc::default()
    };
    assert_eq!(update(&buffer, &desc).unwrap(), [(0, 1024, Some((0, false)))]);
    // The same tile again and again is none.
    let same = vec![5; 1024];
    let desc = UpdateTileMappingsDesc { heap_range_start_offsets: Some(&same), ..desc };
    assert_eq!(update(&buffer, &desc).unwrap().len(), 1024);
}

#[test]
fn what_does_not_fit_is_refused_with_numbers() {
    let device = device_of("discrete-8g");
    let resource = reserved(&device, rgba8(512, 512));
    let heap = heap(&device, 4);
    let none = UpdateTileMappingsDesc::default();
    let mapped = UpdateTileMappingsDesc { heap: Some(&heap), heap_range_start_offsets: Some(&[0]), ..none };
    let one = [at(0, 0, 0, 0)];
    let cases: &[(&'static Rule, UpdateTileMappingsDesc<'_>, &str, &str)] = &[
        // All 16 tiles into 4.
        (&rules::tile::HEAP_RANGE, mapped, "16", "4 tiles (262144 bytes)"),
        (
            &rules::tile::HEAP_RANGE,
            UpdateTileMappingsDesc {
                region_start_coordinates: Some(&one),
                heap_range_start_offsets: Some(&[4]),
                ..mapped
            },
            "tile 4 of the heap",
            "4 tiles",
        ),
        (
            &rules::tile::HEAP_RANGE,
            UpdateTileMappingsDesc {
                region_start_coordinates: Some(&one),
                heap_range_start_offsets: Some(&[u32::MAX]),
                range_flags: Some(&[TileRangeFlags::REUSE_SINGLE_TILE]),
                ..mapped
            },
            "tile 4294967295 of the heap",
            "4 tiles",
        ),
        (
            &rules::tile::HEAP_NULL,
            UpdateTileMappingsDesc { heap: None, ..mapped },
            "NULL for range 0",
            "a heap",
        ),
        (
            &rules::tile::RANGE_OFFSETS,
            UpdateTileMappingsDesc { heap_range_start_offsets: None, ..mapped },
            "NULL, with range 0",
            "offsets",
        ),
        (
            &rules::tile::RANGE_FLAGS,
            UpdateTileMappingsDesc {
                range_flags: Some(&[TileRangeFlags::NULL.union(TileRangeFlags::SKIP)]),
                ..none
            },
            "NULL | SKIP of range 0",
            "REUSE_SINGLE_TILE",
        ),
        (
            &rules::tile::RANGE_FLAGS,
            UpdateTileMappingsDesc { range_flags: Some(&[TileRangeFlags::from_bits_retain(8)]), ..none },
            "0x8 of range 0",
            "NONE",
        ),
        (
            &rules::tile::RANGE_SUM,
            UpdateTileMappingsDesc {
                range_flags: Some(&[TileRangeFlags::NULL; 2]),
                range_tile_counts: Some(&[9, 8]),
                ..none
            },
            "17 tiles in 2 ranges",
            "16",
        ),
        (
            &rules::tile::RANGE_SUM,
            UpdateTileMappingsDesc {
                range_flags: Some(&[TileRangeFlags::NULL; 2]),
                range_tile_counts: Some(&[u32::MAX, u32::MAX]),
                ..none
            },
            "8589934590 tiles in 2 ranges",
            "16",
        ),
        (
            &rules::tile::RANGE_SUM,
            UpdateTileMappingsDesc { range_flags: Some(&[TileRangeFlags::NULL; 15]), ..none },
            "15 tiles in 15 ranges",
            "16",
        ),
        (
            &rules::tile::RANGE_SUM,
            UpdateTileMappingsDesc { range_flags: Some(&[]), ..none },
            "0 tiles in 0 ranges",
            "16",
        ),
        (
            &rules::tile::RANGE_ARRAYS,
            UpdateTileMappingsDesc { range_tile_counts: Some(&[8, 8]), ..mapped },
            "NULL, 1 and 2 entries",
            "NumRanges",
        ),
        (
            &rules::tile::REGION_ARRAYS,
            UpdateTileMappingsDesc { region_sizes: Some(&[TileRegionSize::tiles(1); 2]), ..mapped },
            "NULL for 2 regions",
            "1 region",
        ),
        (
            &rules::tile::REGION_ARRAYS,
            UpdateTileMappingsDesc {
                region_start_coordinates: Some(&one),
                region_sizes: Some(&[TileRegionSize::tiles(1); 3]),
                ..mapped
            },
            "3 sizes for 1 coordinates",
            "1",
        ),
        (
            &rules::tile::REGION_COUNT,
            UpdateTileMappingsDesc {
                region_sizes: Some(&[TileRegionSize {
                    num_tiles: 5,
                    tile_box: Some(TileBox { width: 2, height: 2, depth: 1 }),
                }]),
                ..mapped
            },
            "5 of a box of 2 x 2 x 1",
            "4",
        ),
        (
            &rules::tile::REGION_RANGE,
            UpdateTileMappingsDesc {
                region_sizes: Some(&[TileRegionSize::boxed(u32::MAX, u16::MAX, 1)]),
                ..mapped
            },
            "4294967295 x 65535 x 1",
            "4 x 4 x 1",
        ),
        (
            &rules::tile::REGION_START,
            UpdateTileMappingsDesc { region_start_coordinates: Some(&[at(4, 0, 0, 0)]), ..mapped },
            "tile (4, 0, 0) of subresource 0",
            "4 x 4 x 1",
        ),
        (
            &rules::tile::REGION_SUBRESOURCE,
            UpdateTileMappingsDesc { region_start_coordinates: Some(&[at(0, 0, 0, u32::MAX)]), ..mapped },
            "4294967295",
            "0 to 0",
        ),
        (
            &rules::tile::FLAGS,
            UpdateTileMappingsDesc { flags: TileMappingFlags::from_bits_retain(2), ..mapped },
            "0x2",
            "NO_HAZARD",
        ),
    ];
    for (rule, desc, given, allowed) in cases {
        let violation = update(&resource, desc).expect_err(rule.id);
        assert_eq!(violation.rule, *rule, "{violation}");
        assert!(violation.given.contains(given), "{violation}: given {given}");
        assert!(violation.allowed.contains(allowed), "{violation}: allowed {allowed}");
    }
}

#[test]
fn resources_and_heaps_are_of_the_device_and_of_a_kind() {
    let (device, other) = (device_of("discrete-tier1-2g"), device_of("discrete-tier1-2g"));
    let buffer = reserved(&device, ResourceDesc::buffer(TILE));
    let rule = |resource: &Resource, desc: &UpdateTileMappingsDesc<'_>| update_on(&device, resource, desc);
    let tier_1 =
        |flags| device.create_heap(&HeapDesc::new(MIB, HeapType::Default).with_flags(flags)).unwrap();
    let (buffers, textures) = (
        tier_1(HeapFlags::DENY_RT_DS_TEXTURES.union(HeapFlags::DENY_NON_RT_DS_TEXTURES)),
        tier_1(HeapFlags::DENY_BUFFERS.union(HeapFlags::DENY_RT_DS_TEXTURES)),
    );
    let on = |heap| UpdateTileMappingsDesc {
        heap: Some(heap),
        heap_range_start_offsets: Some(&[0]),
        ..UpdateTileMappingsDesc::default()
    };
    assert_eq!(rule(&buffer, &on(&buffers)), None);
    assert_eq!(rule(&buffer, &on(&textures)), Some(&rules::placement::HEAP_CATEGORY));
    let placed = device.create_committed_resource(&crate::desc::CommittedResourceDesc::new(
        HeapType::Default,
        ResourceDesc::buffer(TILE),
    ));
    assert_eq!(rule(&placed.unwrap(), &on(&buffers)), Some(&rules::tile::RESOURCE));
    assert_eq!(
        rule(&reserved(&other, ResourceDesc::buffer(TILE)), &on(&buffers)),
        Some(&rules::tile::DEVICE)
    );
    let foreign = other.create_heap(&buffers.desc()).unwrap();
    assert_eq!(rule(&buffer, &on(&foreign)), Some(&rules::tile::DEVICE));

    // CopyTileMappings would show a buffer heap's tiles as a texture.
    let texture = reserved(&device, rgba8(128, 128));
    let copy = |to: &Resource, from: &Resource| {
        let (start, one) = (at(0, 0, 0, 0), TileRegionSize::tiles(1));
        plan_copy(&device.inner, (to, &start), (from, &start), &one, TileMappingFlags::empty())
    };
    let refused = copy(&texture, &buffer).unwrap_err();
    assert_eq!(refused.rule, &rules::tile::COPY_CATEGORY);
    assert_eq!(copy(&buffer, &buffer).unwrap().len(), 1);
    // On tier 2 heaps hold all of them.
    let device = device_of("discrete-8g");
    let (buffer, texture) =
        (reserved(&device, ResourceDesc::buffer(TILE)), reserved(&device, rgba8(128, 128)));
    let (start, one) = (at(0, 0, 0, 0), TileRegionSize::tiles(1));
    let copy =
        plan_copy(&device.inner, (&texture, &start), (&buffer, &start), &one, TileMappingFlags::empty());
    let run = TileCopyRun { destination_tile: 0, source_tile: 0, tile_count: 1 };
    assert_eq!(copy.unwrap(), [run]);
}

fn update_on(
    device: &Device,
    resource: &Resource,
    desc: &UpdateTileMappingsDesc<'_>,
) -> Option<&'static Rule> {
    plan_update(&device.inner, resource, desc).err().map(|violation| violation.rule)
}

#[test]
fn a_copy_says_its_own_message() {
    let device = device_of("discrete-8g");
    let buffer = reserved(&device, ResourceDesc::buffer(4 * TILE));
    let copy = |to: u32, from: u32, size: TileRegionSize| {
        plan_copy(
            &device.inner,
            (&buffer, &at(to, 0, 0, 0)),
            (&buffer, &at(from, 0, 0, 0)),
            &size,
            TileMappingFlags::empty(),
        )
    };
    let violation = copy(2, 0, TileRegionSize::tiles(3)).unwrap_err();
    assert_eq!(violation.rule, &rules::tile::REGION_RANGE);
    assert_eq!(violation.message.unwrap().name, "COPYTILEMAPPINGS_INVALID_PARAMETER");
    let run = TileCopyRun { destination_tile: 1, source_tile: 0, tile_count: 3 };
    assert_eq!(copy(1, 0, TileRegionSize::tiles(3)).unwrap(), [run]);
    assert_eq!(copy(1, 0, TileRegionSize::tiles(0)).unwrap(), []);
}

#[test]
fn the_cap_on_tiles_is_a_rule_of_creation() {
    // 2^32 tiles: one more than 32 bits count.
    let mut profile = Profile::builtin("discrete-8g").unwrap();
    (profile.gpu_va.bits_per_process, profile.gpu_va.bits_per_resource) = (52, 52);
    let factory = SoftDriverFactory::default();
    let device =
        Device::builder().profile(profile).driver(&factory).backing(Backing::Phantom).build().unwrap();
    let desc = ReservedResourceDesc::new(ResourceDesc::buffer(1 << 48));
    let error = device.create_reserved_resource(&desc).unwrap_err();
    let violation = error.violation().unwrap();
    assert_eq!(violation.rule, &rules::description::SIZE);
    assert!(violation.given.contains("4294967296 tiles"), "{violation}");
    let largest = ResourceDesc::buffer((1 << 48) - TILE);
    let buffer = device.create_reserved_resource(&ReservedResourceDesc::new(largest)).unwrap();
    let null = [TileRangeFlags::NULL];
    let desc = UpdateTileMappingsDesc { range_flags: Some(&null), ..UpdateTileMappingsDesc::default() };
    assert_eq!(update(&buffer, &desc).unwrap(), [(0, u32::MAX, None)]);
    // The last tile of all.
    let start = [at(u32::MAX - 1, 0, 0, 0)];
    let desc = UpdateTileMappingsDesc { region_start_coordinates: Some(&start), ..desc };
    assert_eq!(update(&buffer, &desc).unwrap(), [(u32::MAX - 1, 1, None)]);
}
