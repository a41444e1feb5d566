//! Streams that no builder wrote: whatever stands in them, an engine runs them or says what is wrong, and touches no
//! byte beyond the heaps, which lie between closed pages here.
#![cfg(not(miri))]
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::sync::{Arc, OnceLock};

use common::Adapter;
use common::gpu::{TILE, bytes_at, direct, surfaces_of, texture_at, tile_run};
use heapstone_driver::dma::{Cursor, DmaAllocation, DmaBuffer};
use heapstone_driver::engine::{DriverQueue, EngineFault, ExecuteLimit, NullTileAccess, TileRun};
use heapstone_driver::{Backing, Driver};
use heapstone_driver_soft::SoftDriverOptions;
use heapstone_layout::swizzle::engine::CompiledPattern;
use heapstone_layout::swizzle::{BlockStrides, Storage, Surface, named_patterns};
use heapstone_spec::{Format, HeapFlags, ResourceDesc};
use heapstone_units::{Extent, GpuVirtualAddress};
use proptest::prelude::*;

const HEAPS: [u64; 2] = [0x10_0000_0000, 0x20_0000_0000];
const RESERVED: u64 = 0x7000_0000_0000;

/// Runs a stream in a new device over two heaps and a reserved resource.
fn run(words: Vec<u32>, allocations: Vec<DmaAllocation>, limit: ExecuteLimit) -> Result<(), EngineFault> {
    let adapter = Adapter::new(Backing::Host, 1 << 30, SoftDriverOptions { poison: true });
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
    result
}

fn execute(queue: &mut dyn DriverQueue, buffer: &DmaBuffer, limit: ExecuteLimit) -> Result<(), EngineFault> {
    let mut cursor = Cursor::default();
    let first = queue.execute(buffer, &mut cursor, limit);
    assert!(cursor.word <= buffer.words().len());
    let again = queue.execute(buffer, &mut cursor, ExecuteLimit::End);
    first.and(again)
}

/// A number that may well mean something: an address, a size, an index, an edge.
fn word() -> BoxedStrategy<u32> {
    prop_oneof![
        4 => 0_u32..5,
        2 => 0_u32..70_000,
        1 => any::<u32>(),
        1 => Just(u32::MAX),
        1 => Just(0x7000),
        1 => (0_u32..10).prop_map(|tile| tile << 16),
        1 => (0_u32..3).prop_map(|high| high << 4),
    ]
    .boxed()
}

/// Sizes in bytes, samples, period: four bytes of one word.
fn sizes() -> BoxedStrategy<u32> {
    (0_u8..6, 0_u8..6, 0_u8..4)
        .prop_map(|(bytes, samples, period)| u32::from_le_bytes([bytes, samples, period, 0]))
        .boxed()
}

fn address() -> BoxedStrategy<Vec<u32>> {
    let base = prop_oneof![
        3 => Just(HEAPS[0]),
        3 => Just(HEAPS[1]),
        3 => Just(RESERVED),
        1 => any::<u64>(),
    ];
    let offset = prop_oneof![Just(0_u64), 0_u64..5000, 0_u64..8 * TILE];
    let allocation = prop_oneof![8 => 0_u32..7, 1 => any::<u32>()];
    (allocation, base, offset)
        .prop_map(|(allocation, base, offset)| {
            let address = base.wrapping_add(offset);
            let halves = address.to_le_bytes();
            let word = |at: usize| u32::from_le_bytes(halves[at..at + 4].try_into().unwrap());
            vec![allocation, word(0), word(4)]
        })
        .boxed()
}

fn image() -> BoxedStrategy<Vec<u32>> {
    let surface = (address(), prop_oneof![0_u32..4, any::<u32>()]);
    let surface = surface.prop_map(|(address, sub)| [vec![0], address, vec![sub]].concat());
    let rows = (address(), word(), word(), prop_oneof![6 => Just(0_u32), 1 => any::<u32>()]);
    let rows = rows.prop_map(|(address, row, low, high)| [vec![1], address, vec![row, low, high]].concat());
    prop_oneof![surface, rows, proptest::collection::vec(word(), 1..9)].boxed()
}

fn extent() -> BoxedStrategy<Vec<u32>> {
    let count = || prop_oneof![8 => 0_u32..80, 1 => any::<u32>()];
    (count(), count(), prop_oneof![8 => 0_u32..3, 1 => any::<u32>()])
        .prop_map(|(x, y, z)| vec![x, y, z])
        .boxed()
}

fn joined(parts: impl Strategy<Value = Vec<Vec<u32>>> + 'static) -> BoxedStrategy<Vec<u32>> {
    parts.prop_map(|parts| parts.concat()).boxed()
}

/// A command whose operands have at least the right form, mostly.
fn command() -> BoxedStrategy<Vec<u32>> {
    let copy_buffer = (address(), address(), word(), prop_oneof![6 => Just(0_u32), 1 => any::<u32>()]);
    let copy_buffer = copy_buffer.prop_map(|(to, from, low, high)| (1, [to, from, vec![low, high]].concat()));
    let copy_region = (image(), image(), extent(), extent(), extent(), sizes(), any::<bool>());
    let copy_region = copy_region.prop_map(|(to, from, at, of, size, sizes, masked)| {
        let mask = if masked { 0x00FF_FFFF } else { u32::MAX };
        (2, [to, from, at, of, size, vec![sizes, mask]].concat())
    });
    let fill = (image(), extent(), extent(), sizes(), proptest::collection::vec(word(), 4));
    let fill = fill.prop_map(|(to, at, size, sizes, value)| (3, [to, at, size, vec![sizes], value].concat()));
    let resolve = (image(), image(), extent(), extent(), extent(), (0_u32..6, 0_u32..120, 0_u32..4));
    let resolve = resolve.prop_map(|(to, from, at, of, size, (samples, format, mode))| {
        (5, [to, from, at, of, size, vec![samples, format, mode]].concat())
    });
    let small = (0_u32..10, joined(proptest::collection::vec(address(), 0..4)), word());
    let small = small.prop_map(|(opcode, words, last)| (opcode, [words, vec![last]].concat()));
    let command =
        prop_oneof![copy_buffer.boxed(), copy_region.boxed(), fill.boxed(), resolve.boxed(), small.boxed(),];
    (command, any::<bool>(), prop_oneof![30 => Just(0_u32), 1 => 0_u32..9])
        .prop_map(|((opcode, operands), begins, wrong)| {
            let length = u32::try_from(operands.len()).unwrap() + 1 + wrong;
            let header = opcode | u32::from(begins) << 8 | length << 16;
            [vec![header], operands].concat()
        })
        .boxed()
}

fn patterns() -> &'static [CompiledPattern] {
    static PATTERNS: OnceLock<Vec<CompiledPattern>> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        named_patterns().iter().map(|named| CompiledPattern::new(&named.pattern).unwrap()).collect()
    })
}

/// A surface that no driver tells of.
fn surface() -> BoxedStrategy<Surface> {
    let number =
        || prop_oneof![4 => 0_u64..100_000, 1 => (0_u64..8).prop_map(|tile| tile * TILE), 1 => any::<u64>()];
    let linear =
        (number(), number()).prop_map(|(row_pitch, slice_pitch)| Storage::Linear { row_pitch, slice_pitch });
    let stride = || prop_oneof![4 => (0_u64..8).prop_map(|tile| tile * TILE), 1 => any::<u64>()];
    let swizzled = (0..patterns().len(), stride(), stride(), prop_oneof![Just(0_u32), any::<u32>()]);
    let swizzled = swizzled.prop_map(|(index, row, slice, stacked_rows)| Storage::Swizzled {
        pattern: &patterns()[index],
        strides: BlockStrides { row, slice, stacked_rows },
    });
    let extent = || prop_oneof![4 => 0_u32..300, 1 => any::<u32>()];
    let elements = (prop_oneof![4 => 0_u64..300, 1 => any::<u64>()], extent(), extent());
    (number(), number(), elements, (0_u8..6, 0_u8..7), prop_oneof![linear, swizzled])
        .prop_map(|(offset, size, (width, height, depth), (element_bytes_log2, samples_log2), storage)| {
            Surface {
                offset,
                size,
                elements: Extent::new(width, height, depth),
                element_bytes_log2,
                repeat: 1,
                element_width_log2: 0,
                element_height_log2: 0,
                samples_log2,
                storage,
            }
        })
        .boxed()
}

fn allocation() -> BoxedStrategy<DmaAllocation> {
    let base =
        prop_oneof![Just(HEAPS[0]), Just(HEAPS[1]), Just(RESERVED), Just(RESERVED + TILE), any::<u64>()];
    let size =
        prop_oneof![3 => Just(4 * TILE), 1 => Just(64 * TILE), 1 => 0_u64..9 * TILE, 1 => any::<u64>()];
    let surfaces = proptest::option::of(proptest::collection::vec(surface(), 0..4));
    (base, size, surfaces)
        .prop_map(|(base, size, surfaces)| {
            let surfaces = surfaces.map(Arc::from);
            DmaAllocation { surfaces, ..bytes_at(base, size) }
        })
        .boxed()
}

/// Real textures before those that are not.
fn list() -> BoxedStrategy<Vec<DmaAllocation>> {
    proptest::collection::vec(allocation(), 0..5)
        .prop_map(|mut list| {
            let texture = |desc| surfaces_of("discrete-8g", &desc);
            let color = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 64, 64);
            list.insert(0, texture_at(HEAPS[0], &texture(color)));
            list.insert(0, texture_at(RESERVED, &texture(color.with_samples(4))));
            list
        })
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn commands_with_any_operands_run_or_are_refused(
        list in list(),
        commands in proptest::collection::vec(command(), 1..6),
        calls in proptest::option::of(0_u32..3),
    ) {
        let limit = calls.map_or(ExecuteLimit::End, ExecuteLimit::Calls);
        match run(commands.concat(), list, limit) {
            Ok(()) | Err(EngineFault::Malformed(_) | EngineFault::PageFault { .. }) => {}
            Err(EngineFault::Driver(error)) => prop_assert!(false, "{error}"),
        }
    }

    #[test]
    fn words_of_any_value_run_or_are_refused(
        list in list(),
        words in proptest::collection::vec(prop_oneof![word(), any::<u32>()], 0..60),
    ) {
        let result = run(words, list, ExecuteLimit::End);
        prop_assert!(!matches!(result, Err(EngineFault::Driver(_))));
    }
}
