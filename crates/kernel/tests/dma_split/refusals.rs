//! What of the lists is refused, and in which words.

use heapstone_kernel::dma_split::{
    AllocationListEntry, PatchLocation, Residency, SearchLimits, SplitAllocation, SplitError, SplitRequest,
    SplitSegment, plan,
};
use heapstone_units::{Alignment, ByteRange};

use super::case::{CONTIGUOUS, PAGED};

const LOCATION: PatchLocation = PatchLocation {
    allocation_index: 0,
    slot_id: 0,
    driver_id: 0,
    allocation_offset: 0,
    patch_offset: 8,
    split_offset: 4,
};

struct Given {
    dma_buffer_size: u32,
    list: Vec<AllocationListEntry>,
    locations: Vec<PatchLocation>,
    slot_count: u32,
    allocations: Vec<SplitAllocation>,
    segment: SplitSegment,
}

/// A request that is accepted.
fn given() -> Given {
    let allocation = |begin: u64| SplitAllocation {
        size: 16,
        alignment: Alignment::constant(16),
        residency: Some(Residency { ranges: Box::new([ByteRange::at(begin, 16).unwrap()]), is_dirty: false }),
    };
    Given {
        dma_buffer_size: 64,
        list: vec![AllocationListEntry { allocation: Some(1), is_written: false }],
        locations: vec![LOCATION, LOCATION],
        slot_count: 2,
        allocations: vec![allocation(0), allocation(32)],
        segment: SplitSegment { size: 64, placement: CONTIGUOUS, occupied: vec![ByteRange::new(48, 64)] },
    }
}

fn decide(given: &Given) -> Result<(), SplitError> {
    let request = SplitRequest {
        dma_buffer_size: given.dma_buffer_size,
        allocation_list: &given.list,
        patch_locations: &given.locations,
        slot_count: given.slot_count,
        allocations: &given.allocations,
        segment: &given.segment,
        limits: SearchLimits::default(),
    };
    plan(&request).map(|_| ())
}

fn refused(change: impl FnOnce(&mut Given)) -> String {
    let mut changed = given();
    change(&mut changed);
    decide(&changed).unwrap_err().to_string()
}

#[test]
fn what_is_right_is_accepted() {
    decide(&given()).unwrap();
    let mut at_limits = given();
    at_limits.locations[1] =
        PatchLocation { slot_id: 1, allocation_offset: 16, patch_offset: 63, split_offset: 63, ..LOCATION };
    decide(&at_limits).unwrap();
}

#[test]
fn each_rule_refuses_and_says_what_is_allowed() {
    for (text, want) in [
        (
            refused(|given| given.locations[1].allocation_index = 1),
            "patch location 1: AllocationIndex is 1; allowed: below 1, the allocation list's entries",
        ),
        (
            refused(|given| given.list[0].allocation = Some(2)),
            "allocation list entry 0: allocation is 2; allowed: below 2, or none",
        ),
        (
            refused(|given| given.locations[0].slot_id = 2),
            "patch location 0: SlotId is 2; allowed: below 2, MaxAllocationListSlotId",
        ),
        (
            refused(|given| given.locations[0].slot_id = 0x0100_0000),
            "patch location 0: SlotId is 0x01000000; its upper 8 bits are reserved and must be 0",
        ),
        (
            refused(|given| given.slot_count = (1 << 24) + 1),
            "slot_count is 16777217; allowed: 0 to 16777216, because SlotId has 24 bits",
        ),
        (
            refused(|given| given.locations[0].split_offset = 9),
            "patch location 0: SplitOffset is 9; allowed: at most 8, its PatchOffset",
        ),
        (
            refused(|given| given.locations[0].patch_offset = 64),
            "patch location 0: PatchOffset is 64; allowed: below 64, DmaBufferSize",
        ),
        (
            refused(|given| given.locations[1].split_offset = 3),
            "patch location 1: SplitOffset is 3; allowed: 4 or more, that of the location before it",
        ),
        (
            refused(|given| given.locations[1].allocation_offset = 17),
            "patch location 1: AllocationOffset is 17; allowed: at most 16, the allocation's bytes",
        ),
        (
            refused(|given| {
                given.allocations[0] =
                    SplitAllocation { size: 0, residency: None, ..given.allocations[0].clone() }
            }),
            "allocation 0: size is 0; allowed: at least 1 byte",
        ),
        (
            refused(|given| given.segment.occupied.push(ByteRange::new(60, 65))),
            "occupied range 1 is [60, 65); allowed: within the segment's 64 bytes",
        ),
    ] {
        assert_eq!(text, want);
    }
}

fn with_ranges(allocation: usize, ranges: &[ByteRange]) -> impl FnOnce(&mut Given) {
    let ranges: Box<[ByteRange]> = ranges.into();
    move |given| given.allocations[allocation].residency = Some(Residency { ranges, is_dirty: false })
}

#[test]
fn residency_must_be_the_segments() {
    let range = ByteRange::new;
    for (text, want) in [
        (
            refused(with_ranges(0, &[range(0, 15)])),
            "allocation 0: residency is 15 bytes; allowed: 16, the allocation's bytes",
        ),
        (
            refused(with_ranges(0, &[range(8, 24)])),
            "allocation 0: residency is [8, 24); allowed: a multiple of 16 B",
        ),
        (
            refused(with_ranges(0, &[range(0, 8), range(16, 24)])),
            "allocation 0: residency is 2 ranges; allowed: 1 range, in a contiguous segment",
        ),
        (
            refused(with_ranges(0, &[range(48, 64)])),
            "allocation 0: residency is [48, 64); allowed: ranges that are not occupied",
        ),
        (
            refused(with_ranges(0, &[range(64, 80)])),
            "allocation 0: residency is [64, 80); allowed: ranges within the segment's 64 bytes",
        ),
        (
            refused(with_ranges(1, &[range(0, 16)])),
            "allocation 1: residency is [0, 16); allowed: ranges beside [0, 16), which allocation 0 has",
        ),
    ] {
        assert_eq!(text, want);
    }
    // In pages, two ranges are as good as one.
    let mut paged = given();
    paged.segment.placement = PAGED;
    with_ranges(0, &[range(0, 8), range(17, 25)])(&mut paged);
    decide(&paged).unwrap();
}
