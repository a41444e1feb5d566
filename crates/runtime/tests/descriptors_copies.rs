//! Copies of descriptors against a model, and by several threads.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::collections::HashSet;

use common::*;
use heapstone::spec::rules::view as rules;
use heapstone::spec::views::*;
use heapstone::{DescriptorHeap, DescriptorRanges, Device, Error};
use proptest::prelude::*;

fn heap(device: &Device, heap_type: DescriptorHeapType, count: u32) -> DescriptorHeap {
    device.create_descriptor_heap(&DescriptorHeapDesc::new(heap_type, count)).unwrap()
}

/// A sampler that carries a number.
fn numbered(number: u16) -> SamplerDesc {
    SamplerDesc { min_lod: f32::from(number), ..SamplerDesc::new(Filter::MIN_MAG_MIP_LINEAR) }
}

/// The number of the sampler at `handle`; `None` where nothing was written.
fn number(device: &Device, handle: CpuDescriptorHandle) -> Option<f32> {
    match device.sampler(handle) {
        Ok(desc) => Some(desc.min_lod),
        Err(error) => {
            refused(Err::<(), Error>(error), &rules::DESCRIPTOR_KIND);
            None
        }
    }
}

#[derive(Clone, Debug)]
struct Range {
    heap: usize,
    first: u32,
    count: u32,
}

const COUNTS: [u32; 3] = [100, 33, 70];

fn range() -> impl Strategy<Value = Range> {
    (0..COUNTS.len(), 0_u32..100, 0_u32..48).prop_map(|(heap, first, count)| {
        let first = first % COUNTS[heap];
        Range { heap, first, count: count.min(COUNTS[heap] - first) }
    })
}

/// Cuts ranges off so that both sides are as many descriptors.
fn equalised(mut to: Vec<Range>, mut from: Vec<Range>) -> [Vec<Range>; 2] {
    let total = |ranges: &[Range]| ranges.iter().map(|range| range.count).sum::<u32>();
    let least = total(&to).min(total(&from));
    for ranges in [&mut to, &mut from] {
        let mut left = least;
        for range in ranges {
            range.count = range.count.min(left);
            left -= range.count;
        }
    }
    [to, from]
}

proptest! {
    /// Copies do what copying a list into a list does, or are refused where sources are destinations; the last
    /// heap is one that shaders see.
    #[test]
    fn copies_equal_a_model(
        steps in prop::collection::vec(
            (prop::collection::vec(range(), 1..6), prop::collection::vec(range(), 1..6), 0_u8..5),
            1..12,
        ),
    ) {
        const SAMPLERS: DescriptorHeapType = DescriptorHeapType::Sampler;
        let device = device("discrete-8g");
        let heaps = [0, 1, 2].map(|at| {
            let desc = DescriptorHeapDesc::new(SAMPLERS, COUNTS[at]);
            device.create_descriptor_heap(&if at == 2 { desc.shader_visible() } else { desc }).unwrap()
        });
        let increment = device.descriptor_handle_increment_size(SAMPLERS);
        let handle = |heap: usize, index: u32| heaps[heap].cpu_start().offset(index, increment);
        let mut model = COUNTS.map(|count| vec![None; count as usize]);
        let mut next = 0;
        for heap in 0..2 {
            for index in (0..COUNTS[heap]).filter(|index| index % 7 != 3) {
                device.create_sampler(&numbered(next), handle(heap, index)).unwrap();
                model[heap][index as usize] = Some(f32::from(next));
                next += 1;
            }
        }
        for (to, from, form) in steps {
            let is_simple = form == 0;
            let [to, from] = equalised(to, from);
            let (to, from) = if is_simple { (to[..1].to_vec(), from[..1].to_vec()) } else { (to, from) };
            let each = |ranges: &[Range]| -> Vec<(usize, u32)> {
                let all = ranges.iter();
                all.flat_map(|range| (0..range.count).map(|at| (range.heap, range.first + at))).collect()
            };
            let starts = |ranges: &[Range]| -> Vec<_> {
                ranges.iter().map(|range| handle(range.heap, range.first)).collect()
            };
            let sizes = |ranges: &[Range]| -> Vec<_> { ranges.iter().map(|range| range.count).collect() };
            let (mut written, mut read) = (each(&to), each(&from));
            let copied = if is_simple {
                let count = to[0].count.min(from[0].count);
                written.truncate(count as usize);
                read.truncate(count as usize);
                device.copy_descriptors_simple(count, starts(&to)[0], starts(&from)[0], SAMPLERS)
            } else {
                // A side as ranges, or each of their descriptors by itself.
                let (to_sizes, from_sizes) = (sizes(&to), sizes(&from));
                let side = |ranges: &[Range], places: &[(usize, u32)], by_itself: bool| -> Vec<_> {
                    if by_itself {
                        places.iter().map(|(heap, index)| handle(*heap, *index)).collect()
                    } else {
                        starts(ranges)
                    }
                };
                let (to_by_itself, from_by_itself) = (form & 1 == 0, form & 2 == 0);
                let (to_starts, from_starts) =
                    (side(&to, &written, to_by_itself), side(&from, &read, from_by_itself));
                let to_sizes = (!to_by_itself).then_some(&to_sizes[..]);
                let destination = DescriptorRanges { starts: &to_starts, sizes: to_sizes };
                let from_sizes = (!from_by_itself).then_some(&from_sizes[..]);
                let source = DescriptorRanges { starts: &from_starts, sizes: from_sizes };
                device.copy_descriptors(destination, source, SAMPLERS)
            };
            let writes: HashSet<_> = written.iter().collect();
            if read.iter().any(|(heap, _)| *heap == 2) {
                refused(copied, &rules::COPY_SOURCE);
            } else if read.iter().any(|place| writes.contains(place)) {
                refused(copied, &rules::COPY_OVERLAP);
            } else {
                copied.unwrap();
                for ((to, to_index), (from, from_index)) in written.into_iter().zip(read) {
                    model[to][to_index as usize] = model[from][from_index as usize];
                }
            }
            for (heap, numbers) in model.iter().enumerate() {
                for (index, want) in (0..).zip(numbers) {
                    assert_eq!(number(&device, handle(heap, index)), *want, "heap {heap}, descriptor {index}");
                }
            }
        }
    }
}

/// Threads write, copy and read descriptors of one heap, each its own, while heaps come and go.
#[test]
fn threads_write_different_descriptors_of_a_heap() {
    const THREADS: u16 = 8;
    const EACH: u16 = 37;
    let device = device("discrete-8g");
    let samplers = DescriptorHeapType::Sampler;
    let (own, shared) = (heap(&device, samplers, 512), heap(&device, samplers, 512));
    let increment = device.descriptor_handle_increment_size(samplers);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (device, own, shared) = (&device, own.cpu_start(), shared.cpu_start());
            scope.spawn(move || {
                let mine =
                    |start: CpuDescriptorHandle, at| start.offset(u32::from(thread * EACH + at), increment);
                for round in 0..20 {
                    let value = |at| numbered(round * 1000 + thread * EACH + at);
                    let passing = heap(device, samplers, 40);
                    for at in 0..EACH {
                        device.create_sampler(&value(at), mine(own, at)).unwrap();
                    }
                    device
                        .copy_descriptors_simple(u32::from(EACH), passing.cpu_start(), mine(own, 0), samplers)
                        .unwrap();
                    device
                        .copy_descriptors_simple(
                            u32::from(EACH),
                            mine(shared, 0),
                            passing.cpu_start(),
                            samplers,
                        )
                        .unwrap();
                    let stale = passing.cpu_start();
                    drop(passing);
                    refused(device.sampler(stale), &rules::HANDLE);
                    for at in 0..EACH {
                        assert_eq!(device.sampler(mine(shared, at)).unwrap(), value(at));
                    }
                }
            });
        }
    });
}

/// Single descriptors that are neighbours are taken together: in their order, up to the heap's end, and no further.
#[test]
fn neighbours_are_copied_in_their_order_and_end_with_their_heap() {
    let device = device("discrete-8g");
    let samplers = DescriptorHeapType::Sampler;
    let (to, from) = (heap(&device, samplers, 4), heap(&device, samplers, 4));
    let increment = device.descriptor_handle_increment_size(samplers);
    for at in 0..4 {
        device.create_sampler(&numbered(at), from.cpu_start().offset(u32::from(at), increment)).unwrap();
    }
    let copy = |to_at: &[u32], from_at: &[u32]| {
        let side = |heap: &DescriptorHeap, at: &[u32]| -> Vec<_> {
            at.iter().map(|at| heap.cpu_start().offset(*at, increment)).collect()
        };
        let (to, from) = (side(&to, to_at), side(&from, from_at));
        let of = |starts| DescriptorRanges { starts, sizes: None };
        device.copy_descriptors(of(&to), of(&from), samplers)
    };
    let held = || [0, 1, 2, 3].map(|at| number(&device, to.cpu_start().offset(at, increment)));
    // Descriptor 1 is written twice: the later one stays.
    copy(&[0, 1, 2, 1, 2], &[3, 2, 1, 0, 1]).unwrap();
    assert_eq!(held(), [Some(3.0), Some(0.0), Some(1.0), None]);
    // What is behind the last is no neighbour, and nothing is copied.
    refused(copy(&[0, 1, 2, 3], &[1, 2, 3, 4]), &rules::HANDLE);
    refused(copy(&[2, 3, 4], &[0, 0, 0]), &rules::HANDLE);
    assert_eq!(held(), [Some(3.0), Some(0.0), Some(1.0), None]);
}

/// 2^32 - 1 descriptors, of which hardly one was ever written: neither time nor memory for the others.
#[test]
fn what_was_never_written_is_copied_at_once() {
    const ALL: u32 = u32::MAX;
    let device = device("discrete-8g");
    let heap_type = DescriptorHeapType::CbvSrvUav;
    let increment = device.descriptor_handle_increment_size(heap_type);
    let (to, from) = (heap(&device, heap_type, ALL), heap(&device, heap_type, ALL));
    let at = |heap: &DescriptorHeap, index| heap.cpu_start().offset(index, increment);
    let write = |heap, index| device.create_constant_buffer_view(None, at(heap, index)).unwrap();
    let held = |indices: &[u32]| -> Vec<bool> {
        indices.iter().map(|index| device.constant_buffer_view(at(&to, *index)).is_ok()).collect()
    };
    let indices = [0, 63, 64, 65_535, 65_536, 3_000_000_000, ALL - 1];
    // What the destination held goes, where the source holds nothing.
    [0, 64, 65_536, ALL - 1].into_iter().for_each(|index| write(&to, index));
    [63, 65_536, 3_000_000_000].into_iter().for_each(|index| write(&from, index));
    device.copy_descriptors_simple(ALL, to.cpu_start(), from.cpu_start(), heap_type).unwrap();
    assert_eq!(held(&indices), [false, true, false, false, true, true, false]);

    // The same by ranges, which do not begin alike: one descriptor on.
    let sizes = [1_000_000, ALL - 1_000_001];
    let sources = [at(&from, 0), at(&from, 1_000_000)];
    device
        .copy_descriptors(
            DescriptorRanges { starts: &[at(&to, 1)], sizes: Some(&[ALL - 1]) },
            DescriptorRanges { starts: &sources, sizes: Some(&sizes) },
            heap_type,
        )
        .unwrap();
    let moved = [63, 64, 65_536, 65_537, 3_000_000_000, 3_000_000_001];
    assert_eq!(held(&moved), [false, true, false, true, false, true]);
}
