//! A texture written through any path reads back equal through every other: all formats, dimensions, mips, slices
//! and planes, on profiles of every layout.
//!
//! ```text
//!   rows in a buffer --copy--> placed     -.                          .-> rows in a buffer
//!   WriteToSubresource ------> CPU-visible -+--CopyResource to all-->-+-> ReadFromSubresource
//!   CopyTiles ---------------> reserved    -|                         |-> CopyTiles
//!   bytes of a buffer alias -> standard    -'                         '-> bytes of a buffer alias
//! ```

use std::collections::BTreeSet;

use heapstone::spec::tiles::{TileRegionSize, TiledResourceCoordinate};
use heapstone::{
    CpuPageProperty, Format, HeapDesc, HeapProperties, HeapType, MemoryPool, PlacedFootprint, Profile,
    ResourceDesc, ResourceFlags, SdkVersion, TextureLayout,
};
use heapstone_layout::{
    LayoutRules, ProfileSizer, Purpose, legal, resource_allocation, resource_tiling, validate,
};
use heapstone_sim::program::{Command, Location, Program, Slot, Step, TileUpdate};
use heapstone_sim::{Mode, run, shape};
use heapstone_spec::{FormatKind, FormatUses};

const TILE: u64 = 65_536;

/// Writes the program for one texture.
struct Writer {
    rules: LayoutRules,
    steps: Vec<Step>,
    next: Slot,
    /// The texture in its several places.
    textures: Vec<Slot>,
    seed: u64,
}

impl Writer {
    fn new(profile: &Profile) -> Writer {
        let rules = LayoutRules::new(profile, SdkVersion::LATEST);
        Writer { rules, steps: Vec::new(), next: 0, textures: Vec::new(), seed: 1 }
    }

    fn slot(&mut self) -> Slot {
        self.next += 1;
        self.next - 1
    }

    fn execute(&mut self, commands: Vec<Command>) {
        self.steps.push(Step::Execute { queue: 0, times: 1, commands });
    }

    fn buffer(&mut self, heap_type: HeapType, size: u64) -> Slot {
        let resource = self.slot();
        let (properties, desc) = (HeapProperties::new(heap_type), ResourceDesc::buffer(size));
        self.steps.push(Step::CreateCommitted { resource, properties, desc });
        resource
    }

    /// An UPLOAD buffer of noise.
    fn upload(&mut self, size: u64) -> Slot {
        let resource = self.buffer(HeapType::Upload, size);
        self.seed += 1;
        self.steps.push(Step::WriteBuffer { resource, offset: 0, size, seed: self.seed });
        resource
    }

    fn committed(&mut self, properties: HeapProperties, desc: ResourceDesc) -> Slot {
        let resource = self.slot();
        self.steps.push(Step::CreateCommitted { resource, properties, desc });
        self.textures.push(resource);
        resource
    }

    /// Placed behind something else, at the last place of a heap; `None` where it may not be.
    fn placed(&mut self, desc: ResourceDesc) -> Option<Slot> {
        let mut resolved = None;
        let legal = legal(&self.rules, &desc, Purpose::Placed, &mut resolved).ok()?;
        let sizer = ProfileSizer { rules: self.rules };
        let info = resource_allocation(&self.rules, &sizer, legal, Purpose::Placed).ok()?;
        let (size, step) = (info.size, info.alignment.bytes());
        let heap = self.slot();
        let offset = TILE.next_multiple_of(step);
        let flags = match () {
            () if desc.is_rt_ds() => heapstone::HeapFlags::ALLOW_ONLY_RT_DS_TEXTURES,
            () => heapstone::HeapFlags::ALLOW_ONLY_NON_RT_DS_TEXTURES,
        };
        let heap_desc = HeapDesc::new((offset + size).next_multiple_of(TILE), HeapType::Default);
        let heap_desc = heap_desc.with_flags(flags).with_alignment(if step > TILE { step } else { 0 });
        self.steps.push(Step::CreateHeap { heap, desc: heap_desc });
        let resource = self.slot();
        self.steps.push(Step::CreatePlaced { resource, heap, offset, desc });
        self.textures.push(resource);
        Some(resource)
    }

    /// Reserved, all of its tiles mapped, to tiles in the opposite order; with the heap and the tiles.
    fn reserved(&mut self, desc: ResourceDesc) -> Option<(Slot, Slot, u32)> {
        let tiles = resource_tiling(&self.rules, &desc, 0, &mut []).ok()?.total_tiles;
        let (heap, resource) = (self.slot(), self.slot());
        let mut heap_desc = HeapDesc::new(u64::from(tiles) * TILE, HeapType::Default);
        if self.rules.caps.resource_heap_tier == heapstone::spec::caps::ResourceHeapTier::Tier1 {
            heap_desc.flags = if desc.is_rt_ds() {
                heapstone::HeapFlags::ALLOW_ONLY_RT_DS_TEXTURES
            } else {
                heapstone::HeapFlags::ALLOW_ONLY_NON_RT_DS_TEXTURES
            };
        }
        self.steps.push(Step::CreateHeap { heap, desc: heap_desc });
        self.steps.push(Step::CreateReserved { resource, desc });
        let update = TileUpdate {
            starts: None,
            sizes: None,
            heap: Some(heap),
            flags: None,
            offsets: Some((0..tiles).rev().collect()),
            counts: Some(vec![1; usize::try_from(tiles).ok()?]),
        };
        self.steps.push(Step::UpdateTileMappings { queue: 0, resource, update });
        self.textures.push(resource);
        Some((resource, heap, tiles))
    }

    /// Copies a texture to all the others; each is read back, and the CPU reads what it can.
    fn spread(&mut self, from: Slot) {
        let others: Vec<Slot> = self.textures.iter().copied().filter(|slot| *slot != from).collect();
        for destination in others {
            self.execute(vec![Command::CopyResource { destination, source: from }]);
        }
        for resource in self.textures.clone() {
            self.steps.push(Step::Check { resource });
        }
    }

    /// Each subresource from rows in a buffer.
    fn upload_rows(&mut self, texture: Slot, desc: &ResourceDesc) {
        let shapes = shape::subresources(desc);
        let mut offset = 0;
        let mut footprints = Vec::new();
        for shape in &shapes {
            let [width, height, depth] = shape.texels();
            let row_pitch =
                u32::try_from((shape.extent[0] * shape.bytes).next_multiple_of(256)).expect("small");
            footprints.push(PlacedFootprint {
                offset,
                format: shape.format,
                width,
                height,
                depth,
                row_pitch,
            });
            let rows = u64::try_from(shape.extent[1] * shape.extent[2]).expect("small");
            offset = (offset + rows * u64::from(row_pitch)).next_multiple_of(512);
        }
        let upload = self.upload(offset.max(1));
        let copy = |(subresource, footprint): (u32, PlacedFootprint)| Command::CopyTexture {
            destination: Location::Subresource(texture, subresource),
            origin: [0; 3],
            source: Location::Rows(upload, footprint),
            source_box: None,
        };
        let commands = (0..).zip(footprints).map(copy).collect();
        self.execute(commands);
    }
}

/// The program of a texture; how many places it has.
fn paths(profile: &Profile, desc: ResourceDesc, with_tiles: bool) -> (Program, usize) {
    let mut writer = Writer::new(profile);
    let cpu = HeapProperties::custom(CpuPageProperty::WriteBack, MemoryPool::L0);
    let visible = writer.committed(cpu, desc);
    let placed = writer.placed(desc);
    let subresources = u32::try_from(shape::subresources(&desc).len()).expect("few");
    if let Some(placed) = placed {
        writer.upload_rows(placed, &desc);
    }
    let layouts = [TextureLayout::Undefined64KbSwizzle, TextureLayout::Standard64KbSwizzle];
    let reserved = layouts.map(|layout| {
        let desc = desc.with_layout(layout);
        let is_legal = with_tiles && validate(&writer.rules, &desc, Purpose::Reserved).is_ok();
        is_legal.then(|| writer.reserved(desc)).flatten()
    });
    writer.spread(placed.unwrap_or(visible));
    // The CPU writes where it may: where it may not, both sides refuse.
    for subresource in 0..subresources {
        writer.seed += 1;
        let seed = writer.seed;
        let (texels, row_padding, slice_padding) = (None, 3, 5);
        let resource = visible;
        writer.steps.push(Step::WriteTexels {
            resource,
            subresource,
            texels,
            row_padding,
            slice_padding,
            seed,
        });
        writer.steps.push(Step::ReadTexels { resource, subresource, texels, row_padding: 1 });
    }
    writer.spread(visible);
    for (layout, reserved) in layouts.into_iter().zip(reserved) {
        let Some((tiled, heap, tiles)) = reserved else { continue };
        let size = u64::from(tiles) * TILE;
        let all = TileRegionSize::tiles(tiles);
        let start = TiledResourceCoordinate::new(0, 0, 0, 0);
        let buffer = writer.upload(size);
        let back = writer.buffer(HeapType::Readback, size);
        let copy =
            |buffer, to_tiles| Command::CopyTiles { tiled, start, size: all, buffer, offset: 0, to_tiles };
        writer.execute(vec![copy(buffer, true)]);
        writer.execute(vec![copy(back, false)]);
        writer.steps.push(Step::Check { resource: back });
        writer.spread(tiled);
        if layout == TextureLayout::Standard64KbSwizzle {
            // A buffer over the heap: tile by tile, each byte where the standard has it.
            let alias = writer.slot();
            let desc = ResourceDesc::buffer(size);
            writer.steps.push(Step::CreatePlaced { resource: alias, heap, offset: 0, desc });
            writer.steps.push(Step::Check { resource: alias });
            let bytes = writer.upload(size);
            let copy = |tile: u32| Command::CopyBuffer {
                destination: alias,
                destination_offset: u64::from(tile) * TILE,
                source: bytes,
                source_offset: u64::from(tile) * TILE,
                size: TILE,
            };
            writer.execute((0..tiles).map(copy).collect());
            writer.spread(tiled);
            writer.steps.push(Step::Check { resource: alias });
        }
    }
    let places = writer.textures.len();
    (Program { profile: "", steps: writer.steps }, places)
}

/// What is tested of a format: odd extents, every dimension, mips, slices.
fn descs(format: Format, rules: &LayoutRules) -> Vec<ResourceDesc> {
    let info = format.info();
    let round = |extent: u32, to: u8| extent.next_multiple_of(u32::from(to));
    let is_block = info.kind.contains(FormatKind::BLOCK_COMPRESSED);
    let unaligned = is_block && rules.caps.unaligned_block_textures;
    let (width, height) = if unaligned {
        (37, 22)
    } else {
        (round(37, info.width_alignment), round(21, info.height_alignment))
    };
    let (side, slices) = (u64::from(width), 2);
    let mips = if format.uses().contains(FormatUses::MIP) { 0 } else { 1 };
    let volume = ResourceDesc::texture_3d(format, u64::from(round(13, info.width_alignment)), height, 5);
    let all = [
        ResourceDesc::texture_1d(format, 83).with_mip_levels(mips).with_array_size(2),
        ResourceDesc::texture_2d(format, side, height).with_mip_levels(mips).with_array_size(slices),
        ResourceDesc::texture_2d(format, 1 << info.width_alignment.trailing_zeros(), height),
        volume.with_mip_levels(mips),
        volume,
    ];
    let with_mips = |desc: &ResourceDesc| validate(rules, desc, Purpose::Committed).ok();
    all.iter().filter_map(with_mips).map(|desc| ResourceDesc { alignment: 0, ..desc }).collect()
}

fn has_texels(format: &Format) -> bool {
    let info = format.info();
    !info.kind.contains(FormatKind::OPAQUE) && info.bits_per_element != 0
}

fn agree(name: &'static str, desc: ResourceDesc, with_tiles: bool) -> u64 {
    let profile = Profile::builtin(name).expect("a built-in profile");
    let (program, places) = paths(&profile, desc, with_tiles);
    assert!(places >= 2, "{desc:?} has {places} places");
    let program = Program { profile: name, ..program };
    match run(&program, Mode::Immediate) {
        Ok(report) => report.compared,
        Err(mismatch) => panic!("{name}, {desc:?}: {mismatch}\n{program}"),
    }
}

/// All formats and dimensions on some profiles.
fn every_format(profiles: &[&'static str]) {
    for name in profiles.iter().copied() {
        let profile = Profile::builtin(name).expect("a built-in profile");
        let rules = LayoutRules::new(&profile, SdkVersion::LATEST);
        let (mut formats, mut compared) = (BTreeSet::new(), 0);
        for format in Format::ALL.iter().filter(|format| has_texels(format)) {
            for desc in descs(*format, &rules) {
                formats.insert(format.name());
                compared += agree(name, desc, false);
            }
        }
        let of_2d = |format: &&Format| has_texels(format) && format.uses().contains(FormatUses::TEXTURE2D);
        let expected: BTreeSet<&str> = Format::ALL.iter().filter(of_2d).map(|format| format.name()).collect();
        assert!(expected.is_subset(&formats), "{name} leaves out {:?}", expected.difference(&formats));
        assert!(compared > 1_000_000, "{name}: {compared} bytes");
    }
}

// A profile of each layout.

#[test]
fn every_format_in_standard_and_linear_layouts() {
    every_format(&["discrete-8g", "software", "cache-coherent-uma"]);
}

#[test]
fn every_format_in_vendors_layouts() {
    every_format(&["discrete-256k-images", "discrete-no-msaa64k", "integrated-uma"]);
}

/// Textures that cross the edges of tiles, of every element size.
#[test]
fn tiles_through_every_path() {
    // Width, height and depth reach over the first tile (facts/layout.md, 64 KB standard swizzle).
    let flat = [
        (Format::R8_UNORM, 259, 258),
        (Format::R16_UINT, 257, 130),
        (Format::R8G8B8A8_UNORM, 131, 129),
        (Format::R16G16B16A16_FLOAT, 130, 67),
        (Format::R32G32B32A32_UINT, 65, 66),
        (Format::BC1_UNORM, 516, 260),
        (Format::BC7_UNORM, 260, 264),
    ];
    let deep = [
        (Format::R8_UINT, 66, 33, 35),
        (Format::R16_FLOAT, 35, 34, 33),
        (Format::R32_FLOAT, 33, 35, 17),
        (Format::R32G32_UINT, 33, 17, 18),
        (Format::R32G32B32A32_FLOAT, 18, 17, 17),
        (Format::BC4_UNORM, 132, 68, 17),
    ];
    for name in ["discrete-8g", "software", "discrete-tier1-2g"] {
        for (format, width, height) in flat {
            agree(name, ResourceDesc::texture_2d(format, width, height), true);
            let target = ResourceDesc::texture_2d(format, width, height)
                .with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
            if format.uses().contains(FormatUses::RENDER_TARGET) {
                agree(name, target, true);
            }
        }
        for (format, width, height, depth) in deep {
            agree(name, ResourceDesc::texture_3d(format, width, height, depth), true);
        }
        // Mips of which the last are packed.
        agree(name, ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 300, 140).with_mip_levels(9), true);
    }
}
