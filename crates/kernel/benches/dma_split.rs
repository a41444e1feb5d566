//! Planning the parts of a DMA buffer of 100,000 patch locations; beside it, as a rival, the plain greedy walk of the
//! list that rebuilds what is needed at every group.
#![allow(clippy::unwrap_used, reason = "a test or bench stops at what it did not expect")]

use std::collections::BTreeSet;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use heapstone_kernel::dma_split::{
    AllocationListEntry, PatchLocation, SearchLimits, SegmentPlacement, SplitAllocation, SplitRequest,
    SplitSegment, plan,
};
use heapstone_units::{Alignment, KIB, MIB};

const ENTRIES: u32 = 100_000;
const SLOTS: u32 = 16;

struct Buffer {
    list: Vec<AllocationListEntry>,
    locations: Vec<PatchLocation>,
    allocations: Vec<SplitAllocation>,
    segment: SplitSegment,
}

impl Buffer {
    /// `allocation_count` allocations of 64 KiB to 4 MiB, bound to slots in runs of draws that move through them.
    fn new(placement: SegmentPlacement, allocation_count: u32, segment_size: u64) -> Buffer {
        let mut seed = 1_u64;
        let mut below = |end: u32| {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            u32::try_from((seed >> 33) % u64::from(end)).unwrap()
        };
        let allocations = (0..allocation_count).map(|_| SplitAllocation {
            size: (64 * KIB) << below(7),
            alignment: Alignment::constant(64 * KIB),
            residency: None,
        });
        let allocations = allocations.collect();
        let list = (0..allocation_count)
            .map(|index| AllocationListEntry { allocation: Some(index), is_written: index % 8 == 0 });
        let locations = (0..ENTRIES).map(|entry| {
            let group = entry / 2;
            let scene = group / 200 * 11;
            PatchLocation {
                allocation_index: (scene + below(64)) % allocation_count,
                slot_id: below(SLOTS),
                driver_id: 0,
                allocation_offset: 0,
                patch_offset: group * 64,
                split_offset: group * 64,
            }
        });
        Buffer {
            list: list.collect(),
            locations: locations.collect(),
            allocations,
            segment: SplitSegment { size: segment_size, placement, occupied: Vec::new() },
        }
    }

    fn request(&self) -> SplitRequest<'_> {
        SplitRequest {
            dma_buffer_size: ENTRIES * 64,
            allocation_list: &self.list,
            patch_locations: &self.locations,
            slot_count: SLOTS,
            allocations: &self.allocations,
            segment: &self.segment,
            limits: SearchLimits::default(),
        }
    }

    /// Parts by capacity alone: at each group, the union of the slots and what the part has needed.
    fn naive_part_count(&self) -> usize {
        let mut table = [None; SLOTS as usize];
        let mut window: BTreeSet<u32> = BTreeSet::new();
        let mut part_count = 1;
        for group in self.locations.chunk_by(|a, b| a.split_offset == b.split_offset) {
            for location in group {
                table[location.slot_id as usize] = self.list[location.allocation_index as usize].allocation;
            }
            let needed: BTreeSet<u32> = table.iter().flatten().copied().collect();
            let longer: BTreeSet<u32> = window.union(&needed).copied().collect();
            let bytes: u64 =
                longer.iter().map(|allocation| self.allocations[*allocation as usize].size).sum();
            if bytes <= self.segment.size {
                window = longer;
            } else {
                window = needed;
                part_count += 1;
            }
        }
        part_count
    }
}

fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("dma_split/100000_entries");
    group.sample_size(10);
    for (name, placement) in
        [("paged", SegmentPlacement::Paged), ("contiguous", SegmentPlacement::Contiguous)]
    {
        for (pressure, segment_size) in [("tight", 64 * MIB), ("loose", 192 * MIB), ("fits", 8 << 30)] {
            let buffer = Buffer::new(placement, 4_000, segment_size);
            let made = plan(&buffer.request()).unwrap();
            println!(
                "{name}/{pressure}: {} parts (bound {}), {} MiB paged in (bound {}), {} back, {} moved",
                made.parts.len(),
                made.part_count_bound,
                made.bytes_paged_in / MIB,
                made.bytes_paged_in_bound / MIB,
                made.bytes_written_back / MIB,
                made.bytes_moved / MIB,
            );
            group.bench_function(format!("{name}/{pressure}/plan"), |b| {
                b.iter(|| plan(black_box(&buffer.request())).unwrap());
            });
            if placement == SegmentPlacement::Paged {
                assert_eq!(buffer.naive_part_count(), made.parts.len());
                group.bench_function(format!("{name}/{pressure}/naive_greedy"), |b| {
                    b.iter(|| black_box(&buffer).naive_part_count());
                });
            }
        }
    }
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
