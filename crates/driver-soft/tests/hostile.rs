//! Streams that no builder wrote: whatever stands in them, an engine runs them or says what is wrong, and touches no
//! byte beyond the heaps, which lie between closed pages here.
#![cfg(not(miri))]
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::sync::{Arc, OnceLock};

use common::gpu::{TILE, bytes_at, direct, tile_run};
use common::{Adapter, Random};
use heapstone_driver::dma::{Cursor, DmaAllocation, DmaBuffer};
use heapstone_driver::engine::{
    DriverQueue, EngineFault, ExecuteLimit, NullTileAccess, QueueStatistics, TileRun,
};
use heapstone_driver::{Backing, Driver};
use heapstone_driver_soft::{PagingBytes, SoftDriverOptions};
use heapstone_layout::swizzle::engine::CompiledPattern;
use heapstone_layout::swizzle::{BlockStrides, Storage, Surface, named_patterns};
use heapstone_spec::HeapFlags;
use heapstone_units::{Extent, GpuVirtualAddress};
use proptest::prelude::*;

const HEAPS: [u64; 2] = [0x10_0000_0000, 0x20_0000_0000];
const RESERVED: u64 = 0x7000_0000_0000;

/// Runs a stream in a new device over two heaps and a reserved resource.
fn run(
    words: Vec<u32>,
    allocations: Vec<DmaAllocation>,
    limit: ExecuteLimit,
) -> (Result<(), EngineFault>, QueueStatistics) {
    let adapter = Adapter::new(
        Backing::Host,
        1 << 30,
        SoftDriverOptions { poison: true, paging_bytes: PagingBytes::InPlace },
    );
    let device = adapter.driver.create_device().unwrap();
    let mut queue = device.create_queue(&direct()).unwrap();
    // Guards are heaps that nothing touches: their pages are closed.
    let heaps: Vec<_> = (0..5).map(|_| adapter.create(4 * TILE, HeapFlags::empty()).unwrap()).collect();
    for (address, heap) in HEAPS.into_iter().zip([&heaps[1], &heaps[3]]) {
        device.map_heap(GpuVirtualAddress(address), 4 * TILE, heap.bytes.as_ref()).unwrap();
    }
    device.reserve(GpuVirtualAddress(RESERVED), 6, NullTileAccess::Zero).unwrap();
    let shown = [Some((HEAPS[0], 3)), Some((HEAPS[1], 0)), None, Some((HEAPS[1], 1)), Some((HEAPS[1], 2))];
    let runs: Vec<TileRun> = (0..).zip(shown).map(|(tile, shown)| tile_run(tile, shown)).collect();
    queue.update_tile_mappings(GpuVirtualAddress(RESERVED), &runs).unwrap();
    let result = execute(queue.as_mut(), &DmaBuffer::from_stream(words, allocations), limit);
    for address in HEAPS {
        device.unmap_heap(GpuVirtualAddress(address));
    }
    for heap in heaps {
        adapter.destroy(heap);
    }
    (result, queue.statistics())
}

fn execute(queue: &mut dyn DriverQueue, buffer: &DmaBuffer, limit: ExecuteLimit) -> Result<(), EngineFault> {
    let mut cursor = Cursor::default();
    let first = queue.execute(buffer, &mut cursor, limit);
    assert!(cursor.word <= buffer.words().len());
    let again = queue.execute(buffer, &mut cursor, ExecuteLimit::End);
    first.and(again)
}

/// Makes streams that are almost right, and in some field not.
struct Forger {
    random: Random,
    /// One field in so many is wrong.
    one_in: u64,
    list: Vec<DmaAllocation>,
}

impl Forger {
    fn below(&mut self, bound: u32) -> u32 {
        u32::try_from(self.random.below(u64::from(bound.max(1)))).unwrap()
    }

    /// The number, or now and then another one: near it, or at an edge.
    fn number(&mut self, right: u64) -> u64 {
        if self.random.below(self.one_in) != 0 {
            return right;
        }
        let numbers = [
            0,
            right.wrapping_add(1),
            right.wrapping_sub(1),
            right.wrapping_mul(2),
            right.wrapping_add(TILE),
            u64::from(u32::MAX),
            1 << 32,
            1 << 63,
            u64::MAX,
            self.random.next(),
        ];
        numbers[self.random.index(numbers.len())]
    }

    fn word(&mut self, right: u32) -> u32 {
        u32::try_from(self.number(u64::from(right)) & 0xFFFF_FFFF).unwrap()
    }

    fn byte(&mut self, right: u8) -> u8 {
        self.number(u64::from(right)).to_le_bytes()[0]
    }

    /// Heaps or the reserved resource: where an allocation may lie, and how many bytes there are.
    fn place(&mut self) -> (u64, u64) {
        let places = [(HEAPS[0], 4 * TILE), (HEAPS[1], 4 * TILE), (RESERVED, 6 * TILE)];
        places[self.random.index(3)]
    }

    /// A surface of a small texture in some pattern, or in rows.
    fn surface(&mut self) -> Surface {
        let elements = [1 + self.below(90), 1 + self.below(70), 1 + self.below(4)];
        let pattern = (self.below(4) > 0).then(|| &patterns()[self.random.index(patterns().len())]);
        let log2 = pattern.map_or(4, CompiledPattern::run_log2).min(4);
        let log2 = u8::try_from(self.below(u32::from(log2) + 1)).unwrap();
        let samples_log2 = match pattern {
            Some(pattern) => pattern.block().samples_log2,
            None => u8::try_from(self.below(3)).unwrap(),
        };
        let [width, height, depth] = elements.map(u64::from);
        let (storage, size) = match pattern {
            Some(pattern) => {
                let block = pattern.block();
                let blocks = |count: u64, log2: u8| (count + (1 << log2) - 1) >> log2;
                let row = blocks(width << log2, block.x_bytes_log2) << block.bytes_log2;
                let rows = blocks(height, block.y_log2);
                let stacks = pattern.pattern().stack_depth_slices;
                let slice = if stacks { 0 } else { self.number(row * rows) };
                let stacked_rows = if stacks { self.word(elements[1]) } else { 0 };
                let size = if stacks {
                    row * blocks(height * depth, block.y_log2)
                } else {
                    row * rows * blocks(depth, block.z_log2)
                };
                let strides = BlockStrides { row: self.number(row), slice, stacked_rows };
                (Storage::Swizzled { pattern, strides }, size)
            }
            None => {
                let row = width << (log2 + samples_log2);
                let slice_pitch = self.number(row * height);
                (Storage::Linear { row_pitch: self.number(row), slice_pitch }, row * height * depth)
            }
        };
        let offset = self.random.below(2) * TILE;
        Surface {
            offset: self.number(offset),
            size: self.number(size),
            elements: Extent::new(self.number(width), self.word(elements[1]), self.word(elements[2])),
            element_bytes_log2: self.byte(log2),
            repeat: 1,
            element_width_log2: 0,
            element_height_log2: 0,
            samples_log2: self.byte(samples_log2),
            storage,
        }
    }

    fn allocate(&mut self) {
        for (address, size) in [(HEAPS[0], 4 * TILE), (HEAPS[1], 4 * TILE), (RESERVED, 6 * TILE)] {
            let (address, size) = (self.number(address), self.number(size));
            self.list.push(bytes_at(address, size));
        }
        for _ in 0..4 {
            let (base, room) = self.place();
            let surfaces: Vec<Surface> = (0..1 + self.below(2)).map(|_| self.surface()).collect();
            let ends = surfaces.iter().map(|surface| surface.offset.saturating_add(surface.size));
            let free = room.saturating_sub(ends.max().unwrap_or(0)) / TILE;
            let first = self.random.below(free + 1) * TILE;
            let entry = bytes_at(self.number(base + first), self.number(room - first));
            self.list.push(DmaAllocation { surfaces: Some(Arc::from(surfaces)), ..entry });
        }
    }

    fn long(&mut self, right: u64) -> [u32; 2] {
        let bytes = self.number(right).to_le_bytes();
        [0, 4].map(|at| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()))
    }

    /// Somewhere in a buffer.
    fn address(&mut self, size: u64) -> Vec<u32> {
        let index = self.below(3);
        let entry = &self.list[usize::try_from(index).unwrap()];
        let (base, room) = (entry.address.0, entry.size.saturating_sub(size).clamp(1, 6 * TILE));
        let offset = self.random.below(room);
        [vec![self.word(index)], self.long(base.wrapping_add(offset)).to_vec()].concat()
    }

    fn rows(&mut self, [width, height, depth]: [u32; 3], element: u64) -> Vec<u32> {
        let row = u64::from(width).saturating_mul(element) + self.random.below(3) * 16;
        let slice = row.saturating_mul(u64::from(height));
        let address = self.address(slice.saturating_mul(u64::from(depth)));
        let row = u32::try_from(row).unwrap_or(u32::MAX);
        [vec![1], address, vec![self.word(row)], self.long(slice).to_vec()].concat()
    }

    /// A texture's subresource as an operand, and what it is.
    fn texture(&mut self) -> (Vec<u32>, Surface) {
        let index = 3 + self.below(4);
        let entry = self.list[usize::try_from(index).unwrap()].clone();
        let surfaces = entry.surfaces.unwrap();
        let sub = self.random.index(surfaces.len());
        let words = [
            vec![self.word(0), self.word(index)],
            self.long(entry.address.0).to_vec(),
            vec![self.word(u32::try_from(sub).unwrap())],
        ];
        (words.concat(), surfaces[sub].clone())
    }

    /// A box in a surface.
    fn inside(&mut self, surface: &Surface) -> ([u32; 3], [u32; 3]) {
        let all = [
            u32::try_from(surface.elements.width).unwrap_or(u32::MAX),
            surface.elements.height,
            surface.elements.depth,
        ];
        let origin = all.map(|count| self.below(count));
        let size = [0, 1, 2].map(|axis: usize| 1 + self.below(all[axis].wrapping_sub(origin[axis])));
        (origin.map(|word| self.word(word)), size.map(|word| self.word(word)))
    }

    fn sizes(&mut self, surface: &Surface, period: u8) -> u32 {
        let bytes = [surface.element_bytes_log2, surface.samples_log2, period].map(|byte| self.byte(byte));
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0])
    }

    fn command(&mut self) -> Vec<u32> {
        let (opcode, operands) = match self.below(10) {
            0 => {
                let size = self.random.below(3 * TILE);
                (1, [self.address(size), self.address(size), self.long(size).to_vec()].concat())
            }
            1..=4 => (2, self.copy()),
            5 => {
                let (image, surface) = self.texture();
                let (origin, size) = self.inside(&surface);
                let sizes = self.sizes(&surface, 1);
                (3, [image, origin.to_vec(), size.to_vec(), vec![sizes], vec![self.below(9); 4]].concat())
            }
            6 | 7 => {
                let (image, surface) = self.texture();
                let (origin, size) = self.inside(&surface);
                let rows = self.rows(size, 1 << (surface.element_bytes_log2 & 15));
                // R8, R16, R8G8B8A8, R16G16B16A16 UNORM, R32G32B32A32_FLOAT.
                let formats = [61, 56, 28, 11, 2, 2];
                let format = formats[usize::from(surface.element_bytes_log2.min(5))];
                let last =
                    [u32::from(surface.samples_log2), format, self.below(4)].map(|word| self.word(word));
                let operands = [rows, image, vec![0; 3], origin.to_vec(), size.to_vec(), last.to_vec()];
                (5, operands.concat())
            }
            8 => (7, [vec![self.below(2), self.word(1)], self.address(8)].concat()),
            _ => (8, self.address(8)),
        };
        let length = u32::try_from(operands.len()).unwrap() + 1;
        let header = opcode | self.below(2) << 8 | self.word(length) << 16;
        [vec![header], operands].concat()
    }

    /// Between a surface and rows, or two surfaces.
    fn copy(&mut self) -> Vec<u32> {
        let (image, surface) = self.texture();
        let (origin, size) = self.inside(&surface);
        let element = 1_u64 << ((surface.element_bytes_log2 & 15) + (surface.samples_log2 & 15));
        let (other, other_origin) = if self.below(3) == 0 {
            let (mut found, mut other) = self.texture();
            for _ in 0..10 {
                let fits = other.elements.width >= surface.elements.width
                    && other.elements.height >= surface.elements.height
                    && other.elements.depth >= surface.elements.depth;
                let shape = |of: &Surface| (of.element_bytes_log2, of.samples_log2);
                if fits && shape(&other) == shape(&surface) {
                    break;
                }
                (found, other) = self.texture();
            }
            (found, origin)
        } else {
            (self.rows(size, element), [0; 3])
        };
        let sizes = self.sizes(&surface, 0);
        let mask = if surface.element_bytes_log2 == 2 && self.below(2) == 0 { 0xFF_FFFF } else { u32::MAX };
        let sides = if self.below(2) == 0 {
            [image, other, origin.to_vec(), other_origin.to_vec()]
        } else {
            [other, image, other_origin.to_vec(), origin.to_vec()]
        };
        [sides.concat(), size.to_vec(), vec![sizes, mask]].concat()
    }
}

fn patterns() -> &'static [CompiledPattern] {
    static PATTERNS: OnceLock<Vec<CompiledPattern>> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        named_patterns().iter().map(|named| CompiledPattern::new(&named.pattern).unwrap()).collect()
    })
}

/// From streams that are all right to such as have an error in every other field.
#[test]
fn forged_commands_run_or_are_refused() {
    let (mut ran, mut malformed, mut faulted, mut written) = (0, 0, 0, 0);
    for seed in 0..4_000 {
        let one_in = [2, 20, 100, 1000][usize::try_from(seed % 4).unwrap()];
        let mut forger = Forger { random: Random(seed), one_in, list: Vec::new() };
        forger.allocate();
        let words: Vec<u32> = (0..4).flat_map(|_| forger.command()).collect();
        let limit = [ExecuteLimit::End, ExecuteLimit::Calls(1)][forger.random.index(2)];
        let (result, statistics) = run(words, forger.list, limit);
        written += u32::from(statistics.bytes_written > 0);
        match result {
            Ok(()) => ran += 1,
            Err(EngineFault::Malformed(_)) => malformed += 1,
            Err(EngineFault::PageFault { .. }) => faulted += 1,
            Err(EngineFault::Driver(error)) => panic!("seed {seed}: {error}"),
        }
    }
    // Else the forgeries are too bad to reach what they are for.
    assert!(
        ran > 500 && malformed > 500 && faulted > 50 && written > 1000,
        "{ran} {malformed} {faulted} {written}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_of_any_value_run_or_are_refused(
        seed in any::<u64>(),
        words in proptest::collection::vec(prop_oneof![0_u32..5, 0_u32..70_000, any::<u32>()], 0..60),
        opcode in 0_u32..11,
    ) {
        let mut forger = Forger { random: Random(seed), one_in: 1000, list: Vec::new() };
        forger.allocate();
        // A header that is right, so that the words are looked at.
        let header = opcode | u32::try_from(words.len() + 1).unwrap() << 16;
        let (result, _) = run([vec![header], words].concat(), forger.list, ExecuteLimit::End);
        prop_assert!(!matches!(result, Err(EngineFault::Driver(_))));
    }
}
