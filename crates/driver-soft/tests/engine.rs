//! Commands one by one, with values worked out by hand.
#![cfg(not(miri))]
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use common::gpu::{Gpu, at, buffer, bytes_at, offset_in, pitched, subresource, surfaces_of, texture_at};
use heapstone_driver::dma::{Barrier, Command, Cursor, DmaAllocation, DmaBuffer, DmaBuilder, Image};
use heapstone_driver::engine::{EngineFault, ExecuteLimit, PageFaultReason, QueueStatistics, Translation};
use heapstone_driver::{Backing, DriverError};
use heapstone_spec::commands::{PredicationOp, ResolveMode, ResourceBarrierFlags, WriteBufferImmediateMode};
use heapstone_spec::{Format, ResourceDesc, ResourceStates};
use heapstone_units::GpuVirtualAddress;

const MIB: u64 = 1 << 20;
const BASE: u64 = 0x10_0000_0000;

fn one_heap() -> (Gpu, [DmaAllocation; 1]) {
    let gpu = Gpu::new(Backing::Host, &[MIB]);
    assert_eq!(Gpu::heap_address(0), BASE);
    (gpu, [bytes_at(BASE, MIB)])
}

fn write(address: u64, value: u32) -> Command {
    Command::Write { destination: at(0, address), value, mode: WriteBufferImmediateMode::MarkerOut }
}

fn copy(to: u64, from: u64, size: u64) -> Command {
    Command::CopyBuffer { destination: at(0, to), source: at(0, from), size }
}

fn predicate(value: Option<u64>, op: PredicationOp) -> Command {
    Command::SetPredication { value: value.map(|address| at(0, address)), op }
}

fn barrier() -> Command {
    Command::Barrier(Barrier::Transition {
        allocation: 0,
        subresource: 0,
        before: ResourceStates::COPY_DEST,
        after: ResourceStates::COMMON,
        flags: ResourceBarrierFlags::empty(),
    })
}

#[test]
fn values_are_written_where_they_are_to_be() {
    let (mut gpu, list) = one_heap();
    gpu.run(&list, &[write(BASE + 3, 0x0403_0201)]).unwrap();
    assert_eq!(gpu.heaps[0].read(2, 6), [0, 1, 2, 3, 4, 0]);
}

/// Both directions, at distances below and above what one register holds.
#[test]
fn a_buffer_is_copied_as_it_was_where_it_overlaps() {
    let (mut gpu, list) = one_heap();
    for (from, to) in [(1000, 1007), (1007, 1000), (1000, 1500), (1500, 1000), (1000, 1000), (0, 90_000)] {
        let bytes: Vec<u8> = (0..=250).cycle().take(100_000).collect();
        gpu.heaps[0].bytes.write(0, &bytes).unwrap();
        let mut expected = bytes.clone();
        expected.copy_within(from..from + 5000, to);
        let address = |offset: usize| BASE + u64::try_from(offset).unwrap();
        gpu.run(&list, &[copy(address(to), address(from), 5000)]).unwrap();
        assert_eq!(gpu.heaps[0].read(0, 100_000), expected, "{from} to {to}");
    }
    gpu.run(&list, &[copy(BASE, BASE, 0)]).unwrap();
}

/// A predicate is latched when it is set, is not obeyed by writes of values, and ends with the buffer.
#[test]
fn predicated_commands_are_left_out_and_counted() {
    let (mut gpu, list) = one_heap();
    let fill = |value: u32| Command::Fill {
        destination: pitched(0, BASE + 64, 4, 4),
        origin: [0; 3],
        size: [1, 1, 1],
        element_bytes_log2: 2,
        samples_log2: 0,
        value: [value, 0, 0, 0],
        period: 1,
    };
    let value = |gpu: &Gpu| u32::from_le_bytes(gpu.heaps[0].read(64, 4).try_into().unwrap());
    // The 64 bits at BASE are 0: EQUAL_ZERO leaves out.
    gpu.run(
        &list,
        &[
            fill(1),
            predicate(Some(BASE), PredicationOp::EqualZero),
            fill(2),
            write(BASE, 7),
            fill(3),
            barrier(),
        ],
    )
    .unwrap();
    assert_eq!(value(&gpu), 1, "what was read when it was set counts, not what is there later");
    assert_eq!(gpu.heaps[0].read(0, 1), [7], "writes of values are not predicated");
    assert_eq!(gpu.queue.statistics().calls, 6, "calls that are left out count");

    gpu.run(&list, &[fill(4)]).unwrap();
    assert_eq!(value(&gpu), 4, "a new buffer begins without");
    // Now they are not 0.
    gpu.run(&list, &[predicate(Some(BASE), PredicationOp::EqualZero), fill(5)]).unwrap();
    assert_eq!(value(&gpu), 5);
    let set = predicate(Some(BASE), PredicationOp::NotEqualZero);
    gpu.run(&list, &[set, fill(6), copy(BASE + 64, BASE + 128, 4)]).unwrap();
    assert_eq!(value(&gpu), 5);
    // The upper half decides too.
    gpu.run(&list, &[write(BASE, 0), write(BASE + 4, 1), set, fill(7)]).unwrap();
    assert_eq!(value(&gpu), 5);
    gpu.run(&list, &[set, predicate(None, PredicationOp::EqualZero), fill(8)]).unwrap();
    assert_eq!(value(&gpu), 8);
}

/// 448 GB/s is the segment's bandwidth (profiles/discrete-8g.toml); a command takes 1,000 ns beside its bytes,
/// and a copy within a segment takes the bandwidth twice (heapstone_driver::cost).
#[test]
fn time_goes_on_with_the_bytes() {
    let (mut gpu, list) = one_heap();
    assert_eq!((gpu.queue.time_ns(), gpu.queue.statistics()), (0, QueueStatistics::default()));
    gpu.run(&list, &[copy(BASE, BASE + 524_288, 448_000)]).unwrap();
    // 896,000 bytes at 448 bytes a nanosecond.
    assert_eq!(gpu.queue.time_ns(), 1_000 + 2_000);
    gpu.run(&list, &[barrier(), barrier()]).unwrap();
    assert_eq!(gpu.queue.time_ns(), 5_000);
    gpu.queue.wait_until(4_000);
    assert_eq!(gpu.queue.time_ns(), 5_000, "time does not go back");
    gpu.queue.wait_until(1_000_000);
    gpu.run(&list, &[Command::Timestamp { destination: at(0, BASE + 8) }]).unwrap();
    assert_eq!(gpu.heaps[0].read(8, 8), 1_000_000_u64.to_le_bytes());
    let statistics = QueueStatistics {
        calls: 4,
        bytes_read: 448_000,
        bytes_written: 448_008,
        tiles_mapped: 0,
        parts: 0,
        // The timestamp's 8 bytes take no whole nanosecond.
        busy_ns: 6_000,
    };
    assert_eq!(gpu.queue.statistics(), statistics);
}

/// A call of the application may be several commands of the engine.
#[test]
fn a_buffer_runs_call_by_call() {
    let (mut gpu, list) = one_heap();
    let mut builder = DmaBuilder::new(DmaBuffer::default());
    builder.add_allocation(list[0].clone());
    for call in 0..3_u32 {
        builder.begin_call();
        for part in 0..=call {
            builder.push(&write(BASE + u64::from(4 * (10 * call + part)), 1));
        }
    }
    let buffer = builder.finish();
    assert_eq!(buffer.command_count(), 3);
    let written = |gpu: &Gpu| gpu.heaps[0].read(0, 200).iter().filter(|byte| **byte == 1).count();
    let mut cursor = Cursor::default();
    let mut run = |gpu: &mut Gpu, limit| {
        gpu.queue.execute(&buffer, &mut cursor, limit).unwrap();
        (written(gpu), gpu.queue.statistics().calls)
    };
    assert_eq!(run(&mut gpu, ExecuteLimit::Calls(0)), (0, 0));
    assert_eq!(run(&mut gpu, ExecuteLimit::Calls(1)), (1, 1));
    assert_eq!(run(&mut gpu, ExecuteLimit::Calls(1)), (3, 2));
    assert_eq!(run(&mut gpu, ExecuteLimit::End), (6, 3));
    assert_eq!(run(&mut gpu, ExecuteLimit::End), (6, 3), "it is at its end");
}

/// Rows of 20 bytes at a pitch of 32: the 12 between are the program's.
#[test]
fn what_lies_between_rows_stays() {
    let (mut gpu, list) = one_heap();
    gpu.heaps[0].bytes.write(0, &[0xAA; 4096]).unwrap();
    let source: Vec<u8> = (1..=60).collect();
    gpu.heaps[0].bytes.write(65_536, &source).unwrap();
    let region = Command::CopyRegion {
        destination: pitched(0, BASE, 32, 96),
        destination_origin: [0; 3],
        source: pitched(0, BASE + 65_536, 20, 60),
        source_origin: [0; 3],
        size: [5, 3, 1],
        element_bytes_log2: 2,
        samples_log2: 0,
        mask: u32::MAX,
    };
    gpu.run(&list, &[region]).unwrap();
    let mut expected = vec![0xAA; 4096];
    for row in 0..3 {
        expected[32 * row..32 * row + 20].copy_from_slice(&source[20 * row..20 * row + 20]);
    }
    assert_eq!(gpu.heaps[0].read(0, 4096), expected);
    let statistics = gpu.queue.statistics();
    assert_eq!((statistics.bytes_read, statistics.bytes_written), (60, 60));
}

/// A copy of 24 bits of depth clears the upper 8 (facts/behaviour.md, Copies and footprints).
#[test]
fn a_mask_clears_the_other_bits() {
    let (mut gpu, list) = one_heap();
    gpu.heaps[0].bytes.write(0, &[0xFF; 16]).unwrap();
    gpu.heaps[0].bytes.write(64, &[1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
    let region = |element_bytes_log2| Command::CopyRegion {
        destination: pitched(0, BASE, 8, 8),
        destination_origin: [0; 3],
        source: pitched(0, BASE + 64, 8, 8),
        source_origin: [0; 3],
        size: [2, 1, 1],
        element_bytes_log2,
        samples_log2: 0,
        mask: 0x00FF_FFFF,
    };
    gpu.run(&list, &[region(2)]).unwrap();
    assert_eq!(gpu.heaps[0].read(0, 10), [1, 2, 3, 0, 5, 6, 7, 0, 0xFF, 0xFF]);
    let refused = gpu.run(&list, &[region(1)]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "malformed DMA buffer: command at word 0: a mask for elements of other than 4 bytes"
    );
}

/// Texels of 96 bits are three elements, which take the words of the value in turn.
#[test]
fn fills_repeat_their_period_along_x() {
    let (mut gpu, list) = one_heap();
    let fill = |address, element_bytes_log2, period, size| Command::Fill {
        destination: pitched(0, address, 64, 256),
        origin: [0; 3],
        size,
        element_bytes_log2,
        samples_log2: 0,
        value: [0x0403_0201, 0x0807_0605, 0x0C0B_0A09, 0x100F_0E0D],
        period,
    };
    gpu.run(&list, &[fill(BASE, 2, 3, [6, 2, 1])]).unwrap();
    let texel: Vec<u8> = (1..=12).collect();
    let row = [texel.clone(), texel, vec![0; 40]].concat();
    assert_eq!(gpu.heaps[0].read(0, 128), [row.clone(), row].concat());
    // 16 bytes of one element, and 8 of them.
    gpu.run(&list, &[fill(BASE + 1024, 4, 1, [1, 1, 1]), fill(BASE + 2048, 3, 1, [2, 1, 1])]).unwrap();
    assert_eq!(gpu.heaps[0].read(1024, 17), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0]);
    assert_eq!(gpu.heaps[0].read(2048, 17), [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 0]);
    for (element_bytes_log2, period) in [(2, 2), (2, 0), (3, 3), (5, 1)] {
        let refused = gpu.run(&list, &[fill(BASE, element_bytes_log2, period, [1, 1, 1])]);
        assert!(matches!(refused, Err(EngineFault::Malformed(_))), "{element_bytes_log2} {period}");
    }
}

/// Four samples of 16 texels: 10, 20, 30 and 41 average to 25.25, which rounds to 25.
#[test]
fn samples_are_resolved() {
    let desc = ResourceDesc::texture_2d(Format::R8_UNORM, 4, 4).with_samples(4);
    for profile in ["discrete-8g", "software"] {
        let (mut gpu, _) = one_heap();
        let surfaces = surfaces_of(profile, &desc);
        let surface = &surfaces[0];
        let list = [bytes_at(BASE, 65_536), texture_at(BASE + 65_536, &surfaces)];
        for (sample, value) in (0..).zip([10, 20, 30, 41]) {
            for texel in 0..16_u32 {
                let offset = surface.offset + offset_in(surface, [texel % 4, texel / 4, 0], sample);
                gpu.heaps[0].bytes.write(65_536 + offset, &[value]).unwrap();
            }
        }
        let resolve = |mode, format| Command::Resolve {
            destination: pitched(0, BASE, 4, 16),
            destination_origin: [0; 3],
            source: subresource(1, BASE + 65_536, 0),
            source_origin: [0; 3],
            size: [4, 4, 1],
            samples_log2: 2,
            format,
            mode,
        };
        for (mode, format, expected) in [
            (ResolveMode::Average, Format::R8_UNORM, 25),
            (ResolveMode::Min, Format::R8_UNORM, 10),
            (ResolveMode::Max, Format::R8_UNORM, 41),
            (ResolveMode::Max, Format::R8_UINT, 41),
            // No mean of integers: sample 0.
            (ResolveMode::Average, Format::R8_UINT, 10),
            (ResolveMode::Decompress, Format::R8_UNORM, 10),
        ] {
            gpu.run(&list, &[resolve(mode, format)]).unwrap();
            assert_eq!(gpu.heaps[0].read(0, 17)[..16], [expected; 16], "{profile} {mode:?} {format:?}");
        }
        let refused = gpu.run(&list, &[resolve(ResolveMode::Average, Format::R16_UNORM)]);
        assert!(matches!(refused, Err(EngineFault::Malformed(_))));
    }
}

/// Between textures of as many samples DECOMPRESS copies them all.
#[test]
fn decompress_copies_every_sample() {
    let (mut gpu, _) = one_heap();
    let desc = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 10, 7).with_samples(4);
    let surfaces = surfaces_of("discrete-8g", &desc);
    let (from, to) = (BASE + 65_536, BASE + 131_072);
    let list = [texture_at(from, &surfaces), texture_at(to, &surfaces)];
    let bytes: Vec<u8> = (1..=253).cycle().take(65_536).collect();
    gpu.heaps[0].bytes.write(65_536, &bytes).unwrap();
    let resolve = Command::Resolve {
        destination: subresource(1, to, 0),
        destination_origin: [0; 3],
        source: subresource(0, from, 0),
        source_origin: [0; 3],
        size: [10, 7, 1],
        samples_log2: 2,
        format: Format::R8G8B8A8_UNORM,
        mode: ResolveMode::Decompress,
    };
    gpu.run(&list, &[resolve]).unwrap();
    let mut expected = vec![0; 65_536];
    for (texel, sample) in (0..70_u32).flat_map(|texel| (0..4).map(move |sample| (texel, sample))) {
        let offset = offset_in(&surfaces[0], [texel % 10, texel / 10, 0], sample);
        let at = usize::try_from(offset).unwrap();
        expected[at..at + 4].copy_from_slice(&bytes[at..at + 4]);
    }
    assert_eq!(gpu.heaps[0].read(131_072, 65_536), expected);
}

#[test]
fn discards_leave_the_contents_and_look_at_their_box() {
    let (mut gpu, _) = one_heap();
    let surfaces = surfaces_of("discrete-8g", &ResourceDesc::texture_2d(Format::R8_UNORM, 64, 64));
    let list = [texture_at(BASE, &surfaces)];
    gpu.heaps[0].bytes.write(0, &[9; 4096]).unwrap();
    let discard = |size| Command::Discard { destination: subresource(0, BASE, 0), origin: [0; 3], size };
    gpu.run(&list, &[discard([64, 64, 1])]).unwrap();
    assert_eq!(gpu.heaps[0].read(0, 4096), [9; 4096]);
    assert!(matches!(gpu.run(&list, &[discard([65, 64, 1])]), Err(EngineFault::Malformed(_))));
}

/// Copies within one surface, whole surfaces alike, and boxes that overlap: as if all was read first.
#[test]
fn boxes_of_one_surface_may_overlap() {
    let desc = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 128, 128);
    let surfaces = surfaces_of("cache-coherent-uma", &desc);
    let region = |to, from, size| Command::CopyRegion {
        destination: subresource(0, BASE, 0),
        destination_origin: to,
        source: subresource(0, BASE, 0),
        source_origin: from,
        size,
        element_bytes_log2: 2,
        samples_log2: 0,
        mask: u32::MAX,
    };
    for (to, from, size) in [
        ([1, 1, 0], [0, 0, 0], [127, 127, 1]),
        ([0, 0, 0], [1, 1, 0], [127, 127, 1]),
        ([0, 0, 0], [0, 0, 0], [128, 128, 1]),
        ([0, 0, 0], [64, 64, 0], [64, 64, 1]),
    ] {
        let (mut gpu, _) = one_heap();
        let texel = |[x, y]: [u32; 2]| (x * 1000 + y).to_le_bytes();
        for (x, y) in (0..128).flat_map(|x| (0..128).map(move |y| (x, y))) {
            gpu.heaps[0].bytes.write(offset_in(&surfaces[0], [x, y, 0], 0), &texel([x, y])).unwrap();
        }
        gpu.run(&[texture_at(BASE, &surfaces)], &[region(to, from, size)]).unwrap();
        for (x, y) in (0..128).flat_map(|x| (0..128).map(move |y| (x, y))) {
            let moved: [u32; 2] = [u32::wrapping_sub(x, to[0]), u32::wrapping_sub(y, to[1])];
            let expected = if moved[0] < size[0] && moved[1] < size[1] {
                texel([from[0] + moved[0], from[1] + moved[1]])
            } else {
                texel([x, y])
            };
            let found = gpu.heaps[0].read(offset_in(&surfaces[0], [x, y, 0], 0), 4);
            assert_eq!(found, expected, "{to:?} {from:?}: {x} {y}");
        }
    }
}

/// Sizes and times of memory that is not there.
#[test]
fn phantom_heaps_cost_time_and_keep_nothing() {
    let mut gpu = Gpu::new(Backing::Phantom, &[MIB, MIB]);
    let other = Gpu::heap_address(1);
    let list = [bytes_at(BASE, MIB), bytes_at(other, MIB)];
    let copy = Command::CopyBuffer { destination: at(0, BASE), source: at(1, other), size: 448_000 };
    gpu.run(&list, &[copy, predicate(Some(BASE), PredicationOp::EqualZero), copy]).unwrap();
    let statistics = gpu.queue.statistics();
    assert_eq!((statistics.calls, statistics.bytes_written), (3, 448_000), "what is read is 0");
    assert_eq!(statistics.bytes_read, 448_008);
    assert_eq!(gpu.queue.time_ns(), 3_000 + 2_000);
    let too_far = Command::CopyBuffer { destination: at(0, BASE), source: at(1, other + 1), size: MIB };
    assert!(matches!(gpu.run(&list, &[too_far]), Err(EngineFault::Malformed(_))));
}

fn page_fault(address: u64, is_write: bool) -> Result<(), EngineFault> {
    Err(EngineFault::PageFault {
        address: GpuVirtualAddress(address),
        is_write,
        reason: PageFaultReason::NotMapped,
    })
}

/// The runtime's list may be wrong about memory: the page tables are not.
#[test]
fn addresses_without_memory_fault_at_the_first() {
    let (mut gpu, _) = one_heap();
    let beyond = [bytes_at(BASE, 2 * MIB), bytes_at(0x5000, MIB)];
    let before = gpu.heaps[0].read(0, 4096);
    for (command, fault) in [
        (copy(BASE, BASE + MIB - 100, 200), page_fault(BASE + MIB, false)),
        (copy(BASE + MIB - 100, BASE, 200), page_fault(BASE + MIB, true)),
        (copy(BASE + MIB + 50, BASE, 10), page_fault(BASE + MIB + 50, true)),
        (
            Command::CopyBuffer { destination: at(0, BASE), source: at(1, 0x5010), size: 4 },
            page_fault(0x5010, false),
        ),
        (Command::Timestamp { destination: at(1, 0x5008) }, page_fault(0x5008, true)),
    ] {
        assert_eq!(gpu.run(&beyond, &[command]), fault, "{command:?}");
    }
    assert_eq!(gpu.heaps[0].read(0, 4096), before, "a command that faults does nothing");
    assert_eq!(gpu.queue.statistics().calls, 0);
    // What ran before stays done.
    let list = [write(BASE, 5), copy(BASE + MIB, BASE, 4), write(BASE, 6)];
    let whole = buffer(&beyond, &list);
    let mut cursor = Cursor::default();
    let refused = gpu.queue.execute(&whole, &mut cursor, ExecuteLimit::End);
    assert_eq!(refused, page_fault(BASE + MIB, true));
    assert_eq!(gpu.heaps[0].read(0, 1), [5]);
    let mut commands = whole.commands();
    commands.next_command().unwrap();
    assert_eq!(cursor, commands.cursor(), "the cursor stands before what failed");
}

#[test]
fn addresses_translate_while_they_are_mapped() {
    let (mut gpu, list) = one_heap();
    let heap = |offset| Some(Translation::Heap { heap: GpuVirtualAddress(BASE), offset });
    let translate = |gpu: &Gpu, address| gpu.device.translate(GpuVirtualAddress(address));
    assert_eq!(translate(&gpu, BASE), heap(0));
    assert_eq!(translate(&gpu, BASE + MIB - 1), heap(MIB - 1));
    assert_eq!(translate(&gpu, BASE + MIB), None);
    assert_eq!(translate(&gpu, BASE - 1), None);
    gpu.device.unmap_heap(GpuVirtualAddress(BASE));
    assert_eq!(translate(&gpu, BASE), None);
    assert_eq!(gpu.run(&list, &[write(BASE, 1)]), page_fault(BASE, true));
    // Unmapping what is not mapped is nothing.
    gpu.device.unmap_heap(GpuVirtualAddress(BASE));
}

#[test]
fn regions_do_not_overlap() {
    let (gpu, _) = one_heap();
    let heap = gpu.heaps[0].bytes.as_ref();
    for (address, size) in
        [(BASE, 1), (BASE + MIB - 1, 1), (BASE - 1, 2), (BASE - MIB, 4 * MIB), (u64::MAX, 2), (0, 0)]
    {
        let refused = gpu.device.map_heap(GpuVirtualAddress(address), size, heap);
        assert!(matches!(refused, Err(DriverError::Unsupported { .. })), "{address:#x} {size}");
    }
    for (address, size) in [(BASE - 1, 1), (BASE + MIB, 65_536)] {
        gpu.device.map_heap(GpuVirtualAddress(address), size, heap).unwrap();
    }
}

/// A heap that goes without being unmapped takes its addresses along: its pages may be another's.
#[test]
fn a_heap_that_goes_is_shown_no_more() {
    for backing in [Backing::Host, Backing::Shared] {
        let mut gpu = Gpu::new(backing, &[MIB]);
        let list = [bytes_at(BASE, MIB)];
        gpu.run(&list, &[write(BASE, 1)]).unwrap();
        let heap = gpu.heaps.pop().unwrap();
        gpu.adapter.destroy(heap);
        assert_eq!(gpu.run(&list, &[write(BASE, 1)]), page_fault(BASE, true));
    }
}

#[test]
fn operands_that_contradict_their_list_are_malformed() {
    let (mut gpu, _) = one_heap();
    let surfaces = surfaces_of("discrete-8g", &ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 64, 64));
    let list = [bytes_at(BASE, 1000), texture_at(BASE + 65_536, &surfaces)];
    let region = |destination: Image, size, element_bytes_log2, samples_log2| Command::CopyRegion {
        destination,
        destination_origin: [0; 3],
        source: pitched(0, BASE, 16, 16),
        source_origin: [0; 3],
        size,
        element_bytes_log2,
        samples_log2,
        mask: u32::MAX,
    };
    let texture = subresource(1, BASE + 65_536, 0);
    for (command, reason) in [
        (copy(BASE, BASE + 500, 501), "bytes of an operand do not lie in its allocation"),
        (copy(BASE - 1, BASE, 1), "bytes of an operand do not lie in its allocation"),
        (copy(BASE, BASE, u64::MAX), "bytes of an operand do not lie in its allocation"),
        (region(texture, [4, 4, 0], 2, 0), "a box is empty or ends beyond 2^32 - 1 elements"),
        (region(texture, [65, 1, 1], 2, 0), "a box does not lie in its surface"),
        (region(texture, [1, 1, 2], 2, 0), "a box does not lie in its surface"),
        (region(texture, [1, 1, 1], 3, 0), "a surface has elements of other bytes or samples"),
        (region(texture, [1, 1, 1], 2, 1), "a surface has elements of other bytes or samples"),
        (
            region(subresource(1, BASE + 65_536, 1), [1; 3], 2, 0),
            "an operand names no surface of its allocation",
        ),
        (region(subresource(0, BASE, 0), [1; 3], 2, 0), "an operand names no surface of its allocation"),
        (region(texture, [1, 64, 1], 2, 0), "bytes of an operand do not lie in its allocation"),
        (region(pitched(0, BASE, 16, 16), [1; 3], 5, 0), "elements have more than 16 bytes or 32 samples"),
    ] {
        match gpu.run(&list, &[barrier(), command]) {
            Err(EngineFault::Malformed(stream)) => assert_eq!(stream.reason, reason, "{command:?}"),
            other => panic!("{command:?}: {other:?}"),
        }
    }
    assert_eq!(gpu.heaps[0].read(65_536, 16_384), [0; 16_384], "nothing was written");
}

#[test]
fn queues_are_of_nodes_that_there_are() {
    let (gpu, _) = one_heap();
    let mut desc = common::gpu::direct();
    desc.node = 1;
    assert_eq!(
        gpu.device.create_queue(&desc).err().unwrap().to_string(),
        "the driver does not do a queue on node 1; the adapter has 1 nodes, counted from 0"
    );
}
