use std::collections::BTreeSet;
use std::sync::Barrier;

use heapstone_spec::views::ConstantBufferViewDesc;
use heapstone_units::GpuVirtualAddress;

use super::*;

fn create(space: &DescriptorSpace, heap_type: DescriptorHeapType, count: u32) -> Storage {
    space.create(&DescriptorHeapDesc::new(heap_type, count)).expect("memory")
}

fn place<'a>(space: &'a DescriptorSpace, heap: &Storage, index: u32) -> Place<'a> {
    let log2 = increment_log2(heap.desc.heap_type);
    let ptr = heap.start.ptr + (u64::from(index) << log2);
    space.find(CpuDescriptorHandle { ptr }).expect("it leads there")
}

fn fill(place: &Place<'_>) {
    place.write(|descriptor| *descriptor = Descriptor::ConstantBuffer(None));
}

fn made(space: &DescriptorSpace, heap: &Storage) -> Vec<usize> {
    let slot = place(space, heap, 0).slot;
    (0..65_536).filter_map(|number| slot.group(number)).map(|group| group.len()).collect()
}

const VIEWS: DescriptorHeapType = DescriptorHeapType::CbvSrvUav;

/// A heap that only the CPU sees has no largest size: what it has not written takes next to no memory.
#[test]
fn the_largest_heap_is_made_as_it_is_used() {
    let space = DescriptorSpace::new();
    let heap = create(&space, VIEWS, u32::MAX);
    assert!(made(&space, &heap).is_empty());
    for index in [u32::MAX - 1, 0, 65_535] {
        fill(&place(&space, &heap, index));
        assert!(matches!(place(&space, &heap, index).read(), Descriptor::ConstantBuffer(None)), "{index}");
    }
    assert!(matches!(place(&space, &heap, 65_534).read(), Descriptor::Empty));
    // 2^32 descriptors are 65,536 groups of 1024 chunks of 64: two were made, and places for all but the first.
    assert_eq!(made(&space, &heap), [1024, 1024]);
    let others = place(&space, &heap, 0).slot.others.get().expect("made");
    assert_eq!(others.len(), 65_535);
    assert!(size_of_val(&**others) < 2 << 20);
    space.remove(&heap);
}

#[test]
fn a_group_has_as_many_chunks_as_its_class() {
    for (count, index, chunks) in
        [(1, 0, 1), (64, 63, 1), (65, 64, 2), (200, 0, 4), (65_536, 0, 1024), (65_537, 65_536, 1024)]
    {
        let space = DescriptorSpace::new();
        let heap = create(&space, DescriptorHeapType::Sampler, count);
        fill(&place(&space, &heap, index));
        assert_eq!(made(&space, &heap), [chunks], "{count}");
    }
}

/// Every type and class: first, last and what is behind them; the heap as it was described.
#[test]
fn handles_lead_to_their_descriptors_and_no_others() {
    let space = DescriptorSpace::new();
    let mut heaps = Vec::new();
    for count in [1, 63, 64, 65, 1000, 1024, 65_536, 65_537, 1 << 20, 1 << 31, u32::MAX] {
        for heap_type in
            [VIEWS, DescriptorHeapType::Sampler, DescriptorHeapType::Rtv, DescriptorHeapType::Dsv]
        {
            heaps.push(create(&space, heap_type, count));
        }
    }
    let starts: BTreeSet<u64> = heaps.iter().map(|heap| heap.start.ptr).collect();
    assert_eq!(starts.len(), heaps.len());
    for heap in &heaps {
        let (count, start) = (heap.desc.descriptor_count, heap.start.ptr);
        let increment = 1_u64 << increment_log2(heap.desc.heap_type);
        assert!(start > u64::from(u32::MAX) && start < GPU_BASE);
        for index in [0, count / 2, count - 1] {
            let shown = place(&space, heap, index).shown();
            assert_eq!((shown.heap, shown.heap_start.ptr, shown.index), (heap.desc, start, index));
        }
        let behind = start + u64::from(count) * increment;
        for ptr in [start - 1, start - increment, behind, behind + 64 * increment, start | 1 << 63] {
            let found = space.find(CpuDescriptorHandle { ptr });
            assert_eq!(found.err().map(|violation| violation.rule.id), Some(rules::HANDLE.id), "{ptr:#x}");
        }
        let found = space.find(CpuDescriptorHandle { ptr: behind - 1 });
        assert_eq!(found.err().map(|violation| violation.rule.id), Some(rules::HANDLE_INCREMENT.id));
    }
}

#[test]
fn shown_heaps_have_their_flags_and_node() {
    let space = DescriptorSpace::new();
    for node_mask in [0, 1, 2, 1 << 31] {
        let flags = DescriptorHeapFlags::SHADER_VISIBLE;
        let desc = DescriptorHeapDesc { flags, node_mask, ..DescriptorHeapDesc::new(VIEWS, u32::MAX) };
        let heap = space.create(&desc).expect("memory");
        assert_eq!(place(&space, &heap, 7).shown().heap, desc);
    }
}

#[test]
fn a_slot_is_used_again_with_another_generation_and_without_what_was_in_it() {
    let space = DescriptorSpace::new();
    let mut starts = BTreeSet::new();
    for _ in 0..1000 {
        let heap = create(&space, VIEWS, 130);
        assert!(starts.insert(heap.start.ptr), "{:#x} is given twice", heap.start.ptr);
        for index in [0, 64, 129] {
            assert!(matches!(place(&space, &heap, index).read(), Descriptor::Empty));
            fill(&place(&space, &heap, index));
        }
        space.remove(&heap);
        for start in &starts {
            assert!(space.find(CpuDescriptorHandle { ptr: *start }).is_err());
        }
    }
    let (class, number, generation) = taken_apart(*starts.last().expect("some"));
    assert_eq!((class, number, generation), (2, 0, 1000));
}

/// Of the largest heaps there are 255 slots with 511 generations each.
#[test]
fn no_handle_is_given_twice_and_then_there_are_none() {
    let space = DescriptorSpace::new();
    let desc = DescriptorHeapDesc::new(VIEWS, u32::MAX);
    for _ in 0..255 * 511 {
        space.remove(&space.create(&desc).expect("handles are left"));
    }
    assert!(matches!(space.create(&desc), Err(Error::OutOfMemory(_) | Error::Driver(_))));
    let heaps: Vec<Storage> = (0..300).map(|_| create(&space, VIEWS, 1)).collect();
    assert_eq!(heaps.iter().map(|heap| heap.start.ptr).collect::<BTreeSet<_>>().len(), 300);
}

/// Any number leads nowhere, or to a descriptor of the one heap that has it.
#[test]
fn hostile_handles_lead_nowhere() {
    let space = DescriptorSpace::new();
    let heap = create(&space, VIEWS, 1000);
    let stale = create(&space, VIEWS, 1000);
    space.remove(&stale);
    for bit in 0..64 {
        for start in [heap.start.ptr, stale.start.ptr, 0, u64::MAX] {
            let ptr = start ^ 1 << bit;
            let is_its = ptr >= heap.start.ptr && ptr < heap.start.ptr + 64_000 && ptr % 64 == 0;
            assert_eq!(space.find(CpuDescriptorHandle { ptr }).is_ok(), is_its, "{ptr:#x}");
        }
    }
}

/// Threads write heaps while others remove them: what comes after finds nothing.
#[test]
fn what_is_written_while_a_heap_goes_goes_with_it() {
    let space = DescriptorSpace::new();
    let location = GpuVirtualAddress(256);
    let view = Descriptor::ConstantBuffer(Some(ConstantBufferViewDesc {
        buffer_location: location,
        size_in_bytes: 256,
    }));
    for round in 0..300_u32 {
        let heap = create(&space, VIEWS, 256);
        let at: Vec<Place<'_>> = (0..256).map(|index| place(&space, &heap, index)).collect();
        let barrier = Barrier::new(3);
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let (at, barrier) = (&at, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    for step in 0..256 {
                        let index = (step * 67 + thread * 128) % 256;
                        at[index].write(|descriptor| *descriptor = view);
                        copy_within_chunks(&at[index ^ 64], &at[index], 1);
                    }
                });
            }
            barrier.wait();
            (0..round % 64).for_each(|_| std::hint::spin_loop());
            space.remove(&heap);
        });
        let next = create(&space, VIEWS, 256);
        assert_eq!(taken_apart(next.start.ptr).1, taken_apart(heap.start.ptr).1, "the same slot");
        for index in 0..256 {
            assert!(matches!(place(&space, &next, index).read(), Descriptor::Empty), "{round} {index}");
            assert!(matches!(at[index as usize].read(), Descriptor::Empty), "{round} {index}");
        }
        space.remove(&next);
    }
}
