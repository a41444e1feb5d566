//! Plans of mappings against a naive model over random calls: all tiles of a resource in a list, regions and
//! ranges as lists of tiles, mappings in a map.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]
#![allow(clippy::cast_possible_truncation, reason = "the model's resources have few tiles")]

use std::collections::BTreeMap;

use heapstone_driver::engine::{TileCopyRun, TileRun, TileTarget};
use heapstone_layout::SubresourceTiling;
use heapstone_spec::tiles::{
    TileBox, TileMappingFlags, TileRangeFlags, TileRegionSize, TiledResourceCoordinate,
};
use heapstone_spec::{Format, ResourceDesc, ResourceDimension};
use proptest::prelude::*;

use super::tests::{TILE, at, device_of, heap, reserved, rgba8, texture};
use super::{TilePlace, UpdateTileMappingsDesc, plan_copy, plan_update};
use crate::device::Device;
use crate::resource::Resource;

/// What a tile is: subresource (`u32::MAX`: packed, of the slice in z), x, y, z.
type Tile = (u32, [u32; 3]);

struct Model {
    device: Device,
    resource: Resource,
    tiles: Vec<Tile>,
    mips: u32,
    slices: u32,
    standard_mips: u32,
    is_3d: bool,
    is_flat: bool,
}

impl Model {
    fn new(device: &Device, desc: ResourceDesc) -> Model {
        let resource = reserved(device, desc);
        let is_3d = matches!(desc.dimension, ResourceDimension::Texture3D);
        let mips = u32::from(resource.desc().mip_levels);
        let slices = if is_3d { 1 } else { u32::from(desc.depth_or_array_size) };
        let mut grids = vec![SubresourceTiling::PACKED; (mips * slices) as usize];
        let tiling = device.get_resource_tiling(&resource, 0, &mut grids).unwrap();
        let mut tiles = Vec::new();
        for slice in 0..slices {
            for mip in 0..mips {
                let subresource = mip + slice * mips;
                let grid = grids[subresource as usize];
                for z in 0..u32::from(grid.depth_in_tiles) {
                    for y in 0..u32::from(grid.height_in_tiles) {
                        tiles.extend((0..grid.width_in_tiles).map(|x| (subresource, [x, y, z])));
                    }
                }
            }
            tiles.extend((0..tiling.packed.tiles_for_packed_mips).map(|x| (u32::MAX, [x, 0, slice])));
        }
        assert_eq!(tiles.len(), tiling.total_tiles as usize);
        let standard_mips = if desc.is_buffer() { 1 } else { u32::from(tiling.packed.standard_mips) };
        let is_flat = desc.is_buffer();
        Model { device: device.clone(), resource, tiles, mips, slices, standard_mips, is_3d, is_flat }
    }

    fn index(&self, tile: Tile) -> Option<u32> {
        self.tiles.iter().position(|known| *known == tile).map(|index| index as u32)
    }

    fn start(&self, start: &TiledResourceCoordinate) -> Option<u32> {
        if start.subresource >= self.mips * self.slices {
            return None;
        }
        if start.subresource % self.mips >= self.standard_mips {
            let slice = start.subresource / self.mips;
            return (start.y == 0 && start.z == 0).then(|| self.index((u32::MAX, [start.x, 0, slice])))?;
        }
        self.index((start.subresource, [start.x, start.y, start.z]))
    }

    /// The tiles of a region in their order; `None` where it is refused.
    fn region(&self, start: &TiledResourceCoordinate, size: &TileRegionSize) -> Option<Vec<u32>> {
        let first = self.start(start)?;
        let Some(TileBox { width, height, depth }) = size.tile_box else {
            let end = u64::from(first) + u64::from(size.num_tiles);
            return (end <= self.tiles.len() as u64).then(|| (first..first + size.num_tiles).collect());
        };
        if start.subresource % self.mips >= self.standard_mips {
            return None;
        }
        let height = if self.is_flat { 1 } else { u32::from(height) };
        let depth = if self.is_3d || self.slices > 1 { u32::from(depth) } else { 1 };
        if u64::from(width) * u64::from(height) * u64::from(depth) != u64::from(size.num_tiles) {
            return None;
        }
        // The corner lies in the mip also where the box has no tiles.
        for (axis, extent) in [width, height, depth].into_iter().enumerate() {
            if extent > 0 && self.corner(start, axis, extent - 1).is_none() {
                return None;
            }
        }
        let mut tiles = Vec::new();
        for z in 0..depth {
            for y in 0..height {
                for x in 0..width {
                    tiles.push(self.neighbour(start, [x, y, z])?);
                }
            }
        }
        Some(tiles)
    }

    fn corner(&self, start: &TiledResourceCoordinate, axis: usize, by: u32) -> Option<u32> {
        let mut step = [0; 3];
        step[axis] = by;
        self.neighbour(start, step)
    }

    /// The tile `[x, y, z]` on from `start`; z leads to the next slice of an array.
    fn neighbour(&self, start: &TiledResourceCoordinate, [x, y, z]: [u32; 3]) -> Option<u32> {
        let position = [start.x.checked_add(x)?, start.y.checked_add(y)?];
        if self.is_3d {
            return self.index((start.subresource, [position[0], position[1], start.z.checked_add(z)?]));
        }
        let subresource = start.subresource.checked_add(z.checked_mul(self.mips)?)?;
        self.index((subresource, [position[0], position[1], start.z]))
    }
}

fn models(device: &Device) -> Vec<Model> {
    let volume = ResourceDesc::texture_3d(Format::R32G32B32A32_FLOAT, 40, 33, 17).with_mip_levels(0);
    let blocks = ResourceDesc::texture_2d(Format::BC1_UNORM, 1024, 516).with_mip_levels(0);
    [
        ResourceDesc::buffer(7 * TILE - 1),
        rgba8(385, 256),
        rgba8(512, 300).with_mip_levels(0),
        rgba8(300, 260).with_mip_levels(0).with_array_size(3),
        rgba8(256, 128).with_mip_levels(2).with_array_size(4),
        texture(volume),
        texture(blocks).with_array_size(2),
        rgba8(64, 64).with_mip_levels(0),
    ]
    .into_iter()
    .map(|desc| Model::new(device, desc))
    .collect()
}

#[test]
fn each_tile_has_its_place() {
    let device = device_of("discrete-8g");
    for model in models(&device) {
        let grid = model.resource.inner.tile_grid().unwrap().unwrap();
        for (index, (subresource, position)) in model.tiles.iter().enumerate() {
            let expected = match *subresource {
                u32::MAX => TilePlace::Packed,
                subresource => TilePlace::Standard { subresource, position: *position },
            };
            assert_eq!(grid.place(index as u32), expected, "tile {index} of {:?}", model.resource.desc());
        }
    }
}

/// A coordinate: mostly of a tile that the resource has.
#[derive(Clone, Debug)]
enum Start {
    Tile(prop::sample::Index),
    Wild(TiledResourceCoordinate),
}

fn starts() -> impl Strategy<Value = Start> {
    let subresource = prop_oneof![9 => 0u32..30, 1 => any::<u32>()];
    prop_oneof![
        12 => any::<prop::sample::Index>().prop_map(Start::Tile),
        1 => (0u32..4, 0u32..3, 0u32..3, subresource).prop_map(|(x, y, z, s)| Start::Wild(at(x, y, z, s))),
    ]
}

fn sizes() -> impl Strategy<Value = TileRegionSize> {
    let wild = (any::<u32>(), any::<u32>(), any::<u16>(), any::<u16>());
    prop_oneof![
        9 => (0u32..12).prop_map(TileRegionSize::tiles),
        9 => (0u32..4, 0u16..4, 0u16..4).prop_map(|(w, h, d)| TileRegionSize::boxed(w, h, d)),
        1 => wild.prop_map(|(num_tiles, width, height, depth)| {
            TileRegionSize { num_tiles, tile_box: Some(TileBox { width, height, depth }) }
        }),
    ]
}

/// Whether a region is made smaller until it lies in the resource.
fn shrinks() -> impl Strategy<Value = bool> {
    prop::bool::weighted(0.93)
}

impl Model {
    fn coordinate(&self, start: &Start) -> TiledResourceCoordinate {
        match start {
            Start::Wild(coordinate) => *coordinate,
            Start::Tile(index) => match self.tiles[index.index(self.tiles.len())] {
                // The first packed mip of the slice.
                (u32::MAX, [x, _, slice]) => at(x, 0, 0, slice * self.mips + self.standard_mips),
                (subresource, [x, y, z]) => at(x, y, z, subresource),
            },
        }
    }

    /// `size`, smaller where it does not lie in the resource.
    fn shrunk(&self, start: &TiledResourceCoordinate, mut size: TileRegionSize) -> TileRegionSize {
        while self.region(start, &size).is_none() && size.num_tiles > 1 {
            size = match size.tile_box {
                Some(TileBox { width, height, depth }) if depth > 1 => {
                    TileRegionSize::boxed(width, height, depth / 2)
                }
                Some(TileBox { width, height, .. }) if height > 1 => {
                    TileRegionSize::boxed(width, height / 2, 1)
                }
                Some(TileBox { width, .. }) if width > 1 => TileRegionSize::boxed(width / 2, 1, 1),
                _ => TileRegionSize::tiles(size.num_tiles / 2),
            };
        }
        size
    }
}

/// A call before it is known of which resource.
#[derive(Clone, Debug)]
struct Draft {
    starts: Option<Vec<Start>>,
    sizes: Option<Vec<TileRegionSize>>,
    shrinks: bool,
    flags: Option<Vec<TileRangeFlags>>,
    offsets: Option<Vec<u32>>,
    counts: Option<Vec<u32>>,
    /// Whether counts are made to fit the regions.
    fits: bool,
    with_heap: bool,
}

fn drafts() -> impl Strategy<Value = Draft> {
    use prop::option::weighted as of;
    let flags = prop_oneof![
        4 => Just(TileRangeFlags::empty()),
        2 => Just(TileRangeFlags::NULL),
        2 => Just(TileRangeFlags::SKIP),
        2 => Just(TileRangeFlags::REUSE_SINGLE_TILE),
    ];
    (1usize..4, 1usize..5).prop_flat_map(move |(regions, ranges)| {
        let regions_of = (
            of(0.85, prop::collection::vec(starts(), regions)),
            of(0.8, prop::collection::vec(sizes(), regions)),
            shrinks(),
        );
        let ranges_of = (
            of(0.8, prop::collection::vec(flags.clone(), ranges)),
            of(0.95, prop::collection::vec(prop_oneof![19 => 0u32..64, 1 => any::<u32>()], ranges)),
            of(0.8, prop::collection::vec(prop_oneof![19 => 0u32..8, 1 => any::<u32>()], ranges)),
            prop::bool::weighted(0.93),
            prop::bool::weighted(0.97),
        );
        (regions_of, ranges_of).prop_map(
            |((starts, sizes, shrinks), (flags, offsets, counts, fits, with_heap))| Draft {
                starts,
                sizes,
                shrinks,
                flags,
                offsets,
                counts,
                fits,
                with_heap,
            },
        )
    })
}

/// The arguments of UpdateTileMappings.
#[derive(Clone, Debug)]
struct Call {
    starts: Option<Vec<TiledResourceCoordinate>>,
    sizes: Option<Vec<TileRegionSize>>,
    flags: Option<Vec<TileRangeFlags>>,
    offsets: Option<Vec<u32>>,
    counts: Option<Vec<u32>>,
    with_heap: bool,
}

impl Draft {
    fn call(self, model: &Model) -> Call {
        let starts: Option<Vec<_>> =
            self.starts.map(|starts| starts.iter().map(|start| model.coordinate(start)).collect());
        let mut sizes = self.sizes;
        if let Some(sizes) = &mut sizes
            && self.shrinks
        {
            if starts.is_none() {
                sizes.truncate(1);
            }
            for (index, size) in sizes.iter_mut().enumerate() {
                let start = starts.as_ref().map_or(at(0, 0, 0, 0), |starts| starts[index]);
                *size = model.shrunk(&start, *size);
            }
        }
        let Draft { flags, offsets, counts, with_heap, fits, .. } = self;
        let mut call = Call { starts, sizes, flags, offsets, counts, with_heap };
        if fits {
            call.fit(model);
        }
        call
    }
}

/// What a tile shows: a heap's tile, or nothing.
type Mapping = Option<u32>;

impl Call {
    /// The tiles of all regions in their order; `None` where one is refused.
    fn tiles(&self, model: &Model) -> Option<Vec<u32>> {
        match (&self.starts, &self.sizes) {
            (None, None) => Some((0..model.tiles.len() as u32).collect()),
            (None, Some(sizes)) if sizes.len() == 1 => model.region(&at(0, 0, 0, 0), &sizes[0]),
            (None, Some(_)) => None,
            (Some(starts), None) => starts.iter().map(|start| model.start(start)).collect(),
            (Some(starts), Some(sizes)) => {
                let regions = starts.iter().zip(sizes).map(|(start, size)| model.region(start, size));
                Some(regions.collect::<Option<Vec<_>>>()?.concat())
            }
        }
    }

    /// Makes the ranges end where the regions do.
    fn fit(&mut self, model: &Model) {
        let (Some(tiles), Some(counts)) = (self.tiles(model), &mut self.counts) else { return };
        let mut left = tiles.len() as u32;
        let last = counts.len() - 1;
        for (index, count) in counts.iter_mut().enumerate() {
            *count = if index == last { left } else { (*count).min(left) };
            left -= *count;
        }
    }

    fn has_idle_range_without_offset(&self) -> bool {
        let counts = self.counts.as_deref().unwrap_or_default();
        self.offsets.is_none() && counts.contains(&0)
    }

    /// What the tiles show afterwards that change; `None` where the call is refused.
    fn changes(&self, model: &Model, heap_tiles: u32) -> Option<Vec<(u32, Mapping)>> {
        let tiles = self.tiles(model)?;
        let lengths = [
            self.flags.as_ref().map(Vec::len),
            self.offsets.as_ref().map(Vec::len),
            self.counts.as_ref().map(Vec::len),
        ];
        let ranges = lengths.into_iter().flatten().next().unwrap_or(1);
        let counts = match &self.counts {
            Some(counts) => counts.clone(),
            None if ranges == 1 => vec![tiles.len() as u32],
            None => vec![1; ranges],
        };
        if counts.iter().map(|count| u64::from(*count)).sum::<u64>() != tiles.len() as u64 {
            return None;
        }
        let mut changes = Vec::new();
        let mut walk = tiles.into_iter();
        for (index, count) in counts.into_iter().enumerate() {
            let flags = self.flags.as_ref().map_or(TileRangeFlags::empty(), |flags| flags[index]);
            for step in 0..count {
                let tile = walk.next().unwrap();
                if flags == TileRangeFlags::SKIP {
                    continue;
                }
                if flags == TileRangeFlags::NULL {
                    changes.push((tile, None));
                    continue;
                }
                let offset = self.offsets.as_ref()?[index];
                let step = if flags == TileRangeFlags::empty() { step } else { 0 };
                let shown = u64::from(offset) + u64::from(step);
                if !self.with_heap || shown >= u64::from(heap_tiles) {
                    return None;
                }
                changes.push((tile, Some(shown as u32)));
            }
        }
        Some(changes)
    }
}

/// What runs do to mappings.
fn apply(runs: &[TileRun], mappings: &mut BTreeMap<u32, Mapping>) {
    for run in runs {
        for step in 0..run.tile_count {
            let shown = match run.target {
                TileTarget::Null => None,
                TileTarget::Heap { first_tile, reuse_single_tile, .. } => {
                    Some(first_tile + if reuse_single_tile { 0 } else { step })
                }
            };
            mappings.insert(run.first_tile + step, shown);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn updates_follow_the_naive_model(
        program in prop::collection::vec((0usize..8, drafts()), 1..12),
    ) {
        const HEAP_TILES: u32 = 160;
        let device = device_of("discrete-8g");
        let models = models(&device);
        let heap = heap(&device, u64::from(HEAP_TILES));
        let mut planned: Vec<BTreeMap<u32, Mapping>> = vec![BTreeMap::new(); models.len()];
        let mut naive = planned.clone();
        for (which, draft) in program {
            let model = &models[which];
            let call = draft.call(model);
            // Of what a range without tiles lacks the model says nothing.
            if call.has_idle_range_without_offset() {
                continue;
            }
            let desc = UpdateTileMappingsDesc {
                region_start_coordinates: call.starts.as_deref(),
                region_sizes: call.sizes.as_deref(),
                heap: call.with_heap.then_some(&heap),
                range_flags: call.flags.as_deref(),
                heap_range_start_offsets: call.offsets.as_deref(),
                range_tile_counts: call.counts.as_deref(),
                flags: TileMappingFlags::empty(),
            };
            let plan = plan_update(&model.device.inner, &model.resource, &desc);
            match (plan, call.changes(model, HEAP_TILES)) {
                (Ok(plan), Some(changes)) => {
                    apply(&plan.runs, &mut planned[which]);
                    naive[which].extend(changes);
                }
                (Err(_), None) => {}
                (Ok(plan), None) => prop_assert!(false, "{call:?} planned as {:?}", plan.runs),
                (Err(violation), Some(_)) => prop_assert!(false, "{call:?}: {violation}"),
            }
            prop_assert_eq!(&planned[which], &naive[which], "{:?}", call);
        }
    }

    #[test]
    fn copies_follow_the_naive_model(
        to in 0usize..8,
        from in 0usize..8,
        to_start in starts(),
        from_start in starts(),
        size in sizes(),
        shrinks in shrinks(),
    ) {
        let device = device_of("discrete-8g");
        let models = models(&device);
        let (to_start, from_start) = (models[to].coordinate(&to_start), models[from].coordinate(&from_start));
        let shrunk = models[to].shrunk(&to_start, models[from].shrunk(&from_start, size));
        let size = if shrinks { shrunk } else { size };
        let plan = plan_copy(
            &device.inner,
            (&models[to].resource, &to_start),
            (&models[from].resource, &from_start),
            &size,
            TileMappingFlags::empty(),
        );
        let expected = models[to].region(&to_start, &size).zip(models[from].region(&from_start, &size));
        let copied = |runs: &[TileCopyRun]| -> Vec<(u32, u32)> {
            let of = |run: &TileCopyRun| {
                let (to, from) = (run.destination_tile, run.source_tile);
                (0..run.tile_count).map(move |step| (to + step, from + step))
            };
            runs.iter().flat_map(of).collect()
        };
        match (plan, expected) {
            (Ok(runs), Some((to, from))) => {
                // Pairs in order; a run is as long as it can be.
                prop_assert_eq!(copied(&runs), to.into_iter().zip(from).collect::<Vec<_>>());
                for pair in runs.windows(2) {
                    let goes_on = |end: u32, next: u32| end == next;
                    prop_assert!(
                        !(goes_on(pair[0].destination_tile + pair[0].tile_count, pair[1].destination_tile)
                            && goes_on(pair[0].source_tile + pair[0].tile_count, pair[1].source_tile))
                    );
                }
            }
            (Err(_), None) => {}
            // Boxes of resources of other dimensions have other extents: the sums of their tiles differ.
            (plan, expected) => prop_assert!(false, "{plan:?}, not {expected:?}"),
        }
    }
}
