//! Random command buffers against a model that moves byte by byte: every byte of every heap is compared.
#![cfg(not(miri))]
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::sync::Arc;

use common::Random;
use common::gpu::{Gpu, TILE, at, buffer, bytes_at, pitched, subresource, surfaces_of, texture_at};
use common::memory_model::Model;
use heapstone_driver::Backing;
use heapstone_driver::dma::{Command, Cursor, DmaAllocation, Image};
use heapstone_driver::engine::{ExecuteLimit, NullTileAccess};
use heapstone_layout::swizzle::Surface;
use heapstone_spec::commands::{PredicationOp, ResolveMode, WriteBufferImmediateMode};
use heapstone_spec::{Format, ResourceDesc, TextureLayout};
use heapstone_units::GpuVirtualAddress;

const HEAP_TILES: u32 = 12;
const COMMANDS: usize = 30;
const RESERVED_TILES: u32 = 14;
const RESERVED: u64 = 0x7000_0000_0000;

/// Textures of every storage, as some profile lays them out, with the format that they are resolved as.
fn textures() -> Vec<(Format, Arc<[Surface]>)> {
    let tiled = |desc: ResourceDesc| desc.with_layout(TextureLayout::Undefined64KbSwizzle);
    let color = Format::R8G8B8A8_UNORM;
    let descs = [
        ("discrete-8g", ResourceDesc::texture_2d(color, 67, 35).with_mip_levels(4)),
        ("discrete-8g", ResourceDesc::texture_2d(Format::R8_UNORM, 131, 70)),
        ("discrete-8g", ResourceDesc::texture_2d(Format::R32G32B32A32_FLOAT, 33, 17)),
        ("discrete-8g", ResourceDesc::texture_3d(Format::R16_UNORM, 21, 19, 9)),
        ("discrete-8g", ResourceDesc::texture_2d(color, 40, 30).with_samples(4)),
        ("cache-coherent-uma", ResourceDesc::texture_2d(color, 150, 140).with_array_size(2)),
        ("cache-coherent-uma", ResourceDesc::texture_2d(color, 130, 70).with_samples(4)),
        ("discrete-no-msaa64k", ResourceDesc::texture_2d(Format::R16G16_FLOAT, 70, 140)),
        ("discrete-no-msaa64k", ResourceDesc::texture_3d(color, 30, 37, 11)),
        ("integrated-uma", ResourceDesc::texture_2d(color, 90, 50).with_mip_levels(3)),
        ("integrated-uma", ResourceDesc::texture_3d(color, 40, 33, 3)),
        ("discrete-256k-images", ResourceDesc::texture_2d(color, 300, 20)),
        ("software", ResourceDesc::texture_2d(color, 45, 33).with_mip_levels(3)),
        ("software", ResourceDesc::texture_2d(color, 31, 20).with_samples(4)),
        ("discrete-8g", ResourceDesc::texture_1d(Format::R32_FLOAT, 3000)),
        ("discrete-8g", tiled(ResourceDesc::texture_2d(color, 300, 200).with_mip_levels(5))),
        ("discrete-8g", tiled(ResourceDesc::texture_2d(Format::R8_UNORM, 300, 270))),
        ("discrete-8g", tiled(ResourceDesc::texture_3d(color, 50, 40, 20))),
        ("discrete-8g", tiled(ResourceDesc::texture_2d(color, 100, 90).with_samples(4))),
        ("discrete-8g", ResourceDesc::texture_2d(Format::R32G32B32_FLOAT, 50, 40)),
    ];
    descs.iter().map(|(profile, desc)| (desc.format, surfaces_of(profile, desc))).collect()
}

struct World {
    random: Random,
    textures: Vec<(Format, Arc<[Surface]>)>,
    allocations: Vec<DmaAllocation>,
    /// Of each allocation, the texture's.
    formats: Vec<Option<Format>>,
}

impl World {
    fn below(&mut self, bound: u32) -> u32 {
        u32::try_from(self.random.below(u64::from(bound))).unwrap()
    }

    /// A place of whole tiles for `size` bytes: in a heap or the reserved resource.
    fn place(&mut self, size: u64) -> u64 {
        let tiles = size.div_ceil(TILE);
        let (base, room) = match self.below(3) {
            2 => (RESERVED, u64::from(RESERVED_TILES)),
            heap => (Gpu::heap_address(usize::try_from(heap).unwrap()), u64::from(HEAP_TILES)),
        };
        base + self.random.below(room - tiles + 1) * TILE
    }

    /// Buffers over all memory, and textures anywhere, which overlap.
    fn allocate(&mut self) {
        for heap in 0..2 {
            let all = u64::from(HEAP_TILES) * TILE;
            self.allocations.push(bytes_at(Gpu::heap_address(heap), all));
            self.formats.push(None);
        }
        self.allocations.push(bytes_at(RESERVED, u64::from(RESERVED_TILES) * TILE));
        self.formats.push(None);
        for (format, surfaces) in self.textures.clone() {
            for _ in 0..2 {
                let entry = texture_at(0, &surfaces);
                if entry.size > u64::from(HEAP_TILES) * TILE {
                    continue;
                }
                let address = GpuVirtualAddress(self.place(entry.size));
                self.allocations.push(DmaAllocation { address, ..entry });
                self.formats.push(Some(format));
            }
        }
    }

    /// `size` bytes anywhere in a buffer.
    fn span(&mut self, size: u64) -> heapstone_driver::dma::Address {
        let index = self.below(3);
        let entry = &self.allocations[usize::try_from(index).unwrap()];
        let (base, room) = (entry.address.0, entry.size);
        at(index, base + self.random.below(room - size + 1))
    }

    /// A texture and one of its subresources; with samples, or anyway.
    fn surface(&mut self, with_samples: bool) -> (u32, u32, Surface) {
        loop {
            let count = u32::try_from(self.allocations.len()).unwrap();
            let index = 3 + self.below(count - 3);
            let surfaces = self.allocations[usize::try_from(index).unwrap()].surfaces.clone().unwrap();
            let sub = self.below(u32::try_from(surfaces.len()).unwrap());
            let surface = surfaces[usize::try_from(sub).unwrap()].clone();
            if !with_samples || surface.samples_log2 > 0 {
                return (index, sub, surface);
            }
        }
    }

    fn image(&self, index: u32, sub: u32) -> Image {
        subresource(index, self.allocations[usize::try_from(index).unwrap()].address.0, sub)
    }

    /// A box of at most `limit` elements along each axis in a surface; mostly small, at times all.
    fn inside(&mut self, surface: &Surface, limit: [u32; 3]) -> ([u32; 3], [u32; 3]) {
        let all =
            [u32::try_from(surface.elements.width).unwrap(), surface.elements.height, surface.elements.depth];
        if all == limit && self.below(2) == 0 {
            return ([0; 3], all);
        }
        let size = core::array::from_fn(|axis| 1 + self.below(all[axis].min(limit[axis]).min(48)));
        let origin = core::array::from_fn(|axis: usize| self.below(all[axis] - size[axis] + 1));
        (origin, size)
    }

    /// Rows anywhere for a box of elements, and the box's origin in them.
    fn rows(&mut self, size: [u32; 3], element: u64) -> (Image, [u32; 3]) {
        let mut origin: [u32; 3] = core::array::from_fn(|_| self.below(3));
        let padding = self.random.below(3) * [1, 16, 256][self.random.index(3)];
        let gap = self.random.below(2) * 100;
        let pitches = |origin: [u32; 3], padding: u64, gap: u64| {
            let end: [u64; 3] = core::array::from_fn(|axis| u64::from(origin[axis] + size[axis]));
            let row = end[0] * element + padding;
            let slice = row * end[1] + gap;
            (row, slice, slice * end[2])
        };
        let (mut row, mut slice, mut all) = pitches(origin, padding, gap);
        if all > u64::from(HEAP_TILES) * TILE {
            origin = [0; 3];
            (row, slice, all) = pitches(origin, 0, 0);
        }
        let address = self.span(all);
        (pitched(address.allocation, address.at.0, u32::try_from(row).unwrap(), slice), origin)
    }

    fn command(&mut self) -> Command {
        match self.below(12) {
            0 | 1 => {
                let most = [40, 300, 3 * TILE][self.random.index(3)];
                let size = self.random.below(most);
                Command::CopyBuffer { destination: self.span(size), source: self.span(size), size }
            }
            2..=6 => self.copy_region(),
            7 | 8 => self.fill(),
            9 => self.resolve(),
            10 => Command::Write {
                destination: self.span(4),
                value: self.below(u32::MAX),
                mode: WriteBufferImmediateMode::Default,
            },
            _ => {
                let value = (self.below(2) == 0).then(|| self.span(8));
                let op = [PredicationOp::EqualZero, PredicationOp::NotEqualZero][self.random.index(2)];
                Command::SetPredication { value, op }
            }
        }
    }

    fn copy_region(&mut self) -> Command {
        let (index, sub, surface) = self.surface(false);
        let log2 = surface.element_bytes_log2;
        let all =
            [u32::try_from(surface.elements.width).unwrap(), surface.elements.height, surface.elements.depth];
        let (origin, size) = self.inside(&surface, all);
        let image = self.image(index, sub);
        let (other, other_origin) = match self.below(3) {
            0 => {
                // The same surface or another of like elements, where the box fits.
                let mut found = (image, self.inside(&surface, size).0.map(|_| 0));
                for _ in 0..30 {
                    let (index, sub, surface) = self.surface(false);
                    let all = surface.elements;
                    let fits = (u64::from(size[0]), size[1], size[2]) <= (all.width, u32::MAX, u32::MAX)
                        && size[1] <= all.height
                        && size[2] <= all.depth;
                    if fits
                        && (surface.element_bytes_log2, surface.samples_log2) == (log2, self.samples(&image))
                    {
                        let extent = [u32::try_from(all.width).unwrap(), all.height, all.depth];
                        let origin =
                            core::array::from_fn(|axis: usize| self.below(extent[axis] - size[axis] + 1));
                        found = (self.image(index, sub), origin);
                        break;
                    }
                }
                found
            }
            _ => self.rows(size, 1 << (log2 + surface.samples_log2)),
        };
        let mask = if log2 == 2 && self.below(3) == 0 { 0x00FF_FFFF } else { u32::MAX };
        let ((destination, destination_origin), (source, source_origin)) = match self.below(5) {
            0 | 1 => ((image, origin), (other, other_origin)),
            2 | 3 => ((other, other_origin), (image, origin)),
            _ => {
                let element = 1 << (log2 + surface.samples_log2);
                (self.rows(size, element), self.rows(size, element))
            }
        };
        Command::CopyRegion {
            destination,
            destination_origin,
            source,
            source_origin,
            size,
            element_bytes_log2: log2,
            samples_log2: surface.samples_log2,
            mask,
        }
    }

    fn samples(&self, image: &Image) -> u8 {
        let Image::Surface { allocation, subresource, .. } = *image else { return 0 };
        let entry = &self.allocations[usize::try_from(allocation).unwrap()];
        entry.surfaces.as_ref().unwrap()[usize::try_from(subresource).unwrap()].samples_log2
    }

    fn fill(&mut self) -> Command {
        let (index, sub, surface) = self.surface(false);
        let all =
            [u32::try_from(surface.elements.width).unwrap(), surface.elements.height, surface.elements.depth];
        let (origin, size) = self.inside(&surface, all);
        let period = if surface.element_bytes_log2 <= 2 && self.below(3) == 0 { 3 } else { 1 };
        let (destination, origin) = if self.below(4) == 0 {
            self.rows(size, 1 << (surface.element_bytes_log2 + surface.samples_log2))
        } else {
            (self.image(index, sub), origin)
        };
        Command::Fill {
            destination,
            origin,
            size,
            element_bytes_log2: surface.element_bytes_log2,
            samples_log2: surface.samples_log2,
            value: core::array::from_fn(|_| self.below(u32::MAX)),
            period,
        }
    }

    /// Into rows: whatever samples lie there may be, the result must not be read by the same command.
    fn resolve(&mut self) -> Command {
        let (index, sub, surface) = self.surface(true);
        let all =
            [u32::try_from(surface.elements.width).unwrap(), surface.elements.height, surface.elements.depth];
        let (origin, size) = self.inside(&surface, all);
        let format = self.formats[usize::try_from(index).unwrap()].unwrap();
        let source = self.image(index, sub);
        // In the other heap than the texture; a reserved resource shows both, so such sources are not taken.
        let base = self.allocations[usize::try_from(index).unwrap()].address.0;
        if base >= RESERVED {
            return Command::Barrier(heapstone_driver::dma::Barrier::Uav {
                allocation: None,
                flags: heapstone_spec::commands::ResourceBarrierFlags::empty(),
            });
        }
        let other = u32::from(base < Gpu::heap_address(1));
        let row = size[0] << surface.element_bytes_log2;
        let begin = Gpu::heap_address(usize::try_from(other).unwrap()) + u64::from(self.below(1000));
        Command::Resolve {
            destination: pitched(other, begin, row, u64::from(row) * u64::from(size[1])),
            destination_origin: [0; 3],
            source,
            source_origin: origin,
            size,
            samples_log2: surface.samples_log2,
            format,
            mode: [ResolveMode::Average, ResolveMode::Min, ResolveMode::Max][self.random.index(3)],
        }
    }
}

/// Parts that it was run in, on an engine that is patched; else 0.
fn program(
    seed: u64,
    backing: Backing,
    aperture_size: Option<u64>,
    textures: &[(Format, Arc<[Surface]>)],
) -> u64 {
    let mut world = World {
        random: Random(seed),
        textures: textures.to_vec(),
        allocations: Vec::new(),
        formats: Vec::new(),
    };
    world.allocate();
    let size = u64::from(HEAP_TILES) * TILE;
    let mut gpu = Gpu::with_aperture(backing, &[size, size], aperture_size);
    let mut model = Model::default();
    for (index, heap) in gpu.heaps.iter().enumerate() {
        let bytes: Vec<u8> = (0..size).map(|_| world.random.next().to_le_bytes()[0]).collect();
        heap.bytes.write(0, &bytes).unwrap();
        model.heaps.push((Gpu::heap_address(index), bytes));
    }
    gpu.device.reserve(GpuVirtualAddress(RESERVED), RESERVED_TILES, NullTileAccess::Zero).unwrap();
    let mut tiles: Vec<Option<(usize, u32)>> = Vec::new();
    for _ in 0..RESERVED_TILES {
        let in_order = tiles.last().copied().flatten().filter(|(_, tile)| tile + 1 < HEAP_TILES);
        let tile = match (world.below(6), in_order) {
            (0, _) => None,
            (1..=3, Some((heap, tile))) => Some((heap, tile + 1)),
            _ => Some((world.random.index(2), world.below(HEAP_TILES))),
        };
        // Where two show the same bytes, the order of writes within a command would matter, which D3D12 does
        // not tell.
        tiles.push(tile.filter(|_| !tiles.contains(&tile)));
    }
    let shown: Vec<_> =
        tiles.iter().map(|tile| tile.map(|(heap, tile)| (Gpu::heap_address(heap), tile))).collect();
    gpu.map_tiles(RESERVED, &shown);
    model.reserved.push((RESERVED, tiles));

    let commands: Vec<Command> = (0..COMMANDS).map(|_| world.command()).collect();
    let whole = buffer(&world.allocations, &commands);
    if seed.is_multiple_of(2) {
        for command in &commands {
            model.run(&world.allocations, command);
        }
        gpu.execute(&whole).unwrap();
        compare(&gpu, &model, &format!("seed {seed} {backing:?} after {commands:#?}"));
    } else {
        let mut cursor = Cursor::default();
        for command in &commands {
            model.run(&world.allocations, command);
            gpu.queue.execute(&whole, &mut cursor, ExecuteLimit::Calls(1)).unwrap();
            compare(&gpu, &model, &format!("seed {seed} {backing:?} after {command:#?}"));
        }
    }
    assert_eq!(gpu.queue.statistics().calls, u64::try_from(COMMANDS).unwrap());
    gpu.queue.statistics().parts
}

fn compare(gpu: &Gpu, model: &Model, when: &str) {
    for (index, (heap, (_, expected))) in gpu.heaps.iter().zip(&model.heaps).enumerate() {
        let mut bytes = vec![0; expected.len()];
        heap.bytes.read(0, &mut bytes).unwrap();
        if let Some(differs) = bytes.iter().zip(expected).position(|(a, b)| a != b) {
            let (got, wanted) = (bytes[differs], expected[differs]);
            panic!("byte {differs:#x} of heap {index} is {got}, not {wanted}: {when}");
        }
    }
}

#[test]
fn command_buffers_do_what_the_model_does() {
    let textures = textures();
    for seed in 0..100 {
        assert_eq!(program(seed, Backing::Host, None, &textures), 0);
    }
}

#[test]
fn heaps_in_memory_files_are_the_same() {
    let textures = textures();
    for seed in 1000..1010 {
        program(seed, Backing::Shared, None, &textures);
    }
}

/// An aperture that holds any two of the allocations, and not all: buffers are split, and do the same.
#[test]
fn an_engine_that_is_patched_does_the_same() {
    let textures = textures();
    let mut part_count = 0;
    for seed in 2000..2016 {
        part_count += program(seed, Backing::Host, Some(32 * TILE), &textures);
    }
    assert!(part_count > 32, "16 buffers ran in {part_count} parts");
}
